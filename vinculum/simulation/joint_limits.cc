// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/joint_limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/loads.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace {

// What is round-off of a stop, or the error of one step, is no violation.
constexpr double kLeastViolation = 1e-9;

}  // namespace

JointLimits::JointLimits(const Model& model, bool followed) : model_(model), followed_(followed) {
  for (int i = 0; i < static_cast<int>(model.joint_limits().size()); ++i) {
    const JointLimit& limit = model.joint_limits()[i];
    if (std::isfinite(limit.lower)) limits_.push_back({i, Of::lower});
    if (std::isfinite(limit.upper)) limits_.push_back({i, Of::upper});
    if (limit.speed) limits_.push_back({i, Of::speed});
    if (limit.effort) limits_.push_back({i, Of::effort});
  }
  watches_.assign(limits_.size(), {-kNever, 0, kNever, kNever, 0});
}

double JointLimits::bound(const Limit& limit) const {
  switch (limit.of) {
    case Of::lower: return -joint(limit).lower;
    case Of::upper: return joint(limit).upper;
    case Of::speed: return *joint(limit).speed;
    case Of::effort: break;
  }
  return *joint(limit).effort;
}

double JointLimits::use(const Limit& limit, Moment& moment) const {
  const JointLimit& of = joint(limit);
  switch (limit.of) {
    case Of::lower: return -moment.state().q[of.coordinate];
    case Of::upper: return moment.state().q[of.coordinate];
    case Of::speed: return std::abs(moment.state().v[of.velocity]);
    case Of::effort: break;
  }
  double effort = compute_given_forces(model_, moment.state(), moment.workspace()).joint_forces[of.velocity];
  for (size_t i = 0; i < moment.set().rows.size(); ++i) {
    const auto* motion = moment.set().rows[i].from<MotionRow>();
    if (motion == nullptr || model_.driven()[motion->driven].v != of.velocity) continue;
    const ConstrainedDynamics* solution = moment.solution();
    if (solution != nullptr) effort += solution->solution.multipliers[static_cast<Eigen::Index>(i)];
  }
  return std::abs(effort);
}

JointLimits::Look JointLimits::make_look(Moment& moment) {
  Look look = looks_.take();
  look.t = moment.t();
  look.values.clear();
  for (const Limit& limit : limits_) look.values.push_back(use(limit, moment));
  return look;
}

void JointLimits::evaluate_guards(Moment& moment, std::span<double> guards) {
  const Look& look = looks_.add(make_look(moment));
  for (size_t i = 0; i < limits_.size(); ++i) {
    const bool is_stop = limits_[i].of == Of::lower || limits_[i].of == Of::upper;
    const double b = bound(limits_[i]), used = look.values[i];
    // |v| and |tau| have a kink at zero, their squares have none.
    guards[i] = is_stop ? (followed_ ? 1 : b - used) : b * b - used * used;
  }
}

Idealisation::Passed JointLimits::pass(int guard, double, double t, bool falls, const StateAt&) {
  Watch& watch = watches_[guard];
  if (falls) {
    if (watch.first == kNever) watch.first = t;
    watch.began = t;
    const char* kinds[] = {"limit", "limit", "speed-limit", "effort-limit"};
    return {ElementEvent{kinds[static_cast<int>(limits_[guard].of)], joint(limits_[guard]).name}, {}};
  }
  if (watch.began != kNever) watch.outside += std::abs(t - watch.began);
  watch.began = kNever;
  return {};
}

void JointLimits::take_most(const Look& look) {
  for (size_t i = 0; i < limits_.size(); ++i) {
    if (look.values[i] > watches_[i].most) watches_[i].most = look.values[i], watches_[i].most_t = look.t;
  }
}

void JointLimits::add_to_watch(const Look& look, bool forward) {
  take_most(look);
  for (size_t i = 0; i < limits_.size(); ++i) {
    Watch& watch = watches_[i];
    const double excess = look.values[i] - bound(limits_[i]);
    if (!(excess > kLeastViolation * (1 + std::abs(bound(limits_[i]))))) continue;
    take_first(watch.first, look.t, forward);
    if (watch.began == kNever) watch.began = look.t;  // it began outside
  }
}

void JointLimits::count_looks(double begin, double end, const LookAt& look_at, const StateAt&) {
  looks_.count(
      begin, end, static_cast<int>(limits_.size()), [&](int i) { return watches_[i].most; },
      [](const Look& look, int i) { return std::optional(look.values[i]); }, look_at, [&](const Look& look) { take_most(look); });
}

void JointLimits::look_at_end(Moment& moment, bool forward) {
  Look look = make_look(moment);
  add_to_watch(look, forward);
  looks_.give_back(std::move(look));
}

