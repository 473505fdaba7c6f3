// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/write_model.h"

#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/expression/parse.h"
#include "vinculum/formats/yaml_layout.h"
#include "vinculum/math/visit.h"

namespace vinculum {

namespace {

using Yaml = YamlValue;

// ---- values ----------------------------------------------------------------------------------------------------------

bool is_number(const Expression& expression) { return expression.steps().back().operation == Operation::constant; }

Yaml write(const Expression& expression) {
  return is_number(expression) ? Yaml(expression.constant_value()) : Yaml(to_text(expression));
}

template <size_t count>
Yaml write(const std::array<Expression, count>& components) {
  Yaml list = Yaml::list();
  for (const Expression& component : components) list.add(write(component));
  return list;
}

bool is_zero(const Expression& expression) { return is_number(expression) && expression.constant_value() == 0; }
bool is_zero(const std::array<Expression, 3>& c) { return is_zero(c[0]) && is_zero(c[1]) && is_zero(c[2]); }
bool is_zero(const Vector3& a) { return a == Vector3{}; }

// Nothing, the one value, or the list of them.
void add_one_or_list(Yaml& map, const char* key, const std::vector<Yaml>& values) {
  if (values.empty()) return;
  Yaml list = Yaml::list();
  for (const Yaml& value : values) list.add(value);
  map.add(key, values.size() == 1 ? values[0] : list);
}

// x, -y, .. or the vector.
Yaml write_axis(const Vector3& axis) {
  constexpr const char* kNames[] = {"x", "y", "z", "-x", "-y", "-z"};
  for (int i = 0; i < 3; ++i) {
    if (axis == kIdentity3.column(i)) return kNames[i];
    if (axis == -kIdentity3.column(i)) return kNames[i + 3];
  }
  return axis;
}

// ---- rotations -------------------------------------------------------------------------------------------------------

bool same(const Matrix3& a, const Matrix3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// The number with 15 digits next to this one: what a person typed, if a computation has spoiled the last bits.
double typed(double number) { return std::strtod(fmt::format("{:.15g}", number).c_str(), nullptr); }

double value_of(const std::string& text) {
  const auto parsed = parse_expression(text, {});
  const auto* known = std::get_if<ParsedExpression>(&parsed);
  return known != nullptr ? known->expression.constant_value() : 0;
}

Yaml write_turn(const Vector3& axis, Yaml angle) {
  return Yaml::map().add("axis", write_axis(axis)).add("angle", std::move(angle));
}

// A turn about a coordinate axis, if it is one. Of all angles that could be meant the first that gives the rotation to the bit:
// whole degrees, a typed number, and the neighbours of the computed one; sine and cosine do not tell the angle's last bits.
std::optional<Yaml> find_coordinate_turn(const Matrix3& R) {
  for (int i = 0; i < 3; ++i) {
    const Vector3& axis = kIdentity3.column(i);
    constexpr double kRoundOffOfAxis = 1e-15;  // of a unit vector: some roundings to 2^-53
    if (norm(R.column(i) - axis) > kRoundOffOfAxis) continue;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double angle = std::atan2(R(k, j), R(j, j));
    const std::string degrees = fmt::format("{} deg", std::round(angle * 180 / std::numbers::pi));
    if (same(rotation_about(axis, value_of(degrees)), R)) return write_turn(axis, Yaml::verbatim(degrees));
    for (const double candidate : {typed(angle), angle, std::nextafter(angle, 4), std::nextafter(angle, -4)}) {
      if (same(rotation_about(axis, candidate), R)) return write_turn(axis, candidate);
    }
    return write_turn(axis, angle);
  }
  return std::nullopt;
}

Yaml write(const Matrix3& R) {
  if (const auto turn = find_coordinate_turn(R)) return *turn;
  const Vector3 rpy{typed(std::atan2(R(2, 1), R(2, 2))), typed(std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)))),
                    typed(std::atan2(R(1, 0), R(0, 0)))};
  if (same(rotation_from_rpy(rpy.x, rpy.y, rpy.z), R)) return Yaml::map().add("rpy", rpy);
  const Quaternion q = to_quaternion(R);
  return Yaml::list().add(q.w).add(q.x).add(q.y).add(q.z);
}

// As one turn about any axis, for lists of turns.
Yaml write_as_turn(const Matrix3& R) {
  if (const auto turn = find_coordinate_turn(R)) return *turn;
  const Quaternion q = to_quaternion(R);
  const Vector3 axis{q.x, q.y, q.z};
  return write_turn(axis, 2 * std::atan2(norm(axis), q.w));
}

