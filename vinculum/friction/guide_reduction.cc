// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_reduction.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/friction/critical_friction.h"

namespace vinculum {

namespace {

// What a wrench on the body of a pair, and its opposite on the other one, does on every velocity.
Eigen::VectorXd push_velocities(const ConstraintSet& set, const ConstraintRows& rows, const RowAt& row, const Wrench& wrench) {
  RowAt at = row;
  at.wrench_W = wrench;
  return compute_row(set, rows, at).row;
}

// Both faces of a pair must take away a motion that the pairs together take away: else the row of face2 is not the constraint.
std::optional<Failure> check_same_motion(const ConstraintSet& set, const Eigen::MatrixXd& rows_of_faces,
                                         const Eigen::MatrixXd& all_rows, const std::vector<int>& pairs) {
  constexpr double kOutside = 1e-7;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(all_rows.transpose());
  const Eigen::Index rank = std::min(all_rows.rows(), all_rows.cols());
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(all_rows.cols(), rank);
  const Eigen::Index faces = rows_of_faces.rows() / static_cast<Eigen::Index>(std::max<size_t>(pairs.size(), 1));
  for (Eigen::Index k = 0; k < rows_of_faces.rows(); ++k) {
    const Eigen::VectorXd row = rows_of_faces.row(k), outside = row - Q * (Q.transpose() * row);
    if (outside.norm() <= kOutside * (1 + row.norm())) continue;
    return Failure{
        "VN-GUIDE-001",
        fmt::format("the two faces of pair '{}' do not remove the same motion of its body",
                    set.model.face_pairs()[pairs[k / faces]].name),
        "give both faces of a single pair the same line of action, or add a second pair that keeps the body from turning"};
  }
  return std::nullopt;
}

// x of  A x = X + (Dᵀ + C) lambda , D x = rates : rows whose multipliers bring the friction of sliding contacts with them.
class RubbingRows {
 public:
  RubbingRows(const MassFactor& mass, const Eigen::MatrixXd& D, const Eigen::MatrixXd& coupling) : mass_(mass), D_(D) {
    if (coupling.cols() == 0) return;
    pushes_ = D.transpose() + coupling;
    by_push_ = divide(pushes_);
    local_.compute(D * by_push_);
  }

  Eigen::VectorXd solve(const Eigen::VectorXd& X, const Eigen::VectorXd& rates) const {
    const Eigen::VectorXd free = divide(X + mass_.k * (D_.transpose() * rates));
    return free + by_push_ * local_.solve(rates - D_ * free);
  }

 private:
  Eigen::MatrixXd divide(const Eigen::MatrixXd& X) const { return mass_.factor.solve(X); }

  const MassFactor& mass_;
  const Eigen::MatrixXd& D_;
  Eigen::MatrixXd pushes_, by_push_;
  Eigen::PartialPivLU<Eigen::MatrixXd> local_;
};

// The size of loads: what would stop accelerations as large as the terms of d, before they cancel. Of a model far smaller than
// a newton its loads count, and theory 5, 4.6, takes one newton at most; where nothing acts, that.
double size_of_loads(const Eigen::MatrixXd& R, const Eigen::VectorXd& gamma, const Eigen::VectorXd& unloaded,
                     const VariantProblem& problem) {
  constexpr double kElsewhere = 1e-6;  // accelerations along which no pair pushes are forgotten by round-off only
  double unit = 0;
  for (Eigen::Index k = 0; k < R.rows(); ++k) {
    const double terms = std::abs(gamma[k]) + R.row(k).cwiseAbs().dot(unloaded.cwiseAbs().transpose()) +
                         kElsewhere * R.row(k).norm() * unloaded.norm();
    const double per_load = std::abs(problem.B2(k, k) - problem.F2(k, k));
    if (per_load > 0) unit = std::max(unit, terms / per_load);
  }
  return unit > 0 ? std::min(unit, 1.0) : 1;
}

}  // namespace

std::optional<Failure> check_pairs_at_rest(const ConstraintSet& set, const ConstraintRows& rows, const State& state,
                                           Workspace& workspace) {
  std::vector<int> pairs;
  std::vector<std::string> names;
  std::vector<Eigen::Index> guided, others;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const auto* origin = set.rows[i].from<GuideRow>();
    (origin != nullptr ? guided : others).push_back(static_cast<Eigen::Index>(i));
    if (origin == nullptr) continue;
    pairs.push_back(origin->pair);
    names.push_back(set.model.face_pairs()[origin->pair].name);
  }
  const Eigen::Index n = set.model.tree().velocities, m = static_cast<Eigen::Index>(pairs.size());
  Eigen::MatrixXd of_face1(m, n);
  for (Eigen::Index k = 0; k < m; ++k)
    of_face1.row(k) =
        push_velocities(set, rows, rows.all[set.rows[guided[k]].index], compute_face_push(rows, pairs[k], 0)).transpose();
  if (auto failure = check_same_motion(set, of_face1, rows.D, pairs)) return failure;

