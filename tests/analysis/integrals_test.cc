// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// First integrals: the nine cases of theory 2, section 6.2, and what else a model can conserve.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/support/worked_trees.h"
#include "vinculum/analysis/integrals.h"

namespace vinculum::testing {
namespace {

using Names = std::vector<std::string>;

IntegralSearch search(const Model& model) {
  auto found = find_integrals(model, model.initial_state());
  EXPECT_TRUE(found) << found.failure().message;
  return std::move(*found);
}

Names names_of(const IntegralSearch& found) {
  Names names;
  for (const Integral& integral : found.integrals) names.push_back(integral.name);
  return names;
}

std::string why(const IntegralSearch& found, const std::string& name) {
  for (const Integral& integral : found.integrals) {
    if (integral.name == name) return integral.why;
  }
  return "";
}

TEST(Integrals, TriplePendulum) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [.9, 0, 0]}, mass: .6, com: [.4, 0, 0], inertia: .04 }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E"}));
  EXPECT_EQ(found.independent_functions, 1);
  EXPECT_EQ(found.samples, 2 * (1 + 9 + 3) + 8);
  EXPECT_GE(found.rates.ratio(), 1e4);
}

TEST(Integrals, Top) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
bodies: { top: { joint: {type: spherical}, mass: 1, com: [0, 0, .3], inertia: [.02, .02, .01] } }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E", "Lz", "p(top.wz)"}));
  EXPECT_EQ(found.independent_functions, 3);
  EXPECT_EQ(why(found, "Lz"), "no moment about the z axis through the origin: the joint of 'top' passes none, gravity has none");
  EXPECT_NE(why(found, "p(top.wz)").find("symmetric about its z axis"), std::string::npos);
}

TEST(Integrals, TreeInSpace) { EXPECT_EQ(names_of(search(branched_tree().model)), (Names{"E", "Lz"})); }

TEST(Integrals, TreeInSpaceWithoutGravity) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  b0: { joint: {type: spherical}, mass: 2, com: [.05, 0, -.2], inertia: [.1, .12, .08, .01, 0, .005] }
  b1: { parent: b0, joint: {type: revolute, axis: x, origin: [.3, 0, -.3]}, mass: 1, com: [0, .02, -.25], inertia: [.03, .03, .01] }
  b2: { parent: b0, joint: {type: revolute, axis: y, origin: [-.3, .1, -.3]}, mass: 1.2, com: [.01, 0, -.3], inertia: [.04, .04, .01] }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E", "Lx", "Ly", "Lz"}));
  EXPECT_EQ(found.independent_functions, 4);
  EXPECT_NE(why(found, "Lx").find("there is no gravity"), std::string::npos);
}

constexpr const char* kFreeArm = R"yaml(
vinculum: 1
bodies:
  hull: { joint: {type: free}, mass: 2, com: [.1, 0, .05], inertia: [.1, .12, .08, .01, 0, .005] }
  arm: { parent: hull, joint: {type: revolute, axis: y, origin: [.3, 0, .1]}, mass: 1, com: [.4, 0, 0], inertia: [.01, .05, .05] }
)yaml";

TEST(Integrals, FreeBodyWithAnArmUnderGravity) {
  const auto found = search(read_model_text(kFreeArm));
  EXPECT_EQ(names_of(found), (Names{"E", "Px", "Py", "Pz + 29.43 t", "Lz", "Kx", "Ky", "Kz"}));
  EXPECT_EQ(found.independent_functions, 8);
  EXPECT_NEAR(found.integrals[3].by_time, (2 + 1) * 9.81, 1e-8);  // ten digits are told
  EXPECT_EQ(why(found, "Pz + 29.43 t"), "constant force along z: 'hull' is free, -29.43 N by gravity");
  EXPECT_EQ(why(found, "Kx"), "no moment about the mass centre along x: 'hull' is free, gravity acts at the mass centre");
}

// L - K = r × P is orthogonal to P: one of the ten is a function of the others.
TEST(Integrals, FreeBodyWithAnArmInSpace) {
  const auto found = search(read_model_text(std::string(kFreeArm) + "gravity: [0, 0, 0]\n"));
  EXPECT_EQ(names_of(found), (Names{"E", "Px", "Py", "Pz", "Lx", "Ly", "Lz", "Kx", "Ky", "Kz"}));
  EXPECT_EQ(found.independent_functions, 9);
}

constexpr const char* kCartAndPole = R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: .1 }
  pole: { parent: cart, joint: {type: revolute, axis: y}, mass: .5, com: [0, 0, -.6], inertia: .02 }
)yaml";

