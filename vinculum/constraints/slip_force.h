// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/model/description.h"

namespace vinculum {

// The force of a law on a slip x, R the bound, e the law's number; odd in x.                            theory 3, section 4
//
//   viscous    -e x                          algebraic  -R x/√(x² + e²)
//   sign       -R sign x , 0 at 0            arctan     -(2/π) R atan(x/e)
//   saturated  -R clip(x/e, -1, 1)           dead zone  0 for |x| < e , -R sign x outside
//   tanh       -R tanh(x/e)                  Stribeck   -R (r + (1 - r) exp(-(x/e)²)) sign x , r the law's ratio
//
// Laws with memory (hysteresis, delay, lag, backlash) are relays: this is what they do once they have followed, -R sign x. The
// bound has no part in a viscous law. Isotropic laws on several constraints act along the slip with x its length.
double compute_slip_force(const SlipLaw& law, double bound, double slip);

// Laws whose force is a continuous function of the slip: they have no sticking, they creep.
bool is_smooth(const SlipLaw& law);
// Laws that stick: any force up to the bound at no slip.
bool sticks(const SlipLaw& law);

}  // namespace vinculum
