// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/surface_watch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/constraints/contact_depth.h"

namespace vinculum {

namespace {

double radius_of(const Contact& contact) {
  if (const auto* wheel = std::get_if<WheelGeometry>(&contact.geometry)) return wheel->radius;
  return std::get<SphereGeometry>(contact.geometry).radius;
}

// By how much any point of it has moved, at most.
double moved_by(const RoundPlace& from, const RoundPlace& to, double radius) {
  return norm(to.center - from.center) + radius * norm(to.axis - from.axis);
}

}  // namespace

SurfaceWatcher::SurfaceWatcher(const ConstraintSet& constraints) : constraints_(constraints) {
  for (size_t i = 0; i < constraints.model.contacts().size(); ++i) {
    if (may_be_reached_into(constraints.model.contacts()[i])) contacts_.push_back(static_cast<int>(i));
  }
}

double SurfaceWatcher::allowed_depth(const Contact& contact) { return 1e-6 * radius_of(contact); }

void SurfaceWatcher::look(double begin, double end, const std::function<State(double)>& state_at,
                          std::vector<ContactWatch>& watches) const {
  constexpr int kLooks = 8;
  const auto time = [&](int k) { return k == kLooks ? end : begin + (end - begin) * k / kLooks; };
  const auto links_at = [&](double t) { return compute_tree_motion(constraints_.model, state_at(t)); };
  const auto place_on = [&](const Contact& contact, double t, std::span<const FrameMotion> links) {
    return find_round_place(constraints_.model, contact, t, links);
  };
  std::array<std::vector<FrameMotion>, kLooks + 1> links;
  for (int k = begin == end ? kLooks : 0; k <= kLooks; ++k) links[k] = links_at(time(k));
  for (int i : contacts_) {
    const Contact& contact = constraints_.model.contacts()[i];
    ContactWatch& watch = watches[i];
    const double radius = radius_of(contact), allowed = allowed_depth(contact);
    auto looked_at = place_on(contact, begin, links[begin == end ? kLooks : 0]);
    double clear_t = begin;
    for (int k = begin == end ? kLooks : 1; k <= kLooks; ++k) {
      const double t = time(k);
      const auto place = place_on(contact, t, links[k]);
      if (!place || (k < kLooks && looked_at && moved_by(*looked_at, *place, radius) < radius / 8)) continue;
      looked_at = place;
      const double depth = compute_depth(contact, *place);
      if (depth > watch.deepest) watch.deepest = depth, watch.deepest_t = t;
      if (depth > allowed && watch.first_inside == kNever) {
        // To round-off of t between the last look, where it was clear, and this one.
        double clear = clear_t, inside = t;
        for (int halved = 0; halved < 50 && clear != inside; ++halved) {
          const double middle = (clear + inside) / 2;
          const auto between = place_on(contact, middle, links_at(middle));
          (between && compute_depth(contact, *between) > allowed ? inside : clear) = middle;
        }
        watch.first_inside = inside;
      }
      clear_t = t;
    }
  }
}

}  // namespace vinculum
