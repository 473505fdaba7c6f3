// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole motions with contacts: the final states of theory 1, section 12, closed forms over ten seconds, and what a run says.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/motion_platform.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult simulate(const Model& model, const State& start, double until, RunOptions options = {}) {
  options.until = until;
  if (options.tolerance == RunOptions{}.tolerance) options.tolerance = 1e-13;
  RunListener nobody;
  auto result = run_simulation(model, start, options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  if (result->failure) throw std::runtime_error(result->failure->message);
  return *result;
}

void expect_final(const std::string& text, const State& start, double until, const std::vector<double>& q,
                  const std::vector<double>& v) {
  const Model model = read_model_text(text);
  const RunResult run = simulate(model, start, until);
  // The states printed were integrated by another method without keeping the rows: 3e-11 and what they drifted.
  for (size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(run.final.q[i], q[i], 2e-10 * (1 + std::abs(q[i]))) << "q " << i;
  for (size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(run.final.v[i], v[i], 2e-10 * (1 + std::abs(v[i]))) << "v " << i;
  EXPECT_LE(run.integrals[0].drift, 1e-11);
  for (const RowResidual& row : run.residuals) {
    EXPECT_LE(row.position.value_or(0), 1e-13) << row.row;
    EXPECT_LE(row.velocity, 1e-13) << row.row;
  }
}

// Theory 1, W4a: thin disc rolling on a horizontal plane.
TEST(ContactRun, DiscOnPlane) {
  expect_final(
      R"(
vinculum: 1
bodies:
  disc: { joint: {axes: [tx, ty, tz, rz, rx, ry]}, mass: 2, inertia: [0.08, 0.16, 0.08] }
environment:
  ground: { surface: plane }
contacts:
  touch: { body: disc, with: ground, wheel: {center: [0, 0, 0], axis: [0, 1, 0], radius: 0.4}, forbid: [normal, lateral, forward] }
)",
      {0,
       {0.1, -0.2, 0.382134595650242, 0.5, 0.3, 0.2},
       {-1.54702453241802, -1.01931937437502, -0.0472832330658151, 1.3, 0.4, -5}},
      1, {-0.718526343080998, -1.77697965221125, 0.384989700915053, 1.44162724927825, 0.274819293216171, -4.67236661084184},
      {-0.0678829061884438, -1.84542868119248, -0.0480428016058209, 1.0406587615079, 0.442590077269259, -4.87940400150849});
}

// Theory 1, W4b: thin disc rolling on a curved surface.
TEST(ContactRun, DiscOnCurvedSurface) {
  expect_final(
      R"(
vinculum: 1
bodies:
  disc: { joint: {axes: [tx, ty, tz, rz, rx, ry]}, mass: 2, inertia: [0.08, 0.16, 0.08] }
environment:
  ground: { surface: '0.02*x - 0.15*x^2 + 0.1*x*y + 0.2*y^2 + 0.05*sin(1.3*x + 0.2)*cos(0.9*y - 0.3)' }
contacts:
  touch: { body: disc, with: ground, wheel: {center: [0, 0, 0], axis: [0, 1, 0], radius: 0.4}, forbid: [normal, lateral, forward] }
)",
      {0,
       {0.299211042321549, -0.200796356599801, 0.417063120297686, 0.401713160652432, 0.0968392066170373, 0.199745083954651},
       {-1.73587510315154, -0.896663352067218, 0.0611490688590578, 1.3, 0.4, -5}},
      0.5, {-0.531561809245214, -0.63853940010444, 0.469288903398567, 0.557884348821403, -0.20453714102505, -2.17473958719262},
      {-1.61339950875701, -0.721420625040643, 0.0751264759650625, -1.47994450641791, -0.65739786400431, -4.68805363527463});
}

// Theory 1, W4d: ball rolling on a turntable.
TEST(ContactRun, BallOnTurntable) {
  expect_final(R"(
vinculum: 1
bodies:
  ball: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 1.5, inertia: [0.024, 0.024, 0.024] }
environment:
  ground: { surface: plane, rotation: [{axis: z, angle: '2.5*t'}] }
contacts:
  touch: { body: ball, with: ground, sphere: {center: [0, 0, 0], radius: 0.2}, forward: [0, 1, 0], forbid: [normal, lateral, forward] }
)",
               {0, {0.3, 0.1, 0.2, 0.2, -0.1, 0.4}, {0.4, -0.3, 0, 5.31988339165278, 3.45728937683122, 0.7}}, 1,
               {0.76950785680571, -0.0382470709673795, 0.2, 7.98912746203351, 0.353979388712626, -0.0390836124026609},
               {0.498747907833909, 0.0353627548611982, 0, 10.2483026363671, 1.08541091212439, -2.32599812483411});
}

