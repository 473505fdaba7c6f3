// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/constrained_forms.h"
#include "vinculum/constraints/output_values.h"
#include "vinculum/constraints/row_quantities.h"
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
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_variants.h"
#include "vinculum/model/units.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/simulation/judge_state.h"
#include "vinculum/simulation/run.h"
#include "vinculum/verdict/words.h"

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
      "\nsubsystems: a body and all it carries, about the body origin, world axes\n"
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
  reply.say(fmt::format("\nconstraints: {} equations, rank {}{}", constraints.rows.size(), analysis.rank,
                        analysis.is_independent() ? ""
                        : analysis.order.empty()  ? "; at rest: one choice of the loads that friction allows"
                                                  : "; undetermined reactions: the choice of smallest Euclidean norm"));
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
  tell_verdicts(judge_state(constraints, state, dynamics, workspace), reply);
}

void add_outputs(const ConstraintSet& constraints, const State& state, Workspace& workspace, const ConstrainedDynamics* known,
                 Reply& reply) {
  if (constraints.model.outputs().columns.empty()) return;
  ConstrainedDynamics memory;
  Moment moment =
      known != nullptr ? Moment(constraints, state, workspace, *known) : Moment(constraints, state, workspace, nullptr, memory);
  const auto outputs = list_outputs(moment);
  if (!outputs) {
    reply.say(fmt::format("\noutputs          {}", outputs.failure().message));
    return;
  }
  reply.json()["outputs"] = to_json(*outputs);
  reply.say("\noutputs");
  for (const OutputValue& output : *outputs)
    reply.say(fmt::format("  {:<24} {:>16.9g}{}", output.name, output.value, behind_number(output.unit)));
}

// That the motion is not unique is an answer, not an error.
int answer_not_unique(const Verdict& verdict, Reply& reply) {
  reply.json()["verdict"] = to_text(verdict.verdict);
  reply.json()["verdicts"] = Json::array({to_json(verdict)});
  reply.say(fmt::format("\naccelerations    not unique: {}\n  hint: {}", verdict.why, verdict.hint));
  return reply.finish(kDone);
}

// The faces that carry, as theory 5 chooses them; true: the guides rest, and hold.
Outcome<bool> choose_guides(ConstraintSet& constraints, State& state, ConstraintRows& rows, Workspace& workspace, Reply& reply) {
  const bool stands = guides_rest(constraints, rows) && compute_energy(constraints.model, state, workspace).kinetic == 0;
  bool rests = false, several = false;
  if (stands) {
    const auto standing = decide_standing(constraints, state, workspace);
    if (!standing) return standing.failure();
    rests = standing->answer == Standing::Answer::rest;
    several = standing->answer == Standing::Answer::several;
    if (rests) {
      load_faces(constraints, rows, list_guided_pairs(constraints), standing->rest.signed_reactions, 0);
    } else {
      constraints.set_modes(standing->modes);
      state = standing->leaving;
    }
  } else if (auto failure = choose_faces(constraints, state, workspace)) {
    return *failure;
  }
  auto there = compute_constraint_rows(constraints, state);
  if (!there) return there.failure();
  rows = std::move(*there);
  reply.json()["guides"] = rests ? "rest" : several ? "several" : stands ? "breakaway" : "slide";
  reply.say(fmt::format("\nguides           {}", rests     ? "rest: friction holds the load"
                                                 : several ? "several: they rest only if wedged; the slide is chosen"
                                                 : stands  ? "break away"
                                                           : "slide"));
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
  return rests;
}

int run_evaluate(const EvaluateOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
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
  ConstraintSet constraints(*model, *state);
  auto rows = compute_constraint_rows(constraints, *state);
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
    add_outputs(constraints, *state, workspace, nullptr, reply);
    if (StateJudge(constraints).has_subjects()) {
      if (const auto with_rows = compute_constrained_dynamics(constraints, *state, workspace))
        add_verdicts(constraints, *with_rows, *state, workspace, reply);
    }
    return reply.finish(kDone);
  }
  if (const auto singular = check_regular_position(constraints, *state, workspace)) return reply.fail(*singular);
  bool rests = false;
  if (!model->face_pairs().empty()) {
    const auto chosen = choose_guides(constraints, *state, *rows, workspace, reply);
    if (!chosen) return reply.fail(chosen.failure());
    rests = *chosen;
  }
  const bool sticks =
      std::ranges::any_of(model->face_pairs(), [&](const FacePair& pair) { return pair.sticks(constraints.modes); });
  const auto dynamics = rests    ? compute_rest_dynamics(constraints, *state, workspace)
                        : sticks ? compute_held_dynamics(constraints, *state, workspace)
                                 : form.compute_with_rows(constraints, *state, *rows, workspace);
  if (!dynamics) {
    if (const auto verdict = judge_uniqueness(dynamics.failure())) return answer_not_unique(*verdict, reply);
    return reply.fail(dynamics.failure());
  }
  add_dynamics(*model, dynamics->dynamics, reply);
  add_row_reactions(constraints, *dynamics, reply);
  add_verdicts(constraints, *dynamics, *state, workspace, reply);
  add_driving_forces(*model, dynamics->dynamics, reply);
  add_outputs(constraints, *state, workspace, &*dynamics, reply);
  return reply.finish(kDone);
}

}  // namespace

void add_evaluate(CLI::App& app, int& exit_code, Asked* asked) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand("evaluate", "compute accelerations, reactions, mass matrix and energy at one state");
  command->footer(
      "example:\n  vinculum evaluate crane.yaml --set boom=0.5\n  vinculum evaluate crane.yaml --state state.json --json");
  add_model_options(*command, *options);
  command->add_option("--form", options->form, "equations to use")
      ->check(CLI::IsMember({"recursive", "vector", "aggregate"}))
      ->capture_default_str();
  add_project_options(*command, *options);
  command->add_option("--residual", options->residual, "largest constraint residual accepted [m, rad; m/s, rad/s]")
      ->capture_default_str();
  on_call(*command, options, run_evaluate, exit_code, asked);
}

}  // namespace vinculum::app
