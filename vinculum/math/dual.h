// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "vinculum/math/pack.h"

namespace vinculum {

// A value with its derivatives in some directions at once: f(x + ε d) = f(x) + ε f'(x) d.
//
//   Dual<double, double>       one direction
//   Dual<double, Pack<8>>      eight directions of one state: columns of a Jacobian
//   Dual<Pack<8>, Pack<8>>     one direction in each of eight states
//
// Values have the bits they have without derivatives. Where a function has a corner (abs and sign at 0) its derivative is taken
// as 0; at a jump (floor, choose) it is that of the value it has.
template <class Value, class Derivatives>
struct Dual {
  Value value;
  Derivatives derivatives;

  Dual() = default;
  VINCULUM_INLINE explicit Dual(double constant) : value(lift<Value>(constant)), derivatives(lift<Derivatives>(0)) {}
  VINCULUM_INLINE Dual(const Value& v, const Derivatives& d) : value(v), derivatives(d) {}

  friend VINCULUM_INLINE Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.derivatives + b.derivatives};
  }
  friend VINCULUM_INLINE Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.derivatives - b.derivatives};
  }
  friend VINCULUM_INLINE Dual operator-(const Dual& a) { return {-a.value, -a.derivatives}; }
  friend VINCULUM_INLINE Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, multiply_add(Derivatives(a.value), b.derivatives, Derivatives(b.value) * a.derivatives)};
  }
  friend VINCULUM_INLINE Dual operator/(const Dual& a, const Dual& b) {
    const Value quotient = a.value / b.value;
    return {quotient, Derivatives(lift<Value>(1) / b.value) * multiply_add(-Derivatives(quotient), b.derivatives, a.derivatives)};
  }

  friend VINCULUM_INLINE auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend VINCULUM_INLINE auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend VINCULUM_INLINE auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend VINCULUM_INLINE auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend VINCULUM_INLINE auto operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

  friend VINCULUM_INLINE Dual multiply_add(const Dual& a, const Dual& b, const Dual& c) {
    return {multiply_add(a.value, b.value, c.value),
            multiply_add(Derivatives(a.value), b.derivatives, multiply_add(Derivatives(b.value), a.derivatives, c.derivatives))};
  }
  friend VINCULUM_INLINE Dual sqrt(const Dual& a) {
    using std::sqrt;
    const Value root = sqrt(a.value);
    return {root, Derivatives(lift<Value>(0.5) / root) * a.derivatives};
  }
  friend VINCULUM_INLINE Dual exp(const Dual& a) {
    using std::exp;
    const Value power = exp(a.value);
    return {power, Derivatives(power) * a.derivatives};
  }
  friend VINCULUM_INLINE Dual log(const Dual& a) {
    using std::log;
    return {log(a.value), Derivatives(lift<Value>(1) / a.value) * a.derivatives};
  }
  friend VINCULUM_INLINE Dual abs(const Dual& a) {
    using std::abs;
    return {abs(a.value), Derivatives(sign(a.value)) * a.derivatives};
  }
  friend VINCULUM_INLINE Dual sign(const Dual& a) { return {sign(a.value), lift<Derivatives>(0)}; }
  friend VINCULUM_INLINE Dual tanh(const Dual& a) {
    using std::tanh;
    const Value t = tanh(a.value);
    return {t, Derivatives(lift<Value>(1) - t * t) * a.derivatives};
  }
  friend VINCULUM_INLINE Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const Value square = multiply_add(x.value, x.value, y.value * y.value);
    return {atan2(y.value, x.value),
            Derivatives(x.value / square) * y.derivatives - Derivatives(y.value / square) * x.derivatives};
  }
  friend VINCULUM_INLINE Dual floor(const Dual& a) {
    using std::floor;
    return {floor(a.value), lift<Derivatives>(0)};
  }
  friend VINCULUM_INLINE Dual choose(const Dual& s, const Dual& x, const Dual& y) {
    return {choose(s.value, x.value, y.value), choose(Derivatives(s.value), x.derivatives, y.derivatives)};
  }
  friend VINCULUM_INLINE SinCos<Dual> sincos(const Dual& a) {
    const auto [s, c] = sincos(a.value);
    return {{s, Derivatives(c) * a.derivatives}, {c, -Derivatives(s) * a.derivatives}};
  }

  // (aᵇ)' = b aᵇ⁻¹ a' + aᵇ log(a) b' ; the logarithm counts only where the exponent moves, so that a constant one allows any
  // base.
  friend VINCULUM_INLINE Dual pow(const Dual& a, const Dual& b) {
    using std::log, std::pow;
    const Value power = pow(a.value, b.value), slope = b.value * pow(a.value, b.value - lift<Value>(1));
    const Derivatives zero = lift<Derivatives>(0), by_exponent = Derivatives(power * log(a.value)) * b.derivatives;
    return {power, multiply_add(Derivatives(slope), a.derivatives, select(b.derivatives == zero, zero, by_exponent))};
  }

  friend VINCULUM_INLINE Dual min(const Dual& a, const Dual& b) { return select(a < b, a, b); }
  friend VINCULUM_INLINE Dual max(const Dual& a, const Dual& b) { return select(a > b, a, b); }
};

template <int N, class Value, class Derivatives>
VINCULUM_INLINE Dual<Value, Derivatives> select(const Mask<N>& mask, const Dual<Value, Derivatives>& where_true,
                                                const Dual<Value, Derivatives>& where_false) {
  return {select(mask, where_true.value, where_false.value), select(mask, where_true.derivatives, where_false.derivatives)};
}

}  // namespace vinculum
