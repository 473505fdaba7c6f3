// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/integration/integrator.h"

namespace vinculum {

// The order of a series for steps of the given local relative error: high, for an order costs little and lengthens the step as
// tolerance^(1/order).
int series_order(double relative_tolerance);

// Integration by power series, for systems that have one. The radius within which the series is good enough decides the step
// before it is taken: none is rejected. The polynomial of the step is its continuous solution.
//
//   h = min(ρ_{K-3} .. ρ_K) ε^(1/K) e^(-0.7/(K-1)) ,  ρ_n = min_i (scale_i / |y_i,n|)^(1/n)         theory 2, section 5.3
//
// scale_i = |y_i| + absolute/relative, ε = relative tolerance.
class Taylor final : public Integrator {
 public:
  std::string_view name() const override { return "taylor"; }
  void start(System& system, const IntegratorState& from, const IntegratorOptions& options) override;
  Outcome<StepReport> advance(double t_end) override;
  void interpolate(double t, std::span<double> y) const override;
  std::span<const double> step_series() const override { return coefficients_; }
  IntegratorState state() const override;
  bool resumable_anywhere() const override { return true; }
  bool accepts_correction() const override { return true; }
  void correct(std::span<const double> y) override;

 private:
  double radius(int n) const;
  // A series that ends (up to round-off: its radius shrinks with the order) tells nothing about where it holds.
  struct Reach {
    double step;
    bool is_polynomial;
  };
  Reach choose_step() const;
  void sum_increments(double s, std::vector<double>& increments) const;
  bool ends_where_it_holds(double t1, double h);
  Failure give_up(std::string_view code, std::string message, std::string hint);

  System* system_ = nullptr;
  IntegratorOptions options_;
  int order_ = 0;

  // The present.
  double t_ = 0;
  std::vector<double> y_;
  std::vector<double> carry_;  // what rounding has taken from y

  // The last step.
  double t0_ = 0;
  std::vector<double> coefficients_;  // order after order; 0: y at its beginning
  std::vector<double> carry0_;

  mutable std::vector<double> increments_;
  std::vector<double> derivative_, scratch_;
};

}  // namespace vinculum
