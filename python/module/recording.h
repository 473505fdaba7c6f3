// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/simulation/run.h"

namespace vinculum::python {

// Where the numbers of one sample stand in its row.
struct Layout {
  explicit Layout(const Model& model);
  int q = 1, v = 0, a = 0, energy = 0, reactions = 0, drives = 0, multipliers = 0, quantities = 0, outputs = 0, modes = 0,
      memory = 0, width = 0;
  std::vector<std::string> names, units;  // of all columns but the memory
};

// What a run has passed through and what came of it: the samples row after row, so that numpy sees them without a copy.
struct Recording {
  Recording(py::object owner, State start, RunOptions options);

  void add(const Sample& sample, bool is_change);
  size_t count() const { return is_change.size(); }
  Sample sample(size_t row) const;
  State state(size_t row) const;

  py::object owner;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Layout> layout;
  State start;
  RunOptions options;
  std::vector<double> rows;
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
  bool of_folder = false;   // read from tables: no accelerations, no memory
  std::string folder_text;  // of its run.json, which has more than is read back
};

py::tuple pickle_recording(const Recording& recording);
Recording unpickle_recording(const py::tuple& parts);
Recording open_recording(const py::object& owner, const std::string& folder);
void save_recording(const Recording& recording, const std::string& folder, bool replace);
// The motion at any time within it: from the last sample before it.
State state_at(const Recording& recording, double t);

}  // namespace vinculum::python
