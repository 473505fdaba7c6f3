// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vinculum/expression/expression.h"
#include "vinculum/expression/table_function.h"
#include "vinculum/expression/units.h"
#include "vinculum/math/rotation.h"
#include "vinculum/math/symmetric3.h"
#include "vinculum/model/impact_law.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

// A model in the user's words (contract, section 2), before it is checked and compiled. The reader of model files fills it;
// C++ programs may as well. build_model (model.h) checks it and makes the Model.
//
// References between elements are by name. Values are in SI. `place` is where the element stands in its file.

// ---- bodies ----------------------------------------------------------------------------------------------------------

enum class JointType { fixed, revolute, prismatic, screw, cylindrical, universal, planar, spherical, free, axes };

// One elementary motion along (t) or about (r) an axis of the current frame.
enum class ElementaryMotion { tx, ty, tz, rx, ry, rz };

// How far, how fast and how hard one coordinate of a joint may move. What is not said has no limit.
struct LimitDescription {
  std::string coordinate;  // elbow, wrist.rx
  std::optional<std::array<double, 2>> position;
  std::optional<double> velocity, effort;
  ImpactLaw restitution;  // of an impact on either end
  Place place;
};

// Dry friction of a joint with one axis, between it and its parent.                                    theory 7, section 2
//
//   |m| ≤ bound , or of a revolute joint  |m| ≤ coefficient (radius |R_radial| + collar |R_axial|) ,  R: its reaction
struct JointFrictionDescription {
  std::optional<double> bound;  // sliding [N*m]; prismatic: [N]
  std::optional<double> coefficient;
  double radius = 0, collar = 0;
  std::optional<double> at_rest;  // bound or coefficient of what does not move; none: the same
  Place place;
};

struct JointDescription {
  Located<std::string> name;  // another name of its coordinates, for files that have them by joints; may be empty
  Located<JointType> type = JointType::fixed;
  Located<Vector3> axis = Vector3{0, 0, 1};  // revolute, prismatic, screw; any length but zero
  Located<double> pitch = 0.0;               // screw [m/rad]
  std::vector<ElementaryMotion> axes;        // type axes; the named types fill it from their table (elementary_motions)
  Vector3 origin;                            // origin of the child at zero displacement, in the parent's frame [m]
  Matrix3 rotation = kIdentity3;             // R_PF: joint frame in the parent's
  std::vector<LimitDescription> limits;
  std::optional<JointFrictionDescription> friction;
  Place place;
};

struct Box {
  Vector3 size;
};
struct Cylinder {
  double radius = 0, length = 0;  // axis z
};
struct Sphere {
  double radius = 0;
};
struct Capsule {
  double radius = 0, length = 0;  // axis z; length between the centres of the caps
};
struct Mesh {
  std::string file;
  double scale = 1;
};

// For drawing only.
struct ShapeDescription {
  std::variant<Box, Cylinder, Sphere, Capsule, Mesh> form;
  Vector3 origin;  // in the body frame
  Matrix3 rotation = kIdentity3;
  std::string color;  // "#rrggbb"; empty: chosen by the page
};

// Numbers of a body as the file writes them, with the names of parameters: for equations printed with these names. The numbers
// themselves stand in the description; what was changed there since has no formula any more.
struct BodyFormulas {
  Expression mass, pitch;
  std::array<Expression, 3> com, origin;
  std::array<Expression, 6> inertia;  // xx yy zz xy xz yz
};

struct BodyDescription {
  std::string name;
  Located<std::string> parent = std::string("world");
  JointDescription joint;
  Located<double> mass = 0.0;
  Located<Vector3> com = Vector3{};
  Located<Symmetric3> inertia = Symmetric3{};  // about the mass centre, body axes
  bool accept_inertia = false;                 // also if no body can have it
  std::vector<ShapeDescription> shapes;        // empty: drawn from the inertia
  std::optional<BodyFormulas> formulas;        // none: numbers only
  Place place;
};

