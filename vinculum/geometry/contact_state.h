// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>

#include "vinculum/kernels/environment.h"
#include "vinculum/kernels/frame_motion.h"
#include "vinculum/model/contact.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// A contact at a state. Of each of its six axes, forbidden or not: the relative rate Y = D_kᵀ V_k - F_k, as a wrench that would
// do the power Y at unit strength (world axes, about the body origin), the part F of given motions, and what is left of -Y'
// without accelerations.                                                                                 theory 1, sections 4-7
struct ContactState {
  Vector3 point_W;            // P
  Vector3 pole_W;             // of the body
  Matrix3 E_W = kIdentity3;   // normal, lateral, forward
  Matrix3 R_WB = kIdentity3;  // the body's axes
  Vector3 angles;             // yaw, pitch, roll of the body's side in the contact frame; frames only
  std::array<Wrench, 6> axes;
  std::array<double, 6> rate{};   // Y
  std::array<double, 6> given{};  // F
  std::array<double, 6> gamma{};
  std::array<std::optional<double>, 6> gap;  // where the axis has one
  // Spheres and wheels on a curved surface, in its axes: the point of the body and the one of the surface, over (x, y); and the
  // next near place, if one is within a hundredth of the radius (near_places.h).
  Vector3 point_C, foot_C;
  std::optional<double> beside;  // [m] its gap
  Vector3 beside_W;
};

// What is asked for. `with_angular`: also axes 4 to 6 (those of a rolling contact are costly). `touches`: the contact is there,
// at the place where it touches; else it is at its nearest one.
struct ContactQuery {
  bool with_angular = false, touches = true;
};

// `links` is the motion of the tree.
//
// Failures name contact, body and axis: VN-CONTACT-001 no trihedron, -002 singular angles, -003 search without end,
// -004 several contacts, -005 path at rest.
Outcome<ContactState> compute_contact_state(const Model& model, const Contact& contact, double t,
                                            std::span<const FrameMotion> links, ContactQuery query);

// The same into memory that is there, with the motion of all environment bodies at t.
std::optional<Failure> compute_contact_state(const Model& model, const Contact& contact, double t,
                                             std::span<const FrameMotion> links, std::span<const EnvironmentMotion> environment,
                                             ContactQuery query, ContactState& state);

// A contact that is apart: its gap, and nothing else. It is that of the lowest point of the whole rim or sphere above the
// surface, to first order at the surface its distance, and very large where the surface has no value below it.
ContactState compute_distant_state(const Model& model, const Contact& contact, double t, std::span<const FrameMotion> links);

// The motion of the contact's body as seen from what it stands on. Failure VN-CONTACT-005.
Outcome<FrameMotion> compute_relative_motion(const Model& model, const Contact& contact, double t,
                                             std::span<const FrameMotion> links);

}  // namespace vinculum
