// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/constraints/contact_law.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/decision/strike.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/math/complementarity.h"

namespace vinculum {

namespace {

enum class Level { impact, forces };

// A rate is zero beside what it is at most: 2^-53, with a reserve of four digits for the condition of the mass matrix;
constexpr double kRoundOffOfRate = 1e-12;
// and beside what each push does to it: these cancel, and each is rounded to some 2^-53.
constexpr double kRoundOffOfPushes = 1e-14;
constexpr double kStill = 1e-9;  // of RowScales: slower is no approach

// v⁺ or v', and at it the rate D v⁺ - F or D v' - γ of every one-sided row: 0 where it is round-off. `excess` is what it is above
// what restitution asks for; `pushes` are Λ or λ of the rows of the set.
struct Pushed {
  Eigen::VectorXd after;
  std::vector<double> parting, excess;
  Eigen::VectorXd pushes{};
};

// The velocities before an impact, or the accelerations without rows.
Eigen::VectorXd compute_before(const ConstraintSet& set, const State& state, Level level, const MassFactor& mass,
                               const ContactForces& forces, const Eigen::VectorXd& held_gamma, Workspace& workspace) {
  const Eigen::Index n = set.model.tree().velocities;
  if (level == Level::impact) return Eigen::Map<const Eigen::VectorXd>(state.v.data(), n);
  const std::vector<double> zero(n, 0.0);
  const std::vector<double> bias = compute_inverse_dynamics(set.model, state, zero, workspace).forces;
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  return mass.factor.solve(Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) -
                           Eigen::Map<const Eigen::VectorXd>(bias.data(), n) + forces.forces + held_gamma);
}

Failure no_pushes(const ConstraintSet& set) {
  std::string names;
  for (size_t k = 0; k < set.model.one_sided().size(); ++k) {
    if (!set.holds(static_cast<int>(k))) continue;
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", set.model.one_sided()[k].name);
  }
  return {"VN-CONTACT-017",
          fmt::format("no pushes of the contacts and stops, or pulls of the strings, {} keep their bodies apart", names),
          "they are driven against each other, or friction jams them; run without `--contacts unilateral` to see the reactions"};
}

// y of  w = G y + r ,  0 ≤ w₁ ⟂ y₁ ≥ 0 ,  w₂ = 0 :  the rows "two" are eliminated,
//
//   w₁ = M y₁ + q ,  M = G₁₁ - G₁₂ G₂₂⁺ G₂₁ ,  q = r₁ - G₁₂ G₂₂⁺ r₂ ,   y₂ = -G₂₂⁺ (r₂ + G₂₁ y₁)
std::optional<Eigen::VectorXd> solve_one_sided(const Eigen::MatrixXd& G, const Eigen::VectorXd& r,
                                               const std::vector<Eigen::Index>& one, const std::vector<Eigen::Index>& two) {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(r.size());
  Eigen::MatrixXd M = G(one, one);
  Eigen::VectorXd q = r(one);
  const Eigen::Index ones = static_cast<Eigen::Index>(one.size()), twos = static_cast<Eigen::Index>(two.size());
  Eigen::MatrixXd two_by_one(twos, ones + 1);  // G₂₂⁺ [G₂₁ r₂]
  if (twos > 0) {
    two_by_one << G(two, one), r(two);
    two_by_one = solve_least_squares(G(two, two), two_by_one, RowAnalysis::kRankTolerance).x;
    const Eigen::MatrixXd eliminated = G(one, two) * two_by_one;
    M -= eliminated.leftCols(ones);
    q -= eliminated.col(ones);
  }
  if (!one.empty()) {
    M.transposeInPlace();  // row by row
    const auto solution = solve_complementarity({M.data(), static_cast<size_t>(M.size())}, {q.data(), one.size()});
    if (!solution) return std::nullopt;
    y(one) = Eigen::Map<const Eigen::VectorXd>(solution->z.data(), ones);
  }
  y(two) = -two_by_one.col(ones) - two_by_one.leftCols(ones) * y(one);
  return y;
}

// What is there in `set`; one-sided rows push only, but for those of `pressed`. With G = D A⁻¹ D̃ᵀ and r the rates before, after
// an impact less what restitution asks for:  0 ≤ D_n v⁺ - F_n - e max(-(D_n v⁻ - F_n), 0)  ⟂  Λ_n ≥ 0 .
Outcome<Pushed> solve_pushes(const ConstraintSet& set, const State& state, Level level, const std::vector<bool>& pressed,
                             Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const std::vector<OneSided>& one_sided = set.model.one_sided();
  std::vector<int> pushing(set.rows.size(), -1);  // which of them a row is
  for (size_t k = 0; k < one_sided.size(); ++k) {
    const auto row = set.find_row(one_sided[k].row);
    if (row && !pressed[k]) pushing[*row] = static_cast<int>(k);
  }
  std::vector<Eigen::Index> one, two;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    // Faces of guides do not rub while bodies strike, so that nothing sticks there.
    if (level == Level::impact && set.rows[i].from<StickRow>()) continue;
    (pushing[i] >= 0 ? one : two).push_back(static_cast<Eigen::Index>(i));
  }
  const Eigen::MatrixXd D_two = rows->D(two, Eigen::all);
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), D_two);
  if (!mass) return mass.failure();
  const ContactForces forces = compute_contact_forces(set, *rows);
  const Eigen::VectorXd held_gamma = mass->k * (D_two.transpose() * rows->gamma(two));
  const Eigen::VectorXd before = compute_before(set, state, level, *mass, forces, held_gamma, workspace);

  Eigen::VectorXd cancelling = Eigen::VectorXd::Zero(before.size());
  const auto normal_rate = [&](const Eigen::VectorXd& x, int k) {
    const RowAt& at = rows->all[one_sided[k].row];
    const Eigen::VectorXd row = compute_row(set, *rows, at).row;
    const double given = level == Level::impact ? at.given : at.gamma, rate = row.dot(x) - given;
    double size = row.cwiseAbs().dot(x.cwiseAbs() + before.cwiseAbs()) + std::abs(given);
    // A velocity may itself be round-off: what rests strikes nothing, and forces decide.
    if (level == Level::impact) size += scales_of(set.model, one_sided[k].row).velocity;
    return std::abs(rate) <= kRoundOffOfRate * size + kRoundOffOfPushes * row.cwiseAbs().dot(cancelling) ? 0.0 : rate;
  };
  Eigen::VectorXd r = rows->D * before - (level == Level::impact ? rows->F : rows->gamma);
  const auto rebound = [&](int k) {
    return level == Level::impact && !pressed[k] ? one_sided[k].restitution.coefficient * std::max(-normal_rate(before, k), 0.0)
                                                 : 0;
  };
  for (Eigen::Index i : one) r[i] = normal_rate(before, pushing[i]) - rebound(pushing[i]);

  // In units in which the diagonal of D A⁻¹ Dᵀ is 1.
  const bool rubs = level == Level::forces && forces.coupling.cols() > 0;
  Eigen::MatrixXd W = mass->factor.solve_lower(rows->D.transpose()), push = W;
  if (rubs) push = mass->factor.solve_lower(rows->D.transpose() + forces.coupling);
  Eigen::VectorXd units(r.size());
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    units[i] = W.col(i).norm() > 0 ? 1 / W.col(i).norm() : 1;
    W.col(i) *= units[i];
    push.col(i) *= units[i];
    r[i] *= units[i];
  }
  auto y = solve_one_sided(W.transpose() * push, r, one, two);
  // Two-sided normals may pull, and then nothing rubs.
  Eigen::MatrixXd rubbing = push;
  std::vector<bool> slack(two.size(), false);
  for (size_t turn = 0; rubs && y; ++turn) {
    bool changed = false;
    for (size_t k = 0; k < two.size(); ++k) {
      const bool pulls = (*y)[two[k]] < 0;
      if (pulls == slack[k] || forces.coupling.col(two[k]).isZero(0)) continue;
      slack[k] = pulls;
      push.col(two[k]) = (pulls ? W : rubbing).col(two[k]);
      changed = true;
    }
    if (!changed) break;
    if (turn > 2 * two.size()) return friction_without_solution(set, forces);
    y = solve_one_sided(W.transpose() * push, r, one, two);
  }
  if (!y) return no_pushes(set);

  const Eigen::MatrixXd each = mass->factor.solve_upper(push);
  Pushed pushed{before + each * *y, {}, {}, y->cwiseProduct(units)};
  cancelling = each.cwiseAbs() * y->cwiseAbs();
  for (int k = 0; k < static_cast<int>(one_sided.size()); ++k) {
    const double rate = normal_rate(pushed.after, k), asked = set.holds(k) ? rebound(k) : 0;
    pushed.parting.push_back(rate);
    pushed.excess.push_back(std::abs(rate - asked) <= kRoundOffOfRate * std::abs(asked) ? 0 : rate - asked);
  }
  return pushed;
}

