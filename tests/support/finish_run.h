// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "vinculum/simulation/run.h"

namespace vinculum::testing {

// A run from the model's start that reaches its end.
inline RunResult finish_run(const Model& model, const RunOptions& options) {
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  if (result->failure) throw std::runtime_error(result->failure->message);
  return *result;
}

}  // namespace vinculum::testing
