// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/grips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/constraints/bearing_friction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/constraints/slip_force.h"
#include "vinculum/constraints/slipping.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/idealisations/contact_record.h"
#include "vinculum/idealisations/least_friction.h"
#include "vinculum/idealisations/one_sided_rows.h"

namespace vinculum {

namespace {

constexpr double kForceRoundOff = 1e-9;  // of a multiplier, beside the largest
constexpr double kBackwards = 1e-3;
constexpr double kThroughZero = 10;  // times what is still: a slip that has turned there

bool is_slipping(int mode) { return mode != Grip::sticks; }

}  // namespace

void tell_grips(const Model& model, const std::vector<int>& before, const std::vector<int>& after,
                const Idealisation::Tell& tell) {
  for (const Grip& grip : model.grips()) {
    const int was = before[grip.mode], is = after[grip.mode];
    if (was == is || is_smooth(grip.law)) continue;
    if (grip.contact >= 0) {  // what lands or lifts off tells that
      const int mode = model.contacts()[grip.contact].mode;
      if (mode >= 0 && (before[mode] != 1 || after[mode] != 1)) continue;
    }
    tell(grip.occurrence(Grip::holds(is)                                             ? EventKind::stick
                         : Grip::holds(was) || was == Grip::free || is == Grip::free ? EventKind::slip
                                                                                     : EventKind::reverse));
  }
}

Grips::Grips(MotionSystem* system, const ConstraintSet& set, Follow follow, double tolerance)
    : system_(system),
      model_(set.model),
      grips_(set.model.grips()),
      follow_(system != nullptr ? follow : Follow::bilateral),
      tolerance_(tolerance),
      still_(std::clamp(10 * tolerance, 1e-9, 1e-4)),
      workspace_(set.model),
      watches_(grips_.size()),
      shares_guard_(grips_.size(), false),
      headings_(grips_.size()) {
  const auto root_of = [&](int body) {
    while (model_.bodies()[body].parent != kWorld) body = model_.bodies()[body].parent;
    return body;
  };
  const int bodies = static_cast<int>(model_.bodies().size());
  tree_masses_.assign(bodies, 0);
  for (int i = 0; i < bodies; ++i) tree_masses_[root_of(i)] += model_.bodies()[i].mass;
  for (int i = 0; i < bodies; ++i) tree_masses_[i] = tree_masses_[root_of(i)];
}

// The force of a contact is what it does along its tangent, whatever row that comes from; of other rows it is their multipliers.
// `joints`: the reactions of all of them, where some have bearings.
Grips::Demand Grips::find_demand(Moment& moment, const Grip& grip, std::span<const Wrench> joints,
                                 const NormalSelfStress& stress) const {
  const ConstraintSet& set = moment.set();
  const ConstrainedDynamics& dynamics = *moment.solution();
  const auto& multipliers = dynamics.solution.multipliers;
  const double round_off = multipliers.size() == 0 ? 0 : kForceRoundOff * multipliers.lpNorm<Eigen::Infinity>();
  Demand demand;
  double squares = 0, presses = 1;
  bool there = true, determined = true, shares = stress.exists();
  const auto multiplier = [&](int index) {
    const auto row = set.find_row(index);
    there = there && row;
    if (!row) return 0.0;
    determined = determined && is_determined(set, dynamics, static_cast<size_t>(*row));
    shares = shares && (index != grip.normal || stress.determines[*row]);
    return multipliers[*row];
  };
  if (grip.contact >= 0 && grip.friction) {
    const Contact& contact = model_.contacts()[grip.contact];
    int undetermined = 0;
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const auto* row = set.rows[i].from<ContactRow>();
      if (row != nullptr && row->contact == grip.contact && !is_determined(set, dynamics, i))
        undetermined |= 1 << static_cast<int>(row->axis);
      if (row != nullptr && row->contact == grip.contact && row->axis == ContactAxis::normal)
        shares = shares && stress.determines[i];
    }
    there = set.is_there(contact) && Grip::holds(set.modes[grip.mode]);
    determined = is_force_determined(contact, undetermined);
    const Vector3& force = dynamics.reactions[grip.contact].own.force;
    squares = force.y * force.y + force.z * force.z;
    presses = force.x;
  } else {
    for (const int index : grip.rows) squares += std::pow(multiplier(index), 2);
    if (grip.friction) presses = multiplier(grip.normal);
  }
  demand.undetermined = there && !determined;
  demand.slips = follows(grip) && sticks(grip.law) && set.modes[grip.mode] != Grip::sticks &&
                 (grip.contact < 0 || set.is_there(model_.contacts()[grip.contact]));
  demand.shares = demand.undetermined && shares && grip.friction;
  if (!there || !(determined || demand.shares) || !grip.has_limit()) return demand;
  const double needed = std::sqrt(squares);
  const double has = grip.bearing ? compute_bearing_limit(set, dynamics.rows, grip, joints, true)
                                  : grip.holding_bound().value_or(grip.friction.value_or(0) * std::max(presses, 0.0));
  if (grip.bearing) {
    demand.part = needed <= round_off ? 0 : std::min(needed / std::max(has, 1e-300), kNoFactor);
    demand.reserve = needed <= round_off ? 1 : (has - needed) / (has + needed);
    return demand;
  }
  demand.part = grip.friction ? compute_friction_demand(needed, presses, round_off) : needed <= round_off ? 0 : needed / has;
  // What sticks is within its cone in some distribution. One that leaves its cone negligibly in the smallest is at its limit.
  if (demand.shares && follows(grip) && !demand.slips) demand.part = std::min(*demand.part, *grip.friction);
  demand.reserve = needed <= round_off ? 1 : grip.friction ? *grip.friction * presses - needed : 1 - std::pow(needed / has, 2);
  return demand;
}

