// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/core.h>

#include "objects.h"
#include "vinculum/dynamics/batch.h"
#include "vinculum/simulation/ensemble.h"

namespace vinculum::python {

namespace {

constexpr py::ssize_t kNumber = sizeof(double);

// Many states of one model side by side. Value i of state k stands at [i count + k]: as an array (n, values) in Fortran order,
// which is what t, q and v are views of.
struct BatchObject {
  BatchObject(py::object model, int count, int threads)
      : owner(std::move(model)), model(model_of(owner).model), batch(*this->model, threads) {
    const State& start = this->model->initial_state();
    states.count = count;
    states.t.assign(static_cast<size_t>(count), start.t);
    const auto fill = [&](std::vector<double>& values, const std::vector<double>& from) {
      values.resize(from.size() * static_cast<size_t>(count));
      for (size_t i = 0; i < from.size(); ++i)
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(i * static_cast<size_t>(count)), count, from[i]);
    };
    fill(states.q, start.q);
    fill(states.v, start.v);
  }

  py::object owner;
  std::shared_ptr<const Model> model;
  Batch batch;
  StateBatch states;
  std::vector<int> undetermined;
  std::atomic<bool> busy{false};

  py::ssize_t count() const { return states.count; }
  py::ssize_t velocities() const { return model->tree().velocities; }
};

// One thread at a time: another one gets an exception, not a mixture.
class InUse {
 public:
  explicit InUse(std::atomic<bool>& busy) : busy_(busy) {
    if (busy_.exchange(true))
      throw Raised{Trouble::usage, "VN-PYTHON-003", "this Batch is in use by another thread", "make a Batch for each thread"};
  }
  ~InUse() { busy_ = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic<bool>& busy_;
};

py::array view_of(std::vector<double>& values, py::ssize_t count, py::ssize_t width, const py::object& owner) {
  return py::array_t<double>({count, width}, {kNumber, kNumber * count}, values.data(), owner);
}

// (count, width) in the order of the library: Fortran's. A new one, or `out` if it is one.
py::array_t<double> take_columns(const py::object& out, py::ssize_t count, py::ssize_t width) {
  if (out.is_none()) return py::array_t<double>(std::vector<py::ssize_t>{count, width}, {kNumber, kNumber * count});
  if (!py::isinstance<py::array_t<double>>(out)) throw py::type_error("out must be a numpy array of float64");
  auto array = py::reinterpret_borrow<py::array_t<double>>(out);
  if (array.ndim() != 2 || array.shape(0) != count || array.shape(1) != width || !array.writeable() ||
      (width > 1 && count > 1 && (array.strides(0) != kNumber || array.strides(1) != kNumber * count)) ||
      (array.flags() & py::array::f_style) == 0)
    throw Raised{Trouble::usage, "VN-PYTHON-002",
                 fmt::format("out must be a writable array ({}, {}) of float64 in Fortran order", count, width),
                 fmt::format("make it with numpy.empty(({}, {}), order='F')", count, width)};
  return array;
}

// (count, width), finite, in the order of the library.
std::vector<double> read_columns(const py::object& given, py::ssize_t count, py::ssize_t width, const char* what) {
  const py::ssize_t shape[] = {count, width};
  const std::vector<double> rows = read_numbers(given, shape, what);
  std::vector<double> columns(rows.size());
  for (py::ssize_t k = 0; k < count; ++k) {
    for (py::ssize_t i = 0; i < width; ++i) columns[i * count + k] = rows[k * width + i];
  }
  return columns;
}

// An array in the order of the library already is used as it is, other ones are copied.
struct Columns {
  py::object keep;
  std::vector<double> copy;
  std::span<const double> values;
};
Columns take_input(const py::object& given, py::ssize_t count, py::ssize_t width, const char* what) {
  Columns columns;
  const auto size = static_cast<size_t>(count * width);
  if (py::isinstance<py::array_t<double>>(given)) {
    const auto array = py::reinterpret_borrow<py::array_t<double>>(given);
    if (array.ndim() == 2 && array.shape(0) == count && array.shape(1) == width && (array.flags() & py::array::f_style) != 0) {
      columns.values = {array.data(), size};
      columns.keep = given;
      for (size_t i = 0; i < size; ++i) {
        if (std::isfinite(columns.values[i])) continue;
        throw Raised{Trouble::usage, "VN-PYTHON-002",
                     fmt::format("{} is not finite in state {}", what, i % static_cast<size_t>(count)), ""};
      }
      return columns;
    }
  }
  columns.copy = read_columns(given, count, width, what);
  columns.values = columns.copy;
  return columns;
}

// By the bits, side by side in registers: an exponent of ones is infinite or no number.
bool is_finite(std::span<const double> values) {
  constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000;
  std::uint64_t others = 0;
  for (const double value : values)
    others |= static_cast<std::uint64_t>((std::bit_cast<std::uint64_t>(value) & kExponent) == kExponent);
  return others == 0;
}

// The first state that is not finite, as an error; quaternions of length 1.
void check_states(const BatchObject& batch) {
  const auto count = static_cast<size_t>(batch.count());
  const auto check = [&](const std::vector<double>& values, const auto& name) {
    if (is_finite(values)) return;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i]))
        throw Raised{Trouble::usage, "VN-PYTHON-002", fmt::format("state {} is not finite: {}", i % count, name(i / count)), ""};
    }
  };
  check(batch.states.t, [](size_t) { return std::string("t"); });
  check(batch.states.q, [&](size_t i) { return batch.model->coordinate_names()[i]; });
  check(batch.states.v, [&](size_t i) { return batch.model->velocity_names()[i]; });
  for (const int first : model_of(batch.owner).quaternions) {
    for (size_t k = 0; k < count; ++k) {
      double square = 0;
      for (size_t i = 0; i < 4; ++i) {
        const double part = batch.states.q[(static_cast<size_t>(first) + i) * count + k];
        square += part * part;
      }
      if (std::abs(square - 1) > 1e-6)
        throw Raised{Trouble::usage, "VN-PYTHON-002",
                     fmt::format("the quaternion from {} on has length {:.9g} in state {}",
                                 batch.model->coordinate_names()[static_cast<size_t>(first)], std::sqrt(square), k),
                     "divide its four numbers by that length"};
    }
  }
}

