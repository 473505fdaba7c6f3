// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/analysis/root_locus.h"

namespace vinculum {

// Eigenvalues over a parameter as a picture (SVG): real and imaginary parts over the parameter, with the range where all decay
// and the values where that changes; and their ways in the complex plane.
std::string draw_root_locus(const RootLocus& locus, const std::string& parameter);

// The same as a table: the parameter, the growth, and real and imaginary part of each eigenvalue.
std::string tabulate_root_locus(const RootLocus& locus, const std::string& parameter);

}  // namespace vinculum
