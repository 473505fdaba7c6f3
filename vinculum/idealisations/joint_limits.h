// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/stepping/limit_watch.h"
#include "vinculum/stepping/motion_values.h"

namespace vinculum {

// The limits of joints: does each stay in its range, below its speed, below its effort. The effort is what drives the joint: its
// `joint:` laws that are not passive, and what its given motion takes:
//
//   -q <= -lower ,  q <= upper ,  |v| <= speed ,  max(|tau + lambda|, |lambda|) <= effort
//
// A given motion counts by itself too, so that a law of a damper not called passive cannot hide what the motor has to supply
// against it. Where stops are followed the range cannot be left: its ends are one-sided rows.
class JointLimits : public Idealisation {
 public:
  JointLimits(const Model& model, bool followed, double tolerance);

  void search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>& found) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  void list_events(std::vector<Occurrence>& events) const override;
  std::vector<double> memory() const override { return watch_.memory(); }
  bool restore(std::span<const double> numbers) override { return watch_.restore(numbers); }

 private:
  enum class Of { lower, upper, speed, effort };
  struct Limit {
    int joint = 0;  // index into Model::joint_limits()
    Of of = Of::lower;
  };
  const JointLimit& joint(const Limit& limit) const { return model_.joint_limits()[limit.joint]; }
  static std::vector<Limit> list_limits(const Model& model);
  static std::vector<SearchedFunction> list_functions(const Model& model, const MotionNumbers& numbers);
  Occurrence begins(size_t i, double t) const;
  Verdict judge_one(size_t i, double t_end) const;
  Verdict judge_position(size_t i, double t_end) const;

  const Model& model_;
  bool followed_;
  double tolerance_;
  std::vector<Limit> limits_;
  OutputValues outputs_;
  LimitWatch watch_;  // how much of each is used
};

}  // namespace vinculum
