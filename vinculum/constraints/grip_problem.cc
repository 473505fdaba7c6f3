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

using Blocks = std::span<const GripBlock>;

Eigen::Index size_of(const GripBlock& block) { return static_cast<Eigen::Index>(block.rows.size()); }

// A block's own part of a matrix, of a vector.
MatrixMap own_part(Given W, const GripBlock& block, Scratch& scratch) {
  MatrixMap own = scratch.matrix(size_of(block), size_of(block));
  for (Eigen::Index i = 0; i < own.rows(); ++i) {
    for (Eigen::Index j = 0; j < own.cols(); ++j) own(i, j) = W(block.rows[i], block.rows[j]);
  }
  return own;
}

template <class Vector>
void take_part(const Vector& all, const GripBlock& block, VectorMap part) {
  for (Eigen::Index i = 0; i < part.size(); ++i) part[i] = all[block.rows[i]];
}

double largest_of_own(Given W, const GripBlock& block) {
  double most = W(block.rows[0], block.rows[0]);
  for (const int row : block.rows) most = std::max(most, W(row, row));
  return most;
}

// The eigenvalues and vectors of what a block answers to itself.
struct InnerResponse {
  MatrixMap vectors;
  VectorMap values;
};

// R of  x = W R + y ,  R in -rho ∂|x| ,  for one block:  it sticks, R = -W⁻¹y, if that is within rho; else R = -rho d with
// (rho W + alpha) d = y and |d| = 1, |x| = alpha: with the eigenvectors of W,  Σ (y_i / (rho w_i + alpha))² = 1 , which falls
// with alpha.
void solve_disk(const InnerResponse& W, const VectorMap& y, double rho, Scratch& scratch, VectorMap R) {
  R.setZero();
  if (!(rho > 0)) return;
  const Scratch::Frame frame(scratch);
  VectorMap z = scratch.vector(y.size()), part = scratch.vector(y.size());
  z.noalias() = W.vectors.transpose() * y;
  part = z.cwiseQuotient(W.values);
  if (part.norm() <= rho) {
    R.noalias() -= W.vectors * part;
    return;
  }
  const auto find_direction = [&](double alpha) {
    for (Eigen::Index i = 0; i < z.size(); ++i) part[i] = z[i] / (rho * W.values[i] + alpha);
    return part.norm();
  };
  double low = 0, high = z.norm();  // length(0) > 1 ≥ length(high)
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = (low + high) / 2;
    (find_direction(middle) > 1 ? low : high) = middle;
  }
  part *= rho / find_direction(high);
  R.noalias() -= W.vectors * part;
}

// What is left open at R, and its slope. Of each block, with z = R - x/w (w: the largest of W on it):
//
//   held    x/w = 0        pushes  R - max(z, 0) = 0        grips  R - P(z) = 0 ,  P: onto the disk of radius rho
struct OpenEquations {
  VectorMap left;
  MatrixMap slope;
  std::span<int> carrying;  // rows that hold, push or stick: what slips follows its normal, what is apart has no force
  size_t carry = 0;         // so many

  OpenEquations(Eigen::Index n, Scratch& scratch)
      : left(scratch.vector(n)), slope(scratch.matrix(n, n)), carrying(scratch.integers(static_cast<size_t>(n))) {}
};

void state_equations(Given W, const Eigen::VectorXd& b, Blocks blocks, const VectorMap& R, Scratch& scratch,
                     OpenEquations& open) {
  const Scratch::Frame frame(scratch);
  VectorMap x = scratch.vector(b.size());
  x = b;
  x.noalias() += W * R;
  open.left.setZero();
  open.slope.setZero();
  open.carry = 0;
  for (const GripBlock& block : blocks) {
    const Scratch::Frame of_block(scratch);
    const Eigen::Index size = size_of(block);
    const double w = largest_of_own(W, block), rho = block.reach(R);
    VectorMap z = scratch.vector(size);
    for (Eigen::Index i = 0; i < size; ++i) z[i] = R[block.rows[i]] - x[block.rows[i]] / w;
    const double length = z.norm();
    const bool sticks = block.kind == GripBlock::Kind::held || (block.kind == GripBlock::Kind::pushes && z[0] > 0) ||
                        (block.kind == GripBlock::Kind::grips && length <= rho);
    const bool slips = !sticks && block.kind == GripBlock::Kind::grips;
    if (slips) z /= length;  // the direction d
    for (Eigen::Index i = 0; i < size; ++i) {
      const int row = block.rows[i];
      if (sticks) {
        open.left[row] = x[row] / w;
        open.slope.row(row) = W.row(row) / w;
        open.carrying[open.carry++] = row;
        continue;
      }
      open.left[row] = R[row] - (slips ? rho * z[i] : 0);
      open.slope(row, row) = 1;
      // 1 - rho/|z| (1 - d dᵀ)(1 - W/w) , and what the normal has to do with rho
      for (Eigen::Index j = 0; slips && j < size; ++j) {
        const double across = rho / length * ((i == j ? 1 : 0) - z[i] * z[j]);
        open.slope(row, block.rows[j]) -= across;
        open.slope.row(row) += across / w * W.row(block.rows[j]);
      }
      if (!slips || !(rho > 0)) continue;
      if (block.shares.empty() && block.normal >= 0) open.slope(row, block.normal) -= block.friction * z[i];
      for (const GripBlock::Share& share : block.shares) open.slope(row, share.row) -= block.friction * share.part * z[i];
    }
  }
}

