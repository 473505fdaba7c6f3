// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/questions/options.h"
#include "vinculum/questions/reply.h"

// Every question about a model, answered into a reply; what comes back is how it ended (kDone ..).
namespace vinculum {

int answer_check(const CheckOptions& options, Reply& reply);
int answer_evaluate(const EvaluateOptions& options, Reply& reply);
int answer_simulate(const SimulateOptions& options, Reply& reply);
int answer_inverse(const InverseOptions& options, Reply& reply);
int answer_series(const SeriesOptions& options, Reply& reply);
int answer_equilibrium(const EquilibriumOptions& options, Reply& reply);
int answer_linearise(const LineariseOptions& options, Reply& reply);
int answer_integrals(const IntegralsOptions& options, Reply& reply);
int answer_balance(const BalanceOptions& options, Reply& reply);
int answer_variants(const VariantsOptions& options, Reply& reply);
int answer_limit(const LimitOptions& options, Reply& reply);
int answer_realize(const RealizeOptions& options, Reply& reply);
int answer_steady(const SteadyMotionOptions& options, Reply& reply);

// Of a study: whichever it is.
int answer_question(const QuestionOptions& options, Reply& reply);

}  // namespace vinculum
