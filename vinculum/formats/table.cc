// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

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
std::string find_repeated_name(const std::vector<NumberTable::Column>& columns) {
  std::unordered_set<std::string_view> names;
  for (const NumberTable::Column& column : columns) {
    if (!names.insert(column.name).second) return column.name;
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

std::optional<TableReader> TableReader::open(const std::string& path, Diagnostics& diagnostics) {
  TableReader reader;
  reader.file_.open(path, std::ios::binary);
  std::string& line = reader.header_;
  if (!reader.file_ || !std::getline(reader.file_, line) || trimmed(line).empty()) {
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
  for (std::string_view heading : split(line)) reader.columns_.push_back(column_of(heading));
  const size_t count = reader.columns_.size();
  if (const std::string hint = explain_separators(line, 1, count); !hint.empty()) {
    diagnostics.error("VN-FILE-120", {1, 1}, "", fmt::format("cannot read a table from {}: its header is one column", path),
                      hint);
    return std::nullopt;
  }
  if (const std::string name = find_repeated_name(reader.columns_); !name.empty()) {
    diagnostics.error("VN-FILE-127", {1, 1}, fmt::format("column '{}'", name), fmt::format("two columns are named '{}'", name),
                      "keep one of them, or give the other another name");
    return std::nullopt;
  }
  reader.values_.resize(count);
  reader.words_.resize(count);
  return reader;
}

bool TableReader::next(Diagnostics& diagnostics) {
  while (!failed_ && std::getline(file_, line_)) {
    ++line_number_;
    if (trimmed(line_).empty()) continue;
    const std::vector<std::string_view> cells = split(line_);
    // What a spreadsheet leaves of rows that were cleared.
    if (std::all_of(cells.begin(), cells.end(), [](std::string_view cell) { return cell.empty(); })) continue;
    failed_ = true;
    if (cells.size() != columns_.size()) {
      diagnostics.error("VN-FILE-121", {line_number_, 1}, "",
                        fmt::format("{} values in a table of {} columns", cells.size(), columns_.size()),
                        explain_separators(header_, cells.size(), columns_.size()));
      return false;
    }
    for (size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].is_mode()) {
        words_[i] = cells[i];
        continue;
      }
      const auto [end, error] = std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), values_[i]);
      if (error == std::errc() && end == cells[i].data() + cells[i].size() && std::isfinite(values_[i])) continue;
      const int place = static_cast<int>(cells[i].data() - line_.data()) + 1;
      diagnostics.error("VN-FILE-122", {line_number_, place}, fmt::format("column '{}'", columns_[i].name),
                        cells[i].empty() ? std::string("the cell is empty") : fmt::format("'{}' is not a number", cells[i]),
                        cells[i].empty() ? "write a number there, or remove the line" : "");
      return false;
    }
    failed_ = false;
    return true;
  }
  return false;
}

std::optional<NumberTable> read_table(const std::string& path, Diagnostics& diagnostics) {
  auto reader = TableReader::open(path, diagnostics);
  if (!reader) return std::nullopt;
  NumberTable table;
  table.columns = reader->columns();
  while (reader->next(diagnostics)) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].is_mode())
        table.columns[i].words.push_back(reader->words()[i]);
      else
        table.columns[i].values.push_back(reader->values()[i]);
    }
    ++table.rows;
  }
  if (reader->has_failed()) return std::nullopt;
  return table;
}

}  // namespace vinculum
