// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/strings/string_tree.h"

namespace vinculum {

// The equations of motion of a string tree in the unit vectors x = (e_1 .. e_n, u_1 .. u_n) of axes and strings, frame e1, e2,
// e3: the mass matrix N is constant.
//
//   Σ_b N_ab x''_b + (Dᵀm)_a (g e3 + r''_0) - [a_i e_i × e'_i if a = e_i] = ρ_a x_a ,   |x_a| = 1 ,   T_i = -ρ_ui / p_i
//   (N⁻¹ ∘ X Xᵀ) ρ = -|x'_a|² - x_a·y_a ,   y = N⁻¹ F ,   x'' = y + N⁻¹ (ρ x)                             theory 4, section 4
//
// F: everything on the left but N x'', negative; a_i = C_i ω_i·e_i stays. A second road to the accelerations and tensions that
// the rows of strings give.
struct UnitVectorState {
  std::vector<Vector3> x, x_dot;
  std::vector<double> momenta;  // a_i
};
struct UnitVectorMotion {
  std::vector<Vector3> x_ddot;
  std::vector<double> tensions;  // [N]
};
UnitVectorMotion compute_unit_vector_motion(const StringTree& tree, const UnitVectorState& state,
                                            const Vector3& suspension_acceleration);

// A state of the model that has the tree, seen so. Ends of strings are taken where they are: lengths are those of the state.
UnitVectorState see_as_unit_vectors(const Model& model, const StringTree& tree, const State& state);

}  // namespace vinculum