Grips::Look Grips::make_look(Moment& moment) {
  Look look = looks_.take();
  look.t = moment.t();
  // A slip that has just begun, or is about to end, has no direction that would tell.
  look.split = moment.solution()->solution.friction_split;
  for (const Grip& grip : grips_) {
    const bool slides = look.split > 0 && is_slipping(moment.set().modes[grip.mode]) &&
                        (grip.contact < 0 || moment.set().is_there(model_.contacts()[grip.contact]));
    if (!slides) continue;
    // Known to still/|slip| as a direction, and no better is what hangs on it.
    const double speed = compute_slip_speed(grip, moment.solution()->rows);
    if (speed < 10 * kOnset * scale_of(grip) || look.split * speed < 100 * still(grip)) look.split = 0;
  }
  look.demands.clear();
  const NormalSelfStress& stress = self_stress_.of(moment.set(), moment.solution()->solution.analysis);
  const std::vector<Wrench> joints = joint_reactions(moment);
  for (const Grip& grip : grips_) look.demands.push_back(find_demand(moment, grip, joints, stress));
  return look;
}

// Of a moment with a solution; none where no bearing asks for them.
std::vector<Wrench> Grips::joint_reactions(Moment& moment) const {
  const auto asks = [&](const Grip& grip) { return grip.bearing && moment.set().find_row(grip.rows[0]).has_value(); };
  if (std::ranges::none_of(grips_, asks)) return {};
  const ConstrainedDynamics& dynamics = *moment.solution();
  return compute_joint_reactions(moment.set(), moment.state(), dynamics.rows, dynamics.solution, dynamics.forces,
                                 moment.workspace());
}

// Its reaction is not determined, and whether it holds a matter of all distributions.
bool Grips::is_open(const Grip& grip, const Demand& demand) const { return demand.undetermined && (grip.bound || grip.friction); }

// Of rows that are not determined, together: positive while some distribution holds.
double Grips::reserve_of_all(Moment& moment) const {
  const ConstrainedDynamics& dynamics = *moment.solution();
  constexpr double kClear = 0.99;  // a distribution that is at hand is within its bounds, and no program is asked
  if (const auto smallest = find_friction_of_smallest(moment.set(), dynamics); smallest && *smallest < kClear)
    return 1 - *smallest;
  const double reserve = find_reserve_of_distributions(moment.set(), dynamics);
  if (!follows_contacts()) return reserve;
  // Where ten times the friction would not be enough it is a push that is missing: what lifts off then is not a matter of grip.
  constexpr double kAnyFriction = 10;
  return reserve < 0 && find_reserve_of_distributions(moment.set(), dynamics, kAnyFriction) < 0 ? 1 : reserve;
}

// The slip along its own acceleration  D v' - gamma , of its rows, whether they are there or not.
double Grips::slip_on_acceleration(Moment& moment, const Grip& grip) {
  const ConstraintRows& rows = moment.solution()->rows;
  const auto& a = moment.solution()->dynamics.accelerations;
  const Eigen::Map<const Eigen::VectorXd> accelerations(a.data(), static_cast<Eigen::Index>(a.size()));
  const Scratch::Frame frame(scratch_);
  VectorMap row = scratch_.vector(accelerations.size());
  double sum = 0;
  for (const int index : grip.rows) {
    const RowAt& at = rows.all[index];
    compute_row(moment.set(), rows, at, {row.data(), a.size()});
    sum += at.rate * (row.dot(accelerations) - at.gamma);
  }
  return sum;
}

// R, or mu N; none where there is no bound.
std::optional<double> Grips::strength_of(Moment& moment, const Grip& grip) const {
  if (grip.bound || !grip.friction) return grip.bound;
  if (grip.contact >= 0) return *grip.friction * std::max(moment.solution()->reactions[grip.contact].own.force.x, 0.0);
  const auto row = moment.set().find_row(grip.normal);
  return row ? *grip.friction * std::max(moment.solution()->solution.multipliers[*row], 0.0) : 0;
}

