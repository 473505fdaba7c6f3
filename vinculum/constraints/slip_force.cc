// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/slip_force.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vinculum {

double compute_slip_force(const SlipLaw& law, double bound, double slip) {
  const double x = law.value > 0 ? slip / law.value : 0, sign = slip > 0 ? 1 : slip < 0 ? -1 : 0;
  switch (law.kind) {
    case SlipLawKind::viscous: return -law.value * slip;
    case SlipLawKind::saturated: return -bound * std::clamp(x, -1.0, 1.0);
    case SlipLawKind::tanh: return -bound * std::tanh(x);
    case SlipLawKind::algebraic: return -bound * slip / std::hypot(slip, law.value);
    case SlipLawKind::arctan: return -bound * 2 / std::numbers::pi * std::atan(x);
    case SlipLawKind::dead_zone: return std::abs(slip) < law.value ? 0 : -bound * sign;
    case SlipLawKind::stribeck: return -bound * (law.ratio + (1 - law.ratio) * std::exp(-x * x)) * sign;
    case SlipLawKind::sign:
    case SlipLawKind::hysteresis:
    case SlipLawKind::delay:
    case SlipLawKind::lag:
    case SlipLawKind::backlash: break;
  }
  return -bound * sign;
}

bool is_smooth(const SlipLaw& law) {
  switch (law.kind) {
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan: return true;
    case SlipLawKind::sign:
    case SlipLawKind::dead_zone:
    case SlipLawKind::hysteresis:
    case SlipLawKind::delay:
    case SlipLawKind::lag:
    case SlipLawKind::stribeck:
    case SlipLawKind::backlash: return false;
  }
  return false;
}

bool sticks(const SlipLaw& law) {
  switch (law.kind) {
    case SlipLawKind::sign:
    case SlipLawKind::stribeck: return true;
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan:
    case SlipLawKind::dead_zone:
    case SlipLawKind::hysteresis:
    case SlipLawKind::delay:
    case SlipLawKind::lag:
    case SlipLawKind::backlash: return false;
  }
  return false;
}

}  // namespace vinculum
