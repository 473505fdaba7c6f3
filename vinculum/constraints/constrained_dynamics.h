// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/redundancy.h"
#include "vinculum/dynamics/forward.h"

namespace vinculum {

class SparseConstraints;  // sparse_constraints.h: the quick way, where there is one
struct DenseConstraints;  // dense_constraints.h: memory of the other
struct Equations;         // dynamics/equations.h
struct GivenForces;
struct AggregateForm;  // dynamics/aggregate_form.h

// v' and lambda of
//
//   A v' + h = tau + Q_P + D̃ᵀ lambda ,  D v' = gamma                                                        theory 1, section 8
//
// D̃ = D plus the friction that positive normal multipliers bring with them. Where constraints are redundant, lambda is the one of
// smallest Euclidean norm; v' and Dᵀ lambda are unique all the same.
struct ConstraintSolution {
  Eigen::VectorXd accelerations;
  Eigen::VectorXd multipliers;
  RowAnalysis analysis;
  int weakest_velocity = -1;  // as in ForwardDynamics
  double weakest_ratio = 1;
  double friction_determinant = 1;  // of the equations for the multipliers, beside those without friction
  // The part of the sliding friction that changes if redundant constraints
  // share their load differently (load_shares.h); 0: v' is still unique.
  double friction_split = 0;
};

// Failures VN-RUN-002 (a permitted motion without inertia), VN-CONTACT-010 (contradictory
// constraints), -011 (friction on an indeterminate normal: v' is not unique), -012
// (friction without a solution: Painlevé). Also -120 (friction with several).
//
// The mass matrix may be singular as long as the constraints hold all directions without inertia.
Outcome<ConstraintSolution> solve_constraints(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                              const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows,
                                              const ContactForces& forces);
std::optional<Failure> solve_constraints(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, Given tau_minus_h,
                                         const ConstraintRows& rows, const ContactForces& forces, DenseConstraints& memory,
                                         ConstraintSolution& solution);  // memory of the caller

// The factor of the mass matrix, made regular by the constraints where they hold directions
// without inertia: A + k DᵀD has the same constrained motion as A. Failure VN-RUN-002.
struct MassFactor {
  Cholesky factor;
  double k = 0;
  int weakest_velocity = -1;
  double weakest_ratio = 1;
};
Outcome<MassFactor> factorize_mass_matrix(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& D);
std::optional<Failure> factorize_mass_matrix(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                             const Eigen::MatrixXd& D, Scratch& scratch, MassFactor& mass);

// x and lambda of  A x = b + Dᵀ lambda , D x = gamma  from the factors; lambda 0 in redundant constraints.
struct RowSolution {
  Eigen::VectorXd x, multipliers;
};
RowSolution solve_rows(const MassFactor& mass, const RowAnalysis& analysis, const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                       const Eigen::VectorXd& gamma);
void solve_rows(const MassFactor& mass, const RowAnalysis& analysis, Given D, Given b, Given gamma, Scratch& scratch, VectorMap x,
                VectorMap multipliers);

Failure friction_without_solution(const ConstraintSet& set, const ContactForces& forces);
Failure friction_not_settled(const ConstraintSet& set, const ContactForces& forces);

// Do constraints contradict each other at this state, whether or not it obeys them; none where the inertia gives no answer.
std::optional<Failure> find_contradiction(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                          Workspace& workspace);

// The wrench of an element of constraints on its body, about the point where it acts.
struct ElementReaction {
  Wrench own, body, world;  // in the axes of the element, of the body, of the world
};

struct ConstrainedDynamics {
  ForwardDynamics dynamics;  // joint reactions with what the contacts do
  ConstraintRows rows;
  ConstraintSolution solution;
  ContactForces forces;                    // of the allowed axes, friction included
  std::vector<ElementReaction> reactions;  // of each contact: multipliers and laws
};

Outcome<ConstrainedDynamics> compute_constrained_dynamics(const ConstraintSet& set, const State& state, Workspace& workspace,
                                                          SparseConstraints* sparse = nullptr);

// The same but for the joints: `dynamics` has no joint forces and reactions.
Outcome<ConstrainedDynamics> compute_contact_reactions(const ConstraintSet& set, const State& state, Workspace& workspace,
                                                       SparseConstraints* sparse = nullptr);

// The same into memory that is there: from the second call with the same constraints on nothing is allocated.
std::optional<Failure> compute_contact_reactions(const ConstraintSet& set, const State& state, Workspace& workspace,
                                                 SparseConstraints* sparse, ConstrainedDynamics& result);

// The multipliers' parts of the forces that belong to constraints.
void add_multiplier_parts(const Eigen::VectorXd& multipliers, ContactForces& forces);

// Joint reactions of a motion, parent on child, world axes, about the child's body origin. The first accounts for
// constraints and finished forces, the second gives the effect of the multipliers alone.
std::vector<Wrench> compute_joint_reactions(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                            const ConstraintSolution& solution, const ContactForces& forces,
                                            Workspace& workspace);
std::vector<Wrench> compute_row_reactions(const ConstraintSet& set, const ConstraintRows& rows,
                                          const ConstraintSolution& solution);

// Everything from the equations of a form written for reading.
Outcome<ConstrainedDynamics> compute_constrained_dynamics(const ConstraintSet& set, const State& state, ConstraintRows rows,
                                                          const Equations& equations, Workspace& workspace);

// From a solution, found here or elsewhere, to everything that is said about it.
ConstrainedDynamics explain_solution(const ConstraintSet& set, const State& state, ConstraintRows rows, ContactForces forces,
                                     const GivenForces& given, ConstraintSolution solution, Workspace& workspace);

// For integrators: v' alone, and the power of all the contacts and drives do.
struct ConstrainedMotion {
  Eigen::VectorXd accelerations;
  double power = 0;
  double regularity = 1;  // of the constraints, as in LoopSolver
};

// How much of a residual is taken out per second, in case nothing else keeps the constraints:                  theory 1, section
// 8
//   gamma - 2 alpha (D v - F) - alpha² gap ;  constraints without a gap: gamma - alpha (D v - F)
struct Baumgarte {
  double alpha = 0;  // [1/s]
};

Outcome<ConstrainedMotion> compute_constrained_motion(const ConstraintSet& set, const State& state, const Baumgarte& baumgarte,
                                                      Workspace& workspace, SparseConstraints* sparse = nullptr);
// The same into memory that is there: from the second call with the same constraints on nothing is allocated.
std::optional<Failure> compute_constrained_motion(const ConstraintSet& set, const State& state, const Baumgarte& baumgarte,
                                                  Workspace& workspace, SparseConstraints& sparse, ConstrainedMotion& motion);

// That regularity alone, if the sparse method does not apply: the least diagonal of R in  L⁻¹Dᵀ = Q R ,
// with unit columns; and the effect of each constraint on the tree. 0: dependent here, or without values.
double compute_row_regularity(const ConstraintSet& set, const State& state, Workspace& workspace);

// D = D_kᵀ S_kᵀ - D_cᵀ S_cᵀ by the structural matrix itself, as the source writes it: the cross-check of the walk in the tree.
Eigen::MatrixXd rows_by_structural_matrix(const ConstraintSet& set, const ConstraintRows& rows, const AggregateForm& form);

}  // namespace vinculum
