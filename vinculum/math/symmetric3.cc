// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/symmetric3.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

Vector3 eigenvalues(const Symmetric3& m) { return find_principal_values(m).values; }

PrincipalValues find_principal_values(const Symmetric3& m) {
  // Cyclic Jacobi rotations: a handful of sweeps reaches round-off for any 3x3, also with equal values.
  double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  Vector3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1)), theta);
        const double c = 1 / std::hypot(t, 1), s = t * c;
        for (auto& row : a) {
          const double rp = row[p], rq = row[q];
          row[p] = c * rp - s * rq;
          row[q] = s * rp + c * rq;
        }
        for (int k = 0; k < 3; ++k) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
        }
        const Vector3 axis_p = axes[p], axis_q = axes[q];
        axes[p] = c * axis_p - s * axis_q;
        axes[q] = s * axis_p + c * axis_q;
      }
    }
  }
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int i, int j) { return a[i][i] < a[j][j]; });
  const auto value = [&](int i) { return a[order[i]][order[i]]; };
  const Vector3 &first = axes[order[0]], &second = axes[order[1]];
  return {{value(0), value(1), value(2)}, {first, second, cross(first, second)}};
}

}  // namespace vinculum
