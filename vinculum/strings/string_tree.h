// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// A body and the string it hangs on.
struct HungBody {
  std::string name, string;  // of the body; of the string
  int body = 0;              // index into Model::bodies()
  int parent = -1;           // in the tree; -1: the carrier
  std::vector<int> children{};
  double mass = 0;
  double transverse = 0, axial = 0;  // A, C: central moments of inertia
  double arm = 0;                    // c: from the string's end P to the mass centre
  double hung_at = 0;                // s: where its string begins, along the parent's axis from the parent's P
  double length = 0;                 // p: of the string
  Vector3 attachment_B{}, axis_B{};  // P; the unit vector e from P to the mass centre: in body axes
};

// A tree of bodies with an axis of symmetry, hung on each other by strings and on a carrier (theory 4, section 2). Directions are
// components in the frame e1, e2, e3 = upward vertical.
//
// The unit vectors x = (e_1 .. e_n, u_1 .. u_n) of axes and strings (from parent to body) give everything:
//   r_C = r_0 + D x ,   N = Dᵀ diag(m) D + diag(A, 0) ,   f = g Dᵀ m                                     theory 4, section 4
struct StringTree {
  std::vector<HungBody> bodies;  // parents first
  bool reordered = false;        // the strings of the file are not in this order
  double gravity = 0;
  Matrix3 R_WE = kIdentity3;  // columns e1, e2, e3 in world axes
  Vector3 suspension_W;       // where the root string begins, at t = 0
  double carrier_radius = 0;  // R: its distance from the axis; e2 passes through it
  double carrier_rate = 0;    // of a carrier that turns about the vertical [rad/s]
  bool is_off_axis() const { return carrier_radius > 0; }

  double mass = 0;                               // M
  std::vector<double> share;                     // μ_i: of the mass, what hangs on string i
  std::vector<double> weight;                    // w_i = M g μ_i
  std::vector<double> barycentre, string_share;  // b_i, d_i = μ_i p_i [m]
  std::vector<double> augmented_inertia;         // J1_i, of the augmented body about P_i, across its axis
  Eigen::MatrixXd D, N;                          // n by 2n; 2n by 2n
  Eigen::VectorXd mass_moments, f;               // Dᵀ m; g Dᵀ m

  int size() const { return static_cast<int>(bodies.size()); }
};

// The constants of a tree whose bodies are known: mass, share, .., N, f.
void compute_tree_constants(StringTree& tree);

// All trees of a model, one for each string that begins on a carrier: the world, an environment body at rest, or one that turns
// uniformly about a vertical axis. Each moves independently of the others. What prevents it is named: other elements that act,
// bodies that are not free, not symmetric, without string or on two, strings off the axis or at the mass centre.
enum class Symmetry { required, not_required };
Outcome<std::vector<StringTree>> find_string_trees(const Model& model, Symmetry symmetry = Symmetry::required);

// S: +1 where an arc begins, -1 where it ends, arcs from parent to body; T = S⁻¹.
struct GraphMatrices {
  Eigen::MatrixXd S, T;
};
GraphMatrices compute_graph_matrices(const StringTree& tree);

}  // namespace vinculum
