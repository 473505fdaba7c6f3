// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <filesystem>
#include <limits>

#include <fmt/core.h>

#include "realize.h"
#include "vinculum/analysis/linearise.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/files/slip_report.h"
#include "vinculum/math/find_zero.h"

namespace vinculum::app {

namespace {

constexpr int kSamples = 2001;

// Another model of the same bodies, with forces in place of rows. What is wrong with it was right in the one it is made of.
Outcome<Model> build_other(ModelDescription description) {
  Diagnostics diagnostics;
  auto model = build_model(std::move(description), diagnostics);
  if (model) return std::move(*model);
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::error) return Failure{"VN-REALIZE-011", diagnostic.message, diagnostic.hint};
  }
  return Failure{"VN-REALIZE-011", "the model with forces in place of its rows could not be built", ""};
}

State in_usual_modes(State state) {
  state.modes.clear();
  return state;
}

RunOptions run_options(const RealizeOptions& options) {
  RunOptions run;
  run.until = *options.until;
  run.tolerance = options.tolerance;
  return run;
}

// The motion of the same bodies with forces of a law in place of the rows.
struct LawRun {
  Model model;
  RunResult result;
  std::vector<State> samples;  // at equal times
  std::vector<std::vector<double>> accelerations;
};

// The slip of a state, by the rows as they are in the model itself.
Outcome<Eigen::VectorXd> slip_at(const Realization& realization, const State& state) {
  auto at = realization.system.compute(in_usual_modes(state));
  if (!at) return at.failure();
  return at->slip;
}

Outcome<RunResult> run_viscous(const RealizeOptions& options, const Realization& realization, double k) {
  const SlipRows& rows = realization.system.rows();
  auto model = build_other(describe_viscous(realization.model(), rows, std::vector<double>(rows.realized.size(), k)));
  if (!model) return model.failure();
  auto run = run_sampled(*model, in_usual_modes(realization.start), run_options(options), 2);
  if (!run) return run.failure();
  return run->result;
}

std::optional<Refusal> read_coefficients(const std::string& text, std::vector<double>& coefficients) {
  const std::string_view word = "viscous=";
  const auto wrong = [&](std::string message) {
    return Refusal{{"VN-USAGE-001", std::move(message), "for example --sweep viscous=10,100,1000"}, kWrongUsage};
  };
  if (text.rfind(word, 0) != 0) return wrong(fmt::format("--sweep {} is not viscous=K,K,..", text));
  for (size_t begin = word.size(); begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    double k = 0;
    const auto [read, error] = std::from_chars(text.data() + begin, text.data() + end, k);
    if (error != std::errc() || read != text.data() + end || !std::isfinite(k))
      return wrong(fmt::format("--sweep {}: '{}' is no number", text, text.substr(begin, end - begin)));
    if (!(k > 0)) {
      return Refusal{{"VN-REALIZE-003", fmt::format("--sweep: the coefficient {:g} must be positive", k), "a force per slip"},
                     kInvalidModel};
    }
    coefficients.push_back(k);
    begin = end + 1;
  }
  return std::nullopt;
}

double largest_difference(const State& a, const State& b) {
  double largest = 0;
  for (size_t i = 0; i < a.q.size(); ++i) largest = std::max(largest, std::abs(a.q[i] - b.q[i]));
  for (size_t i = 0; i < a.v.size(); ++i) largest = std::max(largest, std::abs(a.v[i] - b.v[i]));
  return largest;
}

