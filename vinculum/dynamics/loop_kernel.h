// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/inverse_kernel.h"
#include "vinculum/dynamics/loop_rows.h"
#include "vinculum/dynamics/mass_matrix_kernel.h"

// Trees with constraint rows, solved by the structure of the tree:
//
//   A v' = tau - h + Jᵀ f ,  J v' = gamma                                                                theory 1, section 8
//
//   A = Lᵀ D L , rows of L filled only where velocities move each other                        Featherstone 2008, section 6.5
//   Y = L⁻ᵀ Jᵀ , a column of Y only on the ways from its two bodies to the ground
//   (Yᵀ D⁻¹ Y) f = gamma - Yᵀ D⁻¹ L⁻ᵀ (tau - h) ,  by Cholesky's factors within the envelope
//
// A chain of platforms costs in proportion to their number: each loop meets its neighbours only.
namespace vinculum {

// One velocity on the ways of a loop: the loop's point moves by sign (S_lin + S_ang × r), r that of the side that moves with it.
// Of a drive, 1 is the driven velocity, and all others are 0.
struct LoopColumn {
  int velocity = 0;
  std::int8_t sign = 0;  // 1: moves `on`, -1: moves `against`, 0: moves both
};

// What does not change with the state.
struct LoopStructure {
  const LoopRows* loops = nullptr;
  int count = 0;
  const LoopColumn* columns = nullptr;  // of all loops, each from its last velocity to its first
  const int* first_column = nullptr;    // count + 1
  const int* first_loop = nullptr;      // the first of all loops that share a velocity with this one or lie between
  const int* last_loop = nullptr;       // the last loop whose first_loop is not after this one
  const int* link_of_velocity = nullptr;
  double round_off = 0;  // a gap up to this is none [m]
};

struct LoopScratch {
  LinkMotion<double>* motions;
  Wrench* wrenches;
  MassMatrixScratch<double> mass;
  double* matrix;    // A, then L and D: n × n, of which only what the tree fills is touched
  double* zero;      // n zeros
  double* diagonal;  // n
  double* rest;      // n
  double* weights;   // n × 4: a column of Y spread over the velocities
  Vector3* Y;        // one a column
  double* schur;     // of each loop, for each of 3 count columns: its three rows and a zero; columns from first_loop on
  double* inverse;   // 3 count
  double* forces;    // 3 count
};

// The smallest pivots beside what they were before elimination: of A, at which velocity, and of the loops; how much the
// velocities feel of the row they feel least, squared.
struct LoopPivots {
  double mass = 1, loops = 1, felt = 1;
  int velocity = -1;
  double gap = 0;  // the largest, of task `back`
};

// A = Lᵀ D L in place, D on the diagonal. Leaves the smallest of its pivots beside the diagonal entry of A.
VINCULUM_INLINE void factor_mass_rows(const LinkSpan<double>& tree, const LinkRow* rows, const int* link_of_velocity, int n,
                                      double* matrix, double* diagonal, LoopPivots& pivots) {
  const auto row_at = [&](int k) __attribute__((always_inline)) { return matrix + static_cast<std::ptrdiff_t>(k) * n; };
  for (int k = 0; k < n; ++k) diagonal[k] = row_at(k)[k];
  for (int k = n - 1; k >= 0; --k) {
    double* row = row_at(k);
    const double ratio = row[k] > 0 ? row[k] / diagonal[k] : 0, inverse = 1 / row[k];
    if (ratio < pivots.mass) {
      pivots.mass = ratio;
      pivots.velocity = k;
    }
    if (!(ratio > 0)) return;
    for_each_range(
        tree, rows, link_of_velocity[k], k, [&](int first, int end) __attribute__((always_inline)) {
          for (int i = end - 1; i >= first; --i) {
            double* target = row_at(i);
            const double factor = row[i] * inverse;
            for_each_range(
                tree, rows, link_of_velocity[i], i + 1, [&](int from, int to) __attribute__((always_inline)) {
                  for (int j = from; j < to; ++j) target[j] = multiply_add(-factor, row[j], target[j]);
                });
            row[i] = factor;
          }
        });
  }
}

// x := L⁻ᵀ x
VINCULUM_INLINE void solve_outward_rows(const LinkSpan<double>& tree, const LinkRow* rows, const int* link_of_velocity, int n,
                                        const double* matrix, double* x) {
  for (int k = n - 1; k >= 0; --k) {
    const double* row = matrix + static_cast<std::ptrdiff_t>(k) * n;
    const double value = x[k];
    for_each_range(
        tree, rows, link_of_velocity[k], k, [&](int first, int end) __attribute__((always_inline)) {
          for (int i = first; i < end; ++i) x[i] = multiply_add(-row[i], value, x[i]);
        });
  }
}
// x := L⁻¹ x
VINCULUM_INLINE void solve_inward_rows(const LinkSpan<double>& tree, const LinkRow* rows, const int* link_of_velocity, int n,
                                       const double* matrix, double* x) {
  for (int k = 0; k < n; ++k) {
    const double* row = matrix + static_cast<std::ptrdiff_t>(k) * n;
    double value = x[k];
    for_each_range(
        tree, rows, link_of_velocity[k], k, [&](int first, int end) __attribute__((always_inline)) {
          for (int i = first; i < end; ++i) value = multiply_add(-row[i], x[i], value);
        });
    x[k] = value;
  }
}

// Where a point of a link is, from the pole of the root of its tree; world axes.
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

// The gap of a ball or a point, along its rows.
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
                                     Vector3* Y, double& reach) {
  constexpr bool is_ball = kind == LoopRows::Kind::ball, is_point = kind == LoopRows::Kind::point;
  if constexpr (kind == LoopRows::Kind::drive) {
    for (int c = 0; c < count; ++c) Y[c] = {columns[c].sign != 0 && ends.active[0] ? 1.0 : 0.0, 0, 0};
    return ends.target;
  }
  const Vector3 on = place_loop_end(scratch, ends.on, ends.p_on);
  Vector3 against = place_loop_end(scratch, ends.against, ends.p_against), p_against = ends.p_against;
  Matrix3 axes;  // of a point, in the world
  if constexpr (is_point) {
    // The rows belong to the point of `against` that is where the point of `on` is now.
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
    Y[c] = y;
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

// Y of one loop. Leaves what its rows are to answer in scratch.forces. Returns how much of a row the velocities feel, squared: of
// the row they feel least.
VINCULUM_INLINE double fill_loop(const LinkSpan<double>& tree, int n, const double* v, LoopTask task, bool has_gap,
                                 const LoopStructure& structure, int loop, LoopScratch& scratch) {
  const int first = structure.first_column[loop], end = structure.first_column[loop + 1];
  double reach = 0;
  with_kind_of(
      structure.loops[loop], [&]<LoopRows::Kind kind>() __attribute__((always_inline)) {
        const Vector3 answer = fill_entries<kind>(tree, n, v, task, has_gap, structure.loops[loop], structure.columns + first,
                                                  end - first, scratch, scratch.Y + first, reach);
        scratch.forces[3 * loop] = answer.x;
        scratch.forces[3 * loop + 1] = answer.y;
        scratch.forces[3 * loop + 2] = answer.z;
      });
  Vector3 felt;
  for (int c = first; c < end; ++c) {
    const Vector3& y = scratch.Y[c];
    felt = felt + Vector3{y.x * y.x, y.y * y.y, y.z * y.z};
  }
  double least = 1;
  for (int r = 0; r < 3; ++r) {
    if (structure.loops[loop].active[r]) least = felt[r] < least * reach ? felt[r] / reach : least;
  }
  // Inward along both ways: later columns take part in earlier ones that move them.
  for (int c = first; c < end; ++c) {
    const double* row = scratch.matrix + static_cast<std::ptrdiff_t>(structure.columns[c].velocity) * n;
    const Vector3 y = scratch.Y[c];
    for (int e = c + 1; e < end; ++e) {
      const LoopColumn& other = structure.columns[e];
      if (other.sign != 0 && other.sign != structure.columns[c].sign) continue;  // the other way: not moved
      scratch.Y[e] = multiply_add(-row[other.velocity], y, scratch.Y[e]);
    }
  }
  return least;
}

// The three rows of a loop in the columns from `column` on.
template <class Number>
VINCULUM_INLINE Number* schur_columns(const LoopStructure& structure, Number* schur, int loop, int column) {
  return schur + 4 * (static_cast<std::ptrdiff_t>(loop) * 3 * structure.count + column);
}

// Rows of Yᵀ D⁻¹ Y of one loop, from its first neighbour to itself.
VINCULUM_INLINE void fill_schur_rows(int n, const LoopStructure& structure, int loop, LoopScratch& scratch) {
  const int first = structure.first_column[loop], end = structure.first_column[loop + 1];
  for (int c = first; c < end; ++c) {
    const int k = structure.columns[c].velocity;
    const double inverse = 1 / scratch.matrix[static_cast<std::ptrdiff_t>(k) * n + k];
    double* weight = scratch.weights + 4 * k;
    weight[0] = inverse * scratch.Y[c].x;
    weight[1] = inverse * scratch.Y[c].y;
    weight[2] = inverse * scratch.Y[c].z;
    weight[3] = 0;
  }
  for (int other = structure.first_loop[loop]; other <= loop; ++other) {
    using Row = Pack<4>;
    Row x(0.0), y(0.0), z(0.0);  // columns of the block: of the other loop's three forces
    for (int c = structure.first_column[other]; c < structure.first_column[other + 1]; ++c) {
      const Row weight = Row::load(scratch.weights + 4 * structure.columns[c].velocity);
      const Vector3& b = scratch.Y[c];
      x = multiply_add(Row(b.x), weight, x);
      y = multiply_add(Row(b.y), weight, y);
      z = multiply_add(Row(b.z), weight, z);
    }
    double* block = schur_columns(structure, scratch.schur, loop, 3 * other);
    x.store(block);
    y.store(block + 4);
    z.store(block + 8);
  }
  for (int r = 0; r < 3; ++r) {
    if (!structure.loops[loop].active[r]) schur_columns(structure, scratch.schur, loop, 3 * loop + r)[r] = 1;
  }
  for (int c = first; c < end; ++c) {
    double* weight = scratch.weights + 4 * structure.columns[c].velocity;
    weight[0] = weight[1] = weight[2] = 0;
  }
}

// Cholesky within the envelope, three rows at a time:  L_ij = (S_ij - Σ_k L_ik L_jkᵀ) L_jj⁻ᵀ . Leaves 1/diagonal in `inverse`;
// the smallest pivot beside its diagonal entry.
VINCULUM_INLINE double factor_schur(const LoopStructure& structure, double* schur, double* inverse) {
  using Row = Pack<4>;
  double smallest = 1;
  for (int i = 0; i < structure.count; ++i) {
    for (int j = structure.first_loop[i]; j <= i; ++j) {
      double* own = schur_columns(structure, schur, i, 3 * j);
      Row x = Row::load(own), y = Row::load(own + 4), z = Row::load(own + 8);
      const double diagonal[3] = {own[0], own[5], own[10]};
      const int from =
          3 * (structure.first_loop[i] > structure.first_loop[j] ? structure.first_loop[i] : structure.first_loop[j]);
      const double* left = schur_columns(structure, schur, i, from);
      const double* other = schur_columns(structure, schur, j, from);
      for (int k = from; k < 3 * j; ++k, left += 4, other += 4) {
        const Row rows = Row::load(left);
        x = multiply_add(Row(-other[0]), rows, x);
        y = multiply_add(Row(-other[1]), rows, y);
        z = multiply_add(Row(-other[2]), rows, z);
      }
      double* root = inverse + 3 * j;
      if (j == i) {
        const auto take_root = [&](double pivot, int k) __attribute__((always_inline)) {
          const double ratio = pivot > 0 ? pivot / diagonal[k] : 0;
          smallest = ratio < smallest ? ratio : smallest;
          root[k] = 1 / __builtin_sqrt(pivot);
        };
        take_root(x[0], 0);
        x = Row(root[0]) * x;
        y = multiply_add(Row(-x[1]), x, y);
        take_root(y[1], 1);
        y = Row(root[1]) * y;
        z = multiply_add(Row(-y[2]), y, multiply_add(Row(-x[2]), x, z));
        take_root(z[2], 2);
        z = Row(root[2]) * z;
        if (!(smallest > 0)) return 0;
      } else {
        const double* corner = schur_columns(structure, schur, j, 3 * j);  // L_jj
        x = Row(root[0]) * x;
        y = Row(root[1]) * multiply_add(Row(-corner[1]), x, y);
        z = Row(root[2]) * multiply_add(Row(-corner[6]), y, multiply_add(Row(-corner[2]), x, z));
      }
      x.store(own);
      y.store(own + 4);
      z.store(own + 8);
    }
  }
  return smallest;
}

VINCULUM_INLINE void solve_schur(const LoopStructure& structure, const double* schur, const double* inverse, double* x) {
  for (int i = 0; i < structure.count; ++i) {
    double* own = x + 3 * i;
    const double* column = schur_columns(structure, schur, i, 3 * structure.first_loop[i]);
    for (int k = 3 * structure.first_loop[i]; k < 3 * i; ++k, column += 4) {
      for (int r = 0; r < 3; ++r) own[r] = multiply_add(-column[r], x[k], own[r]);
    }
    own[0] *= inverse[3 * i];
    own[1] = inverse[3 * i + 1] * multiply_add(-column[1], own[0], own[1]);
    own[2] = inverse[3 * i + 2] * multiply_add(-column[6], own[1], multiply_add(-column[2], own[0], own[2]));
  }
  for (int i = structure.count - 1; i >= 0; --i) {
    double* own = x + 3 * i;
    const double* corner = schur_columns(structure, schur, i, 3 * i);
    own[2] *= inverse[3 * i + 2];
    own[1] = inverse[3 * i + 1] * multiply_add(-corner[6], own[2], own[1]);
    own[0] = inverse[3 * i] * multiply_add(-corner[2], own[2], multiply_add(-corner[1], own[1], own[0]));
    const double* column = schur_columns(structure, schur, i, 3 * structure.first_loop[i]);
    for (int k = 3 * structure.first_loop[i]; k < 3 * i; ++k, column += 4) {
      for (int r = 0; r < 3; ++r) x[k] = multiply_add(-column[r], own[r], x[k]);
    }
  }
}

// v', or the change that is asked for, and the multipliers of the rows (scratch.forces; of a ball the force on `on`, world axes).
// tau: forces on the velocities, and loads as for run_inverse: of task `forces` only. Nothing is to be trusted where a pivot is
// nothing: rows that depend on each other, or a singular mass matrix.
VINCULUM_INLINE LoopPivots run_loops(const LinkSpan<double>& tree, const LinkRow* rows, int n, const Turns<double>& turns,
                                     const double* v, const double* tau, const Wrench* loads, LoopTask task,
                                     const LoopStructure& structure, LoopScratch& scratch, double* vdot) {
  if (task == LoopTask::forces) {
    sweep_outward(tree, turns, v, scratch.zero, scratch.motions, scratch.wrenches);
    sweep_inward(tree, scratch.motions, loads, scratch.wrenches, scratch.rest);
    for (int k = 0; k < n; ++k) scratch.rest[k] = tau[k] - scratch.rest[k];
  } else {
    for (int k = 0; k < n; ++k) scratch.rest[k] = 0;
    if (task == LoopTask::back) place_links(tree, turns, scratch.motions);
  }

  fill_mass_rows(tree, rows, n, turns, scratch.mass, scratch.matrix);
  LoopPivots pivots;
  if (task == LoopTask::back) {
    for (int loop = 0; loop < structure.count; ++loop) {
      const Vector3 gap = loop_gap(structure.loops[loop], scratch);
      for (int k = 0; k < 3; ++k) pivots.gap = __builtin_fabs(gap[k]) > pivots.gap ? __builtin_fabs(gap[k]) : pivots.gap;
    }
  }
  const bool has_gap = pivots.gap > structure.round_off;
  factor_mass_rows(tree, rows, structure.link_of_velocity, n, scratch.matrix, scratch.diagonal, pivots);
  if (!(pivots.mass > 0)) return pivots;
  solve_outward_rows(tree, rows, structure.link_of_velocity, n, scratch.matrix, scratch.rest);

  for (int loop = 0; loop < structure.count; ++loop) {
    const double felt = fill_loop(tree, n, v, task, has_gap, structure, loop, scratch);
    pivots.felt = felt < pivots.felt ? felt : pivots.felt;
    fill_schur_rows(n, structure, loop, scratch);
  }
  const auto inertia = [&](int k) __attribute__((always_inline)) {
    return scratch.matrix[static_cast<std::ptrdiff_t>(k) * n + k];
  };
  for (int k = 0; k < n; ++k) vdot[k] = scratch.rest[k] / inertia(k);
  for (int loop = 0; loop < structure.count; ++loop) {
    Vector3 moved;
    for (int c = structure.first_column[loop]; c < structure.first_column[loop + 1]; ++c)
      moved = multiply_add(vdot[structure.columns[c].velocity], scratch.Y[c], moved);
    scratch.forces[3 * loop] -= moved.x;
    scratch.forces[3 * loop + 1] -= moved.y;
    scratch.forces[3 * loop + 2] -= moved.z;
  }
  // The pivot of a row that is round-off would be compared with round-off.
  pivots.loops = pivots.felt > kNotFelt * kNotFelt ? factor_schur(structure, scratch.schur, scratch.inverse) : 0;
  if (!(pivots.loops > 0)) return pivots;
  solve_schur(structure, scratch.schur, scratch.inverse, scratch.forces);
  for (int loop = 0; loop < structure.count; ++loop) {
    const Vector3 f{scratch.forces[3 * loop], scratch.forces[3 * loop + 1], scratch.forces[3 * loop + 2]};
    for (int c = structure.first_column[loop]; c < structure.first_column[loop + 1]; ++c) {
      const int k = structure.columns[c].velocity;
      vdot[k] += dot(scratch.Y[c], f) / inertia(k);
    }
  }
  solve_inward_rows(tree, rows, structure.link_of_velocity, n, scratch.matrix, vdot);
  return pivots;
}

}  // namespace vinculum
