// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/contact_law.h"
#include "vinculum/constraints/row_source.h"
#include "vinculum/expression/functions.h"
#include "vinculum/geometry/contact_geometry_kernel.h"
#include "vinculum/math/visit.h"

namespace vinculum {

// On a tape nothing is compared: what is written here is never searched for.
inline double value_of(const Traced&) { return 0; }

namespace {

bool needs_angular_axes(const Contact& contact) {
  return std::any_of(contact.forbid.begin(), contact.forbid.end(), is_angular) ||
         std::any_of(contact.laws.begin(), contact.laws.end(), [](const auto& law) { return is_angular(law.first); });
}

// ---- on the tape -----------------------------------------------------------------------------------------------------

struct TracedFrame {
  Matrix3Of<Traced> R;
  Vector3Of<Traced> p;
  TwistOf<Traced> velocity;  // world axes
};

TracedFrame frame_of(const Body& body, const TracedTree& tree) {
  const LinkInWorld<Traced>& link = tree.links[body.link];
  return {link.R * lift_matrix<Traced>(body.R_LB), link.p, {link.R * link.velocity.linear, link.R * link.velocity.angular}};
}

TracedFrame carrier_of(const Model& model, const Contact& contact, const TracedTree& tree) {
  switch (contact.with.on) {
    case Anchor::On::body: return frame_of(model.bodies()[contact.with.index], tree);
    case Anchor::On::environment: {
      const EnvironmentMotionOf<Traced>& motion = tree.environment[contact.with.index];
      return {motion.R_WE, motion.p_WE, motion.velocity};
    }
    case Anchor::On::world: break;
  }
  return {lift_matrix<Traced>(kIdentity3), {}, {}};
}

// ---- forces ----------------------------------------------------------------------------------------------------------

// Of one contact: along each axis the force of its law, and what the friction is per unit of the normal multiplier.
//
//   law:               -stiffness gap - viscous Y , or as contact_law.h has it
//   sliding friction:  -mu N tanh(|Y_t|/v0) Y_t/|Y_t| , N the positive part of the normal multiplier or law  theory 1, section 4
struct AxisForces {
  std::array<double, 6> forces{}, per_normal{};
};

AxisForces compute_axis_forces(const Contact& contact, const ContactState& at, bool holds, bool has_normal_row) {
  AxisForces result;
  for (const auto& [axis, law] : contact.laws) {
    const int a = static_cast<int>(axis);
    if (holds) result.forces[a] = compute_acting_force(law, at.gap[a].value_or(0), at.rate[a]);
  }
  if (!contact.sliding_friction) return result;
  const auto [mu, v0] = *contact.sliding_friction;
  double squares = 0;
  for (ContactAxis axis : {ContactAxis::lateral, ContactAxis::forward}) {
    if (!contact.forbids(axis)) squares += at.rate[static_cast<int>(axis)] * at.rate[static_cast<int>(axis)];
  }
  const double speed = std::sqrt(squares), factor = speed > 0 ? std::tanh(speed / v0) / speed : 1 / v0;
  for (ContactAxis axis : {ContactAxis::lateral, ContactAxis::forward}) {
    const int a = static_cast<int>(axis);
    if (contact.forbids(axis)) continue;
    result.per_normal[a] = -mu * factor * at.rate[a];
    if (!has_normal_row) result.forces[a] += result.per_normal[a] * std::max(result.forces[0], 0.0);
  }
  return result;
}

// ---- the source ------------------------------------------------------------------------------------------------------

// The forbidden axes of contacts (contact_state.h), and the laws on those that are allowed.
class ContactSource : public RowSource {
 public:
  std::optional<Failure> compute(const ConstraintSet& set, const State& state, ConstraintRows& rows) const override {
    const Model& model = set.model;
    rows.contacts.resize(model.contacts().size());
    for (size_t k = 0; k < rows.contacts.size(); ++k) {
      const Contact& contact = model.contacts()[k];
      // Of a contact that is apart the gap counts, and it is that of the whole body, so that nothing comes through the surface
      // unseen. Where the place it would touch at is not defined, the rest of its state is left zero.
      auto failure = compute_contact_state(model, contact, state.t, rows.links, rows.environment,
                                           {needs_angular_axes(contact), set.is_there(contact)}, rows.contacts[k]);
      if (set.is_there(contact)) {
        if (failure) return failure;
        continue;
      }
      const ContactState& at = rows.contacts[k];
      if (failure || !std::isfinite(at.rate[0]) || !std::isfinite(at.gamma[0]) || !std::isfinite(*at.gap[0]))
        rows.contacts[k] = compute_distant_state(model, contact, state.t, rows.links);
    }
    for (const Row& row : model.rows()) {
      const auto* origin = row.from<ContactRow>();
      if (origin == nullptr) continue;
      const Contact& contact = model.contacts()[origin->contact];
      set_axis(contact, rows.contacts[origin->contact], origin->axis, rows.all[row.index]);
    }
    return std::nullopt;
  }

