// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/parse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "vinculum/expression/functions.h"
#include "vinculum/expression/table_function.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

namespace {

constexpr int kLongestText = 10'000;
constexpr int kDeepestNesting = 200;
constexpr int kLargestUnitExponent = 99;

// Above this a dimension is not followed any further.
constexpr int kLargestDimension = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// For a message: long texts are cut, but never inside a character.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("'{}..'", text.substr(0, end));
}

const FunctionWord* find_function(std::string_view name) {
  for (const FunctionWord& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::optional<Dimension> scaled(Dimension dimension, double exponent) {
  const double length = dimension.length * exponent, mass = dimension.mass * exponent, time = dimension.time * exponent;
  const double largest = std::max({std::abs(length), std::abs(mass), std::abs(time)});
  const bool is_whole = length == std::trunc(length) && mass == std::trunc(mass) && time == std::trunc(time);
  if (!is_whole || largest > kLargestDimension) return std::nullopt;
  return Dimension{static_cast<int>(length), static_cast<int>(mass), static_cast<int>(time)};
}

// Recursive descent: one function for each rule of the grammar. An error is thrown to parse_expression and goes no further.
class Parser {
 public:
  Parser(std::string_view text, const NameTable& names) : text_(text), names_(names) {}

  ParsedExpression parse();

 private:
  struct Operand {
    int handle = 0;
    std::optional<Dimension> dimension;
    int offset = 0;
  };

  Operand sum();
  Operand product();
  Operand signed_power();
  Operand power();
  Operand primary();
  Operand number();
  Operand named();
  int inverse(std::string_view name, int x);
  Operand call(Operation function, std::string_view name, int offset);
  Operand call_of_two(Operation function, int offset);
  Operand call_if(int offset);
  Operand call_table(int offset);
  Operand call_step(int offset);
  Operand call_norm(int offset);
  Operand call_distance(int offset);
  std::optional<Operand> find_variable(std::string_view name, int offset);
  std::optional<std::array<Operand, 3>> find_vector(std::string_view name, int offset);
  Operand root_of_squares(const std::vector<Operand>& parts, int offset);
  void expect_comma(std::string_view form);
  void close_arguments(int open, std::string_view form);
  Operand parenthesised();

  Unit units(int number_offset);
  int unit_exponent();

  Operand combine(Operation operation, const Operand& left, const Operand& right, int offset);
  std::optional<Dimension> dimension_of(Operation operation, const Operand& left, const Operand& right, int offset) const;

  char peek() const { return position_ < size() ? text_[position_] : '\0'; }
  char next() {
    skip_space();
    return peek();
  }
  int size() const { return static_cast<int>(text_.size()); }
  bool at_end() const { return position_ >= size(); }
  bool accept(char c);
  void skip_space();
  void skip_digits();
  std::string_view read_name();
  bool is_known(std::string_view name) const;
  void enter(int offset);
  void leave() { --depth_; }

  [[noreturn]] void fail(std::string_view code, int offset, std::string message, std::string hint = {}) const;
  [[noreturn]] void fail_operand_expected();
  [[noreturn]] void fail_operator_expected();
  [[noreturn]] void fail_unknown_character();
  [[noreturn]] void fail_unknown_name(std::string_view name, int offset);
  std::string find_coordinate_meant(std::string_view name) const;
  [[noreturn]] void fail_unknown_unit(std::string_view name, int offset);

  std::string_view text_;
  const NameTable& names_;
  Expression::Builder builder_;
  int position_ = 0;
  int depth_ = 0;
};

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
  return {builder_.build(result.handle), result.dimension};
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

Parser::Operand Parser::number() {
  const int offset = position_;
  skip_digits();
  if (peek() == '.') {
    ++position_;
    skip_digits();
  }
  const std::string_view mantissa = text_.substr(offset, position_ - offset);
  if (mantissa == ".") fail("VN-EXPR-005", offset, "a point without digits is not a number");

  if (peek() == 'e' || peek() == 'E') {
    const int before_exponent = position_++;
    if (peek() == '+' || peek() == '-') ++position_;
    if (is_digit(peek())) {
      skip_digits();
    } else {
      position_ = before_exponent;
      if (read_name().size() == 1) {
        fail("VN-EXPR-005", before_exponent, fmt::format("the exponent of {} has no digits", quoted(mantissa)));
      }
      position_ = before_exponent;
    }
  }
  if (peek() == '.') fail("VN-EXPR-005", position_, "a number has one decimal point, and none in its exponent");

  // Neither an overflow nor an underflow passes as a number.
  const std::string_view digits = text_.substr(offset, position_ - offset);
  double value = 0;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_zero = mantissa.find_first_of("123456789") == std::string_view::npos;
  if ((trouble != std::errc() && !is_zero) || !std::isfinite(value) || (value == 0 && !is_zero)) {
    fail("VN-EXPR-006", offset, fmt::format("the number {} is outside what a double can hold", quoted(digits)));
  }

  if (!is_letter(next())) return {builder_.constant(is_zero ? 0 : value), std::nullopt, offset};
  const Unit unit = units(offset);
  value = value * unit.factor / unit.divisor;
  if (!std::isfinite(value) || (value == 0 && !is_zero)) {
    fail("VN-EXPR-006", offset, "the number is, in SI units, outside what a double can hold");
  }
  return {builder_.constant(value), unit.dimension, offset};
}

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
    product.dimension = product.dimension * *scaled(unit->dimension, exponent);

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

// A function only before a parenthesis: a body may be called log.
Parser::Operand Parser::named() {
  const int offset = position_;
  const std::string_view name = read_name();
  const FunctionWord* function = find_function(name);
  const bool is_called = next() == '(';
  if (is_called && function != nullptr) {
    if (name == "table") return call_table(offset);
    if (name == "step") return call_step(offset);
    if (name == "norm") return call_norm(offset);
    if (name == "distance") return call_distance(offset);
    if (function->arguments == 1) return call(function->operation, name, offset);
    return function->arguments == 2 ? call_of_two(function->operation, offset) : call_if(offset);
  }

  if (is_called && (is_known(name) || name == "pi")) {
    fail("VN-EXPR-010", position_, fmt::format("{} is not a function: an operator is missing before '('", quoted(name)));
  }
  if (const auto variable = find_variable(name, offset)) return *variable;
  if (const auto parameter = names_.parameters.find(name); parameter != names_.parameters.end()) {
    return {builder_.parameter(parameter->first, parameter->second.value), parameter->second.dimension, offset};
  }
  if (name == "pi") return {builder_.constant(std::numbers::pi), std::nullopt, offset};
  if (name.ends_with("''")) {
    fail("VN-EXPR-004", offset + static_cast<int>(name.size()) - 1, "a prime stands only at the end of a name, once",
         names_.find_quantity ? "accelerations are named by a velocity and one more prime"
                              : "accelerations can be used under `outputs` and `events` only");
  }
  if (function != nullptr) {
    fail("VN-EXPR-014", offset,
         fmt::format("the function {} needs its argument{} in parentheses", quoted(name), function->arguments > 1 ? "s" : ""),
         fmt::format("write {}(..)", name));
  }
  fail_unknown_name(name, offset);
}

Parser::Operand Parser::call(Operation function, std::string_view name, int offset) {
  const Operand argument = parenthesised();
  const int value_of_call =
      function == Operation::atan2 ? inverse(name, argument.handle) : builder_.unary(function, argument.handle);
  Operand result{value_of_call, std::nullopt, offset};
  if (function == Operation::abs) {
    result.dimension = argument.dimension;
  } else if (function == Operation::sqrt) {
    if (argument.dimension) result.dimension = scaled(*argument.dimension, 0.5);
  } else if (function != Operation::sign && argument.dimension.value_or(kDimensionless) != kDimensionless) {
    fail("VN-EXPR-019", argument.offset,
         fmt::format("the argument of {} is {}, not a number", name, describe(*argument.dimension)));
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

// A variable of the table of names, or one that is known when it is asked for.
std::optional<Parser::Operand> Parser::find_variable(std::string_view name, int offset) {
  if (const auto variable = names_.variables.find(std::string(name)); variable != names_.variables.end()) {
    const auto dimension = names_.dimensions.find(variable->first);
    const auto known = dimension == names_.dimensions.end() ? std::nullopt : std::optional(dimension->second);
    return Operand{builder_.variable(variable->second, variable->first), known, offset};
  }
  const auto quantity = names_.find_quantity ? names_.find_quantity(name) : std::nullopt;
  if (!quantity) return std::nullopt;
  return Operand{builder_.variable(quantity->variable, std::string(name)), quantity->dimension, offset};
}

// tip.v -> tip.vx, tip.vy, tip.vz
std::optional<std::array<Parser::Operand, 3>> Parser::find_vector(std::string_view name, int offset) {
  std::array<Operand, 3> parts;
  for (int k = 0; k < 3; ++k) {
    const auto part = find_variable(fmt::format("{}{}", name, "xyz"[k]), offset);
    if (!part) return std::nullopt;
    parts[k] = *part;
  }
  return parts;
}

Parser::Operand Parser::root_of_squares(const std::vector<Operand>& parts, int offset) {
  const int two = builder_.constant(2);
  Operand sum{builder_.binary(Operation::power, parts[0].handle, two), parts[0].dimension, offset};
  for (size_t k = 1; k < parts.size(); ++k) {
    sum.dimension = dimension_of(Operation::add, sum, parts[k], parts[k].offset);
    sum.handle = builder_.binary(Operation::add, sum.handle, builder_.binary(Operation::power, parts[k].handle, two));
  }
  return {builder_.unary(Operation::sqrt, sum.handle), sum.dimension, offset};
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

// 0 below zero, else 1.
Parser::Operand Parser::call_step(int offset) {
  const Operand argument = parenthesised();
  const int below = builder_.unary(Operation::negate, argument.handle);
  return {builder_.choose(below, builder_.constant(0), builder_.constant(1)), std::nullopt, offset};
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
  if (function.of && argument.dimension && *function.of != *argument.dimension) {
    fail("VN-EXPR-018", argument.offset,
         fmt::format("the table {} is over {}, its argument here is {}", quoted(name), describe(*function.of),
                     describe(*argument.dimension)));
  }
  const Operand result{builder_.table(found->second, 0, argument.handle), function.result, offset};
  if (const auto value = builder_.known_value(argument.handle); value && !builder_.known_value(result.handle)) {
    fail("VN-EXPR-032", argument.offset,
         fmt::format("the table {} has no value at {}: it goes from {} to {}", quoted(name), *value, function.first,
                     function.last),
         "`outside: hold` or `outside: extend` lets it go on beyond its ends");
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

Parser::Operand Parser::call_of_two(Operation function, int offset) {
  const std::string form = fmt::format("{}(A, B)", function_name(function));
  const int open = position_++;
  enter(open);
  const Operand left = sum();
  expect_comma(form);
  const Operand right = sum();
  close_arguments(open, form);
  leave();
  return {builder_.binary(function, left.handle, right.handle), dimension_of(function, left, right, right.offset), offset};
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
  dimension_of(Operation::min, a, b, sign_offset);
  expect_comma(kForm);
  Operand x = sum();
  expect_comma(kForm);
  Operand y = sum();
  close_arguments(open, kForm);
  leave();
  const std::optional<Dimension> dimension = dimension_of(Operation::choose, x, y, y.offset);
  if (sign == '>') std::swap(a, b);
  if (or_equal) std::swap(a, b), std::swap(x, y);
  const int difference = builder_.binary(Operation::subtract, b.handle, a.handle);
  return {builder_.choose(difference, x.handle, y.handle), dimension, offset};
}

Parser::Operand Parser::combine(Operation operation, const Operand& left, const Operand& right, int offset) {
  const auto left_value = builder_.known_value(left.handle), right_value = builder_.known_value(right.handle);
  if (operation == Operation::divide && right_value == 0.0) fail("VN-EXPR-015", right.offset, "division by zero");

  const Operand result{builder_.binary(operation, left.handle, right.handle), dimension_of(operation, left, right, offset),
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

// A bare number is open: it takes the dimension of what it is added to, and leaves a product open.
std::optional<Dimension> Parser::dimension_of(Operation operation, const Operand& left, const Operand& right, int offset) const {
  const std::optional<Dimension>&a = left.dimension, &b = right.dimension;
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::min:
    case Operation::max:
    case Operation::atan2:
    case Operation::choose:
      if (a && b && *a != *b) {
        fail("VN-EXPR-018", offset,
             fmt::format("{} and {} cannot be {}", describe(*a), describe(*b),
                         operation == Operation::add        ? "added"
                         : operation == Operation::subtract ? "subtracted"
                         : operation == Operation::choose   ? "values of the same 'if'"
                                                            : "compared"));
      }
      return operation == Operation::atan2 ? std::nullopt : a ? a : b;
    case Operation::multiply: return a && b ? std::optional(*a * *b) : std::nullopt;
    case Operation::divide: return a && b ? std::optional(*a / *b) : std::nullopt;
    default: break;
  }
  if (b.value_or(kDimensionless) != kDimensionless) {
    fail("VN-EXPR-019", right.offset, fmt::format("the exponent is {}, not a number", describe(*b)));
  }
  const auto exponent = builder_.known_value(right.handle);
  return a && exponent ? scaled(*a, *exponent) : std::nullopt;
}

bool Parser::accept(char c) {
  if (next() != c) return false;
  ++position_;
  return true;
}

void Parser::skip_space() {
  while (is_space(peek())) ++position_;
}

void Parser::skip_digits() {
  while (is_digit(peek())) ++position_;
}

std::string_view Parser::read_name() {
  const int offset = position_;
  while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++position_;
  // The driving force of a coordinate: motion:boom.
  if (names_.find_quantity && peek() == ':' && text_.substr(offset, position_ - offset) == "motion") {
    ++position_;
    while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++position_;
  }
  for (int primes = 0; primes < 2 && peek() == '\''; ++primes) ++position_;
  return text_.substr(offset, position_ - offset);
}

bool Parser::is_known(std::string_view name) const {
  return names_.parameters.contains(name) || names_.variables.contains(std::string(name)) ||
         (names_.find_quantity && names_.find_quantity(name));
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

void Parser::fail_unknown_character() {
  const char c = peek();
  if (c == '\'')
    fail("VN-EXPR-004", position_, "a prime stands only at the end of a name, once", "an acceleration has two primes");
  if (c < ' ' || c == '\x7f') fail("VN-EXPR-004", position_, fmt::format("the byte {} is no text", static_cast<int>(c)));
  fail("VN-EXPR-004", position_, fmt::format("the character '{}' has no meaning here", c),
       c == ',' ? "a decimal point is written '.', and only min, max, atan2, norm, distance, table and if take several arguments"
                : "");
}

// b.vx, b.x or b.x' where the model has b.tx: a velocity is the coordinate with a prime.
std::string Parser::find_coordinate_meant(std::string_view name) const {
  const std::size_t point = name.rfind('.');
  if (point == std::string_view::npos) return "";
  const std::string owner(name.substr(0, point + 1));
  std::string_view rest = name.substr(point + 1);
  const bool primed = rest.ends_with('\'');
  if (primed) rest.remove_suffix(1);
  const bool is_rate = rest.size() == 2 && rest[0] == 'v';
  if (is_rate) rest.remove_prefix(1);
  if (rest.size() != 1 || std::string_view("xyz").find(rest[0]) == std::string_view::npos) return "";
  const std::string meant = owner + "t" + std::string(rest) + (is_rate || primed ? "'" : "");
  return names_.variables.count(meant) > 0 ? meant : "";
}

void Parser::fail_unknown_name(std::string_view name, int offset) {
  const bool is_called = next() == '(';
  std::vector<std::string> known;
  for (const FunctionWord& function : kFunctions) known.emplace_back(function.name);
  if (!is_called) {
    known.emplace_back("pi");
    for (const auto& [parameter, value] : names_.parameters) known.push_back(parameter);
    for (const auto& [variable, value] : names_.variables) known.push_back(variable);
    if (names_.list_quantities) {
      for (const std::string& quantity : names_.list_quantities()) known.push_back(quantity);
    }
    std::sort(known.begin(), known.end());
  }

  std::string hint;
  if (find_unit(name)) {
    hint = fmt::format("a unit must stand right behind a number: 1 {}", name);
  } else if (const std::string coordinate = find_coordinate_meant(name); !coordinate.empty()) {
    hint = fmt::format("did you mean '{}'?{}", coordinate,
                       coordinate.ends_with('\'') ? " A velocity is the name of its coordinate with a prime" : "");
  } else if (const std::string nearest = nearest_name(name, known); !nearest.empty()) {
    hint = fmt::format("did you mean '{}'?", nearest);
  } else if (is_called) {
    std::string list;
    for (const std::string& function : known) list += (list.empty() ? "" : ", ") + function;
    hint = "the functions are " + list;
  }
  fail("VN-EXPR-007", offset, fmt::format("the name {} is not known", quoted(name)), hint);
}

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

}  // namespace

std::variant<ParsedExpression, ParseError> parse_expression(std::string_view text, const NameTable& names) {
  try {
    return Parser(text, names).parse();
  } catch (const ParseError& error) {
    return error;
  }
}

}  // namespace vinculum
