// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/page/report.h"
#include "vinculum/realization/slip_system.h"

namespace vinculum {

// A motion and the forces R that realized its rows, instant by instant.
struct SlipTrack {
  std::vector<State> states;
  std::vector<std::vector<double>> accelerations;
};

// What the page of `realize` shows: the motion with the forces of a law, or the one without slip where there is none; beside it
// the paths without slip, dashed; the force of every group in its friction circle; reactions and slips as curves.
struct SlipReport {
  std::string model_file;
  SlipTrack shown;
  std::vector<State> without_slip;  // at the same times
  std::vector<Verdict> verdicts;
  std::vector<ReportEvent> events;
  std::vector<ReportFact> facts;
};

// Writes the page. Failures of write_report and of the slip system.
Outcome<bool> write_slip_report(const std::string& path, SlipSystem& system, const SlipReport& content);

}  // namespace vinculum
