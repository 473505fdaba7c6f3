// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/symbolic/derive.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/worked_trees.h"
#include "tests/symbolic/printed.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/files/read_model.h"
#include "vinculum/symbolic/generate_c.h"

namespace vinculum {
namespace {

using testing::PrintedEquations;
using testing::Random;

constexpr const char* kDoublePendulum = R"yaml(
vinculum: 1
gravity: [0, 0, -g]
parameters: { m1: 2, m2: 3, l1: 0.7, l2: 0.4, g: 9.81 }
bodies:
  a: { joint: {type: revolute, axis: y}, mass: m1, com: [0, 0, -l1], inertia: [0, 0, 0] }
  b: { parent: a, joint: {type: revolute, axis: y, origin: [0, 0, -l1]}, mass: m2, com: [0, 0, -l2], inertia: [0, 0, 0] }
)yaml";

DerivedEquations derive(const Model& model, DerivedForm form = DerivedForm::automatic) {
  const auto equations = derive_equations(model, {.form = form, .most_terms = 5000});
  EXPECT_TRUE(equations) << (equations ? "" : equations.failure().message);
  return equations ? *equations : DerivedEquations{};
}

// What is printed holds for the engine at random states: with its accelerations both sides are equal; and in joint coordinates,
// for any accelerations, the left side is A v' + h.
void expect_agreement(const Model& model, DerivedForm form) {
  const DerivedEquations equations = derive(model, form);
  ASSERT_EQ(equations.equations.size(), model.velocity_names().size());
  PrintedEquations printed(model, equations);
  Random random(7);
  Workspace workspace(model);
  const size_t n = model.velocity_names().size();
  for (int sample = 0; sample < 10; ++sample) {
    State state = testing::random_state(model, random);
    state.t = random.unit();
    std::vector<double> accelerations(n), forces(n);
    ASSERT_TRUE(compute_accelerations(model, state.t, state.q, state.v, accelerations, workspace));
    compute_forces(model, state.t, state.q, state.v, accelerations, forces, workspace);
    const double scale = testing::largest(forces) + testing::largest(accelerations);
    // What drives a coordinate is the whole force that its equation asks for: no joint law acts on it here.
    for (const Definition& motion : equations.motions)
      printed.set("lambda_" + motion.name, forces[*model.find_velocity(motion.name + "'")]);
    for (const auto& [left, right] : printed.evaluate(state, accelerations)) EXPECT_NEAR(left, right, 1e-10 * scale);

    if (form != DerivedForm::joint) continue;
    for (double& a : accelerations) a = 10 * random.symmetric();
    compute_forces(model, state.t, state.q, state.v, accelerations, forces, workspace);
    const auto sides = printed.evaluate(state, accelerations);
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(sides[i].first, forces[i], 1e-10 * testing::largest(forces)) << i;
  }
}

// The law of a pull along a line with the names of its parameters, length and rate by coordinates; of an input as well.
TEST(Derive, PrintsPullsAlongLines) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -g]
parameters: { g: 9.81, k: 40, l: 0.7, stretch: 0.35 }
inputs: { u: 2 }
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 }
  arm: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -l], inertia: 0.02 }
forces:
  stop: { between: [world, [0.5, 0, 1]], and: [arm, [0, 0, -l]], law: "k*max(0, length - stretch) + 0.3*rate + u*cart" }
  inner: { between: [cart, [0.2, 0, 0]], and: [arm, [0, 0, -0.3]], law: "k*length^3 - 2*abs(rate)" }
)yaml");
  expect_agreement(model, DerivedForm::joint);
  std::string all;
  const auto derived = derive(model, DerivedForm::joint);
  for (const DerivedEquation& equation : derived.equations) all += to_text(equation.left) + "\n";
  for (const Definition& definition : derived.definitions) all += to_text(definition.formula) + "\n";
  for (const char* name : {"k", "stretch", "u", "max"}) EXPECT_NE(all.find(name), std::string::npos) << name << " in " << all;
}

