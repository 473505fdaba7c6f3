// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/centroidal.h"

#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/link_axes.h"
#include "vinculum/dynamics/memory.h"

namespace vinculum {

void compute_centroidal_momentum(const Model& model, const State& state, Workspace& workspace, CentroidalMomentum& result) {
  Workspace::Memory& memory = workspace.memory();
  const Tree& tree = model.tree();
  place_bodies(model, state, workspace);
  memory.accelerations_W.resize(tree.links.size());
  memory.composites.resize(tree.links.size());
  accelerate_links(tree, memory.world.data(), state.v.data(), nullptr, memory.accelerations_W.data());

  // The mass centre first: what follows is about it.
  Vector3 static_moment, momentum;
  result.mass = 0;
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const LinkInWorld<double>& seen = memory.world[i];
    result.mass += link.mass;
    static_moment += link.mass * seen.p + seen.R * link.s;
    momentum += seen.R * (link.mass * seen.velocity.linear + cross(seen.velocity.angular, link.s));
  }
  const double inverse = result.mass > 0 ? 1 / result.mass : 0;
  result.center_W = inverse * static_moment;
  result.center_velocity_W = inverse * momentum;

  // M' v: what every link asks for when v' = 0,  f = m a + w' × s + w × (w × s) ,  n = s × a + J w' + w × J w about its pole. The
  // centre may move meanwhile: c' × P = 0.
  result.rate_W = {};
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const LinkInWorld<double>& seen = memory.world[i];
    const Twist a{transpose_times(seen.R, memory.accelerations_W[i].linear),
                  transpose_times(seen.R, memory.accelerations_W[i].angular)};
    const Vector3 w = seen.velocity.angular;
    const RigidInertia I{link.mass, link.s, link.J};
    const Wrench wrench = I * a + Wrench{cross(w, cross(w, link.s)), cross(w, link.J * w)};
    result.rate_W += to_base(seen.R, seen.p - result.center_W, wrench);
    memory.composites[i] = to_base(seen.R, seen.p - result.center_W, I);
  }

  // A unit velocity moves all that its link carries, locked together.
  result.matrix.resize(6, tree.velocities);
  for (int i = static_cast<int>(tree.links.size()) - 1; i >= 0; --i) {
    const Vector3 p = memory.world[i].p - result.center_W;
    for_each_axis(tree, memory.world.data(), i, [&](const LinkAxis& axis) {
      const Vector3 turn = axis.turn * axis.axis;
      const Wrench column = memory.composites[i] * Twist{axis.slide * axis.axis + cross(p, turn), turn};
      for (int m = 0; m < 3; ++m) {
        result.matrix(m, axis.velocity) = column.force[m];
        result.matrix(3 + m, axis.velocity) = column.moment[m];
      }
    });
    if (tree.links[i].parent != kGround) memory.composites[tree.links[i].parent] += memory.composites[i];
  }
}

}  // namespace vinculum
