// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/core.h>

#include "vinculum/analysis/balance_design.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/files/write_model.h"
#include "vinculum/model/compile_forces.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/simulation/judge_state.h"

namespace vinculum {

namespace {

const std::map<std::string, BalanceProperty> kProperties = {{"static", BalanceProperty::static_balance},
                                                            {"force", BalanceProperty::force},
                                                            {"constant-mass-matrix", BalanceProperty::constant_mass_matrix},
                                                            {"decoupled", BalanceProperty::decoupled},
                                                            {"reactionless", BalanceProperty::reactionless}};

// Takes what stands behind the last `separator` off a text; empty if there is none.
std::string split_off(std::string& text, char separator) {
  const size_t at = text.rfind(separator);
  if (at == std::string::npos) return {};
  std::string tail = text.substr(at + 1);
  text.resize(at);
  return tail;
}

std::optional<std::vector<double>> read_numbers(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value) || (next < end && (*next != ',' || next + 1 == end))) return std::nullopt;
    numbers.push_back(value);
    at = next < end ? next + 1 : end;
  }
  return numbers;
}

// Sites of the command line; throws the message of what is wrong with one.
struct Wrong {
  std::string message, hint;
};

double read_most(const std::string& option, std::string& text) {
  const std::string bound = split_off(text, ':');
  if (bound.empty()) return BalanceSites::kAny;
  const auto most = read_numbers(bound);
  if (!most || most->size() != 1 || (*most)[0] < 0)
    throw Wrong{fmt::format("{}: the bound '{}' is not a number from 0 on", option, bound),
                "write the largest value behind a colon"};
  return (*most)[0];
}

int find_body(const Model& model, const std::string& option, const std::string& name) {
  const auto body = model.find_body(name);
  if (body && *body != kWorld) return *body;
  std::vector<std::string> names;
  for (const Body& known : model.bodies()) names.push_back(known.name);
  const std::string nearest = nearest_name(name, names);
  throw Wrong{fmt::format("{}: there is no body '{}'", option, name),
              nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest)};
}

BalanceSites read_sites(const Model& model, const BalanceOptions& options) {
  BalanceSites sites;
  for (std::string text : options.counterweights) {
    const std::string option = "--counterweight " + text;
    const double most = read_most(option, text);
    const std::string where = split_off(text, '=');
    const auto point = read_numbers(where);
    if (!point || point->size() != 3) throw Wrong{option + " is not BODY=x,y,z", "for example --counterweight arm=-0.2,0,0"};
    sites.counterweights.push_back({find_body(model, option, text), {(*point)[0], (*point)[1], (*point)[2]}, most});
  }
  for (std::string text : options.discs) {
    const std::string option = "--disc " + text;
    const double most = read_most(option, text);
    const int body = find_body(model, option, text);
    if (!find_turning_axis(model, body))
      throw Wrong{fmt::format("{}: the joint of '{}' does not end with a turn about an axis", option, text),
                  "discs turn: choose a body on a revolute joint"};
    sites.discs.push_back({body, most});
  }
  if (!options.springs.empty() && options.property != "static")
    throw Wrong{"--spring is for --property static: springs change forces at rest and no inertia", "leave it out"};
  for (std::string text : options.springs) {
    const std::string option = "--spring " + text;
    const double most = read_most(option, text);
    const auto& forces = model.description().forces;
    const auto found = std::find_if(forces.begin(), forces.end(), [&](const ForceDescription& force) {
      return force.name == text && find_stiffness(force) != nullptr;
    });
    if (found == forces.end())
      throw Wrong{fmt::format("{}: the model has no spring '{}'", option, text), "springs are the forces written with `between`"};
    sites.springs.push_back({static_cast<int>(found - forces.begin()), most});
  }
  return sites;
}

std::vector<int> read_drives(const Model& model, const BalanceOptions& options) {
  std::vector<int> drives;
  for (const std::string& name : options.drives) {
    const auto velocity = model.find_velocity(name);
    if (!velocity)
      throw Wrong{fmt::format("--drive {}: there is no such velocity", name), "`vinculum check MODEL` lists the velocities"};
    drives.push_back(*velocity);
  }
  return drives;
}