  RowPlace place_in_tree(const Model& model, const Row& row) const override {
    const Contact& contact = model.contacts()[row.from<ContactRow>()->contact];
    return {RowPlace::Kind::wrench, contact.body, contact.with.on == Anchor::On::body ? contact.with.index : kWorld, -1};
  }

  void add_forces(const ConstraintSet& set, const ConstraintRows& rows, ContactForces& result) const override {
    const Scratch::Frame frame(result.scratch);
    VectorMap row = result.scratch.vector(set.model.tree().velocities);
    for (size_t k = 0; k < set.model.contacts().size(); ++k) {
      const Contact& contact = set.model.contacts()[k];
      if (contact.laws.empty() && !contact.sliding_friction) continue;
      const ContactState& at = rows.contacts[k];
      const int index = static_cast<int>(k), normal = find_axis(set, index, ContactAxis::normal);
      const AxisForces along = compute_axis_forces(contact, at, set.is_there(contact), normal >= 0);
      for (ContactAxis axis : kContactAxes) {
        if (!contact.has_law(axis)) continue;
        const int a = static_cast<int>(axis);
        compute_row(set, rows, at_axis(contact, at, axis), {row.data(), static_cast<size_t>(row.size())});
        const bool coupled = contact.rubs(axis) && normal >= 0;
        result.forces += along.forces[a] * row;
        if (coupled) {
          result.couple_some(set);
          result.coupling.col(normal) += along.per_normal[a] * row;
        }
        result.laws.push_back(
            {contact.row_name(axis), index, axis, along.forces[a], coupled ? along.per_normal[a] : 0, coupled ? normal : -1});
      }
    }
  }

  // As compute_contact_state.
  TracedRow write(const Model& model, const Row& row, const TracedTree& tree) const override {
    const ContactRow& origin = *row.from<ContactRow>();
    const Contact& contact = model.contacts()[origin.contact];
    const TracedFrame carrier = carrier_of(model, contact, tree), body = frame_of(model.bodies()[contact.body], tree);
    const Vector3Of<Traced> r = body.p - carrier.p;
    const BodyInCarrier<Traced> seen{transpose(carrier.R) * body.R, transpose_times(carrier.R, r)};
    const ContactFrame<Traced> at = contact_frame<Traced>(contact, seen, {});
    const WrenchOf<Traced> unit = plain_rows(contact, seen, at, is_angular(origin.axis))[static_cast<int>(origin.axis)];

    TracedRow result;
    result.is_wrench = true;
    result.on = contact.body;
    if (contact.with.on == Anchor::On::body) result.against = contact.with.index;
    result.point_W = body.p;
    result.wrench_W = {carrier.R * unit.force, carrier.R * unit.moment};
    const auto& [force, moment] = result.wrench_W;
    const Vector3Of<Traced> carried = carrier.velocity.linear + cross(carrier.velocity.angular, r);
    result.rate = dot(force, body.velocity.linear - carried) + dot(moment, body.velocity.angular - carrier.velocity.angular);
    if (contact.with.on == Anchor::On::environment) result.given = dot(force, carried) + dot(moment, carrier.velocity.angular);
    return result;
  }

  std::optional<Failure> check_series(const Model& model) const override {
    for (const Contact& contact : model.contacts()) {
      const auto refuse = [&](const std::string& why) {
        return Failure{"VN-RUN-015",
                       fmt::format("the motion with contact '{}' is not computed as a power series: {}", contact.name, why),
                       "take --integrator dop853"};
      };
      if (contact.path) return refuse("it follows a path");
      if (!contact.laws.empty() || contact.sliding_friction) return refuse("it has laws of force");
      if (!contact.is_frame() && std::ranges::any_of(contact.forbid, is_angular))
        return refuse("it holds a rolling body upright");
      if (contact.is_round() && !contact.surface.is_plane)
        return refuse("where a wheel or a sphere touches a curved surface is searched for");
      if (!contact.is_frame() && !contact.surface.is_plane && !contact.surface.f.is_analytic())
        return refuse(fmt::format("its surface uses {}", kink_name(contact.surface.f)));
    }
    return std::nullopt;
  }

  std::string_view held_position(const Model& model, const Row& row) const override {
    const ContactAxis axis = row.from<ContactRow>()->axis;
    const Contact& contact = model.contacts()[row.from<ContactRow>()->contact];
    // As the gaps of contact_state.cc.
    const bool holds =
        std::visit(Overloaded{[&](const PointGeometry&) { return axis == ContactAxis::normal; },
                              [&](const SphereGeometry&) { return axis == ContactAxis::normal; },
                              [&](const WheelGeometry&) { return axis == ContactAxis::normal || axis == ContactAxis::roll; },
                              [&](const FrameGeometry&) { return !is_angular(axis) || !contact.angular_as_vector; }},
                   contact.geometry);
    return !holds ? "" : is_angular(axis) ? "it holds an angle" : "it holds a distance";
  }

