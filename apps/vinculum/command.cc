// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>

#include <fmt/core.h>

#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/parse.h"
#include "vinculum/formats/safe_file.h"

namespace vinculum::app {

namespace {

// The program that this thread's command is inside of, if it is.
thread_local InProcess* g_process = nullptr;

}  // namespace

void print(std::string_view text) {
  if (g_process == nullptr) std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_error(std::string_view text) {
  if (g_process == nullptr) std::fwrite(text.data(), 1, text.size(), stderr);
}

int finish_output(int exit_code) {
  std::cout.flush();  // of --help
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return exit_code;
  Diagnostics diagnostics;
  diagnostics.error("VN-FILE-145", {}, "", "standard output could not be written, so the answer is not complete",
                    "is the disk full, or the pipe closed?");
  for (const Diagnostic& diagnostic : diagnostics.list()) print_error(to_text(diagnostic) + "\n");
  return exit_code == kDone ? kFailed : exit_code;
}

const CLI::Validator& finite_number() {
  static const CLI::Validator validator(
      [](std::string& text) -> std::string {
        double value = 0;
        std::string_view digits = text;
        if (digits.starts_with('+')) digits.remove_prefix(1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const bool good = error == std::errc() && end == digits.data() + digits.size() && std::isfinite(value);
        return good ? "" : fmt::format("'{}' is not a finite number", text);
      },
      "");
  return validator;
}

CLI::Validator time_in_seconds(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& text) -> std::string {
        if (text.empty() || std::find(words.begin(), words.end(), text) != words.end()) return "";
        const auto parsed = parse_expression(text, {});
        if (const auto* error = std::get_if<ParseError>(&parsed))
          return fmt::format("'{}' is not a time: {}{}", text, error->message, error->hint.empty() ? "" : "; " + error->hint);
        const auto& [formula, dimension] = std::get<ParsedExpression>(parsed);
        if (dimension && *dimension != kTime) return fmt::format("'{}' is {}, not a time", text, describe(*dimension));
        const double seconds = evaluate(formula, {});
        if (!std::isfinite(seconds)) return fmt::format("'{}' is not a finite number", text);
        text = fmt::format("{}", seconds);
        return "";
      },
      "");
}

void PrintedReply::hear(const Diagnostic& diagnostic) { print_error(to_text(diagnostic) + "\n"); }

void PrintedReply::close(const std::string& text) {
  if (!as_json()) return print(text);
  Json& diagnostics = json()["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : told()) diagnostics.push_back(to_json(diagnostic));
  if (g_process != nullptr) {
    g_process->document = std::move(json());
  } else {
    print(json().dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  }
}

void PrintedReply::show_progress(double start, double end, double t) {
  if (g_process != nullptr || isatty(STDERR_FILENO) == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (!begin_) begin_ = now;
  if (now - drawn_.value_or(*begin_) < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const double done = end == start ? 1 : (t - start) / (end - start);
  const double seconds = std::chrono::duration<double>(now - *begin_).count();
  constexpr int kWidth = 40;
  const int full = std::clamp(static_cast<int>(done * kWidth), 0, kWidth);
  print_error(fmt::format("\r[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.4g} s  {:.0f} s left ", "", full, "", kWidth - full, 100 * done,
                          t, done > 0 ? seconds * (1 - done) / done : 0));
  std::fflush(stderr);
}

void PrintedReply::hide_progress() {
  if (drawn_) print_error(fmt::format("\r{:100}\r", ""));
  begin_.reset();
  drawn_.reset();
}

std::optional<std::string> PrintedReply::read_text(const std::string& path) { return app::read_text(path); }

void add_model_options(CLI::App& command, ModelOptions& options, bool with_state) {
  if (g_process != nullptr) options.built = g_process->model;
  command.add_option("model", options.model, "model file (YAML); - reads standard input")->required();
  command.add_option("--set", options.sets, "NAME=VALUE: override a parameter or an initial value (repeatable)")
      ->type_name("NAME=VALUE");
  if (with_state)
    command
        .add_option(
            "--state", options.state,
            R"(state file {"t": , "q": {..}, "v": {..}} instead of `initial`, or a run.json (its `final`); - reads standard input)")
        ->type_name("FILE");
  command.add_flag("--json", options.json, "print one JSON document instead of text");
}

void add_project_options(CLI::App& command, ProjectOptions& options, const char* flag, const char* text) {
  CLI::Option* project = command.add_flag(flag, options.project, text);
  command.add_option("--hold", options.hold, "NAME,..: coordinates and velocities that keep their values")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES")
      ->needs(project);
}

std::optional<std::string> read_text(const std::string& path) {
  if (path != "-") return read_whole_file(path);
  if (g_process != nullptr) return g_process->state;
  static const std::string standard_input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  return standard_input;
}

int run_in_process(const std::vector<std::string>& words, InProcess& process) {
  std::vector<std::string> line{"vinculum"};
  line.insert(line.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : line) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const AskedElsewhere elsewhere(process.wants_to_stop ? process.wants_to_stop : [] { return false; });
  g_process = &process;
  const auto leave = [](InProcess**) { g_process = nullptr; };
  const std::unique_ptr<InProcess*, decltype(leave)> left(&g_process, leave);
  return run_command_line(static_cast<int>(line.size()), arguments.data());
}

}  // namespace vinculum::app
