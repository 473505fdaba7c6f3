// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/run.h"

namespace vinculum {

// A run by implicit steps of fixed length h (Moreau, Jean), for real time:                             theory 3, section 7
//
//   q_m = q + h/2 q'(v) ,  v⁺ = v + h a₀(q_m, v) + A⁻¹Dᵀ p ,  q⁺ = q_m + h/2 q'(v⁺)
//   p_i in -h R_i ∂|slip⁺| or -mu p_n ∂|slip⁺| ;  0 ≤ u⁺ + e min(u, 0) ⟂ p_n ≥ 0 of what touches
//
// Steps are never cut: nothing chatters, sticking is exact at q_m, and the error is of first order in h. Laws of slip are `sign`
// or none. Failure VN-RUN-160 for what it does not follow.
Outcome<RunResult> run_by_steps(const Model& model, const State& start, const RunOptions& options, RunListener& listener);

}  // namespace vinculum
