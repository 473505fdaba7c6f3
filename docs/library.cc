// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A model from C++: one state, its derivatives, and a thousand states at once.
#include <cstdio>

#include "vinculum/dynamics/batch.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/files/read_model.h"

using namespace vinculum;

int main(int argc, char** argv) {
  // Everything that is wrong with a file is told at once.
  Diagnostics diagnostics;
  const auto model = read_model_file(argc > 1 ? argv[1] : "examples/double-pendulum/model.yaml", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list()) std::fprintf(stderr, "%s\n", to_text(diagnostic).c_str());
  if (!model) return 1;

  // The model is constant and shared; the workspace is one thread's scratch memory.
  Workspace workspace(*model);
  const State state = model->initial_state();
  const auto forward = compute_forward_dynamics(*model, state, workspace);
  if (!forward) {
    std::fprintf(stderr, "%s\n", forward.failure().message.c_str());
    return 1;
  }
  for (size_t i = 0; i < forward->accelerations.size(); ++i)
    std::printf("%-12s %12.6f\n", model->velocity_names()[i].c_str(), forward->accelerations[i]);

  // In a loop, without reactions and without touching the heap: the forces that would hold it where it is.
  const std::vector<double> still(state.v.size(), 0.0);
  std::vector<double> holding(state.v.size());
  compute_forces(*model, state.t, state.q, state.v, still, holding, workspace);
  std::printf("holding      %12.6f\n", holding[1]);

  // Exact derivatives of the accelerations, of all force laws too.
  DerivativesWorkspace differentiator(*model);
  ForwardDerivatives derivatives;
  if (compute_forward_derivatives(*model, state, differentiator, derivatives)) return 1;
  std::printf("d(v2')/d(q2) %12.6f\n", derivatives.by_q(1, 1));

  // A thousand states side by side, in the lanes of this processor's registers.
  std::vector<State> states(1000, state);
  for (size_t k = 0; k < states.size(); ++k) states[k].q[1] += 0.001 * static_cast<double>(k);
  Batch batch(*model);
  const StateBatch side_by_side = make_batch(states);
  std::vector<double> accelerations(state.v.size() * states.size());
  const std::vector<int> undetermined = compute_accelerations(batch, side_by_side, accelerations);
  std::printf("%zu states have no accelerations; v2' of the last %12.6f\n", undetermined.size(), accelerations[2 * 1000 - 1]);
  return 0;
}
