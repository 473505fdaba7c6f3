// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/slip_constants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

namespace vinculum {

namespace {

using Growth = std::function<Outcome<double>(const Eigen::VectorXd&)>;

// X(y) and X(-y) give both parts.
struct Parts {
  double even = 0, odd = 0;
};
Outcome<Parts> split(const Growth& X, const Eigen::VectorXd& y) {
  const auto ahead = X(y), behind = X(-y);
  if (!ahead) return ahead.failure();
  if (!behind) return behind.failure();
  return Parts{(*ahead + *behind) / 2, (*ahead - *behind) / 2};
}

// The coefficients of both forms by polarisation: Q_ij, and the symmetric T_ijk.
struct Forms {
  Eigen::MatrixXd Q;
  std::vector<double> T;  // g³
  double size = 0;        // of the numbers they come from
};
Outcome<Forms> polarize(const Growth& X, Eigen::Index g) {
  Forms forms;
  forms.Q.setZero(g, g);
  forms.T.assign(static_cast<size_t>(g * g * g), 0);
  std::optional<Failure> failure;
  const auto parts = [&](const Eigen::VectorXd& y) {
    const auto found = split(X, y);
    if (!found) {
      failure = found.failure();
      return Parts{};
    }
    forms.size = std::max({forms.size, std::abs(found->even), std::abs(found->odd)});
    return *found;
  };
  const auto unit = [&](Eigen::Index i) { return Eigen::VectorXd(Eigen::VectorXd::Unit(g, i)); };
  std::vector<Parts> one;
  for (Eigen::Index i = 0; i < g; ++i) one.push_back(parts(unit(i)));
  Eigen::MatrixXd plus(g, g), iij(g, g);  // odd part at e_i + e_j; T_iij
  const auto put = [&](Eigen::Index i, Eigen::Index j, Eigen::Index k, double value) {
    for (const auto& [a, b, c] : {std::array{i, j, k}, std::array{i, k, j}, std::array{j, i, k}, std::array{j, k, i},
                                  std::array{k, i, j}, std::array{k, j, i}})
      forms.T[static_cast<size_t>((a * g + b) * g + c)] = value;
  };
  for (Eigen::Index i = 0; i < g; ++i) {
    forms.Q(i, i) = one[i].even;
    put(i, i, i, one[i].odd);
    for (Eigen::Index j = 0; j < i; ++j) {
      const Parts sum = parts(unit(i) + unit(j)), difference = parts(unit(i) - unit(j));
      forms.Q(i, j) = forms.Q(j, i) = (sum.even - difference.even) / 4;
      // (e_i ± e_j)³ = T_iii ± 3 T_iij + 3 T_ijj ± T_jjj
      iij(i, j) = ((sum.odd - difference.odd) / 2 - one[j].odd) / 3;
      iij(j, i) = ((sum.odd + difference.odd) / 2 - one[i].odd) / 3;
      plus(i, j) = plus(j, i) = sum.odd;
      put(i, i, j, iij(i, j));
      put(i, j, j, iij(j, i));
    }
  }
  for (Eigen::Index i = 0; i < g; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      for (Eigen::Index k = 0; k < j; ++k) {
        const double all = parts(unit(i) + unit(j) + unit(k)).odd;
        put(i, j, k, (all - plus(i, j) - plus(i, k) - plus(j, k) + one[i].odd + one[j].odd + one[k].odd) / 6);
      }
    }
  }
  if (failure) return *failure;
  return forms;
}

// The largest value of a cubic form on the unit sphere; for more than two variables not less than it.
double largest_cubic(const std::vector<double>& T, Eigen::Index g) {
  if (g == 1) return std::abs(T[0]);
  double squares = 0;
  for (const double t : T) squares += t * t;
  if (g > 2) return std::sqrt(squares);
  // a c³ + 3b c²s + 3d cs² + e s³ on the circle has harmonics 1 and 3 alone: no peak escapes a grid this fine.
  const double a = T[0], b = T[1], d = T[3], e = T[7];
  const auto form = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return a * c * c * c + 3 * b * c * c * s + 3 * d * c * s * s + e * s * s * s;
  };
  constexpr int kGrid = 720;
  double best = 0;
  for (int i = 0; i < kGrid; ++i) {
    const double step = 2 * std::numbers::pi / kGrid, angle = i * step;
    const double left = form(angle - step), here = form(angle), right = form(angle + step);
    if (here < left || here < right) continue;
    // The peak of the parabola through three points, ever nearer.
    double peak = angle, width = step;
    for (int k = 0; k < 4; ++k) {
      const double l = form(peak - width), h = form(peak), r = form(peak + width), curvature = l - 2 * h + r;
      if (!(curvature < 0)) break;
      peak -= 0.5 * width * (r - l) / curvature;
      width *= 0.1;
    }
    best = std::max({best, here, form(peak)});
  }
  return best;
}

