// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/loop_rows.h"
#include "vinculum/kernels/mass_matrix_kernel.h"

// Trees with constraints, solved by the structure of the tree:
//
//   A v' = tau - h + Jᵀ f ,  J v' = gamma                                                                theory 1, section 8
//
//   A = Lᵀ D L , rows of L filled only where velocities move each other                        Featherstone 2008, section 6.5
//   Y = L⁻ᵀ Jᵀ , a column of Y only on the ways from its two bodies to the ground
//   (Yᵀ D⁻¹ Y) f = gamma - Yᵀ D⁻¹ L⁻ᵀ (tau - h) ,  by Cholesky's factors within the envelope
//
// A chain of platforms costs in proportion to their number: each loop meets its neighbours only. A, J, h and gamma come from
// loop_kernel.h, or flat_loop_kernel.h for mechanisms of a plane.
namespace vinculum {

// One velocity on the ways of a loop: the loop's point moves by sign (S_lin + S_ang × r), r that of the side that moves with it.
// Of a drive, 1 is the driven velocity, and all others are 0.
struct LoopColumn {
  int velocity = 0;
  std::int8_t sign = 0;  // 1: moves `on`, -1: moves `against`, 0: moves both
};

// What does not change with the state. A Loop has at most kMost constraints, and says which are active; a single one has one.
template <class Loop>
struct LoopStructureOf {
  const Loop* loops = nullptr;
  int count = 0;
  const LoopColumn* columns = nullptr;  // of all loops, each from its last velocity to its first
  const int* first_column = nullptr;    // count + 1
  const int* first_loop = nullptr;      // the first of all loops that share a velocity with this one or lie between
  const int* last_loop = nullptr;       // the last loop whose first_loop is not after this one
  const int* first_row = nullptr;       // count + 1: a single loop has one constraint, all others kMost
  const int* first_shared =
      nullptr;  // of each loop and each from its first_loop on: the first column of the other from which on they
  const int* shared_of = nullptr;  // may share velocities; where these begin for a loop
  const int* link_of_velocity = nullptr;
  double round_off = 0;  // a gap up to this is none [m]
};

// The constraints of one loop side by side, a register full.
template <class Loop>
inline constexpr int kLoopStride = Loop::kMost == 3 ? 4 : Loop::kMost;
template <class Loop>
using LoopRow = Pack<kLoopStride<Loop>>;

struct LoopSums {
  double* matrix;    // A, then L and D: n × n, of which only what the tree fills is touched
  double* diagonal;  // n: of A, then 1/D
  double* rest;      // n: tau - h
  double* weights;   // n × stride: a column of Y spread over the velocities
  double* Y;         // a stride a column
  double* schur;     // of each loop, for each constraint of all: a stride; from first_loop on
  double* inverse;   // one a constraint
  double* forces;    // one a constraint: what it is to answer, then its multiplier
};

// The smallest pivots beside what they were before elimination: of A, at which velocity, and of the loops; how much the
// velocities feel of the constraint they feel least, squared.
struct LoopPivots {
  double mass = 1, loops = 1, felt = 1;
  int velocity = -1;
  double gap = 0;  // the largest, of task `back`
};

// target -= factor constraint, of the entries from..to: few, so that the last ones count.
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

// Y := L⁻ᵀ Y of one loop, whose entries are Jᵀ. Returns how much of a row the velocities feel, squared: of the row they feel
// least. `reach`: what they would do on a constraint if nothing cancelled.
template <class Loop>
VINCULUM_INLINE double take_inward(int n, const LoopStructureOf<Loop>& structure, int loop, double reach, LoopSums& sums) {
  using Row = LoopRow<Loop>;
  constexpr int stride = kLoopStride<Loop>;
  const int first = structure.first_column[loop], end = structure.first_column[loop + 1];
  Row felt(0.0);
  for (int c = first; c < end; ++c) {
    const Row y = Row::load(sums.Y + stride * c);
    felt = felt + y * y;
  }
  double least = 1;
  for (int r = 0; r < Loop::kMost; ++r) {
    if (structure.loops[loop].active[r]) least = felt[r] < least * reach ? felt[r] / reach : least;
  }
  // Inward along both ways: later columns take part in earlier ones that move them.
  for (int c = first; c < end; ++c) {
    const double* row = sums.matrix + static_cast<std::ptrdiff_t>(structure.columns[c].velocity) * n;
    const Row y = Row::load(sums.Y + stride * c);
    for (int e = c + 1; e < end; ++e) {
      const LoopColumn& other = structure.columns[e];
      if (other.sign != 0 && other.sign != structure.columns[c].sign) continue;  // the other way: not moved
      double* at = sums.Y + stride * e;
      multiply_add(Row(-row[other.velocity]), y, Row::load(at)).store(at);
    }
  }
  return least;
}

// The rows of a loop in the columns from `column` on.
template <class Loop, class Number>
VINCULUM_INLINE Number* schur_columns(const LoopStructureOf<Loop>& structure, Number* schur, int loop, int column) {
  return schur + kLoopStride<Loop> * (static_cast<std::ptrdiff_t>(loop) * structure.first_row[structure.count] + column);
}

// Rows of Yᵀ D⁻¹ Y of one loop, from its first neighbour to itself.
template <class Loop>
VINCULUM_INLINE void fill_schur_rows(const LoopStructureOf<Loop>& structure, int loop, LoopSums& sums) {
  using Row = LoopRow<Loop>;
  constexpr int most = Loop::kMost, stride = kLoopStride<Loop>;
  const int first = structure.first_column[loop], end = structure.first_column[loop + 1];
  for (int c = first; c < end; ++c) {
    const int k = structure.columns[c].velocity;
    (Row(sums.diagonal[k]) * Row::load(sums.Y + stride * c)).store(sums.weights + stride * k);
  }
  const int* shared = structure.first_shared + structure.shared_of[loop];
  for (int other = structure.first_loop[loop]; other <= loop; ++other, ++shared) {
    double* block = schur_columns(structure, sums.schur, loop, structure.first_row[other]);
    const int last = structure.first_column[other + 1];
    if (structure.loops[other].is_single()) {
      Row x(0.0);
      for (int c = *shared; c < last; ++c)
        x = multiply_add(Row(sums.Y[stride * c]), Row::load(sums.weights + stride * structure.columns[c].velocity), x);
      x.store(block);
      continue;
    }
    // Columns of the block: of the other loop's forces. Two sums each, of every second column of Y: the next need not wait for
    // the last.
    Row sum[most], second[most];
    for (int r = 0; r < most; ++r) sum[r] = second[r] = Row(0.0);
    const auto add = [&](int c, Row* to) __attribute__((always_inline)) {
      const Row weight = Row::load(sums.weights + stride * structure.columns[c].velocity);
      const double* b = sums.Y + stride * c;
      for (int r = 0; r < most; ++r) to[r] = multiply_add(Row(b[r]), weight, to[r]);
    };
    int c = *shared;
    for (; c + 1 < last; c += 2) {
      add(c, sum);
      add(c + 1, second);
    }
    if (c < last) add(c, sum);
    for (int r = 0; r < most; ++r) (sum[r] + second[r]).store(block + stride * r);
  }
  const int own = structure.first_row[loop], rows = structure.first_row[loop + 1] - own;
  for (int r = 0; r < rows; ++r) {
    if (!structure.loops[loop].active[r]) schur_columns(structure, sums.schur, loop, own + r)[r] = 1;
  }
  for (int c = first; c < end; ++c) Row(0.0).store(sums.weights + stride * structure.columns[c].velocity);
}

// Cholesky within the envelope, the rows of a loop at a time:  L_ij = (S_ij - Σ_k L_ik L_jkᵀ) L_jj⁻ᵀ . Leaves 1/diagonal in
// `inverse`; the smallest pivot beside its diagonal entry.
template <class Loop>
VINCULUM_INLINE double factor_schur(const LoopStructureOf<Loop>& structure, double* schur, double* inverse) {
  using Row = LoopRow<Loop>;
  constexpr int most = Loop::kMost, stride = kLoopStride<Loop>;
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
      const auto take_root = [&](double pivot, double diagonal, int k) __attribute__((always_inline)) {
        const double ratio = pivot > 0 ? pivot / diagonal : 0;
        smallest = ratio < smallest ? ratio : smallest;
        root[k] = 1 / __builtin_sqrt(pivot);
      };
      if (structure.loops[j].is_single()) {
        const double diagonal = own[0];
        Row x = Row::load(own);
        for (int k = from; k < to; ++k, left += stride, other += stride) x = multiply_add(Row(-other[0]), Row::load(left), x);
        if (j == i) {
          take_root(x[0], diagonal, 0);
          if (!(smallest > 0)) return 0;
        }
        (Row(root[0]) * x).store(own);
        continue;
      }
      Row column[most], second[most];  // of every second column
      for (int r = 0; r < most; ++r) {
        column[r] = Row::load(own + stride * r);
        second[r] = Row(0.0);
      }
      const auto subtract = [&](int at, Row* of) __attribute__((always_inline)) {
        const Row rows = Row::load(left + at);
        for (int r = 0; r < most; ++r) of[r] = multiply_add(Row(-other[at + r]), rows, of[r]);
      };
      int k = from;
      for (; k + 1 < to; k += 2, left += 2 * stride, other += 2 * stride) {
        subtract(0, column);
        subtract(stride, second);
      }
      if (k < to) subtract(0, column);
      const double* corner = schur_columns(structure, schur, j, to);  // L_jj
      for (int r = 0; r < most; ++r) column[r] = column[r] + second[r];
      for (int r = 0; r < most; ++r) {
        for (int c = 0; c < r; ++c)
          column[r] = multiply_add(Row(j == i ? -column[c][r] : -corner[stride * c + r]), column[c], column[r]);
        if (j == i) take_root(column[r][r], own[stride * r + r], r);
        column[r] = Row(root[r]) * column[r];
      }
      if (!(smallest > 0)) return 0;
      for (int r = 0; r < most; ++r) column[r].store(own + stride * r);
    }
  }
  return smallest;
}

