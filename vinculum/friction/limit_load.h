// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "vinculum/constraints/pad.h"
#include "vinculum/friction/variant_problem.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// A face at rest, by what it does to the generalised forces: a unit push along its inward normal, unit forces along two
// directions of its plane at right angles, a unit moment about its normal.
struct RestFace {
  Eigen::VectorXd push;
  Eigen::MatrixXd shear;  // two columns
  Eigen::VectorXd spin;
  double friction = 0;
  double radius = 0;  // of the pad; 0: a point, without moment
  PressureLaw pressure;
};

// A mechanism at rest under  constant + alpha load , held by its faces and by two-sided rows (columns of `held`).
struct RestProblem {
  Eigen::VectorXd constant, load;
  Eigen::MatrixXd held;
  Eigen::MatrixXd mass;  // for accelerations: the start of a slip, and the test of the paper
  struct Pair {
    RestFace face1, face2;
    const RestFace& face(int number) const { return number == 1 ? face1 : face2; }
  };
  std::vector<Pair> pairs;
};

// Which factors alpha does friction bear (theory 5, 7.1)? For each variant of the faces a convex problem,
//
//   constant + alpha load + Σ (push N + shear R + spin M) + held λ = 0 ,   c·R + w M/r ≤ f N Dhat(c, w)  for all (c, w) ,
//
// by linear programs with cutting planes: planes of the most violated (c, w) are added until none is violated. A factor beyond
// all bounds is proven by the recession problem, constant = 0.
struct LimitLoad {
  struct Interval {
    double low = 0, high = 0;  // infinite: without end
    Faces faces;               // one variant that bears the upper end
  };

  enum class Verdict { limited, self_locking, no_rest };
  Verdict verdict = Verdict::no_rest;
  // The first loss of rest, if limited: where faces cannot wedge each other, the largest factor that friction bears. Where they
  // can, friction bears any load by a self-stress that no load has made; then the end of the first factors from 0 on at which no
  // slip starts (7.5).
  double alpha = 0;
  bool can_wedge = false;
  std::optional<double> first_loss;  // end of the part connected with 0; none: no end, or no rest at 0
  bool rests_unloaded = false;       // at alpha = 0
  std::vector<Interval> intervals;   // ordered, apart from each other
  std::vector<Interval> wedged;      // those parts of them that rest on a self-stress only: a slip starts there too
  Faces faces;                       // that bear alpha; 0: unloaded
  Eigen::VectorXd signed_reactions;
  Eigen::VectorXd
      slip_direction;  // velocities of the slip that begins at alpha, of length 1 (limited only; empty: not told apart)
  // The second way (7.2): alpha and slip with zero acceleration, by Newton. The factor above is an upper bound of it where pushes
  // change as it slips; none: did not converge.
  std::optional<double> kinematic_alpha;
  // The paper's test (7.3), only sufficient: forces against the accelerations there would be without friction.
  std::optional<double> paper_alpha;
};
std::string_view to_text(LimitLoad::Verdict verdict);

// Failure VN-VARIANT-020: more than 10 pairs; VN-VARIANT-021: no load; VN-VARIANT-022: a linear program gave up. The paper's test
// takes most of the time.
Outcome<LimitLoad> find_limit_load(const RestProblem& problem, const AskStop& ask_stop = {}, bool with_paper_test = true);

// Is rest possible at this factor (7.1: with alpha fixed)? Reactions that bear it, if so.
struct RestAnswer {
  bool rests = false;
  Faces faces;
  Eigen::VectorXd signed_reactions;
  std::vector<Eigen::Vector3d> friction;  // of each pair: forces along the two directions of its face, moment about its normal
};
Outcome<RestAnswer> check_rest(const RestProblem& problem, double alpha);

// How it starts where rest is impossible (7.4): accelerations u with friction against u itself, by damped iterations and Newton.
struct Breakaway {
  Eigen::VectorXd acceleration;
  Faces faces;
  Eigen::VectorXd signed_reactions;
};
// Failure VN-VARIANT-023: no variant is realised, or the iterations do not settle.
Outcome<Breakaway> find_breakaway(const RestProblem& problem, double alpha);

}  // namespace vinculum
