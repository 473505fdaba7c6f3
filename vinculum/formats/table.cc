// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/table.h"

#include <algorithm>
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

// What spreadsheets write instead of commas between columns and points in numbers, as a hint; empty if it is none of these.
std::string explain_separators(std::string_view header, size_t cells, size_t columns) {
  const bool has_comma = header.find(',') != std::string_view::npos;
  if (!has_comma && header.find(';') != std::string_view::npos)
    return "its columns are separated by semicolons: separate them by commas, and write 3.5 and not 3,5 (in a spreadsheet, save "
           "as "
           "CSV with English settings)";
  if (!has_comma && header.find('\t') != std::string_view::npos)
    return "its columns are separated by tabs: separate them by commas";
  if (columns > 1 && cells > columns && cells <= 2 * columns) return "are these decimal commas? Write 3.5 and not 3,5";
  return {};
}

// A byte order mark at the start of a UTF-8 file is no part of its first name; one of UTF-16 means that nothing can be read.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
bool is_utf16(std::string_view line) { return line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF"); }

// The first name that two columns have; empty if there is none.
std::string find_repeated_name(const NumberTable& table) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (table.columns[k].name == table.columns[i].name) return table.columns[i].name;
    }
  }
  return {};
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
  if (is_utf16(line)) {
    diagnostics.error("VN-FILE-120", {1, 1}, "", fmt::format("cannot read a table from {}: it is written in UTF-16", path),
                      "save it as CSV in UTF-8");
    return std::nullopt;
  }
  if (line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  NumberTable table;
  for (std::string_view heading : split(line)) table.columns.push_back(column_of(heading));
  if (const std::string hint = explain_separators(line, 1, table.columns.size()); !hint.empty()) {
    diagnostics.error("VN-FILE-120", {1, 1}, "", fmt::format("cannot read a table from {}: its header is one column", path),
                      hint);
    return std::nullopt;
  }
  if (const std::string name = find_repeated_name(table); !name.empty()) {
    diagnostics.error("VN-FILE-127", {1, 1}, fmt::format("column '{}'", name), fmt::format("two columns are named '{}'", name),
                      "keep one of them, or give the other another name");
    return std::nullopt;
  }
  const std::string header = line;

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
    // What a spreadsheet leaves of rows that were cleared.
    if (std::all_of(cells.begin(), cells.end(), [](std::string_view cell) { return cell.empty(); })) continue;
    if (cells.size() != row.size()) {
      diagnostics.error("VN-FILE-121", {number, 1}, "",
                        fmt::format("{} values in a table of {} columns", cells.size(), row.size()),
                        explain_separators(header, cells.size(), row.size()));
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
                        cells[i].empty() ? std::string("the cell is empty") : fmt::format("'{}' is not a number", cells[i]),
                        cells[i].empty() ? "write a number there, or remove the line" : "");
      return std::nullopt;
    }
    kept = false;
    if (index++ % stride == 0) keep();
  }
  if (!kept) keep();
  return table;
}

}  // namespace vinculum
