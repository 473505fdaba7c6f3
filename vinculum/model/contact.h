// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vinculum/model/anchor.h"
#include "vinculum/model/description.h"
#include "vinculum/model/tree.h"

namespace vinculum {

class Model;

// A height z = f(x, y) over its own frame with the exact derivatives a contact search needs; outward normal towards +z.
struct SurfaceLaw {
  Expression f, f_x, f_y, f_xx, f_xy, f_yy;
  bool is_plane = true;  // z = 0
  // Bounds of |∇f| and of the second derivatives (the norm of their matrix) everywhere; infinite if none are known.
  double slope = 0, bend = 0;
};

// A path on a surface, for a guided frame.
struct PathLaw {
  Expression x, y, x_rate, y_rate;
};

// A contact of the model, its names resolved and its laws differentiated: once, then constant.
struct Contact {
  std::string name;
  int body = 0;
  Anchor with;                 // the carrier: a body, an environment body, or the world
  int link = 0;                // of the body
  int carrier_link = kGround;  // of the other body, if the carrier is one
  ContactGeometry geometry;
  std::vector<ContactAxis> forbid;
  Vector3 heading{1, 0, 0};
  bool heading_in_body = false;
  bool angular_as_vector = false;
  SurfaceLaw surface;
  std::optional<PathLaw> path;
  std::map<ContactAxis, ContactLaw> laws;  // on allowed axes
  std::optional<SlidingFriction> sliding_friction;
  std::optional<double> friction;  // limit of the verdict on forbidden tangential axes
  ImpactLaw restitution;
  int mode = -1;  // index into Model::modes(); -1: it always holds

  bool is_frame() const {
    return std::visit([](const auto& kind) { return kind.kIsFrame; }, geometry);
  }
  bool is_round() const {
    return std::visit([](const auto& kind) { return kind.kIsRound; }, geometry);
  }
  // Its normal pushes and does not pull, whether it is carried by a constraint or by a law.
  bool can_lift_off() const { return !is_frame() && (forbids(ContactAxis::normal) || is_pressed_by_law()); }
  bool is_pressed_by_law() const { return !is_frame() && laws.count(ContactAxis::normal) > 0; }
  bool forbids(ContactAxis axis) const;
  bool rubs(ContactAxis axis) const;  // sliding friction acts along it
  bool has_law(ContactAxis axis) const { return rubs(axis) || laws.count(axis) > 0; }
  std::string row_name(ContactAxis axis) const;  // foot.normal
};

// normal, lateral, forward, yaw, pitch, roll
inline constexpr ContactAxis kContactAxes[] = {ContactAxis::normal, ContactAxis::lateral, ContactAxis::forward,
                                               ContactAxis::yaw,    ContactAxis::pitch,   ContactAxis::roll};
std::string_view axis_name(ContactAxis axis);
inline bool is_angular(ContactAxis axis) { return axis >= ContactAxis::yaw; }

// True if a given law moves an end of a string; what a contact stands on; and if its forces can do work no potential remembers.
bool is_moved_by_law(const Model& model, const Anchor& end);
bool is_moved_by_law(const Model& model, const Contact& contact);
bool does_work(const Model& model, const Contact& contact);

Contact compile_contact(const Model& model, const ContactDescription& words);

}  // namespace vinculum
