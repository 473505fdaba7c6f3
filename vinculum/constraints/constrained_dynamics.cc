// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/constrained_dynamics.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>

#include "vinculum/constraints/load_shares.h"
#include "vinculum/constraints/slipping.h"
#include "vinculum/constraints/sparse_constraints.h"
#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/math/complementarity.h"

namespace vinculum {

namespace {

constexpr double kSingularFriction = 1e-10;

// The pivots are what is left of the inertia when the velocities before are free.
bool find_weakest_pivot(const Eigen::MatrixXd& A, MassFactor& mass) {
  if (!mass.factor.is_positive()) return false;
  mass.weakest_ratio = 1;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double ratio = mass.factor.pivot(i) / A(i, i);
    if (ratio >= mass.weakest_ratio) continue;
    mass.weakest_ratio = ratio;
    mass.weakest_velocity = static_cast<int>(i);
  }
  return mass.weakest_ratio > kNoInertia;
}

bool is_signless(const ContactForces& forces, int row) {
  return static_cast<size_t>(row) < forces.signless.size() && forces.signless[row];
}

// Friction that depends on multipliers which are not determined makes the motion itself ambiguous. What slips is followed all the
// same, with shares of the load (load_shares.h), and `friction_split` tells whether they matter.
std::optional<Failure> check_unique_friction(const ConstraintSet& set, const RowAnalysis& analysis, const ContactForces& forces) {
  for (const ContactForces::Law& law : forces.laws) {
    if (law.normal_row < 0 || law.coefficient == 0 || analysis.determinate[law.normal_row]) continue;
    const Contact& contact = set.model.contacts()[law.contact];
    return Failure{"VN-CONTACT-011",
                   fmt::format("motion not unique: friction of contact '{}' of body '{}' depends on an undetermined normal "
                               "reaction. There are {} constraints of rank {}",
                               contact.name, set.model.bodies()[contact.body].name, set.rows.size(), analysis.rank),
                   "remove redundant supports, or give the supports stiffness by `laws`"};
  }
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (!is_signless(forces, static_cast<int>(i)) || analysis.determinate[i]) continue;
    return Failure{"VN-CONTACT-011",
                   fmt::format("the motion is not unique: friction of {} depends on the undetermined reaction {}. There are {} "
                               "constraints of rank {}",
                               set.rows[i].element, set.rows[i].name, set.rows.size(), analysis.rank),
                   "remove pairs of faces, or other constraints, that remove the same motion: `check` names them"};
  }
  return std::nullopt;
}

std::string list_rubbing_contacts(const ConstraintSet& set, const ContactForces& forces) {
  std::string contacts;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (is_signless(forces, static_cast<int>(i))) contacts += (contacts.empty() ? "" : ", ") + set.rows[i].name;
  }
  int named = -1;
  for (const ContactForces::Slip& slip : forces.slips) {
    if (slip.normal_row < 0 || slip.grip == named) continue;
    named = slip.grip;
    contacts += fmt::format("{}{}", contacts.empty() ? "" : ", ", set.model.rows()[slip.row].element);
  }
  named = -1;
  for (const ContactForces::Law& law : forces.laws) {
    if (law.normal_row < 0 || law.contact == named) continue;
    named = law.contact;
    const Contact& contact = set.model.contacts()[named];
    contacts += fmt::format("{}contact '{}' of body '{}'", contacts.empty() ? "" : ", ", contact.name,
                            set.model.bodies()[contact.body].name);
  }
  return contacts;
}

}  // namespace

Failure friction_without_solution(const ConstraintSet& set, const ContactForces& forces) {
  return {
      "VN-CONTACT-012",
      fmt::format("friction and normal reactions have no common solution at this state: {}", list_rubbing_contacts(set, forces)),
      "lower the friction coefficient; a rod pushed into rough ground can jam like this (Painlevé paradox)"};
}

