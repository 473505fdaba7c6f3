// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/realized_motion.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/slip_force.h"
#include "vinculum/decision/impact.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/math/find_zero.h"

namespace vinculum {

namespace {

State in_usual_modes(State state) {
  state.modes.clear();
  return state;
}

RunOptions run_options(const MotionOptions& options) {
  RunOptions run;
  run.until = options.until;
  run.tolerance = options.tolerance;
  return run;
}

// A state of another model of the same bodies: of its modes, what strings do.
State with_modes_of(const Model& model, const Model& other, State state) {
  const std::vector<int> found = std::move(state.modes);
  state.modes = model.usual_modes();
  for (const OneSided& element : model.one_sided()) {
    if (!element.always_followed) continue;
    for (size_t i = 0; i < found.size(); ++i) {
      if (other.modes()[i].name == model.modes()[element.mode].name) state.modes[element.mode] = found[i];
    }
  }
  return state;
}

double largest_difference(const State& a, const State& b) {
  double largest = 0;
  for (size_t i = 0; i < a.q.size(); ++i) largest = std::max(largest, std::abs(a.q[i] - b.q[i]));
  for (size_t i = 0; i < a.v.size(); ++i) largest = std::max(largest, std::abs(a.v[i] - b.v[i]));
  return largest;
}

// Where a slip is largest, between samples by the cubic through values and rates.
std::vector<SlipEvent> find_extrema(const Realization& realization, const LawRun& law, const SlipHistory& history) {
  std::vector<SlipEvent> extrema;
  for (Eigen::Index row = 0; row < realization.slip.size(); ++row) {
    for (size_t i = 1; i < law.samples.size(); ++i) {
      const double r0 = history.rate[i - 1][row], r1 = history.rate[i][row];
      if (!((r0 > 0 && r1 < 0) || (r0 < 0 && r1 > 0))) continue;
      // p = s0 + h (r0 x + a x² + b x³) , x in (0, 1)
      const double h = law.samples[i].t - law.samples[i - 1].t, s0 = history.slip[i - 1][row];
      const double mean = (history.slip[i][row] - s0) / h, a = 3 * mean - 2 * r0 - r1, b = r0 + r1 - 2 * mean;
      const auto rate = [&](double x) { return r0 + x * (2 * a + 3 * b * x); };
      const double x = find_zero(rate, 0, r0, 1, r1);
      extrema.push_back({law.samples[i - 1].t + h * x, std::nullopt, realization.system.row_name(static_cast<int>(row)),
                         s0 + h * x * (r0 + x * (a + b * x))});
    }
  }
  return extrema;
}

}  // namespace

bool Realization::has_law() const {
  const auto& groups = system.rows().groups;
  return law || std::any_of(groups.begin(), groups.end(), [](const SlipGroup& group) { return group.is_bounded() || group.law; });
}

Outcome<Realization> begin_realization(SlipSystem& system, const State& state, const std::optional<SlipLaw>& law) {
  State there = state;
  ConstraintSet set(system.model());
  set.follow(false);
  if (const auto failure = hold_what_touches(set, there)) return *failure;
  there.modes = set.modes;
  // Positions must obey the constraints that have one; velocities are what this is about.
  const auto rows = compute_constraint_rows(set, there);
  if (!rows) return rows.failure();
  std::vector<RowResidual> residuals = list_residuals(set, *rows);
  for (RowResidual& residual : residuals) residual.velocity = 0;
  if (const auto failure = check_residuals(set, residuals, 1e-8)) return *failure;

  const auto start = system.project_permanent(there);
  if (!start) return start.failure();
  const auto slipping = system.compute(*start);
  if (!slipping) return slipping.failure();
  const auto projected = system.project(*start);
  if (!projected) return projected.failure();
  const auto at = system.compute(*projected);
  if (!at) return at.failure();
  const double slip_energy = slipping->slip_energy();
  if (!std::isfinite(slip_energy)) return beyond_all_numbers("the energy of the slip");
  return Realization{system, *start, *projected, *at, slipping->slip, slip_energy, law};
}

Outcome<SampledRun> run_without_slip(const Realization& realization, const MotionOptions& options) {
  const State start = in_usual_modes(realization.projected);
  auto run = run_sampled_to_its_end(realization.model(), start, run_options(options), options.samples, options.stop);
  if (!run && is_stopped(options.stop)) return run.failure();
  SampledRun ideal = run ? std::move(*run) : SampledRun{{}, SampledMotion(realization.model())};
  if (!run) {
    ideal.result.end = RunResult::End::failed;
    ideal.result.failure = run.failure();
    ideal.result.final = start;
  }
  if (ideal.motion.samples().empty()) {
    const Eigen::VectorXd a = realization.at.accelerations(realization.at.r);
    ideal.motion.add(realization.projected, std::vector<double>(a.begin(), a.end()));
  }
  return ideal;
}

Outcome<LawRun> run_law(const Realization& realization, const MotionOptions& options) {
  const SlipRows& rows = realization.system.rows();
  RunOptions run = run_options(options);
  const bool viscous = realization.law && realization.law->kind == SlipLawKind::viscous;
  if (!viscous) run.follow = Follow::frictional;
  auto model = viscous ? build_viscous(realization.model(), rows, realization.law->value)
                       : build_realized(realization.model(), rows, realization.law);
  if (!model) return model.failure();
  LawRun law{std::move(*model), {}, {}, {}};
  auto sampled = run_sampled(law.model, in_usual_modes(realization.start), run, options.samples, options.stop);
  if (!sampled) return sampled.failure();
  law.result = std::move(sampled->result);
  for (const State& state : sampled->motion.samples())
    law.samples.push_back(with_modes_of(realization.model(), law.model, state));
  law.accelerations = sampled->motion.accelerations();
  return law;
}

Outcome<Eigen::VectorXd> compute_slip(const Realization& realization, const State& state) {
  auto at = realization.system.compute(state);
  if (!at) return at.failure();
  return at->slip;
}

Outcome<ViscousSweep> sweep_viscous(const Realization& realization, const std::vector<double>& coefficients,
                                    const State& ideal_end, const MotionOptions& options) {
  ViscousSweep sweep;
  for (const double k : coefficients) {
    const auto model = build_viscous(realization.model(), realization.system.rows(), k);
    if (!model) return model.failure();
    const auto run = run_sampled(*model, in_usual_modes(realization.start), run_options(options), 2, options.stop);
    if (!run) return run.failure();
    const State end = with_modes_of(realization.model(), *model, run->result.final);
    const auto slip = compute_slip(realization, end);
    if (!slip) return slip.failure();
    sweep.points.push_back({k, largest_difference(end, ideal_end), *slip});
  }
  const size_t n = sweep.points.size();
  if (n < 2) return sweep;
  const ViscousSweep::Point &a = sweep.points[n - 2], &b = sweep.points[n - 1];
  if (a.error > 0 && b.error > 0 && a.coefficient != b.coefficient)
    sweep.slope = -std::log(b.error / a.error) / std::log(b.coefficient / a.coefficient);
  return sweep;
}

Deviation find_deviation(const Model& model, const std::vector<State>& ideal, const std::vector<State>& real) {
  Deviation worst;
  Workspace workspace(model);
  for (size_t i = 0; i < std::min(ideal.size(), real.size()); ++i) {
    const std::vector<BodyMotion> a = compute_body_motions(model, ideal[i], workspace),
                                  b = compute_body_motions(model, real[i], workspace);
    for (size_t k = 0; k < a.size(); ++k) {
      const double distance = norm(a[k].p_WB - b[k].p_WB);
      if (distance > worst.distance) worst = {distance, ideal[i].t, static_cast<int>(k)};
    }
  }
  return worst;
}

Outcome<SlipHistory> follow_slips(const Realization& realization, const LawRun& law) {
  SlipHistory history;
  history.distance.setZero(realization.slip.size());
  history.lifts = std::any_of(law.result.events.begin(), law.result.events.end(),
                              [](const Occurrence& event) { return event.kind == EventKind::lift_off; });
  double last_power = 0;
  for (size_t i = 0; i < law.samples.size(); ++i) {
    const auto at = realization.system.compute(law.samples[i]);
    if (!at) return at.failure();
    const Eigen::VectorXd a = Eigen::Map<const Eigen::VectorXd>(law.accelerations[i].data(), at->a0.size());
    const Eigen::VectorXd pushed = at->J * (a - at->a0);  // W R
    history.slip.push_back(at->slip);
    history.rate.push_back(at->b + pushed);
    const double power = -at->slip.dot(at->hold * pushed);
    if (i > 0) {
      const double step = law.samples[i].t - law.samples[i - 1].t;
      history.distance += 0.5 * step * (at->slip.cwiseAbs() + history.slip[i - 1].cwiseAbs());
      history.energy += 0.5 * step * (power + last_power);
    }
    last_power = power;
  }
  return history;
}

// The motion with forces has the constraints of the model in the order of the model.
std::vector<int> find_rows_of(const Realization& realization, const LawRun& law, const SlipGroup& group,
                              const Occurrence& event) {
  std::vector<int> rows;
  if (event.element.kind != ElementKind::grip) return rows;
  const std::vector<int>& slipping = law.model.grips()[event.element.index].rows;
  for (const int row : group.rows) {
    if (std::ranges::find(slipping, realization.system.rows().realized[row]) != slipping.end()) rows.push_back(row);
  }
  return rows;
}

bool is_of_slip(EventKind kind) {
  return kind == EventKind::slip || kind == EventKind::stick || kind == EventKind::reverse || kind == EventKind::engage;
}

std::vector<SlipEvent> list_slip_events(const Realization& realization, const LawRun& law, const SlipHistory& history) {
  std::vector<SlipEvent> events;
  const SlipRows& rows = realization.system.rows();
  const double least = 1e-9 * realization.system.model().scales().velocity;
  for (const Occurrence& event : law.result.events) {
    if (event.element.kind != ElementKind::grip || !is_of_slip(event.kind)) continue;
    SlipEvent told{event.t, event.kind, event.subject, 0};
    size_t next = 0;
    while (next + 1 < law.samples.size() && law.samples[next].t < event.t) ++next;
    for (const SlipGroup& group : rows.groups) {
      const std::vector<int> own = find_rows_of(realization, law, group, event);
      if (own.size() != 1 || event.kind != EventKind::stick) continue;
      const double slip = history.slip[next][own[0]];
      if (std::abs(slip) > least) told.slip = slip;
    }
    events.push_back(std::move(told));
  }
  const bool lags = realization.law ? realization.law->kind == SlipLawKind::lag
                                    : std::any_of(rows.groups.begin(), rows.groups.end(), [](const SlipGroup& group) {
                                        return group.law && group.law->kind == SlipLawKind::lag;
                                      });
  if (lags) {
    for (SlipEvent& extremum : find_extrema(realization, law, history)) events.push_back(std::move(extremum));
  }
  std::stable_sort(events.begin(), events.end(), [](const SlipEvent& a, const SlipEvent& b) { return a.t < b.t; });
  return events;
}

bool has_sticking(const Realization& realization, const SlipGroup& group) {
  return sticks(realization.law.value_or(group.law.value_or(SlipLaw{})));
}

namespace {

std::optional<double> find_first_slip(const Realization& realization, const LawRun& law, const SlipGroup& group) {
  for (const Occurrence& event : law.result.events) {
    if (event.kind == EventKind::slip && !find_rows_of(realization, law, group, event).empty()) return event.t;
  }
  return std::nullopt;
}

}  // namespace

namespace {

// "; its law has no sticking: it slips by 0.03 m/s at the end"
std::string describe_creep(const Realization& realization, const SlipGroup& group, const SlipHistory& slips) {
  const Eigen::VectorXd last = slips.slip.back()(group.rows);
  const Row& row = realization.model().rows()[realization.system.rows().realized[group.rows[0]]];
  return fmt::format("; its law never sticks: slip {:.3g}{} at the end", last.norm(), slip_unit(row));
}

}  // namespace

bool never_slips(const Realization& realization, const LawRun& law, const SlipGroup& group) {
  const double least = 1e-8 * realization.system.model().scales().velocity;
  const bool slips_at_start =
      std::any_of(group.rows.begin(), group.rows.end(), [&](int row) { return std::abs(realization.slip[row]) > least; });
  return has_sticking(realization, group) && !slips_at_start && !find_first_slip(realization, law, group) && !law.result.failure;
}

void judge_by_motion(const Realization& realization, const SampledRun& ideal, const LawRun& law, const SlipHistory& slips,
                     std::vector<Verdict>& verdicts) {
  const std::vector<SlipGroup>& groups = realization.system.rows().groups;
  const std::string ended =
      ideal.result.failure ? fmt::format("the motion without slip ends at t = {:.4g} s", ideal.result.final.t) : "";
  for (size_t i = 0; i < groups.size(); ++i) {
    Verdict& verdict = verdicts[i];
    if (!has_sticking(realization, groups[i])) {
      if (!slips.lifts) verdict.why += describe_creep(realization, groups[i], slips);
      continue;
    }
    const auto slip = find_first_slip(realization, law, groups[i]);
    if (slip && verdict.verdict == Holds::holds) {
      verdict.verdict = Holds::violated;
      verdict.margin.reset();
      verdict.first_violation = slip;
      verdict.why = ended.empty()
                        ? fmt::format("sticks while the others do ({}), but slips at t = {:.4g} s after another has slipped",
                                      verdict.why, *slip)
                        : fmt::format("{}; with these forces it slips at t = {:.4g} s", ended, *slip);
    } else if (slip && verdict.verdict == Holds::not_unique) {
      verdict.why += fmt::format("; simulated with these forces it slips at t = {:.4g} s", *slip);
    } else if (verdict.verdict == Holds::violated && never_slips(realization, law, groups[i])) {
      verdict.why += "; with these forces it does not slip, because other contacts slip or separate";
    } else if (!ended.empty() && verdict.verdict == Holds::holds) {
      // What it needs beyond that end is what the run with forces found.
      for (const Verdict& followed : law.result.verdicts) {
        if (followed.subject != groups[i].name && followed.subject != groups[i].name + ".friction") continue;
        verdict.verdict = followed.verdict;
        verdict.margin = followed.margin;
        verdict.first_violation = followed.first_violation;
        verdict.why =
            fmt::format("{}; {}{}", ended, followed.verdict == Holds::holds ? "with these forces it sticks to the end and " : "",
                        followed.why);
      }
    }
  }
}

}  // namespace vinculum
