// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/time_stepping.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/grip_problem.h"
#include "vinculum/constraints/impact.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/simulation/grips.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/simulation/requirements.h"

namespace vinculum {

namespace {

std::optional<Failure> check_steps(const Model& model, const State& start, const RunOptions& options) {
  const auto refuse = [](std::string what) {
    return Failure{"VN-RUN-160", fmt::format("steps of fixed length do not follow {}", what), "leave --step out"};
  };
  if (!(options.until > start.t)) return refuse("a motion backwards");
  if (!options.stop_at.empty()) return refuse("--stop-at");
  if (!model.events().empty()) return refuse("events of the model");
  for (const Grip& grip : model.grips()) {
    if (options.follow == Follow::frictional && grip.law.kind != SlipLawKind::sign)
      return refuse(fmt::format("the law of '{}'", grip.name));
  }
  if (!model.face_pairs().empty()) return refuse("guides");
  if (!model.extra_states().empty()) return refuse(fmt::format("the state '{}'", model.extra_states()[0].name));
  for (const Contact& contact : model.contacts()) {
    if (contact.sliding_friction) return refuse(fmt::format("the sliding friction of contact '{}'", contact.name));
  }
  return std::nullopt;
}

class TimeStepping {
 public:
  TimeStepping(const Model& model, const State& start, const RunOptions& options, RunListener& listener)
      : model_(model),
        options_(options),
        listener_(listener),
        set_(model),
        workspace_(model),
        state_(start),
        outputs_(model),
        requirements_(model) {
    first_slip_.assign(model.grips().size(), -1);
    set_.follow(options.parts());
  }

  Outcome<RunResult> go() {
    if (auto failure = hold_what_touches(set_, state_)) return *failure;
    state_.modes = set_.modes;
    const double span = options_.until - state_.t, start = state_.t;
    const long count = std::max(1L, std::lround(std::ceil(span / options_.step * (1 - 1e-12))));
    const double every = options_.every > 0 ? options_.every : span / 1000;
    RunResult result;
    result.integrator = "moreau";
    if (auto failure = emit(result)) return *failure;
    for (long k = 0; k < count; ++k) {
      const double end = k + 1 == count ? options_.until : start + span * static_cast<double>(k + 1) / static_cast<double>(count);
      if (auto failure = step(end - state_.t)) {
        result.failure = failure;
        result.end = RunResult::End::failed;
        break;
      }
      state_.t = end;
      look_at_requirements();
      ++result.steps;
      ++result.evaluations;
      listener_.on_step(end);
      if (static_cast<double>(result.samples) * every <= end - start + 1e-9 * every || k + 1 == count) {
        if (auto failure = emit(result)) return *failure;
      }
      if (listener_.wants_to_stop()) {
        result.end = RunResult::End::interrupted;
        break;
      }
    }
    result.final = state_;
    result.outputs = std::move(last_outputs_);
    result.events = events_;
    judge(result.verdicts);
    return result;
  }

 private:
  std::optional<Failure> emit(RunResult& result) {
    Sample sample;
    sample.index = result.samples++;
    sample.state = state_;
    sample.multipliers.assign(model_.rows().size() - model_.driven().size(), 0.0);
    const auto dynamics = compute_constrained_dynamics(set_, state_, workspace_);
    if (!dynamics) return dynamics.failure();
    sample.dynamics = dynamics->dynamics;
    for (size_t i = 0; i < set_.rows.size(); ++i) {
      const size_t row = set_.rows[i].index;
      if (row < sample.multipliers.size()) sample.multipliers[row] = dynamics->solution.multipliers[static_cast<Eigen::Index>(i)];
    }
    for (const ContactForces::Slip& slip : dynamics->forces.slips) sample.multipliers[slip.row] = slip.force;
    sample.quantities = compute_row_quantities(set_, *dynamics);
    sample.energy = compute_energy(model_, state_, workspace_);
    Moment moment(set_, state_, workspace_, *dynamics);
    if (!model_.outputs().columns.empty() && outputs_.compute(moment)) {
      sample.outputs.assign(outputs_.columns().begin(), outputs_.columns().end());
      if (auto failure = check_outputs(model_, sample.outputs, state_.t)) return failure;
      last_outputs_.clear();
      for (size_t i = 0; i < sample.outputs.size(); ++i)
        last_outputs_.push_back({model_.outputs().columns[i].name, model_.outputs().columns[i].unit, sample.outputs[i]});
    }
    listener_.on_sample(sample);
    return std::nullopt;
  }

