// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "realize.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "modes.h"
#include "vinculum/constraints/classification.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/realization/appell.h"
#include "vinculum/realization/residual.h"
#include "vinculum/realization/servo.h"

namespace vinculum::app {

namespace {

struct LawWord {
  std::string_view word;
  SlipLawKind kind;
};
constexpr LawWord kLaws[] = {{"sign", SlipLawKind::sign},           {"viscous", SlipLawKind::viscous},
                             {"saturated", SlipLawKind::saturated}, {"tanh", SlipLawKind::tanh},
                             {"algebraic", SlipLawKind::algebraic}, {"arctan", SlipLawKind::arctan},
                             {"dead-zone", SlipLawKind::dead_zone}, {"hysteresis", SlipLawKind::hysteresis},
                             {"delay", SlipLawKind::delay},         {"lag", SlipLawKind::lag},
                             {"stribeck", SlipLawKind::stribeck}};

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Refusal wrong_usage(std::string message, std::string hint) {
  return {{"VN-USAGE-001", std::move(message), std::move(hint)}, kWrongUsage};
}

// LAW or LAW=NUMBER
std::optional<Refusal> read_law(const std::string& text, std::optional<SlipLaw>& law) {
  if (text.empty()) return std::nullopt;
  const size_t equals = text.find('=');
  const std::string word = text.substr(0, equals);
  const auto known = std::find_if(std::begin(kLaws), std::end(kLaws), [&](const LawWord& each) { return each.word == word; });
  if (known == std::end(kLaws)) {
    return wrong_usage(
        fmt::format("--law {}: there is no law '{}'", text, word),
        "sign, or with a number viscous=k, saturated=, tanh=, algebraic=, arctan=, dead-zone=, hysteresis=, delay=, lag=");
  }
  law = SlipLaw{known->kind, 0};
  if (known->kind == SlipLawKind::sign) {
    if (equals != std::string::npos) return wrong_usage("--law sign has no number", "the bound is --bound NAME=VALUE");
    return std::nullopt;
  }
  const auto value = equals == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(equals + 1));
  if (!value) return wrong_usage(fmt::format("--law {} needs a number", word), fmt::format("for example --law {}=0.01", word));
  if (!(*value > 0)) {
    return Refusal{{"VN-REALIZE-003", fmt::format("--law {}: the number of a law must be positive", text),
                    "a coefficient, a slip or a time"},
                   kInvalidModel};
  }
  law->value = *value;
  return std::nullopt;
}

std::optional<Refusal> read_bounds(const std::vector<std::string>& texts, const Model& model, SlipRows& rows) {
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(equals + 1));
    if (!value) return wrong_usage(fmt::format("--bound {} is not NAME=VALUE", text), "for example --bound front=3000");
    if (const auto failure = set_bound(model, rows, text.substr(0, equals), *value))
      return Refusal{*failure, failure->code == "VN-REALIZE-001" ? kWrongUsage : kInvalidModel};
  }
  return std::nullopt;
}

// Positions must obey the rows that have one; velocities are what this command is about.
std::optional<Failure> check_position(const ConstraintSet& set, const State& state) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  std::vector<RowResidual> residuals = list_residuals(set, *rows);
  for (RowResidual& residual : residuals) residual.velocity = 0;
  return check_residuals(set, residuals, 1e-8);
}

// The bound of one row at the state, the others kept.
std::optional<double> bound_of_row(const Realization& realization, int row) {
  const SlipRows& rows = realization.system.rows();
  const SlipGroup& group = rows.groups[rows.find_group(row)];
  if (group.bound) return group.bound;
  for (size_t i = 0; i < group.row_bounds.size(); ++i) {
    if (group.rows[i] == row) return group.row_bounds[i];
  }
  if (!group.friction || group.normal < 0) return std::nullopt;
  return *group.friction * std::max(0.0, realization.system.multipliers(realization.at, realization.at.r)[group.normal]);
}

