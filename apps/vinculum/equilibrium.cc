// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_equilibrium(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<EquilibriumOptions>();
  options->start = UseOfStart::positions;
  options->why_unused = "an equilibrium is at rest, and is searched from the positions alone";
  CLI::App* command = app.add_subcommand("equilibrium", "find an equilibrium or steady motion near a state, and its stability");
  command->footer(
      "example:\n  vinculum equilibrium crane.yaml --set boom=0.5 --write-state rest.json\n  vinculum linearise crane.yaml "
      "--state rest.json\n  vinculum equilibrium governor.yaml --steady shaft=12 --set arm=0.6");
  add_model_options(*command, *options);
  command
      ->add_option(
          "--steady", options->steady,
          "find a steady motion with this rate [rad/s or m/s] instead of rest (repeatable; also an angular velocity, top.wz)")
      ->type_name("COORDINATE=RATE");
  command->add_option("--write-state", options->write_state, "write the state found, for --state")->type_name("FILE");
  command->add_flag("--force", options->force, "replace that file if it exists");
  OptionRules().only_with("--force", {"--write-state"}, "no file is written").apply(*command);
  on_call(*command, options, answer_equilibrium, exit_code, asked);
}

}  // namespace vinculum::app
