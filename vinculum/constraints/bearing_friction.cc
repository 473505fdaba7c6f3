// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/bearing_friction.h"

#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>

namespace vinculum {

namespace {

constexpr int kMostNewtonSteps = 60, kMostRepetitions = 400;
constexpr double kBearingSettled = 1e-14, kNearlySettled = 1e-11;

struct BearingParts {
  Vector3 radial;
  double axial = 0;
};
BearingParts split_reaction(const Vector3& R_W, const Vector3& axis_W) {
  const double axial = dot(R_W, axis_W);
  return {R_W - axial * axis_W, axial};
}

// How the limit changes with the reaction; 0 where that is zero.
double limit_rate(const Grip::Bearing& bearing, const Vector3& R_W, const Vector3& change_W, const Vector3& axis_W) {
  const auto [radial, axial] = split_reaction(R_W, axis_W);
  const double size = norm(radial), side = axial > 0 ? 1 : axial < 0 ? -1 : 0;
  const double of_radial = size > 0 ? dot(radial, change_W) / size : 0;
  return bearing.friction * (bearing.radius * of_radial + bearing.collar * side * dot(axis_W, change_W));
}

Vector3 axis_of(const ConstraintSet& set, const ConstraintRows& rows, const Grip& grip) {
  return rows.links[set.model.bodies()[grip.joint].link].R.z;
}

// The bearings that slide at a state: what they turn, and their forces at given moments.
class SlidingBearings {
 public:
  SlidingBearings(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const ContactForces& forces,
                  const SolveWithForces& solve, Workspace& workspace)
      : set_(set), state_(state), rows_(rows), without_(forces), solve_(solve), workspace_(workspace) {
    for (const int grip : forces.bearings) bearings_.push_back(&set.model.grips()[grip]);
  }

  Eigen::Index count() const { return static_cast<Eigen::Index>(bearings_.size()); }
  const Grip& grip(Eigen::Index j) const { return *bearings_[static_cast<size_t>(j)]; }
  double side(Eigen::Index j) const { return set_.modes[grip(j).mode] == Grip::backward ? -1 : 1; }

  // All that acts with these moments.
  ContactForces with(const Eigen::VectorXd& m) const {
    ContactForces forces = without_;
    for (Eigen::Index j = 0; j < count(); ++j) {
      forces.forces[set_.model.bodies()[grip(j).joint].v] += m[j];
      forces.slips.push_back({grip(j).rows[0], grip(j).index, m[j], 0, -1});
    }
    return forces;
  }

  struct Answer {
    ContactForces forces;
    ConstraintSolution solution;
    std::vector<Vector3> reactions_W;  // of each bearing
  };
  Outcome<Answer> answer(const Eigen::VectorXd& m) const {
    Answer found{with(m), {}, {}};
    auto solution = solve_(found.forces);
    if (!solution) return solution.failure();
    found.solution = std::move(*solution);
    ContactForces finished = found.forces;
    add_multiplier_parts(found.solution.multipliers, finished);
    const auto all = compute_joint_reactions(set_, state_, rows_, found.solution, finished, workspace_);
    for (Eigen::Index j = 0; j < count(); ++j) found.reactions_W.push_back(all[grip(j).joint].force);
    return found;
  }

  double limit(Eigen::Index j, const Vector3& R_W) const {
    return compute_bearing_limit(*grip(j).bearing, grip(j).bearing->friction, R_W, axis_of(set_, rows_, grip(j)));
  }
  double rate(Eigen::Index j, const Vector3& R_W, const Vector3& change_W) const {
    return limit_rate(*grip(j).bearing, R_W, change_W, axis_of(set_, rows_, grip(j)));
  }

  // -side limit(R): what the moments would be at these reactions.
  Eigen::VectorXd moments(const std::vector<Vector3>& R_W) const {
    Eigen::VectorXd m(count());
    for (Eigen::Index j = 0; j < count(); ++j) m[j] = -side(j) * limit(j, R_W[static_cast<size_t>(j)]);
    return m;
  }