// Theory 1, W5a: Chaplygin sleigh.
TEST(ContactRun, ChaplyginSleigh) {
  expect_final(R"(
vinculum: 1
bodies:
  sleigh: { joint: {axes: [tx, ty, rz]}, mass: 3, com: [0.25, 0, 0], inertia: [0.4, 0.4, 0.4] }
environment:
  ground: { surface: plane }
contacts:
  touch: { body: sleigh, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
)",
               {0, {0.1, 0.2, 0.5}, {1.05309907426845, 0.575310646325044, 0.8}}, 2,
               {1.71533447223205, 2.06220994886745, 0.986856412435787},
               {0.689720267919543, 1.04374317755122, 0.0334764193566102});
}

// Theory 1, W5b: snakeboard.
TEST(ContactRun, Snakeboard) {
  expect_final(
      R"(
vinculum: 1
bodies:
  board: { joint: {axes: [tx, ty, rz]}, mass: 4, inertia: [0.3, 0.3, 0.3] }
  rotor: { parent: board, joint: {axes: [rz]}, mass: 1, inertia: [0.12, 0.12, 0.12] }
  front: { parent: board, joint: {axes: [rz], origin: [0.35, 0, 0]}, mass: 0.5, inertia: [0.02, 0.02, 0.02] }
  rear: { parent: board, joint: {axes: [rz], origin: [-0.35, 0, 0]}, mass: 0.5, inertia: [0.02, 0.02, 0.02] }
environment:
  ground: { surface: plane }
contacts:
  touch0: { body: front, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
  touch1: { body: rear, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
forces:
  u3: { joint: rotor.rz, law: 0.5 }
  u4: { joint: front.rz, law: 0.1 }
  u5: { joint: rear.rz, law: -0.2 }
)",
      {0, {0.1, 0.2, 0.3, 0.4, 0.5, -0.35}, {0.6, 0.246906543289622, 0.841246723732012, 1.1, 0.2, -0.3}}, 1,
      {0.563457975429837, 0.139214000121893, 0.803371378595968, 3.92120867846938, 3.53787534513604, -5.31212465486396},
      {-0.00774954514850868, -0.610439683900923, 0.66332771672755, 5.44458567367113, 5.37791900700446, -10.1220809929955});
}

// v = V tanh(k (t - t0)), w = V √(m/(I + m a²)) sech(k (t - t0)), k = m a V/(I + m a²), V² = v² + (I + m a²) w²/m.
TEST(ContactRun, SleighForTenSecondsAgainstItsClosedForm) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { sleigh: { joint: {type: planar}, mass: 3, com: [0.25, 0, 0], inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] } }
)");
  const double m = 3, a = 0.25, J = 0.4 + m * a * a, v0 = -1.1, w0 = 0.4;
  const double V = std::sqrt(v0 * v0 + J * w0 * w0 / m), k = m * a * V / J, t0 = -std::atanh(v0 / V) / k;
  const State start{0, {0, 0, 0}, {v0, 0, w0}};
  const RunResult run = simulate(model, start, 10);
  const double heading = run.final.q[2], at = k * (10 - t0);
  EXPECT_NEAR(run.final.v[0] * std::cos(heading) + run.final.v[1] * std::sin(heading), V * std::tanh(at), 1e-11);
  EXPECT_NEAR(run.final.v[2], V * std::sqrt(m / J) / std::cosh(at), 1e-11);
  // The angle is the integral of w: √(J/m)/a (atan sinh k (t - t0))
  const auto gudermann = [&](double t) { return std::sqrt(J / m) / a * std::atan(std::sinh(k * (t - t0))); };
  EXPECT_NEAR(heading, gudermann(10) - gudermann(0), 1e-11);
}

