// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of the laws: sized once, then left alone. Counts every allocation of this program.
#if !defined(__SANITIZE_ADDRESS__)

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "bench/models.h"
#include "tests/support/line_forces.h"
#include "tests/support/random_model.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/batch.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/files/read_model.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/integration/integrator.h"
#include "vinculum/stepping/motion_system.h"

namespace {
thread_local long allocations = 0, bytes = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  bytes += static_cast<long>(size);
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocate(size, static_cast<std::size_t>(alignment)); }
// g++ sees `free` and not the allocation above.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace vinculum {
namespace {

using testing::Random;

// A tree with every joint and forces of every kind; the second time nothing is asked of the heap.
TEST(Allocation, NoneInACall) {
  Random random(5);
  ModelDescription words = testing::random_tree(random.next(), 12);
  testing::add_joint_forces(words, random);
  testing::add_body_forces(words, random);
  testing::add_line_forces(words, random);
  testing::add_motions(words);
  const Model model = testing::build(words);
  const State state = testing::random_state(model, random);
  const size_t n = state.v.size();
  Workspace workspace(model);
  DerivativesWorkspace differentiator(model);
  ForwardDerivatives forward;
  InverseDerivatives inverse;
  Batch batch(model);
  const StateBatch states = make_batch(std::vector<State>(11, state));
  std::vector<double> accelerations(n), forces(n), many(n * n * 11), motions(18 * model.bodies().size() * 11);
  std::vector<BodyMotion> bodies(model.bodies().size());
  Eigen::MatrixXd matrix;
  bool fine = true;
  const auto compute = [&] {
    fine &= compute_accelerations(model, state.t, state.q, state.v, accelerations, workspace);
    compute_forces(model, state.t, state.q, state.v, accelerations, forces, workspace);
    compute_mass_matrix(model, state.q, workspace, matrix);
    compute_body_motions(model, state.q, state.v, bodies, workspace);
    fine &= !compute_forward_derivatives(model, state, differentiator, forward);
    fine &= !compute_inverse_derivatives(model, state, accelerations, differentiator, inverse);
    fine &= compute_accelerations(batch, states, many).empty();
    compute_forces(batch, states, many, many);
    compute_mass_matrices(batch, states, many);
    compute_body_motions(batch, states, motions);
  };
  compute();
  allocations = 0;
  compute();
  EXPECT_EQ(allocations, 0);
  EXPECT_TRUE(fine);
  EXPECT_NE(accelerations.back(), 0);
}

// Steps of DOP853 with contacts of every kind, kept on their rows after each: wheels and spheres on planes and curved ground,
// frames, drives, loops by points. From the third on nothing is asked of the heap.
TEST(Allocation, NoneInAStepWithRows) {
  for (const char* example :
       {"rolling-coin", "ball-on-turntable", "cart-on-terrain", "coin-in-a-bowl", "motion-platform", "four-bar-loop"}) {
    Diagnostics diagnostics;
    const auto model = read_model_file(std::string(VINCULUM_SOURCE_DIR "/examples/") + example + "/model.yaml", diagnostics);
    ASSERT_TRUE(model) << example;
    Workspace workspace(*model);
    const auto start = project_state(ConstraintSet(*model), model->initial_state(), workspace);
    ASSERT_TRUE(start) << example;
    MotionSystem system(*model);
    ASSERT_FALSE(system.choose_rows(start->state)) << example;
    std::vector<double> y = system.pack(start->state, 0);
    const double first = y[0];
    const auto integrator = make_integrator("dop853");
    integrator->start(system, {0, y, 0, {}}, {1e-8, 1e-8});
    for (int step = 0; step < 5; ++step) {
      if (step == 2) allocations = 0;
      const auto report = integrator->advance(1);
      ASSERT_TRUE(report) << example;
      integrator->interpolate(report->t1, y);
      ASSERT_TRUE(system.correct(report->t1, y)) << example;
      integrator->correct(y);
    }
    EXPECT_EQ(allocations, 0) << example;
    EXPECT_TRUE(system.was_kept()) << example;
    EXPECT_NE(y[0], first) << example;
  }
}

// Looks of guards at a motion with contacts: after the first few nothing is asked of the heap.
TEST(Allocation, NoneInALookOfGuards) {
  for (const char* example : {"rolling-coin", "ball-on-turntable", "cart-on-terrain", "coin-in-a-bowl"}) {
    Diagnostics diagnostics;
    const auto model = read_model_file(std::string(VINCULUM_SOURCE_DIR "/examples/") + example + "/model.yaml", diagnostics);
    ASSERT_TRUE(model) << example;
    Workspace workspace(*model);
    const auto start = project_state(ConstraintSet(*model), model->initial_state(), workspace);
    ASSERT_TRUE(start) << example;
    MotionSystem system(*model);
    ASSERT_FALSE(system.choose_rows(start->state)) << example;
    const auto idealisations = make_idealisations(system, *model, Follow::bilateral, 1e-8);
    const std::vector<double> y = system.pack(start->state, 0);
    State state;
    ConstrainedDynamics memory;
    std::vector<double> guards;
    for (const auto& idealisation : idealisations) guards.resize(guards.size() + idealisation->guard_count());
    ASSERT_FALSE(guards.empty()) << example;
    for (int round = 0; round < 3; ++round) {
      if (round == 2) allocations = 0;
      for (int look = 0; look < 8; ++look) {
        system.unpack(0, y, state);
        Moment moment(system.constraints(), state, workspace, &system.sparse_constraints(), memory);
        size_t next = 0;
        for (const auto& idealisation : idealisations) {
          idealisation->evaluate_guards(moment, std::span(guards).subspan(next, idealisation->guard_count()));
          next += idealisation->guard_count();
        }
        ASSERT_NE(moment.solution(), nullptr) << example;
      }
      if (round == 2) break;
      for (const auto& idealisation : idealisations) {
        idealisation->count_looks(
            0, 0, [](double) {}, [&](double) { return state; });
      }
    }
    EXPECT_EQ(allocations, 0) << example;
    EXPECT_NE(memory.solution.multipliers.lpNorm<Eigen::Infinity>(), 0) << example;
  }
}

// What the recursions hold of a long chain, constants and scratch: within 1 KB a body, and in proportion to their number.
TEST(Allocation, MemoryGrowsWithTheBodies) {
  const auto bytes_per_body = [](const char* name) {
    Diagnostics diagnostics;
    const auto model = build_model(bench::describe_model(name), diagnostics);
    const Tree& tree = model->tree();
    bytes = 0;
    const Workspace workspace(*model);
    const double held = static_cast<double>(bytes) + sizeof(Link) * tree.links.size() + sizeof(LinkRow) * tree.rows.size();
    return held / static_cast<double>(model->bodies().size());
  };
  const double thousand = bytes_per_body("chain1000"), hundred_thousand = bytes_per_body("chain100000");
  EXPECT_LT(hundred_thousand, 1000);
  EXPECT_GT(hundred_thousand, 300);
  EXPECT_NEAR(thousand, hundred_thousand, 1);
}

}  // namespace
}  // namespace vinculum

#endif
