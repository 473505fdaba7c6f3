// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "vinculum/expression/expression.h"
#include "vinculum/math/sincos.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// In the order in which equations are written: terms with accelerations come first.
enum class SymbolKind { acceleration, velocity, parameter, coordinate, function };

struct Symbol {
  SymbolKind kind = SymbolKind::parameter;
  Expression written;  // a name, or a formula of parameters
};

// A function that is no polynomial: the length of a spring, a law with exp. It has a name and a definition.
struct NamedFunction {
  std::string name;
  Expression value;
};

struct Factor {
  int symbol = 0;
  int power = 0;

  auto operator<=>(const Factor&) const = default;
};

// x₁^p₁ x₂^p₂ .. cos(k₁ a + k₂ b + ..), or the sine.
struct Monomial {
  std::vector<Factor> powers;  // by symbol, none to the power 0
  std::vector<Factor> angle;  // whole multiples of coordinates, by symbol, the first one positive; empty: neither sine nor cosine
  bool sine = false;

  auto operator<=>(const Monomial&) const = default;
};

struct Term {
  Monomial monomial;
  double coefficient = 0;
};

class Formula;

// What formulas are made of, and how much work may be spent on them. Lives as long as its formulas.
class Algebra {
 public:
  // So many operations on terms; then every sum and product is 0, and is_exhausted() tells. Functions are named by `give_name`.
  // So are they when `stop` says so, which is asked along with them.
  using GiveName = std::function<std::string(const std::string& wanted)>;
  Algebra(long most_operations, GiveName give_name, AskStop stop = {})
      : left_(most_operations), give_name_(std::move(give_name)), stop_(std::move(stop)) {}
  Algebra(const Algebra&) = delete;
  Algebra& operator=(const Algebra&) = delete;

  Formula add(Symbol symbol);
  // The last four symbols are w x y z of a unit quaternion: w² is written 1 - x² - y² - z².
  void mark_unit_quaternion();

  const Symbol& symbol(int index) const { return symbols_[index]; }
  bool is_quaternion_w(int index) const { return is_quaternion_w_[index]; }
  const std::vector<NamedFunction>& functions() const { return functions_; }
  bool is_exhausted() const { return left_ < 0; }
  bool is_stopped() const { return vinculum::is_stopped(stop_); }
  // False if there is nothing left to be spent.
  bool spend(std::size_t operations);

  // Writes w² of the unit quaternions by the others. False if there is nothing left to be spent.
  bool replace_squares(std::map<Monomial, double>& sum);

  // operation(a), operation(a, b) or choose(a, b, c) as a symbol of its own.
  Formula function(Operation operation, const Formula& a, const Formula* b = nullptr, const Formula* c = nullptr);

  // The value of an expression on formulas: variables by `coordinates`, `velocities` and `time`, parameters under their names.
  struct Leaves {
    std::vector<Formula> coordinates, velocities;
    std::vector<Formula> time;  // one
  };
  Formula evaluate(const Expression& expression, const Leaves& leaves);

  // The symbol of this name, added if it is new.
  Formula parameter(const std::string& name, double value);

 private:
  std::vector<Symbol> symbols_;
  std::vector<bool> is_quaternion_w_;
  std::unordered_map<std::string, int> symbol_of_;  // parameters by name, functions by text
  std::vector<NamedFunction> functions_;
  long left_;
  GiveName give_name_;
  AskStop stop_;
};

// A polynomial in symbols, sines and cosines, as a sum of monomials with like terms collected. Products of sines and cosines are
// written as sums, so that equal functions are equal formulas: cos²a + sin²a is 1. Coefficients that cancel to round-off are
// gone.
class Formula {
 public:
  Formula() = default;
  explicit Formula(double constant);

  const std::vector<Term>& terms() const { return terms_; }
  bool is_zero() const { return terms_.empty(); }
  bool is_constant() const { return terms_.empty() || (terms_.size() == 1 && terms_[0].monomial == Monomial{}); }
  double constant() const { return terms_.empty() ? 0 : terms_[0].coefficient; }  // only if is_constant()

  friend Formula operator-(const Formula& a);
  friend Formula operator+(const Formula& a, const Formula& b);
  friend Formula operator-(const Formula& a, const Formula& b) { return a + -b; }
  friend Formula operator*(const Formula& a, const Formula& b);
  friend Formula operator/(const Formula& a, const Formula& b);
  friend Formula multiply_add(const Formula& a, const Formula& b, const Formula& c) { return a * b + c; }
  friend Formula sqrt(const Formula& a) { return apply(Operation::sqrt, a); }
  friend Formula exp(const Formula& a) { return apply(Operation::exp, a); }
  friend Formula log(const Formula& a) { return apply(Operation::log, a); }
  friend Formula abs(const Formula& a) { return apply(Operation::abs, a); }
  friend Formula sign(const Formula& a) { return apply(Operation::sign, a); }
  friend Formula tanh(const Formula& a) { return apply(Operation::tanh, a); }
  friend Formula atan2(const Formula& y, const Formula& x) { return apply(Operation::atan2, y, x); }
  friend Formula floor(const Formula& a) { return apply(Operation::floor, a); }
  friend Formula min(const Formula& a, const Formula& b) { return apply(Operation::min, a, b); }
  friend Formula max(const Formula& a, const Formula& b) { return apply(Operation::max, a, b); }
  friend Formula choose(const Formula& s, const Formula& x, const Formula& y);
  friend Formula pow(const Formula& a, const Formula& b);
  friend SinCos<Formula> sincos(const Formula& a);

 private:
  friend class Algebra;

  Formula(Algebra* algebra, std::vector<Term> terms) : algebra_(algebra), terms_(std::move(terms)) {}
  static Formula apply(Operation operation, const Formula& a);
  static Formula apply(Operation operation, const Formula& a, const Formula& b);

  Algebra* algebra_ = nullptr;  // null: a constant
  std::vector<Term> terms_;     // by monomial
};

// As a person would write it. Terms are gathered by accelerations and velocities, common factors are set apart, and sums of
// cosines that are a product are written as one: m l (cos(a + b) + cos(a - b)) is 2 m l cos(a) cos(b).
Expression to_expression(const Formula& formula, const Algebra& algebra);

}  // namespace vinculum
