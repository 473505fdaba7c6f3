// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/kinematics_kernel.h"

namespace vinculum {

// One velocity of a link, world axes: it turns the link about an axis through its origin, slides it along, or both.
struct LinkAxis {
  int velocity = 0;
  Vector3 axis;
  double turn = 0, slide = 0;
  Vector3 w;  // with which the axis turns
};

// use(LinkAxis) for each velocity of a link. Private to this room.
template <class Use>
void for_each_axis(const Tree& tree, const LinkInWorld<double>* world, int index, const Use& use) {
  const Link& link = tree.links[index];
  const LinkInWorld<double>& own = world[index];
  const Vector3 w = own.R * own.velocity.angular;
  const auto three = [&](int first, const Matrix3& axes, double turn, double slide, const Vector3& w_axes) {
    for (int m = 0; m < 3; ++m) use(LinkAxis{link.v + first + m, axes.column(m), turn, slide, w_axes});
  };
  switch (link.kind) {
    case LinkKind::fixed: return;
    case LinkKind::revolute: return use(LinkAxis{link.v, own.R.z, 1, 0, w});
    case LinkKind::prismatic: return use(LinkAxis{link.v, own.R.z, 0, 1, w});
    case LinkKind::screw: return use(LinkAxis{link.v, own.R.z, 1, link.pitch, w});
    case LinkKind::spherical: return three(0, own.R, 1, 0, w);
    case LinkKind::free: {
      if (link.parent == kGround) {
        three(0, link.C, 0, 1, {});
      } else {
        const LinkInWorld<double>& base = world[link.parent];
        three(0, base.R * link.C, 0, 1, base.R * base.velocity.angular);
      }
      return three(3, own.R, 1, 0, w);
    }
  }
}

// Accelerations of origins and angular accelerations, world axes, for given v'; null: for v' = 0. With the origin at r from the
// base's, W = Σ turn a v and X = Σ slide a v:
//
//   w' = w_b' + w_b × W + Σ turn a v' ,   a = a_b + w_b' × r + w_b × (w_b × r) + 2 w_b × X + Σ slide a v'
inline void accelerate_links(const Tree& tree, const LinkInWorld<double>* world, const double* v, const double* vdot,
                             Twist* accelerations) {
  for (int i = 0; i < static_cast<int>(tree.links.size()); ++i) {
    const int parent = tree.links[i].parent;
    Twist own;
    Vector3 w, turn, slide;
    if (parent != kGround) {
      const LinkInWorld<double>& base = world[parent];
      const Twist& carried = accelerations[parent];
      const Vector3 r = world[i].p - base.p;
      w = base.R * base.velocity.angular;
      own = {carried.linear + cross(carried.angular, r) + cross(w, cross(w, r)), carried.angular};
    }
    for_each_axis(tree, world, i, [&](const LinkAxis& axis) {
      turn += axis.turn * v[axis.velocity] * axis.axis;
      slide += axis.slide * v[axis.velocity] * axis.axis;
      if (vdot == nullptr) return;
      own.angular += axis.turn * vdot[axis.velocity] * axis.axis;
      own.linear += axis.slide * vdot[axis.velocity] * axis.axis;
    });
    own.angular += cross(w, turn);
    own.linear += 2 * cross(w, slide);
    accelerations[i] = own;
  }
}

}  // namespace vinculum
