// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "vinculum/strings/steady_families.h"
#include "vinculum/strings/steady_search.h"

// What the command line of `steady` asks of the trees of a model.
namespace vinculum::app {

struct SteadyCommandOptions : ModelOptions {
  std::optional<double> rate, amplitude, to_rate;
  std::vector<std::string> angles, sides, spins, momenta, azimuths;
  std::string interval, carousel, measured, write_state, draw, table;
  int branch = 0, scan = 0;
  bool critical = false, stability = false, driven = false, permanent = false, constants = false, fit_inertia = false,
       force = false;
  double spin_limit = kSpinLimit;

  // What the last question has found, for the next one about the same model: a study asks many.
  struct Found {
    std::shared_ptr<const Model> model;
    Symmetry symmetry = Symmetry::required;
    std::vector<StringTree> trees;
  };
  std::shared_ptr<Found> found = std::make_shared<Found>();
};

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
std::vector<SteadyQuestion> read_questions(const SteadyCommandOptions& options, const std::vector<StringTree>& trees);

}  // namespace vinculum::app
