// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "bench/models.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/dynamics/applied.h"

namespace vinculum::bench {
namespace {

// Accelerations of the benchmark models at their first state, as Pinocchio, RBDL, Simbody and DART find them too: the Euclidean
// norm over all joints that are not free, and the last of them.
struct Expected {
  const char* model;
  double norm, last;
};

class BenchModels : public ::testing::TestWithParam<Expected> {};

TEST_P(BenchModels, AccelerationsAreThoseOfOtherEngines) {
  Diagnostics diagnostics;
  const auto model = build_model(describe_model(GetParam().model), diagnostics);
  ASSERT_TRUE(model);
  const Sample sample = draw_sample(*model, 0);
  Workspace workspace(*model);
  const auto forward = compute_forward_dynamics(*model, sample.state, workspace, {.tau = sample.forces});
  ASSERT_TRUE(forward) << forward.failure().message;
  double squares = 0, last = 0;
  for (const Body& body : model->bodies()) {
    if (model->tree().links[body.link].kind == LinkKind::free) continue;
    for (int i = body.v; i < body.v + body.v_count; ++i) {
      last = forward->accelerations[i];
      squares += last * last;
    }
  }
  // The literals have twelve digits.
  EXPECT_NEAR(std::sqrt(squares), GetParam().norm, 1e-11 * GetParam().norm);
  EXPECT_NEAR(last, GetParam().last, 1e-11 * std::abs(GetParam().last));
}

INSTANTIATE_TEST_SUITE_P(All, BenchModels,
                         ::testing::Values(Expected{"arm7", 274.520298896, -224.63508058},         //
                                           Expected{"chain10", 453.354469851, -379.932958413},     //
                                           Expected{"humanoid36", 747.613323741, -569.104662588},  //
                                           Expected{"stewart", 108.780565986, -3.75113846697},     //
                                           Expected{"chain100", 748.508355336, -21.9450202256},    //
                                           Expected{"btree127", 2449.78756227, 254.794305651},     //
                                           Expected{"chain1000", 6813.76614362, 728.860396781},    //
                                           Expected{"chain100000", 5402220.36041, 9995.8344232}),
                         [](const auto& of) { return std::string(of.param.model); });

// The Stewart platform with its loops closed, as the exact solvers of Pinocchio, RBDL and Simbody find it.
TEST(BenchModels, LoopsOfTheStewartPlatform) {
  Diagnostics diagnostics;
  const auto model = build_model(describe_model("stewart_loops"), diagnostics);
  ASSERT_TRUE(model);
  const Sample sample = draw_sample(*model, 0);
  Workspace workspace(*model);
  const AppliedScope scope(workspace, {.tau = sample.forces});
  const auto motion = compute_constrained_motion(ConstraintSet(*model), sample.state, {}, workspace);
  ASSERT_TRUE(motion) << motion.failure().message;
  const auto legs = motion->accelerations.head(18);
  EXPECT_NEAR(legs.norm(), 25.0604167616, 1e-11 * 25);
  EXPECT_NEAR(legs[17], -4.42576679752, 1e-11 * 4);
}

}  // namespace
}  // namespace vinculum::bench
