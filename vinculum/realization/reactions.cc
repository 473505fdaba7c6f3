// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/reactions.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/friction_demand.h"
#include "vinculum/math/find_zero.h"
#include "vinculum/verdict/demand_text.h"

namespace vinculum {

namespace {

constexpr double kForceIsRoundOff = 1e-9;  // beside the largest multiplier

Eigen::VectorXd part(const Eigen::VectorXd& all, const std::vector<int>& rows) { return all(rows); }

double box_demand(const SlipGroup& group, const Eigen::VectorXd& force) {
  double demand = 0;
  for (size_t i = 0; i < group.row_bounds.size(); ++i) {
    if (group.row_bounds[i]) demand = std::max(demand, std::abs(force[static_cast<Eigen::Index>(i)]) / *group.row_bounds[i]);
  }
  return demand;
}

}  // namespace

std::vector<GroupDemand> compute_demands(const SlipSystem& system, const SlipState& at) {
  const Eigen::VectorXd multipliers = system.multipliers(at, at.r);
  const double nothing = multipliers.size() == 0 ? 0 : kForceIsRoundOff * multipliers.lpNorm<Eigen::Infinity>();
  std::vector<GroupDemand> demands;
  for (const SlipGroup& group : system.rows().groups) {
    const Eigen::VectorXd force = part(at.r, group.rows);
    GroupDemand demand;
    demand.force = force.norm();
    if (!std::isfinite(demand.force)) demand.force = force.stableNorm();  // the square of 1e155 N overflows
    for (const int row : group.rows) demand.determined = demand.determined && at.determinate[system.rows().realized[row]];
    if (group.normal >= 0) {
      demand.normal = multipliers[group.normal];
      demand.determined = demand.determined && at.determinate[group.normal];
    }
    if (group.pressed >= 0) demand.normal = at.pressed[group.pressed];
    if (demand.normal && *demand.normal > nothing) demand.required_friction = demand.force / *demand.normal;
    if (group.bound) demand.demand = demand.force / *group.bound;
    if (!group.row_bounds.empty() && group.is_bounded()) demand.demand = box_demand(group, force);
    if (group.friction) {
      const double needed = compute_friction_demand(demand.force, demand.normal.value_or(0), nothing);
      demand.demand = needed == 0           ? 0
                      : *group.friction > 0 ? std::min(needed / *group.friction, kNothingPresses)
                                            : kNothingPresses;
    }
    demands.push_back(demand);
  }
  return demands;
}

std::optional<SlidingDenominator> compute_sliding_denominator(const SlipSystem& system, const SlipState& at, int index) {
  const SlipGroup& group = system.rows().groups[index];
  if (!group.friction || group.normal < 0) return std::nullopt;
  // The normal is a permanent constraint; what other groups hold is kept like one:  J_kᵀ m + J_gᵀ R has no part in M v'.
  const SlipRows& rows = system.rows();
  const auto normal = std::find(rows.permanent.begin(), rows.permanent.end(), group.normal);
  if (normal == rows.permanent.end()) return std::nullopt;
  std::vector<int> others;
  for (int i = 0; i < static_cast<int>(rows.realized.size()); ++i) {
    if (std::find(group.rows.begin(), group.rows.end(), i) == group.rows.end()) others.push_back(i);
  }
  Eigen::MatrixXd kept(at.Jp.rows() + static_cast<Eigen::Index>(others.size()), at.Jp.cols());
  kept << at.Jp, at.J(others, Eigen::all);
  const Cholesky mass(at.M);
  if (!mass.is_positive()) return std::nullopt;
  const Eigen::MatrixXd left = mass.solve_lower(kept.transpose()),
                        right = mass.solve_lower(at.J(group.rows, Eigen::all).transpose());
  const Eigen::MatrixXd C = -solve_least_squares(left, right, RowAnalysis::kRankTolerance).x;
  // Constraints that are not there are not in Jp; the normal of a group that is, is.
  Eigen::Index place = 0;
  for (auto row = rows.permanent.begin(); row != normal; ++row) place += system.set().find_row(*row) ? 1 : 0;
  const Eigen::VectorXd of_normal = C.row(place);
  SlidingDenominator denominator;
  denominator.least = 1 - *group.friction * of_normal.norm();
  denominator.direction =
      of_normal.norm() > 0 ? Eigen::VectorXd(-of_normal.normalized()) : Eigen::VectorXd::Zero(of_normal.size());
  return denominator;
}

namespace {

// A function of the demands of a group over a motion: known at the samples, checked between them.
class GroupLook {
 public:
  GroupLook(SlipSystem& system, const SampledMotion& motion) : system_(system), motion_(motion) {}

