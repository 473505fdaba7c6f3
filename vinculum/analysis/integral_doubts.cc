// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/integral_doubts.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/expression/bounds.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/kernels/environment.h"

namespace vinculum {

namespace {

using Kind = IntegralCandidate::Kind;

// Dense equations of more velocities are not solved for this: every law that is not constant is doubted then.
constexpr int kMostVelocitiesOfDoubts = 1000;

// Below this part of |∂φ/∂v| |δv'| a lever is round-off; below this part of the unit of a rate a law does not act.
constexpr double kNoLever = 1e-12;
constexpr double kActs = 1e-9;

bool is_constant_everywhere(const Expression& law) {
  const Interval range = bound_everywhere(law);
  return range.low == range.high;
}

std::vector<Wrench> all_pushes() {
  return {{{1, 0, 0}, {}}, {{0, 1, 0}, {}}, {{0, 0, 1}, {}}, {{}, {1, 0, 0}}, {{}, {0, 1, 0}}, {{}, {0, 0, 1}}};
}

// Where a contact holds its body, and whether at a point alone, so that no moment acts.
struct Support {
  Vector3 point;
  bool as_point = false;
};
Support held_at(const PointGeometry& point) { return {point.point, true}; }
Support held_at(const WheelGeometry& wheel) { return {wheel.center, false}; }
Support held_at(const SphereGeometry& sphere) { return {sphere.center, false}; }
Support held_at(const FrameGeometry& frame) { return {frame.body_point, false}; }

}  // namespace

IntegralDoubts::IntegralDoubts(const Model& model, IntegralCandidates& candidates, const IntegralSamples& samples)
    : model_(model), samples_(samples), list_(candidates.list()) {
  list_forces();
  list_motions();
  list_surroundings();
  is_too_large_ = model.tree().velocities > kMostVelocitiesOfDoubts;
  if (levers_.empty() || is_too_large_) return;
  for (const State& state : samples.looked_at) look(state, candidates);
}

// ---- the laws ------------------------------------------------------------------------------------------------------------

void IntegralDoubts::add(Lever lever) {
  if (is_constant_everywhere(lever.law)) return;
  lever.is_seen = is_seen_whole(lever.law, lever.element);
  if (!lever.is_force && lever.is_seen) return;
  levers_.push_back(std::move(lever));
}

void IntegralDoubts::list_forces() {
  for (const ForceOf& force : vinculum::list_forces(model_)) {
    const std::vector<ForceAmplitude> amplitudes = force.source->amplitudes(model_, force.k);
    for (size_t m = 0; m < amplitudes.size(); ++m) {
      Lever lever{element_of_force(model_, force),
                  *amplitudes[m].written_out,
                  force.source->working_part(model_, force.k, static_cast<int>(m)),
                  true,
                  false,
                  -1,
                  kWorld,
                  {},
                  {},
                  {},
                  -1};
      lever.force = force;
      lever.unit.assign(amplitudes.size(), 0.0);
      lever.unit[m] = 1;
      add(std::move(lever));
    }
  }
}

void IntegralDoubts::list_motions() {
  for (const DrivenCoordinate& driven : model_.driven()) {
    const std::string element = fmt::format("the motion of '{}'", model_.coordinate_names()[driven.q]);
    add({element, driven.rate, driven.rate, false, false, driven.v, kWorld, {}, {}, {}, -1});
  }
  for (const Row& row : model_.rows()) {
    const auto* const origin = row.from<EquationRow>();
    if (origin == nullptr) continue;
    const VelocityEquation& equation = model_.velocity_equations()[origin->equation];
    const std::string& element = row.element;
    for (const VelocityEquation::Term& term : equation.by_velocity) {
      for (const Expression* formula : {&term.factor, &equation.given})
        add({element, *formula, *formula, false, false, term.index, kWorld, {}, {}, {}, -1});
    }
  }
}

// What an environment body does to the bodies that touch it, depend on it or are held by springs.
void IntegralDoubts::add_contacts_of(int environment, const std::vector<Wrench>& pushes, const std::string& element,
                                     const Expression& law) {
  const auto is_on_it = [&](const Anchor& end) { return end.on == Anchor::On::environment && end.index == environment; };
  const auto push = [&](int body, const Vector3& point_B, bool as_point) {
    for (const Wrench& unit : pushes) {
      if (as_point && norm(unit.force) == 0) continue;
      add({element, law, law, false, false, -1, body, point_B, unit, Lever::Axes::environment, environment});
    }
  };
  const auto push_end = [&](const Anchor& here, const Anchor& there) {
    if (is_on_it(there) && here.on == Anchor::On::body) push(here.index, here.point, true);
  };
  for (const Contact& contact : model_.contacts()) {
    if (!is_on_it(contact.with)) continue;
    const Support held = std::visit([](const auto& geometry) { return held_at(geometry); }, contact.geometry);
    push(contact.body, held.point, held.as_point);
  }
  for (const StringElement& string : model_.strings()) push_end(string.to, string.from), push_end(string.from, string.to);
  for (const ForceOf& force : vinculum::list_forces(model_)) {
    const std::vector<Anchor> ends = force.source->ends(model_, force.k);
    if (ends.size() == 2) push_end(ends[0], ends[1]), push_end(ends[1], ends[0]);
  }
}

void IntegralDoubts::list_surroundings() {
  for (int k = 0; k < static_cast<int>(model_.environment().size()); ++k) {
    const EnvironmentBody& body = model_.environment()[k];
    const std::string element = fmt::format("environment body '{}'", body.name);
    for (const Expression& rate : body.velocity) add_contacts_of(k, all_pushes(), element, rate);
    for (const EnvironmentBody::TurnLaw& turn : body.turns) add_contacts_of(k, all_pushes(), element, turn.rate);
    if (!body.surface) continue;
    // A slope along x pushes along x, and turns what does not touch with a point.
    for (const auto& [variable, axis] : {std::pair(VariableKind::surface_x, 0), std::pair(VariableKind::surface_y, 1)}) {
      if (!body.surface->depends_on(variable)) continue;
      std::vector<Wrench> pushes = all_pushes();
      pushes.erase(pushes.begin() + 2);           // the normal of a plane, which the states show,
      pushes.erase(pushes.begin() + (1 - axis));  // and the axis across
      add_contacts_of(k, pushes, fmt::format("the surface of '{}'", body.name), *body.surface);
    }
  }
}

// Polynomials of variables, sines and cosines, piece by piece.
bool IntegralDoubts::is_seen_whole(const Expression& law, const std::string& element) const {
  const std::span<const Step> steps = law.steps();
  std::vector<bool> varies(steps.size());
  bool has_pieces = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const auto operand_varies = [&](int k) { return k >= 0 && varies[k]; };
    varies[i] = step.operation == Operation::variable || operand_varies(step.left) || operand_varies(step.right) ||
                operand_varies(step.third);
    if (!varies[i]) continue;
    switch (step.operation) {
      case Operation::variable:
      case Operation::negate:
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::sin:
      case Operation::cos: break;
      case Operation::divide:
        if (varies[step.right]) return false;
        break;
      case Operation::power:
        if (!(step.value >= 0 && std::trunc(step.value) == step.value)) return false;
        break;
      case Operation::abs:
      case Operation::sign:
      case Operation::min:
      case Operation::max:
      case Operation::choose: has_pieces = true; break;
      default: return false;
    }
  }
  const auto is_of_it = [&](const std::string& side) { return side.starts_with(element); };
  return !has_pieces || std::ranges::none_of(samples_.unseen, is_of_it);
}

