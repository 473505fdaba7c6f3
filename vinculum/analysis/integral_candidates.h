// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/tape.h"

namespace vinculum {

// A quantity that may be constant along every motion of a model.
struct IntegralCandidate {
  enum class Kind {
    energy,       // E: all that has a potential
    linear,       // P of the subsystem of a root,
    angular,      // L of it about the world origin,
    central,      // K of it about its mass centre
    generalized,  // p = A v
  } kind = Kind::energy;
  int root = -1;     // index into roots()
  int index = 0;     // world axis; velocity of a generalized momentum
  std::string name;  // E, Px, Lz(hull), p(rotor')
  std::string unit;
};

// A tree that stands on the ground, with all it carries.
struct RootSubsystem {
  int body = 0;
  double mass = 0;  // [kg]
};

// The candidates of a model, with their values, rates and gradients.                                        theory 2, section 6.2
class IntegralCandidates {
 public:
  explicit IntegralCandidates(const Model& model, bool generalized_momenta = true);

  const std::vector<IntegralCandidate>& list() const { return list_; }
  const std::vector<RootSubsystem>& roots() const { return roots_; }
  int root_of_body(int body) const { return root_of_body_[body]; }
  int size() const { return static_cast<int>(list_.size()); }

  void compute_values(const State& state, Workspace& workspace, std::span<double> values);

  // dφ/dt = ∂φ/∂q N v + ∂φ/∂v v' of every candidate but the energy, exactly, for given v'.
  void compute_rates(const State& state, std::span<const double> accelerations, std::span<double> rates);

  // One row a candidate: ∂φ/∂q along every velocity, q' = N(q) e_j, then ∂φ/∂v. That of the potential energy is the generalised
  // force that holds the state at rest: so it is right where all forces have a potential.
  Eigen::MatrixXd compute_gradients(const State& state, Workspace& workspace);

 private:
  const Model& model_;
  std::vector<RootSubsystem> roots_;
  std::vector<int> root_of_body_;
  std::vector<IntegralCandidate> list_;
  std::vector<int> outputs_;  // where the tape tells each of them; of the energy the kinetic part
  Tape tape_;
  std::vector<double> inputs_, results_, steps_;  // scratch
};

}  // namespace vinculum
