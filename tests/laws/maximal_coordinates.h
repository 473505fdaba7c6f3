// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Eigen/LU>

#include "vinculum/math/spatial.h"
#include "vinculum/model/model.h"

namespace vinculum::testing {

// The same mechanics by another road: every link is free, with its Newton-Euler equations in world axes about its pole, and
// joints are equations. Unknowns: acceleration of each pole, angular acceleration, joint wrench, v'. One dense solve; nothing
// shared with the recursions.
struct MaximalSolution {
  std::vector<double> accelerations;
  std::vector<Wrench> reactions_W;  // of each link
};

inline MaximalSolution solve_in_maximal_coordinates(const Model& model, const State& state, const std::vector<double>& tau) {
  const Tree& tree = model.tree();
  const int n = static_cast<int>(tree.links.size()), nv = tree.velocities;
  std::vector<Matrix3> R(n);
  std::vector<Vector3> p(n), w(n), r(n);
  std::vector<Eigen::MatrixXd> S(n);  // 6 x nv_i, world axes: pole, then angular
  std::vector<Vector3> pole_bias(n), turn_bias(n);

  for (int i = 0; i < n; ++i) {
    const Link& link = tree.links[i];
    const Matrix3 R_P = link.parent < 0 ? kIdentity3 : R[link.parent];
    const Vector3 p_P = link.parent < 0 ? Vector3{} : p[link.parent];
    const Vector3 w_P = link.parent < 0 ? Vector3{} : w[link.parent];
    const Matrix3 B = R_P * link.C;
    const Vector3 z = B.z;
    const double* q = state.q.data() + link.q;
    const double* v = state.v.data() + link.v;
    const int k = velocity_count(link.kind);
    S[i] = Eigen::MatrixXd::Zero(6, k);
    const auto set = [&](int column, int row, const Vector3& a) {
      for (int c = 0; c < 3; ++c) S[i](row + c, column) = a[c];
    };
    Vector3 slide, slide_rate, turn_rate;
    Matrix3 turned = B;
    switch (link.kind) {
      case LinkKind::fixed: break;
      case LinkKind::revolute:
        turned = B * rotation_about({0, 0, 1}, q[0]);
        turn_rate = v[0] * z;
        set(0, 3, z);
        break;
      case LinkKind::prismatic:
        slide = q[0] * z;
        slide_rate = v[0] * z;
        set(0, 0, z);
        break;
      case LinkKind::screw:
        turned = B * rotation_about({0, 0, 1}, q[0]);
        turn_rate = v[0] * z;
        slide = (link.pitch * q[0]) * z;
        slide_rate = (link.pitch * v[0]) * z;
        set(0, 0, link.pitch * z);
        set(0, 3, z);
        break;
      case LinkKind::free:
        slide = B * Vector3{q[0], q[1], q[2]};
        slide_rate = B * Vector3{v[0], v[1], v[2]};
        for (int c = 0; c < 3; ++c) set(c, 0, B.column(c));
        [[fallthrough]];
      case LinkKind::spherical: {
        const int o = link.kind == LinkKind::free ? 3 : 0;
        turned = B * to_rotation(Quaternion{q[o], q[o + 1], q[o + 2], q[o + 3]});
        turn_rate = turned * Vector3{v[o], v[o + 1], v[o + 2]};
        for (int c = 0; c < 3; ++c) set(o + c, 3, turned.column(c));
        break;
      }
    }
    R[i] = turned;
    r[i] = R_P * link.p + slide;
    p[i] = p_P + r[i];
    w[i] = w_P + turn_rate;
    pole_bias[i] = cross(w_P, cross(w_P, r[i])) + 2.0 * cross(w_P, slide_rate);
    turn_bias[i] = cross(w_P, turn_rate);
  }

  const int size = 12 * n + nv;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  const auto put = [&](int row, int column, const Matrix3& m, double sign) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) M(row + i, column + j) += sign * m(i, j);
    }
  };
  const auto put_vector = [&](int row, const Vector3& a) {
    for (int i = 0; i < 3; ++i) b[row + i] += a[i];
  };
  for (int i = 0; i < n; ++i) {
    const Link& link = tree.links[i];
    const int a = 6 * i, f = 6 * n + 6 * i;
    const Vector3 s = R[i] * link.s;
    const Matrix3 J = to_matrix(sandwich(R[i], link.J));
    // m a + w' × s + w × (w × s) = m g + F - Σ F_k ;  J w' + w × J w + s × a = s × g + M - Σ (M_k + r_k × F_k)
    put(a, a, kIdentity3, link.mass);
    put(a, a + 3, skew(s), -1);
    put(a + 3, a, skew(s), 1);
    put(a + 3, a + 3, J, 1);
    put(a, f, kIdentity3, -1);
    put(a + 3, f + 3, kIdentity3, -1);
    put_vector(a, link.mass * tree.gravity - cross(w[i], cross(w[i], s)));
    put_vector(a + 3, cross(s, tree.gravity) - cross(w[i], J * w[i]));
    if (link.parent >= 0) {
      const int pa = 6 * link.parent;
      put(pa, f, kIdentity3, 1);
      put(pa + 3, f + 3, kIdentity3, 1);
      put(pa + 3, f, skew(r[i]), 1);
    }
    // a_i - a_p - w_p' × r - S v' = bias
    const int row = 6 * n + 6 * i;
    put(row, a, kIdentity3, 1);
    put(row + 3, a + 3, kIdentity3, 1);
    if (link.parent >= 0) {
      const int pa = 6 * link.parent;
      put(row, pa, kIdentity3, -1);
      put(row, pa + 3, skew(r[i]), 1);
      put(row + 3, pa + 3, kIdentity3, -1);
    }
    const int k = velocity_count(link.kind);
    M.block(row, 12 * n + link.v, 6, k) = -S[i];
    put_vector(row, pole_bias[i]);
    put_vector(row + 3, turn_bias[i]);
    // Sᵀ wrench = tau
    M.block(12 * n + link.v, f, k, 6) = S[i].transpose();
    for (int c = 0; c < k; ++c) b[12 * n + link.v + c] = tau[link.v + c];
  }
  // Rows are of very different size (masses, unit kinematics): full pivoting copes.
  const Eigen::VectorXd x = M.fullPivLu().solve(b);
  MaximalSolution solution;
  solution.accelerations.assign(x.data() + 12 * n, x.data() + size);
  for (int i = 0; i < n; ++i) {
    const double* f = x.data() + 6 * n + 6 * i;
    solution.reactions_W.push_back({{f[0], f[1], f[2]}, {f[3], f[4], f[5]}});
  }
  return solution;
}

}  // namespace vinculum::testing
