// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "ask.h"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "command.h"
#include "vinculum/study/command_line.h"

namespace vinculum::app {

namespace {

struct AskedCommand {
  std::string_view name;
  void (*add)(CLI::App&, int&, Asked*);
};
constexpr AskedCommand kCommands[] = {{"simulate", add_simulate},   {"realize", add_realize},  {"variants", add_variants},
                                      {"limit", add_limit},         {"steady", add_steady},    {"equilibrium", add_equilibrium},
                                      {"linearise", add_linearise}, {"evaluate", add_evaluate}};

// What one command alone may do: write, go on with what was written, be about something else than the model.
constexpr std::string_view kOfOneCommand[] = {
    "--output", "-o",    "--resume", "--force", "--json",        "--problem", "--plot", "--polar",   "--draw",
    "--table",  "--svg", "--motion", "--over",  "--write-state", "--help",    "-h",     "--fail-on", "--measured"};

std::vector<std::string> split_words(const std::string& options) { return CLI::detail::split_up(options); }

// Parsed once; where values change from point to point they are read again, always those of the same options.
class CommandLineOptions : public PointOptions {
 public:
  explicit CommandLineOptions(const Study& study) : study_(study), words_(split_words(study.options)) {}

  Outcome<QuestionOptions> at(std::span<const double> parameters) override {
    const std::string options = fill_in(study_, parameters, study_.options);
    if (!is_parsed_ || options != parsed_) {
      try {
        parse(parameters);
      } catch (const CLI::ParseError& error) {
        is_parsed_ = false;
        return Failure{"VN-STUDY-015", fmt::format("run: {} {}: {}", study_.command, options, error.what()),
                       fmt::format("see `vinculum {} --help`", study_.command)};
      }
      parsed_ = options;
    }
    return asked_.options();
  }

 private:
  struct Changing {
    CLI::Option* option;
    std::vector<std::string> values;
  };

  void parse(std::span<const double> parameters) {
    if (is_parsed_ && changing_) {
      for (const auto& [option, values] : *changing_) {
        option->clear();
        for (const std::string& value : values) option->add_result(fill_in(study_, parameters, value));
        option->run_callback();
      }
      return;
    }
    command_ = std::make_unique<CLI::App>();
    const auto named = std::ranges::find(kCommands, study_.command, &AskedCommand::name);
    if (named == std::end(kCommands)) throw CLI::ValidationError("there is no such command");
    named->add(*command_, exit_code_, &asked_);
    std::vector<std::string> words{study_.command, study_.model};
    for (const std::string& word : words_) words.push_back(fill_in(study_, parameters, word));
    std::reverse(words.begin(), words.end());  // as CLI11 has them
    command_->parse(words);
    is_parsed_ = true;
    find_changing(parameters);
  }

  // The options with {NAME} in their values, if each such word stands behind its option's name and the parser took it as it is.
  void find_changing(std::span<const double> parameters) {
    changing_.emplace();
    CLI::App* command = command_->get_subcommand(0);
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i].find('{') == std::string::npos) continue;
      CLI::Option* option = i == 0 || !words_[i - 1].starts_with('-') ? nullptr : command->get_option_no_throw(words_[i - 1]);
      if (option == nullptr) return changing_.reset();
      auto& changing = *changing_;
      if (std::ranges::any_of(changing, [&](const Changing& each) { return each.option == option; })) continue;
      std::vector<std::string> values, filled;
      for (size_t k = 0; k + 1 < words_.size(); ++k) {
        if (words_[k].starts_with('-') && command->get_option_no_throw(words_[k]) == option) values.push_back(words_[k + 1]);
      }
      for (const std::string& value : values) filled.push_back(fill_in(study_, parameters, value));
      if (option->results() != filled) return changing_.reset();
      changing.push_back({option, std::move(values)});
    }
  }

  const Study& study_;
  std::vector<std::string> words_;  // of the options, {NAME} in them
  std::unique_ptr<CLI::App> command_;
  int exit_code_ = kDone;
  Asked asked_;
  bool is_parsed_ = false;
  std::string parsed_;
  // Options that have {NAME} in their values, and all their values. None: {NAME} stands elsewhere, and all is parsed again.
  std::optional<std::vector<Changing>> changing_;
};

}  // namespace

MakePointOptions read_options(const Study& study) {
  return [&study] { return std::make_unique<CommandLineOptions>(study); };
}

bool check_words(const Study& study, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const AskedCommand& command : kCommands) names.emplace_back(command.name);
  if (std::find(names.begin(), names.end(), study.command) == names.end()) {
    const std::string nearest = nearest_name(study.command, names);
    diagnostics.error(
        "VN-STUDY-013", {}, "", fmt::format("a study cannot ask the command '{}'", study.command),
        nearest.empty() ? fmt::format("one of {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", nearest));
    return false;
  }
  for (const std::string& word : split_words(study.options)) {
    const std::string name = word.substr(0, word.find('='));
    if (std::find(std::begin(kOfOneCommand), std::end(kOfOneCommand), name) == std::end(kOfOneCommand)) continue;
    diagnostics.error("VN-STUDY-014", {}, "", fmt::format("{} cannot be asked by a study", name),
                      "a study keeps what `collect` names; ask the command by itself for the rest");
    return false;
  }

  const std::vector<std::string> words = split_words(study.options);
  if (std::ranges::any_of(words, [](const std::string& word) { return word == "-" || word.ends_with("=-"); })) {
    diagnostics.error("VN-STUDY-014", {}, "", "a study cannot read from standard input", "give --state a file");
    return false;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--set")) continue;
    const std::string setting = words[i] == "--set" ? (i + 1 < words.size() ? words[i + 1] : "") : words[i].substr(6);
    const std::string name = setting.substr(0, setting.find('='));
    const auto axis = std::ranges::find_if(study.over, [&](const StudyAxis& each) { return each.name == name; });
    if (axis == study.over.end() || is_in_options(study, *axis)) continue;
    diagnostics.error("VN-STUDY-015", {}, "", fmt::format("run: '{}' is varied by the study and set by --set as well", name),
                      "leave one of them out");
    return false;
  }
  return true;
}

}  // namespace vinculum::app
