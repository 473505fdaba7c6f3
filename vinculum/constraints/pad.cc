// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/pad.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/math/find_zero.h"

namespace vinculum {

namespace {

using std::numbers::pi;

constexpr double kSeriesFrom = 2;  // beta
constexpr int kSeriesTerms = 40;

// Complete elliptic integrals of parameter m = k²: K, E, and B = (E - (1-m)K)/m, by the arithmetic-geometric mean:
//   K = π/(2a) ,  E = K (1 - Σ 2^(j-1) c_j²) ,  B = K (1/2 - Σ_{j≥1} 2^(j-1) c_j²/m) .
struct Elliptic {
  double K = 0, E = 1, B = 1;
};

// k' = √(1-m) comes with k, so that it is right next to 1.
Elliptic elliptic(double k, double k_prime) {
  if (k_prime <= 0) return {std::numeric_limits<double>::infinity(), 1, 1};
  const double m = k * k;
  double a = 1, b = k_prime, c = m / (2 * (1 + k_prime)), power = 1, sum = 0;  // c: c_1, its square over m below
  for (int j = 1; j < 40; ++j) {
    const double next = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = next;
    const double term = power * c * (c / (m > 0 ? m : 1));
    sum += term;
    if (!(term > 1e-18 * sum)) break;
    c = c * c / (4 * (0.5 * (a + b)));
    power *= 2;
  }
  const double K = pi / (a + b);
  // Near m = 1 the sum would take 1/2 away from itself.
  const double E = K * (1 - 0.5 * m - m * sum);
  return {K, E, m < 0.5 ? K * (0.5 - sum) : (E - k_prime * k_prime * K) / m};
}

// A thin ring of radius x: friction factors s, t.
struct RingFactors {
  double s = 0, t = 0;
};
RingFactors ring(double beta, double x) {
  const double larger = std::max(beta, x), k = std::min(beta, x) / larger;
  const double k_prime = std::sqrt(std::abs(beta - x) / larger * (1 + k));
  const Elliptic e = elliptic(k, k_prime);
  const double kB = 2 / pi * k * e.B, E = 2 / pi * e.E;
  return beta <= x ? RingFactors{kB, E} : RingFactors{E, kB};
}

// Nodes of ∫_a^b f(u) du by u = tanh(π/2 sinh t), step 1/32 on [-6, 6]: distances from the nearer end, in (b - a), and weights.
struct Node {
  double from_low = 0, from_high = 0, weight = 0;
};
const std::array<Node, 385>& nodes() {
  static const std::array<Node, 385> all = [] {
    std::array<Node, 385> made;
    for (int j = 0; j < 385; ++j) {
      const double t = (j - 192) / 32.0, g = 0.5 * pi * std::sinh(t), e = std::exp(-2 * std::abs(g));
      const double near = e / (1 + e), far = 1 / (1 + e);
      made[j] = {t < 0 ? near : far, t < 0 ? far : near, pi * std::cosh(t) * e / ((1 + e) * (1 + e)) / 32};
    }
    return made;
  }();
  return all;
}

// Σ weight g(x, y) with y = 1 - x, of  ∫ w(x) g dx  over (x0, x1); for n < 0 in u = y^(n+1), which takes the pole at the rim
// away.
template <class Function>
void integrate_pressure(const PressureLaw& law, double x0, double x1, Function&& g) {
  if (!(x1 > x0)) return;
  const double n = law.n;
  const bool cosine = law.kind == PressureLaw::Kind::cosine;
  if (n < 0) {
    // w = y^n rest(y)
    const auto rest = [&](double y) {
      if (!cosine) return std::pow(2 - y, n);
      return std::pow(y > 0 ? std::sin(0.5 * pi * y) / y : 0.5 * pi, n);
    };
    const double power = 1 / (n + 1), high = std::pow(1 - x0, n + 1), low = x1 < 1 ? std::pow(1 - x1, n + 1) : 0;
    for (const Node& node : nodes()) {
      const double u = node.from_low < 0.5 ? low + (high - low) * node.from_low : high - (high - low) * node.from_high;
      const double y = std::pow(u, power);
      g(1 - y, node.weight * (high - low) * rest(y) * power);
    }
  } else {
    for (const Node& node : nodes()) {
      const double x = node.from_low < 0.5 ? x0 + (x1 - x0) * node.from_low : x1 - (x1 - x0) * node.from_high;
      const double y = node.from_low < 0.5 ? 1 - x : (1 - x1) + (x1 - x0) * node.from_high;
      g(x, node.weight * (x1 - x0) * (n == 0 ? 1.0 : std::pow(cosine ? std::sin(0.5 * pi * y) : y * (2 - y), n)));
    }
  }
}

PadFactors with_power(double S, double T, double beta) { return {S, T, T + beta * S}; }

PadFactors integrate_pad(const PressureLaw& law, double beta) {
  double S = 0, T = 0, h = 0;
  const auto add = [&](double x, double weight) {
    if (!(x > 0)) return;
    const RingFactors factors = ring(beta, x);
    S += weight * x * factors.s;
    T += weight * x * x * factors.t;
    h += weight * x;
  };
  integrate_pressure(law, 0, std::min(beta, 1.0), add);
  integrate_pressure(law, std::min(beta, 1.0), 1, add);
  return with_power(S / h, T / h, beta);
}

// Theory 5, section 5: special cases.
PadFactors punch_pad(double beta) {
  if (beta <= 1) return with_power(pi * beta / 4, pi / 4 - pi * beta * beta / 8, beta);
  const double a = std::asin(1 / beta), c = std::sqrt(beta * beta - 1);
  return with_power(beta * a / 2 + c / (2 * beta), a / 2 - beta * beta * a / 4 + c / 4, beta);
}

PadFactors hertz_pad(double beta) {
  const double b2 = beta * beta;
  if (beta <= 1) return with_power(3 * pi / 8 * beta * (1 - b2 / 4), 3 * pi / 16 * (1 - b2 + 3 * b2 * b2 / 8), beta);
  const double a = std::asin(1 / beta), c = std::sqrt(b2 - 1);
  const double S = 0.75 * ((beta - beta * b2 / 4) * a + c * (beta / 4 + 1 / (2 * beta)));
  const double D = 0.75 * ((0.5 + b2 / 2 - b2 * b2 / 16) * a + c * (0.875 + b2 / 16));
  return {S, D - beta * S, D};
}

PadFactors uniform_pad(double beta) {
  const double k = beta <= 1 ? beta : 1 / beta, m = k * k;
  const double k_prime = std::sqrt(beta <= 1 ? (1 - beta) * (1 + beta) : (beta - 1) * (beta + 1) / (beta * beta));
  const Elliptic integrals = elliptic(k, k_prime);
  const double E = integrals.E, B = integrals.B;
  if (beta <= 1) return with_power(4 / (3 * pi) * beta * (E + B), 4 / (9 * pi) * (3 * E - 2 * m * E + m * B), beta);
  // β²(E-K) + 4E - 2K + 3mK - 3B  with  β²(K-E) = K - B  and  (1-m)K = E - mB  is  E - 2B + 3mB.
  const double S = 4 / (3 * pi) * (E + B);
  const double T = 4 / (9 * pi) * beta * (E - 2 * B + 3 * m * B);
  return with_power(S, T, beta);
}

bool has_closed_form(const PressureLaw& law) {
  return law.n == 0 || law == PressureLaw::punch() || law == PressureLaw::hertz() ||
         law == PressureLaw{PressureLaw::Kind::power, -1};
}

PadFactors sum_series(const PadMoments& moments, double beta) {
  double S = 0, T = 0, c = 1;
  const double x = 1 / (beta * beta);
  double power = 1;
  for (int j = 1; j <= kSeriesTerms; ++j) {
    const double ratio = (1.5 - j) / j;  // of binom(1/2, j)
    c *= ratio * ratio;
    power *= x;
    S += (2 * j - 1) * c * moments.even[j] * power;
    T += 2 * j * c * moments.even[j] * power;
  }
  return with_power(1 - S, T * beta, beta);
}

}  // namespace

std::optional<Failure> check_pressure(const PressureLaw& law) {
  const bool power = law.kind == PressureLaw::Kind::power;
  constexpr double kMost = 1000;
  if (std::isfinite(law.n) && law.n <= kMost && (power ? law.n >= -1 : law.n > -1)) return std::nullopt;
  return Failure{"VN-VARIANT-011",
                 fmt::format("the exponent {} of the {} pressure is not {} -1 and at most {}", law.n, power ? "power" : "cosine",
                             power ? "at least" : "above", kMost),
                 power ? "-1 is a ring, -0.5 a rigid punch, 0 uniform, 0.5 Hertz" : "0 is uniform, 1 the cosine"};
}

Outcome<PressureLaw> read_pressure(std::string_view text) {
  if (text == "uniform") return PressureLaw::uniform();
  if (text == "punch") return PressureLaw::punch();
  if (text == "hertz") return PressureLaw::hertz();
  for (const auto kind : {PressureLaw::Kind::power, PressureLaw::Kind::cosine}) {
    const std::string_view word = kind == PressureLaw::Kind::power ? "power:" : "cosine:";
    if (text.substr(0, word.size()) != word) continue;
    PressureLaw law{kind, 0};
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data() + word.size(), end, law.n);
    if (error != std::errc() || next != end) break;
    if (auto failure = check_pressure(law)) return *failure;
    return law;
  }
  return Failure{"VN-VARIANT-010", fmt::format("'{}' is not a known pressure", text),
                 "uniform, punch, hertz, power:N or cosine:N"};
}

