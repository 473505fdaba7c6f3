// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/core.h>

#include "objects.h"
#include "vinculum/constrained/constrained_derivatives.h"
#include "vinculum/constrained/singular_position.h"
#include "vinculum/constraints/assembly.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/decision/settle_joints.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/dynamics/applied.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_reduction.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_variants.h"

namespace vinculum::python {

namespace {

constexpr double kAllowedResidual = 1e-8;  // of constraints at a state, as in the command evaluate

// Up to so many velocities an evaluation takes less time than handing the GIL to another thread and back.
constexpr int kHeld = 64;

template <class Compute>
void without_lock(const Model& model, const Compute& compute) {
  if (model.tree().velocities <= kHeld) return compute();
  const py::gil_scoped_release release;
  compute();
}

// ---- calls without a frame -------------------------------------------------------------------------------------------------

// The arguments of a call as CPython hands them over; what is not given is null.
struct Signature {
  const char* function;
  int positional, required;  // of the names below
  std::vector<const char*> names;
};

void read_arguments(const Signature& signature, PyObject* const* args, Py_ssize_t count, PyObject* names, PyObject** values) {
  if (count > signature.positional)
    throw py::type_error(
        fmt::format("{}() takes {} positional arguments but {} were given", signature.function, signature.positional, count));
  for (Py_ssize_t i = 0; i < count; ++i) values[i] = args[i];
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* const name = PyTuple_GET_ITEM(names, k);
    const auto known = std::find_if(signature.names.begin(), signature.names.end(),
                                    [&](const char* each) { return PyUnicode_CompareWithASCIIString(name, each) == 0; });
    if (known == signature.names.end())
      throw py::type_error(
          fmt::format("{}() got an unexpected keyword argument '{}'", signature.function, PyUnicode_AsUTF8(name)));
    PyObject*& value = values[known - signature.names.begin()];
    if (value != nullptr)
      throw py::type_error(fmt::format("{}() got multiple values for argument '{}'", signature.function, *known));
    value = args[count + k];
  }
  for (int i = 0; i < signature.required; ++i) {
    if (values[i] == nullptr)
      throw py::type_error(fmt::format("{}() missing the argument '{}'", signature.function, signature.names[i]));
  }
  for (size_t i = 0; i < signature.names.size(); ++i) {
    if (values[i] == Py_None) values[i] = nullptr;
  }
}

// What a method of Model sees of its call.
struct Call {
  ModelObject& object;
  const Model& model;
  const State& state;
  PyObject** values;  // by the names of the signature; 0 is the state
};

template <class Compute>
PyObject* answer(const Signature& signature, PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names,
                 const Compute& compute) {
  try {
    PyObject* values[8] = {};
    ModelObject* const object = find_model(self);
    if (object == nullptr) throw py::type_error("this Model was never made: use Model.from_file or Model.from_string");
    read_arguments(signature, args, count, names, values);
    const StateObject* const state = values[0] == nullptr ? nullptr : find_state(values[0]);
    if (state == nullptr)
      throw py::type_error(fmt::format("{}() needs a State, not {}", signature.function,
                                       values[0] == nullptr ? "None" : Py_TYPE(values[0])->tp_name));
    const State& checked = checked_state(*object, *state);
    if (object->model->tree().velocities <= kHeld) return compute(Call{*object, *object->model, checked, values});
    const State copy = checked;  // other threads may write to the State meanwhile
    return compute(Call{*object, *object->model, copy, values});
  } catch (const Raised& raised) {
    set_python_error(raised);
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// A vector of a velocity each, into `out` or a new array.
PyObject* put(std::span<const double> values, PyObject* out) {
  const auto size = static_cast<py::ssize_t>(values.size());
  if (out != nullptr) {
    if (double* const to = find_doubles(out, size, true)) {
      std::memcpy(to, values.data(), values.size() * sizeof(double));
      Py_INCREF(out);
      return out;
    }
    py::array_t<double> array = take_out(out, {size});
    std::memcpy(array.mutable_data(), values.data(), values.size() * sizeof(double));
    return array.release().ptr();
  }
  return to_array(values).release().ptr();
}

// What acts beside the laws of the model, in memory of its own.
struct Loads {
  std::vector<double> tau;
  std::vector<Wrench> wrenches;
  Applied applied() const { return {tau, wrenches}; }
  bool empty() const { return tau.empty() && wrenches.empty(); }
};

std::vector<double> read_velocities(const Model& model, PyObject* given, const char* what) {
  const py::ssize_t shape[] = {model.tree().velocities};
  return read_numbers(given, shape, what, &model.velocity_names());
}

Loads read_loads(const Model& model, PyObject* tau, PyObject* wrenches) {
  Loads loads;
  if (tau != nullptr) loads.tau = read_velocities(model, tau, "tau");
  if (wrenches != nullptr) {
    const auto bodies = static_cast<py::ssize_t>(model.bodies().size());
    const py::ssize_t shape[] = {bodies, 6};
    const std::vector<double> numbers = read_numbers(wrenches, shape, "wrenches");
    for (py::ssize_t b = 0; b < bodies; ++b) {
      const double* w = &numbers[6 * b];
      loads.wrenches.push_back({{w[0], w[1], w[2]}, {w[3], w[4], w[5]}});
    }
  }
  return loads;
}

// ---- forward dynamics ------------------------------------------------------------------------------------------------------

// The faces of guides that carry, as the command evaluate chooses them; true: friction holds the load at rest.
bool choose_guides(ConstraintSet& set, State& state, ConstraintRows& rows, Workspace& workspace) {
  bool rests = false;
  if (guides_rest(set, rows) && compute_energy(set.model, state, workspace).kinetic == 0) {
    const auto standing = decide_standing(set, state, workspace);
    if (!standing) raise(standing.failure());
    rests = standing->answer == Standing::Answer::rest;
    if (rests) {
      load_faces(set, rows, list_guided_pairs(set), standing->rest.signed_reactions, 0);
    } else {
      set.set_modes(standing->modes);
      state = standing->leaving;
    }
  } else if (const auto failure = choose_faces(set, state, workspace)) {
    raise(*failure);
  }
  auto there = compute_constraint_rows(set, state);
  if (!there) raise(there.failure());
  rows = std::move(*there);
  return rests;
}

// v' with constraints, as evaluate gives it.
std::vector<double> constrained_accelerations(const Model& model, State state, Workspace& workspace, const Loads& loads) {
  if (const auto failure = find_taut_strings(model, state, true)) raise(*failure);
  if (const auto failure = settle_joint_friction(model, state, true)) raise(*failure);
  ConstraintSet set(model, state);
  if (set.is_plain_tree()) {
    auto dynamics = compute_forward_dynamics(model, state, workspace, loads.applied());
    if (!dynamics) raise(dynamics.failure());
    return std::move(dynamics->accelerations);
  }
  if (!model.face_pairs().empty() && !loads.empty())
    throw Raised{Trouble::unsupported, "VN-PYTHON-005", "forces from outside are not taken by models with guides",
                 "declare them in the model, under `forces` and `inputs`"};
  const AppliedScope scope(workspace, loads.applied());
  auto rows = compute_constraint_rows(set, state);
  if (!rows) raise(rows.failure());
  if (const auto contradiction = find_contradiction(set, state, *rows, workspace)) raise(*contradiction);
  if (const auto violation = check_residuals(set, list_residuals(set, *rows), kAllowedResidual)) raise(*violation);
  if (const auto singular = check_regular_position(set, state, workspace)) raise(*singular);
  const bool rests = !model.face_pairs().empty() && choose_guides(set, state, *rows, workspace);
  const bool sticks = std::ranges::any_of(model.face_pairs(), [&](const FacePair& pair) { return pair.sticks(set.modes); });
  auto dynamics = rests    ? compute_rest_dynamics(set, state, workspace)
                  : sticks ? compute_held_dynamics(set, state, workspace)
                           : compute_constrained_dynamics(set, state, workspace);
  if (!dynamics) raise(dynamics.failure());
  return std::move(dynamics->dynamics.accelerations);
}

// Nothing but the tree: no rows, no modes that could make some.
bool is_free(const Model& model, const State& state) {
  return model.is_plain_tree() && (state.modes.empty() || state.modes == model.usual_modes());
}

PyObject* forward(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"forward", 3, 1, {"state", "tau", "wrenches", "out"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    Borrowed scratch(object);
    const bool is_loaded = values[1] != nullptr || values[2] != nullptr;
    if (!is_free(model, state)) {
      const Loads loads = read_loads(model, values[1], values[2]);
      return put(constrained_accelerations(model, state, scratch->workspace, loads), values[3]);
    }
    bool good = false;
    Loads loads;
    if (is_loaded) {
      loads = read_loads(model, values[1], values[2]);
      good = compute_accelerations(model, state.t, state.q, state.v, scratch->values, scratch->workspace, loads.applied());
    } else {
      without_lock(model, [&, &model = model, &state = state] {
        good = compute_accelerations(model, state.t, state.q, state.v, scratch->values, scratch->workspace);
      });
    }
    if (!good) {
      const auto reason = compute_forward_dynamics(model, state, scratch->workspace, loads.applied());
      if (!reason) raise(reason.failure());
      std::copy(reason->accelerations.begin(), reason->accelerations.end(), scratch->values.begin());
    }
    return put(scratch->values, values[3]);
  });
}

PyObject* inverse(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"inverse", 3, 2, {"state", "a", "wrenches", "out"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    if (values[1] == nullptr) throw py::type_error("inverse() needs accelerations");
    Borrowed scratch(object);
    std::vector<double> read;
    const double* plain = find_doubles(values[1], model.tree().velocities, false);
    if (plain == nullptr || !std::all_of(plain, plain + model.tree().velocities, [](double a) { return std::isfinite(a); })) {
      read = read_velocities(model, values[1], "a");
      plain = read.data();
    }
    const std::span<const double> a(plain, static_cast<size_t>(model.tree().velocities));
    if (values[2] != nullptr) {
      const Loads loads = read_loads(model, nullptr, values[2]);
      compute_forces(model, state.t, state.q, state.v, a, scratch->values, scratch->workspace, loads.applied());
    } else {
      without_lock(model, [&, &model = model, &state = state] {
        compute_forces(model, state.t, state.q, state.v, a, scratch->values, scratch->workspace);
      });
    }
    return put(scratch->values, values[3]);
  });
}

PyObject* bias(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"bias", 1, 1, {"state", "out"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    Borrowed scratch(object);
    compute_forces(model, state.t, state.q, state.v, scratch->zeros, scratch->values, scratch->workspace);
    return put(scratch->values, values[1]);
  });
}

