// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/held_reactions.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>

namespace vinculum {

namespace {

constexpr double kAtLimit = 1e-9;         // of the largest reaction: a face this near to its limit is at it
constexpr double kBalanced = 1e-9;        // of the change of the load
constexpr std::size_t kMostCritical = 6;  // faces at their limits at one instant: 4^6 combinations of modes
constexpr int kMostPieces = 64;           // of one path

Eigen::MatrixXd null_space_of(const Eigen::MatrixXd& held, Eigen::Index velocities) {
  if (held.cols() == 0) return Eigen::MatrixXd::Identity(velocities, velocities);
  const Eigen::FullPivLU<Eigen::MatrixXd> factor(held.transpose());
  if (factor.dimensionOfKernel() == 0) return Eigen::MatrixXd(velocities, 0);
  return factor.kernel().colwise().normalized();
}

// K y = right with each equation and unknown in a unit of its own; none where that has no solution. What is below the round-off
// of `whole` is nothing.
std::optional<Eigen::VectorXd> solve_scaled(const Eigen::MatrixXd& K, const Eigen::VectorXd& right,
                                            const Eigen::VectorXd& whole) {
  constexpr double kRoundOffOfLoads = 1e-13;  // of `whole`: loads that cancel are sums of some hundred terms
  constexpr double kNothing = 1e-12;          // of the largest coefficient: an equation or unknown without any
  Eigen::VectorXd unit(K.rows());
  const double largest = K.size() > 0 ? K.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < K.rows(); ++i) {
    const double size = std::max(K.row(i).cwiseAbs().maxCoeff(), K.col(i).cwiseAbs().maxCoeff());
    unit[i] = 1 / std::sqrt(size > kNothing * largest ? size : largest > 0 ? largest : 1);
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(1e-11);
  factor.compute(unit.asDiagonal() * K * unit.asDiagonal());
  const Eigen::VectorXd scaled = unit.asDiagonal() * right;
  const Eigen::VectorXd y = unit.asDiagonal() * factor.solve(scaled);
  const double left = (unit.asDiagonal() * (K * y) - scaled).norm();
  if (!(left <= kBalanced * scaled.norm() + kRoundOffOfLoads * whole.cwiseProduct(unit).norm())) return std::nullopt;
  return y;
}

}  // namespace

HeldFaces::HeldFaces(RestProblem problem, const std::optional<Eigen::MatrixXd>& rows) : problem_(std::move(problem)) {
  for (const auto& pair : problem_.pairs) cones_.push_back({FrictionCone(pair.face1), FrictionCone(pair.face2)});
  tests_ = null_space_of(problem_.held, problem_.constant.size());
  motions_ = rows ? null_space_of(*rows, problem_.constant.size()) : tests_;
  if (motions_.cols() != tests_.cols()) motions_ = tests_;
}

Eigen::VectorXd HeldFaces::load_of(const HeldReactions& reactions) const {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(problem_.constant.size());
  for (std::size_t k = 0; k < reactions.size(); ++k) {
    const HeldFace& at = reactions[k];
    if (at.mode == HeldFace::Mode::unloaded) continue;
    force += problem_.pairs[k].face(at.face).push * at.N + cone(k, at.face).columns() * at.friction;
  }
  return -reduce(force);
}

double HeldFaces::slack(std::size_t pair, const HeldFace& at) const {
  const FrictionCone& limits = cone(pair, at.face);
  return limits.unknowns() == 0 ? at.N : -limits.find_violation(at.friction, at.N).amount;
}

double HeldFaces::size_of(const HeldReactions& reactions) const {
  double size = 0;
  for (const HeldFace& at : reactions) size = std::max({size, at.N, at.friction.size() > 0 ? at.friction.norm() : 0});
  return size;
}

HeldFaces::Response HeldFaces::compute(const HeldReactions& at, const Eigen::VectorXd& change) const {
  Response response;
  const Eigen::Index n = problem_.constant.size();
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (at[k].mode == HeldFace::Mode::unloaded) continue;
    const Eigen::VectorXd& push = problem_.pairs[k].face(at[k].face).push;
    const Eigen::MatrixXd& columns = cone(k, at[k].face).columns();
    if (at[k].mode == HeldFace::Mode::sticks) {
      stiffness += push * push.transpose() + columns * columns.transpose();
    } else {
      stiffness += (push + columns * (at[k].friction / at[k].N)) * push.transpose();
    }
  }
  const auto y = solve_scaled(tests_.transpose() * stiffness * motions_, change, load_of(at));
  if (!y) return response;
  response.balances = true;
  response.displacement = motions_ * *y;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const Eigen::MatrixXd& columns = cone(k, at[k].face).columns();
    const bool loaded = at[k].mode != HeldFace::Mode::unloaded;
    response.dN.push_back(loaded ? -problem_.pairs[k].face(at[k].face).push.dot(response.displacement) : 0);
    response.dT.push_back(Eigen::VectorXd::Zero(columns.cols()));
    if (at[k].mode == HeldFace::Mode::sticks) response.dT.back() = -columns.transpose() * response.displacement;
    if (at[k].mode == HeldFace::Mode::slips) response.dT.back() = at[k].friction / at[k].N * response.dN.back();
  }
  return response;
}

