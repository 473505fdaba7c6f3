// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/normal_self_stress.h"

namespace vinculum {

namespace {

constexpr double kNoPartOfBasis = 1e-9;  // of an orthonormal basis: a smaller part is round-off of the rank decision

// Orthonormal c with A c = 0.
Eigen::MatrixXd find_null_space(const Eigen::MatrixXd& A) {
  if (A.rows() == 0 || A.cols() == 0) return Eigen::MatrixXd::Identity(A.cols(), A.cols());
  Eigen::MatrixXd square = Eigen::MatrixXd::Zero(std::max(A.rows(), A.cols()), A.cols());
  square.topRows(A.rows()) = A;
  const SingularValues parts = find_singular_values(square);
  Eigen::Index rank = 0;
  while (rank < parts.values.size() && parts.values[rank] > kNoPartOfBasis) ++rank;
  return parts.V.rightCols(A.cols() - rank);
}

}  // namespace

NormalSelfStress find_normal_self_stress(const ConstraintSet& set, const RowAnalysis& analysis) {
  NormalSelfStress stress;
  if (analysis.Z.cols() == 0) return stress;
  std::vector<Eigen::Index> tangents;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const auto* of_contact = set.rows[i].from<ContactRow>();
    if (set.rows[i].grip >= 0)
      tangents.push_back(static_cast<Eigen::Index>(i));
    else if (of_contact != nullptr && of_contact->axis == ContactAxis::normal)
      stress.normals.push_back(static_cast<Eigen::Index>(i));
  }
  const Eigen::MatrixXd alone = analysis.Z * find_null_space(analysis.Z(tangents, Eigen::all));
  if (alone.cols() == 0 || stress.normals.empty()) return stress;
  const SingularValues parts = find_singular_values(alone(stress.normals, Eigen::all));
  Eigen::Index count = 0;
  while (count < parts.values.size() && parts.values[count] > kNoPartOfBasis) ++count;
  stress.K = parts.U.leftCols(count);
  if (count == 0) return stress;
  stress.determines.resize(set.rows.size());
  const Eigen::MatrixXd left = analysis.Z * find_null_space(stress.K.transpose() * analysis.Z(stress.normals, Eigen::all));
  for (Eigen::Index i = 0; i < left.rows(); ++i)
    stress.determines[static_cast<size_t>(i)] = left.row(i).norm() <= RowAnalysis::kNoPart;
  return stress;
}

const NormalSelfStress& KnownSelfStress::of(const ConstraintSet& set, const RowAnalysis& analysis) {
  const Eigen::Index nullity = analysis.Z.cols();
  if (nullity == nullity_ && (nullity == 0 || modes_ == set.modes)) return stress_;
  nullity_ = nullity;
  modes_ = set.modes;
  stress_ = find_normal_self_stress(set, analysis);
  return stress_;
}

}  // namespace vinculum
