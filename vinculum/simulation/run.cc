// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/model/inputs.h"
#include "vinculum/simulation/accuracy.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/simulation/run_engine.h"
#include "vinculum/simulation/run_gate.h"
#include "vinculum/simulation/run_image.h"

namespace vinculum {

namespace {

// A run that has not come to its end was judged as far as it came: nothing of it holds beyond.
void limit_to_part(RunResult& result) {
  if (result.end != RunResult::End::failed && result.end != RunResult::End::interrupted) return;
  for (Verdict& verdict : result.verdicts) {
    if (verdict.verdict != Holds::holds) continue;
    verdict.verdict = Holds::not_checked;
    verdict.why = fmt::format("checked only up to t = {:.6g} s, where the run {}; until then: {}", result.final.t,
                              result.end == RunResult::End::failed ? "failed" : "was interrupted", verdict.why);
  }
}

// One list, whoever shows it.
void finish_verdicts(RunResult& result) {
  pass_gate(result);
  limit_to_part(result);
  sort_by_gravity(result.verdicts);
}

// What acts at instants acts forward in time, and on values it may set.
std::optional<Failure> check_instants(const Model& model, const State& start, const RunOptions& options) {
  if (options.until < start.t && (options.inputs || !model.sampled_laws().empty()))
    return Failure{"VN-RUN-146", "sampled controllers and tables of inputs act forward in time only, and this run goes backwards",
                   "give an end after the start, or leave `samples:` and the table out"};
  for (const Input& input : model.inputs()) {
    if (auto refusal = check_input_value(input, start.q[input.q])) return refusal;
  }
  if (!options.inputs) return std::nullopt;
  const InputTable& table = *options.inputs;
  for (size_t line = 0; line < table.times.size(); ++line) {
    for (size_t i = 0; i < table.inputs.size(); ++i) {
      if (auto refusal = check_input_value(model.inputs()[table.inputs[i]], table.value(line, i)))
        return after_time(*refusal, table.times[line]);
    }
  }
  return std::nullopt;
}

std::optional<Failure> check_present(const Run::Engine& engine, double until, const char* what) {
  const double horizon = engine.options().until, now = engine.now().t, sense = horizon >= engine.start_state().t ? 1 : -1;
  if (std::isfinite(until) && sense * (until - now) >= 0) return std::nullopt;
  return Failure{"VN-RUN-143", fmt::format("{} {:g} s, and the run is at t = {:.10g} s", what, until, now),
                 "a run only goes one way; start another one, or keep an image to return to"};
}

}  // namespace

Run::Run(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

Outcome<Run> Run::start(const Model& model, const State& start, const RunOptions& options, RunListener* listener) {
  if (const auto refusal = check_request(model, options)) return *refusal;
  if (const auto refusal = check_instants(model, start, options)) return *refusal;
  auto rescaled = in_own_scales(model, start, options.until);
  if (const auto refusal = check_start(rescaled ? *rescaled : model, start, options)) return *refusal;
  if (options.step > 0) {
    if (auto refusal = check_implicit_steps(model, start, options)) return *refusal;
  }
  auto engine = std::make_unique<Engine>(model, std::move(rescaled), start, options, listener, nullptr);
  if (const auto failure = engine->begin()) return *failure;
  return Run(std::move(engine));
}

Outcome<Run> Run::resume(const Model& model, const State& start, const RunOptions& options, const Checkpoint& from,
                         RunListener* listener) {
  if (const auto refusal = check_request(model, options)) return *refusal;
  auto engine = std::make_unique<Engine>(model, in_own_scales(model, start, options.until), start, options, listener, &from);
  if (const auto misfit = engine->resume(from)) return *misfit;
  return Run(std::move(engine));
}

Outcome<Run> Run::resume(const Model& model, std::span<const std::byte> bytes) {
  const Outcome<RunImage> image = read_image(model, bytes);
  if (!image) return image.failure();
  RunOptions options = image->options;
  options.until = image->first_horizon;
  Outcome<Run> run = resume(model, image->start, options, image->checkpoint);
  if (!run) return run;
  if (image->options.until != options.until) run->engine_->set_horizon(image->options.until);
  // The step within which it was taken is taken once more.
  RunListener nobody;
  const Outcome<Stop> stop = run->advance(image->t, &nobody, Arrive::look);
  if (!stop) return stop.failure();
  if (*stop == Stop::failed) return *run->failure();
  return run;
}

Outcome<Stop> Run::advance(double until, RunListener* listener, std::optional<Arrive> arrive) {
  if (auto refusal = check_present(*engine_, until, "cannot advance to t =")) return *refusal;
  const double horizon = engine_->options().until;
  if (std::abs(until - engine_->start_state().t) > std::abs(horizon - engine_->start_state().t))
    return Failure{"VN-RUN-143", fmt::format("cannot advance to t = {:g} s: the run ends at {:g} s", until, horizon),
                   "start it with a later `until`, or extend it"};
  const bool lands = !engine_->model().inputs().empty() || engine_->has_controllers();
  return engine_->advance(until, listener, arrive.value_or(lands ? Arrive::land : Arrive::look));
}

std::optional<Failure> Run::extend(double until) {
  if (auto refusal = check_present(*engine_, until, "cannot end at t =")) return refusal;
  engine_->set_horizon(until);
  return std::nullopt;
}

double Run::horizon() const { return engine_->options().until; }
const State& Run::state() const { return engine_->now(); }
const std::optional<Failure>& Run::failure() const { return engine_->failure(); }
const std::vector<Occurrence>& Run::events() const { return engine_->events(); }
Outcome<Sample> Run::sample() { return engine_->sample(); }

std::optional<Failure> Run::set_state(const State& state) {
  if (engine_->failure()) return engine_->failure();
  const State& now = engine_->now();
  if (state.t != now.t)
    return Failure{"VN-RUN-143", fmt::format("cannot set a state of t = {:.17g} s: the run is at t = {:.17g} s", state.t, now.t),
                   "set the time of the state to that of the run"};
  if (auto refusal = check_start(engine_->model(), state, engine_->options())) return refusal;
  return engine_->set_state(state);
}

std::vector<double> Run::inputs() const {
  std::vector<double> values;
  for (const Input& input : engine_->model().inputs()) values.push_back(engine_->now().q[input.q]);
  return values;
}

std::optional<Failure> Run::set_input(int input, double value, double slope) {
  const InputValue values[] = {{input, value, slope}};
  return set_inputs(values);
}

std::optional<Failure> Run::set_inputs(std::span<const InputValue> values) {
  if (engine_->failure()) return engine_->failure();
  const int count = static_cast<int>(engine_->model().inputs().size());
  for (const InputValue& value : values) {
    if (value.input < 0 || value.input >= count)
      return Failure{"VN-RUN-145", fmt::format("there is no input {}: the model has {}", value.input, count),
                     "Model::find_input finds them by name"};
  }
  return engine_->set_inputs(values);
}

std::optional<Failure> Run::add_controller(Controller controller) { return engine_->add_controller(std::move(controller)); }

std::vector<Verdict> Run::verdicts() { return result().verdicts; }

RunResult Run::result() {
  RunResult result;
  if (!engine_->is_ahead()) {
    result = engine_->result();
  } else {
    // Of the step that is half consumed only what has happened so far counts: it is taken once more beside this run.
    RunListener nobody;
    Engine twin(engine_->model(), nullptr, engine_->start_state(), engine_->options(), &nobody, &engine_->begin_of_step());
    if (!twin.resume(engine_->begin_of_step())) twin.advance(engine_->now().t, &nobody, Arrive::look);
    twin.close_step();
    result = twin.result();
  }
  finish_verdicts(result);
  return result;
}

Outcome<std::vector<std::byte>> Run::image() {
  if (engine_->failure()) return *engine_->failure();
  auto checkpoint = engine_->checkpoint();
  if (!checkpoint) return checkpoint.failure();
  return write_image(engine_->model(), {engine_->options(), engine_->first_horizon(), engine_->start_state(),
                                        std::move(*checkpoint), engine_->now().t});
}

Outcome<RunResult> run_simulation(const Model& model, const State& start, const RunOptions& options, RunListener& listener,
                                  const Checkpoint* from) {
  Outcome<Run> run =
      from != nullptr ? Run::resume(model, start, options, *from, &listener) : Run::start(model, start, options, &listener);
  if (!run) return run.failure();
  Run::Engine& engine = *run->engine_;
  engine.advance(options.until, &listener, Arrive::look);
  engine.close_step();
  RunResult result = engine.result();
  if (auto verdict = judge_accuracy(engine.model(), start, options, result, listener))
    result.verdicts.push_back(std::move(*verdict));
  finish_verdicts(result);
  return result;
}

}  // namespace vinculum