// Wrenches (count, bodies, 6), if there are any.
std::vector<double> take_wrenches(const BatchObject& self, const py::object& given) {
  if (given.is_none()) return {};
  const py::ssize_t count = self.count(), bodies = static_cast<py::ssize_t>(self.model->bodies().size());
  const py::ssize_t shape[] = {count, bodies, 6};
  const std::vector<double> rows = read_numbers(given, shape, "wrenches");
  std::vector<double> columns(rows.size());
  for (py::ssize_t k = 0; k < count; ++k) {
    for (py::ssize_t i = 0; i < 6 * bodies; ++i) columns[i * count + k] = rows[k * 6 * bodies + i];
  }
  return columns;
}

py::array_t<double> batch_forward(BatchObject& self, const py::object& tau, const py::object& wrenches, const py::object& out) {
  const InUse in_use(self.busy);
  Columns forces;
  if (!tau.is_none()) forces = take_input(tau, self.count(), self.velocities(), "tau");
  const std::vector<double> of_bodies = take_wrenches(self, wrenches);
  py::array_t<double> a = take_columns(out, self.count(), self.velocities());
  check_states(self);
  const std::span<double> into(a.mutable_data(), static_cast<size_t>(a.size()));
  std::vector<int> undetermined;
  {
    const py::gil_scoped_release release;
    undetermined = compute_accelerations(self.batch, self.states, into, forces.values, of_bodies);
  }
  self.undetermined = std::move(undetermined);
  return a;
}

