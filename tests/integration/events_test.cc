// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/ode.h"

namespace vinculum {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// All zeros of the functions from t0 to t_end.
std::vector<EventCrossing> find_events(System& system, const IntegratorState& start, const IntegratorOptions& options,
                                       double t_end, int count, EventLocator::Functions functions,
                                       std::string_view name = "dop853") {
  const auto integrator = make_integrator(name);
  integrator->start(system, start, options);
  EventLocator locator(count, system.dimension(), std::move(functions));
  locator.restart(start.t, start.y);
  std::vector<EventCrossing> all;
  go_on(*integrator, t_end, [&](const StepReport& step) {
    const auto found = locator.locate(*integrator, step.t0, step.t1);
    all.insert(all.end(), found.begin(), found.end());
  });
  return all;
}

// Functions of time alone, over steps of 1: where they end is known.
std::vector<EventCrossing> find_zeros(double t0, double t_end, std::function<double(double)> g) {
  FunctionSystem system(1, [](double, auto, auto dydt) { dydt[0] = 0; });
  return find_events(system, {t0, {0}, 1, {}}, {1e-6, 1e-6, 1.0}, t_end, 1, [g](double t, auto, auto value) { value[0] = g(t); });
}

TEST(Events, SineOverManyPeriods) {
  FunctionSystem system = harmonic_oscillator();
  const auto events =
      find_events(system, {0, {0, 1}, 0, {}}, {1e-14, 1e-14}, 30 * kPi + 0.1, 1, [](double, auto y, auto g) { g[0] = y[0]; });
  ASSERT_EQ(events.size(), 30u) << "the zero at the start is not an event";
  for (int k = 1; k <= 30; ++k) {
    EXPECT_NEAR(events[k - 1].t, k * kPi, 1e-13) << k;
    EXPECT_EQ(events[k - 1].direction, k % 2 == 1 ? -1 : 1) << k;
  }
}

// Up to six zeros a step.
TEST(Events, AreLocatedToRoundOff) {
  for (const double frequency : {1.0, 7.0, 19.0}) {
    const auto events = find_zeros(0.01, 40.01, [=](double t) { return std::sin(frequency * t); });
    ASSERT_EQ(events.size(), std::floor(40.01 * frequency / kPi));
    for (std::size_t i = 0; i < events.size(); ++i) {
      const double zero = (i + 1) * kPi / frequency;
      EXPECT_NEAR(events[i].t, zero, 4 * kEpsilon * zero);
      EXPECT_EQ(events[i].direction, i % 2 == 0 ? -1 : 1);
    }
  }
}

// At the time of a crossing the function has its new sign, so that a run restarted there does not find it again.
TEST(Events, AreToldOnTheFarSide) {
  const auto g = [](double t) { return std::exp(t) - 7; };
  const auto events = find_zeros(0, 3, g);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_GE(g(events[0].t), 0);
  EXPECT_LT(g(events[0].t - 4 * kEpsilon), 0);
}

TEST(Events, TwoZerosWithinAnInterval) {
  const auto events = find_zeros(0, 2, [](double t) { return (t - 0.55) * (t - 0.57) * (4 - t); });
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].t, 0.55, 1e-14);
  EXPECT_EQ(events[0].direction, -1);
  EXPECT_NEAR(events[1].t, 0.57, 1e-14);
  EXPECT_EQ(events[1].direction, 1);
}

// A double zero touches; its place follows from the slope, to many more digits than from the value.
TEST(Events, ATouchHasNoDirection) {
  for (const double where : {0.4, 0.51, 0.999, 1.0, 1.001, 1.125}) {
    for (const double side : {1.0, -1.0}) {
      const auto events = find_zeros(0, 2, [=](double t) { return side * (1 - std::cos(t - where)); });
      ASSERT_EQ(events.size(), 1u) << where;
      EXPECT_NEAR(events[0].t, where, 1e-12) << where;
      EXPECT_EQ(events[0].direction, 0) << where;
    }
  }
}

TEST(Events, AMissIsNoEvent) {
  EXPECT_TRUE(find_zeros(0, 2, [](double t) { return 1 + 1e-9 - std::cos(t - 0.7); }).empty());
  EXPECT_EQ(find_zeros(0, 2, [](double t) { return 1 - 1e-9 - std::cos(t - 0.7); }).size(), 2u);
}

TEST(Events, AZeroAtTheEndOfAStepIsToldOnce) {
  const auto crossing = find_zeros(0, 3, [](double t) { return t - 1; });
  ASSERT_EQ(crossing.size(), 1u);
  EXPECT_EQ(crossing[0].t, 1);
  EXPECT_EQ(crossing[0].direction, 1);

  const auto touch = find_zeros(0, 3, [](double t) { return (1 - t) * (t - 1); });
  ASSERT_EQ(touch.size(), 1u);
  EXPECT_EQ(touch[0].t, 1);
  EXPECT_EQ(touch[0].direction, 0);

  const auto triple = find_zeros(0, 3, [](double t) { return std::pow(1 - t, 3); });
  ASSERT_EQ(triple.size(), 1u);
  EXPECT_EQ(triple[0].t, 1);
  EXPECT_EQ(triple[0].direction, -1);

  // At the end of the run as well.
  EXPECT_EQ(find_zeros(0, 1, [](double t) { return t - 1; }).size(), 1u);
}

