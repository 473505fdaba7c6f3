// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/yaml_layout.h"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

namespace vinculum {

namespace {

constexpr size_t kLineLength = 130;

// A name, also with dots or hyphens inside, or a direction (-x); but nothing that YAML reads as null or a truth value.
bool is_plain(std::string_view word) {
  const std::string_view name = word.starts_with('-') ? word.substr(1) : word;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_inner = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; };
  if (name.empty() || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), is_inner)) return false;
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower != "null" && lower != "true" && lower != "false";
}

std::string quote_if_needed(const std::string& word) {
  if (is_plain(word)) return word;
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\x{:02x}", c);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

YamlValue::YamlValue(double number) : scalar_(fmt::format("{}", number)) {}
YamlValue::YamlValue(const Vector3& v) : kind_(Kind::list) { add(v.x).add(v.y).add(v.z); }
YamlValue::YamlValue(const std::string& word) : scalar_(quote_if_needed(word)) {}

YamlValue YamlValue::verbatim(std::string scalar) {
  YamlValue value(Kind::scalar);
  value.scalar_ = std::move(scalar);
  return value;
}
YamlValue YamlValue::list() { return YamlValue(Kind::list); }
YamlValue YamlValue::map() { return YamlValue(Kind::map); }

YamlValue& YamlValue::add(YamlValue entry) { return add({}, std::move(entry)); }
YamlValue& YamlValue::add(std::string key, YamlValue entry) {
  entries_.emplace_back(std::move(key), std::move(entry));
  return *this;
}
YamlValue& YamlValue::opened() {
  is_opened_ = true;
  return *this;
}

// Braces have air inside where they are the outermost ones: { axis: z, at: {x: 1} }.
std::string YamlValue::flow(bool is_outermost) const {
  if (kind_ == Kind::scalar) return scalar_;
  std::string text;
  for (const auto& [key, entry] : entries_) {
    if (!text.empty()) text += ", ";
    if (kind_ == Kind::map) text += quote_if_needed(key) + ": ";
    text += entry.flow(false);
  }
  if (kind_ == Kind::list) return "[" + text + "]";
  return is_outermost && !text.empty() ? "{ " + text + " }" : "{" + text + "}";
}

void YamlValue::write_entries(int indent, std::string& out) const {
  for (const auto& [key, entry] : entries_) {
    const std::string head = std::string(indent, ' ') + (kind_ == Kind::list ? "-" : quote_if_needed(key) + ":");
    const std::string text = entry.flow(true);
    const bool fits = head.size() + 1 + text.size() <= kLineLength;
    if (entry.entries_.empty() || (fits && !entry.is_opened_)) {
      out += head + " " + text + "\n";
    } else if (kind_ == Kind::map) {
      out += head + "\n";
      entry.write_entries(indent + 2, out);
    } else {
      // The first line of an opened entry of a list carries its hyphen.
      const size_t start = out.size();
      entry.write_entries(indent + 2, out);
      out[start + indent] = '-';
    }
  }
}

std::string YamlValue::to_document() const {
  std::string out;
  write_entries(0, out);
  return out;
}

}  // namespace vinculum
