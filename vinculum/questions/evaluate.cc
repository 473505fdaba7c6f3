// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/model/units.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/evaluation.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

void add_kinematics(const Model& model, const Evaluation& evaluation, Reply& reply) {
  Json poses = Json::object(), twists = Json::object();
  const std::vector<BodyMotion>& motions = evaluation.motions;
  for (size_t i = 0; i < motions.size(); ++i) {
    const std::string& name = model.bodies()[i].name;
    append(poses, name, {{"position", to_json(motions[i].p_WB)}, {"quaternion", to_json(to_quaternion(motions[i].R_WB))}});
    const auto& [linear, angular] = motions[i].V_WB_W;
    append(twists, name, {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z});
  }
  reply.json()["poses"] = poses;
  reply.json()["twists"] = twists;
  Json environment = Json::object();
  for (size_t i = 0; i < model.environment().size(); ++i) {
    const EnvironmentMotion& motion = evaluation.environment[i];
    environment[model.environment()[i].name] = {{"position", to_json(motion.p_WE)},
                                                {"quaternion", to_json(to_quaternion(motion.R_WE))},
                                                {"velocity", to_json(motion.velocity.linear)},
                                                {"angular_velocity", to_json(motion.velocity.angular)},
                                                {"acceleration", to_json(motion.acceleration.linear)},
                                                {"angular_acceleration", to_json(motion.acceleration.angular)}};
  }
  reply.json()["environment"] = environment;
}

Json rows_of(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise()) rows.push_back(std::vector<double>(row.begin(), row.end()));
  return rows;
}

// What the form `vector` shows: a body and all it carries.
void add_subsystems(const Model& model, const EvaluatedEquations& equations, Reply& reply) {
  Json subsystems = Json::object();
  reply.say(
      "\nsubsystems: a body and all it carries, about the body origin, world axes\n"
      "                     mass [kg]     static moment [kg*m]: x          y          z   kinetic moment [kg*m^2/s]: x          "
      "y          z");
  for (size_t i = 0; i < equations.subsystems.size(); ++i) {
    const SubsystemQuantities& q = equations.subsystems[i];
    const std::string& name = model.bodies()[i].name;
    Json tensors = Json::object();
    for (const auto& [j, J] : q.tensors_W) tensors[model.bodies()[j].name] = to_json(J);
    subsystems[name] = {{"mass", q.mass},
                        {"static_moment", to_json(q.static_moment_W)},
                        {"kinetic_moment", to_json(q.kinetic_moment_W)},
                        {"tensors", tensors},
                        {"augmented_static_moment", to_json(q.augmented_static_moment_B)},
                        {"augmented_inertia", to_json(to_matrix(q.augmented_inertia_B))}};
    const Vector3 &m = q.static_moment_W, &H = q.kinetic_moment_W;
    reply.say(
        fmt::format("  {:<16} {:>11.6g}              {:>11.5g}{:>11.5g}{:>11.5g}                    {:>11.5g}{:>11.5g}{:>11.5g}",
                    name, q.mass, m.x, m.y, m.z, H.x, H.y, H.z));
  }
  reply.json()["subsystems"] = subsystems;
}

// What the form `aggregate` shows.
void add_structural_matrix(const Model& model, const EvaluatedEquations& equations, Reply& reply) {
  Json structural_matrix = Json::object();
  for (size_t k = 0; k < model.bodies().size(); ++k) {
    Json rows = Json::array();
    for (int i = 0; i < 6; ++i) {
      const Eigen::VectorXd row = equations.S_T.row(6 * k + i);
      rows.push_back(named(model.velocity_names(), {row.data(), static_cast<size_t>(row.size())}));
    }
    structural_matrix[model.bodies()[k].name] = rows;
  }
  reply.json()["structural_matrix"] = structural_matrix;
  reply.json()["B"] = rows_of(equations.B);
}

void add_equations(const Model& model, const std::string& form, const EvaluatedEquations& equations, Reply& reply) {
  if (equations.mass_matrix) reply.json()["mass_matrix"] = rows_of(*equations.mass_matrix);
  reply.json()["bias"] = named(model.velocity_names(), equations.bias);
  if (form == "vector") add_subsystems(model, equations, reply);
  if (form == "aggregate") add_structural_matrix(model, equations, reply);
}

