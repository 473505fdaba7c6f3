// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vinculum/study/study.h"
#include "vinculum/verdict/diagnostic.h"

namespace vinculum {

// Reads a study file (`vinculum_study: 1`); none if there are errors, which are reported. The path of the model is taken from the
// folder of the study file.
std::optional<Study> read_study(std::string_view text, const std::string& folder, Diagnostics& diagnostics);
std::optional<Study> read_study_file(const std::string& path, Diagnostics& diagnostics);

// Does a file say that it is a study?
bool is_study_text(std::string_view text);

// NAME=FROM:TO:COUNT, NAME=A,B,C or NAME=A, with units: "speed=2 m/s:20 m/s:10".
Outcome<StudyAxis> read_axis_text(const std::string& text);

}  // namespace vinculum
