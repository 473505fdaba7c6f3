// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "vinculum/files/read_model.h"

namespace vinculum::testing {

// The motion platform of 25 bodies on six legs, theory 1, section 11: 48 velocities, 42 rows, 6 freedoms. Each leg is
// platform -rx- cross -ry- cylinder -(tz, rz)- rod -(rx ry rz)- foot, the foot bolted to `base` and the rod kept from turning.
struct MotionPlatform {
  static Vector3 platform_joint(int leg) {
    const double angle = M_PI / 3 + 2 * M_PI / 3 * (leg / 2) + (leg % 2 == 0 ? -0.30 : 0.30);
    return {0.9 * std::cos(angle), 0.9 * std::sin(angle), 0};
  }
  static Vector3 ball_center(int leg) {
    const double angle = 2 * M_PI / 3 * ((leg + 1) / 2) + (leg % 2 == 0 ? 0.22 : -0.22);
    return {1.4 * std::cos(angle), 1.4 * std::sin(angle), 0.06};
  }

  // `base`: the lines of an environment body's position and rotation; actuators push with `forces` along the legs.
  static std::string text(const std::vector<double>& forces, const std::string& base = "surface: plane") {
    std::string bodies = "vinculum: 1\nname: motion platform\nbodies:\n";
    std::string contacts = "contacts:\n", motions = "motions:\n", pushes = "forces:\n";
    bodies += "  platform: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 450, com: [0, 0, 0.15], inertia: [120, 130, 210] }\n";
    for (int i = 0; i < 6; ++i) {
      const Vector3 a = platform_joint(i), b = ball_center(i);
      bodies += fmt::format(
          "  cross{0}: {{ parent: platform, joint: {{axes: [rx], origin: [{1}, {2}, 0], rotation: [0, 1, 0, 0]}}, mass: 3, "
          "inertia: [0.010, 0.012, 0.011] }}\n"
          "  cylinder{0}: {{ parent: cross{0}, joint: {{axes: [ry]}}, mass: 35, com: [0, 0, 0.35], inertia: [1.6, 1.6, 0.09] }}\n"
          "  rod{0}: {{ parent: cylinder{0}, joint: {{axes: [tz, rz]}}, mass: 18, com: [0, 0, 0.40], inertia: [0.98, 0.98, "
          "0.014] "
          "}}\n"
          "  foot{0}: {{ parent: rod{0}, joint: {{axes: [rx, ry, rz], origin: [0, 0, 0.8]}}, mass: 5, com: [0, 0, 0.03], "
          "inertia: [0.020, 0.021, 0.018] }}\n",
          i, a.x, a.y);
      contacts += fmt::format(
          "  bolt{0}: {{ body: foot{0}, with: base, frame: {{on_body: {{point: [0, 0, 0.06], rotation: [0.5, 0.5, 0.5, -0.5]}}, "
          "on_environment: {{point: [{1}, {2}, 0], rotation: [0.5, -0.5, -0.5, -0.5]}}}}, forbid: [normal, lateral, forward, "
          "yaw, pitch, roll] }}\n",
          i, b.x, b.y);
      motions += fmt::format("  rod{}.rz: \"0\"\n", i);
      pushes += fmt::format("  actuator{0}: {{ joint: rod{0}.tz, law: {1} }}\n", i, forces[i]);
    }
    return bodies + "environment:\n  base: { " + base + " }\n" + contacts + motions + pushes;
  }

  struct Leg {
    double cross = 0, cylinder = 0, stroke = 0;
    Vector3 foot;  // its three angles
  };

  // l = (R_p F)ᵀ(b - r_p - R_p a), F = diag(1, -1, -1); the foot from (R_p F c1 c2)ᵀ F.
  static Leg place_leg(int leg, const Vector3& position, const Matrix3& R_p) {
    const Matrix3 F{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const Vector3 l = transpose_times(R_p * F, ball_center(leg) - position - R_p * platform_joint(leg));
    const Vector3 e = (1 / norm(l)) * l;
    Leg result;
    result.cross = std::atan2(-e.y, e.z);
    result.cylinder = std::atan2(e.x, std::hypot(e.y, e.z));
    result.stroke = norm(l) - 0.8;
    const Matrix3 rod = R_p * F * rotation_about({1, 0, 0}, result.cross) * rotation_about({0, 1, 0}, result.cylinder);
    const Matrix3 Q = transpose(rod) * F;
    result.foot = {std::atan2(-Q(1, 2), Q(2, 2)), std::atan2(Q(0, 2), std::hypot(Q(0, 0), Q(0, 1))),
                   std::atan2(-Q(0, 1), Q(0, 0))};
    return result;
  }

  // Coordinates for a pose x, y, z and angles about x, y, z in turn.
  static std::vector<double> place(const std::vector<double>& pose) {
    const Matrix3 R =
        rotation_about({1, 0, 0}, pose[3]) * rotation_about({0, 1, 0}, pose[4]) * rotation_about({0, 0, 1}, pose[5]);
    std::vector<double> q = pose;
    for (int i = 0; i < 6; ++i) {
      const Leg leg = place_leg(i, {pose[0], pose[1], pose[2]}, R);
      q.insert(q.end(), {leg.cross, leg.cylinder, leg.stroke, 0, leg.foot.x, leg.foot.y, leg.foot.z});
    }
    return q;
  }
};

}  // namespace vinculum::testing
