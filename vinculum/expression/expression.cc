// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/expression.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

bool has_jump(const Step& step) {
  if (step.operation == Operation::table) return step.order > step.table->values.smoothness;
  const Operation operation = step.operation;
  return operation == Operation::sign || operation == Operation::floor || operation == Operation::choose ||
         operation == Operation::atan2;
}
bool has_kink(const Step& step) {
  const Operation operation = step.operation;
  return has_jump(step) || operation == Operation::table || operation == Operation::abs || operation == Operation::min ||
         operation == Operation::max;
}

// atan2 never comes to its jump where x is not negative, as in atan and asin, or y is not, as in acos.
bool stays_on_one_side(std::span<const Step> steps, const Step& step) {
  const auto is_never_negative = [&](const Step& part) {
    return part.operation == Operation::sqrt || (part.operation == Operation::constant && part.value >= 0);
  };
  return step.operation == Operation::atan2 && (is_never_negative(steps[step.right]) || is_never_negative(steps[step.left]));
}

Expression combine(Operation operation, const Expression& a, const Expression& b) {
  Expression::Builder builder;
  const int left = builder.include(a);
  return builder.build(builder.binary(operation, left, builder.include(b)));
}

}  // namespace

Expression::Expression(double constant)
    : content_(std::make_shared<const Content>(Content{{Step{.value = constant}}, {}, {}, {}, {}})) {}

bool Expression::depends_on(VariableKind kind) const {
  return std::any_of(variables().begin(), variables().end(), [kind](Variable v) { return v.kind == kind; });
}

bool Expression::depends_on(Variable variable) const {
  return std::binary_search(variables().begin(), variables().end(), variable);
}

double Expression::constant_value() const {
  assert(is_constant());
  return evaluate(*this, {});
}

std::vector<int> Expression::find_kinks(std::span<const Step> steps) {
  std::vector<bool> varies(steps.size());
  std::vector<int> found;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    varies[i] = step.operation == Operation::variable;
    for (const int operand : {step.left, step.right, step.third}) varies[i] = varies[i] || (operand >= 0 && varies[operand]);
    const bool turns = step.operation == Operation::choose ? varies[step.left] : varies[i];
    if (turns && has_kink(step) && !stays_on_one_side(steps, step)) found.push_back(static_cast<int>(i));
  }
  return found;
}

bool Expression::is_analytic() const { return kinks().empty(); }

double Expression::switch_value(int kink, std::span<const double> values) const {
  const Step& step = steps()[kink];
  const double left = values[step.left];
  if (step.operation == Operation::min || step.operation == Operation::max) return left - values[step.right];
  if (step.operation == Operation::table) return step.table->values.switch_value(left);
  if (step.operation != Operation::floor) return left;
  return sincos(std::numbers::pi * (left - 2 * std::floor(left / 2))).sin;
}

std::vector<int> Expression::jumps() const {
  // From the value backwards: what a divisor or the base of a negative power is made of.
  std::vector<bool> divides(steps().size());
  for (std::size_t i = steps().size(); i-- > 0;) {
    const Step& step = steps()[i];
    if (step.left < 0) continue;
    const bool left_divides = step.operation == Operation::power && !(step.value >= 0);
    if (divides[i] || left_divides) divides[step.left] = true;
    if (step.right >= 0 && (divides[i] || step.operation == Operation::divide)) divides[step.right] = true;
    if (step.third >= 0 && divides[i]) divides[step.third] = true;
  }
  std::vector<int> found;
  for (const int i : kinks()) {
    if (divides[i] || has_jump(steps()[i])) found.push_back(i);
  }
  return found;
}

// Numbers are compared by their bits: -0 is not 0, and NaN is itself.
bool Expression::Builder::StepEqual::operator()(const Step& a, const Step& b) const {
  return a.operation == b.operation && a.left == b.left && a.right == b.right && a.third == b.third && a.name == b.name &&
         a.table == b.table && a.order == b.order && a.variable == b.variable &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

std::size_t Expression::Builder::StepHash::operator()(const Step& step) const {
  std::uint64_t hash = static_cast<std::uint64_t>(step.operation);
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  mix(static_cast<std::uint32_t>(step.left));
  mix(static_cast<std::uint32_t>(step.right));
  mix(static_cast<std::uint32_t>(step.third));
  mix(std::bit_cast<std::uint64_t>(step.value));
  mix(static_cast<std::uint32_t>(step.name));
  mix(static_cast<std::uint32_t>(step.variable.index));
  mix(reinterpret_cast<std::uintptr_t>(step.table));
  mix(static_cast<std::uint32_t>(step.order));
  return hash;
}

int Expression::Builder::add(const Step& step) {
  const auto [entry, is_new] = handle_of_.try_emplace(step, static_cast<int>(steps_.size()));
  if (is_new) {
    double known = kUnknown;
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      known = step.value;
    } else if (step.left >= 0) {
      const double left = known_[step.left], right = known_[step.right < 0 ? step.left : step.right];
      const double third = known_[step.third < 0 ? step.left : step.third];
      if (!std::isnan(left) && !std::isnan(right) && !std::isnan(third)) known = apply_step(step, left, right, third);
    }
    steps_.push_back(step);
    known_.push_back(known);
  }
  return entry->second;
}

