# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DPAGE=report.html -DSOURCE=report_page.cc -P embed.cmake: the bytes of the page as a string of C++, whatever they are.
file(READ ${PAGE} bytes HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
file(WRITE ${SOURCE} "#include <cstdint>\n"
  "extern \"C\" {\n"
  "extern const char vinculum_report_page[];\n"
  "extern const std::uint64_t vinculum_report_page_size;\n"
  "const char vinculum_report_page[] = \"${bytes}\";\n"
  "const std::uint64_t vinculum_report_page_size = sizeof vinculum_report_page - 1;\n"
  "}\n")
