// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/inverse_kernel.h"
#include "vinculum/kernels/loop_algebra_kernel.h"
#include "vinculum/kernels/loop_rows.h"

// Motions, masses and constraints of any tree with loops, solved by loop_algebra_kernel.h.
namespace vinculum {

using LoopStructure = LoopStructureOf<LoopRows>;

struct LoopScratch {
  LinkMotion<double>* motions;
  Wrench* wrenches;
  MassMatrixScratch<double> mass;
  double* zero;  // n zeros
  LoopSums sums;
};

// Where a point of a link is, from the origin of the root of its tree; world axes.
VINCULUM_INLINE Vector3 place_loop_end(const LoopScratch& scratch, int link, const Vector3& p) {
  if (link == kGround) return p;
  const LinkPlace<double>& place = scratch.mass.places[link];
  return place.p + place.R * p;
}
VINCULUM_INLINE Vector3 place_root(const LoopScratch& scratch, int root) {
  return root == kGround ? Vector3{} : scratch.motions[root].r;
}
// Its acceleration without v', less gravity.
VINCULUM_INLINE Vector3 accelerate_loop_end(const LinkSpan<double>& tree, const LoopScratch& scratch, int link,
                                            const Vector3& p) {
  if (link == kGround) return -tree.gravity;
  const LinkMotion<double>& motion = scratch.motions[link];
  const Vector3 w = motion.w;
  return scratch.mass.places[link].R * (motion.a.linear + cross(motion.a.angular, p) + cross(w, cross(w, p)));
}

// The gap of a ball or a point, along its constraints.
VINCULUM_INLINE Vector3 loop_gap(const LoopRows& ends, const LoopScratch& scratch) {
  const Vector3 gap = place_root(scratch, ends.root_on) + place_loop_end(scratch, ends.on, ends.p_on) -
                      place_root(scratch, ends.root_against) - place_loop_end(scratch, ends.against, ends.p_against);
  if (ends.kind == LoopRows::Kind::ball) return gap;
  if (ends.against == kGround) return transpose_times(ends.force, gap);
  return transpose_times(ends.force, transpose_times(scratch.mass.places[ends.against].R, gap));
}

// Calls f.operator()<kind>(): one switch a loop.
template <class F>
VINCULUM_INLINE void with_kind_of(const LoopRows& rows, const F& f) {
  switch (rows.kind) {
    case LoopRows::Kind::ball: return f.template operator()<LoopRows::Kind::ball>();
    case LoopRows::Kind::point: return f.template operator()<LoopRows::Kind::point>();
    case LoopRows::Kind::wrenches: return f.template operator()<LoopRows::Kind::wrenches>();
    case LoopRows::Kind::drive: return f.template operator()<LoopRows::Kind::drive>();
  }
}

// What a unit of each velocity does on the rows, and what they are to answer. `reach` is what it would do if nothing cancelled.
template <LoopRows::Kind kind>
VINCULUM_INLINE Vector3 fill_entries(const LinkSpan<double>& tree, int n, const double* v, LoopTask task, bool has_gap,
                                     const LoopRows& ends, const LoopColumn* columns, int count, const LoopScratch& scratch,
                                     double* Y, double& reach) {
  const auto put = [&](int column, const Vector3& y) __attribute__((always_inline)) {
    double* at = Y + 4 * column;
    at[0] = y.x;
    at[1] = y.y;
    at[2] = y.z;
    at[3] = 0;
  };
  constexpr bool is_ball = kind == LoopRows::Kind::ball, is_point = kind == LoopRows::Kind::point;
  if constexpr (kind == LoopRows::Kind::drive) {
    for (int c = 0; c < count; ++c) put(c, {columns[c].sign != 0 && ends.active[0] ? 1.0 : 0.0, 0, 0});
    return ends.target;
  }
  const Vector3 on = place_loop_end(scratch, ends.on, ends.p_on);
  Vector3 against = place_loop_end(scratch, ends.against, ends.p_against), p_against = ends.p_against;
  Matrix3 axes;  // of a point, in the world
  if constexpr (is_point) {
    // The constraints belong to the point of `against` that is where the point of `on` is now.
    against = p_against = on + place_root(scratch, ends.root_on) - place_root(scratch, ends.root_against);
    axes = ends.force;
    if (ends.against != kGround) {
      const LinkPlace<double>& place = scratch.mass.places[ends.against];
      p_against = transpose_times(place.R, against - place.p);
      axes = place.R * ends.force;
    }
  }

  const bool needs_slip = is_point || (is_ball && task == LoopTask::back);
  Vector3 slip;  // velocity of the point in `against`
  for (int c = 0; c < count; ++c) {
    const LoopColumn& column = columns[c];
    const double* axis = scratch.mass.axes + column.velocity;
    const Vector3 linear{axis[0], axis[n], axis[2 * n]}, angular{axis[3 * n], axis[4 * n], axis[5 * n]};
    const Vector3& point = column.sign > 0 ? on : against;
    Vector3 y = linear + cross(angular, point);
    if (column.sign != 0) reach += dot(linear, linear) + dot(angular, angular) * (1 + dot(point, point));
    if constexpr (kind == LoopRows::Kind::wrenches) y = transpose_times(ends.force, y) + transpose_times(ends.moment, angular);
    y = column.sign > 0 ? y : column.sign < 0 ? -y : Vector3{};
    if (needs_slip) slip = multiply_add(v[column.velocity], y, slip);
    if constexpr (is_point) y = transpose_times(axes, y);
    put(c, y);
  }

  if constexpr (kind == LoopRows::Kind::wrenches) return ends.target;
  if (task == LoopTask::back) {
    if (has_gap) return -loop_gap(ends, scratch);
    return is_point ? -transpose_times(axes, slip) : -slip;
  }
  const Vector3 gamma =
      accelerate_loop_end(tree, scratch, ends.against, p_against) - accelerate_loop_end(tree, scratch, ends.on, ends.p_on);
  if constexpr (is_ball) return gamma;
  // Axes that turn see the slip turn: 2 w × slip.
  if (ends.against == kGround) return transpose_times(axes, gamma);
  const Vector3 w = scratch.mass.places[ends.against].R * scratch.motions[ends.against].w;
  return transpose_times(axes, gamma + 2.0 * cross(w, slip));
}

// The entries of one loop, and what its constraints are to answer. Returns the reach of the velocities.
VINCULUM_INLINE double fill_loop(const LinkSpan<double>& tree, int n, const double* v, LoopTask task, bool has_gap,
                                 const LoopStructure& structure, int loop, LoopScratch& scratch) {
  const int first = structure.first_column[loop], end = structure.first_column[loop + 1];
  double reach = 0;
  with_kind_of(
      structure.loops[loop], [&]<LoopRows::Kind kind>() __attribute__((always_inline)) {
        const Vector3 answer = fill_entries<kind>(tree, n, v, task, has_gap, structure.loops[loop], structure.columns + first,
                                                  end - first, scratch, scratch.sums.Y + kLoopStride<LoopRows> * first, reach);
        double* forces = scratch.sums.forces + structure.first_row[loop];
        forces[0] = answer.x;
        if constexpr (kind != LoopRows::Kind::drive) {
          forces[1] = answer.y;
          forces[2] = answer.z;
        }
      });
  return reach;
}

// v', or the change that is asked for, and the multipliers of the constraints (of a ball the force on `on`, world axes).
// tau: forces on the velocities, and loads as for run_inverse: of task `forces` only.
VINCULUM_INLINE LoopPivots run_loops(const LinkSpan<double>& tree, const LinkRow* rows, int n, const Turns<double>& turns,
                                     const double* v, const double* tau, const Wrench* loads, LoopTask task,
                                     const LoopStructure& structure, LoopScratch& scratch, double* vdot) {
  double* rest = scratch.sums.rest;
  if (task == LoopTask::forces) {
    sweep_outward(tree, turns, v, scratch.zero, scratch.motions, scratch.wrenches);
    sweep_inward(tree, scratch.motions, loads, scratch.wrenches, rest);
    for (int k = 0; k < n; ++k) rest[k] = tau[k] - rest[k];
  } else {
    for (int k = 0; k < n; ++k) rest[k] = 0;
    if (task == LoopTask::back) place_links(tree, turns, scratch.motions);
  }

  fill_mass_rows(tree, rows, n, turns, scratch.mass, scratch.sums.matrix);
  LoopPivots pivots;
  if (task == LoopTask::back) {
    for (int loop = 0; loop < structure.count; ++loop) {
      const Vector3 gap = loop_gap(structure.loops[loop], scratch);
      for (int k = 0; k < 3; ++k) pivots.gap = __builtin_fabs(gap[k]) > pivots.gap ? __builtin_fabs(gap[k]) : pivots.gap;
    }
  }
  const bool has_gap = pivots.gap > structure.round_off;
  solve_loops(
      tree, rows, n, structure, scratch.sums,
      [&](int loop) __attribute__((always_inline)) { return fill_loop(tree, n, v, task, has_gap, structure, loop, scratch); },
      pivots, vdot);
  return pivots;
}

}  // namespace vinculum
