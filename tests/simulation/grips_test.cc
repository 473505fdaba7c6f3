// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs in which velocity constraints and contacts stick and slip: the worked problems of theory 3.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

struct KeptRun : RunListener {
  std::vector<Sample> samples;
  std::vector<Checkpoint> checkpoints;
  void on_sample(const Sample& sample) override { samples.push_back(sample); }
  bool wants_checkpoint() override { return true; }
  void on_checkpoint(const Checkpoint& point) override { checkpoints.push_back(point); }
};

RunOptions frictional_options(double until, double tolerance = 1e-12) {
  RunOptions options;
  options.follow = Follow::frictional;
  options.until = until;
  options.tolerance = tolerance;
  return options;
}

RunResult run_frictional(const Model& model, const RunOptions& options) { return testing::finish_run(model, options); }
RunResult run_frictional(const Model& model, double until) { return run_frictional(model, frictional_options(until)); }

const Verdict& verdict_on(const RunResult& run, const std::string& subject) {
  return *std::find_if(run.verdicts.begin(), run.verdicts.end(), [&](const Verdict& v) { return v.subject == subject; });
}

void expect_events(const RunResult& run, const std::vector<std::pair<double, std::string>>& wanted, double allowed = 1e-9) {
  ASSERT_EQ(run.events.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(run.events[i].name(), wanted[i].second);
    EXPECT_NEAR(run.events[i].t, wanted[i].first, allowed) << wanted[i].second;
  }
}

void expect_all_near(const std::vector<double>& found, const std::vector<double>& wanted, double allowed = 1e-9) {
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], allowed * (1 + std::abs(wanted[i]))) << i;
}

Model blade_sleigh(const std::string& limit, const std::string& initial) {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ sled: {{ joint: {{axes: [tx, ty, rz]}}, mass: 1, com: [0.5, 0, 0], inertia: 0.5 }} }}
velocity_constraints:
  blade: {{ equation: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0", {} }}
initial: {{ {} }}
)",
                                     limit, initial));
}

const std::string kGoingBack = "\"sled.tx'\": -1.5, \"sled.rz'\": 0.3";

// W2b: the bound is 1.05 of the critical one, and the motion that of the ideal blade.
TEST(Grips, SleighHoldsAboveItsCriticalBound) {
  const RunResult run = run_frictional(blade_sleigh("bound: 0.93660647419287", kGoingBack), 12);
  expect_events(run, {});
  expect_all_near(run.final.q, {1.23148062308671, -13.3872106943776, 5.14413813687656});
  expect_all_near(run.final.v, {0.637035902908058, -1.38263705478971, 0.000210169959778574});
  EXPECT_EQ(verdict_on(run, "blade").verdict, Holds::holds);
  EXPECT_NEAR(*verdict_on(run, "blade").margin, 1.05, 1e-9);
}

// W2c: 0.9 of it.
TEST(Grips, SleighSlipsBelowItsCriticalBound) {
  const RunResult run = run_frictional(blade_sleigh("bound: 0.80280554930817", kGoingBack), 12);
  expect_events(run, {{1.18957097440133, "slip:blade"},
                      {2.07258925374492, "stick:blade"},
                      {3.0275346952936, "slip:blade"},
                      {4.05096594219954, "stick:blade"}});
  expect_all_near(run.final.q, {1.02512540945818, -13.1309454994865, 5.13979926766008});
  expect_all_near(run.final.v, {0.619051994354058, -1.35908924508468, 0.000243064918826217});
  const Verdict& blade = verdict_on(run, "blade");
  EXPECT_EQ(blade.verdict, Holds::violated);
  EXPECT_NEAR(*blade.first_violation, 1.18957097440133, 1e-9);
  EXPECT_EQ(verdict_on(run, "energy").verdict, Holds::holds);
  EXPECT_EQ(verdict_on(run, "constraints").verdict, Holds::holds);
}

// The same by every integrator, to what its tolerance promises.
TEST(Grips, EveryIntegratorFindsTheSameSlips) {
  for (const std::string integrator : {"dop853", "cvode", "arkode", "taylor"}) {
    RunOptions options = frictional_options(4.5, 1e-10);
    options.integrator = integrator;
    const RunResult run = run_frictional(blade_sleigh("bound: 0.80280554930817", kGoingBack), options);
    SCOPED_TRACE(integrator);
    expect_events(run,
                  {{1.18957097440133, "slip:blade"},
                   {2.07258925374492, "stick:blade"},
                   {3.0275346952936, "slip:blade"},
                   {4.05096594219954, "stick:blade"}},
                  integrator == "dop853" || integrator == "taylor" ? 1e-9 : 1e-5);
  }
}

