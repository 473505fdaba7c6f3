// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include <fmt/core.h>

#include "vinculum/constraints/projection.h"
#include "vinculum/realization/reactions.h"
#include "vinculum/realization/residual.h"

namespace vinculum {

namespace {

// The bound of a group under friction while it slides, whichever way: N = N0/(1 + mu C.e) lies above N0/(1 + mu |C|); and at the
// reactions themselves.
double least_friction(const SlipSystem& system, const SlipState& at, int index, const GroupDemand& demand) {
  const double mu = *system.rows().groups[index].friction, normal = demand.normal.value_or(0);
  const auto denominator = compute_sliding_denominator(system, at, index);
  const double reach = denominator ? 1 - denominator->least : 0;  // mu |C|
  // N0 = N - C.r, at least N - |C| |r|
  const double without = mu > 0 ? normal - reach / mu * demand.force : normal;
  return mu * std::max(0.0, std::min(normal, without / (1 + reach)));
}

void widen(double& largest, double value) { largest = std::max(largest, value); }
void narrow(WorstConstants::Excess& least, const WorstConstants::Excess& other) {
  if (other.value < least.value) least = other;
}

class Collector {
 public:
  explicit Collector(SlipSystem& system) : system_(system) {
    const size_t groups = system.rows().groups.size();
    worst_.rho1 = std::numeric_limits<double>::infinity();
    worst_.rbar.setZero(static_cast<Eigen::Index>(system.rows().realized.size()));
    worst_.group_force.assign(groups, 0);
    worst_.group_inertia.assign(groups, 0);
    worst_.group_bound.assign(groups, std::numeric_limits<double>::infinity());
    worst_.group_excess.assign(groups, {std::numeric_limits<double>::infinity(), 0, 0});
    worst_.damping = std::numeric_limits<double>::infinity();
    for (const SlipGroup& group : system.rows().groups) {
      const Eigen::VectorXd zero = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(group.row_bounds.size()));
      worst_.row_inertia.push_back(zero);
      worst_.row_force.push_back(zero);
      worst_.row_bound.push_back(zero);
      worst_.row_excess.emplace_back(group.row_bounds.size(), worst_.group_excess.front());
    }
  }

  // A at the state.
  Outcome<double> add(const State& state) {
    const auto projected = system_.project(state);
    if (!projected) return projected.failure();
    const auto at = system_.compute(*projected);
    if (!at) return at.failure();
    if (!at->is_regular()) {
      return Failure{"VN-REALIZE-007",
                     fmt::format("there is no certificate: constraints depend on each other at t = {:g} s, beginning with {}",
                                 state.t, at->dependent.empty() ? std::string("none") : system_.row_name(at->dependent.front())),
                     "leave one of them out with --rows, or merge them"};
    }
    const auto constants = compute_slip_constants(system_, *projected);
    if (!constants) return constants.failure();
    ++worst_.states;
    worst_.rho1 = std::min(worst_.rho1, constants->rho1);
    widen(worst_.rho2, constants->rho2);
    widen(worst_.A, constants->A);
    widen(worst_.B, constants->B);
    worst_.sampled = worst_.sampled || constants->sampled;
    worst_.rbar = worst_.rbar.cwiseMax(at->r.cwiseAbs());
    const std::vector<GroupDemand> demands = compute_demands(system_, *at);
    for (size_t i = 0; i < demands.size(); ++i) {
      const SlipGroup& group = system_.rows().groups[i];
      const Eigen::MatrixXd block = at->sigma(group.rows, group.rows);
      widen(worst_.group_force[i], demands[i].force);
      widen(worst_.group_inertia[i], find_singular_values(block).values[0]);
      double bound = group.bound.value_or(0);
      if (group.friction) bound = least_friction(system_, *at, static_cast<int>(i), demands[i]);
      worst_.group_bound[i] = std::min(worst_.group_bound[i], bound);
      narrow(worst_.group_excess[i], {bound - demands[i].force, state.t, bound});
      for (size_t k = 0; k < group.row_bounds.size(); ++k) {
        const Eigen::Index place = static_cast<Eigen::Index>(k);
        widen(worst_.row_inertia[i][place], block(place, place));
        widen(worst_.row_force[i][place], std::abs(at->r[group.rows[k]]));
        worst_.row_bound[i][place] = group.row_bounds[k].value_or(0);
        const double of_row = worst_.row_bound[i][place];
        narrow(worst_.row_excess[i][k], {of_row - std::abs(at->r[group.rows[k]]), state.t, of_row});
      }
    }
    worst_.damping = std::min(worst_.damping, find_damping(*at));
    return constants->A;
  }

