// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "vinculum/integration/events.h"
#include "vinculum/integration/integrator.h"

namespace vinculum {

// Any integrator on a system whose equations jump or have kinks (System::switch_count). Each is held on the side its switch is
// on, so that the equations of a step are smooth, also beyond; the first zero of a switch within a step ends it there, to
// round-off of t, and the integrator starts anew on the other side. Along a power series the switches are polynomials, of which
// no zero is missed; a step goes no farther than these do.
//
// Where the other side of a jump pushes back, the motion can go neither way: it would slide along the jump (a body sticks), and
// the equations do not say with which force. That is a failure, VN-RUN-110, that names the jump. So are zeros that follow each
// other without end. Without switches it is the integrator itself; steps so short that the end is out of reach are told in any
// case, VN-RUN-113.
class Switching final : public Integrator {
 public:
  explicit Switching(std::unique_ptr<Integrator> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  void start(System& system, const IntegratorState& from, const IntegratorOptions& options) override;
  Outcome<StepReport> advance(double t_end) override;
  void interpolate(double t, std::span<double> y) const override;
  std::span<const double> step_series() const override { return inner_->step_series(); }
  IntegratorState state() const override;
  bool resumable_anywhere() const override { return inner_->resumable_anywhere(); }
  bool accepts_correction() const override { return inner_->accepts_correction(); }
  void correct(std::span<const double> y) override;

 private:
  Outcome<StepReport> advance_smooth(double t_end);
  int count() const { return static_cast<int>(signs_.size()); }
  void restart_inner();
  void restart_locator();
  // The zeros of the switches in the last step, and how far they were looked for.
  struct Zeros {
    std::vector<EventCrossing> crossings;
    double until;
  };
  Zeros find_zeros(const StepReport& step);
  bool release_kinks(const Failure& failure);
  double find_reach(std::span<const double> switches, double h) const;
  std::optional<Failure> decide_signs(double t_end);
  std::optional<Failure> change_signs(double t_end);
  void hold(const std::vector<double>& signs);
  double switch_rate(int k, double t_end);
  Failure slides(int k) const;

  std::unique_ptr<Integrator> inner_;
  System* system_ = nullptr;
  IntegratorOptions options_;
  std::optional<EventLocator> locator_;
  std::vector<double> signs_;    // of each switch; kUndecided before the first step
  std::vector<double> changes_;  // 1: this sign changes before the next step

  // The present, where it is not that of the inner integrator: a step that was cut.
  bool cut_ = false;
  double t_ = 0;
  std::vector<double> y_;
  int short_steps_ = 0;    // that were cut, one after the other
  int counted_steps_ = 0;  // since
  double counted_from_ = 0;
  std::vector<double> g_, derivative_, trial_;
};

}  // namespace vinculum
