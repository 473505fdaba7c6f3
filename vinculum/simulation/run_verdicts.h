// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

// What a finished run says about what every run rests on; each idealisation speaks for itself. `projected`: its constraints were
// kept by projection.
std::vector<Verdict> judge_run(const Model& model, const RunOptions& options, bool projected, const Checkpoint& at_end);

// How large a first integral could have been (IntegralMonitor::compute_sizes): with the energy that was exchanged, and with all
// that could have been, of which there is round-off.
struct IntegralSize {
  double scale = 0, size = 0;
};
// Unproven integrals (Integral::doubt) that changed by more than allowed, although no change was found
// at the tested states. They are no integrals of this motion, and no error. Indices into `watched`.
std::vector<size_t> list_disproved(const Model& model, const RunOptions& options, const Checkpoint& at_end,
                                   const std::vector<Integral>& watched, std::span<const IntegralSize> sizes);
// Do the first integrals found before the run stay constant, but those disproved by it. None: nothing beside the energy is
// conserved.
std::optional<Verdict> judge_integrals(const Model& model, const RunOptions& options, const Checkpoint& at_end,
                                       const Outcome<std::vector<Integral>>& watched, std::span<const IntegralSize> sizes);

// Steps of fixed length have no error control.
Verdict judge_implicit_steps(double step);

// Where friction and what presses have no solution together, or several (Painlevé), the motion ends; none for other failures.
std::optional<Verdict> judge_end(const std::optional<Failure>& failure, double t);

// The residual of a constraint, in units of its scales, that the verdict `constraints` allows: kept by projection, or by
// Baumgarte's terms.
inline double allowed_residual(bool projected, double tolerance) {
  return projected || 100 * tolerance < 1e-8 ? 1e-8 : 100 * tolerance;
}

}  // namespace vinculum
