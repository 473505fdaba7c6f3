// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/slip_system.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constrained/constrained_series.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/trace.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/dual.h"

namespace vinculum {

namespace {

using Direction = Dual<double, double>;

Eigen::VectorXd to_vector(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Positions in set.rows of rows given by Row::index.
std::vector<int> places(const ConstraintSet& set, const std::vector<int>& indices) {
  std::vector<int> found;
  for (const int index : indices) {
    if (const auto row = set.find_row(index)) found.push_back(*row);
  }
  return found;
}

void unit_columns(Eigen::MatrixXd& columns, const Eigen::VectorXd& lengths) {
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    if (lengths[i] > 0) columns.col(i) /= lengths[i];
  }
}

// W⁻¹, or of a mobility without full rank W⁺: W has the squares of the lengths whose rank is checked.
Eigen::MatrixXd invert_mobility(const Eigen::MatrixXd& W) {
  return solve_least_squares(W, Eigen::MatrixXd::Identity(W.rows(), W.rows()),
                             RowAnalysis::kRankTolerance * RowAnalysis::kRankTolerance)
      .x;
}

// Values of a tape on numbers with one slope.
std::vector<Direction> evaluate_along(const Tape& tape, const std::vector<Direction>& inputs) {
  std::vector<Direction> values(tape.steps.size()), outputs(tape.outputs.size());
  evaluate(tape, inputs.data(), outputs.data(), values.data());
  return outputs;
}

// t, q and v as inputs of a tape: t and q move along the motion, v stays.
std::vector<Direction> inputs_along(const State& state, std::span<const double> q_rate) {
  std::vector<Direction> inputs{{state.t, 1}};
  for (size_t i = 0; i < state.q.size(); ++i) inputs.push_back({state.q[i], q_rate[i]});
  for (size_t i = 0; i < state.v.size(); ++i) inputs.push_back({0, 0});
  return inputs;
}

}  // namespace

double SlipState::slip_energy() const { return 0.5 * slip.dot((is_regular() ? sigma : invert_mobility(W)) * slip); }

SlipSystem::SlipSystem(const Model& model, SlipRows rows)
    : set_(model), rows_(std::move(rows)), workspace_(model), exact_(!check_traced_rows(set_)) {
  mass_tape_ = trace_mass_matrix(model);
  if (exact_) row_tape_ = trace_constraint_rows(set_);
}

void SlipSystem::take_strings(const State& state) {
  if (state.modes.empty()) return;
  std::vector<int> modes = model().usual_modes();
  for (const OneSided& element : model().one_sided()) {
    if (element.always_followed) modes[element.mode] = state.modes[element.mode];
  }
  if (modes == set_.modes) return;
  set_.set_modes(modes);
  exact_ = !check_traced_rows(set_);
  if (exact_) row_tape_ = trace_constraint_rows(set_);
}

// Permanent multipliers bring friction C mu with them where they press:  with G = Jpᵀ + C and K = Jp M⁻¹ G
//   v' = (M⁻¹ - M⁻¹ G K⁻¹ Jp M⁻¹) (f + Jᵀ R) + M⁻¹ G K⁻¹ gamp
// Which press is what the motion without slip says.
std::optional<Failure> SlipSystem::add_friction(const State& state, const ConstraintRows& all, const ContactForces& forces,
                                                const MassFactor& mass, SlipState& at) {
  at.push = at.Jp.transpose();
  at.answer = at.P;
  if (forces.coupling.cols() == 0 || forces.coupling.isZero(0)) return std::nullopt;
  const auto solution = solve_constraints(set_, at.M, at.f - forces.forces, all, forces);
  if (!solution) return solution.failure();
  const std::vector<int> permanent = places(set_, rows_.permanent);
  for (size_t i = 0; i < permanent.size(); ++i) {
    const Eigen::VectorXd brought = forces.coupling.col(permanent[i]);
    if (brought.isZero(0) || !(solution->multipliers[permanent[i]] > 0)) continue;
    at.push.col(static_cast<Eigen::Index>(i)) += brought;
    at.rubs = true;
  }
  if (!at.rubs) return std::nullopt;
  const Eigen::MatrixXd pushed = mass.factor.solve(at.push), free = mass.factor.solve(at.Jp.transpose());
  const Eigen::MatrixXd K = at.Jp * pushed;
  const LeastSquares back = solve_least_squares(K, Eigen::MatrixXd::Identity(K.rows(), K.rows()), RowAnalysis::kRankTolerance);
  const Eigen::Index n = at.M.rows();
  at.answer = mass.factor.solve(Eigen::MatrixXd::Identity(n, n)) - pushed * back.x * free.transpose();
  at.a0 = at.answer * (at.f + mass.k * (at.Jp.transpose() * at.gamp)) + pushed * (back.x * at.gamp);
  if (!at.answer.allFinite() || !at.a0.allFinite()) return no_finite_value(state.t);
  return std::nullopt;
}

Outcome<SlipState> SlipSystem::compute(const State& state) {
  take_strings(state);
  auto all = compute_constraint_rows(set_, state);
  if (!all) return all.failure();
  const ContactForces contact_forces = compute_contact_forces(set_, *all);
  const std::vector<int> permanent = places(set_, rows_.permanent), realized = places(set_, rows_.realized);
  SlipState at;
  at.M = compute_mass_matrix(model(), state, workspace_);
  at.Jp = all->D(permanent, Eigen::all);
  at.J = all->D(realized, Eigen::all);
  at.gamp = all->gamma(permanent);
  at.slip = all->rate(realized);
  at.given = all->F(realized);
  at.pressed.assign(model().contacts().size(), 0);
  for (const ContactForces::Law& law : contact_forces.laws) {
    if (law.axis == ContactAxis::normal) at.pressed[law.contact] = law.force;
  }
  const Eigen::VectorXd gamma = all->gamma(realized);
  const std::vector<double> rest(state.v.size(), 0.0);
  at.f = to_vector(compute_given_forces(model(), state, workspace_).joint_forces) -
         to_vector(compute_inverse_dynamics(model(), state, rest, workspace_).forces) + contact_forces.forces;
  if (!at.f.allFinite() || !all->D.allFinite()) return no_finite_value(state.t);

  // P = L⁻ᵀ(1 - Q Qᵀ)L⁻¹ with Q an orthonormal basis of L⁻¹Jpᵀ. Permanent rows may stand in for inertia that is not there.
  const auto mass = factorize_mass_matrix(set_, at.M, at.Jp);
  if (!mass) return mass.failure();
  const RowAnalysis together = analyse_rows(mass->factor, *all);
  if (const auto contradiction = check_consistent(set_, *all, together)) return *contradiction;
  at.determinate.assign(model().rows().size(), false);
  for (size_t i = 0; i < set_.rows.size(); ++i) at.determinate[set_.rows[i].index] = together.determinate[i];

  const Eigen::MatrixXd& M = at.M;
  const Eigen::Index n = M.rows(), g = at.J.rows();
  Eigen::MatrixXd kept = mass->factor.solve_lower(at.Jp.transpose());
  const Eigen::VectorXd kept_lengths = kept.colwise().norm();
  unit_columns(kept, kept_lengths);
  const PivotedQr basis = factorize_columns(kept, RowAnalysis::kRankTolerance);
  const Eigen::MatrixXd half = mass->factor.solve_lower(Eigen::MatrixXd::Identity(n, n));
  const Eigen::MatrixXd free = half - basis.Q * (basis.Q.transpose() * half);
  at.P = free.transpose() * free;
  // E gamp is the smallest v' with Jp v' = gamp.
  at.E = at.Jp.rows() == 0
             ? Eigen::MatrixXd(n, 0)
             : Eigen::MatrixXd(half.transpose() * solve_least_squares(mass->factor.solve_lower(at.Jp.transpose()).transpose(),
                                                                      Eigen::MatrixXd::Identity(at.Jp.rows(), at.Jp.rows()),
                                                                      RowAnalysis::kRankTolerance)
                                                      .x);
  at.a0 = at.P * at.f + at.E * at.gamp;
  if (const auto failure = add_friction(state, *all, contact_forces, *mass, at)) return *failure;
  at.b = at.J * at.a0 - gamma;

  // W = CᵀC , C = (1 - Q Qᵀ) L⁻¹Jᵀ ; its rank beside the lengths that L⁻¹Jᵀ has without the permanent rows.
  const Eigen::MatrixXd C = free * at.J.transpose();
  at.W = C.transpose() * C;
  if (!at.W.allFinite() || !at.b.allFinite()) return no_finite_value(state.t);
  Eigen::MatrixXd scaled = C;
  const Eigen::VectorXd lengths = mass->factor.solve_lower(at.J.transpose()).colwise().norm();
  unit_columns(scaled, lengths);
  const SingularValues values = find_singular_values(scaled);
  const double largest = values.values.size() == 0 ? 0 : values.values[0];
  for (const double value : values.values) at.rank += value > RowAnalysis::kRankTolerance * std::max(largest, 1e-3) ? 1 : 0;
  if (at.rank == g) {
    const Cholesky factor(at.W);
    at.sigma = factor.solve(Eigen::MatrixXd::Identity(g, g));
    at.sigma = 0.5 * (at.sigma + at.sigma.transpose().eval());
    at.hold = at.rubs ? invert_mobility(at.J * at.answer * at.J.transpose()) : at.sigma;
    at.r = -(at.hold * at.b);
    if (!at.sigma.allFinite() || !at.r.allFinite()) return no_finite_value(state.t);
    if (g > 0) at.condition = std::pow(largest / values.values[g - 1], 2);
    return at;
  }
  at.hold = invert_mobility(at.J * at.answer * at.J.transpose());
  at.r = -(at.hold * at.b);
  at.condition = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < g; ++i) {
    if (!at.determinate[rows_.realized[i]]) at.dependent.push_back(static_cast<int>(i));
  }
  return at;
}

