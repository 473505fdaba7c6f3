// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/settle_frictional.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/grip_problem.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/constraints/slip_force.h"
#include "vinculum/constraints/slipping.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {

namespace {

constexpr double kRoundOffOfSum = 1e-11;  // beside the largest of its kind

bool is_there(const ConstraintSet& set, const Grip& grip) {
  return grip.contact < 0 || set.is_there(set.model.contacts()[grip.contact]);
}

// The one-sided row of a contact, or -1.
int one_sided_of(const Model& model, int row) {
  for (size_t k = 0; k < model.one_sided().size(); ++k) {
    if (model.one_sided()[k].row == row) return static_cast<int>(k);
  }
  return -1;
}

int side_of(double slip) { return slip < 0 ? Grip::backward : Grip::forward; }

// Which mode a grip has by its slip alone; none: the slip is zero, and forces decide.
std::optional<int> mode_by_slip(const Grip& grip, int present, const Eigen::VectorXd& slip, double still) {
  if (is_smooth(grip.law)) return Grip::slips;
  if (!grip.is_single()) return slip.norm() > still ? std::optional<int>(Grip::slips) : std::nullopt;
  const double x = slip[0];
  switch (grip.law.kind) {
    case SlipLawKind::dead_zone: {
      const double edge = grip.law.value * (1 + 1e-9);
      return std::abs(x) <= edge ? (present == Grip::sticks ? Grip::free : present) : side_of(x);
    }
    case SlipLawKind::backlash: {
      // A blow may take it off an end of its play, or drag that along.
      const int out = present == Grip::front_edge ? Grip::forward : Grip::backward;
      if (present == Grip::sticks) return Grip::free;
      if (!Grip::holds(present) || std::abs(x) <= still) return present;
      return side_of(x) == out ? out : Grip::free;
    }
    case SlipLawKind::hysteresis:
    case SlipLawKind::delay:
    case SlipLawKind::lag: return present == Grip::sticks ? side_of(x) : present;
    default: return std::abs(x) > still ? std::optional<int>(side_of(x)) : std::nullopt;
  }
}

// v + P Jᵀ R and the rates J v - F without R: all rows that are neither one-sided nor gripped are kept.
struct Impact {
  Eigen::VectorXd before;
  Eigen::MatrixXd J, change;  // change: P Jᵀ
  Eigen::VectorXd rates;      // before it
};

Outcome<Impact> prepare_impact(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                               const std::vector<int>& questioned, Workspace& workspace) {
  std::vector<Eigen::Index> two_sided;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (set.rows[i].grip < 0 && one_sided_of(set.model, set.rows[i].index) < 0) two_sided.push_back(static_cast<Eigen::Index>(i));
  }
  ConstraintRows kept;
  kept.D = rows.D(two_sided, Eigen::all);
  kept.F = rows.F(two_sided);
  kept.gamma = rows.gamma(two_sided);
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), kept.D);
  if (!mass) return mass.failure();
  const RowAnalysis analysis = analyse_rows(mass->factor, kept);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(kept.gamma.size());
  const Eigen::Index m = static_cast<Eigen::Index>(questioned.size());
  Impact impact;
  impact.before = Eigen::Map<const Eigen::VectorXd>(state.v.data(), static_cast<Eigen::Index>(state.v.size()));
  impact.J.resize(m, impact.before.size());
  impact.change.resize(impact.before.size(), m);
  impact.rates.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowAt& at = rows.all[questioned[static_cast<size_t>(i)]];
    impact.J.row(i) = compute_row(set, rows, at).row;
    impact.change.col(i) = solve_rows(*mass, analysis, kept.D, impact.J.row(i).transpose(), zero).x;
    impact.rates[i] = impact.J.row(i).dot(impact.before) - at.given;
  }
  return impact;
}

Failure not_settled(const ConstraintSet& set) { return friction_not_settled(set, {}); }

// The decision at the level of forces, of what is held and sticks in `set`: which one-sided rows push, and which grips stick.
struct ForceDecision {
  std::vector<bool> pushes;   // by one_sided
  std::vector<double> parts;  // their accelerations, of those that touch
};

class Settling {
 public:
  Settling(ConstraintSet& set, State& state, const FrictionalChange& change, Workspace& workspace)
      : set_(set), model_(set.model), state_(state), change_(change), workspace_(workspace) {}

