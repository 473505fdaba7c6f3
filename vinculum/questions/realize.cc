// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "vinculum/constrained/classification.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/files/tell_slip.h"
#include "vinculum/page/slip_report.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/questions/modes.h"
#include "vinculum/questions/realize_problem.h"
#include "vinculum/realization/appell.h"
#include "vinculum/version.h"

namespace vinculum {

namespace {

constexpr int kTubeSamples = 256;

void say(const Telling& telling, Reply& reply) {
  for (const auto& [key, value] : telling.json.items()) reply.json()[key] = value;
  for (const std::string& line : telling.lines) reply.say(line);
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Failure wrong_usage(std::string message, std::string hint) { return {"VN-USAGE-001", std::move(message), std::move(hint)}; }

// LAW or LAW=NUMBER
std::optional<Failure> read_law(const std::string& text, std::optional<SlipLaw>& law) {
  if (text.empty()) return std::nullopt;
  const size_t equals = text.find('=');
  const std::string word = text.substr(0, equals);
  const auto known = find_law(word);
  if (!known) {
    return wrong_usage(
        fmt::format("--law {}: there is no law '{}'", text, word),
        "sign, or with a number viscous=k, saturated=, tanh=, algebraic=, arctan=, dead-zone=, hysteresis=, delay=, "
        "lag=, backlash=, or stribeck=VELOCITY:RATIO");
  }
  law = SlipLaw{*known, 0};
  if (*known == SlipLawKind::sign) {
    if (equals != std::string::npos) return wrong_usage("--law sign has no number", "the bound is --bound NAME=VALUE");
    return std::nullopt;
  }
  const std::string_view numbers = equals == std::string::npos ? std::string_view() : std::string_view(text).substr(equals + 1);
  const size_t colon = numbers.find(':');
  const bool is_stribeck = *known == SlipLawKind::stribeck;
  const auto value = number_in(numbers.substr(0, is_stribeck ? colon : std::string_view::npos));
  const auto ratio = is_stribeck && colon != std::string_view::npos ? number_in(numbers.substr(colon + 1)) : std::nullopt;
  if (!value || (is_stribeck && !ratio)) {
    return wrong_usage(fmt::format("--law {} needs {}", word, is_stribeck ? "a velocity and a ratio" : "a number"),
                       fmt::format("for example --law {}=0.01{}", word, is_stribeck ? ":0.7" : ""));
  }
  if (!(*value > 0) || (ratio && !(*ratio > 0))) {
    return Failure{"VN-REALIZE-003", fmt::format("--law {}: the number of a law must be positive", text),
                   "a coefficient, a slip, a way or a time"};
  }
  law->value = *value;
  if (ratio) law->ratio = *ratio;
  return std::nullopt;
}

std::optional<Failure> read_bounds(const std::vector<std::string>& texts, const Model& model, SlipRows& rows) {
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(equals + 1));
    if (!value) return wrong_usage(fmt::format("--bound {} is not NAME=VALUE", text), "for example --bound front=3000");
    if (const auto failure = set_bound(model, rows, text.substr(0, equals), *value)) return failure;
  }
  return std::nullopt;
}

std::optional<Failure> tell_appell(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  const Completion completion = options.completion == "partition"    ? Completion::partition
                                : options.completion == "orthogonal" ? Completion::orthogonal
                                                                     : Completion::mass;
  const auto form = compute_appell_form(realization.at, completion);
  if (!form) return form.failure();
  Json names = Json::array();
  for (const int velocity : form->kept) names.push_back(realization.model().velocity_names()[velocity]);
  for (int i = 0; i < static_cast<int>(realization.system.rows().realized.size()); ++i)
    names.push_back(realization.system.row_name(i));
  reply.json()["appell"] = {{"completion", options.completion}, {"names", names}, {"u", rows_to_json(form->u)}};
  return std::nullopt;
}

std::optional<Failure> answer_servo(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  const Model& model = realization.model();
  Eigen::MatrixXd inputs = Eigen::MatrixXd::Zero(model.tree().velocities, static_cast<Eigen::Index>(options.inputs.size()));
  for (size_t j = 0; j < options.inputs.size(); ++j) {
    // A coordinate, or the velocity it moves with.
    auto velocity = model.find_velocity(options.inputs[j]);
    if (!velocity) velocity = model.find_velocity(options.inputs[j] + "'");
    if (!velocity) {
      return wrong_usage(fmt::format("--inputs: there is no coordinate '{}'", options.inputs[j]),
                         "inputs are forces on coordinates, such as the torque of a joint");
    }
    inputs(*velocity, static_cast<Eigen::Index>(j)) = 1;
  }
  const auto servo = compute_servo(realization.at, inputs);
  if (!servo) return servo.failure();
  say(tell_servo(realization, options.inputs, *servo), reply);
  return std::nullopt;
}

void warn_about_rows(const Realization& realization, Reply& reply) {
  Diagnostics warnings;
  const ConstraintSet& set = realization.system.set();
  const auto kinds = classify_rows(set, realization.projected, realization.system.workspace());
  for (size_t i = 0; kinds && i < set.rows.size(); ++i) {
    if (set.rows[i].from<EquationRow>() == nullptr || !(*kinds)[i].holonomic) continue;
    warnings.warning(
        "VN-REALIZE-008", {}, set.rows[i].element,
        fmt::format("constraint '{}' limits a position but is kept as a velocity: the position drifts", set.rows[i].name),
        "a contact, a joint or a motion would keep the position itself");
  }
  if (realization.at.rubs) {
    warnings.warning(
        "VN-REALIZE-030", {}, "",
        "sliding friction on allowed axes changes with the normal forces: reactions and motions have it, Appell's form and "
        "the constants of a certificate do not exist then",
        "forbid the axis and give the contact `friction` for a certificate");
  }
  if (!realization.system.is_exact() && realization.at.is_regular()) {
    warnings.warning("VN-REALIZE-009", {}, "",
                     "the constants of the certificate come from differences (about 1e-11), not from exact slopes",
                     "contacts on curved surfaces or with laws have no tape");
  }
  reply.tell(warnings);
}

std::optional<Failure> answer_at_state(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  say(tell_rows(realization), reply);
  warn_about_rows(realization, reply);
  Json& json = reply.json();
  Json required = Json::object();
  const std::vector<GroupDemand> demands = compute_demands(realization.system, realization.at);
  for (size_t i = 0; i < demands.size(); ++i) {
    if (demands[i].required_friction) required[realization.system.rows().groups[i].name] = *demands[i].required_friction;
  }
  json["required_friction"] = required;
  if (realization.at.is_regular() && !realization.at.rubs) {
    const auto constants = compute_slip_constants(realization.system, realization.projected);
    if (!constants) return constants.failure();
    json["constants"] = {{"rho1", constants->rho1}, {"rho2", constants->rho2}, {"A", constants->A}, {"B", constants->B}};
    json["constants"]["sampled"] = constants->sampled;
    if (auto refusal = tell_appell(options, realization, reply)) return refusal;
    say(tell_residuals(realization, constants->A), reply);
    if (!options.inputs.empty()) {
      if (auto refusal = answer_servo(options, realization, reply)) return refusal;
    }
  } else {
    if (!options.inputs.empty())
      return Failure{"VN-USAGE-014",
                     "--inputs has no effect here: constraints that are dependent or rub cannot be kept by other forces",
                     "leave it out"};
    json["constants"] = nullptr;
  }
  if (options.until) return std::nullopt;  // the motion has the verdicts
  SampledMotion still(realization.model());
  still.add(realization.projected, std::vector<double>(realization.projected.v.size()));
  const auto history = follow_reactions(realization.system, still);
  if (!history) return history.failure();
  say(tell_verdicts(realization, *history, judge_groups(realization.system, *history, realization.slip), nullptr, nullptr),
      reply);
  return std::nullopt;
}

std::optional<Failure> read_coefficients(const std::string& text, std::vector<double>& coefficients) {
  const std::string_view word = "viscous=";
  const auto wrong = [&](std::string message) {
    return wrong_usage(std::move(message), "for example --sweep viscous=10,100,1000");
  };
  if (text.rfind(word, 0) != 0) return wrong(fmt::format("--sweep {} is not viscous=K,K,..", text));
  for (size_t begin = word.size(); begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const auto k = number_in(std::string_view(text).substr(begin, end - begin));
    if (!k) return wrong(fmt::format("--sweep {}: '{}' is not a number", text, text.substr(begin, end - begin)));
    if (!(*k > 0)) {
      return Failure{"VN-REALIZE-003", fmt::format("--sweep: the coefficient {:g} must be positive", *k), "a force per slip"};
    }
    coefficients.push_back(*k);
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<Failure> answer_certificate(const RealizeOptions& options, const Realization& realization, const SampledRun& ideal,
                                          const LawRun* law, const SlipHistory* slips, Reply& reply) {
  const MotionOptions motion{.until = *options.until, .tolerance = options.tolerance, .stop = reply.stop()};
  const auto found = certify_motion(realization, ideal, law, motion, options.samples);
  if (!found && found.failure().cause() == FailureCause::dependent_rows) {
    say(tell_no_certificate(found.failure(), options.samples), reply);
    return std::nullopt;
  }
  if (!found) return found.failure();
  const std::optional<double> band = found->refined.slip_in_band;
  const bool enters = slips != nullptr && found->refined.not_certified.empty() && band && *band > 0;
  say(tell_certificate(realization, *found, enters ? find_entry_time(*law, *slips, (1 + kNearBand) * *band) : std::nullopt),
      reply);
  const double s0 = std::sqrt(realization.slip_energy);
  if (options.region) {
    const auto states = list_certificate_states(realization, ideal, law != nullptr, found->end, motion, options.samples);
    if (!states) return states.failure();
    const auto tube = search_tube(realization.system, *states, *options.region, kTubeSamples, reply.stop());
    if (!tube) return tube.failure();
    const Telling telling = tell_tube(realization, certify(realization.system, *tube, s0, realization.law), *options.region);
    reply.json()["certificate"]["region"] = telling.json;
    for (const std::string& line : telling.lines) reply.say(line);
  }
  if (options.within) {
    const auto bounds = find_sufficient_bounds(realization, found->whole, *options.within, motion, options.samples);
    if (!bounds) return bounds.failure();
    const Telling telling = tell_needed_bounds(realization, *bounds, *options.within, *options.until);
    for (const auto& [key, value] : telling.json.items()) reply.json()["certificate"][key] = value;
    for (const std::string& line : telling.lines) reply.say(line);
  }
  return std::nullopt;
}

// The page shows the motion with slip where there is one.
std::optional<Failure> write_slip_page(const RealizeOptions& options, const Realization& realization, const SampledRun& ideal,
                                       const LawRun* law, const std::vector<Verdict>& verdicts, Reply& reply) {
  SlipReport content;
  content.model_file = options.model;
  content.shown = law != nullptr ? SlipTrack{law->samples, law->accelerations}
                                 : SlipTrack{ideal.motion.samples(), ideal.motion.accelerations()};
  content.without_slip = ideal.motion.samples();
  content.verdicts = verdicts;
  if (law != nullptr) {
    for (const Occurrence& event : law->result.events) content.events.push_back({event.t, event.name()});
  }
  content.facts = {
      {"model", options.model},
      {"shown", law != nullptr ? "the motion with limited friction; dashed: without slip" : "the motion without slip"},
      {"tolerance", fmt::format("{:g}", options.tolerance)},
      {"made by", "vinculum " + version()}};
  std::error_code error;
  std::filesystem::create_directories(options.output, error);
  const std::string path = (std::filesystem::path(options.output) / "report.html").string();
  if (!options.force && std::filesystem::exists(path, error))
    return wrong_usage(fmt::format("{} exists", path), "--force replaces it");
  const auto written = write_slip_report(path, realization.system, content);
  if (!written) return written.failure();
  reply.say(fmt::format("\nwrote {}", path));
  return std::nullopt;
}

// Everything of `--until`, `--sweep`, `--certificate`; the verdicts of the motion.
std::optional<Failure> answer_motion(const RealizeOptions& options, const Realization& realization,
                                     const std::vector<double>& coefficients, Reply& reply) {
  SlipSystem& system = realization.system;
  const MotionOptions motion{.until = *options.until, .tolerance = options.tolerance, .stop = reply.stop()};
  const auto ideal = run_without_slip(realization, motion);
  if (!ideal) return ideal.failure();
  const std::optional<Failure>& ended = ideal->result.failure;
  if (ended && (!realization.has_law() || !coefficients.empty())) return *ended;
  const auto history = follow_reactions(system, ideal->motion, reply.stop());
  if (!history) return history.failure();
  const auto end = system.compute(ideal->result.final);
  if (!end) return end.failure();
  say(tell_ideal(realization, *ideal, *history, *end), reply);

  std::optional<LawRun> law;
  std::optional<SlipHistory> slips;
  std::optional<Deviation> deviation;
  if (realization.has_law()) {
    auto run = run_law(realization, motion);
    if (!run) return run.failure();
    law.emplace(std::move(*run));
    auto followed_slips = follow_slips(realization, *law);
    if (!followed_slips) return followed_slips.failure();
    slips.emplace(std::move(*followed_slips));
    deviation = find_deviation(realization.model(), ideal->motion.samples(), law->samples);
    say(tell_realized(realization, *law, *slips, slips->slip.back(), *deviation), reply);
  }
  const LawRun* followed = law ? &*law : nullptr;
  if (options.certificate) {
    if (auto refusal = answer_certificate(options, realization, *ideal, followed, slips ? &*slips : nullptr, reply))
      return refusal;
  }
  if (!coefficients.empty()) {
    const auto sweep = sweep_viscous(realization, coefficients, ideal->result.final, motion);
    if (!sweep) return sweep.failure();
    say(tell_sweep(realization, *sweep), reply);
  }
  std::vector<Verdict> verdicts = judge_groups(system, *history, realization.slip);
  if (followed != nullptr) judge_by_motion(realization, *ideal, *followed, *slips, verdicts);
  say(tell_verdicts(realization, *history, verdicts, followed, deviation ? &*deviation : nullptr), reply);
  return options.output.empty() ? std::nullopt : write_slip_page(options, realization, *ideal, followed, verdicts, reply);
}

std::optional<Failure> answer_spectrum(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  const SlipRows& rows = realization.system.rows();
  if (!options.critical.empty()) {
    const std::string_view text = options.critical;
    const size_t colon = std::min(text.find(':'), text.size());
    const auto low = number_in(text.substr(0, colon)), high = number_in(text.substr(std::min(colon + 1, text.size())));
    if (!low || !high || !(*low > 0 && *high > *low))
      return wrong_usage(fmt::format("--critical {} is not LO:HI with 0 < LO < HI", text), "for example 300:2000");
    const auto critical = find_critical_coefficient(realization.model(), rows, realization.projected, *low, *high);
    if (!critical) return critical.failure();
    say(tell_critical(*critical, *low, *high), reply);
  }
  if (!options.spectrum) return std::nullopt;
  const bool viscous = realization.law && realization.law->kind == SlipLawKind::viscous;
  if (realization.law && !viscous) {
    return wrong_usage(fmt::format("--spectrum has no meaning for the law '{}'", law_word(realization.law->kind)),
                       "a spectrum is of motions without slip, or with --law viscous=K");
  }
  const auto values = viscous ? find_viscous_spectrum(realization.model(), rows, realization.projected, realization.law->value)
                              : find_spectrum(realization.model(), realization.projected);
  if (!values) return values.failure();
  say(tell_spectrum(*values, viscous ? std::optional(realization.law->value) : std::nullopt), reply);
  return std::nullopt;
}

std::optional<Failure> answer_realize(const RealizeOptions& options, const Model& model, const State& state, Reply& reply) {
  std::optional<SlipLaw> law;
  if (auto refusal = read_law(options.law, law)) return refusal;
  std::vector<double> coefficients;
  if (!options.sweep.empty()) {
    if (auto refusal = read_coefficients(options.sweep, coefficients)) return refusal;
  }
  auto rows = choose_slip_rows(model, options.rows);
  if (!rows) return rows.failure();
  if (rows->realized.empty()) {
    return Failure{"VN-REALIZE-010", "the model has no constraint that can slip",
                   "give a contact `forbid: [lateral, ..]`, or write `velocity_constraints`"};
  }
  for (const FacePair& pair : model.face_pairs()) {
    if (!pair.rubs()) continue;
    return Failure{"VN-REALIZE-012",
                   fmt::format("guide '{}' has friction, which `realize` does not support: it changes with the loaded face",
                               model.description().guides[pair.guide].name),
                   "use `simulate --contacts frictional`, or set `friction: 0` on its faces"};
  }
  if (auto refusal = read_bounds(options.bounds, model, *rows)) return refusal;
  if (const auto refusal = check_size_of_matrices(model)) return *refusal;

  SlipSystem system(model, std::move(*rows));
  const auto begun = begin_realization(system, state, law);
  if (!begun) return begun.failure();
  const Realization& realization = *begun;

  reply.json()["verdict"] = "";  // first of all, filled in last
  reply.json()["verdicts"] = Json::array();
  if (auto refusal = answer_at_state(options, realization, reply)) return refusal;
  if (options.spectrum || !options.critical.empty()) {
    if (auto refusal = answer_spectrum(options, realization, reply)) return refusal;
  }
  return options.until ? answer_motion(options, realization, coefficients, reply) : std::nullopt;
}

}  // namespace

int answer_realize(const RealizeOptions& options, Reply& reply) {
  reply.begin_computing();
  if (!options.problem.empty()) {
    if (!options.model.empty()) return reply.refuse_usage("--problem FILE stands in place of a model", "leave the model out");
    return answer_problem(options, reply);
  }
  if (options.model.empty()) return reply.refuse_usage("a model file is missing", "vinculum realize MODEL, or --problem FILE");
  if (options.samples < 2) return reply.refuse_usage("--samples must be 2 or more", "41 is the default");
  if (!(options.tolerance > 0 && options.tolerance < 1)) return reply.refuse_usage("--tolerance must lie between 0 and 1", "");
  const bool needs_until = options.certificate || !options.sweep.empty() || !options.output.empty();
  if (needs_until && !options.until)
    return reply.refuse_usage("--certificate, --sweep and --output follow a motion: --until T is missing",
                              "how long, in seconds");
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = refuse_joint_friction(*model, "realize")) return reply.fail(*refusal);
  if (options.until && !(*options.until > state->t))
    return reply.refuse_usage(fmt::format("--until must be later than the start at t = {:g} s", state->t), "a time in seconds");
  if (const auto refusal = answer_realize(options, *model, *state, reply)) {
    reply.json() = Json::object();
    return reply.fail(*refusal);
  }
  return reply.finish(kDone);
}

}  // namespace vinculum
