// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/contact_watch.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "vinculum/simulation/peak.h"

namespace vinculum {

namespace {

constexpr double kRoundOff = 1e-9;  // of a multiplier, beside the largest
constexpr int kLetGo = -1;          // in place of the rows that are not determined

// A force that turns with the trihedron comes from angular rows as well, where the surface is curved.
int rows_of_force(const Contact& contact) { return contact.surface.is_plane ? 0b000111 : 0b111111; }

void take_earlier(double& first, double t, bool forward) {
  if (first == ContactWatch::kNever || (forward ? t < first : t > first)) first = t;
}

// A contact can push, not pull.
Verdict judge_push(const Contact& contact, const ContactWatch& watch, bool unilateral) {
  Verdict pushes;
  pushes.subject = contact.name + ".normal";
  if (watch.first_pull < ContactWatch::kNever) {
    pushes.verdict = Holds::violated;
    pushes.first_violation = watch.first_pull;
    pushes.why = watch.lowest_normal < 0 ? fmt::format("the contact would have to pull: normal reaction {:.4g} N at t = {:.4g} s",
                                                       watch.lowest_normal, watch.lowest_t)
                                         : fmt::format("the contact loses its push at t = {:.4g} s", watch.first_pull);
    pushes.why += unilateral ? "; let go it would press in at once, so it is its other rows that lift it, and it slips"
                             : "; a body that is not held lifts off";
    return pushes;
  }
  if (watch.undetermined & 1) {
    pushes.verdict = Holds::not_unique;
    pushes.why = "the normal reaction is not determined: there are more supports than the motion needs";
    return pushes;
  }
  pushes.verdict = Holds::holds;
  if (watch.first_release < ContactWatch::kNever) {
    pushes.why = fmt::format("the contact lets go, first at t = {:.4g} s", watch.first_release);
  } else if (watch.lowest_normal == ContactWatch::kNever) {
    pushes.why = "the contact does not touch";
  } else {
    pushes.why = fmt::format("the contact pushes, least {:.4g} N at t = {:.4g} s", watch.lowest_normal, watch.lowest_t);
  }
  return pushes;
}

// The point of contact must be the nearest one: no other part of the surface is inside the body.
Verdict judge_nearest(const Contact& contact, const ContactWatch& watch) {
  Verdict nearest;
  nearest.subject = contact.name + ".contact";
  const char* body = std::holds_alternative<WheelGeometry>(contact.geometry) ? "wheel" : "sphere";
  if (watch.first_inside == ContactWatch::kNever) {
    nearest.verdict = Holds::holds;
    nearest.why = fmt::format("no other part of the surface reaches into the {}", body);
    return nearest;
  }
  nearest.verdict = Holds::violated;
  nearest.first_violation = watch.first_inside;
  nearest.why =
      fmt::format("the surface reaches {:.3g} m into the {} at t = {:.4g} s, beside the point where it is taken to touch",
                  watch.deepest, body, watch.deepest_t);
  return nearest;
}

}  // namespace

bool is_force_determined(const Contact& contact, int undetermined) { return (undetermined & rows_of_force(contact)) == 0; }

std::array<double, ContactWatch::kNumbers> ContactWatch::numbers() const {
  return {lowest_normal, lowest_t,  first_pull,   first_release,
          deepest,       deepest_t, first_inside, static_cast<double>(undetermined)};
}

ContactWatch ContactWatch::from_numbers(std::span<const double, kNumbers> n) {
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], static_cast<int>(n[7])};
}

ContactWatcher::ContactWatcher(const ConstraintSet& constraints, bool followed)
    : constraints_(constraints),
      contacts_(constraints.model.contacts()),
      followed_(followed),
      surfaces_(constraints),
      watches_(contacts_.size()) {
  for (size_t i = 0; i < contacts_.size(); ++i) {
    has_lifting_ = has_lifting_ || contacts_[i].can_lift_off();
  }
}

