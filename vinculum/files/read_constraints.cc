// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "vinculum/expression/differentiate.h"
#include "vinculum/files/read_sections.h"

namespace vinculum {

namespace {

// A constraint is Σ d_j(q, t) v_j = f(q, t)                                                theory 3
bool check_linear(ReaderContext& context, YamlNode node, const Expression& slip) {
  bool has_velocity = false;
  for (const Variable variable : slip.variables()) {
    if (variable.kind != VariableKind::velocity) continue;
    const Expression factor = differentiate(slip, variable);
    has_velocity = has_velocity || !factor.is_constant() || factor.constant_value() != 0;
    if (!factor.depends_on(VariableKind::velocity)) continue;
    context.error("VN-MODEL-102", node,
                  fmt::format("the equation is not linear in {}", in_quotes(context.velocity_names()[variable.index])),
                  "velocities may only be multiplied by what does not contain velocities, and added");
    return false;
  }
  if (!has_velocity) {
    context.error("VN-MODEL-103", node, "the equation contains no velocity", "velocities carry a prime: sled.tx'");
  }
  return has_velocity;
}

// "left = right": the slip is left minus right.
void read_equation(ReaderContext& context, YamlNode node, VelocityConstraintDescription& constraint) {
  if (!node) return;
  if (!node.is_scalar()) {
    context.error(node.is_null() ? "VN-FILE-014" : "VN-FILE-010", node,
                  fmt::format("expected an equation, found {}", node.kind_text()), "write \"left = right\"");
    return;
  }
  const std::string_view text = node.text();
  const size_t sign = text.find('=');
  if (sign == text.npos || text.find('=', sign + 1) != text.npos) {
    context.error("VN-FILE-025", node,
                  fmt::format("an equation has one '=', this has {}", std::count(text.begin(), text.end(), '=')),
                  "write \"left = right\"");
    return;
  }
  const auto left = context.parse({text.substr(0, sign), node}, Scope::law);
  const auto right = context.parse({text.substr(sign + 1), node, sign + 1}, Scope::law, left ? left->dimension : std::nullopt);
  if (!left || !right) return;
  Expression slip = left->expression - right->expression;
  if (!check_linear(context, node, slip)) return;
  constraint.slips.push_back(std::move(slip));
  constraint.dimensions.push_back(left->dimension ? left->dimension : right->dimension);
}

FaceDescription read_face(ReaderContext& context, YamlNode node) {
  FaceDescription face;
  const Fields fields(context, node, {"point", "normal", "friction", "pad"});
  const YamlNode normal = fields.require("normal");
  if (normal) face.normal.place = normal.place();
  read_vector(context, fields.require("point"), {kLength}, face.point);
  read_direction(context, normal, face.normal.value);
  read_number(context, fields["friction"], {kDimensionless, Sign::not_negative}, face.friction);

  const Fields pad(context, fields["pad"], {"radius", "pressure"});
  if (!pad) return face;
  face.pad.emplace();
  read_number(context, pad.require("radius"), {kLength, Sign::positive}, face.pad->radius);
  const YamlNode pressure = pad.require("pressure", "uniform, punch, hertz, {power: n} or {cosine: n}");
  if (pressure && pressure.is_mapping()) {
    const Fields law(context, pressure, {"power", "cosine"});
    const std::string_view kind = law.require_one_of({"power", "cosine"});
    const bool is_power = kind == "power";
    face.pad->pressure = is_power ? PadPressure::power : PadPressure::cosine;
    if (kind.empty() || !read_number(context, law[kind], {kDimensionless}, face.pad->exponent)) return face;
    const double n = face.pad->exponent;
    if (is_power ? n < -1 : n <= -1) {
      context.error("VN-MODEL-107", law[kind],
                    fmt::format("{:g} is not allowed: this must {} -1", n, is_power ? "not be less than" : "be greater than"),
                    "with less, the pad carries no load");
    }
  } else {
    static constexpr Choice<PadPressure> kPressures[] = {
        {"uniform", PadPressure::uniform}, {"punch", PadPressure::punch}, {"hertz", PadPressure::hertz}};
    choose<PadPressure>(context, pressure, kPressures, face.pad->pressure, ", {power: n}, {cosine: n}");
  }
  return face;
}

}  // namespace

void read_motions(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "motion of", Naming::of_coordinates, [&](std::string name, Place place, YamlNode node) {
    MotionDescription motion{context.own_name(name), {}, place};
    read_formula(context, node, Scope::time, context.find_dimension(motion.coordinate), motion.law);
    model.motions.push_back(std::move(motion));
  });
}