// Inputs and sampled values are printed by their names, in joint laws and in forces on bodies, in every form; a state with a rate
// of its own is refused.
TEST(Derive, PrintsInputsByTheirNames) {
  const std::string bodies = R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 }
  arm: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.4], inertia: 0.02 }
forces:
  motor: { joint: arm, law: "torque - 0.3*arm'" }
  air: { body: arm, point: [0, 0, -0.4], force: ["u*torque", 0, 0], torque: [0, "sin(arm - torque)", 0], frame: body }
)yaml";
  const std::string held =
      "inputs: { torque: { unit: N*m, initial: 1.5, hold: linear } }\nsamples: { loop: { every: 1, hold: { u: 0 }, initial: { u: "
      "2 } } }\n";
  const Model model = read_model_text(bodies + held);
  expect_agreement(model, DerivedForm::joint);
  std::string text;
  for (const DerivedEquation& equation : derive(model).equations) text += to_text(equation) + "\n";
  EXPECT_NE(text.find("torque"), std::string::npos) << text;
  EXPECT_TRUE(generate_c(model));

  const auto refused = derive_equations(read_model_text(bodies + "states: { torque: \"arm\", u: 0 }"), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "VN-RUN-173");
}

// Landau and Lifshitz, Mechanics, section 5, problem 1, has the Lagrangian; with φ1, φ2 from the vertical
//   (m1+m2) l1² φ1'' + m2 l1 l2 (cos(φ1-φ2) φ2'' + sin(φ1-φ2) φ2'²) + (m1+m2) g l1 sin φ1 = 0
//   m2 l2² φ2''      + m2 l1 l2 (cos(φ1-φ2) φ1'' - sin(φ1-φ2) φ1'²) + m2 g l2 sin φ2      = 0
TEST(Derive, DoublePendulumIsTheTextbookForm) {
  const Model model = read_model_text(kDoublePendulum);
  const DerivedEquations equations = derive(model);
  EXPECT_TRUE(equations.is_closed_form);
  ASSERT_EQ(equations.equations.size(), 2u);
  EXPECT_EQ(to_text(equations.equations[0]),
            "J_r1*phi1'' + l1*m_d2*(cos(phi1 - phi2)*phi2'' + sin(phi1 - phi2)*phi2'^2) + g*m_d1*sin(phi1) = 0");
  EXPECT_EQ(to_text(equations.equations[1]),
            "J_r2*phi2'' + l1*m_d2*(cos(phi1 - phi2)*phi1'' - sin(phi1 - phi2)*phi1'^2) + g*m_d2*sin(phi2) = 0");
  std::vector<std::string> definitions;
  for (const Definition& definition : equations.definitions)
    definitions.push_back(definition.name + " = " + to_text(definition.formula));
  EXPECT_EQ(definitions,
            (std::vector<std::string>{"J_r1 = l1^2*(m1 + m2)", "m_d1 = l1*(m1 + m2)", "J_r2 = m2*l2^2", "m_d2 = m2*l2"}));
  EXPECT_EQ(to_text(equations.angles[1].formula), "a + b");
  expect_agreement(model, DerivedForm::closed);
}

// The same in joint angles, b from the line of the first: T = ½(m1+m2) l1² a'² + ½ m2 l2² (a'+b')² + m2 l1 l2 cos b a'(a'+b').
TEST(Derive, DoublePendulumInJointAngles) {
  const Model model = read_model_text(kDoublePendulum);
  const DerivedEquations equations = derive(model, DerivedForm::joint);
  ASSERT_EQ(equations.equations.size(), 2u);
  EXPECT_EQ(
      to_text(equations.equations[0]),
      "(m1*l1^2 + m2*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(b))*a'' + m2*l2*(l2 + l1*cos(b))*b'' - m2*l1*l2*sin(b)*(2*a'*b' + b'^2) + "
      "g*(l1*(m1 + m2)*sin(a) + m2*l2*sin(a + b)) = 0");
  EXPECT_EQ(to_text(equations.equations[1]),
            "m2*l2*(l2 + l1*cos(b))*a'' + m2*l2^2*b'' + m2*l1*l2*sin(b)*a'^2 + m2*l2*g*sin(a + b) = 0");
  expect_agreement(model, DerivedForm::joint);
}

