// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/study_table.h"

#include <fmt/core.h>

#include "vinculum/formats/safe_file.h"
#include "vinculum/math/visit.h"

namespace vinculum {

namespace {

// RFC 4180: quoted where a comma, a quote or a line end would be mistaken.
void add_word(std::string& text, std::string_view word) {
  if (word.find_first_of(",\"\r\n") == std::string_view::npos) {
    text += word;
    return;
  }
  text += '"';
  for (const char c : word) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace

Outcome<bool> write_study_table(const StudyStore& store, const std::string& path, bool replace) {
  const Study& study = store.study();
  std::string text = "point";
  for (const StudyAxis& axis : study.over) {
    text += ',';
    add_word(text, axis.unit.empty() ? axis.name : fmt::format("{} [{}]", axis.name, axis.unit));
  }
  for (const StudyColumn& column : study.collect) {
    text += ',';
    add_word(text, column.name);
  }
  text += ",status,code,message\n";
  const auto failure = store.for_each_row([&](const StudyRow& row) {
    text += fmt::format("{}", row.point);
    for (const double parameter : row.parameters) text += fmt::format(",{}", parameter);
    for (const StudyValue& value : row.values) {
      text += ',';
      std::visit(Overloaded{[](std::monostate) {}, [&](double number) { text += fmt::format("{}", number); },
                            [&](const std::string& word) { add_word(text, word); }},
                 value);
    }
    text += ',';
    text += to_text(row.status);
    text += ',';
    text += row.code;
    text += ',';
    add_word(text, row.message);
    text += '\n';
    return true;
  });
  if (failure) return *failure;
  return write_user_file(path, text, replace);
}

}  // namespace vinculum
