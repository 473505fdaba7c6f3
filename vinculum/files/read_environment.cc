// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/read_sections.h"

namespace vinculum {

void read_environment(ReaderContext& context, YamlNode section, ModelDescription& model) {
  read_entries(context, section, "environment body", Naming::own, [&](std::string name, Place place, YamlNode node) {
    EnvironmentDescription body;
    body.name = std::move(name);
    body.place = place;
    const Fields fields(context, node, {"surface", "position", "rotation"});
    if (const YamlNode surface = fields["surface"]; surface && surface.is_scalar() && surface.text() == "plane") {
      body.surface = Expression(0.0);
    } else if (Expression height; read_formula(context, surface, Scope::surface, kLength, height)) {
      body.surface = height;
    }
    read_formulas(context, fields["position"], Scope::time, kLength, body.position);
    read_moving_rotation(context, fields["rotation"], body.rotation, body.turns);
    model.environment.push_back(std::move(body));
  });
}

}  // namespace vinculum
