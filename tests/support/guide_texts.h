// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The models with guides of theory 5, section 13: the texts of model files.
#pragma once

#include <cmath>
#include <string>

#include <fmt/core.h>

namespace vinculum::testing {

// W2, W3 and W10: a slider along x; `parameters` as in a model file.
inline std::string prism_text(const std::string& pairs, double mass, const std::string& force, double moment,
                              const std::string& more) {
  return fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ slider: {{ joint: {{ axes: [tx, ty, rz] }}, mass: {}, inertia: 0.1 }} }}
guides: {{ rail: {{ body: slider, pairs: [{}] }} }}
forces: {{ push: {{ body: slider, force: [{}, 0], torque: [0, 0, {}] }} }}
{}
)",
                     mass, pairs, force, moment, more);
}

inline std::string prism_pair(double a1, double a2, double b1, double b2, double f1, double f2) {
  return fmt::format(
      "{{ face1: {{ point: [{}, {}, 0], normal: [0, -1, 0], friction: {} }}, face2: {{ point: [{}, {}, 0], normal: [0, 1, 0], "
      "friction: {} }} }}",
      a1, b1, f1, a2, b2, f2);
}

inline std::string prism_w2_text(double moment) {
  return prism_text(prism_pair(-0.4, -0.45, 0.2, -0.25, 0.3, 0.2) + ", " + prism_pair(0.5, 0.42, 0.22, -0.3, 0.25, 0.35), 2,
                    "10, -19.62", moment, "initial: { \"slider.tx'\": 0.7 }");
}

inline std::string bar_clamp_text(double f, double moment) {
  return prism_text(prism_pair(-0.1, -0.1, 0.5, 0.5, f, f) + ", " + prism_pair(0.1, 0.1, 0.5, 0.5, f, f), 1, "0, -1", moment,
                    "initial: { \"slider.tx'\": 1 }");
}

// W4: the tip is the body's pole.
inline std::string rod_in_slot_text(double f, double turn) {
  return fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: {{ rod: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 1, inertia: 1/12, com: [0.5, 0, 0] }} }}
guides:
  slot: {{ body: rod, pairs: [{{ face1: {{ point: [0, 0, 0], normal: [0, -1, 0], friction: {0} }}, face2: {{ point: [0, 0, 0], normal: [0, 1, 0], friction: {0} }} }}] }}
initial: {{ rod.rz: {2}, "rod.tx'": -1, "rod.rz'": {1} }}
)",
                     f, turn, std::atan(2.0));
}

// W5 and W6.
inline std::string plate_on_pads_text(const std::string& more) {
  return R"(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: { plate: { joint: { type: free }, mass: 3, inertia: [0.9, 0.9, 0.9, 0, -0.12, 0.08] } }
guides:
  planes:
    body: plate
    pairs:
      - face1: { point: [0.5, 0.02, 0.45], normal: [0, 0, -1], friction: 0.2, pad: { radius: 0.06, pressure: uniform } }
        face2: { point: [0.45, -0.03, -0.6], normal: [0, 0, 1], friction: 0.35, pad: { radius: 0.08, pressure: uniform } }
      - face1: { point: [-0.3, 0.42, 0.45], normal: [0, 0, -1], friction: 0.25, pad: { radius: 0.05, pressure: uniform } }
        face2: { point: [-0.32, 0.4, -0.6], normal: [0, 0, 1], friction: 0.4, pad: { radius: 0.07, pressure: uniform } }
      - face1: { point: [-0.25, -0.38, 0.45], normal: [0, 0, -1], friction: 0.3, pad: { radius: 0.09, pressure: uniform } }
        face2: { point: [-0.2, -0.45, -0.6], normal: [0, 0, 1], friction: 0.3, pad: { radius: 0.06, pressure: uniform } }
)" + more +
         "\n";
}

// W7: a disc on one pad as large as itself, kept upright.
inline std::string disc_text() {
  return R"(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: { disc: { joint: { axes: [tx, ty, tz, rz] }, mass: 1, inertia: 0.005 } }
guides:
  floor:
    body: disc
    pairs:
      - face1: { point: [0, 0, 0], normal: [0, 0, -1], friction: 0.3, pad: { radius: 0.1, pressure: uniform } }
        face2: { point: [0, 0, 0], normal: [0, 0, 1], friction: 0.3, pad: { radius: 0.1, pressure: uniform } }
initial: { "disc.tx'": 1, "disc.rz'": 10 }
)";
}

// W9 at a crank angle.
inline std::string slider_crank_text(double theta, double omega = 12) {
  return fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
parameters: {{ theta: {}, omega: {}, phi: {}, turn: -0.1*cos(theta)*omega/(0.3*cos(phi)) }}
bodies:
  crank: {{ joint: {{ type: revolute, axis: z }}, mass: 0.8, inertia: 0.004, com: [0.05, 0, 0] }}
  rod: {{ parent: crank, joint: {{ type: revolute, axis: z, origin: [0.1, 0, 0] }}, mass: 0.6, inertia: 0.006, com: [0.15, 0, 0] }}
  slider: {{ parent: rod, joint: {{ type: revolute, axis: z, origin: [0.3, 0, 0] }}, mass: 1.2, inertia: 0.003, com: [-0.03, -0.01, 0] }}
guides: {{ bore: {{ body: slider, pairs: [{}, {}] }} }}
forces:
  motor: {{ joint: crank, law: "4" }}
  load: {{ body: slider, point: [-0.03, 0.002, 0], force: [-60, 0, 0] }}
initial: {{ crank: theta, "crank'": omega, rod: phi - theta, "rod'": turn - omega, slider: -phi, "slider'": -turn }}
)",
                     theta, omega, std::asin((0.01 - 0.1 * std::sin(theta)) / 0.3),
                     prism_pair(-0.11, -0.1, 0.02, -0.04, 0.15, 0.12), prism_pair(0.04, 0.05, 0.02, -0.045, 0.1, 0.18));
}

}  // namespace vinculum::testing
