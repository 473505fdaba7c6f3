// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for all steady motions: other routes to the same numbers, all solutions counted, limits of the formulas.
#include <numbers>
#include <random>

#include "tests/strings/worked_strings.h"
#include "vinculum/math/dense.h"
#include "vinculum/strings/permanent_rotation.h"
#include "vinculum/strings/steady_atlas.h"
#include "vinculum/strings/steady_search.h"
#include "vinculum/strings/steady_spatial.h"

namespace vinculum::testing {
namespace {

// Random angles that fit, of any tree; the atlas gives them.
std::vector<std::vector<double>> fitting_angles(const StringTree& tree, double rate, int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-1.2, 1.2);
  CoplanarSkeleton skeleton(tree, rate);
  std::vector<std::vector<double>> list;
  while (static_cast<int>(list.size()) < count) {
    std::vector<double> angles(tree.size());
    for (double& value : angles) value = angle(random);
    if (skeleton.solve(angles)) list.push_back(angles);
  }
  return list;
}

// The paper's route (17)-(21): s_i = Σ g_ij e_j + Σ λ_ij u_j, x_i = ψ'² (e_i × s_i)·(e_i × e3)/|e_i × e3|²,
// a_i = [ψ'² e3·(J1_i e_i + s_i) + M g b_i - x_i]/ψ', φ'_i = a_i/C_i - ψ' e3·e_i.
TEST(SteadyLaws, SpinsByThePapersRoute) {
  for (const TreeData* data : {&kT1, &kT2, &kT3, &kT4, &kT5}) {
    const StringTree tree = make_tree(*data);
    const int n = tree.size();
    const double rate = 3.3;
    for (const auto& angles : fitting_angles(tree, rate, 5)) {
      for (const Sides& sides : enumerate_sides(std::vector<int>(n, 0))) {
        SteadyOptions options;
        options.spin_limit = 1e12;
        const SteadyMotion motion = compute_coplanar_motion(tree, rate, angles, sides, options);
        ASSERT_TRUE(motion.feasible());
        for (int i = 0; i < n; ++i) {
          Vector3 s;
          for (int b = 0; b < 2 * n; ++b) {
            if (b != i) s += tree.N(i, b) * motion.x[b];
          }
          const Vector3 e = motion.x[i], e3{0, 0, 1}, across = cross(e, e3);
          const double x = rate * rate * dot(cross(e, s), across) / dot(across, across);
          const double a =
              (rate * rate * dot(e3, tree.augmented_inertia[i] * e + s) + tree.mass * tree.gravity * tree.barycentre[i] - x) /
              rate;
          EXPECT_NEAR(motion.momenta[i], a, 1e-10 * (1 + std::abs(a)));
          EXPECT_NEAR(motion.spins[i], a / tree.bodies[i].axial - rate * e.z, 1e-9 * (1 + std::abs(motion.spins[i])));
        }
        // And the general formula for directions in space gives the same motion.
        SteadyMotion general;
        general.rate = rate;
        general.x = motion.x;
        complete_motion(tree, options, general);
        for (int i = 0; i < n; ++i) {
          EXPECT_NEAR(general.momenta[i], motion.momenta[i], 1e-10 * (1 + std::abs(motion.momenta[i])));
          EXPECT_NEAR(general.tensions[i], motion.tensions[i], 1e-11 * motion.tensions[i]);
          EXPECT_NEAR(general.tilts[i], motion.tilts[i], 1e-12);
        }
      }
    }
  }
}

// Theory 4, section 7: the counts to expect, and the signs over all solutions, strings that push and mirror images counted.
TEST(SteadyLaws, AllMotionsWithLockedSpins) {
  struct Case {
    const TreeData* data;
    double rate;
    size_t motions;
    int solutions, vertical;
  };
  for (const Case& c : {Case{&kT1, 25, 5, 12, 2}, Case{&kT2, 10, 14, 50, 4}}) {
    const StringTree tree = make_tree(*c.data);
    const auto search = find_prescribed_motions(tree, c.rate, std::vector<SpinLaw>(tree.size()));
    ASSERT_TRUE(search);
    EXPECT_EQ(search->motions.size(), c.motions);
    EXPECT_EQ(search->solutions, c.solutions);
    EXPECT_EQ(search->index_sum, 0);
    int vertical = 0;
    for (const SteadyMotion& motion : search->motions) {
      EXPECT_LT(measure_steadiness(tree, motion), 1e-12);
      vertical += std::all_of(motion.x.begin(), motion.x.end(), [](const Vector3& x) { return std::abs(x.y) < 1e-9; });
      for (int i = 0; i < tree.size(); ++i) EXPECT_NEAR(motion.spins[i], 0, 1e-12);
    }
    EXPECT_EQ(vertical, c.vertical);
  }
  // The tilted ones of W4 at 25 rad/s.
  const StringTree tree = make_tree(kT1);
  std::vector<double> angles;
  const auto search = find_prescribed_motions(tree, 25, {{false, 0}});
  for (const SteadyMotion& motion : search->motions) angles.push_back(motion.angles[0]);
  std::sort(angles.begin(), angles.end());
  expect_values(angles, {0, 0, 0.2568984010029, 1.5483718379, 1.5587221973}, 1e-10);
}

// A motion found by its angles is found again by its momenta.
TEST(SteadyLaws, MomentaLeadBackToTheAngles) {
  const StringTree tree = make_tree(kT2);
  const SteadyMotion motion = compute_coplanar_motion(tree, 5.4, std::vector{.33, .48}, {1, -1});
  const auto search = find_prescribed_motions(tree, 5.4, {{true, motion.momenta[0]}, {true, motion.momenta[1]}});
  ASSERT_TRUE(search);
  EXPECT_EQ(search->index_sum, 0);
  EXPECT_TRUE(std::any_of(search->motions.begin(), search->motions.end(), [&](const SteadyMotion& found) {
    return std::abs(found.angles[0] - .33) < 1e-9 && std::abs(found.angles[1] - .48) < 1e-9 &&
           std::abs(found.tilts[1] - motion.tilts[1]) < 1e-9;
  }));
}

// Every string of T2, T3, T4: the ends of the intervals against a scan.
TEST(SteadyLaws, IntervalsAgreeWithAScan) {
  for (const auto& [data, rate] : {std::pair{&kT2, 5.4}, std::pair{&kT3, 4.9}, std::pair{&kT4, 5.8}}) {
    const StringTree tree = make_tree(*data);
    CoplanarSkeleton skeleton(tree, rate);
    for (int string = 0; string < tree.size(); ++string) {
      std::vector<double> angles = data == &kT2   ? std::vector{.33, .48}
                                   : data == &kT3 ? std::vector{-.11, .21, .77}
                                                  : std::vector{.04, -.05, -.6, -.88};
      const auto intervals = find_angle_intervals(tree, rate, angles, string);
      ASSERT_FALSE(intervals.empty());
      for (double angle = -1.57; angle < 1.57; angle += 1.6e-4) {
        angles[string] = angle;
        bool inside = false, near_end = false;
        for (const auto& [low, high] : intervals) {
          inside = inside || (angle >= low && angle <= high);
          near_end = near_end || std::abs(angle - low) < 1e-9 || std::abs(angle - high) < 1e-9;
        }
        if (!near_end) EXPECT_EQ(skeleton.solve(angles), inside) << angle;
      }
    }
  }
}

// On a carrier beside the axis: the forces on each body in the turning frame balance, computed from positions alone.
TEST(SteadyLaws, BesideTheAxisOfATurningCarrier) {
  const std::string carrier = "environment: { arm: { rotation: { axis: z, angle: \"3.1*t\" }, position: [0.2, 0, 1] } }\n";
  const std::string text = string_model_text(kT2, "arm", carrier);
  std::string moved = text;
  moved.replace(moved.find("at: [0, 0, 0]"), 13, "at: [0.5, 0, 0]");
  const Model model = read_strings(moved);
  const auto trees = find_string_trees(model);
  ASSERT_TRUE(trees) << trees.failure().message;
  const StringTree& tree = trees->front();
  EXPECT_NEAR(tree.carrier_radius, 0.5, 1e-12);
  EXPECT_NEAR(tree.carrier_rate, 3.1, 1e-12);
  EXPECT_NEAR(norm(tree.R_WE.y - Vector3{1, 0, 0}), 0, 1e-12);  // e2 through the attachment
  const SteadyMotion motion = compute_coplanar_motion(tree, 3.1, std::vector{0.4, 0.25}, {1, 1});
  ASSERT_TRUE(motion.feasible()) << motion.detail;
  EXPECT_LT(measure_steadiness(tree, motion), 1e-13);
  const auto centres = compute_mass_centres(tree, motion.x);
  for (int i = 0; i < 2; ++i) {
    Vector3 force{0, 0, -tree.bodies[i].mass * tree.gravity};
    force += -motion.tensions[i] * motion.x[2 + i];
    if (i == 0) force += motion.tensions[1] * motion.x[3];
    const Vector3 expected{0, -tree.bodies[i].mass * 3.1 * 3.1 * centres[i].y, 0};
    EXPECT_LT(norm(force - expected), 1e-12 * tree.weight[0]);
  }
  EXPECT_EQ(analyse_stability(tree, motion).frequencies.size(), 8u);
}

// Hanging, with free spins, is stable at every rate of the frame; one body standing without spin is not.
TEST(SteadyLaws, VerticalStateHangsStably) {
  for (const TreeData* data : {&kT1, &kT2, &kT3, &kT4}) {
    const StringTree tree = make_tree(*data);
    const BoundedForm form(tree, std::vector<SpinLaw>(tree.size()));
    const SteadyMotion hanging = form.motion(Eigen::VectorXd::Zero(2 * tree.size()), 40);
    const SteadyStability stability = analyse_stability(tree, hanging);
    EXPECT_EQ(stability.verdict, SteadyVerdict::stable);
    EXPECT_EQ(stability.frequencies.size(), 4u * tree.size());
    Eigen::VectorXd standing = Eigen::VectorXd::Zero(2 * tree.size());
    standing[0] = std::numbers::pi;
    EXPECT_EQ(analyse_stability(tree, form.motion(standing, 1)).verdict, SteadyVerdict::unstable);
  }
}

// Just below the lowest locked critical rate the hanging state is a driven minimum, just above it is not, and the branch is one.
TEST(SteadyLaws, DrivenStatesExchangeStability) {
  for (const TreeData* data : {&kT1, &kT2, &kT3, &kT4}) {
    const StringTree tree = make_tree(*data);
    const std::vector<SpinLaw> locked(tree.size());
    const Sides hanging(tree.size(), 1);
    const BoundedForm form(tree, locked);
    CriticalRate lowest;
    for (const CriticalRate& critical : find_critical_rates(tree, locked, hanging)) {
      if (critical.rate > 0 && lowest.rate == 0) lowest = critical;
    }
    const Eigen::VectorXd down = Eigen::VectorXd::Zero(2 * tree.size());
    EXPECT_EQ(count_driven_negatives(tree, form.motion(down, 0.999 * lowest.rate)), 0);
    EXPECT_GT(count_driven_negatives(tree, form.motion(down, 1.001 * lowest.rate)).value(), 0);
    const auto start = find_branch_start(form, lowest, hanging, 0.1);
    ASSERT_TRUE(start);
    EXPECT_EQ(count_driven_negatives(tree, *start), 0);
  }
}

TEST(SteadyLaws, ChainOfThreeBendsAtItsSecondBody) {
  const StringTree tree = make_tree(kT3);
  int feasible = 0;
  for (const double rate : {5.0, 6.0, 7.0, 8.0, 10.0}) {
    for (const double upper : {-0.2, 0.1, 0.3}) {
      const auto motions = find_bent_chains(tree, rate, {upper, std::nullopt, 0.3}, {{}, {}, 1.0}, {1, 1, 1});
      ASSERT_TRUE(motions);
      for (const SteadyMotion& motion : *motions) {
        if (!motion.feasible()) continue;
        ++feasible;
        EXPECT_LT(measure_steadiness(tree, motion), 1e-12);
        EXPECT_GT(std::abs(motion.x[5].x), 0.01);  // the last string leaves the plane
      }
    }
  }
  EXPECT_GT(feasible, 0);
}

// The rows of an atlas are the families of their angles.
TEST(SteadyLaws, AtlasListsTheFamilies) {
  const StringTree tree = make_tree(kT2);
  SteadyAtlas atlas = compute_atlas(tree, 5.4, {std::nullopt, std::nullopt}, 40, {0, 0});
  ASSERT_GT(atlas.size(), 20u);
  judge_atlas(tree, 5.4, atlas);
  EXPECT_EQ(atlas.points, 1600);
  EXPECT_LT(atlas.fitting, atlas.points);
  for (size_t k = 0; k < atlas.size(); k += 7) {
    const Sides sides{atlas.above[k] & 1 ? -1 : 1, atlas.above[k] & 2 ? -1 : 1};
    const SteadyMotion motion = compute_coplanar_motion(tree, 5.4, std::vector{atlas.angle(k, 0), atlas.angle(k, 1)}, sides);
    ASSERT_TRUE(motion.feasible());
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(motion.spins[i], atlas.spin(k, i));
      EXPECT_EQ(motion.tensions[i], atlas.tension(k, i));
      EXPECT_EQ(motion.tilts[i], atlas.tilt(k, i));
    }
    EXPECT_EQ(analyse_stability(tree, motion).verdict, atlas.verdicts[k]);
  }
}

