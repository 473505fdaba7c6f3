// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/integral_samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "vinculum/analysis/kink_sides.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/model/state.h"

namespace vinculum {

namespace {

using Kind = IntegralCandidate::Kind;

// How far to go from a state so that forces are others there: the model's length, or the distances between its bodies.
double find_extent(const Model& model, const State& state, Workspace& workspace) {
  const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
  std::vector<Vector3> centers;
  for (size_t i = 0; i < motions.size(); ++i) centers.push_back(motions[i].p_WB + motions[i].R_WB * model.bodies()[i].p_BoBcm_B);
  double extent = model.scales().length;
  for (const Vector3& center : centers) extent = std::max(extent, norm(center - centers.front()));
  return extent;
}

struct MovingState {
  State state;
  ForwardDynamics dynamics;
  double power = 0;  // E'
};

class StateSampler {
 public:
  StateSampler(const Model& model, const State& around)
      : model_(model),
        around_(around),
        set_(model, around),
        workspace_(model),
        length_(find_extent(model, around, workspace_)),
        own_sizes_(coordinate_scales(model, model.scales())) {
    for (const DrivenCoordinate& driven : model.driven()) driven_.push_back(driven.v);
    if (!set_.is_plain_tree()) spread_ = 0.25;
  }

  double length() const { return length_; }
  Workspace& workspace() { return workspace_; }

  // One beyond a kink, on a side that was not seen yet; none if there is none to be found.
  std::optional<MovingState> beyond(KinkSides& sides, int side) {
    std::vector<Way> ways;
    for (int i = 0; i < 12; ++i) ways.push_back(random_way());
    const auto found = sides.find(side, [&](int number, double s) { return along(ways[number], s); });
    if (!found) return std::nullopt;
    auto moving = move(*found);
    if (!moving || !(sides.depth(side, moving->state) > 0)) return std::nullopt;
    return std::move(*moving);
  }

  // The next state with a motion; the last failure if there are none to be found.
  Outcome<MovingState> next(const AskStop& stop) {
    constexpr int kTriesEach = 8;
    constexpr double kSmallest = 1. / 64;
    Outcome<MovingState> tried = try_one();
    for (int tries = 1; !tried && spread_ >= kSmallest && !is_stopped(stop); ++tries) {
      if (tries % kTriesEach == 0) spread_ /= 2;
      tried = try_one();
    }
    return tried;
  }

 private:
  double random() { return 2 * static_cast<double>(generator_()) / static_cast<double>(generator_.max()) - 1; }

  // Away from the given state: by a time, a change of coordinates, and with velocities.
  struct Way {
    double time;
    Eigen::VectorXd turned;
    std::vector<double> v;
    std::vector<double> extra{};  // of each coordinate that moves no body
  };
  Way random_way() {
    constexpr double kTimes = 10;  // of the model's own time
    const Scales& scales = model_.scales();
    Way way{kTimes * scales.time() * 0.5 * (1 + random()), Eigen::VectorXd(model_.tree().velocities), around_.v};
    for (const Link& link : model_.tree().links) {
      const int count = velocity_count(link.kind);
      for (int k = 0; k < count; ++k) {
        const bool slides = k < traits_of(link.kind).lengths;
        way.turned[link.v + k] = spread_ * random() * (slides ? length_ : std::numbers::pi);
        way.v[link.v + k] = random() * (slides ? scales.velocity : scales.angular_velocity());
      }
    }
    // An input may have any value of its range, a state any that its rate leads to: what holds at one value alone is no integral.
    for (const ExtraState& state : model_.extra_states()) {
      const double here = around_.q[state.q], size = std::max(std::abs(here), own_sizes_[state.q]);
      const auto input = std::ranges::find(model_.inputs(), state.q, &Input::q);
      double there = here + size * random();
      if (input != model_.inputs().end() && input->range) {
        const auto [low, high] = *input->range;
        there = low + 0.5 * (1 + random()) * (high - low);
      }
      way.extra.push_back(spread_ * (there - here));
    }
    return way;
  }

  State random_state() { return along(random_way(), 1); }