// Held at an end of a dead zone or of a play by a force within (0, R) against the way out.
double Grips::guard_of_edge(Moment& moment, const Grip& grip, int mode) const {
  const auto row = moment.set().find_row(grip.rows[0]);
  const auto strength = strength_of(moment, grip);
  if (!row || !strength) return 1;
  const double force = (mode == Grip::front_edge ? -1 : 1) * moment.solution()->solution.multipliers[*row];
  if (!(*strength > 0)) return -1;
  return force / *strength * (1 - force / *strength);
}

// Positive while the present mode is right.
double Grips::follow_guard(Moment& moment, size_t index, const Demand& demand) {
  const Grip& grip = grips_[index];
  const ConstraintSet& set = moment.set();
  const int mode = set.modes[grip.mode];
  if (grip.contact >= 0 && !set.is_there(model_.contacts()[grip.contact])) return 1;
  if (mode == Grip::sticks && grip.law.kind == SlipLawKind::lag)
    return 1 - std::pow(relay_of_lag(moment, index) / grip.bound.value_or(1), 2);
  if (mode == Grip::sticks) return demand.reserve;
  if (is_smooth(grip.law)) return 1;
  const ConstraintRows& rows = moment.solution()->rows;
  if (!grip.is_single()) {
    // A slip that has just begun is a trace too, but grows.
    const double speed = compute_slip_speed(grip, rows);
    const bool grows = speed < kBackwards * still(grip) || slip_on_acceleration(moment, grip) > 0;
    return grows ? speed + still(grip) : speed - still(grip);
  }
  const double side = mode == Grip::backward ? -1 : 1, x = rows.all[grip.rows[0]].rate;
  switch (grip.law.kind) {
    case SlipLawKind::hysteresis: return side * x + grip.law.value;
    case SlipLawKind::dead_zone: {
      if (mode == Grip::free) return grip.law.value * grip.law.value - x * x;
      return Grip::holds(mode) ? guard_of_edge(moment, grip, mode) : side * x - grip.law.value;
    }
    case SlipLawKind::backlash: {
      const double play = moment.state().memory[model_.memories()[grip.memory].first];
      if (mode == Grip::free) return grip.law.value * grip.law.value - play * play;
      return Grip::holds(mode) ? guard_of_edge(moment, grip, mode) : side * x + kBackwards * still(grip);
    }
    case SlipLawKind::delay: return turns_due(grip).size() % 2 == 0 ? side * x : -side * x;
    case SlipLawKind::sign:
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan:
    case SlipLawKind::lag:
    case SlipLawKind::stribeck: break;
  }
  // An onset that was located a little too early would go back by less than this.
  return side * x + kBackwards * still(grip);
}

void Grips::evaluate_guards(Moment& moment, std::span<double> guards) {
  std::fill(guards.begin(), guards.end(), 1.0);
  if (moment.solution() == nullptr) return;
  const Look& look = looks_.add(make_look(moment));
  std::optional<double> together;
  for (size_t i = 0; i < grips_.size(); ++i) {
    const Demand& demand = look.demands[i];
    // The first of those that share a guard has it.
    shares_guard_[i] = is_open(grips_[i], demand) && (!follows(grips_[i]) || moment.set().modes[grips_[i].mode] == Grip::sticks);
    if (!shares_guard_[i])
      guards[2 * i] = std::max(follows(grips_[i]) ? follow_guard(moment, i, demand) : demand.reserve, -1e12);
    else if (!together)
      guards[2 * i] = *(together = reserve_of_all(moment));
    if (const auto turns = turns_due(grips_[i]); !turns.empty()) guards[2 * i + 1] = turns.front() - moment.t();
    if (headings_[i].size() > 0 && may_turn(grips_[i], moment.set().modes))
      guards[2 * i + 1] = compute_slip_along(grips_[i], moment.solution()->rows, headings_[i]);
  }
}

// It slips in several rows, by a law that has an end of slip.
bool Grips::may_turn(const Grip& grip, const std::vector<int>& modes) const {
  return follows(grip) && !grip.is_single() && sticks(grip.law) && !is_smooth(grip.law) && is_slipping(modes[grip.mode]);
}

void Grips::begin_above_zero(std::span<double> guards) const {
  for (size_t i = 0; i < guards.size(); ++i) {
    if (follows(grips_[i / 2])) guards[i] = std::max(guards[i], std::numeric_limits<double>::min());
  }
}

