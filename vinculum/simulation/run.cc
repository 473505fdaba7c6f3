// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/contact_end.h"
#include "vinculum/simulation/accuracy.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/simulation/checkpoint_fit.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/simulation/impact_watch.h"
#include "vinculum/simulation/lookout.h"
#include "vinculum/simulation/run_gate.h"
#include "vinculum/simulation/run_monitor.h"
#include "vinculum/simulation/run_sample.h"
#include "vinculum/simulation/run_verdicts.h"
#include "vinculum/simulation/steps.h"
#include "vinculum/simulation/time_stepping.h"
#include "vinculum/simulation/watched_integrals.h"

namespace vinculum {

namespace {

// Integrators that cannot be resumed anywhere start anew after so many steps, in every run alike: there a checkpoint is possible.
constexpr long kStepsBetweenRestarts = 500;
constexpr double kNoWork = 1e-13;  // of all energies
constexpr size_t kMostMarks = 128;

// After so many steps, and then ever twice as many, `auto` asks whether another integrator would go on better.
constexpr long kStepsBeforeAdvice = 2000;

double sample_interval(const RunOptions& options, double start) {
  return options.every > 0 ? options.every : std::abs(options.until - start) / 1000;
}

IntegratorOptions with_tolerance(const IntegratorChoice& choice, const RunOptions& options, RunListener& listener) {
  IntegratorOptions result = integrator_options(options, [&listener] { return listener.wants_to_stop(); });
  if (choice.tolerance > 0) result.relative_tolerance = result.absolute_tolerance = choice.tolerance;
  return result;
}

// One run: the integrator advances; events of the model and guards of idealisations are located on its continuous solution,
// samples read off it; what falls is told or decided; monitors watch. It knows no idealisation by name.
class Run {
 public:
  Run(const Model& model, const State& start, const RunOptions& options, RunListener& listener, const Checkpoint* from)
      : model_(model),
        start_(start),
        options_(options),
        listener_(listener),
        choice_(choose_integrator(model, start, options, [&listener] { return listener.wants_to_stop(); })),
        system_(model, choose_baumgarte(choice_.name, options), options.follow, held_at(choice_.name)),
        workspace_(model),
        steps_(system_, choice_.name, with_tolerance(choice_, options, listener), options.until),
        watched_(find_watched(model, start, options, listener, from ? &from->integrals : nullptr)),
        monitor_(model, system_, watched_ ? *watched_ : std::vector<Integral>{}, point_),
        idealisations_(make_idealisations(system_, model, options.follow, options.tolerance)),
        lookout_(model, system_, steps_, idealisations_, options.tolerance),
        samples_(model, system_, lookout_) {
    system_.expect_run(start, options.until, options.tolerance);
  }

  // The modes and velocities the run starts with.
  std::optional<Failure> begin(State& state) {
    const auto tell_start = [&](const ElementEvent& event) { tell(state.t, event, -1); };
    system_.continue_slips(state);
    for (const auto& idealisation : idealisations_) {
      if (auto failure = idealisation->begin(state, tell_start)) return failure;
    }
    tell_impacts(state.t, 0);
    return system_.choose_rows(state);
  }

  void start(const State& state) {
    point_.start_t = state.t;
    point_.integrator.t = state.t;
    point_.integrator.y = system_.pack(state, 0);
    monitor_.begin(state);
    point_.modes = system_.constraints().modes;
    steps_.start(point_.integrator);
    lookout_.restart(state.t, point_.integrator.y);
    watch_dynamics(state);
  }