// W3a: it starts with a slip, which dies.
TEST(Grips, SlipAtTheStartDies) {
  const RunResult run = run_frictional(blade_sleigh("bound: 1.5", "\"sled.tx'\": 1, \"sled.ty'\": 0.6, \"sled.rz'\": 0.4"), 1);
  expect_events(run, {{0.212004540616767, "stick:blade"}});
  EXPECT_EQ(verdict_on(run, "blade").first_violation, 0);
}

// A force beyond the bound at the start is a slip at the initial instant.
TEST(Grips, SlipAtTheInitialInstant) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [4, 0, -9.81]
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.3 } }
)");
  const RunResult run = run_frictional(model, 1);
  expect_events(run, {{0, "slip:foot"}});
  expect_all_near(run.final.v, {4 - 0.3 * 9.81, 0}, 1e-12);
}

// W3b, W3c, W3e: laws without sticking act in place of the row.
TEST(Grips, SmoothLawsCreep) {
  const std::string ahead = "\"sled.tx'\": 1, \"sled.rz'\": 0.5";
  const RunResult viscous = run_frictional(blade_sleigh("law: {viscous: 10}", ahead), 2);
  expect_all_near(viscous.final.q, {1.97394837025907, 0.66922508160766, 0.552833633564479});
  expect_all_near(viscous.final.v, {0.921905274862233, 0.558155243677173, 0.120080369420147});
  const RunResult stiffer = run_frictional(blade_sleigh("law: {viscous: 100}", ahead), 2);
  expect_all_near(stiffer.final.q, {1.97815600456787, 0.687307587221057, 0.541294502828916});
  const RunResult tanh = run_frictional(blade_sleigh("bound: 1, law: {tanh: 0.01}", ahead), 2);
  expect_all_near(tanh.final.q, {1.97813248963119, 0.687275885144331, 0.541313582697074});
  expect_all_near(tanh.final.v, {0.929402830329605, 0.557740243829641, 0.121509853629105});
  EXPECT_EQ(verdict_on(viscous, "energy").verdict, Holds::holds);
}

// Theorem 1 of theory 3: the error of the viscous law falls as 1/k; and that of a steep one against the frictional run that slips
// and grips again, an independent computation of it.
TEST(Grips, SteepViscousLawsConvergeWithTheFirstPower) {
  const std::string ahead = "\"sled.tx'\": 1, \"sled.rz'\": 0.5";
  const std::vector<double> ideal = {1.97871894898109, 0.689273239105014, 0.540037414296881};
  const auto largest_difference = [](const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  const auto error = [&](int k) {
    return largest_difference(run_frictional(blade_sleigh(fmt::format("law: {{viscous: {}}}", k), ahead), 2).final.q, ideal);
  };
  const double e10 = error(10), e100 = error(100), e1000 = error(1000);
  EXPECT_NEAR(e10, 2.004816e-2, 1e-8);
  EXPECT_NEAR(e1000, 1.961674e-4, 1e-10);
  EXPECT_NEAR(std::log10(e10 / e100), 1, 0.02);
  EXPECT_NEAR(std::log10(e100 / e1000), 1, 0.02);

  const std::vector<double> exact = run_frictional(blade_sleigh("bound: 0.80280554930817", kGoingBack), 6).final.q;
  const auto saturated = [&](double scale) {
    const Model model = blade_sleigh(fmt::format("bound: 0.80280554930817, law: {{saturated: {}}}", scale), kGoingBack);
    return largest_difference(run_frictional(model, frictional_options(6, 1e-11)).final.q, exact);
  };
  const double coarse = saturated(1e-3), fine = saturated(1e-4);
  EXPECT_NEAR(std::log10(coarse / fine), 1, 0.02);
}

Model differential_drive() {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  base: { joint: {axes: [tx, ty, rz]}, mass: 8, com: [0.12, 0, 0], inertia: 0.5 }
  right: { parent: base, joint: {type: revolute, axis: y}, mass: 0, inertia: [0, 0.006, 0], accept_inertia: true }
  left: { parent: base, joint: {type: revolute, axis: y}, mass: 0, inertia: [0, 0.006, 0], accept_inertia: true }
velocity_constraints:
  lateral: { equation: "base.ty'*cos(base.rz) - base.tx'*sin(base.rz) = 0", bound: 12 }
  r: { equation: "base.tx'*cos(base.rz) + base.ty'*sin(base.rz) + 0.25*base.rz' = 0.08*right'", bound: 9 }
  l: { equation: "base.tx'*cos(base.rz) + base.ty'*sin(base.rz) - 0.25*base.rz' = 0.08*left'", bound: 9 }
forces:
  mr: { joint: right, law: "0.5 + 0.6*sin(2*t)" }
  ml: { joint: left, law: "0.4 - 0.6*sin(2*t)" }
initial: { "base.tx'": 0.5, "right'": 6.25, "left'": 6.25 }
)yaml");
}

