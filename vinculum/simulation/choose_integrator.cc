// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/choose_integrator.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Eigenvalues>

#include <fmt/core.h>

#include "vinculum/constrained/constrained_series.h"
#include "vinculum/constraints/slip_force.h"
#include "vinculum/integration/series_step.h"
#include "vinculum/integration/switching.h"
#include "vinculum/series/series_laws.h"
#include "vinculum/simulation/run_verdicts.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

namespace {

// Constraints that come and go would start a stiff method again each time; laws without a jump do not.
bool rows_come_and_go(const Model& model, const RunOptions& options) {
  return model.has_followed_rows(options.parts()) || std::ranges::any_of(model.grips(), [&](const Grip& grip) {
           return may_slip(options.follow, grip) && !is_smooth(grip.law);
         });
}

// Constraints that come and go change the equations; strings do so seldom enough for a new series each time.
std::optional<Failure> find_obstacle_to_series(const Model& model, const RunOptions& options) {
  const ConstraintSet set(model);
  for (const Grip& grip : model.grips()) {
    if (!may_slip(options.follow, grip)) continue;
    return Failure{"VN-RUN-015", fmt::format("the motion with '{}' is not computed as a power series: it may slip", grip.name),
                   "take --integrator dop853"};
  }
  for (const OneSided& element : model.one_sided()) {
    if (!options.parts() || element.always_followed) continue;
    return Failure{
        "VN-RUN-015",
        fmt::format("the motion with {} is not computed as a power series: it may separate", model.rows()[element.row].element),
        "take --integrator dop853"};
  }
  if (options.baumgarte > 0 && !set.is_plain_tree())
    return Failure{"VN-RUN-015", "the motion with Baumgarte's terms is not computed as a power series", "leave --baumgarte out"};
  return check_traced_rows(set);
}

// The work of a step beside its evaluations: samples, events, what is watched.
constexpr double kWorkOfStep = 10;
// The work of one order of a series.
constexpr double kWorkOfOrder = 1.5;
constexpr int kStepsOfTrial = 100;
constexpr int kMostSteps = 5000;
constexpr double kFarEnough = 1000;  // steps to come that are not worth a trial
constexpr double kWorthIt = 3;
// With constraints cvode does not keep them to round-off: it must gain more, and has more work to show it.
constexpr double kWorthItWithRows = 10;

// How far an integrator comes: the second half of its work counts, when it has found its step.
struct Trial {
  bool arrived = false;
  double work = 0;
  double rate = 0;        // [s] of motion, a unit of work
  double residual = 0;    // the largest of the constraints, in units of their scales
  double regularity = 1;  // the least of them on the way
  bool limited = true;    // its steps by stability
  struct Mark {
    double t = 0;
    std::vector<double> y;
  };
  std::vector<Mark> marks;  // on the way,
  double departure = 0;     // and the largest departure from those of another, in tolerances
};

double largest_residual(const MotionSystem& system, double t, std::span<const double> y) {
  if (system.constraints().is_plain_tree()) return 0;
  const auto rows = compute_row_values(system.constraints(), system.unpack(t, y));
  if (!rows) return HUGE_VAL;
  double largest = 0;
  for (size_t i = 0; i < rows->gap.size(); ++i) {
    const RowScales scale = scales_of(system.constraints().model.scales(), system.constraints().rows[i]);
    largest = std::max({largest, std::abs(rows->rate[static_cast<Eigen::Index>(i)]) / scale.velocity,
                        std::abs(rows->gap[i].value_or(0)) / scale.position});
  }
  return largest;
}

// The fastest decay: |λ| of the largest eigenvalue of ∂f/∂y that lies near the negative axis. Differences do for that.
double find_fastest_decay(MotionSystem& system, double t, const std::vector<double>& y) {
  constexpr double kDifference = 1e-7, kDecays = 0.3, kMuchFaster = 10;
  const std::vector<double>& scales = system.scales();
  // The work of forces, which comes last, acts on nothing.
  const size_t n =
      static_cast<size_t>(system.constraints().model.tree().coordinates + system.constraints().model.tree().velocities);
  std::vector<double> here(y.size()), there(y.size()), moved = y;
  if (!system.compute_derivative(t, y, here)) return 0;
  Eigen::MatrixXd J(n, n);
  for (size_t k = 0; k < n; ++k) {
    const double step = kDifference * (scales[k] + std::abs(y[k]));
    moved[k] = y[k] + step;
    if (!system.compute_derivative(t, moved, there)) return 0;
    moved[k] = y[k];
    for (size_t i = 0; i < n; ++i)
      J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = (there[i] - here[i]) / step * scales[k] / scales[i];
  }
  if (!J.allFinite()) return 0;
  const Eigen::EigenSolver<Eigen::MatrixXd> spectrum(J, false);
  if (spectrum.info() != Eigen::Success) return HUGE_VAL;  // not known: the trial of another integrator decides
  double fastest = 0, growth = 0;
  for (const std::complex<double>& value : spectrum.eigenvalues()) {
    if (value.real() < -kDecays * std::abs(value)) fastest = std::max(fastest, std::abs(value));
    growth = std::max(growth, value.real());
  }
  // What grows as fast must be followed by every method.
  return fastest > kMuchFaster * growth ? fastest : 0;
}

// Explicit steps h are stable on the negative axis up to h |λ|: measured, by the order of a series; of dop853, 6.
bool is_limited_by_stability(MotionSystem& system, const Integrator& integrator, const IntegratorOptions& settings, double h) {
  constexpr size_t kMostComponents = 150;
  constexpr double kNear = 0.5;
  const IntegratorState now = integrator.state();
  if (now.y.size() > kMostComponents) return true;
  const double most = integrator.name() == "taylor" ? 0.37 * series_order(settings) + 1.4 : 6;
  return std::abs(h) * find_fastest_decay(system, now.t, now.y) > kNear * most;
}

// In tolerances, over coordinates and velocities.
double compare_marks(const MotionSystem& system, std::span<const double> a, std::span<const double> b, double tolerance) {
  const Tree& tree = system.constraints().model.tree();
  double largest = 0;
  for (int i = 0; i < tree.coordinates + tree.velocities; ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]) / (tolerance * (system.scales()[i] + std::abs(a[i]))));
  return largest;
}

