// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics for one instruction set: included by one file for each.
#include "vinculum/dynamics/inverse_kernel.h"

namespace vinculum {
inline namespace VINCULUM_REGISTERS {

void inverse_outward(const Tree& tree, const double* q, const double* v, const double* vdot, double* turns,
                     LinkMotion<double>* motions, Wrench* wrenches) {
  sweep_outward(span_of(tree), compute_turns(q, tree.coordinates, turns), v, vdot, motions, wrenches);
}

void inverse_inward(const Tree& tree, const LinkMotion<double>* motions, const Wrench* loads, Wrench* wrenches, double* tau) {
  sweep_inward(span_of(tree), motions, loads, wrenches, tau);
}

}  // namespace VINCULUM_REGISTERS
}  // namespace vinculum
