// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/strings/steady_stability.h"

#include <algorithm>
#include <cmath>

#include "vinculum/math/dense.h"
#include "vinculum/math/rotation.h"

namespace vinculum {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoGrowth = 1e-9;      // [1/s], the contract's
constexpr double kNoCurvature = 1e-11;  // of the largest entry: an eigenvalue of K that is zero
constexpr double kVerticalSine = 1e-9;

struct SmallMotions {
  MatrixXd M, G, K;
  VectorXd turning;  // η0
  std::vector<Matrix3> bases;
};

SmallMotions linearise_about(const StringTree& tree, double rate, const std::vector<Vector3>& x,
                             const std::vector<double>& momenta) {
  const int n = tree.size(), m = 2 * n;
  SmallMotions small{MatrixXd(2 * m, 2 * m), MatrixXd(2 * m, 2 * m), MatrixXd(2 * m, 2 * m), VectorXd(2 * m), {}};
  const auto gradient = compute_potential_gradient(tree, rate, x, momenta);
  for (const Vector3& direction : x) small.bases.push_back(rotation_with_z_along(direction));
  for (int a = 0; a < m; ++a) {
    for (int i = 0; i < 2; ++i) {
      const Vector3& ta = small.bases[a].column(i);
      small.turning[2 * a + i] = ta.y * x[a].x - ta.x * x[a].y;  // t·(e3 × x)
      for (int b = 0; b <= a; ++b) {
        for (int j = 0; j < 2; ++j) {
          const Vector3& tb = small.bases[b].column(j);
          const double N = tree.N(a, b);
          double G = 2 * rate * N * (ta.y * tb.x - ta.x * tb.y);  // t·(e3 × t)
          double K = -rate * rate * N * (ta.x * tb.x + ta.y * tb.y);
          if (a == b) {
            if (a < n) G -= momenta[a] * dot(ta, cross(x[a], tb));
            if (i == j) K -= dot(x[a], gradient[a]);
          }
          small.M(2 * a + i, 2 * b + j) = small.M(2 * b + j, 2 * a + i) = N * dot(ta, tb);
          small.K(2 * a + i, 2 * b + j) = small.K(2 * b + j, 2 * a + i) = K;
          small.G(2 * a + i, 2 * b + j) = G;
          small.G(2 * b + j, 2 * a + i) = -G;
        }
      }
    }
  }
  return small;
}

int count_negative(const MatrixXd& K) {
  const VectorXd values = find_symmetric_eigenvalues(K);
  const double nothing = kNoCurvature * values.cwiseAbs().maxCoeff();
  return static_cast<int>((values.array() < -nothing).count());
}

bool is_positive(const MatrixXd& K) {
  const VectorXd values = find_symmetric_eigenvalues(K);
  return values[0] > kNoCurvature * values.cwiseAbs().maxCoeff();
}

// An orthonormal complement of a vector: the other columns of the Householder reflection that takes it to the first axis.
MatrixXd complement_of(const VectorXd& v) {
  const Eigen::Index n = v.size();
  VectorXd w = v / v.norm();
  w[0] += w[0] < 0 ? -1 : 1;
  const MatrixXd H = MatrixXd::Identity(n, n) - (2 / w.squaredNorm()) * w * w.transpose();
  return H.rightCols(n - 1);
}

bool is_all_vertical(const std::vector<Vector3>& x) {
  return std::all_of(x.begin(), x.end(), [](const Vector3& a) { return std::hypot(a.x, a.y) <= kVerticalSine; });
}

// Stable in the sense of Routh and Lyapunov if Hess W > 0 in some turning frame: between two roots of its determinant it keeps
// its signs.
bool has_minimum_in_some_frame(const StringTree& tree, const SteadyMotion& motion) {
  std::vector<SpinLaw> laws;
  Sides sides;
  for (int i = 0; i < tree.size(); ++i) {
    laws.push_back({true, motion.momenta[i]});
    sides.push_back(motion.above[i] ? -1 : 1);
  }
  std::vector<double> trials{0};
  const auto critical = find_critical_rates(tree, laws, sides);
  for (size_t k = 0; k + 1 < critical.size(); ++k) trials.push_back(0.5 * (critical[k].rate + critical[k + 1].rate));
  return std::any_of(trials.begin(), trials.end(),
                     [&](double rate) { return is_positive(linearise_about(tree, rate, motion.x, motion.momenta).K); });
}

}  // namespace

