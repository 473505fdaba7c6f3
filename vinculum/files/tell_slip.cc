// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/tell_slip.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/realization/residual.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

namespace {

Json by_row(const SlipSystem& system, const Eigen::VectorXd& values) {
  Json json = Json::object();
  for (Eigen::Index i = 0; i < values.size(); ++i) json[system.row_name(static_cast<int>(i))] = values[i];
  return json;
}

Json matrix(const Eigen::MatrixXd& values) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    list.push_back(Json::array());
    for (Eigen::Index j = 0; j < values.cols(); ++j) list.back().push_back(values(i, j));
  }
  return list;
}

// 0.4 mm, 3 cm, 1.2 m
std::string length_text(double length) {
  if (length < 1e-6) return fmt::format("{:.2g} m", length);
  if (length < 0.01) return fmt::format("{:.2g} mm", 1000 * length);
  if (length < 1) return fmt::format("{:.2g} cm", 100 * length);
  return fmt::format("{:.3g} m", length);
}

Json multipliers_json(const SlipSystem& system, const SlipState& at) {
  Json multipliers = Json::object();
  const Eigen::VectorXd all = system.multipliers(at, at.r);
  for (const Row& row : system.model().rows()) {
    if (system.set().find_row(row.index)) multipliers[row.name] = all[row.index];
  }
  return multipliers;
}

// The bound of one row at the state, the others kept.
std::optional<double> bound_of_row(const Realization& realization, int row) {
  const SlipRows& rows = realization.system.rows();
  const SlipGroup& group = rows.groups[rows.find_group(row)];
  if (group.bound) return group.bound;
  for (size_t i = 0; i < group.row_bounds.size(); ++i) {
    if (group.rows[i] == row) return group.row_bounds[i];
  }
  if (group.friction && group.pressed >= 0) return *group.friction * std::max(0.0, realization.at.pressed[group.pressed]);
  if (!group.friction || group.normal < 0) return std::nullopt;
  return *group.friction * std::max(0.0, realization.system.multipliers(realization.at, realization.at.r)[group.normal]);
}

}  // namespace

Telling tell_rows(const Realization& realization) {
  const Model& model = realization.model();
  const SlipSystem& system = realization.system;
  const SlipState& at = realization.at;
  Telling telling;
  Json& json = telling.json;
  Json names = Json::array(), dependent = Json::array();
  for (size_t i = 0; i < system.rows().realized.size(); ++i) names.push_back(system.row_name(static_cast<int>(i)));
  for (const int row : at.dependent) dependent.push_back(system.row_name(row));
  json["rows"] = names;
  json["rank"] = at.rank;
  json["dependent"] = dependent;
  json["slip"] = by_row(system, realization.slip);
  json["slip_energy"] = realization.slip_energy;
  json["projected"] = named(model.velocity_names(), realization.projected.v);
  json["multipliers"] = multipliers_json(system, at);
  const Eigen::VectorXd accelerations = at.accelerations(at.r);
  json["accelerations"] = named(model.velocity_names(), {accelerations.data(), static_cast<size_t>(accelerations.size())});
  json["slip_inertia"] = at.is_regular() ? matrix(at.sigma) : Json();

  auto& lines = telling.lines;
  lines.push_back(fmt::format("{} constraint{} realized by forces, rank {}; {} permanent", names.size(),
                              names.size() == 1 ? "" : "s", at.rank, at.Jp.rows()));
  lines.emplace_back("  constraint       slip at the start      reaction without slip");
  for (size_t i = 0; i < system.rows().realized.size(); ++i) {
    const Row& row = model.rows()[system.rows().realized[i]];
    lines.push_back(fmt::format("  {:<16} {:>13.6g}{:<7} {:>14.6g} {}", row.name, realization.slip[static_cast<Eigen::Index>(i)],
                                slip_unit(row), at.r[static_cast<Eigen::Index>(i)] + 0.0, row.unit));
  }
  if (!at.dependent.empty()) {
    std::string list;
    for (const int row : at.dependent) list += (list.empty() ? "" : ", ") + system.row_name(row);
    const char* on = at.Jp.rows() == 0          ? "depend on each other"
                     : at.dependent.size() == 1 ? "depends on permanent constraints"
                                                : "depend on each other, or on permanent constraints";
    lines.push_back(
        fmt::format("  {} {}: these reactions are not unique, and the smallest are given; leave one out with --rows", list, on));
  }
  if (realization.slip.norm() > 1e-9)
    lines.push_back(fmt::format("  the motion without slip starts from the nearest velocity without slip, with {:.6g} J less",
                                realization.slip_energy));
  return telling;
}

