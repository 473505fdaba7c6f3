// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// An atlas of steady motions of three bodies on strings, and the stability of some of them; the motion of long chains.
#include <ctime>

#include <fmt/core.h>

#include "vinculum/files/read_model.h"
#include "vinculum/stepping/motion_system.h"
#include "vinculum/strings/steady_atlas.h"

namespace vinculum::bench {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Bodies in a row on strings, hung up by the first: the derivative of the motion, all tensions solved, a body.
void measure_chain(int count) {
  std::string text = "vinculum: 1\nbodies:\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format("  b{}: {{ joint: {{type: free}}, mass: 1, com: [0, 0, -0.1], inertia: [0.02, 0.02, 0.01] }}\n", i);
  text += "strings:\n  s0: { from: world, to: b0, length: 0.3 }\n";
  for (int i = 1; i < count; ++i)
    text += fmt::format("  s{}: {{ from: b{}, at: [0, 0, -0.2], to: b{}, length: 0.3 }}\n", i, i - 1, i);
  text += "initial: {";
  for (int i = 0; i < count; ++i) text += fmt::format("{} b{}.tz: {}", i == 0 ? "" : ",", i, -0.3 - 0.5 * i);
  const Model model = read_model_text(text + " }\n");
  MotionSystem system(model);
  const std::vector<double> y = system.pack(model.initial_state(), 0);
  std::vector<double> rates(y.size());
  const int times = 20000 / count;
  system.compute_derivative(0, y, rates);
  const double start = processor_seconds();
  for (int k = 0; k < times; ++k) system.compute_derivative(0, y, rates);
  const double taken = (processor_seconds() - start) / times;
  fmt::print("chain of {} bodies on strings: {:.1f} us an evaluation, {:.2f} us a body\n", count, 1e6 * taken,
             1e6 * taken / count);
}

int measure() {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/three-tops-on-strings/model.yaml", diagnostics);
  const auto trees = find_string_trees(*model);
  const StringTree& tree = trees->front();
  constexpr double kRate = 4.9;

  const double start = processor_seconds();
  SteadyAtlas atlas = compute_atlas(tree, kRate, std::vector<std::optional<double>>(3), 220, {0, 0, 0});
  const double scanned = processor_seconds() - start;
  fmt::print(
      "atlas: {} positions of the strings, {} of them fit, {} steady motions, {:.3f} s: {:.2f} s for 1e6 motions, {:.0f} ns a "
      "position\n",
      atlas.points, atlas.fitting, atlas.size(), scanned, 1e6 * scanned / static_cast<double>(atlas.size()),
      1e9 * scanned / static_cast<double>(atlas.points));

  // 10^4 of them, spread over the atlas.
  constexpr size_t kJudged = 10000;
  SteadyAtlas some = atlas;
  some.above.clear();
  some.values.clear();
  for (size_t k = 0; k < kJudged; ++k) {
    const size_t at = k * atlas.size() / kJudged, width = 4 * static_cast<size_t>(atlas.bodies);
    some.above.push_back(atlas.above[at]);
    some.values.insert(some.values.end(), atlas.values.begin() + at * width, atlas.values.begin() + (at + 1) * width);
  }
  const double before = processor_seconds();
  judge_atlas(tree, kRate, some);
  int counts[3] = {};
  for (const SteadyVerdict verdict : some.verdicts) ++counts[static_cast<int>(verdict)];
  fmt::print("stability of {} motions: {:.2f} s; stable {}, gyroscopically stable {}, unstable {}\n", kJudged,
             processor_seconds() - before, counts[0], counts[1], counts[2]);
  for (const int count : {25, 50, 100, 200}) measure_chain(count);
  return 0;
}

}  // namespace
}  // namespace vinculum::bench

int main() { return vinculum::bench::measure(); }
