// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "vinculum/constrained/trusted_series.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/model/units.h"
#include "vinculum/questions/answers.h"
#include "vinculum/questions/model_input.h"
#include "vinculum/simulation/judge_state.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

namespace {

constexpr int kLeastOrder = 2, kHighestOrder = 200;

void say_rows(const std::vector<std::string>& names, const std::vector<std::string>& units,
              const std::vector<std::vector<double>>& series, Reply& reply) {
  constexpr size_t kMost = 12;
  for (size_t i = 0; i < names.size(); ++i) {
    std::string line = fmt::format("  {:<16} {}", names[i], units[i].empty() ? "" : "[" + units[i] + "]");
    for (size_t n = 0; n < std::min(kMost + 1, series[i].size()); ++n) line += fmt::format(" {:.9g}", series[i][n]);
    reply.say(line + (series[i].size() > kMost + 1 ? " .." : ""));
  }
}

}  // namespace

int answer_series(const SeriesOptions& options, Reply& reply) {
  int exit_code = kDone;
  if (options.order < kLeastOrder || options.order > kHighestOrder)
    return reply.refuse_usage(fmt::format("--order must lie between {} and {}", kLeastOrder, kHighestOrder));
  const auto model = load_model(options, reply, exit_code);
  if (!model) return exit_code;
  const auto state = load_state(options, *model, reply, exit_code);
  if (!state) return exit_code;
  if (const auto refusal = refuse_joint_friction(*model, "a power series")) return reply.fail(*refusal);
  if (const auto refusal = refuse_guide_friction(*model)) return reply.fail(*refusal);
  if (const auto violation = check_state(*model, *state, 1e-8)) return reply.fail(*violation);
  const ConstraintSet set(*model, *state);
  const auto series = compute_trusted_coefficients(set, *state, options.order);
  if (!series) return reply.fail(series.failure());

  Json& json = reply.json();
  json["t"] = state->t;
  json["order"] = options.order;
  json["q"] = json["v"] = json["multipliers"] = json["trusted"] = json["poles"] = json["reactions"] = Json::object();
  std::string shortened;
  const auto add = [&](const char* key, const std::string& name, const std::vector<double>& coefficients, int full) {
    append(json[key], name, coefficients);
    append(json["trusted"], name, coefficients.size());
    if (std::ssize(coefficients) < full)
      shortened += fmt::format("{}{} from order {} on", shortened.empty() ? "" : ", ", name, coefficients.size());
  };
  for (size_t i = 0; i < series->q.size(); ++i) add("q", model->coordinate_names()[i], series->q[i], options.order + 1);
  for (size_t i = 0; i < series->v.size(); ++i) add("v", model->velocity_names()[i], series->v[i], options.order + 1);
  for (size_t i = 0; i < series->multipliers.size(); ++i)
    add("multipliers", set.rows[i].name, series->multipliers[i], options.order);
  for (size_t i = 0; i < model->bodies().size(); ++i) {
    Json poles = Json::array(), forces = Json::array(), moments = Json::array();
    for (const Vector3& pole : series->poles_W[i]) poles.push_back(to_json(pole));
    for (const Wrench& reaction : series->reactions_W[i]) {
      forces.push_back(to_json(reaction.force));
      moments.push_back(to_json(reaction.moment));
    }
    append(json["poles"], model->bodies()[i].name, poles);
    append(json["reactions"], model->bodies()[i].name, {{"force", forces}, {"moment", moments}});
  }
  const bool ends = !std::isfinite(series->radius);
  json["radius"] = ends ? Json() : Json(series->radius);
  if (!series->branches.empty()) {
    json["branches"] = series->branches;
    json["kink"] = series->kink ? Json{{"s", series->kink->s}, {"where", series->kink->where}} : Json();
  }

  const StateUnits units = state_units(*model);
  reply.say(fmt::format("power series about t = {:g} s: x(t + s) = x0 + x1 s + x2 s^2 + .., s in seconds", state->t));
  say_rows(model->coordinate_names(), units.coordinates, series->q, reply);
  say_rows(model->velocity_names(), units.velocities, series->v, reply);
  std::vector<std::string> row_names, row_units;
  for (const Row& row : set.rows) row_names.push_back(row.name), row_units.push_back(row.unit);
  row_names.resize(series->multipliers.size());
  if (!row_names.empty()) reply.say("multipliers");
  say_rows(row_names, row_units, series->multipliers, reply);
  if (!shortened.empty()) reply.say("omitted, smaller than round-off: " + shortened);
  tell_verdicts(judge_state(*model, *state), reply);
  for (const std::string& branch : series->branches) reply.say("  on the branch of " + branch);
  if (series->kink) {
    reply.say(fmt::format("the series holds for {:.6g} s, up to the kink of {}", series->kink->s, series->kink->where));
    return reply.finish(kDone);
  }
  if (!series->branches.empty() && std::isfinite(series->seen))
    reply.say(fmt::format("no kink is seen within {:.6g} s", series->seen));
  reply.say(ends ? std::string("the series ends: the motion is a polynomial")
                 : fmt::format("radius of convergence: about {:.6g} s, from orders {} and {}", series->radius, options.order - 1,
                               options.order));
  return reply.finish(kDone);
}

}  // namespace vinculum
