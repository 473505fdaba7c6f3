// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/constrained_derivatives.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "vinculum/constrained/constrained_series.h"
#include "vinculum/constrained/singular_position.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/geometry/contact_geometry_kernel.h"

namespace vinculum {

namespace {

// What the equations are made of at a state.
struct EquationsHere {
  ConstraintRows rows;
  MassFactor mass;
  RowAnalysis analysis;
};

// A departure of the state: of q, of q' = N(q) v, and of v.
struct Departure {
  std::vector<double> q, q_rate, v;
};

// δq = N(q) e_j and, N being linear in quaternions, δq' = N(δq) v for them; the other coordinates have q' = v.
Departure depart(const Model& model, const State& state, int j) {
  const size_t nq = state.q.size(), nv = state.v.size();
  Departure departure{std::vector<double>(nq), std::vector<double>(nq), std::vector<double>(nv)};
  std::vector<double> unit(nv);
  if (j >= static_cast<int>(nv)) {
    departure.v[j - nv] = 1;
    compute_coordinate_rates(model, state.q, departure.v, departure.q_rate);
    return departure;
  }
  unit[j] = 1;
  compute_coordinate_rates(model, state.q, unit, departure.q);
  const std::vector<double> none(nq);
  std::vector<double> plain(nq);
  compute_coordinate_rates(model, departure.q, state.v, departure.q_rate);
  compute_coordinate_rates(model, none, state.v, plain);
  for (size_t i = 0; i < nq; ++i) departure.q_rate[i] -= plain[i];
  return departure;
}

template <class S>
class TapeOn {
 public:
  explicit TapeOn(const Tape& tape) : tape_(tape), values_(tape.steps.size()), outputs_(tape.outputs.size()) {}
  const std::vector<S>& evaluate(const std::vector<S>& inputs) {
    vinculum::evaluate(tape_, inputs.data(), outputs_.data(), values_.data());
    return outputs_;
  }

 private:
  const Tape& tape_;
  std::vector<S> values_, outputs_;
};

void fill_residuals(const ConstraintRows& rows, ConstrainedDerivatives& result) {
  std::vector<Eigen::Index> with_gap;
  double worst = -1;
  for (size_t i = 0; i < rows.gap.size(); ++i) {
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    const double gap = std::abs(rows.gap[i].value_or(0)), rate = std::abs(rows.rate[row]);
    if (rows.gap[i]) with_gap.push_back(row);
    result.largest_gap = std::max(result.largest_gap, gap);
    result.largest_rate = std::max(result.largest_rate, rate);
    if (std::max(gap, rate) <= worst) continue;
    worst = std::max(gap, rate);
    result.worst_row = static_cast<int>(i);
  }
  result.position = rows.D(with_gap, Eigen::all);
}

// The limit of central differences f'(h) = f' + c h² + .. as h is halved, by extrapolation, each component where its last
// correction is least: that is its error.
struct Slope {
  Eigen::VectorXd value, error;
};
std::optional<Slope> extrapolate(const std::function<std::optional<Eigen::VectorXd>(double)>& central) {
  constexpr double kFirstStep = 0.04;
  constexpr int kLevels = 9;
  std::vector<std::vector<Eigen::VectorXd>> table;
  Slope best;
  for (int level = 0; level < kLevels; ++level) {
    auto first = central(std::ldexp(kFirstStep, -level));
    if (!first) {  // a step too far for the contacts
      table.clear();
      continue;
    }
    std::vector<Eigen::VectorXd> row{std::move(*first)};
    for (size_t k = 1; k <= table.size(); ++k) {
      const double factor = std::ldexp(1.0, 2 * static_cast<int>(k));
      row.push_back((factor * row[k - 1] - table.back()[k - 1]) / (factor - 1));
      const Eigen::VectorXd error = (row[k] - row[k - 1]).cwiseAbs().cwiseMax((row[k] - table.back()[k - 1]).cwiseAbs());
      if (best.value.size() == 0) best = {row[k], error};
      for (Eigen::Index i = 0; i < error.size(); ++i) {
        if (!(error[i] < best.error[i])) continue;
        best.value[i] = row[k][i];
        best.error[i] = error[i];
      }
    }
    table.push_back(std::move(row));
  }
  return best.value.size() > 0 ? std::optional(best) : std::nullopt;
}

}  // namespace

struct ConstrainedDifferentiator::Memory {
  explicit Memory(const ConstraintSet& constraints)
      : set(constraints), workspace(constraints.model), exact(!check_traced_rows(constraints)) {
    if (!exact) return;
    row_tape = trace_constraint_rows(set);
    motion_tape = trace_constrained_motion(set);
  }

