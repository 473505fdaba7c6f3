// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A motion from C++: a cart that a controller brings to 0.5 m against dry friction, stepped from outside.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "vinculum/files/read_model.h"
#include "vinculum/simulation/recorder.h"
#include "vinculum/verdict/words.h"

using namespace vinculum;

int main() {
  const Model model = read_model_text(R"(
vinculum: 1
inputs: { motor: { unit: N, range: [-20, 20] } }
bodies: { cart: { joint: { type: prismatic, axis: x }, mass: 2 kg, inertia: 0 } }
forces: { drive: { joint: cart, law: "motor" } }
velocity_constraints: { stick: { equation: "cart' = 0", bound: 0.5 N } }
)");
  RunOptions options;
  options.until = 5;
  options.follow = Follow::frictional;
  auto run = Run::start(model, model.initial_state(), options);
  if (!run) {
    std::fprintf(stderr, "%s\n", run.failure().message.c_str());
    return 1;
  }

  // Called every 10 ms; in between the motor's force holds. Near the goal it is less than the friction: the cart stops short.
  Controller controller;
  controller.period = 0.01;
  controller.inputs = {*model.find_input("motor")};
  controller.update = [&](const State& state, std::span<const double>, std::span<double> values) {
    const double error = 0.5 - state.q[0];
    values[0] = 30 * error - 14 * state.v[0];
    return std::optional<Failure>();
  };
  if (auto refused = run->add_controller(controller)) {
    std::fprintf(stderr, "%s\n", refused->message.c_str());
    return 1;
  }

  // Keeps the friction force of every sample.
  Recorder friction(model, {*find_quantity(model, "stick")});
  for (double t = 0.5; t <= 5; t += 0.5) {
    const auto stop = run->advance(t, &friction);
    if (!stop || *stop == Stop::failed) {
      std::fprintf(stderr, "%s\n", (stop ? run->failure()->message : stop.failure().message).c_str());
      return 1;
    }
    std::printf("%4.1f s  cart %8.5f m  motor %8.4f N\n", run->state().t, run->state().q[0], run->inputs()[0]);
  }
  const double largest = std::ranges::max(friction.values(), {}, [](double force) { return std::abs(force); });
  std::printf("friction reaches %.4f N in %zu samples\n", std::abs(largest), friction.rows());
  std::printf("rests at %.4f m: %.4f N of the friction limit of 0.5 N\n", run->state().q[0], run->inputs()[0]);
  for (const Verdict& verdict : run->verdicts())
    std::printf("%-14s %-12s %s\n", verdict.subject.c_str(), std::string(to_text(verdict.verdict)).c_str(), verdict.why.c_str());
  return 0;
}
