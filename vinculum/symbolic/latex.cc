// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/expression/functions.h"
#include "vinculum/symbolic/print.h"

namespace vinculum {

namespace {

constexpr std::array<std::string_view, 24> kGreek{"alpha", "beta",  "gamma",   "delta", "epsilon", "zeta", "eta",   "theta",
                                                  "iota",  "kappa", "lambda",  "mu",    "nu",      "xi",   "pi",    "rho",
                                                  "sigma", "tau",   "upsilon", "phi",   "chi",     "psi",  "omega", "Omega"};

// Characters that mean something to TeX.
std::string escape(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '_' || c == '&' || c == '%' || c == '#' || c == '$') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string word_to_latex(std::string_view word) {
  if (std::find(kGreek.begin(), kGreek.end(), word) != kGreek.end()) return fmt::format("\\{}", word);
  return word.size() == 1 ? std::string(word) : fmt::format("\\mathrm{{{}}}", escape(word));
}

// From the loosest binding to the tightest.
enum class Level { sum, product, primary };

class LatexWriter {
 public:
  LatexWriter(const Expression& expression, const LatexNames& names)
      : expression_(expression), names_(names), steps_(expression.steps()) {}

  std::string write(int index, Level least) const {
    const Step& step = steps_[index];
    const auto both = [&](std::string_view sign, Level left, Level right) {
      return fmt::format("{}{}{}", write(step.left, left), sign, write(step.right, right));
    };
    const auto in_parentheses = [&](Level level, const std::string& text) {
      return level < least ? fmt::format("\\left({}\\right)", text) : text;
    };
    switch (step.operation) {
      case Operation::constant: return in_parentheses(std::signbit(step.value) ? Level::sum : Level::primary, number(step.value));
      case Operation::parameter:
      case Operation::variable: return names_.write(expression_.name(step.name));
      case Operation::negate: return in_parentheses(Level::sum, "-" + write(step.left, Level::product));
      case Operation::add: return in_parentheses(Level::sum, both(" + ", Level::sum, Level::product));
      case Operation::subtract: return in_parentheses(Level::sum, both(" - ", Level::sum, Level::product));
      case Operation::multiply: return in_parentheses(Level::product, both(" \\, ", Level::product, Level::product));
      case Operation::divide:
        return fmt::format("\\frac{{{}}}{{{}}}", write(step.left, Level::sum), write(step.right, Level::sum));
      case Operation::power: return write_power(step);
      case Operation::sqrt: return fmt::format("\\sqrt{{{}}}", write(step.left, Level::sum));
      case Operation::abs: return fmt::format("\\left|{}\\right|", write(step.left, Level::sum));
      case Operation::sign: return fmt::format("\\operatorname{{sign}}\\left({}\\right)", write(step.left, Level::sum));
      case Operation::floor: return fmt::format("\\left\\lfloor {}\\right\\rfloor", write(step.left, Level::sum));
      case Operation::atan2:
        if (const auto inverse = find_inverse(steps_, step))
          return fmt::format("\\arc{}\\left({}\\right)", inverse->name.substr(1), write(inverse->argument, Level::sum));
        return fmt::format("\\operatorname{{atan2}}\\left({}, {}\\right)", write(step.left, Level::sum),
                           write(step.right, Level::sum));
      case Operation::min:
      case Operation::max:
        return fmt::format("\\{}\\left({}, {}\\right)", function_name(step.operation), write(step.left, Level::sum),
                           write(step.right, Level::sum));
      case Operation::choose:
        return fmt::format("\\begin{{cases}}{} & {} \\\\ {} & \\text{{otherwise}}\\end{{cases}}", write(step.right, Level::sum),
                           write_condition(steps_[step.left]), write(step.third, Level::sum));
      default: break;
    }
    return fmt::format("\\{}\\left({}\\right)", function_name(step.operation), write(step.left, Level::sum));
  }

