// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/dynamics/memory.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

// The joint wrenches that inverse dynamics left, in world axes about each body origin. All links of a joint carry the same
// wrench: the last one's is about the origin of the user's body.
inline std::vector<Wrench> reactions_in_world(const Model& model, const Workspace::Memory& memory) {
  std::vector<Wrench> reactions;
  reactions.reserve(model.bodies().size());
  for (const Body& body : model.bodies()) {
    const Matrix3& R = memory.world[body.link].R;
    const Wrench& wrench = memory.wrenches[body.link];
    reactions.push_back({R * wrench.force, R * wrench.moment});
  }
  return reactions;
}

}  // namespace vinculum
