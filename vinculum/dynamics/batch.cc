// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/batch.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <thread>

#include <fmt/core.h>

#include "vinculum/dynamics/applied.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/kernels/aligned_bytes.h"
#include "vinculum/kernels/batch_kernels.h"

namespace vinculum {

namespace {

// The first body in which two models are not made alike, or none.
const Body* find_different_body(const Model& a, const Model& b) {
  const auto alike = [](const Link& x, const Link& y) {
    return x.parent == y.parent && x.kind == y.kind && x.driven == y.driven && x.q == y.q && x.v == y.v;
  };
  for (size_t i = 0; i < a.bodies().size(); ++i) {
    const Body& body = a.bodies()[i];
    if (i >= b.bodies().size() || body.first_link != b.bodies()[i].first_link || body.link != b.bodies()[i].link) return &body;
    for (int k = body.first_link; k <= body.link; ++k) {
      if (!alike(a.tree().links[k], b.tree().links[k])) return &body;
    }
  }
  return b.bodies().size() > a.bodies().size() ? &b.bodies()[a.bodies().size()] : nullptr;
}

// Forces of a group of variants, each by its own laws, lanes side by side.
struct LaneForces {
  std::vector<double> tau, vdot, loads;
  std::vector<Wrench> wrenches_W;     // from outside, of one lane
  std::vector<Workspace> workspaces;  // one a lane
  State state;
};

}  // namespace

struct Batch::Memory {
  const BatchKernels& kernels = batch_kernels();
  std::vector<const Model*> models;  // one for all states, or one a state
  int threads = 1;
  std::vector<AlignedBytes> scratch;       // of each thread
  std::vector<AlignedBytes> mass_scratch;  // the same, once mass matrices were asked for
  std::vector<AlignedBytes> links;         // of each group of variants
  std::vector<LaneForces> lane_forces;     // of each group of variants
  std::vector<unsigned> undetermined;      // lanes of each group, by bits

