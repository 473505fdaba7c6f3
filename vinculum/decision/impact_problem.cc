// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/impact_problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "vinculum/constraints/least_forces.h"
#include "vinculum/decision/slip_process.h"

namespace vinculum {

namespace {

using ImpactContact = ImpactProblem::Contact;

constexpr double kNoCoupling = 1e-12;  // of the diagonals

std::vector<int> rows_of_contact(const ImpactContact& contact) {
  std::vector<int> rows = contact.tangents;
  rows.push_back(contact.normal);
  return rows;
}

// Contacts that feel each other, in the order of the first of each group.
std::vector<std::vector<int>> list_groups(const ImpactProblem& problem) {
  const size_t n = problem.contacts.size();
  std::vector<int> group(n);
  std::iota(group.begin(), group.end(), 0);
  const auto coupled = [&](const ImpactContact& a, const ImpactContact& b) {
    for (const int i : rows_of_contact(a)) {
      for (const int j : rows_of_contact(b)) {
        if (std::abs(problem.W(i, j)) > kNoCoupling * std::sqrt(problem.W(i, i) * problem.W(j, j))) return true;
      }
    }
    return false;
  };
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; ++j) {
      if (group[i] == group[j] || !coupled(problem.contacts[i], problem.contacts[j])) continue;
      const int from = std::max(group[i], group[j]), to = std::min(group[i], group[j]);
      std::replace(group.begin(), group.end(), from, to);
    }
  }
  std::vector<std::vector<int>> groups;
  for (size_t i = 0; i < n; ++i) {
    std::vector<int> members;
    for (size_t j = 0; j < n; ++j) {
      if (group[j] == static_cast<int>(i)) members.push_back(static_cast<int>(j));
    }
    if (!members.empty()) groups.push_back(std::move(members));
  }
  return groups;
}

// The rows of some contacts as a problem of their own.
struct PartOfImpact {
  ImpactProblem problem;
  std::vector<int> rows;  // of the whole
};
PartOfImpact take_part(const ImpactProblem& whole, const Eigen::VectorXd& rates, const std::vector<int>& contacts) {
  PartOfImpact part;
  for (const int k : contacts) {
    ImpactContact contact = whole.contacts[k];
    contact.normal = static_cast<int>(part.rows.size());
    part.rows.push_back(whole.contacts[k].normal);
    for (int& row : contact.tangents) {
      part.rows.push_back(row);
      row = static_cast<int>(part.rows.size()) - 1;
    }
    part.problem.contacts.push_back(std::move(contact));
  }
  part.problem.W = whole.W(part.rows, part.rows);
  part.problem.rates = rates(part.rows);
  part.problem.other_way = whole.other_way;
  for (const int row : part.rows) part.problem.of_whole.push_back(whole.of_whole.empty() ? row : whole.of_whole[row]);
  return part;
}

std::vector<GripBlock> list_blocks(const ImpactProblem& problem) {
  std::vector<GripBlock> blocks;
  for (const ImpactContact& contact : problem.contacts) blocks.push_back({GripBlock::Kind::pushes, {contact.normal}, 0, 0, -1});
  for (const ImpactContact& contact : problem.contacts) {
    if (contact.tangents.empty()) continue;
    blocks.push_back({GripBlock::Kind::grips, contact.tangents, 0, contact.friction, contact.normal});
  }
  return blocks;
}

std::optional<Eigen::VectorXd> solve_blocks(const ImpactProblem& problem, const Eigen::VectorXd& b,
                                            const std::vector<GripBlock>& blocks) {
  auto solution = solve_with_least_forces(problem.W, b, blocks);
  if (!solution && problem.other_way) solution = problem.other_way(problem.W, b, blocks, problem.of_whole);
  if (!solution) return std::nullopt;
  return std::move(solution->R);
}

// Rates less what restitution asks for: zero of b + W R is the wanted rate.
Eigen::VectorXd rates_beyond_rebound(const ImpactProblem& problem) {
  Eigen::VectorXd b = problem.rates;
  for (const ImpactContact& contact : problem.contacts) {
    if (contact.approach == 0) continue;
    if (contact.law.kind == ImpactLaw::Kind::newton) b[contact.normal] -= contact.law.coefficient * contact.approach;
    for (const int row : contact.tangents) b[row] += contact.law.tangential * problem.rates[row];
  }
  return b;
}

