// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What slips and what holds it, at a state. Expected values: theory 3, section 15, W1.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/support/velocity_models.h"
#include "vinculum/realization/appell.h"
#include "vinculum/realization/slip_constants.h"

namespace vinculum::testing {
namespace {

struct Point {
  State state;  // without slip
  SlipState at;
  SlipConstants constants;
  Eigen::VectorXd multipliers;  // by Row::index
};

template <class T>
T value_of(Outcome<T> outcome) {
  if (!outcome) throw std::runtime_error(outcome.failure().message);
  return std::move(*outcome);
}

Point point_of(const Model& model, const State& state) {
  SlipSystem system(model, list_slip_rows(model));
  const State projected = value_of(system.project(state));
  const SlipState at = value_of(system.compute(projected));
  return {projected, at, value_of(compute_slip_constants(system, projected)), system.multipliers(at, at.r)};
}

template <class Actual>
void expect_matrix(const Actual& actual, const std::vector<std::vector<double>>& expected, double tolerance = 1e-12) {
  double size = 1;
  for (const auto& row : expected) {
    for (const double value : row) size = std::max(size, std::abs(value));
  }
  ASSERT_EQ(static_cast<size_t>(actual.rows()), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    for (size_t j = 0; j < expected[i].size(); ++j)
      EXPECT_NEAR(actual(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), expected[i][j], tolerance * size)
          << i << ", " << j;
  }
}

void expect_vector(const Eigen::VectorXd& actual, const std::vector<double>& expected, double tolerance = 1e-12) {
  double size = 1;
  for (const double value : expected) size = std::max(size, std::abs(value));
  ASSERT_EQ(static_cast<size_t>(actual.size()), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[static_cast<Eigen::Index>(i)], expected[i], tolerance * size);
}

// Reactions and sigma of all completions are those of the slip system.
void expect_same_by_appell(const SlipState& at) {
  for (const Completion completion : {Completion::partition, Completion::orthogonal, Completion::mass}) {
    const AppellForm form = value_of(compute_appell_form(at, completion));
    EXPECT_LT((form.reactions - at.r).norm(), 1e-12 * (1 + at.r.norm()));
    EXPECT_LT((form.sigma - at.sigma).norm(), 1e-12 * (1 + at.sigma.norm()));
  }
}

TEST(SlipAlgebra, SleighOfW1a) {
  const auto [state, at, constants, multipliers] = point_of(sleigh(1.3, 0.7, 0.4), {0, {0.1, 0.2, 0.3}, {1.1, 0.6, 0.9}});
  expect_vector(Eigen::Map<const Eigen::VectorXd>(state.v.data(), 3), {1.17332733021883, 0.362952675894366, 1.04210068986443});
  expect_vector(at.r, {1.28270872259556});
  expect_vector(at.accelerations(at.r), {0.0367549432842153, 1.35109610663199, -0.732976412911748});
  expect_matrix(at.sigma, {{1.00220264317181}});
  EXPECT_NEAR(constants.rho1, 0.707885104791663, 1e-13);
  EXPECT_NEAR(constants.rho2, 0.707885104791663, 1e-13);
  EXPECT_NEAR(constants.A, 1.40672858206649, 1e-12);
  EXPECT_EQ(constants.B, 0);
  expect_matrix(value_of(compute_appell_form(at, Completion::orthogonal)).u,
                {{1.18646814969129, 0, 0}, {0, 0.908, 0.52}, {0, 0.52, 1.3}});
  expect_same_by_appell(at);
}

TEST(SlipAlgebra, DriveOfW1c) {
  const auto [state, at, constants, multipliers] =
      point_of(diffdrive("0.3", "0.1"), {0, {0.0, 0.1, 0.4, 0.0, 0.0}, {0.8, 0.4, 0.9, 9.0, 6.0}});
  expect_vector(at.r, {5.93963575639003, 3.23360536293437, 0.666955015516542});
  expect_matrix(at.sigma, {{6.74164974142786, 0.307214418596713, -0.307214418596713},
                           {0.307214418596713, 0.773493315277825, -0.0139996443917489},
                           {-0.307214418596713, -0.0139996443917489, 0.773493315277825}});
  EXPECT_NEAR(constants.rho1, 0.614799774847702, 1e-13);
  EXPECT_NEAR(constants.rho2, 1.84026970506932, 1e-13);
  EXPECT_NEAR(constants.A, 2.83185971469098, 1e-11);
  EXPECT_EQ(constants.B, 0);
  expect_same_by_appell(at);
}

TEST(SlipAlgebra, CarWithTrailerOfW1d) {
  const auto [state, at, constants, multipliers] =
      point_of(car_with_trailer(0.2, 1.1, 400), {0.7, {0.3, -0.2, 0.4, 0.1 - 0.4}, {8.0, 1.0, 0.3, 0.2 - 0.3}});
  expect_vector(at.r, {2473.86779262133, 1999.88167396798, 3382.59277493568});
  expect_matrix(at.sigma, {{488.117389102858, 49.6820713868302, 9.82144369130511},
                           {49.6820713868302, 744.644161857272, -49.4829899165178},
                           {9.82144369130514, -49.4829899165178, 495.796634777451}});
  EXPECT_NEAR(constants.rho1, 15.2348841774868, 1e-11);
  EXPECT_NEAR(constants.rho2, 19.5218176916046, 1e-11);
  EXPECT_NEAR(constants.A, 10.5060506736548, 1e-10);
  EXPECT_EQ(constants.B, 0);
  expect_same_by_appell(at);
}

// The rolling disk: its height is a coordinate here that the normal of the wheel keeps, a permanent row. Forward of a wheel is
// axis x normal, against the first row of the source; lateral is the second.
const char* const kDisk = R"(
vinculum: 1
bodies:
  disk: { joint: { axes: [tx, ty, tz, rz, rx, rz] }, mass: 1.2, inertia: [0.02, 0.02, 0.05], accept_inertia: true }
environment: { floor: { surface: plane } }
contacts:
  rim: { body: disk, with: floor, wheel: { center: [0, 0, 0], axis: [0, 0, 1], radius: 0.3 }, forbid: [normal, lateral, forward] }
)";

State disk_state(double x, double y, double al, double th, double ph, std::vector<double> v) {
  return {0, {x, y, 0.3 * std::sin(th), al, th, ph}, {v[0], v[1], 0.3 * std::cos(th) * v[3], v[2], v[3], v[4]}};
}

TEST(SlipAlgebra, DiskOfW1b) {
  const Model model = read_model_text(kDisk);
  const auto [state, at, constants, multipliers] =
      point_of(model, disk_state(0.1, 0.2, 0.3, 1.1, 0.5, {0.5, -0.3, 0.7, 0.4, -2.0}));
  const std::vector<double> v_par{0.503072720345502, -0.186001809736142, 0.7, 1.22067539980827, -1.73630539558834};
  for (const auto& [i, k] : {std::pair{0, 0}, {1, 1}, {3, 2}, {4, 3}, {5, 4}}) EXPECT_NEAR(state.v[i], v_par[k], 1e-12);
  expect_vector(at.r, {3.76900560848705, -0.0867545806771762});
  expect_matrix(at.sigma, {{0.395821309389481, 0}, {0, 0.379746835443038}});
  EXPECT_NEAR(multipliers[0], 9.43377037483402, 1e-11);
  EXPECT_NEAR(at.r.norm() / multipliers[0], 0.399628545157693, 1e-12);
  EXPECT_NEAR(constants.rho1, 0.435744670330595, 1e-13);
  EXPECT_NEAR(constants.rho2, 0.444871503576865, 1e-13);
  EXPECT_NEAR(constants.A, 2.60552158266356, 1e-11);
  EXPECT_EQ(constants.B, 0);
  expect_same_by_appell(at);
}

// The matrix of X is linear in v_par, A only homogeneous: at twice the velocity twice A, backwards another one.
TEST(SlipAlgebra, GrowthIsHomogeneousInTheVelocity) {
  const Model model = read_model_text(kDisk);
  const State start = point_of(model, disk_state(0.1, 0.2, 0.3, 1.1, 0.5, {0.5, -0.3, 0.7, 0.4, -2.0})).state;
  const auto A_at = [&](double factor) {
    State state = start;
    for (double& v : state.v) v *= factor;
    return point_of(model, state).constants.A;
  };
  EXPECT_NEAR(A_at(2), 5.2110, 5e-5);
  EXPECT_NEAR(A_at(-1), 0.0810, 5e-5);
}

// Drag quadratic in the velocity is what B is for.
TEST(SlipAlgebra, QuadraticDragMakesB) {
  const Model model = sleigh(1.3, 0.7, 0.4, "forces: { drag: { joint: sled.tx, law: \"-0.5*sled.tx'^2\" } }");
  const auto [state, at, constants, multipliers] = point_of(model, {0, {0.1, 0.2, 0.3}, {1.1, 0.6, 0.9}});
  // psi' moves sled.tx' by d = (P Jᵀ sigma): the cubic term is -sin(0.3)-weighted drag.
  const double d = (at.P * at.J.transpose() * at.sigma)(0, 0), share = (at.sigma * at.J * at.P)(0, 0);
  EXPECT_NEAR(constants.B, std::abs(-0.5 * d * d * share) / std::pow(at.sigma(0, 0) / 2, 1.5), 1e-12);
  EXPECT_GT(constants.B, 1e-3);
}

// Appell's form has the size of the system, and its values, in whatever units constraints and velocities are written: the first
// constraint in 1e-13 of its unit, or inertia and radius of a body of 1e-11 m. With m = 2, I = a² m:
//   W = J M⁻¹ Jᵀ = ½ (1 1; 1 2)   and   sigma = W⁻¹ = 2 (2 -1; -1 1)
TEST(SlipAlgebra, AppellsFormInAnyUnits) {
  const auto expect_all = [](const std::string& inertia, const std::string& rows, const Eigen::Matrix2d& sigma,
                             const Eigen::Vector2d& reactions) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ sled: {{ joint: planar, mass: 2, inertia: {} }} }}
