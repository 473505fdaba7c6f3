// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What acts on a run from outside: inputs that are set, tables of inputs, sampled laws of the model, controllers of a program.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::run_inputs {
namespace {

// Two kilograms pushed by an input.
std::string pushed(const std::string& more = {}) {
  return R"(
vinculum: 1
inputs: { u: { unit: N, initial: 3 N, range: [-5, 5] } }
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2 kg } }
forces: { push: { joint: block, law: "u" } }
)" + more;
}

RunOptions until(double t) {
  RunOptions options;
  options.until = t;
  return options;
}

auto begin(const Model& model, const RunOptions& options) {
  auto run = vinculum::Run::start(model, model.initial_state(), options);
  if (!run) throw std::runtime_error(run.failure().message);
  return std::move(*run);
}

Stop go(vinculum::Run& run, double until, std::optional<Arrive> arrive = {}) {
  const auto stop = run.advance(until, nullptr, arrive);
  if (!stop) throw std::runtime_error(stop.failure().message);
  return *stop;
}

const std::array<const char*, 4> kIntegrators{"taylor", "dop853", "cvode", "arkode"};
double accuracy_of(const std::string& integrator) { return integrator == "cvode" || integrator == "arkode" ? 1e-7 : 1e-14; }

// 3 N for half a second, then -3 N: x = 2·(3/2)(1/2)²/2 = 0.375 m, at rest again. The jump costs no accuracy: it is an end of a
// step.
TEST(RunInputs, AJumpIsAnEndOfAStep) {
  const Model model = read_model_text(pushed());
  for (const std::string integrator : kIntegrators) {
    RunOptions options = until(1);
    options.integrator = integrator;
    auto run = begin(model, options);
    EXPECT_EQ(go(run, 0.5), Stop::reached);
    ASSERT_FALSE(run.set_input(0, -3));
    EXPECT_EQ(run.inputs(), std::vector<double>{-3});
    EXPECT_EQ(go(run, 1), Stop::reached);
    EXPECT_NEAR(run.state().q[0], 0.375, accuracy_of(integrator)) << integrator;
    EXPECT_NEAR(run.state().v[0], 0, accuracy_of(integrator)) << integrator;
    for (const Verdict& verdict : run.verdicts()) EXPECT_NE(verdict.verdict, Holds::violated) << verdict.subject << verdict.why;
  }
}

// The value it has: no bit of what follows changes, and no step ends there.
TEST(RunInputs, TheSameValueChangesNothing) {
  const Model model = read_model_text(pushed("events: { there: \"block - 1\" }\n"));
  auto plain = begin(model, until(2)), set = begin(model, until(2));
  for (int k = 1; k < 20; ++k) {
    go(plain, 0.1 * k, Arrive::look);
    go(set, 0.1 * k, Arrive::look);
    ASSERT_FALSE(set.set_input(0, 3));
  }
  go(plain, 2, Arrive::look);
  go(set, 2, Arrive::look);
  EXPECT_EQ(plain.state().q, set.state().q);
  EXPECT_EQ(plain.state().v, set.state().v);
  EXPECT_EQ(plain.result().steps, set.result().steps);
}

// A block that its bound of 1 N holds against 0.5 N slips at the very instant at which the input becomes 3 N, and moves as
// (3 - 1)/2 (t - 1)²/2.
TEST(RunInputs, ASlipIsReportedWhereTheJumpCausesIt) {
  const Model model =
      read_model_text(pushed("velocity_constraints: { stick: { equation: \"block' = 0\", bound: 1 N } }\ninitial: { u: 0.5 }\n"));
  RunOptions options = until(3);
  options.follow = Follow::frictional;
  auto run = begin(model, options);
  go(run, 1);
  EXPECT_TRUE(run.events().empty());
  ASSERT_FALSE(run.set_input(0, 3));
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0].name(), "slip:stick");
  EXPECT_EQ(run.events()[0].t, 1);
  go(run, 3);
  EXPECT_NEAR(run.state().q[0], 2, 1e-13);
  EXPECT_NEAR(run.state().v[0], 2, 1e-13);
  for (const Verdict& verdict : run.verdicts()) {
    if (verdict.subject == "stick") EXPECT_EQ(verdict.first_violation, 1.0);
    if (verdict.subject == "energy") EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.why;
  }
}