Outcome<State> SlipSystem::project_permanent(const State& state) {
  const auto at = compute(state);
  if (!at) return at.failure();
  if (at->Jp.rows() == 0) return state;
  auto all = compute_constraint_rows(set_, state);
  if (!all) return all.failure();
  const Eigen::VectorXd rate = all->rate(places(set_, rows_.permanent));
  State projected = state;
  const Eigen::VectorXd change = at->E * rate;
  for (size_t i = 0; i < projected.v.size(); ++i) projected.v[i] -= change[static_cast<Eigen::Index>(i)];
  return projected;
}

Outcome<State> SlipSystem::project(const State& state) {
  auto projected = project_permanent(state);
  if (!projected) return projected.failure();
  // All constraints together leave the same velocity as one after the other, and dependent ones are no trouble.
  if (const auto failure = project_velocities(set_, *projected, workspace_)) return *failure;
  return projected;
}

Eigen::VectorXd SlipSystem::multipliers(const SlipState& at, const Eigen::VectorXd& R) const {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model().rows().size()));
  for (size_t i = 0; i < rows_.realized.size(); ++i) all[rows_.realized[i]] = R[static_cast<Eigen::Index>(i)];
  if (at.Jp.rows() == 0) return all;
  // G mu = M v' - f - Jᵀ R
  const Eigen::VectorXd force = at.M * at.accelerations(R) - at.f - at.J.transpose() * R;
  const Eigen::VectorXd mu = solve_least_squares(at.push, force, RowAnalysis::kRankTolerance).x;
  const std::vector<int> permanent = places(set_, rows_.permanent);
  for (size_t i = 0; i < permanent.size(); ++i) all[set_.rows[permanent[i]].index] = mu[static_cast<Eigen::Index>(i)];
  return all;
}

