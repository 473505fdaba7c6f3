// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/dop853.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/ode.h"
#include "vinculum/math/rotation.h"

namespace vinculum {
namespace {

constexpr double kPi = std::numbers::pi;

// Three bodies, the third without mass, in the frame turning with the first two: an orbit that closes after T.
// Hairer, Nørsett, Wanner I, (0.1)-(0.2), T from their program.
TEST(Dop853, ArenstorfOrbitCloses) {
  const double mu = 0.012277471, period = 17.0652165601579625588917206249;
  FunctionSystem system(4, [mu](double, auto y, auto dydt) {
    const double a = std::hypot(y[0] + mu, y[1]), b = std::hypot(y[0] - (1 - mu), y[1]);
    const double to_a = (1 - mu) / (a * a * a), to_b = mu / (b * b * b);
    dydt[0] = y[2], dydt[1] = y[3];
    dydt[2] = y[0] + 2 * y[3] - to_a * (y[0] + mu) - to_b * (y[0] - (1 - mu));
    dydt[3] = y[1] - 2 * y[2] - to_a * y[1] - to_b * y[1];
  });
  const std::vector<double> start = {0.994, 0, 0, -2.00158510637908252240537862224};
  // The passages close to the second body magnify an error about 1e6 times.
  EXPECT_LT(distance(run("dop853", system, start, period, 1e-10).end.y, start), 1e-4);
  EXPECT_LT(distance(run("dop853", system, start, period, 1e-13).end.y, start), 1e-7);
}

// End state by a power series in quadruple precision, all digits valid.
TEST(Dop853, DoublePendulumForHundredSeconds) {
  FunctionSystem system = double_pendulum();
  const Course course = run("dop853", system, {0.5, 0.7, 0, 0}, 100, 1e-12);
  const std::vector<double> reference = {-0.39007050488388018, -0.54717766633532228, -0.9159038823782728, -0.7524303944406362};
  EXPECT_LT(distance(course.end.y, reference), 1e-10);
}

// A fast heavy top on a point: moments 0.47, 0.51, 0.13, weight × distance 9.81 × 0.3 along the body's z, y = (quaternion,
// rates). End state by a power series in quadruple precision, after about 80 turns.
TEST(Dop853, HeavyTop) {
  FunctionSystem system(7, [](double, auto y, auto dydt) {
    const Quaternion q{y[0], y[1], y[2], y[3]};
    const Vector3 w{y[4], y[5], y[6]};
    const Quaternion rate = quaternion_rate(q, w);
    dydt[0] = rate.w, dydt[1] = rate.x, dydt[2] = rate.y, dydt[3] = rate.z;
    const double a = 0.47, b = 0.51, c = 0.13, weight = 9.81 * 0.3;
    const double up_x = 2 * (q.x * q.z - q.w * q.y), up_y = 2 * (q.y * q.z + q.w * q.x);  // the vertical in body axes
    dydt[4] = ((b - c) * w.y * w.z + weight * up_y) / a;
    dydt[5] = ((c - a) * w.z * w.x - weight * up_x) / b;
    dydt[6] = (a - b) * w.x * w.y / c;
  });
  const Course course = run("dop853", system, {std::cos(0.25), std::sin(0.25), 0, 0, 0.2, 0.1, 25}, 20, 1e-12);
  const std::vector<double> reference = {0.78978102974034026,  0.050110754742328657,  0.25057367999452701, 0.5576268180561641,
                                         -0.39070594743215648, -0.062095666744899351, 24.999743000170806};
  EXPECT_LT(distance(course.end.y, reference), 1e-9);
}

// Steps of one length: a tolerance that never objects.
Course run_with_fixed_steps(System& system, std::vector<double> y0, double h, double t_end,
                            const std::function<void(const Integrator&, const StepReport&)>& see = {}) {
  Dop853 integrator;
  integrator.start(system, {0, std::move(y0), h, {}}, {1e3, 1e3, h});
  return go_on(integrator, t_end, [&](const StepReport& step) {
    if (see) see(integrator, step);
  });
}

// Half a circle, and y' = y cos t.
TEST(Dop853, ConvergesWithOrderEight) {
  FunctionSystem circle = kepler();
  FunctionSystem growth(1, [](double t, auto y, auto dydt) { dydt[0] = y[0] * std::cos(t); });
  const auto circle_error = [&](int steps) {
    return distance(run_with_fixed_steps(circle, {1, 0, 0, 1}, kPi / steps, kPi).end.y, std::vector{-1.0, 0.0, 0.0, -1.0});
  };
  const auto growth_error = [&](int steps) {
    return std::abs(run_with_fixed_steps(growth, {1}, 4.0 / steps, 4).end.y[0] - std::exp(std::sin(4.0)));
  };
  for (const int steps : {8, 16}) {
    EXPECT_NEAR(std::log2(circle_error(steps) / circle_error(2 * steps)), 8, 0.3) << steps;
    EXPECT_NEAR(std::log2(growth_error(steps) / growth_error(2 * steps)), 8, 0.3) << steps;
  }
}

// A method of order p has a local error of order p + 1: one step from perihelion, against a hundred shorter ones.
TEST(Dop853, ContinuousSolutionConvergesWithOrderSeven) {
  FunctionSystem system = kepler();
  const std::vector<double> start = {0.8, 0, 0, std::sqrt(1.5)};
  const auto local_error = [&](double h) {
    double worst = 0;
    run_with_fixed_steps(system, start, h, h, [&](const Integrator& integrator, const StepReport& step) {
      EXPECT_EQ(step.t1, h);
      std::vector<double> y(4);
      for (const double s : {0.15, 0.4, 0.6, 0.85}) {
        integrator.interpolate(s * h, y);
        worst = std::max(worst, distance(y, run_with_fixed_steps(system, start, h / 100, s * h).end.y));
      }
    });
    return worst;
  };
  for (const double h : {0.4, 0.2}) EXPECT_NEAR(std::log2(local_error(h) / local_error(h / 2)) - 1, 7, 0.4) << h;
}

TEST(Dop853, CountsItsEvaluations) {
  int calls = 0;
  FunctionSystem system(2, [&](double, auto y, auto dydt) { ++calls, dydt[0] = y[1], dydt[1] = -y[0]; });
  Dop853 integrator;
  integrator.start(system, {0, {0, 1}, 0.1, {}}, {1e-4, 1e-4, 0.1});
  EXPECT_EQ(integrator.advance(1)->evaluations, 13) << "the first needs f(0, y) as well";
  EXPECT_EQ(integrator.advance(1)->evaluations, 12);
  EXPECT_EQ(calls, 25);

  // The continuous solution costs three evaluations, once, and none at the step's end.
  std::vector<double> y(2);
  integrator.interpolate(integrator.state().t, y);
  EXPECT_EQ(calls, 25);
  integrator.interpolate(0.15, y);
  integrator.interpolate(0.17, y);
  EXPECT_EQ(calls, 28);

  // Another that goes on from here reports the same.
  Dop853 other;
  other.start(system, integrator.state(), {1e-4, 1e-4, 0.1});
  EXPECT_EQ(integrator.advance(1)->evaluations, 15);
  EXPECT_EQ(other.advance(1)->evaluations, 15);
}

TEST(Dop853, TheLastStepIsNotARemnant) {
  FunctionSystem system = double_pendulum();
  for (const double end : {0.9, 0.93, 0.96, 0.99, 1.02}) {
    std::vector<double> lengths;
    run("dop853", system, {0.5, 0.7, 0, 0}, end, 1e-8,
        [&](const Integrator&, const StepReport& step) { lengths.push_back(step.t1 - step.t0); });
    ASSERT_GT(lengths.size(), 4u);
    EXPECT_GT(lengths.back(), 0.4 * lengths[lengths.size() - 3]) << end;
  }
}

// Landing on many ends must not make the steps between them short: the wanted step survives.
TEST(Dop853, ManyEndsCostLittle) {
  FunctionSystem system = harmonic_oscillator();
  Dop853 integrator;
  integrator.start(system, {0, {0, 1}, 0, {}}, {1e-6, 1e-6});
  go_on(integrator, 5);
  const double wanted = integrator.state().next_step;
  go_on(integrator, 5.001);
  go_on(integrator, 5.002);
  EXPECT_GE(integrator.state().next_step, wanted);
}

// y' = -1000 (y - cos t): stability, not accuracy, limits the step, and the control settles there.
TEST(Dop853, FewAttemptsFailAtTheLimitOfStability) {
  FunctionSystem system(1, [](double t, auto y, auto dydt) { dydt[0] = -1000 * (y[0] - std::cos(t)); });
  const Course course = run("dop853", system, {1}, 2, 1e-6);
  EXPECT_NEAR(course.end.y[0], (1e6 * std::cos(2.0) + 1e3 * std::sin(2.0)) / (1e6 + 1), 1e-6);
  EXPECT_LT(course.rejected, course.steps / 10);
}

TEST(Dop853, ACorrectionTakesThePlaceOfThePresent) {
  FunctionSystem system = harmonic_oscillator();
  Dop853 corrected, restarted;
  corrected.start(system, {0, {0, 1}, 0, {}}, {});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(corrected.advance(9));
  std::vector<double> y(2);
  corrected.interpolate(corrected.state().t - 1e-3, y);
  corrected.correct(std::vector{0.3, 0.8});
  corrected.interpolate(corrected.state().t, y);
  EXPECT_EQ(y, (std::vector{0.3, 0.8}));
  EXPECT_EQ(corrected.state().y, (std::vector{0.3, 0.8}));
  restarted.start(system, corrected.state(), {});
  EXPECT_EQ(go_on(corrected, 9).end.y, go_on(restarted, 9).end.y);
}

// If the extra evaluations of the continuous solution fail, the cubic of the ends remains: exact for a quadratic motion.
TEST(Dop853, InterpolatesWithoutTheExtraEvaluations) {
  bool sound = true;
  FunctionSystem system(1, [&](double t, auto, auto dydt) { return dydt[0] = t, sound; });
  Dop853 integrator;
  integrator.start(system, {0, {0}, 0.5, {}}, {1e-6, 1e-6});
  ASSERT_TRUE(integrator.advance(0.5));
  sound = false;
  std::vector<double> y(1);
  integrator.interpolate(0.3, y);
  EXPECT_NEAR(y[0], 0.3 * 0.3 / 2, 1e-16);
}

// A failed step leaves the state before it, and nothing that is not a number.
TEST(Dop853, AFailureLeavesTheLastState) {
  FunctionSystem system(1, [](double t, auto, auto dydt) { return dydt[0] = 1, t <= 1; });
  Dop853 integrator;
  integrator.start(system, {0, {0}, 0, {}}, {});
  const Course course = go_on(integrator, 2);
  ASSERT_TRUE(course.failure);
  EXPECT_EQ(course.failure->code, "VN-RUN-011");
  EXPECT_NEAR(course.end.t, 1, 1e-14);
  EXPECT_NEAR(course.end.y[0], 1, 1e-13);
  std::vector<double> y(1);
  integrator.interpolate(course.end.t, y);
  EXPECT_EQ(y, course.end.y);
  EXPECT_FALSE(integrator.advance(2)) << "and it fails again";
}

TEST(Dop853, ASingularityAtTheStartIsFound) {
  FunctionSystem system(1, [](double t, auto, auto dydt) { return dydt[0] = 1, t <= 0; });
  const Course course = run("dop853", system, {0}, 1, 1e-9);
  ASSERT_TRUE(course.failure);
  EXPECT_EQ(course.failure->code, "VN-RUN-011");
  EXPECT_EQ(course.end.t, 0);
}

}  // namespace
}  // namespace vinculum
