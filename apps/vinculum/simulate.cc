// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/files/fingerprint.h"
#include "vinculum/files/read_input_table.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/files/run_report.h"

namespace vinculum::app {

namespace {

struct SimulateOptions : ModelOptions, ProjectOptions {
  RunOptions run;
  std::string until;  // a time, or `rest`
  std::string output;
  std::string inputs;  // a CSV file: values of inputs over time
  bool resume = false;
  bool force = false;        // replace a run that could be resumed
  bool allow_large = false;  // tables of any size
  bool no_report = false;
  std::string contacts = "bilateral";
  std::vector<std::string> write;
  double checkpoint_seconds = 2;
  std::vector<std::string> fail_on;  // words of verdicts
};

// The verdicts that make the exit code 1; none after telling which word is no verdict.
std::optional<std::vector<Holds>> find_fail_on(const std::vector<std::string>& words, Reply& reply, int& exit_code) {
  std::vector<Holds> verdicts;
  for (const std::string& word : words) {
    const auto verdict = find_verdict_word(word);
    if (verdict) {
      verdicts.push_back(*verdict);
      continue;
    }
    const std::vector<std::string> known{"violated", "not-unique", "impossible", "not-checked", "holds"};
    const std::string nearest = nearest_name(word, known);
    exit_code = reply.refuse_usage(Failure{"VN-USAGE-010", fmt::format("--fail-on {}: there is no such verdict", word),
                                           nearest.empty() ? "violated, not-unique, impossible or not-checked, by commas"
                                                           : fmt::format("did you mean '{}'?", nearest)});
    return std::nullopt;
  }
  return verdicts;
}

// A bar on a terminal, nothing elsewhere.
class ProgressBar {
 public:
  ProgressBar(double start, double end, bool shown) : start_(start), end_(end), shown_(shown && isatty(STDERR_FILENO) != 0) {}
  ~ProgressBar() { clear(); }

