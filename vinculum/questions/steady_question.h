// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/questions/options.h"
#include "vinculum/strings/steady_search.h"

// What options of `steady` ask of the trees of a model.
namespace vinculum {

struct SteadyUsage {
  std::string message, hint;
};

// What the command line says about one tree.
struct SteadyQuestion {
  const StringTree* tree = nullptr;
  std::vector<std::optional<double>> angles, azimuths, spins, momenta;
  std::vector<int> sides;  // +1 below, -1 above, 0 both

  bool has_all_angles() const {
    return std::all_of(angles.begin(), angles.end(), [](const auto& angle) { return angle.has_value(); });
  }
  std::vector<SpinLaw> laws() const {
    std::vector<SpinLaw> list;
    for (size_t i = 0; i < spins.size(); ++i)
      list.push_back(momenta[i] ? SpinLaw{true, *momenta[i]} : SpinLaw{false, spins[i].value_or(0)});
    return list;
  }
  Sides standing() const {
    Sides list;
    for (const int side : sides) list.push_back(side < 0 ? -1 : 1);
    return list;
  }
};

// NAME=VALUE for an element of one of the trees.
struct NamedPlace {
  size_t tree = 0;
  int index = 0;
  std::string value;
};
// Throws SteadyUsage if there is none.
NamedPlace find_named(const std::vector<StringTree>& trees, const std::string& option, const std::string& text, bool is_string,
                      bool with_value = true);

// One question a tree. Throws SteadyUsage.
std::vector<SteadyQuestion> read_questions(const SteadyMotionOptions& options, const std::vector<StringTree>& trees);

}  // namespace vinculum
