// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// Gives an unshared model another start in place of `initial` of its description. The result is that
// of build_model with the changed values, without the other work. Errors are reported as there.
void change_start(Model& model, std::vector<InitialValue> initial, Diagnostics& diagnostics);

}  // namespace vinculum
