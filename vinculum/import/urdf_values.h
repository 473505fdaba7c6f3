// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "vinculum/formats/xml.h"
#include "vinculum/math/rotation.h"

namespace vinculum {

struct UrdfPose {
  Vector3 position;
  Matrix3 rotation = kIdentity3;
};

// Takes values out of the elements of one link or joint, and tells in its name what is wrong with them.
class UrdfValues {
 public:
  UrdfValues(std::string owner, Diagnostics& diagnostics) : owner_(std::move(owner)), diagnostics_(diagnostics) {}

  const std::string& owner() const { return owner_; }

  // The child, or nullptr, and told.
  XmlElement* required(XmlElement& element, const char* child) const;

  // False if the attribute is not there.
  bool numbers(XmlElement& element, const char* attribute, std::span<double> values) const;

  std::string word(XmlElement& element, const char* attribute) const;

  // Required where nothing is given for its absence.
  double number(XmlElement& element, const char* attribute, std::optional<double> if_absent = {}) const;
  Vector3 vector(XmlElement& element, const char* attribute, std::optional<Vector3> if_absent = {}) const;

  // <origin xyz rpy/> of an element: its frame in the one around it. Newer files may write quat_xyzw instead of rpy.
  UrdfPose origin(XmlElement& element) const;

 private:
  void bad(const XmlElement& element, std::string message, std::string hint = {}) const;
  void missing(const XmlElement& element, const std::string& what) const;

  std::string owner_;
  Diagnostics& diagnostics_;
};

}  // namespace vinculum
