// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/find_steady_motion.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/Eigenvalues>

#include "vinculum/analysis/steady_axes.h"
#include "vinculum/analysis/steady_motion.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/geometry/tree_motion.h"
#include "vinculum/math/dense.h"
#include "vinculum/model/scales.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// A trial: positions and velocities, the turning rate, and how far it is from steady.
struct Trial {
  State state;
  double turn_rate = 0;
  VectorXd residual;  // of length 0: it has none
  double size() const { return residual.size() > 0 ? residual.squaredNorm() : HUGE_VAL; }
};

class SteadySearch {
 public:
  SteadySearch(const Model& model, const State& start, std::span<const GivenRate> rates)
      : model_(model),
        set_(model),
        rates_(rates.begin(), rates.end()),
        workspace_(model),
        vectors_(list_velocity_vectors(model)) {
    const Scales scales = find_scales(model, start);
    length_ = velocity_scales(model, scales);
    for (double& unit : length_) unit *= scales.time();
    double fastest = 0;
    for (const GivenRate& given : rates_) fastest = std::max(fastest, std::abs(given.rate) / length_[given.velocity]);
    time_ = fastest > 0 ? 1 / fastest : scales.time();
  }

  Outcome<SteadyState> find(State start) {
    start.modes = set_.modes;
    std::vector<int> held;
    for (const GivenRate& given : rates_) held.push_back(given.velocity);
    const auto hold_rates = [&](State state) {
      for (const GivenRate& given : rates_) state.v[given.velocity] = given.rate;
      if (set_.is_plain_tree()) return state;
      const auto projection = project_state(set_, state, workspace_, {}, held);
      return projection ? projection->state : state;
    };
    start = hold_rates(start);
    std::optional<Failure> reason;
    double nearest = HUGE_VAL;
    for (const std::vector<bool>& way : list_ways()) {
      follows_body_ = way;
      for (const auto& [turn_rate, is_relaxed] : list_turn_rates(start)) {
        Trial trial{turn_rate == 0 ? start : hold_rates(turned(start, turn_rate)), turn_rate, {}};
        if (is_relaxed) relax(trial);
        evaluate(trial);
        int iterations = 0;
        improve(trial, iterations);
        if (trial.residual.size() == 0) {
          if (!reason) reason = lost_;
          continue;
        }
        const double worst = trial.residual.lpNorm<Eigen::Infinity>();
        if (worst > kSteady) {
          if (worst < nearest) nearest = worst, reason = none_found(trial);
          continue;
        }
        auto linear = linearise_steady_motion(model_, trial.state);
        if (!linear) {
          if (nearest > 0) nearest = 0, reason = linear.failure();
          continue;
        }
        if (!model_.strings().empty()) {
          const auto held_at = compute_contact_reactions(set_, trial.state, workspace_);
          if (!held_at) return held_at.failure();
          if (auto failure = check_tensions(set_, held_at->solution.multipliers)) return *failure;
        }
        return SteadyState{std::move(trial.state), std::move(*linear), iterations};
      }
    }
    return *reason;
  }

 private:
  static constexpr double kSteady = 1e-9;
  static constexpr double kLater[] = {0, 0.31, 1.17};  // of the time unit

  // Which balls are seen from their body: all, none, then each its own way.
  std::vector<std::vector<bool>> list_ways() const {
    std::vector<size_t> balls;
    for (size_t k = 0; k < vectors_.size(); ++k) {
      if (vectors_[k].is_ball) balls.push_back(k);
    }
    std::vector<std::vector<bool>> ways;
    const size_t count = size_t{1} << std::min<size_t>(balls.size(), 4);
    for (size_t way = count; way-- > 0;) {
      std::vector<bool> follows(vectors_.size(), false);
      for (size_t k = 0; k < balls.size(); ++k) follows[balls[k]] = (way >> std::min<size_t>(k, 3)) & 1;
      ways.push_back(std::move(follows));
    }
    return ways;
  }

  // How to start: what turns about the vertical, then the other given rates of turns, then none; each first where positions have
  // come to rest at these rates, then as it is.
  struct Start {
    double turn_rate = 0;
    bool is_relaxed = false;
  };
  std::vector<Start> list_turn_rates(const State& start) const {
    std::vector<double> list = list_vertical_rates(model_, start);
    const StateUnits units = state_units(model_);
    for (const GivenRate& given : rates_) {
      if (units.velocities[given.velocity] == "rad/s") list.insert(list.end(), {given.rate, -given.rate});
    }
    list.push_back(0);
    std::vector<Start> once;
    for (const double rate : list) {
      const auto is_known = [&](const Start& known) { return known.turn_rate == rate; };
      if (std::any_of(once.begin(), once.end(), is_known)) continue;
      if (set_.is_plain_tree()) once.push_back({rate, true});
      once.push_back({rate, false});
    }
    return once;
  }

