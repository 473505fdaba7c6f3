// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/constrained/constrained_series.h"
#include "vinculum/constraints/follow.h"
#include "vinculum/constraints/point_loops.h"
#include "vinculum/constraints/sparse_constraints.h"
#include "vinculum/decision/settle_frictional.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/integration/integrator.h"
#include "vinculum/model/law_jumps.h"
#include "vinculum/model/model.h"
#include "vinculum/series/series.h"
#include "vinculum/series/switch_series.h"
#include "vinculum/stepping/laws_of_time.h"
#include "vinculum/stepping/step_laws.h"

namespace vinculum {

// A model as a system of differential equations: y = (q, v), the ways p of slips that are free in their play, and, where forces
// do work that no potential remembers, that work W.
//
//   q' = N(q) v ,  v' = forward dynamics ,  p' = slip ,  W' = power of dampers, drives, laws of time, rows that move or rub
//
// Driven coordinates follow their law exactly, whatever the integrator makes of them. The other rows are kept by projection after
// each step, or, where an integrator does not let itself be corrected, by Baumgarte's terms in v'.
class MotionSystem : public System {
 public:
  // Held at its jumps, so that any integrator goes over them; at its kinks it has series.
  explicit MotionSystem(const Model& model, const Baumgarte& baumgarte = {}, Follow follow = Follow::bilateral,
                        HeldAt held_at = HeldAt::jumps);

  int dimension() const override { return dimension_; }
  bool compute_derivative(double t, std::span<const double> y, std::span<double> dydt) override;
  bool has_series() const override { return has_series_; }
  bool compute_series(double t, std::span<const double> y, int order, std::span<double> coefficients) override;
  double find_branch(double reach) override;
  double find_step(double t, std::span<const double> y, double step) override;
  std::span<const int> checked_components() override;
  double check_step(const StepPolynomial& step) override;
  void forget_steps() override;
  int switch_count() const override { return jumps_ ? jumps_->count() : 0; }
  void evaluate_switches(double t, std::span<const double> y, std::span<double> switches) override;
  void hold_switches(std::span<const double> signs, double t, std::span<const double> y) override;
  bool is_jump(int number) const override { return jumps_->is_jump(number); }
  double side_on_switch(int number, double t, std::span<const double> y) override;
  std::span<const double> compute_switch_series(double t, std::span<const double> coefficients) override;
  std::optional<Failure> check_jump(double t, std::span<const double> signs) override;
  std::string describe_switch(int number) const override { return jumps_->describe(number); }

  // The run to come, whose laws are looked over step by step. Without it steps are as long as the integrator likes.
  void expect_run(const State& start, double until, double tolerance);

  // The solution at a state on the rows, of who has just looked at it: a step that begins there need not find it again. Forgotten
  // where the constraints change.
  void remember(const State& state, const ConstrainedDynamics& solved);

  // The model's event functions along a series of y, as its coefficients; none if they have no series.
  std::span<const double> compute_event_series(double t, std::span<const double> coefficients);

  // Puts driven coordinates on their law, quaternions on the unit sphere and the state on the constraints. True if y changed.
  bool correct(double t, std::span<double> y);
  // False if the last of these found no way back onto the constraints.
  bool was_kept() const { return was_kept_; }
  // What compute_regularity would say where it led to, if it is known.
  std::optional<double> regularity_of_rows_kept() const { return regularity_of_rows_kept_; }

  std::vector<double> pack(const State& state, double work) const;
  State unpack(double t, std::span<const double> y) const;
  void unpack(double t, std::span<const double> y, State& state) const;  // memory of the caller
  double work(std::span<const double> y) const { return counts_work_ ? y[dimension_ - 1] : 0; }
  bool counts_work() const { return counts_work_; }
  // It counts what impacts take away, and nothing else.
  bool counts_impacts_only() const { return counts_work_ && !does_work_; }

  // What a large value of each component of y is about, and an integrator is told that it is (Model::scales).
  const std::vector<double>& scales() const { return scales_; }
  // Of the model's scales: below it an error counts beside this, above it beside the value itself.
  static constexpr double kPartOfScale = 0x1p-6;
  IntegratorOptions in_scales(IntegratorOptions options) const;

  const ConstraintSet& constraints() const { return constraints_; }
  SparseConstraints& sparse_constraints() { return sparse_; }
  bool is_plain_tree() const { return constraints_.is_plain_tree(); }
  bool at_rest() const { return at_rest_; }  // guides hold everything by friction,
  bool sticks() const { return sticks_; }    // or some bodies
  bool keeps_by_projection() const { return baumgarte_.alpha == 0; }

