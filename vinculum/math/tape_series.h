// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/math/tape.h"

namespace vinculum {

// A tape on power series: from the coefficients of its inputs those of its outputs, order by order, so that inputs may depend on
// what came out one order before. x(s) = Σ x_n sⁿ ; an order n costs n operations a product, quotient or function.
//
// abs, sign, min, max and choose have no series: a tape must not have them. floor is taken as constant. Where a function has none
// (the root or a broken power of 0), the coefficients are not finite.
class TapeSeries {
 public:
  TapeSeries() = default;
  TapeSeries(const Tape& tape, int highest_order);

  void set_input(int number, int order, double coefficient);
  // The next order of all steps; 0 first, then without a gap. Inputs have theirs.
  void compute_order(int order);
  double output(int number, int order) const { return series(outputs_[number])[order]; }

  // The first s in (0, reach] at which a root or a broken power changes its sign along the last computed series; `reach` if none
  // does. On the real line they never do: √(x²) = |x|, but a series about x > 0 continues as x, and there it leaves the function.
  double find_branch(double reach) const;

 private:
  const double* series(int step) const { return coefficients_.data() + static_cast<std::size_t>(step) * stride_; }
  double* series(int step) { return coefficients_.data() + static_cast<std::size_t>(step) * stride_; }
  double product(int a, int b, int order) const;
  double compute_step(int index, int n) const;

  int stride_ = 0;
  int order_ = 0;  // of the last computation
  std::vector<TapeStep> steps_;
  std::vector<int> outputs_;
  std::vector<int> inputs_;           // step of each input, -1 if no output needs it
  std::vector<int> roots_;            // steps that are roots or broken powers
  std::vector<bool> is_constant_;     // of each step
  std::vector<double> coefficients_;  // of each step, one after the other
};

}  // namespace vinculum
