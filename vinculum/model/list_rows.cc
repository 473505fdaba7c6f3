// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/list_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/model/units.h"

namespace vinculum {

namespace {

class RowLister {
 public:
  RowLister(const Model& model, const ModelDescription& words) : model_(model), words_(words), units_(state_units(model)) {}

  RowList list() {
    for (size_t i = 0; i < model_.contacts().size(); ++i) add_contact(static_cast<int>(i));
    for (size_t i = 0; i < model_.velocity_equations().size(); ++i) add_equation(static_cast<int>(i));
    for (size_t i = 0; i < model_.joint_limits().size(); ++i) add_stops(static_cast<int>(i));
    for (size_t i = 0; i < model_.strings().size(); ++i) add_string(static_cast<int>(i));
    for (size_t i = 0; i < model_.face_pairs().size(); ++i) add_pair(static_cast<int>(i));
    for (size_t i = 0; i < model_.driven().size(); ++i) add_motion(static_cast<int>(i));
    add_grips();
    return std::move(list_);
  }

 private:
  Row& add(std::string name, std::string unit, std::string element, RowOrigin origin) {
    list_.rows.push_back({std::move(name), std::move(unit), std::move(element), origin, static_cast<int>(list_.rows.size())});
    return list_.rows.back();
  }

  void add_contact(int index) {
    const Contact& contact = model_.contacts()[index];
    const std::string element = fmt::format("contact '{}' of body '{}'", contact.name, model_.bodies()[contact.body].name);
    const int mode = contact.can_lift_off() ? static_cast<int>(list_.modes.size()) : -1;
    list_.modes_of_contacts.push_back(mode);
    if (mode >= 0) list_.modes.push_back({contact.name, {"apart", "holds"}, 1});
    for (const ContactAxis axis : contact.forbid) {
      Row& row = add(contact.row_name(axis), is_angular(axis) ? "N*m" : "N", element, ContactRow{index, axis});
      row.mode = mode;
      row.when = 1;
      if (mode < 0 || axis != ContactAxis::normal) continue;
      const bool others = contact.forbid.size() > 1 || contact.sliding_friction;
      list_.one_sided.push_back({{ElementKind::contact, index},
                                 contact.name,
                                 row.index,
                                 mode,
                                 0,
                                 contact.restitution,
                                 true,
                                 EventKind::touch_down,
                                 EventKind::lift_off,
                                 others});
    }
  }

  // The multiplier does power on the slip: N m/s by the slip's unit. Where bare numbers leave that open: of a sum of rotations
  // it is an angle's.
  void add_equation(int index) {
    if (const int joint = model_.velocity_equations()[index].joint; joint >= 0) {
      const Body& body = model_.bodies()[joint];
      add(body.name + ".friction", units_.forces[body.v], fmt::format("friction of joint '{}'", body.name), EquationRow{index});
      return;
    }
    const int constraint = model_.velocity_equations()[index].constraint;
    const VelocityConstraintDescription& words = words_.velocity_constraints[constraint];
    int number = 0;  // among the equations of this constraint
    while (index > number && model_.velocity_equations()[index - number - 1].constraint == constraint) ++number;
    const auto& terms = model_.velocity_equations()[index].by_velocity;
    const bool turns = std::all_of(terms.begin(), terms.end(), [&](const auto& term) {
      return units_.forces[term.index] == "N*m" && term.factor.is_constant();
    });
    Dimension slip = turns ? kAngularVelocity : kVelocity;
    if (static_cast<size_t>(number) < words.dimensions.size()) slip = words.dimensions[number].value_or(slip);
    const Dimension force = kForce * kVelocity / slip;
    add(words.numbered ? fmt::format("{}.{}", words.name, number + 1) : words.name, force == kMoment ? "N*m" : to_text(force),
        fmt::format("velocity constraint '{}'", words.name), EquationRow{index});
  }

