// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/linearise.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/analysis/rest.h"
#include "vinculum/analysis/steady_motion.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/math/dense.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

std::vector<int> free_velocities(const Model& model) {
  std::vector<int> velocities;
  for (int k = 0; k < model.tree().velocities; ++k) {
    const bool driven =
        std::any_of(model.driven().begin(), model.driven().end(), [&](const DrivenCoordinate& d) { return d.v == k; });
    if (!driven) velocities.push_back(k);
  }
  return velocities;
}

// "arm'" -> "arm", "top.wx" -> "top.rx"
std::string departure_name(std::string velocity) {
  if (velocity.back() == '\'') {
    velocity.pop_back();
  } else {
    velocity[velocity.size() - 2] = 'r';
  }
  return velocity;
}

// A and B, if they are numbers.
Outcome<Linearisation> checked(Linearisation result) {
  if (!result.A.allFinite() || !result.B.allFinite()) return beyond_all_numbers("the linearisation at this state");
  return result;
}

// With contacts: loops at rest by the equations of rest, all else as a steady motion.
Outcome<Linearisation> linearise_on_rows(const Model& model, const State& state, DerivativesWorkspace& workspace) {
  const bool moves = std::any_of(state.v.begin(), state.v.end(), [](double v) { return v != 0; });
  if (moves) return linearise_steady_motion(model, state);
  const auto rest = compute_rest_equations(ConstraintSet(model), state, workspace);
  if (!rest || !rest->is_equilibrium()) return linearise_steady_motion(model, state);

  Linearisation result;
  result.departures = static_cast<int>(rest->independent.size());
  const Eigen::Index m = rest->G.cols();
  result.velocities = rest->independent;
  result.states = name_departures(model, rest->independent, rest->independent);
  result.inputs = model.velocity_names();
  result.accelerations = rest->accelerations;
  result.A.setZero(2 * m, 2 * m);
  result.B.setZero(2 * m, rest->G.rows());
  if (m == 0) return result;
  const Cholesky mass(rest->mass);
  result.A.topRightCorner(m, m).setIdentity();
  result.A.bottomLeftCorner(m, m) = mass.solve(-rest->stiffness);
  result.A.bottomRightCorner(m, m) = mass.solve(-rest->damping);
  result.B.bottomRows(m) = mass.solve(rest->G.transpose());
  return checked(std::move(result));
}

}  // namespace

Eigen::MatrixXd turning_of_balls(const Model& model, const State& state) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(model.tree().velocities, model.tree().velocities);
  for (const Link& link : model.tree().links) {
    if (quaternion_index(link) < 0) continue;
    const int v = link.v + velocity_count(link.kind) - 3;
    const double x = state.v[v], y = state.v[v + 1], z = state.v[v + 2];
    W.block<3, 3>(v, v) << 0, z, -y, -z, 0, x, y, -x, 0;
  }
  return W;
}

std::vector<std::string> name_departures(const Model& model, const std::vector<int>& coordinates,
                                         const std::vector<int>& velocities) {
  std::vector<std::string> names;
  for (const int k : coordinates) names.push_back(departure_name(model.velocity_names()[k]));
  for (const int k : velocities) names.push_back(model.velocity_names()[k]);
  return names;
}

Outcome<Linearisation> linearise(const Model& model, const State& state, DerivativesWorkspace& workspace) {
  if (!model.is_plain_tree()) return linearise_on_rows(model, state, workspace);
  ForwardDerivatives derivatives;
  if (const auto failure = compute_forward_derivatives(model, state, workspace, derivatives)) return *failure;

  Linearisation result;
  result.velocities = free_velocities(model);
  const std::vector<int>& free = result.velocities;
  const Eigen::Index n = static_cast<Eigen::Index>(free.size());
  result.departures = static_cast<int>(n);
  result.states = name_departures(model, free, free);
  result.inputs.assign(result.states.begin() + n, result.states.end());
  result.A.resize(2 * n, 2 * n);
  result.A << turning_of_balls(model, state)(free, free), Eigen::MatrixXd::Identity(n, n), derivatives.by_q(free, free),
      derivatives.by_v(free, free);
  result.B.setZero(2 * n, n);
  result.B.bottomRows(n) = derivatives.by_tau(free, free);
  result.accelerations.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) result.accelerations[i] = derivatives.accelerations[free[i]];
  return checked(std::move(result));
}

