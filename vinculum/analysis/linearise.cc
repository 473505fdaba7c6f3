// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/linearise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "vinculum/analysis/rest.h"
#include "vinculum/analysis/steady_motion.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/constraints/row_source.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate.h"
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
  if (!result.A.allFinite() || !result.B.allFinite() || !result.B_inputs.allFinite())
    return beyond_all_numbers("the linearisation at this state");
  return result;
}

// With contacts: loops at rest by the equations of rest, all else as a steady motion.
Outcome<Linearisation> linearise_on_rows(const Model& model, const State& state, DerivativesWorkspace& workspace) {
  const bool moves = std::any_of(state.v.begin(), state.v.end(), [](double v) { return v != 0; });
  // Constraints that limit velocities only have no equations of rest that tell all of the motion.
  const bool has_velocity_rows = std::any_of(model.rows().begin(), model.rows().end(),
                                             [&](const Row& row) { return source_of(row).held_position(model, row).empty(); });
  if (moves || has_velocity_rows) return linearise_steady_motion(model, state);
  const auto rest = compute_rest_equations(ConstraintSet(model, state), state, workspace);
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

// What the given forces do more on each velocity for a unit more of a coordinate that moves no body.
Eigen::VectorXd forces_by_extra_state(const Model& model, const State& state, const ExtraState& extra, Workspace& workspace) {
  const Variable variable{VariableKind::coordinate, extra.q};
  const std::vector<double> forces = compute_force_slopes(model, state, variable, workspace);
  return Eigen::Map<const Eigen::VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size()));
}

// x = (δ, δv, ζ), ζ what a controller remembers:  ζ' = ∂r/∂q N δ + ∂r/∂v δv + ∂r/∂ζ ζ ,  δv' = .. + ∂v'/∂tau ∂tau/∂ζ ζ
void add_extra_states(const Model& model, const State& state, const ForwardDerivatives& derivatives, Linearisation& linear) {
  const std::vector<int>& free = linear.velocities;
  std::vector<const ExtraState*> states;
  for (const ExtraState& state_of : model.extra_states()) {
    if (!state_of.is_held()) states.push_back(&state_of);
  }
  const Eigen::Index n = static_cast<Eigen::Index>(free.size()), extra = static_cast<Eigen::Index>(states.size());
  const int coordinates = model.tree().coordinates;
  Workspace workspace(model);
  const Bindings at{state.t, state.q, state.v};
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + extra, 2 * n + extra), B = Eigen::MatrixXd::Zero(2 * n + extra, n);
  A.topLeftCorner(2 * n, 2 * n) = linear.A;
  B.topRows(2 * n) = linear.B;
  for (Eigen::Index k = 0; k < extra; ++k) {
    const ExtraState& own = *states[k];
    linear.states.push_back(own.name);
    const Eigen::VectorXd pushed = derivatives.by_tau * forces_by_extra_state(model, state, own, workspace);
    A.block(n, 2 * n + k, n, 1) = pushed(free);
    const auto slope = [&](Variable variable) {
      return own.rate.depends_on(variable) ? evaluate(differentiate(own.rate, variable), at) : 0.0;
    };
    Eigen::VectorXd by_q(coordinates);
    for (int i = 0; i < coordinates; ++i) by_q[i] = slope({VariableKind::coordinate, i});
    for (Eigen::Index j = 0; j < n; ++j) {
      std::vector<double> unit(state.v.size(), 0.0), along(state.q.size(), 0.0);
      unit[free[j]] = 1;
      compute_coordinate_rates(model, state.q, unit, along);
      A(2 * n + k, j) = by_q.dot(Eigen::Map<const Eigen::VectorXd>(along.data(), coordinates));
      A(2 * n + k, n + j) = slope({VariableKind::velocity, free[j]});
    }
    for (Eigen::Index j = 0; j < extra; ++j) A(2 * n + k, 2 * n + j) = by_q[states[j]->q];
  }
  linear.A = std::move(A);
  linear.B = std::move(B);
}

