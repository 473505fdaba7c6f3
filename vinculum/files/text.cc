// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/text.h"

namespace vinculum {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

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
    shown += is_control(character[0]) || character_length(character) == 0 ? std::string_view("?") : character;
    text.remove_prefix(character.size());
  }
  return shown + (text.empty() ? "'" : "..'");
}

std::string_view first_character(std::string_view text) {
  if (text.empty()) return text;
  const size_t length = character_length(text);
  return text.substr(0, length == 0 ? 1 : length);
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
