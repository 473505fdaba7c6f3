// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What is proven to be conserved, and what was only not found to change; integrals with strings, on rows and of inner subsystems.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/support/random_tree.h"
#include "tests/support/read_case.h"
#include "vinculum/analysis/integrals.h"
#include "vinculum/dynamics/vector_form.h"
#include "vinculum/files/read_model.h"
#include "vinculum/model/state.h"

namespace vinculum::testing {
namespace {

IntegralSearch search_wide(const Model& model, const State& around) {
  IntegralSearchOptions options;
  options.inner = true;
  auto found = find_integrals(model, around, options);
  EXPECT_TRUE(found) << found.failure().message;
  return found ? std::move(*found) : IntegralSearch{};
}
IntegralSearch search_wide(const Model& model) { return search_wide(model, model.initial_state()); }

std::vector<std::string> names(const IntegralSearch& search) {
  std::vector<std::string> list;
  for (const Integral& integral : search.integrals) list.push_back(integral.name);
  return list;
}
const Integral* find_named(const IntegralSearch& search, const std::string& name) {
  const auto found = std::ranges::find(search.integrals, name, &Integral::name);
  return found == search.integrals.end() ? nullptr : &*found;
}

// 10 J within 0.1 m: no random state feels it.
TEST(IntegralDoubts, ANarrowBarrierIsNoProof) {
  const IntegralSearch found = search_wide(read_case("runs/barrier.yaml"));
  ASSERT_EQ(names(found), (std::vector<std::string>{"E", "Px"}));
  EXPECT_EQ(found.integrals[0].doubt, "");
  EXPECT_EQ(found.integrals[1].doubt, "force 'f'");
  EXPECT_EQ(found.integrals[1].why, "force along x: not found at 30 states; force 'f' may act elsewhere");
}

// Each law beside one that leaves no doubt: constant however it is written, internal, or a polynomial that acts and cancels.
TEST(IntegralDoubts, ProofsByRangeLeverAndPolynomial) {
  const auto doubt = [](const std::string& forces, const std::string& name) {
    const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 1 }
  load: { parent: cart, joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 }
  other: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 1 }
forces: { )yaml" + forces + " }\n");
    const IntegralSearch found = search_wide(model);
    const Integral* integral = find_named(found, name);
    return integral == nullptr ? "none" : integral->doubt;
  };
  const std::string pulse = "exp(-((load - 40)/0.01)^2)";
  EXPECT_EQ(doubt("f: { joint: cart, law: \"" + pulse + "\" }", "Px(cart)"), "force 'f'");
  EXPECT_EQ(doubt("f: { joint: cart, law: \"max(0, -1 - load^2)\" }", "Px(cart)"), "");  // range {0}
  EXPECT_EQ(doubt("f: { joint: load, law: \"" + pulse + "\" }", "Px(cart)"), "");        // internal
  EXPECT_EQ(doubt("f: { joint: load, law: \"" + pulse + "\" }", "Px(other)"), "");       // of another tree
  EXPECT_EQ(doubt("f: { body: load, force: [\"" + pulse + "\", 0, 0] }", "Px(cart)"), "force 'f'");
  EXPECT_EQ(doubt("f: { body: load, force: [0, \"" + pulse + "\", 0] }", "Px(cart)"), "");  // across the joint
  // A spring as two laws: a polynomial that acts at every state and cancels in the sum.
  const std::string pair = "f: { joint: cart, law: \"9*(other - cart)^3\" }, g: { joint: other, law: \"-9*(other - cart)^3\" }";
  EXPECT_EQ(doubt(pair, "Px(cart) + Px(other)"), "");
  // The energy: a damper that acts within 1 cm far away, and a law that has a potential.
  EXPECT_EQ(doubt("f: { joint: other, law: \"-other'*exp(-((other - 40)/0.01)^2)\" }", "E"), "force 'f'");
  EXPECT_EQ(doubt("f: { joint: other, law: \"exp(-((other - 40)/0.01)^2)\" }", "E"), "");
  EXPECT_EQ(doubt("f: { joint: other, law: \"-30*other - 0*other'*cart\" }", "E"), "");  // a damper of 0
}

