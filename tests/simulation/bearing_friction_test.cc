// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Friction of bearings by their own reaction, of the same moment: worked problems of theory 7, section 7.
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/constrained/inverse_with_rows.h"
#include "vinculum/constraints/assembly.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/files/read_model.h"
#include "vinculum/questions/evaluation.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

constexpr double kJournalGravity = 9.81;

// A pendulum in a journal.
struct Journal {
  double m = 2.3, l = 0.27, J = 0.031, reach = 0.25 * 0.035;  // reach: mu r

  Model model(double angle, double rate, const std::string& more = "") const {
    return read_model_text(fmt::format(R"(
vinculum: 1
bodies:
  bob: {{ joint: {{ type: revolute, axis: y, friction: {{ coefficient: 0.25, radius: {}, {} }} }}, mass: {}, com: [0, 0, {}], inertia: {} }}
initial: {{ bob: {}, "bob'": {} }}
outputs: {{ rub: "bob.friction" }}
)",
                                       reach / 0.25, more, m, -l, J, angle, rate));
  }

  // |moment| x and acceleration at an angle, w = rate² , s its sign: x = reach |R(x)| , a quadratic; its smaller root.
  //   I a = -m g l sin - s x ,  R_t = m l a + m g sin ,  R_n = m l w + m g cos
  double acceleration(double angle, double w, double s) const {
    const double I = J + m * l * l, p = m * kJournalGravity * std::sin(angle),
                 n = m * l * w + m * kJournalGravity * std::cos(angle);
    const double c0 = p - m * l * p * l / I, c1 = -s * m * l / I;  // R_t = c0 + c1 x
    const double A = 1 - reach * reach * c1 * c1, B = -reach * reach * c0 * c1, C = -reach * reach * (c0 * c0 + n * n);
    const double x = (-B + std::sqrt(B * B - A * C)) / A;
    return (-p * l - s * x) / I;
  }

  // The angle at which a swing from rest ends: e = w/2 over the angle, e' = acceleration, by Runge and Kutta's fourth order.
  double end_of_swing(double from) const {
    const double s = from > 0 ? -1 : 1, step = s * 1e-4;
    const auto rate = [&](double angle, double e) { return acceleration(angle, 2 * e, s); };
    const auto advance = [&](double angle, double e, double h) {
      const double a = rate(angle, e), b = rate(angle + h / 2, e + h / 2 * a), c = rate(angle + h / 2, e + h / 2 * b),
                   d = rate(angle + h, e + h * c);
      return e + h / 6 * (a + 2 * b + 2 * c + d);
    };
    double angle = from, e = 0;
    for (;;) {
      const double next = advance(angle, e, step);
      if (next <= 0) break;
      e = next;
      angle += step;
    }
    double rest = 0;
    for (int k = 0; k < 30; ++k) rest -= advance(angle, e, rest) / rate(angle + rest, 0);
    return angle + rest;
  }
};

// W7, at a state.
TEST(BearingFriction, PendulumAtAState) {
  const Model model = Journal{}.model(0.6, -2);
  const Evaluation there = evaluate_state(model, model.initial_state());
  ASSERT_TRUE(there.dynamics) << there.failure->message;
  EXPECT_NEAR(there.dynamics->dynamics.accelerations[0], -16.377742947828, 1e-11);
  EXPECT_NEAR(there.dynamics->dynamics.accelerations[0], Journal{}.acceleration(0.6, 4, -1), 1e-12);
  EXPECT_NEAR((*there.outputs)[0].value, Journal{}.reach * norm(there.dynamics->dynamics.reactions_W[0].force), 1e-13);
}

