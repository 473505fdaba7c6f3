// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "command.h"
#include "http_server.h"
#include "vinculum/formats/safe_file.h"
#include "vinculum/model/units.h"
#include "vinculum/page/report_page.h"

// studio/studio.html, put here by the build (cmake/embed.cmake).
extern "C" const char vinculum_studio_page[];
extern "C" const std::uint64_t vinculum_studio_page_size;

namespace vinculum::app {

namespace {

namespace fs = std::filesystem;

struct StudioOptions {
  std::string model;
  std::string run = "--until 10";
  int port = 8017;
  double limit = 60;
};

// A folder for the results of the last run; gone with the studio.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "vinculum-studio-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Options of `simulate` that are for a user's files, or for the terminal.
constexpr std::string_view kNotHere[] = {"--output", "-o", "--resume", "--force", "--json", "--no-report", "--help", "-h"};

// The server has no standard input to read from: it would wait there, and hear nothing.
std::optional<Failure> refuse_standard_input(const std::string& options) {
  for (const std::string& word : CLI::detail::split_up(options)) {
    if (word == "-" || word.ends_with("=-"))
      return Failure{"VN-USAGE-011", "a run of the studio cannot read from standard input", "give --state a file"};
  }
  return std::nullopt;
}

class Studio {
 public:
  Studio(StudioOptions options, const ScratchFolder& folder) : options_(std::move(options)), folder_(folder) {}

  HttpReply answer(const HttpRequest& request) {
    if (request.path == "/") return {200, "text/html; charset=utf-8", {vinculum_studio_page, vinculum_studio_page_size}};
    if (request.path == "/model") return json(describe_model());
    if (request.path == "/stamp") return json({{"stamp", stamp()}});
    if (request.path == "/run") return json(simulate(request));
    if (request.path == "/report") {
      if (auto page = read_whole_file((folder_.path() / "report.html").string())) return {200, "text/html; charset=utf-8", *page};
    }
    return {404, "text/plain", "there is nothing here\n"};
  }

 private:
  static HttpReply json(const Json& document) {
    return {200, "application/json", document.dump(-1, ' ', false, Json::error_handler_t::replace)};
  }

  // Another one as soon as the model file is saved.
  std::string stamp() const {
    std::error_code error;
    const auto time = fs::last_write_time(options_.model, error).time_since_epoch().count();
    return error ? "gone" : fmt::format("{} {}", time, fs::file_size(options_.model, error));
  }

  static Json to_list(const std::vector<Diagnostic>& told) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : told) {
      list.push_back(to_json(diagnostic));
      list.back()["text"] = to_text(diagnostic);
    }
    return list;
  }

  // What can be set: parameters, and where it starts; those that the file sets itself come first.
  Json describe_model() const {
    Json document{{"file", options_.model}, {"stamp", stamp()}, {"options", options_.run}};
    ModelOptions with;
    with.model = options_.model;
    SilentReply reply;
    int exit_code = kDone;
    const auto model = load_model(with, reply, exit_code);
    document["diagnostics"] = to_list(reply.told());
    if (!model) return document;
    document["name"] = model->name();
    document["parameters"] = Json::array();
    for (const ParameterValue& parameter : model->description().parameters)
      document["parameters"].push_back({{"name", parameter.name}, {"value", parameter.value}, {"unit", ""}});
    document["initial"] = Json::array();
    document["others"] = Json::array();
    const StateUnits units = state_units(*model);
    const auto add = [&](const std::string& name, double value, const std::string& unit) {
      const auto& initial = model->description().initial;
      const bool is_set = std::any_of(initial.begin(), initial.end(), [&](const InitialValue& v) { return v.name == name; });
      document[is_set ? "initial" : "others"].push_back({{"name", name}, {"value", value}, {"unit", unit}});
    };
    const auto is_driven = [&](int q, int v) {
      return std::any_of(model->driven().begin(), model->driven().end(),
                         [&](const DrivenCoordinate& driven) { return driven.q == q || driven.v == v; });
    };
    for (size_t i = 0; i < units.coordinates.size(); ++i) {
      if (!is_driven(static_cast<int>(i), -1))
        add(model->coordinate_names()[i], model->initial_state().q[i], units.coordinates[i]);
    }
    for (size_t i = 0; i < units.velocities.size(); ++i) {
      if (!is_driven(-1, static_cast<int>(i))) add(model->velocity_names()[i], model->initial_state().v[i], units.velocities[i]);
    }
    return document;
  }

