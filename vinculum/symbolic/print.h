// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "vinculum/symbolic/derive.h"

namespace vinculum {

// Equations with the definitions of all their names, for people: as text in the language of model files, where a second prime is
// the second derivative, or as LaTeX (with amsmath).
std::string to_text(const Model& model, const DerivedEquations& equations);
std::string to_latex(const Model& model, const DerivedEquations& equations);

// left = right on one line.
std::string to_text(const DerivedEquation& equation);

// The names of a text in LaTeX, each with a symbol of its own. The first of several names with one symbol keeps it, such as l1
// of l1 and l_1; the others are written out: \mathrm{l\_1}. Primes become dots and belong to no name.
class LatexNames {
 public:
  void add(std::string_view name);
  void add(const Expression& expression);  // all its names
  std::string write(std::string_view name) const;

 private:
  std::unordered_map<std::string, bool> literal_;  // by the name without primes: whether it is written out
  std::set<std::string> taken_;
};

std::string to_latex(const Expression& expression);
std::string to_latex(const Expression& expression, const LatexNames& names);
// phi1 -> \phi_{1}, length -> \mathrm{length}, m_d2' -> \dot{m}_{d2}
std::string name_to_latex(std::string_view name);
std::string unit_to_latex(std::string_view unit);  // "N*m"

}  // namespace vinculum
