// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "vinculum/integration/integrator.h"

namespace vinculum {

// Implicit methods of SUNDIALS for stiff systems: CVODE's backward differentiation of variable order 1..5, and ARKODE with the
// L-stable Runge-Kutta method of order 5 of Kværnø (ESDIRK, seven stages). Newton's method with a Jacobian by difference
// quotients: dense up to 300 equations, matrix-free (SPGMR without a preconditioner) above. Their history is not part of a state:
// to go on from one, restart both. An interpolation costs cvode a sum, but arkode a step.
std::unique_ptr<Integrator> make_cvode();
std::unique_ptr<Integrator> make_arkode();

}  // namespace vinculum
