// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "vinculum/expression/units.h"
#include "vinculum/math/piecewise.h"

namespace vinculum {

// A function of one variable given by points, under a name of the model: table(road, x).
struct TableFunction {
  std::string name;
  PiecewisePolynomial values;
  double first = 0, last = 0;           // the range of its points
  std::optional<Dimension> of, result;  // of x and of the value; none: any
};

}  // namespace vinculum
