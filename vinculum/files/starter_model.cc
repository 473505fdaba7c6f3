// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/starter_model.h"

namespace vinculum {

namespace {

constexpr std::string_view kPendulum =
    R"yaml(# A double pendulum. Change what you like; `vinculum check FILE` reports errors with line and column.
vinculum: 1                      # version of this format: always the first key
name: double pendulum
gravity: [0, 0, -9.81]           # m/s^2; z points up

# A value is a number in base units (m, kg, s, rad), a number with a unit, or a formula in the names above it.
# `vinculum simulate FILE --set length=0.5` changes one for a run.
parameters:
  length: 80 cm
  mass: 2 kg
  damping: 0.02 N*m*s/rad
  start: 60 deg

# A body moves by its joint on its parent. The origin of its frame is at the joint.
bodies:
  upper:
    parent: world                # the default
    joint:
      type: revolute             # also: fixed prismatic screw cylindrical universal planar spherical free
      axis: y                    # turns about y; the angle is called `upper`, its rate `upper'`
      origin: [0, 0, 2]          # where the joint is on the parent
    mass: mass
    com: [0, 0, -length/2]       # mass centre in the body's frame: the rod hangs down when the angle is zero
    inertia: [mass*length^2/12, mass*length^2/12, 0]     # about the mass centre: Ixx Iyy Izz of a thin rod
    shape:                       # for the picture only; without it, a box with the same inertia is drawn
      - { cylinder: [2 cm, length], origin: [0, 0, -length/2], color: "#3070c0" }
      - { sphere: 4 cm }
  lower:
    parent: upper
    joint: { type: revolute, axis: y, origin: [0, 0, -length] }
    mass: mass/2
    com: [0, 0, -length/2]
    inertia: [mass/2*length^2/12, mass/2*length^2/12, 0]
    shape: { cylinder: [15 mm, length], origin: [0, 0, -length/2], color: "#c05030" }

# Laws of force may use the time t, coordinates and velocities. A velocity is written with a prime.
forces:
  bearing: { joint: upper, law: "-damping*upper'" }
  hinge: { joint: lower, law: "-damping*lower'" }

# Zeros of these functions are located along the motion and listed.
events:
  bottom: upper
  stretched: lower

initial:
  upper: start
  lower: 20 deg
  "lower'": 0 rad/s              # what is not mentioned is zero
)yaml";

constexpr std::string_view kArm = R"yaml(# An arm with a driven base and shoulder, a springy elbow and a sliding tool.
vinculum: 1
name: arm

parameters:
  reach: 0.6 m                   # of the upper arm and of the forearm
  sweep: 45 deg
  tempo: 1.5 rad/s
  stiffness: 60 N*m/rad

bodies:
  column:
    joint: { type: revolute, axis: z, origin: [0, 0, 0.4] }
    mass: 6 kg
    inertia: [0.08, 0.08, 0.05]  # kg m^2
    shape: { cylinder: { radius: 0.1, length: 0.3 }, origin: [0, 0, -0.15], color: "#606870" }
  upper_arm:
    parent: column
    joint: { type: revolute, axis: -y }        # a positive angle lifts the arm, which points along x
    mass: 3 kg
    com: [reach/2, 0, 0]
    inertia: [0.004, 3*reach^2/12, 3*reach^2/12]
    shape: { box: [reach, 0.08, 0.08], origin: [reach/2, 0, 0] }
  forearm:
    parent: upper_arm
    joint: { type: revolute, axis: -y, origin: [reach, 0, 0] }
    mass: 2 kg
    com: [reach/2, 0, 0]
    inertia: [0.002, 2*reach^2/12, 2*reach^2/12]
    shape: { capsule: [0.03, reach], origin: [reach/2, 0, 0], rotation: { axis: y, angle: 90 deg } }
  tool:
    parent: forearm
    joint: { type: prismatic, axis: x, origin: [reach, 0, 0] }
    mass: 0.4 kg
    inertia: [0, 0, 0]           # a point mass
    shape: { sphere: 3 cm, color: "#c05030" }

# A coordinate that follows a given function of time: its drive is an unknown, reported as a reaction.
motions:
  column: sweep*sin(tempo*t)
  upper_arm: 20 deg + 15 deg*sin(2*tempo*t)

forces:
  elbow: { joint: forearm, law: "-stiffness*forearm - 4*forearm'" }
  tool_spring: { joint: tool, law: "-800*tool - 6*tool'" }

events:
  elbow_straight: forearm

initial:
  forearm: -10 deg
)yaml";

