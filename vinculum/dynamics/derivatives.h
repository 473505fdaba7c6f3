// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Scratch memory of the derivatives of one model, O(n²): sized once, then nothing is allocated. One for each thread.
class DerivativesWorkspace {
 public:
  explicit DerivativesWorkspace(const Model& model);
  ~DerivativesWorkspace();
  DerivativesWorkspace(DerivativesWorkspace&&) noexcept;
  DerivativesWorkspace& operator=(DerivativesWorkspace&&) noexcept;

  Workspace& links();  // that of the places and forces they are taken of

  struct Memory;  // private to derivatives.cc
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

// Results are the caller's and keep their size from call to call. Entry (k, j) is the derivative of number k by q, v or v'
// number j. By q is along a velocity, q' = N(q) e_j, so that all matrices are n × n: three columns for a ball, not four for
// its quaternion. Given forces take part with all they depend on; where a law has a corner (abs) its slope is taken as 0.

// Of tau(q, v, v') = A v' + h as compute_inverse_dynamics has it. Failure VN-RUN-003 if a force has no finite value or slope.
struct InverseDerivatives {
  RowMatrix by_q, by_v;
  RowMatrix by_acceleration;  // A(q)
};
std::optional<Failure> compute_inverse_derivatives(const Model& model, const State& state, std::span<const double> accelerations,
                                                   DerivativesWorkspace& workspace, InverseDerivatives& result);

// Of v'(q, v, tau) as compute_forward_dynamics has it: with tau(q, v) the `joint:` laws,
//
//   ∂v'/∂q = A⁻¹ (∂tau/∂q - ∂(A v' + h)/∂q) ,   ∂v'/∂v likewise ,   ∂v'/∂tau = A⁻¹
//
// Matrix rows of driven coordinates are zero, and a force on one moves nothing.
struct ForwardDerivatives {
  std::vector<double> accelerations;
  RowMatrix by_q, by_v;
  RowMatrix by_tau;
};
// A failure as of compute_forward_dynamics: VN-RUN-002 if the mass matrix is singular, VN-RUN-003 if a law has no finite value or
// slope.
std::optional<Failure> compute_forward_derivatives(const Model& model, const State& state, DerivativesWorkspace& workspace,
                                                   ForwardDerivatives& result);

// The inertial parameters of a body, in its own axes about its origin: mass, mass · centre (x y z), tensor of inertia (xx yy zz
// xy xz yz).
inline constexpr int kInertialParameters = 10;
std::vector<double> inertial_parameters(const Model& model);

// The law of inertia is linear in them: A v' + h without `body:` and `between:`
// forces = Y π. Y has a matrix row for each velocity and ten columns for each body.
void compute_inertia_regressor(const Model& model, const State& state, std::span<const double> accelerations,
                               DerivativesWorkspace& workspace, RowMatrix& regressor);

// ∂v'/∂π = -A⁻¹ Y at the v' of compute_forward_dynamics. Failures as above.
std::optional<Failure> compute_inertia_derivatives(const Model& model, const State& state, DerivativesWorkspace& workspace,
                                                   RowMatrix& by_parameters);

}  // namespace vinculum