  void widen_by(const WorstConstants& other) {
    widen_by_motion(worst_, other);
    for (size_t i = 0; i < worst_.group_force.size(); ++i) {
      worst_.group_bound[i] = std::min(worst_.group_bound[i], other.group_bound[i]);
      worst_.row_inertia[i] = worst_.row_inertia[i].cwiseMax(other.row_inertia[i]);
      worst_.row_force[i] = worst_.row_force[i].cwiseMax(other.row_force[i]);
      worst_.row_bound[i] = other.row_bound[i];
      narrow(worst_.group_excess[i], other.group_excess[i]);
      for (size_t k = 0; k < worst_.row_excess[i].size(); ++k) narrow(worst_.row_excess[i][k], other.row_excess[i][k]);
    }
    worst_.damping = std::min(worst_.damping, other.damping);
  }

  WorstConstants take() { return std::move(worst_); }

 private:
  // kappa of the groups' own viscous laws: sigma^-1/2 K sigma^-1/2 has the eigenvalues of K^1/2 W K^1/2.
  double find_damping(const SlipState& at) const {
    Eigen::VectorXd roots(at.W.rows());
    for (const SlipGroup& group : system_.rows().groups) {
      if (!group.law || group.law->kind != SlipLawKind::viscous) return 0;
      for (const int row : group.rows) roots[row] = std::sqrt(group.law->value);
    }
    return 2 * find_symmetric_eigenvalues(roots.asDiagonal() * at.W * roots.asDiagonal())[0];
  }

  SlipSystem& system_;
  WorstConstants worst_;
};

// The i-th of a sequence that fills (0, 1) evenly in one direction (Halton).
double radical_inverse(int index, int base) {
  double value = 0, scale = 1.0 / base;
  for (int i = index; i > 0; i /= base, scale /= base) value += scale * (i % base);
  return value;
}

int prime(int index) {
  int number = 2;
  for (int found = 0;; ++number) {
    bool divides = false;
    for (int d = 2; d * d <= number; ++d) divides = divides || number % d == 0;
    if (!divides && found++ == index) return number;
  }
}

}  // namespace

void widen_by_motion(WorstConstants& worst, const WorstConstants& other) {
  worst.states += other.states;
  worst.rho1 = std::min(worst.rho1, other.rho1);
  widen(worst.rho2, other.rho2);
  widen(worst.A, other.A);
  widen(worst.B, other.B);
  worst.sampled = worst.sampled || other.sampled;
  worst.rbar = worst.rbar.cwiseMax(other.rbar);
  for (size_t i = 0; i < worst.group_force.size(); ++i) {
    widen(worst.group_force[i], other.group_force[i]);
    widen(worst.group_inertia[i], other.group_inertia[i]);
  }
}

Outcome<WorstConstants> find_worst_constants(SlipSystem& system, std::span<const State> states) {
  Collector collector(system);
  for (const State& state : states) {
    if (const auto A = collector.add(state); !A) return A.failure();
  }
  return collector.take();
}

namespace {

// All that is worse the larger it is.
std::vector<double> list_quantities(const WorstConstants& worst) {
  std::vector<double> list{-worst.rho1, worst.rho2, worst.A, worst.B};
  const auto add = [&](const auto& values, double sign) {
    for (const double value : values) list.push_back(sign * value);
  };
  add(worst.rbar, 1);
  add(worst.group_force, 1);
  add(worst.group_inertia, 1);
  add(worst.group_bound, -1);
  for (const WorstConstants::Excess& excess : worst.group_excess) list.push_back(-excess.value);
  for (const Eigen::VectorXd& values : worst.row_inertia) add(values, 1);
  for (const Eigen::VectorXd& values : worst.row_force) add(values, 1);
  return list;
}

}  // namespace

