// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/impact_report.h"
#include "vinculum/constraints/step_values.h"
#include "vinculum/verdict/occurrence.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

// One moment of a motion: all who look at it share one solution, made when first asked for, without joint reactions.
class Moment {
 public:
  // The solution is made in memory of the caller, where the last one was.
  Moment(const ConstraintSet& set, const State& state, Workspace& workspace, SparseConstraints* sparse,
         ConstrainedDynamics& memory)
      : set_(set), state_(state), workspace_(workspace), sparse_(sparse), memory_(&memory) {}
  Moment(const ConstraintSet& set, const State& state, Workspace& workspace, const ConstrainedDynamics& known)
      : set_(set), state_(state), workspace_(workspace), known_(&known) {}

  // Where the motion is given and its forces are asked for: what drives must supply at every velocity. Empty elsewhere, where
  // laws and given motions say it.
  void set_supplied(std::span<const double> forces) { supplied_ = forces; }
  std::span<const double> supplied() const { return supplied_; }

  const ConstraintSet& set() const { return set_; }
  const State& state() const { return state_; }
  double t() const { return state_.t; }
  Workspace& workspace() { return workspace_; }

  // None: there is none at this state.
  const ConstrainedDynamics* solution() {
    if (known_ != nullptr) return known_;
    if (!is_solved_) is_solved_ = !compute_contact_reactions(set_, state_, workspace_, sparse_, *memory_);
    return *is_solved_ ? memory_ : nullptr;
  }

 private:
  const ConstraintSet& set_;
  const State& state_;
  Workspace& workspace_;
  SparseConstraints* sparse_ = nullptr;
  const ConstrainedDynamics* known_ = nullptr;
  ConstrainedDynamics* memory_ = nullptr;
  std::span<const double> supplied_;
  std::optional<bool> is_solved_;  // none: not asked for
};

struct OutputNumbers;  // model/output.h
struct ElementWork;    // idealisations/element_work.h

// The force that an implicit step needed of a `Grip`.
struct GripUse {
  bool presses = false;  // its limit is not zero,
  bool slips = false;    // and it slips at the end of the step
  double part = 0;       // force needed / limit, while it sticks
};

// A modelling assumption that may fail. When judged, a guard that reaches zero gives an event and a verdict;
// when followed, the mode changes and the run continues. The same object does both, so they cannot disagree.
//
// Guards are functions of the motion that are positive while the present mode is right; their zeros are located like those of
// events. Every moment at which they are asked for is also a look, so that what is written out has no part in a verdict. A look
// counts once it is known that the motion came so far.
class Idealisation {
 public:
  using StateAt = std::function<State(double t)>;
  using LookAt = std::function<void(double t)>;
  using Tell = std::function<void(const Occurrence&)>;  // the run fills in the time

  virtual ~Idealisation() = default;

  virtual int guard_count() const { return 0; }
  virtual void evaluate_guards(Moment&, std::span<double> /*guards*/) {}
  // Whether a mode depends on the guard. Other guards are only reported, once they are below
  // zero by more than the error of the run relative to their scale; 0: no scale is known.
  virtual bool decides(int /*guard*/) const { return true; }
  virtual double guard_scale(int /*guard*/) const { return 0; }
  // A guard whose mode has just been decided is right, if by nothing: what begins at round-off below zero has yet to fall.
  virtual void begin_above_zero(std::span<double> /*guards*/) const {}

  // Times in a step at which a guard is below zero though its values at a few looks do not show it.
  virtual void list_looks(double /*begin*/, double /*end*/, const StateAt&, std::vector<double>& /*times*/) {}

  // Decides the modes a run starts with, and the velocities where bodies strike.
  virtual std::optional<Failure> begin(State&, const Tell&) { return std::nullopt; }

  // A guard has passed zero at t, falling or rising along the motion. Returns its event,
  // if any, and the time at which the mode must be decided again, if it must: not after t.
  struct Passed {
    std::optional<Occurrence> event;
    std::optional<double> decide_at;
  };
  virtual Passed pass(int /*guard*/, double /*begin*/, double /*t*/, bool /*falls*/, const StateAt&) { return {}; }
  virtual std::optional<Failure> decide(int /*guard*/, State&, const Tell&) { return std::nullopt; }
  // Another one has changed modes or velocities: what depends on them is decided again.
  virtual std::optional<Failure> follow_change(State&, const Tell&) { return std::nullopt; }
  // The run has reported an event of any of them.
  virtual void hear(const Occurrence&) {}
  // What an implicit step that ends at t needed of Model::grips().
  virtual void hear_use(std::span<const GripUse>, double /*t*/) {}
  // Bodies struck each other at t.
  virtual void hear_impact(const ImpactReport&, double /*t*/) {}

  // Who watches quantities of the motion searches every step for them by itself: what it finds between t0 and t1, in its order
  // along the motion. Nothing of it counts before count_looks.
  virtual void search_step(StepValues&, const LookAt&, double /*t0*/, double /*t1*/, std::vector<Occurrence>&) {}
  // The run fails at `failed`, where something has no value any more, and has come to `last` in this step.
  virtual void lose_values(StepValues&, double /*last*/, double /*failed*/) {}
  // That search reads values of states and outputs alone, and needs no looks: it can be made along a straight line, too.
  virtual bool reads_values_alone() const { return false; }

  // The motion went from `begin` to `end` (the same at a start): looks there are counted, the others forgotten.
  virtual void count_looks(double /*begin*/, double /*end*/, const LookAt&, const StateAt&) {}
  // The end of a step, where nothing else has been asked for.
  virtual void look_at_end(Moment&, bool /*forward*/) {}

  virtual void judge(double /*t_end*/, std::vector<Verdict>&) const {}
  virtual void list_work(std::vector<ElementWork>&) const {}
  virtual void list_numbers(std::vector<OutputNumbers>&) const {}
  // The events it may report, without a time.
  virtual void list_events(std::vector<Occurrence>&) const {}

  // What it knows, for a checkpoint; false if these numbers are not of its kind.
  virtual std::vector<double> memory() const { return {}; }
  virtual bool restore(std::span<const double> numbers) { return numbers.empty(); }
};

}  // namespace vinculum
