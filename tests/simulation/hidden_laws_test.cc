// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws that hide something from an integrator: roots that run through zero, blows between two looks, jumps. Every integrator must
// give the motion of the closed form.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/ensemble.h"
#include "vinculum/simulation/run.h"
#include "vinculum/stepping/laws_of_time.h"

namespace vinculum {
namespace {

constexpr double kPi = std::numbers::pi;

RunResult simulate(const Model& model, double until, const std::string& integrator, double tolerance = 1e-10,
                   double largest_step = 0) {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator;
  options.largest_step = largest_step;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

class HiddenLaws : public ::testing::TestWithParam<const char*> {
 protected:
  // The last coordinate at the end of a run that must succeed.
  double end(const Model& model, double until, double tolerance = 1e-10) const {
    const RunResult result = simulate(model, until, GetParam(), tolerance);
    EXPECT_FALSE(result.failure) << result.failure->message;
    return result.final.q.back();
  }
  bool is_stiff() const { return std::string(GetParam()) == "cvode" || std::string(GetParam()) == "arkode"; }
  // The errors of some hundred steps of relative 1e-10; multistep methods add up more of them.
  double accuracy() const { return is_stiff() ? 1e-6 : 2e-8; }
};

INSTANTIATE_TEST_SUITE_P(All, HiddenLaws, ::testing::Values("taylor", "dop853", "cvode", "arkode"),
                         [](const auto& info) { return info.param; });

Model ball_in_air(double sideways, double up) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies:
  x: {{ joint: {{type: prismatic, axis: x}}, mass: 0, inertia: 0 }}
  z: {{ parent: x, joint: {{type: prismatic, axis: z}}, mass: 1, inertia: .1 }}
forces:
  along: {{ joint: x, law: "-0.05*sqrt(x'^2 + z'^2)*x'" }}
  drag: {{ joint: z, law: "-0.05*sqrt(x'^2 + z'^2)*z'" }}
initial: {{ "x'": {}, "z'": {} }}
)yaml",
                                     sideways, up));
}

// Up: v = w tan(φ - g t/w), w² = g/k, tan φ = v0/w; h = w²/(2g) ln(1 + v0²/w²). Down: h - w²/g ln cosh(g s/w), s since the apex.
double height_in_air(double t, double v0) {
  const double g = 9.81, k = 0.05, w = std::sqrt(g / k), rising = w / g * std::atan(v0 / w);
  return w * w / (2 * g) * std::log(1 + v0 * v0 / (w * w)) - w * w / g * std::log(std::cosh(g * (t - rising) / w));
}

// At the apex √(v²) is no power series: the one from below goes on with a drag that drives. Beside it, at a millionth of the
// speed sideways, the radius of convergence does not show it either.
TEST_P(HiddenLaws, ABallThrownUpFallsByItsDrag) {
  EXPECT_NEAR(height_in_air(5, 10), -39.71629, 5e-6) << "the printed value";
  for (double sideways : {0.0, 1e-9, 1e-6, 1e-4}) {
    EXPECT_NEAR(end(ball_in_air(sideways, 10), 5), height_in_air(5, 10), std::max(10 * accuracy(), sideways * sideways * 100))
        << sideways;
  }
}

TEST_P(HiddenLaws, ABallLetGoHasNoSeriesButFalls) {
  EXPECT_NEAR(end(ball_in_air(0, 0), 5), height_in_air(5, 0), 10 * accuracy());
}

// The velocity returns within what could be one step: the series is on the right branch again at its end.
TEST_P(HiddenLaws, AShortReturnIsSeen) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: .1 } }
forces: { push: { joint: p, law: "-3*sqrt(p'^2)*p' + 2*(t - 1.5)" } }
initial: { "p'": 0.4 }
)yaml");
  EXPECT_NEAR(end(model, 3), simulate(model, 3, "dop853", 1e-13, 1e-3).final.q[0], accuracy());
}

