// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/forward_kernel.h"
#include "vinculum/kernels/inverse_kernel.h"
#include "vinculum/kernels/loads_kernel.h"
#include "vinculum/kernels/mass_matrix_kernel.h"

// The laws for a group of states, one in each lane of a pack.
namespace vinculum {

// What a group needs to know; lanes beyond the last state repeat it.
struct BatchTask {
  const Model* model = nullptr;
  int count = 0;  // of states in all
  const double* t = nullptr;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* given = nullptr;     // v', for the forces
  const double* applied = nullptr;   // tau from outside; null: none
  const double* wrenches = nullptr;  // from outside, six a body, world axes; null: none
  double* result = nullptr;
  const std::byte* links = nullptr;  // constants of each lane's own mechanism; null: the model's for all
  // Forces of each lane's own mechanism, lanes side by side; null: by the model's laws.
  const double* tau = nullptr;    // one a velocity
  const double* loads = nullptr;  // six a link
  const double* vdot = nullptr;   // one a velocity, of driven ones only
};

// Scratch of one group, carved out of one piece of memory.
template <class S>
struct BatchScratch {
  S *t, *q, *v, *vdot, *tau, *turns, *expression;
  Pivot<S>* pivots;
  LinkMotion<S>* motions;
  LinkInWorld<S>* world;
  WrenchOf<S>*loads, *wrenches;
  JointResponse<S>* responses;
  Burden<S>* slots;
  EnvironmentMotionOf<S>* environment;

  // With null it only counts.
  static VINCULUM_INLINE std::size_t carve(const Model& model, std::byte* memory, BatchScratch& scratch) {
    const Tree& tree = model.tree();
    const std::size_t links = tree.links.size(), n = static_cast<std::size_t>(tree.velocities),
                      coordinates = static_cast<std::size_t>(tree.coordinates);
    std::size_t used = 0;
    const auto take = [&]<class T>(T * &pointer, std::size_t count) __attribute__((always_inline)) {
      pointer = reinterpret_cast<T*>(memory + used);
      used += count * sizeof(T);
    };
    take(scratch.t, 1);
    take(scratch.q, coordinates);
    take(scratch.v, n);
    take(scratch.vdot, n);
    take(scratch.tau, n);
    take(scratch.turns, 2 * coordinates);
    take(scratch.expression, static_cast<std::size_t>(model.longest_expression()));
    take(scratch.pivots, n);
    take(scratch.motions, links);
    take(scratch.world, links);
    take(scratch.loads, links);
    take(scratch.wrenches, links);
    take(scratch.responses, links);
    take(scratch.slots, static_cast<std::size_t>(tree.slots));
    take(scratch.environment, model.environment().size());
    return used;
  }
};

template <int N>
VINCULUM_INLINE void load_lanes(const double* from, int rows, int count, int first, Pack<N>* to) {
  for (int i = 0; i < rows; ++i, from += count) {
    if (first + N <= count) {
      to[i] = Pack<N>::load(from + first);
    } else {
      double lanes[N];
      for (int k = 0; k < N; ++k) lanes[k] = from[first + k < count ? first + k : count - 1];
      to[i] = Pack<N>::load(lanes);
    }
  }
}

template <int N>
VINCULUM_INLINE void store_lanes(const Pack<N>* from, int rows, int count, int first, double* to) {
  for (int i = 0; i < rows; ++i, to += count) {
    if (first + N <= count) {
      from[i].store(to + first);
    } else {
      for (int k = 0; first + k < count; ++k) to[first + k] = from[i][k];
    }
  }
}

// Wrenches on all links, or null if there are none. Expects the places. Those of variants have the wrenches from outside already.
template <int N>
VINCULUM_INLINE const WrenchOf<Pack<N>>* load_group(const BatchTask& task, int first, BatchScratch<Pack<N>>& scratch) {
  using S = Pack<N>;
  const Model& model = *task.model;
  const Tree& tree = model.tree();
  if (task.loads != nullptr) {
    const double* at = task.loads;
    const auto next = [&]() __attribute__((always_inline)) {
      at += N;
      return S::load(at - N);
    };
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      WrenchOf<S>& load = scratch.loads[i];
      load.force.x = next(), load.force.y = next(), load.force.z = next();
      load.moment.x = next(), load.moment.y = next(), load.moment.z = next();
    }
    return scratch.loads;
  }
  if (task.tau != nullptr || !(model.forces().act_on_links() || task.wrenches != nullptr)) return nullptr;
  const std::span<S> steps(scratch.expression, static_cast<std::size_t>(model.longest_expression()));
  see_links_from_world(span_of(tree), scratch.v, scratch.motions, scratch.world);
  move_environment(model, scratch.t[0], steps, scratch.environment);
  const BindingsOf<S> bindings{scratch.t[0],
                               {scratch.q, static_cast<std::size_t>(tree.coordinates)},
                               {scratch.v, static_cast<std::size_t>(tree.velocities)}};
  const Surroundings<S> surroundings{scratch.world, scratch.environment};
  load_links<S>(model, bindings, surroundings, steps, scratch.loads);
  if (task.wrenches == nullptr) return scratch.loads;
  const double* from = task.wrenches;
  for (const Body& body : model.bodies()) {
    S parts[6];
    load_lanes<N>(from, 6, task.count, first, parts);
    from += 6 * static_cast<std::ptrdiff_t>(task.count);
    const WrenchOf<S> wrench_W{{parts[0], parts[1], parts[2]}, {parts[3], parts[4], parts[5]}};
    apply_wrench<S>(body, {}, wrench_W, surroundings, scratch.loads);
  }
  return scratch.loads;
}

