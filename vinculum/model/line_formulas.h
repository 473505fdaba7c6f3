// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/model/force_law.h"

namespace vinculum {

// The distance of two points and its rate as formulas of t, q and v:
//
//   length = |b - a| ,  rate = (b - a)·(b' - a')/length
//
// A link carried by another one moves by  v = v_p + w_p × r + X ,  w = w_p + W , with r its pole from that of its base, X and W
// the slide and the turn of its own joint, world axes (theory 2, section 5.2). Forces are not computed from these: they are for
// what asks a law as a whole, over a stretch of the motion or for its kinks. Expects tree, bodies and environment of the model.
OwnVariables write_line(const Model& model, const Anchor& a, const Anchor& b);

}  // namespace vinculum