Telling tell_residuals(const Realization& realization, double A) {
  const SlipRows& rows = realization.system.rows();
  Telling telling;
  Json json = Json::object();
  for (int i = 0; i < static_cast<int>(rows.realized.size()); ++i) {
    const SlipGroup& group = rows.groups[rows.find_group(i)];
    const auto bound = bound_of_row(realization, i);
    const auto law = realization.law ? realization.law : group.law ? group.law : bound ? std::optional(SlipLaw{}) : std::nullopt;
    if (!law) continue;
    const SlipResidual residual =
        compute_residual(*law, bound, realization.at.r[i], realization.at.sigma(i, i), std::max(A, 0.0));
    const std::string& name = realization.system.row_name(i);
    json[name] = {{"creep", number_or_null(residual.creep)},
                  {"band", residual.band ? Json(*residual.band) : Json()},
                  {"period", number_or_null(residual.period)},
                  {"delta", number_or_null(residual.delta)}};
    const Row& row = realization.model().rows()[rows.realized[i]];
    std::string line = fmt::format("  {:<16} {:<11}", name, law_word(law->kind));
    line += residual.creep ? fmt::format(" creeps at {:.6g}{}", *residual.creep, slip_unit(row))
                           : " keeps slipping: the reaction exceeds the bound";
    if (residual.band)
      line += fmt::format(", slip stays in [{:.6g}, {:.6g}]{}", (*residual.band)[0], (*residual.band)[1], slip_unit(row));
    if (residual.period) line += fmt::format(", in cycles of {:.6g} s", *residual.period);
    if (json.size() == 1) telling.lines.emplace_back("\nslip of each constraint under the law and the reaction at this instant");
    telling.lines.push_back(line);
  }
  if (!json.empty()) telling.json["residual"] = json;
  return telling;
}

Telling tell_servo(const Realization& realization, const std::vector<std::string>& inputs, const Servo& servo) {
  Telling telling;
  Json control = Json::object(), reversed = Json::array();
  telling.lines.emplace_back("\nconstraints kept by other inputs");
  for (size_t j = 0; j < inputs.size(); ++j) {
    const double value = servo.control[static_cast<Eigen::Index>(j)];
    control[inputs[j]] = value;
    if (servo.reversed[j]) reversed.push_back(inputs[j]);
    telling.lines.push_back(fmt::format("  {:<16} {:>14.9g}{}", inputs[j], value,
                                        servo.reversed[j] ? "   acts opposite to the sign of its constraint" : ""));
  }
  telling.lines.push_back(fmt::format("  their generalised force is {:.6g} times the smallest sufficient one", servo.price));
  Json& json = telling.json["servo"];
  json["inputs"] = inputs;
  json["matrix"] = matrix(servo.D);
  json["control"] = control;
  json["accelerations"] =
      named(realization.model().velocity_names(), {servo.accelerations.data(), static_cast<size_t>(servo.accelerations.size())});
  json["price"] = servo.price;
  json["reversed"] = reversed;
  return telling;
}