// W7 as a run: every turning point, and where it stops, against swings integrated over the angle.
TEST(BearingFriction, PendulumSwingsUntilItStops) {
  const Journal journal;
  RunOptions options;
  options.until = 12;
  options.tolerance = 1e-12;
  const Model model = journal.model(1.25, 0);
  const RunResult run = finish_run(model, options);
  std::vector<double> turns;
  double angle = 1.25;
  while (journal.l * std::abs(std::sin(angle)) > journal.reach) turns.push_back(angle = journal.end_of_swing(angle));
  EXPECT_NEAR(turns[0], -1.127614556773, 1e-10);
  EXPECT_NEAR(turns[1], 1.016929096646, 1e-10);
  ASSERT_EQ(run.events.size(), turns.size() + 1);
  EXPECT_EQ(run.events.front().name(), "slip:bob");
  EXPECT_NEAR(run.events[1].t, 0.621995703378, 1e-9);
  for (size_t k = 1; k < turns.size(); ++k) EXPECT_EQ(run.events[k].name(), "reverse:bob");
  EXPECT_EQ(run.events.back().name(), "stick:bob");
  EXPECT_NEAR(run.events.back().t, 8.754381545443, 1e-8);
  EXPECT_NEAR(run.final.q[0], -0.020883726419, 1e-9);
  EXPECT_NEAR(run.final.q[0], turns.back(), 1e-9);
  EXPECT_EQ(run.final.v[0], 0);
}

// A run that goes on from an image, while the bearing slides and after it has turned, ends with the same bits.
TEST(BearingFriction, AnImageContinuesTheRun) {
  const Model model = Journal{}.model(1.25, 0, "static: 0.3");
  RunOptions options;
  options.until = 2.5;
  const RunResult whole = finish_run(model, options);
  auto run = Run::start(model, model.initial_state(), options);
  ASSERT_TRUE(run) << run.failure().message;
  for (const double t : {0.3, 1.4}) {
    ASSERT_TRUE(run->advance(t, nullptr, Arrive::look));
    const auto image = run->image();
    ASSERT_TRUE(image) << image.failure().message;
    run = Run::resume(model, *image);
    ASSERT_TRUE(run) << run.failure().message;
  }
  ASSERT_TRUE(run->advance(options.until, nullptr, Arrive::look));
  const RunResult again = run->result();
  EXPECT_EQ(again.final.q, whole.final.q);
  EXPECT_EQ(again.final.v, whole.final.v);
  EXPECT_EQ(again.final.modes, whole.final.modes);
  EXPECT_EQ(again.events.size(), whole.events.size());
  EXPECT_GE(whole.events.size(), 3u);
}

// It rests where the weight passes the circle of friction, and there for an hour.
TEST(BearingFriction, RestsWithinItsCircle) {
  const Journal journal;
  RunOptions options;
  options.until = 3600;
  options.tolerance = 1e-9;
  const Model rests = journal.model(0.9999 * std::asin(journal.reach / journal.l), 0);
  const RunResult run = finish_run(rests, options);
  EXPECT_TRUE(run.events.empty());
  EXPECT_EQ(run.final.q, rests.initial_state().q);
  options.until = 1;
  const Model slips = journal.model(1.0001 * std::asin(journal.reach / journal.l), 0);
  EXPECT_EQ(finish_run(slips, options).events.front().name(), "slip:bob");
  const Model sticks = journal.model(1.0001 * std::asin(journal.reach / journal.l), 0, "static: 0.3");
  EXPECT_TRUE(finish_run(sticks, options).events.empty());
}

// W7, beyond what ordinary bearings have: with mu r = 0.3 one root, with 0.5 none: it jams.
TEST(BearingFriction, APendulumThatJams) {
  Journal thick;
  thick.reach = 0.3;
  const Model one = thick.model(0.6, -2);
  const Evaluation there = evaluate_state(one, one.initial_state());
  ASSERT_TRUE(there.dynamics) << there.failure->message;
  EXPECT_NEAR(there.dynamics->dynamics.accelerations[0], 101.085525080470, 1e-9);
  thick.reach = 0.5;
  const Model none = thick.model(0.6, -2);
  const Evaluation jams = evaluate_state(none, none.initial_state());
  ASSERT_TRUE(jams.failure);
  EXPECT_EQ(jams.failure->code, "VN-CONTACT-012");
}

// W17: two journals.
TEST(BearingFriction, TwoJournals) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  upper: { joint: { type: revolute, axis: y, friction: { coefficient: 0.2, radius: 0.03 } }, mass: 2.1, com: [0, 0, -0.24], inertia: 0.04 }
  lower: { parent: upper, joint: { type: revolute, axis: y, origin: [0, 0, -0.46], friction: { coefficient: 0.25, radius: 0.03 } }, mass: 1.3, com: [0, 0, -0.2], inertia: 0.018 }
