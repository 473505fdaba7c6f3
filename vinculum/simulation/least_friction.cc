// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/least_friction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/analysis/linear_program.h"

namespace vinculum {

namespace {

constexpr int kSides = 8;  // of the polygons to begin with

// One grip: its force is  N n + T t ,  |T| ≤ s mu N ; or  T t with |T| ≤ s R.
struct Cone {
  Eigen::VectorXd normal;    // none: its bound is its own,
  int capacity = -1;         // and this equation has it:  Σ factors + rest = 1
  Eigen::MatrixXd tangents;  // velocities by one or two
  double reach = 0;          // s mu, or s R
  std::vector<Eigen::VectorXd> directions;
};

// The reactions as sums of rays, each with a factor that is not negative: of a cone its edges n + s mu d_k, of a row that pushes
// the row, of any other the row and its opposite.
class Distributions {
 public:
  Distributions(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double s) : D_(dynamics.rows.D) {
    std::vector<bool> taken(set.rows.size(), false);
    for (const Grip& grip : set.model.grips()) add_cone(set, dynamics, grip, s, taken);
    for (const OneSided& element : set.model.one_sided()) {
      const auto row = set.find_row(element.row);
      if (!row || taken[*row]) continue;
      taken[*row] = true;
      others_.emplace_back(D_.row(*row));
    }
    for (size_t i = 0; i < taken.size(); ++i) {
      if (taken[i]) continue;
      others_.emplace_back(D_.row(static_cast<Eigen::Index>(i)));
      others_.emplace_back(-D_.row(static_cast<Eigen::Index>(i)));
    }
  }

  double shortfall(const Eigen::VectorXd& load) {
    constexpr int kMostRounds = 40;
    double open = 0;
    for (int round = 0; round < kMostRounds; ++round) {
      const auto found = solve_linear_program(state_program(load));
      if (!found) return open;  // CLP gives up: nothing is proved
      if (found->feasible) return 0;
      open = found->proof.dot(right_);
      if (!refine(found->proof)) break;
    }
    return open;
  }

 private:
  void add_cone(const ConstraintSet& set, const ConstrainedDynamics& dynamics, const Grip& grip, double s,
                std::vector<bool>& taken) {
    if (!(grip.bound || grip.friction)) return;
    const auto normal = grip.friction ? set.find_row(grip.normal) : std::nullopt;
    if (grip.friction && !normal) return;
    std::vector<int> tangents;
    for (const int row : grip.rows) {
      if (const auto at = set.find_row(row)) tangents.push_back(*at);
    }
    if (tangents.empty()) return;
    Cone cone;
    cone.tangents = D_(tangents, Eigen::all).transpose();
    cone.reach = s * grip.friction.value_or(grip.bound.value_or(0));
    if (normal) {
      cone.normal = D_.row(*normal);
      taken[*normal] = true;
    } else {
      cone.capacity = capacities_++;
    }
    for (const int tangent : tangents) taken[tangent] = true;
    if (tangents.size() == 1) {
      cone.directions = {Eigen::VectorXd::Constant(1, 1), Eigen::VectorXd::Constant(1, -1)};
    } else {
      for (int k = 0; k < kSides; ++k) {
        const double angle = 2 * std::numbers::pi * k / kSides;
        cone.directions.emplace_back(Eigen::Vector2d(std::cos(angle), std::sin(angle)));
      }
      // The smallest distribution is a good guess.
      const Eigen::VectorXd smallest = dynamics.solution.multipliers(tangents);
      if (smallest.norm() > 0) cone.directions.emplace_back(smallest.normalized());
    }
    cones_.push_back(std::move(cone));
  }

