// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/check_bodies.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

bool is_finite(const Vector3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
bool is_finite(const Symmetric3& m) { return is_finite(Vector3{m.xx, m.yy, m.zz}) && is_finite(Vector3{m.xy, m.xz, m.yz}); }

// Entries as the user wrote them: three, or six where there are products of inertia.
std::string entries(const Symmetric3& m) {
  if (m.xy == 0 && m.xz == 0 && m.yz == 0) return fmt::format("[{:g}, {:g}, {:g}]", m.xx, m.yy, m.zz);
  return fmt::format("[{:g}, {:g}, {:g}, {:g}, {:g}, {:g}]", m.xx, m.yy, m.zz, m.xy, m.xz, m.yz);
}

// Of the largest principal moment: six numbers of a file, each rounded to 2^-53, and what turning them to principal axes adds.
constexpr double kRoundOffOfMoments = 1e-12;

// A tensor of inertia is positive semidefinite, and the sum of two principal moments is never less than the third. Data rounded
// to a few digits may break the inequality by up to 1 % of the largest moment: a warning. So is all the rest where the model says
// that it is to be accepted: the equations of motion need a positive mass matrix, no more.
void check_inertia(const BodyDescription& body, const std::string& element, Diagnostics& diagnostics) {
  const Symmetric3& inertia = *body.inertia;
  const Place place = body.inertia.place;
  if (!is_finite(inertia)) {
    diagnostics.error("VN-MODEL-010", place, element, "inertia is not finite");
    return;
  }
  const Vector3 moments = eigenvalues(inertia);
  const double largest = std::max(std::abs(moments.x), std::abs(moments.z));
  if (body.accept_inertia && !is_possible_inertia(inertia)) {
    diagnostics.warning(
        "VN-MODEL-140", place, element,
        fmt::format("inertia {} is impossible and was accepted. Principal moments: {:g}, {:g}, {:g}; nearest possible tensor: {}",
                    entries(inertia), moments.x, moments.y, moments.z, entries(nearest_possible_inertia(inertia))),
        "use the nearest possible tensor if there is no better source");
    return;
  }
  if (moments.x < -kRoundOffOfMoments * largest) {
    diagnostics.error(
        "VN-MODEL-020", place, element,
        fmt::format("inertia {} is impossible: it has the negative principal moment {:g}", entries(inertia), moments.x),
        "principal moments are never negative; check the signs of the products of inertia (matrix entries Ixy Ixz Iyz)");
    return;
  }
  const double lack = moments.z - moments.x - moments.y;
  if (lack <= kRoundOffOfMoments * largest) return;
  if (lack > 0.01 * largest) {
    diagnostics.error(
        "VN-MODEL-021", place, element,
        fmt::format("inertia {} is impossible: {:g} + {:g} < {:g}", entries(inertia), moments.x, moments.y, moments.z),
        "the sum of two principal moments is never less than the third; is this about another point than the mass centre?");
  } else {
    diagnostics.warning("VN-MODEL-022", place, element,
                        fmt::format("inertia {} is impossible by a little: {:g} + {:g} < {:g}", entries(inertia), moments.x,
                                    moments.y, moments.z),
                        "taken as it is; rounded data can do this");
  }
}

}  // namespace

bool is_possible_inertia(const Symmetric3& inertia) {
  const Vector3 moments = eigenvalues(inertia);
  const double largest = std::max(std::abs(moments.x), std::abs(moments.z));
  return moments.x >= -kRoundOffOfMoments * largest && moments.z - moments.x - moments.y <= 0.01 * largest;
}

// The triples of principal moments are the cone of the rays (1, 1, 0), (1, 0, 1), (0, 1, 1): point masses along one axis each.
// With x <= y <= z and x + y < z the nearest point lies on the face of the last two, (b, c, b + c), or, if b would be negative,
// on the last ray, a rod.
Symmetric3 nearest_possible_inertia(const Symmetric3& inertia) {
  const auto [moments, axes] = find_principal_values(inertia);
  const double lack = moments.z - moments.x - moments.y;
  if (moments.x >= 0 && lack <= 0) return inertia;
  double b = moments.x + lack / 3, c = moments.y + lack / 3;
  if (b < 0) b = 0, c = std::max(0.0, (moments.y + moments.z) / 2);
  return sandwich(axes, Symmetric3{b, c, b + c, 0, 0, 0});
}

