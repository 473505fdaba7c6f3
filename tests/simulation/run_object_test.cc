// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A run as an object: looked at, landed, changed, put into an image and taken out again.
#include <cmath>
#include <cstring>
#include <random>

#include <fmt/core.h>

#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/models_of_examples.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"
#include "vinculum/verdict/words.h"

namespace vinculum::testing::run_object {
namespace {

Run begin(const Model& model, const RunOptions& options) {
  auto run = Run::start(model, model.initial_state(), options);
  if (!run) throw std::runtime_error(run.failure().message);
  return std::move(*run);
}

Stop go(Run& run, double until, std::optional<Arrive> arrive = {}) {
  const auto stop = run.advance(until, nullptr, arrive);
  if (!stop) throw std::runtime_error(stop.failure().message);
  return *stop;
}

std::string words_of(const std::vector<Verdict>& verdicts) {
  std::string text;
  for (const Verdict& verdict : verdicts)
    text += verdict.subject + " " + std::string(to_text(verdict.verdict)) + " " + verdict.why + "\n";
  return text;
}

std::string words_of(const std::vector<Occurrence>& events) {
  std::string text;
  for (const Occurrence& event : events) text += fmt::format("{} {}\n", event.name(), event.t);
  return text;
}

void expect_same_bits(const State& a, const State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.modes, b.modes);
  EXPECT_EQ(a.memory, b.memory);
}

// Has not the patience for more than so many steps.
class Impatient : public RunListener {
 public:
  void on_step(double) override { ++steps_; }
  bool wants_to_stop() override { return steps_ > 300; }

 private:
  int steps_ = 0;
};

struct Looks {
  int runs = 0, within_steps = 0;
};

// Twenty looks anywhere and three images, each resumed in place of the run it was taken of, change no bit of the end: not of the
// state, not of an event, not of a verdict. Integrators of several steps start anew at an image, so they are only looked at.
void expect_no_cut(const Model& model, const RunOptions& options, std::mt19937& random, Looks& looks) {
  Impatient listener;
  const auto whole = run_simulation(model, model.initial_state(), options, listener);
  if (!whole || whole->end == RunResult::End::interrupted) return;
  const bool takes_images = whole->integrator == "taylor" || whole->integrator == "dop853" || whole->integrator == "moreau";
  std::vector<double> times;
  std::uniform_real_distribution<double> somewhere(model.initial_state().t, options.until);
  for (int i = 0; i < 20; ++i) times.push_back(somewhere(random));
  std::sort(times.begin(), times.end());
  auto run = begin(model, options);
  for (size_t i = 0; i < times.size(); ++i) {
    const Stop stop = go(run, times[i], Arrive::look);
    if (stop == Stop::failed) break;
    EXPECT_EQ(run.state().t, times[i]);
    if (!run.failure()) EXPECT_TRUE(run.sample());
    if (i == 5) run.verdicts();
    if (!takes_images || i % 7 != 3) continue;
    const auto image = run.image();
    ASSERT_TRUE(image) << image.failure().message;
    auto again = vinculum::Run::resume(model, *image);
    ASSERT_TRUE(again) << again.failure().message;
    expect_same_bits(again->state(), run.state());
    EXPECT_EQ(words_of(again->events()), words_of(run.events()));
    run = std::move(*again);
    ++looks.within_steps;
  }
  if (!run.failure()) go(run, options.until, Arrive::look);
  expect_same_bits(run.state(), whole->final);
  const RunResult result = run.result();
  EXPECT_EQ(result.steps, whole->steps);
  EXPECT_EQ(words_of(result.events), words_of(whole->events));
  EXPECT_EQ(words_of(result.verdicts), words_of(whole->verdicts));
  EXPECT_EQ(result.samples, whole->samples);
  ++looks.runs;
}

Looks look_at_all_models(double step) {
  std::mt19937 random(7);
  Looks looks;
  for (const auto& path : models_of_examples()) {
    Diagnostics diagnostics(path.string());
    const auto model = read_model_file(path.string(), diagnostics);
    if (!model) continue;
    for (const Follow follow : {Follow::bilateral, Follow::frictional}) {
      SCOPED_TRACE(path.string() + " " + std::string(word_of(follow)));
      RunOptions options;
      options.until = model->initial_state().t + 0.1;
      options.every = 0.02;
      options.follow = follow;
      options.step = step;
      options.watch_accuracy = false;
      options.watch_integrals = false;
      expect_no_cut(*model, options, random, looks);
    }
  }
  return looks;
}

TEST(RunObject, AnyCutIsNoCut) {
  const Looks looks = look_at_all_models(0);
  EXPECT_GT(looks.runs, 80);
  EXPECT_GT(looks.within_steps, 200);
}

// The same of steps of fixed length, which end where they end, whoever looks.
TEST(RunObject, AnyCutIsNoCutOfImplicitSteps) {
  const Looks looks = look_at_all_models(1.3e-3);
  EXPECT_GT(looks.runs, 40);
  EXPECT_GT(looks.within_steps, 100);
}

constexpr const char* kBlock = R"(
vinculum: 1
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2 kg } }
forces: { push: { joint: block, law: "4*t" } }
velocity_constraints: { stick: { equation: "block' = 0", bound: 3 N } }
)";

