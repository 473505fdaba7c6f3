// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces from outside, beside those of the model.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/random_tree.h"
#include "vinculum/constrained/constrained_derivatives.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/applied.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing::applied {
namespace {

Model built(ModelDescription words) {
  Diagnostics diagnostics;
  auto model = build_model(std::move(words), diagnostics);
  if (!model) throw std::runtime_error(to_text(diagnostics.list().front()));
  return std::move(*model);
}

// tau = A a + h - tau_laws with any wrenches on the bodies gives a back: forward and inverse dynamics know the same forces.
TEST(Applied, InverseThenForwardOnRandomTrees) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    ModelDescription words = random_tree(seed, 9);
    Random random(seed + 100);
    add_joint_forces(words, random);
    add_body_forces(words, random);
    const Model model = built(std::move(words));
    Workspace workspace(model);
    const State state = random_state(model, random);
    std::vector<double> a(state.v.size()), forces(state.v.size());
    for (double& value : a) value = 3 * random.symmetric();
    std::vector<Wrench> wrenches;
    for (size_t i = 0; i < model.bodies().size(); ++i) wrenches.push_back({5.0 * random.vector(), 5.0 * random.vector()});
    const Applied with_wrenches{{}, wrenches};
    compute_forces(model, state.t, state.q, state.v, a, forces, workspace, with_wrenches);
    const AppliedForces given = compute_applied_forces(model, state, workspace);
    for (size_t i = 0; i < forces.size(); ++i) forces[i] -= given.joints[i];
    const auto forward = compute_forward_dynamics(model, state, workspace, {forces, wrenches});
    if (!forward) continue;  // a chain that ends in massless bodies
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(forward->accelerations[i], a[i], 1e-8) << seed << " " << i;
    // What was applied is gone with its call.
    const auto without = compute_forward_dynamics(model, state, workspace);
    Workspace fresh(model);
    EXPECT_EQ(without->accelerations, compute_forward_dynamics(model, state, fresh)->accelerations);
  }
}

constexpr const char* kArm = R"(
vinculum: 1
bodies:
  upper: { joint: { type: revolute, axis: y }, mass: 2, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.2] }
  lower: { parent: upper, joint: { type: spherical, origin: [0.6, 0, 0] }, mass: 1, com: [0.2, 0, 0.1], inertia: [0.1, 0.1, 0.1] }
initial: { upper: 0.4, "upper'": 1, lower.wx: 0.5, lower.wz: -2 }
)";

// A wrench from outside is a `body:` force at the origin of the body's frame, a tau is a `joint:` law: with reactions, and also
// where a constraint makes its own forces from them.
TEST(Applied, IsAForceOfTheModel) {
  const std::string contact = "contacts: { tip: { body: lower, with: world, point: [0.4, 0, 0], forbid: [lateral] } }\n";
  const std::string forces =
      "forces: { push: { body: lower, force: [1, -2, 3], torque: [0.4, 0.5, -0.6] }, drive: { joint: upper, law: \"7\" } }\n";
  for (const std::string& rows : {std::string(), contact}) {
    const Model model = read_model_text(kArm + rows), given = read_model_text(kArm + rows + forces);
    const std::vector<double> tau{7, 0, 0, 0};
    const std::vector<Wrench> wrenches{{}, {{1, -2, 3}, {0.4, 0.5, -0.6}}};
    Workspace workspace(model), other(given);
    State state = model.initial_state();
    if (rows.empty()) {
      const auto a = compute_forward_dynamics(model, state, workspace, {tau, wrenches});
      const auto b = compute_forward_dynamics(given, state, other);
      ASSERT_TRUE(a && b);
      for (size_t i = 0; i < tau.size(); ++i) EXPECT_NEAR(a->accelerations[i], b->accelerations[i], 1e-13);
      for (size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(norm(a->reactions_W[i].force - b->reactions_W[i].force), 0, 1e-13);
        EXPECT_NEAR(norm(a->reactions_W[i].moment - b->reactions_W[i].moment), 0, 1e-13);
      }
      EXPECT_GT(std::abs(a->accelerations[0] - compute_forward_dynamics(model, state, workspace)->accelerations[0]), 1);
      continue;
    }
    const AppliedScope scope(workspace, {tau, wrenches});
    const auto a = compute_constrained_dynamics(ConstraintSet(model), state, workspace);
    const auto b = compute_constrained_dynamics(ConstraintSet(given), state, other);
    ASSERT_TRUE(a && b);
    for (size_t i = 0; i < tau.size(); ++i) EXPECT_NEAR(a->dynamics.accelerations[i], b->dynamics.accelerations[i], 1e-12);
    EXPECT_NEAR(a->solution.multipliers[0], b->solution.multipliers[0], 1e-12);
    EXPECT_GT(std::abs(a->solution.multipliers[0]), 0.1);
  }
}

