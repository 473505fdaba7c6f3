// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/steps.h"

#include <cmath>

#include <fmt/core.h>

#include "vinculum/integration/switching.h"

namespace vinculum {

namespace {

// The root mean square of what a projection has changed, beside the error that is allowed in a step: of the whole scales, as
// round-off of the constraints comes from all coordinates.
double correction(std::span<const double> found, std::span<const double> corrected, const IntegratorOptions& options,
                  double tolerance) {
  double squares = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const double ratio =
        (corrected[i] - found[i]) / (tolerance * (options.scale(i) / MotionSystem::kPartOfScale + std::abs(found[i])));
    squares += ratio * ratio;
  }
  return found.empty() ? 0 : std::sqrt(squares / static_cast<double>(found.size()));
}

}  // namespace

Steps::Steps(MotionSystem& system, const std::string& integrator, IntegratorOptions options)
    : system_(system),
      options_(system.in_scales(std::move(options))),
      name_(integrator),
      integrator_(std::make_unique<Switching>(make_integrator(integrator))),
      crossing_(system),
      last_(integrator_.get()),
      values_(system.dimension()) {}

void Steps::start(const IntegratorState& from) {
  integrator_->start(system_, from, options_);
  if (!system_.is_plain_tree()) crossing_.begin(from.t, from.y);
}

// The end of a step, put on the constraints. False if they ask for more than an error of the step: then it is no motion of
// theirs.
bool Steps::leads_onto_rows(const Integrator& stepper, double t, double tolerance) {
  constexpr double kMostCorrection = 10;
  end_.resize(values_.size());
  stepper.interpolate(t, end_);
  if (!stepper.accepts_correction()) return true;
  values_ = end_;
  system_.correct(t, end_);
  return system_.was_kept() && correction(values_, end_, options_, tolerance) <= kMostCorrection;
}

// What the start of a step lacks is no error of the step: where one of two rows that contradicted each other has just let go, the
// other one is not kept to round-off.
void Steps::put_start_on_rows() {
  constexpr double kMostCorrection = 1e4;
  std::vector<double> on_rows = before_.y;
  system_.correct(before_.t, on_rows);
  if (system_.was_kept() && correction(before_.y, on_rows, options_, options_.relative_tolerance) <= kMostCorrection)
    before_.y = std::move(on_rows);
}

// Known from the way back onto the constraints, if it was just found.
double Steps::regularity_at_end(double t, bool leads) {
  const std::optional<double> known = leads ? system_.regularity_of_rows_kept() : std::nullopt;
  return known && integrator_->accepts_correction() ? *known : system_.compute_regularity(t, end_);
}

Outcome<StepReport> Steps::advance(double until) {
  constexpr int kMostAttempts = 40;
  last_ = integrator_.get();
  singular_.reset();
  shortened_ = false;
  before_ = integrator_->state();
  if (system_.is_plain_tree()) {
    const Outcome<StepReport> step = integrator_->advance(until);
    if (!step) return step;
    end_.resize(values_.size());
    integrator_->interpolate(step->t1, end_);
    is_corrected_ = integrator_->accepts_correction() && system_.correct(step->t1, end_);
    return step;
  }
  const IntegratorState& before = before_;
  double span = until - before.t;
  int rejected = 0;
  for (int attempt = 0;; ++attempt) {
    system_.reset_regularity();
    Outcome<StepReport> step = integrator_->advance(until);
    if (!step && step.failure().kind() == FailureKind::interrupted) return step;
    if (step) span = step->t1 - step->t0;
    const bool leads = step && leads_onto_rows(*integrator_, step->t1, options_.relative_tolerance);
    const bool near = !step || crossing_.comes_near(*integrator_, step->t0, step->t1, regularity_at_end(step->t1, leads));
    if (step && !integrator_->accepts_correction() && crossing_.is_lost())
      return Failure{
          "VN-CONTACT-101",
          fmt::format("the constraint Jacobian loses rank near t = {:g} s, and {} is not accurate enough to pass there", step->t1,
                      integrator_->name()),
          "take --integrator dop853 or taylor"};
    if (leads && (!near || (!integrator_->step_series().empty() && crossing_.ends_clear()))) {
      crossing_.accept();
      if (near) singular_ = crossing_.find_singular_time(*integrator_, step->t0, step->t1);
      step->rejected += rejected;
      return step;
    }
    if (near) {
      const std::vector<double> end = end_;
      const auto crossed = crossing_.cross(before, until, span, options_.relative_tolerance);
      if (crossed && leads_onto_rows(crossing_.stepper(), crossed->t1, crossing_.allowed_error(options_.relative_tolerance))) {
        last_ = &crossing_.stepper();
        singular_ = crossing_.find_singular_time(*last_, crossed->t0, crossed->t1);
        crossing_.accept();
        return *crossed;
      }
      end_ = end;
    }
    if (!step) return step;
    if (leads) {  // near, but nothing is lost
      crossing_.comes_near(*integrator_, step->t0, step->t1, system_.compute_regularity(step->t1, end_));
      crossing_.accept();
      singular_ = crossing_.find_singular_time(*integrator_, step->t0, step->t1);
      return step;
    }
    rejected += 1 + step->rejected;
    if (attempt == kMostAttempts)
      return Failure{
          "VN-CONTACT-101",
          fmt::format("no step continues from t = {:g} s: velocities would have to jump (regularity of constraints {:.2g})",
                      before.t, crossing_.regularity()),
          "the mechanism locks, or comes to a singular position too slowly to pass it; see `check` with this state"};
    if (attempt == 0) put_start_on_rows();
    IntegratorOptions shorter = options_;
    shorter.largest_step = 0.5 * std::abs(span);
    integrator_->start(system_, before, shorter);
    shortened_ = true;
  }
}

void Steps::take_back() { start(IntegratorState(before_)); }

// After a step across a singular position, or a shortened one, the integrator starts again from its end.
void Steps::keep_on_rows(double t) {
  if (system_.is_plain_tree()) {
    if (is_corrected_) integrator_->correct(end_);
  } else if (last_ != integrator_.get() || shortened_) {
    integrator_->start(system_, {t, end_, 0, {}}, options_);
  } else if (integrator_->accepts_correction()) {
    integrator_->correct(end_);
  }
}

void Steps::restart() {
  IntegratorState state = integrator_->state();
  system_.correct(state.t, state.y);
  integrator_->start(system_, state, options_);
}

State Steps::present() const {
  const IntegratorState state = integrator_->state();
  return system_.unpack(state.t, state.y);
}

State Steps::seen_at(double t) {
  last_->interpolate(t, values_);
  return system_.unpack(t, values_);
}

State Steps::on_rows_at(double t) {
  constexpr double kMostCorrection = 1e4;
  last_->interpolate(t, values_);
  const std::vector<double> found = values_;
  system_.correct(t, values_);
  if (correction(found, values_, options_, options_.relative_tolerance) > kMostCorrection)
    values_ = found;  // another branch, near a singular position
  return system_.unpack(t, values_);
}

State Steps::reach(double t) {
  if (last_ != integrator_.get() || t == before_.t) return on_rows_at(t);
  Switching again(make_integrator(name_));
  again.start(system_, before_, options_);
  while (again.state().t != t) {
    if (!again.advance(t)) return on_rows_at(t);
  }
  values_ = again.state().y;
  system_.correct(t, values_);
  return system_.unpack(t, values_);
}

}  // namespace vinculum
