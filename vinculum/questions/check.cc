// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "vinculum/constrained/classification.h"
#include "vinculum/constrained/singular_position.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/constraints/row_source.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/model/sections.h"
#include "vinculum/page/run_report.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

namespace {

std::string join(const std::vector<std::string>& names) {
  constexpr size_t kMost = 40;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kMost; ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kMost) text += fmt::format(", .. ({} in all)", names.size());
  return names.empty() ? "none" : text;
}

// Inertia in every direction, where the size of the model allows an eigenvalue problem.
void report_inertia(const Model& model, const State& state, Reply& reply) {
  constexpr int kLargest = 600;
  if (model.tree().velocities == 0 || model.tree().velocities > kLargest) return;
  Workspace workspace(model);
  const WeakDirection weak = find_weakest_direction(model, compute_mass_matrix(model, state, workspace));
  reply.json()["inertia"] = {{"ratio", weak.ratio}, {"weakest", weak.text}};
  if (weak.ratio > 1e-12) {
    // Which motion is weakest concerns people only where it is weak.
    const std::string which = weak.ratio < 1e-3 ? fmt::format("; weakest direction: {}", weak.text) : "";
    reply.say(fmt::format("inertia        the mass matrix is positive definite{} (smallest relative eigenvalue {:.2g})", which,
                          weak.ratio));
    return;
  }
  Diagnostics diagnostics;
  diagnostics.warning("VN-RUN-002", {}, "",
                      fmt::format("the mass matrix is singular at this state in the direction {}", weak.text),
                      "`inverse` still answers; forward dynamics and simulation are refused there");
  reply.tell(diagnostics);
}

// Does a given law leave its coordinate, or what a contact stands on, not where it is?
bool moves_as_driven(const ConstraintSet& constraints) {
  const Model& model = constraints.model;
  return std::any_of(model.driven().begin(), model.driven().end(),
                     [](const DrivenCoordinate& driven) { return !driven.law.is_constant(); }) ||
         std::any_of(constraints.rows.begin(), constraints.rows.end(),
                     [&](const Row& row) { return !source_of(row).moved_by(model, row).empty(); });
}

