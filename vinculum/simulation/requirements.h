// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/constraints/output_values.h"
#include "vinculum/simulation/limit_watch.h"

namespace vinculum {

// What outputs are required to keep to: `require: "< 2 m/s^2"`.
class Requirements : public Idealisation {
 public:
  explicit Requirements(const Model& model);

  int guard_count() const override { return static_cast<int>(watch_.size()); }
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  bool follows_motion() const override { return false; }  // outputs are any formulas
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void hear_impact(const ImpactReport& report, double t) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  void list_events(std::vector<std::string>& names) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  const Requirement& requirement(size_t i) const { return model_.outputs().requirements[i]; }
  std::string subject(size_t i) const;
  // How much of each bound is used: the value, or its opposite where it must be above. False where there is none.
  bool compute(Moment& moment);
  void take_impulses(Moment& moment);

  const Model& model_;
  OutputValues outputs_;
  LimitWatch watch_;
  std::vector<double> used_;
  // The first impulse that took the output of each beyond its bound, when, and on which row.
  struct Blow {
    double t = LimitWatch::kNever, impulse = 0, row = 0;
  };
  std::vector<Blow> blows_;
  std::vector<std::pair<double, ImpactReport>> heard_;  // since the last look
  std::vector<double> undetermined_;  // when the output of each first depended on how redundant rows share their load
};

}  // namespace vinculum
