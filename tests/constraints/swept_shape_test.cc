// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/geometry/swept_shape.h"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/geometry/near_places.h"

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

// A ball that flies straight over bumps, against samples of its way: where one of these has the surface inside the ball, it is
// not clear.
TEST(SweptShape, NoBallIsClearOfWhatItFliesThrough) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
environment: { bumps: { surface: "0.3*exp(-(x^2 + y^2)/0.02) + 0.2*exp(-((x - 1)^2 + (y - 0.3)^2)/0.005)" } }
bodies: { ball: { joint: {type: free}, mass: 1, inertia: [1, 1, 1] } }
contacts: { touch: { body: ball, with: bumps, sphere: {center: [0, 0, 0], radius: 0.1}, forbid: [normal] } }
)yaml");
  const auto height = [](double x, double y) {
    return 0.3 * std::exp(-(x * x + y * y) / 0.02) + 0.2 * std::exp(-((x - 1) * (x - 1) + (y - 0.3) * (y - 0.3)) / 0.005);
  };
  std::mt19937 random(12);
  std::uniform_real_distribution<double> number(-1, 1), heights(0.15, 0.5);
  int clear = 0, reached = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SweptShape ball;
    ball.kind = SweptShape::Kind::sphere;
    ball.radius = 0.1;
    ball.center = {Vector3{-1 + 0.3 * number(random), 0.3 * number(random), heights(random)},
                   Vector3{1.5 + 0.5 * number(random), 0.3 * number(random), heights(random)}};
    double deepest = 0;
    for (double s = 0; s <= 1; s += 1.0 / 128) {
      const Vector3 c = ball.center_at(s);
      for (double x = -0.1; x <= 0.1; x += 0.0125) {
        for (double y = -0.1; y <= 0.1; y += 0.0125)
          deepest = std::max(deepest, 0.1 - std::hypot(x, y, height(c.x + x, c.y + y) - c.z));
      }
    }
    const Clearance found = check_clearance(model.contacts()[0].surface, ball, 1e-6, std::nullopt);
    if (deepest > 1e-3) {
      ++reached;
      EXPECT_EQ(found.is, Clearance::Is::reached) << trial << ", depth " << deepest;
    }
    clear += found.is == Clearance::Is::clear ? 1 : 0;
  }
  EXPECT_GT(clear, 20);
  EXPECT_GT(reached, 20);
}

}  // namespace
}  // namespace vinculum
