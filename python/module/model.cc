// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "objects.h"
#include "vinculum/decision/settle_joints.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/parse.h"
#include "vinculum/files/fingerprint.h"
#include "vinculum/files/json_text.h"
#include "vinculum/formats/safe_file.h"
#include "vinculum/import/convert_urdf.h"
#include "vinculum/model/inputs.h"
#include "vinculum/model/state.h"
#include "vinculum/model/units.h"

namespace vinculum::python {

namespace {

PyTypeObject* g_model_type = nullptr;
PyTypeObject* g_state_type = nullptr;

// The object of one of our classes in a Python object that is one, or of a class derived from it.
template <class T>
T* held(PyObject* object, PyTypeObject* type) {
  if (type == nullptr || !PyObject_TypeCheck(object, type)) return nullptr;
  auto* instance = reinterpret_cast<py::detail::instance*>(object);
  if (instance->simple_layout) return static_cast<T*>(instance->simple_value_holder[0]);
  return static_cast<T*>(instance->get_value_and_holder(py::detail::get_type_info(type)).value_ptr());
}

std::string number_text(double value) {
  if (!std::isfinite(value)) raise_usage(fmt::format("{} is not a finite number", value));
  return fmt::format("{}", value);
}

// Where a name of a state stands: t, a coordinate, a velocity.
double* find_value(StateObject& state, const std::string& name) {
  if (name == "t") return &state.state.t;
  if (const auto q = state.model->find_coordinate(name)) return &state.state.q[*q];
  if (const auto v = state.model->find_velocity(name)) return &state.state.v[*v];
  return nullptr;
}

std::vector<std::string> names_of_state(const Model& model) {
  std::vector<std::string> names{"t"};
  names.insert(names.end(), model.coordinate_names().begin(), model.coordinate_names().end());
  names.insert(names.end(), model.velocity_names().begin(), model.velocity_names().end());
  return names;
}

py::array view_of(std::vector<double>& values, const py::object& owner) {
  return py::array_t<double>({static_cast<py::ssize_t>(values.size())}, {static_cast<py::ssize_t>(sizeof(double))}, values.data(),
                             owner);
}

void assign(std::vector<double>& values, py::handle given, const char* what) {
  const py::ssize_t shape[] = {static_cast<py::ssize_t>(values.size())};
  const std::vector<double> numbers = read_numbers(given, shape, what);
  std::copy(numbers.begin(), numbers.end(), values.begin());
}

template <class List, class Name>
py::tuple names_of(const List& list, const Name& name) {
  py::tuple names(list.size());
  for (size_t i = 0; i < list.size(); ++i) names[i] = py::str(name(list[i]));
  return names;
}
py::tuple names_of(const std::vector<std::string>& list) {
  return names_of(list, [](const std::string& name) { return name; });
}

py::dict units_of(const Model& model) {
  const StateUnits units = state_units(model);
  py::dict dict;
  dict["t"] = "s";
  for (size_t i = 0; i < units.coordinates.size(); ++i) dict[py::str(model.coordinate_names()[i])] = units.coordinates[i];
  for (size_t i = 0; i < units.velocities.size(); ++i) dict[py::str(model.velocity_names()[i])] = units.velocities[i];
  for (const Row& row : model.rows()) dict[py::str(row.name)] = row.unit;
  for (const OutputColumn& column : model.outputs().columns) dict[py::str(column.name)] = column.unit;
  return dict;
}

py::dict modes_of(const StateObject& state) {
  py::dict dict;
  const auto& modes = state.model->modes();
  for (size_t i = 0; i < modes.size(); ++i) {
    const int value = state.state.modes.empty() ? modes[i].usual : state.state.modes[i];
    dict[py::str(modes[i].name)] = modes[i].words[value];
  }
  return dict;
}

// As a state file has it; modes and memory only where the state says something of them.
Json state_json(const StateObject& object) {
  Json json = to_json(*object.model, object.state);
  if (object.state.modes.empty()) json.erase("modes");
  return json;
}

StateObject read_state_text(const py::object& owner, const std::string& text) {
  const ModelObject& model = model_of(owner);
  StateObject object{owner, model.model, model.model->initial_state()};
  Diagnostics diagnostics;
  if (!read_state(text, *model.model, object.state, nullptr, diagnostics)) {
    Raised raised{Trouble::usage, "", "", "", diagnostics.list()};
    for (const Diagnostic& diagnostic : diagnostics.list()) {
      if (diagnostic.severity != Severity::error) continue;
      if (raised.code.empty()) raised.code = diagnostic.code, raised.hint = diagnostic.hint;
      if (diagnostic.code == "VN-FILE-102") raised.trouble = Trouble::name;
      raised.message += (raised.message.empty() ? "" : "\n") +
                        (diagnostic.element.empty() ? diagnostic.message : diagnostic.element + ": " + diagnostic.message);
    }
    throw raised;
  }
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (PyErr_WarnEx(PyExc_UserWarning, to_text(diagnostic).c_str(), 2) != 0) throw py::error_already_set();
  }
  return object;
}

py::tuple pickle_state(const StateObject& object) {
  return py::make_tuple(object.owner, object.state.t, object.state.q, object.state.v, object.state.modes, object.state.memory);
}

StateObject unpickle_state(const py::tuple& parts) {
  if (parts.size() != 6) raise_usage("this is no pickled State");
  const auto owner = parts[0].cast<py::object>();
  const ModelObject& model = model_of(owner);
  State state{parts[1].cast<double>(), parts[2].cast<std::vector<double>>(), parts[3].cast<std::vector<double>>(),
              parts[4].cast<std::vector<int>>(), parts[5].cast<std::vector<double>>()};
  const State& start = model.model->initial_state();
  const auto& modes = model.model->modes();
  bool fits = state.q.size() == start.q.size() && state.v.size() == start.v.size() && model.model->fits_memory(state.memory) &&
              (state.modes.empty() || state.modes.size() == modes.size());
  for (size_t i = 0; fits && i < state.modes.size(); ++i)
    fits = state.modes[i] >= 0 && state.modes[i] < static_cast<int>(modes[i].words.size());
  if (!fits) raise_usage("the pickled State does not fit its model");
  return {owner, model.model, std::move(state)};
}

bool equal(const State& a, const State& b) {
  return a.t == b.t && a.q == b.q && a.v == b.v && a.modes == b.modes && a.memory == b.memory;
}

// "17 deg" or 0.3
double read_value(const py::object& value) {
  if (py::isinstance<py::str>(value)) {
    const auto text = value.cast<std::string>();
    const auto parsed = parse_expression(text, {});
    if (const auto* error = std::get_if<ParseError>(&parsed))
      raise_usage(fmt::format("'{}' is no number: {}", text, error->message), error->hint);
    return evaluate(std::get<ParsedExpression>(parsed).expression, {});
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}

}  // namespace

Scratch::Scratch(const Model& model)
    : workspace(model), values(model.tree().velocities), zeros(model.tree().velocities), motions(model.bodies().size()) {}

DerivativesWorkspace& Scratch::derivatives_of(const Model& model) {
  if (!derivatives) derivatives = std::make_unique<DerivativesWorkspace>(model);
  return *derivatives;
}

Borrowed::Borrowed(ModelObject& model) : model_(model) {
  if (model.idle.empty()) {
    scratch_ = std::make_unique<Scratch>(*model.model);
  } else {
    scratch_ = std::move(model.idle.back());
    model.idle.pop_back();
  }
}

ModelObject::ModelObject(std::string text_, std::string path_, std::string folder_,
                         std::vector<std::pair<std::string, std::string>> sets_)
    : text(std::move(text_)), path(std::move(path_)), folder(std::move(folder_)), sets(std::move(sets_)) {
  Diagnostics diagnostics(path);
  auto parsed = ModelSource::parse(text, diagnostics);
  if (!parsed) raise_model(diagnostics);
  source = std::make_shared<const ModelSource>(std::move(*parsed));
  ReadOptions options;
  options.folder = folder;
  for (const auto& [name, value] : sets) options.overrides.push_back({name, value});
  auto built = source->build(diagnostics, options);
  if (!built) raise_model(diagnostics);
  warnings = diagnostics.list();
  model = std::make_shared<const Model>(std::move(*built));
  for (const Body& body : model->bodies()) {
    const int first = quaternion_index(model->tree().links[body.link]);
    if (first >= 0) quaternions.push_back(first);
  }
}

const std::string& ModelObject::fingerprint() {
  if (fingerprint_.empty()) fingerprint_ = vinculum::fingerprint(*model);
  return fingerprint_;
}

ModelObject* find_model(PyObject* object) { return held<ModelObject>(object, g_model_type); }
StateObject* find_state(PyObject* object) { return held<StateObject>(object, g_state_type); }

ModelObject& model_of(py::handle object) {
  ModelObject* model = find_model(object.ptr());
  if (model == nullptr) throw py::type_error("a Model is expected; make one with Model.from_file or Model.from_string");
  return *model;
}

py::object make_state(const py::object& owner, const ModelObject& model, State state) {
  const State& start = model.model->initial_state();
  if (state.q.size() != start.q.size() || state.v.size() != start.v.size())
    throw std::runtime_error("a state of another model was made: this is a mistake in vinculum");
  return py::cast(StateObject{owner, model.model, std::move(state)});
}

void check_state_numbers(const ModelObject& model, const State& state) {
  bool finite = std::isfinite(state.t);
  for (const double value : state.q) finite = finite && std::isfinite(value);
  for (const double value : state.v) finite = finite && std::isfinite(value);
  if (!finite) {
    std::string name = "t";
    for (size_t i = 0; i < state.v.size(); ++i) {
      if (!std::isfinite(state.v[i])) name = model.model->velocity_names()[i];
    }
    for (size_t i = 0; i < state.q.size(); ++i) {
      if (!std::isfinite(state.q[i])) name = model.model->coordinate_names()[i];
    }
    throw Raised{Trouble::usage, "VN-PYTHON-002", fmt::format("the state is not finite: {}", name),
                 "an assignment to the arrays of a State is not checked before it is used"};
  }
  for (const int first : model.quaternions) {
    const double* q = &state.q[first];
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (std::abs(square - 1) <= 1e-6) continue;
    throw Raised{
        Trouble::usage, "VN-PYTHON-002",
        fmt::format("the quaternion from {} on has length {:.9g}", model.model->coordinate_names()[first], std::sqrt(square)),
        "divide its four numbers by that length"};
  }
}

const State& checked_state(const ModelObject& model, const StateObject& state) {
  if (state.model != model.model &&
      (state.model->coordinate_names() != model.model->coordinate_names() ||
       state.model->velocity_names() != model.model->velocity_names() || state.state.modes.size() > model.model->modes().size() ||
       !model.model->fits_memory(state.state.memory)))
    raise_usage("the state belongs to a model with other coordinates", "make it with the state() of this model");
  check_state_numbers(model, state.state);
  return state.state;
}

State start_of(const ModelObject& model, const py::object& given) {
  State state = model.model->initial_state();
  if (!given.is_none()) {
    const StateObject* object = find_state(given.ptr());
    if (object == nullptr) throw py::type_error("a State is expected, not " + std::string(Py_TYPE(given.ptr())->tp_name));
    state = checked_state(model, *object);
    // As a state file is read: modes that are not said are the usual ones.
    if (state.modes.empty()) state.modes = model.model->usual_modes();
    for (const Input& input : model.model->inputs()) {
      if (const auto failure = check_input_value(input, state.q[input.q])) raise(*failure, Trouble::usage);
    }
  }
  if (const auto failure = find_taut_strings(*model.model, state, true)) raise(*failure);
  if (const auto failure = settle_joint_friction(*model.model, state, true)) raise(*failure);
  return state;
}

// ---- arrays --------------------------------------------------------------------------------------------------------------

py::array_t<double> to_array(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

double* find_doubles(PyObject* object, py::ssize_t size, bool writable) {
  const auto& api = py::detail::npy_api::get();
  if (!api.PyArray_Check_(object)) return nullptr;
  const auto* array = py::detail::array_proxy(object);
  const auto* type = py::detail::array_descriptor_proxy(array->descr);
  constexpr int kDoubleType = 12;
  const bool plain = type->type_num == kDoubleType && (type->byteorder == '=' || type->byteorder == '|') && array->nd == 1 &&
                     array->dimensions[0] == size && (array->flags & py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_) != 0 &&
                     (array->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0 &&
                     (!writable || (array->flags & py::detail::npy_api::NPY_ARRAY_WRITEABLE_) != 0);
  return plain ? reinterpret_cast<double*>(array->data) : nullptr;
}

namespace {

std::string text_of(std::span<const py::ssize_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

[[noreturn]] void raise_array(std::string message, std::string hint = {}) {
  throw Raised{Trouble::usage, "VN-PYTHON-002", std::move(message), std::move(hint)};
}

void check_finite(const double* values, size_t count, const char* what) {
  for (size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) raise_array(fmt::format("{} is not finite: entry {} is {}", what, i, values[i]));
  }
}

}  // namespace

std::vector<double> read_numbers(py::handle object, std::span<const py::ssize_t> shape, const char* what,
                                 const std::vector<std::string>* names) {
  py::ssize_t size = 1;
  for (const py::ssize_t extent : shape) size *= extent;
  std::vector<double> numbers(static_cast<size_t>(size), 0.0);
  if (names != nullptr && PyDict_Check(object.ptr())) {
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
      const auto name = py::cast<std::string>(key);
      const auto found = std::find(names->begin(), names->end(), name);
      if (found == names->end()) raise_unknown("velocity", name, *names);
      numbers[found - names->begin()] = read_value(py::reinterpret_borrow<py::object>(value));
    }
  } else if (const double* plain = shape.size() == 1 ? find_doubles(object.ptr(), size, false) : nullptr) {
    std::copy(plain, plain + size, numbers.begin());
  } else {
    // Through numpy, which takes lists and other numbers; but no complex numbers and no texts.
    const auto numpy = py::module_::import("numpy");
    const py::array any = numpy.attr("asarray")(object);
    const char kind = any.dtype().kind();
    if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b')
      throw py::type_error(fmt::format("{} must be real numbers, not {}", what, any.dtype().attr("name").cast<std::string>()));
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(any);
    if (!array) throw py::error_already_set();
    const std::span<const py::ssize_t> given(array.shape(), static_cast<size_t>(array.ndim()));
    if (!std::equal(given.begin(), given.end(), shape.begin(), shape.end()))
      raise_array(fmt::format("{} has the shape {}, and {} is needed", what, text_of(given), text_of(shape)));
    std::copy(array.data(), array.data() + size, numbers.begin());
  }
  check_finite(numbers.data(), numbers.size(), what);
  return numbers;
}

py::array_t<double> take_out(py::handle out, std::initializer_list<py::ssize_t> shape) {
  if (!out || out.is_none()) return py::array_t<double>(std::vector<py::ssize_t>(shape));
  const std::span<const py::ssize_t> wanted(shape.begin(), shape.size());
  if (!py::isinstance<py::array_t<double>>(out)) throw py::type_error("out must be a numpy array of float64");
  auto array = py::reinterpret_borrow<py::array_t<double>>(out);
  const std::span<const py::ssize_t> given(array.shape(), static_cast<size_t>(array.ndim()));
  if (!std::equal(given.begin(), given.end(), wanted.begin(), wanted.end()))
    raise_array(fmt::format("out has the shape {}, and {} is needed", text_of(given), text_of(wanted)));
  if (!array.writeable()) raise_array("out is read-only");
  if ((array.flags() & py::array::c_style) == 0 || (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0)
    raise_array("out is not contiguous", "pass an array made by numpy.empty");
  return array;
}

// ---- the classes ---------------------------------------------------------------------------------------------------------

void add_models(py::module_& module) {
  py::class_<ModelObject> model(module, "Model", "A mechanism: read and checked once, then constant.");
  g_model_type = reinterpret_cast<PyTypeObject*>(model.ptr());
  model.def(py::init<std::string, std::string, std::string, std::vector<std::pair<std::string, std::string>>>(), py::arg("text"),
            py::arg("path"), py::arg("folder"), py::arg("sets"));
  const auto of = [](const auto& get) { return [get](const ModelObject& self) { return get(*self.model); }; };
  model.def_property_readonly("name", of([](const Model& m) { return m.name(); }));
  model.def_property_readonly("bodies", of([](const Model& m) { return names_of(m.bodies(), [](auto& b) { return b.name; }); }));
  model.def_property_readonly("coordinates", of([](const Model& m) { return names_of(m.coordinate_names()); }));
  model.def_property_readonly("velocities", of([](const Model& m) { return names_of(m.velocity_names()); }));
  model.def_property_readonly("states", of([](const Model& m) {
                                std::vector<std::string> names;
                                for (const ExtraState& state : m.extra_states()) {
                                  if (state.kind == ExtraState::Kind::state) names.push_back(state.name);
                                }
                                return names_of(names);
                              }));
  model.def_property_readonly("inputs", of([](const Model& m) { return names_of(m.inputs(), [](auto& i) { return i.name; }); }));
  model.def_property_readonly("outputs",
                              of([](const Model& m) { return names_of(m.outputs().columns, [](auto& c) { return c.name; }); }));
  model.def_property_readonly("rows", of([](const Model& m) { return names_of(m.rows(), [](auto& r) { return r.name; }); }));
  model.def_property_readonly("events", of([](const Model& m) { return names_of(m.events(), [](auto& e) { return e.name; }); }));
  model.def_property_readonly("modes", of([](const Model& m) { return names_of(m.modes(), [](auto& e) { return e.name; }); }));
  model.def_property_readonly("units", of([](const Model& m) { return units_of(m); }));
  model.def_property_readonly("gravity", of([](const Model& m) {
                                const double g[] = {m.gravity().x, m.gravity().y, m.gravity().z};
                                return to_array(g);
                              }));
  model.def_property_readonly("_parameters", of([](const Model& m) {
                                py::dict dict;
                                for (const ParameterValue& parameter : m.description().parameters)
                                  dict[py::str(parameter.name)] = parameter.value;
                                return dict;
                              }));
  model.def_property_readonly("fingerprint", [](ModelObject& self) { return self.fingerprint(); });
  model.def_property_readonly("_warnings", [](const ModelObject& self) {
    py::list list;
    for (const Diagnostic& diagnostic : self.warnings) list.append(to_text(diagnostic));
    return list;
  });
  model.def_property_readonly("text", [](const ModelObject& self) { return self.text; });
  model.def_property_readonly("path", [](const ModelObject& self) { return self.path; });
  model.def_property_readonly("folder", [](const ModelObject& self) { return self.folder; });
  model.def_property_readonly("_sets", [](const ModelObject& self) { return self.sets; });
  model.def_property_readonly("initial", [](const py::object& self) {
    const ModelObject& object = model_of(self);
    return make_state(self, object, object.model->initial_state());
  });
  model.def("_mode_words", [](const ModelObject& self, size_t mode) { return self.model->modes().at(mode).words; });
  model.def("_read_state", [](const py::object& self, const std::string& text) { return read_state_text(self, text); });

  py::class_<StateObject> state(module, "State",
                                "Everything that determines the motion to come: t, q, v, modes and memory of a model.");
  g_state_type = reinterpret_cast<PyTypeObject*>(state.ptr());
  state.def(py::init([](const py::object& owner) {
              const ModelObject& object = model_of(owner);
              return StateObject{owner, object.model, object.model->initial_state()};
            }),
            py::arg("model"));
  state.def_property(
      "t", [](const StateObject& self) { return self.state.t; },
      [](StateObject& self, double t) {
        if (!std::isfinite(t)) raise_usage("t is not finite");
        self.state.t = t;
      });
  state.def_property(
      "q", [](const py::object& self) { return view_of(find_state(self.ptr())->state.q, self); },
      [](StateObject& self, const py::object& values) { assign(self.state.q, values, "q"); });
  state.def_property(
      "v", [](const py::object& self) { return view_of(find_state(self.ptr())->state.v, self); },
      [](StateObject& self, const py::object& values) { assign(self.state.v, values, "v"); });
  state.def_property_readonly("model", [](const StateObject& self) { return self.owner; });
  state.def_property_readonly("modes", &modes_of);
  state.def_property_readonly("memory", [](const StateObject& self) { return to_array(self.state.memory); });
  state.def_property_readonly("inputs", [](const StateObject& self) {
    py::dict dict;
    for (const Input& input : self.model->inputs()) dict[py::str(input.name)] = self.state.q[input.q];
    return dict;
  });
  state.def("__getitem__", [](StateObject& self, const std::string& name) {
    if (const double* value = find_value(self, name)) return *value;
    raise_unknown("value", name, names_of_state(*self.model));
  });
  state.def("__setitem__", [](StateObject& self, const std::string& name, const py::object& given) {
    double* value = find_value(self, name);
    if (value == nullptr) raise_unknown("value", name, names_of_state(*self.model));
    const double number = read_value(given);
    if (!std::isfinite(number)) raise_usage(fmt::format("the value of '{}' is not finite", name));
    *value = number;
  });
  state.def("__contains__", [](StateObject& self, const std::string& name) { return find_value(self, name) != nullptr; });
  state.def("keys", [](const StateObject& self) { return names_of_state(*self.model); });
  state.def("copy", [](const StateObject& self) { return self; });
  state.def("__copy__", [](const StateObject& self) { return self; });
  state.def("__deepcopy__", [](const StateObject& self, const py::dict&) { return self; });
  state.def("__eq__", [](const StateObject& self, const py::object& other) -> py::object {
    const StateObject* object = find_state(other.ptr());
    if (object == nullptr) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    const bool same_names = self.model == object->model || (self.model->coordinate_names() == object->model->coordinate_names() &&
                                                            self.model->velocity_names() == object->model->velocity_names());
    return py::bool_(same_names && equal(self.state, object->state));
  });
  state.attr("__hash__") = py::none();
  state.def("to_dict",
            [](const StateObject& self) { return py::module_::import("json").attr("loads")(state_json(self).dump()); });
  state.def("_text", [](const StateObject& self) { return state_json(self).dump(); });
  state.def("__repr__", [](const StateObject& self) {
    std::string text = fmt::format("State(t={}", self.state.t);
    const auto add = [&](const std::vector<std::string>& names, const std::vector<double>& values) {
      for (size_t i = 0; i < values.size() && i < 8; ++i) text += fmt::format(", {}={:.6g}", names[i], values[i]);
      if (values.size() > 8) text += ", ..";
    };
    add(self.model->coordinate_names(), self.state.q);
    add(self.model->velocity_names(), self.state.v);
    return text + ")";
  });
  state.def(py::pickle(&pickle_state, &unpickle_state));

  module.def("_number_text", &number_text);
  module.def("_read_value", &read_value);
  // The text of a model file, or what is wrong with the robot; and what was left behind.
  module.def("_convert_urdf", [](const std::string& xml, const std::string& path, bool floating_base, bool accept_inertia) {
    Diagnostics diagnostics(path);
    const auto conversion = convert_urdf(xml, diagnostics, {floating_base, accept_inertia});
    const auto text = conversion ? write_conversion(*conversion, diagnostics) : std::nullopt;
    if (!text) raise_model(diagnostics);
    py::list losses, remarks;
    for (const LossNote& note : conversion->losses) losses.append(to_text(note));
    for (const LossNote& note : conversion->remarks) remarks.append(to_text(note));
    return py::make_tuple(*text, losses, remarks);
  });
}

}  // namespace vinculum::python
