// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/implicit_steps.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/contact_law.h"
#include "vinculum/constraints/grip_problem.h"
#include "vinculum/constraints/least_forces.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/decision/impact.h"
#include "vinculum/decision/settle_frictional.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/idealisations/grips.h"
#include "vinculum/idealisations/one_sided_rows.h"
#include "vinculum/idealisations/pressed_contacts.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr double kStillOfStep = 1e-10;  // of the velocities of a step: slower is round-off

}  // namespace

std::optional<std::string> find_obstacle_to_steps(const Model& model, Follow follow, bool averages) {
  const auto is_followed = [&](SlipLawKind kind) {
    return kind == SlipLawKind::sign || (averages && (kind == SlipLawKind::hysteresis || kind == SlipLawKind::delay));
  };
  for (const Grip& grip : model.grips()) {
    if (grip.joint >= 0) return fmt::format("the friction of joint '{}'", grip.name);
    if (follow == Follow::frictional && !is_followed(grip.law.kind)) return fmt::format("the law of '{}'", grip.name);
  }
  for (const OneSided& element : model.one_sided()) {
    const ImpactLaw& law = element.restitution;
    const bool is_plain = law.kind == ImpactLaw::Kind::newton && law.tangential == 0;
    if (!averages && follow != Follow::bilateral && law.rebounds() && !is_plain)
      return fmt::format("the impact law of '{}', which is not Newton's on the normal alone", element.name);
  }
  if (!model.face_pairs().empty()) return "guides";
  // Inputs and sampled values are numbers; what has a rate is not followed.
  if (const ExtraState* const own = model.first_own_state()) return fmt::format("the state '{}'", own->name);
  for (const Input& input : model.inputs()) {
    if (input.rate_q >= 0) return fmt::format("the input '{}' with `hold: linear`", input.name);
  }
  for (const Contact& contact : model.contacts()) {
    if (contact.sliding_friction) return fmt::format("the sliding friction of contact '{}'", contact.name);
  }
  return std::nullopt;
}

ImplicitSteps::ImplicitSteps(const Model& model, Follow follow, bool rebounds)
    : model_(model), slips_(follow == Follow::frictional), rebounds_(rebounds), set_(model), workspace_(model) {
  set_.follow(follow != Follow::bilateral);
}

bool ImplicitSteps::resume(const State& state, std::span<const double> memory) {
  if (!memory.empty() && memory.size() != model_.rows().size()) return false;
  resume(state);
  impulses_.assign(memory.begin(), memory.end());
  return true;
}

std::optional<Failure> ImplicitSteps::begin(State& state) {
  if (auto failure = hold_what_touches(set_, state)) return failure;
  if (slips_) {
    if (auto failure = let_slip_what_slips(set_, state, kTouching)) return failure;
  }
  state.modes = set_.modes;
  return std::nullopt;
}

// The rows of a step, by what is asked of them. Places are columns of the local problem.
struct ImplicitSteps::Questions {
  std::vector<int> rows;              // in question, by Row::index
  std::vector<int> place;             // of each constraint of the model among these; -1: not in question
  std::vector<Eigen::Index> kept;     // constraints of the set that hold whatever happens
  std::vector<Eigen::Index> hanging;  // constraints of the set that hold while their one-sided constraint pushes,
  std::vector<int> hang_on;           // that one, an index into Model::one_sided()
  std::vector<GripBlock> blocks;      // without bounds that depend on the step
  std::vector<int> block_of;          // of each grip; -1: it is not there
};

int ImplicitSteps::one_sided_of_row(int row) const {
  for (size_t k = 0; k < model_.one_sided().size(); ++k) {
    if (model_.one_sided()[k].row == row) return static_cast<int>(k);
  }
  return -1;
}