velocity_constraints: {{ {} }}
forces: {{ push: {{ joint: sled.tx, law: 3 }}, pull: {{ joint: sled.ty, law: 5 }} }}
)",
                                                    inertia, rows));
    SlipSystem system(model, list_slip_rows(model));
    const SlipState at = value_of(system.compute(model.initial_state()));
    for (const Completion completion : {Completion::partition, Completion::orthogonal, Completion::mass}) {
      const AppellForm form = value_of(compute_appell_form(at, completion));
      ASSERT_EQ(form.u.rows(), 3);
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(form.reactions[i], reactions[i], 1e-12 * reactions.lpNorm<Eigen::Infinity>()) << rows;
        for (int j = 0; j < 2; ++j)
          EXPECT_NEAR(form.sigma(i, j), sigma(i, j), 1e-12 * std::sqrt(sigma(i, i) * sigma(j, j))) << rows;
      }
    }
  };
  // R of J v = 0 under forces f: W R = -J M⁻¹ f.
  const double unit = 1e-13;
  expect_all("0.5", R"(along: "1e13*sled.tx' = 0", across: "sled.ty' = 0")",
             Eigen::Vector2d(2 * unit * unit, 2).asDiagonal().toDenseMatrix(), {-3 * unit, -5});
  expect_all("2e-22", R"(pole: "sled.ty' = 0", rim: "sled.ty' + 1e-11*sled.rz' = 0")", 2 * Eigen::Matrix2d{{2, -1}, {-1, 1}},
             {-5, 0});
}

