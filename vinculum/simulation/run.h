// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/analysis/integrals.h"
#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/constraints/follow.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/idealisations/element_work.h"
#include "vinculum/model/model.h"
#include "vinculum/simulation/controller.h"
#include "vinculum/simulation/input_table.h"
#include "vinculum/simulation/integral_drift.h"
#include "vinculum/verdict/occurrence.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

struct Checkpoint;  // simulation/checkpoint.h

struct RunOptions {
  double until = 0;                 // [s]; before the start: backwards
  std::string integrator = "auto";  // taylor where the model has a power series, else dop853; cvode where it is stiff
  double tolerance = 1e-10;         // local relative error of a step
  int order = 0;                    // of a power series; 0: by the tolerance
  double largest_step = 0;          // [s]; 0: no limit
  double every = 0;                 // [s] between samples; 0: a thousandth of the run
  std::string stop_at;              // an event that ends the run; empty: none
  Follow follow = Follow::bilateral;
  double step = 0;                             // [s] implicit steps of this length (implicit_run.cc); 0: by an integrator
  double baumgarte = 0;                        // [1/s] Baumgarte stabilisation; 0: projection after each step
  bool watch_integrals = true;                 // look for first integrals before the run, and watch them
  std::shared_ptr<const InputTable> inputs{};  // values of inputs over time; none: they keep those of the start
  bool watch_accuracy = true;                  // repeat the run with another tolerance, to see how errors grow (accuracy.h)

  bool parts() const { return follow != Follow::bilateral; }  // one-sided constraints separate and touch again
};

// One sample of the results.
struct Sample {
  long index = 0;
  State state;
  Energy energy;
  ForwardDynamics dynamics;
  std::vector<double> multipliers;  // of all constraints of the model except given motions; 0 while inactive
  std::vector<double> quantities;   // further quantities of the constraints: list_row_quantities
  std::vector<double> outputs{};    // of Model::outputs().columns
};

struct RunResult {
  enum class End { reached, stopped_at_event, interrupted, failed } end = End::reached;
  std::optional<Failure> failure;  // why it failed; the motion up to `final` is good
  std::string integrator;          // that computed it,
  std::optional<Failure> instead;  // and why, if taylor was asked for and could not;
  std::string chosen_because;      // why `auto` took another than the usual one, if it did;
  std::string better_integrator;   // and what would have been better from some time on
  State final;
  std::vector<OutputNumbers> outputs;
  long samples = 0;
  long steps = 0, rejected = 0, evaluations = 0;
  std::vector<IntegralDrift> integrals;
  std::vector<Integral> conserved;     // all of them but the first, the energy
  std::optional<Failure> not_watched;  // why none was found, or looked for
  std::vector<Verdict> verdicts;
  std::vector<Occurrence> events;
  std::vector<ElementWork> friction_work;  // of each face of guides
  std::vector<RowResidual> residuals;      // the largest of the run, by constraint
  std::vector<State> marks;                // about a hundred samples, evenly over the run: t, q and v
  double mark_interval = 0;                // [s] between them
};

// Who listens to a run: a results folder, a progress bar.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void on_sample(const Sample&) {}
  // Called where modes change. If true, on_change follows twice, with the motion just before and just after.
  // Velocities and forces may jump there, and a curve through the samples alone would show a slope instead.
  virtual bool wants_changes() { return false; }
  virtual void on_change(const Sample&) {}
  virtual void on_step(double /*t*/) {}
  // Another integrator would be faster from here, and why: reported once.
  virtual void on_advice(const std::string&) {}
  // Called after every step; true ends the run with its present results.
  virtual bool wants_to_stop() { return false; }
  // Called where the run could be resumed; if true, on_checkpoint follows.
  virtual bool wants_checkpoint() { return false; }
  virtual void on_checkpoint(const Checkpoint&) {}
  // An integrator that cannot be resumed everywhere was (re)started here; always called.
  virtual void on_restart(const Checkpoint&) {}
};

// Why Run::advance came back: the time asked for is reached; the event of RunOptions::stop_at has happened; the listener asked to
// stop; the motion cannot be continued (Run::failure says why).
enum class Stop { reached, event, asked, failed };

