// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace vinculum {

// One way for an item to be: as many unknowns as every other way of that item has, each with its column of the equations, and
// bounds. What the item adds whatever its unknowns is `constant`, moved to the left side.
struct Alternative {
  std::string word;           // "face2", "parts", "sticks"
  Eigen::MatrixXd columns;    // equations by unknowns
  Eigen::VectorXd constant;   // empty: zero
  std::vector<double> least;  // 0 or -infinity for each unknown
  std::vector<double> most;   // infinity, or a bound
  // Sign of its determinant where a mechanism without friction has it: the sign of a whole choice is that of its determinant
  // times these, and + on the branch that grows from no friction (theory 5, 4.5).
  int orientation = 1;
};

// All idealisations in question at one moment, together:
//
//   Σ_items (columns x + constant) = right ,   least ≤ x ≤ most ,
//
// with one alternative chosen for each item, and as many equations as unknowns. A face pair has the alternatives {N1 ≥ 0}, {N2 ≥
// 0}; a two-sided row one, {λ}; a contact that pushes or parts {λ ≥ 0}, {gap'' ≥ 0}.
struct ChoiceProblem {
  Eigen::VectorXd right;
  std::vector<std::vector<Alternative>> items;
};

struct ModeChoice {
  std::vector<int> chosen;                // alternative of each item
  std::vector<Eigen::VectorXd> unknowns;  // of each item
  int sign = 0;                           // of its determinant, with the orientations; 0 of a family
};

// Every choice that meets its bounds, by a tree: item by item, one pivot for each unknown of the alternative, in the equation
// where its column is largest. An equation, or an unknown already expressed, that no value within the bounds of the undecided
// columns can meet ends a subtree. A column that depends on those chosen before it makes every choice below it singular; whether
// some of these have a family of solutions is asked of a linear program.
struct Choices {
  std::vector<ModeChoice> found;
  std::vector<ModeChoice> families;  // of singular choices: one solution of each, the first few
  std::uint64_t singular = 0;        // choices whose equations are dependent
  std::uint64_t nodes = 0;
};
Choices enumerate_choices(const ChoiceProblem& problem);

// The items of a mechanism's local problem:  rates = G multipliers + right side , one row for each multiplier (of accelerations,
// or of velocities behind an impact). The equations are  rates - G multipliers = r .
struct LocalRates {
  Eigen::MatrixXd G;
  Eigen::VectorXd r;
};
std::vector<Alternative> two_sided(const LocalRates& rates, Eigen::Index row);        // holds
std::vector<Alternative> pushes_or_parts(const LocalRates& rates, Eigen::Index row);  // pushes | parts
// A contact with friction in one direction that slides now; `forward` is the sign of its sliding: slides | parts
std::vector<Alternative> slides_or_parts(const LocalRates& rates, Eigen::Index normal, Eigen::Index tangent, double friction,
                                         int forward);
// A contact at rest with friction in one direction: sticks | slips forward | slips backward | parts
std::vector<Alternative> sticks_slips_or_parts(const LocalRates& rates, Eigen::Index normal, Eigen::Index tangent,
                                               double friction);
// The same of a contact that holds both ways, and rubs only where it presses: sticks | slips forward | slips backward | pulls
std::vector<Alternative> sticks_slips_or_pulls(const LocalRates& rates, Eigen::Index normal, Eigen::Index tangent,
                                               double friction);
// Friction on a row within a bound of its own: sticks | slips forward | slips backward
std::vector<Alternative> sticks_or_slips(const LocalRates& rates, Eigen::Index row, double bound);
// A pair of faces on a row that is kept whatever face carries; the forces of a face are given by their rates in all rows per unit
// of pressing: face1 | face2
std::vector<Alternative> loaded_face(const Eigen::VectorXd& rates1, const Eigen::VectorXd& rates2);

}  // namespace vinculum
