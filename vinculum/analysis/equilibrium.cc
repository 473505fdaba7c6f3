// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/equilibrium.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/QR>

#include "vinculum/analysis/linearise.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/expression/evaluate.h"

namespace vinculum {

namespace {

std::optional<Failure> refuse_moving_drives(const Model& model, double t) {
  for (const DrivenCoordinate& driven : model.driven()) {
    const double rate = evaluate(driven.rate, {.time = t}), acceleration = evaluate(driven.acceleration, {.time = t});
    if (rate == 0 && acceleration == 0) continue;
    return Failure{"VN-LINEAR-002",
                   fmt::format("nothing is at rest while the driven coordinate '{}' moves: at t = {:g} s its rate is {:g}",
                               model.coordinate_names()[driven.q], t, rate),
                   "take the motion out, or choose a time when it stands still"};
  }
  return std::nullopt;
}

// v' at a state of rest with its derivatives, and its size v'ᵀ A v'.
struct Rest {
  Linearisation linear;
  double size = 0;

  Eigen::MatrixXd stiffness() const { return linear.A.bottomLeftCorner(linear.B.cols(), linear.B.cols()); }
};

Outcome<Rest> look(const Model& model, const State& state, const Eigen::MatrixXd& mass_matrix, DerivativesWorkspace& workspace) {
  auto linear = linearise(model, state, workspace);
  if (!linear) return linear.failure();
  const Eigen::VectorXd& a = linear->accelerations;
  const double size = a.dot(mass_matrix(linear->velocities, linear->velocities) * a);
  return Rest{std::move(*linear), size};
}

// Accelerations that a departure of 1e-10 would bring, or round-off of the largest.
bool is_equilibrium(const Rest& rest) {
  constexpr double kDeparture = 1e-10, kSmall = 1e-12;
  const Eigen::VectorXd reach = rest.stiffness().rowwise().lpNorm<1>();
  const double large = reach.size() > 0 ? reach.maxCoeff() : 0;
  return (rest.linear.accelerations.cwiseAbs().array() <= kDeparture * reach.array() + kSmall * large).all();
}

Failure none_found(const Rest& rest, int iterations) {
  Eigen::Index worst = 0;
  rest.linear.accelerations.cwiseAbs().maxCoeff(&worst);
  return {"VN-LINEAR-003",
          fmt::format("no equilibrium was found from this start in {} steps: {} still accelerates by {:.3g}", iterations,
                      rest.linear.inputs[worst], rest.linear.accelerations[worst]),
          "start closer to it; a body that nothing holds has none"};
}

}  // namespace

Outcome<Equilibrium> find_equilibrium(const Model& model, const State& start, DerivativesWorkspace& workspace) {
  if (const auto refusal = refuse_moving_drives(model, start.t)) return *refusal;
  Equilibrium result;
  State& state = result.state = start;
  std::fill(state.v.begin(), state.v.end(), 0.0);
  Workspace links(model);
  const Eigen::MatrixXd mass_matrix = compute_mass_matrix(model, state, links);
  auto rest = look(model, state, mass_matrix, workspace);
  if (!rest) return rest.failure();

  constexpr int kMostSteps = 200;
  constexpr double kLongest = 0.5, kSingular = 1e-10, kShortest = 1e-14;
  for (; result.iterations < kMostSteps; ++result.iterations) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(kSingular);
    solver.compute(rest->stiffness());
    result.neutral = static_cast<int>(solver.cols() - solver.rank());
    const Eigen::VectorXd newton = solver.solve(-rest->linear.accelerations);
    const double length = newton.lpNorm<Eigen::Infinity>();
    if (length <= kShortest) break;

    Eigen::VectorXd dq = Eigen::VectorXd::Zero(model.tree().velocities);
    dq(rest->linear.velocities) = newton * std::min(1.0, kLongest / length);
    bool better = false;
    for (; !better && dq.lpNorm<Eigen::Infinity>() > kShortest; dq *= 0.5) {
      State next = state;
      move_coordinates(model, dq, next.q);
      auto there = look(model, next, mass_matrix, workspace);
      better = there && there->size < rest->size;
      if (!better) continue;
      state = std::move(next);
      rest = std::move(there);
    }
    if (!better) break;
  }
  if (!is_equilibrium(*rest)) return none_found(*rest, result.iterations);
  if (rest->linear.accelerations.size() > 0) result.acceleration = rest->linear.accelerations.lpNorm<Eigen::Infinity>();
  return result;
}

}  // namespace vinculum
