// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "recording.h"
#include "vinculum/files/json_text.h"
#include "vinculum/page/run_report.h"
#include "vinculum/simulation/accuracy.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run_gate.h"
#include "vinculum/simulation/run_image.h"
#include "vinculum/verdict/words.h"

namespace vinculum::python {

namespace {

// Exceptions of Python on their way through the library: the first one that was raised in a callback.
struct Pending {
  std::optional<py::error_already_set> error;  // under the GIL
  std::atomic<bool> interrupted{false};        // it is a KeyboardInterrupt, after which the run can go on
  void keep(py::error_already_set&& raised) {
    if (!error) error.emplace(std::move(raised));
  }
};

// Who listens: records samples, hands them to a folder, looks for signals, shows progress.
class Watcher : public RunListener {
 public:
  Watcher(Recording* recording, std::shared_ptr<Pending> pending) : recording_(recording), pending_(std::move(pending)) {}

  ResultsFolder* folder = nullptr;
  Recorder* page = nullptr;
  bool records_samples = true;  // not where the times of samples are given
  py::object progress;          // function(t, until)
  double until = 0;
  SignalWatch signals;

  void on_sample(const Sample& sample) override { take(sample, false); }
  bool wants_changes() override { return true; }
  void on_change(const Sample& sample) override { take(sample, true); }
  void on_step(double t) override {
    if (!progress) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_progress_) return;
    next_progress_ = now + std::chrono::milliseconds(100);
    const py::gil_scoped_acquire gil;
    try {
      progress(t, until);
    } catch (py::error_already_set& error) {
      pending_->keep(std::move(error));
      pending_->interrupted = true;
    }
  }
  void on_advice(const std::string& better) override { recording_->advice = better; }
  bool wants_to_stop() override {
    return signals.wants_to_stop() || pending_->interrupted || (folder != nullptr && !folder->is_good());
  }
  bool wants_checkpoint() override { return folder != nullptr && (signals.has_stopped() || folder->wants_checkpoint()); }
  void on_checkpoint(const Checkpoint& checkpoint) override { folder->on_checkpoint(checkpoint); }
  void on_restart(const Checkpoint& checkpoint) override {
    if (folder != nullptr) folder->on_restart(checkpoint);
  }

 private:
  void take(const Sample& sample, bool is_change) {
    if (records_samples) recording_->add(sample, is_change);
    if (folder != nullptr) folder->on_sample(sample);
    if (page != nullptr) page->add(sample);
  }

