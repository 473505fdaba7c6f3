// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/derivatives_kernel.h"
#include "vinculum/kernels/flat_loop_kernel.h"
#include "vinculum/kernels/forward_kernel.h"
#include "vinculum/kernels/frame_motion.h"
#include "vinculum/kernels/instruction_set.h"
#include "vinculum/kernels/inverse_kernel.h"
#include "vinculum/kernels/kinematics_kernel.h"
#include "vinculum/kernels/loads_kernel.h"
#include "vinculum/kernels/loop_kernel.h"
#include "vinculum/kernels/mass_matrix_kernel.h"

namespace vinculum {

// The recursions on numbers, compiled once for every processor and once for x86-64 with fused multiply-add and 256-bit registers
// (the 512-bit ones of AVX-512 are no faster on one state: batch_kernels.h is what they are for). Both give the same bits: a b +
// c is rounded once everywhere, by the instruction or by the library. `turns`: scratch, two numbers a coordinate.
struct Kernels {
  Turns<double> (*turn)(const Tree& tree, const double* q, double* turns);
  void (*place)(const Tree& tree, const Turns<double>& turns, LinkMotion<double>* motions);
  void (*move)(const Tree& tree, const double* q, const double* v, double* turns, LinkMotion<double>* motions);
  void (*see_from_world)(const Tree& tree, const double* v, const LinkMotion<double>* motions, LinkInWorld<double>* world);
  void (*inverse_outward)(const Tree& tree, const double* q, const double* v, const double* vdot, double* turns,
                          LinkMotion<double>* motions, Wrench* wrenches);
  void (*inverse_inward)(const Tree& tree, const LinkMotion<double>* motions, const Wrench* loads, Wrench* wrenches, double* tau);
  void (*forward)(const Tree& tree, const Wrench* loads, const double* tau, double* vdot, Pivot<double>* pivots,
                  LinkMotion<double>* motions, JointResponse<double>* responses, Burden<double>* slots);
  void (*body_motions)(const Model& model, const LinkInWorld<double>* world, BodyMotion* motions);
  // `steps`: scratch for the longest expression.
  void (*joint_laws)(const Model& model, const Bindings& bindings, std::span<double> steps, double* tau);
  void (*loads)(const Model& model, const Bindings& bindings, const LinkInWorld<double>* world, EnvironmentMotion* environment,
                std::span<double> steps, Wrench* loads);
  void (*frames)(const Tree& tree, const double* q, const double* v, double* turns, FrameMotion* frames);
  void (*mass_matrix)(const Tree& tree, const double* q, double* turns, const MassMatrixScratch<double>& scratch, double* matrix);
  LoopPivots (*loops)(const Tree& tree, const Turns<double>& turns, const double* v, const double* tau, const Wrench* loads,
                      LoopTask task, const LoopStructure& structure, LoopScratch& scratch, double* vdot);
  LoopPivots (*flat_loops)(const Tree& tree, const FlatTree& flat, const Turns<double>& turns, const double* v, const double* tau,
                           const Wrench* loads, LoopTask task, const FlatStructure& structure, FlatScratch& scratch,
                           double* vdot);
  DerivativeKernels derivatives;
};

extern const Kernels kBaselineKernels;
extern const Kernels kFusedKernels;  // x86-64-v3: AVX2 and FMA; only in a library with wide kernels

// Those for a set that find_instruction_set has found, or a plainer one; those for this processor.
const Kernels& kernels_for(InstructionSet set);
const Kernels& kernels();

}  // namespace vinculum
