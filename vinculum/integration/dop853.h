// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/integration/integrator.h"

namespace vinculum {

// The Runge-Kutta method of Dormand and Prince of order 8 with error estimates of orders 5 and 3, for non-stiff systems.
//
// A step is accepted when the root mean square of e_i / (absolute + relative max(|y0_i|, |y1_i|)) is at most 1: 12 evaluations;
// and when no law can do anything between the stages that none of them has seen (System::check_step).
// The continuous solution, of order 7, costs 3 more, only where it is asked for; they are counted with the next step. If f fails
// at one of these, the cubic through the values and derivatives of the step's ends takes its place.
class Dop853 final : public Integrator {
 public:
  std::string_view name() const override { return "dop853"; }
  void start(System& system, const IntegratorState& from, const IntegratorOptions& options) override;
  Outcome<StepReport> advance(double t_end) override;
  void interpolate(double t, std::span<double> y) const override;
  IntegratorState state() const override;
  bool resumable_anywhere() const override { return true; }
  bool accepts_correction() const override { return true; }
  void correct(std::span<const double> y) override;

  // The memory of a start at which rounding has taken `carry` from y.
  static std::vector<double> first_memory(const std::vector<double>& carry);

 private:
  enum class Attempt { accepted, too_coarse, no_derivative };

  double* stage(int number) const { return k_.data() + (number - 1) * y_.size(); }
  bool evaluate(double t, const std::vector<double>& y, double* derivative) const;
  template <const auto& terms>
  bool evaluate_stage(int number, double t0, const std::vector<double>& y0, double h) const;
  double choose_first_step(double direction) const;
  Attempt attempt(double t1, double h);
  Failure give_up(double h, Attempt reason);
  void compute_dense_output(double t0, const std::vector<double>& y0, const std::vector<double>& y1, double h) const;
  double find_safe_part(double t1);

  System* system_ = nullptr;
  IntegratorOptions options_;
  std::vector<double> absolute_;  // tolerance, component by component

  // The present.
  double t_ = 0;
  std::vector<double> y_;
  std::vector<double> carry_;      // what rounding has taken from y
  double next_step_ = 0;           // 0: to be chosen
  double previous_error_ = 0;      // of the last step, for the step-size control
  bool derivative_known_ = false;  // k13 = f(t, y)

  // The attempted step.
  std::vector<double> trial_, trial_carry_;
  double error_ = 0;  // accepted if at most 1

  // The last step, for the continuous solution.
  double t0_ = 0;
  std::vector<double> y0_;
  mutable bool dense_known_ = false;
  bool dense_of_trial_ = false;  // it is that of the attempted step
  StepPolynomial polynomial_;

  // Scratch that a const interpolation fills when it is first asked.
  mutable std::vector<double> k_;         // k1..k16, one after the other
  mutable std::vector<double> argument_;  // of a stage
  mutable std::vector<double> dense_;     // p1..p7, one after the other
  mutable long evaluations_ = 0;          // since the last report
};

}  // namespace vinculum