Telling tell_ideal(const Realization& realization, const SampledRun& ideal, const ReactionHistory& history,
                   const SlipState& end) {
  const SlipSystem& system = realization.system;
  Telling telling;
  Json peaks = Json::object(), friction = Json::object();
  telling.lines.push_back(fmt::format("\nthe motion without slip, to t = {:g} s", ideal.result.final.t));
  for (size_t i = 0; i < history.peaks.size(); ++i) {
    const Row& row = system.model().rows()[system.rows().realized[i]];
    peaks[row.name] = {{"value", history.peaks[i].value}, {"t", history.peaks[i].t}};
    telling.lines.push_back(fmt::format("  {:<16} needs at most {:.6g} {} at t = {:.6g} s", row.name, history.peaks[i].value,
                                        row.unit, history.peaks[i].t));
  }
  for (size_t i = 0; i < history.groups.size(); ++i) {
    const auto& peak = history.groups[i].required_friction;
    if (peak) friction[system.rows().groups[i].name] = {{"value", peak->value}, {"t", peak->t}};
  }
  Json& json = telling.json["ideal"];
  json["final"] = to_json(system.model(), ideal.result.final);
  json["multipliers"] = multipliers_json(system, end);
  json["peaks"] = peaks;
  json["required_friction"] = friction;
  json["power"] = {{"value", history.power.value}, {"t", history.power.t}};
  json["condition"] = {{"value", history.condition.value}, {"t", history.condition.t}};
  json["rank_lost"] = number_or_null(history.rank_lost);
  const auto& ended = ideal.result.failure;
  json["ended"] = ended ? Json{{"t", ideal.result.final.t}, {"code", ended->code}, {"why", ended->message}} : Json();
  if (ended)
    telling.lines.push_back(
        fmt::format("  it ends there, because of the constraints without slip: {} [{}]", ended->message, ended->code));
  if (history.rank_lost) {
    std::string names;
    for (const int row : history.lost_rows) names += (names.empty() ? "" : ", ") + system.row_name(row);
    telling.lines.push_back(fmt::format("  at t = {:.6g} s {} depend on each other: reactions near it have no largest value",
                                        *history.rank_lost, names));
  }
  for (const Occurrence& event : ideal.result.events) {
    if (event.kind == EventKind::slack || event.kind == EventKind::taut)
      telling.lines.push_back(fmt::format("  {} {} at t = {:.6g} s", event.subject,
                                          event.kind == EventKind::slack ? "goes slack" : "is taut", event.t));
  }
  const double power = history.power.value;
  if (std::abs(power) > 1e-9 * (1 + std::abs(end.r.norm())))
    telling.lines.push_back(
        fmt::format("  moving constraints do work: at most {:.6g} W at t = {:.6g} s", power, history.power.t));
  return telling;
}

Telling tell_realized(const Realization& realization, const LawRun& law, const SlipHistory& history, const Eigen::VectorXd& slip,
                      const Deviation& deviation) {
  Telling telling;
  Json events = Json::array();
  for (const SlipEvent& event : list_slip_events(realization, law, history))
    events.push_back(
        {{"t", event.t}, {"kind", event.kind ? to_text(*event.kind) : "extremum"}, {"name", event.name}, {"slip", event.slip}});
  const std::string& body = realization.model().bodies()[deviation.body].name;
  Json& json = telling.json["realized"];
  json["final"] = to_json(law.model, law.result.final);
  json["slip"] = by_row(realization.system, slip);
  json["events"] = events;
  // What lifts off neither slips nor rubs meanwhile.
  const bool lifts = history.lifts;
  json["slip_distance"] = lifts ? Json() : by_row(realization.system, history.distance);
  json["dissipated"] = lifts ? Json() : Json(history.energy);
  json["deviation"] = {{"distance", deviation.distance}, {"t", deviation.t}, {"body", body}};
  telling.lines.push_back(fmt::format("\nthe motion with these forces, to t = {:g} s", law.result.final.t));
  if (lifts) telling.lines.emplace_back("  a contact lifts off: slip distance and energy lost are not computed");
  for (size_t i = 0; !lifts && i < realization.system.rows().realized.size(); ++i) {
    const Eigen::Index k = static_cast<Eigen::Index>(i);
    const Row& row = realization.model().rows()[realization.system.rows().realized[i]];
    telling.lines.push_back(fmt::format("  {:<16} slip distance {:.4g} {}, slip velocity {:.4g}{} at the end", row.name,
                                        history.distance[k], row.unit == "N*m" ? "rad" : "m", slip[k], slip_unit(row)));
  }
  const std::string lost = lifts ? "" : fmt::format("{:.4g} J dissipated; ", history.energy);
  telling.lines.push_back(fmt::format("  {}at most {:.4g} m from the path without slip ({}, t = {:.4g} s)", lost,
                                      deviation.distance, body, deviation.t));
  // What the run itself could not follow event by event, or left open.
  for (const Verdict& verdict : law.result.verdicts) {
    if (verdict.subject == "events" || verdict.verdict == Holds::not_unique)
      telling.lines.push_back(fmt::format("  {}: {}: {}", verdict.subject, to_text(verdict.verdict), verdict.why));
  }
  return telling;
}

