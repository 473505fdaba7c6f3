// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs with strings: the transient and the slack instant of theory 4, W10; free flight, snapping taut, several strings at once.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "tests/support/expect.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/decision/impact.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult run_strings(const Model& model, const State& start, double until, RunOptions options = {}) {
  options.until = until;
  RunListener nobody;
  auto result = run_simulation(model, start, options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  if (result->failure) throw std::runtime_error(result->failure->message);
  return *result;
}

const Verdict& find_verdict(const RunResult& run, const std::string& subject) {
  const auto found =
      std::find_if(run.verdicts.begin(), run.verdicts.end(), [&](const Verdict& v) { return v.subject == subject; });
  if (found == run.verdicts.end()) throw std::runtime_error("no verdict " + subject);
  return *found;
}

// Angles from the downward vertical, positive towards y: u = sin al y - cos al z, and so the axis from P to the mass centre. A
// body's pole is P, its axis -z.
Vector3 along(double angle) { return {0, std::sin(angle), -std::cos(angle)}; }

void set_body(const Model& model, State& state, const std::string& name, const Vector3& P, const Vector3& velocity, double tilt,
              double tilt_rate, double spin) {
  const Body& body = model.bodies()[*model.find_body(name)];
  const std::array<double, 7> q{P.x, P.y, P.z, std::cos(tilt / 2), std::sin(tilt / 2), 0, 0};
  const std::array<double, 6> v{velocity.x, velocity.y, velocity.z, tilt_rate, 0, -spin};
  std::copy(q.begin(), q.end(), state.q.begin() + body.q);
  std::copy(v.begin(), v.end(), state.v.begin() + body.v);
}

Vector3 mass_centre(const Model& model, const State& state, const std::string& name) {
  Workspace workspace(model);
  const int body = *model.find_body(name);
  const BodyMotion motion = compute_body_motions(model, state, workspace)[body];
  return motion.p_WB + motion.R_WB * model.bodies()[body].p_BoBcm_B;
}

// Theory 4, T4 on a suspension that moves by r_0 = (.05 sin 3t, 0, .02 cos 5t).
constexpr const char* kTree = R"yaml(
vinculum: 1
bodies:
  b1: { joint: {type: free}, mass: 2,   com: [0, 0, -0.3],  inertia: [0.05, 0.05, 0.03] }
  b2: { joint: {type: free}, mass: 1.5, com: [0, 0, -0.25], inertia: [0.04, 0.04, 0.06] }
  b3: { joint: {type: free}, mass: 1,   com: [0, 0, -0.2],  inertia: [0.02, 0.02, 0.03] }
  b4: { joint: {type: free}, mass: 0.8, com: [0, 0, -0.2],  inertia: [0.015, 0.015, 0.02] }
environment:
  hook: { position: ["0.05*sin(3*t)", 0, "0.02*cos(5*t)"]
}
strings:
  s1: { from: hook, to: b1, length: 0.8 }
  s2: { from: b1, at: [0, 0, -0.6], to: b2, length: 0.6 }
  s3: { from: b1, at: [0, 0, -0.6], to: b3, length: 0.5 }
  s4: { from: b2, at: [0, 0, -0.5], to: b4, length: 0.4 }
)yaml";

