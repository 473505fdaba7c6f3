// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/files/results_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/core.h>

#include "vinculum/files/json_text.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace fs = std::filesystem;

// A table under construction: whole rows are appended to NAME.part.
struct ResultsFolder::Table {
  fs::path path, part;
  std::FILE* file = nullptr;
  std::uint64_t bytes = 0;
  bool good = true;

  Table(const fs::path& folder, const char* name) : path(folder / name), part(path.string() + ".part") {}
  ~Table() {
    if (file != nullptr) std::fclose(file);
  }

  void open(const char* mode) {
    file = std::fopen(part.c_str(), mode);
    good = file != nullptr;
  }
  void append(const std::string& text) {
    if (!good) return;
    good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    bytes += text.size();
  }
  void flush() { good = good && std::fflush(file) == 0; }
  void close() {
    if (file == nullptr) return;
    good = std::fclose(file) == 0 && good;
    file = nullptr;
  }
};

namespace {

constexpr const char* kStates = "states.csv";
constexpr const char* kReactions = "reactions.csv";
constexpr const char* kRun = "run.json";
constexpr const char* kCheckpoint = "checkpoint.json";
constexpr const char* kReport = "report.html";

// Written beside and then renamed: a reader sees the old file or the new one, never a part.
bool write_atomically(const fs::path& path, const std::string& text) {
  const fs::path part = path.string() + ".part";
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  std::error_code error;
  if (written && closed) fs::rename(part, path, error);
  return written && closed && !error;
}

Failure cannot_write(const std::string& path) {
  return {"VN-FILE-110", fmt::format("cannot write the results to {}: {}", path, std::strerror(errno)),
          "is the disk full, or the folder read-only?"};
}

std::string row_of(double t, const std::vector<double>& values) {
  std::string row = fmt::format("{}", t);
  for (double value : values) row += fmt::format(",{}", value);
  return row + "\n";
}

std::string states_header(const Model& model) {
  const StateUnits units = state_units(model);
  std::string header = "t [s]";
  for (size_t i = 0; i < units.coordinates.size(); ++i)
    header += fmt::format(",{} [{}]", model.coordinate_names()[i], units.coordinates[i]);
  for (size_t i = 0; i < units.velocities.size(); ++i)
    header += fmt::format(",{} [{}]", model.velocity_names()[i], units.velocities[i]);
  return header + ",kinetic energy [J],potential energy [J]\n";
}

std::string reactions_header(const Model& model) {
  std::string header = "t [s]";
  for (const Body& body : model.bodies()) {
    for (const char* axis : {"x", "y", "z"}) header += fmt::format(",{}.force.{} [N]", body.name, axis);
    for (const char* axis : {"x", "y", "z"}) header += fmt::format(",{}.moment.{} [N*m]", body.name, axis);
  }
  const StateUnits units = state_units(model);
  for (const DrivenCoordinate& driven : model.driven()) {
    header += fmt::format(",motion:{} [{}]", model.coordinate_names()[driven.q], units.forces[driven.v]);
  }
  const ConstraintSet constraints(model);
  for (const RowLabel& row : constraints.rows) {
    if (row.contact >= 0) header += fmt::format(",{} [{}]", row.name, is_angular(row.axis) ? "N*m" : "N");
  }
  for (const ContactAxisName& law : list_law_axes(constraints.contacts))
    header += fmt::format(",{} [{}]", law.name, is_angular(law.axis) ? "N*m" : "N");
  for (const ContactAxisName& slip : list_slip_axes(constraints.contacts)) header += fmt::format(",{} slip [m/s]", slip.name);
  return header + "\n";
}

Json options_to_json(const RunOptions& options) {
  return {{"until", options.until},           {"integrator", options.integrator}, {"tolerance", options.tolerance},
          {"order", options.order},           {"every", options.every},           {"stop_at", options.stop_at},
          {"unilateral", options.unilateral}, {"baumgarte", options.baumgarte},   {"max_step", options.largest_step}};
}

Json request_to_json(const Model& model, const RunRequest& request) {
  return {{"vinculum", version()},
          {"model", request.model_file},
          {"name", model.name()},
          {"fingerprint", request.fingerprint},
          {"options", options_to_json(request.options)},
          {"start", to_json(model, request.start)}};
}

Json checkpoint_to_json(const Checkpoint& c) {
  Json events = Json::array();
  for (const RunEvent& event : c.events) events.push_back(to_json(event));
  Json contacts = Json::array();
  for (const ContactWatch& w : c.contacts)
    contacts.push_back(
        {w.lowest_normal, w.lowest_t, w.first_pull, w.first_release, w.largest_demand, w.demand_t, w.first_slip, w.undetermined});
  Json integrals = Json::array();
  for (const IntegralDrift& integral : c.integrals) integrals.push_back(to_json(integral));
  return {{"t", c.integrator.t},
          {"y", c.integrator.y},
          {"next_step", c.integrator.next_step},
          {"memory", c.integrator.memory},
          {"event_memory", c.event_memory},
          {"events", events},
          {"next_sample", c.next_sample},
          {"last_sampled_t", c.last_sampled_t},
          {"steps", c.steps},
          {"rejected", c.rejected},
          {"evaluations", c.evaluations},
          {"start_t", c.start_t},
          {"integrals", integrals},
          {"energy_scale", c.energy_scale},
          {"weakest_ratio", c.weakest_ratio},
          {"weakest_velocity", c.weakest_velocity},
          {"weakest_t", c.weakest_t},
          {"holding", c.holding},
          {"left_out", c.left_out},
          {"switches", c.switches},
          {"switches_since", c.switches_since},
          {"contacts", contacts},
          {"worst_position", c.worst_position},
          {"worst_velocity", c.worst_velocity}};
}

// Throws nlohmann's exceptions where something is missing; the caller catches.
Checkpoint checkpoint_from_json(const Json& json) {
  Checkpoint c;
  json.at("t").get_to(c.integrator.t);
  json.at("y").get_to(c.integrator.y);
  json.at("next_step").get_to(c.integrator.next_step);
  json.at("memory").get_to(c.integrator.memory);
  json.at("event_memory").get_to(c.event_memory);
  for (const Json& event : json.at("events")) c.events.push_back({event.at("t"), event.at("name"), event.at("direction")});
  json.at("next_sample").get_to(c.next_sample);
  json.at("last_sampled_t").get_to(c.last_sampled_t);
  json.at("steps").get_to(c.steps);
  json.at("rejected").get_to(c.rejected);
  json.at("evaluations").get_to(c.evaluations);
  json.at("start_t").get_to(c.start_t);
  for (const Json& integral : json.at("integrals"))
    c.integrals.push_back({integral.at("name"), integral.at("unit"), integral.at("start"), integral.at("drift")});
  json.at("energy_scale").get_to(c.energy_scale);
  json.at("weakest_ratio").get_to(c.weakest_ratio);
  json.at("weakest_velocity").get_to(c.weakest_velocity);
  json.at("weakest_t").get_to(c.weakest_t);
  for (const Json& w : json.at("contacts"))
    c.contacts.push_back({w.at(0), w.at(1), w.at(2), w.at(3), w.at(4), w.at(5), w.at(6), w.at(7)});
  json.at("holding").get_to(c.holding);
  json.at("left_out").get_to(c.left_out);
  json.at("switches").get_to(c.switches);
  json.at("switches_since").get_to(c.switches_since);
  json.at("worst_position").get_to(c.worst_position);
  json.at("worst_velocity").get_to(c.worst_velocity);
  return c;
}

RunRequest request_from_json(const Json& json, const Model& model) {
  RunRequest request;
  json.at("model").get_to(request.model_file);
  json.at("fingerprint").get_to(request.fingerprint);
  const Json& options = json.at("options");
  options.at("until").get_to(request.options.until);
  options.at("integrator").get_to(request.options.integrator);
  options.at("tolerance").get_to(request.options.tolerance);
  request.options.order = options.value("order", 0);
  request.options.largest_step = options.value("max_step", 0.0);
  options.at("every").get_to(request.options.every);
  options.at("stop_at").get_to(request.options.stop_at);
  options.at("unilateral").get_to(request.options.unilateral);
  options.at("baumgarte").get_to(request.options.baumgarte);
  request.start = model.initial_state();
  json.at("start").at("t").get_to(request.start.t);
  const auto read = [&](const char* key, const std::vector<std::string>& names, std::vector<double>& values) {
    for (size_t i = 0; i < names.size(); ++i) json.at("start").at(key).at(names[i]).get_to(values[i]);
  };
  read("q", model.coordinate_names(), request.start.q);
  read("v", model.velocity_names(), request.start.v);
  return request;
}

std::string_view end_text(RunResult::End end) {
  switch (end) {
    case RunResult::End::reached: return "complete";
    case RunResult::End::stopped_at_event: return "stopped at event";
    case RunResult::End::interrupted: return "interrupted";
    case RunResult::End::failed: break;
  }
  return "failed";
}

}  // namespace

