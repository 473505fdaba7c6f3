// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/surface_watch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/dynamics/kinematics.h"
#include "vinculum/geometry/contact_state.h"
#include "vinculum/geometry/near_places.h"

namespace vinculum {

namespace {

constexpr int kMostHalvingsOfWay = 24, kMostSearches = 400;
constexpr double kTouch = 1e-9;  // of the length scale: what is apart may be this deep by round-off

// The places where a contact is nearest on the way, as ranges of x and y, or of the angle of a rim; each may be passed by as much
// as two that follow each other differ.
std::array<Interval, 2> range_of(const SweptShape& swept, std::span<const std::array<double, 2>> places) {
  std::array<Interval, 2> range;
  for (int k = 0; k < 2; ++k) {
    double widest = 0, last = places[0][k];
    range[k] = {last, last};
    for (const auto& place : places) {
      double here = place[k];
      if (swept.kind == SweptShape::Kind::wheel) here = last + std::remainder(here - last, 2 * M_PI);
      range[k] = hull(range[k], {here, here});
      widest = std::max(widest, std::abs(here - last));
      last = here;
    }
    range[k] = widened(range[k], widest);
  }
  return range;
}

}  // namespace

SurfaceWatcher::SurfaceWatcher(const ConstraintSet& constraints)
    : constraints_(constraints), open_(constraints.model.contacts().size(), false) {
  const std::vector<Contact>& contacts = constraints.model.contacts();
  for (size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].is_frame() || contacts[i].surface.is_plane) continue;
    curved_.push_back(static_cast<int>(i));
    if (may_be_reached_into(contacts[i])) round_.push_back(static_cast<int>(i));
  }
}

SurfaceWatcher::Place SurfaceWatcher::place_at(int index, const State& state) {
  const Model& model = constraints_.model;
  const Contact& contact = model.contacts()[index];
  links_.resize(model.tree().links.size());
  compute_frame_motions(model, state.q, state.v, links_, scratch_);
  Place place;
  if (const auto body = compute_relative_motion(model, contact, state.t, links_))
    place.shape = place_shape(contact, body->R, body->p);
  if (!may_be_reached_into(contact)) return place;
  place.depth = -radius_of(contact);
  if (const auto at = compute_contact_state(model, contact, state.t, links_, {false, constraints_.is_there(contact)})) {
    place.point = at->point_C;
    place.foot = at->foot_C;
    place.gap = *at->gap[0];
    place.has_place = true;
    if (at->beside) place.depth = -*at->beside;
    place.clear = place.gap;
  }
  // Far away the place below the centre is not the nearest one.
  if (place.shape.kind == SweptShape::Kind::sphere && place.clear > 0.9 * radius_of(contact))
    place.clear = find_near_places(contact.surface, place.shape, 0, false).beyond;
  return place;
}

// Not where the surface is too flat for a second place, from the nearest one to the farthest that the way can lead to.
bool SurfaceWatcher::needs_search(int index, const Place& begin, const Place& end) const {
  const Contact& contact = constraints_.model.contacts()[index];
  if (!may_be_reached_into(contact)) return !constraints_.is_there(contact);
  if (!begin.has_place || !end.has_place) return true;
  const auto is_flat_for = [&](const Place& place) {
    return is_gentle(contact.surface, place.shape, radius_of(contact) + std::max(place.gap, 0.0));
  };
  return !is_flat_for(begin) || !is_flat_for(end);
}

