// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/friction/compare_forms.h"
#include "vinculum/friction/critical_friction.h"
#include "vinculum/friction/find_variants.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_stop.h"
#include "vinculum/model/units.h"
#include "vinculum/page/friction_plot.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

const char* const kProblemHint = "the file is {\"B1\": [[..], ..], \"B2\": .., \"F1\": .., \"F2\": .., \"d\": [..]}, all numbers";

// Throws the message of what is wrong.
struct WrongProblem {
  std::string message;
};

Eigen::VectorXd read_numbers_of(const nlohmann::json& list, const std::string& name) {
  if (!list.is_array()) throw WrongProblem{fmt::format("{} is not a list of numbers", name)};
  Eigen::VectorXd values(static_cast<Eigen::Index>(list.size()));
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number() || !std::isfinite(list[i].get<double>()))
      throw WrongProblem{fmt::format("entry {} of {} is not a finite number", i + 1, name)};
    values[static_cast<Eigen::Index>(i)] = list[i].get<double>();
  }
  return values;
}

VariantProblem read_problem(const std::string& text) {
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& wrong) {
    const auto* const where = dynamic_cast<const nlohmann::json::parse_error*>(&wrong);
    if (where == nullptr) throw WrongProblem{"a number of the problem is beyond 1.8e308"};
    throw WrongProblem{fmt::format("the problem is not valid JSON from character {} on", where->byte)};
  }
  if (!document.is_object()) throw WrongProblem{"the problem is not a JSON object"};
  for (const auto& [key, value] : document.items()) {
    if (key != "B1" && key != "B2" && key != "F1" && key != "F2" && key != "d")
      throw WrongProblem{fmt::format("the key '{}' is unknown", key)};
  }
  VariantProblem problem;
  if (!document.contains("d")) throw WrongProblem{"d is missing"};
  problem.d = read_numbers_of(document["d"], "d");
  const struct {
    const char* name;
    Eigen::MatrixXd& matrix;
  } matrices[] = {{"B1", problem.B1}, {"B2", problem.B2}, {"F1", problem.F1}, {"F2", problem.F2}};
  for (const auto& [name, matrix] : matrices) {
    if (!document.contains(name)) throw WrongProblem{fmt::format("{} is missing", name)};
    const auto& rows = document[name];
    if (!rows.is_array() || static_cast<Eigen::Index>(rows.size()) != problem.d.size())
      throw WrongProblem{fmt::format("{} has not {} rows, one for each entry of d", name, problem.d.size())};
    matrix.resize(problem.d.size(), problem.d.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const Eigen::VectorXd row = read_numbers_of(rows[i], fmt::format("row {} of {}", i + 1, name));
      if (row.size() != problem.d.size())
        throw WrongProblem{fmt::format("row {} of {} has {} entries, not {}", i + 1, name, row.size(), problem.d.size())};
      matrix.row(static_cast<Eigen::Index>(i)) = row.transpose();
    }
  }
  return problem;
}

Json by_pair(const std::vector<std::string>& names, const auto& values) {
  Json json = Json::object();
  for (size_t k = 0; k < names.size(); ++k) json[names[k]] = values[static_cast<Eigen::Index>(k)];
  return json;
}

std::string faces_text(const Faces& faces) {
  std::string text;
  for (const int face : faces) text += fmt::format("{}{}", text.empty() ? "(" : ", ", face);
  return text + ")";
}

void tell_path(const FrictionPath& path, const std::vector<std::string>& names, Reply& reply) {
  using Reason = FrictionPath::Reason;
  Json switches = Json::array(), folds = Json::array();
  for (const auto& change : path.switches)
    switches.push_back({{"scale", change.scale}, {"pair", names[static_cast<size_t>(change.pair)]}, {"face", change.face}});
  for (const double fold : path.folds) folds.push_back(fold);
  const char* const reason = path.reason == Reason::reached ? "reached" : path.reason == Reason::fold ? "fold" : "jam";
  reply.json()["continuation"] = {
      {"connected", path.connected()}, {"end", path.end}, {"reason", reason},
      {"switches", switches},          {"folds", folds},  {"full_path_reaches", path.full_path_reaches}};
  reply.say("");
  reply.say(
      path.reason == Reason::reached ? "as friction grows from zero to its value, the solution"
      : path.reason == Reason::jam
          ? fmt::format("as friction grows from zero, the reactions become infinite at {:.9g} of its value: a jam", path.end)
          : fmt::format("as friction grows from zero, the solution folds back at {:.9g} of its value", path.end));
  for (const auto& change : path.switches)
    reply.say(fmt::format("  changes pair {} to face {} at {:.9g}", names[static_cast<size_t>(change.pair)], change.face,
                          change.scale));
  if (path.reason == Reason::reached) reply.say(path.switches.empty() ? "  keeps its faces" : "  reaches the value of the model");
}

