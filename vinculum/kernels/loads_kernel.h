// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/body_force_kernel.h"
#include "vinculum/kernels/joint_force_kernel.h"
#include "vinculum/kernels/point_to_point_force_kernel.h"
#include "vinculum/kernels/spring_force_kernel.h"

// The given forces of a model at a state, on any scalar: the one place where the kernels name the kinds of forces. Each kind has
// a header with add_to_links and add_power; a kind without them does not compile here.
namespace vinculum {

template <class S>
VINCULUM_INLINE void move_environment(const Model& model, const S& t, std::span<S> scratch, EnvironmentMotionOf<S>* environment) {
  if (!model.forces().see_environment()) return;
  for (const EnvironmentBody& body : model.environment()) *environment++ = move_environment_body<S>(body, t, scratch);
}

template <class Law, class S>
VINCULUM_INLINE void add_kind_to_links(const ForceView<S>& view, WrenchOf<S>* loads) {
  for (const Law& law : view.model.forces().template of<Law>()) add_to_links(law, view, loads);
}
template <class... Kinds, class S>
VINCULUM_INLINE void add_kinds_to_links(const ForceLawsOf<Kinds...>&, const ForceView<S>& view, WrenchOf<S>* loads) {
  (add_kind_to_links<Kinds>(view, loads), ...);
}

// Wrenches of all forces on links.
template <class S>
VINCULUM_INLINE void load_links(const Model& model, const BindingsOf<S>& bindings, const Surroundings<S>& at,
                                std::span<S> scratch, WrenchOf<S>* loads) {
  const int count = static_cast<int>(model.tree().links.size());
  for (int i = 0; i < count; ++i) loads[i] = {};
  add_kinds_to_links(model.forces(), ForceView<S>{model, bindings, at, scratch}, loads);
}

// Generalised forces of the laws on velocities.
template <class S>
VINCULUM_INLINE void apply_joint_laws(const Model& model, const BindingsOf<S>& bindings, std::span<S> scratch, S* tau) {
  const double* constant = model.constant_forces().data();
  for (int i = 0; i < model.tree().velocities; ++i) tau[i] = lift<S>(constant[i]);
  for (const int index : model.varying_forces())
    add_to_velocities(model.forces().of<JointForceLaw>()[index], bindings, scratch, tau);
}

template <class Law, class S>
VINCULUM_INLINE void add_power_of_kind(const ForceView<S>& view, S& power) {
  for (const Law& law : view.model.forces().template of<Law>()) add_power(law, view, power);
}
template <class... Kinds, class S>
VINCULUM_INLINE void add_power_of_kinds(const ForceLawsOf<Kinds...>&, const ForceView<S>& view, S& power) {
  (add_power_of_kind<Kinds>(view, power), ...);
}

// Power of the given forces beyond what the potentials take: laws of time and velocity, follower forces, dampers, ends moved from
// outside.
template <class S>
VINCULUM_INLINE S load_power(const Model& model, const BindingsOf<S>& bindings, const Surroundings<S>& at, std::span<S> scratch) {
  S power = lift<S>(0);
  add_power_of_kinds(model.forces(), ForceView<S>{model, bindings, at, scratch}, power);
  return power;
}

}  // namespace vinculum
