// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/steady_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "vinculum/analysis/laws_of_time.h"
#include "vinculum/analysis/row_reduction.h"
#include "vinculum/analysis/steady_axes.h"
#include "vinculum/constrained/constrained_derivatives.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/math/dense.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSame = 1e-9;    // beside the largest entry: what is the same farther along the motion
constexpr double kOnRows = 1e-8;  // [SI] how far from a constraint the motion may be there

// δ' = by_q δ + δv ,  δv' = v_by_q δ + v_by_v δv  and the constraints, all as seen from the axes of the motion.
struct SeenEquations {
  MatrixXd by_q, v_by_q, v_by_v, by_tau;
  MatrixXd D, rate_by_q, position;
  VectorXd v_rate;
  double largest_gap = 0, largest_rate = 0;
  int worst_row = -1;
  double error = 0;
};

SeenEquations see(const Model& model, const State& state, const ConstrainedDerivatives& own, const SteadyAxes& axes, double s) {
  const MatrixXd S = axes.to_seen(s), back = S.transpose(), W = turning_of_balls(model, state);
  const Eigen::Map<const VectorXd> v(state.v.data(), S.rows());
  SeenEquations seen;
  seen.by_q = S * W * back + axes.K();
  seen.v_by_q = S * own.by_q * back;
  seen.v_by_v = S * own.by_v * back + axes.K();
  seen.by_tau = S * own.by_tau;
  seen.D = own.D * back;
  seen.rate_by_q = own.rate_by_q * back;
  seen.position = own.position * back;
  const VectorXd rate = own.accelerations + axes.K() * v;
  seen.v_rate = S * rate;
  seen.largest_gap = own.largest_gap;
  seen.largest_rate = own.largest_rate;
  seen.worst_row = own.worst_row;
  seen.error = own.error;
  return seen;
}

// ---- the constraints ---------------------------------------------------------------------------------------------------------

struct Independent {
  std::vector<int> coordinates, velocities;
};

std::vector<int> others(const std::vector<int>& some, Index count) {
  std::vector<int> rest;
  for (int k = 0; k < count; ++k) {
    if (!std::binary_search(some.begin(), some.end(), k)) rest.push_back(k);
  }
  return rest;
}

// What follows the others comes first: what nothing depends on, slides before turns, then by how much the constraints feel it.
std::vector<int> order_of_followers(const Model& model, const MatrixXd& rows, const std::vector<bool>& ignorable) {
  const StateUnits units = state_units(model);
  const VectorXd felt = rows.rows() > 0 ? VectorXd(rows.colwise().norm()) : VectorXd::Zero(rows.cols());
  std::vector<int> order(rows.cols());
  std::iota(order.rbegin(), order.rend(), 0);
  const auto rank = [&](int k) { return 2 * !ignorable[k] + (units.velocities[k] != "m/s"); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return rank(a) != rank(b) ? rank(a) < rank(b) : felt[a] > 1.5 * felt[b]; });
  return order;
}

// x of  constraints x = right , all but the independent unknowns being free for it.
std::optional<MatrixXd> solve_followers(const MatrixXd& rows, const std::vector<int>& independent, const MatrixXd& right) {
  const std::vector<int> followers = others(independent, rows.cols());
  MatrixXd x = MatrixXd::Zero(rows.cols(), right.cols());
  if (followers.empty()) return x;
  const LeastSquares solution = solve_least_squares(rows(Eigen::all, followers), right, 1e-10);
  if (solution.rank < static_cast<int>(followers.size())) return std::nullopt;
  x(followers, Eigen::all) = solution.x;
  return x;
}

