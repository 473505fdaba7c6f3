// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/balance.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/analysis/row_reduction.h"
#include "vinculum/dynamics/centroidal.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/model/compile_forces.h"

namespace vinculum {

namespace {

constexpr int kCarrierVelocities = 6;

// Bodies, gravity and springs, and nothing else.
ModelDescription without_given(const Model& model) {
  const ModelDescription& words = model.description();
  ModelDescription bare;
  bare.gravity = words.gravity;
  bare.bodies = words.bodies;
  bare.environment = words.environment;
  for (const ForceDescription& force : words.forces) {
    if (find_stiffness(force) != nullptr) bare.forces.push_back(force);
  }
  return bare;
}

// Of words that were a model before.
Model build_again(ModelDescription words) {
  Diagnostics diagnostics;
  std::optional<Model> model = build_model(std::move(words), diagnostics);
  assert(model);
  return std::move(*model);
}

// The same tree on a carrier without mass that could move freely over the ground: the forces on it are those on the ground.
Model put_on_carrier(const Model& model, bool with_gravity) {
  ModelDescription words = without_given(model);
  words.environment.clear();
  words.forces.clear();
  if (!with_gravity) words.gravity = {};
  BodyDescription carrier;
  carrier.name = "carrier";
  while (model.find_body(carrier.name)) carrier.name += "_";
  carrier.joint.type = JointType::free;
  for (BodyDescription& body : words.bodies) {
    if (*body.parent == "world") body.parent = carrier.name;
  }
  words.bodies.insert(words.bodies.begin(), carrier);
  return build_again(std::move(words));
}

// A tree without mass, with one spring of unit stiffness: its forces are those of the stiffness.
Model with_unit_spring(const Model& model, const ForceDescription& spring) {
  ModelDescription words = without_given(model);
  for (BodyDescription& body : words.bodies) {
    body.mass = 0.0;
    body.inertia = Symmetric3{};
  }
  words.forces = {with_unit_stiffness(spring)};
  return build_again(std::move(words));
}

// Forces of gravity and springs at rest, Gᵀ tau.
Eigen::VectorXd forces_at_rest(const Model& model, const State& place, const Gears& gears, Workspace& workspace) {
  const std::vector<double> zero(place.v.size(), 0.0);
  Eigen::VectorXd forces(gears.G.rows());
  compute_forces(model, place.t, place.q, zero, zero, {forces.data(), place.v.size()}, workspace);
  return gears.G.transpose() * forces;
}

// Rows of C at random positions, by the regressor of the dynamics: Y(q, 0, v) at zero gravity is the momentum of v as a law of
// the parameters, that of the whole in the constraints of the carrier.
class Functional {
 public:
  Functional(const Model& model, BalanceProperty property, const Gears& gears, const Eigen::VectorXd& unit)
      : model_(model),
        property_(property),
        gears_(gears),
        unit_(unit),
        carried_(put_on_carrier(model, property == BalanceProperty::static_balance)),
        workspace_(carried_) {
    if (property != BalanceProperty::static_balance) return;
    for (const ForceDescription& force : model.description().forces) {
      if (find_stiffness(force) != nullptr) springs_.push_back(with_unit_spring(model, force));
    }
  }

  // The parameters count in units.
  Eigen::MatrixXd rows(int sample, RandomMotions& motions) {
    const State place = motions.place();
    const Eigen::Index n = gears_.G.rows();
    switch (property_) {
      case BalanceProperty::static_balance: return at_rest(place);
      case BalanceProperty::force: return regressor(place, motions.rates(1)).topRows(3);
      case BalanceProperty::reactionless: return regressor(place, motions.rates(1)).topRows(kCarrierVelocities);
      case BalanceProperty::constant_mass_matrix: {
        const Eigen::VectorXd rates = motions.rates(1);
        return gears_.G.transpose() *
               (regressor(place, rates).bottomRows(n) - regressor(model_.initial_state(), rates).bottomRows(n));
      }
      case BalanceProperty::decoupled: {
        const Eigen::Index j = sample % gears_.G.cols();
        Eigen::MatrixXd rows = gears_.G.transpose() * regressor(place, gears_.G.col(j)).bottomRows(n);
        rows.row(j).setZero();
        return rows;
      }
    }
    return {};
  }

  // Of the largest terms so far: what is much smaller in a constraint is round-off.
  double size() const { return size_; }

 private:
  RowMatrix regressor(const State& place, const Eigen::VectorXd& accelerations) {
    State state = carried_.initial_state();
    // Coordinates of bodies come first: those of inputs and states are behind them, and the carried model has none.
    const auto of_bodies = [](const Model& model) { return model.tree().coordinates - std::ssize(model.extra_states()); };
    std::copy_n(place.q.begin(), of_bodies(model_), state.q.begin() + (of_bodies(carried_) - of_bodies(model_)));
    std::vector<double> vdot(kCarrierVelocities, 0.0);
    vdot.insert(vdot.end(), accelerations.begin(), accelerations.end());
    RowMatrix Y;
    compute_inertia_regressor(carried_, state, vdot, workspace_, Y);
    Y = (Y.rightCols(Y.cols() - kInertialParameters) * unit_.head(Y.cols() - kInertialParameters).asDiagonal()).eval();
    size_ = std::max(size_, Y.norm());
    return Y;
  }

