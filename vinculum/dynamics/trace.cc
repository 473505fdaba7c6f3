// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/trace.h"

#include <utility>

#include "vinculum/dynamics/clean_rotation.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/traced_tree.h"
#include "vinculum/kernels/coordinate_rates_kernel.h"
#include "vinculum/kernels/forward_kernel.h"
#include "vinculum/kernels/inverse_kernel.h"
#include "vinculum/kernels/loads_kernel.h"
#include "vinculum/kernels/mass_matrix_kernel.h"
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
        q(inputs(m.tree().coordinates)),
        v(inputs(m.tree().velocities)),
        turned(2 * q.size()),
        steps(m.longest_expression()),
        motions(m.tree().links.size()),
        world(motions.size()),
        wrenches(motions.size()),
        loads(motions.size()) {
    turns = compute_turns(q.data(), m.tree().coordinates, turned.data());
  }

  std::vector<Traced> inputs(int count) {
    std::vector<Traced> values(count);
    for (Traced& value : values) value = scope.input();
    return values;
  }
  Vector3Of<Traced> input_vector() {
    const std::vector<Traced> values = inputs(3);
    return {values[0], values[1], values[2]};
  }

  BindingsOf<Traced> bindings() const { return {t, q, v}; }
  bool has_loads() const { return model.forces().act_on_links(); }

  // Where the bodies are. Expects the places of the links.
  template <class Constant>
  Surroundings<Traced> look_around(const LinkSpan<Constant>& span) {
    see_links_from_world(span, v.data(), motions.data(), world.data());
    environment.clear();
    for (const EnvironmentBody& body : model.environment()) environment.push_back(move_environment_body<Traced>(body, t, steps));
    return {world.data(), environment.data()};
  }

  const WrenchOf<Traced>* load() {
    if (!has_loads()) return nullptr;
    load_links<Traced>(model, bindings(), look_around(links), steps, loads.data());
    return loads.data();
  }

  Tape forces(const std::vector<Traced>& vdot) {
    std::vector<Traced> tau(v.size());
    sweep_outward(links, turns, v.data(), vdot.data(), motions.data(), wrenches.data());
    sweep_inward(links, motions.data(), load(), wrenches.data(), tau.data());
    return scope.tape_of(tau);
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
  std::vector<WrenchOf<Traced>> wrenches, loads;
};

// The links of the tree with numbers that are inputs.
std::vector<LinkOf<Traced>> links_of_numbers(Trace& trace) {
  const Model& model = trace.model;
  std::vector<LinkOf<Traced>> links;
  for (const Link& link : model.tree().links)
    links.push_back({link.parent,
                     link.kind,
                     link.driven,
                     link.first_on_base,
                     link.q,
                     link.v,
                     link.slot,
                     Traced(link.pitch),
                     clean(link.C),
                     {},
                     {},
                     {},
                     {}});
  for (const Body& body : model.bodies()) {
    const Traced mass = trace.scope.input();
    const Vector3Of<Traced> com = trace.input_vector();
    const std::vector<Traced> I = trace.inputs(6);
    const Vector3Of<Traced> origin = trace.input_vector();
    const Traced pitch = trace.scope.input();
    const Matrix3Of<Traced> R = clean(body.R_LB);

    // As in compile_tree: m_0, s = m c, J_o = J_c + m c*c, in the link's axes
    LinkOf<Traced>& link = links[body.link];
    link.mass = mass;
    link.s = R * (mass * com);
    link.J = sandwich(R, Symmetric3Of<Traced>{I[0], I[1], I[2], I[3], I[4], I[5]} + mass * star(com));
    link.pitch = pitch;
    links[body.first_link].p = body.parent == kWorld ? origin : clean(model.bodies()[body.parent].R_LB) * origin;
  }
  return links;
}

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
  return trace.forces(trace.inputs(model.tree().velocities));
}

Tape trace_bias(const Model& model) {
  Trace trace(model);
  return trace.forces(std::vector<Traced>(trace.v.size(), Traced(0)));
}

Tape trace_mass_matrix(const Model& model) {
  Trace trace(model);
  const int n = model.tree().velocities;
  std::vector<LinkPlace<Traced>> places(trace.motions.size());
  std::vector<RigidInertiaOf<Traced>> composites(trace.motions.size());
  std::vector<Traced> axes(6 * trace.v.size()), matrix(trace.v.size() * trace.v.size());
  run_mass_matrix(trace.links, model.tree().rows.data(), n, trace.turns,
                  MassMatrixScratch<Traced>{places.data(), composites.data(), axes.data()}, matrix.data());
  return trace.scope.tape_of(matrix);
}

Tape trace_coordinate_rates(const Model& model) {
  Trace trace(model);
  std::vector<Traced> rates(trace.q.size());
  for (const Link& link : model.tree().links) turn_coordinates(link, trace.q.data(), trace.v.data(), rates.data());
  for (const ExtraState& state : model.extra_states())
    rates[state.q] = evaluate_steps<Traced>(state.rate, trace.bindings(), trace.steps);
  return trace.scope.tape_of(rates);
}

