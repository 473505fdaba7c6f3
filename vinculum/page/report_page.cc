// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/page/report_page.h"

#include <cassert>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include <fmt/core.h>

// The bundled page, put here by the build (cmake/embed.cmake); its size is 0 if there was no npm.
extern "C" const char vinculum_report_page[];
extern "C" const std::uint64_t vinculum_report_page_size;

namespace vinculum {

namespace {

constexpr std::string_view kDataMark = "/*DATA*/";

std::string_view page() { return {vinculum_report_page, vinculum_report_page_size}; }

}  // namespace

bool report_page_available() { return !page().empty(); }

std::size_t report_page_size() { return page().size(); }

std::string safe_in_script(const Json& document) {
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

Outcome<bool> write_report_page(const std::string& path, std::string_view document) {
  if (!report_page_available()) {
    return Failure{"VN-FILE-061", fmt::format("'{}' is not written: this program was built without the report page", path),
                   "install nodejs and npm, run cmake again and rebuild"};
  }
  const std::size_t mark = page().find(kDataMark);
  assert(mark != std::string_view::npos);

  // Under another name until it is complete.
  const std::string part = path + ".part";
  std::error_code error;
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file << page().substr(0, mark) << document << page().substr(mark + kDataMark.size());
    file.close();
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) std::filesystem::rename(part, path, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return Failure{"VN-FILE-060", fmt::format("'{}' cannot be written: {}", path, error.message()),
                   "does the folder exist, and may it be written to?"};
  }
  return true;
}

}  // namespace vinculum
