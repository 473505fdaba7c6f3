// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/models.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include <fmt/core.h>

#include "tests/support/random_tree.h"
#include "vinculum/math/spatial.h"

namespace vinculum::bench {

namespace {

using testing::Random;

constexpr Vector3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Four draws in the order x y z w.
Quaternion draw_quaternion(Random& random) {
  const double x = random.symmetric(), y = random.symmetric(), z = random.symmetric(), w = random.symmetric();
  return normalized({w, x, y, z});
}

std::string body_name(int index) { return fmt::format("b{}", index); }

// A revolute body: placement, axis, mass, mass centre, and the inertia of a box in turned axes.
BodyDescription draw_body(Random& random, int index, int parent) {
  BodyDescription body;
  body.name = body_name(index);
  body.parent = parent < 0 ? std::string("world") : body_name(parent);
  body.joint.type = JointType::revolute;
  body.joint.rotation = to_rotation(draw_quaternion(random));
  body.joint.origin = 0.3 * random.vector();
  body.joint.axis = kAxes[random.below(3)];
  const double m = 0.5 + 1.5 * random.unit();
  body.mass = m;
  body.com = 0.1 * random.vector();
  double side2[3];
  for (double& value : side2) {
    const double side = 0.05 + 0.25 * random.unit();
    value = side * side;
  }
  const double k = m / 12;
  const Symmetric3 box{k * (side2[1] + side2[2]), k * (side2[0] + side2[2]), k * (side2[0] + side2[1]), 0, 0, 0};
  body.inertia = sandwich(to_rotation(draw_quaternion(random)), box);
  return body;
}

ModelDescription describe_tree(const std::string& name, std::uint64_t seed, int count, const std::function<int(int)>& parent) {
  Random random(seed);
  ModelDescription words;
  words.name = name;
  for (int i = 0; i < count; ++i) words.bodies.push_back(draw_body(random, i, parent(i)));
  return words;
}

ModelDescription describe_chain(const std::string& name, int count) {
  return describe_tree(name, count, count, [](int i) { return i - 1; });
}

void set_free(BodyDescription& body) {
  body.joint.type = JointType::free;
  body.joint.rotation = kIdentity3;
  body.joint.origin = {};
}

// Limbs of a humanoid by the body they begin with: legs 1-6, 7-12, waist 13-14, arms 15-21, 22-28, head 29-30.
int humanoid_parent(int i) {
  constexpr int kTrunk = 0, kChest = 14;
  switch (i) {
    case 0: return -1;
    case 1:
    case 7:
    case 13: return kTrunk;
    case 15:
    case 22:
    case 29: return kChest;
    default: return i - 1;
  }
}

// Leg k of the Stewart platform: where it stands on the ground (A, and its frame), and which point of the platform it carries
// (B).
struct StewartLeg {
  Vector3 A, B;
  Matrix3 frame;
};

StewartLeg stewart_leg(int k) {
  const auto on_circle = [k](double radius, double half_gap_degrees) {
    const double degrees = 120 * (k / 2) + (k % 2 == 0 ? -half_gap_degrees : half_gap_degrees);
    const double angle = degrees * std::numbers::pi / 180;
    return Vector3{radius * std::cos(angle), radius * std::sin(angle), 0};
  };
  const auto unit = [](const Vector3& a) { return (1 / norm(a)) * a; };
  StewartLeg leg{on_circle(1, 15), on_circle(0.6, 45), {}};
  leg.frame.z = unit(leg.B + Vector3{0, 0, 1} - leg.A);
  leg.frame.x = unit(cross(kAxes[1], leg.frame.z));
  leg.frame.y = cross(leg.frame.z, leg.frame.x);
  return leg;
}

constexpr int kStewartPlatform = 12;

ModelDescription describe_stewart() {
  ModelDescription words = describe_tree("stewart", 6, kStewartPlatform + 1, [](int i) { return i % 2 == 1 ? i - 1 : -1; });
  for (int k = 0; k < 6; ++k) {
    const StewartLeg leg = stewart_leg(k);
    JointDescription& cylinder = words.bodies[2 * k].joint;
    cylinder.type = JointType::universal;
    cylinder.rotation = leg.frame;
    cylinder.origin = leg.A;
    JointDescription& rod = words.bodies[2 * k + 1].joint;
    rod.type = JointType::prismatic;
    rod.axis = kAxes[2];
    rod.rotation = kIdentity3;
    rod.origin = {};
  }
  set_free(words.bodies[kStewartPlatform]);
  return words;
}

// With its loops: the end of each rod, its point (0, 0, 1), is held at the platform's B by a ball.
ModelDescription describe_closed_stewart() {
  ModelDescription words = describe_stewart();
  words.name = "stewart_loops";
  for (int k = 0; k < 6; ++k) {
    ContactDescription ball;
    ball.name = "ball" + std::to_string(k);
    ball.body = words.bodies[2 * k + 1].name;
    ball.with = words.bodies[kStewartPlatform].name;
    FrameGeometry frame;
    frame.body_point = {0, 0, 1};
    frame.environment_point = stewart_leg(k).B;
    ball.geometry = frame;
    ball.forbid = {ContactAxis::forward, ContactAxis::lateral, ContactAxis::normal};
    words.contacts.push_back(ball);
  }
  return words;
}

// Platforms on top of each other, each on six legs that stand on the one below.
constexpr int kBodiesOfAStorey = kStewartPlatform + 1;

ModelDescription describe_platforms(const std::string& name, int storeys) {
  ModelDescription words = describe_tree(name, 6, kBodiesOfAStorey * storeys, [](int i) {
    const int part = i % kBodiesOfAStorey;
    return part % 2 == 1 ? i - 1 : part == kStewartPlatform ? -1 : i - part - 1;  // rod, platform, cylinder
  });
  for (int storey = 0; storey < storeys; ++storey) {
    const ModelDescription one = describe_closed_stewart();
    const auto body_of = [&](int part) -> BodyDescription& { return words.bodies[kBodiesOfAStorey * storey + part]; };
    for (int part = 0; part < kBodiesOfAStorey; ++part) body_of(part).joint = one.bodies[part].joint;
    for (int k = 0; k < 6; ++k) {
      ContactDescription ball = one.contacts[k];
      ball.name = fmt::format("ball{}_{}", storey, k);
      ball.body = body_of(2 * k + 1).name;
      ball.with = body_of(kStewartPlatform).name;
      words.contacts.push_back(ball);
    }
  }
  return words;
}

// Pose and motion of a free body as drawn: velocities and accelerations of its coordinates in body axes.
struct FreeMotion {
  Vector3 p;
  Quaternion Q;
  Twist v_B, a_B;
};

// Ours moves its pole in the axes of the joint: v = R v_B, and so v' = R (a_B + w × v_B).
void set_free_motion(const FreeMotion& motion, int q, int v, Sample& sample) {
  const Matrix3 R = to_rotation(motion.Q);
  const Vector3 velocity = R * motion.v_B.linear;
  const Vector3 acceleration = R * (motion.a_B.linear + cross(motion.v_B.angular, motion.v_B.linear));
  const double coordinates[] = {motion.p.x, motion.p.y, motion.p.z, motion.Q.w, motion.Q.x, motion.Q.y, motion.Q.z};
  std::copy(std::begin(coordinates), std::end(coordinates), &sample.state.q[q]);
  for (int k = 0; k < 3; ++k) {
    sample.state.v[v + k] = velocity[k];
    sample.state.v[v + 3 + k] = motion.v_B.angular[k];
    sample.accelerations[v + k] = acceleration[k];
    sample.accelerations[v + 3 + k] = motion.a_B.angular[k];
    sample.forces[v + k] = sample.forces[v + 3 + k] = 0;
  }
}

// The legs of the Stewart platform from the motion of its platform: Rx(q0) Ry(q1) z (1 + q2) = d, d = B - A in the axes of the
// leg.
void reach_platform(const Model& model, const FreeMotion& platform, Sample& sample) {
  const Matrix3 R = to_rotation(platform.Q);
  for (int k = 0; k < 6; ++k) {
    const StewartLeg leg = stewart_leg(k);
    const Vector3 d = transpose_times(leg.frame, platform.p + R * leg.B - leg.A);
    const Vector3 rate = transpose_times(leg.frame, R * (platform.v_B.linear + cross(platform.v_B.angular, leg.B)));
    const double length = norm(d), length_rate = dot(d, rate) / length;
    // u = d / length = (sin q1, -sin q0 cos q1, cos q0 cos q1)
    const Vector3 u = (1 / length) * d, u_rate = (1 / length) * (rate - length_rate * u);
    const double cos2 = u.y * u.y + u.z * u.z;
    const int q = model.bodies()[2 * k].q, v = model.bodies()[2 * k].v;
    sample.state.q[q] = std::atan2(-u.y, u.z);
    sample.state.q[q + 1] = std::asin(u.x);
    sample.state.q[q + 2] = length - 1;
    sample.state.v[v] = (u.y * u_rate.z - u.z * u_rate.y) / cos2;
    sample.state.v[v + 1] = u_rate.x / std::sqrt(cos2);
    sample.state.v[v + 2] = length_rate;
  }
}

}  // namespace

std::vector<ModelSize> benchmark_models() {
  return {{"arm7", 7},       {"chain10", 10},   {"stewart", 24},     {"humanoid36", 36},
          {"chain100", 100}, {"btree127", 127}, {"chain1000", 1000}, {"chain100000", 100000}};
}

ModelDescription describe_model(const std::string& name) {
  if (name == "arm7") return describe_chain(name, 7);
  if (name.starts_with("chain")) return describe_chain(name, std::stoi(name.substr(5)));
  if (name == "btree127") return describe_tree(name, 127, 127, [](int i) { return i == 0 ? -1 : (i - 1) / 2; });
  if (name == "stewart") return describe_stewart();
  if (name == "stewart_loops") return describe_closed_stewart();
  if (name.starts_with("platforms")) return describe_platforms(name, std::stoi(name.substr(9)));
  if (name != "humanoid36") throw std::invalid_argument("there is no benchmark model '" + name + "'");
  ModelDescription words = describe_tree(name, 36, 31, humanoid_parent);
  set_free(words.bodies[0]);
  return words;
}

Sample draw_sample(const Model& model, int k) {
  Random random(1000 + k);
  Sample sample{model.initial_state(), {}, {}};
  sample.forces.resize(sample.state.v.size());
  sample.accelerations.resize(sample.state.v.size());
  for (const Body& body : model.bodies()) {
    if (model.tree().links[body.link].kind == LinkKind::free) {
      FreeMotion motion;
      motion.p = random.vector();
      motion.Q = draw_quaternion(random);
      motion.v_B.linear = random.vector();
      motion.v_B.angular = random.vector();
      motion.a_B.linear = random.vector();
      motion.a_B.angular = random.vector();
      set_free_motion(motion, body.q, body.v, sample);
      continue;
    }
    for (int i = 0; i < body.v_count; ++i) {
      sample.state.q[body.q + i] = 3 * random.symmetric();
      sample.state.v[body.v + i] = random.symmetric();
      sample.accelerations[body.v + i] = random.symmetric();
      sample.forces[body.v + i] = 5 * random.symmetric();
    }
  }
  if (model.name().starts_with("platforms")) {
    // At rest, every platform one metre above the one below.
    for (size_t i = 0; i < model.bodies().size(); ++i) {
      const Body& body = model.bodies()[i];
      const int storey = static_cast<int>(i) / kBodiesOfAStorey, part = static_cast<int>(i) % kBodiesOfAStorey;
      std::fill_n(&sample.state.q[body.q], body.q_count, 0.0);
      std::fill_n(&sample.state.v[body.v], body.v_count, 0.0);
      const StewartLeg leg = stewart_leg(part / 2);
      if (part == kStewartPlatform) {
        sample.state.q[body.q + 2] = storey + 1;
        sample.state.q[body.q + 3] = 1;
      } else if (part % 2 == 1) {
        sample.state.q[body.q] = norm(leg.B + Vector3{0, 0, 1} - leg.A) - 1;
      }
    }
  }
  if (model.name().starts_with("stewart")) {
    FreeMotion platform;
    platform.p = Vector3{0, 0, 1} + 0.1 * random.vector();
    const Vector3 tilt = 0.1 * random.vector();
    platform.Q = normalized({1, tilt.x, tilt.y, tilt.z});
    platform.v_B.linear = 0.2 * random.vector();
    platform.v_B.angular = 0.2 * random.vector();
    set_free_motion(platform, model.bodies()[kStewartPlatform].q, model.bodies()[kStewartPlatform].v, sample);
    reach_platform(model, platform, sample);
  }
  return sample;
}

}  // namespace vinculum::bench