// W10, first part: released at rest relative to the moving suspension.
TEST(StringRun, TransientOfABranchedTree) {
  const Model model = read_model_text(kTree);
  const double al[] = {.2, -.1, .3, .1}, th[] = {.1, .2, -.3, .4}, a[] = {.6, 1.2, .6, .4}, C[] = {.03, .06, .03, .02};
  const Vector3 P1 = Vector3{0, 0, .02} + .8 * along(al[0]), Q1 = P1 + .6 * along(th[0]), P2 = Q1 + .6 * along(al[1]),
                P3 = Q1 + .5 * along(al[2]), P4 = P2 + .5 * along(th[1]) + .4 * along(al[3]), r0_rate{.15, 0, 0};
  State start = model.initial_state();
  const Vector3 P[] = {P1, P2, P3, P4};
  for (int i = 0; i < 4; ++i) set_body(model, start, fmt::format("b{}", i + 1), P[i], r0_rate, th[i], 0, a[i] / C[i]);

  const double tension[] = {60.22936879826, 31.85019093441, 8.419973070421, 11.94563106489};
  const Vector3 centre[] = {{-0.1116087846013, -0.08231633939519, -1.109007086811},
                            {-0.1164156744576, -0.1699336162604, -2.245493066563},
                            {-0.1730629542091, -0.08304838783905, -2.099326444098},
                            {-0.1427780258465, -0.2657728202734, -3.06881655756}};
  for (const std::string integrator : {"dop853", "taylor"}) {
    RunOptions options;
    options.integrator = integrator;
    options.tolerance = 1e-13;
    const RunResult run = run_strings(model, start, 2, options);
    EXPECT_EQ(run.integrator, integrator);
    // The reference was integrated to 2e-12 (theory 4, section 12), and prints 13 digits.
    Workspace workspace(model);
    const ConstraintSet set(model, run.final);
    const auto dynamics = compute_constrained_dynamics(set, run.final, workspace);
    ASSERT_TRUE(dynamics);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR_VECTOR(mass_centre(model, run.final, fmt::format("b{}", i + 1)), centre[i], 2e-11);
      EXPECT_NEAR(dynamics->solution.multipliers[i], tension[i], 1e-9) << integrator;
      const Verdict& taut = find_verdict(run, fmt::format("s{}.taut", i + 1));
      EXPECT_EQ(taut.verdict, Holds::holds) << taut.why;
      EXPECT_GT(*taut.margin, 1);
    }
    EXPECT_EQ(find_verdict(run, "energy").verdict, Holds::holds);
    EXPECT_TRUE(run.events.empty());
  }
}

constexpr const char* kTop = R"(
vinculum: 1
bodies:
  b1: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
strings:
  s1: { from: world, to: b1, length: 1 }
)";

// T1 with al = th = 1.9, al' = th' = 3, a = .45.
State swung_top(const Model& model) {
  State start = model.initial_state();
  set_body(model, start, "b1", along(1.9), 3 * Vector3{0, std::cos(1.9), std::sin(1.9)}, 1.9, 3, .45 / .03);
  return start;
}

// W10, second part.
TEST(StringRun, SlackInstant) {
  const Model model = read_model_text(kTop);
  for (const std::string integrator : {"dop853", "taylor", "cvode", "arkode"}) {
    RunOptions options;
    options.integrator = integrator;
    options.tolerance = 1e-13;
    options.stop_at = "slack:s1";
    const bool by_projection = integrator == "dop853" || integrator == "taylor";
    const double allowed = by_projection ? 1e-11 : 1e-6;
    const RunResult run = run_strings(model, swung_top(model), 1, options);
    ASSERT_EQ(run.end, RunResult::End::stopped_at_event) << integrator;
    EXPECT_NEAR(run.final.t, 0.2234151433074, allowed) << integrator;
    EXPECT_NEAR_VECTOR(mass_centre(model, run.final, "b1"), (Vector3{0.001802415563714, 0.8413254194155, 0.9455349562382}),
                       allowed);
    if (by_projection) EXPECT_EQ(run.integrals.front().name, "E");
    const Verdict& taut = find_verdict(run, "s1.taut");
    EXPECT_EQ(taut.verdict, Holds::violated);
    EXPECT_NEAR(*taut.first_violation, 0.2234151433074, allowed);
  }
}

// After the slack instant the mass centre flies on a parabola and the angular momentum about it stays; snapping taut, the string
// takes energy away and leaves the angular momentum about the vertical through its end as it was.
TEST(StringRun, FliesAndSnapsTaut) {
  const Model model = read_model_text(kTop);
  Workspace workspace(model);
  RunOptions options;
  options.tolerance = 1e-12;
  options.stop_at = "slack";
  const State left = run_strings(model, swung_top(model), 3, options).final;
  options.stop_at = "taut";
  const RunResult flight = run_strings(model, swung_top(model), 3, options);
  ASSERT_EQ(flight.end, RunResult::End::stopped_at_event);
  EXPECT_EQ(flight.events[0].name(), "slack:s1");
  EXPECT_EQ(flight.events[1].name(), "taut:s1");

  const double flown = flight.final.t - left.t;
  const Momentum before = compute_momentum(model, left, workspace), after = compute_momentum(model, flight.final, workspace);
  const Vector3 fall{0, 0, -9.81};
  EXPECT_NEAR_VECTOR(mass_centre(model, flight.final, "b1"),
                     mass_centre(model, left, "b1") + (flown / 2) * before.linear + (flown * flown / 2) * fall, 1e-9);
  EXPECT_NEAR_VECTOR(after.central, before.central, 1e-10);

  options.stop_at = "";
  const RunResult run = run_strings(model, swung_top(model), 3, options);
  const double start_energy = compute_energy(model, swung_top(model), workspace).total();
  EXPECT_LT(compute_energy(model, run.final, workspace).total(), start_energy - 1);
  EXPECT_EQ(run.integrals.front().name, "E - W");
  EXPECT_LT(run.integrals.front().drift, 1e-8);
  EXPECT_EQ(find_verdict(run, "energy").verdict, Holds::holds);
  const double p_z = compute_momentum(model, swung_top(model), workspace).angular.z;
  EXPECT_GT(std::abs(p_z), 0.1);
  EXPECT_NEAR(compute_momentum(model, run.final, workspace).angular.z, p_z, 1e-9);
}