// Of all R that solve the linear equations the one with the smallest |R| of what carries, instead of the nearest one:
//
//   R = R_p + N y ,  S R_p = S R - left ,  S N = 0 ,  y = -(N_c)⁺ R_p,c                       for decisions: this allocates
void choose_least_forces(const OpenEquations& open, const VectorMap& R, double dependent, VectorMap change) {
  const SingularValues parts = find_singular_values(open.slope);
  Eigen::Index rank = 0;
  while (rank < parts.values.size() && parts.values[rank] > dependent * parts.values[0]) ++rank;
  if (rank == R.size() || open.carry == 0) return;
  const std::span<const int> carrying = open.carrying.first(open.carry);
  const Eigen::MatrixXd free = parts.V.rightCols(R.size() - rank);
  const Eigen::VectorXd target = R + change;
  change -= free * solve_least_squares(free(carrying, Eigen::all), target(carrying), dependent).x;
}

// Newton's steps on these (Alart and Curnier 1991); halved where they would leave more open. False: they do not settle. Where
// redundant rows leave a choice the smallest step is taken, or the least forces.
enum class OfAll { least_change, least_forces };
bool settle_by_newton(Given W, const Eigen::VectorXd& b, Blocks blocks, Scratch& scratch, VectorMap R,
                      OfAll of_all = OfAll::least_change) {
  constexpr int kMostSteps = 60, kMostHalvings = 12;
  constexpr double kDependent = 1e-11, kClosed = 1e-13, kNearlyClosed = 1e-11, kSame = 1e-12;
  const Scratch::Frame frame(scratch);
  const Eigen::Index n = b.size();
  OpenEquations first(n, scratch), second(n, scratch);
  OpenEquations *open = &first, *there = &second;
  VectorMap change = scratch.vector(n), next = scratch.vector(n), negative = scratch.vector(n);
  state_equations(W, b, blocks, R, scratch, *open);
  bool is_chosen = of_all == OfAll::least_change;
  for (int step = 0; step < kMostSteps; ++step) {
    const double size = 1e-300 + R.lpNorm<Eigen::Infinity>();
    if (is_chosen && open->left.lpNorm<Eigen::Infinity>() <= kClosed * size) return true;
    negative = -open->left;
    solve_least_squares(open->slope, negative, kDependent, scratch, change);
    if (of_all == OfAll::least_forces) choose_least_forces(*open, R, kDependent, change);
    double part = 1;
    for (int halving = 0; halving < kMostHalvings; ++halving, part /= 2) {
      next = R + part * change;
      state_equations(W, b, blocks, next, scratch, *there);
      const bool is_better =
          there->left.norm() < open->left.norm() || there->left.lpNorm<Eigen::Infinity>() <= kNearlyClosed * size;
      if (!is_better && halving + 1 < kMostHalvings) continue;
      if (!there->left.allFinite()) return false;
      R = next;
      std::swap(open, there);
      break;
    }
    is_chosen = of_all == OfAll::least_change || change.lpNorm<Eigen::Infinity>() <= kSame * R.lpNorm<Eigen::Infinity>();
  }
  return false;
}

// A row of a grip that no joint feels, the lateral one of a mechanism in a plane, moves by nothing and carries nothing: with an
// inertia of its own that is what comes out.
void fill_unfelt(const Eigen::MatrixXd& response, const Eigen::VectorXd& b, Blocks blocks, MatrixMap W) {
  constexpr double kUnfelt = 1e-12;  // of the largest: as compute_row takes a row to be felt by no joint
  W = response;
  for (const GripBlock& block : blocks) {
    if (block.kind != GripBlock::Kind::grips) continue;
    const double own = largest_of_own(response, block);
    for (const int row : block.rows) {
      const bool moves = std::abs(b[row]) > kUnfelt * b.lpNorm<Eigen::Infinity>();
      if (!moves && response.row(row).isZero(0) && response.col(row).isZero(0)) W(row, row) = own > 0 ? own : 1;
    }
  }
}

// False: a block answers a push by pulling.
bool find_inner(const MatrixMap& W, const GripBlock& block, Scratch& scratch, InnerResponse& inner) {
  MatrixMap own = own_part(W, block, scratch);
  for (Eigen::Index i = 0; i < own.rows(); ++i) {
    if (!(own(i, i) > 0)) return false;
    for (Eigen::Index j = 0; j < i; ++j) own(i, j) = own(j, i) = (own(i, j) + own(j, i)) / 2;
  }
  find_symmetric_eigenvectors(own, inner.values, inner.vectors);
  return inner.values.minCoeff() > 0;
}

