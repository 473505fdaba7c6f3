// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include <fmt/core.h>

#include "vinculum/constrained/inverse_with_rows.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/files/read_motion.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/model/units.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/simulation/judge_state.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

namespace {

void tell_reactions(const Model& model, const std::vector<Wrench>& reactions_W, Reply& reply) {
  Json reactions = Json::object();
  reply.say("\nreactions: parent on child through the joint, about the child's body origin, world axes");
  for (size_t i = 0; i < model.bodies().size(); ++i) {
    const Wrench& r = reactions_W[i];
    append(reactions, model.bodies()[i].name, to_json(r));
    reply.say(fmt::format("  {:<16} force [{:.6g}, {:.6g}, {:.6g}] N, moment [{:.6g}, {:.6g}, {:.6g}] N*m",
                          model.bodies()[i].name, r.force.x, r.force.y, r.force.z, r.moment.x, r.moment.y, r.moment.z));
  }
  reply.json()["reactions"] = reactions;
}

// Drives everywhere: no row is left to carry anything.
std::vector<int> list_velocities(const Model& model) {
  std::vector<int> all(model.velocity_names().size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

ConstraintSet rows_beside_all(const Model& model) { return rows_beside_drives(model, list_velocities(model)); }

// A motion without rows, for those who judge it.
ConstrainedDynamics moved_as_given(const std::vector<double>& accelerations) {
  ConstrainedDynamics motion;
  motion.dynamics.accelerations = accelerations;
  motion.solution.accelerations = Eigen::Map<const Eigen::VectorXd>(accelerations.data(), std::ssize(accelerations));
  return motion;
}

// What drives supply beyond the passive laws: A a + h - tau_passive.
InverseDynamics compute_drives(const Model& model, const State& state, const std::vector<double>& accelerations,
                               Workspace& workspace) {
  InverseDynamics inverse = compute_inverse_dynamics(model, state, accelerations, workspace);
  const std::vector<double> passive = compute_passive_forces(model, state);
  for (size_t i = 0; i < passive.size(); ++i) inverse.forces[i] -= passive[i];
  return inverse;
}

int answer_state(const Model& model, const State& state, const std::vector<double>& accelerations, Reply& reply) {
  Workspace workspace(model);
  const InverseDynamics inverse = compute_drives(model, state, accelerations, workspace);
  const StateUnits units = state_units(model);
  reply.say("forces: what the drives must supply for these accelerations");
  for (size_t i = 0; i < inverse.forces.size(); ++i) {
    reply.say(fmt::format("  {:<16} {:>16.9g} {}", model.velocity_names()[i], inverse.forces[i], units.forces[i]));
  }
  reply.json()["forces"] = named(model.velocity_names(), inverse.forces);
  tell_reactions(model, inverse.reactions_W, reply);
  const ConstraintSet no_rows = rows_beside_all(model);
  tell_verdicts(judge_state(no_rows, state, moved_as_given(accelerations), workspace, inverse.forces), reply);
  return reply.finish(kDone);
}

// Columns of a table: forces, multipliers, then the reactions of every joint.
std::string table_header(const Model& model, const std::vector<int>& drives, const ConstraintSet& set) {
  const StateUnits units = state_units(model);
  std::string header = "t [s]";
  for (const int v : drives) header += fmt::format(",force({}) [{}]", model.velocity_names()[v], units.forces[v]);
  for (const Row& row : set.rows) header += fmt::format(",{} [{}]", row.name, row.unit);
  for (const Body& body : model.bodies()) {
    for (const char* axis : {"x", "y", "z"}) header += fmt::format(",{}.force.{} [N]", body.name, axis);
    for (const char* axis : {"x", "y", "z"}) header += fmt::format(",{}.moment.{} [N*m]", body.name, axis);
  }
  return header;
}

// Forces, multipliers and reactions along a whole motion: lists over time in the JSON, a table in the file.
class ForcesOverTime {
 public:
  ForcesOverTime(const Model& model, const std::vector<int>& drives, const ConstraintSet& set)
      : model_(model), drives_(drives), set_(set), table_(table_header(model, drives, set) + "\n"), peaks_(drives.size(), 0.0) {
    multipliers_ = Json::object();
    forces_ = Json::object();
  }

  void add(double t, const std::vector<double>& forces, const Eigen::VectorXd& multipliers,
           const std::vector<Wrench>& reactions) {
    times_.push_back(t);
    table_ += fmt::format("{}", t);
    for (size_t i = 0; i < forces.size(); ++i) {
      forces_[model_.velocity_names()[drives_[i]]].push_back(forces[i]);
      table_ += fmt::format(",{}", forces[i]);
      peaks_[i] = std::max(peaks_[i], std::abs(forces[i]));
    }
    for (Eigen::Index i = 0; i < multipliers.size(); ++i) {
      multipliers_[set_.rows[i].name].push_back(multipliers[i]);
      table_ += fmt::format(",{}", multipliers[i]);
    }
    for (size_t i = 0; i < model_.bodies().size(); ++i) {
      const auto& [force, moment] = reactions[i];
      reactions_[model_.bodies()[i].name]["force"].push_back(to_json(force));
      reactions_[model_.bodies()[i].name]["moment"].push_back(to_json(moment));
      table_ += fmt::format(",{},{},{},{},{},{}", force.x, force.y, force.z, moment.x, moment.y, moment.z);
    }
    table_ += "\n";
  }

  int finish(const InverseOptions& options, const GivenMotion& motion, Reply& reply) {
    reply.json()["t"] = times_;
    reply.json()["forces"] = forces_;
    if (!set_.rows.empty()) reply.json()["multipliers"] = multipliers_;
    reply.json()["reactions"] = reactions_;
    reply.json()["differentiated"] = motion.differentiated;
    if (find_non_finite(reply.json())) return reply.finish(kDone);  // which refuses it: no table of it either
    if (!options.output.empty()) {
      int exit_code = kDone;
      if (!write_text(options.output, table_, options.force, reply, exit_code)) return exit_code;
      reply.say(fmt::format("wrote {}: {} rows", options.output, motion.states.size()));
    }
    if (motion.differentiated)
      reply.say("velocities or accelerations that the table does not give were taken from a cubic spline");
    const StateUnits units = state_units(model_);
    reply.say("largest forces along the motion");
    for (size_t i = 0; i < peaks_.size(); ++i)
      reply.say(fmt::format("  {:<16} {:>14.6g} {}", model_.velocity_names()[drives_[i]], peaks_[i], units.forces[drives_[i]]));
    return reply.finish(kDone);
  }

 private:
  const Model& model_;
  const std::vector<int>& drives_;
  const ConstraintSet& set_;
  Json times_ = Json::array(), forces_, multipliers_, reactions_ = Json::object();
  std::string table_;
  std::vector<double> peaks_;
};

int answer_motion(const InverseOptions& options, const Model& model, const GivenMotion& motion, Reply& reply) {
  Workspace workspace(model);
  const std::vector<int> all = list_velocities(model);
  const ConstraintSet no_rows = rows_beside_all(model);
  ForcesOverTime course(model, all, no_rows);
  StateJudge judge(no_rows);
  for (size_t row = 0; row < motion.states.size(); ++row) {
    const InverseDynamics inverse = compute_drives(model, motion.states[row], motion.accelerations[row], workspace);
    course.add(motion.states[row].t, inverse.forces, {}, inverse.reactions_W);
    judge.look(motion.states[row], moved_as_given(motion.accelerations[row]), workspace, inverse.forces);
  }
  tell_verdicts(judge.judge(), reply);
  return course.finish(options, motion, reply);
}

// How far the motion is off each row: in position, velocity and acceleration.
void add_residuals(const ConstraintSet& set, const ConstraintRows& rows, const std::vector<double>& accelerations, Reply& reply) {
  const Eigen::VectorXd by_acceleration = compute_acceleration_residuals(rows, accelerations);
  Json residuals = Json::object();
  for (const RowResidual& entry : list_residuals(set, rows)) residuals[entry.row] = to_json(entry);
  for (size_t i = 0; i < set.rows.size(); ++i)
    residuals[set.rows[i].name]["acceleration"] = by_acceleration[static_cast<Eigen::Index>(i)];
  reply.json()["constraint_residual"] = residuals;
}

void tell_uniqueness(const ConstraintSet& set, const InverseWithRows& inverse, Reply& reply) {
  Json determinate = Json::object();
  std::string undetermined;
  const auto entry = [&](const std::string& name, bool determined) {
    determinate[name] = determined;
    if (!determined) undetermined += (undetermined.empty() ? "" : ", ") + name;
  };
  for (size_t i = 0; i < inverse.drives.size(); ++i) entry(set.model.velocity_names()[inverse.drives[i]], inverse.determined[i]);
  for (size_t i = 0; i < set.rows.size(); ++i) entry(set.rows[i].name, inverse.motion.solution.analysis.determinate[i]);
  reply.json()["determinate"] = determinate;
  reply.json()["unique"] = inverse.is_unique();
  if (inverse.is_unique()) return;
  reply.say(fmt::format("\nnot unique: more drives and constraints than the motion needs; undetermined: {}", undetermined));
  reply.say("  chosen are the forces of the drives of smallest Euclidean norm, and with them such multipliers");
}

void tell_multipliers(const ConstraintSet& set, const InverseWithRows& inverse, Reply& reply) {
  const StateUnits units = state_units(set.model);
  const auto& determinate = inverse.motion.solution.analysis.determinate;
  Json multipliers = Json::object();
  if (!set.rows.empty()) reply.say("\nmultipliers: constraint forces on the body of their element");
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const double value = inverse.motion.solution.multipliers[static_cast<Eigen::Index>(i)];
    multipliers[set.rows[i].name] = value;
    reply.say(fmt::format("  {:<24} {:>16.9g} {:<4}{}", set.rows[i].name, value, set.rows[i].unit,
                          determinate[i] ? "" : "not determined"));
  }
  reply.json()["multipliers"] = multipliers;
  for (const RowAnswer& answer : list_row_answers()) {
    if (answer.holds_forces) reply.json()[std::string(answer.name)] = Json::object();
  }
  const std::vector<RowQuantity> quantities = list_row_quantities(set.model);
  const std::vector<double> values = compute_row_quantities(set, inverse.motion);
  for (size_t i = 0; i < quantities.size(); ++i) {
    const RowQuantity& quantity = quantities[i];
    if (!quantity.needs_solution) continue;
    reply.json()[quantity.answer][quantity.name] = values[i];
    reply.say(fmt::format("  {:<24} {:>16.9g} {:<4}{}", quantity.name, values[i], quantity.unit, quantity.remark));
  }
}

// At rest friction of a joint gives or takes up to its bound: the drive may supply anything between these.
using ForceRanges = std::vector<std::optional<std::array<double, 2>>>;
ForceRanges list_ranges(const InverseWithRows& inverse) {
  ForceRanges ranges;
  for (size_t i = 0; i < inverse.drives.size(); ++i) {
    const double force = inverse.forces[i], friction = inverse.friction[i];
    ranges.push_back(friction > 0 ? std::optional(std::array{force - friction, force + friction}) : std::nullopt);
  }
  return ranges;
}

// Multipliers of `listed` from those of `set`; where friction slides, its force.
Eigen::VectorXd multipliers_of(const ConstraintSet& listed, const ConstraintSet& set, const ConstrainedDynamics& motion) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(listed.rows.size()));
  for (size_t i = 0; i < listed.rows.size(); ++i) {
    const auto row = set.find_row(listed.rows[i].index);
    double& value = values[static_cast<Eigen::Index>(i)] = row ? motion.solution.multipliers[*row] : 0;
    for (const ContactForces::Slip& slip : motion.forces.slips) {
      if (slip.row == listed.rows[i].index) value = slip.force;
    }
  }
  return values;
}

