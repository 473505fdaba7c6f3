// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace vinculum {

// A piece of a file as it may be shown in a message: in quotes, what cannot be seen escaped (\n, \u202E), shortened if it is
// long.
std::string in_quotes(std::string_view text);

// The same without quotes and whole.
std::string visible(std::string_view text);

// The first character of a UTF-8 text, all its bytes.
std::string_view first_character(std::string_view text);

// Characters that leave no mark on a screen, or change how others are shown: control characters, line ends, zero width, direction
// of writing. A text with one of them can look like another.
bool is_invisible(std::string_view character);
std::string_view find_invisible(std::string_view text);  // the first of them; empty if there is none

// The first byte that is no part of a text in UTF-8, or npos. Control characters other than tab and line ends count as such.
size_t find_non_text(std::string_view text);

}  // namespace vinculum