// On the tape a constraint is Y = D v - F: its slope for v = e_k less that for v = 0 is D' e_k.
std::optional<Failure> SlipSystem::differentiate_rows(const State& state, std::span<const double> q_rate,
                                                      Eigen::MatrixXd& D_rate) {
  const Eigen::Index n = static_cast<Eigen::Index>(state.v.size()), m = static_cast<Eigen::Index>(set_.rows.size());
  D_rate.setZero(m, n);
  if (exact_) {
    std::vector<Direction> inputs = inputs_along(state, q_rate);
    const std::vector<Direction> rest = evaluate_along(row_tape_, inputs);
    for (Eigen::Index k = 0; k < n; ++k) {
      Direction& v = inputs[1 + state.q.size() + static_cast<size_t>(k)];
      v.value = 1;
      const std::vector<Direction> moved = evaluate_along(row_tape_, inputs);
      v.value = 0;
      for (Eigen::Index i = 0; i < m; ++i) D_rate(i, k) = moved[i].derivatives - rest[i].derivatives;
    }
    return std::nullopt;
  }
  // Central differences along q ⊕ h v, halved five times and extrapolated to none.
  constexpr double kFirstStep = 0.02;
  constexpr int kLevels = 6;
  std::vector<Eigen::MatrixXd> table;
  for (int level = 0; level < kLevels; ++level) {
    const double h = std::ldexp(kFirstStep, -level) / (1 + to_vector(state.v).lpNorm<Eigen::Infinity>());
    const auto side = [&](double step) {
      State there = state;
      there.t += step;
      move_coordinates(model(), step * to_vector(state.v), there.q);
      return compute_constraint_rows(set_, there);
    };
    const auto ahead = side(h), behind = side(-h);
    if (!ahead) return ahead.failure();
    if (!behind) return behind.failure();
    std::vector<Eigen::MatrixXd> row{(ahead->D - behind->D) / (2 * h)};
    for (size_t k = 0; k < table.size(); ++k) {
      const double factor = std::ldexp(1.0, 2 * static_cast<int>(k + 1));
      row.push_back((factor * row[k] - table[k]) / (factor - 1));
    }
    table = std::move(row);
  }
  D_rate = table.back();
  return std::nullopt;
}

