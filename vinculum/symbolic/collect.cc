// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// From the canonical form of a formula to the one people write.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/core.h>

#include "vinculum/symbolic/formula.h"

namespace vinculum {

namespace {

constexpr std::array<int, 7> kUsualDenominators{1, 2, 3, 4, 6, 8, 12};

struct Circular {
  std::vector<Factor> angle;
  bool sine = false;

  auto operator<=>(const Circular&) const = default;
};

// A product of sines and cosines, sorted.
struct CircularTerm {
  std::vector<Circular> factors;
  double coefficient = 0;
};

bool are_equal(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

// (a + sign b)/2, if it is whole.
std::optional<std::vector<Factor>> half_sum(const std::vector<Factor>& a, const std::vector<Factor>& b, int sign) {
  std::map<int, int> sum;
  for (const Factor& factor : a) sum[factor.symbol] += factor.power;
  for (const Factor& factor : b) sum[factor.symbol] += sign * factor.power;
  std::vector<Factor> half;
  for (const auto& [symbol, power] : sum) {
    if (power % 2 != 0) return std::nullopt;
    if (power != 0) half.push_back({symbol, power / 2});
  }
  return half;
}

// Puts a sine or cosine to a product. False if that makes it zero.
bool attach(std::vector<Factor> angle, bool sine, CircularTerm& term) {
  if (angle.empty()) return !sine;
  if (angle[0].power < 0) {
    for (Factor& factor : angle) factor.power = -factor.power;
    if (sine) term.coefficient = -term.coefficient;
  }
  term.factors.push_back({std::move(angle), sine});
  return true;
}

// Two terms as one product, if they are one:
//   cos x + cos y = 2 cos((x+y)/2) cos((x-y)/2) ,  cos x - cos y = -2 sin((x+y)/2) sin((x-y)/2)
//   sin x + sin y = 2 sin((x+y)/2) cos((x-y)/2) ,  sin x - sin y =  2 cos((x+y)/2) sin((x-y)/2)
// with a common factor, and cos 0 for none.
std::optional<CircularTerm> as_product(const CircularTerm& a, const CircularTerm& b) {
  if (!are_equal(std::abs(a.coefficient), std::abs(b.coefficient))) return std::nullopt;
  std::vector<Circular> common, only_a, only_b;
  std::set_intersection(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(), std::back_inserter(common));
  std::set_difference(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(), std::back_inserter(only_a));
  std::set_difference(b.factors.begin(), b.factors.end(), a.factors.begin(), a.factors.end(), std::back_inserter(only_b));
  if (only_a.size() > 1 || only_b.size() > 1) return std::nullopt;
  const Circular x = only_a.empty() ? Circular{} : only_a[0], y = only_b.empty() ? Circular{} : only_b[0];
  if (x.sine != y.sine) return std::nullopt;
  const auto mean = half_sum(x.angle, y.angle, 1), difference = half_sum(x.angle, y.angle, -1);
  if (!mean || !difference) return std::nullopt;

  const bool same_sign = (a.coefficient > 0) == (b.coefficient > 0);
  CircularTerm product{std::move(common), 2 * a.coefficient};
  if (!x.sine && !same_sign) product.coefficient = -product.coefficient;
  const bool sine_of_mean = x.sine ? same_sign : !same_sign, sine_of_difference = !same_sign;
  if (!attach(*mean, sine_of_mean, product) || !attach(*difference, sine_of_difference, product)) return std::nullopt;
  std::sort(product.factors.begin(), product.factors.end());
  return product;
}

int size_of(const CircularTerm& term) {
  int size = 0;
  for (const Circular& circular : term.factors) {
    for (const Factor& factor : circular.angle) size += std::abs(factor.power);
  }
  return size;
}

// As few terms as pairs allow, those with the smallest angles first.
void join_pairs(std::vector<CircularTerm>& terms, const Algebra& algebra) {
  constexpr std::size_t kMostTerms = 400;
  if (terms.size() > kMostTerms) return;
  while (!algebra.is_stopped()) {
    std::optional<CircularTerm> best;
    std::size_t first = 0, second = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t j = i + 1; j < terms.size(); ++j) {
        auto product = as_product(terms[i], terms[j]);
        if (!product || (best && size_of(*best) <= size_of(*product))) continue;
        best = std::move(product);
        first = i;
        second = j;
      }
    }
    if (!best) return;
    terms[first] = std::move(*best);
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

using Powers = std::vector<Factor>;

// One line of a coefficient: number · powers · sines and cosines.
struct Part {
  double number = 0;
  Powers powers;
  std::vector<Circular> circular;
};

// All that stands with one product of accelerations and velocities.
struct Group {
  Powers motion;
  std::vector<Term> terms;
};

class Writer {
 public:
  explicit Writer(const Algebra& algebra) : algebra_(algebra) {}

  Expression write(const Formula& formula) {
    std::vector<Group> groups = group_by_motion(formula);
    int sum = builder_.constant(0);
    std::vector<bool> written(groups.size(), false);
    for (std::size_t i = 0; i < groups.size() && !algebra_.is_stopped(); ++i) {
      if (written[i]) continue;
      // Groups that differ by a number only are one: J (a'' + b''), the smallest number being set apart.
      std::vector<Part> motions{{1, groups[i].motion, {}}};
      double least = 1;
      for (std::size_t j = i + 1; j < groups.size(); ++j) {
        if (written[j] || rank_of(groups[j].motion) != rank_of(groups[i].motion)) continue;
        const auto ratio = ratio_of(groups[j].terms, groups[i].terms);
        if (!ratio) continue;
        motions.push_back({*ratio, groups[j].motion, {}});
        least = std::min(least, std::abs(*ratio));
        written[j] = true;
      }
      std::vector<Part> parts = gather(groups[i].terms);
      for (Part& part : parts) part.number *= least;
      for (Part& motion : motions) motion.number /= least;
      sum = write_group(sum, parts, motions);
    }
    return builder_.build(sum);
  }

 private:
  bool is_motion(const Factor& factor) const {
    const SymbolKind kind = algebra_.symbol(factor.symbol).kind;
    return kind == SymbolKind::acceleration || kind == SymbolKind::velocity;
  }

  // 0: with an acceleration, 1: with velocities, 2: neither
  int rank_of(const Powers& motion) const {
    if (motion.empty()) return 2;
    return algebra_.symbol(motion[0].symbol).kind == SymbolKind::acceleration ? 0 : 1;
  }

  std::vector<Group> group_by_motion(const Formula& formula) const {
    std::map<std::pair<int, Powers>, std::vector<Term>> by_motion;
    for (const Term& term : formula.terms()) {
      Powers motion;
      Term rest = term;
      rest.monomial.powers.clear();
      for (const Factor& factor : term.monomial.powers) (is_motion(factor) ? motion : rest.monomial.powers).push_back(factor);
      by_motion[{rank_of(motion), motion}].push_back(std::move(rest));
    }
    std::vector<Group> groups;
    for (auto& [key, terms] : by_motion) groups.push_back({key.second, std::move(terms)});
    return groups;
  }

  // The small whole number, or one over it, that takes b to a. Plain numbers stay with what they belong to.
  static std::optional<double> ratio_of(const std::vector<Term>& a, const std::vector<Term>& b) {
    constexpr double kLargest = 4;
    if (a.size() != b.size() || (a.size() == 1 && a[0].monomial == Monomial{})) return std::nullopt;
    const double ratio = a[0].coefficient / b[0].coefficient;
    const double whole = std::max(std::abs(ratio), 1 / std::abs(ratio));
    if (whole > kLargest || !are_equal(whole, std::round(whole))) return std::nullopt;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i].monomial != b[i].monomial || !are_equal(a[i].coefficient, ratio * b[i].coefficient)) return std::nullopt;
    }
    return ratio;
  }