  void add_stops(int index) {
    const JointLimit& limit = model_.joint_limits()[index];
    const int mode = static_cast<int>(list_.modes.size());
    if (!std::isfinite(limit.lower) && !std::isfinite(limit.upper)) return;
    list_.modes.push_back({limit.name + ".stop", {"lower", "free", "upper"}, 1});
    for (const bool upper : {false, true}) {
      if (!std::isfinite(upper ? limit.upper : limit.lower)) continue;
      Row& row = add(fmt::format("{}.{}", limit.name, upper ? "upper" : "lower"), units_.forces[limit.velocity],
                     fmt::format("stop of joint '{}'", limit.name), StopRow{index, upper});
      row.mode = mode;
      row.when = upper ? 2 : 0;
      list_.one_sided.push_back({{ElementKind::joint_limit, index},
                                 limit.name,
                                 row.index,
                                 mode,
                                 1,
                                 limit.restitution,
                                 false,
                                 EventKind::stop,
                                 EventKind::release,
                                 false});
    }
  }

  void add_string(int index) {
    const StringElement& string = model_.strings()[index];
    const int mode = static_cast<int>(list_.modes.size());
    list_.modes.push_back({string.name, {"slack", "taut"}, 1});
    Row& row = add(string.name, "N", fmt::format("string '{}'", string.name), StringRow{index});
    row.plot = "tensions";
    row.mode = mode;
    row.when = 1;
    list_.one_sided.push_back({{ElementKind::string, index},
                               string.name,
                               row.index,
                               mode,
                               0,
                               string.restitution,
                               true,
                               EventKind::taut,
                               EventKind::slack,
                               false,
                               true});
  }

  // The row is always there; the mode says which face carries it, and with it its friction. A face that is a point may stick.
  void add_pair(int index) {
    const FacePair& pair = model_.face_pairs()[index];
    add(pair.name, "N", fmt::format("guide '{}' of body '{}'", words_.guides[pair.guide].name, model_.bodies()[pair.body].name),
        GuideRow{index});
    list_.modes_of_pairs.push_back(static_cast<int>(list_.modes.size()));
    list_.modes.push_back({pair.name, {"face1", "none", "face2"}, kNoFace});
    list_.modes_of_slides.push_back(pair.rubs() ? static_cast<int>(list_.modes.size()) : -1);
    if (!pair.rubs()) return;
    add_memory({pair.name + ".held", "1, N, N, N, N*m", 0, 5});
    list_.modes.push_back({pair.name + ".slide", {"backward", "rests", "forward", "sticks"}, kForward});
    if (!pair.rubs_as_point()) return;
    for (int direction = 0; direction < 2; ++direction) {
      Row& row = add(fmt::format("{}.{}", pair.name, direction == 0 ? "along" : "across"), "N", list_.rows.back().element,
                     StickRow{index, direction});
      row.mode = list_.modes_of_slides.back();
      row.when = kSticks;
    }
  }

  void add_motion(int index) {
    const DrivenCoordinate& driven = model_.driven()[index];
    const std::string& coordinate = model_.coordinate_names()[driven.q];
    Row& row = add("motion:" + coordinate, units_.forces[driven.v], fmt::format("motion of '{}'", coordinate), MotionRow{index});
    row.is_drive = true;
    row.plot = "driving forces";
  }

  int find_row(const std::string& name) const {
    const auto found = std::find_if(list_.rows.begin(), list_.rows.end(), [&](const Row& row) { return row.name == name; });
    return found == list_.rows.end() ? -1 : found->index;
  }

  void add_grips() {
    for (size_t i = 0; i < model_.contacts().size(); ++i) add_grips_of_contact(static_cast<int>(i));
    for (size_t i = 0; i < words_.velocity_constraints.size(); ++i) add_grip_of_constraint(static_cast<int>(i));
    for (size_t i = 0; i < model_.bodies().size(); ++i) add_grip_of_joint(static_cast<int>(i));
  }

