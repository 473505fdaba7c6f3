// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_engine.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/idealisations/contact_end.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/idealisations/impact_watch.h"
#include "vinculum/model/inputs.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/simulation/run_verdicts.h"
#include "vinculum/simulation/watched_integrals.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

// Integrators that cannot be resumed anywhere start anew after so many steps, in every run alike: there a checkpoint is possible.
constexpr long kStepsBetweenRestarts = 500;
constexpr double kNoWork = 1e-13;  // of all energies
constexpr size_t kMostMarks = 128;

// After so many steps, and then ever twice as many, `auto` asks whether another integrator would continue better.
constexpr long kStepsBeforeAdvice = 2000;

RunOptions with_interval(RunOptions options, double start) {
  if (!(options.every > 0)) options.every = std::abs(options.until - start) / 1000;
  if (options.step > 0) options.watch_integrals = options.watch_accuracy = false;  // errors are of first order in the step
  return options;
}

// Steps of fixed length take the place of an integrator's.
IntegratorChoice choose(const Model& model, const State& start, const RunOptions& options, const std::function<bool()>& stop) {
  return options.step > 0 ? IntegratorChoice{"dop853", {}, {}, 0} : choose_integrator(model, start, options, stop);
}

IntegratorOptions with_tolerance(const IntegratorChoice& choice, const RunOptions& options, std::function<bool()> wants_to_stop) {
  IntegratorOptions result = integrator_options(options, std::move(wants_to_stop));
  if (choice.tolerance > 0) result.relative_tolerance = result.absolute_tolerance = choice.tolerance;
  return result;
}

}  // namespace

Run::Engine::Engine(const Model& given, std::unique_ptr<const Model> rescaled, const State& start, const RunOptions& options,
                    RunListener* listener, const Checkpoint* from)
    : listener_(listener != nullptr ? listener : &nobody_),
      rescaled_(std::move(rescaled)),
      model_(rescaled_ ? *rescaled_ : given),
      start_(start),
      options_(with_interval(options, start.t)),
      first_horizon_(options.until),
      choice_(choose(model_, start_, options_, [this] { return listener_->wants_to_stop(); })),
      system_(model_, choose_baumgarte(choice_.name, options_), options_.follow, held_at(choice_.name)),
      workspace_(model_),
      steps_(system_, choice_.name, with_tolerance(choice_, options_, [this] { return listener_->wants_to_stop(); })),
      watched_(find_watched(model_, start_, options_, *listener_, from != nullptr ? &from->integrals : nullptr)),
      monitor_(model_, system_, watched_ ? *watched_ : std::vector<Integral>{}, point_),
      idealisations_(make_idealisations(system_, model_, options_.follow, options_.tolerance)),
      lookout_(model_, system_, steps_, idealisations_, options_.tolerance, [this] { return listener_->wants_to_stop(); }),
      samples_(model_, system_, lookout_),
      instants_(model_, options_.inputs),
      now_(start),
      straight_(model_, options_.tolerance),
      outputs_(model_) {
  system_.expect_run(start_, options_.until, options_.tolerance);
  if (options_.step > 0) implicit_.emplace(model_, options_.follow);
}

std::optional<Failure> Run::Engine::begin() {
  State state = start_;
  if (implicit_) {
    point_.begin_at(state.t);
    if (auto failure = begin_implicit_steps(state)) return failure;
    monitor_.begin(state);
    watch_implicit_step(true);
    instants_.begin(state.t);
    return std::nullopt;
  }
  system_.continue_slips(state);
  if (auto failure = begin_idealisations(state)) return failure;
  point_.begin_at(state.t);
  point_.integrator.t = state.t;
  point_.integrator.y = system_.pack(state, 0);
  monitor_.begin(state);
  point_.modes = system_.constraints().modes;
  steps_.start(point_.integrator);
  lookout_.restart(state.t, point_.integrator.y);
  watch_dynamics(state);
  now_ = steps_.present();
  instants_.begin(now_.t);
  return std::nullopt;
}

