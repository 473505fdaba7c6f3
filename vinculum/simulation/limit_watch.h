// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "vinculum/constraints/idealisation.h"
#include "vinculum/simulation/looks.h"

namespace vinculum {

// Values along a motion that must not be above their bounds: the largest of each, when it was first above, and for how long.
// Every moment they are asked for is a look; the largest is looked for between looks too.
class LimitWatch {
 public:
  static constexpr double kNever = std::numeric_limits<double>::max();

  struct Record {
    double most = -kNever, most_t = 0;
    double first = kNever;  // above
    double began = kNever;  // the present time above
    double outside = 0;     // all earlier ones together

    bool is_violated() const { return first != kNever; }
    double time_outside(double t_end) const;
  };

  explicit LimitWatch(std::vector<double> bounds);

  size_t size() const { return bounds_.size(); }
  double bound(size_t i) const { return bounds_[i]; }
  const Record& record(size_t i) const { return records_[i]; }

  // Values at a moment within a step, in memory of this object: to be filled in by the caller.
  std::span<double> add_look(double t);
  // Value i has passed its bound.
  void pass(size_t i, double t, bool upwards);
  // The motion went from `begin` to `end`: looks there count, the others are forgotten.
  void count_looks(double begin, double end, const Idealisation::LookAt& look_at);
  // Values at the end of a step.
  void look_at_end(double t, std::span<const double> values, bool forward);

  std::vector<double> memory() const;
  bool restore(std::span<const double> numbers);

 private:
  struct Look {
    double t = 0;
    std::vector<double> values;
  };

  std::vector<double> bounds_;
  std::vector<Record> records_;
  Looks<Look> looks_;
};

}  // namespace vinculum
