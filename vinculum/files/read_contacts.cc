// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "vinculum/files/read_sections.h"
#include "vinculum/model/contact.h"

namespace vinculum {

namespace {

constexpr Choice<ContactAxis> kAxisWords[] = {
    {"normal", ContactAxis::normal}, {"lateral", ContactAxis::lateral}, {"forward", ContactAxis::forward},
    {"yaw", ContactAxis::yaw},       {"pitch", ContactAxis::pitch},     {"roll", ContactAxis::roll},
};
constexpr Dimension kAngularViscous = {2, 1, -1};  // N m s
constexpr Dimension kPerVelocity = {-1, 0, 1};     // s/m

bool is_tangential(ContactAxis axis) { return axis == ContactAxis::lateral || axis == ContactAxis::forward; }
bool forbids(const ContactDescription& contact, ContactAxis axis) {
  return std::find(contact.forbid.begin(), contact.forbid.end(), axis) != contact.forbid.end();
}

// Each kind of geometry from its value.
void read(ReaderContext& context, YamlNode node, PointGeometry& point) { read_vector(context, node, {kLength}, point.point); }

void read(ReaderContext& context, YamlNode node, WheelGeometry& wheel) {
  const Fields parts(context, node, {"center", "axis", "radius"});
  read_vector(context, parts["center"], {kLength}, wheel.center);
  read_direction(context, parts.require("axis"), wheel.axis);
  read_number(context, parts.require("radius"), {kLength, Sign::positive}, wheel.radius);
}

void read(ReaderContext& context, YamlNode node, SphereGeometry& sphere) {
  const Fields parts(context, node, {"center", "radius"});
  read_vector(context, parts["center"], {kLength}, sphere.center);
  read_number(context, parts.require("radius"), {kLength, Sign::positive}, sphere.radius);
}

void read(ReaderContext& context, YamlNode node, FrameGeometry& frame) {
  const Fields sides(context, node, {"on_body", "on_environment"});
  const Fields body(context, sides["on_body"], {"point", "rotation"});
  read_vector(context, body["point"], {kLength}, frame.body_point);
  read_rotation(context, body["rotation"], frame.body_rotation);
  const Fields environment(context, sides["on_environment"], {"point", "rotation", "path"});
  if (environment.has("path")) {
    for (const char* key : {"point", "rotation"}) environment.refuse(key, "the path says where the frame is");
    std::array<Expression, 2> path;
    if (read_formulas(context, environment["path"], Scope::time, kLength, path)) frame.path = path;
  }
  read_vector(context, environment["point"], {kLength}, frame.environment_point);
  read_rotation(context, environment["rotation"], frame.environment_rotation);
}

template <class... Kinds>
void read_one_of(ReaderContext& context, const Fields& fields, std::variant<Kinds...>& geometry) {
  const std::string_view word = fields.require_one_of({Kinds::kWord...});
  const auto read_kind = [&](auto kind) {
    if (word != kind.kWord) return;
    read(context, fields[word], kind);
    geometry = std::move(kind);
  };
  (read_kind(Kinds{}), ...);
}

// Why `forward` says nothing; empty: it says where the axis forward points.
std::string_view heading_of_its_own(const PointGeometry&) { return ""; }
std::string_view heading_of_its_own(const SphereGeometry&) { return ""; }
std::string_view heading_of_its_own(const WheelGeometry&) { return "a wheel rolls along its axis x normal"; }
std::string_view heading_of_its_own(const FrameGeometry&) {
  return "forward is the z axis of the frame on the environment, or the direction of its path";
}

// forward: [..] in the environment's frame, or {body: [..]}; wheels and frames have their own.
void read_heading(ReaderContext& context, const Fields& fields, ContactDescription& contact) {
  const std::string_view own = std::visit([](const auto& kind) { return heading_of_its_own(kind); }, contact.geometry);
  if (!own.empty()) return fields.refuse("forward", std::string(own));
  const YamlNode node = fields["forward"];
  if (node && node.is_mapping()) {
    const Fields parts(context, node, {"body"});
    contact.forward_in_body = true;
    read_direction(context, parts.require("body"), contact.forward);
  } else {
    read_direction(context, node, contact.forward);
  }
}

void read_forbidden_axes(ReaderContext& context, const Fields& fields, ContactDescription& contact) {
  const bool may_be_absent = fields.has("laws") || fields.has("sliding_friction");
  const YamlNode node = may_be_absent
                            ? fields["forbid"]
                            : fields.require("forbid", "of normal, lateral, forward, yaw, pitch, roll; [] forbids nothing");
  if (!check_list(context, node, "axes normal, lateral, forward, yaw, pitch, roll")) return;
  for (int i = 0; i < node.size(); ++i) {
    ContactAxis axis{};
    if (!choose<ContactAxis>(context, node.entry(i), kAxisWords, axis)) continue;
    if (forbids(contact, axis)) {
      context.error("VN-FILE-016", node.entry(i), fmt::format("'{}' stands here twice", node.entry(i).text()),
                    "keep one of them");
    } else {
      contact.forbid.push_back(axis);
    }
  }
}

// What only a normal that pushes can have: an exponent, a dissipation, or a formula in place of the numbers.
void read_pushing_law(ReaderContext& context, const Fields& law, bool pushes, ContactLaw& value) {
  for (const char* key : {"exponent", "dissipation", "law"}) {
    if (!pushes) law.refuse(key, "only the normal of a point, a wheel or a sphere pushes", "give `stiffness` and `viscous`");
  }
  if (!pushes) return;
  for (const char* key : {"stiffness", "viscous", "exponent", "dissipation"}) {
    if (law.has("law")) law.refuse(key, "the formula under `law` is the whole force", "leave one of them out");
  }
  if (Expression formula; law.has("law") && read_formula(context, law["law"], Scope::contact, kForce, formula))
    value.formula = formula;
  read_number(context, law["exponent"], {kDimensionless, Sign::positive}, value.exponent);
  read_number(context, law["dissipation"], {kPerVelocity, Sign::not_negative}, value.dissipation);
}

// Force laws act on allowed axes; a stiffness needs a gap, which only the normal has, except in a frame.
void read_laws(ReaderContext& context, YamlNode node, ContactDescription& contact) {
  const Fields laws(context, node, {"normal", "lateral", "forward", "yaw", "pitch", "roll"});
  for (const auto& [word, axis] : kAxisWords) {
    if (!laws.has(word)) continue;
    const Fields law(context, laws[word], {"stiffness", "viscous", "exponent", "dissipation", "law"});
    const bool guided = is_frame(contact.geometry);
    const bool has_gap = axis == ContactAxis::normal || guided;
    if (forbids(contact, axis)) {
      context.warning("VN-MODEL-105", laws[word].head(),
                      fmt::format("laws: a force law on '{}' has no effect, because `forbid` holds this axis", word),
                      "take the axis out of `forbid`, or leave the law out");
    }
    if (!has_gap)
      law.refuse("stiffness", fmt::format("the axis '{}' of this contact has no gap", word),
                 "only `normal` has one, except in a `frame`");
    ContactLaw& value = contact.laws[axis];
    read_pushing_law(context, law, axis == ContactAxis::normal && has_gap && !guided, value);
    // The stiffness of k depth^n has the unit N/m^n, which the value does not know.
    const std::optional<Dimension> stiffness = is_angular(axis)      ? std::optional(kMoment)
                                               : value.exponent != 1 ? std::nullopt
                                                                     : std::optional(kStiffness);
    read_number(context, law["stiffness"], {stiffness, Sign::not_negative}, value.stiffness);
    read_number(context, law["viscous"], {is_angular(axis) ? kAngularViscous : kViscous, Sign::not_negative}, value.viscous);
  }
}

bool is_pressed(const ContactDescription& contact) {
  return forbids(contact, ContactAxis::normal) || contact.laws.count(ContactAxis::normal) > 0;
}

void refuse_friction(ReaderContext& context, YamlNode node, std::string_view key) {
  context.error("VN-MODEL-110", node, "there is no normal force to take it from: nothing presses along the normal here",
                key == "friction" ? "forbid `normal` too, or give a law of it, or limit the force itself: `bound: 30 N`"
                                  : "forbid `normal` too, or give a law of it");
}

// The limit of the forces on forbidden tangential axes: friction, or a bound in N on the tangential vector or on each axis.
void read_limits(ReaderContext& context, const Fields& fields, ContactDescription& contact) {
  if (fields.has("friction") && fields.has("bound")) fields.require_one_of({"friction", "bound"});
  read_number(context, fields["friction"], {kDimensionless, Sign::not_negative}, contact.friction);
  const YamlNode bound = fields["bound"];
  if (bound && bound.is_mapping()) {
    const Fields parts(context, bound, {"lateral", "forward"});
    for (const auto& [word, axis] : kAxisWords) {
      if (!is_tangential(axis) || !parts.has(word)) continue;
      read_number(context, parts[word], {kForce, Sign::positive}, contact.axis_bounds[axis]);
    }
  } else {
    read_number(context, bound, {kForce, Sign::positive}, contact.bound);
  }
  read_slip_law(context, fields["law"], true, contact.law);

  if (forbids(contact, ContactAxis::lateral) || forbids(contact, ContactAxis::forward)) {
    if (contact.friction && !is_pressed(contact)) refuse_friction(context, fields["friction"], "friction");
    return;
  }
  for (const char* key : {"friction", "bound", "law"}) {
    if (!fields.has(key)) continue;
    context.warning("VN-MODEL-109", fields[key].head(),
                    fmt::format("{} has no effect: neither lateral nor forward is forbidden", key),
                    "it limits the forces of forbidden axes; sliding along allowed ones is `sliding_friction`");
  }
}

void read_sliding_friction(ReaderContext& context, YamlNode node, ContactDescription& contact) {
  const Fields fields(context, node, {"coefficient", "smoothing"});
  if (!fields) return;
  SlidingFriction friction;
  read_number(context, fields.require("coefficient"), {kDimensionless, Sign::not_negative}, friction.coefficient);
  read_number(context, fields.require("smoothing", "the slip in m/s at which friction is almost complete: 0.01"),
              {kVelocity, Sign::positive}, friction.smoothing);
  contact.sliding_friction = friction;
  if (forbids(contact, ContactAxis::lateral) && forbids(contact, ContactAxis::forward)) {
    context.warning("VN-MODEL-105", node.head(), "sliding_friction has no effect, because `forbid` holds lateral and forward",
                    "take one of them out of `forbid`, or give `friction` instead");
  } else if (!is_pressed(contact)) {
    refuse_friction(context, node, "sliding_friction");
  }
}

}  // namespace

bool read_slip_law(ReaderContext& context, YamlNode node, bool linear, std::optional<SlipLaw>& law) {
  struct Kind {
    std::string_view word;
    SlipLawKind kind;
    std::optional<Dimension> dimension;
  };
  const auto of_slip = [&](Dimension dimension) { return linear ? std::optional(dimension) : std::nullopt; };
  const Kind kinds[] = {
      {"viscous", SlipLawKind::viscous, of_slip(kViscous)},
      {"saturated", SlipLawKind::saturated, of_slip(kVelocity)},
      {"tanh", SlipLawKind::tanh, of_slip(kVelocity)},
      {"algebraic", SlipLawKind::algebraic, of_slip(kVelocity)},
      {"arctan", SlipLawKind::arctan, of_slip(kVelocity)},
      {"dead-zone", SlipLawKind::dead_zone, of_slip(kVelocity)},
      {"hysteresis", SlipLawKind::hysteresis, of_slip(kVelocity)},
      {"delay", SlipLawKind::delay, kTime},
      {"lag", SlipLawKind::lag, kTime},
      {"stribeck", SlipLawKind::stribeck, of_slip(kVelocity)},
      {"backlash", SlipLawKind::backlash, of_slip(kLength)},
  };
  if (!node) return false;
  if (!node.is_mapping()) {
    static constexpr Choice<SlipLawKind> kSign[] = {{"sign", SlipLawKind::sign}};
    SlipLaw sign;
    if (!choose<SlipLawKind>(
            context, node, kSign, sign.kind,
            ", or with their number {viscous: k}, {saturated: s}, {tanh: s}, {algebraic: s}, {arctan: s}, "
            "{dead-zone: s}, {hysteresis: s}, {delay: T}, {lag: T}, {backlash: c}, {stribeck: {velocity: s, ratio: r}}")) {
      return false;
    }
    law = sign;
    return true;
  }
  const Fields fields(
      context, node,
      {"viscous", "saturated", "tanh", "algebraic", "arctan", "dead-zone", "hysteresis", "delay", "lag", "backlash", "stribeck"});
  const std::string_view word = fields.require_one_of(
      {"viscous", "saturated", "tanh", "algebraic", "arctan", "dead-zone", "hysteresis", "delay", "lag", "backlash", "stribeck"});
  for (const Kind& kind : kinds) {
    if (kind.word != word) continue;
    SlipLaw value{kind.kind, 0};
    if (kind.kind == SlipLawKind::stribeck) {
      const Fields numbers(context, fields[word], {"velocity", "ratio"});
      if (!read_number(context, numbers.require("velocity"), {kind.dimension, Sign::positive}, value.value) ||
          !read_number(context, numbers.require("ratio"), {kDimensionless, Sign::positive}, value.ratio))
        return false;
      law = value;
      return true;
    }
    if (!read_number(context, fields[word], {kind.dimension, Sign::positive}, value.value)) return false;
    law = value;
    return true;
  }
  return false;
}

void read_contacts(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "contact", Naming::own, [&](std::string name, Place place, YamlNode node) {
    static constexpr Choice<bool> kAngular[] = {{"angles", false}, {"vector", true}};
    ContactDescription contact;
    contact.name = std::move(name);
    contact.place = place;
    const Fields fields(context, node,
                        {"body", "with", "point", "wheel", "sphere", "frame", "forbid", "forward", "friction", "bound", "law",
                         "laws", "sliding_friction", "angular", "restitution"});
    if (!fields) return;
    read_text(context, fields.require("body"), contact.body);
    read_text(context, fields.require("with", "an environment body, `world` or a body"), contact.with);
    read_one_of(context, fields, contact.geometry);
    read_heading(context, fields, contact);
    read_forbidden_axes(context, fields, contact);
    read_laws(context, fields["laws"], contact);
    read_limits(context, fields, contact);
    read_sliding_friction(context, fields["sliding_friction"], contact);
    read_impact_law(context, fields["restitution"], contact.friction ? "" : "without `friction` nothing acts along the surface",
                    contact.restitution);
    if (is_frame(contact.geometry) || !forbids(contact, ContactAxis::normal))
      fields.refuse("restitution", "the contact cannot be struck: it does not forbid `normal`, or is a `frame`");
    choose<bool>(context, fields["angular"], kAngular, contact.angular_as_vector);
    model.contacts.push_back(std::move(contact));
  });
}

}  // namespace vinculum
