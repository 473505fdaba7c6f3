// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <Eigen/Core>

#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/files/read_model.h"
#include "vinculum/model/model.h"
#include "vinculum/verdict/diagnostic.h"
#include "vinculum/verdict/outcome.h"

// The module _vinculum: what is hot, and what must be checked before it reaches the library. The comfortable layer is Python
// (python/vinculum). Every function checks names, sizes and finiteness; failures become exceptions of vinculum/errors.py.
namespace vinculum::python {

namespace py = pybind11;

// ---- errors --------------------------------------------------------------------------------------------------------------

// What a Failure is about, which decides the class of the exception.
enum class Trouble { usage, name, model, unsupported, motion, file, other };

// Thrown where Python holds the GIL; becomes the Python exception of its class.
struct Raised {
  Trouble trouble = Trouble::other;
  std::string code, message, hint;
  std::vector<Diagnostic> diagnostics{};
  std::string nearest{};
};
Trouble trouble_of(std::string_view code);
[[noreturn]] void raise(const Failure& failure);
[[noreturn]] void raise(const Failure& failure, Trouble trouble);
[[noreturn]] void raise_usage(std::string message, std::string hint = {});
[[noreturn]] void raise_model(const Diagnostics& diagnostics);
// There is no `what` of this name; `known` are those there are.
[[noreturn]] void raise_unknown(std::string_view what, std::string_view name, const std::vector<std::string>& known);
// The exception object itself, for whoever adds to it before it is thrown.
py::object make_error(const Raised& raised);
void add_errors(py::module_& module);

// Throws the C++ exception as a Python error if it is one of ours: for functions that pybind11 does not call.
void set_python_error(const Raised& raised);

// ---- models and states ---------------------------------------------------------------------------------------------------

// Scratch memory of one computation at a time.
struct Scratch {
  explicit Scratch(const Model& model);
  Workspace workspace;
  std::unique_ptr<DerivativesWorkspace> derivatives;  // made when first used
  std::vector<double> values, zeros;                  // velocities
  std::vector<BodyMotion> motions;
  Eigen::MatrixXd matrix;
  DerivativesWorkspace& derivatives_of(const Model& model);
};

struct ModelObject {
  ModelObject(std::string text, std::string path, std::string folder, std::vector<std::pair<std::string, std::string>> sets);

  std::string text, path, folder;
  std::vector<std::pair<std::string, std::string>> sets;
  std::shared_ptr<const ModelSource> source;
  std::shared_ptr<const Model> model;
  std::vector<int> quaternions;  // where they begin in q
  std::vector<Diagnostic> warnings;
  std::vector<std::unique_ptr<Scratch>> idle;  // under the GIL
  const std::string& fingerprint();

 private:
  std::string fingerprint_;
};

// Memory for one computation, back to the model at its end. Under the GIL.
class Borrowed {
 public:
  explicit Borrowed(ModelObject& model);
  ~Borrowed() { model_.idle.push_back(std::move(scratch_)); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Scratch* operator->() { return scratch_.get(); }
  Scratch& operator*() { return *scratch_; }

 private:
  ModelObject& model_;
  std::unique_ptr<Scratch> scratch_;
};

// A state of a model, with the names of it. The arrays of Python are views of its vectors, which keep their size for ever.
struct StateObject {
  py::object owner;  // the Model of Python
  std::shared_ptr<const Model> model;
  State state;
};

py::object make_state(const py::object& owner, const ModelObject& model, State state);

// A state that belongs to the model, or to one with the same names; finite, with quaternions of length 1.
const State& checked_state(const ModelObject& model, const StateObject& state);
void check_state_numbers(const ModelObject& model, const State& state);
// Of an object that may be a State or None (the start of the model, strings decided by forces): a copy.
State start_of(const ModelObject& model, const py::object& state);

ModelObject& model_of(py::handle object);
// Null if it is no such object, or one whose __init__ was never called.
ModelObject* find_model(PyObject* object);
StateObject* find_state(PyObject* object);

// ---- arrays --------------------------------------------------------------------------------------------------------------

// The numbers of an array of this shape, finite; or of {name: number}, where names are given (others are 0).
std::vector<double> read_numbers(py::handle object, std::span<const py::ssize_t> shape, const char* what,
                                 const std::vector<std::string>* names = nullptr);
// An array of this shape that a result is written into, or a new one.
py::array_t<double> take_out(py::handle out, std::initializer_list<py::ssize_t> shape);
double* find_doubles(PyObject* object, py::ssize_t size, bool writable);  // a plain vector of doubles; null: something else

// A column-major matrix as an array, row by row.
template <class Matrix>
py::array_t<double> to_matrix_array(const Matrix& matrix) {
  py::array_t<double> array({static_cast<py::ssize_t>(matrix.rows()), static_cast<py::ssize_t>(matrix.cols())});
  double* to = array.mutable_data();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) *to++ = matrix(i, j);
  }
  return array;
}
py::array_t<double> to_array(std::span<const double> values);

// ---- signals -------------------------------------------------------------------------------------------------------------

// Asked often by a computation without the GIL, in the thread that called it: every 50 ms Python looks for signals. True once
// one has raised an exception, which is then set.
class SignalWatch {
 public:
  bool wants_to_stop();
  bool has_stopped() const { return stopped_; }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  std::thread::id thread_ = std::this_thread::get_id();
  bool stopped_ = false;
};

void add_models(py::module_& module);
void add_dynamics(py::module_& module);
void add_batches(py::module_& module);
void add_runs(py::module_& module);
void add_commands(py::module_& module);

}  // namespace vinculum::python
