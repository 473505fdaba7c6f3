// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "tests/constraints/worked.h"

namespace vinculum::testing {
namespace {

// Theory 1, W2c: contact example 5 sliding support, fixed plane.
TEST(PointContacts, SlidingWithFriction) {
  const Worked at(R"(
vinculum: 1
bodies:
  trunk: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 6, com: [0.02, 0, 0.05], inertia: [0.4, 0.5, 0.3] }
  foot: { parent: trunk, joint: {axes: [ry], origin: [0.1, 0.05, -0.2]}, mass: 1.2, com: [0, 0.01, -0.25], inertia: [0.03, 0.028, 0.006] }
environment:
  ground: { surface: plane }
contacts:
  touch: { body: foot, with: ground, point: [0, 0, -0.5], forward: [0, 1, 0], forbid: [normal], sliding_friction: {coefficient: 0.4, smoothing: 0.01} }
forces:
  u6: { joint: foot.ry, law: 1.5 }
)",
                  0,
                  {0.0922206066786205, 0.198247316142559, 0.695755282987986, -0.00138842501485529, -0.0321732407484862,
                   0.306698394302796, -0.0507054946121683},
                  {0.511284302580342, -0.194673931723511, -0.0227915671084807, 0.235017164622321, -0.335022785600967,
                   0.591743730167663, 0.936322082004858});
  at.expect_jacobian({{0, 0, 1, 0.084543168893544, -0.126839800956251, -0.00289557502021924, -0.0404330032780967}});
  at.expect_rhs({0});
  at.expect_gamma({-0.189167434304854});
  at.expect_accelerations({0.984778146520637, 2.76544117252264, 1.81311688004125, 31.1938984952675, -9.05712929767252,
                           1.28784583421703, 143.066067257427});
  at.expect_multipliers({86.9068835875098});
  at.expect_law_forces({0, 0, 0, 0, 0, 0, 0});
  at.expect_slip(0, ContactAxis::lateral, 0.249018356618386);
  at.expect_slip(0, ContactAxis::forward, -0.110541230604881);
  EXPECT_EQ(at.rank(), 1);
}

// Theory 1, W2d: contact example 7 sliding + deformation, fixed plane.
TEST(PointContacts, SlidingAndSinkingIn) {
  const Worked at(R"(
vinculum: 1
bodies:
  trunk: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 6, com: [0.02, 0, 0.05], inertia: [0.4, 0.5, 0.3] }
  foot: { parent: trunk, joint: {axes: [ry], origin: [0.1, 0.05, -0.2]}, mass: 1.2, com: [0, 0.01, -0.25], inertia: [0.03, 0.028, 0.006] }
environment:
  ground: { surface: plane }
contacts:
  touch: { body: foot, with: ground, point: [0, 0, -0.5], forward: [0, 1, 0], forbid: [], laws: {normal: {stiffness: 20000, viscous: 300}}, sliding_friction: {coefficient: 0.4, smoothing: 0.01} }
forces:
  u6: { joint: foot.ry, law: 1.5 }
)",
                  0, {0.1, 0.2, 0.678740689244114, 0.05, -0.1, 0.3, 0.2}, {0.5, -0.2, 0.1, 0.3, -0.4, 0.6, 0.7});
  at.expect_jacobian({});
  at.expect_accelerations({3.75645476382983, 2.84597915937794, -2.01171822461367, 24.5019023822155, -16.1469322910756,
                           -4.5548073092021, 200.701229127977});
  at.expect_law_forces({-26.1785587789988, 6.77763961467169, 67.6042407366145, 10.2040147041106, 14.3280165269753,
                        0.784158185569877, 14.4844605143058});
  at.expect_slip(0, ContactAxis::normal, 0.174652530877948);
  at.expect_slip(0, ContactAxis::lateral, 0.413557403848686);
  at.expect_slip(0, ContactAxis::forward, -0.107070181629488);
  EXPECT_EQ(at.rank(), 0);
}