PyObject* coordinate_rates(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"coordinate_rates", 1, 1, {"state", "out"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    std::vector<double> rates(state.q.size(), 0.0), scratch;
    compute_coordinate_rates(model, state.q, state.v, rates);
    compute_extra_rates(model, state.t, state.q, state.v, rates, scratch);
    return put(rates, values[1]);
  });
}

PyObject* mass_matrix(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"mass_matrix", 1, 1, {"state", "out"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    const py::ssize_t n = model.tree().velocities;
    py::array_t<double> array = take_out(values[1], {n, n});
    Borrowed scratch(object);
    without_lock(
        model, [&, &model = model, &state = state] { compute_mass_matrix(model, state.q, scratch->workspace, scratch->matrix); });
    double* to = array.mutable_data();
    for (py::ssize_t i = 0; i < n; ++i) {
      for (py::ssize_t j = 0; j < n; ++j) *to++ = scratch->matrix(i, j);
    }
    return array.release().ptr();
  });
}

PyObject* poses(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"poses", 1, 1, {"state"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    Borrowed scratch(object);
    compute_body_motions(model, state.q, state.v, scratch->motions, scratch->workspace);
    const auto bodies = static_cast<py::ssize_t>(model.bodies().size());
    py::array_t<double> R({bodies, py::ssize_t{3}, py::ssize_t{3}}), p({bodies, py::ssize_t{3}});
    double *to_R = R.mutable_data(), *to_p = p.mutable_data();
    for (const BodyMotion& motion : scratch->motions) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) *to_R++ = motion.R_WB(i, j);
      }
      for (const double x : {motion.p_WB.x, motion.p_WB.y, motion.p_WB.z}) *to_p++ = x;
    }
    return py::make_tuple(R, p).release().ptr();
  });
}

