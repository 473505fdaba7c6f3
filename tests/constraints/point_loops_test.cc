// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/point_loops.h"

#include <cmath>

#include <gtest/gtest.h>

#include "bench/models.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/applied.h"
#include "vinculum/files/read_model.h"
#include "vinculum/kernels/flat_tree.h"

namespace vinculum {
namespace {

Model build(const char* name) {
  Diagnostics diagnostics;
  return std::move(*build_model(bench::describe_model(name), diagnostics));
}

// Accelerations and forces of the loops, with forces on every velocity, as the solve with all its checks finds them.
void expect_agreement(const Model& model, const State& state, const std::vector<double>& tau = {}) {
  const ConstraintSet set(model);
  Workspace workspace(model);
  const AppliedScope scope(workspace, {.tau = tau});
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
  const Model model = build("stewart_loops");
  for (int k = 0; k < 16; ++k) {
    const bench::Sample sample = bench::draw_sample(model, k);
    expect_agreement(model, sample.state, sample.forces);
  }
}

TEST(PointLoops, PlatformsOnTopOfEachOther) {
  const Model model = build("platforms4");
  const bench::Sample sample = bench::draw_sample(model, 0);
  expect_agreement(model, sample.state, sample.forces);
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

// A mechanism of a plane, standing on a frame that is turned anyhow: turns with and against the normal, slides, out-of-plane
// places and products of inertia, springs and forces, points that are held by two rows or one, on bodies and on the world.
std::string plane_mechanism(const std::string& rotation, const std::string& lean = "0") {
  std::string text =
      R"yaml(
vinculum: 1
gravity: [1.5, -3, -9]
bodies:
  stand: { joint: { type: fixed, origin: [0.3, -1, 2], rotation: )yaml" +
      rotation + R"yaml( }, mass: 1, inertia: 1 }
  cart: { parent: stand, joint: { type: prismatic, axis: [0.6, 0.8, 0], origin: [0.1, 0, 0.4] }, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.3, 0.4, 0.5, 0.05, 0.04, 0.03] }
  arm: { parent: cart, joint: { type: revolute, axis: z, origin: [0.2, 0.1, -0.3] }, mass: 1.5, com: [0.3, 0.1, 0.2], inertia: [0.2, 0.22, 0.25, 0.01, 0.02, 0.03] }
  rod: { parent: arm, joint: { type: prismatic, axis: [0.28, -0.96, 0], origin: [0.4, 0.1, 0.1] }, mass: 0.7, com: [0.1, -0.2, 0.1], inertia: [0.2, 0.22, 0.25, 0.01, 0.02, 0.03] }
  tip: { parent: rod, joint: { type: revolute, axis: [0, )yaml" +
      lean +
      R"yaml(, -1], origin: [0.1, 0.2, 0.1] }, mass: 0.4, com: [0.2, 0.05, 0.1], inertia: [0.06, 0.07, 0.08, 0.01, 0.02, 0.005] }
  lever: { joint: { type: revolute, axis: -z, origin: [0.1, -0.9, 1.8], rotation: ROTATION }, mass: 1.1, com: [0.2, 0.15, -0.1], inertia: [0.2, 0.22, 0.25, 0.01, 0.02, 0.03] }
  link: { parent: lever, joint: { type: revolute, axis: z, origin: [0.5, -0.1, 0.2] }, mass: 0.8, com: [0.25, -0.05, 0.1], inertia: [0.2, 0.22, 0.25, 0.01, 0.02, 0.03] }
contacts:
  pin: { body: tip, with: link, frame: { on_body: { point: [0.4, 0, 0.2] }, on_environment: { point: [0.5, 0.1, -0.1], rotation: { axis: z, angle: 0.4 } } }, forbid: [normal, lateral] }
  rail: { body: lever, with: world, frame: { on_body: { point: [0.3, 0.2, 0.5] }, on_environment: { point: [0.3, -1, 2], rotation: ROTATION } }, forbid: [lateral] }
forces:
  pull: { between: [tip, [0, 0.1, 0.1]], and: [lever, [0.2, 0, 0.3]], stiffness: 30, damping: 2, length: 0.4 }
  push: { body: arm, point: [0.1, 0.2, 0.3], force: [1, "2 - arm'", 3], torque: [0.5, 0.4, "0.3*t + 0.2"] }
  turn: { joint: link, law: "0.4 - 0.1*link'" }
)yaml";
  for (size_t at = 0; (at = text.find("ROTATION", at)) != std::string::npos;) text.replace(at, 8, rotation);
  return text;
}

TEST(PointLoops, MechanismsOfAPlane) {
  for (const std::string rotation : {"{ axis: z, angle: 0 }", "{ axis: x, angle: 90 deg }", "{ axis: [1, 2, 2], angle: 0.7 }"}) {
    const std::string text = plane_mechanism(rotation);
    const Model model = read_model_text(text);
    const auto flat = make_flat_tree(model.tree());
    ASSERT_TRUE(flat) << rotation;
    const ConstraintSet set(model);
    auto solver = make_loop_solver(set);
    ASSERT_TRUE(solver);
    EXPECT_TRUE(make_flat_loops(*flat, solver->rows())) << rotation;

    Workspace workspace(model);
    State state = model.initial_state();
    for (size_t i = 0; i < state.v.size(); ++i) {
      state.v[i] = std::sin(1.7 * static_cast<double>(i) + 0.4);
      state.q[i] = 0.6 * std::cos(2.3 * static_cast<double>(i) + 0.1);
    }
    state.t = 0.7;
    std::vector<double> accelerations(state.v.size());
    std::vector<Vector3> multipliers(2);
    ASSERT_TRUE(solver->compute_accelerations(state.t, state.q, state.v, {}, workspace, accelerations, multipliers));
    const auto full = compute_constrained_dynamics(set, state, workspace);
    ASSERT_TRUE(full) << full.failure().message;
    double scale = 1;
    for (double value : full->dynamics.accelerations) scale = std::max(scale, std::abs(value));
    for (size_t i = 0; i < accelerations.size(); ++i)
      EXPECT_NEAR(accelerations[i], full->dynamics.accelerations[i], 1e-13 * scale) << rotation << ", velocity " << i;
    const auto& lambda = full->solution.multipliers;
    const double largest = lambda.cwiseAbs().maxCoeff();
    EXPECT_NEAR(multipliers[0].x, lambda[0], 1e-13 * largest);
    EXPECT_NEAR(multipliers[0].y, lambda[1], 1e-13 * largest);
    EXPECT_EQ(multipliers[0].z, 0);
    EXPECT_EQ(multipliers[1].x, 0);
    EXPECT_NEAR(multipliers[1].y, lambda[2], 1e-13 * largest);
    EXPECT_EQ(multipliers[1].z, 0);
    EXPECT_GT(lambda.cwiseAbs().minCoeff(), 0.01);

    // Small departures from the rows are taken back, in position and velocity.
    const auto projected = project_state(set, state, workspace);
    ASSERT_TRUE(projected) << projected.failure().message;
    State moved = projected->state;
    for (size_t i = 0; i < moved.q.size(); ++i) {
      moved.q[i] += 1e-6 * std::sin(3.1 * static_cast<double>(i) + 1);
      moved.v[i] += 1e-6 * std::cos(2.1 * static_cast<double>(i) + 1);
    }
    ASSERT_TRUE(keep_on_constraints(model, *solver, moved, workspace)) << rotation;
    const auto rows = compute_row_values(set, moved);
    ASSERT_TRUE(rows);
    for (const Row& row : set.rows) {
      EXPECT_NEAR(rows->all[row.index].gap.value_or(1), 0, 1e-14) << row.name;
      EXPECT_NEAR(rows->all[row.index].rate, 0, 1e-14) << row.name;
    }
  }
}

// What leaves the plane, by an axis, a joint or a row, is no mechanism of it.
TEST(PointLoops, WhatLeavesThePlane) {
  const auto flat = [](const std::string& text) { return make_flat_tree(read_model_text(text).tree()).has_value(); };
  EXPECT_TRUE(flat(plane_mechanism("{ axis: z, angle: 0 }")));
  EXPECT_FALSE(flat(plane_mechanism("{ axis: z, angle: 0 }", "1e-9")));
}

// A row that only round-off feels, the pivot held at its own place, is left to the others.
TEST(PointLoops, RowsThatNobodyFeels) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: { type: prismatic, axis: x }, mass: 1, inertia: 1 }
  arm: { parent: cart, joint: { type: revolute, axis: z, origin: [0, 0.3, 0] }, mass: 1, com: [0.1, 0, 0], inertia: 1 }
  rod: { parent: arm, joint: { type: revolute, axis: z, origin: [0.7, 0.1, 0] }, mass: 1, inertia: 1 }
  slider: { parent: rod, joint: { type: prismatic, axis: x, origin: [0.3, 0.2, 0] }, mass: 1, inertia: 1 }
contacts:
  pin: { body: slider, with: arm, frame: { on_body: { point: [-0.3, -0.2, 0] }, on_environment: { point: [0.7, 0.1, 0] } }, forbid: [lateral] }
)yaml");
  const ConstraintSet set(model);
  Workspace workspace(model);
  auto solver = make_loop_solver(set);
  ASSERT_TRUE(solver);
  State state = model.initial_state();
  state.q = {0.3, 0.4, 0, 0};
  std::vector<double> accelerations(4);
  std::vector<Vector3> forces(1);
  EXPECT_FALSE(solver->compute_accelerations(0, state.q, state.v, {}, workspace, accelerations, forces));
  EXPECT_LT(solver->regularity(), 1e-12);
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
