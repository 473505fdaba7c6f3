// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/series_kernel.h"

namespace vinculum {

// What the sweep before order 0 needs and leaves: forward dynamics with its burdens kept.
struct SeriesStart {
  const double* q;
  const double* v;
  double* turns;  // scratch, two numbers a coordinate
  LinkMotion<double>* motions;
  JointResponse<double>* responses;
  Burden<double>* slots;
  Burden<double>* burdens;
  Pivot<double>* pivots;
  double* vdot;  // scratch
};

// The series recursion on numbers, for several instruction sets (kernels.h); all give the same bits.
struct SeriesKernels {
  void (*begin)(const Tree& tree, const SeriesStart& start, const SeriesArrays<double>& arrays);
  void (*compute_order)(const Tree& tree, int order, const SeriesArrays<double>& arrays);
};

extern const SeriesKernels kBaselineSeriesKernels;
extern const SeriesKernels kFusedSeriesKernels;
extern const SeriesKernels kWideSeriesKernels;

// Those for this processor.
const SeriesKernels& series_kernels();

}  // namespace vinculum