Tape trace_forces_of_numbers(const Model& model) {
  Trace trace(model);
  const std::vector<Traced> vdot = trace.inputs(model.tree().velocities);
  const Vector3Of<Traced> gravity = trace.input_vector();
  const std::vector<LinkOf<Traced>> links = links_of_numbers(trace);
  const LinkSpan<Traced> span{links.data(), static_cast<int>(links.size()), gravity};
  sweep_outward(span, trace.turns, trace.v.data(), vdot.data(), trace.motions.data(), trace.wrenches.data());
  if (trace.has_loads()) {
    const Surroundings<Traced> at = trace.look_around(span);
    const ForceView<Traced> view{model, trace.bindings(), at, trace.steps};
    for (const ForceOf& force : list_forces(model)) {
      const std::vector<Traced> numbers = trace.inputs(static_cast<int>(force.source->numbers(model, force.k).size()));
      force.source->add_of_numbers(model, force.k, numbers, view, trace.loads.data());
    }
  }
  std::vector<Traced> tau(trace.v.size());
  sweep_inward(span, trace.motions.data(), trace.loads.data(), trace.wrenches.data(), tau.data());
  return trace.scope.tape_of(tau);
}

// Momentum travels inward like a wrench: what a link hands to its base is that of all it carries, and the part along a joint's
// own velocities is the generalised momentum.
Tape trace_momenta(const Model& model, bool inner_subsystems) {
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
  for (const Body& body : model.bodies()) {
    if (!inner_subsystems || body.parent == kWorld) continue;
    const int i = body.link;
    const LinkInWorld<Traced>& seen = trace.world[i];
    const Vector3Of<Traced> P = seen.R * momenta[i].force, about_pole = seen.R * momenta[i].moment;
    const Vector3Of<Traced> L = about_pole + cross(seen.p, P);
    // H = Σ r × m (v - v_O) = Σ r × m v - (Σ m r) × v_O
    const Vector3Of<Traced> static_moment = static_moments[i] - Traced(masses[i]) * seen.p;
    const Vector3Of<Traced> H = about_pole - cross(static_moment, seen.R * seen.velocity.linear);
    const Vector3Of<Traced> K = L - cross(Traced(masses[i] > 0 ? 1 / masses[i] : 0) * static_moments[i], P);
    for (const Vector3Of<Traced>& vector : {P, L, H, K}) outputs.insert(outputs.end(), {vector.x, vector.y, vector.z});
  }
  return trace.scope.tape_of(outputs);
}

Tape trace_rows(const Model& model, const WriteRows& write) {
  Trace trace(model);
  move_links(trace.links, trace.turns, trace.v.data(), trace.motions.data());
  trace.look_around(trace.links);
  std::vector<Traced> outputs = write({trace.t, trace.q, trace.v, trace.world, trace.environment});
  std::vector<Traced> rates(trace.q.size());
  for (const Link& link : model.tree().links) turn_coordinates(link, trace.q.data(), trace.v.data(), rates.data());
  for (const ExtraState& state : model.extra_states())
    rates[state.q] = evaluate_steps<Traced>(state.rate, trace.bindings(), trace.steps);
  outputs.insert(outputs.end(), rates.begin(), rates.end());
  return trace.scope.tape_of(outputs);
}

Tape trace_motion(const Model& model, int count, const PushLinks& push) {
  Trace trace(model);
  const std::vector<Traced> vdot = trace.inputs(model.tree().velocities), multipliers = trace.inputs(count);
  sweep_outward(trace.links, trace.turns, trace.v.data(), vdot.data(), trace.motions.data(), trace.wrenches.data());
  const Surroundings<Traced> at = trace.look_around(trace.links);
  load_links<Traced>(model, trace.bindings(), at, trace.steps, trace.loads.data());
  std::vector<Traced> forces(trace.v.size()), outputs(trace.v.size());
  apply_joint_laws<Traced>(model, trace.bindings(), trace.steps, forces.data());
  push({trace.t, trace.q, trace.v, trace.world, trace.environment}, multipliers, trace.loads, forces);
  sweep_inward(trace.links, trace.motions.data(), trace.loads.data(), trace.wrenches.data(), outputs.data());
  for (size_t k = 0; k < outputs.size(); ++k) outputs[k] = outputs[k] - forces[k];
  for (const auto& [force, moment] : trace.wrenches) {
    outputs.insert(outputs.end(), {force.x, force.y, force.z, moment.x, moment.y, moment.z});
  }
  outputs.push_back(load_power<Traced>(model, trace.bindings(), at, trace.steps));
  return trace.scope.tape_of(outputs);
}

}  // namespace vinculum
