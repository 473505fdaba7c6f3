// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/redundancy.h"

namespace vinculum {

// Normals of contacts that are statically indeterminate by themselves, as those of four wheels on a plane: forces K on the
// normals alone (and on what is not friction) without resultant. These normals are those of equally stiff supports:
//
//   Kᵀ N = 0                                                                                       theory 7, section 1.2
//
// A ladder, whose normals are indeterminate only together with its friction, has no K.
struct NormalSelfStress {
  std::vector<Eigen::Index> normals;  // places in ConstraintSet::rows
  Eigen::MatrixXd K;                  // a row each; orthonormal columns
  std::vector<bool> determines;       // of each constraint of the set: its reaction is unique with that rule; empty without K

  bool exists() const { return K.cols() > 0; }
};
NormalSelfStress find_normal_self_stress(const ConstraintSet& set, const RowAnalysis& analysis);

// The same along a motion: which reactions it determines changes with the modes and the rank alone. Nothing is computed, or
// allocated, while these stay as they are.
class KnownSelfStress {
 public:
  const NormalSelfStress& of(const ConstraintSet& set, const RowAnalysis& analysis);

 private:
  std::vector<int> modes_;
  Eigen::Index nullity_ = 0;
  NormalSelfStress stress_;
};

}  // namespace vinculum
