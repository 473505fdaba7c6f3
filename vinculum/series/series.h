// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/math/spatial.h"
#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

struct SeriesKernels;  // series_kernels.h, private to this room

// Power series of the motion of a tree through a state, x(t + s) = Σ x_n sⁿ, to any order: theory 2, section 5.2. The
// articulated inertias of order 0 serve at every order, so an order costs three sweeps over the links and, a link, one sum of
// products; laws written as formulas enter by their own series. The model must pass check_analytic (series_laws.h); contacts are
// not seen.
//
// y = (q, v) and, where forces do work that no potential remembers, that work.
class MotionSeries {
 public:
  MotionSeries(const Model& model, int highest_order);
  MotionSeries(const Model& model, int highest_order, const SeriesKernels& kernels);  // others than this processor's
  ~MotionSeries();
  MotionSeries(MotionSeries&&) noexcept;

  int dimension() const;

  // Coefficients 0..order of y, order after order. Driven coordinates start on their law. False where there are none: a singular
  // mass matrix, a law without a finite value. Nothing is allocated.
  bool compute(double t, std::span<const double> y, int order, std::span<double> coefficients);

  // The first s in (0, reach] at which the last computed series leaves the motion, because a root of the laws runs through zero
  // there (TapeSeries::find_branch); `reach` if none does.
  double find_branch(double reach) const;

  // Through the joint of a link, of the last computation, order below the highest: link axes, about the pole.
  const Wrench& wrench(int link, int order) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

// All that the series of a motion shows at a state, orders 0..order.
struct MotionCoefficients {
  std::vector<std::vector<double>> q, v;           // of each coordinate and velocity
  std::vector<std::vector<Vector3>> poles_W;       // of each body
  std::vector<std::vector<Wrench>> reactions_W;    // of each body, orders 0..order-1: parent on child, about the pole
  std::vector<std::vector<double>> multipliers{};  // of each row of the set, orders 0..order-1
  double radius = 0;                               // of convergence, estimated; infinite if the series ends

  // Laws with kinks: the branches they are on (LawSwitches::describe_side), and the next kink on the way, at which the series
  // leaves the motion; looked for as far as its order lets it be seen.
  std::vector<std::string> branches;
  struct Kink {
    double s = 0;
    std::string where;
  };
  std::optional<Kink> kink;
  double seen = 0;  // without branches not looked for
};

// Failure VN-RUN-014 (a law has no series), VN-RUN-002 or VN-RUN-003 (no accelerations at this state).
Outcome<MotionCoefficients> compute_motion_coefficients(const Model& model, const State& state, int order);

// The same from coefficients that are known: `dimension` numbers an order, q and v first; and from the wrenches through the
// joints (link, order; link axes, about the pole).
MotionCoefficients describe_coefficients(const Model& model, std::span<const double> coefficients, int dimension, int order,
                                         const std::function<Wrench(int link, int order)>& wrench);

// min(ρ_{K-1}, ρ_K), ρ_n = (max(1, |x_0|) / |x_n|)^(1/n) with the largest norm of each order: sizes[n] = |x_n|. Where the last
// two vanish, the last pair that does not.                                               theory 2, section 5.3
double estimate_radius(std::span<const double> sizes);

}  // namespace vinculum