std::optional<Failure> Grips::begin(State& state, const Tell& tell) {
  if (!followed()) return std::nullopt;
  FrictionalChange change;
  change.still = still_;
  if (auto failure = system_->settle(state, change)) return failure;
  const auto rows = compute_row_values(system_->constraints(), state);
  if (!rows) return rows.failure();
  for (size_t i = 0; i < grips_.size(); ++i) {
    const bool moves = compute_slip_speed(grips_[i], *rows) > 0;
    if (!follows(grips_[i]) || is_smooth(grips_[i].law) || !is_slipping(state.modes[grips_[i].mode])) continue;
    if (!moves && sticks(grips_[i].law)) tell(grips_[i].occurrence(EventKind::slip));
    if (moves && sticks(grips_[i].law) && !watches_[i].first.happened()) {
      watches_[i].first.t = watches_[i].last = state.t;
      watches_[i].count = 1;
      watches_[i].began = Watch::Began::at_start;
    }
  }
  return std::nullopt;
}

Idealisation::Passed Grips::pass(int guard, double begin, double t, bool falls, const StateAt& state_at) {
  if (!falls) return {};
  const size_t index = static_cast<size_t>(guard / 2);
  if (guard % 2 == 1 && turns_due(grips_[index]).empty()) {  // it has turned by a quarter: is it through zero, or in a curve?
    const auto rows = compute_row_values(system_->constraints(), state_at(t));
    if (!rows || compute_slip_speed(grips_[index], *rows) > kThroughZero * still(grips_[index])) return {};
  }
  if (follows(grips_[index])) return {{}, t};
  (shares_guard_[index] ? least_first_ : watches_[index].first).take(t, t >= begin);
  return {};
}

std::optional<Failure> Grips::settle(State& state, const FrictionalChange& change, const Tell& tell) {
  const std::vector<int> before = system_->constraints().modes;
  if (auto failure = system_->settle(state, change)) return failure;
  for (Eigen::VectorXd& heading : headings_) heading.resize(0);
  tell_grips(model_, before, state.modes, tell);
  tell_one_sided(model_, before, state.modes, tell);
  return std::nullopt;
}

// Writes down what a law of slip remembers, in the state and where its force is computed.
void Grips::remember(const Grip& grip, std::span<const double> numbers, State& state) {
  std::copy(numbers.begin(), numbers.end(), state.memory.begin() + model_.memories()[grip.memory].first);
  system_->set_memory(state.memory);
}

// Of a delayed law: when its side will change.
std::span<const double> Grips::turns_due(const Grip& grip) const {
  if (!follows(grip) || grip.law.kind != SlipLawKind::delay) return {};
  const auto memory = system_->constraints().memory_of(grip);
  return memory.subspan(1, static_cast<size_t>(memory[0]));
}

std::optional<Failure> Grips::put_off_turn(const Grip& grip, State& state) {
  const auto due = turns_due(grip);
  if (due.size() == Memory::kMostTurns)
    return Failure{"VN-RUN-115",
                   fmt::format("the delayed law of {} has more than {} changes of side pending", grip.name, Memory::kMostTurns),
                   "use a shorter delay: the slip changes its sign many times within it"};
  std::vector<double> memory{static_cast<double>(due.size() + 1)};
  memory.insert(memory.end(), due.begin(), due.end());
  memory.push_back(state.t + grip.law.value);
  remember(grip, memory, state);
  return std::nullopt;
}

void Grips::take_turn(const Grip& grip, State& state) {
  const auto due = turns_due(grip);
  std::vector<double> memory{static_cast<double>(due.size() - 1)};
  memory.insert(memory.end(), due.begin() + 1, due.end());
  memory.push_back(0);  // the slot that is free again
  remember(grip, memory, state);
}

double Grips::now_of_lag(const Grip& grip, double t) const {
  const double force = system_->constraints().memory_of(grip)[0], since = system_->constraints().memory_of(grip)[1];
  const double end = (system_->constraints().modes[grip.mode] == Grip::backward ? 1 : -1) * grip.bound.value_or(0);
  return end + (force - end) * std::exp(-(t - since) / grip.law.value);
}

// A force f that lags, T f' + f = u with |u| ≤ R, keeps the slip at zero while f is the multiplier λ of its row: u = λ + T λ'.
double Grips::relay_of_lag(Moment& moment, size_t index) {
  const Grip& grip = grips_[index];
  const auto row = moment.set().find_row(grip.rows[0]);
  if (!row) return 0;
  const std::vector<double>& a = moment.solution()->dynamics.accelerations;
  const double step = 1e-3 * grip.law.value;
  const auto multiplier = [&](double dt) -> std::optional<double> {
    State& there = beside_;
    there = moment.state();
    const Scratch::Frame frame(scratch_);
    const std::span<double> dq = scratch_.numbers(there.v.size());
    for (size_t k = 0; k < dq.size(); ++k) dq[k] = dt * (there.v[k] + 0.5 * dt * a[k]);
    move_coordinates(model_, dq, there.q);
    for (size_t k = 0; k < dq.size(); ++k) there.v[k] += dt * a[k];
    there.t += dt;
    if (compute_contact_reactions(moment.set(), there, workspace_, &system_->sparse_constraints(), dynamics_beside_))
      return std::nullopt;
    return dynamics_beside_.solution.multipliers[*row];
  };
  const double now = moment.solution()->solution.multipliers[*row];
  const auto ahead = multiplier(step), behind = multiplier(-step);
  return ahead && behind ? now + grip.law.value * (*ahead - *behind) / (2 * step) : now;
}