// A bump of 1 mm width on a plane pushes along x, and not along y.
TEST(IntegralDoubts, ABumpOfASurface) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { b: { joint: free, mass: 1, inertia: 0.1 } }
environment: { road: { surface: "0.01*exp(-((x - 3)/0.001)^2)" } }
contacts: { c: { body: b, with: road, point: [0, 0, 0], forbid: [normal] } }
)yaml");
  const IntegralSearch found = search_wide(model);
  ASSERT_NE(find_named(found, "Px"), nullptr);
  EXPECT_EQ(find_named(found, "Px")->doubt, "the surface of 'road'");
  ASSERT_NE(find_named(found, "Py"), nullptr);
  EXPECT_EQ(find_named(found, "Py")->doubt, "");
}

// P3: on the rows of the roller racer Kz is a sum of p(a.rz') and p(b'), nearly p(a.rz') alone. Again with other numbers.
TEST(IntegralsOnRows, AnIdentityIsNoIntegral) {
  EXPECT_EQ(names(search_wide(read_case("paper/rr01.yaml"))), (std::vector<std::string>{"E"}));
  const auto racer = [](double mass) {
    return read_model_text(
        "vinculum: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  a: {joint: planar, mass: 2, inertia: 0.3}\n"
        "  b: {parent: a, joint: {type: revolute, axis: z, origin: [0.7, 0, 0]}, mass: " +
        std::to_string(mass) +
        ", inertia: 0.05}\nvelocity_constraints:\n"
        "  w1: \"a.ty'*cos(a.rz) - a.tx'*sin(a.rz) = 0\"\n"
        "  w2: \"(a.ty' + 0.7*cos(a.rz)*a.rz')*cos(a.rz + b) - (a.tx' - 0.7*sin(a.rz)*a.rz')*sin(a.rz + b)"
        " + 0.2*(a.rz' + b') = 0\"\n"
        "initial: {b: 0.3, \"a.rz'\": 0.5}\n");
  };
  for (const double mass : {0.02, 0.4}) EXPECT_EQ(names(search_wide(racer(mass))), (std::vector<std::string>{"E"})) << mass;
}

// T1: a taut string leaves the energy, Lz about its end and the spin, whatever the start.
TEST(IntegralsOfStrings, DoNotDependOnTheStart) {
  const Model model = read_case("strings/ONE.yaml");
  for (const double z : {0.0, -0.4, -1.2}) {
    State start = model.initial_state();
    start.q[2] = z;
    make_taut(model, {"s1"}, start);
    EXPECT_EQ(names(search_wide(model, start)), (std::vector<std::string>{"E", "Lz", "p(g1.wz)"})) << z;
  }
  // On the string's side a body without symmetry has no spin momentum; slack it is free.
  const Model other = read_case("strings/PM.yaml");
  State start = other.initial_state();
  make_taut(other, {"s"}, start);
  EXPECT_EQ(names(search_wide(other, start)), (std::vector<std::string>{"E", "Lz"}));
}

