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
#include "vinculum/friction/guide_blocks.h"
#include "vinculum/friction/guide_history.h"
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

namespace {

// What blocks remember goes on to the present load, or is forgotten. True: all that can wedge hold by it.
Outcome<bool> continue_all(ConstraintSet& set, const State& state, const std::vector<GuideBlock>& blocks, Workspace& workspace) {
  ConstraintSet stuck = with_all_sticking(set);
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(set.model.tree().velocities);
  bool all = true;
  for (const GuideBlock& block : blocks) {
    if (!remembers_hold(stuck, block)) {
      const auto wedges = can_wedge(stuck, state, &block);
      if (!wedges) return wedges.failure();
      all = all && !*wedges;
      continue;
    }
    const auto held = continue_hold(stuck, state, still, block, workspace);
    if (!held) return held.failure();
    if (!*held) forget_hold(stuck, block.pairs);
    all = all && *held;
  }
  set.memory = stuck.memory;
  return all;
}

// Blocks that can wedge, and remember nothing, begin with the least reactions.
std::optional<Failure> remember_rest(ConstraintSet& set, const State& state, const std::vector<GuideBlock>& blocks,
                                     const GuideRest& rest, Workspace& workspace) {
  ConstraintSet stuck = with_all_sticking(set);
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(set.model.tree().velocities);
  for (const GuideBlock& block : blocks) {
    if (remembers_hold(stuck, block)) continue;
    const auto wedges = can_wedge(stuck, state, &block);
    if (!wedges) return wedges.failure();
    if (!*wedges) continue;
    if (auto failure = remember_least(stuck, state, still, block, list_guided_pairs(set), rest.signed_reactions, workspace))
      return failure;
  }
  set.memory = stuck.memory;
  return std::nullopt;
}

}  // namespace

Outcome<Standing> decide_standing(const ConstraintSet& set, const State& state, Workspace& workspace) {
  Standing standing;
  standing.modes = set.modes;
  standing.memory = set.memory;
  ConstraintSet leaving = set;
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const std::vector<GuideBlock> blocks = list_guide_blocks(without_sticking(set), *rows);
  auto rest = find_rest(set, state, workspace);
  if (!rest) return rest.failure();
  standing.rest = std::move(*rest);
  const auto wedges = standing.rest.holds ? can_wedge(with_all_sticking(set), state) : Outcome<bool>(false);
  if (!wedges) return wedges.failure();
  standing.can_wedge = *wedges;
  if (!standing.can_wedge) forget_hold(leaving);
  if (standing.rest.holds && standing.can_wedge && remembers_hold(set)) {
    const auto held = continue_all(leaving, state, blocks, workspace);
    if (!held) return held.failure();
    if (*held) {
      auto remembered = find_remembered_rest(leaving, state, workspace);
      if (!remembered) return remembered.failure();
      standing.rest = std::move(*remembered);
      standing.memory = std::move(leaving.memory);
      return standing;
    }
  }
  if (!standing.rest.holds || standing.can_wedge) {
    ConstraintSet resting = leaving;
    auto away = break_away(leaving, state, workspace);
    // Where every face goes on sticking, none of the slides agrees with its own accelerations.
    const auto slides = [&](const FacePair& pair) { return pair.rubs() && !pair.sticks(leaving.modes); };
    if (!standing.rest.holds || (away && std::ranges::any_of(set.model.face_pairs(), slides))) {
      if (!away) return away.failure();
      standing.answer = standing.rest.holds ? Standing::Answer::several : Standing::Answer::breakaway;
      standing.leaving = std::move(*away);
      standing.modes = leaving.modes;
      standing.memory = std::move(leaving.memory);
      return standing;
    }
    if (auto failure = remember_rest(resting, state, blocks, standing.rest, workspace)) return *failure;
    if (remembers_hold(resting)) {
      auto remembered = find_remembered_rest(resting, state, workspace);
      if (!remembered) return remembered.failure();
      standing.rest = std::move(*remembered);
    }
    leaving.memory = std::move(resting.memory);
  }
  standing.memory = std::move(leaving.memory);
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
