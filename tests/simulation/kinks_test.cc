// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws with kinks: every integrator gives the closed form; the power series, branch after branch, to round-off.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_path.h"
#include "vinculum/constrained/constrained_series.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

// Unit masses on rails without gravity, p and r, with a law on each.
Model rail(const std::string& law, const std::string& initial, const std::string& more = "") {
  const auto folder = testing::scratch_path("Kinks");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "soft.csv") << "x,f\n-2,-5\n-1,-1\n1,1\n2,5\n";
  std::ofstream cubic(folder / "cubic.csv");
  cubic << "x,f\n";
  for (int i = 0; i <= 24; ++i) cubic << fmt::format("{:.17g},{:.17g}\n", i / 8., std::pow(i / 8., 3) - i / 8.);
  cubic.close();
  ReadOptions options;
  options.folder = folder.string();
  Diagnostics diagnostics;
  auto model = read_model(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ p: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: 1 }}, r: {{ joint: {{type: prismatic, axis: y}}, mass: 1, inertia: 1 }} }}
tables:
  soft: {{ file: soft.csv, x: x, y: f, outside: extend }}
  cubic: {{ file: cubic.csv, x: x, y: f, kind: spline }}
forces: {{ law: {{ joint: p, law: "{}" }}{} }}
initial: {{ {} }}
)yaml",
                                      law, more, initial),
                          diagnostics, options);
  if (!model) throw std::runtime_error(diagnostics.list()[0].message);
  return std::move(*model);
}

