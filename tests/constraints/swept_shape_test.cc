// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/swept_shape.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace vinculum {
namespace {

// A rim with its axis in the horizontal plane at the angle `heading`, its centre at a height.
SweptShape place_rim(double radius, double heading, double height) {
  SweptShape rim;
  rim.kind = SweptShape::Kind::wheel;
  rim.radius = radius;
  rim.center = {Vector3{0, 0, height}, Vector3{0, 0, height}};
  rim.first = {Vector3{std::sin(heading), -std::cos(heading), 0}, Vector3{std::sin(heading), -std::cos(heading), 0}};
  rim.second = {Vector3{0, 0, -1}, Vector3{0, 0, -1}};
  return rim;
}

// The plane of a rim turns by a about the vertical. The straight way between the ends is the chord, which leaves the arc by
// radius (1 - cos a/2) in the middle; a centre that rises by h and comes down again adds h. The doubt is twice that.
TEST(SweptShape, DoubtOfARimIsThatOfItsChord) {
  for (const double radius : {0.3, 2.0}) {
    for (const double turn : {0.2, -1.1}) {
      for (const double rise : {0.0, 0.05}) {
        std::array<SweptShape, 3> between;
        for (int k = 0; k < 3; ++k) {
          const double s = 0.25 * (k + 1);
          between[k] = place_rim(radius, s * turn, 4 * s * (1 - s) * rise);
        }
        const SweptShape swept = sweep_shape(place_rim(radius, 0, 0), place_rim(radius, turn, 0), between);
        EXPECT_NEAR(swept.doubt, 2 * (radius * (1 - std::cos(turn / 2)) + rise), 1e-14);
        // So that every point of the rim on its way is within the doubt of the straight one.
        for (double s = 0; s <= 1; s += 0.125) {
          const SweptShape at = place_rim(radius, s * turn, 4 * s * (1 - s) * rise);
          for (double angle = 0; angle < 6; angle += 0.5) {
            const Vector3 own = at.center[0] + radius * at.outward_at(angle, 0);
            const Vector3 straight = swept.center_at(s) + radius * swept.outward_at(angle, s);
            EXPECT_LE(norm(own - straight), swept.doubt + 1e-14) << "s = " << s << ", angle " << angle;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace vinculum
