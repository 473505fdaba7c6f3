// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/files/write_model.h"
#include "vinculum/model/check_bodies.h"

namespace vinculum {
namespace {

double distance(const Symmetric3& a, const Symmetric3& b) {
  const auto square = [](double x) { return x * x; };
  return std::sqrt(square(a.xx - b.xx) + square(a.yy - b.yy) + square(a.zz - b.zz) +
                   2 * (square(a.xy - b.xy) + square(a.xz - b.xz) + square(a.yz - b.yz)));
}

// About turned axes; a rod is the nearest where two moments are too large beside a negative one.
TEST(NearestInertia, KnownTensors) {
  const Matrix3 R = rotation_from_rpy(0.3, -0.7, 1.1);
  const auto turned = [&](double a, double b, double c) { return sandwich(R, Symmetric3{a, b, c, 0, 0, 0}); };
  EXPECT_LT(distance(nearest_possible_inertia(turned(1, 1, 3)), turned(4. / 3, 4. / 3, 8. / 3)), 1e-14);
  EXPECT_LT(distance(nearest_possible_inertia(turned(5, -1, 5)), turned(5, 0, 5)), 1e-14);
  EXPECT_LT(distance(nearest_possible_inertia(turned(-2, -1, -3)), turned(0, 0, 0)), 1e-14);
  EXPECT_LT(distance(nearest_possible_inertia(turned(1, 2, 2.5)), turned(1, 2, 2.5)), 1e-14);
}

// Nothing possible is nearer: tried on a grid of principal moments about the same axes.
TEST(NearestInertia, NoneIsNearer) {
  for (const Vector3 moments : {Vector3{0.2, 1, 3}, Vector3{-0.3, 1, 1.1}, Vector3{-0.1, 2, 4}, Vector3{0, 0, 1}}) {
    const Symmetric3 given{moments.x, moments.y, moments.z, 0, 0, 0};
    const Symmetric3 nearest = nearest_possible_inertia(given);
    EXPECT_TRUE(is_possible_inertia(nearest));
    for (double x = 0; x <= 4; x += 0.1) {
      for (double y = 0; y <= 4; y += 0.1) {
        for (double z = std::abs(x - y); z <= x + y; z += 0.1) {
          EXPECT_GE(distance(given, Symmetric3{x, y, z, 0, 0, 0}), distance(given, nearest) - 1e-12) << x << " " << y << " " << z;
        }
      }
    }
  }
}

TEST(AcceptInertia, IsReadAndWritten) {
  Diagnostics diagnostics;
  const auto model = read_model(R"yaml(
vinculum: 1
bodies: { a: { joint: {type: revolute, axis: z}, mass: 1, inertia: [1, 1, 3], accept_inertia: true } }
)yaml",
                                diagnostics);
  ASSERT_TRUE(model);
  ASSERT_EQ(diagnostics.list().size(), 1u);
  EXPECT_EQ(diagnostics.list()[0].code, "VN-MODEL-140");
  EXPECT_EQ(diagnostics.list()[0].severity, Severity::warning);
  EXPECT_NE(write_model(model->description()).find("inertia: [1, 1, 3], accept_inertia: true"), std::string::npos)
      << write_model(model->description());
}

}  // namespace
}  // namespace vinculum
