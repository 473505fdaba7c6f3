// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "command.h"

// The command `realize` in parts: a model (realize.cc), bare problems (realize_problem.cc).
namespace vinculum::app {

struct RealizeOptions : ModelOptions {
  std::vector<std::string> rows, bounds, inputs;
  std::string law, sweep, completion = "mass", problem, critical, output;
  std::optional<double> until, within, region;
  bool certificate = false, spectrum = false, force = false;
  int samples = 41;
  double tolerance = 1e-12;
};

int answer_problem(const RealizeOptions& options, Reply& reply);

}  // namespace vinculum::app