State moved_along(const Model& model, State state, size_t velocity, double h) {
  std::vector<double> unit(state.v.size()), rates(state.q.size());
  unit[velocity] = 1;
  compute_coordinate_rates(model, state.q, unit, rates);
  for (size_t i = 0; i < rates.size(); ++i) state.q[i] += h * rates[i];
  return state;
}

// Slopes with forces from outside against differences, on random trees; the wrenches turn nothing with their bodies.
TEST(Applied, DerivativesAreThoseOfDifferences) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ModelDescription words = random_tree(seed, 7);
    Random random(seed + 300);
    add_joint_forces(words, random);
    add_body_forces(words, random);
    const Model model = built(std::move(words));
    const size_t n = model.velocity_names().size();
    Workspace workspace(model);
    DerivativesWorkspace derivatives(model);
    const State state = random_state(model, random);
    std::vector<double> tau(n);
    for (double& value : tau) value = 3 * random.symmetric();
    std::vector<Wrench> wrenches;
    for (size_t i = 0; i < model.bodies().size(); ++i) wrenches.push_back({5.0 * random.vector(), 5.0 * random.vector()});
    const Applied applied{tau, wrenches};
    ForwardDerivatives found, without;
    if (compute_forward_derivatives(model, state, derivatives, found, applied)) continue;  // massless ends
    ASSERT_FALSE(compute_forward_derivatives(model, state, derivatives, without));
    const auto at = [&](const State& moved) { return compute_forward_dynamics(model, moved, workspace, applied)->accelerations; };
    const std::vector<double> here = at(state);
    double size = 1;
    for (const double a : here) size = std::max(size, std::abs(a));
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(found.accelerations[i], here[i], 1e-9 * size) << seed;
    const double h = 1e-5;
    double by_wrenches = 0;
    for (size_t j = 0; j < n; ++j) {
      const auto a = at(moved_along(model, state, j, h)), b = at(moved_along(model, state, j, -h));
      const double column = found.by_q.col(static_cast<Eigen::Index>(j)).cwiseAbs().maxCoeff();
      for (size_t i = 0; i < n; ++i) {
        const auto row = static_cast<Eigen::Index>(i), of = static_cast<Eigen::Index>(j);
        EXPECT_NEAR(found.by_q(row, of), (a[i] - b[i]) / (2 * h), 1e-6 * (size + column)) << seed << " " << i << " " << j;
        by_wrenches = std::max(by_wrenches, std::abs(found.by_q(row, of) - without.by_q(row, of)));
      }
    }
    EXPECT_GT(by_wrenches, 1e-3) << seed;

    // Inverse: the slopes of the forces that must act beside the wrenches.
    InverseDerivatives inverse;
    ASSERT_FALSE(compute_inverse_derivatives(model, state, here, derivatives, inverse, applied));
    for (size_t j = 0; j < n; ++j) {
      const State ahead = moved_along(model, state, j, h), behind = moved_along(model, state, j, -h);
      std::vector<double> a(n), b(n);
      compute_forces(model, state.t, ahead.q, ahead.v, here, a, workspace, applied);
      compute_forces(model, state.t, behind.q, behind.v, here, b, workspace, applied);
      for (size_t i = 0; i < n; ++i)
        EXPECT_NEAR(inverse.by_q(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), (a[i] - b[i]) / (2 * h),
                    1e-6 * (size + inverse.by_q.cwiseAbs().maxCoeff()))
            << seed << " " << i << " " << j;
    }
  }
}

