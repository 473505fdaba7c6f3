// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/strings/steady_families.h"
#include "vinculum/strings/steady_stability.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// The equations of coplanar steady motions with prescribed spins or momenta, bounded on the torus of all angles
// y = (θ_1 .. θ_n, α_1 .. α_n): the derivatives of the planar W,
//   F_a = f_a sin y_a - ψ'² cos y_a [(N sin y)_a + R (Dᵀm)_a] - [ψ' a_i sin θ_i if a = e_i] ,  a_i given or = C_i (φ'_i - ψ' cos
//   θ_i)
//                                                                                                       theory 4, section 7
class BoundedForm {
 public:
  BoundedForm(const StringTree& tree, std::vector<SpinLaw> laws);

  int size() const { return 2 * tree_.size(); }
  const StringTree& tree() const { return tree_; }
  double scale(double rate) const;  // of F

  Eigen::VectorXd residual(const Eigen::VectorXd& y, double rate) const;
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& y, double rate) const;
  Eigen::VectorXd rate_derivative(const Eigen::VectorXd& y, double rate) const;

  // The motion at a solution; not feasible where a string would push.
  SteadyMotion motion(const Eigen::VectorXd& y, double rate) const;

 private:
  const StringTree& tree_;
  std::vector<SpinLaw> laws_;
};

// All coplanar steady motions with these spins, as far as they are found: Newton's method from many starts spread evenly over the
// torus, until long nothing new has come and the signs of the Jacobian sum to zero over all solutions of the bounded form, as
// they must (Poincaré-Hopf). Mirror images once, the first non-zero angle positive; the vertical states first.
struct SteadySearch {
  std::vector<SteadyMotion> motions;
  int solutions = 0;  // on the torus: with strings that push and mirror images
  int index_sum = 0;  // not 0: some are missing
  int starts = 0;
  bool isolated = true;  // else a solution belongs to a continuum, and the sum says nothing
};
inline constexpr int kMostSearched = 4;
Outcome<SteadySearch> find_prescribed_motions(const StringTree& tree, double rate, const std::vector<SpinLaw>& laws,
                                              const AskStop& stop = {});

// A family that leaves the vertical state at a critical rate, at the point where (angles, tilts) have the component `amplitude`
// along the null vector there.
Outcome<SteadyMotion> find_branch_start(const BoundedForm& form, const CriticalRate& critical, const Sides& sides,
                                        double amplitude);

// The family from there, by pseudo-arclength, until its rate is `to_rate`.
struct SteadyBranch {
  struct Point {
    SteadyMotion motion;
    // Of a change of stability the first motion that has the new one.
    enum class Kind { regular, fold, branch_point, stability_change } kind = Kind::regular;
  };
  std::vector<Point> points;
  bool reached = false;  // else why it ends before
  std::string end;
};
// When it is stopped, it ends there.
SteadyBranch follow_branch(const BoundedForm& form, const SteadyMotion& start, const CriticalRate& critical, double to_rate,
                           const AskStop& stop = {});

// Inserts the motions at which the stability changes, located by halving the way between two points that differ in it, to 1e-12
// of the way. Changes that come in pairs between two points are not seen. When it is stopped, the rest of the branch is left as
// it is.
void locate_stability_changes(const BoundedForm& form, const CriticalRate& critical, SteadyBranch& branch,
                              const AskStop& stop = {});

}  // namespace vinculum