 private:
  // s > 0, as A < B where s is B - A.
  std::string write_condition(const Step& s) const {
    if (s.operation == Operation::subtract) return fmt::format("{} < {}", write(s.right, Level::sum), write(s.left, Level::sum));
    if (s.operation == Operation::negate) return fmt::format("{} < 0", write(s.left, Level::sum));
    return fmt::format("0 < {}", write(static_cast<int>(&s - steps_.data()), Level::sum));
  }

  static std::string number(double value) {
    std::string text = fmt::format("{}", value);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) return text;
    return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, exponent), std::stoi(text.substr(exponent + 1)));
  }

  std::string write_power(const Step& step) const {
    const Step& base = steps_[step.left];
    const std::string exponent = write(step.right, Level::sum);
    const bool is_circular =
        base.operation == Operation::sin || base.operation == Operation::cos || base.operation == Operation::tan;
    if (is_circular && step.value > 0)
      return fmt::format("\\{}^{{{}}}\\left({}\\right)", function_name(base.operation), exponent, write(base.left, Level::sum));
    const bool is_name = base.operation == Operation::parameter || base.operation == Operation::variable;
    const std::string text = write(step.left, Level::sum);
    return is_name ? fmt::format("{}^{{{}}}", text, exponent) : fmt::format("\\left({}\\right)^{{{}}}", text, exponent);
  }

  const Expression& expression_;
  const LatexNames& names_;
  std::span<const Step> steps_;
};

std::size_t count_primes(std::string_view name) {
  const std::size_t last = name.find_last_not_of('\'');
  return last == std::string_view::npos ? 0 : name.size() - 1 - last;
}

std::string with_dots(const std::string& text, std::size_t primes) {
  if (primes == 0) return text;
  return fmt::format("\\{}{{{}}}", primes == 1 ? "dot" : primes == 2 ? "ddot" : "dddot", text);
}

}  // namespace

void LatexNames::add(std::string_view name) {
  name.remove_suffix(count_primes(name));
  if (literal_.contains(std::string(name))) return;
  literal_.emplace(name, !taken_.insert(name_to_latex(name)).second);
}

void LatexNames::add(const Expression& expression) {
  for (const Step& step : expression.steps()) {
    if (step.operation == Operation::parameter || step.operation == Operation::variable) add(expression.name(step.name));
  }
}

std::string LatexNames::write(std::string_view name) const {
  const std::size_t primes = count_primes(name);
  const std::string_view base = name.substr(0, name.size() - primes);
  const auto known = literal_.find(std::string(base));
  if (known == literal_.end() || !known->second) return name_to_latex(name);
  return with_dots(fmt::format("\\mathrm{{{}}}", escape(base)), primes);
}

std::string to_latex(const Expression& expression, const LatexNames& names) {
  return LatexWriter(expression, names).write(static_cast<int>(expression.steps().size()) - 1, Level::sum);
}

std::string to_latex(const Expression& expression) {
  LatexNames names;
  names.add(expression);
  return to_latex(expression, names);
}

std::string name_to_latex(std::string_view name) {
  const std::size_t primes = count_primes(name);
  name.remove_suffix(primes);

  // The word before the first digit, dot or underscore bears the accents; the rest is the index.
  std::size_t end = name.find_first_of("._0123456789");
  if (end == 0 || end == std::string_view::npos) end = name.size();
  const std::string text = with_dots(word_to_latex(name.substr(0, end)), primes);
  std::string_view index = name.substr(end);
  if (!index.empty() && (index[0] == '.' || index[0] == '_')) index.remove_prefix(1);
  if (index.empty()) return text;
  constexpr std::size_t kLongestPlain = 3;  // r1, d12
  return fmt::format("{}_{{{}}}", text,
                     index.size() > kLongestPlain ? fmt::format("\\mathrm{{{}}}", escape(index)) : escape(index));
}

std::string unit_to_latex(std::string_view unit) {
  std::string text;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (unit[i] == '*') {
      text += "\\,";
    } else if (unit[i] == '^' && i + 1 < unit.size()) {
      text += fmt::format("^{{{}}}", unit[++i]);
    } else {
      text += unit[i];
    }
  }
  return fmt::format("\\mathrm{{{}}}", text);
}

}  // namespace vinculum
