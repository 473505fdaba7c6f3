// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/results_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "vinculum/files/json_text.h"
#include "vinculum/formats/table.h"
#include "vinculum/formats/text.h"
#include "vinculum/math/checksum.h"
#include "vinculum/model/units.h"
#include "vinculum/verdict/catalogue.h"
#include "vinculum/version.h"

namespace vinculum {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRun = "run.json";
constexpr const char* kCheckpoint = "checkpoint.json";
constexpr const char* kReport = "report.html";
constexpr ResultTable kTables[] = {ResultTable::states, ResultTable::reactions, ResultTable::outputs};

const char* file_of(ResultTable table) {
  return table == ResultTable::states ? "states.csv" : table == ResultTable::reactions ? "reactions.csv" : "outputs.csv";
}

// That of the outputs only where the model has some.
bool has_table(const Model& model, ResultTable table) {
  return table != ResultTable::outputs || !model.outputs().columns.empty();
}

}  // namespace

// A table under construction: whole rows are appended to NAME.part.
struct ResultsFolder::Table {
  fs::path path, part;
  std::FILE* file = nullptr;
  std::uint64_t bytes = 0;
  Checksum sum;  // of these bytes
  bool good = true;
  std::span<const Column> columns;  // without t
  size_t first = 0;                 // of them among all columns
  fmt::memory_buffer line;

  Table(const fs::path& folder, ResultTable table, const std::vector<Column>& all)
      : path(folder / file_of(table)), part(path.string() + ".part") {
    const auto is_ours = [&](const Column& column) { return column.table() == table; };
    const auto begin = std::ranges::find_if(all, is_ours), end = std::find_if_not(begin, all.end(), is_ours);
    columns = {begin, end};
    first = static_cast<size_t>(begin - all.begin());
  }
  ~Table() {
    if (file != nullptr) std::fclose(file);
  }

  void open(const char* mode) {
    file = std::fopen(part.c_str(), mode);
    good = file != nullptr;
  }
  void append_header() {
    line.clear();
    const auto out = fmt::appender(line);
    fmt::format_to(out, "t [s]");
    for (const Column& column : columns) fmt::format_to(out, ",{}", column_title(column.name, column.unit));
    append_line();
  }
  void append(double t, std::span<const double> all) {
    line.clear();
    const auto out = fmt::appender(line);
    fmt::format_to(out, "{}", t);
    for (size_t i = 0; i < columns.size(); ++i) {
      const double value = all[first + i];
      if (columns[i].words.empty())
        fmt::format_to(out, ",{}", value);
      else
        fmt::format_to(out, ",{}", columns[i].words[static_cast<size_t>(value)]);
    }
    append_line();
  }
  void append_line() {
    if (!good) return;
    line.push_back('\n');
    good = std::fwrite(line.data(), 1, line.size(), file) == line.size();
    bytes += line.size();
    sum.add({line.data(), line.size()});
  }
  void flush() { good = good && flush_to_disk(file); }
  void close() {
    if (file == nullptr) return;
    flush();
    good = std::fclose(file) == 0 && good;
    file = nullptr;
  }

  std::string name() const { return path.filename().string(); }
  // What a checkpoint says of a table, and whether the rows that are there are those it speaks of. An interrupted run has its
  // files under their final names.
  Json mark() const { return {{"bytes", bytes}, {"checksum", sum.text()}}; }
  bool matches(const Json& mark) {
    mark.at("bytes").get_to(bytes);
    std::error_code error;
    std::FILE* const rows = std::fopen((fs::exists(part, error) ? part : path).c_str(), "rb");
    if (rows == nullptr) return false;
    sum = {};
    char chunk[1 << 16];
    std::uint64_t left = bytes;
    while (left > 0) {
      const size_t count = std::fread(chunk, 1, std::min<std::uint64_t>(left, sizeof chunk), rows);
      if (count == 0) break;
      sum.add({chunk, count});
      left -= count;
    }
    std::fclose(rows);
    return left == 0 && mark.at("checksum") == sum.text();
  }
  // Rows after the checkpoint are cut off.
  void reopen() {
    std::error_code error;
    if (!fs::exists(part, error)) fs::rename(path, part, error);
    if (!error) fs::resize_file(part, bytes, error);
    if (error) {
      good = false;
    } else {
      open("ab");
    }
  }
};

