// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "vinculum/strings/steady_families.h"
#include "vinculum/strings/steady_stability.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// Many coplanar steady motions at one rate: a grid over the angles of some strings, all sides that are asked for, those that
// exist kept.
struct SteadyAtlas {
  int bodies = 0;
  std::vector<int> strings;             // those whose angles vary, the first slowest
  int count = 0;                        // values of each, in the middle of equal parts of (-π/2, π/2)
  std::int64_t points = 0;              // of the grid
  std::int64_t fitting = 0;             // of these, with a skeleton that fits; each has as many motions as sides
  std::vector<double> values;           // of every motion: n angles, n tilts, n tensions, n spins
  std::vector<std::uint32_t> above;     // of every motion: bit i if body i stands
  std::vector<SteadyVerdict> verdicts;  // of every motion, where asked for

  std::size_t size() const { return above.size(); }
  double angle(std::size_t k, int i) const { return values[k * 4 * bodies + i]; }
  double tilt(std::size_t k, int i) const { return values[k * 4 * bodies + bodies + i]; }
  double tension(std::size_t k, int i) const { return values[k * 4 * bodies + 2 * bodies + i]; }
  double spin(std::size_t k, int i) const { return values[k * 4 * bodies + 3 * bodies + i]; }
};
SteadyAtlas compute_atlas(const StringTree& tree, double rate, const std::vector<std::optional<double>>& angles, int count,
                          const std::vector<int>& sides, double spin_limit = kSpinLimit);

// The verdict on every motion of an atlas; of the first ones if it is stopped.
void judge_atlas(const StringTree& tree, double rate, SteadyAtlas& atlas, const AskStop& stop = {});

}  // namespace vinculum
