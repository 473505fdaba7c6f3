// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/constrained_dynamics.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/bearing_friction.h"
#include "vinculum/constraints/dense_constraints.h"
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
bool find_weakest_pivot(Given A, MassFactor& mass) {
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
// `rubs` has a place for each of `coupled`.
std::optional<Failure> find_rubbing(const ConstraintSet& set, const ContactForces& forces, const MatrixMap& K,
                                    const VectorMap& y0, std::span<const int> coupled, std::span<const int> signless,
                                    DenseConstraints& memory, std::span<int> rubs) {
  if (coupled.empty()) return std::nullopt;
  Scratch& scratch = memory.scratch;
  const Scratch::Frame frame(scratch);
  const Eigen::Index c = static_cast<Eigen::Index>(coupled.size()), s = static_cast<Eigen::Index>(signless.size());
  MatrixMap reduced = scratch.matrix(c, c);
  VectorMap known = scratch.vector(c);
  for (Eigen::Index i = 0; i < c; ++i) {
    for (Eigen::Index j = 0; j < c; ++j) reduced(i, j) = K(coupled[i], coupled[j]);
    known[i] = y0[coupled[i]];
  }
  if (s > 0) {
    MatrixMap inner = scratch.matrix(s, s), back = scratch.matrix(c, s), across = scratch.matrix(s, c + 1);  // and y0
    for (Eigen::Index i = 0; i < s; ++i) {
      for (Eigen::Index j = 0; j < s; ++j) inner(i, j) = K(signless[i], signless[j]);
      for (Eigen::Index j = 0; j < c; ++j) across(i, j) = K(signless[i], coupled[j]), back(j, i) = K(coupled[j], signless[i]);
      across(i, c) = y0[signless[i]];
    }
    solve_square_in_place(inner, across);
    reduced.noalias() -= back * across.leftCols(c);
    known.noalias() -= back * across.col(c);
  }
  constexpr size_t kMostEnumerated = 8;
  MatrixMap by_rows = scratch.matrix(c, c);
  by_rows = reduced.transpose();
  known = -known;
  const std::span<const double> M(by_rows.data(), coupled.size() * coupled.size()), q(known.data(), coupled.size());
  ComplementaritySolutions& solutions = memory.solutions;
  if (coupled.size() <= kMostEnumerated) {
    solutions.enumerate(M, q);
  } else {
    solutions.find_one(M, q);
  }
  if (solutions.count() == 0) return friction_without_solution(set, forces);
  if (solutions.count() > 1) return several_with_friction(set, forces);
  for (size_t i = 0; i < coupled.size(); ++i) rubs[i] = solutions.z(0)[i] > 0 ? 1 : 0;
  return std::nullopt;
}

}  // namespace

Outcome<MassFactor> factorize_mass_matrix(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                          const Eigen::MatrixXd& D) {
  Scratch scratch;
  MassFactor mass;
  if (auto failure = factorize_mass_matrix(set, mass_matrix, D, scratch, mass)) return *failure;
  return mass;
}

std::optional<Failure> factorize_mass_matrix(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                             const Eigen::MatrixXd& D, Scratch& scratch, MassFactor& mass) {
  mass.k = 0;
  mass.weakest_velocity = -1;
  mass.weakest_ratio = 1;
  mass.factor.factorize(mass_matrix);
  if (find_weakest_pivot(mass_matrix, mass)) return std::nullopt;
  const Scratch::Frame frame(scratch);
  MatrixMap held = scratch.matrix(D.cols(), D.cols());
  held.noalias() = D.transpose() * D;
  if (const double trace = held.trace(); trace > 0) {
    mass.k = std::max(mass_matrix.trace(), 1e-300) / trace;
    held = mass_matrix + mass.k * held;
    mass.factor.factorize(held);
    if (find_weakest_pivot(held, mass)) return std::nullopt;
    return singular_mass_matrix(find_weakest_direction(set.model, held).text);
  }
  return singular_mass_matrix(find_weakest_direction(set.model, mass_matrix).text);
}