template <class Loop>
VINCULUM_INLINE void solve_schur(const LoopStructureOf<Loop>& structure, const double* schur, const double* inverse, double* x) {
  constexpr int most = Loop::kMost, stride = kLoopStride<Loop>;
  for (int i = 0; i < structure.count; ++i) {
    const int row = structure.first_row[i], from = structure.first_row[structure.first_loop[i]];
    const double* column = schur_columns(structure, schur, i, from);
    double* own = x + row;
    if (structure.loops[i].is_single()) {
      for (int k = from; k < row; ++k, column += stride) own[0] = multiply_add(-column[0], x[k], own[0]);
      own[0] *= inverse[row];
      continue;
    }
    for (int k = from; k < row; ++k, column += stride) {
      for (int r = 0; r < most; ++r) own[r] = multiply_add(-column[r], x[k], own[r]);
    }
    for (int r = 0; r < most; ++r) {
      for (int c = 0; c < r; ++c) own[r] = multiply_add(-column[stride * c + r], own[c], own[r]);
      own[r] *= inverse[row + r];
    }
  }
  for (int i = structure.count - 1; i >= 0; --i) {
    const int row = structure.first_row[i], from = structure.first_row[structure.first_loop[i]];
    const double* corner = schur_columns(structure, schur, i, row);
    const double* column = schur_columns(structure, schur, i, from);
    double* own = x + row;
    if (structure.loops[i].is_single()) {
      own[0] *= inverse[row];
      for (int k = from; k < row; ++k, column += stride) x[k] = multiply_add(-column[0], own[0], x[k]);
      continue;
    }
    for (int r = most - 1; r >= 0; --r) {
      for (int c = r + 1; c < most; ++c) own[r] = multiply_add(-corner[stride * r + c], own[c], own[r]);
      own[r] *= inverse[row + r];
    }
    for (int k = from; k < row; ++k, column += stride) {
      for (int r = 0; r < most; ++r) x[k] = multiply_add(-column[r], own[r], x[k]);
    }
  }
}

