// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/least_friction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/constraints/normal_self_stress.h"
#include "vinculum/math/dense.h"
#include "vinculum/math/linear_program.h"

namespace vinculum {

namespace {

constexpr int kSides = 8;          // of the polygons to begin with
constexpr double kNoCost = 1e-15;  // of rays, beside the reserve

// One grip: its force is  N n + T t ,  |T| ≤ s mu N ; or  T t with |T| ≤ s R.
struct Cone {
  size_t grip = 0;           // index into Model::grips()
  Eigen::VectorXd normal;    // none: its bound is its own,
  int row = -1;              // of the set, of the normal,
  int capacity = -1;         // and this equation has it:  Σ factors + rest = 1
  Eigen::MatrixXd tangents;  // velocities by one or two
  double reach = 0;          // mu, or R
  std::vector<Eigen::VectorXd> directions;
};

// The force of a grip that no distribution changes: its own bound, or mu N with N by a law. None: N is a multiplier.
std::optional<double> bound_of(const ConstrainedDynamics& dynamics, const Grip& grip) {
  if (grip.bound || !grip.friction || grip.normal >= 0) return grip.holding_bound();
  return *grip.friction * std::max(dynamics.reactions[grip.contact].own.force.x, 0.0);
}

// The reactions as sums of rays, each with a factor that is not negative: of a cone its edges n + s mu d_k, of a row that pushes
// the row, of any other the row and its opposite.
class Distributions {
 public:
  Distributions(const ConstraintSet& set, const ConstrainedDynamics& dynamics) : D_(dynamics.rows.D) {
    const Eigen::VectorXd& multipliers = dynamics.solution.multipliers;
    const Eigen::MatrixXd& rubs = dynamics.forces.coupling;
    load_ = D_.transpose() * multipliers;
    if (rubs.cols() > 0) load_ += rubs * multipliers;
    // What a row does when it pushes, friction that goes with it included.
    const auto push = [&](Eigen::Index row) -> Eigen::VectorXd {
      Eigen::VectorXd pushed = D_.row(row);
      if (rubs.cols() > 0) pushed += rubs.col(row);
      return pushed;
    };
    even_ = Eigen::VectorXd::Zero(D_.cols());
    // What each normal has in the self-stresses of normals alone: Kᵀ N = 0.
    const NormalSelfStress stress = find_normal_self_stress(set, dynamics.solution.analysis);
    self_stress_ = Eigen::MatrixXd::Zero(D_.rows(), stress.K.cols());
    if (stress.exists()) self_stress_(stress.normals, Eigen::all) = stress.K;
    even_stress_ = Eigen::VectorXd::Zero(stress.K.cols());
    std::vector<bool> taken(set.rows.size(), false);
    for (size_t i = 0; i < set.model.grips().size(); ++i) add_cone(set, dynamics, i, taken);
    for (const OneSided& element : set.model.one_sided()) {
      const auto row = set.find_row(element.row);
      if (!row || taken[*row]) continue;
      taken[*row] = true;
      others_.push_back({push(*row), self_stress_.row(*row)});
      even_ += others_.back().force;
      even_stress_ += others_.back().self_stress;
    }
    for (size_t i = 0; i < taken.size(); ++i) {
      if (taken[i]) continue;
      const Eigen::Index row = static_cast<Eigen::Index>(i);
      others_.push_back({push(row), self_stress_.row(row)});
      others_.push_back({-D_.row(row), -self_stress_.row(row)});
    }
  }

  // τ at s, at most 1.
  double reserve(double s) {
    if (load_.size() == 0 || load_.isZero(0)) return 1;
    constexpr int kMostRounds = 60;
    double reserve = 1;
    for (int round = 0; round < kMostRounds; ++round) {
      const auto found = solve_linear_program(state_program(s));
      if (!found) return reserve;  // CLP gives up: nothing is proved
      reserve = 1 - found->x[0];
      prices_ = found->prices;
      if (!refine(found->prices, s)) break;
    }
    return reserve;
  }

  // Of each grip, by its index.
  std::vector<double> mechanism(size_t grips) const {
    std::vector<double> motion(grips, 0.0);
    if (prices_.size() == 0) return motion;
    for (const Cone& cone : cones_) motion[cone.grip] = (cone.tangents.transpose() * prices_.head(D_.cols())).norm();
    const double largest = std::ranges::max(motion);
    for (double& part : motion) part = largest > 0 ? part / largest : 0;
    return motion;
  }

