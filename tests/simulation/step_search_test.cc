// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// One search for peaks and crossings: what is said of the largest value, the first violation and the duration agrees with closed
// forms and with itself.
#include "vinculum/stepping/step_search.h"

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/read_case.h"
#include "vinculum/simulation/run.h"
#include "vinculum/stepping/limit_watch.h"

namespace vinculum {
namespace {

// Three quantities that move smoothly over [0, 1], known exactly.
class SmoothValues : public StepValues {
 public:
  explicit SmoothValues(std::mt19937& random) {
    std::uniform_real_distribution<double> number(-1, 1);
    for (auto& of : numbers_) {
      for (double& x : of) x = number(random);
    }
  }
  double read(int i, double t) override {
    const auto& [a, b, c, d] = numbers_[i];
    return a + 2 * b * std::sin(3 * c * t + d) + c * t * t;
  }
  double round_off(int, double value) const override { return 1e-16 * std::abs(value); }

 private:
  std::array<std::array<double, 4>, 3> numbers_{};
};

// A formula of them and of t, with narrow and wide parts, corners and clamps.
Expression make_formula(std::mt19937& random, int depth) {
  std::uniform_real_distribution<double> number(-2, 2);
  const auto pick = [&](int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); };
  Expression::Builder build;
  const auto sub = [&] { return build.include(make_formula(random, depth - 1)); };
  if (depth == 0) {
    const int which = pick(5);
    if (which == 4) return number(random);
    return build.build(which == 3
                           ? build.variable({VariableKind::time, 0}, "t")
                           : build.variable({VariableKind::coordinate, which}, std::string(1, static_cast<char>('a' + which))));
  }
  const Operation two[] = {Operation::add, Operation::subtract, Operation::multiply, Operation::min, Operation::max};
  const Operation one[] = {Operation::sin, Operation::cos, Operation::abs, Operation::tanh};
  switch (pick(4)) {
    case 0: return build.build(build.unary(one[pick(4)], sub()));
    case 1: {  // a pulse
      const double width = std::pow(10, -1.5 * (1 + number(random) / 2));
      const int x = build.binary(Operation::divide, build.binary(Operation::subtract, sub(), build.constant(number(random))),
                                 build.constant(width));
      const int square = build.binary(Operation::multiply, x, x);
      return build.build(build.unary(Operation::exp, build.unary(Operation::negate, square)));
    }
    default: return build.build(build.binary(two[pick(5)], sub(), sub()));
  }
}

// Against 4000 samples: nothing of the search may be less than what they show, and all that is said follows from one record.
TEST(StepSearch, AgreesWithItselfAndWithDenseSamplesOnRandomFormulas) {
  std::mt19937 random(25);
  int violated = 0;
  constexpr int kFormulas = 2000, kSamples = 4000;
  for (int n = 0; n < kFormulas; ++n) {
    SmoothValues values(random);
    const Expression formula = make_formula(random, 3);
    SearchedFunction function;
    for (const Variable& variable : formula.variables())
      function.slots.push_back(variable.kind == VariableKind::time ? SearchedFunction::kTime : variable.index);
    function.formula.emplace(formula);
    const bool backwards = n % 3 == 0;
    const double t0 = backwards ? 1 : 0, t1 = 1 - t0;
    std::vector<double> f, arguments;
    for (int k = 0; k <= kSamples; ++k) {
      const double t = t0 + (t1 - t0) * k / kSamples;
      arguments.clear();
      for (const int slot : function.slots) arguments.push_back(slot == SearchedFunction::kTime ? t : values.read(slot, t));
      f.push_back(function.formula->value(arguments));
    }
    const auto [low, high] = std::minmax_element(f.begin(), f.end());
    function.bound = *low + (*high - *low) * (0.3 + 0.9 * std::generate_canonical<double, 53>(random));
    const double bound = function.bound, scale = 1e-9 * (1 + std::abs(*high) + std::abs(*low));
    LimitWatch watch({function});
    // Two steps, so that what touches their common end is joined.
    for (const auto& [begin, end] : {std::pair{t0, 0.4}, std::pair{0.4, t1}}) {
      watch.search(values, begin, end);
      watch.count(end);
    }
    const LimitWatch::Record& record = watch.record(0);
    const auto say = [&] { return fmt::format("formula {}: {} <= {}", n, to_text(formula), bound); };
    ASSERT_TRUE(record.most) << say();
    EXPECT_GE(*record.most, *high - scale) << say();
    EXPECT_EQ(record.is_violated(), *record.most > bound + record.granted) << say();
    EXPECT_EQ(record.is_violated(), record.time_outside(t1) > 0) << say();
    if (bound > 0 && *record.most > 0) {
      EXPECT_EQ(record.is_violated(), *watch.margin(0, true) < 1) << say();
    }
    if (*high > bound + scale) {
      ++violated;
      ASSERT_TRUE(record.is_violated()) << say();
      int first = 0, above = 0, changes = 0;
      while (!(f[first] > bound)) ++first;
      for (int k = 0; k <= kSamples; ++k) above += f[k] > bound, changes += k > 0 && (f[k] > bound) != (f[k - 1] > bound);
      const double spacing = 1.0 / kSamples;
      const double t_first = t0 + (t1 - t0) * first * spacing;
      EXPECT_LE((*record.first.t - t_first) * (t1 - t0), 1e-12) << say();
      // A stay shorter than the spacing may come before, but then it is one.
      if (std::abs(*record.first.t - t_first) > spacing * (1 + 1e-9)) {
        arguments.clear();
        const double t = *record.first.t + 1e-7 * (t1 - t0);
        for (const int slot : function.slots) arguments.push_back(slot == SearchedFunction::kTime ? t : values.read(slot, t));
        EXPECT_GT(function.formula->value(arguments), bound - 1e-5 * (1 + std::abs(bound))) << say();
      }
      EXPECT_NEAR(record.time_outside(t1), above * spacing, (changes + 6) * spacing) << say();
    }
  }
  EXPECT_GT(violated, kFormulas / 3);
}

RunResult search_until(const Model& model, double until, const std::string& integrator = "auto",
                       Follow follow = Follow::bilateral, double tolerance = 1e-10) {
  RunOptions options;
  options.until = until;
  options.integrator = integrator;
  options.follow = follow;
  options.tolerance = tolerance;
  options.watch_accuracy = false;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

Verdict verdict_of(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict on " + subject);
}

int count_events(const RunResult& result, const std::string& name) {
  return static_cast<int>(std::ranges::count_if(result.events, [&](const Occurrence& event) { return event.name() == name; }));
}

class Peaks : public ::testing::TestWithParam<const char*> {
 protected:
  bool is_stiff() const { return std::string(GetParam()) == "cvode" || std::string(GetParam()) == "arkode"; }
};

INSTANTIATE_TEST_SUITE_P(All, Peaks, ::testing::Values("taylor", "dop853", "cvode", "arkode"),
                         [](const auto& info) { return info.param; });

constexpr const char* kOscillator = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ p: {{ joint: {{type: prismatic, axis: x{limits}}}, mass: 1, inertia: .1 }} }}
forces: {{ spring: {{ joint: p, law: "-p", passive: true }}{force} }}
{outputs}
initial: {{ p: 1 }}
)yaml";

