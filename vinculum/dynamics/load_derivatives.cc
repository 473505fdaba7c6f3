// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/load_derivatives.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

// A material point of a link, from O; stage -1 for points whose motion is given.
struct Point {
  int stage = -1;
  Vector3 p;
  Vector3 velocity;
};

// The columns that carry it, from the ground up.
std::span<const int> carriers_of(const Point& point, const DerivativesMemory& memory) {
  const int last = point.stage < 0 ? -1 : memory.last_column[point.stage];
  return last < 0 ? std::span<const int>{} : memory.carriers_of(last);
}

Vector3 velocity_at(const Twist& twist, const Vector3& p) { return twist.linear + cross(twist.angular, p); }

Point point_of_body(const Model& model, int body_index, const Vector3& point_B, const Workspace::Memory& links,
                    const DerivativesMemory& memory) {
  const Body& body = model.bodies()[body_index];
  const LinkInWorld<double>& link = links.world[body.link];
  const int stage = memory.stage_of_link[body.link];
  const Vector3 p = link.p - memory.origin_W + link.R * (body.R_LB * point_B);
  return {stage, p, velocity_at(memory.motions[stage].V, p)};
}

Point point_of_anchor(const Model& model, const Anchor& anchor, const Workspace::Memory& links, const DerivativesMemory& memory) {
  switch (anchor.on) {
    case Anchor::On::body: return point_of_body(model, anchor.index, anchor.point, links, memory);
    case Anchor::On::environment: {
      const EnvironmentMotion& motion = links.environment[anchor.index];
      const Vector3 offset = motion.R_WE * anchor.point;
      return {-1, motion.p_WE + offset - memory.origin_W, motion.velocity.linear + cross(motion.velocity.angular, offset)};
    }
    case Anchor::On::world: break;
  }
  return {-1, anchor.point - memory.origin_W, {}};
}

// Takes the work of a change of a wrench at a point from one column of the rows that carry the point.
void subtract_wrench(const Point& at, const Wrench& change, int column, By by, DerivativesMemory& memory) {
  for (int k : carriers_of(at, memory)) {
    const Twist& S = memory.S[k];
    memory.tau_entry(k, column, by) -= dot(velocity_at(S, at.p), change.force) + dot(S.angular, change.moment);
  }
}

// A spring pulls a towards b by f = pull n, pull = k (d - L) + c d', n = D/d, D = ab. Columns that carry both ends turn it as a
// whole, and so does f follow: what is left are those that carry one end. Moving that end by J and its velocity by δu,
//
//   δD = ±J ,  δd = n·δD ,  δn = (δD - n δd)/d ,  δd' = δn·D' ± n·δu ,  δf = (k δd + c δd') n + pull δn ,  ∂f/∂v = c (±n·J) n
//
// less ω × f at the end that column turns along.
void subtract_spring(const SpringLaw& spring, const Point& a, const Point& b, DerivativesMemory& memory) {
  const Vector3 D = b.p - a.p, D_dot = b.velocity - a.velocity;
  const double d = norm(D);
  if (d == 0) return;
  const Vector3 n = (1 / d) * D;
  const double pull = spring.stiffness * (d - spring.length) + spring.damping * dot(n, D_dot);
  const Vector3 f = pull * n;
  const std::span<const int> below_a = carriers_of(a, memory), below_b = carriers_of(b, memory);
  const size_t common = std::mismatch(below_a.begin(), below_a.end(), below_b.begin(), below_b.end()).first - below_a.begin();

  const auto move_end = [&](const Point& end, double sign, std::span<const int> columns) {
    for (int j : columns) {
      const Twist& S = memory.S[j];
      const int base = memory.stages[memory.stage_of_column[j]].base;
      const Twist& V = memory.motions[end.stage].V;
      const Twist change = cross(S, V) + (base < 0 ? Twist{} : cross(memory.motions[base].V, S));  // δ_j V = S_j × V + P_j
      const Vector3 J = velocity_at(S, end.p), velocity_change = velocity_at(change, end.p) + cross(V.angular, J);
      const Vector3 delta_D = sign * J;
      const double delta_d = dot(n, delta_D);
      const Vector3 delta_n = (1 / d) * (delta_D - delta_d * n);
      const double delta_rate = dot(delta_n, D_dot) + sign * dot(n, velocity_change);
      const Vector3 delta_f = (spring.stiffness * delta_d + spring.damping * delta_rate) * n + pull * delta_n;
      const Vector3 by_v = spring.damping * delta_d * n, turned = cross(S.angular, f);
      subtract_wrench(a, {sign < 0 ? delta_f - turned : delta_f, {}}, j, By::q, memory);
      subtract_wrench(b, {sign < 0 ? -delta_f : turned - delta_f, {}}, j, By::q, memory);
      subtract_wrench(a, {by_v, {}}, j, By::v, memory);
      subtract_wrench(b, {-by_v, {}}, j, By::v, memory);
    }
  };
  move_end(a, -1, below_a.subspan(common));
  move_end(b, 1, below_b.subspan(common));
}

}  // namespace

