// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/row_source.h"
#include "vinculum/geometry/tree_motion.h"

namespace vinculum {

namespace {

// A point in motion, world axes: of a body the part of its acceleration that is there without v'.
struct EndMotion {
  Vector3 position, velocity, acceleration;
};

EndMotion end_motion(const Model& model, const Anchor& end, const ConstraintRows& rows) {
  FrameMotion frame;
  if (end.on == Anchor::On::body) frame = body_motion(model.bodies()[end.index], rows.links);
  if (end.on == Anchor::On::environment) {
    const EnvironmentMotion& motion = rows.environment[end.index];
    frame = {motion.R_WE, motion.p_WE, motion.velocity, motion.acceleration};
  }
  const Vector3 r = frame.R * end.point, &w = frame.velocity.angular;
  return {frame.p + r, frame.velocity.linear + cross(w, r),
          frame.acceleration.linear + cross(frame.acceleration.angular, r) + cross(w, cross(w, r))};
}

struct TracedEnd {
  Vector3Of<Traced> position, velocity;
};

TracedEnd end_motion(const Model& model, const Anchor& end, const TracedTree& tree) {
  if (end.on == Anchor::On::world) return {lift<Traced>(end.point), {}};
  Vector3Of<Traced> p, r;
  TwistOf<Traced> velocity;
  if (end.on == Anchor::On::body) {
    const Body& body = model.bodies()[end.index];
    const LinkInWorld<Traced>& link = tree.links[body.link];
    p = link.p;
    r = link.R * lift<Traced>(body.R_LB * end.point);
    velocity = {link.R * link.velocity.linear, link.R * link.velocity.angular};
  } else {
    const EnvironmentMotionOf<Traced>& motion = tree.environment[end.index];
    p = motion.p_WE;
    r = motion.R_WE * lift<Traced>(end.point);
    velocity = motion.velocity;
  }
  return {p + r, velocity.linear + cross(velocity.angular, r)};
}

// The body that a unit tension pulls and which way: `to` towards `from`, if it is on a body, else `from` towards `to`.
struct Pull {
  int on = kWorld, against = kWorld;
  bool at_to = true;
};

Pull find_pull(const StringElement& string) {
  const auto body = [](const Anchor& end) { return end.on == Anchor::On::body ? end.index : kWorld; };
  const bool at_to = string.to.on == Anchor::On::body;
  return {body(at_to ? string.to : string.from), body(at_to ? string.from : string.to), at_to};
}

bool is_given(const Anchor& end) { return end.on != Anchor::On::body; }

// Strings, with u the unit vector along z, from `from` to `to`, and a unit multiplier a unit tension:
//
//   gap  p - |z| ≥ 0 ,   rate  -u·z' ,   d·v' = gamma:  -u·z'' = |z'|²_⊥ / |z|                              theory 4, section 4
//
// The line of the pull goes through both ends, so that a string between two bodies is one wrench and its opposite.
class StringSource : public RowSource {
 public:
  std::optional<Failure> compute(const ConstraintSet& set, const State&, ConstraintRows& rows) const override {
    for (const Row& row : set.model.rows()) {
      const auto* origin = row.from<StringRow>();
      if (origin == nullptr) continue;
      const StringElement& string = set.model.strings()[origin->string];
      const EndMotion from = end_motion(set.model, string.from, rows), to = end_motion(set.model, string.to, rows);
      const Vector3 z = to.position - from.position, z_dot = to.velocity - from.velocity;
      const double distance = norm(z);
      RowAt& at = rows.all[row.index];
      at = {};
      at.gap = string.length - distance;
      if (!(distance > 0)) {
        if (set.modes[row.mode] == row.when) return no_direction(string);
        continue;
      }
      const Vector3 u = (1 / distance) * z, across = z_dot - dot(u, z_dot) * u;
      const Pull pull = find_pull(string);
      at.rate = -dot(u, z_dot);
      at.given = (is_given(string.to) ? dot(u, to.velocity) : 0) - (is_given(string.from) ? dot(u, from.velocity) : 0);
      at.gamma = dot(u, to.acceleration - from.acceleration) + dot(across, across) / distance;
      at.is_wrench = true;
      at.on = pull.on;
      at.against = pull.against;
      at.point_W = pull.at_to ? to.position : from.position;
      at.wrench_W.force = pull.at_to ? -u : u;
    }
    return std::nullopt;
  }

  RowPlace place_in_tree(const Model& model, const Row& row) const override {
    const Pull pull = find_pull(model.strings()[row.from<StringRow>()->string]);
    return {RowPlace::Kind::wrench, pull.on, pull.against, -1};
  }

  TracedRow write(const Model& model, const Row& row, const TracedTree& tree) const override {
    const StringElement& string = model.strings()[row.from<StringRow>()->string];
    const TracedEnd from = end_motion(model, string.from, tree), to = end_motion(model, string.to, tree);
    const Vector3Of<Traced> z = to.position - from.position;
    const Vector3Of<Traced> u = (Traced(1.0) / sqrt(dot(z, z))) * z;
    const Pull pull = find_pull(string);
    TracedRow written;
    written.rate = -dot(u, to.velocity - from.velocity);
    if (is_given(string.to)) written.given = dot(u, to.velocity);
    if (is_given(string.from)) written.given = written.given - dot(u, from.velocity);
    written.is_wrench = true;
    written.on = pull.on;
    written.against = pull.against;
    written.point_W = pull.at_to ? to.position : from.position;
    written.wrench_W.force = pull.at_to ? -u : u;
    return written;
  }

  std::string_view held_position(const Model&, const Row&) const override { return "it holds a distance"; }

  std::string moved_by(const Model& model, const Row& row) const override {
    const int index = row.from<StringRow>()->string;
    const StringElement& string = model.strings()[index];
    const StringDescription& words = model.description().strings[index];
    return is_moved_by_law(model, string.from) ? *words.from : is_moved_by_law(model, string.to) ? *words.to : "";
  }

  void list_working(const Model& model, std::vector<std::string>& elements) const override {
    for (const StringElement& string : model.strings()) {
      if (is_moved_by_law(model, string.from) || is_moved_by_law(model, string.to))
        elements.push_back(fmt::format("string '{}'", string.name));
    }
  }

  bool sees_environment(const Model& model) const override { return !model.strings().empty(); }

  std::string describe_gap(const Model& model, const Row& row, double gap) const override {
    const double length = model.strings()[row.from<StringRow>()->string].length;
    return fmt::format(" by {:.4g} m (length {:.6g} m, ends {:.6g} m apart)", gap, length, length - gap);
  }

 private:
  static Failure no_direction(const StringElement& string) {
    return {
        "VN-STRING-010", fmt::format("string '{}': its ends coincide, so that it pulls in no direction", string.name),
        fmt::format("a string of {:g} m is slack there; place its bodies apart, or use a joint where two points stay together",
                    string.length)};
  }
};

}  // namespace

const RowSource& string_source() {
  static const StringSource source;
  return source;
}

}  // namespace vinculum
