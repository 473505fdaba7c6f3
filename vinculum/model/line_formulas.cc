// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/line_formulas.h"

#include <algorithm>

#include "vinculum/expression/evaluate_kernel.h"
#include "vinculum/math/spatial.h"
#include "vinculum/math/traced.h"
#include "vinculum/model/model.h"

namespace vinculum {

namespace {

using TracedVector = Vector3Of<Traced>;
using TracedMatrix = Matrix3Of<Traced>;

TracedVector fixed(const Vector3& a) { return {Traced(a.x), Traced(a.y), Traced(a.z)}; }
TracedMatrix fixed(const Matrix3& m) { return {fixed(m.x), fixed(m.y), fixed(m.z)}; }

// A frame in motion, world axes.
struct TracedFrame {
  TracedMatrix R = fixed(kIdentity3);
  TracedVector p{}, v{}, w{};
};
struct TracedPoint {
  TracedVector p, v;
};

TracedPoint point_of(const TracedFrame& frame, const Vector3& point) {
  const TracedVector r = frame.R * fixed(point);
  return {frame.p + r, frame.v + cross(frame.w, r)};
}

class LineTrace {
 public:
  explicit LineTrace(const Model& model) : model_(model), t_(scope_.input()) {
    for (int i = 0; i < model.tree().coordinates; ++i) q_.push_back(scope_.input());
    for (int i = 0; i < model.tree().velocities; ++i) v_.push_back(scope_.input());
  }

  Tape trace(const Anchor& a, const Anchor& b) {
    const TracedPoint at_a = point(a), at_b = point(b);
    const TracedVector d = at_b.p - at_a.p;
    const Traced length = sqrt(dot(d, d));
    const std::vector<Traced> outputs{length, dot(d, at_b.v - at_a.v) / length};
    return scope_.tape_of(outputs);
  }

 private:
  TracedPoint point(const Anchor& anchor) {
    switch (anchor.on) {
      case Anchor::On::world: break;
      case Anchor::On::body: {
        const Body& body = model_.bodies()[anchor.index];
        return point_of(carry(body.link), body.R_LB * anchor.point);
      }
      case Anchor::On::environment: return point_of(move(model_.environment()[anchor.index]), anchor.point);
    }
    return {fixed(anchor.point), {}};
  }

  TracedVector coordinates(int first) const { return {q_[first], q_[first + 1], q_[first + 2]}; }
  TracedVector velocities(int first) const { return {v_[first], v_[first + 1], v_[first + 2]}; }

  // A link, after all that carry it.
  TracedFrame carry(int number) const {
    if (number == kGround) return {};
    const Link& link = model_.tree().links[number];
    const TracedFrame base = carry(link.parent);
    const TracedMatrix C = fixed(link.C);
    TracedMatrix R = C;
    TracedVector r = fixed(link.p), slide{}, turn{};
    switch (link.kind) {
      case LinkKind::fixed: break;
      case LinkKind::prismatic:
        r += q_[link.q] * C.z;
        slide = v_[link.v] * C.z;
        break;
      case LinkKind::screw:
        r += (Traced(link.pitch) * q_[link.q]) * C.z;
        slide = (Traced(link.pitch) * v_[link.v]) * C.z;
        [[fallthrough]];
      case LinkKind::revolute: {
        const auto [s, c] = sincos(q_[link.q]);
        R = {s * C.y + c * C.x, c * C.y - s * C.x, C.z};
        turn = v_[link.v] * C.z;
        break;
      }
      case LinkKind::spherical:
        R = C * to_rotation(quaternion(link.q));
        turn = R * velocities(link.v);
        break;
      case LinkKind::free:
        r += C * coordinates(link.q);
        slide = C * velocities(link.v);
        R = C * to_rotation(quaternion(link.q + 3));
        turn = R * velocities(link.v + 3);
        break;
    }
    r = base.R * r;
    return {base.R * R, base.p + r, base.v + cross(base.w, r) + base.R * slide, base.w + base.R * turn};
  }