Failure friction_not_settled(const ConstraintSet& set, const ContactForces& forces) {
  std::string names;
  for (const int grip : forces.undirected) names += (names.empty() ? "'" : ", '") + set.model.grips()[grip].name + "'";
  return {
      "VN-CONTACT-120",
      fmt::format(
          "the motion is not unique: it cannot be decided whether {} stick or slip. Friction and normal reactions do not settle",
          names.empty() ? "the contacts" : names),
      "lower the friction coefficient; a rod pushed into rough ground can jam like this (Painlevé paradox)"};
}

namespace {

Failure several_with_friction(const ConstraintSet& set, const ContactForces& forces) {
  return {"VN-CONTACT-120",
          fmt::format("the motion is not unique: friction and normal reactions have several solutions: {}",
                      list_rubbing_contacts(set, forces)),
          "a contact can press and rub, or do neither (Painlevé paradox); lower the friction coefficient"};
}

// Friction is there where the contact presses: of the multipliers y = y₀ - C max(y, 0) of rows with friction, which are positive.
//
//   p = max(y, 0) ,  w = max(-y, 0) :   w = K p - y₀ ,  p ≥ 0 ,  w ≥ 0 ,  pᵀw = 0 ,   K = 1 + C
//
// Rows that bring their friction with either sign (`signless`) are eliminated before.
Outcome<std::vector<bool>> find_rubbing(const ConstraintSet& set, const ContactForces& forces, Eigen::MatrixXd K,
                                        Eigen::VectorXd y0, const std::vector<Eigen::Index>& coupled,
                                        const std::vector<Eigen::Index>& signless) {
  if (coupled.empty()) return std::vector<bool>{};
  if (!signless.empty()) {
    const Eigen::MatrixXd across = K(signless, coupled), inner = K(signless, signless);
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(inner);
    const Eigen::MatrixXd back = K(coupled, signless);
    const Eigen::MatrixXd reduced = K(coupled, coupled) - back * factor.solve(across);
    const Eigen::VectorXd known = y0(coupled) - back * factor.solve(y0(signless).eval());
    K(coupled, coupled) = reduced;
    y0(coupled) = known;
  }
  constexpr size_t kMostEnumerated = 8;
  const size_t n = coupled.size();
  std::vector<double> M, q;
  for (Eigen::Index i : coupled) {
    for (Eigen::Index j : coupled) M.push_back(K(i, j));
    q.push_back(-y0[i]);
  }
  std::vector<ComplementaritySolution> solutions;
  if (n <= kMostEnumerated) {
    solutions = enumerate_complementarity(M, q);
  } else if (auto found = solve_complementarity(M, q)) {
    solutions.push_back(std::move(*found));
  }
  if (solutions.empty()) return friction_without_solution(set, forces);
  if (solutions.size() > 1) return several_with_friction(set, forces);
  std::vector<bool> rubbing;
  for (size_t i = 0; i < n; ++i) rubbing.push_back(solutions[0].z[i] > 0);
  return rubbing;
}

}  // namespace

Outcome<MassFactor> factorize_mass_matrix(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                          const Eigen::MatrixXd& D) {
  MassFactor mass;
  mass.factor = Cholesky(mass_matrix);
  if (find_weakest_pivot(mass_matrix, mass)) return mass;
  const Eigen::MatrixXd DtD = D.transpose() * D;
  if (DtD.trace() > 0) {
    mass.k = std::max(mass_matrix.trace(), 1e-300) / DtD.trace();
    const Eigen::MatrixXd held = mass_matrix + mass.k * DtD;
    mass.factor = Cholesky(held);
    if (find_weakest_pivot(held, mass)) return mass;
    return singular_mass_matrix(find_weakest_direction(set.model, held).text);
  }
  return singular_mass_matrix(find_weakest_direction(set.model, mass_matrix).text);
}

std::optional<Failure> find_contradiction(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                          Workspace& workspace) {
  if (set.is_plain_tree()) return std::nullopt;  // given motions are unit rows of different velocities
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), rows.D);
  if (!mass) return std::nullopt;
  return check_consistent(set, rows, analyse_rows(mass->factor, rows));
}