std::optional<Failure> find_contradiction(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                          Workspace& workspace) {
  if (set.is_plain_tree()) return std::nullopt;  // given motions are unit constraints of different velocities
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), rows.D);
  if (!mass) return std::nullopt;
  return check_consistent(set, rows, analyse_rows(mass->factor, rows));
}

namespace {

// R⁻ᵀ(gamma/scale) - Qᵀc of the independent rows.
void find_targets(const RowAnalysis& analysis, Given gamma, const VectorMap& c, VectorMap target) {
  for (int i = 0; i < analysis.rank; ++i) target[i] = gamma(analysis.order[i], 0) / analysis.scale[analysis.order[i]];
  solve_upper_transposed_in_place(analysis.R, target);
  target.noalias() -= analysis.Q.transpose() * c;
}

template <class Multipliers>
void set_unscaled(const RowAnalysis& analysis, const VectorMap& scaled, Multipliers& multipliers) {
  multipliers.setZero();
  for (int i = 0; i < analysis.rank; ++i) multipliers[analysis.order[i]] = scaled[i] / analysis.scale[analysis.order[i]];
}

// What each independent row brings as friction, with the loads of the others in their shares; and how much of it does something
// else if they are shared in another way:  |(1 - Q Qᵀ) L⁻¹ C Z|  beside  |L⁻¹ C| .
// The columns of `shared` are velocities by rank; returned is the latter.
double share_coupling(const MassFactor& mass, const RowAnalysis& analysis, const ContactForces& forces, Scratch& scratch,
                      MatrixMap shared) {
  if (analysis.is_independent()) {
    for (int i = 0; i < analysis.rank; ++i) shared.col(i) = forces.coupling.col(analysis.order[i]);
    return 0;
  }
  const Scratch::Frame frame(scratch);
  const Eigen::Index n = forces.coupling.rows(), m = forces.coupling.cols(), nullity = analysis.Z.cols();
  MatrixMap B = scratch.matrix(m, analysis.rank), friction = scratch.matrix(n, m), other = scratch.matrix(n, nullity);
  MatrixMap within = scratch.matrix(analysis.rank, nullity);
  compute_shares(analysis.Z, std::span(analysis.order).first(static_cast<size_t>(analysis.rank)), B);
  shared.noalias() = forces.coupling * B;
  friction = forces.coupling;
  mass.factor.solve_lower_in_place(friction);
  other.noalias() = friction * analysis.Z;
  within.noalias() = analysis.Q.transpose() * other;
  other.noalias() -= analysis.Q * within;
  return other.norm() / friction.norm();
}

}  // namespace

// With W = L⁻¹Dᵀ = Q R scale on the independent rows and c = L⁻¹ b:   Wᵀ(c + W lambda) = gamma   becomes
// R (scale lambda) = R⁻ᵀ(gamma/scale) - Qᵀc .
RowSolution solve_rows(const MassFactor& mass, const RowAnalysis& analysis, const Eigen::MatrixXd& D, const Eigen::VectorXd& b,
                       const Eigen::VectorXd& gamma) {
  Scratch scratch;
  RowSolution solution{Eigen::VectorXd(b.size()), Eigen::VectorXd(D.rows())};
  solve_rows(mass, analysis, D, b, gamma, scratch, {solution.x.data(), b.size()}, {solution.multipliers.data(), D.rows()});
  return solution;
}

namespace {

// c = L⁻¹(b + k Dᵀgamma)
void find_free(const MassFactor& mass, Given D, Given b, Given gamma, VectorMap c) {
  c.setZero();
  if (mass.k != 0) c.noalias() += D.transpose() * gamma.col(0);
  c = b.col(0) + mass.k * c;
  mass.factor.solve_lower_in_place(c);
}

}  // namespace

void solve_rows(const MassFactor& mass, const RowAnalysis& analysis, Given D, Given b, Given gamma, Scratch& scratch, VectorMap x,
                VectorMap multipliers) {
  const Scratch::Frame frame(scratch);
  VectorMap target = scratch.vector(analysis.rank);
  find_free(mass, D, b, gamma, x);
  find_targets(analysis, gamma, x, target);
  x.noalias() += analysis.Q * target;
  mass.factor.solve_upper_in_place(x);
  solve_upper_in_place(analysis.R, target);
  set_unscaled(analysis, target, multipliers);
}

