// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/bounded_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/simulation/peak.h"

namespace vinculum {

namespace {

constexpr double kNotYet = std::numeric_limits<double>::max();
constexpr double kForceRoundOff = 1e-9;  // of a multiplier, beside the largest

}  // namespace

BoundedRows::BoundedRows(const Model& model) : model_(model) {
  const auto row_of = [&](const std::string& name) {
    const auto found = std::find_if(model.rows().begin(), model.rows().end(), [&](const Row& row) { return row.name == name; });
    return found == model.rows().end() ? -1 : found->index;
  };
  for (size_t i = 0; i < model.contacts().size(); ++i) {
    const ContactDescription& words = model.description().contacts[i];
    std::vector<int> tangential;
    for (const ContactAxis axis : {ContactAxis::lateral, ContactAxis::forward}) {
      const int row = row_of(model.contacts()[i].row_name(axis));
      if (row < 0) continue;
      tangential.push_back(row);
      if (const auto bound = words.axis_bounds.find(axis); bound != words.axis_bounds.end())
        add_group(model.rows()[row].name, {row}, bound->second, -1);
    }
    if (words.bound && !tangential.empty()) add_group(words.name + ".bound", tangential, *words.bound, -1);
  }
  for (size_t i = 0; i < model.description().velocity_constraints.size(); ++i) {
    const VelocityConstraintDescription& words = model.description().velocity_constraints[i];
    std::vector<int> rows;
    for (const Row& row : model.rows()) {
      const auto* origin = row.from<EquationRow>();
      if (origin != nullptr && model.velocity_equations()[origin->equation].constraint == static_cast<int>(i))
        rows.push_back(row.index);
    }
    if (words.bound) add_group(words.name, rows, *words.bound, -1);
    if (words.friction) add_group(words.name, rows, *words.friction, row_of(*words.normal));
  }
  watches_.assign(groups_.size(), {0, 0, kNotYet, 0});
}

void BoundedRows::add_group(std::string subject, std::vector<int> rows, double bound, int normal) {
  const std::string unit = model_.rows()[rows[0]].unit;
  groups_.push_back({std::move(subject), std::move(rows), bound, normal, unit});
}

BoundedRows::Look BoundedRows::make_look(Moment& moment) const {
  const ConstrainedDynamics& dynamics = *moment.solution();
  const auto& multipliers = dynamics.solution.multipliers;
  const double round_off = multipliers.size() == 0 ? 0 : kForceRoundOff * multipliers.lpNorm<Eigen::Infinity>();
  Look look{moment.t(), {}, {}};
  for (const Group& group : groups_) {
    double squares = 0;
    bool there = true, determined = true;
    const auto multiplier = [&](int index) {
      const auto row = moment.set().find_row(index);
      there = there && row;
      if (!row) return 0.0;
      determined = determined && dynamics.solution.analysis.determinate[*row];
      return multipliers[*row];
    };
    for (const int index : group.rows) squares += std::pow(multiplier(index), 2);
    const double needed = std::sqrt(squares), presses = group.normal < 0 ? 1 : std::max(multiplier(group.normal), 0.0);
    std::optional<double> demand;
    if (there && determined) demand = needed <= round_off ? 0 : presses > 0 ? needed / (group.bound * presses) : kNotYet;
    look.demand.push_back(demand);
    look.undetermined.push_back(there && !determined);
  }
  return look;
}

void BoundedRows::evaluate_guards(Moment& moment, std::span<double> guards) {
  std::fill(guards.begin(), guards.end(), 1.0);
  if (moment.solution() == nullptr) return;
  looks_.push_back(make_look(moment));
  for (size_t i = 0; i < groups_.size(); ++i) {
    const double demand = std::min(looks_.back().demand[i].value_or(0), 1e6);
    guards[i] = 1 - demand * demand;
  }
}

Idealisation::Passed BoundedRows::pass(int guard, double begin, double t, bool falls, const StateAt&) {
  double& first = watches_[guard].first;
  if (falls && (first == kNotYet || (t >= begin ? t < first : t > first))) first = t;
  return {};
}

void BoundedRows::add_to_watch(const Look& look, bool forward) {
  for (size_t i = 0; i < groups_.size(); ++i) {
    Watch& watch = watches_[i];
    if (look.undetermined[i]) watch.undetermined = 1;
    if (!look.demand[i]) continue;
    if (*look.demand[i] > watch.most) watch.most = *look.demand[i], watch.most_t = look.t;
    if (*look.demand[i] > 1 && (watch.first == kNotYet || (forward ? look.t < watch.first : look.t > watch.first)))
      watch.first = look.t;
  }
}

void BoundedRows::count_looks(double begin, double end, const LookAt& look_at, const StateAt&) {
  if (begin != end) look_at(begin);
  for (size_t i = 0; begin != end && i < groups_.size(); ++i) {
    const auto demand = [&](const Look& look) { return look.demand[i] == kNotYet ? std::nullopt : look.demand[i]; };
    find_peak(looks_, begin, end, watches_[i].most, demand, look_at);
  }
  sort_looks(looks_, begin, end);
  for (const Look& look : looks_) {
    if ((look.t - begin) * (look.t - end) <= 0) add_to_watch(look, end >= begin);
  }
  looks_.clear();
}

void BoundedRows::look_at_end(Moment& moment, bool forward) {
  if (moment.solution() != nullptr) add_to_watch(make_look(moment), forward);
}

void BoundedRows::judge(double, std::vector<Verdict>& verdicts) const {
  for (size_t i = 0; i < groups_.size(); ++i) {
    const auto& [subject, rows, bound, normal, unit] = groups_[i];
    const Watch& watch = watches_[i];
    Verdict verdict;
    verdict.subject = subject;
    const bool slips = watch.first < kNotYet;
    if (!slips && watch.undetermined != 0) {
      verdict.verdict = Holds::not_unique;
      verdict.why = "its reaction is not determined by the motion: there are more rows than are needed";
      verdicts.push_back(std::move(verdict));
      continue;
    }
    verdict.verdict = slips ? Holds::violated : Holds::holds;
    if (slips) verdict.first_violation = watch.first;
    if (watch.most == kNotYet) {
      verdict.margin = 0;
      verdict.why =
          fmt::format("where {} does not press nothing holds: at t = {:.4g} s", model_.rows()[normal].name, watch.most_t);
    } else {
      if (watch.most > 0) verdict.margin = 1 / watch.most;
      verdict.why =
          normal < 0 ? fmt::format("needs {:.4g} {} at t = {:.4g} s, has {:.4g}", watch.most * bound, unit, watch.most_t, bound)
                     : fmt::format("needs friction {:.3g} at t = {:.4g} s, has {:.3g}", watch.most * bound, watch.most_t, bound);
    }
    if (slips) verdict.why += "; it slips from there on, and the motion given here keeps it";
    verdicts.push_back(std::move(verdict));
  }
}

std::vector<double> BoundedRows::memory() const {
  std::vector<double> numbers;
  for (const Watch& w : watches_) numbers.insert(numbers.end(), {w.most, w.most_t, w.first, w.undetermined});
  return numbers;
}

bool BoundedRows::restore(std::span<const double> n) {
  if (n.size() != 4 * watches_.size()) return false;
  for (size_t i = 0; i < watches_.size(); ++i) watches_[i] = {n[4 * i], n[4 * i + 1], n[4 * i + 2], n[4 * i + 3]};
  return true;
}

}  // namespace vinculum