// The columns of the inputs. An input changes given forces, as δtau does, and rates of what a controller remembers:
//
//   B_inputs = B ∂tau/∂u + (0, 0, ∂r/∂u)
//
// B has all forces that matter: on a velocity that is driven none does. (No law of a constraint depends on an input.)
void add_inputs(const Model& model, const State& state, const std::vector<int>& forced, Linearisation& linear) {
  const Eigen::Index rows = linear.A.rows();
  linear.B_inputs.setZero(rows, static_cast<Eigen::Index>(model.inputs().size()));
  Workspace workspace(model);
  const Bindings at{state.t, state.q, state.v};
  Eigen::Index column = 0;
  for (const ExtraState& input : model.extra_states()) {
    if (input.kind != ExtraState::Kind::input) continue;
    linear.input_names.push_back(input.name);
    auto effect = linear.B_inputs.col(column++);
    const Eigen::VectorXd forces = forces_by_extra_state(model, state, input, workspace);
    effect += linear.B * forces(forced);
    for (const ExtraState& own : model.extra_states()) {
      const auto place = std::ranges::find(linear.states, own.name) - linear.states.begin();
      const Variable variable{VariableKind::coordinate, input.q};
      if (own.is_held() || place >= rows || !own.rate.depends_on(variable)) continue;
      effect[place] += evaluate(differentiate(own.rate, variable), at);
    }
  }
}

std::vector<int> all_velocities(const Model& model) {
  std::vector<int> all(model.tree().velocities);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

std::optional<Failure> refuse_extra_states(const Model& model, std::string_view what) {
  const ExtraState* const own = model.first_own_state();
  if (own == nullptr) return std::nullopt;
  return Failure{"VN-RUN-172",
                 fmt::format("{} does not take models with further states, and this one has the state '{}'", what, own->name),
                 "remove it from `states` and from the laws, or use `simulate`"};
}

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
  if (!model.is_plain_tree()) {
    if (auto refusal = refuse_joint_friction(model, "the linearisation")) return *refusal;
    if (auto refusal = refuse_extra_states(model, "the linearisation of constraints")) return *refusal;
    auto result = linearise_on_rows(model, state, workspace);
    if (!result) return result;
    add_inputs(model, state, all_velocities(model), *result);
    return checked(std::move(*result));
  }
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
  if (model.first_own_state() != nullptr) add_extra_states(model, state, derivatives, result);
  add_inputs(model, state, free, result);
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

// By the blocks of ignorable.h. Directions in which something follows,  (λ - A_oo) y_o = A_oW y_W , complete the shape.
void add_modes_apart(const Linearisation& linear, std::vector<Mode>& modes) {
  const Eigen::MatrixXd& A = linear.A;
  const auto& [ignorable, free, rest] = linear.apart;
  const double largest = A.cwiseAbs().maxCoeff(), nothing = std::max(kNoEntry, 10 * linear.error);
  const auto add = [&](std::complex<double> value, const Eigen::VectorXcd& vector, bool is_ignorable) {
    if (value.imag() < 0) return;
    modes.push_back(make_mode(linear, value, vector));
    modes.back().is_ignorable = is_ignorable;
  };
  const ZeroDirections split = split_ignorable(A, ignorable, nothing);
  for (const Eigen::MatrixXd& zeros : {split.zero, free}) {
    const Eigen::MatrixXd canonical = canonical_directions(zeros);
    for (const auto& column : canonical.colwise()) add(0, column.cast<std::complex<double>>(), true);
  }
  const Eigen::MatrixXd outside = side_by_side(ignorable, free);
  const auto add_block = [&](const Eigen::MatrixXd& basis, bool is_ignorable) {
    if (basis.cols() == 0) return;
    const auto [values, vectors] = find_eigenvalues(basis.transpose() * A * basis);
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      Eigen::VectorXcd whole = basis.cast<std::complex<double>>() * vectors.col(k);
      if (!is_ignorable && outside.cols() > 0 && std::abs(values[k]) > kZeroEigenvalue * largest) {
        const Eigen::VectorXcd driven = (outside.transpose() * A * basis).cast<std::complex<double>>() * vectors.col(k);
        const Eigen::VectorXcd follows = solve_shifted(outside.transpose() * A * outside, values[k], driven);
        if (follows.allFinite()) whole += outside.cast<std::complex<double>>() * follows;
      }
      // A place seen from turning axes turns; what grows is never to be ignored.
      add(values[k], whole, is_ignorable && values[k].real() <= kZeroEigenvalue * largest);
    }
  };
  add_block(split.turning, true);
  add_block(rest, false);
}

}  // namespace

std::vector<Mode> find_modes(const Linearisation& linearisation) {
  std::vector<Mode> modes;
  if (linearisation.A.rows() == 0) return modes;
  if (linearisation.apart.ignorable.cols() + linearisation.apart.free.cols() > 0) {
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
