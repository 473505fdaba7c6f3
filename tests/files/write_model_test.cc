// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/write_model.h"

#include <cmath>
#include <numbers>

#include "tests/support/expect.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

constexpr double kPi = std::numbers::pi;

ModelDescription read(const std::string& text) {
  Diagnostics diagnostics("model.yaml");
  auto description = read_description(text, diagnostics);
  for (const Diagnostic& d : diagnostics.list()) ADD_FAILURE() << to_text(d) << "\n" << text;
  return description.value_or(ModelDescription{});
}

// A body under a rotated joint, written and read again.
Matrix3 through_the_file(const Matrix3& rotation) {
  ModelDescription model;
  model.bodies.emplace_back().name = "a";
  model.bodies[0].joint.rotation = rotation;
  const ModelDescription again = read(write_model(model));
  return again.bodies.empty() ? Matrix3{} : again.bodies[0].joint.rotation;
}

// How the rotation of a joint is spelt.
std::string spelling(const Matrix3& rotation) {
  ModelDescription model;
  model.bodies.emplace_back().name = "a";
  model.bodies[0].joint.rotation = rotation;
  const std::string text = write_model(model);
  const size_t key = text.find("rotation: ");
  return key == std::string::npos ? "" : text.substr(key + 10, text.find(", mass") - key - 11);
}

// All sections and nearly all keys, laid out as the writer does: reading and writing is the identity on this text.
TEST(WriteModel, ReadingAndWritingGiveTheSameText) {
  const std::string text = R"yaml(vinculum: 1
name: "the whole zoo: 1"
gravity: [0, 0, -9.81]
parameters: { stiffness: 100, small: 1e-05 }
bodies:
  boom: { joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, 0.4], inertia: [0.1, 0.1, 0.01] }
  slide: { parent: boom, joint: {type: prismatic, axis: [0, 0.6, 0.8]}, mass: 1, inertia: 0.02 }
  nut: { joint: {type: screw, axis: -x, pitch: 0.002}, mass: 0.1, inertia: [0, 0, 0] }
  sled:
    joint: { type: planar, origin: [0, 0, 0.1], rotation: {axis: z, angle: 30 deg} }
    mass: 3
    inertia: [0.3, 0.4, 0.5, 0.01, 0.02, 0.03]
    shape:
      - { box: [0.4, 0.2, 0.1], color: "#3070c0" }
      - { cylinder: {radius: 0.05, length: 0.3}, origin: [0, 0, 0.2], rotation: {rpy: [0.1, 0.2, 0.3]} }
      - { sphere: {radius: 0.1} }
      - { capsule: {radius: 0.1, length: 0.2} }
      - { mesh: {file: "meshes/sled body.stl", scale: 0.001} }
  ball: { joint: {axes: [rz, rx, rz]}, mass: 1, inertia: 0.1, shape: {sphere: {radius: 0.1}} }
  frame: { parent: ball, joint: {type: fixed, origin: [1, 0, 0]}, mass: 0 }
  kite: { joint: {type: free}, mass: 1, inertia: 0.1 }
environment:
  deck: { surface: plane, position: [0, 0, "0.1*sin(2*t)"], rotation: {axis: y, angle: "0.05*sin(t)"} }
  hill: { surface: "0.1*x^2", rotation: {rpy: [0.1, 0.2, 0.3]} }
  disc: { position: [1, 0, 0], rotation: [{axis: x, angle: 20 deg}, {axis: z, angle: "3*t"}, {axis: [0, 1, 1], angle: 0.5}] }
