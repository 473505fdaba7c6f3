// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/strings/string_tree.h"

// The trees of theory 4, section 13: parent; m; A; C; c; l; p.
namespace vinculum::testing {

struct TreeData {
  std::vector<int> parent;  // 0: the carrier
  std::vector<double> m, A, C, c, l, p;
};
inline const TreeData kT1{{0}, {2}, {.05}, {.03}, {.3}, {.6}, {1.}};
inline const TreeData kT1D{{0}, {2}, {.03}, {.05}, {.3}, {.6}, {1.}};
inline const TreeData kT2{{0, 1}, {2, 1.5}, {.05, .04}, {.03, .06}, {.3, .25}, {.7, .5}, {.8, .6}};
inline const TreeData kT3{{0, 1, 2}, {2, 1.5, 1}, {.05, .04, .02}, {.03, .06, .03}, {.3, .25, .2}, {.6, .5, .4}, {.8, .6, .5}};
inline const TreeData kT4{{0, 1, 1, 2},      {2, 1.5, 1, .8},  {.05, .04, .02, .015}, {.03, .06, .03, .02},
                          {.3, .25, .2, .2}, {.6, .5, .4, .4}, {.8, .6, .5, .4}};
inline const TreeData kT5{{0, 1, 1, 1},        {3, 1, 1.2, .9},  {.08, .02, .025, .018}, {.1, .03, .02, .03},
                          {.25, .2, .22, .18}, {.5, .4, .4, .4}, {.6, .7, .7, .7}};

// Bodies b1, b2, .. on strings s1, s2, ..; the axis of each from the string's end downwards along -z.
inline std::string string_model_text(const TreeData& data, const std::string& carrier = "world", const std::string& more = "") {
  std::string bodies, strings;
  for (size_t i = 0; i < data.m.size(); ++i) {
    bodies += fmt::format("  b{}: {{ joint: {{type: free}}, mass: {}, com: [0, 0, {}], inertia: [{}, {}, {}] }}\n", i + 1,
                          data.m[i], -data.c[i], data.A[i], data.A[i], data.C[i]);
    const int parent = data.parent[i];
    strings += fmt::format("  s{}: {{ from: {}, at: {}, to: b{}, on: [0, 0, 0], length: {} }}\n", i + 1,
                           parent == 0 ? carrier : fmt::format("b{}", parent),
                           parent == 0 ? "[0, 0, 0]" : fmt::format("[0, 0, {}]", -data.l[parent - 1]), i + 1, data.p[i]);
  }
  return "vinculum: 1\nbodies:\n" + bodies + "strings:\n" + strings + more;
}

inline Model read_strings(const std::string& text) { return read_model_text(text); }

inline StringTree make_tree(const TreeData& data) {
  auto trees = find_string_trees(read_strings(string_model_text(data)));
  if (!trees) throw std::runtime_error(trees.failure().message);
  return trees->front();
}

// To the 13 printed digits, with a little round-off.
inline void expect_values(const std::vector<double>& actual, const std::vector<double>& expected, double relative = 5e-12) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], relative * std::max(1.0, std::abs(expected[i]))) << "entry " << i;
}

}  // namespace vinculum::testing
