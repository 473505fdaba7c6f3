// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/kinematics_document.h"

#include <algorithm>
#include <cmath>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/math/rotation.h"
#include "vinculum/model/units.h"

namespace vinculum {

Json kinematics_document(const Model& model, const std::vector<double>& q) {
  constexpr const char* kKinds[] = {"fixed", "revolute", "prismatic", "screw", "spherical", "free"};
  const auto turn = [](const Matrix3& R) -> Json {
    const Quaternion Q = to_quaternion(R);
    return {Q.w, Q.x, Q.y, Q.z};
  };
  Json links = Json::array(), bodies = Json::array(), coordinates = Json::array();
  for (const Link& link : model.tree().links) {
    links.push_back({{"parent", link.parent},
                     {"kind", kKinds[static_cast<int>(link.kind)]},
                     {"position", to_json(link.p)},
                     {"orientation", turn(link.C)},
                     {"pitch", link.pitch},
                     {"q", link.q}});
  }
  for (const Body& body : model.bodies()) bodies.push_back({{"link", body.link}, {"orientation", turn(body.R_LB)}});
  const StateUnits units = state_units(model);
  for (size_t i = 0; i < q.size(); ++i) {
    const int index = static_cast<int>(i);
    const bool given = std::any_of(model.driven().begin(), model.driven().end(),
                                   [&](const DrivenCoordinate& driven) { return driven.q == index; });
    coordinates.push_back(
        {{"name", model.coordinate_names()[i]}, {"unit", units.coordinates[i]}, {"value", q[i]}, {"given", given}});
    for (const JointLimit& limit : model.joint_limits()) {
      if (limit.coordinate != index) continue;
      if (std::isfinite(limit.lower)) coordinates.back()["lower"] = limit.lower;
      if (std::isfinite(limit.upper)) coordinates.back()["upper"] = limit.upper;
    }
  }
  // Those that hold at the start: ends of joint ranges are no constraints, and sliders keep to them.
  const ConstraintSet set(model);
  const auto rows = std::count_if(set.rows.begin(), set.rows.end(), [](const Row& row) { return !row.is_drive; });
  return {{"links", links}, {"bodies", bodies}, {"coordinates", coordinates}, {"rows", rows}};
}

}  // namespace vinculum
