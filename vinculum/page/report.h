// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

// Groups of curves that also colour what is drawn: a string, a spring by the name of the curve.
inline constexpr const char* kStringCurves = "tensions";
inline constexpr const char* kSpringCurves = "springs";

// One curve over the times of a report.
struct ReportSeries {
  std::string group;  // the plot it belongs to: "coordinates", "velocities", "energy", "reactions", ..
  std::string name;   // "upper.force.x"
  std::string unit;   // "N"
  std::vector<double> values;
};

struct ReportPose {
  Vector3 position;        // of the pole, world
  Quaternion orientation;  // body -> world
};

// An element of rows that has a place in space, over the times of a report.
struct ReportElement {
  std::string name;
  std::array<bool, 3> holds_along{}, holds_about{};  // motions it forbids, along and about the axes of its frame
  std::vector<ReportPose> frames;                    // its point and its axes
  std::vector<Vector3> forces;                       // on its body, world axes [N]
  std::vector<std::array<double, 2>> apart{};        // [s] from, to: it is not there
};

// Where something would have gone, beside the motion that is shown, over the same times.
struct ReportPath {
  std::string name;  // "sled without slip"
  std::vector<Vector3> points;
};

// The force that keeps a contact or a velocity constraint from slipping, beside the largest it can have: force beside normal
// force where friction limits it.
struct ReportGrip {
  std::string name;
  std::string unit;                      // of these numbers; "" beside a normal force
  double bound = 0;                      // 0: none is known
  std::vector<double> lateral, forward;  // over the times; a group of one row has no `forward`
};

// A force or moment that is given to a body, over the times: of a drive, of a law, of a load.
struct ReportArrow {
  std::string group;  // those that are shown and hidden together: "drives", "loads"
  std::string name;
  int body = 0;
  Vector3 point;                 // where it acts, in the body
  bool is_moment = false;        // [N*m], else [N]
  std::vector<Vector3> vectors;  // world axes
};

struct ReportEvent {
  double t = 0;
  std::string name;
};

// A pair of faces of a guide; its load is the curve of its name.
struct ReportGuide {
  std::string name;
  std::array<double, 2> work{};  // of friction on face1 and face2 [J]
};

// A number of a run worth reading: {"steps", "1234"}.
struct ReportFact {
  std::string name;
  std::string value;
};

// How a run ended: at the top of the page, unless it is complete.
struct ReportEnd {
  std::string state = "complete";  // or "stopped at event", "interrupted", "failed"
  std::string reason;              // of a failure
  double at = 0, asked = 0;        // [s]
};

// All that the report page shows of a run.
struct Report {
  std::string title;
  ReportEnd end;
  std::vector<ReportFact> facts;
  std::vector<double> times;                        // [s]
  std::vector<std::vector<ReportPose>> body_poses;  // [body][time]
  std::vector<std::vector<ReportPose>> environment_poses;
  std::vector<ReportElement> elements;
  std::vector<ReportPath> paths;
  std::vector<ReportGrip> grips;
  std::vector<ReportArrow> arrows;
  std::vector<ReportSeries> series;
  std::vector<Verdict> verdicts;
  std::vector<ReportEvent> events;
  std::vector<ReportGuide> guides;
  std::size_t samples_of_run = 0;    // where the caller has thinned them already; 0: as many as times
  std::vector<double> adjustable{};  // coordinates of the only sample, for a page whose sliders change them; empty: none
  std::string mesh_directory;        // mesh files are sought from here; empty: from the working directory
};

// A report never grows beyond this: then its samples are thinned.
inline constexpr std::size_t kLargestReport = 20'000'000;  // bytes

// What the page is told, as JSON that may stand inside a <script> element, in at most `largest` bytes. Samples are thinned
// evenly, first and last kept; if fewer than 200 would fit, whole groups of curves are left out, the last first, and the page
// says so. Time runs forward, also for a run that went backward. Failure VN-FILE-062 if not even two samples fit.
Outcome<std::string> report_document(const Model& model, const Report& report, std::size_t largest = kLargestReport);

// One self-contained HTML file that opens offline, written as a whole or not at all. Failure VN-FILE-060 if it cannot be written,
// VN-FILE-061 if the page was not bundled, VN-FILE-062 as above.
Outcome<bool> write_report(const std::string& path, const Model& model, const Report& report);

// The same with a second run laid over the first, each in half of the room.
Outcome<bool> write_overlaid_report(const std::string& path, const Model& model, const Report& report, const Model& second_model,
                                    const Report& second);

}  // namespace vinculum
