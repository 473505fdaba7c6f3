// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

#include "vinculum/model/model.h"

namespace vinculum {

// The name of something in a model that is not a finite number; empty if all is well.
inline std::string find_non_finite(const Model& model) {
  std::string found;
  const auto number = [&](const std::string& name, double value) {
    if (!std::isfinite(value)) found = name;
  };
  const auto vector = [&](const std::string& name, const Vector3& value) {
    for (int i = 0; i < 3; ++i) number(name, value[i]);
  };
  const auto matrix = [&](const std::string& name, const Matrix3& value) {
    for (const Vector3& column : {value.x, value.y, value.z}) vector(name, column);
  };
  const auto formula = [&](const std::string& name, const Expression& value) {
    for (const Step& step : value.steps()) number(name, step.value);
  };

  const ModelDescription& words = model.description();
  vector("gravity", words.gravity);
  for (const auto& parameter : words.parameters) number(parameter.name, parameter.value);
  for (const auto& body : words.bodies) {
    number(body.name + ".mass", *body.mass);
    vector(body.name + ".com", *body.com);
    matrix(body.name + ".inertia", to_matrix(*body.inertia));
    vector(body.name + ".axis", *body.joint.axis);
    vector(body.name + ".origin", body.joint.origin);
    matrix(body.name + ".rotation", body.joint.rotation);
    for (const auto& shape : body.shapes) matrix(body.name + ".shape", shape.rotation);
  }
  for (const auto& body : words.environment) {
    matrix(body.name, body.rotation);
    for (const Expression& component : body.position) formula(body.name, component);
    for (const Turn& turn : body.turns) formula(body.name, turn.angle);
  }
  for (const auto& constraint : words.velocity_constraints) {
    for (const Expression& slip : constraint.slips) formula(constraint.name, slip);
  }
  for (const auto& event : words.events) formula(event.name, event.function);
  for (const auto& motion : words.motions) formula(motion.coordinate, motion.law);
  for (double q : model.initial_state().q) number("q", q);
  for (double v : model.initial_state().v) number("v", v);
  for (const Link& link : model.tree().links) {
    number("link.mass", link.mass);
    matrix("link.C", link.C);
    vector("link.p", link.p);
  }
  return found;
}

}  // namespace vinculum
