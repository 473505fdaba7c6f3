// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "validate a model; list its bodies, coordinates and degrees of freedom");
  command->footer(
      "example:\n  vinculum check crane.yaml\n  vinculum check crane.yaml --json\n  vinculum check crane.yaml --page crane.html");
  add_model_options(*command, *options);
  add_project_options(*command, *options, "--assemble",
                      "close loops and contacts from a rough start, as --project does, and look for other assemblies");
  command->add_option("--page", options->page, "write a page FILE on which sliders move the joints");
  on_call(*command, options, answer_check, exit_code);
}

}  // namespace vinculum::app
