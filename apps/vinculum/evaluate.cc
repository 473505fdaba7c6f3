// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/constrained_forms.h"
#include "vinculum/constraints/singular_position.h"
#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/environment.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/vector_form.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/model/units.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/simulation/run.h"

namespace vinculum::app {

namespace {

struct EvaluateOptions : ModelOptions, ProjectOptions {
  std::string form = "recursive";
  double residual = 1e-8;
};

void add_kinematics(const Model& model, const State& state, Workspace& workspace, Reply& reply) {
  Json poses = Json::object(), twists = Json::object();
  const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
  for (size_t i = 0; i < motions.size(); ++i) {
    const std::string& name = model.bodies()[i].name;
    append(poses, name, {{"position", to_json(motions[i].p_WB)}, {"quaternion", to_json(to_quaternion(motions[i].R_WB))}});
    const auto& [linear, angular] = motions[i].V_WB_W;
    append(twists, name, {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z});
  }
  reply.json()["poses"] = poses;
  reply.json()["twists"] = twists;
  std::vector<double> scratch;
  Json environment = Json::object();
  for (const EnvironmentBody& body : model.environment()) {
    const EnvironmentMotion motion = compute_environment_motion(body, state.t, scratch);
    environment[body.name] = {{"position", to_json(motion.p_WE)},
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

// A and h of  A v' + h = tau + Dᵀ lambda, by each of the forms, and what the form shows besides.
void add_recursive_equations(const Model& model, const State& state, Workspace& workspace, Reply& reply) {
  constexpr int kLargest = 2000;
  const int n = model.tree().velocities;
  if (n <= kLargest) reply.json()["mass_matrix"] = rows_of(compute_mass_matrix(model, state, workspace));
  const std::vector<double> zero(n, 0.0);
  reply.json()["bias"] = named(model.velocity_names(), compute_inverse_dynamics(model, state, zero, workspace).forces);
}

void add_vector_equations(const Model& model, const State& state, Workspace& workspace, Reply& reply) {
  const std::vector<double> zero(model.tree().velocities, 0.0);
  const VectorForm form = compute_vector_form(model, state, zero, compute_given_forces(model, state, workspace));
  reply.json()["mass_matrix"] = rows_of(compute_mass_matrix(form));
  reply.json()["bias"] = named(model.velocity_names(), form.forces);

  Json subsystems = Json::object();
  reply.say(
      "\nsubsystems: a body and all it carries, about the body's pole, world axes\n"
      "                     mass [kg]     static moment [kg*m]: x          y          z   kinetic moment [kg*m^2/s]: x          "
      "y          z");
  const std::vector<SubsystemQuantities> quantities = compute_subsystem_quantities(model, form);
  for (size_t i = 0; i < quantities.size(); ++i) {
    const SubsystemQuantities& q = quantities[i];
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

void add_aggregate_equations(const Model& model, const State& state, Workspace& workspace, Reply& reply) {
  const AggregateForm form = compute_aggregate_form(model, state, compute_given_forces(model, state, workspace));
  const Equations equations = form.equations();
  reply.json()["mass_matrix"] = rows_of(equations.mass_matrix);
  reply.json()["bias"] = named(model.velocity_names(), equations.bias);
  Json structural_matrix = Json::object();
  for (size_t k = 0; k < model.bodies().size(); ++k) {
    Json rows = Json::array();
    for (int i = 0; i < 6; ++i) {
      const Eigen::VectorXd row = form.S_T.row(6 * k + i);
      rows.push_back(named(model.velocity_names(), {row.data(), static_cast<size_t>(row.size())}));
    }
    structural_matrix[model.bodies()[k].name] = rows;
  }
  reply.json()["structural_matrix"] = structural_matrix;
  reply.json()["B"] = rows_of(form.B);
}

Outcome<ConstrainedDynamics> compute_by_recursion(const ConstraintSet& constraints, const State& state, ConstraintRows,
                                                  Workspace& workspace) {
  return compute_constrained_dynamics(constraints, state, workspace);
}

// One way to write the equations of motion.
struct Form {
  std::string name;
  void (*add_equations)(const Model&, const State&, Workspace&, Reply&);
  Outcome<ForwardDynamics> (*compute_dynamics)(const Model&, const State&, Workspace&);
  Outcome<ConstrainedDynamics> (*compute_with_rows)(const ConstraintSet&, const State&, ConstraintRows, Workspace&);
};
const Form kForms[] = {
    {"recursive", add_recursive_equations, compute_forward_dynamics, compute_by_recursion},
    {"vector", add_vector_equations, compute_vector_dynamics, compute_constrained_vector_dynamics},
    {"aggregate", add_aggregate_equations, compute_aggregate_dynamics, compute_constrained_aggregate_dynamics}};

// The rows of contacts and given motions, D v = F and D v' = gamma, and how far the state is off them.
void add_constraints(const ConstraintSet& constraints, const ConstraintRows& rows, Reply& reply) {
  Json jacobian = Json::object(), rhs = Json::object(), gamma = Json::object(), residual = Json::object(), slip = Json::object();
  for (size_t k = 0; k < constraints.rows.size(); ++k) {
    const std::string& name = constraints.rows[k].name;
    const Eigen::Index i = static_cast<Eigen::Index>(k);
    const Eigen::VectorXd row = rows.D.row(i);
    jacobian[name] = named(constraints.model.velocity_names(), {row.data(), static_cast<size_t>(row.size())});
    rhs[name] = rows.F[i];
    gamma[name] = rows.gamma[i];
  }
  for (const RowResidual& entry : list_residuals(constraints, rows)) residual[entry.row] = to_json(entry);
  for (const ContactAxisName& entry : list_slip_axes(constraints.model.contacts()))
    slip[entry.name] = rows.contacts[entry.contact].rate[static_cast<int>(entry.axis)];
  Json contacts = Json::object();
  for (size_t k = 0; k < constraints.model.contacts().size(); ++k) {
    const Contact& contact = constraints.model.contacts()[k];
    const ContactState& at = rows.contacts[k];
    const Json axes = {{"normal", to_json(at.E_W.x)}, {"lateral", to_json(at.E_W.y)}, {"forward", to_json(at.E_W.z)}};
    contacts[contact.name] = {{"body", constraints.model.bodies()[contact.body].name},
                              {"with", *constraints.model.description().contacts[k].with},
                              {"point", to_json(at.point_W)},
                              {"axes", axes}};
  }
  Json& json = reply.json();
  json["constraint_jacobian"] = jacobian;
  json["constraint_rhs"] = rhs;
  json["constraint_gamma"] = gamma;
  json["constraint_residual"] = residual;
  json["slip"] = slip;
  json["contacts"] = contacts;
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
      "\nreactions: parent on child through the joint, about the child's pole, world axes\n"
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
  const StateUnits units = state_units(model);
  Json& multipliers = reply.json()["multipliers"];
  if (multipliers.is_null()) multipliers = Json::object();
  if (!model.driven().empty()) reply.say("\ndriving forces");
  for (size_t k = 0; k < model.driven().size(); ++k) {
    const std::string row = "motion:" + model.coordinate_names()[model.driven()[k].q];
    multipliers[row] = dynamics.driving_forces[k];
    reply.say(fmt::format("  {:<16} {:>16.9g} {}", row, dynamics.driving_forces[k], units.forces[model.driven()[k].v]));
  }
}

// Reactions of the contacts: row by row, and as a wrench about the point of contact in three sets of axes.
void add_contact_reactions(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, Reply& reply) {
  Json& json = reply.json();
  const RowAnalysis& analysis = dynamics.solution.analysis;
  json["rank"] = analysis.rank;
  reply.say(fmt::format("\nconstraints: {} rows, rank {}{}", constraints.rows.size(), analysis.rank,
                        analysis.is_independent() ? "" : "; undetermined reactions: the choice of smallest Euclidean norm"));
  for (size_t k = 0; k < constraints.rows.size(); ++k) {
    const Row& row = constraints.rows[k];
    const double multiplier = dynamics.solution.multipliers[static_cast<Eigen::Index>(k)];
    json["multipliers"][row.name] = multiplier;
    json["determinate"][row.name] = static_cast<bool>(analysis.determinate[k]);
    if (row.from<MotionRow>()) continue;
    reply.say(fmt::format("  {:<24} {:>16.9g} {:<4}{}", row.name, multiplier, row.unit,
                          analysis.determinate[k] ? "" : "not determined"));
  }
  json["contact_forces"] = Json::object();
  for (const ContactForces::Law& law : dynamics.forces.laws) {
    json["contact_forces"][law.name] = law.force;
    reply.say(fmt::format("  {:<24} {:>16.9g} {:<4}by its law", law.name, law.force, is_angular(law.axis) ? "N*m" : "N"));
  }
  if (constraints.model.contacts().empty()) return;
  reply.say(
      "\nreactions of contacts on their bodies, about the point of contact, world axes\n"
      "                           force [N]: x              y              z     moment [N*m]: x              y              z");
  for (size_t k = 0; k < constraints.model.contacts().size(); ++k) {
    const ContactReaction& reaction = dynamics.reactions[k];
    const std::string& name = constraints.model.contacts()[k].name;
    json["contacts"][name]["reaction"] = {
        {"contact", to_json(reaction.contact)}, {"body", to_json(reaction.body)}, {"world", to_json(reaction.world)}};
    const Wrench& r = reaction.world;
    reply.say(fmt::format("  {:<16}   {:>14.6g} {:>14.6g} {:>14.6g}   {:>14.6g} {:>14.6g} {:>14.6g}", name, r.force.x, r.force.y,
                          r.force.z, r.moment.x, r.moment.y, r.moment.z));
  }
}

void add_balances(const Model& model, const State& state, Workspace& workspace, Reply& reply) {
  const Energy energy = compute_energy(model, state, workspace);
  const Momentum momentum = compute_momentum(model, state, workspace);
  reply.json()["energy"] = {{"kinetic", energy.kinetic}, {"potential", energy.potential}};
  reply.json()["momentum"] = {
      {"linear", to_json(momentum.linear)}, {"angular", to_json(momentum.angular)}, {"central", to_json(momentum.central)}};
  reply.say(fmt::format("\nenergy           kinetic {:.9g} J, potential {:.9g} J", energy.kinetic, energy.potential));
  reply.say(fmt::format(
      "momentum         linear [{:.6g}, {:.6g}, {:.6g}] kg m/s, angular about the origin [{:.6g}, {:.6g}, {:.6g}] kg m^2/s",
      momentum.linear.x, momentum.linear.y, momentum.linear.z, momentum.angular.x, momentum.angular.y, momentum.angular.z));
}

// Can the elements do what is asked of them at this state.
void add_verdicts(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, const State& state, Workspace& workspace,
                  Reply& reply) {
  StateJudge judge(constraints);
  judge.look(state, dynamics, workspace);
  tell_verdicts(judge.judge(), reply);
}

// That the motion is not unique is an answer, not an error.
int answer_not_unique(const Failure& reason, Reply& reply) {
  Verdict verdict;
  verdict.subject = "accelerations";
  verdict.verdict = Holds::not_unique;
  verdict.why = reason.message;
  reply.json()["verdict"] = to_text(verdict.verdict);
  reply.json()["verdicts"] = Json::array({to_json(verdict)});
  reply.say(fmt::format("\naccelerations    not unique: {}\n  hint: {}", reason.message, reason.hint));
  return reply.finish(kDone);
}

int run_evaluate(const EvaluateOptions& options) {
  Reply reply(options.json);
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = check_supported(*model)) return reply.fail(*refusal);
  if (options.form != EvaluateOptions{}.form) {
    if (const auto refusal = check_size_of_matrices(*model)) return reply.fail(*refusal);
  }
  if (options.project && !(state = project_start(ConstraintSet(*model, *state), *state, options, reply, exit_code)))
    return exit_code;

  const Form& form =
      *std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& known) { return known.name == options.form; });
  reply.json()["t"] = state->t;
  reply.json()["form"] = form.name;
  reply.json()["velocities"] = model->velocity_names();
  reply.say(fmt::format("state            t = {:g} s", state->t));
  reply.say(fmt::format("equations        {} form", form.name));
  Workspace workspace(*model);
  add_kinematics(*model, *state, workspace, reply);
  form.add_equations(*model, *state, workspace, reply);
  add_balances(*model, *state, workspace, reply);
  const ConstraintSet constraints(*model, *state);
  const auto rows = compute_constraint_rows(constraints, *state);
  if (!rows) return reply.fail(rows.failure());
  add_constraints(constraints, *rows, reply);
  if (const auto contradiction = find_contradiction(constraints, *state, *rows, workspace)) return reply.fail(*contradiction);
  if (const auto violation = check_residuals(constraints, list_residuals(constraints, *rows), options.residual))
    return reply.fail(*violation);
  if (constraints.is_plain_tree()) {
    const auto dynamics = form.compute_dynamics(*model, *state, workspace);
    if (!dynamics) return reply.fail(dynamics.failure());
    add_dynamics(*model, *dynamics, reply);
    add_driving_forces(*model, *dynamics, reply);
    if (!model->joint_limits().empty()) {
      if (const auto with_rows = compute_constrained_dynamics(constraints, *state, workspace))
        add_verdicts(constraints, *with_rows, *state, workspace, reply);
    }
    return reply.finish(kDone);
  }
  if (const auto singular = check_regular_position(constraints, *state, workspace)) return reply.fail(*singular);
  const auto dynamics = form.compute_with_rows(constraints, *state, *rows, workspace);
  if (!dynamics) {
    if (dynamics.failure().code == kNotUnique || dynamics.failure().code == kSeveralWithFriction)
      return answer_not_unique(dynamics.failure(), reply);
    return reply.fail(dynamics.failure());
  }
  add_dynamics(*model, dynamics->dynamics, reply);
  add_contact_reactions(constraints, *dynamics, reply);
  add_verdicts(constraints, *dynamics, *state, workspace, reply);
  add_driving_forces(*model, dynamics->dynamics, reply);
  return reply.finish(kDone);
}

}  // namespace

void add_evaluate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand("evaluate", "everything at one state: accelerations, reactions, mass matrix, energy");
  command->footer(
      "example:\n  vinculum evaluate crane.yaml --set boom=0.5\n  vinculum evaluate crane.yaml --state state.json --json");
  add_model_options(*command, *options);
  command->add_option("--form", options->form, "equations to use")
      ->check(CLI::IsMember({"recursive", "vector", "aggregate"}))
      ->capture_default_str();
  add_project_options(*command, *options);
  command->add_option("--residual", options->residual, "largest constraint residual accepted [SI]")->capture_default_str();
  command->callback([options, &exit_code] { exit_code = run_evaluate(*options); });
}

}  // namespace vinculum::app
