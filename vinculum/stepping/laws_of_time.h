// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/expression/bounds.h"
#include "vinculum/model/model.h"

namespace vinculum {

// The laws of a model that know the time: forces, given motions, environment bodies. A step that is long beside what such a law
// does within it would not see it: a blow of 10 ms in the middle of a swing falls between the points where an integrator looks.
// So every step is looked over before it is taken, with the state where it is:
//
//   nine points in it tell all about the law if each second one lies near the straight line between its neighbours, and if the
//   law stays near the points in between,
//
// near: within a quarter of their range. The first is asked of the values, the second of bounds of the formula over each piece
// (bounds.h), so that nothing is missed however narrow. What is less than `tolerance` of the law's range in the whole run is not
// checked.
class LawsOfTime {
 public:
  explicit LawsOfTime(const Model& model, std::vector<Expression> switches = {});

  // The run to come: its ends and its tolerance, and the state at its start.
  void begin(double start, double until, double tolerance, std::span<const double> q, std::span<const double> v);

  // The longest step from t, at most `step` (with its sign), that hides nothing.
  double find_step(double t, std::span<const double> q, std::span<const double> v, double step);

 private:
  struct Law {
    const Expression* formula;
    double negligible = 0;  // of its value
  };
  double value(const Law& law, double t);
  bool stays_within(const Law& law, double t0, double t1, Interval allowed, int depth);
  bool is_smooth(const Law& law, double t0, double t1);
  double find_range(const Law& law, double start, double until);

  std::vector<Expression> switches_;
  std::vector<Law> laws_;
  double least_step_ = 0;
  Bindings at_;
  std::vector<double> scratch_;
  std::vector<Bounds> bounds_;
};

}  // namespace vinculum
