// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/constraints/assembly.h"
#include "vinculum/questions/options.h"
#include "vinculum/questions/reply.h"

// The common beginning and end of questions about a model: the model, its state, verdicts,
// files that the user named. Errors are reported, `ending` is set, and the answer is none.
namespace vinculum {

std::shared_ptr<const Model> load_model(const ModelOptions& options, Reply& reply, int& ending);

// --set NAME=VALUE, taken apart.
std::optional<std::vector<Override>> read_sets(const std::vector<std::string>& sets, Reply& reply, int& ending);

// The start values that --set gives, over those of a state file: what the command line says comes last.
void set_start_values(const Model& model, const std::vector<std::string>& sets, State& state, Diagnostics& diagnostics);

// A start value that is set, and that the file of a motion gives.
std::optional<Failure> refuse_sets_of_motion(const Model& model, const std::vector<std::string>& sets,
                                             const std::vector<std::string>& given);

// The state of --state, or the model's start.
std::optional<State> load_state(const ModelOptions& options, const Model& model, Reply& reply, int& ending,
                                std::vector<double>* accelerations = nullptr);

// What --hold names.
std::optional<Held> load_held(const ProjectOptions& options, const Model& model, Reply& reply, int& ending);

// Moves a state onto the constraints and prints the change.
std::optional<State> project_start(const ConstraintSet& set, const State& state, const ProjectOptions& options, Reply& reply,
                                   int& ending);

// Prints which coordinates and velocities differ, as a table and, with those that were held, under `key`.
void tell_change(const Model& model, const State& from, const State& to, const std::vector<std::string>& held, const char* key,
                 Reply& reply);

// Verdicts as lines, in their order.
void say_verdicts(const std::vector<Verdict>& verdicts, Reply& reply);
// Those at a state, as lines and under `verdicts`.
void tell_verdicts(const std::vector<Verdict>& verdicts, Reply& reply);

// Warns of meshes that the model names and that are not there.
void tell_missing_meshes(const Model& model, const std::string& model_file, Reply& reply);

// Writes a file that the user named. False if it exists and may not be replaced, or cannot be written.
bool write_text(const std::string& path, const std::string& text, bool replace, Reply& reply, int& ending);

}  // namespace vinculum