PyObject* twists(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"twists", 1, 1, {"state"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    Borrowed scratch(object);
    compute_body_motions(model, state.q, state.v, scratch->motions, scratch->workspace);
    py::array_t<double> V({static_cast<py::ssize_t>(model.bodies().size()), py::ssize_t{6}});
    double* to = V.mutable_data();
    for (const BodyMotion& motion : scratch->motions) {
      const auto& [linear, angular] = motion.V_WB_W;
      for (const double x : {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z}) *to++ = x;
    }
    return V.release().ptr();
  });
}

BodyPoint read_point(const Model& model, PyObject* body, PyObject* point) {
  BodyPoint result;
  if (body == nullptr || !PyUnicode_Check(body)) throw py::type_error("body must be the name of a body");
  const auto name = py::cast<std::string>(body);
  const auto found = model.find_body(name);
  if (!found || *found == kWorld) {
    std::vector<std::string> known;
    for (const Body& each : model.bodies()) known.push_back(each.name);
    raise_unknown("body", name, known);
  }
  result.body = *found;
  if (point != nullptr) {
    const py::ssize_t shape[] = {3};
    const std::vector<double> p = read_numbers(point, shape, "point");
    result.p_B = {p[0], p[1], p[2]};
  }
  return result;
}

template <class Fill>
PyObject* answer_jacobian(const Call& call, const Fill& fill) {
  const auto& [object, model, state, values] = call;
  const BodyPoint point = read_point(model, values[1], values[2]);
  py::array_t<double> array = take_out(values[3], {6, model.tree().velocities});
  Borrowed scratch(object);
  place_bodies(model, state, scratch->workspace);
  Jacobian J;
  fill(model, scratch->workspace, point, J);
  double* to = array.mutable_data();
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    for (Eigen::Index j = 0; j < J.cols(); ++j) *to++ = J(i, j);
  }
  return array.release().ptr();
}

