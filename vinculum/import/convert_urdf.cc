// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/import/convert_urdf.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/files/read_model.h"
#include "vinculum/files/write_model.h"
#include "vinculum/formats/text.h"
#include "vinculum/import/urdf_tree.h"
#include "vinculum/import/urdf_values.h"
#include "vinculum/model/check_bodies.h"

namespace vinculum {

namespace {

// ---- words -----------------------------------------------------------------------------------------------------------

// Letters, digits and underscores; a name that is in use already takes a number.
std::string make_legal(std::string name, std::set<std::string>& used) {
  for (char& c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9')) c = '_';
  }
  if (name[0] >= '0' && name[0] <= '9') name.insert(0, "_");
  std::string candidate = name;
  for (int number = 2; !used.insert(candidate).second; ++number) candidate = fmt::format("{}_{}", name, number);
  return candidate;
}

std::optional<JointType> find_joint_type(std::string_view urdf) {
  if (urdf == "revolute" || urdf == "continuous") return JointType::revolute;
  if (urdf == "prismatic") return JointType::prismatic;
  if (urdf == "fixed") return JointType::fixed;
  if (urdf == "floating") return JointType::free;
  if (urdf == "planar") return JointType::planar;
  return std::nullopt;
}

// ---- losses ----------------------------------------------------------------------------------------------------------

// Why an element stays behind, and what a user can do about it.
std::string_view reason_to_leave(std::string_view element) {
  constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
      {"axis", "a joint of this type has none"},
      {"calibration", "belongs to the controller, not to the mechanism"},
      {"collision", "bodies do not touch by themselves; declare what touches under `contacts`"},
      {"dynamics", "only a joint with one motion is damped; write a force for each velocity"},
      {"gazebo", "an extension for another program"},
      {"limit", "only a joint with one motion has limits here"},
      {"ros2_control", "belongs to the controller, not to the mechanism"},
      {"safety_controller", "belongs to the controller, not to the mechanism"},
      {"sensor", "there are no sensors"},
      {"texture", "shapes have one colour"},
      {"transmission", "belongs to the drive; a drive acts by a law under `forces` or `motions`"},
      {"visual", "the world is not drawn; a link with an inertial is a body and would be"},
  };
  const auto found = std::find_if(std::begin(kReasons), std::end(kReasons), [&](const auto& r) { return r.first == element; });
  return found != std::end(kReasons) ? found->second : "unknown here";
}

// limit (lower -1.2, upper 1.2)
std::string describe_content(const XmlElement& element) {
  std::string attributes;
  for (const XmlAttribute& a : element.attributes) {
    attributes += fmt::format("{}{} {}", attributes.empty() ? "" : ", ", a.name, a.value);
  }
  return attributes.empty() ? element.name : fmt::format("{} ({})", element.name, attributes);
}

// What nobody asked for: whole elements, and attributes and text of those that were taken.
void collect_untaken(const XmlElement& element, const std::string& owner, std::vector<LossNote>& losses) {
  for (const XmlAttribute& a : element.attributes) {
    if (a.taken || a.name.starts_with("xmlns")) continue;  // a namespace is no content
    losses.push_back({fmt::format("{} of {}", a.name, element.name),
                      fmt::format("{}: {} of {} ({})", owner, a.name, element.name, a.value), element.place, "unknown here"});
  }
  if (!element.text.empty())
    losses.push_back({"text in " + element.name, owner + ": text in " + element.name, element.place, "unknown here"});
  for (const XmlElement& child : element.children) {
    if (child.taken) {
      const bool is_part = child.name == "link" || child.name == "joint";
      collect_untaken(child, is_part ? fmt::format("{} '{}'", child.name, child.attribute("name").value_or("")) : owner, losses);
      continue;
    }
    const bool is_second = std::any_of(element.children.begin(), element.children.end(),
                                       [&](const XmlElement& other) { return other.taken && other.name == child.name; });
    losses.push_back({(is_second ? "second " : "") + child.name, owner + ": " + describe_content(child), child.place,
                      std::string(is_second ? "there is one already, and the first counts" : reason_to_leave(child.name))});
  }
}

// ---- conversion ------------------------------------------------------------------------------------------------------

class Converter {
 public:
  Converter(XmlElement& robot, UrdfTree tree, const UrdfOptions& options, Diagnostics& diagnostics)
      : robot_(robot),
        tree_(std::move(tree)),
        options_(options),
        diagnostics_(diagnostics),
        R_LB_(tree_.links.size(), kIdentity3) {}

