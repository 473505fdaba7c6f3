// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/series/series.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/core.h>

#include "tests/support/random_model.h"
#include "tests/support/worked_trees.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/files/read_model.h"
#include "vinculum/kernels/instruction_set.h"
#include "vinculum/kernels/series_kernels.h"
#include "vinculum/series/series_batch.h"
#include "vinculum/series/series_laws.h"

namespace vinculum::testing {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// The value at s, small terms first.
double at(const std::vector<double>& series, double s) {
  double sum = 0;
  for (size_t n = series.size(); n-- > 0;) sum = sum * s + series[n];
  return sum;
}
double rate_at(const std::vector<double>& series, double s) {
  double sum = 0;
  for (size_t n = series.size(); n-- > 1;) sum = sum * s + static_cast<double>(n) * series[n];
  return sum;
}

MotionCoefficients series_of(const Model& model, const State& state, int order) {
  auto series = compute_motion_coefficients(model, state, order);
  EXPECT_TRUE(series) << series.failure().message;
  return std::move(*series);
}

State state_at(const MotionCoefficients& series, double t, double s) {
  State state;
  state.t = t + s;
  for (const auto& q : series.q) state.q.push_back(at(q, s));
  for (const auto& v : series.v) state.v.push_back(at(v, s));
  return state;
}

// A quarter of the radius away, where the terms left out are below 4^-28 of the largest, the series still obeys the equations of
// motion: every order is needed and every order is right. Round-off of a coefficient is that of the products behind it: with all
// kinds of joints, up to a few thousand units.
void expect_obeys_equations(const Model& model, const State& state) {
  const int order = 28;
  const MotionCoefficients series = series_of(model, state, order);
  ASSERT_TRUE(std::isfinite(series.radius));
  for (const double s : {series.radius / 4, -series.radius / 5}) {
    const State there = state_at(series, state.t, s);
    Workspace workspace(model);
    const auto dynamics = compute_forward_dynamics(model, there, workspace);
    ASSERT_TRUE(dynamics);
    std::vector<double> rates(there.q.size());
    compute_coordinate_rates(model, there.q, there.v, rates);
    const double size = largest(dynamics->accelerations);
    for (size_t i = 0; i < there.v.size(); ++i)
      EXPECT_NEAR(rate_at(series.v[i], s), dynamics->accelerations[i], 1e4 * kEpsilon * size) << model.velocity_names()[i];
    for (size_t i = 0; i < there.q.size(); ++i)
      EXPECT_NEAR(rate_at(series.q[i], s), rates[i], 1e4 * kEpsilon * largest(rates)) << model.coordinate_names()[i];
    // Reactions and poles, too.
    const auto motions = compute_body_motions(model, there, workspace);
    for (size_t i = 0; i < model.bodies().size(); ++i) {
      Vector3 force, moment, pole;
      for (int n = order; n >= 0; --n) pole = s * pole + series.poles_W[i][n];
      for (int n = order - 1; n >= 0; --n) {
        force = s * force + series.reactions_W[i][n].force;
        moment = s * moment + series.reactions_W[i][n].moment;
      }
      const Wrench& expected = dynamics->reactions_W[i];
      const double load = 1 + norm(expected.force) + norm(expected.moment);
      EXPECT_LT(norm(force - expected.force), 3e4 * kEpsilon * (load + size)) << i;
      EXPECT_LT(norm(moment - expected.moment), 3e4 * kEpsilon * (load + size)) << i;
      EXPECT_LT(norm(pole - motions[i].p_WB), 1e3 * kEpsilon * (1 + norm(pole))) << i;
    }
  }
}

class SeriesOfTrees : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Random, SeriesOfTrees, ::testing::Range(0, 12));

TEST_P(SeriesOfTrees, ObeyTheEquationsOfMotion) {
  Random random(GetParam() + 100);
  ModelDescription words = random_tree(GetParam(), 2 + GetParam() % 6);
  if (GetParam() % 2 == 0) add_joint_forces(words, random);
  const Model model = build(words);
  expect_obeys_equations(model, random_state(model, random));
}

