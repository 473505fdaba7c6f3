// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Which face of each pair carries? The problem without its mechanism (theory 5, (B)): pair k presses with N_k ≥ 0 on face p_k,
//
//   Σ_k B^{p_k}_k N_k = d ,
//
// B1, B2: the columns of faces 1 and 2, friction included; F1, F2: the parts of them that are friction. All m by m.
struct VariantProblem {
  Eigen::MatrixXd B1, B2, F1, F2;
  Eigen::VectorXd d;
  double unit = 1;  // of loads: small ones count as none beside it (4.6)

  Eigen::Index pairs() const { return d.size(); }
};

// The loaded face of every pair: 1, 2, or 0 if the pair is unloaded.
using Faces = std::vector<int>;

// Entries up to here: products of a few of them still are numbers.
constexpr double kLargestEntry = 1e60;

// Failure VN-VARIANT-001 if sizes differ, a number is not finite or beyond kLargestEntry.
std::optional<Failure> check_sizes(const VariantProblem& problem);

// The columns of a variant with friction times `scale`: B0(p) + scale F(p). An unloaded pair has the column of face 2.
Eigen::MatrixXd columns_of(const VariantProblem& problem, const Faces& faces, double scale = 1);

// The problem with all friction times `scale`.
VariantProblem scale_friction(const VariantProblem& problem, double scale);

// Of det B(p) with friction, beside that of B0(p) without: the sign of sdet relative to zero friction. 0: singular.
int relative_jacobian_sign(const VariantProblem& problem, const Faces& faces);

// N of one variant, each with its sign:  n_k = N_k on face 2, -N_k on face 1.
Eigen::VectorXd sign_reactions(const Faces& faces, const Eigen::VectorXd& N);

// Tolerances of theory 5, 4.6, for reactions whose largest is |N|.
double largest_reaction(const Eigen::VectorXd& N, double unit = 1);  // max(unit, |N|)
constexpr double kUnloaded = 1e-10;      // a reaction up to this of it is none; down to minus this it pushes
constexpr double kSameReactions = 1e-8;  // two solutions this near are one
constexpr double kSingular = 1e-13;      // 1/cond(B(p)) below: no solution is trusted

// The warm start: are these the loaded faces? The reactions N, or none. Cost O(m³).
std::optional<Eigen::VectorXd> try_variant(const VariantProblem& problem, const Faces& faces);

// Newton on  Φ(n) = B2 max(n, 0) + B1 max(-n, 0) - d  with a line search on Z = |Φ|² (theory 5, 3.1 and 4.8), from the variant
// given: Z where it ends, and the variant if that is one.
struct QuickVariant {
  Faces faces;        // 1 or 2 each
  Eigen::VectorXd N;  // ≥ 0
  const char* by;     // "warm start", "Newton", "Lemke"
};
struct GaussMinimum {
  double Z = 0;
  std::optional<QuickVariant> found;
};
GaussMinimum minimise_gauss_function(const VariantProblem& problem, const Faces& start);

// Lemke's pivots with the lexicographic rule on  t² = -B2⁻¹B1 t¹ + B2⁻¹d (4.1). None: they ended on a ray, or B2 is singular.
std::optional<QuickVariant> pivot_by_lemke(const VariantProblem& problem);

// One realised variant, found without the proof that it is the only one: `last` first, then Newton's iteration on the signs of n
// (theory 5, 4.8), then Lemke's pivots with the lexicographic rule. None: none was found, which is no proof that there is none.
std::optional<QuickVariant> find_quick_variant(const VariantProblem& problem, const Faces& last = {});

}  // namespace vinculum