  std::string names() const {
    std::string text;
    for (const Grip* bearing : bearings_) text += (text.empty() ? "'" : ", '") + bearing->name + "'";
    return text;
  }

  // Forces of redundant rows go through the joints: lambda + Z z is as good as lambda. What no joint feels carries nothing.
  std::optional<Failure> check_determined(const Answer& at) const {
    const Eigen::MatrixXd& Z = at.solution.analysis.Z;
    constexpr double kPart = 1e-9;
    for (Eigen::Index k = 0; k < Z.cols(); ++k) {
      ConstraintSolution free;
      free.multipliers = Z.col(k);
      for (Eigen::Index i = 0; i < Z.rows(); ++i) {
        if (rows_.felt.size() == Z.rows() && rows_.felt[i] == 0) free.multipliers[i] = 0;
      }
      if (free.multipliers.norm() < kPart) continue;
      const auto change = compute_row_reactions(set_, rows_, free);
      for (Eigen::Index j = 0; j < count(); ++j) {
        const Vector3 force = change[grip(j).joint].force;
        if (norm(force) < kPart * free.multipliers.norm()) continue;
        return Failure{"VN-CONTACT-011",
                       fmt::format("the motion is not unique: friction of joint '{}' depends on its reaction. Redundant "
                                   "constraints leave this reaction undetermined",
                                   grip(j).name),
                       "remove redundant supports, or give the joint `friction: {torque: ..}`"};
      }
    }
    return std::nullopt;
  }

  Failure jams() const {
    return {"VN-CONTACT-012",
            fmt::format("friction of joint {} and its reaction have no common solution: the joint jams", names()),
            "lower `coefficient` or `radius` of the joint's friction"};
  }

 private:
  const ConstraintSet& set_;
  const State& state_;
  const ConstraintRows& rows_;
  const ContactForces without_;
  const SolveWithForces& solve_;
  Workspace& workspace_;
  std::vector<const Grip*> bearings_;
};

// R at moments between which it is affine:  R_j(m) = at_j + Σ_k by_jk (m_k - m0_k)
struct AffineReactions {
  Eigen::VectorXd m0;
  std::vector<Vector3> at;
  std::vector<std::vector<Vector3>> by;

  std::vector<Vector3> compute(const Eigen::VectorXd& m) const {
    std::vector<Vector3> R = at;
    for (size_t j = 0; j < R.size(); ++j) {
      for (size_t k = 0; k < by[j].size(); ++k)
        R[j] += (m[static_cast<Eigen::Index>(k)] - m0[static_cast<Eigen::Index>(k)]) * by[j][k];
    }
    return R;
  }
};

// A moment of the size of what the reactions give, so that the differences are those of numbers of one size.
Outcome<AffineReactions> find_reactions(const SlidingBearings& bearings, const Eigen::VectorXd& m0,
                                        const SlidingBearings::Answer& at) {
  const Eigen::Index n = bearings.count();
  AffineReactions reactions{m0, at.reactions_W, {}};
  reactions.by.assign(static_cast<size_t>(n), std::vector<Vector3>(static_cast<size_t>(n)));
  const double size = std::max(bearings.moments(at.reactions_W).lpNorm<Eigen::Infinity>(), m0.lpNorm<Eigen::Infinity>());
  const double step = size > 0 ? size : 1;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::VectorXd m = m0;
    m[k] += step;
    const auto moved = bearings.answer(m);
    if (!moved) return moved.failure();
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto i = static_cast<size_t>(j);
      reactions.by[i][static_cast<size_t>(k)] = (1 / step) * (moved->reactions_W[i] - at.reactions_W[i]);
    }
  }
  return reactions;
}

}  // namespace