// ---- environment -----------------------------------------------------------------------------------------------------

struct Turn {
  Located<Vector3> axis = Vector3{0, 0, 1};  // any length but zero
  Expression angle;                          // of t
};

// A body whose motion is given. R_WE = R0 · turn 1 · turn 2 ..
struct EnvironmentDescription {
  std::string name;
  std::optional<Expression> surface;   // height z = f(x, y) in its frame; the plane is the constant 0
  std::array<Expression, 3> position;  // of t [m]
  Matrix3 rotation = kIdentity3;       // the constant part R0
  std::vector<Turn> turns;
  Place place;
};

// ---- constraints -----------------------------------------------------------------------------------------------------

enum class ContactAxis { normal, lateral, forward, yaw, pitch, roll };

// The part of a body that touches. The list of kinds at the end is the only one: code that depends on the kind has an overload
// for each of them. A program with a new kind does not compile until all overloads exist. Each kind states
//
//   kWord     how it is called in a model file
//   kIsFrame  it is guided in its carrier and holds both ways: it does not lift off, and has a gap along each of its axes
//   kIsRound  where it touches a curved surface is searched for; a second place may touch, too
struct PointGeometry {
  static constexpr std::string_view kWord = "point";
  static constexpr bool kIsFrame = false, kIsRound = false;
  Vector3 point;
};
struct WheelGeometry {
  static constexpr std::string_view kWord = "wheel";
  static constexpr bool kIsFrame = false, kIsRound = true;
  Vector3 center;
  Vector3 axis;
  double radius = 0;
};
struct SphereGeometry {
  static constexpr std::string_view kWord = "sphere";
  static constexpr bool kIsFrame = false, kIsRound = true;
  Vector3 center;
  double radius = 0;
};
struct FrameGeometry {
  static constexpr std::string_view kWord = "frame";
  static constexpr bool kIsFrame = true, kIsRound = false;
  Vector3 body_point;
  Matrix3 body_rotation = kIdentity3;
  Vector3 environment_point;
  Matrix3 environment_rotation = kIdentity3;
  std::optional<std::array<Expression, 2>> path;  // of t: guides the frame along the surface instead
};
using ContactGeometry = std::variant<PointGeometry, WheelGeometry, SphereGeometry, FrameGeometry>;

std::string_view word_of(const ContactGeometry& geometry);
bool is_frame(const ContactGeometry& geometry);
// The path that guides it; null: none does.
const std::array<Expression, 2>* find_path(const ContactGeometry& geometry);

// The force of a contact along an axis that is not forbidden:
//
//   k depth^n (1 + d depth') + c depth' ,   depth = -gap
//
// or, on the normal, a formula of `depth` and `rate` = depth' (read as the variables x and y of a surface).
struct ContactLaw {
  double stiffness = 0, viscous = 0;    // k, c
  double exponent = 1;                  // n
  double dissipation = 0;               // d [s/m]
  std::optional<Expression> formula{};  // in place of all four

  // Elastic and linear laws act both ways where contacts are bilateral; the others push in every run.
  bool only_pushes() const { return formula || exponent != 1 || dissipation != 0; }
};
struct SlidingFriction {
  double coefficient = 0, smoothing = 0;
};

// How the force of a realized constraint depends on its slip (theory 3).
enum class SlipLawKind {
  sign,
  viscous,
  saturated,
  tanh,
  algebraic,
  arctan,
  dead_zone,
  hysteresis,
  delay,
  lag,
  stribeck,
  backlash
};
struct SlipLaw {
  SlipLawKind kind = SlipLawKind::sign;
  double value = 0;  // k, a scale of the slip, a time, or a way: half the play of `backlash`
  double ratio = 1;  // stribeck: the force of fast sliding, beside the bound
};