Model oscillator(const std::string& outputs, const std::string& limits = "", const std::string& force = "") {
  return read_model_text(
      fmt::format(fmt::runtime(kOscillator), fmt::arg("limits", limits), fmt::arg("force", force), fmt::arg("outputs", outputs)));
}

// p = cos t is within w √ln 2 of 0.3 three times in 10 s, whichever way time goes.
TEST_P(Peaks, OfAnyWidthAreLocated) {
  for (const double w : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const Model model =
        oscillator(fmt::format("outputs: {{ peak: {{ value: \"exp(-((p - 0.3)/{})^2)\", require: \"< 0.5\" }} }}", w));
    const double near = w * std::sqrt(std::log(2)), first = std::acos(0.3 + near), last = std::acos(0.3 - near);
    for (const double until : {10.0, -10.0}) {
      const RunResult result = search_until(model, until, GetParam());
      const Verdict verdict = verdict_of(result, "peak");
      const std::string where = fmt::format("{} w = {} until {}", GetParam(), w, until);
      EXPECT_EQ(verdict.verdict, Holds::violated) << where;
      const double error = is_stiff() ? 2e-6 : 2e-9;
      EXPECT_NEAR(std::abs(verdict.first_violation.value_or(0)), first, error) << where;
      EXPECT_NEAR(verdict.margin.value_or(0), 0.5, 1e-6) << where;
      EXPECT_EQ(count_events(result, "requirement:peak"), 3) << where;
      double duration = 0;
      ASSERT_EQ(std::sscanf(verdict.why.substr(verdict.why.find("above it for")).c_str(), "above it for %lf s", &duration), 1)
          << where;
      EXPECT_NEAR(duration, 3 * (last - first), 2e-3 * 3 * (last - first)) << where << verdict.why;
    }
  }
}