const char* to_text(SteadyVerdict verdict) {
  switch (verdict) {
    case SteadyVerdict::stable: return "stable";
    case SteadyVerdict::gyroscopically_stable: return "gyroscopically stable";
    case SteadyVerdict::unstable: break;
  }
  return "unstable";
}

SteadyStability analyse_stability(const StringTree& tree, const SteadyMotion& motion) {
  SmallMotions small = linearise_about(tree, motion.rate, motion.x, motion.momenta);
  const bool vertical = is_all_vertical(motion.x);
  const bool reduced = !vertical && !tree.is_off_axis();
  MatrixXd Q;
  if (reduced) {
    Q = complement_of(small.turning);
    const VectorXd moved = small.M * small.turning;
    const double I = small.turning.dot(moved);
    const VectorXd m = Q.transpose() * moved, g = Q.transpose() * (-(small.G * small.turning));  // G is skew
    small.M = Q.transpose() * small.M * Q - m * m.transpose() / I;
    small.G = Q.transpose() * small.G * Q + (g * m.transpose() - m * g.transpose()) / I;
    small.K = Q.transpose() * small.K * Q + g * g.transpose() / I;
  }
  const Eigen::Index size = small.M.rows();

  // With M = L Lᵀ and ζ = Lᵀη : ζ'' + L⁻¹G L⁻ᵀ ζ' + L⁻¹K L⁻ᵀ ζ = 0
  const Cholesky mass(small.M);
  const auto scaled = [&](const MatrixXd& A) {
    const MatrixXd half = mass.solve_lower(A);
    return MatrixXd(mass.solve_lower(half.transpose()).transpose());
  };
  MatrixXd A = MatrixXd::Zero(2 * size, 2 * size);
  A.topRightCorner(size, size).setIdentity();
  A.bottomLeftCorner(size, size) = -scaled(small.K);
  A.bottomRightCorner(size, size) = -scaled(small.G);

  SteadyStability result;
  const Eigen::VectorXcd values = find_eigenvalues_alone(A);
  std::vector<double> imaginary;
  for (const auto& value : values) {
    result.growth = std::max(result.growth, value.real());
    imaginary.push_back(std::abs(value.imag()));
  }
  if (result.growth < kNoGrowth) result.growth = 0;
  std::sort(imaginary.begin(), imaginary.end());
  for (size_t k = 0; k < imaginary.size(); k += 2) result.frequencies.push_back(imaginary[k]);

  result.negative = count_negative(small.K);
  const bool minimum = vertical && !tree.is_off_axis() ? has_minimum_in_some_frame(tree, motion) : is_positive(small.K);
  if (minimum) {
    result.verdict = SteadyVerdict::stable;
    result.growth = 0;
    return result;
  }
  result.verdict = result.growth > 0 || result.negative % 2 == 1 ? SteadyVerdict::unstable : SteadyVerdict::gyroscopically_stable;
  if (result.growth > 0) {
    const Eigenvalues all = find_eigenvalues(A);
    Eigen::Index fastest = 0;
    for (Eigen::Index k = 0; k < all.values.size(); ++k) {
      if (all.values[k].real() > all.values[fastest].real()) fastest = k;
    }
    result.growth_frequency = std::abs(all.values[fastest].imag());
    const Eigen::VectorXcd zeta = all.vectors.col(fastest).head(size);
    Eigen::Index largest = 0;
    zeta.cwiseAbs().maxCoeff(&largest);
    const VectorXd shape = (zeta / zeta[largest]).real();
    VectorXd departure = mass.solve_upper(shape);
    if (reduced) departure = Q * departure;
    departure /= departure.norm();
    for (size_t a = 0; a < motion.x.size(); ++a)
      result.mode.push_back(departure[2 * a] * small.bases[a].x + departure[2 * a + 1] * small.bases[a].y);
  }
  return result;
}

