// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/balance_design.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "vinculum/analysis/row_reduction.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/math/linear_program.h"
#include "vinculum/math/rigid_inertia.h"
#include "vinculum/model/compile_forces.h"

namespace vinculum {

namespace {

RigidInertia point_mass(const Vector3& point) { return {1, point, star(point)}; }
RigidInertia thin_disc(const Vector3& axis) { return {0, {}, 0.5 * (outer(axis) + Symmetric3{1, 1, 1, 0, 0, 0})}; }

// The design unknowns x: what a unit of each adds to the parameters, π = π0 + B x, and what each may be at most.
struct Unknowns {
  Eigen::VectorXd start;  // π0: chosen springs without stiffness
  Eigen::MatrixXd B;
  Eigen::VectorXd most, size, cost;
};

Unknowns list_unknowns(const Model& model, const BalanceConditions& conditions, const BalanceSites& sites) {
  const Eigen::Index count = static_cast<Eigen::Index>(sites.count()), parameters = conditions.present.size();
  Unknowns unknowns{conditions.present, Eigen::MatrixXd::Zero(parameters, count), Eigen::VectorXd(count), Eigen::VectorXd(count),
                    Eigen::VectorXd(count)};
  // Beside a mass, nothing else counts unless masses are equal.
  constexpr double kSecond = 1e-6;
  Eigen::Index j = 0;
  const auto add = [&](double most, double size, double cost) {
    unknowns.most[j] = most;
    unknowns.size[j] = size;
    unknowns.cost[j] = cost;
    ++j;
  };
  const auto add_inertia = [&](int body, const RigidInertia& I) {
    unknowns.B.col(j).segment(kInertialParameters * body, kInertialParameters) << I.mass, I.s.x, I.s.y, I.s.z, I.J.xx, I.J.yy,
        I.J.zz, I.J.xy, I.J.xz, I.J.yz;
  };
  for (const auto& [body, point, most] : sites.counterweights) {
    add_inertia(body, point_mass(point));
    add(most, conditions.size[0], 1);
  }
  for (const auto& [body, most] : sites.discs) {
    add_inertia(body, thin_disc(*find_turning_axis(model, body)));
    add(most, conditions.size[4], kSecond);
  }
  const Eigen::Index first_spring = kInertialParameters * static_cast<Eigen::Index>(model.bodies().size());
  for (const auto& [force, most] : sites.springs) {
    const auto& forces = model.description().forces;
    const Eigen::Index parameter =
        first_spring + std::count_if(forces.begin(), forces.begin() + force,
                                     [](const ForceDescription& other) { return find_stiffness(other) != nullptr; });
    unknowns.start[parameter] = 0;
    unknowns.B(parameter, j) = 1;
    add(most, conditions.size[parameter], kSecond);
  }
  return unknowns;
}

LinearProgram select_rows(const LinearProgram& program, const std::vector<int>& rows) {
  return {program.equations(rows, Eigen::all), program.right(rows), program.upper, program.cost};
}

// A fewest set of equations that exclude each other: each is left out if the rest still do. Inertias go first, so that the
// simplest remain.
std::vector<int> find_contradiction(const LinearProgram& program) {
  std::vector<int> kept(program.equations.rows());
  std::iota(kept.begin(), kept.end(), 0);
  for (int row = 0; row < program.equations.rows(); ++row) {
    std::vector<int> rest = kept;
    std::erase(rest, row);
    const auto solution = solve_linear_program(select_rows(program, rest));
    if (solution && !solution->feasible) kept = rest;
  }
  return kept;
}

// "impossible because a = 0: it is -2 now, and nothing that may be added raises it"; several equations by the combination of them
// that shows it.
std::string explain(const BalanceConditions& conditions, const Unknowns& unknowns, const std::vector<int>& rows,
                    const Eigen::VectorXd& proof) {
  Eigen::VectorXd combination = Eigen::VectorXd::Zero(conditions.present.size());
  std::string equations;
  for (size_t i = 0; i < rows.size(); ++i) {
    combination += proof[static_cast<Eigen::Index>(i)] / proof[0] * conditions.C.row(rows[i]).transpose();
    equations += (equations.empty() ? "" : " and ") + conditions.texts[rows[i]];
  }
  const double now = combination.dot(unknowns.start);
  double reach = now;  // how near to zero the unknowns can bring it
  for (Eigen::Index j = 0; j < unknowns.most.size(); ++j) {
    const double change = combination.dot(unknowns.B.col(j));
    if (change * now < 0 && std::isfinite(unknowns.most[j])) reach += change * unknowns.most[j];
  }
  const std::string subject =
      rows.size() == 1 ? "it" : write_combination(conditions.parameters, combination, conditions.pivots[rows[0]]);
  const std::string end = reach == now ? fmt::format("nothing that may be added {} it", now > 0 ? "lowers" : "raises")
                                       : fmt::format("at the bounds given still {:.6g}", reach);
  return fmt::format("impossible because {}: {} is {:.6g} now, and {}", equations, subject, now, end);
}

void add_to_body(BodyDescription& body, const RigidInertia& added) {
  const double mass = *body.mass + added.mass;
  const Vector3 s = *body.mass * *body.com + added.s;
  const Symmetric3 J = *body.inertia + *body.mass * star(*body.com) + added.J;
  body.mass.value = mass;
  body.com.value = mass > 0 ? (1 / mass) * s : Vector3{};
  body.inertia.value = J - mass * star(*body.com);
}

RigidInertia scaled(double factor, const RigidInertia& I) { return {factor * I.mass, factor * I.s, factor * I.J}; }

ModelDescription apply(const Model& model, const BalanceSites& sites, const BalanceDesign& design) {
  ModelDescription words = model.description();
  for (size_t i = 0; i < sites.counterweights.size(); ++i) {
    const auto& site = sites.counterweights[i];
    add_to_body(words.bodies[site.body], scaled(design.masses[i], point_mass(site.point)));
  }
  for (size_t i = 0; i < sites.discs.size(); ++i) {
    const int body = sites.discs[i].body;
    add_to_body(words.bodies[body], scaled(design.inertias[i], thin_disc(*find_turning_axis(model, body))));
  }
  for (size_t i = 0; i < sites.springs.size(); ++i) *find_stiffness(words.forces[sites.springs[i].force]) = design.stiffnesses[i];
  return words;
}

}  // namespace

std::optional<Vector3> find_turning_axis(const Model& model, int body) {
  const JointDescription& joint = model.description().bodies[body].joint;
  if (*joint.type == JointType::revolute || *joint.type == JointType::screw) return (1 / norm(*joint.axis)) * *joint.axis;
  const std::vector<ElementaryMotion> motions = elementary_motions(joint);
  if (motions.empty()) return std::nullopt;
  switch (motions.back()) {
    case ElementaryMotion::rx: return Vector3{1, 0, 0};
    case ElementaryMotion::ry: return Vector3{0, 1, 0};
    case ElementaryMotion::rz: return Vector3{0, 0, 1};
    case ElementaryMotion::tx:
    case ElementaryMotion::ty:
    case ElementaryMotion::tz: break;
  }
  return std::nullopt;
}

Outcome<BalanceDesign> design_balance(const Model& model, const BalanceConditions& conditions, const BalanceSites& sites) {
  const Unknowns unknowns = list_unknowns(model, conditions, sites);

  // In units of the mechanism, so that all numbers are of the order of 1.
  const Eigen::VectorXd row_scale = (conditions.C.cwiseAbs() * conditions.size).cwiseInverse();
  LinearProgram program;
  program.equations = row_scale.asDiagonal() * conditions.C * unknowns.B * unknowns.size.asDiagonal();
  program.right = -(row_scale.asDiagonal() * (conditions.C * unknowns.start));
  program.upper = unknowns.most.cwiseQuotient(unknowns.size);
  program.cost = unknowns.cost;
  const auto solution = solve_linear_program(program);
  if (!solution) return solution.failure();

  BalanceDesign design;
  design.feasible = solution->feasible;
  if (!design.feasible) {
    const std::vector<int> rows = find_contradiction(program);
    const auto shown = solve_linear_program(select_rows(program, rows));
    if (!shown) return shown.failure();
    design.why = explain(conditions, unknowns, rows, row_scale(rows).cwiseProduct(shown->proof));
    return design;
  }
  const Eigen::VectorXd x = solution->x.cwiseProduct(unknowns.size);
  const double* next = x.data();
  const auto take = [&](std::vector<double>& list, size_t count) {
    list.assign(next, next + count);
    next += count;
  };
  take(design.masses, sites.counterweights.size());
  take(design.inertias, sites.discs.size());
  take(design.stiffnesses, sites.springs.size());
  for (const double mass : design.masses) design.added_mass += mass;
  design.balanced = apply(model, sites, design);
  return design;
}

}  // namespace vinculum
