// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/friction/find_variants.h"
#include "vinculum/friction/guide_reduction.h"

namespace vinculum {

// Every realised variant of the guides of a model at a state (theory 5, section 4). The slide modes of the set are taken from the
// velocities, and stay where a face does not slide.
struct GuideVariants {
  GuideReduction reduction;
  Variants variants;

  const RealisedVariant* chosen() const;
};
Outcome<GuideVariants> find_guide_variants(ConstraintSet& set, const State& state, Workspace& workspace,
                                           const AskStop& stop = {});

// The same on the way, where the last step has left the faces of the set: are they still a realised variant, and the only one?
// A P-matrix proves it, else all are enumerated (theory 5, 4.2 and 4.8: warm start).
struct GuideLook {
  GuideReduction reduction;
  bool realised = false, only = false;
};
Outcome<GuideLook> look_at_variants(const ConstraintSet& set, const State& state, Workspace& workspace);

// The pairs of faces whose constraints are there, in the order of the rows of the set.
std::vector<int> list_guided_pairs(const ConstraintSet& set);

// Loads the faces of the set as signed reactions say: + on face2, - on face1; within round-off of them and of their unit none.
void load_faces(ConstraintSet& set, const ConstraintRows& rows, const std::vector<int>& pairs,
                const Eigen::VectorXd& signed_reactions, double unit);

// The faces of a model in motion, for whoever computes at one state, and what points of faces that do not slide do
// (guide_stop.h): the set has the modes of the chosen variant then, and the state a slip of 1e-7 m/s of points that break away
// in a direction of their own. Failure VN-GUIDE-003: no variant is realised: the guides jam;
// VN-GUIDE-004: several are, and none is reached as friction grows.
std::optional<Failure> choose_faces(ConstraintSet& set, State& state, Workspace& workspace);

// A jam or a paradox, in words: which faces, and what friction would be little enough.
Failure no_variant(const GuideVariants& found);

}  // namespace vinculum
