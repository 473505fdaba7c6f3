// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

#include "tests/support/random_model.h"
#include "tests/support/random_tree.h"
#include "vinculum/constraints/follow.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/model/model.h"

namespace vinculum::testing {

// Random mechanisms with contacts, friction, strings and guides, and the same mechanisms described in another way. The ground is
// an environment body `ground`, so that the world can be turned; a free body starts at its joint's placement, so that
// any sequence of six motions starts with the same velocities.

struct Mechanism {
  std::string name;
  ModelDescription words;
  double until = 0;
  Follow follow = Follow::frictional;
};

namespace mechanism {

inline BodyDescription make_body(Random& random, const std::string& name) {
  BodyDescription body;
  body.name = name;
  body.mass = 0.5 + 1.5 * random.unit();
  body.com = 0.05 * random.vector();
  const double a = 0.2 + random.unit(), b = 0.2 + random.unit(), c = 0.2 + random.unit();
  body.inertia = 0.02 * sandwich(to_rotation(random.rotation()), Symmetric3{b + c, a + c, a + b, 0, 0, 0});
  return body;
}

inline void place_free(Random& random, BodyDescription& body, const Vector3& origin, double tilt, ModelDescription& words) {
  body.joint.type = JointType::free;
  body.joint.origin = origin;
  const Vector3 turn = tilt * random.vector();
  body.joint.rotation = to_rotation(normalized(Quaternion{1, turn.x / 2, turn.y / 2, turn.z / 2}));
  const Vector3 v = random.vector(), w = 2.0 * random.vector();
  const double values[] = {v.x, v.y, 0.4 * v.z, w.x, w.y, w.z};
  const char* names[] = {".tx'", ".ty'", ".tz'", ".wx", ".wy", ".wz"};
  for (int i = 0; i < 6; ++i) words.initial.push_back({body.name + names[i], values[i], {}});
}

inline ContactDescription make_contact(const std::string& name, const std::string& body, const Vector3& point, double radius,
                                       double friction, double restitution) {
  ContactDescription contact;
  contact.name = name;
  contact.body = body;
  contact.with = std::string("ground");
  if (radius > 0)
    contact.geometry = SphereGeometry{point, radius};
  else
    contact.geometry = PointGeometry{point};
  contact.forbid = {ContactAxis::normal, ContactAxis::lateral, ContactAxis::forward};
  contact.friction = friction;
  contact.restitution.coefficient = restitution;
  return contact;
}

inline ModelDescription start(Random& random) {
  ModelDescription words;
  words.gravity = {0.6 * random.symmetric(), 0.6 * random.symmetric(), -9.81};
  EnvironmentDescription ground;
  ground.name = "ground";
  ground.surface = Expression(0);
  ground.position = {Expression(0), Expression(0), Expression(0)};
  words.environment.push_back(ground);
  return words;
}

// A stool of three feet, dropped from low above the ground. One of them rubs: two that stick would share a force along the line
// between them, which rigid bodies leave open.
inline Mechanism make_stool(Random& random) {
  Mechanism made{"stool", start(random), 0.35, Follow::frictional};
  BodyDescription body = make_body(random, "stool");
  place_free(random, body, {0, 0, 0.32}, 0.1, made.words);
  made.words.bodies.push_back(body);
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * M_PI * i / 3 + 0.5 * random.unit(), r = 0.2 + 0.1 * random.unit();
    made.words.contacts.push_back(make_contact("foot" + std::to_string(i), "stool",
                                               {r * std::cos(angle), r * std::sin(angle), -0.25 + 0.02 * random.unit()}, 0,
                                               0.2 + 0.4 * random.unit(), random.below(2) ? 0.3 : 0));
    if (i > 0) made.words.contacts.back().forbid = {ContactAxis::normal}, made.words.contacts.back().friction.reset();
  }
  return made;
}

// Two bodies on one hinge, each with a ball under it.
inline Mechanism make_hinged_pair(Random& random) {
  Mechanism made{"hinged pair", start(random), 0.3, Follow::frictional};
  BodyDescription first = make_body(random, "first"), second = make_body(random, "second");
  place_free(random, first, {0.1, -0.2, 0.3}, 0.1, made.words);
  second.parent = std::string("first");
  second.joint.type = JointType::revolute;
  second.joint.axis = random.vector();
  second.joint.origin = {0.4, 0.1 * random.symmetric(), 0.05 * random.symmetric()};
  second.joint.rotation = to_rotation(normalized(Quaternion{1, 0, 0, 0.3 * random.symmetric()}));
  second.com = Vector3{0.15, 0.02, 0.01};
  made.words.initial.push_back({"second'", 0.5 * random.symmetric(), {}});
  made.words.bodies = {first, second};
  made.words.contacts.push_back(make_contact("left", "first", {-0.1, 0.05, -0.1}, 0.12, 0.2 + 0.5 * random.unit(), 0));
  made.words.contacts.push_back(make_contact("right", "second", {0.3, 0, -0.1}, 0.11, 0.2 + 0.5 * random.unit(), 0.2));
  return made;
}

// A body on a string that goes slack and snaps taut, above the ground.
inline Mechanism make_string(Random& random) {
  Mechanism made{"string", start(random), 0.5, Follow::frictional};
  BodyDescription body = make_body(random, "load");
  place_free(random, body, {0.25, 0.1, 0.6}, 0.3, made.words);
  made.words.bodies.push_back(body);
  StringDescription string;
  string.name = "rope";
  string.from = std::string("ground");
  string.to = std::string("load");
  string.at = {0, 0, 1.2};
  string.on = {0, 0, 0.1};
  string.length = 0.62 + 0.1 * random.unit();
  made.words.strings.push_back(string);
  made.words.contacts.push_back(make_contact("bottom", "load", {0, 0, -0.1}, 0.05, 0.3, 0.4));
  return made;
}

// A slider between two rough pairs of faces, pulled to and fro by a spring.
inline Mechanism make_slider(Random& random) {
  Mechanism made{"slider", start(random), 0.6, Follow::bilateral};
  BodyDescription body = make_body(random, "slider");
  body.joint.type = JointType::planar;
  body.joint.rotation = to_rotation(random.rotation());
  body.joint.origin = 0.2 * random.vector();
  made.words.bodies.push_back(body);
  made.words.initial.push_back({"slider.tx'", 1 + random.unit(), {}});
  GuideDescription guide;
  guide.name = "rail";
  guide.body = std::string("slider");
  for (const double x : {-0.2, 0.25}) {
    const Matrix3& R = body.joint.rotation;
    GuidePair pair;
    pair.face1 = {{x, 0.04, 0}, R * Vector3{0, -1, 0}, 0.05 + 0.2 * random.unit(), {}};
    pair.face2 = {{x, -0.03, 0}, R * Vector3{0, 1, 0}, 0.05 + 0.2 * random.unit(), {}};
    guide.pairs.push_back(pair);
  }
  made.words.guides.push_back(guide);
  SpringForce spring;
  spring.between = {std::string("ground"), random.vector()};
  spring.and_ = {std::string("slider"), {0.05, 0.1, 0}};
  spring.stiffness = 30 + 40 * random.unit();
  spring.damping = 0.5;
  spring.length = 0.3;
  made.words.forces.push_back({"spring", spring, {}});
  return made;
}

}  // namespace mechanism

