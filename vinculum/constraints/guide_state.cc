// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/guide_state.h"

#include "vinculum/constraints/tree_motion.h"
#include "vinculum/dynamics/kinematics.h"

namespace vinculum {

// Seen from the other body A, with b from the pole of the body to a point of it, nu fixed in A:
//
//   gap = nu·(p + b) - level ,  rate = nu·(p' + w × b) ,  -gamma = nu·(p'' + w' × b + w × (w × b)) at v' = 0
PairState compute_pair_state(const Model& model, const FacePair& pair, double level, std::span<const FrameMotion> links,
                             std::span<const EnvironmentMotion> environment) {
  FrameMotion carrier;
  Twist given;
  if (pair.with.on == Anchor::On::body) carrier = body_motion(model.bodies()[pair.with.index], links);
  if (pair.with.on == Anchor::On::environment) {
    const EnvironmentMotion& motion = environment[pair.with.index];
    carrier = {motion.R_WE, motion.p_WE, motion.velocity, motion.acceleration};
    given = motion.velocity;
  }
  const FrameMotion body = body_motion(model.bodies()[pair.body], links), seen = relative_to(carrier, body);
  const Vector3& w = seen.velocity.angular;
  PairState state;
  state.pole_W = body.p;
  state.forward_W = carrier.R * pair.forward_A;
  for (int i = 0; i < 2; ++i) state.in_face_W[i] = carrier.R * pair.in_face_A[i];
  state.given_W = given;
  state.origin_W = carrier.p;
  for (int p = 0; p < 2; ++p) {
    const Vector3 b = seen.R * pair.faces[p].point_B, &nu = pair.faces[p].normal_A;
    const Vector3 velocity = seen.velocity.linear + cross(w, b);
    FaceState& face = state.faces[p];
    face.point_W = body.p + carrier.R * b;
    face.normal_W = carrier.R * nu;
    face.slide_W = carrier.R * (velocity - dot(nu, velocity) * nu);
    face.spin = dot(nu, w);
    const Vector3 bias = seen.acceleration.linear + cross(seen.acceleration.angular, b) + cross(w, cross(w, b));
    face.bias_W = carrier.R * bias;
    if (p == 0) continue;
    const Vector3 carried = given.linear + cross(given.angular, face.point_W - carrier.p);
    state.gap = dot(nu, seen.p + b) - level;
    state.rate = dot(nu, velocity);
    state.given = dot(face.normal_W, carried);
    state.gamma = -dot(nu, bias);
  }
  return state;
}

std::vector<double> compute_face_levels(const Model& model) {
  std::vector<double> levels;
  if (model.face_pairs().empty()) return levels;
  const State& start = model.initial_state();
  std::vector<FrameMotion> links(model.tree().links.size());
  std::vector<EnvironmentMotion> environment;
  std::vector<double> scratch;
  compute_frame_motions(model, start.q, start.v, links, scratch);
  for (const EnvironmentBody& body : model.environment())
    environment.push_back(compute_environment_motion(body, start.t, scratch));
  for (const FacePair& pair : model.face_pairs()) levels.push_back(compute_pair_state(model, pair, 0, links, environment).gap);
  return levels;
}

}  // namespace vinculum
