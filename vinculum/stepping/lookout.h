// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/constraints/output_values.h"
#include "vinculum/integration/events.h"
#include "vinculum/stepping/law_pieces.h"
#include "vinculum/stepping/limit_watch.h"
#include "vinculum/stepping/motion_values.h"
#include "vinculum/stepping/steps.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// A guard: whose, and which of his.
struct Guard {
  Idealisation* of = nullptr;
  int number = 0;
};

// Who looks at the motion within a step: events of the model and guards of idealisations, whose zeros are located, and all who
// watch quantities of it. All of one moment share one solution; that of a step's end serves its watches and the beginning of the
// next step as well.
//
// All of it is one search (step_search.h): by bounds where there is a formula, by polynomials through looks where not. Where
// every guard is farther from zero, and every quantity from its largest value, than they vary, a look in the middle of a step and
// one at its end suffice; more fall where laws of force do something that these do not show (law_pieces.h), and where a zero
// or a larger value is near.
//
// Guards on which a mode hangs come first: the step ends at the first that falls. What is only watched is searched up to there.
class Lookout {
 public:
  Lookout(const Model& model, MotionSystem& system, Steps& steps, std::vector<std::unique_ptr<Idealisation>>& idealisations,
          double tolerance, AskStop ask_stop);

  // How many numbers it remembers: of events of the model, of guards, of what is only watched.
  size_t size() const { return model_.events().size() + guard_count_ + LimitWatch::kNumbers * judged_.size(); }
  std::optional<Guard> guard_of(int event) const;  // none for an event of the model

  // From here, as from a start: the first look.
  void restart(double t, std::span<const double> y);
  // The motion continues from values that the run has just put in place of its own.
  void look_again(double t, std::span<const double> y);

  // For a checkpoint, and from one, at (t, y).
  std::vector<double> memory() const;
  void restore(double t, std::span<const double> y, std::span<const double> memory);

  // Zeros of events and of guards that decide in the last step, in the direction of time. None if the user asked to stop
  // meanwhile: the search may take seconds. Then the step counts as not taken.
  std::optional<std::vector<EventCrossing>> locate(double t0, double t1);
  // What is only watched, up to t1 within it: what happened. It counts with count_looks.
  std::vector<Occurrence> watch(double t0, double t1);
  // The zero of a guard by steps that end there: the continuous solution is less exact than the steps are.
  double refine(const EventCrossing& crossing, double t0, double t1);
  // One more look, at t within the last step: where the motion is left though the step continues.
  void look_within(double t) {
    if (guard_count_ > 0) read_guards(t);
  }
  // The run fails at a sample of the last step, and has come to the one before.
  void lose_values(double last, double failed) {
    for (const auto& idealisation : idealisations_) idealisation->lose_values(values_, last, failed);
  }
  // The motion came from `begin` to `end` in the last step.
  void count_looks(double begin, double end);

  // What the functions of the model's events are at a state with the present modes.
  void evaluate_model_events(const State& state, std::vector<double>& values);

  // The present moment: perhaps it has been checked.
  Moment& look_at_present(const State& state);
  const Outcome<ConstrainedDynamics>& rest_dynamics(const State& state);
  void forget_rest() {
    end_.reset();
    rest_.reset();
  }

 private:
  Moment look(const State& state, ConstrainedDynamics& memory, bool with_reactions = true);
  Moment see(double t, std::span<const double> y);
  void evaluate_model_events(double t, std::span<const double> y, std::span<double> g);
  void evaluate_guards(double t, std::span<const double> y, std::span<double> g);
  void evaluate_guards(Moment& moment, std::span<double> g);
  void look_at_end(double t, std::span<const double> y);
  void look_at(double t);
  std::span<const double> read_guards(double t);
  double read_guard(int number, double t) { return read_guards(t)[number]; }
  std::span<const double> list_guard_pieces();
  bool shows_no_more(std::span<const double> before, const std::vector<EventCrossing>& found);
  void locate_events(double t0, double t1, std::vector<EventCrossing>& crossings);
  void locate_guard(int number, double t0, double t1, std::vector<EventCrossing>& crossings);
  void count_looks_at(double t, std::span<const double> y);

  const Model& model_;
  MotionSystem& system_;
  Steps& steps_;
  std::vector<std::unique_ptr<Idealisation>>& idealisations_;
  double tolerance_;
  AskStop ask_stop_;
  bool may_stop_ = false, is_stopped_ = false;  // while zeros are located
  int guard_count_ = 0;
  bool events_name_quantities_;
  bool guards_need_reactions_;
  OutputValues outputs_;
  Workspace workspace_;
  EventLocator events_;
  MotionValues values_;
  bool has_laws_of_time_;
  LawPieces laws_;

  // Guards of the last step.
  class GuardValues : public StepValues {
   public:
    explicit GuardValues(Lookout& lookout) : lookout_(lookout) {}
    double read(int number, double t) override { return -lookout_.read_guard(number, t); }
    bool is_dear(int) const override { return true; }
    std::span<const double> pieces() override { return lookout_.list_guard_pieces(); }
    double unseen(double t0, double t1) override { return lookout_.values_.unseen(t0, t1); }
    double noise(int number) const override;
    double round_off(int number, double value) const override;
    double error(int number, double value) const override;

   private:
    Lookout& lookout_;
  };
  GuardValues guard_values_;
  std::vector<double> asked_for_, guard_pieces_;  // looks that idealisations ask for in the step, and all ends of pieces
  bool is_forward_ = true;
  ReadingsByTime guards_read_;
  std::vector<double> guards_;  // where the last step ended
  bool has_begun_ = false;
  std::vector<bool> decides_;  // of each guard
  std::vector<int> judged_;    // those that do not
  LimitWatch judged_watch_;    // how far each of these is below zero
  StepSearch search_;
  std::vector<SearchedFunction> event_functions_;

  std::vector<double> scratch_y_, scratch_g_, corrected_, expression_, pieces_;
  State seen_;                    // the moment guards are asked about,
  ConstrainedDynamics solution_;  // and its solution
  State end_state_;               // the same at the end of a step
  ConstrainedDynamics end_solution_;
  std::optional<Moment> end_;
  std::vector<double> end_guards_;
  std::optional<double> end_t_;  // where these are known
  std::optional<Outcome<ConstrainedDynamics>> rest_, held_;
};

}  // namespace vinculum