// Where there is another trial it is compared with that one, in tolerances of `options`; its own is `tolerance`.
Trial try_integrator(const Model& model, const State& start, const RunOptions& options, const std::string& name,
                     double work_limit, const Trial* other, double tolerance, const std::function<bool()>& wants_to_stop) {
  MotionSystem system(model, choose_baumgarte(name, options), options.follow, held_at(name));
  if (options.follow == Follow::frictional || may_slip(options.follow, model)) {
    State settled = start;
    if (system.settle(settled, FrictionalChange{})) return {};
  }
  if (system.choose_rows(start)) return {};
  system.expect_run(start, options.until, options.tolerance);
  Switching integrator(make_integrator(name));
  IntegratorOptions settings = system.in_scales(integrator_options(options, wants_to_stop));
  settings.relative_tolerance = settings.absolute_tolerance = tolerance;
  integrator.start(system, {start.t, system.pack(start, 0), 0, {}}, settings);
  const double work_of_series = name == "taylor" ? kWorkOfOrder * series_order(settings) : 0;

  Trial trial;
  double half_t = start.t, half_work = 0, t = start.t;
  int half_steps = 0, taken = 0;
  size_t next_mark = 0;
  std::vector<double> values(system.dimension());
  const auto is_over = [&](int steps) {
    return work_limit > 0 ? trial.work >= work_limit || steps >= kMostSteps : steps >= kStepsOfTrial;
  };
  const auto is_half = [&](int steps) { return work_limit > 0 ? trial.work < work_limit / 2 : steps <= kStepsOfTrial / 2; };
  for (int steps = 0; !is_over(steps); ++steps) {
    const auto step = integrator.advance(options.until);
    if (!step) return {};
    t = step->t1;
    trial.work += static_cast<double>(step->evaluations) + kWorkOfStep + work_of_series;
    ++taken;
    if (is_half(steps)) half_t = t, half_work = trial.work, half_steps = taken;
    constexpr int kStepsBetweenMarks = 10;
    if (other == nullptr && taken % kStepsBetweenMarks == 0) trial.marks.push_back({t, integrator.state().y});
    for (; other != nullptr && next_mark < other->marks.size(); ++next_mark) {
      const Trial::Mark& mark = other->marks[next_mark];
      if ((mark.t - t) * (options.until - start.t) > 0) break;
      integrator.interpolate(mark.t, values);
      trial.departure = std::max(trial.departure, compare_marks(system, mark.y, values, options.tolerance));
    }
    trial.arrived = t == options.until;
    if (trial.arrived) break;
    if (!integrator.accepts_correction()) {
      trial.residual = std::max(trial.residual, largest_residual(system, t, integrator.state().y));
      continue;
    }
    std::vector<double> y = integrator.state().y;
    if (system.correct(t, y)) integrator.correct(y);
  }
  trial.regularity = system.least_regularity();
  if (other == nullptr && taken > half_steps)
    trial.limited = is_limited_by_stability(system, integrator, settings, (t - half_t) / (taken - half_steps));
  if (trial.work > half_work) trial.rate = std::abs(t - half_t) / (trial.work - half_work);
  return trial;
}