// W6b: three rows slip, stick and reverse.
TEST(Grips, DriveWithLimitedGrip) {
  const RunResult run = run_frictional(differential_drive(), 4);
  expect_events(run, {{0.323083511809537, "slip:r"},
                      {0.515536200434678, "slip:lateral"},
                      {1.86588403732193, "slip:l"},
                      {2.11962397401881, "stick:r"},
                      {2.58336817039649, "reverse:lateral"},
                      {3.04086100981851, "stick:l"},
                      {3.47268621163774, "slip:r"},
                      {3.8430304846756, "reverse:lateral"}});
  expect_all_near(run.final.q, {-1.04816595825766, 3.26972553407066, 2.0993069510861, 100.766736379242, 52.2136050501267});
  expect_all_near(run.final.v, {-0.571644669932019, 1.89806559422363, 2.4176507452934, 41.248916027216, 16.5366193973867});
}

Model gripping_car(double mu) {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
parameters: {{ mu: {} }}
bodies:
  car: {{ joint: {{axes: [tx, ty, rz]}}, mass: 1200, com: [1.2, 0, 0], inertia: 1500 }}
  trailer: {{ parent: car, joint: {{type: revolute, axis: z, origin: [-0.6, 0, 0]}}, mass: 500, com: [-2, 0, 0], inertia: 400 }}
velocity_constraints:
  front: {{ equation: "-sin(car.rz + 0.15*sin(1.3*t))*car.tx' + cos(car.rz + 0.15*sin(1.3*t))*car.ty'
           + 2.6*cos(0.15*sin(1.3*t))*car.rz' = 0", bound: "mu*5330.328671328671" }}
  rear: {{ equation: "-sin(car.rz)*car.tx' + cos(car.rz)*car.ty' = 0", bound: "mu*6887.580419580420" }}
  axle: {{ equation: "-sin(car.rz + trailer)*car.tx' + cos(car.rz + trailer)*car.ty' - 0.6*cos(trailer)*car.rz'
          - 2.2*(car.rz' + trailer') = 0", bound: "mu*4459.090909090909" }}
forces: {{ drive: {{ body: car, force: [300, 0, 0], frame: body }} }}
initial: {{ "car.tx'": 10 }}
)",
                                     mu));
}

// W7b and W7c; the heading of the trailer there is absolute.
TEST(Grips, CarWithTrailer) {
  const RunResult holds = run_frictional(gripping_car(0.8), 5);
  expect_events(holds, {});
  expect_all_near(holds.final.q, {44.8262047070089, 20.4689803702812, -0.0266763563942058});

  const RunResult slips = run_frictional(gripping_car(0.5), 5);
  expect_events(slips, {{0.489339343798313, "slip:front"},
                        {1.70556690456435, "stick:front"},
                        {2.84927203693453, "slip:front"},
                        {4.19032231460341, "stick:front"},
                        {4.24267612371875, "slip:axle"},
                        {4.31887840220879, "stick:axle"}});
  expect_all_near(slips.final.q,
                  {45.9360643053313, 19.3651967225581, 0.0168536862666048, 0.0232085080666516 - 0.0168536862666048});
  expect_all_near(slips.final.v, {10.7968826677519, 0.181984504167692, 0.134063177976135});
}

Model ball_on_turntable(const std::string& gravity, const std::string& limit, const std::string& spin) {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: {}
bodies: {{ ball: {{ joint: {{type: free}}, mass: 0.2, inertia: 0.0008 }} }}
environment: {{ table: {{ surface: plane, rotation: {{axis: z, angle: "2*t"}} }} }}
contacts:
  roll: {{ body: ball, with: table, sphere: {{center: [0, 0, 0], radius: 0.1}}, forbid: [normal, lateral, forward], {} }}
initial: {{ ball.tx: 0.5, ball.tz: 0.1, "ball.tx'": 0.3, "ball.ty'": 0.2{} }}
)",
                                     gravity, limit, spin));
}

// W4a: isotropic friction, mu m g = 0.5886 N; the slip turns to its end. Then it sticks to round-off.
TEST(Grips, BallOnTurntableGrips) {
  const Model model = ball_on_turntable("[0, 0, -9.81]", "friction: 0.3", "");
  KeptRun kept;
  const auto run = run_simulation(model, model.initial_state(), frictional_options(3), kept);
  ASSERT_TRUE(run && !run->failure);
  expect_events(*run, {{0.0891837327303798, "stick:roll"}});
  expect_all_near(run->final.q, {0.0234261462534488, 1.1761504894291});
  expect_all_near(run->final.v, {-0.457800279673773, 0.156243512144828});
  for (const Sample& sample : kept.samples) {
    const auto rows = compute_row_values(ConstraintSet(model, sample.state), sample.state);
    const double slip = std::hypot(rows->all[1].rate, rows->all[2].rate);
    EXPECT_TRUE(sample.state.t < 0.08918373 ? slip > 0 : slip < 1e-14) << sample.state.t;
    const double force = std::hypot(sample.multipliers[1], sample.multipliers[2]);
    if (sample.state.t < 0.08918373) {
      EXPECT_NEAR(force, 0.5886, 1e-12);
    } else {
      EXPECT_LT(force, 0.5886);
    }
  }
}