  // In motions that the other rows allow, each in the unit in which its inertia is 1.
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n, n);
  if (!others.empty()) {
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(rows.D(others, Eigen::all));
    Z = factor.dimensionOfKernel() > 0 ? Eigen::MatrixXd(factor.kernel()) : Eigen::MatrixXd(n, 0);
  }
  const Eigen::VectorXd inertia = (Z.transpose() * compute_mass_matrix(set.model, state, workspace) * Z).diagonal();
  for (Eigen::Index i = 0; i < Z.cols(); ++i) Z.col(i) /= inertia[i] > 0 ? std::sqrt(inertia[i]) : Z.col(i).norm();
  const Eigen::MatrixXd second = rows.D(guided, Eigen::all) * Z, first = of_face1 * Z;
  VariantProblem problem;
  problem.B1 = second * first.transpose();
  problem.B2 = second * second.transpose();
  problem.F1 = problem.F2 = Eigen::MatrixXd::Zero(m, m);
  problem.d = Eigen::VectorXd::Zero(m);
  return check_pairing(problem, names).failure;
}

std::optional<Failure> check_face_size(const FacePair& pair, int face, double largest) {
  if (largest < kLargestEntry) return std::nullopt;
  const Vector3& point = pair.faces[face].point_B;
  return Failure{"VN-GUIDE-030",
                 fmt::format("face{} of pair '{}' at [{:.3g}, {:.3g}, {:.3g}]: the effect of a unit load is {}, which overflows",
                             face + 1, pair.name, point.x, point.y, point.z,
                             std::isfinite(largest) ? fmt::format("as large as {:.3g}", largest) : "not finite"),
                 "check the point of the face and its unit, and its friction; the mass and inertia of its body"};
}

Eigen::VectorXd GuideReduction::accelerations(const Eigen::VectorXd& n) const {
  return unloaded + by_face2 * n.cwiseMax(0) + by_face1 * (-n).cwiseMax(0);
}

