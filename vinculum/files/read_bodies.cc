// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "vinculum/files/read_sections.h"

namespace vinculum {

namespace {

constexpr Choice<JointType> kJointTypes[] = {
    {"fixed", JointType::fixed},   {"revolute", JointType::revolute},       {"prismatic", JointType::prismatic},
    {"screw", JointType::screw},   {"cylindrical", JointType::cylindrical}, {"universal", JointType::universal},
    {"planar", JointType::planar}, {"spherical", JointType::spherical},     {"free", JointType::free},
    {"axes", JointType::axes},
};
constexpr Choice<ElementaryMotion> kMotions[] = {
    {"tx", ElementaryMotion::tx}, {"ty", ElementaryMotion::ty}, {"tz", ElementaryMotion::tz},
    {"rx", ElementaryMotion::rx}, {"ry", ElementaryMotion::ry}, {"rz", ElementaryMotion::rz},
};
constexpr std::string_view kJointHint =
    "type: fixed, revolute, prismatic, screw, cylindrical, universal, planar, spherical or free; or axes: [tx, ty, rz]";

// The type and the axes; false if the coordinates of the joint are not known.
bool read_joint_kind(ReaderContext& context, const Fields& fields, JointDescription& joint) {
  if (!fields.has("type") && fields.has("axes")) {
    joint.type = {JointType::axes, fields["axes"].place()};
  } else {
    const YamlNode type = fields.require("type", std::string(kJointHint));
    if (!choose<JointType>(context, type, kJointTypes, joint.type.value)) return false;
    joint.type.place = type.place();
  }
  if (*joint.type != JointType::axes) {
    fields.refuse("axes", "the type of the joint says which they are", "leave out `type`, or `axes`");
    return true;
  }
  const YamlNode axes = fields.require("axes", "the motions one after the other: [tx, ty, rz]");
  if (!check_list(context, axes, "motions tx, ty, tz, rx, ry, rz", Least::one)) return false;
  bool all = true;
  for (int i = 0; i < axes.size(); ++i) {
    ElementaryMotion motion{};
    all = choose<ElementaryMotion>(context, axes.entry(i), kMotions, motion) && all;
    joint.axes.push_back(motion);
  }
  return all;
}

// {position: [lower, upper], velocity, effort, restitution} of one coordinate.
void read_limit(ReaderContext& context, YamlNode node, const std::string& coordinate, JointDescription& joint) {
  const Fields fields(context, node, {"position", "velocity", "effort", "restitution"});
  if (!fields) return;
  const bool slides = *joint.type == JointType::prismatic || coordinate.find(".t") != std::string::npos;
  LimitDescription limit;
  limit.coordinate = coordinate;
  limit.place = node.head();
  if (const YamlNode position = fields["position"]) {
    std::array<double, 2> range{};
    if (read_numbers(context, position, {slides ? kLength : kDimensionless}, range)) {
      limit.position = range;
      for (int k = 0; !slides && k < 2; ++k) warn_of_degrees(context, position.entry(k), range[k]);
      if (!(range[0] < range[1]))
        context.error("VN-MODEL-113", position, fmt::format("the range from {:g} to {:g} is empty", range[0], range[1]),
                      "write position: [lower, upper] with lower below upper");
    }
  }
  read_number(context, fields["velocity"], {slides ? kVelocity : kAngularVelocity, Sign::positive}, limit.velocity);
  read_number(context, fields["effort"], {slides ? kForce : kMoment, Sign::positive}, limit.effort);
  read_impact_law(context, fields["restitution"], "a stop of a joint has no tangential part", limit.restitution);
  if (fields.has("restitution") && !limit.position) fields.refuse("restitution", "without `position` there is no stop to strike");
  joint.limits.push_back(std::move(limit));
}

// Of the one coordinate of a joint; or of several, by their names.
void read_limits(ReaderContext& context, YamlNode node, const std::string& body, JointDescription& joint) {
  if (!node) return;
  std::vector<std::string> coordinates;
  for (const std::string& name : name_joint(body, joint).coordinates) {
    if (name.find(".q") == std::string::npos) coordinates.push_back(name);  // components of a quaternion have no range
  }
  const bool plain = node.is_mapping() && (node.find("position") || node.find("velocity") || node.find("effort") ||
                                           node.find("restitution") || coordinates.size() == 1);
  if (plain && coordinates.size() == 1 && !node.find(coordinates[0])) return read_limit(context, node, coordinates[0], joint);
  if (plain || coordinates.empty()) {
    context.error("VN-MODEL-114", node,
                  coordinates.empty() ? "the joint has no coordinate with a range"
                                      : fmt::format("the joint has {} coordinates with a range", coordinates.size()),
                  coordinates.empty() ? "leave the limits out"
                                      : fmt::format("name them: limits: {{{}: {{position: [-1, 1]}}}}", coordinates[0]));
    return;
  }
  read_entries(context, node, "limits of", Naming::of_coordinates, [&](std::string name, Place, YamlNode entry) {
    if (std::find(coordinates.begin(), coordinates.end(), name) != coordinates.end())
      return read_limit(context, entry, name, joint);
    const std::string nearest = nearest_name(name, coordinates);
    context.error("VN-MODEL-114", entry, fmt::format("the joint has no coordinate {} with a range", in_quotes(name)),
                  nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
  });
}

// { torque: 2 N*m, static: 2.5 N*m }, of a prismatic joint { force: 30 N }; or { coefficient: 0.1, radius: 10 mm, collar: 15 mm
// }.
void read_joint_friction(ReaderContext& context, YamlNode node, JointDescription& joint) {
  if (!node) return;
  const Fields fields(context, node, {"torque", "force", "coefficient", "radius", "collar", "static"});
  if (!fields) return;
  JointFrictionDescription friction;
  friction.place = node.head();
  if (fields.has("coefficient")) {
    for (const char* key : {"torque", "force"})
      fields.refuse(key, "the limit is that of `coefficient` already", "keep one of them");
    const bool is_read =
        read_number(context, fields["coefficient"], {kDimensionless, Sign::positive}, friction.coefficient.emplace());
    const bool has_radius = read_number(context, fields.require("radius", "of the journal: radius: 10 mm"),
                                        {kLength, Sign::positive}, friction.radius);
    read_number(context, fields["collar"], {kLength, Sign::positive}, friction.collar);
    read_number(context, fields["static"], {kDimensionless, Sign::positive}, friction.at_rest);
    if (is_read && has_radius) joint.friction = friction;
    return;
  }
  for (const char* key : {"radius", "collar"}) fields.refuse(key, "it belongs to `coefficient`", "coefficient: 0.1");
  const bool slides = *joint.type == JointType::prismatic;
  const char *const own = slides ? "force" : "torque", *const other = slides ? "torque" : "force";
  fields.refuse(other, slides ? "a prismatic joint slides" : "the joint turns", fmt::format("write `{}:`", own));
  const NumberRule rule{slides ? kForce : kMoment, Sign::positive};
  const bool is_read =
      read_number(context, fields.require(own, slides ? "force: 30 N" : "torque: 2 N*m"), rule, friction.bound.emplace());
  read_number(context, fields["static"], rule, friction.at_rest);
  if (is_read) joint.friction = friction;
}

bool read_joint(ReaderContext& context, YamlNode node, const std::string& body, JointDescription& joint, BodyFormulas& formulas) {
  if (!node) return false;
  joint.place = node.head();
  if (node.is_scalar()) {  // joint: free
    joint.type.place = node.place();
    if (!choose<JointType>(context, node, std::span(kJointTypes).first(std::size(kJointTypes) - 1), joint.type.value))
      return false;
    if (*joint.type == JointType::screw) {
      context.error("VN-FILE-012", node, "the key 'pitch' is missing", "write joint: {type: screw, pitch: 2 mm/rad}");
    }
    return true;
  }
  const Fields fields(context, node, {"name", "type", "axis", "axes", "pitch", "origin", "rotation", "limits", "friction"});
  if (!fields) return false;
  read_text(context, fields["name"], joint.name);
  read_vector(context, fields["origin"], {kLength}, joint.origin, formulas.origin);
  read_rotation(context, fields["rotation"], joint.rotation);
  if (!read_joint_kind(context, fields, joint)) return false;

  const JointType type = *joint.type;
  joint.axis.place = joint.type.place;
  if (type == JointType::revolute || type == JointType::prismatic || type == JointType::screw) {
    read_axis(context, fields["axis"], joint.axis);
  } else {
    fields.refuse("axis", "only revolute, prismatic and screw joints have one axis to choose", "turn the joint by `rotation`");
  }
  if (type == JointType::screw) {
    read_number(context, fields.require("pitch", "metres a radian: pitch: 2 mm/rad"), {kLength}, joint.pitch, &formulas.pitch);
  } else {
    fields.refuse("pitch", "only a screw has it", "type: screw");
  }
  read_limits(context, fields["limits"], body, joint);
  read_joint_friction(context, fields["friction"], joint);
  return true;
}

// J (about every axis) | [Ixx, Iyy, Izz] | [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]
void read_inertia(ReaderContext& context, YamlNode node, Located<Symmetric3>& inertia, std::array<Expression, 6>& formulas) {
  if (!node) return;
  inertia.place = node.place();
  std::array<double, 6> entries{};
  if (node.is_scalar()) {
    double moment = 0;
    if (!read_number(context, node, {kInertia}, moment, &formulas[0])) return;
    inertia.value = {moment, moment, moment, 0, 0, 0};
    formulas[1] = formulas[2] = formulas[0];
  } else if (node.is_list() && (node.size() == 3 || node.size() == 6)) {
    const auto count = static_cast<size_t>(node.size());
    if (!read_numbers(context, node, {kInertia}, std::span(entries).first(count), std::span(formulas).first(count))) return;
    const auto [xx, yy, zz, xy, xz, yz] = entries;
    inertia.value = {xx, yy, zz, xy, xz, yz};
  } else {
    const std::string found = node.is_list() ? count_entries(node) : std::string(node.kind_text());
    context.error(node.is_list()   ? "VN-FILE-015"
                  : node.is_null() ? "VN-FILE-014"
                                   : "VN-FILE-010",
                  node, fmt::format("expected 1, 3 or 6 entries, found {}", found),
                  "[Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or one number for every axis, about the mass centre");
  }
}

// [radius, length] or {radius: , length: }
template <class Form>
bool read_round_form(ReaderContext& context, YamlNode node, Form& form) {
  const NumberRule length{kLength, Sign::positive};
  if (!node.is_mapping()) {
    std::array<double, 2> entries{};
    if (!read_numbers(context, node, length, entries)) return false;
    form = {entries[0], entries[1]};
    return true;
  }
  const Fields fields(context, node, {"radius", "length"});
  const bool has_radius = read_number(context, fields.require("radius"), length, form.radius);
  return read_number(context, fields.require("length"), length, form.length) && has_radius;
}

bool read_form(ReaderContext& context, std::string_view kind, YamlNode node, ShapeDescription& shape) {
  const NumberRule length{kLength, Sign::positive};
  if (kind == "box") {
    const Fields fields(context, node.is_mapping() ? node : YamlNode(), {"size"});
    Box box;
    const bool is_read = read_vector(context, fields ? fields.require("size") : node, length, box.size);
    shape.form = box;
    return is_read;
  }
  if (kind == "sphere") {
    const Fields fields(context, node.is_mapping() ? node : YamlNode(), {"radius"});
    Sphere sphere;
    const bool is_read = read_number(context, fields ? fields.require("radius") : node, length, sphere.radius);
    shape.form = sphere;
    return is_read;
  }
  if (kind == "mesh") {
    const Fields fields(context, node.is_mapping() ? node : YamlNode(), {"file", "scale"});
    Mesh mesh;
    const bool is_read = read_text(context, fields ? fields.require("file") : node, mesh.file);
    read_number(context, fields["scale"], {kDimensionless, Sign::positive}, mesh.scale);
    shape.form = mesh;
    return is_read;
  }
  const auto read_round = [&](auto form) {
    const bool is_read = read_round_form(context, node, form);
    shape.form = form;
    return is_read;
  };
  return kind == "cylinder" ? read_round(Cylinder{}) : read_round(Capsule{});
}

void read_color(ReaderContext& context, YamlNode node, std::string& color) {
  if (!node) return;
  const std::string_view text = node.text();
  const bool is_color = text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
  if (is_color) {
    color = text;
  } else {
    const std::string found = node.is_scalar() ? in_quotes(text) : std::string(node.kind_text());
    context.error("VN-FILE-029", node, fmt::format("expected a colour, found {}", found),
                  "six hexadecimal digits in quotes: \"#3070c0\"; without quotes, # begins a comment");
  }
}

void read_shape(ReaderContext& context, YamlNode node, BodyDescription& body) {
  const Fields fields(context, node, {"box", "cylinder", "sphere", "capsule", "mesh", "origin", "rotation", "color"});
  if (!fields) return;
  ShapeDescription shape;
  const std::string_view kind = fields.require_one_of({"box", "cylinder", "sphere", "capsule", "mesh"});
  if (!kind.empty()) read_form(context, kind, fields[kind], shape);
  read_vector(context, fields["origin"], {kLength}, shape.origin);
  read_rotation(context, fields["rotation"], shape.rotation);
  read_color(context, fields["color"], shape.color);
  body.shapes.push_back(std::move(shape));
}

BodyDescription read_body(ReaderContext& context, std::string name, Place place, YamlNode node) {
  BodyDescription body;
  body.name = std::move(name);
  body.place = body.mass.place = body.com.place = body.inertia.place = place;
  const Fields fields(context, node, {"parent", "joint", "limits", "mass", "com", "inertia", "accept_inertia", "shape"});

  BodyFormulas formulas;
  body.parent.place = place;
  read_text(context, fields["parent"], body.parent);
  if (!read_joint(context, fields.require("joint", std::string(kJointHint)), body.name, body.joint, formulas)) {
    context.add_broken_name(body.name);
    context.lose_structure();
  } else if (!body.joint.limits.empty() && fields.has("limits")) {
    context.error("VN-FILE-023", fields["limits"], "limits stand in the joint already", "keep one of them");
  } else {
    read_limits(context, fields["limits"], body.name, body.joint);
  }
  const bool has_mass = read_number(context, fields["mass"], {kMass}, body.mass, &formulas.mass);
  if (fields && !fields.has("mass") && !fields.is_misspelt("mass")) {
    context.warning("VN-MODEL-112", place, "no mass is given: the body only connects others", "write `mass: 0` if this is meant");
  }
  read_vector(context, fields["com"], {kLength}, body.com, formulas.com);
  read_inertia(context, fields["inertia"], body.inertia, formulas.inertia);
  read_truth(context, fields["accept_inertia"], body.accept_inertia);
  body.formulas = std::move(formulas);
  if (fields && !fields.has("inertia") && !fields.is_misspelt("inertia") && has_mass && *body.mass > 0) {
    context.warning("VN-MODEL-108", place, "no inertia is given: it is taken as a point mass",
                    "write `inertia: [0, 0, 0]` if this is meant");
  }
  if (const YamlNode shapes = fields["shape"]; shapes && shapes.is_list()) {
    for (int i = 0; i < shapes.size(); ++i) read_shape(context, shapes.entry(i), body);
  } else {
    read_shape(context, shapes, body);
  }
  return body;
}

}  // namespace

void read_bodies(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "body", Naming::own, [&](std::string name, Place place, YamlNode node) {
    model.bodies.push_back(read_body(context, std::move(name), place, node));
  });
  context.add_bodies(model.bodies);
}

}  // namespace vinculum
