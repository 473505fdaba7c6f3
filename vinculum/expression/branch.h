// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/expression/evaluate.h"

namespace vinculum {

// A formula with kinks, written as it is on one side of them: x for abs(x) where x > 0, b for min(a, b) where a > b, a whole
// number for floor(x), a cubic for a table. There it is the formula; beyond the kinks it goes on smoothly.
struct Branch {
  // Zero at the kink and positive on the side 1, negative on the side -1: x of abs(x), sign(x) and if(x > 0, ..), y of atan2(y,
  // x), a - b of min(a, b) and max(a, b). Of floor and tables both ends of the piece are zeros,
  //   ± d (1 - d) ,  d = the part of the way from the one end to the other,
  // even pieces being positive, odd ones negative; it keeps its sign beyond them, however far.
  struct Switch {
    Expression value;
    Expression left, right;  // what it is a sum or a difference of, if it is one: it is known to the round-off of these
  };
  Expression formula;
  std::vector<Switch> switches;
};

// On the given side of each of the `kinks`, 1 or -1; 0 leaves a kink as it is. Floor and tables are on the piece of this side at
// the place, or next to it; a piece without values stays a table.
Branch take_branch(const Expression& formula, std::span<const int> kinks, std::span<const double> sides, const Bindings& place);

// The piece such a branch is on, of floor its value, of a table its number; none for other kinks.
std::optional<double> find_branch_piece(const Expression& formula, int kink, double side, const Bindings& place);

// The side to which the value belongs where the switch is zero: sign to none of them (0), abs, min and max to both.
double side_on_switch(const Expression& formula, int kink, const Bindings& place);

}  // namespace vinculum