std::optional<Failure> Run::Engine::resume(const Checkpoint& from) {
  const RunSizes sizes{static_cast<size_t>(system_.dimension()), lookout_.size(), idealisations_.size(),
                       instants_.memory().size()};
  if (auto misfit = check_fit(from, model_, sizes)) return misfit;
  for (size_t i = 0; i < idealisations_.size(); ++i) {
    if (!idealisations_[i]->restore(from.idealisations[i])) return refuse_checkpoint_values();
  }
  point_ = from;
  monitor_.keep_watched();
  if (point_.integrals.size() != 1 + monitor_.integrals().size())
    return refuse_checkpoint("integrals", point_.integrals.size(), 1 + monitor_.integrals().size());
  system_.set_modes(point_.modes);
  system_.leave_out(point_.left_out);
  instants_.restore(point_.instants);
  if (implicit_) {
    State state = system_.unpack(point_.integrator.t, point_.integrator.y);
    if (!implicit_->resume(state, point_.integrator.memory)) return refuse_checkpoint_values();
    take_front(state);
    if (!model_.outputs().columns.empty()) straight_.go_on(outputs_, lookout_.look_at_present(front_));
    return std::nullopt;
  }
  steps_.start(point_.integrator);
  const size_t memory = steps_.state().memory.size();
  if (memory != from.integrator.memory.size())
    return refuse_checkpoint("values of the step-size control", from.integrator.memory.size(), memory);
  lookout_.restore(point_.integrator.t, point_.integrator.y, point_.event_memory);
  now_ = steps_.present();
  return std::nullopt;
}

// ---- the loop --------------------------------------------------------------------------------------------------------

Stop Run::Engine::advance(double until, RunListener* listener, Arrive arrive) {
  if (failure_) return Stop::failed;
  listener_ = listener != nullptr ? listener : &nobody_;
  if (!has_begun_) {
    has_begun_ = true;
    if (point_.next_sample == 0 && !emit_sample(now_)) return fail({}, now_);
    if (!implicit_ && !steps_.integrator().resumable_anywhere()) listener_->on_restart(here());
    if (stopped_) return ended_ = Stop::event;  // it is so from the start on
  }
  stopped_ = false;
  const double goal = arrive == Arrive::land ? until : options_.until;
  const bool may_look = arrive == Arrive::look && (until != options_.until || !options_.stop_at.empty());
  while (now_.t != until) {
    std::optional<Stop> stop;
    if (implicit_) {
      now_ = front_;
      if (auto failure = act_at_instant()) return fail(after_time(*failure, now_.t), now_);
      stop = take_implicit_step(goal, until);
    } else if (!stretch_.empty()) {
      stop = show_stretch(until);
    } else {
      if (!step_) {
        if (auto failure = act_at_instant()) return fail(after_time(*failure, now_.t), now_);
        limit_ = instants_.end_of_step(goal);
        if (may_look) begin_of_step_ = here();
        stop = take_step();
      }
      if (!stop) stop = consume(until);
    }
    if (stop && *stop != Stop::reached) return ended_ = *stop;
    if (stop) break;
  }
  if (arrive == Arrive::land) {
    if (auto failure = land_here()) return fail(after_time(*failure, now_.t), now_);
  }
  if (until == options_.until && point_.last_sampled_t != now_.t && !emit_sample(now_)) return fail({}, now_);
  return ended_ = Stop::reached;
}

Stop Run::Engine::fail(std::optional<Failure> failure, const State& last_good) {
  if (!failure_) failure_ = std::move(failure);
  step_.reset();
  stretch_.clear();
  now_ = last_good;
  return ended_ = Stop::failed;
}

// A sample within a step has no answer: the run has come as far as the one before, and is judged as far.
Stop Run::Engine::fail_at_sample() {
  const double failed = next_sample_time();
  if (point_.last_sampled_t && is_before(step_->t0, *point_.last_sampled_t)) {
    now_ = steps_.on_rows_at(*point_.last_sampled_t);
    close_step();
  }
  lookout_.lose_values(now_.t, failed);
  return fail({}, now_);
}

