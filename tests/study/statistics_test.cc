// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/statistics.h"

#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace vinculum {
namespace {

using Columns = std::vector<std::vector<double>>;
using Function = std::function<double(const std::vector<double>&)>;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<double> values_of(const Function& f, const Columns& x) {
  std::vector<double> y(x[0].size()), point(x.size());
  for (std::size_t k = 0; k < y.size(); ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) point[i] = x[i][k];
    y[k] = f(point);
  }
  return y;
}

// `count` points, each parameter uniform in [low, high].
Columns random_points(std::size_t parameters, std::size_t count, double low, double high, unsigned seed) {
  std::mt19937_64 generator(seed);
  Columns x(parameters, std::vector<double>(count));
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < parameters; ++i) x[i][k] = std::lerp(low, high, std::ldexp(generator() >> 11, -53));
  }
  return x;
}

// Blocks a, b, a with x_1 of b, ..
Columns saltelli_points(std::size_t parameters, std::size_t blocks, double low, double high, unsigned seed) {
  const Columns pairs = random_points(2 * parameters, blocks, low, high, seed);
  Columns x(parameters);
  for (std::size_t k = 0; k < blocks; ++k) {
    for (std::size_t i = 0; i < parameters; ++i) {
      x[i].push_back(pairs[i][k]);
      x[i].push_back(pairs[parameters + i][k]);
      for (std::size_t j = 0; j < parameters; ++j) x[i].push_back(pairs[i == j ? parameters + i : i][k]);
    }
  }
  return x;
}

Columns grid(const std::vector<std::vector<double>>& levels) {
  Columns x(levels.size());
  std::size_t count = 1;
  for (const auto& axis : levels) count *= axis.size();
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t rest = k;
    for (std::size_t i = levels.size(); i-- > 0;) {
      x[i].push_back(levels[i][rest % levels[i].size()]);
      rest /= levels[i].size();
    }
  }
  return x;
}

// Ishigami and Homma 1990:  y = sin x1 + a sin² x2 + b x3⁴ sin x1 ,  x_i uniform in [-π, π].
constexpr double kA = 7, kB = 0.1, kPi = std::numbers::pi;
double ishigami(const std::vector<double>& x) {
  return std::sin(x[0]) + kA * std::sin(x[1]) * std::sin(x[1]) + kB * std::pow(x[2], 4) * std::sin(x[0]);
}
struct Indices {
  double first[3], total[3];
};
Indices ishigami_indices() {
  const double pi4 = std::pow(kPi, 4), v1 = std::pow(1 + kB * pi4 / 5, 2) / 2, v2 = kA * kA / 8;
  const double v13 = kB * kB * pi4 * pi4 * (1.0 / 18 - 1.0 / 50), v = v1 + v2 + v13;
  return {{v1 / v, v2 / v, 0}, {(v1 + v13) / v, v2 / v, v13 / v}};
}

TEST(Spread, OfEvenlySpacedNumbers) {
  std::vector<double> values{kMissing};
  for (int k = 100; k >= 0; --k) values.push_back(1e6 + k);
  const Spread spread = compute_spread(values);
  EXPECT_EQ(spread.count, 101u);
  EXPECT_DOUBLE_EQ(spread.mean, 1e6 + 50);
  EXPECT_NEAR(spread.deviation, std::sqrt(101 * 102 / 12.0), 1e-9);  // Σ (k - 50)² / 100 = n (n + 1) / 12
  EXPECT_EQ(spread.least, 1e6);
  EXPECT_EQ(spread.largest, 1e6 + 100);
  ASSERT_EQ(spread.quantiles.size(), kQuantiles.size());
  for (const Quantile& quantile : spread.quantiles) EXPECT_NEAR(quantile.value, 1e6 + 100 * quantile.p, 1e-9);
  EXPECT_EQ(spread.quantiles[3].interval.low, 1e6 + 40);  // 50.5 - 1.96 √25.25 = 40.65
  EXPECT_EQ(spread.quantiles[3].interval.high, 1e6 + 61);
  EXPECT_EQ(compute_spread(std::vector<double>{kMissing}).count, 0u);
}

TEST(Spread, IntervalsOfQuantilesCoverThem) {
  int covered = 0, runs = 400;
  for (int run = 0; run < runs; ++run) {
    const Spread spread = compute_spread(random_points(1, 300, 0, 1, 100 + run)[0]);
    const Quantile& upper = spread.quantiles[5];
    covered += upper.interval.low <= 0.95 && 0.95 <= upper.interval.high;
  }
  EXPECT_GT(covered, 0.92 * runs);
  EXPECT_LT(covered, runs);
}

