// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

namespace vinculum {

// ∫_a^b f dx by Gauss-Legendre with ten points, halved until two levels agree to round-off; exact for polynomials up to
// degree 19. `kinks` lie between a and b in this order: f is smooth between them, and none is stepped over.
double integrate_function(const std::function<double(double)>& f, double a, double b, std::span<const double> kinks = {});

}  // namespace vinculum