// Many states at once, each with its own tau and wrenches: the bits of one after the other. Of one model, with and without forces
// of its own on bodies, and of variants.
TEST(Applied, BatchesTakeForcesForEachState) {
  for (const bool loaded : {false, true}) {
    ModelDescription words = random_tree(5, 9);
    Random random(17);
    add_joint_forces(words, random);
    if (loaded) add_body_forces(words, random);
    constexpr size_t kCount = 21;
    std::vector<Model> variants;
    for (size_t k = 0; k < kCount; ++k) {
      words.bodies.back().mass = 1 + 0.1 * static_cast<double>(k);
      variants.push_back(built(words));
    }
    const Model& model = variants[0];
    const size_t n = model.velocity_names().size(), bodies = model.bodies().size();
    std::vector<State> states;
    for (size_t k = 0; k < kCount; ++k) states.push_back(random_state(model, random));
    const StateBatch packed = make_batch(states);
    std::vector<double> tau(n * kCount), numbers(6 * bodies * kCount), a(n * kCount), forces(n * kCount), one(n), alone(n);
    for (double& value : tau) value = 3 * random.symmetric();
    for (double& value : numbers) value = 5 * random.symmetric();
    const auto expect_alone = [&](Batch& batch, const auto& model_of) {
      ASSERT_TRUE(compute_accelerations(batch, packed, a, tau, numbers).empty());
      compute_forces(batch, packed, a, forces, numbers);
      for (size_t k = 0; k < kCount; ++k) {
        const Model& own = model_of(k);
        Workspace workspace(own);
        for (size_t i = 0; i < n; ++i) one[i] = tau[i * kCount + k];
        std::vector<Wrench> wrenches;
        for (size_t b = 0; b < bodies; ++b) {
          const auto part = [&](size_t i) { return numbers[(6 * b + i) * kCount + k]; };
          wrenches.push_back({{part(0), part(1), part(2)}, {part(3), part(4), part(5)}});
        }
        const State& state = states[k];
        ASSERT_TRUE(compute_accelerations(own, state.t, state.q, state.v, alone, workspace, {one, wrenches}));
        for (size_t i = 0; i < n; ++i) EXPECT_EQ(a[i * kCount + k], alone[i]) << k << " " << i;
        std::vector<double> needed(n);
        compute_forces(own, state.t, state.q, state.v, alone, needed, workspace, {{}, wrenches});
        for (size_t i = 0; i < n; ++i) EXPECT_EQ(forces[i * kCount + k], needed[i]) << k << " " << i;
        EXPECT_NE(needed[0], 0);
      }
    };
    for (const int threads : {1, 2}) {
      Batch batch(model, threads);
      expect_alone(batch, [&](size_t) -> const Model& { return model; });
      auto of_variants = Batch::of_variants(variants, threads);
      ASSERT_TRUE(of_variants);
      expect_alone(*of_variants, [&](size_t k) -> const Model& { return variants[k]; });
    }
  }
}

// With constraints, slopes from tapes (a frame's row) and by differences (a wheel with a law): those of the same forces written
// into the model, and of `tau` as of a law.
TEST(Applied, ConstrainedDerivativesAreThoseOfTheModelsOwnForces) {
  const std::string forces =
      "forces: { push: { body: lower, force: [1, -2, 3], torque: [0.4, 0.5, -0.6] }, drive: { joint: upper, law: \"7\" } }\n";
  const std::vector<double> tau{7, 0, 0, 0};
  const std::vector<Wrench> wrenches{{}, {{1, -2, 3}, {0.4, 0.5, -0.6}}};
  for (const char* rows : {"contacts: { tip: { body: lower, with: world, point: [0.4, 0, 0], forbid: [lateral] } }\n",
                           "contacts: { tip: { body: lower, with: world, point: [0.4, 0, 0], forbid: [lateral], "
                           "laws: { forward: { viscous: 0.2 } } } }\n"}) {
    const Model model = read_model_text(std::string(kArm) + rows), given = read_model_text(kArm + (rows + forces));
    Workspace workspace(model);
    const auto start = project_state(ConstraintSet(model), model.initial_state(), workspace);
    ASSERT_TRUE(start);
    const ConstraintSet set(model), other(given);
    ConstrainedDifferentiator with(set), own(other);
    const auto a = with.compute(start->state, {tau, wrenches}), b = own.compute(start->state),
               without = with.compute(start->state);
    ASSERT_TRUE(a && b && without);
    const double allowed = 1e-11 + 10 * (a->error + b->error), size = b->by_q.lpNorm<Eigen::Infinity>();
    EXPECT_LT((a->accelerations - b->accelerations).norm(), 1e-11 * b->accelerations.norm());
    EXPECT_LT((a->by_q - b->by_q).lpNorm<Eigen::Infinity>(), allowed * size);
    EXPECT_LT((a->by_v - b->by_v).lpNorm<Eigen::Infinity>(), allowed * size);
    EXPECT_LT((a->by_tau - b->by_tau).lpNorm<Eigen::Infinity>(), 1e-11 * b->by_tau.lpNorm<Eigen::Infinity>());
    EXPECT_GT((a->by_q - without->by_q).lpNorm<Eigen::Infinity>(), 0.1);
  }
}

TEST(Applied, WrongSizesAndValuesAreRefused) {
  const Model model = read_model_text(kArm);
  Workspace workspace(model);
  const std::vector<double> few{1, 2}, broken{1, 2, 3, std::nan("")};
  const std::vector<Wrench> one(1), infinite{{}, {{HUGE_VAL, 0, 0}, {}}};
  for (const Applied& wrong : {Applied{few, {}}, Applied{broken, {}}, Applied{{}, one}, Applied{{}, infinite}}) {
    const auto refused = compute_forward_dynamics(model, model.initial_state(), workspace, wrong);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().code, "VN-RUN-147");
  }
}

}  // namespace
}  // namespace vinculum::testing::applied
