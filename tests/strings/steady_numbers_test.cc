// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of steady motions by other routes: integrals by the general engine, azimuths by directions, the driven Hessian by
// differences, branches of standing bodies, and where stability changes.
#include <cmath>
#include <numbers>

#include "tests/strings/worked_strings.h"
#include "tests/support/read_case.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/math/dense.h"
#include "vinculum/math/rotation.h"
#include "vinculum/strings/steady_search.h"
#include "vinculum/strings/steady_spatial.h"

namespace vinculum::testing {
namespace {

// The momentum about the vertical and the energy of the state that --write-state writes.
TEST(SteadyNumbers, IntegralsAreThoseOfTheState) {
  const auto compare = [](const TreeData& data, double rate, const std::vector<double>& angles) {
    const Model model = read_strings(string_model_text(data));
    const StringTree tree = make_tree(data);
    Workspace workspace(model);
    for (const Sides& sides : enumerate_sides(std::vector<int>(tree.size(), 0))) {
      const SteadyMotion motion = compute_coplanar_motion(tree, rate, angles, sides);
      ASSERT_TRUE(motion.feasible());
      const SteadyIntegrals integrals = compute_steady_integrals(tree, motion);
      const State state = make_steady_state(model, {tree}, {motion});
      const double momentum = compute_momentum(model, state, workspace).angular.z;
      EXPECT_NEAR(integrals.momentum, momentum, 1e-12 * (1 + std::abs(momentum)));
      const double energy = compute_energy(model, state, workspace).total();
      EXPECT_NEAR(integrals.energy, energy, 1e-12 * (1 + std::abs(energy)));
      double spin_part = 0;
      for (int i = 0; i < tree.size(); ++i) spin_part += motion.momenta[i] * motion.x[i].z;
      EXPECT_GT(std::abs(spin_part), 1e-3);  // its sign matters
    }
  };
  compare(kT1, 5, {0.4});
  compare(kT2, 5.4, {.33, .48});
}

// u = (-sin χ sin α, cos χ sin α, -cos α) with α in [0, π], also where the angle that was given is negative.
TEST(SteadyNumbers, AzimuthsAreThoseOfTheDirections) {
  const StringTree two = make_tree(kT2), ride = make_tree(kT5);
  std::vector<SteadyMotion> motions;
  const auto add = [&](const Outcome<std::vector<SteadyMotion>>& found) {
    ASSERT_TRUE(found) << found.failure().message;
    motions.insert(motions.end(), found->begin(), found->end());
  };
  for (const double angle : {0.5, -0.5}) add(find_bent_chains(two, 7, {std::nullopt, angle}, {std::nullopt, 2}, {1, 1}));
  add(find_carousels(ride, 4, 0, {std::nullopt, .7, -.6, .72}, {{}, {}, {}, {}}, {1, 1, 1, 1}));
  int compared = 0;
  for (const SteadyMotion& motion : motions) {
    if (!motion.feasible()) continue;
    const size_t n = motion.angles.size();
    for (size_t i = 0; i < n; ++i) {
      const Vector3& u = motion.x[n + i];
      EXPECT_NEAR(u.x, -std::sin(motion.azimuths[i]) * std::sin(motion.angles[i]), 1e-12);
      EXPECT_NEAR(u.y, std::cos(motion.azimuths[i]) * std::sin(motion.angles[i]), 1e-12);
      compared += std::hypot(u.x, u.y) > 0.1;
    }
  }
  EXPECT_GE(compared, 6);
}

// With a motor everything turns at the rate ψ': W = f·x_z - ½ ψ'² (Σ N_ab x⊥_a·x⊥_b + Σ C_i e_iz²). Its second differences on
// the unit vectors, but for turning as a whole; with the axial part against its sign the count would be another.
TEST(SteadyNumbers, DrivenHessianByDifferences) {
  const auto count = [](const StringTree& tree, const SteadyMotion& motion, double axial_sign) {
    const int n = tree.size(), m = 2 * n;
    std::vector<Matrix3> bases;
    for (const Vector3& x : motion.x) bases.push_back(rotation_with_z_along(x));
    const auto potential = [&](const Eigen::VectorXd& eta) {
      std::vector<Vector3> x;
      for (int a = 0; a < m; ++a) {
        const Vector3 moved = motion.x[a] + eta[2 * a] * bases[a].x + eta[2 * a + 1] * bases[a].y;
        x.push_back((1 / norm(moved)) * moved);
      }
      double W = 0;
      for (int a = 0; a < m; ++a) {
        W += tree.f[a] * x[a].z;
        for (int b = 0; b < m; ++b) W -= 0.5 * motion.rate * motion.rate * tree.N(a, b) * (x[a].x * x[b].x + x[a].y * x[b].y);
        if (a < n) W -= 0.5 * motion.rate * motion.rate * axial_sign * tree.bodies[a].axial * x[a].z * x[a].z;
      }
      return W;
    };
    const int size = 2 * m;
    Eigen::MatrixXd hessian(size, size);
    constexpr double kStep = 1e-4;
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (const auto& [si, sj] : {std::pair(1, 1), std::pair(-1, -1), std::pair(1, -1), std::pair(-1, 1)}) {
          Eigen::VectorXd eta = Eigen::VectorXd::Zero(size);
          eta[i] += si * kStep;
          eta[j] += sj * kStep;
          sum += si * sj * potential(eta);
        }
        hessian(i, j) = hessian(j, i) = sum / (4 * kStep * kStep);
      }
    }
    const Eigen::VectorXd values = find_symmetric_eigenvalues(hessian);
    return static_cast<int>((values.array() < -1e-4 * values.cwiseAbs().maxCoeff()).count());
  };
  // A flat disc on a short string: C = 1.9 A, and a chain with one.
  const TreeData disc{{0}, {0.5}, {.1}, {.19}, {.1}, {.3}, {.4}};
  const TreeData chain{{0, 1}, {0.5, 0.4}, {.1, .08}, {.19, .15}, {.1, .12}, {.3, .3}, {.4, .3}};
  int compared = 0, sensitive = 0;
  for (const TreeData* data : {&kT1D, &disc, &chain}) {
    const StringTree tree = make_tree(*data);
    for (const double rate : {4., 6., 9., 14.}) {
      const auto found = find_prescribed_motions(tree, rate, std::vector<SpinLaw>(tree.size()));
      ASSERT_TRUE(found);
      for (const SteadyMotion& motion : found->motions) {
        const int right = count(tree, motion, 1);
        EXPECT_EQ(count_driven_negatives(tree, motion), right) << rate << " tilt " << motion.tilts[0];
        ++compared;
        sensitive += right != count(tree, motion, -1);
      }
    }
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(sensitive, 0);
}

// A top that stands on the end of its string: the family leaves along the null vector, and is steady.
TEST(SteadyNumbers, BranchOfAStandingBody) {
  for (const TreeData* data : {&kT1, &kT1D}) {
    const StringTree tree = make_tree(*data);
    const std::vector<SpinLaw> laws(1);
    const Sides standing{-1};
    const BoundedForm form(tree, laws);
    int found = 0;
    for (const CriticalRate& critical : find_critical_rates(tree, laws, standing)) {
      if (critical.rate <= 0) continue;
      const double amplitude = 0.1;
      const auto start = find_branch_start(form, critical, standing, amplitude);
      ASSERT_TRUE(start) << start.failure().message;
      ++found;
      EXPECT_TRUE(start->above[0]);
      EXPECT_LT(measure_steadiness(tree, *start), 1e-10);
      const double tilt = std::remainder(start->tilts[0] - std::numbers::pi, 2 * std::numbers::pi);
      EXPECT_NEAR(critical.direction[0] * tilt + critical.direction[1] * start->angles[0], amplitude, 1e-10);
      EXPECT_GT(start->angles[0], 0);
    }
    EXPECT_GE(found, 1);
  }
}

// T3: where the verdict changes along a branch, and not at the next point of the continuation; again on another chain.
TEST(SteadyNumbers, ChangesOfStabilityAreLocated) {
  const auto locate = [](const StringTree& tree, int number, double amplitude, double to_rate) {
    const std::vector<SpinLaw> laws(tree.size());
    const Sides hanging(tree.size(), 1);
    const BoundedForm form(tree, laws);
    std::vector<CriticalRate> positive;
    for (const CriticalRate& critical : find_critical_rates(tree, laws, hanging)) {
      if (critical.rate > 0) positive.push_back(critical);
    }
    const CriticalRate& critical = positive.at(number - 1);
    const auto start = find_branch_start(form, critical, hanging, amplitude);
    if (!start) return std::vector<double>{};
    SteadyBranch branch = follow_branch(form, *start, critical, to_rate);
    locate_stability_changes(form, critical, branch);
    std::vector<double> rates;
    for (size_t k = 0; k < branch.points.size(); ++k) {
      const SteadyMotion& motion = branch.points[k].motion;
      if (branch.points[k].kind != SteadyBranch::Point::Kind::stability_change) continue;
      rates.push_back(motion.rate);
      // It is a motion of the branch, with the verdict of the points behind it and not of those before.
      EXPECT_LT(measure_steadiness(tree, motion), 1e-9);
      EXPECT_EQ(analyse_stability(tree, motion).verdict, analyse_stability(tree, branch.points[k + 1].motion).verdict);
      EXPECT_NE(analyse_stability(tree, motion).verdict, analyse_stability(tree, branch.points[k - 1].motion).verdict);
      // At the boundary nothing grows yet, or an eigenvalue of K passes through zero.
      EXPECT_LT(analyse_stability(tree, motion).growth, 1e-2);
    }
    return rates;
  };
  const Model model = read_case("strings/C2b.yaml");
  const auto trees = find_string_trees(model);
  ASSERT_TRUE(trees);
  const std::vector<double> changes = locate(trees->front(), 2, 0.2, 15);
  ASSERT_FALSE(changes.empty());
  EXPECT_NEAR(changes[0], 9.2195, 5e-5);
  // The place does not depend on where the points of the continuation lie.
  const std::vector<double> again = locate(trees->front(), 2, 0.25, 15);
  ASSERT_EQ(again.size(), changes.size());
  EXPECT_NEAR(again[0], changes[0], 1e-7);
  for (const double rate : locate(make_tree(kT2), 2, 0.1, 20)) EXPECT_GT(rate, 0);
}

}  // namespace
}  // namespace vinculum::testing
