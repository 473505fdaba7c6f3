// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/projection.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/sparse_constraints.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

constexpr int kMostIterations = 100;
constexpr double kPositionRoundOff = 1e-14;  // of the length scale
constexpr double kStagnant =
    1e-12;                      // the same where a gap is searched for, what does not shrink any more is round-off of the search
constexpr double kNear = 1e-3;  // no more than the error of a step

// The constraints that have a gap, and their gaps; what is held moves by nothing.
struct GapRows {
  Eigen::MatrixXd D;
  Eigen::VectorXd gap;
};

GapRows gap_rows(const ConstraintRows& all, const std::vector<int>& held = {}) {
  GapRows part;
  std::vector<Eigen::Index> which;
  for (size_t i = 0; i < all.gap.size(); ++i) {
    if (all.gap[i]) which.push_back(static_cast<Eigen::Index>(i));
  }
  const Eigen::Index m = static_cast<Eigen::Index>(which.size()), with_held = m + static_cast<Eigen::Index>(held.size());
  part.D = Eigen::MatrixXd::Zero(with_held, all.D.cols());
  part.gap = Eigen::VectorXd::Zero(with_held);
  for (Eigen::Index i = m; i < with_held; ++i) part.D(i, held[i - m]) = 1;
  for (Eigen::Index i = 0; i < m; ++i) {
    part.D.row(i) = all.D.row(which[i]);
    part.gap[i] = *all.gap[which[i]];
  }
  return part;
}

double largest(const Eigen::VectorXd& values) { return values.size() == 0 ? 0 : values.lpNorm<Eigen::Infinity>(); }

// The largest gap of the constraints that have one, in units of their scales.
double largest_gap(const ConstraintSet& set, const ConstraintRows& rows) {
  double most = 0;
  for (size_t i = 0; i < rows.gap.size(); ++i) {
    if (rows.gap[i]) most = std::max(most, std::abs(*rows.gap[i]) / scales_of(set.model.scales(), set.rows[i]).position);
  }
  return most;
}

// The largest value beside its scale, and never less than that.
double largest_beside(std::span<const double> values, const std::vector<double>& scales) {
  double most = 1;
  for (size_t i = 0; i < values.size(); ++i) most = std::max(most, std::abs(values[i]) / scales[i]);
  return most;
}

}  // namespace

Eigen::VectorXd smallest_change(const Cholesky& mass, const Eigen::MatrixXd& D, const Eigen::VectorXd& r) {
  if (D.rows() == 0) return Eigen::VectorXd::Zero(D.cols());
  const Eigen::MatrixXd W = mass.solve_lower(D.transpose());
  return mass.solve_upper(solve_least_squares(W.transpose(), r, RowAnalysis::kRankTolerance).x);
}

void move_coordinates(const Model& model, std::span<const double> dq, std::vector<double>& q) {
  for (const Link& link : model.tree().links) {
    const int quaternion = quaternion_index(link);
    const int plain = quaternion < 0 ? velocity_count(link.kind) : velocity_count(link.kind) - 3;
    for (int k = 0; k < plain; ++k) q[link.q + k] += dq[link.v + k];
    if (quaternion < 0) continue;
    // Q ∘ (cos |w|/2, sin |w|/2 w/|w|)
    const Vector3 w{dq[link.v + plain], dq[link.v + plain + 1], dq[link.v + plain + 2]};
    const double half = 0.5 * norm(w), factor = half > 1e-8 ? 0.5 * std::sin(half) / half : 0.5;
    const Quaternion turned = normalized(Quaternion{q[quaternion], q[quaternion + 1], q[quaternion + 2], q[quaternion + 3]} *
                                         Quaternion{std::cos(half), factor * w.x, factor * w.y, factor * w.z});
    q[quaternion] = turned.w;
    q[quaternion + 1] = turned.x;
    q[quaternion + 2] = turned.y;
    q[quaternion + 3] = turned.z;
  }
}