  UrdfConversion convert();

 private:
  bool floats(const UrdfLink& link) const;
  void name_bodies();
  void convert_link(int link);
  void convert_joint(BodyDescription& body, UrdfJoint& joint);
  void convert_dynamics(const BodyDescription& body, UrdfJoint& joint, const UrdfValues& values);
  void convert_limit(BodyDescription& body, UrdfJoint& joint, const UrdfValues& values);
  void note_mimic(const BodyDescription& body, UrdfJoint& joint, const UrdfValues& values);
  void couple_mimics();
  void keep_joint_names();
  void convert_inertial(BodyDescription& body, XmlElement& link, const UrdfValues& values, const Matrix3& R_LB);
  void convert_visual(BodyDescription& body, XmlElement& visual, const UrdfValues& values, const Matrix3& R_LB);
  std::string convert_material(XmlElement& material, const UrdfValues& values);

  void lose(std::string kind, std::string element, Place place, std::string note) {
    result_.losses.push_back({std::move(kind), std::move(element), place, std::move(note)});
  }
  void remark(std::string element, Place place, std::string note) {
    result_.remarks.push_back({"", std::move(element), place, std::move(note)});
  }

  XmlElement& robot_;
  UrdfTree tree_;
  const UrdfOptions& options_;
  Diagnostics& diagnostics_;
  UrdfConversion result_;
  std::vector<std::string> bodies_;                      // the body of each link; "world" for a root without inertia
  std::vector<Matrix3> R_LB_;                            // body axes in those of the link: they differ behind a planar joint only
  std::unordered_map<std::string, std::string> colors_;  // of the robot's materials
  std::set<std::string> force_names_, mimic_names_;
  struct Mimic {
    std::string name, body, master;
    double multiplier = 1, offset = 0;
    Place place;
  };
  std::vector<Mimic> mimics_;
  int velocities_ = 0;  // of the bodies so far
};

UrdfConversion Converter::convert() {
  const std::string name = robot_.take_attribute("name").value_or("");
  result_.description.name = visible(name);
  if (result_.description.name != name)
    remark("robot", robot_.place, "its name has characters that cannot be seen: they are escaped");
  robot_.take_attribute("version");
  while (XmlElement* material = robot_.take("material")) {
    const std::string material_name = material->attribute("name").value_or("");
    colors_[material_name] = convert_material(*material, UrdfValues("robot", diagnostics_));
  }
  name_bodies();
  for (const int link : tree_.order) convert_link(link);
  couple_mimics();
  keep_joint_names();

  collect_untaken(robot_, "robot", result_.losses);
  const auto is_earlier = [](const LossNote& a, const LossNote& b) { return a.place.line < b.place.line; };
  std::stable_sort(result_.remarks.begin(), result_.remarks.end(), is_earlier);
  std::stable_sort(result_.losses.begin(), result_.losses.end(), is_earlier);
  return std::move(result_);
}

// The root, where a floating base is asked for. A link called world is the world itself: what is fixed to it floats instead. A
// joint of type floating at the root says it already.
bool Converter::floats(const UrdfLink& link) const {
  if (!options_.floating_base || link.joint >= 0 || link.name == "world") return false;
  return std::none_of(link.joints.begin(), link.joints.end(), [&](int j) { return tree_.joints[j].type == "floating"; });
}

void Converter::name_bodies() {
  std::set<std::string> used{"world", "t",   "pi",  "sin",  "cos", "tan", "asin", "acos",  "atan", "atan2", "sqrt",
                             "exp",   "log", "abs", "sign", "min", "max", "tanh", "floor", "if",   "table"};
  for (UrdfLink& link : tree_.links) {
    const bool is_world = link.joint < 0 && link.element->find("inertial") == nullptr && !floats(link);
    bodies_.push_back(is_world ? "world" : make_legal(link.name, used));
    const std::string& body = bodies_.back();
    if (body == link.name) continue;
    const std::string note = is_world ? "no <inertial>: converted to the world" : fmt::format("converted to the body '{}'", body);
    remark(describe(link), link.element->place, note);
  }
}

void Converter::convert_link(int index) {
  if (bodies_[index] == "world") return;
  UrdfLink& link = tree_.links[index];
  BodyDescription& body = result_.description.bodies.emplace_back();
  body.name = bodies_[index];
  body.place = link.element->place;

  if (link.joint >= 0) {
    convert_joint(body, tree_.joints[link.joint]);
  } else {
    body.joint.place = body.place;
    if (floats(link)) {
      body.joint.type = {JointType::free, body.place};
      velocities_ += static_cast<int>(name_joint(body.name, body.joint).velocities.size());
    } else {
      remark(describe(link), body.place, "root link, fixed to the world; use --floating-base if the robot moves freely");
    }
  }

  const UrdfValues values(describe(link), diagnostics_);
  const Matrix3& R_LB = R_LB_[index];
  convert_inertial(body, *link.element, values, R_LB);
  while (XmlElement* visual = link.element->take("visual")) convert_visual(body, *visual, values, R_LB);
}

// A URDF joint frame is the frame of its child at rest, with the axis in it: our convention. Only a planar joint differs. URDF's
// moves in the plane normal to its axis, ours in x, y of the joint frame, turning about z. So the joint frame is turned until z
// is the axis; the body frame turns with it, and all that URDF gives in the link's axes is taken into the body's by R_LBᵀ.
void Converter::convert_joint(BodyDescription& body, UrdfJoint& joint) {
  const UrdfValues values(describe(joint), diagnostics_);
  body.joint.place = joint.element->place;
  body.parent = {bodies_[joint.parent], joint.element->place};
  remark(describe(joint), joint.element->place, fmt::format("named after its body '{}'", body.name));

  auto type = find_joint_type(joint.type);
  if (options_.floating_base && tree_.links[joint.parent].name == "world" && type == JointType::fixed) {
    type = JointType::free;
    remark(describe(joint), joint.element->place, "was fixed to the world, and floats");
  }
  if (!type) {
    const std::string nearest = nearest_name(joint.type, {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"});
    diagnostics_.error("VN-URDF-006", joint.element->place, values.owner(), fmt::format("its type '{}' is unknown", joint.type),
                       nearest.empty() ? "URDF knows revolute, continuous, prismatic, fixed, floating and planar"
                                       : fmt::format("did you mean '{}'?", nearest));
    return;
  }
  body.joint.type = {*type, joint.element->place};
  if (joint.name != body.name) body.joint.name = {joint.name, joint.element->place};
  const bool has_one_motion = *type == JointType::revolute || *type == JointType::prismatic;

  if (has_one_motion || *type == JointType::planar) {
    constexpr Vector3 kDefaultAxis{1, 0, 0};  // URDF's, not ours
    XmlElement* const element = joint.element->take("axis");
    const Vector3 axis = element != nullptr ? values.vector(*element, "xyz", kDefaultAxis) : kDefaultAxis;
    const Place place = element != nullptr ? element->place : joint.element->place;
    if (const double length = norm(axis); !(length > 0 && std::isfinite(length))) {
      diagnostics_.error("VN-URDF-011", place, values.owner(), "its axis has no direction",
                         "give a vector of any length but zero");
    } else if (has_one_motion) {
      body.joint.axis = {axis, place};
    } else {
      R_LB_[joint.child] = rotation_with_z_along((1 / length) * axis);
    }
  }

  const UrdfPose origin = values.origin(*joint.element);
  const Matrix3 R_BL = transpose(R_LB_[joint.parent]);
  body.joint.origin = R_BL * origin.position;
  body.joint.rotation = R_BL * origin.rotation * R_LB_[joint.child];

  if (has_one_motion) convert_dynamics(body, joint, values);
  if (has_one_motion) convert_limit(body, joint, values);
  note_mimic(body, joint, values);
  velocities_ += static_cast<int>(name_joint(body.name, body.joint).velocities.size());
}

// Damping is a force -d B'; dry friction in a joint has no counterpart.
void Converter::convert_dynamics(const BodyDescription& body, UrdfJoint& joint, const UrdfValues& values) {
  XmlElement* const dynamics = joint.element->take("dynamics");
  if (dynamics == nullptr) return;
  if (const double damping = values.number(*dynamics, "damping", 0); damping != 0) {
    Expression::Builder builder;
    const int rate = builder.variable({VariableKind::velocity, velocities_}, body.name + "'");
    const int law = builder.binary(Operation::multiply, builder.constant(-damping), rate);
    result_.description.forces.push_back({make_legal(joint.name + "_damping", force_names_),
                                          JointForce{{body.name, dynamics->place}, builder.build(law), true}, dynamics->place});
  }
  if (const double friction = values.number(*dynamics, "friction", 0); friction != 0) {
    lose("friction", fmt::format("{}: friction {}", values.owner(), friction), dynamics->place,
         "joints have no dry friction; guides have, on their faces");
  }
}

// lower, upper (a continuous joint has none), velocity, effort. Zero means not given, as many files write it.
void Converter::convert_limit(BodyDescription& body, UrdfJoint& joint, const UrdfValues& values) {
  XmlElement* const element = joint.element->take("limit");
  if (element == nullptr) return;
  LimitDescription limit;
  limit.coordinate = body.name;
  limit.place = element->place;
  const bool has_range = element->attribute("lower") || element->attribute("upper");
  const double lower = values.number(*element, "lower", 0), upper = values.number(*element, "upper", 0);
  const double velocity = values.number(*element, "velocity", 0), effort = values.number(*element, "effort", 0);
  if (joint.type != "continuous" && has_range) {
    if (lower < upper)
      limit.position = {lower, upper};
    else
      lose("limit", fmt::format("{}: limit from {} to {}", values.owner(), lower, upper), element->place, "its range is empty");
  }
  if (velocity > 0) limit.velocity = velocity;
  if (effort > 0) limit.effort = effort;
  if (limit.position || limit.velocity || limit.effort) body.joint.limits.push_back(std::move(limit));
}

// B' = multiplier M' : a velocity constraint, written when all velocities are known. The start obeys B = multiplier M + offset.
void Converter::note_mimic(const BodyDescription& body, UrdfJoint& joint, const UrdfValues& values) {
  XmlElement* const mimic = joint.element->take("mimic");
  if (mimic == nullptr) return;
  const std::string content = describe_content(*mimic);
  const double multiplier = values.number(*mimic, "multiplier", 1), offset = values.number(*mimic, "offset", 0);
  const std::string name = mimic->take_attribute("joint").value_or("");
  const auto master = std::find_if(tree_.joints.begin(), tree_.joints.end(), [&](const UrdfJoint& j) { return j.name == name; });
  const auto moves_once = [](const UrdfJoint& j) {
    return j.type == "revolute" || j.type == "continuous" || j.type == "prismatic";
  };
  if (master == tree_.joints.end() || !moves_once(*master) || !moves_once(joint)) {
    lose("mimic", fmt::format("{}: {}", values.owner(), content), mimic->place,
         "the joint moves on its own: it must follow a joint of this robot, and both must have one motion");
    return;
  }
  mimics_.push_back(
      {make_legal(joint.name + "_mimic", mimic_names_), body.name, bodies_[master->child], multiplier, offset, mimic->place});
}

void Converter::couple_mimics() {
  std::unordered_map<std::string, int> velocity_of;
  int count = 0;
  for (const BodyDescription& body : result_.description.bodies) {
    for (const std::string& name : name_joint(body.name, body.joint).velocities) velocity_of[name] = count++;
  }
  for (const Mimic& mimic : mimics_) {
    const std::string own = mimic.body + "'", master = mimic.master + "'";
    Expression::Builder builder;
    const int follows = builder.binary(Operation::multiply, builder.constant(mimic.multiplier),
                                       builder.variable({VariableKind::velocity, velocity_of[master]}, master));
    const int slip =
        builder.binary(Operation::subtract, builder.variable({VariableKind::velocity, velocity_of[own]}, own), follows);
    VelocityConstraintDescription constraint;
    constraint.name = mimic.name;
    constraint.slips.push_back(builder.build(slip));
    constraint.dimensions.push_back(kAngularVelocity);
    constraint.permanent = true;
    constraint.place = mimic.place;
    result_.description.velocity_constraints.push_back(std::move(constraint));
    if (mimic.offset != 0) result_.description.initial.push_back({mimic.body, mimic.offset, mimic.place});
  }
}

// A joint that moves keeps its name beside its body's, unless that would mean two things.
void Converter::keep_joint_names() {
  std::set<std::string> taken;
  for (const BodyDescription& body : result_.description.bodies) {
    const JointNames names = name_joint(body.name, body.joint);
    taken.insert(names.coordinates.begin(), names.coordinates.end());
  }
  for (BodyDescription& body : result_.description.bodies) {
    std::string& name = body.joint.name.value;
    if (name.empty()) continue;
    const JointNames names = name_joint(name, body.joint);
    const bool is_seen = find_invisible(name).empty();
    const bool is_free = std::none_of(names.coordinates.begin(), names.coordinates.end(),
                                      [&](const std::string& other) { return taken.contains(other); });
    if (!names.coordinates.empty() && is_seen && is_free) {
      taken.insert(names.coordinates.begin(), names.coordinates.end());
      continue;
    }
    if (!names.coordinates.empty())
      remark(fmt::format("joint '{}'", name), body.joint.place,
             is_seen ? "its own name is not kept: another coordinate has it"
                     : "its own name is not kept: it has characters that cannot be seen");
    name.clear();
  }
}

void Converter::convert_inertial(BodyDescription& body, XmlElement& link, const UrdfValues& values, const Matrix3& R_LB) {
  XmlElement* const inertial = link.take("inertial");
  if (inertial == nullptr) {
    remark(values.owner(), link.place, "no <inertial>: converted to a body without mass");
    return;
  }
  const UrdfPose center = values.origin(*inertial);
  body.com = {transpose_times(R_LB, center.position), inertial->place};
  if (XmlElement* const mass = values.required(*inertial, "mass")) body.mass = {values.number(*mass, "value"), mass->place};
  if (XmlElement* const inertia = values.required(*inertial, "inertia")) {
    const auto entry = [&](const char* name) { return values.number(*inertia, name); };
    const Symmetric3 I_C{entry("ixx"), entry("iyy"), entry("izz"), entry("ixy"), entry("ixz"), entry("iyz")};
    body.inertia = {sandwich(transpose(R_LB) * center.rotation, I_C), inertia->place};
    body.accept_inertia = options_.accept_inertia && !is_possible_inertia(*body.inertia);
  }
}

void Converter::convert_visual(BodyDescription& body, XmlElement& visual, const UrdfValues& values, const Matrix3& R_LB) {
  const UrdfPose origin = values.origin(visual);
  ShapeDescription shape;
  shape.origin = transpose_times(R_LB, origin.position);
  shape.rotation = transpose(R_LB) * origin.rotation;
  if (XmlElement* const material = visual.take("material")) shape.color = convert_material(*material, values);

  XmlElement* const geometry = values.required(visual, "geometry");
  if (geometry == nullptr) return;
  double least = 0;  // of its sizes
  if (XmlElement* const box = geometry->take("box")) {
    const Vector3 size = values.vector(*box, "size");
    least = std::min({size.x, size.y, size.z});
    shape.form = Box{size};
  } else if (XmlElement* const cylinder = geometry->take("cylinder")) {
    const double radius = values.number(*cylinder, "radius"), length = values.number(*cylinder, "length");
    least = std::min(radius, length);
    shape.form = Cylinder{radius, length};
  } else if (XmlElement* const sphere = geometry->take("sphere")) {
    least = values.number(*sphere, "radius");
    shape.form = Sphere{least};
  } else if (XmlElement* const capsule = geometry->take("capsule")) {
    const double radius = values.number(*capsule, "radius"), length = values.number(*capsule, "length");
    least = std::min(radius, length);
    shape.form = Capsule{radius, length};
  } else if (XmlElement* const mesh = geometry->take("mesh")) {
    const std::string file = values.word(*mesh, "filename");
    const Vector3 scale = values.vector(*mesh, "scale", Vector3{1, 1, 1});
    least = std::abs(scale.x);
    shape.form = Mesh{file, least};
    remark(fmt::format("{}: mesh '{}'", values.owner(), file), mesh->place, "is kept as a reference; the file was not read");
    if (scale.x != least || scale.y != least || scale.z != least) {
      lose("scale of a mesh", fmt::format("{}: scale {} {} {} of a mesh", values.owner(), scale.x, scale.y, scale.z), mesh->place,
           fmt::format("a mesh has one scale: {} in all directions", least));
    }
  } else {
    return;  // what there is instead stays untaken
  }
  if (const auto* mesh = std::get_if<Mesh>(&shape.form);
      mesh != nullptr && (mesh->file.empty() || !find_invisible(mesh->file).empty())) {
    lose("visual", values.owner() + ": visual", visual.place,
         "the name of its mesh is empty, or has characters that cannot be seen");
  } else if (least > 0) {
    body.shapes.push_back(std::move(shape));
  } else {
    lose("visual", values.owner() + ": visual", visual.place, "a shape without extent cannot be drawn");
  }
}

// "#rrggbb": the material's own colour, or that of the robot's material of this name; empty if there is none.
std::string Converter::convert_material(XmlElement& material, const UrdfValues& values) {
  const std::string name = material.take_attribute("name").value_or("");
  XmlElement* const color = material.take("color");
  if (color == nullptr) {
    if (const auto known = colors_.find(name); known != colors_.end()) return known->second;
    lose("material", fmt::format("{}: material '{}'", values.owner(), name), material.place,
         "it has no colour, here or at the robot");
    return {};
  }
  double rgba[4] = {1, 1, 1, 1};
  if (!values.numbers(*color, "rgba", rgba)) return {};
  if (rgba[3] != 1)
    lose("alpha of a colour", fmt::format("{}: alpha {} of a colour", values.owner(), rgba[3]), color->place,
         "shapes are opaque");
  const auto byte = [](double part) { return static_cast<int>(std::lround(255 * std::clamp(part, 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(rgba[0]), byte(rgba[1]), byte(rgba[2]));
}

// An element left over from xacro, the macro language many URDF files are generated from.
const XmlElement* find_macro(const XmlElement& element) {
  if (element.name.starts_with("xacro:")) return &element;
  for (const XmlElement& child : element.children) {
    if (const XmlElement* const macro = find_macro(child)) return macro;
  }
  return nullptr;
}

}  // namespace

std::optional<UrdfConversion> convert_urdf(std::string_view xml, Diagnostics& diagnostics, const UrdfOptions& options) {
  auto document = parse_xml(xml);
  if (const auto* error = std::get_if<XmlError>(&document)) {
    diagnostics.error("VN-URDF-001", error->place, "", "this is not XML: " + error->message);
    return std::nullopt;
  }
  XmlElement& robot = std::get<XmlElement>(document);
  if (robot.name != "robot") {
    diagnostics.error("VN-URDF-002", robot.place, "", fmt::format("the outermost element is <{}>, not <robot>", robot.name));
    return std::nullopt;
  }
  if (const XmlElement* const macro = find_macro(robot)) {
    diagnostics.error("VN-URDF-012", macro->place, "", fmt::format("<{}> is a macro", macro->name), "run xacro first");
    return std::nullopt;
  }

  const int errors_before = diagnostics.error_count();
  auto tree = take_tree(robot, diagnostics);
  if (!tree) return std::nullopt;
  UrdfConversion conversion = Converter(robot, std::move(*tree), options, diagnostics).convert();
  if (diagnostics.error_count() != errors_before) return std::nullopt;
  return conversion;
}

std::optional<std::string> write_conversion(const UrdfConversion& conversion, Diagnostics& diagnostics) {
  int impossible = 0;
  for (const BodyDescription& body : conversion.description.bodies)
    impossible += !body.accept_inertia && !is_possible_inertia(*body.inertia);
  if (!build_model(conversion.description, diagnostics)) {
    if (impossible > 0)
      diagnostics.error("VN-URDF-140", {}, "",
                        fmt::format("the inertia of {} of the {} links is one that no body can have; no model is written",
                                    impossible, conversion.description.bodies.size()),
                        "--accept-inertia takes them as they are, and names the nearest possible ones");
    return std::nullopt;
  }
  std::string text = write_model(conversion.description, heading_comments(conversion));
  Diagnostics back;
  if (read_model(text, back)) return text;
  for (const Diagnostic& d : back.list()) {
    if (d.severity == Severity::error)
      diagnostics.error(
          "VN-URDF-141", {}, "",
          fmt::format("the model made of it cannot be read: {}{}{}", d.element, d.element.empty() ? "" : ": ", d.message),
          d.hint);
  }
  return std::nullopt;
}

std::string to_text(const LossNote& note) {
  return fmt::format("line {}: {}: {}", note.place.line, visible(note.element), visible(note.note));
}

std::vector<LossKind> count_kinds(const std::vector<LossNote>& notes) {
  std::vector<LossKind> kinds;
  std::unordered_map<std::string_view, size_t> index;
  for (const LossNote& note : notes) {
    const auto [entry, is_new] = index.emplace(note.kind, kinds.size());
    if (is_new) kinds.push_back({note});
    ++kinds[entry->second].count;
  }
  return kinds;
}

std::vector<std::string> heading_comments(const UrdfConversion& conversion) {
  std::vector<std::string> comments{fmt::format("Converted from the URDF of robot '{}'.", conversion.description.name)};
  if (!conversion.remarks.empty()) comments.insert(comments.end(), {"", "Converted differently:"});
  for (const LossNote& remark : conversion.remarks) comments.push_back("  " + to_text(remark));

  // What is lost for the same reason stands together, in the order of the first of each kind.
  if (!conversion.losses.empty()) comments.insert(comments.end(), {"", "Not converted:"});
  std::set<std::string> told;
  for (const LossNote& first : conversion.losses) {
    if (!told.insert(first.note).second) continue;
    comments.push_back(fmt::format("  {}:", visible(first.note)));
    for (const LossNote& loss : conversion.losses) {
      if (loss.note == first.note) comments.push_back(fmt::format("    line {}: {}", loss.place.line, visible(loss.element)));
    }
  }
  return comments;
}

}  // namespace vinculum