// A run that goes on from any of its checkpoints (before, in and after the flight) ends in the same bits, events and verdicts.
TEST(StringRun, ResumesToTheBit) {
  struct Keeper : RunListener {
    bool wants_checkpoint() override { return true; }
    void on_checkpoint(const Checkpoint& point) override { kept.push_back(point); }
    std::vector<Checkpoint> kept;
  };
  const Model model = read_model_text(kTop);
  for (const std::string integrator : {"dop853", "taylor"}) {
    RunOptions options;
    options.until = 1.5;
    options.integrator = integrator;
    Keeper keeper;
    const auto whole = run_simulation(model, swung_top(model), options, keeper);
    ASSERT_TRUE(whole);
    ASSERT_GE(whole->events.size(), 3u);
    for (size_t i = 0; i < keeper.kept.size(); i += keeper.kept.size() / 7) {
      RunListener nobody;
      const auto rest = run_simulation(model, swung_top(model), options, nobody, &keeper.kept[i]);
      ASSERT_TRUE(rest) << rest.failure().message;
      EXPECT_EQ(rest->final.q, whole->final.q);
      EXPECT_EQ(rest->final.v, whole->final.v);
      EXPECT_EQ(rest->final.modes, whole->final.modes);
      ASSERT_EQ(rest->events.size(), whole->events.size());
      EXPECT_EQ(rest->events.back().t, whole->events.back().t);
      EXPECT_EQ(find_verdict(*rest, "s1.taut").why, find_verdict(*whole, "s1.taut").why);
      EXPECT_EQ(find_verdict(*rest, "energy").why, find_verdict(*whole, "energy").why);
    }
  }
}

