// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/parse.h"

// The names all tests of this room share, and where their values are.
namespace vinculum::formula {

inline constexpr Variable kT{VariableKind::time, 0};
inline constexpr Variable kX{VariableKind::coordinate, 0};
inline constexpr Variable kY{VariableKind::coordinate, 1};
inline constexpr Variable kXRate{VariableKind::velocity, 0};

inline NameTable names() {
  NameTable table;
  table.variables = {{"t", kT},
                     {"x", kX},
                     {"y", kY},
                     {"x'", kXRate},
                     {"sled.tx", {VariableKind::coordinate, 2}},
                     {"sled.tx'", {VariableKind::velocity, 2}},
                     {"größe", {VariableKind::coordinate, 3}}};
  table.parameters = {{"length", {0.8, kLength}}, {"weight", {20, kForce}},    {"bare", {4, std::nullopt}},
                      {"n", {3, std::nullopt}},   {"zero", {0, std::nullopt}}, {"minus", {-2, kDimensionless}}};
  return table;
}

struct Point {
  double t = 0;
  std::array<double, 4> q{};
  std::array<double, 3> v{};

  Bindings bindings() const { return {.time = t, .q = q, .v = v}; }
};

inline ParsedExpression parsed(std::string_view text) {
  const auto result = parse_expression(text, names());
  if (const auto* error = std::get_if<ParseError>(&result)) {
    throw std::runtime_error(std::string(text) + ": " + error->message + " [" + std::string(error->code) + "]");
  }
  return std::get<ParsedExpression>(result);
}

inline Expression expression(std::string_view text) { return parsed(text).expression; }

// The error of a text that has one; an empty code if it has none.
inline ParseError error_of(std::string_view text) {
  const auto result = parse_expression(text, names());
  const auto* error = std::get_if<ParseError>(&result);
  return error != nullptr ? *error : ParseError{-1, "no error", "", ""};
}

}  // namespace vinculum::formula
