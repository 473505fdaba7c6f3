// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/point_loops.h"

#include <cmath>

#include <gtest/gtest.h>

#include "bench/models.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

Model build(const char* name, int sample) {
  ModelDescription words = bench::describe_model(name);
  Diagnostics diagnostics;
  const auto bare = build_model(words, diagnostics);
  bench::set_constant_forces(words, bench::draw_sample(*bare, sample).forces);
  return std::move(*build_model(std::move(words), diagnostics));
}

// Accelerations and forces of the loops as the solve with all its checks finds them.
void expect_agreement(const Model& model, const State& state) {
  const ConstraintSet set(model);
  Workspace workspace(model);
  auto solver = make_loop_solver(set);
  ASSERT_TRUE(solver);
  std::vector<double> accelerations(state.v.size());
  std::vector<Vector3> forces(set.model.contacts().size());
  ASSERT_TRUE(solver->compute_accelerations(state.t, state.q, state.v, {}, workspace, accelerations, forces));
  const auto full = compute_constrained_dynamics(set, state, workspace);
  ASSERT_TRUE(full) << full.failure().message;
  double scale = 1, force_scale = 1;
  for (double value : full->dynamics.accelerations) scale = std::max(scale, std::abs(value));
  for (const ElementReaction& reaction : full->reactions) force_scale = std::max(force_scale, norm(reaction.world.force));
  for (size_t i = 0; i < accelerations.size(); ++i)
    EXPECT_NEAR(accelerations[i], full->dynamics.accelerations[i], 1e-11 * scale) << "velocity " << i;
  for (size_t i = 0; i < forces.size(); ++i)
    EXPECT_LT(norm(forces[i] - full->reactions[i].world.force), 1e-11 * force_scale) << "loop " << i;
  EXPECT_GT(scale, 1.5);
}

// Points that slide along axes of bodies in motion, and of the world: two rows, one row; multipliers along the axes of the
// contact.
TEST(PointLoops, PointsOnMovingAxes) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
name: slotted arms
bodies:
  base: { joint: { type: free }, mass: 5, inertia: [0.3, 0.4, 0.5], com: [0.02, 0.01, 0] }
  slot: { parent: base, joint: { axes: [rx, ry], origin: [0.1, 0.2, 0] }, mass: 1, com: [0.2, 0, 0], inertia: [0.02, 0.03, 0.04] }
  arm: { parent: base, joint: { axes: [rz, rx], origin: [-0.1, 0.3, 0.1] }, mass: 2, com: [0, 0.3, 0], inertia: [0.05, 0.02, 0.05] }
  rod: { parent: arm, joint: { axes: [ry, tz], origin: [0, 0.5, 0] }, mass: 0.5, com: [0, 0, 0.2], inertia: [0.01, 0.01, 0.005] }
contacts:
  pin: { body: rod, with: slot, frame: { on_body: { point: [0, 0, 0.3] }, on_environment: { point: [0.3, 0, 0.1], rotation: [0.8, 0.6, 0, 0] } }, forbid: [normal, forward] }
  rail: { body: base, with: world, frame: { on_body: { point: [0.1, 0, 0] }, on_environment: { point: [0, 0, 0.2], rotation: [0.6, 0, 0.8, 0] } }, forbid: [lateral] }
