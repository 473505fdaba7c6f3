// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/strike.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {

namespace {

int place_in(const std::vector<int>& rows, int row) {
  const auto found = std::find(rows.begin(), rows.end(), row);
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

// The tangential rows of a one-sided row that is there: with friction those of the grips it presses, else all that part with it.
struct StruckTangents {
  std::vector<int> rows;
  double friction = 0;
};
StruckTangents list_tangents(const ConstraintSet& set, const OneSided& element, bool slips) {
  StruckTangents tangents;
  for (const Grip& grip : set.model.grips()) {
    if (!slips || !grip.friction || grip.normal != element.row) continue;
    tangents.rows.insert(tangents.rows.end(), grip.rows.begin(), grip.rows.end());
    tangents.friction = *grip.friction;
  }
  if (slips) return tangents;
  for (const Row& row : set.model.rows()) {
    if (row.mode == element.mode && row.when == set.model.rows()[element.row].when && row.index != element.row)
      tangents.rows.push_back(row.index);
  }
  tangents.friction = std::numeric_limits<double>::infinity();
  return tangents;
}

// Velocities that two answers differ in, the largest first: "a' -0.333, b' 0.667".
std::string describe_velocities(const Model& model, const Eigen::VectorXd& v, const Eigen::VectorXd& other) {
  constexpr size_t kMost = 4;
  constexpr double kSame = 1e-6;
  std::vector<int> order(static_cast<size_t>(v.size()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(v[a] - other[a]) > std::abs(v[b] - other[b]); });
  const double size = std::max(v.lpNorm<Eigen::Infinity>(), other.lpNorm<Eigen::Infinity>());
  std::vector<int> named;
  for (const int i : order) {
    if (named.size() < kMost && std::abs(v[i] - other[i]) > kSame * size) named.push_back(i);
  }
  std::sort(named.begin(), named.end());
  std::string text;
  for (const int i : named)
    text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", model.velocity_names()[i],
                        std::abs(v[i]) > 1e-12 * size ? v[i] : 0.0);
  return text;
}

}  // namespace

Outcome<ImpulseAnswer> answer_impulses(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                       std::vector<int> questioned, const std::vector<bool>& is_kept, Workspace& workspace) {
  std::vector<Eigen::Index> kept_rows;
  ImpulseAnswer answer;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (!is_kept[i]) continue;
    kept_rows.push_back(static_cast<Eigen::Index>(i));
    answer.kept.push_back(set.rows[i].index);
  }
  ConstraintRows kept;
  kept.D = rows.D(kept_rows, Eigen::all);
  kept.F = rows.F(kept_rows);
  kept.gamma = rows.gamma(kept_rows);
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), kept.D);
  if (!mass) return mass.failure();
  const RowAnalysis analysis = analyse_rows(mass->factor, kept);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(kept.gamma.size());
  const Eigen::Index m = static_cast<Eigen::Index>(questioned.size());
  answer.rows = std::move(questioned);
  answer.before = Eigen::Map<const Eigen::VectorXd>(state.v.data(), static_cast<Eigen::Index>(state.v.size()));
  answer.J.resize(m, answer.before.size());
  answer.change.resize(answer.before.size(), m);
  answer.rates.resize(m);
  answer.on_kept.resize(zero.size(), m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowAt& at = rows.all[answer.rows[static_cast<size_t>(i)]];
    answer.J.row(i) = compute_row(set, rows, at).row;
    const RowSolution solved = solve_rows(*mass, analysis, kept.D, answer.J.row(i).transpose(), zero);
    answer.change.col(i) = solved.x;
    answer.on_kept.col(i) = solved.multipliers;
    answer.rates[i] = answer.J.row(i).dot(answer.before) - at.given;
  }
  return answer;
}

Outcome<StrikeProblem> pose_strike(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                   const StrikeRequest& request, Workspace& workspace) {
  const Model& model = set.model;
  StrikeProblem problem;
  std::vector<int> questioned;
  std::vector<StruckTangents> tangents;
  // What no joint feels takes no impulse.
  const auto is_felt = [&](int row) { return compute_row(set, rows, rows.all[row]).row.squaredNorm() > 0; };
  for (size_t k = 0; k < model.one_sided().size(); ++k) {
    if (!request.taking_part[k] || !is_felt(model.one_sided()[k].row)) continue;
    problem.one_sided.push_back(static_cast<int>(k));
    questioned.push_back(model.one_sided()[k].row);
  }
  for (const int k : problem.one_sided) {
    tangents.push_back(list_tangents(set, model.one_sided()[k], request.slips));
    std::erase_if(tangents.back().rows, [&](int row) { return !is_felt(row); });
    questioned.insert(questioned.end(), tangents.back().rows.begin(), tangents.back().rows.end());
  }
  // Forces that are bounded by themselves have no impulse; faces of guides do not rub while bodies strike.
  std::vector<bool> is_kept;
  for (const Row& row : set.rows) {
    const Grip* const grip = row.grip >= 0 ? &model.grips()[row.grip] : nullptr;
    const bool slips = grip != nullptr && (request.slips || grip->always_followed()) && grip->has_limit();
    const bool yields = place_in(questioned, row.index) >= 0 || row.from<StickRow>() != nullptr || slips;
    const auto one_sided = std::find_if(model.one_sided().begin(), model.one_sided().end(),
                                        [&](const OneSided& element) { return element.row == row.index; });
    const bool parts =
        one_sided != model.one_sided().end() && set.follows(static_cast<int>(one_sided - model.one_sided().begin()));
    is_kept.push_back(!yields && !parts);
  }
  auto answer = answer_impulses(set, state, rows, std::move(questioned), is_kept, workspace);
  if (!answer) return answer.failure();
  problem.answer = std::move(*answer);
  problem.impact.W = problem.answer.J * problem.answer.change;
  problem.impact.rates = problem.answer.rates;
  for (size_t i = 0; i < problem.one_sided.size(); ++i) {
    const int k = problem.one_sided[i];
    ImpactProblem::Contact contact;
    contact.normal = static_cast<int>(i);
    contact.friction = tangents[i].friction;
    for (const int row : tangents[i].rows) contact.tangents.push_back(place_in(problem.answer.rows, row));
    const double rate = problem.answer.rates[static_cast<Eigen::Index>(i)];
    if (!request.plastic[k]) contact.law = model.one_sided()[k].restitution;
    contact.approach = rate < -request.still * scales_of(model, model.one_sided()[k].row).velocity ? -rate : 0;
    problem.impact.contacts.push_back(std::move(contact));
  }
  return problem;
}