void ImplicitSteps::list_questions(const ConstraintRows& rows, Questions& questions) const {
  questions.place.assign(model_.rows().size(), -1);
  questions.block_of.assign(model_.grips().size(), -1);
  const auto presses = [&](int index) {
    return slips_ && std::any_of(model_.grips().begin(), model_.grips().end(),
                                 [&](const Grip& grip) { return grip.friction && grip.normal == index; });
  };
  for (size_t i = 0; i < set_.rows.size(); ++i) {
    const Row& row = set_.rows[i];
    const int own = one_sided_of_row(row.index);
    const bool pushes = own >= 0 && set_.follows(own);
    int carrier = -1;
    for (size_t k = 0; k < model_.one_sided().size() && row.mode >= 0; ++k) {
      const OneSided& element = model_.one_sided()[k];
      const bool same = element.mode == row.mode && model_.rows()[element.row].when == row.when;
      if (same && element.row != row.index && set_.follows(static_cast<int>(k))) carrier = static_cast<int>(k);
    }
    if ((slips_ && row.grip >= 0) || presses(row.index) || pushes) {
      if (compute_row(set_, rows, rows.all[row.index]).row.isZero(0)) continue;  // no joint feels it
      questions.place[row.index] = static_cast<int>(questions.rows.size());
      questions.rows.push_back(row.index);
    } else if (carrier >= 0) {
      questions.hanging.push_back(static_cast<Eigen::Index>(i));
      questions.hang_on.push_back(carrier);
    } else {
      questions.kept.push_back(static_cast<Eigen::Index>(i));
    }
  }
  std::vector<bool> gripped(questions.rows.size(), false);
  for (size_t g = 0; slips_ && g < model_.grips().size(); ++g) {
    const Grip& grip = model_.grips()[g];
    GripBlock block{GripBlock::Kind::grips, {}, 0, grip.friction.value_or(0), -1};
    for (const int row : grip.rows) {
      if (questions.place[row] >= 0) block.rows.push_back(questions.place[row]), gripped[questions.place[row]] = true;
    }
    if (block.rows.empty()) continue;
    if (grip.friction && grip.normal >= 0) block.normal = questions.place[grip.normal];
    questions.block_of[g] = static_cast<int>(questions.blocks.size());
    questions.blocks.push_back(block);
  }
  for (size_t i = 0; i < questions.rows.size(); ++i) {
    if (gripped[i]) continue;
    const int own = one_sided_of_row(questions.rows[i]);
    const bool pushes = own >= 0 && set_.follows(own);
    questions.blocks.push_back({pushes ? GripBlock::Kind::pushes : GripBlock::Kind::held, {static_cast<int>(i)}, 0, 0, -1});
  }
}

std::optional<Failure> ImplicitSteps::step(State& state, double h, const Idealisation::Tell& tell) {
  constexpr int kMostHalvings = 6;
  const std::vector<int> before = set_.modes;
  record_.grips.assign(model_.grips().size(), {});
  record_.impacts.clear();
  record_.bounced.assign(model_.one_sided().size(), false);
  if (auto failure = advance(state, h, kMostHalvings)) return failure;
  state.modes = set_.modes;
  tell_changes(before, tell);
  return std::nullopt;
}

// In one, or, where its problem does not settle, in two halves.
std::optional<Failure> ImplicitSteps::advance(State& state, double h, int halvings) {
  const std::vector<int> modes = set_.modes;
  State trial = state;
  auto failure = try_step(trial, h);
  if (!failure) {
    state = std::move(trial);
    return std::nullopt;
  }
  if (halvings == 0 || failure->cause() != FailureCause::contact_friction || failure->kind() != FailureKind::not_unique)
    return failure;
  set_.set_modes(modes);
  if (auto first = advance(state, h / 2, halvings - 1)) return first;
  return advance(state, h / 2, halvings - 1);
}

