// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "vinculum/expression/expression.h"

namespace vinculum {

// The functions of the language, each of one argument. A file has no need of sign, but a derivative of abs reads back with it.
inline constexpr std::pair<std::string_view, Operation> kFunctions[] = {
    {"sin", Operation::sin}, {"cos", Operation::cos}, {"tan", Operation::tan}, {"sqrt", Operation::sqrt},
    {"exp", Operation::exp}, {"log", Operation::log}, {"abs", Operation::abs}, {"sign", Operation::sign},
};

constexpr std::string_view function_name(Operation operation) {
  for (const auto& [name, function] : kFunctions) {
    if (function == operation) return name;
  }
  return {};
}

}  // namespace vinculum
