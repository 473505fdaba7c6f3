// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/flat_tree.h"
#include "vinculum/kernels/link_kernel.h"
#include "vinculum/kernels/loop_algebra_kernel.h"

// Motions, masses and rows of a mechanism of a plane with loops, solved by loop_algebra_kernel.h: what loop_kernel.h does, with
// two components where it has three, one where it has a direction, and none of the zeros.
namespace vinculum {

using FlatStructure = LoopStructureOf<FlatLoop>;

// In the axes of the plane; places from the origin of the root of the tree, as LinkPlace.
struct FlatMotion {
  Turn2 R;
  Vector2 p;
  Vector2 r;      // origin, from the base's origin; of a root, from the origin
  Vector2 s;      // own static moment about the origin
  Vector2 a;      // acceleration of the origin without v', less gravity
  double w = 0;   // angular velocity; its change without v' is zero
  Vector2 force;  // through the joint, about the origin
  double moment = 0;
};

// A body, or several as one, about the origin of the root.
struct FlatInertia {
  double mass = 0;
  Vector2 s;
  double J = 0;
};

// How a unit of a velocity moves the point at the origin of the root, and how it turns.
struct FlatAxis {
  Vector2 linear;
  double angular = 0;
};

struct FlatScratch {
  FlatMotion* motions;
  FlatInertia* composites;
  FlatAxis* axes;  // one a velocity
  LoopSums sums;
};

// Places, and what there is of accelerations without v':  a = a_p - w_p² r + 2 w_p n × x'       theory 2, section 5.2, in a plane
VINCULUM_INLINE void move_flat_links(const LinkSpan<double>& tree, const FlatTree& flat, const Turns<double>& turns,
                                     const double* v, FlatScratch& scratch) {
  for (int i = 0; i < tree.count; ++i) {
    const Link& link = tree.links[i];
    const FlatLink& shape = flat.links[i];
    FlatMotion& own = scratch.motions[i];
    const bool is_root = link.parent == kGround;
    const FlatMotion* base = is_root ? nullptr : scratch.motions + link.parent;
    const Turn2 R = is_root ? Turn2{} : base->R;
    const double w = is_root ? 0 : base->w;
    const Vector2 direction = shape.slides ? R * shape.direction : Vector2{};
    own.R = R;
    own.w = w;
    own.r = R * shape.pole;
    own.a = is_root ? -flat.gravity : base->a;
    if (shape.slides) {
      own.r = multiply_add(turns.q[link.q], direction, own.r);
      own.a = multiply_add(2 * w * v[link.v], quarter_turn(direction), own.a);
    }
    if (shape.sense != 0) {
      own.R = R * Turn2{turns.cos[link.q], shape.sense * turns.sin[link.q]};
      own.w = multiply_add(shape.sense, v[link.v], w);
    }
    own.a = multiply_add(-w * w, own.r, own.a);
    own.p = is_root ? Vector2{} : base->p + own.r;
    own.s = own.R * shape.s;
    if (shape.slides) scratch.axes[link.v] = {direction, 0};
    if (shape.sense != 0) scratch.axes[link.v] = {-shape.sense * quarter_turn(own.p), shape.sense};
    const double twice = 2 * dot(own.p, own.s);
    scratch.composites[i] = {shape.mass, multiply_add(shape.mass, own.p, own.s),
                             shape.J + multiply_add(shape.mass, dot(own.p, own.p), twice)};
  }
}

// h: the forces on the velocities that it takes without v', loads taken off.
VINCULUM_INLINE void sum_flat_forces(const LinkSpan<double>& tree, const FlatTree& flat, const Wrench* loads,
                                     FlatScratch& scratch, double* h) {
  for (int i = 0; i < tree.count; ++i) {
    FlatMotion& own = scratch.motions[i];
    own.force = multiply_add(-own.w * own.w, own.s, flat.links[i].mass * own.a);
    own.moment = cross(own.s, own.a);
    if (loads == nullptr) continue;
    const FlatAxes& axes = flat.links[i].axes;
    own.force = own.force - own.R * axes.see(loads[i].force);
    own.moment -= dot(axes.normal, loads[i].moment);
  }
  for (int i = tree.count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    const FlatLink& shape = flat.links[i];
    const FlatMotion& own = scratch.motions[i];
    if (shape.sense != 0) h[link.v] = shape.sense * own.moment;
    if (shape.slides) h[link.v] = dot(scratch.axes[link.v].linear, own.force);
    if (link.parent == kGround) continue;
    FlatMotion& base = scratch.motions[link.parent];
    base.force += own.force;
    base.moment += own.moment + cross(own.r, own.force);
  }
}

// The lower triangle of the mass matrix by composite bodies, as fill_mass_rows of mass_matrix_kernel.h.
VINCULUM_INLINE void fill_flat_mass_rows(const LinkSpan<double>& tree, const FlatTree& flat, const LinkRow* rows, int n,
                                         FlatScratch& scratch, double* matrix) {
  for (int i = tree.count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    const FlatInertia& c = scratch.composites[i];
    if (link.parent != kGround) {
      FlatInertia& base = scratch.composites[link.parent];
      base.mass += c.mass;
      base.s += c.s;
      base.J += c.J;
    }
    if (!flat.links[i].slides && flat.links[i].sense == 0) continue;
    const int k = link.v;
    const FlatAxis& axis = scratch.axes[k];
    const Vector2 force = multiply_add(axis.angular, quarter_turn(c.s), c.mass * axis.linear);
    const double moment = multiply_add(axis.angular, c.J, cross(c.s, axis.linear));
    double* row = matrix + static_cast<std::ptrdiff_t>(k) * n;
    for_each_range(
        tree, rows, i, k + 1, [&](int first, int end) __attribute__((always_inline)) {
          for (int j = first; j < end; ++j)
            row[j] = multiply_add(scratch.axes[j].angular, moment, dot(scratch.axes[j].linear, force));
        });
  }
}

// Where a point of a link is, from the origin of the root of its tree, and its acceleration without v', less gravity.
VINCULUM_INLINE Vector2 place_flat_end(const FlatScratch& scratch, int link, const Vector2& p) {
  return link == kGround ? p : scratch.motions[link].p + scratch.motions[link].R * p;
}
VINCULUM_INLINE Vector2 place_flat_root(const FlatScratch& scratch, int root) {
  return root == kGround ? Vector2{} : scratch.motions[root].r;
}
VINCULUM_INLINE Vector2 accelerate_flat_end(const FlatTree& flat, const FlatScratch& scratch, int link, const Vector2& place) {
  if (link == kGround) return -flat.gravity;
  const FlatMotion& motion = scratch.motions[link];
  return multiply_add(-motion.w * motion.w, place - motion.p, motion.a);
}

// The gap along an axis of the loop.
VINCULUM_INLINE double flat_gap(const FlatLoop& loop, const FlatScratch& scratch, int r) {
  const Vector2 gap = place_flat_root(scratch, loop.root_on) + place_flat_end(scratch, loop.on, loop.p_on) -
                      place_flat_root(scratch, loop.root_against) - place_flat_end(scratch, loop.against, loop.p_against);
  return dot(loop.axes[r], loop.against == kGround ? gap : transpose_times(scratch.motions[loop.against].R, gap));
}

// The entries of one loop, and what its rows are to answer: as fill_entries of loop_kernel.h for a point. Returns the reach.
VINCULUM_INLINE double fill_flat_loop(const FlatTree& flat, const double* v, LoopTask task, bool has_gap,
                                      const FlatStructure& structure, int index, FlatScratch& scratch) {
  const FlatLoop& loop = structure.loops[index];
  const bool is_fixed = loop.against == kGround;
  const Vector2 on = place_flat_end(scratch, loop.on, loop.p_on);
  // The constraints belong to the point of `against` that is where the point of `on` is now.
  const Vector2 against = on + place_flat_root(scratch, loop.root_on) - place_flat_root(scratch, loop.root_against);
  Vector2 axes[FlatLoop::kMost];
  for (int r = 0; r < FlatLoop::kMost; ++r) axes[r] = is_fixed ? loop.axes[r] : scratch.motions[loop.against].R * loop.axes[r];

  double reach = 0;
  Vector2 slip;
  for (int c = structure.first_column[index]; c < structure.first_column[index + 1]; ++c) {
    const LoopColumn& column = structure.columns[c];
    double* Y = scratch.sums.Y + kLoopStride<FlatLoop> * c;
    Vector2 y;
    if (column.sign != 0) {
      const FlatAxis& axis = scratch.axes[column.velocity];
      const Vector2& point = column.sign > 0 ? on : against;
      y = static_cast<double>(column.sign) * multiply_add(axis.angular, quarter_turn(point), axis.linear);
      reach += dot(axis.linear, axis.linear) + axis.angular * axis.angular * (1 + dot(point, point));
      slip = multiply_add(v[column.velocity], y, slip);
    }
    for (int r = 0; r < FlatLoop::kMost; ++r) Y[r] = dot(axes[r], y);
  }

  double* answers = scratch.sums.forces + structure.first_row[index];
  if (task == LoopTask::back) {
    for (int r = 0; r < FlatLoop::kMost; ++r) answers[r] = has_gap ? -flat_gap(loop, scratch, r) : -dot(axes[r], slip);
    return reach;
  }
  Vector2 gamma = accelerate_flat_end(flat, scratch, loop.against, against) - accelerate_flat_end(flat, scratch, loop.on, on);
  // Axes that turn see the slip turn: 2 w × slip.
  if (!is_fixed) gamma = multiply_add(2 * scratch.motions[loop.against].w, quarter_turn(slip), gamma);
  for (int r = 0; r < FlatLoop::kMost; ++r) answers[r] = dot(axes[r], gamma);
  return reach;
}

// As run_loops, of the tasks `forces` and `back`.
VINCULUM_INLINE LoopPivots run_flat_loops(const LinkSpan<double>& tree, const FlatTree& flat, const LinkRow* rows, int n,
                                          const Turns<double>& turns, const double* v, const double* tau, const Wrench* loads,
                                          LoopTask task, const FlatStructure& structure, FlatScratch& scratch, double* vdot) {
  double* rest = scratch.sums.rest;
  move_flat_links(tree, flat, turns, v, scratch);
  if (task == LoopTask::forces) {
    sum_flat_forces(tree, flat, loads, scratch, rest);
    for (int k = 0; k < n; ++k) rest[k] = tau[k] - rest[k];
  } else {
    for (int k = 0; k < n; ++k) rest[k] = 0;
  }
  fill_flat_mass_rows(tree, flat, rows, n, scratch, scratch.sums.matrix);
  LoopPivots pivots;
  if (task == LoopTask::back) {
    for (int loop = 0; loop < structure.count; ++loop) {
      for (int r = 0; r < FlatLoop::kMost; ++r) {
        const double gap = __builtin_fabs(flat_gap(structure.loops[loop], scratch, r));
        pivots.gap = gap > pivots.gap ? gap : pivots.gap;
      }
    }
  }
  const bool has_gap = pivots.gap > structure.round_off;
  solve_loops(
      tree, rows, n, structure, scratch.sums,
      [&](int loop) __attribute__((always_inline)) { return fill_flat_loop(flat, v, task, has_gap, structure, loop, scratch); },
      pivots, vdot);
  return pivots;
}

}  // namespace vinculum