// W4c: it rolls first, and slips from rest in a direction that is not there yet.
TEST(Grips, BallOnTiltedTurntableBeginsToSlip) {
  const RunResult run = run_frictional(
      ball_on_turntable("[\"9.81*sin(0.1)\", 0, \"-9.81*cos(0.1)\"]", "bound: 0.2433", ", ball.wx: 8, ball.wy: 3"), 3);
  expect_events(run, {{2.4688052427774, "slip:roll"}});
  expect_all_near(run.final.q, {3.07447147882669, 2.49624901027959});
  expect_all_near(run.final.v, {1.00596565315042, 1.65514983502914});
}

// W4b: the ball of W4a with a bound for each of two fixed directions. An isotropic ball has its spins about x and y as two
// wheels.
TEST(Grips, BallOnTurntableInABox) {
  const RunResult run = run_frictional(read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  ball: { joint: {axes: [tx, ty]}, mass: 0.2, inertia: 0.0008 }
  wx: { joint: {type: revolute, axis: x}, mass: 0, inertia: 0.0008 }
  wy: { joint: {type: revolute, axis: y}, mass: 0, inertia: 0.0008 }
velocity_constraints:
  x: { equation: "ball.tx' - 0.1*wy' + 2*ball.ty = 0", bound: 0.4 }
  y: { equation: "ball.ty' + 0.1*wx' - 2*ball.tx = 0", bound: 0.4 }
initial: { ball.tx: 0.5, "ball.tx'": 0.3, "ball.ty'": 0.2 }
)"),
                                       3);
  expect_events(run, {{0.046098506765456, "stick:x"}, {0.121973637167617, "stick:y"}});
  expect_all_near({run.final.q[0], run.final.q[1]}, {0.0275379627543681, 1.1745444901955});
  expect_all_near(run.final.v, {-0.456882565826002, 0.158593121573925, -1.03517196065189, 18.9220641456501});
}

// The same with bounds that turn with the table: a box of the same half-width grips otherwise.
TEST(Grips, BoxAndDiskDiffer) {
  const RunResult box = run_frictional(ball_on_turntable("[0, 0, -9.81]", "bound: {lateral: 0.4, forward: 0.4}", ""), 1);
  EXPECT_EQ(std::count_if(box.events.begin(), box.events.end(), [](const Occurrence& e) { return e.kind == EventKind::stick; }),
            2);
}

Model mass_on_belt(const std::string& law, double start) {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ mass: {{ joint: {{type: prismatic, axis: x}}, mass: 2, inertia: 1 }} }}
velocity_constraints: {{ belt: {{ equation: "mass' = 1", bound: 3, law: {} }} }}
forces: {{ push: {{ joint: mass, law: "0.7" }} }}
initial: {{ "mass'": {} }}
)",
                                     law, 1 + start));
}

// W9d: relays that are not ideal, in their cycles.
TEST(Grips, ImperfectRelaysOnABelt) {
  const auto cycle = [&](const std::string& law) {
    const Model model = mass_on_belt(law, 0.1);
    KeptRun kept;
    RunOptions options = frictional_options(3);
    options.every = 1e-3;
    const auto run = run_simulation(model, model.initial_state(), options, kept);
    EXPECT_TRUE(run && !run->failure) << law;
    double low = 1, high = -1;
    for (const Sample& sample : kept.samples) {
      if (sample.state.t < 2) continue;
      low = std::min(low, sample.state.v[0] - 1);
      high = std::max(high, sample.state.v[0] - 1);
    }
    std::vector<double> turns;
    for (const Occurrence& event : run->events) {
      if (event.kind == EventKind::reverse && event.t > 2) turns.push_back(event.t);
    }
    return std::tuple{low, high, turns.size() > 2 ? turns[turns.size() - 1] - turns[turns.size() - 3] : 0};
  };
  const auto [delay_low, delay_high, delay_period] = cycle("{delay: 0.03}");
  EXPECT_NEAR(delay_period, 0.126909518213866, 1e-9);
  EXPECT_NEAR(delay_low, -0.0345, 2e-3);
  EXPECT_NEAR(delay_high, 0.0555, 2e-3);
  const auto [hysteresis_low, hysteresis_high, hysteresis_period] = cycle("{hysteresis: 0.02}");
  EXPECT_NEAR(hysteresis_period, 0.0564042303172738, 1e-9);
  EXPECT_NEAR(hysteresis_low, -0.02, 2e-3);
  EXPECT_NEAR(hysteresis_high, 0.02, 2e-3);
  const auto [dead_low, dead_high, dead_period] = cycle("{dead-zone: 0.05}");
  EXPECT_NEAR(dead_low, 0.05, 1e-12);
  EXPECT_NEAR(dead_high, 0.05, 1e-12);
  const auto [tanh_low, tanh_high, tanh_period] = cycle("{tanh: 0.01}");
  EXPECT_NEAR(tanh_high, 0.01 * 0.237711848357537, 1e-9);
}

