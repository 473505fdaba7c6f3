// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/polynomial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "vinculum/integration/events.h"

namespace vinculum {
namespace {

constexpr double kRoundOff = 1e-14;

// Π (x - root)
std::vector<double> with_roots(const std::vector<double>& roots) {
  std::vector<double> c{1};
  for (double root : roots) {
    c.push_back(0);
    for (std::size_t n = c.size(); n-- > 0;) c[n] = (n > 0 ? c[n - 1] : 0) - root * c[n];
  }
  return c;
}

TEST(Polynomial, IsolatesRootsHoweverClose) {
  const std::vector<double> roots = {-0.4, 0.1, 0.1 + 1e-5, 0.5, 0.7, 0.7001, 1.3};
  const auto found = isolate_roots(with_roots(roots), 1e-17);
  ASSERT_EQ(found.size(), 5u) << "those within (0, 1)";
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(found[i].touch);
    EXPECT_LE(found[i].low, roots[i + 1]);
    EXPECT_GE(found[i].high, roots[i + 1]);
    EXPECT_LT(found[i].value_low * found[i].value_high, 0);
  }
}

TEST(Polynomial, RootOnTheCutIsFoundOnce) {
  for (double root : {0.5, 0.25, 0.75, 0.625}) {
    const auto found = isolate_roots(with_roots({root, 2}), kRoundOff);
    ASSERT_EQ(found.size(), 1u) << root;
    EXPECT_FALSE(found[0].touch);
    EXPECT_LE(found[0].low, root);
    EXPECT_GE(found[0].high, root);
  }
}

TEST(Polynomial, TouchesAndMisses) {
  std::vector<double> c = with_roots({0.3, 0.3});
  auto found = isolate_roots(c, kRoundOff);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].touch);
  EXPECT_NEAR((found[0].low + found[0].high) / 2, 0.3, 1e-7) << "a square root of round-off";
  c[0] += 1e-12;
  EXPECT_TRUE(isolate_roots(c, kRoundOff).empty());
  c[0] -= 2e-12;
  EXPECT_EQ(isolate_roots(c, kRoundOff).size(), 2u);
  // Three at once cross.
  found = isolate_roots(with_roots({0.3, 0.3, 0.3}), kRoundOff);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(found[0].value_low * found[0].value_high, 0);
}

TEST(Polynomial, NothingWhereItEndsOrVanishes) {
  EXPECT_TRUE(isolate_roots(with_roots({0, 1}), kRoundOff).empty()) << "the ends are not within";
  EXPECT_TRUE(isolate_roots(std::vector<double>{0, 0, 0}, kRoundOff).empty());
  EXPECT_TRUE(isolate_roots(std::vector<double>{1}, kRoundOff).empty());
}

// g = cos(20 t) on steps of length 1, forty terms each: twenty zeros and a few more in each direction of time.
TEST(Polynomial, EventsOnStepsOfManyZeros) {
  const auto go = [](double end) {
    EventLocator locator(1, 1, [](double t, std::span<const double>, std::span<double> g) { g[0] = std::cos(20 * t); });
    const std::vector<double> nothing(1);
    locator.restart(0, nothing);
    std::vector<EventCrossing> all;
    for (double t0 = 0; t0 != end; t0 += end / 4) {
      std::vector<double> c;
      double factor = 1;
      for (int n = 0; n < 40; factor *= 20.0 / ++n) c.push_back(factor * std::cos(20 * t0 + n * std::acos(-1.0) / 2));
      for (const EventCrossing& crossing : locator.locate(c, t0, t0 + end / 4)) all.push_back(crossing);
    }
    return all;
  };
  for (double end : {1.0, -1.0}) {
    const std::vector<EventCrossing> found = go(end);
    ASSERT_EQ(found.size(), 6u);
    for (int k = 0; k < 6; ++k) {
      const double zero = (k + 0.5) * std::acos(-1.0) / 20;
      EXPECT_NEAR(std::abs(found[k].t), zero, 1e-14);
      EXPECT_EQ(found[k].direction, (end > 0) == (k % 2 == 0) ? -1 : 1);
    }
  }
}

// A zero exactly where a step ends is told there, once, with the direction it has: not again by the step that begins on it.
TEST(Polynomial, AnEventAtTheEndOfAStepIsToldOnce) {
  const auto go = [](double end, const std::vector<double>& roots) {
    const auto value = [&](double t) {
      double product = 1;
      for (double root : roots) product *= t - root;
      return product;
    };
    EventLocator locator(1, 1, [&](double t, std::span<const double>, std::span<double> g) { g[0] = value(t); });
    locator.restart(0, std::vector<double>(1));
    std::vector<EventCrossing> all;
    for (double t0 = 0; t0 != end; t0 += end / 2) {
      std::vector<double> shifted;
      for (double root : roots) shifted.push_back(root - t0);
      std::vector<double> c = with_roots(shifted);
      c.resize(c.size() + 2);  // a series tells by its last terms what it leaves out: nothing here
      for (const EventCrossing& crossing : locator.locate(c, t0, t0 + end / 2)) all.push_back(crossing);
    }
    return all;
  };
  for (double end : {2.0, -2.0}) {
    const double middle = end / 2;
    const auto crossing = go(end, {middle});
    ASSERT_EQ(crossing.size(), 1u);
    EXPECT_EQ(crossing[0].t, middle);
    EXPECT_EQ(crossing[0].direction, 1) << "it rises with t, whichever way the steps go";
    const auto falling = go(end, {middle, 8});
    ASSERT_EQ(falling.size(), 1u);
    EXPECT_EQ(falling[0].direction, -1);
    const auto touch = go(end, {middle, middle});
    ASSERT_EQ(touch.size(), 1u);
    EXPECT_EQ(touch[0].t, middle);
    EXPECT_EQ(touch[0].direction, 0);
    EXPECT_EQ(go(end, {end}).size(), 1u) << "at the last end as well";
  }
}

}  // namespace
}  // namespace vinculum
