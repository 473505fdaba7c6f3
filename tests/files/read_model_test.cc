// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_model.h"

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "tests/support/expect.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/files/starter_model.h"

namespace vinculum {
namespace {

constexpr double kPi = std::numbers::pi;

std::string told(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.list()) text += to_text(d) + "\n";
  return text;
}

// The words of a text about which there is nothing to say.
ModelDescription read(std::string_view text, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  const auto description = read_description(text, diagnostics, options);
  EXPECT_EQ(told(diagnostics), "");
  return description.value_or(ModelDescription{});
}

std::string with_boom(const std::string& rest) {
  return "vinculum: 1\nbodies:\n  boom: { joint: {type: revolute}, mass: 1, inertia: 1 }\n  sled: { joint: planar, mass: 1, "
         "inertia: 1 }\n"
         "  ball: { joint: free, mass: 1, inertia: 1 }\n" +
         rest;
}

double at(const Expression& law, double t) { return evaluate(law, {.time = t}); }

TEST(ReadModel, BodyWithEveryKey) {
  const auto model = read(R"yaml(
vinculum: 1
name: a crane
gravity: [0, -9.81 m/s^2, 0]
parameters: { length: 80 cm, half: length/2, ratio: 3 }
bodies:
  boom:
    joint: { type: revolute, axis: -y, origin: [0, 0, length + 0.2], rotation: { axis: z, angle: 30 deg } }
    mass: 2 kg
    com: [0, 0, half]
    inertia: [1 kg*m^2, 2, 3 g*m^2*1000, 0.1, 0.2, 0.3]
    shape: { box: [0.1, 10 cm, length], origin: [0, 0, half], color: "#a0B1c2" }
  ball: { parent: boom, joint: free, mass: 1, inertia: 0.5 }
)yaml");
  EXPECT_EQ(model.name, "a crane");
  EXPECT_EQ(model.gravity, (Vector3{0, -9.81, 0}));
  ASSERT_EQ(model.parameters.size(), 3u);
  EXPECT_EQ(model.parameters[1].name, "half");
  EXPECT_DOUBLE_EQ(model.parameters[1].value, 0.4);

  const BodyDescription& boom = model.bodies.at(0);
  EXPECT_EQ(boom.name, "boom");
  EXPECT_EQ(boom.place.line, 7);
  EXPECT_EQ(*boom.parent, "world");
  EXPECT_EQ(*boom.joint.type, JointType::revolute);
  EXPECT_EQ(*boom.joint.axis, (Vector3{0, -1, 0}));
  EXPECT_NEAR_VECTOR(boom.joint.origin, (Vector3{0, 0, 1}), 1e-15);
  EXPECT_NEAR_VECTOR(boom.joint.rotation.x, (Vector3{std::sqrt(3) / 2, 0.5, 0}), 1e-15);
  EXPECT_EQ(*boom.mass, 2);
  EXPECT_EQ(boom.mass.place.line, 9);
  EXPECT_EQ(boom.mass.place.column, 11);
  EXPECT_NEAR_VECTOR(*boom.com, (Vector3{0, 0, 0.4}), 1e-15);
  EXPECT_EQ(boom.inertia->yy, 2);
  EXPECT_EQ(boom.inertia->zz, 3);
  EXPECT_EQ(boom.inertia->xy, 0.1);
  EXPECT_EQ(boom.inertia->xz, 0.2);
  EXPECT_EQ(boom.inertia->yz, 0.3);
  ASSERT_EQ(boom.shapes.size(), 1u);
  EXPECT_NEAR_VECTOR(std::get<Box>(boom.shapes[0].form).size, (Vector3{0.1, 0.1, 0.8}), 1e-15);
  EXPECT_NEAR_VECTOR(boom.shapes[0].origin, (Vector3{0, 0, 0.4}), 1e-15);
  EXPECT_EQ(boom.shapes[0].color, "#a0B1c2");

  const BodyDescription& ball = model.bodies.at(1);
  EXPECT_EQ(*ball.parent, "boom");
  EXPECT_EQ(*ball.joint.type, JointType::free);
  EXPECT_EQ(ball.inertia->zz, 0.5);
  EXPECT_EQ(ball.inertia->xy, 0);
}

TEST(ReadModel, EveryJoint) {
  const auto model = read(R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: fixed}, mass: 0 }
  b: { joint: {type: revolute}, mass: 0 }
  c: { joint: {type: prismatic, axis: [1, 1, 0]}, mass: 0 }
  d: { joint: {type: screw, axis: x, pitch: 2 mm/rad}, mass: 0 }
  e: { joint: {type: cylindrical}, mass: 0 }
  f: { joint: {type: universal}, mass: 0 }
  g: { joint: planar, mass: 0 }
  h: { joint: {type: spherical}, mass: 0 }
  i: { joint: {axes: [rz, rx, rz]}, mass: 0 }
  j: { joint: {type: axes, axes: [ty]}, mass: 0 }
)yaml");
  using enum JointType;
  const JointType types[] = {fixed, revolute, prismatic, screw, cylindrical, universal, planar, spherical, axes, axes};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(*model.bodies.at(i).joint.type, types[i]) << i;
  EXPECT_EQ(*model.bodies[1].joint.axis, (Vector3{0, 0, 1}));  // the default
  EXPECT_EQ(*model.bodies[2].joint.axis, (Vector3{1, 1, 0}));
  EXPECT_DOUBLE_EQ(*model.bodies[3].joint.pitch, 0.002);
  EXPECT_EQ(model.bodies[8].joint.axes, (std::vector{ElementaryMotion::rz, ElementaryMotion::rx, ElementaryMotion::rz}));
  EXPECT_EQ(model.bodies[9].joint.axes, (std::vector{ElementaryMotion::ty}));
}

