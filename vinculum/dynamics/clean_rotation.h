// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "vinculum/math/matrix3.h"
#include "vinculum/math/traced.h"

namespace vinculum {

// A rotation without the dust of its angles: for equations that are printed.
inline Matrix3Of<Traced> clean(const Matrix3& R) {
  const auto entry = [](double x) {
    const double whole = std::round(x);
    return Traced(std::abs(x - whole) < 4e-16 ? whole : x);
  };
  const auto column = [&](const Vector3& a) { return Vector3Of<Traced>{entry(a.x), entry(a.y), entry(a.z)}; };
  return {column(R.x), column(R.y), column(R.z)};
}

}  // namespace vinculum
