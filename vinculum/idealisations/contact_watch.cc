// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/contact_watch.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "vinculum/constraints/friction_demand.h"
#include "vinculum/constraints/push_round_off.h"
#include "vinculum/idealisations/contact_end.h"

namespace vinculum {

namespace {

// Of a multiplier, beside the largest: 2^-53, with a reserve of seven digits for rows that nearly depend on each other.
constexpr double kRoundOffOfForce = 1e-9;
constexpr double kNoForce = 1e-12;    // of the model's force: where all of them pass through zero
constexpr double kTouchesToo = 1e-4;  // of the radius: two places this near where one was found to touch
constexpr int kLetGo = -1;            // in place of the rows that are not determined

// A force that turns with the trihedron comes from angular rows as well, where the surface is curved.
int rows_of_force(const Contact& contact) { return contact.surface.is_plane ? 0b000111 : 0b111111; }

// A contact can push, not pull.
Verdict judge_push(const Contact& contact, const ContactWatch& watch, bool unilateral) {
  Verdict pushes;
  pushes.element = contact.name;
  pushes.subject = contact.name + ".normal";
  pushes.term = "compression, one-sided contact";
  if (watch.lowest_normal) pushes.nearest_t = watch.lowest_t;
  if (watch.first_pull.happened()) {
    pushes.verdict = Holds::violated;
    pushes.first_violation = watch.first_pull.t;
    pushes.why = watch.lowest_normal && *watch.lowest_normal < 0
                     ? fmt::format("the contact would have to pull: normal reaction {:.4g} N at t = {:.4g} s",
                                   *watch.lowest_normal, watch.lowest_t)
                     : fmt::format("the normal reaction falls to zero at t = {:.4g} s", *watch.first_pull.t);
    pushes.why += unilateral ? "; if released it would slip, and its other constraints would press it back at once"
                             : "; without adhesion it would lift off";
    pushes.hint = unilateral ? "run with `--contacts frictional` and a `friction` to let it slip"
                             : "run with `--contacts unilateral` to let it lift off";
    return pushes;
  }
  if (watch.undetermined & 1) {
    pushes.verdict = Holds::not_unique;
    pushes.why = "the normal reaction is not determined: redundant supports";
    pushes.hint = "remove a support, or give it a stiffness: `laws: {normal: {stiffness: ..}}` in place of the forbidden normal";
    return pushes;
  }
  pushes.verdict = Holds::holds;
  if (watch.first_release.happened()) {
    pushes.why = fmt::format("the contact separates, first at t = {:.4g} s", *watch.first_release.t);
  } else if (!watch.lowest_normal) {
    pushes.why = "the contact does not touch";
  } else {
    pushes.why = fmt::format("the contact presses; smallest normal reaction {:.4g} N at t = {:.4g} s{}", *watch.lowest_normal,
                             watch.lowest_t, watch.shares ? " (redundant supports, taken as equally stiff)" : "");
  }
  return pushes;
}

// The point of contact must be the nearest one: no other part of the surface is inside the body.
Verdict judge_nearest(const Contact& contact, const ContactWatch& watch) {
  Verdict nearest;
  nearest.element = contact.name;
  nearest.subject = contact.name + ".contact";
  nearest.term = "nearest point";
  nearest.nearest_t = watch.deepest_t;
  const std::string_view body = word_of(contact.geometry);
  if (!watch.first_inside.happened() && watch.is_open) {
    nearest.verdict = Holds::not_checked;
    nearest.why = fmt::format("the surface changes too fast to exclude that another part of it penetrates the {}", body);
    nearest.hint = "use a smoother surface, or a smaller --tolerance for shorter steps";
    return nearest;
  }
  if (!watch.first_inside.happened()) {
    nearest.verdict = Holds::holds;
    nearest.why = fmt::format("no other part of the surface penetrates the {}", body);
    return nearest;
  }
  nearest.verdict = Holds::violated;
  nearest.first_violation = watch.first_inside.t;
  nearest.why = fmt::format("penetration of {:.3g} m into the {} at t = {:.4g} s, beside the assumed contact point",
                            watch.deepest.value_or(0), body, watch.deepest_t);
  nearest.hint = fmt::format("use a smaller {} or a smoother surface: a contact has one point", body);
  return nearest;
}

// Rows along the surface are kept by friction. Where none is told it can only be said how much they need.
Verdict tell_friction(const Contact& contact, const ContactWatch& watch) {
  Verdict friction;
  friction.element = contact.name;
  friction.subject = contact.name + ".friction";
  friction.term = "friction demand";
  friction.hint = "give the contact a `friction` to check it; `--contacts frictional` then lets it slip";
  if (!is_force_determined(contact, watch.undetermined)) {
    friction.why = "no `friction` to compare with, and its reaction is not determined";
  } else if (!watch.lowest_normal) {
    friction.why = "the contact does not touch";
    friction.hint.clear();
  } else {
    friction.nearest_t = watch.most_friction_t;
    friction.why = watch.most_friction == kNothingPresses
                       ? fmt::format("no normal force at t = {:.4g} s, so no `friction` suffices", watch.most_friction_t)
                       : fmt::format("needs friction {:.3g} at t = {:.4g} s; no `friction` is given to compare with",
                                     watch.most_friction, watch.most_friction_t);
  }
  return friction;
}

}  // namespace

bool is_determined(const ConstraintSet& set, const ConstrainedDynamics& dynamics, size_t row) {
  if (dynamics.solution.analysis.determinate[row]) return true;
  const auto* of_contact = set.rows[row].from<ContactRow>();
  if (of_contact != nullptr && of_contact->axis == ContactAxis::normal) return false;
  return compute_row(set, dynamics.rows, dynamics.rows.all[set.rows[row].index]).felt == 0;
}

bool is_force_determined(const Contact& contact, int undetermined) { return (undetermined & rows_of_force(contact)) == 0; }

void ContactWatch::add_to(std::vector<double>& numbers) const {
  add_optional(lowest_normal, numbers);
  add_optional(deepest, numbers);
  for (const FirstTime& time : {first_pull, first_release, first_inside}) time.add_to(numbers);
  numbers.insert(numbers.end(), {lowest_t, deepest_t, most_friction, most_friction_t, static_cast<double>(undetermined),
                                 static_cast<double>(is_open), static_cast<double>(shares)});
}

ContactWatch ContactWatch::from_numbers(std::span<const double, kNumbers> numbers) {
  std::span<const double> n = numbers;
  ContactWatch watch;
  watch.lowest_normal = take_optional(n);
  watch.deepest = take_optional(n);
  for (FirstTime* time : {&watch.first_pull, &watch.first_release, &watch.first_inside}) time->t = take_optional(n);
  watch.lowest_t = n[0], watch.deepest_t = n[1], watch.most_friction = n[2], watch.most_friction_t = n[3];
  watch.undetermined = static_cast<int>(n[4]), watch.is_open = n[5] != 0, watch.shares = n[6] != 0;
  return watch;
}

ContactWatcher::ContactWatcher(const ConstraintSet& constraints, bool followed, double tolerance)
    : set_(constraints),
      contacts_(constraints.model.contacts()),
      followed_(followed),
      least_pull_(10 * tolerance * constraints.model.scales().force()),
      surfaces_(constraints),
      watches_(contacts_.size()) {
  for (size_t i = 0; i < contacts_.size(); ++i) {
    has_lifting_ = has_lifting_ || contacts_[i].can_lift_off();
    const auto& grips = constraints.model.grips();
    const bool grips_here =
        std::any_of(grips.begin(), grips.end(), [&](const Grip& grip) { return grip.contact == static_cast<int>(i); });
    const bool holds_along = contacts_[i].forbids(ContactAxis::lateral) || contacts_[i].forbids(ContactAxis::forward);
    without_limit_.push_back(contacts_[i].can_lift_off() && holds_along && !grips_here);
  }
}

ContactWatcher::Look ContactWatcher::make_look(Moment& moment) {
  const ConstrainedDynamics& dynamics = *moment.solution();
  const Eigen::VectorXd& multipliers = dynamics.solution.multipliers;
  Look look = looks_.take();
  look.t = moment.t();
  double largest = multipliers.size() == 0 ? 0 : multipliers.lpNorm<Eigen::Infinity>();
  for (const ContactForces::Law& law : dynamics.forces.laws) largest = std::max(largest, std::abs(law.force));
  look.round_off = std::max(kRoundOffOfForce * largest, kNoForce * set_.model.scales().force());
  look.undetermined.assign(contacts_.size(), kLetGo);
  look.shared.assign(contacts_.size(), 0);
  const NormalSelfStress& stress = self_stress_.of(moment.set(), dynamics.solution.analysis);
  look.forces.clear();
  for (size_t i = 0; i < contacts_.size(); ++i) {
    look.forces.push_back(dynamics.reactions[i].own.force);
    if (moment.set().is_there(contacts_[i])) look.undetermined[i] = 0;
  }
  for (size_t i = 0; i < moment.set().rows.size(); ++i) {
    const auto* row = moment.set().rows[i].from<ContactRow>();
    if (row == nullptr) continue;
    const bool shares = row->axis == ContactAxis::normal && stress.exists() && stress.determines[i];
    if (!is_determined(moment.set(), dynamics, i)) {
      (shares ? look.shared : look.undetermined)[row->contact] |= 1 << static_cast<int>(row->axis);
    }
    Vector3& force = look.forces[row->contact];
    if (row->axis == ContactAxis::normal && force.x < 0 &&
        is_no_push(moment.set(), moment.state(), dynamics, static_cast<int>(i), moment.workspace()))
      force.x = 0;
  }
  return look;
}

void ContactWatcher::evaluate_guards(Moment& moment, std::span<double> guards) {
  std::ranges::fill(guards, 1.0);
  if (contacts_.empty() || moment.solution() == nullptr) return;
  if (has_lifting_) looks_.add(make_look(moment));
  for (size_t k = 0; k < guards.size(); ++k) {
    const int i = surfaces_.round_contacts()[k];
    const ContactState& at = moment.solution()->rows.contacts[i];
    if (moment.set().is_there(contacts_[i])) guards[k] = at.beside.value_or(radius_of(contacts_[i]));
  }
}

int ContactWatcher::guard_count() const { return followed_ ? static_cast<int>(surfaces_.round_contacts().size()) : 0; }

Idealisation::Passed ContactWatcher::pass(int, double, double t, bool falls, const StateAt&) {
  return falls ? Passed{{}, t} : Passed{};
}

// A second place touches: there is no second contact to hold it.
std::optional<Failure> ContactWatcher::decide(int guard, State& state, const Tell&) {
  const int i = surfaces_.round_contacts()[guard];
  const auto rows = compute_row_values(set_, state);
  if (!rows) return rows.failure();
  return find_second_contact(set_.model, contacts_[i], rows->contacts[i], kTouchesToo);
}

void ContactWatcher::list_looks(double begin, double end, const StateAt& state_at, std::vector<double>& times) {
  if (followed_) surfaces_.list_meetings(begin, end, state_at, times);
}

// The moment a contact begins to pull or lets go.
void ContactWatcher::hear(const Occurrence& event) {
  const bool lifts = event.kind == EventKind::lift_off;
  if (event.element.kind != ElementKind::contact || (event.kind != EventKind::pull && !lifts)) return;
  ContactWatch& watch = watches_[event.element.index];
  (lifts ? watch.first_release : watch.first_pull).take_if_none(event.t);
  for (Look& look : pulling_) {
    if (lifts) look.forces[event.element.index].x = std::max(look.forces[event.element.index].x, 0.0);
  }
}

void ContactWatcher::add_to_watch(const Look& look, bool forward) {
  for (size_t i = 0; i < watches_.size(); ++i) {
    const Contact& contact = contacts_[i];
    ContactWatch& watch = watches_[i];
    if (look.undetermined[i] == kLetGo) continue;
    watch.undetermined |= look.undetermined[i];
    watch.shares = watch.shares || look.shared[i] != 0;
    if (!contact.can_lift_off()) continue;
    const Vector3& force = look.forces[i];
    if ((look.undetermined[i] & 1) == 0) {
      if (is_low_record(force.x, watch.lowest_normal)) watch.lowest_normal = force.x, watch.lowest_t = look.t;
      if (!follows_pull(contact) && force.x < -least_pull_) watch.first_pull.take(look.t, forward);
    }
    const auto friction = friction_needed(look, static_cast<int>(i));
    if (friction && is_record(*friction, watch.most_friction)) watch.most_friction = *friction, watch.most_friction_t = look.t;
  }
}

// None: it has a limit, or is not determined.
std::optional<double> ContactWatcher::friction_needed(const Look& look, int contact) const {
  if (!without_limit_[contact] || look.undetermined[contact] == kLetGo) return std::nullopt;
  if (!is_force_determined(contacts_[contact], look.undetermined[contact])) return std::nullopt;
  const Vector3& force = look.forces[contact];
  return compute_friction_demand(std::hypot(force.y, force.z), force.x, look.round_off);
}

void ContactWatcher::search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>&) {
  if (!has_lifting_) return;
  // How little each pushes, then how much friction it needs.
  const int count = static_cast<int>(contacts_.size());
  const auto known = [&](int i) -> std::optional<double> {
    if (i >= count) return watches_[i - count].most_friction;
    const std::optional<double>& lowest = watches_[i].lowest_normal;
    return lowest ? std::optional<double>(-*lowest) : std::nullopt;
  };
  const auto value = [&](const Look& look, int i) -> std::optional<double> {
    if (i >= count) {
      const auto friction = friction_needed(look, i - count);
      return friction == kNothingPresses ? std::nullopt : friction;
    }
    return pull_of(look, i);
  };
  looks_.find_peaks(values, t0, t1, 2 * count, known, value, look_at);
  pulls_.assign(contacts_.size(), {});
  for (int i = 0; i < count; ++i) {
    if (watches_[i].first_pull.happened() || !contacts_[i].can_lift_off() || follows_pull(contacts_[i])) continue;
    pulls_[i].t = looks_.find_first_above_zero(
        values, t0, t1, least_pull_, [&](const Look& look) { return pull_of(look, i); }, look_at);
  }
}

