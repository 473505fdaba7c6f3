// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/branch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

namespace {

bool has_pieces(const Step& step) { return step.operation == Operation::floor || step.operation == Operation::table; }

// Of floor, its value; of a table, the number of its piece: at x, or the nearest even (1) or odd (-1) one.
double find_piece(const Step& step, double x, double side) {
  if (step.operation == Operation::table) return step.table->values.find(x, side);
  const double n = std::floor(x);
  if (side == 0 || (std::fmod(n, 2) == 0) == (side > 0)) return n;
  return x - n < 0.5 ? n - 1 : n + 1;
}

double side_of_piece(double piece) { return std::fmod(piece, 2) == 0 ? 1 : -1; }

// Goes through the steps once: each is written anew and evaluated at the place, so that a piece is found by an argument that is
// itself on its branch.
class BranchWriter {
 public:
  BranchWriter(const Expression& formula, const Bindings& place) : formula_(formula), place_(place) {}

  Branch write(std::span<const int> kinks, std::span<const double> sides) {
    const std::span<const Step> steps = formula_.steps();
    std::vector<int> kink_at(steps.size(), -1);
    for (std::size_t k = 0; k < kinks.size(); ++k) kink_at[kinks[k]] = static_cast<int>(k);
    std::vector<double> pieces(kinks.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const int k = kink_at[i];
      const double side = k < 0 ? 0 : sides[k];
      if (k >= 0 && has_pieces(steps[i])) pieces[k] = find_piece(steps[i], values_[steps[i].left], side);
      if (side == 0 || !write_on_side(steps[i], side, pieces[k])) write_free(steps[i]);
    }
    Branch branch{builder_.build(handles_.back()), {}};
    for (std::size_t k = 0; k < kinks.size(); ++k) branch.switches.push_back(write_switch(steps[kinks[k]], pieces[k]));
    return branch;
  }

 private:
  void put(int handle, double value) {
    handles_.push_back(handle);
    values_.push_back(value);
  }
  void put_same(int step) { put(handles_[step], values_[step]); }
  int subtract(int a, int b) { return builder_.binary(Operation::subtract, a, b); }
  int multiply(int a, int b) { return builder_.binary(Operation::multiply, a, b); }
  int constant(double x) { return builder_.constant(x); }

  void write_free(const Step& step) {
    switch (step.operation) {
      case Operation::constant: return put(constant(step.value), step.value);
      case Operation::parameter: return put(builder_.parameter(formula_.name(step.name), step.value), step.value);
      case Operation::variable:
        return put(builder_.variable(step.variable, formula_.name(step.name)), bound_value(step.variable, place_));
      default: break;
    }
    const double value = apply_step(step, values_[step.left], values_[step.right < 0 ? step.left : step.right],
                                    values_[step.third < 0 ? step.left : step.third]);
    const int left = handles_[step.left];
    if (step.operation == Operation::table) {
      const auto is_this = [&](const auto& function) { return function.get() == step.table; };
      const auto& known = formula_.tables();
      return put(builder_.table(*std::find_if(known.begin(), known.end(), is_this), step.order, left), value);
    }
    put(step.right < 0   ? builder_.unary(step.operation, left)
        : step.third < 0 ? builder_.binary(step.operation, left, handles_[step.right])
                         : builder_.choose(left, handles_[step.right], handles_[step.third]),
        value);
  }

  // False where there is nothing to write: a table outside its points.
  bool write_on_side(const Step& step, double side, double piece) {
    const bool is_positive = side > 0;
    const double left = values_[step.left];
    switch (step.operation) {
      case Operation::abs:
        put(is_positive ? handles_[step.left] : builder_.unary(Operation::negate, handles_[step.left]), side * left);
        return true;
      case Operation::sign: put(constant(side), side); return true;
      case Operation::floor: put(constant(piece), piece); return true;
      case Operation::min: put_same(is_positive ? step.right : step.left); return true;
      case Operation::max: put_same(is_positive ? step.left : step.right); return true;
      case Operation::choose: put_same(is_positive ? step.right : step.third); return true;
      case Operation::table: return write_piece(step, piece);
      case Operation::atan2: {
        // The plane is turned, so that the jump lies at a right angle to where it was:
        //   atan2(y, x) = π/2 + atan2(-x, y) above, atan2(x, -y) - π/2 below.
        const int y = handles_[step.left], x = handles_[step.right], right_angle = constant(std::numbers::pi / 2);
        const int turned = is_positive ? builder_.binary(Operation::atan2, builder_.unary(Operation::negate, x), y)
                                       : builder_.binary(Operation::atan2, x, builder_.unary(Operation::negate, y));
        put(is_positive ? builder_.binary(Operation::add, right_angle, turned) : subtract(turned, right_angle),
            std::atan2(left, values_[step.right]));
        return true;
      }
      default: assert(false && "no kink"); return false;
    }
  }

