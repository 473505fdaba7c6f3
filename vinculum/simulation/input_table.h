// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace vinculum {

// Values of inputs over time, line after line: what `simulate --inputs FILE.csv` reads. A line holds until the next one; an input
// with `hold: linear` continues linearly to its next value. Before the first line inputs keep the values of the start, after
// the last one those of the last.
struct InputTable {
  std::vector<int> inputs;     // of the columns, indices into Model::inputs()
  std::vector<double> times;   // [s], ascending
  std::vector<double> values;  // line after line, one value a column

  double value(std::size_t line, std::size_t column) const { return values[line * inputs.size() + column]; }
};

}  // namespace vinculum