  // At the ends of steps: as good as these steps are.
  void look_at_requirements() {
    if (requirements_.guard_count() == 0) return;
    const auto dynamics = compute_constrained_dynamics(set_, state_, workspace_);
    if (!dynamics) return;
    Moment moment(set_, state_, workspace_, *dynamics);
    requirements_.look_at_end(moment, true);
  }

  // What touches at the middle of the step takes part; every grip may stick.
  std::optional<Failure> choose_rows(const State& middle) {
    std::vector<int> modes = set_.modes;
    for (const Grip& grip : model_.grips()) modes[grip.mode] = Grip::sticks;
    set_.set_modes(modes);
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

  bool is_pushing(int row) const {
    for (size_t k = 0; k < model_.one_sided().size(); ++k) {
      if (model_.one_sided()[k].row == row) return set_.follows(static_cast<int>(k));
    }
    return false;
  }

  std::optional<Failure> step(double h) {
    const Eigen::Index n = model_.tree().velocities;
    const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), n);
    const std::vector<int> before = set_.modes;
    State middle = state_;
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
    const bool slips = options_.follow == Follow::frictional;
    std::vector<Eigen::Index> kept, questioned;
    std::vector<int> place(model_.rows().size(), -1);
    for (size_t i = 0; i < set_.rows.size(); ++i) {
      const int index = set_.rows[i].index;
      const bool presses = slips && std::any_of(model_.grips().begin(), model_.grips().end(),
                                                [&](const Grip& grip) { return grip.friction && grip.normal == index; });
      const bool open = (slips && set_.rows[i].grip >= 0) || presses || is_pushing(index);
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
    for (size_t g = 0; slips && g < model_.grips().size(); ++g) {
      const Grip& grip = model_.grips()[g];
      if (place[grip.rows[0]] < 0) continue;
      GripBlock block{GripBlock::Kind::grips, {}, h * grip.bound.value_or(0), grip.friction.value_or(0), -1};
      for (const int row : grip.rows) block.rows.push_back(place[row]), gripped[place[row]] = true;
      if (grip.friction && grip.normal >= 0) block.normal = place[grip.normal];
      block_of[g] = static_cast<int>(blocks.size());
      blocks.push_back(block);
    }
    for (size_t i = 0; i < questioned.size(); ++i) {
      if (gripped[i]) continue;
      const int index = set_.rows[questioned[i]].index;
      const Eigen::Index at = static_cast<Eigen::Index>(i);
      blocks.push_back({is_pushing(index) ? GripBlock::Kind::pushes : GripBlock::Kind::held, {static_cast<int>(i)}, 0, 0, -1});
      for (const OneSided& element : model_.one_sided()) {
        if (is_pushing(index) && element.row == index) b[at] += element.restitution * std::min(J.row(at).dot(v) - F[at], 0.0);
      }
    }
    const auto solution = solve_grip_problem(J * change, b, blocks);
    if (!solution) return friction_not_settled(set_, forces);
    const Eigen::VectorXd after = free + change * solution->R;
    move_coordinates(model_, Eigen::VectorXd(h / 2 * after), middle.q);
    state_.q = middle.q;
    state_.t += h;
    std::copy(after.begin(), after.end(), state_.v.begin());

    // The modes of the step, then positions back on the rows that have one.
    std::vector<bool> holding = set_.holding();
    for (size_t k = 0; k < holding.size(); ++k) {
      const int at = place[model_.one_sided()[k].row];
      if (at >= 0 && set_.follows(static_cast<int>(k))) holding[k] = solution->R[at] > 0;
    }
    const double size = 1e-10 * (1 + (b.size() > 0 ? b.lpNorm<Eigen::Infinity>() : 0));
    for (size_t g = 0; g < model_.grips().size(); ++g) {
      if (block_of[g] < 0) continue;
      const Grip& grip = model_.grips()[g];
      const Eigen::VectorXd slip = solution->x(blocks[block_of[g]].rows);
      if (slip.norm() > size) set_.modes[grip.mode] = grip.is_single() && slip[0] < 0 ? Grip::backward : Grip::forward;
    }
    set_.hold(holding);
    const std::vector<double> velocities = state_.v;
    keep_on_constraints(set_, state_, workspace_);
    state_.v = velocities;
    state_.modes = set_.modes;
    tell_changes(before);
    return std::nullopt;
  }

