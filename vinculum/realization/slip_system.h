// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/math/tape.h"
#include "vinculum/realization/slip_rows.h"

namespace vinculum {

// What slips and what it costs to hold it, at a state.                                                  theory 3, sections 1 and
// 2
//
//   M v' = f + Jpᵀ mu + Jᵀ R ,  Jp v' = gamp          R: the forces that realize  psi' = J v + j0 = 0
//   psi'' = b + W R ,  v' = a0 + P Jᵀ R               exact for every law of force
//
// With rows that depend on each other W is singular: sigma is empty then, and r the smallest of all distributions. What they do
// to the motion and the power they take from the slip are the same for every distribution.
struct SlipState {
  Eigen::MatrixXd M, J, Jp;
  Eigen::MatrixXd P;              // M⁻¹ of the motions that the permanent constraints leave
  Eigen::MatrixXd W, sigma;       // slip mobility J P Jᵀ and slip inertia W⁻¹
  Eigen::VectorXd f, gamp;        // Jp v' = gamp
  Eigen::VectorXd slip;           // psi'
  Eigen::VectorXd a0, b;          // v' and psi'' without realizing forces
  Eigen::VectorXd given;          // -j0
  Eigen::VectorXd r;              // -sigma b: the forces that hold the slip as it is; on psi' = 0 the reactions
  Eigen::MatrixXd E;              // v' = E gamp + .. : M⁻¹Jpᵀ (Jp M⁻¹ Jpᵀ)⁺
  int rank = 0;                   // of the realized constraints, beside the permanent ones
  std::vector<int> dependent;     // realized constraints that take part in a dependence
  std::vector<bool> determinate;  // of all constraints of the set, by Row::index
  double condition = 1;           // of W scaled to a unit diagonal
  // Sliding friction on allowed axes comes with the normals, which depend on R:  v' = a0 + answer Jᵀ R , and R = hold x  makes
  // the slip accelerations x (of all R that do, the smallest). Without it these are P and W⁺; with it they are not symmetric, and
  // no slip energy bounds the slip.
  bool rubs = false;
  Eigen::MatrixXd answer, hold;
  Eigen::MatrixXd push;         // what multipliers of the permanent constraints do: Jpᵀ, and the friction they bring
  std::vector<double> pressed;  // of each contact the force of the law on its normal, with its sign; 0: it has none

  bool is_regular() const { return dependent.empty(); }
  Eigen::VectorXd accelerations(const Eigen::VectorXd& R) const { return a0 + answer * (J.transpose() * R); }
  double slip_energy() const;  // G = ½ psi'ᵀ W⁺ psi'
};

// Both systems of a model, with and without slip.
class SlipSystem {
 public:
  SlipSystem(const Model& model, SlipRows rows);

  const Model& model() const { return set_.model; }
  const ConstraintSet& set() const { return set_; }
  const SlipRows& rows() const { return rows_; }
  const std::string& row_name(int realized) const { return model().rows()[rows_.realized[realized]].name; }
  // M and J have exact slopes; else those of J come from differences with halved steps, extrapolated (about 1e-11).
  bool is_exact() const { return exact_; }

  // Strings that are taut in the modes of the state are permanent rows, slack ones are not there; all else is as usual, whatever
  // slips or lifts off in the state. Failures of compute_constraint_rows; VN-RUN-002 (no inertia), VN-CONTACT-010 (constraints
  // contradict each other), -011 and -012 (sliding friction without a unique answer).
  Outcome<SlipState> compute(const State& state);

  // v without slip: first onto the permanent constraints, then  v_par = v - P Jᵀ sigma psi' , both mass-orthogonal.
  Outcome<State> project_permanent(const State& state);
  Outcome<State> project(const State& state);

  // Multipliers of all rows by Row::index, under these realizing forces; smallest where they are not unique.
  Eigen::VectorXd multipliers(const SlipState& at, const Eigen::VectorXd& R) const;

  // sigma' along the motion with the velocity of the state.
  Outcome<Eigen::MatrixXd> slip_inertia_rate(const State& state, const SlipState& at);

  Workspace& workspace() { return workspace_; }

 private:
  void take_strings(const State& state);
  std::optional<Failure> add_friction(const State& state, const ConstraintRows& all, const ContactForces& forces,
                                      const MassFactor& mass, SlipState& at);
  std::optional<Failure> differentiate_rows(const State& state, std::span<const double> q_rate, Eigen::MatrixXd& D_rate);

  ConstraintSet set_;
  SlipRows rows_;
  Workspace workspace_;
  bool exact_ = false;
  Tape mass_tape_, row_tape_;
};

}  // namespace vinculum
