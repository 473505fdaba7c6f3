// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/integration/integrator.h"
#include "vinculum/model/law_jumps.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

inline constexpr const char* kChosenByModel = "auto";

struct IntegratorChoice {
  std::string name;
  std::optional<Failure> instead;  // why taylor was asked for and cannot do it
  std::string why;                 // one it would not have taken without trying; empty: none of these
  double tolerance = 0;            // it needs for the accuracy asked for, where that is not the one asked for; else 0
};

// The integrator of a run: the one asked for, or what stands in for it. `auto` chooses taylor if the model has a power
// series without kinks and no constraints, and dop853 otherwise. Stiffness is tested on the first steps. If the usual one
// is far from the end after a hundred steps, cvode gets the same work, and is chosen if it advances farther by a factor.
// Work is counted in evaluations of the equations, not in seconds: the same run makes the same choice. With permanent
// constraints cvode must advance farther still, and keep them well within the limit of their verdict. It is chosen only if
// something that decays fast limits the steps of the usual one (theory 8, section 9.1). Both must agree to ten tolerances
// (possibly with a smaller tolerance of its own), so that no accuracy is lost.
IntegratorChoice choose_integrator(const Model& model, const State& start, const RunOptions& options,
                                   const std::function<bool()>& wants_to_stop = {});

// The same asked later, on the way: stiffness may begin there. How many times farther cvode would come from here than the
// integrator in use, for the same work; none if that is not worth it. And the sentence about it.
std::optional<double> find_late_stiffness(const Model& model, const State& here, const RunOptions& options,
                                          const std::string& used, const std::function<bool()>& wants_to_stop);
std::string describe_late_stiffness(const std::string& used, double since, double gain);

// Where an integrator does not let itself be corrected, something must keep the constraints all the same.
Baumgarte choose_baumgarte(const std::string& integrator, const RunOptions& options);

// Series need laws that are held at every kink. A one-step method crosses corners best
// by a restart; for methods with memory a restart costs more than their error control.
HeldAt held_at(const std::string& integrator);

// Passes the options of a run to its integrator.
IntegratorOptions integrator_options(const RunOptions& options, const std::function<bool()>& wants_to_stop);

}  // namespace vinculum
