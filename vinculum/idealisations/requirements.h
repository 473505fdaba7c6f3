// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/constraints/output_values.h"
#include "vinculum/stepping/limit_watch.h"
#include "vinculum/stepping/motion_values.h"

namespace vinculum {

// What outputs are required to keep to: `require: "< 2 m/s^2"`.
class Requirements : public Idealisation {
 public:
  Requirements(const Model& model, double tolerance);

  void search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>& found) override;
  bool reads_values_alone() const override { return true; }
  void lose_values(StepValues& values, double last, double failed) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void hear_impact(const ImpactReport& report, double t) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  void list_events(std::vector<Occurrence>& events) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  const Requirement& requirement(size_t i) const { return model_.outputs().requirements[i]; }
  std::string subject(size_t i) const;
  Occurrence begins(size_t i, double t) const;
  void take_impulses(Moment& moment);

  const Model& model_;
  double tolerance_;
  OutputValues outputs_;
  LimitWatch watch_;  // the value of each, or its opposite where it must be above
  // The first impulse that took the output of each beyond its bound, when, and on which row.
  struct Blow {
    FirstTime when{};
    double impulse = 0, row = 0;
  };
  std::vector<Blow> blows_;
  std::vector<std::pair<double, ImpactReport>> heard_;  // since the last look
  std::vector<FirstTime> undetermined_;  // when the output of each first depended on how redundant rows share their load
};

}  // namespace vinculum
