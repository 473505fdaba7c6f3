// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/loops.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

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

int root_of(const Tree& tree, int link) {
  while (link != kGround && tree.links[link].parent != kGround) link = tree.links[link].parent;
  return link;
}

}  // namespace

struct LoopSolver::Memory {
  const Model* model = nullptr;
  std::vector<LoopRows> loops;
  LoopPivots pivots;
  double round_off = 0;
  std::vector<LoopColumn> columns;
  std::vector<int> first_column{0}, first_row{0}, first_loop, last_loop, first_shared, shared_of, link_of_velocity;
  std::vector<LinkPlace<double>> places;
  std::vector<RigidInertia> composites;
  std::vector<double> axes, matrix, zero, rest, diagonal, weights, Y, schur, inverse, forces, change;

  // A mechanism of a plane, whose loops hold points in it.
  std::optional<FlatTree> flat;
  std::vector<FlatLoop> flat_loops;
  std::vector<FlatMotion> flat_motions;
  std::vector<FlatInertia> flat_composites;
  std::vector<FlatAxis> flat_axes;

  template <class Loop>
  LoopStructureOf<Loop> structure_of(const std::vector<Loop>& of) const {
    return {of.data(),         static_cast<int>(of.size()),
            columns.data(),    first_column.data(),
            first_loop.data(), last_loop.data(),
            first_row.data(),  first_shared.data(),
            shared_of.data(),  link_of_velocity.data(),
            round_off};
  }
  LoopSums sums() {
    return {matrix.data(), diagonal.data(), rest.data(), weights.data(), Y.data(), schur.data(), inverse.data(), forces.data()};
  }
  Turns<double> turn(std::span<const double> q, Workspace& workspace) const {
    return kernels().turn(model->tree(), q.data(), workspace.memory().turns.data());
  }
  int most_rows() const { return flat ? FlatLoop::kMost : LoopRows::kMost; }
  bool solve(const Turns<double>& turns, const double* v, Workspace::Memory& memory, const double* tau, const Wrench* loads,
             LoopTask task, std::span<double> result);

  // A drive is felt on the way of its link to the ground, from its own velocity on; a loop on the ways of both its links.
  void add_columns(const LoopRows& rows) {
    const Tree& tree = model->tree();
    if (rows.kind == LoopRows::Kind::drive) {
      for (int k : velocities_of(tree, rows.on)) {
        if (k <= rows.velocity) columns.push_back({k, static_cast<std::int8_t>(k == rows.velocity)});
      }
    } else {
      const std::vector<int> on = velocities_of(tree, rows.on), against = velocities_of(tree, rows.against);
      for (size_t i = 0, j = 0; i < on.size() || j < against.size();) {
        const int a = i < on.size() ? on[i] : -1, b = j < against.size() ? against[j] : -1;
        columns.push_back({std::max(a, b), static_cast<std::int8_t>(int(a >= b) - int(b >= a))});
        i += a >= b;
        j += b >= a;
      }
    }
    first_column.push_back(static_cast<int>(columns.size()));
    first_row.push_back(first_row.back() + (rows.is_single() ? 1 : most_rows()));
  }

  void flatten() {
    flat = make_flat_tree(model->tree());
    auto made = flat ? make_flat_loops(*flat, loops) : std::nullopt;
    if (!made) return flat.reset();
    flat_loops = std::move(*made);
    flat_motions.resize(flat->links.size());
    flat_composites.resize(flat->links.size());
    flat_axes.resize(static_cast<size_t>(model->tree().velocities));
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
    // Columns go from the last velocity to the first, so that what two loops share is at their ends.
    std::vector<int> used_by(model->tree().velocities, -1);
    for (int loop = 0; loop < count; ++loop) {
      for (int c = first_column[loop]; c < first_column[loop + 1]; ++c) used_by[columns[c].velocity] = loop;
      shared_of.push_back(static_cast<int>(first_shared.size()));
      for (int other = first_loop[loop]; other <= loop; ++other) {
        int c = first_column[other];
        while (c < first_column[other + 1] && used_by[columns[c].velocity] != loop) ++c;
        first_shared.push_back(c);
      }
    }
  }
};