std::optional<Failure> ImplicitSteps::try_step(State& state, double h) {
  const Eigen::Index n = model_.tree().velocities;
  const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(state.v.data(), n);
  State middle = state;
  middle.t += h / 2;
  move_coordinates(model_, Eigen::VectorXd(h / 2 * v), middle.q);

  // Every grip may stick. What held or is below the surface is there, so that its laws act.
  std::vector<int> modes = set_.modes;
  for (const Grip& grip : model_.grips()) modes[grip.mode] = Grip::sticks;
  set_.set_modes(modes);
  if (auto failure = hold_what_presses(set_, middle)) return failure;
  auto rows = compute_constraint_rows(set_, middle);
  if (!rows) return rows.failure();
  std::vector<bool> holding = set_.holding();
  const std::vector<bool> held = holding;
  // A gap that is round-off is none.
  const auto gap_of = [&](size_t k) {
    const double gap = rows->all[model_.one_sided()[k].row].gap.value_or(0);
    return std::abs(gap) <= kGapRoundOff * scales_of(model_, model_.one_sided()[k].row).position ? 0 : gap;
  };
  for (size_t k = 0; k < holding.size(); ++k) {
    if (set_.follows(static_cast<int>(k))) holding[k] = holding[k] || gap_of(k) <= 0;
  }
  const auto hold = [&]() -> std::optional<Failure> {
    if (holding == set_.holding()) return std::nullopt;
    set_.hold(holding);
    auto there = compute_constraint_rows(set_, middle);
    if (!there) return there.failure();
    rows = std::move(there);
    return std::nullopt;
  };
  if (auto failure = hold()) return failure;
  const ContactForces forces = compute_contact_forces(set_, *rows);
  const std::vector<double> zero(n, 0.0), bias = compute_inverse_dynamics(model_, middle, zero, workspace_).forces;
  const GivenForces given = compute_given_forces(model_, middle, workspace_);
  const Eigen::MatrixXd A = compute_mass_matrix(model_, middle, workspace_);
  const Eigen::VectorXd pushed = A * v + h * (Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) -
                                              Eigen::Map<const Eigen::VectorXd>(bias.data(), n) + forces.forces);

  // The motion with the constraints that hold whatever happens, and those that depend on what pushes.
  struct Free {
    Eigen::VectorXd v;
    Eigen::MatrixXd J, change;
    Eigen::VectorXd F;
  };
  const auto move_freely = [&](const Questions& questions, const std::vector<bool>& pushes) -> Outcome<Free> {
    std::vector<Eigen::Index> there = questions.kept;
    for (size_t i = 0; i < questions.hanging.size(); ++i) {
      if (pushes[questions.hang_on[i]]) there.push_back(questions.hanging[i]);
    }
    ConstraintRows kept;
    kept.D = rows->D(there, Eigen::all);
    kept.F = rows->F(there);
    kept.gamma = kept.F;
    const auto mass = factorize_mass_matrix(set_, A, kept.D);
    if (!mass) return mass.failure();
    const RowAnalysis analysis = analyse_rows(mass->factor, kept);
    const Eigen::Index m = static_cast<Eigen::Index>(questions.rows.size());
    Free free{solve_rows(*mass, analysis, kept.D, pushed, kept.F).x, Eigen::MatrixXd(m, n), Eigen::MatrixXd(n, m),
              Eigen::VectorXd(m)};
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(kept.F.size());
    for (Eigen::Index j = 0; j < m; ++j) {
      const RowAt& at = rows->all[questions.rows[static_cast<size_t>(j)]];
      free.J.row(j) = compute_row(set_, *rows, at).row;
      free.F[j] = at.given;
      free.change.col(j) = solve_rows(*mass, analysis, kept.D, free.J.row(j).transpose(), none).x;
    }
    return free;
  };

  // What is in reach of the step takes part.
  std::vector<double> speed(holding.size(), 0), gain(holding.size(), 0), gap(holding.size(), 0);
  {
    Questions none;
    list_questions(*rows, none);
    none.rows.clear();
    const auto free = move_freely(none, std::vector<bool>(holding.size(), false));
    if (!free) return free.failure();
    for (size_t k = 0; k < holding.size(); ++k) {
      if (!set_.follows(static_cast<int>(k))) continue;
      const RowAt& at = rows->all[model_.one_sided()[k].row];
      speed[k] = at.rate;
      gain[k] = compute_row(set_, *rows, at).row.dot(free->v - v);
      gap[k] = gap_of(k);
      holding[k] = gap[k] <= h * (std::abs(speed[k]) + std::abs(gain[k]));
    }
  }
  if (auto failure = hold()) return failure;
  Questions questions;
  list_questions(*rows, questions);
  for (size_t g = 0; g < model_.grips().size(); ++g) {
    const Grip& grip = model_.grips()[g];
    if (questions.block_of[g] < 0) continue;
    double& bound = questions.blocks[questions.block_of[g]].bound;
    bound = h * grip.bound.value_or(0);
    if (grip.friction && grip.normal < 0)  // pressed by a law of force
      bound = h * *grip.friction * compute_law_push(model_.contacts()[grip.contact], rows->contacts[grip.contact]);
  }

  Eigen::VectorXd start(static_cast<Eigen::Index>(questions.rows.size()));
  impulses_.resize(model_.rows().size(), 0);
  for (size_t i = 0; i < questions.rows.size(); ++i) start[static_cast<Eigen::Index>(i)] = impulses_[questions.rows[i]];

  // First without rebounds; then those that come with a blow give it back. Rows that hang on what touches are there if it does.
  std::vector<bool> touches = held, bounces(holding.size(), false);
  std::optional<GripSolution> solution;
  std::vector<double> rises;  // 2 gap/h at the end of the step
  Eigen::VectorXd after, rates;
  bool is_struck = false;
  double round_off = 0;
  for (size_t turn = 0;; ++turn) {
    const auto free = move_freely(questions, touches);
    if (!free) return free.failure();
    Eigen::VectorXd b = free->J * free->v - free->F;
    round_off = kStillOfStep * (model_.scales().velocity + (b.size() > 0 ? b.lpNorm<Eigen::Infinity>() : 0));
    for (size_t k = 0; k < holding.size(); ++k) {
      const int at = questions.place[model_.one_sided()[k].row];
      if (at < 0 || !set_.follows(static_cast<int>(k))) continue;
      b[at] += bounces[k] ? model_.one_sided()[k].restitution.coefficient * speed[k] : 2 * std::max(gap[k], 0.0) / h;
    }
    solution = solve_with_least_forces(free->J * free->change, b, questions.blocks, &start);
    if (!solution) return friction_not_settled(set_, forces);
    after = free->v + free->change * solution->R;
    rates = free->J * after - free->F;
    std::vector<bool> touching(holding.size(), false);
    rises.assign(holding.size(), 0);
    bool blow = false;
    for (size_t k = 0; k < holding.size(); ++k) {
      const int at = questions.place[model_.one_sided()[k].row];
      if (at < 0 || !set_.follows(static_cast<int>(k))) continue;
      rises[k] = rates[at] + 2 * std::max(gap[k], 0.0) / h;
      touching[k] = bounces[k] ? solution->R[at] > 0 : rises[k] <= round_off;
      const bool strikes = !is_struck && solution->R[at] > 0 && speed[k] < -2 * std::abs(gain[k]) - round_off;
      if (!strikes) continue;
      blow = true;
      bounces[k] = rebounds_ && model_.one_sided()[k].restitution.coefficient > 0;
    }
    const bool settled = questions.hanging.empty() || touching == touches || turn > 2 * holding.size();
    touches = touching;
    const bool again = blow && std::ranges::find(bounces, true) != bounces.end();
    is_struck = is_struck || blow;
    if (settled && !again) break;
  }
  std::ranges::fill(impulses_, 0.0);
  for (size_t i = 0; i < questions.rows.size(); ++i) impulses_[questions.rows[i]] = solution->R[static_cast<Eigen::Index>(i)];
  if (is_struck) report_blow(questions, *rows, v, solution->R, rates);
  for (size_t k = 0; k < holding.size(); ++k) record_.bounced[k] = record_.bounced[k] || (bounces[k] && touches[k]);

  take_modes(questions, *solution, rises, round_off);
  std::vector<bool> rests(holding.size(), false);
  for (size_t k = 0; k < holding.size(); ++k) rests[k] = touches[k] && !bounces[k] && !(gap[k] > 0);
  set_rest(questions, *rows, rests, after);
  move_coordinates(model_, Eigen::VectorXd(h / 2 * after), middle.q);
  state.q = middle.q;
  state.t += h;
  std::copy(after.begin(), after.end(), state.v.begin());
  std::vector<double> allowed_depth;
  for (size_t k = 0; k < holding.size(); ++k) allowed_depth.push_back(5 * h * std::abs(gain[k]));
  return keep_rows(state, allowed_depth);
}

