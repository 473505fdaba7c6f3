// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/ode.h"
#include "vinculum/verdict/catalogue.h"

namespace vinculum {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// What every integrator must do, whatever its method.
class IntegratorLaws : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Integrator> make() const { return make_integrator(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(All, IntegratorLaws, testing::ValuesIn(integrator_names()), [](const auto& test) { return test.param; });

TEST(Integrators, AnUnknownNameIsNobody) { EXPECT_EQ(make_integrator("euler"), nullptr); }

TEST_P(IntegratorLaws, HasItsName) { EXPECT_EQ(make()->name(), GetParam()); }

// If every step errs by no more than the tolerance in the root mean square, n steps of a flow that keeps distances err by no more
// than n √dimension (absolute + relative |y|). Round-off adds a few units in the last place a step.
double sum_of_local_errors(const Course& course, double tolerance) {
  return course.steps * std::sqrt(course.end.y.size()) * (2 * tolerance + 8 * kEpsilon);
}

TEST_P(IntegratorLaws, HarmonicOscillator) {
  FunctionSystem oscillator = harmonic_oscillator();
  double previous = 1;
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    const Course course = run(GetParam(), oscillator, {0, 1}, 10, tolerance);
    const double error = distance(course.end.y, std::vector{std::sin(10.0), std::cos(10.0)});
    EXPECT_LT(error, sum_of_local_errors(course, tolerance)) << tolerance;
    EXPECT_LT(error, previous / 30) << "a thousandth of the tolerance must show";
    previous = error;
  }
}

// One revolution of eccentricity 0.3. An error of the velocity v shifts the end by 3 × 2π v at most (period ~ a^1.5), times the
// ratio of the speeds at perihelion and aphelion, (1 + e)/(1 - e).
TEST_P(IntegratorLaws, KeplerEllipseCloses) {
  FunctionSystem system = kepler();
  const double e = 0.3;
  const std::vector<double> start = {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))};
  for (const double tolerance : {1e-6, 1e-9}) {
    const Course course = run(GetParam(), system, start, 2 * kPi, tolerance);
    const double error = distance(course.end.y, start);
    EXPECT_LT(error, 3 * 2 * kPi * (1 + e) / (1 - e) * sum_of_local_errors(course, tolerance)) << tolerance;
    EXPECT_GT(error, 0);
  }
}

// Growth and decay: the relative error is the sum of the relative local ones.
TEST_P(IntegratorLaws, Exponential) {
  for (const double rate : {1.0, -1.0}) {
    FunctionSystem system(1, [rate](auto t, auto y, auto dydt) { dydt[0] = lift<decltype(t)>(rate) * y[0]; });
    const auto integrator = make();
    integrator->start(system, {0, {1}, 0, {}}, {1e-9, 1e-30});
    const Course course = go_on(*integrator, 5);
    EXPECT_NEAR(course.end.y[0] / std::exp(rate * 5), 1, course.steps * 2e-9) << rate;
  }
}

TEST_P(IntegratorLaws, TimeAloneIsIntegrated) {
  FunctionSystem system(1, [](auto t, auto, auto dydt) { dydt[0] = sincos(t).cos; });
  const Course course = run(GetParam(), system, {0}, 3, 1e-9);
  EXPECT_NEAR(course.end.y[0], std::sin(3), sum_of_local_errors(course, 1e-9));
}

TEST_P(IntegratorLaws, BackwardUndoesForward) {
  FunctionSystem system = double_pendulum();
  const std::vector<double> start = {0.5, 0.7, 0, 0};
  const auto integrator = make();
  integrator->start(system, {0, start, 0, {}}, {1e-9, 1e-9});
  const Course forth = go_on(*integrator, 3);
  const Course back = go_on(*integrator, 0);
  EXPECT_EQ(back.end.t, 0);
  EXPECT_GT(distance(forth.end.y, start), 0.1);
  EXPECT_LT(distance(back.end.y, start), 20 * (sum_of_local_errors(forth, 1e-9) + sum_of_local_errors(back, 1e-9)));
}

// y' = f(t, y) from t to 0 and y' = -f(-t, y) from -t to 0 are the same numbers.
TEST_P(IntegratorLaws, BackwardIsForwardReversed) {
  FunctionSystem forward(1, [](auto t, auto y, auto dydt) { dydt[0] = -y[0] * t; });
  FunctionSystem mirrored(1, [](auto t, auto y, auto dydt) { dydt[0] = y[0] * -t; });
  const auto a = make(), b = make();
  a->start(forward, {2, {1}, 0, {}}, {1e-8, 1e-8});
  b->start(mirrored, {-2, {1}, 0, {}}, {1e-8, 1e-8});
  const Course backward = go_on(*a, 0), reversed = go_on(*b, 0);
  EXPECT_EQ(backward.end.y[0], reversed.end.y[0]);
  EXPECT_NEAR(backward.end.y[0], std::exp(2.0), std::exp(2.0) * 3e-8 * backward.steps);
}

