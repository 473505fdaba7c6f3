// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/loops.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/memory.h"

namespace vinculum {

namespace {

constexpr double kDependent = 1e-10;

// Velocities that move a link, from the last to the first.
std::vector<int> velocities_of(const Tree& tree, int link) {
  std::vector<int> velocities;
  for (; link != kGround; link = tree.links[link].parent) {
    for (int k = velocity_count(tree.links[link].kind) - 1; k >= 0; --k) velocities.push_back(tree.links[link].v + k);
  }
  return velocities;
}

}  // namespace

struct LoopSolver::Memory {
  const Model* model = nullptr;
  std::vector<BallLoop> loops;
  std::vector<LoopColumn> columns;
  std::vector<int> first_column{0}, first_loop, last_loop, link_of_velocity;
  std::vector<LinkPlace<double>> places;
  std::vector<RigidInertia> composites;
  std::vector<double> axes, matrix, zero, rest, diagonal, weights, schur, column, forces;
  std::vector<Vector3> Y;

  void add_loop(const ClosedLoop& words) {
    const auto& bodies = model->bodies();
    const Tree& tree = model->tree();
    BallLoop loop;
    loop.on = bodies[words.body].link;
    loop.p_on = bodies[words.body].R_LB * words.p_B;
    loop.p_against = words.p_other;
    if (words.other != kWorld) {
      loop.against = bodies[words.other].link;
      loop.p_against = bodies[words.other].R_LB * words.p_other;
    }
    loops.push_back(loop);
    const std::vector<int> on = velocities_of(tree, loop.on), against = velocities_of(tree, loop.against);
    for (int k = tree.velocities - 1; k >= 0; --k) {
      const bool moves_on = std::ranges::find(on, k) != on.end(), moves_against = std::ranges::find(against, k) != against.end();
      if (!moves_on && !moves_against) continue;
      columns.push_back({k, static_cast<std::int8_t>(int(moves_on) - int(moves_against))});
    }
    first_column.push_back(static_cast<int>(columns.size()));
  }

  // Which loops meet: those that share a velocity.
  void find_envelope() {
    const int count = static_cast<int>(loops.size());
    std::vector<int> first_use(model->tree().velocities, count);
    for (int loop = 0; loop < count; ++loop) {
      int first = loop;
      for (int c = first_column[loop]; c < first_column[loop + 1]; ++c) {
        int& use = first_use[columns[c].velocity];
        use = std::min(use, loop);
        first = std::min(first, use);
      }
      first_loop.push_back(first);
      last_loop.push_back(loop);
    }
    for (int loop = 0; loop < count; ++loop) {
      for (int k = first_loop[loop]; k <= loop; ++k) last_loop[k] = std::max(last_loop[k], loop);
    }
  }
};

LoopSolver::LoopSolver(const Model& model, std::span<const ClosedLoop> loops) : memory_(std::make_unique<Memory>()) {
  Memory& memory = *memory_;
  memory.model = &model;
  for (const ClosedLoop& loop : loops) memory.add_loop(loop);
  memory.find_envelope();

  const Tree& tree = model.tree();
  const size_t n = static_cast<size_t>(tree.velocities), m = 3 * loops.size();
  memory.link_of_velocity.resize(n);
  for (size_t i = 0; i < tree.links.size(); ++i) {
    for (int k = 0; k < velocity_count(tree.links[i].kind); ++k)
      memory.link_of_velocity[tree.links[i].v + k] = static_cast<int>(i);
  }
  memory.places.resize(tree.links.size());
  memory.composites.resize(tree.links.size());
  memory.axes.resize(6 * n);
  memory.matrix.resize(n * n);
  memory.zero.resize(n);
  memory.rest.resize(n);
  memory.diagonal.resize(n);
  memory.weights.resize(4 * n);
  memory.schur.resize(m * m);
  memory.column.resize(2 * m);
  memory.forces.resize(m);
  memory.Y.resize(memory.columns.size());
}

LoopSolver::~LoopSolver() = default;
LoopSolver::LoopSolver(LoopSolver&&) noexcept = default;
LoopSolver& LoopSolver::operator=(LoopSolver&&) noexcept = default;

bool LoopSolver::compute_accelerations(double t, std::span<const double> q, std::span<const double> v, Workspace& workspace,
                                       std::span<double> accelerations, std::span<Vector3> forces_W) {
  Memory& own = *memory_;
  const Model& model = *own.model;
  assert(model.driven().empty());
  Workspace::Memory& memory = workspace.memory();
  const Wrench* loads = nullptr;
  if (!model.body_forces().empty() || !model.springs().empty()) {
    kernels().place(model.tree(), q.data(), memory.turns.data(), memory.motions.data());
    loads = compute_loads_on_links(model, t, q, v, memory);
  }
  compute_joint_laws(model, t, q, v, memory);

  const LoopStructure structure{own.loops.data(),           static_cast<int>(own.loops.size()),
                                own.columns.data(),         own.first_column.data(),
                                own.first_loop.data(),      own.last_loop.data(),
                                own.link_of_velocity.data()};
  LoopScratch scratch;
  scratch.motions = memory.motions.data();
  scratch.wrenches = memory.wrenches.data();
  scratch.mass = {own.places.data(), own.composites.data(), own.axes.data()};
  scratch.matrix = own.matrix.data();
  scratch.zero = own.zero.data();
  scratch.rest = own.rest.data();
  scratch.diagonal = own.diagonal.data();
  scratch.weights = own.weights.data();
  scratch.Y = own.Y.data();
  scratch.schur = own.schur.data();
  scratch.column = own.column.data();
  scratch.forces = own.forces.data();
  const LoopPivots pivots = kernels().loops(model.tree(), q.data(), v.data(), memory.turns.data(), memory.tau.data(), loads,
                                            structure, scratch, accelerations.data());
  if (!(pivots.mass > kDependent && pivots.loops > kDependent)) return false;
  for (size_t i = 0; i < own.loops.size(); ++i) forces_W[i] = {own.forces[3 * i], own.forces[3 * i + 1], own.forces[3 * i + 2]};
  return std::ranges::all_of(accelerations, [](double value) { return std::isfinite(value); });
}

}  // namespace vinculum
