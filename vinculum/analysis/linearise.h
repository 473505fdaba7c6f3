// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/analysis/ignorable.h"
#include "vinculum/dynamics/derivatives.h"

namespace vinculum {

// Small departures from a motion, x = (δ, δv), by exact derivatives:
//
//   x' = A x + B δtau          δ' = δv - w × δ (the last for balls) ,  δv' = ∂v'/∂q δ + ∂v'/∂v δv + ∂v'/∂tau δtau
//
// q departs along velocities, q ⊕ N(q) δ: a ball has three small turns about its own axes instead of its quaternion. Driven
// coordinates do not depart. What a controller remembers comes last: x = (δ, δv, ζ). Inputs and sampled values are held. About a
// steady motion A is constant; about any other state it is that of the moment.
struct Linearisation {
  std::vector<int> velocities;      // those that are not driven: the order of δ and δv
  std::vector<std::string> states;  // "arm", "top.rx" (a small turn about the axis x of the body), .., "arm'", "top.wx", ..
  std::vector<std::string> inputs;  // the velocities that δtau acts on
  Eigen::MatrixXd A, B;
  std::vector<std::string> input_names;  // of the model's `inputs`, δu:  x' = A x + B δtau + B_inputs δu
  Eigen::MatrixXd B_inputs;              // as many matrix rows as A, one column each
  Eigen::VectorXd accelerations;         // v' at the state: zero if the motion is steady
  int departures = 0;                    // how many of the states are δ

  // About a steady motion with contacts (steady_motion.h):
  IgnorableDirections apart;  // what says nothing about stability
  double turn_rate = 0;       // [rad/s] of the axes from which the motion is steady, about the vertical
  double error = 0;           // of A beside its largest entry: an estimate, 0 if the derivatives are exact
};

// With contacts, about an equilibrium or a steady motion. Where all constraints limit positions and nothing moves (loops), x are
// departures of as many velocities as stay independent, the earlier ones (rest.h); else those of steady_motion.h. Forces act on
// all velocities.
//
// Failures of compute_forward_derivatives and linearise_steady_motion; VN-LINEAR-004 with contacts and no equilibrium.
Outcome<Linearisation> linearise(const Model& model, const State& state, DerivativesWorkspace& workspace);

// A refusal of what does not know `states`, coordinates with an equation of their own that move no body: VN-RUN-172, with the
// name of one. None if there are none; inputs and sampled values are numbers.
std::optional<Failure> refuse_extra_states(const Model& model, std::string_view what);

// ∂δ'/∂δ: -w × δ for balls.
Eigen::MatrixXd turning_of_balls(const Model& model, const State& state);

// "arm", "top.rx" (of the velocity top.wx), .., then the velocities.
std::vector<std::string> name_departures(const Model& model, const std::vector<int>& coordinates,
                                         const std::vector<int>& velocities);

// A solution exp(λt) of x' = A x; of a conjugate pair the one with Im λ > 0.
struct Mode {
  std::complex<double> eigenvalue;          // [1/s]
  std::vector<std::complex<double>> shape;  // of δ, the largest component 1; of δv if no coordinate takes part
  bool is_ignorable = false;                // of what is ignorable or free: it says nothing about stability
  int first_state = 0;                      // of the shape

  double frequency() const { return std::abs(eigenvalue); }  // [rad/s] without damping
  double damping_ratio() const { return frequency() > 0 ? -eigenvalue.real() / frequency() : 0; }
};

// Fastest growth first, then by frequency.
std::vector<Mode> find_modes(const Linearisation& linearisation);

// Beside the largest entry of A this is round-off.
inline constexpr double kNoEntry = 1e-11;

// Beside the largest eigenvalue this is zero: a pair of zeros, such as of a body that may drift, splits by the root of round-off.
inline constexpr double kZeroEigenvalue = 1e-7;

// By the real parts of the eigenvalues, but those of what is ignorable.
enum class Stability {
  asymptotically_stable,  // all decay
  marginal,               // none grows, not all decay: the linear equations do not decide
  unstable,               // one grows
};
Stability judge_stability(const std::vector<Mode>& modes);
std::string_view to_text(Stability stability);

}  // namespace vinculum
