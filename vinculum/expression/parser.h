// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/expression/functions.h"
#include "vinculum/expression/parse.h"
#include "vinculum/expression/units.h"

// Private to the reader of formulas: parse*.cc.
namespace vinculum {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// For a message: long texts are cut, but never inside a character.
std::string quoted(std::string_view text);

// Nothing where an exponent of the result is no whole number, or too large to be followed any further.
std::optional<Dimension> to_power(Dimension dimension, double exponent);

const FunctionWord* find_function(std::string_view name);

// Recursive descent: one function for each rule of the grammar. An error is thrown to parse_expression and goes no further.
//   parse.cc         the rules of sums, products and powers, and what they do to dimensions
//   parse_calls.cc   functions and their arguments
//   parse_names.cc   names of the model, of functions, and what may have been meant
//   parse_units.cc   units behind numbers
//   parse_text.cc    characters, numbers, names as they are written
class Parser {
 public:
  Parser(std::string_view text, const NameTable& names) : text_(text), names_(names) {}

  ParsedExpression parse();

 private:
  // What a part of a formula is measured in, and how sure that is.
  struct Measure {
    std::optional<Dimension> dimension;  // none: open, a bare number is taken in SI units whatever is asked for
    bool is_plain = false;               // open, and made of numbers and functions alone: a factor that keeps the unit
    bool has_unit = false;               // a number or parameter with a unit takes part, so that the dimension is meant
    bool is_scaled = false;              // one such number or parameter is a factor of the whole: k*a, and not a - L or L^2
  };
  struct Operand : Measure {
    Operand() = default;
    Operand(int of, Measure measure, int at) : Measure(measure), handle(of), offset(at) {}

    int handle = 0;
    int offset = 0;
  };
  static Measure plain() { return {std::nullopt, true, false, false}; }
  static Measure with_unit(Dimension dimension) { return {dimension, false, true, true}; }
  // Is a wrong dimension of this operand an error?
  bool counts(const Operand& operand) const { return names_.is_strict || operand.has_unit; }
  void expect_number(const Operand& operand, std::string_view what) const;

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
  Measure measure_of(Operation operation, const Operand& left, const Operand& right, int offset) const;
  static Measure measure_of_product(const Operand& left, const Operand& right, bool divides);

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

}  // namespace vinculum
