// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/pad.h"

#include <cmath>

#include <gtest/gtest.h>

#include "vinculum/math/quadrature.h"

namespace vinculum {
namespace {

constexpr auto kPower = PressureLaw::Kind::power, kCosine = PressureLaw::Kind::cosine;

// Theory 5, W1: S, T at beta = 0.5, 1, 2; 1e-16 for n ≥ 0, 3e-13 at n = -0.5 of the cosine.
TEST(Pad, WorkedValues) {
  const struct {
    PressureLaw law;
    double S[3], T[3], tolerance;
  } cases[] = {{PressureLaw::uniform(),
                {0.483843755630126, 0.848826363156775, 0.967687511260252},
                {0.547748354772201, 0.282942121052258, 0.127809198284151},
                2e-15},
               {PressureLaw::punch(),
                {0.392699081698724, 0.785398163397448, 0.956611477490518},
                {0.687223392972767, 0.392699081698724, 0.171213314093070},
                2e-15},
               {PressureLaw::hertz(),
                {0.552233083638831, 0.883572933822129, 0.974278579257494},
                {0.455592294002035, 0.220893233455532, 0.101909332919340},
                2e-15},
               {{kCosine, 1},
                {0.618877674646333, 0.909474923505288, 0.979496851586545},
                {0.375070159198182, 0.173537939451301, 0.081352277227089},
                4e-15},
               {{kCosine, -0.5},
                {0.386386346579158, 0.781460833938299, 0.955904852384811},
                {0.696445678167309, 0.399582428155015, 0.173984940057028},
                4e-13},
               {{kCosine, 3},
                {0.765905743706337, 0.951176048535221, 0.988444784384841},
                {0.218711713425253, 0.095349972573492, 0.045987324697503},
                4e-15}};
  for (const auto& [law, S, T, tolerance] : cases) {
    for (int i = 0; i < 3; ++i) {
      const double beta = std::vector{0.5, 1.0, 2.0}[i];
      const PadFactors factors = compute_pad(law, beta);
      EXPECT_NEAR(factors.S, S[i], tolerance) << "n = " << law.n << ", beta = " << beta;
      EXPECT_NEAR(factors.T, T[i], tolerance) << "n = " << law.n << ", beta = " << beta;
    }
  }
}

// The family by quadrature is the family by closed forms: n next to the special values, by continuity (dS/dn is of the order of
// 1).
TEST(Pad, QuadratureMeetsClosedForms) {
  for (const double n : {-0.5, 0.0, 0.5}) {
    for (const double beta : {0.0, 0.3, 0.999, 1.0, 1.001, 1.7}) {
      const PadFactors closed = compute_pad({kPower, n}, beta), below = compute_pad({kPower, n - 1e-5}, beta),
                       above = compute_pad({kPower, n + 1e-5}, beta);
      EXPECT_NEAR(closed.S, 0.5 * (below.S + above.S), 1e-9) << n << " " << beta;
      EXPECT_NEAR(closed.T, 0.5 * (below.T + above.T), 1e-9) << n << " " << beta;
    }
  }
}

// Two dimensions, by quadrature of the pad itself: D = ∫∫ w √((beta + r sin)² + (r cos)²) / ∫∫ w.
TEST(Pad, MeanDistanceFromTheCentre) {
  const auto D = [](double beta, const auto& w) {
    const auto over = [&](const auto& f) {
      return integrate_function(
          [&](double r) { return integrate_function([&](double angle) { return r * w(r) * f(r, angle); }, 0, 2 * M_PI); }, 0, 1);
    };
    return over([&](double r, double angle) { return std::hypot(beta + r * std::sin(angle), r * std::cos(angle)); }) /
           over([](double, double) { return 1.0; });
  };
  EXPECT_NEAR(compute_pad({kPower, 2}, 1.5).D, D(1.5, [](double r) { return (1 - r * r) * (1 - r * r); }), 1e-12);
  EXPECT_NEAR(compute_pad({kCosine, 2}, 1.2).D, D(1.2, [](double r) { return std::pow(std::cos(M_PI * r / 2), 2); }), 1e-12);
}

// S = dD/dbeta for every law: one potential.
TEST(Pad, ForceIsTheSlopeOfThePower) {
  for (const PressureLaw law :
       {PressureLaw{kPower, -1}, PressureLaw{kPower, -0.7}, PressureLaw{kPower, 3}, PressureLaw{kCosine, 1}}) {
    for (const double beta : {0.2, 0.8, 1.3, 4.0}) {
      const double h = 1e-3, slope = (8 * (compute_pad(law, beta + h).D - compute_pad(law, beta - h).D) -
                                      (compute_pad(law, beta + 2 * h).D - compute_pad(law, beta - 2 * h).D)) /
                                     (12 * h);
      EXPECT_NEAR(compute_pad(law, beta).S, slope, 1e-9) << law.n << " " << beta;
    }
  }
}

TEST(Pad, TableIsRightTo1e10) {
  for (const PressureLaw law :
       {PressureLaw::uniform(), PressureLaw::hertz(), PressureLaw{kPower, -0.9}, PressureLaw{kCosine, 1}}) {
    const PadTable table(law);
    double worst = 0;
    const auto compare = [&](double beta) {
      const PadFactors exact = compute_pad(law, beta), quick = table.at(beta);
      worst = std::max({worst, std::abs(exact.S - quick.S), std::abs(exact.T - quick.T)});
    };
    for (int i = 0; i <= 300; ++i) compare(i / 100.0);
    for (int j = 1; j < 45; ++j) compare(1 - std::ldexp(0.77, -j)), compare(1 + std::ldexp(0.77, -j));
    for (const double beta : {5.0, 30.0, 1e4, 1e9}) compare(beta);
    EXPECT_LT(worst, 1e-10) << law.n;
    EXPECT_EQ(table.at(std::numeric_limits<double>::infinity()).S, 1);
    EXPECT_EQ(table.at(std::numeric_limits<double>::infinity()).T, 0);
  }
}

// Theory 5, W7 and section 6.
TEST(Pad, FinalRatioOfADisc) {
  EXPECT_NEAR(find_final_ratio(PressureLaw::uniform(), 0.5).value(), 0.653001789205598, 2e-15);
  EXPECT_NEAR(find_final_ratio(PressureLaw::punch(), 0.5).value(), 1, 4e-15);
  EXPECT_NEAR(find_final_ratio({kPower, -1}, 1).value(), 1, 4e-15);
  EXPECT_EQ(find_final_ratio(PressureLaw::uniform(), 2.0 / 3 + 1e-9), 0.0);
  EXPECT_FALSE(find_final_ratio(PressureLaw::uniform(), 0.25));
}

TEST(Pad, WrongPressures) {
  EXPECT_EQ(read_pressure("soft").failure().code, "VN-VARIANT-010");
  EXPECT_EQ(read_pressure("power:x").failure().code, "VN-VARIANT-010");
  EXPECT_EQ(read_pressure("power:-1.1").failure().code, "VN-VARIANT-011");
  EXPECT_EQ(read_pressure("cosine:-1").failure().code, "VN-VARIANT-011");
  EXPECT_EQ(*read_pressure("power:0.5"), PressureLaw::hertz());
}

}  // namespace
}  // namespace vinculum