  std::optional<Failure> settle() {
    if (auto failure = find_touching()) return failure;
    const std::vector<int> grips_before = set_.modes;
    stays_.assign(model_.one_sided().size(), false);
    for (;;) {
      State after = state_;
      holding_ = touching_;
      set_.modes = grips_before;
      set_.hold(holding_);
      if (auto failure = strike(after)) return failure;
      if (auto failure = choose_by_slip(after)) return failure;
      // What has just lost its push goes, unless it would press in at once.
      const int leaving = change_.leaving >= 0 && holding_[change_.leaving] ? change_.leaving : -1;
      if (leaving >= 0) holding_[leaving] = false, set_.hold(holding_);
      if (auto failure = decide_forces(after)) return failure;
      if (leaving >= 0 && accelerations_[leaving] < -kRoundOffOfSum * size_) {
        holding_[leaving] = true;
        set_.hold(holding_);
        if (auto failure = choose_by_slip(after)) return failure;
        if (auto failure = decide_forces(after)) return failure;
      }
      bool again = false;
      for (size_t k = 0; k < touching_.size(); ++k) {
        const double rate = rates_[k], acceleration = accelerations_[k];
        if (!touching_[k] || !(rate > 0) || !(acceleration < 0) || stays_[k]) continue;
        if (rate * rate < 2 * -acceleration * change_.least_rise) again = stays_[k] = true;
      }
      if (again) continue;
      state_ = after;
      state_.modes = set_.modes;
      return std::nullopt;
    }
  }

 private:
  // All that touches may take part, and is put on the surface.
  std::optional<Failure> find_touching() {
    const auto rows = compute_row_values(set_, state_);
    if (!rows) return rows.failure();
    const std::vector<bool> before = set_.holding();
    touching_ = before;
    for (size_t k = 0; k < touching_.size(); ++k)
      touching_[k] = touching_[k] || *rows->all[model_.one_sided()[k].row].gap <= kTouching;
    if (touching_ == before) return std::nullopt;
    const std::vector<int> modes = set_.modes;
    for (const Grip& grip : model_.grips()) set_.modes[grip.mode] = Grip::slips;
    set_.hold(touching_);
    const std::vector<double> v = state_.v;
    keep_on_constraints(set_, state_, workspace_);
    state_.v = v;
    set_.modes = modes;
    set_.hold(before);
    return std::nullopt;
  }

  int place(const std::vector<int>& questioned, int row) const {
    const auto found = std::find(questioned.begin(), questioned.end(), row);
    return found == questioned.end() ? -1 : static_cast<int>(found - questioned.begin());
  }

  // The velocities after an impact, if anything presses in.
  std::optional<Failure> strike(State& after) {
    rates_.assign(touching_.size(), 0);
    const auto rows = compute_constraint_rows(set_, after);
    if (!rows) return rows.failure();
    std::vector<int> questioned, of;
    bool struck = false;
    for (size_t k = 0; k < touching_.size(); ++k) {
      if (!touching_[k]) continue;
      questioned.push_back(model_.one_sided()[k].row);
      of.push_back(static_cast<int>(k));
      rates_[k] = rows->all[questioned.back()].rate;
      struck = struck || rates_[k] < -change_.still;
    }
    if (struck) {
      const size_t normals = questioned.size();
      for (const Grip& grip : model_.grips()) {
        if (grip.friction && place(questioned, grip.normal) >= 0)
          questioned.insert(questioned.end(), grip.rows.begin(), grip.rows.end());
      }
      const auto impact = prepare_impact(set_, after, *rows, questioned, workspace_);
      if (!impact) return impact.failure();
      Eigen::VectorXd b = impact->rates;
      std::vector<GripBlock> blocks;
      for (size_t i = 0; i < normals; ++i) {
        const double e = stays_[of[i]] ? 0 : model_.one_sided()[of[i]].restitution;
        b[static_cast<Eigen::Index>(i)] -= e * std::max(-b[static_cast<Eigen::Index>(i)], 0.0);
        blocks.push_back({GripBlock::Kind::pushes, {static_cast<int>(i)}, 0, 0, -1});
      }
      for (const Grip& grip : model_.grips()) {
        if (!grip.friction || place(questioned, grip.normal) < 0) continue;
        GripBlock block{GripBlock::Kind::grips, {}, 0, *grip.friction, place(questioned, grip.normal)};
        for (const int row : grip.rows) block.rows.push_back(place(questioned, row));
        blocks.push_back(block);
      }
      const auto solution = solve_grip_problem(impact->J * impact->change, b, blocks);
      if (!solution) return not_settled(set_);
      const Eigen::VectorXd v = impact->before + impact->change * solution->R;
      std::copy(v.begin(), v.end(), after.v.begin());
      const Eigen::VectorXd rate = impact->J * v - (impact->J * impact->before - impact->rates);
      for (size_t i = 0; i < normals; ++i) rates_[of[i]] = rate[static_cast<Eigen::Index>(i)];
    }
    for (size_t k = 0; k < touching_.size(); ++k) {
      if (touching_[k] && rates_[k] > change_.still) holding_[k] = false;
    }
    set_.hold(holding_);
    return std::nullopt;
  }