Outcome<RefinedConstants> refine_worst_constants(SlipSystem& system, std::span<const State> states, int stride,
                                                 const AskStop& stop) {
  Collector uniform(system), refined(system);
  std::map<int, std::vector<double>> known;  // quantities by state
  std::optional<Failure> failure;
  const auto quantities = [&](int index) -> const std::vector<double>& {
    const auto [entry, is_new] = known.try_emplace(index);
    if (!is_new || failure) return entry->second;
    if (is_stopped(stop)) {
      failure = stopped_failure();
      return entry->second;
    }
    const auto at = find_worst_constants(system, states.subspan(static_cast<size_t>(index), 1));
    if (!at) {
      failure = at.failure();
      return entry->second;
    }
    refined.widen_by(*at);
    if (index % stride == 0) uniform.widen_by(*at);
    return entry->second = list_quantities(*at);
  };
  const int last = (static_cast<int>(states.size()) - 1) / stride * stride;
  for (int i = 0; i <= last; i += stride) quantities(i);
  const size_t count = failure ? 0 : known.begin()->second.size();
  for (size_t k = 0; k < count && !failure; ++k) {
    for (int i = 0; i <= last && !failure; i += stride) {
      // Where the state fails, or the search is stopped there, nothing is known of it.
      const auto value = [&](int index) {
        const std::vector<double>& known_there = quantities(std::clamp(index, 0, last));
        return failure ? 0.0 : known_there[k];
      };
      const double here = value(i), beside = std::max(value(i - stride), value(i + stride));
      if (failure || !(here > beside || ((i == 0 || i == last) && here >= beside))) continue;
      // Uphill by halved steps.
      int best = i;
      for (int step = stride / 2; step > 0 && !failure; step /= 2) {
        const int left = std::max(best - step, 0), right = std::min(best + step, last);
        if (value(left) > value(best)) best = left;
        if (!failure && value(right) > value(best)) best = right;
      }
    }
  }
  if (failure) return *failure;
  return RefinedConstants{uniform.take(), refined.take()};
}

Outcome<WorstConstants> search_tube(SlipSystem& system, std::span<const State> states, double width, int samples,
                                    const AskStop& stop) {
  Collector collector(system);
  const Eigen::Index n = static_cast<Eigen::Index>(states.front().v.size());
  Eigen::VectorXd fastest = Eigen::VectorXd::Zero(n);
  State worst_state = states.front();
  double worst_A = -std::numeric_limits<double>::infinity();
  const auto add = [&](const State& state) -> std::optional<Failure> {
    if (is_stopped(stop)) return stopped_failure();
    const auto A = collector.add(state);
    if (!A) return A.failure();
    if (*A > worst_A) worst_A = *A, worst_state = state;
    return std::nullopt;
  };
  for (const State& state : states) {
    for (Eigen::Index k = 0; k < n; ++k) widen(fastest[k], std::abs(state.v[static_cast<size_t>(k)]));
    if (const auto failure = add(state)) return *failure;
  }
  const double duration = std::abs(states.back().t - states.front().t);

  // A state beside one of the motion, brought back onto the permanent constraints that have a position; none where that fails.
  const auto beside = [&](const State& from, const Eigen::VectorXd& way, const Eigen::VectorXd& speed) -> std::optional<State> {
    State state = from;
    move_coordinates(system.model(), width * duration * fastest.cwiseProduct(way), state.q);
    for (Eigen::Index k = 0; k < n; ++k) state.v[static_cast<size_t>(k)] += width * fastest[k] * speed[k];
    auto kept = project_state(system.set(), state, system.workspace());
    return kept ? std::optional(kept->state) : std::nullopt;
  };
  for (int i = 1; i <= samples; ++i) {
    Eigen::VectorXd way(n), speed(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      way[k] = 2 * radical_inverse(i, prime(static_cast<int>(k))) - 1;
      speed[k] = 2 * radical_inverse(i, prime(static_cast<int>(n + k))) - 1;
    }
    const double place = radical_inverse(i, prime(static_cast<int>(2 * n)));
    const auto state = beside(states[static_cast<size_t>(place * static_cast<double>(states.size()))], way, speed);
    if (!state) continue;
    if (const auto failure = add(*state)) return *failure;
  }
  // Smaller and smaller steps from where A was largest, as long as they stay in a box of that width.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (double step = 0.5; step > 0.01; step *= 0.85) {
    Eigen::VectorXd way(n), speed(n);
    for (double& entry : way) entry = step * uniform(random);
    for (double& entry : speed) entry = step * uniform(random);
    const auto state = beside(worst_state, way, speed);
    if (!state) continue;
    if (const auto failure = add(*state)) return *failure;
  }
  WorstConstants worst = collector.take();
  for (size_t i = 0; i < worst.group_excess.size(); ++i) {
    worst.group_excess[i].value -= (kTubeSafety - 1) * worst.group_force[i];
    for (size_t k = 0; k < worst.row_excess[i].size(); ++k)
      worst.row_excess[i][k].value -= (kTubeSafety - 1) * worst.row_force[i][static_cast<Eigen::Index>(k)];
  }
  worst.damping /= kTubeSafety;
  worst.A *= kTubeSafety;
  worst.B *= kTubeSafety;
  worst.rho2 *= std::sqrt(kTubeSafety);
  worst.rho1 /= std::sqrt(kTubeSafety);
  worst.rbar *= kTubeSafety;
  for (double& force : worst.group_force) force *= kTubeSafety;
  for (double& inertia : worst.group_inertia) inertia *= kTubeSafety;
  for (Eigen::VectorXd& force : worst.row_force) force *= kTubeSafety;
  for (Eigen::VectorXd& inertia : worst.row_inertia) inertia *= kTubeSafety;
  return worst;
}