ImpactReport report_impulses(const ConstraintSet& set, const State& state, const ImpulseAnswer& answer, const Eigen::VectorXd& R,
                             Workspace& workspace) {
  constexpr double kNoImpulse = 1e-13;  // of the largest
  ImpactReport report;
  const Eigen::VectorXd after = answer.rates + answer.J * (answer.change * R), on_kept = answer.on_kept * R;
  const double largest =
      std::max(R.size() > 0 ? R.lpNorm<Eigen::Infinity>() : 0.0, on_kept.size() > 0 ? on_kept.lpNorm<Eigen::Infinity>() : 0.0);
  for (Eigen::Index i = 0; i < R.size(); ++i) {
    if (std::abs(R[i]) > kNoImpulse * largest)
      report.impulses.push_back({answer.rows[static_cast<size_t>(i)], R[i], -R[i] * (answer.rates[i] + after[i]) / 2});
  }
  // What is kept moves as before: it takes nothing away.
  for (Eigen::Index i = 0; i < on_kept.size(); ++i) {
    if (std::abs(on_kept[i]) > kNoImpulse * largest)
      report.impulses.push_back({answer.kept[static_cast<size_t>(i)], on_kept[i], 0});
  }
  std::ranges::sort(report.impulses, {}, &ImpactReport::RowImpulse::row);
  const Eigen::MatrixXd A = compute_mass_matrix(set.model, state, workspace);
  report.energy_before = answer.before.dot(A * answer.before) / 2;
  return report;
}

ImpactReport report_strike(const ConstraintSet& set, const State& state, const StrikeProblem& problem, const Eigen::VectorXd& R,
                           Workspace& workspace) {
  const ImpulseAnswer& answer = problem.answer;
  ImpactReport report = report_impulses(set, state, answer, R, workspace);
  const OtherOrder other = find_other_order(problem.impact, R);
  report.compared = other.compared;
  if (other.R) {
    const Eigen::VectorXd followed = answer.before + answer.change * R, otherwise = answer.before + answer.change * *other.R;
    report.followed = describe_velocities(set.model, followed, otherwise);
    report.other = describe_velocities(set.model, otherwise, followed);
  }
  return report;
}

Outcome<std::optional<StrikeAnswer>> strike_rows(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                 const StrikeRequest& request, Workspace& workspace, const OtherWay& other_way) {
  auto problem = pose_strike(set, state, rows, request, workspace);
  if (!problem) return problem.failure();
  problem->impact.other_way = [&](const Eigen::MatrixXd& W, const Eigen::VectorXd& b, const std::vector<GripBlock>& blocks,
                                  const std::vector<int>& of_problem) -> std::optional<GripSolution> {
    if (!other_way) return std::nullopt;
    std::vector<int> of_model;
    for (const int row : of_problem) of_model.push_back(problem->answer.rows[row]);
    return other_way(W, b, blocks, of_model);
  };
  const auto R = solve_impact(problem->impact);
  if (!R) return std::optional<StrikeAnswer>();
  StrikeAnswer answer;
  answer.after = problem->answer.before + problem->answer.change * *R;
  answer.rates.assign(set.model.one_sided().size(), 0);
  const Eigen::VectorXd rates = problem->impact.rates + problem->impact.W * *R;
  for (size_t i = 0; i < problem->one_sided.size(); ++i) {
    // A rate that the impact brought to zero is zero, not what is left by round-off of its terms.
    const auto at = static_cast<Eigen::Index>(i);
    const double size = std::abs(problem->impact.rates[at]) + problem->impact.W.row(at).cwiseAbs().dot(R->cwiseAbs());
    answer.rates[problem->one_sided[i]] = std::abs(rates[at]) <= 1e-12 * size ? 0 : rates[at];
  }
  answer.report = report_strike(set, state, *problem, *R, workspace);
  return std::optional<StrikeAnswer>(std::move(answer));
}

}  // namespace vinculum
