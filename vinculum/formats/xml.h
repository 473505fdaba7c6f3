// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

struct XmlAttribute {
  std::string name;
  std::string value;
  bool taken = false;
};

// An element of an XML document that remembers what of it has been asked for: what nobody took is what a conversion loses.
struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  // its own characters, without white space
  Place place;
  bool taken = false;

  // The first child of that name not taken yet, or nullptr.
  XmlElement* find(std::string_view child);
  XmlElement* take(std::string_view child);
  // The value of an attribute, if it is there.
  std::optional<std::string> attribute(std::string_view name) const;
  std::optional<std::string> take_attribute(std::string_view name);
};

struct XmlError {
  Place place;
  std::string message;
};

// The root element of a well-formed document. Nesting deeper than 200 is refused.
std::variant<XmlElement, XmlError> parse_xml(std::string_view document);

}  // namespace vinculum