TEST_P(SeriesOfTrees, ObeyThemUnderLoadsAndGivenMotions) {
  Random random(GetParam() + 200);
  ModelDescription words = random_tree(GetParam() + 50, 2 + GetParam() % 6);
  add_body_forces(words, random);
  add_motions(words);
  const Model model = build(words);
  State state = random_state(model, random);
  for (const DrivenCoordinate& driven : model.driven()) state.q[driven.q] = state.v[driven.v] = 0;  // 0.2 k t² at t = 0
  expect_obeys_equations(model, state);
}

// Each kind of joint alone on a moving base and carrying a body, so that a wrong product shows its kind.
class SeriesOfJoints : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, SeriesOfJoints,
                         ::testing::Values("type: fixed", "type: revolute, axis: [1, 2, 2]", "type: prismatic, axis: [1, 2, 2]",
                                           "type: screw, axis: [1, 2, 2], pitch: 0.3", "type: cylindrical", "type: universal",
                                           "type: planar", "type: spherical", "type: free"));

std::string chain_with(const std::string& joint, const std::string& base) {
  return fmt::format(R"yaml(
vinculum: 1
bodies:
  a: {{ joint: {{{1}}}, mass: 1, com: [0.1, 0.2, -0.3], inertia: [0.1, 0.15, 0.2, 0.01, 0.02, 0.03] }}
  b: {{ parent: a, joint: {{{0}, origin: [0.3, -0.2, 0.1]}}, mass: 2, com: [0.2, -0.1, 0.3], inertia: [0.3, 0.2, 0.15, 0.02, -0.01, 0.03] }}
  c: {{ parent: b, joint: {{type: revolute, axis: x, origin: [0.2, 0.3, 0.5]}}, mass: 0.5, com: [0.2, 0.3, 0.2], inertia: [0.1, 0.1, 0.1] }}
)yaml",
                     joint, base);
}

TEST_P(SeriesOfJoints, OnAMovingBase) {
  Random random(7);
  const Model model = read_model_text(chain_with(GetParam(), "type: revolute, axis: [2, -1, 2]"));
  expect_obeys_equations(model, random_state(model, random));
}
TEST_P(SeriesOfJoints, OnTheGround) {
  Random random(8);
  const Model model = read_model_text(chain_with("type: revolute, axis: [2, -1, 2]", GetParam()));
  expect_obeys_equations(model, random_state(model, random));
}

// Every function of the language in a law; the power of the damper fills the work.
TEST(Series, LawsOfAllFunctions) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  a: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b: { parent: a, joint: {type: prismatic, axis: x, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
forces:
  f1: { joint: a, law: "sin(2*t) + cos(a)*b - tan(0.3*a)/(2 + b^2) - 0.1*a'" }
  f2: { joint: b, law: "exp(-b) - log(2 + a^2) + sqrt(1 + b'^2) - (1.5 + a^2)^0.7 + (2 + b^2)^(0.1*a) - b^3" }
initial: { a: 0.3, b: 0.2, "a'": 0.7, "b'": -0.4 }
)yaml");
  State state = model.initial_state();
  state.t = 0.4;
  expect_obeys_equations(model, state);
}

TEST(Series, AbsHasNone) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { a: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 } }
forces: { drag: { joint: a, law: "-a'*abs(a')" } }
)yaml");
  const auto refusal = check_analytic(model);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, "VN-RUN-014");
  EXPECT_NE(refusal->message.find("'drag'"), std::string::npos);
  EXPECT_FALSE(compute_motion_coefficients(model, model.initial_state(), 5));
}

// Three axes, the first and the last of them in line: no motion has inertia across both, and no series is made of round-off.
TEST(MotionSeries, NoneWithoutInertia) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { top: { joint: {axes: [rz, ry, rx]}, mass: 1, com: [0.3, 0.1, 0.2], inertia: [0.1, 0.3, 0.25] } }
)");
  MotionSeries series(model, 6);
  std::vector<double> coefficients(7 * static_cast<size_t>(series.dimension()));
  for (const double angle : {0.4, 0.5 * std::numbers::pi}) {
    std::vector<double> y(static_cast<size_t>(series.dimension()));
    y[0] = 0.3, y[1] = angle, y[2] = 0.7, y[3] = 1;
    EXPECT_EQ(series.compute(0, y, 6, coefficients), angle == 0.4) << angle;
  }
}

