// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/energy.h"

#include <cmath>

#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/memory.h"

namespace vinculum {

Energy compute_energy(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  const Tree& tree = model.tree();
  see_bodies(model, state.q, state.v, memory);

  // T = ½ m v² + v·(w × s) + ½ w·J w of each body, v the velocity of its origin;  U = -g·(m p + s)
  Energy energy;
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const LinkInWorld<double>& seen = memory.world[i];
    const auto& [v, w] = seen.velocity;
    const double moving = 0.5 * link.mass * dot(v, v), both = dot(v, cross(w, link.s)), turning = 0.5 * dot(w, link.J * w);
    const double weight = dot(tree.gravity, link.mass * seen.p + seen.R * link.s);
    energy.kinetic += moving + both + turning;
    energy.potential -= weight;
    energy.size += moving + std::abs(both) + turning + std::abs(weight);
  }
  const LoadEnergy loads = compute_load_energy(model, state.t, state.q, state.v, memory);
  energy.potential += loads.potential;
  energy.size += loads.size;
  energy.power = loads.power;
  return energy;
}

Momentum compute_momentum(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  const Tree& tree = model.tree();
  see_bodies(model, state.q, state.v, memory);

  // P = m v + w × s,  H = s × v + J w about the origin, then L = H + p × P about the origin
  Momentum momentum;
  Vector3 static_moment;
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const LinkInWorld<double>& seen = memory.world[i];
    const auto& [v, w] = seen.velocity;
    const Vector3 P = seen.R * (link.mass * v + cross(w, link.s));
    const Vector3 H = seen.R * (cross(link.s, v) + link.J * w);
    momentum.mass += link.mass;
    static_moment += link.mass * seen.p + seen.R * link.s;
    momentum.linear += P;
    momentum.angular += H + cross(seen.p, P);
  }
  if (momentum.mass > 0) momentum.center = (1 / momentum.mass) * static_moment;
  momentum.central = momentum.angular - cross(momentum.center, momentum.linear);
  return momentum;
}

}  // namespace vinculum
