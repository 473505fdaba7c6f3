// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "vinculum/model/model.h"

namespace vinculum {

struct SeriesKernels;  // series_kernels.h, private to this room

// Power series of several motions of one model side by side, one in each lane of a register; number i of motion k stands at
// [i lanes + k]. Each has the bits that MotionSeries gives it.
class SeriesBatch {
 public:
  SeriesBatch(const Model& model, int order);
  SeriesBatch(const Model& model, int order, const SeriesKernels& kernels);  // others than this processor's
  ~SeriesBatch();
  SeriesBatch(SeriesBatch&&) noexcept;

  int lanes() const;
  int dimension() const;

  // t: one a motion; y = (q, v and, where counted, work). Returns the motions (by bits) that have no series here.
  unsigned compute(std::span<const double> t, std::span<const double> y);

  // Order after order, of the last computation.
  const double* coefficients() const;

  // As MotionSeries::find_branch, of one motion.
  double find_branch(int lane, double reach) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace vinculum