// W9e: a relay that lags.
TEST(Grips, LaggedRelayOnABelt) {
  const RunResult run = run_frictional(mass_on_belt("{lag: 0.05}", 0.4), 0.6);
  const double zeros[] = {0.413026618174309, 0.465988310694794, 0.525053365126673, 0.552249966365876, 0.587862081516573};
  ASSERT_GE(run.events.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(run.events[i].t, zeros[i], 1e-9);
}

// Play of 2c: from its middle the mass is pushed freely to an end, in sqrt(2 m c/F); there the force stops it in m u/(R - F), and
// holds it. A push that turns takes it off that end, freely over 2c:  psi = -2c  where  s - sin s = 2c m/F , s since then.
TEST(Grips, BacklashActsAtTheEndsOfItsPlay) {
  const double m = 2, F = 0.7, R = 3, c = 0.01;
  const double reaches = std::sqrt(2 * m * c / F), speed = F / m * reaches, stops = reaches + m * speed / (R - F);
  const RunResult steady = run_frictional(mass_on_belt("{backlash: 0.01}", 0), 1);
  expect_events(steady, {{reaches, "engage:belt"}, {stops, "stick:belt"}});
  EXPECT_NEAR(steady.final.q[0] - 1, c + 0.5 * speed * (stops - reaches), 1e-11);  // the belt moves 1 m
  EXPECT_NEAR(steady.final.v[0], 1, 1e-14);
  EXPECT_EQ(verdict_on(steady, "energy").verdict, Holds::holds);

  const Model model = read_model_text(R"model(
vinculum: 1
gravity: [0, 0, 0]
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 1 } }
velocity_constraints: { belt: { equation: "mass' = 0", bound: 3, law: {backlash: 1 cm} } }
forces: { push: { joint: mass, law: "0.7*cos(t)" } }
)model");
  const RunResult turned = run_frictional(model, 3);
  double s = 0.7;
  for (int i = 0; i < 60; ++i) s -= (s - std::sin(s) - 2 * c * m / F) / (1 - std::cos(s));
  ASSERT_EQ(turned.events.size(), 5u);
  EXPECT_EQ(turned.events[2].name(), "slip:belt");
  EXPECT_NEAR(turned.events[2].t, M_PI / 2, 1e-9);
  EXPECT_EQ(turned.events[3].name(), "engage:belt");
  EXPECT_NEAR(turned.events[3].t, M_PI / 2 + s, 1e-9);
  EXPECT_EQ(turned.events[4].name(), "stick:belt");
}

// Sticks up to the bound, slides with less: the belt takes the mass along until the spring breaks it away, again and again.
TEST(Grips, StribeckSlidesWithLessThanItSticks) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 1 } }
velocity_constraints: { belt: { equation: "mass' = 0.1", bound: 3, law: {stribeck: {velocity: 0.001, ratio: 0.5}} } }
forces: { spring: { joint: mass, law: "-50*mass" } }
initial: { "mass'": 0.1 }
)");
  const RunResult run = run_frictional(model, 3);
  ASSERT_GE(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].name(), "slip:belt");
  EXPECT_NEAR(run.events[0].t, 3 / 50.0 / 0.1, 1e-9);
  EXPECT_EQ(run.events[1].name(), "stick:belt");
}