  QuaternionOf<Traced> quaternion(int first) const { return {q_[first], q_[first + 1], q_[first + 2], q_[first + 3]}; }

  TracedFrame move(const EnvironmentBody& body) {
    BindingsOf<Traced> at;
    at.time = t_;
    const auto value = [&](const Expression& law) {
      scratch_.resize(std::max(scratch_.size(), law.steps().size()));
      return evaluate_steps<Traced>(law, at, scratch_);
    };
    const auto vector = [&](const std::array<Expression, 3>& law) {
      return TracedVector{value(law[0]), value(law[1]), value(law[2])};
    };
    TracedFrame frame{fixed(body.rotation), vector(body.position), vector(body.velocity), {}};
    for (const EnvironmentBody::TurnLaw& turn : body.turns) {
      frame.w += value(turn.rate) * (frame.R * fixed(turn.unit_axis));
      frame.R = frame.R * rotation_about(fixed(turn.unit_axis), value(turn.angle));
    }
    return frame;
  }

  const Model& model_;
  TraceScope scope_;
  Traced t_;
  std::vector<Traced> q_, v_, scratch_;
};

// The steps of a tape as those of a formula.
std::vector<int> include_tape(const Model& model, const Tape& tape, Expression::Builder& builder) {
  const int coordinates = model.tree().coordinates;
  const auto input = [&](int number) {
    if (number == 0) return builder.variable({VariableKind::time, 0}, "t");
    if (number <= coordinates)
      return builder.variable({VariableKind::coordinate, number - 1}, model.coordinate_names()[number - 1]);
    const int velocity = number - 1 - coordinates;
    return builder.variable({VariableKind::velocity, velocity}, model.velocity_names()[velocity]);
  };
  std::vector<int> handles;
  for (const TapeStep& step : tape.steps) {
    const auto unary = [&](Operation operation) { return builder.unary(operation, handles[step.a]); };
    const auto binary = [&](Operation operation) { return builder.binary(operation, handles[step.a], handles[step.b]); };
    const auto write = [&] {
      switch (step.operation) {
        case TapeOperation::input: return input(step.a);
        case TapeOperation::constant: return builder.constant(tape.constants[step.a]);
        case TapeOperation::negate: return unary(Operation::negate);
        case TapeOperation::add: return binary(Operation::add);
        case TapeOperation::subtract: return binary(Operation::subtract);
        case TapeOperation::multiply: return binary(Operation::multiply);
        case TapeOperation::divide: return binary(Operation::divide);
        case TapeOperation::multiply_add: return builder.binary(Operation::add, binary(Operation::multiply), handles[step.c]);
        case TapeOperation::sqrt: return unary(Operation::sqrt);
        case TapeOperation::exp: return unary(Operation::exp);
        case TapeOperation::log: return unary(Operation::log);
        case TapeOperation::abs: return unary(Operation::abs);
        case TapeOperation::sign: return unary(Operation::sign);
        case TapeOperation::tanh: return unary(Operation::tanh);
        case TapeOperation::floor: return unary(Operation::floor);
        case TapeOperation::min: return binary(Operation::min);
        case TapeOperation::max: return binary(Operation::max);
        case TapeOperation::choose: return builder.choose(handles[step.a], handles[step.b], handles[step.c]);
        case TapeOperation::atan2: return binary(Operation::atan2);
        case TapeOperation::power: return binary(Operation::power);
        case TapeOperation::sin: return unary(Operation::sin);
        case TapeOperation::cos: break;
      }
      return unary(Operation::cos);
    };
    handles.push_back(write());
  }
  return handles;
}

}  // namespace

OwnVariables write_line(const Model& model, const Anchor& a, const Anchor& b) {
  const Tape tape = LineTrace(model).trace(a, b);
  Expression::Builder builder;
  const std::vector<int> handles = include_tape(model, tape, builder);
  return {builder.build(handles[tape.outputs[0]]), builder.build(handles[tape.outputs[1]])};
}

}  // namespace vinculum
