// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run says of the idealisations behind it: right, and whatever is written out.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run_verdicts.h"

namespace vinculum::testing::verdicts {
namespace {

constexpr double kGravity = 9.81;

RunResult simulate(const Model& model, double until, RunOptions options = {}) {
  options.until = until;
  return testing::finish_run(model, options);
}

Verdict find_verdict(const RunResult& run, const std::string& subject) {
  const auto found =
      std::find_if(run.verdicts.begin(), run.verdicts.end(), [&](const Verdict& v) { return v.subject == subject; });
  return found == run.verdicts.end() ? Verdict{"there is none", Holds::not_checked, {}, {}, {}} : *found;
}

RunOptions sampled_every(double seconds) {
  RunOptions options;
  options.every = seconds;
  return options;
}

// A block that friction 0.3 holds is pushed for 50 ms by F(t), so that nothing moves.
Model pushed_block(const std::string& push) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: 2, inertia: 0.1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forward: x, friction: 0.3, forbid: [normal, forward] }} }}
forces: {{ push: {{ body: block, point: [0, 0, 0], force: ["{}", 0, 0] }} }}
)yaml",
                                     push));
}

// A contact without `friction` only says how much it needs: F/(m g) = 0.306, where the push is largest.
TEST(Verdicts, FrictionThatAContactWithoutItNeeds) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forward: x, forbid: [normal, forward] } }
forces: { push: { body: block, point: [0, 0, 0], force: ["6*sin(pi*t)", 0, 0] } }
)yaml");
  const Verdict verdict = find_verdict(simulate(model, 1), "foot.friction");
  EXPECT_EQ(verdict.verdict, Holds::not_checked);
  EXPECT_EQ(verdict.why,
            fmt::format("needs friction {:.3g} at t = 0.5 s; no `friction` is given to compare with", 6 / (2 * kGravity)));
}

// F = 12 exp(-((t - 0.41)/0.02)²) exceeds 0.3 m g first at t = 0.41 - 0.02 √ln(12/(0.3 m g)).
TEST(Verdicts, FrictionOfASmoothPushWhateverIsWrittenOut) {
  const Model model = pushed_block("12*exp(-((t - 0.41)/0.02)^2)");
  const double limit = 0.3 * 2 * kGravity, first = 0.41 - 0.02 * std::sqrt(std::log(12 / limit));
  const Verdict reference = find_verdict(simulate(model, 3), "foot.friction");
  EXPECT_EQ(reference.verdict, Holds::violated);
  EXPECT_NEAR(*reference.first_violation, first, 1e-14);
  EXPECT_NEAR(*reference.margin, limit / 12, 2e-10);  // peaks are found to 1e-10
  for (double every : {0.001, 0.07, 0.3}) {
    const Verdict verdict = find_verdict(simulate(model, 3, sampled_every(every)), "foot.friction");
    EXPECT_EQ(verdict.verdict, Holds::violated) << every;
    EXPECT_EQ(verdict.margin, reference.margin) << every;
    EXPECT_EQ(verdict.first_violation, reference.first_violation) << every;
    EXPECT_EQ(verdict.why, reference.why) << every;
  }
  EXPECT_EQ(find_verdict(simulate(pushed_block("5.8*exp(-((t - 0.41)/0.02)^2)"), 3), "foot.friction").verdict, Holds::holds);
}

// Also of 10 ms in 100 s, which no look at the contact meets by chance.
TEST(Verdicts, FrictionOfAPushShorterThanTheTimeBetweenLooks) {
  const double limit = 0.3 * 2 * kGravity;
  for (double peak : {40.433, 77.77}) {
    const Model model = pushed_block(fmt::format("12*exp(-((t - {})/0.005)^2)", peak));
    const Verdict verdict = find_verdict(simulate(model, 100), "foot.friction");
    EXPECT_EQ(verdict.verdict, Holds::violated) << peak;
    EXPECT_NEAR(*verdict.margin, limit / 12, 2e-10) << peak;
    EXPECT_NEAR(*verdict.first_violation, peak - 0.005 * std::sqrt(std::log(12 / limit)), 1e-13) << peak;
  }
}

