// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/kernels/environment.h"

#include <algorithm>

#include "vinculum/kernels/environment_kernel.h"

namespace vinculum {

EnvironmentMotion compute_environment_motion(const EnvironmentBody& body, double t, std::vector<double>& scratch) {
  std::size_t steps = 1;
  const auto consider = [&](const Expression& law) { steps = std::max(steps, law.steps().size()); };
  for (const auto* laws : {&body.position, &body.velocity, &body.acceleration})
    std::for_each(laws->begin(), laws->end(), consider);
  for (const EnvironmentBody::TurnLaw& turn : body.turns) {
    for (const Expression* law : {&turn.angle, &turn.rate, &turn.acceleration}) consider(*law);
  }
  if (scratch.size() < steps) scratch.resize(steps);
  return move_environment_body<double>(body, t, scratch);
}

}  // namespace vinculum
