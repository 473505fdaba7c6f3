// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/row_source.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/evaluate_at.h"

namespace vinculum {

namespace {

// Given motions:  v_i = law' ,  v_i' = law'' ,  gap q_i - law
class MotionSource : public RowSource {
 public:
  std::optional<Failure> compute(const ConstraintSet& set, const State& state, ConstraintRows& rows) const override {
    Bindings bindings;
    bindings.time = state.t;
    for (const Row& row : set.model.rows()) {
      const auto* origin = row.from<MotionRow>();
      if (origin == nullptr) continue;
      const DrivenCoordinate& driven = set.model.driven()[origin->driven];
      RowAt& at = rows.all[row.index];
      at.given = evaluate(driven.rate, bindings, rows.scratch);
      at.gamma = evaluate(driven.acceleration, bindings, rows.scratch);
      at.rate = state.v[driven.v] - at.given;
      at.gap = state.q[driven.q] - evaluate(driven.law, bindings, rows.scratch);
      at.forces.assign(1, {driven.v, 1});
    }
    return std::nullopt;
  }

  RowPlace place_in_tree(const Model& model, const Row& row) const override {
    return {RowPlace::Kind::one, kWorld, kWorld, model.driven()[row.from<MotionRow>()->driven].v};
  }

  TracedRow write(const Model& model, const Row& row, const TracedTree& tree) const override {
    const DrivenCoordinate& driven = model.driven()[row.from<MotionRow>()->driven];
    BindingsOf<Traced> bindings;
    bindings.time = tree.t;
    TracedRow written;
    written.given = evaluate_at(driven.rate, bindings);
    written.rate = tree.v[driven.v] - written.given;
    written.forces.push_back({driven.v, Traced(1.0)});
    return written;
  }

  std::string_view held_position(const Model&, const Row&) const override { return "the coordinate follows its law"; }

  void list_laws(const Model& model, std::vector<const Expression*>& laws) const override {
    for (const DrivenCoordinate& driven : model.driven()) laws.insert(laws.end(), {&driven.law, &driven.acceleration});
  }
};

}  // namespace

const RowSource& motion_source() {
  static const MotionSource source;
  return source;
}

}  // namespace vinculum