int Expression::Builder::name(const std::string& text) {
  const auto [entry, is_new] = index_of_name_.try_emplace(text, static_cast<int>(names_.size()));
  if (is_new) names_.push_back(text);
  return entry->second;
}

std::optional<double> Expression::Builder::known_value(int handle) const {
  if (std::isnan(known_[handle])) return std::nullopt;
  return known_[handle];
}

bool Expression::Builder::is_number(int handle, double value) const {
  return steps_[handle].operation == Operation::constant && steps_[handle].value == value;
}

// The opposite of a step that shows a minus sign.
std::optional<int> Expression::Builder::without_sign(int handle) {
  const Step step = steps_[handle];
  if (step.operation == Operation::negate) return step.left;
  if (step.operation == Operation::constant && std::signbit(step.value)) return constant(-step.value);
  return std::nullopt;
}

int Expression::Builder::constant(double value) { return add({.value = value}); }

int Expression::Builder::parameter(const std::string& text, double value) {
  return add({.operation = Operation::parameter, .value = value, .name = name(text)});
}

int Expression::Builder::variable(Variable variable, const std::string& text) {
  return add({.operation = Operation::variable, .name = name(text), .variable = variable});
}

int Expression::Builder::unary(Operation operation, int operand) {
  const Step step{.operation = operation, .left = operand};
  if (steps_[operand].operation == Operation::constant) {
    const double value = apply_step(step, known_[operand], known_[operand], known_[operand]);
    if (std::isfinite(value)) return constant(value);
  }
  if (operation == Operation::negate && steps_[operand].operation == Operation::negate) return steps_[operand].left;
  return add(step);
}

int Expression::Builder::binary(Operation operation, int left, int right) {
  const Step step{
      .operation = operation, .left = left, .right = right, .value = operation == Operation::power ? known_[right] : 0};
  const bool is_number_right = steps_[right].operation == Operation::constant;
  if (is_number_right && steps_[left].operation == Operation::constant) {
    const double value = apply_step(step, known_[left], known_[right], known_[right]);
    if (std::isfinite(value)) return constant(value);
  }

  switch (operation) {
    case Operation::add:
    case Operation::subtract:
      if (is_number(right, 0)) return left;
      if (is_number(left, 0)) return operation == Operation::add ? right : unary(Operation::negate, right);
      if (const auto opposite = without_sign(right)) {
        return binary(operation == Operation::add ? Operation::subtract : Operation::add, left, *opposite);
      }
      break;

    case Operation::multiply:
    case Operation::divide: {
      if (is_number(left, 0) && !is_number_right) return left;
      if (is_number(right, 0) && operation == Operation::multiply) return right;
      if (is_number(right, 1)) return left;
      if (is_number(left, 1) && operation == Operation::multiply) return right;
      const auto opposite_left = without_sign(left), opposite_right = without_sign(right);
      if (opposite_left || opposite_right) {
        const int magnitude = binary(operation, opposite_left.value_or(left), opposite_right.value_or(right));
        return opposite_left && opposite_right ? magnitude : unary(Operation::negate, magnitude);
      }
      break;
    }

    case Operation::power:
      if (is_number(right, 0)) return constant(1);
      if (is_number(right, 1)) return left;
      break;

    case Operation::min:
    case Operation::max:
      if (left == right) return left;
      break;

    case Operation::atan2: break;

    default: assert(false && "not an operation of two operands");
  }
  return add(step);
}

int Expression::Builder::choose(int s, int where_positive, int otherwise) {
  if (steps_[s].operation == Operation::constant) return steps_[s].value > 0 ? where_positive : otherwise;
  if (where_positive == otherwise) return otherwise;
  return add({.operation = Operation::choose, .left = s, .right = where_positive, .third = otherwise});
}

