// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/constraints/idealisation.h"
#include "vinculum/expression/formula_bounds.h"

namespace vinculum {

// The last step of a run, as those who search it see it.
class StepView {
 public:
  virtual ~StepView() = default;
  virtual const State& state_at(double t) = 0;
  virtual Moment moment_at(double t) = 0;
};

// A guard passed zero at t; it falls where a bound begins to be exceeded, in the direction of the motion.
struct GuardPassage {
  int guard = 0;
  double t = 0;
  bool falls = true;
};

// Who searches steps for the passages of its guards by itself, instead of letting them be sampled.
class StepSearcher {
 public:
  virtual ~StepSearcher() = default;
  virtual void search_step(double t0, double t1, StepView& view, std::vector<GuardPassage>& passages) = 0;
};

// One search for everything that is asked of a function along a step: where it passes its bound, and how large it becomes.
//
// The variables of the functions are polynomials through nine points of a piece of the step, known to the size of their last
// terms; bounds of the formula over the piece (formula_bounds.h) decide:
//
//   neither its bound nor its largest value so far is within reach: nothing is to be found there;
//   its rate keeps its sign: the ends of the piece tell both;
//   otherwise the piece is halved, and the variables are looked at anew where the polynomials are not good enough.
//
// Bounds only say where to look: that a function is above its bound is always the word of a value (theory 8, section 2).
class StepSearch {
 public:
  struct Function {
    Expression formula;
    double bound = 0;
  };
  // Values of variables() at t; false where they have none.
  using VariablesAt = std::function<bool(double t, std::span<double> values)>;

  // The error of a variable is taken to be 10 `tolerance` of the largest value it has had.
  StepSearch(std::vector<Function> functions, double tolerance);

  const std::vector<Variable>& variables() const { return variables_; }

  // What was found of one function in a step.
  struct Passage {
    double t = 0;
    bool upwards = true;
  };
  struct Found {
    double most = 0, most_t = 0;
    bool is_known = true;      // it had a value wherever it was looked at,
    double unknown_t = 0;      // and if not, where
    std::vector<Passage> passages{};  // in the direction of the motion
  };
  // `most` the largest value before. The motion goes from t0 to t1.
  const Found& search(std::size_t function, double t0, double t1, double most, const VariablesAt& at);

  // A new step: what was read of the last one is forgotten.
  void forget();

  // At a moment: the value, and whether it is above its bound by more than the error of what it is computed from.
  struct Value {
    double value = 0;
    bool is_above = false;
  };
  Value evaluate(std::size_t function, std::span<const double> variables);

  // For a checkpoint.
  const std::vector<double>& sizes() const { return sizes_; }
  void restore_sizes(std::span<const double> sizes) { sizes_.assign(sizes.begin(), sizes.end()); }

 private:
  static constexpr int kDegree = 8;
  struct Own {
    FormulaBounds bounds;
    std::vector<int> slots;  // of its variables
    double bound;
  };
  struct Point {
    double t;
    bool is_known;
    std::vector<double> values;
  };
  struct Piece {
    double t0, t1;
    Value at0, at1;
    std::vector<double> b, radius;
  };

  const Point& read(double t);
  Value value_at(double t);
  bool fit(Piece& piece);
  bool is_resolved(const Piece& piece) const;
  void visit(Piece& piece, int depth);
  void decide_by_ends(const Piece& piece);
  void take(const Value& value, double t);

  double tolerance_;
  std::vector<Variable> variables_;
  std::vector<Own> own_;
  std::vector<double> sizes_;  // of the variables, the largest so far

  // Of the search at hand.
  const VariablesAt* at_ = nullptr;
  std::size_t function_ = 0;
  double step_ = 0, most_before_ = 0;
  int pieces_ = 0, fits_ = 0;
  Found found_;
  std::vector<Point> points_;  // of this step
  std::vector<double> arguments_, errors_;
};

}  // namespace vinculum
