// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/kernels/frame_motion.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

// Of every body, in the order of the model. Cost O(n).
std::vector<BodyMotion> compute_body_motions(const Model& model, const State& state, Workspace& workspace);

// The same into memory that is there, one for each body.
void compute_body_motions(const Model& model, std::span<const double> q, std::span<const double> v, std::span<BodyMotion> motions,
                          Workspace& workspace);

// Of every link of the tree, with accelerations as there are without v'. `scratch` is grown once.
void compute_frame_motions(const Model& model, std::span<const double> q, std::span<const double> v, std::span<FrameMotion> links,
                           std::vector<double>& scratch);

// q' = N(q) v: rates of coordinates; quaternions by Q' = ½ Q ∘ (0, w). Those that move no body have none here.
void compute_coordinate_rates(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> rates);

// The rates of those: Model::extra_states(), by their laws, into their places.
void compute_extra_rates(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                         std::span<double> rates, std::vector<double>& scratch);

}  // namespace vinculum
