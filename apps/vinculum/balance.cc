// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_balance(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BalanceOptions>();
  options->start = UseOfStart::positions;
  options->why_unused = "a mechanism is balanced whatever its velocities";
  CLI::App* command =
      app.add_subcommand("balance", "find balance conditions, and counterweights, discs and springs that satisfy them");
  command->footer(
      "Constant velocity_constraints act as gears. A bound may follow a colon: --counterweight arm=-0.2,0,0:5\n"
      "example:\n  vinculum balance arm.yaml --property static\n"
      "  vinculum balance arm.yaml --property force --counterweight arm=-0.2,0,0 --counterweight hand=-0.1,0,0 --write "
      "balanced.yaml");
  add_model_options(*command, *options, false);
  command->add_option("--property", options->property, "property that must hold in every position")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(kBalanceProperties.begin(), kBalanceProperties.end())));
  command
      ->add_option("--counterweight", options->counterweights,
                   "point mass that may be added, position in the body frame [m] (repeatable)")
      ->allow_extra_args(false)
      ->type_name("BODY=x,y,z[:MOST]");
  command->add_option("--disc", options->discs, "body that may get a thin disc about its joint axis (repeatable)")
      ->allow_extra_args(false)
      ->type_name("BODY[:MOST]");
  command->add_option("--spring", options->springs, "spring of the model whose stiffness may be changed (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME[:MOST]");
  command->add_option("--drive", options->drives, "independent velocity of a gear train (repeatable; default: the first ones)")
      ->allow_extra_args(false)
      ->type_name("VELOCITY");
  command->add_option("--write", options->write, "write the balanced model")->type_name("FILE");
  command->add_flag("--force", options->force, "replace that file if it exists");
  OptionRules().only_with("--force", {"--write"}, "no file is written").apply(*command);
  on_call(*command, options, answer_balance, exit_code);
}

}  // namespace vinculum::app
