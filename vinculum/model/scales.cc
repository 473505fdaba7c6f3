// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/scales.h"

#include <algorithm>
#include <cmath>

#include "vinculum/expression/evaluate.h"
#include "vinculum/model/compile_forces.h"
#include "vinculum/model/model.h"

namespace vinculum {

namespace {

// The nearest power of two, by the exponent and the mantissa of x alone: the same for 2 x, doubled.
double power_of_two(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // in [1/2, 1)
  return std::ldexp(1.0, mantissa < std::sqrt(0.5) ? exponent - 1 : exponent);
}

// The largest of finite values; what has no value at the start tells nothing.
class Largest {
 public:
  void add(double value) {
    if (std::isfinite(value)) value_ = std::max(value_, std::abs(value));
  }
  void add(const Vector3& value) { add(norm(value)); }
  double value() const { return value_; }

 private:
  double value_ = 0;
};

// Of every velocity: is it the rate of an angle.
std::vector<bool> list_turns(const Model& model) {
  std::vector<bool> list(model.tree().velocities);
  for (const Link& link : model.tree().links) {
    for (int k = 0; k < velocity_count(link.kind); ++k) list[link.v + k] = k >= traits_of(link.kind).lengths;
  }
  return list;
}

void add_point(const Anchor& anchor, Largest& largest) {
  if (anchor.on == Anchor::On::body) largest.add(anchor.point);
}

// Lengths in the body, and in the other body of a contact if that is one.
void add_sizes(const PointGeometry& point, bool, Largest& largest) { largest.add(point.point); }
void add_sizes(const WheelGeometry& wheel, bool, Largest& largest) {
  largest.add(wheel.center);
  largest.add(wheel.radius);
}
void add_sizes(const SphereGeometry& sphere, bool, Largest& largest) {
  largest.add(sphere.center);
  largest.add(sphere.radius);
}
void add_sizes(const FrameGeometry& frame, bool on_body, Largest& largest) {
  largest.add(frame.body_point);
  if (on_body) largest.add(frame.environment_point);
}

// Sizes of bodies, and not where they are: a body far away is not larger. Of points that nothing extends, where they are, and how
// high their speed leads: what is about to land is as large as what has begun to fall.
double find_length(const Model& model, const State& start) {
  Largest size;
  for (const Body& body : model.bodies()) {
    const Symmetric3& I = body.I_Bcm_B;
    if (body.mass > 0) size.add(std::sqrt((I.xx + I.yy + I.zz) / body.mass));
    size.add(body.p_BoBcm_B);
    if (body.parent != kWorld) size.add(model.tree().links[body.first_link].p);
  }
  for (const Contact& contact : model.contacts())
    std::visit([&](const auto& geometry) { add_sizes(geometry, contact.with.on == Anchor::On::body, size); }, contact.geometry);
  for (const StringElement& string : model.strings()) {
    add_point(string.from, size);
    add_point(string.to, size);
    size.add(string.length);
  }
  for (const FacePair& pair : model.face_pairs()) {
    for (const GuideFace& face : pair.faces) {
      size.add(face.point_B);
      size.add(face.pad.radius);
    }
  }
  std::vector<ForceSizes> forces;
  model.forces().for_each([&](const auto& law) { forces.push_back(find_sizes(law, {start.t, start.q, start.v})); });
  for (const ForceSizes& force : forces) {
    for (const Anchor& end : force.ends) add_point(end, size);
  }
  if (size.value() > 0) return size.value();

  Largest place;
  const double gravity = norm(model.gravity());
  const auto add_height = [&](double speed) {
    if (gravity > 0) place.add(speed * speed / (2 * gravity));
  };
  for (const Link& link : model.tree().links) {
    const int lengths = traits_of(link.kind).lengths;
    if (lengths == 1) place.add(start.q[link.q]), add_height(start.v[link.v]);
    if (lengths == 3) {
      place.add(Vector3{start.q[link.q], start.q[link.q + 1], start.q[link.q + 2]});
      add_height(norm(Vector3{start.v[link.v], start.v[link.v + 1], start.v[link.v + 2]}));
    }
    place.add(link.p);
  }
  const std::vector<bool> angular = list_turns(model);
  for (const JointLimit& limit : model.joint_limits()) {
    if (angular[limit.velocity]) continue;
    place.add(limit.lower);
    place.add(limit.upper);
  }
  for (const ForceSizes& force : forces) place.add(force.length);
  return place.value() > 0 ? place.value() : 1;
}

double find_mass(const Model& model, double length) {
  Largest mass, inertia;
  for (const Body& body : model.bodies()) {
    mass.add(body.mass);
    for (const double moment : {body.I_Bcm_B.xx, body.I_Bcm_B.yy, body.I_Bcm_B.zz}) inertia.add(moment / (length * length));
  }
  return mass.value() > 0 ? mass.value() : inertia.value() > 0 ? inertia.value() : 1;
}

// Velocities and accelerations at the start: those it has, those that are given, and what the forces there make of the mass.
struct Rates {
  Largest velocity, acceleration;
};

Rates find_rates(const Model& model, const State& start, double length, double mass) {
  Rates rates;
  std::vector<double> scratch;
  const Bindings bindings{start.t, start.q, start.v};
  const auto value = [&](const Expression& law) { return evaluate(law, bindings, scratch); };
  const auto vector = [&](const std::array<Expression, 3>& law) { return Vector3{value(law[0]), value(law[1]), value(law[2])}; };
  const std::vector<bool> angular = list_turns(model);
  for (size_t i = 0; i < angular.size(); ++i) rates.velocity.add(start.v[i] * (angular[i] ? length : 1));
  for (const DrivenCoordinate& driven : model.driven()) {
    const double arm = angular[driven.v] ? length : 1;
    rates.velocity.add(arm * value(driven.rate));
    rates.acceleration.add(arm * value(driven.acceleration));
  }
  for (const EnvironmentBody& body : model.environment()) {
    rates.velocity.add(vector(body.velocity));
    rates.acceleration.add(vector(body.acceleration));
    for (const EnvironmentBody::TurnLaw& turn : body.turns) {
      rates.velocity.add(length * value(turn.rate));
      rates.acceleration.add(length * value(turn.acceleration));
    }
  }
  rates.acceleration.add(model.gravity());
  model.forces().for_each([&](const auto& law) {
    const ForceSizes sizes = find_sizes(law, bindings);
    if (sizes.velocity >= 0) {
      rates.acceleration.add(sizes.generalised / (angular[sizes.velocity] ? mass * length : mass));
    } else {
      rates.acceleration.add((1 / mass) * sizes.force);
      rates.acceleration.add((1 / (mass * length)) * sizes.torque);
    }
  });
  return rates;
}

// What a spring does that is stretched by the length of the model.
double find_spring_acceleration(const Model& model, const State& start, double length, double mass) {
  Largest stiffness;
  model.forces().for_each([&](const auto& law) { stiffness.add(find_sizes(law, {start.t, start.q, start.v}).stiffness); });
  for (const Contact& contact : model.contacts()) {
    for (const auto& [axis, law] : contact.laws)
      stiffness.add(is_angular(axis) ? law.stiffness / (length * length) : law.stiffness);
  }
  return stiffness.value() * length / mass;
}

}  // namespace

double Scales::of(Dimension dimension) const {
  const auto power = [](double base, int exponent) { return std::pow(base, exponent); };
  return power(length, dimension.length) * power(mass, dimension.mass) * power(time(), dimension.time);
}

Scales find_scales(const Model& model, const State& start, double span) {
  const double length = find_length(model, start), mass = find_mass(model, length);
  const Rates rates = find_rates(model, start, length, mass);
  double acceleration = rates.acceleration.value();
  if (acceleration == 0 && rates.velocity.value() == 0) acceleration = find_spring_acceleration(model, start, length, mass);
  double velocity = std::max(std::sqrt(acceleration * length), rates.velocity.value());
  if (velocity == 0) velocity = length / (span != 0 && std::isfinite(span) ? std::abs(span) : 1);
  if (acceleration == 0) acceleration = velocity * velocity / length;
  const Scales scales{power_of_two(length), power_of_two(mass), power_of_two(velocity), power_of_two(acceleration)};
  // Beyond all numbers there is nothing to compare with.
  const bool is_sound = std::isnormal(scales.length) && std::isnormal(scales.mass) && std::isnormal(scales.velocity) &&
                        std::isnormal(scales.acceleration) && std::isnormal(scales.energy()) && std::isnormal(scales.force());
  return is_sound ? scales : Scales{};
}

RowScales scales_of(const Scales& scales, const Row& row) {
  if (row.unit == "N*m") return {1, scales.angular_velocity(), scales.angular_acceleration()};
  return {scales.length, scales.velocity, scales.acceleration};
}

RowScales scales_of(const Model& model, int row) { return scales_of(model.scales(), model.rows()[row]); }

std::vector<double> coordinate_scales(const Model& model, const Scales& scales) {
  std::vector<double> list(model.tree().coordinates, 1);
  for (const Link& link : model.tree().links) {
    for (int k = 0; k < traits_of(link.kind).lengths; ++k) list[link.q + k] = scales.length;
  }
  for (const ExtraState& state : model.extra_states()) {
    if (state.dimension) list[state.q] = scales.of(*state.dimension);
  }
  return list;
}

std::vector<double> velocity_scales(const Model& model, const Scales& scales) {
  std::vector<double> list;
  for (const bool angular : list_turns(model)) list.push_back(angular ? scales.angular_velocity() : scales.velocity);
  return list;
}

}  // namespace vinculum
