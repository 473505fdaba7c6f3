// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

struct EnsembleOptions {
  double until = 0;          // [s]; before a start: backwards
  double tolerance = 1e-10;  // local relative error of a step
  int order = 0;             // of the power series; 0: by the tolerance
  int threads = 1;
  double largest_step = std::numeric_limits<double>::infinity();  // [s]
  long most_steps = std::numeric_limits<long>::max();             // of a motion; one that needs more fails
  std::string stop_at{};                                          // an event of the model that ends a motion; empty: none
  AskStop stop{};  // asked after every step of all lanes; motions that are not at their end fail then
};

struct EnsembleRun {
  State final;
  long steps = 0;
  struct Event {
    int event = 0;  // of Model::events()
    double t = 0;
    int direction = 0;
  };
  std::vector<Event> events;
  std::optional<Failure> failure;  // why it ends before its time; the motion up to `final` is good
};

// Many motions of one model by power series, one per lane of a register, each with its own
// steps. A lane whose motion ends takes the next one. Every motion and its events have the
// same bits as run_simulation with the integrator taylor, whatever the lanes and threads.
// Failure if the model has no series or is not supported, or a start violates a given motion.
Outcome<std::vector<EnsembleRun>> run_ensemble(const Model& model, std::span<const State> starts, const EnsembleOptions& options);

}  // namespace vinculum
