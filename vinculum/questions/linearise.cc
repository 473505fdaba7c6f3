// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/core.h>

#include "vinculum/analysis/root_locus.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/files/read_motion.h"
#include "vinculum/page/locus_plot.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/questions/modes.h"
#include "vinculum/simulation/judge_state.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

namespace {

// NAME=FROM:TO:COUNT
struct Over {
  std::string name;
  double from = 0, to = 0;
  int count = 0;
};
std::optional<Over> read_over(const std::string& text) {
  Over over;
  const size_t equals = text.find('='), first = text.find(':', equals), second = text.find(':', first + 1);
  if (equals == std::string::npos || equals == 0 || first == std::string::npos || second == std::string::npos)
    return std::nullopt;
  over.name = text.substr(0, equals);
  const auto number = [&](size_t begin, size_t end, auto& value) {
    const char* last = text.data() + end;
    const auto [read, error] = std::from_chars(text.data() + begin, last, value);
    return error == std::errc() && read == last;
  };
  constexpr int kMost = 100000;
  const bool good = number(equals + 1, first, over.from) && number(first + 1, second, over.to) &&
                    number(second + 1, text.size(), over.count) && std::isfinite(over.from) && std::isfinite(over.to) &&
                    std::isfinite(over.to - over.from) && over.from < over.to && over.count >= 2 && over.count <= kMost;
  return good ? std::optional(over) : std::nullopt;
}

std::string change_text(const std::string& name, const RootLocus::Change& change) {
  const double hertz = change.eigenvalue.imag() / (2 * std::numbers::pi);
  const std::string what = hertz > 0 ? fmt::format("an oscillation of {:.4g} Hz", hertz) : "a non-oscillating mode";
  return fmt::format("  {} = {:.12g}: {} {}", name, change.value, what, change.grows ? "becomes unstable" : "becomes stable");
}

void tell_locus(const RootLocus& locus, const Over& over, Reply& reply) {
  Json& json = reply.json();
  json["over"] = {{"name", over.name}, {"from", over.from}, {"to", over.to}, {"count", over.count}};
  Json points = Json::array(), changes = Json::array(), meetings = Json::array();
  for (const RootLocus::Point& point : locus.points) {
    Json values = Json::array();
    for (const auto& value : point.eigenvalues) values.push_back({value.real(), value.imag()});
    points.push_back(
        {{"value", point.value}, {"eigenvalues", values}, {"growth", point.growth}, {"verdict", to_text(point.stability)}});
  }
  reply.say(fmt::format("eigenvalues over {} = {:g} .. {:g}, {} values", over.name, over.from, over.to, over.count));
  const auto tell_range = [&](const RootLocus::Point& first, const RootLocus::Point& last) {
    reply.say(fmt::format("  {:>12.6g} .. {:<12.6g} {}", first.value, last.value, to_text(first.stability)));
  };
  const RootLocus::Point* first = &locus.points.front();
  for (size_t i = 1; i < locus.points.size(); ++i) {
    if (locus.points[i].stability == first->stability) continue;
    tell_range(*first, locus.points[i - 1]);
    first = &locus.points[i];
  }
  tell_range(*first, locus.points.back());
  if (!locus.changes.empty()) reply.say("stability changes");
  for (const RootLocus::Change& change : locus.changes) {
    changes.push_back(
        {{"value", change.value}, {"eigenvalue", {change.eigenvalue.real(), change.eigenvalue.imag()}}, {"grows", change.grows}});
    reply.say(change_text(over.name, change));
  }
  if (!locus.meetings.empty()) reply.say("double eigenvalues");
  for (const RootLocus::Meeting& meeting : locus.meetings) {
    meetings.push_back({{"value", meeting.value}, {"eigenvalue", meeting.eigenvalue}, {"becomes_pair", meeting.becomes_pair}});
    reply.say(fmt::format("  {} = {:.12g}: {:.6g} 1/s, {}", over.name, meeting.value, meeting.eigenvalue,
                          meeting.becomes_pair ? "a complex pair from here on" : "two real eigenvalues from here on"));
  }
  json["points"] = points;
  json["changes"] = changes;
  json["double_eigenvalues"] = meetings;
}

// The model read anew for every value, with what is asked of one state.
Outcome<Linearisation> linearise_at(const LineariseOptions& options, const Over& over, double value, Reply& reply) {
  std::vector<std::string> sets = options.sets;
  sets.push_back(fmt::format("{}={:.17g}", over.name, value));
  ReadOptions read;
  for (const std::string& set : sets) read.overrides.push_back({set.substr(0, set.find('=')), set.substr(set.find('=') + 1)});
  Diagnostics diagnostics(options.model);
  const auto model = options.model == "-" ? read_model(reply.read_text("-").value_or(""), diagnostics, read)
                                          : read_model_file(options.model, diagnostics, read);
  if (!model) {
    for (const Diagnostic& diagnostic : diagnostics.list()) {
      if (diagnostic.severity == Severity::error) return Failure{"VN-LINEAR-223", diagnostic.message, diagnostic.hint};
    }
  }
  State state = model->initial_state();
  if (!options.state.empty()) {
    Diagnostics of_state(options.state);
    read_state(reply.read_text(options.state).value_or(""), *model, state, nullptr, of_state);
    set_start_values(*model, sets, state, of_state);
  }
  if (const auto violation = check_state(*model, state, 1e-8)) return *violation;
  if (const KinksAtState kinks = find_kinks_at_state(*model, state); !kinks.empty())
    return Failure{"VN-LINEAR-225",
                   fmt::format("with {} = {:g} the state lies on a kink of {}", over.name, value, kinks.kinks[0]),
                   "without --over both sides are given"};
  DerivativesWorkspace workspace(*model);
  return linearise(*model, state, workspace);
}

int answer_over(const LineariseOptions& options, Reply& reply) {
  const auto over = read_over(options.over);
  if (!over) {
    return reply.refuse_usage(
        fmt::format("--over {} is not NAME=FROM:TO:COUNT with numbers FROM < TO and 2 to 100000 values", options.over),
        "for example --over speed=0:10:201");
  }
  for (const std::string& set : options.sets) {
    if (set.substr(0, set.find('=')) == over->name)
      return reply.refuse_usage(
          Failure{"VN-USAGE-014", fmt::format("--set {} has no effect here: --over varies it", over->name), "leave it out"});
  }
  ModelOptions first = options;
  first.sets.push_back(fmt::format("{}={:.17g}", over->name, over->from));
  int exit_code = kDone;
  if (!load_model(first, reply, exit_code)) return exit_code;
  const auto locus = trace_root_locus(over->name, over->from, over->to, over->count,
                                      [&](double value) { return linearise_at(options, *over, value, reply); });
  if (!locus) return reply.fail(locus.failure());
  tell_locus(*locus, *over, reply);
  const std::pair<std::string, std::string> files[] = {{options.table, tabulate_root_locus(*locus, over->name)},
                                                       {options.svg, draw_root_locus(*locus, over->name)}};
  for (const auto& [path, text] : files) {
    if (path.empty()) continue;
    if (!write_text(path, text, options.force, reply, exit_code)) return exit_code;
    reply.say(fmt::format("wrote {}", path));
  }
  return reply.finish(kDone);
}

// Matrices and eigenvalues of every row of a table; for people how fast the fastest departure grows.
int answer_motion(const Model& model, const GivenMotion& motion, Reply& reply) {
  DerivativesWorkspace workspace(model);
  Json& json = reply.json();
  for (const char* key : {"t", "A", "B", "B_inputs", "eigenvalues", "growth"}) json[key] = Json::array();
  reply.say("          t [s]   growth [1/s]   frequencies [Hz]");
  json["kinks"] = Json::array();
  for (const State& state : motion.states) {
    if (const KinksAtState kinks = find_kinks_at_state(model, state); !kinks.empty()) {
      json["kinks"].push_back({{"t", state.t}, {"kinks", kinks.kinks}});
      Diagnostics diagnostics;
      diagnostics.warning("VN-LINEAR-225", {}, "",
                          fmt::format("at t = {:g} s the state lies on a kink of {}", state.t, kinks.kinks[0]),
                          "`linearise --state` gives both sides of it");
      reply.tell(diagnostics);
    }
    const auto linear = linearise(model, state, workspace);
    if (!linear) return reply.fail(linear.failure());
    if (!json["states"].is_null() && json["states"] != Json(linear->states)) {
      return reply.fail(
          {"VN-LINEAR-224",
           fmt::format("at t = {:g} s other deviations are independent, so the matrices have no common states", state.t),
           "linearise the states one by one, by --state"});
    }
    const std::vector<Mode> modes = find_modes(*linear);
    json["states"] = linear->states;
    json["inputs"] = linear->inputs;
    json["t"].push_back(state.t);
    json["A"].push_back(rows_to_json(linear->A));
    json["B"].push_back(rows_to_json(linear->B));
    json["input_names"] = linear->input_names;
    json["B_inputs"].push_back(rows_to_json(linear->B_inputs));
    json["eigenvalues"].push_back(eigenvalues_to_json(modes));
    const double growth = largest_growth(modes);
    json["growth"].push_back(growth);
    std::string line = fmt::format("{:>15.6g} {:>14.6g}  ", state.t, growth);
    for (const Mode& mode : modes) {
      if (mode.eigenvalue.imag() > 0) line += fmt::format(" {:.6g}", mode.eigenvalue.imag() / (2 * std::numbers::pi));
    }
    reply.say(line);
  }
  return reply.finish(kDone);
}

}  // namespace