  // What slips, slips; the rest is taken to stick for now, and is put on the rows.
  std::optional<Failure> choose_by_slip(State& after) {
    const auto rows = compute_row_values(set_, after);
    if (!rows) return rows.failure();
    for (size_t i = 0; i < model_.grips().size(); ++i) {
      const Grip& grip = model_.grips()[i];
      int& mode = set_.modes[grip.mode];
      if (!is_there(set_, grip)) {
        mode = Grip::sticks;
        continue;
      }
      if (mode == Grip::sticks && grip.law.kind == SlipLawKind::lag) set_.lags[i] = {0, after.t};
      const Eigen::VectorXd slip = slip_of(grip, *rows);
      mode = mode_by_slip(grip, mode, slip, change_.still).value_or(Grip::sticks);
    }
    set_.set_modes(set_.modes);
    keep_on_constraints(set_, after, workspace_);
    return std::nullopt;
  }

  std::optional<Failure> decide_forces(const State& after) {
    auto rows = compute_constraint_rows(set_, after);
    if (!rows) return rows.failure();
    ContactForces forces = compute_contact_forces(set_, *rows);
    const Eigen::Index n = model_.tree().velocities;
    const std::vector<double> zero(n, 0.0);
    const std::vector<double> bias = compute_inverse_dynamics(model_, after, zero, workspace_).forces;
    const GivenForces given = compute_given_forces(model_, after, workspace_);
    const Eigen::VectorXd tau_minus_h =
        Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) - Eigen::Map<const Eigen::VectorXd>(bias.data(), n);
    const Eigen::MatrixXd mass_matrix = compute_mass_matrix(model_, after, workspace_);
    if (auto failure = direct_slips(set_, mass_matrix, tau_minus_h, *rows, forces)) return failure;

    std::vector<int> questioned;
    const auto question = [&](int row) {
      if (place(questioned, row) < 0) questioned.push_back(row);
    };
    std::vector<const Grip*> open;
    for (const Grip& grip : model_.grips()) {
      if (!is_there(set_, grip) || set_.modes[grip.mode] != Grip::sticks || !(grip.bound || grip.friction)) continue;
      open.push_back(&grip);
      for (const int row : grip.rows) question(row);
      if (grip.normal >= 0 && set_.find_row(grip.normal)) question(grip.normal);
    }
    for (size_t k = 0; k < holding_.size(); ++k) {
      if (holding_[k]) question(model_.one_sided()[k].row);
    }
    // Gaps of what has let go are looked at beside.
    std::vector<int> beside;
    for (size_t k = 0; k < touching_.size(); ++k) {
      if (touching_[k] && !holding_[k]) beside.push_back(static_cast<int>(k));
    }
    accelerations_.assign(touching_.size(), 0);
    const auto local = compute_local_rows(set_, mass_matrix, tau_minus_h, *rows, forces, questioned);
    if (!local) return local.failure();
    size_ = 1 + (local->b.size() > 0 ? local->b.lpNorm<Eigen::Infinity>() : 0);
    std::vector<GripBlock> blocks;
    std::vector<bool> in_grip(local->rows.size(), false);
    for (const Grip* grip : open) {
      GripBlock block{GripBlock::Kind::grips, {}, grip->bound.value_or(0), grip->friction.value_or(0), -1};
      for (const int row : grip->rows) block.rows.push_back(place(local->rows, row)), in_grip[block.rows.back()] = true;
      if (grip->friction && grip->normal >= 0) block.normal = place(local->rows, grip->normal);
      if (grip->friction && grip->normal < 0) block.bound = *grip->friction * normal_law(*grip, *rows);
      blocks.push_back(block);
    }
    for (size_t i = 0; i < local->rows.size(); ++i) {
      if (in_grip[i]) continue;
      const int one_sided = one_sided_of(model_, local->rows[i]);
      blocks.push_back({one_sided >= 0 ? GripBlock::Kind::pushes : GripBlock::Kind::held, {static_cast<int>(i)}, 0, 0, -1});
    }
    const auto solution = solve_grip_problem(local->W, local->b, blocks);
    if (!solution) return not_settled(set_);

