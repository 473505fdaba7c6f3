// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/model.h"

#include <fmt/core.h>

namespace vinculum {

namespace {

std::optional<int> find_in(const std::unordered_map<std::string, int>& index, std::string_view name) {
  const auto found = index.find(std::string(name));
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<int> Model::find_body(std::string_view name) const { return name == "world" ? kWorld : find_in(body_index_, name); }
std::optional<int> Model::find_coordinate(std::string_view name) const { return find_in(coordinate_index_, name); }
std::optional<int> Model::find_velocity(std::string_view name) const { return find_in(velocity_index_, name); }

std::vector<int> Model::usual_modes() const {
  std::vector<int> values;
  for (const ElementMode& mode : modes_) values.push_back(mode.usual);
  return values;
}

std::vector<std::string> Model::unsupported() const {
  std::vector<std::string> elements;
  const auto list = [&](const char* kind, const auto& section) {
    for (const auto& element : section) elements.push_back(fmt::format("{} '{}'", kind, element.name));
  };
  list("string", description_.strings);
  return elements;
}

}  // namespace vinculum