inline Mechanism random_mechanism(std::uint64_t seed) {
  Random random(seed);
  switch (seed % 4) {
    case 0: return mechanism::make_stool(random);
    case 1: return mechanism::make_hinged_pair(random);
    case 2: return mechanism::make_string(random);
    default: return mechanism::make_slider(random);
  }
}

// ---- the same mechanism, described in another way -----------------------------------------------------------------------

// All elements in the opposite order.
inline ModelDescription reorder(ModelDescription words) {
  std::ranges::reverse(words.bodies);
  std::ranges::reverse(words.contacts);
  std::ranges::reverse(words.strings);
  std::ranges::reverse(words.guides);
  for (GuideDescription& guide : words.guides) std::ranges::reverse(guide.pairs);
  std::ranges::reverse(words.initial);
  return words;
}

// The world turned by Q, with all that is fixed in it. Coordinates are the same.
inline ModelDescription turn_world(ModelDescription words, const Matrix3& Q) {
  words.gravity = Q * words.gravity;
  for (BodyDescription& body : words.bodies) {
    if (body.parent.value != "world") continue;
    body.joint.origin = Q * body.joint.origin;
    body.joint.rotation = Q * body.joint.rotation;
  }
  for (EnvironmentDescription& body : words.environment) body.rotation = Q * body.rotation;
  for (GuideDescription& guide : words.guides) {
    for (GuidePair& pair : guide.pairs) {
      pair.face1.normal.value = Q * pair.face1.normal.value;
      pair.face2.normal.value = Q * pair.face2.normal.value;
    }
  }
  return words;
}

// S = diag(1, -1, 1): the mechanism in a mirror. Turns are mirrored about -S a, inertia and rotations as S .. S.
inline Vector3 mirror(const Vector3& a) { return {a.x, -a.y, a.z}; }
inline Vector3 mirror_turn(const Vector3& a) { return {-a.x, a.y, -a.z}; }
inline Matrix3 mirror(const Matrix3& R) {
  Matrix3 mirrored = R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) mirrored(i, j) = (i == 1) != (j == 1) ? -R(i, j) : R(i, j);
  }
  return mirrored;
}

