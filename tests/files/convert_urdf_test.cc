// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/import/convert_urdf.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/core.h>

#include "tests/support/expect.h"
#include "vinculum/files/read_model.h"
#include "vinculum/files/write_model.h"

namespace vinculum {
namespace {

constexpr double kRoundOff = 4e-16;  // a few operations on numbers of size 1

// The conversion of a robot that is in order.
UrdfConversion convert(std::string_view xml) {
  Diagnostics diagnostics("robot.urdf");
  auto conversion = convert_urdf(xml, diagnostics);
  for (const Diagnostic& d : diagnostics.list()) ADD_FAILURE() << to_text(d);
  return conversion.value_or(UrdfConversion{});
}

std::vector<std::string> texts(const std::vector<LossNote>& notes) {
  std::vector<std::string> lines;
  for (const LossNote& note : notes) lines.push_back(to_text(note));
  return lines;
}

// A robot: a world, and what is to be tested.
std::string on_world(std::string_view content) { return fmt::format("<robot name='r'><link name='base'/>{}</robot>", content); }

constexpr std::string_view kPoint =
    "<inertial><mass value='1'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>";

std::string joint(std::string_view name, std::string_view type, std::string_view parent, std::string_view child,
                  std::string_view more = "") {
  return fmt::format("<joint name='{}' type='{}'><parent link='{}'/><child link='{}'/>{}</joint>", name, type, parent, child,
                     more);
}
std::string link(std::string_view name, std::string_view content = kPoint) {
  return fmt::format("<link name='{}'>{}</link>", name, content);
}

// ---- mechanics -------------------------------------------------------------------------------------------------------

TEST(ConvertUrdf, APendulum) {
  const auto conversion = convert(R"(<?xml version="1.0"?>
<robot name="pendulum">
  <link name="base"/>
  <joint name="hinge" type="continuous">
    <parent link="base"/>
    <child link="rod"/>
    <origin xyz="1 2 3" rpy="0 0 0.5"/>
    <axis xyz="0 3 4"/>
  </joint>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -0.4"/>
      <mass value="2.5"/>
      <inertia ixx="0.03" ixy="0.001" ixz="0.002" iyy="0.04" iyz="0.003" izz="0.05"/>
    </inertial>
  </link>
</robot>)");
  const ModelDescription& model = conversion.description;
  EXPECT_EQ(model.name, "pendulum");
  EXPECT_EQ(model.gravity, (Vector3{0, 0, -9.81}));
  ASSERT_EQ(model.bodies.size(), 1u);

  const BodyDescription& rod = model.bodies[0];
  EXPECT_EQ(rod.name, "rod");
  EXPECT_EQ(*rod.parent, "world");
  EXPECT_EQ(*rod.joint.type, JointType::revolute);
  EXPECT_EQ(*rod.joint.axis, (Vector3{0, 3, 4}));
  EXPECT_EQ(rod.joint.origin, (Vector3{1, 2, 3}));
  EXPECT_EQ(rod.joint.rotation.x, (Vector3{std::cos(0.5), std::sin(0.5), 0}));
  EXPECT_EQ(*rod.mass, 2.5);
  EXPECT_EQ(*rod.com, (Vector3{0, 0, -0.4}));
  EXPECT_EQ(rod.inertia->xx, 0.03);
  EXPECT_EQ(rod.inertia->yy, 0.04);
  EXPECT_EQ(rod.inertia->zz, 0.05);
  EXPECT_EQ(rod.inertia->xy, 0.001);
  EXPECT_EQ(rod.inertia->xz, 0.002);
  EXPECT_EQ(rod.inertia->yz, 0.003);
  EXPECT_EQ(rod.inertia.place.line, 14);
  EXPECT_EQ(rod.inertia.place.column, 7);

  EXPECT_TRUE(conversion.losses.empty());
  EXPECT_EQ(texts(conversion.remarks), (std::vector<std::string>{"line 3: link 'base': no <inertial>: converted to the world",
                                                                 "line 4: joint 'hinge': named after its body 'rod'"}));
}

// R = Rz(yaw) Ry(pitch) Rx(roll): the columns of the joint frame, written out.
TEST(ConvertUrdf, RollPitchYaw) {
  const auto conversion = convert(on_world(joint("j", "fixed", "base", "a", "<origin rpy='0.3 0.5 0.7'/>") + link("a")));
  const Matrix3& R = conversion.description.bodies.at(0).joint.rotation;
  const double cr = std::cos(0.3), sr = std::sin(0.3), cp = std::cos(0.5), sp = std::sin(0.5), cy = std::cos(0.7),
               sy = std::sin(0.7);
  EXPECT_NEAR_VECTOR(R.x, (Vector3{cy * cp, sy * cp, -sp}), kRoundOff);
  EXPECT_NEAR_VECTOR(R.y, (Vector3{cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr}), kRoundOff);
  EXPECT_NEAR_VECTOR(R.z, (Vector3{cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}), kRoundOff);
}

TEST(ConvertUrdf, QuaternionInsteadOfAngles) {
  // A quarter turn about x: y goes to z.
  const auto conversion = convert(on_world(joint("j", "fixed", "base", "a", "<origin quat_xyzw='1 0 0 1'/>") + link("a")));
  EXPECT_NEAR_VECTOR(conversion.description.bodies.at(0).joint.rotation.y, (Vector3{0, 0, 1}), kRoundOff);
}

// I_B = R I Rᵀ; for a turn by a about z:  Ixx' = c² Ixx + s² Iyy - 2 c s Ixy,  Ixy' = c s (Ixx - Iyy) + (c² - s²) Ixy.
TEST(ConvertUrdf, InertiaIsTurnedIntoBodyAxes) {
  const auto conversion = convert(on_world(joint("j", "revolute", "base", "a") + link("a", R"(
    <inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 0.6"/><mass value="2"/>
    <inertia ixx="0.5" ixy="0.05" ixz="0.02" iyy="0.7" iyz="0.03" izz="0.9"/></inertial>)")));
  const BodyDescription& body = conversion.description.bodies.at(0);
  const double c = std::cos(0.6), s = std::sin(0.6);
  EXPECT_EQ(*body.com, (Vector3{0.1, 0.2, 0.3}));
  EXPECT_NEAR(body.inertia->xx, c * c * 0.5 + s * s * 0.7 - 2 * c * s * 0.05, kRoundOff);
  EXPECT_NEAR(body.inertia->yy, s * s * 0.5 + c * c * 0.7 + 2 * c * s * 0.05, kRoundOff);
  EXPECT_NEAR(body.inertia->xy, c * s * (0.5 - 0.7) + (c * c - s * s) * 0.05, kRoundOff);
  EXPECT_NEAR(body.inertia->xz, c * 0.02 - s * 0.03, kRoundOff);
  EXPECT_NEAR(body.inertia->yz, s * 0.02 + c * 0.03, kRoundOff);
  EXPECT_NEAR(body.inertia->zz, 0.9, kRoundOff);
}

TEST(ConvertUrdf, JointTypes) {
  const std::pair<const char*, JointType> kTypes[] = {{"revolute", JointType::revolute},   {"continuous", JointType::revolute},
                                                      {"prismatic", JointType::prismatic}, {"fixed", JointType::fixed},
                                                      {"floating", JointType::free},       {"planar", JointType::planar}};
  for (const auto& [urdf, type] : kTypes) {
    const auto conversion = convert(on_world(joint("j", urdf, "base", "a") + link("a")));
    EXPECT_EQ(*conversion.description.bodies.at(0).joint.type, type) << urdf;
  }
}

TEST(ConvertUrdf, TheAxisIsXIfNotGiven) {
  const auto conversion = convert(on_world(joint("j", "prismatic", "base", "a") + link("a")));
  EXPECT_EQ(*conversion.description.bodies.at(0).joint.axis, (Vector3{1, 0, 0}));
}

TEST(ConvertUrdf, ARootWithMassIsFixedToTheWorld) {
  const auto conversion = convert("<robot name='r'><link name='trunk'>" + std::string(kPoint) + "</link>" +
                                  joint("j", "revolute", "trunk", "leg") + link("leg") + "</robot>");
  const auto& bodies = conversion.description.bodies;
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[0].name, "trunk");
  EXPECT_EQ(*bodies[0].parent, "world");
  EXPECT_EQ(*bodies[0].joint.type, JointType::fixed);
  EXPECT_EQ(*bodies[1].parent, "trunk");
  EXPECT_EQ(texts(conversion.remarks)[0],
            "line 1: link 'trunk': root link, fixed to the world; use --floating-base if the robot moves freely");
}

// Each body comes after its parent, whatever the order of the file; limbs stay together.
TEST(ConvertUrdf, ParentsComeFirst) {
  const auto conversion = convert(on_world(link("hand") + link("foot") + link("leg") + link("arm") +
                                           joint("a", "revolute", "base", "arm") + joint("l", "revolute", "base", "leg") +
                                           joint("h", "revolute", "arm", "hand") + joint("f", "revolute", "leg", "foot")));
  std::string order;
  for (const BodyDescription& body : conversion.description.bodies) order += body.name + " ";
  EXPECT_EQ(order, "arm hand leg foot ");
}

// A planar joint about the axis n: the plane is x, y of the new joint frame. Wherever the frames are turned to, mass centre,
// inertia, shape and the next joint stay where they were in the parent.
TEST(ConvertUrdf, PlanarJointTurnsTheBodyFrame) {
  const auto conversion = convert(
      on_world(joint("slide", "planar", "base", "puck", "<origin xyz='1 0 2' rpy='0 0 0.4'/><axis xyz='2 0 0'/>") +
               link("puck", R"(<inertial><origin xyz='0.1 0.2 0.3'/><mass value='1'/>
      <inertia ixx='2' ixy='0' ixz='0' iyy='3' iyz='0' izz='4'/></inertial>
      <visual><origin xyz='0.4 0.5 0.6'/><geometry><sphere radius='0.1'/></geometry></visual>)") +
               joint("next", "revolute", "puck", "knob", "<origin xyz='0.7 0.8 0.9'/><axis xyz='0 0 1'/>") + link("knob")));
  ASSERT_EQ(conversion.description.bodies.size(), 2u);
  const BodyDescription& puck = conversion.description.bodies[0];
  const BodyDescription& knob = conversion.description.bodies[1];
  const Matrix3 R_PL = rotation_about({0, 0, 1}, 0.4);
  const Matrix3& R_PB = puck.joint.rotation;

  EXPECT_EQ(puck.joint.origin, (Vector3{1, 0, 2}));
  EXPECT_NEAR_VECTOR(R_PB.z, R_PL.x, kRoundOff);  // the normal is the URDF axis
  EXPECT_NEAR_VECTOR(R_PB * *puck.com, R_PL * (Vector3{0.1, 0.2, 0.3}), kRoundOff);
  EXPECT_NEAR_VECTOR(R_PB * puck.shapes.at(0).origin, R_PL * (Vector3{0.4, 0.5, 0.6}), kRoundOff);
  EXPECT_EQ(puck.inertia->zz, 2);  // about the link's x
  EXPECT_NEAR_VECTOR(R_PB * knob.joint.origin, R_PL * (Vector3{0.7, 0.8, 0.9}), kRoundOff);
  EXPECT_NEAR_VECTOR(R_PB * knob.joint.rotation * *knob.joint.axis, (Vector3{0, 0, 1}), kRoundOff);
}

TEST(ConvertUrdf, DampingIsAForceOnTheVelocity) {
  const auto conversion =
      convert(on_world(joint("drift", "floating", "base", "trunk") + link("trunk") +
                       joint("hip.left", "revolute", "trunk", "leg", "<dynamics damping='0.25' friction='0'/>") + link("leg")));
  ASSERT_EQ(conversion.description.forces.size(), 1u);
  const ForceDescription& force = conversion.description.forces[0];
  EXPECT_EQ(force.name, "hip_left_damping");
  const auto& law = std::get<JointForce>(force.law);
  EXPECT_EQ(*law.joint, "leg");
  EXPECT_EQ(to_text(law.law), "-0.25*leg'");
  EXPECT_EQ(law.law.variables(), (std::vector<Variable>{{VariableKind::velocity, 6}}));  // behind the six of the trunk
  EXPECT_TRUE(conversion.losses.empty());
}

TEST(ConvertUrdf, NamesAreMadeLegal) {
  const auto conversion = convert(
      on_world(joint("a", "revolute", "base", "upper-arm") + link("upper-arm") + joint("b", "revolute", "base", "upper arm") +
               link("upper arm") + joint("c", "revolute", "base", "6th") + link("6th") + joint("d", "revolute", "base", "t") +
               link("t") + joint("e", "revolute", "base", "world") + link("world")));
  std::string names;
  for (const BodyDescription& body : conversion.description.bodies) names += body.name + " ";
  EXPECT_EQ(names, "upper_arm upper_arm_2 _6th t_2 world_2 ");
  EXPECT_EQ(texts(conversion.remarks)[2], "line 1: link 'upper arm': converted to the body 'upper_arm_2'");
}

TEST(ConvertUrdf, ShapesAndColours) {
  const auto conversion = convert(R"(<robot name="r">
  <link name="base"/>
  <joint name="j" type="fixed"><parent link="base"/><child link="a"/></joint>
  <link name="a">
    <visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
    <visual><origin xyz="0 0 1" rpy="0.5 0 0"/><geometry><cylinder radius="0.1" length="0.5"/></geometry></visual>
    <visual><geometry><sphere radius="0.2"/></geometry><material name=""><color rgba="0 0.5 1 1"/></material></visual>
    <visual><geometry><capsule radius="0.3" length="0.6"/></geometry></visual>
    <visual><geometry><mesh filename="package://arm/link.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  </link>
  <material name="red"><color rgba="1 0 0 1"/></material>
</robot>)");
  const auto& shapes = conversion.description.bodies.at(0).shapes;
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(std::get<Box>(shapes[0].form).size, (Vector3{1, 2, 3}));
  EXPECT_EQ(shapes[0].color, "#ff0000");
  EXPECT_EQ(std::get<Cylinder>(shapes[1].form).radius, 0.1);
  EXPECT_EQ(std::get<Cylinder>(shapes[1].form).length, 0.5);
  EXPECT_EQ(shapes[1].origin, (Vector3{0, 0, 1}));
  EXPECT_EQ(shapes[1].rotation.y, (Vector3{0, std::cos(0.5), std::sin(0.5)}));
  EXPECT_EQ(shapes[1].color, "");
  EXPECT_EQ(std::get<Sphere>(shapes[2].form).radius, 0.2);
  EXPECT_EQ(shapes[2].color, "#0080ff");  // 255/2 rounds up
  EXPECT_EQ(std::get<Capsule>(shapes[3].form).length, 0.6);
  EXPECT_EQ(std::get<Mesh>(shapes[4].form).file, "package://arm/link.stl");
  EXPECT_EQ(std::get<Mesh>(shapes[4].form).scale, 0.001);
  EXPECT_EQ(texts(conversion.remarks).back(),
            "line 9: link 'a': mesh 'package://arm/link.stl': is kept as a reference; the file was not read");
  EXPECT_TRUE(conversion.losses.empty());
}

// ---- losses ----------------------------------------------------------------------------------------------------------

TEST(ConvertUrdf, EveryLossIsTold) {
  const auto conversion = convert(R"(<robot name="r" version="1.0" xmlns:xacro="http://ros.org/wiki/xacro" author="me">
  <link name="base">
    <visual><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <link name="a">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <inertial><mass value="2"/></inertial>
    <visual name="skin">
      <geometry><mesh filename="a.stl" scale="2 -2 2"/></geometry>
      <material name="wood"><texture filename="wood.png"/></material>
    </visual>
    <visual><geometry><plane normal="0 0 1"/></geometry></visual>
    <visual><geometry><box size="1 1 1"/></geometry><material name="glass"><color rgba="1 1 1 0.2"/></material></visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
    <sensor name="camera"/><visual><geometry><box size="1 1 0"/></geometry></visual>
  </link>
  <joint name="slide" type="prismatic">
    <parent link="base"/><child link="a"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
    <dynamics damping="0" friction="0.5"/>
    <safety_controller k_velocity="3"/>
    <calibration rising="0.1"/>
  </joint>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="twin" type="prismatic">
    <parent link="base"/><child link="b"/>
    <mimic joint="slide" multiplier="2" offset="0.5"/>
  </joint>
  <link name="c"/>
  <joint name="weld" type="fixed">
    <parent link="b"/><child link="c"/>
    <axis xyz="0 0 0"/>
    <dynamics damping="1"/>
  </joint>
  <transmission name="drive"><type>simple</type></transmission>
  <gazebo reference="a"><mu1>0.2</mu1></gazebo>
  <ros2_control name="system" type="system"/>
  <frobnicator/>
  stray
</robot>)");
  EXPECT_EQ(
      texts(conversion.losses),
      (std::vector<std::string>{
          "line 1: robot: author of robot (me): unknown here",
          "line 1: robot: text in robot: unknown here",
          "line 3: link 'base': visual: the world is not drawn; a link with an inertial is a body and would be",
          "line 7: link 'a': inertial: there is one already, and the first counts",
          "line 8: link 'a': name of visual (skin): unknown here",
          "line 9: link 'a': scale 2 -2 2 of a mesh: a mesh has one scale: 2 in all directions",
          "line 10: link 'a': material 'wood': it has no colour, here or at the robot",
          "line 10: link 'a': texture (filename wood.png): shapes have one colour",
          "line 12: link 'a': plane (normal 0 0 1): unknown here",
          "line 13: link 'a': alpha 0.2 of a colour: shapes are opaque",
          "line 14: link 'a': collision: bodies do not touch by themselves; declare what touches under `contacts`",
          "line 15: link 'a': visual: a shape without extent cannot be drawn",
          "line 15: link 'a': sensor (name camera): there are no sensors",
          "line 20: joint 'slide': friction 0.5: joints have no dry friction; guides have, on their faces",
          "line 21: joint 'slide': safety_controller (k_velocity 3): belongs to the controller, not to the mechanism",
          "line 22: joint 'slide': calibration (rising 0.1): belongs to the controller, not to the mechanism",
          "line 32: joint 'weld': axis (xyz 0 0 0): a joint of this type has none",
          "line 33: joint 'weld': dynamics (damping 1): only a joint with one motion is damped; write a force for each velocity",
          "line 35: robot: transmission (name drive): belongs to the drive; a drive acts by a law under `forces` or `motions`",
          "line 36: robot: gazebo (reference a): an extension for another program",
          "line 37: robot: ros2_control (name system, type system): belongs to the controller, not to the mechanism",
          "line 38: robot: frobnicator: unknown here",
      }));
  // What was not taken over did not leak: one sliding motion each, no forces.
  EXPECT_TRUE(conversion.description.forces.empty());
  // Limits and mimic joints were.
  const auto& [coordinate, position, velocity, effort, restitution, place] =
      conversion.description.bodies.at(0).joint.limits.at(0);
  EXPECT_EQ(coordinate, "a");
  EXPECT_EQ(position, (std::array<double, 2>{-1, 1}));
  EXPECT_EQ(velocity, 2);
  EXPECT_EQ(effort, 10);
  const auto& mimic = conversion.description.velocity_constraints.at(0);
  EXPECT_EQ(mimic.name, "twin_mimic");
  EXPECT_EQ(to_text(mimic.slips.at(0)), "b' - 2*a'");
  EXPECT_TRUE(mimic.permanent);
  EXPECT_EQ(conversion.description.initial.at(0).name, "b");
  EXPECT_EQ(conversion.description.initial.at(0).value, 0.5);
  EXPECT_EQ(conversion.description.bodies.at(0).mass.value, 1);
  EXPECT_EQ(texts(conversion.remarks).back(), "line 30: joint 'weld': named after its body 'c'");
}

// Joints that move keep their names beside those of their bodies, whatever is written in them, unless another one has them.
TEST(ConvertUrdf, NamesOfJointsAreKept) {
  const auto conversion =
      convert(on_world(joint("arm-joint/1", "revolute", "base", "a") + link("a") + joint("c", "continuous", "a", "b") +
                       link("b") + joint("b", "prismatic", "b", "c") + link("c") + joint("weld", "fixed", "c", "d") + link("d") +
                       joint("e", "revolute", "d", "e") + link("e")));
  std::vector<std::string> names;
  for (const BodyDescription& body : conversion.description.bodies) names.push_back(*body.joint.name);
  EXPECT_EQ(names, (std::vector<std::string>{"arm-joint/1", "", "", "", ""}));
  int told = 0;
  for (const std::string& remark : texts(conversion.remarks))
    told += remark.ends_with("its own name is not kept: another coordinate has it");
  EXPECT_EQ(told, 2);

  Diagnostics diagnostics;
  const auto text = write_conversion(conversion, diagnostics);
  ASSERT_TRUE(text);
  const Model model = read_model_text(*text);
  EXPECT_EQ(model.find_coordinate("arm-joint/1"), model.find_coordinate("a"));
  EXPECT_EQ(model.find_velocity("arm-joint/1'"), model.find_velocity("a'"));
  EXPECT_NE(model.find_coordinate("a"), model.find_coordinate("b"));
}

TEST(ConvertUrdf, TheStoryForTheHeadOfTheFile) {
  const auto conversion =
      convert("<robot name='r'><link name='base'/>\n" + joint("j", "revolute", "base", "a", "<limit upper='-1'/>") + "\n" +
              link("a") + "\n<gazebo/>\n" + joint("k", "revolute", "a", "b", "<limit upper='-2'/>") + link("b") + "</robot>");
  EXPECT_EQ(heading_comments(conversion), (std::vector<std::string>{
                                              "Converted from the URDF of robot 'r'.",
                                              "",
                                              "Converted differently:",
                                              "  line 1: link 'base': no <inertial>: converted to the world",
                                              "  line 2: joint 'j': named after its body 'a'",
                                              "  line 5: joint 'k': named after its body 'b'",
                                              "",
                                              "Not converted:",
                                              "  its range is empty:",
                                              "    line 2: joint 'j': limit from 0 to -1",
                                              "    line 5: joint 'k': limit from 0 to -2",
                                              "  an extension for another program:",
                                              "    line 4: robot: gazebo",
                                          }));
}

// ---- errors ----------------------------------------------------------------------------------------------------------

struct Fault {
  const char* name;
  std::string xml;
  const char* message;  // all of the only diagnostic
};

class UrdfFaults : public testing::TestWithParam<Fault> {};

TEST_P(UrdfFaults, IsTold) {
  Diagnostics diagnostics("r.urdf");
  EXPECT_FALSE(convert_urdf(GetParam().xml, diagnostics).has_value());
  ASSERT_EQ(diagnostics.list().size(), 1u) << to_text(diagnostics.list().back());
  EXPECT_EQ(to_text(diagnostics.list()[0]), GetParam().message);
}

const Fault kFaults[] = {
    {"Empty", "", "r.urdf:1:1: error: this is not XML: no element found [VN-URDF-001]"},
    {"NotXml", "vinculum: 1\n", "r.urdf:1:1: error: this is not XML: syntax error [VN-URDF-001]"},
    {"NotClosed", "<robot>\n  <link name='a'>\n</robot>", "r.urdf:3:3: error: this is not XML: mismatched tag [VN-URDF-001]"},
    {"Twice", "<robot/>\n<robot/>", "r.urdf:2:1: error: this is not XML: junk after document element [VN-URDF-001]"},
    {"NoRobot", "<!-- a -->\n<sdf/>", "r.urdf:2:1: error: the outermost element is <sdf>, not <robot> [VN-URDF-002]"},
    {"NoLinks", "<robot name='r'/>",
     "r.urdf:1:1: error: the robot has no links [VN-URDF-003]\n  hint: a link is <link name=\"..\">..</link>"},
    {"NoName", "<robot><link name='a'/>\n<link/></robot>",
     "r.urdf:2:1: error: link: it has no name [VN-URDF-004]\n  hint: write <link name=\"..\">"},
    {"TwoOfAName", "<robot><link name='a'/>\n  <link name='a'/></robot>",
     "r.urdf:2:3: error: link 'a': there is already a link of this name in line 1 [VN-URDF-004]\n"
     "  hint: give one of them another name"},
    {"NoType", "<robot><link name='a'/><link name='b'/>\n<joint name='j'><parent link='a'/><child link='b'/></joint></robot>",
     "r.urdf:2:1: error: joint 'j': it has no type [VN-URDF-005]\n  hint: write <joint name=\"..\" type=\"revolute\">"},
    {"NoParent", "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><child link='b'/></joint></robot>",
     "r.urdf:2:1: error: joint 'j': it has no parent link [VN-URDF-005]\n  hint: write <parent link=\"..\"/>"},
    {"NoChild", "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/></joint></robot>",
     "r.urdf:2:1: error: joint 'j': it has no child link [VN-URDF-005]\n  hint: write <child link=\"..\"/>"},
    {"NoMass",
     "<robot><link name='a'>\n<inertial><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>",
     "r.urdf:2:1: error: link 'a': <inertial> has no <mass> [VN-URDF-005]"},
    {"NoMoment",
     "<robot><link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' ixy='0' ixz='0' iyy='1' "
     "iyz='0'/></inertial></link></robot>",
     "r.urdf:2:1: error: link 'a': <inertia> has no izz [VN-URDF-005]"},
    {"UnknownType", on_world("\n" + joint("j", "revolut", "base", "a") + link("a")),
     "r.urdf:2:1: error: joint 'j': its type 'revolut' is unknown [VN-URDF-006]\n  hint: did you mean 'revolute'?"},
    {"UnknownLink", on_world(link("arm") + "\n" + joint("j", "fixed", "base", "aarm")),
     "r.urdf:2:51: error: joint 'j': its child link 'aarm' does not exist [VN-URDF-007]\n  hint: did you mean 'arm'?"},
    {"TwoParents", on_world(link("a") + joint("j", "fixed", "base", "a") + "\n" + joint("k", "fixed", "base", "a")),
     "r.urdf:2:1: error: joint 'k': its child link 'a' is carried by joint 'j' already [VN-URDF-008]\n"
     "  hint: a link has one joint towards the root; close a loop by a contact `with: BODY` in the model"},
    {"TwoRoots", on_world("\n" + link("a")),
     "r.urdf:2:1: error: link 'a': no joint carries it, and none carries link 'base' either: a robot has one root [VN-URDF-009]\n"
     "  hint: connect it by a joint; use a floating joint for a free body"},
    {"Circle", on_world("\n" + link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a")),
     "r.urdf:2:1: error: link 'a': it carries itself: its joints lead round in a circle [VN-URDF-010]\n"
     "  hint: every link must lead to the one root"},
    {"BadNumber", on_world(link("a") + joint("j", "fixed", "base", "a", "\n<origin xyz='0 zero 0'/>")),
     "r.urdf:2:1: error: joint 'j': xyz of <origin> is '0 zero 0' and must be 3 numbers [VN-URDF-011]"},
    {"TooFewNumbers", on_world(link("a") + joint("j", "fixed", "base", "a", "\n<origin xyz='0 0'/>")),
     "r.urdf:2:1: error: joint 'j': xyz of <origin> is '0 0' and must be 3 numbers [VN-URDF-011]"},
    {"NotFinite",
     "<robot><link name='a'><inertial>\n<mass value='nan'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
     "izz='1'/></inertial></link></robot>",
     "r.urdf:2:1: error: link 'a': value of <mass> is 'nan' and must be a number [VN-URDF-011]"},
    {"MacroInANumber", on_world(link("a") + joint("j", "fixed", "base", "a", "\n<origin xyz='0 0 ${h}'/>")),
     "r.urdf:2:1: error: joint 'j': xyz of <origin> is '0 0 ${h}' and must be 3 numbers [VN-URDF-011]\n"
     "  hint: this is a macro: run xacro first"},
    {"ZeroAxis", on_world(link("a") + joint("j", "planar", "base", "a", "\n<axis xyz='0 0 0'/>")),
     "r.urdf:2:1: error: joint 'j': its axis has no direction [VN-URDF-011]\n  hint: give a vector of any length but zero"},
    {"ZeroQuaternion", on_world(link("a") + joint("j", "fixed", "base", "a", "\n<origin quat_xyzw='0 0 0 0'/>")),
     "r.urdf:2:1: error: joint 'j': its quaternion is zero [VN-URDF-011]"},
    {"Macro", on_world("\n<xacro:arm side='left'/>"),
     "r.urdf:2:1: error: <xacro:arm> is a macro [VN-URDF-012]\n  hint: run xacro first"},
};
INSTANTIATE_TEST_SUITE_P(Convert, UrdfFaults, testing::ValuesIn(kFaults), [](const auto& fault) { return fault.param.name; });

TEST(ConvertUrdf, AllErrorsAreToldTogether) {
  Diagnostics diagnostics;
  EXPECT_FALSE(convert_urdf(on_world(joint("j", "hinge", "base", "a") + link("a") +
                                     joint("k", "fixed", "base", "b", "<origin xyz='1'/>") + link("b", "<inertial/>")),
                            diagnostics));
  std::string codes;
  for (const Diagnostic& d : diagnostics.list()) codes += std::string(d.code) + " ";
  EXPECT_EQ(codes, "VN-URDF-006 VN-URDF-011 VN-URDF-005 VN-URDF-005 ");
}

TEST(ConvertUrdf, DeepNestingIsRefused) {
  std::string xml;
  for (int i = 0; i < 100000; ++i) xml += "<a>";
  Diagnostics diagnostics;
  EXPECT_FALSE(convert_urdf(xml, diagnostics));
  EXPECT_EQ(diagnostics.list().at(0).message, "this is not XML: elements are nested deeper than 200");
}

// ---- what is written can be read ---------------------------------------------------------------------------------------

constexpr std::string_view kThin =  // 1 + 1 < 3
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='3'/></inertial>";

std::optional<std::string> written(std::string_view xml, const UrdfOptions& options, Diagnostics& diagnostics) {
  const auto conversion = convert_urdf(xml, diagnostics, options);
  return conversion ? write_conversion(*conversion, diagnostics) : std::nullopt;
}

TEST(ConvertUrdf, ImpossibleInertiaIsToldAtConversion) {
  const std::string xml = on_world(joint("j", "revolute", "base", "a") + link("a", kThin));
  Diagnostics refused;
  EXPECT_FALSE(written(xml, {}, refused));
  ASSERT_EQ(refused.error_count(), 2);
  EXPECT_EQ(refused.list()[0].code, "VN-MODEL-021");
  EXPECT_EQ(refused.list()[1].code, "VN-URDF-140");
  EXPECT_EQ(refused.list()[1].message, "the inertia of 1 of the 1 links is one that no body can have; no model is written");

  Diagnostics accepted;
  const auto text = written(xml, {.accept_inertia = true}, accepted);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("accept_inertia: true"), std::string::npos) << *text;
  ASSERT_EQ(accepted.list().size(), 1u);
  // 3 - 1 - 1 = 1, a third of it to each: (4/3, 4/3, 8/3).
  EXPECT_EQ(
      accepted.list()[0].message,
      "inertia [1, 1, 3] is impossible and was accepted. Principal moments: 1, 1, 3; nearest possible tensor: [1.33333, 1.33333, "
      "2.66667]");
  Diagnostics back;
  EXPECT_TRUE(read_model(*text, back));
  EXPECT_EQ(back.error_count(), 0);
}

TEST(ConvertUrdf, FloatingBase) {
  Diagnostics diagnostics;
  const auto type_of_first = [&](const std::string& xml) {
    const auto conversion = convert_urdf(xml, diagnostics, {.floating_base = true});
    return *conversion->description.bodies.at(0).joint.type;
  };
  EXPECT_EQ(type_of_first("<robot name='r'>" + link("trunk") + "</robot>"), JointType::free);
  EXPECT_EQ(type_of_first(on_world(joint("j", "fixed", "base", "a") + link("a"))), JointType::free);  // a massless root floats
  EXPECT_EQ(type_of_first("<robot name='r'><link name='world'/>" + joint("j", "fixed", "world", "a") + link("a") + "</robot>"),
            JointType::free);
  // It floats already: the root stays the world.
  const auto floating =
      convert_urdf(on_world(joint("j", "floating", "base", "a") + link("a")), diagnostics, {.floating_base = true});
  EXPECT_EQ(floating->description.bodies.size(), 1u);
  EXPECT_EQ(diagnostics.error_count(), 0);
}

TEST(ConvertUrdf, NotesAreCountedByKind) {
  std::string content;
  for (const char* name : {"a", "b", "c"}) {
    content += joint(std::string("to_") + name, "revolute", "base", name, "<limit lower='1' upper='-1'/>") + link(name);
  }
  const auto kinds = count_kinds(convert(on_world(content + "<gazebo/>")).losses);
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].first.kind, "limit");
  EXPECT_EQ(kinds[0].count, 3);
  EXPECT_EQ(kinds[1].first.kind, "gazebo");
  EXPECT_EQ(kinds[1].count, 1);
}

// Links with defects of many kinds: names, numbers, meshes. Whatever is written is read back; nothing else is said to be good.
TEST(ConvertUrdf, WhateverIsWrittenIsRead) {
  const std::vector<std::string> names = {"arm", "min", "if", "kg",      "a.b", "1st",    "null", "true", "&#10;x", "\u202Ey",
                                          "deg", "m",   "s",  "arm arm", "x",   "a&#39;", "N",    "rad",  "-",      "tx"};
  const std::vector<std::string> numbers = {"1", "0", "-1", "1e-6", "1e308", "1e-320", "5e-324"};
  const std::vector<std::string> meshes = {"a.stl", "", "a&#10;b", "\u202E", "package://r/a b.dae"};
  std::uint32_t random = 12345;
  const auto pick = [&](const auto& list) {
    random = random * 1664525u + 1013904223u;
    return list[random / 65536 % list.size()];
  };
  const std::vector<std::string> types = {"revolute", "prismatic", "continuous", "fixed", "floating", "planar"};
  int written_count = 0, refused_count = 0;
  for (int robot = 0; robot < 1500; ++robot) {
    std::string content;
    std::string parent = "base";
    for (int i = 0; i < 3; ++i) {
      const bool tame = robot % 3 > 0;
      const auto number = [&] { return tame ? std::string("1") : pick(numbers); };
      const std::string name = pick(names) + std::string(i, '_');
      content +=
          link(name, fmt::format("<inertial><origin xyz='{} 0 0'/><mass value='{}'/><inertia ixx='{}' ixy='0' ixz='0' iyy='{}' "
                                 "iyz='0' izz='{}'/></inertial><visual><geometry><mesh filename='{}'/></geometry></visual>",
                                 number(), number(), number(), number(), number(), pick(meshes)));
      content += joint(name, pick(types), parent, name,
                       fmt::format("<origin xyz='{} 0 0'/><dynamics damping='{}'/>", number(), number()));
      parent = name;
    }
    const UrdfOptions options{robot % 2 == 0, robot % 5 == 0};
    Diagnostics diagnostics;
    const std::string xml = fmt::format("<robot name='{}'><link name='base'/>{}</robot>", pick(names), content);
    const auto text = written(xml, options, diagnostics);
    EXPECT_EQ(text.has_value(), diagnostics.error_count() == 0) << xml;
    for (const Diagnostic& d : diagnostics.list()) EXPECT_NE(d.code, "VN-URDF-141") << to_text(d) << "\n" << xml;
    Diagnostics back;
    if (text) EXPECT_TRUE(read_model(*text, back)) << *text;
    ++(text ? written_count : refused_count);
  }
  EXPECT_GT(written_count, 500);
  EXPECT_GT(refused_count, 100);
}

// ---- the example -----------------------------------------------------------------------------------------------------

UrdfConversion convert_arm() {
  std::ifstream file(VINCULUM_SOURCE_DIR "/examples/six-axis-arm/arm.urdf");
  std::ostringstream text;
  text << file.rdbuf();
  return convert(text.str());
}

TEST(SixAxisArm, IsASoundModel) {
  const auto conversion = convert_arm();
  Diagnostics diagnostics;
  const auto model = build_model(conversion.description, diagnostics);
  for (const Diagnostic& d : diagnostics.list()) ADD_FAILURE() << to_text(d);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->velocity_names(),
            (std::vector<std::string>{"shoulder'", "upper_arm'", "elbow'", "forearm'", "wrist'", "flange'"}));
  EXPECT_EQ(conversion.description.forces.size(), 6u);  // the damping
  EXPECT_EQ(conversion.losses.size(), 6u + 3u + 6u);    // friction, collision shapes, transmissions
  EXPECT_EQ(model->joint_limits().size(), 6u);

