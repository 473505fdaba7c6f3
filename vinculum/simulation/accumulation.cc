// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/accumulation.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

constexpr double kStepsOfWindow = 10;
constexpr int kQuietSteps = 20, kFirstLength = 100, kMostLength = 3200;

Failure endless_changes(const std::string& subject, const std::string& obstacle) {
  return {
      "VN-CONTACT-016",
      fmt::format(
          "'{}' changes its state without end: it separates and touches, or sticks and slips. Implicit steps do not support {}",
          subject, obstacle),
      "run with `--contacts bilateral`, give the contact a stiffness by `laws`, use a smooth `law`, or replace the string by a "
      "spring"};
}

}  // namespace

Outcome<Stretch> cross_accumulation(const Model& model, Follow follow, State& state, const std::string& subject, double span,
                                    double until, const std::optional<Stretch>& last,
                                    const std::function<std::optional<Failure>(const State&)>& at,
                                    const std::function<double(double)>& next_stop) {
  if (const auto obstacle = find_obstacle_to_steps(model, follow, true)) return endless_changes(subject, *obstacle);
  const double window = accumulation_window(span), h = window / kStepsOfWindow;
  if (!(until > state.t)) return endless_changes(subject, "a motion backwards");
  int length = kFirstLength;
  if (last && state.t - last->end < 2 * window)
    length = std::clamp(2 * static_cast<int>(std::lround((last->end - last->begin) / h)), kFirstLength, kMostLength);
  ImplicitSteps steps(model, follow, false);
  steps.resume(state);
  Stretch stretch{state.t, state.t, h};
  int quiet = 0;
  for (int k = 0; k < length && quiet < kQuietSteps && state.t < until; ++k) {
    // A step that would leave next to nothing before the next stop goes as far as that.
    const double stop = std::min(next_stop(state.t), until);
    const double end = state.t + 1.001 * h < stop ? state.t + h : stop;
    bool changed = false;
    const double begin = state.t;
    if (auto failure = steps.step(state, end - begin, [&](const Occurrence&) { changed = true; })) return *failure;
    state.t = end;
    quiet = changed ? 0 : quiet + 1;
    if (auto failure = at(state)) return *failure;
  }
  stretch.end = state.t;
  return stretch;
}

std::optional<Verdict> judge_accumulation(const std::vector<Stretch>& stretches) {
  if (stretches.empty()) return std::nullopt;
  double longest = 0;
  for (const Stretch& stretch : stretches) longest += stretch.end - stretch.begin;
  return Verdict{"events",
                 Holds::not_checked,
                 {},
                 {},
                 fmt::format("events accumulate from t = {:.6g} s. Implicit steps were used for {}, with h = {:.3g} s "
                             "(first-order error); elsewhere events are located",
                             stretches.front().begin,
                             stretches.size() == 1 ? fmt::format("the interval to {:.6g} s", stretches.front().end)
                                                   : fmt::format("{} intervals, {:.4g} s in total", stretches.size(), longest),
                             stretches.front().step)};
}

}  // namespace vinculum
