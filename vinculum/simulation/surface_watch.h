// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/simulation/contact_record.h"

namespace vinculum {

// Watches spheres and wheels on curved surfaces: does the surface reach into them somewhere else than where they touch?
class SurfaceWatcher {
 public:
  explicit SurfaceWatcher(const ConstraintSet& constraints);

  bool has_contacts() const { return !contacts_.empty(); }

  // Looks at `end`, and on the way there from `begin` after every eighth of a radius, eight times at most.
  void look(double begin, double end, const std::function<State(double)>& state_at, std::vector<ContactWatch>& watches);

  // A depth up to this is an error of the motion.
  static double allowed_depth(const Contact& contact);

 private:
  static constexpr int kLooks = 8, kBetween = kLooks + 1;
  void place_links(int slot, const State& state);

  const ConstraintSet& constraints_;
  std::vector<int> contacts_;
  std::array<std::vector<FrameMotion>, kLooks + 2> links_;  // at the looks of a step, and between two of them
  std::vector<double> scratch_;
};

}  // namespace vinculum
