// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Loops that come through positions where their rows lose rank, and loops whose rows are redundant everywhere.
#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/random_tree.h"
#include "vinculum/constrained/singular_position.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"
#include "vinculum/geometry/tree_motion.h"
#include "vinculum/simulation/run.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum::testing {
namespace {

constexpr double kFall = 9.81;  // [m/s²]

// IFToMM's A02: N parallelograms of uniform bars of 1 kg and 1 m in a row, upright, turned with 1 rad/s. `pin`: axes each pin
// forbids.
std::string write_four_bars(int count, const std::string& pin = "normal, forward") {
  std::string text = "vinculum: 1\nbodies:\n", start = "initial:\n";
  for (int i = 0; i <= count; ++i) {
    text += fmt::format(
        "  b{0}: {{ joint: {{type: revolute, axis: y, origin: [{0}, 0, 0]}}, mass: 1, com: [0, 0, 0.5], inertia: 1/12 }}\n", i);
    start += fmt::format("  b{}': 1\n", i);
  }
  for (int i = 1; i <= count; ++i) {
    text += fmt::format(
        "  c{}: {{ parent: b{}, joint: {{type: revolute, axis: y, origin: [0, 0, 1]}}, mass: 1, com: [0.5, 0, 0], inertia: 1/12 "
        "}}\n",
        i, i - 1);
    start += fmt::format("  c{}': -1\n", i);
  }
  text += "contacts:\n";
  for (int i = 1; i <= count; ++i)
    text += fmt::format(
        "  pin{0}: {{ body: c{0}, with: b{0}, frame: {{on_body: {{point: [1, 0, 0]}}, on_environment: {{point: [0, 0, 1]}}}}, "
        "forbid: [{1}] }}\n",
        i, pin);
  return text + start;
}

// On its smooth branch the row of parallelograms is one pendulum: (N+1)/3 + N = I, ((N+1)/2 + N) g = m g c.
Model equivalent_pendulum(int count) {
  const double inertia = (count + 1) / 3.0 + count, moment = (count + 1) / 2.0 + count, mass = 2 * moment * moment / inertia;
  return read_model_text(
      fmt::format("vinculum: 1\nbodies:\n  b: {{ joint: {{type: revolute, axis: y}}, mass: {0:.17g}, "
                  "com: [0, 0, {1:.17g}], inertia: {2:.17g} }}\ninitial: {{ b': 1 }}\n",
                  mass, moment / mass, inertia - moment * moment / mass));
}

RunResult run_to(const Model& model, double until, const std::string& integrator = "dop853", double tolerance = 1e-10) {
  RunOptions options;
  options.until = until;
  options.integrator = integrator;
  options.tolerance = tolerance;
  return testing::finish_run(model, options);
}

const Verdict& verdict_of(const RunResult& run, const std::string& subject) {
  for (const Verdict& verdict : run.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict " + subject);
}

// Ten times in ten seconds all bars are in line. The motion goes on as the pendulum does.
class FourBars : public ::testing::TestWithParam<std::tuple<int, std::string>> {};
TEST_P(FourBars, GoOverSingularPositionsOnTheSmoothBranch) {
  const auto [count, integrator] = GetParam();
  const RunResult run = run_to(read_model_text(write_four_bars(count)), 10, integrator);
  const RunResult pendulum = run_to(equivalent_pendulum(count), 10, "dop853", 1e-13);
  constexpr double allowed = 1e-6;
  EXPECT_NEAR(run.final.q[0], pendulum.final.q[0], allowed);
  for (int i = 1; i <= count; ++i) {
    EXPECT_NEAR(run.final.q[i], run.final.q[0], allowed);
    EXPECT_NEAR(run.final.q[count + i], -run.final.q[0], allowed);
  }
  // Exchange: all fall from the top to the bottom.
  const double exchange = 2 * ((count + 1) / 2.0 + count) * kFall;
  EXPECT_LE(run.integrals[0].drift, 1e-6 * exchange);

  const Verdict& position = verdict_of(run, "position");
  EXPECT_EQ(position.verdict, Holds::not_unique);
  int told = 0;
  for (const Occurrence& event : run.events) told += event.name() == "singular";
  EXPECT_EQ(told, 10);
  // dt = dφ/ω(φ), ω² = 1 + 2 (m g c / I)(1 - cos φ), by Simpson's rule.
  const double inertia = (count + 1) / 3.0 + count, moment = (count + 1) / 2.0 + count;
  const auto slowness = [&](double angle) { return 1 / std::sqrt(1 + 2 * moment * kFall / inertia * (1 - std::cos(angle))); };
  double first = 0;
  constexpr int kIntervals = 2000;
  const double width = std::numbers::pi / 2 / kIntervals;
  for (int k = 0; k < kIntervals; ++k)
    first += width / 6 * (slowness(k * width) + 4 * slowness((k + 0.5) * width) + slowness((k + 1) * width));
  ASSERT_TRUE(position.first_violation);
  EXPECT_NEAR(*position.first_violation, first, 1e-6);
}
INSTANTIATE_TEST_SUITE_P(SingularPositions, FourBars,
                         ::testing::Values(std::tuple{1, "dop853"}, std::tuple{1, "taylor"}, std::tuple{2, "dop853"},
                                           std::tuple{10, "dop853"}, std::tuple{40, "dop853"}));

// The distance from which a step goes across has to suit the error of the method and round-off, which grows as it shrinks: at
// tight tolerances the steps before it must not pass that distance by.
TEST(SingularPositions, ArePassedAtTightTolerances) {
  for (const int count : {1, 2, 10}) {
    const Model model = read_model_text(write_four_bars(count));
    const RunResult pendulum = run_to(equivalent_pendulum(count), 10, "dop853", 1e-13);
    for (const char* integrator : {"dop853", "taylor"}) {
      for (const double tolerance : {1e-11, 3e-12, 1e-12, 3e-13}) {
        const RunResult run = run_to(model, 10, integrator, tolerance);
        EXPECT_NEAR(run.final.q[0], pendulum.final.q[0], 1e-7) << count << " " << integrator << " " << tolerance;
        EXPECT_EQ(verdict_of(run, "position").verdict, Holds::not_unique);
      }
    }
  }
}

// A row that nothing feels at the start, and everything beside it, is not redundant: the position is singular.
TEST(SingularPositions, ARowThatVanishesInOnePosition) {
  for (const double x : {0.0, 0.5}) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ p: {{ joint: {{axes: [tx, ty]}}, mass: 1, inertia: [0, 0, 0] }} }}
velocity_constraints: {{ w: "p.tx*p.tx' + p.ty*p.ty' = 0" }}
initial: {{ p.tx: {} }}
)",
                                                    x));
    Workspace workspace(model);
    const auto failure = check_regular_position(ConstraintSet(model), model.initial_state(), workspace);
    EXPECT_EQ(failure.has_value(), x == 0);
  }
}

