// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/study/store.h"

namespace vinculum {

// The results of a study as a table (CSV): point, parameters `NAME [UNIT]`, collected values, status,
// code, message. Numbers are read back to the same bits; the same results give the same bytes.
Outcome<bool> write_study_table(const StudyStore& store, const std::string& path, bool replace);

}  // namespace vinculum
