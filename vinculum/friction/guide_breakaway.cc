// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_breakaway.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_stop.h"
#include "vinculum/friction/slip_direction.h"
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

}  // namespace

Outcome<RestDirection> find_rest_direction(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto basis = allowed_velocities(set, state);
  if (!basis) return basis.failure();
  const Eigen::Map<const Eigen::VectorXd> v(state.v.data(), static_cast<Eigen::Index>(state.v.size()));
  Accelerations accelerations(set, state, *basis, false, workspace);
  const auto way = find_slip_direction(std::ref(accelerations), basis->transpose() * v, -1);
  if (!way) return way.failure();
  return RestDirection{*basis * way->direction, way->rate};
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
  const auto away = find_slip_direction(std::ref(accelerations), basis->transpose() * without->solution.accelerations, 1);
  if (!away) return away.failure();
  const Eigen::VectorXd direction = *basis * away->direction;
  constexpr double kCreep = 1e-8;
  State leaving = state;
  for (size_t i = 0; i < leaving.v.size(); ++i)
    leaving.v[i] = kCreep * set.model.scales().velocity * direction[static_cast<Eigen::Index>(i)];
  if (auto failure = choose_faces(set, leaving, workspace)) return *failure;
  return leaving;
}

Outcome<Standing> decide_standing(const ConstraintSet& set, const State& state, Workspace& workspace) {
  Standing standing;
  standing.modes = set.modes;
  auto rest = find_rest(set, state, workspace);
  if (!rest) return rest.failure();
  standing.rest = std::move(*rest);
  ConstraintSet leaving = set;
  if (standing.rest.holds) {
    const auto wedges = can_wedge(with_all_sticking(set), state);
    if (!wedges) return wedges.failure();
    if (!*wedges) return standing;
    standing.can_wedge = true;
    auto away = break_away(leaving, state, workspace);
    // Where every face goes on sticking, none of the slides agrees with its own accelerations.
    const auto slides = [&](const FacePair& pair) { return pair.rubs() && !pair.sticks(leaving.modes); };
    if (!away || std::ranges::none_of(set.model.face_pairs(), slides)) return standing;
    standing.answer = Standing::Answer::several;
    standing.leaving = std::move(*away);
  } else {
    auto away = break_away(leaving, state, workspace);
    if (!away) return away.failure();
    standing.answer = Standing::Answer::breakaway;
    standing.leaving = std::move(*away);
  }
  standing.modes = leaving.modes;
  return standing;
}

void move_state(const Model& model, State& state, double dt) {
  std::vector<double> rates(state.q.size());
  compute_coordinate_rates(model, state.q, state.v, rates);
  for (size_t i = 0; i < rates.size(); ++i) state.q[i] += dt * rates[i];
  Diagnostics unheard("");
  normalize_quaternions(model, state, unheard);
}

}  // namespace vinculum