  // Slides and balls on the ground that have no velocity yet turn as one body about the vertical through the origin.
  State turned(State state, double turn_rate) const {
    const double g = norm(model_.gravity());
    const Vector3 turn_W = turn_rate * (g > 0 ? (-1 / g) * model_.gravity() : Vector3{0, 0, 1});
    const std::vector<FrameMotion> links = compute_tree_motion(model_, state);
    for (const VelocityVector& vector : vectors_) {
      const auto moves = [&](int v) { return state.v[v] != 0; };
      const bool is_given = std::any_of(vector.velocities.begin(), vector.velocities.end(), moves);
      if (vector.is_ball ? !vector.stands : is_given) continue;
      for (size_t i = 0; i < links.size(); ++i) {
        const Link& link = model_.tree().links[i];
        const int last = link.v + velocity_count(link.kind) - 1;
        const int own =
            vector.is_ball || link.kind == LinkKind::prismatic ? vector.velocities.back() : vector.velocities.back() + 3;
        if (last != own || velocity_count(link.kind) == 0) continue;
        const Vector3 rate = vector.is_ball ? transpose_times(links[i].R, turn_W) : cross(turn_W, links[i].p);
        for (size_t k = 0; k < vector.velocities.size(); ++k)
          state.v[vector.velocities[k]] = vector.is_ball ? rate[static_cast<int>(k)] : dot(vector.axes_W[k], rate);
      }
    }
    return state;
  }

  // Coordinates that stand move towards where they would stay, and away from where they would not: with A = ∂v'/∂q among them,
  // dq = |A|⁻¹ v' , Newton's step where A is negative and its opposite where it is positive.
  void relax(Trial& trial) {
    constexpr int kMostSteps = 40;
    constexpr double kDifference = 1e-6, kLongest = 0.3, kLeast = 1e-6;
    std::vector<Index> idle;
    for (Index k = 0; k < velocities(); ++k) {
      const auto is_this = [&](const GivenRate& given) { return given.velocity == k; };
      if (trial.state.v[k] == 0 && std::none_of(rates_.begin(), rates_.end(), is_this)) idle.push_back(k);
    }
    const Index count = static_cast<Index>(idle.size());
    const auto rates_at = [&](const State& state) -> std::optional<VectorXd> {
      const auto motion = compute_forward_dynamics(model_, state, workspace_);
      if (!motion) return std::nullopt;
      const VectorXd all = Eigen::Map<const VectorXd>(motion->accelerations.data(), velocities());
      return VectorXd(all(idle));
    };
    for (int step = 0; step < kMostSteps && count > 0; ++step) {
      const auto rates = rates_at(trial.state);
      if (!rates) return;
      Eigen::MatrixXd A(count, count);
      for (Index k = 0; k < count; ++k) {
        State up = trial.state;
        VectorXd dq = VectorXd::Zero(velocities());
        dq[idle[k]] = kDifference * length_[idle[k]];
        move_coordinates(model_, dq, up.q);
        const auto there = rates_at(up);
        if (!there) return;
        A.col(k) = (*there - *rates) / dq[idle[k]];
      }
      if (!A.allFinite()) return;
      const Eigen::EigenSolver<Eigen::MatrixXd> eigen(A);
      const Eigen::VectorXcd values = eigen.eigenvalues();
      const double largest = values.cwiseAbs().maxCoeff();
      if (!(largest > 0)) return;
      const Eigen::VectorXcd parts = eigen.eigenvectors().fullPivLu().solve(rates->cast<std::complex<double>>().eval());
      Eigen::VectorXcd scaled = parts;
      for (Index k = 0; k < count; ++k) scaled[k] /= std::max(std::abs(values[k]), 1e-6 * largest);
      const VectorXd x = (eigen.eigenvectors() * scaled).real();
      VectorXd dq = VectorXd::Zero(velocities());
      double longest = 0;
      for (Index k = 0; k < count; ++k) {
        dq[idle[k]] = x[k];
        longest = std::max(longest, std::abs(x[k]) / length_[idle[k]]);
      }
      if (!std::isfinite(longest)) return;
      if (longest > kLongest) dq *= kLongest / longest;
      move_coordinates(model_, dq, trial.state.q);
      if (longest < kLeast) return;
    }
  }

  void evaluate(Trial& trial) {
    std::vector<double> values;
    const SteadyAxes axes(model_, trial.state, vectors_, follows_body_, trial.turn_rate);
    trial.residual.resize(0);
    for (const double later : kLater) {
      const State there = later == 0 ? trial.state : axes.move(later * time_);
      VectorXd rates;
      if (set_.is_plain_tree()) {
        const auto motion = compute_forward_dynamics(model_, there, workspace_);
        if (!motion) return lose(motion.failure());
        rates = Eigen::Map<const VectorXd>(motion->accelerations.data(), static_cast<Index>(motion->accelerations.size()));
      } else {
        const auto motion = compute_constrained_motion(set_, there, {}, workspace_);
        if (!motion) return lose(motion.failure());
        rates = motion->accelerations;
        const auto rows = compute_row_values(set_, there);
        if (!rows) return lose(rows.failure());
        for (const Row& row : set_.rows) {
          const RowAt& at = rows->all[row.index];
          const RowScales scale = scales_of(model_, row.index);
          if (at.gap) values.push_back(*at.gap / scale.position);
          values.push_back(at.rate * time_ / scale.position);
        }
      }
      rates += axes.K() * Eigen::Map<const VectorXd>(there.v.data(), rates.size());
      for (Index k = 0; k < rates.size(); ++k) values.push_back(rates[k] * time_ * time_ / length_[k]);
    }
    for (const GivenRate& given : rates_)
      values.push_back((trial.state.v[given.velocity] - given.rate) * time_ / length_[given.velocity]);
    const VectorXd residual = Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
    if (residual.allFinite()) trial.residual = residual;
  }
  void lose(const Failure& failure) { lost_ = failure; }