  Recording* recording_;
  std::shared_ptr<Pending> pending_;
  std::chrono::steady_clock::time_point next_progress_ = std::chrono::steady_clock::now();
};

// ---- controllers -----------------------------------------------------------------------------------------------------------

// What a function of Python answered: {input: value}, one number where it writes one input, or None (nothing changes).
void read_answer(const Model& model, const std::vector<int>& inputs, const py::object& answer, std::span<double> values) {
  const auto put = [&](size_t i, const py::handle& given) {
    const double value = PyFloat_AsDouble(given.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (!std::isfinite(value))
      throw py::value_error(fmt::format("the controller sets input '{}' to {}", model.inputs()[inputs[i]].name, value));
    values[i] = value;
  };
  if (answer.is_none()) return;
  if (!py::isinstance<py::dict>(answer)) {
    if (inputs.size() != 1)
      throw py::type_error(fmt::format("the controller writes {} inputs: its function must return {{input: value}}, not {}",
                                       inputs.size(), Py_TYPE(answer.ptr())->tp_name));
    return put(0, answer);
  }
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(answer)) {
    const auto name = py::cast<std::string>(key);
    const auto found = std::ranges::find_if(inputs, [&](int input) { return model.inputs()[input].name == name; });
    if (found == inputs.end()) {
      std::vector<std::string> known;
      for (const int input : inputs) known.push_back(model.inputs()[input].name);
      raise_unknown("input of the controller", name, known);
    }
    put(static_cast<size_t>(found - inputs.begin()), value);
  }
}

// A function of Python as a controller of the library. It is called with the GIL, in the thread that computes.
Controller make_controller(const py::object& owner, Recording* recording, const std::shared_ptr<Pending>& pending,
                           const py::object& given) {
  const Model& model = *model_of(owner).model;
  Controller controller;
  controller.period = given.attr("period").cast<double>();
  controller.offset = given.attr("offset").cast<double>();
  controller.delay = given.attr("delay").cast<double>();
  const py::object names = given.attr("inputs");
  if (names.is_none()) {
    for (size_t i = 0; i < model.inputs().size(); ++i) controller.inputs.push_back(static_cast<int>(i));
  } else {
    for (const py::handle name : names) {
      const auto text = name.cast<std::string>();
      const auto input = model.find_input(text);
      std::vector<std::string> known;
      for (const Input& each : model.inputs()) known.push_back(each.name);
      if (!input) raise_unknown("input", text, known);
      controller.inputs.push_back(*input);
    }
  }
  if (controller.inputs.empty())
    raise_usage("a controller writes inputs, and the model has none", "declare them in the model, under `inputs`");
  const auto function = std::make_shared<py::object>(given.attr("function"));
  const bool takes_outputs = given.attr("_takes_outputs").cast<bool>();
  // Python objects go where there is the GIL, whoever destroys the last copy.
  const std::shared_ptr<py::object> held(new py::object(*function), [](py::object* object) {
    const py::gil_scoped_acquire gil;
    delete object;
  });
  const std::shared_ptr<py::object> model_held(new py::object(owner), [](py::object* object) {
    const py::gil_scoped_acquire gil;
    delete object;
  });
  const double delay = controller.delay;
  const std::vector<int> inputs = controller.inputs;
  controller.update = [=, &model](const State& state, std::span<const double> outputs,
                                  std::span<double> values) -> std::optional<Failure> {
    const py::gil_scoped_acquire gil;
    for (int attempt = 0;; ++attempt) {
      try {
        const py::object seen = make_state(*model_held, model_of(*model_held), state);
        py::object answer;
        if (takes_outputs) {
          py::dict named;
          for (size_t i = 0; i < outputs.size(); ++i) named[py::str(model.outputs().columns[i].name)] = outputs[i];
          answer = (*held)(state.t, seen, named);
        } else {
          answer = (*held)(state.t, seen);
        }
        read_answer(model, inputs, answer, values);
        for (size_t i = 0; i < inputs.size(); ++i) recording->settings.push_back({state.t + delay, inputs[i], values[i]});
        return std::nullopt;
      } catch (py::error_already_set& error) {
        // Ctrl-C while the function works: it is asked once more, so that the run stands where it can go on, and stops there.
        const bool is_interrupt = error.matches(PyExc_KeyboardInterrupt);
        pending->keep(std::move(error));
        if (is_interrupt && attempt == 0) {
          pending->interrupted = true;
          continue;
        }
      } catch (const Raised& raised) {
        set_python_error(raised);
        pending->keep(py::error_already_set());
      } catch (const py::builtin_exception& error) {
        error.set_error();
        pending->keep(py::error_already_set());
      }
      pending->interrupted = false;
      return Failure{"VN-PYTHON-004", "the function of a controller raised an exception", "it is the cause of this exception"};
    }
  };
  return controller;
}

// ---- options ---------------------------------------------------------------------------------------------------------------

template <class T>
T take(const py::dict& options, const char* name, T usual) {
  return options.contains(name) && !options[name].is_none() ? options[name].cast<T>() : usual;
}

RunOptions read_options(const Model& model, const py::dict& given) {
  RunOptions options;
  options.until = take(given, "until", 0.0);
  options.integrator = take(given, "integrator", std::string("auto"));
  options.tolerance = take(given, "tolerance", 1e-10);
  options.order = take(given, "order", 0);
  options.largest_step = take(given, "max_step", 0.0);
  options.step = take(given, "step", 0.0);
  options.every = take(given, "every", 0.0);
  options.stop_at = take(given, "stop_at", std::string());
  options.baumgarte = take(given, "baumgarte", 0.0);
  options.watch_integrals = take(given, "integrals", true);
  const auto contacts = take(given, "contacts", std::string("bilateral"));
  const auto follow = find_follow(contacts);
  if (!follow) raise_unknown("way of contacts", contacts, {"bilateral", "unilateral", "frictional"});
  options.follow = *follow;
  // The rules of the command line.
  if (!std::isfinite(options.until)) raise_usage("until must be finite");
  if (!(options.tolerance > 0 && options.tolerance < 1)) raise_usage("tolerance must lie between 0 and 1", "for example 1e-10");
  if (!(options.baumgarte >= 0 && std::isfinite(options.baumgarte)))
    raise_usage("baumgarte must not be negative", "a rate in 1/s, for example 10");
  if (options.order != 0 && (options.order < 4 || options.order > 60))
    raise_usage("order must lie between 4 and 60", "0 chooses it by the tolerance");
  if (!(options.largest_step >= 0 && std::isfinite(options.largest_step))) raise_usage("max_step must be positive");
  if (!(options.step >= 0 && std::isfinite(options.step))) raise_usage("step must be positive");
  if (!(options.every >= 0 && std::isfinite(options.every))) raise_usage("every must be positive");
  if (given.contains("table") && !given["table"].is_none()) {
    const auto parts = given["table"].cast<py::tuple>();
    auto table = std::make_shared<InputTable>();
    for (const py::handle name : parts[0]) {
      const auto input = model.find_input(name.cast<std::string>());
      std::vector<std::string> known;
      for (const Input& each : model.inputs()) known.push_back(each.name);
      if (!input) raise_unknown("input", name.cast<std::string>(), known);
      table->inputs.push_back(*input);
    }
    const auto lines = static_cast<py::ssize_t>(py::len(parts[1]));
    const py::ssize_t times[] = {lines}, values[] = {lines, static_cast<py::ssize_t>(table->inputs.size())};
    table->times = read_numbers(parts[1], times, "the times of inputs");
    table->values = read_numbers(parts[2], values, "the values of inputs");
    if (lines == 0 || std::ranges::adjacent_find(table->times, std::greater_equal<>()) != table->times.end())
      raise_usage("the times of an input must ascend", "each time once, in seconds");
    options.inputs = std::move(table);
  }
  return options;
}

// A long table is not begun: each sample is kept in memory.
void check_size(const RunOptions& options, const State& start, size_t columns) {
  constexpr double kMostBytes = 8e9;
  const double samples = options.every > 0 ? std::abs(options.until - start.t) / options.every : 1000;
  const double bytes = 8 * samples * static_cast<double>(columns);
  if (bytes > kMostBytes)
    throw Raised{Trouble::usage, "VN-RUN-141",
                 fmt::format("{:.3g} samples of {} numbers would take {:.3g} GB of memory", samples, columns, bytes * 1e-9),
                 "a larger `every` takes fewer samples"};
}

// ---- a run as one call -----------------------------------------------------------------------------------------------------

// With controllers or times of its own a run is advanced here; it is judged as run_simulation does.
Outcome<RunResult> run_piece_by_piece(const Model& model, const Recording& recording, std::vector<Controller> controllers,
                                      std::span<const double> at, Watcher& watcher, Recording& into) {
  const RunOptions& options = recording.options;
  auto run = Run::start(model, recording.start, options, &watcher);
  if (!run) return run.failure();
  const bool has_controllers = !controllers.empty();
  for (Controller& controller : controllers) {
    if (auto failure = run->add_controller(std::move(controller))) return *failure;
  }
  Stop stop = Stop::reached;
  const auto look = [&](double t) -> std::optional<Failure> {
    const auto advanced = run->advance(t, &watcher, Arrive::look);
    if (!advanced) return advanced.failure();
    stop = *advanced;
    return std::nullopt;
  };
  for (const double t : at) {
    if (auto failure = look(t)) return *failure;
    if (stop != Stop::reached) break;
    const auto sample = run->sample();
    if (!sample) return sample.failure();
    into.add(*sample, false);
  }
  if (stop == Stop::reached) {
    if (auto failure = look(options.until)) return *failure;
  }
  RunResult result = run->result();
  if (!has_controllers) {
    const auto rescaled = in_own_scales(model, recording.start, options.until);
    auto verdict = judge_accuracy(rescaled ? *rescaled : model, recording.start, options, result, watcher);
    if (verdict) result.verdicts.push_back(std::move(*verdict));
    pass_gate(result);
    sort_by_gravity(result.verdicts);
  } else if (options.watch_accuracy && !result.failure) {
    Verdict verdict;
    verdict.subject = "accuracy";
    verdict.term = "error growth";
    verdict.why = "a run with controllers of a program is not repeated with another tolerance";
    verdict.hint = "run it again with another tolerance, and compare";
    result.verdicts.push_back(std::move(verdict));
    sort_by_gravity(result.verdicts);
  }
  return result;
}

[[noreturn]] void throw_pending(Pending& pending) {
  py::error_already_set error = std::move(*pending.error);
  pending.error.reset();
  pending.interrupted = false;
  throw error;
}

// (recording, the exception of a callback or None, whether Ctrl-C ended it)
py::tuple simulate(const py::object& owner, const py::object& start, const py::dict& given, const py::list& controllers,
                   const py::object& at, const py::object& output, bool force, const py::object& progress,
                   const std::vector<std::pair<std::string, double>>& constants) {
  const ModelObject& object = model_of(owner);
  const Model& model = *object.model;
  State from = start_of(model_of(owner), start);
  for (const auto& [name, value] : constants) {
    const auto input = model.find_input(name);
    std::vector<std::string> known;
    for (const Input& each : model.inputs()) known.push_back(each.name);
    if (!input) raise_unknown("input", name, known);
    if (!std::isfinite(value)) raise_usage(fmt::format("the value of input '{}' is not finite", name));
    from.q[model.inputs()[*input].q] = value;
  }
  auto recording = std::make_unique<Recording>(owner, std::move(from), read_options(model, given));
  RunOptions& options = recording->options;
  check_size(options, recording->start, recording->recorder.columns().size());
  std::vector<double> times;
  if (!at.is_none()) {
    const auto numpy = py::module_::import("numpy");
    const py::ssize_t shape[] = {static_cast<py::ssize_t>(py::len(numpy.attr("atleast_1d")(at)))};
    times = read_numbers(numpy.attr("atleast_1d")(at), shape, "at");
    const bool forward = options.until >= recording->start.t;
    for (size_t i = 0; i < times.size(); ++i) {
      const double before = i == 0 ? recording->start.t : times[i - 1];
      const bool good = forward ? (i == 0 ? times[i] >= before : times[i] > before) && times[i] <= options.until
                                : (i == 0 ? times[i] <= before : times[i] < before) && times[i] >= options.until;
      if (!good)
        raise_usage(fmt::format("at: {:g} s is out of order, or outside the run", times[i]),
                    "times from the start to until, in order");
    }
  }
  const bool in_pieces = py::len(controllers) > 0 || !at.is_none();
  const auto pending = std::make_shared<Pending>();
  Watcher watcher(recording.get(), pending);
  watcher.records_samples = at.is_none();
  watcher.until = options.until;
  if (!progress.is_none()) watcher.progress = progress;
  std::vector<Controller> programs;
  for (const py::handle each : controllers)
    programs.push_back(make_controller(owner, recording.get(), pending, py::reinterpret_borrow<py::object>(each)));
  std::unique_ptr<ResultsFolder> folder;
  std::optional<Recorder> page;
  RunRequest request;
  if (!output.is_none()) {
    std::vector<std::string> sets;
    for (const auto& [name, value] : object.sets) sets.push_back(name + "=" + value);
    request = {object.path, model_of(owner).fingerprint(), options, recording->start, sets};
    auto created = ResultsFolder::create(output.cast<std::string>(), model, request, programs.empty() ? 2.0 : 1e9, force);
    if (!created) raise(created.failure(), Trouble::file);
    folder = std::move(*created);
    watcher.folder = folder.get();
    watcher.page = &page.emplace(make_page_recorder(model));
  }
  std::optional<Outcome<RunResult>> result;
  std::optional<Failure> not_written;
  {
    const py::gil_scoped_release release;
    result.emplace(in_pieces ? run_piece_by_piece(model, *recording, std::move(programs), times, watcher, *recording)
                             : run_simulation(model, recording->start, options, watcher));
    if (*result && folder) {
      const auto finished = folder->finish(**result);
      if (!finished) not_written = finished.failure();
      if (!not_written) {
        const std::string path = (std::filesystem::path(folder->path()) / "report.html").string();
        if (const auto written = write_run_report(path, std::move(*page), request, **result); !written)
          not_written = written.failure();
      }
    }
  }
  if (!*result) {
    if (watcher.signals.has_stopped()) throw py::error_already_set();
    if (pending->error) throw_pending(*pending);
    const Trouble trouble = trouble_of(result->failure().code);
    raise(result->failure(), trouble == Trouble::other ? Trouble::motion : trouble);
  }
  recording->result = std::move(**result);
  py::object error = py::none();
  bool interrupted = false;
  if (watcher.signals.has_stopped()) {
    const py::error_already_set raised;
    error = raised.value() ? py::object(raised.value()) : py::object(py::none());
    interrupted = true;
  } else if (pending->error) {
    interrupted = pending->interrupted;
    error = pending->error->value();
  }
  if (not_written && error.is_none()) raise(*not_written, Trouble::file);
  return py::make_tuple(std::shared_ptr<Recording>(std::move(recording)), error, interrupted);
}

// ---- a run piece by piece --------------------------------------------------------------------------------------------------

class RunObject {
 public:
  RunObject(const py::object& owner, const py::object& start, const py::dict& given, const py::list& controllers)
      : recording_(
            std::make_shared<Recording>(owner, start_of(model_of(owner), start), read_options(*model_of(owner).model, given))) {
    check_size(recording_->options, recording_->start, recording_->recorder.columns().size());
    begin([&] { return Run::start(model(), recording_->start, recording_->options, watcher_.get()); });
    for (const py::handle each : controllers) add_controller(py::reinterpret_borrow<py::object>(each));
  }
  // From an image.
  RunObject(const py::object& owner, const py::bytes& image, State start, RunOptions options)
      : recording_(std::make_shared<Recording>(owner, std::move(start), std::move(options))) {
    const auto text = image.cast<std::string>();
    begin([&] { return Run::resume(model(), std::as_bytes(std::span(text))); });
  }

