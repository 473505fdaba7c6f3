// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/units.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"

namespace vinculum {
namespace {

using std::numbers::pi;

// Factors: BIPM, The International System of Units, 9th edition; inch, foot and pound: the agreement of 1959.
TEST(Units, QuantitiesInSI) {
  const struct {
    const char* text;
    double value;
    Dimension dimension;
  } cases[] = {
      {"3 m", 3, kLength},
      {"7 cm", 0.07, kLength},
      {"5 mm", 0.005, kLength},
      {"1.2 km", 1200, kLength},
      {"3 um", 3e-6, kLength},
      {"2 in", 0.0508, kLength},
      {"10 ft", 3.048, kLength},
      {"2 kg", 2, kMass},
      {"70 g", 0.07, kMass},
      {"1 lb", 0.45359237, kMass},
      {"4 s", 4, kTime},
      {"7 ms", 0.007, kTime},
      {"2 min", 120, kTime},
      {"0.5 h", 1800, kTime},
      {"2 rad", 2, kDimensionless},
      {"30 deg", 30 * pi / 180, kDimensionless},
      {"180 deg", pi, kDimensionless},
      {"1 rev", 2 * pi, kDimensionless},
      {"9 N", 9, kForce},
      {"9 kN", 9000, kForce},
      {"9 mN", 0.009, kForce},
      {"3 J", 3, kMoment},
      {"3 kJ", 3000, kMoment},
      {"5 W", 5, {2, 1, -3}},
      {"5 kW", 5000, {2, 1, -3}},
      {"8 Pa", 8, {-1, 1, -2}},
      {"8 kPa", 8e3, {-1, 1, -2}},
      {"8 MPa", 8e6, {-1, 1, -2}},
      {"210 GPa", 2.1e11, {-1, 1, -2}},
      {"2 bar", 2e5, {-1, 1, -2}},
      {"50 Hz", 50, {0, 0, -1}},
      {"30 rpm", pi, {0, 0, -1}},
      {"3 N*m/rad", 3, kMoment},
      {"36 km/h", 10, kVelocity},
      {"9.81 m/s^2", 9.81, kAcceleration},
      {"9.81m/s^2", 9.81, kAcceleration},
      {"2e3 m", 2000, kLength},
      {"2e3m", 2000, kLength},
      {"4 kg * m ^ 2", 4, kInertia},
      {"5 cm^2", 5e-4, {2, 0, 0}},
      {"4 s^-2", 4, {0, 0, -2}},
      {"4 m^-2*kg", 4, {-2, 1, 0}},
      {"7 N*s/m", 7, kViscous},
      {"7 N/m*s", 7, kViscous},  // (N/m)·s, from left to right
      {"3 N/cm*ms", 0.3, kViscous},
      {"12 kN/mm", 1.2e7, kStiffness},
      {"6 deg/s", 6 * pi / 180, kAngularVelocity},
  };
  for (const auto& [text, value, dimension] : cases) {
    const ParsedExpression quantity = formula::parsed(text);
    EXPECT_DOUBLE_EQ(quantity.expression.constant_value(), value) << text;
    EXPECT_EQ(quantity.dimension, dimension) << text;
  }
  EXPECT_EQ(formula::expression("7 cm").constant_value(), 0.07);
  EXPECT_DOUBLE_EQ(formula::expression("2 lbf").constant_value(), 2 * 0.45359237 * 9.80665);
}

TEST(Units, EveryListedUnitIsFound) {
  EXPECT_EQ(unit_names().size(), 32u);
  for (const std::string& name : unit_names()) EXPECT_TRUE(find_unit(name)) << name;
  EXPECT_FALSE(find_unit("parsec"));
  EXPECT_FALSE(find_unit(""));
}

// Units end where something else begins.
TEST(Units, TheTailOfANumber) {
  const formula::Point point{.t = 2, .q = {3}};
  const auto value = [&](const char* text) { return evaluate(formula::expression(text), point.bindings()); };
  EXPECT_EQ(value("5 cm*x"), 0.05 * 3);
  EXPECT_EQ(value("5 m/2"), 2.5);
  EXPECT_EQ(value("6 m/x"), 2);
  EXPECT_EQ(value("2 m*sin(t)"), 2 * std::sin(2.0));
  EXPECT_EQ(value("3 m/s*t"), 6);
  EXPECT_EQ(value("3 m/s*2 s"), 6);
  EXPECT_EQ(value("2 m^2*x"), 6);
  EXPECT_EQ(value("(2 m)^2"), 4);
  EXPECT_EQ(value("-3 N*m/rad*x"), -9);
  EXPECT_EQ(value("2*3 cm"), 0.06);
}

// A name of the model that is spelt like a unit: the unit right behind a number, the name elsewhere, and in doubt neither.
TEST(Units, NamesLikeUnits) {
  const NameTable table{.parameters = {{"m", {2, kMass}}}, .variables = {{"bar", {VariableKind::coordinate, 0}}}};
  const auto value = [&](const char* text) {
    return evaluate(std::get<ParsedExpression>(parse_expression(text, table)).expression, {.q = std::vector<double>{7}});
  };
  EXPECT_EQ(value("m"), 2);
  EXPECT_EQ(value("3*m"), 6);
  EXPECT_EQ(value("3 m"), 3);
  EXPECT_EQ(value("bar*1 kg"), 7);
  EXPECT_EQ(value("(3 N)*m"), 6);

  const auto error = std::get<ParseError>(parse_expression("9.81 m/s^2*m", table));
  EXPECT_EQ(error.code, "VN-EXPR-009");
  EXPECT_EQ(error.offset, 11);
  EXPECT_EQ(error.hint, "write (9.81 m/s^2)*m if the name is meant, or give it another name");
  EXPECT_EQ(std::get<ParseError>(parse_expression("3 N/rad*bar", table)).offset, 8);
}

// Numbers are open; a product or a sum with one takes the dimension that is there.
TEST(Units, DimensionsOfExpressions) {
  const std::optional<Dimension> open;
  const struct {
    const char* text;
    std::optional<Dimension> dimension;
  } cases[] = {
      {"2", open},
      {"pi", open},
      {"x", open},
      {"bare", open},
      {"length", kLength},
      {"-length", kLength},
      {"+(length)", kLength},
      {"100/length", open},
      {"2*length", kLength},
      {"length + 1", kLength},
      {"1 - length", kLength},
      {"length + x", kLength},
      {"length + 2 cm", kLength},
      {"2 m*3 m", Dimension{2, 0, 0}},
      {"6 m/(2 s)", kVelocity},
      {"length/(2 m)", kDimensionless},
      {"weight*length", kMoment},
      {"weight/length", kStiffness},
      {"length^2", Dimension{2, 0, 0}},
      {"length^-n", Dimension{-3, 0, 0}},
      {"length^0", kDimensionless},
      {"length^0.5", open},
      {"(length^2)^0.5", kLength},
      {"length^x", open},
      {"sqrt(length^2)", kLength},
      {"sqrt(length)", open},
      {"sqrt(2 m/(9.81 m/s^2))", kTime},
      {"abs(weight)", kForce},
      {"sin(30 deg)", open},
      {"exp(x)", open},
      {"length^1000^1", Dimension{1000, 0, 0}},
      {"length^1001", open},
      {"sin(length/(1 m))", open},
      {"cos(x)*length", kLength},
  };
  for (const auto& [text, dimension] : cases) EXPECT_EQ(formula::parsed(text).dimension, dimension) << text;
}

TEST(Units, DimensionsAsText) {
  const struct {
    Dimension dimension;
    const char* text;
    const char* description;
  } cases[] = {
      {kDimensionless, "1", "a number without unit"},
      {kLength, "m", "a length (m)"},
      {kMass, "kg", "a mass (kg)"},
      {kTime, "s", "a time (s)"},
      {kVelocity, "m/s", "a velocity (m/s)"},
      {kAcceleration, "m/s^2", "an acceleration (m/s^2)"},
      {kAngularVelocity, "1/s", "an angular velocity (1/s)"},
      {kForce, "N", "a force (N)"},
      {kMoment, "N*m", "a moment (N*m)"},
      {kInertia, "kg*m^2", "a moment of inertia (kg*m^2)"},
      {kStiffness, "N/m", "a stiffness (N/m)"},
      {kViscous, "N*s/m", "a viscous coefficient (N*s/m)"},
      {{2, 1, -1}, "N*m*s", "a quantity in N*m*s"},
      {{2, 1, -3}, "W", "a power (W)"},
      {{-1, 1, -2}, "Pa", "a pressure (Pa)"},
      {{1, 1, 0}, "kg*m", "a quantity in kg*m"},
      {{2, 0, 0}, "m^2", "a quantity in m^2"},
      {{-3, 1, 0}, "kg/m^3", "a quantity in kg/m^3"},
      {{-1, 0, -2}, "1/m/s^2", "a quantity in 1/m/s^2"},
  };
  for (const auto& [dimension, text, description] : cases) {
    EXPECT_EQ(to_text(dimension), text);
    EXPECT_EQ(describe(dimension), description);
  }
  EXPECT_EQ(kForce * kLength, kMoment);
  EXPECT_EQ(kMoment / kLength, kForce);
}

}  // namespace
}  // namespace vinculum
