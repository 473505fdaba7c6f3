// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/aggregate_form.h"

namespace vinculum {

namespace {

Eigen::Matrix3d to_eigen(const Matrix3& m) {
  Eigen::Matrix3d result;
  result << m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z;
  return result;
}
Eigen::Matrix3d hat(const Vector3& a) { return to_eigen(skew(a)); }  // <a> b = a × b

Vector6 six(const Vector3& linear, const Vector3& angular) {
  Vector6 result;
  result << linear.x, linear.y, linear.z, angular.x, angular.y, angular.z;
  return result;
}
Vector3 linear(const Vector6& a) { return {a[0], a[1], a[2]}; }
Vector3 angular(const Vector6& a) { return {a[3], a[4], a[5]}; }

Matrix6 blocks(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b, const Eigen::Matrix3d& c, const Eigen::Matrix3d& d) {
  Matrix6 result;
  result << a, b, c, d;
  return result;
}

// ad(v, w) = [<w>, <v>; 0, <w>]
Matrix6 ad(const Vector6& U) { return blocks(hat(angular(U)), hat(linear(U)), Eigen::Matrix3d::Zero(), hat(angular(U))); }

// A frame at r with axes C on the frame before: a fixed placement, or one elementary motion with the twists e of its velocities
// (columns, in the axes it leads to; three at once for a ball and for a shift in space).
struct Transport {
  Vector3 r;
  Matrix3 C = kIdentity3;
  int v = 0;
  std::vector<Vector6> e{};

  // X = [Cᵀ, -Cᵀ<r>; 0, Cᵀ]
  Matrix6 X() const {
    const Eigen::Matrix3d C_T = to_eigen(C).transpose();
    return blocks(C_T, -C_T * hat(r), Eigen::Matrix3d::Zero(), C_T);
  }
};

// Appends the joint of a link: its placement, then its elementary motions.
void list_transports(const Link& link, const double* q, std::vector<Transport>& list) {
  constexpr Vector3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1}, kNone{};
  const auto ball = [&](const double* Q, int v) {
    return Transport{kNone, to_rotation(Quaternion{Q[0], Q[1], Q[2], Q[3]}), v, {six(kNone, kX), six(kNone, kY), six(kNone, kZ)}};
  };
  list.push_back({link.p, link.C});
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: list.push_back({kNone, rotation_about(kZ, q[0]), link.v, {six(kNone, kZ)}}); break;
    case LinkKind::prismatic: list.push_back({q[0] * kZ, kIdentity3, link.v, {six(kZ, kNone)}}); break;
    case LinkKind::screw:
      list.push_back({(link.pitch * q[0]) * kZ, rotation_about(kZ, q[0]), link.v, {six(link.pitch * kZ, kZ)}});
      break;
    case LinkKind::spherical: list.push_back(ball(q, link.v)); break;
    case LinkKind::free:
      list.push_back({{q[0], q[1], q[2]}, kIdentity3, link.v, {six(kX, kNone), six(kY, kNone), six(kZ, kNone)}});
      list.push_back(ball(q + 3, link.v + 3));
      break;
  }
}

// All of a body's joint, from the axes of the parent to its own; the links in between have axes of theirs.
std::vector<Transport> list_transports(const Model& model, const Body& body, const State& state) {
  std::vector<Transport> list;
  if (body.parent != kWorld) list.push_back({{}, transpose(model.bodies()[body.parent].R_LB)});
  for (int l = body.first_link; l <= body.link; ++l)
    list_transports(model.tree().links[l], state.q.data() + model.tree().links[l].q, list);
  list.push_back({{}, body.R_LB});
  return list;
}

// A_k and B_k about the origin, J_o = J_c - m<c><c>.
void set_inertia(const Body& words, AggregateBody& body) {
  const double m = words.mass;
  const Eigen::Matrix3d c = hat(words.p_BoBcm_B), w = hat(angular(body.V));
  const Eigen::Matrix3d J_o = to_eigen(to_matrix(words.I_Bcm_B)) - m * c * c;
  body.A = blocks(m * Eigen::Matrix3d::Identity(), -m * c, m * c, J_o);
  body.B = blocks(m * w, -m * w * c, m * c * w, w * J_o + J_o * w);
}

}  // namespace