// Newcombe, Statistics in Medicine 17 (1998) 857, table I.
TEST(Fraction, IsThatOfWilson) {
  struct {
    std::size_t count, of;
    double low, high;
  } const cases[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
  for (const auto& [count, of, low, high] : cases) {
    const Fraction fraction = compute_fraction(count, of);
    EXPECT_DOUBLE_EQ(fraction.value, static_cast<double>(count) / static_cast<double>(of));
    EXPECT_NEAR(fraction.interval.low, low, 6e-5);
    EXPECT_NEAR(fraction.interval.high, high, 6e-5);
    const Fraction rest = compute_fraction(of - count, of);
    EXPECT_NEAR(rest.interval.low, 1 - fraction.interval.high, 1e-15);
    EXPECT_NEAR(rest.interval.high, 1 - fraction.interval.low, 1e-15);
  }
  EXPECT_EQ(compute_fraction(0, 0).interval.high, 1);
}

// y = 3 u + v w over all levels: with variances U, V, W of symmetric levels, D = 9 U + V W.
TEST(Sensitivity, OfAGridIsExact) {
  const Columns x = grid({{-1, 1}, {-2, 0, 2}, {-1, -0.5, 0.5, 1}});
  const auto y = values_of([](const auto& p) { return 1e3 + 3 * p[0] + p[1] * p[2]; }, x);
  const Sensitivity found = StudySample(x).compute_sensitivity(y);
  const double u = 9, vw = 8.0 / 3 * 0.625, d = u + vw;
  ASSERT_EQ(found.method, SensitivityMethod::grid);
  EXPECT_EQ(found.points, 24u);
  const double first[] = {u / d, 0, 0}, total[] = {u / d, vw / d, vw / d};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.parameters[i].first->value, first[i], 1e-13);
    EXPECT_NEAR(found.parameters[i].total->value, total[i], 1e-13);
    EXPECT_EQ(found.parameters[i].total->error, 0);
  }
}

TEST(Sensitivity, OfBlocksOfSaltelli) {
  const Columns x = saltelli_points(3, 20'000, -kPi, kPi, 1);
  ASSERT_TRUE(find_saltelli_blocks(x));
  const Sensitivity found = StudySample(x).compute_sensitivity(values_of(ishigami, x));
  ASSERT_EQ(found.method, SensitivityMethod::saltelli);
  const Indices exact = ishigami_indices();
  EXPECT_NEAR(exact.first[0], 0.3139, 1e-4);
  EXPECT_NEAR(exact.total[2], 0.2437, 1e-4);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.parameters[i].first->value, exact.first[i], 4 * found.parameters[i].first->error);
    EXPECT_NEAR(found.parameters[i].total->value, exact.total[i], 4 * found.parameters[i].total->error);
    EXPECT_LT(found.parameters[i].first->error, 0.02);
    EXPECT_LT(found.parameters[i].total->error, 0.02);
  }
}