initial: { upper: 0.55, lower: -0.9, "upper'": -1.3, "lower'": 2.2 }
outputs: { upper_rub: "upper.friction", lower_rub: "lower.friction" }
)");
  const Evaluation there = evaluate_state(model, model.initial_state());
  ASSERT_TRUE(there.dynamics) << there.failure->message;
  const ForwardDynamics& dynamics = there.dynamics->dynamics;
  EXPECT_NEAR(dynamics.accelerations[0], -18.482492079315, 1e-10);
  EXPECT_NEAR(dynamics.accelerations[1], 52.303028164643, 1e-10);
  EXPECT_NEAR((*there.outputs)[0].value, 0.142165965581, 1e-12);
  EXPECT_NEAR((*there.outputs)[1].value, -0.039559387277, 1e-12);
  EXPECT_NEAR(norm(dynamics.reactions_W[0].force), 23.694327596806, 1e-11);
  EXPECT_NEAR(norm(dynamics.reactions_W[1].force), 5.274584970230, 1e-11);

  // What the drives would have to supply for this motion is nothing.
  Workspace workspace(model);
  State state = model.initial_state();
  choose_joint_slips(model, dynamics.accelerations, state);
  const auto inverse =
      compute_inverse_with_rows(rows_beside_drives(model, {0, 1}, &state), {0, 1}, state, dynamics.accelerations, workspace);
  ASSERT_TRUE(inverse) << inverse.failure().message;
  for (const double force : inverse->forces) EXPECT_NEAR(force, 0, 1e-13);
}

// A wheel on a vertical axis through its mass centre stands on its collar: J w' = -mu c m g.
TEST(BearingFriction, ACollarCarriesTheWeight) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { wheel: { joint: { type: revolute, axis: z, friction: { coefficient: 0.2, radius: 10 mm, collar: 30 mm } }, mass: 5, inertia: 0.04 } }
initial: { "wheel'": 6 }
)");
  RunOptions options;
  options.until = 2;
  options.tolerance = 1e-12;
  const double moment = 0.2 * 0.03 * 5 * kJournalGravity;
  const RunResult run = finish_run(model, options);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].name(), "stick:wheel");
  EXPECT_NEAR(run.events[0].t, 0.04 * 6 / moment, 1e-9);
  EXPECT_NEAR(run.final.q[0], 0.04 * 36 / (2 * moment), 1e-9);
}

// In a loop the reaction depends on the friction through the rows that close it: friction, reaction and motion belong together.
TEST(BearingFriction, ALoop) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  crank: { joint: { type: revolute, axis: y, friction: { coefficient: 0.2, radius: 0.02, collar: 0.03 } }, mass: 1, com: [0.1, 0.02, 0], inertia: 0.01 }
  rod: { parent: crank, joint: { type: revolute, axis: y, origin: [0.2, 0, 0], friction: { coefficient: 0.3, radius: 0.02 } }, mass: 2, com: [0.3, 0, 0], inertia: 0.05 }
velocity_constraints:
  slide: { equation: "-0.2*cos(crank)*crank' - 0.6*cos(crank + rod)*(crank' + rod') = 0", permanent: true }
initial: { crank: 0.7, rod: -0.9, "crank'": 3, "rod'": -3.78 }
outputs: { a: "crank.friction", b: "rod.friction" }
)");
  State state = model.initial_state();
  state.v[1] = -state.v[0] * (1 + 0.2 * std::cos(0.7) / (0.6 * std::cos(0.7 - 0.9)));
  const Evaluation there = evaluate_state(model, state);
  ASSERT_TRUE(there.dynamics) << there.failure->message;
  const auto& reactions = there.dynamics->dynamics.reactions_W;
  const auto radial = [&](int body) { return std::hypot(reactions[body].force.x, reactions[body].force.z); };
  EXPECT_NEAR((*there.outputs)[0].value, -0.2 * (0.02 * radial(0) + 0.03 * std::abs(reactions[0].force.y)), 1e-12);
  EXPECT_NEAR((*there.outputs)[1].value, 0.3 * 0.02 * radial(1), 1e-12);
  EXPECT_GT(radial(1), 1);
  RunOptions options;
  options.until = 3;
  options.tolerance = 1e-10;
  RunListener nobody;
  const auto run = run_simulation(model, state, options, nobody);
  ASSERT_TRUE(run) << run.failure().message;
  ASSERT_FALSE(run->failure) << run->failure->message;
  for (const Verdict& verdict : run->verdicts) {
    if (verdict.subject == "energy") EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.why;
  }
  options.until = 100;  // it comes to rest: then its two joints and the row hold one degree of freedom
  const auto rests = run_simulation(model, state, options, nobody);
  ASSERT_TRUE(rests && rests->failure);
  EXPECT_EQ(rests->failure->code, "VN-CONTACT-011");
}

