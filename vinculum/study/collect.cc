// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/collect.h"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>

#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

namespace {

using Json = nlohmann::ordered_json;

struct Entry {
  std::string name;
  const Json* value;
};

// What can be named in an object or a list. Of entries with the same name the first counts.
std::vector<Entry> list_entries(const Json& node) {
  std::vector<Entry> entries;
  if (node.is_object()) {
    for (const auto& [name, value] : node.items()) entries.push_back({name, &value});
  } else if (node.is_array()) {
    for (size_t i = 0; i < node.size(); ++i) {
      const Json& entry = node[i];
      const char* key = !entry.is_object()                                       ? nullptr
                        : entry.contains("subject") && entry.contains("verdict") ? "subject"
                                                                                 : "name";
      const bool is_named = key != nullptr && entry.contains(key) && entry[key].is_string();
      entries.push_back({is_named ? entry[key].get<std::string>() : std::to_string(i), &entry});
    }
  }
  return entries;
}

bool begins_with_name(std::string_view path, std::string_view name) {
  return path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '.');
}

// The place at the end of a path, or the farthest that it leads to and what is left of it.
struct Found {
  const Json* node = nullptr;
  const Json* farthest = nullptr;
  size_t left = 0;  // of the path at the farthest
};

void follow(const Json& node, std::string_view path, Found& found) {
  if (found.farthest == nullptr || path.size() < found.left) {
    found.farthest = &node;
    found.left = path.size();
  }
  if (path.empty()) {
    found.node = &node;
    return;
  }
  std::vector<Entry> entries = list_entries(node);
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name.size() > b.name.size(); });
  std::string_view last;
  for (const Entry& entry : entries) {
    if (!begins_with_name(path, entry.name) || (last.data() != nullptr && last == entry.name)) continue;
    last = entry.name;
    follow(*entry.value, path.substr(std::min(path.size(), entry.name.size() + 1)), found);
    if (found.node != nullptr) return;
  }
}

Found find_place(const Json& document, std::string_view path) {
  Found found;
  follow(document, path, found);
  if (found.node != nullptr || !document.is_object() || !document.contains("verdicts")) return found;
  if (found.left < path.size()) return found;  // it begins with a field
  Found of_verdicts;
  follow(document["verdicts"], path, of_verdicts);
  return of_verdicts.node != nullptr || of_verdicts.left < path.size() ? of_verdicts : found;
}

}  // namespace

StudyValue collect_value(const Json& document, std::string_view path) {
  const Found found = find_place(document, path);
  if (found.node == nullptr) return {};
  if (found.node->is_number()) return found.node->get<double>();
  if (found.node->is_boolean()) return found.node->get<bool>() ? 1.0 : 0.0;
  if (found.node->is_string()) return found.node->get<std::string>();
  return {};
}

std::optional<LostPath> check_path(const Json& document, std::string_view path) {
  const Found found = find_place(document, path);
  LostPath lost;
  const auto add_names = [&](const Json& node) {
    for (const Entry& entry : list_entries(node)) lost.known.push_back(entry.name);
  };
  if (found.node != nullptr) {
    if (!found.node->is_structured()) return std::nullopt;
    lost.reason = fmt::format("'{}' is {}, not one value", path, found.node->is_array() ? "a list" : "an object");
    add_names(*found.node);
    return lost;
  }
  const std::string_view rest = path.substr(path.size() - found.left);
  const std::string_view before = path.substr(0, path.size() - found.left);
  lost.reason = before.empty() ? fmt::format("the answer has no field '{}'", rest)
                               : fmt::format("there is no '{}' in '{}'", rest, before.substr(0, before.size() - 1));
  add_names(*found.farthest);
  if (before.empty() && document.contains("verdicts")) add_names(document["verdicts"]);
  lost.nearest = nearest_name(rest, lost.known);
  if (lost.nearest.empty()) lost.nearest = nearest_name(rest.substr(0, rest.find('.')), lost.known);
  return lost;
}

}  // namespace vinculum
