// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/derivatives_kernel.h"
#include "vinculum/dynamics/forward_kernel.h"
#include "vinculum/dynamics/inverse_kernel.h"
#include "vinculum/dynamics/kinematics_kernel.h"
#include "vinculum/dynamics/mass_matrix_kernel.h"

namespace vinculum {

// The recursions on numbers, compiled once for every x86-64 and once for those with fused multiply-add and 256-bit registers.
// Both give the same bits: a b + c is rounded once everywhere, by the instruction or by the library.
struct Kernels {
  void (*move)(const Tree& tree, const double* q, const double* v, LinkScratch<double>* links);
  void (*see_from_world)(const Tree& tree, const double* v, const LinkScratch<double>* links, LinkInWorld<double>* world);
  void (*inverse)(const Tree& tree, const double* vdot, const Wrench* loads, double* tau, LinkScratch<double>* links);
  void (*forward)(const Tree& tree, const Wrench* loads, double* tau, double* vdot, Pivot<double>* pivots,
                  LinkScratch<double>* links);
  void (*forward_with_reactions)(const Tree& tree, const Wrench* loads, double* tau, double* vdot, Pivot<double>* pivots,
                                 LinkScratch<double>* links);
  void (*mass_matrix)(const Tree& tree, const LinkScratch<double>* links, CompositeInertia<double>* composite, double* matrix);
  DerivativeKernels derivatives;
};

extern const Kernels kBaselineKernels;
extern const Kernels kFusedKernels;  // x86-64-v3: AVX2 and FMA

// Those for this processor.
const Kernels& kernels();

}  // namespace vinculum
