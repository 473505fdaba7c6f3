// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vinculum/expression/evaluate.h"
#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// True if a law that enters the equations of motion looks something up in a table.
bool has_law_tables(const Model& model);

// A table that a law asks for a value outside its range, at this time and state: VN-RUN-171, with the range.
std::optional<Failure> find_outside_table(const Model& model, const Bindings& at);

}  // namespace vinculum