// A ball rolling on a table that turns at Om: its centre goes round a circle at 2/7 Om, whatever the start.
TEST(ContactRun, TurntableForTenSecondsAgainstItsClosedForm) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 1.5, inertia: 0.024 } }
environment: { table: { surface: plane, rotation: {axis: z, angle: "2.5*t"} } }
contacts: { touch: { body: ball, with: table, sphere: {center: [0, 0, 0], radius: 0.2}, forbid: [normal, lateral, forward] } }
)");
  const double radius = 0.2, Om = 2.5, x = 0.3, y = 0.1, vx = 0.4, vy = -0.3;
  State start = model.initial_state();
  start.q[0] = x, start.q[1] = y, start.q[2] = radius;
  start.v = {vx, vy, 0, -(vy - Om * x) / radius, (vx + Om * y) / radius, 0.7};
  const RunResult run = simulate(model, start, 10);
  const double W = 2 * Om / 7, s = std::sin(10 * W), c = std::cos(10 * W);
  EXPECT_NEAR(run.final.q[0], x + (vx * s - vy * (1 - c)) / W, 1e-11);
  EXPECT_NEAR(run.final.q[1], y + (vx * (1 - c) + vy * s) / W, 1e-11);
  EXPECT_NEAR(run.final.v[0], vx * c - vy * s, 1e-11);
  EXPECT_NEAR(run.final.v[1], vx * s + vy * c, 1e-11);
  EXPECT_LE(run.integrals[0].drift, 1e-11);
}

// Hinge on a moving base (W3a) by Baumgarte's terms and by projection: the residuals of the one are those of the tolerance.
TEST(ContactRun, BaumgarteOnRequestAndWhereAnIntegratorCannotBeCorrected) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  crank: { joint: {axes: [ry]}, mass: 1.2, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01] }
  coupler: { parent: crank, joint: {axes: [ry], origin: [0.3, 0, 0]}, mass: 2, com: [0.35, 0, 0.05], inertia: [0.002, 0.06, 0.06] }
  rocker: { joint: {axes: [ry], origin: [0.8, 0, 0]}, mass: 1.5, com: [0.2, 0, 0], inertia: [0.001, 0.03, 0.03] }
contacts:
  pin: { body: coupler, with: rocker, frame: {on_body: {point: [0.75, 0, 0]}, on_environment: {point: [0.5, 0, 0]}}, forbid: [normal, forward] }
initial: { crank.ry: -1, "crank.ry'": 2, coupler.ry: 0.67, rocker.ry: -1.43 }
)");
  Workspace workspace(model);
  const auto start = project_state(ConstraintSet(model), model.initial_state(), workspace);
  ASSERT_TRUE(start);
  const RunResult projected = simulate(model, start->state, 1);
  for (const char* integrator : {"dop853", "cvode"}) {
    RunOptions options;
    options.integrator = integrator;
    options.tolerance = 1e-11;
    if (options.integrator == "dop853") options.baumgarte = 10;
    const RunResult run = simulate(model, start->state, 1, options);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(run.final.q[i], projected.final.q[i], 1e-7) << integrator;
    double worst = 0;
    for (const RowResidual& row : run.residuals) worst = std::max({worst, *row.position, row.velocity});
    EXPECT_LE(worst, 1e-7) << integrator;
    EXPECT_GT(worst, 1e-14) << integrator;
  }
}

// A minute of the platform on a shaking base, actuators against gravity with springs and dampers.
TEST(ContactRun, PlatformForAMinuteOnAShakingBase) {
  std::string text = MotionPlatform::text({0, 0, 0, 0, 0, 0},
                                          "surface: plane, position: [\"0.05*sin(3*t)\", 0, \"0.03*sin(5*t)\"], "
                                          "rotation: {axis: x, angle: \"0.03*sin(2*t)\"}");
  for (int i = 0; i < 6; ++i) {
    const std::string before = "law: 0 }", leg = "rod" + std::to_string(i) + ".tz";
    const size_t at = text.find(before, text.find("actuator" + std::to_string(i)));
    text.replace(at, before.size(), "law: \"1100 - 20000*(" + leg + " - 0.85) - 2000*" + leg + "'\" }");
  }
  const Model model = read_model_text(text);
  State start = model.initial_state();
  start.q = MotionPlatform::place({0, 0, 1.5, 0, 0, 0});
  Workspace workspace(model);
  const auto projected = project_state(ConstraintSet(model), start, workspace);
  ASSERT_TRUE(projected);
  RunOptions options;
  options.tolerance = 1e-9;
  options.every = 1;
  const RunResult run = simulate(model, projected->state, 60, options);
  double worst = 0;
  for (const RowResidual& row : run.residuals) worst = std::max({worst, row.position.value_or(0), row.velocity});
  EXPECT_LE(worst, 1e-10);
  RecordProperty("worst_residual", std::to_string(worst));
}

