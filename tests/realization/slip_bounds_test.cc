// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inequalities, residual slips, the box problem and servo constraints. Expected values: theory 3, section 15, W9.
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/realization/box_problem.h"
#include "vinculum/realization/residual.h"
#include "vinculum/realization/sampled_motion.h"
#include "vinculum/realization/servo.h"
#include "vinculum/realization/slip_bounds.h"

namespace vinculum::testing {
namespace {

// Instants at unequal distances, the peak far from the nearest: the parabola through three of them leads there.
TEST(Peaks, OfAParabolaBetweenUnequalInstants) {
  const auto value = [](double t) { return 7 - (t - 4) * (t - 4); };
  const std::vector<double> times{-1, 0, 10};
  std::vector<double> values;
  for (const double t : times) values.push_back(value(t));
  const std::vector<Peak> peaks = find_peaks(times, values, value, -100);
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_NEAR(peaks[0].t, 4, 1e-12);
  EXPECT_NEAR(peaks[0].value, 7, 1e-12);
}

TEST(SlipBounds, InequalitiesOfW9a) {
  const double A = 0.7, B = 0.4, c = 1.3 / 0.9, s0 = 0.6;
  EXPECT_NEAR(*bound_reaching(A, B, c, s0).t1, 1.03174730509245, 1e-13);
  EXPECT_NEAR(*bound_reaching(A, B, c, s0).s_star, 1.21706503510553, 1e-13);
  EXPECT_NEAR(*bound_band(A, B, c, 0.05).inner, 0.0352289377259231, 1e-14);
  EXPECT_NEAR(*bound_band(A, B, c, 0.05).outer, 1.19184708800513, 1e-13);
  EXPECT_NEAR(*bound_viscous(A, B, 3.0 / 0.81, s0, 1.2).s, 0.106034099627293, 1e-14);
  EXPECT_NEAR(*bound_viscous(A, B, 3.0 / 0.81, s0, 1.2).basin, 7.50925925925926, 1e-13);
}

TEST(SlipBounds, InequalitiesOfW9b) {
  const double A = 1.5, B = 0, c = 2.0 / 1.1, s0 = 0.4;
  EXPECT_NEAR(*bound_reaching(A, B, c, s0).t1, 0.533970088796167, 1e-13);
  EXPECT_NEAR(*bound_reaching(A, B, c, s0).s_star, 1.21212121212121, 1e-13);
  EXPECT_NEAR(*bound_band(A, B, c, 0.02).inner, 0.0111016790032706, 1e-14);
  EXPECT_NEAR(*bound_band(A, B, c, 0.02).outer, 1.20101953311794, 1e-13);
  EXPECT_NEAR(*bound_viscous(A, B, 8.0 / 1.21, s0, 0.5).s, 0.111449545874789, 1e-14);
  EXPECT_FALSE(bound_viscous(A, B, 8.0 / 1.21, s0, 0.5).basin);
}

// Slip that would fall by itself, A < 0, and B = 0: inner is the positive root of A s² - c s + delta, which falls for ever
// beyond.
TEST(SlipBounds, BandOfDampedSlip) {
  const double A = -0.7, c = 0.9, delta = 0.35;
  const SlipBand band = bound_band(A, 0, c, delta);
  EXPECT_NEAR(*band.inner, (c - std::sqrt(c * c - 4 * A * delta)) / (2 * A), 1e-14);
  EXPECT_NEAR(A * *band.inner * *band.inner - c * *band.inner + delta, 0, 1e-15);
  EXPECT_FALSE(band.outer);
}

// The time to enter a band is that of the inequality, 2 s s' = A s² + B s³ - c s + delta; of viscous forces 2 s' = -a s + B s² +
// rho.
TEST(SlipBounds, TimeToEnterABand) {
  const auto time = [](double s, double end, const auto& rate) {
    const int n = 20000;
    double t = 0;
    for (int i = 0; i < n; ++i) {  // Simpson on ds/s'
      const double h = (s - end) / n, x = end + i * h;
      t -= h / 6 * (1 / rate(x) + 4 / rate(x + h / 2) + 1 / rate(x + h));
    }
    return t;
  };
  for (const auto& [A, B] : {std::pair{0.7, 0.4}, {0.7, 0.0}, {-0.4, 0.0}, {0.0, 0.0}}) {
    const double c = 1.4, delta = 0.05, inner = *bound_band(A, B, c, delta).inner;
    const auto rate = [&, a = A, b = B](double s) { return (a * s + b * s * s - c + delta / s) / 2; };
    EXPECT_NEAR(*bound_entry(A, B, c, delta, 0.6, 1.2 * inner), time(0.6, 1.2 * inner, rate), 1e-9) << A << ' ' << B;
  }
  EXPECT_FALSE(bound_entry(0.7, 0.4, 1.4, 0.05, 2, 0.1)) << "beyond the outer root";
  EXPECT_FALSE(bound_entry(0, 0, 1.4, 0.05, 0.6, 0.05 / 1.4)) << "the band itself is only approached";
  EXPECT_EQ(*bound_entry(0, 0, 1.4, 0.05, 0.04, 0.05), 0);
  for (const double B : {0.0, 0.4}) {
    const double A = 0.7, kappa = 3.2, rho = 0.3, inner = *bound_viscous_band(A, B, kappa, rho).inner;
    EXPECT_NEAR(B * inner * inner - (kappa - A) * inner + rho, 0, 1e-15);
    const auto rate = [&](double s) { return (-(kappa - A) * s + B * s * s + rho) / 2; };
    EXPECT_NEAR(*bound_viscous_entry(A, B, kappa, rho, 0.6, 1.2 * inner), time(0.6, 1.2 * inner, rate), 1e-9) << B;
  }
  EXPECT_NEAR(*bound_viscous_band(0.7, 0.4, 3.2, 0.3).outer, (2.5 + std::sqrt(2.5 * 2.5 - 4 * 0.4 * 0.3)) / 0.8, 1e-14);
  EXPECT_FALSE(bound_viscous_band(0.7, 0.4, 0.6, 0.3).inner) << "damping below A";
}

// Where the limits of the formulas lie.
TEST(SlipBounds, AtTheEdges) {
  EXPECT_FALSE(bound_reaching(1.5, 0, 1, 0.7).t1) << "s0 beyond s_star = 2/3";
  EXPECT_FALSE(bound_reaching(0, 0, -0.1, 0.1).t1) << "bound below the reaction";
  EXPECT_DOUBLE_EQ(*bound_reaching(0, 0, 2, 0.5).t1, 0.5);
  EXPECT_FALSE(bound_reaching(0, 0, 2, 0.5).s_star);
  EXPECT_DOUBLE_EQ(*bound_band(0, 0, 2, 0.1).inner, 0.05);
  EXPECT_FALSE(bound_band(0, 0, 2, 0.1).outer);
  EXPECT_FALSE(bound_band(1, 0, 1, 0.3).inner) << "no positive root: 1 - 4 * 0.3 < 0";
  EXPECT_EQ(*bound_band(1, 0, 1, 0.3).outer, 0);
  EXPECT_FALSE(bound_viscous(2, 0, 1, 0.1, 1).s);
  // The formulas go over into each other as A and B vanish.
  EXPECT_NEAR(*bound_reaching(1e-9, 1e-9, 2, 0.5).t1, 0.5, 1e-8);
  EXPECT_NEAR(*bound_reaching(1e-9, 0, 2, 0.5).t1, 0.5, 1e-8);
}

// t1 is the time in which s(t) of  2 s' = A s + B s² - c  comes to zero.
TEST(SlipBounds, ReachingTimeIsThatOfTheInequality) {
  const std::array<double, 4> cases[] = {{0.7, 0.4, 1.4, 0.6}, {-0.5, 0.3, 1.0, 0.8}, {1.5, 0.0, 2.0, 0.4}};
  for (const auto& numbers : cases) {
    const double A = numbers[0], B = numbers[1], c = numbers[2], s0 = numbers[3];
    double s = s0, t = 0;
    const double h = 1e-4;
    const auto rate = [&](double x) { return (A * x + B * x * x - c) / 2; };
    while (s > 0) {
      const double k1 = rate(s), k2 = rate(s + h / 2 * k1), k3 = rate(s + h / 2 * k2), k4 = rate(s + h * k3);
      const double next = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      if (next <= 0) break;
      s = next, t += h;
    }
    t += s / -rate(s / 2);
    EXPECT_NEAR(*bound_reaching(A, B, c, s0).t1, t, 1e-9);
  }
}

TEST(SlipBounds, ReverseUse) {
  const double c = find_excess(0.7, 0.4, 0.6, 1.03174730509245);
  EXPECT_NEAR(c, 1.3 / 0.9, 1e-12);
  EXPECT_LE(*bound_reaching(0.7, 0.4, c, 0.6).t1, 1.03174730509245 * (1 + 1e-14));
}

TEST(Residuals, RelaysOnABeltOfW9d) {
  const double m = 2, r = -0.7, R = 3;
  const SlipResidual delay = compute_residual({SlipLawKind::delay, 0.03}, R, r, m, 0);
  EXPECT_NEAR((*delay.band)[0], -0.0345, 1e-15);
  EXPECT_NEAR((*delay.band)[1], 0.0555, 1e-15);
  EXPECT_NEAR(*delay.period, 0.126909518213866, 1e-14);
  EXPECT_NEAR(*delay.creep, 0.0105, 1e-15);
  EXPECT_NEAR(*delay.delta, 0.333, 1e-14);
  const SlipResidual hysteresis = compute_residual({SlipLawKind::hysteresis, 0.02}, R, r, m, 0);
  EXPECT_EQ((*hysteresis.band)[1], 0.02);
  EXPECT_NEAR(*hysteresis.period, 0.0564042303172738, 1e-14);
  EXPECT_NEAR(*hysteresis.delta, 0.12, 1e-15);
  const SlipResidual dead = compute_residual({SlipLawKind::dead_zone, 0.05}, R, r, m, 0);
  EXPECT_EQ(*dead.creep, 0.05);
  EXPECT_NEAR(*dead.delta, 0.15, 1e-15);
  EXPECT_NEAR(*compute_residual({SlipLawKind::viscous, 4}, std::nullopt, r, m, 0).creep * 4, 0.7, 1e-15);
  const SlipResidual tanh = compute_residual({SlipLawKind::tanh, 0.01}, R, r, m, 0);
  EXPECT_NEAR(*tanh.creep / 0.01, 0.237711848357537, 1e-14);
  EXPECT_NEAR((*tanh.band)[1], 0.003632, 5e-7) << "section 5.4";
  EXPECT_LT(*tanh.creep, (*tanh.band)[1]);
}

// delta is the largest of (R~(x) + R sign x) x, found here by looking.
TEST(Residuals, PowerExcessOfSmoothLaws) {
  const double R = 3, eps = 0.01;
  const auto excess = [&](const auto& law) {
    double largest = 0;
    for (double x = 0; x < 200 * eps; x += 1e-4 * eps) largest = std::max(largest, R * (1 - law(x / eps)) * x);
    return largest;
  };
  const auto delta = [&](SlipLawKind kind) { return *compute_residual({kind, eps}, R, 0.5, 2, 0).delta; };
  EXPECT_NEAR(delta(SlipLawKind::saturated), excess([](double x) { return std::min(x, 1.0); }), 1e-9);
  EXPECT_NEAR(delta(SlipLawKind::tanh), excess([](double x) { return std::tanh(x); }), 1e-9);
  EXPECT_NEAR(delta(SlipLawKind::algebraic), excess([](double x) { return x / std::sqrt(x * x + 1); }), 1e-9);
  EXPECT_GE(delta(SlipLawKind::arctan) * (1 + 1e-12), excess([](double x) { return 2 / M_PI * std::atan(x); })) << "a limit";
}

// A reaction beyond the bound leaves no residual, it slips away.
TEST(Residuals, BeyondTheBound) {
  for (const SlipLawKind kind : {SlipLawKind::sign, SlipLawKind::tanh, SlipLawKind::algebraic, SlipLawKind::delay}) {
    const SlipResidual residual = compute_residual({kind, 0.01}, 3, 3.5, 2, 0);
    EXPECT_FALSE(residual.creep);
    EXPECT_FALSE(residual.band);
    EXPECT_FALSE(residual.period);
  }
}

TEST(BoxProblem, OfW9c) {
  Eigen::MatrixXd W(3, 3);
  W << 2.0, 0.3, -0.5, 0.3, 1.5, 0.2, -0.5, 0.2, 1.0;
  const auto solution = solve_box_problem(W, Eigen::Vector3d(4, -1, 0.5), Eigen::Vector3d(1, 1.2, 0.6));
  ASSERT_TRUE(solution);
  EXPECT_EQ(solution->modes, (std::vector<int>{1, 0, 1}));
  EXPECT_LT((solution->forces - Eigen::Vector3d(-1, 0.946666666666667, -0.6)).norm(), 1e-14);
  EXPECT_LT((solution->slip_accelerations - Eigen::Vector3d(2.584, 0, 0.589333333333333)).norm(), 1e-14);
  EXPECT_FALSE(solve_box_problem(-W, Eigen::Vector3d(4, -1, 0.5), Eigen::Vector3d(1, 1, 1)));
  EXPECT_FALSE(solve_box_problem(W, Eigen::Vector3d(4, -1, 0.5), Eigen::Vector3d(1, 0, 1)));
}

// arm2(1.1, 0.8, 0.9, 0.7): point masses at the ends of two links, gravity down y; the tip's height is programmed.
struct ServoCase {
  SlipState at;
  State projected;
};
ServoCase arm_of_w9() {
  static const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  upper: { joint: revolute, mass: 1.1, com: [0.9, 0, 0], inertia: [0, 0, 0] }
  lower: { parent: upper, joint: { type: revolute, origin: [0.9, 0, 0] }, mass: 0.8, com: [0.7, 0, 0], inertia: [0, 0, 0] }
velocity_constraints:
  tip: "0.9*cos(upper)*upper' + 0.7*cos(upper + lower)*(upper' + lower') = 0.4*sin(2*t)"
)yaml");
  SlipSystem system(model, list_slip_rows(model));
  const auto projected = system.project({0.25, {0.3, 0.8}, {0.7, -0.4}});
  return {*system.compute(*projected), *projected};
}

TEST(Servo, IdealDirectionOfW9f) {
  const auto [at, projected] = arm_of_w9();
  EXPECT_NEAR(projected.v[0], 0.249881198121601, 1e-13);
  EXPECT_NEAR(projected.v[1], -0.322564952706055, 1e-13);
  const auto servo = compute_servo(at, at.J.transpose());
  ASSERT_TRUE(servo);
  EXPECT_NEAR(servo->control[0], 17.4955951807132, 1e-11);
  EXPECT_NEAR(at.r[0], 17.4955951807132, 1e-11);
  EXPECT_NEAR(servo->D(0, 0), 0.527562277627489, 1e-13);
  EXPECT_NEAR(servo->price, 1, 1e-13);
  EXPECT_FALSE(servo->reversed[0]);
}

TEST(Servo, ElbowOnlyOfW9g) {
  const auto [at, projected] = arm_of_w9();
  const auto servo = compute_servo(at, Eigen::Vector2d(0, 1));
  ASSERT_TRUE(servo);
  EXPECT_NEAR(servo->control[0], -114.177573535009, 1e-10);
  EXPECT_NEAR(servo->D(0, 0), -0.080839132906914, 1e-14);
  EXPECT_NEAR(servo->accelerations[0], 165.527851170528, 1e-10);
  EXPECT_NEAR(servo->accelerations[1], -611.485769891242, 1e-10);
  EXPECT_NEAR(servo->price, 21.044970526006, 1e-10);
  EXPECT_TRUE(servo->reversed[0]);
}

TEST(Servo, InputsThatCannot) {
  const auto [at, projected] = arm_of_w9();
  const auto blind = compute_servo(at, Eigen::MatrixXd::Zero(2, 1));
  ASSERT_FALSE(blind);
  EXPECT_EQ(blind.failure().code, "VN-REALIZE-006");
  EXPECT_FALSE(compute_servo(at, Eigen::MatrixXd::Identity(2, 2)));
}

}  // namespace
}  // namespace vinculum::testing