TEST(HiddenLawsOfEnsembles, ABallThrownUpFallsByItsDrag) {
  const Model model = ball_in_air(0, 10);
  const std::vector<State> starts(5, model.initial_state());
  EnsembleOptions options;
  options.until = 5;
  options.tolerance = 1e-10;
  const auto runs = run_ensemble(model, starts, options);
  ASSERT_TRUE(runs);
  for (const EnsembleRun& run : *runs) EXPECT_NEAR(run.final.q[1], height_in_air(5, 10), 1e-7);
}

// x = ½ + cos 10 t while the spring is on one side; through zero length after a third of π/5, with the force turned round.
TEST_P(HiddenLaws, ASpringRunsThroughZeroLength) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: .1 } }
forces: { spring: { between: [world, [0, 0, 0]], and: [p, [0, 0, 0]], stiffness: 100, length: .5 } }
initial: { p: 1.5 }
)yaml");
  const double period = 4 * 2 * kPi / 30;
  const RunResult result = simulate(model, 2.5 * period, GetParam());
  ASSERT_FALSE(result.failure);
  EXPECT_NEAR(result.final.q[0], -1.5, accuracy()) << "at rest there: errors in time do not show";
  EXPECT_NEAR(end(model, 2.25 * period), 0, 2e-5);
  EXPECT_LT(result.integrals[0].drift, 1e-4) << "of 50 J";
}

Model pulse(double at, double width, const char* factor = "") {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: {{ at: {:.17g}, width: {:.17g} }}
bodies: {{ p: {{ joint: {{type: prismatic, axis: z}}, mass: 1, inertia: .1 }} }}
forces: {{ kick: {{ joint: p, law: "exp(-((t - at)/width)^2{})/width/sqrt(pi)" }} }}
)yaml",
                                     at, width, factor));
}

// A blow of momentum 1, however short: p = t - at.
TEST_P(HiddenLaws, ABlowIsNotSteppedOver) {
  for (double width : {0.3, 1e-2, 1e-3, 1e-6}) {
    for (double at : {kPi, 5.0, 4 * std::sqrt(2.0), 2.5}) {
      EXPECT_NEAR(end(pulse(at, width), 10), 10 - at, 100 * accuracy()) << width << " s at " << at;
    }
  }
  EXPECT_NEAR(end(pulse(kPi, 1e-3, " - 1e-3*p'^2*0 - p"), 10), end(pulse(kPi, 1e-3), 10), 1e-2) << "with the state in it";
}

// A coordinate that follows a law with a bump shakes what hangs on it.
TEST_P(HiddenLaws, ABumpOfAGivenMotionIsSeen) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 }
  b: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: 0 }
motions: { cart: "0.1*exp(-((t - pi)/0.01)^2)" }
)yaml");
  const double reference = simulate(model, 6, "dop853", 1e-13, 1e-3).final.q[1];
  EXPECT_GT(std::abs(reference), 1e-5);
  EXPECT_NEAR(end(model, 6), reference, 10 * accuracy());
}

TEST_P(HiddenLaws, AShakenAnchorIsSeen) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
environment: { shaker: { position: ["0.5*exp(-((t - 5)/0.02)^2)", 0, 0] } }
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 } }
forces: { spring: { between: [shaker, [0, 0, 0]], and: [p, [2, 0, 0]], stiffness: 10, length: 2 } }
)yaml");
  const double reference = simulate(model, 8, "dop853", 1e-13, 1e-3).final.q[0];
  EXPECT_GT(std::abs(reference), 1e-3);
  EXPECT_NEAR(end(model, 8), reference, 10 * accuracy());
}

TEST_P(HiddenLaws, NoStepIsLongerThanAsked) {
  const Model model = pulse(1, 0.3);
  EXPECT_GE(simulate(model, 2, GetParam(), 1e-3, 1e-3).steps, 2000);
}

// A law that a step sees well does not shorten it: as many steps as where nothing is looked over.
TEST(LawsOfTime, PeriodicLawsAreLeftAlone) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: .1 } }
forces: { hum: { joint: p, law: "t*exp(-t/10)*sin(50*t) + cos(3*t)^2" } }
)yaml");
  LawsOfTime laws(model);
  const double q[] = {0}, v[] = {0};
  laws.begin(0, 100, 1e-10, q, v);
  for (double t = 0; t < 100; t += 0.317) {
    for (double step : {0.06, 0.02, 1e-3, 1e-6, -0.03}) EXPECT_EQ(laws.find_step(t, q, v, step), step) << t;
  }
}