namespace {

// R⁻ᵀ(gamma/scale) of the independent rows.
Eigen::VectorXd scaled_targets(const RowAnalysis& analysis, const Eigen::VectorXd& gamma) {
  Eigen::VectorXd target(analysis.rank);
  for (int i = 0; i < analysis.rank; ++i) target[i] = gamma[analysis.order[i]] / analysis.scale[analysis.order[i]];
  return solve_upper_transposed(analysis.R, target);
}

Eigen::VectorXd unscaled(const RowAnalysis& analysis, const Eigen::VectorXd& scaled, Eigen::Index rows) {
  Eigen::VectorXd multipliers = Eigen::VectorXd::Zero(rows);
  for (int i = 0; i < analysis.rank; ++i) multipliers[analysis.order[i]] = scaled[i] / analysis.scale[analysis.order[i]];
  return multipliers;
}

// What each independent row brings as friction, with the loads of the others in their shares; and how much of it does something
// else if they are shared in another way:  |(1 - Q Qᵀ) L⁻¹ C Z|  beside  |L⁻¹ C| .
struct SharedCoupling {
  Eigen::MatrixXd coupling;  // velocities by rank
  double split = 0;
};
SharedCoupling share_coupling(const MassFactor& mass, const RowAnalysis& analysis, const ContactForces& forces) {
  const std::vector<int> kept(analysis.order.begin(), analysis.order.begin() + analysis.rank);
  SharedCoupling shared;
  if (analysis.is_independent()) {
    shared.coupling = forces.coupling(Eigen::all, kept);
    return shared;
  }
  shared.coupling = forces.coupling * compute_shares(analysis.Z, kept);
  const Eigen::MatrixXd friction = mass.factor.solve_lower(forces.coupling);
  const Eigen::MatrixXd other = friction * analysis.Z;
  shared.split = (other - analysis.Q * (analysis.Q.transpose() * other)).norm() / friction.norm();
  return shared;
}

}  // namespace

// With W = L⁻¹Dᵀ = Q R scale on the independent rows and c = L⁻¹ b:   Wᵀ(c + W lambda) = gamma   becomes
// R (scale lambda) = R⁻ᵀ(gamma/scale) - Qᵀc .
RowSolution solve_rows(const MassFactor& mass, const RowAnalysis& analysis, const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                       const Eigen::VectorXd& gamma) {
  const Eigen::VectorXd c = mass.factor.solve_lower(b + mass.k * (D.transpose() * gamma));
  const Eigen::VectorXd target = scaled_targets(analysis, gamma) - analysis.Q.transpose() * c;
  RowSolution solution;
  solution.x = mass.factor.solve_upper(c + analysis.Q * target);
  solution.multipliers = unscaled(analysis, solve_upper(analysis.R, target), D.rows());
  return solution;
}