  double mass = 0;
  for (const Body& body : model->bodies()) mass += body.mass;
  EXPECT_NEAR(mass, 281.8, 1e-12);
}

// Written with its story, it reads back without a word, and says the same.
TEST(SixAxisArm, ReadsBackFromItsModelFile) {
  const auto conversion = convert_arm();
  const std::string text = write_model(conversion.description, heading_comments(conversion));
  EXPECT_TRUE(text.starts_with("# Converted from the URDF of robot 'six_axis_arm'.\n#\n# Converted differently:\n#   line "))
      << text;
  Diagnostics diagnostics("arm.yaml");
  const auto model = read_model(text, diagnostics);
  for (const Diagnostic& d : diagnostics.list()) ADD_FAILURE() << to_text(d);
  ASSERT_TRUE(model);
  EXPECT_EQ(write_model(model->description(), heading_comments(conversion)), text);
}

// At zero all frames are parallel, so that origins add up; stretched, the arm is as long as its parts.
TEST(SixAxisArm, HasTheReachItPromises) {
  const auto& bodies = convert_arm().description.bodies;
  ASSERT_EQ(bodies.size(), 8u);
  Vector3 flange_face;
  for (const BodyDescription& body : bodies) flange_face += body.joint.origin;
  EXPECT_NEAR_VECTOR(flange_face, (Vector3{0.16 + 0.76 + 0.10, 0, 0.24 + 0.26 + 0.78 + 0.13}), 1e-15);
  const Vector3 elbow_to_wrist = bodies[4].joint.origin + bodies[5].joint.origin;
  const double reach = bodies[2].joint.origin.x + norm(bodies[3].joint.origin) + norm(elbow_to_wrist) +
                       norm(bodies[6].joint.origin + bodies[7].joint.origin);
  EXPECT_NEAR(reach, 1.81, 0.005);
  EXPECT_NEAR_VECTOR(bodies[7].joint.rotation.z, (Vector3{1, 0, 0}), kRoundOff);  // the tool points out of the flange
}

}  // namespace
}  // namespace vinculum
