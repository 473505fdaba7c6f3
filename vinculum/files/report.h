// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

// One curve over the times of a report.
struct ReportSeries {
  std::string group;   // the plot it belongs to: "coordinates", "velocities", "energy", "reactions", ..
  std::string name;    // "upper.force.x"
  std::string unit;    // "N"
  std::vector<double> values;
};

struct ReportPose {
  Vector3 position;        // of the pole, world
  Quaternion orientation;  // body -> world
};

struct ReportEvent {
  double t = 0;
  std::string name;
};

// A number of a run worth reading: {"steps", "1234"}.
struct ReportFact {
  std::string name;
  std::string value;
};

// All that the report page shows of a run.
struct Report {
  std::string title;
  std::vector<ReportFact> facts;
  std::vector<double> times;                            // [s]
  std::vector<std::vector<ReportPose>> body_poses;      // [body][time]
  std::vector<std::vector<ReportPose>> environment_poses;
  std::vector<ReportSeries> series;
  std::vector<Verdict> verdicts;
  std::vector<ReportEvent> events;
};

// The page was bundled into the program when it was built.
bool report_page_available();

// One self-contained HTML file that opens offline. Thinned evenly, if need be, to stay below 20 MB. Failure VN-FILE-... if the file
// cannot be written, or if the page was not bundled (then says what is missing).
Outcome<bool> write_report(const std::string& path, const Model& model, const Report& report);

}  // namespace vinculum
