// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "vinculum/expression/expression.h"
#include "vinculum/expression/units.h"

namespace vinculum {

struct TableFunction;  // table_function.h

// The names an expression may use beside pi and the functions.
struct NameTable {
  struct Parameter {
    double value = 0;
    std::optional<Dimension> dimension;  // none: a bare number, taken as SI whatever is asked for
  };
  std::map<std::string, Parameter, std::less<>> parameters;
  std::unordered_map<std::string, Variable> variables;    // t, coordinates, velocities (with their prime), x and y
  std::unordered_map<std::string, Dimension> dimensions;  // of variables
  // A formula must keep to the dimensions of its variables in every case. Else only where it has a number or a parameter with a
  // unit: "-0.2*boom'" is a moment, and so is "-c*boom'" if c is in N*m*s.
  bool is_strict = false;
  std::map<std::string, std::shared_ptr<const TableFunction>, std::less<>> tables;

  // Further variables, known when they are asked for: boom'', foot.normal, motion:boom, tip.vx.
  struct Quantity {
    Variable variable;
    std::optional<Dimension> dimension;
  };
  std::function<std::optional<Quantity>(std::string_view)> find_quantity;
  std::function<std::vector<std::string>()> list_quantities;  // names to compare a wrong one with
};

// What is wrong with a text, and where in it.
struct ParseError {
  int offset = 0;  // in bytes from the start of the text
  std::string message;
  std::string hint;
  std::string_view code;  // VN-EXPR-...
};

struct ParsedExpression {
  Expression expression;
  std::optional<Dimension> dimension;  // none where bare numbers leave it open
};

// Either the expression or the first error in the text.
//
//   sum     = product (('+' | '-') product)*
//   product = signed (('*' | '/') signed)*
//   signed  = ('+' | '-')* power                           -2^2 = -4
//   power   = primary ('^' signed)?                        right-associative
//   primary = number [units] | name | function '(' arguments ')' | '(' sum ')'
//   arguments = sum (',' sum)*; of if: sum ('<' | '<=' | '>' | '>=') sum ',' sum ',' sum; of table: name ',' sum;
//               of distance: name ',' name; of norm: sum (',' sum)*, or the name of three variables without its last letter
//   units   = unit ['^' integer] (('*' | '/') unit ['^' integer])*      only right behind a number: 3 N*m/rad
//
// A name is letters, digits, '_' and '.', and may end in a prime: sled.tx', or two: sled.tx''. A unit name that is also a known
// name is the name, except right behind the number, where it is the unit; further in the units, 3 N*m, either may be meant and it
// is an error. The functions (functions.h) are such only before '(', so that a body may be called log. Nesting deeper than 200
// and texts longer than 10 000 bytes are refused, and so is a constant part without a finite value.
std::variant<ParsedExpression, ParseError> parse_expression(std::string_view text, const NameTable& names);

}  // namespace vinculum
