// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

// A table of numbers under a header: results and motions; modes are words. Columns are named `NAME [UNIT]`; the unit may be
// missing.
struct NumberTable {
  static constexpr std::string_view kModeColumn = "mode:";

  struct Column {
    std::string name;
    std::string unit;
    std::vector<double> values;
    std::vector<std::string> words;  // of a column mode:ELEMENT, instead of values

    bool is_mode() const { return name.starts_with(kModeColumn); }
  };
  std::vector<Column> columns;
  size_t rows = 0;

  const Column* find(std::string_view name) const;
};

// Reads a CSV file. Every `stride`-th row is kept, and the last one. Wrong numbers and ragged rows are diagnosed with their line;
// none then.
std::optional<NumberTable> read_table(const std::string& path, Diagnostics& diagnostics, size_t stride = 1);

// Number of rows, without reading the numbers; 0 if there is no such file.
size_t count_rows(const std::string& path);

}  // namespace vinculum
