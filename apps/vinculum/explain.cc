// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/verdict/catalogue.h"

namespace vinculum::app {

namespace {

constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
    {"VN-EXPR", "expressions and units"}, {"VN-FILE", "files and their syntax"}, {"VN-MODEL", "what a model says"},
    {"VN-RUN", "computations"},           {"VN-URDF", "conversion of URDF"},     {"VN-USAGE", "the command line"},
};

std::string title_of(std::string_view prefix) {
  for (const auto& [known, title] : kTitles) {
    if (known == prefix) return fmt::format("{}: {}", prefix, title);
  }
  return std::string(prefix);
}

// Outside of code in backticks, < and * would be taken for tags and emphasis.
std::string to_markdown(std::string_view text) {
  std::string escaped;
  bool is_code = false;
  for (const char c : text) {
    if (c == '`') is_code = !is_code;
    if (!is_code && (c == '<' || c == '*')) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The page docs/messages.md.
void print_page() {
  print(
      "# Messages\n\n"
      "Every message of the program ends in a code, which does not change from version to version.\n"
      "`vinculum explain CODE` prints its entry; this page is printed by `vinculum explain --markdown`.\n");
  std::string_view section;
  for (const CatalogueEntry& entry : catalogue()) {
    const std::string_view prefix = entry.code.substr(0, entry.code.rfind('-'));
    if (prefix != section) print(fmt::format("\n## {}\n", title_of(prefix)));
    section = prefix;
    print(fmt::format("\n### {}\n\n**{}.** {}\n", entry.code, to_markdown(entry.rule), to_markdown(entry.explanation)));
  }
}

bool print_entries(const std::string& code) {
  bool found = false;
  for (const CatalogueEntry& entry : catalogue()) {
    if (!code.empty() && entry.code != code) continue;
    print(fmt::format("{}: {}\n  {}\n", entry.code, entry.rule, entry.explanation));
    found = true;
  }
  return found;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  struct Options {
    std::string code;
    bool markdown = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("explain", "what a message code means and what to do; all of them without a code");
  command->footer("example:\n  vinculum explain VN-MODEL-021");
  CLI::Option* code = command->add_option("code", options->code, "code of a message, as printed in brackets");
  command->add_flag("--markdown", options->markdown, "all of them as a page, docs/messages.md")->excludes(code);
  command->callback([options, &exit_code] {
    if (options->markdown) {
      print_page();
    } else if (!print_entries(options->code)) {
      exit_code = PrintedReply(false).refuse_usage(fmt::format("there is no message {}", options->code),
                                                   "`vinculum explain` lists all codes");
    }
  });
}

}  // namespace vinculum::app