// x' = A x + B tau of x = (η, θ):  δ = G η ,  δv = H θ + P η
struct Reduced {
  MatrixXd A, B;
  MatrixXd velocities;  // δv of x
};
std::optional<Reduced> reduce(const SeenEquations& seen, const Independent& independent) {
  const Index n = seen.D.cols();
  const auto basis = [&](const MatrixXd& rows, const std::vector<int>& kept) -> std::optional<MatrixXd> {
    auto followers = solve_followers(rows, kept, -rows(Eigen::all, kept));
    if (!followers) return std::nullopt;
    for (size_t k = 0; k < kept.size(); ++k) (*followers)(kept[k], static_cast<Index>(k)) = 1;
    return followers;
  };
  const auto G = basis(seen.position, independent.coordinates), H = basis(seen.D, independent.velocities);
  if (!G || !H) return std::nullopt;
  const auto P = solve_followers(seen.D, independent.velocities, -seen.rate_by_q * *G);
  if (!P) return std::nullopt;
  const Index a = G->cols(), b = H->cols();
  const MatrixXd q_rate = seen.by_q * *G + *P, v_by_q = seen.v_by_q * *G + seen.v_by_v * *P, v_by_v = seen.v_by_v * *H;
  Reduced reduced{MatrixXd::Zero(a + b, a + b), MatrixXd::Zero(a + b, n), side_by_side(*P, *H)};
  reduced.A.topLeftCorner(a, a) = q_rate(independent.coordinates, Eigen::all);
  reduced.A.topRightCorner(a, b) = (*H)(independent.coordinates, Eigen::all);
  reduced.A.bottomLeftCorner(b, a) = v_by_q(independent.velocities, Eigen::all);
  reduced.A.bottomRightCorner(b, b) = v_by_v(independent.velocities, Eigen::all);
  reduced.B.bottomRows(b) = seen.by_tau(independent.velocities, Eigen::all);
  return reduced;
}

// ---- is it steady ------------------------------------------------------------------------------------------------------

// To a departure of 1e-10, and 1e-12 of the largest acceleration that a departure of 1 or gravity brings.
std::optional<int> find_acceleration(const Model& model, const SeenEquations& seen) {
  constexpr double kDeparture = 1e-10, kSmall = 1e-12;
  const VectorXd reach = seen.v_by_q.rowwise().lpNorm<1>() + seen.v_by_v.rowwise().lpNorm<1>();
  const double size = std::max(reach.size() > 0 ? reach.maxCoeff() : 0, norm(model.gravity()));
  Index worst = 0;
  const VectorXd excess = seen.v_rate.cwiseAbs() - kDeparture * reach;
  if (excess.size() == 0 || excess.maxCoeff(&worst) <= (kSmall + seen.error) * size) return std::nullopt;
  return static_cast<int>(worst);
}

Failure accelerates(const Model& model, const SeenEquations& seen, int velocity) {
  return {"VN-LINEAR-004",
          fmt::format("the motion is not steady: {} changes by {:.6g} {}^2", model.velocity_names()[velocity],
                      seen.v_rate[velocity], state_units(model).velocities[velocity]),
          "with contacts, deviations are those from an equilibrium (`vinculum equilibrium` finds one) or from a motion whose "
          "velocities are all constant; a turn is steady about the vertical"};
}

double speed_of(const State& state, double turn_rate) {
  double speed = std::abs(turn_rate);
  for (const double v : state.v) speed = std::max(speed, std::abs(v));
  return speed;
}

class SteadyMotion {
 public:
  SteadyMotion(const Model& model, const State& state)
      : model_(model), state_(state), set_(model, state), differentiator_(set_) {}