Outcome<ConstraintSolution> solve_constraints(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                              const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows,
                                              const ContactForces& forces) {
  DenseConstraints memory;
  ConstraintSolution solution;
  if (auto failure = solve_constraints(set, mass_matrix, tau_minus_h, rows, forces, memory, solution)) return *failure;
  return solution;
}

namespace {

// Friction depends on multipliers where they are positive:
//   K (scale lambda) = R⁻ᵀ(gamma/scale) - Qᵀc ,  K = QᵀW̃/scale ; K = R without friction.
std::optional<Failure> solve_with_friction(const ConstraintSet& set, Given b, const ConstraintRows& rows,
                                           const ContactForces& forces, DenseConstraints& memory, ConstraintSolution& solution) {
  const MassFactor& mass = memory.mass;
  const RowAnalysis& analysis = solution.analysis;
  Scratch& scratch = memory.scratch;
  const int rank = analysis.rank;
  const Eigen::Index n = rows.D.cols();
  VectorMap c = scratch.vector(n), without = scratch.vector(rank), scaled = scratch.vector(rank);
  MatrixMap W = scratch.matrix(n, rank), K = scratch.matrix(rank, rank), copy = scratch.matrix(rank, rank);
  MatrixMap shared = scratch.matrix(n, rank);
  find_free(mass, rows.D, b, rows.gamma, c);
  find_targets(analysis, rows.gamma, c, without);
  solution.friction_split = share_coupling(mass, analysis, forces, scratch, shared);
  const std::span<int> places = scratch.integers(static_cast<size_t>(rank)), rubs = scratch.integers(static_cast<size_t>(rank));
  size_t coupled = 0, signless = 0;  // from the front, and from the back
  for (int i = 0; i < rank; ++i) {
    const int row = analysis.order[i];
    W.col(i) = (rows.D.row(row).transpose() + shared.col(i)) / analysis.scale[row];
    if (shared.col(i).isZero(0)) continue;
    const bool with_either_sign = is_signless(forces, row) || !analysis.determinate[row];
    places[with_either_sign ? places.size() - ++signless : coupled++] = i;
  }
  mass.factor.solve_lower_in_place(W);
  // R⁻¹K is the unit matrix without friction.
  K.noalias() = analysis.Q.transpose() * W;
  solve_upper_in_place(analysis.R, K);
  solve_upper_in_place(analysis.R, without);
  if (auto failure = find_rubbing(set, forces, K, without, places.first(coupled), places.last(signless), memory, rubs))
    return failure;
  for (size_t k = 0; k < coupled; ++k) {
    if (rubs[k] != 0) continue;
    W.col(places[k]).noalias() = analysis.Q * analysis.R.col(places[k]);
    K.col(places[k]).setZero();
    K(places[k], places[k]) = 1;
  }
  copy = K, scaled = without;
  solution.friction_determinant = solve_square_in_place(copy, scaled);
  const PivotedColumns qr = factorize_columns(K, 0, scratch);
  if (!(qr.lengths.minCoeff() > kSingularFriction)) return friction_without_solution(set, forces);
  VectorMap parts = scratch.vector(rank);
  parts.noalias() = qr.Q.transpose() * without;
  solve_upper_in_place(qr.R, parts);
  for (int i = 0; i < rank; ++i) scaled[qr.order[static_cast<size_t>(i)]] = parts[i];
  c.noalias() += W * scaled;
  mass.factor.solve_upper_in_place(c);
  solution.accelerations = c;
  set_unscaled(analysis, scaled, solution.multipliers);
  return std::nullopt;
}

}  // namespace