// A force that hangs on the place, and that the ground takes: nothing of the motion tells of it, and its steps are long. The sled
// passes it in 20 ms of 10 s; N = m g - F is zero first at x = 3.3 - 0.02 √ln(25/(m g)).
TEST(Verdicts, PushOfALiftAtAPlace) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { sled: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: sled, with: world, point: [0, 0, 0], forward: x, forbid: [normal] } }
forces: { lift: { body: sled, point: [0, 0, 0], force: [0, 0, "25*exp(-((sled.tx - 3.3)/0.02)^2)"] } }
initial: { "sled.tx'": 1 }
)yaml");
  const RunResult run = simulate(model, 10);
  EXPECT_LT(run.steps, 100);
  const Verdict verdict = find_verdict(run, "foot.normal");
  EXPECT_EQ(verdict.verdict, Holds::violated);
  EXPECT_NEAR(*verdict.first_violation, 3.3 - 0.02 * std::sqrt(std::log(25 / (2 * kGravity))), 1e-12);
  EXPECT_NEAR(*verdict.nearest_t, 3.3, 1e-5);
}

// Switched on and off: the moment is found to round-off all the same.
TEST(Verdicts, FrictionOfASuddenPushWhateverIsWrittenOut) {
  const Model model = pushed_block("4*(sign(t - 0.4123) - sign(t - 0.4623))");
  for (double every : {0.001, 0.07, 0.3}) {
    const Verdict verdict = find_verdict(simulate(model, 3, sampled_every(every)), "foot.friction");
    EXPECT_EQ(verdict.verdict, Holds::violated) << every;
    EXPECT_NEAR(*verdict.first_violation, 0.4123, 1e-14) << every;
    EXPECT_NEAR(*verdict.margin, 0.3 * 2 * kGravity / 8, 1e-14) << every;
  }
}

// All verdicts of all examples with contacts.
TEST(Verdicts, OfTheExamplesDoNotDependOnWhatIsWrittenOut) {
  int tried = 0;
  for (const auto& folder : std::filesystem::directory_iterator(VINCULUM_SOURCE_DIR "/examples")) {
    Diagnostics diagnostics;
    const auto model = read_model_file((folder.path() / "model.yaml").string(), diagnostics);
    if (!model || model->description().contacts.empty()) continue;
    Workspace workspace(*model);
    const auto start = project_state(ConstraintSet(*model), model->initial_state(), workspace);
    ASSERT_TRUE(start) << folder.path();
    const std::string name = folder.path().filename();
    const double until = name == "andrews-squeezer" ? 0.02 : name == "walking-machine" ? 0.01 : 0.4;
    std::vector<std::vector<Verdict>> all;
    for (double every : {0.001, 0.07, 0.3}) {
      RunOptions options = sampled_every(every * until / 0.4);
      options.until = until;
      RunListener nobody;
      const auto run = run_simulation(*model, start->state, options, nobody);
      ASSERT_TRUE(run) << folder.path() << ": " << run.failure().message;
      all.push_back(run->verdicts);
    }
    for (size_t k = 1; k < all.size(); ++k) {
      ASSERT_EQ(all[k].size(), all[0].size()) << folder.path();
      for (size_t i = 0; i < all[0].size(); ++i) {
        EXPECT_EQ(all[k][i].verdict, all[0][i].verdict) << folder.path() << all[0][i].subject;
        EXPECT_EQ(all[k][i].margin, all[0][i].margin) << folder.path() << all[0][i].subject;
        EXPECT_EQ(all[k][i].first_violation, all[0][i].first_violation) << folder.path() << all[0][i].subject;
        EXPECT_EQ(all[k][i].why, all[0][i].why) << folder.path() << all[0][i].subject;
      }
    }
    ++tried;
  }
  EXPECT_GE(tried, 10);
}