LawShortfall find_law_shortfall(const SlipLaw& law, bool is_single) {
  LawShortfall shortfall;
  switch (law.kind) {
    case SlipLawKind::sign: break;
    case SlipLawKind::stribeck: shortfall.part = std::min(1.0, law.ratio); break;
    case SlipLawKind::viscous: shortfall.viscous = true; break;
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan:
    case SlipLawKind::dead_zone:
    case SlipLawKind::hysteresis: shortfall.delta = *compute_residual(law, 1.0, 0, 1, 0).delta; break;
    case SlipLawKind::delay:
      shortfall.refused = "what a delayed force lacks depends on how fast the slip changes meanwhile";
      break;
    case SlipLawKind::lag: shortfall.refused = "what a force that lags lacks must be measured"; break;
    case SlipLawKind::backlash: shortfall.refused = "within its play there is no force at all"; break;
  }
  if (!is_single && (law.kind == SlipLawKind::dead_zone || law.kind == SlipLawKind::hysteresis))
    shortfall.refused = "a law with a memory or a dead zone supports one constraint only";
  return shortfall;
}

namespace {

// Where viscous forces leave the slip, in the end and until then: theorem 1, and section 5.2 where reactions are not zero.
void certify_viscous(const WorstConstants& worst, double s0, double kappa, double largest_reaction, Certificate& certificate) {
  certificate.rate = kappa - worst.A;
  const double rho = largest_reaction / worst.rho1;
  const SlipBand band = bound_viscous_band(worst.A, worst.B, kappa, rho);
  if (!band.inner) {
    certificate.not_certified =
        certificate.rate > 0
            ? fmt::format("the slip energy may grow: B = {:.4g} is too large for the reactions {:.4g}", worst.B, largest_reaction)
            : fmt::format("the viscous forces take slip energy away at the rate {:.4g} 1/s, not above A = {:.4g} 1/s", kappa,
                          worst.A);
    return;
  }
  certificate.band = band;
  certificate.slip_in_band = *band.inner / worst.rho1;
  if (band.outer && s0 >= *band.outer)
    certificate.not_certified = fmt::format(
        "the slip energy {:.4g} J of the start is not below {:.4g} J, from which these forces "
        "take it away",
        s0 * s0, *band.outer * *band.outer);
  else if (*band.inner > 0)
    certificate.t_band = bound_viscous_entry(worst.A, worst.B, kappa, rho, s0, (1 + kNearBand) * *band.inner);
}

}  // namespace