// Theory 1, X2: foot on a moving curved surface, heading axis 2 of E_kc.
TEST(PointContacts, FootOnMovingCurvedSurface) {
  const Worked at(R"(
vinculum: 1
bodies:
  trunk: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 6, com: [0.02, 0, 0.05], inertia: [0.4, 0.5, 0.3] }
  foot: { parent: trunk, joint: {axes: [ry], origin: [0.1, 0.05, -0.2]}, mass: 1.2, com: [0, 0.01, -0.25], inertia: [0.03, 0.028, 0.006] }
environment:
  ground: { surface: '0.02*x - 0.15*x^2 + 0.1*x*y + 0.2*y^2 + 0.05*sin(1.3*x + 0.2)*cos(0.9*y - 0.3)', position: ['0.1 + 0.15*t + 0.05*t^2', -0.2, '0.05 + 0.08*sin(2*t + 0.3)'], rotation: [{axis: z, angle: '0.1 + 0.2*t'}, {axis: x, angle: '0.12*sin(1.5*t - 0.4)'}] }
contacts:
  touch: { body: foot, with: ground, point: [0, 0, -0.5], forward: [1, 0, 0], forbid: [normal, lateral, forward] }
forces:
  u6: { joint: foot.ry, law: 1.5 }
)",
                  0.7,
                  {0.108375164579569, 0.184303369751102, 0.838853899551286, -0.00968015888511542, -0.233122259756849,
                   0.267909759603004, 0.575555603054637},
                  {0.445317378303224, -0.181029820851681, -0.0698108566727108, 0.49160317813427, 0.0187948881988751,
                   0.595661712301402, 0.625734753592815});
  at.expect_jacobian({{-0.0820119776557633, -0.251563113862916, 0.964359909610818, -0.165491802492936, 0.0829252178480226,
                       0.0463858571230831, 0.231213471991419},
                      {0.231493054771698, -0.945963443458962, -0.227077363979177, -0.608473202621836, -0.156496587142184,
                       0.16870588758983, -0.0413472618087152},
                      {0.969373509599607, 0.204619557674377, 0.135815446484132, 0.131306466653869, -0.620058977742128,
                       -0.0390187684968627, -0.441396346054875}});
  at.expect_rhs({0.0342071332676368, 0.0627384613785171, 0.138612952217608});
  at.expect_gamma({-0.662101979631474, -0.233489585495408, -0.102689253251093});
  at.expect_accelerations({2.94980915505928, 0.833092646006106, -5.11320753035228, 4.08056974780008, -15.9262055851415,
                           -0.552435770519937, 29.1590948135261});
  at.expect_multipliers({35.0747022736414, -9.37534222406554, 21.8543422346383});
  EXPECT_EQ(at.rank(), 3);
}

// Theory 1, W5a: Chaplygin sleigh.
TEST(PointContacts, ChaplyginSleigh) {
  const Worked at(R"(
vinculum: 1
bodies:
  sleigh: { joint: {axes: [tx, ty, rz]}, mass: 3, com: [0.25, 0, 0], inertia: [0.4, 0.4, 0.4] }
environment:
  ground: { surface: plane }
contacts:
  touch: { body: sleigh, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
)",
                  0, {0.1, 0.2, 0.5}, {1.05309907426845, 0.575310646325044, 0.8});
  at.expect_jacobian({{0.479425538604203, -0.877582561890372, 0}});
  at.expect_rhs({0});
  at.expect_gamma({-0.96});
  at.expect_accelerations({-0.319835307157575, 0.91918734559143, -1.22553191489362});
  at.expect_multipliers({-1.96085106382979});
  EXPECT_EQ(at.rank(), 1);
}