// The sliding foot of the walking machine would pull from t = 0.0708 s on. It no longer rubs then, and the machine goes on; what
// friction takes is work, and the energy balances.
TEST(Verdicts, WalkingMachineGoesOnWhereItsFootPulls) {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/walking-machine/model.yaml", diagnostics);
  ASSERT_TRUE(model);
  Workspace workspace(*model);
  RunOptions options;
  options.until = 0.08;
  options.tolerance = 1e-8;
  RunListener nobody;
  const auto run =
      run_simulation(*model, project_state(ConstraintSet(*model), model->initial_state(), workspace)->state, options, nobody);
  ASSERT_TRUE(run);
  ASSERT_FALSE(run->failure) << run->failure->message;
  EXPECT_EQ(run->final.t, 0.08);
  EXPECT_EQ(find_verdict(*run, "energy").verdict, Holds::holds);
  EXPECT_EQ(find_verdict(*run, "front_right.normal").verdict, Holds::violated);
  EXPECT_NEAR(*find_verdict(*run, "front_right.normal").first_violation, 0.07076, 1e-5);
}

// Along the two tangential axes 3 N and 4 N make 5 N.
TEST(Verdicts, FrictionAddsLateralAndForward) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, ty, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forward: x, friction: 0.3, forbid: [normal, lateral, forward] } }
forces: { push: { body: block, point: [0, 0, 0], force: [3, 4, 0] } }
)");
  EXPECT_NEAR(*find_verdict(simulate(model, 0.1), "foot.friction").margin, 0.3 * 2 * kGravity / 5, 1e-14);
}

// Two feet that both hold the block along x: each forward reaction may be anything as long as their sum is right.
TEST(Verdicts, FrictionOfAReactionThatIsNotDetermined) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz, ry]}, mass: 2, inertia: 0.1 } }
contacts:
  left: { body: block, with: world, point: [-0.5, 0, 0], forward: x, friction: 0.3, forbid: [normal, forward] }
  right: { body: block, with: world, point: [0.5, 0, 0], forward: x, friction: 0.3, forbid: [normal, forward] }
forces: { push: { body: block, point: [0, 0, 0], force: [1, 0, 0] } }
)");
  const RunResult run = simulate(model, 0.1);
  for (const char* foot : {"left", "right"}) {
    EXPECT_EQ(find_verdict(run, std::string(foot) + ".normal").verdict, Holds::holds);
    EXPECT_EQ(find_verdict(run, std::string(foot) + ".friction").verdict, Holds::not_unique);
    EXPECT_FALSE(find_verdict(run, std::string(foot) + ".friction").margin);
  }
}

// N = m (g + 40 cos 20 t) falls through zero at 20 t = φ, φ + 2π, .. with cos φ = -g/40, and rises at 2π - φ, ..
TEST(Verdicts, PullIsToldWhereItBegins) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tz]}, mass: 1, inertia: 0.1 } }
environment: { table: { surface: plane, position: [0, 0, "0.1*(1 - cos(20*t))"] } }
contacts: { foot: { body: block, with: table, point: [0, 0, 0], forbid: [normal] } }
)yaml");
  const RunResult run = simulate(model, 0.5);
  const double phi = std::acos(-kGravity / 40);
  ASSERT_EQ(run.events.size(), 2u);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(run.events[k].name(), "pull:foot");
    EXPECT_EQ(run.events[k].direction, -1);
    EXPECT_NEAR(run.events[k].t, (phi + 2 * M_PI * k) / 20, 1e-12);
  }
  EXPECT_NEAR(*find_verdict(run, "foot.normal").first_violation, phi / 20, 1e-12);

  RunOptions stopped;
  stopped.stop_at = "pull";
  EXPECT_NEAR(simulate(model, 0.5, stopped).final.t, phi / 20, 1e-12);
  stopped.stop_at = "lift-off";
  EXPECT_THROW(simulate(model, 0.5, stopped), std::runtime_error);
}

