// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/import/urdf_tree.h"

#include <unordered_map>

#include <fmt/core.h>

namespace vinculum {

namespace {

using LinkIndex = std::unordered_map<std::string, int>;

// All parts of one kind, by name.
template <class Part>
std::vector<Part> take_parts(XmlElement& robot, const char* kind, Diagnostics& diagnostics) {
  std::vector<Part> parts;
  std::unordered_map<std::string, Place> seen;
  for (XmlElement& element : robot.children) {
    if (element.name != kind) continue;
    element.taken = true;
    const std::string name = element.take_attribute("name").value_or("");
    if (name.empty()) {
      diagnostics.error("VN-URDF-004", element.place, kind, "it has no name", fmt::format("write <{} name=\"..\">", kind));
      continue;
    }
    if (const auto [first, is_new] = seen.emplace(name, element.place); !is_new) {
      diagnostics.error("VN-URDF-004", element.place, fmt::format("{} '{}'", kind, name),
                        fmt::format("there is already a {} of this name in line {}", kind, first->second.line),
                        "give one of them another name");
      continue;
    }
    Part& part = parts.emplace_back();
    part.name = name;
    part.element = &element;
  }
  return parts;
}

// The link that <parent link="NAME"/> or <child link="NAME"/> names, or -1.
int take_end(UrdfJoint& joint, const char* end, const UrdfTree& tree, const LinkIndex& index, Diagnostics& diagnostics) {
  XmlElement* element = joint.element->take(end);
  const auto name = element != nullptr ? element->take_attribute("link") : std::nullopt;
  if (!name) {
    diagnostics.error("VN-URDF-005", joint.element->place, describe(joint), fmt::format("it has no {} link", end),
                      fmt::format("write <{} link=\"..\"/>", end));
    return -1;
  }
  if (const auto found = index.find(*name); found != index.end()) return found->second;
  std::vector<std::string> known;
  for (const UrdfLink& link : tree.links) known.push_back(link.name);
  const std::string nearest = nearest_name(*name, known);
  diagnostics.error("VN-URDF-007", element->place, describe(joint), fmt::format("its {} link '{}' does not exist", end, *name),
                    nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
  return -1;
}

void connect(UrdfTree& tree, Diagnostics& diagnostics) {
  LinkIndex index;
  for (const UrdfLink& link : tree.links) index.emplace(link.name, static_cast<int>(index.size()));
  for (int j = 0; j < static_cast<int>(tree.joints.size()); ++j) {
    UrdfJoint& joint = tree.joints[j];
    joint.type = joint.element->take_attribute("type").value_or("");
    if (joint.type.empty()) {
      diagnostics.error("VN-URDF-005", joint.element->place, describe(joint), "it has no type",
                        "write <joint name=\"..\" type=\"revolute\">");
    }
    joint.parent = take_end(joint, "parent", tree, index, diagnostics);
    joint.child = take_end(joint, "child", tree, index, diagnostics);
    if (joint.parent < 0 || joint.child < 0) continue;
    UrdfLink& child = tree.links[joint.child];
    if (child.joint >= 0) {
      const UrdfJoint& other = tree.joints[child.joint];
      diagnostics.error("VN-URDF-008", joint.element->place, describe(joint),
                        fmt::format("its child link '{}' is carried by joint '{}' already", child.name, other.name),
                        "a link has one joint towards the root; close a loop by a contact `with: BODY` in the model");
      continue;
    }
    child.joint = j;
    tree.links[joint.parent].joints.push_back(j);
  }
}

// Depth first from the root; links that are not reached then hang on a circle.
void order_links(UrdfTree& tree, Diagnostics& diagnostics) {
  std::vector<int> pending;
  std::vector<char> reached(tree.links.size(), 0);
  for (int l = 0; l < static_cast<int>(tree.links.size()); ++l) {
    if (tree.links[l].joint >= 0) continue;
    if (!pending.empty()) {
      const UrdfLink& root = tree.links[pending.front()];
      diagnostics.error("VN-URDF-009", tree.links[l].element->place, describe(tree.links[l]),
                        fmt::format("no joint carries it, and none carries link '{}' either: a robot has one root", root.name),
                        "connect it by a joint; use a floating joint for a free body");
    }
    pending.push_back(l);
  }
  while (!pending.empty()) {
    const int l = pending.back();
    pending.pop_back();
    reached[l] = 1;
    tree.order.push_back(l);
    const std::vector<int>& joints = tree.links[l].joints;
    for (auto j = joints.rbegin(); j != joints.rend(); ++j) pending.push_back(tree.joints[*j].child);
  }

  for (int l = 0; l < static_cast<int>(tree.links.size()); ++l) {
    if (reached[l]) continue;
    // Up the parents until a link comes again: that one is on the circle.
    int at = l;
    while (!reached[at]) {
      reached[at] = 1;
      at = tree.joints[tree.links[at].joint].parent;
    }
    diagnostics.error("VN-URDF-010", tree.links[at].element->place, describe(tree.links[at]),
                      "it carries itself: its joints lead round in a circle", "every link must lead to the one root");
    return;
  }
}

}  // namespace

std::string describe(const UrdfLink& link) { return fmt::format("link '{}'", link.name); }
std::string describe(const UrdfJoint& joint) { return fmt::format("joint '{}'", joint.name); }

std::optional<UrdfTree> take_tree(XmlElement& robot, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.error_count();
  UrdfTree tree;
  tree.links = take_parts<UrdfLink>(robot, "link", diagnostics);
  tree.joints = take_parts<UrdfJoint>(robot, "joint", diagnostics);
  if (tree.links.empty()) {
    diagnostics.error("VN-URDF-003", robot.place, "", "the robot has no links", "a link is <link name=\"..\">..</link>");
  }
  connect(tree, diagnostics);
  // An end that is missing would show as a second root as well: one message is enough.
  if (diagnostics.error_count() == errors_before) order_links(tree, diagnostics);
  if (diagnostics.error_count() != errors_before) return std::nullopt;
  return tree;
}

}  // namespace vinculum
