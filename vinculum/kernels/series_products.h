// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <type_traits>

#include "vinculum/kernels/forward_kernel.h"

// The products of series that a link needs at an order, Σ_l a_l b_{n-l}. All of a link stand side by side in rows of eight lanes,
// left factors in one array and right factors in another, so that an order takes one multiply-add a constraint and term.
namespace vinculum {

inline constexpr int kRow = 8;

// The products of a link, in rows of eight. `own`: the same wherever it stands; `turned`: turning what the base brings and what
// goes to it (about one axis: a single row of right factors, each with the cosine and with the sine); `slid`: moving along the
// base.
template <LinkKind kind>
inline constexpr bool kHasAxis = kind != LinkKind::fixed && !kIsBall<kind>;

template <LinkKind kind>
inline constexpr int kOwnRows = kIsBall<kind> ? 5 : 1;
template <LinkKind kind>
inline constexpr int kTurnedRows = kIsBall<kind>        ? 5
                                   : kTurnsAboutZ<kind> ? 1
                                                        : 0;
template <LinkKind kind>
inline constexpr int kSlidRows = kind == LinkKind::free ? 3
                                 : kSlides<kind>        ? 1
                                                        : 0;
template <LinkKind kind>
inline constexpr int kTurned = kRow* kOwnRows<kind>;  // where they begin
template <LinkKind kind>
inline constexpr int kSlid = kTurned<kind> + kRow* kTurnedRows<kind>;

// On the ground nothing is brought but a constant, and what goes there is nobody's concern; only a free link needs its force in
// joint axes all the same.
template <class Constant>
VINCULUM_INLINE bool has_all_products(const LinkOf<Constant>& link) {
  return link.parent != kGround || link.kind == LinkKind::free;
}
template <class Constant>
inline int product_lanes(const LinkOf<Constant>& link) {
  int lanes = 0;
  with_kind(link.kind, [&]<LinkKind kind>() {
    lanes = kRow * (kOwnRows<kind> + (has_all_products(link) ? kTurnedRows<kind> + kSlidRows<kind> : 0));
  });
  return lanes;
}

// The same number is a factor of several products and stands in several lanes: the first of them, for each lane. On numbers all
// lanes are filled, so that rows go through registers as they are; on packs, where a lane is a register of its own, the first
// alone.
struct Twins {
  int products;
  int left[kRow * 5];
  int right[kRow * 5];
};
// w wᵀ, and (c, s) v
inline constexpr Twins kOwnTwins{8, {0, 1, 2, 0, 0, 1, 6, 7}, {0, 1, 2, 1, 2, 2, 6, 6}};
// w wᵀ; Q ∘ w; the columns of E, each × w
inline constexpr Twins kBallTwins{
    36,
    {0,  1,  2,  0,  0,  1,  6,  7,  8,  9,  7,  8,  9,  8,  6,  9,  6,  7,
     18, 19, 19, 21, 21, 18, 24, 25, 25, 27, 27, 24, 30, 31, 31, 33, 33, 30},
    {0, 1, 2, 1, 2, 2, 6, 7, 8, 6, 8, 7, 7, 6, 8, 8, 7, 6, 8, 7, 6, 8, 7, 6, 8, 7, 6, 8, 7, 6, 8, 7, 6, 8, 7, 6}};
// E w , E z , Eᵀ F , Eᵀ M
inline constexpr Twins kTurnedTwins{
    36,
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8},
    {0,  0,  0,  3,  3,  3,  6,  6,  6,  9,  9,  9,  12, 12, 12, 15, 15, 15,
     18, 19, 20, 18, 19, 20, 18, 19, 20, 27, 28, 29, 27, 28, 29, 27, 28, 29}};
// K x along one axis, w x', x f; the same in three
inline constexpr Twins kSlidTwins{7, {0, 0, 0, 3, 3, 0, 0}, {0, 1, 2, 3, 4, 5, 6}};
inline constexpr Twins kFreeTwins{21,
                                  {0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 10, 11, 9, 10, 11, 3, 6, 6, 0, 0, 3},
                                  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 12, 12, 9, 15, 16, 17, 15, 16, 17}};
template <LinkKind kind>
inline constexpr const Twins& kOwn = kIsBall<kind> ? kBallTwins : kOwnTwins;
template <LinkKind kind>
inline constexpr const Twins& kSlide = kind == LinkKind::free ? kFreeTwins : kSlidTwins;