LoadDerivatives::LoadDerivatives(const Model& model, const DerivativesMemory& memory) {
  const int of_bodies = model.tree().coordinates - static_cast<int>(model.extra_states().size());
  const auto moves_nothing = [&](int coordinate) { return coordinate >= of_bodies; };
  const auto add = [&](std::vector<Slope>& slopes, size_t law, int component, const Expression& formula) {
    for (const Variable& variable : formula.variables()) {
      // What moves no body is no direction of the mechanism.
      if (variable.kind == VariableKind::time || (variable.kind == VariableKind::coordinate && moves_nothing(variable.index)))
        continue;
      slopes.push_back({static_cast<int>(law), component, variable, differentiate(formula, variable)});
    }
  };
  for (size_t i = 0; i < model.joint_forces().size(); ++i) add(joint_slopes_, i, 0, model.joint_forces()[i].law);
  for (size_t i = 0; i < model.body_forces().size(); ++i) {
    for (int m = 0; m < 3; ++m) {
      add(body_slopes_, i, m, model.body_forces()[i].force_law[m]);
      add(body_slopes_, i, 3 + m, model.body_forces()[i].torque_law[m]);
    }
  }

  coordinates_.resize(model.tree().coordinates);
  for (const Link& link : model.tree().links) {
    const int quaternion = quaternion_index(link);
    const int plain = quaternion < 0 ? velocity_count(link.kind) : velocity_count(link.kind) - 3;
    for (int m = 0; m < plain; ++m) coordinates_[link.q + m].velocity = link.v + m;
    for (int m = 0; quaternion >= 0 && m < 4; ++m) coordinates_[quaternion + m] = {link.v + plain, quaternion, m};
  }
  find_coupling(model, memory);
}

void LoadDerivatives::find_coupling(const Model& model, const DerivativesMemory& memory) {
  const auto carries = [&](int j, int k) { return std::ranges::binary_search(memory.carriers_of(k), j); };
  couples_branches_ = !body_slopes_.empty();
  for (const Slope& slope : joint_slopes_) {
    const int k = model.joint_forces()[slope.law].velocity;
    const int j =
        slope.variable.kind == VariableKind::velocity ? slope.variable.index : coordinates_[slope.variable.index].velocity;
    couples_branches_ |= !carries(j, k) && !carries(k, j);
  }
  for (const SpringLaw& spring : model.springs()) {
    int last[2] = {-1, -1};
    for (int end = 0; end < 2; ++end) {
      const Anchor& anchor = end == 0 ? spring.a : spring.b;
      if (anchor.on == Anchor::On::body) last[end] = memory.last_column[memory.stage_of_link[model.bodies()[anchor.index].link]];
    }
    if (last[0] >= 0 && last[1] >= 0) couples_branches_ |= !carries(last[0], last[1]) && !carries(last[1], last[0]);
  }
}