  Index velocities() const { return model_.tree().velocities; }

  // x: departures of the positions and changes of the velocities, in their units, and of the turning rate.
  Trial moved(const Trial& from, const VectorXd& x) {
    Trial trial{from.state, from.turn_rate + x[2 * velocities()] / time_, {}};
    VectorXd dq(velocities());
    for (Index k = 0; k < velocities(); ++k) {
      dq[k] = x[k] * length_[k];
      trial.state.v[k] += x[velocities() + k] * length_[k] / time_;
    }
    move_coordinates(model_, dq, trial.state.q);
    evaluate(trial);
    return trial;
  }

  void improve(Trial& trial, int& iterations) {
    constexpr int kMostSteps = 200, kMostTries = 12;
    constexpr double kDifference = 1e-6, kLongest = 0.5;
    const Index unknowns = 2 * velocities() + 1;
    double damping = 1e-2;
    for (; iterations < kMostSteps && trial.residual.size() > 0; ++iterations) {
      if (trial.residual.lpNorm<Eigen::Infinity>() < 1e-14) return;
      Eigen::MatrixXd J(trial.residual.size(), unknowns);
      for (Index k = 0; k < unknowns; ++k) {
        const VectorXd step = VectorXd::Unit(unknowns, k) * kDifference;
        const Trial up = moved(trial, step), down = moved(trial, -step);
        if (up.size() == HUGE_VAL || down.size() == HUGE_VAL) return;
        J.col(k) = (up.residual - down.residual) / (2 * kDifference);
      }
      const double largest = J.colwise().norm().maxCoeff();
      bool better = false;
      for (int tried = 0; tried < kMostTries && !better; ++tried) {
        Eigen::MatrixXd extended(J.rows() + unknowns, unknowns);
        extended << J, damping * largest * Eigen::MatrixXd::Identity(unknowns, unknowns);
        VectorXd right = VectorXd::Zero(extended.rows());
        right.head(J.rows()) = -trial.residual;
        VectorXd x = solve_least_squares(extended, right, 1e-15).x;
        const double length = x.lpNorm<Eigen::Infinity>();
        if (length > kLongest) x *= kLongest / length;
        Trial next = moved(trial, x);
        better = next.size() < trial.size();
        if (better) trial = std::move(next);
        damping = better ? std::max(0.03 * damping, 1e-10) : std::min(8 * damping, 1e3);
      }
      if (!better) return;
    }
  }

  Failure none_found(const Trial& trial) const {
    Index worst = 0;
    const Index count = trial.residual.size() - static_cast<Index>(rates_.size());
    trial.residual.cwiseAbs().maxCoeff(&worst);
    const Index of_one_time = count / static_cast<Index>(std::size(kLater)), place = worst % of_one_time;
    const Index first = of_one_time - velocities();
    std::string what = "a constraint is not kept";
    if (worst >= count) {
      const GivenRate& given = rates_[worst - count];
      what = fmt::format("{} would be {:.6g} {}", model_.velocity_names()[given.velocity], trial.state.v[given.velocity],
                         state_units(model_).velocities[given.velocity]);
    } else if (place >= first) {
      const Index k = place - first;
      what = fmt::format("{} still changes by {:.3g} {}^2", model_.velocity_names()[k],
                         trial.residual[worst] * length_[k] / (time_ * time_), state_units(model_).velocities[k]);
    }
    return {"VN-LINEAR-005", fmt::format("no steady motion with these rates was found from this start: {}", what),
            "start closer to it: --set positions, or the velocities that are not given; or give fewer rates"};
  }

  const Model& model_;
  ConstraintSet set_;
  std::vector<GivenRate> rates_;
  Workspace workspace_;
  std::vector<VelocityVector> vectors_;
  std::vector<bool> follows_body_;
  std::vector<double> length_;  // of each velocity: metres, or 1 of angles
  double time_ = 1;
  Failure lost_;
};

}  // namespace

Outcome<SteadyState> find_steady_motion(const Model& model, const State& start, std::span<const GivenRate> rates) {
  if (auto refusal = refuse_extra_states(model, "the search for a steady motion")) return *refusal;
  if (auto refusal = refuse_joint_friction(model, "the search for a steady motion")) return *refusal;
  return SteadySearch(model, start, rates).find(start);
}

}  // namespace vinculum
