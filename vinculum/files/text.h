// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace vinculum {

// A piece of a file as it may be shown in a message: in quotes, without control characters, shortened if it is long.
std::string in_quotes(std::string_view text);

// The first character of a UTF-8 text, all its bytes.
std::string_view first_character(std::string_view text);

// The first byte that is no part of a text in UTF-8, or npos. Control characters other than tab and line ends count as such.
size_t find_non_text(std::string_view text);

}  // namespace vinculum