  std::string moved_by(const Model& model, const Row& row) const override {
    const int index = row.from<ContactRow>()->contact;
    return is_moved_by_law(model, model.contacts()[index]) ? *model.description().contacts[index].with : "";
  }

  void list_quantities(const Model& model, std::vector<RowQuantity>& list) const override {
    for (const ContactAxisName& law : list_law_axes(model.contacts()))
      list.push_back({law.name, is_angular(law.axis) ? "N*m" : "N", kForces, "reactions", "", "by its law"});
    for (const ContactAxisName& slip : list_slip_axes(model.contacts()))
      list.push_back({slip.name, "m/s", kSlip, "slip", slip.name + " slip", "slip", false});
  }

  void compute_quantities(const ConstraintSet& set, const ConstrainedDynamics& dynamics,
                          std::vector<double>& values) const override {
    for (const ContactForces::Law& law : dynamics.forces.laws) values.push_back(law.force);
    for (const ContactAxisName& slip : list_slip_axes(set.model.contacts()))
      values.push_back(dynamics.rows.contacts[slip.contact].rate[static_cast<int>(slip.axis)]);
  }

  void list_elements(const Model& model, std::vector<RowElement>& list) const override {
    for (size_t k = 0; k < model.contacts().size(); ++k) {
      const Contact& contact = model.contacts()[k];
      RowElement element{"contact", kContacts, contact.name, {}, {}, {}, {}, {}, contact.mode, 1};
      element.words = {{"body", model.bodies()[contact.body].name}, {"with", *model.description().contacts[k].with}};
      for (const ContactAxis axis : kContactAxes) {
        const int a = static_cast<int>(axis);
        if (a < 3) element.axes[a] = axis_name(axis);
        (a < 3 ? element.holds_along[a] : element.holds_about[a - 3]) = contact.forbids(axis);
        if (has_force(contact, axis)) element.strengths.push_back(contact.row_name(axis));
      }
      list.push_back(std::move(element));
    }
  }

  void place_elements(const ConstraintSet& set, const ConstraintRows& rows, std::vector<RowElementAt>& list) const override {
    for (size_t k = 0; k < rows.contacts.size(); ++k) {
      const ContactState& at = rows.contacts[k];
      RowElementAt& placed = list.emplace_back(RowElementAt{at.point_W, at.E_W, {}});
      for (const ContactAxis axis : kContactAxes) {
        if (has_force(set.model.contacts()[k], axis)) placed.unit_forces_W.push_back(at.axes[static_cast<int>(axis)].force);
      }
    }
  }

  void list_reactions(const ConstrainedDynamics& dynamics, std::vector<ElementReaction>& list) const override {
    list.insert(list.end(), dynamics.reactions.begin(), dynamics.reactions.end());
  }

  void list_answers(std::vector<RowAnswer>& list) const override {
    list.insert(list.end(), {{kSlip}, {kForces, true}, {kContacts}});
  }

  bool sees_environment(const Model& model) const override { return !model.contacts().empty(); }

  void list_working(const Model& model, std::vector<std::string>& elements) const override {
    for (const Contact& contact : model.contacts()) {
      if (does_work(model, contact)) elements.push_back(fmt::format("contact '{}'", contact.name));
    }
  }

 private:
  static constexpr const char *kSlip = "slip", *kForces = "contact_forces", *kContacts = "contacts";

  static bool has_force(const Contact& contact, ContactAxis axis) { return contact.forbids(axis) || contact.has_law(axis); }

  static RowAt at_axis(const Contact& contact, const ContactState& state, ContactAxis axis) {
    RowAt at;
    set_axis(contact, state, axis, at);
    return at;
  }

  static void set_axis(const Contact& contact, const ContactState& state, ContactAxis axis, RowAt& at) {
    const int a = static_cast<int>(axis);
    at.given = state.given[a];
    at.gamma = state.gamma[a];
    at.rate = state.rate[a];
    at.gap = state.gap[a];
    at.is_wrench = true;
    at.on = contact.body;
    if (contact.with.on == Anchor::On::body) at.against = contact.with.index;
    at.point_W = state.pole_W;
    at.wrench_W = state.axes[a];
  }

  // Among the constraints that are there, or -1.
  static int find_axis(const ConstraintSet& set, int contact, ContactAxis axis) {
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const auto* origin = set.rows[i].from<ContactRow>();
      if (origin != nullptr && origin->contact == contact && origin->axis == axis) return static_cast<int>(i);
    }
    return -1;
  }
};

}  // namespace

const RowSource& contact_source() {
  static const ContactSource source;
  return source;
}

}  // namespace vinculum
