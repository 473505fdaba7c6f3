// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// What a contact has been asked for, and whether it touches where it is taken to touch.
struct ContactWatch {
  static constexpr double kNever = std::numeric_limits<double>::max();

  double lowest_normal = kNever;  // [N]
  double lowest_t = 0;
  double first_pull = kNever;     // [s]
  double first_release = kNever;  // [s] if it may let go
  double largest_demand = 0;      // |tangential| / normal
  double demand_t = 0;
  double first_slip = kNever;  // [s]
  double deepest = -kNever;    // [m] how far the surface reaches into the body; -kNever: not looked at
  double deepest_t = 0;
  double first_inside = kNever;  // [s]
  int undetermined = 0;          // rows whose multiplier was not determined at some time: bit a for axis a

  // All of it as numbers, for a checkpoint.
  static constexpr int kNumbers = 11;
  std::array<double, kNumbers> numbers() const;
  static ContactWatch from_numbers(std::span<const double, kNumbers> numbers);
};

// Is the force of a contact determined if these of its rows are not?
bool is_force_determined(const Contact& contact, int undetermined);

// One look at the contacts that can only push: point, wheel and sphere with a forbidden normal.
void watch_contacts(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, double t,
                    std::vector<ContactWatch>& watches, bool forward = true);

// Watches these contacts along a run. Every solution that the search for events asks for is a look, eight a step or more, so that
// what is written out has no part in a verdict. A look counts once it is known that the motion came so far. The guard
//
//   friction N - |T|
//
// of a contact with `friction` falls through zero where it would begin to slip: its zeros are located like those of events.
class ContactWatcher {
 public:
  explicit ContactWatcher(const ConstraintSet& constraints);

  // Guards: one for each contact with friction.
  int count() const { return static_cast<int>(gripping_.size()); }

  // The guards at a solution, which is also a look.
  void evaluate(const ConstrainedDynamics& dynamics, double t, std::span<double> guards);

  // Guard k has fallen at t.
  void note_slip(int k, double t, bool forward, std::vector<ContactWatch>& watches) const;

  // The motion went from `begin` to `end`: looks there are counted, the others forgotten. Where a largest demand or a smallest
  // normal force lies between three looks, look_at(t) is asked for more.
  void count_looks(double begin, double end, const std::function<void(double)>& look_at, std::vector<ContactWatch>& watches);

 private:
  struct Look {
    double t = 0;
    double round_off = 0;         // of a force
    std::vector<Vector3> forces;  // of each contact, its axes
    std::vector<int> undetermined;
  };
  void add_to_watch(const Look& look, bool forward, std::vector<ContactWatch>& watches) const;
  void find_peaks(double begin, double end, const std::function<void(double)>& look_at, const std::vector<ContactWatch>& watches);
  template <class Value>
  void find_peak(double begin, double end, double known, const Value& value, const std::function<void(double)>& look_at);
  void sort_looks(double begin, double end);
  static Look make_look(const ConstraintSet& constraints, const ConstrainedDynamics& dynamics, double t);

  friend void watch_contacts(const ConstraintSet&, const ConstrainedDynamics&, double, std::vector<ContactWatch>&, bool);

  const ConstraintSet& constraints_;
  std::vector<int> gripping_;
  std::vector<Look> looks_;
};

}  // namespace vinculum
