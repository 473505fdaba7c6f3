// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/inverse_with_rows.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/random_tree.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

// A crank of length a and a rod of length b, uniform, whose end slides along x with the piston. The loop is closed at the piston.
constexpr double kCrank = 0.1, kRod = 0.4;
std::string slider_crank(const std::string& more = {}) {
  return fmt::format(R"(
vinculum: 1
gravity: [0, 0, -9.81]
bodies:
  crank: {{ joint: {{type: revolute, axis: y}}, mass: 2, com: [{0}/2, 0, 0], inertia: 0.002 }}
  rod: {{ parent: crank, joint: {{type: revolute, axis: y, origin: [{0}, 0, 0]}}, mass: 3, com: [{1}/2, 0, 0], inertia: 0.05 }}
  piston: {{ joint: {{type: prismatic, axis: x}}, mass: 5, inertia: 0.1 }}
contacts:
  pin: {{ body: rod, with: piston, frame: {{on_body: {{point: [{1}, 0, 0]}}, on_environment: {{point: [0, 0, 0]}}}}, forbid: [normal, forward] }}
forces: {{ gas: {{ body: piston, force: [-700, 0, 0] }} }}
{2})",
                     kCrank, kRod, more);
}

// The whole motion for a crank angle, its rate and the rate of that. About +y, a positive angle turns x towards -z:
// a sin(crank) + b sin(crank + rod) = 0.
struct SliderCrankMotion {
  State state;
  std::vector<double> a;
  double rod_angle, rod_rate, rod_acceleration, piston_rate, piston_acceleration;

  SliderCrankMotion(double angle, double rate, double acceleration) {
    const double s = std::sin(angle), c = std::cos(angle);
    rod_angle = -std::asin(kCrank * s / kRod);  // of the rod, from x
    const double sb = std::sin(rod_angle), cb = std::cos(rod_angle);
    rod_rate = -kCrank * c * rate / (kRod * cb);
    rod_acceleration = (-kCrank * (c * acceleration - s * rate * rate) + kRod * sb * rod_rate * rod_rate) / (kRod * cb);
    piston_rate = -kCrank * s * rate - kRod * sb * rod_rate;
    piston_acceleration =
        -kCrank * (s * acceleration + c * rate * rate) - kRod * (sb * rod_acceleration + cb * rod_rate * rod_rate);
    state.q = {angle, rod_angle - angle, kCrank * c + kRod * cb};
    state.v = {rate, rod_rate - rate, piston_rate};
    a = {acceleration, rod_acceleration - acceleration, piston_acceleration};
  }

  // The crank's torque by virtual power: inertia, weight and gas against the motion that the loop allows, at unit crank rate.
  double torque() const {
    const double rate = state.v[0], angle = state.q[0], per_rod = rod_rate / rate, per_piston = piston_rate / rate;
    const auto mass_centre = [&](double w, double e) {  // of the rod: velocity for a crank rate w, or acceleration with e
      struct {
        double x, z;
      } at;
      const double s = std::sin(angle), c = std::cos(angle), sb = std::sin(rod_angle), cb = std::cos(rod_angle);
      if (e == 0) {
        at.x = -kCrank * s * w - 0.5 * kRod * sb * per_rod * w;
        at.z = -kCrank * c * w - 0.5 * kRod * cb * per_rod * w;
      } else {
        at.x = -kCrank * (s * a[0] + c * rate * rate) - 0.5 * kRod * (sb * rod_acceleration + cb * rod_rate * rod_rate);
        at.z = -kCrank * (c * a[0] - s * rate * rate) - 0.5 * kRod * (cb * rod_acceleration - sb * rod_rate * rod_rate);
      }
      return at;
    };
    const auto u = mass_centre(1, 0), accelerated = mass_centre(1, 1);
    return (0.002 + 2 * kCrank * kCrank / 4) * a[0] - 2 * 9.81 * 0.5 * kCrank * std::cos(angle)  // crank: z = -a/2 sin
           + 3 * (accelerated.x * u.x + (accelerated.z + 9.81) * u.z) + 0.05 * rod_acceleration * per_rod +
           (5 * piston_acceleration + 700) * per_piston;
  }
};

