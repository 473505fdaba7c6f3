// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace vinculum {

// The largest need compared with what is available, in the same words for every command: "needs friction 0.31 at t = 1.2 s,
// available 0.3", "needs 2710 N at t = 0.489 s, available 2665 N". Without a unit it is a coefficient of friction.
std::string demand_text(double needed, double available, std::string_view unit, std::string_view when);

}  // namespace vinculum