PyObject* jacobian(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"jacobian", 3, 2, {"state", "body", "point", "out"}};
  return answer(signature, self, args, count, names, [](const Call& call) { return answer_jacobian(call, &compute_jacobian); });
}

PyObject* jacobian_rate(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"jacobian_rate", 3, 2, {"state", "body", "point", "out"}};
  return answer(signature, self, args, count, names,
                [](const Call& call) { return answer_jacobian(call, &compute_jacobian_rate); });
}

PyObject* regressor(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static const Signature signature{"regressor", 2, 2, {"state", "a", "out"}};
  return answer(signature, self, args, count, names, [](const Call& call) {
    const auto& [object, model, state, values] = call;
    if (values[1] == nullptr) throw py::type_error("regressor() needs accelerations");
    const std::vector<double> a = read_velocities(model, values[1], "a");
    const py::ssize_t columns = kInertialParameters * static_cast<py::ssize_t>(model.bodies().size());
    py::array_t<double> array = take_out(values[2], {model.tree().velocities, columns});
    Borrowed scratch(object);
    RowMatrix Y;
    compute_inertia_regressor(model, state, a, scratch->derivatives_of(model), Y);
    std::memcpy(array.mutable_data(), Y.data(), static_cast<size_t>(Y.size()) * sizeof(double));
    return array.release().ptr();
  });
}

// ---- calls of the ordinary kind --------------------------------------------------------------------------------------------

PyObject* pointer_of(const py::object& object) { return object.is_none() ? nullptr : object.ptr(); }

py::tuple forward_derivatives(ModelObject& object, const StateObject& given, const py::object& tau, const py::object& wrenches) {
  const Model& model = *object.model;
  const State& state = checked_state(object, given);
  Borrowed scratch(object);
  const Loads loads = read_loads(model, pointer_of(tau), pointer_of(wrenches));
  if (is_free(model, state)) {
    ForwardDerivatives result;
    const auto failure = compute_forward_derivatives(model, state, scratch->derivatives_of(model), result, loads.applied());
    if (failure) raise(*failure);
    return py::make_tuple(to_array(result.accelerations), to_matrix_array(result.by_q), to_matrix_array(result.by_v),
                          to_matrix_array(result.by_tau));
  }
  if (const auto refusal = refuse_joint_friction(model, "the derivative of forward dynamics")) raise(*refusal);
  State start = state;
  if (const auto failure = find_taut_strings(model, start, true)) raise(*failure);
  ConstraintSet set(model, start);
  ConstrainedDifferentiator differentiator(set);
  const auto result = differentiator.compute(start, loads.applied());
  if (!result) raise(result.failure());
  return py::make_tuple(to_array(std::span<const double>(result->accelerations.data(), result->accelerations.size())),
                        to_matrix_array(result->by_q), to_matrix_array(result->by_v), to_matrix_array(result->by_tau));
}

py::tuple inverse_derivatives(ModelObject& object, const StateObject& given, const py::object& a, const py::object& wrenches) {
  const Model& model = *object.model;
  const State& state = checked_state(object, given);
  const std::vector<double> accelerations = read_velocities(model, a.ptr(), "a");
  Borrowed scratch(object);
  InverseDerivatives result;
  const auto failure = compute_inverse_derivatives(model, state, accelerations, scratch->derivatives_of(model), result,
                                                   read_loads(model, nullptr, pointer_of(wrenches)).applied());
  if (failure) raise(*failure);
  return py::make_tuple(to_matrix_array(result.by_q), to_matrix_array(result.by_v), to_matrix_array(result.by_acceleration));
}