// The swings of a force that lags become ever shorter, and their number is without end. Where it ends one with a force that is,
// but for kFaded of R, what keeps the slip at zero, the next has a slip of kFaded²/2 of R T/sigma, what R does in the time T, and
// later ones less: the slip is zero from there on, and the force what keeps it so, until that takes more than the relay has.
std::optional<Failure> Grips::decide_lag(size_t index, State& state, const Tell& tell) {
  constexpr double kFaded = 5e-3;
  const Grip& grip = grips_[index];
  std::vector<int> modes = system_->constraints().modes;
  const int mode = modes[grip.mode];
  const double force = now_of_lag(grip, state.t), bound = grip.bound.value_or(0);
  const auto choose = [&](int value) {
    modes[grip.mode] = value;
    system_->set_modes(modes);
    state.modes = modes;
    return system_->choose_rows(state);
  };
  if (mode != Grip::sticks) {
    if (auto failure = choose(Grip::sticks)) return failure;
  }
  const auto held = compute_contact_reactions(system_->constraints(), state, workspace_);
  if (!held) return held.failure();
  Moment moment(system_->constraints(), state, workspace_, *held);
  const auto row = system_->constraints().find_row(grip.rows[0]);
  const double needed = row ? held->solution.multipliers[*row] : force;
  const double relay = relay_of_lag(moment, index);
  if (mode == Grip::sticks) {
    if (auto failure = choose(relay > 0 ? Grip::backward : Grip::forward)) return failure;
    remember(grip, std::array{needed, state.t}, state);
    tell(grip.occurrence(EventKind::slip));
    return std::nullopt;
  }
  if (row && std::abs(force - needed) < kFaded * bound && std::abs(relay) < bound) {
    tell(grip.occurrence(EventKind::stick));
    return std::nullopt;
  }
  if (auto failure = choose(mode == Grip::backward ? Grip::forward : Grip::backward)) return failure;
  tell(grip.occurrence(EventKind::reverse));
  remember(grip, std::array{force, state.t}, state);
  return std::nullopt;
}

// A relay changes its side.
void Grips::turn(size_t index, int side, State& state, const Tell& tell) {
  std::vector<int> modes = system_->constraints().modes;
  modes[grips_[index].mode] = side;
  system_->set_modes(modes);
  state.modes = modes;
  tell(grips_[index].occurrence(EventKind::reverse));
}

// Where |slip| is a trace, and goes down to zero within the time it takes: the clock and the state go on by that.
std::optional<Failure> Grips::end_slip(size_t index, State& state, const Tell& tell) {
  const Grip& grip = grips_[index];
  FrictionalChange change;
  change.still = 4 * still_;
  if (!grip.is_single()) {
    const auto dynamics = compute_contact_reactions(system_->constraints(), state, workspace_);
    if (!dynamics) return dynamics.failure();
    Moment moment(system_->constraints(), state, workspace_, *dynamics);
    const double speed = compute_slip_speed(grip, dynamics->rows);
    const double rate = slip_on_acceleration(moment, grip) / speed;  // of |slip|
    const std::vector<double>& accelerations = dynamics->dynamics.accelerations;
    const double rest = rate < 0 ? speed / -rate : 0;
    const std::vector<double> v = state.v;
    for (size_t k = 0; k < state.v.size(); ++k) state.v[k] += rest * accelerations[k];
    std::vector<double> dq(v.size());
    for (size_t k = 0; k < v.size(); ++k) dq[k] = rest * (v[k] + state.v[k]) / 2;
    move_coordinates(model_, dq, state.q);
    state.t += rest;
  }
  return settle_or_reverse(index, state, change, tell);
}

// A slip of several rows has one mode, whichever way it goes.
std::optional<Failure> Grips::settle_or_reverse(size_t index, State& state, const FrictionalChange& change, const Tell& tell) {
  const Grip& grip = grips_[index];
  const bool slipped = may_turn(grip, system_->constraints().modes);
  if (auto failure = settle(state, change, tell)) return failure;
  if (slipped && may_turn(grip, state.modes)) tell(grip.occurrence(EventKind::reverse));
  return std::nullopt;
}