void tell_residual(const Realization& realization, double A, Reply& reply) {
  const SlipRows& rows = realization.system.rows();
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
    std::string line = fmt::format("  {:<16} {:<11}", name, law_word(law->kind));
    line += residual.creep ? fmt::format(" creeps by {:.6g}", *residual.creep) : " slips away: the reaction is beyond the bound";
    if (residual.band) line += fmt::format(", stays within [{:.6g}, {:.6g}]", (*residual.band)[0], (*residual.band)[1]);
    if (residual.period) line += fmt::format(", in cycles of {:.6g} s", *residual.period);
    if (json.size() == 1) reply.say("\nwhat slip the law leaves, row by row, under the reaction of this moment");
    reply.say(line);
  }
  if (!json.empty()) reply.json()["residual"] = json;
}

void tell_appell(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  const Completion completion = options.completion == "partition"    ? Completion::partition
                                : options.completion == "orthogonal" ? Completion::orthogonal
                                                                     : Completion::mass;
  const AppellForm form = compute_appell_form(realization.at, completion);
  Json names = Json::array();
  for (const int velocity : form.kept) names.push_back(realization.model().velocity_names()[velocity]);
  for (int i = 0; i < static_cast<int>(realization.system.rows().realized.size()); ++i)
    names.push_back(realization.system.row_name(i));
  reply.json()["appell"] = {{"completion", options.completion}, {"names", names}, {"u", rows_to_json(form.u)}};
}

std::optional<Refusal> tell_servo(const RealizeOptions& options, const Realization& realization, Reply& reply) {
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
  if (!servo) return Refusal{servo.failure(), kFailed};
  Json control = Json::object();
  reply.say("\nthe rows kept by inputs elsewhere");
  for (size_t j = 0; j < options.inputs.size(); ++j) {
    const double value = servo->control[static_cast<Eigen::Index>(j)];
    control[options.inputs[j]] = value;
    reply.say(fmt::format("  {:<16} {:>14.9g}{}", options.inputs[j], value,
                          servo->reversed[j] ? "   acts against the sign of its row" : ""));
  }
  reply.say(fmt::format("  their generalised force is {:.6g} times the least one that would do", servo->price));
  Json& json = reply.json()["servo"];
  json["inputs"] = options.inputs;
  json["matrix"] = rows_to_json(servo->D);
  json["control"] = control;
  json["accelerations"] =
      named(model.velocity_names(), {servo->accelerations.data(), static_cast<size_t>(servo->accelerations.size())});
  json["price"] = servo->price;
  Json reversed = Json::array();
  for (size_t j = 0; j < servo->reversed.size(); ++j) {
    if (servo->reversed[j]) reversed.push_back(options.inputs[j]);
  }
  json["reversed"] = reversed;
  return std::nullopt;
}

// What is said about the rows before anything moves.
void tell_rows(const Realization& realization, Reply& reply) {
  const Model& model = realization.model();
  const SlipSystem& system = realization.system;
  const SlipState& at = realization.at;
  Json& json = reply.json();
  Json names = Json::array(), dependent = Json::array(), multipliers = Json::object();
  for (size_t i = 0; i < system.rows().realized.size(); ++i) names.push_back(system.row_name(static_cast<int>(i)));
  for (const int row : at.dependent) dependent.push_back(system.row_name(row));
  const Eigen::VectorXd all = system.multipliers(at, at.r);
  for (const Row& row : model.rows()) {
    if (system.set().find_row(row.index)) multipliers[row.name] = all[row.index];
  }
  json["rows"] = names;
  json["rank"] = at.rank;
  json["dependent"] = dependent;
  json["slip"] = rows_json(realization, realization.slip);
  json["slip_energy"] = realization.slip_energy;
  json["projected"] = named(model.velocity_names(), realization.projected.v);
  json["multipliers"] = multipliers;
  const Eigen::VectorXd accelerations = at.accelerations(at.r);
  json["accelerations"] = named(model.velocity_names(), {accelerations.data(), static_cast<size_t>(accelerations.size())});
  json["slip_inertia"] = at.is_regular() ? rows_to_json(at.sigma) : Json();

  reply.say(fmt::format("{} row{} that forces realize, rank {}; {} permanent", names.size(), names.size() == 1 ? "" : "s",
                        at.rank, at.Jp.rows()));
  reply.say("  row              slip at the start      reaction without slip");
  for (size_t i = 0; i < system.rows().realized.size(); ++i) {
    const Row& row = model.rows()[system.rows().realized[i]];
    reply.say(fmt::format("  {:<16} {:>13.6g} {:<6} {:>14.6g} {}", row.name, realization.slip[static_cast<Eigen::Index>(i)],
                          slip_unit(row), at.r[static_cast<Eigen::Index>(i)] + 0.0, row.unit));
  }
  if (!at.dependent.empty()) {
    std::string list;
    for (const int row : at.dependent) list += (list.empty() ? "" : ", ") + system.row_name(row);
    reply.say(fmt::format(
        "  {} depend on each other: their reactions are not unique, and the smallest are given; --rows leaves one out", list));
  }
  if (realization.slip.norm() > 1e-9)
    reply.say(
        fmt::format("  the motion without slip starts from the nearest such velocity; {:.6g} J less", realization.slip_energy));
}