py::array_t<double> batch_inverse(BatchObject& self, const py::object& accelerations, const py::object& wrenches,
                                  const py::object& out) {
  const InUse in_use(self.busy);
  const Columns a = take_input(accelerations, self.count(), self.velocities(), "a");
  const std::vector<double> of_bodies = take_wrenches(self, wrenches);
  py::array_t<double> tau = take_columns(out, self.count(), self.velocities());
  check_states(self);
  const std::span<double> into(tau.mutable_data(), static_cast<size_t>(tau.size()));
  const py::gil_scoped_release release;
  compute_forces(self.batch, self.states, a.values, into, of_bodies);
  return tau;
}

// Results of the library in memory that goes with the array.
py::array_t<double> hand_over(std::vector<double> values, const std::vector<py::ssize_t>& shape,
                              const std::vector<py::ssize_t>& strides, py::ssize_t offset = 0, py::object base = {}) {
  if (!base) {
    auto* const kept = new std::vector<double>(std::move(values));
    base = py::capsule(kept, [](void* pointer) { delete static_cast<std::vector<double>*>(pointer); });
    return py::array_t<double>(shape, strides, kept->data() + offset, base);
  }
  return {};
}

py::array_t<double> batch_mass_matrices(BatchObject& self) {
  const InUse in_use(self.busy);
  check_states(self);
  const py::ssize_t n = self.velocities(), count = self.count();
  std::vector<double> values(static_cast<size_t>(n * n * count));
  {
    const py::gil_scoped_release release;
    compute_mass_matrices(self.batch, self.states, values);
  }
  return hand_over(std::move(values), {count, n, n}, {kNumber, kNumber * n * count, kNumber * count});
}

py::tuple batch_poses(BatchObject& self) {
  const InUse in_use(self.busy);
  check_states(self);
  const auto bodies = static_cast<py::ssize_t>(self.model->bodies().size());
  const py::ssize_t count = self.count();
  auto* const values = new std::vector<double>(static_cast<size_t>(18 * bodies * count));
  const py::capsule base(values, [](void* pointer) { delete static_cast<std::vector<double>*>(pointer); });
  {
    const py::gil_scoped_release release;
    compute_body_motions(self.batch, self.states, *values);
  }
  // 18 numbers a body: R by columns, p.
  const py::ssize_t body = kNumber * 18 * count, number = kNumber * count;
  const py::array_t<double> R({count, bodies, py::ssize_t{3}, py::ssize_t{3}}, {kNumber, body, number, 3 * number},
                              values->data(), base);
  const py::array_t<double> p({count, bodies, py::ssize_t{3}}, {kNumber, body, number}, values->data() + 9 * count, base);
  return py::make_tuple(R, p);
}

// ---- ensembles -------------------------------------------------------------------------------------------------------------