RunResult simulate_through_kinks(const Model& model, double until, const std::string& integrator, double tolerance = 1e-11) {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

class Kinks : public ::testing::TestWithParam<const char*> {
 protected:
  bool is_series() const { return std::string(GetParam()) == "taylor"; }
  bool is_stiff() const { return std::string(GetParam()) == "cvode" || std::string(GetParam()) == "arkode"; }
  // Errors of the steps add up, and more of them without a located kink; those of the series stay at round-off.
  double accuracy() const { return is_series() ? 1e-13 : is_stiff() ? 1e-6 : 1e-9; }
  void expect_end(const Model& model, double until, double p, double v) const {
    const RunResult result = simulate_through_kinks(model, until, GetParam(), is_series() ? 1e-15 : 1e-11);
    ASSERT_FALSE(result.failure) << result.failure->message;
    EXPECT_EQ(result.integrator, GetParam());
    EXPECT_NEAR(result.final.q[0], p, accuracy() * (1 + std::abs(p)));
    EXPECT_NEAR(result.final.v[0], v, accuracy() * (1 + std::abs(v)));
    if (is_series()) EXPECT_LE(result.integrals[0].drift, 1e-14 * (1 + v * v)) << "energy, round-off";
  }
};
INSTANTIATE_TEST_SUITE_P(All, Kinks, ::testing::Values("taylor", "dop853", "cvode", "arkode"),
                         [](const auto& info) { return info.param; });

// Free to the stop, half a sine within it, back with the same speed.
TEST_P(Kinks, AStop) {
  const double within = kHalfTurn / 10;
  expect_end(rail("-100*max(p - 1, 0)", "\"p'\": 1"), 1 + within / 2, 1.1, 0);
  expect_end(rail("-100*max(p - 1, 0)", "\"p'\": 1"), 1 + within + 0.5, 0.5, -1);
  expect_end(rail("-100*max(p - 1, 0) - 100*min(p + 1, 0)", "\"p'\": 1"), 4 * (2 + within) / 2, 0, 1);
  expect_end(rail("if(p > 1, -100*(p - 1), 0)", "\"p'\": 1"), 1 + within + 0.5, 0.5, -1);
}

// p = cos 3t as far as 0, then away along a hyperbolic sine.
TEST_P(Kinks, ForceThatNeverPulls) {
  const double end = 0.9, s = 3 * end - kHalfTurn / 2;
  expect_end(rail("-9*abs(p)", "p: 1"), end, -std::sinh(s), -3 * std::cosh(s));
}

// Inside |p| < 1 the spring has the rate 1, outside 4: a whole period, through four kinks.
TEST_P(Kinks, LinesOfATable) {
  const double outside = std::atan(2 * std::sqrt(3));  // half of the time there: centre 3/4, from p = 1 and v = √3
  const double period = 4 * kHalfTurn / 6 + 2 * outside;
  expect_end(rail("-table(soft, p)", "\"p'\": 2"), period, 0, 2);
  expect_end(rail("-table(soft, p)", "\"p'\": 2"), kHalfTurn / 6 + outside / 2, 0.75 + std::sqrt(13. / 16), 0);
}

// A spline through a cubic is the cubic: 24 points on the way, p'' = t³ - t.
TEST_P(Kinks, ASplineOfTime) {
  const double t = 2.75;
  expect_end(rail("table(cubic, t)", "p: 0"), t, std::pow(t, 5) / 20 - std::pow(t, 3) / 6, std::pow(t, 4) / 4 - t * t / 2);
}

// Blows and stairs of time, a force that changes sign with the place.
TEST_P(Kinks, Jumps) {
  expect_end(rail("if(t < 1, 0, if(t < 1.5, 2, 0))", "p: 0"), 2, 0.75, 1);
  expect_end(rail("2*(step(t - 1) - step(t - 1.5))", "p: 0"), 2, 0.75, 1);
  expect_end(rail("floor(t)", "p: 0"), 3, 2.5, 3);
  expect_end(rail("-sign(p)", "p: 0.5"), 2, -0.5, 0);
  // Many stairs within one step of the motion: v = Σ n h, p = Σ n h (1 - (n + 1/2) h) over n < 40, h = 1/40.
  expect_end(rail("floor(40*t)", "p: 0"), 1, 19.5 - (20540 + 390) / 1600., 19.5);
}

// The argument of a switch may change faster than the motion: p'' = 1 while sin 40t > 0, ten times.
TEST_P(Kinks, SwitchesFasterThanTheMotion) {
  const double half = kHalfTurn / 40;
  double p = 0, v = 0;
  for (int k = 0; k < 20; ++k) {
    const double a = k % 2 == 0 ? 1 : 0;
    p += v * half + a * half * half / 2;
    v += a * half;
  }
  expect_end(rail("if(sin(40*t) > 0, 1, 0)", "p: 0"), 20 * half, p, v);
}

// From rest on the kink the motion goes where it is pushed; one that stays on it, or two that are equal all the time, hold up
// nothing.
TEST_P(Kinks, StartsOnTheKink) {
  expect_end(rail("2 - 2*abs(p)", "p: 0"), 1, 1 - std::cos(std::sqrt(2.)), std::sqrt(2.) * std::sin(std::sqrt(2.)));
  expect_end(rail("-2 - 2*abs(p)", "p: 0"), 1, 1 - std::cosh(std::sqrt(2.)), -std::sqrt(2.) * std::sinh(std::sqrt(2.)));
  expect_end(rail("1 - abs(r)*r' - max(r, 0)", "p: 0"), 1, 0.5, 1);
  expect_end(rail("-max(p, r)", "p: 1, r: 1", ", other: { joint: r, law: \"-min(p, r)\" }"), 10, std::cos(10.), -std::sin(10.));
}

// On the branch of abs(p)^1.5 there is nothing beyond p = 0: the law itself is asked there. v²/2 + 2/5 p|p|^1.5 is constant.
TEST_P(Kinks, BranchesThatEndAtTheKink) {
  const RunResult result = simulate_through_kinks(rail("-abs(p)^1.5", "p: 1"), 3, GetParam());
  ASSERT_FALSE(result.failure) << result.failure->message;
  const double p = result.final.q[0], v = result.final.v[0];
  EXPECT_LT(p, -1);
  EXPECT_NEAR(v * v / 2 - 0.4 * std::pow(-p, 2.5), 0.4, is_stiff() ? 1e-6 : 1e-8);
}

// The drag of a pendulum changes its sign with the velocity, many times: as all the others find it.
TEST(KinksInSeries, SquareDragAsOthersFindIt) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { a: { joint: {type: revolute, axis: y}, mass: 1, com: [.5, 0, 0], inertia: .08 } }
forces: { drag: { joint: a, law: "-0.3123*a'*abs(a')" } }
initial: { a: 0.1, "a'": 3 }
)yaml");
  const RunResult series = simulate_through_kinks(model, 8, "taylor", 1e-13),
                  other = simulate_through_kinks(model, 8, "dop853", 1e-13);
  ASSERT_FALSE(series.failure);
  EXPECT_NEAR(series.final.q[0], other.final.q[0], 1e-11);
  EXPECT_NEAR(series.final.v[0], other.final.v[0], 1e-11);
  EXPECT_LT(series.steps, other.steps) << "no series was left to dop853";
}

// A body that sticks to a jump is refused by all, as ever.
TEST_P(Kinks, SlidingAlongAJumpIsRefused) {
  const RunResult result = simulate_through_kinks(rail("-sign(p')", "\"p'\": 1"), 3, GetParam());
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, "VN-RUN-110");
  EXPECT_NE(result.failure->message.find("sign(p')"), std::string::npos) << result.failure->message;
  EXPECT_NEAR(result.final.t, 1, 1e-9);
}

TEST_P(Kinks, TheEndOfATableIsTold) {
  const RunResult result = simulate_through_kinks(rail("table(cubic, t)", "p: 0"), 4, GetParam());
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, "VN-RUN-171") << result.failure->message;
  EXPECT_NEAR(result.final.t, 3, 0.2);
}

// A joint driven by a spline drags another by a spring: the integrators agree, and the work of the drive is counted.
TEST_P(Kinks, ADriveByASpline) {
  rail("0*p", "p: 0");  // writes the tables
  const auto with_drive = [&](const char* integrator) {
    const auto folder = testing::scratch_path("Kinks");
    ReadOptions options;
    options.folder = folder.string();
    Diagnostics diagnostics;
    auto driven = read_model(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 }, r: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 } }
