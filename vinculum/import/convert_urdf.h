// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/description.h"

namespace vinculum {

// What a conversion did not take over, or what it changed: where it stands in the source and what was done about it.
struct LossNote {
  std::string kind;     // "limit", "collision": many notes are of few kinds
  std::string element;  // "joint 'elbow': limit (lower -1.2, upper 1.2)"
  Place place;
  std::string note;
};

struct UrdfConversion {
  ModelDescription description;
  std::vector<LossNote> losses;   // in the order of the file; empty: the model says all the URDF did
  std::vector<LossNote> remarks;  // taken over in other words: names, massless links, the root
};

// A robot in URDF as a model.
//
// Expat reads the XML, not urdfdom: it gives line and column of every element, and what the converter does not ask for stays
// behind in the tree, so that the list of losses is complete by construction.
//
//   link   -> body of the same name, made legal; a root without inertia is the world, with inertia it is fixed to it
//   joint  -> the joint of its child, with its name: origin = joint frame = frame of the child at rest, axis in it (x if not
//   given) friction, collision geometry and all that is not mechanics -> losses
//
// Gravity is (0, 0, -9.81), as simulators of URDF assume. None if there was an error.
struct UrdfOptions {
  bool floating_base = false;   // the root moves freely, where no joint of type floating says so already
  bool accept_inertia = false;  // links whose inertia no body can have are taken as they are
};
std::optional<UrdfConversion> convert_urdf(std::string_view xml, Diagnostics& diagnostics, const UrdfOptions& options = {});

// The model file. None, and told at the places of the URDF, if a rule of model files is broken: what is written can be read.
std::optional<std::string> write_conversion(const UrdfConversion& conversion, Diagnostics& diagnostics);

// line 12: joint 'elbow': limit (..): what was done about it
std::string to_text(const LossNote& note);

// Notes of one kind, counted.
struct LossKind {
  LossNote first;
  int count = 0;
};
std::vector<LossKind> count_kinds(const std::vector<LossNote>& notes);  // in the order of the first of each kind

// The story of the conversion for the head of the model file: remarks, then losses.
std::vector<std::string> heading_comments(const UrdfConversion& conversion);

}  // namespace vinculum