int Expression::Builder::table(std::shared_ptr<const TableFunction> function, int order, int operand) {
  constexpr int kDegree = 3;
  if (order > kDegree) return constant(0);
  const Step step{.operation = Operation::table, .left = operand, .table = function.get(), .order = order};
  if (std::find(tables_.begin(), tables_.end(), function) == tables_.end()) tables_.push_back(std::move(function));
  if (steps_[operand].operation == Operation::constant) {
    const double value = apply_step(step, known_[operand], known_[operand], known_[operand]);
    if (std::isfinite(value)) return constant(value);
  }
  return add(step);
}

std::vector<int> Expression::Builder::include_steps(const Expression& expression) {
  std::vector<int> handles;
  handles.reserve(expression.steps().size());
  for (const Step& step : expression.steps()) {
    switch (step.operation) {
      case Operation::constant: handles.push_back(constant(step.value)); break;
      case Operation::parameter: handles.push_back(parameter(expression.name(step.name), step.value)); break;
      case Operation::variable: handles.push_back(variable(step.variable, expression.name(step.name))); break;
      case Operation::table: {
        const auto is_this = [&](const auto& function) { return function.get() == step.table; };
        const auto& known = expression.tables();
        handles.push_back(table(*std::find_if(known.begin(), known.end(), is_this), step.order, handles[step.left]));
        break;
      }
      default:
        handles.push_back(step.right < 0   ? unary(step.operation, handles[step.left])
                          : step.third < 0 ? binary(step.operation, handles[step.left], handles[step.right])
                                           : choose(handles[step.left], handles[step.right], handles[step.third]));
    }
  }
  return handles;
}

Expression Expression::Builder::build(int result) const {
  std::vector<bool> needed(result + 1);
  needed[result] = true;
  for (int handle = result; handle >= 0; --handle) {
    if (!needed[handle]) continue;
    if (steps_[handle].left >= 0) needed[steps_[handle].left] = true;
    if (steps_[handle].right >= 0) needed[steps_[handle].right] = true;
    if (steps_[handle].third >= 0) needed[steps_[handle].third] = true;
  }

  Content content;
  std::vector<int> place(result + 1, -1), place_of_name(names_.size(), -1);
  for (int handle = 0; handle <= result; ++handle) {
    if (!needed[handle]) continue;
    Step step = steps_[handle];
    if (step.left >= 0) step.left = place[step.left];
    if (step.right >= 0) step.right = place[step.right];
    if (step.third >= 0) step.third = place[step.third];
    if (step.name >= 0) {
      int& index = place_of_name[step.name];
      if (index < 0) {
        index = static_cast<int>(content.names.size());
        content.names.push_back(names_[step.name]);
      }
      step.name = index;
    }
    if (step.operation == Operation::variable) content.variables.push_back(step.variable);
    if (step.operation == Operation::table) {
      const auto is_this = [&](const auto& function) { return function.get() == step.table; };
      if (std::none_of(content.tables.begin(), content.tables.end(), is_this))
        content.tables.push_back(*std::find_if(tables_.begin(), tables_.end(), is_this));
    }
    place[handle] = static_cast<int>(content.steps.size());
    content.steps.push_back(step);
  }
  std::sort(content.variables.begin(), content.variables.end());
  content.variables.erase(std::unique(content.variables.begin(), content.variables.end()), content.variables.end());
  content.kinks = find_kinks(content.steps);
  return Expression(std::make_shared<const Content>(std::move(content)));
}

Expression operator+(const Expression& a, const Expression& b) { return combine(Operation::add, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return combine(Operation::subtract, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return combine(Operation::multiply, a, b); }

Expression operator-(const Expression& a) {
  Expression::Builder builder;
  return builder.build(builder.unary(Operation::negate, builder.include(a)));
}

std::vector<Expression> split_sum(const Expression& expression) {
  struct Part {
    int handle;
    bool negative;
  };
  Expression::Builder builder;
  std::vector<Part> parts{{builder.include(expression), false}};
  std::vector<Expression> terms;
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    const Step& step = builder.step(part.handle);
    switch (step.operation) {
      case Operation::negate: parts.push_back({step.left, !part.negative}); break;
      case Operation::add:
      case Operation::subtract:
        parts.push_back({step.right, part.negative != (step.operation == Operation::subtract)});
        parts.push_back({step.left, part.negative});
        break;
      default: terms.push_back(builder.build(part.negative ? builder.unary(Operation::negate, part.handle) : part.handle));
    }
  }
  return terms;
}

}  // namespace vinculum
