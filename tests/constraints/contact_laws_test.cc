// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/files/read_model.h"

// What holds for every kind of contact, on every surface, moved or not, on the surface and off it (theory 1, sections 5 to 7).
namespace vinculum::testing {
namespace {

struct Case {
  std::string name, contact;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const std::string kAll = "forbid: [normal, lateral, forward, yaw, pitch, roll]";
const Case kKinds[] = {
    {"point", "point: [0.1, 0.05, -0.3], forward: [1, 2, 0], " + kAll},
    {"skate", "point: [0.1, 0.05, -0.3], forward: {body: [1, 0.2, 0.1]}, " + kAll},
    {"sphere", "sphere: {center: [0, 0.1, -0.2], radius: 0.25}, " + kAll},
    {"wheel", "wheel: {center: [0.1, 0, -0.1], axis: [0.1, 1, 0.2], radius: 0.3}, " + kAll},
    {"frame",
     "frame: {on_body: {point: [0.1, 0, 0.2], rotation: {axis: [1, 2, 3], angle: 0.7}}, on_environment: {point: [0.2, 0, "
     "0.1]}}, " +
         kAll},
    {"frame_by_vector",
     "angular: vector, frame: {on_body: {point: [0.1, 0, 0.2]}, on_environment: {point: [0.2, 0, 0.1], rotation: {axis: y, "
     "angle: 0.4}}}, " +
         kAll},
    {"guided",
     "frame: {on_body: {point: [0.1, 0, 0.2], rotation: {axis: [1, 2, 3], angle: 0.7}}, on_environment: {path: ['0.3*t + "
     "0.1*t^2', '0.2*sin(2*t)']}}, " +
         kAll},
};
const Case kCarriers[] = {
    {"plane", "surface: plane"},
    {"curved", "surface: '0.02*x - 0.15*x^2 + 0.1*x*y + 0.2*y^2 + 0.05*sin(1.3*x + 0.2)*cos(0.9*y - 0.3)'"},
    {"moving",
     "surface: '0.02*x - 0.15*x^2 + 0.1*x*y + 0.2*y^2', position: ['0.15*t', '0.05*t^2', '0.08*sin(2*t)'], rotation: [{axis: z, "
     "angle: '0.1 + 0.2*t'}, {axis: [1, 1, 0], angle: '0.12*sin(1.5*t)'}]"},
    {"body", ""},
};

class ContactLaws : public ::testing::TestWithParam<std::tuple<Case, Case>> {
 protected:
  ContactLaws() : model_(read_model_text(text())), set_(model_) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    state_ = model_.initial_state();
    state_.t = 0.4;
    for (double& q : state_.q) q += 0.3 * number(random);
    for (double& v : state_.v) v = number(random);
    state_.q[2] += 0.6;
    normalize(state_);
  }

  static std::string text() {
    const auto& [kind, carrier] = GetParam();
    const bool loop = carrier.name == "body";
    std::string model =
        "vinculum: 1\nbodies:\n"
        "  trunk: { joint: {type: free}, mass: 1, inertia: 1 }\n"
        "  leg: { parent: trunk, joint: {axes: [rx, tz], origin: [0.1, 0.2, 0]}, mass: 1, inertia: 1 }\n"
        "  plate: { parent: trunk, joint: {type: screw, axis: [1, 0.3, 2], pitch: 0.1, origin: [0, 0, -0.7]}, mass: 1, inertia: "
        "1 }\n";
    if (!loop) model += "environment: { ground: { " + carrier.contact + " } }\n";
    return model + "contacts: { touch: { body: leg, with: " + (loop ? "plate" : "ground") + ", " + kind.contact + " } }\n";
  }

  static void normalize(State& state) {
    double length = 0;
    for (int i = 3; i < 7; ++i) length += state.q[i] * state.q[i];
    for (int i = 3; i < 7; ++i) state.q[i] /= std::sqrt(length);
  }

  ConstraintRows rows_at(const State& state) const {
    auto rows = compute_constraint_rows(set_, state);
    EXPECT_TRUE(rows) << rows.failure().message;
    return std::move(*rows);
  }

