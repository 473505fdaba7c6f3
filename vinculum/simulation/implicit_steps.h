// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/follow.h"
#include "vinculum/constraints/grip_problem.h"
#include "vinculum/constraints/idealisation.h"

namespace vinculum {

// What a step did, for those who judge it.
struct StepRecord {
  std::vector<GripUse> grips;         // of Model::grips()
  std::vector<ImpactReport> impacts;  // blows, to a step: with the impulses of other forces in it
  std::vector<bool> bounced;          // of Model::one_sided(): came with a blow, and left
};

// Implicit steps of length h (Moreau, Jean), each a local problem of all constraints that may slip or part: theory 8, section 8.1
//
//   q_m = q + h/2 q'(v) ,  v_f = v + h a₀(q_m, v) ,  v⁺ = v_f + A⁻¹Dᵀ p ,  q⁺ = q_m + h/2 q'(v⁺)
//   one-sided   0 ≤ u⁺ + 2 max(gap_m, 0)/h ⟂ p_n ≥ 0 : the end of the step is not below the surface
//   blows       0 ≤ u⁺ + e u ⟂ p_n ≥ 0  where it comes with u < -2 |Δu| , Δu = D (v_f - v): the weight of a step is no blow
//   grips       p_t in -h R ∂|slip⁺| or -mu p_n ∂|slip⁺|
//
// One-sided constraints in reach, gap_m ≤ h (|u| + |Δu|), take part: no threshold on touching. Redundant supports share
// their load as equally stiff ones do, in whatever order they are listed (least_forces.h). Velocities that constraints at
// rest forbid are set to zero, not computed: nothing creeps. A depth caused by curvature stays, up to 10 times ½ |a| h².
//
// Steps are never cut: nothing chatters, sticking is exact at q_m, and the error is of first order in h. A problem that does not
// settle is taken in two halves, up to six times. Relays with a memory (hysteresis, delay) are taken as what they do on the
// average of many changes of side: the law `sign`.
class ImplicitSteps {
 public:
  // Without rebounds impacts are plastic: what bounces ever lower is at rest where its bounces accumulate.
  ImplicitSteps(const Model& model, Follow follow, bool rebounds = true);

  // What touches at a start takes part.
  std::optional<Failure> begin(State& state);
  // From a state with its modes.
  void resume(const State& state) { set_.set_modes(state.modes); }
  // The same to the bit, with what it remembered there; false if these numbers are not of its kind.
  bool resume(const State& state, std::span<const double> memory);
  const std::vector<double>& memory() const { return impulses_; }
  // Reports the changes of modes.
  std::optional<Failure> step(State& state, double h, const Idealisation::Tell& tell);

  const ConstraintSet& constraints() const { return set_; }
  const StepRecord& record() const { return record_; }  // of the last step

 private:
  struct Questions;
  std::optional<Failure> advance(State& state, double h, int halvings);
  std::optional<Failure> try_step(State& state, double h);
  void list_questions(const ConstraintRows& rows, Questions& questions) const;
  void report_blow(const Questions& questions, const ConstraintRows& rows, const Eigen::VectorXd& v, const Eigen::VectorXd& R,
                   const Eigen::VectorXd& rates);
  void take_modes(const Questions& questions, const GripSolution& solution, const std::vector<double>& rises, double round_off);
  void set_rest(const Questions& questions, const ConstraintRows& rows, const std::vector<bool>& rests, Eigen::VectorXd& v) const;
  std::optional<Failure> keep_rows(State& state, const std::vector<double>& allowed_depth);
  int one_sided_of_row(int row) const;
  void tell_changes(const std::vector<int>& before, const Idealisation::Tell& tell) const;

  const Model& model_;
  bool slips_, rebounds_;
  ConstraintSet set_;
  Workspace workspace_;
  StepRecord record_;
  std::vector<double> impulses_;  // of the last step, by Row::index: a start for the next
};

// What these steps do not follow, in words; none: all of it. `averages`: relays with a memory are followed, as `sign`.
std::optional<std::string> find_obstacle_to_steps(const Model& model, Follow follow, bool averages);

}  // namespace vinculum
