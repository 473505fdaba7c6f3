// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/analysis/integral_samples.h"
#include "vinculum/analysis/integrals.h"

namespace vinculum {

// Why an integral is one: the sentence of the table of theory 2, section 6.1 that applies, with the parts of the balance that
// vanish.
std::string explain_integral(const Model& model, const IntegralCandidates& candidates, const IntegralSamples& samples,
                             const Integral& integral);

// What was not found to change it, at how many states, and what may do so elsewhere.
std::string explain_doubt(const IntegralCandidates& candidates, const Integral& integral, int states);

}  // namespace vinculum