namespace {

Failure cannot_write(const std::string& path) {
  return {"VN-FILE-110", fmt::format("cannot write the results to {}: {}", path, std::strerror(errno)),
          "is the disk full, or the folder read-only?"};
}

Json options_to_json(const RunOptions& options) {
  Json json{{"until", options.until},
            {"integrator", options.integrator},
            {"tolerance", options.tolerance},
            {"order", options.order},
            {"every", options.every},
            {"stop_at", options.stop_at},
            {"contacts", word_of(options.follow)},
            {"baumgarte", options.baumgarte},
            {"watch_integrals", options.watch_integrals},
            {"max_step", options.largest_step},
            {"step", options.step}};
  if (const InputTable* table = options.inputs.get())
    json["inputs"] = {{"inputs", table->inputs}, {"times", table->times}, {"values", table->values}};
  return json;
}

Json request_to_json(const Model& model, const RunRequest& request) {
  Json json{{"vinculum", version()},
            {"model", request.model_file},
            {"name", model.name()},
            {"fingerprint", request.fingerprint},
            {"set", request.sets}};
  if (!request.written.empty()) json["write"] = request.written;
  json["options"] = options_to_json(request.options);
  json["start"] = to_json(model, request.start);
  return json;
}

// The parts of a checkpoint as visit_checkpoint lists them.
class JsonWriter {
 public:
  explicit JsonWriter(Json& json) : json_(json) {}
  template <class T>
  void operator()(const char* name, const T& part) {
    json_[name] = encode(part);
  }

 private:
  template <class T>
  static Json encode(const T& part) {
    return part;
  }
  // It is there wherever a checkpoint is taken.
  static Json encode(const std::optional<double>& number) { return number ? Json(*number) : Json(); }
  static Json encode(const std::vector<Occurrence>& events) {
    return list(events, [](const Occurrence& e) { return to_json(e); });
  }
  static Json encode(const std::vector<IntegralDrift>& drifts) {
    return list(drifts, [](const IntegralDrift& drift) { return to_json(drift); });
  }
  static Json encode(const std::vector<Stretch>& stretches) {
    return list(stretches, [](const Stretch& stretch) { return Json{stretch.begin, stretch.end, stretch.step}; });
  }
  template <class T, class Encode>
  static Json list(const std::vector<T>& parts, const Encode& encode) {
    Json json = Json::array();
    for (const T& part : parts) json.push_back(encode(part));
    return json;
  }
  Json& json_;
};

// Throws nlohmann's exceptions where something is missing; the caller catches.
class JsonReader {
 public:
  explicit JsonReader(const Json& json) : json_(json) {}
  template <class T>
  void operator()(const char* name, T& part) {
    json_.at(name).get_to(part);
  }
  void operator()(const char* name, std::optional<double>& number) { number = json_.at(name).get<double>(); }
  void operator()(const char* name, std::vector<Occurrence>& events) {
    for (const Json& event : list(name)) events.push_back(occurrence_from_json(event));
  }
  void operator()(const char* name, std::vector<IntegralDrift>& drifts) {
    for (const Json& drift : list(name))
      drifts.push_back({drift.at("name"), drift.at("unit"), drift.at("start"), drift.at("drift")});
  }
  void operator()(const char* name, std::vector<Stretch>& stretches) {
    for (const Json& stretch : list(name)) stretches.push_back({stretch.at(0), stretch.at(1), stretch.at(2)});
  }