Outcome<GuideReduction> reduce_guides(const ConstraintSet& set, const State& state, Workspace& workspace,
                                      const SlideGuess* guess) {
  Outcome<ConstraintRows> computed = compute_constraint_rows(set, state);
  if (!computed) return computed.failure();
  const ConstraintRows& rows = *computed;

  // The rows of the pairs, and all others.
  std::vector<int> pairs;
  std::vector<Eigen::Index> guided, others;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const auto* origin = set.rows[i].from<GuideRow>();
    const bool is_guided = origin != nullptr && !set.model.face_pairs()[origin->pair].sticks(set.modes);
    if (is_guided) pairs.push_back(origin->pair);
    // What no joint feels does nothing: of a planar mechanism, sticking across its plane.
    if (is_guided || rows.felt[static_cast<Eigen::Index>(i)] > 0 || set.rows[i].from<StickRow>() == nullptr)
      (is_guided ? guided : others).push_back(static_cast<Eigen::Index>(i));
  }
  // Guides alone on a tree, where runs ask at every step: nothing stands beside them.
  const Eigen::Index n = set.model.tree().velocities, m = static_cast<Eigen::Index>(pairs.size());
  const bool alone = others.empty() && set.model.contacts().empty() && set.model.grips().empty();
  std::optional<ConstraintSet> copy;
  ConstraintRows ideal;
  ContactForces forces;
  if (alone) {
    ideal.D.resize(0, n);
    forces.forces.setZero(n);
  } else {
    copy.emplace(set);
    std::vector<bool> left_out = set.left_out;
    for (const Row& row : set.rows) left_out[row.index] = true;
    for (const Eigen::Index i : others) left_out[set.rows[i].index] = false;
    copy->leave_out(left_out);
    ideal = rows;
    ideal.D = rows.D(others, Eigen::all);
    ideal.F = rows.F(others);
    ideal.gamma = rows.gamma(others);
    ideal.rate = rows.rate(others);
    ideal.felt = rows.felt(others);
    forces = compute_contact_forces(*copy, ideal);
  }
  const ConstraintSet& without_guides = alone ? set : *copy;
  if (std::ranges::any_of(forces.laws, [](const ContactForces::Law& law) { return law.normal_row >= 0; }))
    return Failure{"VN-GUIDE-002",
                   "contact friction that depends on a normal constraint cannot be combined with friction of guides",
                   "give the contact `friction` and run with `--contacts frictional`, or its normal force by `laws`"};
  const std::vector<double> zero(static_cast<size_t>(n), 0.0);
  const std::vector<double> bias = compute_inverse_dynamics(set.model, state, zero, workspace).forces;
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  const Eigen::VectorXd known = Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) -
                                Eigen::Map<const Eigen::VectorXd>(bias.data(), n) + forces.forces;
  if (!known.allFinite() || !rows.D.allFinite()) return no_finite_value(state.t);

  const auto mass = factorize_mass_matrix(without_guides, compute_mass_matrix(set.model, state, workspace), ideal.D);
  if (!mass) return mass.failure();
  RowAnalysis analysis;
  if (!alone) analysis = analyse_rows(mass->factor, ideal);
  if (auto contradiction = alone ? std::nullopt : check_consistent(without_guides, ideal, analysis)) return *contradiction;
  const bool slips = forces.coupling.cols() > 0;
  if (slips && analysis.rank < ideal.D.rows())
    return Failure{"VN-GUIDE-002", "contacts slide beside guides, and their reactions are not determined: redundant constraints",
                   "remove a redundant constraint"};
  const RubbingRows rubbing(*mass, ideal.D, forces.coupling);
  const auto answer = [&](const Eigen::VectorXd& X, const Eigen::VectorXd& rates) -> Eigen::VectorXd {
    if (alone) return mass->factor.solve(X);
    return slips ? rubbing.solve(X, rates) : solve_rows(*mass, analysis, ideal.D, X, rates).x;
  };
  const Eigen::VectorXd no_rates = Eigen::VectorXd::Zero(ideal.gamma.size());
  const auto respond = [&](const Eigen::VectorXd& X) { return answer(X, no_rates); };

  GuideReduction reduction;
  reduction.pairs = pairs;
  const Eigen::MatrixXd R = rows.D(guided, Eigen::all);
  Eigen::MatrixXd of_faces(2 * m, n);
  reduction.unloaded = answer(known, ideal.gamma);
  if (!reduction.unloaded.allFinite()) return friction_without_solution(without_guides, forces);
  reduction.problem.d = rows.gamma(guided) - R * reduction.unloaded;
  VariantProblem& problem = reduction.problem;
  for (Eigen::MatrixXd* matrix : {&problem.B1, &problem.B2, &problem.F1, &problem.F2}) matrix->setZero(m, m);
  reduction.by_face1.resize(n, m);
  reduction.by_face2.resize(n, m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const FacePair& pair = set.model.face_pairs()[pairs[k]];
    const RowAt& row = rows.all[set.rows[guided[k]].index];
    const std::array<double, 2> senses = compute_senses(set, rows, pairs[k]);
    reduction.names.push_back(pair.name);
    for (int p = 0; p < 2; ++p)
      of_faces.row(2 * k + p) = push_velocities(set, rows, row, compute_face_push(rows, pairs[k], p)).transpose();
    for (int p = 0; p < 2; ++p) {
      const Eigen::VectorXd along = of_faces.row(2 * k + p).transpose();
      const Eigen::VectorXd push = respond(along);
      Eigen::VectorXd rub = Eigen::VectorXd::Zero(n);
      if (pair.faces[p].friction > 0) {
        const Vector3* begins = guess != nullptr && guess->directions_W[pairs[k]] ? &*guess->directions_W[pairs[k]] : nullptr;
        const Wrench friction = begins != nullptr ? friction_against(pair.faces[p], rows.pairs[pairs[k]], p, *begins, 0)
                                                  : compute_face_friction(set, rows, pairs[k], p, senses[p]);
        const double part = (guess != nullptr ? guess->friction : 1) * (begins != nullptr ? norm(*begins) : 1);
        rub = part * respond(push_velocities(set, rows, row, friction));
      }
      (p == 0 ? reduction.by_face1 : reduction.by_face2).col(k) = push + rub;
      (p == 0 ? problem.F1 : problem.F2).col(k) = R * rub;
      (p == 0 ? problem.B1 : problem.B2).col(k) = R * (push + rub);
      const double size = (push.cwiseAbs() + rub.cwiseAbs()).maxCoeff() * (1 + along.cwiseAbs().maxCoeff());
      if (auto failure = check_face_size(pair, p, size)) return *failure;
    }
  }
  if (auto failure = check_same_motion(set, of_faces, rows.D, pairs)) return *failure;
  problem.unit = size_of_loads(R, rows.gamma(guided), reduction.unloaded, problem);
  return reduction;
}