 private:
  void add_cone(const ConstraintSet& set, const ConstrainedDynamics& dynamics, size_t index, std::vector<bool>& taken) {
    const Grip& grip = set.model.grips()[index];
    if (!(grip.bound || grip.friction)) return;
    const auto normal = grip.friction ? set.find_row(grip.normal) : std::nullopt;
    const std::optional<double> bound = bound_of(dynamics, grip);
    if (!bound && !normal) return;
    std::vector<int> tangents;
    for (const int row : grip.rows) {
      if (const auto at = set.find_row(row)) tangents.push_back(*at);
    }
    if (tangents.empty()) return;
    Cone cone;
    cone.grip = index;
    cone.tangents = D_(tangents, Eigen::all).transpose();
    cone.reach = bound.value_or(grip.friction.value_or(0));
    if (normal) {
      cone.normal = D_.row(*normal);
      cone.row = *normal;
      even_ += cone.normal;
      even_stress_ += self_stress_.row(*normal);
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

  LinearProgram state_program(double s) {
    const Eigen::Index n = D_.cols(), equations = n + capacities_ + self_stress_.cols();
    std::vector<Eigen::VectorXd> columns;
    const auto add = [&](const Eigen::VectorXd& ray, int capacity, const Eigen::VectorXd& self_stress = {}) {
      // Round-off beside a ray would spoil the scaling of the simplex method.
      const double round_off = 1e-12 * ray.lpNorm<Eigen::Infinity>();
      Eigen::VectorXd column = Eigen::VectorXd::Zero(equations);
      column.head(n) = (ray.array().abs() > round_off).select(ray, 0.0);
      if (capacity >= 0) column[n + capacity] = 1;
      if (self_stress.size() > 0) column.tail(self_stress.size()) = self_stress;
      columns.push_back(std::move(column));
    };
    for (const Cone& cone : cones_) {
      for (const Eigen::VectorXd& direction : cone.directions) {
        const Eigen::VectorXd along = s * cone.reach * (cone.tangents * direction);
        if (cone.capacity >= 0)
          add(along, cone.capacity);
        else
          add(cone.normal + along, -1, self_stress_.row(cone.row));
      }
      if (cone.capacity >= 0) add(Eigen::VectorXd::Zero(n), cone.capacity);
    }
    for (const Ray& ray : others_) add(ray.force, -1, ray.self_stress);
    // In forces of the size of the load; first what is missing at τ = 1:  .. + τ even = load  with  τ = 1 - x_0.
    const double size = load_.lpNorm<Eigen::Infinity>();
    const double even_size = std::max(even_.lpNorm<Eigen::Infinity>(), 1e-300);
    Eigen::VectorXd right(equations), even(equations);
    right << load_ / size, Eigen::VectorXd::Ones(capacities_), Eigen::VectorXd::Zero(self_stress_.cols());
    even << even_ / even_size, Eigen::VectorXd::Ones(capacities_), even_stress_ / even_size;
    LinearProgram program;
    program.equations.resize(equations, static_cast<Eigen::Index>(columns.size()) + 1);
    program.equations.col(0) = -even;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (capacities_ > 0 && columns[i].segment(n, capacities_).any()) columns[i].head(n) /= size;
      program.equations.col(static_cast<Eigen::Index>(i) + 1) = columns[i];
    }
    program.right = right - even;
    program.upper = Eigen::VectorXd::Constant(program.equations.cols(), std::numeric_limits<double>::infinity());
    program.cost = Eigen::VectorXd::Constant(program.equations.cols(), kNoCost);
    program.cost[0] = 1;
    program.is_feasible = true;  // pushed evenly and hard enough anything holds
    scale_ = size;
    return program;
  }

  // The prices y say  y · ray ≤ 0  of all rays in the program. Of a round cone the farthest ray along y is that towards tᵀy;
  // where that is positive the prices are wrong, and the ray is added. False: they are right.
  bool refine(const Eigen::VectorXd& prices, double s) {
    const Eigen::VectorXd y = prices.head(D_.cols());
    bool refined = false;
    for (Cone& cone : cones_) {
      const Eigen::VectorXd along = cone.tangents.transpose() * y;
      if (along.size() < 2 || !(along.norm() > 0)) continue;
      const double base = cone.capacity >= 0
                              ? prices[D_.cols() + cone.capacity]
                              : cone.normal.dot(y) + self_stress_.row(cone.row).dot(prices.tail(self_stress_.cols()));
      const double reach = s * (cone.capacity >= 0 ? cone.reach / scale_ : cone.reach);
      // Between two directions as near as this a polygon is round to 1e-11, and prices are no better.
      constexpr double kWrong = 1e-10, kSame = 5e-11;
      const Eigen::VectorXd direction = along.normalized();
      const auto is_same = [&](const Eigen::VectorXd& other) { return other.dot(direction) > 1 - kSame; };
      if (base + reach * along.norm() <= kWrong * (1 + std::abs(base)) || std::ranges::any_of(cone.directions, is_same)) continue;
      cone.directions.push_back(direction);
      refined = true;
    }
    return refined;
  }

  const Eigen::MatrixXd& D_;
  Eigen::VectorXd load_;
  std::vector<Cone> cones_;
  struct Ray {
    Eigen::VectorXd force, self_stress;
  };
  std::vector<Ray> others_;
  int capacities_ = 0;
  Eigen::VectorXd prices_;
  Eigen::VectorXd even_;         // a unit push at all that pushes,
  Eigen::VectorXd even_stress_;  // and what it has in the self-stresses of normals
  Eigen::MatrixXd self_stress_;  // rows of the set by self-stresses of normals alone
  double scale_ = 1;
};

}  // namespace

std::optional<double> find_friction_of_smallest(const ConstraintSet& set, const ConstrainedDynamics& dynamics) {
  const Eigen::VectorXd& multipliers = dynamics.solution.multipliers;
  const auto force = [&](int index) {
    const auto row = set.find_row(index);
    return row ? multipliers[*row] : 0;
  };
  for (const OneSided& element : set.model.one_sided()) {
    if (force(element.row) < 0) return std::nullopt;
  }
  double s = 0;
  std::vector<int> rows, first;   // of grips that are there, and where each of these begins
  std::vector<double> strengths;  // of each of their rows
  for (const Grip& grip : set.model.grips()) {
    double squares = 0;
    for (const int row : grip.rows) squares += std::pow(force(row), 2);
    if (!(grip.bound || grip.friction)) continue;
    const double has = bound_of(dynamics, grip).value_or(grip.friction.value_or(0) * std::max(force(grip.normal), 0.0));
    if (squares == 0 && !(has > 0)) continue;
    if (!(has > 0)) return std::nullopt;
    s = std::max(s, std::sqrt(squares) / has);
    first.push_back(static_cast<int>(rows.size()));
    for (const int row : grip.rows) {
      if (const auto at = set.find_row(row)) rows.push_back(*at), strengths.push_back(has);
    }
  }
  if (rows.empty() || s == 0) return s;

  // With the same normals, tangents in proportion to what each grip can bear:  Dᵀ(w u) = Dᵀ T ,  u the smallest. Of a body that
  // is pushed and not turned this is the best there is.
  const Eigen::VectorXd w = Eigen::Map<const Eigen::VectorXd>(strengths.data(), static_cast<Eigen::Index>(strengths.size()));
  const Eigen::MatrixXd tangents = dynamics.rows.D(rows, Eigen::all).transpose();
  constexpr double kDependent = 1e-10, kClosed = 1e-12;
  const Eigen::VectorXd load = tangents * multipliers(rows);
  const Eigen::MatrixXd weighted = tangents * w.asDiagonal();
  const Eigen::VectorXd u = solve_least_squares(weighted, load, kDependent).x;
  if ((weighted * u - load).norm() > kClosed * load.norm()) return s;
  double in_proportion = 0;
  for (size_t k = 0; k < first.size(); ++k) {
    const int end = k + 1 < first.size() ? first[k + 1] : static_cast<int>(rows.size());
    in_proportion = std::max(in_proportion, u.segment(first[k], end - first[k]).norm());
  }
  return std::min(s, in_proportion);
}

double find_reserve_of_distributions(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double s) {
  return Distributions(set, dynamics).reserve(s);
}

std::vector<double> find_slipping_mechanism(const ConstraintSet& set, const ConstrainedDynamics& dynamics) {
  Distributions distributions(set, dynamics);
  distributions.reserve(1);
  return distributions.mechanism(set.model.grips().size());
}

std::optional<double> find_least_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double known) {
  const auto at_hand = find_friction_of_smallest(set, dynamics);
  if (at_hand && *at_hand <= known) return known;
  constexpr double kLeast = 1e-3, kMost = 1e3;  // with no friction at all nothing holds, however hard it is pushed
  Distributions distributions(set, dynamics);
  // What lifts off is asked for the last time where its push is gone: to round-off of the load that is none that is missing.
  constexpr double kNothing = 1e-9;
  const auto shortfall = [&](double s) { return -distributions.reserve(s) - kNothing; };
  // Often what is at hand is the best there is.
  constexpr double kBest = 1e-7;
  if (at_hand && *at_hand > kLeast && shortfall((1 - kBest) * *at_hand) > 0) return *at_hand;
  double low = std::max(known, kLeast), above = shortfall(low);
  if (above <= 0) return low;
  double high = 2 * low, below = shortfall(high);
  while (below > 0) {
    low = high, above = below;
    high *= 2;
    if (high > kMost) return std::nullopt;
    below = shortfall(high);
  }
  // To 1e-9, by secants that keep the zero between them (Illinois).
  constexpr double kEnough = 1e-9;
  for (int turn = 0; turn < 60 && high - low > kEnough * high; ++turn) {
    const double s = low + (high - low) * std::clamp(above / (above - below), kEnough / 2, 1 - kEnough / 2), here = shortfall(s);
    if (here > 0)
      low = s, above = here, below /= 2;
    else
      high = s, below = here, above /= 2;
  }
  return high;
}

}  // namespace vinculum
