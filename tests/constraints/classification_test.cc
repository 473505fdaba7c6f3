// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/classification.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing {
namespace {

std::vector<RowKind> classify(const std::string& text) {
  const Model model = read_model_text(text);
  Workspace workspace(model);
  auto kinds = classify_rows(ConstraintSet(model), model.initial_state(), workspace);
  EXPECT_TRUE(kinds) << kinds.failure().message;
  return *kinds;
}

TEST(Classification, BladeOfASleighIsNonHolonomic) {
  const auto kinds = classify(R"(
vinculum: 1
bodies: { sleigh: { joint: {type: planar}, mass: 3, com: [0.25, 0, 0], inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [normal, lateral] } }
initial: { sleigh.rz: 0.5 }
)");
  EXPECT_TRUE(kinds[0].holonomic);
  EXPECT_FALSE(kinds[1].holonomic);
  EXPECT_TRUE(kinds[1].stationary);
  EXPECT_EQ(kinds[1].text, "non-holonomic, stationary: restricts velocities, not positions");
}

// Both rows of a coin are non-holonomic, although dω = 0 of the forward row on what both allow: with sin φ dx - cos φ dy, which
// brackets reach first, it falls too.
TEST(Classification, CoinNeedsBracketsOfBrackets) {
  const auto kinds = classify(R"(
vinculum: 1
bodies: { coin: { joint: {axes: [tx, ty, tz, rz, ry]}, mass: 1, inertia: [0.1, 0.2, 0.1] } }
contacts: { floor: { body: coin, with: world, wheel: {axis: y, radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { coin.tz: 0.2, coin.rz: 0.4 }
)");
  EXPECT_TRUE(kinds[0].holonomic);
  EXPECT_FALSE(kinds[1].holonomic);
  EXPECT_FALSE(kinds[2].holonomic);
}

// The same blade on a sleigh that cannot turn, and a foot that cannot slide either way, hold positions.
TEST(Classification, RowsThatCanBeIntegratedAreHolonomic) {
  for (const auto& kind : classify(R"(
vinculum: 1
bodies: { sleigh: { joint: {axes: [tx, ty]}, mass: 3, inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 2, 0]}, forbid: [lateral] } }
)")) {
    EXPECT_TRUE(kind.holonomic) << kind.text;
  }
  for (const auto& kind : classify(R"(
vinculum: 1
bodies: { trunk: { joint: {type: free}, mass: 3, inertia: 0.4 } }
environment: { hill: { surface: "0.1*x^2 - 0.2*x*y" } }
contacts: { foot: { body: trunk, with: hill, point: [0.1, 0, -0.5], forbid: [normal, lateral, forward] } }
initial: { trunk.tz: 0.501 }
)")) {
    EXPECT_TRUE(kind.holonomic) << kind.text;
  }
}

// A ball that rolls: non-holonomic, whatever coordinates turn it; a wheel on rails (it cannot turn its heading) is not.
TEST(Classification, RollingIsNonHolonomicWhereTheHeadingCanTurn) {
  const auto ball = classify(R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 1, inertia: 0.1 } }
contacts: { floor: { body: ball, with: world, sphere: {center: [0, 0, 0], radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { ball.tz: 0.2 }
)");
  EXPECT_TRUE(ball[0].holonomic);
  EXPECT_FALSE(ball[1].holonomic);
  EXPECT_FALSE(ball[2].holonomic);
  for (const auto& kind : classify(R"(
vinculum: 1
bodies: { wheel: { joint: {axes: [tx, tz, ry]}, mass: 1, inertia: 0.1 } }
contacts: { rail: { body: wheel, with: world, wheel: {axis: y, radius: 0.2}, forbid: [normal, forward] } }
initial: { wheel.tz: 0.2 }
)")) {
    EXPECT_TRUE(kind.holonomic) << kind.text;
  }
}

// The vector form of a single axis is not integrable, that of a hinge is (theory 1, section 4); the angle form always.
TEST(Classification, AngularForms) {
  const auto joint = [](const std::string& forbid, const std::string& form) {
    return classify(
        "vinculum: 1\nbodies: { b: { joint: {type: free}, mass: 1, inertia: 0.1 } }\n"
        "contacts: { c: { body: b, with: world, frame: {}, angular: " +
        form + ", forbid: [" + forbid + "] } }\n");
  };
  EXPECT_FALSE(joint("pitch", "vector")[0].holonomic);
  EXPECT_TRUE(joint("pitch", "angles")[0].holonomic);
  for (const char* set : {"yaw, pitch", "pitch, roll", "yaw, roll", "yaw, pitch, roll"}) {
    for (const auto& kind : joint(set, "vector")) EXPECT_TRUE(kind.holonomic) << set << ": " << kind.text;
  }
}

TEST(Classification, TurntableEntersTheTangentialRowsOnly) {
  const auto kinds = classify(R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 1, inertia: 0.1 } }
environment: { table: { surface: plane, rotation: {axis: z, angle: "2.5*t"} } }
contacts: { touch: { body: ball, with: table, sphere: {center: [0, 0, 0], radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { ball.tz: 0.2, ball.tx: 0.3 }
)");
  EXPECT_TRUE(kinds[0].stationary);
  EXPECT_EQ(kinds[0].text, "holonomic, stationary: it holds a distance; not affected by the given motion");
  EXPECT_FALSE(kinds[1].stationary);
  EXPECT_FALSE(kinds[2].stationary);
}

// A slope that turns with the body is no surface, however small it is; one that is a function of x is. Rows in other units, of
// other sizes, are the same rows.
TEST(Classification, SizeOfARowDoesNotMatter) {
  const auto kind = [](const std::string& equation) {
    return classify(
        "vinculum: 1\nbodies: { s: { joint: {axes: [tx, ty, rz]}, mass: 1, inertia: 1 } }\nvelocity_constraints: { b: \"" +
        equation + "\" }\n")[0];
  };
  for (const char* eps : {"1", "1e-3", "1e-5", "1e-8"}) {
    EXPECT_FALSE(kind("s.ty' = " + std::string(eps) + "*s.rz*s.tx'").holonomic) << eps;
    EXPECT_TRUE(kind("s.ty' = " + std::string(eps) + "*sin(s.tx)*s.tx'").holonomic) << eps;
    EXPECT_FALSE(kind(std::string(eps) + "*(s.ty' - s.rz*s.tx') = 0").holonomic) << eps;
    EXPECT_TRUE(kind(std::string(eps) + "*exp(s.rz)*(s.ty' - cos(s.tx)*s.tx') = 0").holonomic) << eps;
  }
  EXPECT_NE(kind("s.ty' = 1e-3*s.tx*s.tx'").text.find("to 1e-07 of their terms"), std::string::npos);
}

// Wheels on the left and on the right of a rover on waves, with the surface and the rover mirrored: the same kinds.
TEST(Classification, MirrorImagesAreAlike) {
  const auto kinds = [](double side) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  hull: {{ joint: {{ axes: [tx, ty, tz, rz, ry, rx] }}, mass: 50, inertia: [3, 5, 6] }}
  w0: {{ parent: hull, joint: {{axes: [tz, ry], origin: [0.1, {0}, -0.1]}}, mass: 3, inertia: 0.05 }}
  w1: {{ parent: hull, joint: {{axes: [tz, ry], origin: [0.1, -({0}), -0.1]}}, mass: 3, inertia: 0.05 }}
environment: {{ g: {{ surface: "0.1*sin(x)*sin(({1})*y + 0.5)" }} }}
contacts:
  c0: {{ body: w0, with: g, wheel: {{ axis: y, radius: 0.22 }}, forbid: [normal, lateral, forward] }}
  c1: {{ body: w1, with: g, wheel: {{ axis: y, radius: 0.22 }}, forbid: [normal, forward] }}
initial: {{ hull.tz: 0.35 }}
)yaml",
                                                    0.4 * side, side));
    Workspace workspace(model);
    const auto projected = project_state(ConstraintSet(model), model.initial_state(), workspace);
    EXPECT_TRUE(projected);
    const auto found = classify_rows(ConstraintSet(model), projected->state, workspace);
    EXPECT_TRUE(found);
    std::vector<bool> holonomic;
    for (const RowKind& kind : *found) holonomic.push_back(kind.holonomic);
    return holonomic;
  };
  const std::vector<bool> left = kinds(1), right = kinds(-1);
  EXPECT_EQ(left, right);
  EXPECT_EQ(left, (std::vector<bool>{true, false, false, true, false}));
}

}  // namespace
}  // namespace vinculum::testing
