// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "vinculum/constraints/output_values.h"
#include "vinculum/constraints/step_values.h"
#include "vinculum/stepping/step_search.h"

namespace vinculum {

// The numbers of q, v, the quantities of Model::outputs() and the multipliers of all rows, in this order, and how well a run
// knows them.
class MotionNumbers : public StepValues {
 public:
  MotionNumbers(const Model& model, double tolerance);

  int of_variable(const Variable& variable) const;  // SearchedFunction::kTime of t
  double read(int, double) override { return std::numeric_limits<double>::quiet_NaN(); }
  int of_multiplier(int row) const { return states_ + quantities_ + row; }

  bool is_dear(int number) const override { return number >= states_ && dear_[number - states_]; }
  double noise(int number) const override;
  double round_off(int number, double value) const override;
  double error(int number, double value) const override;

 protected:
  int states_, quantities_;
  const Model& model_;

 private:
  double tolerance_;
  std::vector<double> scales_;
  std::vector<bool> dear_;  // of the quantities and multipliers
};

class LawPieces;

// Memory of readings: vectors by time.
class ReadingsByTime {
 public:
  // Those at t; new ones, to be filled, if `is_new`.
  std::span<double> at(double t, std::size_t size, bool& is_new);
  void forget() { times_.clear(); }
  std::span<const double> times() const { return times_; }

 private:
  std::vector<double> times_;
  std::vector<std::vector<double>> values_;
};

// Of one moment; NaN where it has no solution.
void read_quantities(OutputValues& outputs, Moment& moment, std::span<double> values);
void read_multipliers(Moment& moment, std::span<double> values);

// Along the last step of a run.
class MotionValues : public MotionNumbers {
 public:
  using ReadState = std::function<void(double t, std::span<double> y)>;  // y begins with q, v
  using LookAtMoment = std::function<void(double t, const std::function<void(Moment&)>& use)>;

  MotionValues(const Model& model, double tolerance, int dimension, ReadState read_state, LookAtMoment look);

  double read(int number, double t) override;
  std::span<const double> pieces() override;
  double unseen(double t0, double t1) override;
  void set_laws(LawPieces* laws) { laws_ = laws; }
  // A new step.
  void forget() {
    states_read_.forget();
    moments_read_.forget();
    multipliers_read_.forget();
  }

 private:
  int dimension_;
  ReadState read_state_;
  LookAtMoment look_;
  OutputValues outputs_;
  LawPieces* laws_ = nullptr;
  ReadingsByTime states_read_, moments_read_, multipliers_read_;
};

// At one moment.
class MomentValues : public MotionNumbers {
 public:
  MomentValues(const Model& model, double tolerance, OutputValues& outputs, Moment& moment)
      : MotionNumbers(model, tolerance), outputs_(outputs), moment_(moment) {}
  double read(int number, double t) override;

 private:
  OutputValues& outputs_;
  Moment& moment_;
  std::vector<double> values_;
  bool has_multipliers_ = false;
};

// Between two moments: every number goes from one value to the other along a straight line. For steps of first order, which
// know no better.
class StraightValues : public MotionNumbers {
 public:
  using MotionNumbers::MotionNumbers;

  // The motion came to another moment, or was set again at this one. False: there is no other moment before it.
  bool go_on(OutputValues& outputs, Moment& moment);
  double t0() const { return ends_[0].t; }
  double t1() const { return ends_[1].t; }
  double read(int number, double t) override;

 private:
  struct End {
    double t = 0;
    std::vector<double> values;
  };
  std::array<End, 2> ends_;
};

// The formula of an output in t, q, v and what is no formula: other outputs and laws of force in it are written out.
Expression write_out(const Model& model, const Expression& formula);

// A formula of t, q, v and quantities as a function to be searched.
SearchedFunction make_function(const Expression& formula, const MotionNumbers& numbers);

}  // namespace vinculum