ContactWatcher::Look ContactWatcher::make_look(Moment& moment) {
  const ConstrainedDynamics& dynamics = *moment.solution();
  const Eigen::VectorXd& multipliers = dynamics.solution.multipliers;
  Look look;
  if (!spent_.empty()) look = std::move(spent_.back()), spent_.pop_back();
  look.t = moment.t();
  look.round_off = multipliers.size() == 0 ? 0 : kRoundOff * multipliers.lpNorm<Eigen::Infinity>();
  look.undetermined.assign(contacts_.size(), kLetGo);
  look.forces.clear();
  for (size_t i = 0; i < contacts_.size(); ++i) {
    look.forces.push_back(dynamics.reactions[i].own.force);
    if (moment.set().is_there(contacts_[i])) look.undetermined[i] = 0;
  }
  for (size_t i = 0; i < moment.set().rows.size(); ++i) {
    const auto* row = moment.set().rows[i].from<ContactRow>();
    if (row != nullptr && !dynamics.solution.analysis.determinate[i])
      look.undetermined[row->contact] |= 1 << static_cast<int>(row->axis);
  }
  return look;
}

void ContactWatcher::evaluate_guards(Moment& moment, std::span<double>) {
  if (has_lifting_ && moment.solution() != nullptr) looks_.push_back(make_look(moment));
}

// The moment a contact begins to pull or lets go.
void ContactWatcher::hear(const ElementEvent& event, double t) {
  if (event.kind != "pull" && event.kind != "lift-off") return;
  for (size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].name != event.subject) continue;
    double& first = followed_ ? watches_[i].first_release : watches_[i].first_pull;
    if (first == ContactWatch::kNever) first = t;
  }
}

void ContactWatcher::add_to_watch(const Look& look, bool forward) {
  for (size_t i = 0; i < watches_.size(); ++i) {
    const Contact& contact = contacts_[i];
    ContactWatch& watch = watches_[i];
    if (look.undetermined[i] == kLetGo) continue;
    watch.undetermined |= look.undetermined[i];
    if (!contact.can_lift_off()) continue;
    const Vector3& force = look.forces[i];
    if ((look.undetermined[i] & 1) == 0) {
      if (force.x < watch.lowest_normal) watch.lowest_normal = force.x, watch.lowest_t = look.t;
      if (force.x < -look.round_off) take_earlier(watch.first_pull, look.t, forward);
    }
  }
}

void ContactWatcher::find_peaks(double begin, double end, const LookAt& look_at) {
  for (size_t i = 0; i < watches_.size(); ++i) {
    const Contact& contact = contacts_[i];
    if (!contact.can_lift_off() || !constraints_.is_there(contact)) continue;
    const auto push = [&](const Look& look) -> std::optional<double> {
      if (look.undetermined[i] & 1) return std::nullopt;
      return -look.forces[i].x;
    };
    find_peak(looks_, begin, end, -watches_[i].lowest_normal, push, look_at);
  }
}

void ContactWatcher::count_looks(double begin, double end, const LookAt& look_at, const StateAt& state_at) {
  if (has_lifting_) {
    if (begin != end) look_at(begin);  // the end of the step before, between which and the first look a peak may lie
    if (begin != end) find_peaks(begin, end, look_at);
    sort_looks(looks_, begin, end);
    for (const Look& look : looks_) {
      if ((look.t - begin) * (look.t - end) <= 0) add_to_watch(look, end >= begin);
    }
    forget_looks(looks_, spent_);
  }
  if (surfaces_.has_contacts()) surfaces_.look(begin, end, state_at, watches_);
}

void ContactWatcher::look_at_end(Moment& moment, bool forward) {
  if (!contacts_.empty() && moment.solution() != nullptr) {
    spent_.push_back(make_look(moment));
    add_to_watch(spent_.back(), forward);
  }
}

void ContactWatcher::judge(double, std::vector<Verdict>& verdicts) const {
  for (size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    if (watches_[i].deepest > -ContactWatch::kNever) verdicts.push_back(judge_nearest(contact, watches_[i]));
    if (!contact.can_lift_off()) continue;
    verdicts.push_back(judge_push(contact, watches_[i], followed_));
  }
}

std::vector<double> ContactWatcher::memory() const {
  std::vector<double> numbers;
  for (const ContactWatch& watch : watches_) {
    const auto own = watch.numbers();
    numbers.insert(numbers.end(), own.begin(), own.end());
  }
  return numbers;
}

bool ContactWatcher::restore(std::span<const double> numbers) {
  if (numbers.size() != watches_.size() * ContactWatch::kNumbers) return false;
  for (size_t i = 0; i < watches_.size(); ++i)
    watches_[i] = ContactWatch::from_numbers(numbers.subspan(i * ContactWatch::kNumbers).first<ContactWatch::kNumbers>());
  return true;
}

}  // namespace vinculum