  std::optional<SlipState> state_at(double t) {
    auto at = system_.compute(motion_.at(t));
    return at ? std::optional(std::move(*at)) : std::nullopt;
  }
  double force(int row, double t) {
    const auto at = state_at(t);
    return at ? std::abs(at->r[row]) : 0;
  }
  GroupDemand demand(int group, double t) {
    const auto at = state_at(t);
    return at ? compute_demands(system_, *at)[group] : GroupDemand{};
  }

 private:
  SlipSystem& system_;
  const SampledMotion& motion_;
};

// Where a function known at instants first rises above zero, peaks between them included.
std::optional<double> first_above_zero(const std::vector<double>& times, const std::vector<double>& values,
                                       const std::function<double(double)>& function) {
  if (values.front() > 0) return times.front();
  std::vector<Peak> peaks;
  if (*std::max_element(values.begin(), values.end()) > -0.05) peaks = find_peaks(times, values, function, 0);
  for (size_t i = 1; i < times.size(); ++i) {
    const bool forward = times.back() >= times.front();
    const auto between = std::find_if(peaks.begin(), peaks.end(), [&](const Peak& peak) {
      return peak.value > 0 &&
             (forward ? peak.t > times[i - 1] && peak.t < times[i] : peak.t < times[i - 1] && peak.t > times[i]);
    });
    if (between != peaks.end() && values[i - 1] <= 0)
      return find_zero(function, times[i - 1], values[i - 1], between->t, between->value);
    if (values[i] > 0)
      return values[i - 1] == 0 ? times[i - 1] : find_zero(function, times[i - 1], values[i - 1], times[i], values[i]);
  }
  return std::nullopt;
}

// Constraints in the combination that W hardly feels.
std::vector<int> rows_in_weakest_combination(const SlipState& at) {
  Eigen::MatrixXd scaled = at.W;
  const Eigen::VectorXd lengths = at.W.diagonal().cwiseSqrt().cwiseMax(1e-300);
  scaled.array() /= (lengths * lengths.transpose()).array();
  const SingularValues values = find_singular_values(scaled);
  const Eigen::VectorXd weakest = values.V.col(scaled.cols() - 1);
  std::vector<int> rows;
  for (Eigen::Index i = 0; i < weakest.size(); ++i) {
    if (std::abs(weakest[i]) > 1e-3) rows.push_back(static_cast<int>(i));
  }
  return rows;
}

// Rows may lose their rank for a moment between two samples. There 1/condition has a double zero, and is a parabola about it.
void find_lost_rank(SlipSystem& system, const SampledMotion& motion, const std::vector<double>& regularities,
                    ReactionHistory& history) {
  constexpr double kLost = 1e-12, kNear = 1e-2;
  if (history.times.size() < 3 || system.rows().realized.empty()) return;
  std::vector<double> below;
  for (const double regularity : regularities) below.push_back(-regularity);
  const auto value_at = [&](double t) {
    const auto at = system.compute(motion.at(t));
    return at && at->is_regular() ? -1 / at->condition : 0;
  };
  for (const Peak& peak : find_peaks(history.times, below, value_at, -kNear)) {
    if (-peak.value > kLost) continue;
    const double direction = motion.end() >= motion.begin() ? 1 : -1;
    if (history.rank_lost && direction * (*history.rank_lost - peak.t) <= 0) return;
    const auto at = system.compute(motion.at(peak.t));
    if (!at) return;
    history.rank_lost = peak.t;
    history.lost_rows = at->is_regular() ? rows_in_weakest_combination(*at) : at->dependent;
    if (at->is_regular()) history.condition = {peak.t, at->condition};
    return;
  }
}

}  // namespace

Outcome<ReactionHistory> follow_reactions(SlipSystem& system, const SampledMotion& motion, const AskStop& stop) {
  const int g = static_cast<int>(system.rows().realized.size()), groups = static_cast<int>(system.rows().groups.size());
  ReactionHistory history;
  history.groups.resize(groups);
  history.power.t = history.condition.t = motion.begin();
  std::vector<std::vector<GroupDemand>> demands;
  std::vector<double> regularities;
  for (const State& state : motion.samples()) {
    if (is_stopped(stop)) return stopped_failure();
    const auto at = system.compute(state);
    if (!at) return at.failure();
    history.times.push_back(state.t);
    history.r.push_back(at->r);
    demands.push_back(compute_demands(system, *at));
    const double power = at->r.dot(at->given);
    if (std::abs(power) > std::abs(history.power.value)) history.power = {state.t, power};
    regularities.push_back(at->is_regular() ? 1 / at->condition : 0);
    if (at->is_regular() && at->condition > history.condition.value) history.condition = {state.t, at->condition};
    if (!at->is_regular() && !history.rank_lost) {
      history.rank_lost = state.t;
      history.lost_rows = at->dependent;
    }
    for (int i = 0; i < groups; ++i) {
      GroupReactions& group = history.groups[i];
      const GroupDemand& demand = demands.back()[i];
      if (!demand.determined && !group.undetermined) group.undetermined = state.t;
      const auto denominator = compute_sliding_denominator(system, *at, i);
      if (denominator && denominator->least <= 0 && !group.painleve) group.painleve = Peak{state.t, denominator->least};
    }
  }

  find_lost_rank(system, motion, regularities, history);

  GroupLook look(system, motion);
  const auto column = [&](const auto& value_of) {
    std::vector<double> values;
    for (size_t k = 0; k < history.times.size(); ++k) values.push_back(value_of(k));
    return values;
  };
  for (int row = 0; row < g; ++row) {
    const std::vector<double> values = column([&](size_t k) { return std::abs(history.r[k][row]); });
    history.peaks.push_back(find_largest(history.times, values, [&](double t) { return look.force(row, t); }));
  }
  for (int i = 0; i < groups; ++i) {
    GroupReactions& group = history.groups[i];
    const bool has_friction =
        std::any_of(demands.begin(), demands.end(), [&](const auto& at) { return at[i].required_friction; });
    if (has_friction) {
      const auto friction = [&](const GroupDemand& demand) { return demand.required_friction.value_or(0); };
      group.required_friction = find_largest(history.times, column([&](size_t k) { return friction(demands[k][i]); }),
                                             [&](double t) { return friction(look.demand(i, t)); });
    }
    if (demands.front()[i].demand) {
      const auto needed = [&](const GroupDemand& demand) { return demand.demand.value_or(0); };
      const std::vector<double> values = column([&](size_t k) { return needed(demands[k][i]); });
      group.demand = find_largest(history.times, values, [&](double t) { return needed(look.demand(i, t)); });
      std::vector<double> excess = values;
      for (double& value : excess) value = std::min(value, 1e6) - 1;
      group.first_slip =
          first_above_zero(history.times, excess, [&](double t) { return std::min(needed(look.demand(i, t)), 1e6) - 1; });
    }
    if (demands.front()[i].normal) {
      const auto pull = [&](const GroupDemand& demand) { return -demand.normal.value_or(1); };
      group.normal_lost = first_above_zero(history.times, column([&](size_t k) { return pull(demands[k][i]); }),
                                           [&](double t) { return pull(look.demand(i, t)); });
      for (size_t k = 0; k < history.times.size(); ++k) {
        const auto& rows = system.rows().groups[i].rows;
        if (!demands[k][i].required_friction || rows.size() != 2) continue;
        group.path_lateral.push_back(history.r[k][rows[0]] / *demands[k][i].normal);
        group.path_forward.push_back(history.r[k][rows[1]] / *demands[k][i].normal);
      }
    }
  }
  return history;
}

namespace {

// "needs 4 N at t = 1 s, has 3"; of what starts with slip "needs 4 N at t = 1 s once it sticks, has 3".
std::string bound_text(const SlipSystem& system, const SlipGroup& group, const GroupReactions& reactions, bool starts_with_slip) {
  const double demand = reactions.demand->value, t = reactions.demand->t;
  const std::string& unit = system.model().rows()[system.rows().realized[group.rows[0]]].unit;
  const std::string when = fmt::format("at t = {:.4g} s{}", t, starts_with_slip ? " once it sticks" : "");
  if (group.friction && *group.friction == 0 && demand >= kNothingPresses)
    return fmt::format("needs friction {}, but has none", when);
  if (group.friction && demand >= kNothingPresses)
    return fmt::format("no normal force at t = {:.4g} s, so no friction suffices", t);
  if (group.friction) return demand_text(demand * *group.friction, *group.friction, "", when);
  if (group.bound) return demand_text(demand * *group.bound, *group.bound, unit, when);
  return fmt::format("needs {:.3g} times the bound of one of its constraints {}", demand, when);
}

// "at t = 1.571 s constraints a, b depend on each other"; empty: the constraints of this group do not.
std::string rank_text(const SlipSystem& system, const ReactionHistory& history, const SlipGroup& group) {
  const auto is_of_group = [&](int row) { return std::find(group.rows.begin(), group.rows.end(), row) != group.rows.end(); };
  if (!history.rank_lost || std::none_of(history.lost_rows.begin(), history.lost_rows.end(), is_of_group)) return "";
  std::string names;
  for (const int row : history.lost_rows) names += (names.empty() ? "" : ", ") + system.row_name(row);
  return fmt::format(
      "at t = {:.6g} s the constraints {} depend on each other: reactions may grow without bound before it and are not "
      "determined there",
      *history.rank_lost, names);
}

std::string painleve_text(const Peak& least) {
  return fmt::format(
      "Painlevé paradox from t = {:.4g} s: when it slides, friction and normal force have no or several solutions (1 + mu C.e "
      "reaches {:.3g})",
      least.t, least.value);
}

Verdict judge_group(const SlipSystem& system, const ReactionHistory& history, int index, const Eigen::VectorXd& slip) {
  const SlipGroup& group = system.rows().groups[index];
  const GroupReactions& reactions = history.groups[index];
  Verdict verdict;
  verdict.subject = group.name;
  const bool is_contact =
      group.pressed >= 0 || (group.normal >= 0 && system.model().rows()[group.normal].from<ContactRow>() != nullptr);
  const double slips_by = part(slip, group.rows).norm();
  const bool starts_with_slip = slips_by > 1e-8;
  const std::string at_start = starts_with_slip
                                   ? fmt::format("starts with slip ({:.4g}{}); ", slips_by,
                                                 slip_unit(system.model().rows()[system.rows().realized[group.rows[0]]]))
                                   : "";
  if (reactions.undetermined) {
    verdict.verdict = Holds::not_unique;
    verdict.why =
        at_start + fmt::format("its reaction is not determined at t = {:.4g} s: redundant constraints", *reactions.undetermined);
    return verdict;
  }
  const std::string rank = rank_text(system, history, group);
  if (!rank.empty() && !reactions.first_slip && !(is_contact && reactions.normal_lost)) {
    verdict.verdict = Holds::not_unique;
    verdict.first_violation = history.rank_lost;
    verdict.why = at_start + rank;
    verdict.hint = "leave one of them out with --rows, or end before that time";
    return verdict;
  }
  if (is_contact && reactions.normal_lost && (!reactions.first_slip || *reactions.normal_lost <= *reactions.first_slip)) {
    verdict.verdict = Holds::violated;
    verdict.margin = 0;
    verdict.first_violation = reactions.normal_lost;
    verdict.why = fmt::format("the contact is lost at t = {:.4g} s: it would have to pull", *reactions.normal_lost);
    return verdict;
  }
  if (reactions.painleve && reactions.first_slip) {
    verdict.verdict = Holds::not_unique;
    verdict.first_violation = reactions.first_slip;
    verdict.why = painleve_text(*reactions.painleve) + fmt::format(", and it slides from t = {:.4g} s on", *reactions.first_slip);
    return verdict;
  }
  if (!reactions.demand) {
    verdict.why = at_start + "no bound and no friction to compare with";
    return verdict;
  }
  const double demand = reactions.demand->value;
  if (demand > 0) verdict.margin = demand >= kNothingPresses ? 0 : 1 / demand;
  verdict.why = at_start + bound_text(system, group, reactions, starts_with_slip);
  verdict.verdict = reactions.first_slip || starts_with_slip ? Holds::violated : Holds::holds;
  verdict.first_violation = reactions.first_slip;
  if (starts_with_slip) verdict.first_violation = history.times.front();
  if (reactions.painleve) verdict.why += "; " + painleve_text(*reactions.painleve);
  if (!rank.empty()) verdict.why += "; " + rank;
  return verdict;
}

}  // namespace

std::vector<Verdict> judge_groups(const SlipSystem& system, const ReactionHistory& history, const Eigen::VectorXd& slip) {
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < system.rows().groups.size(); ++i)
    verdicts.push_back(judge_group(system, history, static_cast<int>(i), slip));
  return verdicts;
}

Holds worst_verdict(const std::vector<Verdict>& verdicts) { return verdicts.empty() ? Holds::not_checked : gravest(verdicts); }

}  // namespace vinculum
