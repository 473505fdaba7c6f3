// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace vinculum::app {

// No option is ignored: one that a command cannot use beside the others is refused, with the reason. Options are named as they
// are typed, --scan; a positional argument by its name.
class OptionRules {
 public:
  // --table is used with --scan alone. Of several others, one suffices.
  OptionRules& only_with(std::string option, std::vector<std::string> others, std::string why);
  // None of `options` is used beside `other`: --side beside --interval.
  OptionRules& none_with(std::string other, std::vector<std::string> options, std::string why);
  // Where it takes more than names to say so: `is_used` is asked when all options have been read.
  OptionRules& only_if(std::string option, std::function<bool()> is_used, std::string why);

  // From here on the command refuses what these rules forbid, before it does anything else.
  void apply(CLI::App& command) const;

 private:
  struct Rule {
    std::string option;
    std::function<bool(const CLI::App&)> is_used;
    std::string when, why;  // "without --scan", "it is the table of the scan"
  };
  std::vector<Rule> rules_;
};

// Thrown by the parser of the command line; its text is the message.
class UnusedOption : public CLI::ParseError {
 public:
  explicit UnusedOption(std::string message) : CLI::ParseError("UnusedOption", std::move(message), 2) {}
};

}  // namespace vinculum::app