// Tilts computed for a known rotor lead back to it; with noise, within the deviation that is told.
TEST(SteadyLaws, MeasuredTiltsGiveTheImbalance) {
  const BodyOnString rotor{4, {.05, .06, .08, 0, 0, 0}, {.004, -.006, .15}, .9, 9.81};
  std::vector<MeasuredTilt> measured;
  for (const double rate : {12.0, 20.0, 30.0, 45.0, 60.0}) {
    const auto rotation = find_rotation_near_axis(rotor, rate);
    ASSERT_TRUE(rotation);
    measured.push_back({rate, rotation->vertical.x, rotation->vertical.y});
  }
  BodyOnString unknown = rotor;
  unknown.arm.x = unknown.arm.y = 0;
  auto found = find_imbalance(unknown, measured, false);
  ASSERT_TRUE(found) << found.failure().message;
  EXPECT_NEAR(found->d_x.value, .004, 1e-10);
  EXPECT_NEAR(found->d_y.value, -.006, 1e-10);
  unknown.inertia = {.06, .06, .08, 0, 0, 0};
  found = find_imbalance(unknown, measured, true);
  ASSERT_TRUE(found) << found.failure().message;
  EXPECT_NEAR(found->d_x.value, .004, 1e-8);
  EXPECT_NEAR(found->difference_x.value, .03, 1e-7);
  EXPECT_NEAR(found->difference_y.value, .02, 1e-7);

  // Exact tilts have no deviation; that of noise is in proportion to it.
  EXPECT_LT(found->d_x.deviation, 1e-8);
  std::vector<double> deviations;
  for (const double size : {1e-7, 3e-7}) {
    std::vector<MeasuredTilt> disturbed = measured;
    for (size_t k = 0; k < disturbed.size(); ++k)
      disturbed[k].x += k % 2 == 0 ? size : -size, disturbed[k].y += k < 2 ? size : -size;
    deviations.push_back(find_imbalance(rotor, disturbed, false)->d_x.deviation);
  }
  EXPECT_GT(deviations[0], 1e-10);
  EXPECT_NEAR(deviations[1] / deviations[0], 3, 1e-3);

  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 2e-5);
  for (MeasuredTilt& tilt : measured) {
    tilt.x += noise(random);
    tilt.y += noise(random);
  }
  found = find_imbalance({4, {.05, .06, .08, 0, 0, 0}, {0, 0, .15}, .9, 9.81}, measured, false);
  ASSERT_TRUE(found);
  EXPECT_GT(found->scatter, 5e-6);
  EXPECT_LT(found->scatter, 6e-5);
  EXPECT_LT(std::abs(found->d_x.value - .004), 4 * found->d_x.deviation);
  EXPECT_LT(std::abs(found->d_y.value + .006), 4 * found->d_y.deviation);
  EXPECT_FALSE(find_imbalance(rotor, {measured[0]}, false));
}