AggregateForm compute_aggregate_form(const Model& model, const State& state, const GivenForces& given) {
  const Eigen::Index n = model.tree().velocities, rows = 6 * static_cast<Eigen::Index>(model.bodies().size());
  AggregateForm form;
  form.v = Eigen::Map<const Eigen::VectorXd>(state.v.data(), n);
  form.S_T = Eigen::MatrixXd::Zero(rows, n);
  form.S_T_dot = Eigen::MatrixXd::Zero(rows, n);
  Eigen::MatrixXd A_S_T(rows, n), B_S_T(rows, n);  // diag(A_k) Sᵀ ; diag(B_k) Sᵀ + diag(A_k) (Sᵀ)'
  Eigen::VectorXd screws(rows);

  for (size_t k = 0; k < model.bodies().size(); ++k) {
    const Body& words = model.bodies()[k];
    AggregateBody body;
    Eigen::MatrixXd S_T = Eigen::MatrixXd::Zero(6, n), S_T_dot = S_T;
    if (words.parent != kWorld) {
      S_T = form.S_T.middleRows(6 * words.parent, 6);
      S_T_dot = form.S_T_dot.middleRows(6 * words.parent, 6);
      body.R_WB = form.bodies[words.parent].R_WB;
    }
    // Sᵀ_k = X_k Sᵀ_parent + [0 .. Phi_k .. 0] and its derivative, elementary motion by elementary motion: X' = -ad(U) X, U = e
    // v.
    for (const Transport& transport : list_transports(model, words, state)) {
      const Matrix6 X = transport.X();
      Vector6 U = Vector6::Zero();
      for (size_t c = 0; c < transport.e.size(); ++c) U += form.v[transport.v + c] * transport.e[c];
      S_T_dot = X * S_T_dot - ad(U) * X * S_T;
      S_T = X * S_T;
      for (size_t c = 0; c < transport.e.size(); ++c) S_T.col(transport.v + c) = transport.e[c];
      body.X = X * body.X;
      body.R_WB = body.R_WB * transport.C;
    }
    body.V = S_T * form.v;
    set_inertia(words, body);
    const Vector3 weight = words.mass * transpose_times(body.R_WB, model.gravity());
    body.T = six(weight, cross(words.p_BoBcm_B, weight));
    body.H = six(transpose_times(body.R_WB, given.loads_W[k].force), transpose_times(body.R_WB, given.loads_W[k].moment));

    form.S_T.middleRows(6 * k, 6) = S_T;
    form.S_T_dot.middleRows(6 * k, 6) = S_T_dot;
    A_S_T.middleRows(6 * k, 6) = body.A * S_T;
    B_S_T.middleRows(6 * k, 6) = body.B * S_T + body.A * S_T_dot;
    screws.segment(6 * k, 6) = body.T + body.H;
    form.bodies.push_back(body);
  }
  form.A = form.S_T.transpose() * A_S_T;
  form.B = form.S_T.transpose() * B_S_T;
  form.S_screws = form.S_T.transpose() * screws;
  return form;
}

Equations AggregateForm::equations() const {
  const Eigen::VectorXd h = B * v - S_screws;
  return {A, {h.begin(), h.end()}};
}

InverseDynamics compute_inverse_dynamics(const Model& model, const AggregateForm& form, std::span<const double> accelerations) {
  const Eigen::Map<const Eigen::VectorXd> v_dot(accelerations.data(), static_cast<Eigen::Index>(accelerations.size()));
  const Eigen::VectorXd V_dot = form.S_T * v_dot + form.S_T_dot * form.v;
  InverseDynamics result;
  const Eigen::VectorXd forces = form.A * v_dot + form.B * form.v - form.S_screws;
  result.forces.assign(forces.begin(), forces.end());

  std::vector<Vector6> screws;
  for (size_t k = 0; k < form.bodies.size(); ++k) {
    const AggregateBody& body = form.bodies[k];
    screws.push_back(body.A * V_dot.segment<6>(6 * k) + body.B * body.V - body.T - body.H);
  }
  for (size_t k = form.bodies.size(); k-- > 0;) {
    if (const int parent = model.bodies()[k].parent; parent != kWorld) screws[parent] += form.bodies[k].X.transpose() * screws[k];
  }
  for (size_t k = 0; k < form.bodies.size(); ++k) {
    const Matrix3& R_WB = form.bodies[k].R_WB;
    result.reactions_W.push_back({R_WB * linear(screws[k]), R_WB * angular(screws[k])});
  }
  return result;
}

Outcome<ForwardDynamics> compute_aggregate_dynamics(const Model& model, const State& state, Workspace& workspace) {
  const GivenForces given = compute_given_forces(model, state, workspace);
  const AggregateForm form = compute_aggregate_form(model, state, given);
  Outcome<ForwardDynamics> dynamics = solve_equations(model, state, form.equations(), given);
  if (dynamics) dynamics->reactions_W = compute_inverse_dynamics(model, form, dynamics->accelerations).reactions_W;
  return dynamics;
}

}  // namespace vinculum