std::optional<Stop> Run::Engine::take_step() {
  const Outcome<StepReport> step = steps_.advance(limit_);
  if (!step && step.failure().kind() == FailureKind::interrupted) {
    offer_checkpoint();
    return Stop::asked;
  }
  if (!step) {
    const std::optional<Failure> lost = find_contact_end(system_.constraints(), now_);
    return fail(system_.failure() ? after_time(*system_.failure(), now_.t) : lost.value_or(step.failure()), now_);
  }
  point_.evaluations += step->evaluations;
  if (!locate_step(*step)) {
    steps_.take_back();
    offer_checkpoint();
    return Stop::asked;
  }
  ++point_.steps;
  point_.rejected += step->rejected;
  if (step_->cut.failure) return fail(after_time(*step_->cut.failure, now_.t), now_);
  return std::nullopt;
}

// The events of a step, up to the first where a mode must be decided. What is only watched is searched up to there. False if the
// user asked to stop meanwhile.
bool Run::Engine::locate_step(const StepReport& report) {
  const double t0 = report.t0, t1 = report.t1;
  const auto crossings = lookout_.locate(t0, t1);
  if (!crossings) return false;
  TakenStep& step = step_.emplace(TakenStep{t0, t1, {t1, {}, {}}, {}});
  Cut& cut = step.cut;
  const int falling = runs_forward() ? -1 : 1;
  const auto add = [&](double t, Occurrence event) {
    event.t = t;
    event.direction = falling;
    step.events.push_back(std::move(event));
  };
  for (const EventCrossing& crossing : *crossings) {
    if (const auto guard = lookout_.guard_of(crossing.event)) {
      const bool falls = crossing.direction == falling;
      const Idealisation::Passed passed =
          guard->of->pass(guard->number, t0, crossing.t, falls, [this](double t) { return steps_.on_rows_at(t); });
      double t = passed.decide_at.value_or(crossing.t);
      if (passed.decide_at == crossing.t) t = lookout_.refine(crossing, t0, t1);
      if (passed.event && (!passed.decide_at || ends_run(*passed.event))) add(t, *passed.event);
      if (passed.decide_at) cut = {t, guard, {}};
      if (cut.guard) break;
    } else {
      const ElementId element{ElementKind::event, crossing.event};
      step.events.push_back(
          {EventKind::model_event, element, model_.events()[crossing.event].name, crossing.t, crossing.direction});
    }
  }
  if (!cut.guard) cut.failure = system_.check_left_out(system_.unpack(t1, steps_.end()));
  if (cut.failure) return true;
  for (Occurrence& found : lookout_.watch(t0, cut.t)) add(found.t, std::move(found));
  const std::optional<double> singular = steps_.singular_time();
  if (singular && !is_before(cut.t, *singular)) step.events.push_back({EventKind::singular, {}, "", *singular, 0});
  std::ranges::stable_sort(step.events, [&](const Occurrence& a, const Occurrence& b) { return is_before(a.t, b.t); });
  return true;
}

// The step up to its cut, or to where somebody wants to look.
std::optional<Stop> Run::Engine::consume(double until) {
  TakenStep& step = *step_;
  const bool whole = !is_before(until, step.cut.t);
  const double end = whole ? step.cut.t : until;
  while (step.told < step.events.size() && !is_before(end, step.events[step.told].t)) {
    const Occurrence event = step.events[step.told];
    if (!emit_samples_before(event.t)) return fail_at_sample();
    ++step.told;
    tell(event);
    if (!stopped_) continue;
    if (step.cut.guard && event.t == step.cut.t) announced_ = event;
    const double t = is_before(event.t, step.t0) ? step.t0 : event.t;
    if (!emit_samples_until(t)) return fail_at_sample();
    now_ = steps_.on_rows_at(t);
    monitor_.watch_integrals(now_, steps_.values());
    if (point_.last_sampled_t != t) emit_sample(now_);
    return Stop::event;
  }
  if (!emit_samples_until(end)) return fail_at_sample();
  if (whole) lookout_.count_looks(step.t0, end);
  if (whole) return end_step(until);
  now_ = steps_.on_rows_at(until);
  return Stop::reached;
}

std::optional<Stop> Run::Engine::end_step(double until) {
  const TakenStep step = std::move(*step_);
  step_.reset();
  if (!step.cut.guard) {
    keep_on_rows(step.t1);
  } else if (auto failure = decide(*step.cut.guard, step.cut.t)) {
    return fail(after_time(*failure, step.cut.t), steps_.on_rows_at(step.cut.t));
  }
  announced_.reset();
  if (!stretch_.empty() && is_before(until, steps_.state().t)) return show_stretch(until);
  stretch_.clear();
  now_ = steps_.present();
  return look_after_step();
}

