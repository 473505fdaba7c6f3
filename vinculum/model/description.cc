// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/description.h"

#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/math/visit.h"

namespace vinculum {

std::vector<ElementaryMotion> elementary_motions(const JointDescription& joint) {
  using enum ElementaryMotion;
  switch (*joint.type) {
    case JointType::cylindrical: return {tz, rz};
    case JointType::universal: return {rx, ry};
    case JointType::planar: return {tx, ty, rz};
    case JointType::axes: return joint.axes;
    case JointType::fixed:
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
    case JointType::spherical:
    case JointType::free: return {};
  }
  return {};
}

std::string_view word_of(const ContactGeometry& geometry) {
  return std::visit([](const auto& kind) { return kind.kWord; }, geometry);
}

bool is_frame(const ContactGeometry& geometry) {
  return std::visit([](const auto& kind) { return kind.kIsFrame; }, geometry);
}

const std::array<Expression, 2>* find_path(const ContactGeometry& geometry) {
  using Path = const std::array<Expression, 2>*;
  return std::visit(
      Overloaded{[](const PointGeometry&) -> Path { return nullptr; }, [](const WheelGeometry&) -> Path { return nullptr; },
                 [](const SphereGeometry&) -> Path { return nullptr; },
                 [](const FrameGeometry& frame) -> Path { return frame.path ? &*frame.path : nullptr; }},
      geometry);
}

std::vector<int> order_bodies(const std::vector<BodyDescription>& bodies, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.error_count();
  const int count = static_cast<int>(bodies.size());

  std::unordered_map<std::string, int> index;
  for (int i = 0; i < count; ++i) {
    const auto [entry, is_new] = index.emplace(bodies[i].name, i);
    if (is_new) continue;
    diagnostics.error("VN-MODEL-003", bodies[i].place, fmt::format("body '{}'", bodies[i].name),
                      fmt::format("there is already a body of this name in line {}", bodies[entry->second].place.line),
                      "give one of them another name");
  }

  constexpr int kOnWorld = -1, kUnknown = -2;
  std::vector<int> parent(count, kOnWorld);
  for (int i = 0; i < count; ++i) {
    const auto& name = *bodies[i].parent;
    if (name == "world") continue;
    if (const auto found = index.find(name); found != index.end()) {
      parent[i] = found->second;
    } else {
      parent[i] = kUnknown;
      std::vector<std::string> known{"world"};
      for (const BodyDescription& body : bodies) known.push_back(body.name);
      const std::string nearest = nearest_name(name, known);
      diagnostics.error("VN-MODEL-001", bodies[i].parent.place, fmt::format("body '{}'", bodies[i].name),
                        fmt::format("its parent '{}' is not a body of this model", name),
                        nearest.empty() ? "a parent is `world` or another body" : fmt::format("did you mean '{}'?", nearest));
    }
  }

  // In file order, each body preceded by those of its ancestors that have not come yet.
  std::vector<int> order;
  std::vector<char> placed(count, 0);
  const auto place_with_ancestors = [&](int body) {
    std::vector<int> path;
    for (int i = body; i >= 0 && !placed[i]; i = parent[i]) {
      path.push_back(i);
      if (static_cast<int>(path.size()) > count) return false;  // round and round: a cycle
    }
    for (auto i = path.rbegin(); i != path.rend(); ++i) {
      placed[*i] = 1;
      order.push_back(*i);
    }
    return true;
  };
  for (int i = 0; i < count; ++i) {
    if (place_with_ancestors(i)) continue;
    // Follow the parents until a body comes again: from there on it is the cycle.
    int at = i;
    while (!placed[at]) {
      placed[at] = 1;
      at = parent[at];
    }
    constexpr int kMostNamed = 8;
    std::string text = fmt::format("'{}'", bodies[at].name);
    int next = at, named = 1;
    do {
      next = parent[next];
      if (++named <= kMostNamed || next == at) text += fmt::format(" -> '{}'", bodies[next].name);
      if (named == kMostNamed + 1) text += " -> ..";
    } while (next != at);
    diagnostics.error("VN-MODEL-002", bodies[at].parent.place, fmt::format("body '{}'", bodies[at].name),
                      "the parents go round in a circle: " + text,
                      "every body must lead to `world`; close a loop by a contact `with: BODY` instead");
  }
  if (diagnostics.error_count() != errors_before) return {};
  return order;
}

namespace {

std::string_view motion_name(ElementaryMotion motion) {
  constexpr std::string_view kNames[] = {"tx", "ty", "tz", "rx", "ry", "rz"};
  return kNames[static_cast<int>(motion)];
}

}  // namespace

JointNames name_joint(const std::string& body, const JointDescription& joint) {
  JointNames names;
  const auto coordinate_and_rate = [&](const std::string& name) {
    names.coordinates.push_back(name);
    names.velocities.push_back(name + "'");
  };
  switch (*joint.type) {
    case JointType::fixed: break;
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw: coordinate_and_rate(body); break;
    case JointType::free:
      for (const char* axis : {".tx", ".ty", ".tz"}) coordinate_and_rate(body + axis);
      [[fallthrough]];
    case JointType::spherical:
      for (const char* component : {".qw", ".qx", ".qy", ".qz"}) names.coordinates.push_back(body + component);
      for (const char* component : {".wx", ".wy", ".wz"}) names.velocities.push_back(body + component);
      break;
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::planar:
    case JointType::axes: {
      int uses[6] = {};
      for (ElementaryMotion motion : elementary_motions(joint)) {
        const int use = ++uses[static_cast<int>(motion)];
        coordinate_and_rate(fmt::format("{}.{}{}", body, motion_name(motion), use == 1 ? "" : std::to_string(use)));
      }
    }
  }
  return names;
}

}  // namespace vinculum