PadMoments compute_pad_moments(const PressureLaw& law) {
  PadMoments moments;
  const double n = law.n;
  if (law.kind == PressureLaw::Kind::power || n == 0) {
    moments.first = n == -1 ? 1 : std::exp(std::lgamma(1.5) + std::lgamma(n + 2) - std::lgamma(n + 2.5));
    moments.inverse = (2 * n + 3) * moments.first;
    moments.even = {1};
    for (int j = 1; j <= kSeriesTerms; ++j) moments.even.push_back(moments.even.back() * j / (n + 1 + j));
    return moments;
  }
  moments.even.assign(kSeriesTerms + 1, 0.0);
  integrate_pressure(law, 0, 1, [&](double x, double weight) {
    moments.inverse += weight;
    moments.first += weight * x * x;
    double power = weight * x;
    for (double& moment : moments.even) moment += power, power *= x * x;
  });
  const double h = moments.even[0];
  moments.inverse /= h, moments.first /= h;
  for (double& moment : moments.even) moment /= h;
  return moments;
}

PadFactors compute_pad(const PressureLaw& law, double beta) {
  assert(beta >= 0 && std::isfinite(beta));
  if (beta >= kSeriesFrom) return sum_series(compute_pad_moments(law), beta);
  if (law.n == 0) return uniform_pad(beta);
  if (law == PressureLaw::punch()) return punch_pad(beta);
  if (law == PressureLaw::hertz()) return hertz_pad(beta);
  if (law == PressureLaw{PressureLaw::Kind::power, -1}) {
    const RingFactors factors = ring(beta, 1);
    return with_power(factors.s, factors.t, beta);
  }
  return integrate_pad(law, beta);
}