// use(column, slope, by) for every velocity along which the variable changes, with the slope times its rate there.
template <class Use>
bool LoadDerivatives::for_each_direction(const Slope& slope, const State& state, std::vector<double>& scratch,
                                         const Use& use) const {
  const double value = evaluate(slope.value, Bindings{state.t, state.q, state.v}, scratch);
  if (!std::isfinite(value)) return false;
  if (slope.variable.kind == VariableKind::velocity) {
    use(slope.variable.index, value, By::v);
    return true;
  }
  const Coordinate& coordinate = coordinates_[slope.variable.index];
  if (coordinate.quaternion < 0) {
    use(coordinate.velocity, value, By::q);
    return true;
  }
  const double* Q = &state.q[coordinate.quaternion];
  for (int m = 0; m < 3; ++m) {
    Vector3 unit;
    unit[m] = 1;
    const Quaternion rate = quaternion_rate(Quaternion{Q[0], Q[1], Q[2], Q[3]}, unit);
    const double rates[] = {rate.w, rate.x, rate.y, rate.z};
    use(coordinate.velocity + m, value * rates[coordinate.part], By::q);
  }
  return true;
}

bool LoadDerivatives::subtract_joint_laws(const Model& model, const State& state, Workspace::Memory& links,
                                          DerivativesMemory& memory) const {
  bool finite = true;
  for (const Slope& slope : joint_slopes_) {
    const int row = model.joint_forces()[slope.law].velocity;
    finite &= for_each_direction(slope, state, links.expression,
                                 [&](int column, double value, By by) { memory.tau_entry(row, column, by) -= value; });
  }
  return finite;
}

bool LoadDerivatives::subtract_loads(const Model& model, const State& state, Workspace::Memory& links,
                                     DerivativesMemory& memory) const {
  const Bindings bindings{state.t, state.q, state.v};
  // A wrench in world axes stays while its body turns: -ω × it, seen from the body.
  const auto subtract_turn = [&](const Point& at, const Wrench& wrench_W) {
    for (int j : carriers_of(at, memory)) {
      const Vector3 turn = memory.S[j].angular;
      subtract_wrench(at, {cross(wrench_W.force, turn), cross(wrench_W.moment, turn)}, j, By::q, memory);
    }
  };
  for (size_t i = 0; i < links.applied.wrenches_W.size(); ++i)
    subtract_turn(point_of_body(model, static_cast<int>(i), {}, links, memory), links.applied.wrenches_W[i]);
  for (const BodyForceLaw& law : model.body_forces()) {
    if (law.in_body_axes) continue;
    Vector3 force, torque;
    for (int m = 0; m < 3; ++m) {
      force[m] = evaluate(law.force_law[m], bindings, links.expression);
      torque[m] = evaluate(law.torque_law[m], bindings, links.expression);
    }
    subtract_turn(point_of_body(model, law.body, law.point_B, links, memory), {force, torque});
  }

  bool finite = true;
  for (const Slope& slope : body_slopes_) {
    const BodyForceLaw& law = model.body_forces()[slope.law];
    const Body& body = model.bodies()[law.body];
    const Point at = point_of_body(model, law.body, law.point_B, links, memory);
    const Matrix3 axes = law.in_body_axes ? links.world[body.link].R * body.R_LB : kIdentity3;
    const Vector3 axis = axes.column(slope.component % 3);
    finite &= for_each_direction(slope, state, links.expression, [&](int column, double value, By by) {
      Wrench change;
      (slope.component < 3 ? change.force : change.moment) = value * axis;
      subtract_wrench(at, change, column, by, memory);
    });
  }

  for (const SpringLaw& spring : model.springs()) {
    subtract_spring(spring, point_of_anchor(model, spring.a, links, memory), point_of_anchor(model, spring.b, links, memory),
                    memory);
  }
  return finite;
}

}  // namespace vinculum
