// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/geometry/swept_shape.h"
#include "vinculum/idealisations/contact_record.h"
#include "vinculum/math/interval.h"

namespace vinculum {

// Watches contacts on curved surfaces along the steps of a run. Between two looks a ridge may come and go, however narrow: so a
// step is searched with proof (near_places.h). While a contact goes straight on, up to a doubt, either the whole of it stays
// clear of the surface, or all of it but the surroundings of its nearest place, where there is no other one; the gap there is a
// smooth function of time, which the guards of the run follow. Where neither can be shown, the way is halved.     theory 6,
// section 3.5
//
// From one such part of the way to the next the nearest place may jump, and the gap then has a kink: a guard that is read at the
// ends and in the middle of a long step may pass from the ground before a ridge to that behind it. So the ends of the parts are
// ends of the pieces in which the guards are read.
class SurfaceWatcher {
 public:
  explicit SurfaceWatcher(const ConstraintSet& constraints);

  using StateAt = std::function<State(double)>;

  // Spheres and wheels on curved surfaces: they have the verdict `contact`.
  bool has_contacts() const { return !round_.empty(); }
  const std::vector<int>& round_contacts() const { return round_; }

  // Times between `begin` and `end` where the guards of the run must be looked at: of each contact the first at which a part of a
  // surface is inside, where it was clear before; and of those that are apart the ends of the parts of the way on which the
  // nearest place is followed.
  void list_meetings(double begin, double end, const StateAt& state_at, std::vector<double>& times);

  // Records how far the surface reaches into what touches it, at the end of a step and, unless the run follows it, on the way.
  void look(double begin, double end, const StateAt& state_at, bool followed, std::vector<ContactWatch>& watches);

  // A depth up to this is an error of the motion.
  static double allowed_depth(const Contact& contact) { return 1e-6 * radius_of(contact); }

 private:
  // A contact at a time: its shape, and where it is nearest.
  struct Place {
    SweptShape shape;
    Vector3 point, foot;  // in the axes of the surface
    bool has_place = false;
    double gap = 0;
    double clear = 0;  // [m] of a sphere: nothing is nearer
    double depth = 0;  // [m] of the surface at another place
  };
  struct Search {
    int contact = 0;
    const StateAt& state_at;
    int left = 0;  // parts of the step that may still be looked at
    bool is_open = false;
    std::vector<double> followed = {};  // ends of the parts of the way on which the nearest place is followed
  };
  Place place_at(int contact, const State& state);
  bool needs_search(int contact, const Place& begin, const Place& end) const;
  std::optional<double> find_meeting(Search& search, double begin, double end);
  std::optional<double> find_first(Search& search, double begin, double end, const Place& from, const Place& to, int halvings);

  const ConstraintSet& constraints_;
  std::vector<int> curved_, round_;
  std::vector<bool> open_;  // of each contact: a step while it was apart could not be searched to its end
  std::vector<FrameMotion> links_;
  std::vector<double> scratch_;
};

}  // namespace vinculum
