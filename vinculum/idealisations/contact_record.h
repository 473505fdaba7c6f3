// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/model/contact.h"
#include "vinculum/stepping/looks.h"

namespace vinculum {

// What a contact has been asked for, and whether it touches where it is taken to touch.
struct ContactWatch {
  double lowest_normal = kNever;  // [N]
  double lowest_t = 0;
  double first_pull = kNever;     // [s]
  double first_release = kNever;  // [s] if it may let go
  double deepest = -kNever;       // [m] how far the surface reaches into the body; -kNever: not looked at
  double deepest_t = 0;
  double first_inside = kNever;  // [s]
  double most_friction = 0;      // needed, tangential / normal reaction; kNever: where nothing presses
  double most_friction_t = 0;
  int undetermined = 0;  // rows whose multiplier was not determined at some time: bit a for axis a
  bool shares = false;   // its normal was that of equally stiff supports (normal_self_stress.h)
  bool is_open = false;  // whether the surface came near elsewhere was not decided in some step

  // All of it as numbers, for a checkpoint.
  static constexpr int kNumbers = 12;
  std::array<double, kNumbers> numbers() const;
  static ContactWatch from_numbers(std::span<const double, kNumbers> numbers);
};

// Is the multiplier of this row determined? One that no joint feels carries nothing, as the lateral row of a mechanism in a
// plane; but what a normal carries that no joint feels nobody knows.
bool is_determined(const ConstraintSet& set, const ConstrainedDynamics& dynamics, size_t row);

// Is the force of a contact determined if these of its rows are not?
bool is_force_determined(const Contact& contact, int undetermined);

}  // namespace vinculum
