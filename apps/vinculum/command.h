// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

#include "interrupts.h"
#include "option_rules.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/questions/reply.h"

namespace vinculum::app {

// Standard output and standard error. What cannot be written is told once, at the end: finish_output.
void print(std::string_view text);
void print_error(std::string_view text);

// Exit code 1, and a message on standard error, if standard output did not take all that was printed.
int finish_output(int exit_code);

// The text of a numeric option is one finite number.
const CLI::Validator& finite_number();
// A time as in a model file, `2 min`, `500 ms`, `2*pi s` or a bare number of seconds; becomes that number. Words in `words` pass.
CLI::Validator time_in_seconds(std::vector<std::string> words = {});
// The whole program: its command line, its exit code.
int run_program(int argc, char** argv);

// An answer on standard output: text for people, or exactly one JSON document; diagnostics on standard error.
class PrintedReply : public Reply {
 public:
  explicit PrintedReply(bool as_json) : Reply(as_json) { answer_interrupts_as(as_json); }
  ~PrintedReply() override { hide_progress(); }

  bool wants_to_stop() const override { return is_interrupted(); }
  void begin_computing() override { catch_interrupts(); }
  void end_computing() override { app::end_computing(); }
  // A bar on a terminal, nothing elsewhere.
  void show_progress(double start, double end, double t) override;
  void hide_progress() override;
  std::optional<std::string> read_text(const std::string& path) override;

 protected:
  void hear(const Diagnostic& diagnostic) override;
  void close(const std::string& text) override;

 private:
  std::optional<std::chrono::steady_clock::time_point> begin_, drawn_;
};

// An answer for another part of the program: the document is the same to the last digit, and nothing is printed.
class SilentReply : public Reply {
 public:
  SilentReply() : Reply(true) {}
  bool wants_to_stop() const override { return is_interrupted(); }
  void begin_computing() override { catch_interrupts(); }
};

// What all commands with a model take.
void add_model_options(CLI::App& command, ModelOptions& options, bool with_state = true);

// Moving a state onto the constraints: --project, and what --hold keeps.
void add_project_options(CLI::App& command, ProjectOptions& options, const char* flag = "--project",
                         const char* text = "first move the state onto the constraints, and show the change");

// The text of a file; `-` is standard input, which is read once.
std::optional<std::string> read_text(const std::string& path);

// A command with its options, called but not answered yet: a study asks it again and again, each time about another model.
struct Asked {
  std::function<QuestionOptions()> options;
};

// When the command is called: answers at once, or leaves the question to whoever asks.
template <class Options, class Answer>
void on_call(CLI::App& command, std::shared_ptr<Options> options, Answer answer, int& exit_code, Asked* asked = nullptr) {
  command.callback([=, &exit_code] {
    if constexpr (std::is_constructible_v<QuestionOptions, Options>) {
      if (asked != nullptr) {
        asked->options = [options] { return QuestionOptions(*options); };
        return;
      }
    }
    PrintedReply reply(options->json);
    exit_code = answer(*options, reply);
  });
}

// Each adds itself to the program and sets the exit code when called.
void add_check(CLI::App& app, int& exit_code);
void add_evaluate(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_inverse(CLI::App& app, int& exit_code);
void add_simulate(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_report(CLI::App& app, int& exit_code);
void add_series(CLI::App& app, int& exit_code);
void add_balance(CLI::App& app, int& exit_code);
void add_linearise(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_equilibrium(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_derive(CLI::App& app, int& exit_code);
void add_steady(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_integrals(CLI::App& app, int& exit_code);
void add_variants(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_limit(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_pad(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_studio(CLI::App& app, int& exit_code);
void add_realize(CLI::App& app, int& exit_code, Asked* asked = nullptr);
void add_sweep(CLI::App& app, int& exit_code);

}  // namespace vinculum::app