  // Σ c_k k!/(k - n)! d^(k - n) ,  d = x - from: the derivative of order n of a piece
  bool write_piece(const Step& step, double number) {
    const PiecewisePolynomial::Piece& piece = step.table->values.pieces[static_cast<int>(number)];
    if (std::isnan(piece.c[0])) return false;
    const int d = subtract(handles_[step.left], constant(piece.from));
    const double d_here = values_[step.left] - piece.from;
    int sum = constant(0);
    double value = 0;
    for (int k = 3; k >= step.order; --k) {
      double factor = 1;
      for (int n = 0; n < step.order; ++n) factor *= k - n;
      sum = builder_.binary(Operation::add, multiply(sum, d), constant(factor * piece.c[k]));
      value = value * d_here + factor * piece.c[k];
    }
    put(sum, value);
    return true;
  }

  Branch::Switch write_switch(const Step& step, double piece) {
    const int left = handles_[step.left];
    if (step.operation == Operation::floor)
      return {builder_.build(write_ends(left, piece, piece + 1, side_of_piece(piece))), {}, {}};
    if (step.operation == Operation::table) {
      const std::vector<double>& breaks = step.table->values.breaks;
      const std::size_t at = static_cast<std::size_t>(piece), last = breaks.size();
      const double side = side_of_piece(piece);
      const auto beyond = [&](double end, double width) {
        return builder_.build(multiply(subtract(left, constant(end)), constant(1 / width)));
      };
      if (at == 0) return {beyond(breaks[0], -side * (breaks[1] - breaks[0])), {}, {}};
      if (at == last) return {beyond(breaks[last - 1], side * (breaks[last - 1] - breaks[last - 2])), {}, {}};
      return {builder_.build(write_ends(left, breaks[at - 1], breaks[at], side)), {}, {}};
    }
    const auto of = [&](int step_number) { return builder_.build(handles_[step_number]); };
    if (step.operation == Operation::min || step.operation == Operation::max)
      return {builder_.build(subtract(left, handles_[step.right])), of(step.left), of(step.right)};
    const Step& argument = formula_.steps()[step.left];
    if (argument.operation != Operation::add && argument.operation != Operation::subtract) return {of(step.left), {}, {}};
    return {of(step.left), of(argument.left), of(argument.right)};
  }

  // side (x - a)/w (b - x)/w ,  w = b - a
  int write_ends(int x, double a, double b, double side) {
    const int from = multiply(subtract(x, constant(a)), constant(side / (b - a)));
    return multiply(from, multiply(subtract(constant(b), x), constant(1 / (b - a))));
  }

  const Expression& formula_;
  const Bindings& place_;
  Expression::Builder builder_;
  std::vector<int> handles_;    // of each step, as it is written
  std::vector<double> values_;  // of it, at the place
};

}  // namespace

Branch take_branch(const Expression& formula, std::span<const int> kinks, std::span<const double> sides, const Bindings& place) {
  assert(kinks.size() == sides.size());
  return BranchWriter(formula, place).write(kinks, sides);
}

std::optional<double> find_branch_piece(const Expression& formula, int kink, double side, const Bindings& place) {
  const Step& step = formula.steps()[kink];
  if (!has_pieces(step)) return std::nullopt;
  std::vector<double> values;
  evaluate(formula, place, values);
  return find_piece(step, values[step.left], side);
}

double side_on_switch(const Expression& formula, int kink, const Bindings& place) {
  const Step& step = formula.steps()[kink];
  if (step.operation == Operation::sign) return 0;
  if (step.operation == Operation::choose) return -1;
  const auto piece = find_branch_piece(formula, kink, 0, place);
  return piece ? side_of_piece(*piece) : 1;
}

}  // namespace vinculum
