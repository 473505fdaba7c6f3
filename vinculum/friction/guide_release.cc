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

constexpr double kLessFriction = 1e-5;  // of all friction
constexpr double kAccelerates = 1e-4;   // of the slip without friction: less is the moment at which it begins
constexpr double kFirstSlip = 1e-7;     // of the velocity scale
constexpr double kNoSlip = 1e-12;       // of the same
constexpr double kSameDirection = 1e-4, kFound = 1e-5, kFoundAtBound = 1e-2;

double wrap(double angle) { return std::remainder(angle, 2 * M_PI); }

class ReleaseProblem {
 public:
  ReleaseProblem(const ConstraintSet& set, const State& state, const ConstraintRows& rows, std::vector<int> released,
                 const GuideBlock& block, Workspace& workspace)
      : set_(set), state_(state), rows_(rows), released_(std::move(released)), block_(block), workspace_(workspace) {}

  // What directions lead to: accelerations, and how far the slip of each point turns away from its direction.
  struct Look {
    bool realised = false;
    Eigen::VectorXd accelerations, turns;
    Eigen::VectorXd slips;  // two components for each point
    double least_slip() const { return slips.reshaped(2, slips.size() / 2).colwise().norm().minCoeff(); }
    std::vector<int> modes;
  };

  // Friction against these vectors in the faces, two components for each point; the shorter than 1 they are, the less.
  Outcome<Look> look_against(const Eigen::VectorXd& w) {
    SlideGuess guess;
    guess.directions_W.resize(set_.model.face_pairs().size());
    guess.friction = friction_;
    ConstraintSet set = set_;
    std::vector<int> modes = set.modes;
    for (size_t i = 0; i < released_.size(); ++i) {
      const PairState& pair = rows_.pairs[released_[i]];
      const auto at = 2 * static_cast<Eigen::Index>(i);
      const Vector3 u = w[at] * pair.in_face_W[0] + w[at + 1] * pair.in_face_W[1];
      guess.directions_W[released_[i]] = u;
      modes[set.model.face_pairs()[released_[i]].slide_mode] = dot(u, pair.forward_W) < 0 ? kBackward : kForward;
    }
    set.set_modes(modes);
    const Outcome<GuideReduction> all = reduce_guides(set, state_, workspace_, &guess);
    if (!all) return all.failure();
    GuideReduction reduction = restrict_to_block(*all, block_);
    Outcome<Variants> variants = find_variants(reduction.problem, reduction.names);
    if (!variants) return variants.failure();
    GuideVariants found{std::move(reduction), std::move(*variants)};
    Look look;
    if (found.chosen() == nullptr) {
      jammed_ = std::move(found);
      return look;
    }
    look.realised = true;
    look.accelerations = found.reduction.accelerations(found.chosen()->signed_reactions);
    load_faces(set, rows_, found.reduction.pairs, found.chosen()->signed_reactions, found.reduction.problem.unit);
    look.modes = set.modes;
    look.slips.resize(w.size());
    look.turns.resize(w.size() / 2);
    for (size_t i = 0; i < released_.size(); ++i) {
      const Vector3 s = slip_acceleration(set, released_[i], look.accelerations);
      const auto at = static_cast<Eigen::Index>(i);
      const PairState& pair = rows_.pairs[released_[i]];
      look.slips.segment(2 * at, 2) << dot(s, pair.in_face_W[0]), dot(s, pair.in_face_W[1]);
      look.turns[at] = wrap(std::atan2(look.slips[2 * at + 1], look.slips[2 * at]) - std::atan2(w[2 * at + 1], w[2 * at]));
    }
    return look;
  }

