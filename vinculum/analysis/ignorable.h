// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace vinculum {

// What of x' = A x, small departures from a steady motion, says nothing about stability. Orthonormal columns.
//
//   ignorable  U: the most departures that change no velocity, or only turn axes in which velocities are given, and go on doing
//              so: the largest subspace of { x : V x = T c } with A U in U. A place on the plane, a heading, the angle of a
//              wheel.
//   free       F: what stays as it is, A F in U: neighbouring steady motions. Another speed, another turn.
//
// In a basis (U, F, W) the matrix is block triangular, with blocks A_U, 0 and A_W on the diagonal: its eigenvalues are theirs.
// Found apart they do not spoil each other; a pair of zeros in one matrix splits by the root of round-off.
struct IgnorableDirections {
  Eigen::MatrixXd ignorable, free, rest;
};

// `velocities`: V, the departures of all velocities; `turned`: T (SteadyAxes::turned_velocities).
// Entries below `nothing` beside the largest are zero.
IgnorableDirections find_ignorable_directions(const Eigen::MatrixXd& A, const Eigen::MatrixXd& velocities,
                                              const Eigen::MatrixXd& turned, double nothing);

// How often 0 is an eigenvalue of A_U, and orthonormal columns that span what belongs to it and the rest of U.
struct ZeroDirections {
  Eigen::MatrixXd zero, turning;
};
ZeroDirections split_ignorable(const Eigen::MatrixXd& A, const Eigen::MatrixXd& ignorable, double nothing);

Eigen::MatrixXd side_by_side(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

// A basis of the same space, each column with a 1 where the others have 0, and its words: "frame.tx", "disc.ry + 0.31*disc.rz".
Eigen::MatrixXd canonical_directions(const Eigen::MatrixXd& directions);
std::vector<std::string> name_directions(const std::vector<std::string>& states, const Eigen::MatrixXd& directions);

}  // namespace vinculum
