// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/symbolic/derive.h"

namespace vinculum {

// Equations with the definitions of all their names, for people: as text in the language of model files, where a second prime is
// the second derivative, or as LaTeX (with amsmath).
std::string to_text(const Model& model, const DerivedEquations& equations);
std::string to_latex(const Model& model, const DerivedEquations& equations);

// left = right on one line.
std::string to_text(const DerivedEquation& equation);

std::string to_latex(const Expression& expression);
// phi1 -> \phi_{1}, length -> \mathrm{length}, m_d2' -> \dot{m}_{d2}
std::string name_to_latex(std::string_view name);
std::string unit_to_latex(std::string_view unit);  // "N*m"

}  // namespace vinculum
