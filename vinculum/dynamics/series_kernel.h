// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <type_traits>

#include "vinculum/dynamics/forward_kernel.h"

// The motion of a tree as a power series, order by order: theory 2, section 5.2. Vectors of a link are in its own axes, about its
// pole; what the base brings is taken over into the joint's axes (those of the link at zero displacement), where a revolute link
// turns about z and a prismatic one moves along z. E: joint axes -> link axes.
//
// x_n = normalised coefficient of order n. Products of series are sums Σ_l a_l b_{n-l}; all of a link stand side by side in rows
// of eight lanes, left factors in one array and right factors in another, so that an order takes one multiply-add a row and term.
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

// A link over the orders.
template <class S>
struct LinkSeries {
  // Of order 0, for all orders.
  Matrix3Of<S> R;                  // link -> base
  Vector3Of<S> r;                  // pole, from the base's pole, base axes
  S c, s;                          // of its angle
  Matrix3Of<S> E;                  // of a ball: joint axes -> link axes
  Vector3Of<S> w_base;             // angular velocity of the base, joint axes
  ArticulatedInertiaOf<S> I;       // with all it carries
  Matrix3Of<S> k;                  // the joint's answer, as in JointResponse; one axis: about the base's pole, in its axes
  Symmetric3Of<S> inverse;         // D⁻¹, one axis: in xx; free: of the inertia about the centre
  Symmetric3Of<S> inverse_linear;  // free: A⁻¹
  // Of the present order.
  Symmetric3Of<S> Om;  // w wᵀ - (w·w) 1
  TwistOf<S> known;    // (eta; gam): acceleration without v' and without the base's
  Vector3Of<S> zet;    // of the pole on the moving base, joint axes
  WrenchOf<S> turned;  // (phi; mu): force and moment on the base by products of lower orders, joint axes
  WrenchOf<S> p;       // wrench without an acceleration, of the link and all it carries
  TwistOf<S> a;        // (y; w')
};

// The whole: arrays and where each link stands in them.
template <class S>
struct SeriesArrays {
  LinkSeries<S>* links;
  const int* first;  // of each link: its first lane of order 0 in left and right
  const int* lanes;  // and how many an order
  S* left;           // factors of the products
  S* right;
  S* q;  // coefficients [order][..]
  S* v;
  int stride;                // from order to order of q and v
  const WrenchOf<S>* loads;  // of the present order, or null
  const S* tau;              // of the present order
  S* vdot;                   // of the present order: given where driven, else the result
  WrenchOf<S>* wrenches;     // through the joints [order][link], or null

  VINCULUM_INLINE S* left_of(int i, int order) const { return left + first[i] + order * lanes[i]; }
  VINCULUM_INLINE S* right_of(int i, int order) const { return right + first[i] + order * lanes[i]; }
};

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

template <LinkKind kind, class S>
VINCULUM_INLINE Vector3Of<S> to_link(const LinkSeries<S>& own, const Vector3Of<S>& a) {
  if constexpr (kTurnsAboutZ<kind>) return {multiply_add(own.c, a.x, own.s * a.y), multiply_add(own.c, a.y, -(own.s * a.x)), a.z};
  if constexpr (kIsBall<kind>) return own.E * a;
  return a;
}
template <LinkKind kind, class S>
VINCULUM_INLINE Vector3Of<S> to_joint(const LinkSeries<S>& own, const Vector3Of<S>& a) {
  if constexpr (kTurnsAboutZ<kind>) return {multiply_add(own.c, a.x, -(own.s * a.y)), multiply_add(own.c, a.y, own.s * a.x), a.z};
  if constexpr (kIsBall<kind>) return transpose_times(own.E, a);
  return a;
}

// How far a slide of one axis moves for a unit of its coordinate.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE S advance_of(const LinkOf<Constant>& link) {
  if constexpr (kind == LinkKind::screw) return lift<S>(link.pitch);
  return lift<S>(1);
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

// Angular velocity: six products for w wᵀ; and the rates, by which turns and slides go on.
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

// ---- one order -----------------------------------------------------------------------------------------------------------