  // Refused if anything in it has another size than the model gives it: then it is the checkpoint of something else.
  std::optional<Failure> resume(const Checkpoint& from) {
    if (auto misfit = check_fit(from, model_, {static_cast<size_t>(system_.dimension()), lookout_.size(), idealisations_.size()}))
      return misfit;
    for (size_t i = 0; i < idealisations_.size(); ++i) {
      if (!idealisations_[i]->restore(from.idealisations[i])) return refuse_checkpoint_values();
    }
    point_ = from;
    monitor_.keep_watched();
    if (point_.integrals.size() != 1 + monitor_.integrals().size())
      return refuse_checkpoint("integrals", point_.integrals.size(), 1 + monitor_.integrals().size());
    system_.set_modes(point_.modes);
    system_.leave_out(point_.left_out);
    steps_.start(point_.integrator);
    const size_t memory = steps_.state().memory.size();
    if (memory != from.integrator.memory.size())
      return refuse_checkpoint("values of the step-size control", from.integrator.memory.size(), memory);
    lookout_.restore(point_.integrator.t, point_.integrator.y, point_.event_memory);
    return std::nullopt;
  }

  RunResult go() {
    RunResult result;
    State now = steps_.present();
    if (point_.next_sample == 0 && !emit_sample(now)) return finish(result, RunResult::End::failed, now);
    if (!steps_.integrator().resumable_anywhere()) listener_.on_restart(here());

    while (now.t != options_.until) {
      const Outcome<StepReport> step = steps_.advance();
      if (!step && step.failure().code == kStopped) {
        offer_checkpoint();
        return finish(result, RunResult::End::interrupted, now);
      }
      if (!step) {
        const std::optional<Failure> lost = find_contact_end(system_.constraints(), now);
        result.failure = system_.failure() ? after_time(*system_.failure(), now.t) : lost.value_or(step.failure());
        return finish(result, RunResult::End::failed, now);
      }
      ++point_.steps;
      point_.rejected += step->rejected;
      point_.evaluations += step->evaluations;

      // Events of this step; it ends where a mode must be decided, and the run may end at one.
      const Cut cut = tell_events(step->t0, step->t1);
      if (cut.failure) {
        result.failure = after_time(*cut.failure, now.t);
        return finish(result, RunResult::End::failed, now);
      }
      lookout_.count_looks(step->t0, cut.t);
      if (!emit_samples_until(step->t0, cut.t)) return finish(result, RunResult::End::failed, now);
      if (stopped_) {
        now = steps_.on_rows_at(cut.t);
        monitor_.watch_integrals(now, steps_.values());
        emit_sample(now);
        return finish(result, RunResult::End::stopped_at_event, now);
      }

      if (!cut.guard) {
        keep_on_rows(step->t1);
      } else if (auto failure = decide(*cut.guard, cut.t)) {
        result.failure = after_time(*failure, cut.t);
        return finish(result, RunResult::End::failed, steps_.on_rows_at(cut.t));
      }
      now = steps_.present();
      monitor_.watch_integrals(now, steps_.state().y);
      monitor_.watch_residuals(lookout_.look_at_present(now));
      watch_dynamics(now);
      listener_.on_step(now.t);
      look_for_better_integrator(now);
      if (stopped_) {
        emit_sample(now);
        return finish(result, RunResult::End::stopped_at_event, now);
      }
      // Asked before the checkpoint is offered: who wants to stop wants one, and must not change his mind in between.
      const bool stop = listener_.wants_to_stop();
      offer_checkpoint();
      if (stop) return finish(result, RunResult::End::interrupted, now);
    }
    if (point_.last_sampled_t != now.t && !emit_sample(now)) return finish(result, RunResult::End::failed, now);
    return finish(result, RunResult::End::reached, now);
  }

 private:
  // Where a step ends for the run, and what must be decided there.
  struct Cut {
    double t = 0;
    std::optional<Guard> guard;
    std::optional<Failure> failure;  // the step leads to no motion: nothing of it is told or judged
  };

