// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/math/dense.h"
#include "vinculum/strings/steady_search.h"

namespace vinculum {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A point (y, ψ) of a branch. The rate is measured in units of `unit`, so that angles and rate weigh alike.
struct BranchPoint {
  VectorXd z;  // y, then ψ/unit
  VectorXd tangent;
  double determinant = 0;  // of ∂F/∂y
};

class BranchTracer {
 public:
  BranchTracer(const BoundedForm& form, double unit) : form_(form), unit_(unit) {}

  double rate(const VectorXd& z) const { return unit_ * z[z.size() - 1]; }
  VectorXd angles(const VectorXd& z) const { return z.head(z.size() - 1); }

  // On the branch, and normal · z = value.
  std::optional<VectorXd> correct(VectorXd z, const VectorXd& normal, double value) const {
    const int m = form_.size();
    double before = HUGE_VAL;
    for (int step = 0; step < 12; ++step) {
      VectorXd F(m + 1);
      F << form_.residual(angles(z), rate(z)), normal.dot(z) - value;
      const VectorXd change = solve_square(derivative(z, normal), F).x;
      const double length = change.norm();
      if (!std::isfinite(length) || (step > 2 && length > 2 * before)) return std::nullopt;
      z -= change;
      if (length < 1e-13 * (1 + z.norm()) || (step > 3 && length < 1e-11)) return z;
      before = length;
    }
    return std::nullopt;
  }

  // The unit tangent, on the side of `towards`.
  BranchPoint with_tangent(const VectorXd& z, const VectorXd& towards) const {
    const int m = form_.size();
    VectorXd right = VectorXd::Zero(m + 1);
    right[m] = 1;
    BranchPoint point{z, solve_square(derivative(z, towards), right).x, 0};
    point.tangent /= point.tangent.norm();
    point.determinant = solve_square(form_.jacobian(angles(z), rate(z)), VectorXd::Zero(m)).determinant;
    return point;
  }

  std::optional<BranchPoint> step(const BranchPoint& from, double length) const {
    const VectorXd guess = from.z + length * from.tangent;
    const auto z = correct(guess, from.tangent, from.tangent.dot(guess));
    if (!z || (*z - guess).norm() > 0.3 * length) return std::nullopt;
    BranchPoint point = with_tangent(*z, from.tangent);
    if (!point.tangent.allFinite() || point.tangent.dot(from.tangent) < 0.8) return std::nullopt;
    return point;
  }

 private:
  MatrixXd derivative(const VectorXd& z, const VectorXd& normal) const {
    const int m = form_.size();
    MatrixXd A(m + 1, m + 1);
    A << form_.jacobian(angles(z), rate(z)), unit_ * form_.rate_derivative(angles(z), rate(z)), normal.transpose();
    return A;
  }

  const BoundedForm& form_;
  double unit_;
};

VectorXd angles_of(const SteadyMotion& motion) {
  const size_t n = motion.tilts.size();
  VectorXd y(2 * n);
  for (size_t i = 0; i < n; ++i) {
    y[i] = motion.tilts[i];
    y[n + i] = motion.angles[i];
  }
  return y;
}

}  // namespace

Outcome<SteadyMotion> find_branch_start(const BoundedForm& form, const CriticalRate& critical, const Sides& sides,
                                        double amplitude) {
  const int n = form.tree().size(), m = 2 * n;
  VectorXd y0 = VectorXd::Zero(m), normal = VectorXd::Zero(m + 1);
  for (int i = 0; i < n; ++i) y0[i] = sides[i] < 0 ? std::numbers::pi : 0;
  normal.head(m) = critical.direction;
  const BranchTracer tracer(form, critical.rate);
  VectorXd z(m + 1);
  z << y0, 1;
  const double foot = normal.dot(z);

  // In small steps of the amplitude, halved where Newton's method does not follow.
  double reached = 0, step = std::min(amplitude, 0.02);
  VectorXd before = z;
  double before_amplitude = 0;
  while (reached < amplitude) {
    const double next = std::min(amplitude, reached + step);
    VectorXd guess = z + (next - reached) * normal;
    if (before_amplitude < reached) guess = z + (next - reached) / (reached - before_amplitude) * (z - before);
    const auto corrected = tracer.correct(guess, normal, foot + next);
    if (!corrected || (*corrected - guess).norm() > 0.5) {
      step /= 2;
      if (step < 1e-7)
        return Failure{"VN-STEADY-010",
                       fmt::format("the branch from {:g} rad/s could be followed to the amplitude {:g} and not to {:g}",
                                   critical.rate, reached, amplitude),
                       "it turns back there; choose a smaller amplitude and follow it with --to-rate"};
      continue;
    }
    before = z;
    before_amplitude = reached;
    z = *corrected;
    reached = next;
    step = std::min(1.5 * step, 0.05);
  }
  return form.motion(tracer.angles(z), tracer.rate(z));
}

