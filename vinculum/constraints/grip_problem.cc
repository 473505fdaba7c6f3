// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/grip_problem.h"

#include <algorithm>
#include <cmath>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr int kMostSweeps = 20000, kSweepsToNewton = 40;
constexpr double kSettled = 1e-15;    // change of R, beside the largest
constexpr double kSettledAll = 1e-9;  // what is granted when the sweeps are over

// R of  x = W R + y ,  R in -rho ∂|x| ,  for one block:  it sticks, R = -W⁻¹y, if that is within rho; else R = -rho d with
// (rho W + alpha) d = y and |d| = 1, |x| = alpha: with the eigenvectors of W,  Σ (y_i / (rho w_i + alpha))² = 1 , which falls
// with alpha.
Eigen::VectorXd solve_disk(const SingularValues& W, const Eigen::VectorXd& y, double rho) {
  if (!(rho > 0)) return Eigen::VectorXd::Zero(y.size());
  const Eigen::VectorXd z = W.U.transpose() * y;
  const Eigen::VectorXd stuck = z.cwiseQuotient(W.values);
  if (stuck.norm() <= rho) return -(W.U * stuck);
  const auto length = [&](double alpha) { return z.cwiseQuotient((rho * W.values.array() + alpha).matrix()).norm(); };
  double low = 0, high = z.norm();  // length(0) > 1 ≥ length(high)
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = (low + high) / 2;
    (length(middle) > 1 ? low : high) = middle;
  }
  const Eigen::VectorXd direction = z.cwiseQuotient((rho * W.values.array() + high).matrix());
  return -rho * (W.U * direction.normalized());
}

// What is left open at R, and its slope. Of each block, with z = R - x/w (w: the largest of W on it):
//
//   held    x/w = 0        pushes  R - max(z, 0) = 0        grips  R - P(z) = 0 ,  P: onto the disk of radius rho
struct OpenEquations {
  Eigen::VectorXd left;
  Eigen::MatrixXd slope;
  std::vector<Eigen::Index> carrying;  // rows that hold, push or stick: what slips follows its normal, what is apart has no force
};

OpenEquations state_equations(const Eigen::MatrixXd& W, const Eigen::VectorXd& b, const std::vector<GripBlock>& blocks,
                              const Eigen::VectorXd& R) {
  const Eigen::Index n = b.size();
  const Eigen::VectorXd x = W * R + b;
  OpenEquations open{Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Zero(n, n), {}};
  for (const GripBlock& block : blocks) {
    const double w = W(block.rows, block.rows).diagonal().maxCoeff();
    const Eigen::VectorXd own = R(block.rows), of_x = x(block.rows) / w, z = own - of_x;
    const Eigen::MatrixXd dx = W(block.rows, Eigen::all) / w;
    const auto leave = [&](const Eigen::VectorXd& left, const Eigen::MatrixXd& slope) {
      open.left(block.rows) = left;
      open.slope(block.rows, Eigen::all) = slope;
    };
    Eigen::MatrixXd unit = Eigen::MatrixXd::Zero(own.size(), n);
    for (size_t i = 0; i < block.rows.size(); ++i) unit(static_cast<Eigen::Index>(i), block.rows[i]) = 1;
    const double rho = block.reach(R), length = z.norm();
    const bool sticks = block.kind == GripBlock::Kind::held || (block.kind == GripBlock::Kind::pushes && z[0] > 0) ||
                        (block.kind == GripBlock::Kind::grips && length <= rho);
    if (sticks) {
      leave(of_x, dx);
      open.carrying.insert(open.carrying.end(), block.rows.begin(), block.rows.end());
    } else if (block.kind == GripBlock::Kind::pushes) {
      leave(own, unit);
    } else {
      const Eigen::VectorXd d = z / length;
      const Eigen::MatrixXd across = Eigen::MatrixXd::Identity(d.size(), d.size()) - d * d.transpose();
      Eigen::MatrixXd slope = unit - rho / length * across * (unit - dx);
      if (rho > 0 && block.shares.empty() && block.normal >= 0) slope.col(block.normal) -= block.friction * d;
      for (const GripBlock::Share& share : block.shares) {
        if (rho > 0) slope.col(share.row) -= block.friction * share.part * d;
      }
      leave(own - rho * d, slope);
    }
  }
  return open;
}

