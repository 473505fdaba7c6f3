// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <stdexcept>

#include "vinculum/math/visit.h"
#include "vinculum/model/model.h"
#include "vinculum/model/units.h"

namespace vinculum::testing {

// A similarity: all lengths, masses and times of a model multiplied. Forces then by mass length / time², and so on.
struct Similarity {
  double length = 1, mass = 1, time = 1;
};

// The same mechanism in other sizes. Models whose laws are formulas have numbers in them that are not known, and are refused.
inline Model make_similar(const Model& model, const Similarity& by) {
  ModelDescription words = model.description();
  const double velocity = by.length / by.time, acceleration = velocity / by.time, force = by.mass * acceleration;
  if (!words.motions.empty() || !words.velocity_constraints.empty() || !words.states.empty() || !words.inputs.empty() ||
      !words.samples.empty())
    throw std::runtime_error("formulas are not scaled");
  words.gravity = acceleration * words.gravity;
  words.gravity_formulas = {};
  for (BodyDescription& body : words.bodies) {
    body.formulas.reset();
    body.mass.value *= by.mass;
    body.com.value = by.length * body.com.value;
    Symmetric3& I = body.inertia.value;
    for (double* moment : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) *moment *= by.mass * by.length * by.length;
    body.joint.origin = by.length * body.joint.origin;
    body.joint.pitch.value *= by.length;
    const StateUnits units = state_units(model);
    for (LimitDescription& limit : body.joint.limits) {
      const bool slides = units.coordinates[*model.find_coordinate(limit.coordinate)] == "m";
      if (slides && limit.position) (*limit.position)[0] *= by.length, (*limit.position)[1] *= by.length;
    }
  }
  for (ContactDescription& contact : words.contacts) {
    std::visit(Overloaded{[&](PointGeometry& point) { point.point = by.length * point.point; },
                          [&](WheelGeometry& wheel) { wheel.center = by.length * wheel.center, wheel.radius *= by.length; },
                          [&](SphereGeometry& sphere) { sphere.center = by.length * sphere.center, sphere.radius *= by.length; },
                          [&](FrameGeometry& frame) {
                            frame.body_point = by.length * frame.body_point;
                            frame.environment_point = by.length * frame.environment_point;
                          }},
               contact.geometry);
  }
  for (StringDescription& string : words.strings) {
    string.at = by.length * string.at;
    string.on = by.length * string.on;
    string.length.value *= by.length;
  }
  for (GuideDescription& guide : words.guides) {
    for (GuidePair& pair : guide.pairs) {
      for (FaceDescription* face : {&pair.face1, &pair.face2}) face->point = by.length * face->point;
    }
  }
  for (ForceDescription& element : words.forces) {
    auto* spring = std::get_if<SpringForce>(&element.law);
    if (spring == nullptr) throw std::runtime_error("formulas are not scaled");
    spring->between.point = by.length * spring->between.point;
    spring->and_.point = by.length * spring->and_.point;
    spring->stiffness *= force / by.length;
    spring->damping *= force / velocity;
    spring->length *= by.length;
    spring->formulas = {};
  }
  words.events.clear();
  words.outputs.clear();
  const StateUnits units = state_units(model);
  for (InitialValue& value : words.initial) {
    if (const auto q = model.find_coordinate(value.name); q && units.coordinates[*q] == "m") value.value *= by.length;
    if (const auto v = model.find_velocity(value.name)) value.value *= units.velocities[*v] == "m/s" ? velocity : 1 / by.time;
  }
  Diagnostics diagnostics;
  auto similar = build_model(std::move(words), diagnostics);
  if (!similar) throw std::runtime_error("the similar model is not valid");
  return std::move(*similar);
}

}  // namespace vinculum::testing