// What lower orders give: places and turns of order n + 1, known parts of the accelerations and wrenches of order n.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void sum_link(const LinkOf<Constant>& link, int i, int n, const S& next, const SeriesArrays<S>& arrays) {
  LinkSeries<S>& own = arrays.links[i];
  const bool all = has_all_products(link), carried = link.parent != kGround;
  const int lanes = arrays.lanes[i];
  S* left_next = arrays.left_of(i, n + 1);
  const S* v = arrays.v + n * arrays.stride + link.v;
  S* q_next = arrays.q + (n + 1) * arrays.stride + link.q;
  const S zero = lift<S>(0), order = lift<S>(n + 1);

  S sums[kSlid<kind> + kRow * kSlidRows<kind>];
  const S *left = arrays.left_of(i, 0), *right = arrays.right_of(i, 0);
  sum_products<kOwnRows<kind>, kOwn<kind>>(left, right, n, lanes, sums);
  if constexpr (kIsBall<kind>) {
    if (all)
      sum_products<kTurnedRows<kind>, kTurnedTwins>(left + kTurned<kind>, right + kTurned<kind>, n, lanes, sums + kTurned<kind>);
  }
  if constexpr (kSlides<kind>) {
    if (carried)
      sum_products<kSlidRows<kind>, kSlide<kind>>(left + kSlid<kind>, right + kSlid<kind>, n, lanes, sums + kSlid<kind>);
  }

  // Om = N - tr(N) 1 ; p = (Om s ; eps_iab (N J)_ab)
  const Symmetric3Of<S> N{sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
  own.Om = {-(N.yy + N.zz), -(N.xx + N.zz), -(N.xx + N.yy), N.xy, N.xz, N.yz};
  const Symmetric3Of<S> J = lift<S>(link.J);
  own.p = {own.Om * lift<S>(link.s),
           {multiply_add(N.xy, J.xz, multiply_add(N.yy - N.zz, J.yz, multiply_add(N.yz, J.zz - J.yy, -(N.xz * J.xy)))),
            multiply_add(N.yz, J.xy, multiply_add(N.zz - N.xx, J.xz, multiply_add(N.xz, J.xx - J.zz, -(N.xy * J.yz)))),
            multiply_add(N.xz, J.yz, multiply_add(N.xx - N.yy, J.xy, multiply_add(N.xy, J.yy - J.xx, -(N.yz * J.xz))))}};

  // Places and turns.
  own.known.angular = {zero, zero, zero};
  Vector3Of<S> eta{zero, zero, zero};
  own.turned = {{zero, zero, zero}, {zero, zero, zero}};
  if constexpr (kTurnsAboutZ<kind>) {
    const S c = -(sums[7] * next), s = sums[6] * next;
    q_next[0] = v[0] * next;
    put_turn(c, s, left_next);
    if (carried) {
      S C[kRow], D[kRow];
      sum_turned(left + 6, right + kTurned<kind>, n, lanes, C, D);
      const Vector3Of<S>& w = own.w_base;
      own.known.angular = {order * (multiply_add(c, w.x, s * w.y) + (C[0] + D[1])),
                           order * (multiply_add(c, w.y, -(s * w.x)) + (C[1] - D[0])), zero};
      eta = {C[2] + D[3], C[3] - D[2], zero};
      own.turned = {{C[4] - D[5], C[5] + D[4], zero}, {C[6] - D[7], C[7] + D[6], zero}};
    } else if (n > 0) {
      // z of the ground is -g at order 0: E_n z_0
      const Vector3Of<S> z = own.zet;
      const S* turn = arrays.left_of(i, n);
      eta = {multiply_add(turn[6], z.x, turn[7] * z.y), multiply_add(turn[6], z.y, -(turn[7] * z.x)), zero};
    }
  }
  if constexpr (kIsBall<kind>) {
    // Q' = ½ Q ∘ w ,  E' = E × w by columns
    const S half = lift<S>(0.5) * next;
    const QuaternionOf<S> Q{-(half * (sums[6] + sums[7] + sums[8])), half * (sums[9] + sums[10] - sums[11]),
                            half * (sums[12] + sums[13] - sums[14]), half * (sums[15] + sums[16] - sums[17])};
    S* to = q_next + kBall<kind>;
    to[0] = Q.w;
    to[1] = Q.x;
    to[2] = Q.y;
    to[3] = Q.z;
    const auto column = [&](const S* e) {
      return Vector3Of<S>{next * (e[0] - e[1]), next * (e[2] - e[3]), next * (e[4] - e[5])};
    };
    const Matrix3Of<S> E{column(sums + 18), column(sums + 24), column(sums + 30)};
    put_turn<kind>(Q, E, n + 1, all, left_next);
    if (all) {
      const S* T = sums + kTurned<kind>;
      const auto turn = [&](const S* t) { return vector_at(t) + vector_at(t + 3) + vector_at(t + 6); };
      const auto turn_back = [&](const S* t) { return Vector3Of<S>{t[0] + t[1] + t[2], t[3] + t[4] + t[5], t[6] + t[7] + t[8]}; };
      if (carried) own.known.angular = order * (E * own.w_base + turn(T));
      eta = turn(T + 9);
      own.turned = {turn_back(T + 18), turn_back(T + 27)};
    } else if (n > 0) {
      const S* e = arrays.left_of(i, n) + 18;
      const Vector3Of<S> z = own.zet;
      const auto column_of = [&](const S* lane) { return Vector3Of<S>{lane[3], lane[0], lane[1]}; };
      eta = Matrix3Of<S>{column_of(e), column_of(e + 6), column_of(e + 12)} * z;
    }
  }
  if constexpr (kSlides<kind>) {
    if constexpr (kind == LinkKind::free) {
      for (int k = 0; k < 3; ++k) q_next[k] = v[k] * next;
    } else {
      q_next[0] = v[0] * next;
    }
  }

  // zet = Om_p r + { ([w_p'] + Om_p) x + 2 w_p × x' }
  if (!carried) {
    own.known.linear = eta;
    return;
  }
  own.zet = to_joint<kind>(own, transpose_times(own.R, arrays.links[link.parent].Om * own.r));
  if constexpr (kSlides<kind>) {
    const S* T = sums + kSlid<kind>;
    const S two = lift<S>(2);
    if constexpr (kind == LinkKind::free) {
      own.zet +=
          vector_at(T) + vector_at(T + 3) + vector_at(T + 6) + two * Vector3Of<S>{T[9] - T[10], T[11] - T[12], T[13] - T[14]};
      own.turned.moment += Vector3Of<S>{T[15] - T[16], T[17] - T[18], T[19] - T[20]};
    } else {
      const S advance = advance_of<kind, S>(link);
      own.zet += advance * (vector_at(T) + two * Vector3Of<S>{T[4], -T[3], zero});
      own.turned.moment += advance * Vector3Of<S>{-T[6], T[5], zero};
    }
  }
  own.known.linear = to_link<kind>(own, own.zet) + eta;
}