// v', or the change that is asked for, and the multipliers of the rows (sums.forces), from A (sums.matrix) and tau - h
// (sums.rest). fill(loop) writes the entries of J of one loop and what its constraints are to answer, and returns their `reach`.
// Nothing is to be trusted where a pivot is nothing: rows that depend on each other, or a singular mass matrix.
template <class Loop, class Fill>
VINCULUM_INLINE void solve_loops(const LinkSpan<double>& tree, const LinkRow* rows, int n, const LoopStructureOf<Loop>& structure,
                                 LoopSums& sums, const Fill& fill, LoopPivots& pivots, double* vdot) {
  using Row = LoopRow<Loop>;
  constexpr int most = Loop::kMost, stride = kLoopStride<Loop>;
  factor_mass_rows(tree, rows, structure.link_of_velocity, n, sums.matrix, sums.diagonal, pivots);
  if (!(pivots.mass > 0)) return;
  solve_outward_rows(tree, rows, structure.link_of_velocity, n, sums.matrix, sums.rest);

  for (int loop = 0; loop < structure.count; ++loop) {
    const double felt = take_inward(n, structure, loop, fill(loop), sums);
    pivots.felt = felt < pivots.felt ? felt : pivots.felt;
    fill_schur_rows(structure, loop, sums);
  }
  for (int k = 0; k < n; ++k) vdot[k] = sums.rest[k] * sums.diagonal[k];
  for (int loop = 0; loop < structure.count; ++loop) {
    Row moved(0.0);
    for (int c = structure.first_column[loop]; c < structure.first_column[loop + 1]; ++c)
      moved = multiply_add(Row(vdot[structure.columns[c].velocity]), Row::load(sums.Y + stride * c), moved);
    for (int row = structure.first_row[loop], r = 0; row < structure.first_row[loop + 1]; ++row, ++r)
      sums.forces[row] -= moved[r];
  }
  // The pivot of a constraint that is round-off would be compared with round-off.
  pivots.loops = pivots.felt > kNotFelt * kNotFelt ? factor_schur(structure, sums.schur, sums.inverse) : 0;
  if (!(pivots.loops > 0)) return;
  solve_schur(structure, sums.schur, sums.inverse, sums.forces);
  for (int loop = 0; loop < structure.count; ++loop) {
    const double* forces = sums.forces + structure.first_row[loop];
    double f[most] = {forces[0]};
    if (!structure.loops[loop].is_single()) {
      for (int r = 1; r < most; ++r) f[r] = forces[r];
    }
    for (int c = structure.first_column[loop]; c < structure.first_column[loop + 1]; ++c) {
      const int k = structure.columns[c].velocity;
      const double* y = sums.Y + stride * c;
      double pushed = y[most - 1] * f[most - 1];
      for (int r = most - 2; r >= 0; --r) pushed = multiply_add(y[r], f[r], pushed);
      vdot[k] = multiply_add(sums.diagonal[k], pushed, vdot[k]);
    }
  }
  solve_inward_rows(tree, rows, structure.link_of_velocity, n, sums.matrix, vdot);
}

}  // namespace vinculum