Verdict JointLimits::judge_one(const Limit& limit, const Watch& watch, double t_end) const {
  const JointLimit& of = joint(limit);
  const StateUnits units = state_units(model_);
  const bool is_speed = limit.of == Of::speed;
  const std::string& unit = is_speed ? units.velocities[of.velocity] : units.forces[of.velocity];
  Verdict verdict;
  verdict.element = of.name;
  verdict.subject = fmt::format("{}.{}", of.name, is_speed ? "velocity" : "effort");
  verdict.term = is_speed ? "speed limit of a joint" : "saturation of an actuator";
  verdict.nearest_t = watch.most_t;
  verdict.verdict = watch.first == kNever ? Holds::holds : Holds::violated;
  if (watch.most > 0) verdict.margin = bound(limit) / watch.most;
  verdict.why = fmt::format("{} {:.4g} {} at t = {:.4g} s, allowed {:.4g}",
                            is_speed ? "moves with up to" : "is driven with up to", watch.most, unit, watch.most_t, bound(limit));
  if (watch.first == kNever) return verdict;
  verdict.first_violation = watch.first;
  const double outside = watch.outside + (watch.began == kNever ? 0 : std::abs(t_end - watch.began));
  verdict.why += fmt::format("; above it for {:.4g} s", outside);
  verdict.hint = is_speed ? "a slower motion, or a joint that may turn faster: nothing in the run holds it back"
                          : "a stronger drive, a slower motion, or a law that stays within the limit (`min`, `max`)";
  return verdict;
}

// Both ends of a range together, limit i and perhaps the next.
Verdict JointLimits::judge_position(size_t i, double t_end) const {
  const JointLimit& of = joint(limits_[i]);
  const std::string unit = state_units(model_).coordinates[of.coordinate];
  Verdict verdict;
  verdict.element = of.name;
  verdict.subject = of.name + ".position";
  verdict.term = "range of a joint";
  verdict.verdict = Holds::holds;
  double most = -kNever, outside = 0, nearest = kNever, nearest_t = 0;
  bool at_upper = false;
  const double half = 0.5 * (of.upper - of.lower), middle = 0.5 * (of.upper + of.lower);
  for (size_t k = i; k < limits_.size() && limits_[k].joint == limits_[i].joint; ++k) {
    if (limits_[k].of != Of::lower && limits_[k].of != Of::upper) break;
    const Watch& watch = watches_[k];
    const bool upper = limits_[k].of == Of::upper;
    if (bound(limits_[k]) - watch.most < nearest)
      nearest = bound(limits_[k]) - watch.most, nearest_t = watch.most_t, at_upper = upper;
    most = std::max(most, upper ? watch.most - middle : watch.most + middle);
    outside += watch.outside + (watch.began == kNever ? 0 : std::abs(t_end - watch.began));
    if (watch.first == kNever) continue;
    verdict.verdict = Holds::violated;
    if (!verdict.first_violation || watch.first < *verdict.first_violation) verdict.first_violation = watch.first;
  }
  if (std::isfinite(half) && most > 0) verdict.margin = half / most;
  const double at = at_upper ? of.upper - nearest : of.lower + nearest;
  verdict.why = fmt::format("comes to {:.4g} {} at t = {:.4g} s, {} limit {:.4g}", at, unit, nearest_t,
                            at_upper ? "upper" : "lower", at_upper ? of.upper : of.lower);
  verdict.nearest_t = nearest_t;
  if (verdict.verdict == Holds::violated) {
    verdict.why += fmt::format("; beyond its limits for {:.4g} s", outside);
    if (!followed_) verdict.hint = "`--contacts unilateral` makes the ends of its range stops";
  }
  return verdict;
}

void JointLimits::judge(double t_end, std::vector<Verdict>& verdicts) const {
  for (size_t i = 0; i < limits_.size(); ++i) {
    if (limits_[i].of == Of::speed || limits_[i].of == Of::effort) {
      verdicts.push_back(judge_one(limits_[i], watches_[i], t_end));
    } else if (limits_[i].of == Of::lower || i == 0 || limits_[i - 1].joint != limits_[i].joint) {
      verdicts.push_back(judge_position(i, t_end));
    }
  }
}

void JointLimits::list_events(std::vector<std::string>& names) const {
  for (const Limit& limit : limits_) {
    if (limit.of == Of::speed || limit.of == Of::effort) {
      names.push_back(fmt::format("{}-limit:{}", limit.of == Of::speed ? "speed" : "effort", joint(limit).name));
    } else if (!followed_) {
      names.push_back("limit:" + joint(limit).name);
    }
  }
}

std::vector<double> JointLimits::memory() const {
  std::vector<double> numbers;
  for (const Watch& w : watches_) numbers.insert(numbers.end(), {w.most, w.most_t, w.first, w.began, w.outside});
  return numbers;
}

bool JointLimits::restore(std::span<const double> n) {
  if (n.size() != 5 * watches_.size()) return false;
  for (size_t i = 0; i < watches_.size(); ++i) watches_[i] = {n[5 * i], n[5 * i + 1], n[5 * i + 2], n[5 * i + 3], n[5 * i + 4]};
  return true;
}

}  // namespace vinculum
