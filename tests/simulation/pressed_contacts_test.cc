// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts whose normal is carried by a law of force: they press or are apart, like those that a constraint carries.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/files/read_model.h"
#include "vinculum/idealisations/friction_work.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::pressed_contacts {
namespace {

RunResult follow(const Model& model, Follow how, double until, const std::string& integrator = "dop853") {
  RunOptions options;
  options.follow = how;
  options.until = until;
  options.tolerance = 1e-11;
  options.integrator = integrator;
  return finish_run(model, options);
}

Verdict verdict_on(const RunResult& run, const std::string& subject) {
  for (const Verdict& verdict : run.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  ADD_FAILURE() << "no verdict on " << subject;
  return {};
}

double time_of(const RunResult& run, const std::string& name, int number = 0) {
  for (const Occurrence& event : run.events) {
    if (event.name() == name && number-- == 0) return event.t;
  }
  ADD_FAILURE() << "no event " << name;
  return -1;
}

// A mass that leaves the ground flies: 3 m/s up, z = 3 t - g t²/2. Held both ways it stays near the ground, and that is judged.
TEST(PressedContacts, LeaveTheGround) {
  const Model model = read_case("terms/soft2.yaml");
  for (const Follow how : {Follow::unilateral, Follow::frictional}) {
    const RunResult run = follow(model, how, 0.3);
    EXPECT_NEAR(run.final.q[0], 3 * 0.3 - 9.81 * 0.09 / 2, 1e-12);
    EXPECT_EQ(verdict_on(run, "foot.normal").verdict, Holds::holds);
  }
  const RunResult held = follow(model, Follow::bilateral, 0.3);
  EXPECT_LT(held.final.q[0], 0.04);
  EXPECT_EQ(verdict_on(held, "foot.normal").verdict, Holds::violated);
  EXPECT_NEAR(*verdict_on(held, "foot.normal").first_violation, 0, 1e-12);
}

// Falls by 0.1 m onto k = 1000 N/m, c = 20 N s/m. On the ground z = -m g/k + e^(-a s) (A cos w s + B sin w s); it parts where the
// force is gone, which is where its acceleration is -g, while it is still 4.5 mm deep.
TEST(PressedContacts, PartWhereTheForceFallsToZero) {
  const double m = 2, k = 1000, c = 20, g = 9.81, h = 0.1;
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], laws: {normal: {stiffness: 1000, viscous: 20}} } }
initial: { block.tz: 0.1 }
)");
  const double down = std::sqrt(2 * h / g), a = c / (2 * m), w = std::sqrt(k / m - a * a), rest = -m * g / k;
  const double A = -rest, B = (-std::sqrt(2 * g * h) + a * A) / w;
  const auto z = [&](double s) { return rest + std::exp(-a * s) * (A * std::cos(w * s) + B * std::sin(w * s)); };
  const auto z_rate = [&](double s) {
    return std::exp(-a * s) * ((w * B - a * A) * std::cos(w * s) - (w * A + a * B) * std::sin(w * s));
  };
  double low = M_PI / (2 * w), high = 2 * M_PI / w;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (-k * z(middle) - c * z_rate(middle) > 0 ? low : high) = middle;
  }
  ASSERT_LT(z(low), -1e-3);
  for (const char* integrator : {"dop853", "cvode"}) {
    const double flight = 0.04;
    const RunResult run = follow(model, Follow::unilateral, down + low + flight, integrator);
    const double accuracy = std::string(integrator) == "cvode" ? 1e-7 : 1e-9;
    ASSERT_GE(run.events.size(), 2u);
    EXPECT_NEAR(time_of(run, "touch-down:foot"), down, accuracy);
    EXPECT_NEAR(time_of(run, "lift-off:foot"), down + low, accuracy);
    EXPECT_NEAR(run.final.q[0], z(low) + z_rate(low) * flight - g * flight * flight / 2, 10 * accuracy) << integrator;
    EXPECT_NE(verdict_on(run, "foot.normal").why.find("separates, first at"), std::string::npos);
  }
}