// At an end of a dead zone or of a play, from within or from outside: there the row is held, if a force within the bound can do
// it; it leaves the end to the side its force does not hold. What comes to the end of a play with a slip goes on with it, and the
// force acts from there.
std::optional<Failure> Grips::decide_at_edge(size_t index, State& state, const Tell& tell) {
  const Grip& grip = grips_[index];
  std::vector<int> modes = system_->constraints().modes;
  const int mode = modes[grip.mode];
  const auto rows = compute_row_values(system_->constraints(), state);
  if (!rows) return rows.failure();
  const double slip = rows->all[grip.rows[0]].rate;
  const bool has_play = grip.has_play();
  double* const play = has_play ? &state.memory[model_.memories()[grip.memory].first] : nullptr;
  const bool front = has_play && mode == Grip::free ? *play > 0
                     : has_play                     ? mode == Grip::forward || mode == Grip::front_edge
                                                    : slip > 0;
  const int out = front ? Grip::forward : Grip::backward;
  const auto choose = [&](int value) {
    modes[grip.mode] = value;
    system_->set_modes(modes);
    state.modes = modes;
  };
  if (has_play) *play = front ? grip.law.value : -grip.law.value;
  if (has_play && mode == Grip::free && std::abs(slip) > still(grip)) {
    choose(out);
    tell(grip.occurrence(EventKind::engage));
    return system_->choose_rows(state);
  }
  if (!Grip::holds(mode)) choose(front ? Grip::front_edge : Grip::back_edge);
  const auto held = compute_contact_reactions(system_->constraints(), state, workspace_);
  if (!held) return held.failure();
  Moment moment(system_->constraints(), state, workspace_, *held);
  const double force = held->solution.multipliers[*system_->constraints().find_row(grip.rows[0])] * (front ? -1 : 1);
  const double strength = strength_of(moment, grip).value_or(0);
  const bool stays = !Grip::holds(mode) && force >= 0 && force <= strength;
  if (!stays) choose(force < 0.5 * strength ? Grip::free : out);
  const bool turns = has_play && !stays && mode == out;  // it slipped, and goes back into the play
  tell(grip.occurrence(stays ? EventKind::stick : turns ? EventKind::reverse : EventKind::slip));
  return system_->choose_rows(state);
}

std::optional<Failure> Grips::decide(int guard, State& state, const Tell& tell) {
  const size_t index = static_cast<size_t>(guard / 2);
  const Grip& grip = grips_[index];
  const int mode = system_->constraints().modes[grip.mode];
  const int other = mode == Grip::backward ? Grip::forward : Grip::backward;
  if (guard % 2 == 1 && turns_due(grip).empty()) {  // through zero: it sticks there, or slips the other way
    FrictionalChange change;
    change.still = kThroughZero * still_;
    return settle_or_reverse(index, state, change, tell);
  }
  if (guard % 2 == 1) {  // a delayed change of side is due
    take_turn(grip, state);
    turn(index, other, state, tell);
    return std::nullopt;
  }
  if (mode == Grip::sticks && grip.law.kind != SlipLawKind::lag) {
    FrictionalChange change;
    change.still = still_;
    const auto dynamics = compute_contact_reactions(system_->constraints(), state, workspace_);
    if (!dynamics) return dynamics.failure();
    Moment moment(system_->constraints(), state, workspace_, *dynamics);
    change.gives_way = is_open(grip, find_demand(moment, grip, joint_reactions(moment), {}));
    if (!change.gives_way) change.slipping = guard / 2;
    const std::vector<int> before = state.modes;
    if (auto failure = settle(state, change, tell)) return failure;
    if (const double split = system_->choice_record().split; split > kSplits) {
      split_first_.take_if_none(state.t);
      if (split > split_) split_ = split, split_t_ = state.t;
    }
    for (size_t i = 0; change.gives_way && i < grips_.size(); ++i) {
      const int m = grips_[i].mode;
      if (watches_[i].count <= 1 && before[m] == Grip::sticks && state.modes[m] != Grip::sticks)
        watches_[i].began = Watch::Began::together;
    }
    return std::nullopt;
  }
  switch (grip.law.kind) {
    case SlipLawKind::delay: return put_off_turn(grip, state);
    case SlipLawKind::hysteresis: turn(index, other, state, tell); return std::nullopt;
    case SlipLawKind::lag: return decide_lag(index, state, tell);
    case SlipLawKind::dead_zone:
    case SlipLawKind::backlash: return decide_at_edge(index, state, tell);
    case SlipLawKind::sign:
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan:
    case SlipLawKind::stribeck: break;
  }
  return end_slip(index, state, tell);
}

void Grips::hear(const Occurrence& event) {
  if (event.element.kind != ElementKind::grip || !follows(grips_[event.element.index])) return;
  Watch& watch = watches_[event.element.index];
  if (event.kind == EventKind::slip) {
    watch.first.take_if_none(event.t);
    ++watch.count;
    watch.last = event.t;
  }
  if (event.kind == EventKind::stick) watch.regrips.take_if_none(event.t);
}

