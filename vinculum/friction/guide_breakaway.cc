// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_breakaway.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/friction/guide_stop.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

constexpr double kSpeed = 1e-6;  // of the velocity scale: at which directions are looked at: velocity terms are its square

// The velocities that the rows allow at a state: an orthonormal basis.
Outcome<Eigen::MatrixXd> allowed_velocities(const ConstraintSet& set, const State& state) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows->D.transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  return Eigen::MatrixXd(Q.rightCols(Q.cols() - qr.rank()));
}

// v'(u), in that basis; faces as the set has them, or chosen anew.
class Accelerations {
 public:
  Accelerations(const ConstraintSet& set, const State& state, const Eigen::MatrixXd& basis, bool choose, Workspace& workspace)
      : set_(set), state_(state), basis_(basis), choose_(choose), workspace_(workspace) {}

  double scale() const { return set_.model.scales().acceleration; }

  Outcome<Eigen::VectorXd> operator()(const Eigen::VectorXd& y) {
    const Eigen::VectorXd v = kSpeed * set_.model.scales().velocity / y.norm() * (basis_ * y);
    state_.v.assign(v.begin(), v.end());
    if (choose_) {
      const auto found = find_guide_variants(set_, state_, workspace_);
      if (!found) return found.failure();
      if (found->chosen() == nullptr) return no_variant(*found);
      return Eigen::VectorXd(basis_.transpose() * found->reduction.accelerations(found->chosen()->signed_reactions));
    }
    const auto dynamics = compute_contact_reactions(set_, state_, workspace_);
    if (!dynamics) return dynamics.failure();
    return Eigen::VectorXd(basis_.transpose() * dynamics->solution.accelerations);
  }

 private:
  ConstraintSet set_;
  State state_;
  const Eigen::MatrixXd& basis_;
  bool choose_;
  Workspace& workspace_;
};

// v'(y) = sign c y , |y| = 1, by Newton's steps: from the velocities on the way to rest, which the motion itself has brought
// near; before a breakaway damped fixed points of y -> v'(y)/|v'(y)| come near.
Outcome<RestDirection> iterate(Accelerations& accelerations, Eigen::VectorXd y, const Eigen::MatrixXd& basis, double sign) {
  constexpr int kApproaches = 60, kSteps = 30;
  constexpr double kDamping = 0.3, kDifference = 1e-6;
  const double least = accelerations.scale();
  const Eigen::Index n = y.size();
  y.normalize();
  double c = 0;
  for (int i = 0; sign > 0 && i < kApproaches; ++i) {
    const auto a = accelerations(y);
    if (!a) return a.failure();
    if (a->norm() == 0) break;
    y = (y + kDamping * sign * a->normalized()).normalized();
  }
  for (int i = 0; i < kSteps; ++i) {
    const auto a = accelerations(y);
    if (!a) return a.failure();
    c = sign * a->dot(y);
    Eigen::VectorXd residual(n + 1);
    residual << *a - sign * c * y, 0.5 * (y.squaredNorm() - 1);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n + 1, n + 1);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto more = accelerations(y + kDifference * Eigen::VectorXd::Unit(n, k));
      const auto less = accelerations(y - kDifference * Eigen::VectorXd::Unit(n, k));
      if (!more) return more.failure();
      if (!less) return less.failure();
      J.col(k).head(n) = (*more - *less) / (2 * kDifference) - sign * c * Eigen::VectorXd::Unit(n, k);
      J(n, k) = y[k];
    }
    J.col(n).head(n) = -sign * y;
    const Eigen::VectorXd step = J.fullPivLu().solve(-residual);
    y += step.head(n) * std::min(1.0, 0.3 / std::max(step.head(n).norm(), 1e-300));
    y.normalize();
    if (step.head(n).norm() < 1e-13) break;
  }
  const auto a = accelerations(y);
  if (!a) return a.failure();
  c = sign * a->dot(y);
  if (!(c > 0) || (*a - sign * c * y).norm() > 1e-6 * (least + a->norm()))
    return Failure{"VN-GUIDE-009", "the direction in which the guides come to rest or break away is not found at this state",
                   "begin a little later, with a small velocity"};
  return RestDirection{basis * y, c};
}

}  // namespace

Outcome<RestDirection> find_rest_direction(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto basis = allowed_velocities(set, state);
  if (!basis) return basis.failure();
  const Eigen::Map<const Eigen::VectorXd> v(state.v.data(), static_cast<Eigen::Index>(state.v.size()));
  Accelerations accelerations(set, state, *basis, false, workspace);
  return iterate(accelerations, basis->transpose() * v, *basis, -1);
}

Outcome<State> break_away(ConstraintSet& set, const State& state, Workspace& workspace) {
  std::vector<int> modes = set.modes, smooth = set.modes, points;
  bool pads = false;
  for (size_t k = 0; k < set.model.face_pairs().size(); ++k) {
    const FacePair& pair = set.model.face_pairs()[k];
    smooth[pair.mode] = kNoFace;
    if (!pair.rubs()) continue;
    if (modes[pair.slide_mode] == kRests || pair.sticks(modes)) modes[pair.slide_mode] = kForward;
    if (pair.rubs_as_point()) points.push_back(static_cast<int>(k));
    pads = pads || !pair.rubs_as_point();
  }
  if (!pads) {
    set.set_modes(modes);
    const auto decision = decide_stopped(set, state, points, false, workspace);
    if (!decision) return decision.failure();
    if (decision->choices > 0) return decision->leaving.value_or(state);
    return no_choice(set.model, points, *decision);
  }
  const auto basis = allowed_velocities(set, state);
  if (!basis) return basis.failure();
  set.set_modes(smooth);
  const auto without = compute_contact_reactions(set, state, workspace);
  set.set_modes(modes);
  if (!without) return without.failure();
  Accelerations accelerations(set, state, *basis, true, workspace);
  const auto away = iterate(accelerations, basis->transpose() * without->solution.accelerations, *basis, 1);
  if (!away) return away.failure();
  constexpr double kCreep = 1e-8;
  State leaving = state;
  for (size_t i = 0; i < leaving.v.size(); ++i)
    leaving.v[i] = kCreep * set.model.scales().velocity * away->direction[static_cast<Eigen::Index>(i)];
  if (auto failure = choose_faces(set, leaving, workspace)) return *failure;
  return leaving;
}

void move_state(const Model& model, State& state, double dt) {
  std::vector<double> rates(state.q.size());
  compute_coordinate_rates(model, state.q, state.v, rates);
  for (size_t i = 0; i < rates.size(); ++i) state.q[i] += dt * rates[i];
  Diagnostics unheard("");
  normalize_quaternions(model, state, unheard);
}

}  // namespace vinculum
