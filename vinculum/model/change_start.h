// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// Gives a model that nobody else has yet another start, in place of `initial` of its description: what build_model would make of
// the changed words, without doing the rest again. Told as there.
void change_start(Model& model, std::vector<InitialValue> initial, Diagnostics& diagnostics);

}  // namespace vinculum
