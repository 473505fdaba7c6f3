// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/constraints/grip_problem.h"

namespace vinculum {

// Rows in question at one moment, of contacts, stops, strings, grips and guides together, all others eliminated:
//
//   x = W R + Σ_faces (face1 N1 + face2 N2) + b
//
// Blocks say what each row may do (grip_problem.h); a row of a guide is kept, x = 0, by a push on one of its two faces, friction
// included, and has no column of its own in W. `F` and `rub1`, `rub2` are the parts that are friction of what slides now.
struct LocalProblem {
  struct Face {
    int row = 0;
    Eigen::VectorXd face1, face2;  // x of a unit load
    Eigen::VectorXd rub1, rub2;
  };
  Eigen::MatrixXd W, F;
  Eigen::VectorXd b;
  std::vector<GripBlock> blocks;  // every row but those of faces once
  std::vector<Face> faces;
  std::vector<std::string> names;  // of each row's element, for words
};

// One consistent choice of modes. R of a face's row is the load with its sign: + on face2, - on face1.
struct LocalChoice {
  Eigen::VectorXd R, x;
  int sign = 1;       // of the determinant of its equations, beside those without friction
  std::string words;  // "tip slides, foot parts"
};

// Every choice of modes that is consistent, by the decision tree (choice_tree.h): none is a jam, several a paradox (Painlevé).
// Chosen is the one that is reached as friction grows from none: the only one whose sign is +, or, of several, the one the
// solution leads to when all friction is scaled up from 0 (theory 5, 4.5).
//
// No answer where the tree has none: a grip of several rows has a round cone and a direction to find; more than ten items; rows
// that depend on each other, so that reactions are not determined.
struct LocalChoices {
  std::vector<LocalChoice> found;
  std::optional<std::size_t> chosen;
};
std::optional<LocalChoices> find_local_choices(const LocalProblem& problem);

// "tip slides, or tip parts"
std::string describe(const std::vector<LocalChoice>& choices);

}  // namespace vinculum