  bool of_variants() const { return !links.empty(); }
};

Batch::Batch() : memory_(std::make_unique<Memory>()) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

int Batch::lanes() const { return memory_->kernels.lanes; }

Batch::Batch(const Model& model, int threads) : Batch() {
  memory_->models = {&model};
  memory_->threads = std::max(threads, 1);
  for (int i = 0; i < memory_->threads; ++i) memory_->scratch.emplace_back(memory_->kernels.scratch_size(model));
}

Outcome<Batch> Batch::of_variants(std::span<const Model> variants, int threads) {
  assert(!variants.empty());
  for (const Model& variant : variants) {
    if (const Body* body = find_different_body(variants[0], variant)) return different_structure(body->name);
  }
  Batch batch(variants[0], threads);
  Memory& memory = batch.memory();
  memory.models.clear();
  for (const Model& variant : variants) memory.models.push_back(&variant);

  const int lanes = batch.lanes(), count = static_cast<int>(variants.size());
  const Tree& tree = variants[0].tree();
  for (int first = 0; first < count; first += lanes) {
    std::vector<const Tree*> trees;
    LaneForces forces;
    for (int k = 0; k < lanes; ++k) {
      const Model& variant = variants[std::min(first + k, count - 1)];
      trees.push_back(&variant.tree());
      forces.workspaces.emplace_back(variant);
    }
    forces.state = variants[0].initial_state();
    memory.links.emplace_back(memory.kernels.packed_size(tree));
    memory.kernels.pack_links(trees.data(), memory.links.back().data());
    forces.tau.resize(static_cast<size_t>(tree.velocities * lanes));
    forces.vdot.resize(static_cast<size_t>(tree.velocities * lanes));
    forces.loads.resize(6 * tree.links.size() * lanes);
    memory.lane_forces.push_back(std::move(forces));
  }
  return batch;
}

StateBatch make_batch(std::span<const State> states) {
  StateBatch batch;
  batch.count = static_cast<int>(states.size());
  for (const State& state : states) batch.t.push_back(state.t);
  const auto turn = [&](std::vector<double> State::*values, std::vector<double>& rows) {
    const size_t size = states.empty() ? 0 : (states[0].*values).size();
    rows.resize(size * states.size());
    for (size_t i = 0; i < size; ++i) {
      for (size_t k = 0; k < states.size(); ++k) rows[i * states.size() + k] = (states[k].*values)[i];
    }
  };
  turn(&State::q, batch.q);
  turn(&State::v, batch.v);
  return batch;
}

State state_of(const StateBatch& batch, int k) {
  State state;
  state.t = batch.t[k];
  for (size_t i = k; i < batch.q.size(); i += batch.count) state.q.push_back(batch.q[i]);
  for (size_t i = k; i < batch.v.size(); i += batch.count) state.v.push_back(batch.v[i]);
  return state;
}

namespace {

// Each variant's own forces at its state.
void force_lanes(const Batch::Memory& memory, const StateBatch& states, int first, LaneForces& forces, BatchTask& task) {
  const int lanes = memory.kernels.lanes;
  forces.wrenches_W.resize(task.wrenches != nullptr ? memory.models[0]->bodies().size() : 0);
  bool loaded = false;
  for (int k = 0; k < lanes; ++k) {
    const int index = std::min(first + k, states.count - 1);
    const Model& model = *memory.models[index];
    State& state = forces.state;
    state.t = states.t[index];
    for (size_t i = 0; i < state.q.size(); ++i) state.q[i] = states.q[i * states.count + index];
    for (size_t i = 0; i < state.v.size(); ++i) state.v[i] = states.v[i * states.count + index];
    Workspace::Memory& own = forces.workspaces[k].memory();
    kernels().place(model.tree(), kernels().turn(model.tree(), state.q.data(), own.turns.data()), own.motions.data());
    for (size_t b = 0; b < forces.wrenches_W.size(); ++b) {
      const auto part = [&](size_t i) { return task.wrenches[(6 * b + i) * states.count + index]; };
      forces.wrenches_W[b] = {{part(0), part(1), part(2)}, {part(3), part(4), part(5)}};
    }
    const AppliedScope scope(forces.workspaces[k], {{}, forces.wrenches_W});
    const Wrench* loads = compute_loads_on_links(model, state.t, state.q, state.v, own);
    compute_joint_laws(model, state.t, state.q, state.v, own);
    compute_driven_accelerations(model, state.t, own);
    for (int i = 0; i < model.tree().velocities; ++i) {
      forces.tau[i * lanes + k] = own.tau[i];
      forces.vdot[i * lanes + k] = own.vdot[i];
    }
    for (size_t i = 0; i < model.tree().links.size(); ++i) {
      const auto [f, m] = loads ? loads[i] : Wrench{};
      const double parts[] = {f.x, f.y, f.z, m.x, m.y, m.z};
      for (int j = 0; j < 6; ++j) forces.loads[(6 * i + j) * lanes + k] = parts[j];
    }
    loaded = loaded || loads;
  }
  task.tau = forces.tau.data();
  task.vdot = forces.vdot.data();
  task.loads = loaded ? forces.loads.data() : nullptr;
}

// Groups are independent of each other, so it does not matter which thread takes which.
template <bool forced, class Run>
void for_each_group(Batch::Memory& memory, const StateBatch& states, const BatchTask& common, const Run& run) {
  const int lanes = memory.kernels.lanes, groups = (states.count + lanes - 1) / lanes;
  const auto work = [&](int thread, int threads) {
    for (int group = groups * thread / threads; group < groups * (thread + 1) / threads; ++group) {
      BatchTask task = common;
      if (memory.of_variants()) {
        task.links = memory.links[group].data();
        if (forced) force_lanes(memory, states, group * lanes, memory.lane_forces[group], task);
      }
      run(task, group, thread);
    }
  };
  const int threads = std::min(memory.threads, groups);
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work, i, threads);
  work(0, std::max(threads, 1));
}

BatchTask task_for(const Batch::Memory& memory, const StateBatch& states, std::span<double> result, size_t numbers_a_state) {
  const Tree& tree = memory.models[0]->tree();
  assert(!memory.of_variants() || states.count == static_cast<int>(memory.models.size()));
  assert(states.q.size() == static_cast<size_t>(tree.coordinates) * states.count && "a row of states for each coordinate");
  assert(states.v.size() == static_cast<size_t>(tree.velocities) * states.count && "and for each velocity");
  assert(result.size() >= numbers_a_state * states.count && "and room for every result");
  (void)tree, (void)numbers_a_state;
  BatchTask task;
  task.model = memory.models[0];
  task.count = states.count;
  task.t = states.t.data();
  task.q = states.q.data();
  task.v = states.v.data();
  task.result = result.data();
  return task;
}

}  // namespace

