// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/idealisation.h"

namespace vinculum {

// Rows that a limited force keeps: velocity constraints and contacts with a `bound`, or with `friction` on the multiplier of
// another row. Several rows of one element share it, as a vector:
//
//   |lambda| ≤ R  or  |lambda| ≤ mu N                                                                theory 3, section 3
//
// The guard 1 - (|lambda| / R)² falls through zero where they would begin to slip.
class BoundedRows : public Idealisation {
 public:
  explicit BoundedRows(const Model& model);

  int guard_count() const override { return static_cast<int>(groups_.size()); }
  void evaluate_guards(Moment& moment, std::span<double> guards) override;
  Passed pass(int guard, double begin, double t, bool falls, const StateAt& state_at) override;
  void count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) override;
  void look_at_end(Moment& moment, bool forward) override;
  void judge(double t_end, std::vector<Verdict>& verdicts) const override;
  std::vector<double> memory() const override;
  bool restore(std::span<const double> numbers) override;

  bool has_groups() const { return !groups_.empty(); }

 private:
  struct Group {
    std::string subject;
    std::vector<int> rows;  // indices into Model::rows()
    double bound = 0;       // R, or mu of the row
    int normal = -1;        // whose multiplier presses
    std::string unit;
  };
  struct Watch {
    double most, most_t, first, undetermined;  // the largest part of the bound that was needed, and when; first slip
  };
  struct Look {
    double t = 0;
    std::vector<std::optional<double>> demand;  // needed / bound; none: not there, or not determined
    std::vector<bool> undetermined;
  };
  void add_group(std::string subject, std::vector<int> rows, double bound, int normal);
  Look make_look(Moment& moment) const;
  void add_to_watch(const Look& look, bool forward);

  const Model& model_;
  std::vector<Group> groups_;
  std::vector<Look> looks_;
  std::vector<Watch> watches_;
};

}  // namespace vinculum
