// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "vinculum/friction/variant_problem.h"
#include "vinculum/math/complementarity_tree.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// A realised variant: the loaded faces (0: unloaded) and the signed reactions n. Variants that differ only in the face of
// unloaded pairs are one.
struct RealisedVariant {
  Faces faces;
  Eigen::VectorXd signed_reactions;
  int jacobian_sign = 0;  // of sdet(p) = det B(p) (-1)^{faces 1}, relative to zero friction; 0 if merged variants differ
};

// A variant whose equations are dependent and consistent: infinitely many reactions, of which one.
struct VariantFamily {
  Faces faces;
  Eigen::VectorXd signed_reactions;
};

// Every realised variant of a problem; the proof that there is none if `solutions` and `families` are empty.
struct VariantEnumeration {
  std::vector<RealisedVariant> solutions;
  std::vector<VariantFamily> families;  // the first few
  std::uint64_t skipped = 0;            // variants met whose equations are dependent: cond > 1e13
  std::uint64_t nodes = 0;              // of the tree
  bool bounded_by_programs = false;     // more than 20 strongly coupled pairs: subtrees were also ended by linear programs
};

// Scratch memory: a second problem of the same size allocates only what it returns.
struct VariantWorkspace {
  ComplementarityTree tree;
  std::vector<double> M, q;
};

// By the decision tree on  t² = q + M t¹ , M = -(B2)⁻¹B1 (theory 5, 4.1, 4.8). Where a pivot vanishes, or B2 is singular, columns
// are eliminated in the equation where they are largest instead, with tests of rank (choice_tree.h). Stopped: none.
Outcome<VariantEnumeration> enumerate_variants(const VariantProblem& problem, VariantWorkspace& workspace,
                                               const AskStop& ask_stop = {});
Outcome<VariantEnumeration> enumerate_variants(const VariantProblem& problem);

}  // namespace vinculum