  void update(double t) {
    if (!shown_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const double done = end_ == start_ ? 1 : (t - start_) / (end_ - start_);
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    constexpr int kWidth = 40;
    const int full = std::clamp(static_cast<int>(done * kWidth), 0, kWidth);
    print_error(fmt::format("\r[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.4g} s  {:.0f} s left ", "", full, "", kWidth - full, 100 * done,
                            t, done > 0 ? seconds * (1 - done) / done : 0));
    std::fflush(stderr);
    drawn_ = true;
  }
  void clear() {
    if (drawn_) print_error(fmt::format("\r{:100}\r", ""));
    drawn_ = false;
  }

 private:
  double start_, end_;
  bool shown_, drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

// Hands samples to the folder, if there is one, shows progress, and stops at Ctrl-C.
class Watcher : public RunListener {
 public:
  Watcher(ResultsFolder* folder, double start, double end, Reply& reply)
      : folder_(folder), bar_(start, end, !reply.is_silent()), reply_(reply) {}

  void on_sample(const Sample& sample) override {
    if (folder_ != nullptr) folder_->on_sample(sample);
  }
  bool wants_changes() override { return folder_ != nullptr; }
  void on_change(const Sample& sample) override { folder_->on_change(sample); }
  void on_step(double t) override { bar_.update(t); }
  void on_advice(const std::string& better) override {
    Diagnostics diagnostics;
    diagnostics.warning("VN-RUN-114", {}, "", better, "stop the run and take --integrator cvode");
    reply_.tell(diagnostics);
  }
  // Rows that cannot be written (a full disk) are no reason to go on computing.
  bool wants_to_stop() override { return is_interrupted() || (folder_ != nullptr && !folder_->is_good()); }
  // At Ctrl-C as well, so that the run can go on from where it stopped.
  bool wants_checkpoint() override { return folder_ != nullptr && (is_interrupted() || folder_->wants_checkpoint()); }
  void on_checkpoint(const Checkpoint& checkpoint) override { folder_->on_checkpoint(checkpoint); }
  void on_restart(const Checkpoint& checkpoint) override {
    if (folder_ != nullptr) folder_->on_restart(checkpoint);
  }

 private:
  ResultsFolder* folder_;
  ProgressBar bar_;
  Reply& reply_;
};

// ", impulse 2250 N*s (cable), 3.1e+03 J lost": of an event that is one of an impact.
std::string describe_impulse(const Model& model, const RunEvent& event) {
  constexpr size_t kMostRows = 3;
  std::string text;
  std::vector<RunEvent::Impulse> largest = event.impulses;
  std::ranges::stable_sort(largest, std::greater<>(), [](const RunEvent::Impulse& of) { return std::abs(of.impulse); });
  for (size_t i = 0; i < std::min(kMostRows, largest.size()); ++i) {
    const RunEvent::Impulse& own = largest[i];
    const auto row = std::ranges::find(model.rows(), own.row, &Row::name);
    text += fmt::format(", impulse {:.4g} {}*s ({})", own.impulse, row == model.rows().end() ? "N" : row->unit, own.row);
  }
  if (event.energy_lost) text += fmt::format(", {:.4g} J lost", *event.energy_lost);
  return text;
}

std::string describe(const OutputNumbers& output) {
  return fmt::format("  {:<14} {:.9g} {}, least {:.6g} at t = {:.6g} s, largest {:.6g} at t = {:.6g} s{}", output.name,
                     output.final, output.unit, output.min, output.t_min, output.max, output.t_max,
                     output.mean ? fmt::format(", mean {:.6g}", *output.mean) : "");
}

void say_result(const Model& model, const RunResult& result, Reply& reply) {
  static constexpr const char* kEnds[] = {"reached", "stopped at an event at", "interrupted at", "failed after"};
  reply.say(fmt::format("{} t = {:.6g} s in {} steps of {} ({} rejected, {} evaluations), {} samples",
                        kEnds[static_cast<int>(result.end)], result.final.t, result.steps, result.integrator, result.rejected,
                        result.evaluations, result.samples));
  if (!result.chosen_because.empty()) reply.say(fmt::format("{} was chosen: {}", result.integrator, result.chosen_because));
  if (!result.better_integrator.empty()) reply.say(result.better_integrator);
  constexpr size_t kMostIntegrals = 100;
  for (size_t i = 0; i < std::min(kMostIntegrals, result.integrals.size()); ++i) {
    const IntegralDrift& integral = result.integrals[i];
    reply.say(fmt::format("drift of {}: {:.2g} {} (from {:.6g} {})", integral.name, integral.drift, integral.unit, integral.start,
                          integral.unit));
  }
  if (result.integrals.size() > kMostIntegrals)
    reply.say(fmt::format("  .. and {} more", result.integrals.size() - kMostIntegrals));
  constexpr size_t kMost = 12;
  if (!result.events.empty()) reply.say("events");
  for (size_t i = 0; i < std::min(kMost, result.events.size()); ++i) {
    const RunEvent& event = result.events[i];
    const std::string what = event.face ? fmt::format("{} to face {}", event.subject, *event.face) : event.name;
    reply.say(fmt::format("  {:<14} t = {:.9g} s{}{}", what, event.t, event.direction == 0 ? " (touching)" : "",
                          describe_impulse(model, event)));
  }
  if (result.events.size() > kMost) reply.say(fmt::format("  .. and {} more", result.events.size() - kMost));
  if (!result.friction_work.empty()) reply.say("work of friction");
  for (const ElementWork& entry : result.friction_work) reply.say(fmt::format("  {:<14} {:.9g} J", entry.subject, entry.work));
  reply.say("final state");
  for (size_t i = 0; i < std::min(kMost, result.final.q.size()); ++i)
    reply.say(fmt::format("  {:<14} {:.12g}", model.coordinate_names()[i], result.final.q[i]));
  if (result.final.q.size() > kMost) reply.say("  ..");
  if (!result.outputs.empty()) reply.say("outputs at the end");
  for (size_t i = 0; i < std::min(kMost, result.outputs.size()); ++i) reply.say(describe(result.outputs[i]));
  if (result.outputs.size() > kMost) reply.say("  ..");
  say_verdicts(result.verdicts, reply);
}

// The page is an extra: a run is good without it, but its absence is said.
void write_page(const SimulateOptions& options, const Model& model, const RunRequest& request, const RunResult& result,
                Reply& reply) {
  if (options.no_report) return;
  tell_missing_meshes(model, request.model_file, reply);
  const auto written = write_run_report(options.output, model, request, result);
  if (written) return;
  Diagnostics diagnostics;
  diagnostics.warning(written.failure().code, {}, "", written.failure().message, written.failure().hint);
  reply.tell(diagnostics);
}

// What a run will leave: so many rows of the two tables, a number of about 20 characters each.
struct TableSize {
  double samples = 0, bytes = 0;
};

TableSize predict_tables(const Model& model, const RunRequest& request) {
  constexpr double kBytesOfNumber = 20;
  TableSize size;
  const double span = std::abs(request.options.until - request.start.t);
  size.samples = 1 + (request.options.every > 0 ? std::ceil(span / request.options.every) : 1000);
  size.bytes = size.samples * kBytesOfNumber * static_cast<double>(count_columns(model));
  return size;
}

// Tables beyond this, or beyond what the disk has left, are not begun without --allow-large.
std::optional<Failure> check_table_size(const SimulateOptions& options, const TableSize& size, Reply& reply) {
  constexpr double kMostSamples = 1e8, kMostBytes = 1e10, kWorthTelling = 1e8;
  const auto count = [](double x) {
    return x < 1e15 ? fmt::format("{:.0f}", x) : fmt::format("{:.1e}", std::min(x, std::numeric_limits<double>::max()));
  };
  const std::string expected = fmt::format("{} samples, tables of about {} MB", count(size.samples), count(size.bytes / 1e6));
  double room = kMostBytes;
  if (!options.output.empty()) {
    std::error_code error;
    std::filesystem::path existing = std::filesystem::absolute(options.output, error);
    while (!std::filesystem::exists(existing, error) && existing.has_relative_path()) existing = existing.parent_path();
    const auto space = std::filesystem::space(existing, error);
    if (!error) room = std::min(room, static_cast<double>(space.available));
  }
  if (options.allow_large || (size.samples <= kMostSamples && (options.output.empty() || size.bytes <= room))) {
    if (!options.output.empty() && size.bytes > kWorthTelling) reply.say("will come: " + expected);
    return std::nullopt;
  }
  return Failure{"VN-RUN-141",
                 fmt::format("{} would come; at most {:.0f} samples and {:.0f} MB are taken", expected, kMostSamples, room / 1e6),
                 "a larger --every takes fewer samples; --allow-large takes them all"};
}

// Somebody who only wants to leave at Ctrl-C.
class Interruptible : public RunListener {
 public:
  bool wants_to_stop() override { return is_interrupted(); }
};

// When the guides bring everything to rest: found by runs that are not told of, ever longer.
Outcome<double> find_time_of_rest(const Model& model, const State& start, RunOptions options) {
  constexpr double kShortest = 1, kLongest = 1e4, kLonger = 10;
  if (!std::ranges::any_of(model.face_pairs(), [](const FacePair& pair) { return pair.rubs(); }))
    return Failure{"VN-GUIDE-011", "--until rest: there are no guides with friction that could bring the model to rest",
                   "give the end as a time in seconds"};
  options.stop_at = "rest";
  options.watch_integrals = options.watch_accuracy = false;
  for (double span = kShortest; span <= kLongest; span *= kLonger) {
    options.until = start.t + span;
    options.every = span;
    Interruptible listener;
    const auto result = run_simulation(model, start, options, listener);
    if (!result) return result.failure();
    if (result->end == RunResult::End::interrupted) return stopped_failure();
    if (result->failure || result->end == RunResult::End::stopped_at_event) return result->final.t;
    const bool rests = std::ranges::any_of(
        model.face_pairs(), [&](const FacePair& pair) { return pair.rubs() && result->final.modes[pair.slide_mode] == kRests; });
    if (rests) return start.t;
  }
  return Failure{"VN-GUIDE-012", fmt::format("--until rest: the model does not come to rest within {:g} s", kLongest),
                 "give the end as a time in seconds"};
}

int run_simulate(SimulateOptions options, const CLI::App& command, Reply& reply) {
  int exit_code = kDone;
  if (options.resume && options.output.empty())
    return reply.refuse_usage("--resume needs --output DIR", "name the folder of the run to resume");
  if (!options.resume && command.count("--until") == 0)
    return reply.refuse_usage("--until T is missing", "how long to simulate, in seconds");
  const bool until_rest = options.until == "rest";
  if (!options.until.empty() && !until_rest) {
    options.run.until = std::strtod(options.until.c_str(), nullptr);
    if (!std::isfinite(options.run.until)) return reply.refuse_usage("--until must be finite");
  }
  if (!(options.run.tolerance > 0 && options.run.tolerance < 1))
    return reply.refuse_usage("--tolerance must lie between 0 and 1", "for example 1e-10");
  if (!(options.run.baumgarte >= 0 && std::isfinite(options.run.baumgarte)))
    return reply.refuse_usage("--baumgarte must not be negative", "a rate in 1/s, for example 10");
  if (options.run.order != 0 && (options.run.order < 4 || options.run.order > 60))
    return reply.refuse_usage("--order must lie between 4 and 60", "0 chooses it by the tolerance");
  if (command.count("--max-step") > 0 && !(options.run.largest_step > 0 && std::isfinite(options.run.largest_step)))
    return reply.refuse_usage("--max-step must be positive", "a time in s, for example 0.01");
  if (command.count("--step") > 0 && !(options.run.step > 0 && std::isfinite(options.run.step)))
    return reply.refuse_usage("--step must be positive", "a time in s, for example 0.001");
  if (!(options.run.every >= 0)) return reply.refuse_usage("--every must be positive");
  for (const char* name :
       {"--until", "--integrator", "--tolerance", "--order", "--max-step", "--step", "--every", "--stop-at", "--state",
        "--project", "--hold", "--baumgarte", "--contacts", "--inputs", "--no-integrals", "--force", "--allow-large"}) {
    if (options.resume && command.count(name) > 0) {
      return reply.refuse_usage(fmt::format("{} cannot be given with --resume", name),
                                "a resumed run keeps the options it was started with");
    }
  }
  const auto fail_on = find_fail_on(options.fail_on, reply, exit_code);
  if (!fail_on) return exit_code;
  options.run.follow = *find_follow(options.contacts);
  for (const std::string& word : options.write)
    options.written.push_back(word == "accelerations" ? Written::accelerations : Written::forces);
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (!options.inputs.empty()) {
    Diagnostics diagnostics(options.inputs);
    options.run.inputs = read_input_table(options.inputs, *model, diagnostics);
    reply.tell(diagnostics);
    if (!options.run.inputs) return reply.finish(kWrongUsage);
  }
  if (options.project && !(state = project_start(ConstraintSet(*model, *state), *state, options, reply, exit_code)))
    return exit_code;

  if (until_rest) {
    const auto rest = find_time_of_rest(*model, *state, options.run);
    if (!rest) return reply.fail(rest.failure());
    options.run.until = *rest;
  }
  // A run that writes nothing is not resumed, and needs no fingerprint.
  const bool writes = !options.output.empty();
  RunRequest request{options.model, writes ? fingerprint(*model) : std::string(), options.run, *state, options.sets};
  if (!options.resume) {
    if (const auto refusal = check_table_size(options, predict_tables(*model, request), reply))
      return reply.refuse_usage(*refusal);
  }
  catch_interrupts();  // from here on there is something to leave in order
  std::unique_ptr<ResultsFolder> folder;
  std::optional<Checkpoint> checkpoint;
  if (options.resume) {
    auto resumed = ResultsFolder::resume(options.output, *model, request.fingerprint, options.checkpoint_seconds);
    if (!resumed) return reply.fail(resumed.failure());
    folder = std::move(resumed->folder);
    request = resumed->request;
    checkpoint = resumed->checkpoint;
  } else if (!options.output.empty()) {
    auto created = ResultsFolder::create(options.output, *model, request, options.checkpoint_seconds, options.force);
    if (!created) return reply.fail(created.failure());
    folder = std::move(*created);
  }

  const auto result = [&] {
    Watcher watcher(folder.get(), request.start.t, request.options.until, reply);
    return run_simulation(*model, request.start, request.options, watcher, checkpoint ? &*checkpoint : nullptr);
  }();
  if (!reply.is_silent()) end_computing();
  if (!result) return reply.fail(result.failure());
  if (folder) {
    if (const auto finished = folder->finish(*result); !finished) return reply.fail(finished.failure());
    write_page(options, *model, request, *result, reply);
  }
  Diagnostics warnings;
  if (result->instead)
    warnings.warning(result->instead->code, {}, "",
                     fmt::format("{}; computed by {}", result->instead->message, result->integrator), result->instead->hint);
  if (result->not_watched && request.options.watch_integrals)
    warnings.warning(result->not_watched->code, {}, "",
                     fmt::format("first integrals are not watched: {}", result->not_watched->message), result->not_watched->hint);
  reply.tell(warnings);
  add_result(reply.json(), *model, *result);
  say_result(*model, *result, reply);
  if (folder)
    reply.say(fmt::format("results in {}: states.csv, reactions.csv, {}run.json{}", options.output,
                          model->outputs().columns.empty() ? "" : "outputs.csv, ", options.no_report ? "" : ", report.html"));
  if (result->failure) return reply.fail(*result->failure);
  if (result->end == RunResult::End::interrupted) {
    reply.say(!folder                    ? "interrupted"
              : folder->has_checkpoint() ? fmt::format("interrupted; resume with: vinculum simulate {} --output {} --resume",
                                                       options.model, options.output)
                                         : "interrupted before the first checkpoint: start it again");
    return reply.finish(kFailed);
  }
  for (const Verdict& verdict : result->verdicts) {  // the gravest first
    if (std::find(fail_on->begin(), fail_on->end(), verdict.verdict) == fail_on->end()) continue;
    return reply.fail(
        {"VN-RUN-180", fmt::format("{} is {}, which --fail-on lists", verdict.subject, to_text(verdict.verdict)), verdict.hint});
  }
  return reply.finish(kDone);
}

}  // namespace

void add_simulate(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "compute a motion with energy, reactions, events and verdicts");
  command->footer(
      "example:\n"
      "  vinculum simulate crane.yaml --until 10 --output out      then open out/report.html\n"
      "  vinculum simulate crane.yaml --until 10 --stop-at bottom --json\n"
      "  vinculum simulate crane.yaml --until \"2 min\" --every \"20 ms\" --fail-on violated,impossible    in a script\n"
      "  vinculum simulate crane.yaml --output out --resume        after Ctrl-C or a power cut");
  add_model_options(*command, *options);
  command
      ->add_option("--until", options->until,
                   "end time [s], or with a unit (`2 min`); earlier than the start: backwards; with guides also: rest")
      ->type_name("TIME")
      ->transform(time_in_seconds({"rest"}));
  command
      ->add_option("--integrator", options->run.integrator,
                   "auto (taylor, or dop853 if a law has no power series, or cvode if the model is stiff), taylor, dop853, "
                   "cvode or arkode (stiff)")
      ->capture_default_str();
  command->add_option("--tolerance", options->run.tolerance, "relative error allowed in a step")->capture_default_str();
  command->add_option("--inputs", options->inputs, "CSV file with values of the inputs over time: t [s],torque [N*m]")
      ->type_name("FILE");
  command->add_option("--order", options->run.order, "order of the power series; 0: chosen by the tolerance")
      ->capture_default_str();
  command
      ->add_option("--max-step", options->run.largest_step,
                   "longest step of the integrator [s] (default: limited by the tolerance only)")
      ->type_name("TIME")
      ->transform(time_in_seconds());
  command
      ->add_option("--step", options->run.step,
                   "use implicit steps of this length [s] instead of an integrator: first order, no chatter, for real time")
      ->type_name("TIME")
      ->transform(time_in_seconds());
  command->add_option("--every", options->run.every, "time between samples [s]; 0: a thousandth of the run")
      ->type_name("TIME")
      ->transform(time_in_seconds())
      ->capture_default_str();
  command->add_option("--write", options->write, "add columns to outputs.csv: accelerations, forces (of laws and springs)")
      ->type_name("WHAT,..")
      ->delimiter(',')
      ->check(CLI::IsMember({"accelerations", "forces"}));
  command->add_option("--stop-at", options->run.stop_at, "end at the first event with this name")->type_name("EVENT");
  command->add_option("-o,--output", options->output, "folder for states.csv, reactions.csv, run.json, report.html")
      ->type_name("DIR");
  command
      ->add_option("--contacts", options->contacts,
                   "bilateral: contacts always hold; unilateral: they separate instead of pulling, and touch down again; "
                   "frictional: they also stick or slip under `friction`, `bound` and `law`")
      ->check(CLI::IsMember({"bilateral", "unilateral", "frictional"}))
      ->capture_default_str();
  command
      ->add_option("--fail-on", options->fail_on,
                   "VERDICT,..: exit code 1 if a verdict is one of these: violated, not-unique, impossible, not-checked")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("VERDICTS");
  add_project_options(*command, *options);
  command
      ->add_option("--baumgarte", options->run.baumgarte,
                   "use Baumgarte stabilisation with this rate [1/s] instead of projection after each step")
      ->type_name("RATE")
      ->check(finite_number());
  command->add_flag("!--no-integrals", options->run.watch_integrals, "do not search for first integrals to check");
  command->add_flag("--resume", options->resume, "resume the run in --output from its last checkpoint");
  command->add_flag("--force", options->force, "replace an interrupted run in --output");
  command->add_flag("--allow-large", options->allow_large, "allow more than 1e8 samples or 10 GB of tables");
  command->add_flag("--no-report", options->no_report, "do not write report.html");
  command->add_option("--checkpoint", options->checkpoint_seconds, "seconds of computing between checkpoints")
      ->capture_default_str();
  const char* const no_folder = "nothing is written";
  OptionRules()
      .only_with("--force", {"--output"}, no_folder)
      .only_with("--no-report", {"--output"}, no_folder)
      .only_with("--checkpoint", {"--output"}, no_folder)
      .none_with("--step", {"--integrator", "--tolerance", "--order", "--max-step", "--baumgarte", "--no-integrals"},
                 "implicit steps of one length have no error control, and no first integrals are watched")
      .only_if(
          "--order", [options] { return options->run.integrator == "auto" || options->run.integrator == "taylor"; },
          "it is the order of power series, which the integrator taylor has")
      .apply(*command);
  const auto answer = [command](const SimulateOptions& given, Reply& reply) { return run_simulate(given, *command, reply); };
  on_call(*command, options, answer, exit_code, asked);
}

}  // namespace vinculum::app
