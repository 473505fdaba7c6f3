// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/unit_vector_form.h"

#include <Eigen/Cholesky>

#include "vinculum/dynamics/kinematics.h"
#include "vinculum/kernels/environment.h"

namespace vinculum {

UnitVectorMotion compute_unit_vector_motion(const StringTree& tree, const UnitVectorState& state,
                                            const Vector3& suspension_acceleration) {
  const int n = tree.size();
  const Eigen::Index size = 2 * n;
  const Eigen::LLT<Eigen::MatrixXd> factor(tree.N);
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(size, size));

  const auto as_rows = [&](const std::vector<Vector3>& vectors) {
    Eigen::MatrixXd rows(size, 3);
    for (Eigen::Index a = 0; a < size; ++a) rows.row(a) << vectors[a].x, vectors[a].y, vectors[a].z;
    return rows;
  };
  const Vector3 carried = suspension_acceleration + Vector3{0, 0, tree.gravity};
  std::vector<Vector3> force(size);
  for (Eigen::Index a = 0; a < size; ++a) force[a] = -tree.mass_moments[a] * carried;
  for (int i = 0; i < n; ++i) force[i] = force[i] + state.momenta[i] * cross(state.x[i], state.x_dot[i]);

  const Eigen::MatrixXd X = as_rows(state.x), X_dot = as_rows(state.x_dot), y = inverse * as_rows(force);
  const Eigen::VectorXd right = -X_dot.rowwise().squaredNorm() - X.cwiseProduct(y).rowwise().sum();
  const Eigen::VectorXd rho = inverse.cwiseProduct(X * X.transpose()).llt().solve(right);
  const Eigen::MatrixXd X_ddot = y + inverse * (rho.asDiagonal() * X);

  UnitVectorMotion motion;
  for (Eigen::Index a = 0; a < size; ++a) motion.x_ddot.push_back({X_ddot(a, 0), X_ddot(a, 1), X_ddot(a, 2)});
  for (int i = 0; i < n; ++i) motion.tensions.push_back(-rho[n + i] / tree.bodies[i].length);
  return motion;
}

UnitVectorState see_as_unit_vectors(const Model& model, const StringTree& tree, const State& state) {
  Workspace workspace(model);
  const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
  const auto point = [&](const Anchor& end) -> std::pair<Vector3, Vector3> {
    if (end.on == Anchor::On::world) return {end.point, {}};
    if (end.on == Anchor::On::body) {
      const BodyMotion& body = motions[end.index];
      const Vector3 r = body.R_WB * end.point;
      return {body.p_WB + r, body.V_WB_W.linear + cross(body.V_WB_W.angular, r)};
    }
    std::vector<double> scratch;
    const EnvironmentMotion carrier = compute_environment_motion(model.environment()[end.index], state.t, scratch);
    const Vector3 r = carrier.R_WE * end.point;
    return {carrier.p_WE + r, carrier.velocity.linear + cross(carrier.velocity.angular, r)};
  };
  const auto in_frame = [&](const Vector3& v) { return transpose_times(tree.R_WE, v); };

  UnitVectorState seen;
  seen.x.resize(2 * tree.size());
  seen.x_dot.resize(2 * tree.size());
  for (int i = 0; i < tree.size(); ++i) {
    const HungBody& hung = tree.bodies[i];
    const BodyMotion& body = motions[hung.body];
    const Vector3 e = body.R_WB * hung.axis_B, w = body.V_WB_W.angular;
    seen.x[i] = in_frame(e);
    seen.x_dot[i] = in_frame(cross(w, e));
    seen.momenta.push_back(hung.axial * dot(w, e));
    for (const StringElement& string : model.strings()) {
      if (string.name != hung.string) continue;
      const bool hangs_on_to = string.to.on == Anchor::On::body && string.to.index == hung.body;
      const auto [upper, upper_rate] = point(hangs_on_to ? string.from : string.to);
      const auto [lower, lower_rate] = point(hangs_on_to ? string.to : string.from);
      const Vector3 z = lower - upper, z_dot = lower_rate - upper_rate;
      const double length = norm(z);
      const Vector3 u = (1 / length) * z;
      seen.x[tree.size() + i] = in_frame(u);
      seen.x_dot[tree.size() + i] = in_frame((1 / length) * (z_dot - dot(u, z_dot) * u));
    }
  }
  return seen;
}

}  // namespace vinculum
