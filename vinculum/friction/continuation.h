// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/friction/variant_problem.h"

namespace vinculum {

// The way of the solution as friction grows from none, s = 0, to its value, s = 1 (theory 5, 4.5):  (B0(p) + s F(p)) N = d . In
// one variant it ends at the nearest root of det(B0 + s F), where reactions grow beyond all bounds (jam), or of N_k, where pair k
// changes its face. Where a change turns the sign of sdet the way folds back in s; it is followed on, but what lies behind a fold
// is not reached by friction that grows.
struct FrictionPath {
  enum class Reason { reached, fold, jam };

  struct Switch {
    double scale = 0;
    int pair = 0;
    int face = 0;  // the new one
  };
  // Where the same variant holds; `to` < `from` behind a fold.
  struct Piece {
    Faces faces;
    double from = 0, to = 0;
  };

  Reason reason = Reason::jam;
  double end = 0;                // 1, or the first fold or jam
  std::vector<Switch> switches;  // of the full path
  std::vector<double> folds;     // of the full path
  std::vector<Piece> pieces;     // of the full path
  bool full_path_reaches = false;
  Eigen::VectorXd signed_reactions;  // at s = 1, if the full path comes there

  bool connected() const { return reason == Reason::reached; }
};

// Failure VN-VARIANT-005 if the problem has no solution without friction, VN-VARIANT-007 if the next event cannot be found.
Outcome<FrictionPath> follow_friction(const VariantProblem& problem);

}  // namespace vinculum