Telling tell_sweep(const Realization& realization, const ViscousSweep& sweep) {
  Telling telling;
  Json list = Json::array();
  telling.lines.emplace_back(
      "\nviscous forces -k slip instead of the constraints\n              k   error at the end   slip at the end");
  for (const ViscousSweep::Point& point : sweep.points) {
    list.push_back(
        {{"coefficient", point.coefficient}, {"error", point.error}, {"slip", by_row(realization.system, point.slip)}});
    telling.lines.push_back(
        fmt::format("{:>15.6g} {:>18.6g} {:>17.6g}", point.coefficient, point.error, point.slip.lpNorm<Eigen::Infinity>()));
  }
  telling.json["sweep"] = list;
  telling.json["slope"] = number_or_null(sweep.slope);
  if (sweep.slope) telling.lines.push_back(fmt::format("  the error falls like k^-{:.4f}", *sweep.slope));
  return telling;
}

namespace {

Json certificate_json(const Realization& realization, const Certificate& certificate) {
  Json json = Json::object();
  json["s0"] = certificate.s0;
  json["t1"] = number_or_null(certificate.bound.t1);
  json["t1_sharp"] = number_or_null(certificate.sharp.t1);
  json["s_star"] = number_or_null(certificate.eta ? certificate.bound.s_star : std::nullopt);
  json["s_star_sharp"] = number_or_null(certificate.eta ? certificate.sharp.s_star : std::nullopt);
  json["c_sharp"] = number_or_null(certificate.c_sharp);
  json["eta"] = number_or_null(certificate.eta);
  json["rbar"] = by_row(realization.system, certificate.worst.rbar);
  json["rho1"] = certificate.worst.rho1;
  json["rho2"] = certificate.worst.rho2;
  json["A"] = certificate.worst.A;
  json["B"] = certificate.worst.B;
  json["delta"] = certificate.delta;
  json["band"] = certificate.band ? Json{{"inner", number_or_null(certificate.band->inner)},
                                         {"outer", number_or_null(certificate.band->outer)},
                                         {"slip", number_or_null(certificate.slip_in_band)},
                                         {"t", number_or_null(certificate.t_band)}}
                                  : Json();
  json["rate"] = number_or_null(certificate.rate);
  json["sampled_growth"] = certificate.worst.sampled;
  json["not_certified"] = certificate.not_certified;
  return json;
}

std::string certificate_line(const Certificate& certificate, const std::string& where) {
  const auto text = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g} s", *value) : std::string("no bound");
  };
  const std::string constants = fmt::format("A = {:.6g} 1/s, B = {:.6g}", certificate.worst.A, certificate.worst.B);
  const double energy = certificate.s0 * certificate.s0;
  if (!certificate.not_certified.empty())
    return fmt::format("  {}: not certified: {}; {}", where, certificate.not_certified, constants);
  if (certificate.slip_in_band && *certificate.slip_in_band == 0)
    return fmt::format("  {}: no reactions: slip energy {:.6g} J falls like exp(-{:.6g} t) at least; {}", where, energy,
                       *certificate.rate, constants);
  if (certificate.slip_in_band) {
    std::string line = fmt::format(
        "  {}: the slip ends within {:.6g}{}", where, *certificate.slip_in_band,
        certificate.band->outer ? fmt::format(" from any slip energy below {:.6g} J", std::pow(*certificate.band->outer, 2))
                                : std::string(" from anywhere"));
    if (certificate.t_band)
      line += fmt::format(", and is within {:.6g} after {:.6g} s at most", (1 + kNearBand) * *certificate.slip_in_band,
                          *certificate.t_band);
    if (certificate.rate) line += fmt::format("; slip energy falls at the rate {:.6g} 1/s until then", *certificate.rate);
    return line + "; " + constants;
  }
  return fmt::format("  {}: slip energy {:.6g} J is gone after {} at most ({} by the plain inequality); {}", where, energy,
                     text(certificate.sharp.t1), text(certificate.bound.t1), constants);
}

}  // namespace

