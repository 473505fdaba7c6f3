// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_integrals(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<IntegralsOptions>();
  CLI::App* command = app.add_subcommand("integrals", "which quantities every motion of the model conserves, and why");
  command->footer(
      "Tried are E, momentum Px Py Pz, angular momentum Lx Ly Lz about the world origin and Kx Ky Kz about the mass centre\n"
      "(of each root body by itself: Px(hull)), every generalized momentum p(VELOCITY), and all their sums, each plus c t.\n"
      "Of every body on another body, with all it carries, P, L, Kx(BODY) .. about its pole and Kcx(BODY) .. about the mass "
      "centre\n"
      "are tried, too. What is none of these is not found. They are tried at random states around the start, or around --state.\n"
      "An integral is proven if no law that is not constant can change it; else a change was `not found` at these states.\n"
      "Strings count as taut. `simulate` watches the drift of what is found of whole trees.\n\n"
      "example:\n"
      "  vinculum integrals satellite.yaml\n"
      "  vinculum integrals crane.yaml --set damping=0 --json");
  add_model_options(*command, *options);
  command
      ->add_option("--taut", options->taut, "STRING,..: strings that are taut; those that the state has slack are left out then")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("STRINGS");
  on_call(*command, options, answer_integrals, exit_code);
}

}  // namespace vinculum::app