Model rubbing(const char* law, double start) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, -9.1]
bodies: {{ p: {{ joint: {{type: prismatic, axis: z}}, mass: 1, inertia: .1 }} }}
forces: {{ rub: {{ joint: p, law: "{}" }} }}
initial: {{ "p'": {} }}
)yaml",
                                     law, start));
}

// Up with 9.1 + 5, down with 9.1 - 5.
TEST_P(HiddenLaws, FrictionTurnsRoundWithTheMotion) {
  const double up = 5 / 14.1, expected = 2.5 * up - 4.1 / 2 * (3 - up) * (3 - up);
  for (const char* law : {"-5*sign(p')", "-5*p'/abs(p')", "-5*p'*abs(p')^-1"}) {
    const RunResult result = simulate(rubbing(law, 5), 3, GetParam());
    ASSERT_FALSE(result.failure) << result.failure->message;
    EXPECT_NEAR(result.final.q[0], expected, accuracy()) << law;
    EXPECT_LT(result.steps, 400) << "no step is lost on the jump";
  }
  EXPECT_NEAR(end(rubbing("-5*sign(p')", 0), 3), -4.1 / 2 * 9, accuracy()) << "from rest";
}

// Friction stronger than the weight holds the body where it stops.
TEST_P(HiddenLaws, StickingIsTold) {
  for (double start : {5.0, 0.0, -5.0}) {
    const RunResult result = simulate(rubbing("-15*sign(p')", start), 3, GetParam());
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->code, "VN-RUN-110");
    EXPECT_NE(result.failure->message.find("force 'rub': sign(p')"), std::string::npos) << result.failure->message;
    const double stop = start > 0 ? 5 / 24.1 : start < 0 ? 5 / 5.9 : 0;
    EXPECT_NEAR(result.final.t, stop, 1e-8);
  }
}

// Between two walls of constant force: parabolas, back after 4 √(2 x/a).
TEST_P(HiddenLaws, AForceThatTurnsWithThePlace) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: .1 } }
forces: { well: { joint: p, law: "-10*sign(p)" } }
initial: { p: 1 }
)yaml");
  const double period = 4 * std::sqrt(0.2);
  EXPECT_NEAR(end(model, 5 * period), 1, accuracy());
  EXPECT_NEAR(end(model, 5.25 * period), 0, 10 * accuracy());
}

TEST_P(HiddenLaws, AForceThatTurnsWithTime) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: .1 } }
forces: { turn: { joint: p, law: "sign(t - 1) + sign(t - 1.5)*sign(t - 1.5001)" } }
)yaml");
  // -1 + 1, then 1 + 1 but for 0.1 ms.
  const double before = 0.5 * 2 * 0.25, v = 1, short_while = 1e-4, rest = 0.5 - short_while;
  EXPECT_NEAR(end(model, 2), before + v * 0.5 + 0.5 * 2 * rest * rest, accuracy());
}

// A mass of 1 kg without gravity under a law of force.
Model driven_by(const std::string& law, const std::string& initial) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ p: {{ joint: {{type: prismatic, axis: z}}, mass: 1, inertia: .1 }} }}
forces: {{ law: {{ joint: p, law: "{}" }} }}
initial: {{ {} }}
)yaml",
                                     law, initial));
}

// 0, 1, 2, 3 N for a second each: x(3) = 1/2 + 1 + 1, x'(3) = 3. And 2 N for a second, nothing, -4 N from 1.5 s on.
TEST_P(HiddenLaws, StepsAndChoicesInTime) {
  EXPECT_NEAR(end(driven_by("floor(t)", ""), 3.5), 2.5 + 3 * 0.5 + 0.5 * 3 * 0.25, accuracy());
  EXPECT_NEAR(end(driven_by("if(t < 1, 2, if(t >= 1.5, -4, 0))", ""), 2), 2 + 2 * 0.5 - 0.5 * 4 * 0.25, accuracy());
}

