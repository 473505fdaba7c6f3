// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/settle_frictional.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/QR>

#include "vinculum/constraints/projection.h"
#include "vinculum/constraints/slip_force.h"
#include "vinculum/constraints/slipping.h"
#include "vinculum/decision/equal_supports.h"
#include "vinculum/decision/pose_local_problem.h"
#include "vinculum/decision/strike.h"
#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {

namespace {

constexpr double kRoundOffOfSum =
    1e-11;                       // beside the largest of its kind: 2^-53, with a reserve of five digits for the condition
constexpr double kTrace = 1e-6;  // of friction, to see what slips first,
constexpr double kStays = 1e-3;  // and what does not, beside the largest

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
    case SlipLawKind::sign:
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan:
    case SlipLawKind::stribeck: break;
  }
  return std::abs(x) > still ? std::optional<int>(side_of(x)) : std::nullopt;
}

Failure not_settled(const ConstraintSet& set) { return friction_not_settled(set, {}); }

class Settling {
 public:
  Settling(ConstraintSet& set, State& state, const FrictionalChange& change, Workspace& workspace, ChoiceRecord& record,
           std::vector<ImpactReport>* impacts)
      : set_(set), model_(set.model), state_(state), change_(change), workspace_(workspace), record_(record), impacts_(impacts) {}

  std::optional<Failure> settle() {
    record_.split = 0;
    if (auto failure = find_touching()) return failure;
    const std::vector<int> grips_before = set_.modes;
    stays_.assign(model_.one_sided().size(), false);
    for (;;) {
      State after = state_;
      holding_ = touching_;
      struck_.clear();
      set_.modes = grips_before;
      hold(holding_);
      if (auto failure = strike(after)) return failure;
      if (auto failure = choose_by_slip(after)) return failure;
      // What has just lost its push goes, and what had gone stays away, unless it would press in at once.
      std::vector<int> leaving = list_leaving();
      const auto hold_leaving = [&](bool holds) {
        for (const int k : leaving) holding_[k] = holds;
        if (!leaving.empty()) hold(holding_);
      };
      hold_leaving(false);
      if (auto failure = change_.jams ? beyond_all_bounds() : decide_forces(after)) {
        if (!is_jammed_) return failure;
        hold_leaving(true);
        if (auto stays = strike_without_collision(after, *failure)) return stays;
      }
      while (hold_what_presses_in(leaving)) {
        if (auto failure = choose_by_slip(after)) return failure;
        if (auto failure = decide_forces(after)) return failure;
      }
      bool again = false;
      for (size_t k = 0; k < touching_.size(); ++k) {
        const double rate = rates_[k], acceleration = accelerations_[k];
        if (!touching_[k] || !(rate > 0) || !(acceleration < 0) || stays_[k]) continue;
        if (rate * rate < 2 * -acceleration * change_.least_rise * scale_of(k).position) again = stays_[k] = true;
      }
      if (again) continue;
      if (auto failure = check_held_bearings(set_, after, workspace_)) return failure;
      state_ = after;
      state_.modes = set_.modes;
      if (impacts_ != nullptr) impacts_->insert(impacts_->end(), struck_.begin(), struck_.end());
      return std::nullopt;
    }
  }

 private:
  // All that touches may take part, and is put on the surface.
  std::optional<Failure> find_touching() {
    const auto rows = compute_row_values(set_, state_);
    if (!rows) return rows.failure();
    const std::vector<bool> before = set_.holding();
    held_before_ = before;
    touching_ = list_touching(set_, *rows);
    if (touching_ == before) return take_out_two_sided();
    const std::vector<int> modes = set_.modes;
    for (const Grip& grip : model_.grips()) {
      if (set_.may_slip(grip)) set_.modes[grip.mode] = Grip::slips;
    }
    hold(touching_);
    const std::vector<double> v = state_.v;
    keep_on_constraints(set_, state_, workspace_);
    state_.v = v;
    set_.modes = modes;
    hold(before);
    return take_out_two_sided();
  }

  // What is not followed holds both ways, if it holds, and is no part of what is decided.
  std::optional<Failure> take_out_two_sided() {
    two_sided_.assign(touching_.size(), false);
    for (size_t k = 0; k < touching_.size(); ++k) {
      if (set_.follows(static_cast<int>(k))) continue;
      two_sided_[k] = held_before_[k];
      touching_[k] = false;
    }
    return std::nullopt;
  }

  void hold(std::vector<bool> one_sided) {
    for (size_t k = 0; k < two_sided_.size(); ++k) one_sided[k] = one_sided[k] || two_sided_[k];
    set_.hold(one_sided);
  }