// Degrees of freedom, and what the constraints determine: the table of theory 1, section 8. A refusal if they contradict each
// other.
std::optional<Failure> report_constraints(const ConstraintSet& constraints, const State& state, const ConstraintRows& rows,
                                          Reply& reply) {
  std::vector<std::string> names;
  for (const Row& row : constraints.rows) names.push_back(row.name);
  // Given motions alone are unit rows of different velocities: always independent, whatever the inertia.
  RowAnalysis analysis;
  std::optional<MassFactor> mass;
  if (constraints.is_plain_tree()) {
    analysis.rank = static_cast<int>(names.size());
    analysis.determinate.assign(names.size(), true);
  } else {
    Workspace workspace(constraints.model);
    auto factor = factorize_mass_matrix(constraints, compute_mass_matrix(constraints.model, state, workspace), rows.D);
    if (!factor) return factor.failure();
    mass = std::move(*factor);
    analysis = analyse_rows(mass->factor, rows);
  }
  std::vector<std::string> redundant, undetermined;
  for (size_t i = analysis.rank; i < analysis.order.size(); ++i) redundant.push_back(names[analysis.order[i]]);
  Json determinate = Json::object();
  for (size_t i = 0; i < names.size(); ++i) {
    determinate[names[i]] = static_cast<bool>(analysis.determinate[i]);
    if (!analysis.determinate[i]) undetermined.push_back(names[i]);
  }
  const int freedoms = static_cast<int>(constraints.model.velocity_names().size()) - analysis.rank;
  Json& json = reply.json();
  json["constraints"] = names;
  json["rank"] = analysis.rank;
  json["degrees_of_freedom"] = freedoms;
  json["redundant"] = redundant;
  json["determinate"] = determinate;
  reply.say(fmt::format("constraints    {}: {}", names.size(), join(names)));
  if (!names.empty())
    reply.say(fmt::format("rank           {} of {} (relative tolerance {:g})", analysis.rank, names.size(),
                          RowAnalysis::kRankTolerance));
  reply.say(fmt::format("DOF            {}", freedoms));
  if (constraints.is_plain_tree()) {
    reply.say("reactions      all determined: the bodies form a tree");
    return std::nullopt;
  }
  const auto singular = find_singular_position(constraints, state, rows, mass->factor, analysis);
  if (undetermined.empty()) {
    reply.say("reactions      all determined");
  } else {
    reply.say(singular ? fmt::format("dependent      {}: only in this position, see below", join(redundant))
                       : fmt::format("redundant      {}: can be removed without changing the motion", join(redundant)));
    reply.say(
        fmt::format("reactions      not determined: {}; `evaluate` gives those of smallest Euclidean norm", join(undetermined)));
  }
  if (freedoms == 0)
    reply.say(moves_as_driven(constraints) ? "               all motion is given by the driven coordinates"
                                           : "               the mechanism cannot move");
  WeakestConstraint weakest = find_weakest_constraint(constraints, mass->factor, rows, analysis);
  if (singular) weakest.ratio = 0;
  json["singularity"] = {{"ratio", weakest.ratio}, {"motion", weakest.motion}};
  constexpr double kNearSingular = 1e-4;
  json["position"] = singular ? "singular" : "regular";
  if (singular) {
    reply.say(fmt::format("position       singular: {} depend on each other only here, so several motions pass through it",
                          singular->names));
  } else if (weakest.ratio < kNearSingular) {
    Diagnostics diagnostics;
    diagnostics.warning("VN-CONTACT-014", {}, "",
                        fmt::format("the position is nearly singular (smallest singular value {:.2g} of the largest): the motion "
                                    "{} is almost free",
                                    weakest.ratio, weakest.motion),
                        "reactions grow without bound near it; start farther away");
    reply.tell(diagnostics);
  } else {
    reply.say(fmt::format("position       regular: smallest singular value {:.2g} of the largest", weakest.ratio));
  }
  return check_consistent(constraints, rows, analysis);
}

// What kind of constraint each row is.
void report_kinds(const ConstraintSet& constraints, const State& state, Reply& reply) {
  constexpr int kLargest = 200;
  if (constraints.is_plain_tree() || constraints.model.tree().velocities > kLargest) return;
  Workspace workspace(constraints.model);
  const auto kinds = classify_rows(constraints, state, workspace);
  if (!kinds) return;
  Json json = Json::object();
  reply.say("\nkinds of constraints");
  for (size_t i = 0; i < kinds->size(); ++i) {
    const RowKind& kind = (*kinds)[i];
    json[constraints.rows[i].name] = {{"holonomic", kind.holonomic}, {"stationary", kind.stationary}, {"text", kind.text}};
    reply.say(fmt::format("  {:<20} {}", constraints.rows[i].name, kind.text));
  }
  reply.json()["kinds"] = json;
}

// Joints that have a name beside their body's.
void list_joint_names(const Model& model, Reply& reply) {
  Json names = Json::object();
  std::vector<std::string> words;
  for (const BodyDescription& body : model.description().bodies) {
    if (body.joint.name->empty()) continue;
    names[*body.joint.name] = body.name;
    words.push_back(fmt::format("{} = {}", *body.joint.name, body.name));
  }
  if (words.empty()) return;
  reply.json()["joint_names"] = names;
  reply.say(fmt::format("joint names    {}: {}", words.size(), join(words)));
}

// What else is in the model: every element of every section by name.
void list_elements(const Model& model, Reply& reply) {
  Json& json = reply.json()["elements"] = Json::object();
  for (const auto& [key, words, names] : list_sections(model)) {
    if (names.empty()) continue;
    json[key] = names;
    reply.say(fmt::format("{:<14} {}: {}", words, names.size(), join(names)));
  }
}

