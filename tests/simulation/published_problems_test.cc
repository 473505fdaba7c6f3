// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Published problems whose answer is more than a number of one command (docs/benchmarks.md). The others:
// tests/apps/published_test.cc.
#include <algorithm>
#include <cmath>
#include <complex>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::published {
namespace {

Model read_problem(const std::string& name) {
  Diagnostics diagnostics;
  auto model = read_model_file(std::string(VINCULUM_SOURCE_DIR) + "/tests/published/" + name + ".yaml", diagnostics);
  EXPECT_TRUE(model) << name;
  return std::move(*model);
}

RunResult run_problem(const Model& model, double until, double tolerance, RunListener& listener) {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  auto result = run_simulation(model, model.initial_state(), options, listener);
  EXPECT_TRUE(result) << result.failure().message;
  return std::move(*result);
}

// Lagrange's multiplier lambda_1 of the source is the force along the axle. Mazzia, Magherini: Test set for initial value problem
// solvers, release 2.4 (2008), problem caraxis. The printed value is good to ten digits behind the point: the printed positions
// and velocities themselves, and the equations in quadruple precision, give -0.00473688659085.
TEST(PublishedProblems, CarAxisMultiplier) {
  const Model model = read_problem("car-axis");
  RunListener nobody;
  const RunResult result = run_problem(model, 3, 1e-14, nobody);
  Workspace workspace(model);
  const ConstraintSet set(model);
  const auto dynamics = compute_constrained_dynamics(set, result.final, workspace);
  ASSERT_TRUE(dynamics);
  ASSERT_EQ(set.rows[1].name, "guide.normal");
  EXPECT_NEAR(dynamics->solution.multipliers[1], -0.4736886750784630e-2, 2e-10);  // printed
  EXPECT_NEAR(dynamics->solution.multipliers[1], -0.004736886590853326515, 1e-13);
}

// K² = (p² - q² - mu g_x)² + (2 p q - mu g_y)², mu = m g h/C, g the vertical in body axes: the integral that Kovalevskaya found.
// Energy, L_z and |g| are those of every top.
class WatchKovalevskaya : public RunListener {
 public:
  static double integral(const State& state) {
    const double mu = 9.81, p = state.v[0], q = state.v[1];
    const double w = state.q[0], x = state.q[1], y = state.q[2], z = state.q[3];
    const double g_x = 2 * (x * z - w * y), g_y = 2 * (y * z + w * x);
    return std::pow(p * p - q * q - mu * g_x, 2) + std::pow(2 * p * q - mu * g_y, 2);
  }
  void on_sample(const Sample& sample) override {
    drift = std::max(drift, std::abs(integral(sample.state) - 1.5625));
    fastest = std::max(fastest, std::abs(sample.state.v[2]));
  }
  double drift = 0, fastest = 0;
};

TEST(PublishedProblems, KovalevskayaIntegral) {
  const Model model = read_problem("kovalevskaya");
  EXPECT_EQ(WatchKovalevskaya::integral(model.initial_state()), 1.5625);  // (1 - 1/4)² + 1²
  WatchKovalevskaya watch;
  const RunResult result = run_problem(model, 100, 1e-14, watch);
  EXPECT_EQ(result.end, RunResult::End::reached);
  EXPECT_GT(watch.fastest, 3.5);  // it moves: from 3 rad/s
  // Its terms reach mu² = 96; errors of 1e-14 a step, some 900 steps.
  EXPECT_LT(watch.drift, 1e-11);
}

// Small departures of the benchmark bicycle from riding upright at the speed v: eigenvalues of
//
//   d/dt (lean, steer, lean', steer') ,  lean'' and steer'' from the nonlinear equations by central differences
//
// with the spin of the rear wheel given; all else follows from the six rows. By symmetry pitch and speed depart in second order
// only.
class Bicycle {
 public:
  std::vector<std::complex<double>> find_eigenvalues(double speed) const {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A(0, 2) = A(1, 3) = 1;
    for (int j = 0; j < 4; ++j) {
      const auto difference = [&](double h) -> Eigen::Vector2d {
        Eigen::Vector4d x = Eigen::Vector4d::Zero();
        x[j] = h;
        return (accelerations(speed, x) - accelerations(speed, -x)) / (2 * h);
      };
      constexpr double kStep = 2e-3;  // h⁴ and round-off/h balance
      A.block<2, 1>(2, j) = (4 * difference(kStep) - difference(2 * kStep)) / 3;
    }
    const Eigen::Vector4cd values = A.eigenvalues();
    std::vector<std::complex<double>> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end(),
              [](auto a, auto b) { return std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag()); });
    return sorted;
  }

 private:
  static constexpr int kX = 0, kZ = 2, kLean = 4, kPitch = 5, kRear = 6, kSteer = 7;

  // lean'' and steer'' at x = (lean, steer, lean', steer').
  Eigen::Vector2d accelerations(double speed, const Eigen::Vector4d& x) const {
    State state{0, std::vector<double>(9, 0.0), std::vector<double>(9, 0.0)};
    state.q[kLean] = x[0];
    state.q[kSteer] = x[1];
    state.q[kZ] = 0.3 * std::cos(x[0]);
    Workspace workspace(model_);
    // The pitch that keeps the front wheel on the ground: one Newton step after the other on its gap.
    auto rows = compute_constraint_rows(set_, state);
    for (int i = 0; i < 6 && rows; ++i) {
      state.q[kPitch] -= *rows->gap[3] / rows->D(3, kPitch);
      rows = compute_constraint_rows(set_, state);
    }
    EXPECT_TRUE(rows);
    EXPECT_LT(std::abs(*rows->gap[0]) + std::abs(*rows->gap[3]), 1e-15);
    // The other velocities from D v = 0.
    const std::vector<int> given{kLean, kSteer, kRear}, sought{kX, 1, kZ, 3, kPitch, 8};
    Eigen::VectorXd v = Eigen::VectorXd::Zero(9);
    v[kLean] = x[2];
    v[kSteer] = x[3];
    v[kRear] = speed / 0.3;
    v(sought) = rows->D(Eigen::all, sought).fullPivLu().solve(-rows->D(Eigen::all, given) * v(given));
    state.v.assign(v.begin(), v.end());
    const auto dynamics = compute_constrained_dynamics(set_, state, workspace);
    EXPECT_TRUE(dynamics);
    const Eigen::VectorXd& a = dynamics->solution.accelerations;
    return {a[kLean], a[kSteer]};
  }

  const Model model_ = read_problem("bicycle");
  const ConstraintSet set_{model_};
};

