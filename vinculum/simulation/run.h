// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/analysis/integrals.h"
#include "vinculum/constraints/follow.h"
#include "vinculum/constraints/idealisation.h"
#include "vinculum/constraints/output_values.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/integration/integrator.h"
#include "vinculum/model/model.h"
#include "vinculum/simulation/accumulation.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

struct RunOptions {
  double until = 0;                 // [s]; before the start: backwards
  std::string integrator = "auto";  // taylor where the model has a power series, else dop853; cvode where it is stiff
  double tolerance = 1e-10;         // local relative error of a step
  int order = 0;                    // of a power series; 0: by the tolerance
  double largest_step = 0;          // [s]; 0: no limit
  double every = 0;                 // [s] between samples; 0: a thousandth of the run
  std::string stop_at;              // an event that ends the run; empty: none
  Follow follow = Follow::bilateral;
  double step = 0;              // [s] implicit steps of this length (time_stepping.h); 0: by an integrator
  double baumgarte = 0;         // [1/s] keeps the rows by Baumgarte's terms; 0: by projection after each step
  bool watch_integrals = true;  // look for first integrals before the run, and watch them
  bool watch_accuracy = true;   // repeat the run with another tolerance, to see how errors grow (accuracy.h)

  bool parts() const { return follow != Follow::bilateral; }  // rows that push and do not pull let go, and touch again
};

struct RunEvent {
  double t = 0;
  std::string name;                      // of the model file, or kind:subject
  std::string kind, subject;             // "lift-off" of "foot"; "event" of the model file
  int direction = 0;                     // of the event's function: +1 rising, -1 falling, 0 touching
  std::optional<int> face{};             // of a guide's pair, the new one; 0: unloaded
  std::vector<double> rest_direction{};  // of a rest: v/|v| at last
  // Of an impact: the impulses of the rows of its element, of the first event of an instant those of all rows without one too,
  // and the energy that these rows took away [J]. The sum over the events of an instant is that of the impact.
  struct Impulse {
    std::string row;
    double impulse = 0;  // [N*s], or [N*m*s] of a row that turns
  };
  std::vector<Impulse> impulses{};
  std::optional<double> energy_lost{};
};

// One row of the results.
struct Sample {
  long index = 0;
  State state;
  Energy energy;
  ForwardDynamics dynamics;
  std::vector<double> multipliers;  // of all rows of the model but given motions; 0 where a row is not there
  std::vector<double> quantities;   // what else the sources of the rows tell: list_row_quantities
  std::vector<double> outputs{};    // of Model::outputs().columns
};

// A quantity that should stay as it was at the start.
struct IntegralDrift {
  std::string name;  // "E", or "E - W" where forces do work W; then what find_integrals found: "Px"
  std::string unit;
  double start = 0;
  double drift = 0;  // largest absolute departure
};

// All a run needs to go on from here, bit for bit.
struct Checkpoint {
  IntegratorState integrator;
  std::vector<double> event_memory;
  std::vector<RunEvent> events;
  long next_sample = 0;
  double last_sampled_t = std::numeric_limits<double>::lowest();
  long steps = 0, rejected = 0, evaluations = 0;
  double start_t = 0;
  std::vector<IntegralDrift> integrals;
  double energy_scale = 0;  // the largest exchange,
  double energy_size = 0;   // and the largest sum of terms, each without its sign
  double weakest_ratio = 1;
  int weakest_velocity = -1;
  double weakest_t = 0;
  std::vector<int> modes;      // of the elements,
  std::vector<bool> left_out;  // and which of all rows say nothing new
  int switches = 0;            // of modes, since
  double switches_since = 0;
  std::vector<Stretch> stretches;                       // taken by implicit steps, because events accumulated
  std::vector<std::vector<double>> idealisations;       // what each of them knows
  std::vector<bool> undetermined;                       // rows whose multiplier was not determined at some time
  std::vector<double> worst_position, worst_velocity;   // residuals of each row; -1: it has no position
  double least_regularity = 1, least_regularity_t = 0;  // of the rows (LoopSolver), at the ends of steps
  std::vector<double> singular_times;                   // where they lost rank on the way
  double stiff_since = 0, stiff_gain = 0;               // from when on cvode comes farther, how many times; 0: not found
  std::vector<std::vector<double>> marks;               // (t, q, v) of some samples, evenly: those whose number is a multiple of
  long mark_every = 1;                                  // this
};

struct RunResult {
  enum class End { reached, stopped_at_event, interrupted, failed } end = End::reached;
  std::optional<Failure> failure;  // why it failed; the motion up to `final` is good
  std::string integrator;          // that computed it,
  std::optional<Failure> instead;  // and why, if taylor was asked for and could not;
  std::string chosen_because;      // why `auto` took another than the usual one, if it did;
  std::string better_integrator;   // and what would have been better from some time on
  State final;
  std::vector<OutputValue> outputs;  // there
  long samples = 0;
  long steps = 0, rejected = 0, evaluations = 0;
  std::vector<IntegralDrift> integrals;
  std::vector<Integral> conserved;     // all of them but the first, the energy
  std::optional<Failure> not_watched;  // why none was found, or looked for
  std::vector<Verdict> verdicts;
  std::vector<RunEvent> events;
  std::vector<ElementWork> friction_work;  // of each face of guides
  std::vector<RowResidual> residuals;      // the largest of the run, row by row
  std::vector<State> marks;                // about a hundred samples, evenly over the run: t, q and v
  double mark_interval = 0;                // [s] between them
};

// Who listens to a run: a results folder, a progress bar.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void on_sample(const Sample&) {}
  // Asked where modes change; true makes on_change follow twice, with the motion just before and just after: velocities and forces
  // may jump there, and a curve through the samples alone would show a slope instead.
  virtual bool wants_changes() { return false; }
  virtual void on_change(const Sample&) {}
  virtual void on_step(double /*t*/) {}
  // Another integrator would go on better from here, and why: told once, when it is found.
  virtual void on_advice(const std::string&) {}
  // Asked after every step; true ends the run with what there is.
  virtual bool wants_to_stop() { return false; }
  // Asked where the run could go on from; true makes on_checkpoint follow.
  virtual bool wants_checkpoint() { return false; }
  virtual void on_checkpoint(const Checkpoint&) {}
  // An integrator that cannot go on from everywhere was started (anew) here, and can; told whether wanted or not.
  virtual void on_restart(const Checkpoint&) {}
};

// Computes the motion from `start` (or goes on from a checkpoint) to options.until. Failure only if there is no motion at all: an
// unknown integrator or event, no derivative at the start, elements that are not supported yet, a checkpoint that does not fit
// the model (VN-RUN-140).
Outcome<RunResult> run_simulation(const Model& model, const State& start, const RunOptions& options, RunListener& listener,
                                  const Checkpoint* from = nullptr);

}  // namespace vinculum