// tau from outside beside that of the laws.
template <int N>
VINCULUM_INLINE void add_applied(const BatchTask& task, int first, BatchScratch<Pack<N>>& scratch) {
  if (task.applied == nullptr) return;
  Pack<N> applied;
  for (int i = 0; i < task.model->tree().velocities; ++i) {
    load_lanes<N>(task.applied + static_cast<std::ptrdiff_t>(i) * task.count, 1, task.count, first, &applied);
    scratch.tau[i] = scratch.tau[i] + applied;
  }
}

// Joint laws and the accelerations of drives.
template <int N>
VINCULUM_INLINE void drive_group(const BatchTask& task, int first, BatchScratch<Pack<N>>& scratch) {
  using S = Pack<N>;
  const Model& model = *task.model;
  const Tree& tree = model.tree();
  if (task.tau != nullptr) {
    for (int i = 0; i < tree.velocities; ++i) {
      scratch.tau[i] = S::load(task.tau + i * N);
      scratch.vdot[i] = S::load(task.vdot + i * N);
    }
    return add_applied<N>(task, first, scratch);
  }
  const std::span<S> steps(scratch.expression, static_cast<std::size_t>(model.longest_expression()));
  const BindingsOf<S> bindings{scratch.t[0],
                               {scratch.q, static_cast<std::size_t>(tree.coordinates)},
                               {scratch.v, static_cast<std::size_t>(tree.velocities)}};
  apply_joint_laws<S>(model, bindings, steps, scratch.tau);
  for (const DrivenCoordinate& driven : model.driven())
    scratch.vdot[driven.v] = evaluate_steps(driven.acceleration, bindings, steps);
  add_applied<N>(task, first, scratch);
}

template <int N>
VINCULUM_INLINE Turns<Pack<N>> begin_group(const BatchTask& task, int first, BatchScratch<Pack<N>>& scratch) {
  const Tree& tree = task.model->tree();
  load_lanes<N>(task.t, 1, task.count, first, scratch.t);
  load_lanes<N>(task.q, tree.coordinates, task.count, first, scratch.q);
  load_lanes<N>(task.v, tree.velocities, task.count, first, scratch.v);
  return compute_turns(scratch.q, tree.coordinates, scratch.turns);
}

// The lanes (by bits) whose accelerations are not determined; those are set to 0.
template <int N>
VINCULUM_INLINE unsigned clear_undetermined(int n, double no_inertia, BatchScratch<Pack<N>>& scratch) {
  using S = Pack<N>;
  const S zero(0.0);
  Mask<N> sound = zero == zero;
  for (int i = 0; i < n; ++i) {
    sound = sound & (scratch.pivots[i].value > S(no_inertia) * scratch.pivots[i].scale);
    sound = sound & (scratch.vdot[i] - scratch.vdot[i] == zero);
  }
  if (all(sound)) [[likely]]
    return 0;
  unsigned undetermined = 0;
  for (int k = 0; k < N; ++k) undetermined |= sound[k] ? 0u : 1u << k;
  for (int i = 0; i < n; ++i) scratch.vdot[i] = select(sound, scratch.vdot[i], zero);
  return undetermined;
}

template <int N, class Constant>
VINCULUM_INLINE unsigned accelerate_group(const BatchTask& task, const LinkSpan<Constant>& tree, int first, double no_inertia,
                                          BatchScratch<Pack<N>>& scratch) {
  const int n = task.model->tree().velocities;
  const Turns<Pack<N>> turns = begin_group<N>(task, first, scratch);
  move_links(tree, turns, scratch.v, scratch.motions);
  const auto* loads = load_group<N>(task, first, scratch);
  drive_group<N>(task, first, scratch);
  run_forward(tree, loads, scratch.tau, scratch.vdot, scratch.pivots, scratch.motions, scratch.responses, scratch.slots);
  const unsigned undetermined = clear_undetermined<N>(n, no_inertia, scratch);
  store_lanes<N>(scratch.vdot, n, task.count, first, task.result);
  return undetermined;
}