std::optional<Stop> Run::Engine::look_after_step() {
  monitor_.watch_integrals(now_, steps_.state().y);
  monitor_.watch_residuals(lookout_.look_at_present(now_));
  watch_dynamics(now_);
  listener_->on_step(now_.t);
  look_for_better_integrator();
  if (stopped_) {
    if (point_.last_sampled_t != now_.t) emit_sample(now_);
    return Stop::event;
  }
  // Asked before the checkpoint is offered: who wants to stop wants one, and must not change his mind in between.
  const bool stop = listener_->wants_to_stop();
  offer_checkpoint();
  return stop ? std::optional(Stop::asked) : std::nullopt;
}

// Within a stretch of implicit steps: from the end of the last one before `until` by a step of its own, which nothing follows
// from.
std::optional<Stop> Run::Engine::show_stretch(double until) {
  if (!is_before(until, stretch_.back().t)) {
    stretch_.clear();
    now_ = steps_.present();
    return look_after_step();
  }
  const auto after = std::ranges::find_if(stretch_, [&](const State& state) { return is_before(until, state.t); });
  now_ = after == stretch_.begin() ? *after : *std::prev(after);
  if (now_.t == until) return Stop::reached;
  ImplicitSteps steps(model_, options_.follow, false);
  steps.resume(now_);
  if (auto failure = steps.step(now_, until - now_.t, [](const Occurrence&) {})) return fail(after_time(*failure, now_.t), now_);
  now_.t = until;
  return Stop::reached;
}

// A step ends at the present, into which somebody has looked so far. What was computed beyond is forgotten.
std::optional<Failure> Run::Engine::land_here() {
  if (implicit_) {
    take_front(now_);
    return std::nullopt;
  }
  if (!is_ahead()) return std::nullopt;
  State state = now_;
  double work = system_.work(steps_.state().y);
  if (step_) {
    state = steps_.reach(now_.t);
    work = system_.work(steps_.values());
    close_step();
  } else {
    stretch_.clear();
    point_.stretches.back().end = now_.t;
    std::erase_if(point_.events, [&](const Occurrence& event) { return is_before(now_.t, event.t); });
    system_.set_modes(state.modes);
    if (auto failure = system_.choose_rows(state)) return failure;
  }
  continue_from(state, compute_energy(model_, state, workspace_).total(), work, 0);
  now_ = steps_.present();
  return std::nullopt;
}

void Run::Engine::set_horizon(double until) {
  options_.until = until;
  system_.expect_run(start_, until, options_.tolerance);  // of start and end alone: an image that is resumed does the same
}

void Run::Engine::close_step() {
  if (!step_) return;
  lookout_.look_within(now_.t);
  lookout_.count_looks(step_->t0, now_.t);
  step_.reset();
}

bool Run::Engine::ends_run(const Occurrence& event) const { return answers_to(event, options_.stop_at); }

// ---- what happens on the way -----------------------------------------------------------------------------------------

void Run::Engine::tell(const Occurrence& event) {
  const auto is_same = [&](const Occurrence& other) {
    return other.kind == event.kind && other.element == event.element && other.t == event.t;
  };
  if (announced_ && is_same(*announced_)) return announced_.reset();
  point_.events.push_back(event);
  if (event.kind == EventKind::singular) point_.singular_times.push_back(event.t);
  stopped_ = stopped_ || ends_run(event);
  for (const auto& idealisation : idealisations_) idealisation->hear(event);
}

void Run::Engine::tell(double t, Occurrence event, int direction) {
  event.t = t;
  event.direction = direction;
  tell(event);
}

// What was struck at t, by the events from number `first` on.
void Run::Engine::tell_impacts(const std::vector<ImpactReport>& impacts, double t, size_t first) {
  add_impulses(model_, impacts, std::span(point_.events).subspan(first));
  for (const ImpactReport& impact : impacts) {
    for (const auto& idealisation : idealisations_) idealisation->hear_impact(impact, t);
  }
}