bool is_all_newton(const ImpactProblem& problem) {
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), [](const ImpactContact& contact) {
    return contact.law.kind == ImpactLaw::Kind::newton || contact.law.coefficient == 0;
  });
}

// Compression, then expansion with these coefficients.
struct TwoPhases {
  Eigen::VectorXd compression, expansion;
};
std::optional<TwoPhases> solve_two_phases(const ImpactProblem& problem, const std::vector<double>& coefficients) {
  const auto compression = solve_blocks(problem, problem.rates, list_blocks(problem));
  if (!compression) return std::nullopt;
  // E = e P + z: the known part first, then z with friction that both press.
  Eigen::VectorXd known = Eigen::VectorXd::Zero(problem.rates.size());
  Eigen::VectorXd b = rates_beyond_rebound(problem) + problem.W * *compression;
  std::vector<GripBlock> blocks = list_blocks(problem);
  size_t grip = problem.contacts.size();
  for (size_t i = 0; i < problem.contacts.size(); ++i) {
    const ImpactContact& contact = problem.contacts[i];
    const double push = contact.law.kind == ImpactLaw::Kind::newton ? 0 : coefficients[i] * (*compression)[contact.normal];
    known[contact.normal] = push;
    if (!contact.tangents.empty()) blocks[grip++].bound = push > 0 ? contact.friction * push : 0;
  }
  const auto rest = solve_blocks(problem, b + problem.W * known, blocks);
  if (!rest) return std::nullopt;
  return TwoPhases{*compression, known + *rest};
}

// Work of the normal of a contact in a phase: half of the rates at its ends.
double work_of(const ImpactProblem& problem, int row, const Eigen::VectorXd& impulses, const Eigen::VectorXd& before) {
  const Eigen::VectorXd after = before + problem.W * impulses;
  return impulses[row] * (before[row] + after[row]) / 2;
}

std::optional<Eigen::VectorXd> solve_several(const ImpactProblem& problem) {
  constexpr int kMostRounds = 60;
  std::vector<double> coefficients;
  for (const ImpactContact& contact : problem.contacts) coefficients.push_back(contact.law.coefficient);
  std::optional<TwoPhases> phases;
  for (int round = 0; round < kMostRounds; ++round) {
    phases = solve_two_phases(problem, coefficients);
    if (!phases) return std::nullopt;
    bool changed = false;
    for (size_t i = 0; i < problem.contacts.size(); ++i) {
      const ImpactContact& contact = problem.contacts[i];
      if (contact.law.kind != ImpactLaw::Kind::energetic || coefficients[i] == 0) continue;
      const Eigen::VectorXd turned = problem.rates + problem.W * phases->compression;
      const double spent = -work_of(problem, contact.normal, phases->compression, problem.rates);
      const double back = work_of(problem, contact.normal, phases->expansion, turned);
      const double allowed = std::pow(contact.law.coefficient, 2) * std::max(spent, 0.0);
      if (back <= allowed * (1 + 1e-12)) continue;
      coefficients[i] *= std::sqrt(allowed / back);
      changed = true;
    }
    if (!changed) break;
  }
  return phases->compression + phases->expansion;
}

// One contact by Poisson's or the energetic law.
std::optional<Eigen::VectorXd> solve_single(const ImpactProblem& problem) {
  const ImpactContact& contact = problem.contacts[0];
  const auto t = static_cast<Eigen::Index>(contact.tangents.size());
  std::vector<int> rows = contact.tangents;
  rows.push_back(contact.normal);
  StruckContact struck{problem.W(rows, rows), problem.rates(rows), contact.friction};
  std::optional<Eigen::VectorXd> found;
  if (std::isfinite(contact.friction) || t == 0) {
    if (!(struck.rates[t] < 0)) return Eigen::VectorXd::Zero(problem.rates.size());
    found = follow_slip_of_impact(struck, contact.law);
    if (!found) return std::nullopt;
  } else {
    // The tangents hold: one row, whose laws all say the same.
    const Eigen::MatrixXd held = struck.W.topLeftCorner(t, t);
    const Eigen::VectorXd s = struck.rates.head(t), per_normal = held.ldlt().solve(struck.W.topRightCorner(t, 1));
    const Eigen::VectorXd for_slip = held.ldlt().solve(s);
    const double c = struck.rates[t] - struck.W.bottomLeftCorner(1, t).row(0).dot(for_slip);
    const double w = struck.W(t, t) - struck.W.bottomLeftCorner(1, t).row(0).dot(per_normal);
    found = Eigen::VectorXd(t + 1);
    (*found)[t] = std::max(-(1 + contact.law.coefficient) * c / w, 0.0);
    found->head(t) = (*found)[t] > 0 ? Eigen::VectorXd(-for_slip - per_normal * (*found)[t]) : Eigen::VectorXd::Zero(t);
  }
  // Sprung back sideways: the impulse that leaves -et s⁻, where friction can give it and the gap still opens.
  if (contact.law.tangential > 0 && t > 0) {
    const double p = (*found)[t];
    const Eigen::VectorXd wanted = struck.W.topLeftCorner(t, t).ldlt().solve(
        -(1 + contact.law.tangential) * struck.rates.head(t) - struck.W.topRightCorner(t, 1) * p);
    Eigen::VectorXd sprung(t + 1);
    sprung << wanted, p;
    const double opens = struck.rates[t] + struck.W.row(t).dot(sprung);
    if (wanted.norm() <= contact.friction * p && opens >= 0) found = sprung;
  }
  Eigen::VectorXd R = Eigen::VectorXd::Zero(problem.rates.size());
  R(rows) = *found;
  return R;
}