forces: { push: { joint: rod.tz, law: "3 - 2*rod.tz'" } }
)yaml");
  const ConstraintSet set(model);
  auto solver = make_loop_solver(set);
  ASSERT_TRUE(solver);
  Workspace workspace(model);
  State state = model.initial_state();
  for (size_t i = 0; i < state.v.size(); ++i) state.v[i] = std::sin(1.7 * static_cast<double>(i) + 0.4);
  const Quaternion turned = normalized({0.9, 0.1, -0.3, 0.2});
  state.q = {0.1, -0.2, 0.3, turned.w, turned.x, turned.y, turned.z, 0.3, -0.5, 0.4, 0.2, -0.3, 0.15};
  std::vector<double> accelerations(state.v.size());
  std::vector<Vector3> multipliers(set.model.contacts().size());
  ASSERT_TRUE(solver->compute_accelerations(0, state.q, state.v, {}, workspace, accelerations, multipliers));
  const auto full = compute_constrained_dynamics(set, state, workspace);
  ASSERT_TRUE(full) << full.failure().message;
  for (size_t i = 0; i < accelerations.size(); ++i) EXPECT_NEAR(accelerations[i], full->dynamics.accelerations[i], 1e-11);
  const auto& lambda = full->solution.multipliers;
  EXPECT_NEAR(multipliers[0].x, lambda[0], 1e-11);
  EXPECT_EQ(multipliers[0].y, 0);
  EXPECT_NEAR(multipliers[0].z, lambda[1], 1e-11);
  EXPECT_NEAR(multipliers[1].y, lambda[2], 1e-11);
  EXPECT_GT(lambda.cwiseAbs().minCoeff(), 0.01);
}

TEST(PointLoops, StewartPlatform) {
  for (int k = 0; k < 16; ++k) {
    const Model model = build("stewart_loops", k);
    expect_agreement(model, bench::draw_sample(model, k).state);
  }
}

TEST(PointLoops, PlatformsOnTopOfEachOther) {
  const Model model = build("platforms4", 0);
  expect_agreement(model, bench::draw_sample(model, 0).state);
}

// A loop against the world, with springs and laws; two arms on one base, so that both ways share velocities.
TEST(PointLoops, AgainstTheWorldAndWithCommonVelocities) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  base:  { joint: {type: free}, mass: 3, inertia: 0.4 }
  left:  { parent: base, joint: {type: spherical, origin: [-1, 0, 0]}, mass: 1, com: [0, 0, 0.5], inertia: 0.1 }
  right: { parent: base, joint: {type: spherical, origin: [1, 0, 0]}, mass: 1.5, com: [0, 0, 0.4], inertia: 0.2 }
forces:
  pull: { between: [left, [0, 0, 1]], and: [world, [2, 1, 3]], stiffness: 30, damping: 2, length: 1 }
contacts:
  joined: { body: left, with: right, frame: {on_body: {point: [1, 0, 1]}, on_environment: {point: [-1, 0, 1]}}, forbid: [normal, lateral, forward] }
  hung:   { body: base, with: world, frame: {on_body: {point: [0, 0, -1]}, on_environment: {point: [0, 0, -1]}}, forbid: [normal, lateral, forward] }
)yaml");
  State state = model.initial_state();
  expect_agreement(model, state);
}

// Two balls on one line leave a turn about it, and one row twice: the quick way does not answer.
TEST(PointLoops, DependentRowsAreLeftToTheOthers) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  bar: { joint: {type: free}, mass: 3, inertia: 0.4 }
contacts:
  a: { body: bar, with: world, frame: {on_body: {point: [0, 0, 0]}, on_environment: {point: [0, 0, 0]}}, forbid: [normal, lateral, forward] }
  b: { body: bar, with: world, frame: {on_body: {point: [0, 0, 1]}, on_environment: {point: [0, 0, 1]}}, forbid: [normal, lateral, forward] }
)yaml");
  const ConstraintSet set(model);
  Workspace workspace(model);
  auto solver = make_loop_solver(set);
  ASSERT_TRUE(solver);
  std::vector<double> accelerations(6);
  std::vector<Vector3> forces(2);
  const State& state = model.initial_state();
  EXPECT_FALSE(solver->compute_accelerations(0, state.q, state.v, {}, workspace, accelerations, forces));
}

// Rolling wheels, moving supports, laws and drives are not for it.
TEST(PointLoops, OnlyBalls) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  ball: { joint: {type: free}, mass: 3, inertia: 0.4 }
contacts:
  a: { body: ball, with: world, point: [0, 0, 0], forbid: [normal] }
)yaml");
  EXPECT_FALSE(make_loop_solver(ConstraintSet(model)));
}

}  // namespace
}  // namespace vinculum
