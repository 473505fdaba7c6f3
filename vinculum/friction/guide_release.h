// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/friction/guide_blocks.h"
#include "vinculum/friction/guide_variants.h"

namespace vinculum {

// Points of faces that begin to slide, where they could in more than one direction: friction is against the slip that begins, and
// that has the direction of its own acceleration (theory 5, 7.4, of points beside bodies that move),
//
//   s_k(u) = J_k v'(u) + bias_k = c_k u_k ,  c_k > 0 ,  |u_k| = 1
//
// for all of them together, with the loaded faces of every variant chosen by continuation. Of one point all solutions are found,
// by its angle; of several the one to which the slip without friction leads as friction that is smooth at first becomes
// Coulomb's. Where friction has just come to its bound nothing accelerates yet; with all friction less by a trace it does, and
// the direction is that.
struct GuideRelease {
  State state;             // the same, with a slip of 1e-7 m/s that tells the direction
  std::vector<int> modes;  // with faces and senses
  Eigen::VectorXd accelerations;
  bool begins = false;  // friction is at its bound: all accelerations are with a trace less of it
};
struct GuideReleases {
  std::vector<GuideRelease> found;
  std::optional<GuideVariants> jammed;  // a direction for which no variant is realised
};

// `set`: all modes chosen, those of the points that begin to slide neither stick nor rest. `block`: the one they belong to; the
// accelerations are those of its velocities. Failures: of the reduction.
Outcome<GuideReleases> find_releases(const ConstraintSet& set, const State& state, const std::vector<int>& released,
                                     const GuideBlock& block, Workspace& workspace);

}  // namespace vinculum