std::optional<Failure> project_velocities(const ConstraintSet& set, State& state, Workspace& workspace,
                                          const std::vector<int>& held) {
  auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const Eigen::Index m = rows->D.rows(), with_held = m + static_cast<Eigen::Index>(held.size());
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(with_held, rows->D.cols());
  D.topRows(m) = rows->D;
  for (Eigen::Index i = m; i < with_held; ++i) D(i, held[i - m]) = 1;
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), D);
  if (!mass) return mass.failure();
  for (int pass = 0; pass < 2; ++pass) {
    Eigen::VectorXd residual = Eigen::VectorXd::Zero(with_held);
    residual.head(m) = rows->rate;
    Eigen::VectorXd dv = smallest_change(mass->factor, D, -residual);
    for (const int v : held) dv[v] = 0;
    for (Eigen::Index i = 0; i < dv.size(); ++i) state.v[i] += dv[i];
    rows = compute_constraint_rows(set, state);
    if (!rows) return rows.failure();
  }
  if (held.empty()) return std::nullopt;

  const Scales& scales = set.model.scales();
  const double size = largest_beside(state.v, velocity_scales(set.model, scales));
  std::string left, kept;
  const std::vector<RowResidual> residuals = list_residuals(set, *rows);
  for (size_t i = 0; i < residuals.size(); ++i) {
    const RowResidual& residual = residuals[i];
    if (!(std::abs(residual.velocity) <= 1e-10 * size * scales_of(scales, set.rows[i]).velocity))
      left += fmt::format("{}{} {:.4g}", left.empty() ? "" : ", ", residual.row, residual.velocity);
  }
  if (left.empty()) return std::nullopt;
  for (const int v : held) kept += (kept.empty() ? "" : ", ") + set.model.velocity_names()[v];
  return Failure{"VN-CONTACT-130",
                 fmt::format("no velocity satisfies the constraints while {} keep their values; residuals: {}", kept, left),
                 "hold fewer velocities, or give them values that agree with each other"};
}

Outcome<Projection> project_state(const ConstraintSet& set, const State& start, Workspace& workspace,
                                  const std::vector<int>& held, const std::vector<int>& held_velocities) {
  Projection result;
  result.state = start;
  State& state = result.state;
  Outcome<ConstraintRows> rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  GapRows gaps = gap_rows(*rows, held);
  result.position = largest(gaps.gap);

  // Newton with steps halved until the gaps shrink; it ends where they are round-off.
  double left = largest_gap(set, *rows);
  while (left > kPositionRoundOff && result.iterations < kMostIterations) {
    const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), rows->D);
    if (!mass) return mass.failure();
    Eigen::VectorXd dq = smallest_change(mass->factor, gaps.D, -gaps.gap);
    for (const int v : held) dq[v] = 0;
    bool shrinks = false;
    for (double part = 1; part > 1e-3 && !shrinks; part /= 2) {
      State tried = state;
      move_coordinates(set.model, part * dq, tried.q);
      Outcome<ConstraintRows> tried_rows = compute_constraint_rows(set, tried);
      if (!tried_rows) continue;
      GapRows tried_gaps = gap_rows(*tried_rows, held);
      if (!(tried_gaps.gap.norm() < gaps.gap.norm())) continue;
      shrinks = true;
      state = std::move(tried);
      rows = std::move(tried_rows);
      gaps = std::move(tried_gaps);
    }
    if (!shrinks) break;
    result.position = largest(gaps.gap);
    left = largest_gap(set, *rows);
    ++result.iterations;
  }
  if (!(left <= 1e-10 * largest_beside(state.q, coordinate_scales(set.model, set.model.scales())))) {
    std::string names;
    for (const RowResidual& residual : list_residuals(set, *rows)) {
      if (std::abs(residual.position.value_or(0)) > 0.1 * result.position)
        names += fmt::format("{}{} {:.4g}", names.empty() ? "" : ", ", residual.row, *residual.position);
    }
    std::string kept;
    for (const int v : held) kept += (kept.empty() ? " with the coordinates of " : ", ") + set.model.velocity_names()[v];
    return Failure{"VN-CONTACT-013",
                   fmt::format("no position that obeys the constraints was found from this state{}; the nearest leaves {}",
                               kept.empty() ? "" : kept + " held", names),
                   "start closer to the assembled position, or check lengths and frames of these contacts"};
  }

  if (auto failure = project_velocities(set, state, workspace, held_velocities)) return *failure;
  rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  result.velocity = largest(rows->rate);
  return result;
}