// A force for a time, or over a length, below the round-off of t or p: the condition is met at the kink of abs alone, where both
// sides lead on. The motion goes on as without it.
TEST_P(HiddenLaws, AForceForNoTime) {
  for (const char* width : {"1e-17", "1e-15", "1e-14"}) {
    for (const char* of : {"t", "p"}) {
      SCOPED_TRACE(fmt::format("abs({} - 1) < {}", of, width));
      const Model model = driven_by(fmt::format("5*if(abs({} - 1) < {}, 1, 0)", of, width), "\"p'\": 2");
      EXPECT_NEAR(end(model, 3), 6, accuracy());
      const Model back = driven_by(fmt::format("-5*if(abs({} - 1) < {}, 1, 0)", of, width), "p: 2, \"p'\": -2");
      EXPECT_NEAR(end(back, 3), -4, accuracy());
    }
  }
}

// Up the stairs of force: free to p = 1, against 1 N to p = 2, against 2 N to p = 2.5, and the same way back; the energy of each
// step is remembered. And between two walls of constant force.
TEST_P(HiddenLaws, StepsAndChoicesInPlace) {
  const double there = 0.25 + (2 - std::sqrt(2.0)) + std::sqrt(0.5);
  const RunResult stairs = simulate(driven_by("-floor(p)", "p: 0.5, \"p'\": 2"), 2 * there, GetParam());
  ASSERT_FALSE(stairs.failure) << stairs.failure->message;
  EXPECT_NEAR(stairs.final.q[0], 0.5, 10 * accuracy());
  EXPECT_NEAR(stairs.final.v[0], -2, 10 * accuracy());
  const auto energy = std::ranges::find(stairs.verdicts, std::string("energy"), &Verdict::subject);
  ASSERT_NE(energy, stairs.verdicts.end());
  EXPECT_EQ(energy->verdict, Holds::holds) << energy->why;
  EXPECT_NEAR(end(driven_by("if(p < 0, 10, -10)", "p: 1"), 20 * std::sqrt(0.2)), 1, accuracy());
}

// What max gives has a kink, but a potential: a stop of 1e4 N/m at p = 1 sends the mass back as it came.
TEST_P(HiddenLaws, AStopByMax) {
  const double in_stop = M_PI / 100;
  const RunResult stop = simulate(driven_by("-1e4*max(p - 1, 0)", "\"p'\": 2"), 1 + in_stop, GetParam());
  ASSERT_FALSE(stop.failure) << stop.failure->message;
  EXPECT_NEAR(stop.final.q[0], 0, 1e-6);
  EXPECT_NEAR(stop.final.v[0], -2, 1e-6);
  for (const Verdict& verdict : stop.verdicts) {
    // The search of first integrals has not seen the stop, which turns the momentum round.
    EXPECT_EQ(verdict.verdict, verdict.subject == "integrals" ? Holds::not_checked : Holds::holds) << verdict.why;
  }
}

// Where the force rises from one side to the other, the motion is held there: told, with the choice named.
TEST_P(HiddenLaws, AChoiceThatHoldsIsTold) {
  const RunResult result = simulate(driven_by("if(p' < 0, 10, -10)", "\"p'\": 5"), 3, GetParam());
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, "VN-RUN-110");
  EXPECT_NE(result.failure->message.find("force 'law': if(p' < 0, 10, -10)"), std::string::npos) << result.failure->message;
  EXPECT_NEAR(result.final.t, 0.5, 1e-8);
}

// x'' = -3 tanh(x'/0.5): sinh(x'/0.5) = sinh(4) exp(-6 t) .
TEST_P(HiddenLaws, TanhHasASeries) {
  const Model model = driven_by("-3*tanh(p'/0.5)", "\"p'\": 2");
  const RunResult result = simulate(model, 1, GetParam());
  EXPECT_EQ(result.integrator, GetParam());
  EXPECT_NEAR(result.final.v[0], 0.5 * std::asinh(std::sinh(4.0) * std::exp(-6.0)), accuracy());
}

