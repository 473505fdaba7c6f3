// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Theory 5, W2 to W5 and W9, from model files: the reduction by the house's solve, against the values of the specification.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "tests/support/guide_models.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/pad.h"
#include "vinculum/friction/critical_friction.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_variants.h"

namespace vinculum::testing::guide_models {
namespace {

GuideVariants variants_of(const Model& model, State state) {
  ConstraintSet set(model);
  Workspace workspace(model);
  auto found = find_guide_variants(set, state, workspace);
  if (!found) throw std::runtime_error(found.failure().message);
  return *found;
}
GuideVariants variants_of(const Model& model) { return variants_of(model, model.initial_state()); }

void expect_variant(const RealisedVariant& variant, const Faces& faces, const std::vector<double>& n, double tolerance) {
  EXPECT_EQ(variant.faces, faces);
  for (size_t i = 0; i < n.size(); ++i)
    EXPECT_NEAR(variant.signed_reactions[static_cast<Eigen::Index>(i)], n[i], tolerance * (1 + std::abs(n[i]))) << i;
}

double acceleration(const GuideVariants& found, const RealisedVariant& variant, int velocity) {
  return found.reduction.accelerations(variant.signed_reactions)[velocity];
}

// What the constrained dynamics says with these faces: the way a run goes.
ConstrainedDynamics with_faces(const Model& model) {
  ConstraintSet set(model);
  Workspace workspace(model);
  State state = model.initial_state();
  if (auto failure = choose_faces(set, state, workspace)) throw std::runtime_error(failure->message);
  auto dynamics = compute_constrained_dynamics(set, model.initial_state(), workspace);
  if (!dynamics) throw std::runtime_error(dynamics.failure().message);
  return *dynamics;
}

TEST(GuideModels, PrismOfW2) {
  const Model first = prism_w2(3), second = prism_w2(15);
  const GuideVariants lower = variants_of(first), mixed = variants_of(second);
  ASSERT_EQ(lower.variants.verdict, VariantVerdict::unique);
  expect_variant(*lower.chosen(), {2, 2}, {11.264171779141105, 8.355828220858896}, 1e-13);
  EXPECT_NEAR(acceleration(lower, *lower.chosen(), 0), 2.411312883435583, 1e-13);
  ASSERT_EQ(mixed.variants.verdict, VariantVerdict::unique);
  expect_variant(*mixed.chosen(), {2, 1}, {25.112063492063490, -5.492063492063491}, 1e-13);
  EXPECT_NEAR(acceleration(mixed, *mixed.chosen(), 0), 1.802285714285714, 1e-13);
  EXPECT_NEAR(find_critical_friction(lower.reduction.problem)->scale.value_or(0), 15.818181818181815, 1e-9);

  const ConstrainedDynamics dynamics = with_faces(second);
  EXPECT_NEAR(dynamics.solution.multipliers[0], 25.112063492063490, 1e-12);
  EXPECT_NEAR(dynamics.solution.multipliers[1], -5.492063492063491, 1e-12);
  EXPECT_NEAR(dynamics.solution.accelerations[0], 1.802285714285714, 1e-12);
}

TEST(GuideModels, BarClampOfW3) {
  const GuideVariants slides = variants_of(bar_clamp(0.1, 1));
  expect_variant(*slides.chosen(), {2, 1}, {10.5, -9.5}, 1e-12);
  EXPECT_NEAR(acceleration(slides, *slides.chosen(), 0), -2, 1e-12);

  const GuideVariants jams = variants_of(bar_clamp(0.25, 1));
  EXPECT_EQ(jams.variants.verdict, VariantVerdict::none);
  EXPECT_NEAR(jams.variants.path.end, 0.8, 1e-9);
  EXPECT_NE(no_variant(jams).message.find("jam"), std::string::npos);

  const GuideVariants two = variants_of(bar_clamp(0.25, -1));
  ASSERT_EQ(two.variants.solutions().size(), 2u);
  expect_variant(*two.chosen(), {1, 2}, {-1.722222222222222, 2.722222222222222}, 1e-12);
  EXPECT_NEAR(acceleration(two, *two.chosen(), 0), -1.111111111111111, 1e-12);
}

TEST(GuideModels, RodInASlotOfW4) {
  const Model weak = rod_in_slot(1, 0);
  const GuideVariants one = variants_of(weak);
  expect_variant(*one.chosen(), {2}, {24.525}, 1e-12);
  const double sine = 2 / std::sqrt(5), cosine = 1 / std::sqrt(5);
  const double turning = acceleration(one, *one.chosen(), 2);
  EXPECT_NEAR(turning, 65.807480577818765, 1e-11);
  EXPECT_NEAR(acceleration(one, *one.chosen(), 0) - 0.5 * sine * turning, 24.525, 1e-11);
  EXPECT_NEAR(0.5 * cosine * turning, 14.715, 1e-11);
  EXPECT_NEAR(find_critical_friction(one.reduction.problem)->scale.value_or(0), 4.0 / 3, 1e-10);

  const GuideVariants two = variants_of(rod_in_slot(2, 6));
  ASSERT_EQ(two.variants.solutions().size(), 2u);
  expect_variant(*two.chosen(), {1}, {-1.572422359499621}, 1e-11);
  EXPECT_NEAR(acceleration(two, *two.chosen(), 2), 21.09625971109059, 1e-10);
  EXPECT_EQ(variants_of(rod_in_slot(2, 0)).variants.verdict, VariantVerdict::none);
}

// W5, and the written-out equations (4.1) of section 6 as a second way.
TEST(GuideModels, PlateOfW5) {
  const Model model = plate_on_pads(R"(
forces: { push: { body: plate, force: [1, -2, 0], torque: [6, 1.5, 0.7] } }
initial: { plate.qw: cos(0.35), plate.qz: sin(0.35), "plate.tx'": 1.2, "plate.ty'": -0.4, plate.wz: 2.5 })");
  const GuideVariants found = variants_of(model);
  ASSERT_NE(found.chosen(), nullptr);
  expect_variant(*found.chosen(), {2, 1, 2}, {13.951519766700756, -0.108041498209102, 15.586521731508347}, 1e-11);
  EXPECT_NEAR(acceleration(found, *found.chosen(), 0), -2.394372351817928, 1e-11);
  EXPECT_NEAR(acceleration(found, *found.chosen(), 1), -1.734848574302714, 1e-11);
  EXPECT_NEAR(acceleration(found, *found.chosen(), 5), -2.018681951615628, 1e-11);
  EXPECT_NEAR(find_critical_friction(found.reduction.problem)->scale.value_or(0), 8.923635685885143, 1e-7);
  ASSERT_EQ(found.variants.path.switches.size(), 1u);
  EXPECT_NEAR(found.variants.path.switches[0].scale, 0.977225560790700, 1e-9);
  const ConstrainedDynamics dynamics = with_faces(model);
  EXPECT_NEAR(dynamics.solution.multipliers[1], -0.108041498209102, 1e-10);
  EXPECT_NEAR(dynamics.solution.accelerations[5], -2.018681951615628, 1e-10);

  // m xdd = P_x - Σ f S N vx/V, and J_zz phidd = M_z + Σ N [f S (vx B - vy A)/V - r f T sgn(phidot)].
  const double a[] = {0.45, -0.3, -0.2}, b[] = {-0.03, 0.42, -0.45}, f[] = {0.35, 0.25, 0.3}, r[] = {0.08, 0.05, 0.06};
  const double c = std::cos(0.7), s = std::sin(0.7), spin = 2.5;
  double force = 1, moment = 0.7;
  for (int k = 0; k < 3; ++k) {
    const double N = std::abs(found.chosen()->signed_reactions[k]), A = a[k] * c - b[k] * s, B = a[k] * s + b[k] * c;
    const double vx = 1.2 - spin * B, vy = -0.4 + spin * A, V = std::hypot(vx, vy);
    const PadFactors pad = compute_pad(PressureLaw::uniform(), V / (spin * r[k]));
    force -= f[k] * pad.S * N * vx / V;
    moment += N * (f[k] * pad.S * (vx * B - vy * A) / V - r[k] * f[k] * pad.T);
  }
  EXPECT_NEAR(acceleration(found, *found.chosen(), 0), force / 3, 1e-12);
  EXPECT_NEAR(acceleration(found, *found.chosen(), 5), moment / 0.9, 1e-12);
}

TEST(GuideModels, SliderCrankOfW9) {
  const struct {
    double theta;
    Faces faces;
    std::vector<double> n;
    double turning;
  } cases[] = {{0.5, {2, 2}, {12.585966037951, 4.432373229108}, 395.970509600059},
               {2, {2, 2}, {10.832829617697, 2.456859620954}, 546.792284661560},
               {3.5, {2, 1}, {1.698135912673, -2.396710348348}, 341.244393316797},
               {5.5, {2, 1}, {5.336252346806, -1.674622597819}, -26.647230848931}};
  for (const auto& [theta, faces, n, turning] : cases) {
    const GuideVariants found = variants_of(slider_crank(theta));
    ASSERT_NE(found.chosen(), nullptr) << theta;
    expect_variant(*found.chosen(), faces, n, 1e-10);
    EXPECT_NEAR(acceleration(found, *found.chosen(), 0), turning, 1e-9) << theta;
  }
}

// The friction of a pair lies in its face and is f N, whichever face carries.
TEST(GuideModels, FrictionLiesInTheFace) {
  const Model model = prism_w2(6);
  const ConstrainedDynamics dynamics = with_faces(model);
  ConstraintSet set(model);
  Workspace workspace(model);
  State state = model.initial_state();
  ASSERT_FALSE(choose_faces(set, state, workspace));
  for (size_t k = 0; k < model.face_pairs().size(); ++k) {
    const FacePair& pair = model.face_pairs()[k];
    const Vector3 friction = compute_pair_friction(set, dynamics, static_cast<int>(k));
    const int face = set.modes[pair.mode] == kFace1 ? 0 : 1;
    const double N = std::abs(dynamics.solution.multipliers[static_cast<Eigen::Index>(k)]);
    EXPECT_GT(N, 1);
    EXPECT_NEAR(dot(friction, pair.faces[face].normal_A), 0, 1e-13 * N);
    EXPECT_NEAR(norm(friction), pair.faces[face].friction * N, 1e-12 * N);
  }
}

// What sticks does not slide: the rate of a row that sticks is that of the point of its face, wherever the body is.
TEST(GuideModels, RowsThatStickAreVelocitiesOfTheFace) {
  const Model model = prism(prism_pair(-0.5, -0.5, 0.1, -0.1, 0.3, 0.3) + ", " + prism_pair(0.5, 0.5, 0.1, -0.1, 0.3, 0.3), 1,
                            "0.1, -1", 0, "initial: { slider.tx: 0.7, slider.ty: 0.4, slider.rz: 0.2 }");
  const ConstraintSet set = with_all_sticking(ConstraintSet(model));
  State state = model.initial_state();
  state.v = {0.3, -0.2, 0.5};
  const auto rows = compute_constraint_rows(set, state);
  ASSERT_TRUE(rows) << rows.failure().message;
  const Eigen::VectorXd rates = rows->D * Eigen::Map<const Eigen::VectorXd>(state.v.data(), 3);
  int sticking = 0;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const auto* origin = set.rows[i].from<StickRow>();
    if (origin == nullptr) continue;
    ++sticking;
    const auto row = static_cast<Eigen::Index>(i);
    EXPECT_NEAR(rates[row], rows->rate[row], 1e-14);
    // Of the loaded face's point b: v + w x R b, along the face.
    const FacePair& pair = model.face_pairs()[origin->pair];
    const Vector3 b = pair.faces[set.modes[pair.mode] == kFace1 ? 0 : 1].point_B, e = pair.in_face_A[origin->direction];
    const Vector3 at{std::cos(0.2) * b.x - std::sin(0.2) * b.y, std::sin(0.2) * b.x + std::cos(0.2) * b.y, 0};
    EXPECT_NEAR(rates[row], dot(e, Vector3{0.3 - 0.5 * at.y, -0.2 + 0.5 * at.x, 0}), 1e-14);
  }
  EXPECT_GE(sticking, 2);
}

// A block on a rail that slopes: it holds up to the angle of friction, to round-off.
TEST(GuideModels, RestUpToTheAngleOfFriction) {
  for (const auto& [slope, holds] : {std::pair(0.2999, true), {0.3001, false}}) {
    const Model model = prism(prism_pair(-0.5, -0.5, 0.1, -0.1, 0.3, 0.3) + ", " + prism_pair(0.5, 0.5, 0.1, -0.1, 0.3, 0.3), 1,
                              fmt::format("{}, -1", slope), 0.1 * slope, "");
    Workspace workspace(model);
    const auto rest = find_rest(ConstraintSet(model), model.initial_state(), workspace);
    ASSERT_TRUE(rest) << rest.failure().message;
    EXPECT_EQ(rest->holds, holds) << slope;
    if (!holds) continue;
    EXPECT_NEAR(rest->signed_reactions.sum(), 1, 1e-9);
    const auto dynamics = compute_rest_dynamics(ConstraintSet(model), model.initial_state(), workspace);
    ASSERT_TRUE(dynamics) << dynamics.failure().message;
    EXPECT_NEAR(rest->wrenches_W[0].force.x + rest->wrenches_W[1].force.x, -slope, 1e-9);
  }
}

// A slider that would hold, beside an arm that a drive turns: at a constant rate the model is not at rest.
TEST(GuideModels, NoRestWhileAnythingIsDriven) {
  for (const auto& [law, holds] : {std::pair("0.4", true), {"0.4 + 2*t", false}}) {
    const Model model =
        read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  slider: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 1, inertia: 0.1 }}
  arm: {{ parent: slider, joint: {{ type: revolute, axis: z, origin: [0.1, 0, 0] }}, mass: 1, inertia: 0.2 }}
guides: {{ rail: {{ body: slider, pairs: [{}, {}] }} }}
forces: {{ push: {{ body: slider, force: [0.1, -1, 0] }} }}
motions: {{ arm: "{}" }}
)",
                                    prism_pair(-0.5, -0.5, 0.1, -0.1, 0.3, 0.3), prism_pair(0.5, 0.5, 0.1, -0.1, 0.3, 0.3), law));
    Workspace workspace(model);
    const auto rest = find_rest(ConstraintSet(model), model.initial_state(), workspace);
    ASSERT_TRUE(rest) << rest.failure().message;
    EXPECT_EQ(rest->holds, holds) << law;
  }
}

