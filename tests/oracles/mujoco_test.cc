// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/oracles/oracle_test.h"

namespace vinculum::testing {
namespace {

// What MuJoCo can say: no screws, free joints on the world only, no moving body without mass.
ModelDescription mujoco_tree(int seed) {
  ModelDescription words = random_tree(seed, 2 + seed % 14);
  for (BodyDescription& body : words.bodies) {
    JointDescription& joint = body.joint;
    if (*joint.type == JointType::screw) joint.type = JointType::revolute;
    if (*joint.type == JointType::free && *body.parent != "world") joint.type = JointType::spherical;
    if (*body.mass == 0) {
      body.mass = 0.7;
      body.inertia = Symmetric3{0.1, 0.2, 0.15, 0.01, -0.02, 0.03};
    }
  }
  return words;
}

class MujocoTrees : public OracleTest {
 protected:
  MujocoTrees() : OracleTest(mujoco_tree(GetParam()), bench::make_mujoco_peer) {}
};

TEST_P(MujocoTrees, BodyMotionsAgree) { compare_body_motions(); }
TEST_P(MujocoTrees, AccelerationsAgree) { compare_accelerations(); }
TEST_P(MujocoTrees, InverseDynamicsAgrees) { compare_forces(); }
TEST_P(MujocoTrees, MassMatricesAgree) { compare_mass_matrices(); }

INSTANTIATE_TEST_SUITE_P(Seeds, MujocoTrees, ::testing::Range(1, 41));

}  // namespace
}  // namespace vinculum::testing
