// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/stepping/singular_crossing.h"

namespace vinculum {

// The steps of a run. With rows each is one whose end is on them: it is taken back if they ask for more than its error. Near a
// position where constraints lose rank another integrator takes it across (singular_crossing.h).
class Steps {
 public:
  Steps(MotionSystem& system, const std::string& integrator, IntegratorOptions options);

  // From here, as from a start; or from a checkpoint.
  void start(const IntegratorState& from);

  Outcome<StepReport> advance(double until);  // at most to there
  void take_back();                           // the last step: the motion is where it began
  // The end of the last step, put on the constraints, and the motion continues from there.
  std::span<const double> end() const { return end_; }
  void keep_on_rows(double t);
  // Where an integrator that cannot continue from everywhere starts again.
  void restart();

  const Integrator& integrator() const { return *integrator_; }
  IntegratorState state() const { return integrator_->state(); }
  State present() const;

  // Within the last step: as it was computed, or on the constraints; then also in `values`.
  const Integrator& last() const { return *last_; }
  State seen_at(double t);
  State on_rows_at(double t);
  // At t within the last step by a step of its own that ends there: more exact than the continuous solution, and dearer.
  State reach(double t);
  std::span<const double> values() const { return values_; }

  std::optional<double> singular_time() const { return singular_; }  // where constraints lost rank in it
  double regularity() const { return crossing_.regularity(); }

 private:
  void put_start_on_rows();
  bool leads_onto_rows(const Integrator& stepper, double t, double tolerance);
  double regularity_at_end(double t, bool leads);

  MotionSystem& system_;
  IntegratorOptions options_;
  std::string name_;
  std::unique_ptr<Integrator> integrator_;
  IntegratorState before_;  // the last step
  SingularCrossing crossing_;
  const Integrator* last_;          // took the last step: the integrator, or what took it across a singular position
  bool shortened_ = false;          // it was taken with a smaller step than the integrator's own
  std::optional<double> singular_;  // where constraints lost rank in it
  std::vector<double> end_;         // of it, on the constraints,
  bool is_corrected_ = false;       // which of a tree alone the integrator's own end may be, to the bit
  std::vector<double> values_;
};

}  // namespace vinculum