TEST(InverseWithRows, SliderCrankByVirtualPower) {
  const Model model = read_model_text(slider_crank());
  const SliderCrankMotion motion(0.7, 30, -55);
  const std::vector<int> drives{0};
  const ConstraintSet set = rows_beside_drives(model, drives);
  Workspace workspace(model);
  const auto rows = compute_constraint_rows(set, motion.state);
  EXPECT_FALSE(check_residuals(set, list_residuals(set, *rows), 1e-13));
  EXPECT_FALSE(check_accelerations(set, *rows, motion.a, 1e-13));
  const auto inverse = compute_inverse_with_rows(set, drives, motion.state, motion.a, workspace);
  ASSERT_TRUE(inverse) << inverse.failure().message;
  EXPECT_FALSE(check_supplied(model, *inverse, inverse->size, 1e-13));
  EXPECT_TRUE(inverse->is_unique());
  EXPECT_GT(std::abs(motion.torque()), 10);
  EXPECT_NEAR(inverse->forces[0], motion.torque(), 1e-11);
  // The pin pushes the piston along x with all it needs: on the rod, it pushes back.
  EXPECT_NEAR(inverse->motion.solution.multipliers[0], -(5 * motion.piston_acceleration + 700), 1e-10);
  // The bearing of the piston carries its weight, and the pin's vertical force.
  EXPECT_NEAR(inverse->motion.dynamics.reactions_W[2].force.z, 5 * 9.81 + inverse->motion.solution.multipliers[1], 1e-10);
}

// A leg stands on smooth ground: a trunk on a vertical slide, thigh and shank without mass, the knee ahead of hip and foot by d.
// The force of the ground goes through the hip, and past the knee at the arm d. A tree without the ground would ask for no
// torques.
TEST(InverseWithRows, StandingLegByHand) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, -10]
bodies:
  trunk: { joint: {type: prismatic, axis: z}, mass: 8, inertia: 0.1 }
  thigh: { parent: trunk, joint: {type: revolute, axis: y}, mass: 0 }
  shank: { parent: thigh, joint: {type: revolute, axis: y, origin: [0, 0, -0.5]}, mass: 0 }
environment: { floor: { surface: plane } }
contacts: { foot: { body: shank, with: floor, point: [0, 0, -0.5], forbid: [normal] } }
)");
  const double bend = 0.4, d = 0.5 * std::sin(bend);
  const State state{0, {std::cos(bend), -bend, 2 * bend}, {0, 0, 0}};  // about y, a negative angle brings the knee to +x
  const std::vector<int> drives{1, 2};
  Workspace workspace(model);
  const auto inverse =
      compute_inverse_with_rows(rows_beside_drives(model, drives), drives, state, std::vector<double>(3), workspace);
  ASSERT_TRUE(inverse) << inverse.failure().message;
  EXPECT_FALSE(check_supplied(model, *inverse, inverse->size, 1e-13));
  EXPECT_TRUE(inverse->is_unique());
  EXPECT_NEAR(inverse->forces[0], 0, 1e-12);
  EXPECT_NEAR(inverse->forces[1], -80 * d, 1e-12);
  EXPECT_NEAR(inverse->motion.solution.multipliers[0], 80, 1e-12);
}

// Without the knee's drive the leg cannot stand: what it lacks is told. With the trunk driven as well there are more drives than
// needed: of all, the smallest, and they still do it.
TEST(InverseWithRows, TooFewAndTooManyDrives) {
  const Model model = read_model_text(slider_crank());
  const SliderCrankMotion motion(0.7, 30, -55);
  Workspace workspace(model);
  const std::vector<int> none;
  const auto lacking = compute_inverse_with_rows(rows_beside_drives(model, none), none, motion.state, motion.a, workspace);
  ASSERT_TRUE(lacking);
  const auto failure = check_supplied(model, *lacking, lacking->size, 1e-8);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "VN-RUN-131");
  EXPECT_NE(failure->message.find("crank' lacks"), std::string::npos) << failure->message;
  // Whatever the share of each velocity, its power at unit crank rate is the torque.
  const Eigen::Map<const Eigen::VectorXd> v(motion.state.v.data(), 3);
  EXPECT_NEAR(lacking->missing.dot(v) / motion.state.v[0], motion.torque(), 1e-11);

  const std::vector<int> both{0, 2};
  const auto several = compute_inverse_with_rows(rows_beside_drives(model, both), both, motion.state, motion.a, workspace);
  ASSERT_TRUE(several);
  EXPECT_FALSE(check_supplied(model, *several, several->size, 1e-13));
  EXPECT_FALSE(several->is_unique());
  EXPECT_EQ(several->determined, (std::vector<bool>{false, false}));
  // tau_crank + g tau_piston = torque, the smallest along (1, g)
  const double g = motion.piston_rate / motion.state.v[0];
  EXPECT_NEAR(several->forces[0], motion.torque() / (1 + g * g), 1e-11);
  EXPECT_NEAR(several->forces[1], g * motion.torque() / (1 + g * g), 1e-11);
}