  Outcome<EquationsHere> equations_at(const State& state) {
    auto rows = compute_constraint_rows(set, state);
    if (!rows) return rows.failure();
    auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), rows->D);
    if (!mass) return mass.failure();
    RowAnalysis analysis = analyse_rows(mass->factor, *rows);
    if (const auto contradiction = check_consistent(set, *rows, analysis)) return *contradiction;
    if (const auto refusal = check_regular_position(set, state, workspace)) return *refusal;
    return EquationsHere{std::move(*rows), std::move(*mass), std::move(analysis)};
  }

  // Q = tau + Σ J_bᵀ F_b of the forces from outside, which no tape has, and ∂Q/∂q: what they change of A v' + h.
  std::optional<Failure> differentiate_applied(const State& state, const Applied& applied) {
    const size_t n = state.v.size();
    pushed.setZero(static_cast<Eigen::Index>(n));
    pushed_by_q.setZero(pushed.size(), pushed.size());
    for (size_t i = 0; i < applied.tau.size(); ++i) pushed[static_cast<Eigen::Index>(i)] = applied.tau[i];
    if (applied.wrenches_W.empty()) return std::nullopt;
    const std::vector<double> zero(n, 0.0);
    std::vector<double> with(n), without(n);
    compute_forces(set.model, state.t, state.q, state.v, zero, without, workspace);
    compute_forces(set.model, state.t, state.q, state.v, zero, with, workspace, applied);
    DerivativesWorkspace of_tree(set.model);
    InverseDerivatives slopes, slopes_without;
    if (auto failure = compute_inverse_derivatives(set.model, state, zero, of_tree, slopes_without)) return failure;
    if (auto failure = compute_inverse_derivatives(set.model, state, zero, of_tree, slopes, applied)) return failure;
    for (size_t i = 0; i < n; ++i) pushed[static_cast<Eigen::Index>(i)] += without[i] - with[i];
    pushed_by_q = slopes_without.by_q - slopes.by_q;
    return std::nullopt;
  }

  void differentiate_tapes(const State& state, const EquationsHere& at, ConstrainedDerivatives& result) {
    const Eigen::Index n = at.rows.D.cols(), m = at.rows.D.rows();
    const size_t nq = state.q.size(), nv = state.v.size();
    TapeOn<Dual1> motion(motion_tape);
    TapeOn<Dual2> rows(row_tape);
    std::vector<Dual1> x(motion_tape.inputs, Dual1(0));
    std::vector<Dual2> y(row_tape.inputs, Dual2(0));

    // v' and lambda: A v' - Dᵀ lambda = b
    x[0].value = state.t;
    for (size_t i = 0; i < nq; ++i) x[1 + i].value = state.q[i];
    for (size_t i = 0; i < nv; ++i) x[1 + nq + i].value = state.v[i];
    Eigen::VectorXd b(n), target(m);
    const std::vector<Dual1>& resting = motion.evaluate(x);
    for (Eigen::Index i = 0; i < n; ++i) b[i] = pushed[i] - resting[i].value;
    const RowSolution found = solve_rows(at.mass, at.analysis, at.rows.D, b, at.rows.gamma);
    result.accelerations = found.x;
    for (Eigen::Index i = 0; i < n; ++i) x[1 + nq + nv + i].value = found.x[i];
    for (Eigen::Index i = 0; i < m; ++i) x[1 + nq + 2 * nv + i].value = found.multipliers[i];

    std::vector<double> q_rate(nq);
    compute_coordinate_rates(set.model, state.q, state.v, q_rate);
    const std::vector<int> independent(at.analysis.order.begin(), at.analysis.order.begin() + at.analysis.rank);
    for (int j = 0; j < 2 * static_cast<int>(n); ++j) {
      const Departure departure = depart(set.model, state, j);
      y[0] = {{state.t, 1}, {0, 0}};
      for (size_t i = 0; i < nq; ++i) {
        x[1 + i].derivatives = departure.q[i];
        y[1 + i] = {{state.q[i], q_rate[i]}, {departure.q[i], departure.q_rate[i]}};
      }
      for (size_t i = 0; i < nv; ++i) {
        x[1 + nq + i].derivatives = departure.v[i];
        y[1 + nq + i] = {{state.v[i], found.x[static_cast<Eigen::Index>(i)]}, {departure.v[i], 0}};
      }
      const std::vector<Dual1>& forces = motion.evaluate(x);
      for (Eigen::Index i = 0; i < n; ++i) b[i] = (j < n ? pushed_by_q(i, j) : 0) - forces[i].derivatives;
      const std::vector<Dual2>& rates = rows.evaluate(y);
      for (Eigen::Index i = 0; i < m; ++i) target[i] = -rates[i].derivatives.derivatives;
      const Eigen::VectorXd slope = solve_rows(at.mass, at.analysis, at.rows.D, b, target).x;
      if (j >= n) {
        result.by_v.col(j - n) = slope;
        continue;
      }
      result.by_q.col(j) = slope;
      for (size_t k = 0; k < independent.size(); ++k)
        result.rate_by_q(static_cast<Eigen::Index>(k), j) = rates[independent[k]].derivatives.value;
    }
    b.setZero();
    target.setZero();
    for (Eigen::Index j = 0; j < n; ++j) {
      b[j] = 1;
      result.by_tau.col(j) = solve_rows(at.mass, at.analysis, at.rows.D, b, target).x;
      b[j] = 0;
    }
  }

  std::optional<Failure> differentiate_by_steps(const State& state, const EquationsHere& at, ConstrainedDerivatives& result) {
    // Redundant constraints part from the others a step away: they are left out.
    ConstraintSet independent = set;
    std::vector<bool> left_out = set.left_out;
    for (size_t k = static_cast<size_t>(at.analysis.rank); k < at.analysis.order.size(); ++k)
      left_out[set.rows[at.analysis.order[k]].index] = true;
    independent.leave_out(left_out);
    const Eigen::Index n = at.rows.D.cols(), m = static_cast<Eigen::Index>(independent.rows.size());
    const Model& model = set.model;

    const auto motion = compute_constrained_motion(independent, state, {}, workspace);
    if (!motion) return motion.failure();
    result.accelerations = motion->accelerations;
    const auto values = [&](const State& there) -> std::optional<Eigen::VectorXd> {
      const auto moved = compute_constrained_motion(independent, there, {}, workspace);
      const auto rows = compute_row_values(independent, there);
      if (!moved || !rows) return std::nullopt;
      Eigen::VectorXd both(n + m);
      both << moved->accelerations, rows->rate;
      return both;
    };
    // Constraints in the order of the independent ones, as D is.
    std::vector<int> kept(at.analysis.order.begin(), at.analysis.order.begin() + at.analysis.rank);
    std::vector<int> sorted = kept;
    std::sort(sorted.begin(), sorted.end());
    double largest_error = 0;
    for (Eigen::Index j = 0; j < 2 * n; ++j) {
      const auto slope = extrapolate([&](double step) -> std::optional<Eigen::VectorXd> {
        const auto side = [&](double h) {
          State there = state;
          if (j < n)
            move_coordinates(model, h * Eigen::VectorXd::Unit(n, j), there.q);
          else
            there.v[j - n] += h;
          return values(there);
        };
        const auto ahead = side(step), behind = side(-step);
        if (!ahead || !behind) return std::nullopt;
        return (*ahead - *behind) / (2 * step);
      });
      if (!slope || !slope->value.allFinite()) return no_finite_value(state.t);
      (j < n ? result.by_q.col(j) : result.by_v.col(j - n)) = slope->value.head(n);
      largest_error = std::max(largest_error, slope->error.lpNorm<Eigen::Infinity>());
      if (j >= n) continue;
      for (size_t k = 0; k < kept.size(); ++k) {
        const auto place = std::find(sorted.begin(), sorted.end(), kept[k]) - sorted.begin();
        result.rate_by_q(static_cast<Eigen::Index>(k), j) = slope->value[n + place];
      }
    }
    const double largest = std::max(result.by_q.lpNorm<Eigen::Infinity>(), result.by_v.lpNorm<Eigen::Infinity>());
    result.error = largest > 0 ? largest_error / largest : 0;
    return respond_to_forces(independent, state, result);
  }

  // A a - D̃ᵀ lambda = e_j , D a = 0 ; D̃ has the friction that presses along.
  std::optional<Failure> respond_to_forces(const ConstraintSet& independent, const State& state, ConstrainedDerivatives& result) {
    const auto dynamics = compute_contact_reactions(independent, state, workspace);
    if (!dynamics) return dynamics.failure();
    const Eigen::MatrixXd A = compute_mass_matrix(set.model, state, workspace);
    const Eigen::MatrixXd& D = dynamics->rows.D;
    const Eigen::Index n = A.rows(), m = D.rows();
    Eigen::MatrixXd both = Eigen::MatrixXd::Zero(n + m, n + m), right = Eigen::MatrixXd::Zero(n + m, n);
    both.topLeftCorner(n, n) = A;
    both.bottomLeftCorner(m, n) = D;
    both.topRightCorner(n, m) = -D.transpose();
    if (dynamics->forces.coupling.cols() == m) {
      for (Eigen::Index i = 0; i < m; ++i) {
        if (dynamics->solution.multipliers[i] > 0) both.topRightCorner(n, m).col(i) -= dynamics->forces.coupling.col(i);
      }
    }
    right.topRows(n).setIdentity();
    result.by_tau = solve_least_squares(both, right, RowAnalysis::kRankTolerance * RowAnalysis::kRankTolerance).x.topRows(n);
    return std::nullopt;
  }

  const ConstraintSet& set;
  Workspace workspace;
  bool exact;
  Tape row_tape, motion_tape;
  Eigen::VectorXd pushed;
  Eigen::MatrixXd pushed_by_q;
};

