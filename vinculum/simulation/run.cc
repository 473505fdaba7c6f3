// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/singular_position.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/series_laws.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/integration/events.h"
#include "vinculum/integration/switching.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/simulation/contact_switching.h"
#include "vinculum/simulation/law_pulses.h"
#include "vinculum/simulation/run_verdicts.h"
#include "vinculum/simulation/singular_crossing.h"
#include "vinculum/simulation/surface_watch.h"
#include "vinculum/simulation/watched_integrals.h"

namespace vinculum {

namespace {

// Integrators that cannot be resumed anywhere start anew after so many steps, in every run alike: there a checkpoint is possible.
constexpr long kStepsBetweenRestarts = 500;

double sample_interval(const RunOptions& options, double start) {
  return options.every > 0 ? options.every : std::abs(options.until - start) / 1000;
}

// Where an integrator does not let itself be corrected, something must keep the contacts all the same.
Baumgarte choose_baumgarte(const std::string& integrator, const RunOptions& options) {
  constexpr double kDefault = 20;
  const bool correctable = make_integrator(integrator)->accepts_correction();
  return {options.baumgarte > 0 || correctable ? options.baumgarte : kDefault};
}

// The first quantity of a sample that is not a number any more.
std::optional<Failure> find_overflow(const Model& model, const Sample& sample) {
  const auto first = [](const std::vector<double>& values, const std::vector<std::string>& names,
                        const std::string& what) -> std::optional<Failure> {
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) return beyond_all_numbers(i < names.size() ? fmt::format("{} {}", what, names[i]) : what);
    }
    return std::nullopt;
  };
  if (auto failure = first(sample.state.q, model.coordinate_names(), "the coordinate")) return failure;
  if (auto failure = first(sample.state.v, model.velocity_names(), "the velocity")) return failure;
  if (auto failure = first(sample.dynamics.accelerations, model.velocity_names(), "the acceleration of")) return failure;
  if (auto failure = first(sample.dynamics.driving_forces, {}, "the force of a drive")) return failure;
  for (size_t i = 0; i < sample.dynamics.reactions_W.size(); ++i) {
    const auto& [f, m] = sample.dynamics.reactions_W[i];
    for (const double part : {f.x, f.y, f.z, m.x, m.y, m.z}) {
      if (!std::isfinite(part))
        return beyond_all_numbers(fmt::format("the reaction of the joint of body '{}'", model.bodies()[i].name));
    }
  }
  for (const auto* values : {&sample.multipliers, &sample.law_forces, &sample.slips}) {
    if (auto failure = first(*values, {}, "a reaction or a slip of a contact")) return failure;
  }
  if (!std::isfinite(sample.energy.kinetic)) return beyond_all_numbers("the kinetic energy");
  if (!std::isfinite(sample.energy.potential)) return beyond_all_numbers("the potential energy");
  return std::nullopt;
}

// One run: the integrator advances, samples and events are read off its continuous solution, monitors watch.
class Run {
 public:
  Run(const Model& model, const State& start, const RunOptions& options, RunListener& listener, const Checkpoint* from)
      : model_(model),
        options_(options),
        listener_(listener),
        choice_(choose_integrator(model, start, options, [&listener] { return listener.wants_to_stop(); })),
        system_(model, choose_baumgarte(choice_.name, options), options.unilateral),
        workspace_(model),
        integrator_(std::make_unique<Switching>(make_integrator(choice_.name))),
        integrator_options_(integrator_options(options, [&listener] { return listener.wants_to_stop(); })),
        watched_(find_watched(model, start, system_.constraints(), options, listener, from ? &from->integrals : nullptr)),
        monitor_(model, watched_ ? *watched_ : std::vector<Integral>{}),
        contacts_(system_, model, options.unilateral, options.tolerance),
        crossing_(system_),
        watcher_(system_.constraints()),
        surfaces_(system_.constraints()),
        pulses_(model),
        locator_(static_cast<int>(model.events().size()) + contacts_.count() + watcher_.count(), system_.dimension(),
                 [this](double t, std::span<const double> y, std::span<double> g) { evaluate_events(t, y, g); }) {
    system_.expect_run(start, options.until, options.tolerance);
    values_.resize(system_.dimension());
    for (const RowLabel& row : system_.constraints().rows) row_names_.push_back(row.name);
  }

