// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/files/report.h"
#include "vinculum/files/results_folder.h"

namespace vinculum {

// Makes the page of a run out of the tables it left: so a resumed run, whose first rows are long out of memory, gets the same
// page. Writes FOLDER/report.html.
Outcome<bool> write_run_report(const std::string& folder, const Model& model, const RunRequest& request, const RunResult& result);

}  // namespace vinculum