// x'' = -asin x keeps x'²/2 + x asin x + √(1 - x²) .
TEST_P(HiddenLaws, InverseFunctionsHaveASeries) {
  const auto energy = [](const State& at) {
    const double x = at.q[0];
    return at.v[0] * at.v[0] / 2 + x * std::asin(x) + std::sqrt(1 - x * x);
  };
  const RunResult result = simulate(driven_by("-asin(p)", "p: 0.5, \"p'\": 0.4"), 2, GetParam());
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_EQ(result.integrator, GetParam());
  EXPECT_GT(std::abs(result.final.q[0] - 0.5), 0.1);
  EXPECT_NEAR(energy(result.final), 0.08 + 0.5 * std::asin(0.5) + std::sqrt(0.75), accuracy());
}

// The angle of (-1e9, p) jumps from -π to π at p = 0: x'' = -2π before, 2π behind.
TEST_P(HiddenLaws, AnAngleThatJumpsIsPassed) {
  const RunResult result = simulate(driven_by("2*atan2(p, -1e9)", "p: -1, \"p'\": 5"), 1, GetParam());
  ASSERT_FALSE(result.failure) << result.failure->message;
  const double v = std::sqrt(25 - 4 * kPi), rest = 1 - (5 - v) / (2 * kPi);
  EXPECT_NEAR(result.final.q[0], v * rest + kPi * rest * rest, accuracy() + 2e-9);
}

TEST_P(HiddenLaws, AGivenMotionMustNotJump) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 }
  b: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: 0 }
motions: { cart: "abs(t - 1)" }
)yaml");
  const RunResult result = simulate(model, 2, GetParam());
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, "VN-RUN-112");
  EXPECT_NEAR(result.final.t, 1, 1e-9);
}

// Asked within steps as well; what there is stays good.
TEST_P(HiddenLaws, StopsWhereItIsAsked) {
  struct Stopper : RunListener {
    int asked = 0;
    bool wants_to_stop() override { return ++asked > 40; }
  } stopper;
  const Model model = ball_in_air(0, 10);
  RunOptions options;
  options.until = 1000;
  options.integrator = GetParam();
  const auto result = run_simulation(model, model.initial_state(), options, stopper);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RunResult::End::interrupted);
  EXPECT_FALSE(result->failure);
  EXPECT_LE(stopper.asked, 44);
}

// A billion turns a second for a day.
TEST_P(HiddenLaws, AnEndOutOfReachIsTold) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: .1 } }
forces: { hard: { joint: p, law: "-1e18*p" } }
initial: { p: 1 }
)yaml");
  const RunResult result = simulate(model, 86400, GetParam(), 1e-6);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, "VN-RUN-113") << result.failure->message;
}

// Takes the checkpoint after a given number of steps.
struct Saver : RunListener {
  long wanted = 0, offered = 0;
  std::optional<Checkpoint> taken;
  bool wants_checkpoint() override { return ++offered == wanted; }
  void on_checkpoint(const Checkpoint& checkpoint) override { taken = checkpoint; }
};

// Also from the zero of a root or of a switch itself.
TEST(HiddenLawsResumed, EveryStepGoesOnToTheBit) {
  for (const auto& [model, integrator] : {std::pair{ball_in_air(0, 10), "taylor"}, {rubbing("-5*sign(p')", 5), "dop853"}}) {
    RunOptions options;
    options.until = 5;
    options.integrator = integrator;
    RunListener nobody;
    const auto whole = run_simulation(model, model.initial_state(), options, nobody);
    ASSERT_TRUE(whole && !whole->failure);
    for (long step = 1; step < whole->steps; ++step) {
      Saver saver;
      saver.wanted = step;
      ASSERT_TRUE(run_simulation(model, model.initial_state(), options, saver));
      ASSERT_TRUE(saver.taken);
      const auto resumed = run_simulation(model, model.initial_state(), options, nobody, &*saver.taken);
      ASSERT_TRUE(resumed && !resumed->failure) << step;
      EXPECT_EQ(resumed->final.q, whole->final.q) << integrator << " from step " << step;
      EXPECT_EQ(resumed->steps, whole->steps);
    }
  }
}

}  // namespace
}  // namespace vinculum
