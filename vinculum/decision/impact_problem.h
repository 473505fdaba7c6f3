// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "vinculum/constraints/grip_problem.h"
#include "vinculum/model/impact_law.h"

namespace vinculum {

// All that is struck at one instant, permanent rows eliminated:  u⁺ = W R + u⁻                             theory 7, section 4
struct ImpactProblem {
  // A normal (or a stop, a string) with the tangential rows that its friction acts on.
  struct Contact {
    int normal = 0;             // rows of W
    std::vector<int> tangents;  // none: smooth
    double friction = 0;        // infinite: the tangents hold while it pushes
    ImpactLaw law;
    double approach = 0;  // [m/s] speed before that Newton's law gives back; 0: it is not struck
  };
  Eigen::MatrixXd W;
  Eigen::VectorXd rates;  // u⁻
  std::vector<Contact> contacts;
  // Another way to solve for impulses where sweeps do not settle, on some of these rows; may be empty.
  std::function<std::optional<GripSolution>(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                            const std::vector<GripBlock>& blocks, const std::vector<int>& rows)>
      other_way{};
  std::vector<int> of_whole{};  // rows of the problem that this is a part of; empty: it is the whole
};

// The impulses R of all rows together. Contacts that do not feel each other (no coupling in W) are solved apart, and, of these
// groups, in each:
//
//   Newton's law alone       0 ≤ c⁺ - e approach ⟂ p ≥ 0 ,  P_t in -mu p ∂|s⁺ + et s⁻|
//   one contact, other laws  the slip during the impact is followed (slip_process.h)
//   several, other laws      two such problems: compression (e = 0) gives P ; then expansion, E ≥ e P ⟂ c⁺ ≥ 0 . Energetic: e
//                            of each contact reduced until its normal work is e² of that of compression at most
//
// None: they do not settle.
std::optional<Eigen::VectorXd> solve_impact(const ImpactProblem& problem);

// Energy that goes into the struck rows: -½ R·(u⁻ + u⁺) . Below zero: the law of the impact made energy.
double energy_lost(const ImpactProblem& problem, const Eigen::VectorXd& R);

// Would the bodies leave otherwise if the contacts were struck one after the other? All orders, each repeated until no contact
// approaches: the impulses of the first whose rates after differ from those of R by more than kOrderMatters of the largest rate;
// none: no order matters. `compared` is false beyond kMostOrdered contacts that feel each other: then nothing is said.
struct OtherOrder {
  bool compared = true;
  std::optional<Eigen::VectorXd> R;
};
inline constexpr int kMostOrdered = 4;
OtherOrder find_other_order(const ImpactProblem& problem, const Eigen::VectorXd& R);

}  // namespace vinculum
