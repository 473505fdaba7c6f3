// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/mass_matrix.h"

#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/memory.h"
#include "vinculum/math/dense.h"

namespace vinculum {

void compute_mass_matrix(const Model& model, std::span<const double> q, Workspace& workspace, Eigen::MatrixXd& matrix) {
  Workspace::Memory& memory = workspace.memory();
  const Tree& tree = model.tree();
  memory.places.resize(tree.links.size());
  memory.composites.resize(tree.links.size());
  memory.axes.resize(6 * static_cast<size_t>(tree.velocities));
  matrix.setZero(tree.velocities, tree.velocities);
  kernels().mass_matrix(tree, q.data(), memory.turns.data(), {memory.places.data(), memory.composites.data(), memory.axes.data()},
                        matrix.data());
}

Eigen::MatrixXd compute_mass_matrix(const Model& model, const State& state, Workspace& workspace) {
  Eigen::MatrixXd matrix;
  compute_mass_matrix(model, state.q, workspace, matrix);
  return matrix;
}

WeakDirection find_weakest_direction(const Model& model, const Eigen::MatrixXd& mass_matrix) {
  const int n = static_cast<int>(mass_matrix.rows());
  // A velocity without any inertia is a direction by itself.
  Eigen::VectorXd scale(n);
  for (int i = 0; i < n; ++i) {
    if (!(mass_matrix(i, i) > 0)) return {0, Eigen::VectorXd::Unit(n, i), model.velocity_names()[i]};
    scale[i] = 1 / std::sqrt(mass_matrix(i, i));
  }
  const auto [values, vectors, same] = find_singular_values(scale.asDiagonal() * mass_matrix * scale.asDiagonal());
  WeakDirection weak;
  weak.ratio = values[n - 1] / values[0];
  weak.direction = scale.asDiagonal() * vectors.col(n - 1);
  int largest = 0;
  // Of equal ones the first, whatever the last bits say.
  while (std::abs(weak.direction[largest]) < (1 - 1e-9) * weak.direction.cwiseAbs().maxCoeff()) ++largest;
  weak.direction /= weak.direction[largest];

  // As a combination of velocities, without those that hardly take part.
  for (int i = 0; i < n; ++i) {
    const double factor = weak.direction[i];
    if (std::abs(factor) < 1e-6) continue;
    const char* sign = factor < 0 ? "-" : weak.text.empty() ? "" : "+";
    const std::string size = std::abs(std::abs(factor) - 1) < 1e-9 ? "" : fmt::format("{:.4g} ", std::abs(factor));
    weak.text += fmt::format("{}{}{}{}{}", weak.text.empty() ? "" : " ", sign, *sign != '\0' && !weak.text.empty() ? " " : "",
                             size, model.velocity_names()[i]);
  }
  return weak;
}

}  // namespace vinculum
