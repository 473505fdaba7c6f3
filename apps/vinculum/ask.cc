// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "ask.h"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "vinculum/simulation/check_run.h"
#include "vinculum/study/collect.h"
#include "vinculum/study/command_line.h"
#include "vinculum/study/sample.h"

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

// How the contacts of a study's runs behave, as its options say.
Follow follow_of(const Study& study) {
  const std::vector<std::string> words = split_words(study.options);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view option = "--contacts";
    if (words[i] == option && i + 1 < words.size()) return find_follow(words[i + 1]).value_or(Follow::bilateral);
    if (words[i].starts_with("--contacts=")) return find_follow(words[i].substr(option.size() + 1)).value_or(Follow::bilateral);
  }
  return Follow::bilateral;
}

// Events come and go: one that has not happened yet is looked for by its name alone, among all that a run can report.
bool can_come_later(const Study& study, const Model& model, const std::string& path) {
  constexpr std::string_view kEvents = "events.";
  if (study.command != "simulate" || !path.starts_with(kEvents)) return false;
  const std::string_view name = std::string_view(path).substr(kEvents.size());
  RunOptions options;
  options.follow = follow_of(study);
  return std::ranges::any_of(list_run_events(model, options), [&](const Occurrence& event) {
    const std::string own = event.name();
    return name == own || (name.starts_with(own) && name[own.size()] == '.');
  });
}

// As a formula: a unit stands behind a number, "0.3 m/s", and 1/s is a division, "0.3/(1 s)".
std::string quantity_text(double value, const std::string& unit) {
  if (unit.empty()) return shortest_text(value);
  return unit.starts_with("1/") ? fmt::format("{}/(1 {})", shortest_text(value), unit.substr(2))
                                : fmt::format("{} {}", shortest_text(value), unit);
}

}  // namespace

// The command line of the question. It is parsed once; where values change from point to point they are read again, always those
// of the same options.
struct CommandQuestion::Parsed {
  CLI::App app;
  int exit_code = kDone;
  Asked asked;
  std::string options;
  std::vector<std::string> sets;  // of the options themselves
  // Options that have {NAME} in their values, and all their values. None: {NAME} stands elsewhere, and all is parsed again.
  struct Changing {
    CLI::Option* option;
    std::vector<std::string> values;
  };
  std::optional<std::vector<Changing>> changing;
};

CommandQuestion::CommandQuestion(const Study& study, const ModelSource& source)
    : study_(study), words_(split_words(study.options)), model_(source) {
  // Looking for first integrals takes longer than many a run, and changes nothing but what is said about them.
  const bool wants_integrals =
      study.command != "simulate" || std::ranges::find(words_, "--no-integrals") != words_.end() ||
      std::ranges::any_of(words_, [](const std::string& word) { return word.starts_with("--step"); }) ||
      std::ranges::any_of(study.collect, [](const StudyColumn& column) {
        return column.path.find("integrals") != std::string::npos || column.path.starts_with("not_watched");
      });
  if (!wants_integrals) words_.emplace_back("--no-integrals");
}
CommandQuestion::~CommandQuestion() = default;

// The options with {NAME} in their values, if each such word stands behind its option's name and the parser took it as it is.
void CommandQuestion::find_changing(std::span<const double> parameters) {
  parsed_->changing.emplace();
  CLI::App* command = parsed_->app.get_subcommand(0);
  for (size_t i = 0; i < words_.size(); ++i) {
    if (words_[i].find('{') == std::string::npos) continue;
    CLI::Option* option = i == 0 || !words_[i - 1].starts_with('-') ? nullptr : command->get_option_no_throw(words_[i - 1]);
    if (option == nullptr) return parsed_->changing.reset();
    auto& changing = *parsed_->changing;
    if (std::ranges::any_of(changing, [&](const Parsed::Changing& each) { return each.option == option; })) continue;
    std::vector<std::string> values, filled;
    for (size_t k = 0; k + 1 < words_.size(); ++k) {
      if (words_[k].starts_with('-') && command->get_option_no_throw(words_[k]) == option) values.push_back(words_[k + 1]);
    }
    for (const std::string& value : values) filled.push_back(fill_in(study_, parameters, value));
    if (option->results() != filled) return parsed_->changing.reset();
    changing.push_back({option, std::move(values)});
  }
}

std::optional<Failure> CommandQuestion::parse(const std::string& options, std::span<const double> parameters) {
  if (parsed_ && parsed_->options == options) return std::nullopt;
  try {
    if (parsed_) {
      parsed_->asked.options->sets = parsed_->sets;
    } else {
      parsed_ = std::make_unique<Parsed>();
      const auto command = std::find_if(std::begin(kCommands), std::end(kCommands),
                                        [&](const AskedCommand& each) { return each.name == study_.command; });
      command->add(parsed_->app, parsed_->exit_code, &parsed_->asked);
    }
    if (parsed_->changing) {
      for (const auto& [option, values] : *parsed_->changing) {
        option->clear();
        for (const std::string& value : values) option->add_result(fill_in(study_, parameters, value));
        option->run_callback();
      }
    } else {
      if (parsed_->asked.options) parsed_->asked.options->sets.clear();
      std::vector<std::string> words{study_.command, study_.model};
      for (const std::string& word : words_) words.push_back(fill_in(study_, parameters, word));
      std::reverse(words.begin(), words.end());  // as CLI11 has them
      parsed_->app.parse(words);
      find_changing(parameters);
    }
  } catch (const CLI::ParseError& error) {
    parsed_.reset();
    return Failure{"VN-STUDY-015", fmt::format("run: {} {}: {}", study_.command, options, error.what()),
                   fmt::format("see `vinculum {} --help`", study_.command)};
  }
  parsed_->options = options;
  parsed_->asked.options->varied = &model_;
  parsed_->sets = parsed_->asked.options->sets;
  return std::nullopt;
}

