// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/trace.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/tape.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/math/dual.h"

namespace vinculum {
namespace {

using testing::Random;
using testing::run;

// A tree with every joint and every kind of force, a state of it, and the inputs of a tape at that state.
struct Case {
  explicit Case(int seed) : random(seed), model(testing::build(words(seed))), workspace(model) {
    state = testing::random_state(model, random);
    state.t = 0.4;
    in = {state.t};
    in.insert(in.end(), state.q.begin(), state.q.end());
    in.insert(in.end(), state.v.begin(), state.v.end());
  }
  ModelDescription words(int seed) {
    ModelDescription description = testing::random_tree(random.next(), 1 + seed);
    testing::add_joint_forces(description, random);
    testing::add_body_forces(description, random);
    testing::add_motions(description);
    return description;
  }

  Random random;
  Model model;
  Workspace workspace;
  State state;
  std::vector<double> in;
};

class Traces : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Traces, ::testing::Range(1, 8));

TEST_P(Traces, AccelerationsAndForcesHaveTheBitsOfTheRecursion) {
  Case c(GetParam());
  std::vector<double> accelerations(c.state.v.size()), forces(c.state.v.size());
  ASSERT_TRUE(compute_accelerations(c.model, c.state.t, c.state.q, c.state.v, accelerations, c.workspace));
  EXPECT_EQ(run(trace_accelerations(c.model), c.in), accelerations);

  compute_forces(c.model, c.state.t, c.state.q, c.state.v, accelerations, forces, c.workspace);
  std::vector<double> in = c.in;
  in.insert(in.end(), accelerations.begin(), accelerations.end());
  const Tape tape = trace_forces(c.model);
  EXPECT_EQ(run(tape, in), forces);
  std::vector<Pack<4>> packs;
  for (double value : in) packs.emplace_back(value);
  const std::vector<Pack<4>> in_packs = run(tape, packs);
  for (size_t i = 0; i < forces.size(); ++i) EXPECT_EQ(in_packs[i][3], forces[i]);
}

TEST_P(Traces, TheSameInC) {
  Case c(GetParam());
  const Tape tape = trace_accelerations(c.model);
  const testing::CompiledTape compiled(tape);
  if (!compiled) GTEST_SKIP() << "no C compiler";
  std::vector<double> out(c.state.v.size());
  compiled(c.in.data(), out.data());
  EXPECT_EQ(out, run(tape, c.in));
}

// In four random directions: forward against central differences, whose error is h² f‴/6 and eps f/h; and wᵀ (J d) = (Jᵀ w)·d.
TEST_P(Traces, Derivatives) {
  Case c(GetParam());
  const Tape tape = trace_accelerations(c.model);
  using Dual4 = Dual<double, Pack<4>>;
  std::vector<Dual4> moving;
  for (double value : c.in) moving.emplace_back(value);
  for (Dual4& input : moving) {
    for (int k = 0; k < 4; ++k) input.derivatives.lanes[k] = c.random.symmetric();
  }
  const std::vector<Dual4> moved = run(tape, moving);
  double scale = 1;
  for (const Dual4& result : moved) scale = std::max(scale, std::abs(result.value));
  for (int k = 0; k < 4; ++k) {
    for (const Dual4& result : moved) scale = std::max(scale, std::abs(result.derivatives[k]));
  }
  constexpr double h = 1e-6;
  for (int k = 0; k < 4; ++k) {
    std::vector<double> later = c.in, earlier = c.in, weights;
    for (size_t i = 0; i < c.in.size(); ++i) later[i] += h * moving[i].derivatives[k], earlier[i] -= h * moving[i].derivatives[k];
    const std::vector<double> f_later = run(tape, later), f_earlier = run(tape, earlier);
    double forward = 0, reverse = 0, size = 0;
    for (size_t i = 0; i < moved.size(); ++i) {
      EXPECT_NEAR(moved[i].derivatives[k], (f_later[i] - f_earlier[i]) / (2 * h), 1e-6 * scale) << "output " << i;
      weights.push_back(c.random.symmetric());
      forward += weights[i] * moved[i].derivatives[k];
      size += std::abs(weights[i] * moved[i].derivatives[k]);
    }
    const std::vector<double> back = testing::gradient(tape, c.in, weights);
    for (size_t i = 0; i < back.size(); ++i) {
      reverse += back[i] * moving[i].derivatives[k];
      size += std::abs(back[i] * moving[i].derivatives[k]);
    }
    EXPECT_NEAR(forward, reverse, 1e-12 * size);
    EXPECT_GT(size, 1e-3);
  }
}

}  // namespace
}  // namespace vinculum