// sums[k] = Σ_{l=0}^{n} a_l[k] b_{n-l}[k] for the lanes of some rows. Each is summed in the order of l whatever the registers, so
// that all give the same bits.
template <int rows, const Twins& twins, class S>
VINCULUM_INLINE void sum_products(const S* a, const S* b, int n, int lanes, S* sums) {
#pragma GCC unroll 8
  for (int row = 0; row < twins.products; row += kRow) {
    S sum[kRow];
    for (int k = 0; k < kRow; ++k) sum[k] = lift<S>(0);
    for (int l = 0; l <= n; ++l) {
      const S *left = a + l * lanes, *right = b + (n - l) * lanes;
#pragma GCC unroll 8
      for (int k = 0; k < kRow; ++k) {
        if (row + k < twins.products) sum[k] = multiply_add(left[twins.left[row + k]], right[twins.right[row + k]], sum[k]);
      }
    }
    for (int k = 0; k < kRow; ++k) sums[row + k] = sum[k];
  }
}
template <int rows, const Twins&>
VINCULUM_INLINE void sum_products(const double* a, const double* b, int n, int lanes, double* sums) {
  using Register = Pack<kRegisterWidth>;
  constexpr int kRegisters = rows * kRow / kRegisterWidth;
  constexpr int kBlock = kRegisters % 3 == 0 ? 3 : kRegisters % 5 == 0 ? 5 : kRegisters % 2 == 0 ? 2 : 1;
  for (int first = 0; first < kRegisters; first += kBlock) {
    Register sum[kBlock];
#pragma GCC unroll 8
    for (int k = 0; k < kBlock; ++k) sum[k] = Register(0);
    const double *left = a + first * kRegisterWidth, *right = b + first * kRegisterWidth + n * lanes;
    for (int l = 0; l <= n; ++l, left += lanes, right -= lanes) {
#pragma GCC unroll 8
      for (int k = 0; k < kBlock; ++k)
        sum[k] = multiply_add(Register::load(left + k * kRegisterWidth), Register::load(right + k * kRegisterWidth), sum[k]);
    }
#pragma GCC unroll 8
    for (int k = 0; k < kBlock; ++k) sum[k].store(sums + (first + k) * kRegisterWidth);
  }
}

