// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/trace.h"

#include "vinculum/dynamics/forward_kernel.h"
#include "vinculum/dynamics/inverse_kernel.h"
#include "vinculum/dynamics/loads_kernel.h"
#include "vinculum/math/rigid_inertia.h"
#include "vinculum/math/traced.h"

namespace vinculum {

namespace {

// Inputs and what the recursions leave, on traced values.
struct Trace {
  explicit Trace(const Model& m)
      : model(m),
        links(span_of(m.tree())),
        t(scope.input()),
        q(m.tree().coordinates),
        v(m.tree().velocities),
        turned(2 * q.size()),
        steps(m.longest_expression()),
        motions(m.tree().links.size()),
        world(motions.size()),
        loads(motions.size()) {
    for (Traced& value : q) value = scope.input();
    for (Traced& value : v) value = scope.input();
    turns = compute_turns(q.data(), m.tree().coordinates, turned.data());
  }

  BindingsOf<Traced> bindings() const { return {t, q, v}; }

  // Expects the places of the links.
  const WrenchOf<Traced>* load() {
    if (model.body_forces().empty() && model.springs().empty()) return nullptr;
    see_links_from_world(links, v.data(), motions.data(), world.data());
    environment.resize(model.environment().size());
    move_environment<Traced>(model, t, steps, environment.data());
    load_links<Traced>(model, bindings(), {world.data(), environment.data()}, steps, loads.data());
    return loads.data();
  }

  const Model& model;
  LinkSpan<double> links;
  TraceScope scope;
  Traced t;
  std::vector<Traced> q, v, turned, steps;
  Turns<Traced> turns{};
  std::vector<LinkMotion<Traced>> motions;
  std::vector<LinkInWorld<Traced>> world;
  std::vector<EnvironmentMotionOf<Traced>> environment;
  std::vector<WrenchOf<Traced>> loads;
};

}  // namespace

Tape trace_accelerations(const Model& model) {
  Trace trace(model);
  move_links(trace.links, trace.turns, trace.v.data(), trace.motions.data());
  const WrenchOf<Traced>* loads = trace.load();

  std::vector<Traced> tau(trace.v.size()), vdot(trace.v.size());
  apply_joint_laws<Traced>(model, trace.bindings(), trace.steps, tau.data());
  for (const DrivenCoordinate& driven : model.driven())
    vdot[driven.v] = evaluate_steps<Traced>(driven.acceleration, trace.bindings(), trace.steps);
  std::vector<Pivot<Traced>> pivots(tau.size());
  std::vector<JointResponse<Traced>> responses(trace.motions.size());
  std::vector<Burden<Traced>> slots(model.tree().slots);
  run_forward(trace.links, loads, tau.data(), vdot.data(), pivots.data(), trace.motions.data(), responses.data(), slots.data());
  return trace.scope.tape_of(vdot);
}

Tape trace_forces(const Model& model) {
  Trace trace(model);
  std::vector<Traced> vdot(trace.v.size()), tau(trace.v.size());
  for (Traced& value : vdot) value = trace.scope.input();
  std::vector<WrenchOf<Traced>> wrenches(trace.motions.size());
  sweep_outward(trace.links, trace.turns, trace.v.data(), vdot.data(), trace.motions.data(), wrenches.data());
  const WrenchOf<Traced>* loads = trace.load();
  sweep_inward(trace.links, trace.motions.data(), loads, wrenches.data(), tau.data());
  return trace.scope.tape_of(tau);
}

// Momentum travels inward like a wrench: what a link hands to its base is that of all it carries, and the part along a joint's
// own velocities is the generalised momentum.
Tape trace_momenta(const Model& model) {
  Trace trace(model);
  const std::vector<Link>& links = model.tree().links;
  move_links(trace.links, trace.turns, trace.v.data(), trace.motions.data());
  see_links_from_world(trace.links, trace.v.data(), trace.motions.data(), trace.world.data());

  std::vector<WrenchOf<Traced>> momenta(links.size());
  std::vector<Vector3Of<Traced>> static_moments(links.size());  // of all a link carries, about the world origin
  std::vector<double> masses(links.size());
  std::vector<Traced> p(trace.v.size());
  for (size_t i = links.size(); i-- > 0;) {
    const Link& link = links[i];
    const LinkInWorld<Traced>& seen = trace.world[i];
    momenta[i] = RigidInertiaOf<Traced>{Traced(link.mass), lift<Traced>(link.s), lift<Traced>(link.J)} * seen.velocity;
    static_moments[i] += Traced(link.mass) * seen.p + seen.R * lift<Traced>(link.s);
    masses[i] += link.mass;
    if (link.parent == kGround) continue;
    static_moments[link.parent] += static_moments[i];
    masses[link.parent] += masses[i];
  }
  sweep_inward<Traced>(trace.links, trace.motions.data(), nullptr, momenta.data(), p.data());

  Traced kinetic(0);
  for (size_t k = 0; k < p.size(); ++k) kinetic = multiply_add(Traced(0.5) * p[k], trace.v[k], kinetic);
  std::vector<Traced> outputs{kinetic};
  for (size_t i = 0; i < links.size(); ++i) {
    if (links[i].parent != kGround) continue;
    const auto [P, L] = to_base(trace.motions[i].R, trace.motions[i].r, momenta[i]);
    const Vector3Of<Traced> center = Traced(masses[i] > 0 ? 1 / masses[i] : 0) * static_moments[i];
    const Vector3Of<Traced> K = L - cross(center, P);
    outputs.insert(outputs.end(), {P.x, P.y, P.z, L.x, L.y, L.z, K.x, K.y, K.z});
  }
  outputs.insert(outputs.end(), p.begin(), p.end());
  return trace.scope.tape_of(outputs);
}

}  // namespace vinculum