// The same of an acceleration, p'' = -p, which is no formula of the state.
TEST_P(Peaks, OfAccelerationsAreLocated) {
  for (const double w : {1e-1, 1e-2, 1e-3}) {
    const Model model =
        oscillator(fmt::format("outputs: {{ peak: {{ value: \"exp(-((p'' + 0.3)/{})^2)\", require: \"< 0.5\" }} }}", w));
    const Verdict verdict = verdict_of(search_until(model, 10, GetParam()), "peak");
    EXPECT_EQ(verdict.verdict, Holds::violated);
    EXPECT_NEAR(verdict.first_violation.value_or(0), std::acos(0.3 + w * std::sqrt(std::log(2))), is_stiff() ? 2e-6 : 2e-8) << w;
    EXPECT_NEAR(verdict.margin.value_or(0), 0.5, 1e-5) << w;
  }
}

// An output made of another output, and of a law of force.
TEST_P(Peaks, OfOutputsOfOutputsAreLocated) {
  const Model model = oscillator(
      "outputs:\n  a: { value: \"exp(-((p - 0.3)/1e-4)^2)\" }\n  b: { value: \"2*a\", require: \"< 1\" }\n"
      "  c: { value: \"bump.force/(1 N)\", require: \"< 5e-10\" }",
      "", ", bump: { joint: p, law: \"1e-9*exp(-((p - 0.3)/1e-4)^2)\" }");
  const RunResult result = search_until(model, 2, GetParam());
  const double first = std::acos(0.3 + 1e-4 * std::sqrt(std::log(2)));
  EXPECT_NEAR(verdict_of(result, "b").first_violation.value_or(0), first, is_stiff() ? 2e-6 : 2e-8);
  EXPECT_NEAR(verdict_of(result, "c").first_violation.value_or(0), first, is_stiff() ? 2e-6 : 2e-8);
}

// The same of the effort of a drive, of a speed and of a range. |v| = |sin t| is above 0.6 from asin 0.6 on; the range is left at
// acos(-0.9999).
TEST_P(Peaks, OfEffortSpeedAndRangeAreLocated) {
  const Model model = oscillator("", ", limits: {position: [-0.9999, 2], velocity: 0.6, effort: 5e-9}",
                                 ", drive: { joint: p, law: \"1e-8*exp(-((p - 0.3)/1e-4)^2)\" }");
  for (const double until : {4.0, -4.0}) {
    const RunResult result = search_until(model, until, GetParam());
    const double error = is_stiff() ? 2e-6 : 2e-8;
    EXPECT_NEAR(std::abs(verdict_of(result, "p.effort").first_violation.value_or(0)),
                std::acos(0.3 + 1e-4 * std::sqrt(std::log(2))), error);
    EXPECT_NEAR(verdict_of(result, "p.effort").margin.value_or(0), 0.5, 1e-5);
    EXPECT_NEAR(std::abs(verdict_of(result, "p.velocity").first_violation.value_or(0)), std::asin(0.6), error);
    EXPECT_NEAR(verdict_of(result, "p.velocity").margin.value_or(0), 0.6, 1e-6);
    EXPECT_NEAR(std::abs(verdict_of(result, "p.position").first_violation.value_or(0)), std::acos(-0.9999),
                is_stiff() ? 1e-4 : 2e-6);
  }
}

// The effort of a given motion p = sin t against a force that is there for a moment: lambda = -sin t - force.
TEST_P(Peaks, OfTheEffortOfAGivenMotion) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x, limits: {effort: 2}}, mass: 1, inertia: .1 } }
forces: { bump: { joint: p, law: "-4*exp(-((p - 0.3)/1e-3)^2)", passive: true } }
motions: { p: "sin(t)" }
)yaml");
  const Verdict verdict = verdict_of(search_until(model, 2, GetParam()), "p.effort");
  EXPECT_EQ(verdict.verdict, Holds::violated);
  // 4 exp(-x²) - 0.3 - 1e-3 x·.. = 2
  double p = 0.3;
  for (int k = 0; k < 50; ++k) p = 0.3 - 1e-3 * std::sqrt(std::log(4 / (2 + p)));
  EXPECT_NEAR(verdict.first_violation.value_or(0), std::asin(p), 1e-7);
  EXPECT_NEAR(verdict.margin.value_or(0), 2 / 3.7, 1e-5);
}