TEST(Integrals, CartWithAPendulum) {
  const auto found = search(read_model_text(kCartAndPole));
  EXPECT_EQ(names_of(found), (Names{"E", "Px"}));
  EXPECT_EQ(why(found, "Px"), "no force along x: the joint of 'cart' passes none, gravity has none");
  // What the cart's generalized momentum is, and not an integral of its own.
  bool told = false;
  for (const Integral& identity : found.identities) told = told || (identity.name == "p(cart')" && identity.why == "Px");
  EXPECT_TRUE(told);
}

TEST(Integrals, CartWithADampedPendulum) {
  const auto found = search(read_model_text(std::string(kCartAndPole) + R"yaml(
forces: { damper: { joint: pole, law: "-0.1*pole'" } }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"Px"}));
}

TEST(Integrals, ArmOnAVerticalAxisWithABalancedRotor) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
bodies:
  column: { joint: {type: revolute, axis: z}, mass: 3, com: [.1, 0, .5], inertia: [.2, .2, .1] }
  arm: { parent: column, joint: {type: revolute, axis: y, origin: [0, 0, 1]}, mass: 1, com: [.5, 0, 0], inertia: [.01, .08, .08] }
  rotor: { parent: arm, joint: {type: revolute, axis: x, origin: [1, 0, 0]}, mass: .4, inertia: [.01, .006, .006] }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E", "Lz", "p(rotor')"}));
  EXPECT_NE(why(found, "p(rotor')").find("'rotor' is cyclic"), std::string::npos);
}

TEST(Integrals, TableThatSlidesUnderATop) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
bodies:
  table: { joint: {axes: [tx, ty]}, mass: 2, com: [.05, 0, 0], inertia: .1 }
  top: { parent: table, joint: {type: spherical, origin: [.1, .07, .2]}, mass: 1, com: [0, 0, .3], inertia: [.02, .02, .01] }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E", "Px", "Py", "Lz - Kz", "p(top.wz)"}));
  EXPECT_EQ(found.independent_functions, 5);
}

// An arm that turns about the vertical through A: d·(L - A × P) with d = z.
TEST(Integrals, AnAxisThroughAnotherPoint) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
bodies:
  column: { joint: {type: revolute, axis: z, origin: [.5, -.2, 0]}, mass: 3, com: [.1, 0, .5], inertia: [.2, .2, .1] }
  arm: { parent: column, joint: {type: revolute, axis: y, origin: [.1, 0, 1]}, mass: 1, com: [.5, 0, 0], inertia: [.01, .08, .08] }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E", "Lz - 0.2 Px - 0.5 Py"}));
  EXPECT_EQ(why(found, "Lz - 0.2 Px - 0.5 Py"),
            "no moment about the axis along z through (0.5, -0.2, 0): the joint of 'column' passes none, gravity has none");
}

TEST(Integrals, AngularMomentumAlongATiltedGravity) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
gravity: [6, 0, -3]
bodies:
  b0: { joint: {type: spherical}, mass: 2, com: [.05, 0, -.2], inertia: [.1, .12, .08, .01, 0, .005] }
  b1: { parent: b0, joint: {type: revolute, axis: x, origin: [.3, 0, -.3]}, mass: 1, com: [0, .02, -.25], inertia: [.03, .03, .01] }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E", "Lx - 0.5 Lz"}));
}

TEST(Integrals, AConstantForceInAJoint) {
  const auto found = search(read_model_text(std::string(kCartAndPole) + R"yaml(
forces: { motor: { joint: cart, law: 3 } }
)yaml"));
  EXPECT_EQ(names_of(found), (Names{"E", "Px - 3 t"}));
  EXPECT_EQ(why(found, "Px - 3 t"), "constant force along x: 3 N by the joint of 'cart', gravity has none");
}

TEST(Integrals, AForceThatChangesWithTime) {
  const auto found = search(read_model_text(std::string(kFreeArm) + R"yaml(
gravity: [0, 0, 0]
forces: { push: { body: hull, point: [.1, 0, .05], force: ["sin(3*t)", 0, 0] } }
)yaml"));
  // The force along x has no moment along x about any point.
  EXPECT_EQ(names_of(found), (Names{"Py", "Pz", "Lx", "Kx"}));
  EXPECT_EQ(why(found, "Py"), "no force along y: 'hull' is free, there is no gravity, the given forces have none");
}

TEST(Integrals, NothingIsConserved) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
bodies: { b: { joint: {type: revolute, axis: y}, mass: 1, com: [.7, 0, 0], inertia: .1 } }
forces: { damper: { joint: b, law: "-0.1*b'" } }
)yaml"));
  EXPECT_TRUE(found.integrals.empty());
  EXPECT_EQ(found.independent_functions, 0);
  EXPECT_GT(found.rates.nonzero, 1e-4);
  EXPECT_FALSE(found.rates.zero);
}

