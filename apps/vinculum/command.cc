// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <fmt/core.h>

namespace vinculum::app {

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

void tell_change(const Model& model, const State& from, const State& to, const std::vector<std::string>& held, const char* key,
                 Reply& reply) {
  Json change = Json::object();
  const auto list = [&](const std::vector<std::string>& names, const std::vector<double>& before,
                        const std::vector<double>& after) {
    for (size_t i = 0; i < names.size(); ++i) {
      if (before[i] == after[i] && std::find(held.begin(), held.end(), names[i]) == held.end()) continue;
      change[names[i]] = {{"from", before[i]}, {"to", after[i]}};
      if (std::abs(after[i] - before[i]) > 1e-12)
        reply.say(fmt::format("  {:<16} {:>16.9g} -> {:<16.9g} ({:+.3g})", names[i], before[i], after[i], after[i] - before[i]));
    }
  };
  list(model.coordinate_names(), from.q, to.q);
  list(model.velocity_names(), from.v, to.v);
  reply.json()[key] = change;
}

void tell_verdicts(const std::vector<Verdict>& verdicts, Reply& reply) {
  Json list = Json::array();
  if (!verdicts.empty()) reply.say("\nverdicts");
  for (const Verdict& verdict : verdicts) {
    list.push_back(to_json(verdict));
    reply.say(fmt::format("  {:<16} {}: {}", verdict.subject, to_text(verdict.verdict), verdict.why));
  }
  reply.json()["verdicts"] = list;
}

void add_project_options(CLI::App& command, ProjectOptions& options, const char* flag, const char* text) {
  CLI::Option* project = command.add_flag(flag, options.project, text);
  command.add_option("--hold", options.hold, "NAME,..: coordinates and velocities that keep their values meanwhile")
      ->delimiter(',')
      ->type_name("NAMES")
      ->needs(project);
}

std::optional<Held> load_held(const ProjectOptions& options, const Model& model, Reply& reply, int& exit_code) {
  auto held = find_held(model, options.hold);
  if (held) return std::move(*held);
  exit_code = reply.refuse_usage(held.failure().message, held.failure().hint);
  return std::nullopt;
}

std::optional<State> project_start(const ConstraintSet& set, const State& state, const ProjectOptions& options, Reply& reply,
                                   int& exit_code) {
  const Model& model = set.model;
  const auto held = load_held(options, model, reply, exit_code);
  if (!held) return std::nullopt;
  Workspace workspace(model);
  const auto assembly = assemble(set, state, workspace, *held);
  if (!assembly) {
    exit_code = reply.fail(assembly.failure());
    return std::nullopt;
  }
  reply.say(fmt::format("projected onto the constraints: residuals {:.2g} in position, {:.2g} in velocity", assembly->position,
                        assembly->velocity));
  tell_change(model, state, assembly->state, assembly->keeps_start ? assembly->held : options.hold, "projection", reply);
  return assembly->state;
}

std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

}  // namespace vinculum::app
