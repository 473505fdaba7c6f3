// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/core.h>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/guide_row.h"
#include "vinculum/constraints/row_source.h"
#include "vinculum/geometry/contact_geometry_kernel.h"

namespace vinculum {

namespace {

// Pairs of faces. The row is that of the face which the mode says (guide_row.h), with the multiplier n: a load on face2 where it
// is positive, on face1 where it is negative; friction goes with it (guide_friction.h).
//
// A tape has the constraint of face2 whatever carries: the same where both faces have one point, or where the body cannot tilt.
std::optional<Failure> refuse_tilting_faces(const Model& model) {
  const auto apart = [](const FacePair& pair) { return pair.faces[0].point_B != pair.faces[1].point_B; };
  if (std::ranges::none_of(model.face_pairs(), apart)) return std::nullopt;
  const ConstraintSet set(model);
  const auto rows = compute_constraint_rows(set, model.initial_state());
  if (!rows) return rows.failure();
  for (size_t k = 0; k < model.face_pairs().size(); ++k) {
    if (!apart(model.face_pairs()[k]) || !can_tilt(set, *rows, static_cast<int>(k))) continue;
    return Failure{"VN-RUN-015",
                   fmt::format("guide '{}' has no power series: the points of its two faces differ, and its body can tilt",
                               model.description().guides[model.face_pairs()[k].guide].name),
                   "take --integrator dop853"};
  }
  return std::nullopt;
}

class GuideSource : public RowSource {
 public:
  std::optional<Failure> compute(const ConstraintSet& set, const State&, ConstraintRows& rows) const override {
    const Model& model = set.model;
    rows.pairs.resize(model.face_pairs().size());
    for (const Row& row : model.rows()) {
      const auto* origin = row.from<GuideRow>();
      if (origin == nullptr) continue;
      const FacePair& pair = model.face_pairs()[origin->pair];
      PairState& state = rows.pairs[origin->pair];
      state = compute_pair_state(model, pair, set.face_levels[origin->pair], rows.links, rows.environment);
      const GuideRowAt carries = compute_guide_row(set, rows, origin->pair);
      RowAt& at = rows.all[row.index];
      at.given = carries.given;
      at.gamma = carries.gamma;
      at.rate = carries.rate;
      at.gap = carries.gap;
      at.is_wrench = true;
      at.on = pair.body;
      at.against = pair.with.on == Anchor::On::body ? pair.with.index : kWorld;
      at.point_W = state.pole_W;
      at.wrench_W = {carries.direction_W, cross(carries.point_W - state.pole_W, carries.direction_W)};
    }
    return std::nullopt;
  }

  RowPlace place_in_tree(const Model& model, const Row& row) const override {
    const FacePair& pair = model.face_pairs()[row.from<GuideRow>()->pair];
    return {RowPlace::Kind::wrench, pair.body, pair.with.on == Anchor::On::body ? pair.with.index : kWorld, -1};
  }

  void add_forces(const ConstraintSet& set, const ConstraintRows& rows, ContactForces& result) const override {
    const Scratch::Frame frame(result.scratch);
    VectorMap of_unit = result.scratch.vector(set.model.tree().velocities);
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const auto* origin = set.rows[i].from<GuideRow>();
      if (origin == nullptr) continue;
      const FacePair& pair = set.model.face_pairs()[origin->pair];
      const int face = set.modes[pair.mode];
      if (face == kNoFace) continue;
      if (!pair.rubs() || pair.sticks(set.modes) || set.modes[pair.slide_mode] == kRests) continue;
      const double sense = set.modes[pair.slide_mode] == kBackward ? -1 : 1;
      RowAt beside = rows.all[set.rows[i].index];
      beside.wrench_W = compute_face_friction(set, rows, origin->pair, face == kFace1 ? 0 : 1, sense, result.scratch);
      // A load on face1 is a negative multiplier.
      if (face == kFace1) beside.wrench_W = {-beside.wrench_W.force, -beside.wrench_W.moment};
      compute_row(set, rows, beside, {of_unit.data(), static_cast<size_t>(of_unit.size())});
      result.add_coupling(set, static_cast<int>(i), of_unit, beside.wrench_W);
    }
  }

