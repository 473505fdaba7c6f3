// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "bench/peers/peer.h"
#include "tests/support/expect.h"
#include "tests/support/random_tree.h"
#include "vinculum/dynamics/applied.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum::testing {

// Two engines share nothing but the double precision. A chain of twenty bodies adds up some hundred roundings, 100 ε = 2e-14;
// solving for accelerations multiplies them by the condition of the mass matrix, about 1e3 in these trees.
inline constexpr double kMultiplied = 1e-13, kSolved = 1e-11;

inline double largest(std::span<const double> values) {
  double size = 1;
  for (double value : values) size = std::max(size, std::abs(value));
  return size;
}

// A random tree, a random state with forces on every velocity and a random motion, in our engine and in another.
class OracleTest : public ::testing::TestWithParam<int> {
 protected:
  OracleTest(ModelDescription words, bench::MakePeer* make_peer) : random_(GetParam()), model_(build(words)), workspace_(model_) {
    sample_.state = random_state(model_, random_);
    sample_.forces = draw(5);
    sample_.accelerations = draw(3);
    std::string refusal;
    peer_ = make_peer(model_, refusal);
    if (!peer_) throw std::runtime_error(refusal);
    peer_->take({sample_});
  }

  void compare_body_motions() {
    peer_->kinematics(0);
    const auto ours = compute_body_motions(model_, sample_.state, workspace_), theirs = peer_->body_motions();
    for (size_t i = 0; i < ours.size(); ++i) {
      SCOPED_TRACE(model_.bodies()[i].name);
      const double scale = std::max(1.0, norm(ours[i].V_WB_W.linear));
      for (int k = 0; k < 3; ++k) EXPECT_NEAR_VECTOR(ours[i].R_WB.column(k), theirs[i].R_WB.column(k), kMultiplied);
      EXPECT_NEAR_VECTOR(ours[i].p_WB, theirs[i].p_WB, kMultiplied * scale);
      EXPECT_NEAR_VECTOR(ours[i].V_WB_W.linear, theirs[i].V_WB_W.linear, kMultiplied * scale);
      EXPECT_NEAR_VECTOR(ours[i].V_WB_W.angular, theirs[i].V_WB_W.angular, kMultiplied * scale);
    }
  }

  void compare_accelerations() {
    peer_->forward(0);
    const auto ours = compute_forward_dynamics(model_, sample_.state, workspace_, {.tau = sample_.forces});
    ASSERT_TRUE(ours) << ours.failure().message;
    compare(ours->accelerations, peer_->accelerations(), kSolved);
  }

  void compare_forces() {
    peer_->inverse(0);
    compare(compute_inverse_dynamics(model_, sample_.state, sample_.accelerations, workspace_).forces, peer_->forces(),
            kMultiplied);
  }

  void compare_mass_matrices() {
    peer_->mass_matrix(0);
    const Eigen::MatrixXd ours = compute_mass_matrix(model_, sample_.state, workspace_);
    const std::vector<double> given = peer_->matrix();
    const Eigen::Map<const Eigen::MatrixXd> theirs(given.data(), ours.rows(), ours.cols());
    ASSERT_GT(ours.diagonal().minCoeff(), 0);
    EXPECT_LT((ours - theirs).cwiseAbs().maxCoeff(), kMultiplied * ours.cwiseAbs().maxCoeff());
  }

  Random random_;
  Model model_;
  Workspace workspace_;
  bench::Sample sample_;
  std::unique_ptr<bench::Peer> peer_;

 private:
  static Model build(const ModelDescription& words) {
    Diagnostics diagnostics;
    auto model = build_model(words, diagnostics);
    if (!model) throw std::runtime_error(to_text(diagnostics.list().front()));
    return std::move(*model);
  }
  std::vector<double> draw(double size) {
    std::vector<double> values(model_.velocity_names().size());
    for (double& value : values) value = size * random_.symmetric();
    return values;
  }
  void compare(const std::vector<double>& ours, const std::vector<double>& theirs, double tolerance) const {
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_NEAR(ours[i], theirs[i], tolerance * largest(ours)) << model_.velocity_names()[i];
  }
};

}  // namespace vinculum::testing