// How many times farther cvode comes from here than the usual integrator, for the same work, and with which tolerance it is as
// accurate; none if that is not worth it.
struct Gain {
  double factor = 0, tolerance = 0;
};
std::optional<Gain> find_gain_of_cvode(const Model& model, const State& start, const RunOptions& options,
                                       const std::string& usual, const std::function<bool()>& wants_to_stop) {
  const bool has_rows = !model.is_plain_tree();
  const Trial first = try_integrator(model, start, options, usual, 0, nullptr, options.tolerance, wants_to_stop);
  // What makes steps small where constraints lose rank is no stiffness.
  constexpr double kRegular = 1e-3;
  if (first.arrived || first.rate == 0 || first.regularity < kRegular) return std::nullopt;
  const double work_to_come = std::abs(options.until - start.t) / first.rate;
  if (work_to_come < kFarEnough / kStepsOfTrial * first.work) return std::nullopt;
  if (!first.limited) return std::nullopt;
  // Errors of cvode fall about as tolerance^0.8.
  constexpr double kAdmissible = 10, kOrder = 0.8, kLeastTolerance = 1e-14;
  double tolerance = options.tolerance;
  for (;;) {
    const Trial stiff =
        try_integrator(model, start, options, "cvode", (has_rows ? 4 : 2) * first.work, &first, tolerance, wants_to_stop);
    if (!stiff.arrived && !(stiff.rate > (has_rows ? kWorthItWithRows : kWorthIt) * first.rate)) return std::nullopt;
    if (stiff.residual > 0.3 * allowed_residual(false, options.tolerance)) return std::nullopt;
    if (stiff.departure <= kAdmissible)
      return Gain{stiff.arrived ? work_to_come / stiff.work : stiff.rate / first.rate, tolerance};
    if (!std::isfinite(stiff.departure) || tolerance <= kLeastTolerance) return std::nullopt;
    tolerance = std::max(tolerance * std::min(0.3, std::pow(kAdmissible / stiff.departure, 1 / kOrder)), kLeastTolerance);
  }
}

}  // namespace

HeldAt held_at(const std::string& integrator) {
  return integrator == "taylor" ? HeldAt::kinks : integrator == "dop853" ? HeldAt::corners : HeldAt::jumps;
}

Baumgarte choose_baumgarte(const std::string& integrator, const RunOptions& options) {
  constexpr double kDefault = 20;
  const bool correctable = make_integrator(integrator)->accepts_correction();
  return {options.baumgarte > 0 || correctable ? options.baumgarte : kDefault};
}

IntegratorOptions integrator_options(const RunOptions& options, const std::function<bool()>& wants_to_stop) {
  IntegratorOptions result;
  result.relative_tolerance = result.absolute_tolerance = options.tolerance;
  result.order = options.order;
  if (options.largest_step > 0) result.largest_step = options.largest_step;
  // A step has only so many samples: between steps the run answers Ctrl-C, and can continue from there.
  constexpr double kMostSamplesOfAStep = 2000;
  if (options.every > 0) result.largest_step = std::min(result.largest_step, kMostSamplesOfAStep * options.every);
  result.wants_to_stop = wants_to_stop;
  return result;
}

IntegratorChoice choose_integrator(const Model& model, const State& start, const RunOptions& options,
                                   const std::function<bool()>& wants_to_stop) {
  if (options.integrator != kChosenByModel && options.integrator != "taylor") return {options.integrator, {}, {}};
  const std::optional<Failure> obstacle = find_obstacle_to_series(model, options);
  if (options.integrator == "taylor") return {obstacle ? "dop853" : "taylor", obstacle, {}};
  // With constraints, or kinks to end steps at, the series costs more than it gains, unless it is asked for.
  const bool has_rows = !model.is_plain_tree() || model.has_followed_rows(options.parts());
  const std::string usual = obstacle || has_rows || check_analytic(model) ? "dop853" : "taylor";
  const bool comes_and_goes = rows_come_and_go(model, options);
  if (comes_and_goes || options.until == start.t || model.tree().velocities == 0) return {usual, {}, {}};

  if (auto gain = find_gain_of_cvode(model, start, options, usual, wants_to_stop))
    return {"cvode",
            {},
            fmt::format("the model is stiff: on its first steps {} comes {:.0f} times as far as {} for the same work{}", "cvode",
                        gain->factor, usual,
                        gain->tolerance < options.tolerance
                            ? fmt::format(", with a tolerance of {:.1e} to be as accurate", gain->tolerance)
                            : ""),
            gain->tolerance};
  return {usual, {}, {}};
}

std::optional<double> find_late_stiffness(const Model& model, const State& here, const RunOptions& options,
                                          const std::string& used, const std::function<bool()>& wants_to_stop) {
  if (used == "cvode" || rows_come_and_go(model, options)) return std::nullopt;
  const auto gain = find_gain_of_cvode(model, here, options, used, wants_to_stop);
  return gain ? std::optional(gain->factor) : std::nullopt;
}

std::string describe_late_stiffness(const std::string& used, double since, double gain) {
  return fmt::format(
      "the motion is stiff from about t = {:.4g} s on: there cvode comes {:.0f} times as far as {} for the same work", since,
      gain, used);
}

}  // namespace vinculum
