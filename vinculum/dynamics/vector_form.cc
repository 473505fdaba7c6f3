// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/vector_form.h"

namespace vinculum {

namespace {

// Column-wise Phi x: the rates of a joint, or its part of an acceleration.
Vector3 combine(const std::vector<Vector3>& columns, const double* factors) {
  Vector3 sum;
  for (size_t c = 0; c < columns.size(); ++c) sum += factors[c] * columns[c];
  return sum;
}

// The table of joints in section 1. B: axes of the joint in the world.
void place_on_joint(const Link& link, const Matrix3& B, const double* q, VectorBody& body) {
  const Vector3 u = B.z;
  const auto turned = [&] { return B * rotation_about({0, 0, 1}, q[0]); };
  const auto rotated = [&](const double* Q) { return B * to_rotation(Quaternion{Q[0], Q[1], Q[2], Q[3]}); };
  switch (link.kind) {
    case LinkKind::fixed: body.R_WL = B; break;
    case LinkKind::revolute:
      body.R_WL = turned();
      body.Phi = {u};
      body.Psi = {Vector3{}};
      break;
    case LinkKind::prismatic:
      body.R_WL = B;
      body.r_r = q[0] * u;
      body.Phi = {Vector3{}};
      body.Psi = {u};
      break;
    case LinkKind::screw:
      body.R_WL = turned();
      body.r_r = (link.pitch * q[0]) * u;
      body.Phi = {u};
      body.Psi = {link.pitch * u};
      break;
    case LinkKind::spherical:
      body.R_WL = rotated(q);
      body.Phi = {body.R_WL.x, body.R_WL.y, body.R_WL.z};
      body.Psi = {Vector3{}, Vector3{}, Vector3{}};
      break;
    case LinkKind::free:
      body.R_WL = rotated(q + 3);
      body.r_r = B * Vector3{q[0], q[1], q[2]};
      body.Phi = {Vector3{}, Vector3{}, Vector3{}, body.R_WL.x, body.R_WL.y, body.R_WL.z};
      body.Psi = {B.x, B.y, B.z, Vector3{}, Vector3{}, Vector3{}};
      break;
  }
}

// sub(i) of every body i, ascending.
std::vector<std::vector<int>> list_subsystems(const std::vector<VectorBody>& bodies) {
  std::vector<std::vector<int>> sub(bodies.size());
  for (int j = 0; j < static_cast<int>(bodies.size()); ++j) {
    for (int i = j; i != kGround; i = bodies[i].base) sub[i].push_back(j);
  }
  return sub;
}

// (24)(25) and H_i of one subsystem; masses and static moments of all are known. R_i[j] = O_iO_j along the path from i to j.
void sum_kinetic_moment(const std::vector<VectorBody>& bodies, const std::vector<int>& sub_i,
                        std::vector<VectorSubsystem>& subsystems) {
  const int i = sub_i.front();
  VectorSubsystem& own = subsystems[i];
  std::vector<Vector3> R_i(bodies.size()), R_i_dot(bodies.size());
  for (int j : sub_i) {
    const VectorBody& body = bodies[j];
    Matrix3 J = body.J_o + star(R_i[j], body.s);
    Matrix3 J_dot =
        skew(body.w) * body.J_o - body.J_o * skew(body.w) + star(R_i_dot[j], body.s) + star(R_i[j], cross(body.w, body.s));
    for (int k : body.carried) {
      const VectorBody& child = bodies[k];
      const VectorSubsystem& carried = subsystems[k];
      R_i[k] = R_i[j] + child.R;
      R_i_dot[k] = R_i_dot[j] + child.R_dot;
      const Vector3 m_ik = carried.m * R_i[k] + carried.m_vec;
      const Vector3 m_ik_dot = carried.m * R_i_dot[k] + carried.m_vec_dot;
      J += star(m_ik, child.R);
      J_dot += star(m_ik_dot, child.R) + star(m_ik, child.R_dot);
      own.H += cross(m_ik, child.V_r);
      own.H_dot += cross(m_ik_dot, child.V_r) + cross(m_ik, child.V_r_dot);
    }
    own.H += J * body.w;
    own.H_dot += J_dot * body.w + J * body.w_dot;
    own.J[j] = J;
  }
}

// (14)  K_ck = Σ_{i∈sub(k)} J_ri w_i + Σ_{i∈sub(k), i≠k} (R_i × 𝐦_i' + 𝐦_i × R_i' + m_i R_i × V_ri) + 𝐦_k' × O_kC_k
std::optional<Vector3> sum_central_kinetic_moment(const std::vector<VectorBody>& bodies, const std::vector<int>& sub_k,
                                                  const std::vector<VectorSubsystem>& subsystems) {
  const VectorSubsystem& own = subsystems[sub_k.front()];
  if (own.m == 0) return std::nullopt;
  Vector3 K = cross(own.m_vec_dot, (1 / own.m) * own.m_vec);
  for (int i : sub_k) {
    const VectorBody& body = bodies[i];
    const VectorSubsystem& carried = subsystems[i];
    Matrix3 J_r = body.J_o;
    for (int l : body.carried) J_r += to_matrix(subsystems[l].m * star(bodies[l].R));
    K += J_r * body.w;
    if (i == sub_k.front()) continue;
    K += cross(body.R, carried.m_vec_dot) + cross(carried.m_vec, body.R_dot) + carried.m * cross(body.R, body.V_r);
  }
  return K;
}

}  // namespace

std::vector<VectorBody> move_vector_bodies(const Tree& tree, const State& state, std::span<const double> accelerations) {
  std::vector<VectorBody> bodies(tree.links.size());
  VectorBody ground;
  ground.R_WL = kIdentity3;
  for (size_t k = 0; k < bodies.size(); ++k) {
    const Link& link = tree.links[k];
    if (link.parent != kGround) bodies[link.parent].carried.push_back(static_cast<int>(k));
    const VectorBody& p = link.parent == kGround ? ground : bodies[link.parent];
    VectorBody& body = bodies[k];
    body.base = link.parent;
    body.v = link.v;

    place_on_joint(link, p.R_WL * link.C, state.q.data() + link.q, body);
    body.a = p.R_WL * link.p;
    body.R = body.a + body.r_r;
    body.r = p.r + body.R;
    body.m_0 = link.mass;
    body.s = body.R_WL * link.s;
    body.J_o = to_matrix(sandwich(body.R_WL, link.J));

    const double *v = state.v.data() + link.v, *v_dot = accelerations.data() + link.v;
    // w = w_p + w_r , R' = w_p × R + V_r , and their derivatives; the columns of Phi and Psi turn with the base (of a ball: with
    // itself)
    const Vector3 w_r = combine(body.Phi, v);
    body.V_r = combine(body.Psi, v);
    body.w = p.w + w_r;
    body.R_dot = cross(p.w, body.R) + body.V_r;
    body.w_dot = p.w_dot + combine(body.Phi, v_dot) + cross(p.w, w_r);
    body.V_r_dot = combine(body.Psi, v_dot) + cross(p.w, body.V_r);
    body.R_ddot = cross(p.w_dot, body.R) + cross(p.w, body.R_dot) + body.V_r_dot;
    body.r_ddot = p.r_ddot + body.R_ddot;
  }
  return bodies;
}

std::vector<VectorSubsystem> sum_subsystems(const std::vector<VectorBody>& bodies) {
  const std::vector<std::vector<int>> sub = list_subsystems(bodies);
  std::vector<VectorSubsystem> subsystems(bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    for (int j : sub[i]) subsystems[i].m += bodies[j].m_0;
  }
  // (10)  𝐦_i = Σ_{j∈sub(i)} ( s_j + Σ_{k∈S_j} m_k R_k )
  for (size_t i = 0; i < bodies.size(); ++i) {
    VectorSubsystem& own = subsystems[i];
    for (int j : sub[i]) {
      const VectorBody& body = bodies[j];
      own.m_vec += body.s;
      own.m_vec_dot += cross(body.w, body.s);
      own.m_vec_ddot += cross(body.w_dot, body.s) + cross(body.w, cross(body.w, body.s));
      for (int k : body.carried) {
        own.m_vec += subsystems[k].m * bodies[k].R;
        own.m_vec_dot += subsystems[k].m * bodies[k].R_dot;
        own.m_vec_ddot += subsystems[k].m * bodies[k].R_ddot;
      }
    }
  }
  for (size_t i = 0; i < bodies.size(); ++i) {
    sum_kinetic_moment(bodies, sub[i], subsystems);
    subsystems[i].K_c = sum_central_kinetic_moment(bodies, sub[i], subsystems);
  }
  return subsystems;
}

std::vector<VectorSubsystem> recur_subsystems(const std::vector<VectorBody>& bodies) {
  std::vector<VectorSubsystem> subsystems(bodies.size());
  for (size_t i = bodies.size(); i-- > 0;) {
    const VectorBody& body = bodies[i];
    VectorSubsystem& own = subsystems[i];
    own.m = body.m_0;
    own.m_vec = body.s;
    own.m_vec_dot = cross(body.w, body.s);
    own.m_vec_ddot = cross(body.w_dot, body.s) + cross(body.w, own.m_vec_dot);
    own.H = body.J_o * body.w;
    own.H_dot = body.J_o * body.w_dot + cross(body.w, own.H);
    // No products of velocities in the transport: they cancel pairwise.
    for (int k : body.carried) {
      const VectorBody& child = bodies[k];
      const VectorSubsystem& carried = subsystems[k];
      const Vector3 P = carried.m * child.R_dot + carried.m_vec_dot, P_dot = carried.m * child.R_ddot + carried.m_vec_ddot;
      own.m += carried.m;
      own.m_vec += carried.m * child.R + carried.m_vec;
      own.m_vec_dot += P;
      own.m_vec_ddot += P_dot;
      own.H += carried.H + cross(child.R, P) + cross(carried.m_vec, child.R_dot);
      own.H_dot += carried.H_dot + cross(child.R, P_dot) + cross(carried.m_vec, child.R_ddot);
    }
    if (own.m > 0) own.K_c = own.H - cross(own.m_vec, (1 / own.m) * own.m_vec_dot);
  }
  return subsystems;
}

VectorForm compute_vector_form(const Model& model, const State& state, std::span<const double> accelerations,
                               const GivenForces& given) {
  VectorForm form;
  form.bodies = move_vector_bodies(model.tree(), state, accelerations);
  form.subsystems = sum_subsystems(form.bodies);

  // F_ri = f_i + Σ_k F_rk , M_ri = n_i + Σ_k (M_rk + R_k × F_rk)
  std::vector<Wrench> loads(form.bodies.size());
  for (size_t i = 0; i < model.bodies().size(); ++i) loads[model.bodies()[i].link] = given.loads_W[i];
  for (size_t k = form.bodies.size(); k-- > 0;) {
    const VectorBody& body = form.bodies[k];
    if (body.base != kGround) loads[body.base] += Wrench{loads[k].force, loads[k].moment + cross(body.R, loads[k].force)};
  }

  form.forces.resize(accelerations.size());
  for (size_t i = 0; i < form.bodies.size(); ++i) {
    const VectorBody& body = form.bodies[i];
    const VectorSubsystem& own = form.subsystems[i];
    const Vector3 y = body.r_ddot - model.gravity();
    const Vector3 F = own.m * y + own.m_vec_ddot - loads[i].force;        // (22)
    const Vector3 M = cross(own.m_vec, y) + own.H_dot - loads[i].moment;  // (23)
    form.joint_wrenches_W.push_back({F, M});
    for (size_t c = 0; c < body.Phi.size(); ++c) form.forces[body.v + c] = dot(body.Phi[c], M) + dot(body.Psi[c], F);
  }
  return form;
}

Eigen::MatrixXd compute_mass_matrix(const VectorForm& form) {
  const std::vector<VectorBody>& bodies = form.bodies;
  // I_i = J_oi + Σ_k ( I_k + R_k*𝐦_k + 𝐦_k*R_k + m_k R_k*R_k )
  std::vector<Matrix3> I(bodies.size());
  for (size_t i = bodies.size(); i-- > 0;) {
    I[i] = bodies[i].J_o;
    for (int k : bodies[i].carried) {
      const Vector3 &R = bodies[k].R, &m_vec = form.subsystems[k].m_vec;
      I[i] += I[k] + star(R, m_vec) + star(m_vec, R) + star(form.subsystems[k].m * R, R);
    }
  }
  // f_k = m_k Psi_k - [𝐦_k] Phi_k , n_k = [𝐦_k] Psi_k + I_k Phi_k , A_ik = Phi_iᵀ (n_k + [R_ik] f_k) + Psi_iᵀ f_k for i on the
  // path to k
  const Eigen::Index n = static_cast<Eigen::Index>(form.forces.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (size_t k = 0; k < bodies.size(); ++k) {
    const VectorSubsystem& own = form.subsystems[k];
    for (size_t c = 0; c < bodies[k].Phi.size(); ++c) {
      const Vector3 &Phi = bodies[k].Phi[c], &Psi = bodies[k].Psi[c];
      const Vector3 f_k = own.m * Psi - cross(own.m_vec, Phi);
      const Vector3 n_k = cross(own.m_vec, Psi) + I[k] * Phi;
      Vector3 R_ik;
      for (int i = static_cast<int>(k); i != kGround; R_ik += bodies[i].R, i = bodies[i].base) {
        for (size_t r = 0; r < bodies[i].Phi.size(); ++r) {
          const double entry = dot(bodies[i].Phi[r], n_k + cross(R_ik, f_k)) + dot(bodies[i].Psi[r], f_k);
          A(bodies[i].v + r, bodies[k].v + c) = A(bodies[k].v + c, bodies[i].v + r) = entry;
        }
      }
    }
  }
  return A;
}

Equations compute_vector_equations(const Model& model, const State& state, const GivenForces& given) {
  const std::vector<double> zero(given.joint_forces.size(), 0.0);
  const VectorForm form = compute_vector_form(model, state, zero, given);
  return {compute_mass_matrix(form), form.forces};
}

Outcome<ForwardDynamics> compute_vector_dynamics(const Model& model, const State& state, Workspace& workspace) {
  const GivenForces given = compute_given_forces(model, state, workspace);
  Outcome<ForwardDynamics> dynamics = solve_equations(model, state, compute_vector_equations(model, state, given), given);
  if (!dynamics) return dynamics;
  const VectorForm form = compute_vector_form(model, state, dynamics->accelerations, given);
  for (const Body& body : model.bodies()) dynamics->reactions_W.push_back(form.joint_wrenches_W[body.link]);
  return dynamics;
}

std::vector<SubsystemQuantities> compute_subsystem_quantities(const Model& model, const VectorForm& form) {
  const std::vector<Body>& bodies = model.bodies();
  // The user's body that each link is counted with: its own, or, for the massless links of a joint, the one that carries the
  // joint.
  std::vector<int> counted_with(form.bodies.size());
  for (size_t i = 0; i < bodies.size(); ++i) {
    for (int link = bodies[i].first_link; link < bodies[i].link; ++link) counted_with[link] = bodies[i].parent;
    counted_with[bodies[i].link] = static_cast<int>(i);
  }
  std::vector<SubsystemQuantities> quantities;
  for (const Body& body : bodies) {
    const VectorSubsystem& own = form.subsystems[body.link];
    SubsystemQuantities q;
    q.mass = own.m;
    q.static_moment_W = own.m_vec;
    q.kinetic_moment_W = own.H;
    for (const auto& [link, J] : own.J) q.tensors_W[counted_with[link]] += J;
    q.augmented_static_moment_B = body.mass * body.p_BoBcm_B;
    q.augmented_inertia_B = body.I_Bcm_B + body.mass * star(body.p_BoBcm_B);
    quantities.push_back(q);
  }
  // What each body hands to the augmented body of its parent: its subsystem's mass at the joint's place and at its origin.
  for (size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k].parent == kWorld) continue;
    const Body& parent = bodies[bodies[k].parent];
    const Matrix3 R_WB = form.bodies[parent.link].R_WL * parent.R_LB;
    const Vector3 a = transpose_times(parent.R_LB, model.tree().links[bodies[k].first_link].p);
    const Vector3 R = transpose_times(R_WB, form.bodies[bodies[k].link].r - form.bodies[parent.link].r);
    quantities[bodies[k].parent].augmented_static_moment_B += quantities[k].mass * a;
    quantities[bodies[k].parent].augmented_inertia_B += quantities[k].mass * star(R);
  }
  return quantities;
}

}  // namespace vinculum
