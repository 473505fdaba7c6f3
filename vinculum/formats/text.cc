// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/formats/text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/core.h>

namespace vinculum {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// The number of a character in Unicode; its bytes are known to be good.
std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  std::uint32_t code = byte(0) & (0xFFu >> (character.size() + 1));
  for (size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3F);
  return code;
}

// As in the strings of C and JSON.
std::string escaped(std::string_view character) {
  if (character == "\n") return "\\n";
  if (character == "\r") return "\\r";
  if (character == "\t") return "\\t";
  if (character.size() == 1) return fmt::format("\\x{:02X}", static_cast<unsigned char>(character[0]));
  const std::uint32_t code = code_point(character);
  return code > 0xFFFF ? fmt::format("\\U{:08X}", code) : fmt::format("\\u{:04X}", code);
}

// Bytes of the character that begins a text; 0 if there is none in UTF-8 (overlong forms, surrogates and what is beyond Unicode
// count).
size_t character_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto continues = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return false;
    }
    return true;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1, 2) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool excluded = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F);
    return !excluded && continues(1, 3) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool excluded = (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
    return !excluded && continues(1, 4) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string shown = "'";
  while (!text.empty() && shown.size() < kLongest) {
    const std::string_view character = first_character(text);
    shown += visible(character);
    text.remove_prefix(character.size());
  }
  return shown + (text.empty() ? "'" : "..'");
}

std::string visible(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    shown += character_length(character) == 0 || is_invisible(character) ? escaped(character) : std::string(character);
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string_view first_character(std::string_view text) {
  if (text.empty()) return text;
  const size_t length = character_length(text);
  return text.substr(0, length == 0 ? 1 : length);
}

bool is_invisible(std::string_view character) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kRanges[] = {
      {0x0000, 0x001F},    // control characters, line ends among them
      {0x007F, 0x009F},    // more of them
      {0x00AD, 0x00AD},    // soft hyphen
      {0x061C, 0x061C},    // Arabic letter mark
      {0x180E, 0x180E},    // Mongolian vowel separator
      {0x200B, 0x200F},    // zero width, marks of direction
      {0x2028, 0x202E},    // line and paragraph separators, embedding and override of direction
      {0x2060, 0x206F},    // word joiner, invisible operators, isolates of direction
      {0xFEFF, 0xFEFF},    // byte order mark
      {0xFFF9, 0xFFFB},    // interlinear annotation
      {0xE0000, 0xE007F},  // tags
  };
  const std::uint32_t code = code_point(character);
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [&](const auto& range) { return code >= range.first && code <= range.second; });
}

std::string_view find_invisible(std::string_view text) {
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    if (character_length(character) == 0 || is_invisible(character)) return character;
    text.remove_prefix(character.size());
  }
  return {};
}

size_t find_non_text(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (is_control(c) && c != '\n' && c != '\t' && c != '\r') return i;
    const size_t length = character_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace vinculum
