// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/friction/variant_problem.h"

namespace vinculum {

// A model with guides at a state, reduced to the loads on its faces (theory 5, section 3): with S(X) the accelerations that
// forces X bring where all other rows hold, w_k the column of a face and R the rows of the pairs,
//
//   B_k = R S(w_k) ,  F_k = R S(f Jt_kᵀ) ,  d = gamma - R (S(Q) + v0) ,   v' = S(Q) + v0 + Σ S(w_k) N_k
//
// Pairs that stick are rows like others: nothing is asked of their loads here (guide_hold.h). One factorisation of the mass
// matrix, and two solutions a pair.
struct GuideReduction {
  VariantProblem problem;
  std::vector<int> pairs;              // indices into Model::face_pairs()
  std::vector<std::string> names;      // of them
  Eigen::VectorXd unloaded;            // S(Q) + v0
  Eigen::MatrixXd by_face1, by_face2;  // S(w), column by column

  // With signed reactions: + on face2, - on face1.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& signed_reactions) const;
};

// Points that do not slide yet, and directions in which they begin to: friction is against these.
struct SlideGuess {
  // By pair of the model, in the face, of length 1; shorter, there is as much less friction. None: as at the state.
  std::vector<std::optional<Vector3>> directions_W;
  double friction = 1;  // all friction times this
};

// Friction as the modes of the set freeze its sense (guide_friction.h). Failures: of the rows and the mass matrix;
// VN-GUIDE-001: the faces of a pair do not take away the same motion; VN-GUIDE-002: other friction hangs on the same loads.
Outcome<GuideReduction> reduce_guides(const ConstraintSet& set, const State& state, Workspace& workspace,
                                      const SlideGuess* guess = nullptr);

// The slide modes as the velocities say; where a face does not slide they stay, and what sticks goes on sticking.
void take_senses(ConstraintSet& set, const ConstraintRows& rows);

// The same set where what sticks may slide again.
ConstraintSet without_sticking(const ConstraintSet& set);

// Of a face that sticks: beyond, it slides [m/s].
inline constexpr double kStuckDrift = 1e-8;

// Neither slides nor spins any face that rubs.
bool guides_rest(const ConstraintSet& set, const ConstraintRows& rows);

// Guides at rest: pairs that are dependent could be pressed against each other by any load, and any friction would hold.
// Failures: VN-GUIDE-001; VN-VARIANT-004: pairs are dependent; VN-VARIANT-003: they are paired across each other (check_pairing).
std::optional<Failure> check_pairs_at_rest(const ConstraintSet& set, const ConstraintRows& rows, const State& state,
                                           Workspace& workspace);

// A refusal by name, VN-GUIDE-030, where what a load on a face does is beyond what can be computed with.
std::optional<Failure> check_face_size(const FacePair& pair, int face, double largest);

}  // namespace vinculum