  // The lines of a coefficient, short products of sines and cosines first.
  std::vector<Part> gather(const std::vector<Term>& terms) const {
    std::map<Powers, std::vector<CircularTerm>> by_powers;
    for (const auto& [monomial, coefficient] : terms) {
      CircularTerm circular{{}, coefficient};
      if (!monomial.angle.empty()) circular.factors.push_back({monomial.angle, monomial.sine});
      by_powers[monomial.powers].push_back(std::move(circular));
    }
    std::vector<Part> parts;
    for (auto& [powers, circular_terms] : by_powers) {
      join_pairs(circular_terms, algebra_);
      for (CircularTerm& term : circular_terms) parts.push_back({term.coefficient, powers, std::move(term.factors)});
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      return a.circular.size() != b.circular.size() ? a.circular.size() < b.circular.size() : a.circular < b.circular;
    });
    return parts;
  }

  // sum ± common (part + part ..) (motion + motion ..)
  int write_group(int sum, std::vector<Part> parts, const std::vector<Part>& motions) {
    std::vector<int> motion;
    if (motions.size() > 1) {
      int inner = builder_.constant(0);
      for (const Part& part : motions) inner = add(inner, part, {}, {});
      motion = {inner};
    } else {
      motion = write_powers(motions[0].powers);
    }
    const bool is_force = motions[0].powers.empty();
    Part common{1, {}, {}};
    if (parts.size() > 1) common = take_common_factor(parts);
    if (parts.size() == 1 || (is_force && common.powers.empty() && common.circular.empty())) {
      for (Part& part : parts) part.number *= common.number;
      return write_sum(sum, parts, motion);
    }
    return add(sum, common, {write_sum(builder_.constant(0), parts, {})}, motion);
  }

  // sum + part + part .. , with what shares its sines and cosines in parentheses: (m1 + m2) l sin(a)
  int write_sum(int sum, const std::vector<Part>& parts, const std::vector<int>& motion) {
    for (std::size_t i = 0; i < parts.size();) {
      std::size_t end = i;
      while (end < parts.size() && parts[end].circular == parts[i].circular) ++end;
      std::vector<Part> run(parts.begin() + static_cast<std::ptrdiff_t>(i), parts.begin() + static_cast<std::ptrdiff_t>(end));
      i = end;
      if (run.size() == 1 || run[0].circular.empty()) {
        for (const Part& part : run) sum = add(sum, part, {}, motion);
        continue;
      }
      const Part common = take_common_factor(run);
      int inner = builder_.constant(0);
      for (const Part& part : run) inner = add(inner, part, {}, {});
      sum = add(sum, common, {inner}, motion);
    }
    return sum;
  }

  // The denominator of textbooks that all numbers share, where there are names; 1 if there is none.
  static double common_denominator(const std::vector<Part>& parts) {
    const auto has_names = [](const Part& part) { return !part.powers.empty(); };
    if (std::none_of(parts.begin(), parts.end(), has_names)) return 1;
    for (int denominator : kUsualDenominators) {
      const auto is_whole = [&](const Part& part) {
        const double numerator = std::round(part.number * denominator);
        return std::abs(numerator) < 1000 && are_equal(part.number * denominator, numerator);
      };
      if (std::all_of(parts.begin(), parts.end(), is_whole)) return denominator;
    }
    return 1;
  }

  // What all parts share: powers, sines and cosines, a number of the same size, and the sign of the first.
  static Part take_common_factor(std::vector<Part>& parts) {
    Part common = parts[0];
    bool equal_numbers = true;
    for (const Part& part : parts) {
      Powers powers;
      for (const Factor& factor : common.powers) {
        const auto same = std::find_if(part.powers.begin(), part.powers.end(),
                                       [&](const Factor& other) { return other.symbol == factor.symbol; });
        if (same != part.powers.end() && factor.power > 0 && same->power > 0)
          powers.push_back({factor.symbol, std::min(factor.power, same->power)});
      }
      common.powers = std::move(powers);
      std::vector<Circular> circular;
      std::set_intersection(common.circular.begin(), common.circular.end(), part.circular.begin(), part.circular.end(),
                            std::back_inserter(circular));
      common.circular = std::move(circular);
      equal_numbers = equal_numbers && are_equal(std::abs(part.number), std::abs(parts[0].number));
    }
    common.number = equal_numbers ? parts[0].number : std::copysign(1.0 / common_denominator(parts), parts[0].number);
    for (Part& part : parts) {
      part.number = equal_numbers ? std::copysign(1.0, part.number / common.number) : part.number / common.number;
      if (are_equal(part.number, std::round(part.number))) part.number = std::round(part.number);
      for (const Factor& factor : common.powers) {
        const auto same = std::find_if(part.powers.begin(), part.powers.end(),
                                       [&](const Factor& other) { return other.symbol == factor.symbol; });
        same->power -= factor.power;
        if (same->power == 0) part.powers.erase(same);
      }
      std::vector<Circular> circular;
      std::set_difference(part.circular.begin(), part.circular.end(), common.circular.begin(), common.circular.end(),
                          std::back_inserter(circular));
      part.circular = std::move(circular);
    }
    return common;
  }

  // sum + part, the minus sign in front.
  int add(int sum, const Part& part, const std::vector<int>& inner, const std::vector<int>& motion) {
    const int product = write_product(part, inner, motion);
    return builder_.binary(part.number < 0 ? Operation::subtract : Operation::add, sum, product);
  }

  std::vector<int> write_powers(const Powers& powers) {
    std::vector<int> factors;
    for (const Factor& factor : powers)
      factors.push_back(power(builder_.include(algebra_.symbol(factor.symbol).written), std::abs(factor.power)));
    return factors;
  }

  // |number| · powers · inner · sines and cosines / denominators · motion
  int write_product(const Part& part, const std::vector<int>& inner, const std::vector<int>& motion) {
    const auto [numerator, denominator] =
        as_fraction(std::abs(part.number), !part.powers.empty() || !inner.empty() || !motion.empty());
    Powers above, below;
    for (const Factor& factor : part.powers) (factor.power > 0 ? above : below).push_back(factor);
    int product = builder_.constant(numerator);
    const auto put = [&](Operation operation, const std::vector<int>& factors) {
      for (int factor : factors) product = builder_.binary(operation, product, factor);
    };
    put(Operation::multiply, write_powers(above));
    put(Operation::multiply, inner);
    for (std::size_t i = 0; i < part.circular.size();) {
      std::size_t end = i;
      while (end < part.circular.size() && part.circular[end] == part.circular[i]) ++end;
      put(Operation::multiply, {power(write_circular(part.circular[i]), static_cast<int>(end - i))});
      i = end;
    }
    if (denominator != 1) put(Operation::divide, {builder_.constant(denominator)});
    put(Operation::divide, write_powers(below));
    put(Operation::multiply, motion);
    return product;
  }

  int power(int base, int exponent) { return builder_.binary(Operation::power, base, builder_.constant(exponent)); }

  // cos(2*(a + b)), sin(a - 2*b)
  int write_circular(const Circular& circular) {
    int divisor = 0;
    for (const Factor& factor : circular.angle) divisor = std::gcd(divisor, factor.power);
    int angle = builder_.constant(0);
    for (const Factor& factor : circular.angle) {
      const int multiple = builder_.binary(Operation::multiply, builder_.constant(std::abs(factor.power) / divisor),
                                           builder_.include(algebra_.symbol(factor.symbol).written));
      angle = builder_.binary(factor.power < 0 ? Operation::subtract : Operation::add, angle, multiple);
    }
    angle = builder_.binary(Operation::multiply, builder_.constant(divisor), angle);
    return builder_.unary(circular.sine ? Operation::sin : Operation::cos, angle);
  }

  // With names the small fractions of textbooks, m l²/3; numbers alone as decimals, unless these have no end.
  static std::pair<double, double> as_fraction(double number, bool has_names) {
    const auto numerator_over = [&](int denominator) -> std::optional<double> {
      const double numerator = std::round(number * denominator);
      if (numerator == 0 || numerator > 1000 || !are_equal(numerator, number * denominator)) return std::nullopt;
      return numerator;
    };
    if (has_names) {
      for (int denominator : kUsualDenominators) {
        const auto numerator = numerator_over(denominator);
        if (numerator && *numerator < 100) return {*numerator, denominator};
      }
    }
    const std::string decimal = fmt::format("{:.15g}", number);
    if (decimal.size() > 12) {
      for (int denominator = 1; denominator <= 360; ++denominator) {
        if (const auto numerator = numerator_over(denominator)) return {*numerator, denominator};
      }
    }
    return {std::strtod(decimal.c_str(), nullptr), 1};
  }

  const Algebra& algebra_;
  Expression::Builder builder_;
};

}  // namespace

Expression to_expression(const Formula& formula, const Algebra& algebra) { return Writer(algebra).write(formula); }

}  // namespace vinculum