Outcome<ConstraintSolution> solve_constraints(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                              const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows,
                                              const ContactForces& forces) {
  const Outcome<MassFactor> mass = factorize_mass_matrix(set, mass_matrix, rows.D);
  if (!mass) return mass.failure();

  ConstraintSolution solution;
  solution.weakest_velocity = mass->weakest_velocity;
  solution.weakest_ratio = mass->weakest_ratio;
  solution.analysis = analyse_rows(mass->factor, rows);
  const RowAnalysis& analysis = solution.analysis;
  if (const auto contradiction = check_consistent(set, rows, analysis)) return *contradiction;
  if (const auto ambiguity = check_unique_friction(set, analysis, forces)) return *ambiguity;

  const Eigen::VectorXd b = tau_minus_h + forces.forces;
  if (forces.coupling.cols() == 0 || analysis.rank == 0) {  // no row that is felt, no multiplier to rub
    RowSolution found = solve_rows(*mass, analysis, rows.D, b, rows.gamma);
    solution.accelerations = std::move(found.x);
    solution.multipliers = std::move(found.multipliers);
  } else {
    // Friction hangs on multipliers where they are positive:
    //   K (scale lambda) = R⁻ᵀ(gamma/scale) - Qᵀc ,  K = QᵀW̃/scale ; K = R without friction.
    const Eigen::VectorXd c = mass->factor.solve_lower(b + mass->k * (rows.D.transpose() * rows.gamma));
    const Eigen::VectorXd target = scaled_targets(analysis, rows.gamma) - analysis.Q.transpose() * c;
    const int rank = analysis.rank;
    Eigen::MatrixXd W(rows.D.cols(), rank);
    std::vector<Eigen::Index> coupled, signless;
    const SharedCoupling shared = share_coupling(*mass, analysis, forces);
    solution.friction_split = shared.split;
    for (int i = 0; i < rank; ++i) {
      const int row = analysis.order[i];
      W.col(i) = (rows.D.row(row).transpose() + shared.coupling.col(i)) / analysis.scale[row];
      if (shared.coupling.col(i).isZero(0)) continue;
      (is_signless(forces, row) || !analysis.determinate[row] ? signless : coupled).push_back(i);
    }
    W = mass->factor.solve_lower(W);
    // R⁻¹K is the unit matrix without friction.
    Eigen::MatrixXd K = solve_upper(analysis.R, analysis.Q.transpose() * W);
    const Eigen::VectorXd without = solve_upper(analysis.R, target);
    const auto rubbing = find_rubbing(set, forces, K, without, coupled, signless);
    if (!rubbing) return rubbing.failure();
    for (size_t k = 0; k < coupled.size(); ++k) {
      if ((*rubbing)[k]) continue;
      const Eigen::Index i = coupled[k];
      W.col(i) = analysis.Q * analysis.R.col(i);
      K.col(i) = Eigen::VectorXd::Unit(rank, i);
    }
    solution.friction_determinant = K.determinant();
    const PivotedQr qr = factorize_columns(K, 0);
    if (!(qr.lengths.minCoeff() > kSingularFriction)) return friction_without_solution(set, forces);
    Eigen::VectorXd scaled(rank);
    scaled(qr.order) = solve_upper(qr.R, qr.Q.transpose() * without);
    solution.accelerations = mass->factor.solve_upper(c + W * scaled);
    solution.multipliers = unscaled(analysis, scaled, rows.D.rows());
  }
  if (analysis.Z.cols() > 0) solution.multipliers -= analysis.Z * (analysis.Z.transpose() * solution.multipliers);
  return solution;
}

namespace {

// Adds up the wrench of every contact on its body, world axes, about the body's pole.
template <class WrenchOfContact>
void add_contact_wrenches(const ConstraintSet& set, const ConstraintRows& rows, const ConstraintSolution& solution,
                          const ContactForces& forces, const WrenchOfContact& wrench_of) {
  const auto add = [&](int contact, ContactAxis axis, double strength) {
    const Wrench& unit = rows.contacts[contact].axes[static_cast<int>(axis)];
    wrench_of(contact) += Wrench{strength * unit.force, strength * unit.moment};
  };
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (const auto* origin = set.rows[i].from<ContactRow>())
      add(origin->contact, origin->axis, solution.multipliers[static_cast<Eigen::Index>(i)]);
  }
  for (const ContactForces::Law& law : forces.laws) add(law.contact, law.axis, law.force);
  for (const ContactForces::Slip& slip : forces.slips) {
    if (const auto* origin = set.model.rows()[slip.row].from<ContactRow>()) add(origin->contact, origin->axis, slip.force);
  }
}

