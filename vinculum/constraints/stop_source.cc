// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/row_source.h"

namespace vinculum {

namespace {

// The ends of a joint's range, which push inwards:  lower:  gap q - lower ≥ 0 , d = +1 ;  upper:  gap upper - q ≥ 0 , d = -1
class StopSource : public RowSource {
 public:
  std::optional<Failure> compute(const ConstraintSet& set, const State& state, ConstraintRows& rows) const override {
    for (const Row& row : set.model.rows()) {
      const auto* origin = row.from<StopRow>();
      if (origin == nullptr) continue;
      const JointLimit& limit = set.model.joint_limits()[origin->limit];
      const double inwards = origin->upper ? -1 : 1;
      RowAt& at = rows.all[row.index];
      at.rate = inwards * state.v[limit.velocity];
      at.gap = inwards * (state.q[limit.coordinate] - (origin->upper ? limit.upper : limit.lower));
      at.forces.assign(1, {limit.velocity, inwards});
    }
    return std::nullopt;
  }

  RowPlace place_in_tree(const Model& model, const Row& row) const override {
    return {RowPlace::Kind::one, kWorld, kWorld, model.joint_limits()[row.from<StopRow>()->limit].velocity};
  }

  TracedRow write(const Model& model, const Row& row, const TracedTree& tree) const override {
    const StopRow& origin = *row.from<StopRow>();
    const int velocity = model.joint_limits()[origin.limit].velocity;
    const Traced inwards(origin.upper ? -1.0 : 1.0);
    TracedRow written;
    written.rate = inwards * tree.v[velocity];
    written.forces.push_back({velocity, inwards});
    return written;
  }

  std::string_view held_position(const Model&, const Row&) const override { return "the joint stands at the end of its range"; }
};

}  // namespace

const RowSource& stop_source() {
  static const StopSource source;
  return source;
}

}  // namespace vinculum
