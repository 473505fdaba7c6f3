// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/ball_loops.h"

namespace vinculum {

namespace {

bool is_ball(const Contact& contact) {
  return contact.is_frame() && !contact.path && contact.with.on != Anchor::On::environment && contact.forbid.size() == 3 &&
         contact.forbids(ContactAxis::normal) && contact.forbids(ContactAxis::lateral) && contact.forbids(ContactAxis::forward) &&
         contact.laws.empty() && !contact.sliding_friction;
}

}  // namespace

std::optional<LoopSolver> make_loop_solver(const ConstraintSet& set) {
  if (!set.model.driven().empty() || set.contacts.empty()) return std::nullopt;
  std::vector<LoopRows> loops;
  const auto& bodies = set.model.bodies();
  for (const Contact& contact : set.contacts) {
    if (!is_ball(contact)) return std::nullopt;
    const FrameGeometry& frame = std::get<FrameGeometry>(contact.geometry);
    LoopRows loop;
    loop.on = contact.link;
    loop.against = contact.carrier_link;
    loop.p_on = bodies[contact.body].R_LB * frame.body_point;
    loop.p_against =
        contact.with.on == Anchor::On::body ? bodies[contact.with.index].R_LB * frame.environment_point : frame.environment_point;
    loops.push_back(loop);
  }
  return LoopSolver(set.model, std::move(loops));
}

}  // namespace vinculum