  // One thread at a time, and no function of a controller calls the run it belongs to.
  class InUse {
   public:
    explicit InUse(RunObject& run) : run_(run) {
      if (run_.busy_.exchange(true))
        throw Raised{Trouble::usage, "VN-PYTHON-003", "this Run is in use by another thread, or by one of its controllers",
                     "make a Run for each thread"};
    }
    ~InUse() { run_.busy_ = false; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

   private:
    RunObject& run_;
  };

  Run& run() { return *run_; }
  const Model& model() const { return *recording_->model; }
  Recording& recording() { return *recording_; }

  std::string advance(double to, const py::object& arrive) {
    const InUse in_use(*this);
    std::optional<Arrive> how;
    if (!arrive.is_none()) {
      const auto word = arrive.cast<std::string>();
      if (word != "look" && word != "land") raise_unknown("way to arrive", word, {"look", "land"});
      how = word == "look" ? Arrive::look : Arrive::land;
    }
    watcher_->signals = SignalWatch();
    std::optional<Outcome<Stop>> stop;
    {
      const py::gil_scoped_release release;
      stop.emplace(run_->advance(to, watcher_.get(), how));
    }
    if (watcher_->signals.has_stopped()) {
      watcher_->signals = SignalWatch();
      throw py::error_already_set();
    }
    if (pending_->error) throw_pending(*pending_);
    if (!*stop) raise(stop->failure());
    switch (**stop) {
      case Stop::reached: return "reached";
      case Stop::event: return "event";
      case Stop::asked: return "asked";
      case Stop::failed: break;
    }
    return "failed";
  }