// Resumed anywhere, it is the same to the last bit, with all that laws remember.
TEST(Grips, ResumedAnywhereIsTheSame) {
  const std::pair<Model, double> cases[] = {{differential_drive(), 2.2},
                                            {mass_on_belt("{delay: 0.03}", 0.1), 0.3},
                                            {mass_on_belt("{lag: 0.05}", 0.4), 0.54},
                                            {mass_on_belt("{backlash: 0.01}", 0), 0.4}};
  for (const auto& [model, until] : cases) {
    const RunOptions options = frictional_options(until, 1e-10);
    KeptRun whole;
    const auto run = run_simulation(model, model.initial_state(), options, whole);
    ASSERT_TRUE(run && !run->failure);
    ASSERT_GT(whole.checkpoints.size(), 4u);
    for (size_t i = 1; i < whole.checkpoints.size(); i += 7) {
      RunListener nobody;
      const auto resumed = run_simulation(model, model.initial_state(), options, nobody, &whole.checkpoints[i]);
      ASSERT_TRUE(resumed && !resumed->failure) << i;
      EXPECT_EQ(resumed->final.q, run->final.q) << i;
      EXPECT_EQ(resumed->final.v, run->final.v) << i;
      EXPECT_EQ(resumed->events.size(), run->events.size()) << i;
      for (size_t k = 0; k < run->verdicts.size(); ++k) EXPECT_EQ(resumed->verdicts[k].why, run->verdicts[k].why);
    }
  }
}

// A rod of 1 m and 1 kg strikes the ground with its tip, its axis 0.8 rad from the vertical, at 1 m/s down and `speed` along.
// With r from the mass centre to the tip the tip answers impulses by W = (1 + r_x²/I, -r_x r_z/I; 1 + r_z²/I) (normal, tangent):
//
//   sticking          W Λ = -((1 + e) u_n, u_t)
//   sliding           Λ_t = -mu Λ_n sign u_t⁺ ,  Λ_n = -(1 + e) u_n / (W_nn - mu W_nt sign u_t⁺)
//
// which one it is the impulses decide (the planar cases of Routh; Wang and Mason 1992). In reverse sliding u_t⁺ has turned round.
TEST(Grips, RodStrikesSlidingStickingAndReversing) {
  struct Case {
    const char* what;
    double speed, mu;
  };
  for (const Case& impact : {Case{"sliding", 3, 0.2}, Case{"sticking", 1, 0.5}, Case{"reversing", 0.1, 0.3}}) {
    SCOPED_TRACE(impact.what);
    const RunResult run = run_frictional(read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ rod: {{ joint: {{axes: [tx, tz, ry]}}, mass: 1, inertia: "1/12" }} }}
contacts: {{ tip: {{ body: rod, with: world, point: [0, 0, -0.5], forbid: [normal, forward], friction: {}, restitution: 0.5 }} }}
initial: {{ "rod.tz'": -1, "rod.tx'": {}, rod.ry: 0.8, rod.tz: "0.5*cos(0.8) + 0.2" }}
)",
                                                                     impact.mu, impact.speed)),
                                         0.3);
    ASSERT_EQ(run.events.size(), 2u);  // it rebounds
    EXPECT_EQ(run.events[0].name(), "touch-down:tip");
    EXPECT_NEAR(run.events[0].t, 0.2, 1e-9);

    const double inertia = 1 / 12.0, r_x = -0.5 * std::sin(0.8), r_z = -0.5 * std::cos(0.8);
    const double nn = 1 + r_x * r_x / inertia, nt = -r_x * r_z / inertia, tt = 1 + r_z * r_z / inertia, up = 1.5;
    double push = 0, rub = 0;
    if (std::string(impact.what) == "sticking") {
      push = (tt * up + nt * impact.speed) / (nn * tt - nt * nt);
      rub = (-nn * impact.speed - nt * up) / (nn * tt - nt * nt);
      EXPECT_LT(std::abs(rub), impact.mu * push);
    } else {
      const double side = std::string(impact.what) == "sliding" ? 1 : -1;
      push = up / (nn - impact.mu * nt * side);
      rub = -impact.mu * push * side;
      EXPECT_GT(side * (impact.speed + nt * push + tt * rub), 0);
    }
    expect_all_near(run.final.v, {impact.speed + rub, -1 + push, (r_z * rub - r_x * push) / inertia}, 1e-9);
    EXPECT_EQ(verdict_on(run, "energy").verdict, Holds::holds);
  }
}

// A block thrown flat onto the ground by a plastic impact keeps what friction leaves: v_x - mu v_z. It slides to its end and
// stays: mu g and all of it.
TEST(Grips, BlockLandsSlidesAndStops) {
  const RunResult run = run_frictional(read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.2 } }
initial: { block.tz: 0.4905, "block.tx'": 2 }
)"),
                                       2);
  const double fall = std::sqrt(2 * 0.4905 / 9.81), slides = 2 - 0.2 * 9.81 * fall;
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_NEAR(run.events[0].t, fall, 1e-9);
  EXPECT_EQ(run.events[1].name(), "stick:foot");
  EXPECT_NEAR(run.events[1].t, fall + slides / (0.2 * 9.81), 1e-9);
  expect_all_near(run.final.q, {2 * fall + slides * slides / (2 * 0.2 * 9.81), 0}, 1e-9);
  EXPECT_EQ(verdict_on(run, "foot.friction").verdict, Holds::violated);
  EXPECT_NEAR(verdict_on(run, "foot.friction").first_violation.value_or(0), fall, 1e-9);
  EXPECT_EQ(verdict_on(run, "energy").verdict, Holds::holds);
}