  // A part s of the way.
  State along(const Way& way, double s) {
    State state = around_;
    state.t += s * way.time;
    for (size_t i = 0; i < state.v.size(); ++i) state.v[i] = s * way.v[i];
    move_coordinates(model_, s * way.turned, state.q);
    for (size_t i = 0; i < way.extra.size(); ++i) state.q[model_.extra_states()[i].q] += s * way.extra[i];
    for (const Input& input : model_.inputs()) {  // never beyond its range, however far the way goes
      if (input.range) state.q[input.q] = std::clamp(state.q[input.q], (*input.range)[0], (*input.range)[1]);
    }
    Bindings bindings;
    bindings.time = state.t;
    for (const DrivenCoordinate& driven : model_.driven()) {
      state.q[driven.q] = evaluate(driven.law, bindings, scratch_);
      state.v[driven.v] = evaluate(driven.rate, bindings, scratch_);
    }
    return state;
  }

  Outcome<MovingState> try_one() { return move(random_state()); }

  Outcome<MovingState> move(State state) {
    MovingState moving{std::move(state), {}, 0};
    if (set_.is_plain_tree()) {
      auto dynamics = compute_forward_dynamics(model_, moving.state, workspace_);
      if (!dynamics) return dynamics.failure();
      moving.dynamics = std::move(*dynamics);
      for (size_t i = 0; i < driven_.size(); ++i) moving.power += moving.dynamics.driving_forces[i] * moving.state.v[driven_[i]];
    } else {
      auto projection = project_state(set_, moving.state, workspace_, driven_);
      if (!projection) return projection.failure();
      moving.state = std::move(projection->state);
      auto dynamics = compute_constrained_dynamics(set_, moving.state, workspace_);
      if (!dynamics) return dynamics.failure();
      // The constraints do the work λ F of their given motions and no other: λ (D v - F) is what the projection left.
      const Eigen::VectorXd& multipliers = dynamics->solution.multipliers;
      const Eigen::Map<const Eigen::VectorXd> v(moving.state.v.data(), static_cast<Eigen::Index>(moving.state.v.size()));
      moving.power = dynamics->forces.forces.dot(v) + multipliers.dot(dynamics->rows.F);
      if (dynamics->forces.coupling.cols() > 0) moving.power += v.dot(dynamics->forces.coupling * multipliers);
      moving.dynamics = std::move(dynamics->dynamics);
    }
    moving.power += compute_energy(model_, moving.state, workspace_).power;
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(moving.dynamics.accelerations.begin(), moving.dynamics.accelerations.end(), finite) || !finite(moving.power))
      return Failure{"VN-RUN-003", "a law has no finite value at the states that were tried", ""};
    return moving;
  }

  const Model& model_;
  const State& around_;
  ConstraintSet set_;
  Workspace workspace_;
  double length_;
  std::vector<double> own_sizes_;  // of each coordinate
  std::vector<int> driven_;
  double spread_ = 1;
  std::mt19937 generator_{1};
  std::vector<double> scratch_;
};

// `about`: the mass centre, or the origin.
Vector3 part(const IntegralCandidate& candidate, const Wrench& about_origin, const Vector3& about) {
  if (candidate.kind == Kind::linear) return about_origin.force;
  if (candidate.kind == Kind::angular) return about_origin.moment;
  return about_origin.moment - cross(about, about_origin.force);
}

double component(const Vector3& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

}  // namespace

Outcome<IntegralSamples> sample_candidates(const Model& model, const State& around, IntegralCandidates& candidates, int count,
                                           const AskStop& stop) {
  const int C = candidates.size();
  StateSampler sampler(model, around);
  IntegralSamples samples;
  samples.random = count;
  std::vector<MovingState> states;
  KinkSides sides(model);
  for (int row = 0; row < count; ++row) {
    auto at = sampler.next(stop);
    if (is_stopped(stop)) return stopped_failure();
    if (!at)
      return Failure{"VN-INTEGRAL-002", "too few states of this model have a motion: " + at.failure().message, at.failure().hint};
    sides.see(at->state);
    states.push_back(std::move(*at));
  }
  for (int side = 0; side < sides.count(); ++side) {
    if (sides.is_seen(side)) continue;
    if (is_stopped(stop)) return stopped_failure();
    auto at = sampler.beyond(sides, side);
    if (!at) {
      samples.unseen.push_back(sides.describe(side));
      continue;
    }
    sides.see(at->state);
    samples.beyond.push_back(sides.describe(side));
    states.push_back(std::move(*at));
  }
  count = static_cast<int>(states.size());
  samples.values = samples.rates = samples.by_joint = samples.by_gravity = Eigen::MatrixXd::Zero(count, C);
  samples.size = samples.lever = Eigen::VectorXd::Zero(C);
  samples.times.resize(count);
  const bool momenta = std::ranges::any_of(candidates.list(), [](const auto& one) { return one.kind == Kind::generalized; });
  Eigen::VectorXd inertia = Eigen::VectorXd::Zero(model.tree().velocities);  // largest A_kk
  double moving = 0, changing = 0;                                           // vᵀ A v = 2 T and v'ᵀ A v', summed up
  std::vector<double> values(C), rates(C);

  for (int row = 0; row < count; ++row) {
    if (is_stopped(stop)) return stopped_failure();
    const MovingState* const at = &states[row];
    constexpr int kLookedAt = 3;
    if (row < kLookedAt || row >= samples.random) samples.looked_at.push_back(at->state);
    samples.times[row] = at->state.t;
    if (momenta) inertia = inertia.cwiseMax(compute_mass_matrix(model, at->state, sampler.workspace()).diagonal());
    State changed = at->state;
    changed.v = at->dynamics.accelerations;
    moving += 2 * compute_energy(model, at->state, sampler.workspace()).kinetic;
    changing += 2 * compute_energy(model, changed, sampler.workspace()).kinetic;

    candidates.compute_values(at->state, sampler.workspace(), values);
    candidates.compute_rates(at->state, at->dynamics.accelerations, rates);
    rates[0] = at->power;
    samples.values.row(row) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), C);
    samples.rates.row(row) = Eigen::Map<const Eigen::RowVectorXd>(rates.data(), C);

