// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "vinculum/expression/parser.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

const FunctionWord* find_function(std::string_view name) {
  for (const FunctionWord& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

// A function only before a parenthesis: a body may be called log.
Parser::Operand Parser::named() {
  const int offset = position_;
  const std::string_view name = read_name();
  const FunctionWord* function = find_function(name);
  const bool is_called = next() == '(';
  if (is_called && function != nullptr) {
    if (name == "table") return call_table(offset);
    if (name == "step") return call_step(offset);
    if (name == "norm") return call_norm(offset);
    if (name == "distance") return call_distance(offset);
    if (function->arguments == 1) return call(function->operation, name, offset);
    return function->arguments == 2 ? call_of_two(function->operation, offset) : call_if(offset);
  }

  if (is_called && (is_known(name) || name == "pi")) {
    fail("VN-EXPR-010", position_, fmt::format("{} is not a function: an operator is missing before '('", quoted(name)));
  }
  if (const auto variable = find_variable(name, offset)) return *variable;
  if (const auto parameter = names_.parameters.find(name); parameter != names_.parameters.end()) {
    const std::optional<Dimension>& dimension = parameter->second.dimension;
    return {builder_.parameter(parameter->first, parameter->second.value), dimension ? with_unit(*dimension) : Measure{}, offset};
  }
  if (name == "pi") return {builder_.constant(std::numbers::pi), plain(), offset};
  if (name.ends_with("''")) {
    fail("VN-EXPR-004", offset + static_cast<int>(name.size()) - 1, "a prime stands only at the end of a name, once",
         names_.find_quantity ? "accelerations are named by a velocity and one more prime"
                              : "accelerations can be used under `outputs` and `events` only");
  }
  if (function != nullptr) {
    fail("VN-EXPR-014", offset,
         fmt::format("the function {} needs its argument{} in parentheses", quoted(name), function->arguments > 1 ? "s" : ""),
         fmt::format("write {}(..)", name));
  }
  fail_unknown_name(name, offset);
}

// A variable of the table of names, or one that is known when it is asked for.
std::optional<Parser::Operand> Parser::find_variable(std::string_view name, int offset) {
  if (const auto variable = names_.variables.find(std::string(name)); variable != names_.variables.end()) {
    const auto dimension = names_.dimensions.find(variable->first);
    const auto known = dimension == names_.dimensions.end() ? std::nullopt : std::optional(dimension->second);
    return Operand{builder_.variable(variable->second, variable->first), Measure{known, false, false, false}, offset};
  }
  const auto quantity = names_.find_quantity ? names_.find_quantity(name) : std::nullopt;
  if (!quantity) return std::nullopt;
  return Operand{builder_.variable(quantity->variable, std::string(name)), Measure{quantity->dimension, false, false, false},
                 offset};
}

// tip.v -> tip.vx, tip.vy, tip.vz
std::optional<std::array<Parser::Operand, 3>> Parser::find_vector(std::string_view name, int offset) {
  std::array<Operand, 3> parts;
  for (int k = 0; k < 3; ++k) {
    const auto part = find_variable(fmt::format("{}{}", name, "xyz"[k]), offset);
    if (!part) return std::nullopt;
    parts[k] = *part;
  }
  return parts;
}

bool Parser::is_known(std::string_view name) const {
  return names_.parameters.contains(name) || names_.variables.contains(std::string(name)) ||
         (names_.find_quantity && names_.find_quantity(name));
}

// b.vx, b.x or b.x' where the model has b.tx: a velocity is the coordinate with a prime.
std::string Parser::find_coordinate_meant(std::string_view name) const {
  const std::size_t point = name.rfind('.');
  if (point == std::string_view::npos) return "";
  const std::string owner(name.substr(0, point + 1));
  std::string_view rest = name.substr(point + 1);
  const bool primed = rest.ends_with('\'');
  if (primed) rest.remove_suffix(1);
  const bool is_rate = rest.size() == 2 && rest[0] == 'v';
  if (is_rate) rest.remove_prefix(1);
  if (rest.size() != 1 || std::string_view("xyz").find(rest[0]) == std::string_view::npos) return "";
  const std::string meant = owner + "t" + std::string(rest) + (is_rate || primed ? "'" : "");
  return names_.variables.count(meant) > 0 ? meant : "";
}

void Parser::fail_unknown_name(std::string_view name, int offset) {
  const bool is_called = next() == '(';
  std::vector<std::string> known;
  for (const FunctionWord& function : kFunctions) known.emplace_back(function.name);
  if (!is_called) {
    known.emplace_back("pi");
    for (const auto& [parameter, value] : names_.parameters) known.push_back(parameter);
    for (const auto& [variable, value] : names_.variables) known.push_back(variable);
    if (names_.list_quantities) {
      for (const std::string& quantity : names_.list_quantities()) known.push_back(quantity);
    }
    std::sort(known.begin(), known.end());
  }

  std::string hint;
  if (find_unit(name)) {
    hint = fmt::format("a unit must stand right behind a number: 1 {}", name);
  } else if (const std::string coordinate = find_coordinate_meant(name); !coordinate.empty()) {
    hint = fmt::format("did you mean '{}'?{}", coordinate,
                       coordinate.ends_with('\'') ? " A velocity is the name of its coordinate with a prime" : "");
  } else if (const std::string nearest = nearest_name(name, known); !nearest.empty()) {
    hint = fmt::format("did you mean '{}'?", nearest);
  } else if (is_called) {
    std::string list;
    for (const std::string& function : known) list += (list.empty() ? "" : ", ") + function;
    hint = "the functions are " + list;
  }
  fail("VN-EXPR-007", offset, fmt::format("the name {} is not known", quoted(name)), hint);
}

}  // namespace vinculum