  RowScales scale_of(size_t one_sided) const { return scales_of(model_, model_.one_sided()[one_sided].row); }

  std::vector<int> list_leaving() const {
    std::vector<int> leaving;
    for (size_t k = 0; k < holding_.size(); ++k) {
      const bool goes = static_cast<int>(k) == change_.leaving || (!held_before_[k] && !approached_[k]);
      if (holding_[k] && goes) leaving.push_back(static_cast<int>(k));
    }
    return leaving;
  }

  // False: nothing of it does.
  bool hold_what_presses_in(std::vector<int>& leaving) {
    const auto presses_in = [&](int k) { return !holding_[k] && accelerations_[k] < -kRoundOffOfSum * size_; };
    if (std::none_of(leaving.begin(), leaving.end(), presses_in)) return false;
    for (const int k : leaving) holding_[k] = holding_[k] || presses_in(k);
    std::erase_if(leaving, [&](int k) { return holding_[k]; });
    hold(holding_);
    return true;
  }

  int place(const std::vector<int>& questioned, int row) const {
    const auto found = std::find(questioned.begin(), questioned.end(), row);
    return found == questioned.end() ? -1 : static_cast<int>(found - questioned.begin());
  }

  // The velocities after an impact, if anything presses in.
  std::optional<Failure> strike(State& after) {
    rates_.assign(touching_.size(), 0);
    approached_.assign(touching_.size(), false);
    const auto rows = compute_constraint_rows(set_, after);
    if (!rows) return rows.failure();
    bool struck = false;
    for (size_t k = 0; k < touching_.size(); ++k) {
      if (!touching_[k]) continue;
      rates_[k] = rows->all[model_.one_sided()[k].row].rate;
      approached_[k] = rates_[k] < -change_.still * scale_of(k).velocity;
      struck = struck || approached_[k];
    }
    if (struck) {
      const StrikeRequest request{touching_, stays_, set_.contacts_slip(), change_.still};
      auto answer = strike_rows(set_, after, *rows, request, workspace_,
                                [this](const auto& W, const auto& b, const auto& blocks, const std::vector<int>& questioned) {
                                  return choose_impact(W, b, blocks, questioned);
                                });
      if (!answer) return answer.failure();
      if (!*answer) return not_settled(set_);
      std::copy((*answer)->after.begin(), (*answer)->after.end(), after.v.begin());
      for (size_t k = 0; k < touching_.size(); ++k) {
        if (touching_[k]) rates_[k] = (*answer)->rates[k];
      }
      struck_.push_back(std::move((*answer)->report));
    }
    for (size_t k = 0; k < touching_.size(); ++k) {
      // What would hardly rise is held, and the projection takes its velocity: rocking ends too.
      if (touching_[k] && !stays_[k] && rates_[k] > change_.still * scale_of(k).velocity) holding_[k] = false;
    }
    hold(holding_);
    return std::nullopt;
  }