// The modes and velocities that follow from a state in which nothing has been decided yet.
std::optional<Failure> Run::Engine::begin_idealisations(State& state) {
  const size_t first = point_.events.size();
  for (const auto& idealisation : idealisations_) {
    if (auto failure = idealisation->begin(state, [&](const Occurrence& event) { tell(state.t, event, -1); })) return failure;
  }
  tell_impacts(system_.take_impacts(), state.t, first);
  return system_.choose_rows(state);
}

// Modes may change ever faster, but not without end.
bool Run::Engine::is_endless(double t) {
  const double window = accumulation_window(std::abs(options_.until - point_.start_t));
  if (point_.switches == 0 || std::abs(t - point_.switches_since) > window) point_.switches = 0, point_.switches_since = t;
  return ++point_.switches > kMostSwitches;
}

// What changed last: a decision that changes nothing is of something that has changed before.
Occurrence Run::Engine::last_change() const {
  for (auto event = point_.events.rbegin(); event != point_.events.rend(); ++event) {
    if (!event->subject.empty()) return *event;
  }
  return {EventKind::accumulation, {}, "a contact"};
}

// Events are not followed any further for a while; samples on the way are handed out.
std::optional<Failure> Run::Engine::cross_stretch(State& state, const Occurrence& change) {
  const auto next_sample = [&] { return point_.start_t + static_cast<double>(point_.next_sample) * options_.every; };
  const auto next_stop = [&](double) { return std::min(next_sample(), limit_); };
  stretch_ = {state};
  const auto at = [&](const State& now) -> std::optional<Failure> {
    stretch_.push_back(now);
    listener_->on_step(now.t);
    if (now.t != next_sample() || now.t == options_.until) return std::nullopt;
    system_.set_modes(now.modes);
    if (auto failure = system_.choose_rows(now)) return failure;
    return emit_sample(now) ? std::nullopt : failure_;
  };
  tell(state.t, {EventKind::accumulation, change.element, change.subject}, 0);
  const std::optional<Stretch> last = point_.stretches.empty() ? std::nullopt : std::optional(point_.stretches.back());
  const auto stretch = cross_accumulation(model_, options_.follow, state, change.subject,
                                          std::abs(options_.until - point_.start_t), limit_, last, at, next_stop);
  if (!stretch) return stretch.failure();
  point_.stretches.push_back(*stretch);
  point_.switches = 0;
  system_.set_modes(state.modes);
  return begin_idealisations(state);
}

// A guard has fallen and modes are decided again: the run continues from there as from a start. An impact's energy is counted as
// work.
std::optional<Failure> Run::Engine::decide(const Guard& guard, double t) {
  State state = steps_.reach(t);
  const double before = compute_energy(model_, state, workspace_).total(), work = system_.work(steps_.values());
  // A decision may move on by an instant: what has changed is reported at the time it ends with.
  std::vector<Occurrence> changes;
  const auto tell_change = [&](const Occurrence& event) { changes.push_back(event); };
  const auto tell_all = [&] {
    for (const Occurrence& event : changes) tell(state.t, event, -1);
  };
  const bool endless = is_endless(t);
  show_change(state);
  if (auto failure = guard.of->decide(guard.number, state, tell_change)) {
    tell_all();
    return failure;
  }
  for (const auto& idealisation : idealisations_) {
    if (idealisation.get() == guard.of) continue;
    if (auto failure = idealisation->follow_change(state, tell_change)) return failure;
  }
  const size_t first = point_.events.size();
  tell_all();
  tell_impacts(system_.take_impacts(), state.t, first);
  if (endless) {
    if (auto failure = cross_stretch(state, changes.empty() ? last_change() : changes.back())) return failure;
  }
  continue_from(state, before, work, 0);
  show_change(steps_.present());
  return std::nullopt;
}

// From a state whose modes are decided, as from a start; what the change has added to the energy is counted as work.
void Run::Engine::continue_from(State& state, double energy_before, double work, double next_step) {
  lookout_.forget_rest();
  point_.modes = system_.constraints().modes;
  const double after = compute_energy(model_, state, workspace_).total();
  if (is_before(options_.until, state.t)) state.t = options_.until;
  const IntegratorState from{state.t, system_.pack(state, work + after - energy_before), next_step, {}};
  steps_.start(from);
  lookout_.restart(state.t, from.y);
}

