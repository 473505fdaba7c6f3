// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// A value that an input cannot have: VN-INPUT-001, with the value and the range. None if it can. Nothing is clamped.
std::optional<Failure> check_input_value(const Input& input, double value);

// The same as an error about the model, or about a state that was read from somewhere.
void check_input_value(const Input& input, double value, Place place, Diagnostics& diagnostics);
void check_inputs(const Model& model, const State& state, Diagnostics& diagnostics);

}  // namespace vinculum