Telling tell_certificate(const Realization& realization, const MotionCertificate& certificate, std::optional<double> band_time) {
  const Certificate &uniform = certificate.uniform, &refined = certificate.refined;
  const SlipEnd& slip = certificate.slip;
  Telling telling;
  Json& json = telling.json["certificate"];
  json["level"] = 1;
  json["samples"] = certificate.instants;
  json["from"] = certificate.begin;
  json["to"] = certificate.end;
  json["t_sim"] = number_or_null(slip.reached);
  json["slips_again"] = number_or_null(slip.slips_again);
  json["t_band_sim"] = number_or_null(band_time);
  json.update(certificate_json(realization, uniform));
  json["refined"] = certificate_json(realization, refined);
  json["refined"]["states"] = refined.worst.states;
  json["whole"] = {{"eta", refined.eta ? Json(certificate.least_excess) : Json()},
                   {"rbar", by_row(realization.system, certificate.whole.rbar)},
                   {"rho1", certificate.whole.rho1},
                   {"rho2", certificate.whole.rho2},
                   {"A", certificate.whole.A},
                   {"B", certificate.whole.B}};
  telling.lines.push_back(
      fmt::format("\ncertificate, level 1: constants at {} instants from t = {:.6g} s to {:.6g} s, with the extrema between them "
                  "({} states in total); not a proof for other motions",
                  certificate.instants, certificate.begin, certificate.end, refined.worst.states));
  telling.lines.push_back(certificate_line(refined, "along the motion"));
  if (refined.not_certified.empty() && refined.sharp.t1)
    telling.lines.push_back(
        fmt::format("  it does not slip again: the bounds exceed the reactions by at least {:.6g} over the whole run",
                    certificate.least_excess));
  const auto differs = [](double a, double b) { return std::abs(a - b) > 1e-9 * std::abs(b); };
  if (uniform.c_sharp && refined.c_sharp &&
      (differs(uniform.worst.A, refined.worst.A) || differs(*uniform.c_sharp, *refined.c_sharp)))
    telling.lines.push_back(certificate_line(uniform, "at the uniform instants alone"));
  if (slip.reached && slip.slips_again)
    telling.lines.push_back(fmt::format("  simulated: all constraints stick from t = {:.6g} s to {:.6g} s, then one slips again",
                                        *slip.reached, *slip.slips_again));
  else if (slip.reached)
    telling.lines.push_back(fmt::format("  simulated: all constraints stick from t = {:.6g} s on", *slip.reached));
  if (band_time)
    telling.lines.push_back(fmt::format("  simulated: the slip stays within {:.6g} from t = {:.6g} s on",
                                        (1 + kNearBand) * *refined.slip_in_band, *band_time));
  return telling;
}