// All spellings of one rotation: first 90 deg about z, then 90 deg about the new x. Columns: where the turned x, y, z point.
TEST(ReadModel, EveryRotation) {
  const char* spellings[] = {
      "[{axis: z, angle: 90 deg}, {axis: [2, 0, 0], angle: pi/2}]",
      "{rpy: [90 deg, 0, 90 deg]}",
      "{axis: [1, 1, 1], angle: 120 deg}",
      "[0.5, 0.5, 0.5, 0.5]",
      "[-1/2, -1/2, -1/2, -1/2]",
      "[{axis: -z, angle: -90 deg}, {axis: x, angle: 0.25 rev}]",
  };
  for (const char* spelling : spellings) {
    SCOPED_TRACE(spelling);
    const auto model =
        read(std::string("vinculum: 1\nbodies: { a: { joint: {type: fixed, rotation: ") + spelling + "}, mass: 0 } }\n");
    const Matrix3& rotation = model.bodies.at(0).joint.rotation;
    EXPECT_NEAR_VECTOR(rotation.x, (Vector3{0, 1, 0}), 4e-16);
    EXPECT_NEAR_VECTOR(rotation.y, (Vector3{0, 0, 1}), 4e-16);
    EXPECT_NEAR_VECTOR(rotation.z, (Vector3{1, 0, 0}), 4e-16);
  }
}

