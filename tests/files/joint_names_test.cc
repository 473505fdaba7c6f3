// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A coordinate by the name of its joint is the coordinate by the name of its body, wherever data come from outside.
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/scratch_path.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/files/json_text.h"
#include "vinculum/files/read_model.h"
#include "vinculum/files/read_motion.h"
#include "vinculum/files/write_model.h"

namespace vinculum {
namespace {

constexpr const char* kArm = R"(
vinculum: 1
bodies:
  upper: { joint: {name: shoulder joint, type: revolute, axis: y}, mass: 1, inertia: 1 }
  lower: { parent: upper, joint: {name: elbow, type: universal}, mass: 1, inertia: 1 }
)";

std::vector<double> start_of(const std::string& more, const std::vector<Override>& overrides = {}) {
  Diagnostics diagnostics;
  const auto model = read_model(kArm + more, diagnostics, {overrides, {}, {}});
  for (const Diagnostic& d : diagnostics.list()) ADD_FAILURE() << to_text(d);
  return model ? model->initial_state().q : std::vector<double>{};
}

TEST(JointNames, InTheModelAndOnTheCommandLine) {
  EXPECT_EQ(start_of("initial: { shoulder joint: 0.3, elbow.ry: 0.5, lower.rx: 0.7 }"), (std::vector<double>{0.3, 0.7, 0.5}));
  EXPECT_EQ(start_of("initial: { upper: 0.3 }", {{"shoulder joint", "30 deg"}})[0], start_of("initial: { upper: 30 deg }")[0]);
  EXPECT_EQ(start_of("motions: { shoulder joint: 0.2 + t }")[0], 0.2);
  const Model model = read_model_text(std::string(kArm) + "forces: { drive: { joint: shoulder joint, law: 3 N*m } }\n");
  EXPECT_EQ(list_velocity_forces(model).at(0).velocity, *model.find_velocity("upper'"));
  // Written out and read again they are still there.
  EXPECT_EQ(*read_model_text(write_model(model.description())).description().bodies[0].joint.name, "shoulder joint");
}

TEST(JointNames, InStateFiles) {
  const Model model = read_model_text(kArm);
  State state = model.initial_state();
  Diagnostics diagnostics;
  ASSERT_TRUE(read_state(R"({"q": {"shoulder joint": 0.1, "elbow.rx": 0.2}, "v": {"elbow.ry'": 3}})", model, state, nullptr,
                         diagnostics));
  EXPECT_EQ(state.q, (std::vector<double>{0.1, 0.2, 0}));
  EXPECT_EQ(state.v, (std::vector<double>{0, 0, 3}));
  EXPECT_FALSE(read_state(R"({"q": {"shoulder joint": 0.1, "upper": 0.2}})", model, state, nullptr, diagnostics));
  EXPECT_EQ(diagnostics.list().at(0).message, "'shoulder joint' is there twice, as 'upper' of its body and by its joint");
}

TEST(JointNames, InMotions) {
  const Model model = read_model_text(kArm);
  const auto read = [&](const std::string& header, Diagnostics& diagnostics) {
    const std::string path = testing::scratch_path("joint_names.csv").string();
    std::ofstream(path) << header << "\n0,1,2\n1,2,4\n2,3,6\n3,4,8\n";
    return read_motion(path, model, diagnostics);
  };
  Diagnostics good, twice;
  const auto motion = read("t,shoulder joint,a(elbow.ry')", good);
  ASSERT_TRUE(motion) << to_text(good.list().at(0));
  EXPECT_EQ(motion->states[2].q[0], 3);
  EXPECT_NEAR(motion->states[2].v[0], 1, 1e-14);
  EXPECT_EQ(motion->accelerations[2][2], 6);
  EXPECT_FALSE(read("t,shoulder joint,upper", twice));
  EXPECT_EQ(twice.list().at(0).message, "is the same as column 'upper'");
}

}  // namespace
}  // namespace vinculum
