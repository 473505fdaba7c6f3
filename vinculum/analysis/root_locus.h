// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <functional>

#include "vinculum/analysis/linearise.h"

namespace vinculum {

// Eigenvalues over a parameter, those of what is ignorable left out.
struct RootLocus {
  struct Point {
    double value = 0;                               // of the parameter
    std::vector<std::complex<double>> eigenvalues;  // both of a pair; as many at every point, each nearest to itself before
    double growth = 0;                              // the largest real part
    Stability stability = Stability::marginal;
  };
  std::vector<Point> points;

  // Where the growth goes through zero, to round-off of the parameter.
  struct Change {
    double value = 0;
    std::complex<double> eigenvalue;  // the one that crosses the axis, Im >= 0
    bool grows = false;               // after the change
  };
  std::vector<Change> changes;

  // Where two real eigenvalues meet and leave as a pair, or the other way round.
  struct Meeting {
    double value = 0;
    double eigenvalue = 0;
    bool becomes_pair = false;
  };
  std::vector<Meeting> meetings;
};

// `at`: the linearisation at a value of the parameter. Changes and meetings are seen if the points are close enough to see them:
// one between two neighbours. The failure of `at`, with the value in its message.
Outcome<RootLocus> trace_root_locus(const std::string& parameter, double from, double to, int count,
                                    const std::function<Outcome<Linearisation>(double)>& at);

}  // namespace vinculum