constexpr std::string_view kCart =
    R"yaml(# A cart on a rail between wall and spring, with a pendulum on it, pushed by a periodic force.
vinculum: 1
name: cart with pendulum

parameters:
  cart_mass: 4 kg
  ball_mass: 1 kg
  rod: 0.5 m
  amplitude: 6 N
  frequency: 0.6 Hz

bodies:
  cart:
    joint: { type: prismatic, axis: x, origin: [0, 0, 1] }     # its coordinate is the length `cart`, in m
    mass: cart_mass
    inertia: 0.05                # one number: the same about every axis
    shape: { box: [0.4, 0.25, 0.15], color: "#3070c0" }
  pendulum:
    parent: cart
    joint: { type: revolute, axis: y }
    mass: ball_mass
    com: [0, 0, -rod]
    inertia: [0, 0, 0]
    shape:
      - { cylinder: [1 cm, rod], origin: [0, 0, -rod/2] }
      - { sphere: 6 cm, origin: [0, 0, -rod], color: "#c05030" }

forces:
  # A spring and damper along the line between two points, each given in the frame of its body.
  wall_spring: { between: [world, [-1, 0, 1]], and: [cart, [0, 0, 0]], stiffness: 120 N/m, damping: 2 N*s/m, length: 1 m }
  # A force at a point of a body, in world axes (frame: body turns with the body).
  engine: { body: cart, point: [0, 0, 0], force: ["amplitude*sin(2*pi*frequency*t)", 0, 0], frame: world }
  air: { joint: pendulum, law: "-0.01*pendulum'*abs(pendulum')" }

events:
  middle: cart
  horizontal: cos(pendulum)

initial: { pendulum: 30 deg, "cart'": 0.2 m/s }
)yaml";

constexpr std::string_view kSatellite =
    R"yaml(# A free satellite with a flexible panel and a reaction wheel. It turns about its middle axis: watch it tumble.
vinculum: 1
name: satellite
gravity: [0, 0, 0]

parameters:
  bus_mass: 40 kg
  side: 0.5 m
  panel_length: 1.2 m
  spin: 0.5 rad/s

bodies:
  # Free: position bus.tx bus.ty bus.tz, orientation bus.qw bus.qx bus.qy bus.qz (a unit quaternion); velocities bus.tx' ..,
  # and the angular velocity bus.wx bus.wy bus.wz in the body's own axes.
  bus:
    joint: { type: free }
    mass: bus_mass
    inertia: [1.2, 1.9, 2.4, 0.02, 0, 0]       # Ixx Iyy Izz Ixy Ixz Iyz, entries of the matrix
    shape: { box: [side, side, side], color: "#606870" }
  panel:
    parent: bus
    joint: { type: revolute, axis: y, origin: [side/2, 0, 0] }
    mass: 3 kg
    com: [panel_length/2, 0, 0]
    inertia: [0.04, 3*panel_length^2/12, 3*panel_length^2/12 + 0.04]
    shape: { box: [panel_length, 0.4, 0.02], origin: [panel_length/2, 0, 0], color: "#3070c0" }
  wheel:
    parent: bus
    joint: { type: revolute, axis: z }
    mass: 2 kg
    inertia: [0.005, 0.005, 0.01]
    shape: { cylinder: [0.1, 0.04], color: "#c05030" }

forces:
  panel_hinge: { joint: panel, law: "-5*panel - 0.3*panel'" }
  wheel_motor: { joint: wheel, law: "0.02*sin(0.5*t)" }

events:
  panel_at_rest: panel'

initial:
  bus.wy: spin
  bus.wx: 0.01 rad/s             # a small disturbance
  panel: 3 deg
)yaml";

struct Starter {
  std::string_view name;
  std::string_view text;
};
constexpr Starter kStarters[] = {{"pendulum", kPendulum}, {"arm", kArm}, {"cart", kCart}, {"satellite", kSatellite}};

}  // namespace

std::vector<std::string> starter_model_names() {
  std::vector<std::string> names;
  for (const Starter& starter : kStarters) names.emplace_back(starter.name);
  return names;
}

std::string_view starter_model(std::string_view name) {
  for (const Starter& starter : kStarters) {
    if (starter.name == name) return starter.text;
  }
  return {};
}

}  // namespace vinculum