TEST_P(IntegratorLaws, LandsExactly) {
  FunctionSystem oscillator = harmonic_oscillator();
  for (const double end : {0.1, 1.0 / 3, 7.7, -2.9, 1e-9}) {
    const auto integrator = make();
    integrator->start(oscillator, {0, {0, 1}, 0, {}}, {1e-8, 1e-8});
    double before = 0;
    const Course course = go_on(*integrator, end, [&](const StepReport& step) {
      EXPECT_EQ(step.t0, before);
      EXPECT_LE(std::abs(step.t1), std::abs(end));
      EXPECT_GT(std::abs(step.t1), std::abs(step.t0));
      before = step.t1;
    });
    ASSERT_FALSE(course.failure);
    EXPECT_EQ(course.end.t, end);
    EXPECT_NEAR(course.end.y[0], std::sin(end), sum_of_local_errors(course, 1e-8)) << end;
  }
}

// A chain of ends close to each other, down to one unit in the last place.
TEST_P(IntegratorLaws, ReachesTheNextNumber) {
  FunctionSystem oscillator = harmonic_oscillator();
  const auto integrator = make();
  integrator->start(oscillator, {1, {std::sin(1.0), std::cos(1.0)}, 0, {}}, {1e-8, 1e-8});
  const double next = std::nextafter(1.0, 2.0);
  for (const double end : {next, 1 + 1e-14, 1 + 1e-10, 1.5, std::nextafter(1.5, 2.0), 2.0}) {
    const Course course = go_on(*integrator, end);
    ASSERT_FALSE(course.failure) << end << ": " << course.failure->message;
    EXPECT_EQ(course.end.t, end);
  }
  EXPECT_NEAR(integrator->state().y[0], std::sin(2.0), 1e-6);
}

TEST_P(IntegratorLaws, NoTimeIsNoStep) {
  FunctionSystem oscillator = harmonic_oscillator();
  const auto integrator = make();
  integrator->start(oscillator, {2, {0.25, 1}, 0, {}}, {});
  const Outcome<StepReport> step = integrator->advance(2);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->t0, 2);
  EXPECT_EQ(step->t1, 2);
  EXPECT_EQ(step->evaluations, 0);
  EXPECT_EQ(integrator->state().y, (std::vector{0.25, 1.0}));
  std::vector<double> y(2);
  integrator->interpolate(2, y);
  EXPECT_EQ(y, (std::vector{0.25, 1.0}));
}

TEST_P(IntegratorLaws, NothingToIntegrate) {
  FunctionSystem nothing(0, [](auto, auto, auto) {});
  const Course course = run(GetParam(), nothing, {}, 3, 1e-9);
  EXPECT_FALSE(course.failure);
  EXPECT_EQ(course.end.t, 3);
}

TEST_P(IntegratorLaws, StepsAreNotLongerThanAllowed) {
  FunctionSystem oscillator = harmonic_oscillator();
  const auto integrator = make();
  integrator->start(oscillator, {0, {0, 1}, 0, {}}, {1e-4, 1e-4, 0.05});
  const Course course = go_on(*integrator, 1, [](const StepReport& step) { EXPECT_LE(step.t1 - step.t0, 0.05 * (1 + 1e-12)); });
  EXPECT_GE(course.steps, 20);
}

// The continuous solution is as good as the steps, joins them, and asking it changes nothing.
TEST_P(IntegratorLaws, InterpolatesWithinTheTolerance) {
  FunctionSystem oscillator = harmonic_oscillator();
  for (const double tolerance : {1e-5, 1e-8}) {
    std::vector<double> y(2), before = {0, 1};
    double worst = 0;
    const Course asked =
        run(GetParam(), oscillator, {0, 1}, 6, tolerance, [&](const Integrator& integrator, const StepReport& step) {
          integrator.interpolate(step.t0, y);
          EXPECT_LT(distance(y, before), 4 * kEpsilon);
          for (double s = 1.0 / 16; s < 1; s += 1.0 / 8) {
            const double t = step.t0 + s * (step.t1 - step.t0);
            integrator.interpolate(t, y);
            worst = std::max(worst, distance(y, std::vector{std::sin(t), std::cos(t)}));
          }
          integrator.interpolate(step.t1, y);
          EXPECT_EQ(y, integrator.state().y);
          before = y;
        });
    const Course unasked = run(GetParam(), oscillator, {0, 1}, 6, tolerance);
    EXPECT_LT(worst, sum_of_local_errors(asked, tolerance)) << tolerance;
    EXPECT_EQ(asked.end.y, unasked.end.y);
    EXPECT_GE(asked.evaluations, unasked.evaluations);
  }
}

