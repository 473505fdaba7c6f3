// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/dynamics/environment.h"
#include "vinculum/dynamics/kernels.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/rigid_inertia.h"

namespace vinculum {

struct Workspace::Memory {
  std::vector<LinkScratch<double>> links;
  std::vector<LinkInWorld<double>> world;
  std::vector<CompositeInertia<double>> composite;
  std::vector<Wrench> loads;  // on each link, its axes, about its pole
  std::vector<double> tau;    // joint laws; where driven, the driving force is added
  std::vector<double> vdot;
  std::vector<Pivot<double>> pivots;
  std::vector<Twist> accelerations_W;    // of poles, and angular, of links
  std::vector<RigidInertia> subsystems;  // links with all they carry, locked together
  std::vector<EnvironmentMotion> environment;
  std::vector<double> expression;
};

}  // namespace vinculum
