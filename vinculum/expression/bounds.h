// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/expression/evaluate.h"

namespace vinculum {

// All numbers from low to high; infinite where nothing is known.
struct Interval {
  double low = 0, high = 0;
};

// What a formula and its rate can be while t goes over an interval and everything else stands still. An enclosure up to
// round-off: the formula takes no value outside, though perhaps not all inside.
struct Bounds {
  Interval value, rate;
};

// Of one step from the bounds of its operands: the rules of differentiate.h on intervals. Where only a part of an operand's
// interval is in the domain of a function, its values there.
Bounds bound_step(const Step& step, const Bounds& left, const Bounds& right, const Bounds& third);

// `at.time` is not looked at. `scratch` is grown once and then reused.
Bounds bound_over_time(const Expression& expression, Interval time, const Bindings& at, std::vector<Bounds>& scratch);

// What a formula can be at all, whatever t, q and v are: a single point where it is constant however it is written.
Interval bound_everywhere(const Expression& expression);

}  // namespace vinculum