Outcome<Json> CommandQuestion::answer(std::span<const double> parameters, std::optional<double> limit) {
  const QuestionAt question = question_at(study_, parameters);
  if (auto failure = parse(question.options, parameters)) return *failure;
  ModelOptions& options = *parsed_->asked.options;
  options.sets = parsed_->sets;
  options.sets.insert(options.sets.end(), question.settings.begin(), question.settings.end());

  std::optional<std::chrono::steady_clock::time_point> end;
  if (limit)
    end = std::chrono::steady_clock::now() +
          std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(*limit));
  const Deadline deadline(end);
  Reply reply(Reply::Silent{});
  const int exit_code = parsed_->asked.answer(reply);
  if (exit_code == kDone) return std::move(reply.json());
  if (has_passed_deadline()) return Failure{"VN-STUDY-010", fmt::format("there was no answer within {:g} s", *limit), ""};
  for (const Diagnostic& diagnostic : reply.told()) {
    if (diagnostic.severity != Severity::error) continue;
    return Failure{diagnostic.code,
                   diagnostic.element.empty() ? diagnostic.message : diagnostic.element + ": " + diagnostic.message,
                   diagnostic.hint};
  }
  return Failure{"VN-STUDY-011", fmt::format("{} ended with exit code {} and gave no reason", study_.command, exit_code), ""};
}

Outcome<std::vector<StudyValue>> CommandQuestion::ask(std::span<const double> parameters, std::optional<double> limit) {
  const auto document = answer(parameters, limit);
  if (!document) return document.failure();
  std::vector<StudyValue> values;
  for (const StudyColumn& column : study_.collect) values.push_back(collect_value(*document, column.path));
  return values;
}

std::set<long> list_probes(const Study& study) {
  const long points = count_points(study);
  return {0, points - 1, points / 2, points / 3};
}

bool check_question(const Study& study, const ModelSource& source, std::optional<double> limit, Diagnostics& diagnostics) {
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

  // Names and units of what is set in the model, all at once.
  ReadOptions read;
  const std::vector<double> first = parameters_of(study, 0);
  for (size_t i = 0; i < study.over.size(); ++i) {
    const StudyAxis& axis = study.over[i];
    if (!is_in_options(study, axis)) read.overrides.push_back({axis.name, quantity_text(first[i], axis.unit)});
  }
  Diagnostics of_model(diagnostics.file());
  const auto model = source.build(of_model, read);
  for (const Diagnostic& diagnostic : of_model.list()) {
    // A value that the model refuses is a point that fails; a name that it has not is a wrong study.
    if (diagnostic.severity == Severity::error && diagnostic.element.starts_with("--set "))
      diagnostics.error(diagnostic.code, diagnostic.place, "over " + diagnostic.element.substr(6), diagnostic.message,
                        diagnostic.hint);
  }
  if (diagnostics.has_errors()) return false;

  CommandQuestion question(study, source);
  std::vector<size_t> open;
  for (size_t i = 0; i < study.collect.size(); ++i) open.push_back(i);
  std::vector<std::optional<LostPath>> lost(study.collect.size());
  for (const long point : list_probes(study)) {
    const auto document = question.answer(parameters_of(study, point), limit);
    if (!document) {
      const bool is_usage = document.failure().kind() == FailureKind::usage;
      if (is_usage) diagnostics.error(document.failure().code, {}, "", document.failure().message, document.failure().hint);
      if (is_usage || is_interrupted()) return false;
      continue;
    }
    std::erase_if(open, [&](size_t i) {
      lost[i] = check_path(*document, study.collect[i].path);
      return !lost[i] || (model && can_come_later(study, *model, study.collect[i].path));
    });
    if (open.empty()) return true;
  }
  for (const size_t i : open) {
    if (!lost[i]) continue;
    const LostPath& reason = *lost[i];
    constexpr size_t kMost = 12;
    std::vector<std::string> known(reason.known.begin(), reason.known.begin() + std::min(kMost, reason.known.size()));
    diagnostics.error("VN-STUDY-012", {}, fmt::format("collect '{}'", study.collect[i].name), reason.reason,
                      !reason.nearest.empty() ? fmt::format("did you mean '{}'?", reason.nearest)
                      : known.empty()
                          ? "see `--json` of the command"
                          : fmt::format("there are {}{}", fmt::join(known, ", "), reason.known.size() > kMost ? ", .." : ""));
  }
  return !diagnostics.has_errors();
}

}  // namespace vinculum::app
