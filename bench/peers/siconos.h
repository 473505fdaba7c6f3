// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

// Siconos on linear complementarity problems  w = M z + q ; M row by row.
namespace vinculum::peers {

// All solutions by lcp_enum: how many; its bases are solved one by one.
int count_siconos_solutions(std::span<const double> M, std::span<const double> q);
// One solution by lexicographic Lemke pivots: was one found?
bool solve_siconos_lemke(std::span<const double> M, std::span<const double> q, std::span<double> z, std::span<double> w);

}  // namespace vinculum::peers