TEST(RunInputs, WrongValuesAreRefused) {
  const Model model = read_model_text(pushed());
  auto run = begin(model, until(1));
  go(run, 0.5);
  for (const double wrong : {5.1, -6.0, HUGE_VAL, std::nan("")}) {
    const auto refused = run.set_input(0, wrong);
    ASSERT_TRUE(refused) << wrong;
    EXPECT_EQ(refused->code, "VN-INPUT-001") << wrong;
  }
  EXPECT_EQ(run.set_input(1, 0)->code, "VN-RUN-145");
  EXPECT_EQ(run.set_input(0, 1, 2)->code, "VN-RUN-145");  // it has no slope
  EXPECT_EQ(run.inputs(), std::vector<double>{3});
  State outside = model.initial_state();
  outside.q[1] = 5.5;
  EXPECT_EQ(vinculum::Run::start(model, outside, until(1)).failure().code, "VN-INPUT-001");
  go(run, 1);
  EXPECT_NEAR(run.state().q[0], 0.75, 1e-14);
}

// hold: linear; x'' = (a + b t)/2.
TEST(RunInputs, ALineIsHeld) {
  const Model model = read_model_text(R"(
vinculum: 1
inputs: { u: { unit: N, initial: 1 N, hold: linear } }
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2 kg } }
forces: { push: { joint: block, law: "u" } }
)");
  auto run = begin(model, until(2));
  ASSERT_FALSE(run.set_input(0, 1, 6));
  go(run, 1);
  EXPECT_NEAR(run.state().q[0], 0.5 / 2 + 6.0 / 12, 1e-14);
  EXPECT_NEAR(run.inputs()[0], 7, 1e-14);
  // A table of the same, with the corner at 1 s: 1 + 6 t, then 7 - 7 (t - 1).
  RunOptions options = until(2);
  InputTable table{{0}, {0, 1, 2}, {1, 7, 0}};
  options.inputs = std::make_shared<const InputTable>(table);
  const RunResult result = finish_run(model, options);
  const double x1 = 0.25 + 0.5, v1 = (1 + 3) / 2.0;
  EXPECT_NEAR(result.final.q[0], x1 + v1 + 7.0 / 4 - 7.0 / 12, 1e-14);
}

// Lines of a table hold until the next one; the run ends as one whose inputs are set by hand, bit for bit.
TEST(RunInputs, ATableSetsThem) {
  const Model model = read_model_text(pushed());
  RunOptions options = until(1);
  options.inputs = std::make_shared<const InputTable>(InputTable{{0}, {0.25, 0.5}, {1, -3}});
  const RunResult result = finish_run(model, options);
  auto run = begin(model, until(1));
  go(run, 0.25);
  run.set_input(0, 1);
  go(run, 0.5);
  run.set_input(0, -3);
  go(run, 1);
  EXPECT_EQ(result.final.q, run.state().q);
  EXPECT_EQ(result.final.v, run.state().v);
  // v = 3/8 + 1/8 - 3/4
  EXPECT_NEAR(result.final.v[0], -0.25, 1e-15);
  // A run that begins between two lines begins with the value that holds there.
  State late = model.initial_state();
  late.t = 0.75;
  RunListener nobody;
  const auto from_there = run_simulation(model, late, options, nobody);
  ASSERT_TRUE(from_there);
  EXPECT_NEAR(from_there->final.v[0], -1.5 * 0.25, 1e-15);
  options.inputs = std::make_shared<const InputTable>(InputTable{{0}, {0.25}, {7}});
  EXPECT_EQ(run_simulation(model, model.initial_state(), options, nobody).failure().code, "VN-INPUT-001");
  options.inputs = std::make_shared<const InputTable>(InputTable{{0}, {-0.25}, {1}});
  options.until = -1;
  EXPECT_EQ(run_simulation(model, model.initial_state(), options, nobody).failure().code, "VN-RUN-146");
}

// A PD law sampled at h on a double integrator, with an integral that remembers:
//
//   u_k = -kp x_k - kd v_k - ki s_k ,  s_k+1 = s_k + h x_k ,  x_k+1 = x_k + h v_k + h²/2 u_k ,  v_k+1 = v_k + h u_k
constexpr const char* kSampled = R"yaml(
vinculum: 1
bodies: { cart: { joint: { type: prismatic, axis: x }, mass: 1 kg } }
samples:
  loop: { every: 0.05 s, memory: { sum: "sum + 0.05 s*cart" }, hold: { u: "-9 N/m*cart - 4 N*s/m*cart' - 2 N/m*sum/(1 s)" }, initial: { sum: 0, u: 0 } }
