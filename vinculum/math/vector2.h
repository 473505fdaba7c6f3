// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/scalar.h"

namespace vinculum {

// Two components in a plane with a sense of turning.
struct Vector2 {
  double x = 0;
  double y = 0;

  VINCULUM_INLINE Vector2& operator+=(const Vector2& b) {
    x += b.x;
    y += b.y;
    return *this;
  }
};

VINCULUM_INLINE Vector2 operator+(const Vector2& a, const Vector2& b) { return {a.x + b.x, a.y + b.y}; }
VINCULUM_INLINE Vector2 operator-(const Vector2& a, const Vector2& b) { return {a.x - b.x, a.y - b.y}; }
VINCULUM_INLINE Vector2 operator-(const Vector2& a) { return {-a.x, -a.y}; }
VINCULUM_INLINE Vector2 operator*(double factor, const Vector2& a) { return {factor * a.x, factor * a.y}; }
VINCULUM_INLINE Vector2 multiply_add(double factor, const Vector2& a, const Vector2& b) {
  return {multiply_add(factor, a.x, b.x), multiply_add(factor, a.y, b.y)};
}
VINCULUM_INLINE double dot(const Vector2& a, const Vector2& b) { return multiply_add(a.x, b.x, a.y * b.y); }
// The component of the product along the normal of the plane.
VINCULUM_INLINE double cross(const Vector2& a, const Vector2& b) { return multiply_add(a.x, b.y, -(a.y * b.x)); }
// A quarter of a turn on: normal × a.
VINCULUM_INLINE Vector2 quarter_turn(const Vector2& a) { return {-a.y, a.x}; }

// A turn by an angle, by its cosine and sine.
struct Turn2 {
  double cos = 1;
  double sin = 0;
};
VINCULUM_INLINE Turn2 operator*(const Turn2& a, const Turn2& b) {
  return {multiply_add(a.cos, b.cos, -(a.sin * b.sin)), multiply_add(a.sin, b.cos, a.cos * b.sin)};
}
VINCULUM_INLINE Vector2 operator*(const Turn2& turn, const Vector2& a) {
  return {multiply_add(turn.cos, a.x, -(turn.sin * a.y)), multiply_add(turn.sin, a.x, turn.cos * a.y)};
}
VINCULUM_INLINE Vector2 transpose_times(const Turn2& turn, const Vector2& a) {
  return {multiply_add(turn.cos, a.x, turn.sin * a.y), multiply_add(turn.cos, a.y, -(turn.sin * a.x))};
}

}  // namespace vinculum
