// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vinculum {

// A quantity that should stay as it was at the start.
struct IntegralDrift {
  std::string name;  // "E", or "E - W" where forces do work W; then what find_integrals found: "Px"
  std::string unit;
  double start = 0;
  double drift = 0;  // largest absolute departure
};

}  // namespace vinculum
