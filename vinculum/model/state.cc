// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/state.h"

#include <cmath>

#include <fmt/core.h>

namespace vinculum {

int quaternion_index(const Link& link) {
  const LinkTraits traits = traits_of(link.kind);
  return traits.is_ball ? link.q + traits.coordinates - 4 : -1;
}

void normalize_quaternions(const Model& model, State& state, Diagnostics& diagnostics) {
  for (const Body& body : model.bodies()) {
    const int first = quaternion_index(model.tree().links[body.link]);
    if (first < 0) continue;
    double* q = &state.q[first];
    const Quaternion given{q[0], q[1], q[2], q[3]};
    const double length = norm(given);
    const std::string element = fmt::format("body '{}'", body.name);
    if (!(length > 1e-6) || !std::isfinite(length)) {
      diagnostics.error("VN-MODEL-039", {}, element,
                        fmt::format("the quaternion ({:g}, {:g}, {:g}, {:g}) gives no orientation", q[0], q[1], q[2], q[3]),
                        "its length must be 1; no rotation is (1, 0, 0, 0)");
    } else if (std::abs(length - 1) > 1e-9) {
      const Quaternion unit = normalized(given);
      diagnostics.warning("VN-MODEL-040", {}, element,
                          fmt::format("the quaternion of the start state has length {:.9g}; it was normalised", length));
      q[0] = unit.w;
      q[1] = unit.x;
      q[2] = unit.y;
      q[3] = unit.z;
    }
  }
}

}  // namespace vinculum
