// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "vinculum/expression/parse.h"
#include "vinculum/symbolic/print.h"

namespace vinculum::testing {

// Reads printed equations back, as text, and gives their values at a state.
class PrintedEquations {
 public:
  PrintedEquations(const Model& model, const DerivedEquations& equations) : model_(model), equations_(equations) {}

  // The force that drives a coordinate.
  void set(const std::string& name, double value) { bind(name, value); }

  // Left and right sides.
  std::vector<std::pair<double, double>> evaluate(const State& state, const std::vector<double>& accelerations) {
    for (const ParameterValue& parameter : model_.description().parameters) bind(parameter.name, parameter.value);
    bind("t", state.t);
    bind_all(model_.coordinate_names(), "", state.q);
    bind_all(model_.velocity_names(), "", state.v);
    bind_all(model_.velocity_names(), "'", accelerations);
    // Angles are sums of coordinates, and their rates the same sums of rates.
    for (const char* primes : {"", "'", "''"}) {
      for (const Definition& angle : equations_.angles) {
        std::string sum = to_text(angle.formula);
        for (std::size_t at = 0; *primes != '\0' && at <= sum.size(); ++at) {
          if (at == sum.size() || sum[at] == ' ') {
            const bool is_name = at > 0 && sum[at - 1] != '+' && sum[at - 1] != '-';
            if (is_name) sum.insert(at, primes), at += std::string_view(primes).size();
          }
        }
        bind(angle.name + primes, value_of(sum));
      }
    }
    for (const Definition& definition : equations_.definitions) bind(definition.name, value_of(to_text(definition.formula)));
    std::vector<std::pair<double, double>> sides;
    for (const DerivedEquation& equation : equations_.equations) {
      const std::string line = to_text(equation);
      const std::size_t equals = line.find(" = ");
      sides.emplace_back(value_of(line.substr(0, equals)), value_of(line.substr(equals + 3)));
    }
    return sides;
  }

 private:
  // A name of the little language has one prime at most.
  static std::string readable(std::string text) {
    for (std::size_t at; (at = text.find('\'')) != std::string::npos;) text.replace(at, 1, "_rate");
    return text;
  }
  void bind(const std::string& name, double value) { names_.parameters[readable(name)] = {value, std::nullopt}; }
  void bind_all(const std::vector<std::string>& names, const char* suffix, const std::vector<double>& values) {
    for (std::size_t i = 0; i < names.size(); ++i) bind(names[i] + suffix, values[i]);
  }
  double value_of(const std::string& text) const {
    const auto parsed = parse_expression(readable(text), names_);
    if (const auto* error = std::get_if<ParseError>(&parsed)) {
      ADD_FAILURE() << error->message << " in " << text;
      return NAN;
    }
    return std::get<ParsedExpression>(parsed).expression.constant_value();
  }

  const Model& model_;
  const DerivedEquations& equations_;
  NameTable names_;
};

}  // namespace vinculum::testing
