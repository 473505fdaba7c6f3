// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/implicit_steps.h"

namespace vinculum {

// Modes may change ever faster: bounces of a ball, a relay about the end of its slip. If more than kMostSwitches
// fall into a window of 1e-4 of the run, events are no longer located. Implicit steps, which need no events,
// cross the interval of accumulation until modes have been constant for a while. Then events are located again.
//
// A stretch that begins soon after the last one may be twice as long as that.
struct Stretch {
  double begin = 0, end = 0;
  double step = 0;
};

inline constexpr int kMostSwitches = 200;
inline double accumulation_window(double span) { return 1e-4 * span; }

// Continues from `state` (modes included) to the end of the interval: at most `until`. `at` is called after each step, with the
// time up to which the next one may extend; it may write samples. Failure VN-CONTACT-016: the model is not supported.
Outcome<Stretch> cross_accumulation(const Model& model, Follow follow, State& state, const std::string& subject, double span,
                                    double until, const std::optional<Stretch>& last,
                                    const std::function<std::optional<Failure>(const State&)>& at,
                                    const std::function<double(double)>& next_stop);

// What the run has to say about them: none if there are none.
std::optional<Verdict> judge_accumulation(const std::vector<Stretch>& stretches);

}  // namespace vinculum
