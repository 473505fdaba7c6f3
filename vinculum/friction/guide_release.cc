// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_release.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/constraints/guide_friction.h"

namespace vinculum {

namespace {

constexpr double kLessFriction = 1e-6;  // of all friction
constexpr double kAccelerates = 1e-5;   // of the slip without friction: less is the moment at which it begins
constexpr double kFirstSlip = 1e-7;     // [m/s]
constexpr double kNoSlip = 1e-12;       // of the same
constexpr double kSameDirection = 1e-4, kFound = 1e-6;

double wrap(double angle) { return std::remainder(angle, 2 * M_PI); }

class ReleaseProblem {
 public:
  ReleaseProblem(const ConstraintSet& set, const State& state, const ConstraintRows& rows, std::vector<int> released,
                 Workspace& workspace)
      : set_(set), state_(state), rows_(rows), released_(std::move(released)), workspace_(workspace) {}

  // What directions lead to: accelerations, and how far the slip of each point turns away from its direction.
  struct Look {
    bool realised = false;
    Eigen::VectorXd accelerations, turns;
    std::vector<double> slips;  // their sizes
    std::vector<int> modes;
  };

  Outcome<Look> look(const Eigen::VectorXd& angles) {
    SlideGuess guess;
    guess.directions_W.resize(set_.model.face_pairs().size());
    guess.friction = friction_;
    ConstraintSet set = set_;
    std::vector<int> modes = set.modes;
    for (size_t i = 0; i < released_.size(); ++i) {
      const Vector3 u = direction(i, angles[static_cast<Eigen::Index>(i)]);
      guess.directions_W[released_[i]] = u;
      modes[set.model.face_pairs()[released_[i]].slide_mode] =
          dot(u, rows_.pairs[released_[i]].forward_W) < 0 ? kBackward : kForward;
    }
    set.set_modes(modes);
    Outcome<GuideReduction> reduction = reduce_guides(set, state_, workspace_, &guess);
    if (!reduction) return reduction.failure();
    Outcome<Variants> variants = find_variants(reduction->problem, reduction->names);
    if (!variants) return variants.failure();
    GuideVariants found{std::move(*reduction), std::move(*variants)};
    Look look;
    if (found.chosen() == nullptr) {
      jammed_ = std::move(found);
      return look;
    }
    look.realised = true;
    look.accelerations = found.reduction.accelerations(found.chosen()->signed_reactions);
    load_faces(set, found.chosen()->signed_reactions, found.reduction.problem.unit);
    look.modes = set.modes;
    look.turns.resize(angles.size());
    for (size_t i = 0; i < released_.size(); ++i) {
      const Vector3 s = slip_acceleration(set, released_[i], look.accelerations);
      const auto at = static_cast<Eigen::Index>(i);
      const PairState& pair = rows_.pairs[released_[i]];
      look.slips.push_back(norm(s));
      look.turns[at] = wrap(std::atan2(dot(s, pair.in_face_W[1]), dot(s, pair.in_face_W[0])) - angles[at]);
    }
    return look;
  }

  // All directions that agree with themselves, with this part of the friction.
  Outcome<std::vector<Eigen::VectorXd>> solve(double friction) {
    friction_ = 0;
    const auto m = static_cast<Eigen::Index>(released_.size());
    const Outcome<Look> free = look(Eigen::VectorXd::Zero(m));
    if (!free) return free.failure();
    friction_ = friction;
    std::vector<Eigen::VectorXd> found;
    if (!free->realised) return found;
    drive_ = *std::max_element(free->slips.begin(), free->slips.end());
    if (!(drive_ > 0)) return found;
    constexpr int kStarts = 8, kLooks = 48;
    for (int i = 0; i < (m == 1 ? kLooks : kStarts); ++i) {
      const Eigen::VectorXd start = free->turns + Eigen::VectorXd::Constant(m, 2 * M_PI * i / (m == 1 ? kLooks : kStarts));
      const auto angles = m == 1 ? find_between(start, 2 * M_PI / kLooks) : iterate(start);
      if (!angles) return angles.failure();
      if (!*angles) continue;
      const auto same = [&](const Eigen::VectorXd& other) {
        return (other - **angles).unaryExpr(&wrap).cwiseAbs().maxCoeff() < kSameDirection;
      };
      if (std::none_of(found.begin(), found.end(), same)) found.push_back(**angles);
    }
    return found;
  }

  double drive() const { return drive_; }
  std::optional<GuideVariants> take_jammed() { return std::move(jammed_); }

  // The state that slips in the directions of these accelerations: D dv = 0 , J_k dv = s_k , as small as it can be.
  State leave(const Look& look) const {
    ConstraintSet set = set_;
    set.set_modes(look.modes);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows_.D.transpose());
    const Eigen::MatrixXd Q = qr.householderQ();
    const Eigen::MatrixXd allowed = Q.rightCols(Q.cols() - qr.rank());
    Eigen::MatrixXd J(3 * static_cast<Eigen::Index>(released_.size()), Q.cols());
    Eigen::VectorXd s(J.rows());
    double least = HUGE_VAL;
    for (size_t i = 0; i < released_.size(); ++i) {
      const int face = set.modes[set.model.face_pairs()[released_[i]].mode] == kFace1 ? 0 : 1;
      const Vector3 slip = slip_acceleration(set, released_[i], look.accelerations);
      const auto at = 3 * static_cast<Eigen::Index>(i);
      J.middleRows(at, 3) = compute_slide_jacobian(set, rows_, released_[i], face);
      s.segment(at, 3) << slip.x, slip.y, slip.z;
      least = std::min(least, norm(slip));
    }
    const Eigen::VectorXd dv = allowed * (J * allowed).completeOrthogonalDecomposition().solve(s);
    State leaving = state_;
    for (size_t i = 0; i < leaving.v.size(); ++i) leaving.v[i] += kFirstSlip / least * dv[static_cast<Eigen::Index>(i)];
    return leaving;
  }

