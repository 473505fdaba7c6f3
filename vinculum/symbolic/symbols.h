// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "vinculum/model/model.h"
#include "vinculum/symbolic/derive.h"
#include "vinculum/symbolic/formula.h"

// Names and numbers of a model as formulas. Private to this room.
namespace vinculum {

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

}  // namespace vinculum
