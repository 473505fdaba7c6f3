// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_inverse(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InverseOptions>();
  CLI::App* command = app.add_subcommand("inverse", "compute the forces and joint reactions of a given motion");
  command->footer(
      "example:\n"
      "  vinculum inverse arm.yaml --state state.json        with \"a\": {\"elbow'\": 2} in the state\n"
      "  vinculum inverse arm.yaml --motion motion.csv --output forces.csv\n"
      "  vinculum inverse leg.yaml --drives hip,knee           the other joints are free, except for contacts and loops\n"
      "columns of the motion: t, coordinates, velocities, a(VELOCITY); missing columns come from a cubic spline");
  add_model_options(*command, *options);
  command->add_option("--motion", options->motion, "table of a motion (CSV), instead of a state")
      ->type_name("FILE")
      ->excludes("--state");
  command
      ->add_option("--drives", options->drives,
                   "COORDINATE,..: driven coordinates (default: joints with a given motion; else with a `joint:` law that is not "
                   "passive; else with one degree of freedom)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  add_project_options(*command, *options, "--project",
                      "first move the state onto the constraints, and compute the accelerations that \"a\" does not name");
  command->get_option("--project")->excludes("--motion");
  command->add_option("--residual", options->residual, "largest constraint residual accepted, in m, rad and s")
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "table of forces and reactions to write (CSV)")->type_name("FILE");
  command->add_flag("--force", options->force, "replace that file if it exists");
  OptionRules()
      .only_with("--output", {"--motion"}, "the table is that of a motion; --json prints the answer at a state")
      .only_with("--force", {"--output"}, "no file is written")
      .apply(*command);
  on_call(*command, options, answer_inverse, exit_code);
}

}  // namespace vinculum::app
