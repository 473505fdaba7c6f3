// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

// The momentum of the whole system about its mass centre as a law of the velocities, world axes, linear part first:
//
//   (P; L_c) = M v ,   (P'; L_c') = M v' + M' v
//
// with P and L_c those of compute_momentum. The result keeps its size from call to call. A system without mass has its centre at
// the origin. Cost O(n).
struct CentroidalMomentum {
  double mass = 0;                                  // [kg]
  Vector3 center_W;                                 // [m]
  Vector3 center_velocity_W;                        // [m/s]
  Eigen::Matrix<double, 6, Eigen::Dynamic> matrix;  // M
  Wrench rate_W;                                    // M' v: the forces it takes to hold v, gravity apart
};
void compute_centroidal_momentum(const Model& model, const State& state, Workspace& workspace, CentroidalMomentum& result);

}  // namespace vinculum
