// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/simulation/run.h"

namespace vinculum::app {

namespace {

std::string join(const std::vector<std::string>& names) {
  constexpr size_t kMost = 40;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kMost; ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kMost) text += fmt::format(", .. ({} in all)", names.size());
  return names.empty() ? "none" : text;
}

// Inertia in every direction, where the size of the model allows an eigenvalue problem.
void report_inertia(const Model& model, Reply& reply) {
  constexpr int kLargest = 600;
  if (model.tree().velocities == 0 || model.tree().velocities > kLargest) return;
  Workspace workspace(model);
  const WeakDirection weak = find_weakest_direction(model, compute_mass_matrix(model, model.initial_state(), workspace));
  reply.json()["inertia"] = {{"ratio", weak.ratio}, {"weakest", weak.text}};
  if (weak.ratio > 1e-12) {
    reply.say(
        fmt::format("inertia        every motion meets inertia; weakest direction: {} (ratio {:.2g})", weak.text, weak.ratio));
    return;
  }
  Diagnostics diagnostics;
  diagnostics.warning("VN-RUN-002", {}, "",
                      fmt::format("the mass matrix is singular at the start state in the direction {}", weak.text),
                      "`inverse` still answers; forward dynamics and simulation are refused there");
  reply.tell(diagnostics);
}

int run_check(const ModelOptions& options) {
  Reply reply(options.json);
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;

  std::vector<std::string> bodies, constraints;
  for (const Body& body : model->bodies()) bodies.push_back(body.name);
  Json determinate = Json::object();
  for (const DrivenCoordinate& driven : model->driven()) {
    constraints.push_back("motion:" + model->coordinate_names()[driven.q]);
    determinate[constraints.back()] = true;
  }
  Json& json = reply.json();
  json["name"] = model->name();
  json["bodies"] = bodies;
  json["coordinates"] = model->coordinate_names();
  json["velocities"] = model->velocity_names();
  reply.say(fmt::format("model          {}", model->name().empty() ? options.model : model->name()));
  reply.say(fmt::format("bodies         {}: {}", bodies.size(), join(bodies)));
  reply.say(fmt::format("coordinates    {}: {}", model->coordinate_names().size(), join(model->coordinate_names())));
  reply.say(fmt::format("velocities     {}: {}", model->velocity_names().size(), join(model->velocity_names())));
  if (const auto refusal = check_supported(*model)) return reply.fail(*refusal);

  // Given motions are unit rows of different velocities: always independent.
  const int rank = static_cast<int>(constraints.size());
  const int freedoms = static_cast<int>(model->velocity_names().size()) - rank;
  json["constraints"] = constraints;
  json["rank"] = rank;
  json["degrees_of_freedom"] = freedoms;
  json["redundant"] = Json::array();
  json["determinate"] = determinate;
  reply.say(fmt::format("constraints    {}: {}", constraints.size(), join(constraints)));
  reply.say(fmt::format("freedoms       {}", freedoms));
  reply.say("reactions      all determined: the bodies form a tree");
  report_inertia(*model, reply);

  const auto residuals = compute_residuals(*model, *state);
  if (const auto violation = check_residuals(residuals, 1e-8)) return reply.fail(*violation);
  reply.say("the model is sound");
  return reply.finish(kDone);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = app.add_subcommand("check", "is the model sound, and what is it: bodies, coordinates, freedoms");
  command->footer("example:\n  vinculum check crane.yaml\n  vinculum check crane.yaml --json");
  add_model_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = run_check(*options); });
}

}  // namespace vinculum::app