// A four-bar linkage swings on three journals: where it turns all three stop at once, and none of them can hold it alone; where
// crank and rod are in line the rocker stops alone. It goes on through all of these, by a law that keeps its energy.
TEST(BearingFriction, AFourBarLinkage) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  crank: { joint: { type: revolute, axis: y, friction: { coefficient: 0.2, radius: 20 mm } }, mass: 1, com: [0.1, 0, 0], inertia: 0.01 }
  rod: { parent: crank, joint: { type: revolute, axis: y, origin: [0.2, 0, 0], friction: { coefficient: 0.2, radius: 20 mm } }, mass: 2, com: [0.3, 0, 0], inertia: 0.05 }
  rocker: { joint: { type: revolute, axis: y, origin: [0.6, 0, 0], friction: { coefficient: 0.2, radius: 20 mm } }, mass: 1, com: [0.2, 0, 0], inertia: 0.02 }
contacts:
  pin: { body: rod, with: rocker, frame: { on_body: { point: [0.6, 0, 0] }, on_environment: { point: [0.4, 0, 0] } }, forbid: [normal, lateral, forward] }
initial: { crank: -1, rod: 0.6, rocker: -1.4 }
)");
  ConstraintSet set(model);
  set.leave_out(list_held_joints(model));
  Workspace workspace(model);
  const auto assembly = assemble(set, model.initial_state(), workspace);
  ASSERT_TRUE(assembly) << assembly.failure().message;
  RunOptions options;
  options.until = 3;
  options.tolerance = 1e-10;
  RunListener nobody;
  const auto run = run_simulation(model, assembly->state, options, nobody);
  ASSERT_TRUE(run) << run.failure().message;
  ASSERT_FALSE(run->failure) << run->failure->message;
  int reversals[3] = {0, 0, 0};
  for (const Occurrence& event : run->events) {
    for (int i = 0; i < 3; ++i) reversals[i] += event.name() == "reverse:" + model.bodies()[static_cast<size_t>(i)].name ? 1 : 0;
  }
  EXPECT_GE(reversals[0], 3);
  EXPECT_EQ(reversals[0], reversals[1]);
  EXPECT_GT(reversals[2], reversals[0]);
  for (const Verdict& verdict : run->verdicts) {
    if (verdict.subject == "energy" || verdict.subject == "constraints") EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.why;
  }
}