  Outcome<Linearisation> linearise() {
    const auto own = differentiator_.compute(state_);
    if (!own) return own.failure();
    if (own->error > kRough) return too_rough(own->error);
    const std::vector<VelocityVector> vectors = list_velocity_vectors(model_);
    std::vector<size_t> moving_balls;
    for (size_t k = 0; k < vectors.size(); ++k) {
      const auto moves = [&](int v) { return state_.v[v] != 0; };
      if (vectors[k].is_ball && std::any_of(vectors[k].velocities.begin(), vectors[k].velocities.end(), moves))
        moving_balls.push_back(k);
    }

    // Straight first, then turning as the slides do, then as bodies do that spin on the spot; balls seen from their base, then
    // from their body, then each its own way.
    std::optional<Failure> reason;
    const size_t ways = size_t{1} << std::min<size_t>(moving_balls.size(), 4);
    std::vector<std::optional<double>> turns{0.0, std::nullopt};  // none: the slides tell
    for (const double rate : list_vertical_rates(model_, state_)) turns.push_back(rate);
    for (const std::optional<double>& turn : turns) {
      const bool turning = turn != 0.0;
      for (size_t way = 0; way < ways; ++way) {
        std::vector<bool> follows_body(vectors.size(), false);
        const size_t chosen = way == 0 ? 0 : ways - way;
        for (size_t k = 0; k < moving_balls.size(); ++k) follows_body[moving_balls[k]] = (chosen >> std::min<size_t>(k, 3)) & 1;
        const double rate = turn ? *turn : fit_turn_rate(model_, state_, own->accelerations, vectors, follows_body);
        if (turning && rate == 0) continue;
        const SteadyAxes axes(model_, state_, vectors, follows_body, rate);
        auto found = linearise_from(axes, *own);
        if (found) return found;
        // That it is steady here and changes on the way says more than that it is not steady.
        if (!reason || reason->kind() == FailureKind::no_solution) reason = found.failure();
      }
    }
    return *reason;
  }

 private:
  static constexpr double kRough = 1e-6;

  static Failure too_rough(double error) {
    return {"VN-LINEAR-222",
            fmt::format("the accelerations have no reliable derivative here: differences agree to {:.2g} of the largest", error),
            "a law or a surface with a corner, or friction with a very small `smoothing`, is not linearised at its corner"};
  }

  Outcome<Linearisation> linearise_from(const SteadyAxes& axes, const ConstrainedDerivatives& own) {
    const SeenEquations here = see(model_, state_, own, axes, 0);
    if (const auto velocity = find_acceleration(model_, here)) return accelerates(model_, here, *velocity);

    // What is ignorable tells which departures to keep.
    Linearisation result;
    std::vector<bool> ignorable(state_.v.size(), false);
    std::optional<Reduced> reduced;
    Independent independent;
    for (const bool known : {false, true}) {
      independent.coordinates =
          vinculum::find_null_space(here.position, order_of_followers(model_, here.position, ignorable)).independent;
      independent.velocities = vinculum::find_null_space(here.D, order_of_followers(model_, here.D, ignorable)).independent;
      reduced = reduce(here, independent);
      if (!reduced) return beyond_all_numbers("the linearisation at this state");
      const int departures = static_cast<int>(independent.coordinates.size());
      const double largest = reduced->A.size() > 0 ? reduced->A.cwiseAbs().maxCoeff() : 0;
      if (!std::isfinite(largest)) return beyond_all_numbers("the linearisation at this state");
      result.apart = find_ignorable_directions(reduced->A, reduced->velocities, axes.turned_velocities(),
                                               std::max(kNoEntry, 10 * here.error));
      if (known) break;
      const VectorXd parts = result.apart.ignorable.rowwise().norm();
      for (int k = 0; k < departures; ++k) ignorable[independent.coordinates[k]] = parts[k] > 1 - 1e-9;
    }
    if (auto reason = find_change(axes, independent, *reduced)) return *reason;

    result.velocities = independent.velocities;
    result.states = name_departures(model_, independent.coordinates, independent.velocities);
    result.departures = static_cast<int>(independent.coordinates.size());
    result.inputs = model_.velocity_names();
    result.A = std::move(reduced->A);
    result.B = std::move(reduced->B);
    result.accelerations = VectorXd::Zero(static_cast<Index>(independent.velocities.size()));
    result.turn_rate = axes.turn_rate();
    result.error = here.error;
    if (!result.A.allFinite() || !result.B.allFinite()) return beyond_all_numbers("the linearisation at this state");
    return result;
  }

