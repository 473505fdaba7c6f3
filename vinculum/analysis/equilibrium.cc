// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/equilibrium.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/analysis/linearise.h"
#include "vinculum/analysis/rest.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

// The state at rest, on the constraints.
Outcome<State> put_down(const ConstraintSet& set, State state, Workspace& workspace) {
  std::fill(state.v.begin(), state.v.end(), 0.0);
  if (set.is_plain_tree()) return state;
  auto projection = project_state(set, state, workspace);
  if (!projection) return projection.failure();
  std::fill(projection->state.v.begin(), projection->state.v.end(), 0.0);
  return projection->state;
}

double size_of_force(const RestEquations& rest) { return rest.force.size() > 0 ? rest.force.dot(rest.accelerations) : 0; }

Failure none_found(const Model& model, const RestEquations& rest, int iterations) {
  Eigen::Index worst = 0;
  rest.accelerations.cwiseAbs().maxCoeff(&worst);
  return {"VN-LINEAR-003",
          fmt::format("no equilibrium was found from this start in {} steps: {} still accelerates by {:.3g}", iterations,
                      model.velocity_names()[rest.independent[worst]], rest.accelerations[worst]),
          "start closer to it; a body that nothing holds has none"};
}

}  // namespace

Outcome<Equilibrium> find_equilibrium(const Model& model, const State& start, DerivativesWorkspace& workspace) {
  if (auto refusal = refuse_extra_states(model, "the search for an equilibrium")) return *refusal;
  ConstraintSet set(model);
  set.leave_out(list_held_joints(model));
  Workspace links(model);
  auto state = put_down(set, start, links);
  if (!state) return state.failure();
  auto rest = compute_rest_equations(set, *state, workspace);
  if (!rest) return rest.failure();

  Equilibrium result;
  constexpr int kMostSteps = 200;
  constexpr double kLongest = 0.5, kSingular = 1e-10, kShortest = 1e-14;
  for (; result.iterations < kMostSteps && rest->force.size() > 0; ++result.iterations) {
    const LeastSquares step = solve_least_squares(rest->stiffness, rest->force, kSingular);
    result.neutral = static_cast<int>(rest->stiffness.cols()) - step.rank;
    Eigen::VectorXd dq = rest->G * step.x;
    const double length = dq.lpNorm<Eigen::Infinity>();
    if (length > kLongest) dq *= kLongest / length;

    bool better = false;
    for (; !better && dq.lpNorm<Eigen::Infinity>() > kShortest; dq *= 0.5) {
      State moved = *state;
      move_coordinates(model, dq, moved.q);
      auto next = put_down(set, std::move(moved), links);
      if (!next) continue;
      auto there = compute_rest_equations(set, *next, workspace);
      better = there && size_of_force(*there) < size_of_force(*rest);
      if (!better) continue;
      state = std::move(next);
      rest = std::move(there);
    }
    if (!better) break;
  }
  if (!rest->is_equilibrium()) return none_found(model, *rest, result.iterations);
  if (!model.strings().empty()) {
    const auto held = compute_contact_reactions(set, *state, links);
    if (!held) return held.failure();
    if (auto failure = check_tensions(set, held->solution.multipliers)) return *failure;
  }
  result.state = std::move(*state);
  result.state.modes = set.modes;
  return result;
}

}  // namespace vinculum
