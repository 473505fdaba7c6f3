// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <numbers>

#include <fmt/core.h>

#include "modes.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/files/read_motion.h"
#include "vinculum/simulation/run.h"

namespace vinculum::app {

namespace {

struct LineariseOptions : ModelOptions {
  std::string motion;
};

// Matrices and eigenvalues of every row of a table; for people how fast the fastest departure grows.
int answer_motion(const Model& model, const GivenMotion& motion, Reply& reply) {
  DerivativesWorkspace workspace(model);
  Json& json = reply.json();
  for (const char* key : {"t", "A", "B", "eigenvalues", "growth"}) json[key] = Json::array();
  reply.say("          t [s]   growth [1/s]   frequencies [Hz]");
  for (const State& state : motion.states) {
    const auto linear = linearise(model, state, workspace);
    if (!linear) return reply.fail(linear.failure());
    const std::vector<Mode> modes = find_modes(*linear);
    json["states"] = linear->states;
    json["inputs"] = linear->inputs;
    json["t"].push_back(state.t);
    json["A"].push_back(rows_to_json(linear->A));
    json["B"].push_back(rows_to_json(linear->B));
    json["eigenvalues"].push_back(eigenvalues_to_json(modes));
    const double growth = largest_growth(modes);
    json["growth"].push_back(growth);
    std::string line = fmt::format("{:>15.6g} {:>14.6g}  ", state.t, growth);
    for (const Mode& mode : modes) {
      if (mode.eigenvalue.imag() > 0) line += fmt::format(" {:.6g}", mode.eigenvalue.imag() / (2 * std::numbers::pi));
    }
    reply.say(line);
  }
  return reply.finish(kDone);
}

int run_linearise(const LineariseOptions& options) {
  Reply reply(options.json);
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = check_supported(*model)) return reply.fail(*refusal);
  if (const auto refusal = check_size_of_matrices(*model)) return reply.fail(*refusal);
  if (!options.motion.empty()) {
    Diagnostics diagnostics(options.motion);
    const auto motion = read_motion(options.motion, *model, diagnostics);
    reply.tell(diagnostics);
    return motion ? answer_motion(*model, *motion, reply) : reply.finish(kWrongUsage);
  }
  if (const auto violation = check_state(*model, *state, 1e-8)) return reply.fail(*violation);
  DerivativesWorkspace workspace(*model);
  const auto linear = linearise(*model, *state, workspace);
  if (!linear) return reply.fail(linear.failure());
  tell_laws_of_time(*model, state->t, "the linearisation", reply);
  reply.json()["t"] = state->t;
  reply.say(fmt::format("small departures from the state at t = {:g} s: x' = A x + B tau", state->t));
  tell_matrices(*linear, reply);
  tell_modes(*linear, reply);
  return reply.finish(kDone);
}

}  // namespace

void add_linearise(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<LineariseOptions>();
  CLI::App* command =
      app.add_subcommand("linearise", "small departures from a state: matrices A and B, eigenvalues, frequencies, modes");
  command->footer(
      "example:\n  vinculum linearise crane.yaml --state equilibrium.json\n  vinculum linearise crane.yaml --motion "
      "out/states.csv --json");
  add_model_options(*command, *options);
  command->add_option("--motion", options->motion, "table of a motion: about each of its rows")
      ->type_name("FILE.csv")
      ->excludes("--state");
  command->callback([options, &exit_code] { exit_code = run_linearise(*options); });
}

}  // namespace vinculum::app
