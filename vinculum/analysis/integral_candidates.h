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
    linear,       // P of the subsystem of a root or of a body on another one,
    angular,      // L of it about the world origin,
    central,      // K of it about its mass centre
    generalized,  // p = A v
    pole,         // of a body on another one: the kinetic moment of all it carries about its origin (H, theory 2, section 2)
  } kind = Kind::energy;
  int root = -1;     // index into roots()
  int index = 0;     // world axis; velocity of a generalized momentum
  std::string name;  // E, Px, Lz(hull), p(rotor'), Kz(gyro); about the mass centre of a body on another one: Kcz(gyro)
  std::string unit;
  int inner = -1;  // index into inner(): of a body on another one
};

// A body, on the ground or on another body, with all it carries.
struct Subsystem {
  int body = 0;
  double mass = 0;  // [kg]
};

// The candidates of a model, with their values, rates and gradients.                                        theory 2, section 6.2
// Those of inner subsystems come last, twelve of each.
class IntegralCandidates {
 public:
  explicit IntegralCandidates(const Model& model, bool generalized_momenta = true, bool inner_subsystems = false);

  const std::vector<IntegralCandidate>& list() const { return list_; }
  const std::vector<Subsystem>& roots() const { return roots_; }
  const std::vector<Subsystem>& inner() const { return inner_; }
  // Of a candidate that has one; and where the momentum Px of it is in the list.
  const Subsystem& subsystem(const IntegralCandidate& candidate) const {
    return candidate.inner >= 0 ? inner_[candidate.inner] : roots_[candidate.root];
  }
  int momentum_of(const IntegralCandidate& candidate) const {
    return candidate.inner >= 0 ? first_inner_ + kOfInner * candidate.inner : 1 + 3 * candidate.root;
  }
  int first_inner() const { return first_inner_; }
  static constexpr int kOfInner = 12;  // P, L, K about the body origin, K about the mass centre
  int root_of_body(int body) const { return root_of_body_[body]; }
  int size() const { return static_cast<int>(list_.size()); }

  void compute_values(const State& state, Workspace& workspace, std::span<double> values);

  // dφ/dt = ∂φ/∂q N v + ∂φ/∂v v' of every candidate but the energy, exactly, for given v'.
  void compute_rates(const State& state, std::span<const double> accelerations, std::span<double> rates);

  // One matrix row per candidate: ∂φ/∂q along every velocity, q' = N(q) e_j, then ∂φ/∂v. That of the potential
  // energy is the generalised force that holds the state at rest: so it is right where all forces have a potential.
  Eigen::MatrixXd compute_gradients(const State& state, Workspace& workspace);

 private:
  const Model& model_;
  std::vector<Subsystem> roots_, inner_;
  int first_inner_ = 0;  // where the candidates of inner subsystems begin
  std::vector<int> root_of_body_;
  std::vector<IntegralCandidate> list_;
  std::vector<int> outputs_;  // positions of each of them on the tape; of the energy the kinetic part
  Tape tape_;
  std::vector<double> inputs_, results_, steps_;  // scratch
};

}  // namespace vinculum