// The length of a normal does not count: reactions are forces.
TEST(GuideModels, NormalsOfAnyLength) {
  const std::string unit = prism_pair(-0.5, -0.5, 0.1, -0.1, 0.3, 0.3) + ", " + prism_pair(0.5, 0.5, 0.1, -0.1, 0.3, 0.3);
  std::string longer = unit;
  for (size_t at = 0; (at = longer.find("normal: [0, 1, 0]", at)) != std::string::npos; ++at)
    longer.replace(at, 17, "normal: [0, 4, 0]");
  for (const std::string& pairs : {unit, longer}) {
    const Model model = prism(pairs, 1, "0.2, -3", 0, "");
    for (const FacePair& pair : model.face_pairs()) EXPECT_NEAR(norm(pair.faces[1].normal_A), 1, 1e-15);
    Workspace workspace(model);
    const auto rest = find_rest(ConstraintSet(model), model.initial_state(), workspace);
    ASSERT_TRUE(rest) << rest.failure().message;
    EXPECT_NEAR(rest->signed_reactions.sum(), 3, 1e-9);
  }
}

// W8: rest of pads is decided to the limit itself, not to polygons within it (48 directions would give up 0.2 % before), and the
// reactions it tells bear the loads.
TEST(GuideModels, RestOfPadsUpToTheLimit) {
  const double limit = 1.972875174971;
  for (const auto& [alpha, holds] : {std::pair(limit - 1e-5, true), {limit + 1e-5, false}}) {
    const Model model =
        plate_on_pads(fmt::format("forces: {{ push: {{ body: plate, force: [{}, {}, 0], torque: [0, 0, {}] }} }}\n"
                                  "initial: {{ plate.qw: cos(0.15), plate.qz: sin(0.15) }}",
                                  4 * alpha, 2.5 * alpha, 0.8 * alpha));
    Workspace workspace(model);
    const auto rest = find_rest(ConstraintSet(model), model.initial_state(), workspace);
    ASSERT_TRUE(rest) << rest.failure().message;
    EXPECT_EQ(rest->holds, holds) << alpha;
    if (!holds) continue;
    EXPECT_NEAR(rest->signed_reactions[0], 18.828879696404, 1e-3);
    Vector3 force, moment;
    for (const Wrench& wrench : rest->wrenches_W) force += wrench.force, moment += wrench.moment;
    EXPECT_NEAR_VECTOR(force, (Vector3{-4 * alpha, -2.5 * alpha, 29.43}), 1e-6);
    EXPECT_NEAR_VECTOR(moment, (Vector3{0, 0, -0.8 * alpha}), 1e-6);
  }
}