// It begins by pulling and then presses: that is violated from the start, and the reason is the pull.
TEST(Verdicts, PullAtTheStart) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tz]}, mass: 1, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal] } }
forces: { lift: { body: block, point: [0, 0, 0], force: [0, 0, "20 - 100*t"] } }
)yaml");
  const RunResult run = simulate(model, 0.5);
  EXPECT_TRUE(run.events.empty());
  const Verdict verdict = find_verdict(run, "foot.normal");
  EXPECT_EQ(verdict.verdict, Holds::violated);
  EXPECT_EQ(*verdict.first_violation, 0);
  EXPECT_NE(verdict.why.find("would have to pull: normal reaction -10.19 N at t = 0 s"), std::string::npos) << verdict.why;
}

// ---- energy ----------------------------------------------------------------------------------------------------------

// However loose the tolerance, a hundredth of the largest exchange is all that is granted: 280 J out of 5.7 J are not.
TEST(Verdicts, EnergyIsJudgedWhateverTheTolerance) {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/double-pendulum/model.yaml", diagnostics);
  ASSERT_TRUE(model);
  const auto judge = [&](double tolerance, double drift, double exchange) {
    RunOptions options;
    options.tolerance = tolerance;
    Checkpoint end;
    end.steps = 5000;
    end.integrals = {{"E", "J", 5.7, drift}};
    end.energy_scale = exchange;
    end.energy_size = 2 * exchange;
    return judge_run(*model, options, true, end)[0];
  };
  for (double tolerance : {1e-6, 1e-3, 1e-2, 1.0}) {
    EXPECT_EQ(judge(tolerance, 280, 285).verdict, Holds::violated) << tolerance;
    EXPECT_NEAR(*judge(tolerance, 280, 285).margin, 0.01 * 285 / 280, 1e-12) << tolerance;
    EXPECT_EQ(judge(tolerance, 280, 285).why,
              "energy should stay constant but drifts by 2.8e+02 J, 0.98 of the "
              "largest exchange, allowed 2.9 J");
    EXPECT_EQ(judge(tolerance, 0.05, 5.7).verdict, Holds::holds) << tolerance;
  }
  EXPECT_EQ(judge(1e-8, 0.05, 5.7).verdict, Holds::violated);

  RunOptions loose;
  loose.tolerance = 0.1;
  loose.integrator = "dop853";
  const RunResult run = simulate(*model, 60, loose);
  EXPECT_GT(run.integrals[0].drift, 10);
  EXPECT_EQ(find_verdict(run, "energy").verdict, Holds::violated);
}

// A pole of 1 kg on a cart of 1 mg throws it to and fro at 5 km/s: the terms of the kinetic energy are a million times their sum.
TEST(Verdicts, EnergyAtRoundOffOfItsTerms) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 1e-6, inertia: 0 }
  pole: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: 0 }
initial: { pole: 2 }
)");
  for (const char* integrator : {"taylor", "dop853"}) {
    RunOptions options;
    options.tolerance = 1e-14;
    options.integrator = integrator;
    const RunResult run = simulate(model, 10, options);
    EXPECT_LT(run.integrals[0].drift, 1e-8);
    EXPECT_EQ(find_verdict(run, "energy").verdict, Holds::holds) << integrator;
  }
}

// A table held at rest on four legs, pushed harder and harder: nothing moves but by the round-off of redundant rows, and the push
// does work on that.
TEST(Verdicts, EnergyAtRoundOffOfTheRows) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { table: { joint: {type: free, origin: [0, 0, 1]}, mass: 10, inertia: [1, 1, 1] } }
contacts:
  a: { body: table, with: world, point: [0.5, 0.5, -1], forbid: [normal, lateral, forward] }
  b: { body: table, with: world, point: [-0.5, 0.5, -1], forbid: [normal, lateral, forward] }
  c: { body: table, with: world, point: [-0.5, -0.5, -1], forbid: [normal, lateral, forward] }
  d: { body: table, with: world, point: [0.5, -0.5, -1], forbid: [normal, lateral, forward] }
