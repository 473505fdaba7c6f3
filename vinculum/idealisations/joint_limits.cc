// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/joint_limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/idealisations/one_sided_rows.h"
#include "vinculum/model/units.h"
#include "vinculum/stepping/first_time.h"

namespace vinculum {

JointLimits::JointLimits(const Model& model, bool followed, double tolerance)
    : model_(model),
      followed_(followed),
      tolerance_(tolerance),
      limits_(list_limits(model)),
      outputs_(model),
      watch_(list_functions(model, MotionNumbers(model, tolerance))) {
  // Stops yield by the depth at which a touch is reported.
  for (size_t i = 0; followed && i < limits_.size(); ++i) {
    const bool is_range = limits_[i].of == Of::lower || limits_[i].of == Of::upper;
    if (is_range)
      watch_.grant(i, 2 * depth_of_touch(tolerance) * coordinate_scales(model, model.scales())[joint(limits_[i]).coordinate]);
  }
}

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

std::vector<SearchedFunction> JointLimits::list_functions(const Model& model, const MotionNumbers& numbers) {
  const auto variable = [](VariableKind kind, int index) {
    Expression::Builder builder;
    return builder.build(builder.variable({kind, index}, "x"));
  };
  const auto absolute = [](const Expression& x) {
    Expression::Builder builder;
    return builder.build(builder.unary(Operation::abs, builder.include(x)));
  };
  const auto larger = [](const Expression& a, const Expression& b) {
    Expression::Builder builder;
    return builder.build(builder.binary(Operation::max, builder.include(a), builder.include(b)));
  };
  std::vector<SearchedFunction> functions;
  for (const Limit& limit : list_limits(model)) {
    const JointLimit& joint = model.joint_limits()[limit.joint];
    Expression formula;
    double bound = 0;
    int drive = -1;
    switch (limit.of) {
      case Of::lower: formula = -variable(VariableKind::coordinate, joint.coordinate), bound = -joint.lower; break;
      case Of::upper: formula = variable(VariableKind::coordinate, joint.coordinate), bound = joint.upper; break;
      case Of::speed: formula = absolute(variable(VariableKind::velocity, joint.velocity)), bound = *joint.speed; break;
      case Of::effort: {
        bound = *joint.effort;
        for (const VelocityForce& force : list_velocity_forces(model)) {
          if (force.velocity == joint.velocity && !force.is_passive) formula = formula + *force.law;
        }
        for (const Row& row : model.rows()) {
          const auto* motion = row.from<MotionRow>();
          if (motion != nullptr && model.driven()[motion->driven].v == joint.velocity) drive = row.index;
        }
        if (drive < 0) {
          formula = absolute(formula);
        } else {
          const Expression supplied = variable(VariableKind::surface_x, 0);  // stands for the multiplier of its motion
          formula = larger(absolute(formula + supplied), absolute(supplied));
        }
      }
    }
    SearchedFunction function = make_function(formula, numbers);
    for (size_t k = 0; drive >= 0 && k < function.slots.size(); ++k) {
      if (formula.variables()[k].kind != VariableKind::surface_x) continue;
      function.slots[k] = numbers.of_multiplier(drive);
      function.is_dear = true;
    }
    function.bound = bound;
    functions.push_back(std::move(function));
  }
  return functions;
}

Occurrence JointLimits::begins(size_t i, double t) const {
  const Limit& limit = limits_[i];
  const EventKind kind = limit.of == Of::speed    ? EventKind::speed_limit
                         : limit.of == Of::effort ? EventKind::effort_limit
                                                  : EventKind::limit;
  return {kind, {ElementKind::joint_limit, limit.joint}, joint(limit).name, t};
}

void JointLimits::search_step(StepValues& values, const LookAt&, double t0, double t1, std::vector<Occurrence>& found) {
  for (const LimitWatch::Begun& begun : watch_.search(values, t0, t1)) {
    const bool is_range = limits_[begun.index].of == Of::lower || limits_[begun.index].of == Of::upper;
    if (!is_range || !followed_) found.push_back(begins(begun.index, begun.t));
  }
}

void JointLimits::count_looks(double, double end, const LookAt&, const StateAt&) { watch_.count(end); }

void JointLimits::look_at_end(Moment& moment, bool) {
  MomentValues values(model_, tolerance_, outputs_, moment);
  for (size_t i = 0; i < limits_.size(); ++i) {
    if (limits_[i].of == Of::effort && !moment.supplied().empty())
      watch_.look(i, std::abs(moment.supplied()[joint(limits_[i]).velocity]), moment.t());
    else
      watch_.look(i, values, moment.t());
  }
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
  if (!record.most) {
    verdict.why = "it has no value";
    return verdict;
  }
  verdict.verdict = record.is_violated() ? Holds::violated : Holds::holds;
  verdict.margin = watch_.margin(i, true);
  verdict.why = fmt::format("{} {} at t = {:.4g} s, allowed {}", is_speed ? "speed up to" : "drive effort up to",
                            in_sentence(*record.most, unit), record.most_t, in_sentence(watch_.bound(i), unit));
  if (watch_.is_on_bound(i)) verdict.why += watch_.describe_excess(i);
  if (!record.is_violated()) return verdict;
  verdict.first_violation = record.first.t;
  verdict.why += fmt::format("; above it for {:.4g} s", record.time_outside(t_end));
  verdict.hint = is_speed ? "use a slower motion or a faster joint; the run does not limit the speed"
                          : "use a stronger drive or a slower motion, or limit the law by `min` and `max`";
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
  double most = -HUGE_VAL, outside = 0, nearest = HUGE_VAL, nearest_t = 0;
  FirstTime first;
  bool at_upper = false;
  const double half = 0.5 * (of.upper - of.lower), middle = 0.5 * (of.upper + of.lower);
  for (size_t k = i; k < limits_.size() && limits_[k].joint == limits_[i].joint; ++k) {
    if (limits_[k].of != Of::lower && limits_[k].of != Of::upper) break;
    const LimitWatch::Record& record = watch_.record(k);
    const bool upper = limits_[k].of == Of::upper;
    if (!record.most) continue;
    if (watch_.bound(k) - *record.most < nearest)
      nearest = watch_.bound(k) - *record.most, nearest_t = record.most_t, at_upper = upper;
    most = std::max(most, upper ? *record.most - middle : *record.most + middle);
    outside += record.time_outside(t_end);
    if (!record.is_violated()) continue;
    verdict.verdict = Holds::violated;
    first.take(*record.first.t, *record.first.t <= t_end);
  }
  verdict.first_violation = first.t;
  if (std::isfinite(half) && most > 0) verdict.margin = first.happened() ? half / most : std::max(half / most, 1.0);
  const double at = at_upper ? of.upper - nearest : of.lower + nearest;
  verdict.why = fmt::format("reaches {} at t = {:.4g} s, {} limit {}", in_sentence(at, unit), nearest_t,
                            at_upper ? "upper" : "lower", in_sentence(at_upper ? of.upper : of.lower, unit));
  verdict.nearest_t = nearest_t;
  if (verdict.verdict == Holds::violated) {
    verdict.why += fmt::format("; beyond its limits for {:.4g} s", outside);
    if (!followed_) verdict.hint = "run with `--contacts unilateral` to make the ends of its range stops";
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

void JointLimits::list_events(std::vector<Occurrence>& events) const {
  for (size_t i = 0; i < limits_.size(); ++i) {
    const bool is_range = limits_[i].of == Of::lower || limits_[i].of == Of::upper;
    if (!is_range || !followed_) events.push_back(begins(i, 0));
  }
}

}  // namespace vinculum
