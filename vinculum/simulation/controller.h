// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// A program that sets inputs at sampling instants and lets them hold in between. The instants are offset + k period, k counted,
// never summed; k = 0 is the first one. What `update` writes acts `delay` later.
struct Controller {
  double period = 0, offset = 0, delay = 0;  // [s]; 0 <= delay < period
  std::vector<int> inputs;                   // that it writes, indices into Model::inputs()
  // Receives the state of the instant, with the inputs from before, and the outputs of the model (Model::outputs().columns).
  // Writes one value per input; when it is called, `values` holds those from before. A failure ends the run.
  std::function<std::optional<Failure>(const State& state, std::span<const double> outputs, std::span<double> values)> update;
};

}  // namespace vinculum
