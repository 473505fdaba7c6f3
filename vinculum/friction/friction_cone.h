// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "vinculum/friction/limit_load.h"

namespace vinculum {

// The friction a face at rest can have per unit of its load, in as few unknowns as it needs: forces along one line or in a plane,
// and a moment if the pad has a size and can turn. Its support function is f Dhat(|c|, |w|), Dhat(c, w) = w D(c/w) (theory
// 5, 7.1).
class FrictionCone {
 public:
  explicit FrictionCone(const RestFace& face);

  // Generalised forces of the unknowns: forces, then moment/radius.
  const Eigen::MatrixXd& columns() const { return columns_; }
  Eigen::Index unknowns() const { return columns_.cols(); }
  bool is_linear() const { return columns_.cols() <= 1; }
  bool spins() const { return spins_; }
  double friction() const { return friction_; }

  // Of the unknowns, what they are on the face: forces along its two directions, moment.
  Eigen::Vector3d on_face(const Eigen::VectorXd& x) const;
  Eigen::VectorXd from_face(const Eigen::Vector3d& forces) const;

  // Directions of a first set of planes.
  std::vector<Eigen::VectorXd> first_directions() const;
  // Of all unit directions, the one in which x lies farthest beyond `load` times the cone's section.
  struct Violation {
    Eigen::VectorXd direction;
    double amount = 0;
  };
  Violation find_violation(const Eigen::VectorXd& x, double load) const;
  double support(const Eigen::VectorXd& direction) const;

  // The friction per unit of load against a motion with these rates of the unknowns' directions: -(f S V/|V|, f T sgn Ω).
  Eigen::VectorXd against(const Eigen::VectorXd& rates) const;

 private:
  double mean_distance(double c, double w) const;  // Dhat

  double friction_ = 0;
  bool spins_ = false;
  Eigen::Index shears_ = 0;
  Eigen::MatrixXd columns_;
  Eigen::MatrixXd turn_;  // the face's two directions by those of the forces
  double radius_ = 0;
  std::shared_ptr<const PadTable> table_;  // of laws without a closed form
  PressureLaw pressure_;
};

}  // namespace vinculum
