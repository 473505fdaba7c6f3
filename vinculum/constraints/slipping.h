// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/math/dense.h"

namespace vinculum {

// The slip of the constraints of a `Grip`, active or not.
Eigen::VectorXd slip_of(const Grip& grip, const ConstraintRows& rows);
double compute_slip_speed(const Grip& grip, const ConstraintRows& rows);
double compute_slip_along(const Grip& grip, const ConstraintRows& rows, const Eigen::VectorXd& direction);

// The force of every `Grip` that slips, which replaces its constraints:                      theory 3, sections 3 and 4
//
//   -rho d ,  rho = R or mu N ;  d: of a single constraint the side of its mode, so that the force continues smoothly beyond the
//   end of the slip; of several the direction of the slip
//
// N is the multiplier of another constraint: the force is then a column of `coupling`. Just after the onset of
// a slip of several constraints, |slip| < kOnset, it has no direction yet: they are listed as `undirected`.
inline constexpr double kOnset = 1e-6;  // of the velocity scale of a constraint (RowScales)
void add_slip_forces(const ConstraintSet& set, const ConstraintRows& rows, ContactForces& forces);

struct DenseConstraints;  // dense_constraints.h: memory

// Constraints in question at a state and their response: x = W R + b with all others of the set eliminated, R along `push`.
struct LocalRows {
  std::vector<int> rows;  // indices into Model::rows()
  Eigen::MatrixXd W;
  Eigen::MatrixXd F;  // the part of W that is friction of what slides
  Eigen::VectorXd b;
  Eigen::MatrixXd answers;  // to further generalised forces, a column each
};
// At the level of forces; `rows` with D. Normals that bring friction with them must be among those in question, and do.
Outcome<LocalRows> compute_local_rows(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                      const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows, const ContactForces& forces,
                                      std::vector<int> questioned, const Eigen::MatrixXd& further = {});
// The same into memory that is there, of the constraints in `local.rows`, to which those normals are added.
std::optional<Failure> compute_local_rows(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, Given tau_minus_h,
                                          const ConstraintRows& rows, const ContactForces& forces, Given further,
                                          DenseConstraints& memory, LocalRows& local);

// Gives the undirected slips the direction in which they begin: that of their acceleration,  x = alpha d , R = -rho d . Where
// that would stick, the direction is that of the slip. Failures VN-CONTACT-120 where friction and normals do not settle.
std::optional<Failure> direct_slips(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                    const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows, ContactForces& forces);
std::optional<Failure> direct_slips(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, Given tau_minus_h,
                                    const ConstraintRows& rows, ContactForces& forces, DenseConstraints& memory);

}  // namespace vinculum
