// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/import/urdf_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

// All of the text as finite numbers between white space, as many as asked for.
bool parse_numbers(std::string_view text, std::span<double> numbers) {
  constexpr std::string_view kWhite = " \t\r\n";
  for (double& number : numbers) {
    text.remove_prefix(std::min(text.find_first_not_of(kWhite), text.size()));
    std::string_view word = text.substr(0, text.find_first_of(kWhite));
    text.remove_prefix(word.size());
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(number)) return false;
  }
  return text.find_first_not_of(kWhite) == std::string_view::npos;
}

}  // namespace

XmlElement* UrdfValues::required(XmlElement& element, const char* child) const {
  XmlElement* const found = element.take(child);
  if (found == nullptr) missing(element, fmt::format("<{}>", child));
  return found;
}

bool UrdfValues::numbers(XmlElement& element, const char* attribute, std::span<double> values) const {
  const auto text = element.take_attribute(attribute);
  if (!text) return false;
  if (!parse_numbers(*text, values)) {
    const std::string expected = values.size() == 1 ? "a number" : fmt::format("{} numbers", values.size());
    bad(element, fmt::format("{} of <{}> is '{}' and must be {}", attribute, element.name, *text, expected),
        text->find("${") != std::string::npos ? "this is a macro: run xacro first" : "");
  }
  return true;
}

std::string UrdfValues::word(XmlElement& element, const char* attribute) const {
  const auto text = element.take_attribute(attribute);
  if (!text) missing(element, attribute);
  return text.value_or("");
}

double UrdfValues::number(XmlElement& element, const char* attribute, std::optional<double> if_absent) const {
  double value = if_absent.value_or(0);
  if (!numbers(element, attribute, {&value, 1}) && !if_absent) missing(element, attribute);
  return value;
}

Vector3 UrdfValues::vector(XmlElement& element, const char* attribute, std::optional<Vector3> if_absent) const {
  const Vector3 start = if_absent.value_or(Vector3{});
  double values[] = {start.x, start.y, start.z};
  if (!numbers(element, attribute, values) && !if_absent) missing(element, attribute);
  return {values[0], values[1], values[2]};
}

UrdfPose UrdfValues::origin(XmlElement& element) const {
  XmlElement* const origin = element.take("origin");
  if (origin == nullptr) return {};
  const Vector3 rpy = vector(*origin, "rpy", Vector3{});
  UrdfPose pose{vector(*origin, "xyz", Vector3{}), rotation_from_rpy(rpy.x, rpy.y, rpy.z)};
  if (double q[4] = {0, 0, 0, 1}; numbers(*origin, "quat_xyzw", q)) {
    const Quaternion quaternion{q[3], q[0], q[1], q[2]};
    if (norm(quaternion) > 0) {
      pose.rotation = to_rotation(quaternion);
    } else {
      bad(*origin, "its quaternion is zero");
    }
  }
  return pose;
}

void UrdfValues::bad(const XmlElement& element, std::string message, std::string hint) const {
  diagnostics_.error("VN-URDF-011", element.place, owner_, std::move(message), std::move(hint));
}

void UrdfValues::missing(const XmlElement& element, const std::string& what) const {
  diagnostics_.error("VN-URDF-005", element.place, owner_, fmt::format("<{}> has no {}", element.name, what));
}

}  // namespace vinculum