std::optional<Eigen::VectorXd> solve_group(const ImpactProblem& problem) {
  if (is_all_newton(problem)) return solve_blocks(problem, rates_beyond_rebound(problem), list_blocks(problem));
  if (problem.contacts.size() == 1 && problem.contacts[0].tangents.size() <= 2) {
    if (auto R = solve_single(problem)) return R;
  }
  return solve_several(problem);
}

}  // namespace

std::optional<Eigen::VectorXd> solve_impact(const ImpactProblem& problem) {
  Eigen::VectorXd R = Eigen::VectorXd::Zero(problem.rates.size());
  for (const std::vector<int>& group : list_groups(problem)) {
    const PartOfImpact part = take_part(problem, problem.rates, group);
    const auto own = solve_group(part.problem);
    if (!own) return std::nullopt;
    R(part.rows) = *own;
  }
  return R;
}

double energy_lost(const ImpactProblem& problem, const Eigen::VectorXd& R) { return -R.dot(problem.rates + problem.W * R / 2); }

OtherOrder find_other_order(const ImpactProblem& problem, const Eigen::VectorXd& R) {
  constexpr double kOrderMatters = 1e-6;
  constexpr double kStillApproaches = 1e-9;  // of the largest rate
  constexpr int kMostRounds = 100;
  OtherOrder other;
  for (const std::vector<int>& group : list_groups(problem)) {
    if (group.size() < 2) continue;
    const PartOfImpact part = take_part(problem, problem.rates, group);
    const auto is_struck = [](const ImpactContact& contact) { return contact.approach > 0; };
    if (std::none_of(part.problem.contacts.begin(), part.problem.contacts.end(), is_struck)) continue;
    if (static_cast<int>(group.size()) > kMostOrdered) {
      other.compared = false;
      continue;
    }
    const Eigen::VectorXd together = part.problem.rates + part.problem.W * Eigen::VectorXd(R(part.rows));
    const double largest = std::max(part.problem.rates.lpNorm<Eigen::Infinity>(), together.lpNorm<Eigen::Infinity>());
    std::vector<int> order(group.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      Eigen::VectorXd impulses = Eigen::VectorXd::Zero(part.problem.rates.size()), rates = part.problem.rates;
      bool settled = false;
      for (int round = 0; round < kMostRounds && !settled; ++round) {
        settled = true;
        for (const int k : order) {
          const double rate = rates[part.problem.contacts[k].normal];
          if (!(rate < -kStillApproaches * largest)) continue;
          settled = false;
          PartOfImpact single = take_part(part.problem, rates, {k});
          single.problem.contacts[0].approach = -rate;
          const auto own = solve_group(single.problem);
          if (!own) return other;  // no order to compare with
          Eigen::VectorXd all = Eigen::VectorXd::Zero(rates.size());
          all(single.rows) = *own;
          impulses += all;
          rates = part.problem.rates + part.problem.W * impulses;
          break;  // the first of the order that approaches is struck next
        }
      }
      if (!settled || !((rates - together).lpNorm<Eigen::Infinity>() > kOrderMatters * largest)) continue;
      other.R = R;
      for (size_t i = 0; i < part.rows.size(); ++i) (*other.R)[part.rows[i]] = impulses[static_cast<Eigen::Index>(i)];
      return other;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return other;
}

}  // namespace vinculum
