// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/batch.h"

#include <bit>

#include <gtest/gtest.h>

#include "tests/support/line_forces.h"
#include "tests/support/random_model.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/files/read_model.h"
#include "vinculum/kernels/batch_kernels.h"
#include "vinculum/kernels/instruction_set.h"

namespace vinculum {
namespace {

using testing::build;
using testing::Random;

std::vector<State> random_states(const Model& model, int count, Random& random) {
  std::vector<State> states;
  for (int k = 0; k < count; ++k) {
    states.push_back(testing::random_state(model, random));
    states.back().t = random.symmetric();
  }
  return states;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Accelerations of state k by itself, and forces that give them back.
struct Alone {
  std::vector<double> accelerations, forces, motions;
  Eigen::MatrixXd mass_matrix;
};
Alone compute_alone(const Model& model, const State& state) {
  Workspace workspace(model);
  Alone alone{std::vector<double>(state.v.size()), std::vector<double>(state.v.size()), {}, {}};
  EXPECT_TRUE(compute_accelerations(model, state.t, state.q, state.v, alone.accelerations, workspace));
  compute_forces(model, state.t, state.q, state.v, alone.accelerations, alone.forces, workspace);
  alone.mass_matrix = compute_mass_matrix(model, state, workspace);
  for (const BodyMotion& m : compute_body_motions(model, state, workspace)) {
    for (const Vector3& a : {m.R_WB.x, m.R_WB.y, m.R_WB.z, m.p_WB, m.V_WB_W.linear, m.V_WB_W.angular})
      alone.motions.insert(alone.motions.end(), {a.x, a.y, a.z});
  }
  return alone;
}

void expect_like_alone(Batch& batch, std::span<const Model* const> models, std::span<const State> states) {
  const StateBatch side_by_side = make_batch(states);
  const size_t n = states[0].v.size(), count = states.size();
  const size_t bodies = models[0]->bodies().size();
  std::vector<double> accelerations(n * count), forces(n * count), matrices(n * n * count), motions(18 * bodies * count);
  EXPECT_TRUE(compute_accelerations(batch, side_by_side, accelerations).empty());
  compute_forces(batch, side_by_side, accelerations, forces);
  compute_mass_matrices(batch, side_by_side, matrices);
  compute_body_motions(batch, side_by_side, motions);
  for (size_t k = 0; k < count; ++k) {
    const Alone alone = compute_alone(*models[k % models.size()], states[k]);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(same_bits(accelerations[i * count + k], alone.accelerations[i])) << "state " << k << ", velocity " << i;
      ASSERT_TRUE(same_bits(forces[i * count + k], alone.forces[i])) << "state " << k << ", velocity " << i;
      for (size_t j = 0; j < n; ++j) ASSERT_TRUE(same_bits(matrices[(i * n + j) * count + k], alone.mass_matrix(i, j)));
    }
    for (size_t i = 0; i < 18 * bodies; ++i) ASSERT_TRUE(same_bits(motions[i * count + k], alone.motions[i])) << "number " << i;
  }
}

// A tree with every joint, and with forces of every kind: laws of joints, follower forces, springs and dampers, drives.
ModelDescription loaded_tree(Random& random, int bodies) {
  ModelDescription words = testing::random_tree(random.next(), bodies);
  testing::add_joint_forces(words, random);
  testing::add_body_forces(words, random);
  testing::add_line_forces(words, random);
  testing::add_motions(words);
  return words;
}

class Batches : public ::testing::TestWithParam<int> {};

// 13 states: the last group is not full, whatever the registers.
TEST_P(Batches, EachStateHasTheBitsItHasAlone) {
  Random random(GetParam());
  const Model model = build(loaded_tree(random, 2 + GetParam() % 9));
  const std::vector<State> states = random_states(model, 13, random);
  Batch batch(model);
  const Model* models[] = {&model};
  expect_like_alone(batch, models, states);
}

TEST_P(Batches, EachVariantHasTheBitsItHasAlone) {
  Random random(100 + GetParam());
  const ModelDescription words = loaded_tree(random, 2 + GetParam() % 9);
  std::vector<Model> variants;
  std::vector<const Model*> models;
  for (int k = 0; k < 11; ++k) {
    ModelDescription other = words;
    other.gravity.z -= k;
    for (BodyDescription& body : other.bodies) {
      const double factor = 1 + 0.3 * random.symmetric();
      body.mass.value *= factor;
      body.inertia.value = factor * *body.inertia;
      body.joint.origin.x += 0.1 * random.symmetric();
    }
    variants.push_back(build(other));
  }
  for (const Model& variant : variants) models.push_back(&variant);
  auto batch = Batch::of_variants(variants);
  ASSERT_TRUE(batch);
  expect_like_alone(*batch, models, random_states(variants[0], 11, random));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Batches, ::testing::Range(1, 25));

TEST(Batch, ResultsDoNotDependOnTheNumberOfThreads) {
  Random random(7);
  const Model model = build(loaded_tree(random, 6));
  const StateBatch states = make_batch(random_states(model, 100, random));
  std::vector<double> one(model.velocity_names().size() * 100), many(one.size());
  Batch alone(model, 1), together(model, 5);
  EXPECT_TRUE(compute_accelerations(alone, states, one).empty());
  EXPECT_TRUE(compute_accelerations(together, states, many).empty());
  for (size_t i = 0; i < one.size(); ++i) ASSERT_TRUE(same_bits(one[i], many[i]));
}

// Every table of kernels that this processor can run gives the same bits.
TEST(Batch, RegistersOfAnyWidthGiveTheSameBits) {
  Random random(11);
  const Model model = build(loaded_tree(random, 7));
  const std::vector<State> states = random_states(model, 8, random);
  const StateBatch side_by_side = make_batch(states);
  BatchTask task;
  task.model = &model;
  task.count = 8;
  task.t = side_by_side.t.data();
  task.q = side_by_side.q.data();
  task.v = side_by_side.v.data();
  std::vector<const BatchKernels*> tables;
  for (auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (set <= find_instruction_set()) tables.push_back(&batch_kernels_for(set));
  for (const BatchKernels* table : tables) {
    std::vector<double> results(model.velocity_names().size() * 8);
    task.result = results.data();
    const std::size_t size = table->scratch_size(model);
    auto* scratch = static_cast<std::byte*>(::operator new(size, std::align_val_t(64)));
    for (int first = 0; first < 8; first += table->lanes) EXPECT_EQ(table->accelerations(task, first, 1e-14, scratch), 0u);
    ::operator delete(scratch, std::align_val_t(64));
    for (int k = 0; k < 8; ++k) {
      const Alone alone = compute_alone(model, states[k]);
      for (size_t i = 0; i < alone.accelerations.size(); ++i)
        ASSERT_TRUE(same_bits(results[i * 8 + k], alone.accelerations[i])) << table->lanes << " lanes";
    }
  }
}

TEST(Batch, StatesWithoutAnAnswerAreNamedAndTheOthersKept) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 2, com: [1, 0, 0] }
forces:
  push: { joint: arm, law: "1/arm + 0.1*sin(t)*arm'" }
)yaml");
  std::vector<State> states(5, model.initial_state());
  for (int k = 0; k < 5; ++k) states[k].q[0] = k - 2.0;  // 1/0 in state 2
  Batch batch(model);
  std::vector<double> accelerations(5);
  EXPECT_EQ(compute_accelerations(batch, make_batch(states), accelerations), std::vector<int>{2});
  EXPECT_EQ(accelerations[2], 0);
  for (int k : {0, 1, 3, 4}) EXPECT_TRUE(same_bits(accelerations[k], compute_alone(model, states[k]).accelerations[0]));
}