// Theory 1, W5b: snakeboard.
TEST(PointContacts, Snakeboard) {
  const Worked at(R"(
vinculum: 1
bodies:
  board: { joint: {axes: [tx, ty, rz]}, mass: 4, inertia: [0.3, 0.3, 0.3] }
  rotor: { parent: board, joint: {axes: [rz]}, mass: 1, inertia: [0.12, 0.12, 0.12] }
  front: { parent: board, joint: {axes: [rz], origin: [0.35, 0, 0]}, mass: 0.5, inertia: [0.02, 0.02, 0.02] }
  rear: { parent: board, joint: {axes: [rz], origin: [-0.35, 0, 0]}, mass: 0.5, inertia: [0.02, 0.02, 0.02] }
environment:
  ground: { surface: plane }
contacts:
  touch0: { body: front, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
  touch1: { body: rear, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
forces:
  u3: { joint: rotor.rz, law: 0.5 }
  u4: { joint: front.rz, law: 0.1 }
  u5: { joint: rear.rz, law: -0.2 }
)",
                  0, {0.1, 0.2, 0.3, 0.4, 0.5, -0.35}, {0.6, 0.246906543289622, 0.841246723732012, 1.1, 0.2, -0.3});
  at.expect_jacobian({{0.717356090899523, -0.696706709347165, -0.30715389666163, 0, 0, 0},
                      {-0.0499791692706784, -0.998750260394966, 0.328780449496583, 0, 0, 0}});
  at.expect_rhs({0, 0});
  at.expect_gamma({-0.647923737378422, -0.287374625646447});
  at.expect_accelerations(
      {-0.311372150346205, 0.434155154872526, 0.397456196455911, 3.76921047021076, 4.60254380354409, -10.3974561964559});
  at.expect_multipliers({-2.65691793319966, -0.75478165952321});
  EXPECT_EQ(at.rank(), 2);
}

// Theory 1, X5: snakeboard with driven rotor.
TEST(PointContacts, SnakeboardWithDrivenRotor) {
  const Worked at(
      R"(
vinculum: 1
bodies:
  board: { joint: {axes: [tx, ty, rz]}, mass: 4, inertia: [0.3, 0.3, 0.3] }
  rotor: { parent: board, joint: {axes: [rz]}, mass: 1, inertia: [0.12, 0.12, 0.12] }
  front: { parent: board, joint: {axes: [rz], origin: [0.35, 0, 0]}, mass: 0.5, inertia: [0.02, 0.02, 0.02] }
  rear: { parent: board, joint: {axes: [rz], origin: [-0.35, 0, 0]}, mass: 0.5, inertia: [0.02, 0.02, 0.02] }
environment:
  ground: { surface: plane }
contacts:
  touch0: { body: front, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
  touch1: { body: rear, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] }
motions: { rotor.rz: '0.1 + 0.5*sin(2*t + 0.1)' }
forces:
  u4: { joint: front.rz, law: 0.1 }
  u5: { joint: rear.rz, law: -0.2 }
)",
      0.3, {0.1, 0.2, 0.29510956454514, 0.422108843618845, 0.50489043545486, -0.34510956454514},
      {0.606697673498929, 0.250377759391975, 0.851300011673238, 0.764842187284488, 0.189946712058774, -0.310053287941226});
  at.expect_jacobian({{0.717356090899523, -0.696706709347165, -0.306329617060342, 0, 0, 0},
                      {-0.0499791692706784, -0.998750260394966, 0.329363437407535, 0, 0, 0},
                      {0, 0, 0, 1, 0, 0}});
  at.expect_rhs({0, 0, 0.764842187284488});
  at.expect_gamma({-0.654519199032831, -0.289936976484868, -1.28843537447538});
  at.expect_accelerations(
      {-0.209227284677346, 0.482166601092807, 0.550061164831801, -1.28843537447538, 4.4499388351682, -10.5500611648318});
  at.expect_multipliers({-1.86133504585996, -1.59819231599696, -0.0886049051572297});
  EXPECT_EQ(at.rank(), 3);
}