void tell_forms(const VariantProblem& problem, Reply& reply) {
  const OtherForms forms = compare_forms(problem);
  reply.json()["forms"] = {
      {"linear_program",
       {{"feasible", forms.program_feasible}, {"is_variant", forms.program_is_variant}, {"certified", forms.program_certified}}},
      {"gauss_function", forms.least_Z},
      {"lemke", forms.lemke_found}};
  reply.say("\nother forms, for comparison");
  reply.say(fmt::format("  linear program    {}", !forms.program_feasible ? "infeasible: proves that no variant is realised"
                                                  : !forms.program_is_variant
                                                      ? "feasible, but loads both faces of a pair: inconclusive"
                                                  : forms.program_certified ? "a variant, certified"
                                                                            : "a variant"));
  reply.say(fmt::format("  Gauss function    Z = {:.6g}{}", forms.least_Z,
                        forms.least_Z > 0 ? ": inconclusive, this may be a local minimum" : ": a variant"));
  reply.say(fmt::format("  Lemke's pivots    {}", forms.lemke_found ? "a variant" : "none found (inconclusive)"));
}

// Everything that does not need the mechanism.
std::optional<Failure> tell_variants(const VariantProblem& problem, const Variants& variants,
                                     const std::vector<std::string>& names, Reply& reply) {
  Json& json = reply.json();
  json["verdict"] = to_text(variants.verdict);
  json["count"] = variants.solutions().size();
  Json solutions = Json::array();
  std::string list = fmt::format("{}\n", to_text(variants.verdict));
  for (size_t i = 0; i < variants.solutions().size(); ++i) {
    const RealisedVariant& solution = variants.solutions()[i];
    const bool chosen = variants.chosen && *variants.chosen == static_cast<int>(i);
    solutions.push_back({{"faces", by_pair(names, Eigen::Map<const Eigen::VectorXi>(
                                                      solution.faces.data(), static_cast<Eigen::Index>(solution.faces.size())))},
                         {"signed_N", by_pair(names, solution.signed_reactions)},
                         {"accelerations", Json::object()},
                         {"jacobian_sign", solution.jacobian_sign},
                         {"chosen", chosen}});
    list += fmt::format("\nfaces {}{}   sign of the Jacobian {:+d}\n", faces_text(solution.faces), chosen ? ", chosen" : "",
                        solution.jacobian_sign);
    for (size_t k = 0; k < names.size(); ++k)
      list += fmt::format("  {:<16} {:>8} {:>16.9g} N\n", names[k],
                          solution.faces[k] == 0 ? "unloaded" : fmt::format("face {}", solution.faces[k]),
                          std::abs(solution.signed_reactions[static_cast<Eigen::Index>(k)]));
  }
  json["solutions"] = solutions;
  Json families = Json::array();
  for (const VariantFamily& family : variants.enumeration.families) {
    families.push_back({{"faces", by_pair(names, Eigen::Map<const Eigen::VectorXi>(
                                                     family.faces.data(), static_cast<Eigen::Index>(family.faces.size())))},
                        {"signed_N", by_pair(names, family.signed_reactions)}});
    list += fmt::format("\nfaces {}: infinitely many reactions, because the equations are dependent\n", faces_text(family.faces));
  }
  json["families"] = families;
  json["skipped"] = variants.enumeration.skipped;
  json["nodes"] = variants.enumeration.nodes;
  json["sign_sum"] = variants.sign_sum;
  json["pairing_checked"] = !variants.pairing_unchecked;
  if (!list.empty()) list.pop_back();
  reply.say(list);
  if (variants.enumeration.bounded_by_programs)
    reply.say("more than 20 strongly coupled pairs: branches were also ended by linear programs");
  tell_path(variants.path, names, reply);

  const auto critical = find_critical_friction(problem, reply.stop());
  if (!critical && critical.failure().kind() != FailureKind::unsupported) return critical.failure();
  json["critical_friction_scale"] = critical && critical->scale ? Json(*critical->scale) : Json();
  json["critical_friction_computed"] = static_cast<bool>(critical);
  const auto unique = is_unique_for_all_loads(problem);
  json["unique_for_all_loads"] = unique ? Json(*unique) : Json();
  reply.say(!critical         ? critical.failure().message
            : critical->scale ? fmt::format("critical friction: {:.9g} times the friction of the model{}", *critical->scale,
                                            *critical->scale > 1 ? "; below it every load has exactly one variant"
                                                                 : ", some loads have none or several")
                              : "critical friction: none; one variant at any friction");
  if (unique) reply.say(*unique ? "unique for all loads" : "not unique for all loads");
  return std::nullopt;
}