TEST(Sensitivity, OfAnySampleByBins) {
  Columns x = random_points(4, 20'000, -kPi, kPi, 2);  // the fourth does nothing
  EXPECT_FALSE(find_saltelli_blocks(x));
  auto y = values_of(ishigami, x);
  for (std::size_t k = 0; k < y.size(); k += 97) y[k] = kMissing;
  const Sensitivity found = StudySample(x).compute_sensitivity(y);
  ASSERT_EQ(found.method, SensitivityMethod::binned);
  EXPECT_EQ(found.points, 20'000u - 207);
  const Indices exact = ishigami_indices();
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(found.parameters[i].first->value, i < 3 ? exact.first[i] : 0, 4 * found.parameters[i].first->error);
    EXPECT_LT(found.parameters[i].first->error, 0.02);
    EXPECT_GT(found.parameters[i].first->error, 1e-4);
    EXPECT_FALSE(found.parameters[i].total);
  }
}

// The index of a parameter without influence is 0 on the average: without the correction for the number of bins it would be about
// (bins - 1)/(n - 1). Over 300 samples of 100 points the mean has an error of its spread/√300.
TEST(Sensitivity, OfAParameterWithoutInfluenceIsNotBiased) {
  constexpr int kRuns = 300;
  double sum = 0, squares = 0;
  for (int run = 0; run < kRuns; ++run) {
    const Columns x = random_points(2, 100, 0, 1, 5000 + run);  // the second does nothing
    const Sensitivity found = StudySample(x).compute_sensitivity(values_of([](const std::vector<double>& p) { return p[0]; }, x));
    ASSERT_EQ(found.method, SensitivityMethod::binned);
    sum += found.parameters[1].first->value;
    squares += std::pow(found.parameters[1].first->value, 2);
  }
  const double mean = sum / kRuns, spread = std::sqrt(squares / kRuns - mean * mean);
  EXPECT_GT(spread, 1e-3);
  EXPECT_NEAR(mean, 0, 4 * spread / std::sqrt(kRuns));
}

// y = Σ c_i x_i: S_i = ST_i = c_i² / Σ c². The errors told are those there are: over many samples the departures have about their
// size.
TEST(Sensitivity, ErrorsAreHonest) {
  const double c[] = {1, 2, 0.5}, sum = 5.25;
  const Function additive = [&](const std::vector<double>& p) { return c[0] * p[0] + c[1] * p[1] + c[2] * p[2]; };
  constexpr int kRuns = 60;
  double binned[3] = {}, first[3] = {}, total[3] = {};
  for (int run = 0; run < kRuns; ++run) {
    const Columns plain = random_points(3, 1000, 0, 1, 10 + run), blocks = saltelli_points(3, 400, 0, 1, 1000 + run);
    const Sensitivity by_bins = StudySample(plain).compute_sensitivity(values_of(additive, plain));
    const Sensitivity by_blocks = StudySample(blocks).compute_sensitivity(values_of(additive, blocks));
    for (int i = 0; i < 3; ++i) {
      const auto squared = [&](const Estimate& e) { return std::pow((e.value - c[i] * c[i] / sum) / e.error, 2) / kRuns; };
      binned[i] += squared(*by_bins.parameters[i].first);
      first[i] += squared(*by_blocks.parameters[i].first);
      total[i] += squared(*by_blocks.parameters[i].total);
    }
  }
  // A mean square of kRuns departures lies within ± 4 √(2 / 60) = ± 0.73 of 1; the error itself, of 20 parts, is known to 16 %.
  for (int i = 0; i < 3; ++i) {
    for (const double mean_square : {binned[i], first[i], total[i]}) {
      EXPECT_GT(mean_square, 0.4);
      EXPECT_LT(mean_square, 2.0);
    }
  }
}

// Two draws, which are two of the 20 parts of the jackknife; the 18 others are empty. Of y = x ± a, x = 0 or 1 equally often,
//
//   B = n/4 ,  W = n a² ,  S = (B - W/(n - 2))/(B + W) ,   σ² = 19/20 Σ (S_j - mean S)²
TEST(Sensitivity, ErrorIsThatOfTheJackknife) {
  constexpr int kPoints = 240;
  const double a[2] = {0.5, 1};
  Columns x(1);
  std::vector<double> y;
  std::vector<std::uint32_t> draw;
  for (int k = 0; k < kPoints; ++k) {
    x[0].push_back(k % 2);
    draw.push_back(k / 4 % 2);
    y.push_back(k % 2 + (k % 4 < 2 ? 1 : -1) * a[k / 4 % 2]);
  }
  const Sensitivity found = StudySample(x, draw).compute_sensitivity(y);
  ASSERT_EQ(found.method, SensitivityMethod::binned);
  const auto index = [](double n, double mean_square) { return (n / 4 - n * mean_square / (n - 2)) / (n / 4 + n * mean_square); };
  const double all = index(kPoints, (a[0] * a[0] + a[1] * a[1]) / 2);
  const double first = index(kPoints / 2, a[0] * a[0]), second = index(kPoints / 2, a[1] * a[1]);
  const double mean = (18 * all + first + second) / 20;
  const double squares = 18 * std::pow(all - mean, 2) + std::pow(first - mean, 2) + std::pow(second - mean, 2);
  EXPECT_NEAR(found.parameters[0].first->value, all, 1e-14);
  EXPECT_NEAR(found.parameters[0].first->error, std::sqrt(squares * 19 / 20), 1e-14);
}

// The ten pairs of ranks with Σ d² = 194:  ρ = 1 - 6 · 194 / (10 · 99) = -29/165.
TEST(RankCorrelation, OfAKnownTable) {
  const Columns x{{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}};
  const std::vector<double> y{7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
  const Sensitivity found = StudySample(x).compute_sensitivity(y);
  const double rho = -29.0 / 165;
  EXPECT_NEAR(found.parameters[0].rank_correlation->value, rho, 1e-15);
  EXPECT_NEAR(found.parameters[0].rank_correlation->error, (1 - rho * rho) * std::sqrt((1 + rho * rho / 2) / (10 - 3)), 1e-15);
}

TEST(RankCorrelation, SeesMonotonicDependenceAndSharesTies) {
  const Columns x = random_points(2, 50, 0, 1, 3);
  const auto rising = StudySample(x).compute_sensitivity(values_of([](const auto& p) { return std::exp(20 * p[0]); }, x));
  EXPECT_EQ(rising.method, SensitivityMethod::ranks);
  EXPECT_NEAR(rising.parameters[0].rank_correlation->value, 1, 1e-14);
  EXPECT_FALSE(rising.parameters[0].first);
  const auto falling = StudySample(x).compute_sensitivity(values_of([](const auto& p) { return -p[1]; }, x));
  EXPECT_NEAR(falling.parameters[1].rank_correlation->value, -1, 1e-14);
  // Two classes: the shared ranks make no order among equals.
  const Columns line{{1, 2, 3, 4}};
  const auto step = StudySample(line).compute_sensitivity(std::vector<double>{0, 0, 1, 1});
  EXPECT_NEAR(step.parameters[0].rank_correlation->value, 2 / std::sqrt(5), 1e-15);  // ranks ½ ½ 2½ 2½ beside 0 1 2 3
}

TEST(Sensitivity, OfAConstantIsNotTold) {
  const Columns x = random_points(2, 200, 0, 1, 4);
  for (const double constant : {0.0, 0.1, -3e7}) {
    const auto y = values_of([&](const auto& p) { return constant * (1 + 1e-15 * p[0]); }, x);
    const Sensitivity found = StudySample(x).compute_sensitivity(y);
    EXPECT_FALSE(found.parameters[0].first);
    EXPECT_FALSE(found.parameters[0].rank_correlation);
  }
}

}  // namespace
}  // namespace vinculum