PadTable::PadTable(const PressureLaw& law) : law_(law) {
  at_one_ = compute_pad(law, 1);
  const PadMoments moments = compute_pad_moments(law);
  double c = 1;
  S_series_[0] = 1;
  for (int j = 1; j <= kTerms; ++j) {
    const double ratio = (1.5 - j) / j;
    c *= ratio * ratio;
    S_series_[j] = -(2 * j - 1) * c * moments.even[j];
    T_series_[j] = 2 * j * c * moments.even[j];
  }
}

void PadTable::fill(Panel& panel, int j, bool above) const {
  constexpr int count = kDegree + 1;
  // Chebyshev coefficients from values at Chebyshev points, then powers.
  const auto fit = [](const std::array<double, count>& values, std::array<double, count>& powers) {
    std::array<double, count> chebyshev{};
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < count; ++i) chebyshev[k] += values[i] * std::cos(k * pi * (i + 0.5) / count);
      chebyshev[k] *= (k == 0 ? 1.0 : 2.0) / count;
    }
    std::array<double, count> before{}, now{};  // T_{k-1}, T_k in powers
    before[0] = 1, now[1] = 1;
    powers.fill(0.0);
    powers[0] = chebyshev[0];
    for (int k = 1; k < count; ++k) {
      for (int i = 0; i < count; ++i) powers[i] += chebyshev[k] * now[i];
      std::array<double, count> next{};
      for (int i = 0; i + 1 < count; ++i) next[i + 1] = 2 * now[i];
      for (int i = 0; i < count; ++i) next[i] -= before[i];
      before = now, now = next;
    }
  };
  const double far = std::ldexp(1.0, -j), near = 0.5 * far, sign = above ? 1 : -1;
  panel.middle = 1 + sign * 0.5 * (far + near);
  panel.inverse_half = 2 / (far - near);
  std::array<double, count> S{}, T{};
  for (int i = 0; i < count; ++i) {
    const PadFactors factors =
        compute_pad(law_, std::max(0.0, panel.middle + std::cos(pi * (i + 0.5) / count) / panel.inverse_half));
    S[i] = factors.S, T[i] = factors.T;
  }
  fit(S, panel.S), fit(T, panel.T);
}

