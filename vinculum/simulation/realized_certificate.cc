// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/realized_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/core.h>

namespace vinculum {

namespace {

// Instants between two of the certificate at which extrema are looked for.
constexpr int kBetweenInstants = 16;

constexpr double kSlipIsRoundOff = 1e-12;  // of a start

void refuse_certificate(Certificate& certificate, const std::string& why) {
  if (certificate.not_certified.empty()) certificate.not_certified = why;
  certificate.bound.t1 = certificate.sharp.t1 = certificate.t_band = std::nullopt;
}

double find_least_excess(const WorstConstants& worst) {
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < worst.group_excess.size(); ++i) {
    if (worst.row_excess[i].empty()) least = std::min(least, worst.group_excess[i].value);
    for (const WorstConstants::Excess& excess : worst.row_excess[i]) least = std::min(least, excess.value);
  }
  return least;
}

}  // namespace

SlipEnd find_slip_end(const Realization& realization, const LawRun& law) {
  SlipEnd end;
  std::set<ElementId> slipping;  // grips of the model with forces
  for (const SlipGroup& group : realization.system.rows().groups) {
    if (!has_sticking(realization, group)) return end;
    for (const Grip& grip : law.model.grips()) {
      const Occurrence slip = grip.occurrence(EventKind::slip);
      const std::vector<int> rows = find_rows_of(realization, law, group, slip);
      if (std::ranges::any_of(rows, [&](int row) { return std::abs(realization.slip[row]) > kSlipIsRoundOff; }))
        slipping.insert(slip.element);
    }
  }
  if (slipping.empty()) end.reached = realization.start.t;
  for (const Occurrence& event : law.result.events) {
    if (event.element.kind != ElementKind::grip) continue;
    if (event.kind == EventKind::slip) {
      // What gives way at the first instant starts with a slip like the others.
      if (end.reached && event.t > realization.start.t) {
        end.slips_again = event.t;
        return end;
      }
      end.reached.reset();
      slipping.insert(event.element);
    }
    if (event.kind == EventKind::stick) slipping.erase(event.element);
    if (slipping.empty() && !end.reached) end.reached = event.t;
  }
  return end;
}

std::optional<double> find_entry_time(const LawRun& law, const SlipHistory& history, double slip) {
  for (size_t i = history.slip.size(); i-- > 0;) {
    if (history.slip[i].norm() <= slip) continue;
    return i + 1 < history.slip.size() ? std::optional(law.samples[i + 1].t) : std::nullopt;
  }
  return law.samples.front().t;
}

namespace {

// At equal times: of the motion without slip, and of the one with forces up to `until`.
std::vector<State> list_ideal_states(const SampledMotion& motion, int count) {
  std::vector<State> states;
  for (int i = 0; i < count; ++i) states.push_back(motion.at(motion.begin() + (motion.end() - motion.begin()) * i / (count - 1)));
  return states;
}
Outcome<std::vector<State>> list_law_states(const Realization& realization, double until, MotionOptions options, int count) {
  options.samples = count;
  options.until = until;
  auto law = run_law(realization, options);
  if (!law) return law.failure();
  // Events have samples of their own.
  const double begin = realization.start.t, step = (until - begin) / (count - 1);
  std::vector<State> states;
  for (State& state : law->samples) {
    const double place = (state.t - begin) / step;
    if (std::abs(place - std::round(place)) < 1e-6) states.push_back(std::move(state));
  }
  return states;
}

int count_states(int instants) { return (instants - 1) * kBetweenInstants + 1; }

}  // namespace

Outcome<std::vector<State>> list_certificate_states(const Realization& realization, const SampledRun& ideal, bool by_law,
                                                    double until, const MotionOptions& options, int instants) {
  if (by_law) return list_law_states(realization, until, options, instants);
  return list_ideal_states(ideal.motion, instants);
}