  Eigen::MatrixXd at_rest(const State& place) {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(gears_.G.rows());
    const Eigen::MatrixXd Y = gears_.G.transpose() * regressor(place, zero).bottomRows(zero.size());
    Eigen::MatrixXd rows(Y.rows(), Y.cols() + static_cast<Eigen::Index>(springs_.size()));
    rows.leftCols(Y.cols()) = Y;
    for (size_t i = 0; i < springs_.size(); ++i) {
      Workspace workspace(springs_[i]);
      const Eigen::Index column = Y.cols() + static_cast<Eigen::Index>(i);
      rows.col(column) = unit_[column] * forces_at_rest(springs_[i], place, gears_, workspace);
      size_ = std::max(size_, rows.col(column).norm());
    }
    return rows;
  }

  const Model& model_;
  BalanceProperty property_;
  const Gears& gears_;
  const Eigen::VectorXd& unit_;
  Model carried_;
  DerivativesWorkspace workspace_;
  std::vector<Model> springs_;
  double size_ = 0;
};

constexpr const char* kParameterNames[kInertialParameters] = {"m", "sx", "sy", "sz", "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz"};
constexpr int kPowerOfLength[kInertialParameters] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 2};
constexpr bool kNeverNegative[kInertialParameters] = {true, false, false, false, true, true, true, false, false, false};

// Names, values and units of the parameters.
struct Parameters {
  BalanceConditions conditions;
  Eigen::VectorXd unit;
};

Parameters list_parameters(const Model& model, BalanceProperty property, double length) {
  Parameters list;
  std::vector<double> present = inertial_parameters(model), unit;
  double mass = 0;
  for (const Body& body : model.bodies()) {
    mass += std::max(body.mass, (body.I_Bcm_B.xx + body.I_Bcm_B.yy + body.I_Bcm_B.zz) / (length * length));
    for (int k = 0; k < kInertialParameters; ++k) {
      list.conditions.parameters.push_back(fmt::format("{}.{}", body.name, kParameterNames[k]));
      unit.push_back(std::pow(length, kPowerOfLength[k]));
    }
  }
  if (property == BalanceProperty::static_balance) {
    const double gravity = norm(model.gravity());
    for (const ForceDescription& force : model.description().forces) {
      const double* const stiffness = find_stiffness(force);
      if (stiffness == nullptr) continue;
      list.conditions.parameters.push_back(force.name + ".k");
      present.push_back(*stiffness);
      unit.push_back((gravity > 0 ? gravity : 1) / length);
    }
  }
  list.conditions.present = Eigen::Map<Eigen::VectorXd>(present.data(), static_cast<Eigen::Index>(present.size()));
  list.unit = Eigen::Map<Eigen::VectorXd>(unit.data(), static_cast<Eigen::Index>(unit.size()));
  list.conditions.size = (mass > 0 ? mass : 1) * list.unit;
  return list;
}

// Inertias, then static moments, then masses, each from the tips to the root; springs last.
std::vector<int> pivot_order(int bodies, int parameters) {
  std::vector<int> order;
  for (const int power : {2, 1, 0}) {
    for (int body = bodies - 1; body >= 0; --body) {
      for (int k = 0; k < kInertialParameters; ++k) {
        if (kPowerOfLength[k] == power) order.push_back(kInertialParameters * body + k);
      }
    }
  }
  for (int k = kInertialParameters * bodies; k < parameters; ++k) order.push_back(k);
  return order;
}

// A condition that only masses and moments of inertia enter, all with one sign.
bool asks_for_nothing(const Eigen::VectorXd& condition, int bodies) {
  for (int k = 0; k < condition.size(); ++k) {
    if (condition[k] == 0) continue;
    if (k >= kInertialParameters * bodies || !kNeverNegative[k % kInertialParameters] || condition[k] < 0) return false;
  }
  return true;
}

std::optional<Failure> refuse_what_is_no_tree(const Model& model) {
  std::string element;
  const auto find = [&](const char* kind, const auto& section) {
    if (element.empty() && !section.empty()) element = fmt::format("{} '{}'", kind, section[0].name);
  };
  find("contact", model.description().contacts);
  find("string", model.description().strings);
  find("guide", model.description().guides);
  if (element.empty()) return std::nullopt;
  return Failure{"VN-BALANCE-002",
                 fmt::format("conditions of balance are for trees with gears, and the model has the {}", element),
                 "balance the tree without it"};
}

}  // namespace

