// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/parse.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"
#include "vinculum/verdict/catalogue.h"

namespace vinculum {
namespace {

using formula::error_of;

struct ErrorCase {
  std::string_view text;
  int offset;
  std::string_view code;
  std::string_view message;
  std::string_view hint = "";
};

TEST(ParseErrors, EachWithItsPlaceItsCodeAndItsCure) {
  const ErrorCase cases[] = {
      {"", 0, "VN-EXPR-001", "the expression is empty"},
      {" \n ", 0, "VN-EXPR-001", "the expression is empty"},

      {"2 # 3", 2, "VN-EXPR-004", "the character '#' has no meaning here"},
      {"# 3", 0, "VN-EXPR-004", "the character '#' has no meaning here"},
      {"x = 2", 2, "VN-EXPR-004", "the character '=' has no meaning here"},
      {"1,5", 1, "VN-EXPR-004", "the character ',' has no meaning here",
       "a decimal point is written '.', and only min, max, atan2, norm, distance, table and if take several arguments"},
      {"x''", 2, "VN-EXPR-004", "a prime stands only at the end of a name, once",
       "accelerations can be used under `outputs` and `events` only"},
      {std::string_view("1\0002", 3), 1, "VN-EXPR-004", "the byte 0 is not text"},
      {std::string_view("1 +\0", 4), 3, "VN-EXPR-004", "the byte 0 is not text"},
      {"1 + \x01", 4, "VN-EXPR-004", "the byte 1 is not text"},
      {"1\x7f", 1, "VN-EXPR-004", "the byte 127 is not text"},

      {".", 0, "VN-EXPR-005", "a point without digits is not a number"},
      {"1e", 1, "VN-EXPR-005", "the exponent of '1' has no digits"},
      {"2.5E+", 3, "VN-EXPR-005", "the exponent of '2.5' has no digits"},
      {"1e+x", 1, "VN-EXPR-005", "the exponent of '1' has no digits"},
      {"1.2.3", 3, "VN-EXPR-005", "a number has one decimal point, and none in its exponent"},
      {"1e2.5", 3, "VN-EXPR-005", "a number has one decimal point, and none in its exponent"},
      {"1 + 1e400", 4, "VN-EXPR-006", "the number '1e400' is outside what a double can hold"},
      {"1e-400", 0, "VN-EXPR-006", "the number '1e-400' is outside what a double can hold"},
      {"1e308 km", 0, "VN-EXPR-006", "the number is outside the range of double precision in base units"},
      {"1 um^99", 0, "VN-EXPR-006", "the number is outside the range of double precision in base units"},

      {"2*lenght", 2, "VN-EXPR-007", "the name 'lenght' is not known", "did you mean 'length'?"},
      {"sled.ty", 0, "VN-EXPR-007", "the name 'sled.ty' is not known", "did you mean 'sled.tx'?"},
      {"sni(x)", 0, "VN-EXPR-007", "the name 'sni' is not known", "did you mean 'sin'?"},
      {"ln(x)", 0, "VN-EXPR-007", "the name 'ln' is not known",
       "the functions are sin, cos, tan, sqrt, exp, log, abs, sign, min, max, tanh, floor, if, atan2, asin, acos, atan, table, "
       "step, norm, distance"},
      {"x + asin(2)", 4, "VN-EXPR-016", "asin of 2 does not exist"},
      {"acos(-1 - 0.5)", 0, "VN-EXPR-016", "acos of -1.5 does not exist"},
      {"asin(3 m)", 5, "VN-EXPR-019", "the argument of asin is a length (m), not a number"},
      {"atan2(3 m, 2 s)", 11, "VN-EXPR-018", "a length (m) and a time (s) cannot be compared"},
      {"atan2(x)", 7, "VN-EXPR-210", "an argument is missing here", "write atan2(A, B)"},
      {"2*kg", 2, "VN-EXPR-007", "the name 'kg' is not known", "a unit must stand right behind a number: 1 kg"},
      {"inf", 0, "VN-EXPR-007", "the name 'inf' is not known", "did you mean 'if'?"},
      {"nan", 0, "VN-EXPR-007", "the name 'nan' is not known", "did you mean 'tan'?"},
      {"2*höhe", 2, "VN-EXPR-007", "the name 'höhe' is not known"},
      {"y'", 0, "VN-EXPR-007", "the name 'y'' is not known", ""},

      {"3 radd", 2, "VN-EXPR-008", "'radd' is not a unit", "did you mean 'rad'?"},
      {"3 Nm", 2, "VN-EXPR-008", "'Nm' is not a unit", "did you mean 'N*m'?"},
      {"0x10", 1, "VN-EXPR-008", "'x10' is not a unit",
       "the units are m cm mm km um in ft kg g lb s ms min h rad deg rev N kN mN lbf J kJ W kW Pa kPa MPa GPa bar Hz rpm"},

      {"3 m^x", 4, "VN-EXPR-009", "the exponent of a unit is a whole number from 1 to 99, or its negative",
       "put the number and its unit in parentheses for other powers"},
      {"3 m^1.5", 4, "VN-EXPR-009", "the exponent of a unit is a whole number from 1 to 99, or its negative",
       "put the number and its unit in parentheses for other powers"},
      {"3 m^100", 4, "VN-EXPR-009", "the exponent of a unit is a whole number from 1 to 99, or its negative",
       "put the number and its unit in parentheses for other powers"},
      {"3 m^2^2", 5, "VN-EXPR-009", "a unit has one exponent only", "put the number and its unit in parentheses"},

      {"2 exp(1)", 2, "VN-EXPR-010", "an operator is missing before 'exp'", "a product is written with *"},
      {"2 length", 2, "VN-EXPR-010", "an operator is missing before 'length'", "a product is written with *"},
      {"2pi", 1, "VN-EXPR-010", "an operator is missing before 'pi'", "a product is written with *"},
      {"2 3", 2, "VN-EXPR-010", "an operator is missing before '3'", "a product is written with *"},
      {"2(3)", 1, "VN-EXPR-010", "an operator is missing before '('", "a product is written with *"},
      {"(x) y", 4, "VN-EXPR-010", "an operator is missing before 'y'", "a product is written with *"},
      {"(x y)", 3, "VN-EXPR-010", "an operator is missing before 'y'", "a product is written with *"},
      {"length(2)", 6, "VN-EXPR-010", "'length' is not a function: an operator is missing before '('"},

      {"2 +", 3, "VN-EXPR-011", "the expression ends where a number or a name is missing"},
      {"-", 1, "VN-EXPR-011", "the expression ends where a number or a name is missing"},
      {"(", 1, "VN-EXPR-011", "the expression ends where a number or a name is missing"},
      {"* 2", 0, "VN-EXPR-011", "a number or a name is missing before '*'"},
      {"2 + * 3", 4, "VN-EXPR-011", "a number or a name is missing before '*'"},
      {"2 */ 3", 3, "VN-EXPR-011", "a number or a name is missing before '/'"},
      {"2**3", 2, "VN-EXPR-011", "a number or a name is missing before '*'", "a power is written ^"},
      {"2^^3", 2, "VN-EXPR-011", "a number or a name is missing before '^'"},
      {"()", 1, "VN-EXPR-011", "there is nothing between the parentheses", "a function takes one argument"},
      {"sin()", 4, "VN-EXPR-011", "there is nothing between the parentheses", "a function takes one argument"},
      {"(1 + )", 5, "VN-EXPR-011", "a number or a name is missing before ')'"},

      {"2*(1 + 2", 2, "VN-EXPR-012", "this parenthesis is never closed"},
      {"sin(x", 3, "VN-EXPR-012", "this parenthesis is never closed"},
      {"1 + 2)", 5, "VN-EXPR-013", "this parenthesis was never opened"},
      {")", 0, "VN-EXPR-011", "a number or a name is missing before ')'"},

      {"sin x", 0, "VN-EXPR-014", "the function 'sin' needs its argument in parentheses", "write sin(..)"},
      {"1 + cos", 4, "VN-EXPR-014", "the function 'cos' needs its argument in parentheses", "write cos(..)"},
      {"sin(x, y)", 5, "VN-EXPR-004", "the character ',' has no meaning here",
       "a decimal point is written '.', and only min, max, atan2, norm, distance, table and if take several arguments"},

      {"min(x)", 5, "VN-EXPR-210", "an argument is missing here", "write min(A, B)"},
      {"max(x, y, 1)", 8, "VN-EXPR-210", "there are too many arguments", "write max(A, B)"},
      {"if(x < y, 1)", 11, "VN-EXPR-210", "an argument is missing here", "write if(A < B, X, Y)"},
      {"if(x, 1, 2)", 4, "VN-EXPR-211", "the condition of 'if' must compare two values here", "write if(A < B, X, Y)"},
      {"if(x < y, 1, 2", 2, "VN-EXPR-012", "this parenthesis is never closed"},
      {"min x", 0, "VN-EXPR-014", "the function 'min' needs its arguments in parentheses", "write min(..)"},
      {"min(1 m, 1 kg)", 9, "VN-EXPR-018", "a length (m) and a mass (kg) cannot be compared"},
      {"if(1 m < 1 kg, x, y)", 7, "VN-EXPR-018", "a length (m) and a mass (kg) cannot be compared"},
      {"if(x < y, 1 m, 1 kg)", 15, "VN-EXPR-018", "a length (m) and a mass (kg) cannot be values of the same 'if'"},
      {"floor(1 m)", 6, "VN-EXPR-019", "the argument of floor is a length (m), not a number"},
      {"x < y", 2, "VN-EXPR-004", "the character '<' has no meaning here"},

      {"1/0", 2, "VN-EXPR-015", "division by zero"},
      {"x/(2 - 2)", 2, "VN-EXPR-015", "division by zero"},
      {"x/ -zero", 3, "VN-EXPR-015", "division by zero"},
      {"1 + sqrt(-1)", 4, "VN-EXPR-016", "sqrt of -1 does not exist"},
      {"sqrt(minus)", 0, "VN-EXPR-016", "sqrt of -2 does not exist"},
      {"log(0)", 0, "VN-EXPR-016", "log of 0 does not exist"},
      {"log(-1)", 0, "VN-EXPR-016", "log of -1 does not exist"},
      {"(-2)^0.5", 4, "VN-EXPR-016", "-2 to the power 0.5 does not exist"},
      {"0^-1", 1, "VN-EXPR-016", "0 to the power -1 does not exist"},
      {"exp(1000)", 0, "VN-EXPR-017", "exp of 1000 is too large for a number"},
      {"1e300*1e300", 5, "VN-EXPR-017", "the result of this operation is too large for a number"},

      {"1 m + 1 kg", 4, "VN-EXPR-018", "a length (m) and a mass (kg) cannot be added"},
      {"2 - length - 3 s", 11, "VN-EXPR-018", "a length (m) and a time (s) cannot be subtracted"},
      {"30 deg + length", 7, "VN-EXPR-018", "a number without unit and a length (m) cannot be added"},
      {"x*(weight*length + length)", 17, "VN-EXPR-018", "a moment (N*m) and a length (m) cannot be added"},
      {"sin(2 m)", 4, "VN-EXPR-019", "the argument of sin is a length (m), not a number"},
      {"1 + log(-weight)", 8, "VN-EXPR-019", "the argument of log is a force (N), not a number"},
      {"2^(1 m)", 2, "VN-EXPR-019", "the exponent is a length (m), not a number"},
  };
  for (const ErrorCase& expected : cases) {
    const ParseError error = error_of(expected.text);
    EXPECT_EQ(error.offset, expected.offset) << expected.text;
    EXPECT_EQ(error.code, expected.code) << expected.text;
    EXPECT_EQ(error.message, expected.message) << expected.text;
    EXPECT_EQ(error.hint, expected.hint) << expected.text;
    EXPECT_NE(find_in_catalogue(error.code), nullptr) << error.code;
  }
}

// The parser runs on the stack: what would overflow it is refused first.
TEST(ParseErrors, DepthAndLengthAreBounded) {
  const auto nested = [](int depth) { return std::string(depth, '(') + "x" + std::string(depth, ')'); };
  EXPECT_EQ(error_of(nested(200)).code, "");
  EXPECT_EQ(error_of(nested(201)).code, "VN-EXPR-003");
  EXPECT_EQ(error_of(nested(201)).offset, 200);
  EXPECT_EQ(error_of(std::string(9'999, '(')).code, "VN-EXPR-003");
  EXPECT_EQ(error_of(std::string(100'000, '(')).code, "VN-EXPR-002");
  EXPECT_EQ(error_of(std::string(10'001, ' ')).code, "VN-EXPR-002");
  EXPECT_EQ(error_of(std::string(10'000, '1')).code, "VN-EXPR-006");

  std::string powers = "x", calls = "x";
  for (int i = 0; i < 1000; ++i) powers += "^x";
  for (int i = 0; i < 201; ++i) calls = "sin(" + calls + ")";
  EXPECT_EQ(error_of(powers).code, "VN-EXPR-003");
  EXPECT_EQ(error_of(calls).code, "VN-EXPR-003");
  EXPECT_EQ(error_of(std::string(9'999, '-') + "x").code, "");
}

TEST(ParseErrors, LongNamesAreCutBetweenCharacters) {
  std::string name = "a";
  for (int i = 0; i < 100; ++i) name += "ö";
  std::string cut = "a";
  for (int i = 0; i < 29; ++i) cut += "ö";
  EXPECT_EQ(error_of(name).message, "the name '" + cut + "..' is not known");
}

// A function is one only before a parenthesis, and a name of the model comes before pi.
TEST(Parse, NamesOfTheModelMayBeFunctions) {
  NameTable table;
  table.variables = {{"log", {VariableKind::coordinate, 0}}, {"pi", {VariableKind::coordinate, 1}}};
  const std::vector<double> q{2.5, 4};
  const auto value = [&](const char* text) {
    return evaluate(std::get<ParsedExpression>(parse_expression(text, table)).expression, {.q = q});
  };
  EXPECT_EQ(value("log*2"), 5);
  EXPECT_EQ(value("log(log)"), std::log(2.5));
  EXPECT_EQ(value("pi"), 4);
}

// Whatever the bytes: an expression, or an error inside the text with a code that exists.
TEST(Parse, AnyTextIsAnswered) {
  const std::string_view tokens[] = {
      "1", "2.5e3", ".", "e",  "x",   "x'", "length", "zero", "sin", "sqrt(", "log", "(",    ")", "+",        "-",    "*",
      "/", "^",     " ", " m", " kg", " N", "^2",     "pi",   ",",   "'",     "\t",  "\x02", "0", "\xc3\xa9", "\xff",
  };
  std::mt19937 random(7);
  int expressions = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (unsigned length = random() % 12; length > 0; --length) text += tokens[random() % std::size(tokens)];
    const auto result = parse_expression(text, formula::names());
    if (const auto* error = std::get_if<ParseError>(&result)) {
      EXPECT_GE(error->offset, 0) << text;
      EXPECT_LE(error->offset, static_cast<int>(text.size())) << text;
      EXPECT_NE(find_in_catalogue(error->code), nullptr) << text;
      EXPECT_FALSE(error->message.empty()) << text;
    } else {
      ++expressions;
    }
  }
  EXPECT_GT(expressions, 500);
}

}  // namespace
}  // namespace vinculum
