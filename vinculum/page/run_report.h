// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vinculum/files/results_folder.h"
#include "vinculum/page/report.h"

namespace vinculum {

// What the page of a run shows, out of the tables it left: so a resumed run, whose first rows are long out of memory, gets the
// same page, and a page can be made again.
Outcome<Report> make_run_report(const std::string& folder, const Model& model, const RunRequest& request,
                                const RunResult& result);

// Writes it into FOLDER/report.html.
Outcome<bool> write_run_report(const std::string& folder, const Model& model, const RunRequest& request, const RunResult& result);

// A page with the mechanism at a state and a slider for every coordinate.
Outcome<bool> write_pose_report(const std::string& path, const Model& model, const State& state, const std::string& model_file);

}  // namespace vinculum
