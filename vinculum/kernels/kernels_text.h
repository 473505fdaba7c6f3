// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels, for one instruction set: included by one file for each, which names the table by VINCULUM_KERNEL_TABLE.
#include "vinculum/kernels/kernels.h"

namespace vinculum {

// In a file of their own (inverse_kernels_text.h), with options of their own.
inline namespace VINCULUM_REGISTERS {
void inverse_outward(const Tree& tree, const double* q, const double* v, const double* vdot, double* turns,
                     LinkMotion<double>* motions, Wrench* wrenches);
void inverse_inward(const Tree& tree, const LinkMotion<double>* motions, const Wrench* loads, Wrench* wrenches, double* tau);
LoopPivots flat_loops(const Tree& tree, const FlatTree& flat, const Turns<double>& turns, const double* v, const double* tau,
                      const Wrench* on_links, LoopTask task, const FlatStructure& structure, FlatScratch& scratch, double* vdot);
}  // namespace VINCULUM_REGISTERS

namespace {

Turns<double> turn(const Tree& tree, const double* q, double* turns) { return compute_turns(q, tree.coordinates, turns); }

void place(const Tree& tree, const Turns<double>& turns, LinkMotion<double>* motions) {
  place_links(span_of(tree), turns, motions);
}

void move(const Tree& tree, const double* q, const double* v, double* turns, LinkMotion<double>* motions) {
  move_links(span_of(tree), turn(tree, q, turns), v, motions);
}

void see_from_world(const Tree& tree, const double* v, const LinkMotion<double>* motions, LinkInWorld<double>* world) {
  see_links_from_world(span_of(tree), v, motions, world);
}

void forward(const Tree& tree, const Wrench* loads, const double* tau, double* vdot, Pivot<double>* pivots,
             LinkMotion<double>* motions, JointResponse<double>* responses, Burden<double>* slots) {
  run_forward(span_of(tree), loads, tau, vdot, pivots, motions, responses, slots);
}

void body_motions(const Model& model, const LinkInWorld<double>* world, BodyMotion* motions) {
  for (const Body& body : model.bodies()) {
    const LinkInWorld<double>& link = world[body.link];
    *motions++ = {link.R * body.R_LB, link.p, {link.R * link.velocity.linear, link.R * link.velocity.angular}};
  }
}

void joint_laws(const Model& model, const Bindings& bindings, std::span<double> steps, double* tau) {
  apply_joint_laws(model, bindings, steps, tau);
}

void loads(const Model& model, const Bindings& bindings, const LinkInWorld<double>* world, EnvironmentMotion* environment,
           std::span<double> steps, Wrench* on_links) {
  move_environment(model, bindings.time, steps, environment);
  load_links<double>(model, bindings, {world, environment}, steps, on_links);
}

void frames(const Tree& tree, const double* q, const double* v, double* turns, FrameMotion* of_links) {
  move_frames(span_of(tree), turn(tree, q, turns), v, of_links);
}

void mass_matrix(const Tree& tree, const double* q, double* turns, const MassMatrixScratch<double>& scratch, double* matrix) {
  run_mass_matrix(span_of(tree), tree.rows.data(), tree.velocities, turn(tree, q, turns), scratch, matrix);
}

LoopPivots loops(const Tree& tree, const Turns<double>& turns, const double* v, const double* tau, const Wrench* on_links,
                 LoopTask task, const LoopStructure& structure, LoopScratch& scratch, double* vdot) {
  return run_loops(span_of(tree), tree.rows.data(), tree.velocities, turns, v, tau, on_links, task, structure, scratch, vdot);
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

const Kernels VINCULUM_KERNEL_TABLE{
    turn,           place,           move,
    see_from_world, inverse_outward, inverse_inward,
    forward,        body_motions,    joint_laws,
    loads,          frames,          mass_matrix,
    loops,          flat_loops,      {inverse_derivatives, accelerate, differentiate, solve, solve_rows}};

}  // namespace vinculum