void tell_conditions(const BalanceConditions& conditions, Reply& reply) {
  Json list = Json::array();
  bool holds = true;
  std::string impossible;
  for (int i = 0; i < conditions.rank(); ++i) {
    Json terms = Json::object();
    for (Eigen::Index k = 0; k < conditions.C.cols(); ++k) {
      if (conditions.C(i, k) != 0) terms[conditions.parameters[k]] = conditions.C(i, k);
    }
    list.push_back({{"text", conditions.texts[i]},
                    {"terms", terms},
                    {"value", conditions.values[i]},
                    {"holds", static_cast<bool>(conditions.holds[i])},
                    {"impossible", static_cast<bool>(conditions.impossible[i])}});
    const std::string now = conditions.holds[i] ? std::string("holds") : fmt::format("is {:.6g}", conditions.values[i]);
    reply.say(fmt::format("  {:<16} {}", now, conditions.texts[i]));
    holds = holds && conditions.holds[i];
    if (conditions.impossible[i] && impossible.empty())
      impossible = fmt::format("impossible because {}: masses and moments of inertia are positive, and it is {:.6g}",
                               conditions.texts[i], conditions.values[i]);
  }
  Json& json = reply.json();
  json["conditions"] = list;
  json["rank"] = conditions.rank();
  json["gap"] = {{"kept", conditions.kept}, {"dropped", conditions.dropped}};
  json["verdict"] = holds ? "holds" : impossible.empty() ? "violated" : "impossible";
  json["why"] = impossible;
  reply.say(holds ? "the model has the property" : impossible.empty() ? "the model does not have the property" : impossible);
}

struct MeasureLine {
  const char* key;
  const char* text;
  const char* unit;
  double BalanceMeasures::*value;
};
constexpr MeasureLine kMeasures[] = {
    {"holding_force", "force of a drive at rest", "N, N*m", &BalanceMeasures::holding},
    {"shaking_force", "shaking force", "N", &BalanceMeasures::shaking_force},
    {"shaking_moment", "shaking moment", "N*m", &BalanceMeasures::shaking_moment},
    {"mass_matrix_variation", "change of the mass matrix", "kg, kg*m, kg*m^2", &BalanceMeasures::variation},
    {"coupling", "off-diagonal entries of it", "kg, kg*m, kg*m^2", &BalanceMeasures::coupling}};

// The price, and what it buys: by the engine's own laws, before and after.
void tell_effect(const Model& model, const Gears& gears, const BalanceMeasures& before, const BalanceMeasures& after,
                 Reply& reply) {
  Json& design = reply.json()["design"];
  reply.say("\ninertia seen by the drives                before            after");
  for (size_t u = 0; u < gears.independent.size(); ++u) {
    const std::string& name = model.velocity_names()[gears.independent[u]];
    design["drive_inertia"][name] = {{"before", before.inertia[u]}, {"after", after.inertia[u]}};
    reply.say(fmt::format("  {:<30} {:>15.9g} {:>16.9g}", name, before.inertia[u], after.inertia[u]));
  }
  reply.say("largest values in 100 random motions (rates up to one turn per second)");
  for (const MeasureLine& line : kMeasures) {
    design["check"][line.key] = {{"before", before.*line.value}, {"after", after.*line.value}};
    reply.say(fmt::format("  {:<30} {:>15.6g} {:>16.6g} {}", line.text, before.*line.value, after.*line.value, line.unit));
  }
}

// The lines told.
std::vector<std::string> tell_sites(const Model& model, const BalanceSites& sites, const BalanceDesign& design, Reply& reply) {
  std::vector<std::string> lines;
  Json counterweights = Json::array(), discs = Json::object(), springs = Json::object();
  for (size_t i = 0; i < sites.counterweights.size(); ++i) {
    const auto& site = sites.counterweights[i];
    const std::string& body = model.bodies()[site.body].name;
    counterweights.push_back({{"body", body}, {"point", to_json(site.point)}, {"mass", design.masses[i]}});
    lines.push_back(fmt::format("  counterweight on {:<16} {:>14.9g} kg at [{:g}, {:g}, {:g}]", body, design.masses[i],
                                site.point.x, site.point.y, site.point.z));
  }
  for (size_t i = 0; i < sites.discs.size(); ++i) {
    const std::string& body = model.bodies()[sites.discs[i].body].name;
    discs[body] = discs.value(body, 0.0) + design.inertias[i];
    lines.push_back(fmt::format("  disc on {:<25} {:>14.9g} kg m^2 about its axis", body, design.inertias[i]));
  }
  for (size_t i = 0; i < sites.springs.size(); ++i) {
    const std::string& name = model.description().forces[sites.springs[i].force].name;
    springs[name] = design.stiffnesses[i];
    lines.push_back(fmt::format("  spring {:<26} {:>14.9g} N/m", name, design.stiffnesses[i]));
  }
  Json& json = reply.json()["design"];
  json["counterweights"] = counterweights;
  json["discs"] = discs;
  json["springs"] = springs;
  json["added_mass"] = design.added_mass;
  lines.push_back(fmt::format("  added mass {:>36.9g} kg", design.added_mass));
  for (const std::string& line : lines) reply.say(line);
  return lines;
}

