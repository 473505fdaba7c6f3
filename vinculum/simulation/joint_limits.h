// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/simulation/looks.h"

namespace vinculum {

// The limits of joints: does each stay in its range, below its speed, below its effort. The effort is what drives the joint: its
// `joint:` laws and its given motion.
//
//   guards:  q - lower ,  upper - q ,  speed² - v² ,  effort - |tau|
//
// Where stops are followed the range cannot be left: its ends are one-sided rows.
class JointLimits : public Idealisation {
 public:
  JointLimits(const Model& model, bool followed);

  int guard_count() const override { return static_cast<int>(limits_.size()); }
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  void list_events(std::vector<std::string>& names) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  enum class Of { lower, upper, speed, effort };
  struct Limit {
    int joint = 0;  // index into Model::joint_limits()
    Of of = Of::lower;
  };
  struct Watch {
    double most, most_t, first, began, outside;  // what came nearest, and when; first violation; since when outside; how long
  };
  struct Look {
    double t = 0;
    std::vector<double> values;  // of each limit: how much of it is used; above its bound it is violated
  };
  const JointLimit& joint(const Limit& limit) const { return model_.joint_limits()[limit.joint]; }
  double bound(const Limit& limit) const;
  double use(const Limit& limit, Moment& moment) const;
  Look make_look(Moment& moment);
  void take_most(const Look& look);
  void add_to_watch(const Look& look, bool forward);
  Verdict judge_one(const Limit& limit, const Watch& watch, double t_end) const;
  Verdict judge_position(size_t i, double t_end) const;

  const Model& model_;
  bool followed_;
  std::vector<Limit> limits_;
  Looks<Look> looks_;
  std::vector<Watch> watches_;
};

}  // namespace vinculum
