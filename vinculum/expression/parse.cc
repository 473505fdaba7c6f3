// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/parse.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vinculum/expression/parser.h"

namespace vinculum {

namespace {

constexpr int kLongestText = 10'000;
constexpr int kDeepestNesting = 200;

// Above this a dimension is not followed any further.
constexpr int kLargestDimension = 1000;

}  // namespace

std::optional<Dimension> to_power(Dimension dimension, double exponent) {
  const double length = dimension.length * exponent, mass = dimension.mass * exponent, time = dimension.time * exponent;
  const double largest = std::max({std::abs(length), std::abs(mass), std::abs(time)});
  const bool is_whole = length == std::trunc(length) && mass == std::trunc(mass) && time == std::trunc(time);
  if (!is_whole || largest > kLargestDimension) return std::nullopt;
  return Dimension{static_cast<int>(length), static_cast<int>(mass), static_cast<int>(time)};
}

ParsedExpression Parser::parse() {
  if (size() > kLongestText) {
    fail("VN-EXPR-002", kLongestText, fmt::format("the expression has {} bytes, more than {}", size(), kLongestText),
         "name its parts as parameters");
  }
  skip_space();
  if (at_end()) fail("VN-EXPR-001", 0, "the expression is empty");
  const Operand result = sum();
  skip_space();
  if (!at_end()) fail_operator_expected();
  return {builder_.build(result.handle), counts(result) ? result.dimension : std::nullopt};
}

Parser::Operand Parser::sum() {
  Operand result = product();
  for (char c = next(); c == '+' || c == '-'; c = next()) {
    const int offset = position_++;
    const Operand right = product();
    result = combine(c == '+' ? Operation::add : Operation::subtract, result, right, offset);
  }
  return result;
}

Parser::Operand Parser::product() {
  Operand result = signed_power();
  for (char c = next(); c == '*' || c == '/'; c = next()) {
    const int offset = position_++;
    const Operand right = signed_power();
    result = combine(c == '*' ? Operation::multiply : Operation::divide, result, right, offset);
  }
  return result;
}

Parser::Operand Parser::signed_power() {
  skip_space();
  const int offset = position_;
  bool is_negative = false;
  for (char c = peek(); c == '+' || c == '-'; c = next()) {
    is_negative = is_negative != (c == '-');
    ++position_;
  }
  Operand result = power();
  if (is_negative) result.handle = builder_.unary(Operation::negate, result.handle);
  result.offset = offset;
  return result;
}

Parser::Operand Parser::power() {
  const Operand base = primary();
  if (next() != '^') return base;
  const int offset = position_++;
  enter(offset);
  const Operand exponent = signed_power();
  leave();
  return combine(Operation::power, base, exponent, offset);
}

Parser::Operand Parser::primary() {
  const char c = next();
  if (is_digit(c) || c == '.') return number();
  if (is_letter(c)) return named();
  if (c == '(') return parenthesised();
  fail_operand_expected();
}

Parser::Operand Parser::parenthesised() {
  const int open = position_++;
  enter(open);
  const Operand inside = sum();
  if (!accept(')')) {
    if (at_end()) fail("VN-EXPR-012", open, "this parenthesis is never closed");
    fail_operator_expected();
  }
  leave();
  return inside;
}

Parser::Operand Parser::combine(Operation operation, const Operand& left, const Operand& right, int offset) {
  const auto left_value = builder_.known_value(left.handle), right_value = builder_.known_value(right.handle);
  if (operation == Operation::divide && right_value == 0.0) fail("VN-EXPR-015", right.offset, "division by zero");

  const Operand result{builder_.binary(operation, left.handle, right.handle), measure_of(operation, left, right, offset),
                       left.offset};
  if (left_value && right_value) {
    const auto value = builder_.known_value(result.handle);
    if (operation == Operation::power && (!value || (*left_value == 0 && std::isinf(*value)))) {
      fail("VN-EXPR-016", offset, fmt::format("{} to the power {} does not exist", *left_value, *right_value));
    }
    if (!value || std::isinf(*value)) fail("VN-EXPR-017", offset, "the result of this operation is too large for a number");
  }
  return result;
}

// A bare number is open: in a sum it takes the dimension of the rest. As a factor it keeps the unit of a quantity that has one,
// so that width/2 is a length. Beside variables alone, products of several quantities or powers it may be a quantity in SI units
// itself, and leaves the product open: "-0.2*boom'", 0.4*3*radius^2, 9.81/length.
Parser::Measure Parser::measure_of(Operation operation, const Operand& left, const Operand& right, int offset) const {
  const std::optional<Dimension>&a = left.dimension, &b = right.dimension;
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::min:
    case Operation::max:
    case Operation::atan2:
    case Operation::choose: {
      const bool differ = a && b && *a != *b;
      if (differ && (counts(left) || counts(right))) {
        fail("VN-EXPR-018", offset,
             fmt::format("{} and {} cannot be {}", describe(*a), describe(*b),
                         operation == Operation::add        ? "added"
                         : operation == Operation::subtract ? "subtracted"
                         : operation == Operation::choose   ? "values of the same 'if'"
                                                            : "compared"));
      }
      if (operation == Operation::atan2) return plain();
      if (differ) return {};
      // Beside a term with a scale a number has it too: 2*(L + 0.5) is a length.
      const auto is_scaled_too = [&](const Operand& term) {
        return term.is_scaled || (term.is_plain && builder_.known_value(term.handle));
      };
      const bool is_scaled = (left.is_scaled || right.is_scaled) && is_scaled_too(left) && is_scaled_too(right);
      return {a ? a : b, left.is_plain && right.is_plain, left.has_unit || right.has_unit, is_scaled};
    }
    case Operation::multiply: return measure_of_product(left, right, false);
    case Operation::divide: return measure_of_product(left, right, true);
    default: break;
  }
  expect_number(right, "the exponent");
  const auto exponent = builder_.known_value(right.handle);
  if (!a) return {std::nullopt, left.is_plain && (right.is_plain || right.dimension), false, false};
  const auto power = exponent ? to_power(*a, *exponent) : std::nullopt;
  return power ? Measure{power, false, left.has_unit, left.is_scaled && *exponent == 1} : Measure{};
}

