// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/model_input.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "vinculum/constraints/joint_friction.h"
#include "vinculum/decision/settle_joints.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/formats/safe_file.h"
#include "vinculum/model/state.h"
#include "vinculum/page/mesh.h"
#include "vinculum/questions/kept.h"
#include "vinculum/verdict/words.h"

namespace vinculum {

std::optional<std::vector<Override>> read_sets(const std::vector<std::string>& sets, Reply& reply, int& exit_code) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    const size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      exit_code = reply.refuse_usage(fmt::format("--set {} is not NAME=VALUE", set), "for example --set length=0.8");
      return std::nullopt;
    }
    overrides.push_back({set.substr(0, equals), set.substr(equals + 1)});
  }
  return overrides;
}

namespace {

bool is_parameter(const Model& model, const std::string& name) {
  const auto& parameters = model.description().parameters;
  return std::ranges::any_of(parameters, [&](const ParameterValue& parameter) { return parameter.name == name; });
}

// A start value that is set and not used.
std::optional<Failure> refuse_unused_start(const ModelOptions& options, const Model& model, const std::vector<Override>& sets) {
  if (options.start == UseOfStart::all) return std::nullopt;
  for (const Override& set : sets) {
    if (is_parameter(model, set.name)) continue;
    const bool is_position = model.find_coordinate(set.name).has_value(), is_velocity = model.find_velocity(set.name).has_value();
    if (!is_velocity && !(is_position && options.start == UseOfStart::none)) continue;
    return Failure{"VN-USAGE-014", fmt::format("--set {} has no effect here: {}", set.name, options.why_unused), "leave it out"};
  }
  return std::nullopt;
}

}  // namespace

void set_start_values(const Model& model, const std::vector<std::string>& sets, State& state, Diagnostics& diagnostics) {
  const State& start = model.initial_state();
  bool changed = false;
  for (const std::string& set : sets) {
    const std::string name = set.substr(0, set.find('='));
    if (is_parameter(model, name)) continue;
    if (const auto q = model.find_coordinate(name)) state.q[*q] = start.q[*q], changed = true;
    if (const auto v = model.find_velocity(name)) state.v[*v] = start.v[*v], changed = true;
  }
  if (changed) normalize_quaternions(model, state, diagnostics);
}

std::optional<Failure> refuse_sets_of_motion(const Model& model, const std::vector<std::string>& sets,
                                             const std::vector<std::string>& given) {
  for (const std::string& set : sets) {
    const std::string name = set.substr(0, set.find('='));
    const auto q = model.find_coordinate(name);
    const auto v = model.find_velocity(name);
    if (is_parameter(model, name) || (!q && !v)) continue;
    if (std::ranges::find(given, q ? model.coordinate_names()[*q] : model.velocity_names()[*v]) == given.end()) continue;
    return Failure{"VN-USAGE-014", fmt::format("--set {} has no effect here: the file of --motion gives its values", name),
                   "leave it out"};
  }
  return std::nullopt;
}

std::shared_ptr<const Model> load_model(const ModelOptions& options, Reply& reply, int& exit_code) {
  ReadOptions read;
  auto sets = read_sets(options.sets, reply, exit_code);
  if (!sets) return nullptr;
  read.overrides = std::move(*sets);
  read.written = options.written;
  Diagnostics diagnostics(options.model);
  std::shared_ptr<const Model> model;
  const auto take = [&](std::optional<Model> made) {
    if (made) model = std::make_shared<const Model>(std::move(*made));
  };
  if (options.built != nullptr) return options.built;
  if (options.kept != nullptr) {
    model = options.kept->model.build(diagnostics, read);
  } else if (options.model == "-") {
    if (options.state == "-") {
      exit_code = reply.refuse_usage(
          Failure{"VN-USAGE-011", "model and state cannot both come from standard input", "put one of them into a file"});
      return nullptr;
    }
    take(read_model(*reply.read_text("-"), diagnostics, read));
  } else {
    take(read_model_file(options.model, diagnostics, read));
  }
  reply.tell(diagnostics);
  if (!model) exit_code = reply.finish(kInvalidModel);
  if (!model) return nullptr;
  if (const auto refusal = refuse_unused_start(options, *model, read.overrides)) {
    exit_code = reply.refuse_usage(*refusal);
    return nullptr;
  }
  return model;
}

