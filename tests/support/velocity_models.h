// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The models of theory 3, section 13, as model files: their constraints are typed.
#pragma once

#include <string>

#include <fmt/core.h>

#include "vinculum/files/read_model.h"

namespace vinculum::testing {

// sleigh(m, I, a): the edge point and the heading; the mass centre a ahead.
inline Model sleigh(double m, double I, double a, const std::string& more = "", const std::string& bound = "") {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ sled: {{ joint: planar, mass: {}, inertia: {}, com: [{}, 0, 0] }} }}
velocity_constraints: {{ blade: {{ equation: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0" {} }} }}
{}
)",
                                     m, I, a, bound, more));
}

// diffdrive(mb = 8, Ib = 0.5, d = 0.12, b = 0.25, rho = 0.08, Iw = 0.006): x, y, heading, right wheel, left wheel. The wheels
// turn against the ground of the plane they move in, so they are bodies of their own without mass.
inline Model diffdrive(const std::string& right_torque, const std::string& left_torque, const std::string& more = "") {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  base: {{ joint: planar, mass: 8, inertia: 0.5, com: [0.12, 0, 0] }}
  right: {{ joint: revolute, mass: 0, inertia: 0.006 }}
  left: {{ joint: revolute, mass: 0, inertia: 0.006 }}
velocity_constraints:
  lateral: "base.ty'*cos(base.rz) - base.tx'*sin(base.rz) = 0"
  drive: {{ equations: ["base.tx'*cos(base.rz) + base.ty'*sin(base.rz) + 0.25*base.rz' = 0.08*right'",
                        "base.tx'*cos(base.rz) + base.ty'*sin(base.rz) - 0.25*base.rz' = 0.08*left'"] }}
forces: {{ r: {{ joint: right, law: "{}" }}, l: {{ joint: left, law: "{}" }} }}
{}
)",
                                     right_torque, left_torque, more));
}

// cartrailer: x, y of the rear axle, heading; the trailer's heading is relative here, be = car.rz + trailer.
inline Model car_with_trailer(double A, double w, double Fd, const std::string& more = "", const std::string& bound = "") {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
parameters: {{ A: {}, w: {} }}
bodies:
  car: {{ joint: planar, mass: 1200, inertia: 1500, com: [1.2, 0, 0] }}
  trailer: {{ parent: car, joint: {{ type: revolute, origin: [-0.6, 0, 0] }}, mass: 500, inertia: 400, com: [-2, 0, 0] }}
velocity_constraints:
  front: {{ equation: "car.ty'*cos(car.rz + A*sin(w*t)) - car.tx'*sin(car.rz + A*sin(w*t)) + 2.6*cos(A*sin(w*t))*car.rz' = 0" {} }}
  rear: "car.ty'*cos(car.rz) - car.tx'*sin(car.rz) = 0"
  axle: "car.ty'*cos(car.rz + trailer) - car.tx'*sin(car.rz + trailer) - 0.6*cos(trailer)*car.rz' - 2.2*(car.rz' + trailer') = 0"
forces: {{ drive: {{ body: car, force: [{}, 0, 0], frame: body }} }}
{}
)",
                                     A, w, bound, Fd, more));
}

}  // namespace vinculum::testing
