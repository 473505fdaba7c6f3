// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/polynomial.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

namespace {

constexpr int kDeepest = 40;

using Bernstein = std::vector<double>;

int count_sign_changes(const Bernstein& b, double round_off) {
  int changes = 0, last = 0;
  for (double x : b) {
    if (std::abs(x) <= round_off) continue;
    const int sign = x > 0 ? 1 : -1;
    changes += last * sign < 0;
    last = sign;
  }
  return changes;
}

struct Search {
  double round_off;
  std::vector<RootInterval> found;

  double clean(double x) const { return std::abs(x) <= round_off ? 0 : x; }

  void search(Bernstein b, double low, double high, int depth) {
    const auto is_zero = [&](double x) { return std::abs(x) <= round_off; };
    const int changes = count_sign_changes(b, round_off);
    if (std::all_of(b.begin(), b.end(), is_zero) || (depth == kDeepest && changes > 1)) return add_touch(low, high);
    if (changes == 0 && std::none_of(b.begin(), b.end(), is_zero)) return;
    const double first = clean(b.front()), last = clean(b.back());
    if (changes == 1 && first * last < 0) {
      found.push_back({low, high, first, last, false});
      return;
    }
    if (depth == kDeepest) return;
    const double middle = (low + high) / 2;
    Bernstein left(b.size());
    halve_bernstein(b, left);
    const double at_middle = left.back();
    search(std::move(left), low, middle, depth + 1);
    // A zero on the cut belongs to neither half.
    if (clean(at_middle) == 0) add_touch(middle, middle);
    search(std::move(b), middle, high, depth + 1);
  }

  // Neighbouring pieces of round-off are one zero.
  void add_touch(double low, double high) {
    if (!found.empty() && found.back().touch && found.back().high >= low) {
      found.back().high = high;
    } else {
      found.push_back({low, high, 0, 0, true});
    }
  }
};

}  // namespace

double evaluate_polynomial(std::span<const double> coefficients, double x) {
  double sum = 0;
  for (std::size_t n = coefficients.size(); n-- > 0;) sum = coefficients[n] + x * sum;
  return sum;
}

void to_bernstein(std::span<const double> coefficients, std::span<double> b) {
  const int n = static_cast<int>(coefficients.size()) - 1;
  for (int i = 0; i <= n; ++i) {
    double ratio = 1, sum = 0;
    for (int k = 0; k <= i; ++k) {
      sum += ratio * coefficients[k];
      ratio *= static_cast<double>(i - k) / (n - k > 0 ? n - k : 1);
    }
    b[i] = sum;
  }
}

void halve_bernstein(std::span<double> b, std::span<double> left) {
  const std::size_t n = b.size() - 1;
  for (std::size_t level = 0; level <= n; ++level) {
    left[level] = b[0];
    for (std::size_t i = 0; i < n - level; ++i) b[i] = (b[i] + b[i + 1]) / 2;
  }
  // What the triangle has left behind in b is the right half, already in order.
}

std::vector<RootInterval> isolate_roots(std::span<const double> coefficients, double round_off) {
  Search search{round_off, {}};
  Bernstein b(coefficients.size());
  to_bernstein(coefficients, b);
  // Zero throughout is no event.
  if (std::any_of(b.begin(), b.end(), [&](double x) { return std::abs(x) > round_off; })) search.search(b, 0, 1, 0);

  // A zero that was cut, or drowned in round-off, crosses after all if the signs beside it differ.
  std::vector<RootInterval> roots;
  for (RootInterval& root : search.found) {
    for (double width = std::max(root.high - root.low, 1e-12); root.touch && width < 0.5; width *= 2) {
      const double low = root.low - width, high = root.high + width;
      const double value_low = evaluate_polynomial(coefficients, low), value_high = evaluate_polynomial(coefficients, high);
      if (std::min(std::abs(value_low), std::abs(value_high)) <= round_off) continue;
      if (low > 0 && high < 1 && value_low * value_high < 0) root = {low, high, value_low, value_high, false};
      break;
    }
    const bool at_end = root.touch && (root.low <= 0 || root.high >= 1);
    if (!at_end) roots.push_back(root);
  }
  return roots;
}

}  // namespace vinculum