    const double round_off = kRoundOffOfSum * size_;
    for (size_t k = 0; k < open.size(); ++k) {
      const Eigen::VectorXd x = solution->x(blocks[k].rows);
      int& mode = set_.modes[open[k]->mode];
      const bool is_forced = change_.slipping >= 0 && open[k] == &model_.grips()[change_.slipping];
      if (!is_forced && !(x.norm() > round_off)) continue;
      // What has just come to its bound has no acceleration yet: it slips against its force.
      mode = !open[k]->is_single() ? Grip::slips : side_of(is_forced ? -solution->R[blocks[k].rows[0]] : x[0]);
    }
    for (size_t i = 0; i < local->rows.size(); ++i) {
      const int k = one_sided_of(model_, local->rows[i]);
      if (k < 0) continue;
      accelerations_[k] = solution->x[static_cast<Eigen::Index>(i)];
      if (accelerations_[k] > round_off && !(solution->R[static_cast<Eigen::Index>(i)] > 0)) holding_[k] = false;
    }
    for (size_t k = 0; k < holding_.size(); ++k) {
      if (!holding_[k]) release_grips(static_cast<int>(k));
    }
    set_.hold(holding_);
    // With the modes that are found, what has let go rises or falls.
    if (!beside.empty()) {
      const auto motion = compute_constrained_motion(set_, after, {}, workspace_);
      if (!motion) return motion.failure();
      for (const int k : beside) {
        const RowAt& at = rows->all[model_.one_sided()[k].row];
        accelerations_[k] = compute_row(set_, *rows, at).row.dot(motion->accelerations) - at.gamma;
      }
    }
    return std::nullopt;
  }

  double normal_law(const Grip& grip, const ConstraintRows& rows) const {
    const ContactLaw& law = model_.contacts()[grip.contact].laws.at(ContactAxis::normal);
    const ContactState& at = rows.contacts[grip.contact];
    return std::max(-law.stiffness * at.gap[0].value_or(0) - law.viscous * at.rate[0], 0.0);
  }

  void release_grips(int one_sided) {
    for (const Grip& grip : model_.grips()) {
      if (grip.contact >= 0 && model_.contacts()[grip.contact].mode == model_.one_sided()[one_sided].mode)
        set_.modes[grip.mode] = Grip::sticks;
    }
  }

  ConstraintSet& set_;
  const Model& model_;
  State& state_;
  const FrictionalChange& change_;
  Workspace& workspace_;
  std::vector<bool> touching_, holding_, stays_;
  std::vector<double> rates_, accelerations_;  // of one-sided rows that touch
  double size_ = 1;
};

}  // namespace

std::optional<Failure> let_slip_what_slips(ConstraintSet& set, const State& state, double still) {
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  for (const Grip& grip : set.model.grips()) {
    if (!is_there(set, grip)) continue;
    set.modes[grip.mode] = mode_by_slip(grip, Grip::sticks, slip_of(grip, *rows), still).value_or(Grip::sticks);
  }
  set.set_modes(set.modes);
  return std::nullopt;
}

std::optional<Failure> settle_frictional(ConstraintSet& set, State& state, const FrictionalChange& change, Workspace& workspace) {
  return Settling(set, state, change, workspace).settle();
}

std::optional<Failure> check_slip_laws(const Model& model) {
  for (const Grip& grip : model.grips()) {
    const bool relays = !is_smooth(grip.law) && !sticks(grip.law);
    const auto refuse = [&](const char* why, const char* cure) {
      return Failure{"VN-CONTACT-121", fmt::format("'{}' {}", grip.name, why), cure};
    };
    if (grip.law.kind != SlipLawKind::viscous && !grip.bound && !grip.friction)
      return refuse("has a law of slip and no bound", "give `bound` or `friction`; only a viscous law does without");
    if (relays && !grip.is_single())
      return refuse("has several rows with one bound, which a law with a memory or a dead zone does not follow",
                    "give each row a bound of its own, or take the law `sign`");
    if (grip.law.kind == SlipLawKind::lag && grip.friction)
      return refuse("has a law that lags behind a friction, which changes with its normal force", "give a constant `bound`");
  }
  return std::nullopt;
}

}  // namespace vinculum
