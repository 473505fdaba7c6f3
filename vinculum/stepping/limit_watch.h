// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/stepping/first_time.h"
#include "vinculum/stepping/step_search.h"

namespace vinculum {

// Quantities along a motion that must not be above their bounds: the largest of each, when it was first above, and for how long.
// All of it comes from the same values, those that the search of a step gives (step_search.h):
//
//   above     f > bound + r ,   r: round-off of the terms of f
//   counts    a stay above, once f > bound + r + e ,   e: what f may be off by the errors of the run
//   violated  ⟺  a stay counts  ⟺  the largest value > bound + r + e  ⟺  margin < 1                     theory 8, section 2.3
//
// A value that is on its bound, as a clamp is, is not above it, and violates no `<=`; it violates a `<` while it stays there.
// A value that is not a number is reported as such.
class LimitWatch {
 public:
  struct Record {
    std::optional<double> most;  // none: it had no value yet
    double most_t = 0;
    double granted = 0;   // what the largest may be above the bound, r + e
    FirstTime first;      // above; set where a stay counts
    FirstTime began;      // the present stay above, if there is one,
    bool counts = false;  // which counts
    double outside = 0;   // all earlier ones that do, together
    FirstTime unknown;    // it had no value

    bool is_violated() const { return first.happened(); }
    double time_outside(double t_end) const;
  };

  explicit LimitWatch(std::vector<SearchedFunction> functions);
  // What it may be above its bound beside errors.
  void grant(size_t i, double excess) { granted_[i] = excess; }

  size_t size() const { return functions_.size(); }
  double bound(size_t i) const { return functions_[i].bound; }
  const Record& record(size_t i) const { return records_[i]; }
  // Above its bound, but no farther than the errors of the run reach.
  bool is_on_bound(size_t i) const;
  std::string describe_excess(size_t i) const;  // then
  // bound/most or, of a lower bound, its inverse; none where these have no meaning. Below 1 if and only if it is violated; 1
  // where it only stays on a bound it must not reach.
  std::optional<double> margin(size_t i, bool is_upper) const;

  struct Begun {
    size_t index = 0;
    double t = 0;
  };
  // The stays above a bound that are found between t0 and t1 of a step, where the values at `known` times count in any case.
  // Nothing counts before count(t1).
  std::vector<Begun> search(StepValues& values, double t0, double t1, std::span<const double> known = {});
  // The motion came to `end`.
  void count(double end);
  // It ended at `last`, because of what it has no value of at `failed`: where that was lost.
  void lose(size_t i, StepValues& values, double last, double failed);
  // At a moment.
  void look(size_t i, StepValues& values, double t);
  void look(size_t i, double value, double t);

  static constexpr size_t kNumbers = 12;  // of a record
  std::vector<double> memory() const;
  bool restore(std::span<const double> numbers);

 private:
  struct Value {
    double t = 0, value = 0;
    bool is_above = false;
    double allowed = 0;  // above the bound: r + e, where it is above
  };
  Value evaluate(size_t i, StepValues& values, double t);
  void search_one(size_t i, StepValues& values, double t0, double t1, Record& record, std::vector<Begun>& begun,
                  std::span<const double> known = {});
  void follow(size_t i, const Value& before, const Value& value, StepValues* values, Record& record, std::vector<Begun>& begun);
  void take(size_t i, const Value& value, Record& record, std::vector<Begun>& begun) const;
  void check(size_t i, const Record& record) const;

  std::vector<SearchedFunction> functions_;
  std::vector<double> granted_;
  std::vector<Record> records_, found_;  // found_: as they will be at the end of the step that was searched
  double found_from_ = 0, found_to_ = 0;
  StepValues* values_ = nullptr;  // of that step
  StepSearch search_;
  std::vector<double> known_, times_, arguments_, errors_;  // scratch
};

}  // namespace vinculum