  LinearProgram state_program(const Eigen::VectorXd& load) {
    const Eigen::Index n = D_.cols();
    std::vector<Eigen::VectorXd> columns;
    const auto add = [&](const Eigen::VectorXd& ray, int capacity) {
      // Round-off beside a ray would spoil the scaling of the simplex method.
      const double round_off = 1e-12 * ray.lpNorm<Eigen::Infinity>();
      Eigen::VectorXd column = Eigen::VectorXd::Zero(n + capacities_);
      column.head(n) = (ray.array().abs() > round_off).select(ray, 0.0);
      if (capacity >= 0) column[n + capacity] = 1;
      columns.push_back(std::move(column));
    };
    for (const Cone& cone : cones_) {
      for (const Eigen::VectorXd& direction : cone.directions) {
        const Eigen::VectorXd along = cone.reach * (cone.tangents * direction);
        if (cone.capacity >= 0)
          add(along, cone.capacity);
        else
          add(cone.normal + along, -1);
      }
      if (cone.capacity >= 0) add(Eigen::VectorXd::Zero(n), cone.capacity);
    }
    for (const Eigen::VectorXd& ray : others_) add(ray, -1);
    // In forces of the size of the load.
    const double size = load.lpNorm<Eigen::Infinity>();
    right_ = Eigen::VectorXd::Ones(n + capacities_);
    right_.head(n) = load / size;
    LinearProgram program;
    program.equations.resize(n + capacities_, static_cast<Eigen::Index>(columns.size()));
    for (size_t i = 0; i < columns.size(); ++i) {
      if (capacities_ > 0 && columns[i].tail(capacities_).any()) columns[i].head(n) /= size;
      program.equations.col(static_cast<Eigen::Index>(i)) = columns[i];
    }
    program.right = right_;
    program.upper = Eigen::VectorXd::Constant(program.equations.cols(), std::numeric_limits<double>::infinity());
    program.cost = Eigen::VectorXd::Ones(program.equations.cols());
    scale_ = size;
    return program;
  }

  // The proof y says  y · ray ≤ 0  of all rays in the program. Of a round cone the farthest ray along y is that towards tᵀy;
  // where that is positive the proof is none, and the ray is added. False: it is right.
  bool refine(const Eigen::VectorXd& proof) {
    const Eigen::VectorXd y = proof.head(D_.cols());
    bool refined = false;
    for (Cone& cone : cones_) {
      const Eigen::VectorXd along = cone.tangents.transpose() * y;
      if (along.size() < 2 || !(along.norm() > 0)) continue;
      const double base = cone.capacity >= 0 ? proof[D_.cols() + cone.capacity] : cone.normal.dot(y);
      const double reach = cone.capacity >= 0 ? cone.reach / scale_ : cone.reach;
      constexpr double kWrong = 1e-10;
      if (base + reach * along.norm() <= kWrong * (1 + std::abs(base))) continue;
      cone.directions.emplace_back(along.normalized());
      refined = true;
    }
    return refined;
  }

  const Eigen::MatrixXd& D_;
  std::vector<Cone> cones_;
  std::vector<Eigen::VectorXd> others_;
  int capacities_ = 0;
  Eigen::VectorXd right_;
  double scale_ = 1;
};

}  // namespace

namespace {

// Does the smallest distribution hold?
bool smallest_holds(const ConstraintSet& set, const Eigen::VectorXd& multipliers, double s) {
  const auto force = [&](int index) {
    const auto row = set.find_row(index);
    return row ? multipliers[*row] : 0;
  };
  for (const Grip& grip : set.model.grips()) {
    double squares = 0;
    for (const int row : grip.rows) squares += std::pow(force(row), 2);
    const double has = grip.bound.value_or(grip.friction.value_or(0) * std::max(force(grip.normal), 0.0));
    if ((grip.bound || grip.friction) && squares > 0 && !(std::sqrt(squares) <= s * has)) return false;
  }
  return std::ranges::all_of(set.model.one_sided(), [&](const OneSided& element) { return force(element.row) >= 0; });
}

}  // namespace

double find_shortfall(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double s) {
  if (smallest_holds(set, dynamics.solution.multipliers, s)) return 0;
  const Eigen::VectorXd load = dynamics.rows.D.transpose() * dynamics.solution.multipliers;
  return load.size() == 0 || load.isZero(0) ? 0 : Distributions(set, dynamics, s).shortfall(load);
}

std::optional<double> find_least_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double known) {
  constexpr double kMost = 1e3, kEnough = 1e-6;
  const auto is_enough = [&](double s) { return find_shortfall(set, dynamics, s) == 0; };
  if (is_enough(known)) return known;
  double low = known, high = std::max(2 * known, 1e-3);
  while (!is_enough(high)) {
    low = high;
    high *= 2;
    if (high > kMost) return std::nullopt;
  }
  while (high - low > kEnough * high) {
    const double middle = (low + high) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace vinculum