// Hertz' law k depth^1.5 keeps energy: after one bounce it is as high as before, in every mode, for it only pushes; written as
// numbers or as a formula it is the same. With Hunt and Crossley's dissipation it rises less.
TEST(PressedContacts, HertzOnlyPushes) {
  const auto bounce = [](const std::string& law, Follow how) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ ball: {{ joint: {{axes: [tz]}}, mass: 0.5, inertia: 1 }} }}
contacts: {{ c: {{ body: ball, with: world, sphere: {{radius: 0.05}}, laws: {{normal: {{{}}}}} }} }}
initial: {{ ball.tz: 0.25 }}
)",
                                                    law));
    RunOptions options;
    options.follow = how;
    options.until = 2;
    options.tolerance = 1e-11;
    options.stop_at = "lift-off";
    RunListener nobody;
    return *run_simulation(model, model.initial_state(), options, nobody);
  };
  const double speed = std::sqrt(2 * 9.81 * 0.2);
  for (const Follow how : {Follow::bilateral, Follow::unilateral, Follow::frictional}) {
    for (const char* law : {"stiffness: 1e5, exponent: 1.5", "law: \"1e5*depth^1.5\""}) {
      const RunResult run = bounce(law, how);
      EXPECT_NEAR(run.final.v[0], speed, 1e-8) << law;
      EXPECT_NEAR(run.final.q[0], 0.05, 1e-9);
    }
    const RunResult damped = bounce("stiffness: 1e5, exponent: 1.5, dissipation: 0.1", how);
    const RunResult formula = bounce("law: \"1e5*depth^1.5*(1 + 0.1*rate)\"", how);
    EXPECT_NEAR(damped.final.v[0], formula.final.v[0], 1e-9);
    // Hunt and Crossley: e = 1 - (2/3) d v to first order.
    EXPECT_NEAR(damped.final.v[0] / speed, 1 - 2.0 / 3 * 0.1 * speed, 0.02);
  }
}

// A table of four elastic legs, loaded outside of them, tips. Own integration by Runge-Kutta steps of 2e-5 s.
TEST(PressedContacts, TableTips) {
  const Model model = read_case("contacts/table.yaml");
  const RunResult run = follow(model, Follow::unilateral, 0.2, "cvode");
  EXPECT_NEAR(run.final.q[4], 0.3404, 1e-4);
  EXPECT_NEAR(run.final.q[2], 0.13166, 5e-5);
  EXPECT_LT(time_of(run, "lift-off:b"), 0.05);
  EXPECT_NEAR(time_of(run, "lift-off:b"), time_of(run, "lift-off:c"), 1e-6);
  const RunResult held = follow(model, Follow::bilateral, 0.5, "cvode");
  EXPECT_EQ(verdict_on(held, "b.normal").verdict, Holds::violated);
  EXPECT_EQ(verdict_on(held, "a.normal").verdict, Holds::holds);
}

// In the air nothing holds along the ground; landing is no impact; its friction slips and sticks with the force of the law, its
// damping included. Own integration of the three phases by Runge-Kutta steps of 1e-4 s with located events.
TEST(PressedContacts, FrictionGoesWithTheForceOfTheLaw) {
  const RunResult hop = follow(read_case("contacts/hop3.yaml"), Follow::frictional, 1);
  EXPECT_NEAR(time_of(hop, "touch-down:c"), 0.52438339, 1e-8);
  EXPECT_NEAR(time_of(hop, "lift-off:c"), 0.58800708, 1e-8);
  EXPECT_NEAR(hop.final.q[0], 6.0641221093, 1e-9);
  EXPECT_NEAR(hop.final.q[2], 0.2667557813, 1e-9);
  EXPECT_EQ(verdict_on(hop, "c.friction").verdict, Holds::violated);
  EXPECT_NEAR(*verdict_on(hop, "c.friction").first_violation, 0.52438339, 1e-8);

  const RunResult weak = follow(read_case("contacts/hop.yaml"), Follow::frictional, 1);
  EXPECT_NEAR(weak.final.q[0], 6.7070175594, 1e-9);
  EXPECT_NEAR(weak.final.q[1], -1.0190351188, 1e-9);

  const RunResult soft = follow(read_case("terms/soft.yaml"), Follow::frictional, 1.5);
  EXPECT_NEAR(time_of(soft, "stick:foot"), 1.01936787, 1e-7);
  EXPECT_NEAR(soft.final.q[0], 1.0332919215, 1e-8);

  const RunResult own = follow(read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 3, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [forward], friction: 0.4, laws: {normal: {stiffness: 2000, viscous: 30}} } }
