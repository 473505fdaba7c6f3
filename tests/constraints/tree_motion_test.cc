// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/geometry/tree_motion.h"

#include "tests/constraints/worked.h"

namespace vinculum::testing {
namespace {

// Twists of all bodies one below the other, body axes, linear part first.
void expect_twists(const Worked& at, const std::vector<double>& expected) {
  std::vector<double> twists;
  for (const Body& body : at.model().bodies()) {
    const FrameMotion motion = body_motion(body, at.dynamics().rows.links);
    for (const Vector3& part : {motion.velocity.linear, motion.velocity.angular}) {
      const Vector3 in_body = transpose_times(motion.R, part);
      twists.insert(twists.end(), {in_body.x, in_body.y, in_body.z});
    }
  }
  ASSERT_EQ(twists.size(), expected.size());
  for (size_t i = 0; i < twists.size(); ++i) EXPECT_NEAR(twists[i], expected[i], 1e-14) << i;
}

// Theory 1, W1: tree 6+2+1+3: aggregative form.
TEST(TreeMotion, TreeOfFourBodies) {
  const Worked at(R"(
vinculum: 1
bodies:
  base: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 4, com: [0.05, -0.02, 0.1], inertia: [0.3, 0.4, 0.35, 0.01, -0.02, 0.015] }
  arm: { parent: base, joint: {axes: [rz, rx], origin: [0.3, 0.1, -0.05], rotation: [0.9671841473204752, 0.06720426558332437, -0.16533875799493103, 0.1808355799174076]}, mass: 1.5, com: [0.2, 0, 0.03], inertia: [0.02, 0.05, 0.06, 0.001, 0, 0.002] }
  slider: { parent: arm, joint: {axes: [tx], origin: [0.4, 0, 0]}, mass: 0.8, com: [0, 0.05, 0], inertia: [0.01, 0.02, 0.015] }
  wrist: { parent: base, joint: {axes: [ry, tz, rx], origin: [-0.2, 0.15, 0.1]}, mass: 0.6, com: [0.01, 0.02, 0.15], inertia: [0.004, 0.005, 0.002] }
forces:
  u6: { joint: arm.rz, law: 1 }
  u7: { joint: arm.rx, law: -0.5 }
  u8: { joint: slider.tx, law: 2 }
  u9: { joint: wrist.ry, law: 0.3 }
  u10: { joint: wrist.tz, law: -1.2 }
  u11: { joint: wrist.rx, law: 0.1 }
)",
                  0, {0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, -0.8, 0.09, 0.5, -0.06, 0.3},
                  {0.5, -0.4, 0.3, 0.2, 0.6, -0.7, 1.1, -0.9, 0.25, 0.8, -0.3, 0.4});
  at.expect_accelerations({-0.185306775602299, -0.193773939195068, -9.20264909827513, 0.655185847809628, 1.72989926755559,
                           -3.43783646706987, 9.29068630969227, -17.4275066642509, 3.42139865816263, 32.6950725099849,
                           -2.57096210985312, 6.0109049048737});
  expect_twists(at, {0.391057305831846,  -0.572381042061719, 0.139478049326333,  0.483645512707381,  0.396097291274981,
                     -0.795885107720841, -0.449758596590824, -0.605861135282427, -0.507919986102535, -0.600473921041466,
                     -0.154681718550182, 0.036961686535786,  -0.199758596590824, -0.587749908879892, -0.432125944012946,
                     -0.600473921041466, -0.154681718550182, 0.036961686535786,  0.271318304228399,  -0.329945605051491,
                     0.331615580848586,  1.20600651452465,   1.00479071736899,   -0.799214570489101});
}

