// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of the laws: sized once, then left alone. Counts every allocation of this program: `new` and Eigen both call malloc.
#include <stdlib.h>  // __GLIBC__

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VINCULUM_OWN_MALLOC 0
#endif
#endif
#if !defined(VINCULUM_OWN_MALLOC) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define VINCULUM_OWN_MALLOC 1
#endif

#if VINCULUM_OWN_MALLOC

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

void count(std::size_t size) {
  ++allocations;
  bytes += static_cast<long>(size);
}
}  // namespace

// glibc's own allocator below ours. Memory of either is freed by its `free`.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  count(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
  count(size);
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}
}

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

// A motion in which contacts, velocity constraints and guides stick or slip. From the third step on neither an evaluation of the
// derivative, a step, its dense output, the way back onto the rows nor the guards ask for memory; events and decisions may.
struct SlipCase {
  const char* name;
  std::string text;
  bool slips = true;  // else everything sticks
};

std::string example_text(const char* name) {
  std::ifstream file(std::string(VINCULUM_SOURCE_DIR "/examples/") + name + "/model.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<SlipCase> slip_cases() {
  const std::string sphere = R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 2, inertia: 0.3 } }
environment: { floor: { surface: plane } }
contacts: { c: { body: ball, with: floor, sphere: { radius: 0.5 }, forbid: [normal, lateral, forward], friction: 0.4 } }
initial: { ball.tz: 0.5, "ball.tx'": 3, "ball.ty'": 1, ball.wz: 2 }
)";
  const std::string block = R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2 } }
environment: { floor: { surface: plane } }
contacts:
  c: { body: block, with: floor, point: [0, 0, 0], forbid: [normal, forward], friction: 0.4 }
forces: { pull: { body: block, force: [FORCE, 0, 0] } }
initial: { "block.tx'": SPEED }
)";
  const auto replaced = [](std::string text, const std::string& word, const std::string& by) {
    return text.replace(text.find(word), word.size(), by);
  };
  const auto block_with = [&](const char* force, const char* speed) {
    return replaced(replaced(block, "FORCE", force), "SPEED", speed);
  };
  const std::string legs = R"(
vinculum: 1
bodies: { table: { joint: {type: free}, mass: 20, com: [0.1, 0.05, 0.7], inertia: [2, 3, 4] } }
environment: { floor: { surface: plane } }
contacts:
  leg1: { body: table, with: floor, point: [0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: 0.2 }
  leg2: { body: table, with: floor, point: [-0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: 0.2 }
  leg3: { body: table, with: floor, point: [-0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: 0.2 }
  leg4: { body: table, with: floor, point: [0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: 0.2 }
initial: { "table.tx'": 2, "table.ty'": 0.3, table.wz: 0.4 }
)";
  const std::string compliant = R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 2, inertia: 0.3 } }
environment: { floor: { surface: plane } }
contacts:
  c:
    body: ball
    with: floor
    sphere: { radius: 0.5 }
    forbid: [lateral, forward]
    friction: 0.4
    laws: { normal: { stiffness: 10 kN/m, viscous: 100 } }
initial: { ball.tz: 0.498, "ball.tx'": 3, "ball.ty'": 1, ball.wz: 2 }
)";
  const std::string several = replaced(example_text("limited-grip-drive"), "bound: 12 N", "bound: 0.05 N");
  const std::string brake = R"(
vinculum: 1
bodies: { wheel: { joint: {type: revolute, axis: z}, mass: 1, inertia: 1 } }
velocity_constraints: { brake: { equation: "wheel' = 0", bound: 1 N*m, law: { lag: 0.05 } } }
forces: { drive: { joint: wheel, law: 3*cos(t) } }
)";
  const std::string puck = replaced(sphere, "\"ball.tx'\": 3, \"ball.ty'\": 1, ball.wz: 2", "ball.tx: 0") +
                           "forces: { pull: { body: ball, force: [50, 5, 0] } }\n";
  return {{"a ball slides on a plane", sphere},
          {"a ball begins to slide", puck},
          {"a block slides on a plane", block_with("1", "3")},
          {"a block sticks on a plane", block_with("\"2*sin(t)\"", "0"), false},
          {"a block begins to slide", block_with("9", "0")},
          {"a table slides on four legs", legs},
          {"a ball slides on a soft plane", compliant},
          {"a blade slides", replaced(example_text("sleigh-grip"), "0.80280554930817 N", "0.1 N")},
          {"an axle slides, wheels roll", several},
          {"axles slide", replaced(example_text("car-with-trailer"), "mu: 0.5 ", "mu: 0.01 ")},
          {"axles hold", example_text("car-with-trailer"), false},
          {"a brake that lags slips", brake},
          {"a drawer slides", replaced(example_text("drawer"), "drawer.tx'\": 0", "drawer.tx'\": 0.2")},
          {"a lift slides", example_text("lift-in-guides")}};
}

TEST(Allocation, NoneInAStepThatSlips) {
  for (const SlipCase& one : slip_cases()) {
    SCOPED_TRACE(one.name);
    const Model model = read_model_text(one.text);
    Workspace workspace(model);
    State state = model.initial_state();
    MotionSystem system(model, {}, Follow::frictional);
    const auto idealisations = make_idealisations(system, model, Follow::frictional, 1e-8);
    system.continue_slips(state);
    for (const auto& idealisation : idealisations) ASSERT_FALSE(idealisation->begin(state, [](const Occurrence&) {}));
    const auto slips = [&](const Grip& grip) { return !Grip::holds(system.constraints().modes[grip.mode]); };
    ASSERT_EQ(std::ranges::any_of(model.grips(), slips) || !model.face_pairs().empty(), one.slips);

    std::vector<double> y = system.pack(state, 0), between = y, rates(y.size()), guards;
    for (const auto& idealisation : idealisations) guards.resize(guards.size() + idealisation->guard_count());
    const std::vector<double> first = y;
    State seen;
    ConstrainedDynamics memory;
    const auto look_at_guards = [&](double t) {
      system.unpack(t, y, seen);
      Moment moment(system.constraints(), seen, workspace, &system.sparse_constraints(), memory);
      size_t next = 0;
      for (const auto& idealisation : idealisations) {
        idealisation->evaluate_guards(moment, std::span(guards).subspan(next, idealisation->guard_count()));
        next += idealisation->guard_count();
      }
      const long so_far = allocations;
      for (const auto& idealisation : idealisations) {
        idealisation->count_looks(
            t, t, [](double) {}, [&](double) { return seen; });
      }
      allocations = so_far;
    };
    // At the very beginning, where a slip has no direction yet.
    for (int round = 0; round < 4; ++round) {
      if (round == 2) allocations = 0;
      ASSERT_TRUE(system.compute_derivative(state.t, y, rates));
      look_at_guards(state.t);
    }
    EXPECT_EQ(allocations, 0) << "at the beginning";

    const auto integrator = make_integrator("dop853");
    integrator->start(system, {state.t, y, 0, {}}, {1e-8, 1e-8, 0.01});
    for (int step = 0; step < 6; ++step) {
      if (step == 3) allocations = 0;
      const auto report = integrator->advance(0.2);
      ASSERT_TRUE(report);
      integrator->interpolate((report->t0 + report->t1) / 2, between);
      integrator->interpolate(report->t1, y);
      ASSERT_TRUE(system.correct(report->t1, y));
      integrator->correct(y);
      look_at_guards(report->t1);
    }
    EXPECT_EQ(allocations, 0);
    if (one.slips) EXPECT_NE(y, first);
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