// Sᵀ wrench of a joint with one axis.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE S axis_force(const LinkOf<Constant>& link, const WrenchOf<S>& wrench) {
  if constexpr (kind == LinkKind::revolute) return wrench.moment.z;
  if constexpr (kind == LinkKind::prismatic) return wrench.force.z;
  return multiply_add(lift<S>(link.pitch), wrench.force.z, wrench.moment.z);
}
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void add_axis_motion(const LinkOf<Constant>& link, const S& v, TwistOf<S>& a) {
  if constexpr (kind == LinkKind::prismatic) a.linear.z = a.linear.z + v;
  if constexpr (kTurnsAboutZ<kind>) a.angular.z = a.angular.z + v;
  if constexpr (kind == LinkKind::screw) a.linear.z = multiply_add(lift<S>(link.pitch), v, a.linear.z);
}

// Inward: what the joint cannot answer by its own motion goes to the base.
//   b = p + I (eta; gam) ,  d = tau - Sᵀ b ,  b += U D⁻¹ d ,  f = phi + R b_F
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void hand_link(const LinkOf<Constant>& link, int i, const SeriesArrays<S>& arrays) {
  LinkSeries<S>& own = arrays.links[i];
  const S* tau = arrays.tau + link.v;
  S* x = arrays.vdot + link.v;
  if (arrays.loads != nullptr) {
    own.p.force -= arrays.loads[i].force;
    own.p.moment -= arrays.loads[i].moment;
  }
  const Matrix3Of<S> C = lift<S>(link.C);
  Vector3Of<S> force, moment;  // on the base, in its axes
  WrenchOf<S> resisted{};      // of the joint, about the base's pole
  if constexpr (kind == LinkKind::free) {
    // The force on x is that of the link in joint axes, so it is known; and with it the acceleration.
    const WrenchOf<S> drive{own.E * (vector_at(tau) - own.turned.force), vector_at(tau + 3)};
    const Vector3Of<S> rest = drive.force - own.p.force;
    own.a.angular = own.inverse * (drive.moment - own.p.moment - transpose_times(own.I.B, own.inverse_linear * rest));
    own.a.linear = own.inverse_linear * (rest - own.I.B * own.a.angular);
    if (link.parent == kGround) return;
    force = C * vector_at(tau);
    moment = C * own.turned.moment + own.R * drive.moment;
  } else {
    TwistOf<S> given = own.known;
    if (link.driven) add_axis_motion<kind>(link, x[0], given);
    const WrenchOf<S> carried = own.I * given;
    WrenchOf<S> b{own.p.force + carried.force, own.p.moment + carried.moment};
    S d_axis = lift<S>(0);
    if constexpr (kind == LinkKind::spherical) {
      const Vector3Of<S> d = vector_at(tau) - b.moment;
      const Vector3Of<S> answer = own.inverse * d;
      put(answer, x);
      b.force += own.I.B * answer;
      b.moment += d;
    } else if constexpr (kind != LinkKind::fixed) {
      if (!link.driven) {
        d_axis = tau[0] - axis_force<kind>(link, b);
        x[0] = own.inverse.xx * d_axis;
      }
    }
    if (link.parent == kGround) return;
    force = C * own.turned.force + own.R * b.force;
    moment = C * own.turned.moment + own.R * b.moment;
    if constexpr (kHasAxis<kind>) resisted = {d_axis * own.k.x, d_axis * own.k.y};
  }
  WrenchOf<S>& base = arrays.links[link.parent].p;
  base.force += force + resisted.force;
  base.moment += moment + cross(own.r, force) + resisted.moment;
}

