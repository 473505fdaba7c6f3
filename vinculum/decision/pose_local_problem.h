// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/slipping.h"
#include "vinculum/decision/local_choices.h"
#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// The local problem of forces at a state, as the modes of the set are: what holds pushes or parts; grips that do not slip stick
// or slip; what slips now has its friction in the columns; guides with friction press on one face or the other, sliding as they
// do. All other rows are kept. Blocks come in the order: open grips, then the rows beside them.
struct MomentProblem {
  LocalProblem problem;
  Eigen::MatrixXd W;              // with the faces that the set has, as columns of their rows
  std::vector<GripBlock> blocks;  // for these, guides held
  std::vector<int> rows;          // indices into Model::rows()
  std::vector<const Grip*> open;  // of the first blocks
  ConstraintRows at;
};
Outcome<MomentProblem> pose_local_problem(const ConstraintSet& set, const State& state, Workspace& workspace);

// May a grip slip, and is its contact there?
bool is_there(const ConstraintSet& set, const Grip& grip);

// Of a joint at rest for an instant, whose row of friction says what the other rows say, but with another acceleration: a dead
// centre. Nothing holds it there, and it goes on to this side (Grip::forward, backward). None: it may stick.
std::optional<int> find_side_at_dead_centre(const ConstraintSet& set, const State& state, const Grip& grip, Workspace& workspace);

// Where more hold a mechanism at rest than is needed, bearings among them, their limits depend on how these share the load: what
// moves on is decided with the smallest forces, but nothing says how long all of them stick. Failure VN-CONTACT-011.
std::optional<Failure> check_held_bearings(const ConstraintSet& set, const State& state, Workspace& workspace);

// The index in Model::one_sided() of a row, or -1.
int one_sided_of(const Model& model, int row);

// The element a row belongs to, as words name it: foot, rail.1.
std::string element_of(const Model& model, int row);

// Every consistent choice of modes at a state, and the factor of all friction that slides now at which some load first has none
// or several: the least s > 0 at which a principal minor of the columns that rub vanishes (theory 5, 4.2 and 4.4). None: no
// friction does that; no choices: the tree has no answer.
struct MomentChoices {
  std::optional<LocalChoices> choices;
  std::optional<double> critical;
};
Outcome<MomentChoices> find_choices(const ConstraintSet& set, const State& state, Workspace& workspace);

}  // namespace vinculum
