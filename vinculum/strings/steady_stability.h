// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "vinculum/strings/steady_families.h"

namespace vinculum {

// What is prescribed of a body's spin: its rate relative to the turning frame, or its momentum a_i.
struct SpinLaw {
  bool is_momentum = false;
  double value = 0;  // φ'_i or a_i
};

enum class SteadyVerdict { stable, gyroscopically_stable, unstable };
const char* to_text(SteadyVerdict verdict);

// Small departures from a steady motion, spin momenta and momentum about the vertical kept.
struct SteadyStability {
  SteadyVerdict verdict = SteadyVerdict::unstable;
  double growth = 0;                // largest real part; 0 below 1e-9 [1/s]
  std::vector<double> frequencies;  // |Im| of every pair, ascending [rad/s]: 4n - 1, in the vertical state and off the axis 4n
  int negative = 0;                 // negative eigenvalues of K_r; in the vertical state and off the axis of K_t
  double growth_frequency = 0;      // |Im| of what grows fastest
  std::vector<Vector3> mode;        // how the unit vectors depart in it; empty if nothing grows
};

//   M_t η'' + G_t η' + K_t η = 0 ,  M_t = Bᵀ(N⊗E)B ,  G_t = Bᵀ(2N⊗Ω - diag(a_i [e_i]×))B ,  K_t = Bᵀ(N⊗Ω² - diag ρ)B ,  ρ_a =
//   x_a·∇W_a
// with tangent bases B, then reduced exactly by Routh's method: Q complements η0 = Bᵀ(e3 × x), I = η0·M_t η0,
//   M_r = QᵀM_tQ - m m ᵀ/I ,  G_r = QᵀG_tQ + (g mᵀ - m gᵀ)/I ,  K_r = QᵀK_tQ + g gᵀ/I ,  mᵀ = η0ᵀM_tQ ,  gᵀ = η0ᵀG_tQ    theory
//   4, section 8
// K_r > 0: stable. An odd number of negative eigenvalues, or growth: unstable. Else gyroscopically stable: linear only, and
// destroyed by dissipation. Cost O(n³).
SteadyStability analyse_stability(const StringTree& tree, const SteadyMotion& motion);

// Negative eigenvalues of the Hessian for a motor that turns everything at the rate, nothing turning relative to it, with
// dissipation in the turning frame: 0 is a minimum, stable. None if a body does turn relative to the frame.             theory 4,
// section 8
std::optional<int> count_driven_negatives(const StringTree& tree, const SteadyMotion& motion);

// Rates at which a coplanar family leaves the vertical state with these sides, both signs, ascending:
//   det(-ψ'² N + ψ' diag(a_i s_i, 0) - diag(s_i f_ei, -f_ui)) = 0 ,  s_i = -1 hanging, +1 standing ;  a_i = C_i (φ'_i + ψ' s_i)
//   if the spin
// is given.                                                                                              theory 4, section 8
struct CriticalRate {
  double rate = 0;
  Eigen::VectorXd direction;  // unit null vector of (θ_1 .. θ_n, α_1 .. α_n), the first string's angle positive
};
std::vector<CriticalRate> find_critical_rates(const StringTree& tree, const std::vector<SpinLaw>& laws, const Sides& sides);

}  // namespace vinculum
