// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/verdict/catalogue.h"

namespace vinculum::app {

void add_explain(CLI::App& app, int& exit_code) {
  auto code = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "what a message code means and what to do; all of them without a code");
  command->footer("example:\n  vinculum explain VN-MODEL-021");
  command->add_option("code", *code, "code of a message, as printed in brackets");
  command->callback([code, &exit_code] {
    bool found = false;
    for (const CatalogueEntry& entry : catalogue()) {
      if (!code->empty() && entry.code != *code) continue;
      fmt::print("{}: {}\n  {}\n", entry.code, entry.rule, entry.explanation);
      found = true;
    }
    if (!found) exit_code = Reply(false).refuse_usage(fmt::format("there is no message {}", *code), "`vinculum explain` lists all codes");
  });
}

}  // namespace vinculum::app
