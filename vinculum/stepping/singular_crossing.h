// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "vinculum/stepping/motion_system.h"

namespace vinculum {

// How a run goes over positions where the constraints of a mechanism lose rank: the bars of a parallelogram in line.
//
// The regularity of the rows (LoopSolver) falls to zero there and rises again. The motion on the smooth branch is smooth all the
// same, but what a stage of a step sees of it, a little beside the constraints, is thrown off by 1/regularity; and a projection
// near it may find another branch. So a step that comes near or goes through is taken back and taken anew, such that the position
// lies amid the widest gap between the stages, with as much regularity at its end as at its beginning. The error of such a step
// falls with its length: it is taken from 0.7 of the distance, 0.7² .. until it is small enough.
class SingularCrossing {
 public:
  // The local error asked of a step across. Round-off ε of the positions has grown to about 10⁴ ε/d² at the regularity d, so
  // that no less can be had; it lies in the direction that the rows forbid beside the position, and the projection takes it out.
  double allowed_error(double tolerance) const { return std::max({10 * tolerance, 1e-10, 2e-12 / (regularity_ * regularity_)}); }

  explicit SingularCrossing(MotionSystem& system) : system_(system), stepper_(make_integrator("dop853")) {}

  // The state a run starts or continues from.
  void begin(double t, std::span<const double> y) { regularity_ = at_end_ = largest_ = system_.compute_regularity(t, y); }

  // Has the step that the system was asked for since reset_regularity() come near a singular position or gone through one?
  // `at_end` is the regularity at its end.
  bool comes_near(const Integrator& stepper, double t0, double t1, double at_end);
  // A step by series that begins and ends beside the position does not see it.
  bool ends_clear() const { return at_end_ > 0.5 * regularity_; }
  // So near that only a step across leads on.
  bool is_lost() const { return at_end_ < 1e-3 * largest_; }
  // That step, or the one across, is the motion.
  void accept() {
    regularity_ = at_end_;
    largest_ = std::max(largest_, at_end_);
  }

  // One step from `from` towards t_end, across the position or nearer to it; none if there is none to cross within about the
  // `span` of the step that came near. Its continuous solution is that of `stepper()`.
  std::optional<StepReport> cross(const IntegratorState& from, double t_end, double span, double tolerance);
  const Integrator& stepper() const { return *stepper_; }

  // Where the constraints lost rank in the last step that came near: the least regularity, if it is none.
  std::optional<double> find_singular_time(const Integrator& stepper, double t0, double t1);

  double regularity() const { return regularity_; }

 private:
  double regularity_at(const Integrator& stepper, double t);
  // How long until the regularity were zero if it fell on as it does.
  std::optional<double> foresee(const IntegratorState& from, double span);

  MotionSystem& system_;
  double regularity_ = 1, at_end_ = 1;  // where the step begins and ends
  double largest_ = 1;                  // since the start
  std::unique_ptr<Integrator> stepper_;
  std::vector<double> values_;
};

}  // namespace vinculum