// Section 10 and the contract: each thing that prevents it is named.
TEST(SteadyLaws, RefusalsNameTheElement) {
  const auto refusal = [](const std::string& bodies, const std::string& strings, const std::string& more = "") {
    const auto trees = find_string_trees(read_strings("vinculum: 1\nbodies:\n" + bodies + strings + more));
    return trees ? std::string("accepted") : trees.failure().message;
  };
  const std::string top = "  top: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }\n";
  const std::string toy = "  toy: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }\n";
  const std::string one = "  s1: { from: world, to: top, length: 1 }\n", hung = "strings:\n" + one;
  EXPECT_EQ(refusal(top, hung), "accepted");
  EXPECT_NE(refusal(top, "").find("no strings"), std::string::npos);
  EXPECT_NE(refusal(top + toy, hung).find("'toy' hangs from no carrier"), std::string::npos);
  EXPECT_NE(refusal(top, hung + "  s2: { from: world, at: [1, 0, 0], to: top, length: 1 }\n")
                .find("'top' is on two strings, 's1' and 's2'"),
            std::string::npos);
  EXPECT_NE(refusal(top + toy,
                    hung + "  s2: { from: top, at: [0, 0, -0.5], to: toy, length: 1 }\n  s3: { from: toy, to: top, length: 1 }\n")
                .find("on two strings"),
            std::string::npos);
  EXPECT_NE(refusal("  top: { joint: {type: spherical}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }\n", hung)
                .find("'top' on string 's1' is not free"),
            std::string::npos);
  EXPECT_NE(refusal("  top: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.04, 0.03] }\n", hung)
                .find("'top' is not symmetric"),
            std::string::npos);
  EXPECT_NE(refusal("  top: { joint: {type: free}, mass: 2, com: [0, 0.1, -0.3], inertia: [0.05, 0.05, 0.03] }\n", hung)
                .find("'top' is not symmetric"),
            std::string::npos);
  EXPECT_NE(refusal("  top: { joint: {type: free}, mass: 2, com: [0, 0, 0], inertia: [0.05, 0.05, 0.03] }\n", hung)
                .find("at its mass centre"),
            std::string::npos);
  EXPECT_NE(refusal("  top: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0, 0, 0] }\n", hung)
                .find("moments of inertia 0"),
            std::string::npos);
  EXPECT_NE(refusal(top, hung, "gravity: [0, 0, 0]\n").find("without gravity"), std::string::npos);
  EXPECT_NE(refusal(top + toy, hung + "  s2: { from: top, at: [0.1, 0, -0.5], to: toy, length: 1 }\n")
                .find("off the axis of body 'top'"),
            std::string::npos);
  EXPECT_NE(refusal(top, hung, "forces: { wind: { body: top, force: [1, 0, 0] } }\n").find("force 'wind'"), std::string::npos);
  EXPECT_NE(refusal(top, "strings:\n  s1: { from: deck, to: top, length: 1 }\n",
                    "environment: { deck: { position: [\"0.1*sin(t)\", 0, 0] } }\n")
                .find("environment body 'deck'"),
            std::string::npos);
  // Strings in another order, and one written from below, are the same tree.
  const auto trees = find_string_trees(read_strings(
      "vinculum: 1\nbodies:\n" + top + toy + "strings:\n  s2: { from: toy, to: top, on: [0, 0, -0.5], length: 1 }\n" + one));
  ASSERT_TRUE(trees) << trees.failure().message;
  EXPECT_TRUE(trees->front().reordered);
  EXPECT_EQ(trees->front().bodies[1].name, "toy");
  EXPECT_DOUBLE_EQ(trees->front().bodies[1].hung_at, 0.5);
}

}  // namespace
}  // namespace vinculum::testing