Parser::Measure Parser::measure_of_product(const Operand& left, const Operand& right, bool divides) {
  const std::optional<Dimension>&a = left.dimension, &b = right.dimension;
  const bool is_scaled = divides ? left.is_scaled && !right.is_scaled : left.is_scaled != right.is_scaled;
  if (a && b) return {divides ? *a / *b : *a * *b, false, left.has_unit || right.has_unit, is_scaled};
  if (left.is_plain && right.is_plain) return plain();
  if (left.is_scaled && right.is_plain) return left;
  if (right.is_scaled && left.is_plain && !divides) return right;
  return {};
}

void Parser::expect_number(const Operand& operand, std::string_view what) const {
  if (operand.dimension.value_or(kDimensionless) == kDimensionless || !counts(operand)) return;
  fail("VN-EXPR-019", operand.offset, fmt::format("{} is {}, not a number", what, describe(*operand.dimension)));
}

void Parser::enter(int offset) {
  if (++depth_ > kDeepestNesting) {
    fail("VN-EXPR-003", offset, fmt::format("the expression is nested deeper than {} levels", kDeepestNesting),
         "name its parts as parameters");
  }
}

void Parser::fail(std::string_view code, int offset, std::string message, std::string hint) const {
  throw ParseError{offset, std::move(message), std::move(hint), code};
}

void Parser::fail_operand_expected() {
  const char c = peek();
  if (at_end()) fail("VN-EXPR-011", position_, "the expression ends where a number or a name is missing");
  if (c == ')' && position_ > 0 && text_[position_ - 1] == '(') {
    fail("VN-EXPR-011", position_, "there is nothing between the parentheses", "a function takes one argument");
  }
  if (c != ')' && c != '*' && c != '/' && c != '^') fail_unknown_character();
  const bool is_double_star = c == '*' && position_ > 0 && text_[position_ - 1] == '*';
  fail("VN-EXPR-011", position_, fmt::format("a number or a name is missing before '{}'", c),
       is_double_star ? "a power is written ^" : "");
}

void Parser::fail_operator_expected() {
  const char c = peek();
  if (c == ')') fail("VN-EXPR-013", position_, "this parenthesis was never opened");
  if (c != '(' && c != '.' && !is_digit(c) && !is_letter(c)) fail_unknown_character();
  const int offset = position_;
  const std::string_view what = c == '(' ? text_.substr(offset, 1) : read_name();
  fail("VN-EXPR-010", offset, fmt::format("an operator is missing before {}", quoted(what)), "a product is written with *");
}

std::variant<ParsedExpression, ParseError> parse_expression(std::string_view text, const NameTable& names) {
  try {
    return Parser(text, names).parse();
  } catch (const ParseError& error) {
    return error;
  }
}

}  // namespace vinculum
