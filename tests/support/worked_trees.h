// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/files/read_model.h"

namespace vinculum::testing {

// Trees of the worked problems with the states they are asked at.
struct WorkedTree {
  Model model;
  State state;
};

// Theory 2, W1: revolute, prismatic, revolute arm in a vertical plane. The same J about every axis: see the note in W1.
inline WorkedTree planar_arm() {
  WorkedTree tree{read_model_text(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1.5, com: [0.3, 0, 0], inertia: 0.05 }
  b1: { parent: b0, joint: {type: prismatic, axis: x, origin: [0.1, 0, 0]}, mass: 0.8, com: [0.2, 0, 0], inertia: 0.02 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [0.4, 0, 0]}, mass: 0.5, com: [0.25, 0, 0], inertia: 0.03 }
)"),
                  {}};
  tree.state.q = {0.7, 0.35, -1.1};
  tree.state.v = {1.3, -0.4, 0.9};
  return tree;
}

// Theory 2, W2: branched tree in space.
inline WorkedTree branched_tree() {
  WorkedTree tree{read_model_text(R"(
vinculum: 1
gravity: [0, 0, -9.81]
bodies:
  b0: { joint: {type: spherical}, mass: 2, com: [0.05, 0, -0.2], inertia: [0.1, 0.12, 0.08, 0.01, 0, 0.005] }
  b1: { parent: b0, joint: {type: revolute, axis: x, origin: [0.3, 0, -0.3]}, mass: 1, com: [0, 0.02, -0.25], inertia: [0.03, 0.03, 0.01] }
  b2: { parent: b0, joint: {type: revolute, axis: y, origin: [-0.3, 0.1, -0.3]}, mass: 1.2, com: [0.01, 0, -0.3], inertia: [0.04, 0.03, 0.01, 0, 0.001, 0] }
  b3: { parent: b1, joint: {type: prismatic, axis: z, origin: [0, 0, -0.4]}, mass: 0.5, com: [0, 0.01, 0], inertia: [0.003, 0.004, 0.002] }
  b4: { parent: b2, joint: {type: revolute, axis: [1, 1, 0], origin: [0, 0, -0.5]}, mass: 0.6, com: [0, 0.03, -0.2], inertia: [0.01, 0.01, 0.003] }
forces:
  spring: { joint: b3, law: "-200*b3" }
)"),
                  {}};
  const Quaternion Q = normalized({0.98, 0.1, -0.12, 0.1});
  tree.state.q = {Q.w, Q.x, Q.y, Q.z, 0.3, -0.2, 0.01, 0.4};
  tree.state.v = {0.3, -0.4, 0.2, 0.5, -0.6, 0.1, 0.7};
  return tree;
}

// Its answers.
inline const double kBranchedAccelerations[] = {-2.285303820194, 1.013947128480,   -0.473278845863, -7.576412476551,
                                                9.353258806725,  -12.647909573581, -24.465694679674};
inline constexpr Vector3 kBranchedF0{-3.636321094562, -8.005054053020, 39.740981391435};
inline constexpr Vector3 kBranchedF3{1.103622837132, 0.930947693673, -1.613423874833};
inline constexpr Vector3 kBranchedM1{0.208338751144, -0.596225130389, -0.370445674592};
inline constexpr Vector3 kBranchedM3{-0.046784468022, -0.000323787478, -0.018866520932};
inline const double kBranchedDiagonal[] = {1.807160040710, 2.001072802888, 0.390264336372, 0.172, 0.423477753293, 0.5, 0.03427};

// Twelve digits after the point are printed: half of the last one, and round-off on values up to 40.
inline constexpr double kPrinted = 1e-12;

}  // namespace vinculum::testing