// With K = [M, Jpᵀ; Jp, 0] and P, E parts of its inverse, (K⁻¹)' = -K⁻¹K'K⁻¹ gives
//   P' = -(P M' P + P Jp'ᵀ Eᵀ + E Jp' P) ,  W' = J' P Jᵀ + J P J'ᵀ + J P' Jᵀ ,  sigma' = -sigma W' sigma
Outcome<Eigen::MatrixXd> SlipSystem::slip_inertia_rate(const State& state, const SlipState& at) {
  std::vector<double> q_rate(state.q.size());
  compute_coordinate_rates(model(), state.q, state.v, q_rate);
  const Eigen::Index n = at.M.rows();
  const std::vector<Direction> mass = evaluate_along(mass_tape_, inputs_along(state, q_rate));
  Eigen::MatrixXd M_rate(n, n), D_rate;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) M_rate(i, j) = mass[static_cast<size_t>(i * n + j)].derivatives;
  }
  if (auto failure = differentiate_rows(state, q_rate, D_rate)) return *failure;
  const Eigen::MatrixXd J_rate = D_rate(places(set_, rows_.realized), Eigen::all);
  const Eigen::MatrixXd Jp_rate = D_rate(places(set_, rows_.permanent), Eigen::all);
  const Eigen::MatrixXd turned = at.E * Jp_rate * at.P;
  const Eigen::MatrixXd P_rate = -(at.P * M_rate * at.P + turned + turned.transpose());
  const Eigen::MatrixXd half = J_rate * at.P * at.J.transpose();
  const Eigen::MatrixXd W_rate = half + half.transpose() + at.J * P_rate * at.J.transpose();
  const Eigen::MatrixXd rate = -(at.sigma * W_rate * at.sigma);
  if (!rate.allFinite()) return no_finite_value(state.t);
  return rate;
}

}  // namespace vinculum
