// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/files/results_folder.h"

int vinculum::app::run_program(int argc, char** argv) {
  CLI::App app{
      "Vinculum computes the motion of mechanisms and tells whether the idealisations behind the model hold.\n"
      "Start with:  vinculum new pendulum.yaml  then  vinculum simulate pendulum.yaml --until 10 --output out"};
  app.name("vinculum");
  app.set_version_flag("--version", "vinculum " + vinculum::version());
  app.set_help_flag("-h,--help", "print this help");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);

  int exit_code = kDone;
  add_check(app, exit_code);
  add_evaluate(app, exit_code);
  add_inverse(app, exit_code);
  add_simulate(app, exit_code);
  add_series(app, exit_code);
  add_balance(app, exit_code);
  add_linearise(app, exit_code);
  add_equilibrium(app, exit_code);
  add_derive(app, exit_code);
  add_integrals(app, exit_code);
  add_new(app, exit_code);
  add_convert(app, exit_code);
  add_explain(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> arguments(argv, argv + argc);
    Reply reply(std::find(arguments.begin(), arguments.end(), "--json") != arguments.end());
    const auto used = app.get_subcommands();
    return reply.refuse_usage(error.what(),
                              fmt::format("see `vinculum {}--help`", used.empty() ? "" : used.front()->get_name() + " "));
  }
  return exit_code;
}
