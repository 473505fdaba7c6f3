// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A slip of two rows that goes straight through zero and back the other way: |slip| has no change of sign there, and is small for
// no time at all.
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

Model block_on_plate(double mu, const char* rows) {
  return read_model_text(fmt::format(R"model(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, ty, tz]}}, mass: 1, inertia: 0.1 }} }}
environment: {{ plate: {{ surface: plane, position: ["0.01*sin(20*t)", 0, 0] }} }}
contacts: {{ foot: {{ body: block, with: plate, point: [0, 0, 0], forbid: {}, friction: {} }} }}
initial: {{ "block.tx'": 0.2 }}
)model",
                                     rows, mu));
}

RunResult shake(const Model& model, double tolerance) {
  RunOptions options;
  options.follow = Follow::frictional;
  options.until = 2;
  options.tolerance = tolerance;
  return testing::finish_run(model, options);
}

// The plate shakes by a ω² = 4 m/s². With mu g = 1.962 m/s² the block slips from sin ωt = mu g/(a ω²) on, there and back, and
// never sticks; with mu g = 2.943 m/s² it sticks in between (Den Hartog's limit is mu g = 0.537 a ω²). Along one row the slip has
// a sign, and its events are zeros: with two rows they are the same.
TEST(ReversingSlip, TwoRowsDoAsOneAlongTheirLine) {
  for (const double mu : {0.2, 0.3}) {
    const Model line = block_on_plate(mu, "[normal, forward]"), plane = block_on_plate(mu, "[normal, lateral, forward]");
    const RunResult along = shake(line, 1e-11);
    ASSERT_EQ(along.events.size(), mu < 0.25 ? 13u : 25u);
    EXPECT_NEAR(along.events[0].t, std::asin(mu * 9.81 / 4) / 20, 1e-10);
    EXPECT_EQ(along.events[1].kind, mu < 0.25 ? EventKind::reverse : EventKind::stick);
    for (const double tolerance : {1e-8, 1e-11}) {
      SCOPED_TRACE(fmt::format("mu = {}, tolerance {}", mu, tolerance));
      const RunResult both = shake(plane, tolerance);
      ASSERT_EQ(both.events.size(), along.events.size());
      for (size_t i = 0; i < both.events.size(); ++i) {
        EXPECT_EQ(both.events[i].name(), along.events[i].name());
        EXPECT_NEAR(both.events[i].t, along.events[i].t, 2e-7);
      }
      EXPECT_NEAR(both.final.q[0], along.final.q[0], 1e-8);
      EXPECT_NEAR(both.final.v[0], along.final.v[0], 1e-8);
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
