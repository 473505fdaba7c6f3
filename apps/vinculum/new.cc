// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/files/starter_model.h"

namespace vinculum::app {

void add_new(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file;
    std::string kind;
    bool force = false;
  };
  auto options = std::make_shared<Options>();
  options->kind = starter_model_names().front();
  CLI::App* command = app.add_subcommand("new", "write a commented model file to start from");
  command->footer("example:\n  vinculum new pendulum.yaml\n  vinculum new satellite.yaml --template satellite");
  command->add_option("file", options->file, "file to write")->required();
  command->add_option("--template", options->kind, "model to start from")
      ->check(CLI::IsMember(starter_model_names()))
      ->capture_default_str();
  command->add_flag("--force", options->force, "replace the file if it exists");
  command->callback([options, &exit_code] {
    PrintedReply reply(false);
    if (!write_text(options->file, std::string(starter_model(options->kind)), options->force, reply, exit_code)) return;
    reply.say(fmt::format("wrote {}\nnext:  vinculum simulate {} --until 10 --output out", options->file, options->file));
    exit_code = reply.finish(kDone);
  });
}

}  // namespace vinculum::app
