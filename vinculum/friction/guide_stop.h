// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/friction/guide_variants.h"

namespace vinculum {

// Points of faces that do not slide at this state, though other bodies may move: each of them goes on forward, backward, or
// sticks, decided in one problem with the faces of all pairs that slide (theory 5, sections 8 and 9).
//
//   slides    with friction against the sense it goes on with, and an acceleration of that sense; where it could in more than
//             one direction, in the one that agrees with itself (guide_release.h);
//   sticks    with friction as the motion needs it, within the cone (guide_hold.h).
//
// Points that can only slide together (those of one slider) are decided together, and each block of pairs by itself
// (guide_blocks.h). Of several consistent choices the one in which most stick is taken. But what could stick only because faces
// can press each other without any load (a self-stress) slides if it can, unless the reactions that the set remembers of it have
// made that stress (7.5, guide_history.h). The memory of the set goes on with the choice.
struct StopDecision {
  int choices = 0;            // 0: none is consistent; else the set has the modes of the chosen one. The most of one block
  bool slides = false;        // some point slides that had stopped
  bool only_wedged = false;   // a choice was passed over in which more stick, and which only a self-stress holds
  bool stays_wedged = false;  // one was taken that only a self-stress holds, which its history has made
  std::optional<GuideVariants> jammed;  // a choice with which no variant is realised
  std::optional<State> leaving;         // with a slip of 1e-7 m/s where a point begins to slide in a direction of its own
};

// `released`: friction has just reached its bound, so that something must slip. Failures: of the reduction; VN-GUIDE-007: too
// many at once.
Outcome<StopDecision> decide_stopped(ConstraintSet& set, const State& state, const std::vector<int>& stopped, bool released,
                                     Workspace& workspace);

// Pairs of points that stick, or whose loaded face slides by less than `slow`.
std::vector<int> list_stopped(const ConstraintSet& set, const ConstraintRows& rows, double slow);

// A choice of modes was looked for, and none was found.
Failure no_choice(const Model& model, const std::vector<int>& stopped, const StopDecision& decision);

}  // namespace vinculum