// What keeps rows by Baumgarte's terms gets through as well, or says that it does not.
TEST(SingularPositions, ArePassedOrRefusedByIntegratorsThatAreNotProjected) {
  const Model model = read_model_text(write_four_bars(1));
  const RunResult pendulum = run_to(equivalent_pendulum(1), 1, "dop853", 1e-13);
  RunListener nobody;
  for (const char* integrator : {"cvode", "arkode"}) {
    RunOptions options;
    options.until = 1;
    options.integrator = integrator;
    const auto run = run_simulation(model, model.initial_state(), options, nobody);
    ASSERT_TRUE(run) << integrator;
    if (run->failure) {
      EXPECT_EQ(run->failure->code, "VN-CONTACT-101");
      EXPECT_NEAR(run->final.t, 0.70845, 1e-3);
    } else {
      EXPECT_NEAR(run->final.q[0], pendulum.final.q[0], 1e-5) << integrator;
      EXPECT_NEAR(run->final.q[1], pendulum.final.q[0], 1e-5) << integrator;
      EXPECT_EQ(verdict_of(*run, "position").verdict, Holds::not_unique);
    }
  }
}

// At the position itself the rows lose rank, there and nowhere near; rows about the axis of a plane loop are redundant
// everywhere.
TEST(SingularPositions, AreToldApartFromRedundantRows) {
  const Model model = read_model_text(write_four_bars(2, "normal, lateral, forward"));
  const ConstraintSet set(model);
  Workspace workspace(model);
  State state = model.initial_state();
  EXPECT_FALSE(check_regular_position(set, state, workspace));
  for (int i = 0; i <= 2; ++i) state.q[i] = std::numbers::pi / 2;
  for (int i = 3; i < 5; ++i) state.q[i] = -std::numbers::pi / 2;
  const auto refusal = check_regular_position(set, state, workspace);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, "VN-CONTACT-100");
  EXPECT_EQ(refusal->message.find("lateral"), std::string::npos) << refusal->message;
  RunListener nobody;
  RunOptions options;
  options.until = 1;
  EXPECT_FALSE(run_simulation(model, state, options, nobody));
}