// The end that both ways share.
int finish_variants(const VariantsOptions& options, const VariantProblem& problem, const Variants& variants,
                    const std::vector<std::string>& names, Reply& reply) {
  if (options.compare) tell_forms(problem, reply);
  int exit_code = kDone;
  if (!options.plot.empty()) {
    if (!write_text(options.plot, draw_friction_path(problem, variants, names), options.force, reply, exit_code))
      return exit_code;
    reply.say(fmt::format("wrote {}", options.plot));
  }
  return reply.finish(kDone);
}

int answer_bare_problem(const VariantsOptions& options, Reply& reply) {
  const auto text = reply.read_text(options.problem);
  if (!text) return reply.refuse_usage(fmt::format("'{}' cannot be read", options.problem), kProblemHint);
  VariantProblem problem;
  try {
    problem = read_problem(*text);
  } catch (const WrongProblem& wrong) {
    return reply.fail({"VN-VARIANT-001", wrong.message, kProblemHint});
  }
  const std::vector<std::string> names = number_pairs(problem.pairs());
  const auto variants = find_variants(problem, names, reply.stop());
  if (!variants) return reply.fail(variants.failure());
  if (const auto failure = tell_variants(problem, *variants, names, reply)) return reply.fail(*failure);
  return finish_variants(options, problem, *variants, names, reply);
}

// Loads of the pairs that stick beside those that slide, in a solution: one choice of many that friction can give.
void tell_stuck(const ConstraintSet& set, const GuideHold& hold, Json& solution, Reply& reply) {
  for (size_t i = 0; i < hold.pairs.size(); ++i) {
    const std::string& name = set.model.face_pairs()[hold.pairs[i]].name;
    const double n = hold.signed_reactions[static_cast<Eigen::Index>(i)];
    solution["faces"][name] = n > 0 ? 2 : n < 0 ? 1 : 0;
    solution["signed_N"][name] = n;
    reply.say(fmt::format("  {:<16} sticks on face {} {:>16.9g} N", name, hold.faces[i], std::abs(n)));
  }
}

Json list_stuck(const ConstraintSet& set) {
  Json list = Json::array();
  for (const FacePair& pair : set.model.face_pairs()) {
    if (pair.sticks(set.modes)) list.push_back(pair.name);
  }
  return list;
}

// Every pair sticks while other bodies move: nothing is left to choose.
int answer_all_stuck(const ConstraintSet& set, const State& state, Workspace& workspace, Reply& reply) {
  const auto dynamics = compute_held_dynamics(set, state, workspace);
  if (!dynamics) return reply.fail(dynamics.failure());
  const Eigen::VectorXd& a = dynamics->solution.accelerations;
  const auto hold = find_hold(set, state, a, HoldFaces::as_they_are, workspace);
  if (!hold) return reply.fail(hold.failure());
  Json& json = reply.json();
  json["verdict"] = "unique, all pairs stick";
  json["count"] = 1;
  reply.say("unique: all pairs stick while other bodies move; their loads are one choice of those that hold");
  Json solution = {{"faces", Json::object()}, {"signed_N", Json::object()}, {"jacobian_sign", 0}, {"chosen", true}};
  solution["accelerations"] = named(set.model.velocity_names(), {a.data(), static_cast<size_t>(a.size())});
  tell_stuck(set, *hold, solution, reply);
  json["solutions"] = Json::array({solution});
  json["stuck"] = list_stuck(set);
  json["critical_friction_scale"] = nullptr;
  json["critical_friction_computed"] = false;
  json["unique_for_all_loads"] = nullptr;
  return reply.finish(kDone);
}

// Where nothing slides there are no variants to compare or to draw.
std::optional<Failure> refuse_without_slip(const VariantsOptions& options) {
  if (!options.compare && options.plot.empty()) return std::nullopt;
  return Failure{"VN-USAGE-014",
                 fmt::format("{} has no effect here: no guide slides at this state, so that there is one variant",
                             options.compare ? "--compare" : "--plot"),
                 "give velocities, or a load that friction does not hold"};
}