// Another one that sticks has passed its bound at this look, as where rows coincide for an instant and their reactions are
// without limit beside it: it slips from there on, and what this one would need beside it is not what it needs.
bool Grips::is_beyond_elsewhere(const Look& look, size_t index) const {
  constexpr double kOfOnset = 1e-6;  // of a bound: where the onset of a slip is located
  for (size_t i = 0; i < grips_.size(); ++i) {
    const std::optional<double>& part = look.demands[i].part;
    if (i != index && part && *part > (1 + kOfOnset) * (grips_[i].friction ? *grips_[i].friction : 1)) return true;
  }
  return false;
}

void Grips::add_to_watch(const Look& look, bool forward) {
  if (look.split > split_) split_ = look.split, split_t_ = look.t;
  if (look.split > kSplits) split_first_.take(look.t, forward);
  for (size_t i = 0; i < grips_.size(); ++i) {
    Watch& watch = watches_[i];
    const Demand& demand = look.demands[i];
    if (demand.shares) watch.shares = true;
    if (demand.undetermined && !demand.shares) watch.undetermined = true;
    if (demand.slips && !watch.first.happened()) {  // it landed so
      watch.first.t = watch.last = look.t;
      watch.count = 1;
      watch.began = has_looked_ ? Watch::Began::landing : Watch::Began::at_start;
    }
    if (!demand.part || (follows(grips_[i]) && is_beyond_elsewhere(look, i))) continue;
    if (is_record(*demand.part, watch.most)) watch.most = *demand.part, watch.most_t = look.t;
    // An excess beyond the errors of the run, beside the two forces that are compared.
    const double has = grips_[i].friction ? *grips_[i].friction : 1;
    if (!follows(grips_[i]) && *demand.part - has > 10 * tolerance_ * (*demand.part + has)) {
      (demand.shares ? watch.beyond : watch.first).take(look.t, forward);
    }
  }
  has_looked_ = true;
}

// A slip that begins with a touch-down is no event of its own.
void Grips::hear_use(std::span<const GripUse> uses, double t) {
  for (size_t i = 0; i < grips_.size(); ++i) {
    if (!follows(grips_[i])) continue;
    Watch& watch = watches_[i];
    if (uses[i].slips && !watch.first.happened()) {
      watch.first.t = watch.last = t;
      watch.count = 1;
      watch.began = Watch::Began::landing;
    }
    const double needed = uses[i].part * grips_[i].friction.value_or(1);
    if (uses[i].presses && needed > watch.most) watch.most = needed, watch.most_t = t;
  }
}

// A reserve is a part of a bound, or a force: beside the weight of the tree that the contact carries, for a light machine beside
// a heavy one is not judged by that.
double Grips::guard_scale(int guard) const {
  const Grip& grip = grips_[static_cast<size_t>(guard / 2)];
  if (!grip.friction) return 1;
  const Scales& scales = model_.scales();
  const double force =
      grip.contact >= 0 ? scales.acceleration * tree_masses_[model_.contacts()[grip.contact].body] : scales.force();
  return force * scales.length / scales_of(model_, grip.rows[0]).position;
}

void Grips::search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>&) {
  const auto demand = [](const Look& look, int i) {
    return look.demands[i].part == kNoFactor ? std::nullopt : look.demands[i].part;
  };
  looks_.find_peaks(
      values, t0, t1, static_cast<int>(grips_.size()), [&](int i) { return watches_[i].most; }, demand, look_at);
}

void Grips::count_looks(double begin, double end, const LookAt&, const StateAt&) {
  looks_.count(begin, end, [&](const Look& look) { add_to_watch(look, end >= begin); });
}

void Grips::look_at_end(Moment& moment, bool forward) {
  if (grips_.empty() || moment.solution() == nullptr) return;
  for (size_t i = 0; i < grips_.size(); ++i) {
    const bool is_there = grips_[i].contact < 0 || moment.set().is_there(model_.contacts()[grips_[i].contact]);
    if (!is_there || !may_turn(grips_[i], moment.set().modes)) {
      headings_[i].resize(0);
      continue;
    }
    // A step may end where the slip is a trace: it goes on as it came.
    const ConstraintRows& rows = moment.solution()->rows;
    const double speed = compute_slip_speed(grips_[i], rows);
    if (!(speed > still(grips_[i]))) continue;
    headings_[i].resize(static_cast<Eigen::Index>(grips_[i].rows.size()));
    for (size_t k = 0; k < grips_[i].rows.size(); ++k)
      headings_[i][static_cast<Eigen::Index>(k)] = rows.all[grips_[i].rows[k]].rate / speed;
  }
  Look look = make_look(moment);
  add_to_watch(look, forward);
  bool any = false;
  for (size_t i = 0; i < grips_.size(); ++i) any = any || is_open(grips_[i], look.demands[i]);
  looks_.give_back(std::move(look));
  if (!any || least_ == kNoFactor || moment.solution()->rows.D.rows() == 0) return;
  const double least = find_least_friction(moment.set(), *moment.solution(), least_).value_or(kNoFactor);
  if (least > least_) least_ = least, least_t_ = moment.t();
  if (least > 1) least_first_.take_if_none(moment.t());
  note_mechanism(moment);
}

