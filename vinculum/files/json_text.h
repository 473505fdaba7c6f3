// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "vinculum/math/spatial.h"
#include "vinculum/model/model.h"
#include "vinculum/simulation/run.h"
#include "vinculum/verdict/diagnostic.h"
#include "vinculum/verdict/verdict.h"

// Results as JSON, with the words of the contract. For the writers of files and for the command line.
namespace vinculum {

using Json = nlohmann::ordered_json;

Json to_json(const Vector3& a);
Json to_json(const Matrix3& m);  // matrix rows
Json to_json(const Quaternion& q);
Json to_json(const Wrench& wrench);
Json to_json(const Verdict& verdict);
Verdict verdict_from_json(const Json& json);  // the same read back; throws nlohmann's exceptions where something is missing
Json to_json(const Diagnostic& diagnostic);
Json to_json(const Failure& failure);
Json to_json(const Occurrence& event);
Occurrence occurrence_from_json(const Json& json);  // throws where something is missing, as nlohmann-json does
Json to_json(const IntegralDrift& integral);
Json to_json(const std::vector<OutputValue>& outputs);  // {name: value}
Json to_json(const RowResidual& residual);              // {"position" (null for a constraint without a gap), "velocity"}
Json to_json(const Model& model, const State& state);   // {"t", "q": {name: value}, "v": {..}, "modes": {..}}
Json named(const std::vector<std::string>& names, std::span<const double> values);

// Adds a name that is not there yet, in constant time: [] looks through all that are.
void append(Json& object, const std::string& name, Json value);

// The first number of a document that is none, in words: "reactions of arm, moment, entry 2"; none if all are finite.
std::optional<std::string> find_non_finite(const Json& document);

// Adds `final`, `steps`, `integrals`, `verdicts`, `events` of a run.
void add_result(Json& json, const Model& model, const RunResult& result);

// {"t": , "q": {..}, "v": {..}, "a": {..}}: values not mentioned keep those of `state`
// (driven coordinates follow their law at t; accelerations: 0). Unknown names and wrong types are
// diagnosed; false then.
bool read_state(const std::string& text, const Model& model, State& state, std::vector<double>* accelerations,
                Diagnostics& diagnostics);

}  // namespace vinculum