// What holds both ways, because it is not followed.
std::vector<bool> list_two_sided(const ConstraintSet& set) {
  std::vector<bool> list = set.holding();
  for (size_t k = 0; k < list.size(); ++k) list[k] = list[k] && !set.follows(static_cast<int>(k));
  return list;
}

// From what holds: of what touches, what presses in takes part and what parts lets go, until neither does. One
// that has let go and then presses in again takes part for good: in an impact one-sided still, with forces two-sided. `pressed`
// is two-sided from the start.
Outcome<Pushed> find_holding(ConstraintSet& set, const State& state, Level level, const std::vector<bool>& touching,
                             std::vector<bool> pressed, Workspace& workspace) {
  std::vector<bool> stays = pressed, has_let_go(touching.size(), false);
  for (;;) {
    auto pushed = solve_pushes(set, state, level, pressed, workspace);
    if (!pushed) return pushed;
    std::vector<bool> holding = set.holding();
    for (size_t k = 0; k < holding.size(); ++k) {
      if (!touching[k] || stays[k]) continue;
      if (holding[k] && pushed->excess[k] > 0) {
        holding[k] = false;
        has_let_go[k] = true;
      } else if (!holding[k] && pushed->parting[k] < 0) {
        holding[k] = true;
        stays[k] = has_let_go[k];
        pressed[k] = stays[k] && level == Level::forces;
      }
    }
    if (holding == set.holding()) return pushed;
    set.hold(holding);
  }
}