// Trees at random: each moment of friction is what the law says of the reaction that `evaluate` reports; and a tree without
// friction on which these moments act as forces has the same accelerations and reactions.
TEST(BearingFriction, RandomTrees) {
  std::mt19937 random(7);
  const auto draw = [&](double least, double most) { return std::uniform_real_distribution(least, most)(random); };
  const auto vector = [&](double size) {
    return fmt::format("[{}, {}, {}]", draw(-size, size), draw(-size, size), draw(-size, size));
  };
  for (int sample = 0; sample < 40; ++sample) {
    const int count = 1 + sample % 6;
    std::string bodies, frictionless, initial, outputs;
    std::vector<std::array<double, 3>> bearings;  // mu, r, c
    for (int i = 0; i < count; ++i) {
      bearings.push_back({draw(0.05, 0.4), draw(0.005, 0.03), i % 2 == 0 ? draw(0.005, 0.03) : 0});
      const auto [mu, r, c] = bearings.back();
      const std::string parent = i == 0 || sample % 3 == 0 ? "world" : fmt::format("b{}", i - 1);
      const std::string joint = fmt::format("type: revolute, axis: {}, origin: {}", vector(1), vector(0.4));
      const std::string body = fmt::format("mass: {}, com: {}, inertia: {}", draw(0.5, 3), vector(0.2), draw(0.02, 0.2));
      const std::string collar = c > 0 ? fmt::format(", collar: {}", c) : "";
      bodies += fmt::format("  b{}: {{ parent: {}, joint: {{ {}, friction: {{ coefficient: {}, radius: {}{} }} }}, {} }}\n", i,
                            parent, joint, mu, r, collar, body);
      frictionless += fmt::format("  b{}: {{ parent: {}, joint: {{ {} }}, {} }}\n", i, parent, joint, body);
      initial += fmt::format("{}b{}: {}, \"b{}'\": {}", i == 0 ? "" : ", ", i, draw(-3, 3), i, draw(-4, 4));
      outputs += fmt::format("{}m{}: b{}.friction", i == 0 ? "" : ", ", i, i);
    }
    const std::string head = "vinculum: 1\nbodies:\n", start = fmt::format("initial: {{ {} }}\n", initial);
    const Model model = read_model_text(fmt::format("{}{}{}outputs: {{ {} }}\n", head, bodies, start, outputs));
    const Evaluation there = evaluate_state(model, model.initial_state());
    ASSERT_TRUE(there.dynamics && there.outputs) << there.failure->message;
    const ForwardDynamics& dynamics = there.dynamics->dynamics;
    std::string forces = "forces:\n";
    for (int i = 0; i < count; ++i) {
      const auto [mu, r, c] = bearings[static_cast<size_t>(i)];
      const double moment = (*there.outputs)[static_cast<size_t>(i)].value;
      const Vector3 R = dynamics.reactions_W[static_cast<size_t>(i)].force;
      const Vector3 axis = there.rows->links[static_cast<size_t>(model.bodies()[static_cast<size_t>(i)].link)].R.z;
      const double axial = dot(R, axis), limit = mu * (r * norm(R - axial * axis) + c * std::abs(axial));
      EXPECT_NEAR(moment, (model.initial_state().v[static_cast<size_t>(i)] > 0 ? -1 : 1) * limit, 1e-12 * (1 + limit));
      EXPECT_GT(limit, 1e-3);
      forces += fmt::format("  m{}: {{ joint: b{}, law: \"{}\" }}\n", i, i, moment);
    }
    const Model other = read_model_text(head + frictionless + start + forces);
    const Evaluation same = evaluate_state(other, other.initial_state());
    ASSERT_TRUE(same.dynamics);
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const double a = same.dynamics->dynamics.accelerations[i];
      EXPECT_NEAR(dynamics.accelerations[i], a, 1e-11 * (1 + std::abs(a)));
      const Vector3 R = same.dynamics->dynamics.reactions_W[i].force;
      EXPECT_NEAR(norm(dynamics.reactions_W[i].force - R), 0, 1e-11 * (1 + norm(R)));
    }
  }
}

// A wheel rolls to a stop under a frame that rests on its bearing:  (m + J/rho²) a = M/rho ,  M = mu r m_f √(g² + a²) .
TEST(BearingFriction, AWheelUnderAFrame) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  frame: { joint: { axes: [tx, tz] }, mass: 4, inertia: 0.1 }
  wheel: { parent: frame, joint: { type: revolute, axis: y, friction: { coefficient: 0.3, radius: 20 mm } }, mass: 2, inertia: 0.03 }
contacts: { tread: { body: wheel, with: world, wheel: { center: [0, 0, 0], axis: y, radius: 0.2 }, forbid: [normal, forward], friction: 0.5 } }
initial: { frame.tz: 0.2, "frame.tx'": 0.4, "wheel'": 2 }
)");
  double a = 0;
  for (int k = 0; k < 100; ++k) a = 0.3 * 0.02 * 4 * std::hypot(kJournalGravity, a) / 0.2 / (6 + 0.03 / 0.04);
  for (const Follow follow : {Follow::bilateral, Follow::unilateral, Follow::frictional}) {
    RunOptions options;
    options.follow = follow;
    options.until = 4;
    options.tolerance = 1e-12;
    const RunResult run = finish_run(model, options);
    ASSERT_EQ(run.events.size(), 1u);
    EXPECT_EQ(run.events[0].name(), "stick:wheel");
    EXPECT_NEAR(run.events[0].t, 0.4 / a, 1e-9);
    EXPECT_NEAR(run.final.q[0], 0.08 / a, 1e-9);
  }
}

}  // namespace
}  // namespace vinculum::testing
