// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/find_peak.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace vinculum::testing {
namespace {

struct Search {
  double most = 0;
  int looks = 0;  // beside those the step begins with
};

// From the four looks of a step on.
Search search(const std::function<double(double)>& f, double begin, double end, double known) {
  std::vector<PeakPoint> points;
  for (const double part : {0.0, 3.0 / 8, 5.0 / 8, 1.0}) {
    const double t = begin + (end - begin) * part;
    points.push_back({t, f(t)});
  }
  Search result;
  for (; result.looks < 40;) {
    const PeakLooks next = where_to_look_for_peak(points, known);
    if (next.count == 0) break;
    for (const double t : next.times()) {
      EXPECT_GE((t - begin) * (end - t), 0) << t;
      points.push_back({t, f(t)});
      ++result.looks;
    }
    std::sort(points.begin(), points.end(),
              [&](const PeakPoint& a, const PeakPoint& b) { return end > begin ? a.t < b.t : a.t > b.t; });
  }
  result.most =
      std::max_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.value < b.value; })->value;
  return result;
}

constexpr double kNothing = -1e308;

// A top wherever it lies in the step, in both directions of time: a cosine of up to two thirds of a period, with a slope.
TEST(FindPeak, TopOfASmoothQuantity) {
  int most_looks = 0;
  for (double frequency : {0.5, 1.0, 2.0, 3.0, 4.0}) {
    for (double top = -0.02; top < 1.03; top += 0.0093) {
      const auto f = [&](double t) { return 3 + std::cos(frequency * (t - top)) + 0.1 * std::pow(t - top, 3); };
      double best = 0;
      for (int i = 0; i <= 1000; ++i) best = std::max(best, f(i * 1e-3));
      if (top >= 0 && top <= 1) best = std::max(best, f(top));
      for (const bool forward : {true, false}) {
        const Search found = search(f, forward ? 0 : 1, forward ? 1 : 0, kNothing);
        EXPECT_NEAR(found.most, best, 5e-10 * best) << frequency << " " << top;
        most_looks = std::max(most_looks, found.looks);
      }
    }
  }
  EXPECT_LE(most_looks, 20);
}

// What rises, falls or stays below what is known asks for no further look.
TEST(FindPeak, NoLookWhereNoneIsNeeded) {
  EXPECT_EQ(search([](double t) { return std::exp(0.3 * t); }, 0, 1, kNothing).looks, 0);
  EXPECT_EQ(search([](double t) { return std::exp(-0.3 * t); }, 0, 1, kNothing).looks, 0);
  EXPECT_EQ(search([](double) { return 2.0; }, 0, 1, kNothing).looks, 0);
  EXPECT_EQ(search([](double t) { return std::sin(3 * t); }, 0, 1, 1.2).looks, 0);
  EXPECT_GT(search([](double t) { return std::sin(3 * t); }, 0, 1, 0.99).looks, 0);
}

// Where values are not known, or too few, there is nothing to say.
TEST(FindPeak, FewPoints) {
  EXPECT_EQ(where_to_look_for_peak({}, 0).count, 0);
  const std::vector<PeakPoint> two{{0, 1}, {1, 2}};
  EXPECT_EQ(where_to_look_for_peak(two, 0).count, 0);
}

// The lower of two humps may hide the higher one: both are followed.
TEST(FindPeak, TheHigherOfTwoHumps) {
  const auto f = [](double t) {
    return 1 + 0.3 * std::exp(-std::pow((t - 0.05) / 0.2, 2)) + 0.34 * std::exp(-std::pow((t - 0.7) / 0.2, 2));
  };
  double best = 0;
  for (int i = 0; i <= 1000000; ++i) best = std::max(best, f(i * 1e-6));
  EXPECT_NEAR(search(f, 0, 1, kNothing).most, best, 1e-9);
}

}  // namespace
}  // namespace vinculum::testing