  void add_controller(const py::object& given) {
    const InUse in_use(*this);
    Controller controller = make_controller(recording_->owner, recording_.get(), pending_, given);
    if (const auto failure = run_->add_controller(std::move(controller))) raise(*failure);
    controllers_.append(given);
  }
  const py::list& controllers() const { return controllers_; }

  void set_inputs(const py::dict& given) {
    const InUse in_use(*this);
    std::vector<Run::InputValue> values;
    for (const auto& [key, value] : given) {
      const auto name = py::cast<std::string>(key);
      const auto input = model().find_input(name);
      std::vector<std::string> known;
      for (const Input& each : model().inputs()) known.push_back(each.name);
      if (!input) raise_unknown("input", name, known);
      Run::InputValue entry{*input};
      const bool has_slope = py::isinstance<py::tuple>(value);
      entry.value = has_slope ? value.cast<py::tuple>()[0].cast<double>() : value.cast<double>();
      if (has_slope) entry.slope = value.cast<py::tuple>()[1].cast<double>();
      if (!std::isfinite(entry.value) || !std::isfinite(entry.slope))
        raise_usage(fmt::format("the value of input '{}' is not finite", name));
      values.push_back(entry);
    }
    if (const auto failure = run_->set_inputs(values)) raise(*failure);
    for (const Run::InputValue& value : values) recording_->settings.push_back({run_->state().t, value.input, value.value});
  }