// Theory 1, W6: walking machine: two feet fixed, one foot sliding with dry friction, moving plane.
TEST(PointContacts, WalkingMachine) {
  const Worked at(
      R"(
vinculum: 1
bodies:
  trunk: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 12, com: [0.01, 0, 0.02], inertia: [0.15, 0.5, 0.55] }
  hip0: { parent: trunk, joint: {axes: [rx], origin: [0.3, 0.12, 0]}, mass: 0.6, com: [0, 0.03, 0], inertia: [0.001, 0.0012, 0.0011] }
  thigh0: { parent: hip0, joint: {axes: [ry], origin: [0, 0.08, 0]}, mass: 0.9, com: [0, 0, -0.1], inertia: [0.006, 0.006, 0.001] }
  shank0: { parent: thigh0, joint: {axes: [ry], origin: [0, 0, -0.25]}, mass: 0.3, com: [0, 0, -0.126], inertia: [0.003, 0.003, 0.0003] }
  hip1: { parent: trunk, joint: {axes: [rx], origin: [0.3, -0.12, 0]}, mass: 0.6, com: [0, -0.03, 0], inertia: [0.001, 0.0012, 0.0011] }
  thigh1: { parent: hip1, joint: {axes: [ry], origin: [0, -0.08, 0]}, mass: 0.9, com: [0, 0, -0.1], inertia: [0.006, 0.006, 0.001] }
  shank1: { parent: thigh1, joint: {axes: [ry], origin: [0, 0, -0.25]}, mass: 0.3, com: [0, 0, -0.126], inertia: [0.003, 0.003, 0.0003] }
  hip2: { parent: trunk, joint: {axes: [rx], origin: [-0.3, 0.12, 0]}, mass: 0.6, com: [0, 0.03, 0], inertia: [0.001, 0.0012, 0.0011] }
  thigh2: { parent: hip2, joint: {axes: [ry], origin: [0, 0.08, 0]}, mass: 0.9, com: [0, 0, -0.1], inertia: [0.006, 0.006, 0.001] }
  shank2: { parent: thigh2, joint: {axes: [ry], origin: [0, 0, -0.25]}, mass: 0.3, com: [0, 0, -0.126], inertia: [0.003, 0.003, 0.0003] }
  hip3: { parent: trunk, joint: {axes: [rx], origin: [-0.3, -0.12, 0]}, mass: 0.6, com: [0, -0.03, 0], inertia: [0.001, 0.0012, 0.0011] }
  thigh3: { parent: hip3, joint: {axes: [ry], origin: [0, -0.08, 0]}, mass: 0.9, com: [0, 0, -0.1], inertia: [0.006, 0.006, 0.001] }
  shank3: { parent: thigh3, joint: {axes: [ry], origin: [0, 0, -0.25]}, mass: 0.3, com: [0, 0, -0.126], inertia: [0.003, 0.003, 0.0003] }
environment:
  ground: { surface: plane, position: ['0.05*sin(4*t + 0.3)', 0, 0], rotation: [{axis: y, angle: '0.04*sin(3*t)'}] }
contacts:
  touch0: { body: shank0, with: ground, point: [0, 0, -0.28], forward: [0, 1, 0], forbid: [normal, lateral, forward] }
  touch1: { body: shank1, with: ground, point: [0, 0, -0.28], forward: [0, 1, 0], forbid: [normal], sliding_friction: {coefficient: 0.5, smoothing: 0.001} }
  touch2: { body: shank3, with: ground, point: [0, 0, -0.28], forward: [0, 1, 0], forbid: [normal, lateral, forward] }
forces:
  u6: { joint: hip0.rx, law: -1 }
  u7: { joint: thigh0.ry, law: 2 }
  u8: { joint: shank0.ry, law: -6 }
  u9: { joint: hip1.rx, law: 1 }
  u10: { joint: thigh1.ry, law: 3 }
  u11: { joint: shank1.ry, law: -7 }
  u12: { joint: hip2.rx, law: -1 }
  u13: { joint: thigh2.ry, law: 2 }
  u14: { joint: shank2.ry, law: -6 }
  u15: { joint: hip3.rx, law: 0.2 }
  u16: { joint: thigh3.ry, law: 0.5 }
  u17: { joint: shank3.ry, law: -2 }
)",
      0.3,
      {0.000419070211827402, 9.20573217045393e-06, 0.4602706133912, 0.0176731298471449, -0.0292345623761132, 0.100126795300977,
       0.0923849235530794, -0.439174310193767, 0.767188305651114, -0.0872457859165656, -0.514654600115343, 0.791400240017602,
       0.0521169214377728, -0.398559828150735, 0.896721092125672, -0.13024127816986, -0.701629286464833, 1.02351955381014},
      {0.303512086323644, 0.055381100944697, -0.104387181216339, 0.130564274790221, -0.215700751599795, 0.311909460595986,
       -0.354209133142225, 0.381925743820273, 0.519954574937216, -0.0137901794371082, 0.157910431188037, 0.253965309334742,
       -0.222864146780761, 0.308263642047701, 0.238883488226258, -0.0651539136548525, -0.210153468197867, 2.12827684880823});
  at.expect_rhs({-0.0185520203452123, 0.0141404961943279, 0, -0.0244372656917367, 0.0181056259837709, 0.0141404961943279, 0});
  at.expect_gamma({-0.099260842964635, -0.936677974010343, 0.242370616664307, -0.0451376590201769, -0.915588742931415,
                   -1.01626738646557, 0.129254577000719});
  at.expect_accelerations({3.3234446868131, 1.08623632962652, 0.318122101484133, 30.2787831220835, -19.6202114395276,
                           3.25196538197512, -32.5380377199833, 83.0586114350071, -98.8038756398986, -247.539698648239,
                           308.430299501179, -126.803621682571, 8.59667282278608, 490.778016870376, -1605.3203552911,
                           -30.2610849752386, -9.73757615127367, 73.4407505068592});
  at.expect_multipliers({71.9857838951533, -1.91079643791943, -12.9760396018401, 57.7622556317817, 23.3653336960129,
                         -1.63956533452955, 5.53453871124102});
  at.expect_slip(1, ContactAxis::lateral, 0.311013285771236);
  at.expect_slip(1, ContactAxis::forward, 0.210228862059598);
  EXPECT_EQ(at.rank(), 7);
}

