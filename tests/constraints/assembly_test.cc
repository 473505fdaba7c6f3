// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/assembly.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing {
namespace {

// A four-bar with a crank of 1 m, a coupler and a rocker of 2 m on a base of 2.5 m; the rocker hangs on the coupler.
constexpr const char* kFourBar = R"(
vinculum: 1
bodies:
  crank: { joint: {type: revolute, axis: y}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }
  coupler: { parent: crank, joint: {type: revolute, axis: y, origin: [1, 0, 0]}, mass: 1, com: [1, 0, 0], inertia: 0.1 }
  rocker: { parent: coupler, joint: {type: revolute, axis: y, origin: [2, 0, 0]}, mass: 1, com: [1, 0, 0], inertia: 0.1 }
contacts:
  pin: { body: rocker, with: world, frame: {on_body: {point: [2, 0, 0]}, on_environment: {point: [2.5, 0, 0]}}, forbid: [normal, forward] }
initial: { crank: CRANK, coupler: -0.5, rocker: 1.5 }
)";

// Whatever turns the search makes, the other assembly is told within half a turn of the first.
TEST(Assembly, OthersAreToldWithoutWholeTurns) {
  int found = 0;
  for (double crank = -3; crank <= 3; crank += 0.5) {
    std::string text = kFourBar;
    text.replace(text.find("CRANK"), 5, fmt::format("{}", crank));
    const Model model = read_model_text(text);
    const ConstraintSet set(model);
    Workspace workspace(model);
    auto assembly = assemble(set, model.initial_state(), workspace, {});
    ASSERT_TRUE(assembly) << crank;
    look_for_others(set, workspace, *assembly);
    for (const State& other : assembly->others) {
      ++found;
      EXPECT_EQ(other.q[0], assembly->state.q[0]);
      for (int i : {1, 2}) {
        EXPECT_LE(std::abs(other.q[i] - assembly->state.q[i]), M_PI) << "crank " << crank << ", coordinate " << i;
        EXPECT_GT(std::abs(other.q[i] - assembly->state.q[i]), 1e-6);
      }
    }
  }
  EXPECT_EQ(found, 13);
}

}  // namespace
}  // namespace vinculum::testing
