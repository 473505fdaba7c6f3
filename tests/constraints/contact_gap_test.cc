// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include "vinculum/constraints/contact_law.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/files/read_model.h"
#include "vinculum/geometry/contact_state.h"

namespace vinculum {
namespace {

// On the slope z = 3/4 x the distance of a point is 4/5 of its height above it, where it is held and where it is apart.
TEST(ContactGap, OfAPointAboveASlopeIsItsDistance) {
  const Model model = read_model_text(R"(
vinculum: 1
environment: { hill: { surface: '0.75*x + 0*y^2' } }
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: hill, point: [0, 0, 0], forbid: [normal] } }
initial: { block.tx: 0.4, block.tz: 0.8 }
)");
  const State state = model.initial_state();
  std::vector<FrameMotion> links(model.tree().links.size());
  std::vector<double> scratch;
  compute_frame_motions(model, state.q, state.v, links, scratch);
  const Contact& foot = model.contacts()[0];
  const auto held = compute_contact_state(model, foot, 0, links, {false, true});
  ASSERT_TRUE(held);
  EXPECT_NEAR(held->gap[0].value_or(0), 0.8 * (0.8 - 0.3), 1e-15);
  EXPECT_NEAR(compute_distant_state(model, foot, 0, links).gap[0].value_or(0), 0.8 * (0.8 - 0.3), 1e-15);
}

// A linear law pulls where it is apart; friction has nothing from that. Pressed by 1 mm at 0.2 m/s it has k d + c v.
TEST(ContactGap, FrictionHasNothingFromALawThatPulls) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [forward], friction: 0.3, laws: {normal: {stiffness: 5000, viscous: 10}} } }
)");
  ContactState at;
  at.gap[0] = 0.01;
  EXPECT_EQ(compute_law_push(model.contacts()[0], at), 0);
  at.gap[0] = -0.001;
  at.rate[0] = -0.2;
  EXPECT_DOUBLE_EQ(compute_law_push(model.contacts()[0], at), 5 + 2);
  at.rate[0] = 0.7;
  EXPECT_EQ(compute_law_push(model.contacts()[0], at), 0);
}

}  // namespace
}  // namespace vinculum