// What the rows' sources tell besides multipliers, in the objects they name: of the state alone, or with a solution.
void add_row_quantities(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, bool is_solution, Reply& reply) {
  const std::vector<RowQuantity> quantities = list_row_quantities(constraints.model);
  const std::vector<double> values = compute_row_quantities(constraints, dynamics);
  for (size_t i = 0; i < quantities.size(); ++i) {
    const RowQuantity& quantity = quantities[i];
    if (quantity.needs_solution != is_solution) continue;
    reply.json()[quantity.answer][quantity.name] = values[i];
    if (is_solution)
      reply.say(fmt::format("  {:<24} {:>16.9g} {:<4}{}", quantity.name, values[i], quantity.unit, quantity.remark));
  }
}

// The rows, D v = F and D v' = gamma, how far the state is off them, and where their elements are.
void add_constraints(const ConstraintSet& constraints, const ConstraintRows& rows, Reply& reply) {
  Json jacobian = Json::object(), rhs = Json::object(), gamma = Json::object(), residual = Json::object();
  for (size_t k = 0; k < constraints.rows.size(); ++k) {
    const std::string& name = constraints.rows[k].name;
    const Eigen::Index i = static_cast<Eigen::Index>(k);
    const Eigen::VectorXd row = rows.D.row(i);
    jacobian[name] = named(constraints.model.velocity_names(), {row.data(), static_cast<size_t>(row.size())});
    rhs[name] = rows.F[i];
    gamma[name] = rows.gamma[i];
  }
  for (const RowResidual& entry : list_residuals(constraints, rows)) residual[entry.row] = to_json(entry);
  Json& json = reply.json();
  json["constraint_jacobian"] = jacobian;
  json["constraint_rhs"] = rhs;
  json["constraint_gamma"] = gamma;
  json["constraint_residual"] = residual;
  for (const RowAnswer& answer : list_row_answers()) json[std::string(answer.name)] = Json::object();
  ConstrainedDynamics unsolved;
  unsolved.rows = rows;
  unsolved.forces = compute_contact_forces(constraints, rows);
  add_row_quantities(constraints, unsolved, false, reply);
  const std::vector<RowElement> elements = list_row_elements(constraints.model);
  const std::vector<RowElementAt> placed = place_row_elements(constraints, rows);
  for (size_t k = 0; k < elements.size(); ++k) {
    Json& told = json[elements[k].answer][elements[k].name];
    for (const auto& [word, value] : elements[k].words) told[word] = value;
    told["point"] = to_json(placed[k].point_W);
    for (int i = 0; i < 3; ++i) told["axes"][elements[k].axes[i]] = to_json(placed[k].E_W.column(i));
  }
}

void add_dynamics(const Model& model, const ForwardDynamics& dynamics, Reply& reply) {
  Json& json = reply.json();
  json["accelerations"] = named(model.velocity_names(), dynamics.accelerations);
  json["joint_forces"] = named(model.velocity_names(), dynamics.joint_forces);
  const StateUnits units = state_units(model);
  reply.say("\naccelerations");
  for (size_t i = 0; i < dynamics.accelerations.size(); ++i) {
    const std::string& unit = units.velocities[i];
    reply.say(fmt::format("  {:<16} {:>16.9g} {}^2", model.velocity_names()[i], dynamics.accelerations[i], unit));
  }
  Json reactions = Json::object();
  reply.say(
      "\nreactions: parent on child through the joint, about the child's body origin, world axes\n"
      "                           force [N]: x              y              z     moment [N*m]: x              y              z");
  for (size_t i = 0; i < model.bodies().size(); ++i) {
    const Wrench& r = dynamics.reactions_W[i];
    append(reactions, model.bodies()[i].name, to_json(r));
    reply.say(fmt::format("  {:<16}   {:>14.6g} {:>14.6g} {:>14.6g}   {:>14.6g} {:>14.6g} {:>14.6g}", model.bodies()[i].name,
                          r.force.x, r.force.y, r.force.z, r.moment.x, r.moment.y, r.moment.z));
  }
  json["reactions"] = reactions;
}