// Andrews' squeezer (examples/andrews-squeezer): three loops in a plane, seven bodies, the end of 30 ms in quadruple precision.
// The rates reach 1400 rad/s, at which the rows are kept to round-off.
void expect_squeezer(const std::string& integrator) {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/andrews-squeezer/model.yaml", diagnostics);
  ASSERT_TRUE(model);
  RunOptions options;
  options.tolerance = 1e-12;
  options.integrator = integrator;
  const RunResult run = simulate(*model, model->initial_state(), 0.03, options);
  const std::vector<double> q = {15.810771195153709,   -15.756371058411842, 0.040822240119645838, 0.52440996587995403,
                                 -0.53473011634207956, 1.0480807410419379,  0.53473011634207956};
  const std::vector<double> v = {1139.9203022591062, -1424.3792951775401, 11.032911910619019, 0.57356991482952457,
                                 19.293374105032786, 0.3231791492491432,  -19.293374105032786};
  for (size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(run.final.q[i], q[i], 1e-12 * 16) << "q " << i;
  for (size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(run.final.v[i], v[i], 1e-12 * 1400) << "v " << i;
  EXPECT_LE(run.integrals[0].drift, 1e-12);
  for (const RowResidual& row : run.residuals) {
    EXPECT_LE(*row.position, 1e-14) << row.row;
    EXPECT_LE(row.velocity, 2e-14) << row.row;  // an ulp of rr 1140 rad/s = 8 m/s is 2e-15
  }
}
TEST(ContactRun, AndrewsSqueezer) { expect_squeezer("dop853"); }
TEST(ContactRun, AndrewsSqueezerByPowerSeries) { expect_squeezer("taylor"); }

// A ball on a turntable for ten seconds by power series: the table does work, which is counted, and the path is a circle.
TEST(ContactRun, TurntableByPowerSeries) {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/ball-on-turntable/model.yaml", diagnostics);
  ASSERT_TRUE(model);
  RunOptions series, steps;
  series.integrator = "taylor";
  const RunResult run = simulate(*model, model->initial_state(), 10, series),
                  other = simulate(*model, model->initial_state(), 10, steps);
  EXPECT_FALSE(run.instead);
  EXPECT_EQ(run.integrals[0].name, "E - W");
  EXPECT_LE(run.integrals[0].drift, 1e-12);
  EXPECT_LT(run.steps, other.steps / 5);
  // Two integrators at 1e-13, over 10 s at rates of 10 rad/s.
  for (size_t i = 0; i < run.final.q.size(); ++i) EXPECT_NEAR(run.final.q[i], other.final.q[i], 1e-10) << "q " << i;
}

// A run says where a contact would have to pull, and where friction would not do: a block on a table that shakes.
TEST(ContactRun, VerdictsOnPushAndGrip) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 1, inertia: 0.1 } }
environment: { table: { surface: plane, position: ["0.01*sin(10*t)", 0, "0.1*(1 - cos(20*t))"] } }
contacts: { foot: { body: block, with: table, point: [0, 0, 0], forward: x, friction: 0.6, forbid: [normal, forward] } }
initial: { "block.tx'": 0.1 }
)yaml");
  const RunResult run = simulate(model, model.initial_state(), 0.3);
  const auto verdict = [&](const std::string& subject) {
    return *std::find_if(run.verdicts.begin(), run.verdicts.end(), [&](const Verdict& v) { return v.subject == subject; });
  };
  // N = m (g + 40 cos 20 t) = 0 first at cos 20 t = -g/40; the friction needed, m sin 10 t, exceeds 0.6 N before.
  EXPECT_EQ(verdict("foot.normal").verdict, Holds::violated);
  EXPECT_NEAR(*verdict("foot.normal").first_violation, std::acos(-9.81 / 40) / 20, 1e-12);
  EXPECT_EQ(run.events[0].name(), "pull:foot");
  EXPECT_EQ(run.events[0].direction, -1);
  EXPECT_NEAR(run.events[0].t, std::acos(-9.81 / 40) / 20, 1e-12);
  EXPECT_EQ(verdict("foot.friction").verdict, Holds::violated);
  EXPECT_LT(*verdict("foot.friction").first_violation, *verdict("foot.normal").first_violation);
  EXPECT_EQ(verdict("constraints").verdict, Holds::holds);
}

