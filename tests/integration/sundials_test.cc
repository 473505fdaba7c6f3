// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/sundials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/ode.h"

namespace vinculum {
namespace {

constexpr double kPi = std::numbers::pi;

class StiffIntegrators : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, StiffIntegrators, testing::Values("cvode", "arkode"), [](const auto& test) { return test.param; });

// x'' = 1000 (1 - x²) x' - x. The test set for initial value problem solvers gives the end state (vdpolm, t = 2000).
TEST_P(StiffIntegrators, VanDerPol) {
  FunctionSystem system(2, [](double, auto y, auto dydt) { dydt[0] = y[1], dydt[1] = 1e3 * (1 - y[0] * y[0]) * y[1] - y[0]; });
  const Course course = run(GetParam(), system, {2, 0}, 2000, 1e-9);
  ASSERT_FALSE(course.failure);
  EXPECT_NEAR(course.end.y[0], 1.706167732170483, 1e-6);
  EXPECT_NEAR(course.end.y[1], -0.8928097010247975e-3, 1e-8);
  EXPECT_LT(course.steps, 20000) << "an explicit method needs 1e6";
}

// Robertson's reaction, rates 0.04, 1e4, 3e7, at t = 1e11 (the test set's end state): nearly all has become the third substance.
TEST_P(StiffIntegrators, Robertson) {
  FunctionSystem system(3, [](double, auto y, auto dydt) {
    const double slow = 0.04 * y[0], middle = 1e4 * y[1] * y[2], fast = 3e7 * y[1] * y[1];
    dydt[0] = -slow + middle, dydt[1] = slow - middle - fast, dydt[2] = fast;
  });
  const auto integrator = make_integrator(GetParam());
  integrator->start(system, {0, {1, 0, 0}, 0, {}}, {1e-8, 1e-18});
  const Course course = go_on(*integrator, 1e11);
  ASSERT_FALSE(course.failure) << course.failure->message;
  EXPECT_NEAR(course.end.y[0] / 0.2083340149701255e-7, 1, 1e-4);
  EXPECT_NEAR(course.end.y[1] / 0.8333360770334713e-13, 1, 1e-4);
  EXPECT_NEAR(course.end.y[2], 0.9999999791665050, 1e-9);
}

// A slow motion along a fast one, rate 1e6: the continuous solution follows it between long steps.
TEST_P(StiffIntegrators, InterpolateStiffMotions) {
  FunctionSystem system(1, [](double t, auto y, auto dydt) { dydt[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t); });
  double worst = 0;
  const Course course = run(GetParam(), system, {1}, 5, 1e-7, [&](const Integrator& integrator, const StepReport& step) {
    std::vector<double> y(1);
    for (const double s : {0.2, 0.5, 0.8}) {
      const double t = step.t0 + s * (step.t1 - step.t0);
      integrator.interpolate(t, y);
      worst = std::max(worst, std::abs(y[0] - std::cos(t)));
    }
  });
  EXPECT_LT(course.steps, 500);
  EXPECT_LT(worst, 1e-6);
}

// Heat in a rod of 400 cells, above the dense limit: the slowest mode decays with 4 n² sin²(π/2n).
TEST_P(StiffIntegrators, LargeSystemsWithoutAMatrix) {
  const int n = 401;
  FunctionSystem system(n - 1, [n](double, auto y, auto dydt) {
    for (int i = 0; i < n - 1; ++i) dydt[i] = ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i < n - 2 ? y[i + 1] : 0)) * n * n;
  });
  std::vector<double> mode(n - 1);
  for (int i = 0; i < n - 1; ++i) mode[i] = std::sin(kPi * (i + 1) / n);
  const Course course = run(GetParam(), system, mode, 0.1, 1e-6);
  ASSERT_FALSE(course.failure) << course.failure->message;
  const double decay = std::exp(-0.1 * 4 * n * n * std::pow(std::sin(kPi / 2 / n), 2));
  EXPECT_NEAR(course.end.y[200] / (mode[200] * decay), 1, 1e-3);
}

// Whatever goes wrong is told in the Failure, not on the terminal.
TEST_P(StiffIntegrators, AreSilent) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  FunctionSystem blow_up(1, [](double, auto y, auto dydt) { dydt[0] = y[0] * y[0]; });
  EXPECT_TRUE(run(GetParam(), blow_up, {1}, 2, 1e-8).failure);
  FunctionSystem undefined(1, [](double t, auto, auto dydt) { return dydt[0] = 1, t < 1; });
  EXPECT_TRUE(run(GetParam(), undefined, {1}, 2, 1e-8).failure);
  FunctionSystem oscillator = harmonic_oscillator();
  const auto integrator = make_integrator(GetParam());
  integrator->start(oscillator, {0, {0, 1}, 0, {}}, {1e-17, 1e-30});
  const Course course = go_on(*integrator, 1);
  ASSERT_TRUE(course.failure);
  EXPECT_EQ(course.failure->code, "VN-RUN-012");
  EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
}

// ARKODE's default trust in old convergence rates errs by up to 6e4 tolerances here.
TEST(Arkode, NewtonIsNotTrustedTooSoon) {
  FunctionSystem oscillator = harmonic_oscillator();
  for (double tolerance = 1e-4; tolerance > 1e-10; tolerance *= 0.6) {
    const Course course = run("arkode", oscillator, {0, 1}, 10, tolerance);
    EXPECT_LT(distance(course.end.y, std::vector{std::sin(10.0), std::cos(10.0)}), 20 * tolerance) << tolerance;
  }
}

}  // namespace
}  // namespace vinculum