// Viscous forces approach the motion without slip like 1/k: theorem 1 where no reactions are needed, else section 5.2.
std::optional<Refusal> tell_sweep(const RealizeOptions& options, const Realization& realization, const State& ideal,
                                  Reply& reply) {
  std::vector<double> coefficients, errors;
  if (auto refusal = read_coefficients(options.sweep, coefficients)) return refusal;
  Json list = Json::array();
  reply.say("\nviscous forces -k slip instead of the rows\n              k   error at the end   slip at the end");
  for (const double k : coefficients) {
    const auto run = run_viscous(options, realization, k);
    if (!run) return Refusal{run.failure(), kFailed};
    const auto slip = slip_at(realization, run->final);
    if (!slip) return Refusal{slip.failure(), kFailed};
    errors.push_back(largest_difference(run->final, ideal));
    list.push_back({{"coefficient", k}, {"error", errors.back()}, {"slip", rows_json(realization, *slip)}});
    reply.say(fmt::format("{:>15.6g} {:>18.6g} {:>17.6g}", k, errors.back(), slip->lpNorm<Eigen::Infinity>()));
  }
  reply.json()["sweep"] = list;
  const size_t n = errors.size();
  std::optional<double> slope;
  if (n >= 2 && errors[n - 1] > 0 && errors[n - 2] > 0 && coefficients[n - 1] != coefficients[n - 2])
    slope = -std::log(errors[n - 1] / errors[n - 2]) / std::log(coefficients[n - 1] / coefficients[n - 2]);
  reply.json()["slope"] = number_or_null(slope);
  if (slope) reply.say(fmt::format("  the error falls like k^-{:.4f}", *slope));
  return std::nullopt;
}

void tell_ideal(const Realization& realization, const SampledRun& ideal, const ReactionHistory& history, const SlipState& end,
                Reply& reply) {
  const SlipSystem& system = realization.system;
  Json peaks = Json::object(), friction = Json::object(), multipliers = Json::object();
  reply.say(fmt::format("\nthe motion without slip, to t = {:g} s", ideal.result.final.t));
  for (size_t i = 0; i < history.peaks.size(); ++i) {
    const Row& row = system.model().rows()[system.rows().realized[i]];
    peaks[row.name] = {{"value", history.peaks[i].value}, {"t", history.peaks[i].t}};
    reply.say(fmt::format("  {:<16} needs at most {:.6g} {} at t = {:.6g} s", row.name, history.peaks[i].value, row.unit,
                          history.peaks[i].t));
  }
  for (size_t i = 0; i < history.groups.size(); ++i) {
    const auto& peak = history.groups[i].required_friction;
    if (peak) friction[system.rows().groups[i].name] = {{"value", peak->value}, {"t", peak->t}};
  }
  const Eigen::VectorXd all = system.multipliers(end, end.r);
  for (const Row& row : system.model().rows()) {
    if (system.set().find_row(row.index)) multipliers[row.name] = all[row.index];
  }
  Json& json = reply.json()["ideal"];
  json["final"] = to_json(system.model(), ideal.result.final);
  json["multipliers"] = multipliers;
  json["peaks"] = peaks;
  json["required_friction"] = friction;
  json["power"] = {{"value", history.power.value}, {"t", history.power.t}};
  json["condition"] = {{"value", history.condition.value}, {"t", history.condition.t}};
  json["rank_lost"] = number_or_null(history.rank_lost);
  if (history.rank_lost) reply.say(fmt::format("  from t = {:.6g} s on rows depend on each other", *history.rank_lost));
  const double power = history.power.value;
  if (std::abs(power) > 1e-9 * (1 + std::abs(end.r.norm())))
    reply.say(fmt::format("  what moves the rows does work: at most {:.6g} W at t = {:.6g} s", power, history.power.t));
}

// How far the bodies are from where they would be without slip.
struct Deviation {
  double distance = 0, t = 0;
  int body = 0;
};
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

// Slips and their rates at the samples; from them slip travelled and energy lost:  R = sigma J (v' - a0) , power -R.psi' .
struct SlipHistory {
  std::vector<Eigen::VectorXd> slip, rate;
  Eigen::VectorXd distance;
  double energy = 0;
};
Outcome<SlipHistory> follow_slips(const Realization& realization, const LawRun& law) {
  SlipHistory history;
  history.distance.setZero(realization.slip.size());
  double last_power = 0;
  for (size_t i = 0; i < law.samples.size(); ++i) {
    const auto at = realization.system.compute(in_usual_modes(law.samples[i]));
    if (!at) return at.failure();
    const Eigen::VectorXd a = Eigen::Map<const Eigen::VectorXd>(law.accelerations[i].data(), at->a0.size());
    const Eigen::VectorXd pushed = at->J * (a - at->a0);  // W R
    history.slip.push_back(at->slip);
    history.rate.push_back(at->b + pushed);
    const double power = at->is_regular() ? -at->slip.dot(at->sigma * pushed) : 0;
    if (i > 0) {
      const double step = law.samples[i].t - law.samples[i - 1].t;
      history.distance += 0.5 * step * (at->slip.cwiseAbs() + history.slip[i - 1].cwiseAbs());
      history.energy += 0.5 * step * (power + last_power);
    }
    last_power = power;
  }
  return history;
}

