// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/integration/series_step.h"

namespace vinculum {

// Integration by power series, for systems that have one. The polynomial of a step is its continuous solution; what no series
// passes is passed by steps of DOP853 (SeriesStepper).
class Taylor final : public Integrator {
 public:
  std::string_view name() const override { return "taylor"; }
  void start(System& system, const IntegratorState& from, const IntegratorOptions& options) override;
  Outcome<StepReport> advance(double t_end) override;
  void interpolate(double t, std::span<double> y) const override;
  std::span<const double> step_series() const override {
    return stepper_.passing_step() != nullptr ? std::span<const double>{} : coefficients_;
  }
  IntegratorState state() const override { return stepper_.state(); }
  bool resumable_anywhere() const override { return true; }
  bool accepts_correction() const override { return true; }
  void correct(std::span<const double> y) override { stepper_.correct(y); }

 private:
  StepSeries series() const;

  System* system_ = nullptr;
  SeriesStepper stepper_;
  int order_ = 0;

  // The last step.
  double t0_ = 0;
  std::vector<double> coefficients_;  // order after order; 0: y at its beginning
  std::vector<double> carry0_;
};

}  // namespace vinculum