int answer_linearise(const LineariseOptions& options, Reply& reply) {
  int exit_code = kDone;
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = refuse_joint_friction(*model, "the linearisation")) return reply.fail(*refusal);
  if (const auto refusal = refuse_guide_friction(*model)) return reply.fail(*refusal);
  if (const auto refusal = check_size_of_matrices(*model)) return reply.fail(*refusal);
  if (!options.over.empty()) return answer_over(options, reply);
  if (!options.motion.empty()) {
    Diagnostics diagnostics(options.motion);
    const auto motion = read_motion(options.motion, *model, diagnostics);
    reply.tell(diagnostics);
    if (!motion) return reply.finish(kWrongUsage);
    if (const auto refusal = refuse_sets_of_motion(*model, options.sets, motion->given)) return reply.refuse_usage(*refusal);
    return answer_motion(*model, *motion, reply);
  }
  if (const auto violation = check_state(*model, *state, 1e-8)) return reply.fail(*violation);
  const KinksAtState kinks = find_kinks_at_state(*model, *state);
  DerivativesWorkspace workspace(*model);
  const auto linear = linearise(*model, *state, workspace);
  if (!linear && kinks.empty()) return reply.fail(linear.failure());
  tell_laws_of_time(*model, state->t, "the linearisation", reply);
  reply.json()["t"] = state->t;
  reply.say(fmt::format("linearised about the state at t = {:g} s: x' = A x + B tau{}", state->t,
                        model->inputs().empty() ? "" : " + B_u u"));
  if (kinks.empty()) {
    tell_matrices(*linear, reply);
    tell_modes(*linear, reply);
  } else {
    tell_sides(kinks, true, reply);
  }
  tell_verdicts(judge_state(*model, *state), reply);
  return reply.finish(kDone);
}

}  // namespace vinculum