tables: { cubic: { file: cubic.csv, x: x, y: f, kind: spline } }
motions: { r: "table(cubic, t)" }
forces: { spring: { joint: p, law: "-3*(p - r)" }, back: { joint: r, law: "3*(p - r)" } }
)yaml",
                             diagnostics, options);
    if (!driven) throw std::runtime_error(diagnostics.list()[0].message);
    return simulate_through_kinks(*driven, 2.5, integrator, 1e-12);
  };
  const RunResult result = with_drive(GetParam());
  ASSERT_FALSE(result.failure) << result.failure->message;
  // p'' + 3 p = 3 (t³ - t): p = t³ - 3t + c sin √3 t, with p'(0) = 0.
  const double t = 2.5, w = std::sqrt(3.);
  EXPECT_NEAR(result.final.q[0], t * t * t - 3 * t + 3 / w * std::sin(w * t), 100 * accuracy());
  EXPECT_NEAR(result.final.q[1], t * t * t - t, is_stiff() ? 1e-9 : 1e-12);
  EXPECT_LE(result.integrals[0].drift, is_stiff() ? 1e-5 : 1e-8);
}

// Held on branches a run can be taken up at any step, bit for bit.
TEST(KinksInSeries, RepeatTheSameBits) {
  const Model model =
      rail("-table(soft, p) - 0.3*abs(r)", "\"p'\": 2, \"r'\": 1", ", back: { joint: r, law: \"-2*r - max(p, 1)\" }");
  const RunResult whole = simulate_through_kinks(model, 7, "taylor");
  ASSERT_FALSE(whole.failure);
  const RunResult again = simulate_through_kinks(model, 7, "taylor");
  EXPECT_EQ(whole.final.q, again.final.q);
  const RunResult other = simulate_through_kinks(model, 7, "dop853");
  EXPECT_NEAR(whole.final.q[0], other.final.q[0], 1e-8);
  EXPECT_NEAR(whole.final.q[1], other.final.q[1], 1e-8);
}

// ---- the series at a state -------------------------------------------------------------------------------------------

MotionCoefficients series_at(const Model& model, const State& state, int order = 14) {
  auto series = compute_motion_coefficients(ConstraintSet(model, state), state, order);
  if (!series) throw std::runtime_error(series.failure().message);
  return *series;
}

TEST(KinksInSeries, TellTheBranchAndTheNextKink) {
  const Model model = rail("-100*max(p - 1, 0)", "\"p'\": 1");
  State state = model.initial_state();
  const MotionCoefficients before = series_at(model, state);
  ASSERT_EQ(before.branches, (std::vector<std::string>{"force 'law': max(p - 1, 0) where p - 1 < 0"}));
  ASSERT_TRUE(before.kink);
  EXPECT_NEAR(before.kink->s, 1, 1e-14);
  EXPECT_NEAR(before.radius, 1, 1e-14) << "though the series itself ends";

  // On the kink it is on the branch it enters: p = 1 + sin(10 s)/10.
  state.q[0] = 1;
  const MotionCoefficients entering = series_at(model, state, 40);
  EXPECT_EQ(entering.branches[0], "force 'law': max(p - 1, 0) where p - 1 > 0");
  EXPECT_NEAR(entering.q[0][3], -1000. / 60, 1e-12);
  ASSERT_TRUE(entering.kink);
  EXPECT_NEAR(entering.kink->s, kHalfTurn / 10, 1e-9);
  state.v[0] = -1;
  EXPECT_EQ(series_at(model, state).branches[0], "force 'law': max(p - 1, 0) where p - 1 < 0");
  EXPECT_FALSE(series_at(model, state).kink);
}

TEST(KinksInSeries, OfATable) {
  const Model model = rail("-table(soft, p)", "p: 1.5, \"p'\": -1");
  const MotionCoefficients series = series_at(model, model.initial_state());
  ASSERT_EQ(series.branches, (std::vector<std::string>{"force 'law': table(soft, p) where 1 <= p < 2"}));
  EXPECT_NEAR(series.q[0][2], -1.5, 1e-14);  // -(1 + 4·0.5)/2
  ASSERT_TRUE(series.kink);
  // p = 3/4 + 3/4 cos 2s - 1/2 sin 2s = 1
  const double s = series.kink->s;
  EXPECT_NEAR(0.75 + 0.75 * std::cos(2 * s) - 0.5 * std::sin(2 * s), 1, 1e-9);
}

TEST(KinksInSeries, AreRefusedWhereNoBranchIsEntered) {
  const Model model = rail("-sign(p')", "p: 0");
  const State state = model.initial_state();
  const auto series = compute_motion_coefficients(ConstraintSet(model, state), state, 8);
  ASSERT_FALSE(series);
  EXPECT_EQ(series.failure().code, "VN-RUN-110");
}

}  // namespace
}  // namespace vinculum