py::array_t<double> to_array(const Vector3& a) {
  const double numbers[] = {a.x, a.y, a.z};
  return python::to_array(std::span<const double>(numbers));
}

PyMethodDef kHot[] = {
#define VINCULUM_METHOD(name, text) \
  { #name, reinterpret_cast < PyCFunction>(reinterpret_cast <void (*)()>(&name)), METH_FASTCALL | METH_KEYWORDS, text }
    VINCULUM_METHOD(
        forward,
        "forward(state, tau=None, wrenches=None, *, out=None)\n\n"
        "Accelerations v' under the laws of the model, and of `tau` (one force a velocity) and `wrenches` (bodies, 6;\n"
        "world axes, force first, about the body origins) beside them. With constraints: the constrained ones."),
    VINCULUM_METHOD(inverse,
                    "inverse(state, a, wrenches=None, *, out=None)\n\n"
                    "A v' + h: the forces that drives and `joint:` laws must supply for the accelerations `a`."),
    VINCULUM_METHOD(bias, "bias(state, *, out=None)\n\nh of A v' + h = tau: gravity, velocity terms, forces on bodies."),
    VINCULUM_METHOD(coordinate_rates, "coordinate_rates(state, *, out=None)\n\nq' = N(q) v, and the rates of `states`."),
    VINCULUM_METHOD(mass_matrix, "mass_matrix(state, *, out=None)\n\nA(q), in the order of the velocities."),
    VINCULUM_METHOD(poses, "poses(state)\n\n(R, p) of every body: R (bodies, 3, 3) from body to world axes, p (bodies, 3)."),
    VINCULUM_METHOD(twists,
                    "twists(state)\n\nVelocity of the origin and angular velocity of every body, world axes: (bodies, 6)."),
    VINCULUM_METHOD(jacobian,
                    "jacobian(state, body, point=(0, 0, 0), *, out=None)\n\n"
                    "J (6, velocities) of a point of a body, given in its axes: twist = J v, world axes, linear part first."),
    VINCULUM_METHOD(jacobian_rate, "jacobian_rate(state, body, point=(0, 0, 0), *, out=None)\n\nJ': acceleration = J v' + J' v."),
    VINCULUM_METHOD(regressor,
                    "regressor(state, a, *, out=None)\n\n"
                    "Y (velocities, 10 bodies): A v' + h without forces on bodies = Y @ inertial_parameters."),
#undef VINCULUM_METHOD
};

}  // namespace

void add_dynamics(py::module_& module) {
  const py::object type = module.attr("Model");
  for (PyMethodDef& method : kHot) {
    const auto descriptor =
        py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method));
    if (!descriptor) throw py::error_already_set();
    py::setattr(type, method.ml_name, descriptor);
  }
  auto model = py::reinterpret_borrow<py::class_<ModelObject>>(type);
  model.def("_forward_derivatives", &forward_derivatives);
  model.def("_inverse_derivatives", &inverse_derivatives);
  model.def_property_readonly("inertial_parameters", [](const ModelObject& self) {
    return python::to_array(std::span<const double>(inertial_parameters(*self.model)));
  });
  model.def("_assemble", [](const py::object& self, const py::object& given, const std::vector<std::string>& hold) {
    const ModelObject& object = model_of(self);
    const State start = start_of(object, given);
    const auto held = find_held(*object.model, hold);
    if (!held) raise(held.failure(), Trouble::usage);
    Workspace workspace(*object.model);
    ConstraintSet set(*object.model, start);
    set.leave_out(list_held_joints(*object.model));
    const auto assembly = assemble(set, start, workspace, *held);
    if (!assembly) raise(assembly.failure());
    return make_state(self, object, assembly->state);
  });
  model.def("_energy", [](ModelObject& self, const StateObject& state) {
    Borrowed scratch(self);
    const Energy energy = compute_energy(*self.model, checked_state(self, state), scratch->workspace);
    return py::make_tuple(energy.kinetic, energy.potential);
  });
  model.def("_momentum", [](ModelObject& self, const StateObject& state) {
    Borrowed scratch(self);
    const Momentum m = compute_momentum(*self.model, checked_state(self, state), scratch->workspace);
    return py::make_tuple(m.mass, to_array(m.center), to_array(m.linear), to_array(m.angular), to_array(m.central));
  });
}

}  // namespace vinculum::python
