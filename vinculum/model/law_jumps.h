// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/expression/evaluate.h"
#include "vinculum/model/model.h"

namespace vinculum {

// The jumps of a model's laws, one after the other: `sign(x)`, `floor(x)`, `if(x < 0, ..)`, and `abs(x)` in a divisor, of forces,
// given motions and environment bodies. Each has a switch (Expression::switch_value), as x. On a model of its own, whose jumps
// are held at the signs their switches have, the equations are smooth; a step ends where a switch runs through zero, and goes on
// with its sign changed.
class LawJumps {
 public:
  // Keeps to the laws of `model`, which must be a copy that no one else uses.
  explicit LawJumps(Model& model);

  static bool has_any(const Model& model);

  int count() const { return static_cast<int>(jumps_.size()); }
  void hold(std::span<const double> signs);
  void evaluate(const Bindings& at, std::span<double> switches);

  // "force 'rub': sign(p')"
  std::string describe(int jump) const;
  // Why the motion cannot go over a jump at all, when the signs it holds become `next` at time t: something given, a coordinate
  // or the ground of contacts, would have to jump with it. Holds `next` afterwards.
  std::optional<std::string> find_jump_of_motion(double t, std::span<const double> next);

 private:
  struct Law {
    Expression* held;
    std::string element;
  };
  struct Jump {
    int law;
    int step;  // of the law
  };
  std::vector<double> given_values(double t);

  Model& model_;
  std::vector<Law> laws_;  // that jump
  std::vector<Jump> jumps_;
  std::vector<double> scratch_;
};

}  // namespace vinculum
