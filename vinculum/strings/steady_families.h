// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/strings/spin_limit.h"
#include "vinculum/strings/string_tree.h"

namespace vinculum {

// Why there is no steady motion with these angles (theory 4, section 5).
enum class SteadyReason { none, compression, infeasible_angle, infinite_spin };
const char* to_text(SteadyReason reason);

// A steady motion of a string tree, or why there is none: axes and strings turn about the vertical at one rate, and every body
// spins uniformly about its axis. Directions in the frame e1, e2, e3 that turns with them.
struct SteadyMotion {
  double rate = 0;  // ψ'
  SteadyReason reason = SteadyReason::none;
  std::string detail;
  bool feasible() const { return reason == SteadyReason::none; }

  std::vector<Vector3> x;  // e_1 .. e_n, u_1 .. u_n
  std::vector<double> angles,
      tilts;  // of strings and axes from the downward vertical, positive towards e2; in [0, π] if not coplanar
  std::vector<double> azimuths;        // of strings: along (-sin, cos, 0); empty if coplanar
  std::vector<double> tensions;        // [N]
  std::vector<double> spins, momenta;  // φ'_i relative to the turning frame, a_i = C_i ω_i·e_i
  std::vector<bool> above;             // the mass centre is above the end of the string
  std::vector<bool> free_spin;         // any spin will do; 0 is taken unless one is given
};

// Everything about coplanar steady motions of one rate and set of string angles that does not depend on the sides, and then the
// spins of each side: O(n), and no memory is taken after the first.
//
//   τ_i = w_i tan α_i ,   T_i = w_i / cos α_i ,   X_Ci = (τ_i - Σ_{k∈U_i} τ_k)/(m_i ψ'²)
//   X_Pi = X_G + p_i sin α_i ,   sin θ_i = (X_Ci - X_Pi)/c_i ,   q_i = c_i τ_i + Σ_{k∈U_i} (s_k - c_i) τ_k
//   a_i = M g b_i/ψ' - cos θ_i [A_i ψ' + q_i/(ψ' sin θ_i)] ,   φ'_i = a_i/C_i + ψ' cos θ_i              theory 4, section 5
class CoplanarSkeleton {
 public:
  CoplanarSkeleton(const StringTree& tree, double rate);

  // False if no motion has these angles; then reason() and culprit().
  bool solve(std::span<const double> angles);
  SteadyReason reason() const { return reason_; }
  int culprit() const { return culprit_; }

  double tension(int i) const { return tension_[i]; }
  double pull(int i) const { return pull_[i]; }              // τ_i
  double centre(int i) const { return centre_[i]; }          // X_Ci
  double attachment(int i) const { return attachment_[i]; }  // X_Pi
  double sine(int i) const { return sine_[i]; }              // sin θ_i
  double moment(int i) const { return moment_[i]; }          // q_i

  // Of body i with its mass centre below (+1) or above (-1) the end of its string.
  struct Spin {
    double cosine = 0, momentum = 0, spin = 0;
    bool is_free = false, is_infinite = false;
  };
  Spin spin(int i, int side) const;

  // sin θ of all bodies from the tangents and sines of all strings, which it depends on linearly; `offset`: X_G of the root.
  void compute_sines(std::span<const double> tangents, std::span<const double> sines, double offset,
                     std::span<double> result) const;

 private:
  const StringTree& tree_;
  double rate_;
  SteadyReason reason_ = SteadyReason::none;
  int culprit_ = -1;
  std::vector<double> tension_, pull_, centre_, attachment_, sine_, moment_;
};

// A side for each body: below +1, above -1.
using Sides = std::vector<int>;

struct SteadyOptions {
  double spin_limit = kSpinLimit;
  std::vector<std::optional<double>> free_spins{};  // for bodies whose spin is free; else 0
};

// One family.
SteadyMotion compute_coplanar_motion(const StringTree& tree, double rate, std::span<const double> angles, const Sides& sides,
                                     const SteadyOptions& options = {});

// All sides that agree with those given (0: both). At most 2^n.
std::vector<Sides> enumerate_sides(const std::vector<int>& given);

// The intervals of one string's angle in which every |sin θ_j| <= 1, the other angles as given: 0 or more, ascending. For every
// body sin θ_j = P_j tan α + Q_j sin α + R_j, with extrema where cos³ α = -P_j/Q_j.                          theory 4, section 5
std::vector<std::array<double, 2>> find_angle_intervals(const StringTree& tree, double rate, std::vector<double> angles,
                                                        int string);

// Momenta, spins and tensions of a skeleton given by its directions x, coplanar or not:
//   a_i = [(e_i × ∇W_0)·(e_i × e3)]/(ψ' |e_i × e3|²) ,   T_i = -(u_i·∇W)/p_i                            theory 4, section 7
// The rest of the motion is filled in from x; bodies with a vertical axis are free to spin.
void complete_motion(const StringTree& tree, const SteadyOptions& options, SteadyMotion& motion);

// ∇W of  W(x) = f·x_z - ½ ψ'² Σ N_ab x⊥_a·x⊥_b - ψ'² R (Dᵀm)·x_2 - ψ' Σ a_i e_iz ; zero across every x_a in a steady motion.
std::vector<Vector3> compute_potential_gradient(const StringTree& tree, double rate, const std::vector<Vector3>& x,
                                                const std::vector<double>& momenta);

// The largest part of ∇W across its x_a, relative to its size: how far this is from a steady motion.
double measure_steadiness(const StringTree& tree, const SteadyMotion& motion);

// Mass centres from the point on the axis at the height of the suspension, frame e1, e2, e3.
std::vector<Vector3> compute_mass_centres(const StringTree& tree, const std::vector<Vector3>& x);

// Kinetic and potential energy (0 at the suspension), and the angular momentum about the vertical.
struct SteadyIntegrals {
  double energy = 0, momentum = 0;
};
SteadyIntegrals compute_steady_integrals(const StringTree& tree, const SteadyMotion& motion);

// The state of the model at t = 0 in which its trees move so, the first string of each in the plane of e2 and e3.
State make_steady_state(const Model& model, const std::vector<StringTree>& trees, const std::vector<SteadyMotion>& motions);

}  // namespace vinculum
