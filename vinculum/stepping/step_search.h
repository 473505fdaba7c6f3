// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/constraints/step_values.h"
#include "vinculum/expression/formula_bounds.h"

namespace vinculum {

// Is it above the largest value so far, if there is one? By what its peak is known to, at least: one that comes again, or a value
// that stays, keeps its first moment.
inline constexpr double kPeakKnown = 1e-10;
inline bool is_record(double value, std::optional<double> most) { return !most || value > *most + kPeakKnown * std::abs(*most); }
// The same of the smallest value.
inline bool is_low_record(double value, std::optional<double> least) {
  return is_record(-value, least ? std::optional<double>(-*least) : std::nullopt);
}

// A quantity along a step that is searched: one of the values, or a formula of them.
struct SearchedFunction {
  static constexpr int kTime = -1;

  std::optional<FormulaBounds> formula;  // none: the value slots[0] itself
  std::vector<int> slots;                // numbers of its variables; kTime: t
  bool is_dear = false;                  // its values are few: each is a solution of the equations of motion
  double bound = 0;                      // crossings of it are looked for
  bool is_strict = false;                // a value that stays on the bound counts as one above it
  bool wants_crossings = true, wants_most = true;
};

// Polynomials of some values through the ends of a piece of a step and Chebyshev points between them, in Bernstein form.
struct StepFit {
  int degree = 0;
  std::vector<double> b, radius;  // of each slot; the radius is the size of the last two coefficients

  // False where one has no value. The degree is 2, 4 or 8; points of half the degree are every second one, to the bit.
  bool fit(std::span<const int> slots, StepValues& values, double t0, double t1, int degree);

 private:
  std::vector<double> samples_;
};

// What a search found of one function.
struct SearchFound {
  struct Stretch {
    double t0, t1;
  };
  // Times, in the direction of the motion, at which its values tell everything: the ends of the step, places on both sides of
  // every crossing, and that of the largest value, if it is above `most`.
  std::vector<double> times;
  // Of a strict bound: where it is constant by its formula, near the bound.
  std::vector<Stretch> flat;
};

// One search for all that is asked of a quantity along a step: where it crosses its bound, and how large it becomes.
//
// The values it is made of are polynomials through 3, 5 or 9 Chebyshev points of a piece of the step, known to the size of their
// last two coefficients. Bounds of the formula over the piece (formula_bounds.h) decide:
//
//   neither the bound nor the largest value so far is within reach:  the piece is closed;
//   the rate keeps its sign:                                         the ends of the piece say both;
//   otherwise                                                        more points, where the polynomials are too coarse; else
//   halves.
//
// Shorter pieces come after all longer ones, a thousand at most: a formula whose bounds stay wide however short a piece is, as
// those of x*x - x^2, is then judged by its values there. Bounds only say where to look. Whether the function is above its bound
// is the word of its values at the times found, so that the largest value, first violation and duration made of them cannot
// disagree (theory 8, section 2).
class StepSearch {
 public:
  // `most` the largest value so far, if there is one. Dear functions are checked in StepValues::pieces.
  const SearchFound& search(SearchedFunction& function, StepValues& values, double t0, double t1, std::optional<double> most);
  const SearchFound& found() const { return found_; }

 private:
  struct Piece {
    double t0 = 0, t1 = 0;
    bool is_fitted = false;
    StepFit fit;
  };

  // In memory that is kept.
  struct Pieces {
    std::vector<Piece> list;
    std::size_t count = 0;
    Piece& add(double t0, double t1);
  };

  bool fit(Piece& piece, int degree);
  bool is_resolved(const Piece& piece) const;
  bool hides_laws(const Piece& piece);
  double noise_of(const Piece& piece, std::size_t slot) const;
  void visit(Piece& piece, int depth);
  void visit_without_values(const Piece& piece, int depth);
  Bounds bound(const Piece& piece);
  double end_value(const Piece& piece, bool last);
  double error_of(const Piece& piece);
  void take(double value, double t);
  void suggest(double t) { found_.times.push_back(t); }
  void suggest_crossing(const Piece& piece, double first, double last);
  void suggest_all(const Piece& piece);

  // Of the search at hand.
  SearchedFunction* function_ = nullptr;
  StepValues* values_ = nullptr;
  std::optional<double> best_;
  double step_ = 0, best_t_ = 0;
  int pieces_ = 0, fits_ = 0, without_bounds_ = 0, most_fits_ = 0;
  SearchFound found_;
  Pieces now_, next_;   // of one length, and of half of it
  Piece left_, right_;  // scratch
  std::vector<double> arguments_, errors_;
};

}  // namespace vinculum
