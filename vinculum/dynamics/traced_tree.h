// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/kernels/environment.h"
#include "vinculum/kernels/kinematics_kernel.h"
#include "vinculum/math/traced.h"

// For rooms that write more about a tree onto its tape.
namespace vinculum {

struct TracedTree {
  Traced t;
  std::span<const Traced> q, v;
  std::span<const LinkInWorld<Traced>> links;
  std::span<const EnvironmentMotionOf<Traced>> environment;
};

// Inputs t, q, v; outputs what `write` returns, then q'.
using WriteRows = std::function<std::vector<Traced>(const TracedTree&)>;
Tape trace_rows(const Model& model, const WriteRows& write);

// Inputs t, q, v, v' and `count` multipliers. Outputs
//   A v' + h - tau less what the multipliers do: nothing, if v' and the multipliers are those of the motion;
//   of each link the wrench through its joint, force and moment, link axes, about the origin;
//   the power of all that has no potential, drives and multipliers not counted.
// `push` adds what the multipliers do: wrenches on links (link axes, about the origin), forces on velocities.
using PushLinks = std::function<void(const TracedTree&, std::span<const Traced> multipliers, std::span<WrenchOf<Traced>> loads,
                                     std::span<Traced> forces)>;
Tape trace_motion(const Model& model, int count, const PushLinks& push);

}  // namespace vinculum
