// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "vinculum/geometry/swept_shape.h"
#include "vinculum/math/interval.h"

// All places where a wheel or a sphere is near a surface z = f(x, y), with proof: nothing else is nearer, however narrow. The
// surface is divided until interval bounds decide each part (theory 6, section 3.5).
//
//   sphere about X   G = ½ |(x, y, f) - X|² over (x, y);  gap √(2G) - radius
//   wheel            h = z - f(x, y) over the angle of the rim;  gap h, measured vertically: its sign is that of the distance
//   point            h
//
// A part is left out if its gap is too large, or if it has no place of least distance inside (a derivative is not zero there);
// where the second derivatives are positive there is at most one, found by Newton's method. Kinks and jumps of f have unbounded
// second derivatives and are divided down to 1e-7 of the radius.
namespace vinculum {

struct NearPlace {
  std::array<double, 2> at{};  // sphere: x, y; wheel: the angle of the rim
  double gap = 0;
};

struct NearPlaces {
  std::vector<NearPlace> list;  // nearest first
  double beyond = 0;            // [m] all places that are not listed are at least so far
  bool is_complete = true;      // false: too many parts
};

// Local minima of the gap up to `window` above the least one, or above zero where that is negative. The shape is at rest. Where
// it is farther away than its radius no place is listed unless asked for, and `beyond` is nine tenths of the gap. Empty: there,
// or the surface has no value.
const NearPlaces& find_near_places(const SurfaceLaw& surface, const SweptShape& shape, double window, bool also_far);

// Whether a shape that moves stays clear of the surface, up to an allowed depth.
struct Clearance {
  enum class Is { clear, reached, open } is = Is::clear;  // open: not decided, the way is too long
  double s = 0;                                           // reached: where on the way
};

// `followed`: ranges of the place where it touches, while it moves; there the surface may be. Around it there must be no other
// place of least distance, or the answer is open.
Clearance check_clearance(const SurfaceLaw& surface, const SweptShape& shape, double allowed_depth,
                          const std::optional<std::array<Interval, 2>>& followed);

// The surface is so little curved that a sphere or wheel which reaches no farther than `reach` from its centre has one nearest
// place: no search is needed. With κ a bound of the second derivatives of f, the surface over a way of 2 reach leaves its chord
// by at most κ reach²/2, so that G is convex there if 1.5 κ reach < 1. A wheel sees its plane's section of the surface.
bool is_gentle(const SurfaceLaw& surface, const SweptShape& shape, double reach);

}  // namespace vinculum
