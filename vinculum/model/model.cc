// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/model.h"

#include <algorithm>
#include <cmath>

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

const ExtraState* Model::first_own_state() const {
  const auto found = std::ranges::find(extra_states_, ExtraState::Kind::state, &ExtraState::kind);
  return found == extra_states_.end() ? nullptr : &*found;
}

std::optional<int> Model::find_input(std::string_view name) const {
  const auto found = std::ranges::find(inputs_, name, &Input::name);
  return found == inputs_.end() ? std::nullopt : std::optional(static_cast<int>(found - inputs_.begin()));
}

bool Model::has_followed_rows(bool contacts_part) const {
  return std::any_of(one_sided_.begin(), one_sided_.end(),
                     [&](const OneSided& element) { return contacts_part || element.always_followed; });
}

bool Model::fits_memory(std::span<const double> memory) const {
  if (static_cast<int>(memory.size()) != memory_size()) return false;
  return std::all_of(memories_.begin(), memories_.end(), [&](const Memory& each) {
    const double count = memory[each.first];
    return !each.is_list || (count >= 0 && count < each.size && count == std::floor(count));
  });
}

std::vector<int> Model::usual_modes() const {
  std::vector<int> values;
  for (const ElementMode& mode : modes_) values.push_back(mode.usual);
  return values;
}

}  // namespace vinculum
