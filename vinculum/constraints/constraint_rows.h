// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "vinculum/constraints/contact_state.h"
#include "vinculum/model/model.h"

namespace vinculum {

// What forbids a motion: an axis of a contact, or the law of a driven coordinate.
struct RowLabel {
  std::string name;  // foot.normal, motion:boom
  int contact = -1;  // index into ConstraintSet::contacts
  ContactAxis axis = ContactAxis::normal;
  int driven = -1;  // index into Model::driven()
  int index = 0;    // among all rows of the model, whether their contacts hold or not
};

// The constraints of a model, compiled once. Rows: the forbidden axes of the contacts in the order of the file, then the given
// motions.
struct ConstraintSet {
  explicit ConstraintSet(const Model& constrained);

  // Leaves the rows of contacts that let go out; at first all hold.
  void hold(const std::vector<bool>& contacts_that_hold);

  // Leaves rows out that say nothing new beside the others, by RowLabel::index; at first none.
  void leave_out(const std::vector<bool>& redundant_rows);

  std::optional<int> find_row(int contact, ContactAxis axis) const;

  const Model& model;
  std::vector<Contact> contacts;
  std::vector<bool> holding;   // which of them hold
  std::vector<bool> left_out;  // which rows say nothing new, by RowLabel::index
  std::vector<RowLabel> rows;

 private:
  void list_rows();
};

// The rows at a state:  D v = F ,  D v' = gamma                                                       theory 1, sections 4 and 7
//
// (D here is the constraint Jacobian, rows by velocities: Dᵀ of the source.)
struct ConstraintRows {
  Eigen::MatrixXd D;
  Eigen::VectorXd F, gamma;
  Eigen::VectorXd rate;                    // D v - F: the velocity residual
  Eigen::VectorXd felt;                    // |d| / |S_k|: how much of a unit force there the joints feel; 0: none
  std::vector<std::optional<double>> gap;  // the position residual, where the row has one
  std::vector<ContactState> contacts;
  std::vector<FrameMotion> links;
};

// Of a contact that has let go only the gap is needed: where its body is shaped so that it would touch at several points, the
// rest of its state is left zero.
Outcome<ConstraintRows> compute_constraint_rows(const ConstraintSet& set, const State& state);

// The same without D and `felt`, and these alone.
Outcome<ConstraintRows> compute_row_values(const ConstraintSet& set, const State& state);
void fill_jacobian(const ConstraintSet& set, ConstraintRows& rows);

// The row of one axis of a contact, forbidden or allowed: what a unit force along it does on every velocity. Zero where no joint
// can feel it: |d| <= 1e-12 |S_k|.
struct AxisRow {
  Eigen::VectorXd row;
  double felt = 0;
};
AxisRow compute_axis_row(const ConstraintSet& set, const ConstraintRows& rows, int contact, ContactAxis axis);

// Forces of the contacts on allowed axes, as long as they hold. theory 1, section 4
//
//   law:               -stiffness gap - viscous Y
//   sliding friction:  -mu N tanh(|Y_t|/v0) Y_t/|Y_t| , N the positive part of the normal multiplier or law
struct ContactForces {
  Eigen::VectorXd forces;    // Q_P: generalised forces of all that does not wait for a multiplier
  Eigen::MatrixXd coupling;  // velocities by rows: what each positive multiplier brings as friction; no columns if none does
  struct Law {
    std::string name;  // foot.forward
    int contact = 0;
    ContactAxis axis = ContactAxis::normal;
    double force = 0;        // without the multiplier's part,
    double coefficient = 0;  // which is this times the normal multiplier, if that is positive
    int normal_row = -1;
  };
  std::vector<Law> laws;
};

// The axes of contacts that have a law or sliding friction, and the translational ones that are allowed: in the order of the
// file.
struct ContactAxisName {
  int contact = 0;
  ContactAxis axis = ContactAxis::normal;
  std::string name;
};
std::vector<ContactAxisName> list_law_axes(const std::vector<Contact>& contacts);
std::vector<ContactAxisName> list_slip_axes(const std::vector<Contact>& contacts);

ContactForces compute_contact_forces(const ConstraintSet& set, const ConstraintRows& rows);

// Residuals, and the first row that violates what is allowed, as a refusal.
struct RowResidual {
  std::string row;
  std::optional<double> position;
  double velocity = 0;
};
std::vector<RowResidual> list_residuals(const ConstraintSet& set, const ConstraintRows& rows);
std::optional<Failure> check_residuals(const std::vector<RowResidual>& residuals, double allowed);

// The same for a state of a model.
std::optional<Failure> check_state(const Model& model, const State& state, double allowed);

}  // namespace vinculum