  // /run?options=--until 5&set=mu=0.3&..: `simulate` in this process, as the command line would do it.
  Json simulate(const HttpRequest& request) {
    SilentReply reply;
    std::string given;
    std::vector<std::string> words{"simulate", options_.model};
    for (const auto& [key, value] : request.query) {
      if (key == "options") given = value;
      if (key == "set") words.insert(words.end(), {"--set", value});
    }
    for (const std::string& word : CLI::detail::split_up(given)) {
      const std::string name = word.substr(0, word.find('='));
      if (std::find(std::begin(kNotHere), std::end(kNotHere), name) != std::end(kNotHere)) {
        reply.refuse_usage(fmt::format("{} has no meaning here", name), "the page shows the results; leave it out");
        return {{"diagnostics", to_list(reply.told())}, {"report", false}, {"stamp", stamp()}};
      }
      words.push_back(word);
    }
    if (const auto refusal = refuse_standard_input(given)) {
      reply.refuse_usage(*refusal);
      return {{"diagnostics", to_list(reply.told())}, {"report", false}, {"stamp", stamp()}};
    }
    words.insert(words.end(), {"--output", folder_.path().string(), "--force"});
    std::error_code ignored;
    fs::remove(folder_.path() / "report.html", ignored);
    Json document{{"stamp", stamp()}};
    try {
      CLI::App app;
      int exit_code = kDone;
      Asked asked;
      add_simulate(app, exit_code, &asked);
      std::reverse(words.begin(), words.end());  // as CLI11 has them
      app.parse(words);
      const Deadline deadline(std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                                     std::chrono::duration<double>(options_.limit)));
      catch_interrupts();
      document["exit_code"] = answer_simulate(std::get<SimulateOptions>(asked.options()), reply);
      end_computing();
      if (has_passed_deadline())
        reply.fail({"VN-USAGE-013", fmt::format("the run was stopped after {:g} s", options_.limit),
                    "let it be shorter, or say --limit SECONDS"});
    } catch (const CLI::ParseError& error) {
      reply.refuse_usage(error.what(), "see `vinculum simulate --help`");
    }
    document["diagnostics"] = to_list(reply.told());
    document["report"] = fs::exists(folder_.path() / "report.html", ignored);
    return document;
  }

  StudioOptions options_;
  const ScratchFolder& folder_;
};

int run_studio(const StudioOptions& options) {
  PrintedReply reply(false);
  if (!report_page_available())
    return reply.fail({"VN-FILE-061", "there is no studio: this program was built without the report page",
                       "install nodejs and npm, run cmake again and rebuild"});
  if (options.port < 0 || options.port > 65535)
    return reply.refuse_usage("--port must lie between 0 and 65535", "0 takes any that is free");
  if (!(options.limit > 0)) return reply.refuse_usage("--limit must be positive", "seconds that one run may take");
  if (const auto refusal = refuse_standard_input(options.run)) return reply.refuse_usage(*refusal);
  std::error_code error;
  if (!fs::is_regular_file(options.model, error))
    return reply.refuse_usage(fmt::format("there is no model file {}", options.model), "`vinculum new FILE` writes one");
  const ScratchFolder folder;
  if (folder.path().empty())
    return reply.fail({"VN-FILE-110", "no folder for results can be made in the temporary folder", "set TMPDIR to one"});
  auto server = HttpServer::listen(options.port);
  if (!server) return reply.refuse_usage(server.failure());
  catch_interrupts();
  end_computing();  // each run is one again
  print(fmt::format("studio of {}: open http://127.0.0.1:{} in a browser; Ctrl-C ends it\n", options.model, server->port()));
  std::fflush(stdout);
  Studio studio(options, folder);
  server->serve([&](const HttpRequest& request) { return studio.answer(request); }, [] { return is_interrupted(); });
  return kDone;
}

}  // namespace

void add_studio(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<StudioOptions>();
  CLI::App* command =
      app.add_subcommand("studio", "open the model in a browser: sliders for its numbers, run again at each change");
  command->footer(
      "The page is served at 127.0.0.1, for this computer only. It has a slider for every parameter and every start value, and "
      "shows\nthe run or the errors of the model. The model runs again when its file is saved.\n"
      "example:\n  vinculum studio car.yaml\n  vinculum studio car.yaml --run \"--until 5 --contacts frictional\" --port 9000");
  command->add_option("model", options->model, "model file (YAML)")->required();
  command->add_option("--run", options->run, "initial options of `simulate`")->type_name("OPTIONS")->capture_default_str();
  command->add_option("--port", options->port, "port of 127.0.0.1; 0: any free port")->capture_default_str();
  command->add_option("--limit", options->limit, "longest computing time of one run [s]")->capture_default_str();
  command->callback([options, &exit_code] { exit_code = run_studio(*options); });
}

}  // namespace vinculum::app