// What one-sided rows do at an instant: v⁺, their rates there, and what is told of it, if anything was struck.
struct Struck {
  Eigen::VectorXd after;
  std::vector<double> parting;
  std::optional<ImpactReport> report;
};

// Without a law of rebound, or by Newton's: what holds is found by pushing and letting go. By another law: all impulses together.
// In and out: what holds in `set`; `stays` does not rebound.
Outcome<Struck> strike_once(ConstraintSet& set, const State& state, const std::vector<bool>& touching,
                            const std::vector<bool>& stays, Workspace& workspace) {
  const std::vector<OneSided>& one_sided = set.model.one_sided();
  const std::vector<bool> before = set.holding();
  set.hold(touching);
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  StrikeRequest request{touching, stays, false, kStill};
  bool is_struck = false, is_newton = true;
  for (size_t k = 0; k < touching.size(); ++k) {
    request.taking_part[k] = touching[k] && set.follows(static_cast<int>(k));
    if (!request.taking_part[k]) continue;
    const RowAt& at = rows->all[one_sided[k].row];
    const bool approaches = at.rate < -kStill * scales_of(set.model, one_sided[k].row).velocity;
    is_struck = is_struck || approaches;
    const ImpactLaw& law = one_sided[k].restitution;
    is_newton = is_newton && (stays[k] || !approaches || law.kind == ImpactLaw::Kind::newton || law.coefficient == 0);
  }
  if (is_struck && !is_newton) {
    auto answer = strike_rows(set, state, *rows, request, workspace);
    if (!answer) return answer.failure();
    if (!*answer) return no_pushes(set);
    return Struck{(*answer)->after, (*answer)->rates, (*answer)->report};
  }
  set.hold(before);
  const auto impact = find_holding(set, state, Level::impact, touching, stays, workspace);
  if (!impact) return impact.failure();
  Struck struck{impact->after, impact->parting, {}};
  if (!is_struck) return struck;
  const auto problem = pose_strike(set, state, *rows, request, workspace);
  if (!problem) return problem.failure();
  Eigen::VectorXd R = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(problem->answer.rows.size()));
  for (Eigen::Index i = 0; i < R.size(); ++i) {
    if (const auto row = set.find_row(problem->answer.rows[static_cast<size_t>(i)])) R[i] = impact->pushes[*row];
  }
  struck.report = report_strike(set, state, *problem, R, workspace);
  return struck;
}