TEST(Events, AZeroAtASampleHasItsDirection) {
  const auto rising = find_zeros(0, 1, [](double t) { return t - 0.375; });
  ASSERT_EQ(rising.size(), 1u);
  EXPECT_EQ(rising[0].t, 0.375);
  EXPECT_EQ(rising[0].direction, 1);
  const auto touch = find_zeros(0, 1, [](double t) { return (t - 0.375) * (t - 0.375); });
  ASSERT_EQ(touch.size(), 1u);
  EXPECT_EQ(touch[0].direction, 0);
}

TEST(Events, IdenticallyZeroIsNoList) {
  EXPECT_TRUE(find_zeros(0, 5, [](double) { return 0.0; }).empty());
  // Arriving at zero and staying is one event.
  const auto arrival = find_zeros(0, 5, [](double t) { return t < 2 ? 2 - t : 0.0; });
  ASSERT_EQ(arrival.size(), 1u);
  EXPECT_EQ(arrival[0].t, 2);
}

TEST(Events, NotANumberIsNoEvent) {
  EXPECT_TRUE(find_zeros(0, 2, [](double t) { return std::log(t - 1) - 1; }).empty());
  EXPECT_EQ(find_zeros(0, 5, [](double t) { return std::log(t - 1) - 1; }).size(), 1u) << "1 + e";
}

// Several functions, in the order of time; backwards too, with the same times and directions.
TEST(Events, SeveralInOrderBothWays) {
  FunctionSystem system = harmonic_oscillator();
  const EventLocator::Functions functions = [](double t, auto y, auto g) { g[0] = y[0], g[1] = y[1], g[2] = t - 3.5; };
  const double end = 9;
  auto forth = find_events(system, {0.1, {std::sin(0.1), std::cos(0.1)}, 0, {}}, {1e-12, 1e-12}, end, 3, functions);
  const auto back = find_events(system, {end, {std::sin(end), std::cos(end)}, 0, {}}, {1e-12, 1e-12}, 0.1, 3, functions);

  const std::vector<int> order = {1, 0, 2, 1, 0, 1};  // π/2, π, 3.5, 3π/2, 2π, 5π/2
  ASSERT_EQ(forth.size(), order.size());
  ASSERT_EQ(back.size(), order.size());
  std::reverse(forth.begin(), forth.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(forth[i].event, order[order.size() - 1 - i]);
    EXPECT_EQ(back[i].event, forth[i].event);
    EXPECT_EQ(back[i].direction, forth[i].direction);
    EXPECT_NEAR(back[i].t, forth[i].t, 1e-10);
  }
}

// Going on from a checkpoint finds the same events.
TEST(Events, MemoryGoesOn) {
  FunctionSystem system = harmonic_oscillator();
  const EventLocator::Functions functions = [](double, auto y, auto g) { g[0] = y[0] - 0.5; };
  const IntegratorState start{0, {0, 1}, 0, {}};
  const auto whole = find_events(system, start, {}, 20, 1, functions);

  std::vector<EventCrossing> pieces;
  IntegratorState state = start;
  std::vector<double> memory = {-0.5};
  while (state.t != 20) {
    const auto integrator = make_integrator("dop853");
    integrator->start(system, state, {});
    EventLocator locator(1, 2, functions);
    locator.restore(state.t, memory);
    const auto step = integrator->advance(20);
    ASSERT_TRUE(step);
    const auto found = locator.locate(*integrator, step->t0, step->t1);
    pieces.insert(pieces.end(), found.begin(), found.end());
    state = integrator->state();
    memory = locator.memory();
  }
  ASSERT_EQ(pieces.size(), whole.size());
  ASSERT_EQ(whole.size(), 7u);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(pieces[i].t, whole[i].t);
}

// A point at 0.7 m, released 2.5 rad off the bottom: a quarter period, K(sin 1.25) √(l/g) (theory 2, W3).
TEST(Events, PendulumPassesTheBottom) {
  FunctionSystem system(2, [](double, auto y, auto dydt) { dydt[0] = y[1], dydt[1] = -9.81 / 0.7 * std::sin(y[0]); });
  const double quarter = std::comp_ellint_1(std::sin(1.25)) * std::sqrt(0.7 / 9.81);
  EXPECT_NEAR(quarter, 0.6893936902061722, 1e-15);
  struct Case {
    std::string_view name;
    double tolerance, error;
  };
  for (const auto& [name, tolerance, error] :
       {Case{"dop853", 1e-13, 1e-14}, Case{"cvode", 1e-10, 1e-8}, Case{"arkode", 1e-10, 1e-9}}) {
    const auto events = find_events(
        system, {0, {2.5, 0}, 0, {}}, {tolerance, tolerance}, 1, 1, [](double, auto y, auto g) { g[0] = y[0]; }, name);
    ASSERT_EQ(events.size(), 1u) << name;
    EXPECT_NEAR(events[0].t, quarter, error) << name;
    EXPECT_EQ(events[0].direction, -1) << name;
  }
}

}  // namespace
}  // namespace vinculum
