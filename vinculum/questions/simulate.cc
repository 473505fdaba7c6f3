// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/simulate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/core.h>

#include "vinculum/files/fingerprint.h"
#include "vinculum/files/read_input_table.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/model/units.h"
#include "vinculum/page/run_report.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/questions/question_words.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

// The verdicts that make the exit code 1; none after telling which word is no verdict.
std::optional<std::vector<Holds>> find_fail_on(const std::vector<std::string>& words, Reply& reply, int& ending) {
  std::vector<Holds> verdicts;
  for (const std::string& word : words) {
    const auto verdict = find_verdict_word(word);
    if (verdict) {
      verdicts.push_back(*verdict);
      continue;
    }
    std::vector<std::string> known;
    for (const Holds each : verdicts_by_gravity()) known.emplace_back(to_text(each));
    for (std::string& name : known) std::ranges::replace(name, ' ', '-');
    const std::string nearest = nearest_name(word, known);
    ending = reply.refuse_usage(Failure{"VN-USAGE-010", fmt::format("--fail-on {}: there is no such verdict", word),
                                        nearest.empty() ? "violated, not-unique, impossible or not-checked, by commas"
                                                        : fmt::format("did you mean '{}'?", nearest)});
    return std::nullopt;
  }
  return verdicts;
}

// Hands samples to the folder and to the page, if there are such, shows progress, and stops at Ctrl-C.
class Watcher : public RunListener {
 public:
  Watcher(ResultsFolder* folder, Recorder* page, double start, double end, Reply& reply)
      : folder_(folder), page_(page), start_(start), end_(end), reply_(reply) {}
  ~Watcher() override { reply_.hide_progress(); }

  void on_sample(const Sample& sample) override {
    if (folder_ != nullptr) folder_->on_sample(sample);
    if (page_ != nullptr) page_->add(sample);
  }
  bool wants_changes() override { return folder_ != nullptr; }
  void on_change(const Sample& sample) override { on_sample(sample); }
  void on_step(double t) override { reply_.show_progress(start_, end_, t); }
  void on_advice(const std::string& better) override {
    Diagnostics diagnostics;
    diagnostics.warning("VN-RUN-114", {}, "", better, "stop the run and take --integrator cvode");
    reply_.tell(diagnostics);
  }
  // Rows that cannot be written (a full disk) are no reason to go on computing.
  bool wants_to_stop() override { return reply_.wants_to_stop() || (folder_ != nullptr && !folder_->is_good()); }
  // At Ctrl-C as well, so that the run can go on from where it stopped.
  bool wants_checkpoint() override { return folder_ != nullptr && (reply_.wants_to_stop() || folder_->wants_checkpoint()); }
  void on_checkpoint(const Checkpoint& checkpoint) override { folder_->on_checkpoint(checkpoint); }
  void on_restart(const Checkpoint& checkpoint) override {
    if (folder_ != nullptr) folder_->on_restart(checkpoint);
  }

 private:
  ResultsFolder* folder_;
  Recorder* page_;
  double start_, end_;
  Reply& reply_;
};

// ", impulse 2250 N*s (cable), 3.1e+03 J lost": of an event that is one of an impact.
std::string describe_impulse(const Model& model, const Occurrence& event) {
  constexpr size_t kMostRows = 3;
  std::string text;
  std::vector<Occurrence::Impulse> largest = event.impulses;
  std::ranges::stable_sort(largest, std::greater<>(), [](const Occurrence::Impulse& of) { return std::abs(of.impulse); });
  for (size_t i = 0; i < std::min(kMostRows, largest.size()); ++i) {
    const Occurrence::Impulse& own = largest[i];
    const auto row = std::ranges::find(model.rows(), own.row, &Row::name);
    text += fmt::format(", impulse {:.4g} {}*s ({})", own.impulse, row == model.rows().end() ? "N" : row->unit, own.row);
  }
  if (event.energy_lost) text += fmt::format(", {:.4g} J lost", *event.energy_lost);
  return text;
}

