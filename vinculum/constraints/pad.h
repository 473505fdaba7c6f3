// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// How a round pad presses: w(x) over x = r/radius.
struct PressureLaw {
  enum class Kind { power, cosine };
  Kind kind = Kind::power;
  double n = 0;  // power: (1 - x²)ⁿ, n ≥ -1 (-1: a thin ring); cosine: cosⁿ(πx/2), n > -1

  static PressureLaw uniform() { return {Kind::power, 0}; }
  static PressureLaw punch() { return {Kind::power, -0.5}; }
  static PressureLaw hertz() { return {Kind::power, 0.5}; }
  bool operator==(const PressureLaw&) const = default;
};

// uniform | punch | hertz | power:N | cosine:N ; failure VN-VARIANT-010 for another word, VN-VARIANT-011 for an exponent out of
// its range.
Outcome<PressureLaw> read_pressure(std::string_view text);
std::optional<Failure> check_pressure(const PressureLaw& law);

// Friction of a pad that slides with V and spins with Ω at once, beta = V/(|Ω| radius) (theory 5, section 5):
//
//   force = f N S against V ,   moment about the centre = f N radius T against Ω ,   power = f N |Ω| radius D ,
//   S = dD/dbeta ,  T = D - beta S ,
//
// D: mean distance of the pad's points from its instantaneous centre, weighted by the pressure, in radii.
struct PadFactors {
  double S = 0, T = 0, D = 0;
};

// Means <x^k> of the pressure, weighted by area.
struct PadMoments {
  double inverse = 0, first = 0;  // <1/x>, <x>
  std::vector<double> even;       // <x^2j>, j = 0 ..
};

// To round-off: closed forms of uniform, punch, Hertz and ring, else quadrature (tanh-sinh on both sides of x = beta); the series
// of moments from beta = 2 on. beta ≥ 0 and finite.
PadFactors compute_pad(const PressureLaw& law, double beta);
PadMoments compute_pad_moments(const PressureLaw& law);

// The same from a table, to 1e-10, in nanoseconds: polynomials of degree 16 on panels that halve towards beta = 1. A panel is
// filled where it is first asked for, by 17 quadratures; threads may share a table.
class PadTable {
 public:
  explicit PadTable(const PressureLaw& law);
  PadFactors at(double beta) const;
  const PressureLaw& law() const { return law_; }

 private:
  static constexpr int kDegree = 16, kPanels = 36, kTerms = 40;
  struct Panel {
    double middle = 0, inverse_half = 0;
    std::array<double, kDegree + 1> S{}, T{};  // powers of (beta - middle) inverse_half
    std::once_flag filled;
  };
  void fill(Panel& panel, int j, bool above) const;

  PressureLaw law_;
  mutable std::array<Panel, 2 * kPanels> panels_;  // |1 - beta| in [2^-(j+1), 2^-j] below 1, then above
  PadFactors at_one_;
  std::array<double, kTerms + 1> S_series_{}, T_series_{};  // in beta^-2, from beta = 2 on
};

// compute_pad where it has a closed form, else a table of the law: of the last few laws it is kept, in each thread.
PadFactors look_up_pad(const PressureLaw& law, double beta);
std::shared_ptr<const PadTable> find_pad_table(const PressureLaw& law);  // none: there is a closed form

// A disc with this pressure slides and spins to rest, J = gyration m R². Both end together, and v/(ω R) tends to the
// root of gyration S(beta) = beta T(beta). 0: it only rotates at the end; none: it only slides (theory 5, section 6).
std::optional<double> find_final_ratio(const PressureLaw& law, double gyration);

}  // namespace vinculum