std::optional<Failure> Run::Engine::set_state(const State& given) {
  State state = given;
  if (auto failure = land_here()) return failure;
  const State before = now_;
  if (auto failure = change(state)) {
    fail(after_time(*failure, before.t), before);
    return failure_;
  }
  monitor_.book_change(before, state);
  return std::nullopt;
}

// Inputs that already have these values change nothing: no bit of what follows.
std::optional<Failure> Run::Engine::set_inputs(std::span<const Run::InputValue> values) {
  const auto set = [&](State& state) -> std::optional<Failure> {
    for (const auto& [number, value, slope] : values) {
      const Input& input = model_.inputs()[number];
      if (auto failure = check_input_value(input, value)) return failure;
      if (input.rate_q < 0 && slope != 0)
        return Failure{"VN-RUN-145", fmt::format("input '{}' holds its value and has no slope", input.name),
                       "declare it with `hold: linear`, or set its value alone"};
      state.q[input.q] = value;
      if (input.rate_q >= 0) state.q[input.rate_q] = slope;
    }
    return std::nullopt;
  };
  State state = now_;
  if (auto refusal = set(state)) return refusal;
  if (state.q == now_.q) return std::nullopt;
  if (auto failure = land_here()) return failure;
  state = now_;
  set(state);
  if (auto failure = change(state)) {
    fail(after_time(*failure, now_.t), now_);
    return failure_;
  }
  return std::nullopt;
}

std::optional<Failure> Run::Engine::add_controller(Controller controller) {
  if (failure_) return failure_;
  if (auto failure = land_here()) {
    fail(after_time(*failure, now_.t), now_);
    return failure;
  }
  return instants_.add(std::move(controller), now_.t);
}

std::optional<Failure> Run::Engine::act_at_instant() {
  if (instants_.empty() || !instants_.is_due(now_.t)) return std::nullopt;
  State state = now_;
  const auto outputs = [&]() -> Outcome<std::vector<double>> {
    if (model_.outputs().columns.empty()) return std::vector<double>();
    const Outcome<Sample> sample = samples_.make(now_);
    if (!sample) return sample.failure();
    return sample->outputs;
  };
  if (auto failure = instants_.act(state, outputs)) return failure;
  return state.q == now_.q ? std::nullopt : change(state);
}

// Something outside the equations of motion has set the state: what follows is decided, and the motion continues from there. A
// change of the energy counts as work.
std::optional<Failure> Run::Engine::change(State& state) {
  if (implicit_) return begin_implicit_steps(state);
  const double energy = compute_energy(model_, now_, workspace_).total(), work = system_.work(steps_.state().y);
  const double next_step = steps_.state().next_step;
  system_.set_modes(state.modes.empty() ? model_.usual_modes() : state.modes);
  system_.continue_slips(state);
  if (auto failure = begin_idealisations(state)) return failure;
  continue_from(state, energy, work, next_step);
  now_ = steps_.present();
  watch_dynamics(now_);
  return std::nullopt;
}

// Only shown: a state without an answer is left to the steps, which fail there.
void Run::Engine::show_change(const State& state) {
  if (!listener_->wants_changes()) return;
  if (const Outcome<Sample> sample = samples_.make(state)) listener_->on_change(*sample);
}

void Run::Engine::keep_on_rows(double t) {
  steps_.keep_on_rows(t);
  if (!system_.is_plain_tree() && steps_.regularity() < point_.least_regularity)
    point_.least_regularity = steps_.regularity(), point_.least_regularity_t = t;
}

// ---- samples and what is watched -------------------------------------------------------------------------------------

Outcome<Sample> Run::Engine::sample() {
  if (implicit_) {
    show_modes_of(now_);
    Outcome<Sample> sample = samples_.make(now_);
    show_modes_of(front_);
    return sample;
  }
  if (stretch_.empty()) return samples_.make(now_);
  // The constraints of the present are not those of where the motion has been computed to.
  const State front = steps_.present();
  const auto use_rows_of = [&](const State& state) {
    system_.set_modes(state.modes);
    return system_.choose_rows(state);
  };
  if (auto failure = use_rows_of(now_)) return *failure;
  Outcome<Sample> sample = samples_.make(now_);
  if (auto failure = use_rows_of(front)) return *failure;
  return sample;
}