// The block slips where 4 t = 3 N. Whoever looks into that step before the slip does not see it, and whoever looks after it does,
// in the events and in the verdict; then it moves as ∫∫ (4 t - 3)/2 = (t - 0.75)³/3.
TEST(RunObject, VerdictsAreThoseOfThePresent) {
  const Model model = read_model_text(kBlock);
  RunOptions options;
  options.until = 2;
  options.follow = Follow::frictional;
  auto run = begin(model, options);
  const auto verdict_of_stick = [&] {
    for (const Verdict& verdict : run.verdicts()) {
      if (verdict.subject == "stick") return verdict;
    }
    throw std::runtime_error("no verdict on stick");
  };
  go(run, 0.7499, Arrive::look);
  EXPECT_TRUE(run.events().empty());
  EXPECT_EQ(verdict_of_stick().verdict, Holds::holds);
  EXPECT_NEAR(*verdict_of_stick().margin, 3 / (4 * 0.7499), 1e-6);
  go(run, 0.7501, Arrive::look);
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_NEAR(run.events()[0].t, 0.75, 1e-12);
  EXPECT_EQ(verdict_of_stick().verdict, Holds::violated);
  EXPECT_NEAR(*verdict_of_stick().first_violation, 0.75, 1e-12);
  go(run, 1.5, Arrive::look);
  EXPECT_NEAR(run.state().q[0], std::pow(0.75, 3) / 3, 1e-12);
}

// A landing ends a step: what follows is another run of the same motion, to the errors of its steps.
TEST(RunObject, LandsAndGoesOn) {
  const Model model = read_model_text(kBlock);
  RunOptions options;
  options.until = 2;
  options.follow = Follow::frictional;
  auto run = begin(model, options);
  for (int k = 1; k <= 20; ++k) {
    EXPECT_EQ(go(run, 0.1 * k, Arrive::land), Stop::reached);
    EXPECT_EQ(run.state().t, 0.1 * k);
  }
  EXPECT_NEAR(run.state().q[0], std::pow(1.25, 3) / 3, 1e-12);
  EXPECT_EQ(run.events().size(), 1u);
  // Looked at first and landed then, within the same step.
  auto other = begin(model, options);
  go(other, 1.01, Arrive::look);
  go(other, 1.02, Arrive::land);
  go(other, 2, Arrive::land);
  EXPECT_NEAR(other.state().q[0], std::pow(1.25, 3) / 3, 1e-12);
}

// Two kilograms that fly for a second and are sent back: x = 3 t, then 3 - 5 (t - 1). The energy of the change is work from
// outside, so that the balance is kept.
TEST(RunObject, StateIsSet) {
  const Model model = read_model_text(
      "vinculum: 1\nbodies: { block: { joint: { type: prismatic, axis: x }, mass: 2 kg } }\n"
      "forces: { drag: { joint: block, law: \"0\" } }\ninitial: { \"block'\": 3 }\n");
  RunOptions options;
  options.until = 2;
  auto run = begin(model, options);
  go(run, 1, Arrive::look);
  State state = run.state();
  EXPECT_NEAR(state.q[0], 3, 1e-14);
  state.v[0] = -5;
  ASSERT_FALSE(run.set_state(state));
  go(run, 2, Arrive::look);
  EXPECT_NEAR(run.state().q[0], 3 - 5, 1e-14);
  for (const Verdict& verdict : run.verdicts()) {
    if (verdict.subject == "energy") EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.why;
  }
  state.t = 1.5;
  const auto refused = run.set_state(state);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, "VN-RUN-143");
}

