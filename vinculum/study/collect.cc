// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/collect.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

namespace {

using Json = nlohmann::ordered_json;

// Visits what can be named in an object or a list: visit(name, value). A study does so at every point, for every path.
template <class Visit>
void for_each_entry(const Json& node, const Visit& visit) {
  if (node.is_object()) {
    for (const auto& [name, value] : node.get_ref<const Json::object_t&>()) visit(std::string_view(name), value);
  } else if (node.is_array()) {
    for (size_t i = 0; i < node.size(); ++i) {
      const Json& entry = node[i];
      const std::string* name = nullptr;
      if (entry.is_object()) {
        const auto subject = entry.find("subject");
        const auto named = subject != entry.end() && entry.contains("verdict") ? subject : entry.find("name");
        if (named != entry.end()) name = named->get_ptr<const std::string*>();
      }
      if (name != nullptr)
        visit(std::string_view(*name), entry);
      else
        visit(std::string_view(std::to_string(i)), entry);
    }
  }
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
    // Of the numbers of an output over a run, the last one.
    const bool has_last = node.is_object() && node.contains("final") && node["final"].is_number();
    found.node = has_last ? &node["final"] : &node;
    return;
  }
  // Names that the path begins with, the longest first; of entries with the same name, thus of the same length, the first counts.
  size_t tried = path.size() + 1;
  while (true) {
    const Json* next = nullptr;
    size_t length = 0;
    for_each_entry(node, [&](std::string_view name, const Json& value) {
      if (name.size() >= tried || !begins_with_name(path, name) || (next != nullptr && name.size() <= length)) return;
      next = &value;
      length = name.size();
    });
    if (next == nullptr) return;
    tried = length;
    follow(*next, path.substr(std::min(path.size(), length + 1)), found);
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
    for_each_entry(node, [&](std::string_view name, const Json&) { lost.known.emplace_back(name); });
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
