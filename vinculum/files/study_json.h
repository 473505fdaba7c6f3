// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/files/json_text.h"
#include "vinculum/study/study_statistics.h"

namespace vinculum {

// {quantity: {"spread", "fractions", "sensitivity"}}
Json to_json(const StudyStatistics& statistics);

}  // namespace vinculum