std::optional<State> load_state(const ModelOptions& options, const Model& model, Reply& reply, int& exit_code,
                                std::vector<double>* accelerations) {
  State state = model.initial_state();
  // Without given accelerations the forces decide which strings pull and which joints stick.
  const auto with_modes = [&]() -> std::optional<State> {
    if (const auto failure = find_taut_strings(model, state, accelerations == nullptr)) {
      exit_code = reply.fail(*failure);
      return std::nullopt;
    }
    if (const auto failure = settle_joint_friction(model, state, accelerations == nullptr)) {
      exit_code = reply.fail(*failure);
      return std::nullopt;
    }
    return state;
  };
  if (options.state.empty()) return with_modes();
  const auto text = reply.read_text(options.state);
  if (!text) {
    exit_code =
        reply.refuse_usage(fmt::format("cannot read the state file {}", options.state), "check the path given to --state");
    return std::nullopt;
  }
  Diagnostics diagnostics(options.state);
  const bool good = read_state(*text, model, state, accelerations, diagnostics);
  if (good) set_start_values(model, options.sets, state, diagnostics);
  reply.tell(diagnostics);
  if (!good) {
    exit_code = reply.finish(kWrongUsage);
    return std::nullopt;
  }
  return with_modes();
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

void say_verdicts(const std::vector<Verdict>& verdicts, Reply& reply) {
  if (!verdicts.empty()) reply.say("verdicts");
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const Verdict& verdict = verdicts[i];
    std::string line = fmt::format("  {:<14} {}", verdict.subject, to_text(verdict.verdict));
    if (verdict.first_violation) line += fmt::format(" from t = {:.4g} s", *verdict.first_violation);
    if (verdict.margin) line += fmt::format(" (margin {:.3g})", *verdict.margin);
    line += ": " + verdict.why;
    if (!verdict.term.empty()) line += fmt::format(" [{}]", verdict.term);
    reply.say(line);
    const bool said_next = i + 1 < verdicts.size() && verdicts[i + 1].hint == verdict.hint;
    if (!verdict.hint.empty() && !said_next) reply.say("    hint: " + verdict.hint);
  }
}

void tell_verdicts(const std::vector<Verdict>& verdicts, Reply& reply) {
  Json list = Json::array();
  for (const Verdict& verdict : verdicts) list.push_back(to_json(verdict));
  if (!verdicts.empty()) reply.say("");
  say_verdicts(verdicts, reply);
  reply.json()["verdicts"] = list;
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
  ConstraintSet with_free_joints = set;  // that friction holds a joint is no condition on a start
  with_free_joints.leave_out(list_held_joints(model));
  const auto assembly = assemble(with_free_joints, state, workspace, *held);
  if (!assembly) {
    exit_code = reply.fail(assembly.failure());
    return std::nullopt;
  }
  reply.say(fmt::format("projected onto the constraints: residuals {:.2g} in position, {:.2g} in velocity", assembly->position,
                        assembly->velocity));
  tell_change(model, state, assembly->state, assembly->keeps_start ? assembly->held : options.hold, "projection", reply);
  return assembly->state;
}

void tell_missing_meshes(const Model& model, const std::string& model_file, Reply& reply) {
  Diagnostics diagnostics(model_file);
  for (const std::string& missing :
       list_missing_meshes(model.description(), std::filesystem::path(model_file).parent_path().string()))
    diagnostics.warning("VN-FILE-171", {}, "", missing,
                        "meshes are looked for beside the model file; package://NAME/.. in a folder NAME there or above it");
  reply.tell(diagnostics);
}

bool write_text(const std::string& path, const std::string& text, bool replace, Reply& reply, int& exit_code) {
  const auto written = write_user_file(path, text, replace);
  if (written) return true;
  exit_code = reply.refuse_usage(written.failure());
  return false;
}

}  // namespace vinculum
