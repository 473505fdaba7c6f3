// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/follow.h"
#include "vinculum/constraints/idealisation.h"

namespace vinculum {

// Implicit steps of length h (Moreau, Jean), each a local problem of all rows that may slip or part:    theory 3, section 7
//
//   q_m = q + h/2 q'(v) ,  v⁺ = v + h a₀(q_m, v) + A⁻¹Dᵀ p ,  q⁺ = q_m + h/2 q'(v⁺)
//   p_i in -h R_i ∂|slip⁺| or -mu p_n ∂|slip⁺| ;  0 ≤ u⁺ + e min(u, 0) ⟂ p_n ≥ 0 of what touches
//
// Steps are never cut: nothing chatters, sticking is exact at q_m, and the error is of first order in h. Relays with a memory
// (hysteresis, delay) are taken as what they do on the average of many changes of side: the law `sign`.
class ImplicitSteps {
 public:
  // Without rebounds impacts are plastic: what bounces ever lower is at rest where its bounces accumulate.
  ImplicitSteps(const Model& model, Follow follow, bool rebounds = true);

  // What touches at a start takes part.
  std::optional<Failure> begin(State& state);
  // From a state with its modes.
  void resume(const State& state) { set_.set_modes(state.modes); }
  // Tells what has changed.
  std::optional<Failure> step(State& state, double h, const Idealisation::Tell& tell);

  const ConstraintSet& constraints() const { return set_; }

 private:
  std::optional<Failure> choose_rows(const State& middle);
  bool is_pushing(int row) const;
  void tell_changes(const std::vector<int>& before, const Idealisation::Tell& tell) const;

  const Model& model_;
  bool slips_, rebounds_;
  ConstraintSet set_;
  Workspace workspace_;
};

// What these steps do not follow, in words; none: all of it. `averages`: relays with a memory are followed, as `sign`.
std::optional<std::string> find_obstacle_to_steps(const Model& model, Follow follow, bool averages);

}  // namespace vinculum
