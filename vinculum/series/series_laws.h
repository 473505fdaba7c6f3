// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/math/tape.h"
#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

// What a user's formulas contribute to the equations, as tapes in (t, q, v): their series follow by TapeSeries.
namespace vinculum {

// Inputs of all tapes here: t, then q, then v.
struct LawsTape {
  Tape tape;                 // outputs in this order:
  std::vector<int> forces;   // velocities on which a varying `joint:` law acts
  std::vector<int> loads;    // links with `body:` and `between:` forces: force and moment, link axes, about the pole
  std::vector<int> motions;  // velocities that are driven: their accelerations
  std::vector<int> states;   // coordinates that move no body: their rates
  bool power = false;        // of all that has no potential, drives not counted
};
LawsTape trace_laws(const Model& model);

// Of each body: R_WL of its link by columns and p_W, twelve outputs.
Tape trace_places(const Model& model);

// The values of formulas.
Tape trace_expressions(const Model& model, std::span<const Expression> formulas);

// What has no power series, as a refusal: VN-RUN-014, a law with abs. Contacts are not looked at.
std::optional<Failure> check_analytic(const Model& model);

}  // namespace vinculum
