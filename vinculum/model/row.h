// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "vinculum/model/description.h"
#include "vinculum/verdict/occurrence.h"

namespace vinculum {

// Where a constraint comes from.
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
struct StringRow {
  int string = 0;  // index into Model::strings()
};
struct GuideRow {
  int pair = 0;  // index into Model::face_pairs()
};
// A face that sticks: its point does not slide along one of the two directions in the face.
struct StickRow {
  int pair = 0;  // index into Model::face_pairs()
  int direction = 0;
};
struct MotionRow {
  int driven = 0;  // index into Model::driven()
};
using RowOrigin = std::variant<ContactRow, EquationRow, StopRow, StringRow, GuideRow, StickRow, MotionRow>;

// One constraint equation on the velocities, d · v = F, perhaps with a gap. It is active while its mode is `when`.
struct Row {
  std::string name;     // foot.normal, skid.1, elbow.upper, s1, rail.1, motion:boom
  std::string unit;     // of its multiplier: N, N*m
  std::string element;  // what it belongs to, in words: contact 'foot' of body 'leg'
  RowOrigin origin;
  int index = 0;          // among all constraints of the model
  int mode = -1;          // index into Model::modes(); -1: it is always there
  int when = 0;           // the value of the mode at which it is
  int grip = -1;          // index into Model::grips(): it is there only while that sticks; -1: nothing lets it slip
  bool is_drive = false;  // its multiplier is what a given motion takes to be made
  std::string plot{};     // where a page draws its multiplier: tensions; empty: with the reactions

  template <class Origin>
  const Origin* from() const {
    return std::get_if<Origin>(&origin);
  }
};

// A discrete value of an element, with words for its values: foot {apart, holds}, elbow.stop {lower, free, upper}, s1 {slack,
// taut}.
struct ElementMode {
  std::string name;
  std::vector<std::string> words;
  int usual = 0;  // where nothing parts and nothing is struck
};

// A constraint whose multiplier has one sign, and all that goes with it: a contact's normal and a stop push, a string pulls.
struct OneSided {
  ElementId element;
  std::string name;  // of the element: foot, elbow, s1
  int row = 0;       // index into Model::rows()
  int mode = 0;      // the value with which the constraint is there is the constraint's own,
  int without = 0;   // and this the one without it
  ImpactLaw restitution;
  bool usually_holds = true;  // where nothing is followed: a contact does, a stop does not
  EventKind touches = EventKind::touch_down, parts = EventKind::lift_off;  // its events
  bool others_hang_on_it = false;  // it takes other constraints of its element with it, or friction, when it goes
  bool always_followed = false;    // a string goes slack whatever contacts are asked to do

  Occurrence comes() const { return {touches, element, name}; }
  Occurrence goes() const { return {parts, element, name}; }
};

// What an element remembers beside its mode, as numbers of State::memory; of laws of slip and of guides:
//
//   backlash  .play   [m]       where in its play it is
//   lag       .lag    [N], [s]  the force it had when its side last changed, and when that was
//   delay     .turns            how many changes of side are due, then their times [s], soonest first
//   guide     .held             the reactions with which a pair of faces came to hold (friction/guide_history.h)
struct Memory {
  std::string name;  // of the `Grip` and what it is: stick.play
  std::string unit;
  int first = 0;  // index into State::memory
  int size = 1;
  bool is_list = false;  // the first number counts those in use

  static constexpr int kMostTurns = 64;  // changes of side that can be due at once
};

// Constraints that a force of limited size keeps: the tangent of a contact, a velocity constraint, a joint with friction. While
// they stick they are there; while they slip that force acts in their place.
//
//   |lambda| ≤ R  or  |lambda| ≤ mu N                                                                theory 3, sections 3 and 4
struct Grip {
  // Values of its mode: a single constraint sticks, or slips forward or backward. With a dead zone or
  // play it may also be free or at an end of it. Several constraints with one bound stick or slip.
  enum { sticks, forward, backward, free, front_edge, back_edge, slips = forward };

  int index = 0;                   // index in Model::grips()
  std::string name;                // of the element: foot, skid, foot.lateral
  std::string judged;              // the subject of its verdict: foot.friction, foot.bound, skid
  std::vector<int> rows;           // indices into Model::rows()
  int contact = -1;                // index into Model::contacts(); -1: a velocity constraint, or
  int joint = -1;                  // of the joint of this body: index into Model::bodies()
  std::optional<double> bound;     // R, or
  std::optional<double> friction;  // mu,
  int normal = -1;                 // and the constraint whose multiplier is N; -1: the law on the contact's normal
  SlipLaw law;
  std::optional<double> bound_at_rest{};  // R of what sticks; none: the same
  // Of a bearing: R by the joint's own reaction, mu (radius |radial| + collar |axial|).                    theory 7, section 2
  struct Bearing {
    double friction = 0, friction_at_rest = 0, radius = 0, collar = 0;
  };
  std::optional<Bearing> bearing{};
  int mode = 0;     // index into Model::modes()
  int memory = -1;  // index into Model::memories(); -1: its law remembers nothing

  Occurrence occurrence(EventKind kind) const { return {kind, {ElementKind::grip, index}, name}; }
  bool is_single() const { return rows.size() == 1; }
  // Friction of a joint acts in every run, that of contacts where it is followed.
  bool always_followed() const { return joint >= 0; }
  bool has_limit() const { return bound || friction || bearing; }
  // What slides may bear less than what held it.
  bool yields() const { return bound_at_rest || bearing; }
  std::optional<double> holding_bound() const { return bound_at_rest ? bound_at_rest : bound; }
  bool has_play() const { return law.kind == SlipLawKind::backlash; }
  static bool holds(int value) { return value == sticks || value == front_edge || value == back_edge; }
};

}  // namespace vinculum
