// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/dynamics/series.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/integration/integrator.h"
#include "vinculum/math/tape_series.h"
#include "vinculum/model/model.h"

namespace vinculum {

// A model as a system of differential equations: y = (q, v) and, where forces do work that no potential remembers, that work W.
//
//   q' = N(q) v ,  v' = forward dynamics ,  W' = power of dampers, drives, laws of time
//
// Driven coordinates follow their law exactly, whatever the integrator makes of them.
class MotionSystem : public System {
 public:
  explicit MotionSystem(const Model& model);

  int dimension() const override { return dimension_; }
  bool compute_derivative(double t, std::span<const double> y, std::span<double> dydt) override;
  bool has_series() const override { return has_series_; }
  bool compute_series(double t, std::span<const double> y, int order, std::span<double> coefficients) override;

  // The model's event functions along a series of y, as its coefficients; none if they have no series.
  std::span<const double> compute_event_series(double t, std::span<const double> coefficients);

  // Puts driven coordinates on their law and quaternions on the unit sphere. True if y changed.
  bool correct(double t, std::span<double> y) const;

  std::vector<double> pack(const State& state, double work) const;
  State unpack(double t, std::span<const double> y) const;
  double work(std::span<const double> y) const { return counts_work_ ? y[dimension_ - 1] : 0; }
  bool counts_work() const { return counts_work_; }

 private:
  const Model& model_;
  Workspace workspace_;
  int coordinates_, velocities_, dimension_;
  bool counts_work_;
  bool has_series_;
  std::optional<MotionSeries> series_;  // made when first asked for
  int series_order_ = 0;
  bool events_have_series_;
  std::optional<TapeSeries> event_series_;
  std::vector<double> event_coefficients_;
  State state_;  // scratch
  mutable std::vector<double> expression_;
};

}  // namespace vinculum
