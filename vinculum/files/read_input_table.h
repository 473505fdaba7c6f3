// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "vinculum/model/model.h"
#include "vinculum/simulation/input_table.h"

namespace vinculum {

// Values of inputs over time from a CSV file: a column `t` [s], then columns named by inputs of the model. A unit in brackets
// behind a name converts the column; without one its numbers are in the unit of the input. Times ascend, each once; a value
// outside the range of its input is an error. Null after reporting what is wrong.
std::shared_ptr<const InputTable> read_input_table(const std::string& path, const Model& model, Diagnostics& diagnostics);

}  // namespace vinculum
