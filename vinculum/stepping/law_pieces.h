// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/expression/formula_bounds.h"
#include "vinculum/stepping/motion_values.h"

namespace vinculum {

// What constraints carry may change while nothing moves: a force of a moment that a contact takes in whole leaves no trace in the
// motion. So before reactions are checked in a step, the laws of the motion say into which pieces it must be cut.
//
//   unseen(piece) = how far a law leaves the values at the ends of a half of the piece, between them, of the range of its values
//   at
//                   the ends and in the middle; the largest of all laws, by bounds of their formulas.
//
// Reactions are checked in pieces with unseen <= 1/4, and are taken to do unseen of their range between looks as well
// (StepSearch): where that matters the pieces become shorter, until the laws only rise or fall in each half.
class LawPieces {
 public:
  LawPieces(const Model& model, const MotionNumbers& numbers);

  bool empty() const { return laws_.empty(); }

  // A new step, of which `values` tells q and v. Where nothing moves, laws alone decide: their extrema are ends of pieces too.
  // Nothing is computed before it is asked for.
  void begin(StepValues& values, double t0, double t1, bool at_rest);
  std::span<const double> pieces();
  double unseen(double t0, double t1);

 private:
  struct Found {
    double t0, t1, unseen;
  };
  double find_unseen(SearchedFunction& law, double t0, double t1);
  Interval find_range(SearchedFunction& law, std::span<const double> b, double width, int depth);
  void split(double t0, double t1);

  std::vector<SearchedFunction> laws_;
  StepValues* values_ = nullptr;
  double t0_ = 0, step_ = 0;
  bool at_rest_ = false, is_split_ = false;
  std::vector<Found> known_;
  std::vector<double> pieces_;
  StepSearch search_;
  StepFit fit_;
};

// The laws of time of a model: forces, drives and given motions that may change while nothing moves.
bool has_laws_of_time(const Model& model);

}  // namespace vinculum