int answer_model(const VariantsOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = refuse_joint_friction(*model, "the search for variants")) return reply.fail(*refusal);
  if (model->face_pairs().empty())
    return reply.fail({"VN-VARIANT-026", "the model has no guides", "variants are of faces: see `guides` of the model file"});
  Workspace workspace(*model);
  ConstraintSet set(*model, *state);
  const auto rows = compute_constraint_rows(set, *state);
  if (!rows) return reply.fail(rows.failure());
  const bool stands = guides_rest(set, *rows) && compute_energy(*model, *state, workspace).kinetic == 0;
  bool only_wedged = false;
  if (stands) {
    const auto standing = decide_standing(set, *state, workspace);
    if (!standing) return reply.fail(standing.failure());
    const GuideRest& rest = standing->rest;
    only_wedged = standing->answer == Standing::Answer::several;
    if (standing->answer == Standing::Answer::rest) {
      if (const auto refusal = refuse_without_slip(options)) return reply.refuse_usage(*refusal);
      std::vector<std::string> names;
      for (const FacePair& pair : model->face_pairs()) names.push_back(pair.name);
      Json faces = Json::object(), accelerations = Json::object();
      for (size_t k = 0; k < names.size(); ++k) {
        const double n = rest.signed_reactions[static_cast<Eigen::Index>(k)];
        faces[names[k]] = n > 0 ? 2 : n < 0 ? 1 : 0;
      }
      for (const std::string& name : model->velocity_names()) accelerations[name] = 0;
      Json& json = reply.json();
      json["verdict"] = "rest";
      json["count"] = 1;
      json["solutions"] = Json::array({{{"faces", faces},
                                        {"signed_N", by_pair(names, rest.signed_reactions)},
                                        {"accelerations", accelerations},
                                        {"jacobian_sign", 0},
                                        {"chosen", true}}});
      json["critical_friction_scale"] = nullptr;
      json["critical_friction_computed"] = false;
      json["unique_for_all_loads"] = nullptr;
      reply.say("rest: friction holds the load, so nothing slides; one possible set of loaded faces:");
      for (const std::string& name : names) reply.say(fmt::format("  {:<16} face {}", name, faces[name].get<int>()));
      return reply.finish(kDone);
    }
    set.set_modes(standing->modes);
    state = standing->leaving;
  }
  // Points that do not slide though other bodies move go on with a sense, or stick: the variants are those of this choice.
  if (!stands && !list_stopped(set, *rows, kNoSlide * set.model.scales().velocity).empty()) {
    if (const auto failure = choose_faces(set, *state, workspace)) return reply.fail(*failure);
  }
  const Eigen::Index stuck =
      std::ranges::count_if(model->face_pairs(), [&](const FacePair& pair) { return pair.sticks(set.modes); });
  if (stuck == static_cast<Eigen::Index>(model->face_pairs().size())) {
    if (const auto refusal = refuse_without_slip(options)) return reply.refuse_usage(*refusal);
    return answer_all_stuck(set, *state, workspace, reply);
  }
  const auto found = find_guide_variants(set, *state, workspace, reply.stop());
  if (!found) return reply.fail(found.failure());
  const auto& [reduction, variants] = *found;
  if (stands)
    reply.say(
        only_wedged
            ? "several: at rest only if wedged, because opposite faces can press on each other without load. Variants of sliding:"
            : "breakaway: friction does not hold the load. Variants at the start of sliding:");
  if (const auto failure = tell_variants(reduction.problem, variants, reduction.names, reply)) return reply.fail(*failure);
  if (stands)
    reply.json()["verdict"] =
        fmt::format("{}, {}", only_wedged ? "several: rests only if wedged" : "breakaway", to_text(variants.verdict));
  for (size_t i = 0; i < variants.solutions().size(); ++i) {
    const Eigen::VectorXd a = reduction.accelerations(variants.solutions()[i].signed_reactions);
    reply.json()["solutions"][i]["accelerations"] = named(model->velocity_names(), {a.data(), static_cast<size_t>(a.size())});
    const std::vector<std::string> units = state_units(*model).velocities;
    reply.say(fmt::format("\naccelerations with faces {}", faces_text(variants.solutions()[i].faces)));
    for (Eigen::Index k = 0; k < a.size(); ++k)
      reply.say(fmt::format("  {:<16} {:>16.9g} {}^2", model->velocity_names()[static_cast<size_t>(k)], a[k],
                            units[static_cast<size_t>(k)]));
    if (stuck == 0) continue;
    load_faces(set, *rows, reduction.pairs, variants.solutions()[i].signed_reactions, reduction.problem.unit);
    const auto hold = find_hold(set, *state, a, HoldFaces::best, workspace);
    if (!hold) return reply.fail(hold.failure());
    reply.json()["solutions"][i]["holds"] = hold->slack >= 0;
    tell_stuck(set, *hold, reply.json()["solutions"][i], reply);
  }
  reply.json()["stuck"] = list_stuck(set);
  return finish_variants(options, reduction.problem, variants, reduction.names, reply);
}

}  // namespace

int answer_variants(const VariantsOptions& options, Reply& reply) {
  reply.begin_computing();
  if (options.problem.empty() == options.model.empty())
    return reply.refuse_usage("give either a model or --problem FILE", "vinculum variants MODEL");
  return options.problem.empty() ? answer_model(options, reply) : answer_bare_problem(options, reply);
}

}  // namespace vinculum