// Judged on redundant supports beyond what any distribution holds: which contacts would slip?
void Grips::note_mechanism(Moment& moment) {
  const auto is_asked = [](const Watch& watch) { return watch.shares && !watch.moves.happened(); };
  if (follows_contacts() || !least_first_.happened() || std::ranges::none_of(watches_, is_asked)) return;
  constexpr double kPivot = 1e-6;
  const bool is_first = std::ranges::none_of(watches_, [](const Watch& watch) { return watch.moves.happened(); });
  const std::vector<double> motion = find_slipping_mechanism(moment.set(), *moment.solution());
  for (size_t i = 0; i < grips_.size(); ++i) {
    if (watches_[i].shares && motion[i] > kPivot) watches_[i].moves.take_if_none(is_first ? *least_first_.t : moment.t());
  }
}

void Grips::list_events(std::vector<Occurrence>& events) const {
  for (const Grip& grip : grips_) {
    if (!follows(grip) || is_smooth(grip.law)) continue;
    for (const EventKind kind : {EventKind::slip, EventKind::stick, EventKind::reverse}) events.push_back(grip.occurrence(kind));
    if (grip.has_play()) events.push_back(grip.occurrence(EventKind::engage));
  }
}

std::vector<double> Grips::memory() const {
  std::vector<double> numbers;
  for (size_t i = 0; i < grips_.size(); ++i) {
    const Watch& w = watches_[i];
    w.first.add_to(numbers);
    w.regrips.add_to(numbers);
    w.beyond.add_to(numbers);
    w.moves.add_to(numbers);
    numbers.insert(numbers.end(), {w.most, w.most_t, w.last, w.count, w.undetermined ? 1.0 : 0.0, static_cast<double>(w.began),
                                   w.shares ? 1.0 : 0.0});
  }
  for (const Eigen::VectorXd& heading : headings_) {
    numbers.push_back(static_cast<double>(heading.size()));
    numbers.insert(numbers.end(), heading.begin(), heading.end());
  }
  least_first_.add_to(numbers);
  split_first_.add_to(numbers);
  numbers.insert(numbers.end(), {least_, least_t_, split_, split_t_});
  if (followed()) {
    const std::vector<double>& memory = system_->constraints().memory;
    numbers.insert(numbers.end(), memory.begin(), memory.end());
  }
  return numbers;
}

bool Grips::restore(std::span<const double> n) {
  has_looked_ = true;
  constexpr size_t kOfTime = FirstTime::kNumbers, kNumbers = 4 * kOfTime + 7;
  for (size_t i = 0; i < grips_.size(); ++i) {
    if (n.size() < kNumbers) return false;
    Watch& watch = watches_[i];
    watch.first = FirstTime::from_numbers(n.first<kOfTime>());
    watch.regrips = FirstTime::from_numbers(n.subspan<kOfTime, kOfTime>());
    watch.beyond = FirstTime::from_numbers(n.subspan<2 * kOfTime, kOfTime>());
    watch.moves = FirstTime::from_numbers(n.subspan<3 * kOfTime, kOfTime>());
    const std::span<const double> rest = n.subspan(4 * kOfTime);
    watch.most = rest[0], watch.most_t = rest[1], watch.last = rest[2], watch.count = rest[3];
    watch.undetermined = rest[4] != 0, watch.began = static_cast<Watch::Began>(std::clamp(rest[5], 0.0, 3.0));
    watch.shares = rest[6] != 0;
    n = n.subspan(kNumbers);
  }
  for (size_t i = 0; i < headings_.size(); ++i) {
    const size_t rows = grips_[i].rows.size();
    if (n.empty() || !(n[0] == 0 || n[0] == static_cast<double>(rows))) return false;
    const size_t size = n[0] == 0 ? 0 : rows;
    if (n.size() < 1 + size) return false;
    headings_[i] = Eigen::Map<const Eigen::VectorXd>(n.data() + 1, static_cast<Eigen::Index>(size));
    n = n.subspan(1 + size);
  }
  if (n.size() != 2 * kOfTime + 4 + static_cast<size_t>(followed() ? model_.memory_size() : 0)) return false;
  least_first_ = FirstTime::from_numbers(n.first<kOfTime>());
  split_first_ = FirstTime::from_numbers(n.subspan<kOfTime, kOfTime>());
  n = n.subspan(2 * kOfTime);
  least_ = n[0], least_t_ = n[1], split_ = n[2], split_t_ = n[3];
  if (!followed()) return true;
  const std::vector<double> memory(n.begin() + 4, n.end());
  if (!model_.fits_memory(memory)) return false;
  system_->set_memory(memory);
  return true;
}

}  // namespace vinculum