// Outward: v' of order n, and with it all factors that were missing.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void solve_link(const LinkSpan<Constant>& tree, const LinkOf<Constant>& link, int i, int n, const S& next,
                                const SeriesArrays<S>& arrays) {
  LinkSeries<S>& own = arrays.links[i];
  const bool all = has_all_products(link), carried = link.parent != kGround;
  S* vdot = arrays.vdot + link.v;
  const S zero = lift<S>(0);

  // h = (E (y_p + w_p' × r) ; E w_p')
  TwistOf<S> brought{{zero, zero, zero}, {zero, zero, zero}};
  if (carried) {
    brought = arrays.links[link.parent].a;
  } else if (n == 0) {
    brought = ground_acceleration<S>(tree);
  }
  const TwistOf<S> h{transpose_times(own.R, brought.linear + cross(brought.angular, own.r)),
                     transpose_times(own.R, brought.angular)};

  if constexpr (kind == LinkKind::free) {
    put(to_joint<kind>(own, own.a.linear - h.linear - own.known.linear), vdot);
    put(own.a.angular - h.angular - own.known.angular, vdot + 3);
  } else {
    if constexpr (kind == LinkKind::spherical) {
      put(vector_at(vdot) - own.k * h.linear - h.angular, vdot);
    } else if constexpr (kind != LinkKind::fixed) {
      if (!link.driven) vdot[0] = vdot[0] - (dot(own.k.x, brought.linear) + dot(own.k.y, brought.angular));
    }
    own.a = {h.linear + own.known.linear, h.angular + own.known.angular};
    if constexpr (kind == LinkKind::spherical) own.a.angular += vector_at(vdot);
    if constexpr (kind != LinkKind::spherical && kind != LinkKind::fixed) add_axis_motion<kind>(link, vdot[0], own.a);
  }
  const WrenchOf<S> needed = own.I * own.a;
  const WrenchOf<S> f{needed.force + own.p.force, needed.moment + own.p.moment};
  if (arrays.wrenches != nullptr) arrays.wrenches[n * tree.count + i] = f;

  // Factors of this order,
  S* right = arrays.right_of(i, n);
  const TwistOf<S> base{to_joint<kind>(own, h.linear), to_joint<kind>(own, h.angular)};
  const Vector3Of<S> w_base_next = next * base.angular;
  if (all) {
    Vector3Of<S> z = base.linear;
    if (carried) z += own.zet;
    if constexpr (kind == LinkKind::free) z += vector_at(vdot);
    put_turned<kind>(w_base_next, z, f, right);
    if constexpr (kSlides<kind>) {
      if (carried) {
        const Symmetric3Of<S>& Om = arrays.links[link.parent].Om;
        const Matrix3Of<S> C = lift<S>(link.C);
        Matrix3Of<S> K{};
        if constexpr (kind == LinkKind::free) {
          K = skew(base.angular) + transpose(C) * (to_matrix(Om) * C);
        } else {
          K.z = transpose_times(C, Om * C.z) + Vector3Of<S>{base.angular.y, -base.angular.x, zero};
        }
        put_slid<kind>(K, own.turned.force + to_joint<kind>(own, f.force), right);
      }
    }
  } else if (n == 0) {
    own.zet = base.linear;  // of the ground: stays for all orders
  }

  // and of the next.
  S* v_next = arrays.v + (n + 1) * arrays.stride + link.v;
  for (int k = 0; k < velocity_count(kind); ++k) v_next[k] = vdot[k] * next;
  S *left_next = arrays.left_of(i, n + 1), *right_next = arrays.right_of(i, n + 1);
  put_velocities<kind>(next * own.a.angular, v_next, left_next, right_next);
  if constexpr (kSlides<kind>) {
    if (all) {
      put_slide<kind>(arrays.q + (n + 1) * arrays.stride + link.q, v_next, n + 1, left_next);
      put_slid_rate<kind>(w_base_next, right_next);
    }
  }
}

