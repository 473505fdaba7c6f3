// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/answers.h"

namespace vinculum {

namespace {

struct Answering {
  Reply& reply;
  int operator()(const SimulateOptions& options) const { return answer_simulate(options, reply); }
  int operator()(const RealizeOptions& options) const { return answer_realize(options, reply); }
  int operator()(const VariantsOptions& options) const { return answer_variants(options, reply); }
  int operator()(const LimitOptions& options) const { return answer_limit(options, reply); }
  int operator()(const SteadyMotionOptions& options) const { return answer_steady(options, reply); }
  int operator()(const EquilibriumOptions& options) const { return answer_equilibrium(options, reply); }
  int operator()(const LineariseOptions& options) const { return answer_linearise(options, reply); }
  int operator()(const EvaluateOptions& options) const { return answer_evaluate(options, reply); }
};

}  // namespace

int answer_question(const QuestionOptions& options, Reply& reply) { return std::visit(Answering{reply}, options); }

}  // namespace vinculum