 private:
  const Json::array_t& list(const char* name) const { return json_.at(name).get_ref<const Json::array_t&>(); }
  const Json& json_;
};

Json checkpoint_to_json(const Checkpoint& checkpoint) {
  Json json = Json::object();
  JsonWriter writer(json);
  visit_checkpoint(checkpoint, writer);
  return json;
}

Checkpoint checkpoint_from_json(const Json& json) {
  Checkpoint checkpoint;
  JsonReader reader(json);
  visit_checkpoint(checkpoint, reader);
  return checkpoint;
}

RunRequest request_from_json(const Json& json, const Model& model) {
  RunRequest request;
  json.at("model").get_to(request.model_file);
  json.at("fingerprint").get_to(request.fingerprint);
  request.sets = json.value("set", std::vector<std::string>{});
  request.written = json.value("write", std::vector<std::string>{});
  const Json& options = json.at("options");
  options.at("until").get_to(request.options.until);
  options.at("integrator").get_to(request.options.integrator);
  options.at("tolerance").get_to(request.options.tolerance);
  request.options.order = options.value("order", 0);
  request.options.largest_step = options.value("max_step", 0.0);
  request.options.step = options.value("step", 0.0);
  if (options.contains("inputs")) {
    const Json& table = options.at("inputs");
    InputTable read{table.at("inputs"), table.at("times"), table.at("values")};
    const auto is_known = [&](int input) { return input >= 0 && input < static_cast<int>(model.inputs().size()); };
    if (!std::ranges::all_of(read.inputs, is_known) || read.values.size() != read.times.size() * read.inputs.size())
      throw std::invalid_argument("inputs");
    request.options.inputs = std::make_shared<const InputTable>(std::move(read));
  }
  options.at("every").get_to(request.options.every);
  options.at("stop_at").get_to(request.options.stop_at);
  const auto follow = find_follow(options.at("contacts").get<std::string>());
  if (!follow) throw std::invalid_argument("contacts");
  request.options.follow = *follow;
  options.at("baumgarte").get_to(request.options.baumgarte);
  request.options.watch_integrals = options.value("watch_integrals", true);
  request.start = model.initial_state();
  Diagnostics trouble;
  if (!read_state(json.at("start").dump(), model, request.start, nullptr, trouble)) throw std::invalid_argument("start");
  return request;
}

// The checksum stands in front of what it is the sum of, byte for byte.
constexpr std::string_view kSumBegins = R"({"checksum":")", kContentBegins = R"(","content":)", kContentEnds = "}\n";
constexpr size_t kSumDigits = 16;

std::string sealed(const Json& content) {
  const std::string text = content.dump();
  return std::string(kSumBegins) + checksum_of(text) + std::string(kContentBegins) + text + std::string(kContentEnds);
}

// What was sealed; none if a byte has changed.
std::optional<std::string_view> opened(std::string_view text) {
  if (!text.starts_with(kSumBegins) || !text.ends_with(kContentEnds)) return std::nullopt;
  text.remove_prefix(kSumBegins.size());
  const std::string_view sum = text.substr(0, kSumDigits);
  text.remove_prefix(sum.size());
  if (!text.starts_with(kContentBegins)) return std::nullopt;
  text.remove_prefix(kContentBegins.size());
  text.remove_suffix(std::min(text.size(), kContentEnds.size()));
  return checksum_of(text) == sum ? std::optional(text) : std::nullopt;
}

// As add_result wrote it.
RunResult result_from_json(const Json& json, const Model& model) {
  RunResult result;
  const auto number = [](const Json& value) { return value.is_null() ? std::nullopt : std::optional(value.get<double>()); };
  const auto number_of = [&](const Json& object, const char* key) {
    return object.contains(key) ? number(object.at(key)) : std::nullopt;
  };
  const std::string status = json.at("status");
  for (const auto end : {RunResult::End::reached, RunResult::End::stopped_at_event, RunResult::End::interrupted}) {
    if (status == end_text(end)) result.end = end;
  }
  if (status == end_text(RunResult::End::failed)) {
    result.end = RunResult::End::failed;
    const Json& failure = json.at("failure");
    const CatalogueEntry* const known = find_in_catalogue(failure.at("code").get<std::string>());
    result.failure =
        Failure{known ? known->code : "", failure.at("message").get<std::string>(), failure.value("hint", std::string())};
  }
  json.at("final").at("t").get_to(result.final.t);
  json.at("integrator").get_to(result.integrator);
  json.at("steps").get_to(result.steps);
  json.at("samples").get_to(result.samples);
  for (const Json& integral : json.at("integrals"))
    result.integrals.push_back({integral.at("name"), integral.at("unit"), integral.at("start"), integral.at("drift")});
  for (const Json& verdict : json.at("verdicts")) result.verdicts.push_back(verdict_from_json(verdict));
  for (const Json& event : json.at("events")) result.events.push_back(occurrence_from_json(event));
  if (json.contains("friction_work")) {
    for (const auto& [subject, work] : json.at("friction_work").items()) result.friction_work.push_back({subject, work});
  }
  for (const OutputColumn& column : model.outputs().columns) {
    if (!json.at("outputs").contains(column.name)) continue;  // of a run that failed before its first sample
    const Json& output = json.at("outputs").at(column.name);
    result.outputs.push_back({column.name, column.unit, output.at("final"), output.at("min"), output.at("max"),
                              output.at("t_min"), output.at("t_max"), number_of(output, "mean"), number_of(output, "rms")});
  }
  for (const auto& [row, residual] : json.at("constraint_residual").items())
    result.residuals.push_back({row, number(residual.at("position")), residual.at("velocity")});
  return result;
}

Outcome<Json> read_run_file(const std::string& folder) {
  const std::string path = (fs::path(folder) / kRun).string();
  const auto text = read_whole_file(path);
  if (!text) {
    return Failure{"VN-FILE-180", fmt::format("{} holds no finished run: there is no {}", folder, kRun),
                   "name a folder that `simulate --output` has left"};
  }
  Json json = Json::parse(*text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return Failure{"VN-FILE-180", fmt::format("{} cannot be read: it is not a JSON object", path), "make the run again"};
  return json;
}

// A table of a finished run, or of one that goes on, with the columns that are sought in it.
class RunTable {
 public:
  static Outcome<RunTable> open(const std::string& folder, ResultTable table, const std::vector<Column>& columns) {
    std::error_code error;
    std::string path = (fs::path(folder) / file_of(table)).string();
    if (fs::exists(path + ".part", error)) path += ".part";
    Diagnostics diagnostics(path);
    auto reader = TableReader::open(path, diagnostics);
    if (!reader) return unreadable(diagnostics);
    if (reader->columns().front().name != "t")
      return Failure{"VN-FILE-120", fmt::format("{}: the first column is not t", path), "make the run again"};
    RunTable opened(path, std::move(*reader));
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].table() != table) continue;
      const auto& headings = opened.reader_.columns();
      const auto found = std::ranges::find(headings, columns[i].name, &NumberTable::Column::name);
      if (found == headings.end())
        return Failure{"VN-FILE-120", fmt::format("{}: there is no column '{}'", path, columns[i].name), "make the run again"};
      opened.places_.push_back({static_cast<size_t>(found - headings.begin()), i, &columns[i]});
    }
    return opened;
  }

  // False at the end.
  Outcome<bool> next(double& t, std::vector<double>& row) {
    Diagnostics diagnostics(path_);
    if (!reader_.next(diagnostics)) {
      if (reader_.has_failed()) return unreadable(diagnostics);
      return false;
    }
    t = reader_.values()[0];
    for (const Place& place : places_) {
      const std::vector<std::string>& words = place.column->words;
      if (words.empty()) {
        row[place.to] = reader_.values()[place.from];
        continue;
      }
      const std::string& word = reader_.words()[place.from];
      const auto found = std::ranges::find(words, word);
      if (found == words.end())
        return Failure{"VN-FILE-122", fmt::format("{}: at t = {:g} s '{}' is no value of {}", path_, t, word, place.column->name),
                       "make the run again"};
      row[place.to] = static_cast<double>(found - words.begin());
    }
    return true;
  }

 private:
  struct Place {
    size_t from = 0, to = 0;
    const Column* column = nullptr;
  };
  RunTable(std::string path, TableReader reader) : path_(std::move(path)), reader_(std::move(reader)) {}
  static Failure unreadable(const Diagnostics& diagnostics) { return {"VN-FILE-120", to_text(diagnostics.list().front()), ""}; }

  std::string path_;
  TableReader reader_;
  std::vector<Place> places_;
};