// What was struck in a step, with all its impulses: to a step, for they include those of other forces in it.
void ImplicitSteps::report_blow(const Questions& questions, const ConstraintRows& rows, const Eigen::VectorXd& v,
                                const Eigen::VectorXd& R, const Eigen::VectorXd& rates) {
  ImpactReport report;
  report.compared = true;
  for (size_t i = 0; i < questions.rows.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const RowAt& row = rows.all[questions.rows[i]];
    const double before = compute_row(set_, rows, row).row.dot(v) - row.given;
    if (R[at] != 0) report.impulses.push_back({questions.rows[i], R[at], -R[at] * (before + rates[at]) / 2});
  }
  record_.impacts.push_back(std::move(report));
}

// A one-sided row holds where it touches at the end of the step, loaded or not; a grip slips where its slip is not round-off.
void ImplicitSteps::take_modes(const Questions& questions, const GripSolution& solution, const std::vector<double>& rises,
                               double round_off) {
  std::vector<bool> holding = set_.holding();
  for (size_t k = 0; k < holding.size(); ++k) {
    if (!set_.follows(static_cast<int>(k))) continue;
    holding[k] = questions.place[model_.one_sided()[k].row] >= 0 && rises[k] <= round_off;
  }
  for (size_t g = 0; g < model_.grips().size(); ++g) {
    if (questions.block_of[g] < 0) continue;
    const Grip& grip = model_.grips()[g];
    const GripBlock& block = questions.blocks[questions.block_of[g]];
    const Eigen::VectorXd slip = solution.x(block.rows);
    const double limit = block.reach(solution.R), needed = solution.R(block.rows).norm();
    GripUse& use = record_.grips[g];
    use.presses = use.presses || limit > 0;
    if (limit > 0 && slip.norm() > round_off) {
      set_.modes[grip.mode] = grip.is_single() && slip[0] < 0 ? Grip::backward : Grip::forward;
      use.slips = true;
    } else if (limit > 0) {
      use.part = std::max(use.part, needed / limit);
    }
  }
  set_.hold(holding);
}

