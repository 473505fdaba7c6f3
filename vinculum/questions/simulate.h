// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "vinculum/questions/options.h"
#include "vinculum/questions/reply.h"

namespace vinculum {

// A simulation that options ask for, ready to run.
struct Simulation {
  std::shared_ptr<const Model> model;
  State start;
  RunOptions run;
};

// None after telling what is wrong, with `ending` set.
std::optional<Simulation> prepare_simulation(const SimulateOptions& options, Reply& reply, int& ending);

// Runs it, as far as the reply lets it, and warns of what the run has chosen by itself. Nothing is written.
Outcome<RunResult> compute_run(const Simulation& simulation, Reply& reply);

}  // namespace vinculum
