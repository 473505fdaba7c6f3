// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/kink_sides.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vinculum {

namespace {

constexpr int kMostPieces = 24;  // of a table that are checked, spread over it
constexpr int kWays = 12;

}  // namespace

KinkSides::KinkSides(const Model& model) : model_(std::make_unique<Model>(model)), jumps_(*model_, HeldAt::kinks) {
  std::vector<std::string> known;
  for (int k = 0; k < jumps_.count(); ++k) {
    // A law and what is derived from it have the same kinks.
    const std::string name = jumps_.describe(k);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    known.push_back(name);
    const Step& step = jumps_.law(k).steps()[jumps_.kink(k)];
    if (step.operation != Operation::table) {
      sides_.push_back({k, 1, false});
      sides_.push_back({k, -1, false});
      continue;
    }
    const auto& pieces = step.table->values.pieces;
    const int count = static_cast<int>(pieces.size()), looked_at = std::min(count, kMostPieces);
    for (int i = 0; i < looked_at; ++i) {
      const int piece = looked_at == count ? i : static_cast<int>(static_cast<long>(i) * (count - 1) / (looked_at - 1));
      if (!std::isnan(pieces[piece].c[0])) sides_.push_back({k, static_cast<double>(piece), true});
    }
  }
  seen_.assign(sides_.size(), false);
}

std::string KinkSides::describe(int side) const {
  const auto& [number, value, is_piece] = sides_[side];
  return jumps_.describe_side(number, value);
}

double KinkSides::depth(int side, const State& state) {
  const auto& [number, value, is_piece] = sides_[side];
  const Expression& law = jumps_.law(number);
  const int kink = jumps_.kink(number);
  evaluate(law, {state.t, state.q, state.v}, values_);
  if (!is_piece) return value * law.switch_value(kink, values_);
  const Step& step = law.steps()[kink];
  return step.table->values.find(values_[step.left]) == static_cast<int>(value) ? 1 : -1;
}

void KinkSides::see(const State& state) {
  for (int side = 0; side < count(); ++side) seen_[side] = seen_[side] || depth(side, state) > 0;
}

std::optional<State> KinkSides::find(int side, const std::function<State(int, double)>& way) {
  constexpr double kNearest = 1. / 64, kFarthest = 1 << 20;
  constexpr int kHalvings = 60;
  const Side wanted = sides_[side];
  // A narrow piece is met between two places that lie on either side of its middle.
  const auto off_middle = [&](const State& state) {
    const Expression& law = jumps_.law(wanted.number);
    const Step& step = law.steps()[jumps_.kink(wanted.number)];
    const auto& breaks = step.table->values.breaks;
    const auto piece = static_cast<std::size_t>(wanted.side);
    evaluate(law, {state.t, state.q, state.v}, values_);
    const double middle = piece == 0               ? 2 * breaks[0] - breaks[1]
                          : piece == breaks.size() ? 2 * breaks[piece - 1] - breaks[piece - 2]
                                                   : (breaks[piece - 1] + breaks[piece]) / 2;
    return values_[step.left] - middle;
  };
  for (double s = kNearest; s <= kFarthest; s *= 2) {
    for (int i = 0; i < kWays; ++i) {
      for (const double forward : {1.0, -1.0}) {
        const State here = way(i, forward * s);
        if (depth(side, here) > 0) return here;
        if (!wanted.is_piece) continue;
        double near = s == kNearest ? 0 : forward * s / 2, far = forward * s;
        const double at_near = off_middle(way(i, near)), at_far = off_middle(here);
        if (!(at_near * at_far < 0)) continue;
        for (int k = 0; k < kHalvings; ++k) {
          const double middle = near + (far - near) / 2;
          (off_middle(way(i, middle)) * at_near > 0 ? near : far) = middle;
        }
        const State found = way(i, far);
        if (depth(side, found) > 0) return found;
      }
    }
  }
  return std::nullopt;
}

}  // namespace vinculum
