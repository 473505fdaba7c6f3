// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/analysis/linearise.h"

namespace vinculum {

// A state on a kink of laws, where they have no slope: max(p, 0) at p = 0. On either side of it they have one.
struct KinksAtState {
  struct Side {
    std::vector<std::string> where;  // "force 'spring': max(p, 0) where p > 0", of every kink
    Outcome<Linearisation> linear;   // of the laws continued from that side; or why there is none
  };
  std::vector<std::string> kinks;  // "force 'spring': max(p, 0)"
  std::vector<Side> sides;         // all combinations; none if there are more than four kinks that differ

  bool empty() const { return kinks.empty(); }
};

// The kinks and jumps of the laws of a model at a state, to a distance of 1e-10 (the accuracy of an
// equilibrium), with the linearisation on each side. Equal switches, such as those of abs(p) and max(0,
// p), count once. Where all sides have the same linearisation, as of max(p, 0)^2, there is no kink in it.
KinksAtState find_kinks_at_state(const Model& model, const State& state);

}  // namespace vinculum
