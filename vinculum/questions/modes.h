// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/analysis/kinks_at_state.h"
#include "vinculum/questions/reply.h"

// The common output of `linearise` and `equilibrium`.
namespace vinculum {

Json rows_to_json(const Eigen::MatrixXd& matrix);
Json eigenvalues_to_json(const std::vector<Mode>& modes);  // [[re, im], ..], both of a pair
double largest_growth(const std::vector<Mode>& modes);     // [1/s]

// Warns if `what` holds at this moment only, and lists the laws of time under `laws_of_time`.
void tell_laws_of_time(const Model& model, double t, const char* what, Reply& reply);

void tell_matrices(const Linearisation& linear, Reply& reply);

// Eigenvalues, frequencies, damping and shapes; stability.
void tell_modes(const Linearisation& linear, Reply& reply);

// Of a state on a kink of laws: a warning, the kinks under `kinks` and the result of each side under `sides`. The
// result of the first side that has one represents the state, with its place under `side`; stability is not decided.
void tell_sides(const KinksAtState& kinks, bool with_matrices, Reply& reply);

}  // namespace vinculum
