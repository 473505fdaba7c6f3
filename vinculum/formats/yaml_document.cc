// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/yaml_document.h"

#include <algorithm>

namespace vinculum {

namespace {

constexpr size_t kStride = 64;

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::uint32_t count_characters(std::string_view text) {
  return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// Bytes of the escape sequence that begins with the backslash at `at`.
size_t escape_length(std::string_view text, size_t at) {
  if (at + 1 >= text.size()) return 1;
  switch (text[at + 1]) {
    case 'x': return 4;
    case 'u': return 6;
    case 'U': return 10;
    default: return 2;
  }
}

// Where byte `offset` of a scalar's value stands in the text, given that the scalar (with its anchor) begins at `at`: the value
// and its spelling are walked side by side.
size_t find_in_spelling(std::string_view text, size_t at, std::string_view value, size_t offset) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    while (at < text.size() && !is_blank(text[at])) ++at;
    while (at < text.size() && is_blank(text[at])) ++at;
  }
  if (at >= text.size()) return at;
  const char opening = text[at];
  if (opening == '"' || opening == '\'') ++at;
  if (opening == '|' || opening == '>') at = std::min(text.find('\n', at), text.size());

  size_t done = 0;
  while (done < offset && done < value.size() && at < text.size()) {
    if (opening == '"' && text[at] == '\\') {
      const bool joins_lines = at + 1 < text.size() && (text[at + 1] == '\n' || text[at + 1] == '\r');
      at += escape_length(text, at);
      if (joins_lines) continue;
      do ++done;
      while (done < value.size() && !begins_character(value[done]));
    } else if (text[at] == value[done]) {
      at += opening == '\'' && text[at] == '\'' ? 2 : 1;
      ++done;
    } else if (is_blank(text[at])) {
      ++at;
    } else if (is_blank(value[done])) {
      ++done;
    } else {
      break;
    }
  }
  while (at < text.size() && is_blank(text[at]) && offset < value.size() && !is_blank(value[offset])) ++at;
  return at;
}

}  // namespace

TextPlaces::TextPlaces(std::string_view text) : text_(text) {
  line_starts_.push_back(0);
  for (size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
    line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
  characters_.push_back(0);
  for (size_t i = 0; i + kStride <= text.size(); i += kStride) {
    characters_.push_back(characters_.back() + count_characters(text.substr(i, kStride)));
  }
}

std::uint32_t TextPlaces::characters_before(size_t offset) const {
  const size_t block = offset / kStride;
  return characters_[block] + count_characters(text_.substr(block * kStride, offset % kStride));
}

Place TextPlaces::at(size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) - 1;
  return {static_cast<int>(line - line_starts_.begin()) + 1,
          static_cast<int>(characters_before(offset) - characters_before(*line)) + 1};
}

YamlNode YamlDocument::root() const { return {this, root_, root_, false}; }

std::string_view YamlNode::kind_text() const {
  switch (record().kind) {
    case YamlDocument::Kind::null: return "nothing";
    case YamlDocument::Kind::scalar: return "a single value";
    case YamlDocument::Kind::list: return "a list";
    case YamlDocument::Kind::mapping: break;
  }
  return "a mapping";
}

std::string_view YamlNode::text() const {
  if (!is_scalar()) return {};
  return std::string_view(document_->scalars_).substr(record().first, record().count);
}

int YamlNode::size() const {
  return is_list() ? static_cast<int>(record().count) : is_mapping() ? static_cast<int>(record().count / 2) : 0;
}

YamlNode YamlNode::entry(int i) const {
  if (is_list()) return {document_, document_->children_[record().first + i], key_, false};
  return {document_, document_->children_[record().first + 2 * i + 1], document_->children_[record().first + 2 * i], true};
}

YamlNode YamlNode::key(int i) const {
  const std::uint32_t index = document_->children_[record().first + 2 * i];
  return {document_, index, index, false};
}

YamlNode YamlNode::find(std::string_view key_text) const {
  if (!is_mapping()) return {};
  for (int i = 0; i < size(); ++i) {
    if (key(i).text() == key_text) return entry(i);
  }
  return {};
}

std::string_view YamlNode::label() const {
  return key_ == document_->root_ ? std::string_view() : YamlNode(document_, key_, key_, false).text();
}

Place YamlNode::place(size_t offset) const {
  return document_->places_.at(find_in_spelling(document_->text_, record().offset, text(), offset));
}

}  // namespace vinculum