// Newton's steps on these (Alart and Curnier 1991); halved where they would leave more open. None: they do not settle. Where
// redundant rows leave a choice the smallest step is taken or, for the least forces, of all R that solve the linear equations the
// one with the smallest |R| of what carries:
//
//   R = R_p + N y ,  S R_p = S R - left ,  S N = 0 ,  y = -(N_c)⁺ R_p,c
enum class OfAll { least_change, least_forces };
std::optional<Eigen::VectorXd> settle_by_newton(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                                const std::vector<GripBlock>& blocks, Eigen::VectorXd R,
                                                OfAll of_all = OfAll::least_change) {
  constexpr int kMostSteps = 60, kMostHalvings = 12;
  constexpr double kDependent = 1e-11, kClosed = 1e-13, kNearlyClosed = 1e-11, kSame = 1e-12;
  OpenEquations open = state_equations(W, b, blocks, R);
  bool is_chosen = of_all == OfAll::least_change;
  for (int step = 0; step < kMostSteps; ++step) {
    const double size = 1e-300 + R.lpNorm<Eigen::Infinity>();
    if (is_chosen && open.left.lpNorm<Eigen::Infinity>() <= kClosed * size) return R;
    Eigen::VectorXd change = solve_least_squares(open.slope, -open.left, kDependent).x;
    if (of_all == OfAll::least_forces) {
      const SingularValues parts = find_singular_values(open.slope);
      Eigen::Index rank = 0;
      while (rank < parts.values.size() && parts.values[rank] > kDependent * parts.values[0]) ++rank;
      if (rank < R.size() && !open.carrying.empty()) {
        const Eigen::MatrixXd free = parts.V.rightCols(R.size() - rank);
        const Eigen::VectorXd target = R + change;
        change -= free * solve_least_squares(free(open.carrying, Eigen::all), target(open.carrying), kDependent).x;
      }
    }
    double part = 1;
    for (int halving = 0; halving < kMostHalvings; ++halving, part /= 2) {
      const Eigen::VectorXd next = R + part * change;
      OpenEquations there = state_equations(W, b, blocks, next);
      const bool is_better = there.left.norm() < open.left.norm() || there.left.lpNorm<Eigen::Infinity>() <= kNearlyClosed * size;
      if (!is_better && halving + 1 < kMostHalvings) continue;
      if (!there.left.allFinite()) return std::nullopt;
      R = next;
      open = std::move(there);
      break;
    }
    is_chosen = of_all == OfAll::least_change || change.lpNorm<Eigen::Infinity>() <= kSame * R.lpNorm<Eigen::Infinity>();
  }
  return std::nullopt;
}

// A row of a grip that no joint feels, the lateral one of a mechanism in a plane, moves by nothing and carries nothing: with an
// inertia of its own that is what comes out.
Eigen::MatrixXd fill_unfelt(const Eigen::MatrixXd& response, const Eigen::VectorXd& b, const std::vector<GripBlock>& blocks) {
  constexpr double kUnfelt = 1e-12;  // of the largest: as compute_row takes a row to be felt by no joint
  Eigen::MatrixXd W = response;
  for (const GripBlock& block : blocks) {
    if (block.kind != GripBlock::Kind::grips) continue;
    const double own = response(block.rows, block.rows).diagonal().maxCoeff();
    for (const int row : block.rows) {
      const bool moves = std::abs(b[row]) > kUnfelt * b.lpNorm<Eigen::Infinity>();
      if (!moves && response.row(row).isZero(0) && response.col(row).isZero(0)) W(row, row) = own > 0 ? own : 1;
    }
  }
  return W;
}

}  // namespace

double GripBlock::reach(const Eigen::VectorXd& R) const {
  if (!is_pressed()) return bound;
  double load = shares.empty() ? R[normal] : 0;
  for (const Share& share : shares) load += share.part * R[share.row];
  return load > 0 ? bound + friction * load : bound;
}

std::optional<GripSolution> solve_grip_problem(const Eigen::MatrixXd& response, const Eigen::VectorXd& b,
                                               const std::vector<GripBlock>& blocks) {
  const Eigen::MatrixXd W = fill_unfelt(response, b, blocks);
  GripSolution solution{Eigen::VectorXd::Zero(b.size()), b};
  std::vector<SingularValues> inner;
  for (const GripBlock& block : blocks) {
    const Eigen::MatrixXd own = W(block.rows, block.rows);
    for (Eigen::Index i = 0; i < own.rows(); ++i) {
      if (!(own(i, i) > 0)) return std::nullopt;
    }
    inner.push_back(find_singular_values((own + own.transpose()) / 2));
    if (!(inner.back().values.minCoeff() > 0)) return std::nullopt;
  }
  double last = 0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0, size = 0;
    for (size_t k = 0; k < blocks.size(); ++k) {
      const GripBlock& block = blocks[k];
      const Eigen::VectorXd before = solution.R(block.rows);
      const Eigen::VectorXd y = W(block.rows, Eigen::all) * solution.R + b(block.rows) - W(block.rows, block.rows) * before;
      Eigen::VectorXd R = -(inner[k].U * (inner[k].U.transpose() * y).cwiseQuotient(inner[k].values));
      if (block.kind == GripBlock::Kind::pushes) R = R.cwiseMax(0);
      if (block.kind == GripBlock::Kind::grips) {
        R = solve_disk(inner[k], y, block.reach(solution.R));
      }
      solution.R(block.rows) = R;
      change = std::max(change, (R - before).lpNorm<Eigen::Infinity>());
      size = std::max(size, R.lpNorm<Eigen::Infinity>());
    }
    last = size > 0 ? change / size : 0;
    if (!std::isfinite(last)) return std::nullopt;
    if (last <= kSettled) break;
    if (sweep == kSweepsToNewton || sweep == 10 * kSweepsToNewton) {
      if (const auto found = settle_by_newton(W, b, blocks, solution.R)) {
        solution.R = *found;
        last = 0;
        break;
      }
    }
  }
  if (last > kSettledAll) return std::nullopt;
  solution.x = W * solution.R + b;
  return solution;
}

std::optional<GripSolution> settle_least_forces(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                                const std::vector<GripBlock>& blocks, const Eigen::VectorXd& start) {
  const auto found = settle_by_newton(W, b, blocks, start, OfAll::least_forces);
  if (!found) return std::nullopt;
  return GripSolution{*found, W * *found + b};
}

}  // namespace vinculum