// A set state begins its own history: a resting block given 1 m/s slips at that instant, and stops by its bound of 3 N after
// v m/3 = 2/3 s (no push before t = 0).
TEST(RunObject, WhatAChangeCausesIsReportedThere) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2 kg } }
velocity_constraints: { stick: { equation: "block' = 0", bound: 3 N } }
)");
  RunOptions options;
  options.until = 2;
  options.follow = Follow::frictional;
  auto run = begin(model, options);
  go(run, 0.5);
  State state = run.state();
  state.v[0] = 1;
  state.modes[0] = 1 - state.modes[0];
  const auto failure = run.set_state(state);
  if (failure) GTEST_FAIL() << failure->message;
  go(run, 2);
  ASSERT_EQ(run.events().size(), 1u) << words_of(run.events());
  EXPECT_EQ(run.events()[0].name(), "stick:stick");
  EXPECT_NEAR(run.events()[0].t, 0.5 + 2.0 / 3, 1e-10);
  EXPECT_NEAR(run.state().q[0], 0.5 * 2.0 / 3, 1e-10);
}

TEST(RunObject, OnlyGoesOnToItsHorizon) {
  const Model model = read_model_text(kBlock);
  RunOptions options;
  options.until = 1;
  auto run = begin(model, options);
  EXPECT_EQ(run.advance(1.5).failure().code, "VN-RUN-143");
  go(run, 0.6);
  EXPECT_EQ(run.advance(0.5).failure().code, "VN-RUN-143");
  EXPECT_EQ(run.advance(std::nan("")).failure().code, "VN-RUN-143");
  EXPECT_TRUE(run.extend(0.5));
  ASSERT_FALSE(run.extend(3));
  EXPECT_EQ(go(run, 3), Stop::reached);
  EXPECT_EQ(run.state().t, 3);
}

// An event to stop at ends an advance, not the run.
TEST(RunObject, StopsAtAnEventAndGoesOn) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { ball: { joint: { type: prismatic, axis: z }, mass: 1 kg } }
contacts: { floor: { body: ball, with: world, point: [0, 0, 0], forbid: [normal], restitution: 0.5 } }
initial: { ball: 1 }
)");
  RunOptions options;
  options.until = 1.1;
  options.follow = Follow::unilateral;
  options.stop_at = "touch-down:floor";
  auto run = begin(model, options);
  const double fall = std::sqrt(2 / 9.81);
  EXPECT_EQ(go(run, 1.1), Stop::event);
  EXPECT_NEAR(run.state().t, fall, 1e-12);
  EXPECT_EQ(go(run, 1.1), Stop::event);  // the second one, after a flight of 2 e v/g
  EXPECT_NEAR(run.state().t, fall + 2 * 0.5 * fall, 1e-12);
  EXPECT_EQ(go(run, 1.1), Stop::reached);
  int touches = 0;
  for (const Occurrence& event : run.events()) touches += event.kind == EventKind::touch_down ? 1 : 0;
  EXPECT_EQ(touches, 2);
}

// Whoever asks to stop, between steps, within one or while its events are located, gets the motion so far; it goes on from there
// to the same bits.
TEST(RunObject, AskedToStopItGoesOnLater) {
  class Asks : public RunListener {
   public:
    bool wants_to_stop() override {
      if (++questions_ < patience_) return false;
      questions_ = 0;
      ++patience_;  // a step that is taken again asks as often as before
      return true;
    }

   private:
    int questions_ = 0, patience_ = 3;
  };
  const Model model = read_model_text(kBlock);
  RunOptions options;
  options.until = 2;
  options.follow = Follow::frictional;
  auto plain = begin(model, options), asked = begin(model, options);
  go(plain, 2);
  Asks listener;
  int stops = 0;
  while (asked.state().t < 2) {
    const auto stop = asked.advance(2, &listener);
    ASSERT_TRUE(stop);
    ASSERT_NE(*stop, Stop::failed);
    stops += *stop == Stop::asked ? 1 : 0;
  }
  EXPECT_GT(stops, 10);
  expect_same_bits(asked.state(), plain.state());
  EXPECT_EQ(words_of(asked.events()), words_of(plain.events()));
  EXPECT_EQ(words_of(asked.verdicts()), words_of(plain.verdicts()));
}

