// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/link_kernel.h"
#include "vinculum/math/pack.h"
#include "vinculum/math/rigid_inertia.h"

namespace vinculum {

// A link's axes and pole seen from the root of its tree: world axes, from the root's pole. Far from the world's origin no digits
// are lost, and a free root does not move it.
template <class S>
struct LinkPlace {
  Matrix3Of<S> R;
  Vector3Of<S> p;
};

// What the mass matrix needs: all in world axes about the origin of the root.
template <class S>
struct MassMatrixScratch {
  LinkPlace<S>* places;           // of each link
  RigidInertiaOf<S>* composites;  // of each link and all it carries
  S* axes;                        // S: six rows, one column a velocity
};

// Writes the columns of S of one joint: (p × u ; u) of a turn about u through p, (u ; 0) of a slide along u.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void write_axes(const LinkOf<Constant>& link, const LinkPlace<S>& place, const Matrix3Of<S>& R_base, int n,
                                S* axes) {
  const auto put = [&](int column, const Vector3Of<S>& linear, const Vector3Of<S>& angular) __attribute__((always_inline)) {
    S* at = axes + link.v + column;
    at[0] = linear.x;
    at[n] = linear.y;
    at[2 * n] = linear.z;
    at[3 * n] = angular.x;
    at[4 * n] = angular.y;
    at[5 * n] = angular.z;
  };
  const Vector3Of<S> z = place.R.z;
  if constexpr (kind == LinkKind::revolute) put(0, cross(place.p, z), z);
  if constexpr (kind == LinkKind::prismatic) put(0, z, Vector3Of<S>{});
  if constexpr (kind == LinkKind::screw) put(0, multiply_add(lift<S>(link.pitch), z, cross(place.p, z)), z);
  if constexpr (kind == LinkKind::free) {
    const Matrix3Of<S> C = R_base * lift<S>(link.C);
    for (int k = 0; k < 3; ++k) put(k, C.column(k), Vector3Of<S>{});
  }
  if constexpr (kIsBall<kind>) {
    for (int k = 0; k < 3; ++k) put(kBall<kind> + k, cross(place.p, place.R.column(k)), place.R.column(k));
  }
}

// S_j · wrench of the axes at j
template <class S>
VINCULUM_INLINE S multiply_axis(const WrenchOf<S>& wrench, const S* axes, int n) {
  const auto& [f, m] = wrench;
  return multiply_add(
      f.x, axes[0],
      multiply_add(
          f.y, axes[n],
          multiply_add(f.z, axes[2 * n], multiply_add(m.x, axes[3 * n], multiply_add(m.y, axes[4 * n], m.z * axes[5 * n])))));
}

// row_j = S_j · wrench, for the velocities from..to
template <class S>
VINCULUM_INLINE void multiply_axes(const WrenchOf<S>& wrench, const S* axes, int n, int from, int to, S* row) {
  for (int j = from; j < to; ++j) row[j] = multiply_axis(wrench, axes + j, n);
}

// One state: axes fill the lanes. The last pack overlaps the one before.
template <int width = kRegisterWidth>
VINCULUM_INLINE void multiply_axes(const Wrench& wrench, const double* axes, int n, int from, int to, double* row) {
  if constexpr (width > 1) {
    if (to - from < width) return multiply_axes<width / 2>(wrench, axes, n, from, to, row);
    using Wide = Pack<width>;
    const WrenchOf<Wide> wide{lift<Wide>(wrench.force), lift<Wide>(wrench.moment)};
    for (int j = from;; j += width) {
      if (j + width > to) j = to - width;
      Wide at[6];
      for (int k = 0; k < 6; ++k) at[k] = Wide::load(axes + k * n + j);
      multiply_axis(wide, at, 1).store(row + j);
      if (j + width == to) return;
    }
  } else if (from < to) {
    row[from] = multiply_axis(wrench, axes + from, n);
  }
}