std::string version() { return VINCULUM_VERSION; }

ResultsFolder::ResultsFolder(std::string path, const Model& model, RunRequest request, double seconds)
    : path_(std::move(path)),
      model_(model),
      request_(std::move(request)),
      between_checkpoints_(seconds),
      last_checkpoint_(std::chrono::steady_clock::now()),
      states_(std::make_unique<Table>(path_, kStates)),
      reactions_(std::make_unique<Table>(path_, kReactions)) {}

ResultsFolder::~ResultsFolder() = default;

Outcome<std::unique_ptr<ResultsFolder>> ResultsFolder::create(const std::string& path, const Model& model,
                                                              const RunRequest& request, double seconds_between_checkpoints) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    return Failure{"VN-FILE-110", fmt::format("cannot make the folder {}: {}", path, error.message()),
                   "choose another folder with --output"};
  }
  for (const char* name : {kRun, kReport, kStates, kReactions, kCheckpoint}) {
    fs::remove(fs::path(path) / name, error);
    fs::remove(fs::path(path) / (std::string(name) + ".part"), error);
  }
  auto folder = std::unique_ptr<ResultsFolder>(new ResultsFolder(path, model, request, seconds_between_checkpoints));
  folder->states_->open("wb");
  folder->reactions_->open("wb");
  folder->states_->append(states_header(model));
  folder->reactions_->append(reactions_header(model));
  if (!folder->states_->good || !folder->reactions_->good) return cannot_write(path);
  return folder;
}