// A table on four legs, held against a slope of 0.2 rad: 12 rows for 6 freedoms. Whatever the legs share, together they need
// friction tan 0.2; with less none of the distributions holds, with more one does, and no more can be said.
TEST(Grips, RedundantContactsHaveTheirOwnDemand) {
  const auto judge = [](double mu) {
    const Model model = read_model_text(fmt::format(R"model(
vinculum: 1
gravity: ["9.81*sin(0.2)", 0, "-9.81*cos(0.2)"]
bodies:
  table: {{ joint: {{type: free}}, mass: 20, com: [0.1, 0.05, 0.7], inertia: [2, 3, 4] }}
contacts:
  a: {{ body: table, with: world, point: [0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: {0} }}
  b: {{ body: table, with: world, point: [-0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: {0} }}
  c: {{ body: table, with: world, point: [-0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: {0} }}
  d: {{ body: table, with: world, point: [0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: {0} }}
)model",
                                                    mu));
    RunOptions options;
    options.until = 0.1;
    return verdict_on(run_frictional(model, options), "a.friction");
  };
  // Equally stiff legs: N = c0 + c1 x + c2 y, and of all tangential forces with this sum and yaw moment the smallest.
  const double slope = std::tan(0.2), tangent = slope * std::hypot(0.25 + 0.05 * 0.3 / 1.36, 0.05 * 0.5 / 1.36);
  const double demand = tangent / (0.25 + 0.5 * (0.1 + 0.7 * slope) + 0.3 * 0.05 / 0.36);
  const Verdict slips = judge(0.1), holds = judge(0.3);
  EXPECT_EQ(slips.verdict, Holds::violated);
  EXPECT_EQ(slips.first_violation, 0);
  EXPECT_EQ(holds.verdict, Holds::holds) << holds.why;
  EXPECT_NEAR(holds.margin.value_or(0), 0.3 / demand, 1e-6);
}

// A block bounces ever lower, e = 0.995: hundreds of impacts in the last hundredth of a second. Implicit steps bring it to rest;
// then events are located again: pushed by t - 50 N it slips at mu m g, exactly.
TEST(Grips, AccumulatingImpactsAreTakenByImplicitSteps) {
  const RunResult run = run_frictional(read_model_text(R"model(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.5, restitution: 0.995 } }
forces: { push: { joint: block.tx, law: "min(max(t - 50, 0), 12)" } }
initial: { block.tz: 1e-7 }
)model"),
                                       400);
  const auto find = [&](EventKind kind) {
    return std::find_if(run.events.begin(), run.events.end(), [&](const Occurrence& event) { return event.kind == kind; });
  };
  ASSERT_NE(find(EventKind::accumulation), run.events.end());
  EXPECT_EQ(find(EventKind::accumulation)->subject, "foot");
  EXPECT_LT(find(EventKind::accumulation)->t, 0.1);
  ASSERT_NE(find(EventKind::slip), run.events.end());
  EXPECT_NEAR(find(EventKind::slip)->t, 50 + 0.5 * 2 * 9.81, 1e-8);
  EXPECT_NEAR(run.final.q[1], 0, 1e-9);
  const Verdict& events = verdict_on(run, "events");
  EXPECT_EQ(events.verdict, Holds::not_checked);
  EXPECT_NE(events.why.find("Implicit steps"), std::string::npos) << events.why;
}

// A relay with hardly any width changes its side without end; on the average it is the law `sign`.
TEST(Grips, FastRelaysAreTakenOnTheAverage) {
  const RunResult run = run_frictional(mass_on_belt("{hysteresis: 1e-7}", 0), frictional_options(1, 1e-10));
  EXPECT_NEAR(run.final.v[0], 1, 1e-6);
  EXPECT_NEAR(run.final.q[0], 1, 1e-6);
  EXPECT_EQ(verdict_on(run, "events").verdict, Holds::not_checked);
}

// What a law cannot do is refused by name.
TEST(Grips, LawsThatCannotBeFollowedAreRefused) {
  RunListener nobody;
  const Model model = blade_sleigh("law: {tanh: 0.1}", kGoingBack);
  const auto run = run_simulation(model, model.initial_state(), frictional_options(1), nobody);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.failure().code, "VN-CONTACT-121");
  EXPECT_NE(run.failure().message.find("'blade'"), std::string::npos);
}

// Three rows that slip together, pushed by a force on the body that changes with time: its work is that of the motion, and no
// step is short because of it. Stopped anywhere and resumed, it ends in the same bits.
TEST(Grips, WorkOfAForceOnWhatSlipsInThreeRows) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { m: { joint: {axes: [tx, ty, tz]}, mass: 1, inertia: 1 } }
velocity_constraints: { hold: { equations: ["m.tx' = 0", "m.ty' = 0", "m.tz' = 0"], bound: 1 } }
forces: { push: { body: m, force: ["2*sin(t)", "1.5*cos(0.7*t)", "0.3*t"] } }
)yaml");
  const RunOptions options = frictional_options(5, 1e-10);
  KeptRun whole;
  const auto run = run_simulation(model, model.initial_state(), options, whole);
  ASSERT_TRUE(run && !run->failure);
  EXPECT_LT(run->integrals.front().drift, 1e-9);
  EXPECT_LT(run->steps, 200);
  EXPECT_EQ(verdict_on(*run, "hold").verdict, Holds::violated);
  ASSERT_GT(whole.checkpoints.size(), 4u);
  for (size_t i = 1; i < whole.checkpoints.size(); i += 7) {
    RunListener nobody;
    const auto resumed = run_simulation(model, model.initial_state(), options, nobody, &whole.checkpoints[i]);
    ASSERT_TRUE(resumed) << resumed.failure().message;
    EXPECT_EQ(resumed->final.q, run->final.q);
    EXPECT_EQ(resumed->final.v, run->final.v);
  }
}