std::optional<double> ContactWatcher::pull_of(const Look& look, int contact) const {
  if (!contacts_[contact].can_lift_off() || look.undetermined[contact] & 1) return std::nullopt;
  return -look.forces[contact].x;
}

// One that is pressed by a law and followed has parted where it would pull.
bool ContactWatcher::follows_pull(const Contact& contact) const {
  return contact.is_pressed_by_law() && (followed_ || contact.laws.at(ContactAxis::normal).only_pushes());
}

void ContactWatcher::count_looks(double begin, double end, const LookAt&, const StateAt& state_at) {
  for (size_t i = 0; i < pulls_.size(); ++i) {
    const std::optional<double> t = pulls_[i].t;
    if (t && (*t - begin) * (*t - end) <= 0) watches_[i].first_pull.take(*t, end >= begin);
  }
  pulls_.clear();
  const bool forward = end >= begin;
  if (has_lifting_) {
    count_pulling(forward);
    looks_.count(begin, end, [&](const Look& look) {
      const bool pulls = std::ranges::any_of(look.forces, [](const Vector3& force) { return force.x < 0; });
      if (!followed_ || !pulls) {
        add_to_watch(look, forward);
      } else if (look.t != begin || begin == end) {  // else it was counted where the last step ended
        pulling_.push_back(look);
      }
    });
  }
  if (surfaces_.has_contacts()) surfaces_.look(begin, end, state_at, followed_, watches_);
}

