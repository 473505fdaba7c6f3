// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The series recursion, for one instruction set: included by one file for each, which names the table by VINCULUM_KERNEL_TABLE.
#include "vinculum/dynamics/series_kernels.h"

namespace vinculum {

namespace {

void begin(const Tree& tree, const SeriesStart& start, const SeriesArrays<double>& arrays) {
  const Turns<double> turns = compute_turns(start.q, tree.coordinates, start.turns);
  move_links(span_of(tree), turns, start.v, start.motions);
  run_forward<double>(span_of(tree), nullptr, arrays.tau, start.vdot, start.pivots, start.motions, start.responses, start.slots,
                      start.burdens);
  begin_series<double>(span_of(tree), turns, start.motions, start.burdens, start.responses, start.pivots, arrays);
}

void compute_order(const Tree& tree, int order, const SeriesArrays<double>& arrays) {
  compute_series_order<double>(span_of(tree), order, arrays);
}

}  // namespace

const SeriesKernels VINCULUM_KERNEL_TABLE{begin, compute_order};

}  // namespace vinculum
