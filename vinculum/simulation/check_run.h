// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/run.h"

namespace vinculum {

// Constraints other than given motions, now or when a stop is struck.
bool has_rows(const Model& model, const RunOptions& options);

// Every event that a run with these options may report, by its name: `bottom` of the model, `slip:foot`, `requirement:reach`.
std::vector<Occurrence> list_run_events(const Model& model, const RunOptions& options);
// Is this the event that a user calls so: by its name, "slip:foot", or by its kind, "slip"?
bool answers_to(const Occurrence& event, std::string_view name);

// The model in the scales of this start, where they are not those of its file: what is small is small beside this motion.
std::unique_ptr<const Model> in_own_scales(const Model& given, const State& start, double until);

// What is asked for must exist: the integrator, and the event to stop at.
std::optional<Failure> check_request(const Model& model, const RunOptions& options);

// Can a run start here: the constraints are obeyed, and the dynamics has an answer.
std::optional<Failure> check_start(const Model& model, const State& start, const RunOptions& options);

}  // namespace vinculum