TEST(InverseWithRows, MotionThatTheRowsForbid) {
  const Model model = read_model_text(slider_crank());
  SliderCrankMotion motion(0.7, 30, -55);
  motion.a[2] += 0.25;
  const ConstraintSet set = rows_beside_drives(model, {0});
  const auto rows = compute_constraint_rows(set, motion.state);
  const auto failure = check_accelerations(set, *rows, motion.a, 1e-8);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "VN-RUN-130");
  EXPECT_NE(failure->message.find("pin.normal by -0.25"), std::string::npos) << failure->message;
  EXPECT_EQ(failure->message.find("pin.forward"), std::string::npos) << failure->message;
  // With the crank's acceleration kept, the others are found.
  std::vector<double> a{-55, 0, 0};
  Workspace workspace(model);
  EXPECT_FALSE(move_onto_rows(set, motion.state, {0}, a, workspace));
  const SliderCrankMotion right(0.7, 30, -55);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], right.a[i], 1e-10);
}

// Drives by default: given motions and joint forces, else joints of one degree. A given motion that another drive makes is a row.
TEST(InverseWithRows, DrivesByDefault) {
  EXPECT_EQ(choose_drives(read_model_text(slider_crank())), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(choose_drives(read_model_text(slider_crank("motions: { crank: \"30*t\" }\n"))), (std::vector<int>{0}));
  const Model model = read_model_text(slider_crank("motions: { piston: \"0.5 + 0.01*t\" }\n"));
  EXPECT_EQ(choose_drives(model), (std::vector<int>{2}));
  EXPECT_EQ(rows_beside_drives(model, {2}).rows.size(), 2u);
  EXPECT_EQ(rows_beside_drives(model, {0}).rows.back().name, "motion:piston");
}

// Random loops in space: the forces found, handed back as forces of joints, make the motion they were found for; and those that
// made a motion are found again where they are determined.
TEST(InverseWithRows, ForcesMakeTheMotionTheyWereFoundFor) {
  for (int seed = 0; seed < 20; ++seed) {
    testing::Random random(100 + seed);
    // A chain of five hinges about axes at random from the world, its end on a ball of the world's: two freedoms.
    const auto vector = [&](double scale) {
      const Vector3 v = scale * random.vector();
      return fmt::format("[{}, {}, {}]", v.x, v.y, v.z);
    };
    const auto model_text = [&](const std::vector<double>& tau, const std::string& place, const std::string& bodies) {
      std::string text = "vinculum: 1\nbodies:\n" + bodies +
                         "contacts: { ball: { body: b4, with: world, frame: {on_body: {point: [0.3, "
                         "0, 0.1]}, on_environment: {point: " +
                         place + "}}, forbid: [normal, lateral, forward] } }\nforces:\n";
      for (size_t i = 0; i < tau.size(); ++i) text += fmt::format("  f{0}: {{ joint: b{0}, law: {1} }}\n", i, tau[i]);
      return text;
    };
    std::string bodies;
    for (int i = 0; i < 5; ++i) {
      bodies += fmt::format(
          "  b{}: {{ {}joint: {{type: revolute, axis: {}, origin: {}}}, mass: {}, com: {}, inertia: [0.1, 0.12, 0.14] }}\n", i,
          i > 0 ? fmt::format("parent: b{}, ", i - 1) : "", vector(1), vector(0.4), 1 + random.unit(), vector(0.2));
    }
    std::vector<double> tau(5);
    for (double& value : tau) value = 20 * random.symmetric();
    // Where the end is, there the ball goes.
    const Model open = read_model_text(model_text(tau, "[0, 0, 0]", bodies));
    State state = random_state(open, random);
    const auto end = compute_constraint_rows(ConstraintSet(open), state)->contacts[0].point_W;
    const std::string place = fmt::format("[{}, {}, {}]", end.x, end.y, end.z);
    const Model model = read_model_text(model_text(tau, place, bodies));
    Workspace workspace(model);
    ASSERT_FALSE(project_velocities(ConstraintSet(model), state, workspace));
    const auto forward = compute_constrained_dynamics(ConstraintSet(model), state, workspace);
    ASSERT_TRUE(forward) << forward.failure().message;

    const std::vector<int> all{0, 1, 2, 3, 4};
    const auto smallest =
        compute_inverse_with_rows(rows_beside_drives(model, all), all, state, forward->dynamics.accelerations, workspace);
    ASSERT_TRUE(smallest);
    EXPECT_FALSE(smallest->is_unique());
    double norm_given = 0, norm_found = 0;
    for (int i = 0; i < 5; ++i) norm_given += tau[i] * tau[i], norm_found += smallest->forces[i] * smallest->forces[i];
    EXPECT_LT(norm_found, norm_given);
    const Model again = read_model_text(model_text(smallest->forces, place, bodies));
    Workspace other(again);
    const auto back = compute_constrained_dynamics(ConstraintSet(again), state, other);
    double size = 1;
    for (double a : forward->dynamics.accelerations) size = std::max(size, std::abs(a));
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(back->dynamics.accelerations[i], forward->dynamics.accelerations[i], 1e-9 * size) << seed;
    const auto& multipliers = smallest->motion.solution.multipliers;
    EXPECT_LT((back->solution.multipliers - multipliers).norm(), 1e-9 * (1 + multipliers.norm())) << seed;

    // Two drives for two freedoms beside the laws of the other joints: those that made the motion.
    const std::vector<int> two{0, 1};
    const auto unique =
        compute_inverse_with_rows(rows_beside_drives(model, two), two, state, forward->dynamics.accelerations, workspace);
    EXPECT_TRUE(unique->is_unique());
    EXPECT_FALSE(check_supplied(model, *unique, unique->size, 1e-10));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(unique->forces[i], tau[i], 1e-8 * (1 + unique->size)) << seed;
    EXPECT_LT((unique->motion.solution.multipliers - forward->solution.multipliers).norm(), 1e-8 * (1 + unique->size));
  }
}

// A table on four legs carries itself: no drives, and the multipliers of `evaluate`, not determined.
TEST(InverseWithRows, TableOnFourLegs) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { table: { joint: {type: free}, mass: 20, com: [0.1, 0.05, 0.7], inertia: [2, 3, 4] } }
environment: { floor: { surface: plane } }
contacts:
  leg1: { body: table, with: floor, point: [0.5, 0.3, 0], forbid: [normal] }
  leg2: { body: table, with: floor, point: [-0.5, 0.3, 0], forbid: [normal] }
  leg3: { body: table, with: floor, point: [-0.5, -0.3, 0], forbid: [normal] }
  leg4: { body: table, with: floor, point: [0.5, -0.3, 0], forbid: [normal] }
)");
  Workspace workspace(model);
  const auto inverse = compute_inverse_with_rows(ConstraintSet(model), choose_drives(model), model.initial_state(),
                                                 std::vector<double>(6), workspace);
  ASSERT_TRUE(inverse);
  EXPECT_TRUE(inverse->drives.empty());
  EXPECT_FALSE(check_supplied(model, *inverse, inverse->size, 1e-12));
  EXPECT_FALSE(inverse->is_unique());
  const double expected[] = {67.035, 47.415, 31.065, 50.685};  // theory 1, W8b
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(inverse->motion.solution.multipliers[i], expected[i], 1e-11);
}