Failure damaged(const std::string& path, std::string_view what) {
  return {"VN-FILE-113", fmt::format("cannot resume from the checkpoint in {}: {}", path, what),
          "start the run again with --force"};
}

}  // namespace

std::string version() { return VINCULUM_VERSION; }

std::string_view end_text(RunResult::End end) {
  switch (end) {
    case RunResult::End::reached: return "complete";
    case RunResult::End::stopped_at_event: return "stopped at event";
    case RunResult::End::interrupted: return "interrupted";
    case RunResult::End::failed: break;
  }
  return "failed";
}

ResultsFolder::ResultsFolder(std::string path, FolderLock lock, const Model& model, RunRequest request, double seconds)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      model_(model),
      columns_(describe(list_table_quantities(model), model)),
      row_(columns_.size()),
      request_(std::move(request)),
      between_checkpoints_(seconds),
      last_checkpoint_(std::chrono::steady_clock::now()) {
  for (const ResultTable table : kTables) {
    if (has_table(model, table)) tables_.push_back(std::make_unique<Table>(path_, table, columns_));
  }
}

ResultsFolder::~ResultsFolder() = default;

Outcome<std::unique_ptr<ResultsFolder>> ResultsFolder::create(const std::string& path, const Model& model,
                                                              const RunRequest& request, double seconds_between_checkpoints,
                                                              bool replace) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    return Failure{"VN-FILE-110", fmt::format("cannot make the folder {}: {}", path, error.message()),
                   "choose another folder with --output"};
  }
  auto lock = FolderLock::take(path);
  if (!lock) return lock.failure();
  if (!replace && fs::exists(fs::path(path) / kCheckpoint, error)) {
    return Failure{"VN-FILE-143", fmt::format("the folder {} holds an interrupted run that can be resumed", path),
                   "--resume continues it; --force replaces it"};
  }
  std::vector<std::string> names{kRun, kReport, kCheckpoint};
  for (const ResultTable table : kTables) names.emplace_back(file_of(table));
  for (const std::string& name : names) {
    fs::remove(fs::path(path) / name, error);
    fs::remove(fs::path(path) / (name + ".part"), error);
  }
  auto folder =
      std::unique_ptr<ResultsFolder>(new ResultsFolder(path, std::move(*lock), model, request, seconds_between_checkpoints));
  for (const auto& table : folder->tables_) {
    table->open("wb");
    table->append_header();
  }
  if (!folder->is_good()) return cannot_write(path);
  return folder;
}