  // The tangent of a contact, as a vector; or each axis with a bound of its own.
  void add_grips_of_contact(int index) {
    const Contact& contact = model_.contacts()[index];
    const ContactDescription& words = words_.contacts[index];
    Grip grip;
    grip.contact = index;
    grip.law = words.law.value_or(SlipLaw{});
    for (const ContactAxis axis : {ContactAxis::lateral, ContactAxis::forward}) {
      if (contact.forbids(axis)) grip.rows.push_back(find_row(contact.row_name(axis)));
    }
    if (grip.rows.empty()) return;
    grip.name = words.name;
    grip.judged = words.name + (words.friction ? ".friction" : ".bound");
    grip.bound = words.bound;
    grip.friction = words.friction;
    if (words.friction) grip.normal = find_row(contact.row_name(ContactAxis::normal));
    const bool presses = grip.normal >= 0 || contact.is_pressed_by_law();
    if (words.bound || (words.friction ? presses : words.law && words.axis_bounds.empty())) add_grip(grip);
    for (const auto& [axis, bound] : words.axis_bounds) {
      const int row = find_row(contact.row_name(axis));
      if (row < 0) continue;
      grip.rows = {row};
      grip.name = grip.judged = list_.rows[row].name;
      grip.bound = bound;
      add_grip(grip);
    }
  }

  void add_grip_of_constraint(int index) {
    const VelocityConstraintDescription& words = words_.velocity_constraints[index];
    if (words.permanent || (!words.bound && !words.friction && !words.law)) return;
    Grip grip;
    grip.name = grip.judged = words.name;
    grip.law = words.law.value_or(SlipLaw{});
    grip.bound = words.bound;
    grip.friction = words.friction;
    if (words.friction) grip.normal = find_row(*words.normal);
    for (const Row& row : list_.rows) {
      const auto* origin = row.from<EquationRow>();
      if (origin != nullptr && model_.velocity_equations()[origin->equation].constraint == index) grip.rows.push_back(row.index);
    }
    add_grip(grip);
  }

  void add_grip_of_joint(int body) {
    const auto& words = words_.bodies[body].joint.friction;
    if (!words) return;
    Grip grip;
    grip.name = words_.bodies[body].name;
    grip.judged = grip.name + ".friction";
    grip.joint = body;
    grip.bound = words->bound;
    if (words->bound) grip.bound_at_rest = words->at_rest;
    if (words->coefficient)
      grip.bearing = {*words->coefficient, words->at_rest.value_or(*words->coefficient), words->radius, words->collar};
    grip.rows = {find_row(grip.judged)};
    add_grip(std::move(grip));
  }

  void add_grip(Grip grip) {
    grip.mode = static_cast<int>(list_.modes.size());
    for (const int row : grip.rows) list_.rows[row].grip = static_cast<int>(list_.grips.size());
    ElementMode mode{grip.joint >= 0 ? grip.judged : grip.name + ".grip", {"sticks", "slips"}, Grip::sticks};
    if (grip.is_single()) mode.words = {"sticks", "forward", "backward"};
    if (grip.is_single() && (grip.has_play() || grip.law.kind == SlipLawKind::dead_zone))
      mode.words.insert(mode.words.end(), {"free", "front edge", "back edge"});
    add_memory_of_law(grip);
    list_.modes.push_back(std::move(mode));
    grip.index = static_cast<int>(list_.grips.size());
    list_.grips.push_back(std::move(grip));
  }

  void add_memory_of_law(Grip& grip) {
    Memory memory;
    switch (grip.law.kind) {
      case SlipLawKind::backlash: memory = {grip.name + ".play", "m"}; break;
      case SlipLawKind::lag: memory = {grip.name + ".lag", "N, s", 0, 2}; break;
      case SlipLawKind::delay: memory = {grip.name + ".turns", "s", 0, 1 + Memory::kMostTurns, true}; break;
      case SlipLawKind::sign:
      case SlipLawKind::viscous:
      case SlipLawKind::saturated:
      case SlipLawKind::tanh:
      case SlipLawKind::algebraic:
      case SlipLawKind::arctan:
      case SlipLawKind::dead_zone:
      case SlipLawKind::hysteresis:
      case SlipLawKind::stribeck: return;
    }
    grip.memory = static_cast<int>(list_.memories.size());
    add_memory(std::move(memory));
  }

  void add_memory(Memory memory) {
    if (!list_.memories.empty()) memory.first = list_.memories.back().first + list_.memories.back().size;
    list_.memories.push_back(std::move(memory));
  }

  const Model& model_;
  const ModelDescription& words_;
  StateUnits units_;
  RowList list_;
};

}  // namespace

RowList list_rows(const Model& model, const ModelDescription& words) { return RowLister(model, words).list(); }

}  // namespace vinculum