  TracedRow write(const Model& model, const Row& row, const TracedTree& tree) const override {
    const FacePair& pair = model.face_pairs()[row.from<GuideRow>()->pair];
    const auto frame_of = [&](const Body& body) {
      const LinkInWorld<Traced>& link = tree.links[body.link];
      return std::tuple{link.R * lift_matrix<Traced>(body.R_LB), link.p,
                        TwistOf<Traced>{link.R * link.velocity.linear, link.R * link.velocity.angular}};
    };
    Matrix3Of<Traced> R_A = lift_matrix<Traced>(kIdentity3);
    Vector3Of<Traced> p_A;
    TwistOf<Traced> carried;
    if (pair.with.on == Anchor::On::body) std::tie(R_A, p_A, carried) = frame_of(model.bodies()[pair.with.index]);
    if (pair.with.on == Anchor::On::environment) {
      const EnvironmentMotionOf<Traced>& motion = tree.environment[pair.with.index];
      R_A = motion.R_WE, p_A = motion.p_WE, carried = motion.velocity;
    }
    const auto [R_B, p_B, moving] = frame_of(model.bodies()[pair.body]);
    const auto lift = [](const Vector3& a) { return Vector3Of<Traced>{Traced(a.x), Traced(a.y), Traced(a.z)}; };
    const Vector3Of<Traced> b = R_B * lift(pair.faces[1].point_B), normal = R_A * lift(pair.faces[1].normal_A);
    TracedRow result;
    result.is_wrench = true;
    result.on = pair.body;
    if (pair.with.on == Anchor::On::body) result.against = pair.with.index;
    result.point_W = p_B;
    result.wrench_W = {normal, cross(b, normal)};
    const Vector3Of<Traced> of_carrier = carried.linear + cross(carried.angular, p_B + b - p_A);
    result.rate = dot(normal, moving.linear + cross(moving.angular, b) - of_carrier);
    if (pair.with.on == Anchor::On::environment) result.given = dot(normal, of_carrier);
    return result;
  }

  std::optional<Failure> check_series(const Model& model) const override {
    for (const FacePair& pair : model.face_pairs()) {
      if (pair.rubs())
        return Failure{"VN-RUN-015",
                       fmt::format("the motion with guide '{}' is not computed as a power series: it has dry friction",
                                   model.description().guides[pair.guide].name),
                       "take --integrator dop853"};
    }
    return refuse_tilting_faces(model);
  }

  std::string_view held_position(const Model&, const Row&) const override { return "it holds a distance"; }

  std::string moved_by(const Model& model, const Row& row) const override {
    const FacePair& pair = model.face_pairs()[row.from<GuideRow>()->pair];
    return pair.with.on == Anchor::On::environment ? *model.description().guides[pair.guide].with : "";
  }

  void list_quantities(const Model& model, std::vector<RowQuantity>& list) const override {
    for (const FacePair& pair : model.face_pairs()) {
      list.push_back({pair.name + " friction", "N"});
      list.push_back({pair.name + " slide", "m/s"});
    }
  }

  // The friction force and the speed at the loaded face.
  void compute_quantities(const ConstraintSet& set, const ConstrainedDynamics& dynamics,
                          std::vector<double>& values) const override {
    for (size_t k = 0; k < set.model.face_pairs().size(); ++k) {
      const FacePair& pair = set.model.face_pairs()[k];
      const int face = set.modes[pair.mode] == kFace1 ? 0 : 1;
      values.push_back(norm(compute_pair_friction(set, dynamics, static_cast<int>(k))));
      values.push_back(norm(dynamics.rows.pairs[k].faces[face].slide_W));
    }
  }

  void list_working(const Model& model, std::vector<std::string>& elements) const override {
    int named = -1;
    for (const FacePair& pair : model.face_pairs()) {
      if (pair.guide == named || !(pair.rubs() || pair.with.on == Anchor::On::environment)) continue;
      named = pair.guide;
      elements.push_back(fmt::format("guide '{}'", model.description().guides[named].name));
    }
  }
};

}  // namespace

const RowSource& guide_source() {
  static const GuideSource source;
  return source;
}

}  // namespace vinculum