  std::optional<Failure> release_contacts(State& state) { return contacts_.release(state); }

  std::optional<Failure> choose_rows(const State& state) { return system_.choose_rows(state); }

  void start(const State& state) {
    point_.start_t = state.t;
    point_.integrator.t = state.t;
    point_.integrator.y = system_.pack(state, 0);
    point_.integrals = {{system_.counts_work() ? "E - W" : "E", "J"}};
    for (const Integral& integral : monitor_.integrals()) point_.integrals.push_back({integral.name, integral.unit});
    const std::vector<double> values = compute_integrals(state, compute_energy(model_, state, workspace_).total());
    for (size_t i = 0; i < values.size(); ++i) point_.integrals[i].start = values[i];
    point_.contacts.resize(system_.constraints().contacts.size());
    point_.worst_position.resize(row_names_.size(), -1);
    point_.worst_velocity.resize(row_names_.size());
    point_.holding = system_.holding();
    integrator_->start(system_, point_.integrator, integrator_options_);
    restart_events(state.t, point_.integrator.y);
    if (system_.has_contacts()) crossing_.begin(state.t, point_.integrator.y);
    watch_dynamics(state);
    surfaces_.look(
        state.t, state.t, [&](double) { return state; }, point_.contacts);
  }

  // Refused if anything in it has another size than the model gives it: then it is the checkpoint of something else.
  std::optional<Failure> resume(const Checkpoint& from) {
    const Failure misfit{"VN-RUN-140", "", "start the run again"};
    const auto refuse = [&](std::string_view what, size_t found, size_t wanted) {
      Failure failure = misfit;
      failure.message = fmt::format("the checkpoint does not fit the model: {} {} where there must be {}", found, what, wanted);
      return failure;
    };
    const size_t contacts = system_.constraints().contacts.size(), rows = row_names_.size();
    const std::tuple<std::string_view, size_t, size_t> sizes[] = {
        {"values of the state", from.integrator.y.size(), system_.dimension()},
        {"values of events", from.event_memory.size(), model_.events().size() + contacts_.count() + watcher_.count()},
        {"contacts", from.contacts.size(), contacts},
        {"contacts that hold or not", from.holding.size(), contacts},
        {"rows that say nothing new", from.left_out.size(), system_.left_out().size()},
        {"residuals of position", from.worst_position.size(), rows},
        {"residuals of velocity", from.worst_velocity.size(), rows},
    };
    for (const auto& [what, found, wanted] : sizes) {
      if (found != wanted) return refuse(what, found, wanted);
    }
    if (from.weakest_velocity < -1 || from.weakest_velocity >= model_.tree().velocities || from.next_sample < 0 ||
        from.steps < 0 || from.rejected < 0 || from.evaluations < 0) {
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
    system_.hold(point_.holding);
    system_.leave_out(point_.left_out);
    integrator_->start(system_, point_.integrator, integrator_options_);
    locator_.restore(point_.integrator.t, point_.event_memory);
    if (system_.has_contacts()) crossing_.begin(point_.integrator.t, point_.integrator.y);
    const size_t memory = integrator_->state().memory.size();
    if (memory != from.integrator.memory.size())
      return refuse("values of the step-size control", from.integrator.memory.size(), memory);
    return std::nullopt;
  }

  RunResult go() {
    RunResult result;
    State now = present();
    if (point_.next_sample == 0 && !emit_sample(now)) return finish(result, RunResult::End::failed, now);
    if (!integrator_->resumable_anywhere()) listener_.on_restart(here());

    while (now.t != options_.until) {
      const Outcome<StepReport> step = advance();
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

      // Events of this step; the run may end at one.
      // Reactions have no polynomial here: where contacts can lift off, events are found on the continuous solution.
      const std::span<const double> polynomials =
          contacts_.count() == 0 ? system_.compute_event_series(step->t0, stepper_->step_series()) : std::span<const double>{};
      const std::vector<EventCrossing> crossings =
          polynomials.empty() ? locate_events(step->t0, step->t1) : locator_.locate(polynomials, step->t0, step->t1);
      double end_of_step = step->t1;
      int switched = -1;
      for (const EventCrossing& crossing : crossings) {
        if (is_slip(crossing)) watcher_.note_slip(grip_of(crossing.event), crossing.t, runs_forward(), point_.contacts);
        if (!is_told(crossing)) continue;
        const std::string name = event_name(crossing.event);
        if (options_.unilateral) switched = contact_of(crossing.event);
        end_of_step = switched < 0 || system_.holding()[switched]
                          ? crossing.t
                          : contacts_.find_touch(switched, step->t0, crossing.t, [&](double t) { return interpolated(t); });
        if (switched < 0 || ends_run(name)) tell(end_of_step, contact_of(crossing.event), name, crossing.direction);
        if (stopped_ || switched >= 0) break;
        end_of_step = step->t1;
      }
      if (singular_ && (end_of_step - *singular_) * (step->t1 - step->t0) >= 0) {
        tell_singular(*singular_);
        if (stopped_) end_of_step = *singular_;
      }
      if (contacts_.count() > 0)
        watcher_.count_looks(
            step->t0, end_of_step, [this](double t) { look_at(t); }, point_.contacts);
      if (surfaces_.has_contacts())
        surfaces_.look(
            step->t0, end_of_step, [this](double t) { return seen_at(t); }, point_.contacts);
      if (!emit_samples_until(step->t0, end_of_step)) return finish(result, RunResult::End::failed, now);
      if (stopped_) {
        now = interpolated(end_of_step);
        watch_integrals(now, values_);
        emit_sample(now);
        return finish(result, RunResult::End::stopped_at_event, now);
      }

      if (switched < 0) {
        keep_on_manifold(step->t1);
        if (auto failure = system_.check_left_out(present())) {
          result.failure = at_time(*failure, now.t);
          return finish(result, RunResult::End::failed, now);
        }
      } else if (auto failure = switch_contact(switched, end_of_step)) {
        result.failure = at_time(*failure, end_of_step);
        return finish(result, RunResult::End::failed, now);
      }
      now = present();
      watch_integrals(now, integrator_->state().y);
      watch_constraints(now);
      watch_dynamics(now);
      listener_.on_step(now.t);
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
  // The model's events, then those of contacts that can lift off, then the guards of friction: all of contacts from one solution.
  void evaluate_events(double t, std::span<const double> y, std::span<double> g) {
    const Bindings bindings{t, y.first(model_.tree().coordinates),
                            y.subspan(model_.tree().coordinates, model_.tree().velocities)};
    const size_t own = model_.events().size(), lifting = contacts_.count();
    for (size_t i = 0; i < own; ++i) g[i] = evaluate(model_.events()[i].function, bindings, expression_);
    if (lifting == 0) return;
    // Rows that depend on each other may do so on the constraints only.
    corrected_.assign(y.begin(), y.end());
    const std::vector<bool>& left_out = system_.left_out();
    if (std::find(left_out.begin(), left_out.end(), true) != left_out.end()) system_.correct(t, corrected_);
    const State state = system_.unpack(t, corrected_);
    const auto dynamics = compute_contact_reactions(system_.constraints(), state, workspace_, &system_.sparse_constraints());
    contacts_.evaluate(state, y, dynamics, g.subspan(own, lifting));
    if (dynamics) {
      watcher_.evaluate(*dynamics, t, g.subspan(own + lifting));
    } else {
      std::fill(g.begin() + static_cast<std::ptrdiff_t>(own + lifting), g.end(), 1.0);
    }
  }

  // A step in pieces short enough that contacts are looked at a thousand times a run, and around every pulse of a law of time:
  // what they carry may change while nothing moves.
  std::vector<EventCrossing> locate_events(double t0, double t1) {
    if (contacts_.count() == 0) return locator_.locate(*stepper_, t0, t1);
    constexpr double kLooks = 125, kSamplesOfRun = 64000;
    const double span = std::abs(options_.until - point_.start_t), pieces = std::ceil(std::abs(t1 - t0) * kLooks / span);
    std::vector<EventCrossing> crossings;
    double begin = t0;
    const auto locate_until = [&](double end) {
      for (const EventCrossing& crossing : locator_.locate(*stepper_, begin, end)) crossings.push_back(crossing);
      begin = end;
    };
    for (double k = 1; k <= pieces; ++k) {
      const double end = k == pieces ? t1 : t0 + (t1 - t0) * k / pieces;
      if (pulses_.has_laws()) {
        for (double t : pulses_.find(begin, end, span / kSamplesOfRun, seen_at(begin))) locate_until(t);
      }
      locate_until(end);
    }
    return crossings;
  }

  // One more look at the contacts, at a time within the step.
  void look_at(double t) {
    std::vector<double> y(values_.size()), g(locator_.memory().size());
    stepper_->interpolate(t, y);
    evaluate_events(t, y, g);
  }
  State seen_at(double t) {
    stepper_->interpolate(t, values_);
    return system_.unpack(t, values_);
  }

  bool runs_forward() const { return options_.until >= point_.start_t; }

  // The number among the guards of friction of this event, or a negative one.
  int grip_of(int event) const { return event - static_cast<int>(model_.events().size()) - contacts_.count(); }
  bool is_slip(const EventCrossing& crossing) const {
    return grip_of(crossing.event) >= 0 && crossing.direction == (runs_forward() ? -1 : 1);
  }

  // The contact whose event this is, or -1.
  int contact_of(int event) const {
    const int own = static_cast<int>(model_.events().size());
    return event < own || grip_of(event) >= 0 ? -1 : contacts_.contact(event - own);
  }

  std::string event_name(int event) const {
    const int contact = contact_of(event);
    if (contact < 0) return model_.events()[event].name;
    return switch_name(system_.constraints().contacts[contact], system_.holding()[contact], options_.unilateral);
  }

  // Of contacts only the moment their function falls along the motion is an event; the guards of friction have a verdict.
  bool is_told(const EventCrossing& crossing) const {
    if (grip_of(crossing.event) >= 0) return false;
    return contact_of(crossing.event) < 0 || crossing.direction == (runs_forward() ? -1 : 1);
  }

  bool ends_run(const std::string& event) const {
    return options_.stop_at == event || options_.stop_at == event.substr(0, event.find(':'));
  }

  // An event, and the moment a contact begins to pull or lets go.
  void tell(double t, int contact, const std::string& name, int direction) {
    point_.events.push_back({t, name, direction});
    stopped_ = stopped_ || ends_run(name);
    if (contact < 0 || name.starts_with("touch-down")) return;
    ContactWatch& watch = point_.contacts[contact];
    double& first = options_.unilateral ? watch.first_release : watch.first_pull;
    if (first == ContactWatch::kNever) first = t;
  }

  // Letting go and touching down may follow each other ever faster, but not without end.
  bool is_endless(double t) {
    constexpr int kMost = 200;
    const double window = 1e-4 * std::abs(options_.until - point_.start_t);
    if (point_.switches == 0 || std::abs(t - point_.switches_since) > window) point_.switches = 0, point_.switches_since = t;
    return ++point_.switches > kMost;
  }

  // A contact loses its push or touches down, and all are decided anew: the run goes on from there as from a start. An impact's
  // energy is counted as work.
  std::optional<Failure> switch_contact(int contact, double t) {
    if (is_endless(t))
      return Failure{
          "VN-CONTACT-016",
          fmt::format("contact '{}' lets go and touches down without end", system_.constraints().contacts[contact].name),
          "run without `--contacts unilateral`, or give the contact a stiffness by `laws`"};
    State state = interpolated(t);
    const double before = compute_energy(model_, state, workspace_).total(), work = system_.work(values_);
    const auto tell_switch = [&](int which, bool lifts_off) {
      tell(t, which, switch_name(system_.constraints().contacts[which], lifts_off, true), -1);
    };
    if (auto failure = contacts_.switch_contact(contact, state, tell_switch)) return failure;
    point_.holding = system_.holding();
    const double after = compute_energy(model_, state, workspace_).total();
    const IntegratorState from{t, system_.pack(state, work + after - before), 0, {}};
    integrator_->start(system_, from, integrator_options_);
    restart_events(t, from.y);
    crossing_.begin(t, from.y);
    return std::nullopt;
  }

  void restart_events(double t, std::span<const double> y) {
    locator_.restart(t, y);
    if (contacts_.count() > 0) watcher_.count_looks(t, t, {}, point_.contacts);
    std::vector<double> memory = locator_.memory();
    contacts_.begin_above_zero(std::span(memory).subspan(model_.events().size()));
    locator_.restore(t, std::move(memory));
  }

  State present() const {
    const IntegratorState state = integrator_->state();
    return system_.unpack(state.t, state.y);
  }

  State interpolated(double t) {
    constexpr double kMostCorrection = 1e4;
    stepper_->interpolate(t, values_);
    const std::vector<double> found = values_;
    system_.correct(t, values_);
    if (correction(found, values_, options_.tolerance) > kMostCorrection)
      values_ = found;  // another branch, near a singular position
    return system_.unpack(t, values_);
  }

  // The root mean square of what a projection has changed, beside the error that is allowed in a step.
  static double correction(std::span<const double> found, std::span<const double> corrected, double tolerance) {
    double squares = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      const double ratio = (corrected[i] - found[i]) / (tolerance * (1 + std::abs(found[i])));
      squares += ratio * ratio;
    }
    return found.empty() ? 0 : std::sqrt(squares / static_cast<double>(found.size()));
  }

  // The end of a step, put on the constraints. False if they ask for more than an error of the step: then it is no motion of
  // theirs.
  bool leads_to_manifold(const Integrator& stepper, double t, double tolerance) {
    constexpr double kMostCorrection = 10;
    const std::vector<double> found = stepper.state().y;
    end_ = found;
    if (!stepper.accepts_correction()) return true;
    system_.correct(t, end_);
    return system_.was_kept() && correction(found, end_, tolerance) <= kMostCorrection;
  }

  // One step of the integrator. With constraints it is one whose end is on them; near a singular position another one takes it.
  Outcome<StepReport> advance() {
    constexpr int kMostAttempts = 40;
    stepper_ = integrator_.get();
    singular_.reset();
    shortened_ = false;
    if (!system_.has_contacts()) return integrator_->advance(options_.until);
    const IntegratorState before = integrator_->state();
    double span = options_.until - before.t;
    int rejected = 0;
    for (int attempt = 0;; ++attempt) {
      system_.reset_regularity();
      Outcome<StepReport> step = integrator_->advance(options_.until);
      if (!step && step.failure().code == kStopped) return step;
      if (step) span = step->t1 - step->t0;
      const bool leads = step && leads_to_manifold(*integrator_, step->t1, options_.tolerance);
      const bool near = !step || crossing_.comes_near(*integrator_, step->t0, step->t1, end_);
      if (step && !integrator_->accepts_correction() && crossing_.is_lost())
        return Failure{
            "VN-CONTACT-101",
            fmt::format("the rows lose rank near t = {:g} s, and {} does not keep the constraints well enough to pass there",
                        step->t1, integrator_->name()),
            "take --integrator dop853 or taylor"};
      if (leads && (!near || (!integrator_->step_series().empty() && crossing_.ends_clear()))) {
        crossing_.accept();
        if (near) singular_ = crossing_.find_singular_time(*integrator_, step->t0, step->t1);
        step->rejected += rejected;
        return step;
      }
      if (near) {
        const std::vector<double> end = end_;
        const auto crossed = crossing_.cross(before, options_.until, span, options_.tolerance);
        if (crossed && leads_to_manifold(crossing_.stepper(), crossed->t1, crossing_.allowed_error(options_.tolerance))) {
          stepper_ = &crossing_.stepper();
          singular_ = crossing_.find_singular_time(*stepper_, crossed->t0, crossed->t1);
          crossing_.accept();
          return *crossed;
        }
        end_ = end;
      }
      if (!step) return step;
      if (leads) {  // near, but nothing is lost
        crossing_.comes_near(*integrator_, step->t0, step->t1, end_);
        crossing_.accept();
        singular_ = crossing_.find_singular_time(*integrator_, step->t0, step->t1);
        return step;
      }
      rejected += 1 + step->rejected;
      if (attempt == kMostAttempts)
        return Failure{
            "VN-CONTACT-101",
            fmt::format("no step leads on from t = {:g} s: the velocities would have to jump (regularity of the rows {:.2g})",
                        before.t, crossing_.regularity()),
            "the mechanism locks, or comes to a singular position too slowly to pass it; see `check` with this state"};
      IntegratorOptions shorter = integrator_options_;
      shorter.largest_step = 0.5 * std::abs(span);
      integrator_->start(system_, before, shorter);
      shortened_ = true;
    }
  }

  // After a step across a singular position, or a shortened one, the integrator starts anew from its end.
  void keep_on_manifold(double t) {
    if (!system_.has_contacts()) {
      if (!integrator_->accepts_correction()) return;
      values_ = integrator_->state().y;
      if (system_.correct(t, values_)) integrator_->correct(values_);
      return;
    }
    if (stepper_ != integrator_.get() || shortened_) {
      integrator_->start(system_, {t, end_, 0, {}}, integrator_options_);
    } else if (integrator_->accepts_correction()) {
      integrator_->correct(end_);
    }
    if (crossing_.regularity() < point_.least_regularity)
      point_.least_regularity = crossing_.regularity(), point_.least_regularity_t = t;
  }

  void tell_singular(double t) {
    tell(t, -1, "singular", 0);
    point_.singular_times.push_back(t);
  }

  static Failure at_time(Failure failure, double t) {
    failure.message = fmt::format("after t = {:g} s: {}", t, failure.message);
    return failure;
  }

  // The dynamics of a sample; with contacts also their multipliers.
  Outcome<Sample> compute_sample(const State& state) {
    Sample sample;
    sample.state = state;
    if (!system_.has_contacts()) {
      Outcome<ForwardDynamics> dynamics = compute_forward_dynamics(model_, state, workspace_);
      if (!dynamics) return dynamics.failure();
      sample.dynamics = std::move(*dynamics);
    } else {
      Outcome<ConstrainedDynamics> dynamics =
          compute_constrained_dynamics(system_.constraints(), state, workspace_, &system_.sparse_constraints());
      if (!dynamics) return at_time(dynamics.failure(), state.t);
      sample.dynamics = std::move(dynamics->dynamics);
      // Contacts that have let go have multipliers 0.
      sample.multipliers.assign(row_names_.size() - model_.driven().size(), 0.0);
      for (size_t i = 0; i < system_.constraints().rows.size(); ++i) {
        const RowLabel& row = system_.constraints().rows[i];
        if (row.contact >= 0) sample.multipliers[row.index] = dynamics->solution.multipliers[static_cast<Eigen::Index>(i)];
      }
      for (const ContactForces::Law& law : dynamics->forces.laws) sample.law_forces.push_back(law.force);
      for (const ContactAxisName& slip : list_slip_axes(system_.constraints().contacts))
        sample.slips.push_back(dynamics->rows.contacts[slip.contact].rate[static_cast<int>(slip.axis)]);
      sample.holding = system_.holding();
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

  // The inertia every motion meets; and which reactions are determined, where no search for events looks at the contacts.
  void watch_dynamics(const State& state) {
    WeakestInertia weakest;
    if (system_.has_contacts()) {
      const auto dynamics = compute_contact_reactions(system_.constraints(), state, workspace_, &system_.sparse_constraints());
      if (!dynamics) return;
      watch_contacts(system_.constraints(), *dynamics, state.t, point_.contacts, runs_forward());
      weakest = {dynamics->dynamics.weakest_velocity, dynamics->dynamics.weakest_ratio};
    } else {
      weakest = find_weakest_inertia(model_, state, workspace_);
    }
    if (weakest.ratio >= point_.weakest_ratio) return;
    point_.weakest_ratio = weakest.ratio;
    point_.weakest_velocity = weakest.velocity;
    point_.weakest_t = state.t;
  }

  void watch_constraints(const State& state) {
    if (!system_.has_contacts()) return;
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
      if (!emit_sample(interpolated(t))) return false;
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
      integral.drift = std::max(integral.drift, std::abs(values[i] - integral.start));
    }
  }

  void offer_checkpoint() {
    const bool restart = !integrator_->resumable_anywhere() && point_.steps % kStepsBetweenRestarts == 0;
    if (restart) {
      IntegratorState state = integrator_->state();
      system_.correct(state.t, state.y);
      integrator_->start(system_, state, integrator_options_);
    }
    if (!restart && !integrator_->resumable_anywhere()) return;
    if (restart) listener_.on_restart(here());
    if (listener_.wants_checkpoint()) listener_.on_checkpoint(here());
  }

  const Checkpoint& here() {
    point_.integrator = integrator_->state();
    point_.event_memory = locator_.memory();
    point_.left_out = system_.left_out();
    return point_;
  }

  RunResult finish(RunResult& result, RunResult::End end, const State& final) {
    result.end = end;
    if (failure_) result.failure = failure_;
    result.integrator = integrator_->name();
    result.instead = choice_.instead;
    result.chosen_because = choice_.why;
    result.final = final;
    result.samples = point_.next_sample;
    result.steps = point_.steps;
    result.rejected = point_.rejected;
    result.evaluations = point_.evaluations;
    result.events = point_.events;
    result.conserved = monitor_.integrals();
    result.integrals = point_.integrals;
    if (!watched_) result.not_watched = watched_.failure();
    result.verdicts = judge_run(model_, system_.constraints(), options_, system_.keeps_by_projection(), point_);
    for (size_t i = 0; system_.has_contacts() && i < row_names_.size(); ++i) {
      const double position = point_.worst_position[i];
      result.residuals.push_back(
          {row_names_[i], position < 0 ? std::nullopt : std::optional(position), point_.worst_velocity[i]});
    }
    return std::move(result);
  }

  const Model& model_;
  const RunOptions& options_;
  RunListener& listener_;
  IntegratorChoice choice_;
  MotionSystem system_;
  Workspace workspace_;
  std::unique_ptr<Integrator> integrator_;
  IntegratorOptions integrator_options_;
  Outcome<std::vector<Integral>> watched_;
  IntegralMonitor monitor_;
  ContactSwitching contacts_;
  SingularCrossing crossing_;
  ContactWatcher watcher_;
  SurfaceWatcher surfaces_;
  LawPulses pulses_;
  EventLocator locator_;
  const Integrator* stepper_ = nullptr;  // of the last step: the integrator, or what took it across a singular position
  bool shortened_ = false;               // it was taken with a smaller step than the integrator's own
  std::optional<double> singular_;       // where rows lost rank in that step
  std::vector<double> end_;              // of it, on the constraints
  Checkpoint point_;
  std::optional<Failure> failure_;
  bool stopped_ = false;  // at the event asked for
  std::vector<double> values_, corrected_, expression_;
  std::vector<std::string> row_names_;  // of all rows, whether they hold or not
};

}  // namespace

std::optional<Failure> check_supported(const Model& model) {
  const std::vector<std::string> elements = model.unsupported();
  if (elements.empty()) return std::nullopt;
  std::string list = elements[0];
  for (size_t i = 1; i < std::min<size_t>(elements.size(), 5); ++i) list += ", " + elements[i];
  if (elements.size() > 5) list += fmt::format(" and {} more", elements.size() - 5);
  return Failure{"VN-RUN-001", fmt::format("not supported yet in the equations of motion: {}", list),
                 "the model file itself is sound; leave these elements out to compute the tree without them"};
}

namespace {

// Can a run start here: the constraints are obeyed, and the dynamics has an answer.
std::optional<Failure> check_start(const Model& model, const State& start, bool unilateral) {
  ConstraintSet constraints(model);
  if (unilateral) {
    if (auto failure = hold_what_touches(constraints, start)) return failure;
  }
  const auto rows = compute_constraint_rows(constraints, start);
  if (!rows) return rows.failure();
  if (auto violation = check_residuals(list_residuals(constraints, *rows), 1e-8)) return violation;
  Workspace workspace(model);
  if (auto singular = check_regular_position(constraints, start, workspace)) return singular;
  if (!constraints.contacts.empty()) {
    const auto dynamics = compute_constrained_dynamics(constraints, start, workspace);
    return dynamics ? std::nullopt : std::optional(dynamics.failure());
  }
  const auto dynamics = compute_forward_dynamics(model, start, workspace);
  return dynamics ? std::nullopt : std::optional(dynamics.failure());
}

}  // namespace

Outcome<RunResult> run_simulation(const Model& model, const State& start, const RunOptions& options, RunListener& listener,
                                  const Checkpoint* from) {
  if (const auto refusal = check_supported(model)) return *refusal;
  std::vector<std::string> names = integrator_names();
  names.insert(names.begin(), kChosenByModel);
  if (std::find(names.begin(), names.end(), options.integrator) == names.end()) {
    const std::string nearest = nearest_name(options.integrator, names);
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    return Failure{"VN-RUN-005", fmt::format("there is no integrator '{}'", options.integrator),
                   nearest.empty() ? "known are " + known : fmt::format("did you mean '{}'?", nearest)};
  }
  if (!options.stop_at.empty()) {
    std::vector<std::string> known;
    for (const EventDescription& event : model.events()) known.push_back(event.name);
    if (!model.description().contacts.empty()) known.push_back("singular");
    for (const Contact& contact : ConstraintSet(model).contacts) {
      if (!contact.can_lift_off()) continue;
      for (bool lifts_off : {true, false}) {
        const std::string name = switch_name(contact, lifts_off, options.unilateral);
        known.insert(known.end(), {name, name.substr(0, name.find(':'))});
      }
    }
    if (std::find(known.begin(), known.end(), options.stop_at) == known.end()) {
      const bool of_contacts = options.stop_at.starts_with("lift-off") || options.stop_at.starts_with("touch-down");
      return Failure{
          "VN-RUN-006", fmt::format("there is no event '{}' to stop at", options.stop_at),
          of_contacts && !options.unilateral
              ? "contacts let go only with `--contacts unilateral`; the moment one would begin to pull is `pull:CONTACT`"
              : "define it under `events:` in the model file"};
    }
  }
  if (from == nullptr) {
    if (const auto refusal = check_start(model, start, options.unilateral)) return *refusal;
  }
  Run run(model, start, options, listener, from);
  if (from != nullptr) {
    if (const auto misfit = run.resume(*from)) return *misfit;
  } else {
    State settled = start;
    if (const auto failure = run.release_contacts(settled)) return *failure;
    if (const auto failure = run.choose_rows(settled)) return *failure;
    run.start(settled);
  }
  return run.go();
}

}  // namespace vinculum