forces: { drive: { joint: cart, law: "u" } }
initial: { cart: 1 }
)yaml";

struct Discrete {
  double x = 1, v = 0, s = 0, u = 0;
  void step(double h) {
    u = -9 * x - 4 * v - 2 * s;
    s += h * x;
    x += h * v + h * h / 2 * u;
    v += h * u;
  }
};

TEST(RunInputs, SampledLawsAreTheDiscreteSystem) {
  const Model model = read_model_text(kSampled);
  for (const std::string integrator : {"taylor", "dop853"}) {
    RunOptions options = until(3);
    options.integrator = integrator;
    const RunResult result = finish_run(model, options);
    Discrete exact;
    for (int k = 0; k < 60; ++k) exact.step(0.05);
    EXPECT_NEAR(result.final.q[0], exact.x, 1e-13) << integrator;
    EXPECT_NEAR(result.final.v[0], exact.v, 1e-13) << integrator;
    EXPECT_NEAR(result.final.q[*model.find_coordinate("sum")], exact.s, 1e-13) << integrator;
    EXPECT_NEAR(result.final.q[*model.find_coordinate("u")], exact.u, 1e-13) << integrator;
  }
}

// Cut at an instant and between two: what acts there acts once.
TEST(RunInputs, ACutRunIsTheWholeRun) {
  const Model model = read_model_text(kSampled);
  const RunResult whole = finish_run(model, until(3));
  RunListener nobody;
  for (const double cut : {0.05, 0.3, 6 * 0.05, 0.333, 1.0}) {
    const RunResult first = finish_run(model, until(cut));
    const auto second = run_simulation(model, first.final, until(3), nobody);
    ASSERT_TRUE(second);
    for (size_t i = 0; i < whole.final.q.size(); ++i) EXPECT_NEAR(second->final.q[i], whole.final.q[i], 1e-13) << cut;
  }
  // And in an image, to the bit.
  auto run = begin(model, until(3));
  go(run, 1.02);
  const auto image = run.image();
  ASSERT_TRUE(image);
  auto resumed = vinculum::Run::resume(model, *image);
  ASSERT_TRUE(resumed) << resumed.failure().message;
  go(*resumed, 3);
  EXPECT_EQ(resumed->state().q, whole.final.q);
  EXPECT_EQ(resumed->state().v, whole.final.v);
}

// A program in place of the law, half a period late: u acts from (k + 1/2) h to (k + 3/2) h.
TEST(RunInputs, AControllerActsWithItsDelay) {
  const Model model = read_model_text(R"(
vinculum: 1
inputs: { u: { unit: N, initial: 0 } }
bodies: { cart: { joint: { type: prismatic, axis: x }, mass: 1 kg } }
forces: { drive: { joint: cart, law: "u" } }
outputs: { twice: "2*cart" }
initial: { cart: 1 }
)");
  for (const double delay : {0.0, 0.025}) {
    auto run = begin(model, until(3));
    int calls = 0;
    Controller controller{
        0.05, 0, delay, {0}, [&](const State& state, std::span<const double> outputs, std::span<double> values) {
          ++calls;
          EXPECT_EQ(outputs[0], 2 * state.q[0]);
          values[0] = -9 * state.q[0] - 4 * state.v[0];
          return std::optional<Failure>();
        }};
    ASSERT_FALSE(run.add_controller(controller));
    EXPECT_EQ(go(run, 3), Stop::reached);
    double x = 1, v = 0, before = 0;
    const auto coast = [&](double h, double u) { x += h * v + h * h / 2 * u, v += h * u; };
    for (int k = 0; k < 60; ++k) {
      const double u = -9 * x - 4 * v;
      coast(delay, before);
      coast(0.05 - delay, u);
      before = u;
    }
    EXPECT_NEAR(run.state().q[0], x, 1e-13) << delay;
    EXPECT_NEAR(run.state().v[0], v, 1e-13) << delay;
    EXPECT_EQ(calls, 60);
  }
}