contacts:
  foot: { body: boom, with: deck, point: [0, 0, 1], forbid: [normal, lateral], forward: [0, 1, 0], friction: 0.6 }
  wheel:
    body: kite
    with: deck
    wheel: { center: [0, 0, 0], axis: y, radius: 0.3 }
    forbid: [normal, lateral, forward]
    bound: { lateral: 10, forward: 20 }
    law: { tanh: 0.01 }
  marble:
    body: kite
    with: hill
    sphere: { center: [0, 0, 0.1], radius: 0.1 }
    forbid: []
    forward: { body: [0, 0, 1] }
    laws: { normal: {stiffness: 100000, viscous: 100}, forward: {viscous: 20} }
    sliding_friction: { coefficient: 0.3, smoothing: 0.01 }
  pebble:
    body: kite
    with: deck
    point: [0, 0, 0.2]
    forbid: []
    laws: { normal: {stiffness: 1000000, exponent: 1.5, dissipation: 0.3} }
  rubber: { body: kite, with: deck, point: [0, 0, 0.3], forbid: [], laws: {normal: {law: "1000*depth + 20*depth*rate"}} }
  hinge:
    body: slide
    with: boom
    frame: { on_body: {point: [0, 0, 1], rotation: {axis: x, angle: 90 deg}}, on_environment: {} }
    forbid: [normal, lateral, forward, yaw, pitch]
    angular: vector
  rail: { body: kite, with: deck, frame: {on_body: {}, on_environment: {path: [t, "t^2"]}}, forbid: [normal, lateral] }
  heel: { body: boom, with: deck, point: [0, 0.1, 1], forbid: [forward], bound: 5, law: sign }
motions: { nut: "0.3*sin(t)" }
velocity_constraints:
  blade: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0"
  skid: { equations: ["sled.tx' = 0", "sled.ty' - 0.1 = 0"], bound: 0.9, law: {viscous: 50} }
  brush: { equation: "sled.rz' = 0", friction: 0.3, normal: foot.normal }
  gear: { equation: "boom' - 2*nut' = 0", permanent: true }
strings:
  s1: { from: world, at: [0, 0, 2], to: kite, on: [0, 0, 0.1], length: 1 }
guides:
  track:
    body: sled
    with: world
    pairs:
      - { face1: {point: [0, 1, 0], normal: -y, friction: 0.2}, face2: {point: [0, -1, 0], normal: y, friction: 0.3} }
      - face1: { point: [0.5, 0.1, 0], normal: [0, -3, 4], friction: 0.2, pad: {radius: 0.05, pressure: uniform} }
        face2: { point: [0.5, -0.1, 0], normal: [0, 3, -4], friction: 0, pad: {radius: 0.05, pressure: {power: 2}} }
events: { level: "boom - 0.1", late: "t - 3" }
states: { sum: "boom - torque" }
inputs:
  torque: { unit: "N*m", initial: 0.5, range: [-20, 20], hold: linear }
  plain: { initial: 3 }
samples:
  loop: { every: 0.001, offset: 0.01, memory: {last: boom}, hold: {u: "-2*boom - last"}, initial: {u: 0.1} }
forces:
  damper: { joint: boom, law: "-0.2*boom'" }
  drive: { joint: sled.tx, law: 5 }
  push: { body: boom, point: [0, 0, 1], force: [1, 0, "sin(t)"] }
  spin: { body: kite, torque: [0, 0, "-0.1*kite.wz"], frame: body }
  spring: { between: [world, [0, 0, 0]], and: [boom, [0, 0, 1]], stiffness: 100, damping: 1, length: 0.5 }
  elastic: { joint: slide, law: "-stiffness*slide" }
initial: { boom: 0.3, "boom'": -1.5, kite.qw: 0.6, kite.qx: 0.8 }
)yaml";
  EXPECT_EQ(write_model(read(text)), text);
}

// Numbers that only all 17 digits, or an exponent, can tell.
TEST(WriteModel, NumbersComeBackToTheBit) {
  ModelDescription model;
  const double kNumbers[] = {0.1, 1.0 / 3, 0.1 + 0.2, 6.02214076e23, 5e-324, 1.7976931348623157e308, -2.5, 100000, 1e22, kPi};
  BodyDescription& body = model.bodies.emplace_back();
  body.name = "a";
  body.joint.type = JointType::fixed;
  for (const double number : kNumbers) {
    body.com = Vector3{number, -number, 0};
    body.mass = 1.0;
    const ModelDescription again = read(write_model(model));
    ASSERT_EQ(again.bodies.size(), 1u);
    EXPECT_EQ(again.bodies[0].com->x, number);
    EXPECT_EQ(again.bodies[0].com->y, -number);
  }
}

