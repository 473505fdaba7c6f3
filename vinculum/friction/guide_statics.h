// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/limit_load.h"

namespace vinculum {

// The guides of a model at rest at a state, velocities taken as zero, under all forces but one, and that one times alpha.
struct GuideStatics {
  RestProblem problem;
  std::vector<std::string> names;  // of the pairs
};

// Two directions in the plane of a face, at right angles: those of RestFace::shear.
std::array<Vector3, 2> directions_of_face(const Vector3& normal);

// `load`: generalised forces of the one (compute_load). Failures: of the rows; VN-VARIANT-024: another row is not at rest.
Outcome<GuideStatics> reduce_guides_at_rest(const ConstraintSet& set, const State& state, const Eigen::VectorXd& load,
                                            Workspace& workspace);

// Generalised forces of the named force at a state at rest; with a direction, of a force of the same size that way instead (a
// force on a body only). Failure VN-VARIANT-025: there is no such force.
Outcome<Eigen::VectorXd> compute_load(const Model& model, const State& state, const std::string& name,
                                      const std::optional<Vector3>& direction = {});

}  // namespace vinculum