namespace {

// Of equal components the first, whatever the last bits say.
void scale_shape(const Eigen::VectorXcd& vector, Mode& mode) {
  Eigen::Index largest = 0;
  while (std::abs(vector[largest]) < (1 - kZeroEigenvalue) * vector.cwiseAbs().maxCoeff()) ++largest;
  const Eigen::VectorXcd shape = vector / std::complex<double>(vector[largest]);
  mode.shape.assign(shape.begin(), shape.end());
}

Mode make_mode(const Linearisation& linear, std::complex<double> eigenvalue, const Eigen::VectorXcd& vector) {
  Mode mode;
  mode.eigenvalue = eigenvalue;
  const Eigen::Index n = linear.departures, rest = vector.size() - n;
  const bool moves = vector.head(n).norm() > kZeroEigenvalue * vector.norm();
  mode.first_state = moves ? 0 : linear.departures;
  scale_shape(moves ? vector.head(n) : vector.tail(rest), mode);
  return mode;
}

// With the ignorable states U, the free ones F and the rest R the matrix is block triangular,
//
//   U' = A_UU U + A_UF F + A_UR R ,   F' = A_FR R (earlier ones of F follow later ones) ,   R' = A_RR R
//
// so its eigenvalues are those of A_UU, zeros for F, and those of A_RR. Found apart they do not spoil each other: a pair of
// zeros alone splits by the root of round-off.
void add_modes_apart(const Linearisation& linear, std::vector<Mode>& modes) {
  const Eigen::MatrixXd& A = linear.A;
  std::vector<int> outside, rest;
  outside.insert(outside.end(), linear.ignorable.begin(), linear.ignorable.end());
  outside.insert(outside.end(), linear.free.begin(), linear.free.end());
  std::vector<int> sorted = outside;
  std::sort(sorted.begin(), sorted.end());
  for (int k = 0; k < A.rows(); ++k) {
    if (!std::binary_search(sorted.begin(), sorted.end(), k)) rest.push_back(k);
  }

  // A_UU is nilpotent as long as columns without entries are left when those before are taken out.
  std::vector<int> turning = linear.ignorable;
  const double largest = A.cwiseAbs().maxCoeff();
  for (bool found = true; found && !turning.empty();) {
    found = false;
    for (size_t k = 0; k < turning.size() && !found; ++k) {
      const Eigen::VectorXd column = A(turning, turning[k]);
      if (column.cwiseAbs().maxCoeff() > kNoEntry * largest) continue;
      turning.erase(turning.begin() + static_cast<std::ptrdiff_t>(k));
      found = true;
    }
  }
  const auto add = [&](std::complex<double> value, const Eigen::VectorXcd& vector, bool is_ignorable) {
    if (value.imag() < 0) return;
    modes.push_back(make_mode(linear, value, vector));
    modes.back().is_ignorable = is_ignorable;
  };
  for (const int k : outside) {
    if (std::find(turning.begin(), turning.end(), k) == turning.end()) add(0, Eigen::VectorXcd::Unit(A.rows(), k), true);
  }
  const auto add_block = [&](const std::vector<int>& block, bool is_ignorable) {
    if (block.empty()) return;
    const auto [values, vectors] = find_eigenvalues(A(block, block));
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      Eigen::VectorXcd whole = Eigen::VectorXcd::Zero(A.rows());
      whole(block) = vectors.col(k);
      const bool follows = !outside.empty() && !is_ignorable && std::abs(values[k]) > kZeroEigenvalue * largest;
      if (follows) {
        const Eigen::VectorXcd driven = A(outside, block).cast<std::complex<double>>() * vectors.col(k);
        whole(outside) = solve_shifted(A(outside, outside), values[k], driven);
      }
      add(values[k], whole, is_ignorable);
    }
  };
  add_block(turning, true);
  add_block(rest, false);
}

}  // namespace

std::vector<Mode> find_modes(const Linearisation& linearisation) {
  std::vector<Mode> modes;
  if (linearisation.A.rows() == 0) return modes;
  if (!linearisation.ignorable.empty() || !linearisation.free.empty()) {
    add_modes_apart(linearisation, modes);
  } else {
    const auto [values, vectors] = find_eigenvalues(linearisation.A);
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      if (values[k].imag() >= 0) modes.push_back(make_mode(linearisation, values[k], vectors.col(k)));
    }
  }
  double size = 0;
  for (const Mode& mode : modes) size = std::max(size, mode.frequency());
  const auto growth = [&](const Mode& mode) {
    return std::max(0.0, std::round(mode.eigenvalue.real() / (kZeroEigenvalue * size)));
  };
  std::stable_sort(modes.begin(), modes.end(), [&](const Mode& a, const Mode& b) {
    return growth(a) != growth(b) ? growth(a) > growth(b) : a.frequency() < b.frequency();
  });
  return modes;
}

Stability judge_stability(const std::vector<Mode>& modes) {
  double size = 0, growth = -1;
  bool decides = false;
  for (const Mode& mode : modes) size = std::max(size, mode.frequency());
  for (const Mode& mode : modes) {
    if (mode.is_ignorable) continue;
    decides = true;
    growth = std::max(growth, size > 0 ? mode.eigenvalue.real() / size : 0.0);
  }
  if (!decides && !modes.empty()) return Stability::marginal;
  if (growth > kZeroEigenvalue) return Stability::unstable;
  return growth < -kZeroEigenvalue ? Stability::asymptotically_stable : Stability::marginal;
}

std::string_view to_text(Stability stability) {
  constexpr std::string_view kText[] = {"asymptotically stable", "marginal", "unstable"};
  return kText[static_cast<int>(stability)];
}

}  // namespace vinculum