// A block pulled along rough ground: mu m g beyond its inertia. A hand that lifts it by more than its weight finds no friction:
// the row pulls, and rubs no more.
TEST(InverseWithRows, SlidingFrictionOfRowsThatPush) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, -10]
bodies: { block: { joint: {axes: [tx, tz]}, mass: 3, inertia: 0.1 } }
environment: { floor: { surface: plane } }
contacts: { sole: { body: block, with: floor, point: [0, 0, 0], forbid: [normal], sliding_friction: {coefficient: 0.5, smoothing: 1e-3} } }
parameters: { lift: 0 }
forces: { hand: { body: block, force: [0, 0, lift] } }
)");
  const State state{0, {0, 0}, {2, 0}};
  Workspace workspace(model);
  const std::vector<double> a{4, 0};
  const auto dragged = compute_inverse_with_rows(ConstraintSet(model), {0}, state, a, workspace);
  ASSERT_TRUE(dragged);
  EXPECT_NEAR(dragged->forces[0], 3 * 4 + 0.5 * 30, 1e-12);
  EXPECT_NEAR(dragged->motion.solution.multipliers[0], 30, 1e-12);
  EXPECT_NEAR(dragged->motion.forces.laws.back().force, -15, 1e-12);

  Diagnostics diagnostics;
  ModelDescription words = model.description();
  std::get<BodyForce>(words.forces[0].law).force[2] = Expression(70.0);
  const Model lifted = *build_model(words, diagnostics);
  Workspace other(lifted);
  const auto held_down = compute_inverse_with_rows(ConstraintSet(lifted), {0}, state, a, other);
  ASSERT_TRUE(held_down);
  EXPECT_NEAR(held_down->forces[0], 3 * 4, 1e-12);
  EXPECT_NEAR(held_down->motion.solution.multipliers[0], -40, 1e-12);
}

}  // namespace
}  // namespace vinculum
