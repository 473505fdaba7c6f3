// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/simulation/recorder.h"

namespace vinculum::python {

// What a run has passed through and what came of it: the samples row after row, so that numpy sees them without a copy.
struct Recording {
  Recording(py::object owner, State start, RunOptions options, bool of_folder = false);

  void add(const Sample& sample, bool is_change);
  size_t count() const { return is_change.size(); }
  State state(size_t row) const { return recorder.state(row); }
  // Columns of one kind: the first, and behind the last.
  std::pair<size_t, size_t> span(Quantity::Of of) const;

  py::object owner;
  std::shared_ptr<const Model> model;
  State start;
  RunOptions options;
  bool of_folder = false;       // read from tables: no accelerations, no memory
  Recorder recorder;            // with t as the first column, and the memory as the last ones
  std::vector<char> is_change;  // rows that tell a motion just before and just after a change of modes
  // What controllers set, and when: so that the motion can be gone through again without them.
  struct Setting {
    double t = 0;
    int input = 0;
    double value = 0;
  };
  std::vector<Setting> settings;
  std::string advice;
  RunResult result;
  std::string folder_text;  // of its run.json, which has more than is read back
};

py::tuple pickle_recording(const Recording& recording);
Recording unpickle_recording(const py::tuple& parts);
Recording open_recording(const py::object& owner, const std::string& folder);
void save_recording(const Recording& recording, const std::string& folder, bool replace);
void save_page(const Recording& recording, const std::string& path);
// The motion at any time within it: from the last sample before it.
State state_at(const Recording& recording, double t);

}  // namespace vinculum::python