Telling tell_no_certificate(const Failure& failure, int instants) {
  Telling telling;
  Json& json = telling.json["certificate"];
  json = {{"level", 1}, {"samples", instants}, {"not_certified", failure.message}};
  for (const char* key : {"s0", "t_sim", "slips_again", "t1", "t1_sharp", "s_star", "s_star_sharp", "c_sharp", "eta", "rbar",
                          "rho1", "rho2", "A", "B", "band", "rate"})
    json[key] = nullptr;
  telling.lines.push_back(fmt::format("\ncertificate: none: {}\n  {}", failure.message, failure.hint));
  return telling;
}

Telling tell_tube(const Realization& realization, const Certificate& certificate, double width) {
  Telling telling;
  Json& region = telling.json;
  region["level"] = 2;
  region["width"] = width;
  region["samples"] = certificate.worst.states;
  region["safety"] = kTubeSafety;
  region.update(certificate_json(realization, certificate));
  telling.lines.push_back(fmt::format(
      "certificate, level 2: a tube of {:.3g} of the motion's size, {} states, safety factor {:.2g}; a search, no proof", width,
      certificate.worst.states, kTubeSafety));
  telling.lines.push_back(certificate_line(certificate, "in the tube"));
  return telling;
}

Telling tell_needed_bounds(const Realization& realization, const SufficientBounds& found, double time, double until) {
  Telling telling;
  if (found.bounds.empty()) {
    telling.json["needed_bounds"] = telling.json["needed_bounds_check"] = nullptr;
    telling.lines.push_back(fmt::format("  no bound ends the slip within {:g} s: the law creeps, or has no certificate", time));
    return telling;
  }
  Json json = Json::object();
  telling.lines.push_back(
      found.sufficient
          ? fmt::format("  these bounds suffice to end the slip within {:g} s and to prevent it until t = {:g} s (run with them, "
                        "all constraints stick from t = {:.6g} s):",
                        time, until, *found.reached)
          : fmt::format("  no bounds were found that end the slip within {:g} s; of the last ones tried: {}", time, found.why));
  for (size_t i = 0; i < found.bounds.size(); ++i) {
    const std::string& name = realization.system.rows().groups[i].name;
    json[name] = found.bounds[i];
    telling.lines.push_back(fmt::format("    {:<16} {:.9g}", name, found.bounds[i]));
  }
  telling.json["needed_bounds"] = json;
  telling.json["needed_bounds_check"] = {{"sufficient", found.sufficient},
                                         {"t_sim", number_or_null(found.reached)},
                                         {"t1_sharp", number_or_null(found.t1_sharp)},
                                         {"why", found.why}};
  return telling;
}

Telling tell_spectrum(const std::vector<std::complex<double>>& values, std::optional<double> viscous) {
  Telling telling;
  Json list = Json::array();
  telling.lines.push_back(viscous ? fmt::format("\neigenvalues with viscous forces, k = {:g} [1/s]", *viscous)
                                  : std::string("\neigenvalues without slip [1/s]"));
  for (const auto& value : values) {
    list.push_back({value.real(), value.imag()});
    telling.lines.push_back(fmt::format("  {:>14.9g} {:+.9g} i", value.real(), value.imag()));
  }
  telling.json["spectrum"] = list;
  return telling;
}

Telling tell_critical(const CriticalCoefficient& critical, double low, double high) {
  Telling telling;
  telling.json["critical_coefficient"] = number_or_null(critical.k);
  const auto word = [](const std::optional<double>& growth) {
    return growth ? fmt::format("growth {:.6g} 1/s", *growth) : std::string("no oscillation");
  };
  telling.lines.push_back(critical.k ? fmt::format("at k = {:.12g} an oscillation becomes {}", *critical.k,
                                                   critical.growth_high.value_or(0) > 0 ? "unstable" : "stable")
                                     : fmt::format("no oscillation changes stability between k = {:g} ({}) and k = {:g} ({})",
                                                   low, word(critical.growth_low), high, word(critical.growth_high)));
  return telling;
}

