// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/math/symmetric3.h"
#include "vinculum/math/vector3.h"

// The general equations of any tree of bodies, literally as theory 4, section 3, with arcs from parent to child: the third road,
// beside rows and unit vectors.
namespace vinculum::testing {

// World axes. C_ii: the point of body i at which it is hung; the hinge vector z goes there from the point of its parent.
struct HingedBody {
  int parent = -1;  // -1: body (0)
  double mass = 0;
  Symmetric3 inertia{};   // central
  Vector3 centre;         // from C_ii to the mass centre
  Vector3 hinge;          // from the parent's C to the point of the parent where z begins; of a root from r_0
  Vector3 z, z_ddot;      // and its second derivative
  Vector3 w, w_dot;       // angular velocity and acceleration
  Vector3 force, moment;  // applied, the moment about C_ii
};

//   K_i = (J_i ω_i)' - M b_i0 × r''_Cii + Σ_{j>i} d_ij × (M b''_j0 + M z''_j0 + F_j) - M_i
//   L_i = (Σ_{j≥i} m_j) r''_Cii - M b''_i0 - F_i - Σ_{j>i} (M b''_j0 + M z''_j0 + F_j)                                        (8)
struct TensorForm {
  std::vector<Vector3> K, L;
};

inline TensorForm compute_tensor_form(const std::vector<HingedBody>& bodies, const Vector3& r0_ddot) {
  const int n = static_cast<int>(bodies.size());
  double M = 0;
  std::vector<double> outboard(n, 0.0);  // Σ_{j≥i} m_j
  for (int i = n - 1; i >= 0; --i) {
    M += bodies[i].mass;
    outboard[i] += bodies[i].mass;
    if (bodies[i].parent >= 0) outboard[bodies[i].parent] += outboard[i];
  }
  // Child of i on the way to j, or -1 if i does not carry j.
  const auto next = [&](int i, int j) {
    while (j >= 0 && bodies[j].parent != i) j = bodies[j].parent;
    return j;
  };
  // Of a vector fixed in body i: its second derivative.
  const auto second = [&](int i, const Vector3& b) {
    return cross(bodies[i].w_dot, b) + cross(bodies[i].w, cross(bodies[i].w, b));
  };
  // The augmented body i: its barycentre B seen from C_ii, b_i0 = B C_ii; and its inertia about C_ii. The mass at C_ii itself, of
  // all that is inboard, counts in M only.
  std::vector<Vector3> b0(n);
  std::vector<Symmetric3> J(n);
  for (int i = 0; i < n; ++i) {
    Vector3 static_moment = bodies[i].mass * bodies[i].centre;
    J[i] = bodies[i].inertia + bodies[i].mass * star(bodies[i].centre);
    for (int c = 0; c < n; ++c) {
      if (bodies[c].parent != i) continue;
      static_moment = static_moment + outboard[c] * bodies[c].hinge;
      J[i] = J[i] + outboard[c] * star(bodies[c].hinge);
    }
    b0[i] = (-1 / M) * static_moment;
  }

  TensorForm form;
  std::vector<Vector3> r_ddot(n);  // of C_ii
  for (int i = 0; i < n; ++i) {
    const HingedBody& body = bodies[i];
    r_ddot[i] = (body.parent < 0 ? r0_ddot : r_ddot[body.parent] + second(body.parent, body.hinge)) + body.z_ddot;
    const Vector3 momentum = J[i] * body.w;
    Vector3 K = J[i] * body.w_dot + cross(body.w, momentum) - M * cross(b0[i], r_ddot[i]) - body.moment;
    Vector3 L = outboard[i] * r_ddot[i] - M * second(i, b0[i]) - body.force;
    for (int j = 0; j < n; ++j) {
      const int to = next(i, j);
      if (j == i || to < 0) continue;
      const Vector3 z0_ddot = (-outboard[j] / M) * bodies[j].z_ddot;  // z_j0 = (1/M)(Σ m T) z_j , T = -1
      const Vector3 carried = M * second(j, b0[j]) + M * z0_ddot + bodies[j].force;
      K = K + cross(-bodies[to].hinge, carried);  // d_ij = b_i0 - b_ij: from the hinge that leads to j to C_ii
      L = L - carried;
    }
    form.K.push_back(K);
    form.L.push_back(L);
  }
  return form;
}

}  // namespace vinculum::testing