// The ground lies in the plane of the motion, so that nothing feels its normal: sliding on it is refused.
TEST(Grips, NormalThatNobodyFeels) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: { rod: { joint: {axes: [tx, ty, rz]}, mass: 1, inertia: [0.0001, 1/12, 1/12], com: [0.5, 0, 0] } }
contacts: { tip: { body: rod, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 2 } }
initial: { rod.rz: atan(2), "rod.tx'": -1 }
)yaml");
  RunListener nobody;
  const auto run = run_simulation(model, model.initial_state(), frictional_options(0.1), nobody);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.failure().code, "VN-CONTACT-120");
}

// In a plane nobody feels the lateral row of a contact: what lands, slides, sticks, is pushed and slides again does so as without
// it, and the friction it needs is known. Sticking began and ended with VN-CONTACT-120 and VN-RUN-011.
TEST(Grips, ALateralRowThatNoJointFeelsChangesNothing) {
  for (const char* shape : {"point: [0, 0, 0]", "sphere: {center: [0, 0, 0.2], radius: 0.2}"}) {
    for (const double angle : {0.0, 0.2, -0.3}) {
      for (const double push : {8.0, 0.5}) {
        SCOPED_TRACE(fmt::format("{}, {} rad, {} N/s", shape, angle, push));
        const auto run = [&](const char* forbid) {
          return run_frictional(read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: 1.3, inertia: 0.1 }} }}
environment: {{ ground: {{ surface: plane, rotation: {{axis: y, angle: {}}} }} }}
contacts: {{ foot: {{ body: block, with: ground, {}, forbid: [{}], friction: 0.5 }} }}
forces: {{ push: {{ body: block, force: ["{}*max(0, t - 1)", 0, 0] }} }}
initial: {{ block.tz: 0.3, "block.tx'": 0.8 }}
)yaml",
                                                            angle, shape, forbid, push)),
                                2);
        };
        const RunResult own = run("normal, forward"), other = run("normal, lateral, forward");
        ASSERT_EQ(other.events.size(), own.events.size());
        for (size_t i = 0; i < own.events.size(); ++i) {
          EXPECT_EQ(other.events[i].name(), own.events[i].name());
          EXPECT_NEAR(other.events[i].t, own.events[i].t, 1e-9);
        }
        expect_all_near(other.final.q, own.final.q);
        expect_all_near(other.final.v, own.final.v);
        const Verdict &wanted = verdict_on(own, "foot.friction"), &found = verdict_on(other, "foot.friction");
        EXPECT_EQ(found.verdict, wanted.verdict) << found.why;
        EXPECT_EQ(found.why, wanted.why);
      }
    }
  }
}

// At rest, and pushed by less than friction holds: the margin is  friction m g / push .
TEST(Grips, FrictionInAPlaneHasItsMarginWithALateralRow) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, lateral, forward], friction: 0.3 } }
forces: { push: { body: block, force: ["4*t", 0, 0] } }
)yaml");
  RunOptions options = frictional_options(1);
  for (const Follow follow : {Follow::bilateral, Follow::frictional}) {
    options.follow = follow;
    const RunResult result = run_frictional(model, options);
    EXPECT_TRUE(result.events.empty());
    const Verdict& verdict = verdict_on(result, "foot.friction");
    EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.why;
    EXPECT_NEAR(verdict.margin.value_or(0), 0.3 * 2 * 9.81 / 4, 1e-8);
  }
}

}  // namespace
}  // namespace vinculum::testing
