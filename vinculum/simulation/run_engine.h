// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/simulation/implicit_steps.h"
#include "vinculum/simulation/instants.h"
#include "vinculum/simulation/run.h"
#include "vinculum/simulation/run_monitor.h"
#include "vinculum/simulation/run_sample.h"
#include "vinculum/stepping/lookout.h"
#include "vinculum/stepping/motion_values.h"
#include "vinculum/stepping/steps.h"

namespace vinculum {

// The parts of a Run. The integrator advances. Events of the model and guards of idealisations are located on its
// continuous solution, which also gives samples. Guards at zero are reported or decided. It knows no idealisation by name.
//
// All events of a step are located as soon as it is taken. The step is consumed in the order of
// time: events, then samples, up to its cut or to the time requested. The rest waits (`step_`),
// so that reading changes no bit. Verdicts count it once the motion has passed its end.
class Run::Engine {
 public:
  // `given` must outlive it. `rescaled`: the same model in the scales of this start (in_own_scales), which is used in its place.
  Engine(const Model& given, std::unique_ptr<const Model> rescaled, const State& start, const RunOptions& options,
         RunListener* listener, const Checkpoint* from);

  // Begins with the modes and velocities that follow from the start, or continues from a checkpoint.
  std::optional<Failure> begin();
  std::optional<Failure> resume(const Checkpoint& from);

  Stop advance(double until, RunListener* listener, Arrive arrive);
  void set_horizon(double until);
  std::optional<Failure> set_state(const State& state);
  std::optional<Failure> set_inputs(std::span<const Run::InputValue> values);
  std::optional<Failure> add_controller(Controller controller);
  bool has_controllers() const { return instants_.has_controllers(); }
  Outcome<Sample> sample();

  const Model& model() const { return model_; }
  const State& start_state() const { return start_; }
  const RunOptions& options() const { return options_; }
  double first_horizon() const { return first_horizon_; }
  const State& now() const { return now_; }
  const std::optional<Failure>& failure() const { return failure_; }
  const std::vector<Occurrence>& events() const { return point_.events; }
  // Steps of fixed length instead of an integrator's.
  bool is_implicit() const { return implicit_.has_value(); }
  // Somebody has looked into a step, or into a stretch of implicit steps: the motion is computed farther than the present.
  bool is_ahead() const { return step_.has_value() || !stretch_.empty(); }

  // The place to continue from: the present, or the beginning of the step that is being
  // consumed. Integrators that cannot be resumed anywhere restart at the present.
  Outcome<Checkpoint> checkpoint();
  const Checkpoint& begin_of_step() const { return begin_of_step_; }
  // What is left of a step is forgotten, its looks are counted up to the present: nothing can follow but the result.
  void close_step();
  RunResult result();

 private:
  // Where a step ends for the run, and what must be decided there.
  struct Cut {
    double t = 0;
    std::optional<Guard> guard;
    std::optional<Failure> failure;  // the step leads to no motion: nothing of it is reported or judged
  };
  // A step that was taken and located, and how far it has been consumed.
  struct TakenStep {
    double t0 = 0, t1 = 0;
    Cut cut;
    std::vector<Occurrence> events;  // up to the cut, in the direction of time,
    size_t told = 0;                 // of which these have been reported
  };

  bool runs_forward() const { return options_.until >= point_.start_t; }
  bool is_before(double a, double b) const { return runs_forward() ? a < b : a > b; }
  bool ends_run(const Occurrence& event) const;

  std::optional<Stop> take_step();
  bool locate_step(const StepReport& step);
  std::optional<Stop> consume(double until);
  std::optional<Stop> end_step(double until);
  std::optional<Stop> look_after_step();
  std::optional<Stop> show_stretch(double until);
  std::optional<Failure> land_here();
  Stop fail(std::optional<Failure> failure, const State& last_good);
  Stop fail_at_sample();

  void tell(const Occurrence& event);
  void tell(double t, Occurrence event, int direction);
  void tell_impacts(const std::vector<ImpactReport>& impacts, double t, size_t first);
  std::optional<Failure> begin_idealisations(State& state);
  std::optional<Failure> act_at_instant();
  std::optional<Failure> change(State& state);
  bool is_endless(double t);
  Occurrence last_change() const;
  std::optional<Failure> cross_stretch(State& state, const Occurrence& change);
  std::optional<Failure> decide(const Guard& guard, double t);
  void continue_from(State& state, double energy_before, double work, double next_step);
  void show_change(const State& state);
  void keep_on_rows(double t);

  // implicit_run.cc
  std::optional<Failure> begin_implicit_steps(State& state);
  void take_front(const State& state);
  double end_of_implicit_step(double goal) const;
  std::optional<Stop> take_implicit_step(double goal, double until);
  std::optional<Stop> look_between_steps(double until);
  void watch_implicit_step(bool changed);
  void tell_model_events();
  void search_implicit_step();
  void show_modes_of(const State& state);

  bool emit_sample(const State& state);
  double next_sample_time() const;
  bool emit_samples_until(double t);
  bool emit_samples_before(double t);
  void add_integrals(RunResult& result);
  void add_mark(const State& state);
  void hand_out_marks(RunResult& result) const;
  void watch_dynamics(const State& state);
  void look_for_better_integrator();
  void restart_integrator();
  void offer_checkpoint();
  const Checkpoint& here();

  RunListener nobody_;
  RunListener* listener_;
  std::unique_ptr<const Model> rescaled_;
  const Model& model_;
  State start_;
  RunOptions options_;  // with the interval of samples
  double first_horizon_;
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
  Instants instants_;

  State now_;
  double limit_ = 0;  // where the present step ends at the latest
  std::optional<TakenStep> step_;
  std::vector<State> stretch_;                            // ends of implicit steps, the last of them where the motion has come
  Checkpoint begin_of_step_;                              // where somebody looks into steps
  std::optional<ImplicitSteps> implicit_;                 // RunOptions::step
  std::vector<double> event_values_, last_event_values_;  // of Model::events(), there and one step before
  State front_;                          // the end of the last of these; the present, unless somebody looks between two
  StraightValues straight_;              // over the last of these, for requirements and numbers of outputs
  OutputValues outputs_;                 // its scratch
  std::optional<Occurrence> announced_;  // that ended an advance where a mode is decided: not reported again
  Stop ended_ = Stop::reached;           // why the last advance came back
  std::optional<Failure> failure_;
  bool has_begun_ = false;
  bool stopped_ = false;  // at the event asked for
};

// What steps of fixed length do not follow: VN-RUN-160; or what is round-off: 010.
std::optional<Failure> check_implicit_steps(const Model& model, const State& start, const RunOptions& options);

}  // namespace vinculum
