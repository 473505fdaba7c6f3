// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/expression/expression.h"
#include "vinculum/model/model.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// name = formula, where the formula has a value of its own in this unit; empty: it has none, for it depends on the state.
struct Definition {
  std::string name;
  Expression formula;
  std::string unit;
};

// One equation of A v' + h = tau, written with the names of the model: a velocity's name with one more prime is its rate.
struct DerivedEquation {
  std::string of;  // the velocity, or the angle of the closed form, whose force it tells
  Expression left, right;
};

struct DerivedEquations {
  bool is_closed_form = false;
  std::vector<Definition> angles;  // of the closed form, by the coordinates
  std::vector<DerivedEquation> equations;
  std::vector<Definition> motions;      // driven coordinates; the force that drives one stands in its equation
  std::vector<Definition> definitions;  // of all names that are not the model's own
  int terms = 0;                        // of all equations, multiplied out
};

// Longer equations are not written: nobody reads them, and the text of sums within sums takes its time.
inline constexpr int kMostWrittenTerms = 5000;

enum class DerivedForm {
  automatic,  // closed where the tree has one
  closed,     // planar trees, in absolute angles
  joint,      // in the coordinates of the joints
};

struct DeriveOptions {
  DerivedForm form = DerivedForm::automatic;
  int most_terms = 300;  // at most kMostWrittenTerms
  AskStop stop;
};

// Equations of motion of a tree as formulas, with the parameters of its file by name. The laws are those of the recursion: it is
// written down once with the numbers of the model left open (trace_forces_of_numbers) and repeated on trigonometric polynomials.
// Balls keep their quaternions and angular velocities.
//
// Refused: constraints (their rows and multipliers are not written), a form that the tree does not have, more terms than wanted;
// VN-RUN-150 if it was stopped.
Outcome<DerivedEquations> derive_equations(const Model& model, const DeriveOptions& options = {});

// The first reason why equations of the tree alone would be wrong; none if they are right.
std::optional<Failure> check_unconstrained(const Model& model);

}  // namespace vinculum