// Constraints that stick or push with zero velocity may leave a velocity no freedom: then it is zero.
void ImplicitSteps::set_rest(const Questions& questions, const ConstraintRows& rows, const std::vector<bool>& rests,
                             Eigen::VectorXd& v) const {
  constexpr double kWithin = 1e-12;
  std::vector<Eigen::VectorXd> still;
  const auto add = [&](int index) {
    const RowAt& at = rows.all[index];
    if (at.given == 0) still.push_back(compute_row(set_, rows, at).row);
  };
  for (const int index : questions.rows) {
    const Row& row = model_.rows()[index];
    const int own = one_sided_of_row(index);
    const bool sticks = row.grip >= 0 && slips_ && set_.modes[model_.grips()[row.grip].mode] == Grip::sticks;
    const bool pushed = own >= 0 && (set_.follows(own) ? rests[own] && set_.holds(own) : true);
    const bool carried = row.grip < 0 || model_.grips()[row.grip].contact < 0 ||
                         set_.is_there(model_.contacts()[model_.grips()[row.grip].contact]);
    if (pushed || (sticks && carried)) add(index);
  }
  for (const Row& row : set_.rows) {
    if (questions.place[row.index] < 0) add(row.index);
  }
  if (still.empty()) return;
  Eigen::MatrixXd D(v.size(), static_cast<Eigen::Index>(still.size()));
  for (size_t i = 0; i < still.size(); ++i) {
    const double length = still[i].norm();
    D.col(static_cast<Eigen::Index>(i)) = length > 0 ? Eigen::VectorXd(still[i] / length) : still[i];
  }
  const SingularValues parts = find_singular_values(D);
  for (Eigen::Index k = 0; k < v.size(); ++k) {
    double within = 0;
    for (Eigen::Index i = 0; i < parts.values.size(); ++i) {
      if (parts.values[i] > 1e-10 * parts.values[0]) within += std::pow(parts.U(k, i), 2);
    }
    if (within > 1 - kWithin) v[k] = 0;
  }
}

// Positions back on the rows that hold both ways; one-sided rows are left where they are unless they are deeper than a step
// leaves.
std::optional<Failure> ImplicitSteps::keep_rows(State& state, const std::vector<double>& allowed_depth) {
  const std::vector<int> modes = set_.modes;
  const std::vector<bool> holding = set_.holding();
  std::vector<bool> kept = holding;
  const auto rows = compute_row_values(set_, state);
  if (!rows) return rows.failure();
  for (size_t k = 0; k < holding.size(); ++k) {
    if (set_.follows(static_cast<int>(k)))
      kept[k] = holding[k] && rows->all[model_.one_sided()[k].row].gap.value_or(0) < -allowed_depth[k];
  }
  set_.hold(kept);
  const std::vector<double> velocities = state.v;
  keep_on_constraints(set_, state, workspace_);
  state.v = velocities;
  set_.set_modes(modes);
  return std::nullopt;
}

void ImplicitSteps::tell_changes(const std::vector<int>& before, const Idealisation::Tell& tell) const {
  // What came and went within the step.
  for (size_t k = 0; k < model_.one_sided().size(); ++k) {
    const OneSided& element = model_.one_sided()[k];
    const int when = model_.rows()[element.row].when;
    if (!record_.bounced[k] || before[element.mode] == when || set_.holds(static_cast<int>(k))) continue;
    tell(element.comes());
    tell(element.goes());
  }
  tell_one_sided(model_, before, set_.modes, tell);
  tell_pressed(model_, before, set_.modes, tell);
  tell_grips(model_, before, set_.modes, tell);
}

}  // namespace vinculum