// What a contact, a string or a guide takes over, the joints below need not carry: every body between the root and it feels it.
void unload_joints(const ConstraintSet& set, const ConstraintRows& rows, const ConstraintSolution& solution,
                   const ContactForces& forces, std::vector<Wrench>& reactions_W) {
  std::vector<Wrench> wrenches(set.model.contacts().size());
  add_contact_wrenches(set, rows, solution, forces, [&](int i) -> Wrench& { return wrenches[i]; });
  const auto& bodies = set.model.bodies();
  const auto walk = [&](int from, const Vector3& point, const Wrench& wrench, double sign) {
    for (int k = from; k != kWorld; k = bodies[k].parent) {
      const Vector3 r = point - rows.links[bodies[k].link].p;
      reactions_W[k] += Wrench{-sign * wrench.force, -sign * (wrench.moment + cross(r, wrench.force))};
    }
  };
  for (size_t i = 0; i < wrenches.size(); ++i) {
    const Contact& contact = set.model.contacts()[i];
    walk(contact.body, rows.contacts[i].pole_W, wrenches[i], 1);
    if (contact.with.on == Anchor::On::body) walk(contact.with.index, rows.contacts[i].pole_W, wrenches[i], -1);
  }
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const RowAt& at = rows.all[set.rows[i].index];
    if (!at.is_wrench || set.rows[i].from<ContactRow>()) continue;
    const Wrench beside = is_signless(forces, static_cast<int>(i)) ? forces.beside[i] : Wrench{};
    const double n = solution.multipliers[static_cast<Eigen::Index>(i)];
    const Wrench wrench{n * (at.wrench_W.force + beside.force), n * (at.wrench_W.moment + beside.moment)};
    walk(at.on, at.point_W, wrench, 1);
    walk(at.against, at.point_W, wrench, -1);
  }
}

ElementReaction seen_at_contact(const ContactState& at, const Wrench& about_pole) {
  ElementReaction reaction;
  reaction.world = {about_pole.force, about_pole.moment - cross(at.point_W - at.pole_W, about_pole.force)};
  const auto in_axes = [&](const Matrix3& R) {
    return Wrench{transpose_times(R, reaction.world.force), transpose_times(R, reaction.world.moment)};
  };
  reaction.own = in_axes(at.E_W);
  reaction.body = in_axes(at.R_WB);
  return reaction;
}

}  // namespace

namespace {

// From rows, forces and solution to what the contacts do; joint reactions are still without it.
void explain_contacts(const ConstraintSet& set, ConstrainedDynamics& result) {
  ForwardDynamics& dynamics = result.dynamics;
  const ConstraintRows& rows = result.rows;
  const ConstraintSolution& solution = result.solution;
  ContactForces& forces = result.forces;
  std::vector<ElementReaction>& reactions = result.reactions;
  for (ContactForces::Law& law : forces.laws) {
    if (law.normal_row >= 0) law.force += law.coefficient * std::max(solution.multipliers[law.normal_row], 0.0);
  }
  for (ContactForces::Slip& slip : forces.slips) {
    if (slip.normal_row >= 0) slip.force += slip.coefficient * std::max(solution.multipliers[slip.normal_row], 0.0);
  }
  dynamics.accelerations.assign(solution.accelerations.begin(), solution.accelerations.end());
  dynamics.weakest_velocity = solution.weakest_velocity;
  dynamics.weakest_ratio = solution.weakest_ratio;
  dynamics.driving_forces.clear();
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (set.rows[i].is_drive) dynamics.driving_forces.push_back(solution.multipliers[static_cast<Eigen::Index>(i)]);
  }
  reactions.assign(set.model.contacts().size(), {});
  add_contact_wrenches(set, rows, solution, forces, [&](int contact) -> Wrench& { return reactions[contact].world; });
  for (size_t i = 0; i < reactions.size(); ++i) reactions[i] = seen_at_contact(rows.contacts[i], reactions[i].world);
}

}  // namespace

ConstrainedDynamics explain_solution(const ConstraintSet& set, const State& state, ConstraintRows rows, ContactForces forces,
                                     const GivenForces& given, ConstraintSolution solution, Workspace& workspace) {
  ConstrainedDynamics result{{}, std::move(rows), std::move(solution), std::move(forces), {}};
  explain_contacts(set, result);
  ForwardDynamics& dynamics = result.dynamics;
  dynamics.joint_forces = given.joint_forces;
  dynamics.reactions_W = compute_inverse_dynamics(set.model, state, dynamics.accelerations, workspace).reactions_W;
  unload_joints(set, result.rows, result.solution, result.forces, dynamics.reactions_W);
  return result;
}