  Recording result() {
    const InUse in_use(*this);
    Recording copy = *recording_;
    const py::gil_scoped_release release;
    copy.result = run_->result();
    return copy;
  }

  py::bytes image() {
    const InUse in_use(*this);
    const auto bytes = run_->image();
    if (!bytes) raise(bytes.failure());
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  }

 private:
  template <class Begin>
  void begin(const Begin& begin) {
    watcher_ = std::make_unique<Watcher>(recording_.get(), pending_);
    std::optional<Outcome<Run>> run;
    {
      const py::gil_scoped_release release;
      run.emplace(begin());
    }
    if (watcher_->signals.has_stopped()) throw py::error_already_set();
    if (!*run) {
      const Trouble trouble = trouble_of(run->failure().code);
      raise(run->failure(), trouble == Trouble::other ? Trouble::motion : trouble);
    }
    run_.emplace(std::move(**run));
  }

  std::shared_ptr<Recording> recording_;
  std::shared_ptr<Pending> pending_ = std::make_shared<Pending>();
  std::unique_ptr<Watcher> watcher_;
  std::optional<Run> run_;
  py::list controllers_;
  std::atomic<bool> busy_{false};
};

py::tuple to_tuple(const Failure& failure) { return py::make_tuple(std::string(failure.code), failure.message, failure.hint); }

py::list to_list(const std::vector<Occurrence>& events) {
  py::list list;
  for (const Occurrence& event : events) {
    py::dict impulses;
    for (const Occurrence::Impulse& impulse : event.impulses) impulses[py::str(impulse.row)] = impulse.impulse;
    list.append(py::make_tuple(event.t, event.name(), std::string(to_text(event.kind)), event.subject, event.direction,
                               event.face ? py::object(py::int_(*event.face)) : py::object(py::none()), impulses,
                               event.energy_lost ? py::object(py::float_(*event.energy_lost)) : py::object(py::none())));
  }
  return list;
}

py::list to_list(const std::vector<Verdict>& verdicts) {
  const auto number = [](const std::optional<double>& value) {
    return value ? py::object(py::float_(*value)) : py::object(py::none());
  };
  py::list list;
  for (const Verdict& v : verdicts)
    list.append(py::make_tuple(v.subject, std::string(to_text(v.verdict)), number(v.margin), number(v.first_violation), v.why,
                               v.hint, v.term, v.element, number(v.nearest_t)));
  return list;
}

}  // namespace

void add_runs(py::module_& module) {
  py::class_<Recording, std::shared_ptr<Recording>> recording(module, "Recording", "A finished motion, as the library left it.");
  recording.def_property_readonly("model", [](const Recording& self) { return self.owner; });
  const auto list_texts = [](const Recording& self, std::string Column::*text) {
    std::vector<std::string> list;
    for (const Column& column : self.recorder.columns()) {
      if (column.quantity.of != Quantity::Of::memory) list.push_back(column.*text);
    }
    return list;
  };
  recording.def_property_readonly("names", [=](const Recording& self) { return list_texts(self, &Column::name); });
  recording.def_property_readonly("units", [=](const Recording& self) { return list_texts(self, &Column::unit); });
  recording.def_property_readonly("spans", [](const Recording& self) {
    using Of = Quantity::Of;
    py::dict dict;
    for (const auto& [name, of] : {std::pair{"q", Of::coordinate},
                                   {"v", Of::velocity},
                                   {"a", Of::acceleration},
                                   {"reactions", Of::joint_reaction},
                                   {"drives", Of::driving_force},
                                   {"multipliers", Of::multiplier},
                                   {"quantities", Of::row_quantity},
                                   {"outputs", Of::output},
                                   {"modes", Of::mode}})
      dict[name] = self.span(of);
    return dict;
  });
  recording.def_property_readonly("table", [](const py::object& self) {
    const auto object = self.cast<std::shared_ptr<Recording>>();
    const auto width = static_cast<py::ssize_t>(object->recorder.columns().size());
    py::array_t<double> view({static_cast<py::ssize_t>(object->count()), width}, object->recorder.values().data(), self);
    view.attr("setflags")(false);
    return view;
  });
  recording.def_property_readonly("is_change", [](const Recording& self) {
    py::array_t<bool> flags(static_cast<py::ssize_t>(self.count()));
    for (size_t i = 0; i < self.count(); ++i) flags.mutable_at(static_cast<py::ssize_t>(i)) = self.is_change[i] != 0;
    return flags;
  });
  recording.def("state", [](const Recording& self, size_t row) {
    if (row >= self.count()) throw py::index_error("there are fewer samples");
    return make_state(self.owner, model_of(self.owner), self.state(row));
  });
  recording.def("at",
                [](const Recording& self, double t) { return make_state(self.owner, model_of(self.owner), state_at(self, t)); });
  recording.def_property_readonly("start",
                                  [](const Recording& self) { return make_state(self.owner, model_of(self.owner), self.start); });
  recording.def_property_readonly(
      "final", [](const Recording& self) { return make_state(self.owner, model_of(self.owner), self.result.final); });
  recording.def_property_readonly("events", [](const Recording& self) { return to_list(self.result.events); });
  recording.def_property_readonly("verdicts", [](const Recording& self) { return to_list(self.result.verdicts); });
  recording.def_property_readonly("end", [](const Recording& self) { return std::string(end_text(self.result.end)); });
  recording.def_property_readonly("failure", [](const Recording& self) -> py::object {
    return self.result.failure ? py::object(to_tuple(*self.result.failure)) : py::object(py::none());
  });
  recording.def_property_readonly("warnings", [](const Recording& self) {
    std::vector<std::string> list;
    if (const auto& instead = self.result.instead)
      list.push_back(fmt::format("{}; computed by {} [{}]", instead->message, self.result.integrator, instead->code));
    if (const auto& not_watched = self.result.not_watched; not_watched && self.options.watch_integrals)
      list.push_back(fmt::format("first integrals are not watched: {} [{}]", not_watched->message, not_watched->code));
    if (!self.advice.empty()) list.push_back(fmt::format("{} [VN-RUN-114]", self.advice));
    return list;
  });
  recording.def_property_readonly("advice", [](const Recording& self) { return self.advice; });
  recording.def_property_readonly("evaluations", [](const Recording& self) { return self.result.evaluations; });
  recording.def_property_readonly("options", [](const Recording& self) {
    const RunOptions& o = self.options;
    py::dict dict;
    dict["until"] = o.until;
    dict["integrator"] = o.integrator;
    dict["tolerance"] = o.tolerance;
    dict["every"] = o.every;
    dict["contacts"] = std::string(word_of(o.follow));
    dict["stop_at"] = o.stop_at;
    return dict;
  });
  recording.def("document", [](const Recording& self) {
    if (self.of_folder) return self.folder_text;
    Json json = Json::object();
    add_result(json, *self.model, self.result);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  });
  recording.def("save", &save_recording, py::arg("folder"), py::arg("force") = false);
  recording.def("save_page", &save_page, py::arg("path"));
  recording.def(py::pickle(&pickle_recording,
                           [](const py::tuple& parts) { return std::make_shared<Recording>(unpickle_recording(parts)); }));
  module.def("_open_recording", [](const py::object& owner, const std::string& folder) {
    return std::make_shared<Recording>(open_recording(owner, folder));
  });
  module.def("_read_origin", [](const std::string& folder) {
    const auto origin = read_run_origin(folder);
    if (!origin) raise(origin.failure(), Trouble::file);
    return py::make_tuple(origin->model_file, origin->fingerprint, origin->sets);
  });
  module.def("_simulate", &simulate);

  py::class_<RunObject> run(module, "Run", "A motion computed piece by piece.");
  run.def(py::init<const py::object&, const py::object&, const py::dict&, const py::list&>());
  run.def("advance", &RunObject::advance, py::arg("to"), py::arg("arrive") = py::none());
  run.def_property_readonly("t", [](RunObject& self) {
    const RunObject::InUse in_use(self);
    return self.run().state().t;
  });
  run.def_property_readonly("state", [](RunObject& self) {
    const RunObject::InUse in_use(self);
    return make_state(self.recording().owner, model_of(self.recording().owner), self.run().state());
  });
  run.def("set_state", [](RunObject& self, const StateObject& state) {
    const RunObject::InUse in_use(self);
    State given = checked_state(model_of(self.recording().owner), state);
    if (const auto failure = self.run().set_state(given)) raise(*failure);
  });
  run.def_property_readonly("horizon", [](RunObject& self) {
    const RunObject::InUse in_use(self);
    return self.run().horizon();
  });
  run.def("extend", [](RunObject& self, double until) {
    const RunObject::InUse in_use(self);
    if (const auto failure = self.run().extend(until)) raise(*failure);
    self.recording().options.until = until;
  });
  run.def_property_readonly("inputs", [](RunObject& self) {
    const RunObject::InUse in_use(self);
    const std::vector<double> values = self.run().inputs();
    py::dict dict;
    for (size_t i = 0; i < values.size(); ++i) dict[py::str(self.model().inputs()[i].name)] = values[i];
    return dict;
  });
  run.def("set_inputs", &RunObject::set_inputs);
  run.def("add_controller", &RunObject::add_controller);
  run.def_property_readonly("controllers", &RunObject::controllers);
  run.def_property_readonly("failure", [](RunObject& self) -> py::object {
    const RunObject::InUse in_use(self);
    const auto& failure = self.run().failure();
    return failure ? py::object(to_tuple(*failure)) : py::object(py::none());
  });
  run.def_property_readonly("events", [](RunObject& self) {
    const RunObject::InUse in_use(self);
    return to_list(self.run().events());
  });
  run.def_property_readonly("verdicts", [](RunObject& self) {
    const RunObject::InUse in_use(self);
    std::vector<Verdict> verdicts;
    {
      const py::gil_scoped_release release;
      verdicts = self.run().verdicts();
    }
    return to_list(verdicts);
  });
  run.def("sample", [](RunObject& self) {
    const RunObject::InUse in_use(self);
    const auto sample = self.run().sample();
    if (!sample) raise(sample.failure(), Trouble::motion);
    py::dict dict;
    for (const Column& column : self.recording().recorder.columns()) {
      const py::str name(column.name);
      if (column.quantity.of == Quantity::Of::memory || dict.contains(name)) continue;
      const double value = value_of(column.quantity, self.model(), *sample);
      if (column.words.empty()) {
        dict[name] = value;
      } else {
        dict[name] = column.words[static_cast<size_t>(value)];
      }
    }
    return dict;
  });
  run.def("result", [](RunObject& self) { return std::make_shared<Recording>(self.result()); });
  run.def("image", &RunObject::image);
  run.def_static("resume", [](const py::object& owner, const py::bytes& image) {
    const auto text = image.cast<std::string>();
    auto read = read_image(*model_of(owner).model, std::as_bytes(std::span(text)));
    if (!read) raise(read.failure());
    return std::make_unique<RunObject>(owner, image, std::move(read->start), std::move(read->options));
  });
  run.def("__getstate__", [](RunObject& self) {
    const py::bytes image = self.image();
    const RunObject::InUse in_use(self);
    Recording so_far = self.recording();
    so_far.result.final = self.run().state();
    return py::make_tuple(so_far.owner, image, pickle_recording(so_far), self.controllers());
  });
  run.def(
      "__setstate__",
      [](py::detail::value_and_holder& place, const py::tuple& parts) {
        if (parts.size() != 4) raise_usage("this is no pickled Run");
        Recording recording = unpickle_recording(parts[2].cast<py::tuple>());
        auto object = std::make_unique<RunObject>(parts[0].cast<py::object>(), parts[1].cast<py::bytes>(), recording.start,
                                                  recording.options);
        object->recording().recorder = std::move(recording.recorder);
        object->recording().is_change = std::move(recording.is_change);
        object->recording().settings = std::move(recording.settings);
        for (const py::handle controller : parts[3].cast<py::list>())
          object->add_controller(py::reinterpret_borrow<py::object>(controller));
        place.value_ptr() = object.release();
      },
      py::detail::is_new_style_constructor());
}

}  // namespace vinculum::python
