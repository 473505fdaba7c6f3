// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/model/model.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// The equations of motion of a tree as a C99 file that needs the C library only, NAME being the model's name with what C does not
// allow in a name replaced by _:
//
//   void NAME_accelerations(double t, const double *q, const double *v, double *a)               v' under the laws of the model
//   void NAME_forces(double t, const double *q, const double *v, const double *a, double *tau)   tau = A a + h
//   void NAME_mass_matrix(double t, const double *q, const double *v, double *mass)              A, row by row
//   void NAME_bias(double t, const double *q, const double *v, double *bias)                     h
//   void NAME_rates(double t, const double *q, const double *v, double *rates)                   q'
//
// Each is the engine's own recursion written out, every common subexpression once, constants folded: the same values up to
// round-off. Constraints are refused, and so are more than 2000
// velocities; VN-RUN-150 if it was stopped.
Outcome<std::string> generate_c(const Model& model, const AskStop& stop = {});

}  // namespace vinculum
