// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

// Motion of points of bodies, and its dependence on the velocities. Everything here reads the positions
// and velocities that place_bodies left in the workspace: call it once per state. World axes; a twist
// is the velocity of the point and the angular velocity of the body. Cost of each call O(depth).
void place_bodies(const Model& model, const State& state, Workspace& workspace);

// A point fixed in a body, given in its axes from its origin.
struct BodyPoint {
  int body = kWorld;
  Vector3 p_B;
};

struct PointMotion {
  Vector3 p_W;
  Twist velocity_W;
};
PointMotion compute_point_motion(const Model& model, Workspace& workspace, const BodyPoint& point);

// velocity = J v. Six rows, linear part first; columns of velocities that do not carry the body are zero. The result keeps its
// size from call to call.
using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;
void compute_jacobian(const Model& model, Workspace& workspace, const BodyPoint& point, Jacobian& J);

// J' : acceleration = J v' + J' v.
void compute_jacobian_rate(const Model& model, Workspace& workspace, const BodyPoint& point, Jacobian& J_dot);

// tau += Jᵀ (force; moment), the wrench acting on the body at the point.
void add_jacobian_transpose(const Model& model, Workspace& workspace, const BodyPoint& point, const Wrench& wrench_W,
                            std::span<double> tau);

// Accelerations of the origins and angular accelerations of all bodies for given v', in the order of the model. Cost O(n).
std::vector<Twist> compute_body_accelerations(const Model& model, std::span<const double> v,
                                              std::span<const double> accelerations, Workspace& workspace);

// Of a point of the body with the given acceleration of its origin: a + w' × r + w × (w × r).
Twist compute_point_acceleration(const Model& model, Workspace& workspace, const BodyPoint& point,
                                 const Twist& body_acceleration);

}  // namespace vinculum
