// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "vinculum/files/results_folder.h"
#include "vinculum/page/report.h"
#include "vinculum/simulation/recorder.h"

namespace vinculum {

// More rows than twice this are thinned to at least as many: a curve on a screen gets no better.
inline constexpr std::size_t kRowsOfPage = 4000;

// For the rows of a page: it listens to a run, or is filled from the tables of a finished one (read_rows). A run that was resumed
// has its first rows from there.
Recorder make_page_recorder(const Model& model);

// What the page of a run shows. Failure VN-FILE-150 if nothing was recorded. The rows are gone then: a page needs its memory.
Outcome<Report> make_run_report(Recorder rows, const RunRequest& request, const RunResult& result);
// The same of a folder.
Outcome<Report> read_run_report(const std::string& folder, const Model& model, const RunRequest& request,
                                const RunResult& result);

// Writes the page of a run.
Outcome<bool> write_run_report(const std::string& path, Recorder rows, const RunRequest& request, const RunResult& result);

// A page with the mechanism at a state and a slider for every coordinate.
Outcome<bool> write_pose_report(const std::string& path, const Model& model, const State& state, const std::string& model_file);

}  // namespace vinculum