// The displacement of the face less its elastic part: how fast it goes against the friction.
double HeldFaces::slip_against(std::size_t pair, const HeldFace& at, const Response& rate) const {
  const Eigen::VectorXd slip = cone(pair, at.face).columns().transpose() * rate.displacement + rate.dT[pair];
  return -slip.dot(at.friction) / std::max(at.friction.norm(), 1e-300);
}

HeldFaces::Step HeldFaces::respond(const HeldReactions& from, const Eigen::VectorXd& load) const {
  Step step{false, from, {}, -size_of(from)};
  const Response change = compute(from, load - load_of(from));
  if (!change.balances) return step;
  step.balances = true;
  step.displacement = change.displacement;
  step.least = HUGE_VAL;
  for (std::size_t k = 0; k < from.size(); ++k) {
    HeldFace& at = step.reactions[k];
    if (at.mode == HeldFace::Mode::unloaded) continue;
    at.N += change.dN[k];
    at.friction += change.dT[k];
    step.least = std::min({step.least, at.N, at.mode == HeldFace::Mode::sticks ? slack(k, at) : at.N});
  }
  return step;
}

bool HeldFaces::accepts(const HeldReactions& modes, const Response& rate, const std::vector<Critical>& critical) const {
  double size = 0;
  for (std::size_t k = 0; k < modes.size(); ++k) size = std::max({size, std::abs(rate.dN[k]), rate.dT[k].norm()});
  const double nothing = kAtLimit * size;
  for (const auto& [k, begins, ways] : critical) {
    const HeldFace& at = modes[k];
    const FrictionCone& limits = cone(k, at.face);
    if (at.mode == HeldFace::Mode::unloaded) continue;
    if (begins && !(rate.dN[k] > nothing)) return false;
    if (at.mode == HeldFace::Mode::slips) {
      if (slip_against(k, at, rate) < -nothing) return false;
      continue;
    }
    if (limits.unknowns() == 0) continue;
    // Into the cone, or along it.
    if (begins) {
      if (limits.find_violation(rate.dT[k], rate.dN[k]).amount > nothing) return false;
      continue;
    }
    const Eigen::VectorXd outward = limits.find_violation(at.friction, at.N).direction;
    if (outward.dot(rate.dT[k]) - limits.support(outward) * rate.dN[k] > nothing) return false;
  }
  return true;
}

std::optional<HeldReactions> HeldFaces::choose_modes(const HeldReactions& at, const Eigen::VectorXd& rate) const {
  const double limit = kAtLimit * size_of(at);
  std::vector<Critical> critical;
  for (std::size_t k = 0; k < at.size(); ++k) {
    HeldFace sticks = at[k], slips = at[k];
    sticks.mode = HeldFace::Mode::sticks;
    slips.mode = HeldFace::Mode::slips;
    if (at[k].mode != HeldFace::Mode::unloaded && at[k].N > limit) {
      if (at[k].mode == HeldFace::Mode::sticks && slack(k, at[k]) > limit) continue;
      const bool rubs = at[k].friction.size() > 0 && at[k].friction.norm() > 0;
      critical.push_back({k, false, rubs ? std::vector{sticks, slips} : std::vector{sticks}});
      continue;
    }
    // Nothing on either face: one of them takes load, sticking or slipping in one of its two directions, or none does.
    critical.push_back({k, true, {}});
    for (const int face : {1, 2}) {
      const FrictionCone& limits = cone(k, face);
      HeldFace loads{HeldFace::Mode::sticks, face, 1, Eigen::VectorXd::Zero(limits.unknowns())};
      critical.back().ways.push_back(loads);
      loads.mode = HeldFace::Mode::slips;
      for (const double way : {1.0, -1.0}) {
        if (limits.unknowns() != 1) continue;
        loads.friction = limits.against(Eigen::VectorXd::Constant(1, way));  // of a load of 1
        critical.back().ways.push_back(loads);
      }
    }
    critical.back().ways.push_back(
        {HeldFace::Mode::unloaded, at[k].face, 0, Eigen::VectorXd::Zero(cone(k, at[k].face).unknowns())});
  }
  if (critical.size() > kMostCritical) return std::nullopt;
  std::vector<std::size_t> choice(critical.size(), 0);
  while (true) {
    HeldReactions modes = at;
    for (std::size_t i = 0; i < critical.size(); ++i) modes[critical[i].pair] = critical[i].ways[choice[i]];
    const Response response = compute(modes, rate);
    if (response.balances && accepts(modes, response, critical)) {
      // What takes load has so little of it that nothing else changes.
      for (const Critical& of : critical) {
        HeldFace& face = modes[of.pair];
        if (!of.begins || face.mode == HeldFace::Mode::unloaded) continue;
        face.N = 0.1 * limit;
        face.friction *= face.N;
      }
      return modes;
    }
    std::size_t i = 0;
    for (; i < choice.size() && ++choice[i] == critical[i].ways.size(); ++i) choice[i] = 0;
    if (i == choice.size()) return std::nullopt;
  }
}

