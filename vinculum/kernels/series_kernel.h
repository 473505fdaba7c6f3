// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/series_products.h"

// The motion of a tree as a power series, order by order: theory 2, section 5.2. Vectors of a link are in its own axes, about its
// pole; what the base brings is taken over into the joint's axes (those of the link at zero displacement), where a revolute link
// turns about z and a prismatic one moves along z. E: joint axes -> link axes; x_n: normalised coefficient of order n.
namespace vinculum {

// A link over the orders.
template <class S>
struct LinkSeries {
  // Of order 0, for all orders.
  Matrix3Of<S> R;                  // link -> base
  Vector3Of<S> r;                  // origin, from the base's origin, base axes
  S c, s;                          // of its angle
  Matrix3Of<S> E;                  // of a ball: joint axes -> link axes
  Vector3Of<S> w_base;             // angular velocity of the base, joint axes
  ArticulatedInertiaOf<S> I;       // with all it carries
  Matrix3Of<S> k;                  // the joint's answer, as in JointResponse; one axis: about the base's origin, in its axes
  Symmetric3Of<S> inverse;         // D⁻¹, one axis: in xx; free: of the inertia about the centre
  Symmetric3Of<S> inverse_linear;  // free: A⁻¹
  // Of the present order.
  Symmetric3Of<S> Om;  // w wᵀ - (w·w) 1
  TwistOf<S> known;    // (eta; gam): acceleration without v' and without the base's
  Vector3Of<S> zet;    // of the origin on the moving base, joint axes
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
  WrenchOf<S> resisted{};      // of the joint, about the base's origin
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