forces: { push: { body: table, point: [0, 0, 0], force: ["20*t", 0, 0] } }
)");
  const RunResult run = simulate(model, 3);
  EXPECT_LT(run.integrals[0].drift, 1e-10);
  EXPECT_EQ(find_verdict(run, "energy").verdict, Holds::holds) << find_verdict(run, "energy").why;
}

// A joint stop, -k (x - 1) beyond x = 1, under gravity along x: the mass falls into it and comes back.
TEST(Verdicts, EnergyWithAJointStop) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [9.81, 0, 0]
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0 } }
forces: { stop: { joint: mass, law: "-1e4*(abs(mass - 1) + (mass - 1))/2" } }
)");
  RunOptions options;
  options.tolerance = 1e-12;
  options.integrator = "dop853";
  const RunResult run = simulate(model, 3, options);
  EXPECT_LT(run.integrals[0].drift, 1e-8);
  EXPECT_EQ(find_verdict(run, "energy").verdict, Holds::holds);
}

// A constant force has a potential; with a constant torque it has none, for turning once round does work.
TEST(Verdicts, ConstantForceWithATorqueDoesWork) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { body: { joint: {axes: [tx, rz]}, mass: 2, inertia: 0.5 } }
forces: { both: { body: body, point: [0, 0, 0], force: [3, 0, 0], torque: [0, 0, 1] } }
)");
  RunOptions options;
  options.tolerance = 1e-14;
  const RunResult run = simulate(model, 4, options);
  EXPECT_EQ(run.integrals[0].name, "E - W");
  EXPECT_LT(run.integrals[0].drift, 1.2e-11);  // of 52 J, a thousand units of round-off, which a step by series may depart by
  EXPECT_EQ(find_verdict(run, "energy").verdict, Holds::holds);
  EXPECT_NEAR(run.final.v[1], 1 / 0.5 * 4, 1e-12);
}

// ---- where it touches ------------------------------------------------------------------------------------------------

// A ball of radius 0.5 m rolls on flat ground against a ridge 0.3 m high and 0.05 m wide: from some moment on the ridge is
// inside.
const char* const kRidge = R"yaml(
vinculum: 1
bodies: {{ ball: {{ joint: {{axes: [tx, ty, tz, rx, ry, rz]}}, mass: 1, inertia: 0.1 }} }}
environment: {{ ground: {{ surface: "0.3*exp(-((x - 1)/0.05)^2)" }} }}
contacts: {{ touch: {{ body: ball, with: ground, {}, forbid: [normal, forward] }} }}
initial: {{ ball.tz: 0.5, "ball.tx'": 1, "ball.ry'": 2 }}
)yaml";

double ridge_distance(double x) {
  double least = HUGE_VAL;
  for (double s = x + 0.2; s < x + 0.6; s += 1e-6)
    least = std::min(least, std::hypot(s - x, 0.3 * std::exp(-std::pow((s - 1) / 0.05, 2)) - 0.5));
  return least;
}

TEST(Verdicts, RidgeInsideABallIsTold) {
  const RunResult run = simulate(read_model_text(fmt::format(fmt::runtime(kRidge), "sphere: {radius: 0.5}, forward: x")), 0.55);
  const Verdict verdict = find_verdict(run, "touch.contact");
  EXPECT_EQ(verdict.verdict, Holds::violated);
  // The ball rolls at 1 m/s.
  EXPECT_LT(ridge_distance(*verdict.first_violation), 0.5);
  EXPECT_GT(ridge_distance(*verdict.first_violation - 1e-5), 0.5 - 1e-6);
  EXPECT_NE(verdict.why.find(fmt::format("penetration of {:.3g} m into the sphere at t = 0.55 s", 0.5 - ridge_distance(0.55))),
            std::string::npos)
      << verdict.why;
  EXPECT_EQ(find_verdict(simulate(read_model_text(fmt::format(fmt::runtime(kRidge), "sphere: {radius: 0.5}, forward: x")), 0.4),
                         "touch.contact")
                .verdict,
            Holds::holds);
}