  // The events of a step, up to the first where a mode must be decided. What is only watched is searched up to there.
  Cut tell_events(double t0, double t1) {
    Cut cut{t1, {}, {}};
    std::vector<RunEvent> events;
    const int falling = runs_forward() ? -1 : 1;
    const auto add = [&](double t, const ElementEvent& event) {
      events.push_back({t, event.name(), event.kind, event.subject, falling, event.face, event.direction});
    };
    for (const EventCrossing& crossing : lookout_.locate(t0, t1)) {
      if (const auto guard = lookout_.guard_of(crossing.event)) {
        const bool falls = crossing.direction == falling;
        const Idealisation::Passed passed =
            guard->of->pass(guard->number, t0, crossing.t, falls, [this](double t) { return steps_.on_rows_at(t); });
        double t = passed.decide_at.value_or(crossing.t);
        if (passed.decide_at == crossing.t) t = lookout_.refine(crossing, t0, t1);
        if (passed.event && (!passed.decide_at || ends_run(passed.event->name()))) add(t, *passed.event);
        if (passed.decide_at) cut = {t, guard, {}};
        if (cut.guard) break;
      } else {
        const std::string& name = model_.events()[crossing.event].name;
        events.push_back({crossing.t, name, "event", name, crossing.direction});
      }
    }
    if (!cut.guard) cut.failure = system_.check_left_out(system_.unpack(t1, steps_.end()));
    if (cut.failure) return cut;
    for (const Idealisation::Found& found : lookout_.watch(t0, cut.t)) add(found.t, found.event);
    std::ranges::stable_sort(events,
                             [&](const RunEvent& a, const RunEvent& b) { return runs_forward() ? a.t < b.t : a.t > b.t; });
    for (const RunEvent& event : events) {
      tell(event);
      if (!stopped_) continue;
      cut = {(event.t - t0) * (t1 - t0) < 0 ? t0 : event.t, {}, {}};
      break;
    }
    const std::optional<double> singular = steps_.singular_time();
    if (singular && (cut.t - *singular) * (t1 - t0) >= 0) {
      point_.events.push_back({*singular, "singular", "singular", "", 0});
      point_.singular_times.push_back(*singular);
      if (ends_run("singular")) stopped_ = true, cut.t = *singular;
    }
    return cut;
  }

  bool runs_forward() const { return options_.until >= point_.start_t; }

  bool ends_run(const std::string& event) const {
    return options_.stop_at == event || options_.stop_at == event.substr(0, event.find(':'));
  }

  void tell(const RunEvent& event) {
    point_.events.push_back(event);
    stopped_ = stopped_ || ends_run(event.name);
    if (event.kind == "event") return;
    for (const auto& idealisation : idealisations_)
      idealisation->hear({event.kind, event.subject, event.face, event.rest_direction}, event.t);
  }
  void tell(double t, const ElementEvent& event, int direction) {
    tell({t, event.name(), event.kind, event.subject, direction, event.face, event.direction});
  }

  // What was struck at t, by the events from number `first` on.
  void tell_impacts(double t, size_t first) {
    const std::vector<ImpactReport> impacts = system_.take_impacts();
    add_impulses(model_, impacts, std::span(point_.events).subspan(first));
    for (const ImpactReport& impact : impacts) {
      for (const auto& idealisation : idealisations_) idealisation->hear_impact(impact, t);
    }
  }

  // Modes may change ever faster, but not without end.
  bool is_endless(double t) {
    const double window = accumulation_window(std::abs(options_.until - point_.start_t));
    if (point_.switches == 0 || std::abs(t - point_.switches_since) > window) point_.switches = 0, point_.switches_since = t;
    return ++point_.switches > kMostSwitches;
  }

  // What changed last: a decision that changes nothing is of something that has changed before.
  std::string last_subject() const {
    for (auto event = point_.events.rbegin(); event != point_.events.rend(); ++event) {
      if (!event->subject.empty()) return event->subject;
    }
    return "a contact";
  }

