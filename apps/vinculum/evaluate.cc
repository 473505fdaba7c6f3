// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_evaluate(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand("evaluate", "compute accelerations, reactions, mass matrix and energy at one state");
  command->footer(
      "example:\n  vinculum evaluate crane.yaml --set boom=0.5\n  vinculum evaluate crane.yaml --state state.json --json");
  add_model_options(*command, *options);
  command->add_option("--form", options->form, "equations to use")
      ->check(CLI::IsMember({"recursive", "vector", "aggregate"}))
      ->capture_default_str();
  add_project_options(*command, *options);
  command->add_option("--residual", options->residual, "largest constraint residual accepted, in m, rad and s")
      ->capture_default_str();
  on_call(*command, options, answer_evaluate, exit_code, asked);
}

}  // namespace vinculum::app