 private:
  Vector3 direction(size_t i, double angle) const {
    const PairState& pair = rows_.pairs[released_[i]];
    return std::cos(angle) * pair.in_face_W[0] + std::sin(angle) * pair.in_face_W[1];
  }

  Vector3 slip_acceleration(const ConstraintSet& set, int k, const Eigen::VectorXd& accelerations) const {
    const int face = set.modes[set.model.face_pairs()[k].mode] == kFace1 ? 0 : 1;
    const FaceState& at = rows_.pairs[k].faces[face];
    const Eigen::Vector3d s = compute_slide_jacobian(set, rows_, k, face) * accelerations;
    return Vector3{s[0], s[1], s[2]} + at.bias_W - dot(at.bias_W, at.normal_W) * at.normal_W;
  }

  // The slip turns through zero between two angles of one point, with the slip and not against it.
  Outcome<std::optional<Eigen::VectorXd>> find_between(const Eigen::VectorXd& start, double width) {
    Eigen::VectorXd low = start, high = start;
    high[0] += width;
    auto at_low = look(low), at_high = look(high);
    if (!at_low) return at_low.failure();
    if (!at_high) return at_high.failure();
    using None = std::optional<Eigen::VectorXd>;
    if (!at_low->realised || !at_high->realised) return None();
    if (std::abs(at_low->turns[0]) + std::abs(at_high->turns[0]) > M_PI) return None();
    if (at_low->turns[0] == 0) return None(low);
    if ((at_low->turns[0] > 0) == (at_high->turns[0] > 0)) return None();
    for (int i = 0; i < 60; ++i) {
      Eigen::VectorXd middle = 0.5 * (low + high);
      auto between = look(middle);
      if (!between) return between.failure();
      if (!between->realised) return None();
      ((between->turns[0] > 0) == (at_low->turns[0] > 0) ? low : high) = middle;
    }
    // Where faces change the slip may jump past its direction.
    const auto end = look(low);
    if (!end) return end.failure();
    return end->realised && std::abs(end->turns[0]) < kFound ? None(low) : None();
  }

  // Damped steps towards the slip, then Newton's.
  Outcome<std::optional<Eigen::VectorXd>> iterate(Eigen::VectorXd angles) {
    using None = std::optional<Eigen::VectorXd>;
    constexpr int kApproaches = 60, kSteps = 20;
    constexpr double kDamping = 0.3, kNear = 1e-3, kDifference = 1e-6;
    const Eigen::Index m = angles.size();
    for (int i = 0; i < kApproaches; ++i) {
      const auto at = look(angles);
      if (!at) return at.failure();
      if (!at->realised) return None();
      angles += kDamping * at->turns;
      if (at->turns.cwiseAbs().maxCoeff() < kNear) break;
    }
    for (int i = 0; i < kSteps; ++i) {
      const auto at = look(angles);
      if (!at) return at.failure();
      if (!at->realised) return None();
      Eigen::MatrixXd J(m, m);
      for (Eigen::Index k = 0; k < m; ++k) {
        const auto more = look(angles + kDifference * Eigen::VectorXd::Unit(m, k));
        const auto less = look(angles - kDifference * Eigen::VectorXd::Unit(m, k));
        if (!more) return more.failure();
        if (!less) return less.failure();
        if (!more->realised || !less->realised) return None();
        J.col(k) = (more->turns - less->turns).unaryExpr(&wrap) / (2 * kDifference);
      }
      const Eigen::VectorXd step = J.fullPivLu().solve(-at->turns);
      if (!step.allFinite()) return None();
      angles += step * std::min(1.0, 0.3 / std::max(step.cwiseAbs().maxCoeff(), 1e-300));
      if (step.cwiseAbs().maxCoeff() < 1e-12) break;
    }
    const auto end = look(angles);
    if (!end) return end.failure();
    return end->realised && end->turns.cwiseAbs().maxCoeff() < kFound ? None(angles) : None();
  }

  const ConstraintSet& set_;
  const State& state_;
  const ConstraintRows& rows_;
  std::vector<int> released_;
  Workspace& workspace_;
  double friction_ = 1, drive_ = 0;
  std::optional<GuideVariants> jammed_;
};

}  // namespace

Outcome<GuideReleases> find_releases(const ConstraintSet& set, const State& state, const std::vector<int>& released,
                                     Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  ReleaseProblem problem(set, state, *rows, released, workspace);
  GuideReleases releases;
  for (const bool begins : {false, true}) {
    const auto solutions = problem.solve(begins ? 1 - kLessFriction : 1);
    if (!solutions) return solutions.failure();
    for (const Eigen::VectorXd& angles : *solutions) {
      const auto look = problem.look(angles);
      if (!look) return look.failure();
      const double least = *std::min_element(look->slips.begin(), look->slips.end());
      const bool moves = least > kAccelerates * problem.drive();
      // A motion that does not need a trace less is found without it; and none is made of round-off.
      if (moves == begins || !(least > kNoSlip * problem.drive())) continue;
      releases.found.push_back({problem.leave(*look), look->modes, look->accelerations});
    }
    if (!releases.found.empty()) break;
  }
  if (releases.found.empty()) releases.jammed = problem.take_jammed();
  return releases;
}

}  // namespace vinculum