// Theory 1, X1: W1 with a quaternion base, same state and forces.
TEST(TreeMotion, TheSameTreeOnAFreeBase) {
  const Worked at(R"(
vinculum: 1
bodies:
  base: { joint: {type: free}, mass: 4, com: [0.05, -0.02, 0.1], inertia: [0.3, 0.4, 0.35, 0.01, -0.02, 0.015] }
  arm: { parent: base, joint: {axes: [rz, rx], origin: [0.3, 0.1, -0.05], rotation: [0.9671841473204752, 0.06720426558332437, -0.16533875799493103, 0.1808355799174076]}, mass: 1.5, com: [0.2, 0, 0.03], inertia: [0.02, 0.05, 0.06, 0.001, 0, 0.002] }
  slider: { parent: arm, joint: {axes: [tx], origin: [0.4, 0, 0]}, mass: 0.8, com: [0, 0.05, 0], inertia: [0.01, 0.02, 0.015] }
  wrist: { parent: base, joint: {axes: [ry, tz, rx], origin: [-0.2, 0.15, 0.1]}, mass: 0.6, com: [0.01, 0.02, 0.15], inertia: [0.004, 0.005, 0.002] }
forces:
  u6: { joint: arm.rz, law: 1 }
  u7: { joint: arm.rx, law: -0.5 }
  u8: { joint: slider.tx, law: 2 }
  u9: { joint: wrist.ry, law: 0.3 }
  u10: { joint: wrist.tz, law: -1.2 }
  u11: { joint: wrist.rx, law: 0.1 }
)",
                  0,
                  {0.1, -0.2, 0.3, 0.921711555132032, 0.112240281592629, -0.288528310224204, 0.233669301627887, 0.7, -0.8, 0.09,
                   0.5, -0.06, 0.3},
                  {0.5, -0.4, 0.3, 0.483645512707381, 0.396097291274981, -0.795885107720841, 1.1, -0.9, 0.25, 0.8, -0.3, 0.4});
  at.expect_accelerations({-0.1853067756023, -0.193773939195069, -9.20264909827514, 1.22154013735982, 1.40915690623306,
                           -3.64663938761501, 9.29068630969227, -17.4275066642509, 3.42139865816263, 32.6950725099849,
                           -2.57096210985312, 6.01090490487369});
  expect_twists(at, {0.391057305831846,  -0.572381042061719, 0.139478049326333,  0.483645512707381,  0.396097291274981,
                     -0.795885107720841, -0.449758596590824, -0.605861135282427, -0.507919986102536, -0.600473921041466,
                     -0.154681718550182, 0.036961686535786,  -0.199758596590824, -0.587749908879892, -0.432125944012946,
                     -0.600473921041466, -0.154681718550182, 0.036961686535786,  0.271318304228399,  -0.329945605051491,
                     0.331615580848586,  1.20600651452465,   1.00479071736899,   -0.799214570489101});
}

// Place and motion relative to a moving carrier, and back.
TEST(TreeMotion, ComposeIsTheInverseOfRelativeTo) {
  const FrameMotion carrier{
      rotation_about({0.6, 0, 0.8}, 0.7), {1, -2, 3}, {{0.3, 0.2, -0.1}, {1, 2, -1}}, {{0.5, -1, 2}, {0.1, 0.4, -2}}};
  const FrameMotion frame{
      rotation_about({0, 0.8, 0.6}, -1.1), {0.2, 1, -1}, {{2, 0, 1}, {-1, 0.5, 3}}, {{1, 1, 0}, {2, -1, 0.3}}};
  const FrameMotion back = compose(carrier, relative_to(carrier, frame));
  EXPECT_LE(norm(back.p - frame.p), 1e-15);
  EXPECT_LE(norm(back.velocity.linear - frame.velocity.linear), 1e-14);
  EXPECT_LE(norm(back.velocity.angular - frame.velocity.angular), 1e-14);
  EXPECT_LE(norm(back.acceleration.linear - frame.acceleration.linear), 1e-13);
  EXPECT_LE(norm(back.acceleration.angular - frame.acceleration.angular), 1e-13);
  EXPECT_GT(norm(relative_to(carrier, frame).acceleration.linear), 1);
}

}  // namespace
}  // namespace vinculum::testing
