// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "vinculum/constraints/idealisation.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

// The one list of all idealisations a run knows. A new one is a file of its own and a line here.
std::vector<std::unique_ptr<Idealisation>> make_idealisations(MotionSystem& system, const Model& model, Follow follow,
                                                              double tolerance);

// Whether there is anything to follow or to judge beside the motion of a tree: a row, a limit, a requirement.
bool has_idealisations(const Model& model);

// What they say of single states, seen one after the other: of what is asked of the elements at each, not of what happens
// between.
class StateJudge {
 public:
  explicit StateJudge(const ConstraintSet& set);
  ~StateJudge();

  bool has_subjects() const { return !list_.empty(); }

  // With the forces of the drives at every velocity, where these are what is asked for.
  // `set`: where the modes are others at each moment.
  void look(const State& state, const ConstrainedDynamics& dynamics, Workspace& workspace, std::span<const double> supplied = {},
            const ConstraintSet* set = nullptr);
  std::vector<Verdict> judge() const;

 private:
  const ConstraintSet& set_;
  std::vector<std::unique_ptr<Idealisation>> list_;
  double last_t_ = 0;
};

}  // namespace vinculum
