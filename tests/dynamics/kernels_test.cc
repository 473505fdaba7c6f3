// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/kernels/kernels.h"

#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "vinculum/kernels/instruction_set.h"

namespace vinculum {
namespace {

using testing::Random;

// All that one table of kernels computes for a state.
std::vector<double> compute_all(const Kernels& kernels, const Model& model, const State& state,
                                const std::vector<double>& forces) {
  const Tree& tree = model.tree();
  const size_t links = tree.links.size(), n = forces.size();
  std::vector<double> turns(2 * state.q.size()), vdot(n), tau(n), axes(6 * n), matrix(n * n), all;
  std::vector<LinkMotion<double>> motions(links);
  std::vector<LinkInWorld<double>> world(links);
  std::vector<Wrench> wrenches(links);
  std::vector<JointResponse<double>> responses(links);
  std::vector<Burden<double>> slots(tree.slots);
  std::vector<Pivot<double>> pivots(n);
  std::vector<LinkPlace<double>> places(links);
  std::vector<RigidInertia> composites(links);

  kernels.move(tree, state.q.data(), state.v.data(), turns.data(), motions.data());
  kernels.forward(tree, nullptr, forces.data(), vdot.data(), pivots.data(), motions.data(), responses.data(), slots.data());
  kernels.inverse_outward(tree, state.q.data(), state.v.data(), vdot.data(), turns.data(), motions.data(), wrenches.data());
  kernels.inverse_inward(tree, motions.data(), nullptr, wrenches.data(), tau.data());
  kernels.see_from_world(tree, state.v.data(), motions.data(), world.data());
  kernels.mass_matrix(tree, state.q.data(), turns.data(), {places.data(), composites.data(), axes.data()}, matrix.data());
  for (const auto* results : {&turns, &vdot, &tau, &matrix}) all.insert(all.end(), results->begin(), results->end());
  for (const LinkInWorld<double>& link : world) {
    for (const Vector3& a : {link.R.x, link.R.y, link.R.z, link.p, link.velocity.linear, link.velocity.angular})
      all.insert(all.end(), {a.x, a.y, a.z});
  }
  return all;
}

// Whatever a processor can do, it gives the bits that the plainest one gives. 25 random trees, with up to 50 bodies.
TEST(Kernels, EveryInstructionSetGivesTheSameBits) {
  if (find_instruction_set() < InstructionSet::avx2) GTEST_SKIP() << "this processor has the plain set only";
  for (int seed = 1; seed <= 25; ++seed) {
    Random random(seed);
    const Model model = testing::build(testing::random_tree(random.next(), 2 * seed));
    const State state = testing::random_state(model, random);
    std::vector<double> forces(state.v.size());
    for (double& force : forces) force = 5 * random.symmetric();
    const std::vector<double> expected = compute_all(kernels_for(InstructionSet::baseline), model, state, forces);
    const std::vector<double> results = compute_all(kernels_for(InstructionSet::avx2), model, state, forces);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(results[i]), std::bit_cast<std::uint64_t>(expected[i]))
          << "seed " << seed << ", number " << i << ": " << results[i] << " and " << expected[i];
    }
  }
}

}  // namespace
}  // namespace vinculum