// A four-bar whose pin also forbids what no joint can move, turned about the vertical: that row is round-off, and must not be
// taken for one that holds the loop.
class TurnedLoops : public ::testing::TestWithParam<std::tuple<double, std::string>> {};
TEST_P(TurnedLoops, MoveAsTheyDoUnturned) {
  const auto [degrees, integrator] = GetParam();
  const auto model_with = [](double angle, const char* forbid) {
    return read_model_text(fmt::format(R"(
vinculum: 1
bodies:
  base: {{ joint: {{type: fixed, rotation: {{axis: z, angle: {} deg}}}}, mass: 1, inertia: 0.1 }}
  crank: {{ parent: base, joint: {{type: revolute, axis: y}}, mass: 1, com: [0, 0, 0.25], inertia: 0.1 }}
  coupler: {{ parent: crank, joint: {{type: revolute, axis: y, origin: [0, 0, 0.5]}}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }}
  rocker: {{ parent: base, joint: {{type: revolute, axis: y, origin: [1, 0, 0]}}, mass: 1, com: [0, 0, 0.4], inertia: 0.1 }}
contacts:
  pin: {{ body: coupler, with: rocker, frame: {{on_body: {{point: [1, 0, 0]}}, on_environment: {{point: [0, 0, 0.5]}}}}, forbid: [{}] }}
initial: {{ crank: 0.3, coupler: -0.3, rocker: 0.3, crank': 2, coupler': -2, rocker': 2 }}
)",
                                       angle, forbid));
  };
  const RunResult plain = run_to(model_with(0, "normal, forward"), 0.3);
  const RunResult turned = run_to(model_with(degrees, "normal, lateral, forward"), 0.3, integrator);
  EXPECT_GT(std::abs(plain.final.q[0] - 0.3), 0.5);  // it moves
  const double allowed = integrator == "dop853" || integrator == "taylor" ? 1e-9 : 1e-6;
  for (size_t i = 0; i < plain.final.q.size(); ++i) EXPECT_NEAR(turned.final.q[i], plain.final.q[i], allowed);
}
INSTANTIATE_TEST_SUITE_P(SingularPositions, TurnedLoops,
                         ::testing::Combine(::testing::Values(0, 17, 45),
                                            ::testing::Values("dop853", "taylor", "cvode", "arkode")));

// The acceleration a run starts with is that of `evaluate`.
void expect_same_start(const Model& model, const State& state, const std::string& name) {
  MotionSystem system(model);
  Workspace workspace(model);
  const auto dense = compute_constrained_dynamics(ConstraintSet(model), state, workspace);
  if (!dense || check_regular_position(ConstraintSet(model), state, workspace)) return;
  ASSERT_FALSE(system.choose_rows(state)) << name;
  std::vector<double> slope(system.dimension());
  ASSERT_TRUE(system.compute_derivative(state.t, system.pack(state, 0), slope)) << name;
  const size_t first = model.tree().coordinates;
  double size = 1;
  for (double a : dense->dynamics.accelerations) size = std::max(size, std::abs(a));
  for (size_t i = 0; i < dense->dynamics.accelerations.size(); ++i)
    EXPECT_NEAR(slope[first + i], dense->dynamics.accelerations[i], 1e-9 * size) << name << " " << model.velocity_names()[i];
  if (!system.has_series()) return;
  std::vector<double> series(2 * static_cast<size_t>(system.dimension()));
  ASSERT_TRUE(system.compute_series(state.t, system.pack(state, 0), 1, series)) << name;
  for (size_t i = 0; i < dense->dynamics.accelerations.size(); ++i)
    EXPECT_NEAR(series[system.dimension() + first + i], dense->dynamics.accelerations[i], 1e-9 * size) << name << " series";
}

TEST(FirstAcceleration, OfEveryExampleIsThatOfEvaluate) {
  int compared = 0;
  for (const auto& folder : std::filesystem::directory_iterator(VINCULUM_SOURCE_DIR "/examples")) {
    Diagnostics diagnostics;
    const auto path = folder.path() / "model.yaml";
    if (!std::filesystem::exists(path)) continue;
    const auto model = read_model_file(path.string(), diagnostics);
    ASSERT_TRUE(model) << path;
    expect_same_start(*model, model->initial_state(), path.string());
    ++compared;
  }
  EXPECT_GE(compared, 15);
}

// Random chains of turning joints, closed at random places by pins that forbid one to six axes: many are redundant.
TEST(FirstAcceleration, OfRandomLoopsIsThatOfEvaluate) {
  Random random(7);
  const auto number = [&] { return random.symmetric(); };
  for (int trial = 0; trial < 200; ++trial) {
    const bool plane = trial % 2 == 0;
    const int count = 3 + trial % 6;
    std::string text = "vinculum: 1\nbodies:\n", start = "initial:\n";
    for (int i = 0; i < count; ++i) {
      const std::string axis = plane ? "[0.6, 0.8, 0]" : fmt::format("[{}, {}, {}]", number(), number(), 1.5 + number());
      text += fmt::format(
          "  b{}: {{ parent: {}, joint: {{type: revolute, axis: {}, origin: [{}, {}, {}]}}, mass: {}, com: [{}, 0.1, {}], "
          "inertia: 0.2 }}\n",
          i, i == 0 || i == count / 2 ? "world" : fmt::format("b{}", i - 1), axis, number(), number(), number(), 1.5 + number(),
          number(), number());
      start += fmt::format("  b{0}: {1}\n  b{0}': {2}\n", i, number(), number());
    }
    const Model open = read_model_text(text + start);
    const auto links = compute_tree_motion(open, open.initial_state());
    const auto place = [&](int body) { return body_motion(open.bodies()[body], links); };
    const FrameMotion on = place(count - 1), against = place(count / 2 - 1);
    // The same point and orientation, seen from both sides.
    const Vector3 p = transpose_times(against.R, on.p - against.p);
    const Matrix3 R = transpose(against.R) * on.R;
    const Quaternion q = to_quaternion(R);
    constexpr const char* kAxes[] = {"normal", "lateral", "forward", "yaw", "pitch", "roll"};
    std::string forbid;
    for (int k = 0; k < 6; ++k) {
      if (k < 3 || random.unit() < 0.3) forbid += (forbid.empty() ? "" : ", ") + std::string(kAxes[k]);
    }
    text += fmt::format(
        "contacts:\n  pin: {{ body: b{}, with: b{}, frame: {{on_body: {{point: [0, 0, 0]}}, on_environment: {{point: [{:.17g}, "
        "{:.17g}, {:.17g}], "
        "rotation: [{:.17g}, {:.17g}, {:.17g}, {:.17g}]}}}}, forbid: [{}] }}\n",
        count - 1, count / 2 - 1, p.x, p.y, p.z, q.w, q.x, q.y, q.z, forbid);
    const Model closed = read_model_text(text + start);
    Workspace workspace(closed);
    const auto projected = project_state(ConstraintSet(closed), closed.initial_state(), workspace);
    ASSERT_TRUE(projected) << text;
    expect_same_start(closed, projected->state, fmt::format("trial {}", trial));
  }
}

// Three feet in a row: one is redundant, as long as the jack below it does not rise: by 3e-14 m at 0.3 s, then ever faster.
TEST(RedundantRows, ThatBeginToContradictAreTold) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  table: { joint: { axes: [tx, tz, ry] }, mass: 2, inertia: [0.1, 0.2, 0.1] }
environment:
  ground: { surface: plane }
  jack: { surface: plane, position: [0, 0, "1e-24*exp(80*t)"] }
contacts:
  left: { body: table, with: ground, point: [-0.5, 0, -0.5], forbid: [normal] }
  middle: { body: table, with: jack, point: [0, 0, -0.5], forbid: [normal] }
  right: { body: table, with: ground, point: [0.5, 0, -0.5], forbid: [normal] }
forces: { push: { body: table, point: [0, 0, 0], force: [3, 0, 0], frame: world } }
initial: { table.tz: 0.5 }
)yaml");
  RunOptions options;
  options.until = 0.3;
  RunListener nobody;
  const auto before = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(before);
  ASSERT_FALSE(before->failure);
  EXPECT_NEAR(before->final.q[0], 0.5 * 1.5 * 0.09, 1e-10);  // 3 N on 2 kg
  options.until = 1;
  const auto beyond = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(beyond && beyond->failure);
  EXPECT_EQ(beyond->failure->code, "VN-CONTACT-010");
}

}  // namespace
}  // namespace vinculum::testing