TEST(RunInputs, AFailingControllerEndsTheRun) {
  const Model model = read_model_text(pushed());
  auto run = begin(model, until(1));
  Controller controller{0.1, 0, 0, {0}, [](const State& state, std::span<const double>, std::span<double> values) {
                          values[0] = 40 * state.t;  // leaves the range after 0.1 s
                          return std::optional<Failure>();
                        }};
  EXPECT_EQ(run.add_controller({0, 0, 0, {0}, controller.update})->code, "VN-RUN-145");
  EXPECT_EQ(run.add_controller({0.1, 0, 0.1, {0}, controller.update})->code, "VN-RUN-145");
  EXPECT_EQ(run.add_controller({0.1, 0, 0, {1}, controller.update})->code, "VN-RUN-145");
  ASSERT_FALSE(run.add_controller(controller));
  EXPECT_EQ(go(run, 1), Stop::failed);
  EXPECT_EQ(run.failure()->code, "VN-INPUT-001");
  EXPECT_NEAR(run.state().t, 0.2, 1e-15);
  EXPECT_EQ(run.add_controller(controller)->code, "VN-INPUT-001");  // of the run, which goes no further
}

void expect_near(const State& a, const State& b, double allowed) {
  EXPECT_EQ(a.t, b.t);
  for (size_t i = 0; i < a.q.size(); ++i) EXPECT_NEAR(a.q[i], b.q[i], allowed);
  for (size_t i = 0; i < a.v.size(); ++i) EXPECT_NEAR(a.v[i], b.v[i], allowed);
}

// On the way it acts from the present on, also where somebody has looked into a step; and after an image it is added again.
TEST(RunInputs, AControllerComesOnTheWay) {
  const Model model = read_model_text(pushed());
  const Controller damp{0.05, 0, 0, {0}, [](const State& state, std::span<const double>, std::span<double> values) {
                          values[0] = -2 * state.v[0] + 0.5;
                          return std::optional<Failure>();
                        }};
  auto run = begin(model, until(2));
  ASSERT_FALSE(run.add_controller(damp));
  go(run, 2);
  auto in_parts = begin(model, until(2));
  ASSERT_FALSE(in_parts.add_controller(damp));
  go(in_parts, 0.52);
  const auto image = in_parts.image();
  ASSERT_TRUE(image);
  auto resumed = vinculum::Run::resume(model, *image);
  ASSERT_TRUE(resumed);
  ASSERT_FALSE(resumed->add_controller(damp));
  go(*resumed, 2);
  expect_near(resumed->state(), run.state(), 1e-13);

  // Added late: nothing is held before, and then as from a start there.
  auto late = begin(model, until(2));
  ASSERT_TRUE(late.advance(0.52, nullptr, Arrive::look));
  ASSERT_FALSE(late.add_controller(damp));
  EXPECT_EQ(late.state().t, 0.52);
  go(late, 2);
  RunListener nobody;
  const auto alone = run_simulation(model, model.initial_state(), until(0.52), nobody);
  ASSERT_TRUE(alone);
  auto after = vinculum::Run::start(model, alone->final, until(2));
  ASSERT_TRUE(after);
  ASSERT_FALSE(after->add_controller(damp));
  go(*after, 2);
  expect_near(late.state(), after->state(), 1e-12);
  EXPECT_GT(std::abs(late.state().v[0] - run.state().v[0]), 1e-3);
}

// Two rates: the slow entry sees what the fast one, before it in the file, has just held. y_k = 1, 2, 3, ..; z at every third
// instant is y at that instant.
TEST(RunInputs, EntriesActInTheirOrder) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { cart: { joint: { type: prismatic, axis: x }, mass: 1 kg } }
samples:
  fast: { every: 0.1 s, memory: { y: "y + 1" } }
  slow: { every: 0.3 s, offset: 0.1 s, hold: { z: "y" } }
)");
  const auto at = [&](double t, const char* name) { return finish_run(model, until(t)).final.q[*model.find_coordinate(name)]; };
  EXPECT_EQ(at(0.05, "y"), 1);
  EXPECT_EQ(at(0.05, "z"), 0);
  EXPECT_EQ(at(0.15, "z"), 2);
  EXPECT_EQ(at(0.35, "z"), 2);
  EXPECT_EQ(at(0.45, "z"), 5);
  EXPECT_EQ(at(0.99, "y"), 10);
}

}  // namespace
}  // namespace vinculum::testing::run_inputs