struct SlipEvent {
  double t = 0;
  std::string kind, name;
  double slip = 0;
};

// Where a slip is largest, between samples by the cubic through values and rates: of a force that lags, whose rates are
// continuous.
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
      extrema.push_back({law.samples[i - 1].t + h * x, "extremum", realization.system.row_name(static_cast<int>(row)),
                         s0 + h * x * (r0 + x * (a + b * x))});
    }
  }
  return extrema;
}

// A law of the command, or bounds and laws of the model.
bool has_law_to_follow(const Realization& realization) {
  const auto& groups = realization.system.rows().groups;
  return realization.law ||
         std::any_of(groups.begin(), groups.end(), [](const SlipGroup& group) { return group.is_bounded() || group.law; });
}

Outcome<LawRun> run_law(const RealizeOptions& options, const Realization& realization, double until, int samples) {
  const SlipRows& rows = realization.system.rows();
  RunOptions run = run_options(options);
  run.until = until;
  const bool viscous = realization.law && realization.law->kind == SlipLawKind::viscous;
  if (!viscous) run.follow = Follow::frictional;
  auto model = build_other(
      viscous ? describe_viscous(realization.model(), rows, std::vector<double>(rows.realized.size(), realization.law->value))
              : describe_realized(realization.model(), rows, realization.law));
  if (!model) return model.failure();
  LawRun law{std::move(*model), {}, {}, {}};
  auto sampled = run_sampled(law.model, in_usual_modes(realization.start), run, samples);
  if (!sampled) return sampled.failure();
  law.result = std::move(sampled->result);
  law.samples = sampled->motion.samples();
  law.accelerations = sampled->motion.accelerations();
  return law;
}

// Is this the name of the group, or of one of its rows?
bool belongs_to(const Realization& realization, const SlipGroup& group, const std::string& subject) {
  return subject == group.name ||
         std::any_of(group.rows.begin(), group.rows.end(), [&](int row) { return realization.system.row_name(row) == subject; });
}

bool is_slip_event(const RunEvent& event) {
  return event.kind == "slip" || event.kind == "stick" || event.kind == "reverse" || event.kind == "extremum";
}

// "grips again at 0.713 s; slips at 2.85 s, ..": what came after the first slip, of one group.
std::string tell_later(const Realization& realization, const SlipGroup& group, const RunResult& result) {
  std::string text;
  bool slipped = false;
  constexpr int kMost = 6;
  int told = 0;
  for (const RunEvent& event : result.events) {
    if (!is_slip_event(event) || !belongs_to(realization, group, event.subject)) continue;
    if (event.kind == "slip" && !slipped) {
      slipped = true;
      continue;
    }
    if (++told > kMost) return text + ", ..";
    const char* what = event.kind == "stick" ? "grips again" : event.kind == "slip" ? "slips again" : "slips the other way";
    text += fmt::format("{}{} at {:.4g} s", text.empty() ? "" : ", ", what, event.t);
  }
  return text;
}

// The instant from which all rows that slipped at the start have stuck.
std::optional<double> find_reaching_time(const Realization& realization, const RunResult& result) {
  double t = realization.start.t;
  const SlipRows& rows = realization.system.rows();
  for (const SlipGroup& group : rows.groups) {
    std::vector<std::string> waits;  // for a stick of each
    const bool one_by_one = !group.row_bounds.empty();
    const auto slips = [&](int row) { return std::abs(realization.slip[row]) > 1e-12; };
    if (one_by_one) {
      for (const int row : group.rows) {
        if (slips(row)) waits.push_back(realization.system.row_name(row));
      }
    } else if (std::any_of(group.rows.begin(), group.rows.end(), slips)) {
      waits.push_back(group.name);
    }
    for (const std::string& name : waits) {
      const auto stick = std::find_if(result.events.begin(), result.events.end(),
                                      [&](const RunEvent& event) { return event.kind == "stick" && event.subject == name; });
      if (stick == result.events.end()) return std::nullopt;
      t = std::max(t, stick->t);
    }
  }
  return t;
}

