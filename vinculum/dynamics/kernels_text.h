// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels, for one instruction set: included by one file for each, which names the table by VINCULUM_KERNEL_TABLE.
#include "vinculum/dynamics/kernels.h"

namespace vinculum {

namespace {

void move(const Tree& tree, const double* q, const double* v, LinkScratch<double>* links) { move_links(tree, q, v, links); }

void see_from_world(const Tree& tree, const double* v, const LinkScratch<double>* links, LinkInWorld<double>* world) {
  see_links_from_world(tree, v, links, world);
}

void inverse(const Tree& tree, const double* vdot, const Wrench* loads, double* tau, LinkScratch<double>* links) {
  run_inverse(tree, vdot, loads, tau, links);
}

template <bool with_reactions>
void forward(const Tree& tree, const Wrench* loads, double* tau, double* vdot, Pivot<double>* pivots,
             LinkScratch<double>* links) {
  run_forward<with_reactions>(tree, loads, tau, vdot, pivots, links);
}

void mass_matrix(const Tree& tree, const LinkScratch<double>* links, CompositeInertia<double>* composite, double* matrix) {
  run_mass_matrix(tree, links, composite, matrix);
}

void differentiate(const Tree& tree, DerivativesMemory& memory) {
  fill_columns(tree, memory);
  fill_tau_rows(memory);
}

void inverse_derivatives(const Tree& tree, const LinkInWorld<double>* world, const double* v, const double* vdot,
                         const Wrench* loads, DerivativesMemory& memory) {
  move_stages(tree, world, v, vdot, loads, memory);
  sum_stages(memory);
  fill_mass_rows(memory);
  differentiate(tree, memory);
}

int accelerate(const Tree& tree, const LinkInWorld<double>* world, const double* v, const double* tau, const Wrench* loads,
               double smallest_ratio, DerivativesMemory& memory) {
  return accelerate_stages(tree, world, v, tau, loads, smallest_ratio, memory);
}

void solve(DerivativesMemory& memory) { solve_for_derivatives(memory); }

void solve_rows(const DerivativesMemory& memory, Four* rows, Four* solution, int width) {
  solve_for_rows(memory, rows, solution, width);
}

}  // namespace

const Kernels VINCULUM_KERNEL_TABLE{move,
                                    see_from_world,
                                    inverse,
                                    forward<false>,
                                    forward<true>,
                                    mass_matrix,
                                    {inverse_derivatives, accelerate, differentiate, solve, solve_rows}};

}  // namespace vinculum
