// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Included by one file for each instruction set; defines a table of kernels.
#include "vinculum/dynamics/kernels.h"

#define VINCULUM_DEFINE_KERNELS(table)                                                                                              \
  namespace vinculum {                                                                                                              \
  namespace {                                                                                                                       \
  void move(const Tree& tree, const double* q, const double* v, LinkScratch<double>* links) { move_links(tree, q, v, links); }      \
  void see(const Tree& tree, const double* v, const LinkScratch<double>* links, LinkInWorld<double>* world) {                       \
    see_links_from_world(tree, v, links, world);                                                                                    \
  }                                                                                                                                 \
  void inverse(const Tree& tree, const double* vdot, const Wrench* loads, double* tau, LinkScratch<double>* links) {                \
    run_inverse(tree, vdot, loads, tau, links);                                                                                     \
  }                                                                                                                                 \
  template <bool with_reactions>                                                                                                    \
  void forward(const Tree& tree, const Wrench* loads, double* tau, double* vdot, Pivot<double>* pivots, LinkScratch<double>* links) { \
    run_forward<with_reactions>(tree, loads, tau, vdot, pivots, links);                                                             \
  }                                                                                                                                 \
  void mass_matrix(const Tree& tree, const LinkScratch<double>* links, CompositeInertia<double>* composite, double* matrix) {       \
    run_mass_matrix(tree, links, composite, matrix);                                                                                \
  }                                                                                                                                 \
  }                                                                                                                                 \
  const Kernels table{move, see, inverse, forward<false>, forward<true>, mass_matrix};                                              \
  }