void warn_about_rows(const Realization& realization, Reply& reply) {
  Diagnostics warnings;
  const ConstraintSet& set = realization.system.set();
  const auto kinds = classify_rows(set, realization.projected, realization.system.workspace());
  for (size_t i = 0; kinds && i < set.rows.size(); ++i) {
    if (set.rows[i].from<EquationRow>() == nullptr || !(*kinds)[i].holonomic) continue;
    warnings.warning("VN-REALIZE-008", {}, set.rows[i].element,
                     fmt::format("row '{}' limits a position, but is kept as a velocity: the position drifts", set.rows[i].name),
                     "a contact, a joint or a motion would keep the position itself");
  }
  if (!realization.system.is_exact() && realization.at.is_regular()) {
    warnings.warning("VN-REALIZE-009", {}, "",
                     "the constants of the certificate come from differences (about 1e-11), not from exact slopes",
                     "contacts on curved surfaces or with laws have no tape");
  }
  reply.tell(warnings);
}

std::optional<Refusal> answer_at_state(const RealizeOptions& options, const Realization& realization, Reply& reply) {
  tell_rows(realization, reply);
  warn_about_rows(realization, reply);
  Json& json = reply.json();
  Json required = Json::object();
  const std::vector<GroupDemand> demands = compute_demands(realization.system, realization.at);
  for (size_t i = 0; i < demands.size(); ++i) {
    if (demands[i].required_friction) required[realization.system.rows().groups[i].name] = *demands[i].required_friction;
  }
  json["required_friction"] = required;
  double A = 0;
  if (realization.at.is_regular()) {
    const auto constants = compute_slip_constants(realization.system, realization.projected);
    if (!constants) return Refusal{constants.failure(), kFailed};
    A = constants->A;
    json["constants"] = {{"rho1", constants->rho1}, {"rho2", constants->rho2}, {"A", constants->A}, {"B", constants->B}};
    json["constants"]["sampled"] = constants->sampled;
    tell_appell(options, realization, reply);
    tell_residual(realization, A, reply);
    if (!options.inputs.empty()) {
      if (auto refusal = tell_servo(options, realization, reply)) return refusal;
    }
  } else {
    json["constants"] = nullptr;
  }
  if (options.until) return std::nullopt;  // the motion has the verdicts
  SampledMotion still(realization.model());
  still.add(realization.projected, std::vector<double>(realization.projected.v.size()));
  const auto history = follow_reactions(realization.system, still);
  if (!history) return Refusal{history.failure(), kFailed};
  tell_group_verdicts(realization, *history, judge_groups(realization.system, *history, realization.slip), {}, reply);
  return std::nullopt;
}

