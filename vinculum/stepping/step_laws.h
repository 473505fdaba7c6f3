// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "vinculum/expression/formula_bounds.h"
#include "vinculum/integration/step_polynomial.h"
#include "vinculum/model/model.h"
#include "vinculum/series/formula_series.h"

namespace vinculum {

// The formulas that make the motion, in t, q and v: forces, rates of states, laws of rows, given motions and environment bodies.
// The forces come first.
std::vector<const Expression*> list_laws_of_motion(const Model& model);

// The laws of a model that know the state. A step that is long beside what such a law does within it would not see it: a barrier
// 1 mm wide falls between the places where an integrator looks, and the body passes through. So every step is checked after it
// was tried and before it is accepted: the step's own polynomial says where the arguments go, bounds of the formula what the law
// can be there (formula_bounds.h), and that is compared with what the integrator has seen of the law.
//
//   U:  hull of the law as it was seen at the two ends of a piece, widened by a tenth of the range of all that was seen in the
//       step and a thousandth of its size, and by what could not change a velocity by its tolerance even if it lasted
//       for the whole step
//
// A piece is safe if the law stays within U: by its bounds, by bounds of its rate from the middle, or because it rises or falls
// throughout and both ends are within. Otherwise it is halved. The step is good up to the first piece that cannot be shown to be
// safe (theory 8, sections 1.2 to 1.4). Where 400 pieces of a law neither show it to be safe nor find a value outside, it is
// taken to be safe.
//
// Every term of a sum is checked by itself, and so is every formula within a product or a function: a pulse that is small
// beside what surrounds it is large beside itself. Terms that are polynomials up to the third degree in t, q and v change no
// faster than the motion does and are not checked; laws of t alone are bounded before the step (laws_of_time.h).
//
// What a law of its own names (OwnVariables: the length of its line) is a polynomial along the step as well, through values at
// Chebyshev points, known to its residual between them: bounds of the length by its formula in q would be too wide.
class StepLaws {
 public:
  // `switches` are functions whose zeros must not be stepped over.
  StepLaws(const Model& model, std::vector<OwnFormula> switches);

  // The run to come. A change of a velocity of 1 in its unit by less than `tolerance` is not checked, nor are steps that are
  // round-off of the run.
  void begin(const State& start, double until, double tolerance);

  // The components of y = (q, v) that laws know. Empty: there is nothing to check. A law that is held on another branch has other
  // arguments: ask again before every step.
  std::span<const int> components();

  // The largest part of the step, from its beginning, in which no law does anything the integrator has not seen.
  double find_safe_part(const StepPolynomial& step);
  // The steps to come do not continue those before.
  void forget_steps();

 private:
  static constexpr int kPieces = 8;
  static constexpr int kRemembered = 4;  // steps
  static constexpr int kSlotOfTime = -1;
  static constexpr int kMostFitDegree = 8;

  struct Law {
    const Expression* formula;
    const Step* content;  // of which the terms were made: a law that is held changes
    bool is_force;
    const OwnVariables* own = nullptr;
  };
  // A name of a law, along the step.
  struct OwnQuantity {
    const Expression* formula;
    std::vector<int> slots;   // of its variables in components_; kSlotOfTime
    std::vector<double> b{};  // Bernstein coefficients along the whole step
    double radius = 0;
    bool is_known = false;  // of this step
    std::vector<double> scratch{};
  };
  struct Term {
    FormulaBounds bounds;
    std::vector<int> slots;  // of its variables in components_; kSlotOfTime; -2 - n: number n of own_
    bool is_force;
    bool has_series;
    // Values at the beginnings of the last steps, for integrators that see ends only.
    double last_t = 0;
    std::array<double, kRemembered> last{};
    int remembered = 0;
    const OwnVariables* own = nullptr;
  };
  struct Seen {
    std::array<double, kPieces + 1> law, used;  // at the ends of the pieces: the law, and what the integrator took it for
    int pieces = kPieces;
  };

  void list_terms();
  int slot_of(const Variable& variable);
  int slot_of_own(const Expression& formula);
  double evaluate_own(OwnQuantity& quantity, const StepPolynomial& step, double s);
  void fit(OwnQuantity& quantity, const StepPolynomial& step);
  double check_term(std::size_t number, const StepPolynomial& step);
  Seen see(std::size_t number, const StepPolynomial& step);
  double recent_range(Term& term, double t, double value) const;
  double find_safe(FormulaBounds& bounds, std::span<const double> b, double s0, double s1, Interval allowed, int depth);
  PolynomialArguments arguments(const FormulaBounds& bounds, std::span<const double> b, double width) const;
  std::span<double> piece_memory(std::size_t number, std::size_t size);

  const Model& model_;
  std::vector<OwnFormula> switches_;
  std::vector<Law> laws_;
  std::vector<OwnQuantity> own_;
  std::vector<double> own_q_, own_v_;  // where they are evaluated
  int fit_degree_ = 0;                 // of the inverse of Bernstein's polynomials at the points of a fit
  Eigen::MatrixXd fit_matrix_;
  std::vector<Term> terms_;
  std::vector<int> components_;
  double least_step_ = 0;
  double negligible_impulse_ = 0;
  double negligible_value_ = 0;  // of laws that are no forces: round-off of a constraint at rest is no law to be resolved

  // Of the step that is checked.
  int degree_ = 0;
  double length_ = 0;
  int pieces_used_ = 0;
  std::vector<double> radius_;
  std::vector<std::vector<double>> memory_;  // Bernstein coefficients of pieces
  std::optional<FormulaSeries> series_;      // of all terms that have one
  std::span<const double> series_found_;     // along the step
  bool series_known_ = false;
  std::vector<int> series_number_;  // of each term, among these
};

}  // namespace vinculum
