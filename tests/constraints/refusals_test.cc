// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/files/read_model.h"

// What has no answer is refused, with contact, body and axis named (theory 1, sections 8 and 13).
namespace vinculum::testing {
namespace {

Failure refusal(const std::string& text) {
  const Model model = read_model_text(text);
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(ConstraintSet(model), model.initial_state(), workspace);
  return dynamics ? Failure{"", "not refused", ""} : dynamics.failure();
}

void expect_refused(const std::string& text, const char* code, const std::vector<std::string>& parts) {
  const Failure failure = refusal(text);
  EXPECT_EQ(failure.code, code) << failure.message;
  for (const std::string& part : parts) EXPECT_NE(failure.message.find(part), std::string::npos) << failure.message;
}

const std::string kDisc = "vinculum: 1\nbodies: { disc: { joint: {type: free}, mass: 2, inertia: [0.08, 0.16, 0.08] } }\n";

TEST(Refusals, WheelThatLiesFlat) {
  expect_refused(kDisc + "contacts: { tyre: { body: disc, with: world, wheel: {axis: z, radius: 0.4}, forbid: [normal] } }",
                 "VN-CONTACT-001", {"contact 'tyre' of body 'disc'", "axis of the wheel", "lateral and forward"});
}

TEST(Refusals, HeadingIntoTheGround) {
  expect_refused(kDisc + "contacts: { foot: { body: disc, with: world, point: [0, 0, 0], forward: z, forbid: [lateral] } }",
                 "VN-CONTACT-001", {"contact 'foot' of body 'disc'", "`forward`"});
}

TEST(Refusals, AnglesAtPitchOfNinetyDegrees) {
  const std::string turned =
      kDisc +
      "contacts: { pin: { body: disc, with: world, frame: {on_body: {rotation: {axis: y, angle: 90 deg}}}, "
      "forbid: [pitch], angular: ";
  expect_refused(turned + "angles } }", "VN-CONTACT-002", {"contact 'pin' of body 'disc'", "pitch is 90 deg"});
  EXPECT_EQ(refusal(turned + "vector } }").message, "not refused");
}

TEST(Refusals, NoPointOfContact) {
  expect_refused(
      kDisc +
          "environment: { pit: { surface: \"log(x)\" } }\n"
          "contacts: { ball: { body: disc, with: pit, sphere: {center: [-1000, 0, 0], radius: 0.2}, forbid: [normal] } }",
      "VN-CONTACT-003", {"contact 'ball' of body 'disc'"});
}

// A valley z = κ x²/2 touches a wheel along it at two points if κ a > 1.
TEST(Refusals, ValleyNarrowerThanTheWheel) {
  const auto valley = [](double curvature) {
    return kDisc + "environment: { valley: { surface: \"" + std::to_string(curvature / 2) +
           "*x^2\" } }\n"
           "contacts: { tyre: { body: disc, with: valley, wheel: {axis: y, radius: 0.4}, forbid: [normal] } }\n"
           "initial: { disc.tz: 0.4 }";
  };
  EXPECT_EQ(refusal(valley(0.99 / 0.4)).message, "not refused");
  expect_refused(valley(1.01 / 0.4), "VN-CONTACT-004", {"contact 'tyre' of body 'disc'", "several points"});
}

// A saddle z = c x y is as curved along its diagonal, c, as a sphere of radius 1/c; along x and y it is straight.
TEST(Refusals, SaddleNarrowerThanTheSphere) {
  const auto saddle = [](double curvature) {
    return kDisc + "environment: { saddle: { surface: \"" + std::to_string(curvature) +
           "*x*y\" } }\n"
           "contacts: { ball: { body: disc, with: saddle, sphere: {center: [0, 0, 0], radius: 0.4}, forbid: [normal] } }\n"
           "initial: { disc.tz: 0.4 }";
  };
  EXPECT_EQ(refusal(saddle(0.99 / 0.4)).message, "not refused");
  expect_refused(saddle(1.01 / 0.4), "VN-CONTACT-004", {"contact 'ball' of body 'disc'", "several points"});
}

TEST(Refusals, PathAtRest) {
  expect_refused(
      kDisc +
          "environment: { table: { surface: plane } }\n"
          "contacts: { arm: { body: disc, with: table, frame: {on_environment: {path: [\"t^2\", 0]}}, forbid: [normal] } }",
      "VN-CONTACT-005", {"contact 'arm' of body 'disc'", "t = 0 s"});
}

// Theory 1, W8c: two ball supports driven apart. The rows disagree by 0.6/√2.
TEST(Refusals, SupportsDrivenApart) {
  expect_refused(R"(
vinculum: 1
bodies:
  bar: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 2, com: [0.1, 0.15, -0.2], inertia: [0.2, 0.25, 0.1] }
environment:
  ground: { surface: plane }
  support: { surface: plane, position: [0, '0.3*t^2', 0] }
contacts:
  touch0: { body: bar, with: ground, frame: {on_body: {point: [0, -0.5, 0]}, on_environment: {point: [0, -0.5, 0], rotation: [0.5, -0.5, -0.5, -0.5]}}, forbid: [normal, lateral, forward] }
  touch1: { body: bar, with: support, frame: {on_body: {point: [0, 0.5, 0]}, on_environment: {point: [0, 0.5, 0], rotation: [0.5, -0.5, -0.5, -0.5]}}, forbid: [normal, lateral, forward] }
initial: { bar.ry: 0.4, "bar.ry'": 1.5 }
)",
                 "VN-CONTACT-010", {"touch0.forward (body 'bar')", "touch1.forward (body 'bar')", "0.424264"});
}

