// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/implicit_steps.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/contact_law.h"
#include "vinculum/constraints/grip_problem.h"
#include "vinculum/constraints/impact.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/friction/settle_frictional.h"
#include "vinculum/simulation/grips.h"
#include "vinculum/simulation/one_sided_rows.h"
#include "vinculum/simulation/pressed_contacts.h"

namespace vinculum {

std::optional<std::string> find_obstacle_to_steps(const Model& model, Follow follow, bool averages) {
  const auto is_followed = [&](SlipLawKind kind) {
    return kind == SlipLawKind::sign || (averages && (kind == SlipLawKind::hysteresis || kind == SlipLawKind::delay));
  };
  for (const Grip& grip : model.grips()) {
    if (follow == Follow::frictional && !is_followed(grip.law.kind)) return fmt::format("the law of '{}'", grip.name);
  }
  if (!model.face_pairs().empty()) return "guides";
  if (!model.extra_states().empty()) return fmt::format("the state '{}'", model.extra_states()[0].name);
  for (const Contact& contact : model.contacts()) {
    if (contact.sliding_friction) return fmt::format("the sliding friction of contact '{}'", contact.name);
  }
  return std::nullopt;
}

ImplicitSteps::ImplicitSteps(const Model& model, Follow follow, bool rebounds)
    : model_(model), slips_(follow == Follow::frictional), rebounds_(rebounds), set_(model), workspace_(model) {
  set_.follow(follow != Follow::bilateral);
}

std::optional<Failure> ImplicitSteps::begin(State& state) {
  if (auto failure = hold_what_touches(set_, state)) return failure;
  if (slips_) {
    if (auto failure = let_slip_what_slips(set_, state, kTouching)) return failure;
  }
  state.modes = set_.modes;
  return std::nullopt;
}

// What touches at the middle of the step takes part; every grip may stick.
std::optional<Failure> ImplicitSteps::choose_rows(const State& middle) {
  std::vector<int> modes = set_.modes;
  for (const Grip& grip : model_.grips()) modes[grip.mode] = Grip::sticks;
  set_.set_modes(modes);
  if (auto failure = hold_what_presses(set_, middle)) return failure;
  if (!set_.follows_any()) return std::nullopt;
  const auto rows = compute_row_values(set_, middle);
  if (!rows) return rows.failure();
  std::vector<bool> touching = set_.holding();
  for (size_t k = 0; k < touching.size(); ++k) {
    if (set_.follows(static_cast<int>(k))) touching[k] = *rows->all[model_.one_sided()[k].row].gap <= 0;
  }
  set_.hold(touching);
  return std::nullopt;
}

bool ImplicitSteps::is_pushing(int row) const {
  for (size_t k = 0; k < model_.one_sided().size(); ++k) {
    if (model_.one_sided()[k].row == row) return set_.follows(static_cast<int>(k));
  }
  return false;
}

std::optional<Failure> ImplicitSteps::step(State& state, double h, const Idealisation::Tell& tell) {
  const Eigen::Index n = model_.tree().velocities;
  const Eigen::Map<const Eigen::VectorXd> v(state.v.data(), n);
  const std::vector<int> before = set_.modes;
  State middle = state;
  middle.t += h / 2;
  move_coordinates(model_, Eigen::VectorXd(h / 2 * v), middle.q);
  if (auto failure = choose_rows(middle)) return failure;
  const auto rows = compute_constraint_rows(set_, middle);
  if (!rows) return rows.failure();
  const ContactForces forces = compute_contact_forces(set_, *rows);
  const std::vector<double> zero(n, 0.0), bias = compute_inverse_dynamics(model_, middle, zero, workspace_).forces;
  const GivenForces given = compute_given_forces(model_, middle, workspace_);
  const Eigen::MatrixXd A = compute_mass_matrix(model_, middle, workspace_);

  // Rows in question: what pushes, what may slip, and the normals it hangs on; the others are kept.
  std::vector<Eigen::Index> kept, questioned;
  std::vector<int> place(model_.rows().size(), -1);
  for (size_t i = 0; i < set_.rows.size(); ++i) {
    const int index = set_.rows[i].index;
    const bool presses = slips_ && std::any_of(model_.grips().begin(), model_.grips().end(),
                                               [&](const Grip& grip) { return grip.friction && grip.normal == index; });
    const bool open = (slips_ && set_.rows[i].grip >= 0) || presses || is_pushing(index);
    if (open) place[index] = static_cast<int>(questioned.size());
    (open ? questioned : kept).push_back(static_cast<Eigen::Index>(i));
  }
  ConstraintRows of_kept;
  of_kept.D = rows->D(kept, Eigen::all);
  of_kept.F = rows->F(kept);
  of_kept.gamma = of_kept.F;
  const auto mass = factorize_mass_matrix(set_, A, of_kept.D);
  if (!mass) return mass.failure();
  const RowAnalysis analysis = analyse_rows(mass->factor, of_kept);
  const Eigen::VectorXd pushed = A * v + h * (Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) -
                                              Eigen::Map<const Eigen::VectorXd>(bias.data(), n) + forces.forces);
  const Eigen::VectorXd free = solve_rows(*mass, analysis, of_kept.D, pushed, of_kept.F).x;
  const Eigen::MatrixXd J = rows->D(questioned, Eigen::all);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(of_kept.F.size());
  Eigen::MatrixXd change(n, J.rows());
  for (Eigen::Index j = 0; j < J.rows(); ++j)
    change.col(j) = solve_rows(*mass, analysis, of_kept.D, J.row(j).transpose(), none).x;
  const Eigen::VectorXd F = rows->F(questioned);
  Eigen::VectorXd b = J * free - F;
  std::vector<GripBlock> blocks;
  std::vector<bool> gripped(questioned.size(), false);
  std::vector<int> block_of(model_.grips().size(), -1);
  for (size_t g = 0; slips_ && g < model_.grips().size(); ++g) {
    const Grip& grip = model_.grips()[g];
    if (place[grip.rows[0]] < 0) continue;
    GripBlock block{GripBlock::Kind::grips, {}, h * grip.bound.value_or(0), grip.friction.value_or(0), -1};
    for (const int row : grip.rows) block.rows.push_back(place[row]), gripped[place[row]] = true;
    if (grip.friction && grip.normal >= 0) block.normal = place[grip.normal];
    if (grip.friction && grip.normal < 0)
      block.bound = h * *grip.friction * compute_law_push(model_.contacts()[grip.contact], rows->contacts[grip.contact]);
    block_of[g] = static_cast<int>(blocks.size());
    blocks.push_back(block);
  }
  for (size_t i = 0; i < questioned.size(); ++i) {
    if (gripped[i]) continue;
    const int index = set_.rows[questioned[i]].index;
    const Eigen::Index at = static_cast<Eigen::Index>(i);
    blocks.push_back({is_pushing(index) ? GripBlock::Kind::pushes : GripBlock::Kind::held, {static_cast<int>(i)}, 0, 0, -1});
    for (const OneSided& element : model_.one_sided()) {
      if (rebounds_ && is_pushing(index) && element.row == index)
        b[at] += element.restitution * std::min(J.row(at).dot(v) - F[at], 0.0);
    }
  }
  const auto solution = solve_grip_problem(J * change, b, blocks);
  if (!solution) return friction_not_settled(set_, forces);
  const Eigen::VectorXd after = free + change * solution->R;
  move_coordinates(model_, Eigen::VectorXd(h / 2 * after), middle.q);
  state.q = middle.q;
  state.t += h;
  std::copy(after.begin(), after.end(), state.v.begin());