// Theory 2, W7: two bodies on one, centres off the links.
TEST(Derive, BranchedPlanarTreeHasItsWorkedConstants) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 2, com: [0.4, 0.1, 0], inertia: 0.1 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0.2, 0]}, mass: 1, com: [0.3, 0, 0], inertia: 0.05 }
  b2: { parent: b0, joint: {type: revolute, axis: -z, origin: [-0.3, 0.5, 0]}, mass: 0.5, com: [0.2, -0.1, 0], inertia: 0.02 }
)yaml");
  const DerivedEquations equations = derive(model);
  ASSERT_TRUE(equations.is_closed_form);
  const auto value = [&](const std::string& name) {
    for (const Definition& definition : equations.definitions) {
      if (definition.name == name) return definition.formula.constant_value();
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_NEAR(value("J_r1"), 1.65, 1e-14);
  EXPECT_NEAR(value("J_r2"), 0.14, 1e-14);
  EXPECT_NEAR(value("J_r3"), 0.045, 1e-14);
  // m_d1 = 1.65 + .65 i with x to the right, y up; here e1 points down and e2 to the right.
  EXPECT_NEAR(value("m_dx1"), -0.65, 1e-14);
  EXPECT_NEAR(value("m_dy1"), 1.65, 1e-14);
  // l̄ m_d = (1 - .2i) .3
  EXPECT_NEAR(value("a1_2"), 0.3, 1e-14);
  EXPECT_NEAR(value("b1_2"), -0.06, 1e-14);
  expect_agreement(model, DerivedForm::closed);
  expect_agreement(model, DerivedForm::joint);
}

struct Named {
  const char* name;
  const char* text;
  DerivedForm form;
};

class Printed : public ::testing::TestWithParam<Named> {};

TEST_P(Printed, HoldsForTheEngine) { expect_agreement(read_model_text(GetParam().text), GetParam().form); }

// Chains, arms, slides, screws, balls; loads of every kind; parameters in every place; fixed bodies; other planes.
const Named kModels[] = {
    {"four_link_chain", R"yaml(
vinculum: 1
parameters: { m: 1.2, l: 0.5, J: 0.03, damping: 0.1 }
bodies:
  a: { joint: {type: revolute, axis: y}, mass: m, com: [l/2, 0, 0], inertia: J }
  b: { parent: a, joint: {type: revolute, axis: y, origin: [l, 0, 0]}, mass: m, com: [l/2, 0, 0], inertia: J }
  c: { parent: b, joint: {type: revolute, axis: -y, origin: [l, 0, 0]}, mass: m, com: [l/2, 0, 0], inertia: J }
  d: { parent: c, joint: {type: revolute, axis: y, origin: [l, 0, 0]}, mass: 2*m, com: [l/2, 0, 0], inertia: J }
forces:
  at_b: { joint: b, law: "-damping*b' + 0.3*sin(2*t)" }
  at_c: { joint: c, law: "-3*c" }
)yaml",
     DerivedForm::closed},
    {"inclined_plane_with_fixed_bodies", R"yaml(
vinculum: 1
gravity: [1, 2, -9]
bodies:
  stand: { joint: {type: fixed, rotation: {axis: [1, 2, 3], angle: 0.4}}, mass: 1, inertia: 0.1 }
  a: { parent: stand, joint: {type: revolute, axis: x, origin: [0.1, 0.2, 0.3]}, mass: 1, com: [0.4, 0.1, 0.2], inertia: [0.1, 0.2, 0.25] }
  tip: { parent: a, joint: {type: fixed, origin: [0, 0.3, 0.1], rotation: {axis: y, angle: 90 deg}}, mass: 0.5, com: [0.1, 0, 0.1], inertia: [0.02, 0.03, 0.04, 0.001, 0.002, 0.003] }
  b: { parent: tip, joint: {type: revolute, axis: z, origin: [0, 0.2, 0]}, mass: 0.7, com: [0, 0.1, 0.2], inertia: 0.05 }
)yaml",
     DerivedForm::closed},
    {"spatial_arm", R"yaml(
vinculum: 1
parameters: { m1: 3, m2: 2, m3: 1, l1: 0.3, l2: 0.4, c2: 0.2, c3: 0.15, I: 0.05 }
bodies:
  waist: { joint: {type: revolute, axis: z}, mass: m1, com: [0, 0, l1/2], inertia: [I, I, 2*I] }
  upper: { parent: waist, joint: {type: revolute, axis: y, origin: [0, 0, l1]}, mass: m2, com: [c2, 0, 0], inertia: [0, I, I] }
  fore: { parent: upper, joint: {type: revolute, axis: y, origin: [l2, 0, 0]}, mass: m3, com: [c3, 0, 0], inertia: [0, I, I] }
)yaml",
     DerivedForm::joint},
    {"slides_and_screws", R"yaml(
vinculum: 1
parameters: { m: 1.5, h: 0.05 }
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 0.1 }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: m, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.02] }
  nut: { parent: bob, joint: {type: screw, axis: z, pitch: h, origin: [0.1, 0, -0.3]}, mass: m/3, com: [0.02, 0, 0], inertia: [0.01, 0.02, 0.025] }