  // Events are not followed any further for a while; samples on the way are handed out.
  std::optional<Failure> cross_stretch(State& state, const std::string& subject) {
    const double interval = sample_interval(options_, point_.start_t);
    const auto next_sample = [&](double) {
      return std::min(point_.start_t + static_cast<double>(point_.next_sample) * interval, options_.until);
    };
    const auto at = [&](const State& now) -> std::optional<Failure> {
      listener_.on_step(now.t);
      if (now.t != next_sample(now.t) || now.t == options_.until) return std::nullopt;
      system_.set_modes(now.modes);
      if (auto failure = system_.choose_rows(now)) return failure;
      return emit_sample(now) ? std::nullopt : failure_;
    };
    tell(state.t, ElementEvent{"accumulation", subject}, 0);
    const std::optional<Stretch> last = point_.stretches.empty() ? std::nullopt : std::optional(point_.stretches.back());
    const auto stretch = cross_accumulation(model_, options_.follow, state, subject, std::abs(options_.until - point_.start_t),
                                            options_.until, last, at, next_sample);
    if (!stretch) return stretch.failure();
    point_.stretches.push_back(*stretch);
    point_.switches = 0;
    system_.set_modes(state.modes);
    const size_t first = point_.events.size();
    for (const auto& idealisation : idealisations_) {
      if (auto failure = idealisation->begin(state, [&](const ElementEvent& event) { tell(state.t, event, -1); })) return failure;
    }
    tell_impacts(state.t, first);
    return system_.choose_rows(state);
  }

