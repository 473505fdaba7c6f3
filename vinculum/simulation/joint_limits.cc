// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/joint_limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/loads.h"
#include "vinculum/model/units.h"

namespace vinculum {

JointLimits::JointLimits(const Model& model, bool followed)
    : model_(model), followed_(followed), limits_(list_limits(model)), watch_(list_bounds()), used_(limits_.size()) {}

std::vector<JointLimits::Limit> JointLimits::list_limits(const Model& model) {
  std::vector<Limit> limits;
  for (int i = 0; i < static_cast<int>(model.joint_limits().size()); ++i) {
    const JointLimit& limit = model.joint_limits()[i];
    if (std::isfinite(limit.lower)) limits.push_back({i, Of::lower});
    if (std::isfinite(limit.upper)) limits.push_back({i, Of::upper});
    if (limit.speed) limits.push_back({i, Of::speed});
    if (limit.effort) limits.push_back({i, Of::effort});
  }
  return limits;
}

std::vector<double> JointLimits::list_bounds() const {
  std::vector<double> bounds;
  for (const Limit& limit : limits_) {
    switch (limit.of) {
      case Of::lower: bounds.push_back(-joint(limit).lower); break;
      case Of::upper: bounds.push_back(joint(limit).upper); break;
      case Of::speed: bounds.push_back(*joint(limit).speed); break;
      case Of::effort: bounds.push_back(*joint(limit).effort); break;
    }
  }
  return bounds;
}

double JointLimits::use(const Limit& limit, Moment& moment) const {
  const JointLimit& of = joint(limit);
  switch (limit.of) {
    case Of::lower: return -moment.state().q[of.coordinate];
    case Of::upper: return moment.state().q[of.coordinate];
    case Of::speed: return std::abs(moment.state().v[of.velocity]);
    case Of::effort: break;
  }
  if (!moment.supplied().empty()) return std::abs(moment.supplied()[of.velocity]);
  // What drives the joint: its laws that are not passive, and what its given motion takes. A given motion counts by itself too,
  // so that a law of a damper not called passive cannot hide what the motor has to supply against it.
  const auto v = static_cast<size_t>(of.velocity);
  double effort = compute_given_forces(model_, moment.state(), moment.workspace()).joint_forces[v] -
                  compute_passive_forces(model_, moment.state())[v];
  double of_motion = 0;
  for (size_t i = 0; i < moment.set().rows.size(); ++i) {
    const auto* motion = moment.set().rows[i].from<MotionRow>();
    if (motion == nullptr || model_.driven()[motion->driven].v != of.velocity) continue;
    const ConstrainedDynamics* solution = moment.solution();
    if (solution != nullptr) of_motion = solution->solution.multipliers[static_cast<Eigen::Index>(i)];
  }
  return std::max(std::abs(effort + of_motion), std::abs(of_motion));
}

void JointLimits::evaluate_guards(Moment& moment, std::span<double> guards) {
  const std::span<double> used = watch_.add_look(moment.t());
  for (size_t i = 0; i < limits_.size(); ++i) {
    used[i] = use(limits_[i], moment);
    const bool is_stop = limits_[i].of == Of::lower || limits_[i].of == Of::upper;
    const double bound = watch_.bound(i);
    // |v| and |tau| have a kink at zero, their squares have none.
    guards[i] = is_stop ? (followed_ ? 1 : bound - used[i]) : bound * bound - used[i] * used[i];
  }
}

Idealisation::Passed JointLimits::pass(int guard, double, double t, bool falls, const StateAt&) {
  watch_.pass(static_cast<size_t>(guard), t, falls);
  if (!falls) return {};
  const char* kinds[] = {"limit", "limit", "speed-limit", "effort-limit"};
  return {ElementEvent{kinds[static_cast<int>(limits_[guard].of)], joint(limits_[guard]).name}, {}};
}

void JointLimits::count_looks(double begin, double end, const LookAt& look_at, const StateAt&) {
  watch_.count_looks(begin, end, look_at);
}

void JointLimits::look_at_end(Moment& moment, bool forward) {
  for (size_t i = 0; i < limits_.size(); ++i) used_[i] = use(limits_[i], moment);
  watch_.look_at_end(moment.t(), used_, forward);
}

Verdict JointLimits::judge_one(size_t i, double t_end) const {
  const Limit& limit = limits_[i];
  const LimitWatch::Record& record = watch_.record(i);
  const JointLimit& of = joint(limit);
  const StateUnits units = state_units(model_);
  const bool is_speed = limit.of == Of::speed;
  const std::string& unit = is_speed ? units.velocities[of.velocity] : units.forces[of.velocity];
  Verdict verdict;
  verdict.element = of.name;
  verdict.subject = fmt::format("{}.{}", of.name, is_speed ? "velocity" : "effort");
  verdict.term = is_speed ? "speed limit of a joint" : "saturation of an actuator";
  verdict.nearest_t = record.most_t;
  verdict.verdict = record.is_violated() ? Holds::violated : Holds::holds;
  if (record.most > 0) verdict.margin = watch_.bound(i) / record.most;
  verdict.why =
      fmt::format("{} {:.4g} {} at t = {:.4g} s, allowed {:.4g}", is_speed ? "moves with up to" : "is driven with up to",
                  record.most, unit, record.most_t, watch_.bound(i));
  if (!record.is_violated()) return verdict;
  verdict.first_violation = record.first;
  verdict.why += fmt::format("; above it for {:.4g} s", record.time_outside(t_end));
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
    const LimitWatch::Record& record = watch_.record(k);
    const bool upper = limits_[k].of == Of::upper;
    if (watch_.bound(k) - record.most < nearest)
      nearest = watch_.bound(k) - record.most, nearest_t = record.most_t, at_upper = upper;
    most = std::max(most, upper ? record.most - middle : record.most + middle);
    outside += record.time_outside(t_end);
    if (!record.is_violated()) continue;
    verdict.verdict = Holds::violated;
    if (!verdict.first_violation || record.first < *verdict.first_violation) verdict.first_violation = record.first;
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
      verdicts.push_back(judge_one(i, t_end));
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

}  // namespace vinculum
