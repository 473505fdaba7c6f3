// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vinculum/math/vector3.h"

namespace vinculum {

// A YAML value to be written: a scalar, a list or a map.
//
// Laid out for people: whatever fits on the rest of its line stands there in flow style, { a: 1, b: [2, 3] }; what does not is
// opened, one entry a line, and the rule holds again for each entry.
class YamlValue {
 public:
  YamlValue(double number);                                      // NOLINT: shortest text that reads back to the same bits
  YamlValue(const Vector3& vector);                              // NOLINT: a list
  YamlValue(const std::string& word);                            // NOLINT: quoted where YAML would take it for something else
  YamlValue(const char* word) : YamlValue(std::string(word)) {}  // NOLINT
  static YamlValue verbatim(std::string scalar);
  static YamlValue list();
  static YamlValue map();

  YamlValue& add(YamlValue entry);                   // to a list
  YamlValue& add(std::string key, YamlValue entry);  // to a map
  YamlValue& opened();                               // one entry a line even if it would fit

  // As a document: the entries of this map, each at the left margin.
  std::string to_document() const;

 private:
  enum class Kind { scalar, list, map };
  explicit YamlValue(Kind kind) : kind_(kind) {}

  std::string flow(bool is_outermost) const;
  void write_entries(int indent, std::string& out) const;

  Kind kind_ = Kind::scalar;
  std::string scalar_;
  std::vector<std::pair<std::string, YamlValue>> entries_;  // of a list: with empty keys
  bool is_opened_ = false;
};

}  // namespace vinculum