// The velocities that "a" of the state file names.
std::vector<int> list_given_accelerations(const InverseOptions& options, const Model& model, Reply& reply) {
  std::vector<int> given;
  const Json document =
      options.state.empty() ? Json::object() : Json::parse(reply.read_text(options.state).value_or("{}"), nullptr, false);
  if (!document.is_object() || !document.contains("a")) return given;
  for (const auto& [name, value] : document["a"].items()) {
    if (const auto velocity = model.find_velocity(name)) given.push_back(*velocity);
  }
  return given;
}

// --project: state and accelerations onto the rows, those of given motions among them. What "a" names is kept all the same, and
// the rest changes as little as possible.
bool project_motion(const InverseOptions& options, const ConstraintSet& set, const std::vector<int>& drives, State& state,
                    std::vector<double>& accelerations, Reply& reply, int& exit_code) {
  const auto projected = project_start(ConstraintSet(set.model, state), state, options, reply, exit_code);
  if (!projected) return false;
  state = *projected;
  std::vector<int> held = list_given_accelerations(options, set.model, reply);
  const auto is_in = [](const std::vector<int>& list, int v) { return std::find(list.begin(), list.end(), v) != list.end(); };
  Bindings bindings;
  bindings.time = state.t;
  for (const DrivenCoordinate& driven : set.model.driven()) {
    if (is_in(held, driven.v) || !is_in(drives, driven.v)) continue;
    accelerations[driven.v] = evaluate(driven.acceleration, bindings);
    held.push_back(driven.v);
  }
  Workspace workspace(set.model);
  if (const auto failure = move_onto_rows(set, state, held, accelerations, workspace)) {
    exit_code = reply.fail(*failure);
    return false;
  }
  reply.json()["accelerations"] = named(set.model.velocity_names(), accelerations);
  return true;
}

