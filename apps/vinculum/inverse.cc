// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/files/read_motion.h"
#include "vinculum/model/units.h"
#include "vinculum/simulation/run.h"

namespace vinculum::app {

namespace {

struct InverseOptions : ModelOptions {
  std::string motion;
  std::string output;
};

int answer_state(const Model& model, const State& state, const std::vector<double>& accelerations, Reply& reply) {
  Workspace workspace(model);
  const InverseDynamics inverse = compute_inverse_dynamics(model, state, accelerations, workspace);
  Json reactions = Json::object();
  const StateUnits units = state_units(model);
  reply.say("forces: what the drives must supply for these accelerations");
  for (size_t i = 0; i < inverse.forces.size(); ++i) {
    reply.say(fmt::format("  {:<16} {:>16.9g} {}", model.velocity_names()[i], inverse.forces[i], units.forces[i]));
  }
  reply.say("\nreactions: parent on child through the joint, about the child's pole, world axes");
  for (size_t i = 0; i < model.bodies().size(); ++i) {
    const Wrench& r = inverse.reactions_W[i];
    append(reactions, model.bodies()[i].name, to_json(r));
    reply.say(fmt::format("  {:<16} force [{:.6g}, {:.6g}, {:.6g}] N, moment [{:.6g}, {:.6g}, {:.6g}] N*m",
                          model.bodies()[i].name, r.force.x, r.force.y, r.force.z, r.moment.x, r.moment.y, r.moment.z));
  }
  reply.json()["forces"] = named(model.velocity_names(), inverse.forces);
  reply.json()["reactions"] = reactions;
  return reply.finish(kDone);
}

std::string table_header(const Model& model) {
  const StateUnits units = state_units(model);
  std::string header = "t [s]";
  for (size_t i = 0; i < units.forces.size(); ++i)
    header += fmt::format(",force({}) [{}]", model.velocity_names()[i], units.forces[i]);
  for (const Body& body : model.bodies()) {
    for (const char* axis : {"x", "y", "z"}) header += fmt::format(",{}.force.{} [N]", body.name, axis);
    for (const char* axis : {"x", "y", "z"}) header += fmt::format(",{}.moment.{} [N*m]", body.name, axis);
  }
  return header;
}

// Forces along a whole motion: lists over time in the JSON, a table in the file.
int answer_motion(const InverseOptions& options, const Model& model, const GivenMotion& motion, Reply& reply) {
  Workspace workspace(model);
  Json times = Json::array(), forces = Json::object(), reactions = Json::object();
  std::string table = table_header(model) + "\n";
  std::vector<double> peaks(model.velocity_names().size(), 0.0);
  for (size_t row = 0; row < motion.states.size(); ++row) {
    const InverseDynamics inverse = compute_inverse_dynamics(model, motion.states[row], motion.accelerations[row], workspace);
    times.push_back(motion.states[row].t);
    table += fmt::format("{}", motion.states[row].t);
    for (size_t i = 0; i < inverse.forces.size(); ++i) {
      forces[model.velocity_names()[i]].push_back(inverse.forces[i]);
      table += fmt::format(",{}", inverse.forces[i]);
      peaks[i] = std::max(peaks[i], std::abs(inverse.forces[i]));
    }
    for (size_t i = 0; i < model.bodies().size(); ++i) {
      const auto& [force, moment] = inverse.reactions_W[i];
      reactions[model.bodies()[i].name]["force"].push_back(to_json(force));
      reactions[model.bodies()[i].name]["moment"].push_back(to_json(moment));
      table += fmt::format(",{},{},{},{},{},{}", force.x, force.y, force.z, moment.x, moment.y, moment.z);
    }
    table += "\n";
  }
  reply.json()["t"] = times;
  reply.json()["forces"] = forces;
  reply.json()["reactions"] = reactions;
  reply.json()["differentiated"] = motion.differentiated;
  if (!options.output.empty()) {
    std::ofstream file(options.output, std::ios::binary);
    file << table;
    file.close();
    if (!file) return reply.refuse_usage(fmt::format("cannot write {}", options.output), "is the folder there and writable?");
    reply.say(fmt::format("wrote {}: {} rows", options.output, motion.states.size()));
  }
  if (motion.differentiated) reply.say("velocities or accelerations that the table does not give were taken from a cubic spline");
  const StateUnits units = state_units(model);
  reply.say("largest forces along the motion");
  for (size_t i = 0; i < peaks.size(); ++i)
    reply.say(fmt::format("  {:<16} {:>14.6g} {}", model.velocity_names()[i], peaks[i], units.forces[i]));
  return reply.finish(kDone);
}

int run_inverse_command(const InverseOptions& options) {
  Reply reply(options.json);
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  std::vector<double> accelerations(model->velocity_names().size(), 0.0);
  const auto state = load_state(options, *model, reply, exit_code, &accelerations);
  if (!state) return exit_code;
  if (const auto refusal = check_supported(*model)) return reply.fail(*refusal);
  if (options.motion.empty()) return answer_state(*model, *state, accelerations, reply);

  Diagnostics diagnostics(options.motion);
  const auto motion = read_motion(options.motion, *model, diagnostics);
  reply.tell(diagnostics);
  if (!motion) return reply.finish(kWrongUsage);
  return answer_motion(options, *model, *motion, reply);
}

}  // namespace

void add_inverse(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InverseOptions>();
  CLI::App* command = app.add_subcommand("inverse", "forces and joint reactions for a given motion");
  command->footer(
      "example:\n"
      "  vinculum inverse arm.yaml --state state.json        with \"a\": {\"elbow'\": 2} in the state\n"
      "  vinculum inverse arm.yaml --motion motion.csv --output forces.csv\n"
      "columns of the motion: t, coordinates, velocities, a(VELOCITY); what is missing comes from a cubic spline");
  add_model_options(*command, *options);
  command->add_option("--motion", options->motion, "table of a motion (CSV), instead of a state")
      ->type_name("FILE")
      ->excludes("--state");
  command->add_option("-o,--output", options->output, "table of forces and reactions to write (CSV)")->type_name("FILE");
  command->callback([options, &exit_code] { exit_code = run_inverse_command(*options); });
}

}  // namespace vinculum::app