    // The balance of each subsystem: what its base does through its joint, and gravity at its mass centre.
    const std::vector<BodyMotion> motions = compute_body_motions(model, at->state, sampler.workspace());
    std::vector<Vector3> moments(model.bodies().size());  // Σ m r of all a body carries
    for (size_t i = model.bodies().size(); i-- > 0;) {
      const Body& body = model.bodies()[i];
      moments[i] += body.mass * (motions[i].p_WB + motions[i].R_WB * body.p_BoBcm_B);
      if (body.parent != kWorld) moments[body.parent] += moments[i];
    }
    for (int i = 1; i < C; ++i) {
      const IntegralCandidate& candidate = candidates.list()[i];
      if (candidate.kind == Kind::generalized) {
        samples.by_joint(row, i) = at->dynamics.joint_forces[candidate.index];
        continue;
      }
      const Subsystem& own = candidates.subsystem(candidate);
      const Vector3 pole = motions[own.body].p_WB, weight = own.mass * model.gravity();
      const Vector3 center = own.mass > 0 ? (1 / own.mass) * moments[own.body] : Vector3{};
      const Vector3 about = candidate.kind == Kind::pole ? pole : center;
      const Wrench& reaction = at->dynamics.reactions_W[own.body];
      const Wrench joint{reaction.force, reaction.moment + cross(pole, reaction.force)};
      samples.by_joint(row, i) = component(part(candidate, joint, about), candidate.index);
      const int linear = candidates.momentum_of(candidate);
      const Vector3 force{rates[linear], rates[linear + 1], rates[linear + 2]};
      if (candidate.kind != Kind::linear) samples.lever[i] = std::max(samples.lever[i], norm(center) * norm(force));
      samples.by_gravity(row, i) = component(part(candidate, {weight, cross(center, weight)}, about), candidate.index);
    }
  }

  // By Cauchy's inequality |P| ≤ √(m 2T), |p_k| ≤ √(A_kk 2T).
  const double speed = std::sqrt(moving / count);
  const double own_pace = 1 / model.scales().time();
  samples.pace = speed > 0 ? own_pace + std::sqrt(changing / moving) : own_pace;
  for (int i = 0; i < C; ++i) {
    const IntegralCandidate& candidate = candidates.list()[i];
    const bool generalized = candidate.kind == Kind::generalized;
    const bool is_momentum = candidate.root >= 0 || candidate.inner >= 0;
    const double mass = generalized ? inertia[candidate.index] : is_momentum ? candidates.subsystem(candidate).mass : 0;
    const bool turns = is_momentum && candidate.kind != Kind::linear;
    samples.size[i] = candidate.kind == Kind::energy ? speed * speed : std::sqrt(mass) * speed * (turns ? sampler.length() : 1);
  }
  for (const Eigen::MatrixXd* numbers : {&samples.values, &samples.rates, &samples.by_joint, &samples.by_gravity}) {
    if (!numbers->allFinite() || !samples.size.allFinite() || !std::isfinite(samples.pace))
      return Failure{"VN-INTEGRAL-002", "too few states of this model have a motion: momenta or energy overflow",
                     "the numbers of the model are too large, or too far apart"};
  }
  return samples;
}

}  // namespace vinculum
