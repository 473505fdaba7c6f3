// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/point_loops.h"

#include <algorithm>

namespace vinculum {

namespace {

bool holds_a_point(const Contact& contact) {
  return contact.is_frame() && !contact.path && contact.with.on != Anchor::On::environment && !contact.forbid.empty() &&
         std::ranges::none_of(contact.forbid, is_angular) && contact.laws.empty() && !contact.sliding_friction;
}

}  // namespace

std::optional<LoopSolver> make_loop_solver(const ConstraintSet& set) {
  const Model& model = set.model;
  const auto is_of_contact = [](const Row& row) { return row.from<ContactRow>() != nullptr; };
  if (model.contacts().empty() || !model.joint_limits().empty() || !std::ranges::all_of(model.rows(), is_of_contact))
    return std::nullopt;
  std::vector<LoopRows> loops;
  const auto& bodies = model.bodies();
  for (size_t index = 0; index < model.contacts().size(); ++index) {
    const Contact& contact = model.contacts()[index];
    if (!holds_a_point(contact)) return std::nullopt;
    const FrameGeometry& frame = std::get<FrameGeometry>(contact.geometry);
    const Matrix3 R_LB = contact.with.on == Anchor::On::body ? bodies[contact.with.index].R_LB : kIdentity3;
    LoopRows loop;
    loop.on = contact.link;
    loop.against = contact.carrier_link;
    loop.p_on = bodies[contact.body].R_LB * frame.body_point;
    loop.p_against = R_LB * frame.environment_point;
    for (int k = 0; k < 3; ++k) {
      loop.active[k] = std::ranges::any_of(set.rows, [&](const Row& row) {
        const auto* origin = row.from<ContactRow>();
        return origin != nullptr && origin->contact == static_cast<int>(index) && origin->axis == kContactAxes[k];
      });
      if (loop.active[k]) loop.force.column(k) = R_LB * frame.environment_rotation.column(k);
    }
    const auto active = std::ranges::count(loop.active, true);
    loop.kind = active == 3 ? LoopRows::Kind::ball : LoopRows::Kind::point;
    if (active > 0) loops.push_back(loop);
  }
  return LoopSolver(model, std::move(loops));
}

}  // namespace vinculum
