// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/sections.h"

namespace vinculum {

std::vector<Section> list_sections(const Model& model) {
  const ModelDescription& words = model.description();
  const auto names_of = [](const auto& elements) {
    std::vector<std::string> names;
    for (const auto& element : elements) names.push_back(element.name);
    return names;
  };
  std::vector<std::string> motions;
  for (const MotionDescription& motion : words.motions) motions.push_back(motion.coordinate);
  return {{"environment", "environment", names_of(words.environment)},
          {"contacts", "contacts", names_of(words.contacts)},
          {"motions", "motions", motions},
          {"velocity_constraints", "velocity eqs.", names_of(words.velocity_constraints)},
          {"strings", "strings", names_of(words.strings)},
          {"guides", "guides", names_of(words.guides)},
          {"limits", "joint limits", names_of(model.joint_limits())},
          {"forces", "forces", names_of(words.forces)},
          {"events", "events", names_of(words.events)},
          {"outputs", "outputs", names_of(words.outputs)},
          {"states", "further states", names_of(words.states)},
          {"inputs", "inputs", names_of(words.inputs)},
          {"samples", "samples", names_of(words.samples)},
          {"tables", "tables", names_of(words.tables)}};
}

}  // namespace vinculum