py::dict ensemble(const py::object& owner, const py::object& q, const py::object& v, double t, double until, int threads,
                  double tolerance, int order, const std::string& stop_at) {
  const ModelObject& object = model_of(owner);
  const Model& model = *object.model;
  if (threads < 1 || threads > 4096) raise_usage(fmt::format("threads must lie between 1 and 4096, not {}", threads));
  if (!std::isfinite(until) || !std::isfinite(t)) raise_usage("times must be finite");
  if (!(tolerance > 0 && tolerance < 1)) raise_usage("tolerance must lie between 0 and 1", "for example 1e-10");
  const State& start = model.initial_state();
  const auto nq = static_cast<py::ssize_t>(start.q.size()), nv = static_cast<py::ssize_t>(start.v.size());
  // What is not given is that of the start, in as many motions as the other has.
  const auto numpy = py::module_::import("numpy");
  const auto rows_of = [&](const py::object& given) {
    return given.is_none() ? py::ssize_t{-1} : py::cast<py::ssize_t>(numpy.attr("shape")(given).attr("__getitem__")(0));
  };
  const py::ssize_t count = std::max(rows_of(q), rows_of(v));
  if (count < 0) raise_usage("an ensemble needs q or v", "arrays (motions, coordinates) and (motions, velocities)");
  const auto read = [&](const py::object& given, py::ssize_t width, const char* what, const std::vector<double>& usual) {
    std::vector<double> values;
    if (!given.is_none()) {
      const py::ssize_t shape[] = {count, width};
      return read_numbers(given, shape, what);
    }
    for (py::ssize_t k = 0; k < count; ++k) values.insert(values.end(), usual.begin(), usual.end());
    return values;
  };
  const std::vector<double> all_q = read(q, nq, "q", start.q), all_v = read(v, nv, "v", start.v);
  std::vector<State> starts;
  for (py::ssize_t k = 0; k < count; ++k) {
    starts.push_back(
        {t, {all_q.begin() + k * nq, all_q.begin() + (k + 1) * nq}, {all_v.begin() + k * nv, all_v.begin() + (k + 1) * nv}});
    check_state_numbers(object, starts.back());
  }
  EnsembleOptions options;
  options.until = until;
  options.threads = threads;
  options.tolerance = tolerance;
  options.order = order;
  options.stop_at = stop_at;
  SignalWatch watch;
  std::atomic<bool> stopped{false};
  const auto here = std::this_thread::get_id();
  options.stop = [&] {
    if (std::this_thread::get_id() == here && watch.wants_to_stop()) stopped = true;
    return stopped.load();
  };
  std::optional<Outcome<std::vector<EnsembleRun>>> runs;
  {
    const py::gil_scoped_release release;
    runs.emplace(run_ensemble(model, starts, options));
  }
  if (watch.has_stopped()) throw py::error_already_set();
  if (!*runs) raise(runs->failure());
  py::array_t<double> end_t(count), end_q({count, nq}), end_v({count, nv});
  py::array_t<long> steps(count);
  py::list events;
  py::dict failures;
  for (py::ssize_t k = 0; k < count; ++k) {
    const EnsembleRun& run = (**runs)[static_cast<size_t>(k)];
    end_t.mutable_at(k) = run.final.t;
    for (py::ssize_t i = 0; i < nq; ++i) end_q.mutable_at(k, i) = run.final.q[static_cast<size_t>(i)];
    for (py::ssize_t i = 0; i < nv; ++i) end_v.mutable_at(k, i) = run.final.v[static_cast<size_t>(i)];
    steps.mutable_at(k) = run.steps;
    for (const EnsembleRun::Event& event : run.events)
      events.append(py::make_tuple(k, model.events()[event.event].name, event.t, event.direction));
    if (run.failure)
      failures[py::int_(k)] =
          make_error({Trouble::motion, std::string(run.failure->code), run.failure->message, run.failure->hint});
  }
  py::dict answer;
  answer["t"] = end_t;
  answer["q"] = end_q;
  answer["v"] = end_v;
  answer["steps"] = steps;
  answer["events"] = events;
  answer["failures"] = failures;
  return answer;
}

}  // namespace