// Where something stands, as far as it is not at the origin and straight.
void add_placement(Yaml& map, const char* point_key, const Vector3& point, const Matrix3& rotation) {
  if (!is_zero(point)) map.add(point_key, point);
  if (!same(rotation, kIdentity3)) map.add("rotation", write(rotation));
}

// Newton's law is a number alone; nothing where bodies do not rebound.
void add_impact_law(Yaml& map, const ImpactLaw& law) {
  constexpr const char* kKinds[] = {"newton", "poisson", "energetic"};
  if (!law.rebounds()) return;
  if (law.kind == ImpactLaw::Kind::newton && law.tangential == 0) {
    map.add("restitution", law.coefficient);
    return;
  }
  Yaml parts = Yaml::map().add(kKinds[static_cast<int>(law.kind)], law.coefficient);
  if (law.tangential != 0) parts.add("tangential", law.tangential);
  map.add("restitution", std::move(parts));
}

// ---- bodies ----------------------------------------------------------------------------------------------------------

const char* name_of(JointType type) {
  constexpr const char* kNames[] = {"fixed",     "revolute", "prismatic", "screw", "cylindrical",
                                    "universal", "planar",   "spherical", "free",  "axes"};
  return kNames[static_cast<int>(type)];
}

Yaml write(const LimitDescription& limit) {
  Yaml map = Yaml::map();
  if (limit.position) map.add("position", Yaml::list().add((*limit.position)[0]).add((*limit.position)[1]));
  if (limit.velocity) map.add("velocity", *limit.velocity);
  if (limit.effort) map.add("effort", *limit.effort);
  add_impact_law(map, limit.restitution);
  return map;
}

