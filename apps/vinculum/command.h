// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "interrupts.h"
#include "option_rules.h"
#include "vinculum/constraints/assembly.h"
#include "vinculum/files/json_text.h"
#include "vinculum/files/varied_model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum::app {

// Exit codes (contract, section 3).
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kInvalidModel = 3;
int exit_code_of(FailureKind kind);

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

// The answer of one command: text for people, or exactly one JSON document on standard output; diagnostics on standard error.
class Reply {
 public:
  explicit Reply(bool as_json) : as_json_(as_json) { answer_interrupts_as(as_json); }

  // An answer for another part of the program: the document is the same to the last digit, and nothing is printed.
  struct Silent {};
  explicit Reply(Silent) : as_json_(true), is_silent_(true) {}

  bool as_json() const { return as_json_; }
  bool is_silent() const { return is_silent_; }
  Json& json() { return json_; }
  const std::vector<Diagnostic>& told() const { return told_; }

  // Text for people, printed at the end; dropped with --json.
  void say(const std::string& text);

  void tell(const Diagnostics& diagnostics);
  int fail(const Failure& failure);  // reported; the exit code of its kind
  int refuse_usage(const std::string& message, const std::string& hint = {});
  int refuse_usage(const Failure& failure);  // exit code 2, whatever its kind
  // Prints the answer, text or document: if all its numbers are numbers. Else it is refused as a whole, and the first quantity
  // that is none is named.
  int finish(int exit_code);

 private:
  bool as_json_, is_silent_ = false;
  std::string text_;
  Json json_ = Json::object();
  std::vector<Diagnostic> told_;
};

// What a command does with the start of a model, `initial` and the values that --set gives it.
enum class UseOfStart { all, positions, none };

// What all commands with a model take.
struct ModelOptions {
  std::string model;
  std::vector<std::string> sets;
  std::string state;
  bool json = false;
  // The model of a study, which is read once and changes its numbers.
  VariedModel* varied = nullptr;
  std::vector<Written> written{};  // beside the outputs of the model
  // --set of a start value that the command does not use is refused, with this reason.
  UseOfStart start = UseOfStart::all;
  const char* why_unused = "";
};
void add_model_options(CLI::App& command, ModelOptions& options, bool with_state = true);

// Reads the model; none after telling what is wrong, with the exit code set.
std::shared_ptr<const Model> load_model(const ModelOptions& options, Reply& reply, int& exit_code);

// --set NAME=VALUE, taken apart; told if it is not that.
std::optional<std::vector<Override>> read_sets(const std::vector<std::string>& sets, Reply& reply, int& exit_code);

// The start values that --set gives, over those of a state file: what the command line says comes last.
void set_start_values(const Model& model, const std::vector<std::string>& sets, State& state, Diagnostics& diagnostics);

// A start value that is set, and that the file of a motion gives.
std::optional<Failure> refuse_sets_of_motion(const Model& model, const std::vector<std::string>& sets,
                                             const std::vector<std::string>& given);

// The state of --state, or the model's start.
std::optional<State> load_state(const ModelOptions& options, const Model& model, Reply& reply, int& exit_code,
                                std::vector<double>* accelerations = nullptr);

// Moving a state onto the constraints: --project, and what --hold keeps.
struct ProjectOptions {
  bool project = false;
  std::vector<std::string> hold;
};
void add_project_options(CLI::App& command, ProjectOptions& options, const char* flag = "--project",
                         const char* text = "first move the state onto the constraints, and show the change");

// What --hold names; none after telling which name is wrong.
std::optional<Held> load_held(const ProjectOptions& options, const Model& model, Reply& reply, int& exit_code);

// Moves a state onto the constraints and tells the change; none after telling why not.
std::optional<State> project_start(const ConstraintSet& set, const State& state, const ProjectOptions& options, Reply& reply,
                                   int& exit_code);

// Tells which coordinates and velocities differ, as a table and, with those that were held, under `key`.
void tell_change(const Model& model, const State& from, const State& to, const std::vector<std::string>& held, const char* key,
                 Reply& reply);

// Verdicts as lines, in their order.
void say_verdicts(const std::vector<Verdict>& verdicts, Reply& reply);
// Those at a state, as lines and under `verdicts`.
void tell_verdicts(const std::vector<Verdict>& verdicts, Reply& reply);

// The text of a file; `-` is standard input, which is read once.
std::optional<std::string> read_text(const std::string& path);

// Warns of meshes that the model names and that are not there.
void tell_missing_meshes(const Model& model, const std::string& model_file, Reply& reply);

// Writes a file that the user named. False, told and with the exit code set, if it exists and may not be replaced, or cannot be
// written.
bool write_text(const std::string& path, const std::string& text, bool replace, Reply& reply, int& exit_code);

// A command with its options, called but not answered yet: a study asks it again and again, each time about another model.
struct Asked {
  std::shared_ptr<ModelOptions> options;
  std::function<int(Reply&)> answer;
};

// When the command is called: answers at once, or leaves the question to whoever asks.
template <class Options, class Answer>
void on_call(CLI::App& command, std::shared_ptr<Options> options, Answer answer, int& exit_code, Asked* asked) {
  command.callback([=, &exit_code] {
    if (asked != nullptr) {
      *asked = {options, [=](Reply& reply) { return answer(*options, reply); }};
      return;
    }
    Reply reply(options->json);
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
