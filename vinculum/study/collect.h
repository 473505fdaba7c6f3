// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "vinculum/study/study.h"

namespace vinculum {

// A path through the JSON of a command: names joined by points. Names have points themselves (`final.q.car.tx`), so the longest
// one that leads on is taken first. Lists of named entries (`subject` of verdicts, else `name`) are entered by that name, the
// first that has it; other lists by number from 0. A path that begins with no field of the document is one of `verdicts`.
//
// The value there: a number, a word, 0 or 1 of a truth value; nothing if there is no such place or it is null.
StudyValue collect_value(const nlohmann::ordered_json& document, std::string_view path);

// What is wrong with a path at this document: empty if there is a value, or null.
struct LostPath {
  std::string reason;              // "there is no 'frint' in verdicts"; "final.q is an object"
  std::vector<std::string> known;  // the names there
  std::string nearest;             // of them
};
std::optional<LostPath> check_path(const nlohmann::ordered_json& document, std::string_view path);

}  // namespace vinculum