// use(first, end) for the ranges of velocities before `end` that move link `at`, from the last to the first.
template <class Constant, class Use>
VINCULUM_INLINE void for_each_range(const LinkSpan<Constant>& tree, const LinkRow* rows, int at, int end, const Use& use) {
  while (at != kGround) {
    const LinkRow row = rows[at];
    use(row.first_velocity, end);
    at = row.base;
    if (at != kGround) end = tree.links[at].v + velocity_count(tree.links[at].kind);
  }
}

// The mass matrix by composite bodies: the wrench that a unit v'_k asks of all that link k carries, seen by every axis before it.
//
//   f_k = m_k S_k + W_k × s_k ,  n_k = s_k × S_k + I_k W_k ,  A_kj = S_j · (f_k; n_k)               theory 2, section 4
//
// Writes the lower triangle of `matrix` (n × n) where velocities move each other; other entries stay as they are. Cost O(n
// depth), six multiplications an entry.
template <class S, class Constant>
VINCULUM_INLINE void fill_mass_rows(const LinkSpan<Constant>& tree, const LinkRow* rows, int n, const Turns<S>& turns,
                                    const MassMatrixScratch<S>& scratch, S* matrix) {
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    LinkPlace<S>& own = scratch.places[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          LinkPlace<S> local;
          place_link<kind>(link, turns, local.R, local.p);
          if (link.parent == kGround) {
            own = {local.R, {}};
            write_axes<kind>(link, own, lift<S>(kIdentity3), n, scratch.axes);
          } else {
            const LinkPlace<S>& base = scratch.places[link.parent];
            own = {base.R * local.R, base.p + base.R * local.p};
            write_axes<kind>(link, own, base.R, n, scratch.axes);
          }
        });
    scratch.composites[i] = to_base(own.R, own.p, RigidInertiaOf<S>{lift<S>(link.mass), lift<S>(link.s), lift<S>(link.J)});
  }
  for (int i = tree.count - 1; i >= 0; --i) {
    const LinkOf<Constant>& link = tree.links[i];
    if (link.parent != kGround) scratch.composites[link.parent] += scratch.composites[i];
    const RigidInertiaOf<S>& c = scratch.composites[i];
    for (int k = link.v; k < link.v + velocity_count(link.kind); ++k) {
      const S* axis = scratch.axes + k;
      const WrenchOf<S> wrench = c * TwistOf<S>{{axis[0], axis[n], axis[2 * n]}, {axis[3 * n], axis[4 * n], axis[5 * n]}};
      S* row = matrix + static_cast<std::ptrdiff_t>(k) * n;
      for_each_range(
          tree, rows, i, k + 1, [&](int first, int end) __attribute__((always_inline)) {
            multiply_axes(wrench, scratch.axes, n, first, end, row);
          });
    }
  }
}

// The same with both triangles; entries of different branches stay as they are (zero).
template <class S, class Constant>
VINCULUM_INLINE void run_mass_matrix(const LinkSpan<Constant>& tree, const LinkRow* rows, int n, const Turns<S>& turns,
                                     const MassMatrixScratch<S>& scratch, S* matrix) {
  fill_mass_rows(tree, rows, n, turns, scratch, matrix);
  // Small matrices where they are not zero; large ones by blocks that stay in the nearest cache.
  if (n <= 128) {
    for (int i = 0; i < tree.count; ++i) {
      for (int k = tree.links[i].v; k < tree.links[i].v + velocity_count(tree.links[i].kind); ++k) {
        const S* row = matrix + k * n;
        for_each_range(
            tree, rows, i, k, [&](int first, int end) __attribute__((always_inline)) {
              for (int j = first; j < end; ++j) matrix[j * n + k] = row[j];
            });
      }
    }
    return;
  }
  constexpr int kBlock = 16;
  for (int block = 0; block < n; block += kBlock) {
    for (int k = block; k < n; ++k) {
      const int end = k < block + kBlock ? k : block + kBlock;
      for (int j = block; j < end; ++j)
        matrix[static_cast<std::ptrdiff_t>(j) * n + k] = matrix[static_cast<std::ptrdiff_t>(k) * n + j];
    }
  }
}

}  // namespace vinculum