// A spring between two free bodies: what it does to the one it takes from the other.
TEST(Integrals, TwoRootsWithASpringBetween) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  a: { joint: {type: free}, mass: 2, inertia: [.1, .12, .08] }
  b: { joint: {type: free, origin: [1, 0, 0]}, mass: 1, com: [0, .1, 0], inertia: [.05, .04, .03] }
forces: { spring: { between: [a, [.2, .1, 0]], and: [b, [0, 0, .1]], stiffness: 50, length: .5 } }
)yaml"));
  EXPECT_EQ(names_of(found),
            (Names{"E", "Px(a) + Px(b)", "Py(a) + Py(b)", "Pz(a) + Pz(b)", "Lx(a) + Lx(b)", "Ly(a) + Ly(b)", "Lz(a) + Lz(b)"}));
  EXPECT_EQ(found.independent_functions, 7);
  EXPECT_NE(why(found, "Px(a) + Px(b)").find("the given forces cancel in pairs"), std::string::npos);
}

// A ball that rolls on a plate turning at a given rate w: seen from the plate its energy is constant, E - w Lz.
TEST(Integrals, BallOnATurntable) {
  const auto found = search(read_model_text(R"yaml(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 2, inertia: .032 } }
environment: { plate: { surface: plane, rotation: {axis: z, angle: "2.5*t"} } }
contacts: { touch: { body: ball, with: plate, sphere: {center: [0, 0, 0], radius: .2}, forbid: [normal, lateral, forward] } }
initial: { ball.tz: .2 }
)yaml"));
  const Names names = names_of(found);
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.front(), "E - 2.5 Lz");
  EXPECT_FALSE(found.independent_functions);
}

// The weakest damper that is told from none takes 1e-11 of the energy in the time in which the motion changes.
TEST(Integrals, WhatIsTooSmallToTellIsRefused) {
  const auto damped = [](const char* law) {
    return read_model_text(fmt::format("{}forces: {{ damper: {{ joint: pole, law: \"{}\" }} }}\n", kCartAndPole, law));
  };
  EXPECT_EQ(names_of(search(damped("-4e-9*pole'"))), (Names{"Px"}));
  for (const bool sums : {true, false}) {
    const Model model = damped("-1e-11*pole'");
    const auto found = find_integrals(model, model.initial_state(), {.sums = sums});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.failure().code, "VN-INTEGRAL-001");
  }
}

// A model 4^k as long moves alike, 2^k as slowly: torques grow by 4^k, and dampers by 8^k. The damper that is just told from none
// is told at every size, and what the search decides on is the same number.
TEST(Integrals, AnEnlargedModelHasTheSameAnswer) {
  const auto enlarged = [](int k) {
    const double slower = std::ldexp(1, k), longer = slower * slower;
    const Model model =
        read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  cart: {{ joint: {{type: prismatic, axis: x}}, mass: 2, inertia: {:.17g} }}
  pole: {{ parent: cart, joint: {{type: revolute, axis: y}}, mass: .5, com: [0, 0, {:.17g}], inertia: {:.17g} }}
forces: {{ damper: {{ joint: pole, law: "-{:.17g}*pole'" }} }}
)yaml",
                                    .1 * longer * longer, -.6 * longer, .02 * longer * longer, 4e-9 * longer * slower));
    return search(model);
  };
  const auto found = enlarged(0);
  EXPECT_EQ(names_of(found), (Names{"Px"}));
  for (const int k : {-20, 20}) {
    const auto other = enlarged(k);
    EXPECT_EQ(names_of(other), names_of(found)) << k;
    EXPECT_NEAR(other.rates.nonzero.value() / found.rates.nonzero.value(), 1, 1e-3) << k;
  }
}

