// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "vinculum/constraints/tree_motion.h"
#include "vinculum/model/contact.h"

namespace vinculum {

// A sphere or a wheel on a curved surface touches where the search from below it leads; another part of the surface may reach
// into it all the same.
bool may_be_reached_into(const Contact& contact);

// The centre of such a sphere or wheel and the direction of its axis, as the surface sees them.
struct RoundPlace {
  Vector3 center, axis;
};
std::optional<RoundPlace> find_round_place(const Model& model, const Contact& contact, double t,
                                           std::span<const FrameMotion> links);

// How far the surface reaches into it [m], negative where it stays clear:
//
//   sphere  a - min |X - (x, y, f)|  over all (x, y) below it;      wheel  the deepest point of its rim below the surface
//
// The lowest points of a net, a sixteenth of the diameter fine, then downhill from each.
double compute_depth(const Contact& contact, const RoundPlace& place);

}  // namespace vinculum
