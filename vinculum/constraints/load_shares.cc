// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/load_shares.h"

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr double kDependent = 1e-12, kNoShare = 1e-9;

bool is_there_by_modes(const ConstraintSet& set, const Row& row) {
  const bool grips = row.grip < 0 || Grip::holds(set.modes[set.model.grips()[row.grip].mode]);
  return grips && (row.mode < 0 || set.modes[row.mode] == row.when);
}

}  // namespace

LoadShares::LoadShares(const ConstraintSet& set, const ConstraintRows& rows) {
  std::vector<int> left;
  for (const Row& row : set.model.rows()) {
    if (set.left_out[row.index] && is_there_by_modes(set, row)) left.push_back(row.index);
  }
  if (left.empty()) return;
  const Eigen::Index n = set.model.tree().velocities, kept = static_cast<Eigen::Index>(set.rows.size());
  const Eigen::Index rest = static_cast<Eigen::Index>(left.size());
  Eigen::MatrixXd Dk(n, kept), Dl(n, rest);  // as columns
  for (Eigen::Index j = 0; j < kept; ++j) {
    index_.push_back(set.rows[j].index);
    Dk.col(j) = compute_row(set, rows, rows.all[index_.back()]).row;
  }
  for (Eigen::Index j = 0; j < rest; ++j) {
    index_.push_back(left[j]);
    Dl.col(j) = compute_row(set, rows, rows.all[left[j]]).row;
  }
  Eigen::MatrixXd G(kept, kept + rest);
  G << Eigen::MatrixXd::Identity(kept, kept), solve_least_squares(Dk, Dl, kDependent).x;
  B_ = solve_square(G * G.transpose(), G).x.transpose();
}

std::optional<Eigen::VectorXd> LoadShares::of(int row) const {
  for (size_t i = 0; i < index_.size(); ++i) {
    if (index_[i] != row) continue;
    Eigen::VectorXd parts = B_.row(static_cast<Eigen::Index>(i));
    parts = (parts.array().abs() > kNoShare).select(parts, 0.0);
    const bool is_kept = static_cast<Eigen::Index>(i) < B_.cols();
    if (is_kept && std::abs(parts[static_cast<Eigen::Index>(i)] - 1) <= kNoShare && (parts.array() != 0).count() == 1)
      return std::nullopt;
    return parts;
  }
  return std::nullopt;
}

Eigen::MatrixXd compute_shares(const Eigen::MatrixXd& Z, const std::vector<int>& kept) {
  const Eigen::MatrixXd part = Z(kept, Eigen::all);
  Eigen::MatrixXd B = -Z * part.transpose();
  for (size_t j = 0; j < kept.size(); ++j) B(kept[j], static_cast<Eigen::Index>(j)) += 1;
  return B;
}

}  // namespace vinculum
