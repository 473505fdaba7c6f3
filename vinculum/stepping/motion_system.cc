// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/motion_system.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/projection.h"
#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/model/law_tables.h"
#include "vinculum/model/state.h"
#include "vinculum/series/series_laws.h"

namespace vinculum {

MotionSystem::MotionSystem(const Model& model, const Baumgarte& baumgarte, Follow follow, HeldAt held_at)
    : held_model_(LawJumps::has_any(model, held_at) ? std::make_unique<Model>(model) : nullptr),
      jumps_(held_model_ ? std::make_optional<LawJumps>(*held_model_, held_at) : std::nullopt),
      model_(held_model_ ? *held_model_ : model),
      follow_(follow),
      constraints_(model_),
      independent_(model_),
      sparse_(constraints_),
      loops_(baumgarte.alpha == 0 && !may_slip() ? make_loop_solver(constraints_) : std::nullopt),
      loop_forces_(loops_ ? loops_->rows().size() : 0),
      baumgarte_(baumgarte),
      workspace_(model_),
      coordinates_(model.tree().coordinates),
      velocities_(model.tree().velocities),
      counts_work_(false),
      does_work_(!non_conservative_elements(model).empty() || !list_working_rows(model).empty()),
      has_series_(!check_traced_rows(constraints_) && (held_at == HeldAt::kinks || !check_analytic(model))),
      has_tables_(has_law_tables(model_)),
      has_lines_(std::ranges::any_of(list_amplitudes(model_), [](const ForceAmplitude& one) { return one.own != nullptr; })),
      events_have_series_(std::all_of(model.events().begin(), model.events().end(), [](const EventDescription& event) {
        return event.function.is_analytic() && !event.function.depends_on(VariableKind::quantity);
      })) {
  for (ConstraintSet* set : {&constraints_, &independent_})
    set->follow(follow != Follow::bilateral, follow == Follow::frictional);
  counts_work_ = does_work_ || may_slip() || constraints_.follows_any();  // impacts and friction take energy away
  for (const Grip& grip : model_.grips()) {
    if (!constraints_.may_slip(grip) || !grip.has_play()) continue;
    play_rows_.push_back(grip.rows[0]);
    play_slots_.push_back(model_.memories()[grip.memory].first);
  }
  dimension_ = coordinates_ + velocities_ + plays() + (counts_work_ ? 1 : 0);
  set_scales(model_.scales());
  state_.q.resize(coordinates_);
  state_.v.resize(velocities_);
}

void MotionSystem::set_scales(const Scales& scales) {
  time_scale_ = scales.time();
  scales_ = coordinate_scales(model_, scales);
  for (const double scale : velocity_scales(model_, scales)) scales_.push_back(scale);
  for (const int row : play_rows_) scales_.push_back(scales_of(scales, model_.rows()[row]).position);
  if (counts_work_) scales_.push_back(scales.energy());
  for (double& scale : scales_) scale *= kPartOfScale;
}

IntegratorOptions MotionSystem::in_scales(IntegratorOptions options) const {
  options.scales = scales_;
  options.time_scale = time_scale_;
  return options;
}

void MotionSystem::set_state(double t, std::span<const double> y) {
  state_.t = t;
  std::copy_n(y.begin(), coordinates_, state_.q.begin());
  std::copy_n(y.begin() + coordinates_, velocities_, state_.v.begin());
}

bool MotionSystem::compute_derivative(double t, std::span<const double> y, std::span<double> dydt) {
  const bool computed = compute_rates(t, y, dydt);
  if (!has_tables_ && !has_lines_) return computed;
  if (computed && std::ranges::all_of(dydt, [](double rate) { return std::isfinite(rate); })) return true;
  if (auto outside = find_outside_table(model_, {t, state_.q, state_.v})) failure_ = std::move(outside);
  if (auto undirected = explain_no_force(model_, t, state_.q, state_.v)) failure_ = std::move(undirected);
  return false;
}

bool MotionSystem::compute_rates(double t, std::span<const double> y, std::span<double> dydt) {
  set_state(t, y);
  Bindings bindings;
  bindings.time = t;
  for (const DrivenCoordinate& driven : model_.driven()) {
    state_.q[driven.q] = evaluate(driven.law, bindings, expression_);
    state_.v[driven.v] = evaluate(driven.rate, bindings, expression_);
  }
  if (at_rest_) {
    std::fill(dydt.begin(), dydt.end(), 0.0);
    compute_extra_rates(model_, t, state_.q, state_.v, dydt.first(coordinates_), expression_);
    return true;
  }
  compute_coordinate_rates(model_, state_.q, state_.v, dydt.first(coordinates_));
  if (!model_.extra_states().empty()) {
    compute_extra_rates(model_, t, state_.q, state_.v, dydt.first(coordinates_), expression_);
    if (!std::ranges::all_of(dydt.first(coordinates_), [](double rate) { return std::isfinite(rate); })) return false;
  }
  const auto accelerations = dydt.subspan(coordinates_, velocities_);
  double power_of_rows = 0;  // drives among them
  if (loops_ && loops_->compute_accelerations(t, state_.q, state_.v, {}, workspace_, accelerations, loop_forces_)) {
    failure_.reset();
    least_regularity_ = std::min(least_regularity_, loops_->regularity());
  } else if (!is_plain_tree()) {
    const bool is_known = remembered_ == t && state_at_.q == state_.q && state_at_.v == state_.v;
    failure_ =
        is_known ? std::nullopt : compute_constrained_motion(independent_, state_, baumgarte_, workspace_, sparse_, motion_);
    if (failure_) return false;
    const ConstrainedMotion& motion = is_known ? motion_at_ : motion_;
    // What is remembered was computed elsewhere: the power of loads is to be that of this state, not of the last one here.
    if (is_known && counts_work_) see_surroundings(model_, t, state_.q, state_.v, workspace_);
    least_regularity_ = std::min(least_regularity_, motion.regularity);
    std::copy(motion.accelerations.begin(), motion.accelerations.end(), accelerations.begin());
    power_of_rows = motion.power;
  } else if (!compute_accelerations(model_, t, state_.q, state_.v, accelerations, workspace_)) {
    return false;
  }
  if (plays() > 0) {
    const auto rates = dydt.subspan(coordinates_ + velocities_, plays());
    const auto rows = compute_row_values(constraints_, state_);
    if (!rows) return false;
    for (size_t i = 0; i < play_rows_.size(); ++i) {
      const Grip& grip = model_.grips()[model_.rows()[play_rows_[i]].grip];
      rates[i] = constraints_.modes[grip.mode] == Grip::free ? rows->all[play_rows_[i]].rate : 0;
    }
  }
  if (counts_work_) {
    const double drives = is_plain_tree() ? compute_drive_power(model_, t, state_.q, state_.v, workspace_) : power_of_rows;
    dydt[dimension_ - 1] = drives + compute_load_power(model_, t, state_.q, state_.v, workspace_);
  }
  return true;
}

// The same numbers as compute_constrained_motion would give.
void MotionSystem::remember(const State& state, const ConstrainedDynamics& solved) {
  remembered_.reset();
  if (!sparse_.has_solved() || leaves_rows_out() || baumgarte_.alpha > 0 || loops_) return;
  state_at_.q = state.q;
  state_at_.v = state.v;
  motion_at_.accelerations = solved.solution.accelerations;
  motion_at_.power = SparseConstraints::compute_power(constraints_, state, solved);
  motion_at_.regularity = sparse_.regularity();
  remembered_ = state.t;
}

bool MotionSystem::compute_series(double t, std::span<const double> y, int order, std::span<double> coefficients) {
  if (jumps_ && !jumps_->holds_all()) return false;
  if (order > series_order_) {
    series_.reset();
    constrained_series_.reset();
    // That of a tree counts the work of its forces; where impacts take energy from a tree without rows, it has no place for it.
    if (is_plain_tree()) series_.emplace(model_, order);
    if (series_ && series_->dimension() != dimension_) series_.reset();
    if (!series_) constrained_series_.emplace(independent_, counts_work_, order);
    series_order_ = order;
  }
  return series_ ? series_->compute(t, y, order, coefficients) : constrained_series_->compute(t, y, order, coefficients);
}

double MotionSystem::find_branch(double reach) {
  return series_ ? series_->find_branch(reach) : constrained_series_->find_branch(reach);
}

void MotionSystem::expect_run(const State& start, double until, double tolerance) {
  set_scales(find_scales(model_, start, until - start.t));
  std::vector<OwnFormula> switches;
  if (jumps_) switches = jumps_->list_switches();
  std::vector<Expression> written_out;
  for (const OwnFormula& one : switches)
    written_out.push_back(one.own == nullptr ? one.formula : write_out(one.formula, *one.own));
  laws_of_time_.emplace(model_, std::move(written_out));
  laws_of_time_->begin(start.t, until, tolerance, start.q, start.v);
  step_laws_.emplace(model_, std::move(switches));
  step_laws_->begin(start, until, tolerance);
}

// Where everything rests no law moves anything.
std::span<const int> MotionSystem::checked_components() {
  return step_laws_ && !at_rest_ ? step_laws_->components() : std::span<const int>();
}

double MotionSystem::check_step(const StepPolynomial& step) { return step_laws_->find_safe_part(step); }

void MotionSystem::forget_steps() {
  if (step_laws_) step_laws_->forget_steps();
}

double MotionSystem::find_step(double t, std::span<const double> y, double step) {
  return laws_of_time_ ? laws_of_time_->find_step(t, y.first(coordinates_), y.subspan(coordinates_, velocities_), step) : step;
}

Bindings MotionSystem::bindings(double t, std::span<const double> y) const {
  return {t, y.first(coordinates_), y.subspan(coordinates_, velocities_)};
}

void MotionSystem::evaluate_switches(double t, std::span<const double> y, std::span<double> switches) {
  jumps_->evaluate(bindings(t, y), switches);
}

void MotionSystem::hold_switches(std::span<const double> signs, double t, std::span<const double> y) {
  remembered_.reset();
  if (jumps_->hold(signs, bindings(t, y))) forget_rows();
}

double MotionSystem::side_on_switch(int number, double t, std::span<const double> y) {
  return jumps_->side_on_switch(number, bindings(t, y));
}

std::span<const double> MotionSystem::compute_switch_series(double t, std::span<const double> coefficients) {
  if (coefficients.empty() || !jumps_->holds_all()) return {};
  const int order = static_cast<int>(coefficients.size()) / dimension_ - 1;
  if (!switch_series_ || switch_series_->order() != order) switch_series_.emplace(model_, *jumps_, order);
  return switch_series_->compute(t, coefficients, dimension_);
}

std::optional<Failure> MotionSystem::check_jump(double t, std::span<const double> signs) {
  const auto jumping = jumps_->find_jump_of_motion({t, state_.q, state_.v}, signs);
  forget_rows();
  if (!jumping) return std::nullopt;
  return Failure{"VN-RUN-112", fmt::format("{} jumps at t = {:.9g} s, which needs an infinite force", *jumping, t),
                 "give a motion whose velocity has no jump, for example with sqrt(x^2 + small^2) for abs(x)"};
}

std::span<const double> MotionSystem::compute_event_series(double t, std::span<const double> coefficients) {
  const int events = static_cast<int>(model_.events().size());
  if (events == 0 || !events_have_series_ || coefficients.empty()) return {};
  const int order = static_cast<int>(coefficients.size()) / dimension_ - 1;
  if (!event_series_ || event_series_->order() != order) {
    std::vector<Expression> functions;
    for (const EventDescription& event : model_.events()) functions.push_back(event.function);
    event_series_.emplace(trace_expressions(model_, functions), order);
  }
  return event_series_->compute(t, coefficients, dimension_);
}

bool MotionSystem::correct(double t, std::span<double> y) {
  bool changed = false;
  const auto put = [&](int index, double value) {
    changed = changed || y[index] != value;
    y[index] = value;
  };
  Bindings bindings;
  bindings.time = t;
  for (const DrivenCoordinate& driven : model_.driven()) {
    put(driven.q, evaluate(driven.law, bindings, expression_));
    put(coordinates_ + driven.v, evaluate(driven.rate, bindings, expression_));
  }
  for (const Link& link : model_.tree().links) {
    const int first = quaternion_index(link);
    if (first < 0) continue;
    const Quaternion unit = normalized({y[first], y[first + 1], y[first + 2], y[first + 3]});
    put(first, unit.w);
    put(first + 1, unit.x);
    put(first + 2, unit.y);
    put(first + 3, unit.z);
  }
  if (is_plain_tree() || baumgarte_.alpha > 0) return changed;
  set_state(t, y);
  regularity_of_rows_kept_.reset();
  was_kept_ = loops_ && keep_on_constraints(model_, *loops_, state_, workspace_);
  if (was_kept_) {
    regularity_of_rows_kept_ = loops_->regularity();
  } else {
    set_state(t, y);
    was_kept_ = keep_on_constraints(independent_, state_, workspace_, &sparse_);
    if (!was_kept_) return changed;
    if (!loops_ && sparse_.has_place(independent_)) regularity_of_rows_kept_ = sparse_.regularity();
  }
  std::copy(state_.q.begin(), state_.q.end(), y.begin());
  std::copy(state_.v.begin(), state_.v.end(), y.begin() + coordinates_);
  return true;
}

void MotionSystem::set_modes(const std::vector<int>& modes) {
  constraints_.set_modes(modes);
  independent_.set_modes(modes);
  at_rest_ = std::ranges::any_of(model_.face_pairs(),
                                 [&](const FacePair& pair) { return pair.slide_mode >= 0 && modes[pair.slide_mode] == kRests; });
  sticks_ = std::ranges::any_of(model_.face_pairs(), [&](const FacePair& pair) { return pair.sticks(modes); });
  forget_rows();
}

void MotionSystem::continue_slips(State& state) {
  state.memory.resize(model_.memory_size());  // of a start that remembers nothing: zeros
  set_memory(state.memory);
  if (!may_slip() || state.modes.empty()) return;
  std::vector<int> modes = constraints_.modes;
  for (const Grip& grip : model_.grips()) {
    if (constraints_.may_slip(grip)) modes[grip.mode] = state.modes[grip.mode];
  }
  set_modes(modes);
}

bool MotionSystem::leaves_rows_out() const { return std::find(left_out().begin(), left_out().end(), true) != left_out().end(); }

std::optional<Failure> MotionSystem::settle(State& state, double least_rise, int leaving) {
  if (follow_ == Follow::frictional || may_slip()) {
    FrictionalChange change;
    change.leaving = leaving;
    change.least_rise = least_rise;
    return settle(state, change);
  }
  if (auto failure = settle_one_sided(constraints_, state, workspace_, leaving, least_rise, &impacts_)) return failure;
  independent_.set_modes(constraints_.modes);
  state.modes = constraints_.modes;
  forget_rows();
  return choose_rows(state);
}

std::optional<Failure> MotionSystem::settle(State& state, const FrictionalChange& change) {
  if (auto failure = settle_frictional(constraints_, state, change, workspace_, choice_record_, &impacts_)) return failure;
  independent_.set_modes(constraints_.modes);
  independent_.memory = constraints_.memory;
  std::vector<double> memory = constraints_.memory;
  for (const int slot : play_slots_) memory[slot] = state.memory.empty() ? 0 : state.memory[slot];
  state.memory = std::move(memory);
  forget_rows();
  return choose_rows(state);
}

bool MotionSystem::has_struck(int row) const {
  return std::ranges::any_of(impacts_, [&](const ImpactReport& impact) {
    return std::ranges::find(impact.impulses, row, &ImpactReport::RowImpulse::row) != impact.impulses.end();
  });
}

std::optional<Failure> MotionSystem::choose_rows(const State& state) {
  std::vector<bool> redundant(independent_.left_out.size(), false);
  if (!is_plain_tree()) {
    const auto rows = compute_constraint_rows(constraints_, state);
    if (!rows) return rows.failure();
    const auto mass = factorize_mass_matrix(constraints_, compute_mass_matrix(model_, state, workspace_), rows->D);
    if (!mass) return mass.failure();
    const RowAnalysis analysis = analyse_rows(mass->factor, *rows);
    if (auto contradiction = check_consistent(constraints_, *rows, analysis)) return contradiction;
    for (size_t i = analysis.rank; i < analysis.order.size(); ++i) redundant[constraints_.rows[analysis.order[i]].index] = true;
  }
  leave_out(redundant);
  return std::nullopt;
}

void MotionSystem::leave_out(const std::vector<bool>& redundant_rows) {
  if (redundant_rows == independent_.left_out) return;
  independent_.leave_out(redundant_rows);
  if (baumgarte_.alpha == 0 && !may_slip()) loops_ = make_loop_solver(independent_);
  forget_rows();
}

void MotionSystem::forget_rows() {
  remembered_.reset();
  series_.reset();
  constrained_series_.reset();
  switch_series_.reset();
  series_order_ = 0;
}

std::optional<Failure> MotionSystem::check_left_out(const State& state) {
  if (independent_.rows.size() == constraints_.rows.size()) return std::nullopt;
  const auto rows = compute_row_values(constraints_, state);
  if (!rows) return rows.failure();
  for (size_t i = 0; i < constraints_.rows.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const RowScales scale = scales_of(model_.scales(), constraints_.rows[i]);
    const bool holds = std::abs(rows->gap[i].value_or(0)) <= RowAnalysis::kContradiction * scale.position &&
                       std::abs(rows->rate[k]) <= RowAnalysis::kContradiction * (scale.velocity + std::abs(rows->F[k]));
    if (holds || !independent_.left_out[constraints_.rows[i].index]) continue;
    return Failure{"VN-CONTACT-010",
                   fmt::format("the constraints contradict each other: no motion satisfies {} together with the others",
                               constraints_.rows[i].name),
                   "these supports are driven against each other; forbid one axis less, or let their motions agree"};
  }
  return std::nullopt;
}

double MotionSystem::compute_regularity(double t, std::span<const double> y) {
  state_ = unpack(t, y);
  change_.resize(velocities_);
  if (loops_) {
    loops_->compute_way_back(state_.q, state_.v, HUGE_VAL, workspace_, change_);
    return loops_->regularity();
  }
  if (!sparse_.has_place(independent_)) return compute_row_regularity(independent_, state_, workspace_);
  const auto rows = compute_row_values(independent_, state_);
  if (!rows) return 0;
  sparse_.compute_velocity_change(independent_, state_, *rows, workspace_, change_);
  return sparse_.regularity();
}

std::vector<double> MotionSystem::pack(const State& state, double work) const {
  std::vector<double> y(state.q);
  y.insert(y.end(), state.v.begin(), state.v.end());
  for (const int slot : play_slots_) y.push_back(state.memory.empty() ? 0 : state.memory[slot]);
  if (counts_work_) y.push_back(work);
  return y;
}

State MotionSystem::unpack(double t, std::span<const double> y) const {
  State state;
  unpack(t, y, state);
  return state;
}

void MotionSystem::unpack(double t, std::span<const double> y, State& state) const {
  state.t = t;
  state.q.assign(y.begin(), y.begin() + coordinates_);
  state.v.assign(y.begin() + coordinates_, y.begin() + coordinates_ + velocities_);
  state.memory = constraints_.memory;
  for (int i = 0; i < plays(); ++i) state.memory[play_slots_[i]] = y[coordinates_ + velocities_ + i];
  state.modes = constraints_.modes;
}

}  // namespace vinculum