Yaml write(const JointDescription& joint) {
  Yaml map = Yaml::map();
  if (!joint.name->empty()) map.add("name", *joint.name);
  if (*joint.type == JointType::axes) {
    constexpr const char* kMotions[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    Yaml axes = Yaml::list();
    for (const ElementaryMotion motion : joint.axes) axes.add(kMotions[static_cast<int>(motion)]);
    map.add("axes", std::move(axes));
  } else {
    map.add("type", name_of(*joint.type));
  }
  const JointType type = *joint.type;
  const bool has_axis = type == JointType::revolute || type == JointType::prismatic || type == JointType::screw;
  if (has_axis) map.add("axis", write_axis(*joint.axis));
  if (type == JointType::screw) map.add("pitch", *joint.pitch);
  add_placement(map, "origin", joint.origin, joint.rotation);
  if (joint.friction) {
    Yaml friction = Yaml::map();
    if (joint.friction->bound) friction.add(type == JointType::prismatic ? "force" : "torque", *joint.friction->bound);
    if (joint.friction->coefficient)
      friction.add("coefficient", *joint.friction->coefficient).add("radius", joint.friction->radius);
    if (joint.friction->collar != 0) friction.add("collar", joint.friction->collar);
    if (joint.friction->at_rest) friction.add("static", *joint.friction->at_rest);
    map.add("friction", std::move(friction));
  }
  if (joint.limits.empty()) return map;
  Yaml limits = Yaml::map();
  for (const LimitDescription& limit : joint.limits) limits.add(limit.coordinate, write(limit));
  const bool one = has_axis && joint.limits.size() == 1;
  map.add("limits", one ? write(joint.limits[0]) : std::move(limits));
  return map;
}

// One number, three or six.
Yaml write(const Symmetric3& m) {
  const bool is_diagonal = m.xy == 0 && m.xz == 0 && m.yz == 0;
  if (is_diagonal && m.xx == m.yy && m.yy == m.zz && m.xx != 0) return m.xx;
  Yaml list = Vector3{m.xx, m.yy, m.zz};
  return is_diagonal ? list : list.add(m.xy).add(m.xz).add(m.yz);
}

Yaml write(const ShapeDescription& shape) {
  Yaml map = Yaml::map();
  const auto round = [](double radius, double length) { return Yaml::map().add("radius", radius).add("length", length); };
  std::visit(Overloaded{[&](const Box& box) { map.add("box", box.size); },
                        [&](const Cylinder& cylinder) { map.add("cylinder", round(cylinder.radius, cylinder.length)); },
                        [&](const Sphere& sphere) { map.add("sphere", Yaml::map().add("radius", sphere.radius)); },
                        [&](const Capsule& capsule) { map.add("capsule", round(capsule.radius, capsule.length)); },
                        [&](const Mesh& mesh) {
                          Yaml file = Yaml::map().add("file", mesh.file);
                          if (mesh.scale != 1) file.add("scale", mesh.scale);
                          map.add("mesh", std::move(file));
                        }},
             shape.form);
  add_placement(map, "origin", shape.origin, shape.rotation);
  if (!shape.color.empty()) map.add("color", shape.color);
  return map;
}

Yaml write(const BodyDescription& body) {
  Yaml map = Yaml::map();
  if (*body.parent != "world") map.add("parent", *body.parent);
  map.add("joint", write(body.joint));
  map.add("mass", *body.mass);
  if (!is_zero(*body.com)) map.add("com", *body.com);
  if (*body.mass != 0 || !is_zero(eigenvalues(*body.inertia))) map.add("inertia", write(*body.inertia));
  if (body.accept_inertia) map.add("accept_inertia", Yaml::verbatim("true"));
  std::vector<Yaml> shapes;
  for (const ShapeDescription& shape : body.shapes) shapes.push_back(write(shape));
  add_one_or_list(map, "shape", shapes);
  return map;
}

// ---- environment and constraints -------------------------------------------------------------------------------------

Yaml write(const EnvironmentDescription& body) {
  Yaml map = Yaml::map();
  if (body.surface) map.add("surface", is_zero(*body.surface) ? "plane" : write(*body.surface));
  if (!is_zero(body.position)) map.add("position", write(body.position));

  std::vector<Yaml> turns;
  const bool is_straight = same(body.rotation, kIdentity3);
  if (!is_straight) turns.push_back(body.turns.empty() ? write(body.rotation) : write_as_turn(body.rotation));
  for (const Turn& turn : body.turns) turns.push_back(write_turn(*turn.axis, write(turn.angle)));
  add_one_or_list(map, "rotation", turns);
  return map;
}

const char* name_of(ContactAxis axis) {
  constexpr const char* kNames[] = {"normal", "lateral", "forward", "yaw", "pitch", "roll"};
  return kNames[static_cast<int>(axis)];
}

Yaml write(const SlipLaw& law) {
  constexpr const char* kNames[] = {"sign",      "viscous",    "saturated", "tanh", "algebraic", "arctan",
                                    "dead-zone", "hysteresis", "delay",     "lag",  "stribeck",  "backlash"};
  const char* const name = kNames[static_cast<int>(law.kind)];
  if (law.kind == SlipLawKind::stribeck)
    return Yaml::map().add(name, Yaml::map().add("velocity", law.value).add("ratio", law.ratio));
  return law.kind == SlipLawKind::sign ? Yaml(name) : Yaml::map().add(name, law.value);
}

Yaml write(const FrameGeometry& frame) {
  Yaml on_body = Yaml::map(), on_environment = Yaml::map();
  add_placement(on_body, "point", frame.body_point, frame.body_rotation);
  if (frame.path) on_environment.add("path", write(*frame.path));
  add_placement(on_environment, "point", frame.environment_point, frame.environment_rotation);
  return Yaml::map().add("on_body", std::move(on_body)).add("on_environment", std::move(on_environment));
}

Yaml write(const PointGeometry& point) { return point.point; }
Yaml write(const WheelGeometry& wheel) {
  return Yaml::map().add("center", wheel.center).add("axis", write_axis(wheel.axis)).add("radius", wheel.radius);
}
Yaml write(const SphereGeometry& sphere) { return Yaml::map().add("center", sphere.center).add("radius", sphere.radius); }

Yaml write(const ContactDescription& contact) {
  Yaml map = Yaml::map().add("body", *contact.body).add("with", *contact.with);
  std::visit([&](const auto& geometry) { map.add(std::string(geometry.kWord), write(geometry)); }, contact.geometry);
  Yaml forbid = Yaml::list();
  for (const ContactAxis axis : contact.forbid) forbid.add(name_of(axis));
  map.add("forbid", std::move(forbid));
  if (contact.forward_in_body) {
    map.add("forward", Yaml::map().add("body", contact.forward));
  } else if (!(contact.forward == Vector3{1, 0, 0})) {
    map.add("forward", contact.forward);
  }
  if (contact.angular_as_vector) map.add("angular", "vector");
  if (contact.friction) map.add("friction", *contact.friction);
  add_impact_law(map, contact.restitution);
  if (contact.bound) map.add("bound", *contact.bound);
  if (!contact.axis_bounds.empty()) {
    Yaml bounds = Yaml::map();
    for (const auto& [axis, bound] : contact.axis_bounds) bounds.add(name_of(axis), bound);
    map.add("bound", std::move(bounds));
  }
  if (contact.law) map.add("law", write(*contact.law));
  if (!contact.laws.empty()) {
    Yaml laws = Yaml::map();
    for (const auto& [axis, law] : contact.laws) {
      Yaml terms = Yaml::map();
      if (law.stiffness != 0) terms.add("stiffness", law.stiffness);
      if (law.viscous != 0) terms.add("viscous", law.viscous);
      if (law.exponent != 1) terms.add("exponent", law.exponent);
      if (law.dissipation != 0) terms.add("dissipation", law.dissipation);
      if (law.formula) terms.add("law", write(*law.formula));
      laws.add(name_of(axis), std::move(terms));
    }
    map.add("laws", std::move(laws));
  }
  if (const auto& friction = contact.sliding_friction) {
    map.add("sliding_friction", Yaml::map().add("coefficient", friction->coefficient).add("smoothing", friction->smoothing));
  }
  return map;
}

Yaml write(const VelocityConstraintDescription& constraint) {
  Yaml equations = Yaml::list();
  for (const Expression& slip : constraint.slips) equations.add(to_text(slip) + " = 0");
  const Yaml first = to_text(constraint.slips[0]) + " = 0";
  if (!constraint.numbered && !constraint.bound && !constraint.friction && !constraint.law && !constraint.permanent) return first;
  Yaml map = Yaml::map();
  map.add(constraint.numbered ? "equations" : "equation", constraint.numbered ? equations : first);
  if (constraint.bound) map.add("bound", *constraint.bound);
  if (constraint.friction) map.add("friction", *constraint.friction);
  if (!constraint.normal->empty()) map.add("normal", *constraint.normal);
  if (constraint.law) map.add("law", write(*constraint.law));
  if (constraint.permanent) map.add("permanent", Yaml::verbatim("true"));
  return map;
}

Yaml write(const StringDescription& string) {
  Yaml map = Yaml::map().add("from", *string.from).add("at", string.at).add("to", *string.to).add("on", string.on);
  map.add("length", *string.length);
  add_impact_law(map, string.restitution);
  return map;
}

Yaml write(const FaceDescription& face) {
  Yaml map = Yaml::map().add("point", face.point).add("normal", write_axis(*face.normal)).add("friction", face.friction);
  if (face.pad) {
    constexpr const char* kNames[] = {"uniform", "punch", "hertz", "power", "cosine"};
    const char* const name = kNames[static_cast<int>(face.pad->pressure)];
    const bool has_exponent = face.pad->pressure == PadPressure::power || face.pad->pressure == PadPressure::cosine;
    const Yaml pressure = has_exponent ? Yaml::map().add(name, face.pad->exponent) : Yaml(name);
    map.add("pad", Yaml::map().add("radius", face.pad->radius).add("pressure", pressure));
  }
  return map;
}

Yaml write(const GuideDescription& guide) {
  Yaml pairs = Yaml::list();
  for (const GuidePair& pair : guide.pairs) {
    pairs.add(Yaml::map().add("face1", write(pair.face1)).add("face2", write(pair.face2)));
  }
  return Yaml::map().add("body", *guide.body).add("with", *guide.with).add("pairs", std::move(pairs));
}

// ---- forces ----------------------------------------------------------------------------------------------------------

void write_force(const JointForce& force, Yaml& map) {
  map.add("joint", *force.joint).add("law", write(force.law));
  if (force.passive) map.add("passive", Yaml::verbatim("true"));
}

void write_force(const BodyForce& force, Yaml& map) {
  map.add("body", *force.body);
  if (!is_zero(force.point)) map.add("point", force.point);
  const bool has_torque = !is_zero(force.torque);
  if (!has_torque || !is_zero(force.force)) map.add("force", write(force.force));
  if (has_torque) map.add("torque", write(force.torque));
  if (force.in_body_axes) map.add("frame", "body");
}

Yaml write(const ForceEnd& end) { return Yaml::list().add(*end.body).add(end.point); }

void write_force(const SpringForce& force, Yaml& map) {
  map.add("between", write(force.between)).add("and", write(force.and_)).add("stiffness", force.stiffness);
  if (force.damping != 0) map.add("damping", force.damping);
  map.add("length", force.length);
}

void write_force(const PointToPointForce& force, Yaml& map) {
  map.add("between", write(force.between)).add("and", write(force.and_)).add("law", write(force.law));
}

Yaml write(const ForceDescription& force) {
  Yaml map = Yaml::map();
  std::visit([&](const auto& law) { write_force(law, map); }, force.law);
  return map;
}

Yaml write(const OutputDescription& output) {
  if (const auto* point = std::get_if<OutputDescription::Point>(&output.what)) {
    Yaml map = Yaml::map().add("point", point->point).add("of", *point->of);
    if (*point->in != "world") map.add(point->seen_from_frame ? "from" : "in", *point->in);
    return map;
  }
  const Yaml formula = write(std::get<Expression>(output.what));
  if (output.requirements.empty()) return formula;
  std::vector<Yaml> required;
  for (const OutputDescription::Requirement& requirement : output.requirements)
    required.push_back(fmt::format("{}{} {}", requirement.below ? "<" : ">", requirement.or_equal ? "=" : "", requirement.bound));
  Yaml map = Yaml::map().add("value", formula);
  add_one_or_list(map, "require", required);
  return map;
}

Yaml write(const TableDescription& table) {
  constexpr const char* kOutside[] = {"refuse", "hold", "extend"};
  return Yaml::map()
      .add("file", table.file)
      .add("x", table.x)
      .add("y", table.y)
      .add("kind", table.is_spline ? "spline" : "linear")
      .add("outside", kOutside[static_cast<int>(table.outside)]);
}

Yaml write(const InputDescription& input) {
  Yaml map = Yaml::map();
  if (!input.unit.empty()) map.add("unit", input.unit);
  map.add("initial", input.initial);
  if (input.range) map.add("range", Yaml::list().add((*input.range)[0]).add((*input.range)[1]));
  if (input.linear) map.add("hold", "linear");
  return map;
}

Yaml write(const SampleDescription& sample) {
  Yaml map = Yaml::map().add("every", sample.every);
  if (sample.offset != 0) map.add("offset", sample.offset);
  const auto add = [&](const char* key, const std::vector<SampleDescription::Value>& values) {
    if (values.empty()) return;
    Yaml formulas = Yaml::map();
    for (const SampleDescription::Value& value : values) formulas.add(value.name, write(value.formula));
    map.add(key, std::move(formulas));
  };
  add("memory", sample.memory);
  add("hold", sample.hold);
  if (sample.initial.empty()) return map;
  Yaml initial = Yaml::map();
  for (const InitialValue& value : sample.initial) initial.add(value.name, value.value);
  return map.add("initial", std::move(initial));
}

// ---- sections --------------------------------------------------------------------------------------------------------

// A section of elements, one a line.
template <class Element>
void add_section(Yaml& document, const char* key, const std::vector<Element>& elements) {
  if (elements.empty()) return;
  Yaml section = Yaml::map();
  for (const Element& element : elements) section.add(element.name, write(element));
  document.add(key, std::move(section.opened()));
}

// A section of short values, on one line while they fit.
template <class Element, class NameOf, class ValueOf>
void add_values(Yaml& document, const char* key, const std::vector<Element>& elements, NameOf name, ValueOf value) {
  if (elements.empty()) return;
  Yaml section = Yaml::map();
  for (const Element& element : elements) section.add(element.*name, write(element.*value));
  document.add(key, std::move(section));
}

// One line, whatever the text holds: a comment must not end before its end.
std::string write_comment(const std::string& text) {
  std::string line = text.empty() ? "#" : "# " + text;
  for (char& c : line) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return line + "\n";
}

}  // namespace

