// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/impact.h"

namespace vinculum {

// As settle_one_sided, where contacts also stick or slip under their friction and bounds. All that touches, and every grip
// without slip, is decided in one local problem (grip_problem.h):
//
//   impact   normals  0 ≤ u⁺ - e max(-u⁻, 0)  ⟂  Λ_n ≥ 0                                  Newton's
//            tangents Λ_t in -mu Λ_n ∂|u_t⁺|                                             Coulomb's, of impulses
//            a force that is bounded by itself has no impulse
//   forces   0 ≤ D_n v' - γ_n ⟂ λ_n ≥ 0 ,  λ_t in -rho ∂|D_t v' - γ_t| where the slip is 0, else -rho slip/|slip|
//
// A slip up to `still` is none, and is taken away. Laws without sticking have their side from the slip. In and out: the modes of
// `set`. Failures VN-CONTACT-120 where friction and pushes do not settle, -017 as there.
struct FrictionalChange {
  int leaving = -1;   // index into Model::one_sided(): has just lost its push
  int slipping = -1;  // index into Model::grips(): has just come to its bound, and slips
  double least_rise = kTouching;
  double still = 1e-9;
};
std::optional<Failure> settle_frictional(ConstraintSet& set, State& state, const FrictionalChange& change, Workspace& workspace);

// Grips whose rows slip at the start, or whose law has no sticking: not yet what forces decide.
std::optional<Failure> let_slip_what_slips(ConstraintSet& set, const State& state, double still);

// What a law cannot do in a frictional run, as a refusal: VN-CONTACT-121.
std::optional<Failure> check_slip_laws(const Model& model);

}  // namespace vinculum
