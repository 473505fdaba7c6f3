// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>

#include "command.h"

// docs/vinculum.schema.json and docs/vinculum-study.schema.json, put here by the build (cmake/embed.cmake).
extern "C" const char vinculum_model_schema[];
extern "C" const std::uint64_t vinculum_model_schema_size;
extern "C" const char vinculum_study_schema[];
extern "C" const std::uint64_t vinculum_study_schema_size;

namespace vinculum::app {

void add_schema(CLI::App& app, int& exit_code) {
  struct Options {
    bool study = false;
    std::string output;
    bool force = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("schema", "print the JSON schema of model files, for completion and checks in an editor");
  command->footer(
      "An editor with a YAML language server (VS Code: the extension YAML) takes it from the first line of a model,\n"
      "  # yaml-language-server: $schema=vinculum.schema.json\n"
      "example:\n  vinculum schema -o vinculum.schema.json\n  vinculum schema --study -o vinculum-study.schema.json");
  command->add_flag("--study", options->study, "schema of study files, for `sweep`");
  command->add_option("-o,--output", options->output, "file to write; standard output if not given")->type_name("FILE");
  command->add_flag("--force", options->force, "replace that file if it exists");
  OptionRules().only_with("--force", {"--output"}, "no file is written").apply(*command);
  command->callback([options, &exit_code] {
    const std::string text = options->study ? std::string(vinculum_study_schema, vinculum_study_schema_size)
                                            : std::string(vinculum_model_schema, vinculum_model_schema_size);
    if (options->output.empty()) return print(text);
    PrintedReply reply(false);
    if (!write_text(options->output, text, options->force, reply, exit_code)) return;
    reply.say("wrote " + options->output);
    exit_code = reply.finish(kDone);
  });
}

}  // namespace vinculum::app