  Outcome<Look> look(const Eigen::VectorXd& angles) {
    Eigen::VectorXd w(2 * angles.size());
    for (Eigen::Index i = 0; i < angles.size(); ++i) w.segment(2 * i, 2) << std::cos(angles[i]), std::sin(angles[i]);
    return look_against(w);
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
    drive_ = free->slips.cwiseAbs().maxCoeff();
    if (!(drive_ > 0)) return found;
    constexpr int kLooks = 48;
    for (int i = 0; i < (m == 1 ? kLooks : 1); ++i) {
      const auto angles = m == 1
                              ? find_between(free->turns + Eigen::VectorXd::Constant(1, 2 * M_PI * i / kLooks), 2 * M_PI / kLooks)
                              : follow_smoothed(free->slips);
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
    for (size_t i = 0; i < leaving.v.size(); ++i)
      leaving.v[i] += kFirstSlip * set.model.scales().velocity / least * dv[static_cast<Eigen::Index>(i)];
    return leaving;
  }

 private:
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

  // Several points: friction against  w = s/√(|s|² + ε²)  of their slip s, smooth and, with the loads as they are, the least of a
  // convex function; ε comes down from the slip without friction until what slides has all of its friction. Newton's steps on
  // s - S(w(s)) = 0 . A point that would have to stick keeps |w| < 1, and this is no choice then.
  Outcome<std::optional<Eigen::VectorXd>> follow_smoothed(Eigen::VectorXd s) {
    using None = std::optional<Eigen::VectorXd>;
    constexpr double kSmoothest = 1e-12, kLess = 0.3, kDifference = 1e-4, kAll = 0.999, kNearEnough = 1e-4;
    constexpr int kSteps = 30, kSameS = 4;
    const Eigen::Index m = s.size() / 2;
    Eigen::VectorXd w(s.size());
    Eigen::MatrixXd dw = Eigen::MatrixXd::Zero(s.size(), s.size()), by_w = dw;
    const auto smooth = [&](double epsilon) {
      for (Eigen::Index i = 0; i < m; ++i) {
        const Eigen::Vector2d slip = s.segment(2 * i, 2);
        const double size = std::sqrt(slip.squaredNorm() + epsilon * epsilon);
        w.segment(2 * i, 2) = slip / size;
        dw.block(2 * i, 2 * i, 2, 2) = (Eigen::Matrix2d::Identity() - slip * slip.transpose() / (size * size)) / size;
      }
    };
    for (double epsilon = drive_; epsilon > kSmoothest * drive_; epsilon *= kLess) {
      double before = HUGE_VAL;
      Eigen::VectorXd last = s, step = Eigen::VectorXd::Zero(s.size());
      for (int i = 0; i < kSteps; ++i) {
        smooth(epsilon);
        const auto at = look_against(w);
        if (!at) return at.failure();
        if (!at->realised) return None();
        const Eigen::VectorXd rest = s - at->slips;
        // Halved where it is no better than before.
        if (rest.norm() >= before && step.norm() > 1e-14 * drive_) {
          step *= 0.5;
          s = last + step;
          continue;
        }
        before = rest.norm();
        if (before <= std::max(1e-15 * drive_, kNearEnough * epsilon)) break;
        // S is almost linear in w.
        for (Eigen::Index k = 0; k < s.size() && i % kSameS == 0; ++k) {
          const auto more = look_against(w + kDifference * Eigen::VectorXd::Unit(s.size(), k));
          if (!more) return more.failure();
          if (!more->realised) return None();
          by_w.col(k) = (more->slips - at->slips) / kDifference;
        }
        const Eigen::MatrixXd J = Eigen::MatrixXd::Identity(s.size(), s.size()) - by_w * dw;
        last = s;
        step = J.fullPivLu().solve(-rest);
        if (!step.allFinite()) return None();
        s += step;
      }
    }
    smooth(kSmoothest * drive_);
    Eigen::VectorXd angles(m);
    for (Eigen::Index i = 0; i < m; ++i) {
      if (w.segment(2 * i, 2).norm() < kAll) return None();
      angles[i] = std::atan2(w[2 * i + 1], w[2 * i]);
    }
    const auto end = look(angles);
    if (!end) return end.failure();
    const double allowed = friction_ < 1 ? kFoundAtBound : kFound;
    return end->realised && end->turns.cwiseAbs().maxCoeff() < allowed ? None(angles) : None();
  }

  const ConstraintSet& set_;
  const State& state_;
  const ConstraintRows& rows_;
  std::vector<int> released_;
  const GuideBlock& block_;
  Workspace& workspace_;
  double friction_ = 1, drive_ = 0;
  std::optional<GuideVariants> jammed_;
};

}  // namespace

Outcome<GuideReleases> find_releases(const ConstraintSet& set, const State& state, const std::vector<int>& released,
                                     const GuideBlock& block, Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  ReleaseProblem problem(set, state, *rows, released, block, workspace);
  GuideReleases releases;
  for (const bool begins : {false, true}) {
    const auto solutions = problem.solve(begins ? 1 - kLessFriction : 1);
    if (!solutions) return solutions.failure();
    for (const Eigen::VectorXd& angles : *solutions) {
      const auto look = problem.look(angles);
      if (!look) return look.failure();
      const double least = look->least_slip();
      const bool moves = least > kAccelerates * problem.drive();
      // A motion that does not need a trace less is found without it; and none is made of round-off.
      if (moves == begins || !(least > kNoSlip * problem.drive())) continue;
      releases.found.push_back({problem.leave(*look), look->modes, look->accelerations, begins});
    }
    if (!releases.found.empty()) break;
  }
  if (releases.found.empty()) releases.jammed = problem.take_jammed();
  return releases;
}

}  // namespace vinculum
