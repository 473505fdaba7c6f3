// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/support/random_tree.h"

namespace vinculum::testing {

inline Model build(const ModelDescription& words) {
  Diagnostics diagnostics;
  auto model = build_model(words, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.list()) text += to_text(diagnostic) + "\n";
  if (!model) throw std::runtime_error(text);
  return std::move(*model);
}

// Constant forces on every velocity, so that no law is tested on an undriven tree only.
inline void add_joint_forces(ModelDescription& words, Random& random) {
  std::vector<std::string> names;
  for (const BodyDescription& body : words.bodies) {
    for (const std::string& name : name_joint(body.name, body.joint).velocities) names.push_back(name);
  }
  for (std::string name : names) {
    if (name.back() == '\'') name.pop_back();
    words.forces.push_back(
        {"on_" + std::to_string(words.forces.size()), JointForce{name, Expression(5 * random.symmetric())}, {}});
  }
}

// Forces in world axes, follower forces and damped springs between bodies, each on a few of them.
inline void add_body_forces(ModelDescription& words, Random& random) {
  const auto expressions = [&] { return std::array<Expression, 3>{random.symmetric(), random.symmetric(), random.symmetric()}; };
  const auto any_body = [&] { return words.bodies[random.below(static_cast<int>(words.bodies.size()))].name; };
  const auto add = [&](auto force) { words.forces.push_back({"load_" + std::to_string(words.forces.size()), force, {}}); };
  for (size_t i = 0; i < words.bodies.size(); i += 3) {
    add(BodyForce{any_body(), random.vector(), expressions(), expressions(), i % 2 == 0});
    SpringForce spring{{any_body(), random.vector()}, {std::string("world"), random.vector()}, 20, 0.5, 0.3};
    if (i % 2 == 0) spring.and_.body = any_body();
    add(spring);
  }
}

// Every third joint of one motion is driven, with accelerations that differ.
inline void add_motions(ModelDescription& words) {
  Expression::Builder builder;
  const Expression t = builder.build(builder.variable({VariableKind::time}, "t"));
  for (size_t i = 0; i < words.bodies.size(); i += 3) {
    const auto names = name_joint(words.bodies[i].name, words.bodies[i].joint);
    if (names.coordinates.size() != 1) continue;
    words.motions.push_back({names.coordinates[0], Expression(0.2 * static_cast<double>(i + 1)) * t * t, {}});
  }
}

// The largest absolute value, at least 1: what round-off of a solution is compared with.
inline double largest(const std::vector<double>& values) {
  double size = 1;
  for (double value : values) size = std::max(size, std::abs(value));
  return size;
}

}  // namespace vinculum::testing
