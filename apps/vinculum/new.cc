// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/files/starter_model.h"

namespace vinculum::app {

void add_new(CLI::App& app, int& exit_code) {
  struct Options {
    std::string file;
    std::string kind;
  };
  auto options = std::make_shared<Options>();
  options->kind = starter_model_names().front();
  CLI::App* command = app.add_subcommand("new", "writes a commented model file to start from");
  command->footer("example:\n  vinculum new pendulum.yaml\n  vinculum new satellite.yaml --template satellite");
  command->add_option("file", options->file, "file to write")->required();
  command->add_option("--template", options->kind, "what to start from")
      ->check(CLI::IsMember(starter_model_names()))
      ->capture_default_str();
  command->callback([options, &exit_code] {
    if (std::filesystem::exists(options->file)) {
      exit_code =
          Reply(false).refuse_usage(fmt::format("{} exists already", options->file), "choose another name, or remove it first");
      return;
    }
    std::ofstream file(options->file, std::ios::binary);
    file << starter_model(options->kind);
    file.close();
    if (!file) {
      exit_code = Reply(false).refuse_usage(fmt::format("cannot write {}", options->file), "is the folder there and writable?");
      return;
    }
    fmt::print("wrote {}\nnext:  vinculum simulate {} --until 10 --output out\n", options->file, options->file);
  });
}

}  // namespace vinculum::app