  // Which constraints are there. What is redundant among them is to be chosen then.
  void set_modes(const std::vector<int>& modes);
  // Decides again, and changes the velocities where bodies strike (impact.h); then what is redundant.
  std::optional<Failure> settle(State& state, double least_rise, int leaving = -1);
  std::optional<Failure> settle(State& state, const FrictionalChange& change);
  // What these came upon: several choices of modes, or none.
  const ChoiceRecord& choice_record() const { return choice_record_; }
  void set_choice_record(const ChoiceRecord& record) { choice_record_ = record; }
  // What was struck since this was last asked.
  std::vector<ImpactReport> take_impacts() { return std::exchange(impacts_, {}); }
  bool has_struck(int row) const;
  // Slip laws continue where the state left them: the sides of relays and ends of plays, which are modes, and their memory.
  void continue_slips(State& state);
  // What the laws of slip remember, of State::memory; a play is a part of y.
  void set_memory(const std::vector<double>& memory) {
    constraints_.memory = independent_.memory = memory;
    remembered_.reset();
  }

  // The motion obeys as many rows as are independent; the others say nothing new on the constraints, but would contradict the
  // stages of a step beside them. Chosen at a state on the constraints, and kept until they are chosen again.
  std::optional<Failure> choose_rows(const State& state);
  const std::vector<bool>& left_out() const { return independent_.left_out; }
  bool leaves_rows_out() const;
  void leave_out(const std::vector<bool>& redundant_rows);
  // Constraints that were left out and do not hold at this state: they contradict the others.
  std::optional<Failure> check_left_out(const State& state);

  // How far the rows are from losing rank (LoopSolver::regularity) at a state, and the least since the last reset at all states
  // the motion was asked for.
  double compute_regularity(double t, std::span<const double> y);
  double least_regularity() const { return least_regularity_; }
  void reset_regularity() { least_regularity_ = 1; }

  // Why there was no derivative, if the constraints were the reason.
  const std::optional<Failure>& failure() const { return failure_; }

 private:
  void set_scales(const Scales& scales);
  bool compute_rates(double t, std::span<const double> y, std::span<double> dydt);
  void forget_rows();
  int plays() const { return static_cast<int>(play_rows_.size()); }
  bool may_slip() const { return vinculum::may_slip(follow_, model_); }
  void set_state(double t, std::span<const double> y);  // state_

  Bindings bindings(double t, std::span<const double> y) const;

  std::unique_ptr<Model> held_model_;  // a copy whose laws are held on their branches, if they have any
  std::optional<LawJumps> jumps_;
  const Model& model_;
  Follow follow_;
  std::optional<LawsOfTime> laws_of_time_;
  std::optional<StepLaws> step_laws_;
  ConstraintSet constraints_;  // all constraints that are there
  ConstraintSet independent_;  // without those that say nothing new
  SparseConstraints sparse_;
  std::optional<LoopSolver> loops_;  // the quickest way, where contacts only hold points
  std::vector<Vector3> loop_forces_;
  Baumgarte baumgarte_;
  Workspace workspace_;
  int coordinates_, velocities_, dimension_;
  std::vector<int> play_rows_;   // whose slip moves in a play,
  std::vector<int> play_slots_;  // and where that is in State::memory
  std::vector<double> scales_;
  double time_scale_ = 1;
  bool counts_work_, does_work_;
  bool has_series_;
  bool has_tables_, has_lines_;         // laws with tables; laws along lines, which have no value where their points coincide
  std::optional<MotionSeries> series_;  // made when first asked for,
  std::optional<ConstrainedSeries> constrained_series_;  // this or that
  int series_order_ = 0;
  bool events_have_series_;
  std::optional<FormulaSeries> event_series_;
  std::optional<SwitchSeries> switch_series_;
  State state_;  // scratch
  ConstrainedMotion motion_;
  std::optional<double> remembered_;  // the time at which `motion_at_` is known, at `state_at_`
  State state_at_;
  ConstrainedMotion motion_at_;
  std::vector<double> expression_, change_;
  std::optional<Failure> failure_;
  double least_regularity_ = 1;
  ChoiceRecord choice_record_;
  std::vector<ImpactReport> impacts_;
  bool at_rest_ = false, sticks_ = false;
  bool was_kept_ = true;
  std::optional<double> regularity_of_rows_kept_;
};

}  // namespace vinculum
