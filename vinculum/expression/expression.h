// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace vinculum {

struct TableFunction;  // table_function.h

// What an expression may depend on. Laws of motion and force know t, q and v; a surface knows x and y of its own frame; outputs
// and events also what follows from the motion: accelerations, multipliers, points.
enum class VariableKind : std::uint8_t { time, coordinate, velocity, surface_x, surface_y, quantity };

struct Variable {
  VariableKind kind = VariableKind::time;
  int index = 0;  // into q, v or the quantities; 0 otherwise

  auto operator<=>(const Variable&) const = default;
};

enum class Operation : std::uint8_t {
  constant,   // value
  parameter,  // value, under its name
  variable,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  sin,
  cos,
  tan,
  sqrt,
  exp,
  log,
  abs,
  sign,  // derivative of abs; 0 at 0
  tanh,
  floor,
  min,
  max,
  atan2,   // the angle of the point x = right, y = left; the value jumps by 2π where y = 0 and x < 0
  choose,  // left > 0: right, else third. if(A < B, X, Y) has B - A on its left
  table,   // a function given by points, or its derivative of some order
};

// One step of an expression. Operands are earlier steps.
struct Step {
  Operation operation = Operation::constant;
  int left = -1;
  int right = -1;
  int third = -1;
  double value = 0;                      // constant, parameter; power: its exponent, NaN if a variable enters it
  int name = -1;                         // parameter, variable: index into names()
  Variable variable{};                   // variable
  const TableFunction* table = nullptr;  // table; the expression keeps it alive
  int order = 0;                         // table: of its derivative; 0: the value
};

// A formula of a model file: an immutable graph, parsed once, each distinct subexpression once, operands before their use.
// Evaluated on any scalar (evaluate.h), differentiated exactly (differentiate.h), printed as text.
class Expression {
 public:
  Expression() : Expression(0.0) {}
  Expression(double constant);  // NOLINT: a number is an expression

  // The last step is the value.
  std::span<const Step> steps() const { return content_->steps; }
  const std::string& name(int index) const { return content_->names[index]; }

  // The variables it depends on, sorted, each once.
  const std::vector<Variable>& variables() const { return content_->variables; }
  bool depends_on(VariableKind kind) const;
  bool depends_on(Variable variable) const;

  bool is_constant() const { return content_->variables.empty(); }
  double constant_value() const;  // only if is_constant()

  // The tables it looks things up in.
  const std::vector<std::shared_ptr<const TableFunction>>& tables() const { return content_->tables; }

  // True if a power series exists wherever it has a value: nothing has a kink or a jump that is not held.
  bool is_analytic() const;

  // The steps at which its value has a kink or a jump as its variables change: abs, sign, floor, min, max, choose, table,
  // atan2 where x may be negative. Each has a switch, which is zero there.
  const std::vector<int>& kinks() const { return content_->kinks; }

  // Those at which its value may jump: sign, floor, choose, atan2, a derivative of a table that has jumps, and abs, min and max
  // by which something is divided.
  std::vector<int> jumps() const;

  // The switch of a kink from the values of all steps: x of abs(x) and sign(x), s of choose(s, ..), y of atan2(y, x),
  // a - b of min(a, b) and of max(a, b); sin πx of floor(x), and the like of a table.
  double switch_value(int kink, std::span<const double> values) const;

  // Builder for parser, differentiation and rewriting: shares equal steps and folds what is known (0 + a, 1 a, a^1, numbers).
  class Builder;

 private:
  struct Content {
    std::vector<Step> steps;
    std::vector<std::string> names;
    std::vector<Variable> variables;
    std::vector<int> kinks;
    std::vector<std::shared_ptr<const TableFunction>> tables;  // of these steps
  };
  static std::vector<int> find_kinks(std::span<const Step> steps);
  explicit Expression(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

  std::shared_ptr<const Content> content_;
};

// Steps are named by handles: the index of the step in the graph being built. Only what rounds to the same value is rewritten:
// signs move outward, (-2 a) b = -(2 a b), and numbers are folded; a parameter keeps its name.
class Expression::Builder {
 public:
  int constant(double value);
  int parameter(const std::string& name, double value);
  int variable(Variable variable, const std::string& name);
  int unary(Operation operation, int operand);
  int binary(Operation operation, int left, int right);
  int choose(int s, int where_positive, int otherwise);
  int table(std::shared_ptr<const TableFunction> function, int order, int operand);

  // All of another expression's steps: the handles of each, that of its value last; or that of its value alone.
  std::vector<int> include_steps(const Expression& expression);
  int include(const Expression& expression) { return include_steps(expression).back(); }

  const Step& step(int handle) const { return steps_[handle]; }

  // The value of a step that no variable enters.
  std::optional<double> known_value(int handle) const;

  // The expression whose value is `result`; steps not needed for it are left out.
  Expression build(int result) const;

 private:
  struct StepHash {
    std::size_t operator()(const Step& step) const;
  };
  struct StepEqual {
    bool operator()(const Step& a, const Step& b) const;
  };

  int add(const Step& step);
  int name(const std::string& text);
  bool is_number(int handle, double value) const;
  std::optional<int> without_sign(int handle);

  std::vector<Step> steps_;
  std::vector<double> known_;  // by handle; NaN where a variable enters
  std::vector<std::string> names_;
  std::vector<std::shared_ptr<const TableFunction>> tables_;
  std::unordered_map<Step, int, StepHash, StepEqual> handle_of_;
  std::unordered_map<std::string, int> index_of_name_;
};

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);

// The terms of a sum: a + b - c -> {a, b, -c}.
std::vector<Expression> split_sum(const Expression& expression);

// As a user would write it, with the fewest parentheses; numbers so that they read back to the same value.
std::string to_text(const Expression& expression);

}  // namespace vinculum
