// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vinculum/constraints/sparse_constraints.h"
#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing {

// A worked problem of theory 1: a model file, a state, and everything the rows and the solve say about it. Values are compared
// within 1e-10 of the largest of their kind; the source prints 15 digits.
class Worked {
 public:
  Worked(const std::string& text, double t, std::vector<double> q, std::vector<double> v, double tolerance = 1e-10)
      : model_(read_model_text(text)), set_(model_), state_{t, std::move(q), std::move(v)}, tolerance_(tolerance) {
    Workspace workspace(model_);
    auto dynamics = compute_constrained_dynamics(set_, state_, workspace);
    EXPECT_TRUE(dynamics) << dynamics.failure().message;
    if (!dynamics) return;
    dynamics_ = std::move(*dynamics);

    // The literal structural matrix gives the same rows as the walk in the tree.
    const AggregateForm form = compute_aggregate_form(model_, state_, compute_given_forces(model_, state_, workspace));
    const Eigen::MatrixXd literal = rows_by_structural_matrix(set_, dynamics_.rows, form);
    EXPECT_LE((literal - dynamics_.rows.D).cwiseAbs().sum(), 1e-13 * (1 + literal.cwiseAbs().sum()));
    // The velocity residual of each row, seen from the carrier, is that of the row itself.
    const Eigen::VectorXd v_now = Eigen::Map<const Eigen::VectorXd>(state_.v.data(), model_.tree().velocities);
    const Eigen::VectorXd rate = dynamics_.rows.D * v_now - dynamics_.rows.F;
    EXPECT_LE((rate - dynamics_.rows.rate).norm(), 1e-13 * (1 + v_now.norm()));
    expect_same_by_structure(workspace);
  }

  // The solve by the structure of the tree finds the same; without friction that hangs on multipliers and with inertia
  // everywhere.
  void expect_same_by_structure(Workspace& workspace) const {
    const auto mass = factorize_mass_matrix(set_, compute_mass_matrix(model_, state_, workspace), dynamics_.rows.D);
    if (dynamics_.forces.coupling.cols() > 0 || !mass || mass->k > 0) return;
    const ConstraintSolution& dense = dynamics_.solution;
    const double scale = 1 + dense.accelerations.lpNorm<Eigen::Infinity>();
    SparseConstraints sparse(set_);
    ConstraintSolution solution;
    const bool solved = sparse.solve(set_, state_, dynamics_.rows, dynamics_.forces, workspace, solution);
    EXPECT_EQ(solved, dense.analysis.is_independent());
    if (solved) {
      EXPECT_LE((solution.accelerations - dense.accelerations).lpNorm<Eigen::Infinity>(), 1e-10 * scale);
      EXPECT_LE((solution.multipliers - dense.multipliers).norm(), 1e-10 * (1 + dense.multipliers.norm()));
    }
    // v' and the power are unique, whether or not rows depend on each other.
    ConstraintSet independent(model_);
    std::vector<bool> redundant(independent.left_out.size());
    for (size_t i = dense.analysis.rank; i < dense.analysis.order.size(); ++i)
      redundant[set_.rows[dense.analysis.order[i]].index] = true;
    independent.leave_out(redundant);
    const auto rows = compute_row_values(independent, state_);
    const ContactForces forces = compute_contact_forces(independent, *rows);
    std::vector<double> accelerations(state_.v.size());
    double power = 0;
    ASSERT_TRUE(sparse.compute_motion(independent, state_, *rows, forces, workspace, accelerations, power));
    for (size_t i = 0; i < accelerations.size(); ++i)
      EXPECT_NEAR(accelerations[i], dense.accelerations[static_cast<Eigen::Index>(i)], 1e-10 * scale);
    const auto motion = compute_constrained_motion(set_, state_, {}, workspace);
    EXPECT_NEAR(power, motion->power, 1e-10 * (1 + std::abs(motion->power)));
  }

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const ConstraintSet& set() const { return set_; }
  const ConstrainedDynamics& dynamics() const { return dynamics_; }
  int rank() const { return dynamics_.solution.analysis.rank; }
  const std::vector<bool>& determinate() const { return dynamics_.solution.analysis.determinate; }

  void expect_jacobian(const std::vector<std::vector<double>>& rows) const {
    ASSERT_EQ(dynamics_.rows.D.rows(), static_cast<Eigen::Index>(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i)
      expect(dynamics_.rows.D.row(static_cast<Eigen::Index>(i)), rows[i], set_.rows[i].name);
  }
  void expect_rhs(const std::vector<double>& values) const { expect(dynamics_.rows.F, values, "F"); }
  void expect_gamma(const std::vector<double>& values) const { expect(dynamics_.rows.gamma, values, "gamma"); }
  void expect_accelerations(const std::vector<double>& values) const {
    expect(dynamics_.solution.accelerations, values, "accelerations");
  }
  void expect_multipliers(const std::vector<double>& values) const {
    expect(dynamics_.solution.multipliers, values, "multipliers");
  }
  void expect_law_forces(const std::vector<double>& values) const { expect(dynamics_.forces.forces, values, "law forces"); }
  void expect_reaction_forces(const std::vector<double>& values) const {
    expect(dynamics_.rows.D.transpose() * dynamics_.solution.multipliers, values, "reaction forces");
  }
  void expect_slip(int contact, ContactAxis axis, double value) const {
    EXPECT_NEAR(dynamics_.rows.contacts[contact].rate[static_cast<int>(axis)], value, tolerance_);
  }

 private:
  void expect(const Eigen::VectorXd& actual, const std::vector<double>& expected, const std::string& what) const {
    ASSERT_EQ(actual.size(), static_cast<Eigen::Index>(expected.size())) << what;
    const Eigen::Map<const Eigen::VectorXd> values(expected.data(), actual.size());
    const double size = std::max(1.0, values.lpNorm<Eigen::Infinity>());
    for (Eigen::Index i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], values[i], tolerance_ * size) << what << " " << i;
  }

  Model model_;
  ConstraintSet set_;
  State state_;
  double tolerance_;
  ConstrainedDynamics dynamics_;
};

}  // namespace vinculum::testing
