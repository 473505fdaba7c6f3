// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tests/fuzz/execution.h"

namespace vinculum::fuzz {

using Json = nlohmann::json;

// Where the answers say "none" by null (docs/results.md): of these keys anywhere,
inline constexpr std::array<std::string_view, 14> kMayBeNull{
    "radius",   "design", "independent_functions", "zero",      "nonzero", "ratio",
    "position", "margin", "first_violation",       "nearest_t", "line",    "column",
    "element",  "kink"};

// and at these places: of a study (nothing there to collect), variants, limit, pad and realize.
inline bool may_be_null_at(const std::string& place) {
  static const std::string kBounds = "(t1|t1_sharp|s_star|s_star_sharp|c_sharp|eta|band|band/(inner|outer|slip|t)|rate)";
  static const std::regex kPlaces(
      "/rows/.*"
      "|/critical_friction_scale|/unique_for_all_loads"
      "|/(alpha|first_loss|kinematic_alpha|paper_test|(intervals|wedged)/\\d+/[01]|kept/[01]|polar/\\d+/force)"
      "|/final_ratio"
      "|/slip_inertia|/constants|/residual/[^/]+/(creep|band|period|delta)"
      "|/ideal/(rank_lost|ended)|/slope|/critical_coefficient"
      "|/certificate/(t_sim|slips_again|t_band_sim|s0|rbar|rho1|rho2|A|B|whole/eta)"
      "|/certificate/(refined/|region/)?" +
      kBounds +
      "|/certificate/(band_inner|band_outer|s_linear|basin_linear)"
      "|/certificate/(needed_bounds|needed_bounds_check|needed_bounds_check/(t_sim|t1_sharp))"
      "|/(needed_bounds|needed_bounds_check|needed_bounds_check/(t_sim|t1_sharp))");
  return std::regex_match(place, kPlaces);
}

// The first number that is none, by its place; empty if there is none.
inline std::string find_null(const Json& json, const std::string& place, std::string_view key) {
  if (json.is_null()) {
    const bool is_known = std::find(kMayBeNull.begin(), kMayBeNull.end(), key) != kMayBeNull.end() || may_be_null_at(place);
    return is_known ? "" : place;
  }
  if (json.is_number_float() && !std::isfinite(json.get<double>())) return place;
  if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (auto found = find_null(json[i], place + "/" + std::to_string(i), key); !found.empty()) return found;
    }
  } else if (json.is_object()) {
    for (const auto& [name, value] : json.items()) {
      if (auto found = find_null(value, place + "/" + name, name); !found.empty()) return found;
    }
  }
  return "";
}

// Every row has a finite number for each column; empty if so.
inline std::string judge_table(const std::filesystem::path& path) {
  std::istringstream lines(read_whole(path));
  std::string line, name = path.filename().string();
  std::ptrdiff_t columns = -1, modes = 0;  // the last columns may be modes, in words
  for (int row = 0; std::getline(lines, line); ++row) {
    const std::ptrdiff_t commas = std::count(line.begin(), line.end(), ',');
    if (columns < 0) {
      columns = commas;
      for (size_t at = line.find(",mode:"); at != line.npos; at = line.find(",mode:", at + 1)) ++modes;
      continue;
    }
    if (commas != columns) return "a ragged table: " + name + " row " + std::to_string(row);
    const char* at = line.c_str();
    for (std::ptrdiff_t k = 0; k <= columns - modes; ++k) {
      char* end = nullptr;
      const double value = std::strtod(at, &end);
      if (end == at || !std::isfinite(value) || *end != (k < columns ? ',' : '\0'))
        return "no number in " + name + " row " + std::to_string(row) + " column " + std::to_string(k) + ": " +
               line.substr(0, 60);
      at = end + 1;
    }
  }
  return "";
}

// Is there a "nan" or an "inf", in letters of any size; if `alone`, as a word of its own and no part of a name.
inline bool contains_none(std::string_view text, bool alone) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '\''; };
  for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
    char word[3];
    for (std::size_t k = 0; k < 3; ++k) word[k] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i + k])));
    if (std::string_view(word, 3) != "nan" && std::string_view(word, 3) != "inf") continue;
    const bool begins = i == 0 || !in_word(text[i - 1]), ends = i + 3 == text.size() || !in_word(text[i + 3]);
    if (!alone || (begins && ends)) return true;
  }
  return false;
}

// What is wrong with the answer; empty if nothing is. `asked` is all the text that the program was given; a command line with an
// odd word in it may have lost its --json.
inline std::string judge(const Execution& execution, const std::string& asked, bool odd) {
  if (execution.hung) return "Ctrl-C or SIGTERM was not answered";
  if (WIFSIGNALED(execution.status)) {
    const int signal = WTERMSIG(execution.status);
    // A command without anything to leave in order ends at once.
    if ((signal == SIGINT || signal == SIGTERM) && execution.interrupted) return "";
    return "died of signal " + std::to_string(signal);
  }
  const int code = WEXITSTATUS(execution.status);
  if (code > 3) return "exit code " + std::to_string(code);
  for (const char* word : {"Sanitizer", "runtime error:"}) {
    if (execution.errors.find(word) != std::string::npos) return "a sanitizer spoke";
  }
  const bool told = execution.errors.find("error:") != std::string::npos;
  if (code != 0 && !told && !execution.interrupted) return "exit code " + std::to_string(code) + " without a reason";
  if (code == 0 && told) return "an error with exit code 0";
  const bool was_asked = contains_none(asked, false);
  const auto says_none = [&] { return contains_none(execution.output, true) || contains_none(execution.errors, true); };
  const auto& arguments = execution.arguments;
  if (odd || arguments[0] == "explain" || arguments[0] == "new") return "";
  if (std::find(arguments.begin(), arguments.end(), "--json") != arguments.end()) {
    const Json json = Json::parse(execution.output, nullptr, false);
    if (json.is_discarded()) return "no valid JSON";
    if (auto place = find_null(json, "", ""); !place.empty()) return "no number at " + place;
    if (!was_asked && says_none()) return "a number that is none in a string";
  } else if (!was_asked && says_none()) {
    return "a number that is none in the text";
  }
  return "";
}

}  // namespace vinculum::fuzz
