// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/surface_watch.h"

#include <algorithm>
#include <cmath>

#include "vinculum/constraints/contact_depth.h"
#include "vinculum/constraints/contact_state.h"
#include "vinculum/dynamics/kinematics.h"

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

// How deep a contact that a law presses is where it touches: that is its deformation, not another part of the surface.
double deformation_of(const Model& model, const Contact& contact, double t, std::span<const FrameMotion> links) {
  if (!contact.is_pressed_by_law()) return 0;
  const auto at = compute_contact_state(model, contact, t, links, false);
  return at && at->gap[0] ? std::max(-*at->gap[0], 0.0) : 0;
}

}  // namespace

SurfaceWatcher::SurfaceWatcher(const ConstraintSet& constraints) : constraints_(constraints) {
  for (size_t i = 0; i < constraints.model.contacts().size(); ++i) {
    if (may_be_reached_into(constraints.model.contacts()[i])) contacts_.push_back(static_cast<int>(i));
  }
}

double SurfaceWatcher::allowed_depth(const Contact& contact) { return 1e-6 * radius_of(contact); }

void SurfaceWatcher::place_links(int slot, const State& state) {
  std::vector<FrameMotion>& links = links_[static_cast<size_t>(slot)];
  links.resize(constraints_.model.tree().links.size());
  compute_frame_motions(constraints_.model, state.q, state.v, links, scratch_);
}

void SurfaceWatcher::look(double begin, double end, const std::function<State(double)>& state_at,
                          std::vector<ContactWatch>& watches) {
  const auto time = [&](int k) { return k == kLooks ? end : begin + (end - begin) * k / kLooks; };
  const auto place = [&](int k) { place_links(k, state_at(time(k))); };
  const auto place_on = [&](const Contact& contact, int k, double t) {
    return find_round_place(constraints_.model, contact, t, links_[static_cast<size_t>(k)]);
  };
  const auto depth_beside = [&](const Contact& contact, const RoundPlace& at, int k, double t) {
    return compute_depth(contact, at) - deformation_of(constraints_.model, contact, t, links_[static_cast<size_t>(k)]);
  };
  place(kLooks);
  bool moves = false;  // far enough for a look on the way
  if (begin != end) {
    place(0);
    place(kLooks / 2);
    for (const int i : contacts_) {
      const Contact& contact = constraints_.model.contacts()[i];
      const auto from = place_on(contact, 0, begin);
      for (const int k : {kLooks / 2, kLooks}) {
        const auto to = place_on(contact, k, time(k));
        moves = moves || !from || !to || moved_by(*from, *to, radius_of(contact)) >= radius_of(contact) / 16;
      }
    }
    for (int k = 1; moves && k < kLooks; ++k) {
      if (k != kLooks / 2) place(k);
    }
  }
  for (int i : contacts_) {
    const Contact& contact = constraints_.model.contacts()[i];
    ContactWatch& watch = watches[i];
    const double radius = radius_of(contact), allowed = allowed_depth(contact);
    auto looked_at = place_on(contact, begin == end ? kLooks : 0, begin);
    double clear_t = begin;
    for (int k = moves ? 1 : kLooks; k <= kLooks; ++k) {
      const double t = time(k);
      const auto here = place_on(contact, k, t);
      if (!here || (k < kLooks && looked_at && moved_by(*looked_at, *here, radius) < radius / 8)) continue;
      looked_at = here;
      const double depth = depth_beside(contact, *here, k, t);
      if (depth > watch.deepest) watch.deepest = depth, watch.deepest_t = t;
      if (depth > allowed && watch.first_inside == kNever) {
        // To round-off of t between the last look, where it was clear, and this one.
        double clear = clear_t, inside = t;
        for (int halved = 0; halved < 50 && clear != inside; ++halved) {
          const double middle = (clear + inside) / 2;
          place_links(kBetween, state_at(middle));
          const auto between = place_on(contact, kBetween, middle);
          (between && depth_beside(contact, *between, kBetween, middle) > allowed ? inside : clear) = middle;
        }
        watch.first_inside = inside;
      }
      clear_t = t;
    }
  }
}

}  // namespace vinculum