template <int N, class Constant>
VINCULUM_INLINE void force_group(const BatchTask& task, const LinkSpan<Constant>& tree, int first,
                                 BatchScratch<Pack<N>>& scratch) {
  const int n = task.model->tree().velocities;
  const Turns<Pack<N>> turns = begin_group<N>(task, first, scratch);
  load_lanes<N>(task.given, n, task.count, first, scratch.vdot);
  sweep_outward(tree, turns, scratch.v, scratch.vdot, scratch.motions, scratch.wrenches);
  const auto* loads = load_group<N>(task, first, scratch);
  sweep_inward(tree, scratch.motions, loads, scratch.wrenches, scratch.tau);
  store_lanes<N>(scratch.tau, n, task.count, first, task.result);
}

// Where bodies are and how they move, world axes: R by columns, p, V linear and angular, 18 numbers a body.
template <int N, class Constant>
VINCULUM_INLINE void move_group(const BatchTask& task, const LinkSpan<Constant>& tree, int first,
                                BatchScratch<Pack<N>>& scratch) {
  using S = Pack<N>;
  place_links(tree, begin_group<N>(task, first, scratch), scratch.motions);
  see_links_from_world(tree, scratch.v, scratch.motions, scratch.world);
  double* result = task.result;
  for (const Body& body : task.model->bodies()) {
    const LinkInWorld<S>& link = scratch.world[body.link];
    const Matrix3Of<S> R = link.R * lift<S>(body.R_LB);
    const Vector3Of<S> linear = link.R * link.velocity.linear, angular = link.R * link.velocity.angular;
    for (const Vector3Of<S>* a : {&R.x, &R.y, &R.z, &link.p, &linear, &angular}) {
      const S rows[3] = {a->x, a->y, a->z};
      store_lanes<N>(rows, 3, task.count, first, result);
      result += 3 * task.count;
    }
  }
}

// Memory of the mass matrices: O(n²), so by itself.
template <class S>
struct MassBatchScratch {
  MassMatrixScratch<S> parts;
  S* matrix;

  static VINCULUM_INLINE std::size_t carve(const Tree& tree, std::byte* memory, MassBatchScratch& scratch) {
    const std::size_t links = tree.links.size(), n = static_cast<std::size_t>(tree.velocities);
    std::size_t used = 0;
    const auto take = [&]<class T>(T * &pointer, std::size_t count) __attribute__((always_inline)) {
      pointer = reinterpret_cast<T*>(memory + used);
      used += count * sizeof(T);
    };
    take(scratch.parts.places, links);
    take(scratch.parts.composites, links);
    take(scratch.parts.axes, 6 * n);
    take(scratch.matrix, n * n);
    return used;
  }
};

// Entries of different branches are zero from the start and stay so.
template <int N, class Constant>
VINCULUM_INLINE void weigh_group(const BatchTask& task, const LinkSpan<Constant>& tree, int first, BatchScratch<Pack<N>>& scratch,
                                 const MassBatchScratch<Pack<N>>& mass) {
  const Tree& structure = task.model->tree();
  const int n = structure.velocities;
  run_mass_matrix(tree, structure.rows.data(), n, begin_group<N>(task, first, scratch), mass.parts, mass.matrix);
  store_lanes<N>(mass.matrix, n * n, task.count, first, task.result);
}

template <int N, class Value>
VINCULUM_INLINE Pack<N> gather_lanes(const Value& value) {
  double values[N];
  for (int k = 0; k < N; ++k) values[k] = value(k);
  return Pack<N>::load(values);
}

// Constants of N mechanisms side by side.
template <int N>
VINCULUM_INLINE LinkOf<Pack<N>> pack_link(const Link* const* lanes) {
  using S = Pack<N>;
  const Link& one = *lanes[0];
  LinkOf<S> link;
  link.parent = one.parent;
  link.kind = one.kind;
  link.driven = one.driven;
  link.first_on_base = one.first_on_base;
  link.q = one.q;
  link.v = one.v;
  link.slot = one.slot;
  const auto gather = [&](const auto& value) __attribute__((always_inline)) {
    return gather_lanes<N>([&](int k) { return value(*lanes[k]); });
  };
  link.pitch = gather([](const Link& l) { return l.pitch; });
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) link.C(i, j) = gather([i, j](const Link& l) { return l.C(i, j); });
    link.p[j] = gather([j](const Link& l) { return l.p[j]; });
    link.s[j] = gather([j](const Link& l) { return l.s[j]; });
  }
  link.mass = gather([](const Link& l) { return l.mass; });
  link.J = {gather([](const Link& l) { return l.J.xx; }), gather([](const Link& l) { return l.J.yy; }),
            gather([](const Link& l) { return l.J.zz; }), gather([](const Link& l) { return l.J.xy; }),
            gather([](const Link& l) { return l.J.xz; }), gather([](const Link& l) { return l.J.yz; })};
  return link;
}

}  // namespace vinculum