LoopSolver::LoopSolver(const Model& model, std::vector<LoopRows> rows) : memory_(std::make_unique<Memory>()) {
  Memory& memory = *memory_;
  memory.model = &model;
  memory.loops = std::move(rows);
  for (LoopRows& loop : memory.loops) {
    loop.root_on = root_of(model.tree(), loop.on);
    loop.root_against = root_of(model.tree(), loop.against);
  }
  memory.flatten();
  for (const LoopRows& loop : memory.loops) memory.add_columns(loop);
  memory.find_envelope();

  const Tree& tree = model.tree();
  const size_t n = static_cast<size_t>(tree.velocities), m = static_cast<size_t>(memory.first_row.back());
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
  memory.schur.resize(4 * m * memory.loops.size());
  memory.inverse.resize(m);
  memory.forces.resize(m);
  memory.Y.resize(4 * memory.columns.size());
}

LoopSolver::~LoopSolver() = default;
LoopSolver::LoopSolver(LoopSolver&&) noexcept = default;
LoopSolver& LoopSolver::operator=(LoopSolver&&) noexcept = default;

std::vector<LoopRows>& LoopSolver::rows() { return memory_->loops; }
int LoopSolver::weakest_velocity() const { return memory_->pivots.velocity; }
double LoopSolver::weakest_ratio() const { return memory_->pivots.mass; }
double LoopSolver::regularity() const { return std::sqrt(std::min(memory_->pivots.loops, memory_->pivots.felt)); }
std::vector<double>& LoopSolver::change_memory() { return memory_->change; }
double LoopSolver::largest_gap() const { return memory_->pivots.gap; }

bool LoopSolver::Memory::solve(const Turns<double>& turns, const double* v, Workspace::Memory& memory, const double* tau,
                               const Wrench* loads, LoopTask task, std::span<double> result) {
  const Tree& tree = model->tree();
  if (flat) {
    assert(task != LoopTask::targets);
    FlatScratch scratch{flat_motions.data(), flat_composites.data(), flat_axes.data(), sums()};
    pivots = kernels().flat_loops(tree, *flat, turns, v, tau, loads, task, structure_of(flat_loops), scratch, result.data());
  } else {
    LoopScratch scratch{
        memory.motions.data(), memory.wrenches.data(), {places.data(), composites.data(), axes.data()}, zero.data(), sums()};
    pivots = kernels().loops(tree, turns, v, tau, loads, task, structure_of(loops), scratch, result.data());
  }
  return pivots.mass > kDependent && pivots.loops > kDependent &&
         std::ranges::all_of(result, [](double value) { return std::isfinite(value); });
}

bool LoopSolver::compute_accelerations(double t, std::span<const double> q, std::span<const double> v,
                                       std::span<const double> pushed, Workspace& workspace, std::span<double> accelerations,
                                       std::span<Vector3> multipliers) {
  const Model& model = *memory_->model;
  Workspace::Memory& memory = workspace.memory();
  const Turns<double> turns = memory_->turn(q, workspace);
  const Wrench* loads = nullptr;
  if (has_loads(model, memory)) {
    kernels().place(model.tree(), turns, memory.motions.data());
    loads = compute_loads_on_links(model, t, q, v, memory);
  }
  compute_joint_laws(model, t, q, v, memory);
  for (size_t k = 0; k < pushed.size(); ++k) memory.tau[k] += pushed[k];
  if (!memory_->solve(turns, v.data(), memory, memory.tau.data(), loads, LoopTask::forces, accelerations)) return false;
  const std::vector<double>& forces = memory_->forces;
  for (size_t i = 0; i < multipliers.size(); ++i) {
    multipliers[i] = {};
    for (int row = memory_->first_row[i], r = 0; row < memory_->first_row[i + 1]; ++row, ++r) {
      if (!memory_->flat)
        multipliers[i][r] = forces[row];
      else if (memory_->flat_loops[i].active[r])
        multipliers[i][memory_->flat_loops[i].slot[r]] = forces[row];
    }
  }
  return true;
}

bool LoopSolver::compute_change(std::span<const double> q, Workspace& workspace, std::span<double> change) {
  return memory_->solve(memory_->turn(q, workspace), nullptr, workspace.memory(), nullptr, nullptr, LoopTask::targets, change);
}

bool LoopSolver::compute_way_back(std::span<const double> q, std::span<const double> v, double round_off, Workspace& workspace,
                                  std::span<double> change) {
  memory_->round_off = round_off;
  return memory_->solve(memory_->turn(q, workspace), v.data(), workspace.memory(), nullptr, nullptr, LoopTask::back, change);
}

}  // namespace vinculum
