// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vinculum {

// Commented model files to begin with, the simplest first: pendulum, arm, cart, satellite.
std::vector<std::string> starter_model_names();

// The text of one; empty if there is none of this name.
std::string_view starter_model(std::string_view name);

}  // namespace vinculum