PadFactors PadTable::at(double beta) const {
  if (!(beta < kSeriesFrom)) {
    if (!std::isfinite(beta)) return {1, 0, beta};
    // Terms fall by at least β²: as many as 1e-13 needs.
    const double x = 1 / (beta * beta);
    int terms = 1;
    for (double power = x; power > 1e-11 && terms < kTerms; power *= x) ++terms;
    double S = S_series_[terms], T = T_series_[terms];
    for (int j = terms - 1; j >= 0; --j) S = S * x + S_series_[j], T = T * x + T_series_[j];
    return with_power(S, T * beta, beta);
  }
  const double distance = std::abs(1 - beta);
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(distance) >> 52) - 1023;  // 2^exponent ≤ distance
  const int j = std::max(-1 - exponent, 0);
  if (j >= kPanels) return at_one_;
  Panel& panel = panels_[(beta > 1 ? kPanels : 0) + j];
  std::call_once(panel.filled, [&] { fill(panel, j, beta > 1); });
  const double x = (beta - panel.middle) * panel.inverse_half, x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
  // Pairs, then pairs of pairs: short chains.
  const auto sum = [&](const std::array<double, kDegree + 1>& c) {
    const double low = (c[0] + c[1] * x + (c[2] + c[3] * x) * x2) + (c[4] + c[5] * x + (c[6] + c[7] * x) * x2) * x4;
    const double high = (c[8] + c[9] * x + (c[10] + c[11] * x) * x2) + (c[12] + c[13] * x + (c[14] + c[15] * x) * x2) * x4;
    return low + (high + c[16] * x8) * x8;
  };
  return with_power(sum(panel.S), sum(panel.T), beta);
}

std::shared_ptr<const PadTable> find_pad_table(const PressureLaw& law) {
  if (has_closed_form(law)) return nullptr;
  constexpr std::size_t kMost = 8;
  thread_local std::vector<std::shared_ptr<const PadTable>> known;
  for (const auto& table : known) {
    if (table->law() == law) return table;
  }
  if (known.size() == kMost) known.erase(known.begin());
  known.push_back(std::make_shared<const PadTable>(law));
  return known.back();
}

PadFactors look_up_pad(const PressureLaw& law, double beta) {
  if (const auto table = find_pad_table(law)) return table->at(beta);
  return compute_pad(law, beta);
}

std::optional<double> find_final_ratio(const PressureLaw& law, double gyration) {
  const PadMoments moments = compute_pad_moments(law);
  if (gyration >= 2 * moments.first / moments.inverse) return 0.0;
  if (gyration <= moments.even[1] / 2) return std::nullopt;
  // gyration S/beta - T rises through zero.
  const auto g = [&](double beta) {
    const PadFactors factors = compute_pad(law, beta);
    return gyration * factors.S / beta - factors.T;
  };
  double low = 1, high = 1;
  while (g(low) > 0 && low > 1e-12) low /= 2;
  while (g(high) < 0 && high < 1e12) high *= 2;
  const double g_low = g(low), g_high = g(high);
  if (g_low > 0) return 0.0;
  if (g_high < 0) return std::nullopt;
  return find_zero(g, low, g_low, high, g_high);
}

}  // namespace vinculum
