// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/subsystem_quantities.h"

namespace vinculum {

// The vector form of the dynamics of trees, literally as in theory 2, sections 1 to 4, in its symbols: for reading beside the
// formulas and for checking the fast form. All vectors in world axes. The bodies of the theory are the links of the tree, so that
// every joint is one of its table; subsystem i is body i and all it carries.
//
//   (22)  m_i (r_i'' - g) + 𝐦_i''     = F_i + F_ri
//   (23)  𝐦_i × (r_i'' - g) + H_i'    = M_i + M_ri
//         H_i  = Σ_{j∈sub(i)} ( J_ji w_j + Σ_{k∈S_j} 𝐦_ik × V_rk )
//   (24)  J_ji = J_oj + m_0j O_iO_j * O_jC_j + Σ_{k∈S_j} 𝐦_ik * O_jO_k
//   (25)  𝐦_ik = m_k O_iO_k + 𝐦_k

// Body k on its base p: the data of section 1, and the motion for given v and v'.
struct VectorBody {
  int base = kGround;             // p(k)
  std::vector<int> carried;       // S_k
  double m_0 = 0;                 // own mass,
  Vector3 s;                      // static moment and
  Matrix3 J_o;                    // tensor of inertia about the origin
  Matrix3 R_WL;                   // its axes
  Vector3 r;                      // OO_k: origin
  Vector3 a, r_r;                 // O_pO_0k and O_0kO_k: the joint's place on the base, its displacement
  Vector3 R, R_dot, R_ddot;       // O_pO_k = a + r_r
  std::vector<Vector3> Phi, Psi;  // w_k = w_p + Phi v_k, V_rk = Psi v_k: one column a velocity
  int v = 0;                      // the first of its velocities
  Vector3 V_r, V_r_dot;           // R' = w_p × R + V_r
  Vector3 w, w_dot;
  Vector3 r_ddot;
};

struct VectorSubsystem {
  double m = 0;                          // m_i
  Vector3 m_vec, m_vec_dot, m_vec_ddot;  // 𝐦_i: static moment about the origin O_i
  Vector3 H, H_dot;                      // kinetic moment about O_i in axes translating with it
  std::optional<Vector3> K_c;            // the same about the mass centre; none without mass
  std::map<int, Matrix3> J;              // J_ji by j; Σ_j J_ji = tensor of the locked subsystem about O_i
};

std::vector<VectorBody> move_vector_bodies(const Tree& tree, const State& state, std::span<const double> accelerations);

// The sums as the theory writes them: (10) for 𝐦_i, (24)(25) for J_ji and H_i, (14) for K_c. Cost O(n²).
std::vector<VectorSubsystem> sum_subsystems(const std::vector<VectorBody>& bodies);

// The same in O(n), without the J_ji: (7) for 𝐦_i, the recursions of section 2 for H_i, H_i' and 𝐦_i'', and K_c = H_i - 𝐦_i ×
// 𝐦_i'/m_i.
std::vector<VectorSubsystem> recur_subsystems(const std::vector<VectorBody>& bodies);

// The first (inverse) problem, section 3.
struct VectorForm {
  std::vector<VectorBody> bodies;
  std::vector<VectorSubsystem> subsystems;  // by sum_subsystems
  std::vector<Wrench> joint_wrenches_W;     // F_i, M_i
  std::vector<double> forces;               // tau = Phiᵀ M + Psiᵀ F: A v' + h
};
VectorForm compute_vector_form(const Model& model, const State& state, std::span<const double> accelerations,
                               const GivenForces& given);

// The second (forward) problem, section 4: A from m_k, 𝐦_k and the locked tensors I_k; h = forces for v' = 0; A v' + h = tau.
Eigen::MatrixXd compute_mass_matrix(const VectorForm& form);
Equations compute_vector_equations(const Model& model, const State& state, const GivenForces& given);
Outcome<ForwardDynamics> compute_vector_dynamics(const Model& model, const State& state, Workspace& workspace);

// Of every body, in the order of the model. The tensors of the massless links of a joint are counted with
// the body that carries the joint. A joint has one 𝐦_ik, so Σ 𝐦_ik * O_jO_k over its links is the term of
// (24) for the whole joint. So (24), including Σ_j J_ji = locked tensor, holds between the user's bodies.
std::vector<SubsystemQuantities> compute_subsystem_quantities(const Model& model, const VectorForm& form);

}  // namespace vinculum
