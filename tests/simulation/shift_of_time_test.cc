// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Times below zero are times. A model without t in its laws moves alike whenever it is started: from -2 s it has the same events
// and the same verdicts, 2 s earlier; forward and backward, whatever is followed, by an integrator and by implicit steps.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/read_case.h"
#include "vinculum/simulation/run.h"
#include "vinculum/verdict/words.h"

namespace vinculum::testing {
namespace {

constexpr double kShift = -2;

// Cases in whose formulas there is no t, of every mode but those of guides.
std::vector<std::string> list_cases() {
  const std::filesystem::path cases = std::string(VINCULUM_SOURCE_DIR) + "/tests/cases";
  std::vector<std::string> names;
  for (const char* folder : {"impacts", "runs", "slip", "strings", "terms"}) {
    for (const auto& entry : std::filesystem::directory_iterator(cases / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      if (!std::regex_search(text.str(), std::regex(R"((^|[^\w.'])t([^\w:]|$))")))
        names.push_back(fmt::format("{}/{}", folder, entry.path().filename().string()));
    }
  }
  std::ranges::sort(names);
  return names;
}

Outcome<RunResult> run_from(const Model& model, double t, double span, Follow follow, double step) {
  State start = model.initial_state();
  start.t = t;
  RunOptions options;
  options.until = t + span;
  options.follow = follow;
  options.step = step;
  options.watch_accuracy = false;
  options.watch_integrals = false;
  RunListener nobody;
  return run_simulation(model, start, options, nobody);
}

// Round-off of t moves what is located in a step; the moment of a flat extreme is known to the root of what values differ by
// (kPeakKnown).
constexpr double kSameEvent = 1e-6, kSameExtreme = 1e-4;

void expect_shifted(const std::optional<double>& shifted, const std::optional<double>& t, double near, const std::string& what) {
  EXPECT_EQ(shifted.has_value(), t.has_value()) << what;
  if (shifted && t) EXPECT_NEAR(*shifted - kShift, *t, near) << what;
}

TEST(ShiftOfTime, GivesTheSameVerdictsEarlier) {
  int runs = 0, violated = 0, events = 0;
  for (const std::string& name : list_cases()) {
    const Model model = read_case(name);
    for (const auto& [follow, step, span] : {std::tuple{Follow::bilateral, 0.0, 0.5}, std::tuple{Follow::bilateral, 0.0, -0.25},
                                             std::tuple{Follow::unilateral, 0.0, 0.5}, std::tuple{Follow::frictional, 0.0, 0.5},
                                             std::tuple{Follow::frictional, 0x1p-8, 0.5}}) {
      if (span < 0 && !model.face_pairs().empty()) continue;  // back in time dry friction at rest is not unique
      SCOPED_TRACE(fmt::format("{}, {}, step {}, {} s", name, word_of(follow), step, span));
      const auto own = run_from(model, 0, span, follow, step), shifted = run_from(model, kShift, span, follow, step);
      ASSERT_EQ(static_cast<bool>(own), static_cast<bool>(shifted));
      if (!own) {
        EXPECT_EQ(own.failure().code, shifted.failure().code);
        continue;
      }
      ++runs;
      EXPECT_EQ(own->failure.has_value(), shifted->failure.has_value());
      // Where events accumulate their number is a matter of round-off.
      if (std::ranges::count(own->events, EventKind::accumulation, &Occurrence::kind) > 0) continue;
      ASSERT_EQ(own->events.size(), shifted->events.size());
      for (size_t i = 0; i < own->events.size(); ++i) {
        EXPECT_EQ(own->events[i].name(), shifted->events[i].name());
        expect_shifted(shifted->events[i].t, own->events[i].t, kSameEvent, own->events[i].name());
        ++events;
      }
      ASSERT_EQ(own->verdicts.size(), shifted->verdicts.size());
      for (size_t i = 0; i < own->verdicts.size(); ++i) {
        const Verdict &a = own->verdicts[i], &b = shifted->verdicts[i];
        EXPECT_EQ(a.subject, b.subject);
        EXPECT_EQ(to_text(a.verdict), to_text(b.verdict)) << a.subject << ": " << a.why << " / " << b.why;
        expect_shifted(b.first_violation, a.first_violation, kSameEvent, a.subject);
        // Of what is constant, or comes back, round-off chooses the moment.
        if (a.first_violation) expect_shifted(b.nearest_t, a.nearest_t, kSameExtreme, a.subject + ": " + a.why + " / " + b.why);
        if (b.nearest_t)
          EXPECT_LE(std::abs(*b.nearest_t - (kShift + span / 2)), std::abs(span / 2) + kSameEvent) << a.subject << ": " << b.why;
        EXPECT_EQ(a.margin.has_value(), b.margin.has_value()) << a.subject;
        // The part of what is allowed that was used: of drifts it is round-off.
        if (a.margin && b.margin && *a.margin > 0) EXPECT_NEAR(1 / *b.margin, 1 / *a.margin, 1e-6) << a.subject;
        violated += a.first_violation ? 1 : 0;
      }
    }
  }
  EXPECT_GT(runs, 100);
  EXPECT_GT(events, 100);
  EXPECT_GT(violated, 50);
}

}  // namespace
}  // namespace vinculum::testing