  // Where sweeps do not settle: from every consistent choice.
  std::optional<GripSolution> choose_impact(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                            const std::vector<GripBlock>& blocks, const std::vector<int>& questioned) const {
    LocalProblem problem{W, Eigen::MatrixXd::Zero(W.rows(), W.cols()), b, blocks, {}, {}};
    for (const int row : questioned) problem.names.push_back(element_of(model_, row));
    const auto choices = find_local_choices(problem);
    if (!choices || !choices->chosen) return std::nullopt;
    return GripSolution{choices->found[*choices->chosen].R, choices->found[*choices->chosen].x};
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
      if (mode == Grip::sticks && grip.law.kind == SlipLawKind::lag) {
        set_.memory_of(grip)[0] = 0;
        set_.memory_of(grip)[1] = after.t;
      }
      const Eigen::VectorXd slip = slip_of(grip, *rows);
      mode = mode_by_slip(grip, mode, slip, change_.still * scales_of(model_, grip.rows[0]).velocity).value_or(Grip::sticks);
    }
    set_.set_modes(set_.modes);
    for (const Grip& grip : model_.grips()) {
      if (grip.joint < 0 || set_.modes[grip.mode] != Grip::sticks) continue;
      const auto side = find_side_at_dead_centre(set_, after, grip, workspace_);
      if (!side) continue;
      set_.modes[grip.mode] = *side;
      set_.set_modes(set_.modes);
    }
    keep_on_constraints(set_, after, workspace_);
    return std::nullopt;
  }

  // All rows in question, decided together: every consistent choice, or, where the tree has no answer, the one that settles.
  std::optional<Failure> decide_forces(const State& after) {
    is_jammed_ = false;
    // Gaps of what has let go are looked at beside.
    std::vector<int> beside;
    for (size_t k = 0; k < touching_.size(); ++k) {
      if (touching_[k] && !holding_[k]) beside.push_back(static_cast<int>(k));
    }
    accelerations_.assign(touching_.size(), 0);
    auto moment = pose_local_problem(set_, after, workspace_);
    if (!moment) return moment.failure();
    const std::vector<const Grip*>& open = moment->open;
    if (change_.gives_way) weaken(*moment);
    const std::vector<GripBlock>& blocks = moment->blocks;
    size_ = model_.scales().acceleration + (moment->problem.b.size() > 0 ? moment->problem.b.lpNorm<Eigen::Infinity>() : 0);
    std::optional<GripSolution> solution;
    if (auto answer = solve_on_equal_supports(moment->W, moment->problem.F, moment->problem.b, blocks)) {
      record_.unexamined = true;
      if (change_.gives_way) record_.split = answer->split;
      solution = std::move(answer->solution);
    } else if (const auto choices = find_local_choices(moment->problem)) {
      note_several(*choices, after.t);
      if (!choices->chosen) {
        is_jammed_ = true;
        return no_choice(*choices, moment->problem);
      }
      const LocalChoice& chosen = choices->found[*choices->chosen];
      solution = GripSolution{chosen.R, chosen.x};
    } else {
      record_.unexamined = true;
      solution = solve_grip_problem(moment->W, moment->problem.b, blocks);
    }
    if (!solution) return not_settled(set_);

    const double round_off = kRoundOffOfSum * size_;
    double still = round_off;
    if (change_.gives_way) {
      for (size_t k = 0; k < open.size(); ++k) still = std::max(still, kStays * solution->x(blocks[k].rows).norm());
    }
    bool yields = false;  // something slides with less than what held it: what follows is decided with that
    for (size_t k = 0; k < open.size(); ++k) {
      const Eigen::VectorXd x = solution->x(blocks[k].rows);
      int& mode = set_.modes[open[k]->mode];
      const bool is_forced = change_.slipping >= 0 && open[k] == &model_.grips()[change_.slipping];
      // What is held with a force within its bound does not slip: beside a large bound its acceleration is round-off of that.
      constexpr double kWithin = 1e-9;
      const bool is_within = solution->R(blocks[k].rows).norm() < (1 - kWithin) * blocks[k].reach(solution->R);
      if (!is_forced && (is_within || !(x.norm() > still))) continue;
      // What has just come to its bound has no acceleration yet: it slips against its force.
      mode = !open[k]->is_single() ? Grip::slips : side_of(is_forced ? -solution->R[blocks[k].rows[0]] : x[0]);
      yields = yields || open[k]->yields();
    }
    for (size_t i = 0; i < moment->rows.size(); ++i) {
      const int k = one_sided_of(model_, moment->rows[i]);
      if (k < 0) continue;
      accelerations_[k] = solution->x[static_cast<Eigen::Index>(i)];
      if (accelerations_[k] > round_off && !(solution->R[static_cast<Eigen::Index>(i)] > 0)) holding_[k] = false;
    }
    for (size_t k = 0; k < holding_.size(); ++k) {
      if (!holding_[k]) release_grips(static_cast<int>(k));
    }
    hold(holding_);
    if (yields) return decide_forces(after);
    // With the modes that are found, what has let go rises or falls.
    if (!beside.empty()) {
      const auto motion = compute_constrained_motion(set_, after, {}, workspace_);
      if (!motion) return motion.failure();
      for (const int k : beside) {
        const RowAt& at = moment->at.all[model_.one_sided()[k].row];
        accelerations_[k] = compute_row(set_, moment->at, at).row.dot(motion->accelerations) - at.gamma;
      }
    }
    return std::nullopt;
  }

  static void weaken(MomentProblem& moment) {
    for (std::vector<GripBlock>* blocks : {&moment.blocks, &moment.problem.blocks}) {
      for (GripBlock& block : *blocks) block.bound *= 1 - kTrace, block.friction *= 1 - kTrace;
    }
  }

  std::optional<Failure> beyond_all_bounds() {
    is_jammed_ = true;
    return Failure{"VN-CONTACT-150",
                   "reactions of sliding contacts grow without bound, and no impulse continues the motion (Painlevé)",
                   "less friction; or give the contact its compliance by `laws`"};
  }

  void note_several(const LocalChoices& choices, double t) {
    record_.examined = true;
    if (choices.found.size() < 2 || record_.choices > 0) return;
    record_.choices = static_cast<int>(choices.found.size());
    record_.several = describe(choices.found);
    record_.taken = choices.chosen ? choices.found[*choices.chosen].words : "";
    record_.several_t = t;
  }

  Failure no_choice(const LocalChoices& choices, const LocalProblem& problem) const {
    std::string who;
    for (size_t i = 0; i < problem.names.size(); ++i) {
      if (who.find(problem.names[i]) == std::string::npos) who += (who.empty() ? "'" : ", '") + problem.names[i] + "'";
    }
    if (choices.found.empty())
      return {"VN-CONTACT-150",
              fmt::format("no contact state of {} is consistent, and no impulse continues the motion (Painlevé)", who),
              "less friction; or give the contact its compliance by `laws`"};
    return {"VN-CONTACT-151",
            fmt::format("{} choices of modes are consistent ({}), and none of them is reached as friction grows from none",
                        choices.found.size(), describe(choices.found)),
            "the motion is not unique here (Painlevé): lower the friction"};
  }

  // No forces go with the velocities: impulses at what touches and slides, that are not zero, and behind which there are forces.
  std::optional<Failure> strike_without_collision(State& after, const Failure& without) {
    const auto rows = compute_constraint_rows(set_, after);
    if (!rows) return rows.failure();
    std::vector<int> questioned;
    for (size_t k = 0; k < holding_.size(); ++k) {
      if (holding_[k]) questioned.push_back(model_.one_sided()[k].row);
    }
    const size_t normals = questioned.size();
    LocalProblem problem;
    for (size_t i = 0; i < normals; ++i) problem.blocks.push_back({GripBlock::Kind::pushes, {static_cast<int>(i)}, 0, 0, -1});
    for (const Grip& grip : model_.grips()) {
      const int normal = place(questioned, grip.normal);
      if (!grip.friction || normal < 0 || !is_there(set_, grip)) continue;
      // At the moment reactions grow beyond all bounds the impulse that stops the slide lies on the edge of the cone.
      constexpr double kEdge = 1 + 1e-4;
      GripBlock block{GripBlock::Kind::grips, {}, 0, *grip.friction * (change_.jams ? kEdge : 1), normal};
      for (const int row : grip.rows) block.rows.push_back(static_cast<int>(questioned.size())), questioned.push_back(row);
      problem.blocks.push_back(block);
    }
    if (questioned.size() == normals) return without;
    std::vector<bool> is_kept;
    for (const Row& row : set_.rows) is_kept.push_back(row.grip < 0 && one_sided_of(model_, row.index) < 0);
    const auto impact = answer_impulses(set_, after, *rows, questioned, is_kept, workspace_);
    if (!impact) return impact.failure();
    problem.W = impact->J * impact->change;
    problem.F = Eigen::MatrixXd::Zero(problem.W.rows(), problem.W.cols());
    problem.b = impact->rates;
    for (size_t i = 0; i < questioned.size(); ++i) {
      problem.names.push_back(element_of(model_, questioned[i]));
      // What holds neither approaches nor parts, but for round-off.
      const double still = change_.still * scales_of(model_, questioned[i]).velocity;
      if (i < normals && std::abs(problem.b[static_cast<Eigen::Index>(i)]) <= still) problem.b[static_cast<Eigen::Index>(i)] = 0;
    }
    const std::vector<bool> holding = holding_;
    const std::vector<int> modes = set_.modes;
    for (const Eigen::VectorXd& R : list_impulses(problem)) {
      State trial = after;
      const Eigen::VectorXd v = impact->before + impact->change * R;
      std::copy(v.begin(), v.end(), trial.v.begin());
      const Eigen::VectorXd rate = problem.b + problem.W * R;
      holding_ = holding;
      set_.modes = modes;
      for (size_t i = 0; i < normals; ++i) {
        const int k = one_sided_of(model_, questioned[i]);
        const double still = change_.still * scale_of(k).velocity;
        rates_[k] = std::abs(rate[static_cast<Eigen::Index>(i)]) <= still ? 0 : rate[static_cast<Eigen::Index>(i)];
        if (rates_[k] > 0) holding_[k] = false;
      }
      hold(holding_);
      if (choose_by_slip(trial) || decide_forces(trial)) continue;
      struck_.push_back(report_impulses(set_, after, *impact, R, workspace_));
      after = trial;
      note_jam(problem, std::span(questioned).first(normals), R, rate, after.t);
      return std::nullopt;
    }
    return without;
  }

  // Impulses that are not zero, by the laws of an impact; where the tree has no answer, those that stop every slide, if friction
  // can give them.
  std::vector<Eigen::VectorXd> list_impulses(const LocalProblem& problem) const {
    std::vector<Eigen::VectorXd> list;
    const double speed = problem.b.lpNorm<Eigen::Infinity>();
    const auto is_nothing = [&](const Eigen::VectorXd& R) { return (problem.W * R).lpNorm<Eigen::Infinity>() <= 1e-9 * speed; };
    if (const auto choices = find_local_choices(problem)) {
      for (const LocalChoice& choice : choices->found) {
        if (!is_nothing(choice.R)) list.push_back(choice.R);
      }
      return list;
    }
    const Eigen::VectorXd R = problem.W.completeOrthogonalDecomposition().solve(-problem.b);
    if (is_nothing(R) || (problem.W * R + problem.b).lpNorm<Eigen::Infinity>() > 1e-9 * speed) return list;
    for (const GripBlock& block : problem.blocks) {
      const double most = block.kind == GripBlock::Kind::pushes ? 0 : block.friction * R[block.normal];
      if (block.kind == GripBlock::Kind::pushes ? R[block.rows[0]] < 0 : R(block.rows).norm() > most) return list;
    }
    list.push_back(R);
    return list;
  }

  void note_jam(const LocalProblem& problem, std::span<const int> normals, const Eigen::VectorXd& R, const Eigen::VectorXd& rate,
                double t) {
    double impulse = 0;
    record_.jammed_last.clear();
    for (size_t i = 0; i < normals.size(); ++i) {
      const double push = R[static_cast<Eigen::Index>(i)];
      if (!(push > 0)) continue;
      impulse += push;
      if (record_.jammed_last.empty()) record_.jammed_one_sided = one_sided_of(model_, normals[i]);
      record_.jammed_last += (record_.jammed_last.empty() ? "" : ", ") + problem.names[i];
    }
    if (record_.jams++ > 0) return;
    record_.jammed = record_.jammed_last;
    record_.jam_t = t;
    record_.lost = -0.5 * R.dot(problem.b + rate);
    record_.impulse = impulse;
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
  std::vector<bool> two_sided_;                 // hold both ways; of touching_ and holding_ none is
  std::vector<bool> held_before_, approached_;  // with a rate, before anything was struck
  std::vector<double> rates_, accelerations_;   // of one-sided rows that touch
  double size_ = 1;
  bool is_jammed_ = false;  // the last decision found no choice of modes
  ChoiceRecord& record_;
  std::vector<ImpactReport>* impacts_;
  std::vector<ImpactReport> struck_;  // on the way to the state that is settled
};

}  // namespace

