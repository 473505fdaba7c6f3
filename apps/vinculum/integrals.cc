// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_integrals(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<IntegralsOptions>();
  CLI::App* command = app.add_subcommand("integrals", "find the quantities that every motion of the model conserves, and why");
  command->footer(
      "Candidates are E, momentum Px Py Pz, angular momentum Lx Ly Lz about the world origin and Kx Ky Kz about the mass "
      "centre\n(for each root body separately: Px(hull)), every generalized momentum p(VELOCITY), and all their sums, each plus "
      "c t.\nFor each body on another body, with the bodies it carries, candidates are also P, L, Kx(BODY) about its origin "
      "and\nKcx(BODY) about the mass centre. Nothing else is found. Candidates are tested at random states around the start or "
      "--state.\nAn integral is `proven` if no law that varies can change it; otherwise a change was `not found` at these "
      "states.\nStrings count as taut. `simulate` reports the drift of the integrals of whole trees.\n\n"
      "example:\n"
      "  vinculum integrals satellite.yaml\n"
      "  vinculum integrals crane.yaml --set damping=0 --json");
  add_model_options(*command, *options);
  command
      ->add_option("--taut", options->taut,
                   "STRING,..: strings that are taut; strings that are slack in the state are then left out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("STRINGS");
  on_call(*command, options, answer_integrals, exit_code);
}

}  // namespace vinculum::app
