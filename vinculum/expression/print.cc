// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "vinculum/expression/expression.h"
#include "vinculum/expression/functions.h"
#include "vinculum/expression/table_function.h"

namespace vinculum {

std::optional<InverseFunction> find_inverse(std::span<const Step> steps, const Step& step) {
  if (step.operation != Operation::atan2) return std::nullopt;
  const auto is_one = [&](int index) { return steps[index].operation == Operation::constant && steps[index].value == 1; };
  // Is it the root of (1 - x)(1 + x), or of the same with -x for x.
  const auto is_root_of = [&](int root, int x) {
    if (steps[root].operation != Operation::sqrt) return false;
    const Step& product = steps[steps[root].left];
    if (product.operation != Operation::multiply) return false;
    const Step *minus = &steps[product.left], *plus = &steps[product.right];
    if (minus->operation != Operation::subtract) std::swap(minus, plus);
    const int u = minus->right;
    return minus->operation == Operation::subtract && plus->operation == Operation::add && is_one(minus->left) &&
           is_one(plus->left) && plus->right == u && (u == x || (steps[x].operation == Operation::negate && steps[x].left == u));
  };
  if (is_one(step.right)) return InverseFunction{"atan", step.left};
  if (is_root_of(step.right, step.left)) return InverseFunction{"asin", step.left};
  if (is_root_of(step.left, step.right)) return InverseFunction{"acos", step.right};
  return std::nullopt;
}

namespace {

// The rules of the grammar (parse.h), from the loosest binding to the tightest.
enum class Level { sum, product, signed_power, power, primary };

Level level_of(std::span<const Step> steps, const Step& step) {
  switch (step.operation) {
    case Operation::constant: return std::signbit(step.value) ? Level::signed_power : Level::primary;
    case Operation::add:
    case Operation::subtract: return Level::sum;
    case Operation::multiply:
    case Operation::divide: return Level::product;
    case Operation::power: return Level::power;

    // -(a b) is written -a b, which reads back as (-a) b: the same number.
    case Operation::negate: return level_of(steps, steps[step.left]) == Level::product ? Level::product : Level::signed_power;
    default: return Level::primary;
  }
}

// What is still to be written: a text, or a step where the grammar allows nothing looser than `least`.
struct Piece {
  std::string_view text{};
  int step = -1;
  Level least = Level::sum;
};

}  // namespace

// With a stack of its own, for a sum of thousands of terms is as deep as it is long.
std::string to_text(const Expression& expression) {
  const std::span<const Step> steps = expression.steps();
  std::string text;
  std::vector<Piece> rest{{.step = static_cast<int>(steps.size()) - 1}};
  while (!rest.empty()) {
    const Piece piece = rest.back();
    rest.pop_back();
    if (piece.step < 0) {
      text += piece.text;
      continue;
    }

    const Step& step = steps[piece.step];
    if (level_of(steps, step) < piece.least) {
      rest.insert(rest.end(), {{.text = ")"}, {.step = piece.step}, {.text = "("}});
      continue;
    }
    const auto infix = [&](std::string_view sign, Level least_left, Level least_right) {
      rest.insert(rest.end(),
                  {{.step = step.right, .least = least_right}, {.text = sign}, {.step = step.left, .least = least_left}});
    };
    switch (step.operation) {
      case Operation::constant: text += fmt::format("{}", step.value); break;
      case Operation::parameter:
      case Operation::variable: text += expression.name(step.name); break;
      case Operation::negate: {
        const bool is_product = level_of(steps, steps[step.left]) == Level::product;
        rest.insert(rest.end(), {{.step = step.left, .least = is_product ? Level::product : Level::power}, {.text = "-"}});
        break;
      }
      case Operation::add: infix(" + ", Level::sum, Level::product); break;
      case Operation::subtract: infix(" - ", Level::sum, Level::product); break;
      case Operation::multiply: infix("*", Level::product, Level::signed_power); break;
      case Operation::divide: infix("/", Level::product, Level::signed_power); break;
      case Operation::power: infix("^", Level::primary, Level::signed_power); break;
      case Operation::atan2:
      case Operation::min:
      case Operation::max:
        if (const auto inverse = find_inverse(steps, step)) {
          rest.insert(rest.end(), {{.text = ")"}, {.step = inverse->argument}, {.text = "("}, {.text = inverse->name}});
          break;
        }
        rest.insert(rest.end(), {{.text = ")"},
                                 {.step = step.right},
                                 {.text = ", "},
                                 {.step = step.left},
                                 {.text = "("},
                                 {.text = function_name(step.operation)}});
        break;
      case Operation::table:
        text += fmt::format("table{}({}, ", std::string(step.order, '\''), step.table->name);
        rest.insert(rest.end(), {{.text = ")"}, {.step = step.left}});
        break;
      case Operation::choose: {
        // Of B - A > 0 the comparison A < B; of -A > 0 it is A < 0.
        const Step& s = steps[step.left];
        rest.insert(rest.end(), {{.text = ")"}, {.step = step.third}, {.text = ", "}, {.step = step.right}, {.text = ", "}});
        if (s.operation == Operation::subtract) {
          rest.insert(rest.end(), {{.step = s.left}, {.text = " < "}, {.step = s.right, .least = Level::sum}});
        } else if (s.operation == Operation::negate) {
          rest.insert(rest.end(), {{.text = " < 0"}, {.step = s.left}});
        } else {
          rest.insert(rest.end(), {{.step = step.left}, {.text = "0 < "}});
        }
        rest.push_back({.text = "if("});
        break;
      }
      default:
        rest.insert(rest.end(), {{.text = ")"}, {.step = step.left}, {.text = "("}, {.text = function_name(step.operation)}});
    }
  }
  return text;
}

}  // namespace vinculum