// The largest X/G over directions and radii, where X is no polynomial.
Outcome<double> search_growth(const Growth& X, Eigen::Index g) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  constexpr int kDirections = 64;
  double largest = -std::numeric_limits<double>::infinity();
  const auto ratio = [&](const Eigen::VectorXd& y) -> Outcome<double> {
    const auto x = X(y);
    if (!x) return x.failure();
    return *x / y.squaredNorm();
  };
  for (const double radius : {1e-3, 1e-2, 0.1, 0.3, 1.0}) {
    Eigen::VectorXd best = Eigen::VectorXd::Unit(g, 0) * radius;
    double best_value = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < kDirections; ++i) {
      Eigen::VectorXd y(g);
      for (double& entry : y) entry = normal(random);
      y *= radius / y.norm();
      const auto value = ratio(y);
      if (!value) return value.failure();
      if (*value > best_value) best = y, best_value = *value;
    }
    // Steps along the sphere that get smaller.
    for (double step = 0.3; step > 1e-4; step *= 0.7) {
      Eigen::VectorXd y = best;
      for (double& entry : y) entry += step * radius * normal(random);
      y *= radius / y.norm();
      const auto value = ratio(y);
      if (!value) return value.failure();
      if (*value > best_value) best = y, best_value = *value;
    }
    largest = std::max(largest, best_value);
  }
  return largest;
}

}  // namespace

Outcome<double> compute_slip_growth(SlipSystem& system, const State& state, const SlipState& at, const Eigen::VectorXd& slip) {
  State slipping = state;
  const Eigen::VectorXd change = at.P * (at.J.transpose() * (at.sigma * slip));
  for (size_t i = 0; i < slipping.v.size(); ++i) slipping.v[i] += change[static_cast<Eigen::Index>(i)];
  const auto there = system.compute(slipping);
  if (!there) return there.failure();
  const auto sigma_rate = system.slip_inertia_rate(slipping, *there);
  if (!sigma_rate) return sigma_rate.failure();
  return 0.5 * slip.dot(*sigma_rate * slip) + slip.dot(at.sigma * (there->b - at.b));
}

Outcome<SlipConstants> compute_slip_constants(SlipSystem& system, const State& state) {
  const auto at = system.compute(state);
  if (!at) return at.failure();
  if (at->rubs) {
    return Failure{
        "VN-REALIZE-004",
        "no certificate: sliding friction on allowed axes depends on the realizing forces, so no slip energy bounds the slip",
        "leave `sliding_friction` out, or forbid the axis and give the contact `friction`; the motion itself is followed "
        "without --certificate"};
  }
  const Eigen::Index g = at->sigma.rows();
  SlipConstants constants;
  constants.inertia = at->sigma.diagonal();
  constants.r = at->r;
  const SingularValues spectrum = find_singular_values(at->sigma);
  constants.rho2 = std::sqrt(spectrum.values[0] / 2);
  constants.rho1 = std::sqrt(spectrum.values[g - 1] / 2);

  const Cholesky factor(at->sigma / 2);
  const Growth X = [&](const Eigen::VectorXd& y) { return compute_slip_growth(system, state, *at, factor.solve_upper(y)); };
  const auto forms = polarize(X, g);
  if (!forms) return forms.failure();

  // A quadratic and a cubic form grow so with the radius.
  const Eigen::VectorXd somewhere = Eigen::VectorXd::LinSpaced(g, 1, 1.7).normalized();
  const auto near = split(X, somewhere), far = split(X, 2 * somewhere);
  if (!near) return near.failure();
  if (!far) return far.failure();
  const double size = forms->size + std::abs(far->even) + std::abs(far->odd);
  constexpr double kPolynomial = 1e-7, kNothing = 1e-10;
  if (std::abs(far->even - 4 * near->even) > kPolynomial * size || std::abs(far->odd - 8 * near->odd) > kPolynomial * size) {
    const auto largest = search_growth(X, g);
    if (!largest) return largest.failure();
    constants.A = *largest;
    constants.sampled = true;
    return constants;
  }
  const Eigenvalues values = find_eigenvalues(forms->Q);
  constants.A = values.values.real().maxCoeff();
  constants.B = largest_cubic(forms->T, g);
  // What is left of terms that cancel: of w, which comes from all forces.
  const double round_off = kNothing * (size + at->r.norm() * (1 + factor.solve_upper(somewhere).norm()));
  if (constants.B <= round_off) constants.B = 0;
  if (std::abs(constants.A) <= round_off) constants.A = 0;
  return constants;
}

}  // namespace vinculum
