// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/constraints/worked.h"

namespace vinculum::testing {
namespace {

// A massless foot, pressed on ground that heaves by a spring of 10 N below a sliding block of 2 kg. The mass matrix alone is
// singular; the row makes it regular. Whatever the ground does, the foot weighs nothing:
//
//   N = 10 ,  2 x'' = -0.3 N tanh(|x'|/0.01)
TEST(Massless, FootRubsOnGroundThatHeaves) {
  const double t = 0.4, z = 0.1 * std::sin(3 * t), rate = 0.3 * std::cos(3 * t), speed = 0.02;
  const Worked at(R"yaml(
vinculum: 1
bodies:
  block: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 }
  foot: { parent: block, joint: {type: prismatic, axis: z}, mass: 0, inertia: 0 }
environment:
  ground: { surface: plane, position: [0, 0, "0.1*sin(3*t)"] }
contacts:
  sole: { body: foot, with: ground, point: [0, 0, 0], forbid: [normal], sliding_friction: {coefficient: 0.3, smoothing: 0.01} }
forces: { spring: { joint: foot, law: "-10" } }
)yaml",
                  t, {0.2, z}, {speed, rate});
  at.expect_multipliers({10});
  at.expect_accelerations({-0.3 * 10 * std::tanh(speed / 0.01) / 2, -0.9 * std::sin(3 * t)});
}

}  // namespace
}  // namespace vinculum::testing
