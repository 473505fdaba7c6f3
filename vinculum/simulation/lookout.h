// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/constraints/output_values.h"
#include "vinculum/integration/events.h"
#include "vinculum/simulation/law_pulses.h"
#include "vinculum/simulation/steps.h"

namespace vinculum {

// A guard: whose, and which of his.
struct Guard {
  Idealisation* of = nullptr;
  int number = 0;
};

// Who looks at the motion within a step: events of the model and guards of idealisations, whose zeros are located, and all who
// count what they see. All of one moment share one solution; that of a step's end serves its watches and the beginning of the
// next step as well.
//
// Guards change as the motion and its laws do, and the steps of an integrator resolve these. So two looks inside a step and one
// at its end say enough, if every guard is farther from zero than it varies among them. Where one is not, the step is sampled in
// pieces as for events (events.h). More looks fall
//
//   around every pulse of a law of time (law_pulses.h): what rows carry may change while nothing moves;
//   a thousand in a run at least where a force is a formula of the state other than a polynomial, for the same reason.
class Lookout {
 public:
  Lookout(const Model& model, MotionSystem& system, Steps& steps, std::vector<std::unique_ptr<Idealisation>>& idealisations,
          double start, double until);

  // How many zeros may be located: events of the model, then guards.
  size_t size() const { return model_.events().size() + guard_count_; }
  std::optional<Guard> guard_of(int event) const;  // none for an event of the model

  // From here, as from a start: the first look.
  void restart(double t, std::span<const double> y);
  // The motion goes on from values that the run has just put in place of its own.
  void look_again(double t, std::span<const double> y);

  // For a checkpoint, and from one, at (t, y).
  std::vector<double> memory() const;
  void restore(double t, std::span<const double> y, std::span<const double> memory);

  // Zeros in the last step, in the direction of time.
  std::vector<EventCrossing> locate(double t0, double t1);
  // The zero of a guard by steps that end there: the continuous solution is less exact than the steps are.
  double refine(const EventCrossing& crossing, double t0, double t1);
  // The motion came from `begin` to `end` in the last step.
  void count_looks(double begin, double end);

  // The present moment: perhaps it has been looked at.
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
  void list_pieces(double t0, double t1);
  bool are_guards_clear(double t0, double t1);
  void count_looks_at(double t, std::span<const double> y);

  const Model& model_;
  MotionSystem& system_;
  Steps& steps_;
  std::vector<std::unique_ptr<Idealisation>>& idealisations_;
  double span_;  // of the run
  int guard_count_ = 0;
  bool events_name_quantities_;
  bool guards_need_reactions_;
  bool is_resolved_;        // guards change as the motion does,
  bool has_laws_of_state_;  // which does not show what laws of force do to rows
  LawPulses pulses_;
  OutputValues outputs_;
  Workspace workspace_;
  EventLocator events_, guards_;
  std::vector<double> pieces_, pulse_times_;  // the ends of pieces of a step; those around pulses
  std::vector<double> scratch_y_, scratch_g_, corrected_, expression_;
  std::vector<double> lowest_, highest_;  // of each guard, in a step
  State seen_;                            // the moment guards are asked about,
  ConstrainedDynamics solution_;          // and its solution
  State end_state_;                       // the same at the end of a step
  ConstrainedDynamics end_solution_;
  std::optional<Moment> end_;
  std::vector<double> end_guards_;
  std::optional<double> end_t_;  // where these are known
  std::optional<Outcome<ConstrainedDynamics>> rest_, held_;
};

}  // namespace vinculum
