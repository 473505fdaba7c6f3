// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_variants.h"

namespace vinculum {

// A direction of the velocities that the motion keeps at vanishing speed (theory 5, sections 6 and 7), velocity terms dropped:
//
//   v'(u) = -c u , c > 0: how it comes to rest;   v'(u) = c u , c > 0: how it breaks away;   |u| = 1 .
//
// By Newton's iteration in the velocities that the rows allow, started from the velocities of the state. Failure VN-GUIDE-009:
// none was found.
struct RestDirection {
  Eigen::VectorXd direction;
  double deceleration = 0;  // c
};
Outcome<RestDirection> find_rest_direction(const ConstraintSet& set, const State& state, Workspace& workspace);

// A model at rest that leaves it: the set has the faces and senses it leaves with. Points leave along the only line
// they can, or as guide_release.h finds; pads need a velocity to tell the direction, and get one of 1e-8 in the direction in
// which they break away. Failures: VN-GUIDE-009: no direction is found;
// VN-GUIDE-003, -004, -008: no choice is consistent.
Outcome<State> break_away(ConstraintSet& set, const State& state, Workspace& workspace);

// A model at rest (theory 5, 7.5). Faces that can wedge bear any load by a self-stress; where no history has made one, and it can
// also break away, it does.
//
//   rest        friction holds the load, and it cannot break away, or no self-stress is possible; or what its guides remember
//               of how they came to rest still holds it;
//   breakaway   friction does not hold it;
//   several     it breaks away, and would rest only if it were wedged.
struct Standing {
  enum class Answer { rest, breakaway, several };
  Answer answer = Answer::rest;
  GuideRest rest;          // reactions that hold it (rest, several)
  bool can_wedge = false;  // known if it holds
  State leaving;           // as break_away has it (breakaway, several)
  std::vector<int> modes;  // with which it leaves
  // Of the set, by what guides that can wedge remember (guide_history.h): what holds by its history rests, and a rest without
  // one begins with the least reactions. Nothing of what leaves.
  std::vector<double> memory;
};
// Failures: of find_rest; of break_away where the guides do not hold.
Outcome<Standing> decide_standing(const ConstraintSet& set, const State& state, Workspace& workspace);

// Coordinates go on with the velocities of the state for a time so short that nothing else changes.
void move_state(const Model& model, State& state, double dt);

}  // namespace vinculum