// The velocities after an impact of what touches; what is pressed together holds.
std::optional<Failure> strike(ConstraintSet& set, State& state, const std::vector<bool>& touching, double least_rise,
                              Workspace& workspace, std::vector<ImpactReport>* impacts) {
  const std::vector<bool> before = set.holding();
  std::vector<bool> stays = list_two_sided(set);
  for (;;) {
    std::vector<bool> holding = before;
    for (size_t k = 0; k < holding.size(); ++k) holding[k] = holding[k] || stays[k];
    set.hold(holding);
    const auto impact = strike_once(set, state, touching, stays, workspace);
    if (!impact) return impact.failure();
    holding = set.holding();
    for (size_t k = 0; k < holding.size(); ++k) holding[k] = holding[k] && (stays[k] || !(impact->parting[k] > 0));
    set.hold(holding);
    State after = state;
    std::copy(impact->after.begin(), impact->after.end(), after.v.begin());
    keep_on_constraints(set, after, workspace);

    // What would hardly rise stays.
    const auto fall = solve_pushes(set, after, Level::forces, stays, workspace);
    if (!fall) return fall.failure();
    bool again = false;
    for (size_t k = 0; k < holding.size(); ++k) {
      const double rate = impact->parting[k], acceleration = fall->parting[k];
      if (!touching[k] || !(rate > 0) || !(acceleration < 0) || stays[k]) continue;
      if (rate * rate < 2 * -acceleration * least_rise * scales_of(set.model, set.model.one_sided()[k].row).position)
        again = stays[k] = true;
    }
    if (again) continue;
    state = after;
    if (impact->report && impacts != nullptr) impacts->push_back(*impact->report);
    return std::nullopt;
  }
}

// Positions have the round-off of their coordinates.
double round_off_of_gap(const RowAt& at, double scale) {
  constexpr double kOfCoordinates = 16 * std::numeric_limits<double>::epsilon();
  return kGapRoundOff * scale + (at.is_wrench ? kOfCoordinates * norm(at.point_W) : 0);
}

}  // namespace

std::optional<Failure> hold_what_touches(ConstraintSet& set, const State& start) {
  if (auto failure = hold_what_presses(set, start)) return failure;
  const std::vector<OneSided>& one_sided = set.model.one_sided();
  std::vector<bool> holding = set.holding();
  std::vector<size_t> near;
  const auto follow = [&](const auto& holds) {
    for (size_t k = 0; k < one_sided.size(); ++k) {
      if (set.follows(static_cast<int>(k))) holding[k] = holds(k);
    }
    set.hold(holding);
  };
  follow([](size_t) { return false; });
  const auto rows = compute_row_values(set, start);
  if (!rows) return rows.failure();
  follow([&](size_t k) {
    const RowAt& at = rows->all[one_sided[k].row];
    const RowScales scale = scales_of(set.model, one_sided[k].row);
    const bool touches = *at.gap <= round_off_of_gap(at, scale.position);
    if (!touches && *at.gap <= kTouching * scale.position && std::abs(at.rate) <= kTouching * scale.velocity) near.push_back(k);
    return touches && at.rate <= kTouching * scale.velocity;
  });
  // As near, and at rest: on the surface if it falls onto it.
  while (!near.empty()) {
    Workspace workspace(set.model);
    const auto parting = compute_parting_accelerations(set, start, workspace);
    const size_t fell = std::erase_if(near, [&](size_t k) {
      const bool falls = !parting || (*parting)[k] < 0;
      if (falls) holding[k] = true;
      return falls;
    });
    if (fell == 0) break;
    set.hold(holding);
  }
  return std::nullopt;
}