// Theory 1, section 8: the table of W8b with friction. Four normals, three determined combinations: the motion depends on the
// fourth.
TEST(Refusals, FrictionOnUndeterminedNormals) {
  expect_refused(R"(
vinculum: 1
bodies:
  table: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 20, com: [0.1, 0.05, 0.7], inertia: [2, 3, 4] }
environment:
  ground: { surface: plane }
contacts:
  touch0: { body: table, with: ground, point: [0.5, 0.3, 0], forward: [0, 1, 0], forbid: [normal], sliding_friction: {coefficient: 0.3, smoothing: 0.01} }
  touch1: { body: table, with: ground, point: [-0.5, 0.3, 0], forward: [0, 1, 0], forbid: [normal], sliding_friction: {coefficient: 0.3, smoothing: 0.01} }
  touch2: { body: table, with: ground, point: [-0.5, -0.3, 0], forward: [0, 1, 0], forbid: [normal], sliding_friction: {coefficient: 0.3, smoothing: 0.01} }
  touch3: { body: table, with: ground, point: [0.5, -0.3, 0], forward: [0, 1, 0], forbid: [normal], sliding_friction: {coefficient: 0.3, smoothing: 0.01} }
initial: { table.rz: 0.3, "table.tx'": 0.4, "table.ty'": 0.2, "table.rz'": 0.5 }
)",
                 "VN-CONTACT-011", {"not unique", "contact 'touch0' of body 'table'", "4 constraints, rank 3"});
}

// Painlevé: the tip of a rod, length 2 l, inclined by θ and sliding. N (1/m + l²/J cos θ (cos θ - mu sin θ)) is the part of the
// tip's normal acceleration due to the normal force: nothing at mu = (J/(m l²) + cos² θ)/(sin θ cos θ).
TEST(Refusals, RodThatJams) {
  const double m = 1, l = 0.5, J = m * l * l / 3, tilt = 1.2;
  const double critical = (J / (m * l * l) + std::pow(std::cos(tilt), 2)) / (std::sin(tilt) * std::cos(tilt));
  const auto rod = [&](double mu) {
    return fmt::format(
        "vinculum: 1\nbodies: {{ rod: {{ joint: {{axes: [tx, tz, ry]}}, mass: 1, inertia: {} }} }}\n"
        "contacts: {{ tip: {{ body: rod, with: world, point: [0.5, 0, 0], forbid: [normal], sliding_friction: {{coefficient: {}, "
        "smoothing: 1e-6}} }} }}\ninitial: {{ rod.tz: {}, rod.ry: {}, \"rod.tx'\": 1 }}\n",
        J, mu, l * std::sin(tilt), tilt);
  };
  EXPECT_EQ(refusal(rod(0.9 * critical)).message, "not refused");
  expect_refused(rod(critical), "VN-CONTACT-012", {"no solution", "contact 'tip' of body 'rod'"});
}