motions: { cart: "0.2*sin(3*t)" }
forces: { grip: { joint: nut, law: "-0.4*nut" } }
)yaml",
     DerivedForm::joint},
    {"loads_on_bodies", R"yaml(
vinculum: 1
parameters: { k: 30, rest: 0.4, thrust: 2 }
environment:
  deck: { position: [0, 0, "0.1*sin(2*t)"] }
bodies:
  a: { joint: {type: revolute, axis: y}, mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.2] }
  b: { parent: a, joint: {type: prismatic, axis: x, origin: [0.3, 0, 0]}, mass: 0.5, inertia: 0.02 }
forces:
  pull: { between: [deck, [1, 0, 1]], and: [b, [0.1, 0, 0]], stiffness: k, damping: 0.5, length: rest }
  push: { body: b, point: [0, 0.1, 0], force: ["thrust*cos(a)", 0, "exp(-t)"], torque: [0, "a'*b", 0] }
  jet: { body: a, point: [0.5, 0, 0], force: [0, 0, thrust], frame: body }
)yaml",
     DerivedForm::joint},
    {"free_body_off_its_centre", R"yaml(
vinculum: 1
parameters: { m: 2, c: 0.1 }
bodies:
  hull: { joint: {type: free, rotation: {axis: z, angle: 0.3}}, mass: m, com: [c, 0, 0], inertia: [0.2, 0.3, 0.4, 0.01, 0, 0] }
)yaml",
     DerivedForm::joint},
    {"top_with_a_wheel", R"yaml(
vinculum: 1
parameters: { m: 1, h: 0.3, A: 0.02, C: 0.01 }
bodies:
  top: { joint: {type: spherical}, mass: m, com: [0, 0, h], inertia: [A, A, C] }
  wheel: { parent: top, joint: {type: revolute, axis: x, origin: [0, 0, h]}, mass: 0.2, inertia: [0.01, 0.006, 0.006] }
)yaml",
     DerivedForm::joint},
};
INSTANTIATE_TEST_SUITE_P(Models, Printed, ::testing::ValuesIn(kModels), [](const auto& tested) { return tested.param.name; });

// W1 and W2 of theory 2: a plane arm with a slide, a branched tree in space on a ball.
TEST(Derive, WorkedTreesHoldForTheEngine) {
  expect_agreement(testing::planar_arm().model, DerivedForm::joint);
  expect_agreement(testing::branched_tree().model, DerivedForm::joint);
}