  // The same equations farther along the motion, or why not.
  std::optional<Failure> find_change(const SteadyAxes& axes, const Independent& independent, const Reduced& here) {
    const double speed = speed_of(state_, axes.turn_rate());
    const bool in_time = !list_laws_of_time(model_).empty();
    if (speed == 0 && !in_time) return std::nullopt;
    const double unit = speed > 0 ? 1 / speed : 1;
    for (const double way : {0.31, 1.17, 2.9, -1.9}) {
      const double s = way * unit;
      const State there = axes.move(s);
      const auto own = differentiator_.compute(there);
      if (!own) return not_ignorable(axes, independent, here, s);
      if (own->largest_gap > kOnRows || own->largest_rate > kOnRows * (1 + speed)) return leaves_row(*own, s);
      const SeenEquations seen = see(model_, there, *own, axes, s);
      if (find_acceleration(model_, seen) || differs(reduce(seen, independent), here, std::max(own->error, seen.error)))
        return not_ignorable(axes, independent, here, s);
    }
    return std::nullopt;
  }

  static bool differs(const std::optional<Reduced>& there, const Reduced& here, double error) {
    if (!there) return true;
    const double largest = here.A.size() > 0 ? here.A.cwiseAbs().maxCoeff() : 0;
    return here.A.size() > 0 && !((there->A - here.A).cwiseAbs().maxCoeff() <= std::max(kSame, 100 * error) * largest);
  }

  Failure leaves_row(const ConstrainedDerivatives& own, double s) const {
    return {"VN-LINEAR-221",
            fmt::format("the motion is not steady: with constant velocities it violates the constraint {} within {:.3g} s",
                        set_.rows[own.worst_row].name, std::abs(s)),
            "surfaces and given motions must not change along the motion: a plane, a circle about an axis, a constant rate"};
  }

  // Which coordinate, moved alone, changes the equations most.
  Failure not_ignorable(const SteadyAxes& axes, const Independent& independent, const Reduced& here, double s) {
    int worst = -1;
    double most = 0;
    const auto change_at = [&](const State& there) {
      const auto own = differentiator_.compute(there);
      if (!own) return HUGE_VAL;
      const SeenEquations seen = see(model_, there, *own, axes, 0);
      const auto reduced = reduce(seen, independent);
      if (!reduced) return HUGE_VAL;
      const double change = here.A.size() > 0 ? (reduced->A - here.A).cwiseAbs().maxCoeff() : 0;
      return change + (find_acceleration(model_, seen) ? seen.v_rate.cwiseAbs().maxCoeff() : 0);
    };
    for (int k = 0; k < static_cast<int>(state_.v.size()); ++k) {
      if (state_.v[k] == 0) continue;
      const double change = change_at(axes.move_alone(k, s));
      if (change <= most) continue;
      most = change;
      worst = k;
    }
    State later = state_;
    later.t += s;
    const std::vector<std::string> laws = list_laws_of_time(model_);
    if (!laws.empty() && change_at(later) >= most) {
      return {"VN-LINEAR-220", fmt::format("the motion is not steady: its equations change with time, by the {}", laws.front()),
              "take the law out, or make it constant"};
    }
    if (worst < 0) {
      return {"VN-LINEAR-220", fmt::format("the motion is not steady: its equations are others {:.3g} s later", s),
              "`simulate` shows the motion; its linearised equations are not constant"};
    }
    const StateUnits units = state_units(model_);
    return {"VN-LINEAR-220",
            fmt::format("the motion is not steady: the coordinate of {} moves at {:.6g} {}, and the equations depend on it",
                        model_.velocity_names()[worst], state_.v[worst], units.velocities[worst]),
            "forces, inertia and surface must not depend on where it is; a wheel is symmetric about its axis"};
  }

  const Model& model_;
  const State& state_;
  ConstraintSet set_;
  ConstrainedDifferentiator differentiator_;
};

}  // namespace

Outcome<Linearisation> linearise_steady_motion(const Model& model, const State& state) {
  return SteadyMotion(model, state).linearise();
}

}  // namespace vinculum