// A cart of mass 1e-10 m under a slider of mass m: between the velocities that let the slider rest there is hardly any inertia,
// so that the slips are independent by inertia, sin² = 2e-5² of their angle, but not by any choice of these velocities.
TEST(SlipAlgebra, AppellsFormFailsWhereNoVelocitiesComplete) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  cart: { joint: { type: prismatic, axis: x }, mass: 1e-10, inertia: 1 }
  slider: { parent: cart, joint: { type: prismatic, axis: x }, mass: 1, inertia: 1 }
velocity_constraints: { both: "cart' + slider' = 0", nearly: "cart' + slider' + 1e-10*(cart' - slider') = 0" }
)");
  SlipSystem system(model, list_slip_rows(model));
  const SlipState at = value_of(system.compute(model.initial_state()));
  ASSERT_TRUE(at.is_regular());
  for (const Completion completion : {Completion::partition, Completion::orthogonal, Completion::mass}) {
    const auto form = compute_appell_form(at, completion);
    ASSERT_FALSE(form);
    EXPECT_EQ(form.failure().code, "VN-REALIZE-007");
  }
}

// G' = psi'.(R - r) + X against the flow itself, forces and all.
// Two slips x, y of a body of mass m under a force (p x y, q y²): X = p x² y + q y³ on x² + y² = 2/m. Its largest value is at
// y² = p/(3 (p - q)) of the circle. Three slips: the norm of all coefficients, of which x² y has three.
TEST(SlipAlgebra, CubicConstantOfSeveralSlips) {
  const double m = 4, p = 3, q = 0.5;
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: { axes: [tx, ty, tz] }, mass: 4, inertia: 0.1 } }
velocity_constraints: { along: "sled.tx' = 0", across: "sled.ty' = 0", up: { equation: "sled.tz' = 0", permanent: true } }
forces: { x: { joint: sled.tx, law: "3*sled.tx'*sled.ty'" }, y: { joint: sled.ty, law: "0.5*sled.ty'^2" } }
)");
  SlipSystem two(model, list_slip_rows(model));
  const double y = std::sqrt(p / (3 * (p - q)));
  EXPECT_NEAR(value_of(compute_slip_constants(two, model.initial_state())).B,
              std::pow(2 / m, 1.5) * (p * y * (1 - y * y) + q * y * y * y), 1e-9);
  const Model free = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: { axes: [tx, ty, tz] }, mass: 4, inertia: 0.1 } }