std::string describe(const OutputNumbers& output) {
  return fmt::format("  {:<14} {:.9g}{}, min {:.6g} at t = {:.6g} s, max {:.6g} at t = {:.6g} s{}", output.name, output.final,
                     behind_number(output.unit), output.min, output.t_min, output.max, output.t_max,
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
    reply.say(fmt::format("drift of {}: {:.2g} {} (initially {:.6g} {})", integral.name, integral.drift, integral.unit,
                          integral.start, integral.unit));
  }
  if (result.integrals.size() > kMostIntegrals)
    reply.say(fmt::format("  .. and {} more", result.integrals.size() - kMostIntegrals));
  constexpr size_t kMost = 12;
  if (!result.events.empty()) reply.say("events");
  for (size_t i = 0; i < std::min(kMost, result.events.size()); ++i) {
    const Occurrence& event = result.events[i];
    const std::string what = event.face ? fmt::format("{} to face {}", event.subject, *event.face) : event.name();
    reply.say(fmt::format("  {:<14} t = {:.9g} s{}{}", what, event.t, event.direction == 0 ? " (touching)" : "",
                          describe_impulse(model, event)));
  }
  if (result.events.size() > kMost) reply.say(fmt::format("  .. and {} more", result.events.size() - kMost));
  if (!result.friction_work.empty()) reply.say("work of friction");
  for (const ElementWork& entry : result.friction_work) reply.say(fmt::format("  {:<14} {:.9g} J", entry.subject, entry.work));
  reply.say("final state");
  const std::vector<std::string> units = state_units(model).coordinates;
  for (size_t i = 0; i < std::min(kMost, result.final.q.size()); ++i)
    reply.say(fmt::format("  {:<14} {:.12g}{}", model.coordinate_names()[i], result.final.q[i], behind_number(units[i])));
  if (result.final.q.size() > kMost) reply.say("  ..");
  if (!result.outputs.empty()) reply.say("outputs at the end");
  for (size_t i = 0; i < std::min(kMost, result.outputs.size()); ++i) reply.say(describe(result.outputs[i]));
  if (result.outputs.size() > kMost) reply.say("  ..");
  say_verdicts(result.verdicts, reply);
}

// The page is an extra: a run is good without it, but its absence is said.
void write_page(const std::string& folder, Recorder rows, const RunRequest& request, const RunResult& result, Reply& reply) {
  tell_missing_meshes(rows.model(), request.model_file, reply);
  const auto written =
      write_run_report((std::filesystem::path(folder) / "report.html").string(), std::move(rows), request, result);
  if (written) return;
  Diagnostics diagnostics;
  diagnostics.warning(written.failure().code, {}, "", written.failure().message, written.failure().hint);
  reply.tell(diagnostics);
}

// What a run will leave: so many rows of the two tables, a number of about 20 characters each.
struct TableSize {
  double samples = 0, bytes = 0;
};

TableSize predict_tables(const Model& model, const State& start, const RunOptions& run) {
  constexpr double kBytesOfNumber = 20;
  TableSize size;
  const double span = std::abs(run.until - start.t);
  size.samples = 1 + (run.every > 0 ? std::ceil(span / run.every) : 1000);
  const size_t times = model.outputs().columns.empty() ? 2 : 3;  // each table has a column of them
  size.bytes = size.samples * kBytesOfNumber * static_cast<double>(times + list_table_quantities(model).size());
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
    if (!options.output.empty() && size.bytes > kWorthTelling) reply.say("expected output: " + expected);
    return std::nullopt;
  }
  return Failure{"VN-RUN-141",
                 fmt::format("{} would come; at most {:.0f} samples and {:.0f} MB are taken", expected, kMostSamples, room / 1e6),
                 "a larger --every takes fewer samples; --allow-large takes them all"};
}

// Somebody who only wants to leave at Ctrl-C.
class Interruptible : public RunListener {
 public:
  explicit Interruptible(const Reply& reply) : reply_(reply) {}
  bool wants_to_stop() override { return reply_.wants_to_stop(); }