// Every instruction set, one motion and as many side by side as its registers hold: the same bits.
TEST_P(SeriesOfTrees, HaveTheSameBitsOnEveryProcessor) {
  Random random(GetParam() + 300);
  ModelDescription words = random_tree(GetParam() + 80, 2 + GetParam() % 6);
  add_body_forces(words, random);
  const Model model = build(words);
  constexpr int kOrder = 12;
  std::vector<const SeriesKernels*> tables;
  for (auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (set <= find_instruction_set()) tables.push_back(&series_kernels_for(set));

  constexpr int kStates = 8;
  std::vector<std::vector<double>> starts, expected;
  MotionSeries first(model, kOrder, series_kernels_for(InstructionSet::baseline));
  const size_t dimension = first.dimension();
  for (int k = 0; k < kStates; ++k) {
    const State state = random_state(model, random);
    std::vector<double> y(state.q), coefficients((kOrder + 1) * dimension);
    y.insert(y.end(), state.v.begin(), state.v.end());
    y.resize(dimension);
    ASSERT_TRUE(first.compute(0.1 * k, y, kOrder, coefficients));
    EXPECT_NE(coefficients.back(), 0);
    starts.push_back(y);
    expected.push_back(coefficients);
  }
  for (const SeriesKernels* kernels : tables) {
    MotionSeries single(model, kOrder, *kernels);
    SeriesBatch batch(model, kOrder, *kernels);
    const int lanes = batch.lanes();
    ASSERT_LE(lanes, kStates);
    std::vector<double> t, y(dimension * lanes), coefficients((kOrder + 1) * dimension);
    for (int k = 0; k < lanes; ++k) {
      t.push_back(0.1 * k);
      for (size_t i = 0; i < dimension; ++i) y[i * lanes + k] = starts[k][i];
    }
    EXPECT_EQ(batch.compute(t, y), 0u);
    for (int k = 0; k < lanes; ++k) {
      ASSERT_TRUE(single.compute(t[k], starts[k], kOrder, coefficients));
      EXPECT_EQ(coefficients, expected[k]) << lanes << " lanes";
      for (size_t i = 0; i < coefficients.size(); ++i)
        ASSERT_EQ(batch.coefficients()[i * lanes + k], expected[k][i]) << lanes << " lanes, state " << k << ", number " << i;
    }
  }
}

// ---- worked problems of theory 2, section 12 -----------------------------------------------------------------------------

TEST(SeriesWorkedProblems, W2BranchedTree) {
  const WorkedTree tree = branched_tree();
  const MotionCoefficients series = series_of(tree.model, tree.state, 25);
  const double v2[] = {-3.229973375240, 5.293165286761,   -3.750784128995, -10.203296862526,
                       2.487437440618,  -13.355598668451, 6.603307132686};
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(series.v[i][1], kBranchedAccelerations[i], kPrinted);
    EXPECT_NEAR(series.v[i][2], v2[i], kPrinted);
  }
  EXPECT_NEAR(series.radius, 0.18065677, 1e-8);
}

TEST(SeriesWorkedProblems, W3Pendulum) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: { b: { joint: {type: revolute, axis: z}, mass: 1, com: [.7, 0, 0], inertia: [0, 0, 0] } }
initial: { b: 2.5 - pi/2 }
)yaml");
  const MotionCoefficients series = series_of(model, model.initial_state(), 25);
  const double even[] = {0.929203673205, -4.193579809757, -3.923602567556, 0.989889643148, 5.127099871059, 4.073102569308};
  for (int n = 0; n <= 10; ++n) EXPECT_NEAR(series.q[0][n], n % 2 == 0 ? even[n / 2] : 0, kPrinted) << n;
  EXPECT_NEAR(series.radius, 0.7173866627, 1e-10);
}

