// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "vinculum/integration/dop853.h"
#include "vinculum/integration/integrator.h"

namespace vinculum {

// A solution about the beginning of a step: coefficient n of component i at c[(n dimension + i) stride]. With a stride it is one
// of several that stand side by side.
struct StepSeries {
  const double* c = nullptr;
  int dimension = 0, order = 0;
  int stride = 1;

  double operator()(int n, int i) const { return c[(static_cast<std::size_t>(n) * dimension + i) * stride]; }
};

// Σ_{n>0} c_n sⁿ + carry of every component, small terms first.
void sum_increments(const StepSeries& series, double s, std::span<const double> carry, std::span<double> increments);

// One solution on its way by power series. The radius within which the series is good enough decides the step before it is taken.
//
//   h = min(ρ_{K-3} .. ρ_K) ε^(1/K) e^(-0.7/(K-1)) ,  ρ_n = min_i (scale_i / |y_i,n|)^(1/n)         theory 2, section 5.3
//
// scale_i = |y_i| + options.scale_i absolute/relative, ε = relative tolerance.
//
// A series knows nothing of what lies within its radius without bending it: √(v²) is v before and |v| after v = 0, a pulse far
// away is not there. So a step ends where a root of the laws runs through zero; at its middle and its end the series must obey
// the equations, or the step is halved; the step goes no farther than laws can be shown to do what the series says
// (System::check_step); and what no series passes, such as that zero itself, is passed by steps of DOP853.
class SeriesStepper {
 public:
  // Of the series at hand: System::find_branch.
  using FindBranch = std::function<double(double reach)>;

  void start(const IntegratorState& from, const IntegratorOptions& options);

  double t() const { return t_; }
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& carry() const { return carry_; }
  IntegratorState state() const { return {t_, y_, next_passing_step_, carry_}; }
  void correct(std::span<const double> y);

  // One step with the series about the present, towards t_end and never beyond; without a series where none exists.
  Outcome<StepReport> advance(const StepSeries* series, const FindBranch& find_branch, System& system, double t_end);

  // The last step if it was one of DOP853, for its continuous solution; none if it was the series.
  const Dop853* passing_step() const { return passed_ ? &passing_ : nullptr; }

 private:
  // A series that ends (up to round-off: its radius shrinks with the order) tells nothing about where it holds.
  struct Reach {
    double step;
    bool is_polynomial;
  };
  double log_radius(const StepSeries& series, int n) const;
  Reach choose_step(const StepSeries& series) const;
  Outcome<StepReport> follow(const StepSeries& series, const FindBranch& find_branch, System& system, double t_end);
  Outcome<StepReport> pass(System& system, double t_end);
  double find_safe_step(const StepSeries& series, System& system, double step);
  double mismatch(const StepSeries& series, System& system, double t, double s, double h);

  IntegratorOptions options_;
  double t_ = 0;
  std::vector<double> y_;
  std::vector<double> carry_;     // what rounding has taken from y
  double next_passing_step_ = 0;  // [s] of DOP853, until a series reaches as far; 0: series
  bool passed_ = false;           // the last step was one of DOP853
  Dop853 passing_;
  std::vector<double> increments_, derivative_, trial_;
  StepPolynomial polynomial_;              // of a step that is checked,
  std::vector<double> powers_, together_;  // one component of it; its series, without gaps
};

// The order of a series for steps of the given local relative error.
int series_order(const IntegratorOptions& options);

// Why a series could not be had.
Failure no_series_at(double t);

}  // namespace vinculum
