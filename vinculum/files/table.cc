// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/table.h"

#include <charconv>
#include <cmath>
#include <fstream>

#include <fmt/core.h>

namespace vinculum {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '"')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '"'))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t begin = 0;;) {
    const size_t comma = line.find(',', begin);
    cells.push_back(trimmed(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return cells;
    begin = comma + 1;
  }
}

NumberTable::Column column_of(std::string_view heading) {
  const size_t bracket = heading.find('[');
  if (bracket == std::string_view::npos || heading.back() != ']') return {std::string(heading), "", {}, {}};
  return {std::string(trimmed(heading.substr(0, bracket))),
          std::string(heading.substr(bracket + 1, heading.size() - bracket - 2)),
          {},
          {}};
}

}  // namespace

const NumberTable::Column* NumberTable::find(std::string_view name) const {
  for (const Column& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

size_t count_rows(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  size_t lines = 0;
  while (std::getline(file, line)) ++lines;
  return lines > 0 ? lines - 1 : 0;
}

std::optional<NumberTable> read_table(const std::string& path, Diagnostics& diagnostics, size_t stride) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file || !std::getline(file, line) || trimmed(line).empty()) {
    diagnostics.error("VN-FILE-120", {}, "", fmt::format("cannot read a table from {}", path),
                      "a CSV file with a header line is needed");
    return std::nullopt;
  }
  NumberTable table;
  for (std::string_view heading : split(line)) table.columns.push_back(column_of(heading));

  std::vector<double> row(table.columns.size());
  std::vector<std::string> words(table.columns.size());
  bool kept = true;
  const auto keep = [&] {
    for (size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].is_mode())
        table.columns[i].words.push_back(words[i]);
      else
        table.columns[i].values.push_back(row[i]);
    }
    ++table.rows;
    kept = true;
  };
  size_t index = 0;
  for (int number = 2; std::getline(file, line); ++number) {
    if (trimmed(line).empty()) continue;
    const std::vector<std::string_view> cells = split(line);
    if (cells.size() != row.size()) {
      diagnostics.error("VN-FILE-121", {number, 1}, "",
                        fmt::format("{} values in a table of {} columns", cells.size(), row.size()));
      return std::nullopt;
    }
    for (size_t i = 0; i < cells.size(); ++i) {
      if (table.columns[i].is_mode()) {
        words[i] = cells[i];
        continue;
      }
      const auto [end, error] = std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), row[i]);
      if (error == std::errc() && end == cells[i].data() + cells[i].size() && std::isfinite(row[i])) continue;
      const int place = static_cast<int>(cells[i].data() - line.data()) + 1;
      diagnostics.error("VN-FILE-122", {number, place}, fmt::format("column '{}'", table.columns[i].name),
                        fmt::format("'{}' is not a number", cells[i]));
      return std::nullopt;
    }
    kept = false;
    if (index++ % stride == 0) keep();
  }
  if (!kept) keep();
  return table;
}

}  // namespace vinculum
