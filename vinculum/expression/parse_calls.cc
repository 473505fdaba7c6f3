// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vinculum/expression/parser.h"
#include "vinculum/expression/table_function.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

Parser::Operand Parser::call(Operation function, std::string_view name, int offset) {
  const Operand argument = parenthesised();
  const int value_of_call =
      function == Operation::atan2 ? inverse(name, argument.handle) : builder_.unary(function, argument.handle);
  Operand result{value_of_call, plain(), offset};
  if (function == Operation::abs) {
    result = {value_of_call, argument, offset};
  } else if (function == Operation::sqrt) {
    const auto root = argument.dimension ? to_power(*argument.dimension, 0.5) : std::nullopt;
    if (!argument.is_plain) result = {value_of_call, Measure{}, offset};
    if (root) result = {value_of_call, Measure{root, false, argument.has_unit, argument.is_scaled}, offset};
  } else if (function != Operation::sign) {
    expect_number(argument, fmt::format("the argument of {}", name));
  }

  if (const auto value = builder_.known_value(argument.handle)) {
    const auto image = builder_.known_value(result.handle);
    if (!image || (std::isinf(*image) && function == Operation::log)) {
      fail("VN-EXPR-016", offset, fmt::format("{} of {} does not exist", name, *value));
    }
    if (std::isinf(*image)) fail("VN-EXPR-017", offset, fmt::format("{} of {} is too large for a number", name, *value));
  }
  return result;
}

// asin, acos and atan as angles of points (functions.h).
int Parser::inverse(std::string_view name, int x) {
  const int one = builder_.constant(1);
  if (name == "atan") return builder_.binary(Operation::atan2, x, one);
  const int product =
      builder_.binary(Operation::multiply, builder_.binary(Operation::subtract, one, x), builder_.binary(Operation::add, one, x));
  const int root = builder_.unary(Operation::sqrt, product);
  return name == "asin" ? builder_.binary(Operation::atan2, x, root) : builder_.binary(Operation::atan2, root, x);
}

Parser::Operand Parser::call_of_two(Operation function, int offset) {
  const std::string form = fmt::format("{}(A, B)", function_name(function));
  const int open = position_++;
  enter(open);
  const Operand left = sum();
  expect_comma(form);
  const Operand right = sum();
  close_arguments(open, form);
  leave();
  return {builder_.binary(function, left.handle, right.handle), measure_of(function, left, right, right.offset), offset};
}

// if(A < B, X, Y), also with > <= >=: choose(B - A, X, Y), of A <= B the opposite of B < A.
Parser::Operand Parser::call_if(int offset) {
  constexpr std::string_view kForm = "if(A < B, X, Y)";
  const int open = position_++;
  enter(open);
  Operand a = sum();
  const char sign = next();
  const int sign_offset = position_;
  if (sign != '<' && sign != '>') {
    fail("VN-EXPR-211", position_, "the condition of 'if' must compare two values here", fmt::format("write {}", kForm));
  }
  ++position_;
  const bool or_equal = peek() == '=';
  if (or_equal) ++position_;
  Operand b = sum();
  measure_of(Operation::min, a, b, sign_offset);
  expect_comma(kForm);
  Operand x = sum();
  expect_comma(kForm);
  Operand y = sum();
  close_arguments(open, kForm);
  leave();
  const Measure measure = measure_of(Operation::choose, x, y, y.offset);
  if (sign == '>') std::swap(a, b);
  if (or_equal) std::swap(a, b), std::swap(x, y);
  const int difference = builder_.binary(Operation::subtract, b.handle, a.handle);
  return {builder_.choose(difference, x.handle, y.handle), measure, offset};
}

// 0 below zero, else 1.
Parser::Operand Parser::call_step(int offset) {
  const Operand argument = parenthesised();
  const int below = builder_.unary(Operation::negate, argument.handle);
  return {builder_.choose(below, builder_.constant(0), builder_.constant(1)), plain(), offset};
}

// norm(a, b, ..), or norm(tip.v) of the three components of a vector.
Parser::Operand Parser::call_norm(int offset) {
  constexpr std::string_view kForm = "norm(A, B) or norm(A, B, C)";
  const int open = position_++;
  enter(open);
  std::vector<Operand> parts;
  if (is_letter(next())) {
    const int begin = position_;
    const std::string_view name = read_name();
    if (next() == ')') {
      if (const auto vector = find_vector(name, begin)) parts.assign(vector->begin(), vector->end());
    }
    if (parts.empty()) position_ = begin;
  }
  if (parts.empty()) {
    parts.push_back(sum());
    while (accept(',')) parts.push_back(sum());
  }
  close_arguments(open, kForm);
  leave();
  return root_of_squares(parts, offset);
}