// What the model has and no condition knows: drives and given forces other than springs.
void tell_not_considered(const Model& model, Reply& reply) {
  Json list = Json::array();
  std::string text;
  const auto add = [&](const std::string& element) {
    list.push_back(element);
    text += (text.empty() ? "" : ", ") + element;
  };
  for (const MotionDescription& motion : model.description().motions) add(fmt::format("motion of '{}'", motion.coordinate));
  for (const ForceDescription& force : model.description().forces) {
    if (find_stiffness(force) == nullptr) add(fmt::format("force '{}'", force.name));
  }
  reply.json()["not_considered"] = list;
  if (!text.empty()) reply.say("not considered: " + text);
}

}  // namespace

int answer_balance(const BalanceOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  if (const auto refusal = refuse_joint_friction(*model, "balancing")) return reply.fail(*refusal);
  BalanceSites sites;
  std::vector<int> drives;
  try {
    sites = read_sites(*model, options);
    drives = read_drives(*model, options);
  } catch (const Wrong& wrong) {
    return reply.refuse_usage(wrong.message, wrong.hint);
  }
  if (!options.write.empty() && sites.count() == 0)
    return reply.refuse_usage("--write needs something that may be added", "give --counterweight, --disc or --spring");

  const auto gears = find_gears(*model, drives);
  if (!gears) return reply.fail(gears.failure());
  const auto conditions = find_balance_conditions(*model, kProperties.at(options.property), *gears);
  if (!conditions) return reply.fail(conditions.failure());
  reply.json()["property"] = options.property;
  reply.say(fmt::format("conditions for {}: {}", options.property, conditions->rank()));
  tell_conditions(*conditions, reply);
  tell_not_considered(*model, reply);
  reply.json()["design"] = nullptr;
  tell_verdicts(judge_state(*model, model->initial_state()), reply);
  if (sites.count() == 0) return reply.finish(kDone);

  const auto design = design_balance(*model, *conditions, sites);
  if (!design) return reply.fail(design.failure());
  reply.json()["design"] = {{"feasible", design->feasible}};
  if (!design->feasible) {
    reply.json()["design"]["why"] = design->why;
    reply.say("\n" + design->why);
    return reply.finish(kDone);
  }
  reply.say("\ndesign of least added mass");
  std::vector<std::string> heading = tell_sites(*model, sites, *design, reply);
  Diagnostics diagnostics;
  const auto balanced = build_model(design->balanced, diagnostics);
  reply.tell(diagnostics);
  if (!balanced) return reply.finish(kFailed);
  // Counterweights load contacts and drives: the balanced model is judged at the same start.
  const std::vector<Verdict> verdicts = judge_state(*balanced, balanced->initial_state());
  reply.json()["design"]["verdicts"] = Json::array();
  for (const Verdict& verdict : verdicts) reply.json()["design"]["verdicts"].push_back(to_json(verdict));
  if (!verdicts.empty()) reply.say("of the balanced model:");
  say_verdicts(verdicts, reply);
  tell_effect(*model, *gears, measure_balance(*model, *gears), measure_balance(*balanced, *gears), reply);
  if (options.write.empty()) return reply.finish(kDone);

  heading.insert(heading.begin(), fmt::format("{}, balanced: {}", model->name(), options.property));
  if (!write_text(options.write, write_model(design->balanced, heading), options.force, reply, exit_code)) return exit_code;
  reply.say(fmt::format("wrote {}", options.write));
  return reply.finish(kDone);
}

}  // namespace vinculum