// A tree turned by 90° has the terms of the one that is not.
TEST(Derive, RoundOffOfRotationsLeavesNoTerms) {
  const auto terms = [](const char* placement) {
    const Model model = read_model_text(std::string(R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: y, rotation: )yaml") +
                                        placement + R"yaml(}, mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.2] }
  b: { parent: a, joint: {type: revolute, axis: z, origin: [0.4, 0, 0]}, mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.2] }
)yaml");
    return derive(model, DerivedForm::joint).terms;
  };
  EXPECT_EQ(terms("{axis: z, angle: 90 deg}"), terms("{axis: z, angle: 0}"));
}

// Names of the model that equations would give away are left to it.
TEST(Derive, NamesOfTheModelAreKept) {
  const char* text = R"yaml(
vinculum: 1
parameters: { g: 2, r1: 5, phi1: 0.3, J_r1: 7 }
bodies:
  tau1: { joint: {type: revolute, axis: y}, mass: g, com: [phi1, 0, 0], inertia: [J_r1, J_r1, J_r1] }
  l1: { parent: tau1, joint: {type: revolute, axis: y, origin: [0.4, 0, 0]}, mass: r1, com: [0.2, 0, 0], inertia: 0.3 }
forces:
  brake: { joint: tau1, law: "-tau1'" }
)yaml";
  expect_agreement(read_model_text(text), DerivedForm::closed);
  expect_agreement(read_model_text(std::string(text) +
                                   "  rope: { between: [world, [0, 0, 1]], and: [l1, [0, 0, 0]], stiffness: r1, length: 0.2 }\n"),
                   DerivedForm::joint);
}

TEST(Derive, RefusesWhatItWouldGetWrong) {
  const auto code = [](const std::string& text, DeriveOptions options = {}) {
    const auto equations = derive_equations(read_model_text("vinculum: 1\n" + text), options);
    return equations ? std::string() : std::string(equations.failure().code);
  };
  const std::string ball = "bodies: { ball: { joint: {type: free}, mass: 1, inertia: 0.1 } }\n";
  EXPECT_EQ(code(ball), "");
  EXPECT_EQ(
      code(ball + "contacts: { foot: { body: ball, with: world, sphere: {center: [0, 0, 0], radius: 1}, forbid: [normal] } }\n"),
      "VN-DERIVE-001");
  EXPECT_EQ(code(ball + "velocity_constraints: { blade: \"ball.tx' = 0\" }\n"), "VN-DERIVE-001");
  EXPECT_EQ(code(ball, {.most_terms = 3}), "VN-DERIVE-002");
  EXPECT_EQ(code(ball, {.form = DerivedForm::closed}), "VN-DERIVE-004");
  const std::string swing = "bodies: { swing: { joint: {type: revolute, axis: y}, mass: 1, com: [1, 0, 0], inertia: 0.1 } }\n";
  EXPECT_EQ(code(swing, {.most_terms = 2}), "");
  EXPECT_EQ(code(swing, {.most_terms = 1}), "VN-DERIVE-002");
  EXPECT_EQ(code("bodies: { post: { joint: fixed, mass: 1, inertia: 0.1 } }\n"), "VN-DERIVE-003");
}

// About the axis n the moment of inertia is nᵀ I n = .. + 2 n_x n_y I_xy + ..: products count twice.
TEST(Derive, ProductsOfInertiaAboutAnObliqueAxis) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: [1, 2, 2]}, mass: 2, inertia: [1, 1.2, 1.4, 0.3, 0.2, 0.1] }
  b: { parent: a, joint: {type: revolute, axis: [1, 2, 2], origin: [0.3, 0, 0.1]}, mass: 1, com: [0.1, 0.2, 0], inertia: [0.3, 0.4, 0.5, -0.1, 0.07, 0.05] }
)yaml");
  expect_agreement(model, DerivedForm::closed);
  const Model alone = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { a: { joint: {type: revolute, axis: [1, 2, 2]}, mass: 2, inertia: [1, 1.2, 1.4, 0.3, 0.2, 0.1] } }
)yaml");
  const DerivedEquations equations = derive(alone, DerivedForm::closed);
  ASSERT_EQ(equations.definitions.size(), 1u);
  // n = (1, 2, 2)/3
  EXPECT_NEAR(equations.definitions[0].formula.constant_value(),
              (1 * 1 + 4 * 1.2 + 4 * 1.4 + 2 * (2 * 0.3 + 2 * 0.2 + 4 * 0.1)) / 9, 1e-14);
}

