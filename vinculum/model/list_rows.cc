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
    for (size_t i = 0; i < model_.face_pairs().size(); ++i) add_pair(static_cast<int>(i));
    for (size_t i = 0; i < model_.driven().size(); ++i) add_motion(static_cast<int>(i));
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
      list_.one_sided.push_back({contact.name, row.index, mode, 0, contact.restitution, true, "touch-down", "lift-off", others});
    }
  }

  // The multiplier does power on the slip: N m/s by the slip's unit. Where bare numbers leave that open: of a sum of rotations
  // it is an angle's.
  void add_equation(int index) {
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
      list_.one_sided.push_back({limit.name, row.index, mode, 1, limit.restitution, false, "stop", "release", false});
    }
  }

  // The row is always there; the mode says which face carries it, and with it its friction.
  void add_pair(int index) {
    const FacePair& pair = model_.face_pairs()[index];
    add(pair.name, "N", fmt::format("guide '{}' of body '{}'", words_.guides[pair.guide].name, model_.bodies()[pair.body].name),
        GuideRow{index});
    list_.modes_of_pairs.push_back(static_cast<int>(list_.modes.size()));
    list_.modes.push_back({pair.name, {"face1", "none", "face2"}, kNoFace});
    list_.modes_of_slides.push_back(pair.rubs() ? static_cast<int>(list_.modes.size()) : -1);
    if (pair.rubs()) list_.modes.push_back({pair.name + ".slide", {"backward", "rests", "forward"}, kForward});
  }

  void add_motion(int index) {
    const DrivenCoordinate& driven = model_.driven()[index];
    const std::string& coordinate = model_.coordinate_names()[driven.q];
    add("motion:" + coordinate, units_.forces[driven.v], fmt::format("motion of '{}'", coordinate), MotionRow{index});
  }

  const Model& model_;
  const ModelDescription& words_;
  StateUnits units_;
  RowList list_;
};

}  // namespace

RowList list_rows(const Model& model, const ModelDescription& words) { return RowLister(model, words).list(); }

}  // namespace vinculum
