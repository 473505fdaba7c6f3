// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/environment.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/vector_form.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/model/units.h"
#include "vinculum/simulation/run.h"

namespace vinculum::app {

namespace {

struct EvaluateOptions : ModelOptions {
  std::string form = "recursive";
  double residual = 1e-8;
};

void add_kinematics(const Model& model, const State& state, Workspace& workspace, Reply& reply) {
  Json poses = Json::object(), twists = Json::object();
  const std::vector<BodyMotion> motions = compute_body_motions(model, state, workspace);
  for (size_t i = 0; i < motions.size(); ++i) {
    const std::string& name = model.bodies()[i].name;
    poses[name] = {{"position", to_json(motions[i].p_WB)}, {"quaternion", to_json(to_quaternion(motions[i].R_WB))}};
    const auto& [linear, angular] = motions[i].V_WB_W;
    twists[name] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
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

// One way to write the equations of motion.
struct Form {
  std::string name;
  void (*add_equations)(const Model&, const State&, Workspace&, Reply&);
  Outcome<ForwardDynamics> (*compute_dynamics)(const Model&, const State&, Workspace&);
};
const Form kForms[] = {{"recursive", add_recursive_equations, compute_forward_dynamics},
                       {"vector", add_vector_equations, compute_vector_dynamics},
                       {"aggregate", add_aggregate_equations, compute_aggregate_dynamics}};

// Rows of given motions: v_i = law'(t).
void add_constraints(const Model& model, const State& state, const std::vector<ConstraintResidual>& residuals, Reply& reply) {
  Json jacobian = Json::object(), rhs = Json::object(), gamma = Json::object(), residual_json = Json::object();
  Bindings bindings;
  bindings.time = state.t;
  for (size_t k = 0; k < model.driven().size(); ++k) {
    const DrivenCoordinate& driven = model.driven()[k];
    const std::string& row = residuals[k].row;
    std::vector<double> unit(model.velocity_names().size(), 0.0);
    unit[driven.v] = 1;
    jacobian[row] = named(model.velocity_names(), unit);
    rhs[row] = evaluate(driven.rate, bindings);
    gamma[row] = evaluate(driven.acceleration, bindings);
    residual_json[row] = {{"position", residuals[k].position}, {"velocity", residuals[k].velocity}};
  }
  reply.json()["constraint_jacobian"] = jacobian;
  reply.json()["constraint_rhs"] = rhs;
  reply.json()["constraint_gamma"] = gamma;
  reply.json()["constraint_residual"] = residual_json;
  reply.json()["slip"] = Json::object();
}

void add_dynamics(const Model& model, const ForwardDynamics& dynamics, const std::vector<ConstraintResidual>& residuals,
                  Reply& reply) {
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
    reactions[model.bodies()[i].name] = to_json(r);
    reply.say(fmt::format("  {:<16}   {:>14.6g} {:>14.6g} {:>14.6g}   {:>14.6g} {:>14.6g} {:>14.6g}", model.bodies()[i].name,
                          r.force.x, r.force.y, r.force.z, r.moment.x, r.moment.y, r.moment.z));
  }
  json["reactions"] = reactions;
  Json multipliers = Json::object();
  if (!residuals.empty()) reply.say("\ndriving forces");
  for (size_t k = 0; k < residuals.size(); ++k) {
    multipliers[residuals[k].row] = dynamics.driving_forces[k];
    reply.say(
        fmt::format("  {:<16} {:>16.9g} {}", residuals[k].row, dynamics.driving_forces[k], units.forces[model.driven()[k].v]));
  }
  json["multipliers"] = multipliers;
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

int run_evaluate(const EvaluateOptions& options) {
  Reply reply(options.json);
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = check_supported(*model)) return reply.fail(*refusal);

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
  const auto residuals = compute_residuals(*model, *state);
  add_constraints(*model, *state, residuals, reply);
  add_balances(*model, *state, workspace, reply);
  if (const auto violation = check_residuals(residuals, options.residual)) return reply.fail(*violation);
  const auto dynamics = form.compute_dynamics(*model, *state, workspace);
  if (!dynamics) return reply.fail(dynamics.failure());
  add_dynamics(*model, *dynamics, residuals, reply);
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
  command->add_option("--residual", options->residual, "largest constraint residual accepted [SI]")->capture_default_str();
  command->callback([options, &exit_code] { exit_code = run_evaluate(*options); });
}

}  // namespace vinculum::app
