// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/diagnostic.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cstdlib>

#include <fmt/core.h>

#include "vinculum/verdict/catalogue.h"

namespace vinculum {

void Diagnostics::error(std::string_view code, Place place, std::string element, std::string message, std::string hint) {
  add(Severity::error, code, place, std::move(element), std::move(message), std::move(hint));
}

void Diagnostics::warning(std::string_view code, Place place, std::string element, std::string message, std::string hint) {
  add(Severity::warning, code, place, std::move(element), std::move(message), std::move(hint));
}

void Diagnostics::add(Severity severity, std::string_view code, Place place, std::string element, std::string message,
                      std::string hint) {
  assert(find_in_catalogue(code) != nullptr);
  errors_ += severity == Severity::error ? 1 : 0;
  list_.push_back({severity, code, std::move(message), file_, place, std::move(element), std::move(hint)});
}

std::string to_text(const Diagnostic& d) {
  std::string where = d.file;
  if (d.place.line > 0) where += fmt::format("{}{}:{}", where.empty() ? "" : ":", d.place.line, d.place.column);
  if (!where.empty()) where += ": ";
  std::string text = fmt::format("{}{}: {}{}{} [{}]", where, d.severity == Severity::error ? "error" : "warning", d.element,
                                 d.element.empty() ? "" : ": ", d.message, d.code);
  if (!d.hint.empty()) text += "\n  hint: " + d.hint;
  return text;
}

namespace {

constexpr size_t kLongestName = 64;  // longer ones are not compared

// Edits that turn a into b, a swap of neighbours counting as one (optimal string alignment). Only three rows of the table are
// alive.
int edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<int, kLongestName + 1>, 3> rows;
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view unknown, const std::vector<std::string>& known) {
  // Small letters for capitals are the same name, however short: KN for kN.
  const auto same_letter = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  for (const std::string& name : known) {
    if (std::equal(unknown.begin(), unknown.end(), name.begin(), name.end(), same_letter)) return name;
  }
  // A name is near if at most a third of it differs; in shorter ones than three letters, every edit is too much.
  if (unknown.size() < 3 || unknown.size() > kLongestName) return {};
  std::string nearest;
  int least = static_cast<int>(unknown.size()) / 3 + 1;
  for (const std::string& name : known) {
    const int difference = static_cast<int>(name.size()) - static_cast<int>(unknown.size());
    if (name.size() > kLongestName || std::abs(difference) >= least) continue;
    const int distance = edit_distance(unknown, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace vinculum