TEST(WriteModel, RotationsAreSpeltAsAPersonWould) {
  EXPECT_EQ(spelling(kIdentity3), "");
  EXPECT_EQ(spelling(rotation_about({1, 0, 0}, kPi / 2)), "{axis: x, angle: 90 deg}");
  EXPECT_EQ(spelling(rotation_about({0, 1, 0}, -kPi / 6)), "{axis: y, angle: -30 deg}");
  EXPECT_EQ(spelling(rotation_about({0, 0, 1}, 0.3)), "{axis: z, angle: 0.3}");
  EXPECT_EQ(spelling(rotation_about({0, 0, 1}, kPi)), "{axis: z, angle: 180 deg}");
  EXPECT_EQ(spelling(rotation_from_rpy(0, 1.5708, 0)), "{axis: y, angle: 1.5708}");
  EXPECT_EQ(spelling(rotation_from_rpy(0.1, -0.2, 2.5)), "{rpy: [0.1, -0.2, 2.5]}");
  // The cyclic permutation x -> y -> z -> x is the turn by 120 deg about (1, 1, 1).
  EXPECT_EQ(spelling({{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}), "[0.5, 0.5, 0.5, 0.5]");
}

// To the bit where it is a turn about a coordinate axis or came from typed angles; else to the round-off of a quaternion's
// products.
TEST(WriteModel, RotationsComeBack) {
  for (int degrees = -175; degrees <= 180; degrees += 5) {
    const double angle = degrees * kPi / 180;
    for (int axis = 0; axis < 3; ++axis) {
      const Matrix3 R = rotation_about(kIdentity3.column(axis), angle);
      const Matrix3 again = through_the_file(R);
      EXPECT_TRUE(again.x == R.x && again.y == R.y && again.z == R.z) << degrees << " degrees about axis " << axis;
    }
  }
  const Matrix3 typed = rotation_from_rpy(0.1, 0.2, 0.3), typed_again = through_the_file(typed);
  EXPECT_TRUE(typed_again.x == typed.x && typed_again.y == typed.y && typed_again.z == typed.z);

  const Matrix3 R = rotation_about({1 / 3.0, 2 / 3.0, -2 / 3.0}, std::sqrt(2)), again = through_the_file(R);
  EXPECT_NEAR_VECTOR(again.x, R.x, 1e-15);
  EXPECT_NEAR_VECTOR(again.y, R.y, 1e-15);
  EXPECT_NEAR_VECTOR(again.z, R.z, 1e-15);
}

// A constant rotation before moving turns can only be written as a turn.
TEST(WriteModel, AnEnvironmentBodyThatTurnsFromAnyStart) {
  ModelDescription model = read(
      "vinculum: 1\nbodies: {a: {joint: free, mass: 1, inertia: 1}}\n"
      "environment: {e: {rotation: [{axis: z, angle: t}]}}\n");
  const Matrix3 start = rotation_from_rpy(0.1, 0.2, 0.3);
  model.environment.at(0).rotation = start;
  const auto again = read(write_model(model)).environment.at(0);
  EXPECT_NEAR_VECTOR(again.rotation.x, start.x, 1e-15);
  EXPECT_NEAR_VECTOR(again.rotation.y, start.y, 1e-15);
  ASSERT_EQ(again.turns.size(), 1u);
  EXPECT_EQ(to_text(again.turns[0].angle), "t");
}

TEST(WriteModel, NamesThatYamlWouldMistakeAreQuoted) {
  ModelDescription model;
  model.name = "true";
  model.bodies.emplace_back().name = "null";
  model.bodies.emplace_back().name = "No";
  const std::string text = write_model(model);
  EXPECT_NE(text.find("name: \"true\""), std::string::npos) << text;
  EXPECT_NE(text.find("  \"null\": {"), std::string::npos) << text;
  model.name = "say \"hi\"\\ and #go";
  EXPECT_EQ(read(write_model(model)).name, model.name);
}

// A comment ends where it ends, whatever it quotes.
TEST(WriteModel, CommentsStandOnTop) {
  ModelDescription model;
  model.bodies.emplace_back().name = "a";
  EXPECT_EQ(
      write_model(model, {"Converted.", "", "two\nlines: [1"}),
      "# Converted.\n#\n# two lines: [1\nvinculum: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: { joint: {type: fixed}, mass: 0 }\n");
}

}  // namespace
}  // namespace vinculum
