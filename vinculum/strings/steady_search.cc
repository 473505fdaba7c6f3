// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/steady_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kPi = std::numbers::pi;

double wrapped(double angle) { return std::remainder(angle, 2 * kPi); }

// The point of the torus reached by Newton's method with steps of at most a quarter turn, or none.
std::optional<VectorXd> solve_from(const BoundedForm& form, double rate, VectorXd y) {
  const double enough = 1e-13 * form.scale(rate);
  for (int step = 0; step < 60; ++step) {
    const VectorXd F = form.residual(y, rate);
    const VectorXd change = solve_square(form.jacobian(y, rate), F).x;
    const double length = change.cwiseAbs().maxCoeff();
    if (!std::isfinite(length)) return std::nullopt;
    y -= std::min(1.0, 0.25 * kPi / length) * change;
    if (length < 1e-9 && F.cwiseAbs().maxCoeff() < 1e4 * enough) {
      y -= solve_square(form.jacobian(y, rate), form.residual(y, rate)).x;
      if (!y.allFinite() || form.residual(y, rate).cwiseAbs().maxCoeff() > 1e3 * enough) return std::nullopt;
      return y.unaryExpr([](double angle) { return wrapped(angle); });
    }
  }
  return std::nullopt;
}

// Solutions on the torus, each once.
class Solutions {
 public:
  bool add(const VectorXd& y) {
    for (const VectorXd& known : list_) {
      double distance = 0;
      for (Eigen::Index a = 0; a < y.size(); ++a) distance = std::max(distance, std::abs(wrapped(y[a] - known[a])));
      if (distance < 1e-6) return false;
    }
    list_.push_back(y);
    return true;
  }
  const std::vector<VectorXd>& list() const { return list_; }

 private:
  std::vector<VectorXd> list_;
};

// Of two mirror images: the one whose first angle that is not zero is positive, then the first tilt with sin θ != 0.
bool is_representative(const VectorXd& y) {
  const Eigen::Index n = y.size() / 2;
  constexpr double kZero = 1e-9;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (std::abs(y[n + i]) > kZero) return y[n + i] > 0;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    if (std::abs(std::sin(y[i])) > kZero) return y[i] > 0;
  }
  return true;
}

}  // namespace

BoundedForm::BoundedForm(const StringTree& tree, std::vector<SpinLaw> laws) : tree_(tree), laws_(std::move(laws)) {}

double BoundedForm::scale(double rate) const {
  double scale = tree_.f.cwiseAbs().maxCoeff() + rate * rate *
                                                     (tree_.N.cwiseAbs().rowwise().sum().maxCoeff() +
                                                      tree_.carrier_radius * tree_.mass_moments.cwiseAbs().maxCoeff());
  for (int i = 0; i < tree_.size(); ++i)
    scale += std::abs(rate * laws_[i].value) * (laws_[i].is_momentum ? 1 : tree_.bodies[i].axial);
  return scale;
}

VectorXd BoundedForm::residual(const VectorXd& y, double rate) const {
  const VectorXd sines = y.array().sin(), cosines = y.array().cos();
  const VectorXd reach = tree_.N * sines + tree_.carrier_radius * tree_.mass_moments;
  VectorXd F = tree_.f.cwiseProduct(sines) - rate * rate * cosines.cwiseProduct(reach);
  for (int i = 0; i < tree_.size(); ++i) {
    const double C = tree_.bodies[i].axial;
    F[i] -= rate * sines[i] * (laws_[i].is_momentum ? laws_[i].value : C * (laws_[i].value - rate * cosines[i]));
  }
  return F;
}

MatrixXd BoundedForm::jacobian(const VectorXd& y, double rate) const {
  const VectorXd sines = y.array().sin(), cosines = y.array().cos();
  const VectorXd reach = tree_.N * sines + tree_.carrier_radius * tree_.mass_moments;
  MatrixXd J = -rate * rate * (cosines.asDiagonal() * tree_.N * cosines.asDiagonal());
  J.diagonal() += tree_.f.cwiseProduct(cosines) + rate * rate * sines.cwiseProduct(reach);
  for (int i = 0; i < tree_.size(); ++i) {
    const double C = tree_.bodies[i].axial;
    if (laws_[i].is_momentum)
      J(i, i) -= rate * laws_[i].value * cosines[i];
    else
      J(i, i) -= rate * C * (laws_[i].value * cosines[i] - rate * (cosines[i] * cosines[i] - sines[i] * sines[i]));
  }
  return J;
}

VectorXd BoundedForm::rate_derivative(const VectorXd& y, double rate) const {
  const VectorXd sines = y.array().sin(), cosines = y.array().cos();
  const VectorXd reach = tree_.N * sines + tree_.carrier_radius * tree_.mass_moments;
  VectorXd F = -2 * rate * cosines.cwiseProduct(reach);
  for (int i = 0; i < tree_.size(); ++i) {
    const double C = tree_.bodies[i].axial;
    F[i] -= sines[i] * (laws_[i].is_momentum ? laws_[i].value : C * (laws_[i].value - 2 * rate * cosines[i]));
  }
  return F;
}

