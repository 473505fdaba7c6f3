// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/expression/evaluate.h"
#include "vinculum/model/model.h"

namespace vinculum {

class Names;

// Compiles the forces of a model from their description; names that cannot be resolved are reported.
ForceLaws compile_forces(const Model& model, const ModelDescription& words, const Names& names, Diagnostics& diagnostics);

// Of the laws on velocities: the sum of those that are constant, one a velocity, and the others by number.
void sort_velocity_forces(const ForceLaws& forces, int velocities, std::vector<double>& constant, std::vector<int>& varying);

// What of them depends on the start of the model.
void begin_forces(ForceLaws& forces, const State& start);

// A quantity of a force that outputs may name: NAME.word.
struct ForceOutput {
  std::string_view word;
  std::optional<Dimension> dimension;  // none: that of a generalised force on `joint`
  bool is_force = false;               // `simulate --output` writes it out where forces are asked for
  std::string_view joint{};
};
std::vector<ForceOutput> list_outputs(const ForceDescription& force);

// How large a force is at the start, for the scales of the model.
struct ForceSizes {
  std::vector<Anchor> ends;  // where it acts
  double length = 0;         // at rest
  double stiffness = 0;      // [N/m]
  int velocity = -1;         // on which it acts;
  double generalised = 0;    // then the force on it, otherwise
  Vector3 force, torque;     // whatever their direction
};
ForceSizes find_sizes(const JointForceLaw& law, const Bindings& start);
ForceSizes find_sizes(const BodyForceLaw& law, const Bindings& start);
ForceSizes find_sizes(const SpringLaw& law, const Bindings& start);
ForceSizes find_sizes(const PointToPointLaw& law, const Bindings& start);

// ---- forces as words, for programs that change a model -------------------------------------------------------------------

// The stiffness in which a force is linear beside gravity; null: it has none.
double* find_stiffness(ForceDescription& force);
inline const double* find_stiffness(const ForceDescription& force) {
  return find_stiffness(const_cast<ForceDescription&>(force));
}
// That stiffness alone, without a damper: 1 N/m.
ForceDescription with_unit_stiffness(ForceDescription force);
// Makes it a constant force of this direction in world axes, without a torque; false: it has no direction to turn.
bool set_direction(ForceDescription& force, const Vector3& direction);

}  // namespace vinculum
