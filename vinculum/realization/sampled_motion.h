// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// A motion known at instants, with its accelerations: between them by the polynomial of degree 5 that has the values and slopes
// of the three nearest, so that the error is of the sixth order in their distance. Without events on the way.
class SampledMotion {
 public:
  explicit SampledMotion(const Model& model) : model_(model) {}

  // In the order of time.
  void add(const State& state, const std::vector<double>& accelerations);

  const std::vector<State>& samples() const { return samples_; }
  const std::vector<std::vector<double>>& accelerations() const { return accelerations_; }
  double begin() const { return samples_.front().t; }
  double end() const { return samples_.back().t; }
  State at(double t) const;

 private:
  const Model& model_;
  std::vector<State> samples_;
  std::vector<std::vector<double>> accelerations_;
  std::vector<std::vector<double>> slopes_;  // of q, then v
};

// A peak of a function of time.
struct Peak {
  double t = 0, value = 0;
};

// The peaks of a smooth function of which values at instants are known, ends included, in the order of time: between instants by
// parabolas through ever nearer points. Those below `from` may be missing.
std::vector<Peak> find_peaks(const std::vector<double>& times, const std::vector<double>& values,
                             const std::function<double(double)>& function, double from);

// The largest, and of those that equal it within 1e-9 the earliest.                                    theory 3, section 14
Peak find_largest(const std::vector<double>& times, const std::vector<double>& values,
                  const std::function<double(double)>& function);

}  // namespace vinculum