void take_senses(ConstraintSet& set, const ConstraintRows& rows) {
  std::vector<int> modes = set.modes;
  for (size_t k = 0; k < set.model.face_pairs().size(); ++k) {
    const FacePair& pair = set.model.face_pairs()[k];
    if (!pair.rubs()) continue;
    const PairState& at = rows.pairs[k];
    const Vector3& slide = at.faces[modes[pair.mode] == kFace1 ? 0 : 1].slide_W;
    if (pair.sticks(modes) && norm(slide) <= kStuckDrift * set.model.scales().velocity) continue;
    if (norm(slide) > kNoSlide * set.model.scales().velocity)
      modes[pair.slide_mode] = dot(slide, at.forward_W) < 0 ? kBackward : kForward;
    else if (modes[pair.slide_mode] == kRests || modes[pair.slide_mode] == kSticks)
      modes[pair.slide_mode] = kForward;
  }
  set.set_modes(modes);
}

ConstraintSet without_sticking(const ConstraintSet& set) {
  ConstraintSet sliding = set;
  std::vector<int> modes = set.modes;
  for (const FacePair& pair : set.model.face_pairs()) {
    if (pair.sticks(modes)) modes[pair.slide_mode] = kForward;
  }
  sliding.set_modes(modes);
  return sliding;
}

bool guides_rest(const ConstraintSet& set, const ConstraintRows& rows) {
  bool rubs = false;
  for (size_t k = 0; k < set.model.face_pairs().size(); ++k) {
    const FacePair& pair = set.model.face_pairs()[k];
    rubs = rubs || pair.rubs();
    if (!is_at_rest(set.model, pair, rows.pairs[k])) return false;
  }
  return rubs;
}

}  // namespace vinculum