  void tell_changes(const std::vector<int>& before) {
    const auto tell = [&](const ElementEvent& event) {
      events_.push_back({state_.t, event.name(), event.kind, event.subject, -1});
      for (size_t g = 0; g < model_.grips().size(); ++g) {
        if (event.kind == "slip" && event.subject == model_.grips()[g].name && first_slip_[g] < 0) first_slip_[g] = state_.t;
      }
    };
    for (const OneSided& element : model_.one_sided()) {
      const int when = model_.rows()[element.row].when;
      const bool held = before[element.mode] == when, holds = set_.modes[element.mode] == when;
      if (held != holds) tell({held ? element.parts : element.touches, element.name});
    }
    tell_grips(model_, before, set_.modes, tell);
  }

  void judge(std::vector<Verdict>& verdicts) const {
    verdicts.push_back(
        {"step",
         Holds::not_checked,
         {},
         {},
         fmt::format("implicit steps of {:g} s: the error is of first order in them; halve --step to see it, or leave "
                     "it out for events and verdicts with margins",
                     options_.step)});
    requirements_.judge(state_.t, verdicts);
    const bool slips_at_all = options_.follow == Follow::frictional;
    const auto has_own = [&](const Verdict& verdict) {
      return std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& own) { return own.subject == verdict.subject; }) ||
             (slips_at_all && std::any_of(model_.grips().begin(), model_.grips().end(),
                                          [&](const Grip& grip) { return grip.judged == verdict.subject; }));
    };
    // What else could fail is named: an implicit step tells no forces at its end that a margin could be taken from.
    for (Verdict verdict : StateJudge(set_).judge()) {
      if (has_own(verdict)) continue;
      verdict.verdict = Holds::not_checked;
      verdict.margin = verdict.nearest_t = verdict.first_violation = std::nullopt;
      verdict.why = "implicit steps do not look at it";
      verdict.hint = "leave --step out";
      verdicts.push_back(std::move(verdict));
    }
    for (size_t g = 0; slips_at_all && g < model_.grips().size(); ++g) {
      const bool slips = first_slip_[g] >= 0;
      verdicts.push_back({model_.grips()[g].judged,
                          slips ? Holds::violated : Holds::holds,
                          {},
                          slips ? std::optional(first_slip_[g]) : std::nullopt,
                          slips ? fmt::format("slips in the step to t = {:.4g} s", first_slip_[g]) : "no step has a slip",
                          {},
                          {},
                          model_.grips()[g].name});
    }
  }

  const Model& model_;
  const RunOptions& options_;
  RunListener& listener_;
  ConstraintSet set_;
  Workspace workspace_;
  State state_;
  std::vector<RunEvent> events_;
  std::vector<double> first_slip_;
  OutputValues outputs_;
  std::vector<OutputValue> last_outputs_;
  Requirements requirements_;
};

}  // namespace

Outcome<RunResult> run_by_steps(const Model& model, const State& start, const RunOptions& options, RunListener& listener) {
  if (auto failure = check_steps(model, start, options)) return *failure;
  return TimeStepping(model, start, options, listener).go();
}

}  // namespace vinculum