void add_certificate(const Realization& realization, const Certificate& certificate, Json& json) {
  json["s0"] = certificate.s0;
  json["t1"] = number_or_null(certificate.bound.t1);
  json["t1_sharp"] = number_or_null(certificate.sharp.t1);
  json["s_star"] = number_or_null(certificate.eta ? certificate.bound.s_star : std::nullopt);
  json["s_star_sharp"] = number_or_null(certificate.eta ? certificate.sharp.s_star : std::nullopt);
  json["c_sharp"] = number_or_null(certificate.c_sharp);
  json["eta"] = number_or_null(certificate.eta);
  json["rbar"] = rows_json(realization, certificate.worst.rbar);
  json["rho1"] = certificate.worst.rho1;
  json["rho2"] = certificate.worst.rho2;
  json["A"] = certificate.worst.A;
  json["B"] = certificate.worst.B;
}

void say_certificate(const Certificate& certificate, const char* where, Reply& reply) {
  const auto text = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g} s", *value) : std::string("no bound");
  };
  if (!certificate.eta) {
    reply.say(fmt::format("  {}: not certified, a group has no bound; A = {:.6g} 1/s, B = {:.6g}", where, certificate.worst.A,
                          certificate.worst.B));
    return;
  }
  reply.say(
      fmt::format("  {}: slip energy {:.6g} J is gone after {} at most ({} by the plain inequality); A = {:.6g} 1/s, B = {:.6g}",
                  where, certificate.s0 * certificate.s0, text(certificate.sharp.t1), text(certificate.bound.t1),
                  certificate.worst.A, certificate.worst.B));
  if (!certificate.not_certified.empty()) reply.say("  not certified: " + certificate.not_certified);
}

std::optional<Refusal> tell_certificate(const RealizeOptions& options, const Realization& realization,
                                        const std::vector<State>& instants, std::optional<double> t_sim, Reply& reply) {
  SlipSystem& system = realization.system;
  const auto worst = find_worst_constants(system, instants);
  if (!worst) return Refusal{worst.failure(), kFailed};
  const double s0 = std::sqrt(realization.slip_energy);
  const Certificate certificate = certify(system, *worst, s0);
  Json& json = reply.json()["certificate"];
  json["level"] = 1;
  json["samples"] = static_cast<int>(instants.size());
  json["t_sim"] = number_or_null(t_sim);
  add_certificate(realization, certificate, json);
  json["sampled_growth"] = worst->sampled;
  json["not_certified"] = certificate.not_certified;
  reply.say(
      fmt::format("\ncertificate, level 1: constants at {} instants of the motion; no proof for what lies between or beside",
                  instants.size()));
  say_certificate(certificate, "along the motion", reply);
  if (t_sim) reply.say(fmt::format("  simulated: all rows hold from t = {:.6g} s", *t_sim));

  if (options.region) {
    constexpr int kTubeSamples = 256;
    const auto tube = search_tube(system, instants, *options.region, kTubeSamples);
    if (!tube) return Refusal{tube.failure(), kFailed};
    const Certificate wide = certify(system, *tube, s0);
    Json& region = json["region"];
    region["level"] = 2;
    region["width"] = *options.region;
    region["samples"] = tube->states;
    region["safety"] = kTubeSafety;
    add_certificate(realization, wide, region);
    region["not_certified"] = wide.not_certified;
    reply.say(fmt::format(
        "certificate, level 2: a tube of {:.3g} of the motion's size, {} states, safety factor {:.2g}; a search, no proof",
        *options.region, tube->states, kTubeSafety));
    say_certificate(wide, "in the tube", reply);
  }
  if (options.within) {
    const std::vector<double> needed = find_needed_bounds(system, *worst, s0, *options.within);
    Json bounds = Json::object();
    reply.say(fmt::format("  to be rid of the slip within {:g} s these bounds are enough:", *options.within));
    for (size_t i = 0; i < needed.size(); ++i) {
      bounds[system.rows().groups[i].name] = needed[i];
      reply.say(fmt::format("    {:<16} {:.9g}", system.rows().groups[i].name, needed[i]));
    }
    json["needed_bounds"] = bounds;
  }
  return std::nullopt;
}