// Powers that would fill the memory when multiplied out, and quaternions of a chain of balls: refused after so many operations.
TEST(Derive, ExpansionsAreBounded) {
  const auto expect_refusal = [](const std::string& text, DerivedForm form) {
    const auto equations = derive_equations(read_model_text(text), {.form = form});
    ASSERT_FALSE(equations);
    EXPECT_EQ(equations.failure().code, "VN-DERIVE-002");
  };
  expect_refusal(R"yaml(
vinculum: 1
parameters: { k: 1e-3, l: 2e-3, m: 3e-3, n: 4e-3 }
bodies: { a: { joint: {type: revolute, axis: y}, mass: "1 + (k + l + m + n)^900", com: [0, 0, 1], inertia: 1 } }
)yaml",
                 DerivedForm::closed);
  expect_refusal(R"yaml(
vinculum: 1
parameters: { k: 1, l: 2, m: 3, n: 4, o: 5 }
bodies: { a: { joint: {type: prismatic, axis: y}, mass: 1, inertia: 1 } }
forces: { f: { body: a, force: [0, "sqrt((k + l + m + n + o + a)^12)", 0] } }
)yaml",
                 DerivedForm::joint);
  std::string balls = "vinculum: 1\nbodies:\n";
  for (int i = 0; i < 6; ++i) {
    balls += fmt::format(
        "  b{}: {{ parent: {}, joint: {{type: spherical, origin: [1, 0, 0]}}, mass: 1, com: [.5, .1, 0], inertia: [.1, .12, .08] "
        "}}\n",
        i, i == 0 ? "world" : fmt::format("b{}", i - 1));
  }
  expect_refusal(balls, DerivedForm::joint);
}

// Products of numbers of the model that overflow are refused, and the equation is named.
TEST(Derive, PrintsNumbersOnly) {
  const std::string flat = R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.01] }
  b: { parent: a, joint: {type: JOINT, origin: [0, 0, -0.6]}, mass: 1, com: [0, 0, -1e308], inertia: [0.1, 0.1, 0.01] }
)yaml";
  for (const std::string joint : {"revolute, axis: y", "universal"}) {
    std::string text = flat;
    text.replace(text.find("JOINT"), 5, joint);
    const auto equations = derive_equations(read_model_text(text));
    ASSERT_FALSE(equations) << joint;
    EXPECT_EQ(equations.failure().code, "VN-RUN-132") << equations.failure().message;
    text.replace(text.find("-1e308"), 6, "-0.5");
    EXPECT_TRUE(derive_equations(read_model_text(text)));
  }
}

TEST(Derive, StopsWhenAsked) {
  const Model model = read_model_text(kDoublePendulum);
  for (const DerivedForm form : {DerivedForm::closed, DerivedForm::joint}) {
    int asked = 0;
    ASSERT_TRUE(derive_equations(model, {.form = form, .stop = [&] { return ++asked < 0; }}));
    for (const int at : {1, asked / 2, asked}) {
      int now = 0;
      const auto equations = derive_equations(model, {.form = form, .stop = [&] { return ++now >= at; }});
      ASSERT_FALSE(equations);
      EXPECT_EQ(equations.failure().code, "VN-RUN-150");
    }
  }
  const auto text = generate_c(model, [] { return true; });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.failure().code, "VN-RUN-150");
}

}  // namespace
}  // namespace vinculum
