// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "vinculum/expression/evaluate.h"
#include "vinculum/math/interval.h"

namespace vinculum {

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

// What a formula of a place (x, y) and its slopes can be over a rectangle.
struct PlaceBounds {
  Interval value, by_x, by_y;
};

// None: the formula has no value anywhere in it, as a root of negative numbers has none. Where the formula has a kink, the slopes
// are those of all sides; where it jumps, they are not bounded.
std::optional<PlaceBounds> bound_over_place(const Expression& expression, const Interval& x, const Interval& y);

}  // namespace vinculum
