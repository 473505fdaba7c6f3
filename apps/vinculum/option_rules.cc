// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "option_rules.h"

#include <algorithm>

#include <fmt/core.h>

namespace vinculum::app {

namespace {

bool is_given(const CLI::App& command, const std::string& option) {
  const CLI::Option* const found = command.get_option_no_throw(option);
  return found != nullptr && found->count() > 0;
}

std::string list_with_or(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

}  // namespace

OptionRules& OptionRules::only_with(std::string option, std::vector<std::string> others, std::string why) {
  const std::string when = "without " + list_with_or(others);
  const auto is_used = [others = std::move(others)](const CLI::App& command) {
    return std::ranges::any_of(others, [&](const std::string& other) { return is_given(command, other); });
  };
  rules_.push_back({std::move(option), is_used, when, std::move(why)});
  return *this;
}

OptionRules& OptionRules::none_with(std::string other, std::vector<std::string> options, std::string why) {
  for (std::string& option : options)
    rules_.push_back(
        {std::move(option), [other](const CLI::App& command) { return !is_given(command, other); }, "with " + other, why});
  return *this;
}

OptionRules& OptionRules::only_if(std::string option, std::function<bool()> is_used, std::string why) {
  rules_.push_back(
      {std::move(option), [is_used = std::move(is_used)](const CLI::App&) { return is_used(); }, "here", std::move(why)});
  return *this;
}

void OptionRules::apply(CLI::App& command) const {
  command.parse_complete_callback([rules = rules_, &command] {
    for (const Rule& rule : rules) {
      if (is_given(command, rule.option) && !rule.is_used(command))
        throw UnusedOption(fmt::format("{} has no effect {}: {}", rule.option, rule.when, rule.why));
    }
  });
}

}  // namespace vinculum::app