// A point mass on a string is a spherical pendulum.
TEST(StringRun, PointMassIsASphericalPendulum) {
  const Model on_string = read_model_text(R"(
vinculum: 1
bodies:
  bob: { joint: {axes: [tx, ty, tz]}, mass: 1.5, inertia: [0, 0, 0] }
strings:
  cord: { from: world, at: [0.1, 0.2, 0.3], to: bob, length: 0.7 }
initial: { bob.tx: 0.52, bob.ty: 0.2, bob.tz: -0.26, bob.tx': 0.8, bob.ty': 1.1, bob.tz': 0.6 }
)");
  // Rx(a) Ry(b) (0, 0, -0.7) = 0.7 (-sin b, cos b sin a, -cos b cos a)
  const Model pendulum = read_model_text(R"yaml(
vinculum: 1
bodies:
  rod: { joint: {type: universal, origin: [0.1, 0.2, 0.3]}, mass: 1.5, com: [0, 0, -0.7], inertia: [0, 0, 0] }
initial: { rod.ry: "-atan(0.75)", rod.ry': "-0.8/0.56", rod.rx': "1.1/0.56" }
)yaml");
  RunOptions options;
  options.tolerance = 1e-13;
  const RunResult string = run_strings(on_string, on_string.initial_state(), 3, options);
  const RunResult rod = run_strings(pendulum, pendulum.initial_state(), 3, options);
  EXPECT_TRUE(string.events.empty());
  EXPECT_NEAR_VECTOR(mass_centre(on_string, string.final, "bob"), mass_centre(pendulum, rod.final, "rod"), 1e-9);
  Workspace workspace(pendulum);
  const ForwardDynamics end = *compute_forward_dynamics(pendulum, rod.final, workspace);
  Workspace strings(on_string);
  const auto tension = compute_constrained_dynamics(ConstraintSet(on_string, string.final), string.final, strings);
  EXPECT_NEAR(tension->solution.multipliers[0], norm(end.reactions_W[0].force), 1e-7);
}

// Three bodies in a row on strings and one across, struck at once: of all 2^4 ways to choose which strings snap, exactly one
// obeys
//
//   B Λ = -(1 + e) u·z'  for what is pulled,   Λ ≥ 0 ,   u·z'⁺ ≤ 0 for what is not                          theory 4, section 4
//
// and the energy that is lost is ½ Σ Λ (u·z'⁻ + u·z'⁺).
TEST(StringRun, SeveralStringsSnapTogether) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  a: { joint: {axes: [tx, ty]}, mass: 1, inertia: 0 }
  b: { joint: {axes: [tx, ty]}, mass: 2, inertia: 0 }
  c: { joint: {type: planar}, mass: 1.5, inertia: 0.1 }
strings:
  s1: { from: world, to: a, length: 1 }
  s2: { from: a, to: b, length: 1, restitution: 0.3 }
  s3: { from: b, to: c, on: [-0.2, 0.1, 0], length: 1 }
  s4: { from: world, at: [3, 2, 0], to: c, on: [0.1, 0.2, 0], length: 1.5 }
initial: { a.tx: 1, b.tx: 1.6, b.ty: 0.8, c.tx: 2.8, c.ty: 0.7 }
)");
  State state = model.initial_state();
  // c is turned so that both of its strings are at their length.
  Workspace workspace(model);
  ConstraintSet all(model);
  auto placed = project_state(all, state, workspace);
  ASSERT_TRUE(placed) << placed.failure().message;
  std::map<int, int> cases;  // how often so many strings stayed taut
  unsigned random = 1;
  for (int trial = 0; trial < 60; ++trial) {
    State before = placed->state;
    for (double& v : before.v) v = static_cast<double>((random = random * 1664525u + 1013904223u) >> 8) / (1 << 24) * 2 - 1;

    const ConstraintRows rows = *compute_constraint_rows(all, before);
    const Eigen::MatrixXd M = compute_mass_matrix(model, before, workspace), B = -rows.D * M.inverse() * rows.D.transpose();
    EXPECT_LT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(B).eigenvalues().maxCoeff(), -1e-3);
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(before.v.data(), M.rows());
    const Eigen::VectorXd outward = -rows.D * v;  // u·z'
    const double e[] = {0, 0.3, 0, 0};
    Eigen::VectorXd after, impulse;
    int found = 0;
    for (int chosen = 0; chosen < 16; ++chosen) {
      std::vector<Eigen::Index> pulled;
      for (int k = 0; k < 4; ++k)
        if (chosen >> k & 1) pulled.push_back(k);
      Eigen::VectorXd L = Eigen::VectorXd::Zero(4), asked(static_cast<Eigen::Index>(pulled.size()));
      for (size_t i = 0; i < pulled.size(); ++i)
        asked[static_cast<Eigen::Index>(i)] = -outward[pulled[i]] - e[pulled[i]] * std::max(outward[pulled[i]], 0.0);
      if (!pulled.empty()) L(pulled) = B(pulled, pulled).inverse() * asked;
      const Eigen::VectorXd v_after = v + M.inverse() * rows.D.transpose() * L;
      const Eigen::VectorXd left = -rows.D * v_after;
      bool fits = L.minCoeff() >= -1e-12;
      for (int k = 0; k < 4; ++k) fits = fits && left[k] <= -e[k] * std::max(outward[k], 0.0) + 1e-12;
      if (fits) ++found, after = v_after, impulse = L;
    }
    ASSERT_EQ(found, 1) << "trial " << trial;

    State struck = before;
    ConstraintSet set(model, before);
    set.hold({false, false, false, false});
    ASSERT_FALSE(settle_one_sided(set, struck, workspace));
    for (Eigen::Index k = 0; k < M.rows(); ++k) EXPECT_NEAR(struck.v[k], after[k], 1e-12) << "trial " << trial;
    const double lost = 0.5 * impulse.dot(outward - rows.D * after);
    EXPECT_NEAR(compute_energy(model, before, workspace).kinetic - compute_energy(model, struck, workspace).kinetic, lost, 1e-12);
    EXPECT_GE(lost, 0);
    const std::vector<bool> holding = set.holding();
    ++cases[static_cast<int>(std::count(holding.begin(), holding.end(), true))];
  }
  EXPECT_GE(cases.size(), 4u);  // none, one, two, three or four
}