// P4: a gimballed body whose mass centre is the centre of its joint keeps its kinetic moment; a load on slides its momentum.
TEST(IntegralsOfInnerSubsystems, AreListed) {
  const IntegralSearch gyro = search_wide(read_case("paper/inner2.yaml"));
  EXPECT_EQ(names(gyro), (std::vector<std::string>{"E", "Lz", "Kx(gyro)", "Ky(gyro)", "Kz(gyro)"}));
  EXPECT_EQ(gyro.independent_functions, 5);
  EXPECT_NE(gyro.integrals[2].why.find("its joint passes none"), std::string::npos) << gyro.integrals[2].why;

  // Pz(load) is Pz of all but for a constant, and Kcz(load) a multiple of Kz(load): the load turns uniformly.
  EXPECT_EQ(names(search_wide(read_case("paper/innerP.yaml"))),
            (std::vector<std::string>{"Pz + 11.772 t", "Px(load)", "Py(load)", "Lz(load)", "Kz(load)"}));

  // A free body in a driven box, under gravity, its mass centre off its pole. The box itself has neither Py nor Lz.
  const IntegralSearch boxed = search_wide(read_model_text(R"yaml(
vinculum: 1
bodies:
  box: { joint: {type: revolute, axis: y}, mass: 3, com: [0.1, 0, 0.2], inertia: [0.3, 0.4, 0.2] }
  toy: { parent: box, joint: {type: free, origin: [0.2, 0.1, 0.3]}, mass: 0.5, com: [0.04, 0.02, 0.01], inertia: [0.02, 0.03, 0.04] }
motions: { box: "0.4*sin(2*t)" }
)yaml"));
  EXPECT_EQ(names(boxed),
            (std::vector<std::string>{"Py", "Lz", "Px(toy)", "Pz(toy) + 4.905 t", "Kcx(toy)", "Kcy(toy)", "Kcz(toy)"}));

  // The momentum of a rotor about a fixed direction is a sum of Lz and Kz of all: nothing is listed twice.
  const IntegralSearch rotor = search_wide(read_model_text(R"yaml(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: z}, mass: 2, com: [0.3, 0, 0], inertia: 0.1 }
  rotor: { parent: arm, joint: {type: revolute, axis: z, origin: [0.5, 0, 0]}, mass: 1, inertia: 0.02 }
)yaml"));
  EXPECT_EQ(names(rotor), (std::vector<std::string>{"E", "Lz", "Kz"}));
}

// H of theory 2, section 2, by its finite sum; P and L of the root are sums over what it carries.
TEST(IntegralsOfInnerSubsystems, HaveTheKineticMomentsOfTheVectorForm) {
  const Model model = read_case("paper/inner2.yaml");
  State state = model.initial_state();
  for (size_t k = 0; k < state.v.size(); ++k) state.v[k] = 0.3 + 0.4 * static_cast<double>(k);
  const Model offset = read_model_text(R"yaml(
vinculum: 1
bodies:
  a: { joint: {axes: [tx, rz, ry]}, mass: 2, com: [0.3, 0.1, 0], inertia: [0.1, 0.2, 0.25] }
  b: { parent: a, joint: {type: revolute, axis: x, origin: [0.5, 0.2, 0.1]}, mass: 1, com: [0.1, 0.2, 0.3], inertia: 0.02 }
  c: { parent: b, joint: {type: prismatic, axis: y, origin: [0, 0.2, 0.1]}, mass: 0.7, com: [0.2, 0, 0.1], inertia: 0.03 }
initial: { a.tx: 0.2, a.rz: 0.4, a.ry: 0.3, b: 0.5, c: 0.1, "a.tx'": 0.7, "a.rz'": 1.1, "a.ry'": -0.4, "b'": 0.9, "c'": 0.6 }
)yaml");
  const auto compare = [](const Model& of, const State& at) {
    Workspace workspace(of);
    IntegralCandidates candidates(of, true, true);
    std::vector<double> values(candidates.size());
    candidates.compute_values(at, workspace, values);
    std::map<std::string, double> named;
    for (int i = 0; i < candidates.size(); ++i) named[candidates.list()[i].name] = values[i];
    const std::vector<double> zero(at.v.size());
    const VectorForm form = compute_vector_form(of, at, zero, compute_given_forces(of, at, workspace));
    const auto quantities = compute_subsystem_quantities(of, form);
    for (size_t k = 0; k < of.bodies().size(); ++k) {
      if (of.bodies()[k].parent == kWorld) continue;
      const std::string& body = of.bodies()[k].name;
      const Vector3& H = quantities[k].kinetic_moment_W;
      EXPECT_NEAR(named["Kx(" + body + ")"], H.x, 1e-13);
      EXPECT_NEAR(named["Ky(" + body + ")"], H.y, 1e-13);
      EXPECT_NEAR(named["Kz(" + body + ")"], H.z, 1e-13);
      EXPECT_GT(norm(H), 0.01);
    }
  };
  compare(model, state);
  compare(offset, offset.initial_state());
}

}  // namespace
}  // namespace vinculum::testing
