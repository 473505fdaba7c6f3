// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "apps/vinculum/command.h"
#include "objects.h"

namespace vinculum::python {

namespace {

// A command of the program, in this process: the exit code and the text of what `--json` prints.
py::tuple run_command(const std::vector<std::string>& words, const py::object& model, const py::object& state) {
  app::InProcess process;
  if (!model.is_none()) process.model = model_of(model).model;
  if (!state.is_none()) process.state = state.cast<std::string>();
  SignalWatch watch;
  process.wants_to_stop = [&] { return watch.wants_to_stop(); };
  int exit_code = 0;
  {
    const py::gil_scoped_release release;
    exit_code = app::run_in_process(words, process);
  }
  if (watch.has_stopped()) throw py::error_already_set();
  return py::make_tuple(exit_code, process.document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void add_commands(py::module_& module) { module.def("_run_command", &run_command); }

}  // namespace vinculum::python
