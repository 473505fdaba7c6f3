// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

// Does anything act on the links: `body:` and `between:` forces, wrenches from outside.
bool has_loads(const Model& model, const Workspace::Memory& memory);

// The wrenches of all of them, or null where there are none. Expects the places in memory.motions; leaves
// memory.world, too.
const Wrench* compute_loads_on_links(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                                     Workspace::Memory& memory);

// The generalised forces of `joint:` laws and of what is applied from outside, into memory.tau.
void compute_joint_laws(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                        Workspace::Memory& memory);

// law'' of the driven coordinates, into memory.vdot.
void compute_driven_accelerations(const Model& model, double t, Workspace::Memory& memory);

// What the given forces do to the energy.
struct LoadEnergy {
  double potential = 0;  // of springs, of joint laws in their own coordinate, of constant world forces
  double size = 0;       // its terms, each without its sign
  double power = 0;      // of everything else: dampers, laws of time and velocity, follower forces, moving ends of springs
};
LoadEnergy compute_load_energy(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                               Workspace::Memory& memory);

// E' = power of all that has no potential. For integrators: nothing is allocated from the second call on.
//
// Of the given forces: call right after what computed them, with the same state; or after see_surroundings.
void see_surroundings(const Model& model, double t, std::span<const double> q, std::span<const double> v, Workspace& workspace);
double compute_load_power(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                          Workspace& workspace);

// Of the drives of `motions`: call right after compute_accelerations.
double compute_drive_power(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                           Workspace& workspace);

// The given forces of a model at a state, each by itself.
struct AppliedForces {
  std::vector<double> joints;      // of all laws on velocities together, one a velocity
  std::vector<Wrench> wrenches_W;  // of each force that is drawn by arrows: the force at its point, the torque; world axes
  std::vector<double> pulls;       // of each force along a line: positive pulls its ends together [N]
};
AppliedForces compute_applied_forces(const Model& model, const State& state, Workspace& workspace);

// Of the passive `joint:` laws together, one a velocity.
std::vector<double> compute_passive_forces(const Model& model, const State& state);

// Elements that can change the energy: "force 'damper'", "motion of 'cart'"; empty if it is conserved.
std::vector<std::string> non_conservative_elements(const Model& model);

}  // namespace vinculum
