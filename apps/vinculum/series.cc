// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"

namespace vinculum::app {

void add_series(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SeriesOptions>();
  CLI::App* command =
      app.add_subcommand("series", "expand the motion in a power series at a state: coefficients, radius of convergence");
  command->footer("example:\n  vinculum series pendulum.yaml --order 25\n  vinculum series crane.yaml --state state.json --json");
  add_model_options(*command, *options);
  command->add_option("--order", options->order, "highest order of the coefficients")
      ->type_name("K")
      ->check(finite_number())
      ->capture_default_str();
  on_call(*command, options, answer_series, exit_code);
}

}  // namespace vinculum::app