struct ContactDescription {
  std::string name;
  Located<std::string> body;
  Located<std::string> with;
  ContactGeometry geometry;
  std::vector<ContactAxis> forbid;
  Vector3 forward{1, 0, 0};
  bool forward_in_body = false;
  bool angular_as_vector = false;  // angular: vector
  std::optional<double> friction;
  std::optional<double> bound;                // [N] on the tangential vector
  std::map<ContactAxis, double> axis_bounds;  // or per axis
  std::optional<SlipLaw> law;
  std::map<ContactAxis, ContactLaw> laws;
  std::optional<SlidingFriction> sliding_friction;
  ImpactLaw restitution;  // of an impact on the normal
  Place place;
};

struct MotionDescription {
  std::string coordinate;
  Expression law;  // of t
  Place place;
};

struct VelocityConstraintDescription {
  std::string name;
  std::vector<Expression> slips;                     // left minus right of each equation: linear in the velocities
  std::vector<std::optional<Dimension>> dimensions;  // of each; none where bare numbers leave it open
  bool numbered = false;                             // constraints NAME.1, NAME.2, .. (written with `equations`)
  std::optional<double> bound;
  std::optional<double> friction;
  Located<std::string> normal;  // the constraint whose multiplier is the normal force of `friction`
  std::optional<SlipLaw> law;
  bool permanent = false;
  Place place;
};

struct StringDescription {
  std::string name;
  Located<std::string> from, to;
  Vector3 at, on;
  Located<double> length = 0.0;
  ImpactLaw restitution;  // of the impact when it snaps taut
  Place place;
};

enum class PadPressure { uniform, punch, hertz, power, cosine };
struct PadDescription {
  double radius = 0;
  PadPressure pressure = PadPressure::uniform;
  double exponent = 0;
};
struct FaceDescription {
  Vector3 point;
  Located<Vector3> normal = Vector3{};
  double friction = 0;
  std::optional<PadDescription> pad;
};
struct GuidePair {
  FaceDescription face1, face2;
};
struct GuideDescription {
  std::string name;
  Located<std::string> body;
  Located<std::string> with = std::string("world");
  std::vector<GuidePair> pairs;
  Place place;
};

// ---- forces, events, start -------------------------------------------------------------------------------------------

// A generalised force on one velocity: law(t, q, v).
struct JointForce {
  Located<std::string> joint;  // a scalar joint, or a velocity without its prime: sled.tx, ball.wx
  Expression law;
  bool passive = false;  // friction, damping, a spring: no drive, so no part of `effort` and of what `inverse` answers
};
// A force at a point of a body and a torque, components in world or body axes.
struct BodyForce {
  Located<std::string> body;
  Vector3 point;  // in the body frame
  std::array<Expression, 3> force, torque;
  bool in_body_axes = false;  // frame: body = follower
};
// Along the line between two points: -stiffness (|d| - length) - damping d|d|/dt. Ends may be bodies, environment bodies or
// world.
struct ForceEnd {
  Located<std::string> body;
  Vector3 point;
};
struct SpringForce {
  ForceEnd between, and_;
  double stiffness = 0, damping = 0, length = 0;
  std::array<Expression, 3> formulas{};  // of these three, as written
};
// Also along the line between two points. The pull is law(t, q, v, length, rate), positive
// if it pulls. length and rate belong to the element (the variables x and y of a surface).
struct PointToPointForce {
  ForceEnd between, and_;
  Expression law;
};
struct ForceDescription {
  std::string name;
  std::variant<JointForce, BodyForce, SpringForce, PointToPointForce> law;
  Place place;
};

struct EventDescription {
  std::string name;
  Expression function;  // of t, q, v and `quantities` of the model; its zeros are the events
  Place place;
};