std::optional<Failure> solve_constraints(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, Given tau_minus_h,
                                         const ConstraintRows& rows, const ContactForces& forces, DenseConstraints& memory,
                                         ConstraintSolution& solution) {
  Scratch& scratch = memory.scratch;
  const Scratch::Frame frame(scratch);
  const MassFactor& mass = memory.mass;
  if (auto failure = factorize_mass_matrix(set, mass_matrix, rows.D, scratch, memory.mass)) return failure;
  solution.weakest_velocity = mass.weakest_velocity;
  solution.weakest_ratio = mass.weakest_ratio;
  solution.friction_determinant = 1;
  solution.friction_split = 0;
  RowAnalysis& analysis = solution.analysis;
  analyse_rows(mass.factor, rows.D, rows.F, rows.gamma, scratch, analysis);
  if (auto contradiction = check_consistent(set, rows, analysis)) return contradiction;
  if (auto ambiguity = check_unique_friction(set, analysis, forces)) return ambiguity;

  VectorMap b = scratch.vector(rows.D.cols());
  b = tau_minus_h + forces.forces;
  solution.accelerations.resize(rows.D.cols());
  solution.multipliers.resize(rows.D.rows());
  if (forces.coupling.cols() == 0 || analysis.rank == 0) {  // no row that is felt, no multiplier to rub
    solve_rows(mass, analysis, rows.D, b, rows.gamma, scratch, {solution.accelerations.data(), rows.D.cols()},
               {solution.multipliers.data(), rows.D.rows()});
  } else if (auto failure = solve_with_friction(set, b, rows, forces, memory, solution)) {
    return failure;
  }
  // The smallest of all that do the same.
  for (Eigen::Index j = 0; j < analysis.Z.cols(); ++j) {
    const double part = analysis.Z.col(j).dot(solution.multipliers);
    solution.multipliers -= part * analysis.Z.col(j);
  }
  return std::nullopt;
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

}  // namespace

void add_multiplier_parts(const Eigen::VectorXd& multipliers, ContactForces& forces) {
  for (ContactForces::Law& law : forces.laws) {
    if (law.normal_row >= 0) law.force += law.coefficient * std::max(multipliers[law.normal_row], 0.0);
  }
  for (ContactForces::Slip& slip : forces.slips) {
    if (slip.normal_row >= 0) slip.force += slip.coefficient * std::max(multipliers[slip.normal_row], 0.0);
  }
}

std::vector<Wrench> compute_joint_reactions(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                            const ConstraintSolution& solution, const ContactForces& forces,
                                            Workspace& workspace) {
  const std::span<const double> accelerations(solution.accelerations.data(), static_cast<size_t>(solution.accelerations.size()));
  auto reactions_W = compute_inverse_dynamics(set.model, state, accelerations, workspace).reactions_W;
  unload_joints(set, rows, solution, forces, reactions_W);
  return reactions_W;
}

std::vector<Wrench> compute_row_reactions(const ConstraintSet& set, const ConstraintRows& rows,
                                          const ConstraintSolution& solution) {
  std::vector<Wrench> reactions_W(set.model.bodies().size());
  unload_joints(set, rows, solution, {}, reactions_W);
  return reactions_W;
}

