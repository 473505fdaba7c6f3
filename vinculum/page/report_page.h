// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vinculum/files/json_text.h"
#include "vinculum/verdict/outcome.h"

// The page that is bundled into the program, and how a document gets into it: for the reports of runs and of studies.
namespace vinculum {

// The page was bundled into the program when it was built.
bool report_page_available();

std::size_t report_page_size();  // bytes, without a document

// JSON inside <script>: no `<` is left that the browser could take for a tag or a comment.
std::string safe_in_script(const Json& document);

// One self-contained HTML file that opens offline, written as a whole or not at all; `document` is safe in a script. Failure
// VN-FILE-060 if it cannot be written, VN-FILE-061 if the page was not bundled.
Outcome<bool> write_report_page(const std::string& path, std::string_view document);

}  // namespace vinculum
