// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/kernels/derivatives_kernel.h"

namespace vinculum {

// How the given forces of a model depend on q and v. Private to this room.
class LoadDerivatives {
 public:
  LoadDerivatives(const Model& model, const DerivativesMemory& memory);

  // True if a force makes matrix rows depend on columns of other branches.
  bool couples_branches() const { return couples_branches_; }

  // Takes what given forces do beyond following the links (derivatives_kernel.h) from ∂tau/∂q and ∂tau/∂v: those of loads, and if
  // asked those of `joint:` laws. Expects the loads and the motion of all stages. False if a slope is not finite.
  bool subtract_loads(const Model& model, const State& state, Workspace::Memory& links, DerivativesMemory& memory) const;
  bool subtract_joint_laws(const Model& model, const State& state, Workspace::Memory& links, DerivativesMemory& memory) const;

 private:
  // ∂amplitude/∂(variable), of forces that are not constant.
  struct Slope {
    int force = 0;
    int amplitude = 0;
    Variable variable;
    Expression value;
    const OwnVariables* own = nullptr;
  };
  // Where a coordinate stands in q' = N(q) v: alone, or component `part` of a quaternion.
  struct Coordinate {
    int velocity = 0;
    int quaternion = -1;
    int part = 0;
  };

  template <class Use>
  bool for_each_direction(const Slope& slope, const State& state, std::vector<double>& scratch, const Use& use) const;
  bool subtract_slopes(const Model& model, const State& state, int force, LoadChange& change, std::vector<double>& scratch) const;
  void find_coupling(const Model& model, const DerivativesMemory& memory);

  std::vector<ForceOf> forces_;
  std::vector<Slope> slopes_;             // force after force
  std::vector<std::size_t> first_slope_;  // of each force, and the end
  std::vector<Coordinate> coordinates_;
  bool couples_branches_ = false;
};

}  // namespace vinculum
