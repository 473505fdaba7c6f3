// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/classification.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/core.h>

#include "vinculum/constraints/projection.h"
#include "vinculum/constraints/row_source.h"
#include "vinculum/model/scales.h"

namespace vinculum {

namespace {

// Steps of differences of sixth order, in the model's own lengths and radians: a bracket counts if two of them agree on it.
constexpr double kSteps[] = {1e-2, 7e-3};
constexpr double kAgree = 0.05;  // of the bracket
// A bracket vanishes if it is this small beside the terms that cancel in it. Terms that are themselves round-off say nothing:
// each difference multiplies that of the rows by 2 / step.
constexpr double kVanishing = 1e-7, kRoundOffOfRows = 1e-14;
constexpr int kDepth = 3, kTries = 3, kPositions = 3;

bool holds_position(const ConstraintSet& set, const Row& row) { return !source_of(row).held_position(set.model, row).empty(); }

// What a velocity, and time, are measured in: metres and radians in the model's own units, so that its enlargement is the same.
Eigen::VectorXd units_of(const ConstraintSet& set, const State& state) {
  const Scales scales = find_scales(set.model, state);
  const std::vector<double> velocities = velocity_scales(set.model, scales);
  Eigen::VectorXd units(static_cast<Eigen::Index>(velocities.size()) + 1);
  for (size_t k = 0; k < velocities.size(); ++k) units[static_cast<Eigen::Index>(k)] = velocities[k] * scales.time();
  units[units.size() - 1] = scales.time();
  return units;
}

// All constraints as forms on (velocities, time): [D, -F].
Outcome<Eigen::MatrixXd> forms_at(const ConstraintSet& set, const State& state) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  Eigen::MatrixXd forms(rows->D.rows(), rows->D.cols() + 1);
  forms << rows->D, -rows->F;
  return forms;
}

// Vector fields on (velocities, time) in Δ, and their brackets, at any state near the one they are made for; all in `units`.
class AllowedFields {
 public:
  AllowedFields(const ConstraintSet& set, const Eigen::VectorXd& units, double step, unsigned seed)
      : set_(set), units_(units), step_(step) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    for (int k = 0; k <= kDepth; ++k)
      constants_.push_back(Eigen::VectorXd::NullaryExpr(units.size(), [&] { return number(random); }).normalized());
  }

  // [X_d, [X_{d-1}, .. X_0]], and the sizes of the terms it is the sum of; empty where there are no constraints.
  struct Bracket {
    Eigen::VectorXd value, terms;
  };
  Bracket bracket(int d, const State& state) const {
    if (d == 0) return {field(0, state), {}};
    const Eigen::VectorXd X = field(d, state), Y = bracket(d - 1, state).value;
    const auto along_X = derivative(state, X, [&](const State& s) { return bracket(d - 1, s).value; });
    const auto along_Y = derivative(state, Y, [&](const State& s) { return field(d, s); });
    if (X.size() == 0 || Y.size() == 0 || along_X.size() == 0 || along_Y.size() == 0) return {};
    const Eigen::VectorXd turns = structure(X, Y);
    return {along_X - along_Y + turns, along_X.cwiseAbs() + along_Y.cwiseAbs() + turns.cwiseAbs()};
  }

 private:
  // A constant, projected onto what the constraints allow.
  Eigen::VectorXd field(int k, const State& state) const {
    const auto forms = forms_at(set_, state);
    if (!forms) return {};
    const Eigen::MatrixXd Q = factorize_columns((*forms * units_.asDiagonal()).transpose(), 1e-10).Q;
    const Eigen::VectorXd forbidden = Q.transpose() * constants_[k];
    return constants_[k] - Q * forbidden;
  }

  // (45 (f(h) - f(-h)) - 9 (f(2h) - f(-2h)) + f(3h) - f(-3h)) / 60h along a direction.
  template <class F>
  Eigen::VectorXd derivative(const State& state, const Eigen::VectorXd& direction, const F& f) const {
    if (direction.size() == 0) return {};
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(direction.size());
    for (const auto& [steps, weight] : {std::pair{1, 45.0}, {2, -9.0}, {3, 1.0}}) {
      for (const int side : {1, -1}) {
        State moved = state;
        const Eigen::VectorXd shift = side * steps * step_ * units_.cwiseProduct(direction);
        move_coordinates(set_.model, shift, moved.q);
        moved.t += shift[shift.size() - 1];
        const Eigen::VectorXd value = f(moved);
        if (value.size() == 0) return {};
        sum += side * weight * value;
      }
    }
    return sum / (60 * step_);
  }

  // Angular velocities of a ball do not commute: [e_x, e_y] = e_z and so on.
  Eigen::VectorXd structure(const Eigen::VectorXd& X, const Eigen::VectorXd& Y) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(X.size());
    for (const Link& link : set_.model.tree().links) {
      if (!traits_of(link.kind).is_ball) continue;
      const int w = link.v + velocity_count(link.kind) - 3;
      const Vector3 turn = cross(Vector3{X[w], X[w + 1], X[w + 2]}, Vector3{Y[w], Y[w + 1], Y[w + 2]});
      for (int k = 0; k < 3; ++k) result[w + k] = turn[k];
    }
    return result;
  }

  const ConstraintSet& set_;
  const Eigen::VectorXd& units_;
  double step_;
  std::vector<Eigen::VectorXd> constants_;
};