std::optional<int> count_driven_negatives(const StringTree& tree, const SteadyMotion& motion) {
  const auto turns = [&](double spin) { return std::abs(spin) > 1e-9 * (1 + std::abs(motion.rate)); };
  if (std::any_of(motion.spins.begin(), motion.spins.end(), turns)) return std::nullopt;
  SmallMotions small = linearise_about(tree, motion.rate, motion.x, motion.momenta);
  for (int i = 0; i < tree.size(); ++i) {
    const Eigen::Vector2d up(small.bases[i].x.z, small.bases[i].y.z);
    small.K.block(2 * i, 2 * i, 2, 2) -= motion.rate * motion.rate * tree.bodies[i].axial * up * up.transpose();
  }
  if (is_all_vertical(motion.x) || tree.is_off_axis()) return count_negative(small.K);
  const MatrixXd Q = complement_of(small.turning);
  return count_negative(Q.transpose() * small.K * Q);
}

std::vector<CriticalRate> find_critical_rates(const StringTree& tree, const std::vector<SpinLaw>& laws, const Sides& sides) {
  const int n = tree.size(), m = 2 * n;
  // P(ψ) = -ψ² N + ψ G - K
  MatrixXd N = tree.N;
  VectorXd G = VectorXd::Zero(m), K = -tree.f;
  for (int i = 0; i < n; ++i) {
    const double s = -sides[i];
    K[i] = s * tree.f[i];
    if (laws[i].is_momentum) {
      G[i] = s * laws[i].value;
    } else {
      N(i, i) -= tree.bodies[i].axial;
      G[i] = s * tree.bodies[i].axial * laws[i].value;
    }
  }
  const auto P = [&](double rate) { return MatrixXd(-rate * rate * N + MatrixXd((rate * G - K).asDiagonal())); };

  // ψ = σ + 1/μ with P(σ) regular:  μ² P(σ) + μ P'(σ) - N = 0, so that neither a singular N nor a singular K does harm.
  const double shift = 0.1371 * std::sqrt(tree.gravity / tree.bodies[0].length);
  const MatrixXd slope = -2 * shift * N + MatrixXd(G.asDiagonal());
  MatrixXd right(m, 2 * m);
  right << -slope, N;
  MatrixXd A = MatrixXd::Zero(m * 2, m * 2);
  A.topRows(m) = solve_square(P(shift), right).x;
  A.bottomLeftCorner(m, m).setIdentity();
  std::vector<CriticalRate> rates;
  const double scale = A.cwiseAbs().maxCoeff();
  for (const auto& mu : find_eigenvalues_alone(A)) {
    if (std::abs(mu) < 1e-12 * scale || std::abs(mu.imag()) > 1e-7 * std::abs(mu)) continue;
    double rate = shift + 1 / mu.real();
    // The symmetric matrix has equal left and right null vectors: Newton's step is -x·P x / x·P' x.
    VectorXd null;
    for (int step = 0; step < 3; ++step) {
      const SingularValues values = find_singular_values(P(rate));
      null = values.V.col(m - 1);
      const double rise = null.dot(-2 * rate * (N * null) + G.cwiseProduct(null));
      const double correction = null.dot(P(rate) * null) / rise;
      if (!std::isfinite(correction) || std::abs(correction) > 1e-4 * std::abs(rate)) break;
      rate -= correction;
    }
    // From departures of unit vectors to angles: x = (sin y, -cos y), so a standing axis departs against its angle.
    for (int i = 0; i < n; ++i) null[i] *= sides[i];
    for (int a = n; a < n + m; ++a) {
      const double entry = null[a < m ? a : a - m];
      if (std::abs(entry) <= 1e-9) continue;
      if (entry < 0) null = -null;
      break;
    }
    rates.push_back({rate, null});
  }
  std::sort(rates.begin(), rates.end(), [](const CriticalRate& a, const CriticalRate& b) { return a.rate < b.rate; });
  return rates;
}

}  // namespace vinculum