// One order: v_{n+1} and q_{n+1} from all lower ones; tau, loads and given accelerations of order n.
template <class S, class Constant>
VINCULUM_INLINE void compute_series_order(const LinkSpan<Constant>& tree, int n, const SeriesArrays<S>& arrays) {
  const S next = lift<S>(1.0 / (n + 1));
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) { sum_link<kind>(link, i, n, next, arrays); });
  }
  for (int i = tree.count - 1; i >= 0; --i) {
    const LinkOf<Constant>& link = tree.links[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) { hand_link<kind>(link, i, arrays); });
  }
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) { solve_link<kind>(tree, link, i, n, next, arrays); });
  }
}

// Before order 0: what a forward-dynamics sweep (with its burdens kept) has found about places and inertias, and the factors of
// order 0.
template <class S, class Constant>
VINCULUM_INLINE void begin_series(const LinkSpan<Constant>& tree, const Turns<S>& turns, const LinkMotion<S>* motions,
                                  const Burden<S>* burdens, const JointResponse<S>* responses, const Pivot<S>* pivots,
                                  const SeriesArrays<S>& arrays) {
  const S zero = lift<S>(0);
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    LinkSeries<S>& own = arrays.links[i];
    const bool all = has_all_products(link);
    own.R = motions[i].R;
    own.r = motions[i].r;
    own.I = burdens[i].I;
    own.k = responses[i].k;
    own.w_base = {zero, zero, zero};
    if (link.parent != kGround) own.w_base = transpose_times(lift<S>(link.C), motions[link.parent].w);
    own.zet = {zero, zero, zero};
    S *left = arrays.left_of(i, 0), *right = arrays.right_of(i, 0);
    const S *q = turns.q + link.q, *v = arrays.v + link.v;
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          put_velocities<kind>(motions[i].w, v, left, right);
          if constexpr (kTurnsAboutZ<kind>) {
            own.c = turns.cos[link.q];
            own.s = turns.sin[link.q];
            put_turn(own.c, own.s, left);
          }
          if constexpr (kIsBall<kind>) {
            const S* Q = q + kBall<kind>;
            const QuaternionOf<S> quaternion{Q[0], Q[1], Q[2], Q[3]};
            own.E = transpose(to_rotation(quaternion));
            put_turn<kind>(quaternion, own.E, 0, all, left);
            Pivot<S> scratch[3];
            if constexpr (kind == LinkKind::spherical) {
              own.inverse = invert(own.I.D, scratch);
            } else {
              own.inverse_linear = invert(own.I.A, scratch);
              own.inverse = invert(own.I.D - sandwich(transpose(own.I.B), own.inverse_linear), scratch);
            }
          } else if constexpr (kind != LinkKind::fixed) {
            own.inverse.xx = lift<S>(1) / pivots[link.v].value;
            const WrenchOf<S> k = to_base(own.R, own.r, WrenchOf<S>{own.k.x, own.k.y});
            own.k.x = k.force;
            own.k.y = k.moment;
          }
          if constexpr (kSlides<kind>) {
            if (all) {
              put_slide<kind>(q, v, 0, left);
              put_slid_rate<kind>(own.w_base, right);
            }
          }
        });
  }
}

}  // namespace vinculum