// Slip, stick and reverse of the run; what sticks at an end of a dead zone goes on with that slip.
std::vector<SlipEvent> list_slip_events(const Realization& realization, const LawRun& law, const SlipHistory& history) {
  std::vector<SlipEvent> events;
  const SlipRows& rows = realization.system.rows();
  for (const RunEvent& event : law.result.events) {
    if (!is_slip_event(event)) continue;
    SlipEvent told{event.t, event.kind, event.subject, 0};
    size_t next = 0;
    while (next + 1 < law.samples.size() && law.samples[next].t < event.t) ++next;
    for (const SlipGroup& group : rows.groups) {
      for (const int row : group.rows) {
        const bool alone = group.rows.size() == 1 || realization.system.row_name(row) == event.subject;
        const double slip = history.slip[next][row];
        if (alone && belongs_to(realization, group, event.subject) && event.kind == "stick" && std::abs(slip) > 1e-9)
          told.slip = slip;
      }
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

std::optional<Refusal> tell_law_run(const Realization& realization, const LawRun& law, const std::vector<State>& ideal,
                                    Reply& reply) {
  const auto slip = slip_at(realization, law.result.final);
  if (!slip) return Refusal{slip.failure(), kFailed};
  const auto history = follow_slips(realization, law);
  if (!history) return Refusal{history.failure(), kFailed};
  Json events = Json::array();
  for (const SlipEvent& event : list_slip_events(realization, law, *history))
    events.push_back({{"t", event.t}, {"kind", event.kind}, {"name", event.name}, {"slip", event.slip}});
  const Deviation deviation = find_deviation(realization.model(), ideal, law.samples);
  Json& json = reply.json()["realized"];
  json["final"] = to_json(law.model, law.result.final);
  json["slip"] = rows_json(realization, *slip);
  json["events"] = events;
  // What lifts off neither slips nor rubs meanwhile.
  const bool lifts = std::any_of(law.result.events.begin(), law.result.events.end(),
                                 [](const RunEvent& event) { return event.kind == "lift-off"; });
  json["slip_distance"] = lifts ? Json() : rows_json(realization, history->distance);
  json["dissipated"] = lifts ? Json() : Json(history->energy);
  json["deviation"] = {
      {"distance", deviation.distance}, {"t", deviation.t}, {"body", realization.model().bodies()[deviation.body].name}};
  reply.say(fmt::format("\nthe motion with these forces, to t = {:g} s", law.result.final.t));
  if (lifts) reply.say("  a contact lifts off on the way: slip travelled and energy lost are not counted");
  for (size_t i = 0; !lifts && i < realization.system.rows().realized.size(); ++i) {
    const Eigen::Index k = static_cast<Eigen::Index>(i);
    reply.say(fmt::format("  {:<16} slipped over {:.4g}, slips by {:.4g} at the end",
                          realization.system.row_name(static_cast<int>(i)), history->distance[k], (*slip)[k]));
  }
  const std::string lost = lifts ? "" : fmt::format("{:.4g} J lost; ", history->energy);
  reply.say(fmt::format("  {}at most {:.4g} m from the path without slip ({}, t = {:.4g} s)", lost, deviation.distance,
                        realization.model().bodies()[deviation.body].name, deviation.t));
  return std::nullopt;
}

// The page shows the motion with slip where there is one.
std::optional<Refusal> write_slip_page(const RealizeOptions& options, const Realization& realization, const SampledRun& ideal,
                                       const std::optional<LawRun>& law, const std::vector<Verdict>& verdicts, Reply& reply) {
  SlipReport content;
  content.model_file = options.model;
  content.shown =
      law ? SlipTrack{law->samples, law->accelerations} : SlipTrack{ideal.motion.samples(), ideal.motion.accelerations()};
  content.without_slip = ideal.motion.samples();
  content.verdicts = verdicts;
  if (law) {
    for (const RunEvent& event : law->result.events) content.events.push_back({event.t, event.name});
  }
  content.facts = {{"model", options.model},
                   {"shown", law ? "the motion with limited grip; dashed: without slip" : "the motion without slip"},
                   {"tolerance", fmt::format("{:g}", options.tolerance)},
                   {"made by", "vinculum " + version()}};
  std::error_code error;
  std::filesystem::create_directories(options.output, error);
  const std::string path = (std::filesystem::path(options.output) / "report.html").string();
  if (!options.force && std::filesystem::exists(path, error)) {
    return Refusal{{"VN-USAGE-001", fmt::format("{} exists", path), "--force replaces it"}, kWrongUsage};
  }
  const auto written = write_slip_report(path, realization.system, content);
  if (!written) return Refusal{written.failure(), kFailed};
  reply.say(fmt::format("\nwrote {}", path));
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> tell_motion(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  SlipSystem& system = realization.system;
  const auto ideal = run_sampled(realization.model(), in_usual_modes(realization.projected), run_options(options), kSamples);
  if (!ideal) return Refusal{ideal.failure(), kFailed};
  const auto history = follow_reactions(system, ideal->motion);
  if (!history) return Refusal{history.failure(), kFailed};
  const auto end = system.compute(in_usual_modes(ideal->result.final));
  if (!end) return Refusal{end.failure(), kFailed};
  tell_ideal(realization, *ideal, *history, *end, reply);

  std::optional<LawRun> law;
  std::vector<std::string> later;
  if (has_law_to_follow(realization)) {
    auto run = run_law(options, realization, *options.until, kSamples);
    if (!run) return Refusal{run.failure(), kFailed};
    law.emplace(std::move(*run));
    if (auto refusal = tell_law_run(realization, *law, ideal->motion.samples(), reply)) return refusal;
    for (const SlipGroup& group : system.rows().groups) later.push_back(tell_later(realization, group, law->result));
  }
  if (options.certificate) {
    std::vector<State> instants;
    std::optional<double> t_sim;
    if (law) t_sim = find_reaching_time(realization, law->result);
    const double until = t_sim && *t_sim > realization.start.t ? *t_sim : *options.until;
    if (law) {
      const auto again = run_law(options, realization, until, options.samples);
      if (!again) return Refusal{again.failure(), kFailed};
      const double begin = realization.start.t, step = (until - begin) / (options.samples - 1);
      for (const State& state : again->samples) {
        const double place = (state.t - begin) / step;
        if (std::abs(place - std::round(place)) < 1e-6) instants.push_back(state);
      }
    } else {
      for (int i = 0; i < options.samples; ++i)
        instants.push_back(
            ideal->motion.at(ideal->motion.begin() + (ideal->motion.end() - ideal->motion.begin()) * i / (options.samples - 1)));
    }
    for (State& state : instants) state.modes.clear();
    if (auto refusal = tell_certificate(options, realization, instants, t_sim, reply)) return refusal;
  }
  if (!options.sweep.empty()) {
    if (auto refusal = tell_sweep(options, realization, ideal->result.final, reply)) return refusal;
  }
  const std::vector<Verdict> verdicts = judge_groups(system, *history, realization.slip);
  tell_group_verdicts(realization, *history, verdicts, later, reply);
  return options.output.empty() ? std::nullopt : write_slip_page(options, realization, *ideal, law, verdicts, reply);
}

namespace {

// All eigenvalues but those of ignorable coordinates, by real part, then imaginary part. Rates that may have any value, such as a
// spin, have a zero each.
Outcome<std::vector<std::complex<double>>> find_spectrum(const Model& model, const State& state) {
  DerivativesWorkspace workspace(model);
  const auto linear = linearise(model, in_usual_modes(state), workspace);
  if (!linear) return linear.failure();
  std::vector<std::complex<double>> values(static_cast<size_t>(linear->apart.free.cols()), 0.0);
  for (const Mode& mode : find_modes(*linear)) {
    if (mode.is_ignorable) continue;
    values.push_back(mode.eigenvalue);
    if (mode.eigenvalue.imag() != 0) values.push_back(std::conj(mode.eigenvalue));
  }
  std::sort(values.begin(), values.end(),
            [](const auto& a, const auto& b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); });
  return values;
}

Outcome<std::vector<std::complex<double>>> viscous_spectrum(const Realization& realization, double k) {
  const SlipRows& rows = realization.system.rows();
  const auto model = build_other(describe_viscous(realization.model(), rows, std::vector<double>(rows.realized.size(), k)));
  if (!model) return model.failure();
  return find_spectrum(*model, realization.projected);
}

// The growth of the oscillation that grows fastest.
Outcome<double> oscillation_growth(const Realization& realization, double k) {
  const auto values = viscous_spectrum(realization, k);
  if (!values) return values.failure();
  double growth = -std::numeric_limits<double>::infinity();
  for (const auto& value : *values) {
    if (std::abs(value.imag()) > 1) growth = std::max(growth, value.real());
  }
  return growth;
}

std::optional<Refusal> tell_critical(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  const std::string& text = options.critical;
  const size_t colon = text.find(':');
  double low = 0, high = 0;
  const auto number = [&](size_t begin, size_t end, double& value) {
    const auto [read, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    return error == std::errc() && read == text.data() + end;
  };
  if (colon == std::string::npos || !number(0, colon, low) || !number(colon + 1, text.size(), high) ||
      !(low > 0 && high > low && std::isfinite(high)))
    return Refusal{{"VN-USAGE-001", fmt::format("--critical {} is not LO:HI with 0 < LO < HI", text), "for example 300:2000"},
                   kWrongUsage};
  const auto at_low = oscillation_growth(realization, low), at_high = oscillation_growth(realization, high);
  if (!at_low) return Refusal{at_low.failure(), kFailed};
  if (!at_high) return Refusal{at_high.failure(), kFailed};
  if ((*at_low > 0) == (*at_high > 0)) {
    reply.json()["critical_coefficient"] = nullptr;
    reply.say(fmt::format("no oscillation begins or ceases to grow between k = {:g} and {:g} (growth {:.6g} and {:.6g} 1/s)", low,
                          high, *at_low, *at_high));
    return std::nullopt;
  }
  for (int i = 0; i < 100 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    const auto growth = oscillation_growth(realization, middle);
    if (!growth) return Refusal{growth.failure(), kFailed};
    ((*growth > 0) == (*at_low > 0) ? low : high) = middle;
  }
  reply.json()["critical_coefficient"] = high;
  reply.say(fmt::format("at k = {:.12g} an oscillation {} to grow", high, *at_high > 0 ? "begins" : "ceases"));
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> tell_spectrum(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  if (!options.critical.empty()) {
    if (auto refusal = tell_critical(options, realization, reply)) return refusal;
  }
  if (!options.spectrum) return std::nullopt;
  const bool viscous = realization.law && realization.law->kind == SlipLawKind::viscous;
  if (realization.law && !viscous) {
    return Refusal{{"VN-USAGE-001", fmt::format("--spectrum has no meaning for the law '{}'", law_word(realization.law->kind)),
                    "a spectrum is of motions without slip, or with --law viscous=K"},
                   kWrongUsage};
  }
  const auto values =
      viscous ? viscous_spectrum(realization, realization.law->value) : find_spectrum(realization.model(), realization.projected);
  if (!values) return Refusal{values.failure(), kFailed};
  Json list = Json::array();
  reply.say(viscous ? fmt::format("\neigenvalues with viscous forces, k = {:g} [1/s]", realization.law->value)
                    : std::string("\neigenvalues without slip [1/s]"));
  for (const auto& value : *values) {
    list.push_back({value.real(), value.imag()});
    reply.say(fmt::format("  {:>14.9g} {:+.9g} i", value.real(), value.imag()));
  }
  reply.json()["spectrum"] = list;
  return std::nullopt;
}

}  // namespace vinculum::app
