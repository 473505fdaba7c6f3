// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/dynamics/series_laws.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/integration/events.h"
#include "vinculum/integration/switching.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/simulation/contact_switching.h"
#include "vinculum/simulation/run_verdicts.h"

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

// What is conserved beside the energy, which every run watches with its work. Tried once before the run: without the generalized
// momenta where these are many, or states are dear because of contacts. Contacts that let go leave nothing to rely on.
Outcome<std::vector<Integral>> find_watched(const Model& model, const State& start, const ConstraintSet& constraints,
                                            bool unilateral) {
  constexpr int kMany = 50;
  if (unilateral && !list_lifting_contacts(constraints).empty()) return std::vector<Integral>{};
  auto found = find_integrals(model, start, constraints.contacts.empty() && model.tree().velocities <= kMany);
  if (!found) return found.failure();
  std::erase_if(found->integrals, [](const Integral& integral) { return integral.name == "E"; });
  return std::move(found->integrals);
}

// One run: the integrator advances, samples and events are read off its continuous solution, monitors watch.
class Run {
 public:
  Run(const Model& model, const State& start, const RunOptions& options, RunListener& listener)
      : model_(model),
        options_(options),
        listener_(listener),
        choice_(choose_integrator(model, start, options, [&listener] { return listener.wants_to_stop(); })),
        system_(model, choose_baumgarte(choice_.name, options), options.unilateral),
        workspace_(model),
        integrator_(std::make_unique<Switching>(make_integrator(choice_.name))),
        integrator_options_(integrator_options(options, [&listener] { return listener.wants_to_stop(); })),
        watched_(find_watched(model, start, system_.constraints(), options.unilateral)),
        monitor_(model, watched_ ? *watched_ : std::vector<Integral>{}),
        contacts_(system_, model, options.unilateral, options.tolerance),
        locator_(static_cast<int>(model.events().size()) + contacts_.count(), system_.dimension(),
                 [this](double t, std::span<const double> y, std::span<double> g) { evaluate_events(t, y, g); }) {
    system_.expect_run(start, options.until, options.tolerance);
    values_.resize(system_.dimension());
    for (const RowLabel& row : system_.constraints().rows) row_names_.push_back(row.name);
  }