// ---- what they do --------------------------------------------------------------------------------------------------------

// A δv' = Q + Dᵀ δlambda ,  D δv' = 0
void IntegralDoubts::look(const State& state, IntegralCandidates& candidates) {
  const ConstraintSet set(model_, state);
  Workspace workspace(model_);
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return;
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(model_, state, workspace), rows->D);
  if (!mass) return;
  const RowAnalysis analysis = analyse_rows(mass->factor, *rows);

  const Eigen::Index n = model_.tree().velocities, count = static_cast<Eigen::Index>(levers_.size());
  Look look;
  look.gradients = candidates.compute_gradients(state, workspace).rightCols(n);
  look.v = Eigen::Map<const Eigen::VectorXd>(state.v.data(), n);
  look.pushes = look.responses = Eigen::MatrixXd::Zero(n, count);
  look.values = look.working_values = Eigen::VectorXd::Zero(count);
  const Bindings at{state.t, state.q, state.v};
  place_bodies(model_, state, workspace);
  std::vector<double> scratch;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Lever& lever = levers_[k];
    if (lever.is_force) {
      lever.force.source->add_amplitudes(model_, lever.force.k, lever.unit, state, workspace,
                                         {look.pushes.col(k).data(), static_cast<size_t>(n)});
      place_bodies(model_, state, workspace);
    } else if (lever.velocity >= 0) {
      look.pushes(lever.velocity, k) = 1;
    } else {
      Wrench push = lever.push;
      const auto turn = [&](const Matrix3& R) { push = {R * push.force, R * push.moment}; };
      if (lever.axes == Lever::Axes::environment)
        turn(compute_environment_motion(model_.environment()[lever.environment], state.t, scratch).R_WE);
      add_jacobian_transpose(model_, workspace, {lever.body, lever.point_B}, push,
                             {look.pushes.col(k).data(), static_cast<size_t>(n)});
    }
    look.responses.col(k) = solve_rows(*mass, analysis, rows->D, look.pushes.col(k), Eigen::VectorXd::Zero(rows->D.rows())).x;
    if (!lever.is_force) continue;
    look.values[k] = evaluate(lever.law, at, scratch);
    look.working_values[k] = evaluate(lever.working, at, scratch);
  }
  looks_.push_back(std::move(look));
}

std::string IntegralDoubts::find(const Integral& integral, double unit) const {
  const bool has_energy =
      std::ranges::any_of(integral.terms, [&](const Integral::Term& term) { return list_[term.candidate].kind == Kind::energy; });
  for (size_t k = 0; k < levers_.size(); ++k) {
    const Lever& lever = levers_[k];
    if (has_energy && integral.terms.size() == 1 && is_constant_everywhere(lever.working)) continue;
    if (is_too_large_ || looks_.empty()) return lever.element;
    const Eigen::Index column = static_cast<Eigen::Index>(k);
    bool is_felt = false, acts = false;
    for (const Look& look : looks_) {
      double change = 0, power = 0, size = 0;
      for (const auto& [candidate, coefficient] : integral.terms) {
        const bool is_energy = list_[candidate].kind == Kind::energy;
        const Eigen::VectorXd by_v = is_energy ? look.v : Eigen::VectorXd(look.gradients.row(candidate).transpose());
        const Eigen::VectorXd moved = is_energy ? look.pushes.col(column) : look.responses.col(column);
        (is_energy ? power : change) += coefficient * by_v.dot(moved);
        size += std::abs(coefficient) * by_v.norm() * moved.norm();
      }
      is_felt = is_felt || std::abs(change) + std::abs(power) > kNoLever * size;
      acts = acts || std::abs(change * look.values[column]) + std::abs(power * look.working_values[column]) > kActs * unit;
    }
    if (is_felt && !(lever.is_force && lever.is_seen && acts)) return lever.element;
  }
  return {};
}

}  // namespace vinculum
