// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/evaluation.h"

#include <algorithm>
#include <cassert>

#include "vinculum/constrained/constrained_forms.h"
#include "vinculum/constrained/singular_position.h"
#include "vinculum/constraints/output_values.h"
#include "vinculum/decision/settle_joints.h"
#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/vector_form.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_variants.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/simulation/judge_state.h"

namespace vinculum {

namespace {

EvaluatedEquations compute_recursive_equations(const Model& model, const State& state, Workspace& workspace) {
  constexpr int kLargest = 2000;
  EvaluatedEquations equations;
  const int n = model.tree().velocities;
  if (n <= kLargest) equations.mass_matrix = compute_mass_matrix(model, state, workspace);
  const std::vector<double> zero(n, 0.0);
  equations.bias = compute_inverse_dynamics(model, state, zero, workspace).forces;
  return equations;
}

EvaluatedEquations compute_vector_equations(const Model& model, const State& state, Workspace& workspace) {
  const std::vector<double> zero(model.tree().velocities, 0.0);
  const VectorForm form = compute_vector_form(model, state, zero, compute_given_forces(model, state, workspace));
  EvaluatedEquations equations;
  equations.mass_matrix = compute_mass_matrix(form);
  equations.bias = form.forces;
  equations.subsystems = compute_subsystem_quantities(model, form);
  return equations;
}

EvaluatedEquations compute_aggregate_equations(const Model& model, const State& state, Workspace& workspace) {
  const AggregateForm form = compute_aggregate_form(model, state, compute_given_forces(model, state, workspace));
  const Equations of_form = form.equations();
  EvaluatedEquations equations;
  equations.mass_matrix = of_form.mass_matrix;
  equations.bias = of_form.bias;
  equations.S_T = form.S_T;
  equations.B = form.B;
  return equations;
}

Outcome<ConstrainedDynamics> compute_by_recursion(const ConstraintSet& constraints, const State& state, ConstraintRows,
                                                  Workspace& workspace) {
  return compute_constrained_dynamics(constraints, state, workspace);
}

// One way to write the equations of motion.
struct Form {
  std::string_view name;
  EvaluatedEquations (*compute_equations)(const Model&, const State&, Workspace&);
  Outcome<ForwardDynamics> (*compute_dynamics)(const Model&, const State&, Workspace&);
  Outcome<ConstrainedDynamics> (*compute_with_rows)(const ConstraintSet&, const State&, ConstraintRows, Workspace&);
};
const Form kForms[] = {
    {"recursive", compute_recursive_equations, compute_forward_dynamics, compute_by_recursion},
    {"vector", compute_vector_equations, compute_vector_dynamics, compute_constrained_vector_dynamics},
    {"aggregate", compute_aggregate_equations, compute_aggregate_dynamics, compute_constrained_aggregate_dynamics}};

void evaluate_outputs(Evaluation& evaluation, const State& state, Workspace& workspace, const ConstrainedDynamics* known) {
  if (evaluation.constraints.model.outputs().columns.empty()) return;
  ConstrainedDynamics memory;
  Moment moment = known != nullptr ? Moment(evaluation.set(), state, workspace, *known)
                                   : Moment(evaluation.set(), state, workspace, nullptr, memory);
  auto outputs = list_outputs(moment);
  if (outputs)
    evaluation.outputs = std::move(*outputs);
  else
    evaluation.no_outputs = outputs.failure();
}

// The faces that carry, as theory 5 chooses them.
Outcome<GuidesThere> choose_guides(ConstraintSet& constraints, State& state, ConstraintRows& rows, Workspace& workspace) {
  const bool stands = guides_rest(constraints, rows) && compute_energy(constraints.model, state, workspace).kinetic == 0;
  GuidesThere there = GuidesThere::slide;
  if (stands) {
    const auto standing = decide_standing(constraints, state, workspace);
    if (!standing) return standing.failure();
    there = standing->answer == Standing::Answer::rest      ? GuidesThere::rest
            : standing->answer == Standing::Answer::several ? GuidesThere::several
                                                            : GuidesThere::breakaway;
    if (there == GuidesThere::rest) {
      load_faces(constraints, rows, list_guided_pairs(constraints), standing->rest.signed_reactions, 0);
    } else {
      constraints.set_modes(standing->modes);
      state = standing->leaving;
    }
  } else if (auto failure = choose_faces(constraints, state, workspace)) {
    return *failure;
  }
  auto new_rows = compute_constraint_rows(constraints, state);
  if (!new_rows) return new_rows.failure();
  rows = std::move(*new_rows);
  return there;
}

}  // namespace

Evaluation evaluate_state(const Model& model, const State& asked, const std::string& form_name, double residual) {
  const Form* const form = std::ranges::find(kForms, form_name, &Form::name);
  assert(form != std::end(kForms));
  State state = asked;
  const auto unsettled = settle_joint_friction(model, state, true);
  Evaluation evaluation(model, state);
  Workspace workspace(model);
  evaluation.motions = compute_body_motions(model, state, workspace);
  std::vector<double> scratch;
  for (const EnvironmentBody& body : model.environment())
    evaluation.environment.push_back(compute_environment_motion(body, state.t, scratch));
  evaluation.equations = form->compute_equations(model, state, workspace);
  evaluation.energy = compute_energy(model, state, workspace);
  evaluation.momentum = compute_momentum(model, state, workspace);

  const auto fail = [&](const Failure& failure) {
    evaluation.failure = failure;
    return std::move(evaluation);
  };
  if (unsettled) return fail(*unsettled);
  const ConstraintSet& constraints = evaluation.constraints;
  auto computed = compute_constraint_rows(constraints, state);
  if (!computed) return fail(computed.failure());
  evaluation.rows = std::move(*computed);
  const ConstraintRows& rows = *evaluation.rows;
  if (const auto contradiction = find_contradiction(constraints, state, rows, workspace)) return fail(*contradiction);
  if (const auto violation = check_residuals(constraints, list_residuals(constraints, rows), residual)) return fail(*violation);
  if (constraints.is_plain_tree()) {
    auto dynamics = form->compute_dynamics(model, state, workspace);
    if (!dynamics) return fail(dynamics.failure());
    evaluation.dynamics.emplace().dynamics = std::move(*dynamics);
    evaluate_outputs(evaluation, state, workspace, nullptr);
    if (StateJudge(constraints).has_subjects()) {
      if (const auto with_rows = compute_constrained_dynamics(constraints, state, workspace))
        evaluation.verdicts = judge_state(constraints, state, *with_rows, workspace);
    }
    return evaluation;
  }

  if (const auto singular = check_regular_position(constraints, state, workspace, CoincidingTangents::allowed))
    return fail(*singular);
  ConstraintRows there = rows;
  if (!model.face_pairs().empty()) {
    ConstraintSet& chosen = evaluation.chosen.emplace(constraints);
    const auto guides = choose_guides(chosen, state, there, workspace);
    if (!guides) return fail(guides.failure());
    evaluation.guides = *guides;
  }
  const ConstraintSet& set = evaluation.set();
  const bool sticks = std::ranges::any_of(model.face_pairs(), [&](const FacePair& pair) { return pair.sticks(set.modes); });
  auto dynamics = evaluation.guides == GuidesThere::rest ? compute_rest_dynamics(set, state, workspace)
                  : sticks                               ? compute_held_dynamics(set, state, workspace)
                                                         : form->compute_with_rows(set, state, std::move(there), workspace);
  if (!dynamics) {
    evaluation.not_unique = judge_uniqueness(dynamics.failure());
    if (!evaluation.not_unique) evaluation.failure = dynamics.failure();
    return evaluation;
  }
  evaluation.dynamics = std::move(*dynamics);
  evaluation.verdicts = judge_state(set, state, *evaluation.dynamics, workspace);
  evaluate_outputs(evaluation, state, workspace, &*evaluation.dynamics);
  return evaluation;
}

}  // namespace vinculum