void add_driving_forces(const Model& model, const ForwardDynamics& dynamics, Reply& reply) {
  Json& multipliers = reply.json()["multipliers"];
  if (multipliers.is_null()) multipliers = Json::object();
  if (!dynamics.driving_forces.empty()) reply.say("\ndriving forces");
  size_t k = 0;
  for (const Row& row : model.rows()) {
    if (!row.is_drive) continue;
    const double force = dynamics.driving_forces[k++];
    multipliers[row.name] = force;
    reply.say(fmt::format("  {:<16} {:>16.9g} {}", row.name, force, row.unit));
  }
}

// Reactions row by row, and as the wrench of an element about its point in three sets of axes.
void add_row_reactions(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, Reply& reply) {
  Json& json = reply.json();
  const RowAnalysis& analysis = dynamics.solution.analysis;
  json["rank"] = analysis.rank;
  reply.say(fmt::format("\nconstraints: {} equation{}, rank {}{}", constraints.rows.size(),
                        constraints.rows.size() == 1 ? "" : "s", analysis.rank,
                        analysis.is_independent() ? ""
                        : analysis.order.empty()  ? "; at rest: one of the load distributions that friction allows"
                                                  : "; undetermined reactions: those of smallest Euclidean norm"));
  for (size_t k = 0; k < constraints.rows.size(); ++k) {
    const Row& row = constraints.rows[k];
    const double multiplier = dynamics.solution.multipliers[static_cast<Eigen::Index>(k)];
    json["multipliers"][row.name] = multiplier;
    json["determinate"][row.name] = static_cast<bool>(analysis.determinate[k]);
    if (row.is_drive) continue;
    reply.say(fmt::format("  {:<24} {:>16.9g} {:<4}{}", row.name, multiplier, row.unit,
                          analysis.determinate[k] ? "" : "not determined"));
  }
  add_row_quantities(constraints, dynamics, true, reply);
  const std::vector<RowElement> elements = list_row_elements(constraints.model);
  const std::vector<ElementReaction> reactions = list_element_reactions(dynamics);
  for (size_t k = 0; k < elements.size(); ++k) {
    const RowElement& element = elements[k];
    if (k == 0 || element.answer != elements[k - 1].answer)
      reply.say(fmt::format(
          "\nreactions of {} on their bodies, about the point of {}, world axes\n{:>36}: x{:>15}{:>15}{:>20}: x{:>15}{:>15}",
          element.answer, element.kind, "force [N]", "y", "z", "moment [N*m]", "y", "z"));
    json[element.answer][element.name]["reaction"] = {
        {element.kind, to_json(reactions[k].own)}, {"body", to_json(reactions[k].body)}, {"world", to_json(reactions[k].world)}};
    const Wrench& r = reactions[k].world;
    reply.say(fmt::format("  {:<16}   {:>14.6g} {:>14.6g} {:>14.6g}   {:>14.6g} {:>14.6g} {:>14.6g}", element.name, r.force.x,
                          r.force.y, r.force.z, r.moment.x, r.moment.y, r.moment.z));
  }
}

void add_balances(const Energy& energy, const Momentum& momentum, Reply& reply) {
  reply.json()["energy"] = {{"kinetic", energy.kinetic}, {"potential", energy.potential}};
  reply.json()["momentum"] = {
      {"linear", to_json(momentum.linear)}, {"angular", to_json(momentum.angular)}, {"central", to_json(momentum.central)}};
  reply.say(fmt::format("\nenergy           kinetic {:.9g} J, potential {:.9g} J", energy.kinetic, energy.potential));
  reply.say(fmt::format(
      "momentum         linear [{:.6g}, {:.6g}, {:.6g}] kg m/s, angular about the origin [{:.6g}, {:.6g}, {:.6g}] kg m^2/s",
      momentum.linear.x, momentum.linear.y, momentum.linear.z, momentum.angular.x, momentum.angular.y, momentum.angular.z));
}