std::optional<Refusal> answer_realize(const RealizeOptions& options, const Model& model, const State& state, Reply& reply) {
  std::optional<SlipLaw> law;
  if (auto refusal = read_law(options.law, law)) return refusal;
  auto rows = choose_slip_rows(model, options.rows);
  if (!rows) return Refusal{rows.failure(), kWrongUsage};
  if (rows->realized.empty()) {
    return Refusal{{"VN-REALIZE-010", "nothing in this model is realized by a force: it has no row that could slip",
                    "give a contact `forbid: [lateral, ..]`, or write `velocity_constraints`"},
                   kFailed};
  }
  const ModelDescription& words = model.description();
  if (!words.strings.empty() || !words.guides.empty()) {
    const std::string name = words.strings.empty() ? "guide '" + words.guides[0].name : "string '" + words.strings[0].name;
    return Refusal{
        {"VN-REALIZE-012", fmt::format("{}' comes and goes on the way, and slip is analysed with rows that stay", name),
         "`simulate --contacts frictional` follows them all; leave it out here, or put a joint in its place"},
        kFailed};
  }
  if (auto refusal = read_bounds(options.bounds, model, *rows)) return refusal;
  if (const auto refusal = check_size_of_matrices(model)) return Refusal{*refusal, kFailed};

  SlipSystem system(model, std::move(*rows));
  if (const auto failure = check_position(system.set(), state)) return Refusal{*failure, kFailed};
  const auto start = system.project_permanent(state);
  if (!start) return Refusal{start.failure(), kFailed};
  const auto slipping = system.compute(*start);
  if (!slipping) return Refusal{slipping.failure(), kFailed};
  const auto projected = system.project(*start);
  if (!projected) return Refusal{projected.failure(), kFailed};
  const auto at = system.compute(*projected);
  if (!at) return Refusal{at.failure(), kFailed};
  const double energy = at->is_regular() ? slipping->slip_energy() : 0;
  const Realization realization{system, *start, *projected, *at, slipping->slip, energy, law};

  reply.json()["verdict"] = "";  // first of all, filled in last
  reply.json()["verdicts"] = Json::array();
  if (auto refusal = answer_at_state(options, realization, reply)) return refusal;
  if (options.spectrum || !options.critical.empty()) {
    if (auto refusal = tell_spectrum(options, realization, reply)) return refusal;
  }
  return options.until ? tell_motion(options, realization, reply) : std::nullopt;
}

int run_realize(const RealizeOptions& options, Reply& reply) {
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
  if (const auto refusal = refuse_guide_friction(*model)) return reply.fail(*refusal);
  if (options.until && !(*options.until > state->t))
    return reply.refuse_usage(fmt::format("--until must be later than the start at t = {:g} s", state->t), "a time in seconds");
  if (const auto refusal = answer_realize(options, *model, *state, reply)) {
    reply.json() = Json::object();
    if (refusal->exit_code == kWrongUsage) return reply.refuse_usage(refusal->failure);
    reply.fail(refusal->failure);
    return refusal->exit_code;
  }
  return reply.finish(kDone);
}

}  // namespace

std::string_view law_word(SlipLawKind kind) {
  return std::find_if(std::begin(kLaws), std::end(kLaws), [&](const LawWord& each) { return each.kind == kind; })->word;
}

std::string slip_unit(const Row& row) { return row.unit == "N" ? "m/s" : row.unit == "N*m" ? "rad/s" : ""; }

Json rows_json(const Realization& realization, const Eigen::VectorXd& values) {
  Json json = Json::object();
  for (Eigen::Index i = 0; i < values.size(); ++i) json[realization.system.row_name(static_cast<int>(i))] = values[i];
  return json;
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

void tell_group_verdicts(const Realization& realization, const ReactionHistory& history, const std::vector<Verdict>& verdicts,
                         const std::vector<std::string>& after, Reply& reply) {
  const SlipRows& rows = realization.system.rows();
  Json list = Json::array();
  reply.say("\nwill it slip?");
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const Verdict& verdict = verdicts[i];
    list.push_back(to_json(verdict));
    std::string line = fmt::format("  {:<16} ", verdict.subject);
    switch (verdict.verdict) {
      case Holds::holds: line += "grips"; break;
      case Holds::violated:
        line +=
            history.groups[i].normal_lost && verdict.first_violation == history.groups[i].normal_lost ? "loses contact" : "slips";
        break;
      case Holds::not_unique: line += "not unique"; break;
      case Holds::impossible: line += "impossible"; break;
      case Holds::not_checked: line += "not checked"; break;
    }
    if (verdict.first_violation) line += fmt::format(" at t = {:.4g} s", *verdict.first_violation);
    if (verdict.margin) line += fmt::format(", margin {:.3g}", *verdict.margin);
    if (i < after.size() && !after[i].empty()) line += "; " + after[i];
    line += ": " + verdict.why;
    const auto& friction = history.groups[i].required_friction;
    if (friction && !rows.groups[i].friction)
      line += fmt::format("; without slip it needs friction {:.4g} (t = {:.4g} s)", friction->value, friction->t);
    reply.say(line);
  }
  reply.json()["verdicts"] = list;
  reply.json()["verdict"] = to_text(worst_verdict(verdicts));
}

