// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "vinculum/files/read_sections.h"

namespace vinculum {

namespace {

JointForce read_joint_force(ReaderContext& context, YamlNode node) {
  JointForce force;
  const Fields fields(context, node, {"joint", "law", "passive"});
  read_text(context, fields["joint"], force.joint);
  force.joint.value = context.own_name(*force.joint);
  read_formula(context, fields.require("law", "the force or torque on the joint: \"-0.2*boom'\""), Scope::law,
               context.find_force_dimension(*force.joint), force.law);
  read_truth(context, fields["passive"], force.passive);
  return force;
}

BodyForce read_body_force(ReaderContext& context, YamlNode node) {
  static constexpr Choice<bool> kFrames[] = {{"world", false}, {"body", true}};
  BodyForce force;
  const Fields fields(context, node, {"body", "point", "force", "torque", "frame"});
  read_text(context, fields["body"], force.body);
  read_vector(context, fields["point"], {kLength}, force.point);
  if (!fields.has("force") && !fields.has("torque")) fields.require_one_of({"force", "torque"});
  read_formulas(context, fields["force"], Scope::law, kForce, force.force);
  read_formulas(context, fields["torque"], Scope::law, kMoment, force.torque);
  choose<bool>(context, fields["frame"], kFrames, force.in_body_axes);
  return force;
}

// [body, [x, y, z]]
void read_end(ReaderContext& context, YamlNode node, ForceEnd& end) {
  if (!node) return;
  if (!node.is_list() || node.size() != 2) {
    context.error(node.is_null()   ? "VN-FILE-014"
                  : node.is_list() ? "VN-FILE-015"
                                   : "VN-FILE-010",
                  node,
                  fmt::format("expected a body and a point, found {}",
                              node.is_list() ? count_entries(node) : std::string(node.kind_text())),
                  "an end of a spring is written [boom, [0, 0, 1]]");
    return;
  }
  read_text(context, node.entry(0), end.body);
  read_vector(context, node.entry(1), {kLength}, end.point);
}

SpringForce read_spring(ReaderContext& context, YamlNode node) {
  SpringForce spring;
  const bool is_spring = node.find("stiffness") || node.find("damping");
  const Fields fields = is_spring ? Fields(context, node, {"between", "and", "stiffness", "damping", "length"})
                                  : Fields(context, node, {"between", "and", "stiffness", "damping", "length", "law"});
  read_end(context, fields["between"], spring.between);
  read_end(context, fields.require("and", "the other end: and: [boom, [0, 0, 1]]"), spring.and_);
  if (!fields.has("stiffness") && !fields.has("damping")) fields.require_one_of({"stiffness", "damping", "law"});
  read_number(context, fields["stiffness"], {kStiffness, Sign::not_negative}, spring.stiffness, &spring.formulas[0]);
  read_number(context, fields["damping"], {kViscous, Sign::not_negative}, spring.damping, &spring.formulas[1]);
  read_number(context, fields["length"], {kLength, Sign::not_negative}, spring.length, &spring.formulas[2]);
  return spring;
}

PointToPointForce read_point_to_point(ReaderContext& context, YamlNode node) {
  PointToPointForce force;
  constexpr std::string_view kOfSprings[] = {"stiffness", "damping", "length"};
  const bool is_both = std::ranges::any_of(kOfSprings, [&](std::string_view key) { return static_cast<bool>(node.find(key)); });
  const Fields fields = is_both ? Fields(context, node, {"between", "and", "law", "stiffness", "damping", "length"})
                                : Fields(context, node, {"between", "and", "law"});
  read_end(context, fields["between"], force.between);
  read_end(context, fields.require("and", "the other end: and: [boom, [0, 0, 1]]"), force.and_);
  for (const std::string_view key : kOfSprings)
    fields.refuse(key, "`law` gives the whole pull", "write it into the law: \"k*(length - 0.5 m) + c*rate\"");
  read_formula(context, fields["law"], Scope::line, kForce, force.law);
  return force;
}

}  // namespace

void read_forces(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "force", Naming::own, [&](std::string name, Place place, YamlNode node) {
    ForceDescription force{std::move(name), {}, place};
    const bool is_joint = node.is_mapping() && node.find("joint"), is_body = node.is_mapping() && node.find("body"),
               is_spring = node.is_mapping() && node.find("between");
    if (is_joint + is_body + is_spring != 1) {
      const Fields any(context, node,
                       {"joint", "law", "passive", "body", "point", "force", "torque", "frame", "between", "and", "stiffness",
                        "damping", "length"});
      any.require_one_of({"joint", "body", "between"});
      return;
    }
    if (is_joint) force.law = read_joint_force(context, node);
    if (is_body) force.law = read_body_force(context, node);
    if (is_spring && node.find("law")) {
      force.law = read_point_to_point(context, node);
    } else if (is_spring) {
      force.law = read_spring(context, node);
    }
    model.forces.push_back(std::move(force));
  });
}

void read_events(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "event", Naming::own, [&](std::string name, Place place, YamlNode node) {
    EventDescription event{std::move(name), {}, place};
    if (read_formula(context, node, Scope::event, std::nullopt, event.function) && event.function.is_constant()) {
      context.error("VN-MODEL-111", node, "the event never happens: its function is constant",
                    "an event is a zero of a function of t, coordinates and velocities");
    }
    model.events.push_back(std::move(event));
  });
}

}  // namespace vinculum