void add_outputs(const Evaluation& evaluation, Reply& reply) {
  if (evaluation.no_outputs) reply.say(fmt::format("\noutputs          {}", evaluation.no_outputs->message));
  if (!evaluation.outputs) return;
  reply.json()["outputs"] = to_json(*evaluation.outputs);
  reply.say("\noutputs");
  for (const OutputValue& output : *evaluation.outputs)
    reply.say(fmt::format("  {:<24} {:>16.9g}{}", output.name, output.value, behind_number(output.unit)));
}

// That the motion is not unique is an answer, not an error.
int answer_not_unique(const Verdict& verdict, Reply& reply) {
  reply.json()["verdict"] = to_text(verdict.verdict);
  reply.json()["verdicts"] = Json::array({to_json(verdict)});
  reply.say(fmt::format("\naccelerations    not unique: {}\n  hint: {}", verdict.why, verdict.hint));
  return reply.finish(kDone);
}

void add_guides(const ConstraintSet& constraints, GuidesThere there, Reply& reply) {
  static constexpr const char* kWords[] = {"rest", "several", "breakaway", "slide"};
  static constexpr const char* kTexts[] = {"rest: friction holds the load", "several: rest only if wedged; sliding is chosen",
                                           "at rest, start to slide", "slide"};
  reply.json()["guides"] = kWords[static_cast<int>(there)];
  reply.say(fmt::format("\nguides           {}", kTexts[static_cast<int>(there)]));
  Json faces = Json::object(), stuck = Json::array();
  for (const FacePair& pair : constraints.model.face_pairs()) {
    const int mode = constraints.modes[pair.mode];
    faces[pair.name] = mode == kFace1 ? 1 : mode == kFace2 ? 2 : 0;
    const bool sticks = pair.sticks(constraints.modes);
    if (sticks) stuck.push_back(pair.name);
    reply.say(
        fmt::format("  {:<24} {}{}", pair.name, constraints.model.modes()[pair.mode].words[mode], sticks ? ", sticks" : ""));
  }
  reply.json()["stuck"] = stuck;
  reply.json()["faces"] = faces;
}

}  // namespace

int answer_evaluate(const EvaluateOptions& options, Reply& reply) {
  int ending = kDone;
  const auto model = load_model(options, reply, ending);
  if (!model) return ending;
  auto state = load_state(options, *model, reply, ending);
  if (!state) return ending;
  if (options.form != EvaluateOptions{}.form) {
    if (const auto refusal = check_size_of_matrices(*model)) return reply.fail(*refusal);
  }
  if (options.project && !(state = project_start(ConstraintSet(*model, *state), *state, options, reply, ending))) return ending;

  const Evaluation evaluation = evaluate_state(*model, *state, options.form, options.residual);
  reply.json()["t"] = state->t;
  reply.json()["form"] = options.form;
  reply.json()["velocities"] = model->velocity_names();
  reply.say(fmt::format("state            t = {:g} s", state->t));
  reply.say(fmt::format("equations        {} form", options.form));
  add_kinematics(*model, evaluation, reply);
  add_equations(*model, options.form, evaluation.equations, reply);
  add_balances(evaluation.energy, evaluation.momentum, reply);
  if (evaluation.rows) add_constraints(evaluation.constraints, *evaluation.rows, reply);
  if (evaluation.guides) add_guides(evaluation.set(), *evaluation.guides, reply);
  if (evaluation.failure) return reply.fail(*evaluation.failure);
  if (evaluation.not_unique) return answer_not_unique(*evaluation.not_unique, reply);

  add_dynamics(*model, evaluation.dynamics->dynamics, reply);
  if (evaluation.is_plain_tree()) {
    add_driving_forces(*model, evaluation.dynamics->dynamics, reply);
    add_outputs(evaluation, reply);
    if (evaluation.verdicts) tell_verdicts(*evaluation.verdicts, reply);
    return reply.finish(kDone);
  }
  add_row_reactions(evaluation.set(), *evaluation.dynamics, reply);
  if (evaluation.verdicts) tell_verdicts(*evaluation.verdicts, reply);
  add_driving_forces(*model, evaluation.dynamics->dynamics, reply);
  add_outputs(evaluation, reply);
  return reply.finish(kDone);
}

}  // namespace vinculum
