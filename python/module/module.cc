// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "objects.h"
#include "vinculum/files/results_folder.h"
#include "vinculum/verdict/catalogue.h"
#include "vinculum/version.h"

namespace vinculum::python {

namespace {

// vinculum.errors.make: set when the package is imported.
PyObject* g_make_error = nullptr;

std::string_view word_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::usage: return "usage";
    case Trouble::name: return "name";
    case Trouble::model: return "model";
    case Trouble::unsupported: return "unsupported";
    case Trouble::motion: return "motion";
    case Trouble::file: return "file";
    case Trouble::other: break;
  }
  return "other";
}

py::list to_list(const std::vector<Diagnostic>& diagnostics) {
  py::list list;
  for (const Diagnostic& d : diagnostics) {
    py::dict entry;
    entry["severity"] = d.severity == Severity::error ? "error" : "warning";
    entry["code"] = std::string(d.code);
    entry["message"] = d.message;
    entry["file"] = d.file;
    entry["line"] = d.place.line;
    entry["column"] = d.place.column;
    entry["element"] = d.element;
    entry["hint"] = d.hint;
    list.append(entry);
  }
  return list;
}

}  // namespace

Trouble trouble_of(std::string_view code) {
  switch (Failure{code, "", ""}.kind()) {
    case FailureKind::usage: return Trouble::usage;
    case FailureKind::model: return Trouble::model;
    case FailureKind::unsupported: return Trouble::unsupported;
    case FailureKind::file: return Trouble::file;
    default: return Trouble::other;
  }
}

void raise(const Failure& failure) { raise(failure, trouble_of(failure.code)); }
void raise(const Failure& failure, Trouble trouble) {
  throw Raised{trouble, std::string(failure.code), failure.message, failure.hint};
}
void raise_usage(std::string message, std::string hint) {
  throw Raised{Trouble::usage, "VN-USAGE-001", std::move(message), std::move(hint)};
}

void raise_model(const Diagnostics& diagnostics) {
  Raised raised{Trouble::model, "", "", "", diagnostics.list()};
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity != Severity::error) continue;
    if (raised.code.empty()) raised.code = diagnostic.code, raised.hint = diagnostic.hint;
    raised.message += (raised.message.empty() ? "" : "\n") + to_text(diagnostic);
  }
  if (trouble_of(raised.code) == Trouble::file) raised.trouble = Trouble::file;
  throw raised;
}

void raise_unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  std::string list;
  for (size_t i = 0; nearest.empty() && i < known.size() && i < 12; ++i) list += (i == 0 ? "" : ", ") + known[i];
  if (nearest.empty() && known.size() > 12) list += ", ..";
  throw Raised{Trouble::name,
               "VN-PYTHON-001",
               "there is no " + std::string(what) + " '" + std::string(name) + "'",
               !nearest.empty() ? "did you mean '" + nearest + "'?"
               : known.empty()  ? "there are none"
                                : "there are " + list,
               {},
               nearest};
}

py::object make_error(const Raised& raised) {
  if (g_make_error == nullptr) return py::reinterpret_borrow<py::object>(PyExc_RuntimeError)(raised.message);
  return py::reinterpret_borrow<py::object>(g_make_error)(word_of(raised.trouble), raised.code, raised.message, raised.hint,
                                                          to_list(raised.diagnostics), raised.nearest);
}

void set_python_error(const Raised& raised) {
  const py::object error = make_error(raised);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void add_errors(py::module_& module) {
  module.def("_set_error_maker", [](const py::object& make) {
    Py_XDECREF(g_make_error);
    g_make_error = make.inc_ref().ptr();
  });
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Raised& raised) {
      set_python_error(raised);
    }
  });
  module.def("_kind_of", [](const std::string& code) { return std::string(to_text(Failure{code, "", ""}.kind())); });
  module.def("_trouble_of", [](const std::string& code) { return std::string(word_of(trouble_of(code))); });
  module.def("explain", [](const std::string& code) {
    const CatalogueEntry* entry = find_in_catalogue(code);
    if (entry == nullptr) {
      std::vector<std::string> known;
      for (const CatalogueEntry& each : catalogue()) known.emplace_back(each.code);
      raise_unknown("message", code, known);
    }
    std::string text = fmt::format("{}: {}\n{}\n{}", entry->code, entry->title, entry->why, entry->fix);
    if (!entry->after.empty()) text += fmt::format("\nbefore: {}\nafter:  {}", entry->before, entry->after);
    return text;
  });
}

bool SignalWatch::wants_to_stop() {
  if (stopped_) return true;
  if (std::this_thread::get_id() != thread_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  const py::gil_scoped_acquire gil;
  stopped_ = PyErr_CheckSignals() != 0;
  next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  return stopped_;
}

}  // namespace vinculum::python

PYBIND11_MODULE(_vinculum, module) {
  using namespace vinculum::python;
  module.doc() = "The C++ part of vinculum; see the package vinculum.";
  module.attr("__version__") = vinculum::version();
  add_errors(module);
  add_models(module);
  add_dynamics(module);
  add_batches(module);
  add_runs(module);
  add_commands(module);
}
