// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"
#include "vinculum/stepping/first_time.h"
#include "vinculum/stepping/looks.h"

namespace vinculum {

// Strings are taken to be taut: do they stay so, and by how much. The margin is the mean tension over the amplitude by which it
// varies, (largest + least)/(largest - least): above 1 the string stays taut; none where the tension does not vary; 0 where it
// went slack.
class TautWatcher : public Idealisation {
 public:
  explicit TautWatcher(const ConstraintSet& constraints);

  // Of guards it has none (OneSidedRows has), but every moment they are asked for is a look.
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  void hear(const Occurrence& event) override;
  void search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>& found) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

 private:
  struct Watch {
    std::optional<double> least, largest;  // [N]
    double least_t = 0;
    FirstTime first_slack;
    bool undetermined = false;  // its tension was not determined at some time
  };
  static constexpr size_t kNumbers = 2 * kNumbersOfOptional + FirstTime::kNumbers + 2;
  struct Look {
    double t = 0;
    double round_off = 0;                         // of a tension
    std::vector<std::optional<double>> tensions;  // none: the string is slack
    std::vector<bool> determinate;
  };
  Look make_look(Moment& moment);
  void add_to_watch(const Look& look, bool forward);
  Verdict judge_one(size_t string) const;

  const ConstraintSet& constraints_;
  std::vector<int> rows_;  // Row::index of each string
  Looks<Look> looks_;
  std::vector<Watch> watches_;
};

}  // namespace vinculum