// Events of the model are found by the same search, however short they are.
TEST_P(Peaks, OfEventsAreLocated) {
  for (const double w : {1e-2, 1e-4, 1e-6}) {
    const Model model = oscillator(fmt::format("events: {{ near: \"exp(-((p - 0.3)/{})^2) - 0.5\" }}", w));
    const double near = w * std::sqrt(std::log(2));
    const RunResult result = search_until(model, 2, GetParam());
    ASSERT_EQ(count_events(result, "near"), 2) << w;
    EXPECT_NEAR(result.events[0].t, std::acos(0.3 + near), is_stiff() ? 2e-6 : 2e-8);
    EXPECT_NEAR(result.events[1].t, std::acos(0.3 - near), is_stiff() ? 2e-6 : 2e-8);
  }
}

// A clamp on its bound is no violation and no event; of a bound that must not be reached it is one, for as long as it stays.
TEST(OnTheBound, AClampHolds) {
  const RunResult result = search_until(testing::read_case("verdicts/drop.yaml"), 2);
  EXPECT_EQ(verdict_of(result, "f").verdict, Holds::holds);
  EXPECT_EQ(count_events(result, "requirement:f"), 0);

  const Model strict = oscillator(
      "outputs:\n  f: { value: \"max(0, p)\", require: \"> 0\" }\n  g: { value: \"min(0.5, p)\", require: \"<= 0.5\" }\n"
      "  h: { value: \"min(0.5, p)\", require: \"< 0.5\" }\n  k: { value: \"p*p - p^2\", require: \"<= 0\" }");
  const RunResult other = search_until(strict, 6);
  EXPECT_EQ(verdict_of(other, "f").verdict, Holds::violated);
  EXPECT_NEAR(verdict_of(other, "f").first_violation.value_or(0), std::numbers::pi / 2, 1e-8);
  EXPECT_EQ(verdict_of(other, "g").verdict, Holds::holds);
  EXPECT_EQ(count_events(other, "requirement:g"), 0);
  EXPECT_EQ(verdict_of(other, "h").verdict, Holds::violated);
  EXPECT_EQ(verdict_of(other, "h").first_violation.value_or(-1), 0);
  EXPECT_EQ(verdict_of(other, "k").verdict, Holds::holds);
}

// p² + v² stays 1 to the errors of the run, whatever its tolerance; a bound that is really exceeded is told.
TEST(OnTheBound, TheErrorsOfARunAreNoViolation) {
  for (const double tolerance : {1e-6, 1e-10}) {
    const Model model = oscillator(
        "outputs:\n  e: { value: \"p^2/(1 m^2) + p'^2/(1 m^2/s^2)\", require: \"<= 1\" }\n  f: { value: \"p^2/(1 m^2) + p'^2/(1 "
        "m^2/s^2)\", require: \"<= 0.999\" }");
    const RunResult result = search_until(model, 3, "dop853", Follow::bilateral, tolerance);
    EXPECT_EQ(verdict_of(result, "e").verdict, Holds::holds) << verdict_of(result, "e").why;
    EXPECT_GE(verdict_of(result, "e").margin.value_or(0), 1);
    EXPECT_EQ(verdict_of(result, "f").verdict, Holds::violated);
    EXPECT_EQ(verdict_of(result, "f").first_violation.value_or(-1), 0);
  }
}

// log(p - 1/2) has no value from acos(1/2) on, and again has one.
TEST(OnTheBound, WhatHasNoValueIsNotChecked) {
  const Model model = oscillator("outputs: { bad: { value: \"log(p/(1 m) - 0.5)\", require: \"< 10\" } }");
  const Verdict verdict = verdict_of(search_until(model, 3), "bad");
  EXPECT_EQ(verdict.verdict, Holds::not_checked);
  EXPECT_NEAR(verdict.nearest_t.value_or(0), std::acos(0.5), 1e-6);
}

// A block of 2 kg is lifted by A sin⁴ 3t: it would be pulled from asin((2 g/A)^(1/4))/3 on, for a moment.
TEST_P(Peaks, OfAPullJustAboveTheWeight) {
  for (const double part : {1.000001, 1.0001, 1.01, 1.5}) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: 2, inertia: 1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal] }} }}
forces: {{ lift: {{ body: block, force: [0, 0, "{}*sin(3*t)^4"] }} }}
initial: {{ "block.tx'": 1 }}
)yaml",
                                                    2 * 9.81 * part));
    const RunResult result = search_until(model, 3, GetParam());
    const Verdict verdict = verdict_of(result, "foot.normal");
    EXPECT_EQ(verdict.verdict, Holds::violated) << part;
    EXPECT_NEAR(verdict.first_violation.value_or(0), std::asin(std::pow(1 / part, 0.25)) / 3, 1e-7) << part;
    EXPECT_EQ(count_events(result, "pull:foot"), 3) << part;
  }
}

