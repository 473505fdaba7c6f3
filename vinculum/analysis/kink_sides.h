// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/model/law_jumps.h"

namespace vinculum {

// The sides of the kinks of a model's laws, which a search at states must cover. They are
// both sides of abs, if and the like, and every piece of a table (of a long one only some).
class KinkSides {
 public:
  explicit KinkSides(const Model& model);

  int count() const { return static_cast<int>(sides_.size()); }
  // "force 'stop': max(p - 1, 0) where p > 1"
  std::string describe(int side) const;

  // Positive where a state is on this side.
  double depth(int side, const State& state);
  // Takes the sides of a state as seen.
  void see(const State& state);
  bool is_seen(int side) const { return seen_[side]; }

  // A state on a side, along ways that lead from anywhere: way(number, s) is a state a way s along the way of this number. The
  // nearest is taken; none if no way leads there.
  std::optional<State> find(int side, const std::function<State(int number, double s)>& way);

 private:
  struct Side {
    int number;   // of the switch
    double side;  // 1, -1; a piece: its number
    bool is_piece;
  };
  std::unique_ptr<Model> model_;  // a copy, whose laws are free
  LawJumps jumps_;
  std::vector<Side> sides_;
  std::vector<bool> seen_;
  std::vector<double> values_;
};

}  // namespace vinculum