  // The state a time h later on the motion with constant v: by the midpoint rule in twenty steps, exact to 1e-13 here.
  State later(double h) const {
    State state = state_;
    std::vector<double> rates(state.q.size()), middle(state.q.size());
    constexpr int kSteps = 20;
    const double step = h / kSteps;
    for (int k = 0; k < kSteps; ++k) {
      compute_coordinate_rates(model_, state.q, state.v, rates);
      for (size_t i = 0; i < rates.size(); ++i) middle[i] = state.q[i] + 0.5 * step * rates[i];
      compute_coordinate_rates(model_, middle, state.v, rates);
      for (size_t i = 0; i < rates.size(); ++i) state.q[i] += step * rates[i];
    }
    state.t += h;
    normalize(state);
    return state;
  }

  Model model_;
  ConstraintSet set_;
  State state_;
};

constexpr double kStep = 1e-3;

// d/dt f by five points, error of order h⁴.
template <class F>
Eigen::VectorXd differentiate_along(const F& f) {
  return (8 * (f(kStep) - f(-kStep)) - (f(2 * kStep) - f(-2 * kStep))) / (12 * kStep);
}

// gamma = -d/dt (D v - F) along q' = N v, v' = 0
TEST_P(ContactLaws, GammaIsMinusTheRateOfTheRow) {
  const Eigen::VectorXd rate = differentiate_along([&](double h) { return rows_at(later(h)).rate; });
  EXPECT_LE((rate + rows_at(state_).gamma).lpNorm<Eigen::Infinity>(), 2e-10 * (1 + rate.norm()));
}

// Rows with a gap are its rate; the normal of a point and the vector form of a turn only where they are held.
TEST_P(ContactLaws, RowIsTheRateOfItsGap) {
  const auto& [kind, carrier] = GetParam();
  const bool is_curved = carrier.name == "curved" || carrier.name == "moving";
  const bool point_off_surface = is_curved && (kind.name == "point" || kind.name == "skate");
  const auto gaps = [&](double h) {
    const ConstraintRows rows = rows_at(later(h));
    Eigen::VectorXd values = Eigen::VectorXd::Zero(6);
    for (int a = 0; a < 6; ++a) values[a] = rows.gap[a].value_or(0);
    return values;
  };
  const Eigen::VectorXd rate = differentiate_along(gaps);
  const ConstraintRows rows = rows_at(state_);
  int with_gap = 0;
  for (int a = 0; a < 6; ++a) {
    if (!rows.gap[a] || (a == 0 && point_off_surface) || (a > 2 && kind.name == "frame_by_vector")) continue;
    ++with_gap;
    EXPECT_NEAR(rate[a], rows.rate[a], 2e-10 * (1 + rate.norm())) << a;
  }
  EXPECT_GT(with_gap + point_off_surface, 0);
}

// D v - F is what the carrier sees, and F is all there is without velocities.
TEST_P(ContactLaws, RowsAndGivenPartMakeTheRelativeRate) {
  const ConstraintRows rows = rows_at(state_);
  const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(state_.v.data(), model_.tree().velocities);
  EXPECT_LE((rows.D * v - rows.F - rows.rate).norm(), 1e-14 * (1 + v.norm()) * 10);
  State still = state_;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  EXPECT_LE((rows_at(still).rate + rows.F).norm(), 1e-14 * (1 + rows.F.norm()));
  EXPECT_GT(rows.D.row(0).norm(), 0.01);
}

std::vector<std::tuple<Case, Case>> all_cases() {
  std::vector<std::tuple<Case, Case>> cases;
  for (const Case& kind : kKinds) {
    for (const Case& carrier : kCarriers) cases.emplace_back(kind, carrier);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Kinds, ContactLaws, ::testing::ValuesIn(all_cases()),
                         [](const auto& its) { return std::get<0>(its.param).name + "_" + std::get<1>(its.param).name; });

}  // namespace
}  // namespace vinculum::testing
