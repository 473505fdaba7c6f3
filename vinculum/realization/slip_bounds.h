// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace vinculum {

// What the inequality  d(s²)/dt <= A s² + B s³ - c s + delta  says of the slip s = sqrt G.               theory 3, sections 5.2
// - 5.4 None: no bound exists.

// From s0 the slip is gone after t1 at most, if s0 < s_star. delta = 0.
//
//   s_star = 2c/(A + D) , D = sqrt(A² + 4Bc) ;   t1 = (2/D) [ln(1 + 2B s0/(A + D)) - ln(1 - s0/s_star)]
struct ReachingBound {
  std::optional<double> t1;
  std::optional<double> s_star;  // none: from any slip
  bool reaches = false;          // s0 < s_star and c > 0
};
ReachingBound bound_reaching(double A, double B, double c, double s0);

// The slip ends below `inner` from anywhere below `outer`: the positive roots of B s³ + A s² - c s + delta = 0.
struct SlipBand {
  std::optional<double> inner;  // none: it need not end
  std::optional<double> outer;  // none: from anywhere
};
SlipBand bound_band(double A, double B, double c, double delta);

// The time after which s is below `end` at most, inner < end <= s0 < outer:  t = ∫ 2 s ds / (c s - A s² - B s³ - delta) . The
// band itself is only approached, so that `end` must be larger than `inner`. None: s0 is not below `outer`, or there is no band.
std::optional<double> bound_entry(double A, double B, double c, double delta, double s0, double end);

// Viscous forces under reactions, rho = |r|/rho1:  d(s²)/dt <= -(rate - A) s² + B s³ + rho s . The band is the pair of roots of
// B s² - (rate - A) s + rho = 0; rho = 0 is theorem 1, where the slip energy falls like exp(-(rate - A) t) in the end.
SlipBand bound_viscous_band(double A, double B, double rate, double rho);
std::optional<double> bound_viscous_entry(double A, double B, double rate, double rho, double s0, double end);

// Viscous forces without reactions, rate = k/rho2²:  s(t) <= a s0/(B s0 + (a - B s0) e^{a t/2}) , a = rate - A , for s0 < a/B.
struct ViscousBound {
  std::optional<double> s;      // at t
  std::optional<double> basin;  // none: from any slip; 0: from none
};
ViscousBound bound_viscous(double A, double B, double rate, double s0, double t);

// The smallest excess c of force over reaction for which the slip s0 is gone after `time` at most (t1 falls with c).
double find_excess(double A, double B, double s0, double time);

}  // namespace vinculum