// A block hangs on a contact that pulls, with the force of a crane above its weight, and slides: nothing presses, so nothing
// rubs. With less lift, N = m g - F presses and the block is braked by μ N.
TEST(PointContacts, NothingRubsUnderAContactThatPulls) {
  for (double lift : {10.0, 40.0}) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, ty, tz]}}, mass: 2, inertia: 0.1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal], sliding_friction: {{coefficient: 0.5, smoothing: 1e-3}} }} }}
forces: {{ crane: {{ body: block, point: [0, 0, 0], force: [0, 0, {}] }} }}
initial: {{ "block.tx'": 3 }}
)",
                                                    lift));
    Workspace workspace(model);
    const ConstraintSet set(model);
    const auto dynamics = compute_constrained_dynamics(set, model.initial_state(), workspace);
    ASSERT_TRUE(dynamics) << dynamics.failure().message;
    const double N = 2 * 9.81 - lift, braking = -0.5 * std::max(N, 0.0);
    EXPECT_NEAR(dynamics->solution.multipliers[0], N, 1e-13);
    EXPECT_NEAR(dynamics->solution.accelerations[0], braking / 2, 1e-14);
    EXPECT_NEAR(dynamics->reactions[0].world.force.x, braking, 1e-13);
    const auto motion = compute_constrained_motion(set, model.initial_state(), {}, workspace);
    ASSERT_TRUE(motion);
    EXPECT_NEAR(motion->accelerations[0], braking / 2, 1e-14);
    EXPECT_NEAR(motion->power, 3 * braking, 1e-13);
  }
}

// Of two feet that rub, the one that pulls does not: a bar that slides, lifted at its right end. The normals are those of a lever
// whose friction, at the height of the feet, brakes 0.3 m below the mass centre.
TEST(PointContacts, OfTwoFeetOnlyTheOneThatPressesRubs) {
  const double m = 2, mu = 0.5, h = 0.3, lift = 15;
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ bar: {{ joint: {{axes: [tx, tz, ry]}}, mass: {}, inertia: 0.1 }} }}
contacts:
  left: {{ body: bar, with: world, point: [-0.5, 0, -{}], forbid: [normal], sliding_friction: {{coefficient: {}, smoothing: 1e-3}} }}
  right: {{ body: bar, with: world, point: [0.5, 0, -{}], forbid: [normal], sliding_friction: {{coefficient: {}, smoothing: 1e-3}} }}
forces: {{ crane: {{ body: bar, point: [0.5, 0, 0], force: [0, 0, {}] }} }}
initial: {{ bar.tz: {}, "bar.tx'": 3 }}
)",
                                                  m, h, mu, h, mu, lift, h));
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(ConstraintSet(model), model.initial_state(), workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  // N_l + N_r = m g - F and no turning, about the mass centre:  (N_l - N_r) 0.5 - F 0.5 + μ N_l h = 0 .
  // A force -μ N_l along x at -h turns by +h μ N_l about y; upward forces at ±0.5 by ∓0.5 each.
  const double weight = m * 9.81;
  const double left = (0.5 * (weight - lift) + 0.5 * lift) / (1 + mu * h), right = weight - lift - left;
  ASSERT_LT(right, 0);
  EXPECT_NEAR(dynamics->solution.multipliers[0], left, 1e-12);
  EXPECT_NEAR(dynamics->solution.multipliers[1], right, 1e-12);
  EXPECT_NEAR(dynamics->solution.accelerations[0], -mu * left / m, 1e-12);
}

}  // namespace
}  // namespace vinculum::testing