// How Run::advance comes to the time asked for.
//   look: steps are those of a run that nobody looks at. The state comes from the continuous solution of the step, put on the
//         constraints; the rest of the step is kept for later. The same bits come out, however often one looks.
//   land: a step ends there, so that something may change there: inputs, controllers, another program.
enum class Arrive { look, land };

// A motion that is computed piece by piece. Looking at it never changes it. One thread at a time; the model must outlive it.
//
//   auto run = Run::start(model, model.initial_state(), {.until = 10});
//   while (run->state().t < 10) {
//     run->advance(run->state().t + 0.01);
//     draw(run->state());
//   }
class Run {
 public:
  // From a state, to the horizon options.until. Failure if there is no motion at all: an unknown integrator or event, no
  // derivative at the start, what the model has is not supported with these options.
  static Outcome<Run> start(const Model& model, const State& start, const RunOptions& options, RunListener* listener = nullptr);
  // From a checkpoint of a run with this start and these options. Failure VN-RUN-140 if it does not fit the model.
  static Outcome<Run> resume(const Model& model, const State& start, const RunOptions& options, const Checkpoint& from,
                             RunListener* listener = nullptr);
  // From an image, also one of another process of the same version. Failure VN-RUN-142 if it is damaged or of another version,
  // 140 if it is of another model.
  static Outcome<Run> resume(const Model& model, std::span<const std::byte> image);

  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  // On to `until`, which is not beyond the horizon and not behind the present. By default it lands where the model has inputs or
  // something acts at instants of time, and looks elsewhere. What acts at instants acts when the motion leaves them: at `until`
  // itself with the next advance.
  Outcome<Stop> advance(double until, RunListener* listener = nullptr, std::optional<Arrive> arrive = {});
  // A new horizon, in the same direction as the old one and not behind the present.
  std::optional<Failure> extend(double until);
  double horizon() const;

  // The present; after a failure the last good one.
  const State& state() const;
  // As from a start there: the modes and velocities that follow are decided, and their events reported. Verdicts and integrals
  // continue; what the change adds to the energy counts as work from outside. The time cannot change.
  std::optional<Failure> set_state(const State& state);

  // Of Model::inputs(). Setting them restarts the motion exactly there: what a jump causes, a slip, is reported at the present.
  // Values they already have change nothing. A value outside its range is refused, and nothing is set.
  struct InputValue {
    int input = 0;
    double value = 0, slope = 0;  // slope: of inputs with `hold: linear`
  };
  std::vector<double> inputs() const;
  std::optional<Failure> set_inputs(std::span<const InputValue> values);
  std::optional<Failure> set_input(int input, double value, double slope = 0);
  // Acts from the present on. No part of an image: who resumes one adds it again, and what it had decided but had not acted yet
  // (Controller::delay) is lost.
  std::optional<Failure> add_controller(Controller controller);

  const std::optional<Failure>& failure() const;
  const std::vector<Occurrence>& events() const;
  // Everything at the present: accelerations, multipliers, outputs, energy.
  Outcome<Sample> sample();
  // What this motion rests on, as far as it has come; the gravest first.
  std::vector<Verdict> verdicts();
  // The same with counts, drifts, residuals: as run_simulation returns it.
  RunResult result();

  // All it needs to continue from the present in any process of this version: version, model,
  // checksum and numbers. Multistep integrators (cvode, arkode) restart where an image is taken.
  Outcome<std::vector<std::byte>> image();

  class Engine;

 private:
  friend Outcome<RunResult> run_simulation(const Model&, const State&, const RunOptions&, RunListener&, const Checkpoint*);
  explicit Run(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

// Computes the motion from `start` (or continues from a checkpoint) to options.until, with all its verdicts. Failure only if
// there is no motion at all (Run::start), or the checkpoint does not fit the model (VN-RUN-140).
Outcome<RunResult> run_simulation(const Model& model, const State& start, const RunOptions& options, RunListener& listener,
                                  const Checkpoint* from = nullptr);

}  // namespace vinculum