std::optional<Failure> let_slip_what_slips(ConstraintSet& set, const State& state, double still) {
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  for (const Grip& grip : set.model.grips()) {
    if (!is_there(set, grip)) continue;
    const double least = still * scales_of(set.model, grip.rows[0]).velocity;
    set.modes[grip.mode] = mode_by_slip(grip, Grip::sticks, slip_of(grip, *rows), least).value_or(Grip::sticks);
  }
  set.set_modes(set.modes);
  return std::nullopt;
}

std::optional<Failure> settle_frictional(ConstraintSet& set, State& state, const FrictionalChange& change, Workspace& workspace,
                                         ChoiceRecord& record, std::vector<ImpactReport>* impacts) {
  return Settling(set, state, change, workspace, record, impacts).settle();
}

std::optional<Failure> check_slip_laws(const Model& model) {
  for (const Grip& grip : model.grips()) {
    const bool relays = !is_smooth(grip.law) && !sticks(grip.law);
    const auto refuse = [&](const char* why, const char* cure) {
      return Failure{"VN-CONTACT-121", fmt::format("'{}' {}", grip.name, why), cure};
    };
    if (grip.law.kind != SlipLawKind::viscous && !grip.has_limit())
      return refuse("has a law of slip and no bound", "give `bound` or `friction`; only a viscous law does without");
    if (relays && !grip.is_single())
      return refuse("has several constraints with one bound, which laws with memory or dead zone do not support",
                    "give each constraint its own bound, or use the law `sign`");
    if (grip.law.kind == SlipLawKind::lag && grip.friction)
      return refuse("has a law that lags behind a friction, which changes with its normal force", "give a constant `bound`");
  }
  return std::nullopt;
}

}  // namespace vinculum