Outcome<MotionCertificate> certify_motion(const Realization& realization, const SampledRun& ideal, const LawRun* law,
                                          const MotionOptions& options, int instants) {
  SlipSystem& system = realization.system;
  const double s0 = std::sqrt(realization.slip_energy);
  const auto constants = [&](double until) -> Outcome<RefinedConstants> {
    const auto states = list_certificate_states(realization, ideal, law != nullptr, until, options, count_states(instants));
    if (!states) return states.failure();
    return refine_worst_constants(system, *states, kBetweenInstants, options.stop);
  };
  MotionCertificate certificate;
  certificate.instants = instants;
  certificate.begin = realization.start.t;
  certificate.end = options.until;
  if (law != nullptr) certificate.slip = find_slip_end(realization, *law);
  const auto whole = constants(options.until);
  if (!whole) return whole.failure();
  certificate.whole = whole->refined;
  certificate.least_excess = find_least_excess(whole->refined);

  // Once the slip is gone, forces above the reactions are all it takes.
  const SlipEnd& end = certificate.slip;
  const std::string later = certify(system, whole->refined, 0, realization.law).not_certified;
  if (end.reached && *end.reached > realization.start.t && !end.slips_again && later.empty()) {
    const auto reach = constants(*end.reached);
    if (!reach) return reach.failure();
    certificate.end = *end.reached;
    certificate.uniform = certify(system, reach->uniform, s0, realization.law);
    certificate.refined = certify(system, reach->refined, s0, realization.law);
  } else {
    certificate.uniform = certify(system, whole->uniform, s0, realization.law);
    certificate.refined = certify(system, whole->refined, s0, realization.law);
    if (end.slips_again) {
      refuse_certificate(certificate.refined, fmt::format("it slips again at t = {:.4g} s", *end.slips_again));
    }
  }
  if (!certificate.refined.not_certified.empty()) refuse_certificate(certificate.uniform, certificate.refined.not_certified);
  return certificate;
}

Outcome<SufficientBounds> find_sufficient_bounds(const Realization& realization, const WorstConstants& whole, double time,
                                                 const MotionOptions& options, int instants) {
  constexpr int kMostTrials = 8;
  const Model& model = realization.model();
  const double s0 = std::sqrt(realization.slip_energy);
  WorstConstants worst = whole;
  SufficientBounds found;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    // So much before the time asked for, of it, that round-off does not decide whether it was kept; and each motion that took
    // longer than its constants promised is asked for a shorter time.
    constexpr double kBefore = 1e-9, kShorter = 0.02;
    const auto bounds =
        find_needed_bounds(realization.system, worst, s0, time * (1 - kBefore - kShorter * trial), realization.law);
    if (!bounds) return SufficientBounds{};
    found = {*bounds, false, {}, {}, ""};
    SlipRows rows = realization.system.rows();
    for (size_t i = 0; i < bounds->size(); ++i) {
      if (auto failure = set_bound(model, rows, rows.groups[i].name, (*bounds)[i])) return *failure;
    }
    SlipSystem system(model, std::move(rows));
    const Realization with_bounds{system,           realization.start,       realization.projected, realization.at,
                                  realization.slip, realization.slip_energy, realization.law};
    const auto law = run_law(with_bounds, options);
    if (!law && is_stopped(options.stop)) return law.failure();
    if (!law) {
      found.why = law.failure().message;
      return found;
    }
    const auto states = list_law_states(with_bounds, options.until, options, count_states(instants));
    if (!states) return states.failure();
    const auto constants = refine_worst_constants(system, *states, kBetweenInstants, options.stop);
    if (!constants) return constants.failure();
    const Certificate certificate = certify(system, constants->refined, s0, realization.law);
    const SlipEnd end = find_slip_end(with_bounds, *law);
    found.reached = end.reached;
    found.t1_sharp = certificate.sharp.t1;
    if (end.slips_again)
      found.why = fmt::format("it slips again at t = {:.4g} s", *end.slips_again);
    else if (!end.reached || *end.reached - realization.start.t > time)
      found.why = "the slip does not end in that time";
    else if (!certificate.not_certified.empty())
      found.why = certificate.not_certified;
    else if (*certificate.sharp.t1 > time)
      found.why = fmt::format("along that motion the slip is certified to end after {:.4g} s only", *certificate.sharp.t1);
    found.sufficient = found.why.empty();
    if (found.sufficient) return found;
    widen_by_motion(worst, constants->refined);
  }
  return found;
}

}  // namespace vinculum