double time_of(const RunResult& run, const std::string& name) {
  const auto found = std::find_if(run.events.begin(), run.events.end(), [&](const Occurrence& e) { return e.name() == name; });
  return found == run.events.end() ? -1 : found->t;
}

// A block on a table that shakes lets go where the table falls faster than g, flies, and touches down where the table meets it.
TEST(UnilateralRun, BlockOnAShakingTable) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tz]}, mass: 2, inertia: 0.1 } }
environment: { table: { surface: plane, position: [0, 0, "0.1*(1 - cos(20*t))"] } }
contacts: { foot: { body: block, with: table, point: [0, 0, 0], forbid: [normal] } }
)yaml");
  RunOptions options;
  options.follow = Follow::unilateral;
  const RunResult run = simulate(model, model.initial_state(), 0.46, options);
  const double g = 9.81, t1 = std::acos(-g / 40) / 20;
  const auto table = [](double t) { return 0.1 * (1 - std::cos(20 * t)); };
  const auto flight = [&](double t) { return table(t1) + 2 * std::sin(20 * t1) * (t - t1) - g / 2 * (t - t1) * (t - t1); };
  double low = 0.4, high = 0.46;  // by bisection
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (flight(middle) > table(middle) ? low : high) = middle;
  }
  EXPECT_NEAR(time_of(run, "lift-off:foot"), t1, 1e-12);
  EXPECT_NEAR(time_of(run, "touch-down:foot"), low, 1e-12);
  // The table falls faster than g there again: the block lets go at once, with the table's velocity.
  ASSERT_EQ(run.events.size(), 3u);
  EXPECT_EQ(run.events[2].name(), "lift-off:foot");
  const double fall = 0.46 - low;
  EXPECT_NEAR(run.final.q[0], table(low) + 2 * std::sin(20 * low) * fall - g / 2 * fall * fall, 1e-9);
  EXPECT_LE(run.integrals[0].drift, 1e-9);  // with the energy of the impact counted as work
}

// A bar falls about its left foot onto its right one. The impulses are J_A w/L on the right and m w L/2 less that on the left: it
// comes to rest, or, if its inertia J > m L²/4, lets go on the left and goes on turning with w (J - m L²/4)/(J + m L²/4).
TEST(UnilateralRun, BarThatFallsOnItsSecondFoot) {
  const auto fall = [](double J) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ bar: {{ joint: {{axes: [tx, tz, ry]}}, mass: 1, inertia: {} }} }}
contacts:
  left: {{ body: bar, with: world, point: [-0.5, 0, 0], forward: x, forbid: [normal, forward] }}
  right: {{ body: bar, with: world, point: [0.5, 0, 0], forward: x, forbid: [normal] }}
initial: {{ bar.tx: {}, bar.tz: {}, bar.ry: -0.3 }}
)yaml",
                                                    J, 0.5 * std::cos(0.3), 0.5 * std::sin(0.3)));
    RunOptions options;
    options.follow = Follow::unilateral;
    options.stop_at = "touch-down";
    const RunResult before = simulate(model, model.initial_state(), 2, options);
    options.stop_at = "";
    const RunResult after = simulate(model, model.initial_state(), before.final.t + 1e-3, options);
    return std::pair(before.final, after);
  };
  {
    const auto [before, after] = fall(0.05);
    EXPECT_GT(before.v[2], 1);
    for (double v : after.final.v) EXPECT_NEAR(v, 0, 1e-12);
    EXPECT_EQ(time_of(after, "lift-off:left"), -1);
  }
  {
    const double J = 0.5;
    const auto [before, after] = fall(J);
    EXPECT_NEAR(time_of(after, "lift-off:left"), before.t, 1e-9);
    EXPECT_NEAR(after.final.v[2], before.v[2] * (J - 0.25) / (J + 0.25), 0.02);
    EXPECT_GT(after.final.v[2], 0.3 * before.v[2]);
  }
}

}  // namespace
}  // namespace vinculum::testing
