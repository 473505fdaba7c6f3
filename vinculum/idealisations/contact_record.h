// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/model/contact.h"
#include "vinculum/stepping/first_time.h"
#include "vinculum/stepping/looks.h"

namespace vinculum {

// What a contact has been asked for, and whether it touches where it is taken to touch.
struct ContactWatch {
  std::optional<double> lowest_normal;  // [N]; none: it did not touch
  double lowest_t = 0;
  FirstTime first_pull;
  FirstTime first_release;        // if it may let go
  std::optional<double> deepest;  // [m] how far the surface reaches into the body; none: not looked at
  double deepest_t = 0;
  FirstTime first_inside;
  double most_friction = 0;  // needed, tangential / normal reaction; kNothingPresses (friction_demand.h) where nothing presses
  double most_friction_t = 0;
  int undetermined = 0;  // rows whose multiplier was not determined at some time: bit a for axis a
  bool shares = false;   // its normal was that of equally stiff supports (normal_self_stress.h)
  bool is_open = false;  // whether the surface came near elsewhere was not decided in some step

  // All of it as numbers, for a checkpoint.
  static constexpr size_t kNumbers = 2 * kNumbersOfOptional + 3 * FirstTime::kNumbers + 7;
  void add_to(std::vector<double>& numbers) const;
  static ContactWatch from_numbers(std::span<const double, kNumbers> numbers);
};

// Is the multiplier of this row determined? One that no joint feels carries nothing, as the lateral row of a mechanism in a
// plane; but what a normal carries that no joint feels nobody knows.
bool is_determined(const ConstraintSet& set, const ConstrainedDynamics& dynamics, size_t row);

// Is the force of a contact determined if these of its rows are not?
bool is_force_determined(const Contact& contact, int undetermined);

}  // namespace vinculum
