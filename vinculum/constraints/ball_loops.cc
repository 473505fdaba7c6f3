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
  std::vector<ClosedLoop> loops;
  for (const Contact& contact : set.contacts) {
    if (!is_ball(contact)) return std::nullopt;
    const FrameGeometry& frame = std::get<FrameGeometry>(contact.geometry);
    const int other = contact.with.on == Anchor::On::body ? contact.with.index : kWorld;
    loops.push_back({contact.body, frame.body_point, other, frame.environment_point});
  }
  return LoopSolver(set.model, loops);
}

}  // namespace vinculum