// Nothing in the folder is touched before all of it is known to be good.
Outcome<ResultsFolder::Resumed> ResultsFolder::resume(const std::string& path, const Model& model, const std::string& fingerprint,
                                                      double seconds_between_checkpoints) {
  std::error_code error;
  if (!fs::exists(fs::path(path) / kCheckpoint, error)) {
    return Failure{"VN-FILE-111", fmt::format("there is no checkpoint to resume from in {}", path),
                   "start the run again without --resume"};
  }
  auto lock = FolderLock::take(path);
  if (!lock) return lock.failure();
  const auto text = read_whole_file((fs::path(path) / kCheckpoint).string());
  if (!text) return damaged(path, "its file cannot be read");
  const auto content = opened(*text);
  if (!content) return damaged(path, "checksum mismatch");
  try {
    const Json json = Json::parse(*content);
    if (const std::string made_by = json.at("run").at("vinculum"); made_by != version()) {
      return Failure{
          "VN-FILE-144",
          fmt::format("the checkpoint in {} was made by version {}, and this is {}", path, in_quotes(made_by), version()),
          "resume with the program that began the run, or start it again with --force"};
    }
    if (json.at("run").at("fingerprint") != fingerprint) {
      return Failure{"VN-FILE-112",
                     fmt::format("the checkpoint in {} was made with another model (or other values of --set)", path),
                     "resume with the model as it was, or start again with --force"};
    }
    RunRequest request = request_from_json(json.at("run"), model);
    Resumed resumed{nullptr, request, checkpoint_from_json(json.at("checkpoint"))};
    resumed.folder = std::unique_ptr<ResultsFolder>(
        new ResultsFolder(path, std::move(*lock), model, std::move(request), seconds_between_checkpoints));
    for (const auto& table : resumed.folder->tables_) {
      const std::string name = table->name();
      if (!table->matches(json.at("tables").at(name))) return damaged(path, fmt::format("{} is not as it was then", name));
    }
    for (const char* name : {kRun, kReport}) fs::remove(fs::path(path) / name, error);
    for (const auto& table : resumed.folder->tables_) table->reopen();
    if (!resumed.folder->is_good()) return cannot_write(path);
    return resumed;
  } catch (const std::exception& exception) {
    return damaged(path, fmt::format("something is missing in it ({})", exception.what()));
  }
}

Outcome<RunOrigin> read_run_origin(const std::string& folder) {
  const auto json = read_run_file(folder);
  if (!json) return json.failure();
  try {
    return RunOrigin{json->at("model"), json->at("fingerprint"), json->value("set", std::vector<std::string>{}),
                     json->value("write", std::vector<std::string>{})};
  } catch (const std::exception& exception) {
    return Failure{"VN-FILE-180", fmt::format("{} of {} lacks something: {}", kRun, folder, exception.what()),
                   "make the run again"};
  }
}