forces: { push: { body: block, force: [-4, 0, 0] } }
initial: { block.tz: 0.02, "block.tx'": 0.5 }
)"),
                               Follow::frictional, 0.6, "cvode");
  EXPECT_NEAR(own.final.q[0], 0.041886454, 1e-7);
  EXPECT_NEAR(time_of(own, "stick:foot"), 0.11763796, 1e-6);
  EXPECT_NEAR(time_of(own, "slip:foot"), 0.23881893, 1e-6);
}

// A deformation is not another part of the surface; and where the law pushes at rest, friction has its margin: 5 N of 0.5 m g.
TEST(PressedContacts, RestIsJudged) {
  const RunResult soil = follow(read_case("contacts/soil3.yaml"), Follow::frictional, 0.5);
  EXPECT_EQ(verdict_on(soil, "c.contact").verdict, Holds::holds);
  EXPECT_EQ(verdict_on(soil, "c.normal").verdict, Holds::holds);
  for (const Follow how : {Follow::bilateral, Follow::frictional}) {
    const RunResult rest = follow(read_case("contacts/hop5.yaml"), how, 0.5);
    EXPECT_EQ(verdict_on(rest, "c.friction").verdict, Holds::holds);
    EXPECT_NEAR(*verdict_on(rest, "c.friction").margin, 0.5 * 2 * 9.81 / 5, 1e-6);
  }
}

// At a state in the air a linear law pulls, which is judged; one that only pushes does nothing there.
TEST(PressedContacts, StatesAreJudged) {
  const auto judge = [](const Model& model) {
    State state = model.initial_state();
    EXPECT_FALSE(find_taut_strings(model, state, true));
    const ConstraintSet set(model, state);
    Workspace workspace(model);
    const auto dynamics = compute_constrained_dynamics(set, state, workspace);
    EXPECT_TRUE(dynamics);
    StateJudge judge(set);
    judge.look(state, *dynamics, workspace);
    RunResult result;
    result.verdicts = judge.judge();
    return std::pair{verdict_on(result, "c.normal"), dynamics->dynamics.accelerations.back()};
  };
  const auto [pulls, down] = judge(read_case("contacts/hop3.yaml"));
  EXPECT_EQ(pulls.verdict, Holds::violated);
  EXPECT_NEAR(down, -9.81 - (5000 * 0.3 + 10 * 2) / 2, 1e-10);
  const auto [falls, free] = judge(read_model_text(R"(
vinculum: 1
bodies: { foot: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { c: { body: foot, with: world, point: [0, 0, 0], forbid: [forward], friction: 0.5, laws: { normal: { stiffness: 5000, exponent: 1.5, viscous: 10 } } } }
initial: { foot.tz: 0.3, "foot.tz'": -2 }
)"));
  EXPECT_EQ(falls.verdict, Holds::holds);
  EXPECT_NEAR(free, -9.81, 1e-12);
}

// A lift of 200 t N on 2 kg that a law holds down (k = 5000, c = 200): it is off the ground for good, where a law that pulls
// would hold it at 34 mm.
TEST(PressedContacts, LiftedOff) {
  const RunResult run = follow(read_case("contacts/hop4.yaml"), Follow::frictional, 1);
  const double off = time_of(run, "lift-off:c");
  EXPECT_LT(off, 2 * 9.81 / 200 + 0.02);
  EXPECT_GT(run.final.q[2], 1);
  EXPECT_EQ(run.events.size(), 1u);
}

// Four elastic feet stick with more rows than are needed: pushed by less than their friction they hold, by more they slip.
TEST(PressedContacts, RedundantElasticFeetSlipTogether) {
  const auto slide = [](double push) {
    return follow(read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, ty, tz]}}, mass: 2, inertia: 1 }} }}