// cosines[k] = Σ_{l=1}^{n} c_l b_{n-l}[k] and likewise sines: a row turned by the angle whose sine and cosine stand in `turns`.
template <class S>
VINCULUM_INLINE void sum_turned(const S* turns, const S* b, int n, int lanes, S* cosines, S* sines) {
  for (int k = 0; k < kRow; ++k) cosines[k] = sines[k] = lift<S>(0);
  for (int l = 1; l <= n; ++l) {
    const S *turn = turns + l * lanes, *right = b + (n - l) * lanes;
#pragma GCC unroll 8
    for (int k = 0; k < kRow; ++k) {
      cosines[k] = multiply_add(turn[0], right[k], cosines[k]);
      sines[k] = multiply_add(turn[1], right[k], sines[k]);
    }
  }
}
VINCULUM_INLINE void sum_turned(const double* turns, const double* b, int n, int lanes, double* cosines, double* sines) {
  using Register = Pack<kRegisterWidth>;
  constexpr int kRegisters = kRow / kRegisterWidth;
  Register with_cosine[kRegisters], with_sine[kRegisters];
#pragma GCC unroll 8
  for (int k = 0; k < kRegisters; ++k) with_cosine[k] = with_sine[k] = Register(0);
  for (int l = 1; l <= n; ++l) {
    const Register c(turns[l * lanes]), s(turns[l * lanes + 1]);
#pragma GCC unroll 8
    for (int k = 0; k < kRegisters; ++k) {
      const Register right = Register::load(b + (n - l) * lanes + k * kRegisterWidth);
      with_cosine[k] = multiply_add(c, right, with_cosine[k]);
      with_sine[k] = multiply_add(s, right, with_sine[k]);
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < kRegisters; ++k) {
    with_cosine[k].store(cosines + k * kRegisterWidth);
    with_sine[k].store(sines + k * kRegisterWidth);
  }
}

// ---- the lanes: which factors stand where --------------------------------------------------------------------------------

// Factors into their lanes, from the first on.
template <class S>
VINCULUM_INLINE void put(const int* twins, int first, std::initializer_list<S> values, S* at) {
  int k = first;
  for (const S& value : values) {
    if (std::is_same_v<S, double> || twins[k] == k) at[k] = value;
    ++k;
  }
}

// Angular velocity: six products for w wᵀ; and the rates, by which turns and slides continue.
template <LinkKind kind, class S>
VINCULUM_INLINE void put_velocities(const Vector3Of<S>& w, const S* v, S* left, S* right) {
  constexpr const Twins& twins = kOwn<kind>;
  put(twins.left, 0, {w.x, w.y, w.z, w.x, w.x, w.y}, left);
  put(twins.right, 0, {w.x, w.y, w.z, w.y, w.z, w.z}, right);
  if constexpr (kTurnsAboutZ<kind>) put(twins.right, 6, {v[0], v[0]}, right);
  if constexpr (kIsBall<kind>) {
    const Vector3Of<S> u = vector_at(v + kBall<kind>);
    put(twins.right, 6, {u.x, u.y, u.z, u.x, u.z, u.y, u.y, u.x, u.z, u.z, u.y, u.x}, right);
    for (int first = 18; first < 36; first += 6) put(twins.right, first, {u.z, u.y, u.x, u.z, u.y, u.x}, right);
  }
}

// Cosine and sine of an angle.
template <class S>
VINCULUM_INLINE void put_turn(const S& c, const S& s, S* left) {
  left[6] = c;
  left[7] = s;
}

// Quaternion and E of a ball: for their own rates, and, but for order 0 (its products are left to the sweeps), to turn.
template <LinkKind kind, class S>
VINCULUM_INLINE void put_turn(const QuaternionOf<S>& Q, const Matrix3Of<S>& E, int order, bool all, S* left) {
  put(kBallTwins.left, 6, {Q.x, Q.y, Q.z, Q.w, Q.y, Q.z, Q.w, Q.z, Q.x, Q.w, Q.x, Q.y}, left);
  const Vector3Of<S>* columns[3] = {&E.x, &E.y, &E.z};
  const S zero = lift<S>(0);
  for (int j = 0; j < 3; ++j) {
    const Vector3Of<S>& e = *columns[j];
    put(kBallTwins.left, 18 + 6 * j, {e.y, e.z, e.z, e.x, e.x, e.y}, left);
    if (!all) continue;
    const Vector3Of<S> turn = order == 0 ? Vector3Of<S>{zero, zero, zero} : e;
    for (int k = 0; k < 4; ++k) put(kTurnedTwins.left, 9 * k + 3 * j, {turn.x, turn.y, turn.z}, left + kTurned<kind>);
  }
}

// What is turned: angular acceleration and z of the base side, joint axes; wrench of the link.
template <LinkKind kind, class S>
VINCULUM_INLINE void put_turned(const Vector3Of<S>& w_next, const Vector3Of<S>& z, const WrenchOf<S>& f, S* right) {
  S* at = right + kTurned<kind>;
  if constexpr (kTurnsAboutZ<kind>) {
    at[0] = w_next.x, at[1] = w_next.y, at[2] = z.x, at[3] = z.y;
    at[4] = f.force.x, at[5] = f.force.y, at[6] = f.moment.x, at[7] = f.moment.y;
  }
  if constexpr (kIsBall<kind>) {
    // E_ij a_j , E_ij f_i
    constexpr const int* twins = kTurnedTwins.right;
    put(twins, 0, {w_next.x, w_next.x, w_next.x, w_next.y, w_next.y, w_next.y, w_next.z, w_next.z, w_next.z}, at);
    put(twins, 9, {z.x, z.x, z.x, z.y, z.y, z.y, z.z, z.z, z.z}, at);
    for (int first = 18; first < 27; first += 3) {
      put(twins, first, {f.force.x, f.force.y, f.force.z}, at);
      put(twins, first + 9, {f.moment.x, f.moment.y, f.moment.z}, at);
    }
  }
}

// Places and rates along the base. x: of order 0 left out, as with turns.
template <LinkKind kind, class S>
VINCULUM_INLINE void put_slide(const S* q, const S* v, int order, S* left) {
  S* at = left + kSlid<kind>;
  constexpr const int* twins = kSlide<kind>.left;
  const S zero = lift<S>(0);
  const auto x = [&](int k) { return order == 0 ? zero : q[k]; };
  if constexpr (kind == LinkKind::free) {
    put(twins, 0, {x(0), x(0), x(0), x(1), x(1), x(1), x(2), x(2), x(2)}, at);
    put(twins, 9, {v[2], v[1], v[0], v[2], v[1], v[0], x(1), x(2), x(2), x(0), x(0), x(1)}, at);
  } else {
    put(twins, 0, {x(0), x(0), x(0), v[0], v[0], x(0), x(0)}, at);
  }
}
// w of the base with the rates.
template <LinkKind kind, class S>
VINCULUM_INLINE void put_slid_rate(const Vector3Of<S>& w, S* right) {
  S* at = right + kSlid<kind>;
  if constexpr (kind == LinkKind::free) {
    put(kFreeTwins.right, 9, {w.y, w.z, w.z, w.x, w.x, w.y}, at);
  } else {
    put(kSlidTwins.right, 3, {w.x, w.y}, at);
  }
}
// [w'] + Om of the base (one axis: its z column) with the places, and they with the force on the base.
template <LinkKind kind, class S>
VINCULUM_INLINE void put_slid(const Matrix3Of<S>& K, const Vector3Of<S>& f, S* right) {
  S* at = right + kSlid<kind>;
  if constexpr (kind == LinkKind::free) {
    put(K.x, at);
    put(K.y, at + 3);
    put(K.z, at + 6);
    put(kFreeTwins.right, 15, {f.z, f.y, f.x, f.z, f.y, f.x}, at);
  } else {
    put(K.z, at);
    put(kSlidTwins.right, 5, {f.x, f.y}, at);
  }
}

}  // namespace vinculum
