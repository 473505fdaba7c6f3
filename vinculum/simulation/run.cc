// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/row_quantities.h"
#include "vinculum/constraints/singular_position.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/series_laws.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/integration/events.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/simulation/law_pulses.h"
#include "vinculum/simulation/one_sided_rows.h"
#include "vinculum/simulation/run_gate.h"
#include "vinculum/simulation/run_verdicts.h"
#include "vinculum/simulation/steps.h"
#include "vinculum/simulation/time_stepping.h"
#include "vinculum/simulation/watched_integrals.h"

namespace vinculum {

namespace {

// Integrators that cannot be resumed anywhere start anew after so many steps, in every run alike: there a checkpoint is possible.
constexpr long kStepsBetweenRestarts = 500;
constexpr double kNoWork = 1e-13;  // of all energies

// After so many steps, and then ever twice as many, `auto` asks whether another integrator would go on better.
constexpr long kStepsBeforeAdvice = 2000;

double sample_interval(const RunOptions& options, double start) {
  return options.every > 0 ? options.every : std::abs(options.until - start) / 1000;
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
        system_(model, choose_baumgarte(choice_.name, options), options.follow),
        workspace_(model),
        steps_(system_, choice_.name, integrator_options(options, [&listener] { return listener.wants_to_stop(); }),
               options.until),
        watched_(find_watched(model, start, options, listener, from ? &from->integrals : nullptr)),
        monitor_(model, watched_ ? *watched_ : std::vector<Integral>{}),
        idealisations_(make_idealisations(system_, model, options.follow, options.tolerance)),
        pulses_(model),
        outputs_(model),
        events_name_quantities_(std::ranges::any_of(
            model.events(), [](const EventDescription& event) { return event.function.depends_on(VariableKind::quantity); })),
        locator_(static_cast<int>(model.events().size()) + count_guards(), system_.dimension(),
                 [this](double t, std::span<const double> y, std::span<double> g) { evaluate_events(t, y, g); }) {
    system_.expect_run(start, options.until, options.tolerance);
  }

  // The modes and velocities the run starts with.
  std::optional<Failure> begin(State& state) {
    const auto tell_start = [&](const ElementEvent& event) { tell(state.t, event, -1); };
    for (const auto& idealisation : idealisations_) {
      if (auto failure = idealisation->begin(state, tell_start)) return failure;
    }
    return system_.choose_rows(state);
  }

  void start(const State& state) {
    point_.start_t = state.t;
    point_.integrator.t = state.t;
    point_.integrator.y = system_.pack(state, 0);
    point_.integrals = {{system_.counts_work() ? "E - W" : "E", "J"}};
    for (const Integral& integral : monitor_.integrals()) point_.integrals.push_back({integral.name, integral.unit});
    const std::vector<double> values = compute_integrals(state, compute_energy(model_, state, workspace_).total());
    for (size_t i = 0; i < values.size(); ++i) point_.integrals[i].start = values[i];
    point_.undetermined.resize(model_.rows().size());
    point_.worst_position.resize(model_.rows().size(), -1);
    point_.worst_velocity.resize(model_.rows().size());
    point_.modes = system_.constraints().modes;
    steps_.start(point_.integrator);
    restart_events(state.t, point_.integrator.y);
    watch_dynamics(state);
  }

  // Refused if anything in it has another size than the model gives it: then it is the checkpoint of something else.
  std::optional<Failure> resume(const Checkpoint& from) {
    const Failure misfit{"VN-RUN-140", "", "start the run again"};
    const auto refuse = [&](std::string_view what, size_t found, size_t wanted) {
      Failure failure = misfit;
      failure.message = fmt::format("the checkpoint does not fit the model: {} {} where there must be {}", found, what, wanted);
      return failure;
    };
    const size_t rows = model_.rows().size();
    const std::tuple<std::string_view, size_t, size_t> sizes[] = {
        {"values of the state", from.integrator.y.size(), system_.dimension()},
        {"values of events", from.event_memory.size(), model_.events().size() + count_guards()},
        {"modes", from.modes.size(), model_.modes().size()},
        {"idealisations", from.idealisations.size(), idealisations_.size()},
        {"rows that say nothing new", from.left_out.size(), rows},
        {"rows that are determined or not", from.undetermined.size(), rows},
        {"residuals of position", from.worst_position.size(), rows},
        {"residuals of velocity", from.worst_velocity.size(), rows},
    };
    for (const auto& [what, found, wanted] : sizes) {
      if (found != wanted) return refuse(what, found, wanted);
    }
    bool fits = from.weakest_velocity >= -1 && from.weakest_velocity < model_.tree().velocities && from.next_sample >= 0 &&
                from.steps >= 0 && from.rejected >= 0 && from.evaluations >= 0;
    for (size_t i = 0; i < from.modes.size(); ++i)
      fits = fits && from.modes[i] >= 0 && from.modes[i] < static_cast<int>(model_.modes()[i].words.size());
    for (size_t i = 0; i < idealisations_.size(); ++i) fits = fits && idealisations_[i]->restore(from.idealisations[i]);
    if (!fits) {
      Failure failure = misfit;
      failure.message = "the checkpoint does not fit the model: a count or an index is out of range";
      return failure;
    }
    point_ = from;
    // The energy, and of the others those that are still watched.
    const std::vector<IntegralDrift> before = std::move(point_.integrals);
    point_.integrals.clear();
    for (const IntegralDrift& drift : before) {
      const auto is_this = [&](const Integral& integral) { return integral.name == drift.name; };
      const auto& watched = monitor_.integrals();
      if (point_.integrals.empty() || std::any_of(watched.begin(), watched.end(), is_this)) point_.integrals.push_back(drift);
    }
    if (point_.integrals.size() != 1 + monitor_.integrals().size())
      return refuse("integrals", point_.integrals.size(), 1 + monitor_.integrals().size());
    system_.set_modes(point_.modes);
    system_.leave_out(point_.left_out);
    steps_.start(point_.integrator);
    locator_.restore(point_.integrator.t, point_.event_memory);
    const size_t memory = steps_.state().memory.size();
    if (memory != from.integrator.memory.size())
      return refuse("values of the step-size control", from.integrator.memory.size(), memory);
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
        result.failure = system_.failure() ? at_time(*system_.failure(), now.t) : step.failure();
        return finish(result, RunResult::End::failed, now);
      }
      ++point_.steps;
      point_.rejected += step->rejected;
      point_.evaluations += step->evaluations;

      // Events of this step; it ends where a mode must be decided, and the run may end at one.
      const Cut cut = tell_events(step->t0, step->t1);
      for (const auto& idealisation : idealisations_) {
        idealisation->count_looks(
            step->t0, cut.t, [this](double t) { look_at(t); }, [this](double t) { return steps_.seen_at(t); });
      }
      if (!emit_samples_until(step->t0, cut.t)) return finish(result, RunResult::End::failed, now);
      if (stopped_) {
        now = steps_.on_rows_at(cut.t);
        watch_integrals(now, steps_.values());
        emit_sample(now);
        return finish(result, RunResult::End::stopped_at_event, now);
      }

      if (!cut.guard) {
        keep_on_rows(step->t1);
        if (auto failure = system_.check_left_out(steps_.present())) {
          result.failure = at_time(*failure, now.t);
          return finish(result, RunResult::End::failed, now);
        }
      } else if (auto failure = decide(*cut.guard, cut.t)) {
        result.failure = at_time(*failure, cut.t);
        return finish(result, RunResult::End::failed, now);
      }
      now = steps_.present();
      watch_integrals(now, steps_.state().y);
      watch_constraints(now);
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
  // A guard: whose, and which of his.
  struct Guard {
    Idealisation* of = nullptr;
    int number = 0;
  };
  // Where a step ends for the run, and what must be decided there.
  struct Cut {
    double t = 0;
    std::optional<Guard> guard;
  };

  int count_guards() const {
    int count = 0;
    for (const auto& idealisation : idealisations_) count += idealisation->guard_count();
    return count;
  }

  // The model's events, then the guards: all of them from one solution.
  void evaluate_events(double t, std::span<const double> y, std::span<double> g) {
    Bindings bindings{t, y.first(model_.tree().coordinates), y.subspan(model_.tree().coordinates, model_.tree().velocities)};
    size_t next = model_.events().size();
    for (size_t i = 0; i < next && !events_name_quantities_; ++i)
      g[i] = evaluate(model_.events()[i].function, bindings, expression_);
    if (g.size() == next && !events_name_quantities_) return;
    // Rows that depend on each other may do so on the constraints only.
    corrected_.assign(y.begin(), y.end());
    if (system_.leaves_rows_out()) system_.correct(t, corrected_);
    system_.unpack(t, corrected_, seen_);
    Moment moment = look(seen_, events_name_quantities_ || !model_.outputs().requirements.empty());
    if (events_name_quantities_) {
      const bool known = outputs_.compute(moment);
      bindings.quantities = outputs_.quantities();
      for (size_t i = 0; i < next; ++i) {
        const Expression& function = model_.events()[i].function;
        const bool has_value = known || !function.depends_on(VariableKind::quantity);
        g[i] = has_value ? evaluate(function, bindings, expression_) : 1;
      }
    }
    for (const auto& idealisation : idealisations_) {
      idealisation->evaluate_guards(moment, g.subspan(next, idealisation->guard_count()));
      next += idealisation->guard_count();
    }
  }

  const Outcome<ConstrainedDynamics>& rest_dynamics(const State& state) {
    if (!rest_ || pulses_.has_laws()) rest_ = compute_rest_dynamics(system_.constraints(), state, workspace_);
    return *rest_;
  }

  // At rest, where guides hold everything, the reactions are those of the rest: the same ones while no law of time changes them.
  // Where they hold some bodies only, theirs are shared out, if someone asks for reactions.
  Moment look(const State& state, bool with_reactions = true) {
    if (system_.at_rest() && rest_dynamics(state)) return {system_.constraints(), state, workspace_, **rest_};
    if (system_.sticks() && with_reactions) {
      held_ = compute_held_dynamics(system_.constraints(), state, workspace_);
      if (*held_) return {system_.constraints(), state, workspace_, **held_};
    }
    return {system_.constraints(), state, workspace_, &system_.sparse_constraints(), solution_};
  }

  // None for an event of the model.
  std::optional<Guard> guard_of(int event) const {
    int number = event - static_cast<int>(model_.events().size());
    if (number < 0) return std::nullopt;
    size_t i = 0;
    for (; number >= idealisations_[i]->guard_count(); ++i) number -= idealisations_[i]->guard_count();
    return Guard{idealisations_[i].get(), number};
  }

  // A step in pieces short enough that guards are looked at a thousand times a run, and around every pulse of a law of time: what
  // rows carry may change while nothing moves.
  std::vector<EventCrossing> locate_events(double t0, double t1) {
    if (locator_.memory().size() == model_.events().size()) {
      const std::span<const double> polynomials = system_.compute_event_series(t0, steps_.last().step_series());
      return polynomials.empty() ? locator_.locate(steps_.last(), t0, t1) : locator_.locate(polynomials, t0, t1);
    }
    constexpr double kLooks = 125, kSamplesOfRun = 64000;
    const double span = std::abs(options_.until - point_.start_t), pieces = std::ceil(std::abs(t1 - t0) * kLooks / span);
    std::vector<EventCrossing> crossings;
    double begin = t0;
    const auto locate_until = [&](double end) {
      for (const EventCrossing& crossing : locator_.locate(steps_.last(), begin, end)) crossings.push_back(crossing);
      begin = end;
    };
    for (double k = 1; k <= pieces; ++k) {
      const double end = k == pieces ? t1 : t0 + (t1 - t0) * k / pieces;
      if (pulses_.has_laws()) {
        for (double t : pulses_.find(begin, end, span / kSamplesOfRun, steps_.seen_at(begin))) locate_until(t);
      }
      locate_until(end);
    }
    return crossings;
  }

  Cut tell_events(double t0, double t1) {
    Cut cut{t1, {}};
    for (const EventCrossing& crossing : locate_events(t0, t1)) {
      if (const auto guard = guard_of(crossing.event)) {
        const bool falls = crossing.direction == (runs_forward() ? -1 : 1);
        if (!falls && crossing.direction == 0) continue;
        const Idealisation::Passed passed =
            guard->of->pass(guard->number, t0, crossing.t, falls, [this](double t) { return steps_.on_rows_at(t); });
        double t = passed.decide_at.value_or(crossing.t);
        if (passed.decide_at == crossing.t) t = refine(crossing, t0, t1);
        if (passed.event && (!passed.decide_at || ends_run(passed.event->name()))) tell(t, *passed.event, crossing.direction);
        if (passed.decide_at) cut.guard = guard;
        if (stopped_ || passed.decide_at) cut.t = t;
      } else {
        tell(crossing.t, model_.events()[crossing.event].name, crossing.direction);
        if (stopped_) cut.t = crossing.t;
      }
      if (stopped_ || cut.guard) break;
    }
    const std::optional<double> singular = steps_.singular_time();
    if (singular && (cut.t - *singular) * (t1 - t0) >= 0) {
      point_.events.push_back({*singular, "singular", "singular", "", 0});
      point_.singular_times.push_back(*singular);
      if (ends_run("singular")) stopped_ = true, cut.t = *singular;
    }
    return cut;
  }

  // The zero of a guard by steps that end there: the continuous solution is less exact than the steps are.
  double refine(const EventCrossing& crossing, double t0, double t1) {
    constexpr int kMost = 3;
    std::vector<double> g(locator_.memory().size());
    const auto value = [&](double t, std::span<const double> y) {
      evaluate_events(t, y, g);
      return g[crossing.event];
    };
    const double small = (t1 - t0) / 1024, before = crossing.t - small;
    if ((before - t0) * (t1 - t0) <= 0) return crossing.t;
    std::vector<double> y(system_.dimension());
    steps_.last().interpolate(before, y);
    const double g_before = value(before, y);
    steps_.last().interpolate(crossing.t, y);
    const double slope = (value(crossing.t, y) - g_before) / small;
    double t = crossing.t;
    for (int i = 0; slope != 0 && i < kMost; ++i) {
      steps_.reach(t);
      const double shift = -value(t, steps_.values()) / slope;
      if (!(std::abs(shift) <= std::abs(small))) return crossing.t;
      if (t + shift == t) break;
      t += shift;
      if ((t - t0) * (t1 - t) < 0) return crossing.t;
    }
    return t;
  }

  // One more look, at a time within the step.
  void look_at(double t) {
    std::vector<double> y(system_.dimension()), g(locator_.memory().size());
    steps_.last().interpolate(t, y);
    evaluate_events(t, y, g);
  }

  bool runs_forward() const { return options_.until >= point_.start_t; }

  bool ends_run(const std::string& event) const {
    return options_.stop_at == event || options_.stop_at == event.substr(0, event.find(':'));
  }

  void tell(double t, const std::string& of_model, int direction) {
    point_.events.push_back({t, of_model, "event", of_model, direction});
    stopped_ = stopped_ || ends_run(of_model);
  }
  void tell(double t, const ElementEvent& event, int direction) {
    point_.events.push_back({t, event.name(), event.kind, event.subject, direction, event.face, event.direction});
    stopped_ = stopped_ || ends_run(event.name());
    for (const auto& idealisation : idealisations_) idealisation->hear(event, t);
  }

  // Modes may change ever faster, but not without end.
  bool is_endless(double t) {
    const double window = accumulation_window(std::abs(options_.until - point_.start_t));
    if (point_.switches == 0 || std::abs(t - point_.switches_since) > window) point_.switches = 0, point_.switches_since = t;
    return ++point_.switches > kMostSwitches;
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
    for (const auto& idealisation : idealisations_) {
      if (auto failure = idealisation->begin(state, [&](const ElementEvent& event) { tell(state.t, event, -1); })) return failure;
    }
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
    if (auto failure = guard.of->decide(guard.number, state, tell_change)) {
      tell_all();
      return failure;
    }
    for (const auto& idealisation : idealisations_) {
      if (idealisation.get() == guard.of) continue;
      if (auto failure = idealisation->follow_change(state, tell_change)) return failure;
    }
    tell_all();
    const std::string subject = changes.empty() ? "" : changes.back().subject;
    if (endless) {
      if (auto failure = cross_stretch(state, subject)) return failure;
    }
    rest_.reset();
    point_.modes = system_.constraints().modes;
    const double after = compute_energy(model_, state, workspace_).total();
    if ((state.t - options_.until) * (options_.until - point_.start_t) > 0) state.t = options_.until;
    const IntegratorState from{state.t, system_.pack(state, work + after - before), 0, {}};
    steps_.start(from);
    restart_events(state.t, from.y);
    return std::nullopt;
  }

  void restart_events(double t, std::span<const double> y) {
    locator_.restart(t, y);
    std::vector<double> memory = locator_.memory();
    size_t next = model_.events().size();
    for (const auto& idealisation : idealisations_) {
      idealisation->count_looks(
          t, t, [](double) {}, [&](double) { return system_.unpack(t, y); });
      idealisation->begin_above_zero(std::span(memory).subspan(next, idealisation->guard_count()));
      next += idealisation->guard_count();
    }
    locator_.restore(t, std::move(memory));
  }

  void keep_on_rows(double t) {
    steps_.keep_on_rows(t);
    if (!system_.is_plain_tree() && steps_.regularity() < point_.least_regularity)
      point_.least_regularity = steps_.regularity(), point_.least_regularity_t = t;
  }

  static Failure at_time(Failure failure, double t) {
    failure.message = fmt::format("after t = {:g} s: {}", t, failure.message);
    return failure;
  }

  std::optional<Failure> add_outputs(Moment& moment, Sample& sample) {
    if (model_.outputs().columns.empty() || !outputs_.compute(moment)) return std::nullopt;
    sample.outputs.assign(outputs_.columns().begin(), outputs_.columns().end());
    return check_outputs(model_, sample.outputs, moment.t());
  }

  // The dynamics of a sample; with rows also their multipliers.
  Outcome<Sample> compute_sample(const State& state) {
    Sample sample;
    sample.state = state;
    sample.multipliers.assign(model_.rows().size() - model_.driven().size(), 0.0);
    if (system_.is_plain_tree()) {
      Outcome<ForwardDynamics> dynamics = compute_forward_dynamics(model_, state, workspace_);
      if (!dynamics) return dynamics.failure();
      sample.dynamics = std::move(*dynamics);
      Moment moment = look(state);
      if (auto failure = add_outputs(moment, sample)) return *failure;
    } else {
      Outcome<ConstrainedDynamics> dynamics =
          system_.at_rest() ? rest_dynamics(state)
          : system_.sticks()
              ? compute_held_dynamics(system_.constraints(), state, workspace_)
              : compute_constrained_dynamics(system_.constraints(), state, workspace_, &system_.sparse_constraints());
      if (!dynamics) return at_time(dynamics.failure(), state.t);
      sample.dynamics = std::move(dynamics->dynamics);
      for (size_t i = 0; i < system_.constraints().rows.size(); ++i) {
        const size_t row = system_.constraints().rows[i].index;
        if (row < sample.multipliers.size())
          sample.multipliers[row] = dynamics->solution.multipliers[static_cast<Eigen::Index>(i)];
      }
      for (const ContactForces::Slip& slip : dynamics->forces.slips) sample.multipliers[slip.row] = slip.force;
      fill_forces_in_place(system_.constraints(), *dynamics, sample.multipliers);
      sample.quantities = compute_row_quantities(system_.constraints(), *dynamics);
      Moment moment(system_.constraints(), state, workspace_, *dynamics);
      if (auto failure = add_outputs(moment, sample)) return *failure;
    }
    sample.energy = compute_energy(model_, state, workspace_);
    if (auto overflow = find_overflow(model_, sample)) return at_time(*overflow, state.t);
    return sample;
  }

  // False, with a reason, if the dynamics has no answer at this state.
  bool emit_sample(const State& state) {
    Outcome<Sample> sample = compute_sample(state);
    if (!sample) {
      failure_ = sample.failure();
      return false;
    }
    sample->index = point_.next_sample++;
    listener_.on_sample(*sample);
    point_.last_sampled_t = state.t;
    return true;
  }

  // At the end of a step: the inertia every motion meets, which multipliers are determined, and what idealisations see.
  void watch_dynamics(const State& state) {
    WeakestInertia weakest;
    Moment moment = look(state);
    if (system_.is_plain_tree()) {
      weakest = find_weakest_inertia(model_, state, workspace_);
    } else if (const ConstrainedDynamics* dynamics = moment.solution()) {
      for (size_t i = 0; i < system_.constraints().rows.size(); ++i) {
        if (!dynamics->solution.analysis.determinate[i]) point_.undetermined[system_.constraints().rows[i].index] = true;
      }
      weakest = {dynamics->dynamics.weakest_velocity, dynamics->dynamics.weakest_ratio};
    } else {
      return;
    }
    for (const auto& idealisation : idealisations_) idealisation->look_at_end(moment, runs_forward());
    if (weakest.ratio >= point_.weakest_ratio) return;
    point_.weakest_ratio = weakest.ratio;
    point_.weakest_velocity = weakest.velocity;
    point_.weakest_t = state.t;
  }

  void watch_constraints(const State& state) {
    if (system_.is_plain_tree()) return;
    const auto rows = compute_row_values(system_.constraints(), state);
    if (!rows) return;
    for (size_t i = 0; i < rows->gap.size(); ++i) {
      const int row = system_.constraints().rows[i].index;
      if (rows->gap[i]) point_.worst_position[row] = std::max(point_.worst_position[row], std::abs(*rows->gap[i]));
      point_.worst_velocity[row] = std::max(point_.worst_velocity[row], std::abs(rows->rate[static_cast<Eigen::Index>(i)]));
    }
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

  // The balance of the energy, then what was found.
  std::vector<double> compute_integrals(const State& state, double energy_balance) {
    std::vector<double> values(1 + monitor_.integrals().size(), energy_balance);
    if (values.size() > 1) monitor_.compute(state, workspace_, std::span(values).subspan(1));
    return values;
  }

  void watch_integrals(const State& state, std::span<const double> y) {
    const Energy energy = compute_energy(model_, state, workspace_);
    point_.energy_scale = std::max({point_.energy_scale, energy.kinetic, std::abs(system_.work(y))});
    point_.energy_size = std::max(point_.energy_size, energy.size + std::abs(system_.work(y)));
    const std::vector<double> values = compute_integrals(state, energy.total() - system_.work(y));
    for (size_t i = 0; i < values.size(); ++i) {
      IntegralDrift& integral = point_.integrals[i];
      const double departure = std::abs(values[i] - integral.start);
      integral.drift = std::max(integral.drift, std::isnan(departure) ? HUGE_VAL : departure);
    }
  }

  // The larger of those at the start and at the end, with the largest exchange of energy on the way; and with all that could have
  // been exchanged, by gravity too: forces that balance leave the round-off of their impulses.
  std::vector<IntegralSize> sizes_of_integrals(const State& final) {
    const double fall = norm(model_.gravity()) * (final.t - start_.t);
    double mass = 0;
    for (const Body& body : model_.bodies()) mass += body.mass;
    const auto sizes = [&](double energy) {
      std::vector<double> values = monitor_.compute_sizes(start_, energy, workspace_);
      const std::vector<double> at_end = monitor_.compute_sizes(final, energy, workspace_);
      for (size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], at_end[i]);
      return values;
    };
    const std::vector<double> exchanged = sizes(point_.energy_scale), all = sizes(point_.energy_size + 0.5 * mass * fall * fall);
    std::vector<IntegralSize> list;
    for (size_t i = 0; i < all.size(); ++i) list.push_back({exchanged[i], all[i]});
    return list;
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
    if (restart) steps_.restart();
    if (!restart && !anywhere) return;
    if (restart) listener_.on_restart(here());
    if (listener_.wants_checkpoint()) listener_.on_checkpoint(here());
  }

  const Checkpoint& here() {
    point_.integrator = steps_.state();
    point_.event_memory = locator_.memory();
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
    Moment at_end = look(final);
    if (auto values = list_outputs(at_end)) result.outputs = std::move(*values);
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
    if (auto verdict = judge_integrals(model_, options_, point_, watched_, sizes_of_integrals(final)))
      result.verdicts.push_back(std::move(*verdict));
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
  IntegralMonitor monitor_;
  std::vector<std::unique_ptr<Idealisation>> idealisations_;
  LawPulses pulses_;
  OutputValues outputs_;
  bool events_name_quantities_;
  EventLocator locator_;
  Checkpoint point_;
  std::optional<Failure> failure_;
  bool stopped_ = false;  // at the event asked for
  std::optional<Outcome<ConstrainedDynamics>> rest_, held_;
  std::vector<double> corrected_, expression_;
  State seen_;                    // the moment guards are asked about,
  ConstrainedDynamics solution_;  // and its solution
};

// One list, whoever shows it.
void finish_verdicts(RunResult& result) {
  pass_gate(result);
  sort_by_gravity(result.verdicts);
}

}  // namespace

Outcome<RunResult> run_simulation(const Model& model, const State& start, const RunOptions& options, RunListener& listener,
                                  const Checkpoint* from) {
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
  finish_verdicts(result);
  return result;
}

}  // namespace vinculum
