// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace vinculum {

// The values of some quantities along a step, each by its number; NaN where one has none. Who reads the same time again gets the
// same bits.
class StepValues {
 public:
  virtual ~StepValues() = default;
  virtual double read(int number, double t) = 0;
  // It costs a solution of the equations of motion.
  virtual bool is_dear(int /*number*/) const { return false; }
  // Ends of the pieces of the step, in its direction. In each piece the ends and the
  // middle describe the laws of the motion; none: that is so for the whole step.
  virtual std::span<const double> pieces() { return {}; }
  // What they may still do unseen between the ends and the middle of such a piece, beside what is seen there.
  virtual double unseen(double /*t0*/, double /*t1*/) { return 0; }
  // What of a value is noise: nothing is looked for below it.
  virtual double noise(int /*number*/) const { return 0; }
  // How far a value may be off: by its rounding, and by the errors of the run.
  virtual double round_off(int /*number*/, double /*value*/) const { return 0; }
  virtual double error(int /*number*/, double /*value*/) const { return 0; }
};

}  // namespace vinculum