double compute_bearing_limit(const Grip::Bearing& bearing, double friction, const Vector3& R_W, const Vector3& axis_W) {
  const auto [radial, axial] = split_reaction(R_W, axis_W);
  return friction * (bearing.radius * norm(radial) + bearing.collar * std::abs(axial));
}

double compute_bearing_limit(const ConstraintSet& set, const ConstraintRows& rows, const Grip& grip,
                             std::span<const Wrench> reactions_W, bool at_rest) {
  return compute_bearing_limit(*grip.bearing, at_rest ? grip.bearing->friction_at_rest : grip.bearing->friction,
                               reactions_W[grip.joint].force, axis_of(set, rows, grip));
}

Outcome<ConstraintSolution> solve_with_bearings(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                ContactForces& forces, const SolveWithForces& solve, Workspace& workspace) {
  const SlidingBearings bearings(set, state, rows, forces, solve, workspace);
  const Eigen::Index n = bearings.count();
  Eigen::VectorXd m = Eigen::VectorXd::Zero(n);
  auto at = bearings.answer(m);
  if (!at) return at.failure();
  if (auto ambiguity = bearings.check_determined(*at)) return *ambiguity;
  auto reactions = find_reactions(bearings, m, *at);
  if (!reactions) return reactions.failure();
  double determinant = 1;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    // f(m) = m + side limit(R(m)) = 0 ,  I - ∂g/∂m
    const std::vector<Vector3> R = reactions->compute(m);
    const Eigen::VectorXd left = m - bearings.moments(R);
    Eigen::MatrixXd slope = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index k = 0; k < n; ++k)
        slope(j, k) += bearings.side(j) *
                       bearings.rate(j, R[static_cast<size_t>(j)], reactions->by[static_cast<size_t>(j)][static_cast<size_t>(k)]);
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(slope);
    determinant = factor.determinant();
    const double size = m.lpNorm<Eigen::Infinity>() + left.lpNorm<Eigen::Infinity>();
    // Beyond the fold no root is reached from zero friction.
    if (!(determinant > 0)) return bearings.jams();
    const Eigen::VectorXd change = factor.solve(-left);
    if (!change.allFinite()) return bearings.jams();
    m += change;
    if (change.lpNorm<Eigen::Infinity>() > kBearingSettled * size && step + 1 < kMostNewtonSteps) continue;
    if (change.lpNorm<Eigen::Infinity>() > kNearlySettled * size) return bearings.jams();
    at = bearings.answer(m);
    if (!at) return at.failure();
    const double off = (m - bearings.moments(at->reactions_W)).lpNorm<Eigen::Infinity>();
    constexpr double kSame = 1e-10;  // of the moments: else a contact has lifted off on the way, and R is another function
    if (off <= kSame * m.lpNorm<Eigen::Infinity>() || step + 1 == kMostNewtonSteps) break;
    reactions = find_reactions(bearings, m, *at);
    if (!reactions) return reactions.failure();
  }
  at->solution.friction_determinant *= determinant;
  forces = std::move(at->forces);
  return std::move(at->solution);
}

Outcome<ConstraintSolution> repeat_with_bearings(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                 ContactForces& forces, const SolveWithForces& solve, Workspace& workspace) {
  const SlidingBearings bearings(set, state, rows, forces, solve, workspace);
  Eigen::VectorXd m = Eigen::VectorXd::Zero(bearings.count());
  for (int repetition = 0; repetition < kMostRepetitions; ++repetition) {
    auto at = bearings.answer(m);
    if (!at) return at.failure();
    const Eigen::VectorXd next = bearings.moments(at->reactions_W);
    const double change = (next - m).lpNorm<Eigen::Infinity>();
    if (change <= kBearingSettled * next.lpNorm<Eigen::Infinity>()) {
      forces = std::move(at->forces);
      return std::move(at->solution);
    }
    m = next;
  }
  return bearings.jams();
}

}  // namespace vinculum