namespace {

// The change by dense matrices: of positions (-gap) or of velocities (-rate).
//
//   W x = r ,  W = (L⁻¹Dᵀ)ᵀ ,  change = L⁻ᵀx  of the smallest x
bool change_by_dense_rows(const ConstraintSet& set, const State& state, ConstraintRows& rows, bool of_positions,
                          Workspace& workspace, DenseConstraints& memory, std::span<double> change) {
  fill_jacobian(set, rows);
  compute_mass_matrix(set.model, state.q, workspace, memory.equations.mass_matrix);
  Scratch& scratch = memory.scratch;
  if (factorize_mass_matrix(set, memory.equations.mass_matrix, rows.D, scratch, memory.mass)) return false;
  const Scratch::Frame frame(scratch);
  const auto is_wanted = [&](size_t i) { return !of_positions || rows.gap[i]; };
  Eigen::Index m = 0;
  for (size_t i = 0; i < rows.gap.size(); ++i) m += is_wanted(i) ? 1 : 0;
  MatrixMap W_T = scratch.matrix(rows.D.cols(), m), W = scratch.matrix(m, rows.D.cols());
  VectorMap residual = scratch.vector(m), x(change.data(), rows.D.cols());
  Eigen::Index next = 0;
  for (size_t i = 0; i < rows.gap.size(); ++i) {
    if (!is_wanted(i)) continue;
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    W_T.col(next) = rows.D.row(row);
    residual[next++] = of_positions ? -*rows.gap[i] : -rows.rate[row];
  }
  x.setZero();
  if (m == 0) return true;
  memory.mass.factor.solve_lower_in_place(W_T);
  W = W_T.transpose();
  solve_least_squares(W, residual, RowAnalysis::kRankTolerance, scratch, x);
  memory.mass.factor.solve_upper_in_place(x);
  return true;
}

}  // namespace

bool keep_on_constraints(const ConstraintSet& set, State& state, Workspace& workspace, SparseConstraints* sparse) {
  ConstraintRows own_rows;
  std::vector<double> own_change;
  std::optional<DenseConstraints> own_memory;
  DenseConstraints& memory = sparse != nullptr ? sparse->dense_memory() : own_memory.emplace();
  ConstraintRows& rows = sparse != nullptr ? sparse->rows_memory() : own_rows;
  std::vector<double>& change = sparse != nullptr ? sparse->change_memory() : own_change;
  if (compute_row_values(set, state, rows)) return false;
  change.resize(state.v.size());
  double last = HUGE_VAL;
  for (int pass = 0; pass < 3; ++pass) {
    const double left = largest_gap(set, rows);
    if (!(left < kNear)) return false;
    if (left <= kPositionRoundOff) break;
    // Constraints that were left out as dependent may still have gaps of their own: then the quick way does not shrink them.
    const bool shrinks = left < 0.5 * last;
    if (!shrinks && left <= kStagnant) break;
    if (!(shrinks && sparse != nullptr && sparse->compute_position_change(set, state, rows, workspace, change)) &&
        !change_by_dense_rows(set, state, rows, true, workspace, memory, change))
      return false;
    last = left;
    move_coordinates(set.model, change, state.q);
    if (compute_row_values(set, state, rows)) return false;
  }
  if (!(sparse != nullptr && sparse->compute_velocity_change(set, state, rows, workspace, change)) &&
      !change_by_dense_rows(set, state, rows, false, workspace, memory, change))
    return false;
  for (size_t i = 0; i < change.size(); ++i) state.v[i] += change[i];
  return true;
}

bool keep_on_constraints(const Model& model, LoopSolver& loops, State& state, Workspace& workspace) {
  constexpr int kMostPasses = 5;
  std::vector<double>& change = loops.change_memory();
  change.resize(state.v.size());
  const double length = model.scales().length;
  double round_off = kPositionRoundOff * length, last = HUGE_VAL;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!loops.compute_way_back(state.q, state.v, round_off, workspace, change) || !(loops.largest_gap() < kNear * length))
      return false;
    if (loops.largest_gap() <= round_off) {
      for (size_t i = 0; i < change.size(); ++i) state.v[i] += change[i];
      return true;
    }
    // In a large mechanism what does not shrink any more is round-off.
    const bool shrinks = loops.largest_gap() < 0.5 * last;
    if (shrinks) move_coordinates(model, change, state.q);
    if (!shrinks) round_off = loops.largest_gap();
    last = loops.largest_gap();
  }
  return false;
}

}  // namespace vinculum