// The same by a force that is there for a moment, of time or of place, far shorter than a step.
TEST_P(Peaks, OfAPullInsideOneStep) {
  for (const char* of : {"t", "block.tx/(1 m)*(1 s)"}) {
    for (const double w : {1e-1, 1e-2, 1e-3, 1e-4}) {
      const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: 2, inertia: 1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal] }} }}
forces: {{ lift: {{ body: block, force: [0, 0, "{}*exp(-(({} - 0.7)/{})^2)"] }} }}
initial: {{ "block.tx'": 1 }}
)yaml",
                                                      2 * 9.81 * 1.01, std::string(of) == "t" ? "t" : "block.tx", w));
      const Verdict verdict = verdict_of(search_until(model, 1, GetParam()), "foot.normal");
      EXPECT_EQ(verdict.verdict, Holds::violated) << of << " " << w;
      EXPECT_NEAR(verdict.first_violation.value_or(0), 0.7 - w * std::sqrt(std::log(1.01)), 1e-3 * w + 1e-7) << of << " " << w;
    }
  }
}

// A loaded hoop that rolls: its normal vanishes at 0.2752060 s, however long the run is.
TEST(FirstViolation, OfALoadedHoopWhateverTheRun) {
  const Model model = testing::read_case("impacts/loadedhoop.yaml");
  for (const double until : {3.0, 0.5, 0.4, 0.3, 0.28}) {
    for (const Follow follow : {Follow::bilateral, Follow::unilateral}) {
      const Verdict verdict = verdict_of(search_until(model, until, "auto", follow), "c.normal");
      EXPECT_NEAR(verdict.first_violation.value_or(0), 0.2752060, 1e-7) << until;
    }
  }
}

// What lifts off has a normal of zero there, and pulls by nothing.
TEST(FirstViolation, ALiftOffIsNone) {
  const Model model = testing::read_case("impacts/jumper.yaml");
  for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
    const RunResult result = search_until(model, 0.6, "auto", Follow::unilateral, tolerance);
    EXPECT_EQ(verdict_of(result, "c.normal").verdict, Holds::holds) << verdict_of(result, "c.normal").why;
    EXPECT_EQ(count_events(result, "lift-off:c"), 1);
  }
}

// A friction of 0.3 is asked for more than it has by a push of time 0.3 + 1 %, shorter than a step: needs A/(m g).
TEST_P(Peaks, OfAFrictionDemand) {
  for (const double w : {1e-1, 1e-2, 1e-3}) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: 2, inertia: 1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.3 }} }}
forces: {{ push: {{ body: block, force: ["{}*exp(-((t - 0.7)/{})^2)", 0, 0] }} }}
)yaml",
                                                    0.3 * 1.01 * 2 * 9.81, w));
    const Verdict verdict = verdict_of(search_until(model, 1, GetParam()), "foot.friction");
    EXPECT_EQ(verdict.verdict, Holds::violated) << w;
    EXPECT_NEAR(verdict.first_violation.value_or(0), 0.7 - w * std::sqrt(std::log(1.01)), 1e-3 * w + 1e-7) << w;
    EXPECT_NEAR(verdict.margin.value_or(0), 1 / 1.01, 1e-6) << w;
  }
}

// A push shorter than t can be told apart around it: it is found all the same, smooth or with corners, wherever it is followed.
TEST(FirstViolation, OfAPushAsShortAsTheRoundOffOfTime) {
  for (const char* pulse : {"exp(-((t - 1)/1e-15)^2)", "max(0, 1 - abs(t - 1)/1e-14)"}) {
    for (const double part : {1.3, 20.0}) {
      const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: 2, inertia: 1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.2 }} }}
forces: {{ push: {{ body: block, force: ["{}*{}", 0, 0] }} }}
)yaml",
                                                      part * 0.2 * 2 * 9.81, pulse));
      for (const Follow follow : {Follow::bilateral, Follow::frictional}) {
        const RunResult result = search_until(model, 2, "dop853", follow);
        EXPECT_FALSE(result.failure) << pulse;
        EXPECT_EQ(verdict_of(result, "foot.friction").verdict, Holds::violated) << pulse << " " << part;
        EXPECT_NEAR(verdict_of(result, "foot.friction").first_violation.value_or(0), 1, 1e-12) << pulse << " " << part;
        EXPECT_LT(std::abs(result.final.q[0]), part * 0.2 * 9.81 * 2e-14) << "no further than its impulse over 2 kg takes it";
      }
    }
  }
}

}  // namespace
}  // namespace vinculum