// Every changed byte is noticed, and so is another model.
TEST(RunObject, ImagesAreChecked) {
  const Model model = read_model_text(kBlock);
  RunOptions options;
  options.until = 2;
  auto run = begin(model, options);
  go(run, 0.3);
  const auto image = run.image();
  ASSERT_TRUE(image);
  for (size_t i = 0; i < image->size(); i += 7) {
    std::vector<std::byte> bytes = *image;
    bytes[i] ^= std::byte{4};
    EXPECT_EQ(vinculum::Run::resume(model, bytes).failure().code, "VN-RUN-142") << i;
  }
  EXPECT_EQ(vinculum::Run::resume(model, std::span(*image).first(40)).failure().code, "VN-RUN-142");
  std::string stronger = kBlock;
  stronger.replace(stronger.find("4*t"), 3, "5*t");
  EXPECT_EQ(vinculum::Run::resume(read_model_text(stronger), *image).failure().code, "VN-RUN-140");
}

// Steps of fixed length end where an input changes: 2 kg under 3 N for 0.5 s, then -3 N, are at 0.375 m and at rest. The midpoint
// rule makes no error there, and the change falls between two steps of 0.03 s.
TEST(RunObject, ImplicitStepsEndWhereInputsChange) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2 kg } }
inputs: { u: 3 N }
forces: { push: { joint: block, law: u } }
)");
  RunOptions options;
  options.until = 1;
  options.step = 0.03;
  auto run = begin(model, options);
  go(run, 0.5);
  EXPECT_FALSE(run.set_input(0, -3));
  go(run, 1);
  EXPECT_NEAR(run.state().q[0], 0.375, 1e-14);
  EXPECT_NEAR(run.state().v[0], 0, 1e-14);
  EXPECT_EQ(run.result().steps, 17 + 18);  // 0.03 .. 0.48, 0.5; 0.51 .. 0.99, 1
}

// A sampled law acts at its instants, which are ends of steps whatever their length. Between them the force holds:
// x_k+1 = x_k + T v_k + T²/2 a_k , v_k+1 = v_k + T a_k , a_k = -40 x_k - 8 v_k.
TEST(RunObject, ImplicitStepsEndAtSamplingInstants) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 1 kg } }
samples: { loop: { every: 0.1 s, hold: { u: "-40 N/m*block - 8 N*s/m*block'" }, initial: { u: 0 N } } }
forces: { push: { joint: block, law: u } }
initial: { block: 1 m }
)");
  double x = 1, v = 0;
  for (int k = 0; k < 10; ++k) {
    const double a = -40 * x - 8 * v;
    x += 0.1 * v + 0.005 * a;
    v += 0.1 * a;
  }
  for (const double step : {0.03, 1.0}) {
    RunOptions options;
    options.until = 1;
    options.step = step;
    auto run = begin(model, options);
    go(run, 1);
    EXPECT_NEAR(run.state().q[0], x, 1e-13) << step;
    EXPECT_NEAR(run.state().v[0], v, 1e-13) << step;
  }
}

// The block slips where 4 t = 3 N, t = 0.75 s: the step from 0.72 to 0.8 s is the first whose middle lies beyond.
TEST(RunObject, ImplicitStepsStopAtAnEvent) {
  const Model model = read_model_text(kBlock);
  RunOptions options;
  options.until = 2;
  options.follow = Follow::frictional;
  options.step = 0.08;
  options.stop_at = "slip";
  auto run = begin(model, options);
  const auto stop = run.advance(2);
  ASSERT_TRUE(stop);
  EXPECT_EQ(*stop, Stop::event);
  EXPECT_NEAR(run.state().t, 0.8, 1e-12);
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0].element, (ElementId{ElementKind::grip, 0}));
}

}  // namespace
}  // namespace vinculum::testing::run_object
