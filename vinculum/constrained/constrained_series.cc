// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/constrained_series.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constrained/series_on_branch.h"
#include "vinculum/constrained/singular_position.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/row_source.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/traced_tree.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/tape_series.h"
#include "vinculum/series/series_laws.h"

namespace vinculum {

Tape trace_constraint_rows(const ConstraintSet& set) {
  return trace_rows(set.model, [&](const TracedTree& tree) {
    std::vector<Traced> rates, given;
    for (const Row& label : set.rows) {
      const TracedRow row = source_of(label).write(set.model, label, tree);
      rates.push_back(row.rate);
      given.push_back(row.given);
    }
    rates.insert(rates.end(), given.begin(), given.end());
    return rates;
  });
}

Tape trace_constrained_motion(const ConstraintSet& set) {
  const auto push = [&](const TracedTree& tree, std::span<const Traced> multipliers, std::span<WrenchOf<Traced>> loads,
                        std::span<Traced> forces) {
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const TracedRow row = source_of(set.rows[i]).write(set.model, set.rows[i], tree);
      for (const auto& [velocity, factor] : row.forces) forces[velocity] = forces[velocity] + factor * multipliers[i];
      const auto act_on = [&](int body, const Traced& strength) {
        if (body == kWorld) return;
        const int link = set.model.link_of(body);
        const LinkInWorld<Traced>& place = tree.links[link];
        const Vector3Of<Traced> force = strength * row.wrench_W.force;
        const Vector3Of<Traced> moment = strength * row.wrench_W.moment + cross(row.point_W - place.p, force);
        loads[link] += WrenchOf<Traced>{transpose_times(place.R, force), transpose_times(place.R, moment)};
      };
      if (!row.is_wrench) continue;
      act_on(row.on, multipliers[i]);
      act_on(row.against, -multipliers[i]);
    }
  };
  return trace_motion(set.model, static_cast<int>(set.rows.size()), push);
}

struct ConstrainedSeries::Memory {
  Memory(const ConstraintSet& constraints, bool with_work, int highest)
      : set(constraints),
        workspace(constraints.model),
        counts_work(with_work),
        coordinates(constraints.model.tree().coordinates),
        velocities(constraints.model.tree().velocities),
        links(static_cast<int>(constraints.model.tree().links.size())),
        rows(static_cast<int>(constraints.rows.size())),
        row_series(trace_constraint_rows(constraints), highest),
        motion_series(trace_constrained_motion(constraints), highest),
        multipliers(static_cast<size_t>(rows) * (highest + 1)),
        stride(highest + 1) {}

  int dimension() const { return coordinates + velocities + (counts_work ? 1 : 0); }

  // Orders of the inputs that are known: t, q, v.
  static void set_state(TapeSeries& series, int n, double t, std::span<const double> y) {
    series.set_input(0, n, n == 0 ? t : n == 1 ? 1 : 0);
    for (size_t i = 0; i < y.size(); ++i) series.set_input(1 + static_cast<int>(i), n, y[i]);
  }

  // A v' + h - tau - Dᵀ lambda at order n.
  void compute_motion(int n, double t, std::span<const double> y, const Eigen::VectorXd& a, const Eigen::VectorXd& lambda) {
    set_state(motion_series, n, t, y);
    const int first = 1 + coordinates + velocities;
    for (int i = 0; i < velocities; ++i) motion_series.set_input(first + i, n, a[i]);
    for (int i = 0; i < rows; ++i) motion_series.set_input(first + velocities + i, n, lambda[i]);
    motion_series.compute_order(n);
  }

  // Power of forces without a potential, contacts and drives at order n: loads + Σ lambda F.
  double power(int n) const {
    double sum = motion_series.output(velocities + 6 * links, n);
    for (int k = 0; k < rows; ++k) {
      for (int j = 0; j <= n; ++j) sum += multipliers[k * stride + j] * row_series.output(rows + k, n - j);
    }
    return sum;
  }

  const ConstraintSet& set;
  Workspace workspace;
  bool counts_work;
  int coordinates, velocities, links, rows;
  TapeSeries row_series, motion_series;
  std::vector<double> multipliers;  // of each constraint, order after order
  int stride;
};

ConstrainedSeries::ConstrainedSeries(const ConstraintSet& set, bool counts_work, int highest_order)
    : memory_(std::make_unique<Memory>(set, counts_work, highest_order)) {}
ConstrainedSeries::~ConstrainedSeries() = default;
ConstrainedSeries::ConstrainedSeries(ConstrainedSeries&&) noexcept = default;

int ConstrainedSeries::dimension() const { return memory_->dimension(); }