// The forces of some drives, one a velocity.
std::vector<double> spread(const Model& model, const std::vector<int>& drives, const std::vector<double>& forces) {
  std::vector<double> all(model.velocity_names().size(), 0.0);
  for (size_t i = 0; i < drives.size(); ++i) all[drives[i]] = forces[i];
  return all;
}

int answer_state_with_rows(const InverseOptions& options, const Model& model, const std::vector<int>& drives, State state,
                           std::vector<double> accelerations, Reply& reply) {
  Workspace workspace(model);
  int exit_code = kDone;
  choose_joint_slips(model, accelerations, state);
  if (options.project) {
    const ConstraintSet before = rows_beside_drives(model, drives, &state);
    if (!project_motion(options, before, drives, state, accelerations, reply, exit_code)) return exit_code;
    choose_joint_slips(model, accelerations, state);
  }
  const ConstraintSet set = rows_beside_drives(model, drives, &state);
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return reply.fail(rows.failure());
  add_residuals(set, *rows, accelerations, reply);
  if (const auto contradiction = find_contradiction(set, state, *rows, workspace)) return reply.fail(*contradiction);
  if (const auto violation = check_residuals(set, list_residuals(set, *rows), options.residual)) return reply.fail(*violation);
  if (const auto forbidden = check_accelerations(set, *rows, accelerations, options.residual)) return reply.fail(*forbidden);
  const auto inverse = compute_inverse_with_rows(set, drives, state, accelerations, workspace);
  if (!inverse) return reply.fail(inverse.failure());
  if (const auto lacking = check_supplied(model, *inverse, inverse->size, options.residual)) return reply.fail(*lacking);

  const StateUnits units = state_units(model);
  Json forces = Json::object(), names = Json::array();
  reply.say("forces: what the drives must supply for these accelerations");
  for (size_t i = 0; i < drives.size(); ++i) {
    const std::string& name = model.velocity_names()[drives[i]];
    forces[name] = inverse->forces[i];
    names.push_back(name);
    reply.say(fmt::format("  {:<16} {:>16.9g} {:<4}{}", name, inverse->forces[i], units.forces[drives[i]],
                          inverse->determined[i] ? "" : "not determined"));
  }
  reply.json()["drives"] = names;
  reply.json()["forces"] = forces;
  const ForceRanges ranges = list_ranges(*inverse);
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (!ranges[i]) continue;
    const auto [least, most] = *ranges[i];
    const std::string& name = model.velocity_names()[drives[i]];
    reply.json()["range"][name] = {least, most};
    reply.say(
        fmt::format("  {:<16} at rest, with friction: from {:.9g} to {:.9g} {}", name, least, most, units.forces[drives[i]]));
  }
  tell_multipliers(set, *inverse, reply);
  tell_uniqueness(set, *inverse, reply);
  tell_reactions(model, inverse->motion.dynamics.reactions_W, reply);
  tell_verdicts(judge_state(set, state, inverse->motion, workspace, spread(model, drives, inverse->forces)), reply);
  return reply.finish(kDone);
}

