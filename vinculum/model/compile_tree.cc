// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/compile_tree.h"

#include <cassert>

namespace vinculum {

namespace {

// A motion of one link: its kind, its axis in the current frame (links without an axis keep the body's axes).
struct LinkMotion {
  LinkKind kind = LinkKind::fixed;
  Vector3 unit_axis{0, 0, 1};
  double pitch = 0;
};

LinkMotion elementary_link(ElementaryMotion motion) {
  constexpr Vector3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int index = static_cast<int>(motion);
  return {index < 3 ? LinkKind::prismatic : LinkKind::revolute, kAxes[index % 3]};
}

std::vector<LinkMotion> link_motions(const JointDescription& joint, bool split_free) {
  const auto about_axis = [&](LinkKind kind) {
    return std::vector<LinkMotion>{{kind, (1 / norm(*joint.axis)) * *joint.axis, *joint.pitch}};
  };
  switch (*joint.type) {
    case JointType::fixed: return {{LinkKind::fixed}};
    case JointType::revolute: return about_axis(LinkKind::revolute);
    case JointType::prismatic: return about_axis(LinkKind::prismatic);
    case JointType::screw: return about_axis(LinkKind::screw);
    case JointType::spherical: return {{LinkKind::spherical}};
    case JointType::free:
      if (!split_free) return {{LinkKind::free}};
      return {elementary_link(ElementaryMotion::tx),
              elementary_link(ElementaryMotion::ty),
              elementary_link(ElementaryMotion::tz),
              {LinkKind::spherical}};
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::planar:
    case JointType::axes: break;
  }
  std::vector<LinkMotion> motions;
  for (ElementaryMotion motion : elementary_motions(joint)) motions.push_back(elementary_link(motion));
  if (motions.empty()) motions.push_back({LinkKind::fixed});
  return motions;
}

// Slots for the inward sweep: as few as are needed at once (one for a chain, whatever its length), so that they stay in the
// nearest cache.
void assign_slots(Tree& tree) {
  std::vector<int> unused;
  for (int i = static_cast<int>(tree.links.size()) - 1; i >= 0; --i) {
    Link& link = tree.links[i];
    if (link.slot >= 0) unused.push_back(link.slot);
    if (link.parent == kGround) continue;
    Link& base = tree.links[link.parent];
    link.first_on_base = base.slot < 0;
    if (!link.first_on_base) continue;
    if (unused.empty()) unused.push_back(tree.slots++);
    base.slot = unused.back();
    unused.pop_back();
  }
}

void find_rows(Tree& tree) {
  tree.rows.resize(tree.links.size());
  for (int i = 0; i < static_cast<int>(tree.links.size()); ++i) {
    const Link& link = tree.links[i];
    const bool continues = link.parent != kGround && link.parent == i - 1;
    tree.rows[i] = continues ? tree.rows[i - 1] : LinkRow{link.v, link.parent};
  }
}

}  // namespace

Tree compile_tree(const std::vector<BodyDescription>& ordered, const Vector3& gravity, const std::set<std::string>& split,
                  std::vector<Body>& bodies) {
  assert(ordered.size() == bodies.size());
  Tree tree;
  tree.gravity = gravity;
  tree.links.reserve(ordered.size());

  for (size_t i = 0; i < ordered.size(); ++i) {
    const BodyDescription& words = ordered[i];
    Body& body = bodies[i];
    body.q = tree.coordinates;
    body.v = tree.velocities;
    body.first_link = static_cast<int>(tree.links.size());

    // Where the first link stands on the parent's link P; later links of the same joint stand on the one before, at its origin.
    int base = body.parent == kWorld ? kGround : bodies[body.parent].link;
    const Matrix3 R_LB = body.parent == kWorld ? kIdentity3 : bodies[body.parent].R_LB;
    Matrix3 R_PF = R_LB * words.joint.rotation;
    Vector3 p = R_LB * words.joint.origin;

    for (const LinkMotion& motion : link_motions(words.joint, split.count(words.name) > 0)) {
      // A = axes of the link, z along its axis, in the frame F that the motion turns and shifts: R_PL = R_PF A Rz(q).
      const Matrix3 A = rotation_with_z_along(motion.unit_axis);
      Link link;
      link.parent = base;
      link.kind = motion.kind;
      link.q = tree.coordinates;
      link.v = tree.velocities;
      link.pitch = motion.pitch;
      link.C = R_PF * A;
      link.p = p;
      tree.coordinates += coordinate_count(motion.kind);
      tree.velocities += velocity_count(motion.kind);
      base = static_cast<int>(tree.links.size());
      tree.links.push_back(link);
      R_PF = transpose(A);
      p = {};
    }

    body.link = base;
    body.R_LB = R_PF;
    body.q_count = tree.coordinates - body.q;
    body.v_count = tree.velocities - body.v;

    // m_0, s = m c, J_o = J_c + m c*c, in the link's axes
    Link& link = tree.links[base];
    link.mass = body.mass;
    link.s = body.R_LB * (body.mass * body.p_BoBcm_B);
    link.J = sandwich(body.R_LB, body.I_Bcm_B + body.mass * star(body.p_BoBcm_B));
  }
  assign_slots(tree);
  find_rows(tree);
  return tree;
}

}  // namespace vinculum
