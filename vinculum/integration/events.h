// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/integration/integrator.h"

namespace vinculum {

// A zero of one of the event functions.
struct EventCrossing {
  int event = 0;
  double t = 0;
  int direction = 0;  // +1 rising with t, -1 falling, 0 touching without crossing
};

// Finds the zeros of g_k(t, y(t)) along the continuous solution of an integrator, step by step. Remembers where the last step
// ended so that a zero at a step's end is told once.
//
// A step is sampled at the ends of eight equal intervals. A change of sign is a crossing; an interval where |g| falls and rises
// again hides two crossings, a touch, or nothing, which the value at the least |g| decides: zero to round-off of the largest |g|
// of the step is a touch. g is taken to be smooth within a step and to have no more zeros in an interval than these. A crossing
// is told at the first number t at or after it, so that g already has its new sign (or is zero) there.
class EventLocator {
 public:
  // Writes all g_k at (t, y).
  using Functions = std::function<void(double t, std::span<const double> y, std::span<double> g)>;

  EventLocator(int count, int dimension, Functions functions);

  // Call at the start (and after a jump of the state). A function that is exactly zero there is not an event.
  void restart(double t, std::span<const double> y);

  // The zeros in (t0, t1] of the integrator's last step, ordered in the direction of time. Each is located to round-off of t.
  std::vector<EventCrossing> locate(const Integrator& integrator, double t0, double t1);

  // The same where the functions are polynomials on the step, g_k = Σ c_n (t - t0)ⁿ: coefficients of all functions, order after
  // order. All zeros are found, however close, down to round-off of g.
  std::vector<EventCrossing> locate(std::span<const double> coefficients, double t0, double t1);

  // What must be kept to go on from a checkpoint: last values of g.
  const std::vector<double>& memory() const { return last_; }
  void restore(double t, std::vector<double> memory);

 private:
  struct Step;

  void evaluate(const Step& step, double t, std::span<double> g);
  double value(const Step& step, double t, int event);
  double slope(const Step& step, double t, int event);
  void locate_one(const Step& step, int event, std::vector<EventCrossing>& found);
  int direction_at_end(const Step& step, int event, int sign_before);
  void locate_roots(std::vector<double>& polynomial, int event, double t0, double t1, std::vector<EventCrossing>& found);

  int count_;
  Functions functions_;
  double last_t_ = 0;
  std::vector<double> last_;

  std::vector<double> y_, g_;    // scratch of one evaluation
  std::vector<double> samples_;  // g at the samples, one after the other
};

}  // namespace vinculum
