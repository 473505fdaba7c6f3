// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <fmt/core.h>

#include "vinculum/constraints/projection.h"

namespace vinculum::app {

namespace {

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void on_interrupt(int signal) {
  g_interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool is_interrupted() { return g_interrupted != 0; }

void Reply::say(const std::string& text) {
  if (!as_json_) fmt::print("{}\n", text);
}

void Reply::tell(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    fmt::print(stderr, "{}\n", to_text(diagnostic));
    diagnostics_.push_back(to_json(diagnostic));
  }
}

int Reply::fail(const Failure& failure) {
  Diagnostics diagnostics;
  diagnostics.error(failure.code, {}, "", failure.message, failure.hint);
  tell(diagnostics);
  return finish(kFailed);
}

int Reply::refuse_usage(const std::string& message, const std::string& hint) {
  Diagnostics diagnostics;
  diagnostics.error("VN-USAGE-001", {}, "", message, hint);
  tell(diagnostics);
  return finish(kWrongUsage);
}

int Reply::finish(int exit_code) {
  if (as_json_) {
    json_["diagnostics"] = diagnostics_;
    fmt::print("{}\n", json_.dump(1, ' ', false, Json::error_handler_t::replace));
  }
  return exit_code;
}

void add_model_options(CLI::App& command, ModelOptions& options, bool with_state) {
  command.add_option("model", options.model, "model file (YAML)")->required();
  command.add_option("--set", options.sets, "NAME=VALUE: override a parameter or an initial value (repeatable)")
      ->type_name("NAME=VALUE");
  if (with_state)
    command.add_option("--state", options.state, R"(file with {"t": , "q": {..}, "v": {..}} instead of `initial`)")
        ->type_name("FILE");
  command.add_flag("--json", options.json, "print one JSON document instead of text");
}

std::optional<Model> load_model(const ModelOptions& options, Reply& reply, int& exit_code) {
  ReadOptions read;
  for (const std::string& set : options.sets) {
    const size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      exit_code = reply.refuse_usage(fmt::format("--set {} is not NAME=VALUE", set), "for example --set length=0.8");
      return std::nullopt;
    }
    read.overrides.push_back({set.substr(0, equals), set.substr(equals + 1)});
  }
  Diagnostics diagnostics(options.model);
  std::optional<Model> model = read_model_file(options.model, diagnostics, read);
  reply.tell(diagnostics);
  if (!model) exit_code = reply.finish(kInvalidModel);
  return model;
}

std::optional<State> load_state(const ModelOptions& options, const Model& model, Reply& reply, int& exit_code,
                                std::vector<double>* accelerations) {
  State state = model.initial_state();
  if (options.state.empty()) return state;
  const auto text = read_text(options.state);
  if (!text) {
    exit_code =
        reply.refuse_usage(fmt::format("cannot read the state file {}", options.state), "check the path given to --state");
    return std::nullopt;
  }
  Diagnostics diagnostics(options.state);
  const bool good = read_state(*text, model, state, accelerations, diagnostics);
  reply.tell(diagnostics);
  if (!good) {
    exit_code = reply.finish(kWrongUsage);
    return std::nullopt;
  }
  return state;
}

void tell_change(const Model& model, const State& from, const State& to, const char* key, Reply& reply) {
  Json change = Json::object();
  const auto list = [&](const std::vector<std::string>& names, const std::vector<double>& before,
                        const std::vector<double>& after) {
    for (size_t i = 0; i < names.size(); ++i) {
      if (before[i] == after[i]) continue;
      change[names[i]] = {{"from", before[i]}, {"to", after[i]}};
      if (std::abs(after[i] - before[i]) > 1e-12)
        reply.say(fmt::format("  {:<16} {:>16.9g} -> {:<16.9g} ({:+.3g})", names[i], before[i], after[i], after[i] - before[i]));
    }
  };
  list(model.coordinate_names(), from.q, to.q);
  list(model.velocity_names(), from.v, to.v);
  reply.json()[key] = change;
}

std::optional<State> project_start(const Model& model, const State& state, Reply& reply, int& exit_code) {
  Workspace workspace(model);
  const auto projection = project_state(ConstraintSet(model), state, workspace);
  if (!projection) {
    exit_code = reply.fail(projection.failure());
    return std::nullopt;
  }
  reply.say(fmt::format("projected onto the constraints: residuals {:.2g} in position, {:.2g} in velocity", projection->position,
                        projection->velocity));
  tell_change(model, state, projection->state, "projection", reply);
  return projection->state;
}

std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

}  // namespace vinculum::app
