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
  const int* first_row = nullptr;       // count + 1: a drive has one row, all others three
  const int* first_shared =
      nullptr;  // of each loop and each from its first_loop on: the first column of the other from which on they
  const int* shared_of = nullptr;  // may share velocities; where these begin for a loop
  const int* link_of_velocity = nullptr;
  double round_off = 0;  // a gap up to this is none [m]
};

struct LoopScratch {
  LinkMotion<double>* motions;
  Wrench* wrenches;
  MassMatrixScratch<double> mass;
  double* matrix;    // A, then L and D: n × n, of which only what the tree fills is touched
  double* zero;      // n zeros
  double* diagonal;  // n: of A, then 1/D
  double* rest;      // n
  double* weights;   // n × 4: a column of Y spread over the velocities
  double* Y;         // three and a zero a column
  double* schur;     // of each loop, for each row of all: its three rows and a zero; from first_loop on
  double* inverse;   // one a row
  double* forces;    // one a row
};

// The smallest pivots beside what they were before elimination: of A, at which velocity, and of the loops; how much the
// velocities feel of the row they feel least, squared.
struct LoopPivots {
  double mass = 1, loops = 1, felt = 1;
  int velocity = -1;
  double gap = 0;  // the largest, of task `back`
};

// target -= factor row, of the entries from..to: few, so that the last ones count.
VINCULUM_INLINE void subtract_row(double factor, const double* row, int from, int to, double* target) {
  int j = from;
  for (; j + 4 <= to; j += 4) multiply_add(Pack<4>(-factor), Pack<4>::load(row + j), Pack<4>::load(target + j)).store(target + j);
  if (j + 2 <= to) {
    multiply_add(Pack<2>(-factor), Pack<2>::load(row + j), Pack<2>::load(target + j)).store(target + j);
    j += 2;
  }
  if (j < to) target[j] = multiply_add(-factor, row[j], target[j]);
}

