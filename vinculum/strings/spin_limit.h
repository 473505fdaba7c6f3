// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vinculum {

inline constexpr double kSpinLimit = 1e4;  // [rad/s]: faster ones count as infinite

}  // namespace vinculum
