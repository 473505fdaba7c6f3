// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/expression/expression.h"
#include "vinculum/expression/units.h"
#include "vinculum/model/anchor.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

class Model;
struct ModelDescription;

// What follows from a motion and may be named in outputs and events: a variable of kind `quantity` is one of these by its index.
struct MotionQuantity {
  enum class Of {
    acceleration,  // index: a velocity
    multiplier,    // index: a constraint
    drive_power,   // index: a constraint of a given motion
    point,         // index: a point of the outputs; component: x y z vx vy vz ax ay az
    output,        // index: a column
    force,         // index: the number of a force (ForceLaws); component: of its list_outputs
  } of = Of::acceleration;
  int index = 0, component = 0;
};

// The words behind the point of a name, by component.
inline constexpr std::string_view kPointWords[] = {"x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"};
inline constexpr std::string_view kPowerWord = ".power";

// A point whose motion is an output: of `point` relative to the world, along the axes of `frame`;
// or relative to `frame`. In that case position, velocity and acceleration are relative to it.
struct OutputPoint {
  Anchor point, frame;
  bool seen_from_frame = false;
};

// One number a moment.
struct OutputColumn {
  std::string name, unit;
  Expression value;  // of t, q, v and quantities
};

// What a column must keep to:  value < bound, or value > bound.
struct Requirement {
  int column = 0;
  bool below = true;
  bool or_equal = false;
  double bound = 0;
};

// All outputs of a model.
struct Outputs {
  std::vector<MotionQuantity> quantities;  // by Variable::index
  std::vector<OutputPoint> points;
  std::vector<OutputColumn> columns;  // in the order of the file
  std::vector<int> order;             // of columns: each after those it is made of
  std::vector<Requirement> requirements;

  bool needs_solution(const Expression& formula) const;  // something in it asks for accelerations or multipliers
};

// From the words of a model all of whose constraints and forces are compiled.
Outputs compile_outputs(const Model& model, const ModelDescription& words, Diagnostics& diagnostics);

// The value of an output at one state, for answers.
struct OutputValue {
  std::string name, unit;
  double value = 0;
};

// An output over a motion: its last value, the smallest and the largest with their times, and over the time of the motion
//
//   mean = 1/T ∫ f dt ,  rms = √( 1/T ∫ f² dt ) .
struct OutputNumbers {
  std::string name, unit;
  double final = 0;
  double min = 0, max = 0, t_min = 0, t_max = 0;
  std::optional<double> mean, rms;  // none where it had no value on the way
};

}  // namespace vinculum
