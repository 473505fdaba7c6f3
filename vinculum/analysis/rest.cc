// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/rest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "vinculum/analysis/laws_of_time.h"
#include "vinculum/analysis/row_reduction.h"
#include "vinculum/constraints/redundancy.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/math/dense.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

Failure refuse_element(const std::string& element, const std::string& reason) {
  return {"VN-LINEAR-001", fmt::format("{} cannot be linearised: {}", element, reason),
          "write it as a joint or as a spring, if it can be"};
}

std::optional<Failure> refuse_what_moves(const ConstraintSet& set, const ConstraintRows& rows, double t) {
  if (auto moving = refuse_moving_ground(set.model, t)) return moving;
  for (const Contact& contact : set.model.contacts()) {
    const std::string element = fmt::format("the contact '{}'", contact.name);
    if (!contact.laws.empty() || contact.sliding_friction) return refuse_element(element, "it has laws of force");
    if (is_moved_by_law(set.model, contact)) return refuse_element(element, "a given law moves what it stands on");
  }
  for (const StringElement& string : set.model.strings()) {
    if (is_moved_by_law(set.model, string.from) || is_moved_by_law(set.model, string.to))
      return refuse_element(fmt::format("the string '{}'", string.name), "a given law moves its support");
  }
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    if (const auto* motion = set.rows[i].from<MotionRow>()) {
      if (rows.F[row] == 0 && rows.gamma[row] == 0) continue;
      const std::string& name = set.model.coordinate_names()[set.model.driven()[motion->driven].q];
      return Failure{
          "VN-LINEAR-002",
          fmt::format("no equilibrium: the driven coordinate '{}' moves. At t = {:g} s its rate is {:g}, its acceleration {:g}",
                      name, t, rows.F[row] + 0.0, rows.gamma[row] + 0.0),
          "take the motion out, or choose a time when it stands still"};
    }
    // A constraint that limits velocities only lets a start move where it allows: what is found is one of many.
    if (!rows.gap[i] && (rows.F[row] != 0 || rows.gamma[row] != 0))
      return refuse_element("the " + set.rows[i].element, set.rows[i].name + " requires a velocity, so there is no equilibrium");
  }
  return std::nullopt;
}

// GᵀMG
Eigen::MatrixXd in_departures(const Eigen::MatrixXd& G, const Eigen::MatrixXd& M) {
  const Eigen::MatrixXd moved = M * G;
  return G.transpose() * moved;
}

// lambda · gamma at a velocity, from rest.
Outcome<double> bending(const ConstraintSet& set, State state, const Eigen::VectorXd& velocity, const Eigen::VectorXd& lambda) {
  std::copy(velocity.begin(), velocity.end(), state.v.begin());
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  return lambda.dot(rows->gamma);
}

// GᵀHG
Outcome<Eigen::MatrixXd> compute_bending(const ConstraintSet& set, const State& state, const Eigen::MatrixXd& G,
                                         const Eigen::MatrixXd& D, const Eigen::VectorXd& lambda) {
  const Eigen::Index m = G.cols();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(m, m);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto form = bending(set, state, G.col(i) + G.col(j), lambda);
      if (!form) return form.failure();
      H(i, j) = H(j, i) = -*form;
    }
  }
  // B(a, b) = ½ (B(a + b, a + b) - B(a, a) - B(b, b)), and B(2a, 2a) = 4 B(a, a) stands on the diagonal.
  const Eigen::VectorXd diagonal = H.diagonal() / 4;
  H.colwise() -= diagonal;
  H.rowwise() -= diagonal.transpose();
  H *= 0.5;

  const Eigen::VectorXd reaction = D.transpose() * lambda;
  for (const Link& link : set.model.tree().links) {
    if (quaternion_index(link) < 0) continue;
    const int v = link.v + velocity_count(link.kind) - 3;
    const Eigen::Vector3d moment = reaction.segment<3>(v);
    Eigen::Matrix3d cross;
    cross << 0, -moment.z(), moment.y(), moment.z(), 0, -moment.x(), -moment.y(), moment.x(), 0;
    H += 0.5 * in_departures(G.middleRows<3>(v), cross);
  }
  return H;
}

}  // namespace

bool RestEquations::is_equilibrium() const {
  if (force.size() == 0) return true;
  constexpr double kDeparture = 1e-10, kSmall = 1e-12;
  const Eigen::MatrixXd slopes = Cholesky(mass).solve(stiffness);
  const Eigen::VectorXd reach = slopes.rowwise().lpNorm<1>();
  const double size = std::max(reach.maxCoeff(), largest_free);
  return (accelerations.cwiseAbs().array() <= kDeparture * reach.array() + kSmall * size).all();
}

Outcome<RestEquations> compute_rest_equations(const ConstraintSet& set, const State& state, DerivativesWorkspace& workspace) {
  const Model& model = set.model;
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  if (const auto refusal = refuse_what_moves(set, *rows, state.t)) return *refusal;
  ForwardDerivatives forward;
  if (const auto failure = compute_forward_derivatives(model, state, workspace, forward)) return *failure;

  // With a = A⁻¹f, the acceleration without contacts:  ∂f/∂q = A ∂a/∂q + ∂(A a)/∂q ,  ∂f/∂v = A ∂a/∂v
  const std::vector<double> zero(state.v.size(), 0.0);
  InverseDerivatives moving, resting;
  if (const auto failure = compute_inverse_derivatives(model, state, forward.accelerations, workspace, moving)) return *failure;
  if (const auto failure = compute_inverse_derivatives(model, state, zero, workspace, resting)) return *failure;
  const Eigen::MatrixXd A = resting.by_acceleration;
  const Eigen::VectorXd f = A * Eigen::Map<const Eigen::VectorXd>(forward.accelerations.data(), A.rows());
  const Eigen::MatrixXd by_q = forward.by_q;
  Eigen::MatrixXd f_by_q = A * by_q;
  f_by_q += moving.by_q - resting.by_q;

  RestEquations result;
  std::vector<int> later_first(state.v.size());
  std::iota(later_first.rbegin(), later_first.rend(), 0);
  NullSpace departures = find_null_space(rows->D, later_first);
  result.independent = std::move(departures.independent);
  const Eigen::MatrixXd& G = result.G = std::move(departures.basis);
  const Eigen::MatrixXd by_v = forward.by_v;
  result.mass = in_departures(G, A);
  result.damping = -in_departures(G, A * by_v);
  result.stiffness = -in_departures(G, f_by_q);
  result.force = G.transpose() * f;
  for (double a : forward.accelerations) result.largest_free = std::max(result.largest_free, std::abs(a));
  if (G.cols() == 0) return result;
  for (const Eigen::MatrixXd* part : {&result.mass, &result.damping, &result.stiffness}) {
    if (!part->allFinite()) return beyond_all_numbers("mass, damping or stiffness at this state");
  }
  result.accelerations = Cholesky(result.mass).solve(result.force);
  if (set.is_plain_tree()) return result;

  // A v' = f + Dᵀ lambda
  const Eigen::VectorXd held = A * (G * result.accelerations) - f;
  const Eigen::VectorXd lambda = solve_least_squares(rows->D.transpose(), held, RowAnalysis::kRankTolerance).x;
  const auto H = compute_bending(set, state, G, rows->D, lambda);
  if (!H) return H.failure();
  result.stiffness -= *H;
  return result;
}

}  // namespace vinculum
