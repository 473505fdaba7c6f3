// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/integration/step_polynomial.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// y' = f(t, y)
class System {
 public:
  virtual ~System() = default;
  virtual int dimension() const = 0;
  // False where there is no derivative (or none to be trusted): the integrator then tries a shorter step.
  virtual bool compute_derivative(double t, std::span<const double> y, std::span<double> dydt) = 0;

  // The solution through (t, y) as a power series, y(t + s) = Σ c_n sⁿ: coefficients 0..order, order after order. Systems that
  // have one are analytic wherever they have a derivative; false where not.
  virtual bool has_series() const { return false; }
  virtual bool compute_series(double /*t*/, std::span<const double> /*y*/, int /*order*/, std::span<double> /*coefficients*/) {
    return false;
  }
  // The first s in (0, reach] at which the last computed series leaves the solution, because a root runs through zero there and
  // the series goes on along its other branch; `reach` if none is known.
  virtual double find_branch(double reach) { return reach; }

  // The longest step from (t, y), at most `step` (with its sign), that hides nothing of how f depends on t itself from who looks
  // at a dozen places in it.
  virtual double find_step(double /*t*/, std::span<const double> /*y*/, double step) { return step; }

  // The components of y whose way through a step tells what f does within it; none: nothing is to be checked. The largest part of
  // a step, from its beginning, in which f does nothing that the integrator has not seen: asked after a step was tried and before
  // it is accepted.
  virtual std::span<const int> checked_components() { return {}; }
  virtual double check_step(const StepPolynomial& /*step*/) { return 1; }
  // The steps to come do not continue those before.
  virtual void forget_steps() {}

  // Where f jumps or has a kink: zeros of functions of (t, y), the switches. f is held next to (t, y) on the side that `signs`
  // tells, 1 or -1 a switch, and goes on smoothly beyond the zero; 0 leaves it as it is (Switching).
  virtual int switch_count() const { return 0; }
  virtual void evaluate_switches(double /*t*/, std::span<const double> /*y*/, std::span<double> /*switches*/) {}
  virtual void hold_switches(std::span<const double> /*signs*/, double /*t*/, std::span<const double> /*y*/) {}
  // f itself jumps there, and not only its derivatives.
  virtual bool is_jump(int /*number*/) const { return true; }
  // The side f is on where the switch is zero; 0: on neither.
  virtual double side_on_switch(int /*number*/, double /*t*/, std::span<const double> /*y*/) { return 0; }
  // The switches along a series of y about t, as its coefficients, order after order; none if they have no series.
  virtual std::span<const double> compute_switch_series(double /*t*/, std::span<const double> /*coefficients*/) { return {}; }
  // Why the solution cannot go on with other signs at t, if it cannot.
  virtual std::optional<Failure> check_jump(double /*t*/, std::span<const double> /*signs*/) { return std::nullopt; }
  virtual std::string describe_switch(int /*number*/) const { return {}; }
};

// An error e of y in a step is allowed if the root mean square of e_i / (absolute scale_i + relative |y_i|) is at most 1. Both
// are positive.
struct IntegratorOptions {
  double relative_tolerance = 1e-10;
  double absolute_tolerance = 1e-12;
  double largest_step = std::numeric_limits<double>::infinity();
  int order = 0;  // of a power series; 0: by the tolerance
  // Asked within a step; true ends it with `stopped_at`.
  std::function<bool()> wants_to_stop = {};
  std::vector<double> scales{};  // what a large value of each component of y is about; empty: 1
  double time_scale = 1;         // [s] the same of t; a power of two

  double scale(std::size_t i) const { return scales.empty() ? 1 : scales[i]; }
};

Failure stopped_at(double t);

// All an integrator needs to go on from here, bit for bit.
struct IntegratorState {
  double t = 0;
  std::vector<double> y;
  double next_step = 0;        // [s], with sign; 0: to be chosen
  std::vector<double> memory;  // of the step-size control; empty at the start
};

struct StepReport {
  double t0 = 0, t1 = 0;
  int rejected = 0;      // attempts thrown away before this one
  long evaluations = 0;  // of f, or of its series, in this step
};

// Goes from state to state by steps of its own choice, with a continuous solution over the last step.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;

  virtual void start(System& system, const IntegratorState& from, const IntegratorOptions& options) = 0;

  // One accepted step towards t_end (before or after the present), never beyond it; t1 == t_end exactly when it is reached.
  // Failure VN-RUN-010 (step too small: a singularity, or too stiff), VN-RUN-011 (no derivative), with t in the message.
  virtual Outcome<StepReport> advance(double t_end) = 0;

  // The solution at t within the last step; equal to state() at its end.
  virtual void interpolate(double t, std::span<double> y) const = 0;

  // The coefficients of that solution about the beginning of the last step, order after order, where it is a power series.
  virtual std::span<const double> step_series() const { return {}; }

  // The present. Taking it changes nothing; starting another integrator of the same kind from it gives the same bits as going on,
  // provided resumable_anywhere(), else only if this one is restarted from it as well.
  virtual IntegratorState state() const = 0;
  virtual bool resumable_anywhere() const = 0;

  // Puts y in place of the present values (a quaternion back on the unit sphere). Only for one-step methods that allow it.
  virtual bool accepts_correction() const = 0;
  virtual void correct(std::span<const double> y) = 0;
};

// "dop853" (non-stiff, 8th order), "taylor" (power series of any order, for systems that have one), "cvode" (BDF, stiff),
// "arkode" (implicit Runge-Kutta, stiff); nullptr for another name.
std::unique_ptr<Integrator> make_integrator(std::string_view name);
std::vector<std::string> integrator_names();

}  // namespace vinculum
