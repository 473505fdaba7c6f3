// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/friction/variant_problem.h"

namespace vinculum {

// The other forms of the problem (theory 5, 3.1), for comparison: what each would have said, with its limits (4.7).
struct OtherForms {
  // min Σ (t1 + t2) with B2 t2 + B1 t1 = d, t ≥ 0. Infeasible: proof that no variant is realised. Feasible: no proof of anything;
  // a variant only if it loads no pair on both faces.
  bool program_feasible = false;
  bool program_is_variant = false;
  bool program_certified = false;  // 1 - yᵀb ≥ 0 for every other face, y = B(p)⁻ᵀ1: the program's optimum is this variant

  // Z = |B2 max(n, 0) + B1 max(-n, 0) - d|² at the end of Newton's iteration. Zero: a variant. Not zero: no proof that there is
  // none, beyond the critical friction Z has other minima, and the iteration may stall at a kink.
  double least_Z = 0;

  // Lemke's pivots. No answer is no proof either.
  bool lemke_found = false;
};
OtherForms compare_forms(const VariantProblem& problem);

}  // namespace vinculum
