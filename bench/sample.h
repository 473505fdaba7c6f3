// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/model/model.h"

namespace vinculum::bench {

// One point at which engines are compared.
struct Sample {
  State state;
  std::vector<double> forces;         // tau, one a velocity: given to forward dynamics
  std::vector<double> accelerations;  // v': given to inverse dynamics
};

}  // namespace vinculum::bench
