// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/singular_position.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {

namespace {

constexpr double kDifference = 1e-4;  // of differences, in the largest coordinate: their error is its square
constexpr double kBends = 1e-5;

// Unit columns of L⁻¹Dᵀ, so that rows of every unit can be compared.
Eigen::MatrixXd scaled_rows(const Eigen::MatrixXd& D, const Cholesky& mass_factor, const Eigen::VectorXd& scale) {
  Eigen::MatrixXd W = mass_factor.solve_lower(D.transpose());
  for (Eigen::Index i = 0; i < W.cols(); ++i) W.col(i) *= scale[i] > 0 ? 1 / scale[i] : 0;
  return W;
}

// The motions the rows leave free, orthonormal in the sense of kinetic energy: L⁻ᵀ times these are velocities.
Eigen::MatrixXd free_motions(const RowAnalysis& analysis, Eigen::Index n) {
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(n, n) - analysis.Q * analysis.Q.transpose();
  const PivotedQr qr = factorize_columns(rest, 1e-8);
  return qr.Q.leftCols(qr.rank);
}

// Points of a body held sideways by several contacts whose normals are springs: tilted, the body would bring them nearer
// together.
bool hold_sideways_on_springs(const ConstraintSet& set, const std::vector<int>& rows) {
  int contact = -1;
  bool several = false;
  for (const int row : rows) {
    const auto* origin = set.rows[row].from<ContactRow>();
    if (origin == nullptr || (origin->axis != ContactAxis::lateral && origin->axis != ContactAxis::forward)) return false;
    several = several || (contact >= 0 && contact != origin->contact);
    contact = origin->contact;
    for (const Row& other : set.rows) {
      const auto* normal = other.from<ContactRow>();
      if (normal != nullptr && normal->contact == contact && normal->axis == ContactAxis::normal) return false;
    }
  }
  return several;
}

}  // namespace

std::optional<SingularPosition> find_singular_position(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                       const Cholesky& mass_factor, const RowAnalysis& analysis) {
  const Eigen::Index n = rows.D.cols();
  if (analysis.is_independent() || n == analysis.rank) return std::nullopt;
  // What is not felt here may be felt nearby: then in the unit of the others.
  Eigen::VectorXd scale = analysis.scale;
  const double largest = scale.maxCoeff() > 0 ? scale.maxCoeff() : 1;  // where nothing is felt, nothing is compared
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    if (!(scale[i] > 0)) scale[i] = largest;
  }
  // z of the scaled constraints: reactions in the unit of each constraint.
  Eigen::MatrixXd Z = analysis.Z;
  for (Eigen::Index i = 0; i < Z.rows(); ++i) Z.row(i) *= scale[i];
  Z = factorize_columns(Z, 1e-10).Q;
  const Eigen::MatrixXd N = free_motions(analysis, n);

  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    Eigen::VectorXd u = mass_factor.solve_upper(N.col(k));
    u *= kDifference / u.lpNorm<Eigen::Infinity>();
    const auto rows_at = [&](double sign) -> std::optional<Eigen::MatrixXd> {
      State moved = state;
      move_coordinates(set.model, sign * u, moved.q);
      const auto there = compute_constraint_rows(set, moved);
      if (!there) return std::nullopt;
      return scaled_rows(there->D, mass_factor, scale);
    };
    const auto ahead = rows_at(1), behind = rows_at(-1);
    if (!ahead || !behind) continue;
    const Eigen::MatrixXd change = *ahead - *behind, bend = N.transpose() * change * Z;  // B, freedoms by reactions
    if (!(bend.norm() > kBends * change.norm())) continue;

    SingularPosition position;
    const Eigen::VectorXd part = (Z * bend.transpose()).rowwise().norm();
    for (Eigen::Index i = 0; i < part.size(); ++i) {
      if (part[i] < 1e-3 * part.maxCoeff()) continue;
      position.rows.push_back(static_cast<int>(i));
      if (position.rows.size() > 6) continue;
      position.names += (position.names.empty() ? "" : ", ") + set.rows[i].name;
    }
    if (position.rows.size() > 6) position.names += fmt::format(" and {} more", position.rows.size() - 6);
    return position;
  }
  return std::nullopt;
}

std::optional<Failure> check_regular_position(const ConstraintSet& set, const State& state, Workspace& workspace,
                                              CoincidingTangents tangents) {
  if (set.is_plain_tree()) return std::nullopt;
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return std::nullopt;
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), rows->D);
  if (!mass) return std::nullopt;
  const auto position = find_singular_position(set, state, *rows, mass->factor, analyse_rows(mass->factor, *rows));
  if (!position) return std::nullopt;
  if (tangents == CoincidingTangents::allowed &&
      std::ranges::all_of(position->rows, [&](int row) { return set.rows[row].grip >= 0; }))
    return std::nullopt;
  if (hold_sideways_on_springs(set, position->rows)) {
    return Failure{
        "VN-CONTACT-100",
        fmt::format("the position at t = {:g} s is singular: {} hold a body sideways at several points. They allow a tilt in "
                    "this position only",
                    state.t, position->names),
        "forbid `normal` as well, or `lateral` and `forward` of one of these contacts only, with `sliding_friction` for "
        "the others"};
  }
  const bool guides = std::ranges::all_of(position->rows, [&](int row) { return set.rows[row].from<GuideRow>() != nullptr; });
  return Failure{
      "VN-CONTACT-100",
      fmt::format("the position at t = {:g} s is singular: {} depend on each other only here. Several motions pass through it, "
                  "so accelerations are not unique",
                  state.t, position->names),
      guides ? "pairs of faces at one place of a slider, or three on one line, leave it free to turn. Move a pair, or remove it"
             : "start a little beside it, on the branch that is meant (`check --assemble` closes the loops)"};
}

}  // namespace vinculum