// One pair whose faces push along different lines on a body that can turn is no constraint of its own.
TEST(GuideModels, FacesThatTakeAwayDifferentMotionsAreRefused) {
  const Model model = prism(prism_pair(-0.5, 0.5, 0.1, -0.1, 0.3, 0.3), 1, "0, -1", 0, "initial: { \"slider.tx'\": 1 }");
  ConstraintSet set(model);
  Workspace workspace(model);
  const auto found = find_guide_variants(set, model.initial_state(), workspace);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.failure().code, "VN-GUIDE-001");
  EXPECT_NE(found.failure().message.find("rail.1"), std::string::npos);
}

// A face beyond any machine: its numbers overflow, and the face is named, not a pairing that would be wrong.
TEST(GuideModels, FacesFarBeyondAnyMachineAreNamed) {
  for (const double far : {-1e300, 1e300, 1e160, -1e100}) {
    for (const int face : {1, 2}) {
      const Model model = prism(prism_pair(-0.5, -0.5, 0.1, -0.1, 0.3, 0.3) + ", " +
                                    prism_pair(face == 1 ? far : 0.5, face == 2 ? far : 0.5, 0.1, -0.1, 0.3, 0.3),
                                1, "0, -1", 0, "initial: { \"slider.tx'\": 1 }");
      ConstraintSet set(model);
      Workspace workspace(model);
      const auto found = find_guide_variants(set, model.initial_state(), workspace);
      ASSERT_FALSE(found);
      EXPECT_EQ(found.failure().code, "VN-GUIDE-030") << found.failure().message;
      EXPECT_NE(found.failure().message.find(fmt::format("face{} of pair 'rail.2'", face)), std::string::npos)
          << found.failure().message;
    }
  }
}

}  // namespace
}  // namespace vinculum::testing::guide_models