double HeldFaces::find_slip_progress(const HeldReactions& at, const Eigen::VectorXd& rate) const {
  double least = HUGE_VAL;
  const Response response = compute(at, rate);
  if (!response.balances) return -1;
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (at[k].mode == HeldFace::Mode::slips) least = std::min(least, slip_against(k, at[k], response));
  }
  return least;
}

HeldFaces::Path HeldFaces::follow(HeldReactions from, const Eigen::VectorXd& load) const {
  const Eigen::VectorXd start = load_of(from), change = load - start;
  Path path{false, 0, std::move(from)};
  for (int piece = 0; piece < kMostPieces; ++piece) {
    const auto modes = choose_modes(path.reactions, change);
    if (!modes) return path;
    path.reactions = *modes;
    const double limit = kAtLimit * std::max(size_of(path.reactions), change.norm());
    const auto at = [&](double part) { return respond(*modes, start + part * change); };
    Step end = at(1);
    if (end.least >= -limit) {
      path.held = true;
      path.part = 1;
      path.reactions = std::move(end.reactions);
      return path;
    }
    // Reactions are linear and the cones convex: one end, by halving.
    double inside = path.part, outside = 1;
    for (int i = 0; i < 60 && outside - inside > 1e-15; ++i) {
      const double middle = 0.5 * (inside + outside);
      (at(middle).least >= 0 ? inside : outside) = middle;
    }
    path.reactions = at(inside).reactions;
    for (HeldFace& face : path.reactions) face.N = std::max(face.N, 0.0);
    // Without any way a face at its limit would be asked again and again.
    if (piece > 0 && !(inside > path.part)) return path;
    path.part = inside;
  }
  return path;
}

std::optional<HeldReactions> HeldFaces::find_least(const Faces& faces, const Eigen::VectorXd& load) const {
  HeldReactions none(faces.size());
  for (std::size_t k = 0; k < faces.size(); ++k) {
    none[k].face = faces[k] == 1 ? 1 : 2;
    none[k].mode = faces[k] == 0 ? HeldFace::Mode::unloaded : HeldFace::Mode::sticks;
    none[k].friction = Eigen::VectorXd::Zero(cone(k, none[k].face).unknowns());
  }
  const Step plain = respond(none, load);
  if (!plain.balances) return std::nullopt;
  if (plain.least >= 0) return plain.reactions;
  // Dykstra: onto the reactions that balance the load, z -> z + A⁺(load - A z), then onto the cones, with the last correction of
  // the cones kept. Equations in units of their own.
  std::vector<std::size_t> loaded;
  std::vector<Eigen::Index> first;
  Eigen::Index count = 0;
  for (std::size_t k = 0; k < none.size(); ++k) {
    if (none[k].mode == HeldFace::Mode::unloaded) continue;
    if (cone(k, none[k].face).spins()) return std::nullopt;
    loaded.push_back(k);
    first.push_back(count);
    count += 1 + none[k].friction.size();
  }
  Eigen::MatrixXd A(tests_.cols(), count);
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    const HeldFace& face = none[loaded[i]];
    A.col(first[i]) = reduce(problem_.pairs[loaded[i]].face(face.face).push);
    A.middleCols(first[i] + 1, face.friction.size()) = tests_.transpose() * cone(loaded[i], face.face).columns();
  }
  Eigen::VectorXd right = -load;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double size = A.row(i).cwiseAbs().maxCoeff();
    if (size > 0) A.row(i) /= size, right[i] /= size;
  }
  const Eigen::MatrixXd back = A.completeOrthogonalDecomposition().pseudoInverse();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(count), correction = x;
  constexpr int kMostRounds = 20000;
  for (int round = 0; round < kMostRounds; ++round) {
    const Eigen::VectorXd balanced = x + back * (right - A * x);
    x = balanced + correction;
    correction = x;
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      // The nearest point of |T| <= f N.
      auto T = x.segment(first[i] + 1, none[loaded[i]].friction.size());
      double& N = x[first[i]];
      const double f = cone(loaded[i], none[loaded[i]].face).friction(), size = T.norm();
      if (size <= f * N && N >= 0) continue;
      N = std::max((N + f * size) / (1 + f * f), 0.0);
      T *= size > 0 ? f * N / size : 0;
    }
    correction -= x;
    if ((x - balanced).norm() > 1e-12 * x.norm()) continue;
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      HeldFace& face = none[loaded[i]];
      face.N = x[first[i]];
      face.friction = x.segment(first[i] + 1, face.friction.size());
    }
    return none;
  }
  return std::nullopt;
}

}  // namespace vinculum