namespace {

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

// From constraints, forces and solution to what the contacts do; joint reactions are still without it.
void explain_contacts(const ConstraintSet& set, ConstrainedDynamics& result) {
  ForwardDynamics& dynamics = result.dynamics;
  const ConstraintRows& rows = result.rows;
  const ConstraintSolution& solution = result.solution;
  ContactForces& forces = result.forces;
  std::vector<ElementReaction>& reactions = result.reactions;
  add_multiplier_parts(solution.multipliers, forces);
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
  dynamics.reactions_W = compute_joint_reactions(set, state, result.rows, result.solution, result.forces, workspace);
  return result;
}

namespace {

void compute_recursive_equations(const Model& model, const State& state, Workspace& workspace, DenseConstraints& memory) {
  const size_t n = static_cast<size_t>(model.tree().velocities);
  memory.zero.assign(n, 0.0);
  memory.equations.bias.resize(n);
  compute_mass_matrix(model, state.q, workspace, memory.equations.mass_matrix);
  compute_forces(model, state.t, state.q, state.v, memory.zero, memory.equations.bias, workspace);
}

std::optional<Failure> solve_equations(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                       ContactForces& forces, std::span<const double> joint_forces, const Equations& equations,
                                       Workspace& workspace, DenseConstraints& memory, ConstraintSolution& solution) {
  const Scratch::Frame frame(memory.scratch);
  const Eigen::Index n = set.model.tree().velocities;
  VectorMap tau_minus_h = memory.scratch.vector(n);
  for (Eigen::Index i = 0; i < n; ++i)
    tau_minus_h[i] = joint_forces[static_cast<size_t>(i)] - equations.bias[static_cast<size_t>(i)];
  if (!tau_minus_h.allFinite() || !forces.forces.allFinite()) return no_finite_value(state.t);
  const auto solve = [&](ContactForces& all, ConstraintSolution& found) -> std::optional<Failure> {
    if (auto failure = direct_slips(set, equations.mass_matrix, tau_minus_h, rows, all, memory)) return failure;
    return solve_constraints(set, equations.mass_matrix, tau_minus_h, rows, all, memory, found);
  };
  if (forces.bearings.empty()) return solve(forces, solution);
  const auto solve_given = [&](ContactForces& all) -> Outcome<ConstraintSolution> {
    ConstraintSolution found;
    if (auto failure = solve(all, found)) return *failure;
    return found;
  };
  auto found = solve_with_bearings(set, state, rows, forces, solve_given, workspace);
  if (!found) return found.failure();
  solution = std::move(*found);
  return std::nullopt;
}

// By dense matrices, from rows and forces: D and the equations are made here.
std::optional<Failure> solve_densely(const ConstraintSet& set, const State& state, ConstraintRows& rows, ContactForces& forces,
                                     Workspace& workspace, DenseConstraints& memory, ConstraintSolution& solution) {
  fill_jacobian(set, rows);
  if (!rows.D.allFinite()) return no_finite_value(state.t);
  compute_recursive_equations(set.model, state, workspace, memory);
  memory.joint_forces.resize(memory.zero.size());
  compute_joint_forces(set.model, state, workspace, memory.joint_forces);
  return solve_equations(set, state, rows, forces, memory.joint_forces, memory.equations, workspace, memory, solution);
}

}  // namespace

Outcome<ConstrainedDynamics> compute_constrained_dynamics(const ConstraintSet& set, const State& state, ConstraintRows rows,
                                                          const Equations& equations, Workspace& workspace) {
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  ContactForces forces = compute_contact_forces(set, rows);
  DenseConstraints memory;
  ConstraintSolution solution;
  if (auto failure = solve_equations(set, state, rows, forces, given.joint_forces, equations, workspace, memory, solution))
    return *failure;
  return explain_solution(set, state, std::move(rows), std::move(forces), given, std::move(solution), workspace);
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
  DenseConstraints memory;
  ContactForces forces = compute_contact_forces(set, *rows);
  ConstraintSolution solution;
  if (auto failure = solve_densely(set, state, *rows, forces, workspace, memory, solution)) return *failure;
  return explain_solution(set, state, std::move(*rows), std::move(forces), compute_given_forces(set.model, state, workspace),
                          std::move(solution), workspace);
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
    std::optional<DenseConstraints> own;
    DenseConstraints& memory = sparse != nullptr ? sparse->dense_memory() : own.emplace();
    if (auto failure = solve_densely(set, state, rows, result.forces, workspace, memory, result.solution)) return failure;
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

  std::optional<DenseConstraints> own;
  DenseConstraints& memory = sparse != nullptr ? sparse->dense_memory() : own.emplace();
  ConstraintSolution& solution = memory.solution;
  if (auto failure = solve_densely(set, state, rows, forces, workspace, memory, solution)) return failure;
  const Eigen::Map<const Eigen::VectorXd> v(state.v.data(), n);
  motion.power = forces.forces.dot(v);
  for (Eigen::Index i = 0; i < rows.D.rows(); ++i) {
    motion.power += solution.multipliers[i] * rows.D.row(i).dot(v);
    if (forces.coupling.cols() > 0) motion.power += forces.brought_by(i, solution.multipliers) * forces.coupling.col(i).dot(v);
  }
  motion.regularity = regularity_of(rows, solution.analysis);
  motion.accelerations = solution.accelerations;
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
  // The wrench of a constraint as a screw in the body's axes about its origin.
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