// A sled held by a string: the string is the only thing along the slope, and its tension the sled's weight along it.
TEST(StringRun, BesideAContact) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
environment:
  slope: { surface: plane, rotation: {axis: y, angle: 30 deg} }
bodies:
  sled: { joint: {axes: [tx, tz, ry]}, mass: 4, inertia: 0.5 }
contacts:
  front: { body: sled, with: slope, point: [0.3, 0, 0], forbid: [normal] }
  rear:  { body: sled, with: slope, point: [-0.3, 0, 0], forbid: [normal] }
strings:
  rope: { from: world, to: sled, on: [-0.3, 0, 0], length: 1 }
initial: { sled.ry: 30 deg, sled.tx: "1.3*cos(30 deg)", sled.tz: "-1.3*sin(30 deg)" }
)yaml");
  const State start = model.initial_state();
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(ConstraintSet(model, start), start, workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  EXPECT_NEAR(dynamics->solution.multipliers[0] + dynamics->solution.multipliers[1], 4 * 9.81 * std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(dynamics->solution.multipliers[2], 4 * 9.81 * 0.5, 1e-12);
  const RunResult run = run_strings(model, start, 1);
  EXPECT_NEAR(run.final.q[0], start.q[0], 1e-12);
  EXPECT_EQ(find_verdict(run, "rope.taut").verdict, Holds::holds);
  EXPECT_FALSE(find_verdict(run, "rope.taut").margin);  // it does not vary
  EXPECT_EQ(find_verdict(run, "front.normal").verdict, Holds::holds);
}

// A bar that slides on a vertical rail, on two ropes of equal length side by side: what each carries is not determined.
TEST(StringRun, MoreStringsThanNeededAreToldOf) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  bar: { joint: {axes: [tz]}, mass: 3, inertia: 0.1 }
strings:
  left:  { from: world, at: [-1, 0, 2], to: bar, on: [-1, 0, 0], length: 2 }
  right: { from: world, at: [1, 0, 2], to: bar, on: [1, 0, 0], length: 2 }
)");
  const RunResult run = run_strings(model, model.initial_state(), 0.5);
  EXPECT_NEAR(run.final.q[0], 0, 1e-12);
  EXPECT_EQ(find_verdict(run, "left.taut").verdict, Holds::not_unique);
  EXPECT_EQ(find_verdict(run, "reactions").verdict, Holds::not_unique);
}

// Which strings are taut at a state: by their length, and by what they would have to do.
TEST(StringRun, TautIsFoundFromTheState) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  bob: { joint: {axes: [tx, tz]}, mass: 1, inertia: 0 }
strings:
  cord: { from: world, to: bob, length: 1 }
)");
  const auto is_taut = [&](std::vector<double> q, std::vector<double> v, bool by_forces) {
    State state = model.initial_state();
    state.q = std::move(q);
    state.v = std::move(v);
    EXPECT_FALSE(find_taut_strings(model, state, by_forces));
    return state.modes[0] == 1;
  };
  EXPECT_TRUE(is_taut({0, -1}, {0, 0}, true));     // hangs
  EXPECT_FALSE(is_taut({0, -0.9}, {0, 0}, true));  // nearer than its length
  EXPECT_FALSE(is_taut({0, -1}, {0, 1}, true));    // about to come nearer
  EXPECT_FALSE(is_taut({0, 1}, {0, 0}, true));     // would have to push
  EXPECT_TRUE(is_taut({0, 1}, {0, 0}, false));
  EXPECT_TRUE(is_taut({0, 1}, {4, 0}, true));  // swings over: 4² > g
  State standing = model.initial_state();
  standing.q = {0, 1};
  const RunResult falls = run_strings(model, standing, 0.3);  // dead weight: free fall from the start
  EXPECT_NEAR(falls.final.q[1], 1 - 0.5 * 9.81 * 0.09, 1e-12);
  EXPECT_EQ(*find_verdict(falls, "cord.taut").first_violation, 0);
}

}  // namespace
}  // namespace vinculum::testing
