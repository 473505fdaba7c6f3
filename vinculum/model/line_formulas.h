// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/model/force_law.h"

namespace vinculum {

// The distance of two points and its rate as formulas of t, q and v:
//
//   length = |b - a| ,  rate = (b - a)·(b' - a')/length
//
// Motion of a link on another one:  v = v_p + w_p × r + X ,  w = w_p + W  in world axes (theory 2, section 5.2). r: its origin
// from that of its base; X, W: translation and rotation of its joint. Forces are not computed from these. They serve questions
// about a law as a whole: over an interval of the motion, or about its kinks. Expects tree, bodies and environment of the model.
OwnVariables write_line(const Model& model, const Anchor& a, const Anchor& b);

}  // namespace vinculum
