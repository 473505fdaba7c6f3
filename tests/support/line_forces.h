// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/random_model.h"

namespace vinculum::testing {

// The own names of a pull along a line.
inline Expression own_length() {
  Expression::Builder builder;
  return builder.build(builder.variable({VariableKind::surface_x, 0}, "length"));
}
inline Expression own_rate() {
  Expression::Builder builder;
  return builder.build(builder.variable({VariableKind::surface_y, 0}, "rate"));
}

// Pulls between bodies and to the world on a few of them, by smooth laws of length, rate, a coordinate, a velocity and t.
inline void add_line_forces(ModelDescription& words, Random& random) {
  const auto any_body = [&] { return words.bodies[random.below(static_cast<int>(words.bodies.size()))]; };
  const auto variable = [&](bool of_coordinates) -> Expression {
    std::vector<std::string> names;
    for (const BodyDescription& body : words.bodies) {
      const JointNames own = name_joint(body.name, body.joint);
      const auto& list = of_coordinates ? own.coordinates : own.velocities;
      names.insert(names.end(), list.begin(), list.end());
    }
    if (names.empty()) return 1.0;
    const int index = random.below(static_cast<int>(names.size()));
    Expression::Builder builder;
    const VariableKind kind = of_coordinates ? VariableKind::coordinate : VariableKind::velocity;
    return builder.build(builder.variable({kind, index}, names[index]));
  };
  for (size_t i = 0; i < words.bodies.size(); i += 3) {
    PointToPointForce force{{any_body().name, random.vector()}, {std::string("world"), random.vector()}, {}};
    if (i % 2 == 0) force.and_.body = any_body().name;
    force.law = Expression(random.symmetric()) * own_length() * own_length() + Expression(random.symmetric()) * own_rate() +
                Expression(random.symmetric()) * variable(true) * own_length() + Expression(random.symmetric()) * variable(false);
    words.forces.push_back({"line_" + std::to_string(i), force, {}});
  }
}

}  // namespace vinculum::testing