// False, with a reason, if the dynamics has no answer at this state.
bool Run::Engine::emit_sample(const State& state) {
  Outcome<Sample> sample = samples_.make(state);
  if (!sample) {
    failure_ = sample.failure();
    return false;
  }
  sample->index = point_.next_sample++;
  listener_->on_sample(*sample);
  if (options_.watch_accuracy && sample->index % point_.mark_every == 0) add_mark(state);
  point_.last_sampled_t = state.t;
  return true;
}

double Run::Engine::next_sample_time() const {
  const double direction = runs_forward() ? 1 : -1;
  const double t = point_.start_t + direction * static_cast<double>(point_.next_sample) * options_.every;
  return std::abs(t - options_.until) < 1e-9 * options_.every ? options_.until : t;
}

bool Run::Engine::emit_samples_until(double end) {
  for (double t = next_sample_time(); !is_before(end, t) && t != point_.last_sampled_t; t = next_sample_time()) {
    if (!emit_sample(steps_.on_rows_at(t))) return false;
  }
  return true;
}

bool Run::Engine::emit_samples_before(double end) {
  for (double t = next_sample_time(); is_before(t, end) && t != point_.last_sampled_t; t = next_sample_time()) {
    if (!emit_sample(steps_.on_rows_at(t))) return false;
  }
  return true;
}

// Where there are too many, every second one stays.
void Run::Engine::add_mark(const State& state) {
  std::vector<double> mark{state.t};
  mark.insert(mark.end(), state.q.begin(), state.q.end());
  mark.insert(mark.end(), state.v.begin(), state.v.end());
  point_.marks.push_back(std::move(mark));
  if (point_.marks.size() < kMostMarks) return;
  for (size_t i = 0; 2 * i < point_.marks.size(); ++i) point_.marks[i] = point_.marks[2 * i];
  point_.marks.resize((point_.marks.size() + 1) / 2);
  point_.mark_every *= 2;
}

void Run::Engine::hand_out_marks(RunResult& result) const {
  for (const std::vector<double>& mark : point_.marks) {
    const auto q = mark.begin() + 1, v = q + model_.tree().coordinates;
    result.marks.push_back({mark[0], {q, v}, {v, mark.end()}});
  }
  result.mark_interval = static_cast<double>(point_.mark_every) * options_.every;
}

// At the end of a step: the inertia every motion meets, which multipliers are determined, and what idealisations see.
void Run::Engine::watch_dynamics(const State& state) {
  Moment& moment = lookout_.look_at_present(state);
  if (!monitor_.watch_inertia(moment)) return;
  for (const auto& idealisation : idealisations_) idealisation->look_at_end(moment, runs_forward());
}

void Run::Engine::look_for_better_integrator() {
  if (options_.integrator != kChosenByModel || point_.stiff_gain > 0) return;
  long steps = point_.steps;
  while (steps > kStepsBeforeAdvice && steps % 2 == 0) steps /= 2;
  if (steps != kStepsBeforeAdvice || now_.t == options_.until) return;
  const auto gain = find_late_stiffness(model_, now_, options_, choice_.name, [this] { return listener_->wants_to_stop(); });
  if (!gain) return;
  point_.stiff_since = now_.t;
  point_.stiff_gain = *gain;
  listener_->on_advice(describe_late_stiffness(choice_.name, now_.t, *gain));
}

// ---- checkpoints and the result --------------------------------------------------------------------------------------

void Run::Engine::restart_integrator() {
  steps_.restart();
  const IntegratorState now = steps_.state();
  lookout_.look_again(now.t, now.y);
}

void Run::Engine::offer_checkpoint() {
  const bool anywhere = steps_.integrator().resumable_anywhere();
  const bool restart = !anywhere && point_.steps % kStepsBetweenRestarts == 0;
  if (restart) restart_integrator();
  if (!restart && !anywhere) return;
  if (restart) listener_->on_restart(here());
  if (listener_->wants_checkpoint()) listener_->on_checkpoint(here());
}