// A contact that is followed and lets go in a step has pushed until then: at its end the push is zero by definition, and what is
// below zero before is an error of the continuous solution or of the time it ends.
void ContactWatcher::count_pulling(bool forward) {
  for (const Look& look : pulling_) add_to_watch(look, forward);
  pulling_.clear();
}

void ContactWatcher::look_at_end(Moment& moment, bool forward) {
  count_pulling(forward);
  if (!contacts_.empty() && moment.solution() != nullptr) {
    Look look = make_look(moment);
    add_to_watch(look, forward);
    looks_.give_back(std::move(look));
  }
}

void ContactWatcher::judge(double, std::vector<Verdict>& verdicts) const {
  for (size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    if (watches_[i].deepest) verdicts.push_back(judge_nearest(contact, watches_[i]));
    if (!contact.can_lift_off()) continue;
    verdicts.push_back(judge_push(contact, watches_[i], followed_));
    if (without_limit_[i]) verdicts.push_back(tell_friction(contact, watches_[i]));
  }
}

std::vector<double> ContactWatcher::memory() const {
  std::vector<double> numbers;
  for (const ContactWatch& watch : watches_) watch.add_to(numbers);
  return numbers;
}

bool ContactWatcher::restore(std::span<const double> numbers) {
  if (numbers.size() != watches_.size() * ContactWatch::kNumbers) return false;
  for (size_t i = 0; i < watches_.size(); ++i)
    watches_[i] = ContactWatch::from_numbers(numbers.subspan(i * ContactWatch::kNumbers).first<ContactWatch::kNumbers>());
  return true;
}

}  // namespace vinculum
