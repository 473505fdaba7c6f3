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
  int direction = 0;   // +1 rising, -1 falling, 0 touching without crossing
};

// Finds the zeros of g_k(t, y(t)) along the continuous solution of an integrator, step by step. Remembers where the last step ended so
// that a zero at a step's end is told once.
class EventLocator {
 public:
  // Writes all g_k at (t, y).
  using Functions = std::function<void(double t, std::span<const double> y, std::span<double> g)>;

  EventLocator(int count, int dimension, Functions functions);

  // Call at the start (and after a jump of the state). A function that is exactly zero there is not an event.
  void restart(double t, std::span<const double> y);

  // The zeros in (t0, t1] of the integrator's last step, ordered in the direction of time. Each is located to round-off of t.
  std::vector<EventCrossing> locate(const Integrator& integrator, double t0, double t1);

  // What must be kept to go on from a checkpoint: last values of g.
  const std::vector<double>& memory() const { return last_; }
  void restore(double t, std::vector<double> memory);

 private:
  int count_;
  int dimension_;
  Functions functions_;
  double last_t_ = 0;
  std::vector<double> last_;
};

}  // namespace vinculum