// --assemble: the start put together, and a warning if that can be done in several ways.
std::optional<State> report_assembly(const Model& model, const State& start, const ProjectOptions& options, Reply& reply,
                                     int& exit_code) {
  const auto held = load_held(options, model, reply, exit_code);
  if (!held) return std::nullopt;
  Workspace workspace(model);
  ConstraintSet set(model);
  set.leave_out(list_held_joints(model));
  auto assembly = assemble(set, start, workspace, *held);
  if (!assembly) {
    exit_code = reply.fail(assembly.failure());
    return std::nullopt;
  }
  look_for_others(set, workspace, *assembly);
  reply.say(!options.hold.empty()
                ? fmt::format("assembled      with {} held, as near to the start as possible", join(options.hold))
            : assembly->keeps_start ? fmt::format("assembled      with {} held", join(assembly->held))
                                    : "assembled      as near to the start as possible");
  tell_change(model, start, assembly->state, assembly->keeps_start ? assembly->held : options.hold, "change", reply);
  Json others = Json::array();
  for (const State& other : assembly->others) others.push_back(to_json(model, other));
  reply.json()["assembly"] = {{"state", to_json(model, assembly->state)}, {"held", assembly->held}, {"others", others}};
  if (!assembly->others.empty()) {
    const State& other = assembly->others.front();
    std::vector<std::string> where;
    for (size_t i = 0; i < other.q.size(); ++i) {
      if (std::abs(other.q[i] - assembly->state.q[i]) > 1e-6)
        where.push_back(fmt::format("{} = {:.6g}", model.coordinate_names()[i], other.q[i]));
    }
    if (where.size() > 6) where.resize(6), where.push_back("..");
    Diagnostics diagnostics;
    diagnostics.warning("VN-CONTACT-015", {}, "",
                        fmt::format("there are at least {} assemblies with the same {}; another one: {}",
                                    1 + assembly->others.size(), join(assembly->held), join(where)),
                        "the one nearest to the start is taken; start near the one that is meant");
    reply.tell(diagnostics);
  }
  return assembly->state;
}

}  // namespace

int answer_check(const CheckOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;

  std::vector<std::string> bodies;
  for (const Body& body : model->bodies()) bodies.push_back(body.name);
  Json& json = reply.json();
  json["name"] = model->name();
  json["bodies"] = bodies;
  json["coordinates"] = model->coordinate_names();
  json["velocities"] = model->velocity_names();
  std::vector<std::string> inputs;
  for (const Input& input : model->inputs()) inputs.push_back(input.name);
  json["inputs"] = inputs;
  reply.say(fmt::format("model          {}", model->name().empty() ? options.model : model->name()));
  reply.say(fmt::format("bodies         {}: {}", bodies.size(), join(bodies)));
  reply.say(fmt::format("coordinates    {}: {}", model->coordinate_names().size(), join(model->coordinate_names())));
  reply.say(fmt::format("velocities     {}: {}", model->velocity_names().size(), join(model->velocity_names())));
  list_joint_names(*model, reply);
  list_elements(*model, reply);

  if (options.project && !(state = report_assembly(*model, *state, options, reply, exit_code))) return exit_code;
  if (!options.page.empty()) {
    const auto written = write_pose_report(options.page, *model, *state, options.model);
    if (!written) return reply.fail(written.failure());
    json["page"] = options.page;
    reply.say(fmt::format("page           {}: the mechanism with a slider for every coordinate", options.page));
  }
  report_inertia(*model, *state, reply);
  ConstraintSet constraints(*model, *state);
  constraints.leave_out(list_held_joints(*model));
  const auto rows = compute_constraint_rows(constraints, *state);
  if (!rows) return reply.fail(rows.failure());
  if (const auto failure = report_constraints(constraints, *state, *rows, reply)) return reply.fail(*failure);
  if (const auto violation = check_residuals(constraints, list_residuals(constraints, *rows), 1e-8))
    return reply.fail(*violation);
  report_kinds(constraints, *state, reply);
  reply.say("the model is sound");
  return reply.finish(kDone);
}

}  // namespace vinculum