// Two small bodies far apart with a spring between: its direction is another one only where they move by their distance. Nothing
// but the energy and the momenta of both together is conserved.
TEST(Integrals, SmallBodiesFarApart) {
  const auto far = [](double distance) {
    return names_of(search(read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  a: {{ joint: {{ axes: [tx, ty] }}, mass: 1, inertia: 1e-6 }}
  b: {{ joint: {{ axes: [tx, ty] }}, mass: 2, inertia: 1e-6 }}
forces: {{ spring: {{ between: [a, [0, 0, 0]], and: [b, [0, 0, 0]], stiffness: 3, length: {0} }} }}
initial: {{ b.tx: {0} }}
)yaml",
                                                       distance))));
  };
  EXPECT_EQ(far(1e-2), far(1e9));
  EXPECT_EQ(far(1e9), (Names{"E", "Px(a) + Px(b)", "Py(a) + Py(b)", "Lz(a) + Lz(b)"}));
}

// A force that is nothing beside the others: the search ends in an answer or in a refusal.
TEST(Integrals, AForceNearRoundOffIsAnsweredOrRefused) {
  for (const char* factor : {"1e-3", "1e-7", "1e-8", "1e-9", "1e-10", "1e-12", "1e-16"}) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ b: {{ joint: {{type: free}}, mass: 1, inertia: .1 }} }}
forces: {{ damper: {{ joint: b.tz, law: "-{}*b.tz'" }} }}
)yaml",
                                                    factor));
    const auto found = find_integrals(model, model.initial_state());
    if (!found) {
      EXPECT_EQ(found.failure().code, "VN-INTEGRAL-001") << factor;
      continue;
    }
    const Names names = names_of(*found);
    EXPECT_NE(std::find(names.begin(), names.end(), "Px"), names.end()) << factor;
  }
}

// A row of N parallelograms has one freedom and 20 N candidates: near each other, as all smooth functions of one variable are.
std::string write_parallelograms(int count) {
  std::string bodies, contacts, initial;
  for (int i = 0; i <= count; ++i) {
    bodies += fmt::format(
        "  c{0}: {{ joint: {{type: revolute, axis: y, origin: [{0}, 0, 0]}}, mass: 1, com: [0, 0, .5], inertia: [.0833, .0833, "
        "0] }}\n",
        i);
    initial += fmt::format("{}\"c{}'\": 1", i == 0 ? "" : ", ", i);
    if (i == count) break;
    bodies += fmt::format(
        "  k{0}: {{ parent: c{0}, joint: {{type: revolute, axis: y, origin: [0, 0, 1]}}, mass: 1, com: [.5, 0, 0], inertia: [0, "
        ".0833, .0833] }}\n",
        i);
    contacts += fmt::format(
        "  p{0}: {{ body: k{0}, with: c{1}, frame: {{on_body: {{point: [1, 0, 0]}}, on_environment: {{point: [0, 0, 1]}}}}, "
        "forbid: [normal, forward] }}\n",
        i, i + 1);
    initial += fmt::format(", \"k{}'\": -1", i);
  }
  return "vinculum: 1\nbodies:\n" + bodies + "contacts:\n" + contacts + "initial: { " + initial + " }\n";
}

TEST(Integrals, ARowOfParallelogramsIsAnsweredOrRefused) {
  for (const int count : {1, 4, 12}) {
    const Model model = read_model_text(write_parallelograms(count));
    const auto found = find_integrals(model, model.initial_state());
    if (!found) EXPECT_EQ(found.failure().code, "VN-INTEGRAL-001");
    if (found) EXPECT_EQ(names_of(*found), (Names{"E"}));
    EXPECT_TRUE(found || count > 1);
    const auto alone = find_integrals(model, model.initial_state(), {.sums = false});
    if (!alone) EXPECT_EQ(alone.failure().code, "VN-INTEGRAL-001");
    if (alone) EXPECT_EQ(names_of(*alone), (Names{"E"}));
    EXPECT_TRUE(alone || count > 4);
  }
}

// The motor's moment is constant, so it has a potential; nothing else of the mechanism is conserved.
TEST(Integrals, AndrewsSqueezer) {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/andrews-squeezer/model.yaml", diagnostics);
  ASSERT_TRUE(model);
  EXPECT_EQ(names_of(search(*model)), (Names{"E"}));
}

// Each candidate by itself: what the whole search finds without sums.
TEST(Integrals, WithoutSums) {
  const Model model = read_model_text(kFreeArm);
  const auto found = find_integrals(model, model.initial_state(), {.generalized_momenta = false, .sums = false});
  ASSERT_TRUE(found) << found.failure().message;
  EXPECT_EQ(names_of(*found), (Names{"E", "Px", "Py", "Pz + 29.43 t", "Lz", "Kx", "Ky", "Kz"}));
  EXPECT_EQ(why(*found, "Pz + 29.43 t"), "constant force along z: 'hull' is free, -29.43 N by gravity");
  EXPECT_EQ(found->samples, 8);
}

