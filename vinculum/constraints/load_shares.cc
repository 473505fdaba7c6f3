// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/load_shares.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

namespace {

constexpr double kDependent = 1e-12, kNoShare = 1e-9;

bool is_there_by_modes(const ConstraintSet& set, const Row& row) {
  const bool grips = row.grip < 0 || Grip::holds(set.modes[set.model.grips()[row.grip].mode]);
  return grips && (row.mode < 0 || set.modes[row.mode] == row.when);
}

}  // namespace

LoadShares::LoadShares(const ConstraintSet& set, const ConstraintRows& rows, Scratch& scratch) : B_T_(nullptr, 0, 0) {
  const auto is_left = [&](const Row& row) { return set.left_out[row.index] && is_there_by_modes(set, row); };
  const Eigen::Index n = set.model.tree().velocities, kept = static_cast<Eigen::Index>(set.rows.size());
  const Eigen::Index rest = std::ranges::count_if(set.model.rows(), is_left);
  if (rest == 0) return;
  index_ = scratch.integers(static_cast<size_t>(kept + rest));
  new (&B_T_) MatrixMap(scratch.matrix(kept, kept + rest));  // a Map is told its place this way
  size_t next = 0;
  for (const Row& row : set.rows) index_[next++] = row.index;
  for (const Row& row : set.model.rows()) {
    if (is_left(row)) index_[next++] = row.index;
  }
  const Scratch::Frame frame(scratch);
  MatrixMap D = scratch.matrix(n, kept + rest), square = scratch.matrix(kept, kept);  // the rows, as columns
  for (Eigen::Index j = 0; j < kept + rest; ++j)
    compute_row(set, rows, rows.all[index_[static_cast<size_t>(j)]], {D.col(j).data(), static_cast<size_t>(n)});
  B_T_.leftCols(kept).setIdentity();
  solve_least_squares(D.leftCols(kept), D.rightCols(rest), kDependent, scratch, B_T_.rightCols(rest));
  square.noalias() = B_T_ * B_T_.transpose();
  solve_square_in_place(square, B_T_);
  B_T_ = (B_T_.array().abs() > kNoShare).select(B_T_, 0.0);
}

std::optional<LoadShares::Parts> LoadShares::of(int row) const {
  const auto found = std::ranges::find(index_, row);
  if (found == index_.end()) return std::nullopt;
  const Eigen::Index i = found - index_.begin();
  const Parts parts(B_T_.col(i).data(), B_T_.rows());
  const bool is_own = i < parts.size() && std::abs(parts[i] - 1) <= kNoShare && (parts.array() != 0).count() == 1;
  return is_own ? std::nullopt : std::optional(parts);
}

void compute_shares(const Eigen::MatrixXd& Z, std::span<const int> kept, InPlace B) {
  for (size_t j = 0; j < kept.size(); ++j) {
    const Eigen::Index column = static_cast<Eigen::Index>(j);
    B.col(column).noalias() = -Z * Z.row(kept[j]).transpose();
    B(kept[j], column) += 1;
  }
}

}  // namespace vinculum
