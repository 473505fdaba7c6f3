// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "vinculum/model/model.h"
#include "vinculum/symbolic/derive.h"
#include "vinculum/symbolic/formula.h"

// Names and numbers of a model as formulas, and its closed form. Private to this room.
namespace vinculum {

// Operations on terms spent on one model: a second or two, some more where terms have many factors.
inline constexpr long kMostOperations = 3'000'000;

// A name that the model does not use yet, beginning with the wanted one.
class NameGiver {
 public:
  explicit NameGiver(const Model& model);
  std::string give(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

// A leaf of this name.
Expression named(const std::string& name);

// A number with the names of the parameters it was written with; plain if it was given, or changed, otherwise.
Formula written_number(Algebra& algebra, double value, const Expression* formula);

// Mass, com, inertia, origin, pitch of a body, in the order of trace_forces_of_numbers.
std::vector<Formula> written_body(Algebra& algebra, const Model& model, int body);

// Gravity. Where it is a plain number along one axis it is ∓g, with a definition.
std::vector<Formula> written_gravity(Algebra& algebra, const Model& model, NameGiver& names,
                                     std::vector<Definition>& definitions);

// The parameters of the file become the first symbols, in its order.
void add_parameters(Algebra& algebra, const Model& model);

// The sum of the joint laws on a velocity, and of the unknown force λ that drives it, if one does.
Expression written_joint_force(const Model& model, int velocity, NameGiver& names, std::vector<Definition>& motions);

// Planar trees, by the closed form of theory 2, section 8. None if the tree is none: a body turns about another direction,
// slides, or bears forces that are no joint laws.
//
//   J_ri φ_i'' + Σ_j l m_dj (cos(φ_i - φ_j) φ_j'' + sin(φ_i - φ_j) φ_j'²) + g m_di sin φ_i = τ_i - Σ_{k∈S_i} τ_k
//
// φ_i: absolute angle from the position at zero; l, m_d along one line through it, such as the vertical, or else their products
// a + i b = l̄ m_d in general position.
std::optional<Outcome<DerivedEquations>> derive_planar_equations(const Model& model, int most_terms, const AskStop& stop);

// Refusal of equations nobody would read.
Failure too_many_terms(const std::string& count, int most);

}  // namespace vinculum