Certificate certify(const SlipSystem& system, WorstConstants worst, double s0, const std::optional<SlipLaw>& law) {
  Certificate certificate;
  certificate.s0 = s0;
  double eta = std::numeric_limits<double>::infinity(), c_sharp = eta, least_k = eta;
  bool bounded = true;
  size_t viscous = 0;
  const auto refuse = [&](std::string why) {
    if (certificate.not_certified.empty()) certificate.not_certified = std::move(why);
  };
  const auto take = [&](const std::string& name, const LawShortfall& shortfall, double bound, double force, double inertia,
                        const WorstConstants::Excess& excess) {
    if (!(bound > 0)) {
      bounded = false;
      refuse(fmt::format("{} has no bound, or no friction at t = {:.4g} s", name, excess.t));
    }
    // A lower branch is a part of the bound: what it has to spare is not known state by state.
    const double there = shortfall.part * bound, spare = shortfall.part < 1 ? there - force : excess.value;
    if (bound > 0 && spare <= 0) {
      refuse(shortfall.part < 1
                 ? fmt::format("the lower branch {:.4g} of the law of {} is not above its reaction {:.4g}: once it "
                               "slides it need not end",
                               there, name, force)
                 : fmt::format("the bound {:.4g} of {} is not above its reaction {:.4g} at t = {:.4g} s", excess.bound, name,
                               excess.bound - excess.value, excess.t));
    }
    eta = std::min(eta, spare);
    c_sharp = std::min(c_sharp, spare * std::sqrt(2 / inertia));
    certificate.delta += shortfall.delta * bound;
  };
  for (size_t i = 0; i < system.rows().groups.size(); ++i) {
    const SlipGroup& group = system.rows().groups[i];
    const SlipLaw of_group = law.value_or(group.law.value_or(SlipLaw{}));
    const bool by_rows = !group.row_bounds.empty();
    const LawShortfall shortfall = find_law_shortfall(of_group, by_rows || group.rows.size() == 1);
    if (shortfall.viscous) {
      ++viscous;
      least_k = std::min(least_k, of_group.value);
      continue;
    }
    if (!shortfall.refused.empty()) refuse(fmt::format("the law of {}: {}", group.name, shortfall.refused));
    if (shortfall.delta > 0 && group.friction)
      refuse(fmt::format("the law of {}: the power it lacks changes with the normal force", group.name));
    if (!by_rows) {
      take(group.name, shortfall, worst.group_bound[i], worst.group_force[i], worst.group_inertia[i], worst.group_excess[i]);
      continue;
    }
    for (size_t k = 0; k < group.rows.size(); ++k) {
      const Eigen::Index place = static_cast<Eigen::Index>(k);
      take(system.row_name(group.rows[k]), shortfall, worst.row_bound[i][place], worst.row_force[i][place],
           worst.row_inertia[i][place], worst.row_excess[i][k]);
    }
  }
  if (viscous > 0 && viscous == system.rows().groups.size()) {
    certify_viscous(worst, s0, law ? least_k / (worst.rho2 * worst.rho2) : worst.damping, worst.rbar.norm(), certificate);
  } else if (viscous > 0) {
    refuse("viscous forces beside others have no common bound");
  } else if (bounded) {
    certificate.eta = eta;
    certificate.c = eta / worst.rho2;
    certificate.c_sharp = c_sharp;
    certificate.bound = bound_reaching(worst.A, worst.B, *certificate.c, s0);
    certificate.sharp = bound_reaching(worst.A, worst.B, c_sharp, s0);
    const auto beyond = [&](double limit) {
      refuse(fmt::format("the slip energy {:.4g} J of the start is not below {:.4g} J, from which these bounds end a slip",
                         s0 * s0, limit * limit));
    };
    if (certificate.delta > 0 && certificate.not_certified.empty()) {
      certificate.band = bound_band(worst.A, worst.B, c_sharp, certificate.delta);
      const SlipBand& band = *certificate.band;
      if (!band.inner) {
        refuse("the power its law lacks is more than the bound has to spare");
      } else if (band.outer && s0 >= *band.outer) {
        beyond(*band.outer);
      } else {
        certificate.slip_in_band = *band.inner / worst.rho1;
        certificate.t_band = bound_entry(worst.A, worst.B, c_sharp, certificate.delta, s0, (1 + kNearBand) * *band.inner);
      }
    } else if (certificate.delta == 0 && !certificate.sharp.reaches) {
      beyond(certificate.sharp.s_star.value_or(0));
    }
    // A slip that creeps, or need not end, has no time in which it ends.
    if (certificate.delta > 0 || !certificate.not_certified.empty()) certificate.bound.t1 = certificate.sharp.t1 = std::nullopt;
  }
  certificate.worst = std::move(worst);
  return certificate;
}

std::optional<std::vector<double>> find_needed_bounds(const SlipSystem& system, const WorstConstants& worst, double s0,
                                                      double time, const std::optional<SlipLaw>& law) {
  constexpr double kAbove = 1e-6;  // a bound that only equals the reaction has nothing to spare: this is more than round-off
  const double c = find_excess(worst.A, worst.B, s0, time);
  std::vector<double> bounds;
  for (size_t i = 0; i < system.rows().groups.size(); ++i) {
    const SlipGroup& group = system.rows().groups[i];
    const LawShortfall shortfall = find_law_shortfall(law.value_or(group.law.value_or(SlipLaw{})), true);
    if (shortfall.viscous || shortfall.delta > 0 || !shortfall.refused.empty()) return std::nullopt;
    const double force = worst.group_force[i];
    bounds.push_back(std::max(force + c * std::sqrt(worst.group_inertia[i] / 2), (1 + kAbove) * force) / shortfall.part);
  }
  return bounds;
}

}  // namespace vinculum