inline ModelDescription mirror(ModelDescription words) {
  words.gravity = mirror(words.gravity);
  for (BodyDescription& body : words.bodies) {
    body.com.value = mirror(body.com.value);
    body.inertia.value.xy *= -1;
    body.inertia.value.yz *= -1;
    body.joint.origin = mirror(body.joint.origin);
    body.joint.rotation = mirror(body.joint.rotation);
    body.joint.axis.value =
        body.joint.type.value == JointType::prismatic ? mirror(body.joint.axis.value) : mirror_turn(body.joint.axis.value);
  }
  for (EnvironmentDescription& body : words.environment) body.rotation = mirror(body.rotation);
  for (ContactDescription& contact : words.contacts) {
    if (auto* point = std::get_if<PointGeometry>(&contact.geometry)) point->point = mirror(point->point);
    if (auto* sphere = std::get_if<SphereGeometry>(&contact.geometry)) sphere->center = mirror(sphere->center);
  }
  for (StringDescription& string : words.strings) {
    string.at = mirror(string.at);
    string.on = mirror(string.on);
  }
  for (GuideDescription& guide : words.guides) {
    for (GuidePair& pair : guide.pairs) {
      for (FaceDescription* face : {&pair.face1, &pair.face2}) {
        face->point = mirror(face->point);
        face->normal.value = mirror(face->normal.value);
      }
    }
  }
  for (ForceDescription& element : words.forces) {
    auto& spring = std::get<SpringForce>(element.law);
    spring.between.point = mirror(spring.between.point);
    spring.and_.point = mirror(spring.and_.point);
  }
  for (InitialValue& value : words.initial) {
    const std::string motion = value.name.substr(value.name.find('.') + 1);
    if (motion == "ty'" || motion == "wx" || motion == "wz") value.value *= -1;
  }
  return words;
}

// A free joint as six elementary motions; it starts at zero, where the rates are the angular velocities.
inline ModelDescription decompose(ModelDescription words) {
  using enum ElementaryMotion;
  for (BodyDescription& body : words.bodies) {
    if (body.joint.type.value != JointType::free) continue;
    body.joint.type = JointType::axes;
    body.joint.axes = {tx, ty, tz, rz, ry, rx};
    for (InitialValue& value : words.initial) {
      if (value.name.rfind(body.name + ".w", 0) == 0) value.name = body.name + ".r" + value.name.back() + "'";
    }
  }
  return words;
}

// Of two bodies on one hinge the second is the root:  R_BA = R0ᵀ Rot(-R0 a, q),  and the first has its frame in the hinge.
inline ModelDescription change_root(const ModelDescription& words) {
  const Model model = build(words);
  Workspace workspace(model);
  const auto motions = compute_body_motions(model, model.initial_state(), workspace);
  const int a = 0, b = 1;
  ModelDescription other = words;
  BodyDescription first = words.bodies[a], second = words.bodies[b];
  const Vector3 hinge = second.joint.origin;
  const Matrix3 R0 = second.joint.rotation;
  const Vector3 axis = second.joint.axis.value;

  second.parent = std::string("world");
  second.joint = {};
  second.joint.type = JointType::free;
  second.joint.origin = motions[b].p_WB;
  second.joint.rotation = motions[b].R_WB;

  first.parent = std::string("second");
  first.com.value = first.com.value - hinge;
  first.joint = {};
  first.joint.type = JointType::revolute;
  first.joint.rotation = transpose(R0);
  first.joint.axis = -1.0 * (R0 * axis);
  for (ContactDescription& contact : other.contacts) {
    if (contact.body.value == "first") std::get<SphereGeometry>(contact.geometry).center -= hinge;
  }
  double rate = 0;
  for (const InitialValue& value : words.initial) {
    if (value.name == "second'") rate = value.value;
  }
  // Velocities of a free joint: of the pole along the joint's axes, of the turn in body axes, the same at the start.
  const Vector3 v = transpose_times(motions[b].R_WB, motions[b].V_WB_W.linear);
  const Vector3 w = transpose_times(motions[b].R_WB, motions[b].V_WB_W.angular);
  other.initial = {{"second.tx'", v.x, {}}, {"second.ty'", v.y, {}}, {"second.tz'", v.z, {}}, {"second.wx", w.x, {}},
                   {"second.wy", w.y, {}},  {"second.wz", w.z, {}},  {"first'", rate, {}}};
  other.bodies = {second, first};
  return other;
}

}  // namespace vinculum::testing