SteadyBranch follow_branch(const BoundedForm& form, const SteadyMotion& start, const CriticalRate& critical, double to_rate,
                           const AskStop& stop) {
  const int m = form.size();
  const BranchTracer tracer(form, critical.rate);
  SteadyBranch branch;
  const auto record = [&](const VectorXd& z, SteadyBranch::Point::Kind kind) {
    branch.points.push_back({form.motion(tracer.angles(z), tracer.rate(z)), kind});
  };

  VectorXd z(m + 1), outward(m + 1);
  z << angles_of(start), start.rate / critical.rate;
  outward << critical.direction, 0;
  // Angles of a standing body may have been wrapped: the tangent does not mind.
  BranchPoint here = tracer.with_tangent(z, outward);
  record(z, SteadyBranch::Point::Kind::regular);
  double length = 0.01;
  constexpr int kMostSteps = 1500;
  for (int count = 0; count < kMostSteps; ++count) {
    if (is_stopped(stop)) {
      branch.end = stopped_failure().message;
      return branch;
    }
    auto next = tracer.step(here, length);
    if (!next) {
      length /= 2;
      if (length > 1e-9) continue;
      branch.end = fmt::format("no continuation beyond {:.6g} rad/s", tracer.rate(here.z));
      return branch;
    }
    const double rate = tracer.rate(here.z), next_rate = tracer.rate(next->z);
    if ((rate - to_rate) * (next_rate - to_rate) <= 0 && rate != to_rate) {
      VectorXd normal = VectorXd::Zero(m + 1);
      normal[m] = 1;
      const double share = (to_rate - rate) / (next_rate - rate);
      const auto last = tracer.correct(here.z + share * (next->z - here.z), normal, to_rate / critical.rate);
      if (last) {
        record(*last, SteadyBranch::Point::Kind::regular);
        branch.reached = true;
        return branch;
      }
    }
    // A fold: the rate turns back. A branch point: the Jacobian is singular while it does not. Located by halving the step.
    const bool fold = here.tangent[m] * next->tangent[m] < 0, singular = here.determinant * next->determinant < 0;
    if (fold || singular) {
      BranchPoint low = here, high = *next;
      double within = length;
      for (int halving = 0; halving < 40 && within > 1e-12; ++halving) {
        within /= 2;
        const auto middle = tracer.step(low, within);
        if (!middle) break;
        const bool in_first = fold ? low.tangent[m] * middle->tangent[m] < 0 : low.determinant * middle->determinant < 0;
        (in_first ? high : low) = *middle;
      }
      record(high.z, fold ? SteadyBranch::Point::Kind::fold : SteadyBranch::Point::Kind::branch_point);
    }
    here = *next;
    record(here.z, SteadyBranch::Point::Kind::regular);
    const SteadyMotion& motion = branch.points.back().motion;
    if (!motion.feasible()) {
      branch.end = motion.detail;
      branch.points.pop_back();
      return branch;
    }
    if (tracer.rate(here.z) / critical.rate < 1e-3) {
      branch.end = "the rate goes to zero";
      return branch;
    }
    length = std::min(1.3 * length, 0.05);
  }
  branch.end = fmt::format("{} steps ended at {:.6g} rad/s", kMostSteps, tracer.rate(here.z));
  return branch;
}

void locate_stability_changes(const BoundedForm& form, const CriticalRate& critical, SteadyBranch& branch, const AskStop& stop) {
  const int m = form.size();
  const BranchTracer tracer(form, critical.rate);
  const auto place = [&](const SteadyMotion& motion) {
    VectorXd z(m + 1);
    z << angles_of(motion), motion.rate / critical.rate;
    return z;
  };
  const auto judge = [&](const SteadyMotion& motion) { return analyse_stability(form.tree(), motion).verdict; };
  std::vector<SteadyBranch::Point> points;
  SteadyVerdict before = SteadyVerdict::stable;
  for (size_t k = 0; k < branch.points.size(); ++k) {
    const bool stopped = is_stopped(stop);
    const SteadyVerdict now = stopped ? before : judge(branch.points[k].motion);
    if (k > 0 && now != before) {
      const VectorXd from = place(branch.points[k - 1].motion);
      // Angles are kept within a turn: the way to the next point is the short one.
      VectorXd chord = place(branch.points[k].motion) - from;
      for (int a = 0; a < m; ++a) chord[a] = std::remainder(chord[a], 2 * std::numbers::pi);
      // Motions on the planes across the chord; the verdict of the low end is the old one, that of the high end the new one.
      const VectorXd normal = chord / chord.norm();
      const double foot = normal.dot(from), length = chord.norm();
      double low = 0, high = 1;
      SteadyMotion found = branch.points[k].motion;
      while (high - low > 1e-12) {
        const double middle = 0.5 * (low + high);
        const auto z = tracer.correct(from + middle * chord, normal, foot + middle * length);
        if (!z) break;
        SteadyMotion motion = form.motion(tracer.angles(*z), tracer.rate(*z));
        const bool is_new = judge(motion) == now;
        (is_new ? high : low) = middle;
        if (is_new) found = std::move(motion);
      }
      points.push_back({std::move(found), SteadyBranch::Point::Kind::stability_change});
    }
    before = now;
    points.push_back(branch.points[k]);
  }
  branch.points = std::move(points);
}

}  // namespace vinculum
