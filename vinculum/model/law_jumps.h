// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/expression/branch.h"
#include "vinculum/model/model.h"

namespace vinculum {

// Where laws are held on one branch (branch.h). At jumps: `sign(x)`, `floor(x)`, `if(x < 0, ..)`,
// `abs(x)` in a divisor. At corners, where the slope jumps, too: `abs`, `min`, `max` and the points
// of a linear table. Or at every kink, also the points of splines, so that laws have power series.
enum class HeldAt { jumps, corners, kinks };

// The jumps, or all kinks, of a model's laws, one after the other, of forces, given motions, environment bodies and
// states. Each has a switch (Branch::Switch), as x of sign(x). A copy of the model holds the laws on the side of their
// switches, so its equations are smooth. A step ends where a switch passes zero, and continues with the side changed.
class LawJumps {
 public:
  // Keeps to the laws of `model`, which must be a copy that no one else uses.
  explicit LawJumps(Model& model, HeldAt held_at = HeldAt::jumps);

  static bool has_any(const Model& model, HeldAt held_at = HeldAt::jumps);

  int count() const { return static_cast<int>(jumps_.size()); }
  // The switches of the laws as they are written, for those that must not step over them.
  std::vector<OwnFormula> list_switches() const;

  // The law itself jumps there, and not only its derivatives.
  bool is_jump(int number) const { return jumps_[number].jumps; }
  // The law, as it is written, and the step that has the kink.
  const Expression& law(int number) const { return laws_[jumps_[number].law].written; }
  int kink(int number) const { return jumps_[number].kink; }

  // On these sides, 1 or -1 each, next to a place; 0 leaves the law as it is. True if a law has changed.
  bool hold(std::span<const double> sides, const Bindings& place);
  // Every one has a side.
  bool holds_all() const;
  // The switches of the branches that are held. Below the round-off of what they are differences of they are zero.
  void evaluate(const Bindings& at, std::span<double> switches);
  const Branch::Switch& switch_of(int number) const { return switches_[number]; }
  static bool is_round_off(double value, double left, double right);
  // The side the law is on where the switch is zero; 0: on neither.
  double side_on_switch(int number, const Bindings& place) const;

  // "force 'rub': sign(p')"
  std::string describe(int number) const;
  // "force 'stop': max(p - 1, 0) where p - 1 < 0", for a side; of a table and of floor for a piece.
  std::string describe_side(int number, double side) const;
  // Why the motion cannot cross a jump when the sides become `next` at a position: a given
  // coordinate, or the ground of contacts, would have to jump with it. Holds `next` afterwards.
  std::optional<std::string> find_jump_of_motion(const Bindings& place, std::span<const double> next);

 private:
  struct Law {
    Expression* held;
    Expression written;
    std::string element;
    std::vector<int> kinks;
    const OwnVariables* own;
  };
  struct Jump {
    int law;
    int kink;
    bool jumps;
  };
  std::vector<double> given_values(double t);
  std::vector<double> given_scales() const;

  Model& model_;
  std::vector<Law> laws_;  // that have kinks to be held at
  std::vector<Jump> jumps_;
  std::vector<double> sides_;
  std::vector<Branch::Switch> switches_;
  std::vector<double> scratch_;
};

}  // namespace vinculum