 private:
  const Reply& reply_;
};

// When the guides bring everything to rest: found by runs that are not told of, ever longer.
Outcome<double> find_time_of_rest(const Model& model, const State& start, RunOptions options, const Reply& reply) {
  constexpr double kShortest = 1, kLongest = 1e4, kLonger = 10;
  if (!std::ranges::any_of(model.face_pairs(), [](const FacePair& pair) { return pair.rubs(); }))
    return Failure{"VN-GUIDE-011", "--until rest: there are no guides with friction that could bring the model to rest",
                   "give the end as a time in seconds"};
  options.stop_at = "rest";
  options.watch_integrals = options.watch_accuracy = false;
  for (double span = kShortest; span <= kLongest; span *= kLonger) {
    options.until = start.t + span;
    options.every = span;
    Interruptible listener(reply);
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

void warn_of_choices(const RunOptions& options, const RunResult& result, Reply& reply) {
  Diagnostics warnings;
  if (result.instead)
    warnings.warning(result.instead->code, {}, "", fmt::format("{}; computed by {}", result.instead->message, result.integrator),
                     result.instead->hint);
  if (result.not_watched && options.watch_integrals)
    warnings.warning(result.not_watched->code, {}, "",
                     fmt::format("first integrals are not watched: {}", result.not_watched->message), result.not_watched->hint);
  reply.tell(warnings);
}

}  // namespace

std::optional<Simulation> prepare_simulation(const SimulateOptions& options, Reply& reply, int& ending) {
  const auto refuse = [&](const std::string& message, const std::string& hint = {}) -> std::optional<Simulation> {
    ending = reply.refuse_usage(message, hint);
    return std::nullopt;
  };
  if (!options.resume && !options.until && !options.until_rest)
    return refuse("--until T is missing", "how long to simulate, in seconds");
  RunOptions run = options.run;
  if (options.until) run.until = *options.until;
  if (!std::isfinite(run.until)) return refuse("--until must be finite");
  if (!(run.tolerance > 0 && run.tolerance < 1)) return refuse("--tolerance must lie between 0 and 1", "for example 1e-10");
  if (!(run.baumgarte >= 0 && std::isfinite(run.baumgarte)))
    return refuse("--baumgarte must not be negative", "a rate in 1/s, for example 10");
  if (run.order != 0 && (run.order < 4 || run.order > 60))
    return refuse("--order must lie between 4 and 60", "0 chooses it by the tolerance");
  if (options.largest_step) run.largest_step = *options.largest_step;
  if (options.largest_step && !(run.largest_step > 0 && std::isfinite(run.largest_step)))
    return refuse("--max-step must be positive", "a time in s, for example 0.01");
  if (options.step) run.step = *options.step;
  if (options.step && !(run.step > 0 && std::isfinite(run.step)))
    return refuse("--step must be positive", "a time in s, for example 0.001");
  if (!(run.every >= 0)) return refuse("--every must be positive");
  if (!find_fail_on(options.fail_on, reply, ending)) return std::nullopt;
  auto model = load_model(options, reply, ending);
  if (!model) return std::nullopt;
  auto state = load_state(options, *model, reply, ending);
  if (!state) return std::nullopt;
  if (!options.inputs.empty()) {
    Diagnostics diagnostics(options.inputs);
    run.inputs = read_input_table(options.inputs, *model, diagnostics);
    reply.tell(diagnostics);
    if (!run.inputs) ending = reply.finish(kWrongUsage);
    if (!run.inputs) return std::nullopt;
  }
  if (options.project && !(state = project_start(ConstraintSet(*model, *state), *state, options, reply, ending)))
    return std::nullopt;
  if (options.until_rest) {
    const auto rest = find_time_of_rest(*model, *state, run, reply);
    if (!rest) ending = reply.fail(rest.failure());
    if (!rest) return std::nullopt;
    run.until = *rest;
  }
  if (!options.resume) {
    if (const auto refusal = check_table_size(options, predict_tables(*model, *state, run), reply)) {
      ending = reply.refuse_usage(*refusal);
      return std::nullopt;
    }
  }
  return Simulation{std::move(model), std::move(*state), std::move(run)};
}

Outcome<RunResult> compute_run(const Simulation& simulation, Reply& reply) {
  Watcher watcher(nullptr, nullptr, simulation.start.t, simulation.run.until, reply);
  auto result = run_simulation(*simulation.model, simulation.start, simulation.run, watcher);
  if (result) warn_of_choices(simulation.run, *result, reply);
  return result;
}

int answer_simulate(const SimulateOptions& options, Reply& reply) {
  int ending = kDone;
  if (options.resume && options.output.empty())
    return reply.refuse_usage("--resume needs --output DIR", "name the folder of the run to resume");
  const auto simulation = prepare_simulation(options, reply, ending);
  if (!simulation) return ending;
  const Model& model = *simulation->model;
  // A run that writes nothing is not resumed, and needs no fingerprint.
  const bool writes = !options.output.empty();
  RunRequest request{options.model,   writes ? fingerprint(model) : std::string(),
                     simulation->run, simulation->start,
                     options.sets,    words_of(options.written)};
  reply.begin_computing();  // from here on there is something to leave in order
  std::unique_ptr<ResultsFolder> folder;
  std::optional<Checkpoint> checkpoint;
  if (options.resume) {
    auto resumed = ResultsFolder::resume(options.output, model, request.fingerprint, options.checkpoint_seconds);
    if (!resumed) return reply.fail(resumed.failure());
    folder = std::move(resumed->folder);
    request = resumed->request;
    checkpoint = resumed->checkpoint;
  } else if (!options.output.empty()) {
    auto created = ResultsFolder::create(options.output, model, request, options.checkpoint_seconds, options.force);
    if (!created) return reply.fail(created.failure());
    folder = std::move(*created);
  }

  std::optional<Recorder> page;
  if (folder && !options.no_report) page = make_page_recorder(model);
  if (page && checkpoint) {
    const auto unreadable = read_rows(options.output, model, [&](double t, std::span<const double> row) { page->add(t, row); });
    if (unreadable) return reply.fail(*unreadable);
  }
  const auto result = [&] {
    Watcher watcher(folder.get(), page ? &*page : nullptr, request.start.t, request.options.until, reply);
    return run_simulation(model, request.start, request.options, watcher, checkpoint ? &*checkpoint : nullptr);
  }();
  reply.end_computing();
  if (!result) return reply.fail(result.failure());
  if (folder) {
    if (const auto finished = folder->finish(*result); !finished) return reply.fail(finished.failure());
    if (page) write_page(options.output, std::move(*page), request, *result, reply);
  }
  warn_of_choices(request.options, *result, reply);
  add_result(reply.json(), model, *result);
  say_result(model, *result, reply);
  if (folder)
    reply.say(fmt::format("results in {}: states.csv, reactions.csv, {}run.json{}", options.output,
                          model.outputs().columns.empty() ? "" : "outputs.csv, ", options.no_report ? "" : ", report.html"));
  if (result->failure) return reply.fail(*result->failure);
  if (result->end == RunResult::End::interrupted) {
    reply.say(!folder                    ? "interrupted"
              : folder->has_checkpoint() ? fmt::format("interrupted; resume with: vinculum simulate {} --output {} --resume",
                                                       options.model, options.output)
                                         : "interrupted before the first checkpoint: start it again");
    return reply.finish(kFailed);
  }
  const auto fail_on = find_fail_on(options.fail_on, reply, ending);
  for (const Verdict& verdict : result->verdicts) {  // the gravest first
    if (std::find(fail_on->begin(), fail_on->end(), verdict.verdict) == fail_on->end()) continue;
    return reply.fail(
        {"VN-RUN-180", fmt::format("{} is {}, which --fail-on lists", verdict.subject, to_text(verdict.verdict)), verdict.hint});
  }
  return reply.finish(kDone);
}

}  // namespace vinculum