  std::optional<Failure> release_contacts(State& state) { return contacts_.release(state); }

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
  }

  void resume(const Checkpoint& from) {
    point_ = from;
    system_.hold(point_.holding);
    system_.sparse_constraints().leave_out(point_.left_out);
    integrator_->start(system_, point_.integrator, integrator_options_);
    locator_.restore(point_.integrator.t, point_.event_memory);
  }

  RunResult go() {
    RunResult result;
    State now = present();
    if (point_.next_sample == 0 && !emit_sample(now)) return finish(result, RunResult::End::failed, now);

    while (now.t != options_.until) {
      const Outcome<StepReport> step = integrator_->advance(options_.until);
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
          contacts_.count() == 0 ? system_.compute_event_series(step->t0, integrator_->step_series()) : std::span<const double>{};
      const std::vector<EventCrossing> crossings = polynomials.empty() ? locator_.locate(*integrator_, step->t0, step->t1)
                                                                       : locator_.locate(polynomials, step->t0, step->t1);
      double end_of_step = step->t1;
      int switched = -1;
      for (const EventCrossing& crossing : crossings) {
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
      if (!emit_samples_until(step->t0, end_of_step)) return finish(result, RunResult::End::failed, now);
      if (stopped_) {
        now = interpolated(end_of_step);
        watch_integrals(now, values_);
        emit_sample(now);
        return finish(result, RunResult::End::stopped_at_event, now);
      }

      if (switched < 0) {
        keep_on_manifold(step->t1);
      } else if (auto failure = switch_contact(switched, end_of_step)) {
        result.failure = at_time(*failure, end_of_step);
        return finish(result, RunResult::End::failed, now);
      }
      now = present();
      watch_integrals(now, integrator_->state().y);
      watch_constraints(now);
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
  // The model's events, then those of contacts that can lift off.
  void evaluate_events(double t, std::span<const double> y, std::span<double> g) {
    const Bindings bindings{t, y.first(model_.tree().coordinates),
                            y.subspan(model_.tree().coordinates, model_.tree().velocities)};
    const size_t own = model_.events().size();
    for (size_t i = 0; i < own; ++i) g[i] = evaluate(model_.events()[i].function, bindings, expression_);
    contacts_.evaluate(t, y, g.subspan(own));
  }

  // The contact whose event this is, or -1.
  int contact_of(int event) const {
    const int own = static_cast<int>(model_.events().size());
    return event < own ? -1 : contacts_.contact(event - own);
  }

  std::string event_name(int event) const {
    const int contact = contact_of(event);
    if (contact < 0) return model_.events()[event].name;
    return switch_name(system_.constraints().contacts[contact], system_.holding()[contact]);
  }

  // Of contacts that let go, only the moment their function falls is an event.
  bool is_told(const EventCrossing& crossing) const {
    return contact_of(crossing.event) < 0 || crossing.direction < 0 || !options_.unilateral;
  }

  bool ends_run(const std::string& event) const {
    return options_.stop_at == event || options_.stop_at == event.substr(0, event.find(':'));
  }

  // An event, and the moment a contact begins to pull or lets go.
  void tell(double t, int contact, const std::string& name, int direction) {
    point_.events.push_back({t, name, direction});
    stopped_ = stopped_ || ends_run(name);
    if (contact < 0 || direction > 0 || name.starts_with("touch-down")) return;
    ContactWatch& watch = point_.contacts[contact];
    double& first = options_.unilateral ? watch.first_release : watch.first_pull;
    first = std::min(first, t);
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
      tell(t, which, switch_name(system_.constraints().contacts[which], lifts_off), -1);
    };
    if (auto failure = contacts_.switch_contact(contact, state, tell_switch)) return failure;
    point_.holding = system_.holding();
    const double after = compute_energy(model_, state, workspace_).total();
    const IntegratorState from{t, system_.pack(state, work + after - before), 0, {}};
    integrator_->start(system_, from, integrator_options_);
    restart_events(t, from.y);
    return std::nullopt;
  }

  void restart_events(double t, std::span<const double> y) {
    locator_.restart(t, y);
    std::vector<double> memory = locator_.memory();
    contacts_.begin_above_zero(std::span(memory).subspan(model_.events().size()));
    locator_.restore(t, std::move(memory));
  }

  State present() const {
    const IntegratorState state = integrator_->state();
    return system_.unpack(state.t, state.y);
  }

  State interpolated(double t) {
    integrator_->interpolate(t, values_);
    system_.correct(t, values_);
    return system_.unpack(t, values_);
  }

  void keep_on_manifold(double t) {
    if (!integrator_->accepts_correction()) return;
    values_ = integrator_->state().y;
    if (system_.correct(t, values_)) integrator_->correct(values_);
  }

  static Failure at_time(Failure failure, double t) {
    failure.message = fmt::format("after t = {:g} s: {}", t, failure.message);
    return failure;
  }

  // The dynamics of a sample; with contacts also their multipliers, watched for what a contact cannot do.
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
      watch_contacts(system_.constraints(), *dynamics, state.t, point_.contacts);
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
    }
    sample.energy = compute_energy(model_, state, workspace_);
    return sample;
  }

  // False, with a reason, if the dynamics has no answer at this state.
  bool emit_sample(const State& state) {
    Outcome<Sample> sample = compute_sample(state);
    if (!sample) {
      failure_ = sample.failure();
      return false;
    }
    if (sample->dynamics.weakest_ratio < point_.weakest_ratio) {
      point_.weakest_ratio = sample->dynamics.weakest_ratio;
      point_.weakest_velocity = sample->dynamics.weakest_velocity;
      point_.weakest_t = state.t;
    }
    sample->index = point_.next_sample++;
    listener_.on_sample(*sample);
    point_.last_sampled_t = state.t;
    return true;
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
    if (!listener_.wants_checkpoint()) return;
    point_.integrator = integrator_->state();
    point_.event_memory = locator_.memory();
    point_.left_out = system_.sparse_constraints().left_out();
    listener_.on_checkpoint(point_);
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
  EventLocator locator_;
  Checkpoint point_;
  std::optional<Failure> failure_;
  bool stopped_ = false;  // at the event asked for
  std::vector<double> values_, expression_;
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
    for (const Contact& contact : ConstraintSet(model).contacts) {
      if (!contact.can_lift_off()) continue;
      known.insert(known.end(), {"lift-off", "touch-down", switch_name(contact, true), switch_name(contact, false)});
    }
    if (std::find(known.begin(), known.end(), options.stop_at) == known.end())
      return Failure{"VN-RUN-006", fmt::format("there is no event '{}' to stop at", options.stop_at),
                     "define it under `events:` in the model file"};
  }
  if (from == nullptr) {
    if (const auto refusal = check_start(model, start, options.unilateral)) return *refusal;
  }
  Run run(model, start, options, listener);
  if (from != nullptr) {
    run.resume(*from);
  } else {
    State settled = start;
    if (const auto failure = run.release_contacts(settled)) return *failure;
    run.start(settled);
  }
  return run.go();
}

}  // namespace vinculum