const Checkpoint& Run::Engine::here() {
  point_.integrator = implicit_ ? IntegratorState{front_.t, system_.pack(front_, 0), 0, implicit_->memory()} : steps_.state();
  point_.event_memory = lookout_.memory();
  point_.left_out = system_.left_out();
  point_.instants = instants_.memory();
  point_.idealisations.clear();
  for (const auto& idealisation : idealisations_) point_.idealisations.push_back(idealisation->memory());
  return point_;
}

Outcome<Checkpoint> Run::Engine::checkpoint() {
  if (implicit_) return here();
  if (!steps_.integrator().resumable_anywhere()) {
    if (auto failure = land_here()) return *failure;
    restart_integrator();
  }
  return is_ahead() ? begin_of_step_ : here();
}

RunResult Run::Engine::result() {
  RunResult result;
  result.end = ended_ == Stop::event   ? RunResult::End::stopped_at_event
               : ended_ == Stop::asked ? RunResult::End::interrupted
               : failure_              ? RunResult::End::failed
                                       : RunResult::End::reached;
  result.failure = failure_;
  result.integrator = implicit_ ? "moreau" : steps_.integrator().name();
  result.instead = choice_.instead;
  result.chosen_because = choice_.why;
  if (point_.stiff_gain > 0)
    result.better_integrator = describe_late_stiffness(choice_.name, point_.stiff_since, point_.stiff_gain);
  result.final = now_;
  for (const auto& idealisation : idealisations_) idealisation->list_numbers(result.outputs);
  show_modes_of(now_);
  if (const auto last = list_outputs(lookout_.look_at_present(now_)); !last) {
    result.outputs.clear();
  } else {
    for (size_t i = 0; i < result.outputs.size(); ++i) result.outputs[i].final = (*last)[i].value;
  }
  show_modes_of(front_);
  hand_out_marks(result);
  result.samples = point_.next_sample;
  result.steps = point_.steps;
  result.rejected = point_.rejected;
  result.evaluations = point_.evaluations;
  result.events = point_.events;
  result.conserved = monitor_.integrals();
  if (!implicit_) add_integrals(result);
  for (const auto& idealisation : idealisations_) {
    idealisation->judge(now_.t, result.verdicts);
    idealisation->list_work(result.friction_work);
  }
  if (implicit_) result.verdicts.push_back(judge_implicit_steps(options_.step));
  if (auto verdict = judge_accumulation(point_.stretches)) result.verdicts.push_back(std::move(*verdict));
  if (auto verdict = judge_end(result.failure, now_.t)) result.verdicts.push_back(std::move(*verdict));
  for (const Row& row : model_.rows()) {
    if (implicit_ || !has_rows(model_, options_)) break;
    const double position = point_.worst_position[row.index];
    result.residuals.push_back(
        {row.name, position < 0 ? std::nullopt : std::optional(position), point_.worst_velocity[row.index]});
  }
  return result;
}

// First integrals and the energy, and what every run of an integrator is judged by.
void Run::Engine::add_integrals(RunResult& result) {
  result.integrals = point_.integrals;
  // Nothing was struck: what is counted is the round-off of constraints that do no work.
  if (system_.counts_impacts_only() && std::abs(system_.work(steps_.state().y)) <= kNoWork * point_.energy_size)
    result.integrals.front().name = "E";
  if (!watched_) result.not_watched = watched_.failure();
  result.verdicts = judge_run(model_, options_, system_.keeps_by_projection(), point_);
  const std::vector<IntegralSize> sizes = monitor_.sizes_of_integrals(start_, now_);
  if (auto verdict = judge_integrals(model_, options_, point_, watched_, sizes)) result.verdicts.push_back(std::move(*verdict));
  if (watched_) {
    const std::vector<size_t> disproved = list_disproved(model_, options_, point_, *watched_, sizes);
    for (auto i = disproved.rbegin(); i != disproved.rend(); ++i) {
      result.conserved.erase(result.conserved.begin() + static_cast<std::ptrdiff_t>(*i));
      result.integrals.erase(result.integrals.begin() + static_cast<std::ptrdiff_t>(*i) + 1);
    }
  }
}

}  // namespace vinculum
