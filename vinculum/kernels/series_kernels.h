// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "vinculum/kernels/instruction_set.h"
#include "vinculum/kernels/series_kernel.h"

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

// As many motions as a register has lanes: number i of motion k at [i lanes + k]. All aligned for packs.
struct SeriesGroup {
  const int* first;  // as in SeriesArrays
  const int* lanes;
  int factors;    // of all links and orders
  int dimension;  // numbers an order of the coefficients: q, v and more
  double* coefficients;
  const double* tau;
  const double* loads;
  double* vdot;
  double* wrenches;
  std::byte* memory;  // group_size bytes, kept between the calls
};

// The series recursion, for several instruction sets (kernels.h); all give the same bits, for one motion and for each of a group.
struct SeriesKernels {
  void (*begin)(const Tree& tree, const SeriesStart& start, const SeriesArrays<double>& arrays);
  void (*compute_order)(const Tree& tree, int order, const SeriesArrays<double>& arrays);
  int group_lanes;
  std::size_t (*group_size)(const Tree& tree, int factors);
  unsigned (*begin_group)(const Tree& tree, double no_inertia, const SeriesGroup& group);  // bits of the motions without inertia
  void (*compute_group_order)(const Tree& tree, int order, const SeriesGroup& group);
};

extern const SeriesKernels kBaselineSeriesKernels;
extern const SeriesKernels kFusedSeriesKernels;  // x86-64-v3; only in a library with wide kernels,
extern const SeriesKernels kWideSeriesKernels;   // x86-64-v4; as this one

// Those for a set that find_instruction_set has found, or a plainer one; those for this processor.
const SeriesKernels& series_kernels_for(InstructionSet set);
const SeriesKernels& series_kernels();

// Where the factors of each link's products stand.
struct FactorLayout {
  FactorLayout(const Tree& tree, int order);
  std::vector<int> first, lanes;
  int total = 0;
};

}  // namespace vinculum
