// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/linearise.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/analysis/rest.h"
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

// ∂δ'/∂δ: -w × δ for balls.
Eigen::MatrixXd turning(const Model& model, const State& state) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(model.tree().velocities, model.tree().velocities);
  for (const Link& link : model.tree().links) {
    if (quaternion_index(link) < 0) continue;
    const int v = link.v + velocity_count(link.kind) - 3;
    const double x = state.v[v], y = state.v[v + 1], z = state.v[v + 2];
    W.block<3, 3>(v, v) << 0, z, -y, -z, 0, x, y, -x, 0;
  }
  return W;
}

std::vector<std::string> name_states(const Model& model, const std::vector<int>& velocities) {
  std::vector<std::string> names;
  for (const int k : velocities) names.push_back(departure_name(model.velocity_names()[k]));
  for (const int k : velocities) names.push_back(model.velocity_names()[k]);
  return names;
}

// A and B, if they are numbers.
Outcome<Linearisation> checked(Linearisation result) {
  if (!result.A.allFinite() || !result.B.allFinite()) return beyond_all_numbers("the linearisation at this state");
  return result;
}

Outcome<Linearisation> linearise_rest(const Model& model, const State& state, DerivativesWorkspace& workspace) {
  const bool moves = std::any_of(state.v.begin(), state.v.end(), [](double v) { return v != 0; });
  const Failure no_equilibrium{"VN-LINEAR-004",
                               "a model with contacts is linearised about an equilibrium, and this state is none",
                               "find one: vinculum equilibrium MODEL --write-state FILE"};
  if (moves) return no_equilibrium;
  const auto rest = compute_rest_equations(ConstraintSet(model), state, workspace);
  if (!rest) return rest.failure();
  if (!rest->is_equilibrium()) return no_equilibrium;

  Linearisation result;
  const Eigen::Index m = rest->G.cols();
  result.velocities = rest->independent;
  result.states = name_states(model, rest->independent);
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

Outcome<Linearisation> linearise(const Model& model, const State& state, DerivativesWorkspace& workspace) {
  if (!model.is_plain_tree()) return linearise_rest(model, state, workspace);
  ForwardDerivatives derivatives;
  if (const auto failure = compute_forward_derivatives(model, state, workspace, derivatives)) return *failure;

  Linearisation result;
  result.velocities = free_velocities(model);
  const std::vector<int>& free = result.velocities;
  const Eigen::Index n = static_cast<Eigen::Index>(free.size());
  result.states = name_states(model, free);
  result.inputs.assign(result.states.begin() + n, result.states.end());
  result.A.resize(2 * n, 2 * n);
  result.A << turning(model, state)(free, free), Eigen::MatrixXd::Identity(n, n), derivatives.by_q(free, free),
      derivatives.by_v(free, free);
  result.B.setZero(2 * n, n);
  result.B.bottomRows(n) = derivatives.by_tau(free, free);
  result.accelerations.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) result.accelerations[i] = derivatives.accelerations[free[i]];
  return checked(std::move(result));
}

std::vector<Mode> find_modes(const Linearisation& linearisation) {
  std::vector<Mode> modes;
  const Eigen::Index n = linearisation.A.rows() / 2;
  if (n == 0) return modes;
  const auto [values, vectors] = find_eigenvalues(linearisation.A);
  for (Eigen::Index k = 0; k < 2 * n; ++k) {
    Mode mode;
    mode.eigenvalue = values[k];
    if (mode.eigenvalue.imag() < 0) continue;
    const Eigen::VectorXcd vector = vectors.col(k);
    const bool moves = vector.head(n).norm() > kZeroEigenvalue * vector.norm();
    Eigen::VectorXcd shape = moves ? vector.head(n) : vector.tail(n);
    Eigen::Index largest = 0;
    // Of equal ones the first, whatever the last bits say.
    while (std::abs(shape[largest]) < (1 - kZeroEigenvalue) * shape.cwiseAbs().maxCoeff()) ++largest;
    shape /= std::complex<double>(shape[largest]);
    mode.shape.assign(shape.begin(), shape.end());
    modes.push_back(std::move(mode));
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
  for (const Mode& mode : modes) size = std::max(size, mode.frequency());
  for (const Mode& mode : modes) growth = std::max(growth, size > 0 ? mode.eigenvalue.real() / size : 0.0);
  if (growth > kZeroEigenvalue) return Stability::unstable;
  return growth < -kZeroEigenvalue ? Stability::asymptotically_stable : Stability::marginal;
}

std::string_view to_text(Stability stability) {
  constexpr std::string_view kText[] = {"asymptotically stable", "marginal", "unstable"};
  return kText[static_cast<int>(stability)];
}

}  // namespace vinculum
