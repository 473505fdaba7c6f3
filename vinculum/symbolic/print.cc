// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/symbolic/print.h"

#include <cstdlib>
#include <functional>
#include <set>

#include <fmt/core.h>

namespace vinculum {

namespace {

constexpr std::size_t kWidth = 116, kLatexWidth = 220;

std::string heading(const Model& model, const DerivedEquations& equations) {
  return fmt::format(
      "{}equations of motion in {}", model.name().empty() ? "" : model.name() + ": ",
      equations.is_closed_form ? "absolute angles, closed form of a planar tree" : "the coordinates of the joints");
}

// The terms of a sum with their signs: "a", "+ b", "- c".
std::vector<std::string> signed_terms(const Expression& sum, const std::function<std::string(const Expression&)>& print) {
  std::vector<std::string> terms;
  for (const Expression& term : split_sum(sum)) {
    std::string text = print(term);
    if (terms.empty()) {
      terms.push_back(text);
    } else if (text.starts_with('-')) {
      terms.push_back("- " + text.substr(1));
    } else {
      terms.push_back("+ " + text);
    }
  }
  return terms;
}

// Terms in lines that end before the width where a term allows it.
std::string wrap(const std::vector<std::string>& terms, const std::string& last, std::size_t width, std::string_view line_break) {
  std::string text;
  std::size_t line = 0;
  const auto put = [&](const std::string& piece) {
    if (line > 0 && line + 1 + piece.size() > width) {
      text += line_break;
      line = 0;
    } else if (line > 0) {
      text += ' ';
      ++line;
    }
    text += piece;
    line += piece.size();
  };
  for (const std::string& term : terms) put(term);
  put(last);
  return text;
}

// The parameters that the equations use.
std::vector<Definition> used_parameters(const Model& model, const DerivedEquations& equations) {
  std::set<std::string> used;
  const auto look_at = [&](const Expression& expression) {
    for (const Step& step : expression.steps()) {
      if (step.operation == Operation::parameter) used.insert(expression.name(step.name));
    }
  };
  for (const DerivedEquation& equation : equations.equations) look_at(equation.left), look_at(equation.right);
  for (const Definition& definition : equations.definitions) look_at(definition.formula);
  for (const Definition& motion : equations.motions) look_at(motion.formula);
  std::vector<Definition> parameters;
  for (const ParameterValue& parameter : model.description().parameters) {
    if (used.contains(parameter.name)) parameters.push_back({parameter.name, parameter.value, ""});
  }
  return parameters;
}

std::string text_of(const Expression& expression) { return to_text(expression); }

std::string number_text(double value) { return fmt::format("{:.15g}", value); }

// name = formula = value unit, without saying a number twice.
std::string definition_text(const Definition& definition) {
  const std::string formula = to_text(definition.formula);
  if (!definition.formula.is_constant()) return fmt::format("{} = {}", definition.name, formula);
  const std::string value = number_text(definition.formula.constant_value());
  const std::string unit = definition.unit.empty() ? "" : " " + definition.unit;
  if (definition.formula.steps().size() == 1 && definition.formula.steps()[0].operation == Operation::constant)
    return fmt::format("{} = {}{}", definition.name, value, unit);
  return fmt::format("{} = {} = {}{}", definition.name, formula, value, unit);
}

}  // namespace

std::string to_text(const DerivedEquation& equation) {
  return fmt::format("{} = {}", to_text(equation.left), to_text(equation.right));
}

std::string to_text(const Model& model, const DerivedEquations& equations) {
  std::string text = heading(model, equations) + "\n";
  const auto section = [&](std::string_view title, const auto& list, const auto& line) {
    if (list.empty()) return;
    text += fmt::format("{}\n", title);
    for (const auto& entry : list) text += fmt::format("  {}\n", line(entry));
  };
  section("angles from the position at zero", equations.angles, definition_text);
  section("equations", equations.equations, [](const DerivedEquation& equation) {
    return wrap(signed_terms(equation.left, text_of), "= " + to_text(equation.right), kWidth, "\n      ");
  });
  section("driven, by the forces lambda", equations.motions, definition_text);
  section("where", equations.definitions, definition_text);
  section("parameters", used_parameters(model, equations), definition_text);
  return text;
}

std::string to_latex(const Model& model, const DerivedEquations& equations) {
  // The user's own names come first and keep their symbols.
  LatexNames names;
  const std::vector<Definition> parameters = used_parameters(model, equations);
  for (const Definition& parameter : parameters) names.add(parameter.name);
  for (const std::string& coordinate : model.coordinate_names()) names.add(coordinate);
  for (const auto* list : {&equations.angles, &equations.motions, &equations.definitions}) {
    for (const Definition& definition : *list) names.add(definition.name), names.add(definition.formula);
  }
  for (const DerivedEquation& equation : equations.equations) names.add(equation.left), names.add(equation.right);

  std::string text = "% " + heading(model, equations) + "\n";
  const auto section = [&](std::string_view title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    text += fmt::format("% {}\n\\begin{{align*}}\n", title);
    for (std::size_t i = 0; i < lines.size(); ++i) text += fmt::format("  {}{}\n", lines[i], i + 1 < lines.size() ? " \\\\" : "");
    text += "\\end{align*}\n";
  };
  const auto define = [&](const std::vector<Definition>& definitions) {
    std::vector<std::string> lines;
    for (const Definition& definition : definitions) {
      std::string line = fmt::format("{} &= {}", names.write(definition.name), to_latex(definition.formula, names));
      const bool is_number =
          definition.formula.steps().size() == 1 && definition.formula.steps()[0].operation == Operation::constant;
      if (definition.formula.is_constant() && !is_number)
        line += " = " + to_latex(Expression(std::strtod(number_text(definition.formula.constant_value()).c_str(), nullptr)));
      if (!definition.unit.empty()) line += "\\ " + unit_to_latex(definition.unit);
      lines.push_back(std::move(line));
    }
    return lines;
  };
  section("angles from the position at zero", define(equations.angles));
  std::vector<std::string> rows;
  for (const DerivedEquation& equation : equations.equations) {
    const auto latex = [&](const Expression& expression) { return to_latex(expression, names); };
    rows.push_back("& " +
                   wrap(signed_terms(equation.left, latex), "= " + latex(equation.right), kLatexWidth, " \\\\\n  & \\quad "));
  }
  section("equations", rows);
  section("driven, by the forces lambda", define(equations.motions));
  section("where", define(equations.definitions));
  section("parameters", define(parameters));
  return text;
}

}  // namespace vinculum