std::string write_model(const ModelDescription& model, const std::vector<std::string>& heading_comments) {
  Yaml document = Yaml::map().add("vinculum", 1);
  if (!model.name.empty()) document.add("name", model.name);
  document.add("gravity", model.gravity);
  add_values(document, "parameters", model.parameters, &ParameterValue::name, &ParameterValue::value);
  add_section(document, "tables", model.tables);
  add_section(document, "bodies", model.bodies);
  add_section(document, "environment", model.environment);
  add_section(document, "contacts", model.contacts);
  add_values(document, "motions", model.motions, &MotionDescription::coordinate, &MotionDescription::law);
  add_section(document, "velocity_constraints", model.velocity_constraints);
  add_section(document, "strings", model.strings);
  add_section(document, "guides", model.guides);
  add_values(document, "events", model.events, &EventDescription::name, &EventDescription::function);
  add_section(document, "outputs", model.outputs);
  add_values(document, "states", model.states, &ExtraStateDescription::name, &ExtraStateDescription::rate);
  add_section(document, "inputs", model.inputs);
  add_section(document, "samples", model.samples);
  add_section(document, "forces", model.forces);
  add_values(document, "initial", model.initial, &InitialValue::name, &InitialValue::value);

  std::string text;
  for (const std::string& comment : heading_comments) text += write_comment(comment);
  return text + document.to_document();
}

}  // namespace vinculum