Outcome<FinishedRun> read_finished_run(const std::string& folder, const Model& model) {
  const auto json = read_run_file(folder);
  if (!json) return json.failure();
  try {
    return FinishedRun{request_from_json(*json, model), result_from_json(*json, model)};
  } catch (const std::exception& exception) {
    return Failure{"VN-FILE-181", fmt::format("{} of {} does not fit the model: {}", kRun, folder, exception.what()),
                   "make the run again"};
  }
}

std::optional<Failure> read_rows(const std::string& folder, const Model& model, const KeepRow& keep) {
  const std::vector<Column> columns = describe(list_table_quantities(model), model);
  std::vector<RunTable> tables;
  for (const ResultTable table : kTables) {
    if (!has_table(model, table)) continue;
    auto opened = RunTable::open(folder, table, columns);
    if (!opened) return opened.failure();
    tables.push_back(std::move(*opened));
  }
  std::vector<double> row(columns.size());
  while (true) {
    size_t ended = 0;
    double t = 0;
    for (RunTable& table : tables) {
      const auto more = table.next(t, row);
      if (!more) return more.failure();
      if (!*more) ++ended;
    }
    if (ended == tables.size()) return std::nullopt;
    if (ended > 0)
      return Failure{"VN-FILE-121", fmt::format("the tables in {} have different numbers of lines", folder),
                     "make the run again"};
    keep(t, row);
  }
}

bool ResultsFolder::is_good() const {
  return std::ranges::all_of(tables_, [](const auto& table) { return table->good; });
}

bool ResultsFolder::has_checkpoint() const {
  std::error_code error;
  return fs::exists(fs::path(path_) / kCheckpoint, error);
}

void ResultsFolder::on_sample(const Sample& sample) {
  std::ranges::transform(columns_, row_.begin(), [&](const Column& column) { return value_of(column.quantity, model_, sample); });
  add(sample.state.t, row_);
}

void ResultsFolder::add(double t, std::span<const double> values) {
  for (const auto& table : tables_) table->append(t, values);
}

bool ResultsFolder::wants_checkpoint() { return std::chrono::steady_clock::now() - last_checkpoint_ >= between_checkpoints_; }

std::string ResultsFolder::checkpoint_text(const Checkpoint& checkpoint) const {
  Json marks = Json::object();
  for (const auto& table : tables_) marks[table->name()] = table->mark();
  return sealed({{"run", request_to_json(model_, request_)}, {"tables", marks}, {"checkpoint", checkpoint_to_json(checkpoint)}});
}

void ResultsFolder::write_checkpoint(const std::string& text) {
  for (const auto& table : tables_) table->flush();
  if (is_good()) write_whole_file((fs::path(path_) / kCheckpoint).string(), text);
  last_checkpoint_ = std::chrono::steady_clock::now();
  kept_.clear();
}

void ResultsFolder::on_checkpoint(const Checkpoint& checkpoint) { write_checkpoint(checkpoint_text(checkpoint)); }

void ResultsFolder::on_restart(const Checkpoint& checkpoint) { kept_ = checkpoint_text(checkpoint); }

Outcome<bool> ResultsFolder::finish(const RunResult& result) {
  Json json = request_to_json(model_, request_);
  json["status"] = end_text(result.end);
  if (result.failure) json["failure"] = to_json(*result.failure);
  add_result(json, model_, result);
  // An interrupted run keeps its checkpoint, or gets that of the last place it can go on from. A finished one cannot be gone on
  // with; nor can one that failed, for it would fail again.
  const bool goes_on = result.end == RunResult::End::interrupted;
  if (goes_on && !kept_.empty()) write_checkpoint(kept_);
  std::error_code error;
  for (const auto& table : tables_) {
    table->close();
    if (!table->good) return cannot_write(path_);
    fs::rename(table->part, table->path, error);
    if (error) return cannot_write(path_);
  }
  if (!write_whole_file((fs::path(path_) / kRun).string(), json.dump(2) + "\n")) return cannot_write(path_);
  if (!goes_on) fs::remove(fs::path(path_) / kCheckpoint, error);
  return true;
}

}  // namespace vinculum