SteadyMotion BoundedForm::motion(const VectorXd& y, double rate) const {
  const int n = tree_.size();
  SteadyMotion motion;
  motion.rate = rate;
  for (int a = 0; a < 2 * n; ++a) {
    (a < n ? motion.tilts : motion.angles).push_back(wrapped(y[a]));
    motion.x.push_back({0, std::sin(y[a]), -std::cos(y[a])});
  }
  for (int i = 0; i < n; ++i) {
    const double C = tree_.bodies[i].axial, e_z = motion.x[i].z;
    motion.momenta.push_back(laws_[i].is_momentum ? laws_[i].value : C * (laws_[i].value + rate * e_z));
    motion.spins.push_back(laws_[i].is_momentum ? laws_[i].value / C - rate * e_z : laws_[i].value);
    motion.above.push_back(e_z > 0);
    motion.free_spin.push_back(false);  // it is given
    const double cosine = -motion.x[n + i].z;
    motion.tensions.push_back(tree_.weight[i] / cosine);
    if (cosine > 0) continue;
    motion.reason = SteadyReason::compression;
    motion.detail = fmt::format("string '{}' would have to push", tree_.bodies[i].string);
  }
  return motion;
}

Outcome<SteadySearch> find_prescribed_motions(const StringTree& tree, double rate, const std::vector<SpinLaw>& laws,
                                              const AskStop& stop) {
  if (tree.size() > kMostSearched)
    return Failure{"VN-STEADY-011",
                   fmt::format("a search for all motions of {} bodies with given spins would be endless: {} at most", tree.size(),
                               kMostSearched),
                   "follow the branches that leave the vertical state: --branch K --to-rate R"};
  const BoundedForm form(tree, laws);
  const int m = form.size();
  Solutions found;
  SteadySearch search;
  int since_new = 0;
  const auto take = [&](const VectorXd& y) {
    if (!found.add(y)) return false;
    search.index_sum += solve_square(form.jacobian(y, rate), VectorXd::Zero(m)).determinant > 0 ? 1 : -1;
    return true;
  };
  const auto add = [&](const VectorXd& y) {
    bool is_new = take(y);
    if (!tree.is_off_axis()) is_new = take((-y).unaryExpr([](double angle) { return wrapped(angle); })) || is_new;
    since_new = is_new ? 0 : since_new + 1;
  };

  // The vertical states, strings up or down, need no search.
  if (!tree.is_off_axis()) {
    for (int corner = 0; corner < (1 << m); ++corner) {
      VectorXd y(m);
      for (int a = 0; a < m; ++a) y[a] = (corner >> a) & 1 ? kPi : 0;
      take(y);
    }
  }
  // Starts on the lattice of Roberts' generalised golden ratio: g^(m+1) = g + 1, fractions k/g, k/g², ..
  double golden = 1.5;
  for (int step = 0; step < 60; ++step) golden = std::pow(1 + golden, 1.0 / (m + 1));
  constexpr int kMostStarts = 60000, kMostSolutions = 6000;
  const auto is_enough = [&] {
    const int solutions = static_cast<int>(found.list().size());
    return search.starts >= kMostStarts || solutions >= kMostSolutions ||
           (since_new > 400 * tree.size() + 10 * solutions &&
            (search.index_sum == 0 || since_new > 2000 * tree.size() + 40 * solutions));
  };
  while (!is_enough()) {
    if (is_stopped(stop)) return stopped_failure();
    ++search.starts;
    VectorXd y(m);
    double fraction = 1;
    for (int a = 0; a < m; ++a) {
      fraction /= golden;
      y[a] = wrapped(2 * kPi * std::fmod(0.5 + search.starts * fraction, 1.0));
    }
    const auto solution = solve_from(form, rate, y);
    if (solution)
      add(*solution);
    else
      ++since_new;
  }

  search.solutions = static_cast<int>(found.list().size());
  for (const VectorXd& y : found.list()) {
    const VectorXd values = find_symmetric_eigenvalues(form.jacobian(y, rate)).cwiseAbs();
    if (values.minCoeff() < 1e-9 * values.maxCoeff()) search.isolated = false;
    if (!tree.is_off_axis() && !is_representative(y)) continue;
    SteadyMotion motion = form.motion(y, rate);
    if (motion.feasible()) search.motions.push_back(std::move(motion));
  }
  // Vertical states first, hanging before standing, then by angles and tilts.
  const auto key = [](const SteadyMotion& motion) {
    std::vector<double> values;
    for (const double angle : motion.angles) values.push_back(std::abs(angle) < 1e-9 ? 0 : angle);
    for (const double tilt : motion.tilts) values.push_back(std::abs(tilt) < 1e-9 ? 0 : tilt);
    return values;
  };
  std::sort(search.motions.begin(), search.motions.end(),
            [&](const SteadyMotion& a, const SteadyMotion& b) { return key(a) < key(b); });
  return search;
}

}  // namespace vinculum
