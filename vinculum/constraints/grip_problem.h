// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "vinculum/math/scratch.h"

namespace vinculum {

// The local problem of constraints with undecided mode, all others eliminated:                   theory 3, section 7
//
//   x = W R + b ,   held:    x = 0
//                   pushes:  0 ≤ x ⟂ R ≥ 0
//                   grips:   R in -rho ∂|x| :  |R| ≤ rho, and R = -rho x/|x| where x ≠ 0 ;  rho = bound or mu max(N, 0)
//
// N is the R of one constraint, or a sum of shares of several where constraints that carry it were left out (load_shares.h).
//
// x are accelerations, or velocities after an impact; R forces or impulses. Several constraints of one `Grip`
// share their bound as a vector (disk), each constraint alone has its own (box). With W symmetric and positive
// definite and bounds that do not depend on a normal the solution is unique: min ½RᵀWR + bᵀR on the box or disk.
struct GripBlock {
  enum class Kind { held, pushes, grips } kind = Kind::held;
  std::vector<int> rows;
  double bound = 0;     // of sticking ones: rho, or what is added to it,
  double friction = 0;  // and mu, infinite where a load holds whatever it takes,
  int normal = -1;      // times this constraint's R,
  struct Share {
    int row = 0;
    double part = 0;
  };
  std::vector<Share> shares{};  // or, if there are any, times the sum of these parts of R

  bool is_pressed() const { return normal >= 0 || !shares.empty(); }
  // rho at these forces.
  double reach(const Eigen::Ref<const Eigen::VectorXd>& R) const;
};

struct GripSolution {
  Eigen::VectorXd R, x;
};

// The problem with its memory: solved again with as many constraints and blocks, it allocates nothing.
class GripProblem {
 public:
  void clear() { count_ = 0; }
  GripBlock& add(GripBlock::Kind kind);  // without constraints
  std::span<const GripBlock> blocks() const { return {blocks_.data(), count_}; }

  bool solve(const Eigen::MatrixXd& W, const Eigen::VectorXd& b);               // as solve_grip_problem
  void set(const GripSolution& solution) { R_ = solution.R, x_ = solution.x; }  // found in another way
  const Eigen::VectorXd& R() const { return R_; }
  const Eigen::VectorXd& x() const { return x_; }

 private:
  std::vector<GripBlock> blocks_;
  size_t count_ = 0;
  Eigen::VectorXd R_, x_;
  Scratch scratch_;
};

// By blocks, each solved exactly while the others keep their R, until none changes; where that is slow Newton's steps finish it.
// None: they do not settle, or a block answers a push by pulling (W not positive on it). Friction constraints without effect on
// any joint, with zeros in W and b, get R = 0.
std::optional<GripSolution> solve_grip_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                               const std::vector<GripBlock>& blocks);

// Where constraints are redundant, of all solutions with the same modes the one with the smallest R of what holds, pushes or
// sticks; by Newton's steps from `start`. None: they do not settle.
std::optional<GripSolution> settle_least_forces(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                                const std::vector<GripBlock>& blocks, const Eigen::VectorXd& start);

}  // namespace vinculum
