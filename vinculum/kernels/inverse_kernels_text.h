// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics and the loops of a plane for one instruction set: included by one file for each.
#include "vinculum/kernels/flat_loop_kernel.h"
#include "vinculum/kernels/inverse_kernel.h"

namespace vinculum {
inline namespace VINCULUM_REGISTERS {

void inverse_outward(const Tree& tree, const double* q, const double* v, const double* vdot, double* turns,
                     LinkMotion<double>* motions, Wrench* wrenches) {
  sweep_outward(span_of(tree), compute_turns(q, tree.coordinates, turns), v, vdot, motions, wrenches);
}

void inverse_inward(const Tree& tree, const LinkMotion<double>* motions, const Wrench* loads, Wrench* wrenches, double* tau) {
  sweep_inward(span_of(tree), motions, loads, wrenches, tau);
}

LoopPivots flat_loops(const Tree& tree, const FlatTree& flat, const Turns<double>& turns, const double* v, const double* tau,
                      const Wrench* on_links, LoopTask task, const FlatStructure& structure, FlatScratch& scratch, double* vdot) {
  return run_flat_loops(span_of(tree), flat, tree.rows.data(), tree.velocities, turns, v, tau, on_links, task, structure, scratch,
                        vdot);
}

}  // namespace VINCULUM_REGISTERS
}  // namespace vinculum
