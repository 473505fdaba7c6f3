// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/row_source.h"

namespace vinculum {

namespace {

// The point of a face that sticks does not slide: along e, one of two directions in the face, fixed in the other body A,
//
//   e · (velocity of the point in A) = 0                                                            theory 5, sections 6 and 9
//
// with the friction along e as its multiplier. The point is that of the face which carries.
class StickSource : public RowSource {
 public:
  std::optional<Failure> compute(const ConstraintSet& set, const State&, ConstraintRows& rows) const override {
    for (const Row& row : set.model.rows()) {
      const auto* origin = row.from<StickRow>();
      if (origin == nullptr) continue;
      const FacePair& pair = set.model.face_pairs()[origin->pair];
      const PairState& state = rows.pairs[origin->pair];
      const FaceState& face = state.faces[set.modes[pair.mode] == kFace1 ? 0 : 1];
      const Vector3& e = state.in_face_W[origin->direction];
      RowAt& at = rows.all[row.index];
      at.given = dot(e, state.given_W.linear + cross(state.given_W.angular, face.point_W - state.origin_W));
      at.rate = dot(e, face.slide_W);
      at.gamma = -dot(e, face.bias_W);
      at.is_wrench = true;
      at.on = pair.body;
      at.against = pair.with.on == Anchor::On::body ? pair.with.index : kWorld;
      at.point_W = state.pole_W;
      at.wrench_W = {e, cross(face.point_W - state.pole_W, e)};
    }
    return std::nullopt;
  }

  RowPlace place_in_tree(const Model& model, const Row& row) const override {
    const FacePair& pair = model.face_pairs()[row.from<StickRow>()->pair];
    return {RowPlace::Kind::wrench, pair.body, pair.with.on == Anchor::On::body ? pair.with.index : kWorld, -1};
  }

  // Guides that rub have no series (guide_source.cc), so that none of these is ever on a tape.
  TracedRow write(const Model& model, const Row& row, const TracedTree&) const override {
    const FacePair& pair = model.face_pairs()[row.from<StickRow>()->pair];
    TracedRow result;
    result.is_wrench = true;
    result.on = pair.body;
    if (pair.with.on == Anchor::On::body) result.against = pair.with.index;
    return result;
  }

  std::string_view held_position(const Model&, const Row&) const override { return ""; }

  // While it slides, its friction.
  std::optional<double> force_in_place(const ConstraintSet& set, const ConstrainedDynamics& dynamics,
                                       const Row& row) const override {
    const auto& [pair, direction] = *row.from<StickRow>();
    return dot(compute_pair_friction(set, dynamics, pair), dynamics.rows.pairs[pair].in_face_W[direction]);
  }
};

}  // namespace

const RowSource& stick_source() {
  static const StickSource source;
  return source;
}

}  // namespace vinculum
