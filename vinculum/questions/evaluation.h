// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/subsystem_quantities.h"
#include "vinculum/kernels/environment.h"
#include "vinculum/model/output.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

// The equations of motion at a state,  A v' + h = tau + Dᵀ lambda , in one of their forms, with what that form shows besides.
struct EvaluatedEquations {
  std::optional<Eigen::MatrixXd> mass_matrix;   // A; none of more than 2000 velocities
  std::vector<double> bias;                     // h
  std::vector<SubsystemQuantities> subsystems;  // `vector`: of every body
  Eigen::MatrixXd S_T, B;                       // `aggregate`
};

// What friction in guides does at a state.
enum class GuidesThere { rest, several, breakaway, slide };

// Everything at one state, as far as it exists.
struct Evaluation {
  explicit Evaluation(const Model& model, const State& asked) : state(asked), constraints(model, asked) {}

  State state;
  std::vector<BodyMotion> motions;             // of Model::bodies()
  std::vector<EnvironmentMotion> environment;  // of Model::environment()
  EvaluatedEquations equations;
  Energy energy;
  Momentum momentum;

  ConstraintSet constraints;           // as the state has them,
  std::optional<ConstraintRows> rows;  // and their numbers
  // With the faces that carry; none without guides.
  std::optional<GuidesThere> guides;
  std::optional<ConstraintSet> chosen;

  // Of a plain tree without `solution`.
  std::optional<ConstrainedDynamics> dynamics;
  std::optional<std::vector<OutputValue>> outputs;
  std::optional<Failure> no_outputs;             // why there are none
  std::optional<std::vector<Verdict>> verdicts;  // none: there is nothing to judge
  std::optional<Verdict> not_unique;             // instead of `dynamics`
  std::optional<Failure> failure;                // what follows does not exist

  const ConstraintSet& set() const { return chosen ? *chosen : constraints; }
  bool is_plain_tree() const { return constraints.is_plain_tree(); }
};

// In the form `recursive`, `vector` or `aggregate`. Residuals of the constraints up to `residual` [SI] are accepted. The model
// must outlive the answer.
Evaluation evaluate_state(const Model& model, const State& state, const std::string& form = "recursive", double residual = 1e-8);

}  // namespace vinculum
