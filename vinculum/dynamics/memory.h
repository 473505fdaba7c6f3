// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/dynamics/applied.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/kernels/environment.h"
#include "vinculum/kernels/kernels.h"
#include "vinculum/math/rigid_inertia.h"

namespace vinculum {

struct Workspace::Memory {
  std::vector<double> turns;  // sines and cosines of the coordinates
  std::vector<LinkMotion<double>> motions;
  std::vector<Wrench> wrenches;  // through the joint of each link, its axes, about its origin: left by inverse dynamics
  std::vector<JointResponse<double>> responses;
  std::vector<Burden<double>> slots;
  std::vector<Pivot<double>> pivots;
  std::vector<LinkInWorld<double>> world;
  std::vector<LinkPlace<double>> places;  // of the mass matrix, as the next two
  std::vector<RigidInertia> composites;
  std::vector<double> axes;
  std::vector<Wrench> loads;  // on each link, its axes, about its origin
  std::vector<double> tau;    // joint laws
  std::vector<double> vdot;
  std::vector<Twist> accelerations_W;  // of links, where they are asked for: of origins, and angular
  std::vector<double> forces;          // A v' + h, where the power of drives is asked for
  std::vector<EnvironmentMotion> environment;
  Applied applied;  // from outside, while an AppliedScope lives
  std::vector<double> expression;
};

// Places of all links, and how they move in the world: memory.motions (R, r) and memory.world.
void see_bodies(const Model& model, std::span<const double> q, std::span<const double> v, Workspace::Memory& memory);

}  // namespace vinculum