Outcome<std::vector<bool>> list_struck(const ConstraintSet& set, const State& start) {
  const auto rows = compute_row_values(set, start);
  if (!rows) return rows.failure();
  std::vector<bool> struck = list_touching(set, *rows);
  const ConstraintSet given(set.model, start);
  for (size_t k = 0; k < struck.size(); ++k) {
    const int i = static_cast<int>(k), row = set.model.one_sided()[k].row;
    const bool is_apart = !set.holds(i) || (!start.modes.empty() && !given.holds(i));
    struck[k] = struck[k] && is_apart && set.follows(i) && rows->all[row].rate < -kTouching * scales_of(set.model, row).velocity;
  }
  return struck;
}

std::vector<bool> list_touching(const ConstraintSet& set, const ConstraintRows& rows) {
  std::vector<bool> touching = set.holding();
  for (size_t k = 0; k < touching.size(); ++k) {
    if (touching[k] || !set.follows(static_cast<int>(k))) continue;
    const int row = set.model.one_sided()[k].row;
    const RowAt& at = rows.all[row];
    const RowScales scale = scales_of(set.model, row);
    const bool closes = at.rate < -kTouching * scale.velocity && *at.gap <= kClosing * scale.position;
    touching[k] = closes || *at.gap <= round_off_of_gap(at, scale.position);
  }
  return touching;
}

std::optional<Failure> settle_one_sided(ConstraintSet& set, State& state, Workspace& workspace, int leaving, double least_rise,
                                        std::vector<ImpactReport>* impacts) {
  // All that touches may take part, and is put on the surface.
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  const std::vector<bool> before = set.holding(), touching = list_touching(set, *rows);
  set.hold(touching);
  const std::vector<double> v = state.v;
  keep_on_constraints(set, state, workspace);
  state.v = v;

  set.hold(before);
  if (auto failure = strike(set, state, touching, least_rise, workspace, impacts)) return failure;
  return settle_forces(set, state, workspace, leaving);
}

std::optional<Failure> settle_forces(ConstraintSet& set, const State& state, Workspace& workspace, int leaving) {
  const std::vector<bool> resting = set.holding();
  std::vector<bool> holding = resting;
  if (leaving >= 0) holding[leaving] = false;
  set.hold(holding);
  const auto forces = find_holding(set, state, Level::forces, resting, list_two_sided(set), workspace);
  return forces ? std::nullopt : std::optional(forces.failure());
}

Outcome<std::vector<double>> compute_parting_accelerations(const ConstraintSet& set, const State& state, Workspace& workspace) {
  auto pushed = solve_pushes(set, state, Level::forces, list_two_sided(set), workspace);
  if (!pushed) return pushed.failure();
  return std::move(pushed->parting);
}

Outcome<double> compute_released_acceleration(const ConstraintSet& set, const State& state, int one_sided, Workspace& workspace) {
  ConstraintSet released = set;
  std::vector<bool> holding = set.holding();
  holding[one_sided] = false;
  released.hold(holding);
  const auto rows = compute_constraint_rows(released, state);
  if (!rows) return rows.failure();
  const auto motion = compute_constrained_motion(released, state, {}, workspace);
  if (!motion) return motion.failure();
  const RowAt& at = rows->all[set.model.one_sided()[one_sided].row];
  return compute_row(released, *rows, at).row.dot(motion->accelerations) - at.gamma;
}

}  // namespace vinculum