bool ConstrainedSeries::compute(double t, std::span<const double> y, int order, std::span<double> coefficients) {
  Memory& own = *memory_;
  const Model& model = own.set.model;
  const int dimension = own.dimension(), nq = own.coordinates, nv = own.velocities, m = own.rows;
  State state{t, {y.begin(), y.begin() + nq}, {y.begin() + nq, y.begin() + nq + nv}};
  Bindings bindings;
  bindings.time = t;
  for (const DrivenCoordinate& driven : model.driven()) {
    state.q[driven.q] = evaluate(driven.law, bindings);
    state.v[driven.v] = evaluate(driven.rate, bindings);
  }

  // The matrices of order 0 serve at every order.
  const auto rows = compute_constraint_rows(own.set, state);
  if (!rows) return false;
  const auto mass = factorize_mass_matrix(own.set, compute_mass_matrix(model, state, own.workspace), rows->D);
  if (!mass) return false;
  const RowAnalysis analysis = analyse_rows(mass->factor, *rows);
  if (check_consistent(own.set, *rows, analysis)) return false;

  const auto at = [&](int n) { return coefficients.subspan(static_cast<size_t>(n) * dimension, dimension); };
  std::fill(coefficients.begin(), coefficients.begin() + static_cast<std::ptrdiff_t>(order + 1) * dimension, 0.0);
  std::copy(state.q.begin(), state.q.end(), at(0).begin());
  std::copy(state.v.begin(), state.v.end(), at(0).begin() + nq);
  if (own.counts_work) at(0)[dimension - 1] = y[dimension - 1];
  Memory::set_state(own.row_series, 0, t, at(0).first(nq + nv));
  own.row_series.compute_order(0);

  const Eigen::VectorXd no_a = Eigen::VectorXd::Zero(nv), no_lambda = Eigen::VectorXd::Zero(m);
  Eigen::VectorXd b(nv), target(m);
  for (int n = 0; n < order; ++n) {
    const std::span<double> next = at(n + 1);
    for (int i = 0; i < nq; ++i) next[i] = own.row_series.output(2 * m + i, n) / (n + 1);
    Memory::set_state(own.row_series, n + 1, t, next.first(nq + nv));
    own.row_series.compute_order(n + 1);
    for (int i = 0; i < m; ++i) target[i] = -(n + 1) * own.row_series.output(i, n + 1);

    own.compute_motion(n, t, at(n).first(nq + nv), no_a, no_lambda);
    for (int i = 0; i < nv; ++i) b[i] = -own.motion_series.output(i, n);
    const RowSolution solution = solve_rows(*mass, analysis, rows->D, b, target);
    if (!solution.x.allFinite()) return false;

    own.compute_motion(n, t, at(n).first(nq + nv), solution.x, solution.multipliers);
    for (int i = 0; i < m; ++i) own.multipliers[i * own.stride + n] = solution.multipliers[i];
    for (int i = 0; i < nv; ++i) next[nq + i] = solution.x[i] / (n + 1);
    Memory::set_state(own.row_series, n + 1, t, next.first(nq + nv));
    own.row_series.compute_order(n + 1);
    if (own.counts_work) next[dimension - 1] = own.power(n) / (n + 1);
  }
  return std::ranges::all_of(coefficients.first(static_cast<size_t>(order + 1) * dimension),
                             [](double value) { return std::isfinite(value); });
}

double ConstrainedSeries::find_branch(double reach) const {
  return memory_->motion_series.find_branch(memory_->row_series.find_branch(reach));
}

double ConstrainedSeries::multiplier(int row, int order) const { return memory_->multipliers[row * memory_->stride + order]; }

Wrench ConstrainedSeries::wrench(int link, int order) const {
  const auto value = [&](int k) { return memory_->motion_series.output(memory_->velocities + 6 * link + k, order); };
  return {{value(0), value(1), value(2)}, {value(3), value(4), value(5)}};
}

std::optional<Failure> check_traced_rows(const ConstraintSet& set) {
  for (const RowSource* source : row_sources()) {
    if (auto refusal = source->check_series(set.model)) return refusal;
  }
  return std::nullopt;
}

std::optional<Failure> check_series(const ConstraintSet& set) {
  if (auto refusal = check_traced_rows(set)) return refusal;
  return check_analytic(set.model);
}

Outcome<MotionCoefficients> compute_motion_coefficients(const ConstraintSet& set, const State& state, int order) {
  if (!check_traced_rows(set) && check_analytic(set.model)) return compute_series_on_branch(set, state, order);
  if (set.is_plain_tree()) return compute_motion_coefficients(set.model, state, order);
  if (const auto refusal = check_series(set)) return *refusal;
  Workspace workspace(set.model);
  if (const auto refusal = check_regular_position(set, state, workspace)) return *refusal;
  if (const auto dynamics = compute_constrained_dynamics(set, state, workspace); !dynamics) return dynamics.failure();
  ConstrainedSeries series(set, false, order);
  std::vector<double> y(state.q), coefficients(static_cast<size_t>(order + 1) * series.dimension());
  y.insert(y.end(), state.v.begin(), state.v.end());
  if (!series.compute(state.t, y, order, coefficients)) return no_finite_value(state.t);
  MotionCoefficients result = describe_coefficients(set.model, coefficients, series.dimension(), order,
                                                    [&](int link, int n) { return series.wrench(link, n); });
  for (int row = 0; row < static_cast<int>(set.rows.size()); ++row) {
    std::vector<double>& multipliers = result.multipliers.emplace_back();
    for (int n = 0; n < order; ++n) multipliers.push_back(series.multiplier(row, n));
  }
  return result;
}

}  // namespace vinculum
