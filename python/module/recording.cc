// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "recording.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "vinculum/files/json_text.h"
#include "vinculum/formats/safe_file.h"
#include "vinculum/page/run_report.h"
#include "vinculum/verdict/catalogue.h"

namespace vinculum::python {

namespace {

// In this order; the tables have no accelerations and no memory.
constexpr Quantity::Of kRecorded[] = {Quantity::Of::time,           Quantity::Of::coordinate,     Quantity::Of::velocity,
                                      Quantity::Of::acceleration,   Quantity::Of::kinetic_energy, Quantity::Of::potential_energy,
                                      Quantity::Of::joint_reaction, Quantity::Of::driving_force,  Quantity::Of::multiplier,
                                      Quantity::Of::row_quantity,   Quantity::Of::output,         Quantity::Of::mode,
                                      Quantity::Of::memory};

std::vector<Quantity> list_recorded(const Model& model, bool of_folder) {
  std::vector<Quantity> list;
  for (const Quantity::Of of : kRecorded) {
    if (of == Quantity::Of::memory && of_folder) continue;
    const std::vector<Quantity> more = list_quantities(model, of);
    list.insert(list.end(), more.begin(), more.end());
  }
  return list;
}

// Where the columns of the tables stand in a recorded row.
std::vector<size_t> find_table_columns(const Recorder& recorder) {
  std::map<Quantity, size_t> all;
  for (const Column& column : recorder.columns()) all.emplace(column.quantity, all.size());
  std::vector<size_t> places;
  for (const Quantity& quantity : list_table_quantities(recorder.model())) places.push_back(all.at(quantity));
  return places;
}

// Hands on what the tables have of each row.
template <class Keep>
void read_recorded_rows(const Recorder& recorder, const Keep& keep) {
  const std::vector<size_t> places = find_table_columns(recorder);
  std::vector<double> values(places.size());
  for (size_t row = 0; row < recorder.rows(); ++row) {
    std::ranges::transform(places, values.begin(), [&](size_t place) { return recorder.value(row, place); });
    keep(recorder.times()[row], values);
  }
}

}  // namespace

Recording::Recording(py::object owner_, State start_, RunOptions options_, bool of_folder_)
    : owner(std::move(owner_)),
      model(model_of(owner).model),
      start(std::move(start_)),
      options(std::move(options_)),
      of_folder(of_folder_),
      recorder(*model, list_recorded(*model, of_folder)) {}

void Recording::add(const Sample& sample, bool change) {
  recorder.add(sample);
  is_change.push_back(change ? 1 : 0);
}

std::pair<size_t, size_t> Recording::span(Quantity::Of of) const {
  const auto place = [](Quantity::Of each) { return std::ranges::find(kRecorded, each); };
  std::pair<size_t, size_t> span;
  for (const Column& column : recorder.columns()) {
    if (place(column.quantity.of) < place(of)) ++span.first;
    if (place(column.quantity.of) <= place(of)) ++span.second;
  }
  return span;
}

// ---- a motion gone through again -------------------------------------------------------------------------------------------

namespace {

// What the table of inputs and the controllers set, as one table: every line has all inputs that either of them sets.
std::shared_ptr<const InputTable> replayed_inputs(const Recording& recording) {
  if (recording.settings.empty()) return recording.options.inputs;
  const Model& model = *recording.model;
  std::vector<Recording::Setting> settings;
  if (const InputTable* given = recording.options.inputs.get()) {
    for (size_t line = 0; line < given->times.size(); ++line) {
      for (size_t i = 0; i < given->inputs.size(); ++i) {
        if (model.inputs()[static_cast<size_t>(given->inputs[i])].rate_q >= 0)
          throw Raised{Trouble::unsupported, "VN-PYTHON-005",
                       "the motion between samples is not found again where a controller runs beside a table of an input with "
                       "`hold: linear`",
                       "ask for the times you need with simulate(at=..)"};
        settings.push_back({given->times[line], given->inputs[i], given->value(line, i)});
      }
    }
  }
  settings.insert(settings.end(), recording.settings.begin(), recording.settings.end());
  std::ranges::stable_sort(settings, {}, &Recording::Setting::t);
  auto table = std::make_shared<InputTable>();
  for (const Recording::Setting& setting : settings) {
    if (std::ranges::find(table->inputs, setting.input) == table->inputs.end()) table->inputs.push_back(setting.input);
  }
  std::vector<double> values;
  for (const int input : table->inputs) values.push_back(recording.start.q[model.inputs()[static_cast<size_t>(input)].q]);
  for (const Recording::Setting& setting : settings) {
    values[static_cast<size_t>(std::ranges::find(table->inputs, setting.input) - table->inputs.begin())] = setting.value;
    if (!table->times.empty() && table->times.back() == setting.t) {
      std::copy(values.begin(), values.end(), table->values.end() - std::ssize(values));
    } else {
      table->times.push_back(setting.t);
      table->values.insert(table->values.end(), values.begin(), values.end());
    }
  }
  return table;
}

}  // namespace

State state_at(const Recording& recording, double t) {
  if (!std::isfinite(t)) raise_usage("a time must be finite");
  const size_t count = recording.count();
  const auto time = [&](size_t row) { return recording.recorder.times()[row]; };
  const State& final = recording.result.final;
  const bool forward = recording.options.until >= recording.start.t;
  const auto is_before = [&](double a, double b) { return forward ? a < b : a > b; };
  const double begin = count > 0 ? time(0) : recording.start.t;
  if (is_before(t, begin) || is_before(final.t, t))
    raise_usage(fmt::format("t = {:g} s lies outside the motion, which goes from {:g} s to {:g} s", t, begin, final.t));
  if (t == final.t) return final;
  // The last row that is not after it; of rows of one time the last.
  std::optional<size_t> last;
  for (size_t row = 0; row < count && !is_before(t, time(row)); ++row) last = row;
  State from = last ? recording.state(*last) : recording.start;
  if (from.t == t) return from;
  RunOptions options = recording.options;
  options.until = t;
  options.every = 0;
  options.stop_at.clear();
  options.integrator = recording.result.integrator.empty() ? options.integrator : recording.result.integrator;
  options.watch_integrals = options.watch_accuracy = false;
  options.inputs = replayed_inputs(recording);
  class Interruptible : public RunListener {
   public:
    bool wants_to_stop() override { return signals.wants_to_stop(); }
    SignalWatch signals;
  } listener;
  std::optional<Failure> failure;
  State state;
  {
    const py::gil_scoped_release release;
    Outcome<Run> run = Run::start(*recording.model, from, options, &listener);
    if (!run) {
      failure = run.failure();
    } else if (const auto stop = run->advance(t, &listener, Arrive::look); !stop) {
      failure = stop.failure();
    } else {
      failure = run->failure();
      state = run->state();
    }
  }
  if (listener.signals.has_stopped()) throw py::error_already_set();
  if (failure) raise(*failure, Trouble::motion);
  return state;
}

// ---- folders ---------------------------------------------------------------------------------------------------------------

namespace {

RunRequest request_of(const Recording& recording) {
  ModelObject& object = model_of(recording.owner);
  std::vector<std::string> sets;
  for (const auto& [name, value] : object.sets) sets.push_back(name + "=" + value);
  return {object.path, object.fingerprint(), recording.options, recording.start, sets};
}

}  // namespace

void save_recording(const Recording& recording, const std::string& folder, bool replace) {
  const RunRequest request = request_of(recording);
  const Model& model = *recording.model;
  std::optional<Failure> failure;
  {
    const py::gil_scoped_release release;
    failure = [&]() -> std::optional<Failure> {
      auto written = ResultsFolder::create(folder, model, request, 1e9, replace);
      if (!written) return written.failure();
      read_recorded_rows(recording.recorder, [&](double t, const auto& row) { (*written)->add(t, row); });
      if (const auto finished = (*written)->finish(recording.result); !finished) return finished.failure();
      return std::nullopt;
    }();
  }
  if (failure) raise(*failure, Trouble::file);
  save_page(recording, (std::filesystem::path(folder) / "report.html").string());
}

void save_page(const Recording& recording, const std::string& path) {
  const RunRequest request = request_of(recording);
  std::optional<Failure> failure;
  {
    const py::gil_scoped_release release;
    Recorder page = make_page_recorder(*recording.model);
    read_recorded_rows(recording.recorder, [&](double t, const auto& row) { page.add(t, row); });
    if (const auto written = write_run_report(path, std::move(page), request, recording.result); !written)
      failure = written.failure();
  }
  if (failure) raise(*failure, Trouble::file);
}

Recording open_recording(const py::object& owner, const std::string& folder) {
  const Model& model = *model_of(owner).model;
  auto finished = read_finished_run(folder, model);
  if (!finished) raise(finished.failure(), Trouble::file);
  Recording recording(owner, finished->request.start, finished->request.options, true);
  recording.result = std::move(finished->result);
  const std::string file = (std::filesystem::path(folder) / "run.json").string();
  recording.folder_text = read_whole_file(file).value_or("");
  recording.result.final = model.initial_state();
  Diagnostics wrong(file);
  if (!read_state(recording.folder_text, model, recording.result.final, nullptr, wrong))
    throw Raised{Trouble::file, "VN-FILE-181", "run.json has no final state of this model", "make the run again", wrong.list()};
  Recorder& recorder = recording.recorder;
  const std::vector<size_t> places = find_table_columns(recorder);
  std::vector<double> all(recorder.columns().size(), std::numeric_limits<double>::quiet_NaN());
  const auto unreadable = read_rows(folder, model, [&](double t, std::span<const double> row) {
    all[0] = t;
    for (size_t i = 0; i < places.size(); ++i) all[places[i]] = row[i];
    recorder.add(t, all);
  });
  if (unreadable) raise(*unreadable, Trouble::file);
  // Two rows of one time tell a motion just before and just after a change.
  recording.is_change.assign(recorder.rows(), 0);
  for (size_t row = 1; row < recorder.rows(); ++row) {
    if (recorder.times()[row] == recorder.times()[row - 1]) recording.is_change[row] = recording.is_change[row - 1] = 1;
  }
  return recording;
}

// ---- pickles ---------------------------------------------------------------------------------------------------------------

namespace {

// The parts of everything a result is made of, as tuples of Python.
template <class T>
py::object pack(const T& value) {
  return py::cast(value);
}
template <class T>
void unpack(const py::handle& from, T& value) {
  value = from.cast<T>();
}

#define VINCULUM_PARTS(Type, ...)                                                                                \
  py::object pack(const Type& x) {                                                                               \
    return std::apply([](const auto&... part) { return py::make_tuple(pack(part)...); }, std::tie(__VA_ARGS__)); \
  }                                                                                                              \
  void unpack(const py::handle& from, Type& x) {                                                                 \
    const auto tuple = from.cast<py::tuple>();                                                                   \
    size_t i = 0;                                                                                                \
    std::apply([&](auto&... part) { (unpack(tuple[i++], part), ...); }, std::tie(__VA_ARGS__));                  \
  }

template <class T>
py::object pack(const std::vector<T>& values);
template <class T>
void unpack(const py::handle& from, std::vector<T>& values);
template <class T>
py::object pack(const std::optional<T>& value);
template <class T>
void unpack(const py::handle& from, std::optional<T>& value);

py::object pack(const std::vector<double>& values) {
  return py::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}
void unpack(const py::handle& from, std::vector<double>& values) {
  const auto text = from.cast<std::string>();
  values.resize(text.size() / sizeof(double));
  std::memcpy(values.data(), text.data(), values.size() * sizeof(double));
}
py::object pack(const Holds& value) { return py::int_(static_cast<int>(value)); }
void unpack(const py::handle& from, Holds& value) { value = static_cast<Holds>(std::clamp(from.cast<int>(), 0, 4)); }
py::object pack(const EventKind& value) { return py::int_(static_cast<int>(value)); }
void unpack(const py::handle& from, EventKind& value) {
  value = static_cast<EventKind>(std::clamp(from.cast<int>(), 0, kEventKinds - 1));
}
py::object pack(const ElementKind& value) { return py::int_(static_cast<int>(value)); }
void unpack(const py::handle& from, ElementKind& value) {
  value = static_cast<ElementKind>(std::clamp(from.cast<int>(), 0, kElementKinds - 1));
}
py::object pack(const RunResult::End& value) { return py::int_(static_cast<int>(value)); }
void unpack(const py::handle& from, RunResult::End& value) {
  value = static_cast<RunResult::End>(std::clamp(from.cast<int>(), 0, 3));
}
py::object pack(const Follow& value) { return py::int_(static_cast<int>(value)); }
void unpack(const py::handle& from, Follow& value) { value = static_cast<Follow>(std::clamp(from.cast<int>(), 0, 2)); }
py::object pack(const Failure& failure) { return py::make_tuple(std::string(failure.code), failure.message, failure.hint); }
void unpack(const py::handle& from, Failure& failure) {
  const auto tuple = from.cast<py::tuple>();
  const CatalogueEntry* entry = find_in_catalogue(tuple[0].cast<std::string>());
  failure = {entry == nullptr ? std::string_view("VN-RUN-001") : entry->code, tuple[1].cast<std::string>(),
             tuple[2].cast<std::string>()};
}

VINCULUM_PARTS(State, x.t, x.q, x.v, x.modes, x.memory)
VINCULUM_PARTS(ElementId, x.kind, x.index)
VINCULUM_PARTS(Occurrence::Impulse, x.row, x.impulse)
VINCULUM_PARTS(Occurrence, x.t, x.kind, x.element, x.subject, x.direction, x.face, x.rest_direction, x.impulses, x.energy_lost)
VINCULUM_PARTS(IntegralDrift, x.name, x.unit, x.start, x.drift)
VINCULUM_PARTS(OutputNumbers, x.name, x.unit, x.final, x.min, x.max, x.t_min, x.t_max, x.mean, x.rms)
VINCULUM_PARTS(Verdict, x.subject, x.verdict, x.margin, x.first_violation, x.why, x.hint, x.term, x.element, x.nearest_t)
VINCULUM_PARTS(ElementWork, x.subject, x.work)
VINCULUM_PARTS(RowResidual, x.row, x.position, x.velocity)
VINCULUM_PARTS(InputTable, x.inputs, x.times, x.values)
VINCULUM_PARTS(Recording::Setting, x.t, x.input, x.value)

py::object pack(const std::shared_ptr<const InputTable>& table) { return table ? pack(*table) : py::none(); }
void unpack(const py::handle& from, std::shared_ptr<const InputTable>& table) {
  if (from.is_none()) return table.reset();
  InputTable read;
  unpack(from, read);
  table = std::make_shared<const InputTable>(std::move(read));
}

VINCULUM_PARTS(RunOptions, x.until, x.integrator, x.tolerance, x.order, x.largest_step, x.every, x.stop_at, x.follow, x.step,
               x.baumgarte, x.watch_integrals, x.inputs, x.watch_accuracy)
VINCULUM_PARTS(RunResult, x.end, x.failure, x.integrator, x.instead, x.chosen_because, x.better_integrator, x.final, x.outputs,
               x.samples, x.steps, x.rejected, x.evaluations, x.integrals, x.not_watched, x.verdicts, x.events, x.friction_work,
               x.residuals, x.marks, x.mark_interval)
#undef VINCULUM_PARTS

template <class T>
py::object pack(const std::vector<T>& values) {
  py::list list;
  for (const T& value : values) list.append(pack(value));
  return std::move(list);
}
template <class T>
void unpack(const py::handle& from, std::vector<T>& values) {
  values.clear();
  for (const py::handle each : from.cast<py::list>()) {
    T value{};
    unpack(each, value);
    values.push_back(std::move(value));
  }
}
template <class T>
py::object pack(const std::optional<T>& value) {
  return value ? py::object(py::make_tuple(pack(*value))) : py::object(py::none());
}
template <class T>
void unpack(const py::handle& from, std::optional<T>& value) {
  value.reset();
  if (!from.is_none()) unpack(from.cast<py::tuple>()[0], value.emplace());
}

}  // namespace

py::tuple pickle_recording(const Recording& x) {
  return py::make_tuple(
      x.owner, pack(x.start), pack(x.options), pack(std::vector<double>(x.recorder.values().begin(), x.recorder.values().end())),
      py::bytes(x.is_change.data(), x.is_change.size()), pack(x.settings), x.advice, pack(x.result), x.of_folder, x.folder_text);
}

Recording unpickle_recording(const py::tuple& parts) {
  if (parts.size() != 10) raise_usage("this is no pickled Result");
  State start;
  RunOptions options;
  unpack(parts[1], start);
  unpack(parts[2], options);
  Recording x(parts[0].cast<py::object>(), std::move(start), std::move(options), parts[8].cast<bool>());
  const auto changes = parts[4].cast<std::string>();
  x.is_change.assign(changes.begin(), changes.end());
  unpack(parts[5], x.settings);
  x.advice = parts[6].cast<std::string>();
  unpack(parts[7], x.result);
  x.folder_text = parts[9].cast<std::string>();
  const State& initial = x.model->initial_state();
  const auto fits = [&](const State& state) { return state.q.size() == initial.q.size() && state.v.size() == initial.v.size(); };
  std::vector<double> values;
  unpack(parts[3], values);
  const std::vector<Column>& columns = x.recorder.columns();
  bool good = values.size() == x.count() * columns.size() && fits(x.start) && fits(x.result.final);
  for (size_t row = 0; good && row < x.count(); ++row) {
    const std::span<const double> own(&values[row * columns.size()], columns.size());
    for (size_t i = 0; i < own.size(); ++i) {
      const auto words = static_cast<double>(columns[i].words.size());
      good = good && (words == 0 || (own[i] >= 0 && own[i] < words));
    }
    x.recorder.add(own[0], own);
  }
  if (!good) raise_usage("the pickled Result does not fit its model");
  return x;
}

}  // namespace vinculum::python
