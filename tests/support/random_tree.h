// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "vinculum/model/model.h"

namespace vinculum::testing {

// splitmix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)
  double symmetric() { return 2 * unit() - 1; }                          // [-1, 1)
  int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
  Vector3 vector() {
    const double x = symmetric(), y = symmetric(), z = symmetric();
    return {x, y, z};
  }
  Quaternion rotation() {
    const double w = symmetric(), x = symmetric(), y = symmetric(), z = symmetric();
    return normalized({w + 1e-3, x, y, z});
  }

 private:
  std::uint64_t state_;
};

// A branched tree with every kind of joint, turned placements, full inertias and massless bodies inside chains.
inline ModelDescription random_tree(std::uint64_t seed, int bodies) {
  using enum JointType;
  constexpr JointType kTypes[] = {revolute,  prismatic, screw, cylindrical, universal, planar,
                                  spherical, free,      axes,  fixed,       revolute,  revolute};
  Random random(seed);
  ModelDescription words;
  words.gravity = 9.81 * random.vector();
  for (int i = 0; i < bodies; ++i) {
    BodyDescription body;
    body.name = "b" + std::to_string(i);
    // Mostly near the end of the chain, so that trees are deep as well as branched.
    const int parent = i == 0 || random.below(8) == 0 ? -1 : i - 1 - random.below(std::min(i, 3));
    body.parent = parent < 0 ? std::string("world") : "b" + std::to_string(parent);
    JointType type = kTypes[random.below(12)];
    body.joint.type = type;
    body.joint.axis = random.vector();
    body.joint.pitch = 0.3 * random.symmetric();
    body.joint.origin = 0.5 * random.vector();
    body.joint.rotation = to_rotation(random.rotation());
    if (type == axes) {
      using enum ElementaryMotion;
      body.joint.axes = {rz, tx, rx, tz, rz};
    }
    // One in six is massless: then something with mass hangs on it (the next body), by a joint that does not undo it.
    const bool massless = i + 1 < bodies && (type == revolute || type == prismatic) && random.below(3) == 0;
    if (!massless) {
      body.mass = 0.5 + 1.5 * random.unit();
      body.com = 0.2 * random.vector();
      const double a = 0.1 + random.unit(), b = 0.1 + random.unit(), c = 0.1 + random.unit();
      const Symmetric3 box{(b + c) / 12, (a + c) / 12, (a + b) / 12, 0, 0, 0};
      body.inertia = sandwich(to_rotation(random.rotation()), box);
    }
    words.bodies.push_back(body);
    if (massless) {
      BodyDescription tip = body;
      tip.name = "m" + std::to_string(i);
      tip.parent = body.name;
      tip.joint.type = fixed;
      tip.joint.origin = random.vector();
      tip.joint.rotation = to_rotation(random.rotation());
      tip.mass = 0.3 + random.unit();
      tip.inertia = Symmetric3{0.1, 0.2, 0.25, 0.01, 0.02, -0.01};
      words.bodies.push_back(tip);
    }
  }
  return words;
}

inline State random_state(const Model& model, Random& random) {
  State state = model.initial_state();
  for (double& q : state.q) q = random.symmetric();
  for (double& v : state.v) v = random.symmetric();
  for (const Link& link : model.tree().links) {
    const int first = link.kind == LinkKind::spherical ? link.q : link.kind == LinkKind::free ? link.q + 3 : -1;
    if (first < 0) continue;
    const Quaternion q = random.rotation();
    state.q[first] = q.w;
    state.q[first + 1] = q.x;
    state.q[first + 2] = q.y;
    state.q[first + 3] = q.z;
  }
  return state;
}

}  // namespace vinculum::testing
