// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "vinculum/model/description.h"

namespace vinculum {

// Where a row comes from.
struct ContactRow {
  int contact = 0;  // index into Model::contacts()
  ContactAxis axis = ContactAxis::normal;
};
struct EquationRow {
  int equation = 0;  // index into Model::velocity_equations()
};
struct StopRow {
  int limit = 0;  // index into Model::joint_limits()
  bool upper = false;
};
struct GuideRow {
  int pair = 0;  // index into Model::face_pairs()
};
struct MotionRow {
  int driven = 0;  // index into Model::driven()
};
using RowOrigin = std::variant<ContactRow, EquationRow, StopRow, GuideRow, MotionRow>;

// One scalar condition on the velocities, d · v = F, perhaps with a gap in position. It is there while its mode says so.
struct Row {
  std::string name;     // foot.normal, skid.1, elbow.upper, rail.1, motion:boom
  std::string unit;     // of its multiplier: N, N*m
  std::string element;  // what it belongs to, in words: contact 'foot' of body 'leg'
  RowOrigin origin;
  int index = 0;  // among all rows of the model
  int mode = -1;  // index into Model::modes(); -1: it is always there
  int when = 0;   // the value of the mode at which it is

  template <class Origin>
  const Origin* from() const {
    return std::get_if<Origin>(&origin);
  }
};

// A discrete value of an element, with words for its values: foot {apart, holds}, elbow.stop {lower, free, upper}.
struct ElementMode {
  std::string name;
  std::vector<std::string> words;
  int usual = 0;  // where nothing parts and nothing is struck
};

// A row that pushes and does not pull, and all that goes with it: a contact's normal, a stop.
struct OneSided {
  std::string name;  // of the element: foot, elbow
  int row = 0;       // index into Model::rows()
  int mode = 0;      // the value with which the row is there is the row's own,
  int without = 0;   // and this the one without it
  double restitution = 0;
  bool usually_holds = true;       // where nothing is followed: a contact does, a stop does not
  std::string touches, parts;      // the kinds of its events: touch-down, lift-off
  bool others_hang_on_it = false;  // it takes other rows of its element with it, or friction, when it goes
};

}  // namespace vinculum