// Between two points of `outputs`: distance(tip, hook).
Parser::Operand Parser::call_distance(int offset) {
  constexpr std::string_view kForm = "distance(P, Q) with two points of `outputs`";
  const int open = position_++;
  std::array<std::array<Operand, 3>, 2> points;
  for (int k = 0; k < 2; ++k) {
    next();
    const int begin = position_;
    const std::string_view name = read_name();
    if (const auto point = find_vector(fmt::format("{}.", name), begin)) {
      points[k] = *point;
    } else {
      fail("VN-EXPR-031", begin,
           name.empty() ? "the name of a point is missing here" : fmt::format("{} is not a point", quoted(name)),
           fmt::format("write {}: `tip: {{point: [0, 0, 1], of: BODY}}`", kForm));
    }
    if (k == 0) expect_comma(kForm);
  }
  close_arguments(open, kForm);
  std::vector<Operand> parts;
  for (int k = 0; k < 3; ++k) parts.push_back(combine(Operation::subtract, points[0][k], points[1][k], offset));
  return root_of_squares(parts, offset);
}

Parser::Operand Parser::root_of_squares(const std::vector<Operand>& parts, int offset) {
  const int two = builder_.constant(2);
  Operand sum{builder_.binary(Operation::power, parts[0].handle, two), parts[0], offset};
  for (size_t k = 1; k < parts.size(); ++k) {
    const Measure measure = measure_of(Operation::add, sum, parts[k], parts[k].offset);
    const int squares = builder_.binary(Operation::add, sum.handle, builder_.binary(Operation::power, parts[k].handle, two));
    sum = {squares, measure, offset};
  }
  return {builder_.unary(Operation::sqrt, sum.handle), sum, offset};
}

// table(road, x), the function read from a file under that name.
Parser::Operand Parser::call_table(int offset) {
  constexpr std::string_view kForm = "table(NAME, x)";
  const int open = position_++;
  enter(open);
  next();
  const int begin = position_;
  const std::string_view name = read_name();
  const auto found = names_.tables.find(name);
  if (found == names_.tables.end()) {
    std::vector<std::string> known;
    for (const auto& [table, function] : names_.tables) known.push_back(table);
    const std::string nearest = nearest_name(name, known);
    fail("VN-EXPR-030", begin,
         name.empty() ? "the name of a table is missing here" : fmt::format("there is no table {}", quoted(name)),
         !nearest.empty() ? fmt::format("did you mean '{}'?", nearest)
         : known.empty()  ? "tables stand under `tables:`: road: {file: road.csv, x: s, y: height}"
                          : fmt::format("the tables are {}", fmt::join(known, ", ")));
  }
  const TableFunction& function = *found->second;
  expect_comma(kForm);
  const Operand argument = sum();
  close_arguments(open, kForm);
  leave();
  if (function.of && argument.dimension && *function.of != *argument.dimension) {  // the table has a unit: it counts
    fail("VN-EXPR-018", argument.offset,
         fmt::format("the table {} is over {}, its argument here is {}", quoted(name), describe(*function.of),
                     describe(*argument.dimension)));
  }
  const Operand result{builder_.table(found->second, 0, argument.handle),
                       function.result ? with_unit(*function.result) : Measure{}, offset};
  if (const auto value = builder_.known_value(argument.handle); value && !builder_.known_value(result.handle)) {
    fail("VN-EXPR-032", argument.offset,
         fmt::format("the table {} has no value at {}: it goes from {} to {}", quoted(name), *value, function.first,
                     function.last),
         "add `outside: hold` or `outside: extend` to the table");
  }
  return result;
}

void Parser::expect_comma(std::string_view form) {
  if (accept(',')) return;
  if (at_end() || peek() == ')') fail("VN-EXPR-210", position_, "an argument is missing here", fmt::format("write {}", form));
  fail_operator_expected();
}

void Parser::close_arguments(int open, std::string_view form) {
  if (accept(')')) return;
  if (at_end()) fail("VN-EXPR-012", open, "this parenthesis is never closed");
  if (peek() == ',') fail("VN-EXPR-210", position_, "there are too many arguments", fmt::format("write {}", form));
  fail_operator_expected();
}

}  // namespace vinculum