  // A guard has fallen and modes are decided anew: the run goes on from there as from a start. An impact's energy is counted as
  // work.
  std::optional<Failure> decide(const Guard& guard, double t) {
    State state = steps_.reach(t);
    const double before = compute_energy(model_, state, workspace_).total(), work = system_.work(steps_.values());
    // A decision may move on by an instant: what has changed is told at the time it ends with.
    std::vector<ElementEvent> changes;
    const auto tell_change = [&](const ElementEvent& event) { changes.push_back(event); };
    const auto tell_all = [&] {
      for (const ElementEvent& event : changes) tell(state.t, event, -1);
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
    tell_impacts(state.t, first);
    if (endless) {
      if (auto failure = cross_stretch(state, changes.empty() ? last_subject() : changes.back().subject)) return failure;
    }
    lookout_.forget_rest();
    point_.modes = system_.constraints().modes;
    const double after = compute_energy(model_, state, workspace_).total();
    if ((state.t - options_.until) * (options_.until - point_.start_t) > 0) state.t = options_.until;
    const IntegratorState from{state.t, system_.pack(state, work + after - before), 0, {}};
    steps_.start(from);
    lookout_.restart(state.t, from.y);
    show_change(steps_.present());
    return std::nullopt;
  }

  // Only shown: a state without an answer is left to the steps, which fail there.
  void show_change(const State& state) {
    if (!listener_.wants_changes()) return;
    if (const Outcome<Sample> sample = samples_.make(state)) listener_.on_change(*sample);
  }

  void keep_on_rows(double t) {
    steps_.keep_on_rows(t);
    if (!system_.is_plain_tree() && steps_.regularity() < point_.least_regularity)
      point_.least_regularity = steps_.regularity(), point_.least_regularity_t = t;
  }

  // False, with a reason, if the dynamics has no answer at this state.
  bool emit_sample(const State& state) {
    Outcome<Sample> sample = samples_.make(state);
    if (!sample) {
      failure_ = sample.failure();
      return false;
    }
    sample->index = point_.next_sample++;
    listener_.on_sample(*sample);
    if (options_.watch_accuracy && sample->index % point_.mark_every == 0) add_mark(state);
    point_.last_sampled_t = state.t;
    return true;
  }

  // Where there are too many, every second one stays.
  void add_mark(const State& state) {
    std::vector<double> mark{state.t};
    mark.insert(mark.end(), state.q.begin(), state.q.end());
    mark.insert(mark.end(), state.v.begin(), state.v.end());
    point_.marks.push_back(std::move(mark));
    if (point_.marks.size() < kMostMarks) return;
    for (size_t i = 0; 2 * i < point_.marks.size(); ++i) point_.marks[i] = point_.marks[2 * i];
    point_.marks.resize((point_.marks.size() + 1) / 2);
    point_.mark_every *= 2;
  }

  void hand_out_marks(RunResult& result) const {
    for (const std::vector<double>& mark : point_.marks) {
      const auto q = mark.begin() + 1, v = q + model_.tree().coordinates;
      result.marks.push_back({mark[0], {q, v}, {v, mark.end()}});
    }
    result.mark_interval = static_cast<double>(point_.mark_every) * sample_interval(options_, point_.start_t);
  }

  // At the end of a step: the inertia every motion meets, which multipliers are determined, and what idealisations see.
  void watch_dynamics(const State& state) {
    Moment& moment = lookout_.look_at_present(state);
    if (!monitor_.watch_inertia(moment)) return;
    for (const auto& idealisation : idealisations_) idealisation->look_at_end(moment, runs_forward());
  }

  bool emit_samples_until(double t0, double t1) {
    const double direction = t1 >= t0 ? 1 : -1;
    const double interval = sample_interval(options_, point_.start_t);
    for (;;) {
      double t = point_.start_t + direction * static_cast<double>(point_.next_sample) * interval;
      if (std::abs(t - options_.until) < 1e-9 * interval) t = options_.until;
      if (direction * (t1 - t) < 0 || t == point_.last_sampled_t) return true;
      if (!emit_sample(steps_.on_rows_at(t))) return false;
    }
  }

  void look_for_better_integrator(const State& now) {
    if (options_.integrator != kChosenByModel || point_.stiff_gain > 0) return;
    long steps = point_.steps;
    while (steps > kStepsBeforeAdvice && steps % 2 == 0) steps /= 2;
    if (steps != kStepsBeforeAdvice || now.t == options_.until) return;
    const auto gain = find_late_stiffness(model_, now, options_, choice_.name, [this] { return listener_.wants_to_stop(); });
    if (!gain) return;
    point_.stiff_since = now.t;
    point_.stiff_gain = *gain;
    listener_.on_advice(describe_late_stiffness(choice_.name, now.t, *gain));
  }

  void offer_checkpoint() {
    const bool anywhere = steps_.integrator().resumable_anywhere();
    const bool restart = !anywhere && point_.steps % kStepsBetweenRestarts == 0;
    if (restart) {
      steps_.restart();
      const IntegratorState now = steps_.state();
      lookout_.look_again(now.t, now.y);
    }
    if (!restart && !anywhere) return;
    if (restart) listener_.on_restart(here());
    if (listener_.wants_checkpoint()) listener_.on_checkpoint(here());
  }

  const Checkpoint& here() {
    point_.integrator = steps_.state();
    point_.event_memory = lookout_.memory();
    point_.left_out = system_.left_out();
    point_.idealisations.clear();
    for (const auto& idealisation : idealisations_) point_.idealisations.push_back(idealisation->memory());
    return point_;
  }

  RunResult finish(RunResult& result, RunResult::End end, const State& final) {
    result.end = end;
    if (failure_) result.failure = failure_;
    result.integrator = steps_.integrator().name();
    result.instead = choice_.instead;
    result.chosen_because = choice_.why;
    if (point_.stiff_gain > 0)
      result.better_integrator = describe_late_stiffness(choice_.name, point_.stiff_since, point_.stiff_gain);
    result.final = final;
    if (auto values = list_outputs(lookout_.look_at_present(final))) result.outputs = std::move(*values);
    hand_out_marks(result);
    result.samples = point_.next_sample;
    result.steps = point_.steps;
    result.rejected = point_.rejected;
    result.evaluations = point_.evaluations;
    result.events = point_.events;
    result.conserved = monitor_.integrals();
    result.integrals = point_.integrals;
    // Nothing was struck: what is counted is the round-off of rows that do no work.
    if (system_.counts_impacts_only() && std::abs(system_.work(steps_.state().y)) <= kNoWork * point_.energy_size)
      result.integrals.front().name = "E";
    if (!watched_) result.not_watched = watched_.failure();
    result.verdicts = judge_run(model_, options_, system_.keeps_by_projection(), point_);
    const std::vector<IntegralSize> sizes = monitor_.sizes_of_integrals(start_, final);
    if (auto verdict = judge_integrals(model_, options_, point_, watched_, sizes)) result.verdicts.push_back(std::move(*verdict));
    if (watched_) {
      const std::vector<size_t> disproved = list_disproved(model_, options_, point_, *watched_, sizes);
      for (auto i = disproved.rbegin(); i != disproved.rend(); ++i) {
        result.conserved.erase(result.conserved.begin() + static_cast<std::ptrdiff_t>(*i));
        result.integrals.erase(result.integrals.begin() + static_cast<std::ptrdiff_t>(*i) + 1);
      }
    }
    for (const auto& idealisation : idealisations_) {
      idealisation->judge(final.t, result.verdicts);
      idealisation->list_work(result.friction_work);
    }
    if (auto verdict = judge_accumulation(point_.stretches)) result.verdicts.push_back(std::move(*verdict));
    if (auto verdict = judge_end(result.failure, final.t)) result.verdicts.push_back(std::move(*verdict));
    for (const Row& row : model_.rows()) {
      if (!has_rows(model_, options_)) break;
      const double position = point_.worst_position[row.index];
      result.residuals.push_back(
          {row.name, position < 0 ? std::nullopt : std::optional(position), point_.worst_velocity[row.index]});
    }
    return std::move(result);
  }

  const Model& model_;
  const State& start_;
  const RunOptions& options_;
  RunListener& listener_;
  IntegratorChoice choice_;
  MotionSystem system_;
  Workspace workspace_;
  Steps steps_;
  Outcome<std::vector<Integral>> watched_;
  Checkpoint point_;
  RunMonitor monitor_;
  std::vector<std::unique_ptr<Idealisation>> idealisations_;
  Lookout lookout_;
  SampleMaker samples_;
  std::optional<Failure> failure_;
  bool stopped_ = false;  // at the event asked for
};

// A run that has not come to its end was judged as far as it came: nothing of it holds beyond.
void limit_to_part(RunResult& result) {
  if (result.end != RunResult::End::failed && result.end != RunResult::End::interrupted) return;
  for (Verdict& verdict : result.verdicts) {
    if (verdict.verdict != Holds::holds) continue;
    verdict.verdict = Holds::not_checked;
    verdict.why = fmt::format("judged up to t = {:.6g} s only, where the run {}; up to then: {}", result.final.t,
                              result.end == RunResult::End::failed ? "failed" : "was interrupted", verdict.why);
  }
}

// One list, whoever shows it.
void finish_verdicts(RunResult& result) {
  pass_gate(result);
  limit_to_part(result);
  sort_by_gravity(result.verdicts);
}

}  // namespace

Outcome<RunResult> run_simulation(const Model& given, const State& start, const RunOptions& options, RunListener& listener,
                                  const Checkpoint* from) {
  // What is small is small beside this start, and not beside that of the file.
  std::optional<Model> rescaled;
  if (const Scales scales = find_scales(given, start, options.until - start.t); scales != given.scales())
    rescaled.emplace(given).set_scales(scales);
  const Model& model = rescaled ? *rescaled : given;
  if (const auto refusal = check_request(model, options)) return *refusal;
  if (from == nullptr) {
    if (const auto refusal = check_start(model, start, options)) return *refusal;
  }
  if (options.step > 0 && from == nullptr) {
    auto result = run_by_steps(model, start, options, listener);
    if (result) finish_verdicts(*result);
    return result;
  }
  Run run(model, start, options, listener, from);
  if (from != nullptr) {
    if (const auto misfit = run.resume(*from)) return *misfit;
  } else {
    State settled = start;
    if (const auto failure = run.begin(settled)) return *failure;
    run.start(settled);
  }
  RunResult result = run.go();
  if (auto verdict = judge_accuracy(model, start, options, result, listener)) result.verdicts.push_back(std::move(*verdict));
  finish_verdicts(result);
  return result;
}

}  // namespace vinculum