// 120 free bodies have 8 integrals each, and cost what they cost: known before, and never more than allowed.
TEST(Integrals, TheSearchFitsItsLimit) {
  std::string bodies = "vinculum: 1\nbodies:\n";
  for (int i = 0; i < 120; ++i)
    bodies += fmt::format("  b{}: {{ joint: {{type: free}}, mass: 1, com: [.1, 0, 0], inertia: [.1, .12, .08] }}\n", i);
  const Model model = read_model_text(bodies);
  const auto widest = choose_search(model, 1e12), narrow = choose_search(model, 5e8);
  ASSERT_TRUE(widest && narrow);
  EXPECT_TRUE(widest->sums && widest->generalized_momenta);
  EXPECT_FALSE(narrow->sums || narrow->generalized_momenta);
  EXPECT_GT(count_search_operations(model, *widest), 2e10);  // C³ of 1801 candidates, and more
  EXPECT_LE(count_search_operations(model, *narrow), 5e8);
  const auto none = choose_search(model, 1e4);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.failure().code, "VN-INTEGRAL-150");
  const auto found = find_integrals(model, model.initial_state(), *narrow);
  ASSERT_TRUE(found) << found.failure().message;
  EXPECT_EQ(found->integrals.size(), 1u + 7 * 120);  // E, and of each body P + m g t, Lz, K
}

TEST(Integrals, TheSearchStopsWhenAsked) {
  const Model model = read_model_text(kFreeArm);
  for (const bool sums : {true, false}) {
    int asked = 0;
    const auto never = find_integrals(model, model.initial_state(), {.sums = sums, .stop = [&] { return ++asked < 0; }});
    ASSERT_TRUE(never);
    for (const int at : {1, asked / 2, asked}) {
      int now = 0;
      const auto found = find_integrals(model, model.initial_state(), {.sums = sums, .stop = [&] { return ++now >= at; }});
      ASSERT_FALSE(found);
      EXPECT_EQ(found.failure().code, "VN-RUN-150");
      EXPECT_LE(now, at + 2);
    }
  }
}

TEST(Integrals, AModelWithoutMotionIsRefused) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { b: { joint: {type: revolute, axis: y}, mass: 1, com: [.7, 0, 0], inertia: .1 } }
forces: { impossible: { joint: b, law: "log(-1 - b^2)" } }
)yaml");
  const auto found = find_integrals(model, model.initial_state());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.failure().code, "VN-INTEGRAL-002");
}

// A stop that no random state reaches (they stay within the length of the model, √(tr J/m) = 0.17 m here): the momentum is
// constant only before it. With the stop between two bodies it is constant everywhere.
TEST(Integrals, BeyondAKink) {
  const std::string bodies = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: 0.01 } }
)yaml";
  for (const char* law : {"-5*max(p - 1, 0)", "if(p > 40, -1, 0)", "-5*(abs(p - 3) + p - 3)"}) {
    const auto found = search(read_model_text(bodies + fmt::format("forces: {{ stop: {{ joint: p, law: \"{}\" }} }}", law)));
    EXPECT_EQ(names_of(found), (Names{"E"})) << law;
    ASSERT_EQ(found.one_sided.size(), 1u) << law;
    EXPECT_EQ(found.one_sided[0].name, "Pz") << law;
    EXPECT_NE(found.one_sided[0].broken.find("force 'stop'"), std::string::npos) << found.one_sided[0].broken;
    EXPECT_TRUE(found.unseen_sides.empty());
  }
  // What cannot be reached is said.
  const auto far = search(read_model_text(bodies + "forces: { stop: { joint: p, law: \"if(p > 1e12, -1, 0)\" } }"));
  ASSERT_EQ(far.unseen_sides.size(), 1u);
  EXPECT_NE(far.unseen_sides[0].find("p - 1000000000000 > 0"), std::string::npos) << far.unseen_sides[0];

  const auto pair = search(read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  p: { joint: {type: prismatic, axis: z}, mass: 1, inertia: 1 }
  r: { joint: {type: prismatic, axis: z}, mass: 2, inertia: 1 }
forces:
  stop: { joint: p, law: "-5*max(p - r - 3, 0)" }
  back: { joint: r, law: "5*max(p - r - 3, 0)" }
)yaml"));
  const Names names = names_of(pair);
  EXPECT_NE(std::find(names.begin(), names.end(), "Pz(p) + Pz(r)"), names.end()) << fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace
}  // namespace vinculum::testing