// A named quantity that is written out, may be an event's, and may be required to stay on one side of a bound.
struct OutputDescription {
  // The motion of a point of a body, an environment body or the world.
  struct Point {
    Located<std::string> of;
    Vector3 point;
    Located<std::string> in = std::string("world");  // along whose axes,
    bool seen_from_frame = false;                    // and whether relative to it
  };
  struct Requirement {
    bool below = true;  // value < bound, else value > bound
    bool or_equal = false;
    double bound = 0;
  };
  std::string name;
  std::variant<Expression, Point> what;  // a formula of t, q, v and `quantities` of the model
  std::optional<Dimension> dimension;    // of the formula; none where bare numbers leave it open
  std::vector<Requirement> requirements;
  Place place;
};

// A function read from a file.
struct TableDescription {
  std::string name;
  std::string file, x, y;  // as written; the columns
  bool is_spline = false;
  Outside outside = Outside::refuse;
  std::shared_ptr<const TableFunction> function;
  Place place;
};

// A further state by its rate: what a controller remembers. It is a coordinate that moves no body.
struct ExtraStateDescription {
  std::string name;
  Expression rate;                     // of t, q and v
  std::optional<Dimension> dimension;  // of the rate
  Place place;
};

struct InitialValue {
  std::string name;  // of a coordinate or a velocity (with prime)
  double value = 0;
  Place place;
};

// A value that is set from outside while the model moves: by a program, an FMU's importer, a table. Until it is set it keeps its
// initial value; in between it is held.
struct InputDescription {
  std::string name;
  std::string unit;  // SI, as written: N*m; empty: not said
  double initial = 0;
  std::optional<std::array<double, 2>> range;  // a value outside is refused
  bool linear = false;                         // hold: linear: value and slope are set, and it continues along that line
  std::optional<Dimension> dimension;          // none where neither a unit nor a value with one was given
  Place place;
};

// A sampled controller: at t = offset, offset + every, .. all its formulas are evaluated at once, with the values from before,
// and hold until the next time.
struct SampleDescription {
  struct Value {
    std::string name;
    Expression formula;                  // of t, q and v
    std::optional<Dimension> dimension;  // of the formula
    Place place;
  };
  std::string name;
  double every = 0, offset = 0;       // [s]
  std::vector<Value> memory, hold;    // what it remembers, and what it puts out: to the laws both are the same
  std::vector<InitialValue> initial;  // of these by name; what is not there starts at 0
  Place place;
};

struct ParameterValue {
  std::string name;
  double value = 0;
};

struct ModelDescription {
  std::string name;
  Vector3 gravity{0, 0, -9.81};
  std::array<Expression, 3> gravity_formulas{};  // as written
  std::vector<ParameterValue> parameters;
  std::vector<BodyDescription> bodies;  // any order
  std::vector<EnvironmentDescription> environment;
  std::vector<ContactDescription> contacts;
  std::vector<MotionDescription> motions;
  std::vector<VelocityConstraintDescription> velocity_constraints;
  std::vector<StringDescription> strings;
  std::vector<GuideDescription> guides;
  std::vector<ForceDescription> forces;
  std::vector<EventDescription> events;
  std::vector<OutputDescription> outputs;
  std::vector<TableDescription> tables;
  std::vector<ExtraStateDescription> states;
  std::vector<InputDescription> inputs;
  std::vector<SampleDescription> samples;
  std::vector<InitialValue> initial;
  std::vector<std::string> quantities;  // what outputs and events name beside t, q and v, by Variable::index
};

// The sequence of elementary motions of a joint that is one (cylindrical, universal, planar, axes); empty otherwise.
std::vector<ElementaryMotion> elementary_motions(const JointDescription& joint);

// Indices of the bodies, parents before children and otherwise in the order given. Unknown parents, cycles and duplicate names
// are diagnosed; then the list is empty.
std::vector<int> order_bodies(const std::vector<BodyDescription>& bodies, Diagnostics& diagnostics);

// Names of coordinates and velocities of one body's joint (contract, section 1).
struct JointNames {
  std::vector<std::string> coordinates;
  std::vector<std::string> velocities;
};
JointNames name_joint(const std::string& body, const JointDescription& joint);

}  // namespace vinculum
