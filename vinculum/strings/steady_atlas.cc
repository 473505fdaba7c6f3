// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/steady_atlas.h"

#include <cmath>
#include <numbers>

namespace vinculum {

SteadyAtlas compute_atlas(const StringTree& tree, double rate, const std::vector<std::optional<double>>& angles, int count,
                          const std::vector<int>& sides, double spin_limit) {
  const int n = tree.size();
  SteadyAtlas atlas;
  atlas.bodies = n;
  atlas.count = count;
  std::vector<double> now(n);
  for (int i = 0; i < n; ++i) {
    if (angles[i])
      now[i] = *angles[i];
    else
      atlas.strings.push_back(i);
  }
  const std::vector<Sides> choices = enumerate_sides(sides);
  CoplanarSkeleton skeleton(tree, rate);
  std::vector<std::array<CoplanarSkeleton::Spin, 2>> spins(
      n);  // of each body below and above: they do not depend on the others' sides
  std::vector<int> index(atlas.strings.size(), 0);
  const auto value = [&](int k) { return std::numbers::pi * ((k + 0.5) / count - 0.5); };
  for (size_t k = 0; k < index.size(); ++k) now[atlas.strings[k]] = value(0);

  while (true) {
    ++atlas.points;
    if (skeleton.solve(now)) {
      ++atlas.fitting;
      for (int i = 0; i < n; ++i) spins[i] = {skeleton.spin(i, 1), skeleton.spin(i, -1)};
      for (const Sides& choice : choices) {
        std::uint32_t above = 0;
        bool exists = true;
        for (int i = 0; i < n; ++i) {
          const auto& spin = spins[i][choice[i] < 0];
          exists = exists && !spin.is_infinite && std::abs(spin.spin) <= spin_limit;
          if (choice[i] < 0) above |= 1u << i;
        }
        if (!exists) continue;
        atlas.above.push_back(above);
        const size_t first = atlas.values.size();
        atlas.values.resize(first + 4 * n);
        double* row = atlas.values.data() + first;
        for (int i = 0; i < n; ++i) {
          const auto& spin = spins[i][choice[i] < 0];
          row[i] = now[i];
          row[n + i] = std::atan2(skeleton.sine(i), spin.cosine);
          row[2 * n + i] = skeleton.tension(i);
          row[3 * n + i] = spin.spin;
        }
      }
    }
    int k = static_cast<int>(index.size()) - 1;
    while (k >= 0 && ++index[k] == count) {
      index[k] = 0;
      now[atlas.strings[k]] = value(0);
      --k;
    }
    if (k < 0) return atlas;
    now[atlas.strings[k]] = value(index[k]);
  }
}

void judge_atlas(const StringTree& tree, double rate, SteadyAtlas& atlas, const AskStop& stop) {
  const int n = tree.size();
  std::vector<double> angles(n);
  Sides sides(n);
  atlas.verdicts.clear();
  for (size_t k = 0; k < atlas.size() && !is_stopped(stop); ++k) {
    for (int i = 0; i < n; ++i) {
      angles[i] = atlas.angle(k, i);
      sides[i] = (atlas.above[k] >> i) & 1 ? -1 : 1;
    }
    SteadyOptions options;
    options.spin_limit = HUGE_VAL;  // it was kept
    atlas.verdicts.push_back(analyse_stability(tree, compute_coplanar_motion(tree, rate, angles, sides, options)).verdict);
  }
}

}  // namespace vinculum