// Meijaard, Papadopoulos, Ruina, Schwab: Linearized dynamics equations for the balance and steer of a bicycle, Proc. R. Soc. A
// 463 (2007) 1955, table 2.
TEST(PublishedProblems, EigenvaluesOfTheBenchmarkBicycle) {
  using Complex = std::complex<double>;
  const std::vector<std::pair<double, std::vector<Complex>>> table{
      {0, {-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393}},
      {4,
       {-12.15861426576447, -1.42944427361326, Complex(0.41325331521125, -3.07910818603206),
        Complex(0.41325331521125, 3.07910818603206)}},
      {5,
       {-14.07838969279822, Complex(-0.77534188219585, -4.46486771378823), Complex(-0.77534188219585, 4.46486771378823),
        -0.32286642900409}},
      {10,
       {-24.62459635017404, Complex(-3.72016840437287, -10.90681139476287), Complex(-3.72016840437287, 10.90681139476287),
        0.16105338653172}}};
  const Bicycle bicycle;
  for (const auto& [speed, expected] : table) {
    const auto found = bicycle.find_eigenvalues(speed);
    for (size_t i = 0; i < 4; ++i) EXPECT_LT(std::abs(found[i] - expected[i]), 1e-9) << speed << " m/s, " << i;
  }
}

}  // namespace
}  // namespace vinculum::published