void add_batches(py::module_& module) {
  py::class_<BatchObject> batch(module, "Batch", "Many states of one model, computed side by side.");
  batch.def(py::init([](const py::object& model, py::ssize_t count, int threads) {
              const ModelObject& object = model_of(model);
              constexpr double kMostNumbers = 1e9;
              const double width = 2.0 + object.model->tree().coordinates + object.model->tree().velocities;
              if (count < 1 || static_cast<double>(count) * width > kMostNumbers)
                raise_usage(fmt::format("a batch has 1 to {:.0f} states of this model, not {}", kMostNumbers / width, count));
              if (threads < 1 || threads > 4096) raise_usage(fmt::format("threads must lie between 1 and 4096, not {}", threads));
              if (!object.model->is_plain_tree())
                throw Raised{Trouble::unsupported, "VN-PYTHON-005",
                             fmt::format("a batch is for trees: {} has no place in it", object.model->rows()[0].element),
                             "call forward() state by state"};
              return std::make_unique<BatchObject>(model, static_cast<int>(count), threads);
            }),
            py::arg("model"), py::arg("n"), py::kw_only(), py::arg("threads") = 1);
  const auto self_of = [](const py::object& self) -> BatchObject& { return self.cast<BatchObject&>(); };
  const auto set = [](std::vector<double>& values, const py::object& given, py::ssize_t count, py::ssize_t width,
                      const char* what) {
    const auto numpy = py::module_::import("numpy");
    const auto whole = numpy.attr("broadcast_to")(numpy.attr("asarray")(given), py::make_tuple(count, width));
    values = read_columns(whole, count, width, what);
  };
  batch.def_property(
      "t",
      [self_of](const py::object& self) -> py::array {
        BatchObject& object = self_of(self);
        return py::array_t<double>({object.count()}, {kNumber}, object.states.t.data(), self);
      },
      [](BatchObject& self, const py::object& given) {
        const auto numpy = py::module_::import("numpy");
        const auto whole = numpy.attr("broadcast_to")(numpy.attr("asarray")(given), py::make_tuple(self.count()));
        const py::ssize_t shape[] = {self.count()};
        const std::vector<double> values = read_numbers(whole, shape, "t");
        std::copy(values.begin(), values.end(), self.states.t.begin());
      });
  batch.def_property(
      "q",
      [self_of](const py::object& self) {
        BatchObject& object = self_of(self);
        return view_of(object.states.q, object.count(), object.model->tree().coordinates, self);
      },
      [set](BatchObject& self, const py::object& given) {
        std::vector<double> values;
        set(values, given, self.count(), self.model->tree().coordinates, "q");
        std::copy(values.begin(), values.end(), self.states.q.begin());
      });
  batch.def_property(
      "v",
      [self_of](const py::object& self) {
        BatchObject& object = self_of(self);
        return view_of(object.states.v, object.count(), object.velocities(), self);
      },
      [set](BatchObject& self, const py::object& given) {
        std::vector<double> values;
        set(values, given, self.count(), self.velocities(), "v");
        std::copy(values.begin(), values.end(), self.states.v.begin());
      });
  batch.def("__len__", &BatchObject::count);
  batch.def_property_readonly("model", [](const BatchObject& self) { return self.owner; });
  batch.def_property_readonly("lanes", [](const BatchObject& self) { return self.batch.lanes(); });
  batch.def_property_readonly(
      "undetermined", [](const BatchObject& self) { return self.undetermined; },
      "States of the last forward() whose accelerations are not determined; theirs are 0.");
  batch.def("state", [](const BatchObject& self, py::ssize_t k) {
    if (k < 0 || k >= self.count()) throw py::index_error(fmt::format("there are {} states", self.count()));
    return make_state(self.owner, model_of(self.owner), state_of(self.states, static_cast<int>(k)));
  });
  batch.def(
      "forward", &batch_forward, py::arg("tau") = py::none(), py::arg("wrenches") = py::none(), py::kw_only(),
      py::arg("out") = py::none(),
      "Accelerations (n, velocities), in Fortran order, with `tau` (n, velocities) and `wrenches` (n, bodies, 6) beside the\n"
      "laws of the model.");
  batch.def("inverse", &batch_inverse, py::arg("a"), py::arg("wrenches") = py::none(), py::kw_only(), py::arg("out") = py::none(),
            "A v' + h (n, velocities), in Fortran order.");
  batch.def("mass_matrices", &batch_mass_matrices, "A (n, velocities, velocities).");
  batch.def("poses", &batch_poses, "(R, p) of every body: (n, bodies, 3, 3) and (n, bodies, 3).");

  module.def("_ensemble", &ensemble);
}

}  // namespace vinculum::python
