// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/slip_process.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

namespace vinculum {

namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();
constexpr double kNoSlip = 1e-14;  // of the speeds before the impact

// (ln|s| or |s|, angle, c, p, work of the normal) of a slip that turns.
using TurningSlip = std::array<double, 5>;

class SlipProcess {
 public:
  SlipProcess(const StruckContact& contact, const ImpactLaw& law)
      : t_(contact.W.rows() - 1),
        W_tt_(contact.W.topLeftCorner(t_, t_)),
        W_tn_(contact.W.topRightCorner(t_, 1)),
        W_nt_(contact.W.bottomLeftCorner(1, t_)),
        W_nn_(contact.W(t_, t_)),
        mu_(contact.friction),
        law_(law),
        s_before_(contact.rates.head(t_)),
        s_(s_before_),
        c_(contact.rates[t_]),
        speed_(contact.rates.lpNorm<Eigen::Infinity>()) {}

  std::optional<Eigen::VectorXd> go() {
    constexpr int kMostPieces = 16;
    for (int piece = 0; piece < kMostPieces; ++piece) {
      const bool slips = s_.norm() > kNoSlip * speed_;
      const bool ends = slips && t_ == 2 && !is_straight() ? turn() : go_straight(slips);
      if (failed_) return std::nullopt;
      if (ends) return impulses();
    }
    return std::nullopt;
  }

 private:
  Eigen::VectorXd impulses() const {
    // The tangential impulse is what has changed the slip: s⁺ = s⁻ + W_tt P_t + W_tn p.
    Eigen::VectorXd R(t_ + 1);
    R.head(t_) = W_tt_.ldlt().solve(s_ - s_before_ - W_tn_ * p_);
    R[t_] = p_;
    return R;
  }

  // Friction per unit of p where it slips along e, or from no slip.
  Eigen::VectorXd friction_from_rest() const {
    const Eigen::VectorXd stuck = -W_tt_.ldlt().solve(W_tn_);
    if (stuck.norm() <= mu_) return stuck;
    // (mu W_tt + a) e = W_tn , |e| = 1: in the axes of W_tt the length falls with a.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(W_tt_);
    const Eigen::VectorXd z = axes.eigenvectors().transpose() * W_tn_;
    const auto along = [&](double a) -> Eigen::VectorXd {
      return z.cwiseQuotient((mu_ * axes.eigenvalues().array() + a).matrix());
    };
    double low = 0, high = z.norm();
    for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
      const double middle = (low + high) / 2;
      (along(middle).norm() > 1 ? low : high) = middle;
    }
    return -mu_ * (axes.eigenvectors() * along(high)).normalized();
  }

  // A slip in the direction that friction leaves it does not turn.
  bool is_straight() const {
    const Eigen::VectorXd e = s_.normalized(), a = W_tn_ - mu_ * W_tt_ * e;
    return std::abs(e[0] * a[1] - e[1] * a[0]) <= 1e-14 * (W_tn_.norm() + mu_ * W_tt_.norm());
  }

  // p left to the end of the phase while c = c + g p: to c = 0 in compression, to the end of the law in expansion.
  double left(double g) const {
    if (!compressed_) return g > 0 ? -c_ / g : kNoEnd;
    if (law_.kind == ImpactLaw::Kind::poisson) return std::max((1 + law_.coefficient) * p_c_ - p_, 0.0);
    // work + c x + g x²/2 = allowed
    const double rest = allowed_ - work_;
    if (!(rest > 0)) return 0;
    if (g == 0) return c_ > 0 ? rest / c_ : kNoEnd;
    const double discriminant = c_ * c_ + 2 * g * rest;
    if (discriminant < 0) return -c_ / g;  // the gap stops opening before: no more work is done
    return 2 * rest / (c_ + std::sqrt(discriminant));
  }

  void advance(const Eigen::VectorXd& slope, double g, double by) {
    s_ += slope * by;
    work_ += by * (c_ + g * by / 2);
    c_ += g * by;
    p_ += by;
  }

  // True at the end of the impact.
  bool end_phase() {
    if (compressed_) {
      failed_ = c_ < -1e-12 * speed_;
      return true;
    }
    compressed_ = true;
    c_ = 0;
    p_c_ = p_;
    allowed_ = -law_.coefficient * law_.coefficient * work_;
    work_ = 0;
    return law_.coefficient == 0;
  }

  // One straight piece: to the end of the slip, of the phase, or of the impact.
  bool go_straight(bool slips) {
    if (!slips) s_.setZero();
    const Eigen::VectorXd k = slips ? Eigen::VectorXd(-mu_ * s_.normalized()) : friction_from_rest();
    const Eigen::VectorXd slope = W_tt_ * k + W_tn_;
    const double g = W_nt_.row(0).dot(k) + W_nn_;
    // |s| falls along its own direction.
    const double fall = slips ? -slope.dot(s_.normalized()) : 0, to_no_slip = fall > 0 ? s_.norm() / fall : kNoEnd;
    const double to_end = left(g);
    if (to_end == kNoEnd && to_no_slip == kNoEnd) {
      failed_ = true;
      return true;
    }
    const bool sticks = !slips && k.norm() < mu_;
    advance(sticks ? Eigen::VectorXd::Zero(t_) : slope, g, std::min(to_end, to_no_slip));
    if (to_no_slip < to_end) {
      s_.setZero();
      return false;
    }
    return end_phase();
  }

