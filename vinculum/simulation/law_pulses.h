// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/expression/bounds.h"
#include "vinculum/model/model.h"

namespace vinculum {

// The laws of time of a model: forces, drives and given motions that may do something for a moment while nothing moves, because a
// contact takes it all. Their values are quick to compute, those of reactions are not.
class LawPulses {
 public:
  explicit LawPulses(const Model& model);

  bool has_laws() const { return !laws_.empty(); }

  // Times between t0 and t1, in this order, around what a law does there and the ends of eight equal intervals do not show: where
  // it leaves the range of its values at the ends of one by most, and by more than a tenth of its size. Each interval in which
  // bounds of the law leave that open is sampled `spacing` apart, 64 times at most. Laws of positions and velocities as well are
  // taken at those of `state`.
  std::vector<double> find(double t0, double t1, double spacing, const State& state);

 private:
  std::vector<Expression> laws_;
  std::vector<double> scratch_;
  std::vector<Bounds> bounds_;
};

}  // namespace vinculum