TEST(Verdicts, RidgeInsideAWheelIsTold) {
  const Model model = read_model_text(fmt::format(fmt::runtime(kRidge), "wheel: {axis: y, radius: 0.5}"));
  const Verdict verdict = find_verdict(simulate(model, 0.6), "touch.contact");
  EXPECT_EQ(verdict.verdict, Holds::violated);
  EXPECT_LT(ridge_distance(*verdict.first_violation), 0.5);
  EXPECT_GT(ridge_distance(*verdict.first_violation - 1e-5), 0.5 - 2e-6);
  EXPECT_EQ(find_verdict(simulate(model, 0.4), "touch.contact").verdict, Holds::holds);
}

void replace_all(std::string& text, const std::string& old, const std::string& by) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) text.replace(at, old.size(), by);
}

// A car whose two front wheels are steered alike: their rows coincide at t = 0, and contradict each other right after. Without
// slip the motion ends at once, and nothing is told of a step that failed; with it one wheel slips, and the rear axle bears what
// is left. Its mirror image, with the wheels exchanged, needs the same.
TEST(Verdicts, RowsThatCoincideAtAnInstantLeaveTheOthersAlone) {
  std::string text;
  std::ifstream file(std::string(VINCULUM_SOURCE_DIR) + "/tests/cases/slip/par.yaml");
  std::getline(file, text, '\0');
  replace_all(text, "+0.3)", ")");
  std::string mirrored = text;
  replace_all(mirrored, "0.1*sin", "-0.1*sin");
  replace_all(mirrored, "1500", "front");
  replace_all(mirrored, "900", "1500");
  replace_all(mirrored, "front", "900");
  std::vector<double> margins;
  for (const std::string& car : {text, mirrored}) {
    const Model model = read_model_text(car);
    RunOptions options;
    options.until = 2;
    RunListener nobody;
    const auto ideal = run_simulation(model, model.initial_state(), options, nobody);
    ASSERT_TRUE(ideal && ideal->failure);
    const Verdict up_to_there = find_verdict(*ideal, "r");
    EXPECT_EQ(up_to_there.verdict, Holds::not_checked) << up_to_there.why;
    EXPECT_GT(up_to_there.margin.value_or(0), 1);
    options.follow = Follow::frictional;
    const Verdict rear = find_verdict(simulate(model, 2, options), "r");
    EXPECT_EQ(rear.verdict, Holds::holds) << rear.why;
    margins.push_back(rear.margin.value_or(0));
  }
  EXPECT_GT(margins[0], 1);
  EXPECT_NEAR(margins[1], margins[0], 1e-6 * margins[0]);
}

// A demand that is never there has no moment: not t = 0, which is no time of a run from -2 s to -3 s.
TEST(Verdicts, NoDemandHasNoMoment) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], friction: 0.3, forbid: [normal, forward] } }
)yaml");
  State start = model.initial_state();
  start.t = -2;
  RunOptions options;
  options.until = -3;
  RunListener nobody;
  const auto run = run_simulation(model, start, options, nobody);
  ASSERT_TRUE(run);
  const Verdict verdict = find_verdict(*run, "foot.friction");
  EXPECT_EQ(verdict.verdict, Holds::holds);
  EXPECT_EQ(verdict.why, "needs no friction, available 0.3");
  EXPECT_FALSE(verdict.margin);
  EXPECT_FALSE(verdict.nearest_t);
}

// A body turns about x by a right angle: of rz, rx, ry the first and the last have one axis there, and one of them too many. It
// has mass and inertia, and asking for more would not help.
TEST(Verdicts, ParallelAxesOfAJointAreNoLackOfInertia) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { coin: { joint: {axes: [rz, rx, ry]}, mass: 2, inertia: [0.1, 0.2, 0.1] } }
initial: { coin.rx: 1.57079 }
)yaml");
  const Verdict verdict = find_verdict(simulate(model, 0.1), "accelerations");
  EXPECT_EQ(verdict.verdict, Holds::violated);
  EXPECT_NE(verdict.hint.find("two rotation axes of this joint are parallel"), std::string::npos) << verdict.hint;
}

}  // namespace
}  // namespace vinculum::testing::verdicts