// What a spline supplies is off the rows by its own error: velocities and accelerations are moved onto them, and it is said by
// how much. What is more than this is no error of a spline.
constexpr double kSplineError = 1e-3;

int answer_motion_with_rows(const InverseOptions& options, const Model& model, const std::vector<int>& drives, GivenMotion motion,
                            Reply& reply) {
  const ConstraintSet listed = rows_beside_drives(model, drives);
  Workspace workspace(model);
  ForcesOverTime course(model, drives, listed);
  const double allowed = motion.differentiated ? kSplineError : options.residual;
  StateJudge judge(listed);
  std::vector<InverseWithRows> answers;
  double size = 0, moved = 0;
  bool unique = true;
  std::vector<Json> ranges(drives.size(), Json::array());  // null while it slides
  const auto at = [&](const Failure& failure, double t) {
    return reply.fail({failure.code, fmt::format("at t = {:.6g} s {}", t, failure.message), failure.hint});
  };
  for (size_t k = 0; k < motion.states.size(); ++k) {
    State& state = motion.states[k];
    std::vector<double>& accelerations = motion.accelerations[k];
    choose_joint_slips(model, accelerations, state);
    const ConstraintSet set = rows_beside_drives(model, drives, &state);
    auto rows = compute_constraint_rows(set, state);
    if (!rows) return at(rows.failure(), state.t);
    std::vector<RowResidual> residuals = list_residuals(set, *rows);
    if (motion.differentiated) {
      for (RowResidual& residual : residuals) {
        moved = std::max(moved, std::abs(residual.velocity));
        if (std::abs(residual.velocity) <= kSplineError) residual.velocity = 0;
      }
    }
    if (const auto violation = check_residuals(set, residuals, options.residual)) return at(*violation, state.t);
    if (const auto forbidden = check_accelerations(set, *rows, accelerations, allowed)) return at(*forbidden, state.t);
    if (motion.differentiated && !set.rows.empty()) {
      moved = std::max(moved, compute_acceleration_residuals(*rows, accelerations).lpNorm<Eigen::Infinity>());
      if (const auto failure = project_velocities(set, state, workspace)) return at(*failure, state.t);
      if (const auto failure = move_onto_rows(set, state, {}, accelerations, workspace)) return at(*failure, state.t);
    }
    auto inverse = compute_inverse_with_rows(set, drives, state, accelerations, workspace);
    if (!inverse) return at(inverse.failure(), state.t);
    size = std::max(size, inverse->size);
    unique = unique && inverse->is_unique();
    judge.look(state, inverse->motion, workspace, spread(model, drives, inverse->forces), &set);
    course.add(state.t, inverse->forces, multipliers_of(listed, set, inverse->motion), inverse->motion.dynamics.reactions_W);
    const ForceRanges at_rest = list_ranges(*inverse);
    for (size_t i = 0; i < at_rest.size(); ++i)
      ranges[i].push_back(at_rest[i] ? Json({(*at_rest[i])[0], (*at_rest[i])[1]}) : Json());
    inverse->motion = {};
    answers.push_back(std::move(*inverse));
  }
  double missing = 0;
  for (size_t k = 0; k < answers.size(); ++k) {
    if (const auto lacking = check_supplied(model, answers[k], size, allowed)) return at(*lacking, motion.states[k].t);
    if (answers[k].missing.size() > 0) missing = std::max(missing, answers[k].missing.lpNorm<Eigen::Infinity>());
  }
  reply.json()["drives"] = Json::array();
  for (const int drive : drives) reply.json()["drives"].push_back(model.velocity_names()[drive]);
  reply.json()["unique"] = unique;
  reply.json()["missing"] = missing;
  for (size_t i = 0; i < drives.size(); ++i) {
    const bool rests = std::ranges::any_of(ranges[i], [](const Json& range) { return !range.is_null(); });
    if (rests) reply.json()["range"][model.velocity_names()[drives[i]]] = ranges[i];
  }
  if (motion.differentiated)
    reply.say(
        fmt::format("the spline violated the constraints by up to {:.2g} (m/s^2 or rad/s^2) and lacked drive forces of up to "
                    "{:.2g} (N or N*m)",
                    moved, missing));
  if (!unique)
    reply.say("not unique: more drives and constraints than the motion needs; the forces of smallest Euclidean norm are given");
  tell_verdicts(judge.judge(), reply);
  return course.finish(options, motion, reply);
}

