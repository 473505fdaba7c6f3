// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/version.h"

namespace {

// A standard stream that was closed must not become a file of results: its number is taken by something that cannot be written.
void keep_standard_streams() {
  int file = 0;
  while (file >= 0 && file <= 2) file = open("/dev/null", O_RDONLY);
  // The first number above the standard ones, or none at all: that one is not needed.
  if (file > 2) close(file);
}

// An option given without a text would be one that was not given; a number must be one.
void check_texts(CLI::App& app) {
  const CLI::Validator not_empty(
      [](std::string& text) { return text.empty() ? std::string("its text is empty") : std::string(); }, "");
  for (CLI::App* const command : app.get_subcommands({})) {
    for (CLI::Option* const option : command->get_options()) {
      if (option->get_expected_min() == 0) continue;  // a flag
      option->check(not_empty);
      const std::string type = option->get_type_name();
      if (type == "FLOAT" || type == "INT" || type == "UINT") option->check(vinculum::app::finite_number());
    }
  }
}

// What a command or an option that does not exist may have been meant to be.
std::string find_meant(CLI::App& app, const std::vector<std::string>& arguments) {
  const auto used = app.get_subcommands();
  std::vector<std::string> known;
  if (used.empty()) {
    for (const CLI::App* const command : app.get_subcommands({})) known.push_back(command->get_name());
    for (size_t i = 1; i < arguments.size(); ++i) {
      if (!arguments[i].starts_with('-')) return vinculum::nearest_name(arguments[i], known);
    }
    return "";
  }
  for (const CLI::Option* const option : used.front()->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.starts_with("--") && std::find(known.begin(), known.end(), name) == known.end())
      return vinculum::nearest_name(name, known);
  }
  return "";
}

}  // namespace

int vinculum::app::run_program(int argc, char** argv) {
  keep_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is told at the end
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow
  return run_command_line(argc, argv);
}

int vinculum::app::run_command_line(int argc, char** argv) {
  CLI::App app{
      "Vinculum computes the motion of mechanisms and checks the idealisations of the model: slip, lift-off, slack, jamming.\n"
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
  add_report(app, exit_code);
  add_studio(app, exit_code);
  add_series(app, exit_code);
  add_balance(app, exit_code);
  add_linearise(app, exit_code);
  add_equilibrium(app, exit_code);
  add_derive(app, exit_code);
  add_steady(app, exit_code);
  add_integrals(app, exit_code);
  add_realize(app, exit_code);
  add_variants(app, exit_code);
  add_limit(app, exit_code);
  add_pad(app, exit_code);
  add_sweep(app, exit_code);
  add_new(app, exit_code);
  add_convert(app, exit_code);
  add_explain(app, exit_code);
  add_schema(app, exit_code);
  check_texts(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return finish_output(app.exit(success));
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> arguments(argv, argv + argc);
    PrintedReply reply(std::find(arguments.begin(), arguments.end(), "--json") != arguments.end());
    const auto used = app.get_subcommands();
    const std::string meant = find_meant(app, arguments);
    const auto unknown = std::find_if(arguments.begin() + std::min(argc, 1), arguments.end(),
                                      [](const std::string& argument) { return !argument.starts_with('-'); });
    const bool no_command = used.empty() && unknown != arguments.end();
    if (dynamic_cast<const UnusedOption*>(&error) != nullptr)
      return finish_output(reply.refuse_usage(Failure{"VN-USAGE-014", error.what(), "leave it out"}));
    return finish_output(reply.refuse_usage(
        no_command ? fmt::format("there is no command '{}'", *unknown) : std::string(error.what()),
        meant.empty() ? fmt::format("see `vinculum {}--help`", used.empty() ? "" : used.front()->get_name() + " ")
                      : fmt::format("did you mean '{}'?", meant)));
  }
  return finish_output(exit_code);
}
