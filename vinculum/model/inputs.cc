// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/inputs.h"

#include <cmath>

#include <fmt/core.h>

#include "vinculum/model/units.h"

namespace vinculum {

namespace {

constexpr std::string_view kOutside = "VN-INPUT-001";

// "cannot be 30 N*m: its range is -20 to 20 N*m"; empty if it can.
std::string why_not(const Input& input, double value) {
  const auto [low, high] = input.range.value_or(std::array{-HUGE_VAL, HUGE_VAL});
  if (std::isfinite(value) && value >= low && value <= high) return "";
  const std::string unit = behind_number(input.unit);
  const std::string text = fmt::format("cannot be {:.9g}{}", value, unit);
  return input.range ? fmt::format("{}: its range is {:.9g} to {:.9g}{}", text, low, high, unit) : text;
}

std::string what_to_do(const Input& input) {
  return input.range ? fmt::format("give a value in its range, or change `range` of '{}'", input.name) : "give a finite number";
}

}  // namespace

std::optional<Failure> check_input_value(const Input& input, double value) {
  const std::string text = why_not(input, value);
  if (text.empty()) return std::nullopt;
  return Failure{kOutside, fmt::format("the input '{}' {}", input.name, text), what_to_do(input)};
}

void check_input_value(const Input& input, double value, Place place, Diagnostics& diagnostics) {
  const std::string text = why_not(input, value);
  if (!text.empty()) diagnostics.error(kOutside, place, fmt::format("input '{}'", input.name), "it " + text, what_to_do(input));
}

void check_inputs(const Model& model, const State& state, Diagnostics& diagnostics) {
  for (const Input& input : model.inputs()) check_input_value(input, state.q[input.q], {}, diagnostics);
}

}  // namespace vinculum