// Marks the rows whose forbidden direction some bracket reaches. Fields are chosen at random: what two of three do not show is an
// error of the differences.
void find_reached_rows(const ConstraintSet& set, const State& state, const Eigen::VectorXd& units, unsigned seed,
                       std::vector<bool>& reached) {
  auto forms = forms_at(set, state);
  if (!forms) return;
  *forms = *forms * units.asDiagonal();
  for (int depth = 1; depth <= kDepth; ++depth) {
    std::vector<int> shown(reached.size(), 0);
    for (int tried = 0; tried < kTries; ++tried) {
      const unsigned fields = seed + static_cast<unsigned>(tried);
      const auto bracket = AllowedFields(set, units, kSteps[0], fields).bracket(depth, state);
      if (bracket.value.size() == 0) continue;
      const double round_off = kRoundOffOfRows * std::pow(2 / kSteps[0], depth);
      std::optional<AllowedFields::Bracket> again;
      for (size_t i = 0; i < reached.size(); ++i) {
        if (reached[i]) continue;
        const Eigen::VectorXd form = forms->row(static_cast<Eigen::Index>(i)).normalized();
        const double part = form.dot(bracket.value), terms = form.cwiseAbs().dot(bracket.terms);
        if (std::abs(part) <= kVanishing * terms + round_off) continue;
        if (!again) again = AllowedFields(set, units, kSteps[1], fields).bracket(depth, state);
        if (again->value.size() > 0 && std::abs(form.dot(again->value) - part) <= kAgree * std::abs(part)) ++shown[i];
      }
    }
    for (size_t i = 0; i < reached.size(); ++i) reached[i] = reached[i] || 2 * shown[i] > kTries;
  }
}

// Does time enter the constraints at this position: as F, or by axes that turn? At three times.
Outcome<std::vector<bool>> find_moving_rows(const ConstraintSet& set, const State& state) {
  std::vector<bool> moving(set.rows.size(), false);
  const auto now = forms_at(set, state);
  if (!now) return now.failure();
  for (double later : {0.0, 0.37, 1.1}) {
    State moved = state;
    moved.t += later;
    const auto forms = forms_at(set, moved);
    if (!forms) continue;  // there may be no contact at another time
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const Eigen::Index row = static_cast<Eigen::Index>(i), last = forms->cols() - 1;
      const double change = std::max(std::abs((*forms)(row, last)), (forms->row(row) - now->row(row)).head(last).norm());
      moving[i] = moving[i] || change > 1e-9;
    }
  }
  return moving;
}

std::string explain(const ConstraintSet& set, const Row& label, const RowKind& kind) {
  std::string text =
      fmt::format("{}, {}: ", kind.holonomic ? "holonomic" : "non-holonomic", kind.stationary ? "stationary" : "non-stationary");
  const std::string_view held = source_of(label).held_position(set.model, label);
  if (label.from<MotionRow>()) return text + std::string(held);
  if (!held.empty()) {
    text += held;
  } else if (kind.holonomic) {
    text += fmt::format(
        "a velocity that can be integrated together with the other constraints (brackets of {} fields vanish at {} positions, to "
        "{:g} "
        "of "
        "their terms)",
        kDepth + 1, kPositions, kVanishing);
  } else {
    text += "restricts velocities, not positions";
  }
  const std::string mover = source_of(label).moved_by(set.model, label);
  if (!kind.stationary) text += mover.empty() ? "; it depends on time" : fmt::format("; depends on time: {}", mover);
  if (kind.stationary && !mover.empty()) text += "; not affected by the given motion";
  return text;
}

}  // namespace

Outcome<std::vector<RowKind>> classify_rows(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto moving = find_moving_rows(set, state);
  if (!moving) return moving.failure();
  std::vector<bool> reached(set.rows.size(), false);
  const bool undecided =
      std::any_of(set.rows.begin(), set.rows.end(), [&](const Row& label) { return !holds_position(set, label); });
  const Eigen::VectorXd units = units_of(set, state);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-0.1, 0.1);
  for (int position = 0; undecided && position < kPositions; ++position) {
    State tested = state;
    if (position > 0) {
      const Eigen::VectorXd shift =
          Eigen::VectorXd::NullaryExpr(set.model.tree().velocities, [&](Eigen::Index k) { return units[k] * number(random); });
      move_coordinates(set.model, shift, tested.q);
      const auto projected = project_state(set, tested, workspace);
      if (!projected) continue;
      tested = projected->state;
    }
    find_reached_rows(set, tested, units, 10 * static_cast<unsigned>(position), reached);
  }

  std::vector<RowKind> kinds;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    RowKind kind;
    kind.holonomic = holds_position(set, set.rows[i]) || !reached[i];
    kind.stationary = !(*moving)[i];
    kind.text = explain(set, set.rows[i], kind);
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace vinculum
