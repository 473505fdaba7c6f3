// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/units.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

// A table of numbers under a header: results and motions; modes are words. Columns are named `NAME [UNIT]`; the unit may be
// missing.
struct NumberTable {
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

// Reads a CSV file row after row, in memory for one row. Wrong numbers, ragged rows and repeated names are diagnosed with their
// line.
class TableReader {
 public:
  // None if there is no table in the file.
  static std::optional<TableReader> open(const std::string& path, Diagnostics& diagnostics);

  // Of each column its name, its unit, and nothing else.
  const std::vector<NumberTable::Column>& columns() const { return columns_; }
  // The next row; false at the end, and where something is wrong, which has_failed() tells apart.
  bool next(Diagnostics& diagnostics);
  bool has_failed() const { return failed_; }
  // Of that row: a number for each column, except words for columns of modes.
  std::span<const double> values() const { return values_; }
  std::span<const std::string> words() const { return words_; }

 private:
  std::ifstream file_;
  std::vector<NumberTable::Column> columns_;
  std::string header_, line_;
  int line_number_ = 1;
  bool failed_ = false;
  std::vector<double> values_;
  std::vector<std::string> words_;
};

// The whole file; none if something in it is wrong.
std::optional<NumberTable> read_table(const std::string& path, Diagnostics& diagnostics);

}  // namespace vinculum