// The drives of --drives: coordinates, or velocities with or without their prime.
std::optional<std::vector<int>> find_drives(const InverseOptions& options, const Model& model, Reply& reply, int& exit_code) {
  std::vector<int> drives;
  for (const std::string& name : options.drives) {
    auto velocity = model.find_velocity(name);
    if (!velocity) velocity = model.find_velocity(name + "'");
    if (!velocity) {
      const std::string nearest = nearest_name(name + "'", model.velocity_names());
      exit_code =
          reply.refuse_usage(fmt::format("--drives: there is no '{}' in the model", name),
                             nearest.empty() ? "`vinculum check` lists the names" : fmt::format("did you mean {}?", nearest));
      return std::nullopt;
    }
    if (std::find(drives.begin(), drives.end(), *velocity) == drives.end()) drives.push_back(*velocity);
  }
  std::sort(drives.begin(), drives.end());
  return options.drives.empty() ? choose_drives(model) : drives;
}

}  // namespace

int answer_inverse(const InverseOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  std::vector<double> accelerations(model->velocity_names().size(), 0.0);
  const auto state = load_state(options, *model, reply, exit_code, &accelerations);
  if (!state) return exit_code;
  if (const auto refusal = refuse_guide_friction(*model)) return reply.fail(*refusal);
  const auto drives = find_drives(options, *model, reply, exit_code);
  if (!drives) return exit_code;
  // A tree alone needs no decision: the force on every velocity follows from the motion.
  const bool with_rows = !model->is_plain_tree() || !options.drives.empty() || options.project;
  if (with_rows) {
    if (const auto refusal = check_size_of_matrices(*model)) return reply.fail(*refusal);
  }
  if (options.motion.empty()) {
    return with_rows ? answer_state_with_rows(options, *model, *drives, *state, accelerations, reply)
                     : answer_state(*model, *state, accelerations, reply);
  }
  Diagnostics diagnostics(options.motion);
  auto motion = read_motion(options.motion, *model, diagnostics);
  reply.tell(diagnostics);
  if (!motion) return reply.finish(kWrongUsage);
  if (const auto refusal = refuse_sets_of_motion(*model, options.sets, motion->given)) return reply.refuse_usage(*refusal);
  return with_rows ? answer_motion_with_rows(options, *model, *drives, std::move(*motion), reply)
                   : answer_motion(options, *model, *motion, reply);
}

}  // namespace vinculum
