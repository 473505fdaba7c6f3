// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/math/rotation.h"
#include "vinculum/math/spatial.h"
#include "vinculum/model/tree.h"

// What every recursion over links needs, on any scalar. Private: included by the .cc files of this room only.
namespace vinculum {

template <class S>
inline Vector3Of<S> lift(const Vector3& a) {
  return {lift<S>(a.x), lift<S>(a.y), lift<S>(a.z)};
}
template <class S>
inline Matrix3Of<S> lift(const Matrix3& m) {
  return {lift<S>(m.x), lift<S>(m.y), lift<S>(m.z)};
}
template <class S>
inline Symmetric3Of<S> lift(const Symmetric3& m) {
  return {lift<S>(m.xx), lift<S>(m.yy), lift<S>(m.zz), lift<S>(m.xy), lift<S>(m.xz), lift<S>(m.yz)};
}

// Scratch of one link: all in its own axes, about its pole, unless said otherwise.
template <class S>
struct LinkScratch {
  Matrix3Of<S> R;          // link -> base
  Vector3Of<S> r;          // pole, from the base's pole, base axes
  Vector3Of<S> w;          // angular velocity
  TwistOf<S> bias;         // (eta; gam): acceleration that is there without v'           theory 2, section 5.2
  TwistOf<S> a;            // (y; w'): y = r'' - g of the pole, and angular acceleration
  WrenchOf<S> p;           // velocity forces minus loads; inward: of all the link carries
  ArticulatedInertiaOf<S> I;
  Symmetric3Of<S> inverse;         // of the joint's part of I: 1/d (in xx), or 3x3 blocks
  Symmetric3Of<S> inverse_linear;  // free joint only
};

template <class S>
inline Vector3Of<S> velocity3(const S* v) {
  return {v[0], v[1], v[2]};
}

// Place of the link on its base; q: the joint's own coordinates.
template <class S>
inline void place_link(const Link& link, const S* q, Matrix3Of<S>& R, Vector3Of<S>& r) {
  const Matrix3Of<S> C = lift<S>(link.C);
  R = C;
  r = lift<S>(link.p);
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::screw: r += (lift<S>(link.pitch) * q[0]) * C.z; [[fallthrough]];
    case LinkKind::revolute: {
      const auto [s, c] = sincos(q[0]);
      R.x = c * C.x + s * C.y;
      R.y = c * C.y - s * C.x;
      break;
    }
    case LinkKind::prismatic: r += q[0] * C.z; break;
    case LinkKind::free: r += C * Vector3Of<S>{q[0], q[1], q[2]}; [[fallthrough]];
    case LinkKind::spherical: {
      const S* quaternion = q + (link.kind == LinkKind::free ? 3 : 0);
      R = C * to_rotation(QuaternionOf<S>{quaternion[0], quaternion[1], quaternion[2], quaternion[3]});
      break;
    }
  }
}

// S v: motion of the link on its base, link axes; v: the joint's own velocities.
template <class S>
inline TwistOf<S> joint_motion(const Link& link, const Matrix3Of<S>& R, const S* v) {
  const S zero = lift<S>(0);
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: return {{zero, zero, zero}, {zero, zero, v[0]}};
    case LinkKind::prismatic: return {{zero, zero, v[0]}, {zero, zero, zero}};
    case LinkKind::screw: return {{zero, zero, lift<S>(link.pitch) * v[0]}, {zero, zero, v[0]}};
    case LinkKind::spherical: return {{zero, zero, zero}, velocity3(v)};
    case LinkKind::free: return {transpose_times(R, lift<S>(link.C) * velocity3(v)), velocity3(v + 3)};
  }
  return {{zero, zero, zero}, {zero, zero, zero}};
}

// Sᵀ wrench: the part of a wrench that works on the joint's own velocities.
template <class S>
inline void joint_force(const Link& link, const Matrix3Of<S>& R, const WrenchOf<S>& wrench, S* tau) {
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: tau[0] = wrench.moment.z; break;
    case LinkKind::prismatic: tau[0] = wrench.force.z; break;
    case LinkKind::screw: tau[0] = lift<S>(link.pitch) * wrench.force.z + wrench.moment.z; break;
    case LinkKind::free: {
      const Vector3Of<S> force = transpose_times(lift<S>(link.C), R * wrench.force);
      tau[0] = force.x;
      tau[1] = force.y;
      tau[2] = force.z;
      [[fallthrough]];
    }
    case LinkKind::spherical: {
      S* moment = tau + (link.kind == LinkKind::free ? 3 : 0);
      moment[0] = wrench.moment.x;
      moment[1] = wrench.moment.y;
      moment[2] = wrench.moment.z;
      break;
    }
  }
}

// Places, angular velocities and the accelerations that are there without v':
//
//   w   = E w_p + W                                  E = Rᵀ, (x'; W) = S v
//   eta = E (w_p × (w_p × r)) + 2 (E w_p) × x'
//   gam = (E w_p) × W                                                                     theory 2, section 5.2, n = 0
template <class S>
inline void move_links(const Tree& tree, const S* q, const S* v, std::vector<LinkScratch<S>>& scratch) {
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    LinkScratch<S>& own = scratch[i];
    place_link(link, q + link.q, own.R, own.r);
    const TwistOf<S> motion = joint_motion(link, own.R, v + link.v);
    if (link.parent == kGround) {
      own.w = motion.angular;
      own.bias = {};
      continue;
    }
    const LinkScratch<S>& base = scratch[link.parent];
    const Vector3Of<S> w_base = transpose_times(own.R, base.w);
    own.w = w_base + motion.angular;
    own.bias.linear = transpose_times(own.R, cross(base.w, cross(base.w, own.r)));
    if (link.kind != LinkKind::revolute && link.kind != LinkKind::spherical && link.kind != LinkKind::fixed) {
      own.bias.linear += lift<S>(2) * cross(w_base, motion.linear);
    }
    own.bias.angular = cross(w_base, motion.angular);
  }
}

// (w × (w × s) ; w × J w): what it takes to keep a body turning.
template <class S>
inline WrenchOf<S> velocity_wrench(const Link& link, const Vector3Of<S>& w) {
  return {cross(w, cross(w, lift<S>(link.s))), cross(w, lift<S>(link.J) * w)};
}

// Acceleration of the link before v' of its own joint: h = (E (y_p + w_p' × r) + eta ; E w_p' + gam)
template <class S>
inline TwistOf<S> carried_acceleration(const LinkScratch<S>& own, const TwistOf<S>& base) {
  return {transpose_times(own.R, base.linear + cross(base.angular, own.r)) + own.bias.linear,
          transpose_times(own.R, base.angular) + own.bias.angular};
}

// The ground's: it stays, and gravity acts as if it rose.
template <class S>
inline TwistOf<S> ground_acceleration(const Tree& tree) {
  return {lift<S>(-tree.gravity), {}};
}

// A link without a body: the place where a joint has several motions.
inline bool is_massless(const Link& link) {
  return link.mass == 0 && link.J.xx == 0 && link.J.yy == 0 && link.J.zz == 0;
}

}  // namespace vinculum