// By blocks, each solved exactly while the others keep their R, until none changes; where that is slow Newton's steps finish it.
bool settle(const MatrixMap& W, const Eigen::VectorXd& b, Blocks blocks, Scratch& scratch, VectorMap R) {
  const Scratch::Frame frame(scratch);
  R.setZero();
  // The eigenvectors of all blocks, one after another.
  Eigen::Index numbers = 0, rows = 0;
  for (const GripBlock& block : blocks) numbers += size_of(block) * size_of(block), rows += size_of(block);
  VectorMap vectors = scratch.vector(numbers), values = scratch.vector(rows);
  const auto inner_of = [&](const GripBlock& block, Eigen::Index of_vectors, Eigen::Index of_values) {
    return InnerResponse{{vectors.data() + of_vectors, size_of(block), size_of(block)},
                         {values.data() + of_values, size_of(block)}};
  };
  const auto for_each = [&](auto&& use) {
    Eigen::Index of_vectors = 0, of_values = 0;
    for (const GripBlock& block : blocks) {
      const Scratch::Frame of_block(scratch);
      if (!use(block, inner_of(block, of_vectors, of_values))) return false;
      of_vectors += size_of(block) * size_of(block), of_values += size_of(block);
    }
    return true;
  };
  if (!for_each([&](const GripBlock& block, InnerResponse inner) { return find_inner(W, block, scratch, inner); })) return false;
  double last = 0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0, size = 0;
    for_each([&](const GripBlock& block, const InnerResponse& inner) {
      VectorMap before = scratch.vector(size_of(block)), y = scratch.vector(size_of(block)), now = scratch.vector(size_of(block));
      take_part(R, block, before);
      for (Eigen::Index i = 0; i < y.size(); ++i) {
        y[i] = W.row(block.rows[i]).dot(R) + b[block.rows[i]];
        for (Eigen::Index j = 0; j < y.size(); ++j) y[i] -= W(block.rows[i], block.rows[j]) * before[j];
      }
      if (block.kind == GripBlock::Kind::grips) {
        solve_disk(inner, y, block.reach(R), scratch, now);
      } else {
        VectorMap part = scratch.vector(size_of(block));
        part.noalias() = inner.vectors.transpose() * y;
        part = part.cwiseQuotient(inner.values);
        now.setZero();
        now.noalias() -= inner.vectors * part;
        if (block.kind == GripBlock::Kind::pushes) now = now.cwiseMax(0);
      }
      for (Eigen::Index i = 0; i < now.size(); ++i) {
        R[block.rows[i]] = now[i];
        change = std::max(change, std::abs(now[i] - before[i]));
        size = std::max(size, std::abs(now[i]));
      }
      return true;
    });
    last = size > 0 ? change / size : 0;
    if (!std::isfinite(last)) return false;
    if (last <= kSettled) return true;
    if (sweep != kSweepsToNewton && sweep != 10 * kSweepsToNewton) continue;
    VectorMap found = scratch.vector(R.size());
    found = R;
    if (!settle_by_newton(W, b, blocks, scratch, found)) continue;
    R = found;
    return true;
  }
  return last <= kSettledAll;
}

}  // namespace

double GripBlock::reach(const Eigen::Ref<const Eigen::VectorXd>& R) const {
  if (!is_pressed()) return bound;
  double load = shares.empty() ? R[normal] : 0;
  for (const Share& share : shares) load += share.part * R[share.row];
  return load > 0 ? bound + friction * load : bound;
}

GripBlock& GripProblem::add(GripBlock::Kind kind) {
  if (count_ == blocks_.size()) blocks_.emplace_back();
  GripBlock& block = blocks_[count_++];
  block.kind = kind;
  block.rows.clear();
  block.shares.clear();
  block.bound = block.friction = 0;
  block.normal = -1;
  return block;
}

bool GripProblem::solve(const Eigen::MatrixXd& response, const Eigen::VectorXd& b) {
  const Scratch::Frame frame(scratch_);
  MatrixMap W = scratch_.matrix(b.size(), b.size());
  fill_unfelt(response, b, blocks(), W);
  R_.resize(b.size());
  if (!settle(W, b, blocks(), scratch_, {R_.data(), R_.size()})) return false;
  x_ = b;
  x_.noalias() += W * R_;
  return true;
}

std::optional<GripSolution> solve_grip_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                               const std::vector<GripBlock>& blocks) {
  GripProblem problem;
  for (const GripBlock& block : blocks) problem.add(block.kind) = block;
  if (!problem.solve(W, b)) return std::nullopt;
  return GripSolution{problem.R(), problem.x()};
}

std::optional<GripSolution> settle_least_forces(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                                const std::vector<GripBlock>& blocks, const Eigen::VectorXd& start) {
  Scratch scratch;
  Eigen::VectorXd R = start;
  if (!settle_by_newton(W, b, blocks, scratch, {R.data(), R.size()}, OfAll::least_forces)) return std::nullopt;
  return GripSolution{R, W * R + b};
}

}  // namespace vinculum