namespace {

Equations recursive_equations(const Model& model, const State& state, Workspace& workspace) {
  const std::vector<double> zero(model.tree().velocities, 0.0);
  return {compute_mass_matrix(model, state, workspace), compute_inverse_dynamics(model, state, zero, workspace).forces};
}

Outcome<ConstraintSolution> solve_equations(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                            ContactForces& forces, const GivenForces& given, const Equations& equations) {
  const Eigen::Index n = set.model.tree().velocities;
  const Eigen::VectorXd tau_minus_h = Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) -
                                      Eigen::Map<const Eigen::VectorXd>(equations.bias.data(), n);
  if (!tau_minus_h.allFinite() || !forces.forces.allFinite()) return no_finite_value(state.t);
  if (auto failure = direct_slips(set, equations.mass_matrix, tau_minus_h, rows, forces)) return *failure;
  return solve_constraints(set, equations.mass_matrix, tau_minus_h, rows, forces);
}

}  // namespace

Outcome<ConstrainedDynamics> compute_constrained_dynamics(const ConstraintSet& set, const State& state, ConstraintRows rows,
                                                          const Equations& equations, Workspace& workspace) {
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  ContactForces forces = compute_contact_forces(set, rows);
  Outcome<ConstraintSolution> solution = solve_equations(set, state, rows, forces, given, equations);
  if (!solution) return solution.failure();
  return explain_solution(set, state, std::move(rows), std::move(forces), given, std::move(*solution), workspace);
}

Outcome<ConstrainedDynamics> compute_constrained_dynamics(const ConstraintSet& set, const State& state, Workspace& workspace,
                                                          SparseConstraints* sparse) {
  Outcome<ConstraintRows> rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  if (sparse != nullptr) {
    ContactForces forces = compute_contact_forces(set, *rows);
    ConstraintSolution solution;
    if (sparse->solve(set, state, *rows, forces, workspace, solution)) {
      return explain_solution(set, state, std::move(*rows), std::move(forces), compute_given_forces(set.model, state, workspace),
                              std::move(solution), workspace);
    }
  }
  fill_jacobian(set, *rows);
  if (!rows->D.allFinite()) return no_finite_value(state.t);
  return compute_constrained_dynamics(set, state, std::move(*rows), recursive_equations(set.model, state, workspace), workspace);
}

Outcome<ConstrainedDynamics> compute_contact_reactions(const ConstraintSet& set, const State& state, Workspace& workspace,
                                                       SparseConstraints* sparse) {
  ConstrainedDynamics result;
  if (auto failure = compute_contact_reactions(set, state, workspace, sparse, result)) return *failure;
  return result;
}

std::optional<Failure> compute_contact_reactions(const ConstraintSet& set, const State& state, Workspace& workspace,
                                                 SparseConstraints* sparse, ConstrainedDynamics& result) {
  ConstraintRows& rows = result.rows;
  if (auto failure = compute_row_values(set, state, rows)) return failure;
  compute_contact_forces(set, rows, result.forces);
  if (sparse == nullptr || !sparse->solve(set, state, rows, result.forces, workspace, result.solution)) {
    fill_jacobian(set, rows);
    if (!rows.D.allFinite()) return no_finite_value(state.t);
    const Equations equations = recursive_equations(set.model, state, workspace);
    Outcome<ConstraintSolution> solution =
        solve_equations(set, state, rows, result.forces, compute_given_forces(set.model, state, workspace), equations);
    if (!solution) return solution.failure();
    result.solution = std::move(*solution);
  }
  explain_contacts(set, result);
  return std::nullopt;
}