TEST(ReadModel, EveryShape) {
  const auto model = read(R"yaml(
vinculum: 1
bodies:
  a:
    joint: free
    mass: 0
    shape:
      - { cylinder: [1, 2] }
      - { cylinder: {length: 2, radius: 1} }
      - { capsule: [3 cm, 4], rotation: {axis: x, angle: 90 deg} }
      - { sphere: 5 }
      - { sphere: {radius: 6} }
      - { box: {size: [1, 2, 3]} }
      - { mesh: parts/arm.stl }
      - { mesh: {file: arm.obj, scale: 0.001} }
)yaml");
  const auto& shapes = model.bodies.at(0).shapes;
  ASSERT_EQ(shapes.size(), 8u);
  for (int i : {0, 1}) {
    EXPECT_EQ(std::get<Cylinder>(shapes[i].form).radius, 1);
    EXPECT_EQ(std::get<Cylinder>(shapes[i].form).length, 2);
  }
  EXPECT_DOUBLE_EQ(std::get<Capsule>(shapes[2].form).radius, 0.03);
  EXPECT_EQ(std::get<Capsule>(shapes[2].form).length, 4);
  EXPECT_NEAR_VECTOR(shapes[2].rotation.y, (Vector3{0, 0, 1}), 1e-15);
  EXPECT_EQ(std::get<Sphere>(shapes[3].form).radius, 5);
  EXPECT_EQ(std::get<Sphere>(shapes[4].form).radius, 6);
  EXPECT_EQ(std::get<Box>(shapes[5].form).size, (Vector3{1, 2, 3}));
  EXPECT_EQ(std::get<Mesh>(shapes[6].form).file, "parts/arm.stl");
  EXPECT_EQ(std::get<Mesh>(shapes[6].form).scale, 1);
  EXPECT_EQ(std::get<Mesh>(shapes[7].form).scale, 0.001);
}

