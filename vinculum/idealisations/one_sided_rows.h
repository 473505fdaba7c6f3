// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "vinculum/constraints/idealisation.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

// Each row of one sign (Model::one_sided()) has a function of the motion that falls through zero at its event: its multiplier if
// it holds, its gap if it does not. Followed, they part and touch there; else they are only told of, for what holds begins to
// pull.
class OneSidedRows : public Idealisation {
 public:
  OneSidedRows(MotionSystem& system, const Model& model, Follow follow, double tolerance);

  int guard_count() const override { return static_cast<int>(guarded_.size()); }
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  void begin_above_zero(std::span<double> guards) const override;
  bool decides(int guard) const override { return follows(guarded_[guard]); }
  double guard_scale(int guard) const override;

  // What does not touch, or would have to pull, lets go before the first step.
  std::optional<Failure> begin(State& state, const Tell& tell) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  // One loses its push or is struck, and all are decided anew.
  std::optional<Failure> decide(int guard, State& state, const Tell& tell) override;
  void list_events(std::vector<Occurrence>& events) const override;

 private:
  bool follows(int k) const { return system_.constraints().follows(k); }
  const OneSided& element(int k) const { return model_.one_sided()[k]; }
  double judge_pull(const State& state, int k, double pull);
  double find_touch(int k, double begin, double down, const StateAt& state_at) const;
  double least_rise() const;

  MotionSystem& system_;
  const Model& model_;
  bool may_slip_;
  // A body is down when it is this far below the surface [m]: less may be an error of one that has just lifted off, and rises
  // with the third power of time.
  double depth_of_touch_;     // of the length scale
  std::vector<int> guarded_;  // indices into one_sided()
  Workspace workspace_;
  std::vector<double> corrected_;  // scratch
};

// How far below a surface a body is when its touch is told, of the length scale.
inline double depth_of_touch(double tolerance) { return std::clamp(10 * tolerance, 1e-10, 1e-4); }

// Events of one-sided elements whose mode has changed: lift-off, touch-down, stop, taut, ..
void tell_one_sided(const Model& model, const std::vector<int>& before, const std::vector<int>& after,
                    const Idealisation::Tell& tell);

}  // namespace vinculum