  // The modes of the step, then positions back on the rows that have one.
  std::vector<bool> holding = set_.holding();
  for (size_t k = 0; k < holding.size(); ++k) {
    const int at = place[model_.one_sided()[k].row];
    if (at >= 0 && set_.follows(static_cast<int>(k))) holding[k] = solution->R[at] > 0;
  }
  const double size = 1e-10 * (model_.scales().velocity + (b.size() > 0 ? b.lpNorm<Eigen::Infinity>() : 0));
  for (size_t g = 0; g < model_.grips().size(); ++g) {
    if (block_of[g] < 0) continue;
    const Grip& grip = model_.grips()[g];
    const Eigen::VectorXd slip = solution->x(blocks[block_of[g]].rows);
    if (slip.norm() > size) set_.modes[grip.mode] = grip.is_single() && slip[0] < 0 ? Grip::backward : Grip::forward;
  }
  set_.hold(holding);
  const std::vector<double> velocities = state.v;
  keep_on_constraints(set_, state, workspace_);
  state.v = velocities;
  state.modes = set_.modes;
  tell_changes(before, tell);
  return std::nullopt;
}

void ImplicitSteps::tell_changes(const std::vector<int>& before, const Idealisation::Tell& tell) const {
  tell_one_sided(model_, before, set_.modes, tell);
  tell_pressed(model_, before, set_.modes, tell);
  tell_grips(model_, before, set_.modes, tell);
}

}  // namespace vinculum