// A = Lᵀ D L in place, D on the diagonal, and 1/D in `diagonal`. Leaves the smallest of its pivots beside the diagonal entry of
// A.
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
    diagonal[k] = inverse;
    for_each_range(
        tree, rows, link_of_velocity[k], k, [&](int first, int end) __attribute__((always_inline)) {
          for (int i = end - 1; i >= first; --i) {
            double* target = row_at(i);
            const double factor = row[i] * inverse;
            for_each_range(
                tree, rows, link_of_velocity[i],
                i + 1, [&](int from, int to) __attribute__((always_inline)) { subtract_row(factor, row, from, to, target); });
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

// Y of one loop. Leaves what its rows are to answer in scratch.forces. Returns how much of a row the velocities feel, squared: of
// the row they feel least.
VINCULUM_INLINE double fill_loop(const LinkSpan<double>& tree, int n, const double* v, LoopTask task, bool has_gap,
                                 const LoopStructure& structure, int loop, LoopScratch& scratch) {
  const int first = structure.first_column[loop], end = structure.first_column[loop + 1];
  double reach = 0;
  with_kind_of(
      structure.loops[loop], [&]<LoopRows::Kind kind>() __attribute__((always_inline)) {
        const Vector3 answer = fill_entries<kind>(tree, n, v, task, has_gap, structure.loops[loop], structure.columns + first,
                                                  end - first, scratch, scratch.Y + 4 * first, reach);
        double* forces = scratch.forces + structure.first_row[loop];
        forces[0] = answer.x;
        if constexpr (kind != LoopRows::Kind::drive) {
          forces[1] = answer.y;
          forces[2] = answer.z;
        }
      });
  using Row = Pack<4>;
  Row felt(0.0);
  for (int c = first; c < end; ++c) {
    const Row y = Row::load(scratch.Y + 4 * c);
    felt = felt + y * y;
  }
  double least = 1;
  for (int r = 0; r < 3; ++r) {
    if (structure.loops[loop].active[r]) least = felt[r] < least * reach ? felt[r] / reach : least;
  }
  // Inward along both ways: later columns take part in earlier ones that move them.
  for (int c = first; c < end; ++c) {
    const double* row = scratch.matrix + static_cast<std::ptrdiff_t>(structure.columns[c].velocity) * n;
    const Row y = Row::load(scratch.Y + 4 * c);
    for (int e = c + 1; e < end; ++e) {
      const LoopColumn& other = structure.columns[e];
      if (other.sign != 0 && other.sign != structure.columns[c].sign) continue;  // the other way: not moved
      double* at = scratch.Y + 4 * e;
      multiply_add(Row(-row[other.velocity]), y, Row::load(at)).store(at);
    }
  }
  return least;
}

// The rows of a loop in the columns from `column` on.
template <class Number>
VINCULUM_INLINE Number* schur_columns(const LoopStructure& structure, Number* schur, int loop, int column) {
  return schur + 4 * (static_cast<std::ptrdiff_t>(loop) * structure.first_row[structure.count] + column);
}
VINCULUM_INLINE bool is_single(const LoopStructure& structure, int loop) {
  return structure.loops[loop].kind == LoopRows::Kind::drive;
}

// Rows of Yᵀ D⁻¹ Y of one loop, from its first neighbour to itself.
VINCULUM_INLINE void fill_schur_rows(const LoopStructure& structure, int loop, LoopScratch& scratch) {
  using Row = Pack<4>;
  const int first = structure.first_column[loop], end = structure.first_column[loop + 1];
  for (int c = first; c < end; ++c) {
    const int k = structure.columns[c].velocity;
    (Row(scratch.diagonal[k]) * Row::load(scratch.Y + 4 * c)).store(scratch.weights + 4 * k);
  }
  const int* shared = structure.first_shared + structure.shared_of[loop];
  for (int other = structure.first_loop[loop]; other <= loop; ++other, ++shared) {
    Row x(0.0), y(0.0), z(0.0);  // columns of the block: of the other loop's forces
    double* block = schur_columns(structure, scratch.schur, loop, structure.first_row[other]);
    const int last = structure.first_column[other + 1];
    if (is_single(structure, other)) {
      for (int c = *shared; c < last; ++c)
        x = multiply_add(Row(scratch.Y[4 * c]), Row::load(scratch.weights + 4 * structure.columns[c].velocity), x);
      x.store(block);
      continue;
    }
    // Two sums each, of every second column: the next need not wait for the last.
    Row x2(0.0), y2(0.0), z2(0.0);
    const auto add = [&](int c, Row& to_x, Row& to_y, Row& to_z) __attribute__((always_inline)) {
      const Row weight = Row::load(scratch.weights + 4 * structure.columns[c].velocity);
      const double* b = scratch.Y + 4 * c;
      to_x = multiply_add(Row(b[0]), weight, to_x);
      to_y = multiply_add(Row(b[1]), weight, to_y);
      to_z = multiply_add(Row(b[2]), weight, to_z);
    };
    int c = *shared;
    for (; c + 1 < last; c += 2) {
      add(c, x, y, z);
      add(c + 1, x2, y2, z2);
    }
    if (c < last) add(c, x, y, z);
    (x + x2).store(block);
    (y + y2).store(block + 4);
    (z + z2).store(block + 8);
  }
  const int own = structure.first_row[loop], rows = structure.first_row[loop + 1] - own;
  for (int r = 0; r < rows; ++r) {
    if (!structure.loops[loop].active[r]) schur_columns(structure, scratch.schur, loop, own + r)[r] = 1;
  }
  for (int c = first; c < end; ++c) Row(0.0).store(scratch.weights + 4 * structure.columns[c].velocity);
}

// Cholesky within the envelope, three rows at a time:  L_ij = (S_ij - Σ_k L_ik L_jkᵀ) L_jj⁻ᵀ . Leaves 1/diagonal in `inverse`;
// the smallest pivot beside its diagonal entry.
VINCULUM_INLINE double factor_schur(const LoopStructure& structure, double* schur, double* inverse) {
  using Row = Pack<4>;
  double smallest = 1;
  for (int i = 0; i < structure.count; ++i) {
    for (int j = structure.first_loop[i]; j <= i; ++j) {
      const int to = structure.first_row[j];
      double* own = schur_columns(structure, schur, i, to);
      double* root = inverse + to;
      const int from =
          structure
              .first_row[structure.first_loop[i] > structure.first_loop[j] ? structure.first_loop[i] : structure.first_loop[j]];
      const double* left = schur_columns(structure, schur, i, from);
      const double* other = schur_columns(structure, schur, j, from);
      if (is_single(structure, j)) {
        const double diagonal = own[0];
        Row x = Row::load(own);
        for (int k = from; k < to; ++k, left += 4, other += 4) x = multiply_add(Row(-other[0]), Row::load(left), x);
        if (j == i) {
          const double ratio = x[0] > 0 ? x[0] / diagonal : 0;
          smallest = ratio < smallest ? ratio : smallest;
          root[0] = 1 / __builtin_sqrt(x[0]);
          if (!(smallest > 0)) return 0;
        }
        (Row(root[0]) * x).store(own);
        continue;
      }
      Row x = Row::load(own), y = Row::load(own + 4), z = Row::load(own + 8);
      const double diagonal[3] = {own[0], own[5], own[10]};
      Row x2(0.0), y2(0.0), z2(0.0);  // of every second column
      const auto subtract = [&](int at, Row& from_x, Row& from_y, Row& from_z) __attribute__((always_inline)) {
        const Row rows = Row::load(left + at);
        from_x = multiply_add(Row(-other[at]), rows, from_x);
        from_y = multiply_add(Row(-other[at + 1]), rows, from_y);
        from_z = multiply_add(Row(-other[at + 2]), rows, from_z);
      };
      int k = from;
      for (; k + 1 < to; k += 2, left += 8, other += 8) {
        subtract(0, x, y, z);
        subtract(4, x2, y2, z2);
      }
      if (k < to) subtract(0, x, y, z);
      x = x + x2;
      y = y + y2;
      z = z + z2;
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
        const double* corner = schur_columns(structure, schur, j, to);  // L_jj
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
    const int row = structure.first_row[i], from = structure.first_row[structure.first_loop[i]];
    const double* column = schur_columns(structure, schur, i, from);
    double* own = x + row;
    if (is_single(structure, i)) {
      for (int k = from; k < row; ++k, column += 4) own[0] = multiply_add(-column[0], x[k], own[0]);
      own[0] *= inverse[row];
      continue;
    }
    for (int k = from; k < row; ++k, column += 4) {
      for (int r = 0; r < 3; ++r) own[r] = multiply_add(-column[r], x[k], own[r]);
    }
    own[0] *= inverse[row];
    own[1] = inverse[row + 1] * multiply_add(-column[1], own[0], own[1]);
    own[2] = inverse[row + 2] * multiply_add(-column[6], own[1], multiply_add(-column[2], own[0], own[2]));
  }
  for (int i = structure.count - 1; i >= 0; --i) {
    const int row = structure.first_row[i], from = structure.first_row[structure.first_loop[i]];
    const double* corner = schur_columns(structure, schur, i, row);
    const double* column = schur_columns(structure, schur, i, from);
    double* own = x + row;
    if (is_single(structure, i)) {
      own[0] *= inverse[row];
      for (int k = from; k < row; ++k, column += 4) x[k] = multiply_add(-column[0], own[0], x[k]);
      continue;
    }
    own[2] *= inverse[row + 2];
    own[1] = inverse[row + 1] * multiply_add(-corner[6], own[2], own[1]);
    own[0] = inverse[row] * multiply_add(-corner[2], own[2], multiply_add(-corner[1], own[1], own[0]));
    for (int k = from; k < row; ++k, column += 4) {
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
    fill_schur_rows(structure, loop, scratch);
  }
  using Row = Pack<4>;
  for (int k = 0; k < n; ++k) vdot[k] = scratch.rest[k] * scratch.diagonal[k];
  for (int loop = 0; loop < structure.count; ++loop) {
    Row moved(0.0);
    for (int c = structure.first_column[loop]; c < structure.first_column[loop + 1]; ++c)
      moved = multiply_add(Row(vdot[structure.columns[c].velocity]), Row::load(scratch.Y + 4 * c), moved);
    for (int row = structure.first_row[loop], r = 0; row < structure.first_row[loop + 1]; ++row, ++r)
      scratch.forces[row] -= moved[r];
  }
  // The pivot of a row that is round-off would be compared with round-off.
  pivots.loops = pivots.felt > kNotFelt * kNotFelt ? factor_schur(structure, scratch.schur, scratch.inverse) : 0;
  if (!(pivots.loops > 0)) return pivots;
  solve_schur(structure, scratch.schur, scratch.inverse, scratch.forces);
  for (int loop = 0; loop < structure.count; ++loop) {
    const double* forces = scratch.forces + structure.first_row[loop];
    const Vector3 f = is_single(structure, loop) ? Vector3{forces[0], 0, 0} : Vector3{forces[0], forces[1], forces[2]};
    for (int c = structure.first_column[loop]; c < structure.first_column[loop + 1]; ++c) {
      const int k = structure.columns[c].velocity;
      const double* y = scratch.Y + 4 * c;
      vdot[k] = multiply_add(scratch.diagonal[k], dot(Vector3{y[0], y[1], y[2]}, f), vdot[k]);
    }
  }
  solve_inward_rows(tree, rows, structure.link_of_velocity, n, scratch.matrix, vdot);
  return pivots;
}

}  // namespace vinculum
