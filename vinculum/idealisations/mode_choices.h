// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vinculum/constraints/idealisation.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

// Rigid contacts with friction: is there one choice of modes (sticks, slips, parts) at every moment? There may be several, or
// none, where friction turns a push into a pull (Painlevé; theory 5, section 4). Looked at wherever modes are decided
// (settle_frictional.h) and, while something slides, at the end of every step. The guard is the determinant of the equations for
// the reactions beside that without friction: where it vanishes they grow beyond all bounds, and only an impact without collision
// goes on from there.
class ModeChoices : public Idealisation {
 public:
  ModeChoices(MotionSystem& system, const Model& model);

  int guard_count() const override { return 1; }
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  void begin_above_zero(std::span<double> guards) const override;
  std::optional<Failure> begin(State& state, const Tell& tell) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  std::optional<Failure> decide(int guard, State& state, const Tell& tell) override;
  std::optional<Failure> follow_change(State& state, const Tell& tell) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  void list_events(std::vector<Occurrence>& events) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  int count_rubbing(const ConstraintSet& set) const;
  void tell_jams(const Tell& tell);
  void note_critical(double scale, double t);

  MotionSystem& system_;
  const Model& model_;
  Workspace workspace_;
  double told_ = 0;               // jams
  std::optional<double> margin_;  // the least factor on friction at which uniqueness for every load is lost,
  double margin_t_ = 0;           // and when
};

}  // namespace vinculum