TEST(ReadModel, EnvironmentMoves) {
  const auto model = read(with_boom(R"yaml(
parameters: { a: 10 cm }
environment:
  deck:
    surface: plane
    position: [0, 1, "a*sin(2*t)"]
    rotation: [{axis: z, angle: 90 deg}, {axis: y, angle: 0.05*t}, {axis: x, angle: 1}]
  hill: { surface: a*(x^2 + 2*y) }
  turner: { rotation: {rpy: [0, 0, t]} }
  still: { rotation: [0, 1, 0, 0] }
)yaml"));
  ASSERT_EQ(model.environment.size(), 4u);
  const auto& deck = model.environment[0];
  ASSERT_TRUE(deck.surface);
  EXPECT_EQ(deck.surface->constant_value(), 0);
  EXPECT_DOUBLE_EQ(at(deck.position[1], 0.3), 1);
  EXPECT_DOUBLE_EQ(at(deck.position[2], 0.3), 0.1 * std::sin(0.6));
  // The constant turns at the front are R0, the others stay turns.
  EXPECT_NEAR_VECTOR(deck.rotation.x, (Vector3{0, 1, 0}), 1e-15);
  ASSERT_EQ(deck.turns.size(), 2u);
  EXPECT_EQ(*deck.turns[0].axis, (Vector3{0, 1, 0}));
  EXPECT_DOUBLE_EQ(at(deck.turns[0].angle, 2), 0.1);
  EXPECT_DOUBLE_EQ(at(deck.turns[1].angle, 2), 1);

  EXPECT_DOUBLE_EQ(evaluate(*model.environment[1].surface, {.surface_x = 3, .surface_y = 5}), 0.1 * (9 + 10));
  EXPECT_FALSE(model.environment[2].surface);
  ASSERT_EQ(model.environment[2].turns.size(), 3u);
  EXPECT_EQ(*model.environment[2].turns[0].axis, (Vector3{0, 0, 1}));
  EXPECT_DOUBLE_EQ(at(model.environment[2].turns[0].angle, 0.7), 0.7);
  EXPECT_TRUE(model.environment[3].turns.empty());
  EXPECT_NEAR_VECTOR(model.environment[3].rotation.y, (Vector3{0, -1, 0}), 1e-15);
}

TEST(ReadModel, EveryContact) {
  const auto model = read(with_boom(R"yaml(
contacts:
  a: { body: ball, with: world, point: [1, 2, 3], forbid: [], laws: {normal: {stiffness: 3}}, forward: {body: [0, 1, 0]}, sliding_friction: {coefficient: 0.3, smoothing: 1 cm/s} }
  b: { body: ball, with: sled, wheel: {center: [0, 0, 1], axis: y, radius: 30 cm}, forbid: [normal, lateral, forward], friction: 0.6, law: {tanh: 0.01} }
  c: { body: ball, with: world, sphere: {radius: 2}, forbid: [lateral, forward], bound: {lateral: 3 N, forward: 4}, law: sign, forward: y }
  d: { body: ball, with: world, forbid: [normal, yaw, pitch, roll], angular: vector, laws: {lateral: {stiffness: 5, viscous: 6}},
       frame: {on_body: {point: [1, 0, 0], rotation: {axis: x, angle: 90 deg}}, on_environment: {point: [0, 1, 0], rotation: [1, 0, 0, 0]}} }
  e: { body: ball, with: world, forbid: [normal, lateral], bound: 7 N, frame: {on_environment: {path: [2*t, "3*t^2"]}} }
  f: { body: ball, with: world, point: [0, 0, 0], laws: {normal: {stiffness: 1e5 N/m, viscous: 100}} }
)yaml"));
  ASSERT_EQ(model.contacts.size(), 6u);
  const auto& [a, b, c, d, e, f] =
      std::tie(model.contacts[0], model.contacts[1], model.contacts[2], model.contacts[3], model.contacts[4], model.contacts[5]);
  EXPECT_EQ(std::get<PointGeometry>(a.geometry).point, (Vector3{1, 2, 3}));
  EXPECT_TRUE(a.forbid.empty());
  EXPECT_TRUE(a.forward_in_body);
  EXPECT_EQ(a.forward, (Vector3{0, 1, 0}));
  EXPECT_EQ(a.sliding_friction->coefficient, 0.3);
  EXPECT_DOUBLE_EQ(a.sliding_friction->smoothing, 0.01);
  EXPECT_FALSE(a.friction);

  EXPECT_EQ(*b.with, "sled");
  const auto& wheel = std::get<WheelGeometry>(b.geometry);
  EXPECT_EQ(wheel.center, (Vector3{0, 0, 1}));
  EXPECT_EQ(wheel.axis, (Vector3{0, 1, 0}));
  EXPECT_DOUBLE_EQ(wheel.radius, 0.3);
  EXPECT_EQ(b.forbid, (std::vector{ContactAxis::normal, ContactAxis::lateral, ContactAxis::forward}));
  EXPECT_EQ(b.friction, 0.6);
  EXPECT_EQ(b.law->kind, SlipLawKind::tanh);
  EXPECT_EQ(b.law->value, 0.01);
  EXPECT_EQ(b.forward, (Vector3{1, 0, 0}));

  EXPECT_EQ(std::get<SphereGeometry>(c.geometry).radius, 2);
  EXPECT_EQ(c.axis_bounds.at(ContactAxis::lateral), 3);
  EXPECT_EQ(c.axis_bounds.at(ContactAxis::forward), 4);
  EXPECT_FALSE(c.bound);
  EXPECT_EQ(c.law->kind, SlipLawKind::sign);
  EXPECT_EQ(c.forward, (Vector3{0, 1, 0}));
  EXPECT_FALSE(c.forward_in_body);

  const auto& frame = std::get<FrameGeometry>(d.geometry);
  EXPECT_TRUE(d.angular_as_vector);
  EXPECT_EQ(d.laws.at(ContactAxis::lateral).stiffness, 5);
  EXPECT_EQ(d.laws.at(ContactAxis::lateral).viscous, 6);
  EXPECT_EQ(frame.body_point, (Vector3{1, 0, 0}));
  EXPECT_NEAR_VECTOR(frame.body_rotation.y, (Vector3{0, 0, 1}), 1e-15);
  EXPECT_EQ(frame.environment_point, (Vector3{0, 1, 0}));
  EXPECT_FALSE(frame.path);

  EXPECT_EQ(e.bound, 7);
  EXPECT_DOUBLE_EQ(at(std::get<FrameGeometry>(e.geometry).path->at(1), 2), 12);
  EXPECT_EQ(f.laws.at(ContactAxis::normal).stiffness, 1e5);
  EXPECT_EQ(f.laws.at(ContactAxis::normal).viscous, 100);
}

TEST(ReadModel, EverySlipLaw) {
  using enum SlipLawKind;
  const std::pair<const char*, SlipLawKind> laws[] = {{"sign", sign},
                                                      {"{viscous: 0.5}", viscous},
                                                      {"{saturated: 0.5}", saturated},
                                                      {"{tanh: 0.5}", tanh},
                                                      {"{algebraic: 0.5}", algebraic},
                                                      {"{arctan: 0.5}", arctan},
                                                      {"{dead-zone: 0.5}", dead_zone},
                                                      {"{hysteresis: 0.5}", hysteresis},
                                                      {"{delay: 500 ms}", delay},
                                                      {"{lag: 0.5 s}", lag},
                                                      {"{backlash: 0.5}", backlash},
                                                      {"{stribeck: {velocity: 0.5, ratio: 0.7}}", stribeck}};
  for (const auto& [text, kind] : laws) {
    const auto model =
        read(with_boom(std::string("velocity_constraints: { a: { equation: \"boom' = 0\", bound: 1, law: ") + text + " } }\n"));
    const auto& law = model.velocity_constraints.at(0).law;
    ASSERT_TRUE(law) << text;
    EXPECT_EQ(law->kind, kind) << text;
    EXPECT_EQ(law->value, kind == sign ? 0 : 0.5) << text;
  }
}

TEST(ReadModel, VelocityConstraints) {
  const auto model = read(with_boom(R"yaml(
contacts: { foot: { body: ball, with: world, point: [0, 0, 0], forbid: [normal] } }
velocity_constraints:
  blade: "sled.ty'*cos(sled.rz) = sled.tx'*sin(sled.rz) + 0.5*t"
  skid: { equations: ["sled.tx' = 0", "2*sled.ty' = boom'"], bound: 0.9 N, law: sign }
  drag: { equation: "boom' = 0", friction: 0.2, normal: foot.normal }
  gear: { equation: "boom' = 3*sled.rz'", permanent: true }
)yaml"));
  ASSERT_EQ(model.velocity_constraints.size(), 4u);
  const auto& blade = model.velocity_constraints[0];
  // q = boom, sled.tx sled.ty sled.rz, ball ..; the slip is left minus right
  const std::vector<double> q = {0, 0, 0, 0.3, 0, 0, 0, 1, 0, 0, 0}, v = {7, 2, 5, 0, 0, 0, 0, 0, 0, 0};
  ASSERT_EQ(blade.slips.size(), 1u);
  EXPECT_FALSE(blade.numbered);
  EXPECT_DOUBLE_EQ(evaluate(blade.slips[0], {.time = 4, .q = q, .v = v}), 5 * std::cos(0.3) - (2 * std::sin(0.3) + 2));

  const auto& skid = model.velocity_constraints[1];
  EXPECT_TRUE(skid.numbered);
  ASSERT_EQ(skid.slips.size(), 2u);
  EXPECT_DOUBLE_EQ(evaluate(skid.slips[1], {.q = q, .v = v}), 2 * 5 - 7);
  EXPECT_EQ(skid.bound, 0.9);
  EXPECT_EQ(skid.law->kind, SlipLawKind::sign);
  EXPECT_EQ(model.velocity_constraints[2].friction, 0.2);
  EXPECT_EQ(*model.velocity_constraints[2].normal, "foot.normal");
  EXPECT_FALSE(model.velocity_constraints[2].permanent);
  EXPECT_TRUE(model.velocity_constraints[3].permanent);
}

TEST(ReadModel, StringsAndGuides) {
  const auto model = read(with_boom(R"yaml(
strings: { s1: { from: world, at: [0, 1, 0], to: ball, on: [0, 0, 10 cm], length: 1 m } }
guides:
  rail:
    body: sled
    pairs:
      - face1: {point: [1, 0, 0], normal: y, friction: 0.2, pad: {radius: 5 cm, pressure: uniform}}
        face2: {point: [1, 2, 0], normal: [0, -1, 0], friction: 0.3, pad: {radius: 1, pressure: {power: -0.5}}}
      - { face1: {point: [0, 0, 0], normal: y, pad: {radius: 1, pressure: punch}}, face2: {point: [0, 0, 0], normal: -y, pad: {radius: 1, pressure: {cosine: 2}}} }
)yaml"));
  const auto& string = model.strings.at(0);
  EXPECT_EQ(*string.from, "world");
  EXPECT_EQ(string.at, (Vector3{0, 1, 0}));
  EXPECT_EQ(*string.to, "ball");
  EXPECT_DOUBLE_EQ(string.on.z, 0.1);
  EXPECT_EQ(*string.length, 1);

  const auto& guide = model.guides.at(0);
  EXPECT_EQ(*guide.body, "sled");
  EXPECT_EQ(*guide.with, "world");
  ASSERT_EQ(guide.pairs.size(), 2u);
  EXPECT_EQ(guide.pairs[0].face1.point, (Vector3{1, 0, 0}));
  EXPECT_EQ(*guide.pairs[0].face1.normal, (Vector3{0, 1, 0}));
  EXPECT_EQ(guide.pairs[0].face2.friction, 0.3);
  EXPECT_DOUBLE_EQ(guide.pairs[0].face1.pad->radius, 0.05);
  EXPECT_EQ(guide.pairs[0].face2.pad->pressure, PadPressure::power);
  EXPECT_EQ(guide.pairs[0].face2.pad->exponent, -0.5);
  EXPECT_EQ(guide.pairs[1].face1.pad->pressure, PadPressure::punch);
  EXPECT_EQ(guide.pairs[1].face1.friction, 0);
  EXPECT_EQ(guide.pairs[1].face2.pad->pressure, PadPressure::cosine);
  EXPECT_EQ(guide.pairs[1].face2.pad->exponent, 2);
}

TEST(ReadModel, ForcesMotionsEventsAndStart) {
  const auto model = read(with_boom(R"yaml(
parameters: { k: 3 N*m*s, speed: 2 m/s }
motions: { sled.tx: 0.3*sin(t) }
forces:
  damper: { joint: boom, law: "-k*boom' + 1*t" }
  slide: { joint: sled.tx, law: 5 N }
  push: { body: ball, point: [1, 0, 0], force: [t, 0, 2 N], torque: [0, "boom", 0], frame: body }
  spring: { between: [world, [0, 0, 0]], and: [boom, [0, 0, 1]], stiffness: 100, damping: 1 N*s/m, length: 50 cm }
events: { level: "boom - 0.1", late: t - 3 }
initial: { boom: 30 deg, "boom'": 60 rpm, "ball.tx'": speed, ball.wx: 0.5 rad/s }
)yaml"));
  EXPECT_EQ(model.motions.at(0).coordinate, "sled.tx");
  EXPECT_DOUBLE_EQ(at(model.motions[0].law, 2), 0.3 * std::sin(2));

  const std::vector<double> q = {0.25, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, v = {7, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto& damper = std::get<JointForce>(model.forces.at(0).law);
  EXPECT_EQ(*damper.joint, "boom");
  EXPECT_DOUBLE_EQ(evaluate(damper.law, {.time = 0.5, .q = q, .v = v}), -3 * 7 + 0.5);
  const auto& push = std::get<BodyForce>(model.forces.at(2).law);
  EXPECT_TRUE(push.in_body_axes);
  EXPECT_EQ(push.point, (Vector3{1, 0, 0}));
  EXPECT_DOUBLE_EQ(at(push.force[0], 4), 4);
  EXPECT_DOUBLE_EQ(at(push.force[2], 4), 2);
  EXPECT_DOUBLE_EQ(evaluate(push.torque[1], {.q = q, .v = v}), 0.25);
  const auto& spring = std::get<SpringForce>(model.forces.at(3).law);
  EXPECT_EQ(*spring.between.body, "world");
  EXPECT_EQ(*spring.and_.body, "boom");
  EXPECT_EQ(spring.and_.point, (Vector3{0, 0, 1}));
  EXPECT_EQ(spring.stiffness, 100);
  EXPECT_EQ(spring.damping, 1);
  EXPECT_DOUBLE_EQ(spring.length, 0.5);

  EXPECT_EQ(model.events.at(0).name, "level");
  EXPECT_DOUBLE_EQ(evaluate(model.events[0].function, {.q = q, .v = v}), 0.25 - 0.1);
  ASSERT_EQ(model.initial.size(), 4u);
  EXPECT_DOUBLE_EQ(model.initial[0].value, kPi / 6);
  EXPECT_EQ(model.initial[1].name, "boom'");
  EXPECT_DOUBLE_EQ(model.initial[1].value, 2 * kPi);
  EXPECT_EQ(model.initial[2].value, 2);
}

// Section 2 of the contract, its dots filled in and the bodies it mentions added.
TEST(ReadModel, TheExampleOfTheContract) {
  std::stringstream file;
  file << std::ifstream(VINCULUM_SOURCE_DIR "/tests/files/good_models/contract.yaml").rdbuf();
  const std::string text = file.str();
  Diagnostics diagnostics;
  const auto model = read_model(text, diagnostics);
  ASSERT_TRUE(model) << told(diagnostics);
  // The laws on axes that `forbid` holds have no effect, which is said.
  ASSERT_EQ(diagnostics.list().size(), 3u) << told(diagnostics);
  for (const Diagnostic& d : diagnostics.list()) EXPECT_EQ(d.code, "VN-MODEL-105");
  EXPECT_EQ(model->bodies().size(), 4u);
  EXPECT_EQ(model->velocity_names().size(), 1u + 3 + 6 + 3);
  EXPECT_EQ(model->description().contacts.at(0).laws.size(), 2u);
  EXPECT_EQ(model->description().guides.at(0).pairs.size(), 1u);
}

TEST(ReadModel, SpellingsOfYaml) {
  const auto model = read(
      "\xEF\xBB\xBF---\r\n\"vinculum\": '1'\r\nname: >-\r\n  two\r\n  lines\r\nparameters: {on: 2, größe: 3 m, l: größe}\r\n"
      "bodies: {\"a\": &like_a {joint: free, mass: on, inertia: 1, com: [größe, 0,\n 0]}, b: *like_a}\nforces:\ncontacts: "
      "{}\n...\n");
  EXPECT_EQ(model.name, "two lines");
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(*model.bodies[1].mass, 2);
  EXPECT_EQ(model.bodies[1].com->x, 3);
  EXPECT_EQ(model.bodies[1].name, "b");
}

// JSON is YAML: programs may write it.
TEST(ReadModel, Json) {
  const auto model = read(
      R"yaml({"vinculum": 1, "bodies": {"a": {"joint": {"type": "revolute", "axis": [0, 1, 0]}, "mass": 2.5, "inertia": 1e-3}},
                              "initial": {"a": 0.5, "a'": -1}})yaml");
  EXPECT_EQ(*model.bodies.at(0).mass, 2.5);
  EXPECT_EQ(model.initial.at(1).value, -1);
}

// ---- overrides -------------------------------------------------------------------------------------------------------

constexpr std::string_view kOverridden = R"yaml(
vinculum: 1
parameters: { length: 1 m, half: length/2 }
bodies:
  boom: { joint: {type: revolute}, mass: half, inertia: 1 }
initial: { boom: 0.1 }
)yaml";

TEST(Overrides, ParametersAndStart) {
  const auto model = read(kOverridden, {{{"length", "3"}, {"boom", "30 deg"}, {"boom'", "2*half"}}});
  EXPECT_EQ(*model.bodies.at(0).mass, 1.5);
  ASSERT_EQ(model.initial.size(), 2u);
  EXPECT_EQ(model.initial[0].name, "boom");
  EXPECT_DOUBLE_EQ(model.initial[0].value, kPi / 6);
  EXPECT_EQ(model.initial[1].name, "boom'");
  EXPECT_EQ(model.initial[1].value, 3);
}

TEST(Overrides, AreToldWhenTheyAreWrong) {
  Diagnostics diagnostics;
  EXPECT_FALSE(
      read_description(kOverridden, diagnostics,
                       {{{"lenght", "3"}, {"half", "3 +"}, {"boom", "3 m"}, {"boom", "3"}, {"xyz", "1"}, {"boom'", ""}}}));
  EXPECT_EQ(told(diagnostics),
            "error: --set half: the expression ends where a number or a name is missing [VN-EXPR-011]\n"
            "error: --set lenght: there is no parameter, coordinate or velocity of this name [VN-FILE-027]\n"
            "  hint: did you mean 'length'?\n"
            "error: --set boom: expected a number or an angle, found a length (m) [VN-FILE-019]\n"
            "  hint: a number without a unit is taken in base units (m, kg, s, rad, N)\n"
            "error: --set boom: this name is set twice [VN-FILE-027]\n"
            "  hint: keep one of them\n"
            "error: --set xyz: there is no parameter, coordinate or velocity of this name [VN-FILE-027]\n"
            "  hint: `vinculum check` lists them\n"
            "error: --set boom': the text is empty [VN-FILE-014]\n"
            "  hint: give a number or a formula\n");
}

// ---- starter models --------------------------------------------------------------------------------------------------

class StarterModels : public testing::TestWithParam<std::string> {};

TEST_P(StarterModels, AreSoundAndExplained) {
  const std::string text(starter_model(GetParam()));
  Diagnostics diagnostics;
  const auto model = read_model(text, diagnostics);
  EXPECT_EQ(told(diagnostics), "");
  ASSERT_TRUE(model);
  EXPECT_FALSE(model->name().empty());
  EXPECT_FALSE(model->events().empty());
  EXPECT_FALSE(model->description().parameters.empty());
  for (const BodyDescription& body : model->description().bodies) EXPECT_FALSE(body.shapes.empty()) << body.name;
  EXPECT_GE(std::count(text.begin(), text.end(), '#'), 5);
}

INSTANTIATE_TEST_SUITE_P(All, StarterModels, testing::ValuesIn(starter_model_names()),
                         [](const auto& parameter) { return parameter.param; });

TEST(StarterModels, Names) {
  EXPECT_EQ(starter_model_names(), (std::vector<std::string>{"pendulum", "arm", "cart", "satellite"}));
  EXPECT_TRUE(starter_model("bridge").empty());
}

TEST(ReadModelText, ThrowsAllThatIsWrong) {
  try {
    read_model_text("vinculum: 2\nbodies: { a: { joint: free, mass: 1 m, inertia: 1 } }\n");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "1:11: error: vinculum: this program reads format version 1, found '2' [VN-FILE-013]\n  hint: write `vinculum: 1`\n"
              "2:35: error: body 'a': mass: expected a mass (kg), found a length (m) [VN-FILE-019]\n"
              "  hint: a number without a unit is taken in base units (m, kg, s, rad, N)\n");
  }
}

// A description made by a program may name what is not there; the reader never does.
TEST(ReadModel, QuantitiesThatAreNotThere) {
  Diagnostics diagnostics;
  auto words = read_description(
      "vinculum: 1\nbodies: { b: { joint: {type: revolute}, mass: 1, inertia: 1 } }\noutputs: { a: \"b''\" }\n", diagnostics);
  ASSERT_TRUE(words);
  EXPECT_EQ(words->quantities, std::vector<std::string>{"b''"});
  words->quantities[0] = "c''";
  EXPECT_FALSE(build_model(*words, diagnostics));
  EXPECT_EQ(diagnostics.list().at(0).code, "VN-MODEL-153");
}

}  // namespace
}  // namespace vinculum
