// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/formats/xml.h"

namespace vinculum {

struct UrdfJoint {
  std::string name;
  XmlElement* element = nullptr;
  std::string type;
  int parent = -1, child = -1;  // links
};

struct UrdfLink {
  std::string name;
  XmlElement* element = nullptr;
  int joint = -1;           // the one that carries it; -1 for the root
  std::vector<int> joints;  // those it carries
};

// Links and joints of a robot, known to be one tree.
struct UrdfTree {
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<int> order;  // links, each before those it carries; the root first
};

std::string describe(const UrdfLink& link);  // link 'upper_arm'
std::string describe(const UrdfJoint& joint);

// Takes links and joints out of the element and connects them. None if they are no tree: all that is wrong is told.
std::optional<UrdfTree> take_tree(XmlElement& robot, Diagnostics& diagnostics);

}  // namespace vinculum
