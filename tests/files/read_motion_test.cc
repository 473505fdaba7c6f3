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

}  // namespace
}  // namespace vinculum