void add_realize(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<RealizeOptions>();
  CLI::App* command =
      app.add_subcommand("realize", "will my wheel slip: can forces of limited size keep the velocity constraints");
  command->footer(
      "Rows are lateral and forward of contacts, and velocity constraints. Without --until the state is judged, with it the "
      "motion.\n"
      "example:\n"
      "  vinculum realize car.yaml --until 5                             needs what grip, has it, slips when\n"
      "  vinculum realize sleigh.yaml --bound blade=0.9 --until 12       the motion with that grip, beside the one without slip\n"
      "  vinculum realize sleigh.yaml --bound blade=1.5 --until 1 --certificate    how soon an initial slip is gone, at most\n"
      "  vinculum realize sleigh.yaml --until 2 --sweep viscous=10,100,1000        how fast viscous grip approaches no slip\n"
      "  vinculum realize arm.yaml --inputs elbow                        a programmed motion kept by a motor elsewhere");
  add_model_options(*command, *options);
  command->get_option("model")->required(false);
  const auto list = [&](const char* name, std::vector<std::string>& into, const char* text, const char* type) {
    command->add_option(name, into, text)->delimiter(',')->allow_extra_args(false)->type_name(type);
  };
  list("--rows", options->rows, "rows or contacts to look at; all others are kept whatever it takes", "ROWS");
  command->add_option("--bound", options->bounds, "NAME=VALUE: the largest force of a row or a contact (repeatable)")
      ->type_name("NAME=VALUE");
  command->add_option("--law", options->law, "how the force depends on the slip, instead of what the model says")
      ->type_name("LAW[=NUMBER]");
  command->add_option("--until", options->until, "follow the motion to this time [s]")
      ->type_name("TIME")
      ->transform(time_in_seconds());
  command->add_flag("--certificate", options->certificate, "bound the time in which slip ends, from constants along the motion");
  command->add_option("--samples", options->samples, "instants of the certificate")->capture_default_str();
  command
      ->add_option("--region", options->region, "certificate over a tube of this relative half-width about the motion (a search)")
      ->type_name("FRACTION")
      ->check(CLI::PositiveNumber);
  command->add_option("--within", options->within, "the bounds that would end the slip in this time [s]")
      ->type_name("T")
      ->check(CLI::PositiveNumber);
  command->add_option("--sweep", options->sweep, "viscous=K,K,..: how the motion approaches the one without slip")
      ->type_name("viscous=K,..");
  command->add_option("--completion", options->completion, "quasi-velocities of Appell's form: partition, orthogonal, mass")
      ->check(CLI::IsMember({"partition", "orthogonal", "mass"}))
      ->capture_default_str();
  list("--inputs", options->inputs, "coordinates whose forces keep the rows instead: one for each row", "COORDINATES");
  command->add_flag("--spectrum", options->spectrum, "eigenvalues about a steady motion: without slip, or with --law viscous=K");
  command
      ->add_option("--critical", options->critical,
                   "LO:HI: the viscous coefficient between them at which an oscillation begins to grow")
      ->type_name("LO:HI");
  command->add_option("--tolerance", options->tolerance, "local relative error of a step of the motion")->capture_default_str();
  command->add_option("-o,--output", options->output, "folder for report.html: both paths, and the friction circles")
      ->type_name("DIR");
  command->add_flag("--force", options->force, "replace a page that exists");
  command->add_option("--problem", options->problem, "JSON file with a bare problem instead of a model")->type_name("FILE");
  on_call(*command, options, run_realize, exit_code, asked);
}

}  // namespace vinculum::app
