// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/oracles/oracle_test.h"

namespace vinculum::testing {
namespace {

// Every kind of joint, massless bodies inside chains.
class SimbodyTrees : public OracleTest {
 protected:
  SimbodyTrees() : OracleTest(random_tree(GetParam(), 2 + GetParam() % 14), bench::make_simbody_peer) {}
};

TEST_P(SimbodyTrees, BodyMotionsAgree) { compare_body_motions(); }
TEST_P(SimbodyTrees, AccelerationsAgree) { compare_accelerations(); }
TEST_P(SimbodyTrees, InverseDynamicsAgrees) { compare_forces(); }
TEST_P(SimbodyTrees, MassMatricesAgree) { compare_mass_matrices(); }

TEST_P(SimbodyTrees, ReactionsAgree) {
  const auto ours = compute_forward_dynamics(model_, sample_.state, workspace_, {.tau = sample_.forces});
  ASSERT_TRUE(ours) << ours.failure().message;
  peer_->forward(0);
  const auto theirs = peer_->reactions_W();
  ASSERT_EQ(ours->reactions_W.size(), theirs.size());
  const double scale = largest(ours->accelerations);
  for (size_t i = 0; i < theirs.size(); ++i) {
    SCOPED_TRACE(model_.bodies()[i].name);
    EXPECT_NEAR_VECTOR(ours->reactions_W[i].force, theirs[i].force, kSolved * scale);
    EXPECT_NEAR_VECTOR(ours->reactions_W[i].moment, theirs[i].moment, kSolved * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimbodyTrees, ::testing::Range(1, 41));

}  // namespace
}  // namespace vinculum::testing
