// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_linearise(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<LineariseOptions>();
  CLI::App* command =
      app.add_subcommand("linearise", "linearise about a state: matrices A and B, eigenvalues, frequencies, modes")
          ->alias("linearize");
  command->footer(
      "example:\n  vinculum linearise crane.yaml --state equilibrium.json\n  vinculum linearise crane.yaml --motion "
      "out/states.csv --json\n  vinculum linearise bicycle.yaml --over speed=0:10:201 --svg locus.svg --table locus.csv");
  add_model_options(*command, *options);
  command->add_option("--motion", options->motion, "table of a motion: linearise at each of its lines")
      ->type_name("FILE.csv")
      ->excludes("--state");
  CLI::Option* over =
      command->add_option("--over", options->over, "eigenvalues over a range of a parameter, and where stability changes")
          ->type_name("NAME=FROM:TO:COUNT")
          ->excludes("--motion");
  command->add_option("--svg", options->svg, "write the eigenvalues of --over as a picture")->type_name("FILE.svg")->needs(over);
  command->add_option("--table", options->table, "write the eigenvalues of --over as a table")
      ->type_name("FILE.csv")
      ->needs(over);
  command->add_flag("--force", options->force, "replace files that exist")->needs(over);
  OptionRules().only_with("--force", {"--svg", "--table"}, "no file is written").apply(*command);
  on_call(*command, options, answer_linearise, exit_code, asked);
}

}  // namespace vinculum::app