namespace {

double regularity_of(const ConstraintRows& rows, const RowAnalysis& analysis) {
  double least = 1;
  for (int i = 0; i < analysis.rank; ++i) least = std::min({least, std::abs(analysis.R(i, i)), rows.felt[analysis.order[i]]});
  return least;
}

std::optional<Failure> compute_motion(const ConstraintSet& set, const State& state, const Baumgarte& baumgarte,
                                      Workspace& workspace, SparseConstraints* sparse, ConstraintRows& rows,
                                      ContactForces& forces, ConstrainedMotion& motion) {
  if (auto failure = compute_row_values(set, state, rows)) return failure;
  for (Eigen::Index i = 0; i < rows.gamma.size(); ++i) {
    const auto& gap = rows.gap[i];
    rows.gamma[i] -= baumgarte.alpha * (gap ? 2 * rows.rate[i] + baumgarte.alpha * *gap : rows.rate[i]);
  }
  compute_contact_forces(set, rows, forces);
  const Eigen::Index n = set.model.tree().velocities;
  motion.accelerations.resize(n);
  if (sparse != nullptr && sparse->compute_motion(set, state, rows, forces, workspace,
                                                  {motion.accelerations.data(), static_cast<size_t>(n)}, motion.power)) {
    motion.regularity = sparse->regularity();
    return std::nullopt;
  }

  fill_jacobian(set, rows);
  if (!rows.D.allFinite()) return no_finite_value(state.t);
  const Equations equations = recursive_equations(set.model, state, workspace);
  Outcome<ConstraintSolution> solution =
      solve_equations(set, state, rows, forces, compute_given_forces(set.model, state, workspace), equations);
  if (!solution) return solution.failure();
  const Eigen::Map<const Eigen::VectorXd> v(state.v.data(), n);
  Eigen::VectorXd pushed = forces.forces + rows.D.transpose() * solution->multipliers;
  if (forces.coupling.cols() > 0) pushed += forces.couple(solution->multipliers);
  motion.power = pushed.dot(v);
  motion.regularity = regularity_of(rows, solution->analysis);
  motion.accelerations = std::move(solution->accelerations);
  return std::nullopt;
}

}  // namespace

double compute_row_regularity(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows || !rows->D.allFinite()) return 0;
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), rows->D);
  if (!mass) return 0;
  const RowAnalysis analysis = analyse_rows(mass->factor, *rows);
  return analysis.rank < rows->D.rows() ? 0 : regularity_of(*rows, analysis);
}

Outcome<ConstrainedMotion> compute_constrained_motion(const ConstraintSet& set, const State& state, const Baumgarte& baumgarte,
                                                      Workspace& workspace, SparseConstraints* sparse) {
  ConstraintRows rows;
  ContactForces forces;
  ConstrainedMotion motion;
  if (auto failure = compute_motion(set, state, baumgarte, workspace, sparse, rows, forces, motion)) return *failure;
  return motion;
}

std::optional<Failure> compute_constrained_motion(const ConstraintSet& set, const State& state, const Baumgarte& baumgarte,
                                                  Workspace& workspace, SparseConstraints& sparse, ConstrainedMotion& motion) {
  return compute_motion(set, state, baumgarte, workspace, &sparse, sparse.rows_memory(), sparse.forces_memory(), motion);
}

Eigen::MatrixXd rows_by_structural_matrix(const ConstraintSet& set, const ConstraintRows& rows, const AggregateForm& form) {
  Eigen::MatrixXd D = rows.D;
  // The wrench of a row as a screw in the body's axes about its pole.
  const auto screw_on = [&](int body, const RowAt& at) {
    const Wrench& unit = at.wrench_W;
    const Matrix3& R = form.bodies[body].R_WB;
    const Vector3 r = at.point_W - rows.links[set.model.bodies()[body].link].p;
    const Vector3 f = transpose_times(R, unit.force), m = transpose_times(R, unit.moment + cross(r, unit.force));
    Vector6 screw;
    screw << f.x, f.y, f.z, m.x, m.y, m.z;
    return screw;
  };
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const RowAt& at = rows.all[set.rows[i].index];
    if (!at.is_wrench) continue;
    auto row = D.row(static_cast<Eigen::Index>(i));
    row = screw_on(at.on, at).transpose() * form.S_T.middleRows(6 * at.on, 6);
    if (at.against != kWorld) row -= screw_on(at.against, at).transpose() * form.S_T.middleRows(6 * at.against, 6);
  }
  return D;
}

}  // namespace vinculum
