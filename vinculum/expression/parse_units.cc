// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "vinculum/expression/parser.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

namespace {

constexpr int kLargestUnitExponent = 99;

// Ways to write a unit that other programs know.
std::string_view usual_writing(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"kmh", "km/h"},   {"kph", "km/h"},    {"mph", "0.44704 m/s"}, {"kgf", "9.80665 N"}, {"psi", "6894.757293168361 Pa"},
      {"degree", "deg"}, {"degrees", "deg"}, {"radians", "rad"},     {"sec", "s"},         {"secs", "s"},
      {"second", "s"},   {"seconds", "s"},   {"hour", "h"},          {"hours", "h"},       {"minutes", "min"},
      {"inch", "in"},    {"feet", "ft"},     {"lbs", "lb"},          {"metre", "m"},       {"meter", "m"},
      {"meters", "m"},   {"t", "1000 kg"},   {"tonne", "1000 kg"}};
  for (const auto& [other, ours] : kOthers) {
    if (other == name) return ours;
  }
  return {};
}

}  // namespace

// The units behind a number end before the first factor that is no unit; where that may be a unit or a name of the model, neither
// is guessed.
Unit Parser::units(int number_offset) {
  Unit product;
  bool divides = false;
  while (true) {
    const int offset = position_;
    const std::string_view name = read_name();
    const std::optional<Unit> unit = find_unit(name);
    if (!unit) fail_unknown_unit(name, offset);
    const int exponent = (divides ? -1 : 1) * unit_exponent();
    const double magnitude = std::abs(exponent);
    const double factor = std::pow(unit->factor, magnitude), divisor = std::pow(unit->divisor, magnitude);
    product.factor *= exponent > 0 ? factor : divisor;
    product.divisor *= exponent > 0 ? divisor : factor;
    product.dimension = product.dimension * *to_power(unit->dimension, exponent);

    const char c = next();
    const int operator_offset = position_;
    if (c == '^') fail("VN-EXPR-009", position_, "a unit has one exponent only", "put the number and its unit in parentheses");
    if (c != '*' && c != '/') return product;

    ++position_;
    skip_space();
    const int next_offset = position_;
    const std::string_view next_name = is_letter(peek()) ? read_name() : std::string_view();
    if (!find_unit(next_name) || next() == '(') {
      position_ = operator_offset;
      return product;
    }
    if (is_known(next_name)) {
      const std::string_view quantity = text_.substr(number_offset, operator_offset - number_offset);
      fail("VN-EXPR-009", next_offset, fmt::format("{} may be the unit or the name of the model", quoted(next_name)),
           fmt::format("write ({}){}{} if the name is meant, or give it another name", quantity, c, next_name));
    }
    position_ = next_offset;
    divides = c == '/';
  }
}

// ['^' integer], 1 if there is none.
int Parser::unit_exponent() {
  if (!accept('^')) return 1;
  skip_space();
  const int offset = position_;
  const bool is_negative = peek() == '-';
  if (is_negative || peek() == '+') ++position_;
  const char* first = text_.data() + position_;
  skip_digits();
  int exponent = 0;
  const auto [end, trouble] = std::from_chars(first, text_.data() + position_, exponent);
  if (end == first || trouble != std::errc() || exponent > kLargestUnitExponent || exponent == 0 || peek() == '.') {
    fail("VN-EXPR-009", offset,
         fmt::format("the exponent of a unit is a whole number from 1 to {}, or its negative", kLargestUnitExponent),
         "put the number and its unit in parentheses for other powers");
  }
  return is_negative ? -exponent : exponent;
}

void Parser::fail_unknown_unit(std::string_view name, int offset) {
  if (is_known(name) || name == "pi" || find_function(name)) {
    fail("VN-EXPR-010", offset, fmt::format("an operator is missing before {}", quoted(name)), "a product is written with *");
  }
  std::string hint;
  for (std::size_t i = 1; i < name.size() && hint.empty(); ++i) {
    if (find_unit(name.substr(0, i)) && find_unit(name.substr(i))) {
      hint = fmt::format("did you mean '{}*{}'?", name.substr(0, i), name.substr(i));
    }
  }
  if (const std::string_view ours = usual_writing(name); !ours.empty()) hint = fmt::format("it is written '{}' here", ours);
  if (const std::string nearest = nearest_name(name, unit_names()); hint.empty() && !nearest.empty()) {
    hint = fmt::format("did you mean '{}'?", nearest);
  }
  if (hint.empty()) hint = fmt::format("the units are {}", fmt::join(unit_names(), " "));
  fail("VN-EXPR-008", offset, fmt::format("{} is not a unit", quoted(name)), hint);
}

}  // namespace vinculum