ConstrainedDifferentiator::ConstrainedDifferentiator(const ConstraintSet& set) : memory_(std::make_unique<Memory>(set)) {}
ConstrainedDifferentiator::~ConstrainedDifferentiator() = default;

bool ConstrainedDifferentiator::is_exact() const { return memory_->exact; }

Outcome<ConstrainedDerivatives> ConstrainedDifferentiator::compute(const State& state) { return compute(state, {}); }

Outcome<ConstrainedDerivatives> ConstrainedDifferentiator::compute(const State& state, const Applied& applied) {
  if (auto refusal = check_applied(memory_->set.model, applied)) return *refusal;
  const auto at = memory_->equations_at(state);
  if (!at) return at.failure();
  const Eigen::Index n = at->rows.D.cols(), rank = at->analysis.rank;
  ConstrainedDerivatives result;
  result.by_q.setZero(n, n);
  result.by_v.setZero(n, n);
  result.by_tau.setZero(n, n);
  result.rate_by_q.setZero(rank, n);
  const std::vector<int> independent(at->analysis.order.begin(), at->analysis.order.begin() + rank);
  result.D = at->rows.D(independent, Eigen::all);
  fill_residuals(at->rows, result);
  if (memory_->exact) {
    if (auto failure = memory_->differentiate_applied(state, applied)) return *failure;
    memory_->differentiate_tapes(state, *at, result);
  } else {
    const AppliedScope scope(memory_->workspace, applied);
    if (auto failure = memory_->differentiate_by_steps(state, *at, result)) return *failure;
  }
  const bool finite = result.by_q.allFinite() && result.by_v.allFinite() && result.by_tau.allFinite() &&
                      result.rate_by_q.allFinite() && result.accelerations.allFinite();
  if (!finite) return no_finite_value(state.t);
  return result;
}

}  // namespace vinculum