// From any state on: the same bits as another integrator started there; and, if it says so, as one that never stopped.
TEST_P(IntegratorLaws, GoesOnFromAState) {
  FunctionSystem system = double_pendulum();
  const IntegratorState start{0, {0.5, 0.7, 0, 0}, 0, {}};
  const IntegratorOptions options{1e-7, 1e-7};
  const auto whole = make();
  whole->start(system, start, options);
  const Course through = go_on(*whole, 2);

  for (int stop_after = 0; stop_after < through.steps; stop_after += 5) {
    const auto first = make(), second = make();
    first->start(system, start, options);
    for (int i = 0; i < stop_after; ++i) ASSERT_TRUE(first->advance(2));
    const IntegratorState state = first->state();
    second->start(system, state, options);
    if (!first->resumable_anywhere()) first->start(system, state, options);
    const Course a = go_on(*first, 2), b = go_on(*second, 2);
    EXPECT_EQ(a.end.y, b.end.y) << stop_after;
    EXPECT_EQ(a.end.next_step, b.end.next_step) << stop_after;
    EXPECT_EQ(a.end.memory, b.end.memory) << stop_after;
    if (first->resumable_anywhere()) {
      EXPECT_EQ(b.end.y, through.end.y) << stop_after;
    }
  }
}

// y' = √(1 - y), y = 1 - (1 - t/2)² up to t = 2, where the root ends.
TEST_P(IntegratorLaws, StopsWhereThereIsNoDerivative) {
  FunctionSystem system(1, [](auto t, auto y, auto dydt) {
    using std::sqrt;
    dydt[0] = sqrt(lift<decltype(t)>(1) - y[0]);
    if constexpr (std::is_same_v<decltype(t), double>) return y[0] < 1;
    return true;
  });
  const Course course = run(GetParam(), system, {0}, 3, 1e-8);
  ASSERT_TRUE(course.failure);
  EXPECT_EQ(course.failure->code, "VN-RUN-011");
  EXPECT_NEAR(course.end.t, 2, 2 * std::sqrt(1e-6));
  EXPECT_NEAR(course.end.y[0], 1, 1e-6);
  EXPECT_LT(course.end.y[0], 1);
  EXPECT_NE(course.failure->message.find(fmt::format("t = {}", course.end.t)), std::string::npos) << course.failure->message;
}

TEST_P(IntegratorLaws, StopsWhereTheDerivativeIsNotANumber) {
  FunctionSystem system(1, [](auto t, auto, auto dydt) {
    using std::log;
    dydt[0] = log(lift<decltype(t)>(1) - t);
  });
  const Course course = run(GetParam(), system, {0}, 3, 1e-8);
  ASSERT_TRUE(course.failure);
  EXPECT_TRUE(course.failure->code == "VN-RUN-011" || GetParam() == "taylor") << "only a series sees the singularity coming";
  EXPECT_NEAR(course.end.t, 1, 1e-6);
  EXPECT_NEAR(course.end.y[0], -1, 1e-4);
}

TEST_P(IntegratorLaws, NoDerivativeAtTheStart) {
  FunctionSystem system(1, [](auto, auto, auto) { return false; });
  const Course course = run(GetParam(), system, {1}, 3, 1e-8);
  ASSERT_TRUE(course.failure);
  EXPECT_EQ(course.failure->code, "VN-RUN-011");
  EXPECT_EQ(course.end.t, 0);
  EXPECT_EQ(course.end.y[0], 1);
  EXPECT_NE(find_in_catalogue(course.failure->code), nullptr);
}

// y' = y², y = 1/(1/y0 - t).
TEST_P(IntegratorLaws, BlowUpIsLocated) {
  FunctionSystem system(1, [](auto, auto y, auto dydt) { dydt[0] = y[0] * y[0]; });
  const Course course = run(GetParam(), system, {2}, 3, 1e-9);
  ASSERT_TRUE(course.failure);
  EXPECT_NEAR(course.end.t, 0.5, 1e-7);
  EXPECT_GT(course.end.y[0], 1e6);
  EXPECT_TRUE(std::isfinite(course.end.y[0]));
  EXPECT_NE(find_in_catalogue(course.failure->code), nullptr);
  EXPECT_NE(course.failure->message.find(fmt::format("t = {}", course.end.t)), std::string::npos) << course.failure->message;
}

}  // namespace
}  // namespace vinculum
