// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/grip_problem.h"
#include "vinculum/constraints/slipping.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/math/complementarity.h"

namespace vinculum {

// Memory of the solution by dense matrices, for one thread. A motion that slips is solved again and again; from the second
// evaluation with the same constraints on, nothing is allocated. Nothing in it is a result.
struct DenseConstraints {
  Scratch scratch;
  MassFactor mass;
  ConstraintSolution solution;
  Equations equations;
  std::vector<double> zero, joint_forces;
  ComplementaritySolutions solutions;

  // Of the constraints that are not in question at the onset of a slip (direct_slips).
  RowAnalysis kept;
  Eigen::VectorXd kept_F, kept_gamma;
  LocalRows local;
  GripProblem problem;

  // The same constraints without the redundant ones.
  std::optional<ConstraintSet> independent;
  std::vector<bool> left_out;
  std::vector<int> order;
  RowAnalysis analysis;
  ConstraintRows rows;
  ContactForces forces;
};

}  // namespace vinculum
