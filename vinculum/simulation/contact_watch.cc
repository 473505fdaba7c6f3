// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/contact_watch.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vinculum {

namespace {

constexpr double kRoundOff = 1e-9;  // of a multiplier, beside the largest
constexpr int kLetGo = -1;          // in place of the rows that are not determined

// A force that turns with the trihedron comes from angular rows as well, where the surface is curved.
int rows_of_force(const Contact& contact) { return contact.surface.is_plane ? 0b000111 : 0b111111; }

double tangential(const Vector3& force) { return std::hypot(force.y, force.z); }

// |T| / N; where nothing presses, no friction is enough for any T.
double friction_demand(const Vector3& force, double round_off) {
  const double needed = tangential(force);
  if (needed <= round_off) return 0;
  return force.x > 0 ? needed / force.x : ContactWatch::kNever;
}

// friction N - |T|; without T nothing is asked for, whatever N.
double friction_guard(double friction, const Vector3& force, double round_off) {
  const double needed = tangential(force);
  return needed <= round_off ? friction * std::abs(force.x) : friction * force.x - needed;
}

void take_earlier(double& first, double t, bool forward) {
  if (first == ContactWatch::kNever || (forward ? t < first : t > first)) first = t;
}

}  // namespace

bool is_force_determined(const Contact& contact, int undetermined) { return (undetermined & rows_of_force(contact)) == 0; }

std::array<double, ContactWatch::kNumbers> ContactWatch::numbers() const {
  return {lowest_normal,
          lowest_t,
          first_pull,
          first_release,
          largest_demand,
          demand_t,
          first_slip,
          deepest,
          deepest_t,
          first_inside,
          static_cast<double>(undetermined)};
}

ContactWatch ContactWatch::from_numbers(std::span<const double, kNumbers> n) {
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], static_cast<int>(n[10])};
}

ContactWatcher::ContactWatcher(const ConstraintSet& constraints) : constraints_(constraints) {
  for (size_t i = 0; i < constraints.contacts.size(); ++i) {
    if (constraints.contacts[i].can_lift_off() && constraints.model.description().contacts[i].friction)
      gripping_.push_back(static_cast<int>(i));
  }
}

ContactWatcher::Look ContactWatcher::make_look(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, double t) {
  const Eigen::VectorXd& multipliers = dynamics.solution.multipliers;
  Look look;
  look.t = t;
  look.round_off = multipliers.size() == 0 ? 0 : kRoundOff * multipliers.lpNorm<Eigen::Infinity>();
  look.undetermined.assign(constraints.contacts.size(), kLetGo);
  for (size_t i = 0; i < constraints.contacts.size(); ++i) {
    look.forces.push_back(dynamics.reactions[i].contact.force);
    if (constraints.holding[i]) look.undetermined[i] = 0;
  }
  for (size_t i = 0; i < constraints.rows.size(); ++i) {
    const RowLabel& row = constraints.rows[i];
    if (row.contact >= 0 && !dynamics.solution.analysis.determinate[i])
      look.undetermined[row.contact] |= 1 << static_cast<int>(row.axis);
  }
  return look;
}

void ContactWatcher::evaluate(const ConstrainedDynamics& dynamics, double t, std::span<double> guards) {
  looks_.push_back(make_look(constraints_, dynamics, t));
  const Look& look = looks_.back();
  for (size_t k = 0; k < gripping_.size(); ++k) {
    const int i = gripping_[k];
    const double friction = *constraints_.model.description().contacts[i].friction;
    const bool known = look.undetermined[i] != kLetGo && is_force_determined(constraints_.contacts[i], look.undetermined[i]);
    guards[k] = known ? friction_guard(friction, look.forces[i], look.round_off) : 1;
  }
}

void ContactWatcher::note_slip(int k, double t, bool forward, std::vector<ContactWatch>& watches) const {
  take_earlier(watches[gripping_[k]].first_slip, t, forward);
}

void ContactWatcher::add_to_watch(const Look& look, bool forward, std::vector<ContactWatch>& watches) const {
  for (size_t i = 0; i < watches.size(); ++i) {
    const Contact& contact = constraints_.contacts[i];
    ContactWatch& watch = watches[i];
    if (look.undetermined[i] == kLetGo) continue;
    watch.undetermined |= look.undetermined[i];
    if (!contact.can_lift_off()) continue;
    const Vector3& force = look.forces[i];
    if ((look.undetermined[i] & 1) == 0) {
      if (force.x < watch.lowest_normal) watch.lowest_normal = force.x, watch.lowest_t = look.t;
      if (force.x < -look.round_off) take_earlier(watch.first_pull, look.t, forward);
    }
    const auto& friction = constraints_.model.description().contacts[i].friction;
    if (!friction || !is_force_determined(contact, look.undetermined[i])) continue;
    const double demand = friction_demand(force, look.round_off);
    if (demand > watch.largest_demand) watch.largest_demand = demand, watch.demand_t = look.t;
    if (demand > 0 && friction_guard(*friction, force, look.round_off) < 0) take_earlier(watch.first_slip, look.t, forward);
  }
}