void read_velocity_constraints(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "velocity constraint", Naming::own, [&](std::string name, Place place, YamlNode node) {
    VelocityConstraintDescription constraint;
    constraint.name = std::move(name);
    constraint.place = place;
    if (!node.is_mapping()) {
      read_equation(context, node, constraint);
      model.velocity_constraints.push_back(std::move(constraint));
      return;
    }
    const Fields fields(context, node, {"equation", "equations", "bound", "law", "friction", "normal", "permanent"});
    if (fields.require_one_of({"equation", "equations"}) == "equation") {
      read_equation(context, fields["equation"], constraint);
    } else if (const YamlNode equations = fields["equations"]; check_list(context, equations, "equations", Least::one)) {
      constraint.numbered = true;
      for (int i = 0; i < equations.size(); ++i) read_equation(context, equations.entry(i), constraint);
    }
    read_number(context, fields["bound"], {{}, Sign::positive}, constraint.bound);
    read_number(context, fields["friction"], {kDimensionless, Sign::not_negative}, constraint.friction);
    if (fields.has("friction") && fields.has("bound")) {
      fields.require_one_of({"bound", "friction"});
    } else if (fields.has("friction")) {
      read_text(context, fields.require("normal", "the constraint whose multiplier is the normal force, such as foot.normal"),
                constraint.normal);
    } else {
      fields.refuse("normal", "it belongs to `friction`");
    }
    read_slip_law(context, fields["law"], false, constraint.law);
    read_truth(context, fields["permanent"], constraint.permanent);
    if (constraint.permanent) {
      for (const char* key : {"bound", "friction", "law"})
        fields.refuse(key, "a permanent constraint is not realised by a limited force");
    }
    model.velocity_constraints.push_back(std::move(constraint));
  });
}

void read_strings(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "string", Naming::own, [&](std::string name, Place place, YamlNode node) {
    StringDescription string;
    string.name = std::move(name);
    string.place = place;
    const Fields fields(context, node, {"from", "at", "to", "on", "length", "restitution"});
    if (!fields) return;
    read_text(context, fields.require("from"), string.from);
    read_vector(context, fields["at"], {kLength}, string.at);
    read_text(context, fields.require("to"), string.to);
    read_vector(context, fields["on"], {kLength}, string.on);
    read_number(context, fields.require("length"), {kLength, Sign::positive}, string.length);
    read_impact_law(context, fields["restitution"], "a string has no tangential part", string.restitution);
    model.strings.push_back(std::move(string));
  });
}

void read_guides(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "guide", Naming::own, [&](std::string name, Place place, YamlNode node) {
    GuideDescription guide;
    guide.name = std::move(name);
    guide.place = place;
    const Fields fields(context, node, {"body", "with", "pairs"});
    if (!fields) return;
    read_text(context, fields.require("body"), guide.body);
    guide.with.place = place;
    read_text(context, fields["with"], guide.with);
    const YamlNode pairs = fields.require("pairs", "a list of {face1: {point, normal, friction}, face2: {..}}");
    for (int i = 0; check_list(context, pairs, "pairs of faces", Least::one) && i < pairs.size(); ++i) {
      const Fields pair(context, pairs.entry(i), {"face1", "face2"});
      const YamlNode face1 = pair.require("face1"), face2 = pair.require("face2");
      guide.pairs.push_back({read_face(context, face1), read_face(context, face2)});
    }
    model.guides.push_back(std::move(guide));
  });
}

}  // namespace vinculum