TEST(Batch, VariantsOfAnotherStructureAreRefused) {
  Random random(3);
  const ModelDescription words = testing::random_tree(random.next(), 4);
  ModelDescription other = words;
  other.bodies[2].joint = {};
  other.bodies[2].joint.type = *words.bodies[2].joint.type == JointType::fixed ? JointType::spherical : JointType::fixed;
  std::vector<Model> variants;
  variants.push_back(build(words));
  variants.push_back(build(other));
  const auto batch = Batch::of_variants(variants);
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.failure().code, "VN-RUN-020");
  EXPECT_NE(batch.failure().message.find(words.bodies[2].name), std::string::npos);
}

// Variants with and without `body:` forces and springs: some of a register, none of one, and none where the register before had
// some.
TEST(Batch, VariantsOfWhichOnlySomeHaveLoads) {
  Random random(5);
  ModelDescription with = testing::random_tree(5, 6), without = with;
  testing::add_body_forces(with, random);
  ASSERT_FALSE(with.forces.empty());
  std::vector<Model> variants;
  std::vector<const Model*> models;
  for (int k = 0; k < 11; ++k) variants.push_back(build(k < 2 || k == 8 ? with : without));
  for (const Model& variant : variants) models.push_back(&variant);
  auto batch = Batch::of_variants(variants);
  ASSERT_TRUE(batch);
  expect_like_alone(*batch, models, random_states(variants[0], 11, random));
}

}  // namespace
}  // namespace vinculum