Outcome<ResultsFolder::Resumed> ResultsFolder::resume(const std::string& path, const Model& model, const std::string& fingerprint,
                                                      double seconds_between_checkpoints) {
  std::ifstream file(fs::path(path) / kCheckpoint, std::ios::binary);
  if (!file) {
    return Failure{"VN-FILE-111", fmt::format("there is no checkpoint to resume from in {}", path),
                   "start the run again without --resume"};
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  try {
    const Json json = Json::parse(text);
    if (json.at("run").at("fingerprint") != fingerprint) {
      return Failure{"VN-FILE-112",
                     fmt::format("the checkpoint in {} was made with another model (or other values of --set)", path),
                     "resume with the model as it was, or start again without --resume"};
    }
    Resumed resumed;
    resumed.request = request_from_json(json.at("run"), model);
    resumed.checkpoint = checkpoint_from_json(json.at("checkpoint"));
    resumed.folder = std::unique_ptr<ResultsFolder>(new ResultsFolder(path, model, resumed.request, seconds_between_checkpoints));

    // Rows after the checkpoint are cut off; an interrupted run has its files under their final names.
    const auto reopen = [&](Table& table, const char* key) {
      table.bytes = json.at("bytes").at(key);
      std::error_code error;
      if (!fs::exists(table.part)) fs::rename(table.path, table.part, error);
      if (!error && fs::file_size(table.part, error) < table.bytes) return false;
      if (!error) fs::resize_file(table.part, table.bytes, error);
      if (error) return false;
      table.open("ab");
      return table.good;
    };
    std::error_code error;
    fs::remove(fs::path(path) / kRun, error);
    fs::remove(fs::path(path) / kReport, error);
    if (reopen(*resumed.folder->states_, kStates) && reopen(*resumed.folder->reactions_, kReactions)) return resumed;
  } catch (const nlohmann::json::exception&) {
    // falls through: not readable
  }
  return Failure{"VN-FILE-113", fmt::format("the checkpoint in {} cannot be read, or its tables are missing", path),
                 "start the run again without --resume"};
}

void ResultsFolder::on_sample(const Sample& sample) {
  std::vector<double> row(sample.state.q);
  row.insert(row.end(), sample.state.v.begin(), sample.state.v.end());
  row.push_back(sample.energy.kinetic);
  row.push_back(sample.energy.potential);
  states_->append(row_of(sample.state.t, row));
  row.clear();
  for (const Wrench& wrench : sample.dynamics.reactions_W) {
    row.insert(row.end(), {wrench.force.x, wrench.force.y, wrench.force.z, wrench.moment.x, wrench.moment.y, wrench.moment.z});
  }
  row.insert(row.end(), sample.dynamics.driving_forces.begin(), sample.dynamics.driving_forces.end());
  for (const auto* values : {&sample.multipliers, &sample.law_forces, &sample.slips})
    row.insert(row.end(), values->begin(), values->end());
  reactions_->append(row_of(sample.state.t, row));
}

bool ResultsFolder::wants_checkpoint() { return std::chrono::steady_clock::now() - last_checkpoint_ >= between_checkpoints_; }

void ResultsFolder::on_checkpoint(const Checkpoint& checkpoint) {
  states_->flush();
  reactions_->flush();
  const Json json = {{"run", request_to_json(model_, request_)},
                     {"bytes", {{kStates, states_->bytes}, {kReactions, reactions_->bytes}}},
                     {"checkpoint", checkpoint_to_json(checkpoint)}};
  write_atomically(fs::path(path_) / kCheckpoint, json.dump());
  last_checkpoint_ = std::chrono::steady_clock::now();
}

Outcome<bool> ResultsFolder::finish(const RunResult& result) {
  Json json = request_to_json(model_, request_);
  json["status"] = end_text(result.end);
  if (result.failure) json["failure"] = to_json(*result.failure);
  add_result(json, model_, result);
  std::error_code error;
  for (Table* table : {states_.get(), reactions_.get()}) {
    table->close();
    if (!table->good) return cannot_write(path_);
    fs::rename(table->part, table->path, error);
    if (error) return cannot_write(path_);
  }
  // A finished run cannot be resumed; an interrupted one keeps its checkpoint.
  if (result.end == RunResult::End::reached || result.end == RunResult::End::stopped_at_event)
    fs::remove(fs::path(path_) / kCheckpoint, error);
  if (!write_atomically(fs::path(path_) / kRun, json.dump(2) + "\n")) return cannot_write(path_);
  return true;
}

}  // namespace vinculum
