// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/constraints/idealisation.h"
#include "vinculum/constraints/output_values.h"
#include "vinculum/stepping/limit_watch.h"
#include "vinculum/stepping/motion_values.h"

namespace vinculum {

// Watches the outputs of a model along a run. Extremes are searched within steps, as those of requirements are (step_search.h),
// so that both name the same value. Integrals are those of polynomials through Chebyshev points of pieces of a step; bounds of
// the output over a piece show where a peak between the points asks for shorter ones.
class OutputWatch : public Idealisation {
 public:
  OutputWatch(const Model& model, double tolerance);

  void search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>& found) override;
  bool reads_values_alone() const override { return true; }
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  // Where no step was searched since the last one, a straight line leads here.
  void look_at_end(Moment& moment, bool forward) override;
  void list_numbers(std::vector<OutputNumbers>& numbers) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  struct Integrals {
    double of_value = 0, of_square = 0;
    double last = 0;  // the value at last_t_
  };
  size_t size() const { return integrals_.size(); }
  double value(size_t i, double t);
  bool may_hide(size_t i, double t0, double t1, const Interval& seen, double negligible);
  void integrate(size_t i, double t0, double t1, int depth);

  const Model& model_;
  double tolerance_;
  OutputValues outputs_;
  LimitWatch watch_;                         // of each its value, then of each its opposite
  std::vector<SearchedFunction> functions_;  // the values
  std::vector<Integrals> integrals_;
  std::optional<double> first_t_, last_t_;
  StepValues* values_ = nullptr;  // of the step that was searched
  std::vector<double> arguments_;
  double step_ = 0;  // that is integrated,
  int pieces_ = 0;   // and of one output so many pieces of it
  StepFit fit_;      // scratch
};

}  // namespace vinculum