double length_of(const Model& model) {
  double length = 0;
  for (const BodyDescription& body : model.description().bodies) {
    length = std::max({length, norm(body.joint.origin), *body.mass > 0 ? norm(*body.com) : 0});
    if (*body.mass > 0)
      length = std::max(length, std::sqrt((body.inertia->xx + body.inertia->yy + body.inertia->zz) / *body.mass));
  }
  return length > 0 ? length : 1;
}

Outcome<BalanceConditions> find_balance_conditions(const Model& model, BalanceProperty property, const Gears& gears) {
  if (const auto refusal = refuse_what_is_no_tree(model)) return *refusal;
  const double length = length_of(model);
  const int bodies = static_cast<int>(model.bodies().size());
  auto [result, unit] = list_parameters(model, property, length);
  const int parameters = static_cast<int>(unit.size());

  Eigen::MatrixXd equations(0, parameters);
  double size = 0;
  if (gears.G.cols() > 0) {
    Functional functional(model, property, gears, unit);
    RandomMotions motions(model, gears, length);
    constexpr int kLeast = 24;
    for (int sample = 0; sample < kLeast || equations.rows() < 3 * parameters; ++sample) {
      const Eigen::MatrixXd rows = functional.rows(sample, motions);
      equations.conservativeResize(equations.rows() + rows.rows(), parameters);
      equations.bottomRows(rows.rows()) = rows;
    }
    size = functional.size();
  }
  const ReducedRows reduced = reduce_rows(equations, pivot_order(bodies, parameters), size);
  result.kept = reduced.kept;
  result.dropped = reduced.dropped;
  constexpr double kGap = 1e4;
  if (reduced.dropped > 0 && reduced.kept < kGap * reduced.dropped) {
    return Failure{"VN-BALANCE-003",
                   fmt::format("the rank of the conditions is not clear: the least pivot counted is {:.2g}, the next {:.2g}",
                               reduced.kept, reduced.dropped),
                   "lengths of very different size, or numbers that almost cancel, make it so"};
  }

  result.pivots = reduced.pivots;
  result.C.resize(reduced.rows.rows(), parameters);
  for (Eigen::Index i = 0; i < result.C.rows(); ++i) {
    const int pivot = reduced.pivots[i];
    const Eigen::VectorXd condition = reduced.rows.row(i).transpose().cwiseQuotient(unit) * unit[pivot];
    const double value = condition.dot(result.present), large = condition.cwiseAbs().dot(result.size);
    constexpr double kHolds =
        1e-9;  // of the sum of sizes: 2^-53, with a reserve of seven digits for the elimination the conditions come from
    result.C.row(i) = condition;
    result.texts.push_back(write_combination(result.parameters, condition, pivot) + " = 0");
    result.holds.push_back(std::abs(value) <= kHolds * large);
    result.impossible.push_back(!result.holds.back() && asks_for_nothing(condition, bodies));
  }
  result.values = result.C * result.present;
  return result;
}

BalanceMeasures measure_balance(const Model& original, const Gears& gears) {
  const Model model = build_again(without_given(original));
  RandomMotions motions(model, gears, length_of(original));
  Workspace workspace(model);
  const auto reduced_mass_matrix = [&](const State& state) -> Eigen::MatrixXd {
    return gears.G.transpose() * compute_mass_matrix(model, state, workspace) * gears.G;
  };
  const Eigen::MatrixXd A_start = reduced_mass_matrix(original.initial_state());
  CentroidalMomentum momentum;
  BalanceMeasures result;
  const auto keep_largest = [](double& largest, double value) { largest = std::max(largest, std::abs(value)); };
  constexpr int kMotions = 100;
  constexpr double kRate = 2 * std::numbers::pi;
  for (int k = 0; k < kMotions && gears.G.cols() > 0; ++k) {
    State state = motions.place();
    keep_largest(result.holding, forces_at_rest(model, state, gears, workspace).lpNorm<Eigen::Infinity>());
    const Eigen::MatrixXd A = reduced_mass_matrix(state), off = A - Eigen::MatrixXd(A.diagonal().asDiagonal());
    keep_largest(result.variation, (A - A_start).lpNorm<Eigen::Infinity>());
    keep_largest(result.coupling, off.lpNorm<Eigen::Infinity>());

    // P' and, about the origin, L' = L_c' + c × P'
    const Eigen::VectorXd v = motions.rates(kRate), vdot = motions.rates(kRate * kRate);
    std::copy(v.begin(), v.end(), state.v.begin());
    compute_centroidal_momentum(model, state, workspace, momentum);
    const Eigen::Matrix<double, 6, 1> rate = momentum.matrix * vdot;
    const Vector3 force = Vector3{rate[0], rate[1], rate[2]} + momentum.rate_W.force;
    const Vector3 moment = Vector3{rate[3], rate[4], rate[5]} + momentum.rate_W.moment + cross(momentum.center_W, force);
    keep_largest(result.shaking_force, norm(force));
    keep_largest(result.shaking_moment, norm(moment));
  }
  for (Eigen::Index u = 0; u < A_start.rows(); ++u) result.inertia.push_back(A_start(u, u));
  return result;
}

}  // namespace vinculum