// Beyond that coefficient the tip that presses without friction has no reaction with it; and one that would have to pull without
// friction could press and rub as well.
TEST(Refusals, RodWithNoReactionOrTwo) {
  const double l = 0.5, J = l * l / 3, tilt = 1.2;
  const double critical = (J / (l * l) + std::pow(std::cos(tilt), 2)) / (std::sin(tilt) * std::cos(tilt));
  const auto rod = [&](double mu, double lift) {
    return fmt::format(
        "vinculum: 1\nbodies: {{ rod: {{ joint: {{axes: [tx, tz, ry]}}, mass: 1, inertia: {} }} }}\n"
        "contacts: {{ tip: {{ body: rod, with: world, point: [0.5, 0, 0], forbid: [normal], sliding_friction: {{coefficient: {}, "
        "smoothing: 1e-6}} }} }}\nforces: {{ lift: {{ body: rod, point: [0, 0, 0], force: [0, 0, {}] }} }}\n"
        "initial: {{ rod.tz: {}, rod.ry: {}, \"rod.tx'\": 1 }}\n",
        J, mu, lift, l * std::sin(tilt), tilt);
  };
  expect_refused(rod(1.2 * critical, 0), "VN-CONTACT-012", {"no solution", "contact 'tip' of body 'rod'"});
  expect_refused(rod(1.2 * critical, 20), "VN-CONTACT-120", {"not unique", "several solutions", "contact 'tip' of body 'rod'"});
  EXPECT_EQ(refusal(rod(0.8 * critical, 20)).message, "not refused");
}

// Two ball supports drawn apart at a constant rate: their accelerations agree, their velocities do not.
TEST(Refusals, SupportsDrivenApartAtAConstantRate) {
  expect_refused(R"(
vinculum: 1
bodies:
  bar: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 2, inertia: [0.2, 0.25, 0.1] }
environment:
  ground: { surface: plane }
  support: { surface: plane, position: [0, '0.3*t', 0] }
contacts:
  touch0: { body: bar, with: ground, frame: {on_body: {point: [0, -0.5, 0]}, on_environment: {point: [0, -0.5, 0]}}, forbid: [normal, lateral, forward] }
  touch1: { body: bar, with: support, frame: {on_body: {point: [0, 0.5, 0]}, on_environment: {point: [0, 0.5, 0]}}, forbid: [normal, lateral, forward] }
)",
                 "VN-CONTACT-010", {"touch0.lateral (body 'bar')", "touch1.lateral (body 'bar')"});
}

// A massless rod between two sliders: the mass matrix is singular, the loop leaves no motion without inertia.
TEST(Refusals, MasslessLinkHeldByRowsIsNotRefused) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  left: { joint: {axes: [tx]}, mass: 2, inertia: 0 }
  rod: { parent: left, joint: {axes: [ry]}, mass: 0, inertia: 0 }
  right: { joint: {axes: [tx]}, mass: 3, inertia: 0 }
contacts:
  pin: { body: rod, with: right, frame: {on_body: {point: [1, 0, 0]}, on_environment: {point: [0, 0, 0]}}, forbid: [normal, forward] }
forces: { push: { joint: left.tx, law: 10 } }
initial: { right.tx: 1 }
)");
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(ConstraintSet(model), model.initial_state(), workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  // Together 5 kg; the rod hands 6 N to the right slider.
  EXPECT_NEAR(dynamics->solution.accelerations[0], 2, 1e-12);
  EXPECT_NEAR(dynamics->solution.accelerations[2], 2, 1e-12);
  EXPECT_NEAR(dynamics->reactions[0].world.force.x, -6, 1e-11);
}

}  // namespace
}  // namespace vinculum::testing