contacts:
  a: {{ body: block, with: world, point: [1, 0, 0], forbid: [lateral, forward], friction: 0.3, laws: {{normal: {{stiffness: 5000, viscous: 100}}}} }}
  b: {{ body: block, with: world, point: [-1, 0, 0], forbid: [lateral, forward], friction: 0.3, laws: {{normal: {{stiffness: 5000, viscous: 100}}}} }}
forces: {{ push: {{ body: block, force: [{}, 0, 0] }} }}
initial: {{ block.tz: -2*9.81/10000 }}
)",
                                              push)),
                  Follow::frictional, 0.5);
  };
  const double most = 0.3 * 2 * 9.81;
  EXPECT_NEAR(slide(0.99 * most).final.q[0], 0, 1e-12);
  EXPECT_NEAR(slide(1.2 * most).final.q[0], 0.2 * most / 2 * 0.25 / 2, 1e-6);
}

// Stribeck friction on a normal, slipping backwards: mu N (r + (1 - r) e^-(s/v)) stops it as it would forwards, by symmetry; the
// time is the integral of ds / (mu g (..)).
TEST(FrictionWork, StribeckStopsABackwardSlip) {
  const RunResult run = follow(read_case("terms/strib.yaml"), Follow::frictional, 1.2);
  const double stop = time_of(run, "stick:foot");
  EXPECT_NEAR(stop, 0.96472, 1e-5);
  for (const Verdict& verdict : run.verdicts) EXPECT_NE(verdict.subject, "friction work");
  const Model forward = read_case("terms/strib.yaml", {{"block.tx'", "1"}});
  EXPECT_NEAR(time_of(follow(forward, Follow::frictional, 1.2), "stick:foot"), stop, 1e-9);
}

// Friction that pushes along its own slip is found, whatever the balance of energy says.
TEST(FrictionWork, DrivingFrictionIsFound) {
  const Model model = read_case("terms/strib.yaml");
  State state = model.initial_state();
  state.modes = model.usual_modes();
  state.modes[model.grips()[0].mode] = Grip::backward;
  const ConstraintSet set(model, state);
  Workspace workspace(model);
  auto dynamics = compute_contact_reactions(set, state, workspace);
  ASSERT_TRUE(dynamics);
  EXPECT_FALSE(find_driving_friction(set, *dynamics));
  for (ContactForces::Slip& slip : dynamics->forces.slips) slip.force = -slip.force;
  const auto found = find_driving_friction(set, *dynamics);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->element, "foot");
  EXPECT_NEAR(found->power, 0.2 * 2 * 9.81 * 0.5, 0.2 * 2 * 9.81 * 0.5 * std::exp(-9.0));  // fast sliding: half of mu N

  FrictionWork work;
  Moment moment(set, state, workspace, *dynamics);
  work.look_at_end(moment, true);
  std::vector<Verdict> verdicts;
  work.judge(1, verdicts);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].verdict, Holds::violated);
  EXPECT_EQ(verdicts[0].first_violation, 0);
}

// Friction along the force it is taken from has no answer, and is refused; across it is fine.
TEST(FrictionWork, FrictionAlongItsOwnNormalIsRefused) {
  const Model model = read_case("terms/held.yaml");
  RunOptions options;
  options.until = 1;
  for (const Follow how : {Follow::bilateral, Follow::frictional}) {
    options.follow = how;
    RunListener nobody;
    const auto run = run_simulation(model, model.initial_state(), options, nobody);
    const auto& failure = run ? run->failure : std::optional(run.failure());
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->code, "VN-CONTACT-122");
    EXPECT_NE(failure->message.find("'rub' acts along its own normal force rail.normal"), std::string::npos) << failure->message;
  }
}

}  // namespace
}  // namespace vinculum::testing::pressed_contacts