std::optional<double> SurfaceWatcher::find_first(Search& search, double begin, double end, const Place& from, const Place& to,
                                                 int halvings) {
  constexpr int kBetween = 3;
  const Contact& contact = constraints_.model.contacts()[search.contact];
  const bool touches = constraints_.is_there(contact);
  const double allowed = touches ? allowed_depth(contact) : kTouch * constraints_.model.scales().length;
  if (--search.left < 0) {
    search.is_open = true;
    return std::nullopt;
  }
  std::array<Place, kBetween> between;
  std::array<SweptShape, kBetween> shapes;
  for (int k = 0; k < kBetween; ++k) {
    between[k] = place_at(search.contact, search.state_at(begin + (end - begin) * (k + 1) / (kBetween + 1)));
    shapes[k] = between[k].shape;
  }
  const SweptShape swept = sweep_shape(from.shape, to.shape, shapes);
  Clearance found{Clearance::Is::open, 0};
  // Both ends of the way are farther from the surface than the way is long. Distances of spheres are those of all directions.
  const double way = norm(swept.center[1] - swept.center[0]) + 2 * swept.doubt;
  if (!touches && swept.kind == SweptShape::Kind::sphere && from.clear + to.clear > way) found.is = Clearance::Is::clear;
  if (!touches && found.is != Clearance::Is::clear) found = check_clearance(contact.surface, swept, allowed, std::nullopt);
  if (found.is != Clearance::Is::clear && may_be_reached_into(contact)) {
    std::array<std::array<double, 2>, kBetween + 2> places;
    bool has_places = true;
    for (int k = 0; k < kBetween + 2; ++k) {
      const Place& place = k == 0 ? from : k <= kBetween ? between[k - 1] : to;
      has_places = has_places && place.has_place;
      const double s = static_cast<double>(k) / (kBetween + 1);
      const Vector3 outward = place.point - place.shape.center[0];
      places[k] =
          swept.kind == SweptShape::Kind::sphere
              ? std::array{place.foot.x, place.foot.y}
              : std::array{std::atan2(dot(outward, swept.outward_at(M_PI / 2, s)), dot(outward, swept.outward_at(0, s))), 0.0};
    }
    if (has_places) found = check_clearance(contact.surface, swept, allowed, range_of(swept, places));
    if (found.is == Clearance::Is::clear) search.followed.insert(search.followed.end(), {begin, end});
  }
  if (found.is == Clearance::Is::clear) return std::nullopt;
  if (halvings == kMostHalvingsOfWay) {
    // As short as this it is as good as its end.
    if (found.is == Clearance::Is::reached) return end;
    return std::nullopt;
  }
  const Place& middle = between[kBetween / 2];
  const double half = begin + (end - begin) / 2;
  if (const auto first = find_first(search, begin, half, from, middle, halvings + 1)) return first;
  return find_first(search, half, end, middle, to, halvings + 1);
}

std::optional<double> SurfaceWatcher::find_meeting(Search& search, double begin, double end) {
  const Place from = place_at(search.contact, search.state_at(begin)), to = place_at(search.contact, search.state_at(end));
  if (!needs_search(search.contact, from, to)) return std::nullopt;
  return find_first(search, begin, end, from, to, 0);
}

void SurfaceWatcher::list_meetings(double begin, double end, const StateAt& state_at, std::vector<double>& times) {
  for (const int contact : curved_) {
    Search search{contact, state_at, kMostSearches};
    if (const auto t = find_meeting(search, begin, end)) times.push_back(*t);
    if (constraints_.is_there(constraints_.model.contacts()[contact])) continue;
    if (search.is_open) open_[contact] = true;
    for (const double t : search.followed) {
      if (t != begin && t != end) times.push_back(t);
    }
  }
}

void SurfaceWatcher::look(double begin, double end, const StateAt& state_at, bool followed, std::vector<ContactWatch>& watches) {
  constexpr int kLooksOfStep = 8, kBisections = 50;
  for (const int i : round_) {
    const Contact& contact = constraints_.model.contacts()[i];
    ContactWatch& watch = watches[i];
    if (!constraints_.is_there(contact)) {
      if (!watch.deepest) watch.deepest = -radius_of(contact), watch.deepest_t = end;
      watch.is_open = watch.is_open || open_[i];
      continue;
    }
    const double allowed = allowed_depth(contact);
    const auto look_at = [&](double t) {
      const double depth = place_at(i, state_at(t)).depth;
      if (!watch.deepest || depth > *watch.deepest) watch.deepest = depth, watch.deepest_t = t;
      return depth;
    };
    if (begin == end || followed) {
      if (look_at(end) > allowed) watch.first_inside.take_if_none(end);
      continue;
    }
    if (!watch.first_inside.happened()) {
      Search search{i, state_at, kMostSearches};
      const auto met = find_meeting(search, begin, end);
      watch.is_open = watch.is_open || search.is_open;
      double clear = begin, inside = end;
      if (met) {
        watch.first_inside.t = *met;
      } else if (place_at(i, state_at(end)).depth > allowed) {
        for (int halved = 0; halved < kBisections && clear != inside; ++halved) {
          const double middle = (clear + inside) / 2;
          (place_at(i, state_at(middle)).depth > allowed ? inside : clear) = middle;
        }
        watch.first_inside.t = inside;
      }
    }
    for (int k = !watch.first_inside.happened() ? kLooksOfStep : 1; k <= kLooksOfStep; ++k)
      look_at(k == kLooksOfStep ? end : begin + (end - begin) * k / kLooksOfStep);
  }
}

}  // namespace vinculum
