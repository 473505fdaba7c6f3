// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vinculum {

// What can happen along a motion. The word of each kind stands in words.cc.
enum class EventKind : std::uint8_t {
  model_event,   // a zero of a function under `events` of the model file
  lift_off,      // a contact separates
  touch_down,    // and closes
  slip,          // friction is exceeded
  stick,         // a slip has ended
  reverse,       // a slip changes its direction
  engage,        // backlash has been taken up
  slack,         // a string goes slack
  taut,          // and taut
  stop,          // a joint strikes its stop
  release,       // and leaves it
  limit,         // a joint leaves its range, where stops are only judged
  speed_limit,   // a joint moves faster than allowed
  effort_limit,  // a drive needs more than allowed
  face,          // another face of a guide's pair is loaded
  rest,          // all guides stand still
  breakaway,     // and move again
  pull,          // a one-sided constraint begins to pull, where contacts are only judged
  jam,           // an impact without collision ends a slide (Painlevé)
  requirement,   // an output begins to violate its `require`
  singular,      // constraints lose rank
  accumulation,  // changes come ever faster; an interval is crossed by implicit steps
};
inline constexpr int kEventKinds = static_cast<int>(EventKind::accumulation) + 1;

// The lists of a Model that an index of ElementId points into.
enum class ElementKind : std::uint8_t {
  model,        // the model as a whole; without an index
  event,        // Model::events()
  contact,      // Model::contacts()
  joint_limit,  // Model::joint_limits()
  string,       // Model::strings()
  grip,         // Model::grips()
  guide_pair,   // Model::face_pairs()
  requirement,  // Model::outputs().requirements
};
inline constexpr int kElementKinds = static_cast<int>(ElementKind::requirement) + 1;

// An element of a model. Names are for readers; this is what programs compare.
struct ElementId {
  ElementKind kind = ElementKind::model;
  int index = -1;

  auto operator<=>(const ElementId&) const = default;
};

// Something that happened along a motion.
struct Occurrence {
  EventKind kind = EventKind::model_event;
  ElementId element{};
  std::string subject{};  // the name of the element
  double t = 0;
  int direction = 0;                     // of the event's function: +1 rising, -1 falling, 0 touching
  std::optional<int> face{};             // of a guide's pair, the new one; 0: unloaded
  std::vector<double> rest_direction{};  // of a rest: v/|v| at last; of a breakaway: the first one
  // Of an impact: impulses of the constraints of its element, and the energy they dissipated [J]. The first event of an instant
  // also has those of constraints without an event. The sum over the events of an instant is that of the impact.
  struct Impulse {
    std::string row;
    double impulse = 0;  // [N*s], or [N*m*s] of a constraint that turns
  };
  std::vector<Impulse> impulses{};
  std::optional<double> energy_lost{};

  // "slip:foot"; of an event of the model file its own name; "face", "rest", "breakaway", "singular" alone.
  std::string name() const;
};

}  // namespace vinculum