namespace {

// What an event `stick` is under this law.
const char* end_of_slip(const Realization& realization, const SlipGroup& group) {
  switch (realization.law.value_or(group.law.value_or(SlipLaw{})).kind) {
    case SlipLawKind::dead_zone: return "slides at the edge of its dead zone";
    case SlipLawKind::backlash: return "rests at the end of its play";
    case SlipLawKind::lag: return "its oscillation has died out";
    case SlipLawKind::sign:
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan:
    case SlipLawKind::hysteresis:
    case SlipLawKind::delay:
    case SlipLawKind::stribeck: break;
  }
  return "sticks again";
}

// "grips again at 0.713 s, slips again at 2.85 s, ..": what came after the first slip, of one group.
std::string tell_later(const Realization& realization, const SlipGroup& group, const LawRun& law) {
  std::string text;
  bool slipped =
      std::any_of(group.rows.begin(), group.rows.end(), [&](int row) { return std::abs(realization.slip[row]) > 1e-8; });
  constexpr int kMost = 6;
  int told = 0;
  for (const Occurrence& event : law.result.events) {
    if (!is_of_slip(event.kind) || find_rows_of(realization, law, group, event).empty()) continue;
    if (event.kind == EventKind::slip && !slipped) {
      slipped = true;
      continue;
    }
    if (++told > kMost) return text + ", ..";
    const char* what = event.kind == EventKind::stick    ? end_of_slip(realization, group)
                       : event.kind == EventKind::slip   ? "slips again"
                       : event.kind == EventKind::engage ? "reaches the end of its play"
                                                         : "slips the other way";
    text += fmt::format("{}{} at {:.4g} s", text.empty() ? "" : ", ", what, event.t);
  }
  return text;
}

}  // namespace

Telling tell_verdicts(const Realization& realization, const ReactionHistory& history, const std::vector<Verdict>& verdicts,
                      const LawRun* law, const Deviation* deviation) {
  const SlipRows& rows = realization.system.rows();
  Telling telling;
  Json list = Json::array();
  telling.lines.emplace_back("\nwill it slip?");
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const Verdict& verdict = verdicts[i];
    list.push_back(to_json(verdict));
    std::string line = fmt::format("  {:<16} ", verdict.subject);
    switch (verdict.verdict) {
      case Holds::holds: line += "sticks"; break;
      case Holds::violated:
        line += history.groups[i].normal_lost && verdict.first_violation == history.groups[i].normal_lost ? "loses contact"
                : law != nullptr && never_slips(realization, *law, rows.groups[i])                        ? "would slip"
                                                                                                          : "slips";
        break;
      case Holds::not_unique: line += "not unique"; break;
      case Holds::impossible: line += "impossible"; break;
      case Holds::not_checked: line += "not checked"; break;
    }
    if (verdict.first_violation) line += fmt::format(" at t = {:.4g} s", *verdict.first_violation);
    if (verdict.margin) line += fmt::format(", margin {:.3g}", *verdict.margin);
    const std::string later = law != nullptr ? tell_later(realization, rows.groups[i], *law) : "";
    if (!later.empty()) line += "; " + later;
    if (deviation != nullptr && verdict.verdict == Holds::violated && deviation->distance > 0)
      line += fmt::format("; {} from the no-slip path", length_text(deviation->distance));
    line += ": " + verdict.why;
    const auto& friction = history.groups[i].required_friction;
    if (friction && !rows.groups[i].friction)
      line += fmt::format("; without slip it needs friction {:.4g} (t = {:.4g} s)", friction->value, friction->t);
    telling.lines.push_back(line);
  }
  telling.json["verdicts"] = list;
  telling.json["verdict"] = to_text(worst_verdict(verdicts));
  return telling;
}

}  // namespace vinculum
