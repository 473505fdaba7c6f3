// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/catalogue.h"

#include <algorithm>
#include <iterator>

namespace vinculum {

namespace {

constexpr CatalogueEntry kCatalogue[] = {
    // VN-EXPR: expressions and units
    {"VN-EXPR-001", "an expression is not empty", "Write a number or a formula, or leave the key out."},
    {"VN-EXPR-002", "an expression has at most 10 000 bytes",
     "Give its parts names under `parameters`, or split the law into several forces."},
    {"VN-EXPR-003", "an expression is nested at most 200 levels deep",
     "Parentheses, functions and chains of ^ count as levels. Give the inner parts names under `parameters`."},
    {"VN-EXPR-004", "an expression consists of numbers, names, + - * / ^ and parentheses",
     "Remove the character. A decimal point is '.', a power is '^', and a prime stands once, at the end of a velocity's name."},
    {"VN-EXPR-005", "a number is digits with at most one point, and an exponent of digits",
     "Write it as 12, 0.5, .5, 1e-3 or 2.5E6."},
    {"VN-EXPR-006", "a number is zero or lies between 5e-324 and 1.8e308", "Choose another unit, or check the exponent."},
    {"VN-EXPR-007", "every name in an expression is known",
     "Known are the parameters, pi and, in laws, t, the coordinates and the velocities (with a prime). A unit stands only "
     "right behind a number: 1 kg, not kg."},
    {"VN-EXPR-008", "right behind a number stands a unit or an operator",
     "Units are m cm mm km um in ft kg g lb s ms min h rad deg rev N kN mN J kJ W kW Pa kPa MPa GPa bar Hz rpm, joined by * "
     "and / and raised by ^: 3 N*m/rad."},
    {"VN-EXPR-009", "the units behind a number are read in one way only",
     "An exponent of a unit is a whole number. Where a name of the model is spelt like a unit, 3 N*m, put the number and its "
     "units in parentheses, (3 N)*m, or rename the parameter."},
    {"VN-EXPR-010", "between two operands stands an operator", "A product is written with *: 2*length, 2*(a + b)."},
    {"VN-EXPR-011", "an operator has an operand on each side, a function an argument",
     "Complete the formula, or remove the operator."},
    {"VN-EXPR-012", "every parenthesis is closed", "Add the missing ')'; the place named is that of the open '('."},
    {"VN-EXPR-013", "every closing parenthesis was opened", "Remove the ')', or add the '(' it belongs to."},
    {"VN-EXPR-014", "the argument of a function stands in parentheses", "Write sin(x), with one argument."},
    {"VN-EXPR-015", "nothing is divided by zero", "The divisor is zero whatever the state; check the parameters in it."},
    {"VN-EXPR-016", "a constant part of an expression has a real value",
     "The root of a negative number, the logarithm of zero or less, a negative power of zero and a broken power of a negative "
     "number do not exist; check the parameters in it."},
    {"VN-EXPR-017", "a constant part of an expression is below 1.8e308", "Check exponents and units."},
    {"VN-EXPR-018", "only quantities of one dimension are added",
     "A bare number takes the dimension of what it is added to; two quantities with units must agree."},
    {"VN-EXPR-019", "functions and exponents take numbers without unit",
     "sin, cos, tan, exp and log and the exponent of a power take a number or an angle. Divide by a reference quantity: "
     "exp(length/(1 m))."},

    // VN-FILE: files and their syntax

    // VN-MODEL: what a model says

    // VN-RUN: computations
    {"VN-RUN-001", "an element of the model is not supported yet by the equations of motion",
     "Contacts, velocity constraints, strings and guides are read and checked, but a computation with them is refused until the "
     "equations know them."},

    // VN-URDF: conversion of URDF
};

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kCatalogue; }

const CatalogueEntry* find_in_catalogue(std::string_view code) {
  const auto entry = std::lower_bound(std::begin(kCatalogue), std::end(kCatalogue), code,
                                      [](const CatalogueEntry& e, std::string_view c) { return e.code < c; });
  return entry != std::end(kCatalogue) && entry->code == code ? entry : nullptr;
}

}  // namespace vinculum