velocity_constraints: { along: "sled.tx' = 0", across: "sled.ty' = 0", up: "sled.tz' = 0" }
forces: { x: { joint: sled.tx, law: "3*sled.tx'*sled.ty' + 2*sled.ty'*sled.tz'" }, y: { joint: sled.ty, law: "0.5*sled.ty'^2" } }
)");
  SlipSystem three(free, list_slip_rows(free));
  const double squares = 3 * std::pow(p / 3, 2) + q * q + 6 * std::pow(2.0 / 6, 2);
  EXPECT_NEAR(value_of(compute_slip_constants(three, free.initial_state())).B, std::pow(2 / m, 1.5) * std::sqrt(squares), 1e-9);
}

TEST(SlipAlgebra, LyapunovIdentityAlongTheFlow) {
  const Model model = car_with_trailer(0.2, 1.1, 400);
  SlipSystem system(model, list_slip_rows(model));
  const State slipping{0.7, {0.3, -0.2, 0.4, -0.3}, {8.0, 1.0, 0.3, -0.1}};
  const SlipState there = value_of(system.compute(slipping));
  const State par = value_of(system.project(slipping));
  const SlipState at = value_of(system.compute(par));
  const Eigen::VectorXd R = Eigen::Vector3d(-300, 200, 500), a = there.accelerations(R);
  const double X = value_of(compute_slip_growth(system, par, at, there.slip));
  const double expected = there.slip.dot(R - at.r) + X;
  const auto energy = [&](double h) {
    State moved = slipping;
    for (size_t i = 0; i < 4; ++i) {
      moved.q[i] += h * slipping.v[i] + h * h / 2 * a[static_cast<Eigen::Index>(i)];
      moved.v[i] += h * a[static_cast<Eigen::Index>(i)];
    }
    moved.t += h;
    return value_of(system.compute(moved)).slip_energy();
  };
  const double h = 1e-4, slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
  EXPECT_NEAR(slope, expected, 1e-7 * std::abs(expected));
}

TEST(SlipAlgebra, DependentRowsOfW1e) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  base: { joint: planar, mass: 8, inertia: 0.5, com: [0.12, 0, 0] }
  right: { joint: revolute, mass: 0, inertia: 0.006 }
velocity_constraints:
  lateral: "base.ty'*cos(base.rz) - base.tx'*sin(base.rz) = 0"
  right: "base.tx'*cos(base.rz) + base.ty'*sin(base.rz) + 0.25*base.rz' = 0.08*right'"
  again: "2*base.ty'*cos(base.rz) - 2*base.tx'*sin(base.rz) = 0"
)");
  SlipSystem system(model, list_slip_rows(model));
  const SlipState at = value_of(system.compute({0, {0, 0, 0.4, 0}, {0.3, 0.1, 0.4, 0.2}}));
  EXPECT_EQ(at.rank, 2);
  EXPECT_EQ(at.dependent, (std::vector<int>{0, 2}));
}

}  // namespace
}  // namespace vinculum::testing
