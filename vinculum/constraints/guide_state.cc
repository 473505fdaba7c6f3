// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/guide_state.h"

#include <Eigen/LU>

#include "vinculum/constraints/guide_row.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/geometry/tree_motion.h"

namespace vinculum {

namespace {

// The other body A of a pair, and what of its motion is given by a law.
struct GuideCarrier {
  FrameMotion motion;
  Twist given;
};
GuideCarrier carrier_of(const Model& model, const FacePair& pair, std::span<const FrameMotion> links,
                        std::span<const EnvironmentMotion> environment) {
  GuideCarrier carrier;
  if (pair.with.on == Anchor::On::body) carrier.motion = body_motion(model.bodies()[pair.with.index], links);
  if (pair.with.on == Anchor::On::environment) {
    const EnvironmentMotion& motion = environment[pair.with.index];
    carrier.motion = {motion.R_WE, motion.p_WE, motion.velocity, motion.acceleration};
    carrier.given = motion.velocity;
  }
  return carrier;
}

// The point of a face against its plane, seen from A, along the normal into the body.
struct FaceMotion {
  Vector3 b, velocity, bias;  // from the origin of the body to the point; of the point in A; in its axes
  double gap = 0, rate = 0, given = 0, gamma = 0;
};
FaceMotion move_face(const GuideFace& face, double level, const GuideCarrier& carrier, const FrameMotion& body,
                     const FrameMotion& seen) {
  FaceMotion motion;
  const Vector3 &w = seen.velocity.angular, &nu = face.normal_A;
  motion.b = seen.R * face.point_B;
  motion.velocity = seen.velocity.linear + cross(w, motion.b);
  motion.bias = seen.acceleration.linear + cross(seen.acceleration.angular, motion.b) + cross(w, cross(w, motion.b));
  const Vector3 point_W = body.p + carrier.motion.R * motion.b;
  const Vector3 carried = carrier.given.linear + cross(carrier.given.angular, point_W - carrier.motion.p);
  motion.gap = dot(nu, seen.p + motion.b) - level;
  motion.rate = dot(nu, motion.velocity);
  motion.given = dot(carrier.motion.R * nu, carried);
  motion.gamma = -dot(nu, motion.bias);
  return motion;
}

}  // namespace

// Seen from the other body A, with b from the origin of the body to a point of it, nu fixed in A:
//
//   gap = nu·(p + b) - level ,  rate = nu·(p' + w × b) ,  -gamma = nu·(p'' + w' × b + w × (w × b)) at v' = 0
PairState compute_pair_state(const Model& model, const FacePair& pair, double level, std::span<const FrameMotion> links,
                             std::span<const EnvironmentMotion> environment) {
  const GuideCarrier carrier = carrier_of(model, pair, links, environment);
  const FrameMotion body = body_motion(model.bodies()[pair.body], links), seen = relative_to(carrier.motion, body);
  PairState state;
  state.pole_W = body.p;
  state.forward_W = carrier.motion.R * pair.forward_A;
  for (int i = 0; i < 2; ++i) state.in_face_W[i] = carrier.motion.R * pair.in_face_A[i];
  state.given_W = carrier.given;
  state.origin_W = carrier.motion.p;
  for (int p = 0; p < 2; ++p) {
    const FaceMotion motion = move_face(pair.faces[p], level, carrier, body, seen);
    const Vector3& nu = pair.faces[p].normal_A;
    FaceState& face = state.faces[p];
    face.point_W = body.p + carrier.motion.R * motion.b;
    face.normal_W = carrier.motion.R * nu;
    face.slide_W = carrier.motion.R * (motion.velocity - dot(nu, motion.velocity) * nu);
    face.spin = dot(nu, seen.velocity.angular);
    face.bias_W = carrier.motion.R * motion.bias;
    if (p == 0) continue;
    state.gap = motion.gap, state.rate = motion.rate, state.given = motion.given, state.gamma = motion.gamma;
  }
  return state;
}

GuideRowAt compute_guide_row(const ConstraintSet& set, const ConstraintRows& rows, int index) {
  const FacePair& pair = set.model.face_pairs()[index];
  const PairState& at = rows.pairs[index];
  const bool opposite = pair.faces[0].point_B == pair.faces[1].point_B && pair.faces[0].normal_A == -pair.faces[1].normal_A;
  if (set.modes[pair.mode] != kFace1 || opposite)
    return {at.faces[1].point_W, at.faces[1].normal_W, at.gap, at.rate, at.given, at.gamma};
  const GuideCarrier carrier = carrier_of(set.model, pair, rows.links, rows.environment);
  const FrameMotion body = body_motion(set.model.bodies()[pair.body], rows.links);
  const double level = set.face_levels[set.model.face_pairs().size() + static_cast<size_t>(index)];
  const FaceMotion motion = move_face(pair.faces[0], level, carrier, body, relative_to(carrier.motion, body));
  return {at.faces[0].point_W, -at.faces[0].normal_W, -motion.gap, -motion.rate, -motion.given, -motion.gamma};
}

bool can_tilt(const ConstraintSet& set, const ConstraintRows& rows, int index) {
  constexpr double kTilts = 1e-9;
  const FacePair& pair = set.model.face_pairs()[index];
  const PairState& at = rows.pairs[index];
  const int against = pair.with.on == Anchor::On::body ? set.model.link_of(pair.with.index) : kGround;
  const auto n = static_cast<Eigen::Index>(set.model.tree().velocities);
  Eigen::MatrixXd turns(2, n);
  for (int i = 0; i < 2; ++i) {
    std::vector<double> row(static_cast<size_t>(n), 0.0);
    add_wrench_row(set.model, rows.links, set.model.link_of(pair.body), against, at.pole_W, {{}, at.in_face_W[i]}, row);
    turns.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), n);
  }
  ConstraintRows with_jacobian = rows;
  fill_jacobian(set, with_jacobian);
  const Eigen::FullPivLU<Eigen::MatrixXd> rank(with_jacobian.D);
  return rank.dimensionOfKernel() > 0 && (turns * rank.kernel()).norm() > kTilts * rank.kernel().norm();
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
  for (const int face : {1, 0}) {
    for (const FacePair& pair : model.face_pairs()) {
      const GuideCarrier carrier = carrier_of(model, pair, links, environment);
      const FrameMotion body = body_motion(model.bodies()[pair.body], links);
      levels.push_back(move_face(pair.faces[face], 0, carrier, body, relative_to(carrier.motion, body)).gap);
    }
  }
  return levels;
}

}  // namespace vinculum