// W4 against the planar recurrences of section 8, written for absolute angles φ and complex e = exp(i φ), which share nothing
// with the recursion: A_0 φ''_n = -Im (conj(e) G)_n at φ''_n = 0.
TEST(SeriesWorkedProblems, W4TriplePendulumAgainstPlanarRecurrences) {
  using Complex = std::complex<double>;
  constexpr Complex i{0, 1};
  constexpr int K = 12;
  const double mass[] = {1, 0.8, 0.6}, com[] = {0.5, 0.45, 0.4}, J[] = {0.08, 0.06, 0.04}, joint[] = {0, 1, 0.9};
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [.9, 0, 0]}, mass: .6, com: [.4, 0, 0], inertia: .04 }
initial: { b0: -pi/2 + .6, b1: .2, b2: -.3, "b0'": .3, "b1'": -.2, "b2'": .5 }
)yaml");
  const State start = model.initial_state();

  double rate[3][K + 2] = {};  // φ'
  Complex e[3][K + 3] = {}, F[3][K + 1], G[3][K + 1], rho[3][K + 1];
  double phi = 0, turn = 0;
  for (int j = 0; j < 3; ++j) {
    e[j][0] = std::exp(i * (phi += start.q[j]));
    rate[j][0] = turn += start.v[j];
  }
  const auto sweep = [&](int n) {
    const auto second = [&](int j) { return (n + 1.0) * (n + 2.0) * e[j][n + 2]; };
    for (int j = 0; j < 3; ++j) rho[j][n] = j == 0 ? (n == 0 ? 9.81 * i : 0.0) : rho[j - 1][n] + joint[j] * second(j - 1);
    for (int j = 2; j >= 0; --j) {
      const Complex carried = j < 2 ? F[j + 1][n] : 0.0;
      F[j][n] = mass[j] * (rho[j][n] + com[j] * second(j)) + carried;
      G[j][n] = mass[j] * com[j] * rho[j][n] + (j < 2 ? joint[j + 1] * carried : 0.0);
    }
  };
  Eigen::Matrix3d A;
  const double subsystem[] = {2.4, 1.4, 0.6};
  double m_d[3];
  for (int j = 0; j < 3; ++j) {
    const double beyond = j < 2 ? subsystem[j + 1] : 0, length = j < 2 ? joint[j + 1] : 0;
    m_d[j] = mass[j] * com[j] + beyond * length;
    A(j, j) = J[j] + mass[j] * com[j] * com[j] + beyond * length * length;
    for (int k = 0; k < j; ++k) A(j, k) = A(k, j) = joint[k + 1] * m_d[j] * std::real(std::conj(e[k][0]) * e[j][0]);
  }
  for (int n = 0; n < K; ++n) {
    // e' = i e φ', first with φ'_{n+1} = 0; at n = 0 also e_1.
    for (int order = n == 0 ? 0 : n + 1; order <= n + 1; ++order) {
      for (int j = 0; j < 3; ++j) {
        Complex sum = 0;
        for (int l = 0; l <= order; ++l) sum += e[j][l] * rate[j][order - l];
        e[j][order + 1] = i * sum / (order + 1.0);
      }
    }
    sweep(n);
    Eigen::Vector3d residual;
    for (int j = 0; j < 3; ++j) {
      Complex sum = 0;
      for (int l = 0; l <= n; ++l) sum += std::conj(e[j][l]) * G[j][n - l];
      residual[j] = -std::imag(sum);
      // (J φ'' + m_0 c² Im(conj(e) e''))_n: the second is φ'' too, its part of lower orders is zero.
    }
    const Eigen::Vector3d acceleration = A.ldlt().solve(residual);
    for (int j = 0; j < 3; ++j) {
      rate[j][n + 1] = acceleration[j] / (n + 1);
      e[j][n + 2] += i * e[j][0] * acceleration[j] / ((n + 1.0) * (n + 2.0));
    }
    sweep(n);
  }

  const MotionCoefficients series = series_of(model, start, K);
  const double vdot[] = {-3.854641846930, -2.883297136923, 15.450581203558};
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(series.v[j][1], vdot[j], kPrinted);
    for (int n = 0; n <= K; ++n) {
      const double expected = rate[j][n] - (j > 0 ? rate[j - 1][n] : 0);
      const double size = std::abs(rate[j][n]) + (j > 0 ? std::abs(rate[j - 1][n]) : 0);
      EXPECT_NEAR(series.v[j][n], expected, 1e-13 * std::max(1.0, size)) << j << ", order " << n;
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
