// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/kinks_at_state.h"

#include <algorithm>
#include <cmath>

#include "vinculum/expression/differentiate.h"
#include "vinculum/model/law_jumps.h"

namespace vinculum {

namespace {

constexpr double kDepartureFromKink = 1e-10;
constexpr int kMostKinksTogether = 4;

// ∂s/∂(t, q, v) of a switch.
Eigen::VectorXd slopes_of(const Expression& value, const Bindings& at) {
  const Eigen::Index coordinates = std::ssize(at.q);
  Eigen::VectorXd slopes = Eigen::VectorXd::Zero(1 + coordinates + std::ssize(at.v));
  for (const Variable& variable : value.variables()) {
    const Eigen::Index place = variable.kind == VariableKind::time         ? 0
                               : variable.kind == VariableKind::coordinate ? 1 + variable.index
                                                                           : 1 + coordinates + variable.index;
    const double slope = evaluate(differentiate(value, variable), at);
    if (std::isfinite(slope)) slopes[place] = slope;
  }
  return slopes;
}

// Kinks that are crossed together: their switches have parallel slopes.
struct KinkGroup {
  Eigen::VectorXd direction;                    // of unit length, or zero
  std::vector<std::pair<int, double>> members;  // number of the switch, and whether it runs along the direction or against it
};

bool is_same(const Outcome<Linearisation>& a, const Outcome<Linearisation>& b) {
  constexpr double kSameSlopes = 1e-9;
  if (!a || !b || a->states != b->states) return false;
  const auto near = [&](const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
    if (x.size() == 0) return true;
    return (x - y).cwiseAbs().maxCoeff() <= kSameSlopes * std::max(x.cwiseAbs().maxCoeff(), y.cwiseAbs().maxCoeff());
  };
  return near(a->A, b->A) && near(a->accelerations, b->accelerations);
}

}  // namespace

KinksAtState find_kinks_at_state(const Model& model, const State& state) {
  KinksAtState result;
  if (!LawJumps::has_any(model, HeldAt::corners)) return result;
  Model held = model;
  LawJumps jumps(held, HeldAt::corners);
  const Bindings at{state.t, state.q, state.v};
  std::vector<double> sides(jumps.count()), values(jumps.count());
  jumps.hold(sides, at);
  jumps.evaluate(at, values);

  std::vector<KinkGroup> groups;
  for (int k = 0; k < jumps.count(); ++k) {
    const Eigen::VectorXd slopes = slopes_of(jumps.switch_of(k).value, at);
    if (!(std::abs(values[k]) <= kDepartureFromKink * slopes.lpNorm<1>())) continue;
    const std::string text = jumps.describe(k);
    if (std::ranges::find(result.kinks, text) == result.kinks.end()) result.kinks.push_back(text);
    const double length = slopes.norm();
    const Eigen::VectorXd direction = length > 0 ? Eigen::VectorXd(slopes / length) : slopes;
    const auto is_along = [&](const KinkGroup& group) { return std::abs(group.direction.dot(direction)) > 1 - 1e-9; };
    const auto known = std::ranges::find_if(groups, is_along);
    if (known != groups.end()) {
      known->members.emplace_back(k, known->direction.dot(direction) > 0 ? 1 : -1);
    } else {
      groups.push_back({direction, {{k, 1}}});
    }
  }
  if (groups.empty() || groups.size() > kMostKinksTogether) return result;

  // From the positive sides down to the negative ones.
  for (int choice = 0; choice < 1 << groups.size(); ++choice) {
    std::ranges::fill(sides, 0.0);
    std::vector<std::string> where;
    for (size_t g = 0; g < groups.size(); ++g) {
      for (const auto& [number, along] : groups[g].members) {
        const double side = (choice >> g) & 1 ? -along : along;
        sides[number] = side;
        std::string text =
            jumps.describe_side(number, find_branch_piece(jumps.law(number), jumps.kink(number), side, at).value_or(side));
        if (std::ranges::find(where, text) == where.end()) where.push_back(std::move(text));
      }
    }
    jumps.hold(sides, at);
    DerivativesWorkspace workspace(held);
    result.sides.push_back({std::move(where), linearise(held, state, workspace)});
  }
  const auto is_like_first = [&](const KinksAtState::Side& side) { return is_same(result.sides[0].linear, side.linear); };
  if (std::ranges::all_of(result.sides, is_like_first)) return {};
  return result;
}

}  // namespace vinculum
