// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "vinculum/model/model.h"

namespace vinculum {

inline std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& known, std::string otherwise) {
  const std::string nearest = nearest_name(unknown, known);
  return nearest.empty() ? otherwise : fmt::format("did you mean '{}'?", nearest);
}

// Resolves the names of one model and reports unknown ones.
class Names {
 public:
  Names(const Model& model, const ModelDescription& words, Diagnostics& diagnostics)
      : model_(model), words_(words), diagnostics_(diagnostics) {
    for (size_t i = 0; i < words.environment.size(); ++i) environment_.emplace(words.environment[i].name, static_cast<int>(i));
  }

  std::optional<int> body(const Located<std::string>& name, const std::string& element) const {
    const auto found = model_.find_body(*name);
    if (found && *found != kWorld) return found;
    diagnostics_.error("VN-MODEL-030", name.place, element,
                       *name == "world" ? "a body is needed here, not the world" : fmt::format("there is no body '{}'", *name),
                       did_you_mean(*name, body_names(), "this must be one of `bodies`"));
    return std::nullopt;
  }

  // A body, an environment body, or the world.
  std::optional<Anchor> anchor(const Located<std::string>& name, const Vector3& point, const std::string& element) const {
    if (*name == "world") return Anchor{Anchor::On::world, 0, point};
    if (const auto found = model_.find_body(*name)) return Anchor{Anchor::On::body, *found, point};
    if (const auto found = environment_.find(*name); found != environment_.end()) {
      return Anchor{Anchor::On::environment, found->second, point};
    }
    auto known = body_names();
    known.push_back("world");
    for (const auto& body : words_.environment) known.push_back(body.name);
    diagnostics_.error("VN-MODEL-031", name.place, element, fmt::format("there is no body or environment body '{}'", *name),
                       did_you_mean(*name, known, "this must be `world`, one of `bodies` or one of `environment`"));
    return std::nullopt;
  }

 private:
  std::vector<std::string> body_names() const {
    std::vector<std::string> names;
    for (const Body& body : model_.bodies()) names.push_back(body.name);
    return names;
  }

  const Model& model_;
  const ModelDescription& words_;
  Diagnostics& diagnostics_;
  std::map<std::string, int> environment_;
};

}  // namespace vinculum