std::vector<int> compute_accelerations(Batch& batch, const StateBatch& states, std::span<double> accelerations,
                                       std::span<const double> tau, std::span<const double> wrenches_W) {
  Batch::Memory& memory = batch.memory();
  BatchTask task = task_for(memory, states, accelerations, memory.models[0]->tree().velocities);
  assert(tau.empty() || tau.size() == states.v.size());
  assert(wrenches_W.empty() || wrenches_W.size() == 6 * task.model->bodies().size() * static_cast<size_t>(states.count));
  if (!tau.empty()) task.applied = tau.data();
  if (!wrenches_W.empty()) task.wrenches = wrenches_W.data();
  const int lanes = batch.lanes();
  memory.undetermined.assign(static_cast<size_t>((states.count + lanes - 1) / lanes), 0);
  for_each_group<true>(memory, states, task, [&](const BatchTask& own, int group, int thread) {
    memory.undetermined[group] = memory.kernels.accelerations(own, group * lanes, kNoInertia, memory.scratch[thread].data());
  });
  std::vector<int> undetermined;
  for (int k = 0; k < states.count; ++k) {
    if (memory.undetermined[k / lanes] >> k % lanes & 1u) undetermined.push_back(k);
  }
  return undetermined;
}

void compute_forces(Batch& batch, const StateBatch& states, std::span<const double> accelerations, std::span<double> forces,
                    std::span<const double> wrenches_W) {
  Batch::Memory& memory = batch.memory();
  BatchTask task = task_for(memory, states, forces, memory.models[0]->tree().velocities);
  assert(accelerations.size() >= states.v.size());
  assert(wrenches_W.empty() || wrenches_W.size() == 6 * task.model->bodies().size() * static_cast<size_t>(states.count));
  task.given = accelerations.data();
  if (!wrenches_W.empty()) task.wrenches = wrenches_W.data();
  for_each_group<true>(memory, states, task, [&](const BatchTask& own, int group, int thread) {
    memory.kernels.forces(own, group * batch.lanes(), memory.scratch[thread].data());
  });
}

void compute_body_motions(Batch& batch, const StateBatch& states, std::span<double> motions) {
  Batch::Memory& memory = batch.memory();
  const BatchTask task = task_for(memory, states, motions, 18 * memory.models[0]->bodies().size());
  for_each_group<false>(memory, states, task, [&](const BatchTask& own, int group, int thread) {
    memory.kernels.motions(own, group * batch.lanes(), memory.scratch[thread].data());
  });
}

void compute_mass_matrices(Batch& batch, const StateBatch& states, std::span<double> matrices) {
  Batch::Memory& memory = batch.memory();
  const size_t n = static_cast<size_t>(memory.models[0]->tree().velocities);
  const BatchTask task = task_for(memory, states, matrices, n * n);
  while (memory.mass_scratch.size() < memory.scratch.size())
    memory.mass_scratch.emplace_back(memory.kernels.mass_scratch_size(task.model->tree()));
  for_each_group<false>(memory, states, task, [&](const BatchTask& own, int group, int thread) {
    memory.kernels.mass_matrices(own, group * batch.lanes(), memory.scratch[thread].data(), memory.mass_scratch[thread].data());
  });
}

}  // namespace vinculum
