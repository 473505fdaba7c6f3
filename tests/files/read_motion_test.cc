// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_motion.h"

#include <fstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_path.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

std::string write_table(const std::string& name, const std::string& text) {
  const std::string path = testing::scratch_path("read_motion." + name).string();
  std::ofstream(path) << text;
  return path;
}

// A cubic spline is exact on a cubic: from x' = t³ - t follows x'' = 3 t² - 1, from x = t³ - t both.
TEST(ReadMotion, AccelerationsFromRatesOrFromPositions) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { slider: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0 } }
)");
  std::string rates = "t [s],slider [m],slider' [m/s]\n", positions = "t [s],slider [m]\n";
  for (double t : {0.0, 0.3, 0.5, 1.1, 1.4, 2.0}) {
    rates += fmt::format("{},7,{:.17g}\n", t, t * t * t - t);
    positions += fmt::format("{},{:.17g}\n", t, t * t * t - t);
  }
  Diagnostics diagnostics;
  const auto from_rates = read_motion(write_table("rates.csv", rates), model, diagnostics);
  const auto from_positions = read_motion(write_table("positions.csv", positions), model, diagnostics);
  ASSERT_TRUE(from_rates && from_positions);
  EXPECT_TRUE(from_rates->differentiated && from_positions->differentiated);
  for (size_t i = 0; i < from_rates->states.size(); ++i) {
    const double t = from_rates->states[i].t;
    EXPECT_EQ(from_rates->states[i].q[0], 7);
    EXPECT_NEAR(from_rates->states[i].v[0], t * t * t - t, 1e-15);
    EXPECT_NEAR(from_rates->accelerations[i][0], 3 * t * t - 1, 1e-13) << t;
    EXPECT_NEAR(from_positions->states[i].v[0], 3 * t * t - 1, 1e-13) << t;
    EXPECT_NEAR(from_positions->accelerations[i][0], 6 * t, 1e-12) << t;
  }
}

// A ball of x = 2 t until 1, then x = 2 - (t - 1) + 3 (t - 1)²: no spline looks across the blow. Of three rows of one time the
// one in the middle is dropped; coordinates do not jump.
TEST(ReadMotion, RowsOfOneTimeAreAJump) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { slider: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0 } }
)");
  Diagnostics diagnostics;
  const auto motion = read_motion(write_table("blow.csv",
                                              "t [s],slider [m]\n0,0\n0.5,1\n1,2\n1,2\n1,2\n1.2,1.92\n1.5,2.25\n1.6,2.48\n"
                                              "2,4\n2,4\n"),
                                  model, diagnostics);
  ASSERT_TRUE(motion) << to_text(diagnostics.list().front());
  ASSERT_EQ(motion->states.size(), 8u);
  for (size_t i = 0; i < 8; ++i) {
    const double t = motion->states[i].t;
    EXPECT_NEAR(motion->states[i].v[0], i < 3 ? 2 : -1 + 6 * (t - 1), 1e-13) << i;
    EXPECT_NEAR(motion->accelerations[i][0], i < 3 ? 0 : 6, 1e-12) << i;
  }
  EXPECT_FALSE(read_motion(write_table("leap.csv", "t [s],slider [m]\n0,0\n1,2\n1,2.1\n2,3\n3,4\n"), model, diagnostics));
  EXPECT_EQ(diagnostics.list().front().code, "VN-FILE-126");
  EXPECT_EQ(diagnostics.list().front().message, "the time 1 s is given twice, with two values of 'slider'");
}

}  // namespace
}  // namespace vinculum
