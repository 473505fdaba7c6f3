// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace vinculum {

// A word of this program: what it means, what else it is called, and in two more languages.
struct GlossaryEntry {
  std::string_view word;
  std::string_view meaning;
  std::string_view also;  // usual terms, joined by commas; may be empty
  std::string_view russian;
  std::string_view german;
};

// In the order of docs/glossary.md, which is printed from it.
std::span<const GlossaryEntry> glossary();

// The entry of a word or of one of its usual terms, small letters or capitals, hyphens or blanks; or nullptr.
const GlossaryEntry* find_in_glossary(std::string_view word);

}  // namespace vinculum
