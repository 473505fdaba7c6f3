// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/math/tape_series.h"
#include "vinculum/series/series_laws.h"

namespace vinculum {

// One motion among `stride` that stand side by side: number i of it at [i stride].
struct MotionLane {
  int stride = 1;
  int row = 0;          // numbers from order to order of q and v
  double* q = nullptr;  // coefficients, order after order; the work follows v
  double* v = nullptr;
  double* tau = nullptr;  // of the present order, as the next two
  double* vdot = nullptr;
  double* loads = nullptr;           // six a link
  const double* wrenches = nullptr;  // six a link, order after order
};

// The formulas of a model along a motion, order by order.
class LawSeries {
 public:
  LawSeries(const Model& model, int highest_order);

  bool counts_work() const { return laws_.power; }
  bool has_loads() const { return !laws_.loads.empty(); }
  // No formula enters: from order 2 on nothing acts, and what is there is zero already.
  bool is_empty() const { return laws_.tape.outputs.empty(); }

  // Puts driven coordinates on their law.
  void begin(double t, const MotionLane& lane);
  // Forces, loads and given accelerations of an order.
  void apply(double t, int order, const MotionLane& lane);
  // The work of the next order, if counted, once the wrenches through the joints are known.
  void add_work(int order, const MotionLane& lane);
  // As TapeSeries::find_branch, of all formulas and springs.
  double find_branch(double reach) const { return series_.find_branch(reach); }

 private:
  const Model* model_;
  LawsTape laws_;
  TapeSeries series_;
  std::vector<double> drives_;  // [order][driven]
  std::vector<double> expression_;
};

}  // namespace vinculum