void ContactWatcher::sort_looks(double begin, double end) {
  std::stable_sort(looks_.begin(), looks_.end(),
                   [&](const Look& a, const Look& b) { return end >= begin ? a.t < b.t : a.t > b.t; });
}

// The largest value of the looks, made larger by parabolas through it and its neighbours as long as that beats what is known.
template <class Value>
void ContactWatcher::find_peak(double begin, double end, double known, const Value& value,
                               const std::function<void(double)>& look_at) {
  constexpr int kMost = 12, kMostBeside = 4;
  constexpr double kEnough = 1e-7;  // relative
  const auto inside = [&](const Look& look) { return (look.t - begin) * (look.t - end) <= 0; };
  int looked_beside = 0;
  for (int tried = 0; tried < kMost; ++tried) {
    sort_looks(begin, end);
    size_t top = looks_.size();
    for (size_t j = 0; j < looks_.size(); ++j) {
      if (inside(looks_[j]) && value(looks_[j]) && (top == looks_.size() || *value(looks_[j]) > *value(looks_[top]))) top = j;
    }
    if (top == looks_.size()) return;
    // Neighbours at other times.
    size_t left = top, right = top;
    while (left > 0 && looks_[left].t == looks_[top].t) --left;
    while (right + 1 < looks_.size() && looks_[right].t == looks_[top].t) ++right;
    const double t = looks_[top].t, a = looks_[left].t - t, b = looks_[right].t - t;
    const bool has_left = a != 0 && inside(looks_[left]), has_right = b != 0 && inside(looks_[right]);
    if (!has_left || !has_right) {
      // At an end of the interval the peak may still lie between the end and its neighbour, if that is much lower.
      const size_t beside = has_right ? right : left;
      if (looked_beside == kMostBeside || has_left == has_right || !value(looks_[beside])) return;
      const double height = *value(looks_[top]), fall = height - *value(looks_[beside]);
      if (height < known - 0.1 * std::abs(known) || fall < 1e-3 * std::abs(height)) return;
      ++looked_beside;
      look_at(t + 0.25 * (has_right ? b : a));
      continue;
    }
    if (!value(looks_[left]) || !value(looks_[right])) return;
    // value - top = s x + c x² , through both neighbours
    const double left_fall = *value(looks_[left]) - *value(looks_[top]), right_fall = *value(looks_[right]) - *value(looks_[top]);
    // A pulse between looks is no parabola: nearer first.
    const double height = *value(looks_[top]);
    if (std::max(-left_fall, -right_fall) > 0.5 * std::abs(height) && height > known - 0.1 * std::abs(known)) {
      look_at(t + 0.25 * a);
      look_at(t + 0.25 * b);
      continue;
    }
    const double curvature = (right_fall / b - left_fall / a) / (b - a), slope = right_fall / b - curvature * b;
    const double shift = -slope / (2 * curvature), peak = *value(looks_[top]) - slope * slope / (4 * curvature);
    const bool beats = peak > known + kEnough * std::abs(known) && peak - *value(looks_[top]) > kEnough * std::abs(peak);
    if (!(curvature < 0) || !beats || !(std::abs(shift) > 1e-3 * std::min(std::abs(a), std::abs(b)))) return;
    look_at(t + shift);
  }
}

void ContactWatcher::find_peaks(double begin, double end, const std::function<void(double)>& look_at,
                                const std::vector<ContactWatch>& watches) {
  for (size_t i = 0; i < watches.size(); ++i) {
    const Contact& contact = constraints_.contacts[i];
    if (!contact.can_lift_off() || !constraints_.holding[i]) continue;
    const auto push = [&](const Look& look) -> std::optional<double> {
      if (look.undetermined[i] & 1) return std::nullopt;
      return -look.forces[i].x;
    };
    find_peak(begin, end, -watches[i].lowest_normal, push, look_at);
    if (std::find(gripping_.begin(), gripping_.end(), static_cast<int>(i)) == gripping_.end()) continue;
    const auto demand = [&](const Look& look) -> std::optional<double> {
      const double needed = friction_demand(look.forces[i], look.round_off);
      if (!is_force_determined(contact, look.undetermined[i]) || needed == ContactWatch::kNever) return std::nullopt;
      return needed;
    };
    find_peak(begin, end, watches[i].largest_demand, demand, look_at);
  }
}

void ContactWatcher::count_looks(double begin, double end, const std::function<void(double)>& look_at,
                                 std::vector<ContactWatch>& watches) {
  if (begin != end) look_at(begin);  // the end of the step before, between which and the first look a peak may lie
  find_peaks(begin, end, look_at, watches);
  sort_looks(begin, end);
  for (const Look& look : looks_) {
    if ((look.t - begin) * (look.t - end) <= 0) add_to_watch(look, end >= begin, watches);
  }
  looks_.clear();
}

void watch_contacts(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, double t,
                    std::vector<ContactWatch>& watches, bool forward) {
  const ContactWatcher watcher(constraints);
  watcher.add_to_watch(ContactWatcher::make_look(constraints, dynamics, t), forward, watches);
}

}  // namespace vinculum
