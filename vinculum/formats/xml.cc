// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/xml.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>

#include <expat.h>

namespace vinculum {

XmlElement* XmlElement::find(std::string_view child) {
  const auto found = std::find_if(children.begin(), children.end(), [&](const auto& c) { return !c.taken && c.name == child; });
  return found != children.end() ? &*found : nullptr;
}

XmlElement* XmlElement::take(std::string_view child) {
  XmlElement* const found = find(child);
  if (found != nullptr) found->taken = true;
  return found;
}

std::optional<std::string> XmlElement::attribute(std::string_view wanted) const {
  for (const XmlAttribute& a : attributes) {
    if (a.name == wanted) return a.value;
  }
  return std::nullopt;
}

std::optional<std::string> XmlElement::take_attribute(std::string_view wanted) {
  for (XmlAttribute& a : attributes) a.taken = a.taken || a.name == wanted;
  return attribute(wanted);
}

namespace {

constexpr size_t kDeepestElement = 200;

// The elements open at the moment, outermost first; the document itself stands below the root.
struct Growth {
  XML_Parser parser;
  std::vector<XmlElement> open{1};
};

Place current_place(XML_Parser parser) {
  return {static_cast<int>(XML_GetCurrentLineNumber(parser)), static_cast<int>(XML_GetCurrentColumnNumber(parser)) + 1};
}

void XMLCALL start_element(void* user, const char* name, const char** attributes) {
  Growth& growth = *static_cast<Growth*>(user);
  if (growth.open.size() > kDeepestElement) {
    XML_StopParser(growth.parser, XML_FALSE);
    return;
  }
  XmlElement& element = growth.open.emplace_back();
  element.name = name;
  element.place = current_place(growth.parser);
  for (; *attributes != nullptr; attributes += 2) element.attributes.push_back({attributes[0], attributes[1]});
}

void XMLCALL end_element(void* user, const char*) {
  Growth& growth = *static_cast<Growth*>(user);
  XmlElement element = std::move(growth.open.back());
  growth.open.pop_back();
  growth.open.back().children.push_back(std::move(element));
}

void XMLCALL characters(void* user, const char* text, int length) {
  std::string& own = static_cast<Growth*>(user)->open.back().text;
  const auto is_ink = [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; };
  std::copy_if(text, text + length, std::back_inserter(own), is_ink);
}

}  // namespace

std::variant<XmlElement, XmlError> parse_xml(std::string_view document) {
  if (document.size() > static_cast<size_t>(std::numeric_limits<int>::max())) return XmlError{{}, "the document is above 2 GB"};
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  Growth growth{parser.get()};
  XML_SetUserData(parser.get(), &growth);
  XML_SetElementHandler(parser.get(), start_element, end_element);
  XML_SetCharacterDataHandler(parser.get(), characters);

  if (XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), XML_TRUE) == XML_STATUS_OK) {
    return std::move(growth.open.front().children.front());
  }
  const XML_Error error = XML_GetErrorCode(parser.get());
  const Place place = current_place(parser.get());
  if (error == XML_ERROR_ABORTED) return XmlError{place, "elements are nested deeper than 200"};
  return XmlError{place, XML_ErrorString(error)};
}

}  // namespace vinculum
