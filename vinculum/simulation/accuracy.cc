// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/accuracy.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

constexpr double kTrustedError = 1e-3;  // the largest error of a run that is trusted
constexpr double kSixDigits = 1e-6;
constexpr double kFollowed = 1e-2;     // a loose run that departs by more has lost the motion
constexpr double kProportional = 10;   // errors are proportional to tolerances within this factor
constexpr double kLooseEnough = 1e-6;  // a tolerance from which on a run costs so little that it is repeated at once
constexpr double kLooserWithFriction = 100;
constexpr double kTightest = 1e-13;       // below, round-off: the second run takes ten times the tolerance instead of a tenth
constexpr double kRoundOffOfRun = 1e-14;  // the least tolerance that can be proposed: local errors below are lost in 2^-53

// The departure of one run from the marks of another, mark by mark and at the end.
class Departure : public RunListener {
 public:
  Departure(const Model& model, const RunResult& run, RunListener& listener, long most_steps)
      : run_(run),
        listener_(listener),
        most_steps_(most_steps),
        q_scales_(coordinate_scales(model, model.scales())),
        v_scales_(velocity_scales(model, model.scales())) {}

  void on_sample(const Sample& sample) override {
    const auto is_then = [&](const State& mark) { return std::abs(mark.t - sample.state.t) <= 1e-9 * run_.mark_interval; };
    const auto mark = std::find_if(run_.marks.begin(), run_.marks.end(), is_then);
    if (mark != run_.marks.end()) note(*mark, sample.state);
  }
  void on_step(double) override { ++steps_; }
  bool wants_to_stop() override { return steps_ > most_steps_ || listener_.wants_to_stop(); }

  void note(const State& mark, const State& other) {
    Point point{mark.t, 0, -1};
    const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& scales,
                             int offset) {
      for (size_t i = 0; i < a.size(); ++i) {
        const double error = std::abs(a[i] - b[i]) / (scales[i] + std::abs(a[i]));
        if (!(error <= point.error)) point = {mark.t, error, offset + static_cast<int>(i)};
      }
    };
    compare(mark.q, other.q, q_scales_, 0);
    compare(mark.v, other.v, v_scales_, static_cast<int>(mark.q.size()));
    points_.push_back(point);
  }

  struct Point {
    double t = 0, error = 0;
    int component = -1;  // of (q, v)
  };
  const std::vector<Point>& points() const { return points_; }
  Point largest() const {
    Point most;
    for (const Point& point : points_) {
      if (!(point.error <= most.error)) most = point;
    }
    return most;
  }

 private:
  const RunResult& run_;
  RunListener& listener_;
  long most_steps_, steps_ = 0;
  std::vector<double> q_scales_, v_scales_;
  std::vector<Point> points_;
};

// The same motion with another tolerance. False if it does not come to its end.
bool repeat(const Model& model, const State& start, RunOptions options, const RunResult& result, double tolerance,
            Departure& departure) {
  options.tolerance = tolerance;
  options.integrator = result.integrator;
  options.until = result.final.t;
  options.stop_at.clear();
  options.every = result.mark_interval;
  options.watch_integrals = options.watch_accuracy = false;
  const auto other = run_simulation(model, start, options, departure);
  if (!other || other->end != RunResult::End::reached) return false;
  departure.note(result.final, other->final);
  return true;
}

std::string name_of(const Model& model, int component) {
  const int coordinates = model.tree().coordinates;
  return component < 0             ? ""
         : component < coordinates ? model.coordinate_names()[component]
                                   : model.velocity_names()[component - coordinates];
}

int digits_of(double error) { return std::max(0, static_cast<int>(std::floor(-std::log10(std::max(error, 1e-16))))); }

Verdict describe_growth(const Model& model, const RunOptions& options, const std::vector<Departure::Point>& points,
                        const Departure::Point& worst) {
  Verdict verdict;
  verdict.subject = "accuracy";
  verdict.term = "error growth";
  verdict.verdict = Holds::violated;
  verdict.margin = kTrustedError / worst.error;
  verdict.nearest_t = worst.t;
  double six_until = points.front().t;
  for (const Departure::Point& point : points) {
    if (point.error <= kSixDigits && !verdict.first_violation) six_until = point.t;
    if (point.error > kTrustedError && !verdict.first_violation) verdict.first_violation = point.t;
  }
  const int digits = digits_of(worst.error);
  verdict.why = fmt::format(
      "the motion amplifies errors: with a tolerance of {:.2g} {} digit{} of {} can be trusted at t = {:.4g} s (error {:.2g} of "
      "its "
      "size); six digits up to t = {:.4g} s",
      options.tolerance, digits == 0 ? "no" : std::to_string(digits), digits == 1 ? "" : "s", name_of(model, worst.component),
      worst.t, worst.error, six_until);
  const double enough = options.tolerance * kSixDigits / worst.error;
  verdict.hint = worst.error < 0.1 && enough >= kRoundOffOfRun
                     ? fmt::format("--tolerance {:.0e} would give about six digits to the end", enough)
                     : "the final state depends on errors of the size of round-off: look at a shorter run, or at averages";
  return verdict;
}

}  // namespace

std::optional<Verdict> judge_accuracy(const Model& model, const State& start, const RunOptions& options, const RunResult& result,
                                      RunListener& listener) {
  const bool is_whole = result.end == RunResult::End::reached || result.end == RunResult::End::stopped_at_event;
  if (!options.watch_accuracy || options.step > 0 || !is_whole || result.failure || result.final.t == start.t ||
      model.tree().velocities == 0 || !(result.mark_interval > 0))
    return std::nullopt;
  const double tolerance = options.tolerance;
  if (tolerance < kLooseEnough) {
    // Beside friction a much looser run chatters where the run does not, and costs more than it.
    const double loose = options.follow == Follow::frictional || may_slip(options.follow, model) ? kLooserWithFriction * tolerance
                                                                                                 : std::pow(tolerance, 0.55);
    Departure departure(model, result, listener, result.steps + 10);
    if (repeat(model, start, options, result, loose, departure)) {
      const double error = departure.largest().error;
      if (error <= kFollowed && kProportional * error * tolerance / loose <= kTrustedError) return std::nullopt;
    }
  }
  Departure departure(model, result, listener, 2 * result.steps + 100);
  const bool tight = tolerance < kTightest;
  const bool repeated = repeat(model, start, options, result, tight ? 10 * tolerance : tolerance / 10, departure);
  if (!repeated) {
    Verdict verdict;
    verdict.subject = "accuracy";
    verdict.term = "error growth";
    verdict.why = listener.wants_to_stop() ? "stopped on request before the run was repeated with another tolerance"
                                           : "the run repeated with another tolerance does not come to its end";
    return verdict;
  }
  const Departure::Point worst = departure.largest();
  if (worst.error <= kTrustedError) return std::nullopt;
  return describe_growth(model, options, departure.points(), worst);
}

}  // namespace vinculum