  // Rates over dτ = dp/|s|:  (ln|s|)' = e·a , angle' = e⊥·a , c' = |s| (W_nn - mu W_nt e) , p' = |s| , work' = |s| c
  TurningSlip rates_of(const TurningSlip& y) const {
    const double r = std::exp(y[0]);
    const Eigen::Vector2d e(std::cos(y[1]), std::sin(y[1])), across(-e[1], e[0]);
    const Eigen::Vector2d a = W_tn_ - mu_ * W_tt_ * e;
    return {e.dot(a), across.dot(a), r * (W_nn_ - mu_ * W_nt_.row(0).dot(e)), r, r * y[2]};
  }

  // One step of Dormand and Prince's method of order 5, and the distance from that of order 4.
  std::pair<TurningSlip, double> step_of(const TurningSlip& y, double h) const {
    static constexpr double kA[6][6] = {{1.0 / 5},
                                        {3.0 / 40, 9.0 / 40},
                                        {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double kError[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    std::array<TurningSlip, 7> k;
    k[0] = rates_of(y);
    TurningSlip at{};
    for (int i = 0; i < 6; ++i) {
      at = y;
      for (int j = 0; j <= i; ++j) {
        for (size_t n = 0; n < at.size(); ++n) at[n] += h * kA[i][j] * k[j][n];
      }
      k[i + 1] = rates_of(at);
    }
    double error = 0;
    const double size[5] = {1, 1, speed_, p_scale_, speed_ * p_scale_};
    for (size_t n = 0; n < at.size(); ++n) {
      double difference = 0;
      for (int j = 0; j < 7; ++j) difference += h * kError[j] * k[j][n];
      error = std::max(error, std::abs(difference) / size[n]);
    }
    return {at, error};
  }

  // Positive until the phase ends.
  double before_end(const TurningSlip& y) const {
    if (!compressed_) return -y[2];
    return law_.kind == ImpactLaw::Kind::poisson ? (1 + law_.coefficient) * p_c_ - y[3] : allowed_ - y[4];
  }

  // A slip that turns, to its end or that of the phase.
  bool turn() {
    constexpr double kTolerance = 1e-14;
    constexpr int kMostSteps = 20000;
    p_scale_ = speed_ / W_nn_;
    TurningSlip y{std::log(s_.norm()), std::atan2(s_[1], s_[0]), c_, p_, work_};
    const double still = std::log(kNoSlip * speed_);
    double h = 1e-3 / (W_tn_.norm() + mu_ * W_tt_.norm());
    const auto take = [&](const TurningSlip& at) {
      const double r = std::exp(at[0]);
      s_ = Eigen::Vector2d(r * std::cos(at[1]), r * std::sin(at[1]));
      c_ = at[2], p_ = at[3], work_ = at[4];
    };
    for (int i = 0; i < kMostSteps; ++i) {
      const auto [next, error] = step_of(y, h);
      if (!(error <= kTolerance)) {
        h *= std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(kTolerance / error, 0.2)) : 0.1;
        continue;
      }
      if (before_end(next) <= 0) {
        double low = 0, high = h;
        for (int k = 0; k < 100 && high - low > 1e-16 * h; ++k) {
          const double middle = (low + high) / 2;
          (before_end(step_of(y, middle).first) > 0 ? low : high) = middle;
        }
        take(step_of(y, high).first);
        return end_phase();
      }
      if (next[0] < still) {  // what is left of p is below round-off
        take(next);
        s_.setZero();
        return false;
      }
      // A gap that closes again has no end of expansion by its law.
      if (compressed_ && next[2] < -1e-12 * speed_) break;
      y = next;
      h *= std::min(5.0, 0.9 * std::pow(kTolerance / std::max(error, 1e-30), 0.2));
    }
    failed_ = true;
    return true;
  }

  Eigen::Index t_;
  Eigen::MatrixXd W_tt_;
  Eigen::VectorXd W_tn_;
  Eigen::MatrixXd W_nt_;
  double W_nn_, mu_;
  const ImpactLaw& law_;
  Eigen::VectorXd s_before_, s_;
  double c_, speed_;
  double p_ = 0, work_ = 0;  // of the phase
  bool compressed_ = false, failed_ = false;
  double p_c_ = 0, allowed_ = 0;
  double p_scale_ = 1;
};

}  // namespace

std::optional<Eigen::VectorXd> follow_slip_of_impact(const StruckContact& contact, const ImpactLaw& law) {
  return SlipProcess(contact, law).go();
}

}  // namespace vinculum