bool check_axis(const Located<Vector3>& axis, const std::string& element, Diagnostics& diagnostics) {
  if (is_finite(*axis) && norm(*axis) > 0 && std::isfinite(norm(*axis))) return true;
  diagnostics.error("VN-MODEL-006", axis.place, element,
                    fmt::format("the direction [{:g}, {:g}, {:g}] has no length", axis->x, axis->y, axis->z),
                    "give x, y, z, -x, .. or a vector that is not zero");
  return false;
}

// Dry friction has a direction: that of the one coordinate.
void check_friction(const JointDescription& joint, const std::string& element, Diagnostics& diagnostics) {
  const JointFrictionDescription& friction = *joint.friction;
  const JointType type = *joint.type;
  const std::string unit = friction.coefficient ? "" : type == JointType::prismatic ? " N" : " N*m";
  const double sliding = friction.coefficient.value_or(friction.bound.value_or(0));
  const auto is_good = [](double value) { return value >= 0 && std::isfinite(value); };
  if (type != JointType::revolute && type != JointType::prismatic && type != JointType::screw) {
    diagnostics.error("VN-MODEL-117", friction.place, element, "only revolute, prismatic and screw joints have friction",
                      "build the joint of several bodies with one axis each; or use a contact or a guide");
  } else if (friction.coefficient && type != JointType::revolute) {
    diagnostics.error("VN-MODEL-117", friction.place, element, "only a revolute joint has friction by its reaction",
                      "give `torque:` or `force:`; what slides along faces is a guide");
  } else if (!(sliding > 0) || !is_good(sliding) || !is_good(friction.radius) || !is_good(friction.collar)) {
    diagnostics.error("VN-MODEL-010", friction.place, element, "its friction is not positive and finite");
  } else if (friction.at_rest && (!(*friction.at_rest >= sliding) || !std::isfinite(*friction.at_rest))) {
    diagnostics.error(
        "VN-MODEL-119", friction.place, element,
        fmt::format("static friction {:g}{} is below sliding friction {:g}{}", *friction.at_rest, unit, sliding, unit),
        "`static` is what the joint bears at rest: give at least the sliding value, or leave it out");
  }
}

void check_bodies(const std::vector<BodyDescription>& bodies, Diagnostics& diagnostics) {
  for (const BodyDescription& body : bodies) {
    const std::string element = fmt::format("body '{}'", body.name);
    const JointType type = *body.joint.type;
    if (type == JointType::revolute || type == JointType::prismatic || type == JointType::screw) {
      check_axis(body.joint.axis, element + ", axis of its joint", diagnostics);
    }
    if (!is_finite(body.joint.origin) || !is_finite(body.joint.rotation.x) || !is_finite(body.joint.rotation.y) ||
        !is_finite(body.joint.rotation.z) || !std::isfinite(*body.joint.pitch)) {
      diagnostics.error("VN-MODEL-010", body.joint.place, element, "the placement of its joint is not finite");
    }
    if (body.joint.friction) check_friction(body.joint, element + ", friction of its joint", diagnostics);
    if (!std::isfinite(*body.mass)) {
      diagnostics.error("VN-MODEL-010", body.mass.place, element, "mass is not finite");
    } else if (*body.mass < 0) {
      diagnostics.error("VN-MODEL-011", body.mass.place, element, fmt::format("mass {:g} kg is negative", *body.mass),
                        "a mass is positive, or zero for a body that only connects others");
    }
    if (!is_finite(*body.com)) diagnostics.error("VN-MODEL-010", body.com.place, element, "com is not finite");
    if (*body.mass == 0 && norm(*body.com) > 0) {
      diagnostics.warning("VN-MODEL-012", body.com.place, element, "com of a massless body has no effect",
                          "give the body a mass");
    }
    check_inertia(body, element, diagnostics);
  }
}

}  // namespace vinculum
