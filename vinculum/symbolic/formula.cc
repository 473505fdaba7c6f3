// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/symbolic/formula.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "vinculum/expression/evaluate_kernel.h"
#include "vinculum/symbolic/derive.h"

namespace vinculum {

namespace {

// Sums smaller than this share of their parts are round-off: coefficients are products of numbers of the model and come together
// from some hundred terms, each rounded to 2^-53.
constexpr double kRoundOffOfCoefficients = 1e-13;

// A sum that overflowed is not: it stays, so that whoever prints it sees it.
bool is_round_off(double sum, double a, double b) {
  return std::isfinite(sum) && std::abs(sum) <= kRoundOffOfCoefficients * std::max(std::abs(a), std::abs(b));
}

using Sum = std::map<Monomial, double>;

std::vector<Factor> combine(const std::vector<Factor>& a, const std::vector<Factor>& b, int sign) {
  std::vector<Factor> result;
  result.reserve(a.size() + b.size());
  auto left = a.begin(), right = b.begin();
  while (left != a.end() || right != b.end()) {
    if (right == b.end() || (left != a.end() && left->symbol < right->symbol)) {
      result.push_back(*left++);
    } else if (left == a.end() || right->symbol < left->symbol) {
      result.push_back({right->symbol, sign * right->power});
      ++right;
    } else {
      const int power = left->power + sign * right->power;
      if (power != 0) result.push_back({left->symbol, power});
      ++left, ++right;
    }
  }
  return result;
}

// Adds coefficient · powers · cos(angle) or sin(angle), whatever the sign of the angle.
void add_term(Sum& sum, std::vector<Factor> powers, std::vector<Factor> angle, bool sine, double coefficient) {
  if (sine && angle.empty()) return;
  if (!angle.empty() && angle[0].power < 0) {
    for (Factor& factor : angle) factor.power = -factor.power;
    if (sine) coefficient = -coefficient;
  }
  const auto [place, is_new] = sum.try_emplace({std::move(powers), std::move(angle), sine}, coefficient);
  if (is_new) return;
  const double before = place->second, after = before + coefficient;
  if (is_round_off(after, before, coefficient)) {
    sum.erase(place);
  } else {
    place->second = after;
  }
}

// cos a cos b = (cos(a - b) + cos(a + b))/2 ,  sin a sin b = (cos(a - b) - cos(a + b))/2 ,  sin a cos b = (sin(a + b) + sin(a -
// b))/2
void add_product(Sum& sum, const Term& a, const Term& b, const std::vector<Factor>& powers) {
  const double c = a.coefficient * b.coefficient;
  const Monomial &x = a.monomial, &y = b.monomial;
  if (x.angle.empty()) return add_term(sum, powers, y.angle, y.sine, c);
  if (y.angle.empty()) return add_term(sum, powers, x.angle, x.sine, c);
  const bool sine = x.sine != y.sine;
  add_term(sum, powers, combine(x.angle, y.angle, 1), sine, x.sine && y.sine ? -c / 2 : c / 2);
  add_term(sum, powers, combine(x.angle, y.angle, -1), sine, y.sine && !x.sine ? -c / 2 : c / 2);
}

std::vector<Term> terms_of(const Sum& sum) {
  std::vector<Term> terms;
  terms.reserve(sum.size());
  for (const auto& [monomial, coefficient] : sum) terms.push_back({monomial, coefficient});
  return terms;
}

// The whole multiples of coordinates that a formula is, if it is that.
std::optional<std::vector<Factor>> as_angle(const Formula& formula, const Algebra& algebra) {
  std::vector<Factor> angle;
  for (const auto& [monomial, coefficient] : formula.terms()) {
    const bool is_coordinate = monomial.angle.empty() && monomial.powers.size() == 1 && monomial.powers[0].power == 1 &&
                               algebra.symbol(monomial.powers[0].symbol).kind == SymbolKind::coordinate;
    if (!is_coordinate || coefficient != std::round(coefficient) || std::abs(coefficient) > 1000) return std::nullopt;
    angle.push_back({monomial.powers[0].symbol, static_cast<int>(coefficient)});
  }
  return angle;
}

}  // namespace

Formula::Formula(double constant) {
  if (constant != 0) terms_.push_back({{}, constant});
}

Formula operator-(const Formula& a) {
  Formula result = a;
  for (Term& term : result.terms_) term.coefficient = -term.coefficient;
  return result;
}

Formula operator+(const Formula& a, const Formula& b) {
  Algebra* algebra = a.algebra_ != nullptr ? a.algebra_ : b.algebra_;
  if (algebra != nullptr && !algebra->spend(a.terms_.size() + b.terms_.size())) return {};
  std::vector<Term> terms;
  terms.reserve(a.terms_.size() + b.terms_.size());
  auto left = a.terms_.begin(), right = b.terms_.begin();
  while (left != a.terms_.end() || right != b.terms_.end()) {
    if (right == b.terms_.end() || (left != a.terms_.end() && left->monomial < right->monomial)) {
      terms.push_back(*left++);
    } else if (left == a.terms_.end() || right->monomial < left->monomial) {
      terms.push_back(*right++);
    } else {
      const double x = left->coefficient, y = right->coefficient;
      if (!is_round_off(x + y, x, y)) terms.push_back({left->monomial, x + y});
      ++left, ++right;
    }
  }
  return Formula(algebra, std::move(terms));
}

Formula operator*(const Formula& a, const Formula& b) {
  Algebra* algebra = a.algebra_ != nullptr ? a.algebra_ : b.algebra_;
  if (a.is_zero() || b.is_zero()) return {};
  if (algebra == nullptr) return Formula(a.constant() * b.constant());
  Sum sum;
  for (const Term& x : a.terms_) {
    if (!algebra->spend(b.terms_.size())) return {};
    for (const Term& y : b.terms_) add_product(sum, x, y, combine(x.monomial.powers, y.monomial.powers, 1));
  }
  if (!algebra->replace_squares(sum)) return {};
  return Formula(algebra, terms_of(sum));
}

// w² = 1 - x² - y² - z². What takes its place may be a square again.
bool Algebra::replace_squares(std::map<Monomial, double>& sum) {
  const auto square_in = [&](const Monomial& monomial) {
    const auto& powers = monomial.powers;
    const auto found = std::find_if(powers.begin(), powers.end(),
                                    [&](const Factor& factor) { return factor.power >= 2 && is_quaternion_w(factor.symbol); });
    return found == powers.end() ? -1 : found->symbol;
  };
  for (;;) {
    std::vector<Term> squares;
    for (auto place = sum.begin(); place != sum.end();) {
      if (square_in(place->first) < 0) {
        ++place;
        continue;
      }
      squares.push_back({place->first, place->second});
      place = sum.erase(place);
    }
    if (squares.empty()) return true;
    if (!spend(4 * squares.size())) return false;
    for (const auto& [monomial, coefficient] : squares) {
      const int w = square_in(monomial);
      const std::vector<Factor> rest = combine(monomial.powers, {{w, 2}}, -1);
      add_term(sum, rest, monomial.angle, monomial.sine, coefficient);
      for (int k = 1; k <= 3; ++k) add_term(sum, combine(rest, {{w + k, 2}}, 1), monomial.angle, monomial.sine, -coefficient);
    }
  }
}

Formula operator/(const Formula& a, const Formula& b) {
  Algebra* algebra = a.algebra_ != nullptr ? a.algebra_ : b.algebra_;
  if (b.terms_.size() == 1 && b.terms_[0].monomial.angle.empty()) {
    Term inverse = b.terms_[0];
    inverse.coefficient = 1 / inverse.coefficient;
    for (Factor& factor : inverse.monomial.powers) factor.power = -factor.power;
    return a * Formula(algebra, {inverse});
  }
  if (algebra == nullptr) return Formula(a.constant() / b.constant());
  const Formula one(1.0);
  return a * algebra->function(Operation::divide, one, &b);
}

Formula Formula::apply(Operation operation, const Formula& a) {
  if (!a.is_constant() && a.algebra_ != nullptr) return a.algebra_->function(operation, a);
  return Formula(apply_step(Step{.operation = operation}, a.constant(), a.constant(), a.constant()));
}

Formula Formula::apply(Operation operation, const Formula& a, const Formula& b) {
  Algebra* algebra = a.algebra_ != nullptr ? a.algebra_ : b.algebra_;
  if (algebra != nullptr && !(a.is_constant() && b.is_constant())) return algebra->function(operation, a, &b);
  return Formula(apply_step(Step{.operation = operation}, a.constant(), b.constant(), b.constant()));
}

Formula choose(const Formula& s, const Formula& x, const Formula& y) {
  if (s.is_constant() || s.algebra_ == nullptr) return s.constant() > 0 ? x : y;
  return s.algebra_->function(Operation::choose, s, &x, &y);
}

Formula pow(const Formula& a, const Formula& b) {
  Algebra* algebra = a.algebra_ != nullptr ? a.algebra_ : b.algebra_;
  if (algebra == nullptr || (a.is_constant() && b.is_constant())) return Formula(std::pow(a.constant(), b.constant()));
  return algebra->function(Operation::power, a, &b);
}

SinCos<Formula> sincos(const Formula& a) {
  if (a.is_constant()) return {Formula(std::sin(a.constant())), Formula(std::cos(a.constant()))};
  if (const auto angle = as_angle(a, *a.algebra_)) {
    Sum sine, cosine;
    add_term(sine, {}, *angle, true, 1);
    add_term(cosine, {}, *angle, false, 1);
    return {Formula(a.algebra_, terms_of(sine)), Formula(a.algebra_, terms_of(cosine))};
  }
  return {Formula::apply(Operation::sin, a), Formula::apply(Operation::cos, a)};
}

bool Algebra::spend(std::size_t operations) {
  if (left_ >= 0) left_ -= static_cast<long>(operations);
  if (left_ >= 0 && is_stopped()) left_ = -1;
  return left_ >= 0;
}

Formula Algebra::add(Symbol symbol) {
  const int index = static_cast<int>(symbols_.size());
  symbols_.push_back(std::move(symbol));
  is_quaternion_w_.push_back(false);
  return Formula(this, {{{{{index, 1}}, {}, false}, 1}});
}

void Algebra::mark_unit_quaternion() { is_quaternion_w_[symbols_.size() - 4] = true; }

Formula Algebra::parameter(const std::string& name, double value) {
  const auto [place, is_new] = symbol_of_.try_emplace(name, static_cast<int>(symbols_.size()));
  if (!is_new) return Formula(this, {{{{{place->second, 1}}, {}, false}, 1}});
  Expression::Builder builder;
  return add({SymbolKind::parameter, builder.build(builder.parameter(name, value))});
}

// A function of parameters alone is written where it stands; others get a name.
Formula Algebra::function(Operation operation, const Formula& a, const Formula* b, const Formula* c) {
  const std::size_t terms = a.terms().size() + (b == nullptr ? 0 : b->terms().size()) + (c == nullptr ? 0 : c->terms().size());
  if (!spend(terms > kMostWrittenTerms ? std::numeric_limits<long>::max() / 2 : terms)) return {};
  Expression::Builder builder;
  const int left = builder.include(to_expression(a, *this));
  const int right = b == nullptr ? -1 : builder.include(to_expression(*b, *this));
  const int third = c == nullptr ? -1 : builder.include(to_expression(*c, *this));
  const int result = b == nullptr   ? builder.unary(operation, left)
                     : c == nullptr ? builder.binary(operation, left, right)
                                    : builder.choose(left, right, third);
  Expression value = builder.build(result);
  const auto [place, is_new] = symbol_of_.try_emplace(to_text(value), static_cast<int>(symbols_.size()));
  if (!is_new) return Formula(this, {{{{{place->second, 1}}, {}, false}, 1}});
  if (value.is_constant()) return add({SymbolKind::parameter, std::move(value)});
  const int index = static_cast<int>(functions_.size());
  const std::string name = give_name_("r" + std::to_string(index + 1));
  functions_.push_back({name, std::move(value)});
  return add({SymbolKind::function, builder.build(builder.variable({VariableKind::surface_x, index}, name))});
}

Formula Algebra::evaluate(const Expression& expression, const Leaves& leaves) {
  std::vector<Formula> values;
  for (const Step& step : expression.steps()) {
    switch (step.operation) {
      case Operation::constant: values.emplace_back(step.value); break;
      case Operation::parameter: values.push_back(parameter(expression.name(step.name), step.value)); break;
      case Operation::variable:
        values.push_back(step.variable.kind == VariableKind::time         ? leaves.time[0]
                         : step.variable.kind == VariableKind::coordinate ? leaves.coordinates[step.variable.index]
                                                                          : leaves.velocities[step.variable.index]);
        break;
      default:
        values.push_back(apply_step(step, values[step.left], values[step.right < 0 ? step.left : step.right],
                                    values[step.third < 0 ? step.left : step.third]));
    }
  }
  return values.back();
}

}  // namespace vinculum
